/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * experiment_ranking.h - ranking of workload models by their distance from a log.
 *
 * Each candidate is fitted to the log, unless it comes with parameters, and generates
 * `replications` workloads of as many jobs as the log has. Each workload is compared with the log.
 * Candidates are ranked by loom_scorecard_overall, so a model gains nothing by omitting features of
 * the log. With `response`, the scheduling response of each workload is one more part of that
 * score, with the weight of any other part; a workload that cannot be simulated has 0 in it. A
 * candidate that cannot be fitted or cannot generate comes last, with the reason.
 */
#ifndef WORKLOOM_EXPERIMENT_RANKING_H
#define WORKLOOM_EXPERIMENT_RANKING_H

#include <workloom/experiment_response.h>
#include <workloom/features.h>
#include <workloom/models.h>

#ifdef __cplusplus
extern "C" {
#endif

struct loom_candidate {
    const char *label; /* name in the ranking */
    const struct loom_model_info *info;
    const char *variant;              /* settings that differ from the defaults; NULL: none */
    const struct loom_params *params; /* for fitting; NULL if the model has none */
    const struct loom_model *model;   /* a fitted model; NULL: fit it */
};

struct loom_ranking_options {
    const struct loom_candidate *candidates; /* borrowed for the life of the ranking */
    size_t n;
    size_t replications; /* at least 1 */
    uint64_t seed;
    double load;                     /* of the workloads; 0: that which each model generates */
    const struct loom_trace *fit_to; /* what models are fitted to; NULL: the trace compared with */
    bool response;                   /* score the scheduling response too */
};

struct loom_ranking_entry {
    const char *label;
    const struct loom_model_info *info;
    const char *variant;               /* as in the candidate */
    const struct loom_scorecard *card; /* NULL: failed, see reason */
    struct loom_spread overall;        /* loom_scorecard_overall, with the response if scored */
    bool has_response;                 /* of the log it could be measured, and was asked for */
    struct loom_spread response_score; /* if has_response */
    struct loom_response response;     /* means over workloads that could be simulated */
    const char *reason;                /* why card is NULL */
};

struct loom_ranking;

/* Split a trace by submit time: *rest has the jobs of the last `fraction` of its time, between 0
 * and 1, and *fit those before, and those without a known submit time. The caller must destroy
 * both. LOOM_EDATA if one has fewer than two jobs. */
LOOM_API int loom_hold_out(struct loom_trace **fit, struct loom_trace **rest,
                           const struct loom_trace *trace, double fraction, struct loom_error *err);

/* Fit, generate and compare all candidates, and create the ranking in *out. trace is the one that
 * the reference was made from; both must outlive the ranking. Workloads are generated and compared
 * in parallel on the pool (NULL: the calling thread). progress, which may be NULL, counts
 * candidates fitted and workloads compared: n * (1 + replications) in all. The caller must destroy
 * the ranking. Fails with LOOM_ERANGE if replications is 0, and with LOOM_ENOMEM; a candidate that
 * fails does not fail the ranking. */
LOOM_API int loom_ranking_create(struct loom_ranking **out, const struct loom_reference *reference,
                                 const struct loom_trace *trace,
                                 const struct loom_ranking_options *options, struct loom_pool *pool,
                                 struct loom_progress *progress, struct loom_error *err);
/* Return the scheduling response of the trace compared with; NULL if it was not asked for or cannot
 * be measured, then *reason, which may be NULL, is why, or NULL. Borrowed. */
LOOM_API const struct loom_response *loom_ranking_response(const struct loom_ranking *ranking,
                                                           const char **reason);
/* Destroy a ranking; NULL is allowed. */
LOOM_API void loom_ranking_destroy(struct loom_ranking *ranking);
/* Store the entry at an index in *out, best first. Returns false past the last. Pointers in it are
 * valid as long as the ranking. */
LOOM_API bool loom_ranking_at(const struct loom_ranking *ranking, size_t index,
                              struct loom_ranking_entry *out);
/* Generate again, in *out, the workload of a replication of the entry at an index. The caller must
 * destroy it. Fails with LOOM_EUSAGE if there is no such entry or it was not fitted. */
LOOM_API int loom_ranking_generate(struct loom_trace **out, const struct loom_ranking *ranking,
                                   size_t index, size_t replication, struct loom_pool *pool,
                                   struct loom_error *err);

#ifdef __cplusplus
}
#endif
#endif

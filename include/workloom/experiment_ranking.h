/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiment_ranking.h - which model is nearest to a log: fitted, generated and compared many
 * times. */
#ifndef WORKLOOM_EXPERIMENT_RANKING_H
#define WORKLOOM_EXPERIMENT_RANKING_H

#include <workloom/features.h>
#include <workloom/models.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- which model is nearest to a log --------------------------------------------------------- */

/* Each candidate is fitted to the log, unless it comes with its parameters, weaves `replications`
 * workloads of as many jobs as the log has, and each of these is compared with the log. Candidates
 * are ranked by loom_scorecard_overall, so that a model does not gain by leaving out what the log
 * knows. One that cannot be fitted, or cannot weave, comes last with the reason. */

struct loom_candidate {
    const char *label; /* what the ranking calls it */
    const struct loom_model_info *info;
    const char *variant; /* the settings by which it is not the model as it is; NULL if none */
    const struct loom_params *params; /* of fitting; NULL where the model has none */
    const struct loom_model *model;   /* NULL: to be fitted */
};

struct loom_ranking_options {
    const struct loom_candidate *candidates; /* borrowed for the life of the ranking */
    size_t n;
    size_t replications; /* at least 1 */
    uint64_t seed;
    double load; /* that workloads are made at; 0: what the models have by themselves */
};

struct loom_ranking_entry {
    const char *label;
    const struct loom_model_info *info;
    const char *variant;               /* NULL if it is none */
    const struct loom_scorecard *card; /* NULL if there is none */
    struct loom_spread overall;        /* loom_scorecard_overall */
    const char *reason;                /* why there is no card */
};

struct loom_ranking;

/* trace is the one the reference was made from; both are borrowed. Workloads are woven and compared
 * side by side on the pool. progress, which may be NULL, counts candidates fitted and workloads
 * compared: n times (1 + replications). */
LOOM_API int loom_ranking_create(struct loom_ranking **out, const struct loom_reference *reference,
                                 const struct loom_trace *trace,
                                 const struct loom_ranking_options *options, struct loom_pool *pool,
                                 struct loom_progress *progress, struct loom_error *err);
LOOM_API void loom_ranking_destroy(struct loom_ranking *ranking);
/* Best first; false past the last. */
LOOM_API bool loom_ranking_at(const struct loom_ranking *ranking, size_t index,
                              struct loom_ranking_entry *out);
/* Weave a workload of an entry with a card once more, for figures. */
LOOM_API int loom_ranking_weave(struct loom_trace **out, const struct loom_ranking *ranking,
                                size_t index, size_t replication, struct loom_pool *pool,
                                struct loom_error *err);

#ifdef __cplusplus
}
#endif
#endif

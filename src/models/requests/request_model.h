/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * request_model.h - requested times as people give them: few round values, which many jobs share.
 *
 * Fitted to a log, applied to the jobs of any model. The most popular values are the heads; all
 * others are the tail, and lie in the segments between heads. Classes of runtime are cut at the
 * heads, so that whether a head is enough for a job does not depend on where in its class the job
 * is. For each class of runtime and of size there are shares of all places: the heads, and the
 * segments, of which the one that the runtime itself lies in counts twice, for values below the
 * runtime and for values that are enough. By order of value that is
 *
 *     segment 0, head 0, segment 1, head 1, ..., segment `heads`
 *
 * with 2 * heads + 2 places in all.
 *
 * People ask for the same again. A bundle is what one user submits in one go (same processors,
 * group, queue and executable, each job at most 100 s after the one before). Most bundles are
 * whole: all jobs ask for the same, which is settled for the longest of them. In the others, each
 * job keeps to the request before it with probability keep_in_bundle. From one bundle to the user's
 * next, the request is to be kept with a probability that depends on whether it is of the same size
 * (keep_same, keep_other). Else it is one of the user's own values, or with probability novelty
 * any. All that is only as far as the shares of the class still allow (requests/quota.h). Tail
 * values are drawn without replacement (requests/sampler.h).
 */
#ifndef LOOM_MODELS_REQUESTS_REQUEST_MODEL_H
#define LOOM_MODELS_REQUESTS_REQUEST_MODEL_H

#include "base/civil.h"
#include "models/model.h"

#include <workloom/users.h>

struct loom_request_model {
    int64_t procs;                        /* of the machine of the log */
    double whole_bundles, keep_in_bundle; /* see above */
    double keep_same, keep_other;
    double novelty;         /* of requests that are not kept: how many are new */
    double known;           /* share of jobs that have a requested time */
    double unknown_stretch; /* jobs without one come in stretches of so many, on average */
    size_t heads, tails, sizes;
    int64_t *head_s;      /* ascending */
    int64_t *tail_s;      /* ascending */
    double *tail_weights; /* popularity of each tail value: jobs that ask for it */
    double *tail_users;   /* how many users take it up */
    double *tail_turns;   /* and how often each of them turns to it, on average */
    int32_t *size_from;   /* ascending, the first is 1: smallest size of each class */
    /* Sizes x (heads + 1) rows of 2 * heads + 2: how many jobs of the log were there (NULL: none),
     * and the shares that follow from it. What users keep takes more of some places than their
     * shares say, and less is left for others; so jobs that have users are offered other shares,
     * such that the log's come of them. */
    int64_t **jobs, **offered;
    double **shares, **offers;
};

/* LOOM_EDATA where fewer than 50 jobs have a runtime, a size and a requested time; the model is
 * then empty, and need not be cleared. */
int loom_request_model_fit(struct loom_request_model *out, const struct loom_training *log,
                           struct loom_error *err);
/* Make the shares, and those offered to users, of a model that has all else but these and the
 * probabilities; or make them again. */
int loom_request_model_settle(struct loom_request_model *model, struct loom_error *err);
struct loom_request_log;
/* Set what is offered, novelty and what is kept, so that the log's users ask for each place as
 * often as in the log, have as many values, and ask as before as often. */
int loom_request_model_tune(struct loom_request_model *model, const struct loom_training *log,
                            const struct loom_request_log *asked, struct loom_error *err);
loom_describe_fn
    loom_request_model_describe; /* state: a struct loom_request_model, zeros to read */
/* Put the draft in order, which has at most UINT32_MAX jobs, and fill request_s of all that have a
 * runtime and a size. */
int loom_request_model_apply(const struct loom_request_model *model,
                             struct loom_generation *generation, struct loom_error *err);
/* Take from the log which share of jobs has a requested time (known.c). */
void loom_request_known_fit(struct loom_request_model *model, const struct loom_workload *jobs);
/* Take requested times away from that share of the jobs of a draft, which is in order. */
void loom_request_known_apply(const struct loom_request_model *model,
                              struct loom_generation *generation);
void loom_request_model_clear(struct loom_request_model *model);

/* ---- shared by fitting and applying ---------------------------------------------------------- */

/* The jobs of a log or of a draft; columns that do not exist are NULL. */
struct loom_requests {
    size_t n;
    const int64_t *submit_s, *run_s;
    const int32_t *procs, *user, *group, *executable, *queue;
};

/* Copy the jobs of a log to an empty draft, without their requested times. The caller must free the
 * draft, also after a failure. */
int loom_requests_draft(struct loom_draft *draft, const struct loom_workload *jobs,
                        struct loom_error *err);

static inline bool loom_request_same(const int32_t *column, uint32_t a, uint32_t b)
{
    return !column || column[a] == column[b];
}

/* May job b belong to the bundle that its user's job before it, a, is in? */
static inline bool loom_requests_follow(const struct loom_requests *jobs, uint32_t a, uint32_t b)
{
    int64_t latest_s = loom_saturated_add(jobs->submit_s[a], LOOM_BAG_DELTA_S);
    return jobs->submit_s[b] <= latest_s && loom_request_same(jobs->procs, a, b) &&
           loom_request_same(jobs->group, a, b) && loom_request_same(jobs->executable, a, b) &&
           loom_request_same(jobs->queue, a, b);
}

size_t loom_request_model_places(const struct loom_request_model *model);
size_t loom_request_model_size_class(const struct loom_request_model *model, int32_t procs);
size_t loom_request_model_run_class(const struct loom_request_model *model, int64_t run_s);
/* The place of a requested time, for a job of that runtime. */
size_t loom_request_model_place(const struct loom_request_model *model, int64_t run_s,
                                int64_t request_s);

#endif

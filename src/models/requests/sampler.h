/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * requests/sampler.h - draws requested times from the modal model.
 *
 * Most tail values are rare, and independent draws would miss many of them. So tail values are
 * drawn without replacement: each has as many copies as users took it up in the log (or, where jobs
 * have no users, as jobs asked for it). When the copies of a segment are used up, it is refilled. A
 * user may come back to a tail value some times, on average as often as `tail_turns` says.
 */
#ifndef LOOM_MODELS_REQUESTS_SAMPLER_H
#define LOOM_MODELS_REQUESTS_SAMPLER_H

#include "models/requests/request_model.h"

#include <gsl/gsl_randist.h>

/* Indices of tail values: from .. to - 1. */
struct loom_tail_range {
    size_t from, to;
};

struct loom_segment {
    struct loom_tail_range tails;
    int64_t left; /* copies that are not used yet */
};

struct loom_request_sampler {
    const struct loom_request_model *model;
    const struct loom_generation *generation;
    size_t rows;
    gsl_ran_discrete_t **places; /* by row: alias table of the shares of its places */
    const double *copies;        /* of each tail value */
    double *roots;               /* running sums of the roots of copies: tails + 1 */
    int32_t *left;               /* copies not used yet; below 0 if used ahead of a refill */
    double *inverse_log; /* of the chance that a user comes back once more; 0: nobody does */
    struct loom_segment *segments; /* heads + 1 */
};

/* The sampler keeps pointers to model and generation. It must be freed also after a failure. */
int loom_request_sampler_init(struct loom_request_sampler *sampler,
                              const struct loom_request_model *model,
                              const struct loom_generation *generation, struct loom_error *err);
void loom_request_sampler_free(struct loom_request_sampler *sampler);

/* A job, as far as its request depends on it. */
struct loom_request_job {
    size_t row, run; /* of the model: shares, and class of runtime */
    int64_t run_s;
};

struct loom_request_job loom_request_job(const struct loom_request_sampler *sampler, int32_t procs,
                                         int64_t run_s);

/* A requested time, which head or segment it is of (2 * segment, or 2 * head + 1), and which of the
 * tail values it is. */
struct loom_request_value {
    int64_t s;
    uint32_t slot, tail;
};

#define LOOM_NO_TAIL UINT32_MAX

/* Draw a place by the shares of jobs like this one, and a requested time of that place. */
size_t loom_request_draw_place(const struct loom_request_sampler *sampler,
                               struct loom_request_job job, struct loom_stream *stream);
struct loom_request_value loom_request_draw_value(const struct loom_request_sampler *sampler,
                                                  struct loom_request_job job, size_t place,
                                                  struct loom_stream *stream);

/* Return a copy of a tail value that is not used; does nothing for other values. */
void loom_request_put_back(const struct loom_request_sampler *sampler,
                           struct loom_request_value value);

/* Draw how often a user may come back to a value: UINT32_MAX unless it is a tail value. */
uint32_t loom_request_draw_turns(const struct loom_request_sampler *sampler, uint32_t tail,
                                 struct loom_stream *stream);

/* Return the place that a value has for a job: values from the runtime on are enough. */
static inline size_t loom_request_place(struct loom_request_job job,
                                        struct loom_request_value value)
{
    return value.slot + (value.s >= job.run_s);
}

/* Is a request of that place enough? */
static inline bool loom_request_enough(struct loom_request_job job, size_t place)
{
    return place > 2 * job.run;
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * experience.h - the experience base of predictors that look for similar jobs: the jobs that have
 * ended, among the last N submitted.
 *
 * Jobs that agree in all attributes that a search looks at are one kind: the numeric ones, and the
 * nominal ones of `distinguished` and the template. Users repeat themselves, so there are far fewer
 * kinds than jobs, and a search compares a job with the kinds, not with the jobs. Kinds of which
 * no job is left in the largest window are dropped from the searches until one ends again.
 *
 * A category has the kinds that agree in the attributes of the template; with an empty template
 * there is one. A zeroed struct is an empty base; set `most`, the template and `distinguished`
 * before its first job.
 */
#ifndef LOOM_PREDICT_EXPERIENCE_H
#define LOOM_PREDICT_EXPERIENCE_H

#include "base/map.h"
#include "predict/by_job.h"

/* Nominal attributes, as flags of a template, and as indices. */
enum loom_nominal { LOOM_BY_USER, LOOM_BY_GROUP, LOOM_BY_QUEUE, LOOM_BY_EXECUTABLE };
enum { LOOM_NOMINALS = 4 };
/* Numeric attributes. */
enum loom_numeric { LOOM_BY_PROCS, LOOM_BY_REQUEST, LOOM_BY_MEMORY };
enum { LOOM_NUMERICS = 3 };

/* The attributes of a job. Unknown numbers are -1. */
struct loom_traits {
    uint32_t origin;
    int32_t nominal[LOOM_NOMINALS];
    double numeric[LOOM_NUMERICS];
};

struct loom_past_job {
    int64_t sequence; /* of its submission */
    int64_t run_s;
};

struct loom_past_kind {
    struct loom_traits traits;
    double scaled[LOOM_NUMERICS]; /* to [0, 1], by the ranges known at `scaled_at` */
    double length;                /* of scaled */
    uint64_t scaled_at;
    struct loom_past_job *jobs; /* ended ones, by sequence; those before `first` are forgotten */
    size_t first, n, capacity;
    bool listed; /* in its category */
};

struct loom_job_category {
    uint32_t *kinds;
    size_t n, capacity;
};

struct loom_experience {
    unsigned template, distinguished; /* flags 1 << enum loom_nominal */
    int64_t most;                     /* the largest window */
    int64_t submitted;                /* so far: the next sequence */
    struct loom_by_job sequences;
    double least[LOOM_NUMERICS], greatest[LOOM_NUMERICS]; /* of the jobs so far */
    uint64_t rescaled;                                    /* counts changes of these ranges */
    struct loom_map numbers, names; /* interned numbers, and tuples of attributes */
    struct loom_map kind_of, category_of;
    struct loom_past_kind *kinds;
    size_t n_kinds, kinds_capacity;
    struct loom_job_category *categories;
    size_t n_categories, categories_capacity;
};

struct loom_neighbour {
    double likeness; /* the larger, the more similar */
    int64_t sequence;
    int64_t run_s;
    const struct loom_past_kind *kind; /* valid until the base next changes */
};

/* How similar a kind is to a job whose traits are scaled alike. */
typedef double loom_likeness_fn(const void *context, const struct loom_past_kind *job,
                                const struct loom_past_kind *kind);

/* Widen the ranges of numeric attributes by a job's, as its submission does. */
void loom_experience_widen(struct loom_experience *base, const struct loom_job_view *job);
/* Note a job that is being submitted. LOOM_ENOMEM. */
int loom_experience_submit(struct loom_experience *base, const struct loom_job_view *job,
                           struct loom_error *err);
/* Add a job that has ended. LOOM_ENOMEM. */
int loom_experience_end(struct loom_experience *base, const struct loom_job_view *job,
                        int64_t run_s, struct loom_error *err);
/* Find the k most similar of the ended jobs among the last `window` submitted before the one being
 * submitted, in its category; of equally similar ones the most recently submitted. Fills out, the
 * most similar first, and returns how many there are. Call it after loom_experience_submit. */
size_t loom_experience_nearest(struct loom_neighbour *out, size_t k, struct loom_experience *base,
                               const struct loom_job_view *job, int64_t window,
                               loom_likeness_fn *likeness, const void *context);
/* Return what the base sees of a job: its traits, scaled. It has no jobs. */
struct loom_past_kind loom_experience_kind(const struct loom_experience *base,
                                           const struct loom_job_view *job);
void loom_experience_free(struct loom_experience *base);

#endif

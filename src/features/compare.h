/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * compare.h - internal interface of comparisons. Each file is one step:
 *
 *     samples.c    the distributions of a trace, sorted
 *     resample.c   new traces from blocks of weeks of one, and the sampling errors they show
 *     scored.c     which features count, to which part, and how distance becomes closeness
 *     compare.c    a reference, and one trace against it
 *     scorecard.c  many traces against it
 */
#ifndef LOOM_FEATURES_COMPARE_H
#define LOOM_FEATURES_COMPARE_H

#include "features/family.h"

/* ---- distributions (samples.c) --------------------------------------------------------------- */

struct loom_sorted_sample {
    double *sorted;
    size_t n; /* 0 if the trace has no such values */
};

struct loom_samples {
    struct loom_sorted_sample of[LOOM_DISTRIBUTIONS];
};

/* definitions must be filled in (loom_features_definitions). */
int loom_samples_create(struct loom_samples *out, const struct loom_trace *trace,
                        const struct loom_definitions *definitions, struct loom_error *err);
void loom_samples_free(struct loom_samples *samples);

/* ---- sampling errors (resample.c) ------------------------------------------------------------ */

/* Root mean squares of distances between two logs of a machine; weighted_gap is for (F - G) /
 * sqrt(H (1 - H)), the size-free form of Anderson-Darling's distance. NAN if unknown, and all but
 * ks NAN for distributions that are scored by ks alone. */
struct loom_noise {
    double ks, wasserstein, weighted_gap;
};

struct loom_sampling {
    struct loom_blocks blocks;
    double *errors; /* by feature: standard error of its value; NAN if unknown */
    struct loom_noise noise[LOOM_DISTRIBUTIONS]; /* of a sample against the whole of its kind */
};

int loom_sampling_create(struct loom_sampling *out, const struct loom_trace *trace,
                         const struct loom_samples *samples, size_t n_features,
                         const struct loom_reference_options *options, struct loom_pool *pool,
                         struct loom_progress *progress, struct loom_error *err);
void loom_sampling_free(struct loom_sampling *sampling);

/* Anderson-Darling's statistic without what it owes to the sizes of the samples. */
double loom_weighted_gap(double anderson_darling, size_t n, size_t m);

/* ---- scoring (scored.c) ---------------------------------------------------------------------- */

/* The part that a feature or distribution counts for, or -1. */
int loom_part_of_feature(const char *key);
int loom_part_of_distribution(size_t index);

/* Return whether a distribution is about when users come and go. Resamples do not keep that: its
 * scale assumes independent users, and only Kolmogorov-Smirnov's distance is scored. */
bool loom_is_presence(size_t index);

/* Why there is nothing to compare of a feature, or NULL. A share of jobs that know something, being
 * 0, is known and nothing to compare: a trace without requested times lacks all that is about them.
 */
const char *loom_lacking(const struct loom_feature *feature);

/* 1 at 0, 1/2 at 3. */
double loom_closeness(double distance);
/* The distance of a closeness: of a single number its own, without the sign, and of a mean over
 * several what they come to together. */
double loom_distance_of(double closeness);

/* The scale on which a difference of two numbers is seen: its sampling error, but at least a
 * hundredth of the larger one; a tenth of it where no error is known. 0 only for two zeros. */
double loom_scale(double a, double b, double error);

/* ---- one trace against the reference (compare.c) --------------------------------------------- */

struct loom_reference {
    const struct loom_trace *trace;
    struct loom_features *features;
    struct loom_samples samples;
    struct loom_sampling sampling;
    double span_s;
};

/* A feature or distribution of one trace against the reference. */
struct loom_difference {
    bool known; /* in both */
    const char *reason;
    double b; /* value, or median; known too where only this trace knows it */
    double error, scale, distance, closeness;
    struct loom_apart apart; /* of a distribution */
};

struct loom_comparison {
    const struct loom_reference *reference;
    struct loom_features *features;
    struct loom_difference *differences; /* features, then distributions */
    size_t n;
    double score, overall, coverage;
};

/* Mean closeness of a part over what is known; false if nothing is. */
bool loom_comparison_part(const struct loom_comparison *comparison, int part, double *score);
/* What line i of every comparison is about. */
const struct loom_feature_info *loom_line_info(const struct loom_reference *reference, size_t i);
int loom_line_part(const struct loom_reference *reference, size_t i);
bool loom_line_known(const struct loom_reference *reference, size_t i);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bootstrap.h - intervals and tests by resampling. Levels and rounds are checked by the caller. */
#ifndef LOOM_STATS_BOOTSTRAP_H
#define LOOM_STATS_BOOTSTRAP_H

#include <workloom/stats_intervals.h>

struct loom_bootstrap {
    double level;
    uint32_t rounds;
    uint64_t seed;
    bool covers_t; /* studentized ones are on no side narrower than Student's */
};

/* Complete options for n values: level, rounds, and Student's t where the default method has too
 * few. LOOM_ERANGE if they are out of range. */
int loom_interval_settle(struct loom_interval_options *out,
                         const struct loom_interval_options *options, size_t n,
                         struct loom_error *err);

/* Percentile interval of the mean. */
int loom_bootstrap_mean(struct loom_interval *out, const double *x, size_t n,
                        struct loom_bootstrap options, struct loom_error *err);
/* Studentized interval of the mean, and the p value of a mean of 0; out or p may be NULL.
 * LOOM_EDATA if too many resamples do not vary. */
int loom_bootstrap_t_mean(struct loom_interval *out, double *p, const double *x, size_t n,
                          struct loom_bootstrap options, struct loom_error *err);
/* Percentile and studentized interval of a ratio of means, both positive. */
int loom_bootstrap_ratio(struct loom_interval *out, const double *a, const double *b, size_t n,
                         struct loom_bootstrap options, struct loom_error *err);
int loom_bootstrap_t_ratio(struct loom_interval *out, const double *a, const double *b, size_t n,
                           struct loom_bootstrap options, struct loom_error *err);
/* Studentized interval of a ratio of means, both positive, that has 1 if and only if has_1: whether
 * loom_bootstrap_t_mean() of a - b includes 0. Its high end is INFINITY where it is beyond all use.
 */
int loom_bootstrap_t_relative(struct loom_interval *out, const double *a, const double *b, size_t n,
                              bool has_1, struct loom_bootstrap options, struct loom_error *err);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stats_intervals.h - uncertainty of results of repeated runs.
 *
 * Two kinds of uncertainty are kept apart. The interval of a mean is its Monte Carlo error: it
 * shrinks as replications are added. The spread over replications is what one more of them may
 * bring: it does not shrink. loom_mean_interval() and its relatives give the first,
 * loom_variation() the second.
 *
 * Values are arrays of doubles, one a replication; all must be finite. Bootstraps draw from streams
 * keyed by the seed alone: equal arguments give equal results. Unless stated otherwise functions
 * fail with LOOM_EDATA for too few values or one that is not finite, LOOM_ERANGE for a level or a
 * number out of range, LOOM_ENOMEM.
 */
#ifndef WORKLOOM_STATS_INTERVALS_H
#define WORKLOOM_STATS_INTERVALS_H

#include <workloom/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- intervals of means and ratios ----------------------------------------------------------- */

struct loom_interval {
    double estimate, low, high;
};

enum loom_interval_method {
    LOOM_INTERVAL_AUTO,        /* bootstrap-t from 10 values on where it exists, else t */
    LOOM_INTERVAL_T,           /* Student's t; for a ratio, Fieller's theorem */
    LOOM_INTERVAL_BOOTSTRAP,   /* percentiles of the bootstrap */
    LOOM_INTERVAL_BOOTSTRAP_T, /* studentized bootstrap: better for skewed values */
};

/* All zero is the default. */
struct loom_interval_options {
    enum loom_interval_method method;
    double level;    /* 0: 0.95 */
    uint32_t rounds; /* resamples of the bootstrap, at least 100; 0: 2000 */
    uint64_t seed;
};

/* Return the half width of the t interval of a mean of n >= 2 values with standard deviation sd, at
 * a level in (0, 1). */
LOOM_API double loom_t_half_width(double sd, double n, double level);

/* Compute the interval of the mean of n >= 2 values. options may be NULL. LOOM_EDATA also if the
 * bootstrap-t was asked for and too few values differ. */
LOOM_API int loom_mean_interval(struct loom_interval *out, const double *x, size_t n,
                                const struct loom_interval_options *options,
                                struct loom_error *err);

/* Compute the two-sided p value of the hypothesis that the mean of n >= 2 values is 0, by the test
 * that belongs to the interval. The percentile bootstrap has none; the t test takes its place. */
LOOM_API int loom_mean_test(double *p, const double *x, size_t n,
                            const struct loom_interval_options *options, struct loom_error *err);

/* Compute the interval of mean(a) / mean(b) over n >= 2 pairs. Both means must be positive. The
 * bootstrap-t is on the logarithm of the ratio. If a / b is the same in all pairs, as for constant
 * values, the interval is that one point, to rounding. LOOM_EDATA also where the mean of b cannot
 * be distinguished from 0, so that the interval has no end, or if the bootstrap-t was asked for and
 * too few ratios a / b differ. */
LOOM_API int loom_ratio_interval(struct loom_interval *out, const double *a, const double *b,
                                 size_t n, const struct loom_interval_options *options,
                                 struct loom_error *err);

/* Difference and ratio of two paired means, which agree: 1 is in the interval of the ratio if and
 * only if 0 is in the interval of the difference. */
struct loom_pair_interval {
    struct loom_interval difference; /* mean(a) - mean(b) */
    bool has_ratio;
    struct loom_interval ratio; /* mean(a) / mean(b) */
};

/* Compute the intervals of the difference and the ratio of the means of n >= 2 pairs by one method:
 * the interval of the ratio has all r for which the interval of mean(a - r b) includes 0. The
 * default is the bootstrap-t from 10 pairs on where it exists, but on no side narrower than t:
 * differences may have long tails on both sides, where the bootstrap-t alone is too narrow. There
 * is no ratio where a mean is not positive, or its interval has no end below 100; it begins at 0 at
 * the least. The percentile bootstrap has the percentiles of both. */
LOOM_API int loom_pair_interval(struct loom_pair_interval *out, const double *a, const double *b,
                                size_t n, const struct loom_interval_options *options,
                                struct loom_error *err);

/* Compute the two-sided p value of the hypothesis that the means of n >= 2 pairs are equal, by the
 * test that belongs to the interval of their difference. */
LOOM_API int loom_pair_test(double *p, const double *a, const double *b, size_t n,
                            const struct loom_interval_options *options, struct loom_error *err);

/* Compute Wilson's interval of a share: hits of n >= 1 trials; hits may be a half where ties count
 * as such. level 0: 0.95. */
LOOM_API int loom_share_interval(struct loom_interval *out, double hits, size_t n, double level,
                                 struct loom_error *err);

/* ---- spread over replications ---------------------------------------------------------------- */

/* Spread of values over replications or variants of a log; it does not shrink with their number. */
struct loom_variation {
    size_t n;
    double mean, sd; /* sd is 0 for one value */
    double min, p5, p25, median, p75, p95, max;
};

/* Compute the spread of n >= 1 values. */
LOOM_API int loom_variation(struct loom_variation *out, const double *x, size_t n,
                            struct loom_error *err);

/* Compute the share of n >= 1 pairs in which a is below b, with its Wilson interval; equal pairs
 * count half. level 0: 0.95. */
LOOM_API int loom_share_below(struct loom_interval *out, const double *a, const double *b, size_t n,
                              double level, struct loom_error *err);

/* ---- several compared ------------------------------------------------------------------------ */

/* Store n p values adjusted for their number by Holm's method; out may be p. LOOM_ERANGE if one is
 * not in [0, 1]. */
LOOM_API int loom_holm(double *out, const double *p, size_t n, struct loom_error *err);

/* Store for each of k alternatives the probability that its mean is the best, over draws of all
 * means from their multivariate t distribution. values[i] has the n >= 2 values of alternative i;
 * the best is the lowest, or the highest if `highest`. Ties are shared. options may be NULL; of
 * them rounds and seed count. */
LOOM_API int loom_best_probabilities(double *out, const double *const *values, size_t k, size_t n,
                                     bool highest, const struct loom_interval_options *options,
                                     struct loom_error *err);

/* ---- how many replications ------------------------------------------------------------------- */

/* Return the power of the two-sided t test of n >= 2 differences with standard deviation sd to show
 * a true mean difference, at a level in (0, 1). */
LOOM_API double loom_t_power(double difference, double sd, size_t n, double level);

/* Find the least number of paired replications that shows a true mean difference with probability
 * `power`, given the standard deviation of the differences. level 0: 0.95; power 0: 0.8.
 * LOOM_ERANGE if the difference is 0, or more than 10^9 would be needed. */
LOOM_API int loom_replications_needed(size_t *out, double difference, double sd, double level,
                                      double power, struct loom_error *err);

/* When to stop adding replications: as soon as the half width of the t interval is at most
 * `relative` of the mean. The half width is compared with relative / (1 + relative) of the
 * estimate, so that the error relative to the true mean is at most `relative` (Law). */
struct loom_stop_rule {
    double relative; /* 0.05: 5 % */
    double level;    /* 0: 0.95 */
    size_t least;    /* replications before the first look, at least 2; 0: 10 */
};

/* State of a stop rule for some values. */
struct loom_stop_state {
    bool reached;
    double mean, half;   /* half is 0 where n < 2 */
    size_t replications; /* estimate of how many are needed in all; n if reached */
};

/* Apply a stop rule to n values. Values that do not vary count as reached from rule->least on; a
 * mean of 0 otherwise never is. LOOM_ERANGE for relative not in (0, 1) or a rule out of range. */
LOOM_API int loom_stop_check(struct loom_stop_state *out, const double *x, size_t n,
                             const struct loom_stop_rule *rule, struct loom_error *err);

/* ---- within one long run --------------------------------------------------------------------- */

struct loom_batch_means {
    struct loom_interval mean;
    size_t batches, size; /* size: values a batch */
    size_t used;          /* batches * size; values left over at the start are not used */
    double correlation;   /* of successive batches, lag 1: near 0 if batches are long enough */
    bool independent;     /* whether von Neumann's test does not reject that, at 5 % */
};

/* Compute the interval of the mean of a stationary series from the means of `batches` (0: 20)
 * successive batches. level 0: 0.95. LOOM_EDATA if there are fewer than 2 values a batch. */
LOOM_API int loom_batch_means(struct loom_batch_means *out, const double *x, size_t n,
                              size_t batches, double level, struct loom_error *err);

struct loom_warmup {
    size_t cut;     /* values to leave out at the start; a multiple of 5 */
    double mser;    /* the statistic at the cut */
    bool too_short; /* a cut in the second half would be better: lengthen the run */
};

/* Find the warm-up of a series of n >= 50 values by MSER-5: the cut that minimises the squared
 * standard error of the mean of the rest, over means of 5 values, in the first half. */
LOOM_API int loom_mser5(struct loom_warmup *out, const double *x, size_t n, struct loom_error *err);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stats.h - the statistics of workload studies, usable on any sample.
 *
 * Samples are arrays of doubles. Results are never NaN unless documented: a statistic that is not
 * defined for a sample (the deviation of one value, a correlation with a constant) fails with
 * LOOM_EDATA and a message that says why. Functions do not change their input; they sort and
 * transform copies.
 *
 * A distribution is a const table of functions (struct loom_dist_ops) and a vector of parameters.
 * Fitting is by maximum likelihood, weighted where weights are given, and says whether it
 * converged.
 */
#ifndef WORKLOOM_STATS_H
#define WORKLOOM_STATS_H

#include <workloom/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- description ----------------------------------------------------------------------------- */

struct loom_moments {
    size_t n;
    double mean, sd, cv;       /* sd with n - 1; cv = sd / mean. 0 if n < 2 or mean is 0 */
    double skewness, kurtosis; /* g1, and g2 (0 for a normal); 0 if sd is 0 */
    double min, median, max;
    double sum;
};

/* Compute the moments of n >= 1 finite values. LOOM_EDATA if there are none or one is not finite,
 * LOOM_ERANGE if they are too large to be added up. */
LOOM_API int loom_moments(struct loom_moments *out, const double *x, size_t n,
                          struct loom_error *err);

/* Sort x in place, ascending, in O(n) passes over the digits. NaN must not occur. Fails only if
 * memory is out. */
LOOM_API int loom_sort(double *x, size_t n, struct loom_error *err);

/* Return the quantile of a sorted sample by linear interpolation (type 7 of Hyndman and Fan), for 0
 * <= p <= 1. NAN if n is 0. */
LOOM_API double loom_quantile(const double *sorted, size_t n, double p);

/* Store the empirical distribution of a sorted sample: the different values in ascending order, and
 * for each the share of the sample that is at most that value. Both arrays hold n entries; returns
 * the number used. The survival function P(X > v) is 1 - share. */
LOOM_API size_t loom_ecdf(const double *sorted, size_t n, double *values, double *shares);

/* Counts of values by bins; loom_histogram_free frees its arrays. */
struct loom_histogram {
    size_t bins;
    double *edges;  /* bins + 1 */
    double *counts; /* bins */
};

/* Count values in equal bins over [low, high]; values outside are not counted. The caller must free
 * *out with loom_histogram_free. LOOM_ERANGE for an empty range or a number of bins out of bounds.
 */
LOOM_API int loom_histogram_linear(struct loom_histogram *out, const double *x, size_t n,
                                   double low, double high, size_t bins, struct loom_error *err);

/* Count the positive values in bins equal in the logarithm, per_decade of them a decade; edges lie
 * at whole multiples of a bin from 1. The caller must free *out with loom_histogram_free.
 * LOOM_EDATA if no value is positive, LOOM_ERANGE for a per_decade out of bounds. */
LOOM_API int loom_histogram_log(struct loom_histogram *out, const double *x, size_t n,
                                double per_decade, struct loom_error *err);

/* Free the arrays of a histogram; one that is all zero is allowed. */
LOOM_API void loom_histogram_free(struct loom_histogram *histogram);

/* Store the ranks of n values, from 1; ties get their average. out holds n entries. */
LOOM_API int loom_ranks(double *out, const double *x, size_t n, struct loom_error *err);

/* Compute Pearson's correlation of n pairs. LOOM_EDATA if there are fewer than two, or one side
 * does not vary. */
LOOM_API int loom_pearson(double *out, const double *x, const double *y, size_t n,
                          struct loom_error *err);

/* Compute Spearman's rank correlation of n pairs. Fails as loom_pearson does. */
LOOM_API int loom_spearman(double *out, const double *x, const double *y, size_t n,
                           struct loom_error *err);

/* Compute the autocorrelation at lags 0 .. max_lag (max_lag + 1 entries of out), by FFT: the sum of
 * products of deviations over n times the variance (thesis eq. 2.1). LOOM_EDATA if max_lag is not
 * below n or the values do not vary. */
LOOM_API int loom_acf(double *out, const double *x, size_t n, size_t max_lag,
                      struct loom_error *err);

/* Compute the entropy of non-negative weights, divided by the log of their number: 1 is even, 0 all
 * in one. n counts zeros too. LOOM_EDATA if it is below 2 or all weights are 0. */
LOOM_API int loom_entropy(double *out, const double *weights, size_t n, struct loom_error *err);

/* ---- distributions --------------------------------------------------------------------------- */

enum { LOOM_DIST_PARAMS = 64 };

struct loom_dist_ops;

/* A distribution with its parameters. */
struct loom_dist {
    const struct loom_dist_ops *ops;
    size_t n_params;
    double params[LOOM_DIST_PARAMS];
};

struct loom_fit {
    struct loom_dist dist;
    double weight;         /* sum of the weights of the values used */
    double log_likelihood; /* sum of weights times log densities, over the values used */
    double aic, bic;       /* with the number of free parameters, and weight as n */
    size_t free_params;
    int iterations;
    bool converged;
    char note[160]; /* what a user should know, such as "3 zeros were left out"; "" if nothing */
};

/* A mixture draws a component by its weight, then a value from it. Its parameters are first
 * `shared` ones that all components have in common, then for each component its weight and its own.
 */
struct loom_mixture {
    const struct loom_dist_ops *component; /* takes the shared parameters, then its own */
    size_t shared;
    size_t components; /* by default */
};

/* The values that a distribution can have. A fit leaves out those noted here, and refuses others.
 */
enum loom_support {
    LOOM_LINE,      /* any finite value */
    LOOM_FROM_ZERO, /* not negative */
    LOOM_POSITIVE,  /* zeros are left out */
    LOOM_COUNTS,    /* whole numbers from 1; zeros are left out */
    LOOM_UNIT,      /* between 0 and 1; zeros and ones are left out */
};

struct loom_sample; /* values made ready for a fit */

/* Parameters are named by position; mixtures have a number of components that varies, and name the
 * parameters of each ("weight1", "shape1", "scale1", "weight2", ...). Functions other than check
 * expect parameters that passed it. */
struct loom_dist_ops {
    const char *name;                   /* "gamma" */
    const char *summary;                /* one line */
    bool discrete;                      /* density() is a probability, at whole numbers */
    const struct loom_mixture *mixture; /* NULL if not a mixture */
    size_t min_params, max_params;
    const char *const *param_names; /* min_params of them; NULL for a mixture */
    /* 0 if the parameters are valid, else fill err (LOOM_ERANGE). */
    int (*check)(const double *params, size_t n, struct loom_error *err);
    double (*log_density)(const double *params, size_t n, double x); /* -INFINITY outside */
    double (*cdf)(const double *params, size_t n, double x);
    double (*survival)(const double *params, size_t n, double x); /* 1 - cdf, exact in the tail */
    double (*quantile)(const double *params, size_t n, double p); /* 0 < p < 1 */
    double (*sample)(const double *params, size_t n, gsl_rng *rng);
    double (*mean)(const double *params, size_t n); /* INFINITY or NAN where it does not exist */
    double (*variance)(const double *params, size_t n);
    enum loom_support support;
    bool fits_one_value; /* else a fit needs two different values */
    /* Maximum likelihood on such a sample. components is for mixtures, and then at least 1. Fills
     * fit->dist.params and n_params, weight, iterations, converged, free_params, note, and
     * log_likelihood if the fit computes it (else NAN, and the caller computes it); the caller sets
     * the rest. */
    int (*fit)(struct loom_fit *fit, const struct loom_sample *sample, size_t components,
               struct loom_error *err);
};

/* Return a distribution by index, static; NULL past the last. */
LOOM_API const struct loom_dist_ops *loom_dist_at(size_t index);

/* Return the distribution of this name, static; NULL if there is none. */
LOOM_API const struct loom_dist_ops *loom_dist_find(const char *name);

enum { LOOM_PARAM_NAME = 40 };
/* Write the name of a parameter, by index, to buf of LOOM_PARAM_NAME bytes or more. Returns buf. */
LOOM_API const char *loom_dist_param_name(const struct loom_dist_ops *ops, size_t index, char *buf,
                                          size_t size);

/* Fill *out with a named distribution and a copy of its n parameters. LOOM_EUSAGE for a name or
 * number of parameters that does not exist, LOOM_ERANGE for values that it cannot have. */
LOOM_API int loom_dist_init(struct loom_dist *out, const char *name, const double *params, size_t n,
                            struct loom_error *err);

/* Return the density at x (of a discrete distribution the probability); 0 outside the support. */
LOOM_API double loom_dist_density(const struct loom_dist *dist, double x);

/* Return the logarithm of the density at x; -INFINITY outside the support. */
LOOM_API double loom_dist_log_density(const struct loom_dist *dist, double x);

/* Return the probability of a value of at most x. */
LOOM_API double loom_dist_cdf(const struct loom_dist *dist, double x);

/* Return the probability of a value above x, exact in the tail. */
LOOM_API double loom_dist_survival(const struct loom_dist *dist, double x);

/* Return the quantile at p, which is taken into (0, 1), so that the answer is always finite. */
LOOM_API double loom_dist_quantile(const struct loom_dist *dist, double p);

/* Draw a value with rng, such as the gsl member of a struct loom_stream. */
LOOM_API double loom_dist_sample(const struct loom_dist *dist, gsl_rng *rng);

/* Return the mean; INFINITY or NAN where it does not exist. */
LOOM_API double loom_dist_mean(const struct loom_dist *dist);

/* Return the variance; INFINITY or NAN where it does not exist. */
LOOM_API double loom_dist_variance(const struct loom_dist *dist);

/* Return the sum of weights (NULL: all 1) times log densities of n values; -INFINITY if a value is
 * outside the support. */
LOOM_API double loom_dist_log_likelihood(const struct loom_dist *dist, const double *x,
                                         const double *weights, size_t n);

/* Fit a named distribution to n values by maximum likelihood; "hyperexponential:3" asks for three
 * components. weights may be NULL: all 1. Values must be finite and inside the support; zeros are
 * left out where the support is positive, and values of weight 0 count for nothing. LOOM_EUSAGE for
 * an unknown name, LOOM_ERANGE for values that cannot be, LOOM_EDATA for a sample that nothing
 * fits. out->converged says whether the fit converged. */
LOOM_API int loom_dist_fit(struct loom_fit *out, const char *name, const double *x,
                           const double *weights, size_t n, struct loom_error *err);

/* Fit the weights of a mixture to n values by maximum likelihood, and leave its components as they
 * are (Lublin and Feitelson, section 6.3). weights may be NULL: all 1. Values that no component can
 * give are left out. LOOM_EUSAGE if dist is no mixture, LOOM_EDATA if no value is left. */
LOOM_API int loom_mixture_weights(struct loom_dist *dist, const double *x, const double *weights,
                                  size_t n, struct loom_error *err);

/* Fill *out with the hyper-Erlang distribution of two components and the least common order that
 * has the moments E[X], E[X^2], E[X^3] (Jann et al. 1997). LOOM_ERANGE for moments that no
 * distribution has, LOOM_EDATA if no order matches. */
LOOM_API int loom_hypererlang_match(struct loom_dist *out, double m1, double m2, double m3,
                                    struct loom_error *err);

/* n values that were rounded: x[i] stands for the interval from low[i] to high[i]. Freed by
 * loom_rounded_free(). */
struct loom_rounded {
    size_t n;
    double *x, *low, *high;
};

/* Free the arrays of rounded values; all zero is allowed. */
LOOM_API void loom_rounded_free(struct loom_rounded *values);

/* Fit a named distribution, as loom_dist_fit does, to values that stand for intervals: the
 * likelihood of a value is the probability of its interval, so zeros are values like others.
 * Discrete distributions are fitted to the values themselves. */
LOOM_API int loom_rounded_fit(struct loom_fit *out, const char *name,
                              const struct loom_rounded *values, struct loom_error *err);

/* How parameters are found: by likelihood, or from as many moments (Lublin 3.2.1) or percentiles
 * (survey 3.2) of the sample as there are free parameters. */
enum loom_fit_by { LOOM_FIT_LIKELIHOOD, LOOM_FIT_MOMENTS, LOOM_FIT_PERCENTILES };

/* Fit a named distribution to values that stand for intervals by one of these ways; the likelihood
 * of the result is computed from the intervals. Moments and percentiles are of the values.
 * LOOM_EDATA for a distribution that is not fitted so, or that cannot have them. */
LOOM_API int loom_rounded_fit_by(struct loom_fit *out, const char *name,
                                 const struct loom_rounded *values, enum loom_fit_by by,
                                 struct loom_error *err);

/* ---- one model for several logs (Lublin and Feitelson, section 5.2) ---------------------------
 */

enum { LOOM_HYPERGAMMA_GRID = 243 }; /* three values of each of five parameters */

/* Combine hyper-gammas of two components, fitted to n >= 2 logs: geometric means of shapes and
 * scales, the arithmetic mean of the weights. LOOM_EUSAGE for another distribution. */
LOOM_API int loom_hypergamma_average(struct loom_dist *out, const struct loom_dist *fits, size_t n,
                                     struct loom_error *err);
/* Combine them by search: of the LOOM_HYPERGAMMA_GRID combinations of three values of each
 * parameter between the fits, take the nearest to the mean of their densities. *kept counts the
 * combinations with modes and minimum where the fits have them; LOOM_EDATA if there is none. */
LOOM_API int loom_hypergamma_search(struct loom_dist *out, size_t *kept,
                                    const struct loom_dist *fits, size_t n, struct loom_error *err);
/* Round the shapes of such a distribution to whole numbers and keep the means: a hyper-Erlang that
 * is faster to sample. */
LOOM_API int loom_hypergamma_round(struct loom_dist *out, const struct loom_dist *from,
                                   struct loom_error *err);

/* ---- goodness of fit ------------------------------------------------------------------------- */

struct loom_goodness {
    double ks, ks_p;     /* Kolmogorov-Smirnov distance and asymptotic p */
    double ad;           /* Anderson-Darling A^2; NAN for a discrete distribution */
    double chi2, chi2_p; /* over equiprobable bins, degrees of freedom bins - 1 - free parameters;
                            NAN if n is too small for one, and then chi2_bins is 0 */
    size_t chi2_bins;
};

/* Compute how well a distribution with free_params fitted parameters describes n >= 1 sorted
 * values. LOOM_EDATA if it has no probabilities for them. */
LOOM_API int loom_goodness(struct loom_goodness *out, const struct loom_dist *dist,
                           size_t free_params, const double *sorted, size_t n,
                           struct loom_error *err);

/* Return the Kolmogorov-Smirnov distance of n sorted values to a distribution; NAN if n is 0. */
LOOM_API double loom_ks_one(const struct loom_dist *dist, const double *sorted, size_t n);

/* The distance of two samples: Kolmogorov-Smirnov, Wasserstein (the area between the distribution
 * functions, in the unit of the values), and Anderson-Darling's statistic. */
struct loom_apart {
    double ks, wasserstein, anderson_darling;
};

/* Return all three distances of two sorted samples, which cost little more than one; NAN if one is
 * empty. */
LOOM_API struct loom_apart loom_samples_apart(const double *a, size_t n, const double *b, size_t m);

/* Return the Kolmogorov-Smirnov distance of two sorted samples; NAN if one is empty. */
LOOM_API double loom_ks_two(const double *a, size_t n, const double *b, size_t m);

/* Return the asymptotic p value of a Kolmogorov-Smirnov distance: effective_n is n for one sample,
 * n m / (n + m) for two. */
LOOM_API double loom_ks_p(double distance, double effective_n);

/* Return the Wasserstein distance of two sorted samples, in their unit; NAN if one is empty. */
LOOM_API double loom_wasserstein(const double *a, size_t n, const double *b, size_t m);

/* Return Anderson-Darling's statistic of two sorted samples; NAN if one is empty. */
LOOM_API double loom_anderson_darling_two(const double *a, size_t n, const double *b, size_t m);

/* Run the subsample test of Lublin and Feitelson (section 5.1): large logs are never drawn from any
 * simple distribution exactly, so the fit is tested on `rounds` random subsamples of size `size`,
 * and the share of them that pass at the given significance is stored, with their mean
 * Kolmogorov-Smirnov distance. LOOM_EDATA if size is not from 1 to n, LOOM_ERANGE for rounds or a
 * significance out of bounds. */
LOOM_API int loom_subsample_test(double *share_passed, double *mean_ks,
                                 const struct loom_dist *dist, const double *x, size_t n,
                                 size_t size, size_t rounds, double significance, uint64_t seed,
                                 struct loom_error *err);

/* ---- ranking --------------------------------------------------------------------------------- */

enum { LOOM_SUBSAMPLE_SIZES = 2 };

/* Sizes of the subsamples: Lublin 5.1 takes 500 to 1,000 jobs. */
LOOM_API extern const size_t loom_subsample_sizes[LOOM_SUBSAMPLE_SIZES];

/* One candidate for a sample: its fit and how good it is, or why it could not be fitted. */
struct loom_ranked {
    char name[40]; /* "gamma", "hyperexponential:3" */
    bool fitted;
    struct loom_fit fit;
    struct loom_goodness goodness;
    double rank; /* mean of its ranks by KS, Anderson-Darling and chi-square, from 1, among the
                    discrete or the other distributions; a missing statistic is the worst */
    double share_passed[LOOM_SUBSAMPLE_SIZES]; /* of the subsamples of 500 and of 1,000 values */
    char spike[80];   /* a component of a mixture that sits on one value; "" if none does */
    char reason[160]; /* if not fitted */
};

/* Fit every distribution that can be fitted so to values, side by side on the pool (may be NULL),
 * and order them by rank: continuous ones, then discrete ones; in each group those that did not
 * converge come after the others; those that could not be fitted last. Tests take values as
 * intervals, too. The subsample tests take 100 subsamples (of all values, if there are fewer) at 5
 * %. Stores an array of *count candidates, which the caller must free(). LOOM_EDATA if there are
 * too few values. */
LOOM_API int loom_rank_fits(struct loom_ranked **out, size_t *count,
                            const struct loom_rounded *values, enum loom_fit_by by, uint64_t seed,
                            struct loom_pool *pool, struct loom_error *err);

/* ---- clusters -------------------------------------------------------------------------------- */

enum loom_variance { LOOM_VARIANCE_EQUAL, LOOM_VARIANCE_VARYING };

/* A mixture of normals fitted to one-dimensional data as MCLUST does it. */
struct loom_clusters {
    size_t count;
    enum loom_variance variance;
    double *weights, *means, *sds; /* count each, by ascending mean */
    double log_likelihood, bic;    /* bic as MCLUST has it: 2 ll - k log n, larger is better */
    uint32_t *labels;              /* n, 0 .. count - 1: the most likely cluster */
    size_t n;
    bool converged;
    double *bic_table; /* (max_clusters) x 2, equal then varying; NAN where a model failed */
    size_t max_clusters;
};

struct loom_cluster_options {
    size_t min_clusters, max_clusters; /* 0: 1 and 20 */
    bool equal, varying;               /* which models to try; neither: both */
    bool mclust;                       /* only what MCLUST does: EM from quantiles, by its rule */
    struct loom_pool *pool;
};

/* Cluster n finite values. options may be NULL: all zero. The caller must free *out with
 * loom_clusters_free. LOOM_EDATA without values or if no model fits, LOOM_ERANGE for numbers of
 * clusters that cannot be. */
LOOM_API int loom_cluster(struct loom_clusters *out, const double *x, size_t n,
                          const struct loom_cluster_options *options, struct loom_error *err);

/* Free the arrays of clusters; ones that are all zero are allowed. */
LOOM_API void loom_clusters_free(struct loom_clusters *clusters);

/* ---- long-range dependence ------------------------------------------------------------------- */

/* A straight line through points, by least squares. */
struct loom_line {
    double slope, intercept, slope_se, r2;
};

/* Fit a line to n points by least squares. LOOM_EDATA if they are fewer than two or all at one x.
 */
LOOM_API int loom_line_fit(struct loom_line *out, const double *x, const double *y, size_t n,
                           struct loom_error *err);

/* An estimate of H with the points its line was drawn through, for figures: log10 of the scale
 * against log10 of the statistic. */
struct loom_hurst {
    double h;
    double h_low, h_high; /* 95 % interval; both NAN where the method gives none */
    struct loom_line line;
    double *log_x, *log_y;
    size_t points;
};

/* Estimate H of a series by aggregated variances. The caller must free *out with loom_hurst_free.
 * LOOM_EDATA if the series is too short or does not vary; so do all estimators below. */
LOOM_API int loom_hurst_aggvar(struct loom_hurst *out, const double *x, size_t n,
                               struct loom_error *err);

/* Estimate H by R/S, the means over blocks at each size. As loom_hurst_aggvar. */
LOOM_API int loom_hurst_rs(struct loom_hurst *out, const double *x, size_t n,
                           struct loom_error *err);

/* Estimate H by the pox plot: R/S at sizes spaced by `factor` (Zakay: 1.2), through the points of
 * all blocks, ten for each size. LOOM_ERANGE for a factor not from 1.01 to 10; else as
 * loom_hurst_aggvar. */
LOOM_API int loom_hurst_pox(struct loom_hurst *out, const double *x, size_t n, double factor,
                            struct loom_error *err);

/* Estimate H from the lowest frequencies of the periodogram. As loom_hurst_aggvar. */
LOOM_API int loom_hurst_periodogram(struct loom_hurst *out, const double *x, size_t n,
                                    struct loom_error *err);

/* Estimate H from the energies of wavelet coefficients. As loom_hurst_aggvar. */
LOOM_API int loom_hurst_wavelet(struct loom_hurst *out, const double *x, size_t n,
                                struct loom_error *err);

/* Estimate H by the local Whittle method, with an interval. As loom_hurst_aggvar. */
LOOM_API int loom_hurst_whittle(struct loom_hurst *out, const double *x, size_t n,
                                struct loom_error *err);

/* Estimate H of counts beyond a cycle of `period` values: the mean of each phase is removed, and
 * the local Whittle method takes the frequencies in between, of waves of at least `shortest`
 * values. h_low and h_high are a 99 % interval; *removed is the share of the variance that the
 * cycle had. LOOM_EDATA for fewer than four whole periods or counts that do not vary beyond the
 * cycle, LOOM_ERANGE for a period or wave below 2. As loom_hurst_aggvar. */
LOOM_API int loom_hurst_seasonal(struct loom_hurst *out, double *removed, const double *counts,
                                 size_t n, size_t period, size_t shortest, struct loom_error *err);

/* Free the arrays of an estimate; one that is all zero is allowed. */
LOOM_API void loom_hurst_free(struct loom_hurst *hurst);

/* Store n values of fractional Gaussian noise of known H (0 < h < 1) and unit variance, by
 * circulant embedding. LOOM_ERANGE for another H. */
LOOM_API int loom_fgn(double *out, size_t n, double h, gsl_rng *rng, struct loom_error *err);

/* ---- tails ----------------------------------------------------------------------------------- */

/* Fit a line to the log-log survival function over the largest `fraction` of a sorted positive
 * sample. LOOM_ERANGE for a fraction not in (0, 1], LOOM_EDATA for too few values. */
LOOM_API int loom_llcd_slope(struct loom_line *out, const double *sorted, size_t n, double fraction,
                             struct loom_error *err);

/* Fit the same line after adding up blocks of `block` successive values of an unsorted series: its
 * slope is unchanged if the tail is heavy. LOOM_ERANGE also for a block of 0. */
LOOM_API int loom_llcd_aggregated(struct loom_line *out, const double *x, size_t n, size_t block,
                                  double fraction, struct loom_error *err);

/* Store Hill's estimate of the tail index from the k largest values, for k = 1 .. most (most
 * entries). INFINITY where the k + 1 largest are the same. LOOM_ERANGE if most is not from 1 to n -
 * 1, LOOM_EDATA if these values are not positive. */
LOOM_API int loom_hill(double *out, const double *sorted, size_t n, size_t most,
                       struct loom_error *err);

/* A power-law tail: exponent of the density and cut-off that minimise the KS distance of the tail
 * (Clauset, Shalizi, Newman). Values that are not positive are left out. Takes about as long as
 * sorting. */
struct loom_tail {
    double alpha, xmin, ks;
    size_t n_tail;
};

/* Find the power-law tail of a sorted sample. LOOM_EDATA if the positive values differ too little.
 */
LOOM_API int loom_power_tail(struct loom_tail *out, const double *sorted, size_t n,
                             struct loom_error *err);

/* Mass-count disparity: the joint ratio (percent of items, such as 10 for 10/90), and the share of
 * items that holds half of the mass, and of mass that half of the items hold. */
struct loom_disparity {
    double joint, n_half, w_half;
};

/* Compute the mass-count disparity of a sorted sample. LOOM_EDATA for negative values or if their
 * sum is 0. */
LOOM_API int loom_mass_count(struct loom_disparity *out, const double *sorted, size_t n,
                             struct loom_error *err);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dist.h - what the distributions share: a sample made ready for a fit, sums over it, roots and
 * minima by GSL without allocation, quantiles by search, the functions of mixtures.
 *
 * Values are made ready for a fit by loom_sample_open(), which checks them, leaves out those the
 * support does not have, and adds up what every fit needs.
 */
#ifndef LOOM_STATS_DIST_DIST_H
#define LOOM_STATS_DIST_DIST_H

#include <workloom/stats.h>

extern const struct loom_dist_ops loom_exponential, loom_gamma, loom_weibull, loom_lognormal,
    loom_normal, loom_gp, loom_pareto, loom_loguniform, loom_twostage_uniform, loom_beta, loom_zipf,
    loom_erlang, loom_hyperexponential, loom_hypererlang, loom_hypergamma, loom_normal_mixture;

/* The distribution of a name such as "hyperexponential:3"; NULL if there is none. */
const struct loom_dist_ops *loom_dist_named(const char *name);

/* ---- samples --------------------------------------------------------------------------------- */

struct loom_sample {
    const double *x;
    const double *weights; /* NULL if all are 1 */
    size_t n;
    double weight, sum; /* of the weights; of the weighted values */
    double min, max;
    size_t given, left_out;
    enum loom_support support;
    double *owned; /* what x and weights point to, if something was left out */
};

/* Values of weight 0 are dropped. Fails with LOOM_EDATA where no value remains, LOOM_ERANGE where a
 * value is not finite or outside the support. */
int loom_sample_open(struct loom_sample *out, const double *x, const double *weights, size_t n,
                     enum loom_support support, struct loom_error *err);
void loom_sample_close(struct loom_sample *sample);
/* LOOM_EDATA unless the sample has two different values. */
int loom_sample_spread(const struct loom_sample *sample, struct loom_error *err);
/* Weighted sum of squared deviations from m. */
double loom_sample_squares(const struct loom_sample *sample, double m);
/* Weighted sum of log x; x > 0. */
double loom_sample_sum_log(const struct loom_sample *sample);

static inline double loom_sample_mean(const struct loom_sample *sample)
{
    return sample->sum / sample->weight;
}

static inline double loom_sample_weight(const struct loom_sample *sample, size_t i)
{
    return sample->weights ? sample->weights[i] : 1;
}

/* The different values of a sample in ascending order, each with the weight it has in all. */
struct loom_points {
    double *x, *w;
    size_t n;
};
int loom_points_create(struct loom_points *out, const struct loom_sample *sample,
                       struct loom_error *err);
void loom_points_free(struct loom_points *points);

/* ---- fits ------------------------------------------------------------------------------------ */

/* Fit by the distribution's own function, of which AIC, BIC and the checks of what came out are not
 * a part. */
int loom_fit_values(struct loom_fit *fit, const double *x, const double *weights, size_t n,
                    size_t components, struct loom_error *err);
/* Store the parameters and what the sample says: its weight, and a note on values left out. */
void loom_fit_set(struct loom_fit *fit, const struct loom_sample *sample, size_t n_params,
                  const double *params);
/* Add to the note. */
void loom_fit_note(struct loom_fit *fit, const char *format, ...) LOOM_PRINTF(2, 3);

/* ---- parameters ------------------------------------------------------------------------------ */

int loom_check_positive(const char *dist, const char *name, double value, struct loom_error *err);
int loom_check_finite(const char *dist, const char *name, double value, struct loom_error *err);

/* ---- solvers --------------------------------------------------------------------------------- */

typedef double loom_real_fn(double x, void *context);

/* A root of f in [low, high], where f changes sign, to `tolerance` relative to its size, by Brent's
 * method. An end where f is 0 is the answer; if f does not change sign, the end nearer to it is.
 * Returns the number of steps, negative if it did not converge. */
int loom_root(double *root, loom_real_fn *f, void *context, double low, double high,
              double tolerance);
/* A minimum of f in [low, high] near `guess`, by Brent's method, to the same kind of tolerance. */
int loom_minimum(double *at, loom_real_fn *f, void *context, double low, double guess, double high,
                 double tolerance);

typedef double loom_point_fn(const double *x, void *context);
enum { LOOM_MINIMUM_DIMENSIONS = 8 };

/* A minimum of f near the n coordinates `at`, by the simplex of Nelder and Mead, started anew from
 * where it ends until that gains nothing; `step` is the size of the first simplex. Points where f
 * is not finite are never taken; f(at) is. Fails where memory is out. */
int loom_minimum_near(double *at, size_t n, loom_point_fn *f, void *context, double step,
                      struct loom_error *err);

/* The x in [low, high] where cdf(x) = p. Searched in log x if low > 0. */
double loom_quantile_search(const struct loom_dist_ops *ops, const double *params, size_t n,
                            double p, double low, double high);

/* ---- gamma ----------------------------------------------------------------------------------- */

/* log k - psi(k), exact for large k too: the equation of the gamma's maximum likelihood. */
double loom_log_minus_psi(double k);
/* The shape k where log k - psi(k) = s, s > 0. */
double loom_gamma_shape(double s, int *steps);
/* Mean of x / m - 1 - log(x / m), where m is the mean: what log m - mean log x is, without its
 * cancellation. */
double loom_gamma_s(const struct loom_sample *sample);

/* ---- mixtures -------------------------------------------------------------------------------- */

/* The functions of a struct loom_dist_ops with a mixture, for all of them. */
const char *loom_mixture_param_name(const struct loom_mixture *m, size_t i, char *buf, size_t size);
int loom_mixture_check(const struct loom_dist_ops *ops, const double *params, size_t n,
                       struct loom_error *err);
double loom_mixture_log_density(const struct loom_mixture *m, const double *params, size_t n,
                                double x);
double loom_mixture_cdf(const struct loom_mixture *m, const double *params, size_t n, double x);
double loom_mixture_survival(const struct loom_mixture *m, const double *params, size_t n,
                             double x);
double loom_mixture_quantile(const struct loom_dist_ops *ops, const double *params, size_t n,
                             double p);
double loom_mixture_sample(const struct loom_mixture *m, const double *params, size_t n,
                           gsl_rng *rng);
/* A Zipf variate given that it is `least` or more, a whole number from 1. */
double loom_zipf_sample_from(double alpha, double least, gsl_rng *rng);
double loom_mixture_mean(const struct loom_mixture *m, const double *params, size_t n);
double loom_mixture_variance(const struct loom_mixture *m, const double *params, size_t n);

/* The eight functions of a mixture's table, made from the above. */
#define LOOM_MIXTURE_FUNCTIONS(kind, ops)                                    \
    static int check(const double *params, size_t n, struct loom_error *err) \
    {                                                                        \
        return loom_mixture_check(&(ops), params, n, err);                   \
    }                                                                        \
    static double log_density(const double *params, size_t n, double x)      \
    {                                                                        \
        return loom_mixture_log_density(&(kind), params, n, x);              \
    }                                                                        \
    static double cdf(const double *params, size_t n, double x)              \
    {                                                                        \
        return loom_mixture_cdf(&(kind), params, n, x);                      \
    }                                                                        \
    static double survival(const double *params, size_t n, double x)         \
    {                                                                        \
        return loom_mixture_survival(&(kind), params, n, x);                 \
    }                                                                        \
    static double quantile(const double *params, size_t n, double p)         \
    {                                                                        \
        return loom_mixture_quantile(&(ops), params, n, p);                  \
    }                                                                        \
    static double sample(const double *params, size_t n, gsl_rng *rng)       \
    {                                                                        \
        return loom_mixture_sample(&(kind), params, n, rng);                 \
    }                                                                        \
    static double mean(const double *params, size_t n)                       \
    {                                                                        \
        return loom_mixture_mean(&(kind), params, n);                        \
    }                                                                        \
    static double variance(const double *params, size_t n)                   \
    {                                                                        \
        return loom_mixture_variance(&(kind), params, n);                    \
    }

/* Their places in the table. */
#define LOOM_MIXTURE_TABLE                                                        \
    .check = check, .log_density = log_density, .cdf = cdf, .survival = survival, \
    .quantile = quantile, .sample = sample, .mean = mean, .variance = variance

#endif

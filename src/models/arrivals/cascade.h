/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cascade.h - the multifractal wavelet model of a rate of arrivals (Minh 2012, 4.1, 4.3), and zeros
 * inserted into it (Minh 2012, 4.4): shared by the models mwm and mmwm.
 *
 * The rate of arrivals over intervals of T seconds is the finest scale of a Haar transform
 * (haar.h). The inverse transform generates rates: a root is drawn from a normal distribution, and
 * at every scale each coefficient c is split in two by d = A c, with a random multiplier A in (-1,
 * 1) whose distribution depends on the scale alone. With A = 1 or -1 one side has no arrivals at
 * any finer scale.
 */
#ifndef LOOM_MODELS_ARRIVALS_CASCADE_H
#define LOOM_MODELS_ARRIVALS_CASCADE_H

#include "models/arrivals/haar.h"
#include "models/model.h"

struct loom_cascade {
    int64_t interval_s;        /* T */
    int64_t roots;             /* so many trees are grown at a time */
    double root_mean, root_sd; /* of {c_1}: mu_c and sigma_c */
    size_t depth;
    double *beta; /* by scale 1 .. depth: multipliers are symmetric beta on (-1, 1) */
};

/* Zeros at the scales 2 .. depth + 1 of a cascade. */
struct loom_zeros {
    size_t depth;
    double *share; /* z_j of coefficients at scale j become zero under a parent that is not */
    /* Parents of x jobs, by the cascade's account, are picked in proportion to (1 + x)^-preference:
     * 0 is blindly. */
    double preference;
    /* Zeros keep away from others as far as there is room, so that runs of them stay as long as
     * they were placed. */
    bool apart;
    /* Jobs of every interval that is not zero, beside what the cascade says. */
    double base;
    /* The jobs of an interval lie evenly in a part of it that is so long, at a random place. 1: at
     * the very times when the sum of the rate is whole. */
    double spread;
};

/* Parameters "scale" and "roots" of both models. */
#define LOOM_CASCADE_PARAMS                                                           \
    LOOM_SCALE_PARAM("length of the intervals whose arrival rates are modelled"),     \
    {                                                                                 \
        .name = "roots", .type = LOOM_PARAM_INT, .min = 2, .max = 4096, .value = "8", \
        .metavar = "N",                                                               \
        .help = "least number of trees the log is cut into: more trees are surer "    \
                "of their statistics, fewer reach longer times"                       \
    }

/* The arrivals of a log as counts by interval, cut to whole trees. */
struct loom_cascade_log {
    int64_t interval_s;
    size_t roots, depth, n;
    double *counts; /* n = roots * 2^depth */
};
int loom_cascade_log_create(struct loom_cascade_log *out, const struct loom_training *log,
                            const char *model, struct loom_error *err);
void loom_cascade_log_free(struct loom_cascade_log *log);

/* Fit to rates as printed: eq. 4.7 and 4.8, mean and deviation of {c_1}. */
int loom_cascade_fit(struct loom_cascade *out, const struct loom_cascade_log *log,
                     struct loom_error *err);
/* The beta parameter whose multipliers have this variance (eq. 4.6), within what can be drawn. */
double loom_cascade_beta(double variance);
/* And the variance of the multipliers of a beta. */
double loom_cascade_variance(double beta);
/* Mean and deviation of {c_1}. */
void loom_cascade_fit_roots(struct loom_cascade *out, const struct loom_haar *haar);
int loom_cascade_init(struct loom_cascade *out, const struct loom_cascade_log *log,
                      struct loom_error *err);

void loom_cascade_describe(struct loom_cascade *cascade, struct loom_codec *codec);
void loom_cascade_clear(struct loom_cascade *cascade);

/* Grow trees, with zeros unless NULL, and let their rates fire. */
int loom_cascade_generate(const struct loom_cascade *cascade, const struct loom_zeros *zeros,
                          struct loom_generation *generation, struct loom_error *err);

/* Measures var(A_j) by scale in counts by interval, which may be whole numbers or not. */
typedef int loom_variances_fn(double *variances, const struct loom_cascade_log *log,
                              struct loom_error *err);
/* From multipliers that have the variances seen in a log to those whose arrivals, once fired, have
 * them. */
int loom_cascade_settle(struct loom_cascade *cascade, const struct loom_zeros *zeros,
                        loom_variances_fn *measure, struct loom_error *err);

/* ---- multipliers ----------------------------------------------------------------------------- */

/* Symmetric beta on (-1, 1), made ready for drawing. Above 1, by layers of one area that cover half
 * of the density, (1 - a^2)^power, from 0 to where it ends. */
enum { LOOM_MULTIPLIER_LAYERS = 64 };
struct loom_multiplier {
    double beta, power;
    double heights[LOOM_MULTIPLIER_LAYERS + 1]; /* where layers begin, and the last ends */
    double widths[LOOM_MULTIPLIER_LAYERS + 1];  /* of the layers; the last is 0 */
    double
        inside[LOOM_MULTIPLIER_LAYERS]; /* share of a layer's width that is all below the curve */
};
void loom_multiplier_init(struct loom_multiplier *multiplier, double beta);
/* In the open interval (-1, 1). */
double loom_multiplier_draw(const struct loom_multiplier *multiplier, struct loom_stream *stream);

/* ---- pieces of generating -------------------------------------------------------------------- */

/* Of the normal variate that roots are, given that it is positive. */
struct loom_root_law {
    double mean, sd;
};

/* The rates of one growth: roots * 2^depth intervals. */
struct loom_forest {
    const struct loom_cascade *cascade;
    const struct loom_zeros *zeros; /* may be NULL */
    struct loom_stream roots, multipliers, places;
    struct loom_root_law root_law;
    size_t growths;                     /* so far */
    struct loom_multiplier *multiplier; /* by scale */
    double *carry; /* by scale: zeros still to place, where shares give fractions */
    double *rates;
    size_t n;
    size_t parents;  /* that are not zero, of the scale that is being grown; at most n / 2 */
    uint32_t *index; /* of these, in rates */
    double *parent;  /* themselves */
    double *weights; /* of them, for zeros below */
};
int loom_forest_create(struct loom_forest *out, const struct loom_cascade *cascade,
                       const struct loom_zeros *zeros, const struct loom_generation *generation,
                       struct loom_error *err);
/* New rates, in jobs per second. */
void loom_forest_grow(struct loom_forest *forest);
void loom_forest_free(struct loom_forest *forest);

/* Integrate-and-fire (Minh 2012, 2.2, 4.5.2): the rate is summed up over time, and a job comes
 * whenever the sum passes a whole number. The first job comes with the first rate, as the first one
 * of a log does. */
struct loom_fire {
    int64_t interval_s;
    int64_t start_s; /* of the next interval */
    double missing;  /* until the next job, below 1 */
    size_t fired;
    double spread;             /* as in loom_zeros */
    struct loom_stream places; /* of the spread part */
};
/* How many jobs fire in an interval in which the sum of the rate grows by `jobs`. */
double loom_fire_due(double *missing, double jobs);
void loom_fire_start(struct loom_fire *out, int64_t interval_s, double spread,
                     const struct loom_generation *generation);
/* Fire one interval after the other. *done is set once there are the jobs, or the time has come,
 * that the generation asks for. */
int loom_fire_rates(struct loom_fire *fire, const double *rates, size_t n,
                    struct loom_generation *generation, bool *done, struct loom_error *err);

#endif

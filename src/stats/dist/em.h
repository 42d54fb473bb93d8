/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dist/em.h - mixtures fitted by expectation maximisation.
 *
 * All families here have log densities of the form a + b x + c t(x), with t = log x or x^2. So
 * one engine serves them: the expectation step needs only the three coefficients of each component,
 * the maximisation step only its weight, mean of x and mean of t.
 *
 * A state is k rows of three numbers: the log of the weight and up to two coordinates without
 * bounds (such as log mean, log shape), in which the engine may extrapolate. The first coordinate
 * orders components by size. Values are scaled before, so that a coordinate of 0 is ordinary.
 *
 * A likelihood of mixtures is unbounded where a component shrinks onto one value; `least` keeps
 * components from it, in units that the family chooses.
 */
#ifndef LOOM_STATS_DIST_EM_H
#define LOOM_STATS_DIST_EM_H

#include "stats/dist/dist.h"

enum { LOOM_DIST_EM_ROW = 3 };

struct loom_dist_em;

enum loom_dist_em_statistic { LOOM_DIST_EM_LOG, LOOM_DIST_EM_SQUARE };

struct loom_dist_em_family {
    enum loom_dist_em_statistic statistic; /* t(x) */
    size_t coordinates;                    /* used, 1 or 2 */
    void (*coefficients)(const struct loom_dist_em *em, const double *at, double *abc);
    /* The coordinates with the greatest likelihood, given the means of x and t. True if `least`
     * held them back. */
    bool (*maximise)(const struct loom_dist_em *em, double *at, double mean_x, double mean_t);
};

struct loom_dist_em {
    const struct loom_dist_em_family *family;
    size_t k;
    double least;
    double order; /* of Erlang components */
    struct loom_points points;
    double *t;
    double weight;
    double shift, scale; /* points->x = (value - shift) / scale */
    bool held;           /* `least` held a component back in the last step */
};

struct loom_dist_em_result {
    double state[LOOM_DIST_PARAMS * LOOM_DIST_EM_ROW];
    double log_likelihood; /* of the unscaled values */
    int steps;
    bool converged;
};

/* The points of a sample. Needs at least k different values, or fails with LOOM_EDATA. */
int loom_dist_em_open(struct loom_dist_em *em, const struct loom_dist_em_family *family, size_t k,
                      const struct loom_sample *sample, struct loom_error *err);
void loom_dist_em_close(struct loom_dist_em *em);
/* The least point with at least the share p of the weight at or below it. */
double loom_dist_em_quantile(const struct loom_dist_em *em, double p);
/* Scale the points and compute t. To be called once, before any start. */
void loom_dist_em_scale(struct loom_dist_em *em, double shift, double scale);

/* Start from a division of the points: component j gets those before ends[j]. */
void loom_dist_em_divide(struct loom_dist_em *em, double *state, const size_t *ends);
/* Run from out->state until nothing moves. */
void loom_dist_em_run(struct loom_dist_em *em, struct loom_dist_em_result *out);
/* Try several divisions for a few steps and run from the best. */
void loom_dist_em_search(struct loom_dist_em *em, struct loom_dist_em_result *out);
/* Order components by their first coordinate. */
void loom_dist_em_order(const struct loom_dist_em *em, double *state);
/* What every mixture's fit reports. */
void loom_dist_em_report(struct loom_fit *fit, const struct loom_dist_em *em,
                         const struct loom_dist_em_result *result);

extern const struct loom_dist_em_family loom_dist_em_erlang; /* the coordinate is log scale */

#endif

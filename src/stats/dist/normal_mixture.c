/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A mixture of normals, two by default, fitted by expectation maximisation to the values less their
 * median in units of their interquartile range (or whole range, if that is 0). No component's
 * deviation gets below a thousandth of that unit.
 */
#include "stats/dist/em.h"

#include <math.h>

static const struct loom_mixture kind = {&loom_normal, 0, 2};

LOOM_MIXTURE_FUNCTIONS(kind, loom_normal_mixture)

/* Coordinates: mean and log deviation. */
static void coefficients(const struct loom_dist_em *em, const double *at, double *abc)
{
    (void)em;
    double precision = exp(-2 * at[1]);
    abc[0] = -at[1] - 0.5 * log(2 * M_PI) - 0.5 * at[0] * at[0] * precision;
    abc[1] = at[0] * precision;
    abc[2] = -0.5 * precision;
}

static bool normal_mixture_maximise(const struct loom_dist_em *em, double *at, double mean_x,
                                    double mean_t)
{
    double variance_now = mean_t - mean_x * mean_x, least = em->least * em->least;
    at[0] = mean_x;
    at[1] = 0.5 * log(fmax(variance_now, least));
    return variance_now < least;
}

static const struct loom_dist_em_family family = {LOOM_DIST_EM_SQUARE, 2, coefficients,
                                                  normal_mixture_maximise};

static int normal_mixture_fit(struct loom_fit *out, const struct loom_sample *s, size_t k,
                              struct loom_error *err)
{
    struct loom_dist_em em;
    struct loom_dist_em_result result = {.steps = 0};
    int rc = loom_dist_em_open(&em, &family, k, s, err);
    if (rc)
        return rc;
    double middle = loom_dist_em_quantile(&em, 0.5);
    double half = loom_dist_em_quantile(&em, 0.75) - loom_dist_em_quantile(&em, 0.25);
    loom_dist_em_scale(&em, middle, half > 0 ? half : s->max - s->min);
    em.least = 1e-3;
    loom_dist_em_search(&em, &result);
    loom_dist_em_order(&em, result.state);
    double params[LOOM_DIST_PARAMS];
    for (size_t j = 0; j < k; j++) {
        const double *row = result.state + j * LOOM_DIST_EM_ROW;
        params[3 * j] = exp(row[0]);
        params[3 * j + 1] = em.shift + em.scale * row[1];
        params[3 * j + 2] = em.scale * exp(row[2]);
    }
    loom_fit_set(out, s, 3 * k, params);
    loom_dist_em_report(out, &em, &result);
    out->free_params = 3 * k - 1;
    loom_dist_em_close(&em);
    return 0;
}

const struct loom_dist_ops loom_normal_mixture = {
    .name = "normal-mixture",
    .summary = "a mixture of normals, often of logarithms of runtimes",
    .mixture = &kind,
    .min_params = 3,
    .max_params = LOOM_DIST_PARAMS,
    LOOM_MIXTURE_TABLE,
    .support = LOOM_LINE,
    .fit = normal_mixture_fit,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The hyper-exponential distribution: a mixture of exponentials, two by default, fitted by
 * expectation maximisation. Zeros belong to the support and count; a component's mean is at least
 * half the smallest positive value, so that none shrinks onto them.
 */
#include "stats/dist/em.h"

#include <math.h>

static const struct loom_mixture kind = {&loom_exponential, 0, 2};

LOOM_MIXTURE_FUNCTIONS(kind, loom_hyperexponential)

static int hyperexponential_fit(struct loom_fit *out, const struct loom_sample *s, size_t k,
                                struct loom_error *err)
{
    struct loom_dist_em em;
    struct loom_dist_em_result result = {.steps = 0};
    int rc = loom_dist_em_open(&em, &loom_dist_em_erlang, k, s, err);
    if (rc)
        return rc;
    loom_dist_em_scale(&em, 0, loom_sample_mean(s));
    em.least = 0.5 * (em.points.x[0] > 0 ? em.points.x[0] : em.points.x[1]);
    loom_dist_em_search(&em, &result);
    loom_dist_em_order(&em, result.state);
    double params[LOOM_DIST_PARAMS];
    for (size_t j = 0; j < k; j++) {
        params[2 * j] = exp(result.state[j * LOOM_DIST_EM_ROW]);
        params[2 * j + 1] = em.scale * exp(result.state[j * LOOM_DIST_EM_ROW + 1]);
    }
    loom_fit_set(out, s, 2 * k, params);
    loom_dist_em_report(out, &em, &result);
    out->free_params = 2 * k - 1;
    loom_dist_em_close(&em);
    return 0;
}

const struct loom_dist_ops loom_hyperexponential = {
    .name = "hyperexponential",
    .summary = "a mixture of exponentials; varies more than one of them",
    .mixture = &kind,
    .min_params = 2,
    .max_params = LOOM_DIST_PARAMS,
    LOOM_MIXTURE_TABLE,
    .support = LOOM_FROM_ZERO,
    .fit = hyperexponential_fit,
};

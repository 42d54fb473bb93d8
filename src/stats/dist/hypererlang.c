/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The hyper-Erlang distribution of common order (Jann et al. 1997): a mixture of Erlangs, two by
 * default, that all have the same number of stages.
 *
 * Maximum likelihood: for each order 1, 2, ... the scales and weights by expectation maximisation;
 * the order is raised as long as one of the next two gains likelihood. Zeros are left out, for
 * orders above 1 have no density there.
 *
 * Moments: E[X^j] = n (n+1) ... (n+j-1) E[S^j] for order n and S one of the two scales, drawn by
 * their weights. So the first three moments of X equal the moments of a two-point distribution
 * after division, which exists if t2 > t1^2 and t1 t3 > t2^2. Raising n helps both, and the least
 * order that will do is taken; there is one for every distribution that is not a single value.
 */
#include "stats/dist/em.h"
#include "stats/log_gamma.h"

#include <math.h>

static const struct loom_mixture kind = {&loom_erlang, 1, 2};

LOOM_MIXTURE_FUNCTIONS(kind, loom_hypererlang)

enum { MOST_ORDER = 100, MATCH_ORDER = 10000 };

static void coefficients(const struct loom_dist_em *em, const double *at, double *abc)
{
    abc[0] = -em->order * at[0] - loom_log_gamma(em->order);
    abc[1] = -exp(-at[0]);
    abc[2] = em->order - 1;
}

static bool hypererlang_maximise(const struct loom_dist_em *em, double *at, double mean_x,
                                 double mean_t)
{
    (void)mean_t;
    at[0] = log(fmax(mean_x, em->least) / em->order);
    return mean_x < em->least;
}

const struct loom_dist_em_family loom_dist_em_erlang = {LOOM_DIST_EM_LOG, 1, coefficients,
                                                        hypererlang_maximise};

static void store(struct loom_fit *out, const struct loom_sample *s, struct loom_dist_em *em,
                  struct loom_dist_em_result *result)
{
    double params[LOOM_DIST_PARAMS] = {em->order};
    loom_dist_em_order(em, result->state);
    for (size_t j = 0; j < em->k; j++) {
        params[2 * j + 1] = exp(result->state[j * LOOM_DIST_EM_ROW]);
        params[2 * j + 2] = em->scale * exp(result->state[j * LOOM_DIST_EM_ROW + 1]);
    }
    loom_fit_set(out, s, 2 * em->k + 1, params);
    loom_dist_em_report(out, em, result);
    out->free_params = 2 * em->k;
}

static int hypererlang_fit(struct loom_fit *out, const struct loom_sample *s, size_t k,
                           struct loom_error *err)
{
    struct loom_dist_em em;
    int rc = loom_dist_em_open(&em, &loom_dist_em_erlang, k, s, err);
    if (rc)
        return rc;
    loom_dist_em_scale(&em, 0, loom_sample_mean(s));
    struct loom_dist_em_result best = {.log_likelihood = -INFINITY};
    double best_order = 0;
    int steps = 0;
    for (em.order = 1; em.order <= MOST_ORDER && em.order <= best_order + 2; em.order++) {
        struct loom_dist_em_result result = {.steps = 0};
        loom_dist_em_search(&em, &result);
        steps += result.steps;
        if (result.log_likelihood > best.log_likelihood) {
            best = result;
            best_order = em.order;
        }
    }
    em.order = best_order;
    best.steps = steps;
    if (best_order == MOST_ORDER)
        loom_fit_note(out, "the order is at its limit of %d", MOST_ORDER);
    store(out, s, &em, &best);
    loom_dist_em_close(&em);
    return 0;
}

/* The two points and the first one's weight of the two-point distribution with moments t. False if
 * there is none with positive points. The points are the roots of z^2 - b z + c. */
static bool two_points(const double *t, double *z, double *weight)
{
    double spread = t[1] - t[0] * t[0];
    if (!(spread > 1e-12 * t[1]) || !(t[0] * t[2] > t[1] * t[1] * (1 + 1e-12)))
        return false;
    double b = (t[2] - t[0] * t[1]) / spread, c = (t[0] * t[2] - t[1] * t[1]) / spread;
    double root = sqrt(b * b / 4 - c);
    z[1] = b / 2 + root;
    z[0] = c / z[1];
    *weight = (z[1] - t[0]) / (z[1] - z[0]);
    return z[0] > 0 && *weight > 0 && *weight < 1;
}

int loom_hypererlang_match(struct loom_dist *out, double m1, double m2, double m3,
                           struct loom_error *err)
{
    bool moments = m1 > 0 && isfinite(m3) && m2 > m1 * m1 && m1 * m3 > m2 * m2;
    if (!moments)
        return loom_fail(err, LOOM_ERANGE,
                         "%g, %g, %g are not the moments of positive values that differ", m1, m2,
                         m3);
    for (double n = 1; n <= MATCH_ORDER; n++) {
        /* Scaled by the mean, so that cubes of seconds keep their digits. */
        double t[] = {1 / n, m2 / (m1 * m1) / (n * (n + 1)),
                      m3 / m1 / m1 / m1 / (n * (n + 1) * (n + 2))};
        double z[2], weight;
        if (!two_points(t, z, &weight))
            continue;
        double params[] = {n, weight, z[0] * m1, 1 - weight, z[1] * m1};
        return loom_dist_init(out, loom_hypererlang.name, params, 5, err);
    }
    return loom_fail(err, LOOM_EDATA, "no order up to %d matches these moments", MATCH_ORDER);
}

const struct loom_dist_ops loom_hypererlang = {
    .name = "hypererlang",
    .summary = "a mixture of Erlangs of common order",
    .mixture = &kind,
    .min_params = 3,
    .max_params = LOOM_DIST_PARAMS,
    LOOM_MIXTURE_TABLE,
    .support = LOOM_POSITIVE,
    .fit = hypererlang_fit,
};

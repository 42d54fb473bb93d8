/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The hyper-gamma distribution (Lublin and Feitelson, sections 3 and 5): a mixture of gammas, two
 * by default, which they fit to logarithms of runtimes.
 *
 * Maximum likelihood by expectation maximisation. Of two components the start is their
 * medium-minimum method: a histogram of the sample has two modes, and the sample is divided at the
 * minimum between them; each part gives one component its shape, scale and weight. The modes are
 * looked for on the values, then on their logarithms; a sample without two modes, and other numbers
 * of components, start from the best of several plain divisions. Zeros are left out. No component
 * gets narrower than a thousandth of the whole sample, since the likelihood grows without end as
 * one shrinks onto a single value, and logs have many equal runtimes.
 */
#include "stats/dist/em.h"
#include "stats/log_gamma.h"

#include <math.h>
#include <string.h>

static const struct loom_mixture kind = {&loom_gamma, 0, 2};

LOOM_MIXTURE_FUNCTIONS(kind, loom_hypergamma)

/* Coordinates: log mean and log shape. */
static void coefficients(const struct loom_dist_em *em, const double *at, double *abc)
{
    (void)em;
    double shape = exp(at[1]), log_scale = at[0] - at[1];
    abc[0] = -shape * log_scale - loom_log_gamma(shape);
    abc[1] = -exp(-log_scale);
    abc[2] = shape - 1;
}

/* The deviation of a gamma is mean / sqrt(shape); `least` is relative to the mean. */
static bool hypergamma_maximise(const struct loom_dist_em *em, double *at, double mean_x,
                                double mean_t)
{
    int steps;
    double s = log(mean_x) - mean_t, most = 1 / (em->least * em->least);
    double shape = s > 0 ? loom_gamma_shape(s, &steps) : INFINITY;
    at[0] = log(mean_x);
    at[1] = log(fmin(shape, most));
    return shape > most;
}

static const struct loom_dist_em_family family = {LOOM_DIST_EM_LOG, 2, coefficients,
                                                  hypergamma_maximise};

/* ---- the medium-minimum start ---------------------------------------------------------------- */

enum { BINS = 40 };

struct bins {
    double counts[BINS];
    double low, width;
};

static void smooth(double *counts)
{
    double before = counts[0];
    for (int i = 0; i < BINS; i++) {
        double here = counts[i], after = i + 1 < BINS ? counts[i + 1] : here;
        counts[i] = (before + 2 * here + after) / 4;
        before = here;
    }
}

/* Count the points, or their logarithms t, and smooth out what is no mode but chance. */
static void count_bins(struct bins *bins, const double *v, const double *w, size_t n)
{
    *bins = (struct bins){.low = v[0], .width = (v[n - 1] - v[0]) / BINS};
    for (size_t i = 0; i < n; i++) {
        int bin = (int)((v[i] - bins->low) / bins->width);
        bins->counts[bin < BINS ? bin : BINS - 1] += w[i];
    }
    for (int pass = 0; pass < 3; pass++)
        smooth(bins->counts);
}

/* The bin of the deepest valley: the one with the greatest distance to the lower of the highest
 * bins to its left and right. -1 unless it lies below three quarters of that mode, and the mode is
 * at least a twentieth of the highest. */
static int valley(const struct bins *bins)
{
    double left[BINS], right[BINS], deepest = 0;
    for (int i = 0; i < BINS; i++)
        left[i] = fmax(bins->counts[i], i > 0 ? left[i - 1] : 0);
    for (int i = BINS - 1; i >= 0; i--)
        right[i] = fmax(bins->counts[i], i + 1 < BINS ? right[i + 1] : 0);
    int at = -1;
    for (int i = 0; i < BINS; i++) {
        double mode = fmin(left[i], right[i]), depth = mode - bins->counts[i];
        bool clear = bins->counts[i] < 0.75 * mode && mode > 0.05 * left[BINS - 1];
        if (clear && depth > deepest) {
            deepest = depth;
            at = i;
        }
    }
    return at;
}

/* Divide at the middle of the valley on the axis v. False if there is none. */
static bool medium_minimum(const struct loom_dist_em *em, const double *v, size_t *ends)
{
    struct bins bins;
    if (!(v[em->points.n - 1] > v[0]))
        return false;
    count_bins(&bins, v, em->points.w, em->points.n);
    int bin = valley(&bins);
    if (bin < 0)
        return false;
    double cut = bins.low + (bin + 0.5) * bins.width;
    ends[0] = 0;
    while (v[ends[0]] < cut)
        ends[0]++;
    ends[1] = em->points.n;
    return ends[0] > 0 && ends[0] < ends[1];
}

static int hypergamma_fit(struct loom_fit *out, const struct loom_sample *s, size_t k,
                          struct loom_error *err)
{
    struct loom_dist_em em;
    struct loom_dist_em_result result = {.steps = 0};
    int rc = loom_dist_em_open(&em, &family, k, s, err);
    if (rc)
        return rc;
    loom_dist_em_scale(&em, 0, loom_sample_mean(s));
    em.least = 1e-3;
    size_t ends[2];
    if (k == 2 && (medium_minimum(&em, em.points.x, ends) || medium_minimum(&em, em.t, ends))) {
        loom_dist_em_divide(&em, result.state, ends);
        loom_dist_em_run(&em, &result);
    } else {
        loom_dist_em_search(&em, &result);
    }
    loom_dist_em_order(&em, result.state);
    double params[LOOM_DIST_PARAMS];
    for (size_t j = 0; j < k; j++) {
        const double *row = result.state + j * LOOM_DIST_EM_ROW;
        params[3 * j] = exp(row[0]);
        params[3 * j + 1] = exp(row[2]);
        params[3 * j + 2] = em.scale * exp(row[1] - row[2]);
    }
    loom_fit_set(out, s, 3 * k, params);
    loom_dist_em_report(out, &em, &result);
    out->free_params = 3 * k - 1;
    loom_dist_em_close(&em);
    return 0;
}

const struct loom_dist_ops loom_hypergamma = {
    .name = "hypergamma",
    .summary = "a mixture of gammas; logarithms of runtimes",
    .mixture = &kind,
    .min_params = 3,
    .max_params = LOOM_DIST_PARAMS,
    LOOM_MIXTURE_TABLE,
    .support = LOOM_POSITIVE,
    .fit = hypergamma_fit,
};

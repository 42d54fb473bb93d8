/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One hyper-gamma for several logs (Lublin and Feitelson, section 5.2), from the fit of each: by
 * averages of the parameters, or by a search among 243 combinations of them.
 *
 * The search takes three values of each parameter "which divide the range into equal parts".
 * Between the least and the largest value of the fits these are its quarters, of shapes and scales
 * on a logarithmic axis: on a linear one no combination of table 2 has an upper mode where any of
 * the four logs has one, while the paper kept some. Combinations without two modes, or with a mode
 * or the minimum between them outside of the range of the fits, are dropped. Of the others the one
 * is taken whose density is nearest to the mean of the densities of the fits, by the area between
 * them.
 */
#include <workloom/stats.h>

#include <math.h>
#include <stdlib.h>

enum { PARAMS = 5, VALUES = 3, POINTS = 800 };

/* alpha1, beta1, alpha2, beta2, p, as the paper lists them, and where they stand in a dist. */
static const size_t places[PARAMS] = {1, 2, 4, 5, 0};
enum { P = PARAMS - 1 };

static int representative_check(const struct loom_dist *fits, size_t n, struct loom_error *err)
{
    if (n < 2)
        return loom_fail(err, LOOM_EDATA, "a representative model takes fits of two or more logs");
    for (size_t i = 0; i < n; i++)
        if (fits[i].ops != loom_dist_find("hypergamma") || fits[i].n_params != 6)
            return loom_fail(err, LOOM_EUSAGE, "only hyper-gammas of two components are combined");
    return 0;
}

static int representative_make(struct loom_dist *out, const double *of, struct loom_error *err)
{
    const double params[] = {of[P], of[0], of[1], 1 - of[P], of[2], of[3]};
    return loom_dist_init(out, "hypergamma", params, 6, err);
}

int loom_hypergamma_average(struct loom_dist *out, const struct loom_dist *fits, size_t n,
                            struct loom_error *err)
{
    double of[PARAMS];
    int rc = representative_check(fits, n, err);
    for (size_t j = 0; j < PARAMS && !rc; j++) {
        double sum = 0;
        for (size_t i = 0; i < n; i++)
            sum += j == P ? fits[i].params[places[j]] : log(fits[i].params[places[j]]);
        of[j] = j == P ? sum / (double)n : exp(sum / (double)n);
    }
    return rc ? rc : representative_make(out, of, err);
}

int loom_hypergamma_round(struct loom_dist *out, const struct loom_dist *from,
                          struct loom_error *err)
{
    double params[6];
    if (from->ops != loom_dist_find("hypergamma") || from->n_params != 6)
        return loom_fail(err, LOOM_EUSAGE, "only a hyper-gamma of two components is rounded");
    for (size_t j = 0; j < 6; j += 3) {
        params[j] = from->params[j];
        params[j + 1] = fmax(1, round(from->params[j + 1]));
        params[j + 2] = from->params[j + 2] * from->params[j + 1] / params[j + 1];
    }
    return loom_dist_init(out, "hypergamma", params, 6, err);
}

/* ---- the search ------------------------------------------------------------------------------ */

/* Two modes and the minimum between them. */
enum { LOW, VALLEY, HIGH, SPOTS };

struct search {
    double step;           /* between the points at which densities are compared */
    double middle[POINTS]; /* mean density of the fits */
    double least[SPOTS], most[SPOTS];
    double values[PARAMS][VALUES];
};

static void take_densities(double *f, const struct loom_dist *dist, double step)
{
    for (size_t i = 0; i < POINTS; i++)
        f[i] = loom_dist_density(dist, ((double)i + 0.5) * step);
}

/* Find the modes of a density and what lies between; false unless there are two modes. */
static bool find_spots(double *spots, const double *f, double step)
{
    size_t at[SPOTS] = {0}, n = 0;
    for (size_t i = 0; i + 1 < POINTS; i++)
        if ((i == 0 || f[i] > f[i - 1]) && (i == 0 ? f[i] > f[i + 1] : f[i] >= f[i + 1])) {
            if (n < 2)
                at[n == 0 ? LOW : HIGH] = i;
            n++;
        }
    if (n != 2)
        return false;
    at[VALLEY] = at[LOW];
    for (size_t i = at[LOW]; i < at[HIGH]; i++)
        if (f[i] < f[at[VALLEY]])
            at[VALLEY] = i;
    for (size_t s = 0; s < SPOTS; s++)
        spots[s] = ((double)at[s] + 0.5) * step;
    return true;
}

static void list_values(struct search *search, const struct loom_dist *fits, size_t n)
{
    for (size_t j = 0; j < PARAMS; j++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < n; i++) {
            low = fmin(low, fits[i].params[places[j]]);
            high = fmax(high, fits[i].params[places[j]]);
        }
        for (size_t v = 0; v < VALUES; v++) {
            double share = (double)(v + 1) / (VALUES + 1);
            search->values[j][v] =
                j == P ? low + (high - low) * share : low * pow(high / low, share);
        }
    }
}

static int representative_prepare(struct search *search, const struct loom_dist *fits, size_t n,
                                  struct loom_error *err)
{
    double f[POINTS], spots[SPOTS], end = 0;
    bool any = false;
    *search = (struct search){.least = {INFINITY, INFINITY, INFINITY}};
    for (size_t i = 0; i < n; i++)
        end = fmax(end, loom_dist_quantile(&fits[i], 0.99999));
    search->step = end / POINTS;
    for (size_t i = 0; i < n; i++) {
        take_densities(f, &fits[i], search->step);
        for (size_t k = 0; k < POINTS; k++)
            search->middle[k] += f[k] / (double)n;
        if (!find_spots(spots, f, search->step))
            continue;
        any = true;
        for (size_t s = 0; s < SPOTS; s++) {
            search->least[s] = fmin(search->least[s], spots[s]);
            search->most[s] = fmax(search->most[s], spots[s]);
        }
    }
    list_values(search, fits, n);
    return any ? 0 : loom_fail(err, LOOM_EDATA, "no fit has two modes to search between");
}

/* Return the distance of a combination from the middle, INFINITY if it is dropped. */
static double representative_distance(const struct search *search, const struct loom_dist *dist)
{
    double f[POINTS], spots[SPOTS], area = 0;
    take_densities(f, dist, search->step);
    if (!find_spots(spots, f, search->step))
        return INFINITY;
    for (size_t s = 0; s < SPOTS; s++)
        if (spots[s] < search->least[s] || spots[s] > search->most[s])
            return INFINITY;
    for (size_t i = 0; i < POINTS; i++)
        area += fabs(f[i] - search->middle[i]) * search->step;
    return area;
}

int loom_hypergamma_search(struct loom_dist *out, size_t *kept, const struct loom_dist *fits,
                           size_t n, struct loom_error *err)
{
    struct search search;
    double nearest = INFINITY;
    int rc = representative_check(fits, n, err);
    if (!rc)
        rc = representative_prepare(&search, fits, n, err);
    *kept = 0;
    for (size_t c = 0; c < LOOM_HYPERGAMMA_GRID && !rc; c++) {
        struct loom_dist dist;
        double of[PARAMS];
        for (size_t j = 0, rest = c; j < PARAMS; j++, rest /= VALUES)
            of[j] = search.values[j][rest % VALUES];
        rc = representative_make(&dist, of, err);
        double away = rc ? INFINITY : representative_distance(&search, &dist);
        *kept += isfinite(away) ? 1 : 0;
        if (away < nearest) {
            nearest = away;
            *out = dist;
        }
    }
    return rc || *kept > 0
               ? rc
               : loom_fail(err, LOOM_EDATA,
                           "none of the %d combinations has its modes where the fits have them",
                           LOOM_HYPERGAMMA_GRID);
}

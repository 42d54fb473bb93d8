/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Mass-count disparity: few items hold most of the mass (survey section 4.1).
 *
 * With the items in ascending order, L(p) is the share of mass in the smallest share p of them,
 * straight between items. All three measures are points on that curve: the joint ratio is where
 * p + L(p) = 1 (the share 1 - p of items holds the share p of mass), the others where L(p) and
 * where p are one half.
 */
#include "stats/values.h"

#include <workloom/stats.h>

/* Walk along the curve to the first point where a * p + b * L(p) reaches `level`. */
static void walk(double *p, double *mass, const double *sorted, size_t n, double total, double a,
                 double b, double level)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        double start = a * (double)i / (double)n + b * sum / total;
        double next = sum + sorted[i];
        double end = a * (double)(i + 1) / (double)n + b * next / total;
        if (end >= level && end > start) {
            double part = (level - start) / (end - start);
            *p = ((double)i + part) / (double)n;
            *mass = (sum + part * sorted[i]) / total;
            return;
        }
        sum = next;
    }
    *p = 1; /* only by rounding */
    *mass = 1;
}

int loom_mass_count(struct loom_disparity *out, const double *sorted, size_t n,
                    struct loom_error *err)
{
    *out = (struct loom_disparity){0};
    int rc = loom_values_check(sorted, n, 1, "mass-count disparity", err);
    if (rc)
        return rc;
    if (sorted[0] < 0)
        return loom_fail(err, LOOM_EDATA,
                         "mass-count disparity needs values that are not "
                         "negative, the smallest is %g",
                         sorted[0]);
    double total = 0;
    for (size_t i = 0; i < n; i++)
        total += sorted[i];
    if (!(total > 0) || !isfinite(total))
        return loom_fail(err, LOOM_EDATA, "mass-count disparity needs a mass, the sum is %g",
                         total);
    double p;
    double mass;
    walk(&p, &mass, sorted, n, total, 1, 1, 1);
    out->joint = 100 * (1 - p);
    walk(&p, &mass, sorted, n, total, 0, 1, 0.5);
    out->n_half = 1 - p;
    walk(&p, &mass, sorted, n, total, 1, 0, 0.5);
    out->w_half = mass;
    return 0;
}

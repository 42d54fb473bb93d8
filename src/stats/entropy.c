/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Normalised entropy (Minh 2012, eq. 2.5): -sum p_i log p_i / log N with p_i the share of weight i,
 * where a share of 0 adds nothing.
 */
#include "stats/values.h"

#include <workloom/stats.h>

int loom_entropy(double *out, const double *weights, size_t n, struct loom_error *err)
{
    int rc = loom_values_check(weights, n, 2, "an entropy", err);
    if (rc)
        return rc;
    double largest = 0;
    for (size_t i = 0; i < n; i++) {
        if (weights[i] < 0)
            return loom_fail(err, LOOM_EDATA,
                             "an entropy needs weights that are not negative, "
                             "weight %zu is %g",
                             i + 1, weights[i]);
        largest = fmax(largest, weights[i]);
    }
    if (largest <= 0)
        return loom_fail(err, LOOM_EDATA, "an entropy does not exist where all weights are 0");
    double total = 0;
    for (size_t i = 0; i < n; i++)
        total += weights[i] / largest;
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        double p = weights[i] / largest / total;
        if (p > 0)
            sum -= p * log(p);
    }
    *out = fmin(1, fmax(0, sum / log((double)n)));
    return 0;
}

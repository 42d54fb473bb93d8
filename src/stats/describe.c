/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Moments, quantiles and the empirical distribution of a sample.
 *
 * Moments are taken in two passes: the mean first, then powers of the deviations from it, divided
 * by the largest deviation so that no power overflows or vanishes. Skewness and kurtosis are the
 * plain ratios g1 = m3 / m2^1.5 and g2 = m4 / m2^2 - 3 of moments over n.
 */
#include "stats/values.h"

#include "base/sort.h"

#include <workloom/stats.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- checks and copies ----------------------------------------------------------------------- */

int loom_values_check(const double *x, size_t n, size_t least, const char *what,
                      struct loom_error *err)
{
    if (n < least)
        return loom_fail(err, LOOM_EDATA, "%s needs at least %zu values, there are %zu", what,
                         least, n);
    for (size_t i = 0; i < n; i++)
        if (!isfinite(x[i]))
            return loom_fail(err, LOOM_EDATA, "%s needs finite values, value %zu is not", what,
                             i + 1);
    return 0;
}

bool loom_values_constant(const double *x, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (x[i] != x[0])
            return false;
    return true;
}

int loom_values_check_varying(const double *x, size_t n, size_t least, const char *what,
                              struct loom_error *err)
{
    int rc = loom_values_check(x, n, least, what, err);
    if (rc == 0 && (n == 0 || loom_values_constant(x, n)))
        rc = loom_fail(err, LOOM_EDATA, "%s does not exist where all values are the same", what);
    return rc;
}

double *loom_values_copy(const double *x, size_t n)
{
    double *copy = malloc(n * sizeof *copy);
    if (copy)
        memcpy(copy, x, n * sizeof *copy);
    return copy;
}

int loom_sort(double *x, size_t n, struct loom_error *err)
{
    (void)err; /* for callers: nothing is allocated today */
    loom_sort_real(x, n);
    return 0;
}

/* ---- statistics ------------------------------------------------------------------------------ */

/* Neumaier's sum: exact to the last bits for any order and mixture of signs. */
static double sum_of(const double *x, size_t n)
{
    double sum = 0;
    double lost = 0;
    for (size_t i = 0; i < n; i++) {
        double next = sum + x[i];
        lost += fabs(sum) >= fabs(x[i]) ? (sum - next) + x[i] : (x[i] - next) + sum;
        sum = next;
    }
    return sum + lost;
}

static void set_spread(struct loom_moments *out, const double *x, size_t n)
{
    double scale = fmax(out->max - out->mean, out->mean - out->min);
    double m2 = 0;
    double m3 = 0;
    double m4 = 0;
    for (size_t i = 0; i < n; i++) {
        double d = (x[i] - out->mean) / scale;
        m2 += d * d;
        m3 += d * d * d;
        m4 += d * d * d * d;
    }
    double count = (double)n;
    out->sd = scale * sqrt(m2 / (count - 1));
    out->cv = out->mean != 0 ? out->sd / out->mean : 0;
    out->skewness = m3 / count / pow(m2 / count, 1.5);
    out->kurtosis = m4 / count / (m2 / count * (m2 / count)) - 3;
}

int loom_moments(struct loom_moments *out, const double *x, size_t n, struct loom_error *err)
{
    *out = (struct loom_moments){.n = n};
    int rc = loom_values_check(x, n, 1, "a description", err);
    if (rc)
        return rc;
    double *sorted = loom_values_copy(x, n);
    rc = sorted ? loom_sort(sorted, n, err) : loom_fail_memory(err);
    if (rc == 0) {
        out->min = sorted[0];
        out->median = loom_quantile(sorted, n, 0.5);
        out->max = sorted[n - 1];
    }
    free(sorted);
    if (rc)
        return rc;
    out->sum = sum_of(x, n);
    if (!isfinite(out->sum) || out->max - out->min > DBL_MAX)
        return loom_fail(err, LOOM_ERANGE, "the values are too large to be added up");
    /* The rounded mean of equal values need not be that value; here it must, or they would seem to
     * vary. */
    out->mean = out->min < out->max ? out->sum / (double)n : out->min;
    if (out->min < out->max)
        set_spread(out, x, n);
    return 0;
}

double loom_quantile(const double *sorted, size_t n, double p)
{
    if (n == 0)
        return NAN;
    double place = (double)(n - 1) * p;
    if (!(place > 0))
        return sorted[0];
    size_t below = (size_t)place;
    if (below >= n - 1)
        return sorted[n - 1];
    double above = place - (double)below;
    double low = sorted[below];
    double high = sorted[below + 1];
    return low == high ? low : (1 - above) * low + above * high;
}

size_t loom_ecdf(const double *sorted, size_t n, double *values, double *shares)
{
    size_t used = 0;
    for (size_t i = 0; i < n; i++) {
        if (i + 1 < n && sorted[i + 1] == sorted[i])
            continue;
        values[used] = sorted[i];
        shares[used++] = (double)(i + 1) / (double)n;
    }
    return used;
}

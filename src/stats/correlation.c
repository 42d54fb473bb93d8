/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ranks, Pearson's correlation (Minh 2012, eq. 2.2), and Spearman's, which is Pearson's of the
 * ranks.
 *
 * Ranks are looked up: the different values in ascending order with the average rank of each, and
 * a binary search for every value. With the few different values that logs have, the table stays in
 * the cache.
 */
#include "base/search.h"
#include "stats/values.h"

#include <float.h>
#include <workloom/stats.h>

/* Squeeze a sorted sample to its different values, in place, and give each its average rank.
 * Returns how many there are. */
static size_t rank_table(double *sorted, double *ranks, size_t n)
{
    size_t used = 0;
    for (size_t i = 0, j; i < n; i = j) {
        for (j = i + 1; j < n && sorted[j] == sorted[i];)
            j++;
        ranks[used] = ((double)(i + 1) + (double)j) / 2; /* average of i + 1 .. j */
        sorted[used++] = sorted[i];
    }
    return used;
}

int loom_ranks(double *out, const double *x, size_t n, struct loom_error *err)
{
    int rc = loom_values_check(x, n, 1, "a ranking", err);
    if (rc)
        return rc;
    double *values = loom_values_copy(x, n);
    double *ranks = malloc(n * sizeof *ranks);
    rc = values && ranks ? loom_sort(values, n, err) : loom_fail_memory(err);
    if (rc == 0) {
        size_t different = rank_table(values, ranks, n);
        for (size_t i = 0; i < n; i++)
            out[i] = ranks[loom_upper_bound_real(values, different, x[i]) - 1];
    }
    free(values);
    free(ranks);
    return rc;
}

/* Mean, and the largest deviation from it. */
static void correlation_centre(double *mean, double *scale, const double *x, size_t n)
{
    *mean = 0;
    *scale = 0;
    for (size_t i = 0; i < n; i++)
        *mean += x[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        *scale = fmax(*scale, fabs(x[i] / 2 - *mean / 2));
    *scale = fmax(*scale, DBL_MIN);
}

int loom_pearson(double *out, const double *x, const double *y, size_t n, struct loom_error *err)
{
    int rc = loom_values_check_varying(x, n, 2, "a correlation", err);
    if (rc == 0)
        rc = loom_values_check_varying(y, n, 2, "a correlation", err);
    if (rc)
        return rc;
    double mean_x;
    double mean_y;
    double scale_x;
    double scale_y;
    correlation_centre(&mean_x, &scale_x, x, n);
    correlation_centre(&mean_y, &scale_y, y, n);
    double xx = 0;
    double yy = 0;
    double xy = 0;
    for (size_t i = 0; i < n; i++) {
        double dx = (x[i] / 2 - mean_x / 2) / scale_x;
        double dy = (y[i] / 2 - mean_y / 2) / scale_y;
        xx += dx * dx;
        yy += dy * dy;
        xy += dx * dy;
    }
    if (!(xx > 0 && yy > 0))
        return loom_fail(err, LOOM_EDATA, "the values differ too little to be correlated");
    *out = fmax(-1, fmin(1, xy / sqrt(xx) / sqrt(yy)));
    return 0;
}

int loom_spearman(double *out, const double *x, const double *y, size_t n, struct loom_error *err)
{
    double *ranks =
        n > 0 && n <= SIZE_MAX / (2 * sizeof *ranks) ? malloc(2 * n * sizeof *ranks) : NULL;
    if (!ranks)
        return n == 0 ? loom_values_check(x, n, 2, "a correlation", err) : loom_fail_memory(err);
    int rc = loom_ranks(ranks, x, n, err);
    if (rc == 0)
        rc = loom_ranks(ranks + n, y, n, err);
    if (rc == 0)
        rc = loom_pearson(out, ranks, ranks + n, n, err);
    free(ranks);
    return rc;
}

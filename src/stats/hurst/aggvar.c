/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Aggregate variance (variance-time plot): the variance of the means of blocks of m values falls
 * like m^(2H - 2), so H = 1 + slope / 2 (survey section 4.2).
 *
 * Sizes m go from 10^0.7 to 10^2.5, the range of Taqqu, Teverovsky and Willinger (1995), whom Minh
 * 2012 follows, in twenty steps a decade: smaller blocks show the short range, and larger ones are
 * too few. In a short series, m ends where there are ten blocks.
 */
#include "stats/hurst/hurst.h"
#include "stats/values.h"

enum { MOST_SIZES = 64 };

/* sums[i] is the sum of the first i deviations from the mean. */
static double *cumulate(const double *x, size_t n)
{
    double *sums = malloc((n + 1) * sizeof *sums);
    if (!sums)
        return NULL;
    double mean = 0;
    for (size_t i = 0; i < n; i++)
        mean += x[i] / (double)n;
    sums[0] = 0;
    for (size_t i = 0; i < n; i++)
        sums[i + 1] = sums[i] + (x[i] - mean);
    return sums;
}

static double variance_of_means(const double *sums, size_t n, size_t size)
{
    size_t blocks = n / size;
    double mean = sums[blocks * size] / (double)(blocks * size);
    double squares = 0;
    for (size_t i = 0; i < blocks; i++) {
        double d = (sums[(i + 1) * size] - sums[i * size]) / (double)size - mean;
        squares += d * d;
    }
    return squares / (double)(blocks - 1);
}

int loom_hurst_aggvar(struct loom_hurst *out, const double *x, size_t n, struct loom_error *err)
{
    int rc = loom_hurst_begin(out, x, n, MOST_SIZES, err);
    if (rc)
        return rc;
    double *sums = cumulate(x, n);
    if (!sums)
        return loom_hurst_give_up(out, loom_fail_memory(err));
    size_t sizes[MOST_SIZES];
    double high = fmin(pow(10, 2.5), (double)n / 10);
    size_t count = loom_hurst_sizes(sizes, MOST_SIZES, pow(10, 0.7), high, pow(10, 0.05));
    for (size_t i = 0; i < count; i++)
        loom_hurst_point(out, (double)sizes[i], variance_of_means(sums, n, sizes[i]));
    free(sums);
    return loom_hurst_end(out, 1, 0.5, err);
}

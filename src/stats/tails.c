/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Heavy tails, P(X > x) ~ x^-a (survey section 4.1).
 *
 * The log-log complementary distribution (LLCD): log10 of the share of values above x against
 * log10 x, one point for each different value x in the tail but the largest, above which there is
 * nothing. A line through them has the slope -a. If the tail is heavy the slope is the same for
 * sums of successive values; else it gets steeper.
 */
#include "stats/values.h"

#include <workloom/stats.h>

static int check_tail(const double *sorted, size_t n, double fraction, struct loom_error *err)
{
    if (!(fraction > 0 && fraction <= 1))
        return loom_fail(err, LOOM_ERANGE, "a tail is a share above 0 and up to 1, not %g",
                         fraction);
    return loom_values_check(sorted, n, 3, "a tail", err);
}

int loom_llcd_slope(struct loom_line *out, const double *sorted, size_t n, double fraction,
                    struct loom_error *err)
{
    *out = (struct loom_line){0};
    int rc = check_tail(sorted, n, fraction, err);
    if (rc)
        return rc;
    size_t start = n - (size_t)ceil((double)n * fraction);
    if (sorted[start] <= 0)
        return loom_fail(err, LOOM_EDATA,
                         "the logarithm of a tail needs positive values, the largest %g %% begin "
                         "at %g",
                         100 * fraction, sorted[start]);
    double *log_x = malloc((n - start) * sizeof *log_x);
    double *log_y = malloc((n - start) * sizeof *log_y);
    size_t points = 0;
    for (size_t i = start; log_x && log_y && i + 1 < n; i++) {
        if (sorted[i + 1] == sorted[i])
            continue;
        log_x[points] = log10(sorted[i]);
        log_y[points++] = log10((double)(n - 1 - i) / (double)n);
    }
    if (!log_x || !log_y)
        rc = loom_fail_memory(err);
    else if (points < 3)
        rc = loom_fail(err, LOOM_EDATA,
                       "a line through a tail needs four different values, there are %zu",
                       points + 1);
    else
        rc = loom_line_fit(out, log_x, log_y, points, err);
    free(log_x);
    free(log_y);
    return rc;
}

int loom_llcd_aggregated(struct loom_line *out, const double *x, size_t n, size_t block,
                         double fraction, struct loom_error *err)
{
    *out = (struct loom_line){0};
    if (block == 0)
        return loom_fail(err, LOOM_ERANGE, "a block holds at least one value");
    int rc = loom_values_check(x, n / block, 3, "an aggregated tail", err);
    if (rc)
        return rc;
    size_t blocks = n / block;
    double *sums = calloc(blocks, sizeof *sums);
    if (!sums)
        return loom_fail_memory(err);
    for (size_t i = 0; i < blocks * block; i++)
        sums[i / block] += x[i];
    rc = loom_sort(sums, blocks, err);
    if (rc == 0)
        rc = loom_llcd_slope(out, sums, blocks, fraction, err);
    free(sums);
    return rc;
}

/* 1 / a = mean over the k largest of log x - log of the next one below them (Hill 1975). */
int loom_hill(double *out, const double *sorted, size_t n, size_t most, struct loom_error *err)
{
    int rc = loom_values_check(sorted, n, 2, "Hill's estimate", err);
    if (rc)
        return rc;
    if (most == 0 || most >= n)
        return loom_fail(err, LOOM_ERANGE,
                         "Hill's estimate takes the 1 to %zu largest of %zu values, not %zu", n - 1,
                         n, most);
    if (sorted[n - 1 - most] <= 0)
        return loom_fail(err, LOOM_EDATA,
                         "Hill's estimate needs positive values, the %zu largest reach down to %g",
                         most + 1, sorted[n - 1 - most]);
    double gaps = 0; /* sum over the k largest of log x - log x(n - k) */
    for (size_t k = 1; k <= most; k++) {
        gaps += (double)k * log(sorted[n - k] / sorted[n - 1 - k]);
        out[k - 1] = gaps > 0 ? (double)k / gaps : INFINITY;
    }
    return 0;
}

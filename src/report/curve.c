/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Curves that several figures show. They are thinned: a step of a distribution is kept if it moves
 * the curve by a few hundredths of an inch in either direction, so that a curve has some hundreds
 * of points however long the log is.
 */
#include "base/civil.h"
#include "report/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- distributions --------------------------------------------------------------------------- */

/* The part of a whole curve by which two points differ, in the direction in which they differ
 * more. */
struct scale {
    double x, y; /* length of the axes, in log10 or as they are */
    bool log_y;
};

static double distance(const struct scale *scale, double x0, double y0, double x1, double y1)
{
    double dx = fabs(log10(x1) - log10(x0)) / scale->x;
    double dy = fabs(scale->log_y ? log10(y1) - log10(y0) : y1 - y0) / scale->y;
    return dx > dy ? dx : dy;
}

/* The end of the values equal to the one at a place. */
static size_t run_end(const double *sorted, size_t n, size_t at)
{
    size_t end = at + 1;
    while (end < n && sorted[end] == sorted[at])
        end++;
    return end;
}

static double height(size_t below, size_t n, bool survival)
{
    double share = (double)below / (double)n;
    return survival ? 1 - share : share;
}

/* The values from .. end - 1. */
static void write_steps(struct loom_sheet *sheet, const double *sorted, size_t n, size_t from,
                        size_t end, bool survival)
{
    double step = 2.0 / LOOM_CURVE_POINTS, x0 = 0, y0 = 0;
    struct scale scale = {.x = log10(sorted[end - 1] / sorted[from]) + 1e-9, .y = 1, survival};
    if (survival)
        scale.y = log10(height(run_end(sorted, n, from), n, true) / height(end, n, true)) + 1e-9;
    for (size_t i = from, next; i < end; i = next) {
        next = run_end(sorted, n, i);
        double x = sorted[i], y = height(next, n, survival);
        if (i > from && next < end && distance(&scale, x0, y0, x, y) < step)
            continue;
        loom_sheet_row(sheet, x, y);
        x0 = x;
        y0 = y;
    }
}

void loom_curve_cdf(struct loom_sheet *sheet, const char *series, const char *x,
                    const double *sorted, size_t n, double least, bool survival)
{
    char columns[80];
    size_t from = 0, end = n;
    snprintf(columns, sizeof columns, "%s,%s", x, survival ? "share_above" : "share");
    loom_sheet_block(sheet, series, columns);
    while (from < n && sorted[from] < least)
        from++;
    /* No value is above the largest, and 0 has no place on a logarithmic axis. */
    while (survival && end > from && sorted[end - 1] == sorted[n - 1])
        end--;
    if (from >= end)
        return;
    if (sorted[from] > least) { /* up to the first value that is shown, the curve is level */
        loom_sheet_row(sheet, least, height(from, n, survival));
        loom_sheet_row(sheet, sorted[from], height(from, n, survival));
    }
    write_steps(sheet, sorted, n, from, end, survival);
}

/* ---- power laws ------------------------------------------------------------------------------ */

/* The end of the bin that starts at a whole number: each number alone up to 10, then bins of about
 * a tenth of a decade. */
static double bin_end(double start)
{
    return start < 10 ? start + 1 : floor(start * 1.25) + 1;
}

static double middle(double start, double end)
{
    return sqrt(start * (end - 1));
}

static void write_frequencies(struct loom_sheet *sheet, const char *columns, const double *sorted,
                              size_t n)
{
    size_t i = 0;
    loom_sheet_block(sheet, "this log", columns);
    for (double start = 1; i < n; start = bin_end(start)) {
        size_t before = i;
        double end = bin_end(start);
        while (i < n && sorted[i] < end)
            i++;
        if (i > before)
            loom_sheet_row(sheet, middle(start, end), (double)(i - before) / (end - start));
    }
}

int loom_curve_zipf(struct loom_sheet *sheet, const char *columns, double *values, size_t n,
                    struct loom_error *err)
{
    struct loom_fit fit;
    int rc = loom_sort(values, n, err);
    if (rc)
        return rc;
    if (values[n - 1] <= 1)
        return loom_sheet_skip(sheet, "all lengths are 1");
    write_frequencies(sheet, columns, values, n);
    rc = loom_dist_fit(&fit, "zipf", values, NULL, n, err);
    if (rc)
        return rc == LOOM_ENOMEM ? rc : loom_sheet_skip(sheet, "no Zipf distribution fits");
    loom_sheet_set(sheet, "fitted = 'Zipf, exponent %.2f'\n", fit.dist.params[0]);
    loom_sheet_block(sheet, "Zipf", columns);
    for (double x = 1; x <= values[n - 1]; x = bin_end(x))
        loom_sheet_row(sheet, x, (double)n * loom_dist_density(&fit.dist, x));
    return 0;
}

void loom_curve_line(struct loom_sheet *sheet, const char *columns, const struct loom_hurst *hurst)
{
    double low = INFINITY, high = -INFINITY;
    loom_sheet_block(sheet, "this log", columns);
    for (size_t i = 0; i < hurst->points; i++) {
        loom_sheet_row(sheet, hurst->log_x[i], hurst->log_y[i]);
        low = fmin(low, hurst->log_x[i]);
        high = fmax(high, hurst->log_x[i]);
    }
    loom_sheet_set(sheet, "fitted = 'fitted: H = %.2f'\n", hurst->h);
    loom_sheet_block(sheet, "fitted", columns);
    for (int end = 0; end < 2; end++) {
        double x = end ? high : low;
        loom_sheet_row(sheet, x, hurst->line.intercept + hurst->line.slope * x);
    }
}

/* ---- dependence ------------------------------------------------------------------------------ */

int loom_curve_acf(struct loom_sheet *sheet, const char *series, const double *counts, size_t n,
                   int64_t interval_s, struct loom_error *err)
{
    size_t most = (size_t)(LOOM_ACF_DAYS * (int64_t)LOOM_DAY_S / interval_s);
    most = most < n ? most : n - 1;
    if ((int64_t)most * interval_s < LOOM_DAY_S)
        return loom_sheet_skip(sheet, "the log is not longer than a day");
    double *values = malloc((most + 1) * sizeof *values);
    int rc = values ? loom_acf(values, counts, n, most, err) : loom_fail_memory(err);
    if (!rc)
        loom_sheet_block(sheet, series, "lag_days,autocorrelation");
    for (size_t lag = 1; lag <= most && !rc; lag++)
        loom_sheet_row(sheet, (double)lag * (double)interval_s / LOOM_DAY_S, values[lag]);
    free(values);
    return rc;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Figures of what large values do to statistics (survey 3.2 and 4.1): moments without the largest
 * ones, the mean as values come in, and the mean residual life.
 */
#include "report/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- sensitivity (survey, table 1) ----------------------------------------------------------- */

static double percent(double value, double of)
{
    return of > 0 ? 100 * (value / of - 1) : NAN;
}

/* Rows without the 0, 5, 10, ... 160 largest of the ascending values. */
static int write_sensitivity(struct loom_sheet *sheet, const char *series, const double *sorted,
                             size_t n, struct loom_error *err)
{
    static const size_t omitted[] = {0, 5, 10, 20, 40, 80, 160};
    struct loom_moments all = {0}, rest;
    loom_sheet_block(sheet, series,
                     "omitted,omitted_percent,mean,mean_change_percent,cv,cv_change_percent,median,"
                     "median_change_percent");
    for (size_t i = 0; i < sizeof omitted / sizeof *omitted && omitted[i] + 2 < n; i++) {
        int rc = loom_moments(&rest, sorted, n - omitted[i], err);
        if (rc)
            return rc;
        if (i == 0)
            all = rest;
        const double values[] = {(double)omitted[i],
                                 100 * (double)omitted[i] / (double)n,
                                 rest.mean,
                                 percent(rest.mean, all.mean),
                                 rest.cv,
                                 percent(rest.cv, all.cv),
                                 rest.median,
                                 percent(rest.median, all.median)};
        loom_sheet_record(sheet, values, sizeof values / sizeof *values);
    }
    return 0;
}

static int sensitivity(struct loom_sheet *sheet, const struct loom_subject *subject,
                       struct loom_error *err)
{
    static const struct {
        const char *column, *series;
    } columns[] = {{"runtime", "runtime (s)"},
                   {"procs", "processors"},
                   {"work", "processor-seconds"},
                   {"interarrival", "interarrival time (s)"}};
    int rc = 0;
    for (size_t i = 0; i < sizeof columns / sizeof *columns && !rc; i++) {
        double *x = NULL;
        size_t n = 0;
        rc = loom_values_of(&x, &n, subject->jobs.trace, columns[i].column, err);
        if (!rc)
            rc = loom_sort(x, n, err);
        if (!rc && n > 2)
            rc = write_sensitivity(sheet, columns[i].series, x, n, err);
        free(x);
    }
    return rc || sheet->rows > 0 ? rc : loom_sheet_skip(sheet, "there are fewer than three jobs");
}

/* ---- the running mean (survey, figure 4) ----------------------------------------------------- */

enum { ORDERS = 3 };

static void write_means(struct loom_sheet *sheet, const char *series, const double *x, size_t n)
{
    double sum = 0, next = 1, factor = pow((double)n, 1.0 / LOOM_CURVE_POINTS);
    loom_sheet_block(sheet, series, "jobs,mean_runtime_s");
    for (size_t i = 0; i < n; i++) {
        sum += x[i];
        if ((double)(i + 1) < next && i + 1 < n)
            continue;
        loom_sheet_row(sheet, (double)(i + 1), sum / (double)(i + 1));
        while (next <= (double)(i + 1))
            next *= factor;
    }
}

static void mix(double *x, size_t n, uint64_t seed, int order)
{
    struct loom_stream stream;
    loom_stream_init(&stream, seed, (uint64_t)order, "running mean");
    for (size_t i = n; i > 1; i--) {
        size_t other = (size_t)loom_stream_below(&stream, i);
        double kept = x[i - 1];
        x[i - 1] = x[other];
        x[other] = kept;
    }
}

static int running_mean(struct loom_sheet *sheet, const struct loom_subject *subject,
                        struct loom_error *err)
{
    double *x = NULL;
    size_t n = 0;
    char series[LOOM_SERIES_SIZE];
    int rc = loom_values_of(&x, &n, subject->jobs.trace, "runtime", err);
    if (!rc && n < 10)
        loom_sheet_skip(sheet, "fewer than ten jobs have a runtime");
    else if (!rc) {
        write_means(sheet, "as submitted", x, n);
        for (int order = 1; order <= ORDERS; order++) {
            mix(x, n, subject->seed, order);
            snprintf(series, sizeof series, "random order %d", order);
            write_means(sheet, series, x, n);
        }
    }
    free(x);
    return rc;
}

/* ---- mean residual life ---------------------------------------------------------------------- */

enum { LEAST_LEFT = 20 };

/* At times evenly spaced in the logarithm: the mean of what is left of the runtimes above, as long
 * as there are enough of them; and the mean runtime, which it is at all times for exponential
 * ones. */
static int residual_life(struct loom_sheet *sheet, const struct loom_subject *subject,
                         struct loom_error *err)
{
    const struct loom_sorted *sorted = &subject->runtimes;
    double left = 0, mean;
    size_t next = 0;
    (void)err;
    for (size_t i = 0; i < sorted->n; i++)
        left += sorted->x[i];
    if (sorted->n < 5 * LEAST_LEFT)
        return loom_sheet_skip(sheet, "fewer than 100 jobs have a runtime");
    if (sorted->x[0] >= sorted->x[sorted->n - 1])
        return loom_sheet_skip(sheet, "all runtimes are equal");
    mean = left / (double)sorted->n;
    double factor = pow(fmax(sorted->x[sorted->n - 1], 2), 1.0 / LOOM_CURVE_POINTS), last = 1;
    loom_sheet_block(sheet, "this log", "age_s,mean_residual_s,jobs_left");
    for (double age = 1; sorted->n - next >= LEAST_LEFT; age *= factor) {
        while (next < sorted->n && sorted->x[next] <= age)
            left -= sorted->x[next++];
        double jobs = (double)(sorted->n - next);
        if (jobs >= LEAST_LEFT) {
            loom_sheet_row3(sheet, age, left / jobs - age, jobs);
            last = age;
        }
    }
    loom_sheet_block(sheet, "exponential", NULL);
    loom_sheet_row3(sheet, 1, mean, (double)sorted->n);
    loom_sheet_row3(sheet, last, mean, (double)sorted->n);
    return 0;
}

const struct loom_figure_ops loom_figures_moments[] = {
    {.name = "sensitivity",
     .section = "tails",
     .title = "Sensitivity to the largest values",
     .caption =
         "Mean, coefficient of variation and median without the 5 to 160 largest values, and by "
         "how much each changes: high moments depend on few values, the median does not.",
     .data = sensitivity},
    {.name = "running-mean",
     .section = "tails",
     .title = "Running mean of runtimes",
     .caption =
         "Mean runtime of the first jobs, as many as the axis says, in order of submission and in "
         "three random orders. Where the tail is heavy, the mean jumps with each very long job and "
         "does not settle.",
     .data = running_mean,
     .script = LOOM_LOG_X LOOM_TIME_Y
     "set xlabel 'jobs'\nset ylabel 'mean runtime'\nset key bottom right\n"
     "plot for [i=0:3] data index i using 1:2 with lines linestyle i+1 \\\n"
     "         linewidth (i == 0 ? 2 : 1) title columnheader(2)\n"},
    {.name = "residual-life",
     .section = "tails",
     .title = "Mean residual life",
     .caption =
         "How long a job still runs on average once it has run for the given time. It falls with a "
         "short tail, stays at the mean for exponential runtimes (dashed), and rises with a heavy "
         "tail: jobs that have run long will run longer.",
     .data = residual_life,
     .script = LOOM_TIME_X LOOM_TIME_Y
     "set xlabel 'time run so far'\nset ylabel 'mean time left'\nset key top left\n"
     "plot data index 0 using 1:2 with lines linestyle 1 title columnheader(2), \\\n"
     "     '' index 1 using 1:2 with lines linestyle 2 title columnheader(2)\n"},
    {.name = NULL},
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Arrivals at several time scales (survey, figure 5): the number of jobs in successive intervals,
 * each panel with intervals ten times as long as the one above. Each panel has the same number of
 * intervals, around the job in the middle of the log, and so spans ten times the time. Arrivals
 * without memory get smooth from panel to panel; self-similar ones do not.
 */
#include "features/rate.h"
#include "report/figure.h"

#include <math.h>
#include <stdlib.h>

enum { PANELS = 4, INTERVALS = 240 };

static void panel(struct loom_sheet *sheet, const struct loom_workload *jobs, const char *series,
                  int64_t length_s)
{
    int64_t middle_s = jobs->submit_s[jobs->n / 2] - jobs->submit_s[0];
    int64_t most = jobs->span_s / length_s + 1;
    int64_t first = middle_s / length_s - INTERVALS / 2;
    first = first < most - INTERVALS ? first : most - INTERVALS;
    first = first > 0 ? first : 0;
    double counts[INTERVALS] = {0};
    for (size_t i = 0; i < jobs->n; i++) {
        int64_t interval = (jobs->submit_s[i] - jobs->submit_s[0]) / length_s - first;
        if (interval >= 0 && interval < INTERVALS)
            counts[interval]++;
    }
    loom_sheet_block(sheet, series, "interval,jobs");
    for (int i = 0; i < INTERVALS; i++)
        if (first + i < most)
            loom_sheet_row(sheet, i, counts[i]);
}

static int scales(struct loom_sheet *sheet, const struct loom_subject *subject,
                  struct loom_error *err)
{
    static const int64_t lengths_s[PANELS] = {36, 360, 3600, 36000};
    static const char *const names[PANELS] = {"36 s", "6 min", "1 h", "10 h"};
    (void)err;
    if (subject->jobs.n < 2 || subject->jobs.span_s < 10 * lengths_s[PANELS - 1])
        return loom_sheet_skip(sheet, "the log is shorter than four days");
    for (int i = 0; i < PANELS; i++)
        panel(sheet, &subject->jobs, names[i], lengths_s[i]);
    return 0;
}

/* ---- the rate process at several intervals (Minh 2012, tables 4.1 and 4.2)
 * -----------------------
 */

typedef int estimator_fn(struct loom_hurst *out, const double *x, size_t n, struct loom_error *err);

/* NAN where the series is too short. */
static int estimate(double *out, estimator_fn *estimator, const double *rate, size_t n,
                    struct loom_error *err)
{
    struct loom_hurst hurst = {0};
    int rc = estimator(&hurst, rate, n, err);
    *out = rc ? NAN : hurst.h;
    loom_hurst_free(&hurst);
    return rc == LOOM_ENOMEM ? rc : 0;
}

static int write_interval(struct loom_sheet *sheet, const struct loom_workload *jobs,
                          int64_t interval_s, struct loom_error *err)
{
    static estimator_fn *const estimators[] = {loom_hurst_aggvar, loom_hurst_rs,
                                               loom_hurst_periodogram};
    double *rate = NULL, h[3], zeros = 0, squares = 0;
    size_t n = 0;
    int rc = loom_rate_create(&rate, &n, jobs->submit_s, jobs->n, interval_s, err);
    for (size_t i = 0; i < n && !rc; i++)
        zeros += rate[i] <= 0;
    for (int i = 0; i < 3 && !rc; i++)
        rc = estimate(&h[i], estimators[i], rate, n, err);
    free(rate);
    if (rc)
        return rc;
    double mean = (h[0] + h[1] + h[2]) / 3;
    for (int i = 0; i < 3; i++)
        squares += (h[i] - mean) * (h[i] - mean);
    loom_sheet_record(sheet,
                      (const double[]){(double)interval_s, (double)n, zeros / (double)n, mean,
                                       sqrt(squares / 2), h[0], h[1], h[2]},
                      8);
    return 0;
}

static int intervals(struct loom_sheet *sheet, const struct loom_subject *subject,
                     struct loom_error *err)
{
    static const int64_t lengths_s[] = {900, 1800, 3600, 7200};
    int64_t own_s = subject->definitions.rate_interval_s;
    bool listed = false;
    int rc = 0;
    if (subject->jobs.n < 2)
        return loom_sheet_skip(sheet, "there are fewer than two jobs");
    loom_sheet_block(sheet, NULL,
                     "interval_s,intervals,zero_fraction,hurst_mean,hurst_sd,hurst_aggvar,hurst_rs,"
                     "hurst_periodogram");
    for (size_t i = 0; i < sizeof lengths_s / sizeof *lengths_s && !rc; i++) {
        listed |= lengths_s[i] == own_s;
        rc = write_interval(sheet, &subject->jobs, lengths_s[i], err);
    }
    return rc || listed ? rc : write_interval(sheet, &subject->jobs, own_s, err);
}

const struct loom_figure_ops loom_figures_scales[] = {
    {.name = "arrivals-scales",
     .section = "arrivals",
     .title = "Arrivals at several time scales",
     .caption =
         "Jobs in 240 successive intervals of 36 seconds, 6 minutes, 1 hour and 10 hours, around "
         "the middle of the log. Arrivals without memory would get smoother from panel to "
         "panel; self-similar ones stay bursty.",
     .data = scales,
     .height = 0.95,
     .script =
         "array length[4] = ['36 s', '6 min', '1 h', '10 h']\n"
         "# Two or three ticks for each panel.\n"
         "unit(m) = 10 ** floor(log10(m))\n"
         "tick(m) = m / unit(m) >= 4 ? 2 * unit(m) : m / unit(m) >= 2 ? unit(m) : 0.5 * unit(m)\n"
         "set multiplot layout 4,1 margins char 9,2,3.5,0.5 spacing char 0,1.2\n"
         "set xrange [-1:240]\nset format x ''\nset grid noxtics\nunset key\n"
         "do for [i=1:4] {\n"
         "    if (i == 4) { set format x '%g'; set xlabel 'interval' }\n"
         "    set yrange [*:*]\n"
         "    stats data index i-1 using 2 nooutput\n"
         "    top = STATS_max > 1 ? STATS_max : 1\n"
         "    set yrange [0:top * 1.05]\n"
         "    set ytics 0,tick(top)\n"
         "    set ylabel 'per '.length[i] offset 0.5,0\n"
         "    plot data index i-1 using 1:2 with impulses linecolor rgb '#0072B2' linewidth 1.2\n"
         "}\n"
         "unset multiplot\n"},
    {.name = "rate-intervals",
     .section = "arrivals",
     .title = "The rate process at several intervals",
     .caption =
         "Share of intervals without arrivals, and the Hurst parameter of the number of arrivals: "
         "mean and standard deviation of three estimates, and each of them.",
     .data = intervals},
    {.name = NULL},
};

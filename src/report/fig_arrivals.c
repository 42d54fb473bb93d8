/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of arrivals: the times between them, their cycles, and their dependence over long times.
 */
#include "base/civil.h"
#include "features/rate.h"
#include "report/figure.h"

#include <math.h>
#include <stdlib.h>

/* ---- times between arrivals ------------------------------------------------------------------ */

static int write_gaps(struct loom_sheet *sheet, const struct loom_workload *jobs, bool survival,
                      double *longest_s, struct loom_error *err)
{
    size_t n = jobs->n - 1;
    double *gaps_s = malloc(n * sizeof *gaps_s);
    if (!gaps_s)
        return loom_fail_memory(err);
    for (size_t i = 0; i < n; i++)
        gaps_s[i] = (double)(jobs->submit_s[i + 1] - jobs->submit_s[i]);
    int rc = loom_sort(gaps_s, n, err);
    if (!rc) {
        loom_curve_cdf(sheet, "this log", "interarrival_s", gaps_s, n, 1, survival);
        *longest_s = gaps_s[n - 1];
    }
    free(gaps_s);
    return rc;
}

static int interarrival(struct loom_sheet *sheet, const struct loom_subject *subject, bool survival,
                        struct loom_error *err)
{
    const struct loom_workload *jobs = &subject->jobs;
    if (jobs->n < 3)
        return loom_sheet_skip(sheet, "there are fewer than three jobs");
    if (jobs->span_s <= 0)
        return loom_sheet_skip(sheet, "all jobs arrive in the same second");
    double n = (double)(jobs->n - 1), mean_s = (double)jobs->span_s / n, longest_s = 0;
    int rc = write_gaps(sheet, jobs, survival, &longest_s, err);
    if (rc)
        return rc;
    /* A Poisson process of the same rate, for comparison. */
    loom_sheet_block(sheet, "Poisson process", NULL);
    for (double x = 1; x <= longest_s * 1.1; x *= 1.05) {
        double above = exp(-x / mean_s);
        if (!survival || above > 0.2 / n)
            loom_sheet_row(sheet, x, survival ? above : 1 - above);
    }
    return 0;
}

static int interarrival_cdf(struct loom_sheet *sheet, const struct loom_subject *subject,
                            struct loom_error *err)
{
    return interarrival(sheet, subject, false, err);
}

static int interarrival_ccdf(struct loom_sheet *sheet, const struct loom_subject *subject,
                             struct loom_error *err)
{
    return interarrival(sheet, subject, true, err);
}

/* ---- the rate process ------------------------------------------------------------------------ */

static int rate_of(double **rate, size_t *n, struct loom_sheet *sheet,
                   const struct loom_subject *subject, int64_t interval_s, struct loom_error *err)
{
    if (subject->jobs.n < 2)
        return loom_sheet_skip(sheet, "there are fewer than two jobs");
    return loom_rate_create(rate, n, subject->jobs.submit_s, subject->jobs.n, interval_s, err);
}

static int acf(struct loom_sheet *sheet, const struct loom_subject *subject, struct loom_error *err)
{
    int64_t interval_s = subject->definitions.rate_interval_s;
    double *rate = NULL;
    size_t n = 0;
    int rc = rate_of(&rate, &n, sheet, subject, interval_s, err);
    if (!rc && !sheet->reason)
        rc = loom_curve_acf(sheet, "this log", rate, n, interval_s, err);
    free(rate);
    if (rc || sheet->reason)
        return rc;
    /* What noise without dependence would stay within 95 times in 100. */
    double days = fmin(LOOM_ACF_DAYS, (double)(n - 1) * (double)interval_s / LOOM_DAY_S);
    loom_sheet_block(sheet, "noise", NULL);
    loom_sheet_row(sheet, 0, 1.96 / sqrt((double)n));
    loom_sheet_row(sheet, days, 1.96 / sqrt((double)n));
    return 0;
}

typedef int estimator_fn(struct loom_hurst *out, const double *x, size_t n, struct loom_error *err);

static int hurst(struct loom_sheet *sheet, const struct loom_subject *subject,
                 estimator_fn *estimate, const char *columns, double reference,
                 struct loom_error *err)
{
    double *rate = NULL;
    size_t n = 0;
    struct loom_hurst result = {0};
    /* The pox plot goes by hours, whatever the interval. */
    bool by_hours = estimate == loom_rate_pox;
    int rc = rate_of(&rate, &n, sheet, subject,
                     by_hours ? LOOM_RATE_S : subject->definitions.rate_interval_s, err);
    if (rc || sheet->reason)
        return rc;
    rc = estimate(&result, rate, n, err);
    free(rate);
    if (rc)
        return rc;
    loom_curve_line(sheet, columns, &result);
    /* What arrivals without memory would show, from the same first point on. */
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < result.points; i++) {
        low = fmin(low, result.log_x[i]);
        high = fmax(high, result.log_x[i]);
    }
    double start = result.line.intercept + result.line.slope * low;
    loom_sheet_block(sheet, "no memory", columns);
    loom_sheet_row(sheet, low, start);
    loom_sheet_row(sheet, high, start + reference * (high - low));
    loom_hurst_free(&result);
    return 0;
}

/* Zakay chapter 3, 5.3: block sizes a factor of 1.2 apart. */
static int pox(struct loom_sheet *sheet, const struct loom_subject *subject, struct loom_error *err)
{
    return hurst(sheet, subject, loom_rate_pox, "log10_block_h,log10_rs", 0.5, err);
}

static int variance_time(struct loom_sheet *sheet, const struct loom_subject *subject,
                         struct loom_error *err)
{
    return hurst(sheet, subject, loom_hurst_aggvar, "log10_m,log10_variance", -1, err);
}

/* ---- cycles ---------------------------------------------------------------------------------- */

enum { DAYS = 7, HOURS = 24 };

/* Return why jobs cannot be classified by the clock, or NULL. */
static const char *no_clock(const struct loom_subject *subject)
{
    if (subject->jobs.n == 0)
        return "there are no jobs";
    return subject->clock_known ? NULL
                                : "the header does not say when the log starts (UnixStartTime), so "
                                  "hours are not known";
}

static double share(const struct loom_subject *subject, double jobs)
{
    return jobs / (double)subject->jobs.n;
}

static int arrivals_by_hour(struct loom_sheet *sheet, const struct loom_subject *subject,
                            struct loom_error *err)
{
    (void)err;
    if (no_clock(subject))
        return loom_sheet_skip(sheet, no_clock(subject));
    loom_sheet_block(sheet, NULL, "hour,share_weekdays,share_weekend");
    for (int hour = 0; hour < HOURS; hour++) {
        double working = 0, weekend = 0;
        for (int day = 0; day < DAYS; day++)
            *(day < 5 ? &working : &weekend) += subject->by_clock[day][hour];
        loom_sheet_row3(sheet, hour, share(subject, working), share(subject, weekend));
    }
    return 0;
}

static int by_weekday(struct loom_sheet *sheet, const struct loom_subject *subject,
                      struct loom_error *err)
{
    (void)err;
    if (no_clock(subject))
        return loom_sheet_skip(sheet, no_clock(subject));
    loom_sheet_block(sheet, NULL, "weekday,share");
    for (int day = 0; day < DAYS; day++) {
        double sum = 0;
        for (int hour = 0; hour < HOURS; hour++)
            sum += subject->by_clock[day][hour];
        loom_sheet_row(sheet, day, share(subject, sum));
    }
    return 0;
}

const struct loom_figure_ops loom_figures_arrivals[] = {
    {.name = "arrivals-hour",
     .section = "arrivals",
     .title = "Arrivals by hour of the day",
     .caption = "Share of all jobs that arrive in each hour, in local time; working days below, "
                "weekends on top.",
     .data = arrivals_by_hour,
     .script = "set style data histograms\nset style histogram rowstacked\nset boxwidth 0.8\n"
               "set xlabel 'hour of the day (local time)'\nset ylabel 'share of jobs (%)'\n"
               "set xrange [-0.6:23.6]\nset yrange [0:*]\nset grid noxtics\n"
               "set xtics 0,3\nset key above\n"
               "plot data using (100 * $2) linecolor rgb '#0072B2' title 'Monday to Friday', \\\n"
               "     '' using (100 * $3) linecolor rgb '#E69F00' title 'Saturday and Sunday'\n"},
    {.name = "arrivals-weekday",
     .section = "arrivals",
     .title = "Arrivals by day of the week",
     .caption = "Share of all jobs that arrive on each day of the week, in local time. The line is "
                "where all days would be if they were alike.",
     .data = by_weekday,
     .script = "set ylabel 'share of jobs (%)'\nset xrange [-0.6:6.6]\nset yrange [0:*]\n"
               "set xtics ('Mon' 0, 'Tue' 1, 'Wed' 2, 'Thu' 3, 'Fri' 4, 'Sat' 5, 'Sun' 6)\n"
               "set grid noxtics\nset boxwidth 0.7\n"
               "plot data using 1:(100 * $2) with boxes linecolor rgb '#0072B2' notitle, \\\n"
               "     100.0 / 7 linestyle 9 notitle\n"},
    {.name = "interarrival-cdf",
     .section = "arrivals",
     .title = "Interarrival times",
     .caption =
         "Share of jobs that follow the job before within the given time. The curve starts at "
         "the share of those that follow within a second. Arrivals without memory, at the same "
         "mean rate, would follow the dashed curve.",
     .data = interarrival_cdf,
     .script = LOOM_TIME_X
     "set xrange [1:*]\nset yrange [0:1]\nset xlabel 'interarrival time'\n"
     "set ylabel 'P(X ≤ x)'\nset key bottom right\n"
     "plot data index 0 using 1:2 with steps linestyle 1 title columnheader(2), \\\n"
     "     '' index 1 using 1:2 with lines linestyle 2 title columnheader(2)\n"},
    {.name = "interarrival-ccdf",
     .section = "arrivals",
     .title = "Long interarrival times",
     .caption =
         "Share of jobs that come later than the given time after the job before, with both "
         "axes logarithmic. Where the curve stays above that of a Poisson process of the same "
         "mean rate, long pauses are more frequent than chance would have them.",
     .data = interarrival_ccdf,
     .script = LOOM_TIME_X LOOM_LOG_Y
     "set xrange [1:*]\nset xlabel 'interarrival time'\nset ylabel 'P(X > x)'\n"
     "set key bottom left\n"
     "plot data index 0 using 1:2 with lines linestyle 1 title columnheader(2), \\\n"
     "     '' index 1 using 1:2 with lines linestyle 2 title columnheader(2)\n"},
    {.name = "arrivals-acf",
     .section = "arrivals",
     .title = "Autocorrelation of arrivals",
     .caption =
         "Autocorrelation of the number of arrivals in intervals of T (15 minutes unless set "
         "otherwise). Thin lines mark "
         "days, thick lines weeks: a peak there is a daily or weekly cycle. Independent arrivals "
         "would stay below the dashed line 39 times in 40; a curve that stays above it for days "
         "hints at long-range dependence. The steep start may be cut off.",
     .data = acf,
     .script =
         "set xlabel 'lag (days)'\nset ylabel 'autocorrelation'\nset xtics 1\n"
         "set xrange [0:*]\nset xzeroaxis linestyle 9 dashtype 1\nset grid noxtics\n"
         "do for [day=1:15] {\n"
         "    set arrow from day, graph 0 to day, graph 1 nohead back \\\n"
         "        linecolor rgb (day % 7 ? '#dddddd' : '#999999') linewidth (day % 7 ? 0.6 : 1.4)\n"
         "}\n"
         "stats data index 0 using ($1 > 0.5 ? $2 : NaN) nooutput\n"
         "set yrange [*:STATS_max < 0.5 ? STATS_max * 2 : 1]\n"
         "plot data index 0 using 1:2 with lines linestyle 1 linewidth 1.2 notitle, \\\n"
         "     '' index 1 using 1:2 with lines linestyle 9 notitle\n"},
    {.name = "hurst-pox",
     .section = "arrivals",
     .title = "Pox plot",
     .caption = "Rescaled range of the number of arrivals in blocks of hours, against "
                "the length of the block; the slope of the line is the Hurst parameter H. Arrivals "
                "without memory would follow a slope of 0.5, as the dashed line has.",
     .data = pox,
     .script =
         "set xlabel 'log_{10} of the block length (hours)'\n"
         "set ylabel 'log_{10} R/S'\nset key top left\n"
         "plot data index 0 using 1:2 with points linestyle 1 linecolor rgb '#6fa8cc' notitle, \\\n"
         "     '' index 1 using 1:2 with lines linestyle 7 dashtype 1 \\\n"
         "         title fitted, \\\n"
         "     '' index 2 using 1:2 with lines linestyle 2 title 'slope 0.5 (H = 0.5)'\n"},
    {.name = "variance-time",
     .section = "arrivals",
     .title = "Variance-time plot",
     .caption =
         "Variance of the mean number of arrivals over m intervals of T (15 minutes unless set "
         "otherwise), against m; "
         "the slope of the line is 2H − 2. Arrivals without memory would follow a slope of −1, as "
         "the dashed line has.",
     .data = variance_time,
     .script =
         "set xlabel 'log_{10} m'\nset ylabel 'log_{10} of the variance'\nset key bottom left\n"
         "plot data index 0 using 1:2 with points linestyle 1 pointsize 0.6 notitle, \\\n"
         "     '' index 1 using 1:2 with lines linestyle 7 dashtype 1 \\\n"
         "         title fitted, \\\n"
         "     '' index 2 using 1:2 with lines linestyle 2 title 'slope −1 (H = 0.5)'\n"},
    {.name = NULL},
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Figures of the time between like jobs, of the dependence of bag arrivals and bag runtimes, and of
 * the variation of runtimes in bags (Minh 2010, section IV; Minh 2012, 3.2, 3.4 to 3.6).
 */
#include "features/rate.h"
#include "report/figure.h"

#include <workloom/stats.h>

#include <math.h>
#include <stdlib.h>

/* ---- times between like jobs ----------------------------------------------------------------- */

/* Has the job ended when the next one comes? Not where it is not known. */
static bool has_ended(const struct loom_workload *jobs, size_t i, int64_t when_s)
{
    if (jobs->wait_s[i] < 0 || jobs->run_s[i] < 0)
        return false;
    return (double)jobs->submit_s[i] + (double)jobs->wait_s[i] + (double)jobs->run_s[i] <
           (double)when_s;
}

/* Like jobs in a row are a bag without a limit to its gaps. */
static int write_like(struct loom_sheet *sheet, const char *series,
                      const struct loom_workload *jobs, const struct loom_bags *alike, bool all,
                      struct loom_error *err)
{
    double *gaps_s = malloc(jobs->n * sizeof *gaps_s);
    size_t n = 0;
    if (!gaps_s)
        return loom_fail_memory(err);
    for (size_t b = 0; b < alike->count; b++)
        for (size_t i = alike->first[b]; i + 1 < alike->first[b + 1]; i++)
            if (all || !has_ended(jobs, i, jobs->submit_s[i + 1]))
                gaps_s[n++] = (double)(jobs->submit_s[i + 1] - jobs->submit_s[i]);
    int rc = loom_sort(gaps_s, n, err);
    if (!rc && n > 0)
        loom_curve_cdf(sheet, series, "gap_s", gaps_s, n, 1, false);
    free(gaps_s);
    return rc;
}

static int like_jobs(struct loom_sheet *sheet, const struct loom_subject *subject,
                     struct loom_error *err)
{
    const struct loom_workload *jobs = &subject->jobs;
    struct loom_bags *alike = NULL;
    if (jobs->n == 0)
        return loom_sheet_skip(sheet, "there are no jobs");
    int rc = loom_bags_create(&alike, jobs->trace, INT64_MAX, err);
    if (!rc)
        rc = write_like(sheet, "all", jobs, alike, true, err);
    if (!rc && sheet->rows == 0)
        loom_sheet_skip(sheet, "no two successive jobs of a user are alike");
    else if (!rc)
        rc = write_like(sheet, "before the first ended", jobs, alike, false, err);
    loom_sheet_set(sheet, "gap = %g\n", (double)subject->definitions.bag_gap_s);
    loom_bags_destroy(alike);
    return rc;
}

/* ---- autocorrelation ------------------------------------------------------------------------- */

enum { LAGS = 200 };

/* A block of the autocorrelation at lags of 1 to LAGS; none if the series is short or constant. */
static int write_acf(struct loom_sheet *sheet, const char *series, const double *x, size_t n,
                     struct loom_error *err)
{
    double values[LAGS + 1];
    size_t most = n > LAGS ? LAGS : n > 0 ? n - 1 : 0;
    int rc = most >= 10 ? loom_acf(values, x, n, most, err) : LOOM_EDATA;
    if (rc)
        return rc == LOOM_ENOMEM ? rc : 0;
    loom_sheet_block(sheet, series, "lag,autocorrelation");
    for (size_t lag = 1; lag <= most; lag++)
        loom_sheet_row(sheet, (double)lag, values[lag]);
    return 0;
}

/* The series as it is against the rate process, in which dependence shows (Minh 2012, figure 3.1).
 */
static int interarrival_acf(struct loom_sheet *sheet, const struct loom_subject *subject,
                            struct loom_error *err)
{
    const struct loom_workload *jobs = &subject->jobs;
    double *gaps_s = malloc((jobs->n + 1) * sizeof *gaps_s), *rate = NULL;
    size_t intervals = 0;
    if (!gaps_s)
        return loom_fail_memory(err);
    for (size_t i = 0; i + 1 < jobs->n; i++)
        gaps_s[i] = (double)(jobs->submit_s[i + 1] - jobs->submit_s[i]);
    int rc = jobs->n > 1 ? write_acf(sheet, "interarrival times", gaps_s, jobs->n - 1, err) : 0;
    if (!rc && jobs->n > 1)
        rc = loom_rate_create(&rate, &intervals, jobs->submit_s, jobs->n,
                              subject->definitions.rate_interval_s, err);
    if (!rc && rate)
        rc = write_acf(sheet, "arrivals per interval", rate, intervals, err);
    free(rate);
    free(gaps_s);
    return rc || sheet->rows > 0
               ? rc
               : loom_sheet_skip(sheet, "there are too few jobs, or they all arrive evenly");
}

/* Arrivals of bags, single jobs included, beside arrivals of jobs (Minh 2012, figure 3.7). */
static int bag_arrivals(struct loom_sheet *sheet, const struct loom_subject *subject,
                        struct loom_error *err)
{
    const struct loom_bags *bags = subject->bags;
    int64_t interval_s = subject->definitions.rate_interval_s;
    if (!bags)
        return loom_sheet_skip(sheet, "there are no bags of tasks");
    int64_t *times_s = malloc(bags->count * sizeof *times_s);
    double *rate = NULL, *of_jobs = NULL;
    size_t n = 0;
    int rc = times_s ? 0 : loom_fail_memory(err);
    for (size_t b = 0; !rc && b < bags->count; b++)
        times_s[b] = subject->jobs.submit_s[bags->first[b]];
    if (!rc)
        rc = loom_rate_create(&rate, &n, times_s, bags->count, interval_s, err);
    if (!rc)
        rc = loom_curve_acf(sheet, "bags", rate, n, interval_s, err);
    if (!rc && !sheet->reason)
        rc = loom_rate_create(&of_jobs, &n, subject->jobs.submit_s, subject->jobs.n, interval_s,
                              err);
    if (!rc && !sheet->reason)
        rc = loom_curve_acf(sheet, "jobs", of_jobs, n, interval_s, err);
    free(of_jobs);
    free(rate);
    free(times_s);
    return rc;
}

/* Runtimes of one bag, over the jobs that know theirs; the deviation with n. */
struct runtimes {
    double n, mean_s, sd_s;
};

static struct runtimes runtimes_of(const struct loom_subject *subject, size_t bag)
{
    const int64_t *run_s = subject->jobs.run_s;
    struct runtimes of = {0};
    double squares = 0;
    for (size_t i = subject->bags->first[bag]; i < subject->bags->first[bag + 1]; i++) {
        if (run_s[i] < 0)
            continue;
        double off = (double)run_s[i] - of.mean_s;
        of.mean_s += off / ++of.n;
        squares += off * ((double)run_s[i] - of.mean_s);
    }
    of.sd_s = of.n > 0 ? sqrt(squares / of.n) : 0;
    return of;
}

/* Mean runtimes of bags of at least two jobs, in order of arrival (Minh 2012, figure 3.8). */
static int bag_runtimes(struct loom_sheet *sheet, const struct loom_subject *subject,
                        struct loom_error *err)
{
    const struct loom_bags *bags = subject->bags;
    if (!bags)
        return loom_sheet_skip(sheet, "there are no bags of tasks");
    double *runtimes_s = malloc((subject->jobs.n + 1) * sizeof *runtimes_s);
    if (!runtimes_s)
        return loom_fail_memory(err);
    size_t n = 0, known = 0;
    for (size_t b = 0; b < bags->count; b++) {
        struct runtimes of = runtimes_of(subject, b);
        if (loom_bag_size(bags, b) >= 2 && of.n > 0)
            runtimes_s[n++] = of.mean_s;
    }
    int rc = write_acf(sheet, "bags", runtimes_s, n, err);
    for (size_t i = 0; i < subject->jobs.n; i++)
        if (subject->jobs.run_s[i] >= 0)
            runtimes_s[known++] = (double)subject->jobs.run_s[i];
    if (!rc && sheet->rows > 0)
        rc = write_acf(sheet, "jobs", runtimes_s, known, err);
    free(runtimes_s);
    return rc || sheet->rows > 0
               ? rc
               : loom_sheet_skip(sheet, "there are too few bags, or they all run equally long");
}

/* ---- times between bags -----------------------------------------------------------------------
 */

/* Times between the first jobs of successive bags, as intervals of a second, in order. */
static int take_gaps(struct loom_rounded *out, const struct loom_subject *subject,
                     struct loom_error *err)
{
    const struct loom_bags *bags = subject->bags;
    size_t n = bags->count - 1;
    *out = (struct loom_rounded){.n = n,
                                 .x = malloc((n + 1) * sizeof(double)),
                                 .low = malloc((n + 1) * sizeof(double)),
                                 .high = malloc((n + 1) * sizeof(double))};
    if (!out->x || !out->low || !out->high)
        return loom_fail_memory(err);
    for (size_t b = 0; b < n; b++)
        out->x[b] = (double)(subject->jobs.submit_s[bags->first[b + 1]] -
                             subject->jobs.submit_s[bags->first[b]]);
    int rc = loom_sort(out->x, n, err);
    for (size_t b = 0; b < n; b++) {
        out->low[b] = fmax(out->x[b] - 0.5, 0);
        out->high[b] = out->x[b] + 0.5;
    }
    return rc;
}

/* A fitted distribution, up to the longest gap. One that cannot be fitted has no curve. */
static int write_fit(struct loom_sheet *sheet, const char *name, const struct loom_rounded *gaps,
                     struct loom_error *err)
{
    enum { STEPS = 200 };
    struct loom_fit fit;
    double most = gaps->x[gaps->n - 1];
    int rc = loom_rounded_fit(&fit, name, gaps, err);
    if (rc)
        return rc == LOOM_ENOMEM ? rc : 0;
    loom_sheet_block(sheet, name, NULL);
    for (int i = 0; i <= STEPS; i++) {
        double x = pow(most, (double)i / STEPS);
        loom_sheet_row(sheet, x, loom_dist_cdf(&fit.dist, x));
    }
    return 0;
}

/* The distributions of the log and of tables 3.9 and 3.10 (Minh 2012, figure 3.6). */
static int bag_interarrival(struct loom_sheet *sheet, const struct loom_subject *subject,
                            struct loom_error *err)
{
    static const char *const names[] = {"gp", "weibull", "lognormal", "gamma", "exponential"};
    struct loom_rounded gaps = {0};
    if (!subject->bags || subject->bags->count < 3)
        return loom_sheet_skip(sheet, "there are too few bags of tasks");
    int rc = take_gaps(&gaps, subject, err);
    if (!rc && !(gaps.x[gaps.n - 1] > 1))
        loom_sheet_skip(sheet, "all bags arrive within a second of the one before");
    else if (!rc) {
        loom_curve_cdf(sheet, "log", "gap_s", gaps.x, gaps.n, 1, false);
        for (size_t i = 0; i < sizeof names / sizeof *names && !rc; i++)
            rc = write_fit(sheet, names[i], &gaps, err);
    }
    loom_rounded_free(&gaps);
    return rc;
}

/* ---- variation in bags ----------------------------------------------------------------------- */

/* The deviation has n in place of n - 1, which gives the printed table. Classes are decades of the
 * mean runtime from 100 s on. */
static int variability(struct loom_sheet *sheet, const struct loom_subject *subject,
                       struct loom_error *err)
{
    enum { CLASSES = 6 };
    static const char *const names[CLASSES] = {"0 to 100 s",          "100 to 1000 s",
                                               "1000 to 10000 s",     "10000 to 100000 s",
                                               "100000 to 1000000 s", "1000000 s and more"};
    double bags[CLASSES] = {0}, sd_s[CLASSES] = {0}, runtime_s[CLASSES] = {0};
    (void)err;
    if (!subject->bags)
        return loom_sheet_skip(sheet, "there are no bags of tasks");
    for (size_t b = 0; b < subject->bags->count; b++) {
        struct runtimes of = runtimes_of(subject, b);
        if (loom_bag_size(subject->bags, b) < 2 || of.n < 1)
            continue;
        int class = of.mean_s < 100 ? 0 : (int)fmin(floor(log10(of.mean_s) + 1e-12) - 1, 5);
        bags[class]++;
        sd_s[class] += of.sd_s;
        runtime_s[class] += of.mean_s;
    }
    for (int i = 0; i < CLASSES; i++)
        if (bags[i] > 0) {
            loom_sheet_block(sheet, names[i], "bags,variability_s,runtime_mean_s");
            loom_sheet_record(sheet,
                              (const double[]){bags[i], sd_s[i] / bags[i], runtime_s[i] / bags[i]},
                              3);
        }
    return 0;
}

#define LAG_PLOT                                                                              \
    "set xlabel 'lag'\nset ylabel 'autocorrelation'\nset xrange [0:*]\nset xzeroaxis "        \
    "linestyle 9 dashtype 1\nset key top right\nstats data using 1:2 nooutput\n"              \
    "plot for [i=0:STATS_blocks-1] data index i using 1:2 with lines linestyle i+1 linewidth" \
    " 1.2 title columnheader(2)\n"

const struct loom_figure_ops loom_figures_bag_series[] = {
    {.name = "interarrival-acf",
     .section = "arrivals",
     .title = "Autocorrelation of interarrival times",
     .caption =
         "Autocorrelation of the times between successive jobs, lag by lag, beside the number of "
         "arrivals in intervals of T. Dependence that the rate process shows need not show in the "
         "interarrival times.",
     .data = interarrival_acf,
     .script = LAG_PLOT},
    {.name = "like-jobs",
     .section = "bags",
     .title = "Times between like jobs",
     .caption =
         "Share of successive jobs of one user, alike in all that is known at submission, that "
         "come within the given time of each other: all of them, and only those submitted before "
         "the job before had ended. The line marks the longest gap in a bag.",
     .data = like_jobs,
     .script = LOOM_TIME_X
     "set xrange [1:*]\nset yrange [0:1]\nset xlabel 'time between like jobs'\n"
     "set ylabel 'P(X ≤ x)'\nset key bottom right\n"
     "set arrow from gap, graph 0 to gap, graph 1 nohead linestyle 9\n"
     "stats data using 1:2 nooutput\n"
     "plot for [i=0:STATS_blocks-1] data index i using 1:2 with steps linestyle i+1 \\\n"
     "         title columnheader(2)\n"},
    {.name = "bag-interarrival",
     .section = "bags",
     .title = "Times between bags",
     .caption =
         "Share of bags, single jobs included, that begin within the given time after the bag "
         "before, and five distributions fitted to these times by likelihood: generalised Pareto, "
         "Weibull, lognormal, gamma and exponential ('analyze --fit bag-interarrival').",
     .data = bag_interarrival,
     .script = LOOM_TIME_X
     "set xrange [1:*]\nset yrange [0:1]\nset xlabel 'time between bags'\n"
     "set ylabel 'P(X ≤ x)'\nset key bottom right\nstats data using 1:2 nooutput\n"
     "plot data index 0 using 1:2 with steps linestyle 1 linewidth 2 title columnheader(2), \\\n"
     "     for [i=1:STATS_blocks-1] '' index i using 1:2 with lines linestyle i+1 \\\n"
     "         title columnheader(2)\n"},
    {.name = "bag-arrivals-acf",
     .section = "bags",
     .title = "Autocorrelation of bag arrivals",
     .caption =
         "Autocorrelation of the number of bags, single jobs included, and of jobs that arrive in "
         "intervals of T (15 minutes unless set otherwise).",
     .data = bag_arrivals,
     .script = "set xlabel 'lag (days)'\nset ylabel 'autocorrelation'\nset xtics 1\n"
               "set xrange [0:*]\nset xzeroaxis linestyle 9 dashtype 1\nset key top right\n"
               "stats data using ($1 > 0.2 ? $2 : NaN) nooutput\n"
               "set yrange [*:STATS_max < 0.5 ? STATS_max * 2 : 1]\n"
               "plot data index 0 using 1:2 with lines linestyle 1 linewidth 1.2 title 'bags', \\\n"
               "     '' index 1 using 1:2 with lines linestyle 2 linewidth 1 title 'jobs'\n"},
    {.name = "bag-runtimes-acf",
     .section = "bags",
     .title = "Autocorrelation of bag runtimes",
     .caption =
         "Autocorrelation of the mean runtimes of successive bags of at least two jobs, and of the "
         "runtimes of successive jobs, which repetitions within bags raise.",
     .data = bag_runtimes,
     .script = LAG_PLOT},
    {.name = "bag-variability",
     .section = "bags",
     .title = "Variability of runtimes in bags",
     .caption =
         "Mean over bags of at least two jobs of the standard deviation (with n) of the runtimes "
         "inside, by the mean runtime of the bag in seconds.",
     .data = variability},
    {.name = NULL},
};

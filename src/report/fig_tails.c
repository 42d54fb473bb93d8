/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of the tail of runtimes: who holds the mass, and whether the tail is heavy. */
#include "report/figure.h"

#include <math.h>
#include <stdlib.h>

/* Runtimes of at least a second; skips where they do not differ. */
static struct loom_sorted seconds_and_more(struct loom_sheet *sheet,
                                           const struct loom_subject *subject)
{
    struct loom_sorted sorted = subject->runtimes;
    while (sorted.n > 0 && sorted.x[0] < 1)
        sorted = (struct loom_sorted){sorted.x + 1, sorted.n - 1};
    if (sorted.n == 0)
        loom_sheet_skip(sheet, "no job is known to have run for a second");
    else if (sorted.x[0] >= sorted.x[sorted.n - 1])
        loom_sheet_skip(sheet, "all runtimes are equal");
    return sorted;
}

/* ---- mass and count -------------------------------------------------------------------------- */

/* At quantiles evenly spaced over the range of runtimes: the share of jobs, and of all runtime,
 * that is in jobs of at most this length. */
static int disparity(struct loom_sheet *sheet, const struct loom_subject *subject,
                     struct loom_error *err)
{
    double total = 0, mass = 0;
    size_t next = 0;
    (void)err;
    struct loom_sorted sorted = seconds_and_more(sheet, subject);
    if (sheet->reason)
        return 0;
    for (size_t i = 0; i < sorted.n; i++)
        total += sorted.x[i];
    double low = log(sorted.x[0]), high = log(sorted.x[sorted.n - 1]);
    loom_sheet_block(sheet, NULL, "runtime_s,share_jobs,share_runtime");
    for (int i = 0; i <= LOOM_CURVE_POINTS; i++) {
        double x = exp(low + (high - low) * i / LOOM_CURVE_POINTS) * (1 + 1e-12);
        while (next < sorted.n && sorted.x[next] <= x)
            mass += sorted.x[next++];
        loom_sheet_row3(sheet, x, (double)next / (double)sorted.n, mass / total);
    }
    return 0;
}

/* ---- aggregation ----------------------------------------------------------------------------- */

enum { LEAST_SUMS = 100 };

/* Sums of so many successive runtimes of at least a second. */
static size_t add_tails_up(double *sums, const struct loom_workload *jobs, size_t block)
{
    size_t n = 0, added = 0;
    double sum = 0;
    for (size_t i = 0; i < jobs->n; i++) {
        if (jobs->run_s[i] < 1)
            continue;
        sum += (double)jobs->run_s[i];
        if (++added < block)
            continue;
        sums[n++] = sum;
        sum = 0;
        added = 0;
    }
    return n;
}

static int write_sums(struct loom_sheet *sheet, const struct loom_workload *jobs, size_t block,
                      const char *series, struct loom_error *err)
{
    double *sums = malloc((jobs->n / block + 1) * sizeof *sums);
    if (!sums)
        return loom_fail_memory(err);
    size_t n = add_tails_up(sums, jobs, block);
    int rc = loom_sort(sums, n, err);
    if (!rc && n >= LEAST_SUMS && sums[0] < sums[n - 1])
        loom_curve_cdf(sheet, series, "sum_s", sums, n, 1, true);
    free(sums);
    return rc;
}

static int aggregation(struct loom_sheet *sheet, const struct loom_subject *subject,
                       struct loom_error *err)
{
    struct loom_sorted single = seconds_and_more(sheet, subject);
    if (!sheet->reason && single.n < LEAST_SUMS)
        loom_sheet_skip(sheet, "fewer than 100 jobs are known to have run for a second");
    if (sheet->reason)
        return 0;
    loom_curve_cdf(sheet, "single jobs", "sum_s", single.x, single.n, 1, true);
    int rc = write_sums(sheet, &subject->jobs, 10, "sums of 10", err);
    if (!rc)
        rc = write_sums(sheet, &subject->jobs, 100, "sums of 100", err);
    return rc;
}

/* ---- Hill's estimate ------------------------------------------------------------------------- */

static int hill(struct loom_sheet *sheet, const struct loom_subject *subject,
                struct loom_error *err)
{
    struct loom_sorted sorted = seconds_and_more(sheet, subject);
    size_t most = sorted.n / 5;
    if (!sheet->reason && most < 20)
        loom_sheet_skip(sheet, "there are fewer than 100 jobs");
    if (sheet->reason)
        return 0;
    double *indices = malloc(most * sizeof *indices);
    int rc = indices ? loom_hill(indices, sorted.x, sorted.n, most, err) : loom_fail_memory(err);
    if (!rc) {
        loom_sheet_block(sheet, NULL, "share_longest,tail_index");
        double factor = pow((double)most / 10, 1.0 / LOOM_CURVE_POINTS);
        size_t last = 0;
        for (double k = 10; k <= (double)most; k *= factor)
            if ((size_t)k != last) {
                last = (size_t)k;
                loom_sheet_row(sheet, k / (double)sorted.n, indices[last - 1]);
            }
    }
    free(indices);
    return rc;
}

const struct loom_figure_ops loom_figures_tails[] = {
    {.name = "mass-count",
     .section = "tails",
     .title = "Mass-count disparity",
     .caption =
         "Share of the jobs, and share of all runtime, in jobs of at most the given runtime. The "
         "further apart the curves, the fewer jobs hold most of the time.",
     .data = disparity,
     .script = LOOM_TIME_X
     "set xrange [1:*]\nset yrange [0:1]\nset xlabel 'runtime'\nset ylabel 'share'\n"
     "set key top left\n"
     "plot data using 1:2 with lines linestyle 1 title 'of jobs', \\\n"
     "     '' using 1:3 with lines linestyle 2 title 'of runtime'\n"},
    {.name = "tail-aggregation",
     .section = "tails",
     .title = "Tails of sums",
     .caption =
         "Share of jobs that run longer than the given time, and the same for sums of 10 and of "
         "100 successive runtimes, with both axes logarithmic. Sums of a heavy tail keep its "
         "slope; for other tails they get steeper.",
     .data = aggregation,
     .script = LOOM_TIME_X LOOM_LOG_Y
     "set xlabel 'runtime, or sum of runtimes'\nset ylabel 'P(X > x)'\nset xrange [1:*]\n"
     "set key bottom left\nstats data using 1:2 nooutput\n"
     "plot for [i=0:STATS_blocks-1] data index i using 1:2 with lines linestyle i+1 \\\n"
     "         title columnheader(2)\n"},
    {.name = "hill",
     .section = "tails",
     .title = "Hill plot",
     .caption =
         "Hill's estimate of the tail index of runtimes from the given share of the longest jobs. "
         "Of a power-law tail it is level over a wide range; a heavy tail has an index below "
         "2. What is above 5 is cut off.",
     .data = hill,
     .script =
         "set logscale x\nset format x '%g'\nset xlabel 'share of the jobs used (%)'\n"
         "set ylabel 'tail index'\nset yrange [0:5]\n"
         "plot data using (100 * $1):2 with lines linestyle 1 notitle, 2 linestyle 9 notitle\n"},
    {.name = NULL},
};

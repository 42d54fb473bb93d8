/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of the tail of runtimes: who holds the mass, and whether the tail is heavy. */
#include "features/measure.h"
#include "report/figure.h"

#include <math.h>
#include <stdlib.h>

/* Runtimes of at least a second, sorted; skips where they do not differ. */
static int sorted_runtimes(double **out, size_t *n, struct loom_sheet *sheet,
                           const struct loom_subject *subject, struct loom_error *err)
{
    int rc = loom_known_runtimes(out, n, &subject->jobs, 1, err);
    if (!rc && *n > 0)
        rc = loom_sort(*out, *n, err);
    if (!rc && (*n == 0 || (*out)[0] >= (*out)[*n - 1]))
        loom_sheet_skip(sheet, *n == 0 ? "no job is known to have run for a second"
                                       : "all runtimes are equal");
    return rc;
}

/* ---- mass and count -------------------------------------------------------------------------- */

/* At quantiles evenly spaced over the range of runtimes: the share of jobs, and of all runtime,
 * that is in jobs of at most this length. */
static int disparity(struct loom_sheet *sheet, const struct loom_subject *subject,
                     struct loom_error *err)
{
    double *values = NULL, total = 0, mass = 0;
    size_t n = 0, next = 0;
    int rc = sorted_runtimes(&values, &n, sheet, subject, err);
    if (!rc && !sheet->reason) {
        for (size_t i = 0; i < n; i++)
            total += values[i];
        double low = log(values[0]), high = log(values[n - 1]);
        loom_sheet_block(sheet, "runtime (s)\tjobs\tmass");
        for (int i = 0; i <= LOOM_CURVE_POINTS; i++) {
            double x = exp(low + (high - low) * i / LOOM_CURVE_POINTS) * (1 + 1e-12);
            while (next < n && values[next] <= x)
                mass += values[next++];
            loom_sheet_row3(sheet, x, (double)next / (double)n, mass / total);
        }
    }
    free(values);
    return rc;
}

/* ---- aggregation ----------------------------------------------------------------------------- */

static int write_sums(struct loom_sheet *sheet, const struct loom_workload *jobs, size_t block,
                      const char *columns, struct loom_error *err)
{
    double *values = NULL;
    size_t n = 0, sums = 0;
    int rc = loom_known_runtimes(&values, &n, jobs, 1, err);
    if (rc)
        return rc;
    for (size_t i = 0; i + block <= n; i += block) {
        double sum = 0;
        for (size_t k = 0; k < block; k++)
            sum += values[i + k];
        values[sums++] = sum;
    }
    if (sums >= 100)
        rc = loom_sort(values, sums, err);
    if (!rc && sums >= 100 && values[0] < values[sums - 1])
        rc = loom_curve_cdf(sheet, columns, values, sums, 1, true, err);
    free(values);
    return rc;
}

static int aggregation(struct loom_sheet *sheet, const struct loom_subject *subject,
                       struct loom_error *err)
{
    int rc = write_sums(sheet, &subject->jobs, 1, "sum (s)\tsingle jobs", err);
    if (!rc)
        rc = write_sums(sheet, &subject->jobs, 10, "sum (s)\tsums of 10", err);
    if (!rc)
        rc = write_sums(sheet, &subject->jobs, 100, "sum (s)\tsums of 100", err);
    return rc || sheet->rows > 0
               ? rc
               : loom_sheet_skip(sheet,
                                 "fewer than 100 jobs are known to have run for a second, or "
                                 "their runtimes are equal");
}

/* ---- Hill's estimate ------------------------------------------------------------------------- */

static int hill(struct loom_sheet *sheet, const struct loom_subject *subject,
                struct loom_error *err)
{
    double *values = NULL;
    size_t n = 0;
    int rc = sorted_runtimes(&values, &n, sheet, subject, err);
    size_t most = n / 5;
    if (!rc && !sheet->reason && most < 20)
        loom_sheet_skip(sheet, "there are fewer than 100 jobs");
    double *indices = !rc && !sheet->reason ? malloc(most * sizeof *indices) : NULL;
    if (!rc && !sheet->reason)
        rc = indices ? loom_hill(indices, values, n, most, err) : loom_fail_memory(err);
    if (!rc && !sheet->reason) {
        loom_sheet_block(sheet, "largest values\ttail index");
        double factor = pow((double)most / 10, 1.0 / LOOM_CURVE_POINTS);
        size_t last = 0;
        for (double k = 10; k <= (double)most; k *= factor)
            if ((size_t)k != last) {
                last = (size_t)k;
                loom_sheet_row(sheet, 100 * k / (double)n, indices[last - 1]);
            }
    }
    free(indices);
    free(values);
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
     .script = "set logscale x\nset format x '%g'\nset xlabel 'share of the jobs used (%)'\n"
               "set ylabel 'tail index'\nset yrange [0:5]\n"
               "plot data using 1:2 with lines linestyle 1 notitle, 2 linestyle 9 notitle\n"},
    {.name = NULL},
};

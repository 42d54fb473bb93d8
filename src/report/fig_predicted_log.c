/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of a log that is predicted: ratios of runtimes to requested times, and the distribution
 * of runtimes (Minh 2012, figures 8.1 and 8.2). */
#include "base/sort.h"
#include "report/predictions.h"

#include <math.h>
#include <stdlib.h>

enum { RATIO_POINTS = 2000 };

/* Evenly spaced in the order of submission. */
static int request_ratio(struct loom_sheet *sheet, const struct loom_predictions *predictions,
                         const struct loom_figure_ops *ops, struct loom_error *err)
{
    const struct loom_jobs *jobs = loom_trace_jobs(predictions->trace);
    uint32_t *rows = NULL;
    size_t n = 0;
    (void)ops;
    int rc = loom_trace_order(&rows, predictions->trace, err);
    if (rc)
        return rc;
    for (size_t i = 0; i < jobs->n; i++)
        if (jobs->run_s[rows[i]] >= 0 && jobs->request_s[rows[i]] > 0)
            rows[n++] = rows[i];
    size_t points = n < RATIO_POINTS ? n : RATIO_POINTS;
    if (n == 0)
        loom_sheet_skip(sheet, "no job has a requested time");
    else
        loom_sheet_block(sheet, NULL, "job,runtime_over_request");
    for (size_t i = 0; i < points; i++) {
        size_t at = i * n / points;
        loom_sheet_row(sheet, (double)(at + 1),
                       (double)jobs->run_s[rows[at]] / (double)jobs->request_s[rows[at]]);
    }
    free(rows);
    return 0;
}

/* Sort the runtimes of the jobs that are, or are not, evaluated. Returns how many there are. */
static size_t gather_runtimes(double *out, const struct loom_jobs *jobs, const uint8_t *evaluated,
                              uint8_t wanted)
{
    size_t n = 0;
    for (size_t row = 0; row < jobs->n; row++)
        if (evaluated[row] == wanted && jobs->run_s[row] >= 0 && jobs->submit_s[row] >= 0 &&
            loom_job_procs(jobs, row) > 0)
            out[n++] = fmax(1, (double)jobs->run_s[row]);
    loom_sort_real(out, n);
    return n;
}

static int predicted_runtimes(struct loom_sheet *sheet, const struct loom_predictions *predictions,
                              const struct loom_figure_ops *ops, struct loom_error *err)
{
    const struct loom_jobs *jobs = loom_trace_jobs(predictions->trace);
    const struct loom_evaluation *evaluation = predictions->of[0].evaluation;
    double *values = malloc((jobs->n + 1) * sizeof *values);
    uint8_t *evaluated = calloc(jobs->n + 1, 1);
    int rc = values && evaluated ? 0 : loom_fail_memory(err);
    (void)ops;
    for (size_t i = 0; i < evaluation->n && !rc; i++)
        evaluated[evaluation->jobs[i].row] = 1;
    for (uint8_t wanted = 0; wanted <= 1 && !rc; wanted++) {
        size_t n = gather_runtimes(values, jobs, evaluated, wanted);
        if (n > 0)
            loom_curve_cdf(sheet, wanted ? "evaluated" : "history only", "runtime_s", values, n, 1,
                           false);
    }
    free(values);
    free(evaluated);
    return rc;
}

const struct loom_figure_ops loom_figures_predicted_log[] = {
    {.name = "request-ratio",
     .section = "jobs",
     .title = "Runtime over requested time",
     .caption = "Up to 2,000 jobs, evenly spaced in the order of submission (Minh 2012, figure "
                "8.1). The requested time bounds predictions; those above 1 ran longer.",
     .predictions = request_ratio,
     .script = "set xlabel 'job, by submission'\nset ylabel 'runtime / requested time'\n"
               "set format x '%.0s%c'\nset yrange [0:1.3]\nset xrange [0:*]\n"
               "set arrow from graph 0, first 1 to graph 1, first 1 nohead linestyle 9\n"
               "plot data using 1:2 with points linestyle 1 pointtype 7 pointsize 0.15 notitle\n"},
    {.name = "runtimes",
     .section = "jobs",
     .title = "Distribution of runtimes",
     .caption =
         "Share of jobs with at most this runtime, of the jobs that were history only and of "
         "those evaluated (Minh 2012, figure 8.2). Where they differ, what was learned of "
         "the first may not hold for the second.",
     .predictions = predicted_runtimes,
     .script = LOOM_TIME_X "set xlabel 'runtime'\nset ylabel 'jobs (%)'\nset yrange [0:100]\n"
                           "stats data using 2 nooutput name 'Y'\n"
                           "set key above center horizontal\n"
                           "plot for [i=0:Y_blocks-1] data index i using 1:(100 * $2) with steps "
                           "\\\n    linestyle i + 1 linewidth wide(i, 2) title columnheader(2)\n"},
    {.name = NULL},
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Figures of the machine in use (survey 2.1): the multiprogramming level by day, at night and on
 * weekends, utilization over the day, and what is submitted at each hour.
 */
#include "features/occupancy.h"
#include "report/figure.h"

#include "base/civil.h"

#include <math.h>
#include <stdlib.h>

/* ---- jobs at the same time ------------------------------------------------------------------- */

static int levels(struct loom_sheet *sheet, const struct loom_subject *subject,
                  struct loom_error *err)
{
    static const char *const names[LOOM_PERIODS] = {"all", "day", "night", "weekend"};
    struct loom_occupancy occupancy;
    int rc = loom_occupancy_create(&occupancy, &subject->jobs, err);
    if (rc)
        return rc;
    for (int p = 0; p < LOOM_PERIODS; p++) {
        double below_s = 0, total_s = occupancy.total_s[p];
        if (total_s <= 0)
            continue;
        loom_sheet_block(sheet, names[p], "jobs,share_of_time,share_at_most");
        for (size_t level = 0; level <= occupancy.most_jobs; level++) {
            double at_s = loom_level_s(&occupancy, (enum loom_period)p, level);
            below_s += at_s;
            if (at_s > 0)
                loom_sheet_row3(sheet, (double)level, at_s / total_s, below_s / total_s);
        }
    }
    loom_occupancy_free(&occupancy);
    return 0;
}

/* ---- by hour --------------------------------------------------------------------------------- */

static const char no_clock[] =
    "the header does not say when the log starts (UnixStartTime), so hours are not known";

/* The machine's processors, or the most that were busy where the header does not say. */
static int utilization(struct loom_sheet *sheet, const struct loom_subject *subject,
                       struct loom_error *err)
{
    struct loom_occupancy occupancy;
    if (!subject->clock_known)
        return loom_sheet_skip(sheet, no_clock);
    int rc = loom_occupancy_create(&occupancy, &subject->jobs, err);
    if (rc)
        return rc;
    const struct loom_machine_size *machine = &subject->observed.machine;
    double procs = loom_size_usable(machine) ? (double)machine->procs : occupancy.most_procs;
    for (int weekend = 0; weekend < 2; weekend++) {
        loom_sheet_block(sheet, weekend ? "Saturday and Sunday" : "Monday to Friday",
                         "hour,utilization,jobs_running");
        for (int hour = 0; hour < LOOM_HOURS; hour++) {
            double s = occupancy.hour_s[weekend][hour];
            loom_sheet_row3(sheet, hour, occupancy.hour_procs_s[weekend][hour] / s / procs,
                            occupancy.hour_jobs_s[weekend][hour] / s);
        }
    }
    loom_occupancy_free(&occupancy);
    return 0;
}

/* ---- what is submitted when ------------------------------------------------------------------ */

/* The jobs of one hour of the day that know a value: their mean and median. */
struct hourly {
    double mean, median;
};

static int measure_hour(struct hourly *out, double *scratch, size_t n, struct loom_error *err)
{
    struct loom_moments moments;
    *out = (struct hourly){NAN, NAN};
    int rc = n > 0 ? loom_moments(&moments, scratch, n, err) : 0;
    if (!rc && n > 0)
        *out = (struct hourly){moments.mean, moments.median};
    return rc;
}

static int write_hour(struct loom_sheet *sheet, const struct loom_workload *jobs,
                      const uint8_t *hours, int hour, double *scratch, struct loom_error *err)
{
    struct hourly runtime, procs, work;
    size_t n[3] = {0}, submitted = 0;
    double *run_s = scratch, *sizes = scratch + jobs->n, *work_s = scratch + 2 * jobs->n;
    for (size_t i = 0; i < jobs->n; i++) {
        if (hours[i] != hour)
            continue;
        submitted++;
        if (jobs->run_s[i] >= 0)
            run_s[n[0]++] = (double)jobs->run_s[i];
        if (jobs->procs[i] > 0)
            sizes[n[1]++] = (double)jobs->procs[i];
        if (jobs->run_s[i] >= 0 && jobs->procs[i] > 0)
            work_s[n[2]++] = (double)jobs->run_s[i] * (double)jobs->procs[i];
    }
    int rc = measure_hour(&runtime, run_s, n[0], err);
    if (!rc)
        rc = measure_hour(&procs, sizes, n[1], err);
    if (!rc)
        rc = measure_hour(&work, work_s, n[2], err);
    if (!rc)
        loom_sheet_record(sheet,
                          (const double[]){hour, (double)submitted, runtime.mean, runtime.median,
                                           procs.mean, procs.median, work.mean, work.median},
                          8);
    return rc;
}

static int machine_by_hour(struct loom_sheet *sheet, const struct loom_subject *subject,
                           struct loom_error *err)
{
    const struct loom_workload *jobs = &subject->jobs;
    if (jobs->n == 0)
        return loom_sheet_skip(sheet, "there are no jobs");
    if (!subject->clock_known)
        return loom_sheet_skip(sheet, no_clock);
    uint8_t *hours = malloc(jobs->n);
    double *scratch = malloc(3 * jobs->n * sizeof *scratch);
    int rc = hours && scratch ? 0 : loom_fail_memory(err);
    for (size_t i = 0; i < jobs->n && !rc; i++) {
        int64_t second;
        loom_civil_day(loom_zone_local(jobs->zone, jobs->submit_s[i]), &second);
        hours[i] = (uint8_t)(second / 3600);
    }
    loom_sheet_block(sheet, NULL,
                     "hour,jobs,runtime_mean_s,runtime_median_s,procs_mean,procs_median,"
                     "work_mean_s,work_median_s");
    for (int hour = 0; hour < LOOM_HOURS && !rc; hour++)
        rc = write_hour(sheet, jobs, hours, hour, scratch, err);
    free(scratch);
    free(hours);
    return rc;
}

const struct loom_figure_ops loom_figures_machine[] = {
    {.name = "multiprogramming",
     .section = "overview",
     .title = "Jobs that run at the same time",
     .caption =
         "Share of the time of the whole log in which at most so many jobs run: by day (6 to 20 "
         "o'clock, Monday to "
         "Friday), at night and on weekends, in local time. Where no job has a recorded wait, jobs "
         "are "
         "taken to start when submitted.",
     .data = levels,
     .script = "set xlabel 'jobs that run'\nset ylabel 'share of the time'\nset yrange [0:1]\n"
               "set xrange [0:*]\nset key bottom right\nstats data using 1:2 nooutput\n"
               "plot for [i=0:STATS_blocks-1] data index i using 1:3 with steps linestyle i+1 \\\n"
               "         linewidth wide(i, STATS_blocks) title columnheader(2)\n"},
    {.name = "utilization-hour",
     .section = "overview",
     .title = "Utilization by hour of the day",
     .caption =
         "Share of the processors that are busy in each hour of the day, in local time, over the "
         "whole log, from the first start to the last end.",
     .data = utilization,
     .script = "set xlabel 'hour of the day (local time)'\nset ylabel 'utilization (%)'\n"
               "set xrange [-0.5:23.5]\nset xtics 0,3\nset yrange [0:*]\nset key above\n"
               "plot for [i=0:1] data index i using 1:(100 * $2) with linespoints \\\n"
               "         linestyle i+1 title columnheader(2)\n"},
    {.name = "hour-profile",
     .section = "arrivals",
     .title = "Jobs by hour of submission",
     .caption =
         "Jobs submitted in each hour of the day, in local time, and what they take: runtimes, "
         "processors, and processor-seconds, mean and median.",
     .data = machine_by_hour},
    {.name = NULL},
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures and tables of observed service: what jobs of the log got, over its complete window. */
#include "features/observed.h"
#include "report/figure.h"
#include "report/runs.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CLASS_COLUMNS = 11, TEXT_SIZE = 96 };

static const char no_waits[] = "no job has a wait";

static bool has_waits(const struct loom_subject *subject)
{
    return subject->observed.wait_s.n > 0;
}

/* Write a number, or nothing where it is unknown. Returns buf. */
static const char *service_number(double value, char *buf, size_t size)
{
    bool whole = isfinite(value) && value == trunc(value) && fabs(value) < 1e15;
    buf[0] = '\0';
    if (isfinite(value))
        snprintf(buf, size, "%.*g", whole ? 15 : 6, value);
    return buf;
}

/* ---- tables ---------------------------------------------------------------------------------- */

static void put_values(struct loom_sheet *sheet, const char *name,
                       const struct loom_observed_values *of)
{
    const double values[] = {(double)of->n, of->mean, of->median, of->p90,
                             of->p95,       of->p99,  of->max};
    char texts[7][32];
    const char *fields[8] = {name};
    for (size_t i = 0; i < 7; i++)
        fields[i + 1] = service_number(values[i], texts[i], sizeof texts[i]);
    loom_sheet_fields(sheet, fields, 8);
}

static int overall(struct loom_sheet *sheet, const struct loom_subject *subject,
                   struct loom_error *err)
{
    (void)err;
    if (!has_waits(subject))
        return loom_sheet_skip(sheet, no_waits);
    loom_sheet_block(sheet, NULL, "measure,jobs,mean,median,p90,p95,p99,max");
    put_values(sheet, "wait (s)", &subject->observed.wait_s);
    put_values(sheet, "response (s)", &subject->observed.response_s);
    put_values(sheet, "bounded slowdown", &subject->observed.bounded_slowdown);
    return 0;
}

static void put_class(struct loom_sheet *sheet, const struct loom_observed_classes *classes,
                      size_t at, const struct loom_trace *trace)
{
    const struct loom_observed_class *class = &classes->classes[at];
    const double values[] = {(double)class->jobs,    class->jobs_share,
                             class->work_s,          class->work_share,
                             class->wait_s.mean,     class->wait_s.median,
                             class->wait_s.p90,      class->wait_s.p99,
                             class->response_mean_s, class->bounded_slowdown_mean};
    char name[TEXT_SIZE], texts[CLASS_COLUMNS - 1][32];
    const char *fields[CLASS_COLUMNS] = {name};
    loom_observed_class_text(classes, at, trace, name, sizeof name);
    for (char *c = name; *c; c++)
        *c = *c == '\t' || *c == '\n' || *c == '\r' ? ' ' : *c;
    for (size_t i = 0; i + 1 < CLASS_COLUMNS; i++)
        fields[i + 1] = service_number(values[i], texts[i], sizeof texts[i]);
    loom_sheet_fields(sheet, fields, CLASS_COLUMNS);
}

static bool knows_classes(const struct loom_observed_classes *classes)
{
    for (size_t i = 0; i < classes->count; i++)
        if (classes->classes[i].key >= 0)
            return true;
    return false;
}

static int by_class(struct loom_sheet *sheet, const struct loom_subject *subject,
                    enum loom_observed_by by, const char *columns, const char *reason,
                    struct loom_error *err)
{
    const struct loom_workload *jobs = &subject->jobs;
    struct loom_observed_classes *classes = NULL;
    int rc = loom_observed_classes(&classes, jobs->trace, &subject->observed.window, jobs->zone, by,
                                   err);
    if (rc)
        return rc;
    if (!knows_classes(classes)) {
        free(classes);
        return loom_sheet_skip(sheet, reason);
    }
    loom_sheet_block(sheet, NULL, columns);
    for (size_t i = 0; i < classes->count; i++)
        put_class(sheet, classes, i, jobs->trace);
    free(classes);
    return 0;
}

#define COLUMNS                                                                \
    ",jobs,jobs_share,work_s,work_share,wait_mean_s,wait_median_s,wait_p90_s," \
    "wait_p99_s,response_mean_s,bounded_slowdown_mean"

#define BY(function, kind, name, why)                                                 \
    static int function(struct loom_sheet *sheet, const struct loom_subject *subject, \
                        struct loom_error *err)                                       \
    {                                                                                 \
        return by_class(sheet, subject, kind, name COLUMNS, why, err);                \
    }

BY(by_user, LOOM_BY_USER, "user", "no job has a user ID")
BY(by_group, LOOM_BY_GROUP, "group", "no job has a group ID")
BY(by_queue, LOOM_BY_QUEUE, "queue", "no job has a queue")
BY(by_partition, LOOM_BY_PARTITION, "partition", "no job has a partition")
BY(by_size, LOOM_BY_SIZE, "processors", "no job has a number of processors")
BY(by_runtime, LOOM_BY_RUNTIME, "runtime", "no job has a runtime")

static int service_by_hour(struct loom_sheet *sheet, const struct loom_subject *subject,
                           struct loom_error *err)
{
    if (!subject->clock_known)
        return loom_sheet_skip(sheet, "the header does not say when the log starts "
                                      "(UnixStartTime), so hours are not known");
    return by_class(sheet, subject, LOOM_BY_HOUR, "hour" COLUMNS, "there are no jobs", err);
}

/* ---- figures --------------------------------------------------------------------------------- */

static int over_time(struct loom_sheet *sheet, const struct loom_subject *subject, bool queue,
                     struct loom_error *err)
{
    const struct loom_observed *observed = &subject->observed;
    struct loom_observed_series *series = NULL;
    double procs = (double)observed->machine.procs;
    if (!has_waits(subject))
        return loom_sheet_skip(sheet, no_waits);
    if (observed->window.from_s >= observed->window.to_s)
        return loom_sheet_skip(sheet, "the complete window has no length");
    if (!queue && procs <= 0)
        return loom_sheet_skip(sheet, "the size of the machine is not known");
    int rc = loom_observed_series(&series, subject->jobs.trace, &observed->window, err);
    if (rc)
        return rc;
    loom_unit_set(sheet, series->to_s - series->from_s, 1);
    loom_sheet_block(sheet, NULL,
                     queue ? "time_s,jobs_waiting,jobs_waiting_max" : "time_s,utilization");
    for (size_t i = 0; i <= series->count; i++) {
        const struct loom_observed_step *step = &series->steps[i < series->count ? i : i - 1];
        double at_s = i < series->count ? (double)i * (double)series->step_s
                                        : (double)(series->to_s - series->from_s);
        if (queue)
            loom_sheet_row3(sheet, at_s, step->queue_mean, (double)step->queue_max);
        else
            loom_sheet_row(sheet, at_s, step->procs / procs);
    }
    free(series);
    return 0;
}

static int utilization(struct loom_sheet *sheet, const struct loom_subject *subject,
                       struct loom_error *err)
{
    return over_time(sheet, subject, false, err);
}

static int queue_length(struct loom_sheet *sheet, const struct loom_subject *subject,
                        struct loom_error *err)
{
    return over_time(sheet, subject, true, err);
}

static int waits(struct loom_sheet *sheet, const struct loom_subject *subject,
                 struct loom_error *err)
{
    const struct loom_workload *jobs = &subject->jobs;
    const struct loom_trace_window *window = &subject->observed.window;
    size_t n = 0;
    if (!has_waits(subject))
        return loom_sheet_skip(sheet, no_waits);
    double *sorted = malloc((jobs->n + 1) * sizeof *sorted);
    if (!sorted)
        return loom_fail_memory(err);
    for (size_t i = 0; i < jobs->n; i++)
        if (jobs->wait_s[i] >= 0 && jobs->submit_s[i] >= window->from_s &&
            jobs->submit_s[i] <= window->to_s)
            sorted[n++] = (double)jobs->wait_s[i];
    int rc = loom_sort(sorted, n, err);
    if (!rc)
        loom_curve_cdf(sheet, NULL, "wait_s", sorted, n, 1, false);
    free(sorted);
    return rc;
}

/* Mean, median and 90th percentile of waits over an axis of classes. */
static int waits_by(struct loom_sheet *sheet, const struct loom_subject *subject,
                    enum loom_observed_by by, const char *columns, struct loom_error *err)
{
    const struct loom_workload *jobs = &subject->jobs;
    struct loom_observed_classes *classes = NULL;
    if (!has_waits(subject))
        return loom_sheet_skip(sheet, no_waits);
    int rc = loom_observed_classes(&classes, jobs->trace, &subject->observed.window, jobs->zone, by,
                                   err);
    if (rc)
        return rc;
    static const char *const names[] = {"mean", "median", "90 % wait at most"};
    for (int what = 0; what < 3; what++) {
        loom_sheet_block(sheet, names[what], columns);
        for (size_t i = 0; i < classes->count; i++) {
            const struct loom_observed_class *class = &classes->classes[i];
            double value = what == 0   ? class->wait_s.mean
                           : what == 1 ? class->wait_s.median
                                       : class->wait_s.p90;
            if (class->key >= 0)
                loom_sheet_row(sheet, (double)class->key, value);
        }
    }
    free(classes);
    return 0;
}

static int waits_by_size(struct loom_sheet *sheet, const struct loom_subject *subject,
                         struct loom_error *err)
{
    return waits_by(sheet, subject, LOOM_BY_SIZE, "procs_up_to,wait_s", err);
}

static int waits_by_hour(struct loom_sheet *sheet, const struct loom_subject *subject,
                         struct loom_error *err)
{
    if (!subject->clock_known)
        return loom_sheet_skip(sheet, "the header does not say when the log starts "
                                      "(UnixStartTime), so hours are not known");
    return waits_by(sheet, subject, LOOM_BY_HOUR, "hour,wait_s", err);
}

/* The share of the work, and of the jobs, of the first k users by work. */
static int shares_of_users(struct loom_sheet *sheet, const struct loom_subject *subject,
                           struct loom_error *err)
{
    const struct loom_workload *jobs = &subject->jobs;
    struct loom_observed_classes *classes = NULL;
    int rc = loom_observed_classes(&classes, jobs->trace, &subject->observed.window, jobs->zone,
                                   LOOM_BY_USER, err);
    if (rc)
        return rc;
    bool known = knows_classes(classes) && isfinite(classes->classes[0].work_share);
    for (int what = 0; what < 2 && known; what++) {
        double sum = 0;
        loom_sheet_block(sheet, what ? "jobs" : "work", "users,share");
        for (size_t i = 0; i < classes->count; i++) {
            sum += what ? classes->classes[i].jobs_share : classes->classes[i].work_share;
            loom_sheet_row(sheet, (double)(i + 1), sum);
        }
    }
    free(classes);
    return known ? 0 : loom_sheet_skip(sheet, "no job has a user ID and known work");
}

#define WAITS_Y LOOM_TIME_Y "set ylabel 'wait'\n"
#define PLOT_WAITS                                                                              \
    "set key above center horizontal\nplot for [i=0:2] data index i using 1:($2 < 1 ? 1 : $2) " \
    "with linespoints linestyle i+1 title columnheader(2)\n"
#define WINDOW "Jobs submitted in the window in which the log is complete. "

const struct loom_figure_ops loom_figures_observed[] = {
    {.name = "service-utilization",
     .section = "observed",
     .title = "Utilization over time",
     .caption = "Share of the machine's processors in use, over the window in which the log is "
                "complete.",
     .data = utilization,
     .script = LOOM_UNIT_X(
         "since the beginning of the complete window") "set xrange [0:*]\nset ylabel 'utilization "
                                                       "(%)'\nset yrange [0:*]\n"
                                                       "plot data using ($1 / unit_s):(100 * $2) "
                                                       "with fillsteps fillstyle solid 0.35 "
                                                       "linecolor rgb '#0072B2' notitle, \\\n"
                                                       "     '' using ($1 / unit_s):(100 * $2) "
                                                       "with steps linestyle 1 linewidth 1.2 "
                                                       "notitle\n",
     .width = 2,
     .height = 0.33},
    {.name = "service-backlog",
     .section = "observed",
     .title = "Queue over time",
     .caption = "Jobs waiting, over the same window: the mean and the most in each step.",
     .data = queue_length,
     .script = LOOM_UNIT_X(
         "since the beginning of the complete window") "set xrange [0:*]\nset ylabel 'jobs "
                                                       "waiting'\nset yrange [0:*]\n"
                                                       "set key above center horizontal\n"
                                                       "plot data using ($1 / unit_s):3 with steps "
                                                       "linestyle 2 linewidth 1 title 'most', \\\n"
                                                       "     '' using ($1 / unit_s):2 with steps "
                                                       "linestyle 1 linewidth 1.5 title 'mean'\n",
     .width = 2,
     .height = 0.33},
    {.name = "service-waits",
     .section = "observed",
     .title = "Waits",
     .caption = WINDOW "Share of them that wait at most so long; from one second on.",
     .data = waits,
     .script = LOOM_TIME_X "set xlabel 'wait'\nset ylabel 'share of jobs'\nset yrange [0:1]\n"
                           "plot data using 1:2 with steps linestyle 1 notitle\n"},
    {.name = "service-waits-size",
     .section = "observed",
     .title = "Waits by size",
     .caption = WINDOW "Waits by processors: 1, 2, 3-4, 5-8, and so on; at least 1 s is drawn.",
     .data = waits_by_size,
     .script = WAITS_Y "set logscale x 2\nset xlabel 'processors, up to'\n" PLOT_WAITS},
    {.name = "service-waits-hour",
     .section = "observed",
     .title = "Waits by hour of submission",
     .caption = WINDOW "Waits by the hour of the day of submission, in local time; at least 1 s is "
                       "drawn.",
     .data = waits_by_hour,
     .script = WAITS_Y "set xlabel 'hour of the day (local time)'\nset xrange [-0.5:23.5]\n"
                       "set xtics 0,3\n" PLOT_WAITS},
    {.name = "service-shares",
     .section = "observed",
     .title = "Shares of users",
     .caption = WINDOW "The share that the first users have, in order of their work.",
     .data = shares_of_users,
     .script = "set logscale x\nset xlabel 'users, by falling work'\nset ylabel 'share (%)'\n"
               "set yrange [0:100]\nset key bottom right\n"
               "plot for [i=0:1] data index i using 1:(100 * $2) with linespoints linestyle i+1 "
               "pointsize 0.4 title columnheader(2)\n"},
    {.name = "service",
     .section = "observed",
     .title = "Observed service",
     .caption = WINDOW "Wait, response (wait and runtime) and bounded slowdown (response over "
                       "runtime, which counts as at least 10 s).",
     .data = overall},
    {.name = "service-user",
     .section = "observed",
     .title = "Service by user",
     .caption = WINDOW "Shares of jobs and work (processor-seconds), and service, by user.",
     .data = by_user},
    {.name = "service-group",
     .section = "observed",
     .title = "Service by group",
     .caption = WINDOW "Shares of jobs and work (processor-seconds), and service, by group.",
     .data = by_group},
    {.name = "service-queue",
     .section = "observed",
     .title = "Service by queue",
     .caption = WINDOW "Shares of jobs and work (processor-seconds), and service, by queue.",
     .data = by_queue},
    {.name = "service-partition",
     .section = "observed",
     .title = "Service by partition",
     .caption = WINDOW "Shares of jobs and work (processor-seconds), and service, by partition.",
     .data = by_partition},
    {.name = "service-size",
     .section = "observed",
     .title = "Service by size",
     .caption = WINDOW "Shares of jobs and work (processor-seconds), and service, by processors.",
     .data = by_size},
    {.name = "service-runtime",
     .section = "observed",
     .title = "Service by runtime",
     .caption = WINDOW "Shares of jobs and work (processor-seconds), and service, by runtime.",
     .data = by_runtime},
    {.name = "service-hour",
     .section = "observed",
     .title = "Service by hour",
     .caption = WINDOW "Shares of jobs and work (processor-seconds), and service, by hour of "
                       "submission in local time.",
     .data = service_by_hour},
    {.name = NULL},
};

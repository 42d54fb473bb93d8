/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The metric dictionary: every number of an outcome, once. A new metric is a field of struct
 * loom_outcome, or of what it holds, and a line here.
 */
#include "base/error.h"
#include "base/words.h"
#include "experiment/outcome.h"
#include "experiment/study.h"
#include "experiment/tool.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* How a field is stored. A verdict is -1 where there is none. */
enum type { REAL, WHOLE, VERDICT, FLAG };

struct entry {
    struct loom_metric metric;
    size_t offset; /* in the struct of its group */
    enum type type;
};

#define TYPE_OF(holder, field) \
    _Generic(((holder *)0)->field, double : REAL, int64_t : WHOLE, int : VERDICT, bool : FLAG)
#define ENTRY(holder, group, key, field, label, unit, better, path, meaning)           \
    {                                                                                  \
        {key, label, unit, LOOM_BETTER_##better, LOOM_METRICS_##group, path, meaning}, \
            offsetof(holder, field), TYPE_OF(holder, field)                            \
    }
#define RUN(group, key, field, label, unit, better, path, meaning) \
    ENTRY(struct loom_outcome, group, key, field, label, unit, better, path, meaning)
#define COUNT(name, what) \
    RUN(COUNTS, #name, counts.name, what, "jobs", NEITHER, "counts." #name, what),
#define USERS(key, field, label, unit, better, meaning)                               \
    ENTRY(struct loom_users_outcome, USERS, "users_" key, field, label, unit, better, \
          "people." key, meaning)
#define GRID(key, field, label, unit, better, path, meaning) \
    ENTRY(struct loom_grid_metrics, GRID, key, field, label, unit, better, "grid." path, meaning)

#define WITHIN(key, field, label, unit, better, path, meaning)                                     \
    ENTRY(struct loom_within_outcome, WITHIN, key, field, label, unit, better, "within_run." path, \
          meaning)
#define PREDICTION(key, field, label, unit, better, path, meaning)                            \
    ENTRY(struct loom_prediction_outcome, PREDICTION, key, errors.field, label, unit, better, \
          "prediction." path, meaning)

#define WAITS(key, field, label, unit, better, path, meaning)                                 \
    ENTRY(struct loom_wait_errors, WAITS, "wait_prediction_" key, field, label, unit, better, \
          "wait_prediction." path, meaning)

/* The measures of some jobs of a grid, X(prefix of keys, field, path, whose). */
#define SHARE(key, field, path, whose)                                                           \
    GRID(key "jobs", field.jobs, whose, "jobs", NEITHER, path ".jobs",                           \
         "Jobs submitted to clusters themselves; concurrent: while grid jobs are submitted."),   \
        GRID(key "wait_mean_s", field.wait_mean_s, whose ": mean wait", "s", LOWER,              \
             path ".wait_mean_s", "Mean time from submission to start."),                        \
        GRID(key "wait_median_s", field.wait_median_s, whose ": median wait", "s", LOWER,        \
             path ".wait_median_s", "Median time from submission to start."),                    \
        GRID(key "response_mean_s", field.response_mean_s, whose ": mean response", "s", LOWER,  \
             path ".response_mean_s", "Mean time from submission to end."),                      \
        GRID(key "slowdown_mean", field.slowdown_mean, whose ": mean slowdown", "", LOWER,       \
             path ".slowdown_mean", "Mean of max(1, response / max(runtime, 1 s))."),            \
        GRID(key "bounded_slowdown_mean", field.bounded_slowdown_mean,                           \
             whose ": mean bounded slowdown", "", LOWER, path ".bounded_slowdown_mean",          \
             "Mean of max(1, response / max(runtime, 10 s))."),                                  \
        GRID(key "slowdown_ratio", field.slowdown_ratio, whose ": mean response / mean runtime", \
             "", LOWER, path ".slowdown_ratio", "Mean response over mean runtime."),             \
        GRID(key "utilization", field.utilization, whose ": utilization", "share", NEITHER,      \
             path ".utilization", "Share of all processors that they used.")

static const struct entry entries[] = {
    /* ---- service ---- */
    RUN(SERVICE, "jobs", metrics.jobs, "jobs simulated", "jobs", NEITHER, "jobs", "Jobs that ran."),
    RUN(SERVICE, "measured", metrics.measured, "jobs measured", "jobs", NEITHER, "measured",
        "Jobs that waits and slowdowns are taken over: without warm-up, cool-down and users who "
        "are "
        "left out."),
    RUN(SERVICE, "wait_mean_s", metrics.wait_mean_s, "mean wait", "s", LOWER, "wait_mean_s",
        "Mean time from submission to start."),
    RUN(SERVICE, "wait_median_s", metrics.wait_median_s, "median wait", "s", LOWER, "wait_median_s",
        "Median time from submission to start."),
    RUN(SERVICE, "wait_p90_s", metrics.wait_percentile_s[1], "wait, 90th percentile", "s", LOWER,
        "percentiles.wait_s.90", "Nine of ten jobs wait no longer."),
    RUN(SERVICE, "wait_p95_s", metrics.wait_percentile_s[2], "wait, 95th percentile", "s", LOWER,
        "percentiles.wait_s.95", "19 of 20 jobs wait no longer."),
    RUN(SERVICE, "wait_p99_s", metrics.wait_percentile_s[3], "wait, 99th percentile", "s", LOWER,
        "percentiles.wait_s.99", "99 of 100 jobs wait no longer."),
    RUN(SERVICE, "response_mean_s", metrics.response_mean_s, "mean response", "s", LOWER,
        "response_mean_s", "Mean time from submission to end."),
    RUN(SERVICE, "slowdown_mean", metrics.slowdown_mean, "mean slowdown", "", LOWER,
        "slowdown_mean", "Mean of max(1, response / max(runtime, 1 s))."),
    RUN(SERVICE, "bounded_slowdown_mean", metrics.bounded_slowdown_mean, "mean bounded slowdown",
        "", LOWER, "bounded_slowdown_mean", "Mean of max(1, response / max(runtime, 10 s))."),
    RUN(SERVICE, "bounded_slowdown_median", metrics.bounded_slowdown_percentile[0],
        "median bounded slowdown", "", LOWER, "percentiles.bounded_slowdown.50",
        "Median of max(1, response / max(runtime, 10 s))."),
    RUN(SERVICE, "bounded_slowdown_p90", metrics.bounded_slowdown_percentile[1],
        "bounded slowdown, 90th percentile", "", LOWER, "percentiles.bounded_slowdown.90",
        "Nine of ten jobs are not above it."),
    RUN(SERVICE, "bounded_slowdown_p95", metrics.bounded_slowdown_percentile[2],
        "bounded slowdown, 95th percentile", "", LOWER, "percentiles.bounded_slowdown.95",
        "19 of 20 jobs are not above it."),
    RUN(SERVICE, "bounded_slowdown_p99", metrics.bounded_slowdown_percentile[3],
        "bounded slowdown, 99th percentile", "", LOWER, "percentiles.bounded_slowdown.99",
        "99 of 100 jobs are not above it."),
    RUN(SERVICE, "slowdown_ratio", metrics.slowdown_ratio, "mean response / mean runtime", "",
        LOWER, "slowdown_ratio", "Mean response over mean runtime (Minh 2012, 5.2.5)."),
    WITHIN(
        "wait_batch_half_s", wait_half_s, "mean wait, half width within the run", "s", LOWER,
        "wait_half_s",
        "Half width of the 95 % interval of the mean wait by 20 batch means within this run; too "
        "small where batches are correlated."),
    WITHIN("wait_batch_correlation", batch_correlation, "correlation of successive batches", "",
           NEITHER, "batch_correlation",
           "Lag-1 correlation of the mean waits of 20 batches; near 0 if batches are long enough."),
    WITHIN(
        "warmup_mser_jobs", warmup_mser_jobs, "warm-up by MSER-5", "jobs", NEITHER,
        "warmup_mser_jobs",
        "Jobs at the start whose waits MSER-5 would leave out; half of all: the run is too short."),
    RUN(SERVICE, "fairness", fairness, "fairness over users", "", HIGHER, "fairness",
        "Jain's index of the users' mean bounded slowdowns: 1 if all are equal, 1/n if one of n "
        "alone is delayed."),
    RUN(SERVICE, "users", users, "users", "users", NEITHER, "users.count",
        "Known users with measured jobs."),
    RUN(SERVICE, "user_rate_median", user_rate_median, "throughput of a user, median", "jobs/day",
        HIGHER, "users.jobs_per_day_median", "Median over users of measured jobs a day."),
    RUN(SERVICE, "user_rate_max", user_rate_max, "throughput of a user, maximum", "jobs/day",
        NEITHER, "users.jobs_per_day_max", "The most measured jobs a day of any user."),

    /* ---- the machine ---- */
    RUN(MACHINE, "procs", procs, "processors", "processors", NEITHER, "procs",
        "Processors of the machine, or of all clusters."),
    RUN(MACHINE, "utilization", metrics.utilization, "utilization", "share", HIGHER, "utilization",
        "Share of the processors in use from the first submission to the last end, without users "
        "who are left out."),
    RUN(MACHINE, "throughput_jobs_per_day", metrics.throughput_jobs_per_day, "throughput",
        "jobs/day", HIGHER, "throughput_jobs_per_day",
        "Jobs that ended, over the makespan, without users who are left out."),
    RUN(MACHINE, "makespan_s", metrics.makespan_s, "makespan", "s", LOWER, "makespan_s",
        "From the first submission to the last end."),
    RUN(MACHINE, "queue_mean", metrics.queue_mean, "mean queue length", "jobs", LOWER, "queue_mean",
        "Jobs waiting, averaged over the makespan."),
    RUN(MACHINE, "queue_max", metrics.queue_max, "maximum queue length", "jobs", LOWER, "queue_max",
        "The most jobs waiting after a pass of the scheduler."),
    RUN(MACHINE, "load_offered", metrics.load_offered, "load offered", "", NEITHER, "load_offered",
        "Arrival rate times mean work of a job, over the processors (Minh 2012, 5.2.5)."),
    RUN(MACHINE, "saturated", metrics.saturated, "saturated", "yes/no", LOWER, "saturated",
        "Outstanding jobs grow by more than one a week (Zakay 2017, chapter 3, 6.3)."),
    RUN(MACHINE, "filling", metrics.filling, "filling", "yes/no", NEITHER, "filling",
        "Saturated by that rule, but by running jobs alone: the queue does not grow."),
    RUN(MACHINE, "saturation_undecided", metrics.undecided, "verdict undecided", "yes/no", NEITHER,
        "saturation_undecided",
        "The interval of the growth contains one job a week: either verdict may be chance."),
    RUN(MACHINE, "outstanding_per_week", metrics.outstanding.per_week, "growth of outstanding jobs",
        "jobs/week", LOWER, "outstanding_per_week",
        "Slope of the weekly counts of jobs submitted and not ended."),
    RUN(MACHINE, "outstanding_per_week_error", metrics.outstanding.error,
        "standard error of the growth", "jobs/week", NEITHER, "outstanding_per_week_error",
        "Standard error of that slope, with the dependence of successive weeks (Newey, West)."),
    RUN(MACHINE, "outstanding_per_week_low", metrics.outstanding.low, "growth, lower end",
        "jobs/week", LOWER, "outstanding_per_week_low",
        "95 % interval of that slope, widened by its values had the run ended earlier."),
    RUN(MACHINE, "outstanding_per_week_high", metrics.outstanding.high, "growth, upper end",
        "jobs/week", LOWER, "outstanding_per_week_high",
        "95 % interval of that slope, widened by its values had the run ended earlier."),
    RUN(MACHINE, "waiting_per_week", metrics.waiting_per_week, "growth of waiting jobs",
        "jobs/week", LOWER, "waiting_per_week", "Slope of the weekly counts of waiting jobs."),
    RUN(MACHINE, "backlog_weeks", metrics.backlog_weeks, "longest backlog", "weeks", LOWER,
        "backlog_weeks",
        "The most weeks in a row that began with over a day's work for all processors waiting."),

    /* ---- the window of the measured jobs ---- */
    RUN(WINDOW, "window_from_s", rates.window.from_s, "measured window, begin", "s", NEITHER,
        "window.from_s", "Submission of the first measured job."),
    RUN(WINDOW, "window_to_s", rates.window.to_s, "measured window, end", "s", NEITHER,
        "window.to_s", "Submission of the first job behind them, or the last end."),
    RUN(WINDOW, "window_utilization", rates.utilization, "utilization, measured window", "share",
        HIGHER, "window.utilization",
        "Share of the processors in use, without users who are left out."),
    RUN(WINDOW, "window_throughput_jobs_per_day", rates.throughput_jobs_per_day,
        "throughput, measured window", "jobs/day", HIGHER, "window.throughput_jobs_per_day",
        "Jobs that ended in it, without users who are left out."),
    RUN(WINDOW, "window_queue_mean", rates.queue_mean, "mean queue length, measured window", "jobs",
        LOWER, "window.queue_mean", "Jobs waiting, averaged over it."),
    RUN(WINDOW, "window_queue_max", rates.queue_max, "maximum queue length, measured window",
        "jobs", LOWER, "window.queue_max", "The most jobs that waited for a second or more."),
    RUN(WINDOW, "queue_p50", rates.queue_percentile[0], "queue length, median over time", "jobs",
        LOWER, "queue_length.percentiles.50", "For half of the time it is not longer."),
    RUN(WINDOW, "queue_p90", rates.queue_percentile[1], "queue length, 90 % of the time", "jobs",
        LOWER, "queue_length.percentiles.90", "For 90 % of the time it is not longer."),
    RUN(WINDOW, "queue_p95", rates.queue_percentile[2], "queue length, 95 % of the time", "jobs",
        LOWER, "queue_length.percentiles.95", "For 95 % of the time it is not longer."),
    RUN(WINDOW, "queue_p99", rates.queue_percentile[3], "queue length, 99 % of the time", "jobs",
        LOWER, "queue_length.percentiles.99", "For 99 % of the time it is not longer."),

    /* ---- jobs left out or changed ---- */
    LOOM_SIM_COUNTS(COUNT)

    /* ---- users who submit ---- */
    USERS("count", did.users, "users who submitted", "users", NEITHER,
          "Users with at least one job in the run."),
    USERS("returned", counts.returned, "long-term users started again", "times", NEITHER,
          "How often long-term users began anew after their last job."),
    USERS("throughput_jobs_per_day", submitting.throughput_jobs_per_day,
          "throughput while users submit", "jobs/day", HIGHER,
          "Jobs that ended in the time of submissions."),
    USERS("log_throughput_jobs_per_day", log_throughput_jobs_per_day, "throughput of the log",
          "jobs/day", NEITHER,
          "Jobs of the log that ended between its first and last submission, as it records them."),
    USERS("log_load", log_load, "load of the log", "", NEITHER,
          "Load that the jobs of the log offer at their own submit times."),
    USERS("utilization", submitting.utilization, "utilization while users submit", "share", HIGHER,
          "Share of the processors in use in the time of submissions."),
    USERS("jobs_per_day_mean", did.jobs_per_day_mean, "jobs of a user, mean", "jobs/day", HIGHER,
          "Mean over users, from first submission to last end."),
    USERS("jobs_per_day_median", did.jobs_per_day_median, "jobs of a user, median", "jobs/day",
          HIGHER, "Median over users, from first submission to last end."),
    USERS("active_weeks_mean", did.active_weeks_mean, "active weeks of a user, mean", "weeks",
          NEITHER, "Weeks in which a user submitted something."),
    USERS("active_weeks_median", did.active_weeks_median, "active weeks of a user, median", "weeks",
          NEITHER, "Weeks in which a user submitted something."),
    USERS("activity_mean_s", did.activity_mean_s, "activity of a user, mean", "s", NEITHER,
          "From first to last submission."),
    USERS("sessions", did.sessions, "sessions", "sessions", HIGHER,
          "Sessions of all users, found anew in the schedule."),
    USERS("session_mean_s", did.session_mean_s, "session length, mean", "s", NEITHER,
          "From first to last submission of a session."),
    USERS("session_median_s", did.session_median_s, "session length, median", "s", NEITHER,
          "From first to last submission of a session."),
    USERS("aborted", counts.aborted, "sessions ended by poor service", "sessions", LOWER,
          "Sessions that users ended because a job was slowed down too much."),
    USERS("abandoned", counts.abandoned, "users lost to poor service", "users", LOWER,
          "Users who left for good because a job was slowed down too much."),
    USERS("jobs_lost", counts.jobs_lost, "jobs lost to poor service", "jobs", LOWER,
          "Jobs that these users did not submit."),

    /* ---- the grid ---- */
    GRID("grid_load", load, "load of the grid", "", NEITHER, "load",
         "Work of grid jobs over the processors that local jobs leave (Minh 2012, 6.2)."),
    GRID("grid_procs_left", procs_left, "processors left by local jobs", "processors", NEITHER,
         "procs_left", "Sum over clusters of (1 - load of local jobs) * processors."),
    GRID("grid_utilization", utilization, "utilization by all jobs", "share", HIGHER, "utilization",
         "By grid and local jobs, from the first submission to the last end."),
    GRID("grid_utilization_submitting", utilization_submitting,
         "utilization while grid jobs are submitted", "share", HIGHER, "utilization_submitting",
         "By grid and local jobs, from the first to the last submission of a grid job."),
    GRID("grid_makespan_s", makespan_s, "makespan of all jobs", "s", LOWER, "makespan_s",
         "From the first submission to the last end of any job."),
    GRID("grid_wait_queue_mean_s", wait_queue_mean_s, "mean wait in the grid's queue", "s", LOWER,
         "wait_queue_mean_s", "Of grid jobs, until they were sent to a cluster."),
    GRID("grid_wait_cluster_mean_s", wait_cluster_mean_s, "mean wait in a cluster's queue", "s",
         LOWER, "wait_cluster_mean_s", "Of grid jobs, from then to their start."),
    SHARE("local_", local, "local", "local jobs"),
    SHARE("local_submitting_", local_submitting, "local_submitting", "concurrent local jobs"),

    /* ---- prediction ---- */
    PREDICTION("prediction_mae_s", mae_s, "mean absolute error of predictions", "s", LOWER, "mae_s",
               "Mean of |prediction at submission - runtime|."),
    PREDICTION("prediction_wae_s", wae_s, "weighted absolute error of predictions", "s", LOWER,
               "wae_s", "The same, weighted by processors and runtime."),
    PREDICTION("prediction_underestimated_fraction", underestimated_fraction,
               "predictions below the runtime", "share", LOWER, "underestimated_fraction",
               "Share of jobs whose prediction at submission was below their runtime."),

    /* ---- predicted waits ---- */
    WAITS("at_once", at_once, "jobs started when submitted", "jobs", NEITHER, "at_once",
          "Measured jobs that start in the pass after their submission; not in what follows."),
    WAITS("jobs", jobs, "jobs with a predicted wait", "jobs", NEITHER, "jobs",
          "Measured jobs whose predicted wait is above 0."),
    WAITS("mae_s", mae_s, "mean absolute error of predicted waits", "s", LOWER, "mae_s",
          "Mean of |wait predicted at submission - wait|."),
    WAITS("bias_s", bias_s, "bias of predicted waits", "s", NEITHER, "bias_s",
          "Mean of predicted minus simulated wait; above 0: jobs start earlier than predicted."),
    WAITS("late_fraction", late_fraction, "started later than predicted", "share", NEITHER,
          "late_fraction", "Share of jobs that start after their predicted start."),
    WAITS("near_fraction", near_fraction, "waits near the prediction", "share", HIGHER,
          "near_fraction", "Share of jobs that wait 0.5 to 1.5 times as long as predicted."),
    WAITS("ratio", ratio, "waits over predicted waits", "", NEITHER, "ratio",
          "Sum of waits over sum of predicted waits: 1 if right on average."),
};

enum { N_ENTRIES = sizeof entries / sizeof *entries };
_Static_assert((int)N_ENTRIES <= (int)LOOM_STUDY_METRICS, "a result of a study holds every metric");

const struct loom_metric *loom_metric_at(size_t index)
{
    return index < N_ENTRIES ? &entries[index].metric : NULL;
}

const struct loom_metric *loom_metric_find(const char *key)
{
    for (size_t i = 0; i < N_ENTRIES; i++)
        if (strcmp(entries[i].metric.key, key) == 0)
            return &entries[i].metric;
    return NULL;
}

/* What is better low or high is a time, a count, a share, a slowdown, or a growth by the week. */
double loom_metric_least(const struct loom_metric *metric)
{
    if (metric->better == LOOM_BETTER_NEITHER || strcmp(metric->unit, "jobs/week") == 0)
        return -INFINITY;
    return strstr(metric->key, "slowdown") ? 1 : 0;
}

double loom_metric_most(const struct loom_metric *metric)
{
    return strcmp(metric->unit, "share") == 0 ? 1 : INFINITY;
}

const char *loom_metric_group_name(enum loom_metric_group group)
{
    static const char *const names[LOOM_METRIC_GROUPS] = {"service",    "machine", "window",
                                                          "counts",     "users",   "grid",
                                                          "prediction", "within",  "waits"};
    return names[group];
}

/* The struct that a group's fields are in; NULL where the run has none. */
static const char *holder_of(const struct loom_outcome *outcome, enum loom_metric_group group)
{
    return group == LOOM_METRICS_USERS        ? (const char *)outcome->submitters
           : group == LOOM_METRICS_PREDICTION ? (const char *)outcome->predicted
           : group == LOOM_METRICS_WITHIN     ? (const char *)outcome->within
           : group == LOOM_METRICS_WAITS      ? (const char *)outcome->waits
           : group != LOOM_METRICS_GRID       ? (const char *)outcome
           : outcome->grid                    ? (const char *)&outcome->grid->metrics
                                              : NULL;
}

double loom_outcome_metric(const struct loom_outcome *outcome, const struct loom_metric *metric)
{
    const struct entry *entry = (const struct entry *)metric; /* its first member */
    const char *holder = holder_of(outcome, metric->group);
    if (!holder)
        return NAN;
    const void *field = holder + entry->offset;
    switch (entry->type) {
    case REAL:
        return *(const double *)field;
    case WHOLE:
        return (double)*(const int64_t *)field;
    case VERDICT:
        return *(const int *)field < 0 ? (double)NAN : *(const int *)field;
    case FLAG:
        return *(const bool *)field;
    }
    return NAN;
}

double loom_outcome_value(const struct loom_outcome *outcome, const char *key)
{
    const struct loom_metric *metric = loom_metric_find(key);
    return metric ? loom_outcome_metric(outcome, metric) : NAN;
}

int loom_metric_check(const char *key, const char *field, struct loom_error *err)
{
    const char *names[N_ENTRIES + 1] = {0};
    for (size_t i = 0; i < N_ENTRIES; i++)
        names[i] = entries[i].metric.key;
    if (loom_metric_find(key))
        return 0;
    return loom_blame(loom_fail_unknown(err, "metric", key, names, "see 'workloom list metrics'"),
                      field, err);
}

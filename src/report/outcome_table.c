/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Outcomes as tables for a terminal or a page: one run as rows, several as a row each. */
#include "report/outcomes.h"
#include "sim/load.h"
#include "sim/results/saturation.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- cells ----------------------------------------------------------------------------------- */

const struct loom_metric *loom_metric_of(const char *key)
{
    return loom_metric_find(key);
}

const char *loom_metric_text(const struct loom_metric *metric, double value, char *buf, size_t size)
{
    if (isnan(value))
        snprintf(buf, size, "-");
    else if (strcmp(metric->unit, "s") == 0)
        loom_human_seconds(value, buf, size);
    else if (strcmp(metric->unit, "share") == 0)
        loom_human_share(value, buf, size);
    else if (strcmp(metric->unit, "yes/no") == 0)
        snprintf(buf, size, "%s", value > 0 ? "yes" : "no");
    else
        loom_human_number(value, buf, size);
    return buf;
}

int loom_metric_cell(struct loom_table *table, const struct loom_metric *metric, double value,
                     struct loom_error *err)
{
    char text[LOOM_HUMAN];
    return loom_table_cell(table, err, "%s", loom_metric_text(metric, value, text, sizeof text));
}

const char *loom_verdict_text(const struct loom_outcome *outcome)
{
    const struct loom_sim_metrics *m = &outcome->metrics;
    return m->filling         ? "filling"
           : m->saturated < 0 ? "-"
           : m->undecided     ? "undecided"
           : m->saturated > 0 ? "yes"
                              : "no";
}

/* Rates are shown with their unit; of a count the label says what it counts. */
static const char *unit_behind(const struct loom_metric *metric)
{
    static const char *const shown[] = {"jobs/day", "jobs/week", "weeks"};
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        if (strcmp(metric->unit, shown[i]) == 0)
            return shown[i];
    return "";
}

static int add_outcome_table_row(struct loom_table *table, const char *label,
                                 const struct loom_metric *metric, double value, const char *note,
                                 struct loom_error *err)
{
    const char *unit = isnan(value) ? "" : unit_behind(metric);
    char text[LOOM_HUMAN];
    int rc = loom_table_cell(table, err, "%s", label);
    if (!rc)
        rc = loom_table_cell(table, err, "%s%s%s",
                             loom_metric_text(metric, value, text, sizeof text), *unit ? " " : "",
                             unit);
    return rc ? rc : loom_table_cell(table, err, "%s", note);
}

static int open_rows(struct loom_table *table, const char *title, struct loom_error *err)
{
    int rc = loom_table_column(table, title, LOOM_LEFT, err);
    if (!rc)
        rc = loom_table_column(table, "value", LOOM_RIGHT, err);
    return rc ? rc : loom_table_column(table, "", LOOM_LEFT, err);
}

/* ---- one run --------------------------------------------------------------------------------- */

/* Rows that only a wide table has. */
static const char *const details[] = {"wait_p95_s",
                                      "wait_batch_half_s",
                                      "wait_batch_correlation",
                                      "warmup_mser_jobs",
                                      "slowdown_mean",
                                      "bounded_slowdown_p95",
                                      "bounded_slowdown_p90",
                                      "filling",
                                      "waiting_per_week",
                                      "outstanding_per_week",
                                      "outstanding_per_week_error",
                                      "outstanding_per_week_low",
                                      "outstanding_per_week_high",
                                      "saturation_undecided",
                                      "backlog_weeks",
                                      "user_rate_median",
                                      "user_rate_max",
                                      "users_jobs_per_day_median",
                                      "users_active_weeks_median",
                                      "users_activity_mean_s",
                                      NULL};

static bool is_detail(const char *key)
{
    size_t i = 0;
    while (details[i] && strcmp(details[i], key) != 0)
        i++;
    return details[i] != NULL;
}

static bool outcome_table_is_shown(const struct loom_outcome *outcome,
                                   const struct loom_metric *metric, bool wide)
{
    bool trimmed = outcome->metrics.measured < outcome->metrics.jobs;
    double value = loom_outcome_metric(outcome, metric);
    if (metric->group == LOOM_METRICS_COUNTS)
        return value > 0;
    if (strcmp(metric->key, "measured") == 0)
        return trimmed || wide;
    if (metric->group == LOOM_METRICS_WINDOW)
        return trimmed || wide;
    if (strncmp(metric->key, "local_", 6) == 0 && !wide)
        return strstr(metric->key, "slowdown_ratio") != NULL;
    return wide || !is_detail(metric->key);
}

enum { FEW_WEEKS = 8 }; /* a line through fewer is easily bent by one of them */

/* What the verdict on saturation rests on, or why there is none. Returns buf. */
static const char *verdict_grounds(const struct loom_outcome *outcome, char *buf, size_t size)
{
    const struct loom_sim_metrics *m = &outcome->metrics;
    char backlog[120] = "", interval[120] = "";
    if (m->weeks_fitted >= 3)
        snprintf(interval, sizeof interval, "standard error %.2g, interval %.3g to %.3g; ",
                 loom_growth_shown(m->outstanding.error), loom_growth_shown(m->outstanding.low),
                 loom_growth_shown(m->outstanding.high));
    if (loom_sim_had_backlog(m))
        snprintf(backlog, sizeof backlog,
                 "; but %" PRId64 " weeks in a row began with over a day's work waiting",
                 m->backlog_weeks);
    const char *load = m->saturated <= 0 && m->load_offered > 1 ? "; but the load is above 1" : "";
    if (m->saturated < 0)
        snprintf(buf, size, "no verdict: %" PRId64 " weekly %s, too few for a trend%s%s", m->weeks,
                 m->weeks == 1 ? "count" : "counts", backlog, load);
    else
        snprintf(buf, size,
                 "outstanding jobs grow by %.3g a week (%ssaturated above 1), %" PRId64
                 " of %" PRId64 " weeks%s%s%s%s",
                 loom_growth_shown(m->outstanding.per_week), interval, m->weeks_fitted, m->weeks,
                 m->weeks_fitted < FEW_WEEKS ? ", few for a trend" : "",
                 m->filling ? "; by running jobs alone: the queue does not grow" : "", backlog,
                 load);
    return buf;
}

static int add_metric(struct loom_table *table, const struct loom_outcome *outcome,
                      const struct loom_metric *metric, struct loom_error *err)
{
    char note[400] = "";
    if (strcmp(metric->key, "saturated") == 0) {
        int rc = loom_table_cell(table, err, "%s", metric->label);
        if (!rc)
            rc = loom_table_cell(table, err, "%s", loom_verdict_text(outcome));
        return rc ? rc
                  : loom_table_cell(table, err, "%s", verdict_grounds(outcome, note, sizeof note));
    }
    if (strcmp(metric->key, "load_offered") == 0 && outcome->load.asked > 0)
        snprintf(note, sizeof note, "%s%.3g before the change of load",
                 outcome->submitters ? "by users; of the log " : "", outcome->load.before);
    if (strcmp(metric->key, "utilization") == 0 && outcome->grid)
        snprintf(note, sizeof note, "by grid jobs");
    return add_outcome_table_row(table, metric->label, metric, loom_outcome_metric(outcome, metric),
                                 note, err);
}

static int fill_run(struct loom_table *table, const struct loom_outcome *outcome, bool wide,
                    struct loom_error *err)
{
    const struct loom_metric *metric;
    int rc = open_rows(table, "result", err);
    for (size_t i = 0; (metric = loom_metric_at(i)) && !rc; i++)
        if (loom_outcome_has(outcome, metric->group) &&
            outcome_table_is_shown(outcome, metric, wide))
            rc = add_metric(table, outcome, metric, err);
    return rc;
}

/* ---- several runs ---------------------------------------------------------------------------- */

static const struct loom_run_column columns[] = {
    {"load_offered", "load", LOOM_KEEP},
    {"procs", "processors", LOOM_WIDE_ONLY},
    {"jobs", "jobs", LOOM_WIDE_ONLY},
    {"wait_mean_s", "mean wait", LOOM_KEEP},
    {"wait_median_s", "median wait", 40},
    {"bounded_slowdown_mean", "bounded slowdown", LOOM_KEEP},
    {"slowdown_ratio", "response / runtime", 50},
    {"utilization", "utilization", 70},
    {"queue_mean", "mean queue", 30},
    {"fairness", "fairness", 20},
    {"users_throughput_jobs_per_day", "jobs/day", 60},
    {"users_count", "users", LOOM_WIDE_ONLY},
    {"users_returned", "started again", LOOM_WIDE_ONLY},
    {"users_jobs_per_day_mean", "jobs/day of a user", LOOM_WIDE_ONLY},
    {"users_active_weeks_mean", "active weeks", LOOM_WIDE_ONLY},
    {"users_sessions", "sessions", LOOM_WIDE_ONLY},
    {"users_session_mean_s", "mean session", LOOM_WIDE_ONLY},
    {"users_aborted", "sessions ended", LOOM_WIDE_ONLY},
    {"users_abandoned", "users lost", LOOM_WIDE_ONLY},
    {"users_jobs_lost", "jobs lost", LOOM_WIDE_ONLY},
    {"local_submitting_slowdown_ratio", "local response / runtime", 60},
    {"outstanding_per_week", "growth, jobs/week", 10},
};
enum { N_COLUMNS = sizeof columns / sizeof *columns };

bool loom_runs_missed_load(const struct loom_outcome *const *outcomes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (outcomes[i]->load.asked > 0 && !outcomes[i]->submitters &&
            loom_load_missed(&outcomes[i]->load))
            return true;
    return false;
}

/* Of a grid, utilization is by all jobs while grid jobs are submitted. */
double loom_run_column_value(const struct loom_outcome *outcome,
                             const struct loom_run_column *column)
{
    if (strcmp(column->key, "load_offered") == 0)
        return outcome->load_shown;
    if (strcmp(column->key, "utilization") == 0 && outcome->grid)
        return outcome->grid->metrics.utilization_submitting;
    if (strcmp(column->key, "outstanding_per_week") == 0 && outcome->metrics.saturated < 0)
        return NAN;
    return loom_outcome_value(outcome, column->key);
}

const struct loom_run_column *loom_run_column(const struct loom_outcome *outcome, size_t *next)
{
    while (*next < N_COLUMNS) {
        const struct loom_run_column *column = &columns[(*next)++];
        if (loom_outcome_has(outcome, loom_metric_of(column->key)->group))
            return column;
    }
    return NULL;
}

static int add_titles(struct loom_table *table, const struct loom_outcome *first, bool missed,
                      struct loom_error *err)
{
    const struct loom_run_column *column;
    int rc = loom_table_column(table, "scheduler", LOOM_LEFT, err);
    if (!rc && missed)
        rc = loom_table_column(table, "load asked", LOOM_RIGHT, err);
    for (size_t next = 0; !rc && (column = loom_run_column(first, &next));) {
        rc = loom_table_column(table, column->title, LOOM_RIGHT, err);
        loom_table_priority(table, column->priority);
    }
    return rc ? rc : loom_table_column(table, "saturated", LOOM_RIGHT, err);
}

/* The columns are the first run's; what a run does not have is "-". */
static int add_run(struct loom_table *table, const struct loom_outcome *outcome,
                   const struct loom_outcome *first, bool missed, struct loom_error *err)
{
    const struct loom_run_column *column;
    int rc = loom_table_cell(table, err, "%s", outcome->policy);
    if (!rc && missed)
        rc = loom_metric_cell(table, loom_metric_of("load_offered"),
                              outcome->load.asked > 0 ? outcome->load.asked : (double)NAN, err);
    for (size_t next = 0; !rc && (column = loom_run_column(first, &next));)
        rc = loom_metric_cell(table, loom_metric_of(column->key),
                              loom_run_column_value(outcome, column), err);
    return rc ? rc : loom_table_cell(table, err, "%s", loom_verdict_text(outcome));
}

static int fill_runs(struct loom_table *table, const struct loom_outcome *const *outcomes, size_t n,
                     struct loom_error *err)
{
    bool missed = loom_runs_missed_load(outcomes, n);
    int rc = add_titles(table, outcomes[0], missed, err);
    for (size_t i = 0; i < n && !rc; i++)
        rc = add_run(table, outcomes[i], outcomes[0], missed, err);
    return rc;
}

int loom_outcomes_table(struct loom_table **out, const struct loom_outcome *const *outcomes,
                        size_t n, bool wide, struct loom_error *err)
{
    *out = NULL;
    int rc = loom_table_create(out, err);
    if (!rc)
        loom_table_wide(*out, wide);
    if (!rc)
        rc = n == 1 ? fill_run(*out, outcomes[0], wide, err) : fill_runs(*out, outcomes, n, err);
    if (rc) {
        loom_table_destroy(*out);
        *out = NULL;
    }
    return rc;
}

/* ---- jobs left out or changed ---------------------------------------------------------------- */

static bool same_counts(const struct loom_outcome *const *outcomes, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (memcmp(&outcomes[i]->counts, &outcomes[0]->counts, sizeof outcomes[0]->counts) != 0)
            return false;
    return true;
}

/* Runs of the same jobs mostly do the same to them, and then say it once. */
static int fill_counts(struct loom_table *table, const struct loom_outcome *const *outcomes,
                       size_t n, struct loom_error *err)
{
    bool same = same_counts(outcomes, n);
    const struct loom_metric *metric;
    int rc = same ? 0 : loom_table_column(table, "scheduler", LOOM_LEFT, err);
    if (!rc && !same)
        rc = loom_table_column(table, "load", LOOM_RIGHT, err);
    if (!rc)
        rc = loom_table_column(table,
                               same ? "jobs left out or changed, in each run"
                                    : "jobs left out or changed",
                               LOOM_LEFT, err);
    if (!rc)
        rc = loom_table_column(table, "jobs", LOOM_RIGHT, err);
    for (size_t i = 0; i < (same ? 1 : n) && !rc; i++)
        for (size_t m = 0; (metric = loom_metric_at(m)) && !rc; m++) {
            double jobs = loom_outcome_metric(outcomes[i], metric);
            if (metric->group != LOOM_METRICS_COUNTS || !(jobs > 0))
                continue;
            if (!same)
                rc = loom_table_cell(table, err, "%s", outcomes[i]->policy);
            if (!rc && !same)
                rc = loom_metric_cell(table, loom_metric_of("load_offered"),
                                      outcomes[i]->load_shown, err);
            if (!rc)
                rc = loom_table_cell(table, err, "%s", metric->label);
            if (!rc)
                rc = loom_metric_cell(table, metric, jobs, err);
        }
    return rc;
}

int loom_counts_table(struct loom_table **out, const struct loom_outcome *const *outcomes, size_t n,
                      struct loom_error *err)
{
    static const struct loom_sim_counts none;
    bool any = false;
    *out = NULL;
    for (size_t i = 0; i < n; i++)
        any = any || memcmp(&outcomes[i]->counts, &none, sizeof none) != 0;
    if (!any)
        return 0;
    int rc = loom_table_create(out, err);
    if (!rc)
        rc = fill_counts(*out, outcomes, n, err);
    if (rc) {
        loom_table_destroy(*out);
        *out = NULL;
    }
    return rc;
}

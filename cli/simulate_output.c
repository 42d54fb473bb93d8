/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The results of one simulation, as tables and as JSON. */
#include "simulate.h"
#include "simulate_classes.h"
#include "simulate_counts.h"
#include "simulate_explain.h"
#include "simulate_grid.h"
#include "simulate_load.h"
#include "simulate_time.h"
#include "simulate_users.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N_RESULTS = 14, N_VERDICT = 2 };

/* Of a grid these are the results of its own jobs. The last two are told with the verdict in
 * tables. */
static void list_results(struct result out[N_RESULTS], const struct simulation *of)
{
    const struct loom_sim_metrics *m = &of->metrics;
    const struct result results[N_RESULTS] = {
        {"wait_mean_s", "wait, mean", "s", m->wait_mean_s},
        {"wait_median_s", "wait, median", "s", m->wait_median_s},
        {"response_mean_s", "response, mean", "s", m->response_mean_s},
        {"slowdown_mean", "slowdown, mean", "", m->slowdown_mean},
        {"bounded_slowdown_mean", "bounded slowdown (10 s), mean", "", m->bounded_slowdown_mean},
        {"slowdown_ratio", "mean response / mean runtime", "", m->slowdown_ratio},
        {"utilization", of->grid ? "utilization by grid jobs, in their makespan" : "utilization",
         "", m->utilization},
        {"throughput_jobs_per_day", "throughput", "jobs a day", m->throughput_jobs_per_day},
        {"makespan_s", "makespan", "s", (double)m->makespan_s},
        {"queue_mean", "jobs waiting, mean", "", m->queue_mean},
        {"queue_max", "jobs waiting, most", "", (double)m->queue_max},
        {"load_offered", "load offered",
         of->load.asked > 0 && has_people(of) ? "by users, from the log at the load asked for" : "",
         m->load_offered},
        {"outstanding_per_week", "growth of outstanding jobs", "jobs a week",
         m->outstanding_per_week},
        {"waiting_per_week", "growth of waiting jobs", "jobs a week", m->waiting_per_week},
    };
    memcpy(out, results, sizeof results);
}

json_t *results_json(const struct simulation *of)
{
    const struct loom_sim_metrics *metrics = &of->metrics;
    struct result results[N_RESULTS];
    json_t *object = json_object();
    int failed = json_object_set_new(object, "jobs", json_integer(metrics->jobs));
    failed |= json_object_set_new(object, "measured", json_integer(metrics->measured));
    list_results(results, of);
    for (size_t i = 0; i < N_RESULTS; i++)
        failed |= json_object_set_new(object, results[i].key, loom_json_number(results[i].value));
    failed |= json_object_set_new(object, "saturated",
                                  metrics->saturated < 0 ? json_null()
                                                         : json_boolean(metrics->saturated));
    failed |= json_object_set_new(object, "backlog_weeks", json_integer(metrics->backlog_weeks));
    failed |= json_object_set_new(object, "outstanding_weekly", weeks_json(of->sim));
    failed |= json_object_set_new(object, "percentiles", metrics_percentiles_json(metrics));
    failed |= json_object_set_new(object, "counts", counts_json(loom_sim_counts(of->sim)));
    json_t *users = users_json(of->sim, has_new_users(of) ? NULL : of->trace);
    failed |= json_object_set(object, "fairness", json_object_get(users, "fairness"));
    failed |= json_object_set_new(object, "users", users);
    failed |= merge_json(object, time_json(of->sim, &of->rates));
    if (!failed)
        return object;
    json_decref(object);
    return NULL;
}

/* From here on it is the run that a document tells of. */
static int add_results(json_t *object, const struct simulation *of, struct loom_error *err)
{
    if ((of->load.asked > 0 && json_object_set_new(object, "load", load_json(&of->load))) ||
        merge_json(object, results_json(of)) || add_people_json(object, of))
        return loom_fail_memory(err);
    return add_classes_json(object, of, err);
}

static json_t *input_json(const struct simulation *of)
{
    const struct loom_read_report *report = loom_trace_report(of->trace);
    char hash[24];
    snprintf(hash, sizeof hash, "%016" PRIx64, report->hash);
    return json_pack("{s:o, s:s}", "file", text_json(report->file), "hash", hash);
}

static json_t *policy_json(const struct simulation *of)
{
    return json_pack("{s:o, s:I}", "scheduler", text_json(of->policy), "procs",
                     (json_int_t)loom_sim_procs(of->sim));
}

static json_t *rules_json(const struct simulation *of)
{
    const struct loom_params *params = of->call->params;
    return json_pack("{s:s, s:s, s:I}", "overrun", loom_params_text(params, "overrun"), "compat",
                     loom_params_text(params, "compat"), "left_out", (json_int_t)of->left_out);
}

static int add_platform(json_t *document, const struct simulation *of)
{
    return of->platform ? json_object_set_new(document, "platform", text_json(of->platform)) : 0;
}

int print_simulation_json(const struct simulation *of, struct loom_error *err)
{
    const struct invocation *call = of->call;
    json_t *document = new_document(call);
    int rc = merge_json(document, input_json(of)) || merge_json(document, policy_json(of)) ||
                     merge_json(document, rules_json(of))
                 ? loom_fail_memory(err)
                 : add_results(document, of, err);
    if (!rc && has_explanation(of) &&
        json_object_set_new(document, "explain", explanation_json(of)))
        rc = loom_fail_memory(err);
    if (!rc && of->grid)
        rc = add_platform(document, of) ? loom_fail_memory(err) : add_grid_json(document, of, err);
    if (!rc)
        return print_document(document, err);
    json_decref(document);
    return rc;
}

int run_json(json_t **out, const struct simulation *of, struct loom_error *err)
{
    json_t *object = json_object();
    int rc =
        merge_json(object, policy_json(of)) ? loom_fail_memory(err) : add_results(object, of, err);
    if (!rc && of->grid)
        rc = add_grid_json(object, of, err);
    *out = rc ? NULL : object;
    if (rc)
        json_decref(object);
    return rc;
}

int print_runs_json(const struct simulation *of, size_t n, struct loom_error *err)
{
    json_t *document = new_document(of->call), *runs = json_array();
    int failed = merge_json(document, input_json(of)) || merge_json(document, rules_json(of)) ||
                 add_platform(document, of);
    for (size_t i = 0; i < n && !failed; i++)
        failed = json_array_append(runs, of[i].json);
    if (!failed)
        failed = json_object_set(document, "runs", runs);
    json_decref(runs);
    if (!failed)
        return print_document(document, err);
    json_decref(document);
    return loom_fail_memory(err);
}

/* ---- text ------------------------------------------------------------------------------------ */

int add_number(struct loom_table *table, double number, struct loom_error *err)
{
    return isnan(number)         ? loom_table_cell(table, err, "-")
           : fabs(number) >= 100 ? loom_table_cell(table, err, "%.0f", number)
                                 : loom_table_cell(table, err, "%.4g", number);
}

const char *verdict_text(const struct loom_sim_metrics *m)
{
    return m->filling ? "filling" : m->saturated < 0 ? "-" : m->saturated > 0 ? "yes" : "no";
}

int add_result_row(struct loom_table *table, const struct result *result, struct loom_error *err)
{
    int rc = loom_table_cell(table, err, "%s", result->label);
    if (!rc)
        rc = add_number(table, result->value, err);
    if (!rc)
        rc = loom_table_cell(table, err, "%s", result->unit);
    return rc;
}

enum { FEW_WEEKS = 8 }; /* a line through less is easily bent by one of them */

/* What the verdict rests on, or why there is none. */
static int add_grounds(struct loom_table *table, const struct loom_sim_metrics *m,
                       struct loom_error *err)
{
    char backlog[160] = "";
    if (loom_sim_had_backlog(m))
        snprintf(backlog, sizeof backlog,
                 "; not by the end, but %" PRId64 " weeks on end began with more than a day's work "
                 "for all processors waiting",
                 m->backlog_weeks);
    const char *load = m->saturated <= 0 && m->load_offered > 1
                           ? "; but the load offered is more than the machine can do"
                           : "";
    if (m->saturated < 0)
        return loom_table_cell(table, err,
                               "no verdict: %" PRId64 " weekly %s, too few for a trend%s%s",
                               m->weeks, m->weeks == 1 ? "count" : "counts", backlog, load);
    return loom_table_cell(table, err,
                           "outstanding jobs grow by %.3g a week (above 1: saturated), by %" PRId64
                           " of %" PRId64 " weekly counts%s%s%s%s",
                           m->outstanding_per_week, m->weeks_fitted, m->weeks,
                           m->weeks_fitted < FEW_WEEKS ? ", few for a trend" : "",
                           m->filling ? "; but by running jobs alone while the machine fills, as "
                                        "the jobs that wait do not grow"
                                      : "",
                           backlog, load);
}

static int add_saturated(struct loom_table *table, const struct loom_sim_metrics *m,
                         struct loom_error *err)
{
    int rc = loom_table_cell(table, err, "saturated");
    if (!rc)
        rc = loom_table_cell(table, err, "%s", verdict_text(m));
    return rc ? rc : add_grounds(table, m, err);
}

/* The median of waits has its row already. */
static int add_percentiles(struct loom_table *table, const struct loom_sim_metrics *metrics,
                           struct loom_error *err)
{
    static const int percents[LOOM_N_PERCENTS] = LOOM_PERCENTS;
    int rc = 0;
    for (size_t i = 0; i < 2 * LOOM_N_PERCENTS && !rc; i++) {
        size_t p = i % LOOM_N_PERCENTS;
        bool wait = i < LOOM_N_PERCENTS;
        char label[64];
        const struct result row = {NULL, label, wait ? "s" : "",
                                   wait ? metrics->wait_percentile_s[p]
                                        : metrics->bounded_slowdown_percentile[p]};
        snprintf(label, sizeof label, "%s, %dth percentile", wait ? "wait" : "bounded slowdown",
                 percents[p]);
        if (i > 0)
            rc = add_result_row(table, &row, err);
    }
    return rc;
}

static int fill_table(struct loom_table *table, const struct simulation *of, struct loom_error *err)
{
    struct result results[N_RESULTS];
    const struct result jobs = {NULL, "jobs simulated", "", (double)of->metrics.jobs};
    const struct result measured = {NULL, "of them measured", "", (double)of->metrics.measured};
    list_results(results, of);
    int rc = loom_table_column(table, "result", LOOM_LEFT, err);
    if (!rc)
        rc = loom_table_column(table, "value", LOOM_RIGHT, err);
    if (!rc)
        rc = loom_table_column(table, "", LOOM_LEFT, err);
    if (!rc)
        rc = add_result_row(table, &jobs, err);
    if (!rc && measured.value < jobs.value)
        rc = add_result_row(table, &measured, err);
    for (size_t i = 0; i < N_RESULTS - N_VERDICT && !rc; i++)
        rc = add_result_row(table, &results[i], err);
    if (!rc)
        rc = add_saturated(table, &of->metrics, err);
    if (!rc && of->load.asked > 0)
        rc = add_result_row(table,
                            &(struct result){NULL,
                                             of->grid ? "load of the grid before --load"
                                                      : "load of the log itself",
                                             "", of->load.before},
                            err);
    if (!rc)
        rc = add_percentiles(table, &of->metrics, err);
    if (!rc)
        rc = add_time_rows(table, &of->rates, measured.value < jobs.value, err);
    if (!rc && !of->people)
        rc = add_user_rows(table, of, err);
    if (!rc)
        rc = add_count_rows(table, loom_sim_counts(of->sim), err);
    return rc;
}

int print_simulation_text(const struct simulation *of, struct loom_error *err)
{
    struct loom_table *table = NULL;
    int rc = loom_table_create(&table, err);
    if (!rc)
        rc = fill_table(table, of, err);
    if (!rc) {
        rc = print_table(table, err);
        if (!rc)
            rc = print_people(of, err);
        if (!rc && of->grid)
            rc = print_grid(of, err);
        return rc ? rc : print_classes(of, 1, err);
    }
    loom_table_destroy(table);
    return rc;
}

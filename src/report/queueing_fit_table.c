/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Queueing models fitted to a log, as tables for people. */
#include "base/human.h"
#include "base/table.h"
#include "report/tool.h"

#include <math.h>
#include <stdio.h>

#define DAY_S 86400.0

/* ---- what was fitted ------------------------------------------------------------------------- */

enum unit { PLAIN, SECONDS };

static int add_queueing_fit_table_value(struct loom_table *table, const char *what, double value,
                                        enum unit unit, double misfit, struct loom_error *err)
{
    char text[LOOM_HUMAN] = "no value fits", off[LOOM_HUMAN] = "";
    if (!isnan(value) && unit == SECONDS)
        loom_human_seconds(value, text, sizeof text);
    else if (!isnan(value))
        loom_human_number(value, text, sizeof text);
    if (!isnan(misfit))
        snprintf(off, sizeof off, "%.3f", misfit);
    int rc = loom_table_cell(table, err, "%s", what);
    if (!rc)
        rc = loom_table_cell(table, err, "%s", text);
    return rc ? rc : loom_table_cell(table, err, "%s", off);
}

static int add_users(struct loom_table *table, const struct loom_queueing_fit *fit,
                     struct loom_error *err)
{
    const struct {
        const char *what;
        double value;
        enum unit unit;
    } rows[] = {
        {"S: machine's seconds per job (work over processors)", fit->service_s, SECONDS},
        {"mixed: lambda, jobs of temporary users per day", fit->lambda * DAY_S, PLAIN},
        {"mixed: N, long-term users", (double)fit->users, PLAIN},
        {"mixed: Z, think time with the runtime beyond S", fit->think_s, SECONDS},
        {"mixed, repeating: lambda, temporary users per day", fit->user_lambda * DAY_S, PLAIN},
        {"mixed, repeating: p, from jobs per temporary user", fit->repeat, PLAIN},
        {"mixed, repeating: Z, from a job's end to the next", fit->user_think_s, SECONDS},
    };
    int rc = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows && !rc; i++)
        rc = add_queueing_fit_table_value(table, rows[i].what, rows[i].value, rows[i].unit, NAN,
                                          err);
    return rc;
}

static int add_sessions(struct loom_table *table, const struct loom_queueing_sessions *of,
                        struct loom_error *err)
{
    const struct loom_queueing_rule_fit *rules = of->rules;
    const struct {
        const char *what;
        double value;
        enum unit unit;
        double misfit;
    } rows[] = {
        {"reopen: lambda, sessions of all users per day", of->lambda * DAY_S, PLAIN, NAN},
        {"reopen, constant: jobs per day, as in the log",
         of->lambda * DAY_S / (1 - rules[0].repeat.value) * (double)of->jobs / (double)of->batches,
         PLAIN, NAN},
        {"reopen: jobs per batch", (double)of->jobs / (double)of->batches, PLAIN, NAN},
        {"reopen: S of a batch", of->service_s, SECONDS, NAN},
        {"reopen: Z, think time with the runtime beyond S", of->think_s, SECONDS, NAN},
        {"reopen: constant, p of another batch", rules[0].repeat.value, PLAIN, rules[0].misfit},
        {"reopen: exponential, SCALE per hour", rules[1].repeat.value * 3600, PLAIN,
         rules[1].misfit},
        {"reopen: shmueli, SCALE per minute", rules[2].repeat.value * 60, PLAIN, rules[2].misfit},
        {"shmueli with responses of the log (the text: 1)", of->shmueli_per_minute, PLAIN, NAN},
    };
    int rc = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows && !rc; i++)
        rc = add_queueing_fit_table_value(table, rows[i].what, rows[i].value, rows[i].unit,
                                          rows[i].misfit, err);
    return rc;
}

int loom_queueing_fit_table(struct loom_table **out, const struct loom_queueing_fit *fit,
                            struct loom_error *err)
{
    struct loom_table *table = NULL;
    int rc = loom_table_create(&table, err);
    if (!rc)
        rc = loom_table_column(table, "fitted to the log", LOOM_LEFT, err);
    if (!rc)
        rc = loom_table_column(table, "value", LOOM_RIGHT, err);
    if (!rc)
        rc = loom_table_column(table, "misfit", LOOM_RIGHT, err);
    if (!rc)
        rc = add_users(table, fit, err);
    if (!rc)
        rc = add_sessions(table, &fit->sessions, err);
    if (rc)
        loom_table_destroy(table);
    else
        *out = table;
    return rc;
}

/* ---- what it predicts ------------------------------------------------------------------------ */

static int share_cell(struct loom_table *table, double share, struct loom_error *err)
{
    return isnan(share) ? loom_table_cell(table, err, "-")
                        : loom_table_cell(table, err, "%.1f %%", 100 * share);
}

static int add_simulated(struct loom_table *table, const struct loom_queueing_prediction *of,
                         struct loom_error *err)
{
    const struct loom_estimate *got = &of->simulated_throughput;
    int rc = loom_table_cell(table, err, "%g", of->load_factor);
    if (rc)
        return rc;
    return isnan(got->half_width) ? loom_table_cell(table, err, "%.1f", got->mean * DAY_S)
                                  : loom_table_cell(table, err, "%.1f ± %.1f", got->mean * DAY_S,
                                                    got->half_width * DAY_S);
}

static int add_predicted(struct loom_table *table, const struct loom_queueing_prediction *of,
                         size_t model, struct loom_error *err)
{
    const struct loom_queueing_predicted *by = &of->models[model];
    bool known = by->verdict == LOOM_PREDICTED;
    int rc = add_simulated(table, of, err);
    if (!rc)
        rc = loom_table_cell(table, err, "%s%s", model == 0 ? "" : "reopen, ",
                             loom_queueing_fitted_name(model));
    if (!rc)
        rc = known ? loom_table_cell(table, err, "%.1f", by->throughput * DAY_S)
                   : loom_table_cell(table, err,
                                     by->verdict == LOOM_UNSTABLE ? "no steady state" : "no fit");
    if (!rc)
        rc = known ? loom_table_cell(table, err, "%+.1f %%",
                                     100 * (by->throughput / of->simulated_throughput.mean - 1))
                   : loom_table_cell(table, err, "-");
    if (!rc)
        rc = share_cell(table, by->utilization, err);
    return rc ? rc : share_cell(table, of->simulated_utilization.mean, err);
}

int loom_queueing_predictions_table(struct loom_table **out,
                                    const struct loom_queueing_fitted_log *of,
                                    struct loom_error *err)
{
    static const struct {
        const char *title;
        enum loom_align align;
        int priority;
    } columns[] = {{"factor", LOOM_RIGHT, 20},
                   {"TBUOS, jobs/day", LOOM_RIGHT, 20},
                   {"model", LOOM_LEFT, 20},
                   {"jobs/day", LOOM_RIGHT, 20},
                   {"error", LOOM_RIGHT, 20},
                   {"model utilization", LOOM_RIGHT, 3},
                   {"TBUOS utilization", LOOM_RIGHT, 3}};
    struct loom_table *table = NULL;
    int rc = loom_table_create(&table, err);
    for (size_t i = 0; i < sizeof columns / sizeof *columns && !rc; i++) {
        rc = loom_table_column(table, columns[i].title, columns[i].align, err);
        if (!rc)
            loom_table_priority(table, columns[i].priority);
    }
    for (size_t i = 0; i < of->n && !rc; i++)
        for (size_t m = 0; m < LOOM_QUEUEING_FITTED && !rc; m++)
            rc = add_predicted(table, &of->predictions[i], m, err);
    if (rc)
        loom_table_destroy(table);
    else
        *out = table;
    return rc;
}

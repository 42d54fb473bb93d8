/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What goes with what in a plan, and whether its files are there: seen before any of them is read.
 */
#include "experiment/plan.h"
#include "experiment/tool.h"

#include "base/error.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- places ---------------------------------------------------------------------------------- */

static const struct loom_plan_value *cell_value(const struct loom_plan_cell *cell, const char *name)
{
    size_t key;
    if (loom_plan_find(&key, name, NULL))
        return NULL;
    const struct loom_plan_entry *entry = &cell->block->entries[key];
    return entry->kind == LOOM_KEY_CROSSED ? cell->chosen[key]
           : entry->n > 0                  ? &entry->values[0]
                                           : NULL;
}

int loom_plan_blame(int rc, const struct loom_plan *plan, const struct loom_plan_cell *cell,
                    const char *key, struct loom_error *err)
{
    return rc ? loom_plan_place(rc, plan, cell_value(cell, key), err) : 0;
}

int loom_plan_locate(int rc, const struct loom_plan *plan, const struct loom_plan_cell *cell,
                     struct loom_error *err)
{
    char name[64];
    if (!rc || !err || !err->field)
        return rc;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(err->field, " "), err->field);
    return loom_plan_blame(rc, plan, cell, name, err);
}

/* ---- sources --------------------------------------------------------------------------------- */

bool loom_plan_model_file(const char *text)
{
    const struct loom_model_info *info;
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, ":"), text);
    if (loom_model_find(&info, name, NULL) == 0)
        return false;
    return strpbrk(text, "/.") || access(text, F_OK) == 0;
}

/* Check that the files that a key names, if it is given, can be read. */
static int check_key_files(const struct loom_plan *plan, const struct loom_plan_cell *cell,
                           const char *key, struct loom_error *err)
{
    for (size_t i = 0; i < loom_params_count(cell->params, key); i++) {
        const char *path = loom_params_item(cell->params, key, i);
        if (access(path, R_OK) == 0)
            continue;
        int why = errno;
        return loom_plan_blame(loom_fail_field(err, LOOM_EIO, key, "%s: cannot read '%s': %s", key,
                                               path, strerror(why)),
                               plan, cell, key, err);
    }
    return 0;
}

static int check_model(const struct loom_plan *plan, const struct loom_plan_cell *cell,
                       struct loom_error *err)
{
    const char *text = loom_params_text(cell->params, "model");
    const struct loom_model_info *info = NULL;
    struct loom_params *params = NULL;
    if (loom_plan_model_file(text))
        return loom_params_given(cell->params, "trace")
                   ? loom_plan_blame(
                         loom_fail_field(err, LOOM_EUSAGE, "model trace",
                                         "model names a file, which is fitted already: leave out "
                                         "trace"),
                         plan, cell, "model", err)
                   : check_key_files(plan, cell, "model", err);
    int rc = loom_model_parse(&info, &params, text, err);
    loom_params_destroy(params);
    if (!rc && info->defaults == LOOM_DEFAULTS_NONE && !loom_params_given(cell->params, "trace"))
        rc = loom_fail_field(err, LOOM_EUSAGE, "model trace",
                             "model %s has no published parameters: give trace to fit it to",
                             info->name);
    return loom_plan_blame(rc, plan, cell, "model", err);
}

static int check_source(const struct loom_plan *plan, const struct loom_plan_cell *cell,
                        struct loom_error *err)
{
    const struct loom_params *params = cell->params;
    bool trace = loom_params_given(params, "trace"), model = loom_params_given(params, "model");
    if (!trace && !model)
        return loom_fail_at(err, LOOM_EUSAGE, plan->file, 0, 0,
                            "the plan names no jobs: give trace or model");
    if (model && loom_params_flag(params, "resample"))
        return loom_plan_blame(loom_fail_field(err, LOOM_EUSAGE, "resample model",
                                               "resample draws from the users of a log: leave out "
                                               "model"),
                               plan, cell, "resample", err);
    int rc = check_key_files(plan, cell, "trace", err);
    if (!rc)
        rc = check_key_files(plan, cell, "mix", err);
    if (!rc)
        rc = check_key_files(plan, cell, "map", err);
    if (!rc && loom_params_given(params, "source-procs") && !model &&
        (!loom_params_flag(params, "resample") || loom_params_given(params, "feedback")))
        rc = loom_plan_blame(loom_fail_field(err, LOOM_EUSAGE, "source-procs",
                                             "source-procs says nothing without model or resample, "
                                             "and excludes feedback"),
                             plan, cell, "source-procs", err);
    return rc || !model ? rc : check_model(plan, cell, err);
}

/* ---- keys without effect ----------------------------------------------------------------------
 */

/* Keys that need another one, which the cell does not have. */
static int check_needs(const struct loom_plan *plan, const struct loom_plan_cell *cell,
                       struct loom_error *err)
{
    enum loom_key_kind kind;
    for (size_t i = 0; i < loom_plan_keys(); i++) {
        const struct loom_param *key = loom_plan_key(i, &kind);
        const char *need = loom_plan_need(key->name);
        if (need && loom_params_given(cell->params, key->name) &&
            !loom_params_given(cell->params, need))
            return loom_plan_blame(loom_fail_field(err, LOOM_EUSAGE, key->name,
                                                   "%s says nothing without %s", key->name, need),
                                   plan, cell, key->name, err);
    }
    return 0;
}

/* Keys of a resampled log that users in the simulation do not have. */
static int check_feedback(const struct loom_plan *plan, const struct loom_plan_cell *cell,
                          struct loom_error *err)
{
    static const char *const open[] = {"mix",    "long-term", "temporary", "arrivals", "clock",
                                       "favour", "as-is",     "shake",     "shake-by", "locality"};
    const char *behaviour = loom_params_text(cell->params, "feedback");
    if (!behaviour)
        return 0;
    for (size_t i = 0; i < sizeof open / sizeof *open; i++)
        if (loom_params_given(cell->params, open[i]))
            return loom_plan_blame(loom_fail_field(err, LOOM_EUSAGE, open[i],
                                                   "%s excludes feedback, whose users submit by "
                                                   "themselves",
                                                   open[i]),
                                   plan, cell, open[i], err);
    return loom_plan_blame(loom_behaviour_check(behaviour, err), plan, cell, "feedback", err);
}

static int check_machine(const struct loom_plan *plan, const struct loom_plan_cell *cell,
                         struct loom_error *err)
{
    const struct loom_params *params = cell->params;
    if (loom_params_given(params, "platform") && loom_params_given(params, "procs"))
        return loom_plan_blame(loom_fail_field(err, LOOM_EUSAGE, "procs platform",
                                               "procs excludes platform, whose clusters have "
                                               "their own"),
                               plan, cell, "procs", err);
    if (loom_params_given(params, "platform") && loom_params_given(params, "feedback"))
        return loom_plan_blame(loom_fail_field(err, LOOM_EUSAGE, "feedback platform",
                                               "feedback excludes platform: users react on one "
                                               "machine"),
                               plan, cell, "feedback", err);
    return 0;
}

static int check_estimates(const struct loom_plan *plan, const struct loom_plan_cell *cell,
                           struct loom_error *err)
{
    enum loom_request_rule how;
    double factor;
    const char *text = loom_params_text(cell->params, "estimates");
    bool model = loom_params_given(cell->params, "model");
    if (!text)
        return 0;
    return loom_plan_blame(loom_request_rule_parse(&how, &factor, text,
                                                   model ? LOOM_REQUESTS_OF_MODEL
                                                         : LOOM_REQUESTS_OF_TRACE,
                                                   err),
                           plan, cell, "estimates", err);
}

static int check_changes(const struct loom_plan *plan, const struct loom_plan_cell *cell,
                         struct loom_error *err)
{
    struct loom_sim_trim trim;
    struct loom_rearrangement how;
    unsigned without = 0;
    bool asked;
    int rc = check_estimates(plan, cell, err);
    if (!rc)
        rc = loom_plan_locate(loom_trim_take(&trim, cell->params, err), plan, cell, err);
    if (!rc)
        rc = loom_plan_locate(loom_rearrangement_take(&how, &asked, cell->params, err), plan, cell,
                              err);
    if (!rc)
        rc = loom_plan_locate(loom_without_take(&without, cell->params, err), plan, cell, err);
    return rc;
}

static int check_predictor(const struct loom_plan *plan, const struct loom_plan_cell *cell,
                           struct loom_error *err)
{
    const char *text = loom_params_text(cell->params, "predictor");
    struct loom_predictor *predictor = NULL;
    int rc = text ? loom_predictor_create(&predictor, text, err) : 0;
    loom_predictor_destroy(predictor);
    if (rc && rc != LOOM_ENOMEM && err && !err->file[0])
        err->field = "predictor"; /* its parameters are no keys of a plan */
    return loom_plan_blame(rc, plan, cell, "predictor", err);
}

/* ---- metrics --------------------------------------------------------------------------------- */

/* Append keys, once each. */
static void add_metric(FILE *to, const char **seen, size_t *n, const char *key)
{
    for (size_t i = 0; i < *n; i++)
        if (strcmp(seen[i], key) == 0)
            return;
    seen[(*n)++] = loom_metric_find(key)->key;
    fprintf(to, "%s%s", *n > 1 ? " " : "", key);
}

static int add_given(FILE *to, const struct loom_plan *plan, const struct loom_plan_entry *entry,
                     struct loom_error *err)
{
    const char *seen[512];
    size_t n = 0;
    int rc = 0;
    for (size_t i = 0; i < entry->n && !rc; i++) {
        char *list = strdup(entry->values[i].text), *rest = list, *key;
        if (!list)
            return loom_fail_memory(err);
        while (!rc && (key = strsep(&rest, ", "))) {
            rc = *key ? loom_metric_check(key, "metrics", err) : 0;
            if (!rc && *key)
                add_metric(to, seen, &n, key);
        }
        free(list);
        rc = loom_plan_place(rc, plan, &entry->values[i], err);
    }
    return rc;
}

static bool any_given(const struct loom_plan *plan, const char *key)
{
    for (size_t i = 0; i < plan->n_cells; i++)
        if (loom_params_given(plan->cells[i].params, key))
            return true;
    return false;
}

/* Does some cell have the metrics of a group? Runs of a plan keep nothing of what is within them.
 */
static bool has_group(const struct loom_plan *plan, enum loom_metric_group group)
{
    switch (group) {
    case LOOM_METRICS_USERS:
        return any_given(plan, "feedback");
    case LOOM_METRICS_GRID:
        return any_given(plan, "platform");
    case LOOM_METRICS_PREDICTION:
        return any_given(plan, "predictor");
    case LOOM_METRICS_WAITS:
        return any_given(plan, "predict-waits");
    case LOOM_METRICS_WITHIN:
        return false;
    default:
        return true;
    }
}

/* All that some cell has. */
static void add_default(FILE *to, const struct loom_plan *plan)
{
    const struct loom_metric *metric;
    bool has[LOOM_METRIC_GROUPS], first = true;
    for (size_t i = 0; i < LOOM_METRIC_GROUPS; i++)
        has[i] = has_group(plan, (enum loom_metric_group)i);
    for (size_t i = 0; (metric = loom_metric_at(i)); i++)
        if (has[metric->group]) {
            fprintf(to, "%s%s", first ? "" : " ", metric->key);
            first = false;
        }
}

static int check_metrics(struct loom_plan *plan, struct loom_error *err)
{
    size_t key, size = 0;
    char *text = NULL;
    FILE *to = open_memstream(&text, &size);
    int rc = to ? loom_plan_find(&key, "metrics", err) : loom_fail_memory(err);
    if (rc)
        return rc;
    const struct loom_plan_entry *entry = &plan->base.entries[key];
    if (entry->n > 0)
        rc = add_given(to, plan, entry, err);
    else
        add_default(to, plan);
    if (fclose(to) != 0 && !rc)
        rc = loom_fail_memory(err);
    if (!rc && !(plan->metrics = loom_arena_text(&plan->arena, text, size)))
        rc = loom_fail_memory(err);
    free(text);
    return rc;
}

/* ---- all ------------------------------------------------------------------------------------- */

static int check_cell(const struct loom_plan *plan, const struct loom_plan_cell *cell,
                      struct loom_error *err)
{
    const char *policy = loom_params_text(cell->params, "scheduler");
    int rc = check_source(plan, cell, err);
    if (!rc)
        rc = check_needs(plan, cell, err);
    if (!rc)
        rc = check_feedback(plan, cell, err);
    if (!rc)
        rc = check_machine(plan, cell, err);
    if (!rc)
        rc = check_changes(plan, cell, err);
    if (!rc)
        rc = check_predictor(plan, cell, err);
    if (!rc)
        rc = loom_plan_blame(loom_scheduler_check(plan->schedulers, policy, err), plan, cell,
                             "scheduler", err);
    return rc;
}

int loom_plan_check(struct loom_plan *plan, struct loom_error *err)
{
    int rc = 0;
    for (size_t i = 0; i < plan->n_cells && !rc; i++)
        rc = check_cell(plan, &plan->cells[i], err);
    return rc ? rc : check_metrics(plan, err);
}

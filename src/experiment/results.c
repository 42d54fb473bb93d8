/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values of metrics by cell and replication, and the factors in which cells differ. */
#include "experiment/results.h"

#include "experiment/analysis.h"
#include "experiment/plan.h"
#include "trace/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const own_factors[] = {"trace", "source", "scheduler", "load"};
enum { OWN_FACTORS = sizeof own_factors / sizeof *own_factors };

/* ---- making ---------------------------------------------------------------------------------- */

static int copy_text(const char **to, const char *from, struct loom_error *err)
{
    *to = strdup(from ? from : "");
    return *to ? 0 : loom_fail_memory(err);
}

static int copy_settings(struct loom_results_cell *to, const struct loom_results_cell *from,
                         struct loom_error *err)
{
    struct loom_results_setting *settings = calloc(from->n_settings + 1, sizeof *settings);
    if (!settings)
        return loom_fail_memory(err);
    to->settings = settings;
    int rc = 0;
    for (; to->n_settings < from->n_settings && !rc; to->n_settings++) {
        rc = copy_text(&settings[to->n_settings].key, from->settings[to->n_settings].key, err);
        if (!rc)
            rc = copy_text(&settings[to->n_settings].value, from->settings[to->n_settings].value,
                           err);
    }
    return rc;
}

static int copy_cell(struct loom_results_cell *to, const struct loom_results_cell *from,
                     struct loom_error *err)
{
    to->load = from->load;
    to->replications = from->replications;
    to->failed = from->failed;
    int rc = copy_text(&to->trace, from->trace, err);
    if (!rc)
        rc = copy_text(&to->source, from->source, err);
    if (!rc)
        rc = copy_text(&to->scheduler, from->scheduler, err);
    return rc ? rc : copy_settings(to, from, err);
}

static bool has_factor(const struct loom_run_results *results, const char *key)
{
    for (size_t i = 0; i < results->n_factors; i++)
        if (strcmp(results->factors[i], key) == 0)
            return true;
    return false;
}

static int list_factors(struct loom_run_results *results, struct loom_error *err)
{
    size_t most = OWN_FACTORS;
    for (size_t i = 0; i < results->n; i++)
        most += results->cells[i].n_settings;
    results->factors = calloc(most + 1, sizeof *results->factors);
    if (!results->factors)
        return loom_fail_memory(err);
    for (; results->n_factors < OWN_FACTORS; results->n_factors++)
        results->factors[results->n_factors] = own_factors[results->n_factors];
    for (size_t i = 0; i < results->n; i++)
        for (size_t k = 0; k < results->cells[i].n_settings; k++)
            if (!has_factor(results, results->cells[i].settings[k].key))
                results->factors[results->n_factors++] = results->cells[i].settings[k].key;
    return 0;
}

static int list_metrics(struct loom_run_results *results, const char *const *keys, size_t n,
                        struct loom_error *err)
{
    results->metrics = calloc(n + 1, sizeof *results->metrics);
    if (!results->metrics)
        return loom_fail_memory(err);
    for (; results->n_metrics < n; results->n_metrics++) {
        results->metrics[results->n_metrics] = loom_metric_find(keys[results->n_metrics]);
        if (!results->metrics[results->n_metrics])
            return loom_fail(err, LOOM_EUSAGE, "there is no metric '%s'", keys[results->n_metrics]);
    }
    results->n_shown = n;
    return 0;
}

static int make_values(struct loom_run_results *results, struct loom_error *err)
{
    static const size_t most = SIZE_MAX / 16 / sizeof(double);
    size_t count = results->n * results->n_metrics, each = (size_t)results->replications;
    if (each > 0 && count > most / each)
        return loom_fail(err, LOOM_ERANGE, "too many replications");
    results->values = malloc((count * each + 1) * sizeof *results->values);
    if (!results->values)
        return loom_fail_memory(err);
    for (size_t i = 0; i < count * each; i++)
        results->values[i] = NAN;
    return 0;
}

int loom_results_create(struct loom_run_results **out, const struct loom_results_cell *cells,
                        size_t n, int64_t replications, const char *const *metrics,
                        size_t n_metrics, struct loom_error *err)
{
    struct loom_run_results *results = calloc(1, sizeof *results);
    if (!results)
        return loom_fail_memory(err);
    results->replications = replications > 0 ? replications : 0;
    results->cells = calloc(n + 1, sizeof *results->cells);
    int rc = results->cells ? 0 : loom_fail_memory(err);
    for (; results->n < n && !rc; results->n++)
        rc = copy_cell(&results->cells[results->n], &cells[results->n], err);
    if (!rc)
        rc = list_factors(results, err);
    if (!rc)
        rc = list_metrics(results, metrics, n_metrics, err);
    if (!rc)
        rc = make_values(results, err);
    if (rc)
        loom_results_destroy(results);
    else
        *out = results;
    return rc;
}

static void free_settings(const struct loom_results_setting *settings, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        free((char *)settings[i].key);
        free((char *)settings[i].value);
    }
    free((struct loom_results_setting *)settings);
}

void loom_results_destroy(struct loom_run_results *results)
{
    if (!results)
        return;
    for (size_t i = 0; i < results->n; i++) {
        const struct loom_results_cell *cell = &results->cells[i];
        free((char *)cell->trace);
        free((char *)cell->source);
        free((char *)cell->scheduler);
        free_settings(cell->settings, cell->settings ? cell->n_settings : 0);
    }
    size_t known = 0;
    while (results->origin && results->origin[known].key)
        known++;
    free_settings(results->origin, known);
    free(results->cells);
    free(results->run_cells);
    free(results->metrics);
    free(results->factors);
    free(results->values);
    free(results);
}

int loom_results_set_origin(struct loom_run_results *results,
                            const struct loom_results_setting *origin, struct loom_error *err)
{
    size_t n = 0;
    while (origin[n].key)
        n++;
    results->origin = calloc(n + 1, sizeof *results->origin);
    int rc = results->origin ? 0 : loom_fail_memory(err);
    for (size_t i = 0, k = 0; i < n && !rc; i++) {
        if (!origin[i].value)
            continue;
        struct loom_results_setting *to = &results->origin[k++];
        rc = copy_text(&to->value, origin[i].value, err);
        if (!rc)
            rc = copy_text(&to->key, origin[i].key, err);
    }
    return rc;
}

/* ---- values ---------------------------------------------------------------------------------- */

static double *values_at(const struct loom_run_results *results, size_t cell, size_t metric)
{
    return results->values + (cell * results->n_metrics + metric) * (size_t)results->replications;
}

void loom_results_set(struct loom_run_results *results, size_t cell, size_t metric,
                      int64_t replication, double value)
{
    if (cell < results->n && metric < results->n_metrics && replication >= 0 &&
        replication < results->replications)
        values_at(results, cell, metric)[replication] = isfinite(value) ? value : NAN;
}

void loom_results_add(struct loom_run_results *results, size_t cell, int64_t replication,
                      const struct loom_outcome *outcome)
{
    for (size_t m = 0; m < results->n_metrics; m++)
        loom_results_set(results, cell, m, replication,
                         loom_outcome_metric(outcome, results->metrics[m]));
}

size_t loom_results_cells(const struct loom_run_results *results)
{
    return results->n;
}

const struct loom_results_cell *loom_results_cell(const struct loom_run_results *results,
                                                  size_t cell)
{
    return cell < results->n ? &results->cells[cell] : NULL;
}

const struct loom_metric *loom_results_metric(const struct loom_run_results *results, size_t index)
{
    return index < results->n_shown ? results->metrics[index] : NULL;
}

int64_t loom_results_replications(const struct loom_run_results *results)
{
    return results->replications;
}

const double *loom_results_values(const struct loom_run_results *results, size_t cell,
                                  const char *metric)
{
    for (size_t m = 0; m < results->n_metrics && cell < results->n; m++)
        if (strcmp(results->metrics[m]->key, metric) == 0)
            return values_at(results, cell, m);
    return NULL;
}

/* Return whether two cells have the same runs: they are classes of jobs in them. */
static bool share_runs(const struct loom_run_results *results, size_t a, size_t b)
{
    return results->run_cells && results->run_cells[a] == results->run_cells[b];
}

/* Count the runs of cells [from, to), which have the same runs: a class may be missing in some. */
static void count_shared(struct loom_results_tally *tally, const struct loom_run_results *results,
                         size_t from, size_t to, const char *metric)
{
    for (int64_t r = 0; r < results->replications; r++) {
        bool any = false, saturated = false;
        for (size_t cell = from; cell < to; cell++) {
            const double *values = loom_results_values(results, cell, metric);
            const double *verdicts = loom_results_values(results, cell, "saturated");
            if (!values || isnan(values[r]))
                continue;
            any = true;
            saturated = saturated || (verdicts && verdicts[r] > 0);
        }
        tally->runs += any;
        tally->saturated += saturated;
    }
}

struct loom_results_tally loom_results_count(const struct loom_run_results *results,
                                             const char *metric)
{
    struct loom_results_tally tally = {0};
    for (size_t from = 0, to; from < results->n; from = to) {
        for (to = from + 1; to < results->n && share_runs(results, from, to); to++)
            continue;
        count_shared(&tally, results, from, to, metric);
        tally.cells++;
    }
    return tally;
}

bool loom_results_have(const struct loom_run_results *results, const char *key)
{
    for (size_t cell = 0; cell < loom_results_cells(results); cell++) {
        const double *values = loom_results_values(results, cell, key);
        for (int64_t r = 0; values && r < loom_results_replications(results); r++)
            if (!isnan(values[r]))
                return true;
    }
    return false;
}

const char *loom_results_origin(const struct loom_run_results *results, const char *key)
{
    for (size_t i = 0; results->origin && results->origin[i].key; i++)
        if (strcmp(results->origin[i].key, key) == 0)
            return results->origin[i].value;
    return NULL;
}

/* ---- factors --------------------------------------------------------------------------------- */

const char *loom_results_factor(const struct loom_run_results *results, size_t index)
{
    return index < results->n_factors ? results->factors[index] : NULL;
}

static const char *setting_of(const struct loom_results_cell *cell, const char *key)
{
    for (size_t i = 0; i < cell->n_settings; i++)
        if (strcmp(cell->settings[i].key, key) == 0)
            return cell->settings[i].value;
    return "";
}

const char *loom_results_value(const struct loom_run_results *results, size_t cell,
                               const char *factor, char *buf, size_t size)
{
    const struct loom_results_cell *at = &results->cells[cell];
    char load[LOOM_NUMBER_PRINT + 1] = "";
    const char *text;
    if (strcmp(factor, "trace") == 0)
        text = at->trace;
    else if (strcmp(factor, "source") == 0)
        text = at->source;
    else if (strcmp(factor, "scheduler") == 0)
        text = at->scheduler;
    else if (strcmp(factor, "load") == 0) {
        if (isfinite(at->load))
            load[loom_number_print_real(load, at->load)] = '\0';
        text = load;
    } else
        text = setting_of(at, factor);
    snprintf(buf, size, "%s", text);
    return buf;
}

/* Return the factor without which this one means nothing, as loom_plan_need has it for keys; NULL
 * if there is none. */
static const char *needed_factor(const char *factor)
{
    static const char *const columns[][2] = {{"feedback", "behaviour"},  {"platform", "machine"},
                                             {"resample", "source"},     {"model", "source"},
                                             {"predictor", "predictor"}, {"load", "load"}};
    char key[64];
    snprintf(key, sizeof key, "%s", factor);
    for (char *c = key; *c; c++)
        *c = *c == '_' ? '-' : *c;
    const char *need = loom_plan_need(key);
    for (size_t i = 0; need && i < sizeof columns / sizeof *columns; i++)
        if (strcmp(columns[i][0], need) == 0)
            return columns[i][1];
    return NULL;
}

bool loom_results_differ(const struct loom_run_results *results, size_t one, size_t other,
                         const char *factor)
{
    char a[512], b[512];
    const char *need = needed_factor(factor);
    loom_results_value(results, one, factor, a, sizeof a);
    loom_results_value(results, other, factor, b, sizeof b);
    if (strcmp(a, b) == 0)
        return false;
    return !need || (a[0] && b[0]) || !loom_results_differ(results, one, other, need);
}

bool loom_results_varies(const struct loom_run_results *results, const char *factor)
{
    char value[512];
    size_t with = 0; /* the first cell that has the factor */
    while (with + 1 < results->n && needed_factor(factor) &&
           !loom_results_value(results, with, factor, value, sizeof value)[0])
        with++;
    for (size_t i = 0; i < results->n; i++)
        if (loom_results_differ(results, with, i, factor))
            return true;
    return false;
}

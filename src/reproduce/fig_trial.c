/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A metric of a trial against one of its factors. */
#include "reproduce/condition.h"
#include "reproduce/figures.h"

#include "report/runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a figure shows of a trial: cells that fit the conditions, along an axis. */
struct curves {
    const struct loom_run_results *results;
    const char *metric;
    struct loom_condition axis;
    const char *conditions;
};

static const char script[] =
    "set xlabel axis\nset ylabel metric\nset key bmargin center horizontal maxcols 2 samplen 1.5\n"
    "stats data using 2 nooutput name 'Y'\n"
    "if (Y_min > 0 && Y_max > 20 * Y_min) { set logscale y }\n"
    "set offsets graph 0.04, graph 0.04, 0, 0\n"
    "plot for [i=0:blocks-1] data index i using 1:($2 * scale):($3 * scale):($4 * scale) \\\n"
    "    with yerrorlines linestyle (i % 7) + 1 title columnheader(2)\n";

/* Is a factor the same in all cells that are shown? */
static bool is_fixed(const struct curves *curves, const char *factor)
{
    const char *conditions = curves->conditions;
    struct loom_condition condition;
    while (loom_condition_next(&condition, &conditions))
        if (strcmp(condition.key, factor) == 0)
            return true;
    return !loom_results_varies(curves->results, factor);
}

/* Return the part of a factor's value in which cells differ: "mwm" of "uniform:arrivals=mwm" and
 * of "FILE.local-mwm.json". Shortens the value. */
static const char *shorten(char *value)
{
    static const char *const before[] = {"arrivals=", ".local-"};
    char *json = strstr(value, ".json");
    if (json)
        *json = '\0';
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        const char *found = strstr(value, before[i]);
        if (found)
            return found + strlen(before[i]);
    }
    return value;
}

/* Write the values of the other factors of a cell. Returns buf. */
static const char *label_cell(const struct curves *curves, size_t cell, char *buf, size_t size)
{
    const char *factor;
    char value[LOOM_FACTOR_SIZE], whole[512] = "";
    for (size_t i = 0; (factor = loom_results_factor(curves->results, i)); i++) {
        size_t used = strlen(whole);
        if (strcmp(factor, curves->axis.key) == 0 || is_fixed(curves, factor))
            continue;
        loom_results_value(curves->results, cell, factor, value, sizeof value);
        snprintf(whole + used, sizeof whole - used, "%s%.200s", used ? ", " : "", shorten(value));
    }
    return loom_plain_label(whole[0] ? whole : "all", buf, size);
}

static int write_cell(struct loom_sheet *sheet, const struct curves *curves, size_t cell,
                      struct loom_error *err)
{
    char value[256];
    double x =
        strtod(loom_results_value(curves->results, cell, curves->axis.key, value, sizeof value),
               NULL);
    const double *all = loom_results_values(curves->results, cell, curves->metric);
    size_t n = (size_t)loom_results_cell(curves->results, cell)->replications, used = 0;
    struct loom_measured mean = {0};
    double *values = all ? malloc((n + 1) * sizeof *values) : NULL;
    if (!values)
        return all ? loom_fail_memory(err) : loom_fail(err, LOOM_EDATA, "no such metric");
    for (size_t i = 0; i < n; i++)
        if (isfinite(all[i]))
            values[used++] = all[i];
    int rc = used > 0 ? loom_measured_mean(&mean, values, used, err) : 0;
    free(values);
    if (!rc && used > 0)
        loom_sheet_labelled(sheet,
                            (const double[]){x, mean.value,
                                             mean.has_interval ? mean.low : mean.value,
                                             mean.has_interval ? mean.high : mean.value},
                            4, NULL);
    return rc;
}

/* Write the line that starts at a cell: all cells with its label. Does nothing if another cell
 * started it. */
static int write_line(struct loom_sheet *sheet, const struct curves *curves, size_t first,
                      size_t *lines, struct loom_error *err)
{
    char own[120], other[120];
    size_t cells = loom_results_cells(curves->results);
    int rc = 0;
    label_cell(curves, first, own, sizeof own);
    for (size_t i = 0; i < first; i++)
        if (loom_cell_fits(curves->results, i, curves->conditions) &&
            strcmp(own, label_cell(curves, i, other, sizeof other)) == 0)
            return 0;
    loom_sheet_block(sheet, own, "x,mean,low,high");
    ++*lines;
    for (size_t i = first; i < cells && !rc; i++)
        if (loom_cell_fits(curves->results, i, curves->conditions) &&
            strcmp(own, label_cell(curves, i, other, sizeof other)) == 0)
            rc = write_cell(sheet, curves, i, err);
    return rc;
}

static int write_curves(struct loom_sheet *sheet, const void *context, struct loom_error *err)
{
    const struct curves *curves = context;
    char axis[80];
    size_t lines = 0;
    int rc = 0;
    for (size_t i = 0; i < loom_results_cells(curves->results) && !rc; i++)
        if (loom_cell_fits(curves->results, i, curves->conditions))
            rc = write_line(sheet, curves, i, &lines, err);
    loom_metric_set(sheet, curves->metric);
    snprintf(axis, sizeof axis, "%s", curves->axis.key);
    for (char *at = axis; *at; at++)
        *at = *at == '_' ? ' ' : *at;
    loom_sheet_set(sheet, "axis = '%s'\nblocks = %zu\n", axis, lines);
    return rc;
}

/* Is there an earlier claim with the same trial, log and metric? */
static bool is_shown_by_trial(const struct loom_done_item *done, size_t index)
{
    const struct loom_claim *claim = &done->item->claims[index];
    for (size_t i = 0; i < index; i++) {
        const struct loom_claim *other = &done->item->claims[i];
        if (other->trial == claim->trial && strcmp(other->of, claim->of) == 0 &&
            done->claims[i].known && strcmp(other->log, claim->log) == 0)
            return true;
    }
    return false;
}

static int add_curves(struct loom_reproduction *all, size_t item, size_t index,
                      struct loom_bench *bench, struct loom_error *err)
{
    const struct loom_done_item *done = &all->items[item];
    const struct loom_claim *claim = &done->item->claims[index];
    struct curves curves = {.metric = claim->of, .conditions = done->item->axis};
    char title[200];
    int rc = loom_bench_trial(&curves.results, bench, claim, err);
    if (rc || !loom_condition_next(&curves.axis, &curves.conditions))
        return rc;
    const struct loom_metric *metric = loom_metric_find(claim->of);
    snprintf(title, sizeof title, "%s: %s", claim->log, metric ? metric->label : claim->of);
    struct loom_figure_ops like = {
        .title = title,
        .caption = "Means over replications, with 95 % intervals.",
        .script = script,
        .height = 0.9,
    };
    return loom_figures_add(all, item, &like, write_curves, &curves, err);
}

int loom_figures_of_trials(struct loom_reproduction *all, size_t item, struct loom_bench *bench,
                           struct loom_error *err)
{
    const struct loom_done_item *done = &all->items[item];
    int rc = 0;
    for (size_t i = 0; done->item->axis && i < done->item->n && !rc; i++) {
        const struct loom_claim *claim = &done->item->claims[i];
        if (done->claims[i].known && claim->trial && claim->measure == loom_measure_trial &&
            !is_shown_by_trial(done, i))
            rc = add_curves(all, item, i, bench, err);
    }
    return rc;
}

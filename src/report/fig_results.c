/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Figures of experiments with intervals: metrics against load (Zakay 2017, chapter 3, figure 12),
 * the share of runs that are not saturated, bars (Minh 2012, figure 6.3), differences of pairs, and
 * the effect of one factor at a time.
 */
#include "report/analyses.h"
#include "report/runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what figures share ---------------------------------------------------------------------- */

const char *loom_load_axis(const struct loom_run_results *results)
{
    return loom_results_varies(results, "load")          ? "load"
           : loom_results_varies(results, "load_factor") ? "load_factor"
                                                         : NULL;
}

const struct loom_analysis *loom_analysis_of(const struct loom_analyses *analyses,
                                             const struct loom_figure_ops *ops)
{
    if (!ops->of)
        return analyses->of[0];
    for (size_t i = 0; i < analyses->n; i++)
        if (strcmp(analyses->of[i]->metric->key, ops->of) == 0)
            return analyses->of[i];
    return NULL;
}

static bool is_in(const struct loom_figure_ops *list, const char *key)
{
    for (; list->name; list++)
        if (list->of && strcmp(list->of, key) == 0)
            return true;
    return false;
}

/* Loads have figures of their own. */
static bool is_axis(const struct loom_run_results *results, const char *factor)
{
    const char *axis = loom_load_axis(results);
    return axis && strcmp(axis, factor) == 0;
}

static size_t varying(const struct loom_run_results *results)
{
    const char *factor;
    size_t n = 0;
    for (size_t i = 0; (factor = loom_results_factor(results, i)); i++)
        n += loom_results_varies(results, factor) && !is_axis(results, factor);
    return n;
}

bool loom_analyses_want(const struct loom_analyses *analyses, const struct loom_figure_ops *ops)
{
    const struct loom_analysis *analysis = loom_analysis_of(analyses, ops);
    if (!analysis)
        return false;
    bool loads = loom_load_axis(analysis->results) != NULL;
    if (strcmp(ops->section, "load") == 0)
        return loads && (ops->of || strcmp(ops->name, "metric-load") != 0 ||
                         !is_in(loom_figures_against, analysis->metric->key));
    if (strcmp(ops->name, "effects") == 0)
        return varying(analysis->results) > 1;
    if (strcmp(ops->name, "differences") == 0)
        return analysis->groups[0].n > 1;
    return true;
}

static void join_label(char *buf, size_t size, const char *text)
{
    size_t used = strlen(buf);
    snprintf(buf + used, size - used, "%s%s", used > 0 && text[0] ? " " : "", text);
}

const char *loom_cell_label(const struct loom_analysis *analysis, size_t cell, const char *without,
                            char *buf, size_t size)
{
    const struct loom_run_results *results = analysis->results;
    const char *factor;
    char value[512], whole[512];
    loom_results_value(results, cell, analysis->compare, whole, sizeof whole);
    for (size_t i = 0; (factor = loom_results_factor(results, i)); i++)
        if (strcmp(factor, analysis->compare) != 0 && loom_results_varies(results, factor) &&
            !(without && strcmp(factor, without) == 0))
            join_label(whole, sizeof whole,
                       loom_results_value(results, cell, factor, value, sizeof value));
    return loom_plain_label(whole[0] ? whole : "all", buf, size);
}

/* Do groups of at least so many cells differ in a factor? */
static bool groups_vary(const struct loom_analysis *analysis, const char *factor, size_t least)
{
    const struct loom_group *first = NULL;
    for (size_t g = 0; g < analysis->n; g++) {
        const struct loom_group *group = &analysis->groups[g];
        if (group->n < least || group->cells[0].n < least)
            continue;
        if (first && loom_results_differ(analysis->results, first->cells[0].cell,
                                         group->cells[0].cell, factor))
            return true;
        first = first ? first : group;
    }
    return false;
}

/* The factors in which groups of at least so many cells and values differ, in words: "load 0.9". A
 * value that is a number has the name of its factor. */
static const char *group_label(const struct loom_analysis *analysis, const struct loom_group *group,
                               size_t least, char *buf, size_t size)
{
    const struct loom_run_results *results = analysis->results;
    const char *factor;
    char value[256], whole[512] = "";
    for (size_t i = 0; (factor = loom_results_factor(results, i)); i++) {
        if (strcmp(factor, analysis->compare) == 0 || !groups_vary(analysis, factor, least))
            continue;
        loom_results_value(results, group->cells[0].cell, factor, value, sizeof value);
        if (value[0] >= '0' && value[0] <= '9')
            join_label(whole, sizeof whole, factor);
        join_label(whole, sizeof whole, value);
    }
    return loom_plain_label(whole, buf, size);
}

/* Return whether a cell is the first with its label, and count such cells up to it in *series. */
static bool first_of_label(const struct loom_analysis *analysis, size_t cell, const char *axis)
{
    char own[LOOM_LABEL], other[LOOM_LABEL];
    loom_cell_label(analysis, cell, axis, own, sizeof own);
    for (size_t i = 0; i < cell; i++)
        if (strcmp(own, loom_cell_label(analysis, i, axis, other, sizeof other)) == 0)
            return false;
    return true;
}

/* Return whether a cell begins a line: the first of its label, with at least one other. A log
 * beside its variants may be there at one load only, which is no line. */
static bool begins_line(const struct loom_analysis *analysis, size_t cell, const char *axis)
{
    char own[LOOM_LABEL], other[LOOM_LABEL];
    if (!first_of_label(analysis, cell, axis))
        return false;
    loom_cell_label(analysis, cell, axis, own, sizeof own);
    for (size_t i = cell + 1; i < loom_results_cells(analysis->results); i++)
        if (strcmp(own, loom_cell_label(analysis, i, axis, other, sizeof other)) == 0)
            return true;
    return false;
}

static bool too_many(struct loom_sheet *sheet, const struct loom_analysis *analysis,
                     const char *axis)
{
    size_t series = 0;
    for (size_t i = 0; i < loom_results_cells(analysis->results); i++)
        series += begins_line(analysis, i, axis);
    if (series == 0)
        loom_sheet_skip(sheet, "no policy has two loads");
    if (series > LOOM_RUNS_SHOWN)
        loom_sheet_skip(sheet, "there are more than seven lines");
    return series == 0 || series > LOOM_RUNS_SHOWN;
}

/* ---- against load ---------------------------------------------------------------------------- */

typedef void row_fn(struct loom_sheet *sheet, double x, const struct loom_cell_result *cell);

static void mean_row(struct loom_sheet *sheet, double x, const struct loom_cell_result *cell)
{
    bool known = cell->has_interval;
    if (cell->n > 0)
        loom_sheet_labelled(sheet,
                            (const double[]){x, cell->spread.mean,
                                             known ? cell->mean.low : cell->spread.mean,
                                             known ? cell->mean.high : cell->spread.mean},
                            4, NULL);
}

static void unsaturated_row(struct loom_sheet *sheet, double x, const struct loom_cell_result *cell)
{
    if (cell->runs > 0)
        loom_sheet_row(sheet, x, (double)(cell->runs - cell->saturated) / (double)cell->runs);
}

/* One block a label, its cells by load as the plan has them. */
static int write_series(struct loom_sheet *sheet, const struct loom_analysis *analysis,
                        const char *columns, row_fn *row)
{
    const struct loom_run_results *results = analysis->results;
    const char *axis = loom_load_axis(results);
    char own[LOOM_LABEL], other[LOOM_LABEL], value[64];
    if (too_many(sheet, analysis, axis))
        return 0;
    loom_sheet_set(sheet, "load = '%s'\n", strcmp(axis, "load") == 0 ? "load" : "load factor");
    for (size_t i = 0; i < loom_results_cells(results); i++) {
        if (!begins_line(analysis, i, axis))
            continue;
        loom_sheet_block(sheet, loom_cell_label(analysis, i, axis, own, sizeof own), columns);
        for (size_t k = i; k < loom_results_cells(results); k++)
            if (strcmp(own, loom_cell_label(analysis, k, axis, other, sizeof other)) == 0)
                row(sheet, strtod(loom_results_value(results, k, axis, value, sizeof value), NULL),
                    loom_analysis_cell(analysis, k));
    }
    return 0;
}

static int against_load(struct loom_sheet *sheet, const struct loom_analyses *analyses,
                        const struct loom_figure_ops *ops, struct loom_error *err)
{
    const struct loom_analysis *analysis = loom_analysis_of(analyses, ops);
    char columns[100];
    (void)err;
    loom_metric_set(sheet, analysis->metric->key);
    snprintf(columns, sizeof columns, "load,%s,low,high", analysis->metric->key);
    return write_series(sheet, analysis, columns, mean_row);
}

static int unsaturated(struct loom_sheet *sheet, const struct loom_analyses *analyses,
                       const struct loom_figure_ops *ops, struct loom_error *err)
{
    (void)err;
    return write_series(sheet, loom_analysis_of(analyses, ops), "load,share_unsaturated",
                        unsaturated_row);
}

#define LOAD_AXIS                                                 \
    "set xlabel load\nset offsets graph 0.03, graph 0.03, 0, 0\n" \
    "stats data using 2 nooutput name 'Y'\nblocks = Y_blocks\n"   \
    "set key above center horizontal\n"                           \
    "filled(i) = int(word('7 5 9 13 11 7 5', i + 1))\n"
#define BANDS                                                                              \
    LOAD_AXIS                                                                              \
    "set ylabel metric\nstats data using 3 nooutput name 'L'\n"                            \
    "if (L_min > 0 && Y_max > 10 * Y_min) { set logscale y\n"                              \
    "    if (scale * L_min >= 1) { set format y '%.0s%c' } }\n"                            \
    "if (Y_max <= Y_min) { set yrange [0.9 * Y_min * scale:1.1 * Y_min * scale + 0.1] }\n" \
    "plot for [i=0:blocks-1] data index i using 1:($3 * scale):($4 * scale) \\\n"          \
    "    with filledcurves linestyle i + 1 fillstyle transparent solid 0.2 \\\n"           \
    "    notitle, for [i=0:blocks-1] data index i using 1:($2 * scale) \\\n"               \
    "    with linespoints linestyle i + 1 pointtype filled(i) pointsize 0.6 \\\n"          \
    "    title columnheader(2)\n"
#define AGAINST(id, key, heading, words)                                               \
    {                                                                                  \
        .name = id, .section = "load", .title = heading " against load",               \
        .caption = words " Lines are means over replications, bands their intervals "  \
                         "(Monte Carlo error; more replications make them narrower).", \
        .of = key, .results = against_load, .script = BANDS                            \
    }

const struct loom_figure_ops loom_figures_against[] = {
    AGAINST("metric-load", NULL, "The metric", "The metric that is compared, at each load."),
    AGAINST("bounded-slowdown-load", "bounded_slowdown_mean", "Bounded slowdown",
            "Mean of max(1, response / max(runtime, 10 s)), at each load."),
    AGAINST("wait-load", "wait_mean_s", "Wait", "Mean wait of jobs, at each load."),
    AGAINST("response-load", "response_mean_s", "Response time",
            "Mean time from submission to end, at each load (Zakay 2017, chapter 3, figure 12)."),
    AGAINST("slowdown-load", "slowdown_ratio", "Slowdown",
            "Mean response time over mean runtime, at each load (Minh 2012, figure 5.3)."),
    AGAINST("utilization-load", "utilization", "Utilization",
            "Share of the processors that jobs have over the whole run, at each load."),
    {.name = "unsaturated-load",
     .section = "load",
     .title = "Runs that are not saturated",
     .caption = "Share of runs at each load in which outstanding jobs do not go on growing (Zakay "
                "2017, chapter 3, figure 12).",
     .results = unsaturated,
     .script = LOAD_AXIS "set ylabel 'runs not saturated (%)'\nset yrange [0:105]\n"
                         "plot for [i=0:blocks-1] data index i using 1:(100 * $2) \\\n"
                         "    with linespoints linestyle i + 1 linewidth wide(i, blocks) \\\n"
                         "    pointtype filled(i) pointsize 0.6 title columnheader(2)\n"},
    {.name = NULL},
};

/* ---- bars ------------------------------------------------------------------------------------ */

/* Return the length of all labels of groups side by side. */
static size_t label_width(const struct loom_analysis *analysis)
{
    char label[LOOM_LABEL];
    size_t most = 0;
    for (size_t g = 0; g < analysis->n; g++) {
        size_t n = strlen(group_label(analysis, &analysis->groups[g], 1, label, sizeof label));
        most = n > most ? n : most;
    }
    return most * analysis->n;
}

/* The groups of an analysis along the axis, and in each one bar for each value of the factor. */
static int bars(struct loom_sheet *sheet, const struct loom_analyses *analyses,
                const struct loom_figure_ops *ops, struct loom_error *err)
{
    const struct loom_analysis *analysis = loom_analysis_of(analyses, ops);
    const struct loom_run_results *results = analysis->results;
    char value[512], own[LOOM_LABEL], other[LOOM_LABEL], group[LOOM_LABEL], columns[100];
    (void)err;
    if (analysis->n > 8)
        return loom_sheet_skip(sheet, "there are more than eight groups of bars");
    loom_metric_set(sheet, analysis->metric->key);
    size_t width = label_width(analysis);
    loom_sheet_set(sheet, "%s",
                   width > 60   ? "set xtics rotate by 25 right\n"
                   : width == 0 ? "set format x ''\nset xtics scale 0\n"
                                : "");
    snprintf(columns, sizeof columns, "group,%s,low,high,name", analysis->metric->key);
    size_t series = 0;
    for (size_t i = 0; i < loom_results_cells(results); i++) {
        bool first = true;
        loom_plain_label(loom_results_value(results, i, analysis->compare, value, sizeof value),
                         own, sizeof own);
        for (size_t k = 0; k < i && first; k++)
            first = strcmp(own, loom_plain_label(loom_results_value(results, k, analysis->compare,
                                                                    value, sizeof value),
                                                 other, sizeof other)) != 0;
        if (!first)
            continue;
        if (++series > LOOM_RUNS_SHOWN)
            return loom_sheet_skip(sheet, "there are more than seven bars in a group");
        loom_sheet_block(sheet, own, columns);
        for (size_t g = 0; g < analysis->n; g++)
            for (size_t k = 0; k < analysis->groups[g].n; k++) {
                const struct loom_cell_result *cell = &analysis->groups[g].cells[k];
                loom_results_value(results, cell->cell, analysis->compare, value, sizeof value);
                if (cell->n == 0 || strcmp(own, loom_plain_label(value, other, sizeof other)) != 0)
                    continue;
                bool known = cell->has_interval;
                loom_sheet_labelled(sheet,
                                    (const double[]){(double)g, cell->spread.mean,
                                                     known ? cell->mean.low : cell->spread.mean,
                                                     known ? cell->mean.high : cell->spread.mean},
                                    4,
                                    group_label(analysis, &analysis->groups[g], 1, group,
                                                sizeof group));
            }
    }
    return 0;
}

/* ---- differences ----------------------------------------------------------------------------- */

enum { MOST_ROWS = 14 };

/* Name a pair in about 50 letters, which leave half of the figure: "load 0.9: easy over fcfs". */
static const char *pair_label(const struct loom_analysis *analysis, const struct loom_group *group,
                              size_t other, char *buf, size_t size)
{
    const struct loom_run_results *results = analysis->results;
    char value[512], where[23], best[16], next[16];
    group_label(analysis, group, 2, where, sizeof where);
    loom_results_value(results, group->cells[0].cell, analysis->compare, value, sizeof value);
    loom_plain_label(value[0] ? value : "none", best, sizeof best);
    loom_results_value(results, group->cells[other].cell, analysis->compare, value, sizeof value);
    loom_plain_label(value[0] ? value : "none", next, sizeof next);
    snprintf(buf, size, "%s%s%s over %s", where, where[0] ? ": " : "", best, next);
    return buf;
}

static void difference_row(struct loom_sheet *sheet, size_t row,
                           const struct loom_analysis *analysis,
                           const struct loom_pair_result *pair, const char *label)
{
    bool relative;
    struct loom_interval margin = loom_margin(analysis, pair, &relative);
    if (!relative)
        margin = (struct loom_interval){NAN, NAN, NAN};
    loom_sheet_labelled(sheet,
                        (const double[]){(double)row, margin.estimate, margin.low, margin.high,
                                         pair->shown},
                        5, label);
}

/* The best of each group against the others, or against the next where that is too much. */
static int differences(struct loom_sheet *sheet, const struct loom_analyses *analyses,
                       const struct loom_figure_ops *ops, struct loom_error *err)
{
    const struct loom_analysis *analysis = loom_analysis_of(analyses, ops);
    char label[LOOM_LABEL];
    size_t rows = 0, row = 0;
    (void)err;
    for (size_t g = 0; g < analysis->n; g++)
        rows += analysis->groups[g].n - 1;
    size_t each = rows <= MOST_ROWS ? SIZE_MAX : 1;
    loom_sheet_block(sheet, NULL, "row,relative_difference,low,high,shown,pair");
    for (size_t g = 0; g < analysis->n; g++) {
        const struct loom_group *group = &analysis->groups[g];
        for (size_t b = 1; b < group->n && b <= each && row < MOST_ROWS; b++) {
            const struct loom_pair_result *pair = loom_group_difference(group, 0, b);
            if (pair && pair->has_ratio)
                difference_row(sheet, row++, analysis, pair,
                               pair_label(analysis, group, b, label, sizeof label));
        }
    }
    return row > 0 ? 0 : loom_sheet_skip(sheet, "there are no two to compare");
}

/* ---- effects --------------------------------------------------------------------------------- */

/* The one factor, other than the load, in which a cell differs from the first; NULL if there are
 * none or several, or the two are not paired. Another load changes a metric far more than anything
 * else: beside it nothing else is seen. */
static const char *only_difference(const struct loom_run_results *results, size_t cell)
{
    const char *factor, *found = NULL;
    for (size_t i = 0; (factor = loom_results_factor(results, i)); i++) {
        if (!loom_results_differ(results, 0, cell, factor))
            continue;
        if (found || i < 2 || is_axis(results, factor)) /* another source has other workloads */
            return NULL;
        found = factor;
    }
    return found;
}

/* Does a replication of a cell count, in the groups that it is in? */
static bool is_used(const struct loom_analysis *analysis, size_t cell, size_t replication)
{
    for (size_t g = 0; g < analysis->n; g++)
        for (size_t i = 0; i < analysis->groups[g].n; i++)
            if (analysis->groups[g].cells[i].cell == cell &&
                !loom_group_uses(analysis, &analysis->groups[g], replication))
                return false;
    return true;
}

/* The ratio of means over the replications that both cells have; false if there is none. */
static bool ratio_to_first(struct loom_interval *out, const struct loom_analysis *analysis,
                           size_t cell)
{
    const double *base = loom_results_values(analysis->results, 0, analysis->metric->key);
    const double *own = loom_results_values(analysis->results, cell, analysis->metric->key);
    size_t most = (size_t)loom_results_replications(analysis->results), n = 0;
    double *pairs = calloc(2 * most + 1, sizeof *pairs);
    for (size_t r = 0; r < most && pairs; r++)
        if (!isnan(base[r]) && !isnan(own[r]) && is_used(analysis, 0, r) &&
            is_used(analysis, cell, r)) {
            pairs[n] = own[r];
            pairs[most + n++] = base[r];
        }
    struct loom_interval_options options = {.level = analysis->level};
    struct loom_pair_interval pair = {0};
    bool known = pairs && loom_pair_interval(&pair, pairs, pairs + most, n, &options, NULL) == 0;
    free(pairs);
    *out = pair.ratio;
    return known && pair.has_ratio;
}

static int effects(struct loom_sheet *sheet, const struct loom_analyses *analyses,
                   const struct loom_figure_ops *ops, struct loom_error *err)
{
    const struct loom_analysis *analysis = loom_analysis_of(analyses, ops);
    const struct loom_run_results *results = analysis->results;
    char base[LOOM_LABEL];
    size_t row = 0;
    (void)err;
    loom_sheet_set(sheet, "base = 'change from %s (%%)'\n",
                   loom_cell_label(analysis, 0, NULL, base, sizeof base));
    loom_sheet_block(sheet, NULL, "row,relative_change,low,high,factor");
    for (size_t cell = 1; cell < loom_results_cells(results) && row < MOST_ROWS; cell++) {
        const char *factor = only_difference(results, cell);
        struct loom_interval ratio;
        char value[512], whole[600], label[LOOM_LABEL];
        if (!factor || !ratio_to_first(&ratio, analysis, cell))
            continue;
        snprintf(whole, sizeof whole, "%.30s %s", factor,
                 loom_results_value(results, cell, factor, value, sizeof value));
        loom_sheet_labelled(sheet,
                            (const double[]){(double)row++, ratio.estimate - 1, ratio.low - 1,
                                             ratio.high - 1},
                            4, loom_plain_label(whole, label, 41));
    }
    return row > 0 ? 0 : loom_sheet_skip(sheet, "no two cells differ in one factor alone");
}

/* Few ticks: names take much of the width. */
#define ROWS(words)                                                           \
    "stats data using 1 nooutput name 'R'\n"                                  \
    "stats data using (100 * $3) nooutput name 'L'\n"                         \
    "stats data using (100 * $4) nooutput name 'H'\n"                         \
    "span = (H_max > 0 ? H_max : 0) - (L_min < 0 ? L_min : 0)\n"              \
    "step = span > 0 ? 10 ** floor(log10(span)) : 1\n"                        \
    "part = span / step\n"                                                    \
    "step = step * (part <= 1.5 ? 0.5 : part <= 3 ? 1 : part <= 6 ? 2 : 5)\n" \
    "low = L_min < 0 ? step * floor(L_min / step) : 0\n"                      \
    "high = H_max > 0 ? step * ceil(H_max / step) : 0\n"                      \
    "if (span > 0) { set xrange [low:high] } else { set xrange [-1:1] }\n"    \
    "set xtics step\nset xlabel '" words "'\nset grid noytics\n"              \
    "set yrange [R_max + 0.7:-0.7]\n"                                         \
    "set arrow from 0, graph 0 to 0, graph 1 nohead linestyle 9\n"
const struct loom_figure_ops loom_figures_answer[] = {
    {.name = "differences",
     .section = "answer",
     .title = "Differences with intervals",
     .caption = "By how much the best beats the others, in paired replications, with intervals. "
                "Filled points are shown to differ after the adjustment for the number of pairs "
                "(Holm); hollow ones are not. At most 14 pairs are drawn.",
     .results = differences,
     .script =
         ROWS("better by (%)") "plot data using (100 * $2):1:(100 * $3):(100 * $4):ytic(6) with "
                               "xerrorbars \\\n"
                               "    linestyle 1 pointsize 0 notitle, \\\n"
                               "    '' using (100 * $2):($5 > 0 ? $1 : NaN) with points linestyle "
                               "1 pointsize 0.9 \\\n"
                               "    notitle, '' using (100 * $2):($5 > 0 ? NaN : $1) with points "
                               "pointtype 6 \\\n"
                               "    pointsize 0.9 linewidth 1.8 linecolor rgb '#0072B2' notitle\n"},
    {.name = "bars",
     .section = "answer",
     .title = "Means with intervals",
     .caption = "Means over replications; whiskers are intervals of the mean (as Minh 2012, figure "
                "6.3).",
     .results = bars,
     .script = "set ylabel metric\nset grid noxtics\nset key above center horizontal\n"
               "stats data using 1 nooutput name 'X'\nblocks = X_blocks\n"
               "stats data using 3 nooutput name 'L'\nstats data using 4 nooutput name 'H'\n"
               "far = L_min > 0 && H_max > 100 * L_min\n"
               "if (far) { set logscale y } else { set yrange [0:*] }\n"
               "set xrange [-0.6:X_max + 0.6]\nset style fill solid 0.6 noborder\n"
               "share = 0.8 / blocks\n"
               "plot for [i=0:blocks-1] data index i \\\n"
               "    using ($1 + (i - (blocks - 1) / 2.0) * share):($2 * scale):(share * 0.92) \\\n"
               "    with boxes linestyle i + 1 dashtype 1 title columnheader(2), \\\n"
               "    for [i=0:blocks-1] data index i \\\n"
               "    using ($1 + (i - (blocks - 1) / 2.0) * share):($3 * scale):(0): \\\n"
               "    (($4 - $3) * scale) with vectors heads size screen 0.006,90 \\\n"
               "    linecolor rgb '#444444' linewidth 1.2 notitle, \\\n"
               "    for [i=0:0] data index i using 1:($2 * scale):xtic(5) with lines \\\n"
               "    linetype nodraw notitle\n"},
    {.name = "effects",
     .section = "answer",
     .title = "One factor at a time",
     .caption = "Change of the metric against the first cell of the plan where one factor alone, "
                "other than the load, is changed, with intervals over paired replications; at most "
                "14 cells.",
     .results = effects,
     .script = ROWS("change (%)") "set xlabel base\nplot data using (100 * $2):1:(100 * $3):(100 * "
                                  "$4):ytic(5) with "
                                  "xerrorbars \\\n"
                                  "    linestyle 2 dashtype 1 pointsize 0.8 notitle\n"},
    {.name = NULL},
};

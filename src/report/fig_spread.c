/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The spread over variants: histograms with the value of the log itself marked (Zakay 2017, chapter
 * 3, figures 8 and 9), and of differences between two policies.
 */
#include "experiment/analysis.h"
#include "report/analyses.h"
#include "report/runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 5 };

/* ---- bins ------------------------------------------------------------------------------------ */

struct bins {
    double low, high; /* logarithms, if logarithmic */
    size_t n;
    bool logarithmic;
};

/* Twice the root of the number of values, between 8 and 40, equal in the logarithm where values are
 * far apart. */
static struct bins bins_for(double low, double high, size_t values)
{
    static const double far_apart = 30;
    bool logarithmic = low > 0 && high > far_apart * low;
    size_t n = (size_t)ceil(2 * sqrt((double)values));
    n = n < 8 ? 8 : n > 40 ? 40 : n;
    if (logarithmic)
        return (struct bins){log10(low), log10(high), n, true};
    return (struct bins){low, high > low ? high : low + 1, n, false};
}

/* Rows of a histogram; `row` is its place from the top. The values are changed. */
static int write_counts(struct loom_sheet *sheet, struct bins bins, double *values, size_t n,
                        double row, struct loom_error *err)
{
    struct loom_histogram histogram;
    for (size_t i = 0; i < n && bins.logarithmic; i++)
        values[i] = fmin(bins.high, fmax(bins.low, log10(values[i])));
    int rc = loom_histogram_linear(&histogram, values, n, bins.low, bins.high, bins.n, err);
    if (rc)
        return rc;
    for (size_t i = 0; i < histogram.bins; i++) {
        double from = histogram.edges[i], to = histogram.edges[i + 1];
        if (bins.logarithmic)
            from = pow(10, from), to = pow(10, to);
        loom_sheet_labelled(sheet, (const double[]){from, to, histogram.counts[i], row}, 4, NULL);
    }
    loom_histogram_free(&histogram);
    return 0;
}

/* ---- histograms ------------------------------------------------------------------------------ */

/* The group of the highest load, or the last, of those that have several replications. */
static const struct loom_group *group_to_show(const struct loom_analysis *analysis)
{
    const struct loom_group *found = NULL;
    for (size_t g = 0; g < analysis->n; g++)
        if (analysis->groups[g].cells[0].n > 1)
            found = &analysis->groups[g];
    return found;
}

/* Values without those that are missing or left out; the caller must free them. */
static double *known_values(const struct loom_analysis *analysis, const struct loom_group *group,
                            size_t cell, size_t *n)
{
    const double *values = loom_results_values(analysis->results, cell, analysis->metric->key);
    size_t most = (size_t)loom_results_replications(analysis->results);
    double *known = malloc((most + 1) * sizeof *known);
    *n = 0;
    for (size_t r = 0; r < most && known; r++)
        if (!isnan(values[r]) && loom_group_uses(analysis, group, r))
            known[(*n)++] = values[r];
    return known;
}

/* The first cells of a group in the order of the plan, so that a policy has one colour in all
 * figures. Returns their number. */
static size_t rows_of(size_t rows[MOST_ROWS], const struct loom_group *group)
{
    size_t n = 0;
    for (size_t i = 0; i < group->n; i++) {
        size_t at = n < MOST_ROWS ? n++ : MOST_ROWS;
        for (; at > 0 && group->cells[rows[at - 1]].cell > group->cells[i].cell; at--)
            if (at < MOST_ROWS)
                rows[at] = rows[at - 1];
        if (at < MOST_ROWS)
            rows[at] = i;
    }
    return n;
}

/* Names along the axis, one a row from the top. */
static void set_names(struct loom_sheet *sheet, const struct loom_analysis *analysis,
                      const struct loom_group *group, const size_t *rows, size_t n)
{
    char value[512], name[LOOM_LABEL];
    loom_sheet_set(sheet, "rows = %zu\nset ytics (", n);
    for (size_t i = 0; i < n; i++) {
        loom_results_value(analysis->results, group->cells[rows[i]].cell, analysis->compare, value,
                           sizeof value);
        loom_sheet_set(sheet, "%s'%s' %zu", i > 0 ? ", " : "", loom_plain_label(value, name, 25),
                       i);
    }
    loom_sheet_set(sheet, ")\n");
}

static struct bins common_bins(const struct loom_analysis *analysis, const struct loom_group *group,
                               const size_t *rows, size_t n)
{
    double low = INFINITY, high = -INFINITY;
    size_t most = 0;
    for (size_t i = 0; i < n; i++) {
        const struct loom_cell_result *cell = &group->cells[rows[i]];
        double log_value =
            loom_results_log_value(analysis->results, cell->cell, analysis->metric->key);
        low = fmin(low, fmin(cell->spread.min, log_value));
        high = fmax(high, fmax(cell->spread.max, log_value));
        most = cell->n > most ? cell->n : most;
    }
    return bins_for(low, high, most);
}

/* All bins and a little more: whole decades would have labels past the edge. */
static void set_range(struct loom_sheet *sheet, struct bins bins)
{
    double low = bins.low, high = bins.high, margin = 0.03 * (high - low);
    low -= margin, high += margin;
    if (bins.logarithmic)
        loom_sheet_set(sheet, "set logscale x\n");
    loom_sheet_set(sheet, "set xrange [%.9g * scale:%.9g * scale]\n",
                   bins.logarithmic ? pow(10, low) : low, bins.logarithmic ? pow(10, high) : high);
}

static int variants(struct loom_sheet *sheet, const struct loom_analyses *analyses,
                    const struct loom_figure_ops *ops, struct loom_error *err)
{
    const struct loom_analysis *analysis = loom_analysis_of(analyses, ops);
    const struct loom_group *group = group_to_show(analysis);
    if (!group)
        return loom_sheet_skip(sheet, "there is only one replication");
    size_t rows[MOST_ROWS], n_rows = rows_of(rows, group);
    struct bins bins = common_bins(analysis, group, rows, n_rows);
    char label[LOOM_LABEL];
    int rc = 0;
    loom_metric_set(sheet, analysis->metric->key);
    set_names(sheet, analysis, group, rows, n_rows);
    set_range(sheet, bins);
    for (size_t i = 0; i < n_rows && !rc; i++) {
        size_t n, cell = group->cells[rows[i]].cell;
        double *values = known_values(analysis, group, cell, &n);
        loom_sheet_block(sheet, loom_cell_label(analysis, cell, NULL, label, sizeof label),
                         "from,to,replications,row");
        rc = values ? write_counts(sheet, bins, values, n, (double)i, err) : loom_fail_memory(err);
        free(values);
    }
    loom_sheet_marks(sheet);
    loom_sheet_gap(sheet);
    for (size_t i = 0; i < n_rows && !rc; i++)
        loom_sheet_row(sheet,
                       loom_results_log_value(analysis->results, group->cells[rows[i]].cell,
                                              analysis->metric->key),
                       (double)i);
    return rc;
}

/* ---- differences ----------------------------------------------------------------------------- */

/* Differences of the best to the next, replication by replication. */
static int pair_differences(struct loom_sheet *sheet, const struct loom_analyses *analyses,
                            const struct loom_figure_ops *ops, struct loom_error *err)
{
    const struct loom_analysis *analysis = loom_analysis_of(analyses, ops);
    const struct loom_group *group = group_to_show(analysis);
    const struct loom_pair_result *pair = group ? loom_group_difference(group, 0, 1) : NULL;
    size_t most = (size_t)loom_results_replications(analysis->results), n = 0;
    if (!pair)
        return loom_sheet_skip(sheet, "there are no two to compare");
    const char *key = analysis->metric->key;
    const double *a = loom_results_values(analysis->results, group->cells[0].cell, key);
    const double *b = loom_results_values(analysis->results, group->cells[1].cell, key);
    double *values = malloc((most + 1) * sizeof *values);
    struct loom_variation spread;
    for (size_t r = 0; r < most && values; r++)
        if (!isnan(a[r]) && !isnan(b[r]) && loom_group_uses(analysis, group, r))
            values[n++] = a[r] - b[r];
    int rc = values ? loom_variation(&spread, values, n, err) : loom_fail_memory(err);
    loom_metric_set(sheet, key);
    if (!rc) {
        loom_sheet_set(sheet, "low = %.9g\nmiddle = %.9g\nhigh = %.9g\n", pair->difference.low,
                       pair->difference.estimate, pair->difference.high);
        loom_sheet_block(sheet, NULL, "from,to,replications,row");
        rc = write_counts(sheet, bins_for(spread.min, spread.max, n), values, n, 0, err);
    }
    free(values);
    return rc;
}

const struct loom_figure_ops loom_figures_spread[] = {
    {.name = "variants",
     .section = "spread",
     .title = "Spread over replications",
     .caption = "How many replications have a value, at the highest load: what another such "
                "workload may bring, which more replications do not narrow. Vertical marks are the "
                "log itself, where the plan has it (Zakay 2017, chapter 3, figures 8 and 9).",
     .results = variants,
     .script = "stats data using 3 nooutput name 'N'\n"
               "set xlabel metric\nset grid noytics\nset yrange [rows - 0.5:-0.95]\n"
               "plot for [i=0:rows-1] data index i \\\n"
               "    using (($1 + $2) / 2 * scale):($4 - 0.4 * $3 / N_max):($1 * scale): \\\n"
               "    ($2 * scale):($4 - 0.85 * $3 / N_max):4 with boxxyerror linestyle i + 1 \\\n"
               "    dashtype 1 fillstyle solid 0.6 border notitle, \\\n"
               "    data index rows using ($1 * scale):2:(0):(-0.9) with vectors nohead \\\n"
               "    linecolor rgb '#000000' linewidth 2 notitle\n"},
    {.name = "pair-differences",
     .section = "spread",
     .title = "Differences of the two best",
     .caption = "The best minus the next in each replication, at the highest load. The line is "
                "their mean, the band its interval; what lies on the other side of 0 are "
                "replications in which the next is better.",
     .results = pair_differences,
     .script = "set xlabel 'difference of ' . metric\nset ylabel 'replications'\n"
               "set yrange [0:*]\n"
               "set arrow from 0, graph 0 to 0, graph 1 nohead linestyle 9 front\n"
               "set object 1 rectangle from low * scale, graph 0 to high * scale, graph 1 \\\n"
               "    fillcolor rgb '#D55E00' fillstyle transparent solid 0.25 noborder behind\n"
               "set arrow from middle * scale, graph 0 to middle * scale, graph 1 nohead \\\n"
               "    linestyle 2 dashtype 1 front\n"
               "plot data using (($1 + $2) / 2 * scale):3:(($2 - $1) * scale) with boxes \\\n"
               "    linestyle 1 fillstyle solid 0.6 border notitle\n"},
    {.name = NULL},
};

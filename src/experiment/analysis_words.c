/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a group shows, in one sentence. "Beats by 21 %" is 1 - mean(winner) / mean(loser) for a
 * metric whose lower values are better, mean(winner) / mean(loser) - 1 for the others.
 */
#include "base/human.h"
#include "experiment/analysis.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct text {
    char *buf;
    size_t size, used;
};

LOOM_PRINTF(2, 3)
static void add_text(struct text *text, const char *format, ...)
{
    va_list arguments;
    if (text->used + 1 >= text->size)
        return;
    va_start(arguments, format);
    int n = vsnprintf(text->buf + text->used, text->size - text->used, format, arguments);
    va_end(arguments);
    text->used += n > 0 ? (size_t)n : 0;
    text->used = text->used < text->size ? text->used : text->size - 1;
}

/* "easy", or "procs 128" for a number, which says nothing by itself. */
static void add_name(struct text *text, const struct loom_analysis *analysis,
                     const struct loom_group *group, size_t place)
{
    char name[512];
    loom_results_value(analysis->results, group->cells[place].cell, analysis->compare, name,
                       sizeof name);
    bool number = isdigit((unsigned char)name[0]);
    add_text(text, "%s%s%s", number ? analysis->compare : "", number ? " " : "",
             name[0] ? name : "(none)");
}

struct loom_interval loom_margin(const struct loom_analysis *analysis,
                                 const struct loom_pair_result *difference, bool *relative)
{
    enum loom_better better = analysis->metric->better;
    struct loom_interval by = difference->difference, ratio = difference->ratio;
    *relative = difference->has_ratio && better != LOOM_BETTER_NEITHER;
    if (!*relative)
        return better == LOOM_BETTER_LOWER ? (struct loom_interval){-by.estimate, -by.high, -by.low}
                                           : by;
    if (better == LOOM_BETTER_HIGHER)
        return (struct loom_interval){ratio.estimate - 1, ratio.low - 1, ratio.high - 1};
    return (struct loom_interval){1 - ratio.estimate, 1 - ratio.high, 1 - ratio.low};
}

static void add_percent(struct text *text, double share)
{
    char percent[LOOM_HUMAN];
    add_text(text, "%s", loom_human_percent(100 * share, percent, sizeof percent));
}

/* Add a value of the metric in human units. */
static void add_value(struct text *text, const struct loom_analysis *analysis, double value)
{
    const char *unit = analysis->metric->unit;
    char shown[LOOM_HUMAN];
    if (strcmp(unit, "s") == 0)
        add_text(text, "%s", loom_human_seconds(value, shown, sizeof shown));
    else if (strcmp(unit, "share") == 0)
        add_text(text, "%s", loom_human_share(value, shown, sizeof shown));
    else
        add_text(text, "%s%s%s", loom_human_number(value, shown, sizeof shown), *unit ? " " : "",
                 unit);
}

/* Add an interval of the metric: "(95 %: 2 h to 3 h)". */
static void add_interval(struct text *text, const struct loom_analysis *analysis, double low,
                         double high)
{
    add_text(text, " (%g %%: ", 100 * analysis->level);
    add_value(text, analysis, low);
    add_text(text, " to ");
    add_value(text, analysis, high);
    add_text(text, ")");
}

static void add_margin(struct text *text, const struct loom_analysis *analysis,
                       const struct loom_pair_result *difference)
{
    bool relative;
    struct loom_interval by = loom_margin(analysis, difference, &relative);
    if (!relative) {
        add_value(text, analysis, by.estimate);
        add_interval(text, analysis, by.low, by.high);
        return;
    }
    add_percent(text, by.estimate);
    add_text(text, " %% (%g %%: ", 100 * analysis->level);
    add_percent(text, by.low);
    add_text(text, " to ");
    add_percent(text, by.high);
    add_text(text, " %%)");
}

/* "at load 0.9, machine 128": the factors that vary, but for the one compared. */
static void add_where(struct text *text, const struct loom_analysis *analysis,
                      const struct loom_group *group)
{
    const char *factor;
    char value[512];
    bool first = true;
    for (size_t i = 0; (factor = loom_results_factor(analysis->results, i)); i++) {
        loom_results_value(analysis->results, group->cells[0].cell, factor, value, sizeof value);
        bool load = strcmp(factor, "load") == 0;
        if (strcmp(factor, analysis->compare) == 0 || !value[0] ||
            (!load && !loom_results_varies(analysis->results, factor)))
            continue;
        add_text(text, first ? (load ? " at %s %s" : " with %s %s") : ", %s %s", factor, value);
        first = false;
    }
}

/* "; the cells have 4 to 24 runs, one has none": where they are not alike. */
static void add_unlike(struct text *text, const struct loom_group *group)
{
    size_t least = SIZE_MAX, most = 0, none = group->n - group->with_values;
    for (size_t i = 0; i < group->with_values; i++) {
        least = group->cells[i].n < least ? group->cells[i].n : least;
        most = group->cells[i].n > most ? group->cells[i].n : most;
    }
    if (least < most)
        add_text(text, "; cells have %zu to %zu runs", least, most);
    if (none > 0)
        add_text(text, "; %zu of %zu cells ha%s no value", none, group->n, none == 1 ? "s" : "ve");
}

static void add_variants(struct text *text, const struct loom_group *group, size_t n)
{
    add_text(text, "; %zu replication%s", n, n == 1 ? "" : "s");
    if (group->left_out > 0)
        add_text(text, ", %zu saturated left out", group->left_out);
    else if (group->saturated > 0)
        add_text(text, ", %zu with saturated runs", group->saturated);
    if (group->undecided > 0)
        add_text(text, " (%zu undecided)", group->undecided);
}

/* Of a group of which one cell has values, or none can be compared. */
static void add_single(struct text *text, const struct loom_analysis *analysis,
                       const struct loom_group *group)
{
    const struct loom_cell_result *cell = &group->cells[0];
    if (cell->n == 0) {
        add_text(text, "no run to show");
        add_where(text, analysis, group);
        if (group->left_out > 0)
            add_text(text,
                     group->left_out == 1 ? ": its one run is saturated and left out"
                                          : ": all %zu replications are saturated and left out",
                     group->left_out);
        return;
    }
    add_name(text, analysis, group, 0);
    add_text(text, ": %s ", analysis->metric->label);
    add_value(text, analysis, cell->spread.mean);
    if (cell->has_interval)
        add_interval(text, analysis, cell->mean.low, cell->mean.high);
    for (size_t i = 1; i < group->n && cell->n == 1 && group->cells[i].n == 1; i++) {
        add_text(text, ", ");
        add_name(text, analysis, group, i);
        add_text(text, " ");
        add_value(text, analysis, group->cells[i].spread.mean);
    }
    add_where(text, analysis, group);
    if (cell->n == 1)
        add_text(text, "; one sample, so nothing says how far another would be from it");
    else
        add_variants(text, group, cell->n);
}

/* The cells that the first is compared with. */
struct rivals {
    size_t n, equals; /* equals: not shown to be worse than the first */
    bool better;      /* one has the better mean over the replications that both have */
};

static struct rivals rivals_of_first(const struct loom_analysis *analysis,
                                     const struct loom_group *group)
{
    bool higher = analysis->metric->better == LOOM_BETTER_HIGHER;
    struct rivals rivals = {0};
    for (size_t b = 1; b < group->with_values; b++) {
        const struct loom_pair_result *difference = loom_group_difference(group, 0, b);
        if (!difference)
            continue;
        rivals.n++;
        rivals.equals += !difference->shown;
        double ahead = higher ? difference->difference.estimate : -difference->difference.estimate;
        rivals.better |= ahead < 0;
    }
    return rivals;
}

/* Means over the replications of all cells have another order than a pair over its own. */
static void add_contradiction(struct text *text, const struct loom_analysis *analysis,
                              const struct loom_group *group)
{
    add_text(text, "which is best in %s", analysis->metric->label);
    add_where(text, analysis, group);
    add_text(text, " depends on the replications taken");
}

static void add_winner(struct text *text, const struct loom_analysis *analysis,
                       const struct loom_group *group, const struct loom_pair_result *next)
{
    size_t others = rivals_of_first(analysis, group).n;
    add_name(text, analysis, group, 0);
    if (others == 1)
        add_text(text, " beats ");
    else if (others == 2)
        add_text(text, " beats both others, the next, ");
    else
        add_text(text, " beats all %zu others, the next, ", others);
    add_name(text, analysis, group, next->b);
    add_text(text, "%s by ", others == 1 ? "" : ",");
    add_margin(text, analysis, next);
    add_text(text, " in %s", analysis->metric->label);
    add_where(text, analysis, group);
    add_variants(text, group, next->n);
}

static void add_needed(struct text *text, const struct loom_pair_result *next)
{
    static const size_t sensible = 1000000;
    char needed[LOOM_HUMAN];
    if (next->needed > next->n && next->needed <= sensible)
        add_text(text, ", about %s replications would be needed to show it",
                 loom_human_count((int64_t)next->needed, needed, sizeof needed));
}

static void add_undecided(struct text *text, const struct loom_analysis *analysis,
                          const struct loom_group *group, const struct loom_pair_result *next)
{
    struct rivals rivals = rivals_of_first(analysis, group);
    size_t equals = rivals.equals, others = rivals.n;
    add_text(text, "no difference shown between ");
    add_name(text, analysis, group, 0);
    add_text(text, " and ");
    add_name(text, analysis, group, next->b);
    if (equals > 1)
        add_text(text, " and %zu more", equals - 1);
    add_text(text, " in %s", analysis->metric->label);
    add_where(text, analysis, group);
    add_text(text, ": ");
    add_margin(text, analysis, next);
    if (next->p < 1 - analysis->level)
        add_text(text, ", not enough for one of %zu pairs", group->n_differences);
    add_variants(text, group, next->n);
    add_needed(text, next);
    if (equals < others)
        add_text(text, "; the other%s shown to be worse than the best",
                 others - equals == 1 ? " is" : "s are");
}

/* The first pair of the leader that is not shown to differ, else its first; NULL if it has none. */
static const struct loom_pair_result *pair_to_name(const struct loom_group *group)
{
    const struct loom_pair_result *first = NULL;
    for (size_t b = 1; b < group->with_values; b++) {
        const struct loom_pair_result *difference = loom_group_difference(group, 0, b);
        if (difference && !difference->shown)
            return difference;
        first = first ? first : difference;
    }
    return first;
}

static void add_difference(struct text *text, const struct loom_analysis *analysis,
                           const struct loom_group *group, const struct loom_pair_result *pair)
{
    add_name(text, analysis, group, pair->a);
    add_text(text, pair->shown ? " differs from " : " and ");
    add_name(text, analysis, group, pair->b);
    add_text(text,
             pair->shown ? " by %.4g (%g %%: %.4g to %.4g) in %s"
                         : ": no difference shown, %.4g (%g %%: %.4g to %.4g) in %s",
             pair->difference.estimate, 100 * analysis->level, pair->difference.low,
             pair->difference.high, analysis->metric->label);
    add_where(text, analysis, group);
    add_variants(text, group, pair->n);
}

/* One cell whose variants are far from the log in a metric. */
static void add_far(struct text *text, const struct loom_analysis *analysis,
                    const struct loom_metric *metric, size_t cell,
                    const struct loom_log_distance *far)
{
    struct loom_analysis of = *analysis;
    char name[512];
    of.metric = metric;
    loom_results_value(analysis->results, cell, "scheduler", name, sizeof name);
    add_text(text, "the variants are unlike the log: %s of all %zu under %s is %s the log's ",
             metric->label, far->n, name, far->log < far->low ? "above" : "below");
    add_value(text, &of, far->log);
    add_text(text, ", ");
    add_value(text, &of, far->low);
    add_text(text, " to ");
    add_value(text, &of, far->high);
}

static bool caution_of_log(struct text *text, const struct loom_analysis *analysis)
{
    const struct loom_metric *const metrics[] = {loom_metric_find("load_offered"), analysis->metric,
                                                 loom_metric_find("wait_mean_s")};
    struct loom_log_distance far;
    for (size_t m = 0; m < 3; m++)
        for (size_t cell = 0; cell < loom_results_cells(analysis->results); cell++)
            if (loom_results_far_from_log(&far, analysis->results, cell, metrics[m]->key)) {
                add_far(text, analysis, metrics[m], cell, &far);
                return true;
            }
    return false;
}

/* Mean of a metric over the runs of a cell, 0 if there is none. */
static double mean_count(const struct loom_run_results *results, size_t cell, const char *key)
{
    const double *values = loom_results_values(results, cell, key);
    double sum = 0, n = 0;
    for (int64_t r = 0; values && r < loom_results_replications(results); r++)
        if (!isnan(values[r]))
            sum += values[r], n++;
    return n > 0 ? sum / n : 0;
}

/* "procs 96, load 0.5": the factors in which a cell differs from another. */
static void add_differing(struct text *text, const struct loom_run_results *results, size_t cell,
                          size_t other)
{
    const char *factor, *comma = "";
    char value[512];
    for (size_t i = 0; (factor = loom_results_factor(results, i)); i++)
        if (loom_results_differ(results, cell, other, factor)) {
            add_text(text, "%s%s %s", comma, factor,
                     loom_results_value(results, cell, factor, value, sizeof value));
            comma = ", ";
        }
}

/* A job in a hundred that is left out matters, and one in a thousand where it runs in another cell.
 */
static bool caution_of_width(struct text *text, const struct loom_analysis *analysis)
{
    static const char key[] = "rejected_too_wide";
    static const double LEAST = 0.01, LEAST_APART = 0.001;
    const struct loom_run_results *results = analysis->results;
    size_t most = 0, least, n = loom_results_cells(results);
    char count[LOOM_HUMAN];
    for (size_t cell = 1; cell < n; cell++)
        most = mean_count(results, cell, key) > mean_count(results, most, key) ? cell : most;
    least = most;
    for (size_t cell = 0; cell < n; cell++)
        if (mean_count(results, cell, key) < mean_count(results, least, key) &&
            !loom_results_differ(results, cell, most, "trace") &&
            !loom_results_differ(results, cell, most, "source"))
            least = cell;
    double out = mean_count(results, most, key), fewest = mean_count(results, least, key);
    double all = out + mean_count(results, most, "jobs");
    bool apart = out - fewest >= LEAST_APART * all;
    if (out <= 0 || (out < LEAST * all && !apart))
        return false;
    add_text(text, "%s jobs a run (", loom_human_number(out, count, sizeof count));
    add_percent(text, out / all);
    add_text(text, " %%) are wider than the machine and left out");
    if (apart) {
        add_text(text, " with ");
        add_differing(text, results, most, least);
        add_text(text, ", and %s with ", loom_human_number(fewest, count, sizeof count));
        add_differing(text, results, least, most);
        add_text(text, ": the results are not of the same jobs");
    }
    return true;
}

static bool caution_of_estimates(struct text *text, const struct loom_analysis *analysis)
{
    static const double LEAST = 0.01;
    const struct loom_run_results *results = analysis->results;
    double most = 0;
    for (size_t cell = 0; cell < loom_results_cells(results); cell++) {
        double jobs = mean_count(results, cell, "jobs");
        double missing = mean_count(results, cell, "estimates_missing");
        most = jobs > 0 ? fmax(most, missing / jobs) : most;
    }
    if (most < LEAST)
        return false;
    add_percent(text, most);
    add_text(text, " %% of the jobs have no requested time, so that the schedulers know how long "
                   "they run");
    return true;
}

const char *loom_analysis_caution(const struct loom_analysis *analysis, size_t index, char *buf,
                                  size_t size)
{
    static bool (*const cautions[])(struct text *,
                                    const struct loom_analysis *) = {caution_of_width,
                                                                     caution_of_estimates,
                                                                     caution_of_log};
    for (size_t i = 0, n = 0; i < sizeof cautions / sizeof *cautions; i++) {
        struct text text = {.buf = buf, .size = size};
        if (cautions[i](&text, analysis) && n++ == index)
            return buf;
    }
    return NULL;
}

const char *loom_analysis_sentence(const struct loom_analysis *analysis, size_t index, char *buf,
                                   size_t size)
{
    const struct loom_group *group = &analysis->groups[index];
    struct text text = {.buf = buf, .size = size};
    if (size > 0)
        buf[0] = '\0';
    const struct loom_pair_result *pair = pair_to_name(group);
    if (!pair)
        add_single(&text, analysis, group);
    else if (analysis->metric->better == LOOM_BETTER_NEITHER)
        add_difference(&text, analysis, group, pair);
    else if (rivals_of_first(analysis, group).better)
        add_contradiction(&text, analysis, group);
    else if (rivals_of_first(analysis, group).equals == 0)
        add_winner(&text, analysis, group, pair);
    else
        add_undecided(&text, analysis, group, pair);
    if (pair)
        add_unlike(&text, group);
    return buf;
}

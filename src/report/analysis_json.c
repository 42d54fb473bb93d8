/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Analyses as a JSON object: cells with their means by metric, and differences of pairs. */
#include "base/json.h"
#include "report/analyses.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

/* ---- parts ----------------------------------------------------------------------------------- */

static int put_value(json_t *object, const char *key, json_t *value)
{
    return json_object_set_new(object, key, value);
}

static int put_real(json_t *object, const char *key, double value)
{
    return put_value(object, key, loom_json_number(value));
}

static json_t *factors_json(const struct loom_run_results *results, size_t cell)
{
    json_t *object = json_object();
    const char *factor;
    char value[512];
    int failed = object ? 0 : -1;
    for (size_t i = 0; (factor = loom_results_factor(results, i)) && !failed; i++) {
        loom_results_value(results, cell, factor, value, sizeof value);
        if (strcmp(factor, "load") == 0)
            failed = put_real(object, factor, loom_results_cell(results, cell)->load);
        else
            failed = put_value(object, factor, json_string(value));
    }
    return failed ? json_decref(object), NULL : object;
}

/* half_width is half of the interval, which need not lie evenly around the mean. */
static json_t *value_json(const struct loom_cell_result *cell)
{
    const struct loom_variation *spread = &cell->spread;
    json_t *object = json_object();
    bool known = cell->n > 0, interval = cell->has_interval;
    const struct {
        const char *key;
        double value;
    } numbers[] = {
        {"mean", known ? spread->mean : NAN},
        {"low", interval ? cell->mean.low : NAN},
        {"high", interval ? cell->mean.high : NAN},
        {"half_width", interval ? (cell->mean.high - cell->mean.low) / 2 : NAN},
        {"sd", cell->n > 1 ? spread->sd : NAN},
        {"min", known ? spread->min : NAN},
        {"p5", known ? spread->p5 : NAN},
        {"p25", known ? spread->p25 : NAN},
        {"median", known ? spread->median : NAN},
        {"p75", known ? spread->p75 : NAN},
        {"p95", known ? spread->p95 : NAN},
        {"max", known ? spread->max : NAN},
        {"best_probability", cell->best},
    };
    int failed = object ? put_value(object, "n", json_integer((json_int_t)cell->n)) : -1;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers && !failed; i++)
        failed = put_real(object, numbers[i].key, numbers[i].value);
    return failed ? json_decref(object), NULL : object;
}

/* ---- cells ----------------------------------------------------------------------------------- */

static json_t *cell_json(struct loom_analysis *const *analyses, size_t n, size_t cell)
{
    json_t *object = factors_json(analyses[0]->results, cell), *metrics = json_object();
    const struct loom_cell_result *first = loom_analysis_cell(analyses[0], cell);
    int failed = object && metrics && first ? 0 : -1;
    if (!failed)
        failed = put_value(object, "cell", json_integer((json_int_t)cell)) ||
                 put_value(object, "runs", json_integer((json_int_t)first->runs)) ||
                 put_value(object, "failed",
                           json_integer(loom_results_cell(analyses[0]->results, cell)->failed)) ||
                 put_value(object, "saturated", json_integer((json_int_t)first->saturated));
    for (size_t m = 0; m < n && !failed; m++)
        failed = put_value(metrics, analyses[m]->metric->key,
                           value_json(loom_analysis_cell(analyses[m], cell)));
    if (!failed)
        failed = put_value(object, "metrics", json_incref(metrics));
    json_decref(metrics);
    return failed ? json_decref(object), NULL : object;
}

/* ---- differences ----------------------------------------------------------------------------- */

static json_t *difference_json(const struct loom_analysis *analysis, const struct loom_group *group,
                               const struct loom_pair_result *pair)
{
    const struct loom_run_results *results = analysis->results;
    size_t a = group->cells[pair->a].cell, b = group->cells[pair->b].cell;
    char name[512];
    json_t *object = json_object();
    int failed = object ? 0 : -1;
    const struct {
        const char *key;
        double value;
    } numbers[] = {
        {"load", loom_results_cell(results, a)->load},
        {"mean", pair->difference.estimate},
        {"low", pair->difference.low},
        {"high", pair->difference.high},
        {"ratio", pair->has_ratio ? pair->ratio.estimate : NAN},
        {"ratio_low", pair->has_ratio ? pair->ratio.low : NAN},
        {"ratio_high", pair->has_ratio ? pair->ratio.high : NAN},
        {"level", pair->level},
        {"p", pair->p},
        {"p_adjusted", pair->p_adjusted},
        {"a_better_share", pair->share.estimate},
        {"a_better_low", pair->share.low},
        {"a_better_high", pair->share.high},
    };
    const char *factor = analysis->compare;
    if (!failed)
        failed =
            put_value(object, "a",
                      json_string(loom_results_value(results, a, factor, name, sizeof name))) ||
            put_value(object, "b",
                      json_string(loom_results_value(results, b, factor, name, sizeof name))) ||
            put_value(object, "metric", json_string(analysis->metric->key)) ||
            put_value(object, "a_cell", json_integer((json_int_t)a)) ||
            put_value(object, "b_cell", json_integer((json_int_t)b)) ||
            put_value(object, "n", json_integer((json_int_t)pair->n)) ||
            put_value(object, "shown", json_boolean(pair->shown)) ||
            put_value(object, "replications_needed",
                      pair->needed ? json_integer((json_int_t)pair->needed) : json_null());
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers && !failed; i++)
        failed = put_real(object, numbers[i].key, numbers[i].value);
    return failed ? json_decref(object), NULL : object;
}

static int add_differences(json_t *list, const struct loom_analysis *analysis)
{
    int failed = 0;
    for (size_t g = 0; g < analysis->n; g++) {
        const struct loom_group *group = &analysis->groups[g];
        for (size_t i = 0; i < group->n_differences && !failed; i++)
            if (group->differences[i].n > 1)
                failed = json_array_append_new(list, difference_json(analysis, group,
                                                                     &group->differences[i]));
    }
    return failed;
}

/* ---- the document ---------------------------------------------------------------------------- */

static int add_sentences(json_t *list, const struct loom_analysis *analysis)
{
    char sentence[1000];
    int failed = 0;
    for (size_t i = 0; !failed && loom_analysis_caution(analysis, i, sentence, sizeof sentence);
         i++)
        failed = json_array_append_new(list, json_string(sentence));
    for (size_t g = 0; g < analysis->n && !failed; g++)
        failed =
            json_array_append_new(list, json_string(loom_analysis_sentence(analysis, g, sentence,
                                                                           sizeof sentence)));
    return failed;
}

json_t *loom_analyses_json(struct loom_analysis *const *analyses, size_t n)
{
    json_t *object = json_object(), *sentences = json_array(), *cells = json_array();
    json_t *differences = json_array();
    int failed = object && sentences && cells && differences && n > 0 ? 0 : -1;
    for (size_t m = 0; m < n && !failed; m++)
        failed = add_sentences(sentences, analyses[m]) || add_differences(differences, analyses[m]);
    for (size_t c = 0; !failed && c < loom_results_cells(analyses[0]->results); c++)
        failed = json_array_append_new(cells, cell_json(analyses, n, c));
    if (!failed)
        failed =
            put_value(object, "compare", json_string(analyses[0]->compare)) ||
            put_real(object, "level", analyses[0]->level) ||
            put_value(object, "saturated_left_out", json_boolean(analyses[0]->drop_saturated)) ||
            put_value(object, "sentences", json_incref(sentences)) ||
            put_value(object, "cells", json_incref(cells)) ||
            put_value(object, "differences", json_incref(differences));
    json_decref(sentences);
    json_decref(cells);
    json_decref(differences);
    return failed ? json_decref(object), NULL : object;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scorecards for people and for programs. */
#include "compare_output.h"
#include "definitions.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const char *spread_text(struct loom_spread spread, char *buf, size_t size)
{
    if (isnan(spread.half))
        snprintf(buf, size, "%.3f", spread.mean);
    else
        snprintf(buf, size, "%.3f ± %.3f", spread.mean, spread.half);
    return buf;
}

void say_bootstrap(const struct invocation *call, const struct loom_reference *reference)
{
    struct loom_blocks blocks = loom_reference_blocks(reference);
    const char *unit = blocks.unit_s == 3600 ? "hour" : blocks.unit_s == 86400 ? "day" : "week";
    if (blocks.unit_s == 0)
        say(call, "the reference is shorter than eight hours, so its sampling error is not known: "
                  "differences are seen on a scale of one tenth");
    else
        say(call, "sampling errors from %zu resamples of %zu %ss in blocks of %zu %s%s",
            blocks.resamples, blocks.units, unit, blocks.length, unit,
            blocks.length == 1 ? "" : "s");
}

/* ---- lengths --------------------------------------------------------------------------------- */

size_t first_other_length(const struct contest *contest)
{
    size_t i = 1;
    while (i < contest->n_traces && loom_comparison_same_length(contest->comparisons[i - 1]))
        i++;
    return i;
}

static double span_s(const struct loom_features *features)
{
    const struct loom_feature *span = loom_features_find(features, "span_s");
    return span && span->known ? span->value : NAN;
}

void say_lengths(const struct contest *contest)
{
    size_t i = first_other_length(contest);
    if (i == contest->n_traces)
        return;
    char jobs[2][LOOM_HUMAN], span[2][LOOM_HUMAN];
    const struct loom_features *features[] = {loom_comparison_features(contest->comparisons[i - 1]),
                                              loom_reference_features(contest->reference)};
    for (size_t k = 0; k < 2; k++) {
        const struct loom_trace *trace = contest->traces[k == 0 ? i : 0];
        loom_human_count((int64_t)loom_trace_count(trace), jobs[k], sizeof jobs[k]);
        loom_human_seconds(span_s(features[k]), span[k], sizeof span[k]);
    }
    warn(
        "warning: %s has %s jobs in %s, the reference %s in %s; only scores of traces of about one "
        "length are comparable",
        loom_trace_report(contest->traces[i])->file, jobs[0], span[0], jobs[1], span[1]);
}

/* ---- tables ---------------------------------------------------------------------------------- */

static int add_part(struct loom_table *table, const struct loom_scorecard *card,
                    const struct loom_score_part *part, struct loom_error *err)
{
    char score[48] = "-";
    if (part->items > 0)
        spread_text(part->score, score, sizeof score);
    const char *furthest =
        part->items > 0 ? loom_scorecard_line(card, part->furthest)->info->key : "";
    bool equal = part->items > 0 && loom_scorecard_line(card, part->furthest)->closeness >= 1;
    int rc = loom_table_cell(table, err, "%s", part->info->name);
    if (!rc)
        rc = loom_table_cell(table, err, "%s", score);
    if (!rc)
        rc = count_cell(table, (int64_t)part->items, err);
    if (!rc)
        rc = count_cell(table, (int64_t)part->absent, err);
    if (!rc)
        rc = loom_table_cell(table, err, "%s", equal ? "" : furthest);
    return rc;
}

static int fill_parts(struct loom_table *table, const void *what, struct loom_error *err)
{
    static const struct table_column columns[] = {{"part", LOOM_LEFT, LOOM_KEEP},
                                                  {"score", LOOM_RIGHT, LOOM_KEEP},
                                                  {"scored", LOOM_RIGHT, 10},
                                                  {"absent", LOOM_RIGHT, 20},
                                                  {"furthest off", LOOM_LEFT, LOOM_KEEP}};
    const struct contest *contest = what;
    const struct loom_score_part *part;
    int rc = add_columns(table, columns, sizeof columns / sizeof *columns, err);
    for (size_t i = 0; !rc && (part = loom_scorecard_part(contest->card, i)); i++)
        rc = add_part(table, contest->card, part, err);
    return rc;
}

static int value_cell(struct loom_table *table, const struct loom_compared *line, bool known,
                      double value, struct loom_error *err)
{
    char text[LOOM_HUMAN];
    return loom_table_cell(table, err, "%s",
                           feature_text(line->info, known ? value : NAN, text, sizeof text));
}

static const char *part_name(const struct loom_compared *line)
{
    return line->part < 0 ? "-" : loom_part_at((size_t)line->part)->name;
}

/* The last cells of a line: how far off it is, and for which part that counts. */
static int add_verdict(struct loom_table *table, const struct loom_compared *line,
                       struct loom_error *err)
{
    const double values[] = {line->distance, line->closeness};
    int rc = 0;
    for (size_t i = 0; i < sizeof values / sizeof *values && !rc; i++)
        rc = line->known > 0 ? loom_table_cell(table, err, "%.2f", values[i])
                             : loom_table_cell(table, err, "-");
    return rc ? rc : loom_table_cell(table, err, "%s", part_name(line));
}

static int add_feature(struct loom_table *table, const struct loom_compared *line, bool spread,
                       struct loom_error *err)
{
    bool known = line->known > 0;
    int rc = loom_table_cell(table, err, "%s", line->info->key);
    if (!rc)
        rc = value_cell(table, line, line->known_a, line->a, err);
    if (!rc)
        rc = value_cell(table, line, known, line->b.mean, err);
    if (!rc && spread)
        rc = value_cell(table, line, known, line->b.sd, err);
    if (!rc)
        rc = value_cell(table, line, known, line->scale, err);
    return rc ? rc : add_verdict(table, line, err);
}

static int fill_features(struct loom_table *table, const void *what, struct loom_error *err)
{
    static const struct table_column columns[] = {{"feature", LOOM_LEFT, LOOM_KEEP},
                                                  {"a", LOOM_RIGHT, LOOM_KEEP},
                                                  {"b", LOOM_RIGHT, LOOM_KEEP},
                                                  {"sd", LOOM_RIGHT, 20},
                                                  {"scale", LOOM_RIGHT, LOOM_WIDE_ONLY},
                                                  {"distance", LOOM_RIGHT, LOOM_KEEP},
                                                  {"closeness", LOOM_RIGHT, LOOM_WIDE_ONLY},
                                                  {"part", LOOM_LEFT, 10}};
    const struct contest *contest = what;
    const struct loom_compared *line;
    bool spread = loom_scorecard_traces(contest->card) > 1;
    int rc = 0;
    for (size_t i = 0; i < sizeof columns / sizeof *columns && !rc; i++)
        if (spread || strcmp(columns[i].title, "sd") != 0)
            rc = add_columns(table, &columns[i], 1, err);
    for (size_t i = 0; !rc && (line = loom_scorecard_line(contest->card, i)); i++)
        if (!line->distribution)
            rc = add_feature(table, line, spread, err);
    return rc;
}

static int add_distribution(struct loom_table *table, const struct loom_compared *line,
                            struct loom_error *err)
{
    bool known = line->known > 0;
    int rc = loom_table_cell(table, err, "%s", line->info->key);
    if (!rc)
        rc = value_cell(table, line, line->known_a, line->a, err);
    if (!rc)
        rc = value_cell(table, line, known, line->b.mean, err);
    if (!rc)
        rc = known ? loom_table_cell(table, err, "%.4f", line->ks)
                   : loom_table_cell(table, err, "-");
    if (!rc) /* in the unit of the values */
        rc = value_cell(table, line, known, line->wasserstein, err);
    if (!rc)
        rc = number_cell(table, known ? line->anderson_darling : NAN, err);
    return rc ? rc : add_verdict(table, line, err);
}

static int fill_distributions(struct loom_table *table, const void *what, struct loom_error *err)
{
    static const struct table_column columns[] = {{"distribution", LOOM_LEFT, LOOM_KEEP},
                                                  {"median a", LOOM_RIGHT, LOOM_KEEP},
                                                  {"median b", LOOM_RIGHT, LOOM_KEEP},
                                                  {"KS", LOOM_RIGHT, 20},
                                                  {"Wasserstein", LOOM_RIGHT, LOOM_WIDE_ONLY},
                                                  {"Anderson-Darling", LOOM_RIGHT, LOOM_WIDE_ONLY},
                                                  {"distance", LOOM_RIGHT, LOOM_KEEP},
                                                  {"closeness", LOOM_RIGHT, LOOM_WIDE_ONLY},
                                                  {"part", LOOM_LEFT, 10}};
    const struct contest *contest = what;
    const struct loom_compared *line;
    int rc = add_columns(table, columns, sizeof columns / sizeof *columns, err);
    for (size_t i = 0; !rc && (line = loom_scorecard_line(contest->card, i)); i++)
        if (line->distribution)
            rc = add_distribution(table, line, err);
    return rc;
}

int part_column(struct loom_table *table, const struct loom_part_info *part, struct loom_error *err)
{
    const struct table_column column = {part->name, LOOM_RIGHT, 10};
    return add_columns(table, &column, 1, err);
}

int part_cell(struct loom_table *table, const struct loom_score_part *part, struct loom_error *err)
{
    if (part->items > 0)
        return loom_table_cell(table, err, "%.2f", part->score.mean);
    return loom_table_cell(table, err, part->absent > 0 ? "lacks" : "-");
}

/* A line for each trace: its overall score, its coverage and its parts. */
static int add_trace(struct loom_table *table, const struct loom_trace *trace,
                     const struct loom_scorecard *card, struct loom_error *err)
{
    const struct loom_score_part *part;
    int rc = loom_table_cell(table, err, "%s", loom_trace_report(trace)->file);
    if (!rc)
        rc = loom_table_cell(table, err, "%.3f", loom_scorecard_overall(card).mean);
    if (!rc)
        rc = loom_table_cell(table, err, "%.3f", loom_scorecard_score(card).mean);
    if (!rc)
        rc = share_cell(table, loom_scorecard_coverage(card), err);
    for (size_t i = 0; !rc && (part = loom_scorecard_part(card, i)); i++)
        rc = part_cell(table, part, err);
    return rc;
}

static int fill_traces(struct loom_table *table, const void *what, struct loom_error *err)
{
    static const struct table_column columns[] = {{"trace", LOOM_LEFT, LOOM_KEEP},
                                                  {"overall", LOOM_RIGHT, LOOM_KEEP},
                                                  {"score", LOOM_RIGHT, 30},
                                                  {"coverage", LOOM_RIGHT, 20}};
    static const struct table_column cycle = {"P of the day", LOOM_RIGHT, 5};
    const struct contest *contest = what;
    const struct loom_part_info *part;
    int rc = add_columns(table, columns, sizeof columns / sizeof *columns, err);
    for (size_t i = 0; !rc && (part = loom_part_at(i)); i++)
        rc = part_column(table, part, err);
    if (!rc)
        rc = add_columns(table, &cycle, 1, err);
    for (size_t i = 1; i < contest->n_traces && !rc; i++) {
        rc = add_trace(table, contest->traces[i], contest->cards[i - 1], err);
        if (!rc)
            rc = number_cell(table, contest->daily_cycle[i - 1], err);
    }
    return rc;
}

typedef int fill_fn(struct loom_table *table, const void *what, struct loom_error *err);

static int write_table(struct loom_output *out, fill_fn *fill, const struct contest *contest,
                       struct loom_error *err)
{
    struct loom_table *table = NULL;
    int rc = new_table(&table, contest->call, err);
    if (!rc)
        rc = fill(table, contest, err);
    if (!rc)
        rc = loom_table_write(table, out, err);
    loom_table_destroy(table);
    return rc;
}

/* What only some of several traces know is in the mean, but not in the coverage of the others. */
static int write_score(struct loom_output *out, const struct contest *contest,
                       struct loom_error *err)
{
    char score[48], overall[48], coverage[LOOM_HUMAN];
    loom_human_share(loom_scorecard_coverage(contest->card), coverage, sizeof coverage);
    spread_text(loom_scorecard_score(contest->card), score, sizeof score);
    spread_text(loom_scorecard_overall(contest->card), overall, sizeof overall);
    if (contest->n_traces == 2) {
        int done = loom_output_printf(out, err, "overall %s, score %s, coverage %s\n", overall,
                                      score, coverage);
        return done || isnan(contest->daily_cycle[0])
                   ? done
                   : loom_output_printf(out, err, "daily cycle: P %.4g (48 half hours)\n",
                                        contest->daily_cycle[0]);
    }
    int rc = write_table(out, fill_traces, contest, err);
    if (!rc)
        rc = loom_output_printf(out, err, "\nmean of %zu traces: overall %s, score %s\n",
                                contest->n_traces - 1, overall, score);
    return rc;
}

static int write_card(struct loom_output *out, const struct contest *contest,
                      struct loom_error *err)
{
    static fill_fn *const tables[] = {fill_parts, fill_distributions, fill_features};
    int rc = write_score(out, contest, err);
    for (size_t i = 0; i < sizeof tables / sizeof *tables && !rc; i++) {
        rc = loom_output_printf(out, err, "\n");
        if (!rc)
            rc = write_table(out, tables[i], contest, err);
    }
    return rc;
}

int print_card(const struct contest *contest, struct loom_error *err)
{
    struct loom_output *out = NULL;
    int rc = loom_output_create(&out, "-", err);
    if (!rc)
        rc = write_card(out, contest, err);
    return end_output(out, rc, NULL, err);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *trace_json(const struct loom_trace *trace, const struct loom_features *features)
{
    const struct loom_read_report *report = loom_trace_report(trace);
    char hash[24];
    snprintf(hash, sizeof hash, "%016" PRIx64, report->hash);
    return json_pack("{s:o, s:s, s:I, s:o}", "file", text_json(report->file), "hash", hash, "jobs",
                     (json_int_t)loom_trace_count(trace), "span_s",
                     loom_json_number(span_s(features)));
}

int add_reference_json(json_t *document, const struct contest *contest)
{
    struct loom_blocks blocks = loom_reference_blocks(contest->reference);
    const struct loom_params *params = contest->call->params;
    const struct loom_definitions *definitions =
        loom_features_definitions(loom_reference_features(contest->reference));
    json_t *rest =
        json_pack("{s:s, s:I, s:o, s:{s:I, s:I, s:I, s:I}, s:o, s:o}", "select",
                  loom_params_text(params, "select"), "seed",
                  (json_int_t)loom_params_int(params, "seed"), "reference",
                  trace_json(contest->traces[0], loom_reference_features(contest->reference)),
                  "bootstrap", "resamples", (json_int_t)blocks.resamples, "unit_s",
                  (json_int_t)blocks.unit_s, "units", (json_int_t)blocks.units, "block_units",
                  (json_int_t)blocks.length, "definitions", definitions_json(definitions),
                  "changed", changed_json(definitions));
    return merge_json(document, rest);
}

/* NAN becomes null. */
static json_t *line_json(const struct loom_compared *line)
{
    bool known = line->known > 0;
    json_t *object =
        json_pack("{s:o, s:o, s:o}", "a", loom_json_number(line->known_a ? line->a : NAN), "b",
                  loom_json_number(known ? line->b.mean : NAN), "distance",
                  loom_json_number(known ? line->distance : NAN));
    int failed = !object;
    if (object && known) {
        failed |= json_object_set_new(object, "error", loom_json_number(line->error));
        failed |= json_object_set_new(object, "scale", loom_json_number(line->scale));
        failed |= json_object_set_new(object, "closeness", loom_json_number(line->closeness));
    }
    if (object && known && !isnan(line->b.sd)) {
        failed |= json_object_set_new(object, "b_sd", loom_json_number(line->b.sd));
        failed |= json_object_set_new(object, "b_half", loom_json_number(line->b.half));
    }
    if (object && known && line->distribution) {
        failed |= json_object_set_new(object, "ks", loom_json_number(line->ks));
        failed |= json_object_set_new(object, "wasserstein", loom_json_number(line->wasserstein));
        failed |= json_object_set_new(object, "anderson_darling",
                                      loom_json_number(line->anderson_darling));
    }
    if (object && line->part >= 0)
        failed |= json_object_set_new(object, "part", json_string(part_name(line)));
    if (failed) {
        json_decref(object);
        return NULL;
    }
    return object;
}

static json_t *part_json(const struct loom_score_part *part)
{
    bool known = part->items > 0;
    json_t *object =
        json_pack("{s:o, s:I, s:I}", "score", loom_json_number(known ? part->score.mean : NAN),
                  "scored", (json_int_t)part->items, "absent", (json_int_t)part->absent);
    if (object && known && !isnan(part->score.sd) &&
        (json_object_set_new(object, "sd", loom_json_number(part->score.sd)) ||
         json_object_set_new(object, "half", loom_json_number(part->score.half)))) {
        json_decref(object);
        return NULL;
    }
    return object;
}

static int add_lines_json(json_t *object, const struct loom_scorecard *card)
{
    json_t *features = json_object(), *distributions = json_object(), *reasons = json_object();
    const struct loom_compared *line;
    json_int_t unknown = 0;
    int failed = 0;
    for (size_t i = 0; (line = loom_scorecard_line(card, i)); i++) {
        failed |= json_object_set_new(line->distribution ? distributions : features,
                                      line->info->key, line_json(line));
        unknown += line->known == 0;
        if (line->known == 0)
            failed |= json_object_set_new(reasons, line->info->key, json_string(line->reason));
    }
    failed |= json_object_set_new(object, "features", features);
    failed |= json_object_set_new(object, "distributions", distributions);
    failed |= json_object_set_new(object, "left_out", json_integer(unknown));
    failed |= json_object_set_new(object, "reasons", reasons);
    return failed;
}

/* NAME, and where there are several traces NAME_sd and NAME_half. */
static int add_spread_json(json_t *object, const char *name, struct loom_spread spread)
{
    char key[40];
    int failed = json_object_set_new(object, name, loom_json_number(spread.mean));
    if (isnan(spread.sd))
        return failed;
    snprintf(key, sizeof key, "%s_sd", name);
    failed |= json_object_set_new(object, key, loom_json_number(spread.sd));
    snprintf(key, sizeof key, "%s_half", name);
    return failed | json_object_set_new(object, key, loom_json_number(spread.half));
}

/* The scores of a card without its lines. */
static int add_scores_json(json_t *object, const struct loom_scorecard *card)
{
    const struct loom_score_part *part;
    json_t *parts = json_object();
    int failed = add_spread_json(object, "score", loom_scorecard_score(card));
    failed |=
        json_object_set_new(object, "coverage", loom_json_number(loom_scorecard_coverage(card)));
    failed |= add_spread_json(object, "overall", loom_scorecard_overall(card));
    for (size_t i = 0; (part = loom_scorecard_part(card, i)); i++)
        failed |= json_object_set_new(parts, part->info->name, part_json(part));
    return failed | json_object_set_new(object, "parts", parts);
}

int add_card_json(json_t *object, const struct loom_scorecard *card)
{
    return add_scores_json(object, card) | add_lines_json(object, card);
}

/* The value of a line, or median, in each of several traces: null where it is not known. */
static json_t *each_json(const struct contest *contest, size_t line)
{
    json_t *each = json_array();
    int failed = !each;
    for (size_t i = 1; i < contest->n_traces; i++) {
        const struct loom_compared *one = loom_scorecard_line(contest->cards[i - 1], line);
        failed |= json_array_append_new(each, loom_json_number(one->known ? one->b.mean : NAN));
    }
    if (!failed)
        return each;
    json_decref(each);
    return NULL;
}

static int add_each_json(json_t *document, const struct contest *contest)
{
    json_t *features = json_object_get(document, "features");
    json_t *distributions = json_object_get(document, "distributions");
    const struct loom_compared *line;
    int failed = 0;
    for (size_t i = 0; (line = loom_scorecard_line(contest->card, i)); i++)
        failed |= json_object_set_new(json_object_get(line->distribution ? distributions : features,
                                                      line->info->key),
                                      "b_each", each_json(contest, i));
    return failed;
}

int print_card_json(const struct contest *contest, struct loom_error *err)
{
    json_t *document = new_document(contest->call), *traces = json_array();
    bool several = contest->n_traces > 2;
    int failed = add_reference_json(document, contest);
    for (size_t i = 1; i < contest->n_traces; i++) {
        const struct loom_comparison *comparison = contest->comparisons[i - 1];
        json_t *trace = trace_json(contest->traces[i], loom_comparison_features(comparison));
        failed |= json_object_set_new(trace, "same_length",
                                      json_boolean(loom_comparison_same_length(comparison)));
        failed |= json_object_set_new(trace, "daily_cycle_p",
                                      loom_json_number(contest->daily_cycle[i - 1]));
        failed |= add_scores_json(trace, several ? contest->cards[i - 1] : contest->card);
        failed |= json_array_append_new(traces, trace);
    }
    failed |= json_object_set_new(document, "traces", traces);
    failed |= add_card_json(document, contest->card);
    if (several)
        failed |= add_each_json(document, contest);
    if (failed) {
        json_decref(document);
        document = NULL;
    }
    return print_document(document, err);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare TRACE --models NAMES: the ranking of models by how real their workloads are. */
#include "compare_output.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- output ---------------------------------------------------------------------------------- */

static int add_titles(struct loom_table *table, struct loom_error *err)
{
    static const struct table_column columns[] = {{"", LOOM_RIGHT, LOOM_KEEP},
                                                  {"model", LOOM_LEFT, LOOM_KEEP},
                                                  {"overall", LOOM_RIGHT, LOOM_KEEP},
                                                  {"score", LOOM_RIGHT, 30},
                                                  {"coverage", LOOM_RIGHT, 20}};
    const struct loom_part_info *part;
    int rc = add_columns(table, columns, sizeof columns / sizeof *columns, err);
    for (size_t i = 0; !rc && (part = loom_part_at(i)); i++)
        rc = part_column(table, part, err);
    return rc;
}

static int add_response_title(struct loom_table *table, struct loom_error *err)
{
    static const struct table_column column = {"response", LOOM_RIGHT, 25};
    return add_columns(table, &column, 1, err);
}

static int add_model(struct loom_table *table, const struct loom_ranking_entry *entry, size_t place,
                     struct loom_error *err)
{
    char overall[48], score[48];
    const struct loom_score_part *part;
    int rc = loom_table_cell(table, err, "%zu", place);
    if (!rc)
        rc = loom_table_cell(table, err, "%s", entry->label);
    if (!rc)
        rc =
            loom_table_cell(table, err, "%s", spread_text(entry->overall, overall, sizeof overall));
    if (!rc)
        rc = loom_table_cell(table, err, "%s",
                             spread_text(loom_scorecard_score(entry->card), score, sizeof score));
    if (!rc)
        rc = share_cell(table, loom_scorecard_coverage(entry->card), err);
    for (size_t i = 0; !rc && (part = loom_scorecard_part(entry->card, i)); i++)
        rc = part_cell(table, part, err);
    if (!rc && entry->has_response)
        rc = loom_table_cell(table, err, "%.3f", entry->response_score.mean);
    return rc;
}

static int print_ranking(const struct invocation *call, const struct loom_ranking *ranking,
                         struct loom_error *err)
{
    struct loom_table *table = NULL;
    struct loom_ranking_entry entry;
    int rc = new_table(&table, call, err);
    if (!rc)
        rc = add_titles(table, err);
    if (!rc && loom_ranking_response(ranking, NULL))
        rc = add_response_title(table, err);
    for (size_t i = 0; !rc && loom_ranking_at(ranking, i, &entry); i++)
        if (entry.card)
            rc = add_model(table, &entry, i + 1, err);
    if (!rc)
        return print_table(table, err);
    loom_table_destroy(table);
    return rc;
}

static json_t *numbers_json(const double *values)
{
    json_t *array = json_array();
    int failed = !array;
    for (size_t i = 0; i < LOOM_RESPONSE_CELLS; i++)
        failed |= json_array_append_new(array, loom_json_number(values[i]));
    if (!failed)
        return array;
    json_decref(array);
    return NULL;
}

static json_t *response_json(const struct loom_response *response)
{
    return json_pack("{s:o, s:o}", "wait_mean_s", numbers_json(response->wait_s), "slowdown_ratio",
                     numbers_json(response->slowdown));
}

/* Which policy and load each place of these arrays is about, and the log's own. */
static json_t *log_response_json(const struct loom_response *response)
{
    json_t *policies = json_array(), *loads = json_array(), *object = response_json(response);
    int failed = !policies || !loads || !object;
    for (size_t i = 0; i < LOOM_RESPONSE_CELLS && !failed; i++) {
        struct loom_response_cell cell = loom_response_cell(i);
        failed |= json_array_append_new(policies, json_string(cell.policy));
        failed |= json_array_append_new(loads, loom_json_number(cell.load));
    }
    failed |= json_object_set_new(object, "policy", policies);
    failed |= json_object_set_new(object, "load", loads);
    if (!failed)
        return object;
    json_decref(object);
    return NULL;
}

static int add_response_json(json_t *object, const struct loom_ranking_entry *entry)
{
    json_t *response = response_json(&entry->response);
    int failed =
        json_object_set_new(response, "score", loom_json_number(entry->response_score.mean));
    failed |=
        json_object_set_new(response, "score_half", loom_json_number(entry->response_score.half));
    failed |= json_object_set_new(object, "response", response);
    return failed;
}

static json_t *model_json(const struct loom_ranking_entry *entry, size_t place)
{
    json_t *object =
        json_pack("{s:o, s:s, s:o}", "model", text_json(entry->label), "name", entry->info->name,
                  "variant", entry->variant ? text_json(entry->variant) : json_null());
    int failed = !object;
    if (!object)
        return NULL;
    if (entry->card) {
        failed |= json_object_set_new(object, "rank", json_integer((json_int_t)place));
        failed |= add_card_json(object, entry->card);
        failed |= json_object_set_new(object, "overall", loom_json_number(entry->overall.mean));
        failed |= entry->has_response ? add_response_json(object, entry) : 0;
        failed |=
            json_object_set_new(object, "overall_half", loom_json_number(entry->overall.half));
    } else {
        failed |= json_object_set_new(object, "reason", text_json(entry->reason));
    }
    if (failed) {
        json_decref(object);
        return NULL;
    }
    return object;
}

static int print_ranking_json(const struct contest *contest, const struct loom_ranking *ranking,
                              struct loom_error *err)
{
    json_t *document = new_document(contest->call);
    json_t *models = json_array(), *others = json_array();
    struct loom_ranking_entry entry;
    int failed = add_reference_json(document, contest);
    failed |= json_object_set_new(document, "replications",
                                  json_integer((json_int_t)loom_params_int(contest->call->params,
                                                                           "replications")));
    failed |=
        json_object_set_new(document, "load",
                            contest->load > 0 ? loom_json_number(contest->load) : json_null());
    const struct loom_response *response = loom_ranking_response(ranking, NULL);
    failed |= json_object_set_new(document, "response",
                                  response ? log_response_json(response) : json_null());
    for (size_t i = 0; loom_ranking_at(ranking, i, &entry); i++)
        failed |= json_array_append_new(entry.card ? models : others, model_json(&entry, i + 1));
    failed |= json_object_set_new(document, "models", models);
    failed |= json_object_set_new(document, "not_ranked", others);
    if (failed) {
        json_decref(document);
        document = NULL;
    }
    return print_document(document, err);
}

/* ---- the ranking ----------------------------------------------------------------------------- */

static int rank(struct loom_ranking **out, const struct contest *contest,
                const struct loom_ranking_options *options, struct loom_error *err)
{
    struct loom_progress *progress =
        loom_progress_create("generating and comparing", "workloads",
                             options->n * (1 + options->replications),
                             loom_params_flag(contest->call->params, "quiet"));
    int rc = loom_ranking_create(out, contest->reference, contest->traces[0], options,
                                 contest->pool, progress, err);
    loom_progress_destroy(progress);
    return rc;
}

static bool has_variants(const struct loom_ranking *ranking)
{
    struct loom_ranking_entry entry;
    bool any = false;
    for (size_t i = 0; !any && loom_ranking_at(ranking, i, &entry); i++)
        any = entry.card && entry.variant;
    return any;
}

static int compare_models_show(const struct contest *contest, const struct loom_ranking *ranking,
                               struct loom_error *err)
{
    struct loom_ranking_entry entry;
    if (loom_ranking_at(ranking, 0, &entry) && !entry.card)
        return loom_fail(err, LOOM_EDATA, "no model could be compared: %s", entry.reason);
    int rc = wants_report(contest->call) ? report_models(contest, ranking, err) : 0;
    if (!rc && loom_params_flag(contest->call->params, "json"))
        rc = print_ranking_json(contest, ranking, err);
    else if (!rc && !wants_report(contest->call))
        rc = print_ranking(contest->call, ranking, err);
    const char *no_response = NULL;
    loom_ranking_response(ranking, &no_response);
    if (!rc && no_response)
        say(contest->call, "without the scheduling response: %s", no_response);
    if (!rc && has_variants(ranking))
        say(contest->call, "after a colon: its parameters");
    for (size_t i = 0; !rc && loom_ranking_at(ranking, i, &entry); i++)
        if (!entry.card)
            say(contest->call, "left out the model %s: %s", entry.label, entry.reason);
    if (!rc)
        say_short(contest->call, (int64_t)loom_trace_count(contest->traces[0]), contest->traces[0]);
    return rc;
}

int compare_models(struct contest *contest, struct loom_error *err)
{
    const struct loom_params *params = contest->call->params;
    struct loom_ranking *ranking = NULL;
    struct loom_ranking_options options = {
        .candidates = contest->candidates.list,
        .n = contest->candidates.n,
        .replications = (size_t)loom_params_int(params, "replications"),
        .seed = seed_of(contest->call),
        .fit_to = contest->earlier,
        .response = !loom_params_flag(params, "no-response"),
    };
    const struct loom_trace *log = contest->traces[0];
    struct loom_machine_size size;
    char text[160];
    int rc = loom_trace_machine_size(&size, log, err);
    if (!rc && size.source != LOOM_SIZE_HEADER && loom_params_given(params, "load"))
        say(contest->call, "%s", loom_size_note(&size, text, sizeof text));
    if (!rc)
        rc = take_load(&contest->load, contest->call, loom_load_offered(log, size.procs), err);
    options.load = contest->load;
    if (!rc)
        rc = rank(&ranking, contest, &options, err);
    if (!rc)
        rc = compare_models_show(contest, ranking, err);
    loom_ranking_destroy(ranking);
    return rc;
}

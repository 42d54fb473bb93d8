/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workloom predict: predictors of runtimes on a log, and how good they are. */
#include "predict.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const selections[] = {"ran", "completed", "all", NULL};

static const struct loom_param predict_params[] = {
    {.name = "predictor",
     .type = LOOM_PARAM_TEXT,
     .repeated = true,
     .value = "recent2",
     .metavar = "NAME",
     .help = "predictor, as minh2010:k1=5, or a parameter file; 'all' takes every one"},
    {.name = "train",
     .type = LOOM_PARAM_REAL,
     .min = 0,
     .max = 0.99,
     .value = "0.5",
     .metavar = "SHARE",
     .help = "first part of the jobs, by submission, that is history only"},
    {.name = NULL},
};

static const struct loom_param select_param[] = {
    {.name = "select",
     .type = LOOM_PARAM_CHOICE,
     .choices = selections,
     .value = "ran",
     .metavar = "WHICH",
     .help = "which jobs"},
    {.name = NULL},
};

/* What a call evaluates: predictors and the results of each. */
struct request {
    const struct invocation *call;
    const struct loom_trace *trace;
    char **texts;
    struct loom_predictor **predictors;
    struct loom_evaluation *evaluations;
    size_t n;
};

static void release_request(struct request *request)
{
    for (size_t i = 0; i < request->n; i++) {
        if (request->texts)
            free(request->texts[i]);
        if (request->predictors)
            loom_predictor_destroy(request->predictors[i]);
        if (request->evaluations)
            loom_evaluation_free(&request->evaluations[i]);
    }
    free(request->texts);
    free(request->predictors);
    free(request->evaluations);
}

static size_t count_all(void)
{
    size_t n = 0;
    while (loom_predictor_at(n))
        n++;
    return n;
}

/* The predictors that were asked for; 'all' stands for each. */
static int list_texts(struct request *request, struct loom_error *err)
{
    const struct loom_params *params = request->call->params;
    size_t given = loom_params_count(params, "predictor"), most = given * (count_all() + 1);
    request->texts = calloc(most, sizeof *request->texts);
    if (!request->texts)
        return loom_fail_memory(err);
    for (size_t i = 0; i < given; i++) {
        const char *item = loom_params_item(params, "predictor", i);
        bool all = strcmp(item, "all") == 0;
        for (size_t k = 0; k < (all ? count_all() : 1); k++) {
            const char *text = all ? loom_predictor_at(k)->name : item;
            if (!(request->texts[request->n++] = strdup(text)))
                return loom_fail_memory(err);
        }
    }
    return 0;
}

static int create_predictors(struct request *request, struct loom_error *err)
{
    int rc = list_texts(request, err);
    if (rc)
        return rc;
    request->predictors = calloc(request->n, sizeof(struct loom_predictor *));
    request->evaluations = calloc(request->n, sizeof *request->evaluations);
    if (!request->predictors || !request->evaluations)
        return loom_fail_memory(err);
    for (size_t i = 0; i < request->n && !rc; i++)
        rc = loom_predictor_create(&request->predictors[i], request->texts[i], err);
    return rc;
}

static int evaluate_one(void *context, size_t index, unsigned worker, struct loom_error *err)
{
    struct request *request = context;
    (void)worker;
    return loom_evaluate(&request->evaluations[index], request->predictors[index], request->trace,
                         loom_params_real(request->call->params, "train"), err);
}

/* ---- results --------------------------------------------------------------------------------- */

static json_t *params_json(const struct loom_predictor *predictor)
{
    json_t *object = json_object();
    const struct loom_param *param = loom_predictor_info(predictor)->params;
    for (; param && param->name && object; param++)
        if (json_object_set_new(object, param->name,
                                json_string(loom_params_text(loom_predictor_params(predictor),
                                                             param->name)))) {
            json_decref(object);
            return NULL;
        }
    return object;
}

static json_t *errors_json(const struct loom_prediction_errors *errors)
{
    return json_pack("{s:I, s:o, s:o, s:o, s:o, s:o, s:o}", "jobs", (json_int_t)errors->jobs,
                     "underestimated_fraction", loom_json_number(errors->underestimated_fraction),
                     "mae_s", loom_json_number(errors->mae_s), "wae_s",
                     loom_json_number(errors->wae_s), "ne", loom_json_number(errors->ne), "bias_s",
                     loom_json_number(errors->bias_s), "interval_80_covered",
                     loom_json_number(errors->covered_fraction));
}

static json_t *predictor_json(const struct request *request, size_t index)
{
    const struct loom_predictor *predictor = request->predictors[index];
    json_t *object =
        json_pack("{s:s, s:o, s:o}", "name", loom_predictor_info(predictor)->name, "text",
                  text_json(request->texts[index]), "params", params_json(predictor));
    if (object && merge_json(object, errors_json(&request->evaluations[index].errors)) == 0)
        return object;
    json_decref(object);
    return NULL;
}

static int print_json(const struct request *request, struct loom_error *err)
{
    const struct loom_read_report *input = loom_trace_report(request->trace);
    const struct loom_evaluation *first = &request->evaluations[0];
    json_t *list = json_array();
    int failed = list == NULL;
    for (size_t i = 0; i < request->n && !failed; i++)
        failed = json_array_append_new(list, predictor_json(request, i));
    char hash[24];
    snprintf(hash, sizeof hash, "%016" PRIx64, input->hash);
    json_t *rest =
        json_pack("{s:o, s:s, s:s, s:f, s:I, s:I, s:I, s:I, s:o}", "file", text_json(input->file),
                  "hash", hash, "select", loom_params_text(request->call->params, "select"),
                  "train", loom_params_real(request->call->params, "train"), "history",
                  (json_int_t)first->history, "left_out", (json_int_t)first->left_out,
                  "waits_unknown", (json_int_t)first->waits_unknown, "requests_unknown",
                  (json_int_t)first->requests_unknown, "predictors", list);
    return print_fields(request->call, rest, failed, err);
}

static int add_row(struct loom_table *table, const char *text,
                   const struct loom_prediction_errors *errors, struct loom_error *err)
{
    int rc = loom_table_cell(table, err, "%s", text);
    if (!rc)
        rc = count_cell(table, errors->jobs, err);
    if (!rc)
        rc = share_cell(table, errors->underestimated_fraction, err);
    if (!rc)
        rc = seconds_cell(table, errors->mae_s, err);
    if (!rc)
        rc = seconds_cell(table, errors->wae_s, err);
    if (!rc)
        rc = number_cell(table, errors->ne, err);
    if (!rc)
        rc = share_cell(table, errors->covered_fraction, err);
    return rc;
}

static int print_errors(const struct request *request, struct loom_error *err)
{
    static const struct table_column columns[] = {
        {"predictor", LOOM_LEFT, LOOM_KEEP},
        {"jobs", LOOM_RIGHT, 5},
        {"too short", LOOM_RIGHT, LOOM_KEEP},
        {"MAE", LOOM_RIGHT, LOOM_KEEP},
        {"WAE", LOOM_RIGHT, 8},
        {"NE", LOOM_RIGHT, 4},
        {"in interval", LOOM_RIGHT, 6},
    };
    struct loom_table *table = NULL;
    int rc = new_table(&table, request->call, err);
    if (!rc)
        rc = add_columns(table, columns, sizeof columns / sizeof *columns, err);
    for (size_t i = 0; i < request->n && !rc; i++)
        rc = add_row(table, request->texts[i], &request->evaluations[i].errors, err);
    if (!rc)
        return print_table(table, err);
    loom_table_destroy(table);
    return rc;
}

static void say_unknown(const struct request *request)
{
    const struct loom_evaluation *first = &request->evaluations[0];
    char jobs[JOBS_SIZE];
    if (first->left_out > 0)
        say(request->call, "left out %s without submit time, runtime or processors",
            jobs_text(first->left_out, jobs, sizeof jobs));
    if (first->waits_unknown > 0)
        say(request->call, "%s without a wait are taken to start when submitted",
            jobs_text(first->waits_unknown, jobs, sizeof jobs));
    if (first->requests_unknown > 0)
        say(request->call, "%s have no requested time; the mean runtime so far takes its place",
            jobs_text(first->requests_unknown, jobs, sizeof jobs));
}

static int predict(const struct invocation *call, struct loom_trace *trace, struct loom_pool *pool,
                   struct loom_error *err)
{
    struct request request = {.call = call, .trace = trace};
    int64_t left_out = 0;
    int rc = take_selection(trace, call, "to predict", &left_out, err);
    if (!rc && loom_params_given(call->params, "tune"))
        return tune_predictor(call, trace, pool, err);
    if (!rc)
        rc = create_predictors(&request, err);
    if (!rc)
        rc = name_trace(loom_pool_for(pool, request.n, evaluate_one, &request, err), trace, err);
    if (!rc)
        rc = loom_params_flag(call->params, "json") ? print_json(&request, err)
                                                    : print_errors(&request, err);
    if (!rc && !loom_params_flag(call->params, "json"))
        say_unknown(&request);
    release_request(&request);
    return rc;
}

/* Wrong predictors are refused before the log is read. */
static int run(const struct invocation *call, struct loom_error *err)
{
    struct request request = {.call = call};
    int rc = check_tuning(call, err);
    if (!rc)
        rc = create_predictors(&request, err);
    release_request(&request);
    return rc ? rc : with_trace(call, predict, err);
}

static const char *const about[] = {
    "A job's runtime is predicted when it is submitted, from the jobs that had ended by then in "
    "the log. 'workloom list predictors' lists predictors, 'workloom help NAME' their parameters.",
    "MAE is the mean absolute error, WAE the same weighted by processors and runtime, NE the sum "
    "of errors over the sum of runtimes, 'in interval' the share of runtimes within the 80 % "
    "interval of a predictor that gives one.",
    NULL,
};

static const struct example examples[] = {
    {"workloom predict log.swf.gz --predictor all", "Compare all predictors."},
    {"workloom predict log.swf.gz --predictor minh2010:template=user+queue,k1=5 --train 0.3",
     "One predictor, with the first 30 % of the jobs as history."},
    {"workloom predict log.swf.gz --tune minh2010 -o trained.json",
     "Train a predictor on the first half of the jobs."},
    {"workloom predict log.swf.gz --predictor trained.json --predictor recent2",
     "Evaluate it on the second half."},
    {NULL, NULL},
};

static const struct loom_param *const params[] = {predict_params, tune_params,
                                                  select_param,   loom_select_params + 1,
                                                  input_params,   table_params,
                                                  common_params,  NULL};

static const char *const headings[] = {
    [0] = "Prediction", [1] = "Training", [2] = "Which jobs",
    [4] = "Input",      [5] = "Output",   [6] = NULL,
};
_Static_assert(sizeof headings / sizeof *headings + 1 == sizeof params / sizeof *params,
               "a heading for each list");

const struct command command_predict = {
    .name = "predict",
    .group = GROUP_SIMULATION,
    .summary = "predict runtimes, and evaluate the predictors",
    .operands = "TRACE",
    .about = about,
    .params = params,
    .headings = headings,
    .examples = examples,
    .min_operands = 1,
    .max_operands = 1,
    .run = run,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workloom predict: predictors of runtimes on a log, and how good they are. */
#include "predict.h"

#include <stdlib.h>
#include <string.h>

static const char *const selections[] = {"ran", "completed", "all", NULL};
/* In the order of enum loom_predicted_by. */
static const char *const classes[] = {"size", "runtime", "request", "user", "queue", "time", NULL};

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
    {.name = "by",
     .type = LOOM_PARAM_CHOICE,
     .choices = classes,
     .metavar = "WHAT",
     .help = "errors by class"},
    {.name = NULL},
};

static const struct loom_param output_files[] = {
    {.name = "csv",
     .type = LOOM_PARAM_TEXT,
     .metavar = "FILE",
     .help = "write one row a predictor, or a class and predictor"},
    REPORT_PARAMS("a page", "table"),
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

static int predict_show(const struct request *request, struct loom_pool *pool,
                        struct loom_error *err)
{
    const struct loom_params *params = request->call->params;
    struct loom_evaluated *of = calloc(request->n, sizeof *of);
    if (!of)
        return loom_fail_memory(err);
    for (size_t i = 0; i < request->n; i++)
        of[i] = (struct loom_evaluated){request->texts[i], request->predictors[i],
                                        &request->evaluations[i]};
    const struct loom_predictions predictions = {
        .trace = request->trace,
        .of = of,
        .n = request->n,
        .train = loom_params_real(params, "train"),
        .by = loom_params_given(params, "by") ? (int)loom_params_choice(params, "by")
                                              : LOOM_NOT_CLASSIFIED,
        .select = loom_params_text(params, "select"),
    };
    int rc = show_predictions(request->call, &predictions, pool, err);
    free(of);
    return rc;
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
        rc = predict_show(&request, pool, err);
    release_request(&request);
    return rc;
}

/* Wrong predictors are refused before the log is read. */
static int predict_run(const struct invocation *call, struct loom_error *err)
{
    struct request request = {.call = call};
    int rc = check_tuning(call, err);
    if (!rc)
        rc = check_prediction_outputs(call, err);
    if (!rc)
        rc = create_predictors(&request, err);
    release_request(&request);
    return rc ? rc : with_trace(call, predict, err);
}

static const char *const about[] = {
    "A job's runtime is predicted when it is submitted, from the jobs that had ended by then in "
    "the log. 'workloom list predictors' lists predictors, 'workloom help NAME' their parameters.",
    "MAE is the mean absolute error, WAE the same weighted by processors and runtime, NE the sum "
    "of errors over the sum of runtimes. 'in interval' is the share of runtimes within the 80 % "
    "interval of a predictor that gives one, 'below' and 'above' the shares outside. --wide adds "
    "the bias (mean of prediction minus runtime), the mean width of intervals and their score.",
    "What the log does not have (requested times, memory, users, queues, executables) is left out "
    "of account, and reported.",
    NULL,
};

static const struct example examples[] = {
    {"workloom predict log.swf.gz --predictor all", "Compare all predictors."},
    {"workloom predict log.swf.gz --predictor recent2 --predictor online --by runtime",
     "Errors by runtime."},
    {"workloom predict log.swf.gz --predictor all --html predict.html",
     "A page: errors, by class and over time, and the calibration of intervals."},
    {"workloom predict log.swf.gz --predictor minh2010:template=user+queue,k1=5 --train 0.3",
     "One predictor, with the first 30 % of the jobs as history."},
    {"workloom predict log.swf.gz --tune minh2010 -o trained.json",
     "Train a predictor on the first half of the jobs."},
    {"workloom predict log.swf.gz --predictor trained.json --predictor recent2",
     "Evaluate it on the second half."},
    {NULL, NULL},
};

static const struct loom_param *const params[] = {
    predict_params, tune_params,   select_param, loom_select_params + 1, input_params, output_files,
    table_params,   common_params, NULL};

static const char *const headings[] = {
    [0] = "Prediction", [1] = "Training", [2] = "Which jobs",
    [4] = "Input",      [5] = "Output",   [7] = NULL,
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
    .run = predict_run,
};

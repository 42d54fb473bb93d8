/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Percentiles and classes of jobs, as a table and as JSON, for simulate. */
#include "simulate_classes.h"
#include "simulate.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const kinds[] = {"size", "runtime", "user", "queue", "bag", NULL};

const struct loom_param class_params[] = {
    {.name = "by",
     .type = LOOM_PARAM_CHOICE,
     .choices = kinds,
     .metavar = "WHAT",
     .help = "also the metrics of each class of jobs: by size (powers of two), runtime, user, "
             "queue, or whether they came in a bag of tasks"},
    {.name = "warm-up",
     .type = LOOM_PARAM_TEXT,
     .metavar = "LENGTH",
     .help = "leave the first jobs out of waits and slowdowns, and the time in which they came out "
             "of the rates of the measured window: so many jobs (1000), or those of so many days "
             "(7d)"},
    {.name = "cool-down",
     .type = LOOM_PARAM_TEXT,
     .metavar = "LENGTH",
     .help = "the same for the last jobs"},
    {.name = "measure-users",
     .type = LOOM_PARAM_TEXT,
     .repeated = true,
     .metavar = "LIST",
     .help = "simulate all jobs, but tell waits and slowdowns of these users alone, given as for "
             "--users: '!rare-*' leaves the rare behaviours of 'workloom resample' out"},
    {.name = NULL},
};

/* "1000" is jobs, "7d" or "0.5d" days. */
static int parse_length(int64_t *jobs, int64_t *time_s, const struct invocation *call,
                        const char *option, struct loom_error *err)
{
    if (!loom_params_given(call->params, option))
        return 0;
    const char *text = loom_params_text(call->params, option);
    char *end = NULL;
    double number = strtod(text, &end);
    bool days = strcmp(end, "d") == 0;
    if (end == text || (*end && !days) || !(number >= 0 && number <= 1e9) ||
        (!days && number != floor(number)))
        return loom_fail(err, LOOM_EUSAGE,
                         "--%s wants a number of jobs (1000) or of days (7d), not '%s'", option,
                         text);
    *(days ? time_s : jobs) = (int64_t)round(days ? number * 86400 : number);
    return 0;
}

static int read_trim(struct loom_sim_trim *out, const struct invocation *call,
                     struct loom_error *err)
{
    *out = (struct loom_sim_trim){0};
    int rc = parse_length(&out->warm_up_jobs, &out->warm_up_s, call, "warm-up", err);
    if (!rc)
        rc = parse_length(&out->cool_down_jobs, &out->cool_down_s, call, "cool-down", err);
    return rc;
}

int check_trim(const struct loom_trace *trace, const struct invocation *call,
               struct loom_error *err)
{
    struct loom_sim_trim trim;
    struct loom_summary summary;
    if (!loom_params_given(call->params, "warm-up") &&
        !loom_params_given(call->params, "cool-down"))
        return 0;
    int rc = read_trim(&trim, call, err);
    if (rc || !trace)
        return rc;
    rc = loom_summarize(&summary, trace, err);
    if (!rc && (trim.warm_up_jobs + trim.cool_down_jobs >= summary.jobs ||
                trim.warm_up_s + trim.cool_down_s > summary.span_s))
        rc = loom_fail(err, LOOM_ERANGE,
                       "warm-up and cool-down leave none of the %" PRId64
                       " jobs, submitted within %.4g %s, to measure; make them shorter",
                       summary.jobs, (double)summary.span_s / (summary.span_s < 86400 ? 1 : 86400),
                       summary.span_s < 86400 ? "s" : "days");
    return rc;
}

/* A selection by users alone. */
static int select_users(uint8_t *keep, const struct loom_trace *trace,
                        const struct invocation *call, struct loom_error *err)
{
    const struct loom_param *const lists[] = {loom_select_params, NULL};
    struct loom_params *params = NULL;
    int rc = loom_params_create(&params, lists, err);
    for (size_t i = 0; i < loom_params_count(call->params, "measure-users") && !rc; i++)
        rc = loom_params_set(params, "users", loom_params_item(call->params, "measure-users", i),
                             err);
    if (!rc)
        rc = loom_select(keep, trace, params, err);
    loom_params_destroy(params);
    return rc;
}

static int measure_users(struct loom_sim *sim, const struct invocation *call,
                         const struct loom_trace *trace, struct loom_error *err)
{
    size_t n = loom_trace_count(trace);
    uint8_t *keep = malloc(n + 1);
    int rc = keep ? select_users(keep, trace, call, err) : loom_fail_memory(err);
    if (!rc)
        rc = loom_sim_measure(sim, keep, n, err);
    free(keep);
    return rc;
}

int apply_trim(struct loom_sim *sim, const struct invocation *call, const struct loom_trace *trace,
               struct loom_error *err)
{
    struct loom_sim_trim trim;
    int rc = read_trim(&trim, call, err);
    if (!rc)
        rc = loom_sim_trim(sim, &trim, err);
    if (!rc && loom_params_given(call->params, "measure-users"))
        rc = measure_users(sim, call, trace, err);
    return rc;
}

static int create_classes(struct loom_sim_classes **out, const struct invocation *call,
                          const struct loom_sim *sim, const struct loom_trace *trace,
                          struct loom_error *err)
{
    enum loom_class_kind kind = (enum loom_class_kind)loom_params_choice(call->params, "by");
    return loom_sim_classes_create(out, sim, trace, kind, err);
}

/* ---- the table ------------------------------------------------------------------------------- */

static int add_columns(struct loom_table *table, const char *first, struct loom_error *err)
{
    const char *const titles[] = {
        first, "jobs", "wait, mean s", "wait, median s", "bounded slowdown, mean", "jobs a day"};
    int rc = 0;
    for (size_t i = 0; i < sizeof titles / sizeof *titles && !rc; i++)
        rc = loom_table_column(table, titles[i], i ? LOOM_RIGHT : LOOM_LEFT, err);
    return rc;
}

static int add_value(struct loom_table *table, double value, struct loom_error *err)
{
    return loom_table_cell(table, err, fabs(value) >= 100 ? "%.0f" : "%.4g", value);
}

static int add_class(struct loom_table *table, const struct loom_sim_classes *classes, size_t at,
                     const struct loom_trace *trace, struct loom_error *err)
{
    const struct loom_sim_class *class = &classes->classes[at];
    char text[80];
    int rc = loom_table_cell(table, err, "%s",
                             loom_sim_class_text(classes, at, trace, text, sizeof text));
    if (!rc)
        rc = loom_table_cell(table, err, "%" PRId64, class->jobs);
    if (!rc)
        rc = add_value(table, class->wait_mean_s, err);
    if (!rc)
        rc = add_value(table, class->wait_median_s, err);
    if (!rc)
        rc = add_value(table, class->bounded_slowdown_mean, err);
    return rc ? rc : add_value(table, class->throughput_jobs_per_day, err);
}

int print_classes(const struct invocation *call, const struct loom_sim *sim,
                  const struct loom_trace *trace, struct loom_error *err)
{
    struct loom_sim_classes *classes = NULL;
    struct loom_table *table = NULL;
    if (!loom_params_given(call->params, "by"))
        return 0;
    int rc = create_classes(&classes, call, sim, trace, err);
    if (!rc)
        rc = loom_table_create(&table, err);
    if (!rc)
        rc = add_columns(table, loom_class_kind_name(classes->kind), err);
    for (size_t i = 0; !rc && i < classes->count; i++)
        rc = add_class(table, classes, i, trace, err);
    if (!rc)
        say(call, "fairness over classes (Jain's index of mean bounded slowdown): %.4g",
            classes->fairness);
    loom_sim_classes_destroy(classes);
    if (!rc)
        return print_next_table(table, err);
    loom_table_destroy(table);
    return rc;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *class_json(const struct loom_sim_classes *classes, size_t at,
                          const struct loom_trace *trace)
{
    const struct loom_sim_class *class = &classes->classes[at];
    char text[80];
    loom_sim_class_text(classes, at, trace, text, sizeof text);
    return json_pack("{s:o, s:I, s:o, s:I, s:o, s:o, s:o, s:o}", "class", text_json(text), "from",
                     (json_int_t) class->from, "to",
                     class->to == INT64_MAX ? json_null() : json_integer(class->to), "jobs",
                     (json_int_t) class->jobs, "wait_mean_s", loom_json_number(class->wait_mean_s),
                     "wait_median_s", loom_json_number(class->wait_median_s),
                     "bounded_slowdown_mean", loom_json_number(class->bounded_slowdown_mean),
                     "throughput_jobs_per_day", loom_json_number(class->throughput_jobs_per_day));
}

static json_t *classes_json(const struct loom_sim_classes *classes, const struct loom_trace *trace)
{
    json_t *list = json_array();
    int failed = !list;
    for (size_t i = 0; !failed && i < classes->count; i++)
        failed = json_array_append_new(list, class_json(classes, i, trace));
    if (!failed)
        return json_pack("{s:s, s:o, s:o}", "by", loom_class_kind_name(classes->kind), "fairness",
                         loom_json_number(classes->fairness), "list", list);
    json_decref(list);
    return NULL;
}

json_t *users_json(const struct loom_sim *sim, const struct loom_trace *trace)
{
    struct loom_sim_classes *users = NULL;
    json_t *object = loom_sim_classes_create(&users, sim, NULL, LOOM_CLASS_USER, NULL)
                         ? NULL
                         : classes_json(users, trace);
    loom_sim_classes_destroy(users);
    return object;
}

json_t *percentiles_json(const double values[LOOM_N_PERCENTS])
{
    static const int percents[LOOM_N_PERCENTS] = LOOM_PERCENTS;
    json_t *object = json_object();
    int failed = 0;
    for (size_t i = 0; i < LOOM_N_PERCENTS; i++) {
        char key[12];
        snprintf(key, sizeof key, "%d", percents[i]);
        failed |= json_object_set_new(object, key, loom_json_number(values[i]));
    }
    if (!failed)
        return object;
    json_decref(object);
    return NULL;
}

json_t *metrics_percentiles_json(const struct loom_sim_metrics *metrics)
{
    return json_pack("{s:o, s:o}", "wait_s", percentiles_json(metrics->wait_percentile_s),
                     "bounded_slowdown", percentiles_json(metrics->bounded_slowdown_percentile));
}

/* Outstanding jobs week by week: what saturation is judged by. */
json_t *weeks_json(const struct loom_sim *sim)
{
    int64_t *weeks = NULL;
    size_t n;
    json_t *list = json_array();
    int failed = loom_sim_outstanding(&weeks, &n, sim, NULL);
    for (size_t w = 0; !failed && w < n; w++)
        failed = json_array_append_new(list, json_integer(weeks[w]));
    free(weeks);
    if (!failed)
        return list;
    json_decref(list);
    return NULL;
}

int add_classes_json(struct json_t *document, const struct invocation *call,
                     const struct loom_sim *sim, const struct loom_trace *trace,
                     struct loom_error *err)
{
    struct loom_sim_classes *classes = NULL;
    if (!loom_params_given(call->params, "by"))
        return 0;
    int rc = create_classes(&classes, call, sim, trace, err);
    if (!rc && json_object_set_new(document, "classes", classes_json(classes, trace)))
        rc = loom_fail_memory(err);
    loom_sim_classes_destroy(classes);
    return rc;
}

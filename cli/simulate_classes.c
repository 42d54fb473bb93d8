/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Percentiles and classes of jobs, as a table and as JSON, for simulate. */
#include "simulate_classes.h"
#include "simulate.h"
#include "simulate_load.h"
#include "simulate_users.h"

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
     .help = "metrics by"},
    {.name = "warm-up",
     .type = LOOM_PARAM_TEXT,
     .metavar = "LENGTH",
     .help = "leave out the first jobs (1000) or days (7d)"},
    {.name = "cool-down",
     .type = LOOM_PARAM_TEXT,
     .metavar = "LENGTH",
     .help = "same for the last jobs"},
    {.name = "measure-users",
     .type = LOOM_PARAM_TEXT,
     .repeated = true,
     .metavar = "LIST",
     .help = "metrics of these users, as for --users"},
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
    char span[LOOM_DURATION];
    if (!loom_params_given(call->params, "warm-up") &&
        !loom_params_given(call->params, "cool-down"))
        return 0;
    int rc = read_trim(&trim, call, err);
    if (rc || !trace)
        return rc;
    rc = loom_summarize(&summary, trace, err);
    if (!rc && (trim.warm_up_jobs + trim.cool_down_jobs >= summary.jobs ||
                trim.warm_up_s + trim.cool_down_s > summary.span_s))
        rc = loom_fail_at(err, LOOM_ERANGE, loom_trace_report(trace)->file, 0, 0,
                          "warm-up and cool-down leave none of the %" PRId64
                          " jobs, submitted within %s, to measure; make them shorter",
                          summary.jobs,
                          loom_duration_text((double)summary.span_s, span, sizeof span));
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

/* Bags are found in the log as it is, so that they are the same jobs at any load. */
static int create_classes(struct loom_sim_classes **out, const struct simulation *of,
                          struct loom_error *err)
{
    enum loom_class_kind kind = (enum loom_class_kind)loom_params_choice(of->call->params, "by");
    return loom_sim_classes_create(out, of->sim, of->before ? of->before : of->trace, kind, err);
}

/* ---- tables ---------------------------------------------------------------------------------- */

static const char *const class_titles[] = {"jobs", "wait, mean s", "wait, median s",
                                           "bounded slowdown, mean", "jobs a day"};

static int add_titles(struct loom_table *table, struct loom_error *err)
{
    int rc = 0;
    for (size_t i = 0; i < sizeof class_titles / sizeof *class_titles && !rc; i++)
        rc = loom_table_column(table, class_titles[i], LOOM_RIGHT, err);
    return rc;
}

/* Users of a population are not those of the log, and have no names there. */
static int add_class(struct loom_table *table, const struct simulation *of,
                     const struct loom_sim_classes *classes, size_t at, struct loom_error *err)
{
    const struct loom_sim_class *class = &classes->classes[at];
    const double numbers[] = {(double)class->jobs, class->wait_mean_s, class->wait_median_s,
                              class->bounded_slowdown_mean, class->throughput_jobs_per_day};
    const struct loom_trace *names = has_new_users(of) ? NULL : of->trace;
    char text[80];
    int rc = loom_table_cell(table, err, "%s",
                             loom_sim_class_text(classes, at, names, text, sizeof text));
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers && !rc; i++)
        rc = add_number(table, numbers[i], err);
    return rc;
}

/* Which run it is must be told of several only. */
static int add_run_classes(struct loom_table *table, const struct simulation *of, bool named,
                           struct loom_error *err)
{
    int rc = 0;
    for (size_t i = 0; !rc && i < of->classes->count; i++) {
        if (named)
            rc = loom_table_cell(table, err, "%s", of->policy);
        if (!rc && named)
            rc = add_number(table, load_offered(of), err);
        if (!rc)
            rc = add_class(table, of, of->classes, i, err);
    }
    return rc;
}

static int fill_classes(struct loom_table *table, const struct simulation *runs, size_t n,
                        struct loom_error *err)
{
    int rc = n == 1 ? 0 : loom_table_column(table, "scheduler", LOOM_LEFT, err);
    if (!rc && n > 1)
        rc = loom_table_column(table, "load", LOOM_RIGHT, err);
    if (!rc)
        rc = loom_table_column(table, loom_class_kind_name(runs->classes->kind), LOOM_LEFT, err);
    if (!rc)
        rc = add_titles(table, err);
    for (size_t i = 0; !rc && i < n; i++)
        rc = add_run_classes(table, &runs[i], n > 1, err);
    return rc;
}

int keep_classes(struct simulation *of, struct loom_error *err)
{
    return loom_params_given(of->call->params, "by") ? create_classes(&of->classes, of, err) : 0;
}

int class_table(struct loom_table **out, const struct simulation *runs, size_t n,
                struct loom_error *err)
{
    struct loom_table *table = NULL;
    int rc = loom_table_create(&table, err);
    if (!rc)
        rc = fill_classes(table, runs, n, err);
    if (rc)
        loom_table_destroy(table);
    *out = rc ? NULL : table;
    return rc;
}

static const char fairness_meaning[] =
    "1 if all have the same mean bounded slowdown, 1/n if one of n alone suffers (Jain's index)";

static int fill_fairness(struct loom_table *table, const struct simulation *runs, size_t n,
                         struct loom_error *err)
{
    int rc = loom_table_column(table, "scheduler", LOOM_LEFT, err);
    if (!rc)
        rc = loom_table_column(table, "load", LOOM_RIGHT, err);
    if (!rc)
        rc = loom_table_column(table, "fairness over classes", LOOM_RIGHT, err);
    for (size_t i = 0; !rc && i < n; i++) {
        rc = loom_table_cell(table, err, "%s", runs[i].policy);
        if (!rc)
            rc = add_number(table, load_offered(&runs[i]), err);
        if (!rc)
            rc = add_number(table, runs[i].classes->fairness, err);
    }
    return rc;
}

static int print_fairness(const struct simulation *runs, size_t n, struct loom_error *err)
{
    struct loom_table *table = NULL;
    int rc = loom_table_create(&table, err);
    if (!rc)
        rc = fill_fairness(table, runs, n, err);
    if (rc) {
        loom_table_destroy(table);
        return rc;
    }
    rc = print_next_table(table, err);
    if (rc)
        return rc;
    if (isnan(runs->classes->fairness))
        say(runs->call, "there is no fairness over classes: no job tells its %s",
            loom_class_kind_name(runs->classes->kind));
    else
        say(runs->call, "fairness is %s", fairness_meaning);
    return 0;
}

int print_classes(const struct simulation *runs, size_t n, struct loom_error *err)
{
    struct loom_table *table = NULL;
    if (n == 0 || !runs->classes)
        return 0;
    int rc = class_table(&table, runs, n, err);
    if (!rc)
        rc = print_next_table(table, err);
    return rc ? rc : print_fairness(runs, n, err);
}

/* ---- users ----------------------------------------------------------------------------------- */

static int ascending(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* The jobs a day of known users, ascending; how many. */
static size_t rank_rates(double *rates, const struct loom_sim_classes *users)
{
    size_t n = 0;
    for (size_t i = 0; i < users->count; i++)
        if (users->classes[i].from >= 0)
            rates[n++] = users->classes[i].throughput_jobs_per_day;
    qsort(rates, n, sizeof *rates, ascending);
    return n;
}

static int add_rates(struct loom_table *table, const struct loom_sim_classes *users,
                     struct loom_error *err)
{
    double *rates = malloc((users->count + 1) * sizeof *rates);
    if (!rates)
        return loom_fail_memory(err);
    size_t n = rank_rates(rates, users);
    const struct result rows[] = {
        {NULL, "users", "", (double)n},
        {NULL, "throughput of a user, median", "jobs a day",
         n ? (rates[(n - 1) / 2] + rates[n / 2]) / 2 : 0},
        {NULL, "throughput of a user, most", "jobs a day", n ? rates[n - 1] : 0},
        {NULL, "fairness over users", fairness_meaning, users->fairness},
    };
    int rc = 0;
    for (size_t i = 0; n > 0 && i < sizeof rows / sizeof *rows && !rc; i++)
        rc = add_result_row(table, &rows[i], err);
    free(rates);
    return rc;
}

int add_user_rows(struct loom_table *table, const struct simulation *of, struct loom_error *err)
{
    struct loom_sim_classes *users = NULL;
    int rc = loom_sim_classes_create(&users, of->sim, NULL, LOOM_CLASS_USER, err);
    if (!rc)
        rc = add_rates(table, users, err);
    loom_sim_classes_destroy(users);
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

int add_classes_json(struct json_t *document, const struct simulation *of, struct loom_error *err)
{
    struct loom_sim_classes *classes = NULL;
    if (!loom_params_given(of->call->params, "by"))
        return 0;
    int rc = create_classes(&classes, of, err);
    if (!rc && json_object_set_new(document, "classes", classes_json(classes, of->trace)))
        rc = loom_fail_memory(err);
    loom_sim_classes_destroy(classes);
    return rc;
}

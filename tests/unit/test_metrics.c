/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The metric dictionary, and that JSON and CSV have what it says, where it says. */
#include "outputs.h"
#include "scenarios.h"

#include "experiment/outcome.h"

#include <workloom/report.h>

#include <jansson.h>

/* ---- the dictionary -------------------------------------------------------------------------- */

static const char *const units[] = {"",      "s",        "share",     "yes/no",
                                    "jobs",  "jobs/day", "jobs/week", "processors",
                                    "users", "sessions", "weeks",     "times"};

static bool known_unit(const char *unit)
{
    for (size_t i = 0; i < COUNT(units); i++)
        if (strcmp(units[i], unit) == 0)
            return true;
    return false;
}

/* Letters, digits and '_', beginning with a letter: a column of a database. */
static bool is_key(const char *key)
{
    return *key >= 'a' && *key <= 'z' &&
           key[strspn(key, "abcdefghijklmnopqrstuvwxyz0123456789_")] == 0;
}

static void test_entries(void **state)
{
    const struct loom_metric *metric;
    size_t n = 0, in_group[LOOM_METRIC_GROUPS] = {0};
    (void)state;
    for (; (metric = loom_metric_at(n)); n++) {
        if (!is_key(metric->key) || !*metric->label || !*metric->path || !*metric->meaning ||
            !known_unit(metric->unit))
            fail_msg("%s, %s, %s, %s, %s", metric->key, metric->label, metric->unit, metric->path,
                     metric->meaning);
        assert_true((int)metric->group < (int)LOOM_METRIC_GROUPS);
        assert_true(metric->better <= LOOM_BETTER_HIGHER);
        assert_ptr_equal(loom_metric_find(metric->key), metric);
        in_group[metric->group]++;
    }
    assert_true(n > 80);
    for (size_t group = 0; group < LOOM_METRIC_GROUPS; group++)
        assert_true(in_group[group] > 0);
    assert_null(loom_metric_at(n + 1));
    assert_null(loom_metric_at(SIZE_MAX));
}

/* What a name says about its unit is so. */
static void test_units_of_keys(void **state)
{
    const struct loom_metric *metric;
    (void)state;
    for (size_t i = 0; (metric = loom_metric_at(i)); i++) {
        size_t length = strlen(metric->key);
        bool in_seconds = length > 2 && strcmp(metric->key + length - 2, "_s") == 0;
        assert_int_equal(in_seconds, strcmp(metric->unit, "s") == 0);
        assert_int_equal(strstr(metric->key, "utilization") || strstr(metric->key, "_fraction"),
                         strcmp(metric->unit, "share") == 0);
        if (strstr(metric->key, "_per_day"))
            assert_string_equal(metric->unit, "jobs/day");
        if (strstr(metric->key, "_per_week"))
            assert_string_equal(metric->unit, "jobs/week");
    }
}

/* Keys and paths name one metric each, and no path leads through the value of another. */
static void test_unique(void **state)
{
    const struct loom_metric *a, *b;
    (void)state;
    for (size_t i = 0; (a = loom_metric_at(i)); i++)
        for (size_t k = 0; (b = loom_metric_at(k)); k++) {
            size_t length = strlen(a->path);
            if (i == k)
                continue;
            assert_string_not_equal(a->key, b->key);
            assert_string_not_equal(a->path, b->path);
            assert_false(strncmp(a->path, b->path, length) == 0 && b->path[length] == '.');
        }
}

static void test_unknown_keys(void **state)
{
    static const char *const keys[] = {"", "wait", "wait_mean_s ", "Jobs", "wait_mean_s.x"};
    struct loom_trace *trace = user_log(20);
    const struct loom_scenario scenario = scenario_of(trace);
    struct loom_outcome *outcome = must_succeed(&scenario, NULL);
    (void)state;
    for (size_t i = 0; i < COUNT(keys); i++) {
        assert_null(loom_metric_find(keys[i]));
        assert_true(isnan(loom_outcome_value(outcome, keys[i])));
    }
    loom_outcome_destroy(outcome);
    loom_trace_destroy(trace);
}

static void test_groups(void **state)
{
    (void)state;
    assert_string_equal(loom_metric_group_name(LOOM_METRICS_SERVICE), "service");
    assert_string_equal(loom_metric_group_name(LOOM_METRICS_MACHINE), "machine");
    assert_string_equal(loom_metric_group_name(LOOM_METRICS_WINDOW), "window");
    assert_string_equal(loom_metric_group_name(LOOM_METRICS_COUNTS), "counts");
    assert_string_equal(loom_metric_group_name(LOOM_METRICS_USERS), "users");
    assert_string_equal(loom_metric_group_name(LOOM_METRICS_GRID), "grid");
    assert_string_equal(loom_metric_group_name(LOOM_METRICS_PREDICTION), "prediction");
    assert_string_equal(loom_metric_group_name(LOOM_METRICS_WAITS), "waits");
}

/* ---- one run of each kind -------------------------------------------------------------------- */

enum { PLAIN, USERS, GRID, PREDICTED, WAITS, KINDS };

struct runs {
    struct stock stock;
    struct loom_outcome *of[KINDS];
};

static void open_runs(struct runs *runs)
{
    open_stock(&runs->stock);
    for (int kind = 0; kind < KINDS; kind++) {
        struct loom_scenario scenario = scenario_of(runs->stock.log);
        scenario.users = kind == USERS ? &runs->stock.fluid : NULL;
        scenario.system = kind == GRID ? runs->stock.grid.system : NULL;
        scenario.predictor = kind == PREDICTED ? "recent2" : NULL;
        scenario.predict_waits = kind == WAITS;
        scenario.load = kind == PLAIN ? 0.7 : 0;
        scenario.by = LOOM_CLASS_USER;
        scenario.keep |= LOOM_KEEP_SERIES;
        scenario.replication = 3;
        runs->of[kind] = must_succeed(&scenario, NULL);
    }
}

static void close_runs(struct runs *runs)
{
    for (int kind = 0; kind < KINDS; kind++)
        loom_outcome_destroy(runs->of[kind]);
    close_stock(&runs->stock);
}

static void test_has(void **state)
{
    struct runs runs;
    const struct loom_metric *metric;
    (void)state;
    open_runs(&runs);
    for (int kind = 0; kind < KINDS; kind++) {
        for (int group = 0; group < LOOM_METRICS_USERS; group++)
            assert_true(loom_outcome_has(runs.of[kind], (enum loom_metric_group)group));
        assert_int_equal(loom_outcome_has(runs.of[kind], LOOM_METRICS_USERS), kind == USERS);
        assert_int_equal(loom_outcome_has(runs.of[kind], LOOM_METRICS_GRID), kind == GRID);
        assert_int_equal(loom_outcome_has(runs.of[kind], LOOM_METRICS_PREDICTION),
                         kind == PREDICTED);
        assert_int_equal(loom_outcome_has(runs.of[kind], LOOM_METRICS_WAITS), kind == WAITS);
        for (size_t i = 0; (metric = loom_metric_at(i)); i++)
            if (!loom_outcome_has(runs.of[kind], metric->group))
                assert_true(isnan(loom_outcome_metric(runs.of[kind], metric)));
    }
    assert_true(loom_outcome_value(runs.of[PLAIN], "jobs") == 294);
    assert_true(loom_outcome_value(runs.of[USERS], "users_count") == LOG_USERS);
    assert_true(loom_outcome_value(runs.of[GRID], "local_jobs") >= 245);
    close_runs(&runs);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

/* The value at a path of keys joined by '.', or NULL. */
static const json_t *value_at(const json_t *object, const char *path)
{
    while (object) {
        size_t length = strcspn(path, ".");
        object = json_object_getn(object, path, length);
        if (!path[length])
            return object;
        path += length + 1;
    }
    return NULL;
}

static void assert_json_value(const json_t *document, const struct loom_metric *metric,
                              double wanted)
{
    const json_t *value = value_at(document, metric->path);
    if (!value)
        fail_msg("there is nothing at %s", metric->path);
    if (isnan(wanted))
        assert_true(json_is_null(value));
    else if (strcmp(metric->unit, "yes/no") == 0)
        assert_true(json_is_boolean(value) && json_is_true(value) == (wanted > 0));
    else if (!json_is_number(value) || json_number_value(value) != wanted)
        fail_msg("%s is not %.17g", metric->path, wanted);
}

static void test_json(void **state)
{
    struct runs runs;
    const struct loom_metric *metric;
    (void)state;
    open_runs(&runs);
    for (int kind = 0; kind < KINDS; kind++) {
        json_t *document = loom_outcome_json(runs.of[kind], runs.stock.log);
        assert_non_null(document);
        for (size_t i = 0; (metric = loom_metric_at(i)); i++)
            if (loom_outcome_has(runs.of[kind], metric->group))
                assert_json_value(document, metric, loom_outcome_metric(runs.of[kind], metric));
            else
                assert_null(value_at(document, metric->path));
        assert_string_equal(json_string_value(value_at(document, "scheduler")), "easy");
        assert_int_equal(value_at(document, "load.asked") != NULL, kind == PLAIN);
        assert_int_equal(value_at(document, "clusters") != NULL, kind == GRID);
        assert_string_equal(json_string_value(value_at(document, "classes.by")), "user");
        assert_int_equal(json_array_size(value_at(document, "classes.list")), LOG_USERS);
        assert_int_equal(json_array_size(value_at(document, "over_time.queue_mean")),
                         loom_outcome_series(runs.of[kind])->count);
        json_decref(document);
    }
    close_runs(&runs);
}

/* Values that are written down twice are the same, and what is no metric is there too. */
static void test_json_beside_metrics(void **state)
{
    struct runs runs;
    (void)state;
    open_runs(&runs);
    json_t *plain = loom_outcome_json(runs.of[PLAIN], NULL);
    json_t *people = loom_outcome_json(runs.of[USERS], NULL);
    json_t *grid = loom_outcome_json(runs.of[GRID], NULL);
    assert_true(
        json_equal(value_at(plain, "wait_median_s"), value_at(plain, "percentiles.wait_s.50")));
    assert_true(json_equal(value_at(plain, "fairness"), value_at(plain, "users.fairness")));
    assert_true(json_number_value(value_at(plain, "load.after")) ==
                loom_outcome_load(runs.of[PLAIN])->after);
    assert_string_equal(json_string_value(value_at(people, "people.feedback")), "fluid");
    assert_string_equal(json_string_value(value_at(people, "people.population")), "log");
    assert_int_equal(json_integer_value(value_at(people, "people.replication")), 3);
    assert_int_equal(json_array_size(value_at(grid, "clusters")), 3);
    const json_t *first = json_array_get(value_at(grid, "clusters"), 0);
    assert_string_equal(json_string_value(value_at(first, "background.file")),
                        runs.stock.grid.scratch.file);
    assert_int_equal(json_integer_value(value_at(first, "local.jobs")), 245);
    assert_true(
        json_is_null(value_at(json_array_get(value_at(grid, "clusters"), 2), "background")));
    json_decref(plain);
    json_decref(people);
    json_decref(grid);
    close_runs(&runs);
}

/* ---- CSV ------------------------------------------------------------------------------------- */

/* The text of these runs as CSV; the caller must free it. */
static char *csv_of(struct fixture *f, struct loom_outcome *const *outcomes, size_t n,
                    const char *trace, const char *source)
{
    struct loom_output *out = open_output(f, at(f, "runs.csv"));
    assert_int_equal(loom_outcomes_csv(out, (const struct loom_outcome *const *)outcomes, n, trace,
                                       source, &f->err),
                     0);
    assert_int_equal(loom_output_commit(out, &f->err), 0);
    loom_output_destroy(out);
    return load(at(f, "runs.csv"));
}

/* Cut off the first field, quoted or not, and leave it in buf without quotes. The last of a line
 * ends with '\n', which stays. */
static const char *next_field(const char *text, char *buf, size_t size)
{
    size_t length = 0;
    bool quoted = *text == '"';
    text += quoted;
    for (; *text; text++) {
        if (quoted && text[0] == '"' && text[1] != '"') {
            quoted = false;
            continue;
        }
        if (!quoted && (*text == ',' || *text == '\n'))
            break;
        text += quoted && *text == '"'; /* the second of two */
        assert_true(length + 1 < size);
        buf[length++] = *text;
    }
    buf[length] = 0;
    return *text == ',' ? text + 1 : text;
}

/* Flags of the groups that a run has. */
static unsigned groups_of(const struct loom_outcome *outcome)
{
    unsigned groups = 0;
    for (unsigned i = 0; i < LOOM_METRIC_GROUPS; i++)
        groups |= (unsigned)loom_outcome_has(outcome, (enum loom_metric_group)i) << i;
    return groups;
}

/* The header: what identifies a run, then the keys of these groups. Returns the line behind it. */
static const char *assert_titles(const char *text, unsigned groups)
{
    static const char *const first[] = {"trace", "source",      "scheduler",
                                        "load",  "replication", "seed"};
    const struct loom_metric *metric;
    char field[200];
    for (size_t i = 0; i < COUNT(first); i++) {
        text = next_field(text, field, sizeof field);
        assert_string_equal(field, first[i]);
    }
    for (size_t i = 0; (metric = loom_metric_at(i)); i++) {
        if (!(groups & 1u << metric->group))
            continue;
        text = next_field(text, field, sizeof field);
        assert_string_equal(field, metric->key);
    }
    assert_int_equal(*text, '\n');
    return text + 1;
}

/* A row: its first fields, then the values to the last bit. Returns the line behind it. */
static const char *assert_values(const char *text, const struct loom_outcome *outcome,
                                 unsigned groups, const char *const first[5])
{
    const struct loom_metric *metric;
    char field[200], *end;
    for (size_t i = 0; i < 5; i++) {
        text = next_field(text, field, sizeof field);
        assert_string_equal(field, first[i]);
    }
    text = next_field(text, field, sizeof field);
    assert_int_equal(strtoull(field, &end, 10), loom_outcome_seed(outcome));
    for (size_t i = 0; (metric = loom_metric_at(i)); i++) {
        double wanted = loom_outcome_metric(outcome, metric);
        if (!(groups & 1u << metric->group))
            continue;
        text = next_field(text, field, sizeof field);
        if (isnan(wanted)) {
            assert_string_equal(field, "");
            continue;
        }
        if (strtod(field, &end) != wanted || *end)
            fail_msg("%s is %s, not %.17g", metric->key, field, wanted);
    }
    assert_int_equal(*text, '\n');
    return text + 1;
}

static void test_csv_of_one_kind(void **state)
{
    struct fixture *f = *state;
    struct runs runs;
    open_runs(&runs);
    for (int kind = 0; kind < KINDS; kind++) {
        const char *const first[] = {"log.swf", "log", "easy", kind == PLAIN ? "0.7" : "", "3"};
        char *text = csv_of(f, &runs.of[kind], 1, "log.swf", "log");
        const char *rows = assert_titles(text, groups_of(runs.of[kind]));
        rows = assert_values(rows, runs.of[kind], groups_of(runs.of[kind]), first);
        assert_string_equal(rows, "");
        free(text);
    }
    close_runs(&runs);
}

/* Runs of all kinds: each has all columns, and empty fields for what it does not have. */
static void test_csv_of_all_kinds(void **state)
{
    struct fixture *f = *state;
    struct runs runs;
    open_runs(&runs);
    char *text = csv_of(f, runs.of, KINDS, "a, \"b\".swf", "line\nend");
    const char *rows = assert_titles(text, ~0u);
    assert_int_equal(strncmp(rows, "\"a, \"\"b\"\".swf\",\"line\nend\",easy,0.7,3,", 37), 0);
    for (int kind = 0; kind < KINDS; kind++) {
        const char *const first[] = {"a, \"b\".swf", "line\nend", "easy",
                                     kind == PLAIN ? "0.7" : "", "3"};
        rows = assert_values(rows, runs.of[kind], ~0u, first);
    }
    assert_string_equal(rows, "");
    free(text);
    close_runs(&runs);
}

/* A policy with parameters has commas; no runs have a header of what every run has. */
static void test_csv_quotes(void **state)
{
    struct fixture *f = *state;
    struct loom_trace *trace = user_log(30);
    struct loom_scenario scenario = scenario_of(trace);
    scenario.policy = "relaxed:order=sjf,slack=2";
    struct loom_outcome *outcome = must_succeed(&scenario, NULL);
    char *text = csv_of(f, &outcome, 1, "", "");
    assert_non_null(strstr(text, "\n,,\"relaxed:order=sjf,slack=2\",,0,"));
    free(text);

    /* No number of a run is infinite; if one were, its field would be empty and not be -1. */
    outcome->metrics.wait_mean_s = (double)INFINITY;
    text = csv_of(f, &outcome, 1, "", "");
    assert_non_null(strstr(text, "slack=2\",,0,1,30,30,,0,"));
    free(text);
    text = csv_of(f, &outcome, 0, "log", "log");
    assert_non_null(strchr(text, '\n'));
    assert_int_equal(strchr(text, '\n')[1], 0);
    free(text);
    loom_outcome_destroy(outcome);
    loom_trace_destroy(trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_entries),    cmocka_unit_test(test_units_of_keys),
        cmocka_unit_test(test_unique),     cmocka_unit_test(test_unknown_keys),
        cmocka_unit_test(test_groups),     cmocka_unit_test(test_has),
        cmocka_unit_test(test_json),       cmocka_unit_test(test_json_beside_metrics),
        OUTPUT_TEST(test_csv_of_one_kind), OUTPUT_TEST(test_csv_of_all_kinds),
        OUTPUT_TEST(test_csv_quotes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

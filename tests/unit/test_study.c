/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Studies through the library: the database they fill, read back; rounds, stops and merges. */
#include "scenarios.h"

#include "experiment/plan.h"
#include "experiment/tool.h"

#include <stdio.h>
#include <unistd.h>

static struct scratch scratch;
static char log_path[128];

static int open_files(void **state)
{
    *state = &scratch;
    if (scratch_open(&scratch, "log.swf"))
        return -1;
    struct loom_trace *trace = user_log(400);
    snprintf(log_path, sizeof log_path, "%s", scratch.file);
    must_write(trace, log_path);
    loom_trace_destroy(trace);
    return 0;
}

/* The path of a database. Returns buf. */
static const char *db_path(char buf[128], const char *name)
{
    snprintf(buf, 128, "%s/%s.db", scratch.directory, name);
    return buf;
}

/* EASY and FCFS at two loads on six variants of the log. */
static struct loom_plan *small_plan(const char *extra)
{
    struct loom_plan *plan = NULL;
    struct loom_error err = {0};
    int rc = loom_plan_create(&plan, &err);
    const char *words[][2] = {{"trace", log_path},   {"resample", NULL},  {"scheduler", "easy"},
                              {"scheduler", "fcfs"}, {"load", "0.5,0.8"}, {"replications", "6"}};
    for (size_t i = 0; i < COUNT(words) && !rc; i++)
        rc = loom_plan_set(plan, words[i][0], words[i][1], &err);
    if (!rc && extra)
        rc = loom_plan_set(plan, "scheduler", extra, &err);
    if (!rc)
        rc = loom_plan_load(plan, NULL, &err);
    if (rc)
        fail_msg("%s", err.message);
    return plan;
}

static struct loom_study_report must_run(const struct loom_plan *plan,
                                         const struct loom_study_options *options)
{
    struct loom_study_report report;
    struct loom_error err = {0};
    if (loom_study_run(&report, plan, options, &err))
        fail_msg("%s", err.message);
    return report;
}

static struct loom_store *must_open(const char *path)
{
    struct loom_store *store = NULL;
    struct loom_error err = {0};
    if (loom_store_open(&store, path, &err))
        fail_msg("%s", err.message);
    return store;
}

/* ---- reading back ---------------------------------------------------------------------------- */

/* Every number in the database is what the scenario gives, alone. */
static void test_values_are_those_of_scenarios(void **state)
{
    char path[128];
    struct loom_plan *plan = small_plan(NULL);
    const struct loom_study_options options = {.db = db_path(path, "values"), .command = "test"};
    struct loom_study_report report = must_run(plan, &options);
    struct loom_error err = {0};
    (void)state;
    assert_int_equal(report.progress.done, 24);
    assert_int_equal(report.progress.failed, 0);
    struct loom_store *store = must_open(path);
    assert_int_equal(loom_store_cells(store), 4);
    for (size_t cell = 0; cell < 4; cell++) {
        double *values;
        int64_t *replications;
        size_t n;
        assert_int_equal(loom_store_values(&values, &replications, &n, store, cell,
                                           "bounded_slowdown_mean", &err),
                         0);
        assert_int_equal(n, 6);
        for (size_t i = 0; i < n; i++) {
            struct loom_scenario scenario;
            assert_true(loom_plan_scenario(plan, cell, (int64_t)i, &scenario));
            struct loom_outcome *outcome = must_succeed(&scenario, NULL);
            assert_int_equal(replications[i], i);
            assert_true(values[i] == loom_outcome_value(outcome, "bounded_slowdown_mean"));
            loom_outcome_destroy(outcome);
        }
        free(values);
        free(replications);
    }
    assert_string_equal(loom_store_cell(store, 1)->scheduler, "easy");
    assert_string_equal(loom_store_cell(store, 1)->source, "resampled");
    assert_string_equal(loom_store_cell(store, 1)->trace, "log");
    assert_true(loom_store_cell(store, 1)->load == 0.8);
    assert_string_equal(loom_store_origin(store, "command"), "test");
    assert_non_null(strstr(loom_store_plan(store, "text"), "scheduler: ['easy', 'fcfs']"));
    loom_store_close(store);
    loom_plan_destroy(plan);
}

/* Rows of the view as one text, to compare databases by. */
struct rows {
    char *text;
    size_t size, n;
    FILE *to;
};

static int add_row(void *context, int64_t row, size_t n, const char *const *values,
                   const bool *is_text, struct loom_error *err)
{
    struct rows *rows = context;
    (void)is_text;
    (void)err;
    rows->n += row >= 0;
    for (size_t i = 0; i < n; i++)
        fprintf(rows->to, "%s,", values[i] ? values[i] : "");
    fputc('\n', rows->to);
    return 0;
}

/* The caller must free it. */
static char *results_of(const char *path, size_t n)
{
    struct rows rows = {0};
    struct loom_store *store = must_open(path);
    rows.to = open_memstream(&rows.text, &rows.size);
    assert_non_null(rows.to);
    assert_int_equal(loom_store_results(store, add_row, &rows, NULL), 0);
    fclose(rows.to);
    loom_store_close(store);
    assert_int_equal(rows.n, n);
    return rows.text;
}

static void assert_same_results(const char *a, const char *b, size_t n)
{
    char *one = results_of(a, n), *other = results_of(b, n);
    assert_string_equal(one, other);
    free(one);
    free(other);
}

/* ---- ways to run ----------------------------------------------------------------------------- */

/* The results of classes in a database, one row a class and run; the caller must free it. */
static char *class_rows(const char *path)
{
    char *text = NULL;
    size_t size = 0;
    struct loom_run_results *results = NULL;
    struct loom_error err = {0};
    FILE *to = open_memstream(&text, &size);
    if (loom_results_read_classes(&results, path, &err))
        fail_msg("%s", err.message);
    for (size_t cell = 0; cell < loom_results_cells(results); cell++)
        for (size_t m = 0; loom_results_metric(results, m); m++)
            for (int64_t r = 0; r < loom_results_replications(results); r++) {
                char size_class[80];
                fprintf(to, "%s %s %s %.17g\n", loom_results_cell(results, cell)->scheduler,
                        loom_results_value(results, cell, "size", size_class, sizeof size_class),
                        loom_results_metric(results, m)->key,
                        loom_results_values(results, cell,
                                            loom_results_metric(results, m)->key)[r]);
            }
    loom_results_destroy(results);
    fclose(to);
    return text;
}

static struct loom_plan *plan_by_size(const char *weeks)
{
    struct loom_plan *plan = NULL;
    struct loom_error err = {0};
    int rc = loom_plan_create(&plan, &err);
    const char *words[][2] = {{"trace", log_path},   {"resample", NULL}, {"scheduler", "easy"},
                              {"scheduler", "fcfs"}, {"by", "size"},     {"replications", "3"}};
    for (size_t i = 0; i < COUNT(words) && !rc; i++)
        rc = loom_plan_set(plan, words[i][0], words[i][1], &err);
    if (!rc && weeks)
        rc = loom_plan_set(plan, "weeks", weeks, &err);
    if (!rc)
        rc = loom_plan_load(plan, NULL, &err);
    if (rc)
        fail_msg("%s", err.message);
    return plan;
}

static bool has_size(const struct loom_outcome *outcome, const char *size)
{
    const struct loom_sim_classes *classes = loom_outcome_classes(outcome);
    char text[80];
    for (size_t i = 0; i < classes->count; i++) {
        loom_sim_class_text(classes, i, NULL, text, sizeof text);
        if (strcmp(text, size) == 0)
            return true;
    }
    return false;
}

/* A class without jobs in a run counts 0 jobs there, and has no mean wait. */
static void test_absent_classes(void **state)
{
    char path[128], size[80];
    struct loom_plan *plan = plan_by_size("0.25"); /* of a week: few jobs */
    struct loom_study_options options = {.db = db_path(path, "absent"), .command = "test"};
    struct loom_run_results *results = NULL;
    struct loom_error err = {0};
    size_t absent = 0;
    (void)state;
    must_run(plan, &options);
    assert_int_equal(loom_results_read_classes(&results, path, &err), 0);
    for (int64_t r = 0; r < 3; r++) {
        struct loom_scenario scenario;
        assert_true(loom_plan_scenario(plan, 0, r, &scenario));
        struct loom_outcome *outcome = must_succeed(&scenario, NULL);
        for (size_t k = 0; k < loom_results_cells(results); k++) {
            loom_results_value(results, k, "size", size, sizeof size);
            if (strcmp(loom_results_cell(results, k)->scheduler, "easy") || has_size(outcome, size))
                continue;
            absent++;
            assert_true(loom_results_values(results, k, "jobs")[r] == 0);
            assert_true(loom_results_values(results, k, "throughput_jobs_per_day")[r] == 0);
            assert_true(isnan(loom_results_values(results, k, "wait_mean_s")[r]));
        }
        loom_outcome_destroy(outcome);
    }
    assert_true(absent > 0);
    loom_results_destroy(results);
    loom_plan_destroy(plan);
}

/* Results by class are what the scenarios give, alone, and survive shards and a merge. */
static void test_classes(void **state)
{
    char path[128], part[128], merged[128], one[128], text[80];
    struct loom_plan *plan = plan_by_size(NULL);
    struct loom_study_options options = {.db = db_path(path, "classes"), .command = "test"};
    struct loom_run_results *results = NULL;
    struct loom_error err = {0};
    (void)state;
    must_run(plan, &options);
    assert_int_equal(loom_results_read_classes(&results, path, &err), 0);
    size_t found = 0;
    for (size_t cell = 0; cell < 2; cell++)
        for (int64_t r = 0; r < 3; r++) {
            struct loom_scenario scenario;
            assert_true(loom_plan_scenario(plan, cell, r, &scenario));
            assert_int_equal(scenario.by, LOOM_CLASS_SIZE);
            struct loom_outcome *outcome = must_succeed(&scenario, NULL);
            const struct loom_sim_classes *classes = loom_outcome_classes(outcome);
            assert_true(classes->count > 2);
            for (size_t i = 0; i < classes->count; i++)
                for (size_t k = 0; k < loom_results_cells(results); k++) {
                    loom_sim_class_text(classes, i, NULL, text, sizeof text);
                    if (strcmp(loom_results_value(results, k, "size", one, sizeof one), text) ||
                        strcmp(loom_results_cell(results, k)->scheduler, scenario.policy))
                        continue;
                    found++;
                    assert_true(loom_results_values(results, k, "wait_mean_s")[r] ==
                                classes->classes[i].wait_mean_s);
                    assert_true(loom_results_values(results, k, "jobs")[r] ==
                                (double)classes->classes[i].jobs);
                }
            loom_outcome_destroy(outcome);
        }
    assert_true(found > 12);
    struct loom_results_tally tally = loom_results_count(results, "wait_mean_s");
    assert_int_equal(tally.cells, 2);
    assert_int_equal(tally.runs, 6);
    assert_true(tally.saturated <= 6);
    loom_results_destroy(results);
    options.shards = 2;
    for (options.shard = 1; options.shard <= 2; options.shard++) {
        options.db = options.shard == 1 ? db_path(part, "classes-1") : db_path(one, "classes-2");
        must_run(plan, &options);
    }
    const char *parts[] = {part, one};
    assert_int_equal(loom_study_merge(db_path(merged, "classes-m"), parts, 2, &err), 0);
    char *whole = class_rows(path), *joined = class_rows(merged);
    assert_string_equal(whole, joined);
    free(whole);
    free(joined);
    loom_plan_destroy(plan);
}

static void test_no_classes(void **state)
{
    char path[128];
    struct loom_plan *plan = small_plan(NULL);
    const struct loom_study_options options = {.db = db_path(path, "none"), .command = "test"};
    struct loom_run_results *results = NULL;
    struct loom_error err = {0};
    (void)state;
    must_run(plan, &options);
    assert_int_equal(loom_results_read_classes(&results, path, &err), LOOM_EDATA);
    assert_non_null(strstr(err.message, "by (size"));
    loom_plan_destroy(plan);
}

static void test_threads_and_shards(void **state)
{
    char one[128], two[128], merged[128], parts[3][128];
    const char *from[3];
    struct loom_plan *plan = small_plan(NULL);
    struct loom_pool *pool = NULL;
    (void)state;
    assert_int_equal(loom_pool_create(&pool, 3, NULL), 0);
    must_run(plan, &(struct loom_study_options){.db = db_path(one, "one")});
    must_run(plan, &(struct loom_study_options){.db = db_path(two, "two"), .pool = pool});
    assert_same_results(one, two, 24);
    for (int i = 0; i < 3; i++) {
        char name[16];
        snprintf(name, sizeof name, "part%d", i);
        from[i] = db_path(parts[i], name);
        must_run(plan, &(struct loom_study_options){.db = from[i], .shard = i + 1, .shards = 3});
    }
    assert_int_equal(loom_study_merge(db_path(merged, "merged"), from, 3, NULL), 0);
    assert_same_results(one, merged, 24);
    loom_pool_destroy(pool);
    loom_plan_destroy(plan);
}

struct watch {
    volatile int stop;
    int64_t stop_after, seen;
};

static void on_progress(void *context, const struct loom_study_progress *progress)
{
    struct watch *watch = context;
    watch->seen = progress->done;
    watch->stop = progress->done >= watch->stop_after;
}

static void test_stop_and_go_on(void **state)
{
    char path[128], whole[128];
    struct loom_plan *plan = small_plan(NULL);
    struct watch watch = {.stop_after = 7};
    struct loom_study_options options = {.db = db_path(path, "stopped"),
                                         .stop = &watch.stop,
                                         .progress = on_progress,
                                         .context = &watch};
    (void)state;
    struct loom_study_report report = must_run(plan, &options);
    assert_true(report.stopped);
    assert_in_range(report.progress.done, 7, 23);
    int64_t before = report.progress.done;
    watch = (struct watch){.stop_after = 1000};
    report = must_run(plan, &options);
    assert_false(report.stopped);
    assert_int_equal(report.progress.skipped, before);
    assert_int_equal(report.progress.done, 24 - before);
    must_run(plan, &(struct loom_study_options){.db = db_path(whole, "whole")});
    assert_same_results(path, whole, 24);
    loom_plan_destroy(plan);
}

static bool enough_at_4(void *context, const char *db, int64_t replications)
{
    struct loom_store *store = must_open(db);
    struct loom_store_counts counts;
    assert_int_equal(loom_store_count(&counts, store, SIZE_MAX, NULL), 0);
    assert_int_equal(counts.done, 4 * replications);
    loom_store_close(store);
    *(int *)context += 1;
    return replications >= 4;
}

static void test_rounds(void **state)
{
    char path[128];
    int calls = 0;
    struct loom_plan *plan = small_plan(NULL);
    const struct loom_study_options options = {.db = db_path(path, "rounds"),
                                               .enough = enough_at_4,
                                               .round = 2,
                                               .context = &calls};
    (void)state;
    struct loom_study_report report = must_run(plan, &options);
    assert_true(report.enough);
    assert_int_equal(report.progress.done, 16);
    assert_int_equal(calls, 2);
    loom_plan_destroy(plan);
}

static void test_plans_that_grow(void **state)
{
    char path[128];
    struct loom_plan *plan = small_plan(NULL), *more = small_plan("conservative");
    struct loom_study_options options = {.db = db_path(path, "grows")};
    struct loom_study_report report;
    struct loom_error err = {0};
    (void)state;
    must_run(plan, &options);
    report = must_run(more, &options);
    assert_int_equal(report.progress.skipped, 24);
    assert_int_equal(report.progress.done, 12);
    assert_int_equal(loom_study_run(&report, plan, &options, &err), LOOM_EUSAGE);
    assert_non_null(strstr(err.message, "another plan"));
    loom_plan_destroy(plan);
    loom_plan_destroy(more);
}

/* ---- merging --------------------------------------------------------------------------------- */

static void test_merges_that_fail(void **state)
{
    char one[128], other[128], to[128];
    struct loom_plan *plan = small_plan(NULL), *foreign = NULL;
    struct loom_error err = {0};
    (void)state;
    assert_int_equal(loom_plan_create(&foreign, NULL), 0);
    assert_int_equal(loom_plan_set(foreign, "trace", log_path, NULL), 0);
    assert_int_equal(loom_plan_load(foreign, NULL, NULL), 0);
    must_run(plan, &(struct loom_study_options){.db = db_path(one, "mine")});
    must_run(foreign, &(struct loom_study_options){.db = db_path(other, "foreign")});
    const char *const both[] = {one, other}, *const missing[] = {one, "nowhere.db"};
    assert_int_equal(loom_study_merge(db_path(to, "to"), both, 2, &err), LOOM_EUSAGE);
    assert_non_null(strstr(err.message, "another plan"));
    assert_int_equal(loom_study_merge(to, missing, 2, &err), LOOM_EIO);
    assert_int_not_equal(access(to, F_OK), 0);
    loom_plan_destroy(plan);
    loom_plan_destroy(foreign);
}

static void test_estimate(void **state)
{
    struct loom_plan *plan = small_plan(NULL);
    struct loom_study_estimate estimate;
    (void)state;
    assert_int_equal(loom_study_estimate(&estimate, plan, 1e6, 2, NULL), 0);
    assert_int_equal(estimate.trials, 4);
    assert_int_equal(estimate.failed, 0);
    assert_true(estimate.seconds > 0);
    assert_true(estimate.bytes > 0);
    loom_plan_destroy(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_are_those_of_scenarios),
        cmocka_unit_test(test_classes),
        cmocka_unit_test(test_absent_classes),
        cmocka_unit_test(test_no_classes),
        cmocka_unit_test(test_threads_and_shards),
        cmocka_unit_test(test_stop_and_go_on),
        cmocka_unit_test(test_rounds),
        cmocka_unit_test(test_plans_that_grow),
        cmocka_unit_test(test_merges_that_fail),
        cmocka_unit_test(test_estimate),
    };
    return cmocka_run_group_tests(tests, open_files, close_scratch);
}

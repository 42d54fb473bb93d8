/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Databases with values written by hand: when they are enough, and when two of them disagree. */
#include "support.h"

#include "experiment/store.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <workloom/experiment_plan.h>

static struct scratch scratch;

enum { MOST = 8 };

static int open_files(void **state)
{
    *state = &scratch;
    return scratch_open(&scratch, "none");
}

static void add_run(struct loom_store *store, size_t cell, int64_t replication, double wait_s)
{
    static const char *const key = "wait_mean_s";
    char hash[LOOM_HASH_TEXT];
    struct loom_error err = {0};
    snprintf(hash, sizeof hash, "run %zu %d", cell, (int)replication);
    const struct loom_store_run run = {.hash = hash,
                                       .cell = cell,
                                       .replication = replication,
                                       .host = "here",
                                       .n = 1,
                                       .keys = &key,
                                       .values = &wait_s};
    if (loom_store_add(store, &run, 1, &err))
        fail_msg("%s", err.message);
}

/* Write a database of two cells with the first n of these waits. Returns path. */
static const char *store_waits(char path[160], const char *name, const double waits[2][MOST],
                               size_t n)
{
    static const struct loom_store_cell cells[] = {
        {.hash = "0", .trace = "log", .source = "resampled", .scheduler = "a", .replications = 8},
        {.hash = "1", .trace = "log", .source = "resampled", .scheduler = "b", .replications = 8}};
    const struct loom_store_plan plan = {
        .text = "", .replications = 8, .metrics = "", .cells = cells, .n_cells = 2};
    const struct loom_store_origin origin = {.command = "test"};
    struct loom_store *store = NULL;
    struct loom_error err = {0};
    snprintf(path, 160, "%s/%s.db", scratch.directory, name);
    if (loom_store_create(&store, path, &plan, &origin, &err))
        fail_msg("%s", err.message);
    for (size_t cell = 0; cell < 2; cell++)
        for (size_t r = 0; r < n; r++)
            add_run(store, cell, (int64_t)r, waits[cell][r]);
    loom_store_close(store);
    return path;
}

static struct loom_until check(const char *path, double relative, int64_t replications)
{
    struct loom_until until = {.metric = "wait_mean_s", .rule = {.relative = relative, .least = 4}};
    struct loom_error err = {0};
    if (loom_until_check(&until, path, replications, &err))
        fail_msg("%s", err.message);
    return until;
}

/* ---- enough ---------------------------------------------------------------------------------- */

/* The first four vary little, what comes after them a lot. */
static void looks_at_the_first_replications(void **state)
{
    static const double waits[2][MOST] = {{100, 101, 99, 100, 900, 1, 400, 2},
                                          {200, 201, 202, 199, 2, 900, 7, 90}};
    char few[160], all[160];
    (void)state;
    store_waits(few, "few", waits, 3);
    assert_int_equal(check(few, 0.05, 4).fewest, 3);
    assert_false(check(few, 0.05, 4).reached);
    store_waits(few, "few", waits, 4);
    store_waits(all, "all", waits, MOST);
    struct loom_until of_few = check(few, 0.05, 4), of_all = check(all, 0.05, 4);
    assert_true(of_few.reached && of_all.reached);
    assert_true(of_few.relative > 0 && of_few.relative == of_all.relative);
    assert_int_equal(of_few.replications, of_all.replications);
    assert_false(check(all, 0.05, MOST).reached);
}

static void all_cells_must_be_known(void **state)
{
    static const double steady[MOST] = {100, 101, 99, 100}, wild[MOST] = {1, 300, 20, 80};
    static const struct {
        const double *cells[2];
        bool reached;
    } cases[] = {{{steady, steady}, true},
                 {{steady, wild}, false},
                 {{wild, steady}, false},
                 {{wild, wild}, false}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        double waits[2][MOST];
        char path[160], name[16];
        for (size_t r = 0; r < MOST; r++)
            for (size_t cell = 0; cell < 2; cell++)
                waits[cell][r] = cases[i].cells[cell][r];
        snprintf(name, sizeof name, "case%zu", i);
        struct loom_until until = check(store_waits(path, name, waits, 4), 0.05, 4);
        assert_int_equal(until.reached, cases[i].reached);
        assert_int_equal(until.relative < 0.05, cases[i].reached);
        assert_int_equal(until.replications > 4, !cases[i].reached);
        assert_int_equal(until.fewest, 4);
    }
}

/* ---- merging --------------------------------------------------------------------------------- */

static void refuses_other_values_of_the_same_run(void **state)
{
    static const double waits[2][MOST] = {{1, 2, 3, 4}, {5, 6, 7, 8}},
                        changed[2][MOST] = {{1, 2, 3, 4}, {5, 6.5, 7, 8}};
    char one[160], same[160], other[160], to[160];
    struct loom_error err = {0};
    struct loom_store *store = NULL;
    (void)state;
    const char *const alike[] = {store_waits(one, "one", waits, 3),
                                 store_waits(same, "same", waits, 4)};
    const char *const unlike[] = {one, store_waits(other, "other", changed, 4)};
    snprintf(to, sizeof to, "%s/merged.db", scratch.directory);
    assert_int_equal(loom_study_merge(to, unlike, 2, &err), LOOM_EDATA);
    assert_non_null(strstr(err.message, "1 results differ"));
    assert_int_not_equal(loom_store_open(&store, to, NULL), 0);
    assert_int_equal(loom_study_merge(to, alike, 2, &err), 0);
    assert_int_equal(loom_store_open(&store, to, NULL), 0);
    loom_store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(looks_at_the_first_replications),
        cmocka_unit_test(all_cells_must_be_known),
        cmocka_unit_test(refuses_other_values_of_the_same_run),
    };
    return cmocka_run_group_tests(tests, open_files, close_scratch);
}

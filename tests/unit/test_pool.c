/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pool: same results and same errors for any number of threads, order, windows, nesting. */
#include "base/pool.h"
#include "pool_tasks.h"

#include <workloom/base.h>

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- unordered ------------------------------------------------------------------------------- */

struct work {
    unsigned threads;
    size_t fail_at[4]; /* indices that fail, NONE for no more */
    uint64_t results[MAX_TASKS];
    atomic_uint runs[MAX_TASKS];
    atomic_uint busy[MAX_WORKERS]; /* tasks this worker is running: never more than 1 */
    atomic_uint misuses;
};

static struct work *make_work(unsigned threads)
{
    struct work *work = calloc(1, sizeof *work);
    assert_non_null(work);
    work->threads = threads > 0 ? threads : 1;
    for (size_t i = 0; i < 4; i++)
        work->fail_at[i] = NONE;
    return work;
}

static bool fails(const struct work *work, size_t index)
{
    for (size_t i = 0; i < 4; i++) {
        if (work->fail_at[i] == index)
            return true;
    }
    return false;
}

static int do_task(void *context, size_t index, unsigned worker, struct loom_error *err)
{
    struct work *work = context;
    if (worker >= work->threads || atomic_fetch_add(&work->busy[worker], 1) != 0)
        work->misuses++;
    work->results[index] = make_result(index);
    work->runs[index]++;
    atomic_fetch_sub(&work->busy[worker], 1);
    if (!fails(work, index))
        return 0;
    return loom_fail_at(err, LOOM_EDATA, "log", (int64_t)index, 1, "task %zu failed", index);
}

static void test_every_task_runs_once(void **state)
{
    static const size_t sizes[] = {0, 1, 2, 3, 7, 8, 9, 100, MAX_TASKS};
    (void)state;
    for (size_t t = 0; t < THREAD_COUNTS; t++) {
        struct loom_pool *pool = make_pool(thread_counts[t]);
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
            struct work *work = make_work(thread_counts[t]);
            struct loom_error err = {.code = 77};
            assert_int_equal(loom_pool_for(pool, sizes[s], do_task, work, &err), 0);
            assert_int_equal(err.code, 77); /* success leaves err alone */
            for (size_t i = 0; i < MAX_TASKS; i++) {
                assert_int_equal(work->runs[i], i < sizes[s] ? 1 : 0);
                assert_true(work->results[i] == (i < sizes[s] ? make_result(i) : 0));
            }
            assert_int_equal(work->misuses, 0);
            free(work);
        }
        loom_pool_destroy(pool);
    }
}

static void test_lowest_failure_wins(void **state)
{
    static const struct {
        size_t n, fail_at[4], lowest;
    } cases[] = {
        {1, {0, NONE, NONE, NONE}, 0},
        {100, {0, 1, 2, 3}, 0},
        {100, {99, NONE, NONE, NONE}, 99},
        {100, {60, 50, 40, 99}, 40},
        {MAX_TASKS, {4000, 4001, 3999, 4999}, 3999},
        {MAX_TASKS, {2, 4, 8, 16}, 2},
    };
    (void)state;
    for (size_t t = 0; t < THREAD_COUNTS; t++) {
        struct loom_pool *pool = make_pool(thread_counts[t]);
        for (size_t c = 0; c < 40 * sizeof cases / sizeof cases[0]; c++) {
            size_t k = c % (sizeof cases / sizeof cases[0]);
            struct work *work = make_work(thread_counts[t]);
            memcpy(work->fail_at, cases[k].fail_at, sizeof work->fail_at);
            struct loom_error err = {0};
            char message[64];
            int code = loom_pool_for(pool, cases[k].n, do_task, work, c % 2 ? &err : NULL);
            assert_int_equal(code, LOOM_EDATA);
            if (c % 2) {
                snprintf(message, sizeof message, "task %zu failed", cases[k].lowest);
                assert_int_equal(err.code, LOOM_EDATA);
                assert_string_equal(err.file, "log");
                assert_int_equal(err.line, cases[k].lowest);
                assert_int_equal(err.column, 1);
                assert_string_equal(err.message, message);
            }
            for (size_t i = 0; i <= cases[k].lowest; i++)
                assert_int_equal(work->runs[i], 1);
            for (size_t i = cases[k].lowest + 1; i < MAX_TASKS; i++)
                assert_true(work->runs[i] <= 1);
            free(work);
        }
        loom_pool_destroy(pool);
    }
}

/* The higher index fails first, for certain: the lower one waits for it. */
struct race {
    atomic_bool high_failed;
};

static int fail_high_first(void *context, size_t index, unsigned worker, struct loom_error *err)
{
    struct race *race = context;
    (void)worker;
    if (index == 1) {
        race->high_failed = true;
        return loom_fail(err, LOOM_EIO, "high");
    }
    while (!race->high_failed)
        sched_yield();
    usleep(1000); /* give the failure time to be noted */
    return loom_fail(err, LOOM_ERANGE, "low");
}

static void test_a_later_lower_failure_replaces_an_earlier_one(void **state)
{
    (void)state;
    struct loom_pool *pool = make_pool(2);
    struct race race = {false};
    struct loom_error err = {0};
    assert_int_equal(loom_pool_for(pool, 2, fail_high_first, &race, &err), LOOM_ERANGE);
    assert_string_equal(err.message, "low");
    loom_pool_destroy(pool);
}

/* A task may recover from a failure that left its mark in err, and may fail without a word. */
static int fill_err_but_succeed(void *context, size_t index, unsigned worker,
                                struct loom_error *err)
{
    (void)context;
    (void)worker;
    if (index == 3)
        return LOOM_ERANGE;
    loom_fail_at(err, LOOM_EIO, "file", 5, 5, "recovered");
    return 0;
}

static void test_err_is_fresh_for_every_task(void **state)
{
    (void)state;
    for (size_t t = 0; t < THREAD_COUNTS; t++) {
        struct loom_pool *pool = make_pool(thread_counts[t]);
        struct loom_error err = {0};
        assert_int_equal(loom_pool_for(pool, 3, fill_err_but_succeed, NULL, &err), 0);
        assert_string_equal(err.message, "");
        assert_int_equal(loom_pool_for(pool, 4, fill_err_but_succeed, NULL, &err), LOOM_ERANGE);
        assert_int_equal(err.code, LOOM_ERANGE);
        assert_int_equal(err.line, 0);
        assert_string_equal(err.file, "");
        assert_string_equal(err.message, "");
        loom_pool_destroy(pool);
    }
}

static void test_tasks_run_at_the_same_time(void **state)
{
    (void)state;
    struct loom_pool *pool = make_pool(4);
    for (int round = 0; round < 50; round++) {
        atomic_uint started = 0;
        assert_int_equal(loom_pool_for(pool, 4, meet, &started, NULL), 0);
        assert_int_equal(started, 4);
    }
    loom_pool_destroy(pool);
}

static void test_many_short_calls(void **state)
{
    (void)state;
    for (size_t t = 0; t < THREAD_COUNTS; t++) {
        struct loom_pool *pool = make_pool(thread_counts[t]);
        atomic_size_t count = 0;
        for (size_t i = 0; i < 2000; i++)
            assert_int_equal(loom_pool_for(pool, i % 10, count_task, &count, NULL), 0);
        assert_int_equal(count, 2000 / 10 * 45);
        loom_pool_destroy(pool);
    }
}

/* ---- ordered --------------------------------------------------------------------------------- */

struct line {
    unsigned threads;
    size_t n, window;
    size_t task_fails, emit_fails; /* NONE: never */
    uint64_t slots[64];
    bool slot_taken[64]; /* not atomic: the pool must order all accesses to one slot */
    atomic_uint started, emitting, misuses;
    size_t emitted; /* not atomic: emits come one at a time */
    uint64_t sum;
};

static int make_part(void *context, size_t index, unsigned worker, struct loom_error *err)
{
    struct line *line = context;
    size_t slot = index % line->window;
    if (worker >= line->threads || line->slot_taken[slot])
        line->misuses++;
    line->slot_taken[slot] = true;
    line->slots[slot] = make_result(index);
    line->started++;
    if (index == line->task_fails)
        return loom_fail(err, LOOM_EDATA, "task %zu failed", index);
    return 0;
}

static int emit_part(void *context, size_t index, unsigned worker, struct loom_error *err)
{
    struct line *line = context;
    size_t slot = index % line->window;
    if (atomic_fetch_add(&line->emitting, 1) != 0 || worker >= line->threads)
        line->misuses++;
    if (index != line->emitted || !line->slot_taken[slot] ||
        line->slots[slot] != make_result(index) || line->started > index + line->window)
        line->misuses++;
    atomic_fetch_sub(&line->emitting, 1);
    if (index == line->emit_fails)
        return loom_fail(err, LOOM_EIO, "emit %zu failed", index);
    line->slot_taken[slot] = false;
    line->emitted++;
    line->sum = line->sum * 31 + line->slots[slot];
    return 0;
}

static uint64_t sum_of_first(size_t n)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++)
        sum = sum * 31 + make_result(i);
    return sum;
}

/* Run one line. Whatever the threads, the parts below the lower failure are emitted and no other,
 * and a task's failure comes before its own emit's. */
static void run_line(struct loom_pool *pool, size_t n, size_t window, size_t task_fails,
                     size_t emit_fails)
{
    struct line line = {.threads = loom_pool_threads(pool),
                        .n = n,
                        .window = window,
                        .task_fails = task_fails,
                        .emit_fails = emit_fails};
    struct loom_error err = {0};
    char message[64] = "";
    int expected_code = 0;
    size_t expected = n;
    if (task_fails < expected) {
        expected = task_fails;
        expected_code = LOOM_EDATA;
        snprintf(message, sizeof message, "task %zu failed", task_fails);
    }
    if (emit_fails < expected) {
        expected = emit_fails;
        expected_code = LOOM_EIO;
        snprintf(message, sizeof message, "emit %zu failed", emit_fails);
    }
    int code = loom_pool_ordered(pool, n, window, make_part, emit_part, &line, &err);
    assert_int_equal(code, expected_code);
    assert_int_equal(err.code, expected_code);
    assert_string_equal(err.message, message);
    assert_int_equal(line.emitted, expected);
    assert_true(line.sum == sum_of_first(expected));
    assert_int_equal(line.misuses, 0);
    if (expected_code == 0)
        assert_int_equal(line.started, n);
}

static void test_order_with_any_window(void **state)
{
    static const size_t windows[] = {1, 2, 3, 5, 8, 16, 64};
    static const size_t sizes[] = {0, 1, 2, 3, 17, 300};
    (void)state;
    for (size_t t = 0; t < THREAD_COUNTS; t++) {
        struct loom_pool *pool = make_pool(thread_counts[t]);
        for (size_t w = 0; w < sizeof windows / sizeof windows[0]; w++) {
            for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
                run_line(pool, sizes[s], windows[w], NONE, NONE);
        }
        loom_pool_destroy(pool);
    }
}

static void test_order_with_failures(void **state)
{
    static const size_t failures[][2] = {/* task, emit */
                                         {0, NONE},   {NONE, 0},   {0, 0},   {100, NONE},
                                         {NONE, 100}, {50, 49},    {49, 50}, {50, 50},
                                         {199, NONE}, {NONE, 199}, {10, 5},  {5, 10}};
    static const size_t windows[] = {1, 2, 4, 64};
    (void)state;
    for (size_t t = 0; t < THREAD_COUNTS; t++) {
        struct loom_pool *pool = make_pool(thread_counts[t]);
        for (size_t c = 0; c < 20 * sizeof failures / sizeof failures[0]; c++) {
            const size_t *at = failures[c % (sizeof failures / sizeof failures[0])];
            run_line(pool, 200, windows[c % 4], at[0], at[1]);
        }
        loom_pool_destroy(pool);
    }
}

static void test_window_beyond_the_tasks(void **state)
{
    (void)state;
    struct loom_pool *pool = make_pool(3);
    atomic_size_t count = 0;
    assert_int_equal(loom_pool_ordered(pool, 10, SIZE_MAX, count_task, count_task, &count, NULL),
                     0);
    assert_int_equal(count, 20);
    loom_pool_destroy(pool);
}

static void test_window_of_zero_is_refused(void **state)
{
    (void)state;
    struct loom_error err = {0};
    atomic_size_t count = 0;
    assert_int_equal(loom_pool_ordered(NULL, 10, 0, count_task, count_task, &count, &err),
                     LOOM_EUSAGE);
    assert_int_equal(err.code, LOOM_EUSAGE);
    assert_string_equal(err.message, "a window of 0 tasks lets no task start: give 1 or more");
    assert_int_equal(count, 0);
}

/* The first task is slow: the others run ahead of it, but only as far as the window. */
struct slow_start {
    atomic_size_t started;
    size_t window, ahead;
};

static int start_slowly(void *context, size_t index, unsigned worker, struct loom_error *err)
{
    struct slow_start *slow = context;
    (void)worker;
    (void)err;
    slow->started++;
    if (index != 0)
        return 0;
    while (slow->started < slow->window)
        sched_yield();
    usleep(20000); /* long enough for others to go too far, if they could */
    slow->ahead = slow->started;
    return 0;
}

static int emit_nothing(void *context, size_t index, unsigned worker, struct loom_error *err)
{
    (void)context;
    (void)index;
    (void)worker;
    (void)err;
    return 0;
}

static void test_window_holds_tasks_back(void **state)
{
    (void)state;
    struct loom_pool *pool = make_pool(3);
    for (size_t window = 2; window <= 8; window++) {
        struct slow_start slow = {.window = window};
        assert_int_equal(loom_pool_ordered(pool, 100, window, start_slowly, emit_nothing, &slow,
                                           NULL),
                         0);
        assert_int_equal(slow.ahead, window);
        assert_int_equal(slow.started, 100);
    }
    loom_pool_destroy(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_task_runs_once),
        cmocka_unit_test(test_lowest_failure_wins),
        cmocka_unit_test(test_a_later_lower_failure_replaces_an_earlier_one),
        cmocka_unit_test(test_err_is_fresh_for_every_task),
        cmocka_unit_test(test_tasks_run_at_the_same_time),
        cmocka_unit_test(test_many_short_calls),
        cmocka_unit_test(test_order_with_any_window),
        cmocka_unit_test(test_order_with_failures),
        cmocka_unit_test(test_window_beyond_the_tasks),
        cmocka_unit_test(test_window_of_zero_is_refused),
        cmocka_unit_test(test_window_holds_tasks_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

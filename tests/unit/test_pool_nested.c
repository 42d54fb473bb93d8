/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pool: calls inside calls, and the pool itself. */
#include "base/pool.h"
#include "pool_tasks.h"

#include <workloom/base.h>

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- calls inside calls ---------------------------------------------------------------------- */

struct nest {
    struct loom_pool *pool;
    unsigned threads;
    atomic_size_t leaves, emits, misuses;
    atomic_uint busy[MAX_WORKERS];
};

static int nest_leaf(void *context, size_t index, unsigned worker, struct loom_error *err)
{
    struct nest *nest = context;
    if (worker >= nest->threads || atomic_fetch_add(&nest->busy[worker], 1) != 0)
        nest->misuses++;
    (void)make_result(index);
    nest->leaves++;
    atomic_fetch_sub(&nest->busy[worker], 1);
    return index == 77 ? loom_fail(err, LOOM_EDATA, "leaf") : 0;
}

static int nest_emit(void *context, size_t index, unsigned worker, struct loom_error *err)
{
    struct nest *nest = context;
    (void)index;
    (void)worker;
    (void)err;
    nest->emits++;
    return 0;
}

static int nest_outer(void *context, size_t index, unsigned worker, struct loom_error *err)
{
    struct nest *nest = context;
    (void)index;
    (void)worker;
    int code = loom_pool_for(nest->pool, 20, nest_leaf, nest, err);
    if (code == 0)
        code = loom_pool_ordered(nest->pool, 10, 3, nest_leaf, nest_emit, nest, err);
    return code;
}

static int nest_deeper(void *context, size_t index, unsigned worker, struct loom_error *err)
{
    struct nest *nest = context;
    (void)index;
    (void)worker;
    return loom_pool_for(nest->pool, 3, nest_outer, nest, err);
}

static int nest_failing(void *context, size_t index, unsigned worker, struct loom_error *err)
{
    struct nest *nest = context;
    (void)worker;
    return index < 5 ? 0 : loom_pool_for(nest->pool, 100, nest_leaf, nest, err);
}

static void test_nested_calls(void **state)
{
    (void)state;
    for (size_t t = 0; t < THREAD_COUNTS; t++) {
        struct nest nest = {.pool = make_pool(thread_counts[t])};
        nest.threads = loom_pool_threads(nest.pool);
        assert_int_equal(loom_pool_for(nest.pool, 20, nest_outer, &nest, NULL), 0);
        assert_int_equal(nest.leaves, 20 * 30);
        assert_int_equal(nest.emits, 20 * 10);
        assert_int_equal(loom_pool_ordered(nest.pool, 10, 4, nest_deeper, nest_deeper, &nest, NULL),
                         0);
        assert_int_equal(nest.leaves, 20 * 30 + 10 * 2 * 3 * 30);
        struct loom_error err = {0};
        assert_int_equal(loom_pool_for(nest.pool, 9, nest_failing, &nest, &err), LOOM_EDATA);
        assert_string_equal(err.message, "leaf");
        assert_int_equal(nest.misuses, 0);
        loom_pool_destroy(nest.pool);
    }
}

static int nest_meet(void *context, size_t index, unsigned worker, struct loom_error *err)
{
    struct nest *nest = context;
    atomic_uint started = 0;
    (void)index;
    (void)worker;
    return loom_pool_for(nest->pool, 4, meet, &started, err);
}

/* A call with a single task leaves the helpers to the calls that task makes. */
static void test_single_task_does_not_hold_the_pool(void **state)
{
    (void)state;
    struct nest nest = {.pool = make_pool(4), .threads = 4};
    assert_int_equal(loom_pool_for(nest.pool, 1, nest_meet, &nest, NULL), 0);
    assert_int_equal(loom_pool_ordered(nest.pool, 3, 1, nest_meet, nest_meet, &nest, NULL), 0);
    loom_pool_destroy(nest.pool);
}

static void *use_pool(void *argument)
{
    struct nest *nest = argument;
    for (int i = 0; i < 50; i++)
        loom_pool_for(nest->pool, 20, count_task, &nest->leaves, NULL);
    return NULL;
}

static void test_callers_in_several_threads(void **state)
{
    (void)state;
    struct nest nest = {.pool = make_pool(3), .threads = 3};
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, use_pool, &nest), 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(nest.leaves, 3 * 50 * 20);
    loom_pool_destroy(nest.pool);
}

/* ---- the pool itself ------------------------------------------------------------------------- */

static void test_default_is_one_thread_per_processor(void **state)
{
    (void)state;
    cpu_set_t set;
    struct loom_pool *pool = NULL;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        skip();
    assert_int_equal(loom_pool_create(&pool, 0, NULL), 0);
    assert_int_equal(loom_pool_threads(pool), CPU_COUNT(&set));
    loom_pool_destroy(pool);
    assert_int_equal(loom_pool_threads(NULL), 1);
}

static void test_affinity_is_respected(void **state)
{
    (void)state;
    cpu_set_t before, one;
    struct loom_pool *pool = NULL;
    if (sched_getaffinity(0, sizeof before, &before) != 0)
        skip();
    size_t cpu = 0;
    while (!CPU_ISSET(cpu, &before))
        cpu++;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_int_equal(loom_pool_create(&pool, 0, NULL), 0);
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
    assert_int_equal(loom_pool_threads(pool), 1);
    loom_pool_destroy(pool);
}

static void test_too_many_threads(void **state)
{
    struct loom_pool *pool = (void *)state;
    struct loom_error err = {0};
    assert_int_equal(loom_pool_create(&pool, LOOM_MAX_THREADS + 1, &err), LOOM_ERANGE);
    assert_null(pool);
    assert_string_equal(err.message, "1025 threads are too many: ask for at most 1024");
    assert_int_equal(loom_pool_create(&pool, UINT32_MAX, NULL), LOOM_ERANGE);
}

static void test_create_and_destroy(void **state)
{
    (void)state;
    loom_pool_destroy(NULL);
    for (unsigned i = 0; i < 100; i++)
        loom_pool_destroy(make_pool(1 + i % 8));
}

/* Signals sent to the process reach the program's own threads only. */
static int note_mask(void *context, size_t index, unsigned worker, struct loom_error *err)
{
    sigset_t set;
    pthread_sigmask(SIG_BLOCK, NULL, &set);
    if (worker > 0 && (!sigismember(&set, SIGINT) || sigismember(&set, SIGPIPE)))
        atomic_fetch_add((atomic_uint *)context + 1, 1);
    return meet(context, index, worker, err);
}

static void test_helpers_leave_signals_to_the_program(void **state)
{
    (void)state;
    sigset_t before, after;
    atomic_uint counts[2] = {0, 0};
    sigemptyset(&before);
    sigemptyset(&after);
    pthread_sigmask(SIG_BLOCK, NULL, &before);
    struct loom_pool *pool = make_pool(4);
    pthread_sigmask(SIG_BLOCK, NULL, &after);
    assert_int_equal(loom_pool_for(pool, 4, note_mask, counts, NULL), 0);
    assert_int_equal(counts[1], 0);
    for (int number = 1; number < 32; number++)
        assert_int_equal(sigismember(&before, number), sigismember(&after, number));
    loom_pool_destroy(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nested_calls),
        cmocka_unit_test(test_single_task_does_not_hold_the_pool),
        cmocka_unit_test(test_callers_in_several_threads),
        cmocka_unit_test(test_default_is_one_thread_per_processor),
        cmocka_unit_test(test_affinity_is_respected),
        cmocka_unit_test(test_too_many_threads),
        cmocka_unit_test(test_create_and_destroy),
        cmocka_unit_test(test_helpers_leave_signals_to_the_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

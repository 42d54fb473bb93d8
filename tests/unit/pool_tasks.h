/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pool_tasks.h - pools of several sizes, and tasks for them. */
#ifndef LOOM_TESTS_POOL_TASKS_H
#define LOOM_TESTS_POOL_TASKS_H

#include "support.h"

#include <sched.h>
#include <stdatomic.h>

enum { MAX_TASKS = 5000, MAX_WORKERS = 8, NONE = MAX_TASKS };

static const unsigned thread_counts[] = {0, 1, 2, 3, 8}; /* 0: no pool */
enum { THREAD_COUNTS = sizeof thread_counts / sizeof thread_counts[0] };

static inline struct loom_pool *make_pool(unsigned threads)
{
    struct loom_pool *pool = NULL;
    if (threads > 0) {
        assert_int_equal(loom_pool_create(&pool, threads, NULL), 0);
        assert_int_equal(loom_pool_threads(pool), threads);
    }
    return pool;
}

/* A result that takes a varying time to make. */
static inline uint64_t make_result(size_t index)
{
    uint64_t x = index + 1;
    for (size_t i = 0; i < index * 7919 % 300; i++)
        x = x * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return x;
}

/* The tasks of one call meet: each waits until all have started. */
static inline int meet(void *context, size_t index, unsigned worker, struct loom_error *err)
{
    atomic_uint *started = context;
    (void)index;
    (void)worker;
    (void)err;
    atomic_fetch_add(started, 1);
    while (atomic_load(started) < 4)
        sched_yield();
    return 0;
}

static inline int count_task(void *context, size_t index, unsigned worker, struct loom_error *err)
{
    (void)index;
    (void)worker;
    (void)err;
    atomic_fetch_add((atomic_size_t *)context, 1);
    return 0;
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory of simulations: a simulator that has run once asks for next to nothing when it runs again.
 * Only its policy's parameters are read anew, and what a policy keeps of its own is made anew. All
 * calls that ask for memory are wrapped by the linker, and counted.
 */
#include "support.h"

#include <workloom/sim.h>

#include <stdlib.h>

enum { JOBS = 2000, PROCS = 64 };

static size_t asked; /* bytes, since last set */

/* The linker's names. */
void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);

void *__wrap_malloc(size_t size)
{
    asked += size;
    return __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
    asked += n * size;
    return __real_calloc(n, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    asked += size;
    return __real_realloc(old, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    asked += size;
    return __real_aligned_alloc(alignment, size);
}

static struct loom_trace *crowd(void)
{
    struct loom_trace *trace = empty_trace();
    for (int i = 0; i < JOBS; i++)
        append(trace, (struct loom_job){.number = i + 1,
                                        .wait_s = -1,
                                        .run_s = 1 + i * 7919 % 5000,
                                        .alloc_procs = 1 + i * 31 % PROCS,
                                        .req_procs = -1,
                                        .req_time_s = 10000,
                                        .user = i % 50});
    return trace;
}

static size_t run(struct loom_sim *sim, const char *policy, const struct loom_trace *trace)
{
    const struct loom_sim_options options = {.scheduler = policy, .procs = PROCS};
    asked = 0;
    assert_int_equal(loom_sim_run_trace(sim, &options, trace, NULL), 0);
    return asked;
}

/* Bytes of the first run and of the second. */
static void run_twice(size_t bytes[2], const char *policy, const struct loom_trace *trace)
{
    struct loom_sim *sim = NULL;
    assert_int_equal(loom_sim_create(&sim, NULL), 0);
    bytes[0] = run(sim, policy, trace);
    bytes[1] = run(sim, policy, trace);
    loom_sim_destroy(sim);
}

/* Policies with nothing of their own, or little that does not grow with the jobs. */
static void test_engine_reuses_all(void **state)
{
    static const char *const policies[] = {"fcfs", "easy", "easy:order=sjf", "relaxed",
                                           "lookahead"};
    (void)state;
    struct loom_trace *trace = crowd();
    for (size_t i = 0; i < COUNT(policies); i++) {
        size_t bytes[2];
        run_twice(bytes, policies[i], trace);
        assert_in_range(bytes[0], 100 * JOBS, SIZE_MAX);
        assert_in_range(bytes[1], 0, 4 * JOBS);
    }
    loom_trace_destroy(trace);
}

static void test_all_reuse_some(void **state)
{
    (void)state;
    struct loom_trace *trace = crowd();
    for (size_t i = 0; loom_scheduler_at(i); i++) {
        size_t bytes[2];
        run_twice(bytes, loom_scheduler_at(i)->name, trace);
        assert_true(bytes[1] < bytes[0]);
    }
    loom_trace_destroy(trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_engine_reuses_all),
                                       cmocka_unit_test(test_all_reuse_some)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory of simulations: a simulator that has run once asks for next to nothing when it runs again
 * by the same policy, whatever the parameters, and nothing of the run before is left in what it
 * does. All calls that ask for memory are wrapped by the linker, and counted.
 */
#include "support.h"

#include <workloom/sim.h>

#include <stdlib.h>

enum { JOBS = 1000, PROCS = 64, WIDER = 500, LITTLE = 8 << 10 };

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
                                        .request_s = 10000,
                                        .user = i % 50});
    return trace;
}

static size_t run(struct loom_sim *sim, const char *policy, int64_t procs,
                  const struct loom_trace *trace)
{
    const struct loom_sim_options options = {.scheduler = policy, .procs = procs};
    asked = 0;
    assert_int_equal(loom_sim_run_trace(sim, &options, trace, NULL), 0);
    return asked;
}

/* As a simulator that has never run does it. */
static void assert_as_fresh(const struct loom_sim *sim, const char *policy, int64_t procs,
                            const struct loom_trace *trace)
{
    struct loom_sim *fresh = NULL;
    assert_int_equal(loom_sim_create(&fresh, NULL), 0);
    run(fresh, policy, procs, trace);
    size_t n, n_fresh;
    const struct loom_sim_job *jobs = loom_sim_jobs(sim, &n);
    const struct loom_sim_job *same = loom_sim_jobs(fresh, &n_fresh);
    assert_int_equal(n, n_fresh);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(jobs[i].start_s, same[i].start_s);
    loom_sim_destroy(fresh);
}

static void assert_reuses(const char *policy, const struct loom_trace *trace)
{
    struct loom_sim *sim = NULL;
    assert_int_equal(loom_sim_create(&sim, NULL), 0);
    /* The first run asks for the table of jobs at least. */
    assert_in_range(run(sim, policy, PROCS, trace), sizeof(struct loom_sim_job) * JOBS, SIZE_MAX);
    assert_in_range(run(sim, policy, PROCS, trace), 0, LITTLE);
    loom_sim_shrink(sim);
    assert_as_fresh(sim, policy, PROCS, trace);
    run(sim, policy, PROCS, trace);
    assert_as_fresh(sim, policy, PROCS, trace);
    loom_sim_destroy(sim);
}

static void test_second_runs_ask_for_nothing(void **state)
{
    static const char *const others[] = {"easy:order=sjf", "selective:categories=runtime",
                                         "selective:threshold=2", "ups:priority=recency"};
    (void)state;
    struct loom_trace *trace = crowd();
    for (size_t i = 0; loom_scheduler_at(NULL, i); i++)
        assert_reuses(loom_scheduler_at(NULL, i)->name, trace);
    for (size_t i = 0; i < COUNT(others); i++)
        assert_reuses(others[i], trace);
    loom_trace_destroy(trace);
}

/* Other parameters, another machine, and other policies in between. */
static void test_nothing_is_left(void **state)
{
    static const struct {
        const char *policy;
        int64_t procs;
    } runs[] = {
        {"selective:threshold=2", PROCS},
        {"selective", PROCS},
        {"selective:categories=runtime", WIDER},
        {"selective", PROCS},
        {"conservative", PROCS},
        {"conservative", WIDER},
        {"conservative", PROCS},
        {"ups", PROCS},
        {"ups:priority=recency,alpha=0.9", WIDER},
        {"ups", PROCS},
        {"easy-sjbf", PROCS},
        {"easy-sjbf:order=lcfs", WIDER},
        {"selective", PROCS},
        {"easy", PROCS},
        {"easy-sjbf", PROCS},
        {"conservative", PROCS},
        {"ups", WIDER},
    };
    (void)state;
    struct loom_trace *trace = crowd();
    struct loom_sim *sim = NULL;
    assert_int_equal(loom_sim_create(&sim, NULL), 0);
    for (size_t i = 0; i < COUNT(runs); i++) {
        run(sim, runs[i].policy, runs[i].procs, trace);
        assert_as_fresh(sim, runs[i].policy, runs[i].procs, trace);
    }
    loom_sim_destroy(sim);
    loom_trace_destroy(trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_second_runs_ask_for_nothing),
                                       cmocka_unit_test(test_nothing_is_left)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

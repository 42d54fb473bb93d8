/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A study in the threads of this process: each has a runner, and writes what it has run. */
#include "experiment/study.h"

#include <stdlib.h>

struct work {
    struct loom_study *study;
    size_t from;
    struct loom_runner **runners;       /* by worker */
    struct loom_study_result **results; /* by worker */
};

static int open_worker(struct work *work, unsigned worker, struct loom_error *err)
{
    if (work->runners[worker])
        return 0;
    work->results[worker] = malloc(loom_study_largest(work->study) * sizeof **work->results);
    return work->results[worker] ? loom_runner_create(&work->runners[worker], err)
                                 : loom_fail_memory(err);
}

static int run_task(void *context, size_t index, unsigned worker, struct loom_error *err)
{
    struct work *work = context;
    size_t task = work->from + index, n = 0;
    if (loom_study_stopping(work->study) || !loom_study_wanted(work->study, task))
        return 0;
    int rc = open_worker(work, worker, err);
    if (!rc)
        rc = loom_study_work(work->results[worker], &n, work->study, task, work->runners[worker],
                             err);
    if (!rc)
        rc = loom_study_write(work->study, work->results[worker], n, err);
    loom_study_release(work->results[worker], n);
    return rc;
}

int loom_study_threads(struct loom_study *study, size_t from, size_t to, struct loom_error *err)
{
    struct loom_pool *pool = study->options->pool;
    size_t threads = loom_pool_threads(pool);
    struct work work = {.study = study,
                        .from = from,
                        .runners = calloc(threads, sizeof *work.runners),
                        .results = calloc(threads, sizeof *work.results)};
    int rc = work.runners && work.results ? 0 : loom_fail_memory(err);
    if (!rc)
        rc = loom_pool_for(pool, to - from, run_task, &work, err);
    for (size_t i = 0; i < threads; i++) {
        if (work.runners)
            loom_runner_destroy(work.runners[i]);
        if (work.results)
            free(work.results[i]);
    }
    free(work.runners);
    free(work.results);
    return rc;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pool.c - threads that share out numbered tasks, with results that do not depend on their number.
 *
 * The tasks of one call of loom_pool_for or loom_pool_ordered are a task set. They start in order
 * of index. A task that fails lowers the limit of the set to its index, and no task at or above the
 * limit is started. So every task below the lowest failure runs, and the failure reported is the
 * one that a loop in the caller would report.
 *
 * The caller works on its set as worker 0, and up to threads - 1 helpers join it. A pool gives
 * helpers to one set at a time. Without a pool, loom_pool_for is a loop in the caller.
 */
#include "base/pool.h"

#include "base/signals.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct task_set {
    loom_task_fn *task;
    loom_task_fn *emit; /* NULL for loom_pool_for */
    void *context;
    size_t window;
    atomic_size_t next;  /* the index to hand out next */
    atomic_size_t limit; /* the number of tasks, or the lowest index that failed */

    pthread_mutex_t mutex;   /* guards all below, and for ordered sets next and limit too */
    pthread_cond_t not_full; /* a task may start, or none is left to start */
    size_t emitted;          /* indices below have been emitted */
    bool emitting;           /* some worker is busy emitting */
    bool *done;              /* done[i % window]: task i is done but not emitted */
    int code;                /* of the failure at limit */
    struct loom_error error;
};

struct helper {
    pthread_t thread;
    struct loom_pool *pool;
    unsigned worker;
};

struct loom_pool {
    unsigned threads; /* the caller and its helpers */
    unsigned started; /* helpers that run */
    pthread_mutex_t mutex;
    pthread_cond_t work;  /* slots_left > 0, or the pool is stopping */
    pthread_cond_t idle;  /* active == 0 */
    struct task_set *set; /* the one with helpers, or NULL */
    unsigned slots_left;  /* helpers that may still join the set */
    unsigned active;      /* helpers that work on the set */
    bool stopping;
    struct helper helpers[]; /* threads - 1; helper h is worker h + 1 */
};

/* ---- a set, as seen by one worker ------------------------------------------------------------ */

static void blank(struct loom_error *error)
{
    error->code = 0;
    error->line = 0;
    error->column = 0;
    error->file[0] = '\0';
    error->message[0] = '\0';
}

/* Lower the limit to a task that failed. The set's mutex is held. */
static void note_failure(struct task_set *set, size_t index, int code,
                         const struct loom_error *error)
{
    if (index >= set->limit)
        return;
    set->limit = index;
    set->code = code;
    set->error = *error;
    set->error.code = code;
    pthread_cond_broadcast(&set->not_full);
}

static bool run_task(struct task_set *set, size_t index, unsigned worker, struct loom_error *error)
{
    blank(error);
    int code = set->task(set->context, index, worker, error);
    if (code == 0)
        return true;
    pthread_mutex_lock(&set->mutex);
    note_failure(set, index, code, error);
    pthread_mutex_unlock(&set->mutex);
    return false;
}

static void work_unordered(struct task_set *set, unsigned worker)
{
    struct loom_error error = {0};
    for (;;) {
        size_t index = atomic_fetch_add_explicit(&set->next, 1, memory_order_relaxed);
        if (index >= atomic_load_explicit(&set->limit, memory_order_relaxed))
            return;
        run_task(set, index, worker, &error);
    }
}

/* Wait until the window is not full, and store the index of the next task; false if none is left.
 * The wait ends: the task at `emitted` has been started, and a worker emits it or lowers the
 * limit to it. */
static bool next_task(struct task_set *set, size_t *index)
{
    pthread_mutex_lock(&set->mutex);
    while (set->next < set->limit && set->next - set->emitted >= set->window)
        pthread_cond_wait(&set->not_full, &set->mutex);
    bool more = set->next < set->limit;
    if (more)
        *index = set->next++;
    else
        pthread_cond_broadcast(&set->not_full); /* wake the others: none is left */
    pthread_mutex_unlock(&set->mutex);
    return more;
}

/* Emit the next task. The set's mutex is held, but released while emit runs. */
static void emit_one(struct task_set *set, unsigned worker, struct loom_error *error)
{
    size_t index = set->emitted;
    pthread_mutex_unlock(&set->mutex);
    blank(error);
    int code = set->emit(set->context, index, worker, error);
    pthread_mutex_lock(&set->mutex);
    if (code != 0) {
        note_failure(set, index, code, error);
        return;
    }
    set->done[index % set->window] = false;
    set->emitted++;
    pthread_cond_signal(&set->not_full);
}

/* Note that a task is done. If it is the next to emit and nobody is emitting, its worker emits it
 * and all done tasks that follow. */
static void complete(struct task_set *set, size_t index, unsigned worker, struct loom_error *error)
{
    pthread_mutex_lock(&set->mutex);
    set->done[index % set->window] = true;
    if (!set->emitting) {
        set->emitting = true;
        while (set->emitted < set->limit && set->done[set->emitted % set->window])
            emit_one(set, worker, error);
        set->emitting = false;
    }
    pthread_mutex_unlock(&set->mutex);
}

static void work_ordered(struct task_set *set, unsigned worker)
{
    struct loom_error error = {0};
    size_t index = 0;
    while (next_task(set, &index)) {
        if (run_task(set, index, worker, &error))
            complete(set, index, worker, &error);
    }
}

static void work_on(struct task_set *set, unsigned worker)
{
    if (set->emit)
        work_ordered(set, worker);
    else
        work_unordered(set, worker);
}

/* ---- helpers --------------------------------------------------------------------------------- */

static void *helper_main(void *argument)
{
    const struct helper *self = argument;
    struct loom_pool *pool = self->pool;
    pthread_mutex_lock(&pool->mutex);
    for (;;) {
        while (!pool->stopping && pool->slots_left == 0)
            pthread_cond_wait(&pool->work, &pool->mutex);
        if (pool->stopping)
            break;
        struct task_set *set = pool->set;
        pool->slots_left--;
        pool->active++;
        pthread_mutex_unlock(&pool->mutex);
        work_on(set, self->worker);
        pthread_mutex_lock(&pool->mutex);
        if (--pool->active == 0)
            pthread_cond_signal(&pool->idle);
    }
    pthread_mutex_unlock(&pool->mutex);
    return NULL;
}

/* Signals that someone sends belong to the program's own threads. */
static int start_helpers(struct loom_pool *pool, struct loom_error *err)
{
    sigset_t before;
    loom_signals_hold(&before);
    int code = 0;
    while (code == 0 && pool->started < pool->threads - 1) {
        struct helper *helper = &pool->helpers[pool->started];
        helper->pool = pool;
        helper->worker = pool->started + 1;
        code = pthread_create(&helper->thread, NULL, helper_main, helper);
        if (code == 0)
            pool->started++;
    }
    loom_signals_release(&before);
    if (code == 0)
        return 0;
    char reason[128];
    return loom_fail(err, LOOM_EIO, "cannot start thread %u of %u: %s; ask for fewer threads",
                     pool->started + 2, pool->threads, strerror_r(code, reason, sizeof reason));
}

/* Return how many processors this process may run on. The kernel refuses a CPU set smaller than its
 * own. */
static unsigned available_processors(void)
{
    for (size_t size = 1024; size <= (size_t)1 << 20; size *= 2) {
        cpu_set_t *cpus = CPU_ALLOC(size);
        if (!cpus)
            break;
        int known = sched_getaffinity(0, CPU_ALLOC_SIZE(size), cpus);
        int count = known == 0 ? CPU_COUNT_S(CPU_ALLOC_SIZE(size), cpus) : 0;
        CPU_FREE(cpus);
        if (count > 0)
            return (unsigned)count;
    }
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (unsigned)online : 1;
}

int loom_pool_create(struct loom_pool **out, unsigned threads, struct loom_error *err)
{
    *out = NULL;
    if (threads > LOOM_MAX_THREADS)
        return loom_fail(err, LOOM_ERANGE, "%u threads are too many: ask for at most %d", threads,
                         LOOM_MAX_THREADS);
    if (threads == 0)
        threads = available_processors();
    if (threads > LOOM_MAX_THREADS)
        threads = LOOM_MAX_THREADS;
    struct loom_pool *pool = calloc(1, sizeof *pool + (threads - 1) * sizeof pool->helpers[0]);
    if (!pool)
        return loom_fail_memory(err);
    pool->threads = threads;
    pool->mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    pool->work = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    pool->idle = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    int code = start_helpers(pool, err);
    if (code != 0) {
        loom_pool_destroy(pool);
        return code;
    }
    *out = pool;
    return 0;
}

void loom_pool_destroy(struct loom_pool *pool)
{
    if (!pool)
        return;
    pthread_mutex_lock(&pool->mutex);
    pool->stopping = true;
    pthread_cond_broadcast(&pool->work);
    pthread_mutex_unlock(&pool->mutex);
    for (unsigned h = 0; h < pool->started; h++)
        pthread_join(pool->helpers[h].thread, NULL);
    pthread_cond_destroy(&pool->idle);
    pthread_cond_destroy(&pool->work);
    pthread_mutex_destroy(&pool->mutex);
    free(pool);
}

unsigned loom_pool_threads(const struct loom_pool *pool)
{
    return pool ? pool->threads : 1;
}

/* ---- sharing a set --------------------------------------------------------------------------- */

/* The number of the calling thread: a helper's own, 0 for any other. */
static unsigned own_number(const struct loom_pool *pool)
{
    pthread_t self = pthread_self();
    for (unsigned h = 0; h < pool->started; h++) {
        if (pthread_equal(self, pool->helpers[h].thread))
            return pool->helpers[h].worker;
    }
    return 0;
}

/* Let up to `wanted` helpers join the set; false if another set has them. */
static bool attach_helpers(struct loom_pool *pool, struct task_set *set, size_t wanted)
{
    pthread_mutex_lock(&pool->mutex);
    bool is_free = pool->set == NULL;
    if (is_free) {
        pool->set = set;
        pool->slots_left = wanted < pool->started ? (unsigned)wanted : pool->started;
        for (unsigned i = 0; i < pool->slots_left; i++)
            pthread_cond_signal(&pool->work);
    }
    pthread_mutex_unlock(&pool->mutex);
    return is_free;
}

/* Wait until the helpers that joined have finished; no more may join. */
static void wait_helpers(struct loom_pool *pool)
{
    pthread_mutex_lock(&pool->mutex);
    pool->slots_left = 0;
    while (pool->active > 0)
        pthread_cond_wait(&pool->idle, &pool->mutex);
    pool->set = NULL;
    pthread_mutex_unlock(&pool->mutex);
}

/* Run a task set of which `width` tasks can run at once. A nested call, made by a task, gets no
 * helpers while its outer set has them: it runs all its tasks in the calling thread, under that
 * thread's worker number, so that memory indexed by worker is not shared. A set of width 1 takes no
 * helpers, which leaves them to nested calls. */
static int pool_run(struct loom_pool *pool, struct task_set *set, size_t width,
                    struct loom_error *err)
{
    set->mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    set->not_full = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    bool helped = loom_pool_threads(pool) > 1 && width > 1 && attach_helpers(pool, set, width - 1);
    work_on(set, pool ? own_number(pool) : 0);
    if (helped)
        wait_helpers(pool);
    pthread_cond_destroy(&set->not_full);
    pthread_mutex_destroy(&set->mutex);
    if (set->code != 0 && err)
        *err = set->error;
    return set->code;
}

/* Run all tasks in the caller. As in a set, each gets an empty error, and the first failure is
 * returned. */
static int work_alone(size_t n, loom_task_fn *task, void *context, struct loom_error *err)
{
    int code = 0;
    for (size_t i = 0; i < n && code == 0; i++) {
        struct loom_error error = {0};
        error.code = code = task(context, i, 0, &error);
        if (code != 0 && err)
            *err = error;
    }
    return code;
}

int loom_pool_for(struct loom_pool *pool, size_t n, loom_task_fn *task, void *context,
                  struct loom_error *err)
{
    if (n == 0)
        return 0;
    if (!pool)
        return work_alone(n, task, context, err);
    struct task_set set = {.task = task, .context = context, .limit = n};
    return pool_run(pool, &set, n, err);
}

int loom_pool_ordered(struct loom_pool *pool, size_t n, size_t window, loom_task_fn *task,
                      loom_task_fn *emit, void *context, struct loom_error *err)
{
    if (window == 0)
        return loom_fail(err, LOOM_EUSAGE,
                         "a window of 0 tasks lets no task start: give 1 or more");
    if (n == 0)
        return 0;
    if (window > n)
        window = n;
    struct task_set set = {
        .task = task, .emit = emit, .context = context, .window = window, .limit = n};
    set.done = calloc(window, sizeof set.done[0]);
    if (!set.done)
        return loom_fail_memory(err);
    int code = pool_run(pool, &set, window, err);
    free(set.done);
    return code;
}

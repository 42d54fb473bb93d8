/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pool.c - threads that share out numbered tasks, with results that do not depend on their number.
 *
 * One call of loom_pool_for or loom_pool_ordered is a batch. Its tasks are handed out in order of
 * index, so all tasks below any index handed out have been handed out too; a failed task lowers the
 * batch's limit to its index, and nothing at or above the limit is started. Every task below the
 * lowest failure therefore runs, and the failure reported is the one a loop in the caller would
 * have met.
 *
 * The caller works on its own batch as worker 0, and up to threads - 1 helpers join it. A pool has
 * one batch at a time: a call that finds it busy, such as one made by a task, works on its batch
 * alone. It keeps the worker number of its thread, so scratch memory kept by worker is not shared.
 * Without a pool, loom_pool_for is a loop in the caller.
 */
#include "base/pool.h"

#include "base/signals.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct batch {
    loom_task_fn *task;
    loom_task_fn *emit; /* NULL for loom_pool_for */
    void *context;
    size_t window;
    atomic_size_t next;  /* the index to hand out next */
    atomic_size_t limit; /* the number of tasks, or the lowest index that failed */

    pthread_mutex_t mutex; /* guards all below, and for ordered batches next and limit too */
    pthread_cond_t room;   /* a task may have become free to start, or none is left */
    size_t emitted;        /* indices below have been emitted */
    bool emitting;         /* some worker is busy emitting */
    bool *made; /* made[i % window]: i is made but not emitted, emitted <= i < + window */
    int code;   /* of the failure at limit */
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
    pthread_cond_t work; /* there are places to take, or the pool is stopping */
    pthread_cond_t idle; /* no helper is inside the batch */
    struct batch *batch; /* NULL if the pool is free */
    unsigned places;     /* how many more helpers may join the batch */
    unsigned inside;     /* helpers at work on the batch */
    bool stopping;
    struct helper helpers[]; /* threads - 1; helper h is worker h + 1 */
};

/* ---- a batch, as seen by one worker ---------------------------------------------------------- */

static void blank(struct loom_error *error)
{
    error->code = 0;
    error->line = 0;
    error->column = 0;
    error->file[0] = '\0';
    error->message[0] = '\0';
}

/* The batch's mutex is held. */
static void note_failure(struct batch *batch, size_t index, int code,
                         const struct loom_error *error)
{
    if (index >= batch->limit)
        return;
    batch->limit = index;
    batch->code = code;
    batch->error = *error;
    batch->error.code = code;
    pthread_cond_broadcast(&batch->room);
}

static bool run_task(struct batch *batch, size_t index, unsigned worker, struct loom_error *error)
{
    blank(error);
    int code = batch->task(batch->context, index, worker, error);
    if (code == 0)
        return true;
    pthread_mutex_lock(&batch->mutex);
    note_failure(batch, index, code, error);
    pthread_mutex_unlock(&batch->mutex);
    return false;
}

static void work_unordered(struct batch *batch, unsigned worker)
{
    struct loom_error error = {0};
    for (;;) {
        size_t index = atomic_fetch_add_explicit(&batch->next, 1, memory_order_relaxed);
        if (index >= atomic_load_explicit(&batch->limit, memory_order_relaxed))
            return;
        run_task(batch, index, worker, &error);
    }
}

/* Wait until there is room for one more task, and take it; false if none is left. The wait ends:
 * the task at `emitted` was handed out before, and whoever made it emits it or lowers the limit to
 * it. */
static bool pool_take(struct batch *batch, size_t *index)
{
    pthread_mutex_lock(&batch->mutex);
    while (batch->next < batch->limit && batch->next - batch->emitted >= batch->window)
        pthread_cond_wait(&batch->room, &batch->mutex);
    bool more = batch->next < batch->limit;
    if (more)
        *index = batch->next++;
    else
        pthread_cond_broadcast(&batch->room); /* the others need not wait for room either */
    pthread_mutex_unlock(&batch->mutex);
    return more;
}

/* The batch's mutex is held, but let go while emit runs. */
static void emit_one(struct batch *batch, unsigned worker, struct loom_error *error)
{
    size_t index = batch->emitted;
    pthread_mutex_unlock(&batch->mutex);
    blank(error);
    int code = batch->emit(batch->context, index, worker, error);
    pthread_mutex_lock(&batch->mutex);
    if (code != 0) {
        note_failure(batch, index, code, error);
        return;
    }
    batch->made[index % batch->window] = false;
    batch->emitted++;
    pthread_cond_signal(&batch->room);
}

/* The worker that finishes the next task in order emits it and all ready ones after it. */
static void hand_in(struct batch *batch, size_t index, unsigned worker, struct loom_error *error)
{
    pthread_mutex_lock(&batch->mutex);
    batch->made[index % batch->window] = true;
    if (!batch->emitting) {
        batch->emitting = true;
        while (batch->emitted < batch->limit && batch->made[batch->emitted % batch->window])
            emit_one(batch, worker, error);
        batch->emitting = false;
    }
    pthread_mutex_unlock(&batch->mutex);
}

static void work_ordered(struct batch *batch, unsigned worker)
{
    struct loom_error error = {0};
    size_t index = 0;
    while (pool_take(batch, &index)) {
        if (run_task(batch, index, worker, &error))
            hand_in(batch, index, worker, &error);
    }
}

static void work_on(struct batch *batch, unsigned worker)
{
    if (batch->emit)
        work_ordered(batch, worker);
    else
        work_unordered(batch, worker);
}

/* ---- helpers --------------------------------------------------------------------------------- */

static void *helper_main(void *argument)
{
    const struct helper *self = argument;
    struct loom_pool *pool = self->pool;
    pthread_mutex_lock(&pool->mutex);
    for (;;) {
        while (!pool->stopping && pool->places == 0)
            pthread_cond_wait(&pool->work, &pool->mutex);
        if (pool->stopping)
            break;
        struct batch *batch = pool->batch;
        pool->places--;
        pool->inside++;
        pthread_mutex_unlock(&pool->mutex);
        work_on(batch, self->worker);
        pthread_mutex_lock(&pool->mutex);
        if (--pool->inside == 0)
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

/* How many processors this process may run on. The kernel refuses a set smaller than its own. */
static unsigned available_processors(void)
{
    for (size_t size = 1024; size <= (size_t)1 << 20; size *= 2) {
        cpu_set_t *set = CPU_ALLOC(size);
        if (!set)
            break;
        int known = sched_getaffinity(0, CPU_ALLOC_SIZE(size), set);
        int count = known == 0 ? CPU_COUNT_S(CPU_ALLOC_SIZE(size), set) : 0;
        CPU_FREE(set);
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

/* ---- sharing a batch ------------------------------------------------------------------------- */

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

/* Invite up to `wanted` helpers; false if the pool is busy. */
static bool invite(struct loom_pool *pool, struct batch *batch, size_t wanted)
{
    pthread_mutex_lock(&pool->mutex);
    bool is_free = pool->batch == NULL;
    if (is_free) {
        pool->batch = batch;
        pool->places = wanted < pool->started ? (unsigned)wanted : pool->started;
        for (unsigned i = 0; i < pool->places; i++)
            pthread_cond_signal(&pool->work);
    }
    pthread_mutex_unlock(&pool->mutex);
    return is_free;
}

/* Wait for the helpers that joined. Others would find no task left. */
static void dismiss(struct loom_pool *pool)
{
    pthread_mutex_lock(&pool->mutex);
    pool->places = 0;
    while (pool->inside > 0)
        pthread_cond_wait(&pool->idle, &pool->mutex);
    pool->batch = NULL;
    pthread_mutex_unlock(&pool->mutex);
}

/* width: how many tasks can run at once. A batch that cannot use helpers leaves the pool free for
 * the calls its tasks make. */
static int pool_run(struct loom_pool *pool, struct batch *batch, size_t width,
                    struct loom_error *err)
{
    batch->mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    batch->room = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    bool helped = loom_pool_threads(pool) > 1 && width > 1 && invite(pool, batch, width - 1);
    work_on(batch, pool ? own_number(pool) : 0);
    if (helped)
        dismiss(pool);
    pthread_cond_destroy(&batch->room);
    pthread_mutex_destroy(&batch->mutex);
    if (batch->code != 0 && err)
        *err = batch->error;
    return batch->code;
}

/* As a batch does: the error of a task is empty before it, and the first failure is returned. */
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
    struct batch batch = {.task = task, .context = context, .limit = n};
    return pool_run(pool, &batch, n, err);
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
    struct batch batch = {
        .task = task, .emit = emit, .context = context, .window = window, .limit = n};
    batch.made = calloc(window, sizeof batch.made[0]);
    if (!batch.made)
        return loom_fail_memory(err);
    int code = pool_run(pool, &batch, window, err);
    free(batch.made);
    return code;
}

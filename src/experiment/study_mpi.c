/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A study in several processes, started by mpirun. Process 0 alone has the database: its main
 * thread hands out tasks and writes results, and sleeps between messages, while a second thread of
 * it works like the other processes. These ask for a task, and send its results with the next
 * question. When process 0 cannot go on, its error goes to all.
 *
 * MPI is called by the main threads only, and only under mpirun: a build with MPI runs alone
 * without it.
 */
#include "experiment/study.h"

#include "config.h"

#include <stdlib.h>

#ifndef WORKLOOM_HAS_MPI

bool loom_study_is_parallel(void)
{
    return false;
}

int loom_study_mpi(struct loom_study *study, struct loom_error *err)
{
    (void)study;
    return loom_fail(err, LOOM_EUSAGE, "this build has no MPI");
}

#else

#include <mpi.h>
#include <string.h>
#include <time.h>

enum { TAG_RESULTS = 1, TAG_FAILED = 2, TAG_TASK = 3, TAG_CLASSES = 4 };
#define NO_TASK UINT64_MAX

bool loom_study_is_parallel(void)
{
    static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const char *size = getenv(sizes[i]);
        if (size && atol(size) > 1)
            return true;
    }
    return false;
}

/* Wait for a message without using the processor, as MPI_Recv would. */
static MPI_Status wait_message(int from, int tag)
{
    const struct timespec pause = {.tv_nsec = 200000};
    MPI_Status status;
    int there = 0;
    for (;;) {
        MPI_Iprobe(from, tag, MPI_COMM_WORLD, &there, &status);
        if (there)
            return status;
        nanosleep(&pause, NULL);
    }
}

/* ---- results between processes --------------------------------------------------------------- */

static size_t count_classes(const struct loom_study_result *results, size_t n)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        count += results[i].n_classes;
    return count;
}

/* Send results to process 0; if they have classes, all of these in a second message. */
static int send_results(const struct loom_study_result *results, size_t n, struct loom_error *err)
{
    size_t count = count_classes(results, n), used = 0;
    struct loom_store_class *classes = count > 0 ? malloc(count * sizeof *classes) : NULL;
    if (count > 0 && !classes)
        return loom_fail_memory(err);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < results[i].n_classes; k++)
            classes[used++] = results[i].classes[k];
    MPI_Send(results, (int)(n * sizeof *results), MPI_BYTE, 0, TAG_RESULTS, MPI_COMM_WORLD);
    if (count > 0)
        MPI_Send(classes, (int)(count * sizeof *classes), MPI_BYTE, 0, TAG_CLASSES, MPI_COMM_WORLD);
    free(classes);
    return 0;
}

/* Receive the classes of results whose message was received before. */
static int receive_classes(struct loom_study_result *results, size_t n, int process,
                           struct loom_error *err)
{
    size_t count = count_classes(results, n), used = 0;
    struct loom_store_class *classes = malloc((count + 1) * sizeof *classes);
    if (!classes)
        MPI_Abort(MPI_COMM_WORLD, 1); /* the message could not be received */
    if (count > 0)
        MPI_Recv(classes, (int)(count * sizeof *classes), MPI_BYTE, process, TAG_CLASSES,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    int rc = 0;
    for (size_t i = 0; i < n; i++) {
        size_t own = results[i].n_classes;
        results[i].classes = own > 0 ? malloc(own * sizeof *classes) : NULL;
        if (results[i].classes)
            memcpy(results[i].classes, classes + used, own * sizeof *classes);
        else if (own > 0)
            rc = loom_fail_memory(err);
        used += own;
    }
    free(classes);
    return rc;
}

/* ---- process 0 ------------------------------------------------------------------------------- */

/* What both threads of process 0 share, and who waits for a task. */
struct writer {
    struct loom_study *study;
    pthread_mutex_t lock;
    size_t next, to; /* tasks to hand out */
    int rc;          /* the first failure, of any process */
    struct loom_error err;
    bool thread_done;
    int *waiting; /* processes without a task */
    int n_waiting, others;
    struct loom_study_result *results; /* room for the results of a message */
};

static void note_failure(struct writer *writer, int rc, const struct loom_error *err)
{
    pthread_mutex_lock(&writer->lock);
    if (rc && !writer->rc) {
        writer->rc = rc;
        writer->err = *err;
    }
    pthread_mutex_unlock(&writer->lock);
}

static uint64_t take_task(struct writer *writer)
{
    uint64_t task = NO_TASK;
    pthread_mutex_lock(&writer->lock);
    while (!writer->rc && !loom_study_stopping(writer->study) && writer->next < writer->to &&
           task == NO_TASK) {
        size_t candidate = writer->next++;
        if (loom_study_wanted(writer->study, candidate))
            task = candidate;
    }
    pthread_mutex_unlock(&writer->lock);
    return task;
}

static void *work_here(void *context)
{
    struct writer *writer = context;
    struct loom_study *study = writer->study;
    struct loom_error err = {0};
    struct loom_runner *runner = NULL;
    struct loom_study_result *results = malloc(loom_study_largest(study) * sizeof *results);
    int rc = results ? loom_runner_create(&runner, &err) : loom_fail_memory(&err);
    uint64_t task;
    size_t n;
    while (!rc && (task = take_task(writer)) != NO_TASK) {
        rc = loom_study_work(results, &n, study, task, runner, &err);
        if (!rc)
            rc = loom_study_write(study, results, n, &err);
        loom_study_release(results, n);
    }
    note_failure(writer, rc, &err);
    loom_runner_destroy(runner);
    free(results);
    pthread_mutex_lock(&writer->lock);
    writer->thread_done = true;
    pthread_mutex_unlock(&writer->lock);
    return NULL;
}

/* Send a process its next task, or let it wait for one. */
static void answer(struct writer *writer, int process)
{
    uint64_t task = take_task(writer);
    if (task == NO_TASK)
        writer->waiting[writer->n_waiting++] = process;
    else
        MPI_Send(&task, 1, MPI_UINT64_T, process, TAG_TASK, MPI_COMM_WORLD);
}

/* Take a message: results to write, or an error. */
static void serve(struct writer *writer, const MPI_Status *from)
{
    struct loom_error err = {0};
    int bytes = 0;
    if (from->MPI_TAG == TAG_FAILED) {
        MPI_Recv(&err, sizeof err, MPI_BYTE, from->MPI_SOURCE, TAG_FAILED, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        err.field = NULL; /* a pointer of another process */
        note_failure(writer, err.code ? err.code : LOOM_ENOMEM, &err);
    } else {
        MPI_Get_count(from, MPI_BYTE, &bytes);
        MPI_Recv(writer->results, bytes, MPI_BYTE, from->MPI_SOURCE, TAG_RESULTS, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        size_t n = (size_t)bytes / sizeof *writer->results;
        int rc = receive_classes(writer->results, n, from->MPI_SOURCE, &err);
        if (!rc && n > 0)
            rc = loom_study_write(writer->study, writer->results, n, &err);
        loom_study_release(writer->results, n);
        note_failure(writer, rc, &err);
    }
    answer(writer, from->MPI_SOURCE);
}

static bool is_over(struct writer *writer)
{
    pthread_mutex_lock(&writer->lock);
    bool over = writer->thread_done && writer->n_waiting == writer->others;
    pthread_mutex_unlock(&writer->lock);
    return over;
}

static struct writer *writer_of(struct loom_study *study);

/* Hand out tasks [from, to) until nobody works any more. */
static int run_round(struct loom_study *study, size_t from, size_t to, struct loom_error *err)
{
    const struct timespec pause = {.tv_nsec = 200000};
    struct writer *writer = writer_of(study);
    pthread_t thread;
    int n = writer->n_waiting;
    writer->next = from;
    writer->to = to;
    writer->thread_done = false;
    writer->n_waiting = 0;
    if (pthread_create(&thread, NULL, work_here, writer) != 0)
        return loom_fail(err, LOOM_EIO, "cannot start a thread");
    for (int i = 0; i < n; i++) /* answers only write where they have read */
        answer(writer, writer->waiting[i]);
    while (!is_over(writer)) {
        MPI_Status status;
        int there = 0;
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
        if (there)
            serve(writer, &status);
        else
            nanosleep(&pause, NULL);
    }
    pthread_join(thread, NULL);
    if (writer->rc && err)
        *err = writer->err;
    return writer->rc;
}

static void send_away(struct writer *writer)
{
    uint64_t none = NO_TASK;
    /* Those that have not asked yet do so now; their results, if any, are written. */
    while (writer->n_waiting < writer->others) {
        MPI_Status status = wait_message(MPI_ANY_SOURCE, MPI_ANY_TAG);
        serve(writer, &status);
    }
    for (int i = 0; i < writer->n_waiting; i++)
        MPI_Send(&none, 1, MPI_UINT64_T, writer->waiting[i], TAG_TASK, MPI_COMM_WORLD);
}

/* ---- other processes ------------------------------------------------------------------------- */

static void work_away(struct loom_study *study)
{
    struct loom_error err = {0};
    struct loom_runner *runner = NULL;
    struct loom_study_result *results = malloc(loom_study_largest(study) * sizeof *results);
    int rc = results ? loom_runner_create(&runner, &err) : loom_fail_memory(&err);
    uint64_t task;
    size_t n = 0;
    for (;;) {
        if (!rc)
            rc = send_results(results, n, &err);
        loom_study_release(results, n);
        n = 0;
        if (rc)
            MPI_Send(&err, sizeof err, MPI_BYTE, 0, TAG_FAILED, MPI_COMM_WORLD);
        wait_message(0, TAG_TASK);
        MPI_Recv(&task, 1, MPI_UINT64_T, 0, TAG_TASK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (task == NO_TASK)
            break;
        rc = loom_study_work(results, &n, study, task, runner, &err);
    }
    loom_runner_destroy(runner);
    free(results);
}

/* ---- all ------------------------------------------------------------------------------------- */

/* The study comes first, so that a round finds the rest by it. */
struct parallel {
    struct loom_study study;
    struct writer writer;
};

static struct writer *writer_of(struct loom_study *study)
{
    return &((struct parallel *)study)->writer;
}

static int open_writer(struct parallel *parallel, int processes, struct loom_error *err)
{
    struct writer *writer = &parallel->writer;
    writer->study = &parallel->study;
    writer->others = processes - 1;
    pthread_mutex_init(&writer->lock, NULL);
    writer->waiting = calloc((size_t)processes, sizeof *writer->waiting);
    writer->results = malloc(loom_study_largest(writer->study) * sizeof *writer->results);
    return writer->waiting && writer->results ? loom_study_open_store(writer->study, err)
                                              : loom_fail_memory(err);
}

enum { MOST_SENT = 1 << 30 }; /* counts of MPI are int */

/* All processes know what is done, or that there is nothing to do. */
static int share_done(struct loom_study *study, int rc, struct loom_error *err)
{
    size_t size = loom_study_tasks(study) / study->n_workloads * study->plan->n_cells + 1;
    MPI_Bcast(&rc, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rc)
        return rc;
    if (!study->done && !(study->done = calloc(size, 1)))
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (size_t at = 0; at < size; at += MOST_SENT) {
        int n = size - at < MOST_SENT ? (int)(size - at) : MOST_SENT;
        MPI_Bcast(study->done + at, n, MPI_BYTE, 0, MPI_COMM_WORLD);
    }
    (void)err;
    return 0;
}

static int run_all(struct parallel *parallel, struct loom_error *err)
{
    int process, processes;
    MPI_Comm_rank(MPI_COMM_WORLD, &process);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    int rc = process == 0 ? open_writer(parallel, processes, err) : 0;
    rc = share_done(&parallel->study, rc, err);
    if (process > 0) {
        if (!rc)
            work_away(&parallel->study);
        return 0; /* process 0 says what is wrong */
    }
    if (!rc) {
        rc = loom_study_rounds(&parallel->study, run_round, err);
        send_away(&parallel->writer);
    }
    free(parallel->writer.waiting);
    free(parallel->writer.results);
    pthread_mutex_destroy(&parallel->writer.lock);
    return rc;
}

int loom_study_mpi(struct loom_study *study, struct loom_error *err)
{
    struct parallel parallel = {.study = *study};
    int before = 0, support = MPI_THREAD_SINGLE;
    MPI_Initialized(&before);
    if (!before)
        MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &support);
    pthread_mutex_init(&parallel.study.lock, NULL);
    int rc = run_all(&parallel, err);
    *study = parallel.study;
    if (!before)
        MPI_Finalize();
    return rc;
}

#endif

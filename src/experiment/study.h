/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * study.h - execution of a plan. A task is a workload of one replication: its runs follow each
 * other on one runner, so that its jobs are made once. Tasks are numbered by replication, then
 * workload; a free thread or process takes the next.
 */
#ifndef LOOM_EXPERIMENT_STUDY_H
#define LOOM_EXPERIMENT_STUDY_H

#include "experiment/plan.h"

#include <pthread.h>

enum { LOOM_STUDY_METRICS = 160, LOOM_HOST_TEXT = 64 };

/* A finished run, as it goes from a worker to the writer. Plain bytes, for MPI, which sends classes
 * in a second message. */
struct loom_study_result {
    uint64_t cell;
    int64_t replication;
    double seconds;
    int32_t failed;
    char message[256];
    char host[LOOM_HOST_TEXT];
    double values[LOOM_STUDY_METRICS]; /* in the order of the dictionary */
    uint64_t n_classes;
    struct loom_store_class *classes; /* owned; NULL without classes */
};

struct loom_study {
    const struct loom_plan *plan;
    const struct loom_study_options *options;
    struct loom_store *store; /* NULL in processes that do not write */
    size_t *order;            /* cells by workload; in a workload, by jobs */
    size_t *first;            /* of each workload in order; one more at the end */
    size_t n_workloads;
    uint8_t *done; /* by replication and cell: needs no run */
    const char *keys[LOOM_STUDY_METRICS];
    size_t n_keys;
    char host[LOOM_HOST_TEXT];
    double began_s;
    pthread_mutex_t lock; /* around report and progress */
    struct loom_study_report report;
};

/* Return the number of tasks, whether they are this shard's and done or not. */
size_t loom_study_tasks(const struct loom_study *study);
/* Return whether a task has anything to run here. */
bool loom_study_wanted(const struct loom_study *study, size_t task);
/* Return whether the caller's flag asks to stop. */
bool loom_study_stopping(const struct loom_study *study);

/* Run a task: results has room for loom_study_largest(). Stores how many are there in *n, even
 * after an error; the caller must release them. Fails for memory only: a run that fails is a
 * result. */
int loom_study_work(struct loom_study_result *results, size_t *n, const struct loom_study *study,
                    size_t task, struct loom_runner *runner, struct loom_error *err);
/* Free what n results own. */
void loom_study_release(struct loom_study_result *results, size_t n);
/* Return the most results of a task. */
size_t loom_study_largest(const struct loom_study *study);
/* Write the results of a task and report progress. Several threads may do so. */
int loom_study_write(struct loom_study *study, const struct loom_study_result *results, size_t n,
                     struct loom_error *err);

/* Open a study without its database; close it. */
int loom_study_open(struct loom_study *study, const struct loom_plan *plan,
                    const struct loom_study_options *options, struct loom_error *err);
void loom_study_close(struct loom_study *study);
/* Open the database, put the plan into it, and see what is done. */
int loom_study_open_store(struct loom_study *study, struct loom_error *err);

/* Run tasks [from, to) in threads (study_threads.c), or as one of several processes (study_mpi.c).
 */
int loom_study_threads(struct loom_study *study, size_t from, size_t to, struct loom_error *err);

/* Return whether mpirun started this process and several like it. */
bool loom_study_is_parallel(void);
/* Run the whole study with other processes; every process calls it. */
int loom_study_mpi(struct loom_study *study, struct loom_error *err);
/* Run all rounds with a function that runs tasks [from, to). */
typedef int loom_study_round(struct loom_study *study, size_t from, size_t to,
                             struct loom_error *err);
int loom_study_rounds(struct loom_study *study, loom_study_round *round, struct loom_error *err);

double loom_study_now_s(void);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* replay.h - the parts of a replay: what its runs share, one run, the search. */
#ifndef LOOM_EXPERIMENT_REPLAY_H
#define LOOM_EXPERIMENT_REPLAY_H

#include "experiment/replay_facts.h"

/* The waits of a log and of one run, by row; -1 where there is none. */
struct loom_replayed {
    const struct loom_trace *trace;
    size_t n; /* rows */
    const int64_t *logged_s;
    int64_t *simulated_s;
    int64_t first_s; /* first submission */
};

/* What all runs share. */
struct loom_replay_study {
    const struct loom_replay_options *options;
    const struct loom_trace *played; /* the log's jobs, without downtime in their runtimes */
    struct loom_trace *changed;      /* a copy for that; NULL: none was needed */
    struct loom_replay_report *report;
    int64_t *logged_s;    /* by row; -1: unknown, or not compared */
    int64_t first_s;      /* first submission */
    bool waited;          /* some logged wait is above 0 */
    struct loom_sim *log; /* its schedule */
    struct loom_replay_facts facts;
    size_t from; /* index of the first run of the list that is being run */
};

/* What to compute of a run. */
enum loom_replay_detail {
    LOOM_REPLAY_TOTAL,  /* errors of all jobs */
    LOOM_REPLAY_HALVES, /* and of the halves of the log */
    LOOM_REPLAY_FULL,   /* and classes and series, into the report */
};

/* Simulate a run with the values that it has, and compare (replay_run.c). */
int loom_replay_simulate(const struct loom_replay_study *study, struct loom_replay_run *run,
                         enum loom_replay_detail detail, struct loom_error *err);
/* Simulate a run with values of run->fitted, and keep the one that explains the first half best. */
int loom_replay_fit(const struct loom_replay_study *study, struct loom_replay_run *run,
                    struct loom_error *err);

/* Make the runs that the options ask for (replay_search.c). */
int loom_replay_run_asked(struct loom_replay_study *study, struct loom_error *err);
/* Make runs of all policies, then add assumptions to the best, by the first half. */
int loom_replay_search(struct loom_replay_study *study, struct loom_error *err);

/* Return the logarithm of the ratio of mean waits (replay_errors.c). A minute is added to both,
 * below which waits are noise. */
double loom_replay_log_ratio(const struct loom_replay_errors *errors);
/* Return (1 - rank correlation) / 2. */
double loom_replay_disorder(const struct loom_replay_errors *errors);
/* Compute the errors of each class of a kind (replay_errors.c). The caller must free *out. */
int loom_replay_classes_create(struct loom_replay_classes **out, const struct loom_replayed *of,
                               enum loom_replay_kind kind, struct loom_error *err);

#endif

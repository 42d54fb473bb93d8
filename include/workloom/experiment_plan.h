/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * experiment_plan.h - experiments: many scenarios, run in parallel, with results in a database.
 *
 * A plan is a set of words (keys) with values, from a YAML file or set one by one: the same words
 * as the options of the command. A key with several values is crossed with all others; each
 * combination is a cell, and each replication of a cell is a run. "cells" lists blocks of words
 * that are crossed among themselves and stand in place of the plan's own words of the same name.
 *
 *     struct loom_plan *plan = NULL;
 *     if (loom_plan_create(&plan, &err) || loom_plan_set(plan, "trace", "log.swf", &err) ||
 *         loom_plan_set(plan, "resample", NULL, &err) ||
 *         loom_plan_set(plan, "load", "0.9", &err) || loom_plan_load(plan, pool, &err) ||
 *         loom_study_run(&report, plan, &options, &err))
 *         ...
 *
 * The random numbers of a run depend on the seed of the plan, the source of its jobs (the content
 * of the log, the model) and the replication, and on nothing else: all policies, machines and
 * changes of a replication get the same workload.
 */
#ifndef WORKLOOM_EXPERIMENT_PLAN_H
#define WORKLOOM_EXPERIMENT_PLAN_H

#include <workloom/experiment.h>
#include <workloom/stats_intervals.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the plan -------------------------------------------------------------------------------- */

struct loom_plan;

/* The words of a plan as lists of declared parameters, NULL-terminated. */
LOOM_API extern const struct loom_param *const loom_plan_params[];

/* Create an empty plan in *out. The caller must destroy it. */
LOOM_API int loom_plan_create(struct loom_plan **out, struct loom_error *err);
/* Destroy a plan and all it has read; NULL is allowed. */
LOOM_API void loom_plan_destroy(struct loom_plan *plan);

/* Read a YAML file into a plan, once, before anything is set. Fails with LOOM_EIO if it cannot be
 * read, LOOM_EFORMAT or LOOM_EUSAGE with line and column for errors in it. */
LOOM_API int loom_plan_read(struct loom_plan *plan, const char *path, struct loom_error *err);
/* Set a word, NULL for a flag. The first value replaces what the file has, later ones are added.
 * Fails with LOOM_EUSAGE for an unknown word. */
LOOM_API int loom_plan_set(struct loom_plan *plan, const char *key, const char *value,
                           struct loom_error *err);

/* Check the whole plan, then read its logs and models and prepare all cells. Fails as described at
 * loom_scenario_run, with file, line and column of the word at fault, and as loom_trace_read and
 * loom_model_load do. */
LOOM_API int loom_plan_load(struct loom_plan *plan, struct loom_pool *pool, struct loom_error *err);

/* Return the number of cells of a loaded plan. */
LOOM_API size_t loom_plan_cells(const struct loom_plan *plan);
/* Return the number of runs: cells times replications, one for a cell without random numbers. */
LOOM_API int64_t loom_plan_runs(const struct loom_plan *plan);
/* Store the scenario of a replication of a cell in *out, valid as long as the plan. Returns false
 * past the last cell or replication. */
LOOM_API bool loom_plan_scenario(const struct loom_plan *plan, size_t cell, int64_t replication,
                                 struct loom_scenario *out);

/* ---- running it ------------------------------------------------------------------------------ */

/* Progress of a study, after each group of runs. */
struct loom_study_progress {
    int64_t runs;    /* of this call: planned, without those that were there */
    int64_t skipped; /* that were there */
    int64_t done, failed;
    double seconds; /* since the first run began */
};

struct loom_study_options {
    const char *db;           /* path of the database */
    const char *command;      /* how it was called, for provenance; NULL: unknown */
    struct loom_pool *pool;   /* threads; NULL: the calling thread */
    int64_t shard, shards;    /* run part `shard` (from 1) of `shards`; 0: all */
    bool retry_failed;        /* run again what failed */
    volatile const int *stop; /* finish running groups and return when it is not 0; may be NULL */
    /* Called after each group of runs, by one thread at a time; may be NULL. */
    void (*progress)(void *context, const struct loom_study_progress *progress);
    /* Called when all runs of a round of replications are in the database, which it may read at
     * `db`; true ends the study. NULL: all replications are run. */
    bool (*enough)(void *context, const char *db, int64_t replications);
    int64_t round; /* replications in a round; 0: 10 */
    void *context;
};

struct loom_study_report {
    struct loom_study_progress progress;
    bool stopped; /* by `stop` */
    bool enough;  /* by `enough` */
};

/* Run what the database does not have yet, in threads, or in MPI processes if the program was
 * started by mpirun and built with it. A run that fails is noted with its message, and the others
 * go on. Fails with LOOM_EIO, LOOM_EUSAGE or LOOM_EDATA if the database cannot be written or is of
 * another plan or version. */
LOOM_API int loom_study_run(struct loom_study_report *report, const struct loom_plan *plan,
                            const struct loom_study_options *options, struct loom_error *err);

/* Sequential stopping: when all cells have the mean of a metric to a relative half width. For
 * `enough` of struct loom_study_options. */
struct loom_until {
    const char *metric;
    struct loom_stop_rule rule;
    /* Set by loom_until_check: */
    bool reached;
    double relative;      /* the largest relative half width of a cell */
    int64_t replications; /* estimate of how many the slowest cell needs in all */
    int64_t fewest;       /* replications of a cell with the metric: below rule.least they say
                           * little; 0 and reached: no cell is to have more than one */
};

/* Read a rule from text: "half-width=5%". Fails with LOOM_EUSAGE or LOOM_ERANGE. */
LOOM_API int loom_until_parse(struct loom_stop_rule *out, const char *text, struct loom_error *err);
/* Apply a rule to the first replications of each cell of a database. Fails as loom_results_read
 * does. */
LOOM_API int loom_until_check(struct loom_until *until, const char *db, int64_t replications,
                              struct loom_error *err);

/* What a plan will take. */
struct loom_study_estimate {
    double seconds; /* of all runs, in so many threads */
    int64_t bytes;  /* memory */
    int64_t trials, failed;
};
/* Estimate time and memory from runs of the first replication, for about budget_s seconds. Fails
 * with LOOM_ENOMEM. */
LOOM_API int loom_study_estimate(struct loom_study_estimate *out, const struct loom_plan *plan,
                                 double budget_s, unsigned threads, struct loom_error *err);

/* Merge databases of parts of one plan into a new one at `to`, which appears when it is complete.
 * Fails with LOOM_EUSAGE if they are not of one plan, or if `to` is a database with results that
 * they lack; with LOOM_EDATA if two have different results of one run, or `to` is another file. */
LOOM_API int loom_study_merge(const char *to, const char *const *from, size_t n,
                              struct loom_error *err);

#ifdef __cplusplus
}
#endif
#endif

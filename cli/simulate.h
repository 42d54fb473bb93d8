/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * simulate.h - `workloom simulate`: options into scenarios (simulate_policy.c, _users.c, _model.c,
 * _grid.c), and outcomes into what is printed and written (simulate_output.c). cmd_simulate.c leads
 * from one to the other.
 */
#ifndef WORKLOOM_CLI_SIMULATE_H
#define WORKLOOM_CLI_SIMULATE_H

#include "results.h"

struct simulation;

/* ---- policies (simulate_policy.c) ------------------------------------------------------------ */

extern const struct loom_param policy_params[]; /* scheduler */

/* The policies that --scheduler names, which may be given several times, each with its --param. */
struct policies {
    char **texts;
    size_t n;
};

/* List them into *out, which is empty. It must be released, even after an error. */
int take_policies(struct policies *out, const struct invocation *call, struct loom_error *err);
void release_policies(struct policies *policies);
/* Check them before the log is read, and count them. */
int check_policies(const struct invocation *call, size_t *n, struct loom_error *err);

/* ---- users (simulate_users.c) ---------------------------------------------------------------- */

extern const struct loom_param people_params[]; /* users, seed, replication */

/* Check that the options fit each other and the behaviour exists, before the log is read. */
int check_people(const struct invocation *call, struct loom_error *err);
/* Do users submit the jobs; are they a population drawn from the log's? */
bool has_people(const struct invocation *call);
bool is_resampled(const struct invocation *call);
/* Select jobs of the trace, in which "resampled" is no user's name. Sets the parameter select,
 * where it is not given, to what was selected, for reports. */
int select_simulated(struct loom_trace *trace, const struct invocation *call, int64_t *left_out,
                     struct loom_error *err);
/* Prepare to draw workloads of the users of a log, as plans do: users who do not react submit the
 * same jobs whatever happens, and a load is the load of these jobs. Rare behaviours are excluded
 * from what is measured, by an option. The caller must destroy *out, which borrows users and trace.
 */
int draw_workloads(struct loom_resampler **out, const struct invocation *call,
                   const struct loom_users_request *users, const struct loom_trace *trace,
                   struct loom_error *err);
/* Write the selection options that were given, "--users 3 --first 100". Returns buf, or NULL if
 * there are none. */
const char *describe_selection(char *buf, size_t size, const struct invocation *call);

/* ---- models (simulate_model.c) --------------------------------------------------------------- */

extern const struct loom_param model_params[]; /* model */

/* Check --model, which is given, and what it excludes, before the log is read. */
int check_model(const struct invocation *call, struct loom_error *err);
/* Load the model that --model names, or fit it to the selected jobs. The caller must destroy *out,
 * also after a failure. */
int get_jobs_model(struct loom_model **out, const struct simulation *of, struct loom_error *err);
/* Fill in what it generates: as many jobs as are selected, for the log's machine, with the
 * requested times of --estimates. */
int take_generation(struct loom_generate_options *out, const struct simulation *of,
                    struct loom_error *err);

/* Say which load the log has, and which its generated jobs, where none was asked for. */
void say_model_load(const struct simulation *of);

/* ---- grids (simulate_grid.c) ----------------------------------------------------------------- */

extern const struct loom_param grid_output_params[]; /* background-output */

/* Check that the options of a grid fit each other and their names exist, before the log is read.
 * *random becomes true where local jobs or the choice of clusters are drawn at random. */
int check_grid(const struct invocation *call, bool *random, struct loom_error *err);
/* Find cluster and path of "CLUSTER=FILE", of a cluster that has local jobs. */
int find_output(size_t *cluster, const char **path, const struct loom_platform *platform,
                const char *text, struct loom_error *err);

/* ---- predicted waits (simulate_waits.c) ------------------------------------------------------ */

/* Check --waits, which is given, before the log is read. */
int check_waits(const struct invocation *call, struct loom_error *err);
/* Write the predicted and the simulated wait of each job of one run as CSV. */
int write_waits(const struct simulation *of, const char *path, struct loom_error *err);

/* ---- replications (simulate_replications.c) -------------------------------------------------- */

extern const struct loom_param replication_params[]; /* replications */

/* ---- results --------------------------------------------------------------------------------- */

extern const struct loom_param figure_params[]; /* html, figures, format, gantt, gantt-by */

/* All runs of a call, and what they were made of. */
struct simulation {
    const struct invocation *call;
    struct loom_pool *pool;
    struct loom_trace *trace;             /* after selection */
    int64_t left_out;                     /* jobs, by selection */
    const struct loom_platform *platform; /* NULL: one machine */
    const struct loom_system *system;
    const struct loom_model *model;   /* that makes the jobs; else NULL */
    struct loom_machine_size machine; /* of the whole log */
    const struct loom_outcome *const *outcomes;
    size_t n;
};

/* Print load and throughput of the log that users come from, for several runs; one run has them in
 * its table, and at several loads the log differs. */
void say_log(const struct simulation *of);

/* Check the options of pages and figures before the log is read (simulate_output.c). */
int check_figures(const struct invocation *call, struct loom_error *err);
/* Write how far a replay of the log is from it under the nearest of the policies; "" on a grid, or
 * where that cannot be found out. Fails with LOOM_ENOMEM. */
int caution_of(char *buf, size_t size, const struct simulation *of, struct loom_error *err);

/* Write schedules and CSV, then print results, then say what should be known (simulate_output.c).
 */
int report_simulation(const struct simulation *of, struct loom_error *err);

/* Print and write what replications show together (simulate_replications.c). */
int report_replications(const struct simulation *of, struct loom_error *err);
/* Return what the jobs are: of the "log", its "users" who react, "resampled" ones, or the name of
 * their model. */
const char *source_of(const struct simulation *of);

#endif

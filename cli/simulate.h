/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * simulate.h - `workloom simulate`: options into scenarios (simulate_load.c, _policy.c, _users.c,
 * _grid.c, _classes.c), and outcomes into what is printed and written (simulate_output.c,
 * simulate_report.c). cmd_simulate.c leads from one to the other.
 */
#ifndef WORKLOOM_CLI_SIMULATE_H
#define WORKLOOM_CLI_SIMULATE_H

#include "command.h"

/* ---- loads (simulate_load.c) ----------------------------------------------------------------- */

extern const struct loom_param load_params[]; /* load, load-by */

/* Check that the load options fit each other. */
int check_load(const struct invocation *call, struct loom_error *err);
/* Read the loads that --load names, ascending; none if it was not given. */
int read_loads(struct loom_numbers *out, const struct invocation *call, struct loom_error *err);

/* ---- policies (simulate_policy.c) ------------------------------------------------------------ */

extern const struct loom_param policy_params[]; /* scheduler */

/* Return how many policies there are: --scheduler may be given several times. */
size_t count_policies(const struct invocation *call);
/* Return a policy with each --param behind it. The caller must free it; NULL when memory is out. */
char *policy_text(const struct invocation *call, size_t index);
/* Check them before the log is read. */
int check_policy(const struct invocation *call, struct loom_error *err);

/* ---- users (simulate_users.c) ---------------------------------------------------------------- */

extern const struct loom_param people_params[]; /* users, feedback, ... */

/* Options of users, with what they point to. */
struct users_request {
    struct loom_population_rule population;
    struct loom_user_rule pools;
    struct loom_session_rule sessions;
    struct loom_rare *rare;
    struct loom_feedback_options options;
};

/* Check that the options fit each other and the behaviour exists, before the log is read. */
int check_people(const struct invocation *call, struct loom_error *err);
/* Do users submit the jobs; are they a population drawn from the log's? */
bool has_people(const struct invocation *call);
bool is_resampled(const struct invocation *call);
/* Select jobs of the trace, in which "resampled" is no user's name. */
int select_people(struct loom_trace *trace, const struct invocation *call, int64_t *left_out,
                  struct loom_error *err);
/* Write the selection options that were given, "--users 3 --first 100". Returns buf, or NULL if
 * there are none. */
const char *describe_selection(char *buf, size_t size, const struct invocation *call);
/* Read the options. The request must be released, even after an error. */
int take_users(struct users_request *out, const struct invocation *call,
               const struct loom_trace *trace, struct loom_error *err);
void release_users(struct users_request *request);

/* ---- grids (simulate_grid.c) ----------------------------------------------------------------- */

/* Check that the options of a grid fit each other and their names exist, before the log is read.
 * Sets *random where local jobs or the choice of clusters are drawn at random. */
int check_grid(const struct invocation *call, bool *random, struct loom_error *err);
/* Find cluster and path of "CLUSTER=FILE", of a cluster that has local jobs. */
int find_output(size_t *cluster, const char **path, const struct loom_platform *platform,
                const char *text, struct loom_error *err);

/* ---- what is measured (simulate_classes.c, simulate_explain.c) ------------------------------- */

extern const struct loom_param class_params[];   /* by, warm-up, cool-down, measure-users */
extern const struct loom_param explain_params[]; /* explain */

int read_trim(struct loom_sim_trim *out, const struct invocation *call, struct loom_error *err);
/* Create the selection of --measure-users; NULL if it was not given. */
int take_measured(struct loom_params **out, const struct invocation *call, struct loom_error *err);
/* Check that --explain names a job, before the log is read. */
int check_explain(const struct invocation *call, struct loom_error *err);

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
    struct loom_outcome **outcomes;
    size_t n;
};

/* Check the options of pages and figures before the log is read (simulate_report.c). */
int check_figures(const struct invocation *call, struct loom_error *err);
/* Must the run note why jobs start? */
bool wants_starts(const struct invocation *call);
/* Write the page and the figures that were asked for. */
int write_simulations(const struct simulation *of, struct loom_error *err);

/* Write schedules and CSV, then print results, then say what should be known (simulate_output.c).
 */
int report_simulation(const struct simulation *of, struct loom_error *err);

static inline const struct loom_outcome *const *outcomes_of(const struct simulation *of)
{
    return (const struct loom_outcome *const *)of->outcomes;
}

#endif

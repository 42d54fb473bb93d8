/* SPDX-License-Identifier: GPL-3.0-or-later */
/* simulate.h - one simulation, from the command line to its results: what the files of `workloom
 * simulate` share. */
#ifndef WORKLOOM_CLI_SIMULATE_H
#define WORKLOOM_CLI_SIMULATE_H

#include "command.h"

struct simulation {
    const struct invocation *call;
    struct loom_pool *pool;
    struct loom_trace *trace;         /* after selection and change of load */
    const struct loom_trace *before;  /* the same jobs before that change, for bags; NULL: trace */
    int64_t left_out;                 /* jobs, by selection */
    struct loom_load_change load;     /* without --load only its procs: of --procs, or 0 */
    char *policy;                     /* with its parameters */
    struct grid_run *grid;            /* NULL without --platform, or when its run is over */
    const char *platform;             /* its name; NULL without */
    const struct grid_run *planned;   /* with it, what was asked for: of all runs */
    struct loom_grid_metrics whole;   /* with it */
    struct loom_sim *sim;             /* of a grid, what it tells of grid jobs */
    struct loom_explainer *explainer; /* NULL without --explain */
    struct loom_sim_metrics metrics;
    struct loom_sim_rates rates;           /* over the window of the measured jobs */
    struct loom_feedback *people;          /* NULL: the jobs of the log as they come */
    struct loom_user_metrics users;        /* with people */
    struct loom_feedback_counts reactions; /* with people */
    struct loom_sim_rates submitting;      /* with people: over the time in which they submit */
    struct loom_sim_outcome *outcome;      /* for figures; NULL if none were asked for */
    struct loom_start_log *starts;         /* NULL unless the chart shows why jobs started */
    struct loom_gantt *gantt;              /* NULL without --gantt */
    struct loom_progress *progress;
    struct loom_sim_classes *classes; /* NULL without --by */
    struct json_t *json; /* of one run among several: its results, when its simulator is gone */
};

/* ---- the steps of a run (cmd_simulate.c) ----------------------------------------------------- */

/* With jobs, machine, policy and observers as they are in the simulation. */
int run_policy(const struct simulation *of, struct loom_error *err);
/* Whatever is told of the run. */
int measure_run(struct simulation *of, struct loom_error *err);
/* All but the trace. */
void release_simulation(struct simulation *of);

/* ---- the policy (simulate_policy.c) ---------------------------------------------------------- */

extern const struct loom_param policy_params[]; /* scheduler */

/* How many there are: --scheduler may be given several times. */
size_t count_policies(const struct invocation *call);
/* A policy as the library wants it: --scheduler with each --param behind it. The caller must free
 * it; NULL when memory is out. */
char *policy_text(const struct invocation *call, size_t index);
/* Before the log is read, so that a slip of the fingers costs no time. */
int check_policy(const struct invocation *call, struct loom_error *err);

/* ---- results (simulate_output.c) ------------------------------------------------------------- */

/* One number of the results: a row of the table and a key of the JSON document. */
struct result {
    const char *key, *label, *unit;
    double value;
};
/* "yes", "no", "filling" (yes by the rule, but by running jobs alone), or "-" for none. */
const char *verdict_text(const struct loom_sim_metrics *metrics);
int add_result_row(struct loom_table *table, const struct result *result, struct loom_error *err);

/* All results, and those of classes, as one object; NULL when memory is out. */
struct json_t *results_json(const struct simulation *of);
/* By percent. */
struct json_t *percentiles_json(const double values[LOOM_N_PERCENTS]);

/* To stdout: a document, or tables. */
int print_simulation_json(const struct simulation *of, struct loom_error *err);
int print_simulation_text(const struct simulation *of, struct loom_error *err);

/* The results of one run among several, as an object to keep; and all of them, to stdout. */
int run_json(struct json_t **out, const struct simulation *of, struct loom_error *err);
int print_runs_json(const struct simulation *of, size_t n, struct loom_error *err);
/* A number as simulate prints it: four digits, "-" for none. */
int add_number(struct loom_table *table, double number, struct loom_error *err);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * run.h - one run: the jobs of a scenario after all changes (jobs.c), their users, the simulator
 * (run.c, and grid_run.c for a grid), and the results (measure.c).
 */
#ifndef LOOM_EXPERIMENT_RUN_H
#define LOOM_EXPERIMENT_RUN_H

#include "experiment/outcome.h"
#include "sim/results/start_log.h"

/* The jobs of a scenario. Where nothing is changed they are the trace of the scenario itself. */
struct loom_prepared {
    const struct loom_trace *jobs;    /* to be simulated */
    const struct loom_trace *before;  /* the same before the change of load, to find bags in */
    struct loom_trace *made, *picked; /* owned: from a model; by selection */
    struct loom_trace *asked, *moved; /* owned: with other requested times; rearranged */
    struct loom_trace *scaled;        /* owned: at another load */
    struct loom_resampled *resampled; /* owned */
    struct loom_load_change load;     /* asked is 0 if it is not changed */
    struct loom_request_change requests;
};

/* Make the jobs, without the change of load. *out may be freed after a failure. */
int loom_jobs_prepare(struct loom_prepared *out, const struct loom_scenario *scenario,
                      struct loom_error *err);
/* Derive a trace for a change of load: from then on out->scaled is out->jobs, and may be changed.
 */
int loom_jobs_derive(struct loom_prepared *out, struct loom_error *err);
/* Go back to the jobs before the change of load. */
void loom_jobs_restore(struct loom_prepared *jobs);
/* Free what is owned, and zero the struct. */
void loom_jobs_free(struct loom_prepared *jobs);

struct loom_grid_run;

struct loom_run {
    struct loom_prepared jobs;
    struct loom_machine_size machine; /* of a grid: of all clusters */
    struct loom_feedback *users;      /* NULL: jobs come when the trace says */
    struct loom_sim *sim;             /* NULL with a grid */
    struct loom_grid_run *grid;       /* NULL: one machine */
    struct loom_explainer *explainer; /* of a job on a machine, or of a cluster's local job */
    struct loom_start_log *starts;
    struct loom_wait_forecast *forecast;     /* NULL: waits are not predicted */
    struct loom_prediction_errors predicted; /* by the scenario's predictor, if it has one */
    int64_t requests_unknown;                /* of the jobs that it predicted */
    char *explained;                         /* the job, as the scenario names it; or NULL */
};

void loom_run_destroy(struct loom_run *run);
/* The simulator of the run's own jobs; of a grid, of grid jobs. */
struct loom_sim *loom_run_sim(const struct loom_run *run);

/* Find the row of a job by its number. LOOM_EDATA where there is none, or more than one. */
int loom_find_job(uint32_t *row, const struct loom_trace *trace, const char *number,
                  struct loom_error *err);

/* ---- on a grid (grid_run.c) ------------------------------------------------------------------ */

/* Make the local jobs, change the load of the grid, and simulate. run->grid is set. */
int loom_grid_run_scenario(struct loom_run *run, const struct loom_scenario *scenario,
                           struct loom_error *err);
int loom_grid_run_measure(struct loom_grid_outcome **out, const struct loom_grid_run *run,
                          struct loom_error *err);
void loom_grid_run_destroy(struct loom_grid_run *run);
void loom_grid_outcome_destroy(struct loom_grid_outcome *outcome);

struct loom_grid_run {
    const struct loom_system *system;
    struct loom_grid *grid;
    struct loom_trace **made;      /* by cluster: local jobs of a model, for this run */
    struct loom_cluster *clusters; /* as the grid takes them */
    struct loom_observer (*observers)[2];
    struct loom_grid_explainer *explainer; /* of a grid job; or NULL */
    size_t explained; /* the cluster whose local job is explained; else the number of clusters */
    struct loom_start_log **starts; /* by cluster, or NULL */
};

/* ---- results (measure.c) --------------------------------------------------------------------- */

/* Fail early where warm-up and cool-down leave nothing to measure. */
int loom_measure_check(const struct loom_scenario *scenario, const struct loom_trace *jobs,
                       struct loom_error *err);
/* Compute the outcome of a finished run. The caller must destroy *outcome, also after a failure. */
int loom_measure(struct loom_outcome **outcome, const struct loom_run *run,
                 const struct loom_scenario *scenario, struct loom_error *err);

#endif

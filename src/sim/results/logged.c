/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The schedule that a log records as the jobs of a run, so that results are computed of both by the
 * same code. */
#include "sim/results/logged.h"

#include "base/vec.h"
#include "sim/engine.h"

#include <stdlib.h>

static bool is_known(const struct loom_jobs *jobs, size_t row)
{
    return jobs->submit_s[row] >= 0 && jobs->wait_s[row] >= 0 && jobs->run_s[row] >= 0 &&
           loom_job_procs(jobs, row) > 0;
}

static int add_row(struct loom_sim *sim, const struct loom_jobs *jobs, size_t row,
                   struct loom_error *err)
{
    if (!is_known(jobs, row))
        return 0;
    if (loom_grow(&sim->jobs, sim->n_jobs, &sim->jobs_capacity))
        return loom_fail_memory(err);
    sim->jobs[sim->n_jobs++] = (struct loom_sim_job){
        .submit_s = jobs->submit_s[row],
        .run_s = jobs->run_s[row],
        .estimate_s = jobs->request_s[row] > 0 ? jobs->request_s[row] : jobs->run_s[row],
        .start_s = jobs->submit_s[row] + jobs->wait_s[row],
        .procs = loom_job_procs(jobs, row),
        .user = jobs->user[row],
        .row = (uint32_t)row,
    };
    return 0;
}

int loom_sim_of_log(struct loom_sim **out, const struct loom_trace *trace, int64_t procs,
                    struct loom_error *err)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    struct loom_sim *sim = NULL;
    uint32_t *rows = NULL;
    int rc = loom_sim_create(&sim, err);
    if (!rc)
        rc = loom_trace_order(&rows, trace, err);
    for (size_t i = 0; i < jobs->n && !rc; i++)
        rc = add_row(sim, jobs, rows[i], err);
    free(rows);
    if (rc) {
        loom_sim_destroy(sim);
        return rc;
    }
    sim->procs = sim->free = sim->widest = procs;
    *out = sim;
    return 0;
}

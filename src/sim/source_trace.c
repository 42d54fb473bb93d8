/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The jobs of a trace, each at its own submit time; and the schedule, back in the trace. */
#include "sim/engine.h"
#include "sim/grid/grid.h"
#include "sim/parts.h"
#include "sim/replay.h"
#include "trace/table.h"

#include <stdlib.h>

static int64_t due(void *self)
{
    return loom_replay_due(self);
}

static int take(void *self, struct loom_submission *out, struct loom_error *err)
{
    (void)err;
    loom_replay_take(self, out);
    return 0;
}

struct loom_replay *loom_replay_of(const struct loom_job_source *source)
{
    return source->take == take ? source->self : NULL;
}

void loom_view_describe(struct loom_job_view *view, const struct loom_jobs *jobs, uint32_t row)
{
    view->group = jobs->group[row];
    view->executable = jobs->executable[row];
    view->queue = jobs->queue[row];
    view->req_mem_kib = jobs->req_mem_kib[row];
}

static void describe(void *self, const struct loom_submission *job, struct loom_job_view *view)
{
    const struct loom_replay *replay = self;
    loom_view_describe(view, replay->jobs, job->row);
}

/* One job of known runtime and size is enough. */
static int check_known(const struct loom_jobs *jobs, struct loom_error *err)
{
    bool runs = false;
    for (size_t row = 0; row < jobs->n; row++) {
        if (jobs->run_s[row] >= 0 && loom_job_procs(jobs, row) > 0)
            return 0;
        runs = runs || jobs->run_s[row] >= 0;
    }
    return loom_fail(err, LOOM_EDATA, "%s, so there is nothing to simulate",
                     jobs->n == 0 ? "this log has no jobs"
                     : runs ? "no job of this log has a known runtime and number of processors"
                            : "no job of this log has a known runtime");
}

int loom_replay_open(struct loom_replay *replay, const struct loom_trace *trace, int64_t shift_s,
                     struct loom_error *err)
{
    *replay = (struct loom_replay){.jobs = loom_trace_jobs(trace), .shift_s = shift_s};
    replay->n = replay->jobs->n;
    int rc = check_known(replay->jobs, err);
    if (!rc && !loom_trace_in_order(trace))
        rc = loom_trace_order(&replay->rows, trace, err);
    return rc;
}

void loom_replay_close(struct loom_replay *replay)
{
    free(replay->rows);
    *replay = (struct loom_replay){0};
}

struct loom_job_source loom_replay_source(struct loom_replay *replay)
{
    return (struct loom_job_source){
        .self = replay, .expected = replay->n, .due = due, .take = take, .describe = describe};
}

int loom_sim_settle(struct loom_sim_options *options, const struct loom_trace *trace,
                    struct loom_error *err)
{
    if (options->parts)
        options->procs = loom_parts_procs(options->parts);
    if (options->procs == 0)
        options->procs = loom_trace_machine(trace)->max_procs;
    if (options->procs < 0)
        return loom_fail_field(err, LOOM_EDATA, "procs",
                               "the log does not name the size of its machine; set procs");
    return check_known(loom_trace_jobs(trace), err);
}

int loom_sim_run_trace(struct loom_sim *sim, const struct loom_sim_options *options,
                       const struct loom_trace *trace, struct loom_error *err)
{
    struct loom_replay replay;
    struct loom_sim_options chosen = *options;
    int rc = loom_sim_settle(&chosen, trace, err);
    if (!rc)
        rc = loom_replay_open(&replay, trace, 0, err);
    if (rc)
        return rc;
    const struct loom_job_source source = loom_replay_source(&replay);
    rc = chosen.parts ? loom_sim_run_parts(sim, &chosen, &replay, err)
                      : loom_sim_run(sim, &chosen, &source, err);
    loom_replay_close(&replay);
    sim->source = NULL;
    return rc;
}

int loom_sim_schedule(const struct loom_sim *sim, struct loom_trace *trace, struct loom_error *err)
{
    size_t n = loom_trace_count(trace);
    for (size_t i = 0; i < sim->n_jobs; i++)
        if (sim->jobs[i].row >= n && !(sim->jobs[i].notes & LOOM_JOB_GRID))
            return loom_fail(err, LOOM_EUSAGE, "job %zu of the simulation is not from this trace",
                             i);
    int rc = loom_trace_own(trace, LOOM_COLUMN_wait_s, err);
    if (!rc)
        rc = loom_trace_own(trace, LOOM_COLUMN_run_s, err);
    if (!rc)
        rc = loom_trace_own(trace, LOOM_COLUMN_alloc_procs, err);
    if (rc)
        return rc;
    for (size_t row = 0; row < n; row++)
        trace->columns.wait_s[row] = -1;
    for (size_t i = 0; i < sim->n_jobs; i++) {
        const struct loom_sim_job *job = &sim->jobs[i];
        if (job->notes & LOOM_JOB_GRID)
            continue;
        trace->columns.wait_s[job->row] = job->start_s - job->submit_s;
        trace->columns.run_s[job->row] = job->run_s;
        trace->columns.alloc_procs[job->row] = job->procs;
    }
    loom_grid_unmark(trace);
    return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The jobs of a scenario: from its source, then selected, with other requested times, rearranged.
 * Each step makes a trace of its own only where it changes something. The load is changed by the
 * run (run.c, grid_run.c), in a trace that shares all columns but those that the change writes to.
 */
#include "experiment/run.h"
#include "trace/table.h"
#include "trace/tool.h"

#include <stdlib.h>

static int generate(struct loom_prepared *out, const struct loom_scenario *scenario,
                    struct loom_error *err)
{
    struct loom_generate_options options = scenario->generate;
    options.seed = scenario->seed;
    options.replication = scenario->replication;
    int rc = loom_model_generate(&out->made, scenario->model, &options, scenario->pool, err);
    out->jobs = out->made;
    return rc;
}

static int resample(struct loom_prepared *out, const struct loom_scenario *scenario,
                    struct loom_error *err)
{
    int rc = loom_resample(&out->resampled, scenario->resampler, scenario->seed,
                           scenario->replication, err);
    out->jobs = rc ? NULL : out->resampled->trace;
    return rc;
}

static int select_rows(struct loom_prepared *out, const struct loom_params *select,
                       struct loom_error *err)
{
    struct loom_trace *picked = NULL;
    uint8_t *keep = malloc(loom_trace_count(out->jobs) + 1);
    int rc = keep ? loom_select(keep, out->jobs, select, err) : loom_fail_memory(err);
    if (!rc)
        rc = loom_trace_subset(&picked, out->jobs, keep, 1, err);
    free(keep);
    if (rc)
        return rc;
    out->jobs = out->picked = picked;
    return loom_trace_count(picked) > 0
               ? 0
               : loom_fail(err, LOOM_EDATA, "the selection leaves no jobs to simulate");
}

static int change_requests(struct loom_prepared *out, const struct loom_scenario *scenario,
                           struct loom_error *err)
{
    out->requests = *scenario->requests;
    out->requests.seed = scenario->seed;
    out->requests.replication = scenario->replication;
    int rc = loom_trace_derive(&out->asked, out->jobs, err);
    if (!rc)
        rc = loom_trace_change_requests(out->asked, &out->requests, scenario->pool, err);
    out->jobs = out->asked;
    return rc;
}

/* A copy of all jobs, as rearranging writes to most columns. */
static int rearrange(struct loom_prepared *out, const struct loom_scenario *scenario,
                     struct loom_error *err)
{
    struct loom_rearrangement how = *scenario->rearrange;
    uint8_t *none = calloc(loom_trace_count(out->jobs) + 1, 1);
    int rc = none ? loom_trace_subset(&out->moved, out->jobs, none, 0, err) : loom_fail_memory(err);
    free(none);
    if (rc)
        return rc;
    out->jobs = out->moved;
    how.seed = scenario->seed;
    how.replication = scenario->replication;
    return loom_trace_rearrange(out->moved, &how, err);
}

int loom_jobs_prepare(struct loom_prepared *out, const struct loom_scenario *scenario,
                      struct loom_error *err)
{
    *out = (struct loom_prepared){.jobs = scenario->trace, .requests.how = LOOM_REQUESTS_REQUESTED};
    int rc = scenario->model       ? generate(out, scenario, err)
             : scenario->resampler ? resample(out, scenario, err)
                                   : 0;
    if (!rc && scenario->select && !loom_selects_all(scenario->select))
        rc = select_rows(out, scenario->select, err);
    if (!rc && scenario->requests && scenario->requests->how != LOOM_REQUESTS_REQUESTED)
        rc = change_requests(out, scenario, err);
    if (!rc && scenario->rearrange)
        rc = rearrange(out, scenario, err);
    out->before = out->jobs;
    return rc;
}

int loom_jobs_derive(struct loom_prepared *out, struct loom_error *err)
{
    int rc = loom_trace_derive(&out->scaled, out->before, err);
    out->jobs = rc ? out->before : out->scaled;
    return rc;
}

void loom_jobs_restore(struct loom_prepared *jobs)
{
    loom_trace_destroy(jobs->scaled);
    jobs->scaled = NULL;
    jobs->jobs = jobs->before;
    jobs->load = (struct loom_load_change){0};
}

void loom_jobs_free(struct loom_prepared *jobs)
{
    loom_trace_destroy(jobs->scaled); /* each may share columns with those below */
    loom_trace_destroy(jobs->moved);
    loom_trace_destroy(jobs->asked);
    loom_trace_destroy(jobs->picked);
    loom_trace_destroy(jobs->made);
    if (jobs->resampled)
        loom_resampled_destroy(jobs->resampled);
    *jobs = (struct loom_prepared){0};
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which jobs are measured: without those that met a machine still empty, or one that emptied. */
#include "sim/engine.h"

#include <workloom/sim_results.h>

#include <stdlib.h>

/* Jobs are numbered in the order of submission, so both ends are cuts in their numbers. */
int loom_sim_trim(struct loom_sim *sim, const struct loom_sim_trim *trim, struct loom_error *err)
{
    size_t first = 0, end = sim->n_jobs;
    if (trim->warm_up_jobs < 0 || trim->warm_up_s < 0 || trim->cool_down_jobs < 0 ||
        trim->cool_down_s < 0)
        return loom_fail(err, LOOM_ERANGE, "warm-up and cool-down cannot be negative");
    while (first < end && ((int64_t)first < trim->warm_up_jobs ||
                           sim->jobs[first].submit_s - sim->jobs[0].submit_s < trim->warm_up_s))
        first++;
    while (first < end &&
           ((int64_t)(sim->n_jobs - end) < trim->cool_down_jobs ||
            sim->jobs[sim->n_jobs - 1].submit_s - sim->jobs[end - 1].submit_s < trim->cool_down_s))
        end--;
    if (first >= end && sim->n_jobs > 0)
        return loom_fail(err, LOOM_ERANGE,
                         "warm-up and cool-down leave none of the %zu jobs to measure; make them "
                         "shorter",
                         sim->n_jobs);
    free(sim->chosen);
    free(sim->left_out);
    sim->chosen = NULL;
    sim->left_out = NULL;
    sim->measured_first = first;
    sim->measured_end = end;
    return 0;
}

/* Copies of the jobs of the last trim that are not left out. */
static int choose(struct loom_sim *sim, struct loom_error *err)
{
    size_t n, chosen = 0;
    const struct loom_sim_job *jobs = loom_sim_measured(sim, &n);
    struct loom_sim_job *copies = malloc((n + 1) * sizeof *copies);
    if (!copies)
        return loom_fail_memory(err);
    for (size_t i = 0; i < n; i++)
        if (!sim->left_out[sim->measured_first + i])
            copies[chosen++] = jobs[i];
    sim->chosen = copies;
    sim->n_chosen = chosen;
    if (chosen == 0 && n > 0)
        return loom_fail(err, LOOM_ERANGE, "none of the %zu jobs is left to measure", n);
    return 0;
}

int loom_sim_measure(struct loom_sim *sim, const uint8_t *keep, struct loom_error *err)
{
    free(sim->chosen);
    sim->chosen = NULL;
    free(sim->left_out);
    sim->left_out = malloc(sim->n_jobs + 1);
    if (!sim->left_out)
        return loom_fail_memory(err);
    for (size_t i = 0; i < sim->n_jobs; i++)
        sim->left_out[i] = !keep[i];
    return choose(sim, err);
}

const struct loom_sim_job *loom_sim_measured(const struct loom_sim *sim, size_t *n)
{
    if (sim->chosen) {
        *n = sim->n_chosen;
        return sim->chosen;
    }
    *n = (sim->measured_end ? sim->measured_end : sim->n_jobs) - sim->measured_first;
    return sim->jobs + sim->measured_first;
}

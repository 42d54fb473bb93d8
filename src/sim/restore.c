/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The jobs of a finished run as results expect them: by submission, with times of the source's
 * clock. The engine numbers jobs as they join the queue, and a held job joins late.
 */
#include "sim/engine.h"

#include <stdlib.h>

/* Sort by (submission, row). Rows of one instant ascend as the source has them, so that the numbers
 * of a run without held jobs would stay. */
static int compare(const void *a, const void *b)
{
    const struct loom_sim_job *one = a, *other = b;
    if (one->submit_s != other->submit_s)
        return one->submit_s < other->submit_s ? -1 : 1;
    return one->row < other->row ? -1 : one->row > other->row;
}

static bool is_sorted(const struct loom_sim *sim)
{
    for (size_t i = 1; i < sim->n_jobs; i++)
        if (compare(&sim->jobs[i - 1], &sim->jobs[i]) > 0)
            return false;
    return true;
}

void loom_sim_sort(struct loom_sim *sim)
{
    if (!is_sorted(sim))
        qsort(sim->jobs, sim->n_jobs, sizeof *sim->jobs, compare);
}

void loom_sim_restore(struct loom_sim *sim)
{
    for (size_t i = 0; sim->clock.times && i < sim->n_jobs; i++)
        sim->jobs[i] = loom_clock_job(&sim->clock, &sim->jobs[i], sim->stamps[i]);
    sim->now_s = loom_clock_time(&sim->clock, sim->now_s, false);
    if (sim->limits.rule)
        loom_sim_sort(sim);
}

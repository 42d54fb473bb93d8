/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waits and slowdowns of a run as quantiles: as many points as a figure can show. */
#include "base/sort.h"
#include "sim/engine.h"
#include "sim/index/bits.h"

#include <workloom/sim_results.h>

#include <stdlib.h>

static double wait_s(const struct loom_sim_job *job)
{
    return (double)loom_sim_job_wait(job);
}

typedef double measure_fn(const struct loom_sim_job *job);

/* Order statistics in even distances, the least and the largest among them. */
static void add_curve(double *points, size_t n_points, const struct loom_sim *sim, int64_t *room,
                      measure_fn *measure)
{
    size_t n;
    const struct loom_sim_job *jobs = loom_sim_measured(sim, &n);
    for (size_t i = 0; i < n; i++)
        room[i] = loom_bits_of(measure(&jobs[i]));
    loom_sort_int64(room, n);
    for (size_t i = 0; i < n_points; i++)
        points[i] = loom_number_of(room[n_points < 2 ? 0 : i * (n - 1) / (n_points - 1)]);
}

int loom_sim_curves(struct loom_sim_curves *out, const struct loom_sim *sim, struct loom_error *err)
{
    size_t n;
    loom_sim_measured(sim, &n);
    int64_t *room = malloc((n + 1) * sizeof *room);
    if (!room)
        return loom_fail_memory(err);
    out->n = n < LOOM_SIM_POINTS ? n : LOOM_SIM_POINTS;
    add_curve(out->wait_s, out->n, sim, room, wait_s);
    add_curve(out->bounded_slowdown, out->n, sim, room, loom_sim_job_bounded_slowdown);
    free(room);
    return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waits and slowdowns of a run as quantiles: as many points as a figure can show. */
#include "base/sort.h"
#include "sim/engine.h"

#include <workloom/sim_results.h>

#include <stdlib.h>

/* Order statistics in even distances, the least and the largest among them. Sorts the values. */
static void add_curve(double *points, size_t n_points, double *values, size_t n)
{
    loom_sort_real(values, n);
    for (size_t i = 0; i < n_points; i++)
        points[i] = values[n_points < 2 ? 0 : i * (n - 1) / (n_points - 1)];
}

int loom_sim_curves(struct loom_sim_curves *out, const struct loom_sim *sim, struct loom_error *err)
{
    size_t n;
    const struct loom_sim_job *jobs = loom_sim_measured(sim, &n);
    double *values = malloc((n + 1) * sizeof *values);
    if (!values)
        return loom_fail_memory(err);
    out->n = n < LOOM_SIM_POINTS ? n : LOOM_SIM_POINTS;
    for (size_t i = 0; i < n; i++)
        values[i] = (double)loom_sim_job_wait(&jobs[i]);
    add_curve(out->wait_s, out->n, values, n);
    for (size_t i = 0; i < n; i++)
        values[i] = loom_sim_job_bounded_slowdown(&jobs[i]);
    add_curve(out->bounded_slowdown, out->n, values, n);
    free(values);
    return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is kept of a run when its simulator goes on to the next: numbers, and curves of as many
 * points as can be told apart. */
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

static int add_curves(struct loom_sim_outcome *outcome, const struct loom_sim *sim,
                      struct loom_error *err)
{
    size_t n;
    loom_sim_measured(sim, &n);
    int64_t *room = malloc((n + 1) * sizeof *room);
    if (!room)
        return loom_fail_memory(err);
    outcome->n_points = n < LOOM_OUTCOME_POINTS ? n : LOOM_OUTCOME_POINTS;
    add_curve(outcome->wait_s, outcome->n_points, sim, room, wait_s);
    add_curve(outcome->bounded_slowdown, outcome->n_points, sim, room,
              loom_sim_job_bounded_slowdown);
    free(room);
    return 0;
}

static int fill(struct loom_sim_outcome *outcome, const struct loom_sim *sim,
                struct loom_error *err)
{
    struct loom_sim_classes *users = NULL;
    outcome->procs = loom_sim_procs(sim);
    outcome->counts = *loom_sim_counts(sim);
    int rc = loom_sim_metrics(&outcome->metrics, sim, err);
    if (!rc)
        rc = loom_sim_rates(&outcome->rates, sim, loom_sim_window(sim), err);
    if (!rc)
        rc = loom_sim_series_create(&outcome->series, sim, err);
    if (!rc)
        rc = loom_sim_outstanding(&outcome->outstanding, &outcome->n_weeks, sim, err);
    if (!rc)
        rc = loom_sim_classes_create(&users, sim, NULL, LOOM_CLASS_USER, err);
    if (!rc)
        rc = add_curves(outcome, sim, err);
    if (!rc)
        outcome->fairness = users->fairness;
    loom_sim_classes_destroy(users);
    return rc;
}

int loom_sim_outcome_create(struct loom_sim_outcome **out, const struct loom_sim *sim,
                            struct loom_error *err)
{
    struct loom_sim_outcome *outcome = calloc(1, sizeof *outcome);
    *out = NULL;
    int rc = outcome ? fill(outcome, sim, err) : loom_fail_memory(err);
    if (rc)
        loom_sim_outcome_destroy(outcome);
    else
        *out = outcome;
    return rc;
}

void loom_sim_outcome_destroy(struct loom_sim_outcome *outcome)
{
    if (!outcome)
        return;
    loom_sim_series_destroy(outcome->series);
    free(outcome->outstanding);
    free(outcome);
}

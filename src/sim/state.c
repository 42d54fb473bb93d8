/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of a simulation, for whoever asks. */
#include "sim/engine.h"

int64_t loom_sim_now(const struct loom_sim *sim)
{
    return sim->now_s;
}

int64_t loom_sim_procs(const struct loom_sim *sim)
{
    return sim->procs;
}

int64_t loom_sim_free(const struct loom_sim *sim)
{
    return sim->free;
}

size_t loom_sim_queued(const struct loom_sim *sim)
{
    return queued(sim);
}

size_t loom_sim_running(const struct loom_sim *sim)
{
    return sim->n_running;
}

const struct loom_sim_job *loom_sim_jobs(const struct loom_sim *sim, size_t *n)
{
    if (n)
        *n = sim->n_jobs;
    return sim->jobs;
}

const struct loom_sim_job *loom_sim_job(const struct loom_sim *sim, uint32_t job)
{
    return &sim->jobs[job];
}

const struct loom_sim_counts *loom_sim_counts(const struct loom_sim *sim)
{
    return &sim->counts;
}

void loom_sim_set_order(struct loom_sim *sim, const struct loom_order *order)
{
    loom_queue_reset(&sim->waiting, order);
}

struct loom_queue *loom_sim_waiting(struct loom_sim *sim)
{
    return &sim->waiting;
}

struct loom_cursor loom_sim_cursor(const struct loom_sim *sim, uint32_t job)
{
    return loom_queue_at(&sim->waiting, sim->jobs, job);
}

bool loom_sim_could_backfill(struct loom_sim *sim)
{
    return (sim->watched & LOOM_EVENT_RESERVE) || loom_queue_has_width(&sim->waiting, sim->free);
}

uint32_t loom_sim_next_waiting(const struct loom_sim *sim, struct loom_cursor *cursor)
{
    return loom_queue_next(&sim->waiting, cursor);
}

uint32_t loom_sim_next_fit(struct loom_sim *sim, struct loom_cursor *cursor,
                           const struct loom_gap *gap)
{
    return loom_queue_next_fit(&sim->waiting, sim->jobs, cursor, gap);
}

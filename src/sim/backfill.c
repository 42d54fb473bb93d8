/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs that overtake a reservation without breaking it. */
#include "sim/engine.h"

int64_t loom_shadow_s(struct loom_sim *sim, uint32_t job)
{
    int64_t missing = sim->jobs[job].procs - sim->free;
    int64_t shadow_s =
        missing > 0 ? loom_running_frees(loom_sim_by_estimate(sim), missing) : sim->now_s;
    return shadow_s > sim->now_s ? shadow_s : sim->now_s;
}

struct loom_gap loom_gap_beside(struct loom_sim *sim, uint32_t first, int64_t reserved_s)
{
    loom_sim_reserve(sim, first, reserved_s);
    int64_t freed = loom_running_freed(loom_sim_by_estimate(sim), reserved_s);
    return (struct loom_gap){
        .procs = sim->free,
        .length_s = reserved_s - sim->now_s,
        .spare = sim->free + freed - sim->jobs[first].procs,
    };
}

void loom_backfill(struct loom_sim *sim, struct loom_gap *gap, uint32_t job)
{
    const struct loom_sim_job *what = loom_sim_job(sim, job);
    bool in_time = what->estimate_s <= gap->length_s;
    gap->procs -= what->procs;
    if (!in_time)
        gap->spare -= what->procs;
    loom_sim_start(sim, job, in_time ? LOOM_WHY_BEFORE : LOOM_WHY_BESIDE);
}

void loom_backfill_behind(struct loom_sim *sim, struct loom_gap *gap, uint32_t first)
{
    struct loom_cursor cursor = loom_sim_cursor(sim, first);
    uint32_t next;
    while ((next = loom_sim_next_fit(sim, &cursor, gap)) != LOOM_NO_JOB)
        loom_backfill(sim, gap, next);
}

void loom_backfill_from(struct loom_sim *sim, struct loom_gap *gap, struct loom_queue *queue)
{
    const struct loom_sim_job *jobs = loom_sim_jobs(sim, NULL);
    struct loom_cursor cursor = {0};
    uint32_t next;
    while ((next = loom_queue_next_fit(queue, jobs, &cursor, gap)) != LOOM_NO_JOB) {
        loom_queue_remove(queue, jobs, next);
        loom_backfill(sim, gap, next);
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs that overtake a reservation without breaking it. */
#include "sim/engine.h"

int64_t loom_shadow_s(struct loom_sim *sim, uint32_t job)
{
    int64_t shadow_s = sim->now_s;
    if (sim->jobs[job].procs > sim->free)
        loom_running_freed(&sim->running, sim->now_s, sim->jobs[job].procs - sim->free, &shadow_s);
    return shadow_s;
}

/* The gap beside a reservation of `first` at *reserved_s, or later if it cannot start then. */
static struct loom_gap gap_beside(struct loom_sim *sim, uint32_t first, int64_t missing,
                                  int64_t reserved_s)
{
    int64_t freed = loom_running_freed(&sim->running, sim->now_s, missing, &reserved_s);
    if (sim->watched & LOOM_EVENT_RESERVE)
        loom_sim_reserve(sim, first, reserved_s);
    return (struct loom_gap){
        .procs = sim->free,
        .length_s = reserved_s - sim->now_s,
        .spare = sim->free + freed - sim->jobs[first].procs,
    };
}

struct loom_gap loom_gap_beside(struct loom_sim *sim, uint32_t first, int64_t reserved_s)
{
    return gap_beside(sim, first, 0, reserved_s);
}

struct loom_gap loom_shadow_gap(struct loom_sim *sim, uint32_t first)
{
    return gap_beside(sim, first, sim->jobs[first].procs - sim->free, sim->now_s);
}

/* Reduce a gap by a job, and return why the job may start. */
static enum loom_why take_gap(struct loom_gap *gap, const struct loom_sim_job *what)
{
    bool in_time = what->estimate_s <= gap->length_s;
    gap->procs -= what->procs;
    if (!in_time)
        gap->spare -= what->procs;
    return in_time ? LOOM_WHY_BEFORE : LOOM_WHY_BESIDE;
}

void loom_backfill(struct loom_sim *sim, struct loom_gap *gap, uint32_t job)
{
    loom_sim_start(sim, job, take_gap(gap, &sim->jobs[job]));
}

void loom_backfill_behind(struct loom_sim *sim, struct loom_gap *gap, uint32_t first)
{
    struct loom_queue_slot slot = loom_queue_slot(&sim->waiting, sim->jobs, first);
    slot.at++;
    while (loom_queue_find_fit(&sim->waiting, &slot, gap)) {
        uint32_t job = loom_queue_job(&sim->waiting, slot);
        loom_sim_start_slot(sim, slot, take_gap(gap, &sim->jobs[job]));
    }
}

void loom_backfill_from(struct loom_sim *sim, struct loom_gap *gap, struct loom_queue *queue)
{
    struct loom_queue_slot slot = {0};
    while (loom_queue_find_fit(queue, &slot, gap)) {
        uint32_t job = loom_queue_job(queue, slot);
        loom_queue_remove_slot(queue, slot);
        loom_backfill(sim, gap, job);
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs that overtake a reservation without breaking it. */
#include <workloom/scheduler.h>

int64_t loom_shadow_s(struct loom_sim *sim, uint32_t job)
{
    return loom_profile_earliest(loom_sim_profile(sim), loom_sim_job(sim, job)->procs, 1);
}

struct loom_gap loom_gap_beside(struct loom_sim *sim, uint32_t first, int64_t reserved_s)
{
    loom_sim_reserve(sim, first, reserved_s);
    int64_t free_then = loom_profile_at(loom_sim_profile(sim), reserved_s);
    return (struct loom_gap){
        .procs = loom_sim_free(sim),
        .length_s = reserved_s - loom_sim_now(sim),
        .spare = free_then - loom_sim_job(sim, first)->procs,
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

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * EASY, or aggressive backfilling (Lifka 1995; Mu'alem and Feitelson 2001): jobs start in the order
 * of the queue as long as they fit. The first that does not gets a reservation at the earliest time
 * at which, by the estimates of the running jobs, enough processors will be free: the shadow time.
 * Jobs behind it may start now, in the order of the queue, if they do not delay it: because by
 * their own estimate they end by the shadow time, or because they need only processors that the
 * first job will leave over then.
 *
 * What it guarantees: the first job starts at its shadow time or earlier, as long as no estimate is
 * too short. Jobs behind it may be delayed by those that overtake them, but each becomes first.
 */
#include "sim/scheduler.h"

static int open(struct loom_sim *sim, void *state, const struct loom_params *params,
                struct loom_error *err)
{
    (void)state, (void)err;
    loom_sim_set_order(sim, loom_order_chosen(params));
    return 0;
}

/* What the reservation of the first job leaves to others now. */
static struct loom_gap beside(struct loom_sim *sim, uint32_t first)
{
    const struct loom_profile *profile = loom_sim_profile(sim);
    const struct loom_sim_job *job = loom_sim_job(sim, first);
    int64_t shadow_s = loom_profile_earliest(profile, job->procs, 1);
    loom_sim_reserve(sim, first, shadow_s);
    return (struct loom_gap){
        .procs = loom_sim_free(sim),
        .length_s = shadow_s - loom_sim_now(sim),
        .spare = loom_profile_at(profile, shadow_s) - job->procs,
    };
}

static void backfill(struct loom_sim *sim, uint32_t first)
{
    struct loom_gap gap = beside(sim, first);
    struct loom_cursor cursor = loom_sim_cursor(sim, first);
    uint32_t next;
    while ((next = loom_sim_next_fit(sim, &cursor, &gap)) != LOOM_NO_JOB) {
        const struct loom_sim_job *job = loom_sim_job(sim, next);
        bool in_time = job->estimate_s <= gap.length_s;
        gap.procs -= job->procs;
        if (!in_time)
            gap.spare -= job->procs;
        loom_sim_start(sim, next, in_time ? LOOM_WHY_BEFORE : LOOM_WHY_BESIDE);
    }
}

static int pass(struct loom_sim *sim, void *state, struct loom_error *err)
{
    (void)state, (void)err;
    uint32_t first = loom_sim_start_in_order(sim);
    if (first != LOOM_NO_JOB)
        backfill(sim, first);
    return 0;
}

static const struct loom_param params[] = {LOOM_ORDER_PARAM, {.name = NULL}};

const struct loom_scheduler_ops loom_scheduler_easy = {
    .info = {"easy", "backfilling that does not delay the first job (aggressive)", params},
    .promises = LOOM_PROMISE_HEAD | LOOM_PROMISE_NO_STARVE,
    .wants_profile = true,
    .open = open,
    .pass = pass,
};

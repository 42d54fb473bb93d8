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
#include <workloom/scheduler.h>

static int easy_open(struct loom_sim *sim, void *state, const struct loom_params *params,
                     struct loom_error *err)
{
    (void)state, (void)err;
    loom_sim_set_order(sim, loom_order_chosen(params));
    return 0;
}

static int easy_pass(struct loom_sim *sim, void *state, struct loom_error *err)
{
    (void)state, (void)err;
    uint32_t first = loom_sim_start_in_order(sim);
    if (first == LOOM_NO_JOB || !loom_sim_could_backfill(sim))
        return 0;
    struct loom_gap gap = loom_shadow_gap(sim, first);
    loom_backfill_behind(sim, &gap, first);
    return 0;
}

static const struct loom_param params[] = {LOOM_ORDER_PARAM, {.name = NULL}};

const struct loom_scheduler_ops loom_scheduler_easy = {
    .info = {"easy", "backfilling that does not delay the first job (aggressive)", params},
    .promises = LOOM_PROMISE_HEAD,
    .promises_by = loom_order_promises,
    .only_starts = true,
    .starts_alone = true,
    .open = easy_open,
    .pass = easy_pass,
};

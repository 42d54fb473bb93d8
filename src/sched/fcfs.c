/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * First come, first served (FIFO): jobs start strictly in the order of the queue. While the first
 * one does not fit, everything behind it waits, even what would fit.
 *
 * With another order than by submission this is priority scheduling without backfilling.
 */
#include <workloom/scheduler.h>

static int fcfs_open(struct loom_sim *sim, void *state, const struct loom_params *params,
                     struct loom_error *err)
{
    (void)state, (void)err;
    loom_sim_set_order(sim, loom_order_chosen(params));
    return 0;
}

static int fcfs_pass(struct loom_sim *sim, void *state, struct loom_error *err)
{
    (void)state, (void)err;
    loom_sim_start_in_order(sim);
    return 0;
}

static const struct loom_param params[] = {LOOM_ORDER_PARAM, {.name = NULL}};

const struct loom_scheduler_ops loom_scheduler_fcfs = {
    .info = {"fcfs", "first come, first served, without backfilling", params},
    .promises = LOOM_PROMISE_ORDER,
    .promises_by = loom_order_promises,
    .only_starts = true,
    .starts_alone = true,
    .open = fcfs_open,
    .pass = fcfs_pass,
};

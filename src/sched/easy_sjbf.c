/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * EASY with the shortest job backfilled first (Tsafrir, Etsion and Feitelson 2007): jobs start in
 * the order of the queue, and the first that does not fit gets a reservation, as under EASY. Those
 * that may overtake it are tried by estimate, the shortest first, and as submitted where estimates
 * are the same.
 *
 * It guarantees what EASY guarantees: the reservation holds whichever jobs are backfilled.
 */
#include "sim/schedulers.h"

struct sjbf {
    struct loom_queue by_estimate; /* the waiting jobs once more */
};

static int easy_sjbf_open(struct loom_sim *sim, void *state, const struct loom_params *params,
                          struct loom_error *err)
{
    struct sjbf *self = state;
    (void)err;
    loom_sim_set_order(sim, loom_order_chosen(params));
    loom_queue_reset(&self->by_estimate, loom_order_find("sjf"));
    return 0;
}

static void easy_sjbf_close(void *state)
{
    loom_queue_free(&((struct sjbf *)state)->by_estimate);
}

static int easy_sjbf_submitted(struct loom_sim *sim, void *state, uint32_t job,
                               struct loom_error *err)
{
    struct sjbf *self = state;
    if (loom_queue_add(&self->by_estimate, loom_sim_jobs(sim, NULL), job, loom_sim_now(sim)))
        return loom_fail_memory(err);
    return 0;
}

/* Start jobs in the order of the queue. Return the first that does not fit, or LOOM_NO_JOB. */
static uint32_t start_in_order(struct loom_sim *sim, struct sjbf *self)
{
    uint32_t first;
    while ((first = loom_queue_first(loom_sim_waiting(sim))) != LOOM_NO_JOB &&
           loom_sim_job(sim, first)->procs <= loom_sim_free(sim)) {
        loom_queue_remove(&self->by_estimate, loom_sim_jobs(sim, NULL), first);
        loom_sim_start(sim, first, LOOM_WHY_TURN);
    }
    return first;
}

static int easy_sjbf_pass(struct loom_sim *sim, void *state, struct loom_error *err)
{
    struct sjbf *self = state;
    (void)err;
    uint32_t first = start_in_order(sim, self);
    if (first == LOOM_NO_JOB)
        return 0;
    struct loom_gap gap = loom_shadow_gap(sim, first);
    loom_backfill_from(sim, &gap, &self->by_estimate);
    return 0;
}

static const struct loom_param params[] = {LOOM_ORDER_PARAM, {.name = NULL}};

const struct loom_scheduler_ops loom_scheduler_easy_sjbf = {
    .info = {"easy-sjbf", "EASY that backfills the shortest jobs first", params},
    .promises = LOOM_PROMISE_HEAD,
    .promises_by = loom_order_promises,
    .only_starts = true,
    .reopens = true,
    .state_size = sizeof(struct sjbf),
    .open = easy_sjbf_open,
    .close = easy_sjbf_close,
    .submitted = easy_sjbf_submitted,
    .pass = easy_sjbf_pass,
};

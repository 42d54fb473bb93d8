/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A scheduling policy outside the tree: EASY backfilling, but only jobs that request little time
 * may overtake the first job. Build it against an installed workloom and run it:
 *
 *     cc -shared -fPIC $(pkg-config --cflags workloom) -o own_policy.so own_policy.c
 *     workloom simulate log.swf --plugin ./own_policy.so -s easy-short:longest=3600
 */
#include <workloom/scheduler.h>

struct easy_short {
    int64_t longest_s;
};

static int easy_short_open(struct loom_sim *sim, void *state, const struct loom_params *params,
                           struct loom_error *err)
{
    struct easy_short *self = state;
    (void)err;
    self->longest_s = loom_params_int(params, "longest");
    loom_sim_set_order(sim, loom_order_chosen(params));
    return 0;
}

/* Start jobs in order as long as they fit. The first that does not gets a reservation; start the
 * short jobs behind it that do not delay that. */
static int easy_short_pass(struct loom_sim *sim, void *state, struct loom_error *err)
{
    const struct easy_short *self = state;
    (void)err;
    uint32_t first = loom_sim_start_in_order(sim), next;
    if (first == LOOM_NO_JOB || !loom_sim_could_backfill(sim))
        return 0;
    struct loom_gap gap = loom_gap_beside(sim, first, loom_shadow_s(sim, first));
    struct loom_cursor cursor = loom_sim_cursor(sim, first);
    while ((next = loom_sim_next_fit(sim, &cursor, &gap)) != LOOM_NO_JOB)
        if (loom_sim_job(sim, next)->estimate_s <= self->longest_s)
            loom_backfill(sim, &gap, next);
    return 0;
}

static const struct loom_param params[] = {
    {.name = "longest",
     .type = LOOM_PARAM_INT,
     .min = 1,
     .max = 0x1p40,
     .value = "3600",
     .metavar = "SECONDS",
     .help = "the longest estimate of a job that may be backfilled"},
    LOOM_ORDER_PARAM,
    {.name = NULL},
};

static const struct loom_scheduler_ops easy_short = {
    .info = {"easy-short", "EASY that backfills short jobs only", params},
    .promises = LOOM_PROMISE_HEAD,
    .promises_by = loom_order_promises,
    .only_starts = true,
    .wants_profile = true,
    .state_size = sizeof(struct easy_short),
    .open = easy_short_open,
    .pass = easy_short_pass,
};

LOOM_SCHEDULER_PLUGIN(&easy_short);

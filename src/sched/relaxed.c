/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Relaxed backfilling (Ward, Mahood and West 2002): EASY, but jobs may overtake the first one even
 * if that delays it, as long as it is not delayed too much. The promise to the first job is the
 * earliest start that EASY would have reserved for it since it became the first. It may start up to
 * `slack` times the wait that it would have then after that promise, and no later.
 *
 * A slack of 0 is EASY; it counts to nine decimals. What it guarantees: the first job starts by its
 * promise plus the slack, as long as no estimate is too short.
 */
#include "sim/share.h"

#include <workloom/scheduler.h>

struct relaxed {
    int64_t slack;  /* in billionths */
    uint32_t first; /* the job with the promise, or LOOM_NO_JOB */
    int64_t promised_s;
};

static int relaxed_open(struct loom_sim *sim, void *state, const struct loom_params *params,
                        struct loom_error *err)
{
    struct relaxed *self = state;
    (void)err;
    loom_sim_set_order(sim, loom_order_chosen(params));
    self->slack = loom_billionths(loom_params_real(params, "slack"));
    self->first = LOOM_NO_JOB;
    return 0;
}

/* Return the latest start of the first job, or the shadow time if that is later, as after an
 * estimate that was too short. */
static int64_t latest_start(struct loom_sim *sim, struct relaxed *self, uint32_t first)
{
    int64_t shadow_s = loom_shadow_s(sim, first);
    if (self->first != first || shadow_s < self->promised_s)
        self->promised_s = shadow_s;
    self->first = first;
    int64_t wait_s = self->promised_s - loom_sim_job(sim, first)->submit_s;
    int64_t latest_s = self->promised_s + loom_share_s(self->slack, wait_s);
    return latest_s > shadow_s ? latest_s : shadow_s;
}

static int relaxed_pass(struct loom_sim *sim, void *state, struct loom_error *err)
{
    struct relaxed *self = state;
    (void)err;
    uint32_t first = loom_sim_start_in_order(sim);
    if (first == LOOM_NO_JOB)
        return 0;
    struct loom_gap gap = loom_gap_beside(sim, first, latest_start(sim, self, first));
    loom_backfill_behind(sim, &gap, first);
    return 0;
}

static const struct loom_param params[] = {
    LOOM_ORDER_PARAM,
    {.name = "slack",
     .type = LOOM_PARAM_REAL,
     .min = 0,
     .max = 1000,
     .value = "0.5",
     .metavar = "FACTOR",
     .help = "how much longer the first job may be made to wait, as a share of its promised wait"},
    {.name = NULL},
};

const struct loom_scheduler_ops loom_scheduler_relaxed = {
    .info = {"relaxed", "EASY that may delay the first job by a share of its wait", params},
    .promises_by = loom_order_promises,
    .state_size = sizeof(struct relaxed),
    .open = relaxed_open,
    .pass = relaxed_pass,
};

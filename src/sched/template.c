/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A policy to copy. It is first fit: whatever fits starts, in the order of the queue, without
 * reservations; but once the first job has waited `patience` seconds, nothing may overtake it, so
 * that wide jobs do not starve.
 *
 * To add a policy, copy this file and rename loom_scheduler_template at its end, and the name in
 * it. Then either append LOOM_SCHEDULER_PLUGIN(&loom_scheduler_...); and build it as a plug-in, or
 * name the file in src/meson.build and the policy in the list in registry.c.
 * docs/ADDING-A-SCHEDULER.md does both step by step.
 */
#include <workloom/scheduler.h>

struct template
{
    int64_t patience_s;
};

static int template_open(struct loom_sim *sim, void *state, const struct loom_params *params,
                         struct loom_error *err)
{
    struct template *self = state;
    (void)sim, (void)err;
    self->patience_s = loom_params_int(params, "patience");
    return 0;
}

static int template_pass(struct loom_sim *sim, void *state, struct loom_error *err)
{
    const struct template *self = state;
    (void)err;
    uint32_t first = loom_sim_start_in_order(sim), next;
    if (first == LOOM_NO_JOB)
        return 0;
    if (loom_sim_now(sim) - loom_sim_job(sim, first)->submit_s >= self->patience_s)
        return 0;
    struct loom_cursor cursor = loom_sim_cursor(sim, first);
    struct loom_gap gap = {.procs = loom_sim_free(sim), .length_s = LOOM_NEVER};
    while ((next = loom_sim_next_fit(sim, &cursor, &gap)) != LOOM_NO_JOB) {
        gap.procs -= loom_sim_job(sim, next)->procs;
        loom_sim_start(sim, next, LOOM_WHY_OTHER);
    }
    return 0;
}

static const struct loom_param params[] = {
    {.name = "patience",
     .type = LOOM_PARAM_INT,
     .min = 0,
     .max = 0x1p40,
     .value = "14400",
     .metavar = "SECONDS",
     .help = "how long the first job lets others overtake it"},
    {.name = NULL},
};

const struct loom_scheduler_ops loom_scheduler_template = {
    .info = {"template", "first fit, until the first job loses patience", params},
    .promises = LOOM_PROMISE_NO_STARVE,
    .state_size = sizeof(struct template),
    .open = template_open,
    .pass = template_pass,
};

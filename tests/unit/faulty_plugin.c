/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared objects that are no good plug-ins; meson.build defines which fault each has. */
#include <workloom/scheduler.h>

static int pass(struct loom_sim *sim, void *state, struct loom_error *err)
{
    (void)state, (void)err;
#ifdef FAULT_UNDEFINED
    void loom_no_such_function(void);
    loom_no_such_function();
#endif
    loom_sim_start_in_order(sim);
    return 0;
}

static const struct loom_scheduler_ops good = {
    .info = {"good", "first come, first served", NULL},
    .pass = pass,
};

#ifdef FAULT_SECOND
static const struct loom_scheduler_ops second = {.info = {"second", "it has no pass()", NULL}};
#endif

#ifdef FAULT_ABI
/* Whatever a later version has behind the number must not be looked at. */
LOOM_API extern const unsigned loom_scheduler_plugin[4];
const unsigned loom_scheduler_plugin[4] = {LOOM_SCHEDULER_ABI + 1, 1, 1, 1};
LOOM_API extern const struct loom_scheduler_ops *const used;
const struct loom_scheduler_ops *const used = &good;
#elif defined FAULT_SYMBOL
LOOM_API extern const struct loom_scheduler_ops *const used;
const struct loom_scheduler_ops *const used = &good;
#elif defined FAULT_SECOND
LOOM_SCHEDULER_PLUGIN(&good, &second);
#elif defined FAULT_EMPTY
LOOM_API extern const struct loom_scheduler_ops *const used;
const struct loom_scheduler_ops *const used = &good;
LOOM_SCHEDULER_PLUGIN(NULL);
#else
LOOM_SCHEDULER_PLUGIN(&good);
#endif

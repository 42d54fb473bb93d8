/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The built-in policies. */
#include "sched/registry.h"

/* All of them, in the order of listings. A new one is one more line here. */
#define SCHEDULERS(X) \
    X(fcfs)           \
    X(easy)           \
    X(conservative)   \
    X(selective)      \
    X(adaptive)       \
    X(easy_sjbf)      \
    X(relaxed)        \
    X(lookahead)      \
    X(ups)

#define X(name) extern const struct loom_scheduler_ops loom_scheduler_##name;
SCHEDULERS(X)
#undef X

static const struct loom_scheduler_ops *const schedulers[] = {
#define X(name) &loom_scheduler_##name,
    SCHEDULERS(X)
#undef X
};

enum { N_SCHEDULERS = sizeof schedulers / sizeof *schedulers };

const struct loom_scheduler_ops *loom_scheduler_built_in(size_t index)
{
    return index < N_SCHEDULERS ? schedulers[index] : NULL;
}

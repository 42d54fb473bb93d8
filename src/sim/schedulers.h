/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * schedulers.h - policies by name, which src/sched provides, and what only policies in the tree may
 * use. The interface of a policy is workloom/scheduler.h.
 */
#ifndef LOOM_SIM_SCHEDULERS_H
#define LOOM_SIM_SCHEDULERS_H

#include "sim/index/profile.h"
#include "sim/index/queue.h"

/* The waiting jobs, as the engine keeps them. */
struct loom_queue *loom_sim_waiting(struct loom_sim *sim);

/* Split "NAME:PARAMETER=VALUE,..." into a policy and its parameters, which the caller must destroy.
 * NULL schedulers are the built-in ones. */
int loom_scheduler_parse(const struct loom_scheduler_ops **ops, struct loom_params **params,
                         const struct loom_schedulers *schedulers, const char *text,
                         struct loom_error *err);

#endif

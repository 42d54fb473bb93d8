/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * order.h - the order of a queue: a number for each job, smallest first, equal ones as submitted.
 * A policy that lets its user choose declares LOOM_ORDER_PARAM among its parameters and sets
 * loom_order_chosen(params). A new order is one entry of the table in order.c.
 */
#ifndef LOOM_SIM_ORDER_H
#define LOOM_SIM_ORDER_H

#include <workloom/sim.h>

struct loom_order {
    struct loom_order_info info;
    /* NULL for the order of submission. job is the job's number. */
    double (*key)(const struct loom_sim_job *what, uint32_t job, int64_t now_s);
};

extern const char *const loom_order_names[];
extern const struct loom_order loom_order_fcfs;

#define LOOM_ORDER_PARAM                                                                          \
    {                                                                                             \
        .name = "order", .type = LOOM_PARAM_CHOICE, .value = "fcfs", .choices = loom_order_names, \
        .metavar = "ORDER", .help = "which waiting job comes first ('workloom list orders')"      \
    }

const struct loom_order *loom_order_find(const char *name);
const struct loom_order *loom_order_chosen(const struct loom_params *params);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * order.h - the order of a queue: a number for each job, smallest first, equal ones as submitted.
 * A policy that lets its user choose declares LOOM_ORDER_PARAM among its parameters and sets
 * loom_order_chosen(params). A new order is one entry of the table in order.c.
 */
#ifndef LOOM_SIM_INDEX_ORDER_H
#define LOOM_SIM_INDEX_ORDER_H

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
        .metavar = "ORDER",                                                                       \
        .help = "which waiting job comes first; others than fcfs may let jobs starve "            \
                "('workloom list orders')"                                                        \
    }

const struct loom_order *loom_order_find(const char *name);
const struct loom_order *loom_order_chosen(const struct loom_params *params);
/* Promises of a policy that looks after the first job of a queue in the order chosen: by submission
 * nobody can come before it, so that every job becomes the first and stays it. By any other, later
 * jobs can come before it without end. */
unsigned loom_order_promises(const struct loom_params *params);

#endif

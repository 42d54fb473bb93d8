/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The orders a queue can have. */
#include "sim/order.h"

#include <string.h>

static double newest(const struct loom_sim_job *what, uint32_t job, int64_t now_s)
{
    (void)what, (void)now_s;
    return -(double)job;
}

static double shortest(const struct loom_sim_job *what, uint32_t job, int64_t now_s)
{
    (void)job, (void)now_s;
    return (double)what->estimate_s;
}

static double longest(const struct loom_sim_job *what, uint32_t job, int64_t now_s)
{
    (void)job, (void)now_s;
    return -(double)what->estimate_s;
}

const struct loom_order loom_order_fcfs = {.info = {"fcfs", "first submitted first", false}};

/* All orders. A new one is one more line here and in the list of names. */
static const struct loom_order *const orders[] = {
    &loom_order_fcfs,
    &(const struct loom_order){{"lcfs", "last submitted first", false}, newest},
    &(const struct loom_order){{"sjf", "shortest estimate first", false}, shortest},
    &(const struct loom_order){{"ljf", "longest estimate first", false}, longest},
};

const char *const loom_order_names[] = {"fcfs", "lcfs", "sjf", "ljf", NULL};

enum { N_ORDERS = sizeof orders / sizeof *orders };

_Static_assert(sizeof loom_order_names / sizeof *loom_order_names == (size_t)N_ORDERS + 1,
               "every order has its name in the list of names");

const struct loom_order_info *loom_order_at(size_t index)
{
    return index < N_ORDERS ? &orders[index]->info : NULL;
}

const struct loom_order *loom_order_find(const char *name)
{
    for (size_t i = 0; i < N_ORDERS; i++)
        if (strcmp(orders[i]->info.name, name) == 0)
            return orders[i];
    return NULL;
}

const struct loom_order *loom_order_chosen(const struct loom_params *params)
{
    return loom_order_find(loom_params_text(params, "order"));
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The orders a queue can have. A new one is one entry of the table. */
#include <workloom/scheduler.h>

#include <math.h>
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

static double narrowest(const struct loom_sim_job *what, uint32_t job, int64_t now_s)
{
    (void)job, (void)now_s;
    return what->procs;
}

static double widest(const struct loom_sim_job *what, uint32_t job, int64_t now_s)
{
    (void)job, (void)now_s;
    return -(double)what->procs;
}

static double area(const struct loom_sim_job *what)
{
    return (double)what->estimate_s * what->procs;
}

static double least_area(const struct loom_sim_job *what, uint32_t job, int64_t now_s)
{
    (void)job, (void)now_s;
    return area(what);
}

static double most_area(const struct loom_sim_job *what, uint32_t job, int64_t now_s)
{
    (void)job, (void)now_s;
    return -area(what);
}

/* (wait + estimate) / estimate, less the 1 that all have. */
static double expansion(const struct loom_sim_job *what, uint32_t job, int64_t now_s)
{
    (void)job;
    return -(double)(now_s - what->submit_s) / (double)what->estimate_s;
}

/* (wait / estimate)^3 times processors (Tang et al. 2009). As one quotient of whole numbers, which
 * are exact up to 2^53, jobs of equal value are equal. */
static double wfp3(const struct loom_sim_job *what, uint32_t job, int64_t now_s)
{
    double wait_s = (double)(now_s - what->submit_s), estimate_s = (double)what->estimate_s;
    (void)job;
    return -(wait_s * wait_s * wait_s * what->procs) / (estimate_s * estimate_s * estimate_s);
}

/* The four functions that Carastan-Santos and de Camargo (2017) found by regression on simulated
 * schedules, of estimate, processors and submit time. */
static double log_submit(const struct loom_sim_job *what)
{
    return log10(what->submit_s > 1 ? (double)what->submit_s : 1);
}

static double f1(const struct loom_sim_job *what, uint32_t job, int64_t now_s)
{
    (void)job, (void)now_s;
    return log10((double)what->estimate_s) * what->procs + 8.70e2 * log_submit(what);
}

static double f2(const struct loom_sim_job *what, uint32_t job, int64_t now_s)
{
    (void)job, (void)now_s;
    return sqrt((double)what->estimate_s) * what->procs + 2.56e4 * log_submit(what);
}

static double f3(const struct loom_sim_job *what, uint32_t job, int64_t now_s)
{
    (void)job, (void)now_s;
    return (double)what->estimate_s * what->procs + 6.86e6 * log_submit(what);
}

static double f4(const struct loom_sim_job *what, uint32_t job, int64_t now_s)
{
    (void)job, (void)now_s;
    return (double)what->estimate_s * sqrt(what->procs) + 5.30e5 * log_submit(what);
}

const struct loom_order loom_order_fcfs = {.info = {"fcfs", "first submitted first", false}};

/* All orders. A new one is one more line here and in the list of names. */
static const struct loom_order *const orders[] = {
    &loom_order_fcfs,
    &(const struct loom_order){{"lcfs", "last submitted first", false}, newest},
    &(const struct loom_order){{"sjf", "shortest estimate first", false}, shortest},
    &(const struct loom_order){{"ljf", "longest estimate first", false}, longest},
    &(const struct loom_order){{"smallest", "fewest processors first", false}, narrowest},
    &(const struct loom_order){{"largest", "most processors first", false}, widest},
    &(const struct loom_order){{"saf", "smallest area (estimate * processors) first", false},
                               least_area},
    &(const struct loom_order){{"laf", "largest area first", false}, most_area},
    &(const struct loom_order){{"expansion", "largest (wait + estimate) / estimate first", true},
                               expansion},
    &(const struct loom_order){{"wfp3", "largest (wait / estimate)^3 * processors first", true},
                               wfp3},
    &(const struct loom_order){{"f1", "learned: log10(estimate) * processors + 870 log10(submit)",
                                false},
                               f1},
    &(const struct loom_order){{"f2", "learned: sqrt(estimate) * processors + 25600 log10(submit)",
                                false},
                               f2},
    &(const struct loom_order){{"f3", "learned: estimate * processors + 6860000 log10(submit)",
                                false},
                               f3},
    &(const struct loom_order){{"f4", "learned: estimate * sqrt(processors) + 530000 log10(submit)",
                                false},
                               f4},
};

const char *const loom_order_names[] = {"fcfs",    "lcfs", "sjf", "ljf",       "smallest",
                                        "largest", "saf",  "laf", "expansion", "wfp3",
                                        "f1",      "f2",   "f3",  "f4",        NULL};

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

unsigned loom_order_promises(const struct loom_params *params)
{
    return loom_order_chosen(params) == &loom_order_fcfs
               ? LOOM_PROMISE_NO_STARVE | LOOM_PROMISE_FIRST
               : 0;
}

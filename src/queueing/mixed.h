/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mixed.h - closed users and open jobs: two exact solutions. */
#ifndef LOOM_QUEUEING_MIXED_H
#define LOOM_QUEUEING_MIXED_H

#include <workloom/base.h>

/* Arrival rate of open jobs, and number and think time of closed users. */
struct loom_mixed_load {
    double rate;
    uint64_t users;
    double think, service;
    unsigned servers;
};

struct loom_mixed_means {
    double throughput; /* of closed users */
    double queue;      /* closed users at the queue */
    double response_open;
};

/* Solve one server by mean value analysis. */
struct loom_mixed_means loom_mixed_mva(const struct loom_mixed_load *load);
/* Solve any number of servers by the product form. */
int loom_mixed_product(struct loom_mixed_means *out, const struct loom_mixed_load *load,
                       struct loom_error *err);

#endif

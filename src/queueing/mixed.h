/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mixed.h - closed users beside open jobs: two ways to the same numbers. */
#ifndef LOOM_QUEUEING_MIXED_H
#define LOOM_QUEUEING_MIXED_H

#include <workloom/base.h>

/* Open jobs of a rate, and closed users who think for a time. */
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

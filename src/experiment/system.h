/* SPDX-License-Identifier: GPL-3.0-or-later */
/* system.h - the inside of struct loom_system. */
#ifndef LOOM_EXPERIMENT_SYSTEM_H
#define LOOM_EXPERIMENT_SYSTEM_H

#include <workloom/experiment.h>

struct loom_local_log {
    struct loom_trace *log; /* NULL: the cluster has none */
    size_t left_out;        /* jobs that a negative shift would put before time 0 */
};

struct loom_system {
    int64_t procs;
    const struct loom_platform *platform; /* NULL: one machine */
    struct loom_local_log *locals;        /* by cluster */
};

/* Prefix an error with the cluster that it is about. Returns rc. */
int loom_blame_cluster(const struct loom_platform_cluster *cluster, int rc, struct loom_error *err);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* simulate.h - one replication of a model. */
#ifndef LOOM_QUEUEING_SIMULATE_H
#define LOOM_QUEUEING_SIMULATE_H

#include "queueing/cells.h"

struct loom_replication {
    struct loom_batches batches;
    struct loom_queueing_runtimes runtimes;
    uint64_t jobs;
};

/* Simulate replication `index` of a model that passed loom_queueing_check. */
int loom_queueing_replicate(struct loom_replication *out, const struct loom_queueing_model *model,
                            const struct loom_queueing_options *options, uint64_t index,
                            struct loom_error *err);

#endif

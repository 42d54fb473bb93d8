/* SPDX-License-Identifier: GPL-3.0-or-later */
/* replay.h - the parts of a replay: jobs with both waits, and what runs may assume of the log. */
#ifndef LOOM_EXPERIMENT_REPLAY_H
#define LOOM_EXPERIMENT_REPLAY_H

#include <workloom/experiment_replay.h>

/* The waits of a log and of one run, by row; -1 where there is none. */
struct loom_replayed {
    const struct loom_trace *trace;
    size_t n; /* rows */
    const int64_t *logged_s;
    int64_t *simulated_s;
    int64_t first_s; /* first submission */
};

/* Compute the errors of each class of a kind (replay_errors.c). The caller must free *out. */
int loom_replay_classes_create(struct loom_replay_classes **out, const struct loom_replayed *of,
                               enum loom_replay_kind kind, struct loom_error *err);

#endif

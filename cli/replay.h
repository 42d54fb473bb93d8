/* SPDX-License-Identifier: GPL-3.0-or-later */
/* replay.h - `workloom replay`: options (cmd_replay.c) and output (replay_output.c). */
#ifndef WORKLOOM_CLI_REPLAY_H
#define WORKLOOM_CLI_REPLAY_H

#include "simulate.h"

/* A replay and what it was made of. */
struct replay {
    const struct invocation *call;
    struct loom_pool *pool;
    const struct loom_trace *trace; /* after selection */
    int64_t left_out;               /* jobs, by selection */
    const struct loom_replay_report *report;
};

/* Print and write what the options ask for. */
int report_replay(const struct replay *replay, struct loom_error *err);

#endif

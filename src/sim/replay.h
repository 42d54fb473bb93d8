/* SPDX-License-Identifier: GPL-3.0-or-later */
/* replay.h - the jobs of a trace as a source, each at its own submit time. */
#ifndef LOOM_SIM_REPLAY_H
#define LOOM_SIM_REPLAY_H

#include <workloom/sim.h>

struct loom_replay {
    const struct loom_jobs *jobs;
    uint32_t *rows; /* by submit time, then row; NULL if they stand in that order */
    size_t n;       /* rows to submit */
    size_t at;
    int64_t shift_s; /* of submit times */
};

/* Fails where no job could be simulated. A zeroed or failed replay may be closed. */
int loom_replay_open(struct loom_replay *replay, const struct loom_trace *trace, int64_t shift_s,
                     struct loom_error *err);
void loom_replay_close(struct loom_replay *replay);
/* Its source, which lives as long as the replay. */
struct loom_job_source loom_replay_source(struct loom_replay *replay);

/* Fill in the fields of a row of a trace that a submission lacks. */
void loom_view_describe(struct loom_job_view *view, const struct loom_jobs *jobs, uint32_t row);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* replay.h - the jobs of a trace as a source, each at its own submit time. */
#ifndef LOOM_SIM_REPLAY_H
#define LOOM_SIM_REPLAY_H

#include "base/civil.h"
#include "trace/table.h"

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
/* Its source, which lives as long as the replay; and the replay of a source, NULL if it is none. */
struct loom_job_source loom_replay_source(struct loom_replay *replay);
struct loom_replay *loom_replay_of(const struct loom_job_source *source);

static inline size_t loom_replay_row(const struct loom_replay *replay)
{
    return replay->rows ? replay->rows[replay->at] : replay->at;
}

/* A submit time that is not known stays so. The latest of all times is not LOOM_NEVER. */
static inline int64_t loom_replay_due(const struct loom_replay *replay)
{
    if (replay->at >= replay->n)
        return LOOM_NEVER;
    int64_t submit_s = replay->jobs->submit_s[loom_replay_row(replay)];
    if (submit_s < 0)
        return submit_s;
    submit_s = loom_saturated_add(submit_s, replay->shift_s);
    return submit_s < LOOM_NEVER ? submit_s : LOOM_NEVER - 1;
}

static inline void loom_replay_take(struct loom_replay *replay, struct loom_submission *out)
{
    const struct loom_jobs *jobs = replay->jobs;
    size_t row = loom_replay_row(replay);
    *out = (struct loom_submission){
        .submit_s = loom_replay_due(replay),
        .run_s = jobs->run_s[row],
        .request_s = jobs->request_s[row],
        .procs = loom_job_procs(jobs, row),
        .user = jobs->user[row],
        .row = (uint32_t)row,
    };
    replay->at++;
}

/* Fill in the fields of a row of a trace that a submission lacks. */
void loom_view_describe(struct loom_job_view *view, const struct loom_jobs *jobs, uint32_t row);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From a submission to a job: what is dropped, what the scheduler is told to expect, and what
 * becomes of a job that takes longer. Everything done to a job is counted.
 */
#include "sim/engine.h"

/* Sums of times must stay countable: see also the engine's check of the clock. */
static const int64_t LONGEST_S = INT64_C(1) << 48;

/* Why a submission cannot become a job, as the counter of that reason, or NULL. */
static int64_t *objection(struct loom_sim_counts *counts, int64_t widest,
                          const struct loom_submission *submission)
{
    if (submission->submit_s < 0)
        return &counts->dropped_no_submit;
    if (submission->run_s < 0)
        return &counts->dropped_no_runtime;
    if (submission->procs <= 0)
        return &counts->dropped_no_procs;
    if (submission->submit_s > LONGEST_S || submission->run_s > LONGEST_S ||
        submission->request_s > LONGEST_S)
        return &counts->dropped_too_long;
    return submission->procs > widest ? &counts->rejected_too_wide : NULL;
}

const char *loom_refusal(const struct loom_sim *sim, const struct loom_submission *submission)
{
    struct loom_sim_counts counts;
    const int64_t *reason = objection(&counts, sim->widest, submission);
#define X(name, what)           \
    if (reason == &counts.name) \
        return what;
    LOOM_SIM_COUNTS(X)
#undef X
    return NULL;
}

/* What the scheduler would believe if nobody looked at the runtime. */
static int64_t first_estimate(struct loom_sim *sim, const struct loom_submission *submission,
                              const struct loom_sim_job *job)
{
    const struct loom_estimator *estimator = sim->options.estimator;
    if (estimator)
        return estimator->estimate(estimator->self, job, submission->request_s, 0);
    if (submission->request_s > 0)
        return submission->request_s;
    sim->counts.estimates_missing++;
    return submission->run_s;
}

static void apply_overrun(struct loom_sim *sim, struct loom_sim_job *job)
{
    if (job->run_s <= job->estimate_s)
        return;
    switch (sim->options.overrun) {
    case LOOM_OVERRUN_RAISE:
        job->estimate_s = job->run_s;
        job->notes |= LOOM_JOB_RAISED;
        sim->counts.estimates_raised++;
        break;
    case LOOM_OVERRUN_KILL:
        job->run_s = job->estimate_s;
        job->notes |= LOOM_JOB_CUT;
        sim->counts.cut++;
        break;
    case LOOM_OVERRUN_EXTEND:
        sim->counts.extended++;
        break;
    }
}

bool loom_admit(struct loom_sim *sim, const struct loom_submission *submission,
                struct loom_sim_job *out)
{
    int64_t *reason = objection(&sim->counts, sim->widest, submission);
    if (reason) {
        ++*reason;
        return false;
    }
    struct loom_sim_job job = {
        .submit_s = sim->now_s,
        .run_s = submission->run_s,
        .start_s = -1,
        .procs = submission->procs,
        .user = submission->user,
        .row = submission->row,
    };
    job.estimate_s = first_estimate(sim, submission, &job);
    if (job.estimate_s < 1) {
        job.estimate_s = 1;
        job.notes |= LOOM_JOB_RAISED;
        sim->counts.estimates_to_1s++;
    }
    apply_overrun(sim, &job);
    *out = job;
    return true;
}

int64_t loom_next_estimate(const struct loom_sim *sim, const struct loom_sim_job *job)
{
    const struct loom_estimator *estimator = sim->options.estimator;
    int64_t ran_s = job->estimate_s;
    int64_t next_s = ran_s > INT64_MAX / 4 ? ran_s : 2 * ran_s;
    if (estimator)
        next_s = estimator->estimate(estimator->self, job, -1, ran_s);
    return next_s > ran_s ? next_s : ran_s + 1;
}

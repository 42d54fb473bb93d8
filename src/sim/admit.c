/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From a submission to a job: what is dropped, and what becomes of a job that takes longer than its
 * estimate. Everything done to a job is counted.
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
    *out = (struct loom_sim_job){
        .submit_s = sim->now_s,
        .run_s = submission->run_s,
        .estimate_s = loom_first_estimate(sim, submission),
        .start_s = -1,
        .procs = submission->procs,
        .user = submission->user,
        .row = submission->row,
    };
    if (out->estimate_s < 1) {
        out->estimate_s = 1;
        out->notes |= LOOM_JOB_RAISED;
        sim->counts.estimates_to_1s++;
    }
    apply_overrun(sim, out);
    return true;
}

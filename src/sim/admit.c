/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From a submission to a job: what is dropped, and what becomes of a job that takes longer than it
 * requested. Everything done to a job is counted.
 */
#include "sim/engine.h"

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
    if (are_too_long(submission->submit_s, submission->run_s, submission->request_s))
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

/* Apply the overrun rule to a job that takes longer than it requested. */
static void apply_overrun(struct loom_sim *sim, struct loom_submission *job, uint32_t *notes)
{
    switch (sim->options.overrun) {
    case LOOM_OVERRUN_RAISE:
        job->request_s = job->run_s;
        *notes |= LOOM_JOB_RAISED;
        sim->counts.estimates_raised++;
        break;
    case LOOM_OVERRUN_KILL:
        job->run_s = job->request_s;
        *notes |= LOOM_JOB_CUT;
        sim->counts.cut++;
        break;
    case LOOM_OVERRUN_EXTEND:
        break;
    }
}

/* What the user asked for, or else the runtime itself. */
static int64_t requested(struct loom_sim *sim, const struct loom_submission *submission)
{
    if (submission->request_s > 0)
        return submission->request_s;
    sim->counts.estimates_missing++;
    return submission->run_s;
}

static bool is_urgent(const struct loom_sim *sim, const struct loom_submission *job)
{
    return sim->options.urgent && job->row != LOOM_NO_ROW && sim->options.urgent[job->row];
}

static bool admit(struct loom_sim *sim, struct loom_submission *job, int64_t submit_s,
                  struct loom_sim_job *out)
{
    int64_t *reason = objection(&sim->counts, sim->widest, job);
    if (reason) {
        ++*reason;
        return false;
    }
    uint32_t notes = 0;
    if (job->request_s > 0 && job->run_s > job->request_s)
        apply_overrun(sim, job, &notes);
    *out = (struct loom_sim_job){
        .submit_s = submit_s,
        .run_s = job->run_s,
        .estimate_s = sim->options.estimator ? loom_first_estimate(sim, job) : requested(sim, job),
        .start_s = -1,
        .procs = job->procs,
        .user = job->user,
        .row = job->row,
        .notes = notes | (is_urgent(sim, job) ? LOOM_JOB_URGENT : 0),
    };
    if (out->estimate_s < 1) {
        out->estimate_s = 1;
        out->notes |= LOOM_JOB_RAISED;
        sim->counts.estimates_to_1s++;
    }
    if (out->run_s > out->estimate_s)
        sim->counts.extended++;
    return true;
}

/* ---- submissions ----------------------------------------------------------------------------- */

static int refuse(struct loom_sim *sim, const struct loom_submission *submission,
                  struct loom_error *err)
{
    const struct loom_sim_event event = {.kind = LOOM_EVENT_REJECT,
                                         .job = LOOM_NO_JOB,
                                         .time_s = sim->now_s,
                                         .rejected = submission};
    int rc = sim->watched & LOOM_EVENT_REJECT ? loom_sim_notify(sim, &event, err) : 0;
    if (!rc && sim->source->admitted)
        rc = sim->source->admitted(sim->source->self, LOOM_NO_JOB, err);
    return rc;
}

/* A job was admitted behind the last: it joins the queue, unless its user is at a limit. */
static int join_or_hold(struct loom_sim *sim, int64_t stamp_s, struct loom_error *err)
{
    bool join = true;
    if (sim->clock.times)
        sim->stamps[sim->n_jobs] = stamp_s;
    if (sim->limits.rule) {
        struct loom_held held = {.job = sim->jobs[sim->n_jobs], .stamp_s = stamp_s};
        if (sim->options.estimator)
            held.view = sim->views[sim->n_jobs];
        int rc = loom_limits_submit(&sim->limits, &held, &join, err);
        if (rc)
            return rc;
    }
    return join ? loom_sim_enlist(sim, err) : 0;
}

int loom_sim_submit_one(struct loom_sim *sim, struct loom_error *err)
{
    struct loom_submission submission;
    int64_t stamp_s = sim->clock.times ? sim->source->due(sim->source->self) : 0;
    int rc = sim->source->take(sim->source->self, &submission, err);
    sim->due_s = loom_sim_ask_due(sim);
    if (!rc && !loom_sim_has_room(sim))
        rc = loom_sim_make_room(sim, err);
    if (rc)
        return rc;
    return admit(sim, &submission, sim->now_s, &sim->jobs[sim->n_jobs])
               ? join_or_hold(sim, stamp_s, err)
               : refuse(sim, &submission, err);
}

/* Does what becomes of the jobs of a trace not depend on the run, and does nobody watch it? */
static bool are_known(const struct loom_sim *sim)
{
    return sim->replay && !sim->source_reacts && !sim->options.estimator && !sim->clock.times &&
           !sim->limits.rule;
}

void loom_sim_admit_early(struct loom_sim *sim)
{
    if (!are_known(sim))
        return;
    while (sim->n_admitted < sim->jobs_capacity && !are_too_long(sim->due_s, 0, 0)) {
        struct loom_submission submission;
        loom_replay_take(sim->replay, &submission);
        sim->n_admitted += admit(sim, &submission, sim->due_s, &sim->jobs[sim->n_admitted]);
        sim->due_s = loom_replay_due(sim->replay);
    }
    if (sim->n_admitted > 0)
        sim->due_s = sim->jobs[0].submit_s;
}

/* Submissions without a known time are dropped, and take none. */
int loom_sim_drop_unknown(struct loom_sim *sim, struct loom_error *err)
{
    int rc = 0;
    while (!rc && loom_sim_due(sim) < 0)
        rc = loom_sim_submit_one(sim, err);
    return rc;
}

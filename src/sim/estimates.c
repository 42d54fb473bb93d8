/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Estimates from an estimator, and the views of jobs that are kept for it, by number. */
#include "base/vec.h"
#include "sim/engine.h"

int loom_views_reserve(struct loom_sim *sim, struct loom_error *err)
{
    while (sim->n_jobs >= sim->views_capacity)
        if (loom_grow(&sim->views, sim->views_capacity, &sim->views_capacity))
            return loom_fail_memory(err);
    return 0;
}

/* The next job's view: what the submission says, and what else its source knows. It is numbered by
 * submission, since a job that is held back joins the table only later. */
static const struct loom_job_view *view(struct loom_sim *sim,
                                        const struct loom_submission *submission)
{
    struct loom_job_view *out = &sim->views[sim->n_jobs];
    *out = (struct loom_job_view){
        .submit_s = sim->now_s,
        .request_s = submission->request_s,
        .req_mem_kib = -1,
        .procs = submission->procs,
        .user = submission->user,
        .group = -1,
        .executable = -1,
        .queue = -1,
        .origin = sim->origin,
        .number = sim->n_viewed++,
    };
    if (sim->source->describe)
        sim->source->describe(sim->source->self, submission, out);
    return out;
}

/* Times of the engine are below 2^48, so that sums of them cannot overflow. */
static int64_t bounded(int64_t estimate_s)
{
    const int64_t most_s = INT64_C(1) << 48;
    return estimate_s < most_s ? estimate_s : most_s;
}

int64_t loom_first_estimate(struct loom_sim *sim, const struct loom_submission *submission)
{
    const struct loom_estimator *estimator = sim->options.estimator;
    if (estimator->foresee)
        return bounded(
            estimator->foresee(estimator->self, view(sim, submission), submission->run_s));
    return bounded(estimator->estimate(estimator->self, view(sim, submission)));
}

int64_t loom_next_estimate(const struct loom_sim *sim, uint32_t job)
{
    const struct loom_estimator *estimator = sim->options.estimator;
    int64_t ran_s = sim->jobs[job].estimate_s;
    int64_t next_s = ran_s > INT64_MAX / 4 ? ran_s : 2 * ran_s;
    if (estimator && estimator->correct)
        next_s = bounded(estimator->correct(estimator->self, &sim->views[job], ran_s));
    return next_s > ran_s ? next_s : ran_s + 1;
}

int loom_estimator_started(const struct loom_sim *sim, uint32_t job, struct loom_error *err)
{
    const struct loom_estimator *estimator = sim->options.estimator;
    if (!estimator->started)
        return 0;
    return estimator->started(estimator->self, &sim->views[job], sim->jobs[job].start_s, err);
}

int loom_estimator_learn(const struct loom_sim *sim, uint32_t job, struct loom_error *err)
{
    const struct loom_estimator *estimator = sim->options.estimator;
    if (!estimator->learn)
        return 0;
    return estimator->learn(estimator->self, &sim->views[job], sim->jobs[job].run_s, err);
}

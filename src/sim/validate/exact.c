/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Is a schedule exactly what a policy makes? All that a policy decides by is in the schedule: when
 * jobs came, what they asked for, whose they were, and how long they ran. So the jobs are simulated
 * under the policy, and the starts compared.
 *
 * Before the first instant with a difference both machines went through the same, so that it is one
 * decision of that instant which was another. Everything later may follow from it.
 */
#include "sim/results/start_log.h"
#include "sim/validate/validate.h"

#include <workloom/sim_results.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* A job that does not start at the same time in both; -1 if it does not run. */
struct differing {
    uint32_t row;
    int64_t schedule_s, policy_s;
};

/* The policy's own schedule. */
struct rerun {
    const char *policy;
    const struct loom_played *played; /* the schedule */
    const struct loom_jobs *jobs;     /* of it */
    struct loom_sim *sim;
    struct loom_start_log *log;
    uint32_t *job_of; /* the number in the simulation, by row; LOOM_NO_JOB if it is refused */
    struct differing *differing;
    size_t n;
};

static void close_rerun(struct rerun *rerun)
{
    loom_sim_destroy(rerun->sim);
    loom_start_log_destroy(rerun->log);
    free(rerun->job_of);
    free(rerun->differing);
}

static int open_rerun(struct rerun *rerun, const struct loom_played *played,
                      const struct loom_jobs *jobs, const char *policy, struct loom_error *err)
{
    *rerun = (struct rerun){.policy = policy, .played = played, .jobs = jobs};
    rerun->job_of = malloc((jobs->n + 1) * sizeof *rerun->job_of);
    rerun->differing = malloc((jobs->n + 1) * sizeof *rerun->differing);
    if (!rerun->job_of || !rerun->differing)
        return loom_fail_memory(err);
    int rc = loom_sim_create(&rerun->sim, err);
    return rc ? rc : loom_start_log_create(&rerun->log, err);
}

static int simulate(struct rerun *rerun, const struct loom_trace *schedule,
                    const struct loom_validate_options *options, struct loom_error *err)
{
    const struct loom_observer observer = loom_start_log_observer(rerun->log);
    const struct loom_sim_options run = {
        .scheduler = options->policy,
        .schedulers = options->schedulers,
        .procs = options->procs,
        .overrun = options->overrun,
        .compat = options->compat,
        .observers = &observer,
        .n_observers = 1,
    };
    int rc = loom_sim_run_trace(rerun->sim, &run, schedule, err);
    if (rc)
        return rc;
    size_t n;
    const struct loom_sim_job *jobs = loom_sim_jobs(rerun->sim, &n);
    for (size_t row = 0; row < rerun->jobs->n; row++)
        rerun->job_of[row] = LOOM_NO_JOB;
    for (size_t i = 0; i < n; i++)
        rerun->job_of[jobs[i].row] = (uint32_t)i;
    return 0;
}

/* ---- what differs ---------------------------------------------------------------------------- */

static int64_t first_start(const struct differing *job)
{
    bool schedule = job->schedule_s >= 0 && (job->policy_s < 0 || job->schedule_s < job->policy_s);
    return schedule ? job->schedule_s : job->policy_s;
}

static int by_time(const void *a, const void *b)
{
    const struct differing *left = a, *right = b;
    int64_t left_s = first_start(left), right_s = first_start(right);
    if (left_s != right_s)
        return (left_s > right_s) - (left_s < right_s);
    return (left->row > right->row) - (left->row < right->row);
}

static void find_differing(struct rerun *rerun)
{
    const struct loom_jobs *jobs = rerun->jobs;
    const struct loom_sim_job *simulated = loom_sim_jobs(rerun->sim, NULL);
    for (size_t row = 0; row < jobs->n; row++) {
        uint32_t job = rerun->job_of[row];
        const struct differing found = {
            .row = (uint32_t)row,
            .schedule_s = loom_did_run(jobs, row) ? jobs->submit_s[row] + jobs->wait_s[row] : -1,
            .policy_s = job == LOOM_NO_JOB ? -1 : simulated[job].start_s,
        };
        if (found.schedule_s != found.policy_s)
            rerun->differing[rerun->n++] = found;
    }
    qsort(rerun->differing, rerun->n, sizeof *rerun->differing, by_time);
}

/* ---- in words -------------------------------------------------------------------------------- */

static const char *why(const struct rerun *rerun, const struct differing *job)
{
    switch (loom_start_log_why(rerun->log, rerun->job_of[job->row])) {
    case LOOM_WHY_TURN:
        return "as the first in its order";
    case LOOM_WHY_BEFORE:
        return "as one that is over before the reservation";
    case LOOM_WHY_BESIDE:
        return "on processors that the reservation leaves";
    case LOOM_WHY_PLANNED:
        return "at the time of its reservation";
    case LOOM_WHY_OTHER:
        break;
    }
    return "by a rule of its own";
}

/* "starts at 10", or "does not run". Returns buf. */
static const char *when(const struct rerun *rerun, int64_t time_s, char *buf, size_t size)
{
    char time[LOOM_WHEN];
    if (time_s < 0)
        snprintf(buf, size, "does not run");
    else
        snprintf(buf, size, "starts at %s", loom_when(rerun->played, time_s, time));
    return buf;
}

static void note(struct loom_checked *check, const struct rerun *rerun, const struct differing *job)
{
    const struct loom_ran breaker = {.row = job->row};
    char here[LOOM_WHEN + 12], there[LOOM_WHEN + 12];
    loom_breach(check, &breaker, first_start(job), "job %" PRId64 " %s, and under %s %s%s%s",
                rerun->jobs->number[job->row], when(rerun, job->schedule_s, here, sizeof here),
                rerun->policy, when(rerun, job->policy_s, there, sizeof there),
                job->policy_s < 0 ? "" : ", ", job->policy_s < 0 ? "" : why(rerun, job));
}

/* The first of those with a difference at the parting of the schedules that this one, or else the
 * policy, starts there; NULL if it starts none. */
static const struct differing *started_then(const struct rerun *rerun, bool by_policy)
{
    int64_t parting_s = first_start(&rerun->differing[0]);
    for (size_t i = 0; i < rerun->n && first_start(&rerun->differing[i]) == parting_s; i++) {
        const struct differing *job = &rerun->differing[i];
        if ((by_policy ? job->policy_s : job->schedule_s) == parting_s)
            return job;
    }
    return NULL;
}

/* Where each of them starts something else, that is the decision; where only one does, it is
 * reported as any other difference. */
static void note_parting(struct loom_checked *check, const struct rerun *rerun)
{
    const struct differing *here = started_then(rerun, false), *there = started_then(rerun, true);
    if (!here || !there) {
        note(check, rerun, here ? here : there);
        return;
    }
    const struct loom_ran breaker = {.row = here->row};
    int64_t parting_s = first_start(here);
    char parting[LOOM_WHEN];
    loom_breach(check, &breaker, parting_s,
                "at %s job %" PRId64 " starts, where %s starts job %" PRId64 " %s",
                loom_when(rerun->played, parting_s, parting), rerun->jobs->number[here->row],
                rerun->policy, rerun->jobs->number[there->row], why(rerun, there));
}

int loom_check_exact(struct loom_checked *check, const struct loom_trace *schedule,
                     const struct loom_played *played, const struct loom_validate_options *options,
                     struct loom_error *err)
{
    struct rerun rerun;
    int rc = open_rerun(&rerun, played, loom_trace_jobs(schedule), options->policy, err);
    if (!rc)
        rc = simulate(&rerun, schedule, options, err);
    if (!rc) {
        find_differing(&rerun);
        if (rerun.n > 0)
            note_parting(check, &rerun);
        for (size_t i = 1; i < rerun.n; i++)
            note(check, &rerun, &rerun.differing[i]);
    }
    close_rerun(&rerun);
    return rc;
}

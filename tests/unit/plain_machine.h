/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * plain_machine.h - policies restated in the plainest way, against the library's: a machine
 * whose every question is answered by going through all jobs, small random workloads for it, and
 * the comparison: both must start every job in the same second.
 */
#ifndef TEST_PLAIN_MACHINE_H
#define TEST_PLAIN_MACHINE_H

#include "support.h"

#include <workloom/sim.h>

#include <stdlib.h>

enum { FEW_JOBS = 24, MOST_JOBS = 400, HOUR_S = 3600 };

/* ---- a plain simulator ----------------------------------------------------------------------- */

struct job {
    int64_t submit_s, run_s, estimate_s, start_s;
    int64_t planned_s; /* a reservation, or -1 */
    int32_t procs, user;
    int turn; /* it was started as the how manieth */
};

struct machine {
    struct job jobs[MOST_JOBS];
    int n, turns;
    int round; /* the first turn of this pass: what ends in its own second has not yet then */
    int64_t procs, now_s;
    bool
        overruns; /* jobs may run for longer than estimated, and their estimates are doubled then */
    bool extended; /* that has happened in this instant */
    /* of a policy's own */
    double number;
    bool flag;
    int first;
    int64_t promised_s;
};

typedef void policy_fn(struct machine *m);

static bool is_waiting(const struct machine *m, int j)
{
    return m->jobs[j].submit_s <= m->now_s && m->jobs[j].start_s < 0;
}

static bool is_running(const struct machine *m, int j)
{
    const struct job *job = &m->jobs[j];
    return job->start_s >= 0 && (job->start_s + job->run_s > m->now_s ||
                                 (job->start_s == m->now_s && job->turn >= m->round));
}

/* Processors free at a time from now on, by estimates; now, by what really runs. */
static int64_t free_at(const struct machine *m, int64_t time_s)
{
    int64_t free = m->procs;
    for (int j = 0; j < m->n; j++)
        if (is_running(m, j) &&
            (time_s == m->now_s || m->jobs[j].start_s + m->jobs[j].estimate_s > time_s))
            free -= m->jobs[j].procs;
    return free;
}

static void start(struct machine *m, int j)
{
    m->jobs[j].start_s = m->now_s;
    m->jobs[j].turn = m->turns++;
}

/* When a running job ends, or its estimate is over. */
static int64_t next_end(const struct job *job)
{
    return job->start_s + (job->run_s < job->estimate_s ? job->run_s : job->estimate_s);
}

/* The next instant: an end, a submission or a reservation after now, or -1. */
static int64_t next_instant(const struct machine *m)
{
    int64_t next_s = -1;
    for (int j = 0; j < m->n; j++) {
        const struct job *job = &m->jobs[j];
        int64_t times_s[] = {job->submit_s, job->start_s < 0 ? job->planned_s : next_end(job)};
        for (int k = 0; k < 2; k++)
            if (times_s[k] > m->now_s && (next_s < 0 || times_s[k] < next_s))
                next_s = times_s[k];
    }
    return next_s;
}

static void extend(struct machine *m)
{
    m->extended = false;
    for (int j = 0; j < m->n; j++)
        if (is_running(m, j) && next_end(&m->jobs[j]) == m->now_s) {
            m->jobs[j].estimate_s *= 2;
            m->extended = true;
        }
}

/* Has a job of no length been started, which makes for another pass? */
static bool has_ended_at_once(const struct machine *m)
{
    for (int j = 0; j < m->n; j++)
        if (m->jobs[j].start_s == m->now_s && m->jobs[j].turn >= m->round && m->jobs[j].run_s == 0)
            return true;
    return false;
}

static void run_plainly(struct machine *m, policy_fn *policy)
{
    m->now_s = -1;
    while ((m->now_s = next_instant(m)) >= 0) {
        extend(m);
        do {
            m->round = m->turns;
            policy(m);
            m->extended = false;
        } while (has_ended_at_once(m));
    }
}

/* ---- the comparison -------------------------------------------------------------------------- */

struct restated {
    const char *scheduler;
    policy_fn *policy;
    double number;
    bool flag;
};

/* Short times and few processors, so that much happens at once; steps of 4 minutes, so that waits
 * make up exactly for what users of ups have ahead. */
static void make_jobs(struct machine *m, struct loom_stream *stream)
{
    m->n = 2 + (int)loom_stream_below(stream, FEW_JOBS - 1);
    m->procs = 1 + (int64_t)loom_stream_below(stream, 12);
    m->first = -1;
    int64_t clock_s = 0;
    int64_t pace_s = loom_stream_below(stream, 2) ? 4 : 2 * HOUR_S;
    int64_t step_s = pace_s > 4 && loom_stream_below(stream, 2) ? HOUR_S / 15 : 1;
    int64_t length_s =
        1 + (int64_t)loom_stream_below(stream, loom_stream_below(stream, 2) ? 40 : 20000);
    for (int j = 0; j < m->n; j++) {
        struct job *job = &m->jobs[j];
        clock_s += (int64_t)loom_stream_below(stream, (uint64_t)pace_s);
        job->submit_s = clock_s - clock_s % step_s;
        job->estimate_s = 1 + (int64_t)loom_stream_below(stream, (uint64_t)length_s);
        job->run_s =
            (int64_t)loom_stream_below(stream,
                                       (uint64_t)job->estimate_s * (m->overruns ? 3 : 1) + 1);
        job->procs = 1 + (int32_t)loom_stream_below(stream, (uint64_t)m->procs);
        job->user = (int32_t)loom_stream_below(stream, 5);
        job->start_s = job->planned_s = -1;
    }
}

static struct loom_trace *to_trace(const struct machine *m)
{
    struct loom_trace *trace = empty_trace();
    for (int j = 0; j < m->n; j++) {
        struct loom_job job = loom_job_unknown();
        job.number = j + 1;
        job.submit_s = m->jobs[j].submit_s;
        job.run_s = m->jobs[j].run_s;
        job.request_s = m->jobs[j].estimate_s;
        job.alloc_procs = job.req_procs = m->jobs[j].procs;
        job.user = m->jobs[j].user;
        append(trace, job);
    }
    return trace;
}

static void print_jobs(const struct machine *m)
{
    for (int j = 0; j < m->n; j++)
        print_message("%d: submit %lld run %lld estimate %lld procs %d user %d start %lld\n", j,
                      (long long)m->jobs[j].submit_s, (long long)m->jobs[j].run_s,
                      (long long)m->jobs[j].estimate_s, m->jobs[j].procs, m->jobs[j].user,
                      (long long)m->jobs[j].start_s);
}

static void compare(struct loom_sim *sim, const struct restated *restated,
                    const struct machine *given, const struct loom_trace *trace)
{
    struct loom_error err = {0};
    struct machine m = *given;
    m.number = restated->number;
    m.flag = restated->flag;
    run_plainly(&m, restated->policy);
    const struct loom_sim_options options = {
        .scheduler = restated->scheduler,
        .procs = m.procs,
        .overrun = m.overruns ? LOOM_OVERRUN_EXTEND : LOOM_OVERRUN_RAISE,
    };
    if (loom_sim_run_trace(sim, &options, trace, &err))
        fail_msg("%s: %s", restated->scheduler, err.message);
    const struct loom_sim_job *jobs = loom_sim_jobs(sim, NULL);
    for (int j = 0; j < m.n; j++)
        if (jobs[j].start_s != m.jobs[j].start_s) {
            print_jobs(&m);
            fail_msg("%s on %lld processors%s: job %d starts at %lld", restated->scheduler,
                     (long long)m.procs, m.overruns ? " with overruns" : "", j,
                     (long long)jobs[j].start_s);
        }
}

/* As they are defined: all of them on so many workloads, every fourth with overruns, every second
 * with jobs that are refused, of which the plain machine knows nothing. */
static void compare_all(const struct restated *all, size_t n, int rounds)
{
    struct loom_sim *sim = NULL;
    struct loom_stream stream, refused;
    assert_int_equal(loom_sim_create(&sim, NULL), 0);
    loom_stream_init(&stream, 11, 0, "policies");
    loom_stream_init(&refused, 11, 0, "refused");
    for (int round = 0; round < rounds; round++) {
        struct machine m = {.overruns = round % 4 == 3};
        make_jobs(&m, &stream);
        struct loom_trace *trace = to_trace(&m);
        if (round / 2 % 2)
            append_refused(trace, m.procs, &refused);
        for (size_t i = 0; i < n; i++)
            compare(sim, &all[i], &m, trace);
        loom_trace_destroy(trace);
    }
    loom_sim_destroy(sim);
}

#endif

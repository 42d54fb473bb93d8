/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * FCFS, EASY and conservative backfilling against their definitions, restated in the plainest way:
 * a table of who holds what when, and loops over all of it. On thousands of random workloads, small
 * ones full of ties and jobs of no length, and some with queues deep enough for the trees to have
 * several levels, both must start every job in the same second. In every fourth workload jobs run
 * for longer than estimated.
 */
#include "support.h"

#include <workloom/sim.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_JOBS = 300 };

struct job {
    int64_t submit_s, run_s, request_s;
    int64_t estimate_s;      /* what was requested, doubled whenever that is over */
    int64_t start_s, plan_s; /* -1 for none */
    int32_t procs;
};

struct machine {
    struct job jobs[MOST_JOBS];
    int n;
    int64_t procs, now_s;
    bool overruns; /* jobs may run for longer than estimated */
    bool ended;    /* some job ended in this instant */
    bool extended; /* some estimate was too short in this instant */
};

/* ---- the plain simulator --------------------------------------------------------------------- */

static bool is_waiting(const struct machine *m, int j)
{
    return m->jobs[j].submit_s <= m->now_s && m->jobs[j].start_s < 0;
}

static bool is_over(const struct machine *m, int j)
{
    const struct job *job = &m->jobs[j];
    return job->start_s >= 0 && job->start_s + job->run_s <= m->now_s;
}

/* The stretch of time that a job holds, by its estimate, if any; `ended` are the jobs that a pass
 * of this instant has already seen the end of. */
static bool holds(const struct machine *m, const bool *gone, int j, int64_t *from_s, int64_t *to_s)
{
    const struct job *job = &m->jobs[j];
    *from_s = job->start_s >= 0 ? job->start_s : job->plan_s;
    *to_s = *from_s + job->estimate_s;
    return *from_s >= 0 && !gone[j];
}

static int64_t free_at(const struct machine *m, const bool *gone, int64_t time_s, int without)
{
    int64_t free = m->procs, from_s, to_s;
    for (int j = 0; j < m->n; j++)
        if (j != without && holds(m, gone, j, &from_s, &to_s) && from_s <= time_s && time_s < to_s)
            free -= m->jobs[j].procs;
    return free;
}

static bool fits_at(const struct machine *m, const bool *gone, int j, int64_t start_s)
{
    const struct job *job = &m->jobs[j];
    if (free_at(m, gone, start_s, j) < job->procs)
        return false;
    for (int k = 0; k < m->n; k++) { /* what is free falls only where something begins */
        int64_t from_s, to_s;
        if (k != j && holds(m, gone, k, &from_s, &to_s) && from_s > start_s &&
            from_s < start_s + job->estimate_s && free_at(m, gone, from_s, j) < job->procs)
            return false;
    }
    return true;
}

static int64_t earliest(const struct machine *m, const bool *gone, int j)
{
    int64_t best_s = fits_at(m, gone, j, m->now_s) ? m->now_s : INT64_MAX;
    for (int k = 0; k < m->n && best_s > m->now_s; k++) {
        int64_t from_s, to_s;
        if (k != j && holds(m, gone, k, &from_s, &to_s) && to_s > m->now_s && to_s < best_s &&
            fits_at(m, gone, j, to_s))
            best_s = to_s;
    }
    return best_s;
}

typedef void policy_fn(struct machine *m, const bool *gone);

/* The first waiting job that does not fit, or -1; those before it are started. */
static int start_in_order(struct machine *m, const bool *gone)
{
    for (int j = 0; j < m->n; j++) {
        if (!is_waiting(m, j))
            continue;
        if (free_at(m, gone, m->now_s, j) < m->jobs[j].procs)
            return j;
        m->jobs[j].start_s = m->now_s;
    }
    return -1;
}

static void fcfs(struct machine *m, const bool *gone)
{
    start_in_order(m, gone);
}

/* A job may overtake if the first one, planned at its earliest, still fits there afterwards. */
static void easy(struct machine *m, const bool *gone)
{
    int first = start_in_order(m, gone);
    if (first < 0)
        return;
    int64_t shadow_s = earliest(m, gone, first);
    for (int j = first + 1; j < m->n; j++) {
        struct job *job = &m->jobs[j];
        if (!is_waiting(m, j) || free_at(m, gone, m->now_s, j) < job->procs)
            continue;
        job->start_s = m->now_s;
        if (free_at(m, gone, shadow_s, first) < m->jobs[first].procs)
            job->start_s = -1;
    }
}

/* Give all plans up, and make them anew in order of submission. */
static void plan_anew(struct machine *m, const bool *gone)
{
    bool planned[MOST_JOBS];
    for (int j = 0; j < m->n; j++) {
        planned[j] = is_waiting(m, j) && m->jobs[j].plan_s >= 0;
        if (planned[j])
            m->jobs[j].plan_s = -1;
    }
    for (int j = 0; j < m->n; j++)
        if (planned[j])
            m->jobs[j].plan_s = earliest(m, gone, j);
}

static void conservative(struct machine *m, const bool *gone)
{
    if (m->extended)
        plan_anew(m, gone);
    for (int j = 0; j < m->n; j++) {
        struct job *job = &m->jobs[j];
        if (m->ended && !m->extended && is_waiting(m, j) && job->plan_s >= 0) {
            int64_t plan_s = earliest(m, gone, j);
            assert_true(plan_s <= job->plan_s);
            job->plan_s = plan_s;
        }
    }
    for (int j = 0; j < m->n; j++)
        if (is_waiting(m, j) && m->jobs[j].plan_s < 0)
            m->jobs[j].plan_s = earliest(m, gone, j);
    for (int j = 0; j < m->n; j++)
        if (is_waiting(m, j) && m->jobs[j].plan_s <= m->now_s)
            m->jobs[j].start_s = m->now_s;
}

static int64_t next_end(const struct job *job)
{
    return job->start_s + (job->run_s < job->estimate_s ? job->run_s : job->estimate_s);
}

static void extend(struct machine *m, const bool *gone)
{
    m->extended = false;
    for (int j = 0; j < m->n; j++)
        if (m->jobs[j].start_s >= 0 && !gone[j] && next_end(&m->jobs[j]) <= m->now_s) {
            m->jobs[j].estimate_s *= 2;
            m->extended = true;
        }
}

/* The next submission, end of a job not yet gone, end of an estimate, or plan. */
static int64_t next_instant(const struct machine *m, const bool *gone)
{
    int64_t next_s = INT64_MAX;
    for (int j = 0; j < m->n; j++) {
        const struct job *job = &m->jobs[j];
        int64_t time_s = job->start_s >= 0          ? gone[j] ? -1 : next_end(job)
                                  : job->submit_s > m->now_s ? job->submit_s
                                                    : job->plan_s;
        if (time_s >= m->now_s && time_s < next_s && (job->start_s >= 0 || time_s > m->now_s))
            next_s = time_s;
    }
    return next_s;
}

static void run_plainly(struct machine *m, policy_fn *policy)
{
    bool *gone = calloc((size_t)m->n, sizeof *gone);
    assert_non_null(gone);
    m->now_s = -1;
    while ((m->now_s = next_instant(m, gone)) != INT64_MAX) {
        m->ended = false;
        for (int j = 0; j < m->n; j++)
            if (!gone[j] && is_over(m, j))
                gone[j] = m->ended = true;
        extend(m, gone);
        policy(m, gone);
    }
    free(gone);
}

/* ---- random workloads ------------------------------------------------------------------------ */

static int64_t below(struct loom_stream *stream, uint64_t n)
{
    return (int64_t)loom_stream_below(stream, n);
}

static int64_t any_run(struct loom_stream *stream)
{
    const int64_t choices[] = {0, 1, 1 + below(stream, 50), 1 + below(stream, 3000)};
    return choices[below(stream, COUNT(choices))];
}

static int64_t any_estimate(struct loom_stream *stream, int64_t run_s)
{
    const int64_t choices[] = {run_s, run_s + below(stream, 20),
                               run_s * (1 + below(stream, 10)) + 1};
    int64_t estimate_s = choices[below(stream, COUNT(choices))];
    return estimate_s < 1 ? 1 : estimate_s;
}

/* Users submit bags: every other job or so asks for the same as the one before. */
static void fill(struct machine *m, struct loom_stream *stream, int n, uint64_t spacing_s)
{
    static const int64_t sizes[] = {1, 4, 16, 64};
    int64_t time_s = 0;
    m->n = n;
    m->procs = sizes[below(stream, COUNT(sizes))];
    bool bags = below(stream, 2);
    for (int j = 0; j < n; j++) {
        struct job *job = &m->jobs[j];
        time_s += below(stream, 3) ? 0 : below(stream, spacing_s);
        *job =
            (struct job){.submit_s = time_s, .run_s = any_run(stream), .start_s = -1, .plan_s = -1};
        job->request_s = m->overruns ? 1 + below(stream, (uint64_t)job->run_s + 1)
                                     : any_estimate(stream, job->run_s);
        job->procs =
            (int32_t)(1 + (below(stream, 2) ? below(stream, (uint64_t)m->procs)
                                            : below(stream, (uint64_t)(m->procs + 3) / 4)));
        if (bags && j > 0 && below(stream, 4)) {
            job->procs = job[-1].procs;
            job->request_s = job[-1].request_s;
            job->run_s = below(stream, (uint64_t)job->request_s * (m->overruns ? 3 : 1) + 1);
        }
    }
}

/* Nearly all jobs wait at once, and ask for so few different things that many are equal and that
 * what one leaves often fits another to the second. Half of them end early. */
static void fill_packed(struct machine *m, struct loom_stream *stream, int n)
{
    static const int64_t lengths_s[] = {10, 20, 30, 60, 240};
    static const int32_t widths[] = {1, 2, 4, 8, 16};
    m->n = n;
    m->procs = 16 + below(stream, 3);
    for (int j = 0; j < n; j++) {
        struct job *job = &m->jobs[j];
        *job = (struct job){.submit_s = below(stream, 2) && j > 0 ? job[-1].submit_s : j};
        job->request_s = lengths_s[below(stream, COUNT(lengths_s))];
        job->procs = widths[below(stream, COUNT(widths))];
        job->run_s = below(stream, 2) ? job->request_s : below(stream, (uint64_t)job->request_s);
        if (j > 0 && below(stream, 3) == 0) {
            job->request_s = job[-1].request_s;
            job->procs = job[-1].procs;
            job->run_s = below(stream, (uint64_t)job->request_s + 1);
        }
    }
}

static void run_ours(struct loom_sim *sim, const struct machine *m, const char *scheduler)
{
    struct loom_trace *trace = empty_trace();
    struct loom_error err = {0};
    for (int j = 0; j < m->n; j++) {
        struct loom_job job = loom_job_unknown();
        job.number = j;
        job.submit_s = m->jobs[j].submit_s;
        job.run_s = m->jobs[j].run_s;
        job.request_s = m->jobs[j].request_s;
        job.req_procs = m->jobs[j].procs;
        append(trace, job);
    }
    const struct loom_sim_options options = {
        .scheduler = scheduler,
        .procs = m->procs,
        .overrun = m->overruns ? LOOM_OVERRUN_EXTEND : LOOM_OVERRUN_RAISE,
    };
    if (loom_sim_run_trace(sim, &options, trace, &err))
        fail_msg("%s: %s", scheduler, err.message);
    loom_trace_destroy(trace);
}

static void compare(struct loom_sim *sim, struct machine *m, const char *scheduler,
                    policy_fn *policy, int round)
{
    size_t n;
    for (int j = 0; j < m->n; j++) {
        m->jobs[j].start_s = m->jobs[j].plan_s = -1;
        m->jobs[j].estimate_s = m->jobs[j].request_s;
    }
    run_plainly(m, policy);
    run_ours(sim, m, scheduler);
    const struct loom_sim_job *jobs = loom_sim_jobs(sim, &n);
    assert_int_equal(n, m->n);
    for (int j = 0; j < m->n; j++)
        if (jobs[j].start_s != m->jobs[j].start_s)
            fail_msg("%s, round %d: job %d of %d starts at %d, not %d", scheduler, round, j, m->n,
                     (int)jobs[j].start_s, (int)m->jobs[j].start_s);
}

static void compare_all(int rounds, int most_jobs, uint64_t spacing_s, const char *purpose)
{
    struct machine *m = malloc(sizeof *m);
    struct loom_sim *sim = NULL;
    assert_non_null(m);
    assert_int_equal(loom_sim_create(&sim, NULL), 0);
    for (int round = 0; round < rounds; round++) {
        struct loom_stream stream;
        loom_stream_init(&stream, 1, (uint64_t)round, purpose);
        m->overruns = round % 4 == 3;
        fill(m, &stream, 1 + (int)below(&stream, (uint64_t)most_jobs), spacing_s);
        compare(sim, m, "fcfs", fcfs, round);
        compare(sim, m, "easy", easy, round);
        compare(sim, m, "conservative", conservative, round);
    }
    loom_sim_destroy(sim);
    free(m);
}

static void test_small(void **state)
{
    (void)state;
    compare_all(6000, 14, 400, "small");
}

static void test_middling(void **state)
{
    (void)state;
    compare_all(400, 60, 200, "middling");
}

/* Nearly all jobs wait at once. */
static void test_deep(void **state)
{
    (void)state;
    compare_all(3, 300, 3, "deep");
}

/* Only conservative backfilling plans so far ahead that depth makes a difference. */
static void test_packed(void **state)
{
    struct machine *m = calloc(1, sizeof *m);
    struct loom_sim *sim = NULL;
    (void)state;
    assert_non_null(m);
    assert_int_equal(loom_sim_create(&sim, NULL), 0);
    for (int round = 0; round < 15; round++) {
        struct loom_stream stream;
        loom_stream_init(&stream, 1, (uint64_t)round, "packed");
        fill_packed(m, &stream, 60 + (int)below(&stream, 60));
        compare(sim, m, "conservative", conservative, round);
    }
    for (int round = 0; round < 8; round++) { /* jobs of all widths and lengths */
        struct loom_stream stream;
        loom_stream_init(&stream, 1, (uint64_t)round, "deep");
        fill(m, &stream, 120, 3);
        compare(sim, m, "conservative", conservative, round);
    }
    loom_sim_destroy(sim);
    free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small),
        cmocka_unit_test(test_middling),
        cmocka_unit_test(test_deep),
        cmocka_unit_test(test_packed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

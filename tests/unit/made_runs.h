/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * made_runs.h - simulations made for a report: logs, runs of them under a policy, and the report
 * with its figures.
 */
#ifndef LOOM_TESTS_MADE_RUNS_H
#define LOOM_TESTS_MADE_RUNS_H

#include "support.h"

#include "report/report.h"
#include "report/runs.h"

#include <workloom/sim_results.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A word that is nowhere but in the log. */
#define MARK "Zyxwvut"

/* Five weeks of jobs, so that there are weeks to count. */
static inline struct loom_trace *busy_log(size_t n)
{
    struct loom_trace *trace = empty_trace();
    struct loom_stream stream;
    loom_stream_init(&stream, 7, 0, "report of runs");
    assert_int_equal(loom_trace_add_directive(trace, "Computer", "<b>" MARK "'", NULL), 0);
    assert_int_equal(loom_trace_add_directive(trace, "MaxProcs", "32", NULL), 0);
    assert_int_equal(loom_trace_set_name(trace, LOOM_USER, 3, "`" MARK "`<i>", NULL), 0);
    for (size_t i = 0; i < n; i++) {
        struct loom_job job = loom_job_unknown();
        job.number = (int64_t)i + 1;
        job.submit_s = (int64_t)(i * 35 * 86400 / n);
        job.run_s = (int64_t)exp(loom_stream_uniform(&stream) * 10.5);
        job.req_procs = 1 << loom_stream_below(&stream, 6);
        job.user = (int32_t)loom_stream_below(&stream, 12);
        append(trace, job);
    }
    return trace;
}

enum { MOST_RUNS = 12 };

struct made {
    struct scratch scratch;
    struct loom_trace *trace;
    struct loom_sim *sim;
    struct loom_start_log *starts;
    struct loom_gantt *gantt;
    struct loom_sim_outcome *outcomes[MOST_RUNS];
    struct loom_load_change loads[MOST_RUNS];
    struct loom_shown_run runs[MOST_RUNS];
    struct loom_shown_gantt shown;
    size_t n;
    struct loom_report *report;
};

static inline void add_run(struct made *made, const char *policy, double load)
{
    struct loom_error err = {0};
    size_t i = made->n++;
    if (!made->sim && loom_sim_create(&made->sim, &err))
        fail_msg("%s", err.message);
    if (!made->starts && loom_start_log_create(&made->starts, &err))
        fail_msg("%s", err.message);
    const struct loom_observer observer = loom_start_log_observer(made->starts);
    const struct loom_sim_options options = {.scheduler = policy,
                                             .procs = 32,
                                             .observers = &observer,
                                             .n_observers = 1};
    if (loom_sim_run_trace(made->sim, &options, made->trace, &err) ||
        loom_sim_outcome_create(&made->outcomes[i], made->sim, &err))
        fail_msg("%s", err.message);
    made->loads[i] = (struct loom_load_change){.asked = load, .after = load, .before = 0.5};
    made->runs[i] = (struct loom_shown_run){.policy = policy,
                                            .load = load > 0 ? &made->loads[i] : NULL,
                                            .load_offered = load > 0 ? made->loads[i].after : NAN,
                                            .outcome = made->outcomes[i]};
}

static inline void add_gantt(struct made *made, int64_t from_s, int64_t to_s, bool why)
{
    struct loom_error err = {0};
    const struct loom_sim_window window = {from_s, to_s};
    if (loom_gantt_create(&made->gantt, made->sim, window, &err))
        fail_msg("%s", err.message);
    made->shown = (struct loom_shown_gantt){.gantt = made->gantt,
                                            .sim = made->sim,
                                            .trace = made->trace,
                                            .starts = why ? made->starts : NULL};
}

static inline void report_with(struct made *made, struct loom_pool *pool)
{
    struct loom_error err = {0};
    loom_report_destroy(made->report);
    made->report = NULL;
    if (loom_report_runs(&made->report, made->trace, made->runs, made->n,
                         made->gantt ? &made->shown : NULL, pool, &err))
        fail_msg("%s", err.message);
}

static inline void make(struct made *made, struct loom_trace *trace)
{
    *made = (struct made){.trace = trace};
    assert_int_equal(scratch_open(&made->scratch, "page.html"), 0);
}

static inline void unmake(struct made *made)
{
    loom_report_destroy(made->report);
    loom_gantt_destroy(made->gantt);
    loom_start_log_destroy(made->starts);
    for (size_t i = 0; i < made->n; i++)
        loom_sim_outcome_destroy(made->outcomes[i]);
    loom_sim_destroy(made->sim);
    loom_trace_destroy(made->trace);
    assert_int_equal(scratch_close(&made->scratch), 0);
}

static inline const struct loom_drawing *drawing_of(const struct made *made, const char *name)
{
    for (size_t i = 0; i < made->report->n; i++)
        if (strcmp(made->report->drawings[i].ops->name, name) == 0)
            return &made->report->drawings[i];
    fail_msg("there is no figure %s", name);
    return NULL;
}

/* On 4 processors under EASY: 1 (user 1) has processors 0 to 2 from 0 to 10, 3 (user 3) is
 * backfilled on processor 3 from 2 to 7, and 2 (user 2) has all from 10 to 15. */
static inline struct loom_trace *three_jobs(void)
{
    static const int64_t jobs[][3] = {{0, 10, 3}, {1, 5, 4}, {2, 5, 1}};
    struct loom_trace *trace = empty_trace();
    for (size_t i = 0; i < COUNT(jobs); i++) {
        struct loom_job job = loom_job_unknown();
        job.number = (int64_t)i + 1;
        job.submit_s = jobs[i][0];
        job.run_s = jobs[i][1];
        job.req_procs = (int32_t)jobs[i][2];
        job.user = (int32_t)i + 1;
        append(trace, job);
    }
    return trace;
}

/* The run is on 32 processors by add_run; here on 4. */
static inline void add_small_run(struct made *made)
{
    struct loom_error err = {0};
    assert_int_equal(loom_sim_create(&made->sim, &err), 0);
    assert_int_equal(loom_start_log_create(&made->starts, &err), 0);
    const struct loom_observer observer = loom_start_log_observer(made->starts);
    const struct loom_sim_options options = {.scheduler = "easy",
                                             .procs = 4,
                                             .observers = &observer,
                                             .n_observers = 1};
    if (loom_sim_run_trace(made->sim, &options, made->trace, &err) ||
        loom_sim_outcome_create(&made->outcomes[0], made->sim, &err))
        fail_msg("%s", err.message);
    made->runs[0] = (struct loom_shown_run){.policy = "easy",
                                            .load_offered = NAN,
                                            .outcome = made->outcomes[0]};
    made->n = 1;
}

#endif

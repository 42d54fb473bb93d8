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
    struct loom_system *system;
    struct loom_gantt *gantt;
    struct loom_outcome *outcomes[MOST_RUNS]; /* with their runs */
    struct loom_shown_gantt shown;
    size_t n;
    struct loom_report *report;
};

/* On so many processors. */
static inline void add_run_on(struct made *made, const char *policy, double load, int64_t procs)
{
    struct loom_error err = {0};
    struct loom_scenario scenario = loom_scenario();
    size_t i = made->n++;
    if (!made->system && loom_system_create(&made->system, procs, &err))
        fail_msg("%s", err.message);
    scenario.trace = made->trace;
    scenario.policy = policy;
    scenario.system = made->system;
    scenario.keep |= LOOM_KEEP_SERIES | LOOM_KEEP_CURVES | LOOM_KEEP_RUN | LOOM_KEEP_STARTS;
    if (loom_scenario_run(&made->outcomes[i], &scenario, NULL, &err))
        fail_msg("%s", err.message);
    made->outcomes[i]->load =
        (struct loom_load_change){.asked = load, .after = load, .before = 0.5};
    made->outcomes[i]->load_shown = load > 0 ? load : NAN;
}

/* The jobs are the same at any load: it is only called another. */
static inline void add_run(struct made *made, const char *policy, double load)
{
    add_run_on(made, policy, load, 32);
}

/* The last run. */
static inline const struct loom_sim *sim_of(const struct made *made)
{
    return loom_outcome_sim(made->outcomes[made->n - 1]);
}

static inline const struct loom_outcome *const *runs_of(const struct made *made)
{
    return (const struct loom_outcome *const *)made->outcomes;
}

static inline const struct loom_start_log *starts_of(const struct made *made)
{
    return made->outcomes[made->n - 1]->run->starts;
}

static inline void add_gantt(struct made *made, int64_t from_s, int64_t to_s, bool why)
{
    struct loom_error err = {0};
    const struct loom_sim_window window = {from_s, to_s};
    if (loom_gantt_create(&made->gantt, sim_of(made), window, &err))
        fail_msg("%s", err.message);
    made->shown = (struct loom_shown_gantt){.gantt = made->gantt,
                                            .sim = sim_of(made),
                                            .trace = made->trace,
                                            .starts = why ? starts_of(made) : NULL};
}

static inline void report_with(struct made *made, struct loom_pool *pool)
{
    struct loom_error err = {0};
    loom_report_destroy(made->report);
    made->report = NULL;
    if (loom_report_runs_with(&made->report, made->trace, runs_of(made), made->n,
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
    for (size_t i = 0; i < made->n; i++)
        loom_outcome_destroy(made->outcomes[i]);
    loom_system_destroy(made->system);
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

static inline void add_small_run(struct made *made)
{
    add_run_on(made, "easy", 0, 4);
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replays: errors by hand, outages and jumps of made-up logs, our own schedules. */
#include "scenarios.h"

#include "experiment/replay_facts.h"
#include "report/replay.h"
#include "sim/results/logged.h"

#include <workloom/experiment_replay.h>

static void assert_near(double value, double expected, double within)
{
    if (!(fabs(value - expected) <= within))
        fail_msg("%.17g, not %.17g", value, expected);
}

/* ---- errors ---------------------------------------------------------------------------------- */

/* Errors are 10, -20, 0, 30; the fifth and sixth pair are not known. Ranks of logged waits 1 2 3 4,
 * of simulated ones (10, 20, 50, 130): equal order. */
static void test_errors(void **state)
{
    static const int64_t logged[] = {0, 40, 50, 100, -1, 7}, simulated[] = {10, 20, 50, 130, 9, -1};
    struct loom_replay_errors errors;
    (void)state;
    assert_int_equal(loom_replay_compare(&errors, logged, simulated, 6, NULL), 0);
    assert_int_equal(errors.jobs, 4);
    assert_near(errors.wait_mean_log_s, 47.5, 0);
    assert_near(errors.wait_mean_simulated_s, 52.5, 0);
    assert_near(errors.bias_s, 5, 0);
    assert_near(errors.abs_error_mean_s, 15, 0);
    assert_near(errors.error_median_s, 5, 0);
    assert_near(errors.rank_correlation, 1, 1e-12);
    assert_near(loom_replay_bias(&errors), 5 / 47.5, 1e-12);
}

static void test_no_errors(void **state)
{
    static const int64_t none[] = {-1}, zero[] = {0, 0}, some[] = {1, 2};
    struct loom_replay_errors errors;
    (void)state;
    assert_int_equal(loom_replay_compare(&errors, none, none, 1, NULL), 0);
    assert_int_equal(errors.jobs, 0);
    assert_true(isnan(errors.bias_s));
    assert_int_equal(loom_replay_compare(&errors, zero, some, 2, NULL), 0);
    assert_near(errors.bias_s, 1.5, 0);
    assert_true(isnan(errors.rank_correlation));
    assert_true(isnan(loom_replay_bias(&errors)));
}

/* ---- what a log supports --------------------------------------------------------------------- */

static struct loom_replay_errors errors_of(double log_s, double simulated_s, double rank)
{
    return (struct loom_replay_errors){.jobs = 10,
                                       .wait_mean_log_s = log_s,
                                       .wait_mean_simulated_s = simulated_s,
                                       .bias_s = simulated_s - log_s,
                                       .abs_error_mean_s = fabs(simulated_s - log_s),
                                       .rank_correlation = rank};
}

static void test_support(void **state)
{
    static const struct {
        double log_s, simulated_s, rank;
        enum loom_replay_support support;
    } cases[] = {
        {1000, 1000, 1, LOOM_SUPPORTS_LEVELS},
        {1000, 1300, 0.1, LOOM_SUPPORTS_LEVELS},
        {1000, 1301, 0.1, LOOM_SUPPORTS_DIFFERENCES},
        {1000, 699, 0.1, LOOM_SUPPORTS_DIFFERENCES},
        {1000, 1000, 0.099, LOOM_SUPPORTS_NOTHING},
        {1000, 1000, (double)NAN, LOOM_SUPPORTS_NOTHING},
        {940, 4939, 0.5, LOOM_SUPPORTS_DIFFERENCES}, /* with a minute each nearly 5 times */
        {940, 4941, 0.5, LOOM_SUPPORTS_NOTHING},
        {4941, 940, 0.5, LOOM_SUPPORTS_NOTHING},
        {1, 20, 0.5, LOOM_SUPPORTS_DIFFERENCES}, /* seconds are noise */
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct loom_replay_errors errors =
            errors_of(cases[i].log_s, cases[i].simulated_s, cases[i].rank);
        if (loom_replay_support(&errors) != cases[i].support)
            fail_msg("case %zu: %d", i, (int)loom_replay_support(&errors));
    }
    struct loom_replay_errors errors = errors_of(40, 240, 0.5);
    assert_near(loom_replay_distance(&errors), log(3) + 0.25, 1e-12);
    errors = errors_of(240, 40, (double)NAN);
    assert_near(loom_replay_distance(&errors), log(3) + 1, 1e-12);
}

static void add_line(void *context, const char *sentence)
{
    char *text = context;
    size_t used = strlen(text);
    snprintf(text + used, 2000 - used, "%s\n", sentence);
}

static void assert_conclusions(const struct loom_replay_report *report, const char *wanted)
{
    char text[2000] = "";
    loom_replay_conclusions(report, add_line, text);
    assert_string_equal(text, wanted);
}

/* What is right on average alone is called so; one run alone is the best of nothing. */
static void test_conclusions(void **state)
{
    char easy[] = "easy";
    struct loom_replay_run runs[2] = {
        {.policy = easy, .misfit = 2},
        {.policy = easy, .assumptions = LOOM_ASSUME_USER_PROCS, .user_procs = 18, .misfit = 1}};
    struct loom_replay_report report = {.runs = runs, .n_runs = 2, .chosen = 1};
    runs[0].all = runs[0].first = runs[0].second = errors_of(36000, 18000, 0.25);
    runs[1].all = runs[1].first = runs[1].second = errors_of(36000, 36000, 0.25);
    runs[1].all.abs_error_mean_s = 43200;
    (void)state;
    assert_conclusions(
        &report, "Waits simulated under easy are 50.0 % too short: 5 h against 10 h in the log; "
                 "rank correlation 0.250.\n"
                 "Of single assumptions 'user-procs 18' changes the mean wait most: 50.0 % too "
                 "short without, right on average with it.\n"
                 "The first half is explained best by easy with user-procs 18: waits are right on "
                 "average there, and right on average in the second half (rank correlation "
                 "0.250).\n"
                 "Job by job it is further off than plain easy (mean |error| 12 h against 5 h; "
                 "waits of 0: 10 h): right on average for another reason.\n");
    runs[1].all.abs_error_mean_s = 18000 * 1.09; /* not clearly */
    char text[2000] = "";
    loom_replay_conclusions(&report, add_line, text);
    assert_null(strstr(text, "Job by job"));
    report.n_runs = 1;
    report.chosen = 0;
    runs[0].all = errors_of(36000, 720000, -0.05);
    assert_conclusions(&report,
                       "Waits simulated under easy are 20 times as long: 8.33 days against 10 h "
                       "in the log; rank correlation -0.050.\n"
                       "Unexplained: the log's waits come from other rules and support neither "
                       "levels nor differences.\n");
}

/* ---- what a log shows ------------------------------------------------------------------------ */

struct logged {
    int64_t submit_s, wait_s, run_s;
    int32_t procs;
};

static struct loom_trace *log_of(const struct logged *lines, size_t n, const char *procs)
{
    struct loom_trace *trace = empty_trace();
    if (procs)
        assert_int_equal(loom_trace_add_directive(trace, "MaxProcs", procs, NULL), 0);
    for (size_t i = 0; i < n; i++) {
        struct loom_job job = loom_job_unknown();
        job.number = (int64_t)i + 1;
        job.submit_s = lines[i].submit_s;
        job.wait_s = lines[i].wait_s;
        job.run_s = job.request_s = lines[i].run_s;
        job.req_procs = lines[i].procs;
        job.user = 1;
        append(trace, job);
    }
    return trace;
}

/* Jobs of an hour that start when submitted, every half an hour for ten days; in known downtimes
 * nothing starts, what runs ends at their beginning, and what is submitted starts at their end. */
static void test_outages(void **state)
{
    static const struct loom_downtime known[] = {{100000, 107200},
                                                 {300000, 301800},
                                                 {500000, 586400}};
    struct loom_trace *trace = empty_trace();
    struct loom_sim *log = NULL;
    struct loom_downtime *found = NULL;
    size_t n = 0;
    (void)state;
    for (int64_t t = 0; t < 864000; t += 200) {
        struct loom_job job = loom_job_unknown();
        job.number = t / 200 + 1;
        job.submit_s = t;
        job.wait_s = 0;
        job.run_s = 3600;
        job.req_procs = 1;
        for (size_t i = 0; i < 3; i++) {
            if (t >= known[i].from_s && t < known[i].to_s)
                job.wait_s = known[i].to_s - t;
            else if (t < known[i].from_s && t + 3600 > known[i].from_s)
                job.run_s = known[i].from_s - t;
        }
        append(trace, job);
    }
    assert_int_equal(loom_sim_of_log(&log, trace, 1000, NULL), 0);
    assert_int_equal(loom_outages_find(&found, &n, log, 600, 20, NULL), 0);
    assert_int_equal(n, 3);
    for (size_t i = 0; i < n; i++) {
        /* It begins when a job waits: within the 200 s to the next submission. */
        assert_in_range(found[i].from_s, known[i].from_s, known[i].from_s + 200);
        assert_int_equal(found[i].to_s, known[i].to_s);
    }
    free(found);
    loom_sim_destroy(log);
    loom_trace_destroy(trace);
}

/* A machine of one processor. Job 2 starts before job 1, which waits longer and asks for as much;
 * job 3 is longer than what waits, and the last two go in order. */
static void test_urgent_jobs(void **state)
{
    static const struct logged lines[] = {
        {0, 0, 100, 1}, {10, 190, 50, 1}, {20, 80, 100, 1}, {30, 270, 10, 1}, {40, 270, 20, 1}};
    struct loom_trace *trace = log_of(lines, 5, "1");
    struct loom_sim *log = NULL;
    uint8_t urgent[5] = {0};
    size_t n;
    (void)state;
    assert_int_equal(loom_sim_of_log(&log, trace, 1, NULL), 0);
    assert_int_equal(loom_urgent_find(urgent, &n, log, NULL), 0);
    assert_int_equal(n, 1);
    assert_true(urgent[2]);
    loom_sim_destroy(log);
    loom_trace_destroy(trace);
}

enum { WEEK_S = 7 * 86400 };

/* Week 1: two processors in use for 4000 s while job 3 waits, then one for 1000 s. Week 2: a wait
 * below an hour says nothing. Week 3: none in use, but a job of 3 processors ran. */
static const struct logged weeks[] = {
    {0, 0, 10000, 1},      {0, 0, 4000, 1},           {0, 5000, 1000, 1},
    {WEEK_S, 3599, 10, 1}, {2 * WEEK_S, 3600, 10, 3},
};

static void test_weekly_levels(void **state)
{
    struct loom_trace *trace = log_of(weeks, 5, "4");
    struct loom_sim *log = NULL;
    struct loom_weekly_use use;
    int64_t levels[3];
    (void)state;
    assert_int_equal(loom_sim_of_log(&log, trace, 4, NULL), 0);
    assert_int_equal(loom_weekly_use_find(&use, log, NULL), 0);
    assert_int_equal(use.n_weeks, 3);
    loom_weekly_levels(levels, &use, 799);
    assert_int_equal(levels[0], 2);
    loom_weekly_levels(levels, &use, 800);
    assert_int_equal(levels[0], 1);
    assert_int_equal(levels[1], -1);
    assert_int_equal(levels[2], 3);
    loom_weekly_use_free(&use);
    loom_sim_destroy(log);
    loom_trace_destroy(trace);
}

/* What is missing to 4 processors is held by unseen jobs: 3 in week 1, 1 in week 3. */
static void test_capacity(void **state)
{
    struct loom_trace *trace = log_of(weeks, 5, "4"), *limited = NULL;
    struct loom_sim *log = NULL;
    struct loom_weekly_use use;
    int64_t procs = 4;
    (void)state;
    assert_int_equal(loom_sim_of_log(&log, trace, 4, NULL), 0);
    assert_int_equal(loom_weekly_use_find(&use, log, NULL), 0);
    assert_int_equal(loom_capacity_trace(&limited, &procs, trace, &use, 800, NULL), 0);
    const struct loom_jobs *jobs = loom_trace_jobs(limited);
    assert_int_equal(procs, 4);
    assert_int_equal(jobs->n, 7);
    assert_int_equal(jobs->submit_s[5], 0);
    assert_int_equal(jobs->run_s[5], WEEK_S);
    assert_int_equal(jobs->req_procs[5], 3);
    assert_int_equal(jobs->submit_s[6], 2 * WEEK_S);
    assert_int_equal(jobs->req_procs[6], 1);
    loom_trace_destroy(limited);
    procs = 2; /* a machine smaller than what was in use */
    assert_int_equal(loom_capacity_trace(&limited, &procs, trace, &use, 800, NULL), 0);
    assert_int_equal(procs, 3);
    loom_trace_destroy(limited);
    loom_weekly_use_free(&use);
    loom_sim_destroy(log);
    loom_trace_destroy(trace);
}

/* ---- replays --------------------------------------------------------------------------------- */

static struct loom_replay_report *must_replay(const struct loom_trace *trace, const char *policy,
                                              unsigned assumptions)
{
    struct loom_replay_report *report = NULL;
    struct loom_error err = {0};
    const struct loom_replay_options options = {.trace = trace,
                                                .policies = &policy,
                                                .n_policies = 1,
                                                .assumptions = assumptions};
    if (loom_replay_run(&report, &options, &err))
        fail_msg("%s", err.message);
    return report;
}

/* A schedule of ours, replayed under its own policy, has no error; under another one it has. */
static void test_own_schedule(void **state)
{
    static const char *const policies[] = {"easy", "fcfs", "conservative", "easy:order=sjf"};
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        struct loom_trace *log = user_log(800), *schedule = NULL;
        struct loom_scenario scenario = scenario_of(log);
        scenario.policy = policies[i];
        scenario.keep = LOOM_KEEP_RUN;
        struct loom_outcome *outcome = must_succeed(&scenario, NULL);
        assert_int_equal(loom_outcome_schedule(&schedule, outcome, NULL), 0);
        struct loom_replay_report *report = must_replay(schedule, policies[i], 0);
        const struct loom_replay_errors *errors = &report->runs[0].all;
        assert_true(errors->wait_mean_log_s > 0);
        assert_near(errors->bias_s, 0, 0);
        assert_near(errors->abs_error_mean_s, 0, 0);
        assert_near(errors->rank_correlation, 1, 1e-12);
        loom_replay_report_destroy(report);
        report = must_replay(schedule, policies[(i + 1) % 4], 0);
        assert_true(report->runs[0].all.abs_error_mean_s > 0);
        loom_replay_report_destroy(report);
        loom_trace_destroy(schedule);
        loom_outcome_destroy(outcome);
        loom_trace_destroy(log);
    }
}

/* Runtimes of a schedule with downtime contain it, and a replay with the same downtime knows. */
static void test_own_schedule_with_downtime(void **state)
{
    static const struct loom_downtime list[] = {{300000, 350000}, {900000, 1000000}};
    static const char *const policy = "easy";
    const struct loom_downtimes downtime = {list, 2};
    struct loom_trace *log = user_log(800), *schedule = NULL;
    struct loom_scenario scenario = scenario_of(log);
    struct loom_replay_report *report = NULL;
    int suspended = 0;
    (void)state;
    scenario.policy = policy;
    scenario.downtime = &downtime;
    scenario.keep = LOOM_KEEP_RUN;
    struct loom_outcome *outcome = must_succeed(&scenario, NULL);
    size_t n;
    const struct loom_sim_job *jobs = loom_sim_jobs(loom_outcome_sim(outcome), &n);
    for (size_t i = 0; i < n; i++)
        suspended += (jobs[i].notes & LOOM_JOB_SUSPENDED) != 0;
    assert_true(suspended > 0);
    assert_int_equal(loom_outcome_schedule(&schedule, outcome, NULL), 0);
    const struct loom_replay_options options = {.trace = schedule,
                                                .policies = &policy,
                                                .n_policies = 1,
                                                .downtime = &downtime};
    assert_int_equal(loom_replay_run(&report, &options, NULL), 0);
    assert_true(report->runs[0].all.wait_mean_log_s > 0);
    assert_near(report->runs[0].all.abs_error_mean_s, 0, 0);
    loom_replay_report_destroy(report);
    loom_trace_destroy(schedule);
    loom_outcome_destroy(outcome);
    loom_trace_destroy(log);
}

/* Classes add up to all jobs, and halves do. */
static void test_classes(void **state)
{
    struct loom_trace *trace = user_log(500);
    struct loom_replay_report *report = must_replay(trace, "easy", ~0u);
    const struct loom_replay_errors *all = &report->runs[0].all;
    (void)state;
    for (size_t kind = 0; kind < LOOM_REPLAY_KINDS; kind++) {
        const struct loom_replay_classes *by = report->by[kind];
        double sum = 0;
        int64_t jobs = 0;
        for (size_t i = 0; i < by->count; i++) {
            jobs += by->classes[i].errors.jobs;
            sum += by->classes[i].errors.bias_s * (double)by->classes[i].errors.jobs;
        }
        assert_int_equal(jobs, all->jobs);
        assert_near(sum / (double)jobs, all->bias_s, 1e-6);
    }
    assert_int_equal(report->runs[0].first.jobs + report->runs[0].second.jobs, all->jobs);
    assert_int_equal(report->by[LOOM_REPLAY_QUEUE]->count, 2);
    assert_int_equal(report->by[LOOM_REPLAY_WEEK]->count, 5);
    assert_int_equal(report->by[LOOM_REPLAY_USER]->count, LOG_USERS);
    assert_true(report->n_runs > 5);
    loom_replay_report_destroy(report);
    loom_trace_destroy(trace);
}

/* The same report for any number of threads. */
static void test_threads(void **state)
{
    struct loom_trace *trace = user_log(300);
    const char *policy = "easy";
    struct loom_replay_report *reports[2];
    struct loom_pool *pool = NULL;
    (void)state;
    assert_int_equal(loom_pool_create(&pool, 3, NULL), 0);
    for (size_t i = 0; i < 2; i++) {
        const struct loom_replay_options options = {.trace = trace,
                                                    .policies = &policy,
                                                    .n_policies = 1,
                                                    .assumptions = ~0u,
                                                    .search = true,
                                                    .pool = i ? pool : NULL};
        assert_int_equal(loom_replay_run(&reports[i], &options, NULL), 0);
    }
    assert_int_equal(reports[0]->n_runs, reports[1]->n_runs);
    assert_int_equal(reports[0]->chosen, reports[1]->chosen);
    for (size_t i = 0; i < reports[0]->n_runs; i++) {
        assert_string_equal(reports[0]->runs[i].policy, reports[1]->runs[i].policy);
        assert_true(reports[0]->runs[i].misfit == reports[1]->runs[i].misfit);
        assert_true(reports[0]->runs[reports[0]->chosen].misfit <= reports[0]->runs[i].misfit);
    }
    loom_replay_report_destroy(reports[0]);
    loom_replay_report_destroy(reports[1]);
    loom_pool_destroy(pool);
    loom_trace_destroy(trace);
}

/* Three jobs at once on a machine of ten processors, five each: the log's machine is shared. */
static void test_shared_processors(void **state)
{
    struct logged lines[60];
    (void)state;
    for (int i = 0; i < 60; i++)
        lines[i] = (struct logged){i * 100, 0, 300, 5};
    struct loom_trace *trace = log_of(lines, 60, "10");
    struct loom_replay_report *report = must_replay(trace, "easy", LOOM_ASSUME_SIZE);
    assert_int_equal(report->n_runs, 2);
    assert_true(report->runs[0].all.bias_s > 1000);
    assert_int_equal(report->runs[1].procs, 15);
    assert_near(report->runs[1].all.bias_s, 0, 0);
    loom_replay_report_destroy(report);
    loom_trace_destroy(trace);
}

/* A machine of one processor has no other size to try: the run is made as it is. */
static void test_nothing_to_fit(void **state)
{
    static const struct logged lines[] = {{0, 0, 1000, 1}, {1, 999, 10, 1}, {2, 1008, 10, 1}};
    struct loom_trace *trace = log_of(lines, 3, "1");
    (void)state;
    struct loom_replay_report *report = must_replay(trace, "easy", LOOM_ASSUME_SIZE);
    assert_int_equal(report->n_runs, 2);
    assert_int_equal(report->chosen, 0);
    assert_int_equal(report->runs[1].all.jobs, 3);
    assert_near(report->runs[1].misfit, report->runs[0].misfit + 0.02, 1e-12);
    loom_replay_report_destroy(report);
    loom_trace_destroy(trace);
}

/* Three jobs weeks before the others are simulated and not compared, unless the whole log is. */
static void test_window(void **state)
{
    const char *policy = "easy";
    struct logged lines[203];
    (void)state;
    for (int i = 0; i < 203; i++)
        lines[i] = (struct logged){i < 3 ? i * WEEK_S : 4 * WEEK_S + i * 1000, 0, 900, 1};
    lines[100].wait_s = 50; /* a log without any wait is not measured */
    struct loom_trace *trace = log_of(lines, 203, "1");
    struct loom_replay_report *report = must_replay(trace, policy, 0);
    assert_int_equal(report->runs[0].all.jobs, 203);
    assert_int_equal(report->outside, 0);
    loom_replay_report_destroy(report);
    const struct loom_replay_options options = {.trace = trace,
                                                .policies = &policy,
                                                .n_policies = 1,
                                                .complete = true};
    struct loom_replay_errors errors;
    size_t nearest;
    assert_int_equal(loom_replay_run(&report, &options, NULL), 0);
    assert_true(report->outside >= 3 && report->outside < 20);
    assert_int_equal(report->no_wait, 0);
    assert_true(report->window.from_s >= 4 * WEEK_S);
    assert_int_equal(report->runs[0].all.jobs, 203 - report->outside);
    assert_int_equal(loom_replay_measure(&errors, &nearest, &options, NULL), 0);
    assert_int_equal(errors.jobs, 203 - report->outside);
    loom_replay_report_destroy(report);
    loom_trace_destroy(trace);
}

/* The policy that made a schedule is the nearest to it, wherever it stands. */
static void test_nearest(void **state)
{
    const char *policies[] = {"easy", "conservative", "fcfs"};
    struct loom_trace *log = user_log(800), *schedule = NULL;
    struct loom_scenario scenario = scenario_of(log);
    struct loom_replay_options options = {.policies = policies, .n_policies = 3};
    (void)state;
    scenario.policy = "fcfs";
    scenario.keep = LOOM_KEEP_RUN;
    struct loom_outcome *outcome = must_succeed(&scenario, NULL);
    assert_int_equal(loom_outcome_schedule(&schedule, outcome, NULL), 0);
    options.trace = schedule;
    for (size_t turn = 0; turn < 3; turn++) {
        struct loom_replay_errors errors;
        size_t nearest;
        assert_int_equal(loom_replay_measure(&errors, &nearest, &options, NULL), 0);
        assert_string_equal(policies[nearest], "fcfs");
        assert_near(errors.abs_error_mean_s, 0, 0);
        const char *first = policies[0];
        policies[0] = policies[1];
        policies[1] = policies[2];
        policies[2] = first;
    }
    loom_trace_destroy(schedule);
    loom_outcome_destroy(outcome);
    loom_trace_destroy(log);
}

static void assert_refused(const struct loom_trace *trace, const char *words)
{
    struct loom_replay_report *report = NULL;
    struct loom_error err = {0};
    const char *policy = "easy";
    const struct loom_replay_options options = {.trace = trace,
                                                .policies = &policy,
                                                .n_policies = 1};
    assert_int_equal(loom_replay_run(&report, &options, &err), LOOM_EDATA);
    assert_null(report);
    if (!strstr(err.message, words))
        fail_msg("'%s' has no '%s'", err.message, words);
}

static void test_refused(void **state)
{
    static const struct logged unknown[] = {{0, -1, 10, 1}}, wrong[] = {{0, -5, 10, 1}};
    static const struct logged sized[] = {{0, 0, 10, 3}, {5, 5, 10, 3}};
    struct loom_trace *trace = log_of(unknown, 1, "4");
    (void)state;
    assert_refused(trace, "no job of this log has a wait");
    loom_trace_destroy(trace);
    trace = log_of(wrong, 1, "4");
    assert_refused(trace, "negative");
    loom_trace_destroy(trace);
    /* No size of the machine: the peak of the log. */
    trace = log_of(sized, 2, NULL);
    struct loom_replay_report *report = must_replay(trace, "easy", 0);
    assert_int_equal(report->procs, 3);
    assert_int_equal(report->size_source, LOOM_SIZE_PEAK);
    assert_near(report->runs[0].all.bias_s, 0, 0);
    loom_replay_report_destroy(report);
    loom_trace_destroy(trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_support),
        cmocka_unit_test(test_conclusions),
        cmocka_unit_test(test_nearest),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_no_errors),
        cmocka_unit_test(test_outages),
        cmocka_unit_test(test_urgent_jobs),
        cmocka_unit_test(test_own_schedule),
        cmocka_unit_test(test_own_schedule_with_downtime),
        cmocka_unit_test(test_classes),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_weekly_levels),
        cmocka_unit_test(test_capacity),
        cmocka_unit_test(test_shared_processors),
        cmocka_unit_test(test_window),
        cmocka_unit_test(test_nothing_to_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

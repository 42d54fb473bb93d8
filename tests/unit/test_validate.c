/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Schedules of a few jobs that keep the rules or break one of them, and schedules compared. */
#include "placed_jobs.h"

#include <stdio.h>
#include <string.h>

static struct loom_trace *place(const struct placed *jobs)
{
    struct loom_trace *trace = empty_trace();
    for (int i = 0; i < MOST && jobs[i].procs; i++) {
        struct loom_job job = loom_job_unknown();
        job.number = i + 1;
        job.submit_s = jobs[i].submit_s;
        job.wait_s = jobs[i].wait_s;
        job.run_s = jobs[i].run_s;
        job.request_s = jobs[i].request_s;
        job.req_procs = jobs[i].procs;
        append(trace, job);
    }
    return trace;
}

static int check(struct loom_validation *out, const struct loom_trace *trace, int64_t procs,
                 const char *policy, struct loom_error *err)
{
    const struct loom_validate_options options = {.procs = procs, .policy = policy};
    return loom_validate(out, trace, &options, err);
}

static void finds_what_is_broken(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(schedules); i++) {
        const struct schedule *s = &schedules[i];
        struct loom_trace *trace = place(s->jobs);
        struct loom_validation found;
        const struct loom_validate_options options = {.procs = s->procs,
                                                      .policy = s->policy,
                                                      .overrun = s->overrun};
        assert_int_equal(loom_validate(&found, trace, &options, NULL), 0);
        for (size_t k = 0; k < found.n; k++) {
            const struct loom_checked *rule = &found.checks[k];
            bool wanted = s->rule && strcmp(s->rule, rule->rule) == 0;
            if (wanted != (rule->breaches > 0) || (wanted && rule->first[0].row + 1 != s->number))
                fail_msg("%s: %s is broken %d times: %s", s->what, rule->rule, (int)rule->breaches,
                         rule->first[0].text);
        }
        loom_trace_destroy(trace);
    }
}

static void counts_and_tells(void **state)
{
    (void)state;
    static const struct placed jobs[MOST] = {{0, 0, 10, 10, 4}, {1, 8, 5, 5, 4}, {2, -1, 5, 5, 4}};
    struct loom_trace *trace = place(jobs);
    struct loom_validation found;
    assert_int_equal(check(&found, trace, 4, NULL, NULL), 0);
    assert_int_equal(found.jobs, 2);
    assert_int_equal(found.unrun, 1);
    assert_int_equal(found.n, 2);
    assert_string_equal(found.checks[1].first[0].text,
                        "job 2 starts at 9, and then 8 of 4 processors are busy");
    assert_int_equal(found.checks[1].first[0].time_s, 9);
    loom_trace_destroy(trace);
}

static void refuses_what_it_does_not_know(void **state)
{
    (void)state;
    struct loom_trace *trace = empty_trace();
    struct loom_validation found;
    struct loom_error err = {0};
    assert_int_equal(check(&found, trace, 4, "esay", &err), LOOM_EUSAGE);
    assert_string_equal(err.message, "there is no scheduler 'esay'; did you mean 'easy'?");
    assert_int_equal(check(&found, trace, 4, "easy:order=sfj", &err), LOOM_EUSAGE);
    assert_int_equal(check(&found, trace, 0, NULL, &err), LOOM_EDATA);
    assert_int_equal(check(&found, trace, 4, "conservative", &err), LOOM_EDATA);
    assert_string_equal(err.message, "no job of it has a known wait, runtime and size: there is no "
                                     "schedule to check");
    const struct loom_validate_options exact = {.procs = 4, .exact = true};
    assert_int_equal(loom_validate(&found, trace, &exact, &err), LOOM_EUSAGE);
    assert_string_equal(err.message, "exact requires policy");
    assert_string_equal(err.field, "exact policy");
    loom_trace_destroy(trace);
}

static void compares_job_by_job(void **state)
{
    (void)state;
    static const struct placed here[MOST] = {
        {0, 0, 10, 10, 4}, {1, 9, 5, 5, 4}, {2, 20, 5, 5, 4}, {3, -1, 5, 5, 4}, {4, 0, 5, 5, 4}};
    static const struct placed there[MOST] = {{0, 0, 10, 10, 4},
                                              {1, 10, 5, 5, 4},
                                              {2, 17, 5, 5, 4},
                                              {3, -1, 5, 5, 4}};
    struct loom_trace *a = place(here), *b = place(there);
    struct loom_schedule_difference found;
    assert_int_equal(loom_schedules_compare(&found, a, b, NULL), 0);
    assert_int_equal(found.same, 1);
    assert_int_equal(found.unrun, 1);
    assert_int_equal(found.different, 2);
    assert_int_equal(found.only_a, 1);
    assert_int_equal(found.only_b, 0);
    assert_int_equal(found.largest_s, 3);
    assert_true(found.mean_s == 4.0 / 3);
    assert_int_equal(found.n_first, 2);
    assert_int_equal(found.first[1].number, 3);
    assert_int_equal(found.first[1].start_a_s, 22);
    assert_int_equal(found.first[1].start_b_s, 19);
    struct loom_job twin = loom_trace_job(a, 0);
    append(a, twin);
    assert_int_equal(loom_schedules_compare(&found, a, b, NULL), LOOM_EDATA);
    loom_trace_destroy(a);
    loom_trace_destroy(b);
}

static struct loom_trace *random_workload(int round)
{
    struct loom_trace *trace = empty_trace();
    struct loom_stream own, *stream = &own;
    loom_stream_init(stream, 3, (uint64_t)round, "validate");
    for (int i = 0; i < 150; i++) {
        struct loom_job job = loom_job_unknown();
        job.number = i + 1;
        job.submit_s = i * 4 + (int64_t)loom_stream_below(stream, 9);
        job.request_s = 1 + (int64_t)loom_stream_below(stream, 60);
        job.run_s = (int64_t)loom_stream_below(stream, 5 * (uint64_t)job.request_s / 4 + 1);
        job.req_procs = 1 + (int32_t)loom_stream_below(stream, 8);
        job.user = 1 + (int32_t)loom_stream_below(stream, 4);
        append(trace, job);
    }
    return trace;
}

/* ---- schedules of our own -------------------------------------------------------------------- */

/* Simulated, and checked by the same rules. The caller must destroy the schedule. */
static struct loom_trace *own_schedule(struct loom_sim *sim, struct loom_validate_options *by,
                                       const char *policy, int round)
{
    struct loom_trace *trace = random_workload(round);
    *by = (struct loom_validate_options){
        .procs = 8,
        .policy = policy,
        .overrun = (enum loom_overrun)(round % 3),
    };
    const struct loom_sim_options options = {.scheduler = policy,
                                             .procs = 8,
                                             .overrun = by->overrun,
                                             .compat = by->compat};
    assert_int_equal(loom_sim_run_trace(sim, &options, trace, NULL), 0);
    assert_int_equal(loom_sim_schedule(sim, trace, NULL), 0);
    return trace;
}

static void check_own_schedule(struct loom_sim *sim, const char *policy, int round)
{
    struct loom_validation found;
    struct loom_validate_options by;
    struct loom_trace *trace = own_schedule(sim, &by, policy, round);
    assert_int_equal(loom_validate(&found, trace, &by, NULL), 0);
    assert_true(found.n >= 3);
    for (size_t k = 0; k < found.n; k++)
        if (found.checks[k].breaches)
            fail_msg("%s, round %d: %s", policy, round, found.checks[k].first[0].text);
    loom_trace_destroy(trace);
}

/* What a policy makes of a random workload keeps that policy's promises, whether estimates are
 * raised, jobs killed or estimates extended. */
static void passes_what_the_policies_do(void **state)
{
    (void)state;
    static const char *const policies[] = {
        "fcfs", "easy", "conservative", "easy-sjbf", "lookahead", "relaxed", "relaxed:slack=2",
    };
    const struct loom_order_info *order;
    struct loom_sim *sim = NULL;
    assert_int_equal(loom_sim_create(&sim, NULL), 0);
    for (int round = 0; round < 60; round++) {
        for (size_t i = 0; i < COUNT(policies); i++)
            check_own_schedule(sim, policies[i], round);
        for (size_t i = 0; (order = loom_order_at(i)); i++) {
            static const char *const queues[] = {"fcfs", "easy", "lookahead", "relaxed"};
            char policy[64];
            snprintf(policy, sizeof policy, "%s:order=%s", queues[round / 3 % 4], order->name);
            check_own_schedule(sim, policy, round);
        }
    }
    loom_sim_destroy(sim);
}

/* ---- exactly --------------------------------------------------------------------------------- */

static const struct loom_checked *exact_check(const struct loom_validation *found)
{
    const struct loom_checked *last = &found->checks[found->n - 1];
    assert_string_equal(last->rule, "exact");
    return last;
}

/* A schedule passes; with one start moved, the job that moved is found, and when. */
static void check_moved(struct loom_sim *sim, const char *policy, int round)
{
    struct loom_validation found;
    struct loom_validate_options by;
    struct loom_trace *trace = own_schedule(sim, &by, policy, round), *other = empty_trace();
    struct loom_stream stream;
    loom_stream_init(&stream, 4, (uint64_t)round, policy);
    size_t n = loom_trace_count(trace), row = loom_stream_below(&stream, n);
    by.exact = true;
    assert_int_equal(loom_validate(&found, trace, &by, NULL), 0);
    if (exact_check(&found)->breaches)
        fail_msg("%s, round %d: %s", policy, round, exact_check(&found)->first[0].text);
    for (size_t i = 0; i < n; i++) {
        struct loom_job job = loom_trace_job(trace, i);
        if (i == row)
            job.wait_s += job.wait_s > 0 && loom_stream_below(&stream, 2) ? -1 : 1;
        append(other, job);
    }
    struct loom_job was = loom_trace_job(trace, row), is = loom_trace_job(other, row);
    assert_int_equal(loom_validate(&found, other, &by, NULL), 0);
    assert_int_equal(exact_check(&found)->breaches, 1);
    assert_int_equal(exact_check(&found)->first[0].row, row);
    assert_int_equal(exact_check(&found)->first[0].time_s,
                     was.submit_s + (is.wait_s < was.wait_s ? is.wait_s : was.wait_s));
    loom_trace_destroy(trace);
    loom_trace_destroy(other);
}

static void finds_the_job_that_was_moved(void **state)
{
    (void)state;
    static const char *const others[] = {
        "ups:alpha=1",
        "ups:priority=recency",
        "relaxed:slack=2",
        "selective:threshold=2",
        "selective:categories=runtime",
        "easy:order=wfp3",
        "lookahead:depth=3",
        "fcfs:order=sjf",
    };
    const struct loom_scheduler_info *info;
    struct loom_sim *sim = NULL;
    assert_int_equal(loom_sim_create(&sim, NULL), 0);
    for (int round = 0; round < 12; round++) {
        for (size_t i = 0; (info = loom_scheduler_at(NULL, i)); i++)
            check_moved(sim, info->name, round);
        for (size_t i = 0; i < COUNT(others); i++)
            check_moved(sim, others[i], round);
    }
    loom_sim_destroy(sim);
}

/* Of two policies the schedules part; the same decision is reported first whichever of them made
 * the schedule, and the parameters matter. */
static void tells_policies_apart(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"easy", "fcfs"},           {"easy", "conservative"},   {"easy", "ups"},
        {"ups", "ups:alpha=0"},     {"easy", "easy:order=sjf"}, {"selective", "easy"},
        {"easy-sjbf", "lookahead"}, {"relaxed", "easy"},
    };
    struct loom_sim *sim = NULL;
    assert_int_equal(loom_sim_create(&sim, NULL), 0);
    for (size_t i = 0; i < COUNT(pairs); i++) {
        int64_t parting_s[2];
        for (size_t side = 0; side < 2; side++) {
            struct loom_validation found;
            struct loom_validate_options by;
            struct loom_trace *trace = own_schedule(sim, &by, pairs[i][side], 7);
            by.policy = pairs[i][!side];
            by.exact = true;
            assert_int_equal(loom_validate(&found, trace, &by, NULL), 0);
            assert_true(exact_check(&found)->breaches > 0);
            parting_s[side] = exact_check(&found)->first[0].time_s;
            loom_trace_destroy(trace);
        }
        assert_int_equal(parting_s[0], parting_s[1]);
    }
    loom_sim_destroy(sim);
}

/* Jobs 2 and 3 wait for job 1, both as wide as the machine; EASY starts job 2 at 10. */
static void tells_the_decision(void **state)
{
    (void)state;
    static const struct placed swapped[MOST] = {{0, 0, 10, 10, 4},
                                                {1, 14, 5, 5, 4},
                                                {2, 8, 5, 5, 4}};
    static const struct placed late[MOST] = {{0, 0, 10, 10, 4}, {1, 11, 5, 5, 4}};
    static const struct placed unrun[MOST] = {{0, 0, 10, 10, 4}, {1, -1, 5, 5, 4}};
    static const struct {
        const struct placed *jobs;
        const char *text;
    } cases[] = {
        {swapped, "at 10 job 3 starts, where easy starts job 2 as the first in its order"},
        {late, "job 2 starts at 12, and under easy starts at 10, as the first in its order"},
        {unrun, "job 2 does not run, and under easy starts at 10, as the first in its order"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct loom_validation found;
        struct loom_trace *trace = place(cases[i].jobs);
        const struct loom_validate_options by = {.procs = 4, .policy = "easy", .exact = true};
        assert_int_equal(loom_validate(&found, trace, &by, NULL), 0);
        assert_string_equal(exact_check(&found)->first[0].text, cases[i].text);
        loom_trace_destroy(trace);
    }
}

/* Job 3 comes when job 1 ends, and goes first by the rules of pyss alone (docs/SEMANTICS.md). */
static void goes_by_other_rules(void **state)
{
    (void)state;
    static const struct placed jobs[MOST] = {{0, 0, 10, 20, 3},
                                             {1, 19, 5, 5, 4},
                                             {10, 0, 10, 10, 1}};
    struct loom_trace *trace = place(jobs);
    struct loom_validation found;
    struct loom_validate_options by = {.procs = 4, .policy = "easy", .compat = LOOM_COMPAT_PYSS};
    assert_int_equal(loom_validate(&found, trace, &by, NULL), 0);
    assert_int_equal(found.n, 3);
    assert_int_equal(exact_check(&found)->breaches, 0);
    by.compat = LOOM_COMPAT_NONE;
    by.exact = true;
    assert_int_equal(loom_validate(&found, trace, &by, NULL), 0);
    assert_int_equal(exact_check(&found)->breaches, 2);
    loom_trace_destroy(trace);
}

static void counts_those_past_their_request(void **state)
{
    (void)state;
    static const struct placed jobs[MOST] = {{0, 0, 10, 5, 1},
                                             {1, 0, 5, 5, 1},
                                             {1, 0, 5, -1, 1},
                                             {1, -1, 9, 5, 1}};
    struct loom_trace *trace = place(jobs);
    struct loom_validation found;
    assert_int_equal(check(&found, trace, 4, NULL, NULL), 0);
    assert_int_equal(found.overran, 1);
    loom_trace_destroy(trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_is_broken),
        cmocka_unit_test(counts_and_tells),
        cmocka_unit_test(refuses_what_it_does_not_know),
        cmocka_unit_test(compares_job_by_job),
        cmocka_unit_test(passes_what_the_policies_do),
        cmocka_unit_test(finds_the_job_that_was_moved),
        cmocka_unit_test(tells_policies_apart),
        cmocka_unit_test(tells_the_decision),
        cmocka_unit_test(goes_by_other_rules),
        cmocka_unit_test(counts_those_past_their_request),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

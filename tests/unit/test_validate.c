/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Schedules of a few jobs that keep the rules or break one of them, and schedules compared. */
#include "support.h"

#include <workloom/sim_validate.h>

#include <stdio.h>
#include <string.h>

struct placed {
    int64_t submit_s, wait_s, run_s, request_s;
    int32_t procs;
};

enum { MOST = 6 };

struct schedule {
    const char *what, *policy;
    int64_t procs;
    struct placed jobs[MOST];
    const char *rule; /* that is broken, or NULL */
    int64_t number;   /* by which job, counted from 1 */
};

/* On 4 processors, unless it says otherwise. */
static const struct schedule schedules[] = {
    {"one after the other", NULL, 4, {{0, 0, 10, 10, 4}, {1, 9, 5, 5, 4}}, NULL, 0},
    {"one second too early", NULL, 4, {{0, 0, 10, 10, 4}, {1, 8, 5, 5, 4}}, "capacity", 2},
    {"wider than the machine", NULL, 4, {{0, 0, 10, 10, 5}}, "capacity", 1},
    {"no length, no processors", NULL, 4, {{0, 0, 10, 10, 4}, {1, 0, 0, 5, 4}}, NULL, 0},
    {"before its submission", NULL, 4, {{0, 0, 10, 10, 1}, {9, -2, 5, 5, 1}}, "start", 2},
    {"unknown waits do not count", NULL, 4, {{0, 0, 10, 10, 4}, {1, -1, 5, 5, 4}}, NULL, 0},
    {"in order", "fcfs", 4, {{0, 0, 10, 10, 3}, {1, 9, 5, 5, 4}, {2, 13, 5, 5, 1}}, NULL, 0},
    {"out of order", "fcfs", 4, {{0, 0, 10, 10, 3}, {1, 9, 5, 5, 4}, {2, 0, 5, 5, 1}}, "order", 3},
    {"left waiting", "fcfs", 4, {{0, 0, 10, 10, 3}, {1, 11, 5, 5, 4}}, "idle", 2},
    {"backfilled", "easy", 4, {{0, 0, 10, 10, 3}, {1, 9, 5, 5, 4}, {2, 0, 5, 5, 1}}, NULL, 0},
    /* Job 3 may run to 11 by its estimate: the reservation of job 2 at 10 is broken when it does,
     * and kept when job 3 ends in time by itself. */
    {"promise broken",
     "easy",
     4,
     {{0, 0, 10, 10, 3}, {1, 10, 5, 5, 4}, {2, 0, 9, 9, 1}},
     "reservation",
     2},
    {"promise kept by luck",
     "easy",
     4,
     {{0, 0, 10, 10, 3}, {1, 9, 5, 5, 4}, {2, 0, 8, 9, 1}},
     NULL,
     0},
    /* Job 2 is planned for 10 and job 3, of 2 processors, for 15; job 4 delays job 3 by a second.
     */
    {"as planned",
     "conservative",
     4,
     {{0, 0, 10, 10, 3}, {1, 9, 5, 5, 4}, {2, 13, 5, 5, 2}, {3, 0, 7, 7, 1}},
     NULL,
     0},
    {"later than planned",
     "conservative",
     4,
     {{0, 0, 10, 10, 3}, {1, 9, 5, 5, 4}, {2, 14, 5, 5, 2}, {3, 0, 7, 7, 1}},
     "plan",
     3},
    /* Job 1 ends at 6 instead of 10, and everybody moves up. */
    {"plan moved up",
     "conservative",
     4,
     {{0, 0, 6, 10, 3}, {1, 5, 5, 5, 4}, {2, 9, 5, 5, 2}},
     NULL,
     0},
    /* Job 3 is shorter than job 2, and comes first where that counts. */
    {"the shorter first",
     "fcfs:order=sjf",
     4,
     {{0, 0, 10, 10, 4}, {1, 12, 5, 5, 4}, {2, 8, 3, 3, 4}},
     NULL,
     0},
    {"the longer first",
     "fcfs:order=sjf",
     4,
     {{0, 0, 10, 10, 2}, {1, 0, 5, 5, 2}, {1, 9, 3, 3, 4}},
     "order",
     2},
    /* Job 2 is promised 10 while it is the first; from 4 on job 4 is, and is promised that. */
    {"the first gives way",
     "easy:order=sjf",
     4,
     {{0, 0, 10, 10, 3}, {1, 12, 5, 5, 4}, {2, 0, 2, 2, 1}, {4, 6, 3, 3, 4}},
     NULL,
     0},
    {"and is kept waiting",
     "easy:order=sjf",
     4,
     {{0, 0, 10, 10, 3}, {1, 15, 5, 5, 4}, {3, 2, 8, 8, 1}, {4, 9, 3, 3, 4}},
     "reservation",
     4},
    /* Job 3 starts in the instant in which job 2 becomes the first, and makes it late at once. */
    {"promise broken at once",
     "easy",
     4,
     {{0, 0, 10, 10, 3}, {1, 11, 5, 5, 4}, {1, 0, 11, 11, 1}},
     "reservation",
     2},
    /* Job 2 is promised 10, a wait of 10 s, and may be made to wait for 5 s more. */
    {"late by less than the slack",
     "relaxed",
     4,
     {{0, 0, 10, 10, 3}, {0, 15, 5, 5, 4}, {2, 0, 13, 13, 1}},
     NULL,
     0},
    {"late by more",
     "relaxed",
     4,
     {{0, 0, 10, 10, 3}, {0, 16, 5, 5, 4}, {2, 0, 14, 14, 1}},
     "reservation",
     2},
    {"late by less, with less slack",
     "relaxed:slack=0.4",
     4,
     {{0, 0, 10, 10, 3}, {0, 15, 5, 5, 4}, {2, 0, 13, 13, 1}},
     "reservation",
     2},
    {"plan not moved up", "conservative", 4, {{0, 0, 6, 10, 3}, {1, 9, 5, 5, 4}}, "plan", 2},
};

static struct loom_trace *place(const struct placed *jobs)
{
    struct loom_trace *trace = empty_trace();
    for (int i = 0; i < MOST && jobs[i].procs; i++) {
        struct loom_job job = loom_job_unknown();
        job.number = i + 1;
        job.submit_s = jobs[i].submit_s;
        job.wait_s = jobs[i].wait_s;
        job.run_s = jobs[i].run_s;
        job.req_time_s = jobs[i].request_s;
        job.req_procs = jobs[i].procs;
        append(trace, job);
    }
    return trace;
}

static void finds_what_is_broken(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(schedules); i++) {
        const struct schedule *s = &schedules[i];
        struct loom_trace *trace = place(s->jobs);
        struct loom_validation found;
        assert_int_equal(loom_validate(&found, trace, s->procs, s->policy, NULL), 0);
        for (size_t k = 0; k < found.n; k++) {
            const struct loom_checked *check = &found.checks[k];
            bool wanted = s->rule && strcmp(s->rule, check->rule) == 0;
            if (wanted != (check->breaches > 0) || (wanted && check->first[0].row + 1 != s->number))
                fail_msg("%s: %s is broken %d times: %s", s->what, check->rule,
                         (int)check->breaches, check->first[0].text);
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
    assert_int_equal(loom_validate(&found, trace, 4, NULL, NULL), 0);
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
    assert_int_equal(loom_validate(&found, trace, 4, "esay", &err), LOOM_EUSAGE);
    assert_string_equal(err.message, "there is no scheduler 'esay'; did you mean 'easy'?");
    assert_int_equal(loom_validate(&found, trace, 4, "easy:order=sfj", &err), LOOM_EUSAGE);
    assert_int_equal(loom_validate(&found, trace, 0, NULL, &err), LOOM_EDATA);
    assert_int_equal(loom_validate(&found, trace, 4, "conservative", &err), LOOM_EDATA);
    assert_string_equal(err.message, "no job of it has a known wait, runtime and size: there is no "
                                     "schedule to check");
    append(trace, (struct loom_job){.number = 1, .run_s = 1, .req_procs = 1, .req_time_s = 1});
    assert_int_equal(loom_validate(&found, trace, 4, "ups", &err), LOOM_EUSAGE);
    assert_string_equal(err.message,
                        "'ups' promises nothing that a schedule shows; simulate it and compare "
                        "with --against, or leave --policy out to check starts and capacity");
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
    assert_int_equal(found.same, 2);
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
        job.req_time_s = 1 + (int64_t)loom_stream_below(stream, 60);
        job.run_s = (int64_t)loom_stream_below(stream, 5 * (uint64_t)job.req_time_s / 4 + 1);
        job.req_procs = 1 + (int32_t)loom_stream_below(stream, 8);
        append(trace, job);
    }
    return trace;
}

static void check_own_schedule(struct loom_sim *sim, const char *policy, int round)
{
    enum loom_overrun overrun = round % 2 ? LOOM_OVERRUN_KILL : LOOM_OVERRUN_RAISE;
    const struct loom_sim_options options = {.scheduler = policy, .procs = 8, .overrun = overrun};
    struct loom_validation found;
    struct loom_trace *trace = random_workload(round);
    assert_int_equal(loom_sim_run_trace(sim, &options, trace, NULL), 0);
    assert_int_equal(loom_sim_schedule(sim, trace, NULL), 0);
    assert_int_equal(loom_validate(&found, trace, 8, policy, NULL), 0);
    assert_true(found.n >= 3);
    for (size_t k = 0; k < found.n; k++)
        if (found.checks[k].breaches)
            fail_msg("%s: %s", policy, found.checks[k].first[0].text);
    loom_trace_destroy(trace);
}

/* What a policy makes of a random workload keeps that policy's promises, whether estimates are
 * raised or jobs killed. */
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
            snprintf(policy, sizeof policy, "%s:order=%s", queues[round / 2 % 4], order->name);
            check_own_schedule(sim, policy, round);
        }
    }
    loom_sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_is_broken),          cmocka_unit_test(counts_and_tells),
        cmocka_unit_test(refuses_what_it_does_not_know), cmocka_unit_test(compares_job_by_job),
        cmocka_unit_test(passes_what_the_policies_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

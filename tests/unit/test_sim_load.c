/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Offered load of a simulation, and jobs changed to another load. */
#include "given_jobs.h"

/* ---- another load ---------------------------------------------------------------------------- */

/* Work 1000 * 2 + 500 * 4 + 100 * 10 = 5000 over 100 s on 100 processors: a load of 0.5. */
static const struct given half_loaded[] = {{50, 1000, 2, 1, 1},
                                           {100, 500, 4, 1, 1},
                                           {150, 100, 10, 1, 1}};

struct load_case {
    enum loom_load_way way;
    double load, factor;
    int64_t procs, submits_s[3], runs_s[3];
};

static const struct load_case load_cases[] = {
    {LOOM_LOAD_SIZE, 0.8, 0.63, 63, {50, 100, 150}, {1000, 500, 100}}, /* 62.5 rounded */
    {LOOM_LOAD_SIZE, 0.25, 2, 200, {50, 100, 150}, {1000, 500, 100}},
    /* 5 processors for a job of 10: the two others offer 4000 in 50 s, 10 on 8 processors. */
    {LOOM_LOAD_SIZE, 10, 0.08, 8, {50, 100, 150}, {1000, 500, 100}},
    {LOOM_LOAD_ARRIVALS, 0.25, 2, 100, {50, 150, 250}, {1000, 500, 100}},
    {LOOM_LOAD_ARRIVALS, 1, 0.5, 100, {50, 75, 100}, {1000, 500, 100}},
    {LOOM_LOAD_RUNTIMES, 0.75, 1.5, 100, {50, 100, 150}, {1500, 750, 150}},
    {LOOM_LOAD_RUNTIMES, 0.001, 0.002, 100, {50, 100, 150}, {2, 1, 1}}, /* never down to 0 */
};

static void test_load(void **state)
{
    (void)state;
    for (size_t c = 0; c < COUNT(load_cases); c++) {
        const struct load_case *wanted = &load_cases[c];
        struct loom_trace *trace = trace_of(half_loaded, COUNT(half_loaded));
        struct loom_load_change change;
        assert_int_equal(loom_load_change(&change, trace, 100, wanted->load, wanted->way, NULL), 0);
        assert_near(change.before, 0.5);
        assert_near(change.factor, wanted->factor);
        assert_int_equal(change.procs, wanted->procs);
        assert_int_equal(change.left_out, change.procs < 10 ? 1 : 0);
        for (size_t i = 0; i < COUNT(half_loaded); i++) {
            assert_int_equal(loom_trace_jobs(trace)->submit_s[i], wanted->submits_s[i]);
            assert_int_equal(loom_trace_jobs(trace)->run_s[i], wanted->runs_s[i]);
        }
        struct loom_sim *sim = simulate(trace, change.procs);
        assert_near(metrics_of(sim).load_offered, change.after);
        loom_sim_destroy(sim);
        loom_trace_destroy(trace);
    }
}

/* A job that does not count in the load, here by its unknown runtime, may be submitted so late that
 * its time cannot be doubled. */
static void test_load_of_late_jobs(void **state)
{
    static const struct given late[] = {{0, 100, 5, 1, 1},
                                        {100, 100, 5, 1, 1},
                                        {INT64_MAX - 5, -1, 1, 1, 1}};
    (void)state;
    struct loom_trace *trace = trace_of(late, COUNT(late));
    struct loom_load_change change;
    assert_int_equal(loom_load_change(&change, trace, 10, 0.5, LOOM_LOAD_ARRIVALS, NULL), 0);
    assert_near(change.factor, 2);
    assert_int_equal(loom_trace_jobs(trace)->submit_s[1], 200);
    assert_int_equal(loom_trace_jobs(trace)->submit_s[2], INT64_MAX);
    loom_trace_destroy(trace);
}

/* Jobs that the simulator drops for times beyond 2^48 s have no part in the load, and do not become
 * jobs that it takes. */
static void test_load_of_long_jobs(void **state)
{
    static const int64_t beyond_s = (INT64_C(1) << 48) + 1;
    const struct given given[] = {half_loaded[0],          half_loaded[1],
                                  half_loaded[2],          {120, beyond_s, 1, 1, 1},
                                  {beyond_s, 10, 1, 1, 1}, {110, 4 * beyond_s, 20, 1, 1}};
    (void)state;
    for (size_t c = 0; c < COUNT(load_cases); c++) {
        const struct load_case *wanted = &load_cases[c];
        struct loom_trace *trace = trace_of(given, COUNT(given));
        struct loom_load_change change;
        assert_near(loom_load_offered(trace, 100), 0.5);
        assert_int_equal(loom_load_change(&change, trace, 100, wanted->load, wanted->way, NULL), 0);
        assert_near(change.before, 0.5);
        assert_near(change.factor, wanted->factor);
        assert_int_equal(change.procs, wanted->procs);
        assert_int_equal(loom_trace_jobs(trace)->run_s[0], wanted->runs_s[0]);
        struct loom_sim *sim = simulate(trace, change.procs);
        assert_int_equal(loom_sim_counts(sim)->dropped_too_long, 3);
        assert_near(metrics_of(sim).load_offered, change.after);
        loom_sim_destroy(sim);
        loom_trace_destroy(trace);
    }
}

/* A job at the last second of all is refused as late, not left out in silence. */
static void test_last_second(void **state)
{
    static const struct given late[] = {{0, 100, 5, 1, 1}, {INT64_MAX, 100, 5, 1, 1}};
    const struct loom_sim_options options = {.scheduler = "easy", .procs = 10};
    (void)state;
    struct loom_trace *trace = trace_of(late, COUNT(late));
    struct loom_sim *sim;
    assert_int_equal(loom_sim_create(&sim, NULL), 0);
    assert_int_equal(loom_sim_run_trace(sim, &options, trace, NULL), LOOM_ERANGE);
    loom_sim_destroy(sim);
    loom_trace_destroy(trace);
}

/* On 10 processors, all at 0: A (6, for 100 s) and Z (2, no runtime) start, H (10, for 10 s) is
 * reserved 100, and B (2, for 120 s) would delay it. Z is still on the machine in that pass: if its
 * processors were taken for lost, H could never start and B would. */
static void test_no_runtime(void **state)
{
    static const struct given jobs[] = {{0, 100, 6, 1, 1},
                                        {0, 0, 2, 1, 1},
                                        {0, 10, 10, 1, 1},
                                        {0, 120, 2, 1, 1}};
    static const int64_t starts_s[] = {0, 0, 100, 110};
    const struct loom_sim_options options = {.scheduler = "easy", .procs = 10};
    (void)state;
    struct loom_trace *trace = trace_of(jobs, COUNT(jobs));
    struct loom_sim *sim;
    size_t n;
    assert_int_equal(loom_sim_create(&sim, NULL), 0);
    assert_int_equal(loom_sim_run_trace(sim, &options, trace, NULL), 0);
    const struct loom_sim_job *run = loom_sim_jobs(sim, &n);
    assert_int_equal(n, COUNT(jobs));
    for (size_t i = 0; i < n; i++)
        assert_int_equal(run[i].start_s, starts_s[i]);
    loom_sim_destroy(sim);
    loom_trace_destroy(trace);
}

/* On 4 processors the job of 10 does not count: 80 processors' worth of work come in a second, and
 * from 10 processors on it is 50, as the span grows with that job too. */
static void test_load_of_wider_jobs(void **state)
{
    static const struct {
        double load;
        int64_t procs;
        double after;
    } cases[] = {
        {10, 8, 10},        {80 / 9.0, 9, 80 / 9.0}, /* without the wide job */
        {4, 13, 50 / 13.0}, /* with it: 20 processors would have a load of 2.5 */
        {0.5, 100, 0.5},    {20, 4, 20},
    };
    (void)state;
    struct loom_load_change change;
    for (size_t c = 0; c < COUNT(cases); c++) {
        struct loom_trace *trace = trace_of(half_loaded, COUNT(half_loaded));
        assert_int_equal(loom_load_change(&change, trace, 4, cases[c].load, LOOM_LOAD_SIZE, NULL),
                         0);
        assert_near(change.before, 20);
        assert_int_equal(change.procs, cases[c].procs);
        assert_near(change.after, cases[c].after);
        loom_trace_destroy(trace);
    }
    struct loom_trace *trace = trace_of(half_loaded, COUNT(half_loaded));
    struct loom_error err;
    assert_int_equal(loom_load_change(&change, trace, 4, 6, LOOM_LOAD_SIZE, &err), LOOM_ERANGE);
    assert_non_null(strstr(err.message, "the nearest is 5, on 10 processors"));
    assert_int_equal(loom_load_change(&change, trace, 4, 30, LOOM_LOAD_SIZE, &err), LOOM_ERANGE);
    assert_non_null(strstr(err.message, "the nearest is 20, on 4 processors"));
    loom_trace_destroy(trace);
}

static void test_load_refused(void **state)
{
    static const struct {
        enum loom_load_way way;
        double load;
        int64_t procs;
        size_t jobs;
        int code;
    } cases[] = {
        {LOOM_LOAD_SIZE, 7, 100, 3, LOOM_ERANGE},         /* 8 to 20 without the widest job */
        {LOOM_LOAD_SIZE, 1e-9, 100, 3, LOOM_ERANGE},      /* more than 2^31 - 1 processors */
        {LOOM_LOAD_ARRIVALS, 1e-15, 100, 3, LOOM_ERANGE}, /* beyond 2^47 s */
        {LOOM_LOAD_ARRIVALS, 0, 100, 3, LOOM_ERANGE},
        {LOOM_LOAD_ARRIVALS, -1, 100, 3, LOOM_ERANGE},
        {LOOM_LOAD_ARRIVALS, NAN, 100, 3, LOOM_ERANGE},
        {LOOM_LOAD_ARRIVALS, 101, 100, 3, LOOM_ERANGE},
        {LOOM_LOAD_RUNTIMES, 0.5, 100, 1, LOOM_EDATA}, /* one job spans no time */
        {LOOM_LOAD_RUNTIMES, 0.5, 1, 3, LOOM_EDATA},   /* none fits */
        {LOOM_LOAD_RUNTIMES, 0.5, 0, 3, LOOM_EDATA},   /* machine not known */
    };
    (void)state;
    for (size_t c = 0; c < COUNT(cases); c++) {
        struct loom_trace *trace = trace_of(half_loaded, cases[c].jobs);
        struct loom_load_change change;
        assert_int_equal(loom_load_change(&change, trace, cases[c].procs, cases[c].load,
                                          cases[c].way, NULL),
                         cases[c].code);
        loom_trace_destroy(trace);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_load),
        cmocka_unit_test(test_load_of_wider_jobs),
        cmocka_unit_test(test_load_of_late_jobs),
        cmocka_unit_test(test_load_of_long_jobs),
        cmocka_unit_test(test_last_second),
        cmocka_unit_test(test_no_runtime),
        cmocka_unit_test(test_load_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

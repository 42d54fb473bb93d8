/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Metrics of schedules that can be checked by hand. */
#include "given_jobs.h"

static const struct given five[] = {
    {0, 20, 8, 1, 1}, {0, 5, 3, 2, 1}, {10, 100, 5, 1, 2}, {500, 600, 1, 1, 2}, {550, 1, 2, -1, 1},
};

static void test_percentiles(void **state)
{
    struct loom_trace *trace = trace_of(five, COUNT(five));
    struct loom_sim *sim = simulate(trace, 8);
    struct loom_sim_metrics metrics = metrics_of(sim);
    /* Waits 0 0 0 10 20: place 0.9 * 4 = 3.6 is 10 + 0.6 * 10. */
    const double waits_s[] = {0, 16, 18, 19.6};
    /* 1 1 1 1.1 2.5 in the same places. */
    const double slowdowns[] = {1, 1.1 + 0.6 * 1.4, 1.1 + 0.8 * 1.4, 1.1 + 0.96 * 1.4};
    (void)state;
    for (size_t p = 0; p < LOOM_N_PERCENTS; p++) {
        assert_near(metrics.wait_percentile_s[p], waits_s[p]);
        assert_near(metrics.bounded_slowdown_percentile[p], slowdowns[p]);
    }
    assert_near(metrics.wait_median_s, 0);
    assert_near(metrics.bounded_slowdown_mean, (1 + 2.5 + 1.1 + 1 + 1) / 5);
    loom_sim_destroy(sim);
    loom_trace_destroy(trace);
}

/* A job of no length that does not wait has been served as well as can be; the third waits for 4 s,
 * which are 4 times the second for which its runtime counts. */
static void test_slowdown_of_no_length(void **state)
{
    static const struct given jobs[] = {{0, 0, 1, 1, 1}, {1, 5, 8, 1, 1}, {2, 0, 1, 1, 1}};
    struct loom_trace *trace = trace_of(jobs, COUNT(jobs));
    struct loom_sim *sim = simulate(trace, 8);
    struct loom_sim_metrics metrics = metrics_of(sim);
    (void)state;
    assert_near(metrics.slowdown_mean, (1 + 1 + 4) / 3.0);
    assert_near(metrics.slowdown_ratio, (0 + 5 + 4) / 5.0);
    loom_sim_destroy(sim);
    loom_trace_destroy(trace);
}

/* ---- classes --------------------------------------------------------------------------------- */

struct expected {
    enum loom_class_kind kind;
    const char *text;
    int64_t from, to, jobs;
    double wait_mean_s, wait_median_s, bounded_slowdown_mean;
};

static const struct expected expected[] = {
    {LOOM_CLASS_SIZE, "1", 1, 1, 1, 0, 0, 1},
    {LOOM_CLASS_SIZE, "2", 2, 2, 1, 0, 0, 1},
    {LOOM_CLASS_SIZE, "3-4", 3, 4, 1, 20, 20, 2.5},
    {LOOM_CLASS_SIZE, "5-8", 5, 8, 2, 5, 5, 1.05},
    {LOOM_CLASS_RUNTIME, "up to 10 s", 0, 10, 2, 10, 10, 1.75},
    {LOOM_CLASS_RUNTIME, "up to 1 min", 11, 60, 1, 0, 0, 1},
    {LOOM_CLASS_RUNTIME, "up to 10 min", 61, 600, 2, 5, 5, 1.05},
    {LOOM_CLASS_USER, "unknown", -1, -1, 1, 0, 0, 1},
    {LOOM_CLASS_USER, "1", 1, 1, 3, 10.0 / 3, 0, 3.1 / 3},
    {LOOM_CLASS_USER, "2", 2, 2, 1, 20, 20, 2.5},
    {LOOM_CLASS_QUEUE, "1", 1, 1, 3, 20.0 / 3, 0, 1.5},
    {LOOM_CLASS_QUEUE, "2", 2, 2, 2, 5, 5, 1.05},
    {LOOM_CLASS_BAG, "alone", 0, 0, 5, 6, 0, 1.32},
};

static void assert_class(const struct loom_sim_classes *classes, size_t at,
                         const struct expected *wanted)
{
    const struct loom_sim_class *got = &classes->classes[at];
    char text[80];
    assert_string_equal(loom_sim_class_text(classes, at, NULL, text, sizeof text), wanted->text);
    assert_int_equal(got->from, wanted->from);
    assert_int_equal(got->to, wanted->to);
    assert_int_equal(got->jobs, wanted->jobs);
    assert_near(got->wait_mean_s, wanted->wait_mean_s);
    assert_near(got->wait_median_s, wanted->wait_median_s);
    assert_near(got->bounded_slowdown_mean, wanted->bounded_slowdown_mean);
}

static void test_classes(void **state)
{
    struct loom_trace *trace = trace_of(five, COUNT(five));
    struct loom_sim *sim = simulate(trace, 8);
    size_t next = 0;
    (void)state;
    for (int kind = 0; kind < LOOM_CLASS_KINDS; kind++) {
        struct loom_sim_classes *classes = NULL;
        assert_int_equal(loom_sim_classes_create(&classes, sim, trace, (enum loom_class_kind)kind,
                                                 NULL),
                         0);
        for (size_t i = 0; i < classes->count; i++, next++) {
            assert_int_equal(expected[next].kind, kind);
            assert_class(classes, i, &expected[next]);
        }
        loom_sim_classes_destroy(classes);
    }
    assert_int_equal(next, COUNT(expected));
    loom_sim_destroy(sim);
    loom_trace_destroy(trace);
}

/* One processor; user 1 sends two jobs alike, then one more 101 s after them. */
static void test_bags(void **state)
{
    static const struct given jobs[] = {{0, 30, 1, 1, 1}, {100, 30, 1, 1, 1}, {201, 30, 1, 1, 1}};
    struct loom_trace *trace = trace_of(jobs, COUNT(jobs));
    struct loom_sim *sim = simulate(trace, 1);
    struct loom_sim_classes *classes = NULL;
    char text[80];
    (void)state;
    assert_int_equal(loom_sim_classes_create(&classes, sim, trace, LOOM_CLASS_BAG, NULL), 0);
    assert_int_equal(classes->count, 2);
    assert_int_equal(classes->classes[0].jobs, 1);
    assert_int_equal(classes->classes[1].jobs, 2);
    assert_string_equal(loom_sim_class_text(classes, 1, trace, text, sizeof text), "in bags");
    loom_sim_classes_destroy(classes);
    loom_sim_destroy(sim);
    loom_trace_destroy(trace);
}

static void test_needs_trace(void **state)
{
    struct loom_trace *trace = trace_of(five, COUNT(five)), *other = trace_of(five, 2);
    struct loom_sim *sim = simulate(trace, 8);
    struct loom_sim_classes *classes = NULL;
    (void)state;
    assert_int_equal(loom_sim_classes_create(&classes, sim, NULL, LOOM_CLASS_SIZE, NULL), 0);
    loom_sim_classes_destroy(classes);
    assert_int_equal(loom_sim_classes_create(&classes, sim, NULL, LOOM_CLASS_QUEUE, NULL),
                     LOOM_EUSAGE);
    assert_int_equal(loom_sim_classes_create(&classes, sim, other, LOOM_CLASS_BAG, NULL),
                     LOOM_EUSAGE);
    assert_null(classes);
    loom_sim_destroy(sim);
    loom_trace_destroy(trace);
    loom_trace_destroy(other);
}

/* User 1 has 3.1 / 3, user 2 has 2.5; the unknown one is left out. Makespan 1100 s. */
static void test_fairness(void **state)
{
    struct loom_trace *trace = trace_of(five, COUNT(five));
    struct loom_sim *sim = simulate(trace, 8);
    struct loom_sim_classes *classes = NULL;
    double x = 3.1 / 3, y = 2.5;
    (void)state;
    assert_int_equal(loom_sim_classes_create(&classes, sim, NULL, LOOM_CLASS_USER, NULL), 0);
    assert_near(classes->fairness, (x + y) * (x + y) / (2 * (x * x + y * y)));
    assert_near(classes->classes[1].throughput_jobs_per_day, 3 / 1100.0 * 86400);
    loom_sim_classes_destroy(classes);
    loom_sim_destroy(sim);
    loom_trace_destroy(trace);
}

/* Jobs B to D of the five: waits 20, 10, 0. Job E comes 50 s after D, D 490 s after C. */
static void test_trim(void **state)
{
    static const struct {
        struct loom_sim_trim trim;
        int64_t measured;
        double wait_mean_s;
    } cases[] = {
        {{0, 0, 0, 0}, 5, 6},    {{1, 0, 1, 0}, 3, 10}, {{0, 1, 0, 50}, 2, 5},
        {{0, 10, 0, 51}, 1, 10}, {{3, 10, 0, 0}, 2, 0}, {{3, 0, 2, 0}, 0, 0},
    };
    struct loom_trace *trace = trace_of(five, COUNT(five));
    struct loom_sim *sim = simulate(trace, 8);
    double throughput = metrics_of(sim).throughput_jobs_per_day;
    (void)state;
    for (size_t c = 0; c < COUNT(cases); c++) {
        int rc = loom_sim_trim(sim, &cases[c].trim, NULL);
        assert_int_equal(rc, cases[c].measured ? 0 : LOOM_ERANGE);
        if (rc)
            continue;
        struct loom_sim_metrics metrics = metrics_of(sim);
        assert_int_equal(metrics.measured, cases[c].measured);
        assert_int_equal(metrics.jobs, 5);
        assert_near(metrics.wait_mean_s, cases[c].wait_mean_s);
        assert_near(metrics.throughput_jobs_per_day, throughput);
    }
    loom_sim_destroy(sim);
    loom_trace_destroy(trace);
}

/* ---- saturation ------------------------------------------------------------------------------ */

/* One processor. At the beginning of each of 10 weeks come `each` jobs of a week: of the
 * each * (w + 1) submitted by then, w have ended, so each + (each - 1) * w are outstanding. When
 * the last have come, the queue takes weeks to empty; that must not hide that it grew. */
static void test_saturation(void **state)
{
    enum { WEEKS = 10, WEEK_S = 604800 };
    static const int verdicts[] = {-1, 0, 0, 1};
    (void)state;
    for (int each = 1; each <= 3; each++) {
        struct given jobs[WEEKS * 3];
        for (int i = 0; i < WEEKS * each; i++)
            jobs[i] = (struct given){(int64_t)(i / each) * WEEK_S, WEEK_S, 1, 1, 1};
        struct loom_trace *trace = trace_of(jobs, (size_t)(WEEKS * each));
        struct loom_sim *sim = simulate(trace, 1);
        struct loom_sim_metrics metrics = metrics_of(sim);
        int64_t *weeks = NULL;
        size_t n;
        assert_int_equal(loom_sim_outstanding(&weeks, &n, sim, NULL), 0);
        assert_int_equal(n, WEEKS);
        for (int w = 0; w < WEEKS; w++)
            assert_int_equal(weeks[w], each + (each - 1) * w);
        assert_near(metrics.outstanding.per_week, each - 1);
        assert_int_equal(metrics.saturated, verdicts[each]);
        free(weeks);
        loom_sim_destroy(sim);
        loom_trace_destroy(trace);
    }
}

/* Jobs such that so many are outstanding at the beginning of each week: of those outstanding, the
 * last to come end first. */
static size_t jobs_of_counts(struct given *jobs, const int *counts, int weeks)
{
    enum { WEEK_S = 604800 };
    size_t n = 0;
    for (int w = 0; w < weeks; w++)
        for (int level = w ? counts[w - 1] : 0; level < counts[w]; level++) {
            int end = w;
            while (end < weeks && counts[end] > level)
                end++;
            jobs[n++] = (struct given){(int64_t)w * WEEK_S, (int64_t)(end - w) * WEEK_S, 1, 1, 1};
        }
    return n;
}

/* The slope, its error and its interval are tests/oracle/saturation.py's. The queue is gone in the
 * last weeks; had the run ended before, its growth would have been several times as large, and the
 * upper end of the interval says so. With counts ten times as large, one job a week is inside. */
static void test_trend(void **state)
{
    static const int counts[] = {3,  5,  4,  8,  6,  7,  9,  9,  12, 10,
                                 11, 15, 13, 14, 16, 17, 15, 18, 7,  9};
    (void)state;
    for (int times = 1; times <= 10; times += 9) {
        struct given jobs[400];
        int scaled[COUNT(counts)];
        for (size_t w = 0; w < COUNT(counts); w++)
            scaled[w] = times * counts[w];
        struct loom_trace *trace = trace_of(jobs, jobs_of_counts(jobs, scaled, COUNT(counts)));
        struct loom_sim *sim = simulate(trace, 1000);
        struct loom_sim_metrics metrics = metrics_of(sim);
        assert_int_equal(metrics.weeks, COUNT(counts));
        const double got[] = {metrics.outstanding.per_week, metrics.outstanding.error,
                              metrics.outstanding.low, metrics.outstanding.high};
        static const double wanted[] = {0.217647058823529, 0.0744273112973297, 0.0580163523355674,
                                        0.86013986013986};
        for (size_t i = 0; i < COUNT(wanted); i++)
            if (!(fabs(got[i] - times * wanted[i]) < 1e-9 * times))
                fail_msg("%.15g is not %.15g", got[i], times * wanted[i]);
        assert_int_equal(metrics.saturated, times * wanted[0] > 1);
        assert_int_equal(metrics.undecided, times * wanted[2] <= 1 && times * wanted[3] >= 1);
        assert_int_equal(metrics.undecided, times == 10);
        loom_sim_destroy(sim);
        loom_trace_destroy(trace);
    }
}

/* A user who is left out is in no measure but load, queue and makespan (Zakay, chapter 3, 6.4, step
 * 4). Without user 2, job B: waits 0 10 0 0, work 160 + 500 + 600 + 2 of 1100 s on 8 processors. */
static void test_users_left_out(void **state)
{
    struct loom_trace *trace = trace_of(five, COUNT(five));
    struct loom_sim *sim = simulate(trace, 8);
    static const uint8_t keep[] = {1, 0, 1, 1, 1};
    struct loom_sim_rates rates;
    (void)state;
    double load = metrics_of(sim).load_offered;
    assert_int_equal(loom_sim_measure(sim, keep, NULL), 0);
    struct loom_sim_metrics metrics = metrics_of(sim);
    assert_int_equal(metrics.jobs, 5);
    assert_int_equal(metrics.measured, 4);
    assert_near(metrics.wait_mean_s, 2.5);
    assert_near(metrics.throughput_jobs_per_day, 4 / 1100.0 * 86400);
    assert_near(metrics.utilization, 1262 / 8800.0);
    assert_near(metrics.load_offered, load);
    assert_int_equal(loom_sim_rates(&rates, sim, (struct loom_sim_window){0, 1100}, NULL), 0);
    assert_near(rates.throughput_jobs_per_day, 4 / 1100.0 * 86400);
    assert_near(rates.utilization, 1262 / 8800.0);
    static const struct loom_sim_trim all;
    assert_int_equal(loom_sim_trim(sim, &all, NULL), 0);
    assert_near(metrics_of(sim).utilization, 1277 / 8800.0);
    loom_sim_destroy(sim);
    loom_trace_destroy(trace);
}

/* The same jobs on a machine with room for all: w + 1 of them run at the beginning of week w, as
 * each lasts for longer than the log, and nobody waits. The rule says saturated, and says that
 * running jobs alone make it so. On 5 processors the others wait. A queue that is gone by the last
 * count has not grown either. */
static void test_filling(void **state)
{
    enum { WEEKS = 10, WEEK_S = 604800 };
    static const struct {
        int64_t procs;
        double waiting;
        bool filling;
    } cases[] = {{100, 0, true}, {5, 71. / 42, false}};
    (void)state;
    struct given jobs[2 * WEEKS];
    for (int i = 0; i < 2 * WEEKS; i++)
        jobs[i] = (struct given){(int64_t)(i / 2) * WEEK_S, 2 * WEEKS * WEEK_S, 1, 1, 1};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct loom_trace *trace = trace_of(jobs, COUNT(jobs));
        struct loom_sim *sim = simulate(trace, cases[i].procs);
        struct loom_sim_metrics metrics = metrics_of(sim);
        assert_near(metrics.outstanding.per_week, 2);
        assert_int_equal(metrics.saturated, 1);
        assert_near(metrics.waiting_per_week, cases[i].waiting);
        assert_int_equal(metrics.filling, cases[i].filling);
        loom_sim_destroy(sim);
        loom_trace_destroy(trace);
    }
}

/* One wrong submit time must not make for a list of half a billion weeks. */
static void test_far_apart(void **state)
{
    static const struct given jobs[] = {{0, 10, 1, 1, 1}, {INT64_C(1) << 48, 10, 1, 1, 1}};
    struct loom_trace *trace = trace_of(jobs, COUNT(jobs));
    struct loom_sim *sim = simulate(trace, 1);
    struct loom_sim_metrics metrics = metrics_of(sim);
    int64_t *weeks = NULL;
    size_t n;
    (void)state;
    assert_int_equal(loom_sim_outstanding(&weeks, &n, sim, NULL), 0);
    assert_int_equal(n, 0);
    assert_int_equal(metrics.saturated, -1);
    free(weeks);
    loom_sim_destroy(sim);
    loom_trace_destroy(trace);
}

/* The first job keeps the second waiting over the beginnings of weeks 1 to 5. A queue of just a
 * day's work is not more than that. */
static void test_backlog(void **state)
{
    enum { DAY = 86400, WEEK = 7 * DAY };
    static const struct {
        int64_t run_s, backlog_weeks;
        bool told;
    } cases[] = {{DAY, 0, false}, {DAY + 1, 5, true}, {2 * DAY, 5, true}};
    (void)state;
    for (size_t c = 0; c < COUNT(cases); c++) {
        const struct given jobs[] = {{0, 6 * WEEK, 1, 1, 1},
                                     {1, cases[c].run_s, 1, 1, 1},
                                     {8 * WEEK, 1, 1, 1, 1},
                                     {12 * WEEK, 1, 1, 1, 1}};
        struct loom_trace *trace = trace_of(jobs, COUNT(jobs));
        struct loom_sim *sim = simulate(trace, 1);
        struct loom_sim_metrics metrics = metrics_of(sim);
        assert_int_equal(metrics.backlog_weeks, cases[c].backlog_weeks);
        assert_int_equal(metrics.saturated, 0);
        assert_int_equal(loom_sim_had_backlog(&metrics), cases[c].told);
        metrics.saturated = 1;
        assert_false(loom_sim_had_backlog(&metrics));
        loom_sim_destroy(sim);
        loom_trace_destroy(trace);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_percentiles),    cmocka_unit_test(test_slowdown_of_no_length),
        cmocka_unit_test(test_classes),        cmocka_unit_test(test_bags),
        cmocka_unit_test(test_needs_trace),    cmocka_unit_test(test_fairness),
        cmocka_unit_test(test_trim),           cmocka_unit_test(test_trend),
        cmocka_unit_test(test_users_left_out), cmocka_unit_test(test_saturation),
        cmocka_unit_test(test_filling),        cmocka_unit_test(test_far_apart),
        cmocka_unit_test(test_backlog),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

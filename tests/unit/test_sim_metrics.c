/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Metrics of schedules that can be checked by hand. */
#include "sim/results/saturation.h"
#include "support.h"

#include <workloom/sim_results.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct given {
    int64_t submit_s, run_s;
    int32_t procs, user, queue;
};

static struct loom_trace *trace_of(const struct given *jobs, size_t n)
{
    struct loom_trace *trace = empty_trace();
    for (size_t i = 0; i < n; i++) {
        struct loom_job job = loom_job_unknown();
        job.number = (int64_t)i + 1;
        job.submit_s = jobs[i].submit_s;
        job.run_s = jobs[i].run_s;
        job.req_procs = jobs[i].procs;
        job.user = jobs[i].user;
        job.queue = jobs[i].queue;
        append(trace, job);
    }
    return trace;
}

/* First come, first served: starts are easy to see. */
static struct loom_sim *simulate(const struct loom_trace *trace, int64_t procs)
{
    struct loom_sim *sim = NULL;
    struct loom_error err = {0};
    const struct loom_sim_options options = {.scheduler = "fcfs", .procs = procs};
    if (loom_sim_create(&sim, &err) || loom_sim_run_trace(sim, &options, trace, &err))
        fail_msg("%s", err.message);
    return sim;
}

static struct loom_sim_metrics metrics_of(const struct loom_sim *sim)
{
    struct loom_sim_metrics metrics;
    assert_int_equal(loom_sim_metrics(&metrics, sim, NULL), 0);
    return metrics;
}

static void assert_near(double got, double wanted)
{
    if (!(fabs(got - wanted) <= 1e-12 * fabs(wanted)))
        fail_msg("%.17g is not %.17g", got, wanted);
}

/* On 8 processors:
 *
 *     job  submit  run  procs   start  wait  bounded slowdown
 *     A         0   20      8       0     0   1
 *     B         0    5      3      20    20   25 / 10 = 2.5
 *     C        10  100      5      20    10   110 / 100 = 1.1
 *     D       500  600      1     500     0   1
 *     E       550    1      2     550     0   1
 */
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
 * each lasts for longer than the log, and nobody waits. The rule says saturated, and it is told
 * that running jobs alone make it so. On 5 processors the others wait. A queue that is gone by the
 * last count has not grown either. */
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
        cmocka_unit_test(test_percentiles),
        cmocka_unit_test(test_slowdown_of_no_length),
        cmocka_unit_test(test_classes),
        cmocka_unit_test(test_bags),
        cmocka_unit_test(test_needs_trace),
        cmocka_unit_test(test_fairness),
        cmocka_unit_test(test_trim),
        cmocka_unit_test(test_trend),
        cmocka_unit_test(test_users_left_out),
        cmocka_unit_test(test_saturation),
        cmocka_unit_test(test_filling),
        cmocka_unit_test(test_far_apart),
        cmocka_unit_test(test_backlog),
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

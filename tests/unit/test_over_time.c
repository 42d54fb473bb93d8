/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Queue and machine over time: by hand on a small schedule, and on many random ones against the
 * definitions, second by second and processor by processor.
 */
#include "sim/results/start_log.h"
#include "support.h"

#include <workloom/sim_results.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct given {
    int64_t submit_s, run_s;
    int32_t procs;
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
        job.user = (int32_t)(i % 3);
        append(trace, job);
    }
    return trace;
}

static struct loom_sim *simulate(const struct loom_trace *trace, const char *policy, int64_t procs,
                                 struct loom_start_log *log)
{
    struct loom_sim *sim = NULL;
    struct loom_error err = {0};
    const struct loom_observer observer =
        log ? loom_start_log_observer(log) : (struct loom_observer){0};
    const struct loom_sim_options options = {.scheduler = policy,
                                             .procs = procs,
                                             .observers = &observer,
                                             .n_observers = log ? 1 : 0};
    if (loom_sim_create(&sim, &err) || loom_sim_run_trace(sim, &options, trace, &err))
        fail_msg("%s", err.message);
    return sim;
}

static struct loom_sim_rates rates_of(const struct loom_sim *sim, struct loom_sim_window window)
{
    struct loom_sim_rates rates;
    struct loom_error err = {0};
    if (loom_sim_rates(&rates, sim, window, &err))
        fail_msg("%s", err.message);
    return rates;
}

static void assert_near(double got, double wanted)
{
    if (!(fabs(got - wanted) <= 1e-9 * fmax(1, fabs(wanted))))
        fail_msg("%.17g is not %.17g", got, wanted);
}

/* ---- by hand --------------------------------------------------------------------------------- */

/* First come, first served on 4 processors:
 *
 *     job  submit  run  procs   start  end      waiting   from 0 to 4: 0, 4 to 10: 1 (B), 10 to 12:
 *     A         0   10      3       0   10                2 (C, D), 12 to 14: 1 (D), 14 to 30: 0
 *     B         4    2      4      10   12      busy      0 to 10: 3, 10 to 12: 4, 12 to 14: 2,
 *     C        10    2      2      12   14                14 to 15: 3, 15 to 30: 0
 *     D        10    1      3      14   15
 *     E        30    0      1      30   30
 */
static const struct given five[] = {{0, 10, 3}, {4, 2, 4}, {10, 2, 2}, {10, 1, 3}, {30, 0, 1}};

static void test_by_hand(void **state)
{
    struct loom_trace *trace = trace_of(five, COUNT(five));
    struct loom_sim *sim = simulate(trace, "fcfs", 4, NULL);
    struct loom_sim_window whole = loom_sim_window(sim);
    struct loom_sim_rates rates = rates_of(sim, whole);
    (void)state;
    assert_int_equal(whole.from_s, 0);
    assert_int_equal(whole.to_s, 30);
    assert_near(rates.utilization, (30 + 8 + 4 + 3) / (4.0 * 30));
    assert_near(rates.throughput_jobs_per_day, 5 / 30.0 * 86400);
    assert_near(rates.queue_mean, (6 + 4 + 2) / 30.0);
    assert_int_equal(rates.queue_max, 2);
    /* 20 s of 30 with nobody, 8 with one, 2 with two: 66.7, 93.3 and 100 %. */
    assert_near(rates.queue_share[0], 20 / 30.0);
    assert_near(rates.queue_share[1], 8 / 30.0);
    assert_near(rates.queue_share[2], 2 / 30.0);
    const double percentiles[LOOM_N_PERCENTS] = {0, 1, 2, 2};
    for (size_t p = 0; p < LOOM_N_PERCENTS; p++)
        assert_near(rates.queue_percentile[p], percentiles[p]);

    /* From 5 to 13: busy 5 * 3 + 2 * 4 + 1 * 2, waiting 5 * 1 + 2 * 2 + 1; A and B end. */
    rates = rates_of(sim, (struct loom_sim_window){5, 13});
    assert_near(rates.utilization, 25 / (4.0 * 8));
    assert_near(rates.throughput_jobs_per_day, 2 / 8.0 * 86400);
    assert_near(rates.queue_mean, 10 / 8.0);
    assert_near(rates.queue_share[0], 0);
    assert_near(rates.queue_share[1], 6 / 8.0);
    loom_sim_destroy(sim);
    loom_trace_destroy(trace);
}

/* From 10 to 14 three jobs end, at the first and last second too: A at 10, B at 12, C at 14;
 * D, at 15, does not. */
static void test_ends_at_the_edges(void **state)
{
    struct loom_trace *trace = trace_of(five, COUNT(five));
    struct loom_sim *sim = simulate(trace, "fcfs", 4, NULL);
    struct loom_sim_rates rates = rates_of(sim, (struct loom_sim_window){10, 14});
    (void)state;
    assert_near(rates.throughput_jobs_per_day, 3 / 4.0 * 86400);
    loom_sim_destroy(sim);
    loom_trace_destroy(trace);
}

/* Without A, and without E: B, C and D are measured, from 4 to 30. */
static void test_window(void **state)
{
    struct loom_trace *trace = trace_of(five, COUNT(five));
    struct loom_sim *sim = simulate(trace, "fcfs", 4, NULL);
    const struct loom_sim_trim trim = {.warm_up_jobs = 1, .cool_down_jobs = 1};
    struct loom_sim_classes *users = NULL;
    (void)state;
    assert_int_equal(loom_sim_trim(sim, &trim, NULL), 0);
    struct loom_sim_window window = loom_sim_window(sim);
    assert_int_equal(window.from_s, 4);
    assert_int_equal(window.to_s, 30);
    struct loom_sim_rates rates = rates_of(sim, window);
    assert_near(rates.utilization, (18 + 8 + 4 + 3) / (4.0 * 26));
    /* A and E end in it too. */
    assert_near(rates.throughput_jobs_per_day, 5 / 26.0 * 86400);
    assert_int_equal(loom_sim_classes_create(&users, sim, trace, LOOM_CLASS_USER, NULL), 0);
    assert_int_equal(users->count, 3);
    assert_near(users->classes[0].throughput_jobs_per_day, 1 / 26.0 * 86400);
    loom_sim_classes_destroy(users);
    loom_sim_destroy(sim);
    loom_trace_destroy(trace);
}

/* Jobs that take no time, all at once: no length, no rates. */
static void test_no_time(void **state)
{
    static const struct given none[] = {{7, 0, 1}, {7, 0, 2}};
    struct loom_trace *trace = trace_of(none, COUNT(none));
    struct loom_sim *sim = simulate(trace, "easy", 4, NULL);
    struct loom_sim_rates rates = rates_of(sim, loom_sim_window(sim));
    struct loom_sim_series *series = NULL;
    struct loom_sim_curves curves;
    struct loom_error err = {0};
    (void)state;
    assert_true(isnan(rates.utilization) && isnan(rates.queue_mean));
    assert_true(isnan(rates.queue_percentile[0]) && isnan(rates.throughput_jobs_per_day));
    assert_int_equal(loom_sim_series_create(&series, sim, NULL), 0);
    assert_int_equal(series->count, 0);
    loom_sim_series_destroy(series);
    assert_int_equal(loom_sim_curves(&curves, sim, NULL), 0);
    assert_int_equal(curves.n, 2);
    assert_int_equal(loom_sim_rates(&rates, sim, (struct loom_sim_window){9, 8}, &err),
                     LOOM_ERANGE);
    loom_sim_destroy(sim);
    loom_trace_destroy(trace);
}

/* ---- against the definitions ----------------------------------------------------------------- */

enum { MOST_JOBS = 40, LAST_S = 4000 };

static struct loom_trace *random_trace(struct loom_stream *stream, size_t n, int32_t procs)
{
    struct given jobs[MOST_JOBS];
    int64_t submit_s = (int64_t)loom_stream_below(stream, 50);
    for (size_t i = 0; i < n; i++) {
        submit_s += (int64_t)loom_stream_below(stream, 12);
        jobs[i] = (struct given){submit_s, (int64_t)loom_stream_below(stream, 60),
                                 1 + (int32_t)loom_stream_below(stream, (uint64_t)procs)};
    }
    return trace_of(jobs, n);
}

/* Waiting jobs and busy processors in each second. */
struct seconds {
    int64_t waiting[LAST_S], busy[LAST_S];
};

static void tell_seconds(struct seconds *out, const struct loom_sim *sim)
{
    size_t n;
    const struct loom_sim_job *jobs = loom_sim_jobs(sim, &n);
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < n; i++) {
        assert_true(loom_sim_job_end(&jobs[i]) < LAST_S);
        for (int64_t t = jobs[i].submit_s; t < jobs[i].start_s; t++)
            out->waiting[t]++;
        for (int64_t t = jobs[i].start_s; t < loom_sim_job_end(&jobs[i]); t++)
            out->busy[t] += jobs[i].procs;
    }
}

static void check_rates(const struct loom_sim *sim, const struct seconds *seconds,
                        struct loom_sim_window window)
{
    static const double percents[] = LOOM_PERCENTS;
    struct loom_sim_rates rates = rates_of(sim, window);
    double busy = 0, waiting = 0, length = (double)(window.to_s - window.from_s);
    int64_t most = 0;
    for (int64_t t = window.from_s; t < window.to_s; t++) {
        busy += (double)seconds->busy[t];
        waiting += (double)seconds->waiting[t];
        most = seconds->waiting[t] > most ? seconds->waiting[t] : most;
    }
    assert_near(rates.utilization, busy / length / (double)loom_sim_procs(sim));
    assert_near(rates.queue_mean, waiting / length);
    assert_int_equal(rates.queue_max, most);
    for (size_t p = 0; p < LOOM_N_PERCENTS; p++) {
        double at_most = 0, below = 0;
        for (int64_t t = window.from_s; t < window.to_s; t++) {
            at_most += (double)seconds->waiting[t] <= rates.queue_percentile[p];
            below += (double)seconds->waiting[t] < rates.queue_percentile[p];
        }
        assert_true(at_most >= length * percents[p] / 100);
        assert_true(below < length * percents[p] / 100);
    }
}

static void check_series(const struct loom_sim *sim, const struct seconds *seconds)
{
    struct loom_sim_series *series = NULL;
    struct loom_sim_window whole = loom_sim_window(sim);
    assert_int_equal(loom_sim_series_create(&series, sim, NULL), 0);
    assert_int_equal(series->from_s, whole.from_s);
    assert_true(whole.from_s + (int64_t)series->count * series->step_s >= whole.to_s);
    for (size_t i = 0; i < series->count; i++) {
        int64_t from_s = whole.from_s + (int64_t)i * series->step_s;
        int64_t to_s = from_s + series->step_s < whole.to_s ? from_s + series->step_s : whole.to_s;
        struct loom_sim_rates rates = rates_of(sim, (struct loom_sim_window){from_s, to_s});
        assert_near(series->levels[i].utilization, rates.utilization);
        assert_near(series->levels[i].queue_mean, rates.queue_mean);
        assert_int_equal(series->levels[i].queue_max, rates.queue_max);
        check_rates(sim, seconds, (struct loom_sim_window){from_s, to_s});
    }
    loom_sim_series_destroy(series);
}

/* First fit, processor by processor, in the order of starts. */
struct processors {
    int64_t until_s[64]; /* free from then on */
};

static size_t free_run(const struct processors *of, int64_t procs, int64_t from, int64_t now_s)
{
    size_t length = 0;
    while (from + (int64_t)length < procs && of->until_s[from + (int64_t)length] <= now_s)
        length++;
    return length;
}

/* The processors of a job as a set of bits. */
static uint64_t fit(struct processors *of, int64_t procs, const struct loom_sim_job *job)
{
    uint64_t set = 0;
    int64_t at = 0, wanted = job->procs;
    while (at < procs && (int64_t)free_run(of, procs, at, job->start_s) < wanted)
        at++;
    for (at = at < procs ? at : 0; wanted > 0; at++)
        if (of->until_s[at] <= job->start_s) {
            of->until_s[at] = loom_sim_job_end(job);
            set |= UINT64_C(1) << at;
            wanted--;
        }
    return set;
}

static void check_gantt(const struct loom_sim *sim, struct loom_sim_window window)
{
    struct loom_gantt *gantt = NULL;
    struct loom_error err = {0};
    struct processors processors = {{0}};
    const struct loom_sim_job *jobs = loom_sim_jobs(sim, NULL);
    int64_t procs = loom_sim_procs(sim);
    int rc = loom_gantt_create(&gantt, sim, window, &err);
    if (rc) {
        assert_int_equal(rc, LOOM_EDATA);
        return;
    }
    size_t shown = 0;
    for (size_t i = 0, next; i < gantt->count; i = next, shown++) {
        uint32_t job = gantt->bars[i].job;
        uint64_t set = 0;
        int64_t start_s = jobs[job].start_s, end_s = loom_sim_job_end(&jobs[job]);
        for (next = i; next < gantt->count && gantt->bars[next].job == job; next++) {
            const struct loom_gantt_bar *bar = &gantt->bars[next];
            assert_int_equal(bar->from_s, start_s > window.from_s ? start_s : window.from_s);
            assert_int_equal(bar->to_s, end_s < window.to_s ? end_s : window.to_s);
            set |= ((UINT64_C(1) << bar->procs) - 1) << bar->first;
        }
        assert_true(set == fit(&processors, procs, &jobs[job]));
        assert_int_equal(__builtin_popcountll(set), jobs[job].procs);
    }
    assert_int_equal(shown, gantt->jobs);
    loom_gantt_destroy(gantt);
}

static void test_random(void **state)
{
    static const char *const policies[] = {"fcfs", "easy", "conservative"};
    static struct seconds seconds;
    struct loom_stream stream;
    (void)state;
    loom_stream_init(&stream, 3, 0, "over time");
    for (int round = 0; round < 60; round++) {
        int32_t procs = 1 + (int32_t)loom_stream_below(&stream, 20);
        struct loom_trace *trace =
            random_trace(&stream, 1 + loom_stream_below(&stream, MOST_JOBS), procs);
        struct loom_sim *sim = simulate(trace, policies[round % 3], procs, NULL);
        struct loom_sim_window whole = loom_sim_window(sim);
        tell_seconds(&seconds, sim);
        if (whole.to_s > whole.from_s) {
            int64_t third_s = (whole.to_s - whole.from_s) / 3;
            struct loom_sim_window middle = {whole.from_s + third_s, whole.to_s - third_s};
            check_rates(sim, &seconds, whole);
            check_rates(sim, &seconds, middle);
            check_gantt(sim, whole);
            check_gantt(sim, middle);
        }
        check_series(sim, &seconds);
        loom_sim_destroy(sim);
        loom_trace_destroy(trace);
    }
}

/* ---- charts ---------------------------------------------------------------------------------- */

static void test_gantt_refused(void **state)
{
    struct loom_trace *trace = empty_trace();
    struct loom_gantt *gantt = NULL;
    struct loom_error err = {0};
    (void)state;
    for (int64_t i = 0; i <= LOOM_GANTT_MOST; i++) {
        struct loom_job job = loom_job_unknown();
        job.number = i;
        job.submit_s = i * 10;
        job.run_s = 5;
        job.req_procs = 1;
        append(trace, job);
    }
    struct loom_sim *sim = simulate(trace, "easy", 2, NULL);
    assert_int_equal(loom_gantt_create(&gantt, sim, loom_sim_window(sim), &err), LOOM_ERANGE);
    assert_non_null(strstr(err.message, "2001 jobs"));
    assert_null(gantt);
    /* Between two jobs nothing runs; a window that ends with the first has it. */
    assert_int_equal(loom_gantt_create(&gantt, sim, (struct loom_sim_window){5, 10}, &err),
                     LOOM_EDATA);
    assert_int_equal(loom_gantt_create(&gantt, sim, (struct loom_sim_window){4, 10}, &err), 0);
    assert_int_equal(gantt->jobs, 1);
    assert_int_equal(gantt->bars[0].from_s, 4);
    loom_gantt_destroy(gantt);
    loom_sim_destroy(sim);
    loom_trace_destroy(trace);
}

/* On 4 processors under EASY: A runs, B waits for all of it, C ends before B's turn, D comes beside
 * nothing and waits for its turn behind B. */
static void test_start_log(void **state)
{
    static const struct given four[] = {{0, 10, 3}, {1, 5, 4}, {2, 5, 1}, {3, 9, 1}};
    static const enum loom_why whys[] = {LOOM_WHY_TURN, LOOM_WHY_TURN, LOOM_WHY_BEFORE,
                                         LOOM_WHY_TURN};
    struct loom_trace *trace = trace_of(four, COUNT(four));
    struct loom_start_log *log = NULL;
    (void)state;
    assert_int_equal(loom_start_log_create(&log, NULL), 0);
    struct loom_sim *sim = simulate(trace, "easy", 4, log);
    for (uint32_t i = 0; i < COUNT(four); i++)
        assert_int_equal(loom_start_log_why(log, i), whys[i]);
    loom_start_log_destroy(log);
    loom_sim_destroy(sim);
    loom_trace_destroy(trace);
}

/* ---- curves ---------------------------------------------------------------------------------- */

static void test_curves(void **state)
{
    struct loom_trace *trace = trace_of(five, COUNT(five));
    struct loom_sim *sim = simulate(trace, "fcfs", 4, NULL);
    struct loom_sim_curves curves;
    const double waits_s[] = {0, 0, 2, 4, 6};
    (void)state;
    assert_int_equal(loom_sim_curves(&curves, sim, NULL), 0);
    loom_sim_destroy(sim);
    assert_int_equal(curves.n, 5);
    for (size_t i = 0; i < 5; i++)
        assert_near(curves.wait_s[i], waits_s[i]);
    assert_near(curves.bounded_slowdown[4], 1);
    loom_trace_destroy(trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_window),
        cmocka_unit_test(test_ends_at_the_edges),
        cmocka_unit_test(test_no_time),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_gantt_refused),
        cmocka_unit_test(test_start_log),
        cmocka_unit_test(test_curves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

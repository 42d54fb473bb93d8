/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Loads are reached, whatever the model does with its arrivals. Bags over arrivals with a daily
 * cycle are the hard case: every rate has other jobs, and times may not simply be stretched.
 */
#include "modeling.h"
#include "models/arrivals/week.h"

#include <math.h>
#include <string.h>

enum { DAY_S = 86400 };

/* Three users hand in bags of up to eight jobs by day, and few by night. */
static struct loom_trace *bags_by_day(void)
{
    struct loom_trace *trace = empty_trace();
    struct loom_stream stream;
    loom_stream_init(&stream, 7, 0, "bags by day");
    double clock_s = 0;
    assert_int_equal(loom_trace_add_directive(trace, "MaxProcs", "64", NULL), 0);
    for (int bag = 0; bag < 900; bag++) {
        bool day = fmod(clock_s / 3600, 24) > 8 && fmod(clock_s / 3600, 24) < 20;
        struct loom_job job = loom_job_unknown();
        job.user = bag % 3;
        job.run_s = (int64_t)exp(3 + 6 * loom_stream_uniform(&stream));
        job.req_procs = 1 << loom_stream_below(&stream, 6);
        job.status = LOOM_STATUS_COMPLETED;
        for (uint64_t i = 0; i <= loom_stream_below(&stream, 8); i++) {
            job.submit_s = (int64_t)clock_s;
            append(trace, job);
            clock_s += (double)loom_stream_below(&stream, 60);
        }
        clock_s += (day ? 1200 : 9000) * -log1p(-loom_stream_uniform(&stream));
    }
    return trace;
}

static double by_day(const struct loom_trace *trace, int64_t phase_s)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    double n = 0;
    for (size_t i = 0; i < jobs->n; i++) {
        int64_t second = (jobs->submit_s[i] + phase_s) % DAY_S;
        n += second > 8 * 3600 && second < 20 * 3600;
    }
    return n / (double)jobs->n;
}

static void assert_reached(const struct loom_model *model, struct loom_generate_options options)
{
    struct loom_trace *trace = must_generate(model, &options);
    assert_near(load_of(trace), options.load, 0.0051 * options.load);
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    if (options.load > 0.9) /* days are there to their end */
        assert_true((double)jobs->submit_s[jobs->n - 1] >= 0.985 * DAY_S * options.days);
    loom_trace_destroy(trace);
}

/* Every seed and every load, by jobs and by days. */
static void any_load_of_bags_with_a_cycle(void **state)
{
    (void)state;
    static const char *const settings[] = {"arrivals=gamma-daily", NULL};
    static const double loads[] = {0.05, 0.5, 0.97};
    struct loom_trace *log = bags_by_day();
    struct loom_model *model = must_fit("minh2012", log, settings);
    for (uint64_t seed = 1; seed <= 25; seed++)
        for (size_t i = 0; i < COUNT(loads); i++) {
            assert_reached(model, (struct loom_generate_options){.seed = seed,
                                                                 .jobs = 700,
                                                                 .load = loads[i]});
            assert_reached(model, (struct loom_generate_options){.seed = seed,
                                                                 .days = 60,
                                                                 .load = loads[i]});
        }
    loom_model_destroy(model);
    loom_trace_destroy(log);
}

/* Half of what the shares of the hours of the day differ, in all. */
static double cycle_distance(const struct loom_trace *a, const struct loom_trace *b)
{
    const struct loom_jobs *const jobs[] = {loom_trace_jobs(a), loom_trace_jobs(b)};
    double hours[2][24] = {{0}}, sum = 0;
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < jobs[side]->n; i++)
            hours[side][jobs[side]->submit_s[i] % DAY_S / 3600] += 1 / (double)jobs[side]->n;
    for (int hour = 0; hour < 24; hour++)
        sum += fabs(hours[0][hour] - hours[1][hour]) / 2;
    return sum;
}

/* The daily cycle keeps its shape at less and at more load. Workloads of one load, of different
 * replications, differ by 0.026 to 0.037 in their hours, replications of usergraph by 0.017 to
 * 0.032. (Stretched on the clock by which its sessions start, and not on the clock of its jobs,
 * they would differ by 0.044 to 0.061.) */
static void cycle_stays(void **state)
{
    (void)state;
    static const struct {
        const char *name, *const params[2];
    } models[] = {{"minh2012", {"arrivals=gamma-daily"}}, {"minh2009", {"arrivals=gamma-daily"}},
                  {"uniform", {"arrivals=gamma-daily"}},  {"bootstrap", {"arrivals=gamma-daily"}},
                  {"downey97", {"arrivals=gamma-daily"}}, {"lublin2003", {NULL}},
                  {"usergraph", {"population=kept"}},     {"usergraph", {"population=drawn"}}};
    static const double factors[] = {0.6, 0.913, 1.5};
    struct loom_trace *log = bags_by_day();
    for (size_t k = 0; k < COUNT(models); k++) {
        struct loom_model *model = must_fit(models[k].name, log, models[k].params);
        struct loom_generate_options options = {.seed = 3, .jobs = 40000, .procs = 1024};
        struct loom_trace *plain = must_generate(model, &options);
        assert_true(by_day(plain, 0) > 0.6);
        for (size_t i = 0; i < COUNT(factors); i++) {
            options.load = fmin(0.99, load_of(plain) * factors[i]);
            struct loom_trace *other = must_generate(model, &options);
            assert_near(load_of(other), options.load, 0.0051 * options.load);
            if (cycle_distance(plain, other) > 0.04)
                fail_msg("%s at %g of its load: hours differ by %g", models[k].name, factors[i],
                         cycle_distance(plain, other));
            loom_trace_destroy(other);
        }
        loom_trace_destroy(plain);
        loom_model_destroy(model);
    }
    loom_trace_destroy(log);
}

/* A cycle that is left out does not come back with the load: half of all jobs come by day, give or
 * take four standard errors of as many independent times. */
static void no_cycle_comes_back(void **state)
{
    (void)state;
    enum { SEEDS = 10 };
    static const char *const settings[] = {"arrivals=gamma-daily", NULL};
    struct loom_trace *log = bags_by_day();
    struct loom_model *model = must_fit("minh2012", log, settings);
    double sum = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct loom_generate_options options = {.seed = seed,
                                                .jobs = 3000,
                                                .load = 0.3,
                                                .without = LOOM_CYCLE | LOOM_BURSTINESS};
        struct loom_trace *trace = must_generate(model, &options);
        sum += by_day(trace, 0);
        loom_trace_destroy(trace);
    }
    assert_near(sum / SEEDS, 0.5, 4 * 0.5 / sqrt(3000 * SEEDS));
    loom_model_destroy(model);
    loom_trace_destroy(log);
}

/* Stretched by the clock of the week, even times have the week's speeds, and back. */
static void weeks_are_invertible(void **state)
{
    (void)state;
    double speed[LOOM_WEEK_SLOTS];
    for (int i = 0; i < LOOM_WEEK_SLOTS; i++)
        speed[i] = 1 + i % 48 / 10.0 + (i > 200);
    struct loom_week week;
    loom_week_open(&week, speed, LOOM_WEEK_SLOTS);
    for (double t = -1e6; t < 3e6; t += 12345.678)
        assert_near(loom_week_local(&week, loom_week_working(&week, t)), t, 1e-6);
    loom_week_open(&week, NULL, LOOM_WEEK_SLOTS);
    assert_near(loom_week_working(&week, 1234567.5), 1234567.5, 1e-6);
}

/* Jobs of which a day has 19.6 at that load. Twenty are too many however far they are stretched,
 * and nineteen too few unless the twentieth comes late: then other jobs have the load. */
static void other_jobs_have_the_load(void **state)
{
    (void)state;
    static const char *const settings[] = {"min_run_s=4320", "max_run_s=4320", "min_procs=64",
                                           "max_procs=64"};
    struct loom_model *model = must_set(must_publish("uniform", NULL), settings, 4);
    for (uint64_t seed = 0; seed < 60; seed++)
        assert_reached(model, (struct loom_generate_options){
                                  .seed = seed, .days = 1, .procs = 128, .load = 0.49});
    loom_model_destroy(model);
}

/* A job an hour for four weeks: 20 at each hour of workdays and 8 at weekends, each one more so
 * that no hour stands still, over 5 days and 2. */
static void weeks_by_hand(void **state)
{
    (void)state;
    enum { HOURS = 4 * LOOM_WEEK_HOURS, PHASE_S = 5 * DAY_S };
    int64_t times_s[HOURS];
    struct loom_week week;
    for (int i = 0; i < HOURS; i++)
        times_s[i] = 3600 * i + 60;
    loom_week_of_times(&week, times_s, HOURS, PHASE_S);
    double workday = 21.0 / 5, weekend = 9.0 / 2, mean = (5 * workday + 2 * weekend) / 7;
    for (int hour = 0; hour < LOOM_WEEK_HOURS; hour++)
        assert_near(week.speed[hour], (hour < 5 * 24 ? workday : weekend) / mean, 1e-12);
}

/* A hundred jobs within a second are too dense, and not without load: they come apart. */
static void thins_out_what_is_too_dense(void **state)
{
    (void)state;
    static const char *const settings[] = {"arrivals.interarrival_s=0.001"};
    struct loom_model *model = must_set(must_publish("uniform", NULL), settings, 1);
    struct loom_generate_options options = {.seed = 1, .jobs = 100};
    struct loom_trace *dense = must_generate(model, &options);
    const struct loom_jobs *jobs = loom_trace_jobs(dense);
    assert_true(jobs->submit_s[99] == jobs->submit_s[0]);
    options.load = 0.5;
    struct loom_trace *thin = must_generate(model, &options);
    assert_near(load_of(thin), 0.5, 0.0025);
    loom_trace_destroy(thin);
    loom_trace_destroy(dense);
    loom_model_destroy(model);
}

/* Long jobs in bursts of seconds offer a load of ten thousands: in proportion, the next rate would
 * take centuries, and the model refuses it. The load is reached at a rate between them. */
static void bursts_do_not_take_centuries(void **state)
{
    (void)state;
    struct loom_trace *trace = empty_trace();
    assert_int_equal(loom_trace_add_directive(trace, "MaxProcs", "64", NULL), 0);
    for (int i = 0; i < 12000; i++) {
        struct loom_job job = loom_job_unknown();
        job.submit_s = i / 60 * 2 * DAY_S + i % 60 / 20;
        job.run_s = 1000000 + 600 * (i % 7);
        job.req_procs = job.alloc_procs = 1 << i % 6;
        job.user = 1;
        job.status = LOOM_STATUS_COMPLETED;
        append(trace, job);
    }
    static const char *const settings[] = {"arrivals=mmwm", NULL};
    struct loom_model *model = must_fit("uniform", trace, settings);
    for (uint64_t seed = 1; seed <= 5; seed++)
        assert_reached(model,
                       (struct loom_generate_options){.seed = seed, .jobs = 100, .load = 0.02});
    loom_model_destroy(model);
    loom_trace_destroy(trace);
}

/* One job is the whole work of a day: what cannot be is said. */
static void says_what_cannot_be(void **state)
{
    (void)state;
    static const char *const settings[] = {"min_run_s=100000", "max_run_s=100000", "min_procs=100",
                                           "max_procs=100"};
    struct loom_model *model = must_set(must_publish("uniform", NULL), settings, 4);
    struct loom_generate_options options = {.seed = 1, .days = 0.3, .load = 0.9};
    struct loom_trace *trace = NULL;
    struct loom_error err = {0};
    assert_int_equal(loom_model_generate(&trace, model, &options, NULL, &err), LOOM_EDATA);
    assert_non_null(strstr(err.message, "a load of 0.9 was not reached"));
    loom_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_load_of_bags_with_a_cycle), cmocka_unit_test(cycle_stays),
        cmocka_unit_test(no_cycle_comes_back),           cmocka_unit_test(weeks_are_invertible),
        cmocka_unit_test(other_jobs_have_the_load),      cmocka_unit_test(weeks_by_hand),
        cmocka_unit_test(thins_out_what_is_too_dense),   cmocka_unit_test(says_what_cannot_be),
        cmocka_unit_test(bursts_do_not_take_centuries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

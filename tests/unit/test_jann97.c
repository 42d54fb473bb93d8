/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Hyper-Erlang distributions by class of size: classes by hand, moments of the log against moments
 * of the fit, and the parameters found again in what the model makes.
 */
#include "modeling.h"
#include "models/room.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROCS = 100 };

/* n jobs of random shapes, of up to 20 processors. */
static struct loom_trace *any_log(size_t n)
{
    struct loom_trace *trace = empty_trace();
    struct loom_stream stream;
    loom_stream_init(&stream, 8, 0, "jann97 log");
    struct loom_job job = loom_job_unknown();
    for (size_t i = 0; i < n; i++) {
        job.number = (int64_t)i + 1;
        job.submit_s = (i ? job.submit_s : 0) + (int64_t)(exp(9 * loom_stream_uniform(&stream)));
        job.run_s = (int64_t)exp(10 * loom_stream_uniform(&stream));
        job.req_procs = 1 + (int32_t)floor(exp(3 * loom_stream_uniform(&stream)) - 1);
        append(trace, job);
    }
    assert_int_equal(loom_trace_add_directive(trace, "MaxProcs", "100", NULL), 0);
    return trace;
}

/* Sizes are up to 20. In 1, 2, 3-4, 5-8 and 9-16 there are hundreds of jobs each; 17-32 has about
 * 100 of them, and above there is none: the last class takes the rest of the machine. */
static void classes_by_powers_of_two(void **state)
{
    (void)state;
    static const int ends[][2] = {{1, 1}, {2, 2}, {3, 4}, {5, 8}, {9, 16}, {17, PROCS}};
    struct loom_trace *trace = any_log(2000);
    struct loom_model *model = must_fit("jann97", trace, NULL);
    for (size_t i = 0; i < COUNT(ends); i++) {
        char path[40];
        snprintf(path, sizeof path, "classes.%zu.from_procs", i);
        assert_int_equal((int)number_in(model, path), ends[i][0]);
        snprintf(path, sizeof path, "classes.%zu.to_procs", i);
        assert_int_equal((int)number_in(model, path), ends[i][1]);
    }
    loom_model_destroy(model);
    loom_trace_destroy(trace);
}

/* E[X^j] = n (n + 1) ... (n + j - 1) (w1 s1^j + w2 s2^j) for order n, weights w and scales s. */
static double moment(const struct loom_model *model, size_t class, const char *what, int power)
{
    char path[64];
    double value[5];
    static const char *const names[] = {"order", "weight1", "scale1", "weight2", "scale2"};
    for (size_t i = 0; i < 5; i++) {
        snprintf(path, sizeof path, "classes.%zu.%s.%s", class, what, names[i]);
        value[i] = number_in(model, path);
    }
    double product = value[1] * pow(value[2], power) + value[3] * pow(value[4], power);
    for (int j = 0; j < power; j++)
        product *= value[0] + j;
    return product;
}

static void moments_are_those_of_the_log(void **state)
{
    (void)state;
    struct loom_trace *trace = any_log(2000);
    struct loom_model *model = must_fit("jann97", trace, NULL);
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    for (int power = 1; power <= 3; power++) {
        double runs = 0, gaps = 0, n = 0, before = 0;
        for (size_t i = 0; i < jobs->n; i++) {
            if (jobs->req_procs[i] < 5 || jobs->req_procs[i] > 8)
                continue;
            runs += pow((double)jobs->run_s[i], power);
            gaps += n > 0 ? pow((double)jobs->submit_s[i] - before, power) : 0;
            before = (double)jobs->submit_s[i];
            n++;
        }
        assert_near(moment(model, 3, "run_s", power) / (runs / n), 1, 1e-9);
        assert_near(moment(model, 3, "interarrival_s", power) / (gaps / (n - 1)), 1, 1e-9);
    }
    loom_model_destroy(model);
    loom_trace_destroy(trace);
}

/* A mixture of two Erlangs of order 3, of scales 100 and 170 at even weights: E[X^2] / E[X]^2 is
 * 1.42, which no order below 3 has. The errors of its parameters by three moments, over 9,000 jobs
 * of a class, were found by drawing as many 400 times (tests/oracle/hypererlang_errors.py):
 * 0.089, 6.0 and 7.3. */
static void round_trip(void **state)
{
    (void)state;
    static const char *const changes[] = {
        "classes.1.run_s.order=3",
        "classes.1.run_s.weight1=0.5",
        "classes.1.run_s.scale1=100",
        "classes.1.run_s.weight2=0.5",
        "classes.1.run_s.scale2=170",
        "classes.1.interarrival_s.order=3",
        "classes.1.interarrival_s.weight1=0.5",
        "classes.1.interarrival_s.scale1=100",
        "classes.1.interarrival_s.weight2=0.5",
        "classes.1.interarrival_s.scale2=170",
    };
    static const char *const parts[] = {"run_s", "interarrival_s"};
    struct loom_trace *log = any_log(2000);
    struct loom_model *model = must_set(must_fit("jann97", log, NULL), changes, COUNT(changes));
    struct loom_generate_options options = {.seed = 6, .days = 405.0 * 9000 / 86400};
    struct loom_trace *trace = must_generate(model, &options);
    struct loom_model *again = must_fit("jann97", trace, NULL);
    for (size_t i = 0; i < COUNT(parts); i++) {
        static const struct {
            const char *name;
            double value, error;
        } wanted[] = {{"order", 3, 0},
                      {"weight1", 0.5, 0.089},
                      {"scale1", 100, 6.0},
                      {"scale2", 170, 7.3}};
        for (size_t k = 0; k < COUNT(wanted); k++) {
            char path[64];
            snprintf(path, sizeof path, "classes.1.%s.%s", parts[i], wanted[k].name);
            assert_near(number_in(again, path), wanted[k].value, 3 * wanted[k].error);
        }
    }
    loom_model_destroy(again);
    loom_trace_destroy(trace);
    loom_model_destroy(model);
    loom_trace_destroy(log);
}

/* Of sizes 9 to 16, the larger of two neighbours twice as frequent: size 16 - k has a share of
 * 2^-k / 2 / (1 - 2^-8), and the mean is 16 - (1 - 8 / 255). The mean is found again within three
 * standard errors, and a class of one size has that. */
static void sizes_by_their_mean(void **state)
{
    (void)state;
    static const char *const changes[] = {"classes.4.mean_procs=15.031372549019608",
                                          "classes.3.mean_procs=8"};
    struct loom_trace *log = any_log(2000);
    struct loom_model *model = must_set(must_fit("jann97", log, NULL), changes, COUNT(changes));
    struct loom_generate_options options = {.seed = 3, .jobs = 100000};
    struct loom_trace *trace = must_generate(model, &options);
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    double counts[17] = {0}, n = 0, chi2 = 0, variance = 0;
    for (size_t i = 0; i < jobs->n; i++) {
        assert_true(jobs->req_procs[i] < 5 || jobs->req_procs[i] >= 8);
        if (jobs->req_procs[i] >= 9 && jobs->req_procs[i] <= 16)
            counts[jobs->req_procs[i]]++, n++;
    }
    for (int k = 0; k < 8; k++) {
        double p = exp2(-k - 1) / (1 - exp2(-8));
        chi2 += (counts[16 - k] - n * p) * (counts[16 - k] - n * p) / (n * p);
        variance += p * pow(16 - k - 15.031372549019608, 2);
    }
    assert_true(n > 5000);
    assert_true(chi2 < 24.3); /* 7 degrees of freedom: exceeded by 1 in 1000 */
    struct loom_model *again = must_fit("jann97", trace, NULL);
    assert_near(number_in(again, "classes.4.mean_procs"), 15.031372549, 3 * sqrt(variance / n));
    assert_near(number_in(again, "classes.3.mean_procs"), 8, 0);
    loom_model_destroy(again);
    loom_trace_destroy(trace);
    loom_model_destroy(model);
    loom_trace_destroy(log);
}

/* As many of each size, by chi-square, whatever the log has. */
static void sizes_can_be_alike(void **state)
{
    (void)state;
    static const char *const settings[] = {"sizes=uniform", NULL};
    struct loom_trace *log = any_log(2000);
    struct loom_model *model = must_fit("jann97", log, settings);
    assert_near(number_in(model, "classes.4.mean_procs"), 12.5, 0);
    struct loom_generate_options options = {.seed = 3, .jobs = 100000};
    struct loom_trace *trace = must_generate(model, &options);
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    double counts[8] = {0}, n = 0, chi2 = 0;
    for (size_t i = 0; i < jobs->n; i++)
        if (jobs->req_procs[i] >= 9 && jobs->req_procs[i] <= 16)
            counts[jobs->req_procs[i] - 9]++, n++;
    for (int k = 0; k < 8; k++)
        chi2 += pow(counts[k] - n / 8, 2) / (n / 8);
    assert_true(chi2 < 24.3);
    loom_trace_destroy(trace);
    loom_model_destroy(model);
    loom_trace_destroy(log);
}

/* The jobs of two processors on the first day, over 1,000 workloads, are as many as the mean time
 * between them says, within 3 standard errors. From a renewal at time 0 there would be about (v -
 * 1) / 2 more, v being the squared coefficient of variation: many more of the bursty gaps (v =
 * 13.5), and half a job fewer of the even ones (v = 0.05). Without burstiness they are a Poisson
 * process, from the first. */
static void begins_as_it_goes_on(void **state)
{
    (void)state;
    enum { RUNS = 1000 };
    static const struct {
        const char *changes[5];
        double mean_s;
    } cases[] = {
        {{"classes.1.interarrival_s.order=2", "classes.1.interarrival_s.weight1=0.9",
          "classes.1.interarrival_s.scale1=60", "classes.1.interarrival_s.weight2=0.1",
          "classes.1.interarrival_s.scale2=30000"},
         2 * (0.9 * 60 + 0.1 * 30000)},
        {{"classes.1.interarrival_s.order=40", "classes.1.interarrival_s.weight1=0.5",
          "classes.1.interarrival_s.scale1=500", "classes.1.interarrival_s.weight2=0.5",
          "classes.1.interarrival_s.scale2=700"},
         40 * 600},
    };
    struct loom_trace *log = any_log(2000);
    for (size_t i = 0; i < 2 * COUNT(cases); i++) {
        size_t k = i / 2;
        unsigned without = i % 2 ? LOOM_BURSTINESS : 0;
        struct loom_model *model = must_set(must_fit("jann97", log, NULL), cases[k].changes, 5);
        double sum = 0, squares = 0;
        for (uint64_t run = 0; run < RUNS; run++) {
            struct loom_generate_options options = {.seed = 4,
                                                    .replication = run,
                                                    .days = 1,
                                                    .without = without};
            struct loom_trace *trace = must_generate(model, &options);
            const struct loom_jobs *jobs = loom_trace_jobs(trace);
            double n = 0;
            for (size_t job = 0; job < jobs->n; job++)
                n += jobs->req_procs[job] == 2;
            sum += n;
            squares += n * n;
            loom_trace_destroy(trace);
        }
        double mean = sum / RUNS, error = sqrt((squares / RUNS - mean * mean) / RUNS);
        assert_near(mean, 86400 / cases[k].mean_s, 3 * error);
        loom_model_destroy(model);
    }
    loom_trace_destroy(log);
}

/* Serial jobs of a minute, and nine in ten; the others have 64 processors and three hours. Without
 * correlation runtimes are any job's: they come at the same times in the same sizes, and have the
 * same mean, of which 20,000 jobs show 2 %. */
static void any_run_time_without_correlation(void **state)
{
    (void)state;
    enum { JOBS = 20000 };
    struct loom_trace *log = empty_trace();
    for (int i = 0; i < 1000; i++) {
        struct loom_job job = loom_job_unknown();
        bool large = i % 10 == 0;
        job.submit_s = 600 * i + i % 7;
        job.run_s = (large ? 10800 : 60) + i % 50;
        job.req_procs = large ? 64 : 1;
        append(log, job);
    }
    struct loom_model *model = must_fit("jann97", log, NULL);
    struct loom_generate_options options = {.seed = 2, .jobs = JOBS};
    struct loom_trace *with = must_generate(model, &options);
    options.without = LOOM_CORRELATION;
    struct loom_trace *without = must_generate(model, &options);
    double mean_s = 0, serial_s = 0, serial = 0;
    for (size_t i = 0; i < JOBS; i++) {
        struct loom_job a = loom_trace_job(with, i), b = loom_trace_job(without, i);
        assert_int_equal(a.submit_s, b.submit_s);
        assert_int_equal(a.req_procs, b.req_procs);
        mean_s += (double)b.run_s / JOBS;
        serial_s += b.req_procs == 1 ? (double)b.run_s : 0;
        serial += b.req_procs == 1;
    }
    assert_near(mean_s, 0.9 * 84.5 + 0.1 * 10820, 4 * 0.02 * 1160);
    assert_near(serial_s / serial, 0.9 * 84.5 + 0.1 * 10820, 4 * 0.02 * 1160);
    loom_trace_destroy(with);
    loom_trace_destroy(without);
    loom_model_destroy(model);
    loom_trace_destroy(log);
}

static int64_t *times_at(const struct loom_model *model, double rate, size_t n)
{
    struct loom_generation generation = {.seed = 5,
                                         .jobs = n,
                                         .horizon_s = INT64_MAX,
                                         .procs = PROCS,
                                         .log_procs = PROCS,
                                         .rate = rate};
    assert_int_equal(model->ops->generate(model->state, &generation, NULL), 0);
    assert_int_equal(generation.draft.n, n);
    int64_t *times_s = calloc(n, sizeof *times_s);
    assert_non_null(times_s);
    memcpy(times_s, generation.draft.submit_s, n * sizeof *times_s);
    loom_draft_free(&generation.draft);
    return times_s;
}

/* Twice as often, the same jobs come in half the time, but for what seconds are rounded to. */
static void rate_is_time(void **state)
{
    (void)state;
    enum { JOBS = 1000 };
    struct loom_trace *log = any_log(2000);
    struct loom_model *model = must_fit("jann97", log, NULL);
    int64_t *once_s = times_at(model, 1, JOBS), *twice_s = times_at(model, 2, JOBS);
    for (size_t i = 0; i < JOBS; i++)
        assert_in_range(once_s[i] - 2 * twice_s[i] + 1, 0, 2);
    assert_true(once_s[0] > 0);
    free(once_s);
    free(twice_s);
    loom_model_destroy(model);
    loom_trace_destroy(log);
}

/* Times that hardly differ have the narrowest Erlang distribution there is. */
static void times_alike_are_narrow(void **state)
{
    (void)state;
    struct loom_trace *log = empty_trace();
    for (int i = 0; i < 100; i++) {
        struct loom_job job = loom_job_unknown();
        job.submit_s = 600 * i;
        job.run_s = 100000 + i % 3;
        job.req_procs = 1;
        append(log, job);
    }
    struct loom_model *model = must_fit("jann97", log, NULL);
    assert_near(number_in(model, "classes.0.run_s.order"), 1000, 0);
    assert_near(number_in(model, "classes.0.run_s.scale1"), 100.00099, 1e-6);
    assert_near(number_in(model, "classes.0.interarrival_s.order"), 1000, 0);
    assert_near(number_in(model, "classes.0.interarrival_s.scale1"), 0.6, 1e-9);
    loom_model_destroy(model);
    loom_trace_destroy(log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_by_powers_of_two),
        cmocka_unit_test(moments_are_those_of_the_log),
        cmocka_unit_test(round_trip),
        cmocka_unit_test(sizes_by_their_mean),
        cmocka_unit_test(sizes_can_be_alike),
        cmocka_unit_test(begins_as_it_goes_on),
        cmocka_unit_test(any_run_time_without_correlation),
        cmocka_unit_test(rate_is_time),
        cmocka_unit_test(times_alike_are_narrow),
    };
    return cmocka_run_group_tests_name("jann97", tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Synthetic applications: how many phases and how long, by hand; the cost of barriers against its
 * expectation; and profiles that add up to the runtime and come back as the jobs they were.
 */
#include "support.h"
#include "trace/application.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

static const struct loom_application plain = {
    .phase_s = 60, .kinds = 4, .variability = 0.3, .flops = 1e9, .seed = 1};

static double length_of(const struct loom_loop *loop)
{
    double sum = 0;
    for (size_t i = 0; i < loop->n; i++)
        sum += loop->phases[i].work_s + loop->phases[i].wait_s;
    return (double)loop->repeat * sum;
}

/* A barrier a minute: 3,600 s have 60, which are 15 rounds of 4 phases; 100 s have 2; 20 s and
 * nothing at all have 1. */
static void phases_by_hand(void **state)
{
    (void)state;
    static const struct {
        int64_t run_s, repeat;
        size_t n;
    } rows[] = {{3600, 15, 4}, {100, 1, 2}, {20, 1, 1}, {0, 1, 1}, {86400, 360, 4}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct loom_loop loop;
        loom_application_loop(&loop, &plain, rows[i].run_s, 16);
        assert_int_equal(loop.repeat, rows[i].repeat);
        assert_int_equal(loop.n, rows[i].n);
        double run_s = fmax((double)rows[i].run_s, 1e-3);
        assert_true(fabs(length_of(&loop) / run_s - 1) < 1e-12);
    }
}

/* With one kind of phase, `repeat` is the runtime over the job's own mean time between barriers: of
 * gamma variates with a CV of 0.5 (shape 4), E 1/x is 4/3 over the mean, and runtimes still add up.
 */
static void jobs_have_parameters_of_their_own(void **state)
{
    (void)state;
    enum { JOBS = 4000 };
    struct loom_application varied = plain;
    double sum = 0, squares = 0;
    varied.kinds = 1;
    varied.phase_cv = 0.5;
    for (int i = 0; i < JOBS; i++) {
        struct loom_loop loop;
        int64_t run_s = 600000 + i;
        loom_application_loop(&loop, &varied, run_s, 2);
        double phases = (double)loop.repeat * varied.phase_s / (double)run_s;
        sum += phases / JOBS;
        squares += phases * phases / JOBS;
        assert_true(fabs(length_of(&loop) / (double)run_s - 1) < 1e-9);
    }
    assert_true(fabs(sum - 4.0 / 3) < 0.06); /* E 1/x^2 is 16/6: the standard error is 0.015 */
    assert_true(squares - sum * sum > 0.5);
}

/* Without variability nobody waits. One processor waits for nobody. Two, of exponential units, wait
 * for the larger: E max / E mean = 1.5, so that a third of the time is waiting. */
static void waiting_for_the_slowest(void **state)
{
    (void)state;
    struct loom_application even = plain, wild = plain;
    struct loom_loop loop;
    even.variability = 0;
    loom_application_loop(&loop, &even, 3600, 1000);
    for (size_t i = 0; i < loop.n; i++)
        assert_true(fabs(loop.phases[i].work_s - 60) < 1e-9 && loop.phases[i].wait_s == 0);
    loom_application_loop(&loop, &plain, 3600, 1);
    for (size_t i = 0; i < loop.n; i++)
        assert_true(loop.phases[i].wait_s == 0);
    wild.variability = 1;
    wild.kinds = LOOM_APPLICATION_KINDS;
    double wait_s = 0, all_s = 0;
    for (int64_t run_s = 60 * 64; run_s < 60 * 64 + 400; run_s++) {
        loom_application_loop(&loop, &wild, run_s, 2);
        for (size_t i = 0; i < loop.n; i++) {
            wait_s += loop.phases[i].wait_s;
            all_s += loop.phases[i].work_s + loop.phases[i].wait_s;
        }
    }
    assert_true(fabs(wait_s / all_s - 1.0 / 3) < 0.01);
}

/* Work of n units with a CV of 1 has a CV of 1 / sqrt(n): four units of two processors are two
 * gamma variates of shape 4, whose E max / E mean is 1 + C(8, 4) / 2^8 = 1.2734; over 2 units of CV
 * 1 it is 1 + C(4, 2) / 2^4 = 1.375. */
static void units_even_out(void **state)
{
    static const struct {
        double units, most;
    } rows[] = {{1, 1.5}, {2, 1.375}, {4, 1 + 70.0 / 256}};
    (void)state;
    for (size_t r = 0; r < COUNT(rows); r++) {
        struct loom_application wild = plain;
        double wait_s = 0, work_s = 0;
        wild.variability = 1;
        wild.units = rows[r].units;
        wild.kinds = LOOM_APPLICATION_KINDS;
        for (int64_t run_s = 60 * 64; run_s < 60 * 64 + 400; run_s++) {
            struct loom_loop loop;
            loom_application_loop(&loop, &wild, run_s, 2);
            for (size_t i = 0; i < loop.n; i++) {
                wait_s += loop.phases[i].wait_s;
                work_s += loop.phases[i].work_s;
            }
        }
        assert_true(fabs(1 + wait_s / work_s - rows[r].most) < 0.02);
    }
}

/* How long a profile takes on processors of that speed; -1 if there is none of that name. */
static double profile_s(const json_t *profiles, const char *name, double flops)
{
    const json_t *profile = json_object_get(profiles, name);
    if (json_object_get(profile, "delay"))
        return json_number_value(json_object_get(profile, "delay"));
    if (json_object_get(profile, "cpu"))
        return json_number_value(json_object_get(profile, "cpu")) / flops;
    double sum = profile ? 0 : -1;
    const json_t *parts = json_object_get(profile, "seq");
    for (size_t i = 0; i < json_array_size(parts); i++)
        sum += profile_s(profiles, json_string_value(json_array_get(parts, i)), flops);
    return sum * (double)json_integer_value(json_object_get(profile, "repeat"));
}

static void profiles_add_up(void **state)
{
    (void)state;
    struct scratch scratch;
    assert_int_equal(scratch_open(&scratch, "w.json"), 0);
    struct loom_trace *trace = empty_trace();
    for (int i = 0; i < 200; i++) {
        struct loom_job job = loom_job_unknown();
        job.number = i + 1;
        job.submit_s = 10 * i;
        job.run_s = i % 7 * i;
        job.req_procs = 1 + i % 20;
        job.user = i % 3;
        append(trace, job);
    }
    assert_int_equal(loom_trace_add_directive(trace, "MaxProcs", "64", NULL), 0);
    struct loom_write_options options = {.application = &plain};
    assert_int_equal(loom_trace_write(trace, scratch.file, &options, NULL), 0);
    struct loom_trace *again = must_read(scratch.file, NULL);
    assert_same_jobs(again, trace);
    json_t *document = json_load_file(scratch.file, 0, NULL);
    json_t *jobs = json_object_get(document, "jobs");
    for (size_t i = 0; i < 200; i++) {
        const json_t *job = json_array_get(jobs, i);
        double took_s = profile_s(json_object_get(document, "profiles"),
                                  json_string_value(json_object_get(job, "profile")), 1e9);
        double run_s = fmax((double)loom_trace_jobs(trace)->run_s[i], 1e-3);
        assert_true(fabs(took_s / run_s - 1) < 1e-9);
    }
    json_decref(document);
    loom_trace_destroy(again);

    struct loom_error err = {0};
    options.format = "swf";
    assert_int_equal(loom_trace_write(trace, scratch.file, &options, &err), LOOM_EUSAGE);
    loom_trace_destroy(trace);
    assert_int_equal(scratch_close(&scratch), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(phases_by_hand),
        cmocka_unit_test(jobs_have_parameters_of_their_own),
        cmocka_unit_test(waiting_for_the_slowest),
        cmocka_unit_test(units_even_out),
        cmocka_unit_test(profiles_add_up),
    };
    return cmocka_run_group_tests_name("application", tests, NULL, NULL);
}

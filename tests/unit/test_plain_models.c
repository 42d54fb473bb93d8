/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The models that nothing has to be fitted for but ends and means: all values between the ends,
 * jobs of the log and no others, and Poisson arrivals.
 */
#include "modeling.h"

#include <math.h>

enum { LOG_JOBS = 12, DRAWN = 4000 };

/* Jobs that differ in everything. Runtimes are 7 to 18 s, and sizes 3 to 14. */
static struct loom_job log_job(int i)
{
    struct loom_job job = loom_job_unknown();
    int mixed = i * 7 % LOG_JOBS;
    job.number = i + 1;
    job.submit_s = 1000 * i + 10 * (i % 3);
    job.run_s = 7 + mixed;
    job.req_procs = 3 + i;
    job.request_s = 100 + mixed;
    job.user = 20 + i;
    job.group = 40 + mixed;
    job.executable = 60 + i;
    job.queue = 80 + mixed;
    return job;
}

static struct loom_trace *plain_log(void)
{
    struct loom_trace *trace = empty_trace();
    for (int i = 0; i < LOG_JOBS; i++)
        append(trace, log_job(i));
    assert_int_equal(loom_trace_add_directive(trace, "MaxProcs", "16", NULL), 0);
    return trace;
}

static struct loom_trace *generated(const char *name)
{
    struct loom_generate_options options = {.seed = 3, .jobs = DRAWN};
    struct loom_trace *log = plain_log();
    struct loom_model *model = must_fit(name, log, NULL);
    struct loom_trace *trace = must_generate(model, &options);
    assert_int_equal(loom_trace_count(trace), DRAWN);
    loom_model_destroy(model);
    loom_trace_destroy(log);
    return trace;
}

/* Each of twelve values comes 333 times in 4000, give or take 17.5; and with all 144 pairs of
 * values 28 times, chi-square is 143 give or take 17 where they are independent. */
static void uniform_has_all_values_alike(void **state)
{
    (void)state;
    struct loom_trace *trace = generated("uniform");
    double counts[LOG_JOBS][LOG_JOBS] = {{0}}, chi2 = 0;
    for (size_t i = 0; i < DRAWN; i++) {
        struct loom_job job = loom_trace_job(trace, i);
        assert_in_range(job.run_s, 7, 6 + LOG_JOBS);
        assert_in_range(job.req_procs, 3, 2 + LOG_JOBS);
        counts[job.run_s - 7][job.req_procs - 3]++;
    }
    for (int run = 0; run < LOG_JOBS; run++) {
        double runs = 0, sizes = 0;
        for (int size = 0; size < LOG_JOBS; size++) {
            double expected = (double)DRAWN / (LOG_JOBS * LOG_JOBS);
            runs += counts[run][size];
            sizes += counts[size][run];
            chi2 += pow(counts[run][size] - expected, 2) / expected;
        }
        assert_near(runs, (double)DRAWN / LOG_JOBS, 4 * 17.5);
        assert_near(sizes, (double)DRAWN / LOG_JOBS, 4 * 17.5);
    }
    assert_near(chi2, LOG_JOBS * LOG_JOBS - 1, 4 * 17);
    loom_trace_destroy(trace);
}

/* Every job comes whole, and each as often. */
static void bootstrap_has_jobs_of_the_log(void **state)
{
    (void)state;
    struct loom_trace *trace = generated("bootstrap");
    double counts[LOG_JOBS] = {0};
    for (size_t i = 0; i < DRAWN; i++) {
        struct loom_job job = loom_trace_job(trace, i);
        assert_in_range(job.req_procs, 3, 2 + LOG_JOBS);
        struct loom_job like = log_job(job.req_procs - 3);
        assert_int_equal(job.run_s, like.run_s);
        assert_int_equal(job.request_s, like.request_s);
        assert_int_equal(job.user, like.user);
        assert_int_equal(job.group, like.group);
        assert_int_equal(job.executable, like.executable);
        assert_int_equal(job.queue, like.queue);
        counts[job.req_procs - 3]++;
    }
    for (int i = 0; i < LOG_JOBS; i++)
        assert_near(counts[i], (double)DRAWN / LOG_JOBS, 4 * 17.5);
    loom_trace_destroy(trace);
}

/* Twelve jobs have eleven times between them. Of jobs two seconds apart on average, half as many
 * come in each second, and the first job in the first: over 2000 workloads 1.5 jobs, of a variance
 * of a half. */
static void poisson_has_the_mean_of_the_log(void **state)
{
    (void)state;
    enum { RUNS = 2000, JOBS = 50 };
    static const char *const changes[] = {"arrivals.interarrival_s=2"};
    struct loom_trace *log = plain_log();
    struct loom_model *model = must_fit("uniform", log, NULL);
    assert_near(number_in(model, "arrivals.interarrival_s"), 11020.0 / 11, 1e-9);
    model = must_set(model, changes, 1);
    double span_s = 0, first_second = 0;
    for (uint64_t run = 0; run < RUNS; run++) {
        struct loom_generate_options options = {.seed = 3, .replication = run, .jobs = JOBS};
        struct loom_trace *trace = must_generate(model, &options);
        span_s += (double)loom_trace_job(trace, JOBS - 1).submit_s + 0.5;
        for (size_t i = 0; i < JOBS; i++)
            first_second += loom_trace_job(trace, i).submit_s == 0;
        loom_trace_destroy(trace);
    }
    assert_near(first_second / RUNS, 1.5, 4 * sqrt(0.5 / RUNS));
    assert_near(span_s / RUNS, 2 * (JOBS - 1), 4 * 2 * sqrt((double)(JOBS - 1) / RUNS));
    loom_model_destroy(model);
    loom_trace_destroy(log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uniform_has_all_values_alike),
        cmocka_unit_test(bootstrap_has_jobs_of_the_log),
        cmocka_unit_test(poisson_has_the_mean_of_the_log),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The model of 1996: its sizes and runtimes against the formulas, its repeated runs, and its
 * parameters found again in what it makes.
 */
#include "modeling.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <workloom/stats.h>

enum { JOBS = 60000 };

static const struct loom_generate_options many = {.seed = 4, .jobs = JOBS};

/* Every size comes as often as its weight says: with serial share s and share p of powers of two,
 * size n > 1 has (1 - s) p n^-1.5 over the sum of that over powers, and so on. The runs of a job
 * are not independent, so that only the jobs that are run first (each executable once) count. */
static void sizes_by_weight(void **state)
{
    (void)state;
    struct loom_model *model = must_publish("feitelson96", NULL);
    struct loom_trace *trace = must_generate(model, &many);
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    enum { PROCS = 128 };
    double counts[PROCS + 1] = {0}, sums[2] = {0}, n = 0;
    char *seen = calloc(JOBS + 1, 1);
    for (size_t i = 0; i < jobs->n; i++) {
        if (seen[jobs->executable[i]]++)
            continue;
        counts[jobs->req_procs[i]]++;
        n++;
    }
    for (int k = 2; k <= PROCS; k++)
        sums[(k & (k - 1)) == 0] += pow(k, -1.5);
    double chi2 = 0;
    for (int k = 1; k <= PROCS; k++) {
        int power = (k & (k - 1)) == 0;
        double p = k == 1 ? 0.244 : 0.756 * (power ? 0.75 : 0.25) * pow(k, -1.5) / sums[power];
        chi2 += (counts[k] - n * p) * (counts[k] - n * p) / (n * p);
    }
    assert_true(n > 20000);
    assert_true(chi2 < 182); /* 127 degrees of freedom: exceeded by 1 in 1000 */
    free(seen);
    loom_trace_destroy(trace);
    loom_model_destroy(model);
}

/* A run follows when the one before ends, in the same size and runtime. */
static void runs_follow_each_other(void **state)
{
    (void)state;
    struct loom_model *model = must_publish("feitelson96", NULL);
    struct loom_trace *trace = must_generate(model, &many);
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    size_t *last = calloc(JOBS + 1, sizeof *last), repeated = 0;
    for (size_t i = 0; i < jobs->n; i++) {
        size_t *before = &last[jobs->executable[i]];
        if (*before) {
            size_t k = *before - 1;
            assert_int_equal(jobs->submit_s[i], jobs->submit_s[k] + jobs->run_s[k]);
            assert_int_equal(jobs->run_s[i], jobs->run_s[k]);
            assert_int_equal(jobs->req_procs[i], jobs->req_procs[k]);
            repeated++;
        }
        *before = i + 1;
    }
    /* zeta(1.5) / zeta(2.5) = 1.9474 runs a job, of infinite variance: about half are repetitions.
     */
    assert_in_range(repeated, JOBS * 40 / 100, JOBS * 55 / 100);
    free(last);
    loom_trace_destroy(trace);
    loom_model_destroy(model);
}

/* With an exponent of 1.2 a job has any number of runs, far more than are asked for. However many
 * of them are dropped on the way, a workload begins as a longer one does. */
static void endless_runs_end(void **state)
{
    (void)state;
    static const char *const changes[] = {"runs.alpha=1.2"};
    struct loom_model *model = must_set(must_publish("feitelson96", NULL), changes, COUNT(changes));
    struct loom_generate_options options = {.seed = 6, .jobs = 4000};
    struct loom_trace *longer = must_generate(model, &options);
    options.jobs = 500;
    struct loom_trace *trace = must_generate(model, &options);
    assert_int_equal(loom_trace_count(longer), 4000);
    assert_int_equal(loom_trace_count(trace), 500);
    for (size_t i = 0; i < 500; i++)
        assert_row(longer, i, loom_trace_job(trace, i));
    loom_trace_destroy(trace);
    loom_trace_destroy(longer);
    loom_model_destroy(model);
}

/* ---- runs of a log --------------------------------------------------------------------------- */

/* Ten days, of users who come in the opposite order of their numbers. */
static struct loom_trace *log_of_runs(const char *max_procs)
{
    static const struct {
        int64_t submit_s, wait_s, run_s;
        int32_t procs;
        bool named;
    } day[] = {
        {0, 300, 100, 2, true},   {1600, 0, 100, 2, true}, /* 20 minutes after the end: again */
        {2901, -1, 100, 2, true},                          /* a second later than that */
        {3001, 0, 100, 3, true},                           /* of another size */
        {4000, 0, 500, 6, true},  {4400, 0, 500, 6, true}, /* before the end of the one before */
        {5000, 0, 10, 5, false},  {5020, 0, 10, 5, false}, /* nobody knows whose */
    };
    struct loom_trace *trace = empty_trace();
    for (int i = 0; i < 10; i++)
        for (size_t k = 0; k < COUNT(day); k++) {
            struct loom_job job = loom_job_unknown();
            job.submit_s = 86400 * i + day[k].submit_s;
            job.wait_s = day[k].wait_s;
            job.run_s = day[k].run_s;
            job.req_procs = day[k].procs;
            job.user = day[k].named ? 100 - i : -1;
            append(trace, job);
        }
    assert_int_equal(loom_trace_add_directive(trace, "MaxProcs", max_procs, NULL), 0);
    return trace;
}

/* Seven first runs of eight jobs a day; their first and last are 9 days and 5020 s apart. */
static void runs_by_hand(void **state)
{
    (void)state;
    struct loom_trace *log = log_of_runs("8");
    struct loom_model *model = must_fit("feitelson96", log, NULL);
    double log_s, model_s, first_s = (9 * 86400 + 5020) / 69.0;
    assert_near(number_in(model, "arrivals.interarrival_s"), first_s, 1e-6);
    loom_model_interarrival(model, &log_s, &model_s);
    assert_near(model_s, first_s * 7 / 8, 1e-6);
    loom_model_destroy(model);
    loom_trace_destroy(log);
}

/* Each size is weighed, which takes too long on a vast machine: that is said at once. */
static void vast_machines_are_refused(void **state)
{
    (void)state;
    static const char *const vast[] = {"16777217", "100000000", "2000000000"};
    for (size_t i = 0; i < COUNT(vast); i++) {
        struct loom_trace *log = log_of_runs(vast[i]);
        struct loom_model *model = NULL;
        struct loom_error err = {0};
        assert_int_equal(loom_model_fit(&model, "feitelson96", log, NULL, NULL, &err), LOOM_EDATA);
        assert_non_null(strstr(err.message, vast[i]));
        assert_non_null(strstr(err.message, "it takes at most 16777216"));
        loom_trace_destroy(log);
    }
}

/* ---- parameters ------------------------------------------------------------------------------ */

struct parameter {
    const char *path;
    double value, error;
};

/* The parameters are found again within three standard errors. The model is destroyed. */
static void assert_found_again(struct loom_model *model, const char *const *settings,
                               const struct parameter *wanted, size_t n)
{
    struct loom_trace *trace = must_generate(model, &many);
    struct loom_model *again = must_fit("feitelson96", trace, settings);
    for (size_t i = 0; i < n; i++) {
        assert_near(number_in(model, wanted[i].path), wanted[i].value, 1e-9);
        assert_near(number_in(again, wanted[i].path), wanted[i].value, 3 * wanted[i].error);
    }
    loom_model_destroy(again);
    loom_trace_destroy(trace);
    loom_model_destroy(model);
}

/* Standard errors over about 31,000 first runs; for the means of two mixed exponentials and the
 * line they are about half as large again as if the stage of each job were known. */
static void round_trip_by_likelihood(void **state)
{
    (void)state;
    static const char *const settings[] = {"fit=likelihood", NULL};
    static const struct parameter wanted[] = {
        {"arrivals.interarrival_s", 900, 900 / 176.0},
        {"serial_share", 0.244, 0.0024},
        {"power_of_two_share", 0.75, 0.0028},
        {"size_order", 1.5, 0.0105},
        {"short_mean_s", 600, 8},
        {"long_mean_s", 4200, 140},
        {"short_share_of_small_jobs", 0.95, 0.006},
        {"short_share_of_large_jobs", 0.75, 0.02},
        {"runs.alpha", 2.5, 0.015},
    };
    assert_found_again(must_publish("feitelson96", NULL), settings, wanted, COUNT(wanted));
}

/* By means, numbers of runs count with their variance, which the published exponent does not have:
 * 3.5 has 0.901. Jobs are then 60,000 in 50,395 bundles of alike ones, worth E[R] / E[R^2] = 1 in
 * 1.947 each, for runs R: about 31,000 again. The variance of sizes given their kind is 196, and
 * their mean falls by 7.2 a unit of the order; the mean of runs falls by 0.224 a unit of the
 * exponent. */
static void round_trip_by_means(void **state)
{
    (void)state;
    static const char *const changes[] = {"runs.alpha=3.5"};
    static const struct parameter wanted[] = {
        {"arrivals.interarrival_s", 900, 4.0},
        {"serial_share", 0.244, 0.0024},
        {"power_of_two_share", 0.75, 0.0028},
        {"size_order", 1.5, 0.0109},
        {"short_mean_s", 600, 8},
        {"long_mean_s", 4200, 140},
        {"short_share_of_small_jobs", 0.95, 0.006},
        {"short_share_of_large_jobs", 0.75, 0.02},
        {"runs.alpha", 3.5, 0.0189},
    };
    struct loom_model *model = must_publish("feitelson96", NULL);
    assert_found_again(must_set(model, changes, COUNT(changes)), NULL, wanted, COUNT(wanted));
}

/* A log that the model is nothing like: jobs of 24 processors that are run once, for about an hour,
 * and jobs of 4 that are run up to 19 times, for a minute. Returns the sums over jobs. */
static struct loom_trace *odd_log(double *procs, double *run_s)
{
    struct loom_trace *trace = empty_trace();
    struct loom_stream stream;
    loom_stream_init(&stream, 5, 0, "odd log");
    *procs = *run_s = 0;
    for (int i = 0; i < 2000; i++) {
        struct loom_job job = loom_job_unknown();
        bool large = loom_stream_below(&stream, 2) == 0;
        job.user = i;
        job.submit_s = 7200 * i;
        job.wait_s = 0;
        job.req_procs = large ? 24 : 4;
        uint64_t runs = large ? 1 : 1 + loom_stream_below(&stream, 19);
        for (uint64_t k = 0; k < runs; k++) {
            job.run_s = (large ? 3000 : 40) + (int64_t)loom_stream_below(&stream, 40);
            append(trace, job);
            *procs += job.req_procs;
            *run_s += (double)job.run_s;
            job.submit_s += job.run_s + 5;
        }
    }
    assert_int_equal(loom_trace_add_directive(trace, "MaxProcs", "64", NULL), 0);
    return trace;
}

/* Jobs still come as often, and are as large and about as long. (Run once each: runs of 5 or 6 on
 * average have too long a tail for this.) By likelihood they come far more or less often. */
static void means_are_those_of_the_log(void **state)
{
    (void)state;
    double procs, run_s, log_s, model_s, generated_procs = 0, generated_run_s = 0;
    struct loom_trace *log = odd_log(&procs, &run_s);
    struct loom_model *model = must_fit("feitelson96", log, NULL);
    loom_model_interarrival(model, &log_s, &model_s);
    assert_near(model_s / log_s, 1, 0.002);
    struct loom_generate_options options = {.seed = 2, .jobs = 200000, .without = LOOM_LOCALITY};
    struct loom_trace *trace = must_generate(model, &options);
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    for (size_t i = 0; i < jobs->n; i++) {
        generated_procs += jobs->req_procs[i];
        generated_run_s += (double)jobs->run_s[i];
    }
    double n = (double)jobs->n, n_log = (double)loom_trace_count(log);
    assert_near(generated_procs / n, procs / n_log, 0.02 * procs / n_log);
    assert_near(generated_run_s / n, run_s / n_log, 0.05 * run_s / n_log);
    loom_trace_destroy(trace);
    loom_model_destroy(model);
    static const char *const settings[] = {"fit=likelihood", NULL};
    model = must_fit("feitelson96", log, settings);
    loom_model_interarrival(model, &log_s, &model_s);
    assert_true(!(fabs(model_s / log_s - 1) < 0.2));
    loom_model_destroy(model);
    loom_trace_destroy(log);
}

/* Mean runtime by size: 600 p + 4200 (1 - p), where p falls with the size; if nothing depends on
 * it, large jobs are like small ones. */
static double mean_run(const struct loom_trace *trace, int32_t from, int32_t to)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    double sum = 0, n = 0;
    for (size_t i = 0; i < jobs->n; i++)
        if (jobs->req_procs[i] >= from && jobs->req_procs[i] <= to) {
            sum += (double)jobs->run_s[i];
            n++;
        }
    return sum / n;
}

static void traits_can_be_left_out(void **state)
{
    (void)state;
    struct loom_model *model = must_publish("feitelson96", NULL);
    struct loom_generate_options options = {.seed = 1, .jobs = 200000, .without = LOOM_LOCALITY};
    struct loom_trace *trace = must_generate(model, &options);
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    for (size_t i = 1; i < 2000; i++)
        assert_int_not_equal(jobs->executable[i], jobs->executable[i - 1]);
    double interarrival_s = (double)jobs->submit_s[jobs->n - 1] / (double)(jobs->n - 1);
    assert_near(interarrival_s, 900 / 1.94737, 4);
    double log_s, model_s;
    loom_model_interarrival(model, &log_s, &model_s);
    assert_near(model_s, 900 / 1.94737, 0.01);
    assert_near(mean_run(trace, 1, 1), 600 * 0.9484 + 4200 * 0.0516, 25);
    /* About 540 jobs of 64 and more, of a standard deviation of 1.6 means: 3 errors are 0.2. At
     * 0.65 of the machine, p is 0.82. */
    assert_near(mean_run(trace, 64, 128) / (600 * 0.82 + 4200 * 0.18), 1, 0.2);
    loom_trace_destroy(trace);
    options.without |= LOOM_CORRELATION;
    trace = must_generate(model, &options);
    assert_near(mean_run(trace, 64, 128) / mean_run(trace, 1, 1), 1, 0.2);
    loom_trace_destroy(trace);
    loom_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_by_weight),           cmocka_unit_test(runs_follow_each_other),
        cmocka_unit_test(endless_runs_end),          cmocka_unit_test(runs_by_hand),
        cmocka_unit_test(vast_machines_are_refused), cmocka_unit_test(round_trip_by_likelihood),
        cmocka_unit_test(round_trip_by_means),       cmocka_unit_test(means_are_those_of_the_log),
        cmocka_unit_test(traits_can_be_left_out),
    };
    return cmocka_run_group_tests_name("feitelson96", tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The model of 1996: its sizes and run times against the formulas, its repeated runs, and its
 * parameters found again in what it makes.
 */
#include "modeling.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <workloom/stats.h>

enum { JOBS = 60000 };

static const struct loom_weave_options many = {.seed = 4, .jobs = JOBS};

/* Every size comes as often as its weight says: with serial share s and share p of powers of two,
 * size n > 1 has (1 - s) p n^-1.5 over the sum of that over powers, and so on. The runs of a job
 * are not independent, so that only the jobs that are run first (each executable once) count. */
static void sizes_by_weight(void **state)
{
    (void)state;
    struct loom_model *model = must_publish("feitelson96", NULL);
    struct loom_trace *trace = must_weave(model, &many);
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

/* A run follows when the one before ends, in the same size and run time. */
static void runs_follow_each_other(void **state)
{
    (void)state;
    struct loom_model *model = must_publish("feitelson96", NULL);
    struct loom_trace *trace = must_weave(model, &many);
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

/* Standard errors over about 31,000 first runs; those of the means of two mixed exponentials and of
 * the line are about half as large again as if the stage of each job were known. */
static void round_trip(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        double value, error;
    } wanted[] = {
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
    struct loom_model *model = must_publish("feitelson96", NULL);
    struct loom_trace *trace = must_weave(model, &many);
    struct loom_model *again = must_fit("feitelson96", trace, NULL);
    for (size_t i = 0; i < COUNT(wanted); i++) {
        assert_near(number_in(model, wanted[i].path), wanted[i].value, 1e-9);
        assert_near(number_in(again, wanted[i].path), wanted[i].value, 3 * wanted[i].error);
    }
    loom_model_destroy(again);
    loom_trace_destroy(trace);
    loom_model_destroy(model);
}

/* Mean run time by size: 600 p + 4200 (1 - p), where p falls with the size; if nothing depends on
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
    struct loom_weave_options options = {.seed = 1, .jobs = 200000, .without = LOOM_LOCALITY};
    struct loom_trace *trace = must_weave(model, &options);
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
    trace = must_weave(model, &options);
    assert_near(mean_run(trace, 64, 128) / mean_run(trace, 1, 1), 1, 0.2);
    loom_trace_destroy(trace);
    loom_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_by_weight),
        cmocka_unit_test(runs_follow_each_other),
        cmocka_unit_test(round_trip),
        cmocka_unit_test(traits_can_be_left_out),
    };
    return cmocka_run_group_tests_name("feitelson96", tests, NULL, NULL);
}

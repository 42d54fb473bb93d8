/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The sampling errors that blocks of a log show, where they can be worked out by hand, and the
 * scales that differences are seen on by them.
 */
#include "job_rows.h"

#include "features/compare.h"

#include <workloom/stats.h>

#include <math.h>
#include <string.h>

static struct loom_reference *reference_of(const struct loom_trace *trace, size_t resamples)
{
    struct loom_reference_options options = {.resamples = resamples, .seed = 1};
    struct loom_reference *reference = NULL;
    struct loom_error err = {0};
    if (loom_reference_create(&reference, trace, &options, NULL, NULL, &err))
        fail_msg("%s", err.message);
    return reference;
}

static double error_of(const struct loom_reference *reference, const char *key)
{
    for (size_t i = 0; i < loom_features_count(reference->features); i++)
        if (strcmp(loom_features_at(reference->features, i)->info->key, key) == 0)
            return reference->sampling.errors[i];
    fail_msg("there is no feature %s", key);
    return NAN;
}

static size_t distribution(const char *key)
{
    size_t i = 0;
    while (strcmp(loom_distribution_at(i)->key, key) != 0)
        i++;
    return i;
}

static void assert_near(double got, double wanted, double relative, const char *what)
{
    if (!(fabs(got - wanted) <= relative * fabs(wanted)))
        fail_msg("%s is %.17g, not %.17g", what, got, wanted);
}

/* ---- one odd hour ---------------------------------------------------------------------------- */

/*
 * A job an hour for eight hours, and one that ends them. Blocks have two hours and begin at hour 0
 * to 6, so that a resample has the first hour, or the last, in as many of its four blocks as a
 * binomial distribution of 4 and 1/7 says. If the job of that hour is one of 900 s and all others
 * have 100 s, k of them make a mean of 100 (1 + k), and are as far from the log's ninth as k / 8.
 */
enum { HOURS = 8, BLOCKS = 4, SHORT_S = 100, LONG_S = 900 };
static const double chance_of_hour = 1.0 / 7;

static struct loom_trace *odd_hour(int odd)
{
    struct loom_trace *trace = empty_trace();
    for (int i = 0; i <= HOURS; i++)
        append_row(trace, (struct row){3600 * i, i == odd ? LONG_S : SHORT_S, 1, -1, -1, -1, -1});
    return trace;
}

static double binomial(int k)
{
    static const double ways[BLOCKS + 1] = {1, 4, 6, 4, 1};
    return ways[k] * pow(chance_of_hour, k) * pow(1 - chance_of_hour, BLOCKS - k);
}

static struct loom_apart apart_with(int k)
{
    double log[HOURS + 1], resample[HOURS];
    for (int i = 0; i <= HOURS; i++)
        log[i] = i < HOURS ? SHORT_S : LONG_S;
    for (int i = 0; i < HOURS; i++)
        resample[i] = i < HOURS - k ? SHORT_S : LONG_S;
    return loom_samples_apart(log, HOURS + 1, resample, HOURS);
}

/* Of 600 resamples, root mean squares of the distances have a relative standard error of 2 %, and
 * the standard deviation of k, which has a kurtosis of 3.5, one of sqrt(2.5 / 2400), 3 %. */
static void blocks_begin_anywhere(void **state)
{
    (void)state;
    enum { RESAMPLES = 600 };
    static const int hours[] = {0, HOURS - 1};
    double ks = 0, gap = 0;
    for (int k = 0; k <= BLOCKS; k++) {
        struct loom_apart apart = apart_with(k);
        ks += binomial(k) * pow((double)k / HOURS - 1.0 / (HOURS + 1), 2);
        gap += binomial(k) * apart.anderson_darling * (1.0 / HOURS + 1.0 / (HOURS + 1));
    }
    double sd = sqrt(BLOCKS * chance_of_hour * (1 - chance_of_hour));
    for (size_t i = 0; i < COUNT(hours); i++) {
        struct loom_trace *trace = odd_hour(hours[i]);
        struct loom_reference *reference = reference_of(trace, RESAMPLES);
        struct loom_noise noise = reference->sampling.noise[distribution("runtime")];
        assert_near(error_of(reference, "runtime.mean_s"), 100 * sd, 0.12, "error of the mean");
        assert_near(noise.ks, sqrt(ks), 0.08, "distance of the bulk");
        assert_near(noise.weighted_gap, sqrt(gap), 0.08, "distance of the tails");
        assert_near(noise.wasserstein, (LONG_S - SHORT_S) * noise.ks, 1e-12, "amount");
        loom_reference_destroy(reference);
        loom_trace_destroy(trace);
    }
}

/* With fewer than five resamples nothing is stated; clusters are found on every fourth of them. */
static void few_resamples_tell_nothing(void **state)
{
    (void)state;
    static const struct {
        size_t resamples;
        bool any, clusters;
    } cases[] = {{4, false, false}, {5, true, false}, {16, true, false}, {17, true, true}};
    struct loom_trace *trace = empty_trace();
    for (int i = 0; i < 200; i++)
        append_row(trace, (struct row){600 * i, 10 + i * 7919 % 1009 * (i % 3 ? 1 : 100),
                                       1 << (i % 5), 7200, i % 4, -1, -1});
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct loom_reference *reference = reference_of(trace, cases[i].resamples);
        assert_int_equal(!isnan(error_of(reference, "runtime.mean_s")), cases[i].any);
        assert_int_equal(!isnan(reference->sampling.noise[distribution("runtime")].ks),
                         cases[i].any);
        assert_int_equal(!isnan(error_of(reference, "locality.runlength.mean")), cases[i].clusters);
        loom_reference_destroy(reference);
    }
    loom_trace_destroy(trace);
}

/* ---- scales ---------------------------------------------------------------------------------- */

/* Ten jobs a day at random times. */
static struct loom_trace *days_of(int days, double mean_s, uint64_t seed)
{
    struct loom_trace *trace = empty_trace();
    struct loom_stream stream;
    loom_stream_init(&stream, seed, 0, "test_compare_errors");
    for (int i = 0; i < 10 * days; i++) {
        double run_s = -mean_s * log1p(-loom_stream_uniform(&stream));
        append_row(trace, (struct row){8640 * i + (int64_t)loom_stream_below(&stream, 8640),
                                       (int64_t)run_s, 1 << loom_stream_below(&stream, 4), 3600,
                                       (int32_t)loom_stream_below(&stream, 5), -1, -1});
    }
    return trace;
}

static double mean_of(const struct loom_sorted_sample *sample)
{
    double sum = 0;
    for (size_t i = 0; i < sample->n; i++)
        sum += sample->sorted[i];
    return sum / (double)sample->n;
}

static double closeness(double distance, double noise, double least)
{
    double errors = distance / sqrt(noise * noise + least * least);
    return 1 / (1 + errors * errors / 9);
}

/* Each distance on the scale of the noise, which is sqrt(1 + a / b) times the reference's for spans
 * a and b, and of a trace of less than a quarter as for a quarter; and each scale at least a
 * hundredth, of shares or of the larger mean, or two of the gap. */
static void distances_have_scales(void **state)
{
    (void)state;
    static const int days[] = {40, 80, 20, 11, 4};
    struct loom_trace *a = days_of(40, 1000, 1);
    struct loom_reference *reference = reference_of(a, 16);
    size_t runtime = distribution("runtime"), features = loom_features_count(reference->features);
    struct loom_noise noise = reference->sampling.noise[runtime];
    for (size_t i = 0; i < COUNT(days); i++) {
        struct loom_trace *b = days_of(days[i], 1300, 2);
        struct loom_comparison *comparison = NULL;
        struct loom_samples samples;
        assert_int_equal(loom_comparison_create(&comparison, reference, b, NULL, NULL, NULL), 0);
        assert_int_equal(loom_samples_create(&samples, b,
                                             loom_features_definitions(reference->features), NULL),
                         0);
        const struct loom_sorted_sample *of_a = &reference->samples.of[runtime],
                                        *of_b = &samples.of[runtime];
        struct loom_apart apart = loom_samples_apart(of_a->sorted, of_a->n, of_b->sorted, of_b->n);
        double spans =
            reference->span_s / loom_features_find(comparison->features, "span_s")->value;
        double longer = sqrt(1 + fmin(spans, 4));
        double gap = sqrt(apart.anderson_darling * (1 / (double)of_a->n + 1 / (double)of_b->n));
        double larger = fmax(mean_of(of_a), mean_of(of_b));
        double wanted = (closeness(apart.ks, noise.ks * longer, 0.01) +
                         closeness(gap, noise.weighted_gap * longer, 0.02) +
                         closeness(apart.wasserstein, noise.wasserstein * longer, 0.01 * larger)) /
                        3;
        const struct loom_difference *difference = &comparison->differences[features + runtime];
        assert_near(difference->error, noise.ks * longer, 1e-12, "error");
        assert_near(difference->closeness, wanted, 1e-12, "closeness");
        assert_true(wanted < 0.95);
        loom_samples_free(&samples);
        loom_comparison_destroy(comparison);
        loom_trace_destroy(b);
    }
    loom_reference_destroy(reference);
    loom_trace_destroy(a);
}

/* When users come and go: by Kolmogorov-Smirnov's distance alone, on the scale of independent
 * users. Users of b come one after the other, users of a are all there throughout: D of first
 * submissions is nearly 1. */
static void presence_has_a_scale(void **state)
{
    (void)state;
    enum { USERS = 50, EACH = 20 };
    struct loom_trace *traces[2] = {empty_trace(), empty_trace()};
    for (int i = 0; i < USERS * EACH; i++) {
        struct loom_job job = loom_job_unknown();
        job.number = i + 1;
        job.submit_s = 3000 * (int64_t)i;
        job.run_s = 60 + i % 100;
        job.alloc_procs = 1;
        job.user = i % USERS + 1;
        append(traces[0], job);
        job.user = i / EACH + 1;
        append(traces[1], job);
    }
    struct loom_reference *reference = reference_of(traces[0], 5);
    struct loom_comparison *comparison = NULL;
    assert_int_equal(loom_comparison_create(&comparison, reference, traces[1], NULL, NULL, NULL),
                     0);
    static const char *const keys[] = {"user.first", "user.last", "user.period"};
    for (size_t i = 0; i < COUNT(keys); i++) {
        const struct loom_difference *difference =
            &comparison
                 ->differences[loom_features_count(reference->features) + distribution(keys[i])];
        double scale = hypot(3.14159265358979 / sqrt(12 * USERS) * sqrt(2), 0.01);
        assert_true(difference->apart.ks > 0.9);
        assert_near(difference->scale, scale, 1e-9, "scale");
        assert_near(difference->closeness, closeness(difference->apart.ks, scale, 0), 1e-9,
                    "closeness");
    }
    loom_comparison_destroy(comparison);
    loom_reference_destroy(reference);
    loom_trace_destroy(traces[0]);
    loom_trace_destroy(traces[1]);
}

/* ---- what is covered ------------------------------------------------------------------------- */

/* A few days do not show weeks: a part that lacks lines is covered by the share it has. */
static void parts_are_covered_in_part(void **state)
{
    (void)state;
    struct loom_trace *a = days_of(40, 1000, 1), *b = days_of(3, 1000, 2);
    struct loom_reference *reference = reference_of(a, 5);
    struct loom_comparison *comparison = NULL;
    assert_int_equal(loom_comparison_create(&comparison, reference, b, NULL, NULL, NULL), 0);
    double all[LOOM_PARTS] = {0}, known[LOOM_PARTS] = {0}, covered = 0, parts = 0;
    bool partly = false;
    for (size_t i = 0; i < comparison->n; i++) {
        int part = loom_line_part(reference, i);
        if (part < 0)
            continue;
        all[part] += loom_line_known(reference, i);
        known[part] += comparison->differences[i].known;
    }
    for (int part = 0; part < LOOM_PARTS; part++) {
        covered += all[part] > 0 ? known[part] / all[part] : 0;
        parts += all[part] > 0;
        partly = partly || (known[part] > 0 && known[part] < all[part]);
    }
    assert_true(partly);
    assert_near(comparison->coverage, covered / parts, 1e-14, "coverage");
    loom_comparison_destroy(comparison);
    loom_reference_destroy(reference);
    loom_trace_destroy(a);
    loom_trace_destroy(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_begin_anywhere),     cmocka_unit_test(few_resamples_tell_nothing),
        cmocka_unit_test(distances_have_scales),     cmocka_unit_test(presence_has_a_scale),
        cmocka_unit_test(parts_are_covered_in_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parameters of Minh's models, found again in what was made of them. */
#include "minh_log.h"
#include "models/minh/minh.h"
#include "models/minh/minh2009.h"

#include <stdlib.h>
#include <string.h>

/* Weights, means and deviations of the kinds, from n jobs that are independent. Kinds hardly
 * overlap. */
static void assert_same_kinds(const struct loom_model *a, const struct loom_model *b, double n)
{
    static const char *const keys[] = {"weight", "mean", "sd"};
    for (int k = 0; k < 3; k++) {
        double values[3][2];
        for (size_t i = 0; i < COUNT(keys); i++) {
            char path[40];
            snprintf(path, sizeof path, "runtimes.%d.%s", k, keys[i]);
            values[i][0] = number_in(a, path);
            values[i][1] = number_in(b, path);
        }
        double p = values[0][0], sd = values[2][0];
        assert_near(values[0][1], p, 3 * sqrt(p * (1 - p) / n));
        assert_near(values[1][1], values[1][0], 3 * sd / sqrt(n * p));
        assert_near(values[2][1], sd, 3 * sd / sqrt(2 * n * p));
    }
}

/* Runtimes are found again in jobs without bags, since the copies in a large bag would be a kind
 * of their own; sizes of bags where nothing but the size ends one. The deviation of the estimate of
 * alpha = 2.6 is 1.6 over the root of the number of bags, of about 1.7 jobs each. */
static void round_trip(void **state)
{
    (void)state;
    static const char *const settings[] = {"bags.delta_s=1000000", "bags.alpha=2.6"};
    static const char *const again[] = {"arrivals=poisson", "delta=1000000", "bags=counted", NULL};
    static const char *const names[] = {"minh2010", "minh2012"};
    struct loom_generate_options bagless = many;
    bagless.without = LOOM_BAGS;
    double n = (double)many.jobs;
    for (size_t k = 0; k < COUNT(names); k++) {
        struct loom_model *model = model_with(names[k], counted_bags, settings, COUNT(settings));
        struct loom_trace *trace = must_generate(model, &many),
                          *loose = must_generate(model, &bagless);
        struct loom_model *back = must_fit(names[k], trace, again);
        struct loom_model *kinds = must_fit(names[k], loose, again);
        assert_same_kinds(model, kinds, n);
        assert_near(number_in(back, "bags.alpha"), 2.6, 3 * 1.6 / sqrt(n / 1.7));
        assert_near(number_in(back, "arrivals.interarrival_s"),
                    number_in(model, "arrivals.interarrival_s"),
                    3 * number_in(model, "arrivals.interarrival_s") / sqrt(n));
        loom_model_destroy(back);
        loom_model_destroy(kinds);
        loom_trace_destroy(trace);
        loom_trace_destroy(loose);
        loom_model_destroy(model);
    }
}

/* Here gaps do end bags, and the fit takes account of it. The chance of a single job is over at
 * least n / 10 bags whose next job comes soon enough, by class of the time until then. */
static void round_trip_improved(void **state)
{
    (void)state;
    static const char *const settings[] = {
        "bags.delta_s=200",      "bags.alpha=1.8",        "arrivals.interarrival_s=100",
        "improved.single.5=0.3", "improved.single.6=0.6", "improved.single.7=0.6",
        "improved.alike.0=0.3",  "improved.alike.1=0.7"};
    static const char *const again[] = {"arrivals=poisson", "variant=improved", "delta=200", NULL};
    struct loom_model *model = model_with("minh2012", improved, settings, COUNT(settings));
    struct loom_trace *trace = must_generate(model, &many);
    struct loom_model *back = must_fit("minh2012", trace, again);
    assert_near(number_in(back, "bags.alpha"), 1.8, 0.06);
    assert_near(number_in(back, "improved.single.5"), 0.3, 3 * 0.46 / sqrt(1500));
    assert_near(number_in(back, "improved.single.6"), 0.6, 3 * 0.49 / sqrt(2500));
    assert_near(number_in(back, "improved.single.7"), 0.6, 3 * 0.49 / sqrt(4000));
    for (int k = 0; k < 2; k++) { /* the kinds that bags have */
        char path[40];
        snprintf(path, sizeof path, "improved.alike.%d", k);
        assert_near(number_in(back, path), number_in(model, path), 0.05);
    }
    loom_model_destroy(back);
    loom_trace_destroy(trace);
    loom_model_destroy(model);
}

/* minh2009: weights are from the log's labels; run lengths have an exponent for each kind. */
static void round_trip_2009(void **state)
{
    (void)state;
    static const char *const settings[] = {"runs.0.alpha=1.8", "runs.0.longest=50",
                                           "runs.1.alpha=1.7", "runs.1.longest=40",
                                           "runs.2.alpha=3",   "runs.2.longest=8"};
    struct loom_model *model = model_with("minh2009", poisson, settings, COUNT(settings));
    struct loom_trace *trace = must_generate(model, &many);
    struct loom_model *back = must_fit("minh2009", trace, poisson);
    /* Runs of up to 50 jobs, of four on average: as many independent ones as runs, at least. */
    assert_same_kinds(model, back, (double)many.jobs / 16);
    assert_near(number_in(back, "runs.0.alpha"), 1.8, 0.05);
    assert_near(number_in(back, "runs.1.alpha"), 1.7, 0.05);
    assert_near(number_in(back, "runs.2.alpha"), 3, 0.12);
    for (int k = 0; k < 3; k++) {
        static const double longest[] = {50, 40, 8};
        char path[40];
        snprintf(path, sizeof path, "runs.%d.longest", k);
        assert_true(number_in(back, path) <= longest[k]);
    }
    loom_model_destroy(back);
    loom_trace_destroy(trace);
    loom_model_destroy(model);
}

/* Runs of kinds that are not in the order of their runtimes, in which clusters are found: each has
 * its own lengths again, not the lengths of the cluster with its number. Some 1,600 runs of a kind
 * give its exponent to 0.03. */
static void runs_are_those_of_the_kind(void **state)
{
    (void)state;
    enum { N = 12000, KINDS = 3 };
    static const double alphas[KINDS] = {1.9, 1.2, 1.4};
    static int32_t procs[N];
    static uint32_t kinds[N];
    struct loom_minh2009 minh = {.shapes = {.n_kinds = KINDS}};
    minh.shapes.kinds = calloc(KINDS, sizeof *minh.shapes.kinds);
    minh.runs = calloc(KINDS, sizeof *minh.runs);
    assert_true(minh.shapes.kinds && minh.runs);
    for (size_t k = 0; k < KINDS; k++) {
        minh.shapes.kinds[k] = (struct loom_minh_kind){1.0 / KINDS, means[KINDS - 1 - k], 0.3, 1};
        minh.runs[k] = (struct loom_minh_runs){alphas[k], 20};
    }
    struct loom_generation generation = {.seed = 9, .procs = 64, .log_procs = 64, .rate = 1};
    assert_int_equal(loom_draft_resize(&generation.draft, N, NULL), 0);
    for (size_t i = 0; i < N; i++) {
        procs[i] = 1;
        kinds[i] = (uint32_t)(i % KINDS);
    }
    struct loom_shapes jobs = {.n = N, .run_s = generation.draft.run_s, .procs = procs};
    assert_int_equal(loom_minh_cells_count(&minh.shapes, &jobs, kinds, NULL, NULL), 0);
    assert_int_equal(loom_minh2009_spin(&minh, &generation, kinds, NULL), 0);
    free(minh.runs);
    assert_int_equal(loom_minh2009_fit_runs(&minh, kinds, N, NULL, NULL), 0);
    for (size_t k = 0; k < KINDS; k++)
        assert_near(minh.runs[k].alpha, alphas[k], 0.1);
    free(minh.runs);
    loom_minh_shapes_free(&minh.shapes);
    loom_draft_free(&generation.draft);
}

/* Two kinds that overlap, a seventh of each lying where the other is the likelier: their deviations
 * are found again, to three standard errors as if it were known whose each runtime is, times 2
 * since it is not. A kind cut off where the other begins would have 0.81 of its deviation. */
static void overlapping_kinds_keep_their_width(void **state)
{
    (void)state;
    enum { N = 20000 };
    struct loom_trace *log = empty_trace();
    struct loom_stream stream;
    loom_stream_init(&stream, 5, 0, "overlapping kinds");
    size_t kind = 0;
    for (int i = 0; i < N; i++) {
        struct loom_job job = job_of_kind(&stream, 1);
        kind = loom_stream_below(&stream, 4) == 0 ? 1 - kind : kind;
        double z = gsl_ran_gaussian_ziggurat(&stream.gsl, 1);
        job.run_s = llrint(expm1(7 + 2.2 * (double)kind + z));
        job.number = i + 1;
        job.submit_s = 100 * i;
        append(log, job);
    }
    assert_int_equal(loom_trace_add_directive(log, "MaxProcs", "64", NULL), 0);
    struct loom_model *model = must_fit("minh2009", log, poisson);
    struct loom_trace *trace = must_generate(model, &many);
    struct loom_model *back = must_fit("minh2009", trace, poisson);
    assert_near(number_in(model, "runtimes"), 2, 0);
    assert_near(number_in(back, "runtimes"), 2, 0);
    for (int k = 0; k < 2; k++) {
        char mean[40], sd[40];
        snprintf(mean, sizeof mean, "runtimes.%d.mean", k);
        snprintf(sd, sizeof sd, "runtimes.%d.sd", k);
        assert_near(number_in(back, mean), number_in(model, mean), 3 * 2 / sqrt(N / 2));
        assert_near(number_in(back, sd), number_in(model, sd), 3 * 2 / sqrt(N));
    }
    loom_model_destroy(back);
    loom_trace_destroy(trace);
    loom_model_destroy(model);
    loom_trace_destroy(log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trip),
        cmocka_unit_test(round_trip_improved),
        cmocka_unit_test(round_trip_2009),
        cmocka_unit_test(runs_are_those_of_the_kind),
        cmocka_unit_test(overlapping_kinds_keep_their_width),
    };
    return cmocka_run_group_tests_name("minh_trips", tests, NULL, NULL);
}

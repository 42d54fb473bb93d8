/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arrival processes, and bags of jobs, fitted to what they generated: every parameter comes back.
 */
#include "cascade_log.h"
#include "modeling.h"
#include "models/room.h"
#include "trips.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <string.h>

/* ---- wavelet models -------------------------------------------------------------------------- */

enum { LEVELS = 10 };

/* Much as the improved variant has them of HPC2N, LANL-CM5, DAS2-fs1 and KTH-SP2, at 7200 s, and of
 * HPC2N at 900 s, with fewer trees. The last one is so even that firing is most of what the finest
 * scales vary by, which mwm's printed estimators take for the rate. */
static const struct {
    const char *name, *scale;
    int64_t interval_s, roots;
    double root_mean, root_sd;
    size_t depth;
    double beta[LEVELS], share[LEVELS], spread;
} sets[] = {
    {"HPC2N",
     "7200",
     7200,
     14,
     0.056,
     0.0223,
     10,
     {5.29, 5.73, 6.28, 4.69, 2.91, 2.03, 1.04, 0.533, 0.474, 0.574},
     {0, 0, 0, 0.01, 0.01, 0.02, 0.0566, 0.129, 0.0442, 0.0502},
     0.636},
    {"LANL-CM5",
     "7200",
     7200,
     8,
     0.0481,
     0.0103,
     10,
     {27, 18.5, 27.2, 7.53, 3.84, 3.67, 3.05, 1.47, 1.8, 2.42},
     {0, 0, 0, 0, 0.00328, 0.00379, 0.0116, 0.02, 0.0141, 0.027},
     0.826},
    {"DAS2-fs1",
     "7200",
     7200,
     8,
     0.0242,
     0.0189,
     9,
     {3.22, 0.435, 15.3, 2.05, 0.659, 3.96, 0.743, 1.13, 1.98},
     {0, 0.0821, 0.0978, 0.0735, 0.0585, 0.22, 0.0567, 0.0196, 0.0178},
     0.65},
    {"KTH-SP2",
     "7200",
     7200,
     15,
     0.00991,
     0.00322,
     8,
     {21.9, 12.9, 5.86, 4.91, 2.49, 1.09, 1.48, 1.83},
     {0, 0, 0, 0.01, 0.0267, 0.171, 0.0658, 0.0552},
     0.654},
    {"fine",
     "900",
     900,
     15,
     0.022,
     0.006,
     8,
     {6, 4, 3, 1.8, 1.4, 1, 0.9, 1.1},
     {0, 0.01, 0.02, 0.04, 0.06, 0.1, 0.12, 0.1},
     0.515},
    {"even",
     "900",
     900,
     15,
     0.03,
     0.006,
     9,
     {20, 20, 15, 15, 10, 10, 10, 12, 15},
     {0, 0, 0, 0.01, 0.01, 0.02, 0.03, 0.05, 0.06},
     0.515},
};

static struct loom_mmwm mmwm_of(size_t row)
{
    size_t size = LEVELS * sizeof(double);
    struct loom_mmwm mmwm = {
        .cascade = {.interval_s = sets[row].interval_s,
                    .roots = sets[row].roots,
                    .root_mean = sets[row].root_mean,
                    .root_sd = sets[row].root_sd,
                    .depth = sets[row].depth,
                    .beta = malloc(size)},
        .zeros = {.depth = sets[row].depth,
                  .share = malloc(size),
                  .preference = 0.5,
                  .apart = true,
                  .base = 1,
                  .spread = sets[row].spread},
    };
    memcpy(mmwm.cascade.beta, sets[row].beta, size);
    memcpy(mmwm.zeros.share, sets[row].share, size);
    return mmwm;
}

/* Multipliers by their variance: that is what is estimated without bias. */
static double variance_of(double beta)
{
    return 1 / (2 * beta + 1);
}

static void expect_cascade(struct trips *trips, const struct loom_cascade *cascade)
{
    expect(trips, "root mean", 0, cascade->root_mean, 0, 0.35 * cascade->root_mean);
    expect(trips, "root sd", 0, cascade->root_sd, 0, 0.5 * cascade->root_sd);
    for (size_t j = 0; j < cascade->depth; j++)
        expect(trips, "variance", j + 1, variance_of(cascade->beta[j]), 0, 0.3);
}

static void observe_cascade(struct trips *trips, size_t *at, const struct loom_cascade *cascade)
{
    observe(trips, at, cascade->root_mean);
    observe(trips, at, cascade->root_sd);
    for (size_t j = 0; j < cascade->depth; j++)
        observe(trips, at, variance_of(cascade->beta[j]));
}

/* One growth, generated and fitted again. The last interval may be a zero, which nobody sees: one
 * job more shows where the growth ends. */
static void travel(void *back, const void *state, const struct loom_model_ops *ops, size_t row,
                   const char *variant, uint64_t trip)
{
    int64_t intervals = sets[row].roots << sets[row].depth;
    struct loom_generation generation = {.seed = trip,
                                         .jobs = SIZE_MAX,
                                         .horizon_s = intervals * sets[row].interval_s,
                                         .rate = 1};
    struct loom_error err = {0};
    must(ops->generate(state, &generation, &err), &err);
    size_t n = generation.draft.n;
    must(loom_draft_resize(&generation.draft, n + 1, &err), &err);
    generation.draft.submit_s[n] = generation.horizon_s - 1;
    const struct loom_param *const lists[] = {ops->info.params, NULL};
    struct log log = {.jobs = {.n = n + 1, .submit_s = generation.draft.submit_s}};
    log.jobs.span_s = generation.draft.submit_s[n] - generation.draft.submit_s[0];
    assert_int_equal(loom_params_create(&log.params, lists, NULL), 0);
    set(&log, "scale", sets[row].scale);
    if (variant)
        set(&log, "variant", variant);
    fit(back, ops, &log);
    loom_params_destroy(log.params);
    loom_draft_free(&generation.draft);
}

static void improved_mmwm_comes_back(void **state)
{
    (void)state;
    for (size_t row = 0; row < COUNT(sets); row++) {
        struct loom_mmwm mmwm = mmwm_of(row);
        struct trips trips = {0};
        expect_cascade(&trips, &mmwm.cascade);
        for (size_t i = 0; i < mmwm.zeros.depth; i++)
            expect(&trips, "share", i + 2, mmwm.zeros.share[i],
                   0.3 / (double)(mmwm.cascade.roots << (i + 1)), 0.05);
        expect(&trips, "spread", 0, mmwm.zeros.spread, 5e-4, 1e-3);
        for (uint64_t trip = 0; trip < TRIPS; trip++) {
            struct loom_mmwm back = {0};
            travel(&back, &mmwm, &loom_model_mmwm, row, "improved", trip);
            assert_int_equal(back.cascade.depth, mmwm.cascade.depth);
            size_t at = 0;
            observe_cascade(&trips, &at, &back.cascade);
            for (size_t i = 0; i < back.zeros.depth; i++)
                observe(&trips, &at, back.zeros.share[i]);
            observe(&trips, &at, back.zeros.spread);
            loom_model_mmwm.clear(&back);
        }
        assert_back(&trips, sets[row].name);
        loom_model_mmwm.clear(&mmwm);
    }
}

static void assert_mwm_comes_back(const char *variant, size_t rows)
{
    for (size_t row = 0; row < rows; row++) {
        struct loom_mmwm mmwm = mmwm_of(row);
        struct trips trips = {0};
        expect_cascade(&trips, &mmwm.cascade);
        for (uint64_t trip = 0; trip < TRIPS; trip++) {
            struct loom_cascade back = {0};
            travel(&back, &mmwm.cascade, &loom_model_mwm, row, variant, trip);
            size_t at = 0;
            observe_cascade(&trips, &at, &back);
            loom_model_mwm.clear(&back);
        }
        assert_back(&trips, sets[row].name);
        loom_model_mmwm.clear(&mmwm);
    }
}

static void mwm_comes_back(void **state)
{
    (void)state;
    assert_mwm_comes_back("printed", COUNT(sets) - 1);
}

static void improved_mwm_comes_back(void **state)
{
    (void)state;
    assert_mwm_comes_back("improved", COUNT(sets));
}

/* ---- others ---------------------------------------------------------------------------------- */

enum { JOBS = 10000 };

static struct loom_model *generate_and_fit(const struct loom_model *model,
                                           const char *const *settings, uint64_t trip)
{
    struct loom_generate_options options = {.seed = 1, .replication = trip, .jobs = JOBS};
    struct loom_trace *trace = must_generate(model, &options);
    struct loom_model *back = must_fit(loom_model_info(model)->name, trace, settings);
    loom_trace_destroy(trace);
    return back;
}

/* The deviation of the mean of n exponential variates is their mean over the root of n. */
static void poisson_comes_back(void **state)
{
    (void)state;
    static const char *const means[] = {"interarrival_s=20", "interarrival_s=540.8",
                                        "interarrival_s=1401"};
    for (size_t i = 0; i < COUNT(means); i++) {
        struct loom_model *model = must_set(must_publish("poisson", NULL), &means[i], 1);
        double mean_s = number_in(model, "interarrival_s");
        struct trips trips = {0};
        expect(&trips, "mean", 0, mean_s, 0, 1.5 * mean_s / sqrt(JOBS));
        for (uint64_t trip = 0; trip < TRIPS; trip++) {
            struct loom_model *back = generate_and_fit(model, NULL, trip);
            size_t at = 0;
            observe(&trips, &at, number_in(back, "interarrival_s"));
            loom_model_destroy(back);
        }
        assert_back(&trips, "poisson");
        loom_model_destroy(model);
    }
}

/* Of shape and arar nothing is seen but their product; the greatest logarithm of a gap is at most
 * the limit, give or take the weights of the slots, and no estimate of it where gaps seldom come
 * near. */
static void expect_daily(struct trips *trips, const struct loom_model *model, bool day)
{
    double shape = number_in(model, "peak.shape") * number_in(model, "arar");
    double scale = number_in(model, "peak.scale");
    expect(trips, "gaps", 0, shape, 0, 0.05 * shape);
    expect(trips, "gaps", 1, scale, 0, 0.05 * scale);
    if (!day)
        return;
    expect(trips, "day", 0, number_in(model, "cycle.shape"), 0, 0.8);
    expect(trips, "day", 1, number_in(model, "cycle.scale"), 0, 0.6);
}

static void observe_daily(struct trips *trips, const struct loom_model *model, bool day)
{
    size_t at = 0;
    observe(trips, &at, number_in(model, "peak.shape") * number_in(model, "arar"));
    observe(trips, &at, number_in(model, "peak.scale"));
    if (!day)
        return;
    observe(trips, &at, number_in(model, "cycle.shape"));
    observe(trips, &at, number_in(model, "cycle.scale"));
}

/* By likelihood all of it; with the log's rate, the gaps, while the day is fitted as in the paper,
 * as if nobody had cut it off. */
static void gamma_daily_comes_back(void **state)
{
    (void)state;
    static const struct {
        const char *published[3]; /* and the second for the fit as well */
        const char *fit;
        bool day;
    } ways[] = {
        {{"type=combined"}, "estimators=likelihood", true},
        {{"type=batch"}, "estimators=likelihood", true},
        {{"type=interactive"}, "estimators=likelihood", true},
        {{"type=combined", "cycle=expected-interarrival"}, "estimators=likelihood", true},
        {{"type=combined", "cycle=expected-slots"}, "estimators=likelihood", true},
        {{"type=combined"}, "gaps=rate", false},
        {{"type=interactive"}, "gaps=rate", false},
    };
    for (size_t i = 0; i < COUNT(ways); i++) {
        const char *const settings[] = {ways[i].fit, ways[i].published[1], NULL};
        struct loom_model *model = must_publish("gamma-daily", ways[i].published);
        struct trips trips = {0};
        expect_daily(&trips, model, ways[i].day);
        for (uint64_t trip = 0; trip < TRIPS; trip++) {
            struct loom_model *back = generate_and_fit(model, settings, trip);
            observe_daily(&trips, back, ways[i].day);
            assert_true(number_in(back, "limit") < number_in(model, "limit") + 0.05);
            loom_model_destroy(back);
        }
        assert_back(&trips, ways[i].published[0]);
        loom_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(improved_mmwm_comes_back), cmocka_unit_test(mwm_comes_back),
        cmocka_unit_test(improved_mwm_comes_back),  cmocka_unit_test(poisson_comes_back),
        cmocka_unit_test(gamma_daily_comes_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

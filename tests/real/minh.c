/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The models of Minh against HPC2N's completed jobs, as sections VII of the 2010 paper and 5.2 of
 * the thesis have it. Speaks TAP; skipped where there is no log.
 *
 * WORKLOOM_REPLICATIONS=20 takes the figures of docs/METHODS.md, which are written as comments.
 */
#include "unit/modeling.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <workloom/features.h>
#include <workloom/stats.h>

enum {
    CV,
    HURST,
    ENTROPY,
    SPEARMAN,
    PEARSON,
    BAGS,
    RUN_LENGTHS,
    KEYS,
    RUN_KS = KEYS,
    SIZE_KS,
    ALL
};
static const char *const keys[KEYS] = {
    "arrival.interarrival.cv",     "arrival.hurst.mean",         "spatial.entropy",
    "corr.runtime_procs.spearman", "corr.runtime_procs.pearson", "bot.job_fraction",
    "locality.runlength.alpha"};

/* The log, and its sorted run times and sizes. */
struct log {
    struct loom_trace *trace;
    double *values[2];
    size_t n[2];
    double figures[ALL];
};

static double *sorted(size_t *n, const struct loom_trace *trace, const char *what)
{
    double *values = NULL;
    assert_int_equal(loom_values_of(&values, n, trace, what, NULL), 0);
    assert_int_equal(loom_sort(values, *n, NULL), 0);
    return values;
}

/* Distances are those from the log. */
static void measure(double figures[ALL], const struct loom_trace *trace, const struct log *log)
{
    static const char *const what[] = {"runtime", "procs"};
    struct loom_features *features = NULL;
    assert_int_equal(loom_features_create(&features, trace, NULL, NULL, NULL), 0);
    for (int i = 0; i < KEYS; i++) {
        const struct loom_feature *feature = loom_features_find(features, keys[i]);
        figures[i] = feature->known ? feature->value : NAN;
    }
    loom_features_destroy(features);
    for (int i = 0; i < 2; i++) {
        size_t n = 0;
        double *values = sorted(&n, trace, what[i]);
        figures[KEYS + i] = loom_ks_two(values, n, log->values[i], log->n[i]);
        free(values);
    }
}

static void comment(const char *what, const double figures[ALL])
{
    printf("# %-20s cv %.3f  hurst %.3f  entropy %.4f  spearman %.4f  pearson %.4f  bags %.4f  "
           "alpha %.3f  KS %.4f %.4f\n",
           what, figures[CV], figures[HURST], figures[ENTROPY], figures[SPEARMAN], figures[PEARSON],
           figures[BAGS], figures[RUN_LENGTHS], figures[RUN_KS], figures[SIZE_KS]);
}

/* Means over replications. */
static void weave_and_measure(double mean[ALL], const char *name, const char *const *settings,
                              const struct log *log)
{
    const char *asked = getenv("WORKLOOM_REPLICATIONS");
    int replications = asked ? atoi(asked) : 3;
    struct loom_model *model = must_fit(name, log->trace, settings);
    for (int i = 0; i < ALL; i++)
        mean[i] = 0;
    for (int r = 1; r <= replications; r++) {
        struct loom_weave_options options = {.seed = 1, .replication = (uint64_t)r};
        struct loom_trace *trace = must_weave(model, &options);
        double figures[ALL];
        measure(figures, trace, log);
        for (int i = 0; i < ALL; i++)
            mean[i] += figures[i] / replications;
        loom_trace_destroy(trace);
    }
    loom_model_destroy(model);
    comment(settings ? settings[0] : name, mean);
}

static struct log hpc2n;

static int read_log(void **state)
{
    (void)state;
    hpc2n.trace = completed_jobs("HPC2N-2002-2.2-cln");
    if (!hpc2n.trace)
        return 0;
    hpc2n.values[0] = sorted(&hpc2n.n[0], hpc2n.trace, "runtime");
    hpc2n.values[1] = sorted(&hpc2n.n[1], hpc2n.trace, "procs");
    measure(hpc2n.figures, hpc2n.trace, &hpc2n);
    comment("log", hpc2n.figures);
    return 0;
}

static int free_log(void **state)
{
    (void)state;
    loom_trace_destroy(hpc2n.trace);
    free(hpc2n.values[0]);
    free(hpc2n.values[1]);
    return 0;
}

/* What the improved variant of minh2012 must keep to. */
static void improved_is_like_the_log(void **state)
{
    (void)state;
    static const char *const settings[] = {"variant=improved", NULL};
    if (!hpc2n.trace)
        skip();
    const double *real = hpc2n.figures;
    double mean[ALL];
    weave_and_measure(mean, "minh2012", settings, &hpc2n);
    assert_near(mean[CV], real[CV], 0.15 * real[CV]);
    assert_near(mean[HURST], real[HURST], 0.08);
    assert_near(mean[ENTROPY], real[ENTROPY], 0.03);
    assert_near(mean[SPEARMAN], real[SPEARMAN], 0.03);
    assert_near(mean[BAGS], real[BAGS], 0.05);
    assert_true(mean[RUN_KS] <= 0.05);
    assert_true(mean[SIZE_KS] <= 0.05);
}

/* The printed ones keep to what the texts show of them: entropy (2010 table V: 0.317; thesis table
 * 5.1: 0.316), Spearman's correlation (table 5.2: -0.205) and marginals. */
static void printed_are_as_printed(void **state)
{
    (void)state;
    static const char *const names[] = {"minh2010", "minh2012"};
    if (!hpc2n.trace)
        skip();
    for (size_t k = 0; k < COUNT(names); k++) {
        double mean[ALL];
        weave_and_measure(mean, names[k], NULL, &hpc2n);
        assert_near(mean[ENTROPY], 0.317, 0.02);
        assert_near(mean[SPEARMAN], hpc2n.figures[SPEARMAN], 0.03);
        assert_true(mean[RUN_KS] <= 0.06);
        assert_true(mean[SIZE_KS] <= 0.05);
    }
}

/* minh2009: locality and correlation are preserved, and marginals fit. */
static void locality_is_kept(void **state)
{
    (void)state;
    if (!hpc2n.trace)
        skip();
    double mean[ALL];
    weave_and_measure(mean, "minh2009", NULL, &hpc2n);
    assert_near(mean[RUN_LENGTHS], hpc2n.figures[RUN_LENGTHS], 0.1);
    assert_near(mean[SPEARMAN], hpc2n.figures[SPEARMAN], 0.03);
    assert_true(mean[RUN_KS] <= 0.05);
    assert_true(mean[SIZE_KS] <= 0.05);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(improved_is_like_the_log),
        cmocka_unit_test(printed_are_as_printed),
        cmocka_unit_test(locality_is_kept),
    };
    return cmocka_run_group_tests(tests, read_log, free_log);
}

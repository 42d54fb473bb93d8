/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The wavelet models of arrivals against real logs, as tables 4.1 to 4.3 of the thesis have it:
 * completed jobs of three logs, at four scales. Speaks TAP; skipped where there are no logs.
 *
 * With WORKLOOM_REPLICATIONS=20, as the tests of a build without sanitizers have it, the comments
 * are the figures of docs/validation/models-arrivals.md.
 */
#include "features/rate.h"
#include "stats/counts.h"
#include "unit/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <workloom/models.h>
#include <workloom/stats.h>

static const int scales_s[] = {900, 1800, 3600, 7200};
static const char *const logs[] = {"HPC2N-2002-2.2-cln", "LANL-CM5-1994-4.1-cln",
                                   "DAS2-fs1-2003-1"};

struct figures {
    double cv, zeros;
    double hurst, hurst_at; /* of rates over 900 s, and over T */
};

/* ---- measuring ------------------------------------------------------------------------------- */

/* What depends on T: the fraction of intervals without jobs, and Hurst's exponent of rates. */
static void measure_at(struct figures *figures, const struct loom_jobs *jobs, int64_t scale_s)
{
    double *counts;
    size_t n, zeros = 0;
    assert_int_equal(loom_counts_create(&counts, &n, jobs->submit_s, jobs->n, scale_s, NULL), 0);
    for (size_t i = 0; i < n; i++)
        zeros += counts[i] == 0;
    figures->zeros = (double)zeros / (double)n;
    assert_int_equal(loom_rate_hurst(&figures->hurst_at, counts, n, NULL), 0);
    free(counts);
}

static double cv_of_gaps(const struct loom_jobs *jobs)
{
    double *gaps = calloc(jobs->n, sizeof *gaps);
    for (size_t i = 1; i < jobs->n; i++)
        gaps[i - 1] = (double)(jobs->submit_s[i] - jobs->submit_s[i - 1]);
    struct loom_moments moments;
    assert_int_equal(loom_moments(&moments, gaps, jobs->n - 1, NULL), 0);
    free(gaps);
    return moments.cv;
}

static struct figures measure(const struct loom_trace *trace, int64_t scale_s)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    struct figures figures = {.cv = cv_of_gaps(jobs)};
    measure_at(&figures, jobs, scale_s);
    double *rate;
    size_t n;
    assert_int_equal(loom_rate_create(&rate, &n, jobs->submit_s, jobs->n, LOOM_RATE_S, NULL), 0);
    assert_int_equal(loom_rate_hurst(&figures.hurst, rate, n, NULL), 0);
    free(rate);
    return figures;
}

static struct loom_model *fitted(const char *name, const struct loom_trace *log, int scale_s,
                                 const char *variant)
{
    const struct loom_model_info *info;
    assert_int_equal(loom_model_find(&info, name, NULL), 0);
    const struct loom_param *const lists[] = {info->params, NULL};
    struct loom_params *params;
    assert_int_equal(loom_params_create(&params, lists, NULL), 0);
    char text[16];
    snprintf(text, sizeof text, "%d", scale_s);
    assert_int_equal(loom_params_set(params, "scale", text, NULL), 0);
    if (variant)
        assert_int_equal(loom_params_set(params, "variant", variant, NULL), 0);
    struct loom_model *model;
    struct loom_error err = {0};
    if (loom_model_fit(&model, name, log, params, NULL, &err))
        fail_msg("%s", err.message);
    loom_params_destroy(params);
    return model;
}

/* The means over replications of the log's number of jobs. */
static struct figures generated(const char *name, const struct loom_trace *log, int scale_s,
                                const char *variant, int replications)
{
    struct loom_model *model = fitted(name, log, scale_s, variant);
    struct figures mean = {0};
    for (int i = 0; i < replications; i++) {
        struct loom_generate_options options = {.seed = 1, .replication = (uint64_t)i};
        struct loom_trace *trace;
        assert_int_equal(loom_model_generate(&trace, model, &options, NULL, NULL), 0);
        struct figures one = measure(trace, scale_s);
        mean.cv += one.cv / replications;
        mean.zeros += one.zeros / replications;
        mean.hurst += one.hurst / replications;
        mean.hurst_at += one.hurst_at / replications;
        loom_trace_destroy(trace);
    }
    loom_model_destroy(model);
    return mean;
}

/* ---- what must hold -------------------------------------------------------------------------- */

static void comment(const char *what, struct figures figures)
{
    printf("#   %-14s cv %6.2f  zeros %.3f  hurst %.3f  hurst at T %.3f\n", what, figures.cv,
           figures.zeros, figures.hurst, figures.hurst_at);
}

static void holds_at(const char *name, const struct loom_trace *log, int scale_s, int replications)
{
    struct figures real = measure(log, scale_s);
    struct figures mwm = generated("mwm", log, scale_s, NULL, replications);
    struct figures printed = generated("mmwm", log, scale_s, "printed", replications);
    struct figures improved = generated("mmwm", log, scale_s, "improved", replications);
    printf("# %s, T = %d s\n", name, scale_s);
    comment("log", real);
    comment("mwm", mwm);
    comment("mmwm, printed", printed);
    comment("mmwm, improved", improved);
    assert_true(fabs(improved.zeros - real.zeros) <= 0.02);
    assert_true(fabs(improved.hurst - real.hurst) <= 0.08);
    assert_true(fabs(improved.hurst_at - real.hurst_at) <= 0.08);
    assert_true(fabs(improved.cv - real.cv) < fabs(mwm.cv - real.cv));
    assert_true(fabs(printed.cv - real.cv) < fabs(mwm.cv - real.cv));
}

static void holds(const char *name)
{
    struct loom_trace *log = completed_jobs(name);
    if (!log)
        skip();
    const char *asked = getenv("WORKLOOM_REPLICATIONS");
    int replications = asked ? atoi(asked) : 2;
    for (size_t i = 0; i < COUNT(scales_s); i++)
        holds_at(name, log, scales_s[i], replications);
    loom_trace_destroy(log);
}

static void on_hpc2n(void **state)
{
    (void)state;
    holds(logs[0]);
}

static void on_lanl_cm5(void **state)
{
    (void)state;
    holds(logs[1]);
}

static void on_das2_fs1(void **state)
{
    (void)state;
    holds(logs[2]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(on_hpc2n),
        cmocka_unit_test(on_lanl_cm5),
        cmocka_unit_test(on_das2_fs1),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Models that can be fitted with a log's means have them, give or take what chance does. The log is
 * one whose large jobs run somewhat longer: more than two gammas can give does not come out.
 */
#include "model_list.h"
#include "modeling.h"
#include "models/lublin/lublin.h"

enum { JOBS = 40000 };

struct mean {
    double value, error;
};

struct means {
    struct mean procs, run_s, work_s;
};

static struct mean mean_of(double sum, double squares, double n)
{
    double mean = sum / n;
    return (struct mean){mean, sqrt((squares / n - mean * mean) / n)};
}

static struct means means_of(const struct loom_trace *trace)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    double sums[3] = {0}, squares[3] = {0}, n = (double)jobs->n;
    for (size_t i = 0; i < jobs->n; i++) {
        double procs = jobs->req_procs[i], run_s = (double)jobs->run_s[i];
        const double values[] = {procs, run_s, procs * run_s};
        for (size_t k = 0; k < COUNT(values); k++) {
            sums[k] += values[k];
            squares[k] += values[k] * values[k];
        }
    }
    return (struct means){mean_of(sums[0], squares[0], n), mean_of(sums[1], squares[1], n),
                          mean_of(sums[2], squares[2], n)};
}

static struct means made_by(const char *model, const char *const *settings)
{
    struct loom_model *fitted = must_fit(model, log_once, settings);
    struct loom_trace *generated =
        must_generate(fitted, &(struct loom_generate_options){.seed = 1, .jobs = JOBS});
    struct means means = means_of(generated);
    loom_trace_destroy(generated);
    loom_model_destroy(fitted);
    return means;
}

static void assert_kept(const char *what, struct mean made, struct mean of_log)
{
    if (!(fabs(made.value - of_log.value) < 3 * made.error + 0.005 * of_log.value))
        fail_msg("%s: %g, and %g in the log; the error is %g", what, made.value, of_log.value,
                 made.error);
}

static int make_mild_log(void **state)
{
    struct loom_trace *mild = empty_trace();
    make_log(state);
    for (int i = 0; i < LOG_JOBS; i++) {
        struct loom_job job = loom_trace_job(log_once, (size_t)i);
        job.run_s = (int64_t)((double)job.run_s * pow(job.req_procs, -0.4)) + 1;
        append(mild, job);
    }
    assert_int_equal(loom_trace_add_directive(mild, "MaxProcs", "128", NULL), 0);
    free_log(state);
    log_once = mild;
    return 0;
}

static const char *const kept[] = {"means=log", NULL};
static const char *const unbound[] = {"means=free", NULL};

static void lublin_keeps_all_three(void **state)
{
    (void)state;
    struct means of_log = means_of(log_once), made = made_by("lublin2003", kept);
    assert_kept("sizes", made.procs, of_log.procs);
    assert_kept("runtimes", made.run_s, of_log.run_s);
    assert_kept("work", made.work_s, of_log.work_s);
    struct means free = made_by("lublin2003", unbound);
    assert_true(fabs(free.work_s.value - of_log.work_s.value) >
                5 * fabs(made.work_s.value - of_log.work_s.value));
}

static void work_itself_is_kept(void **state)
{
    (void)state;
    static const char *const by_work[] = {"means=log", "runtimes=work", NULL};
    struct means of_log = means_of(log_once);
    assert_kept("lublin2003", made_by("lublin2003", by_work).work_s, of_log.work_s);
    assert_kept("downey97", made_by("downey97", kept).work_s, of_log.work_s);
    static const char *const sevcik[] = {"means=log", "speedup=sevcik", NULL};
    assert_kept("downey97, sevcik", made_by("downey97", sevcik).work_s, of_log.work_s);
}

static void likelihood_has_its_own_means(void **state)
{
    (void)state;
    struct loom_error err = {0};
    struct loom_model *model = NULL;
    const struct loom_model_info *info = NULL;
    assert_int_equal(loom_model_find(&info, "lublin2003", &err), 0);
    struct loom_params *params = defaults_of(info);
    assert_int_equal(loom_params_set(params, "means", "log", &err), 0);
    assert_int_equal(loom_params_set(params, "estimators", "likelihood", &err), 0);
    assert_int_equal(loom_model_fit(&model, "lublin2003", log_once, params, NULL, &err),
                     LOOM_EUSAGE);
    assert_non_null(strstr(err.message, "means=log is for estimators=paper"));
    loom_params_destroy(params);
}

/* By default the log's load is kept by lublin2003, and its bags by minh2012; fits say which variant
 * they are. */
static void defaults_keep_the_log(void **state)
{
    (void)state;
    struct means of_log = means_of(log_once), made = made_by("lublin2003", NULL);
    assert_kept("work by default", made.work_s, of_log.work_s);
    struct loom_model *minh = must_fit("minh2012", log_once, NULL);
    struct loom_model *lublin = must_fit("lublin2003", log_once, NULL);
    assert_string_equal(loom_model_variant(minh), "improved");
    assert_non_null(strstr(loom_model_remark(minh, 0), "variant=printed"));
    assert_non_null(strstr(loom_model_remark(lublin, 0), "variant=mix"));
    loom_model_destroy(minh);
    loom_model_destroy(lublin);
}

/* ---- parameters that had the means come back ------------------------------------------------- */

/* Sizes of a machine of 64, of which the steepest line goes from 0 to 1 within 6.4. */
static struct loom_lublin_sizer sizer_of_64(void)
{
    static const struct loom_lublin_sizes sizes = {0.3, 0.7, 0.8, 3.5, 6, 0.8};
    struct loom_lublin_sizer sizer;
    loom_lublin_sizer_open(&sizer, &sizes, 64, 64);
    return sizer;
}

/* Keep the means of jobs that are drawn from one model with another, which is like it but for what
 * was fitted wrong. */
static struct loom_lublin_runtimes kept_means(struct loom_means_kept *kept_by,
                                              const struct loom_lublin_runtimes *truth,
                                              struct loom_lublin_runtimes wrong)
{
    enum { DRAWN = 200000 };
    int64_t *run_s = malloc(DRAWN * sizeof *run_s);
    int32_t *procs = malloc(DRAWN * sizeof *procs);
    assert_true(run_s && procs);
    struct loom_lublin_sizer sizer = sizer_of_64();
    struct loom_lublin_runner runner;
    struct loom_stream stream;
    loom_stream_init(&stream, 1, 0, "kept means");
    assert_int_equal(loom_lublin_runner_open(&runner, truth, &sizer, true, NULL), 0);
    for (int i = 0; i < DRAWN; i++) {
        procs[i] = loom_lublin_size(&sizer, (i + 0.5) / DRAWN);
        run_s[i] = loom_lublin_run_s(&runner, &stream, procs[i]);
    }
    struct loom_lublin_jobs jobs = {run_s, procs, DRAWN};
    assert_int_equal(loom_lublin_runtimes_keep_means(&wrong, kept_by, &sizer, &jobs, NULL), 0);
    free(run_s);
    free(procs);
    return wrong;
}

/* A third of the long gamma is above the limit. Of 200,000 jobs the standard error of the mean
 * runtime is 0.3 %, so about 0.005 for the limit. */
static const struct loom_lublin_runtimes limited = {
    .shape = {9, 80}, .scale = {0.5, 0.12}, .slope = -0.005, .intercept = 0.6, .limit = 10};

static void a_limit_too_high_is_lowered(void **state)
{
    (void)state;
    struct loom_lublin_runtimes wrong = limited;
    wrong.limit = 12;
    struct loom_means_kept by;
    struct loom_lublin_runtimes found = kept_means(&by, &limited, wrong);
    assert_near(by.run, 1, 1e-6);
    assert_near(by.work, 1, 1e-6);
    assert_near(found.limit, limited.limit, 0.02);
    assert_near(found.intercept, limited.intercept, 0.01);
    assert_near(found.slope, limited.slope, 0.001);
}

/* Nearly all long runtimes are in the largest jobs, at the steepest. With a p that has too
 * many of them the limit is lowered too far, and only the true one has the work. */
static void a_limit_too_low_goes_back(void **state)
{
    (void)state;
    struct loom_lublin_runtimes steep = limited, wrong = limited;
    steep.slope = -10.0 / 64;
    steep.intercept = 6;
    wrong.slope = 0;
    wrong.intercept = 0.6;
    wrong.limit = 12;
    struct loom_means_kept by;
    struct loom_lublin_runtimes found = kept_means(&by, &steep, wrong);
    assert_near(found.limit, steep.limit, 0.04);
    assert_near(found.slope, steep.slope, 0.001);
    assert_near(found.intercept, steep.intercept, 0.1);
}

/* Small jobs run longer, and p rises so steeply that it would be far below 0 for none. */
static void small_jobs_may_run_longer(void **state)
{
    (void)state;
    struct loom_lublin_runtimes rising = limited, wrong = limited;
    rising.slope = 0.04;
    rising.intercept = -0.5;
    wrong.slope = 0;
    struct loom_means_kept by;
    struct loom_lublin_runtimes found = kept_means(&by, &rising, wrong);
    assert_near(by.run, 1, 1e-6);
    assert_near(by.work, 1, 1e-6);
    assert_near(found.slope, rising.slope, 0.004);
    assert_near(found.intercept, rising.intercept, 0.05);
}

/* The gammas may be given in any order: the one of shorter times becomes the first. */
static void gammas_have_an_order(void **state)
{
    (void)state;
    struct loom_lublin_runtimes other = limited;
    for (int i = 0; i < 2; i++) {
        other.shape[i] = limited.shape[1 - i];
        other.scale[i] = limited.scale[1 - i];
    }
    other.slope = -limited.slope;
    other.intercept = 1 - limited.intercept;
    struct loom_means_kept by;
    struct loom_lublin_runtimes found = kept_means(&by, &limited, limited);
    struct loom_lublin_runtimes same = kept_means(&by, &limited, other);
    assert_true(same.shape[0] == found.shape[0] && same.scale[1] == found.scale[1]);
    assert_near(same.slope, found.slope, 1e-9);
    assert_near(same.intercept, found.intercept, 1e-9);
    assert_near(same.limit, found.limit, 1e-9);
}

/* All jobs are of a gamma longer than the longest there is: that is drawn always, and how far it
 * falls short is reported. */
static void what_is_out_of_reach_is_told(void **state)
{
    (void)state;
    struct loom_lublin_runtimes longer = limited, wrong = limited;
    longer.slope = longer.intercept = 0;
    longer.limit = wrong.limit = 12;
    longer.scale[1] = 0.13;
    struct loom_means_kept by;
    struct loom_lublin_runtimes found = kept_means(&by, &longer, wrong);
    double ratio = loom_daily_mean(80, 0.12, 12) / loom_daily_mean(80, 0.13, 12);
    assert_true(ratio < 0.6);
    assert_near(by.run, ratio, 0.02 * ratio);
    assert_near(by.work, ratio, 0.02 * ratio);
    assert_true(fmax(found.intercept + found.slope, found.intercept + 64 * found.slope) < 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lublin_keeps_all_three),       cmocka_unit_test(work_itself_is_kept),
        cmocka_unit_test(likelihood_has_its_own_means), cmocka_unit_test(defaults_keep_the_log),
        cmocka_unit_test(a_limit_too_high_is_lowered),  cmocka_unit_test(a_limit_too_low_goes_back),
        cmocka_unit_test(small_jobs_may_run_longer),    cmocka_unit_test(gammas_have_an_order),
        cmocka_unit_test(what_is_out_of_reach_is_told),
    };
    return cmocka_run_group_tests(tests, make_mild_log, free_log);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Lublin-Feitelson model: what it makes against formulas drawn by SciPy, and its parameters
 * from its own jobs and from the log that the paper took them from. */
#include "modeling.h"
#include "models/lublin/lublin.h"
#include "models/room.h"

#include <workloom/stats.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A share of jobs that have at most that value. */
struct point {
    double value, share;
};
#include "../oracle/lublin.inc"

struct standard_error {
    const char *key;
    double error;
};
#include "../oracle/lublin_errors.inc"

enum { JOBS = 10000 };

enum { SIZES, RUNTIMES, LARGE_RUNTIMES, GAPS, FLAT_GAPS, QUANTITIES };

struct expected {
    const char *variant;
    struct {
        const struct point *points;
        size_t n;
    } lists[QUANTITIES];
    const struct standard_error *errors;
    size_t n_errors;
};

#define LIST(name, quantity) [quantity] = {name, COUNT(name)}
#define EXPECTED(name)                                                                \
    {                                                                                 \
#name, {LIST(name##_sizes, SIZES), LIST(name##_runtimes, RUNTIMES),           \
                LIST(name##_large_runtimes, LARGE_RUNTIMES), LIST(name##_gaps, GAPS), \
                LIST(name##_flat_gaps, FLAT_GAPS) },                                  \
                name##_errors, COUNT(name##_errors)                                   \
    }
static const struct expected expected[] = {EXPECTED(combined), EXPECTED(batch),
                                           EXPECTED(interactive)};

static struct loom_model *published(const char *variant)
{
    char setting[64];
    snprintf(setting, sizeof setting, "variant=%s", variant);
    const char *const settings[] = {setting, NULL};
    return must_publish("lublin2003", settings);
}

/* ---- marginals ------------------------------------------------------------------------------- */

/* The Kolmogorov-Smirnov distance of a sample, which is sorted, from a known distribution. */
static double distance(double *x, size_t n, const struct point *points, size_t n_points)
{
    double most = 0;
    size_t below = 0;
    assert_int_equal(loom_sort(x, n, NULL), 0);
    for (size_t i = 0; i < n_points; i++) {
        while (below < n && x[below] <= points[i].value)
            below++;
        most = fmax(most, fabs((double)below / (double)n - points[i].share));
    }
    return most;
}

static size_t take(double *x, const struct loom_jobs *jobs, int quantity)
{
    size_t n = 0;
    for (size_t i = 0; i < jobs->n; i++) {
        if (quantity == SIZES)
            x[n++] = jobs->req_procs[i];
        else if (quantity == RUNTIMES || (quantity == LARGE_RUNTIMES && jobs->req_procs[i] >= 16))
            x[n++] = (double)jobs->run_s[i];
        else if (quantity >= GAPS && i > 0)
            x[n++] = (double)(jobs->submit_s[i] - jobs->submit_s[i - 1]);
    }
    return n;
}

/* Gaps depend on each other through the time of day. For them the distance is taken as one of two
 * samples; for the others, and for gaps without the cycle, as one from a known distribution. */
static double p_value(const struct loom_model *model, const struct expected *e, int quantity,
                      uint64_t seed)
{
    struct loom_generate_options options = {.seed = seed, .jobs = JOBS};
    options.without = quantity == FLAT_GAPS ? LOOM_CYCLE : 0;
    double *x = malloc(JOBS * sizeof *x);
    assert_non_null(x);
    struct loom_trace *trace = must_generate(model, &options);
    size_t n = take(x, loom_trace_jobs(trace), quantity);
    double d = distance(x, n, e->lists[quantity].points, e->lists[quantity].n);
    loom_trace_destroy(trace);
    free(x);
    return loom_ks_p(d, quantity == GAPS ? (double)n / 2 : (double)n);
}

/* Of ten workloads, half a one would fail at 5 % by chance. */
static void test_marginals(void **state)
{
    (void)state;
    static const char *const names[] = {"sizes", "runtimes", "runtimes of large jobs", "gaps",
                                        "gaps without cycle"};
    for (const struct expected *e = expected; e < expected + COUNT(expected); e++) {
        struct loom_model *model = published(e->variant);
        for (int q = 0; q < QUANTITIES; q++) {
            int passed = 0;
            for (uint64_t seed = 1; seed <= 10; seed++) {
                double p = p_value(model, e, q, seed);
                passed += p > 0.05;
                if (p < 1e-4)
                    fail_msg("%s %s, seed %d: p = %g", e->variant, names[q], (int)seed, p);
            }
            if (passed < 8)
                fail_msg("%s %s: %d of 10 pass", e->variant, names[q], passed);
        }
        loom_model_destroy(model);
    }
}

/* ---- round trips ----------------------------------------------------------------------------- */

/* Of shape and arar, jobs determine the product only. */
static double parameter(const struct loom_model *model, const char *kind, const char *key)
{
    char path[96];
    double factor = 1;
    if (strcmp(key, "arrivals.peak.shape") == 0) {
        snprintf(path, sizeof path, "%s.arrivals.arar", kind);
        factor = number_in(model, path);
    }
    snprintf(path, sizeof path, "%s.%s", kind, key);
    return factor * number_in(model, path);
}

/* Within three standard errors, which are the deviation over a hundred other workloads. */
static void test_recovery(void **state)
{
    (void)state;
    static const char *const settings[] = {"estimators=likelihood", NULL};
    for (const struct expected *e = expected; e < expected + COUNT(expected); e++) {
        struct loom_model *model = published(e->variant);
        struct loom_trace *trace =
            must_generate(model, &(struct loom_generate_options){.seed = 1, .jobs = JOBS});
        struct loom_model *fitted = must_fit("lublin2003", trace, settings);
        for (size_t i = 0; i < e->n_errors; i++) {
            double truth = parameter(model, e->variant, e->errors[i].key);
            double found = parameter(fitted, "combined", e->errors[i].key);
            if (!(fabs(found - truth) <= 3 * e->errors[i].error))
                fail_msg("%s %s: %g is %.1f standard errors from %g", e->variant, e->errors[i].key,
                         found, fabs(found - truth) / e->errors[i].error, truth);
        }
        loom_model_destroy(fitted);
        loom_trace_destroy(trace);
        loom_model_destroy(model);
    }
}

/* What was fitted to a log is found again in jobs that it makes: HPC2N's parameters, where p rises
 * with size and reaches 1 at a fifth of the machine. Errors are deviations over twenty workloads of
 * as many jobs. */
static void test_recovery_of_a_fit(void **state)
{
    (void)state;
    static const struct standard_error errors[] = {
        {"sizes.serial", 0.0020},         {"sizes.power_of_two", 0.0028},
        {"sizes.log2.low", 0.0082},       {"sizes.log2.probability", 0.0036},
        {"runtimes.gamma1.shape", 0.048}, {"runtimes.gamma1.scale", 0.042},
        {"runtimes.gamma2.shape", 0.52},  {"runtimes.gamma2.scale", 0.0023},
        {"runtimes.p.slope", 0.00033},    {"runtimes.p.intercept", 0.0035},
        {"arrivals.peak.shape", 0.066},   {"arrivals.peak.scale", 0.018},
        {"arrivals.cycle.shape", 0.19},   {"arrivals.cycle.scale", 0.14},
    };
    static const char *const hpc2n[] = {
        "combined.sizes.serial=0.4244",          "combined.sizes.power_of_two=0.7630",
        "combined.sizes.log2.low=0.586",         "combined.sizes.log2.medium=2.4854",
        "combined.sizes.log2.high=6.7334",       "combined.sizes.log2.probability=0.7314",
        "combined.runtimes.gamma1.shape=2.6707", "combined.runtimes.gamma1.scale=1.5324",
        "combined.runtimes.gamma2.shape=45.124", "combined.runtimes.gamma2.scale=0.20793",
        "combined.runtimes.p.slope=0.012151",    "combined.runtimes.p.intercept=0.35593",
        "combined.runtimes.limit=13.139",        "combined.arrivals.peak.shape=3.8778",
        "combined.arrivals.peak.scale=1.1879",   "combined.arrivals.arar=1",
        "combined.arrivals.limit=12.49",         "combined.arrivals.cycle.shape=7.312",
        "combined.arrivals.cycle.scale=4.7036",
    };
    static const char *const settings[] = {"estimators=likelihood", NULL};
    struct loom_generate_options options = {.seed = 3, .jobs = 50000, .procs = 240};
    struct loom_model *model = must_set(published("combined"), hpc2n, COUNT(hpc2n));
    struct loom_trace *trace = must_generate(model, &options);
    struct loom_model *fitted = must_fit("lublin2003", trace, settings);
    for (size_t i = 0; i < COUNT(errors); i++) {
        double truth = parameter(model, "combined", errors[i].key);
        double found = parameter(fitted, "combined", errors[i].key);
        if (!(fabs(found - truth) <= 3 * errors[i].error))
            fail_msg("%s: %g is %.1f standard errors from %g", errors[i].key, found,
                     fabs(found - truth) / errors[i].error, truth);
    }
    loom_model_destroy(fitted);
    loom_trace_destroy(trace);
    loom_model_destroy(model);
}

/* Total work is fitted by expectation maximisation alone, so the limit must not matter. */
static void test_work_recovery(void **state)
{
    (void)state;
    static const char *const work[] = {"runtimes=work", NULL};
    static const char *const settings[] = {"runtimes=work", "means=free", NULL};
    static const char *const no_limit[] = {"combined.runtimes.limit=30"};
    struct loom_model *model = must_set(must_publish("lublin2003", work), no_limit, 1);
    struct loom_trace *trace =
        must_generate(model, &(struct loom_generate_options){.seed = 2, .jobs = JOBS});
    struct loom_model *fitted = must_fit("lublin2003", trace, settings);
    assert_near(number_in(fitted, "combined.runtimes.gamma1.shape"), 10.74, 1);
    assert_near(number_in(fitted, "combined.runtimes.gamma1.scale"), 0.55, 0.05);
    assert_near(number_in(fitted, "combined.runtimes.gamma2.shape"), 37.96, 3);
    assert_near(number_in(fitted, "combined.runtimes.gamma2.scale"), 0.37, 0.03);
    assert_near(number_in(fitted, "combined.runtimes.p.intercept"), 0.577, 0.02);
    assert_true(number_in(fitted, "combined.runtimes.p.slope") == 0);
    loom_model_destroy(fitted);
    loom_trace_destroy(trace);
    loom_model_destroy(model);
}

/* ---- the log of the paper -------------------------------------------------------------------- */

static struct loom_trace *completed(const char *name)
{
    const char *folder = getenv("WORKLOOM_TRACES");
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder ? folder : "../shared/traces", name);
    if (access(path, R_OK) != 0) {
        print_message("# no %s: skipped\n", path);
        skip();
    }
    struct loom_trace *trace = must_read(path, NULL);
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    uint8_t *keep = malloc(jobs->n);
    assert_non_null(keep);
    for (size_t i = 0; i < jobs->n; i++)
        keep[i] = jobs->status[i] == LOOM_STATUS_COMPLETED;
    loom_trace_keep(trace, keep);
    free(keep);
    return trace;
}

/* KTH-SP2: values of SciPy for the same definitions, and beside them what tables 1, 2, 5, 6 and 7
 * print of an earlier form of the log with four fifths of the jobs. */
static void test_kth(void **state)
{
    (void)state;
    static const struct {
        const char *key;
        double wanted, tolerance;
    } values[] = {
        {"combined.sizes.serial", 0.3463, 0.0005},         /* 0.30 */
        {"combined.sizes.power_of_two", 0.6127, 0.0005},   /* 0.60 */
        {"combined.sizes.log2.low", 0.8, 1e-9},            /* 0.70 */
        {"combined.sizes.log2.high", 6.6439, 0.0005},      /* 6.64 */
        {"combined.sizes.log2.medium", 4.0, 0.1},          /* 4.00 */
        {"combined.sizes.log2.probability", 0.879, 0.01},  /* 0.84 */
        {"combined.runtimes.gamma1.shape", 4.90, 0.1},     /* 5.76 */
        {"combined.runtimes.gamma1.scale", 0.906, 0.02},   /* 0.82 */
        {"combined.runtimes.gamma2.shape", 70.4, 1.5},     /* 159.5 */
        {"combined.runtimes.gamma2.scale", 0.1276, 0.003}, /* 0.05 */
        {"combined.runtimes.p.slope", -0.00664, 0.0001},   /* -0.0065 */
        {"combined.runtimes.p.intercept", 0.681, 0.005},   /* 0.649 */
        {"combined.arrivals.peak.shape", 6.015, 0.005},    /* 14.10 */
        {"combined.arrivals.peak.scale", 0.8724, 0.0005},  /* 0.37 */
        {"combined.arrivals.cycle.shape", 11.654, 0.005},  /* 12.00 */
        {"combined.arrivals.cycle.scale", 2.6825, 0.0005}, /* 2.55 */
    };
    static const char *const settings[] = {"gaps=peak", "means=free", NULL};
    struct loom_trace *trace = completed("KTH-SP2-1996-2.1-cln.swf.gz");
    struct loom_model *model = must_fit("lublin2003", trace, settings);
    for (size_t i = 0; i < COUNT(values); i++)
        assert_near(number_in(model, values[i].key), values[i].wanted, values[i].tolerance);
    loom_model_destroy(model);
    loom_trace_destroy(trace);
}

/* ---- kinds of jobs --------------------------------------------------------------------------- */

/* Queue 0 is interactive, 1 batch: both are fitted where the log has them. */
static void test_mix(void **state)
{
    (void)state;
    struct loom_model *model = published("mix");
    struct loom_trace *trace =
        must_generate(model, &(struct loom_generate_options){.seed = 1, .jobs = 4 * JOBS});
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    double batch = 0;
    for (size_t i = 0; i < jobs->n; i++) {
        assert_true(jobs->queue[i] == 0 || jobs->queue[i] == 1);
        assert_true(jobs->queue[i] == 1 || jobs->req_procs[i] <= 45);
        batch += jobs->queue[i];
    }
    /* Each kind comes at the rate of its own mean gap. */
    double rates[] = {1 / loom_daily_mean(6.5510 * 0.9797, 0.6621, 13),
                      1 / loom_daily_mean(6.0415 * 1.0519, 0.8531, 13)};
    assert_near(batch / (double)jobs->n, rates[1] / (rates[0] + rates[1]), 0.03);
    static const char *const settings[] = {"variant=mix", NULL};
    struct loom_model *fitted = must_fit("lublin2003", trace, settings);
    assert_near(number_in(fitted, "batch.sizes.serial"), 0.2927, 0.02);
    assert_near(number_in(fitted, "interactive.sizes.serial"), 0.1541, 0.01);
    loom_model_destroy(fitted);
    loom_trace_destroy(trace);
    loom_model_destroy(model);
}

/* A model of one kind of jobs is held against the log's jobs of that kind, fitted so or set so. */
static void test_log_of_a_kind(void **state)
{
    (void)state;
    static const char *const kinds[] = {"variant=interactive", "variant=batch"};
    struct loom_model *mix = published("mix");
    struct loom_trace *trace =
        must_generate(mix, &(struct loom_generate_options){.seed = 1, .jobs = JOBS});
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    struct loom_model *combined = must_fit("lublin2003", trace, (const char *const[]){NULL});
    for (int32_t queue = 0; queue < 2; queue++) {
        double work_s = 0, first_s = -1, last_s = 0, log_s, model_s;
        int64_t n = 0;
        for (size_t i = 0; i < jobs->n; i++)
            if (jobs->queue[i] == queue) {
                n++;
                work_s += (double)jobs->run_s[i] * jobs->req_procs[i];
                last_s = (double)jobs->submit_s[i];
                first_s = first_s < 0 ? last_s : first_s;
            }
        struct loom_model *fitted =
            must_fit("lublin2003", trace, (const char *const[]){kinds[queue], NULL});
        struct loom_model *set = NULL;
        assert_int_equal(loom_model_set(&set, combined, &kinds[queue], 1, NULL), 0);
        assert_int_equal(loom_model_log_jobs(fitted), n);
        assert_int_equal(loom_model_log_jobs(set), n);
        assert_near(loom_model_log_load(set), work_s / ((last_s - first_s) * 128), 1e-9);
        loom_model_interarrival(set, &log_s, &model_s);
        assert_near(log_s, (last_s - first_s) / (double)(n - 1), 1e-6);
        assert_near(model_s / log_s, 1, 0.1);
        struct loom_trace *generated =
            must_generate(set, &(struct loom_generate_options){.seed = 1});
        assert_int_equal(loom_trace_count(generated), n);
        loom_trace_destroy(generated);
        loom_model_destroy(set);
        loom_model_destroy(fitted);
    }
    assert_int_equal(loom_model_log_jobs(combined), JOBS);
    loom_model_destroy(combined);
    loom_trace_destroy(trace);
    loom_model_destroy(mix);
}

/* The clock of mixed jobs runs as they come: half of what the shares of half hours differ, in all,
 * is what chance and bursts make of 400,000 jobs. */
static void test_week_of_mix(void **state)
{
    (void)state;
    enum { SLOTS = 48, MANY = 400000 };
    struct loom_model *model = published("mix");
    struct loom_generate_options options = {.seed = 3, .jobs = MANY};
    struct loom_trace *trace = must_generate(model, &options);
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    double speed[LOOM_WEEK_SLOTS], made[SLOTS] = {0}, wanted[SLOTS] = {0}, sum = 0, apart = 0;
    assert_true(loom_model_week(model, speed));
    for (size_t i = 0; i < jobs->n; i++)
        made[jobs->submit_s[i] / 1800 % SLOTS] += 1.0 / MANY;
    for (int i = 0; i < LOOM_WEEK_SLOTS; i++)
        sum += speed[i];
    for (int i = 0; i < LOOM_WEEK_SLOTS; i++)
        wanted[i % SLOTS] += speed[i] / sum;
    for (int i = 0; i < SLOTS; i++)
        apart += fabs(made[i] - wanted[i]) / 2;
    assert_true(apart < 0.015);
    loom_trace_destroy(trace);
    loom_model_destroy(model);
}

static void test_refusals(void **state)
{
    (void)state;
    const struct loom_model_info *info;
    struct loom_model *model = NULL;
    struct loom_error err = {0};
    assert_int_equal(loom_model_find(&info, "lublin2003", &err), 0);
    const struct loom_param *const lists[] = {info->params, NULL};
    struct loom_params *params;
    assert_int_equal(loom_params_create(&params, lists, NULL), 0);
    assert_int_equal(loom_params_set(params, "variant", "mix", NULL), 0);
    assert_int_equal(loom_params_set(params, "runtimes", "work", NULL), 0);
    assert_int_equal(loom_model_published(&model, "lublin2003", params, &err), LOOM_EUSAGE);
    struct loom_model *combined = published("combined");
    struct loom_trace *trace =
        must_generate(combined, &(struct loom_generate_options){.seed = 1, .jobs = 1000});
    assert_int_equal(loom_model_fit(&model, "lublin2003", trace, params, NULL, &err), LOOM_EDATA);
    assert_non_null(strstr(err.message, "variant mix cannot be fitted"));
    loom_trace_destroy(trace);
    loom_model_destroy(combined);
    loom_params_destroy(params);
}

/* ---- sizes and runtimes --------------------------------------------------------------------- */

/* Table 1: high is log2 of the machine and medium 2.5 below, where that makes sense. */
static void test_machines(void **state)
{
    (void)state;
    static const struct {
        int32_t procs;
        double medium, high;
    } machines[] = {{128, 4.5, 7}, {1024, 7.5, 10}, {100, 4.143856, 6.643856},
                    {16, 1.5, 4},  {8, 1.5, 3},     {4, 1.4, 2},
                    {2, 0.9, 1}};
    static const struct loom_lublin_sizes sizes = {0.244, 0.762, 0.8, 4.5, 7, 0.86};
    for (size_t m = 0; m < COUNT(machines); m++) {
        struct loom_lublin_sizer sizer;
        int32_t procs = machines[m].procs, most = 0;
        loom_lublin_sizer_open(&sizer, &sizes, procs, 128);
        assert_near(sizer.sizes.medium, machines[m].medium, 1e-6);
        assert_near(sizer.sizes.high, machines[m].high, 1e-6);
        for (int i = 0; i < 100000; i++) {
            int32_t size = loom_lublin_size(&sizer, i / 1e5);
            assert_true(size >= 1 && size <= procs);
            most = size > most ? size : most;
        }
        assert_int_equal(most, procs);
    }
    struct loom_lublin_sizer serial;
    loom_lublin_sizer_open(&serial, &sizes, 1, 128);
    assert_int_equal(loom_lublin_size(&serial, 0.999), 1);
}

/* Sizes at even distances of their places, all of them rounded to powers of two: the paper's
 * estimators allow for the rounding, and find what they are of. */
static void test_sizes_by_hand(void **state)
{
    (void)state;
    enum { N = 20000 };
    static const struct loom_lublin_sizes cases[] = {{0.2, 1, 0.8, 4.5, 7, 0.86},
                                                     {0.4, 1, 0.8, 2.5, 7, 0.6}};
    int32_t *procs = malloc(N * sizeof *procs);
    for (size_t k = 0; k < COUNT(cases); k++) {
        struct loom_lublin_sizer sizer;
        struct loom_lublin_sizes found;
        loom_lublin_sizer_open(&sizer, &cases[k], 128, 128);
        for (int i = 0; i < N; i++)
            procs[i] = loom_lublin_size(&sizer, (i + 0.5) / N);
        struct loom_lublin_jobs jobs = {.procs = procs, .n = N};
        struct loom_lublin_fitting how = {.procs = 128};
        assert_int_equal(loom_lublin_sizes_fit(&found, &jobs, &how, NULL), 0);
        assert_near(found.serial, cases[k].serial, 1e-3);
        assert_near(found.power_of_two, 1, 1e-12);
        assert_near(found.low, 0.8, 1e-12);
        assert_near(found.high, 7, 1e-12);
        assert_near(found.medium, cases[k].medium, 0.03);
        assert_near(found.probability, cases[k].probability, 0.01);
    }
    free(procs);
}

static double correlation(const struct loom_trace *trace)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    double *size = malloc(jobs->n * sizeof *size), *run = malloc(jobs->n * sizeof *run), r;
    assert_true(size && run);
    for (size_t i = 0; i < jobs->n; i++) {
        size[i] = jobs->req_procs[i];
        run[i] = log((double)jobs->run_s[i]);
    }
    assert_int_equal(loom_pearson(&r, size, run, jobs->n, NULL), 0);
    free(size);
    free(run);
    return r;
}

/* The same sizes and the same marginal of runtimes, but independent. */
static void test_without_correlation(void **state)
{
    (void)state;
    struct loom_model *model = published("combined");
    struct loom_generate_options options = {.seed = 3, .jobs = JOBS};
    struct loom_trace *with = must_generate(model, &options);
    options.without = LOOM_CORRELATION;
    struct loom_trace *without = must_generate(model, &options);
    assert_true(correlation(with) > 0.15);
    assert_true(fabs(correlation(without)) < 0.03);
    double *a = malloc(JOBS * sizeof *a), *b = malloc(JOBS * sizeof *b);
    assert_true(a && b);
    for (int q = 0; q < 2; q++) {
        take(a, loom_trace_jobs(with), q);
        take(b, loom_trace_jobs(without), q);
        assert_int_equal(loom_sort(a, JOBS, NULL), 0);
        assert_int_equal(loom_sort(b, JOBS, NULL), 0);
        assert_true(q == 0 ? memcmp(a, b, JOBS * sizeof *a) == 0
                           : loom_ks_p(loom_ks_two(a, JOBS, b, JOBS), JOBS / 2.0) > 0.01);
    }
    free(a);
    free(b);
    loom_trace_destroy(with);
    loom_trace_destroy(without);
    loom_model_destroy(model);
}

/* No run is longer than the limit, and what large jobs do is the hyper-gamma up to it. */
static void test_work(void **state)
{
    (void)state;
    static const char *const settings[] = {"runtimes=work", NULL};
    static const double params[] = {0.577, 10.74, 0.55, 0.423, 37.96, 0.37};
    static const double limit = 12 + 7 * M_LN2; /* of work */
    struct loom_dist dist;
    assert_int_equal(loom_dist_init(&dist, "hypergamma", params, 6, NULL), 0);
    struct loom_model *model = must_publish("lublin2003", settings);
    struct loom_trace *trace =
        must_generate(model, &(struct loom_generate_options){.seed = 1, .jobs = 10 * JOBS});
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    double *x = malloc(jobs->n * sizeof *x);
    assert_non_null(x);
    size_t n = 0;
    for (size_t i = 0; i < jobs->n; i++) {
        double run_s = (double)jobs->run_s[i];
        assert_true(run_s == 1 || log((run_s - 1) * jobs->req_procs[i]) <= limit);
        if (jobs->req_procs[i] == 64 && jobs->run_s[i] > 20) /* whole seconds do not show */
            x[n++] = log(64 * (double)jobs->run_s[i]);
    }
    assert_int_equal(loom_sort(x, n, NULL), 0);
    double low = loom_dist_cdf(&dist, log(64 * 20.5)), high = loom_dist_cdf(&dist, limit);
    double most = 0;
    for (size_t i = 0; i < n; i++) {
        double share = (loom_dist_cdf(&dist, x[i]) - low) / (high - low);
        most = fmax(most, fabs(share - ((double)i + 0.5) / (double)n));
    }
    assert_true(n > 1000 && loom_ks_p(most, (double)n) > 0.01);
    assert_true(correlation(trace) < 0);
    free(x);
    loom_trace_destroy(trace);
    loom_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_marginals),
        cmocka_unit_test(test_recovery),
        cmocka_unit_test(test_recovery_of_a_fit),
        cmocka_unit_test(test_work_recovery),
        cmocka_unit_test(test_kth),
        cmocka_unit_test(test_mix),
        cmocka_unit_test(test_log_of_a_kind),
        cmocka_unit_test(test_week_of_mix),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_machines),
        cmocka_unit_test(test_sizes_by_hand),
        cmocka_unit_test(test_without_correlation),
        cmocka_unit_test(test_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

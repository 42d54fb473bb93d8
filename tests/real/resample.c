/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Resampled real logs are like the logs (Zakay, chapter 3, section 5): self-similarity, locality,
 * the weekly cycle and the number of jobs of eight variants of five logs, and the work under load
 * factors. Speaks TAP; skipped where there is no log.
 *
 * The figures of docs/validation/resample.md are written as comments.
 */
#include "unit/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <workloom/features.h>
#include <workloom/models.h>
#include <workloom/resample.h>
#include <workloom/stats.h>

enum { HURST, RUNTIME, ESTIMATE, PROCS, KEYS, JOBS = KEYS, WORK, CYCLE, ALL };
enum { HOURS = 168, VARIANTS = 8, LOAD_VARIANTS = 20 };

static const char *const keys[KEYS] = {"arrival.hurst.pox", "locality.stack.runtime",
                                       "locality.stack.estimate", "locality.stack.procs"};

struct log {
    struct loom_trace *trace;
    double figures[ALL];
    double week[HOURS];
};

/* ---- what is measured ------------------------------------------------------------------------ */

static void take_week(double week[HOURS], const struct loom_trace *trace)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    struct loom_zone *zone = NULL;
    assert_int_equal(loom_zone_create(&zone, trace, NULL, NULL), 0);
    memset(week, 0, HOURS * sizeof *week);
    for (size_t i = 0; i < jobs->n; i++)
        week[loom_zone_local(zone, jobs->submit_s[i]) / 3600 % HOURS]++;
    loom_zone_destroy(zone);
}

static double work_of(const struct loom_trace *trace)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    double work = 0;
    for (size_t i = 0; i < jobs->n; i++)
        if (jobs->run_s[i] > 0 && loom_job_procs(jobs, i) > 0)
            work += (double)jobs->run_s[i] * loom_job_procs(jobs, i);
    return work;
}

static double correlation(const double *a, const double *b, size_t n)
{
    double ab = 0, aa = 0, bb = 0, ma = 0, mb = 0;
    for (size_t i = 0; i < n; i++) {
        ma += a[i] / (double)n;
        mb += b[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        ab += (a[i] - ma) * (b[i] - mb);
        aa += (a[i] - ma) * (a[i] - ma);
        bb += (b[i] - mb) * (b[i] - mb);
    }
    return ab / sqrt(aa * bb);
}

static void measure(double figures[ALL], const struct loom_trace *trace, const struct log *log)
{
    struct loom_features *features = NULL;
    double week[HOURS];
    assert_int_equal(loom_features_create(&features, trace, NULL, NULL, NULL), 0);
    for (int i = 0; i < KEYS; i++) {
        const struct loom_feature *feature = loom_features_find(features, keys[i]);
        figures[i] = feature->known ? feature->value : NAN;
    }
    loom_features_destroy(features);
    take_week(week, trace);
    figures[JOBS] = (double)loom_trace_count(trace);
    figures[WORK] = work_of(trace);
    figures[CYCLE] = correlation(week, log->week, HOURS);
}

static void comment(const char *what, const double figures[ALL])
{
    printf("# %-22s H %.3f  stack depths %.2f %.2f %.2f  jobs %.0f  work %.4g  cycle %.3f\n", what,
           figures[HURST], figures[RUNTIME], figures[ESTIMATE], figures[PROCS], figures[JOBS],
           figures[WORK], figures[CYCLE]);
}

/* ---- logs ------------------------------------------------------------------------------------ */

/* The jobs that ran; NULL where the log is not there. */
static struct loom_trace *ran_jobs(const char *name)
{
    struct loom_trace *trace = real_log(name);
    size_t n = trace ? loom_trace_count(trace) : 0;
    uint8_t *keep = malloc(n + 1);
    for (size_t i = 0; i < n; i++)
        keep[i] =
            loom_trace_jobs(trace)->run_s[i] >= 0 && loom_trace_jobs(trace)->alloc_procs[i] > 0;
    if (trace)
        loom_trace_keep(trace, keep);
    free(keep);
    return trace;
}

/* Skips the test where the log is not there. */
static struct log open_log(const char *name)
{
    struct log log = {.trace = ran_jobs(name)};
    if (!log.trace)
        skip();
    take_week(log.week, log.trace);
    measure(log.figures, log.trace, &log);
    comment(name, log.figures);
    return log;
}

static struct loom_resampled *variant(const struct loom_resampler *resampler, uint64_t replication)
{
    struct loom_resampled *resampled = NULL;
    assert_int_equal(loom_resample(&resampled, resampler, 1, replication, NULL), 0);
    return resampled;
}

static struct loom_resampler *prepare(const struct log *log, double factor)
{
    struct loom_resample_rule rule = loom_resample_rule();
    struct loom_resampler *resampler = NULL;
    const struct loom_trace *trace = log->trace;
    rule.population.load_factor = factor;
    assert_int_equal(loom_resampler_create(&resampler, &trace, 1, &rule, NULL), 0);
    return resampler;
}

/* ---- variants -------------------------------------------------------------------------------- */

static void add_variant(double mean[ALL], double spread[ALL],
                        const struct loom_resampler *resampler, const struct log *log,
                        uint64_t replication)
{
    double figures[ALL];
    struct loom_resampled *made = variant(resampler, replication);
    measure(figures, made->trace, log);
    for (int i = 0; i < ALL; i++) {
        mean[i] += figures[i] / VARIANTS;
        spread[i] += figures[i] * figures[i] / VARIANTS;
    }
    loom_resampled_destroy(made);
}

static void assert_like(const char *what, double got, double wanted, double tolerance)
{
    if (!(fabs(got - wanted) <= tolerance))
        fail_msg("%s is %g, and %g in the log", what, got, wanted);
}

/* With weeks by the clock on the wall, the cycle is nearer still. */
static double wall_cycle(const struct log *log)
{
    struct loom_resample_rule rule = loom_resample_rule();
    struct loom_resampler *resampler = NULL;
    const struct loom_trace *trace = log->trace;
    double week[HOURS], mean = 0;
    rule.wall_clock = true;
    assert_int_equal(loom_resampler_create(&resampler, &trace, 1, &rule, NULL), 0);
    for (uint64_t i = 0; i < VARIANTS; i++) {
        struct loom_resampled *made = variant(resampler, i);
        take_week(week, made->trace);
        mean += correlation(week, log->week, HOURS) / VARIANTS;
        loom_resampled_destroy(made);
    }
    loom_resampler_destroy(resampler);
    return mean;
}

static void check_variants(const char *name)
{
    struct log log = open_log(name);
    struct loom_resampler *resampler = prepare(&log, 1);
    double mean[ALL] = {0}, spread[ALL] = {0};
    for (uint64_t i = 0; i < VARIANTS; i++)
        add_variant(mean, spread, resampler, &log, i);
    for (int i = 0; i < ALL; i++)
        spread[i] = sqrt(fmax(0, spread[i] - mean[i] * mean[i]) * VARIANTS / (VARIANTS - 1));
    comment("variants, mean", mean);
    comment("variants, deviation", spread);
    assert_like(keys[HURST], mean[HURST], log.figures[HURST], 0.10);
    for (int i = RUNTIME; i <= PROCS; i++)
        assert_like(keys[i], mean[i], log.figures[i], 0.12 * log.figures[i]);
    assert_like("jobs", mean[JOBS], log.figures[JOBS], 0.10 * log.figures[JOBS]);
    assert_true(mean[CYCLE] > 0.9);
    double cycle = wall_cycle(&log);
    printf("# by the clock on the wall, the cycle is %.3f\n", cycle);
    assert_true(cycle > 0.95);
    loom_resampler_destroy(resampler);
    loom_trace_destroy(log.trace);
}

/* ---- even load --------------------------------------------------------------------------------
 */

/* On average over twenty variants, each tenth of a workload has about the mean load, and there are
 * as many jobs as in the log. */
static void check_even(const char *name)
{
    struct log log = {.trace = real_log(name)};
    if (!log.trace)
        skip();
    struct loom_resampler *resampler = prepare(&log, 1);
    double mean[LOOM_TENTHS] = {0}, tenths[LOOM_TENTHS], jobs = 0;
    for (uint64_t i = 0; i < LOAD_VARIANTS; i++) {
        struct loom_resampled *made = variant(resampler, i);
        loom_resampled_tenths(tenths, made);
        for (size_t k = 0; k < LOOM_TENTHS; k++)
            mean[k] += tenths[k] / LOAD_VARIANTS;
        jobs += (double)loom_trace_count(made->trace) / LOAD_VARIANTS;
        loom_resampled_destroy(made);
    }
    double of_log = (double)loom_trace_count(log.trace);
    printf("# %s: %.4f times the jobs; load by tenths", name, jobs / of_log);
    for (size_t k = 0; k < LOOM_TENTHS; k++)
        printf(" %.2f", mean[k]);
    printf("\n");
    for (size_t k = 0; k < LOOM_TENTHS; k++)
        assert_like("the load of a tenth", mean[k], 1, 0.2);
    assert_like("jobs", jobs, of_log, 0.01 * of_log);
    loom_resampler_destroy(resampler);
    loom_trace_destroy(log.trace);
}

/* ---- load factors ---------------------------------------------------------------------------- */

/* Twenty variants have so many times the users of twenty with a factor of 1, and so many times the
 * log's work. */
static void check_loads(const char *name)
{
    static const double factors[] = {1, 0.5, 1.5, 3};
    struct log log = {.trace = ran_jobs(name)};
    if (!log.trace)
        skip();
    double work = work_of(log.trace), users_of_one = 0;
    for (size_t f = 0; f < COUNT(factors); f++) {
        struct loom_resampler *resampler = prepare(&log, factors[f]);
        double users = 0, done = 0;
        for (uint64_t i = 0; i < LOAD_VARIANTS; i++) {
            struct loom_resampled *made = variant(resampler, i);
            users += (double)made->persons / LOAD_VARIANTS;
            done += work_of(made->trace) / LOAD_VARIANTS;
            loom_resampled_destroy(made);
        }
        users_of_one = f == 0 ? users : users_of_one;
        printf("# %-22s load factor %g: %.1f users, %.3f times the work\n", name, factors[f], users,
               done / work);
        assert_like("the number of users", users, factors[f] * users_of_one, 0.05 * users);
        assert_like("the work", done / work, factors[f], 0.10 * factors[f]);
        loom_resampler_destroy(resampler);
    }
    loom_trace_destroy(log.trace);
}

#define TEST(name, file)                           \
    static void test_variants_##name(void **state) \
    {                                              \
        (void)state;                               \
        check_variants(file);                      \
    }                                              \
    static void test_loads_##name(void **state)    \
    {                                              \
        (void)state;                               \
        check_loads(file);                         \
    }                                              \
    static void test_even_##name(void **state)     \
    {                                              \
        (void)state;                               \
        check_even(file);                          \
    }
TEST(kth, "KTH-SP2-1996-2.1-cln")
TEST(sp2, "SDSC-SP2-1998-4.2-cln")
TEST(blue, "SDSC-BLUE-2000-4.2-cln")
TEST(hpc2n, "HPC2N-2002-2.2-cln")
TEST(cm5, "LANL-CM5-1994-4.1-cln")
#undef TEST

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_variants_kth),  cmocka_unit_test(test_loads_kth),
        cmocka_unit_test(test_even_kth),      cmocka_unit_test(test_variants_sp2),
        cmocka_unit_test(test_loads_sp2),     cmocka_unit_test(test_even_sp2),
        cmocka_unit_test(test_variants_blue), cmocka_unit_test(test_loads_blue),
        cmocka_unit_test(test_even_blue),     cmocka_unit_test(test_variants_hpc2n),
        cmocka_unit_test(test_loads_hpc2n),   cmocka_unit_test(test_even_hpc2n),
        cmocka_unit_test(test_variants_cm5),  cmocka_unit_test(test_loads_cm5),
        cmocka_unit_test(test_even_cm5),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

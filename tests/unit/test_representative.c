/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One hyper-gamma for several logs: Lublin and Feitelson's tables 2 and 3 (section 5.2), with
 * values of tests/oracle/representative.py; and the distance of daily cycles (section 7.3) by hand.
 */
#include "modeling.h"

#include <math.h>
#include <workloom/features.h>
#include <workloom/stats.h>

enum { LOGS = 4, PARAMS = 5 };

/* alpha1, beta1, alpha2, beta2, p of SDSC95, SDSC96, KTH and LANL. */
struct printed {
    double fits[LOGS][PARAMS];
    double average[PARAMS], search[PARAMS];
    size_t kept;
};

static const struct printed tables[] = {
    {.fits = {{2.35, 1.50, 1533, .007, .94},
              {4.15, .96, 569.7, .018, .70},
              {5.76, .82, 159.5, .05, .61},
              {6.00, .66, 68.5, .13, .55}},
     .average = {4.28472, 0.939572, 312.543, 0.030083, 0.7},
     .search = {3.755, 1.22167, 148.989, 0.0626227, 0.8425},
     .kept = 54},
    {.fits = {{3.66, 1.32, 13.4, .87, .88},
              {5.12, 1.09, 120.0, .10, .71},
              {118.4, .06, 42.2, .28, .30},
              {5.16, 1.10, 30.6, .34, .59}},
     .average = {10.344, 0.555119, 37.9603, 0.301675, 0.62},
     .search = {8.72868, 0.609492, 40.0999, 0.294958, 0.59},
     .kept = 25},
};

static struct loom_dist dist_of(const double *p)
{
    const double params[] = {p[4], p[0], p[1], 1 - p[4], p[2], p[3]};
    struct loom_dist dist;
    assert_int_equal(loom_dist_init(&dist, "hypergamma", params, 6, NULL), 0);
    return dist;
}

static void assert_dist(const struct loom_dist *dist, const double *wanted)
{
    static const size_t places[PARAMS] = {1, 2, 4, 5, 0};
    for (size_t j = 0; j < PARAMS; j++)
        if (!(fabs(dist->params[places[j]] / wanted[j] - 1) < 1e-5))
            fail_msg("parameter %zu is %g, not %g", j, dist->params[places[j]], wanted[j]);
}

static void combined(void **state)
{
    (void)state;
    for (size_t t = 0; t < COUNT(tables); t++) {
        struct loom_dist fits[LOGS], average, search, rounded;
        size_t kept;
        for (size_t i = 0; i < LOGS; i++)
            fits[i] = dist_of(tables[t].fits[i]);
        assert_int_equal(loom_hypergamma_average(&average, fits, LOGS, NULL), 0);
        assert_dist(&average, tables[t].average);
        assert_int_equal(loom_hypergamma_search(&search, &kept, fits, LOGS, NULL), 0);
        assert_dist(&search, tables[t].search);
        assert_int_equal(kept, tables[t].kept);
        assert_int_equal(loom_hypergamma_round(&rounded, &average, NULL), 0);
        assert_true(fabs(loom_dist_mean(&rounded) / loom_dist_mean(&average) - 1) < 1e-12);
        for (size_t j = 1; j < 6; j += 3)
            assert_true(fabs(rounded.params[j] - round(average.params[j])) < 1e-12);
    }
}

static void refused(void **state)
{
    const double one_mode[PARAMS] = {5, 1, 5, 1, 0.5}, gamma[] = {2, 3};
    struct loom_dist fits[2] = {dist_of(one_mode), dist_of(one_mode)}, out;
    struct loom_error err;
    size_t kept;
    (void)state;
    assert_int_equal(loom_hypergamma_average(&out, fits, 1, &err), LOOM_EDATA);
    assert_int_equal(loom_hypergamma_search(&out, &kept, fits, 2, &err), LOOM_EDATA);
    assert_int_equal(loom_dist_init(&fits[1], "gamma", gamma, 2, NULL), 0);
    assert_int_equal(loom_hypergamma_average(&out, fits, 2, &err), LOOM_EUSAGE);
    assert_int_equal(loom_hypergamma_round(&out, &fits[1], &err), LOOM_EUSAGE);
}

/* ---- daily cycles ---------------------------------------------------------------------------- */

/* So many jobs in each half hour from midnight, UTC. */
static struct loom_trace *day(const int *slots, size_t n, bool clock)
{
    struct loom_trace *trace = empty_trace();
    if (clock)
        assert_int_equal(loom_trace_add_directive(trace, "UnixStartTime", "946684800", NULL), 0);
    for (size_t slot = 0; slot < n; slot++)
        for (int i = 0; i < slots[slot]; i++) {
            struct loom_job job = loom_job_unknown();
            job.submit_s = (int64_t)slot * 1800 + i;
            append(trace, job);
        }
    struct loom_job unknown = loom_job_unknown();
    append(trace, unknown); /* without a submit time */
    return trace;
}

/* Data 6, 2, 0; model 1, 1, 2, scaled by 2: 16/8 + 0 + 16/4 = 6. */
static void cycles(void **state)
{
    static const int data_slots[] = {6, 2, 0}, model_slots[] = {1, 1, 2};
    struct loom_trace *data = day(data_slots, 3, true), *model = day(model_slots, 3, true);
    struct loom_trace *timeless = day(model_slots, 3, false);
    double p;
    (void)state;
    assert_int_equal(loom_daily_cycle_distance(&p, data, model, NULL), 0);
    assert_true(fabs(p - 6) < 1e-12);
    assert_int_equal(loom_daily_cycle_distance(&p, data, data, NULL), 0);
    assert_true(fabs(p) < 1e-12);
    assert_int_equal(loom_daily_cycle_distance(&p, data, timeless, NULL), 0);
    assert_true(isnan(p));
    loom_trace_destroy(data);
    loom_trace_destroy(model);
    loom_trace_destroy(timeless);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(combined),
        cmocka_unit_test(refused),
        cmocka_unit_test(cycles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

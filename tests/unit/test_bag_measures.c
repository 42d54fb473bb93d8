/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures of bags of tasks: fourteen jobs worked by hand. */
#include "bag_rows.h"

/* ---- fourteen jobs --------------------------------------------------------------------------- */

/* Six bags, in order of arrival, out of order in the log:
 *
 *      bag  arrives  jobs  runtimes     processors  estimate  waits
 *       A        0     2   10 20             2        100      0 10   exactly 100 s apart
 *       B      201     1   30                2        100      50     101 s later
 *       C      250     3   5 5 8             1         50      40 0 50
 *       D      270     1   40                2        100      -      as B, but C is in between
 *       E     1000     3   60 60 0           4          -      0 0 0
 *       F     5000     4   100 (4 times)     1        200      25 (4 times)
 *
 * A, C, E and F are real. */
static const struct row fourteen[] = {
    {5000, 2, 100, 1, 200, 25}, {5001, 2, 100, 1, 200, 25}, {5002, 2, 100, 1, 200, 25},
    {5003, 2, 100, 1, 200, 25}, {0, 1, 10, 2, 100, 0},      {100, 1, 20, 2, 100, 10},
    {270, 1, 40, 2, 100, -1},   {250, 2, 5, 1, 50, 40},     {250, 2, 5, 1, 50, 0},
    {260, 2, 8, 1, 50, 50},     {201, 1, 30, 2, 100, 50},   {1000, 3, 60, 4, -1, 0},
    {1050, 3, 60, 4, -1, 0},    {1090, 3, 0, 4, -1, 0},
};

static void sizes_of_fourteen_jobs(void **state)
{
    (void)state;
    struct loom_features *features = measure(log_of(fourteen, COUNT(fourteen)));
    static const struct wanted wanted[] = {
        {"bot.count", 4},
        {"bot.job_fraction", 12.0 / 14},
        {"bot.size.mean", 3},
        {"bot.size.max", 4},
    };
    assert_values(features, wanted, COUNT(wanted), 1e-15);
    /* Sizes 2 1 3 1 3 4. */
    assert_value(features, "bot.size.alpha", 1.862692009, 1e-8);
    loom_features_destroy(features);
}

/* Runtimes in bags add up to 30 + 18 + 120 + 400. Their cv, with n: A has mean 15 and squares
 * 25 + 25, so sqrt(25) / 15 = 1 / 3; C has 6 and 1 + 1 + 4, so sqrt(2) / 6; E has 40 and 400 +
 * 400 + 1600, so sqrt(800) / 40 = sqrt(2) / 2; F has 0.
 *
 * Durations are 100 10 90 3; in order 3 10 90 100, and 0.99 * 3 = 2.97 steps up from the first is
 * 90 + 0.97 * 10. */
static void insides_of_fourteen_jobs(void **state)
{
    (void)state;
    const struct wanted wanted[] = {
        {"bot.runtime.mean_s", 568.0 / 12},
        {"bot.runtime.cv_mean", (1.0 / 3 + sqrt(2) / 6 + sqrt(2) / 2) / 4},
        {"bot.duration.p99_s", 99.7},
    };
    struct loom_features *features = measure(log_of(fourteen, COUNT(fourteen)));
    assert_values(features, wanted, COUNT(wanted), 1e-14);
    loom_features_destroy(features);
}

/* Processor-seconds: A 60, C 18, E 480, F 400 of these and 60 + 80 in B and D. Waits: A 10, C 90,
 * F 100, and 50 in B. Estimated: A 100 * 2 twice, C 50 three times, F 200 four times; E has no
 * estimates, so its 480 do not count. */
static void consumption_of_fourteen_jobs(void **state)
{
    (void)state;
    static const struct wanted wanted[] = {
        {"bot.occupation_fraction", 958.0 / 1098},
        {"bot.wait_fraction", 200.0 / 250},
        {"bot.estimate_utilization", 478.0 / 1350},
    };
    struct loom_features *features = measure(log_of(fourteen, COUNT(fourteen)));
    assert_values(features, wanted, COUNT(wanted), 1e-14);
    loom_features_destroy(features);
}

/* Sizes 2 3 3 4 have ranks 1 2.5 2.5 4, from their mean -1.5 0 0 1.5, squares 4.5.
 * Runtimes 15 6 40 100: ranks 2 1 3 4, so -0.5 -1.5 0.5 1.5, squares 5, products 0.75 + 2.25.
 * Processors 2 1 4 1: ranks 3 1.5 4 1.5, so 0.5 -1 1.5 -1, squares 4.5, products -0.75 - 1.5.
 * Estimates 100 50 200 of A, C, F: ranks 2 1 3 against 1 2 3, so 1 - 6 (1 + 1) / (3 * 8). */
static void correlations_of_fourteen_jobs(void **state)
{
    (void)state;
    const struct wanted wanted[] = {
        {"bot.corr.size_runtime", 3 / sqrt(4.5 * 5)},
        {"bot.corr.size_procs", -0.5},
        {"bot.corr.size_estimate", 0.5},
    };
    struct loom_features *features = measure(log_of(fourteen, COUNT(fourteen)));
    assert_values(features, wanted, COUNT(wanted), 1e-14);
    loom_features_destroy(features);
}

/* Times between bags: 201 49 20 730 4000, mean 1000. The exponential is farthest at the third of
 * them in order, 201: 3/5 against 1 - exp(-0.201). */
static void arrivals_of_fourteen_jobs(void **state)
{
    (void)state;
    const double squares = 799 * 799 + 951 * 951 + 980 * 980 + 270 * 270 + 3000 * 3000;
    const struct wanted exact[] = {
        {"bot.interarrival.mean_s", 1000},
        {"bot.interarrival.cv", sqrt(squares / 4) / 1000},
        {"bot.interarrival.fit.exponential.mean", 1000},
        {"bot.interarrival.fit.exponential.ks", 0.6 - (1 - exp(-0.201))},
    };
    static const struct wanted fitted[] = {
        {"bot.interarrival.fit.gp.shape", 1.45906647581},
        {"bot.interarrival.fit.gp.scale", 156.907743293},
        {"bot.interarrival.fit.gp.ks", 0.173119588018},
        {"bot.interarrival.fit.weibull.shape", 0.559476846373},
        {"bot.interarrival.fit.weibull.scale", 588.054755131},
        {"bot.interarrival.fit.weibull.ks", 0.179579478397},
        {"bot.interarrival.fit.lognormal.mu", 5.41559033079},
        {"bot.interarrival.fit.lognormal.sigma", 1.89008584684},
        {"bot.interarrival.fit.lognormal.ks", 0.189933610996},
        {"bot.interarrival.fit.gamma.shape", 0.435092178526},
        {"bot.interarrival.fit.gamma.scale", 2298.36354077},
        {"bot.interarrival.fit.gamma.ks", 0.21909617087},
    };
    struct loom_features *features = measure(log_of(fourteen, COUNT(fourteen)));
    assert_values(features, exact, COUNT(exact), 1e-14);
    assert_values(features, fitted, COUNT(fitted), 1e-6);
    assert_missing(
        features, "bot.hurst.mean",
        "there are too few intervals of the rate process, or too few with arrivals, to estimate "
        "it");
    loom_features_destroy(features);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_of_fourteen_jobs),
        cmocka_unit_test(insides_of_fourteen_jobs),
        cmocka_unit_test(consumption_of_fourteen_jobs),
        cmocka_unit_test(correlations_of_fourteen_jobs),
        cmocka_unit_test(arrivals_of_fourteen_jobs),
    };
    return cmocka_run_group_tests_name("bag_measures", tests, NULL, NULL);
}

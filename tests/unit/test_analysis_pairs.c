/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pairs of an analysis, worked by hand with Student's t, as there are fewer than 10 replications:
 * which cells are paired, who is better, how many replications it takes, Holm's steps, and ends of
 * intervals within the range of the metric. */
#include "samples.h"

#include <string.h>
#include <workloom/experiment_results.h>
#include <workloom/stats_intervals.h>

static const char *const keys[] = {"wait_mean_s", "utilization", "bounded_slowdown_mean"};
enum { WAIT, UTILIZATION, SLOWDOWN, RUNS = 5 };

static struct loom_results_cell cell_of(const char *scheduler)
{
    return (struct loom_results_cell){.trace = "log",
                                      .source = "resample",
                                      .scheduler = scheduler,
                                      .load = 0.9,
                                      .replications = RUNS};
}

static struct loom_run_results *make(const struct loom_results_cell *cells, size_t n)
{
    struct loom_run_results *results = NULL;
    assert_int_equal(loom_results_create(&results, cells, n, RUNS, keys, COUNT(keys), NULL), 0);
    return results;
}

static void fill(struct loom_run_results *results, size_t cell, size_t metric, const double *values)
{
    for (int64_t r = 0; r < RUNS; r++)
        loom_results_set(results, cell, metric, r, values[r]);
}

static struct loom_analysis *analyse(const struct loom_run_results *results, size_t metric,
                                     const char *compare)
{
    struct loom_analysis *analysis = NULL;
    struct loom_error err = {0};
    struct loom_analysis_options options = {.metric = keys[metric], .compare = compare};
    if (loom_analysis_create(&analysis, results, &options, &err))
        fail_msg("%s", err.message);
    return analysis;
}

/* Replication 3 of a log and of another one have nothing to do with each other. */
static void other_workloads_are_no_pairs(void **state)
{
    static const double one[] = {100, 200, 300, 400, 500}, other[] = {101, 202, 303, 404, 505};
    static const char *const factors[] = {"trace", "source", "scheduler"};
    (void)state;
    for (size_t f = 0; f < COUNT(factors); f++) {
        struct loom_results_cell cells[] = {cell_of("easy"), cell_of("easy")};
        const char **const words[] = {&cells[1].trace, &cells[1].source, &cells[1].scheduler};
        *words[f] = "other";
        struct loom_run_results *results = make(cells, 2);
        fill(results, 0, WAIT, one);
        fill(results, 1, WAIT, other);
        struct loom_analysis *analysis = analyse(results, WAIT, factors[f]);
        bool paired = f == 2;
        assert_int_equal(analysis->groups[0].n, 2);
        assert_int_equal(analysis->groups[0].n_differences, paired);
        assert_int_equal(loom_group_difference(&analysis->groups[0], 0, 1) != NULL, paired);
        loom_analysis_destroy(analysis);
        loom_results_destroy(results);
    }
}

/* Student's intervals would be -3.6 to 7.6 s, 0.84 to 1.09 and 0.3 to 2.9. */
static void means_keep_to_the_range_of_the_metric(void **state)
{
    static const double waits[] = {0, 0, 0, 0, 10}, busy[] = {1, 1, 1, 1, 0.8},
                        slowdowns[] = {1, 1, 1, 1, 4};
    const struct loom_results_cell cells[] = {cell_of("easy")};
    struct loom_run_results *results = make(cells, 1);
    (void)state;
    fill(results, 0, WAIT, waits);
    fill(results, 0, UTILIZATION, busy);
    fill(results, 0, SLOWDOWN, slowdowns);
    static const struct {
        size_t metric;
        double low, high;
    } wanted[] = {{WAIT, 0, 7.553}, {UTILIZATION, 0.849, 1}, {SLOWDOWN, 1, 3.266}};
    for (size_t i = 0; i < COUNT(wanted); i++) {
        struct loom_analysis *analysis = analyse(results, wanted[i].metric, NULL);
        assert_close(analysis->groups[0].cells[0].mean.low, wanted[i].low, 1e-3);
        assert_close(analysis->groups[0].cells[0].mean.high, wanted[i].high, 1e-3);
        loom_analysis_destroy(analysis);
    }
    loom_results_destroy(results);
}

/* Differences of c and a are 1/3 to 13/3: t is 3.3 with 4 degrees of freedom, which 5 % shows and a
 * third of it does not. b is far from both. */
static struct loom_run_results *one_clear_one_close(void)
{
    static const double a[] = {100, 300, 200, 500, 400};
    const struct loom_results_cell cells[] = {cell_of("a"), cell_of("b"), cell_of("c")};
    struct loom_run_results *results = make(cells, 3);
    for (int64_t r = 0; r < RUNS; r++) {
        loom_results_set(results, 0, WAIT, r, a[r]);
        loom_results_set(results, 1, WAIT, r, a[r] + 100 + (double)(r % 2));
        loom_results_set(results, 2, WAIT, r, a[r] + 1.0 / 3 + (double)r);
    }
    return results;
}

/* Once the pairs with b are shown, the one that is left counts alone. */
static void pairs_that_are_shown_no_longer_count(void **state)
{
    struct loom_run_results *results = one_clear_one_close();
    struct loom_analysis *analysis = analyse(results, WAIT, NULL);
    const struct loom_group *group = &analysis->groups[0];
    const struct loom_pair_result *ac = loom_group_difference(group, 0, 1);
    const struct loom_pair_result *ab = loom_group_difference(group, 0, 2);
    (void)state;
    assert_close(ab->level, 1 - 0.05 / 3, 1e-12);
    assert_close(loom_group_difference(group, 1, 2)->level, 1 - 0.05 / 3, 1e-12);
    assert_true(ab->shown && loom_group_difference(group, 1, 2)->shown);
    assert_close(ac->level, 0.95, 1e-12);
    assert_close(ac->p, 0.0299, 1e-3);
    assert_true(ac->shown && ac->p * 3 > 0.05);
    loom_analysis_destroy(analysis);
    loom_results_destroy(results);
}

/* The other two pairs are shown, so that the interval of this one is for one pair; it takes as many
 * replications as show the difference at the level of the interval. */
static void replications_are_at_the_level_of_the_interval(void **state)
{
    struct loom_run_results *results = one_clear_one_close();
    struct loom_analysis *analysis = analyse(results, WAIT, NULL);
    const struct loom_pair_result *pair = loom_group_difference(&analysis->groups[0], 0, 1);
    size_t of_three = 0, alone = 0;
    (void)state;
    assert_int_equal(loom_replications_needed(&of_three, 7.0 / 3, sqrt(2.5), 1 - 0.05 / 3, 0, NULL),
                     0);
    assert_int_equal(loom_replications_needed(&alone, 7.0 / 3, sqrt(2.5), 0.95, 0, NULL), 0);
    assert_true(of_three > alone);
    assert_close(pair->level, 0.95, 1e-12);
    assert_int_equal(pair->needed, alone);
    loom_analysis_destroy(analysis);
    loom_results_destroy(results);
}

/* Where more is better, a wins the replications in which it has more: 4 of 5. */
static void the_better_one_may_be_the_higher(void **state)
{
    static const double more[] = {0.8, 0.8, 0.8, 0.8, 0.8}, less[] = {0.7, 0.7, 0.7, 0.7, 0.85};
    const struct loom_results_cell cells[] = {cell_of("less"), cell_of("more")};
    struct loom_run_results *results = make(cells, 2);
    (void)state;
    fill(results, 0, UTILIZATION, less);
    fill(results, 1, UTILIZATION, more);
    fill(results, 0, WAIT, less);
    fill(results, 1, WAIT, more);
    for (size_t metric = WAIT; metric <= UTILIZATION; metric++) {
        struct loom_analysis *analysis = analyse(results, metric, NULL);
        const struct loom_group *group = &analysis->groups[0];
        assert_int_equal(group->cells[0].cell, metric == UTILIZATION);
        assert_close(loom_group_difference(group, 0, 1)->share.estimate, 0.8, 1e-12);
        loom_analysis_destroy(analysis);
    }
    loom_results_destroy(results);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_workloads_are_no_pairs),
        cmocka_unit_test(means_keep_to_the_range_of_the_metric),
        cmocka_unit_test(pairs_that_are_shown_no_longer_count),
        cmocka_unit_test(replications_are_at_the_level_of_the_interval),
        cmocka_unit_test(the_better_one_may_be_the_higher),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

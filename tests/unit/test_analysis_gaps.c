/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Analyses of results in which runs are missing: a policy without values, and policies with other
 * replications than the rest. */
#include "samples.h"

#include <string.h>
#include <workloom/experiment_results.h>

static const char *const keys[] = {"wait_mean_s"};
enum { REPLICATIONS = 12 };

/* The waits of policies a, b, c by replication; 0 where the run is missing. */
static struct loom_run_results *make(double waits_s[3][REPLICATIONS])
{
    static const char *const names[] = {"a", "b", "c"};
    struct loom_results_cell cells[3];
    struct loom_run_results *results = NULL;
    for (size_t i = 0; i < 3; i++)
        cells[i] = (struct loom_results_cell){.trace = "log",
                                              .source = "resample",
                                              .scheduler = names[i],
                                              .load = 0.9,
                                              .replications = REPLICATIONS};
    assert_int_equal(loom_results_create(&results, cells, 3, REPLICATIONS, keys, 1, NULL), 0);
    for (size_t i = 0; i < 3; i++)
        for (int64_t r = 0; r < REPLICATIONS; r++)
            if (waits_s[i][r] > 0)
                loom_results_set(results, i, 0, r, waits_s[i][r]);
    return results;
}

static struct loom_analysis *analyse(const struct loom_run_results *results, char *sentence,
                                     size_t size)
{
    const struct loom_analysis_options options = {.metric = "wait_mean_s"};
    struct loom_analysis *analysis = NULL;
    struct loom_error err = {0};
    if (loom_analysis_create(&analysis, results, &options, &err))
        fail_msg("%s", err.message);
    loom_analysis_sentence(analysis, 0, sentence, size);
    return analysis;
}

/* b waits about 10 % longer than a in each replication. */
static void fill(double waits_s[3][REPLICATIONS])
{
    for (int r = 0; r < REPLICATIONS; r++) {
        waits_s[0][r] = 1000 + 100 * r;
        waits_s[1][r] = 1.1 * waits_s[0][r] + r % 3;
        waits_s[2][r] = 2 * waits_s[0][r] + 7 * (r % 2);
    }
}

/* A policy without a run takes part in no pair: one pair is compared, at the level of one. */
static void leaves_out_what_has_no_value(void **state)
{
    (void)state;
    double waits_s[3][REPLICATIONS];
    char sentence[600];
    fill(waits_s);
    memset(waits_s[2], 0, sizeof waits_s[2]);
    struct loom_run_results *results = make(waits_s);
    struct loom_analysis *analysis = analyse(results, sentence, sizeof sentence);
    const struct loom_group *group = &analysis->groups[0];
    assert_int_equal(group->with_values, 2);
    assert_int_equal(group->n_differences, 1);
    assert_close(group->differences[0].level, 0.95, 1e-12);
    assert_true(group->differences[0].shown);
    assert_true(group->cells[0].best > 0.9 && isnan(group->cells[2].best));
    assert_non_null(strstr(sentence, "a beats b by "));
    assert_non_null(strstr(sentence, "; 1 of 3 cells has no value"));
    loom_analysis_destroy(analysis);
    loom_results_destroy(results);
}

/* The longest runs of b are missing: its mean is the least, but it waits longer in all that it has.
 */
static void orders_by_common_replications(void **state)
{
    (void)state;
    double waits_s[3][REPLICATIONS];
    char sentence[600];
    fill(waits_s);
    for (int r = 4; r < REPLICATIONS; r++)
        waits_s[1][r] = 0;
    struct loom_run_results *results = make(waits_s);
    struct loom_analysis *analysis = analyse(results, sentence, sizeof sentence);
    const struct loom_group *group = &analysis->groups[0];
    assert_int_equal(group->cells[0].cell, 0);
    assert_int_equal(group->cells[1].cell, 1);
    assert_true(group->cells[1].spread.mean < group->cells[0].spread.mean);
    assert_close(group->cells[0].common_mean, 1150, 1e-12);
    assert_non_null(strstr(sentence, "a beats both others, the next, b, by "));
    assert_non_null(strstr(sentence, "; cells have 4 to 12 runs"));
    loom_analysis_destroy(analysis);
    loom_results_destroy(results);
}

/* In the replications that c has, b is the best; in all 12, a is shown to be better than b. */
static void names_no_best_where_replications_decide(void **state)
{
    (void)state;
    double waits_s[3][REPLICATIONS];
    char sentence[600];
    fill(waits_s);
    for (int r = 0; r < 2; r++)
        waits_s[1][r] = waits_s[0][r] - 1;
    for (int r = 2; r < REPLICATIONS; r++) {
        waits_s[1][r] = waits_s[0][r] + 500 + r;
        waits_s[2][r] = 0;
    }
    struct loom_run_results *results = make(waits_s);
    struct loom_analysis *analysis = analyse(results, sentence, sizeof sentence);
    assert_int_equal(analysis->groups[0].cells[0].cell, 1);
    assert_string_equal(sentence, "which is best in mean wait at load 0.9 depends on the "
                                  "replications taken; cells have 2 to 12 runs");
    loom_analysis_destroy(analysis);
    loom_results_destroy(results);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leaves_out_what_has_no_value),
        cmocka_unit_test(orders_by_common_replications),
        cmocka_unit_test(names_no_best_where_replications_decide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

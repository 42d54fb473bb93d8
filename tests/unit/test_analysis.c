/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results in memory and what an analysis makes of them, worked by hand; sentences; saturated runs.
 */
#include "samples.h"

#include <string.h>
#include <workloom/experiment_results.h>

static const char *const keys[] = {"wait_mean_s", "utilization", "saturated"};
enum { WAIT, UTILIZATION, SATURATED };

static struct loom_results_cell cell_of(const char *scheduler, double load)
{
    return (struct loom_results_cell){.trace = "log",
                                      .source = "resample",
                                      .scheduler = scheduler,
                                      .load = load,
                                      .replications = 12};
}

static struct loom_run_results *make(const struct loom_results_cell *cells, size_t n, int64_t r)
{
    struct loom_run_results *results = NULL;
    assert_int_equal(loom_results_create(&results, cells, n, r, keys, COUNT(keys), NULL), 0);
    return results;
}

static struct loom_analysis *analyse(const struct loom_run_results *results, const char *metric,
                                     bool drop)
{
    struct loom_analysis *analysis = NULL;
    struct loom_error err = {0};
    struct loom_analysis_options options = {.metric = metric, .drop_saturated = drop};
    if (loom_analysis_create(&analysis, results, &options, &err))
        fail_msg("%s", err.message);
    return analysis;
}

/* Waits that vary much from replication to replication, and little between policies: a is 100 to
 * 1200, b is 10 % longer, c as long as a plus or minus 5. */
static struct loom_run_results *three_policies(void)
{
    const struct loom_results_cell cells[] = {cell_of("b", 0.9), cell_of("c", 0.9),
                                              cell_of("a", 0.9)};
    struct loom_run_results *results = make(cells, 3, 12);
    for (int64_t r = 0; r < 12; r++) {
        double wait = 100.0 * (double)(r + 1);
        loom_results_set(results, 0, WAIT, r, 1.1 * wait + (double)(r % 3));
        loom_results_set(results, 1, WAIT, r, wait + (r % 2 ? 5 : -4));
        loom_results_set(results, 2, WAIT, r, wait);
        for (size_t i = 0; i < 3; i++) {
            loom_results_set(results, i, UTILIZATION, r, 0.8);
            loom_results_set(results, i, SATURATED, r, i == 0 && r >= 10);
        }
    }
    return results;
}

static const char *name_of(const struct loom_analysis *analysis, size_t place)
{
    static char buf[64];
    return loom_results_value(analysis->results, analysis->groups[0].cells[place].cell, "scheduler",
                              buf, sizeof buf);
}

static void orders_and_compares(void **state)
{
    (void)state;
    struct loom_run_results *results = three_policies();
    struct loom_analysis *analysis = analyse(results, "wait_mean_s", false);
    const struct loom_group *group = &analysis->groups[0];
    assert_int_equal(analysis->n, 1);
    assert_string_equal(analysis->compare, "scheduler");
    assert_string_equal(name_of(analysis, 0), "a");
    assert_string_equal(name_of(analysis, 1), "c");
    assert_string_equal(name_of(analysis, 2), "b");
    assert_close(group->cells[0].spread.mean, 650, 1e-12);
    /* The intervals of the means overlap widely; the pairs still differ. */
    assert_true(group->cells[0].mean.high > group->cells[2].mean.low);
    const struct loom_pair_result *ab = loom_group_difference(group, 0, 2);
    assert_true(ab->shown && ab->n == 12);
    assert_close(ab->difference.estimate, -66, 1e-12);
    assert_close(ab->ratio.estimate, 650.0 / 716, 1e-12);
    assert_close(ab->share.estimate, 1, 0);
    assert_true(ab->p_adjusted >= ab->p);
    const struct loom_pair_result *ac = loom_group_difference(group, 0, 1);
    assert_false(ac->shown);
    assert_close(ac->difference.estimate, -0.5, 1e-12);
    assert_close(ac->share.estimate, 0.5, 0);
    assert_true(ac->needed > 100);
    assert_true(group->cells[0].best > 0.5 && group->cells[2].best == 0);
    assert_close(group->cells[0].best + group->cells[1].best, 1, 1e-12);
    loom_analysis_destroy(analysis);
    loom_results_destroy(results);
}

/* Skewed waits of three policies, other ones for each seed; c is now and then far longer. */
static struct loom_run_results *skewed_policies(uint64_t seed, int64_t n)
{
    const struct loom_results_cell cells[] = {cell_of("a", 0.9), cell_of("b", 0.9),
                                              cell_of("c", 0.9)};
    struct loom_run_results *results = make(cells, 3, n);
    struct loom_stream rng;
    loom_stream_init(&rng, seed, 0, "test");
    for (int64_t r = 0; r < n; r++) {
        double common = exp(2 * loom_stream_uniform(&rng));
        for (size_t i = 0; i < 3; i++) {
            double own = loom_stream_uniform(&rng);
            loom_results_set(results, i, WAIT, r,
                             common * (1 + 0.1 * (double)i) *
                                 exp(own * own * own * (double)(i + 1)));
            loom_results_set(results, i, UTILIZATION, r, 0.7 + 1e-9 * (own > 0.8));
        }
    }
    return results;
}

static void assert_agreeing(const struct loom_analysis *analysis)
{
    const struct loom_group *group = &analysis->groups[0];
    for (size_t i = 0; i < group->n_differences; i++) {
        const struct loom_pair_result *pair = &group->differences[i];
        bool without_0 = pair->difference.low > 0 || pair->difference.high < 0;
        bool without_1 = pair->ratio.low > 1 || pair->ratio.high < 1;
        assert_int_equal(pair->shown, without_0);
        assert_true(!pair->has_ratio || pair->shown == without_1);
        assert_true(!pair->has_ratio || (pair->ratio.low <= pair->ratio.estimate &&
                                         pair->ratio.estimate <= pair->ratio.high));
        assert_true(!pair->has_ratio || (pair->ratio.low >= 0 && pair->ratio.high < 101));
    }
}

/* What is shown, the interval of the difference and the one of the ratio are never at odds. */
static void shows_what_intervals_show(void **state)
{
    (void)state;
    size_t shown = 0, pairs = 0;
    for (uint64_t seed = 1; seed <= 60; seed++)
        for (int64_t n = 3; n <= 24; n += 3) {
            struct loom_run_results *results = skewed_policies(seed, n);
            struct loom_analysis *waits = analyse(results, "wait_mean_s", false);
            struct loom_analysis *busy = analyse(results, "utilization", false);
            assert_agreeing(waits);
            assert_agreeing(busy);
            for (size_t i = 0; i < 3; i++, pairs++)
                shown += waits->groups[0].differences[i].shown;
            loom_analysis_destroy(busy);
            loom_analysis_destroy(waits);
            loom_results_destroy(results);
        }
    assert_true(shown > pairs / 10 && shown < pairs - pairs / 10);
}

/* Replications 10 and 11 are saturated under b alone, and go for all. */
static void leaves_out_whole_replications(void **state)
{
    (void)state;
    struct loom_run_results *results = three_policies();
    struct loom_analysis *kept = analyse(results, "wait_mean_s", false);
    struct loom_analysis *dropped = analyse(results, "wait_mean_s", true);
    assert_int_equal(kept->groups[0].saturated, 2);
    assert_int_equal(kept->groups[0].left_out, 0);
    assert_int_equal(kept->groups[0].cells[2].saturated, 2);
    assert_int_equal(kept->groups[0].cells[0].n, 12);
    assert_int_equal(dropped->groups[0].left_out, 2);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(dropped->groups[0].cells[i].n, 10);
        assert_int_equal(dropped->groups[0].cells[i].runs, 12);
    }
    assert_close(dropped->groups[0].cells[0].spread.mean, 550, 1e-12);
    assert_int_equal(loom_group_difference(&dropped->groups[0], 0, 2)->n, 10);
    loom_analysis_destroy(dropped);
    loom_analysis_destroy(kept);
    loom_results_destroy(results);
}

static void assert_sentence(const struct loom_analysis *analysis, size_t group, const char *wanted)
{
    char got[1000];
    assert_string_equal(loom_analysis_sentence(analysis, group, got, sizeof got), wanted);
}

/* The t interval of pairs: fewer than 10 of them. Differences are -40, -50, -45, -55, -60 of means
 * 200 and 250: 20 %. */
static void says_who_wins(void **state)
{
    (void)state;
    static const double easy[] = {240, 250, 245, 255, 260},
                        conservative[] = {200, 200, 200, 200, 200};
    const struct loom_results_cell cells[] = {cell_of("easy", 0.9), cell_of("conservative", 0.9)};
    struct loom_run_results *results = make(cells, 2, 5);
    for (int64_t r = 0; r < 5; r++) {
        loom_results_set(results, 0, WAIT, r, easy[r]);
        loom_results_set(results, 1, WAIT, r, conservative[r]);
        loom_results_set(results, 0, UTILIZATION, r, 0.8 + 0.01 * (double)(r % 2));
        loom_results_set(results, 1, UTILIZATION, r, 0.8 + 0.01 * (double)(r % 3));
    }
    struct loom_analysis *waits = analyse(results, "wait_mean_s", false);
    assert_sentence(waits, 0,
                    "conservative beats easy by 20 % (95 %: 17 to 23 %) in mean wait at load 0.9; "
                    "5 replications");
    struct loom_analysis *busy = analyse(results, "utilization", false);
    char got[1000];
    loom_analysis_sentence(busy, 0, got, sizeof got);
    assert_non_null(
        strstr(got, "no difference shown between conservative and easy in utilization"));
    loom_analysis_destroy(busy);
    loom_analysis_destroy(waits);
    loom_results_destroy(results);
}

/* Twelve variants with waits of 100 to 210 s beside a log with `log_s`. */
static struct loom_run_results *beside_the_log(double log_s)
{
    struct loom_results_cell cells[] = {cell_of("easy", NAN), cell_of("easy", NAN)};
    cells[0].source = "resampled";
    cells[1].replications = 1;
    struct loom_run_results *results = make(cells, 2, 12);
    for (int64_t r = 0; r < 12; r++)
        loom_results_set(results, 0, WAIT, r, 100 + 10 * (double)r);
    loom_results_set(results, 1, WAIT, 0, log_s);
    return results;
}

static void cautions_of_variants_unlike_the_log(void **state)
{
    (void)state;
    static const struct {
        double log_s;
        const char *says;
    } cases[] = {
        {60, "the variants are unlike the log: mean wait of all 12 under easy is above the log's "
             "60 s, 100 s to 3.5 min"},
        {300, "the variants are unlike the log: mean wait of all 12 under easy is below the log's "
              "5 min, 100 s to 3.5 min"},
        {150, NULL},
        {100, NULL},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct loom_run_results *results = beside_the_log(cases[i].log_s);
        struct loom_analysis *analysis = analyse(results, "wait_mean_s", false);
        char got[300];
        const char *caution = loom_analysis_caution(analysis, 0, got, sizeof got);
        assert_int_equal(caution != NULL, cases[i].says != NULL);
        if (caution)
            assert_string_equal(caution, cases[i].says);
        loom_analysis_destroy(analysis);
        loom_results_destroy(results);
    }
}

/* Two machines, of which the smaller leaves out the widest jobs; no job has a requested time. */
static void cautions_of_other_jobs(void **state)
{
    (void)state;
    struct loom_results_cell cells[] = {cell_of("easy", 0.5), cell_of("easy", 0.7)};
    static const char *const counts[] = {"wait_mean_s", "jobs", "rejected_too_wide",
                                         "estimates_missing"};
    static const char *const says[] = {
        "20 jobs a run (2.0 %) are wider than the machine and left out with load 0.5, and 5 with "
        "load "
        "0.7: the results are not of the same jobs",
        "100 % of the jobs have no requested time, so that the schedulers know how long they run"};
    struct loom_run_results *results;
    assert_int_equal(loom_results_create(&results, cells, 2, 2, counts, COUNT(counts), NULL), 0);
    for (size_t cell = 0; cell < 2; cell++)
        for (int64_t r = 0; r < 2; r++) {
            double wide = cell == 0 ? 10 + 20 * (double)r : 5;
            loom_results_set(results, cell, 0, r, 60 + (double)r);
            loom_results_set(results, cell, 1, r, 1000 - wide);
            loom_results_set(results, cell, 2, r, wide);
            loom_results_set(results, cell, 3, r, 1000 - wide);
        }
    struct loom_analysis *analysis = analyse(results, "wait_mean_s", false);
    char got[300];
    for (size_t i = 0; i < COUNT(says); i++)
        assert_string_equal(loom_analysis_caution(analysis, i, got, sizeof got), says[i]);
    assert_null(loom_analysis_caution(analysis, COUNT(says), got, sizeof got));
    loom_analysis_destroy(analysis);
    loom_results_destroy(results);
}

static void says_one_sample(void **state)
{
    (void)state;
    const struct loom_results_cell cells[] = {cell_of("easy", NAN)};
    struct loom_run_results *results = make(cells, 1, 1);
    loom_results_set(results, 0, WAIT, 0, 240);
    struct loom_analysis *analysis = analyse(results, "wait_mean_s", false);
    assert_sentence(
        analysis, 0,
        "easy: mean wait 4 min; one sample, so nothing says how far another would be from "
        "it");
    assert_false(analysis->groups[0].cells[0].has_interval);
    loom_analysis_destroy(analysis);
    loom_results_destroy(results);
}

/* Of several policies with one run each, the sentence has the values of all, best first. */
static void says_one_sample_of_each(void **state)
{
    (void)state;
    const struct loom_results_cell cells[] = {cell_of("fcfs", NAN), cell_of("easy", NAN)};
    struct loom_run_results *results = make(cells, 2, 1);
    loom_results_set(results, 0, WAIT, 0, 480);
    loom_results_set(results, 1, WAIT, 0, 240);
    struct loom_analysis *analysis = analyse(results, "wait_mean_s", false);
    assert_sentence(analysis, 0,
                    "easy: mean wait 4 min, fcfs 8 min; one sample, so nothing says how far "
                    "another would be from it");
    loom_analysis_destroy(analysis);
    loom_results_destroy(results);
}

/* Loads and other settings make groups; without two schedulers another factor is compared. */
static void groups_by_what_differs(void **state)
{
    (void)state;
    static const struct loom_results_setting small = {"machine", "64"}, large = {"machine", "128"};
    struct loom_results_cell cells[] = {cell_of("easy", 0.7), cell_of("easy", 0.9),
                                        cell_of("easy", 0.7), cell_of("easy", 0.9)};
    for (size_t i = 0; i < 4; i++) {
        cells[i].settings = i < 2 ? &small : &large;
        cells[i].n_settings = 1;
    }
    struct loom_run_results *results = make(cells, 4, 3);
    for (size_t i = 0; i < 4; i++)
        for (int64_t r = 0; r < 2; r++)
            loom_results_set(results, i, WAIT, r, (double)i + (double)r);
    struct loom_analysis *analysis = analyse(results, "wait_mean_s", false);
    assert_string_equal(analysis->compare, "machine");
    assert_int_equal(analysis->n, 2);
    assert_int_equal(analysis->groups[1].n, 2);
    assert_int_equal(analysis->groups[1].cells[0].cell, 1);
    assert_int_equal(analysis->groups[1].cells[0].runs, 2);
    loom_analysis_destroy(analysis);
    loom_results_destroy(results);
}

static void refuses_unknown_words(void **state)
{
    (void)state;
    struct loom_run_results *results = three_policies();
    struct loom_analysis *analysis = NULL;
    struct loom_analysis_options options = {.metric = "nonsense"};
    assert_int_equal(loom_analysis_create(&analysis, results, &options, NULL), LOOM_EUSAGE);
    options.metric = "wait_p90_s";
    assert_int_equal(loom_analysis_create(&analysis, results, &options, NULL), LOOM_EDATA);
    options = (struct loom_analysis_options){.metric = "wait_mean_s", .compare = "colour"};
    assert_int_equal(loom_analysis_create(&analysis, results, &options, NULL), LOOM_EUSAGE);
    assert_null(analysis);
    loom_results_destroy(results);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders_and_compares),
        cmocka_unit_test(leaves_out_whole_replications),
        cmocka_unit_test(says_who_wins),
        cmocka_unit_test(says_one_sample),
        cmocka_unit_test(cautions_of_variants_unlike_the_log),
        cmocka_unit_test(cautions_of_other_jobs),
        cmocka_unit_test(says_one_sample_of_each),
        cmocka_unit_test(groups_by_what_differs),
        cmocka_unit_test(refuses_unknown_words),
        cmocka_unit_test(shows_what_intervals_show),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

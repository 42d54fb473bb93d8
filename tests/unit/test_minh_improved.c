/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the improved variant of minh2012 adds, each part of it by itself. */
#include "minh_log.h"
#include "models/minh/minh.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- bags ------------------------------------------------------------------------------------ */

/* The runtimes of a bag have the intraclass correlation of their kind, first with next
 * and next with next: two jobs of a bag in a row, in deviations from the mean of the kind. */
static void run_times_of_a_bag_are_alike(void **state)
{
    (void)state;
    static const double alike[] = {0.3, 0.7};
    static const char *const settings[] = {"bags.alpha=3.5",       "bags.delta_s=1000000",
                                           "improved.alike.0=0.3", "improved.alike.1=0.7",
                                           "runtimes.0.mean=3",    "runtimes.0.sd=0.3",
                                           "runtimes.1.mean=6",    "runtimes.1.sd=0.4"};
    struct loom_model *model = model_with("minh2012", improved, settings, COUNT(settings));
    struct loom_trace *trace = must_generate(model, &many);
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    double n[2][2] = {{0}}, products[2][2] = {{0}};
    for (size_t i = 1, begin = 0; i < jobs->n; i++) {
        bool same = jobs->user[i] == jobs->user[i - 1] &&
                    jobs->executable[i] == jobs->executable[i - 1] &&
                    jobs->req_procs[i] == jobs->req_procs[i - 1];
        begin = same ? begin : i;
        size_t kind = kind_of(jobs->run_s[begin]), late = i > begin + 1;
        if (!same || kind > 1)
            continue;
        n[late][kind]++;
        products[late][kind] += (log1p((double)jobs->run_s[i - 1]) - means[kind]) / sds[kind] *
                                (log1p((double)jobs->run_s[i]) - means[kind]) / sds[kind];
    }
    for (size_t late = 0; late < 2; late++)
        for (size_t k = 0; k < COUNT(alike); k++) {
            assert_near(products[late][k] / n[late][k], alike[k], 5 / sqrt(n[late][k]));
        }
    loom_trace_destroy(trace);
    loom_model_destroy(model);
}

/* Nobody is alone by chance, and arrivals are so dense that one in twenty comes exactly Delta after
 * the last. So a job is the first of a bag if and only if the next comes at most Delta later,
 * unless it is in a bag itself. In the log no single job is short and no bag is long, and neither
 * is here but for a runtime in some thousands that is far from its kind. */
static void whoever_is_alone_is_a_single_job(void **state)
{
    (void)state;
    enum { DELTA_S = 20 };
    static const char *const settings[] = {
        "bags.delta_s=20",     "bags.alpha=3",        "arrivals.interarrival_s=20",
        "improved.single.0=0", "improved.single.1=0", "improved.single.2=0",
        "improved.single.3=0", "improved.single.4=0", "improved.single.5=0"};
    struct loom_model *model = model_with("minh2012", improved, settings, COUNT(settings));
    struct loom_trace *trace = must_generate(model, &many);
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    struct loom_bags *bags = NULL;
    assert_int_equal(loom_bags_create(&bags, trace, DELTA_S, NULL), 0);
    size_t counts[2][3] = {{0}}, exactly = 0;
    for (size_t b = 0; b + 1 < bags->count; b++) {
        size_t first = bags->first[b];
        int64_t gap_s = jobs->submit_s[first + 1] - jobs->submit_s[first];
        assert_int_equal(loom_bag_size(bags, b) > 1, gap_s <= DELTA_S);
        exactly += gap_s == DELTA_S;
        counts[gap_s <= DELTA_S][kind_of(jobs->run_s[first])]++;
    }
    assert_true(exactly > 100);
    assert_true(counts[0][0] < 10 && counts[0][1] > 1000 && counts[0][2] > 1000);
    assert_true(counts[1][2] < 10 && counts[1][1] > 1000 && counts[1][0] > 1000);
    loom_bags_destroy(bags);
    loom_trace_destroy(trace);
    loom_model_destroy(model);
}

/* Single jobs of the log come 121 s and more before the next, so that no gap up to Delta, 100 s,
 * has any; gaps of 121 to 127 s are not counted with the ones of 64 to 100 s. */
static void late_jobs_do_not_count_for_single_ones(void **state)
{
    (void)state;
    struct loom_model *model = model_with("minh2012", improved, NULL, 0);
    size_t classes = (size_t)number_in(model, "improved.single");
    assert_true(classes > 1);
    for (size_t i = 0; i < classes; i++) {
        char key[48];
        snprintf(key, sizeof key, "improved.single.%zu", i);
        assert_near(number_in(model, key), 0, 1e-12);
    }
    loom_model_destroy(model);
}

static int64_t longest_of(const struct loom_trace *trace)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    int64_t longest_s = 0;
    for (size_t i = 0; i < jobs->n; i++)
        longest_s = jobs->run_s[i] > longest_s ? jobs->run_s[i] : longest_s;
    return longest_s;
}

/* As printed, the longest of so many more jobs is longer than the log's. */
static void no_job_is_longer_than_those_of_the_log(void **state)
{
    (void)state;
    struct loom_trace *log = make_log();
    for (int refined = 0; refined < 2; refined++) {
        struct loom_model *model = must_fit("minh2012", log, refined ? improved : counted_bags);
        struct loom_trace *trace = must_generate(model, &many);
        assert_int_equal(longest_of(trace) <= longest_of(log), refined);
        loom_trace_destroy(trace);
        loom_model_destroy(model);
    }
    loom_trace_destroy(log);
}

/* ---- times ----------------------------------------------------------------------------------- */

/* Three jobs in an interval are 10 to 20 s apart, and four or more 100 to 200 s, or less where that
 * is too much for the interval. The number of jobs of each interval stays. The three begin anywhere
 * in the first 870 s: the mean of 40 has a standard error of 40 s. */
static void intervals_keep_their_jobs(void **state)
{
    (void)state;
    enum { SCALE_S = 900, INTERVALS = 200 };
    double gaps_s[2 * LOOM_MINH_QUANTILES];
    for (size_t q = 0; q < LOOM_MINH_QUANTILES; q++) {
        gaps_s[q] = 10 + 10 * (double)q / (LOOM_MINH_QUANTILES - 1);
        gaps_s[q + LOOM_MINH_QUANTILES] = 100 + 100 * (double)q / (LOOM_MINH_QUANTILES - 1);
    }
    struct loom_minh_refined refined = {.scale_s = SCALE_S,
                                        .gaps_s = gaps_s,
                                        .n_gaps = COUNT(gaps_s)};
    static const size_t jobs_of[] = {1, 3, 0, 5, 20};
    struct loom_generation generation = {.seed = 1};
    size_t n = 0;
    for (size_t i = 0; i < INTERVALS; i++)
        n += jobs_of[i % COUNT(jobs_of)];
    assert_int_equal(loom_draft_resize(&generation.draft, n, NULL), 0);
    int64_t *submit_s = generation.draft.submit_s;
    for (size_t i = 0, job = 0; i < INTERVALS; i++)
        for (size_t k = 0; k < jobs_of[i % COUNT(jobs_of)]; k++)
            submit_s[job++] = (int64_t)(i * SCALE_S + 100 + 7 * k);
    assert_int_equal(loom_minh_retime(&refined, &generation, NULL), 0);
    assert_int_equal(submit_s[0], 0);
    double begin_s = 0;
    for (size_t i = 0, job = 0; i < INTERVALS; i++)
        for (size_t k = 0; k < jobs_of[i % COUNT(jobs_of)]; k++, job++) {
            assert_int_equal(submit_s[job] / SCALE_S, i);
            if (k == 0 && jobs_of[i % COUNT(jobs_of)] == 3)
                begin_s += (double)(submit_s[job] % SCALE_S) / (INTERVALS / COUNT(jobs_of));
            int64_t gap_s = k > 0 ? submit_s[job] - submit_s[job - 1] : 0;
            if (k > 0 && jobs_of[i % COUNT(jobs_of)] == 3)
                assert_in_range(gap_s, 9, 21);
            if (k > 0 && jobs_of[i % COUNT(jobs_of)] == 5)
                assert_in_range(gap_s, 99, 201);
            if (k > 0 && jobs_of[i % COUNT(jobs_of)] == 20)
                assert_in_range(gap_s, 20, 95);
        }
    assert_near(begin_s, 435, 160);
    loom_draft_free(&generation.draft);
}

/* The jobs of a bag of the log are 20 s apart, as nearly no others are. */
static double twenties(const struct loom_trace *trace)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    double n = 0;
    for (size_t i = 1; i < jobs->n; i++) {
        int64_t gap_s = jobs->submit_s[i] - jobs->submit_s[i - 1];
        n += gap_s >= 19 && gap_s <= 21;
    }
    return n / (double)jobs->n;
}

static void jobs_come_as_in_intervals_of_the_log(void **state)
{
    (void)state;
    static const char *const variants[][3] = {{"arrivals=mmwm", "variant=printed"},
                                              {"arrivals=mmwm", "variant=improved"}};
    struct loom_trace *log = make_log();
    double was = twenties(log);
    for (int refined = 0; refined < 2; refined++) {
        struct loom_model *model = must_fit("minh2012", log, variants[refined]);
        struct loom_trace *trace = must_generate(model, &many);
        if (refined)
            assert_near(twenties(trace), was, 0.1);
        else
            assert_true(twenties(trace) < was / 4);
        loom_trace_destroy(trace);
        loom_model_destroy(model);
    }
    loom_trace_destroy(log);
}

/* By days, an even process makes more jobs or fewer than a bursty one: those there are have all
 * that a job has. */
static void jobs_of_a_day_are_whole(void **state)
{
    (void)state;
    static const char *const daily[] = {"arrivals=gamma-daily", "variant=improved", NULL};
    struct loom_model *model = model_with("minh2012", daily, NULL, 0);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct loom_generate_options options = {.seed = seed,
                                                .days = 7,
                                                .without = LOOM_BURSTINESS};
        struct loom_trace *trace = must_generate(model, &options);
        const struct loom_jobs *jobs = loom_trace_jobs(trace);
        for (size_t i = 0; i < jobs->n; i++)
            assert_true(jobs->run_s[i] >= 0 && jobs->req_procs[i] > 0 && jobs->user[i] > 0);
        loom_trace_destroy(trace);
    }
    loom_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(run_times_of_a_bag_are_alike),
        cmocka_unit_test(whoever_is_alone_is_a_single_job),
        cmocka_unit_test(late_jobs_do_not_count_for_single_ones),
        cmocka_unit_test(no_job_is_longer_than_those_of_the_log),
        cmocka_unit_test(intervals_keep_their_jobs),
        cmocka_unit_test(jobs_come_as_in_intervals_of_the_log),
        cmocka_unit_test(jobs_of_a_day_are_whole),
    };
    return cmocka_run_group_tests_name("minh_improved", tests, NULL, NULL);
}

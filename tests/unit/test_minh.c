/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The models of Minh and Wolters: labels and table worked out by hand, algorithm 1 on arrivals that
 * leave it no choice, and what is drawn against what it is drawn from. test_minh_improved.c has
 * what the improved variant adds, and test_minh_trips.c the round trips.
 */
#include "minh_log.h"
#include "models/minh/minh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- algorithm 1 ----------------------------------------------------------------------------- */

static bool copies(const struct loom_jobs *jobs, size_t a, size_t b)
{
    return jobs->run_s[a] == jobs->run_s[b] && jobs->req_procs[a] == jobs->req_procs[b] &&
           jobs->user[a] == jobs->user[b] && jobs->group[a] == jobs->group[b] &&
           jobs->executable[a] == jobs->executable[b];
}

/* Sizes of bags that have next to no limit: a job is a copy of the one before if, and but for a few
 * sizes drawn as small only if, it comes at most Delta later. */
static void bags_end_with_late_jobs(void **state)
{
    (void)state;
    static const char *const flat[] = {"bags.alpha=1.001", "bags.delta_s=300"};
    struct loom_model *model = model_with("minh2010", counted_bags, flat, COUNT(flat));
    struct loom_trace *trace = must_generate(model, &many);
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    size_t cut = 0, soon = 0;
    for (size_t i = 1; i < jobs->n; i++) {
        bool is_soon = jobs->submit_s[i] - jobs->submit_s[i - 1] <= 300;
        assert_false(copies(jobs, i - 1, i) && !is_soon && jobs->run_s[i] > 1000);
        soon += is_soon;
        cut += is_soon && !copies(jobs, i - 1, i);
    }
    assert_in_range(soon, jobs->n / 5, jobs->n);
    assert_true(cut < jobs->n / 100);
    loom_trace_destroy(trace);
    loom_model_destroy(model);
}

/* Of a log whose jobs ask for one of two times each, whatever bag they are in. */
static void bags_ask_as_one(void **state)
{
    (void)state;
    struct loom_trace *log = make_log(), *asking = empty_trace();
    for (size_t i = 0; i < LOG_JOBS; i++) {
        struct loom_job job = loom_trace_job(log, i);
        job.request_s = i % 3 == 0 ? 36000 : 72000;
        append(asking, job);
    }
    assert_int_equal(loom_trace_add_directive(asking, "MaxProcs", "64", NULL), 0);
    static const char *const flat[] = {"bags.alpha=1.001", "bags.delta_s=300"};
    struct loom_model *model =
        must_set(must_fit("minh2012", asking, counted_bags), flat, COUNT(flat));
    struct loom_trace *trace = must_generate(model, &many);
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    size_t same = 0, other = 0;
    for (size_t i = 1; i < jobs->n; i++) {
        bool soon = jobs->submit_s[i] - jobs->submit_s[i - 1] <= 100;
        if (soon && copies(jobs, i - 1, i))
            assert_int_equal(jobs->request_s[i], jobs->request_s[i - 1]);
        same += jobs->request_s[i] == jobs->request_s[0];
        other += jobs->request_s[i] != jobs->request_s[0];
    }
    assert_true(same > 0 && other > 0);
    loom_trace_destroy(trace);
    loom_model_destroy(model);
    loom_trace_destroy(asking);
    loom_trace_destroy(log);
}

/* The executable of job i: its kind, or the second one of that kind where the job before has the
 * same user, processors and executable. */
static int32_t executable_wanted(const struct loom_jobs *jobs, size_t i)
{
    int32_t first = (jobs->executable[i] - 1) % 3 + 1;
    bool same = i > 0 && jobs->user[i] == jobs->user[i - 1] &&
                jobs->req_procs[i] == jobs->req_procs[i - 1] && jobs->executable[i - 1] == first;
    return same ? first + 3 : first;
}

/* An exponent so steep that every bag has one job: others see no bags either, however dense the
 * arrivals. */
static void neighbouring_bags_differ(void **state)
{
    (void)state;
    static const char *const steep[] = {"bags.alpha=61", "bags.delta_s=1000000"};
    struct loom_model *model = model_with("minh2012", counted_bags, steep, COUNT(steep));
    struct loom_trace *trace = must_generate(model, &many);
    struct loom_bags *bags = NULL;
    assert_int_equal(loom_bags_create(&bags, trace, 1000000, NULL), 0);
    assert_int_equal(bags->count, many.jobs);
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    size_t of_kind = 0;
    for (size_t i = 0; i < jobs->n; i++) {
        assert_int_equal(jobs->executable[i], executable_wanted(jobs, i));
        of_kind += (size_t)(jobs->executable[i] - 1) % 3 == kind_of(jobs->run_s[i]);
    }
    assert_in_range(of_kind, jobs->n - jobs->n / 1000, jobs->n);
    loom_bags_destroy(bags);
    loom_trace_destroy(trace);
    loom_model_destroy(model);
}

/* All arrivals are soon, so that nothing but the sizes drawn ends a bag, and others find the same
 * bags: their sizes are the Zipf distribution's. The variance of the estimate is 1 / (n var log k).
 */
static void sizes_of_bags_are_zipf(void **state)
{
    (void)state;
    static const char *const settings[] = {"bags.alpha=2.4", "bags.delta_s=1000000"};
    static const char *const names[] = {"minh2010", "minh2012"};
    for (size_t k = 0; k < COUNT(names); k++) {
        struct loom_model *model = model_with(names[k], counted_bags, settings, COUNT(settings));
        struct loom_trace *trace = must_generate(model, &many);
        struct loom_bags *bags = NULL;
        assert_int_equal(loom_bags_create(&bags, trace, 1000000, NULL), 0);
        double *sizes = calloc(bags->count, sizeof *sizes), sum = 0, squares = 0;
        double n = (double)(bags->count - 1); /* the last was cut */
        for (size_t b = 0; b + 1 < bags->count; b++) {
            sizes[b] = (double)loom_bag_size(bags, b);
            sum += log(sizes[b]);
            squares += log(sizes[b]) * log(sizes[b]);
        }
        struct loom_fit fit;
        assert_int_equal(loom_dist_fit(&fit, "zipf", sizes, NULL, bags->count - 1, NULL), 0);
        double variance = squares / n - sum / n * sum / n;
        assert_near(fit.dist.params[0], 2.4, 3 / sqrt(n * variance));
        free(sizes);
        loom_bags_destroy(bags);
        loom_trace_destroy(trace);
        loom_model_destroy(model);
    }
}

/* The first job after the bag of job i, each a copy of the one before. */
static size_t end_of_copies(const struct loom_jobs *jobs, size_t i)
{
    for (i++; i < jobs->n && copies(jobs, i - 1, i); i++)
        ;
    return i;
}

/* One bag in 1800, or in 300, is beyond the sizes that are looked up, up to 255 jobs; of these 0.42
 * and 0.52 have more than twice as many. Others find the same bags, as above. */
static void check_sizes_beyond(const char *setting, double alpha)
{
    const char *const settings[] = {setting, "bags.delta_s=1000000"};
    static const double limits[] = {1, 255, 256, 510, 2000};
    struct loom_model *model = model_with("minh2010", counted_bags, settings, COUNT(settings));
    struct loom_generate_options options = {.seed = 4, .jobs = 800000};
    struct loom_trace *trace = must_generate(model, &options);
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    struct loom_dist zipf;
    double n = 0, larger[COUNT(limits)] = {0};
    assert_int_equal(loom_dist_init(&zipf, "zipf", &alpha, 1, NULL), 0);
    for (size_t i = 0, end; (end = end_of_copies(jobs, i)) < jobs->n; i = end, n++)
        for (size_t k = 0; k < COUNT(limits); k++)
            larger[k] += (double)(end - i) > limits[k];
    for (size_t k = 0; k < COUNT(limits); k++) {
        double p = loom_dist_survival(&zipf, limits[k]);
        assert_near(larger[k], n * p, 4 * sqrt(n * p * (1 - p)));
    }
    loom_trace_destroy(trace);
    loom_model_destroy(model);
}

static void sizes_beyond_the_table_are_zipf_too(void **state)
{
    (void)state;
    check_sizes_beyond("bags.alpha=2.25", 2.25);
    check_sizes_beyond("bags.alpha=1.95", 1.95);
}

/* The same one by one, so many that each of the first sizes beyond the table has its share: whether
 * they are next to never, and few are drawn, or not. */
static void sizes_beyond_begin_where_the_table_ends(void **state)
{
    (void)state;
    enum { FIRST = LOOM_MINH_TABLED + 1, SIZES = 8 };
    static const struct {
        double alpha;
        size_t n;
    } cases[] = {{1.1, 200000}, {1.95, 200000}, {2.25, 20000}, {3.5, 20000}};
    for (size_t k = 0; k < COUNT(cases); k++) {
        struct loom_dist zipf;
        struct loom_stream stream;
        double counts[SIZES] = {0}, n = (double)cases[k].n;
        assert_int_equal(loom_dist_init(&zipf, "zipf", &cases[k].alpha, 1, NULL), 0);
        loom_stream_init(&stream, 7, k, "beyond");
        double beyond = loom_dist_survival(&zipf, LOOM_MINH_TABLED);
        for (size_t i = 0; i < cases[k].n; i++) {
            double size = loom_minh_draw_beyond(&zipf, beyond, &stream);
            assert_true(size >= FIRST);
            if (size < FIRST + SIZES)
                counts[(size_t)size - FIRST]++;
        }
        for (size_t i = 0; i < SIZES; i++) {
            double p = loom_dist_density(&zipf, (double)(FIRST + i)) / beyond;
            assert_near(counts[i], n * p, 4 * sqrt(n * p));
            assert_true(n * p > 4 * 4); /* none at all would be noticed */
        }
    }
}

/* As many bags as the log had, of one job each: every user comes as often as in the log, and no
 * more often after himself than by chance. The number of neighbours of one user deviates as for
 * independent jobs, or a little less. */
static void users_take_turns(void **state)
{
    (void)state;
    const char *const *const variants[] = {counted_bags, improved};
    for (size_t k = 0; k < COUNT(variants); k++) {
        struct loom_model *model = model_with("minh2012", variants[k], NULL, 0);
        double bags[11] = {0}, all = 0, pairs = 0, neighbours = 0;
        for (int i = 0; i < 10; i++) {
            char user[40], count[40];
            snprintf(user, sizeof user, "people.user.%d", i);
            snprintf(count, sizeof count, "people.bags.%d", i);
            all += bags[(int)number_in(model, user)] = number_in(model, count);
        }
        struct loom_generate_options options = {.seed = 4,
                                                .jobs = (int64_t)all,
                                                .without = LOOM_BAGS};
        struct loom_trace *trace = must_generate(model, &options);
        const struct loom_jobs *jobs = loom_trace_jobs(trace);
        for (int user = 1; user <= 10; user++)
            pairs += bags[user] * (bags[user] - 1) / all;
        for (size_t i = 0; i < jobs->n; i++) {
            assert_int_equal(jobs->group[i], jobs->user[i] % 3);
            bags[jobs->user[i]]--;
            neighbours += i > 0 && jobs->user[i] == jobs->user[i - 1];
        }
        for (int user = 1; user <= 10; user++)
            assert_near(bags[user], 0, 0);
        assert_near(neighbours, pairs, 4 * sqrt(pairs));
        loom_trace_destroy(trace);
        loom_model_destroy(model);
    }
}

/* Three jobs at a time, of another workload each: all users come. */
static void few_jobs_may_be_of_anybody(void **state)
{
    (void)state;
    struct loom_model *model = model_with("minh2012", counted_bags, NULL, 0);
    size_t jobs_of[11] = {0};
    for (uint64_t r = 0; r < 60; r++) {
        struct loom_generate_options options = {.replication = r, .jobs = 3, .without = LOOM_BAGS};
        struct loom_trace *trace = must_generate(model, &options);
        for (size_t i = 0; i < 3; i++)
            jobs_of[loom_trace_jobs(trace)->user[i]]++;
        loom_trace_destroy(trace);
    }
    for (size_t user = 1; user <= 10; user++)
        assert_in_range(jobs_of[user], 1, 60);
    loom_model_destroy(model);
}

/* In the log, no bag has long jobs and no single job is short. That is what minh2012 has and
 * minh2010 has not, but for the last bag of the log, which may have been cut to one job, and for a
 * runtime in some thousands that is far from its kind. Sizes of bags are cut by nothing. */
static void places_have_run_times_of_their_own(void **state)
{
    (void)state;
    static const char *const settings[] = {"bags.delta_s=1000000", "bags.alpha=3"};
    static const char *const names[] = {"minh2010", "minh2012"};
    for (size_t k = 0; k < COUNT(names); k++) {
        struct loom_model *model = model_with(names[k], counted_bags, settings, COUNT(settings));
        struct loom_trace *trace = must_generate(model, &many);
        const struct loom_jobs *jobs = loom_trace_jobs(trace);
        struct loom_bags *bags = NULL;
        assert_int_equal(loom_bags_create(&bags, trace, 1000000, NULL), 0);
        double counts[2][3] = {{0}};
        for (size_t b = 0; b + 1 < bags->count; b++)
            counts[loom_bag_size(bags, b) > 1][kind_of(jobs->run_s[bags->first[b]])]++;
        if (k == 0)
            assert_true(counts[0][0] > 300 && counts[1][2] > 300);
        else
            assert_true(counts[0][0] < 30 && counts[1][2] < 5 && counts[0][2] > 3000);
        loom_bags_destroy(bags);
        loom_trace_destroy(trace);
        loom_model_destroy(model);
    }
}

/* ---- traits ---------------------------------------------------------------------------------- */

/* The mean size of jobs whose runtime is between two logarithms. */
static double mean_procs(const struct loom_trace *trace, double from, double to)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    double sum = 0, n = 0;
    for (size_t i = 0; i < jobs->n; i++) {
        double x = log1p((double)jobs->run_s[i]);
        bool within = x >= from && x < to;
        sum += within * (double)jobs->req_procs[i];
        n += within;
    }
    return sum / n;
}

/* One kind of runtimes, whose longer half are serial and whose shorter half have 16 processors. By
 * the printed table a size goes with any of them; improved, it goes with those about as long. */
static void long_jobs_of_a_kind_are_small(void **state)
{
    (void)state;
    struct loom_trace *log = empty_trace();
    struct loom_stream stream;
    loom_stream_init(&stream, 9, 0, "one kind");
    assert_int_equal(loom_trace_add_directive(log, "MaxProcs", "16", NULL), 0);
    for (int i = 0; i < 5000; i++) {
        struct loom_job job = loom_job_unknown();
        double z = gsl_ran_gaussian(&stream.gsl, 1);
        job.submit_s = i * INT64_C(300);
        job.user = i % 7;
        job.run_s = llround(exp(7 + z) - 1);
        job.req_procs = z > 0 ? 1 : 16;
        append(log, job);
    }
    for (int refined = 0; refined < 2; refined++) {
        struct loom_model *model = must_fit("minh2012", log, refined ? improved : counted_bags);
        struct loom_trace *trace = must_generate(model, &many);
        double small = mean_procs(trace, 7.2, 20), large = mean_procs(trace, 0, 6.8);
        assert_near(small, refined ? 1 : 8.5, 0.7);
        assert_near(large, refined ? 16 : 8.5, 0.7);
        loom_trace_destroy(trace);
        loom_model_destroy(model);
    }
    loom_trace_destroy(log);
}

/* The share of jobs of the same kind as the one before. */
static double repeated(const struct loom_trace *trace)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    double same = 0;
    for (size_t i = 1; i < jobs->n; i++)
        same += kind_of(jobs->run_s[i]) == kind_of(jobs->run_s[i - 1]);
    return same / (double)jobs->n;
}

static double sum_of_runs(const struct loom_trace *trace)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    double sum = 0;
    for (size_t i = 0; i < jobs->n; i++)
        sum += (double)jobs->run_s[i];
    return sum;
}

static struct loom_trace *generated_without(const char *name, unsigned without)
{
    static const char *const dense[] = {"bags.delta_s=1000000", "bags.alpha=3"};
    struct loom_model *model =
        model_with(name, strcmp(name, "minh2009") == 0 ? poisson : counted_bags, dense,
                   strcmp(name, "minh2009") == 0 ? 0 : COUNT(dense));
    struct loom_generate_options options = many;
    options.without = without;
    struct loom_trace *trace = must_generate(model, &options);
    loom_model_destroy(model);
    return trace;
}

static void traits_can_be_left_out(void **state)
{
    (void)state;
    static const char *const names[] = {"minh2009", "minh2010", "minh2012"};
    for (size_t k = 0; k < COUNT(names); k++) {
        struct loom_trace *whole = generated_without(names[k], 0);
        struct loom_trace *mixed = generated_without(names[k], LOOM_LOCALITY);
        struct loom_trace *loose = generated_without(names[k], LOOM_CORRELATION);
        assert_true(correlation_of(whole) > 0.8);
        assert_true(correlation_of(mixed) > 0.8);
        assert_near(correlation_of(loose), 0, 0.05);
        assert_true(repeated(whole) > repeated(mixed) + 0.1);
        assert_true(repeated(loose) > repeated(mixed) + 0.1);
        if (k > 0) /* the same jobs in another order */
            assert_near(sum_of_runs(mixed), sum_of_runs(whole), 0.5);
        loom_trace_destroy(whole);
        loom_trace_destroy(mixed);
        loom_trace_destroy(loose);
    }
}

/* Jobs that are in no bag, and have the runtimes of all jobs nevertheless: as many of each kind as
 * the log, of which single jobs have none that are short. */
static void jobs_without_bags_are_of_all_kinds(void **state)
{
    (void)state;
    static const char *const weights[] = {"runtimes.0.weight", "runtimes.1.weight",
                                          "runtimes.2.weight"};
    const char *const *const variants[] = {counted_bags, improved};
    for (size_t v = 0; v < COUNT(variants); v++) {
        struct loom_model *model = model_with("minh2012", variants[v], NULL, 0);
        struct loom_generate_options options = many;
        options.without = LOOM_BAGS;
        struct loom_trace *trace = must_generate(model, &options);
        const struct loom_jobs *jobs = loom_trace_jobs(trace);
        struct loom_bags *bags = NULL;
        double n = (double)jobs->n, counts[3] = {0};
        assert_int_equal(loom_bags_create(&bags, trace, 1000000, NULL), 0);
        assert_int_equal(bags->count, jobs->n);
        for (size_t i = 0; i < jobs->n; i++)
            counts[kind_of(jobs->run_s[i])]++;
        for (size_t k = 0; k < 3; k++)
            assert_near(counts[k] / n, number_in(model, weights[k]), 2 / sqrt(n));
        loom_bags_destroy(bags);
        loom_trace_destroy(trace);
        loom_model_destroy(model);
    }
}

/* ---- what cannot be fitted ------------------------------------------------------------------- */

static void bags_need_users(void **state)
{
    (void)state;
    struct loom_trace *log = make_log(), *nobody = empty_trace();
    for (size_t i = 0; i < LOG_JOBS; i++) {
        struct loom_job job = loom_trace_job(log, i);
        job.user = -1;
        append(nobody, job);
    }
    const struct loom_model_info *info;
    assert_int_equal(loom_model_find(&info, "minh2012", NULL), 0);
    const struct loom_param *const lists[] = {info->params, NULL};
    struct loom_params *params = NULL;
    assert_int_equal(loom_params_create(&params, lists, NULL), 0);
    struct loom_model *model = NULL;
    struct loom_error err;
    assert_int_equal(loom_model_fit(&model, "minh2012", nobody, params, NULL, &err), LOOM_EDATA);
    assert_non_null(strstr(err.message, "no job of this log has a user"));
    loom_params_destroy(params);
    loom_trace_destroy(log);
    loom_trace_destroy(nobody);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bags_end_with_late_jobs),
        cmocka_unit_test(bags_ask_as_one),
        cmocka_unit_test(neighbouring_bags_differ),
        cmocka_unit_test(sizes_of_bags_are_zipf),
        cmocka_unit_test(sizes_beyond_the_table_are_zipf_too),
        cmocka_unit_test(sizes_beyond_begin_where_the_table_ends),
        cmocka_unit_test(users_take_turns),
        cmocka_unit_test(few_jobs_may_be_of_anybody),
        cmocka_unit_test(places_have_run_times_of_their_own),
        cmocka_unit_test(long_jobs_of_a_kind_are_small),
        cmocka_unit_test(traits_can_be_left_out),
        cmocka_unit_test(jobs_without_bags_are_of_all_kinds),
        cmocka_unit_test(bags_need_users),
    };
    return cmocka_run_group_tests_name("minh", tests, NULL, NULL);
}

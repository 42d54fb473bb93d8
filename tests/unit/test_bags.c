/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bags of tasks: finding them, against the definition taken word by word on random logs, and their
 * features, on a log small enough to work them out by hand. What cannot be comes from
 * tests/oracle/bags.py.
 */
#include "bag_rows.h"

/* ---- logs and features ----------------------------------------------------------------------- */

/* ---- finding bags ---------------------------------------------------------------------------- */

static struct loom_bags *find(const struct loom_trace *trace)
{
    struct loom_bags *bags = NULL;
    struct loom_error err = {0};
    if (loom_bags_create(&bags, trace, LOOM_BAG_DELTA_S, &err))
        fail_msg("%s", err.message);
    assert_int_equal(bags->n_jobs, loom_trace_count(trace));
    assert_int_equal(bags->first[0], 0);
    assert_int_equal(bags->first[bags->count], bags->n_jobs);
    return bags;
}

/* Two jobs 100 s apart, changed in one respect: whether they are still one bag. */
static void one_difference_parts_a_bag(void **state)
{
    (void)state;
    struct loom_job base = job_of((struct row){0, 7, 10, 2, 60, 0});
    base.alloc_procs = 2;
    struct loom_job second[16];
    for (size_t i = 0; i < COUNT(second); i++) {
        second[i] = base;
        second[i].submit_s = 100;
    }
    bool together[16] = {0};
    size_t n = 0;
    together[n++] = true; /* no difference */
    second[n++].submit_s = 101;
    second[n++].user = 8;
    second[n++].group = 1;
    second[n++].queue = 1;
    second[n++].executable = 1;
    second[n++].request_s = 61;
    second[n++].req_procs = 3;
    second[n].req_procs = -1; /* then the two allocated ones count */
    together[n++] = true;
    second[n].run_s = -1;
    together[n++] = true;
    second[n].wait_s = 1000;
    together[n++] = true;
    second[n].status = 5;
    together[n++] = true;
    second[n].partition = 2;
    together[n++] = true;
    for (size_t i = 0; i < n; i++) {
        struct loom_trace *trace = empty_trace();
        append(trace, base);
        append(trace, second[i]);
        struct loom_bags *bags = find(trace);
        if (bags->count != (together[i] ? 1 : 2))
            fail_msg("case %zu makes %zu bags", i, bags->count);
        loom_bags_destroy(bags);
        loom_trace_destroy(trace);
    }
}

static void unknown_users_are_alone(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {0, 1, 1, 1, 1, 1}, {0, 1, 1, 1, 1, 1},  {0, -1, 1, 1, 1, 1},
        {0, 1, 1, 1, 1, 1}, {0, -1, 1, 1, 1, 1}, {0, -1, 1, 1, 1, 1},
    };
    static const uint32_t first[] = {0, 2, 3, 4, 5, 6};
    struct loom_trace *trace = log_of(rows, COUNT(rows));
    struct loom_bags *bags = find(trace);
    assert_int_equal(bags->count, COUNT(first) - 1);
    assert_memory_equal(bags->first, first, sizeof first);
    loom_bags_destroy(bags);
    loom_trace_destroy(trace);
}

static void no_jobs_no_bags(void **state)
{
    (void)state;
    struct loom_trace *trace = empty_trace();
    struct loom_bags *bags = find(trace);
    assert_int_equal(bags->count, 0);
    loom_bags_destroy(bags);
    loom_trace_destroy(trace);
}

/* Submit times too far apart for their difference. */
static void ends_of_time_are_apart(void **state)
{
    (void)state;
    static const struct row rows[] = {{INT64_MAX, 1, 1, 1, 1, 1}, {INT64_MIN, 1, 1, 1, 1, 1}};
    struct loom_trace *trace = log_of(rows, COUNT(rows));
    struct loom_bags *bags = find(trace);
    assert_int_equal(bags->count, 2);
    assert_int_equal(bags->row[0], 1);
    loom_bags_destroy(bags);
    loom_trace_destroy(trace);
}

/* A log of few users and kinds, so that bags happen. */
static struct loom_trace *random_log(struct loom_stream *stream, size_t n)
{
    struct loom_trace *trace = empty_trace();
    int64_t now_s = -500;
    for (size_t i = 0; i < n; i++) {
        static const int64_t gaps_s[] = {0, 0, 1, 99, 100, 101, 5000, -150};
        now_s += gaps_s[loom_stream_below(stream, COUNT(gaps_s))];
        now_s -= now_s == -1; /* which is unknown */
        struct row row = {.submit_s = now_s, .run_s = 1, .procs = 1, .request_s = 60};
        row.user = (int32_t)loom_stream_below(stream, 3) - (loom_stream_below(stream, 8) == 0);
        struct loom_job job = job_of(row);
        switch (loom_stream_below(stream, 24)) {
        case 0:
            job.group = 1;
            break;
        case 1:
            job.queue = 1;
            break;
        case 2:
            job.executable = 1;
            break;
        case 3:
            job.request_s = -1;
            break;
        case 4:
            job.req_procs = 2;
            break;
        default:
            break;
        }
        append(trace, job);
    }
    return trace;
}

/* By (submit, row), by inserting. */
static void order_slowly(size_t *order, const struct loom_jobs *jobs)
{
    for (size_t i = 0; i < jobs->n; i++) {
        size_t to = i;
        for (; to > 0 && jobs->submit_s[order[to - 1]] > jobs->submit_s[i]; to--)
            order[to] = order[to - 1];
        order[to] = i;
    }
}

/* Both conditions of thesis 2.3.3 for the sequence from a to b of the order. */
static bool may_be_bag(const struct loom_jobs *jobs, const size_t *order, size_t a, size_t b)
{
    for (size_t i = a; i < b; i++)
        if (jobs->submit_s[order[i + 1]] > jobs->submit_s[order[i]] + LOOM_BAG_DELTA_S)
            return false;
    for (size_t i = a; i <= b; i++)
        for (size_t j = i + 1; j <= b; j++) {
            size_t x = order[i], y = order[j];
            if (jobs->user[x] < 0 || jobs->user[x] != jobs->user[y] ||
                jobs->group[x] != jobs->group[y] || jobs->queue[x] != jobs->queue[y] ||
                jobs->executable[x] != jobs->executable[y] ||
                jobs->request_s[x] != jobs->request_s[y] ||
                jobs->req_procs[x] != jobs->req_procs[y])
                return false;
        }
    return true;
}

/* A bag satisfies the definition, and stops to if its neighbour before or behind is taken in. */
static void assert_maximal(const struct loom_jobs *jobs, const struct loom_bags *bags,
                           const size_t *order, size_t bag)
{
    size_t first = bags->first[bag], last = bags->first[bag + 1] - 1;
    assert_true(first <= last);
    assert_true(may_be_bag(jobs, order, first, last));
    assert_false(first > 0 && may_be_bag(jobs, order, first - 1, last));
    assert_false(last + 1 < jobs->n && may_be_bag(jobs, order, first, last + 1));
}

static void bags_are_as_defined(void **state)
{
    (void)state;
    enum { LOGS = 400, MOST = 60 };
    struct loom_stream stream;
    loom_stream_init(&stream, 20120613, 0, "bags");
    size_t real = 0;
    for (size_t log = 0; log < LOGS; log++) {
        struct loom_trace *trace = random_log(&stream, 1 + loom_stream_below(&stream, MOST));
        const struct loom_jobs *jobs = loom_trace_jobs(trace);
        struct loom_bags *bags = find(trace);
        size_t order[MOST];
        order_slowly(order, jobs);
        for (size_t i = 0; i < jobs->n; i++)
            assert_int_equal(bags->row[i], order[i]);
        for (size_t b = 0; b < bags->count; b++) {
            assert_maximal(jobs, bags, order, b);
            real += loom_bag_size(bags, b) >= 2;
        }
        loom_bags_destroy(bags);
        loom_trace_destroy(trace);
    }
    assert_true(real > LOGS); /* or there was nothing to see */
}

/* ---- zeros, unknowns, edges ------------------------------------------------------------------ */

/* Single jobs 0 0 1 100 s apart. The lognormal fits 1 and 100: mu = sigma = log(10). Over all four
 * it is farthest behind 1: 3/4 against Phi(-1). */
static void zeros_are_in_the_distance(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {0, 1, 1, 1, 1, 1}, {0, 2, 1, 1, 1, 1},   {0, 3, 1, 1, 1, 1},
        {1, 4, 1, 1, 1, 1}, {101, 5, 1, 1, 1, 1},
    };
    const struct wanted wanted[] = {
        {"bot.interarrival.mean_s", 25.25},
        {"bot.interarrival.fit.exponential.mean", 25.25},
        {"bot.interarrival.fit.lognormal.mu", log(10)},
        {"bot.interarrival.fit.lognormal.sigma", log(10)},
        {"bot.interarrival.fit.lognormal.ks", 0.75 - 0.5 * erfc(1 / sqrt(2))},
    };
    struct loom_features *features = measure(log_of(rows, COUNT(rows)));
    assert_values(features, wanted, COUNT(wanted), 1e-14);
    loom_features_destroy(features);
}

/* Bags of 2, 3 and 4 jobs. Only the runtimes 10 and 30 are known, in the first two; processors,
 * estimates and waits are not. */
static void unknowns_have_reasons(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {0, 1, 10, -1, -1, -1},  {1, 1, -1, -1, -1, -1},  {50, 2, 30, -1, -1, -1},
        {51, 2, -1, -1, -1, -1}, {52, 2, -1, -1, -1, -1}, {60, 3, -1, -1, -1, -1},
        {61, 3, -1, -1, -1, -1}, {62, 3, -1, -1, -1, -1}, {63, 3, -1, -1, -1, -1},
    };
    struct loom_features *features = measure(log_of(rows, COUNT(rows)));
    assert_value(features, "bot.count", 3, 0);
    assert_value(features, "bot.runtime.mean_s", 20, 1e-15);
    assert_value(features, "bot.corr.size_runtime", 1, 1e-15);
    assert_missing(features, "bot.runtime.cv_mean",
                   "no bag has two jobs with a runtime, one of them above 0");
    assert_missing(features, "bot.occupation_fraction", "no job is known to occupy anything");
    assert_missing(features, "bot.wait_fraction", "no job is known to wait");
    assert_missing(features, "bot.estimate_utilization",
                   "no job in a bag knows runtime, processors and estimate");
    assert_missing(features, "bot.corr.size_procs", "no bag has a processor count");
    assert_missing(features, "bot.corr.size_estimate", "no bag has an estimate");
    loom_features_destroy(features);
}

/* One time between bags has a mean, but no deviation. */
static void two_bags(void **state)
{
    (void)state;
    static const struct row rows[] = {{0, 1, 1, 1, 1, 1}, {50, 2, 1, 1, 1, 1}};
    struct loom_features *features = measure(log_of(rows, COUNT(rows)));
    assert_value(features, "bot.interarrival.mean_s", 50, 0);
    assert_value(features, "bot.interarrival.fit.exponential.mean", 50, 1e-15);
    assert_missing(features, "bot.interarrival.cv",
                   "there are fewer than three bags, single jobs included");
    assert_missing(features, "bot.interarrival.fit.gamma.shape",
                   "the times between bags do not differ enough to be fitted");
    loom_features_destroy(features);
}

static void no_users_no_bags(void **state)
{
    (void)state;
    static const struct row rows[] = {{0, -1, 1, 1, 1, 1}, {0, -1, 1, 1, 1, 1}};
    struct loom_features *features = measure(log_of(rows, COUNT(rows)));
    assert_rest_missing(features, NULL, 0, "no job has a user ID");
    loom_features_destroy(features);
}

static void one_job(void **state)
{
    (void)state;
    static const struct row rows[] = {{40, 1, 10, 2, 20, 5}};
    static const struct wanted wanted[] = {
        {"bot.count", 0},
        {"bot.job_fraction", 0},
        {"bot.occupation_fraction", 0},
        {"bot.wait_fraction", 0},
    };
    struct loom_features *features = measure(log_of(rows, COUNT(rows)));
    assert_values(features, wanted, COUNT(wanted), 0);
    assert_rest_missing(features, wanted, COUNT(wanted), "there is only one job");
    loom_features_destroy(features);
}

/* A month of single jobs, in bursts: their bags arrive as they do. */
static void single_jobs_arrive_as_their_bags(void **state)
{
    (void)state;
    struct loom_trace *trace = empty_trace();
    struct loom_stream stream;
    loom_stream_init(&stream, 1, 0, "single jobs");
    int64_t now_s = 0;
    for (int32_t i = 0; i < 5000; i++) {
        double u = loom_stream_uniform(&stream);
        now_s += (int64_t)(50 / sqrt(1 - u));
        append(trace, job_of((struct row){now_s, i % 2, 10, 1, 20, 5}));
    }
    struct loom_features *features = measure(trace);
    static const char *const pairs[][2] = {
        {"arrival.interarrival.mean_s", "bot.interarrival.mean_s"},
        {"arrival.interarrival.cv", "bot.interarrival.cv"},
        {"arrival.hurst.mean", "bot.hurst.mean"},
    };
    for (size_t i = 0; i < COUNT(pairs); i++)
        assert_value(features, pairs[i][1], feature_of(features, pairs[i][0])->value, 1e-12);
    assert_value(features, "bot.count", 0, 0);
    assert_missing(features, "bot.size.mean", "no bag has more than one job");
    assert_missing(features, "bot.size.alpha", "no bag has more than one job");
    assert_missing(features, "bot.estimate_utilization", "no bag has more than one job");
    loom_features_destroy(features);
}

/* 10,000 jobs a minute apart: the bag lasts a week though neighbours are close. */
static void one_giant_bag(void **state)
{
    (void)state;
    enum { JOBS = 10000 };
    static const struct wanted wanted[] = {
        {"bot.count", 1},          {"bot.job_fraction", 1},
        {"bot.size.mean", JOBS},   {"bot.size.max", JOBS},
        {"bot.runtime.mean_s", 0}, {"bot.duration.p99_s", 60.0 * (JOBS - 1)},
        {"bot.wait_fraction", 1},  {"bot.estimate_utilization", 0},
    };
    struct loom_trace *trace = empty_trace();
    for (int64_t i = 0; i < JOBS; i++)
        append(trace, job_of((struct row){60 * i, 1, 0, 1, 20, 5}));
    struct loom_features *features = measure(trace);
    assert_values(features, wanted, COUNT(wanted), 0);
    assert_missing(features, "bot.runtime.cv_mean",
                   "no bag has two jobs with a runtime, one of them above 0");
    assert_missing(features, "bot.occupation_fraction", "no job is known to occupy anything");
    assert_missing(features, "bot.corr.size_runtime",
                   "all bags are alike, so there is nothing to correlate");
    assert_missing(features, "bot.interarrival.mean_s", "there is only one bag");
    assert_missing(features, "bot.interarrival.fit.gp.ks", "there is only one bag");
    assert_missing(features, "bot.hurst.mean", "there is only one bag");
    loom_features_destroy(features);
}

/* Bags of two in the same second, by two users: nothing differs, nothing lasts, nothing waits. */
static void everything_at_once(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {9, 1, 5, 1, 9, 0}, {9, 1, 5, 1, 9, 0}, {9, 2, 5, 1, 9, 0},
        {9, 2, 5, 1, 9, 0}, {9, 1, 5, 1, 9, 0}, {9, 1, 5, 1, 9, 0},
    };
    struct loom_features *features = measure(log_of(rows, COUNT(rows)));
    assert_value(features, "bot.count", 3, 0);
    assert_value(features, "bot.interarrival.mean_s", 0, 0);
    assert_missing(features, "bot.interarrival.cv", "all bags arrive in the same second");
    assert_missing(features, "bot.interarrival.fit.exponential.ks",
                   "the times between bags do not differ enough to be fitted");
    assert_value(features, "bot.duration.p99_s", 0, 0);
    assert_missing(features, "bot.wait_fraction", "no job is known to wait");
    loom_features_destroy(features);
}

/* Jobs of any numbers: every key has a finite value or a reason. */
static void any_jobs_are_measured(void **state)
{
    (void)state;
    struct loom_stream stream;
    loom_stream_init(&stream, 3, 0, "any jobs");
    for (size_t log = 0; log < 100; log++) {
        struct loom_trace *trace = empty_trace();
        struct loom_job kind = any_job(&stream);
        uint64_t span_s = UINT64_C(1) << (log % 10 == 9 ? 62 : 1 + log % 24);
        for (size_t i = 0; i < 30; i++) {
            struct loom_job job = any_job(&stream);
            job.submit_s = (int64_t)loom_stream_below(&stream, span_s);
            if (i % 3) {
                kind.submit_s = job.submit_s;
                kind.run_s = job.run_s;
                job = kind;
            }
            append(trace, job);
        }
        struct loom_features *features = measure(trace);
        for (size_t i = 0; i < loom_features_count(features); i++) {
            const struct loom_feature *feature = loom_features_at(features, i);
            if (is_of_bags(feature) &&
                (feature->known ? !isfinite(feature->value) : !feature->reason))
                fail_msg("%s has neither a value nor a reason", feature->info->key);
        }
        loom_features_destroy(features);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_difference_parts_a_bag),
        cmocka_unit_test(unknown_users_are_alone),
        cmocka_unit_test(no_jobs_no_bags),
        cmocka_unit_test(ends_of_time_are_apart),
        cmocka_unit_test(bags_are_as_defined),
        cmocka_unit_test(zeros_are_in_the_distance),
        cmocka_unit_test(unknowns_have_reasons),
        cmocka_unit_test(two_bags),
        cmocka_unit_test(no_users_no_bags),
        cmocka_unit_test(one_job),
        cmocka_unit_test(single_jobs_arrive_as_their_bags),
        cmocka_unit_test(one_giant_bag),
        cmocka_unit_test(everything_at_once),
        cmocka_unit_test(any_jobs_are_measured),
    };
    return cmocka_run_group_tests_name("bags", tests, NULL, NULL);
}

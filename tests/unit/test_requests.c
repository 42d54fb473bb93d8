/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Requests drawn by the modal model: against the shares they are drawn from, against what users do
 * in logs, and the parameters found again in what was drawn.
 */
#include "base/search.h"
#include "models/requests/quota.h"
#include "request_log.h"

#include <math.h>

/* Without users every job is drawn for itself: each place of each class must come as often as its
 * share says, within 4.5 standard errors (of about 900 comparisons, 1 in 150 runs exceeds that). */
static void drawn_by_shares(void **state)
{
    (void)state;
    enum { N = 60000 };
    struct log log = people(N, 1);
    struct loom_request_model model = fitted(&log);
    memset(log.user, 0xff, N * sizeof *log.user);
    ask(&model, &log, 3);
    size_t places = loom_request_model_places(&model), rows = model.sizes * (model.heads + 1);
    double *counts = calloc(rows * places, sizeof *counts), *sums = calloc(rows, sizeof *sums);
    assert_true(counts && sums);
    for (size_t i = 0; i < N; i++) {
        size_t row = loom_request_model_size_class(&model, log.procs[i]) * (model.heads + 1) +
                     loom_request_model_run_class(&model, log.run_s[i]);
        sums[row]++;
        counts[row * places + loom_request_model_place(&model, log.run_s[i], log.request_s[i])]++;
    }
    /* Places next to the runtime may fall back on a head: only heads away from it are compared. */
    for (size_t row = 0; row < rows; row++)
        for (size_t place = 0; place < places; place++) {
            size_t own = 2 * (row % (model.heads + 1)), slot = place > own ? place - 1 : place;
            double p = model.shares[row][place], se = sqrt(p * (1 - p) / sums[row]);
            if (slot % 2 == 0 || place + 1 == own || place == own + 2 || sums[row] * p < 20)
                continue;
            assert_near(counts[row * places + place] / sums[row], p, 4.5 * se);
        }
    free(counts);
    free(sums);
    loom_request_model_clear(&model);
    log_free(&log);
}

/* Users with jobs of all lengths, one at a time, who ask for the least round value that is enough,
 * times up to 4, or for what they asked for before. */
static struct log keepers(size_t n, uint64_t seed)
{
    enum { USERS = 30 };
    struct loom_stream stream;
    loom_stream_init(&stream, seed, 0, "keepers");
    struct log log = log_create(n);
    int64_t before_s[USERS] = {0};
    for (size_t i = 0; i < n; i++) {
        log.submit_s[i] = (int64_t)i * 200;
        log.user[i] = (int32_t)loom_stream_below(&stream, USERS);
        log.procs[i] = 1;
        log.run_s[i] = (int64_t)exp(11 * loom_stream_uniform(&stream));
        double wanted_s = (double)log.run_s[i] * (1 + 3 * loom_stream_uniform(&stream));
        size_t pick = 0;
        while (pick + 1 < COUNT(round_s) && (double)round_s[pick] < wanted_s)
            pick++;
        int64_t *last_s = &before_s[log.user[i]];
        if (loom_stream_uniform(&stream) >= 0.3 || *last_s < log.run_s[i])
            *last_s = round_s[pick];
        log.request_s[i] = *last_s;
    }
    return log;
}

/* Requests by class of runtime and place. */
static double *count_places(const struct loom_request_model *model, const struct log *log)
{
    size_t places = loom_request_model_places(model);
    double *counts = calloc((model->heads + 1) * places, sizeof *counts);
    assert_non_null(counts);
    for (size_t i = 0; i < log->jobs.n; i++)
        counts[loom_request_model_run_class(model, log->run_s[i]) * places +
               loom_request_model_place(model, log->run_s[i], log->request_s[i])]++;
    return counts;
}

/* However much users keep to their own, no class asks for a value more often than it is offered,
 * but for the excess t that quotas allow, t^2 + t = due, and one. So the rest falls short by no
 * more than all these together: a class of n jobs is off by far less than independent draws. */
static void users_keep_the_shares(void **state)
{
    (void)state;
    enum { N = 30000 };
    struct log log = keepers(N, 1);
    struct loom_request_model model = fitted(&log);
    assert_int_equal(model.sizes, 1);
    assert_int_equal(model.tails, 0);
    size_t places = loom_request_model_places(&model);
    for (int kept = 0; kept < 3; kept++) {
        model.keep_same = model.keep_other = kept / 2.0;
        model.novelty = 0.1;
        ask(&model, &log, 11);
        double *counts = count_places(&model, &log);
        for (size_t run = 0; run <= model.heads; run++) {
            double n = 0;
            for (size_t place = 0; place < places; place++)
                n += counts[run * places + place];
            for (size_t place = 0; place < places; place++) {
                double due = model.offers[run][place] * (n + 1);
                double most = due + sqrt(due + 0.25) - 0.5 + 1;
                assert_true(counts[run * places + place] <= most);
            }
        }
        free(counts);
    }
    loom_request_model_clear(&model);
    log_free(&log);
}

/* By how much places are off on average, in roots of the jobs the log has there, over ten times
 * that the model asks for its jobs: of places with enough of them. */
static double off_places(const struct loom_request_model *model, struct log *log,
                         const double *wanted)
{
    enum { TIMES = 10, ENOUGH = 20 };
    size_t cells = (model->heads + 1) * loom_request_model_places(model);
    double *sums = calloc(cells, sizeof *sums), off = 0, n = 0;
    assert_non_null(sums);
    for (uint64_t seed = 20; seed < 20 + TIMES; seed++) {
        ask(model, log, seed);
        double *counts = count_places(model, log);
        for (size_t i = 0; i < cells; i++)
            sums[i] += counts[i] / TIMES;
        free(counts);
    }
    for (size_t i = 0; i < cells; i++)
        if (wanted[i] >= ENOUGH) {
            off += fabs(sums[i] - wanted[i]) / sqrt(wanted[i]);
            n++;
        }
    assert_true(n > 20);
    free(sums);
    return off / n;
}

/* As many users are to take a value of the tail up as do in the log. */
static void tails_have_a_card_for_each_user(void **state)
{
    (void)state;
    enum { USERS = 20, MINUTES = 1100 };
    struct log log = people(3000, 4);
    static bool has[MINUTES][USERS];
    int most = 0;
    for (size_t i = 0; i < log.jobs.n; i++) {
        assert_in_range(log.request_s[i], 60, 60 * (MINUTES - 1));
        has[log.request_s[i] / 60][log.user[i]] = true;
    }
    struct loom_request_model model = fitted(&log);
    assert_true(model.tails > 20);
    for (size_t i = 0; i < model.tails; i++) {
        int users = 0;
        for (size_t user = 0; user < USERS; user++)
            users += has[model.tail_s[i] / 60][user];
        assert_near(model.tail_users[i], users, 0);
        assert_true(model.tail_turns[i] >= 1);
        most = users > most ? users : most;
    }
    assert_true(most > 1);
    loom_request_model_clear(&model);
    log_free(&log);
}

/* Different tail values of the model that jobs ask for, how many jobs do, and their mean. */
struct tail {
    double values, jobs, mean_s;
};

static struct tail tail_of(const struct loom_request_model *model, const struct log *log)
{
    struct tail tail = {0};
    bool *seen = calloc(model->tails, sizeof *seen);
    assert_non_null(seen);
    for (size_t i = 0; i < log->jobs.n; i++) {
        size_t at = loom_lower_bound(model->tail_s, model->tails, log->request_s[i]);
        if (at == model->tails || model->tail_s[at] != log->request_s[i])
            continue;
        tail.values += !seen[at];
        tail.mean_s += (double)log->request_s[i];
        tail.jobs++;
        seen[at] = true;
    }
    tail.mean_s /= tail.jobs;
    free(seen);
    return tail;
}

/* Most tail values of these logs have one to three jobs each; independent draws would miss more
 * than every fourth of them. Dealt, they are missed only where jobs end in the middle of a deck,
 * with users and without. */
static void tails_come_back(void **state)
{
    (void)state;
    enum { TIMES = 6 };
    for (int owned = 0; owned < 2; owned++) {
        struct log log = people(12000, 8);
        if (!owned)
            memset(log.user, 0xff, log.jobs.n * sizeof *log.user);
        struct loom_request_model model = fitted(&log);
        const struct tail wanted = tail_of(&model, &log);
        struct tail sum = {0};
        assert_true(model.tails > 300);
        for (uint64_t seed = 3; seed < 3 + TIMES; seed++) {
            ask(&model, &log, seed);
            struct tail got = tail_of(&model, &log);
            sum.values += got.values / TIMES;
            sum.jobs += got.jobs / TIMES;
            sum.mean_s += got.mean_s / TIMES;
        }
        print_message("# values %g of %g, jobs %g of %g, mean %g of %g\n", sum.values,
                      wanted.values, sum.jobs, wanted.jobs, sum.mean_s, wanted.mean_s);
        assert_true(sum.values >= 0.92 * wanted.values);
        assert_near(sum.jobs, wanted.jobs, 0.1 * wanted.jobs);
        assert_near(sum.mean_s, wanted.mean_s, 0.05 * wanted.mean_s);
        loom_request_model_clear(&model);
        log_free(&log);
    }
}

/* What users keep makes classes alike, unless that is made up for in what they are offered. */
static void offers_make_the_shares(void **state)
{
    (void)state;
    struct log log = keepers(6000, 3);
    struct loom_request_model model = fitted(&log);
    double *wanted = count_places(&model, &log);
    double off = off_places(&model, &log, wanted);
    for (size_t row = 0; row <= model.heads; row++)
        if (model.offered[row])
            memcpy(model.offered[row], model.jobs[row],
                   loom_request_model_places(&model) * sizeof *model.jobs[row]);
    assert_int_equal(loom_request_model_settle(&model, NULL), 0);
    double off_before = off_places(&model, &log, wanted);
    print_message("# off by %.3f, without offers by %.3f\n", off, off_before);
    assert_true(off < 0.25);
    assert_true(off < 0.5 * off_before);
    free(wanted);
    loom_request_model_clear(&model);
    log_free(&log);
}

/* Quotas start with a random part of a request, each its own: uniform over 0 to 1, so of n the
 * mean and the mean square are 1/2 and 1/3 within 4 standard errors, 0.29 and 0.30 over root n. */
static void quotas_start_at_random(void **state)
{
    (void)state;
    struct log log = people(3000, 6);
    struct loom_request_model model = fitted(&log);
    struct loom_stream stream;
    loom_stream_init(&stream, 1, 0, "quotas");
    struct loom_quotas quotas = loom_quotas_create(&model, &stream);
    assert_non_null(quotas.rows);
    double n = 0, sum = 0, squares = 0;
    for (size_t row = 0; row < model.sizes * (model.heads + 1); row++) {
        const struct loom_quota *quota = loom_quotas_row(&quotas, row);
        for (size_t place = 0; place < quota->places; place++, n++) {
            double asked = quota->of[place].asked;
            assert_true(asked >= 0 && asked < 1);
            sum += asked;
            squares += asked * asked;
        }
    }
    assert_true(n > 500);
    assert_near(sum / n, 1.0 / 2, 4 * 0.29 / sqrt(n));
    assert_near(squares / n, 1.0 / 3, 4 * 0.30 / sqrt(n));
    free(quotas.rows);
    loom_request_model_clear(&model);
    log_free(&log);
}

/* Of 10 requests due, place 0 has had all of its own and less is left than anywhere; place 2 has
 * the most left and 1 comes next; place 3 has no share. */
static void the_richest_but_one(void **state)
{
    (void)state;
    enum { PLACES = 4 };
    static const struct loom_quota_place of[PLACES] = {{0.4, 7}, {0.3, 2}, {0.3, 1}, {0, -9}};
    struct loom_quota *quota = malloc(sizeof *quota + sizeof of);
    assert_non_null(quota);
    quota->due = 10;
    quota->places = PLACES;
    memcpy(quota->of, of, sizeof of);
    static const size_t expected[PLACES + 1] = {2, 2, 1, 2, 2};
    for (size_t but = 0; but <= PLACES; but++)
        assert_int_equal(loom_quota_most_left(quota, but), expected[but]);
    /* Where nothing is left anywhere, it is that which lacks the least. */
    for (size_t place = 0; place < PLACES; place++)
        quota->of[place].asked += 20;
    assert_int_equal(loom_quota_most_left(quota, PLACES), 2);
    assert_int_equal(loom_quota_most_left(quota, 2), 1);
    /* The only one with a share is taken although it is left out: there is no other. */
    quota->of[0].share = quota->of[1].share = 0;
    assert_int_equal(loom_quota_most_left(quota, 2), 2);
    free(quota);
}

static double mean_ratio(const struct log *log)
{
    double sum = 0;
    for (size_t i = 0; i < log->jobs.n; i++)
        sum += (double)log->run_s[i] / (double)log->request_s[i];
    return sum / (double)log->jobs.n;
}

/* Different values that a user asks for, on average; all are less than a day. */
static double values_per_user(const struct log *log, size_t users)
{
    enum { DAY_S = 86400 };
    bool *seen = calloc(users * DAY_S, sizeof *seen);
    assert_non_null(seen);
    double values = 0;
    for (size_t i = 0; i < log->jobs.n; i++) {
        bool *own = &seen[(size_t)log->user[i] * DAY_S + (size_t)log->request_s[i]];
        values += !*own;
        *own = true;
    }
    free(seen);
    return values / (double)users;
}

/* Users make jobs no shorter or longer beside their requests than jobs that nobody owns (the
 * standard error of the latter is 0.005), and have as many values as in the log. */
static void users_ask_as_in_the_log(void **state)
{
    (void)state;
    enum { N = 3000, USERS = 30 };
    struct log log = keepers(N, 2), nobodys = keepers(N, 2);
    double values = values_per_user(&log, USERS);
    struct loom_request_model model = fitted(&log);
    memset(nobodys.user, 0xff, N * sizeof *nobodys.user);
    for (uint64_t seed = 2; seed < 5; seed++) {
        ask(&model, &log, seed);
        ask(&model, &nobodys, seed);
        assert_near(mean_ratio(&log), mean_ratio(&nobodys), 0.02);
        assert_near(values_per_user(&log, USERS), values, 1);
    }
    loom_request_model_clear(&model);
    log_free(&log);
    log_free(&nobodys);
}

/* A log of people who ask for whole hours, if for more than one, and leave after some hundred jobs
 * each for others to come. */
static struct log passing_people(size_t n, uint64_t seed)
{
    enum { AT_ONCE = 20, JOBS = 100 };
    struct log log = people(n, seed);
    for (size_t i = 0; i < n; i++) {
        log.user[i] += AT_ONCE * (int32_t)(i / (AT_ONCE * JOBS));
        if (log.request_s[i] > 3600)
            log.request_s[i] = (log.request_s[i] + 3599) / 3600 * 3600;
    }
    return log;
}

/* What was asked for by the model, fitted again, twelve times. No parameter may come back off by
 * more than one fit's standard deviation and the standard error of that mean. */
static void round_trip(void **state)
{
    (void)state;
    enum { N = 12000, TIMES = 12, PARAMETERS = 5 };
    static const char *const names[PARAMETERS] = {"whole bundles", "kept in bundles",
                                                  "kept, same size", "kept, other size", "novelty"};
    struct log log = passing_people(N, 2);
    struct loom_request_model model = fitted(&log);
    double sum[PARAMETERS] = {0}, squares[PARAMETERS] = {0};
    double *real[] = {&model.whole_bundles, &model.keep_in_bundle, &model.keep_same,
                      &model.keep_other, &model.novelty};
    const double wanted[PARAMETERS] = {0.8, 0.6, 0.9, 0.7, 0.3};
    for (size_t i = 0; i < PARAMETERS; i++)
        *real[i] = wanted[i];
    for (uint64_t seed = 5; seed < 5 + TIMES; seed++) {
        ask(&model, &log, seed);
        struct loom_request_model again = fitted(&log);
        const double found[] = {again.whole_bundles, again.keep_in_bundle, again.keep_same,
                                again.keep_other, again.novelty};
        for (size_t i = 0; i < PARAMETERS; i++) {
            sum[i] += found[i] - wanted[i];
            squares[i] += (found[i] - wanted[i]) * (found[i] - wanted[i]);
        }
        loom_request_model_clear(&again);
    }
    for (size_t i = 0; i < PARAMETERS; i++) {
        double bias = sum[i] / TIMES, sd = sqrt((squares[i] - sum[i] * bias) / (TIMES - 1));
        if (!(fabs(bias) <= sd * (1 + 1 / sqrt(TIMES))))
            fail_msg("%s: %.4f, off by %.4f where one fit's deviation is %.4f", names[i], wanted[i],
                     bias, sd);
    }
    loom_request_model_clear(&model);
    log_free(&log);
}

static void similar_jobs_ask_alike(void **state)
{
    (void)state;
    enum { N = 20000 };
    struct log log = people(N, 3);
    struct loom_request_model model = fitted(&log);
    size_t agree[2] = {0};
    for (int kept = 0; kept < 2; kept++) {
        model.whole_bundles = model.keep_same = model.keep_other = kept;
        ask(&model, &log, 7);
        int64_t last[20] = {0};
        for (size_t i = 0; i < N; i++) {
            agree[kept] += last[log.user[i]] == log.request_s[i];
            last[log.user[i]] = log.request_s[i];
        }
    }
    assert_true(agree[1] > 2 * agree[0]);
    loom_request_model_clear(&model);
    log_free(&log);
}

static void same_seed_same_requests(void **state)
{
    (void)state;
    enum { N = 2000 };
    struct log a = people(N, 4), b = people(N, 4);
    struct loom_request_model model = fitted(&a);
    ask(&model, &a, 9);
    ask(&model, &b, 9);
    assert_memory_equal(a.request_s, b.request_s, N * sizeof *a.request_s);
    ask(&model, &b, 10);
    assert_memory_not_equal(a.request_s, b.request_s, N * sizeof *a.request_s);
    loom_request_model_clear(&model);
    log_free(&a);
    log_free(&b);
}

/* Forty users have four values each, out of thirty that are all alike in the log as a whole. Drawn
 * from all, they would have nearly thirty each. */
static void users_have_values_of_their_own(void **state)
{
    (void)state;
    enum { USERS = 40, EACH = 200, OWN = 4, VALUES = 30 };
    struct log log = log_create(USERS * EACH);
    struct loom_stream stream;
    loom_stream_init(&stream, 6, 0, "own values");
    for (size_t i = 0; i < log.jobs.n; i++) {
        uint64_t user = i % USERS, own = loom_stream_below(&stream, OWN);
        log.submit_s[i] = (int64_t)i * 1000;
        log.user[i] = (int32_t)user;
        log.procs[i] = 1;
        log.run_s[i] = 1 + (int64_t)loom_stream_below(&stream, 500);
        log.request_s[i] = (int64_t)(1 + (user * 7 + own * 11) % VALUES) * 600;
    }
    struct loom_request_model model = fitted(&log);
    assert_true(model.novelty < 0.3);
    for (uint64_t seed = 2; seed < 5; seed++) {
        bool seen[USERS][VALUES + 1] = {{false}};
        double pairs = 0;
        ask(&model, &log, seed);
        for (size_t i = 0; i < log.jobs.n; i++) {
            bool *own = &seen[log.user[i]][log.request_s[i] / 600];
            pairs += !*own;
            *own = true;
        }
        assert_near(pairs / USERS, OWN, 1.2);
    }
    loom_request_model_clear(&model);
    log_free(&log);
}

/* Bundles of five that are never whole and otherwise kept: each has one change, after any of the
 * first four jobs as often, and what is asked for then is something else. */
static void bundles_change_anywhere(void **state)
{
    (void)state;
    enum { BUNDLES = 2000, JOBS = 5 };
    struct log known = keepers(5000, 1), log = log_create(BUNDLES * JOBS);
    struct loom_request_model model = fitted(&known);
    double after[JOBS] = {0};
    model.whole_bundles = 0;
    model.keep_in_bundle = 1;
    for (size_t i = 0; i < BUNDLES * JOBS; i++) {
        log.submit_s[i] = (int64_t)(10000 * (i / JOBS) + 10 * (i % JOBS));
        log.run_s[i] = 100;
        log.procs[i] = 1;
        log.user[i] = (int32_t)(i / JOBS % 20);
    }
    ask(&model, &log, 4);
    for (size_t b = 0; b < BUNDLES; b++) {
        const int64_t *asked_s = log.request_s + b * JOBS;
        size_t changes = 0;
        for (size_t i = 1; i < JOBS; i++) {
            changes += asked_s[i] != asked_s[i - 1];
            after[i] += asked_s[i] != asked_s[i - 1];
        }
        assert_int_equal(changes, 1);
    }
    for (size_t i = 1; i < JOBS; i++)
        assert_near(after[i], BUNDLES / 4.0, 4 * sqrt(BUNDLES * 3.0 / 16));
    loom_request_model_clear(&model);
    log_free(&known);
    log_free(&log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drawn_by_shares),
        cmocka_unit_test(tails_have_a_card_for_each_user),
        cmocka_unit_test(tails_come_back),
        cmocka_unit_test(users_keep_the_shares),
        cmocka_unit_test(offers_make_the_shares),
        cmocka_unit_test(quotas_start_at_random),
        cmocka_unit_test(the_richest_but_one),
        cmocka_unit_test(users_ask_as_in_the_log),
        cmocka_unit_test(round_trip),
        cmocka_unit_test(similar_jobs_ask_alike),
        cmocka_unit_test(bundles_change_anywhere),
        cmocka_unit_test(same_seed_same_requests),
        cmocka_unit_test(users_have_values_of_their_own),
    };
    return cmocka_run_group_tests_name("requests", tests, NULL, NULL);
}

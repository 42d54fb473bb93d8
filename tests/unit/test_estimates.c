/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The modal model of requested times: places and shares worked out by hand, what is drawn against
 * the shares it is drawn from, and the parameters found again in what was drawn.
 */
#include "modeling.h"
#include "models/estimates.h"
#include "models/estimates_accounts.h"
#include "models/estimates_bundles.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- logs ------------------------------------------------------------------------------------ */

/* A log of n jobs by columns; everything but submit times is unknown at first. */
struct log {
    struct loom_workload jobs;
    int64_t *submit_s, *run_s, *wait_s, *estimate_s;
    int32_t *procs, *user, *none;
};

static void *unknown(size_t n, size_t size)
{
    void *column = malloc((n + 1) * size);
    assert_non_null(column);
    memset(column, 0xff, n * size);
    return column;
}

static struct log log_create(size_t n)
{
    struct log log = {.submit_s = calloc(n + 1, 8),
                      .run_s = unknown(n, 8),
                      .wait_s = unknown(n, 8),
                      .estimate_s = unknown(n, 8),
                      .procs = unknown(n, 4),
                      .user = unknown(n, 4),
                      .none = unknown(n, 4)};
    log.jobs = (struct loom_workload){.n = n,
                                      .submit_s = log.submit_s,
                                      .run_s = log.run_s,
                                      .wait_s = log.wait_s,
                                      .estimate_s = log.estimate_s,
                                      .procs = log.procs,
                                      .user = log.user,
                                      .group = log.none,
                                      .executable = log.none,
                                      .queue = log.none};
    return log;
}

static void log_free(struct log *log)
{
    free(log->submit_s);
    free(log->run_s);
    free(log->wait_s);
    free(log->estimate_s);
    free(log->procs);
    free(log->user);
    free(log->none);
}

static struct loom_estimate_model fitted(const struct log *log)
{
    struct loom_training training = {.jobs = &log->jobs, .procs = 64};
    struct loom_estimate_model model;
    struct loom_error err = {0};
    if (loom_estimates_fit(&model, &training, &err))
        fail_msg("%s", err.message);
    return model;
}

/* Ask for the jobs of a log as the model does. */
static void ask(const struct loom_estimate_model *model, struct log *log, uint64_t seed)
{
    struct loom_weave weave = {.seed = seed, .procs = 64, .log_procs = 64};
    struct loom_error err = {0};
    size_t n = log->jobs.n;
    assert_int_equal(loom_draft_resize(&weave.draft, n, &err), 0);
    assert_int_equal(loom_draft_detail(&weave.draft, LOOM_DETAIL_USER, &err), 0);
    memcpy(weave.draft.submit_s, log->submit_s, n * 8);
    memcpy(weave.draft.run_s, log->run_s, n * 8);
    memcpy(weave.draft.procs, log->procs, n * 4);
    memcpy(weave.draft.user, log->user, n * 4);
    if (loom_estimates_apply(model, &weave, &err))
        fail_msg("%s", err.message);
    memcpy(log->estimate_s, weave.draft.estimate_s, n * 8);
    loom_draft_free(&weave.draft);
}

/* ---- places ---------------------------------------------------------------------------------- */

/* Heads at 60 and 3600. For a job of 100 s, which is in class 1, the places are: 0 below 60, 1 the
 * head 60, 2 above it but not enough, 3 enough but below 3600, 4 the head 3600, 5 above it. */
static void places_in_order(void **state)
{
    (void)state;
    int64_t heads[] = {60, 3600};
    struct loom_estimate_model model = {.heads = 2, .head_s = heads};
    static const struct {
        int64_t run_s, estimate_s;
        size_t class, place;
    } cases[] = {
        {100, 59, 1, 0},    {100, 60, 1, 1},   {100, 61, 1, 2},    {100, 99, 1, 2},
        {100, 100, 1, 3},   {100, 3599, 1, 3}, {100, 3600, 1, 4},  {100, 9999, 1, 5},
        {60, 59, 0, 0},     {60, 60, 0, 2},    {60, 61, 0, 3},     {0, 1, 0, 1},
        {3601, 3600, 2, 3}, {61, 60, 1, 1},    {5000, 4000, 2, 4}, {5000, 5000, 2, 5},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_int_equal(loom_estimates_run_class(&model, cases[i].run_s), cases[i].class);
        assert_int_equal(loom_estimates_place(&model, cases[i].run_s, cases[i].estimate_s),
                         cases[i].place);
    }
}

/* Sixty jobs of one size without users: 40 of 50 s ask for 60, 15 of 100 s for 3600, and 5 of 100 s
 * for 60, which is not enough. The heads are 60 and 3600. In class 1 (above 60 s) the shares of all
 * sizes are (5, 15) / 20 leaning on one job at 3600 = (5, 16) / 21, and leaning on 20 such jobs
 * again (5 + 20 x 5/21, 15 + 20 x 16/21) / 40. */
static void shares_by_hand(void **state)
{
    (void)state;
    struct log log = log_create(60);
    for (size_t i = 0; i < 60; i++) {
        log.submit_s[i] = (int64_t)i;
        log.procs[i] = 4;
        log.run_s[i] = i < 40 ? 50 : 100;
        log.estimate_s[i] = i < 40 || i >= 55 ? 60 : 3600;
    }
    struct loom_estimate_model model = fitted(&log);
    assert_int_equal(model.heads, 2);
    assert_int_equal(model.head_s[0], 60);
    assert_int_equal(model.head_s[1], 3600);
    assert_int_equal(model.tails, 0);
    assert_int_equal(model.sizes, 1);
    const double *shares = model.shares[1];
    assert_near(shares[1], (5 + 20 * 5.0 / 21) / 40, 1e-12);
    assert_near(shares[4], (15 + 20 * 16.0 / 21) / 40, 1e-12);
    assert_near(shares[0] + shares[2] + shares[3] + shares[5], 0, 1e-12);
    /* Nobody is above an hour: what is enough then is in the last segment, which is empty. */
    assert_near(model.shares[2][5], 1, 1e-12);
    loom_estimates_clear(&model);
    log_free(&log);
}

static void too_little_is_said(void **state)
{
    (void)state;
    struct log log = log_create(100);
    struct loom_training training = {.jobs = &log.jobs, .procs = 64};
    struct loom_estimate_model model;
    struct loom_error err = {0};
    for (size_t i = 0; i < 49; i++) {
        log.procs[i] = 1;
        log.run_s[i] = log.estimate_s[i] = 10;
    }
    assert_int_equal(loom_estimates_fit(&model, &training, &err), LOOM_EDATA);
    assert_non_null(strstr(err.message, "the log has 49"));
    assert_null(model.head_s);
    log_free(&log);
}

/* ---- bundles --------------------------------------------------------------------------------- */

/* Jobs of one user, ten seconds apart: bundles end where the size changes, and the last has two
 * requests. A request counts for all its jobs if it is enough for them, and else for those it
 * fails. */
static void bundles_by_hand(void **state)
{
    (void)state;
    enum { N = 10 };
    static const int32_t procs[N] = {4, 4, 4, 4, 4, 1, 1, 1, 2, 2};
    static const int64_t run_s[N] = {10, 700, 20, 30, 800, 5, 600, 7, 900, 10};
    static const struct loom_bundle wanted[] = {{4, 800, 600, 2},
                                                {1, 600, 600, 3},
                                                {2, 900, 600, 1},
                                                {2, 10, 1200, 1}};
    struct log log = log_create(N);
    uint32_t jobs[N];
    const uint32_t first[] = {0, N};
    for (uint32_t i = 0; i < N; i++) {
        jobs[i] = i;
        log.submit_s[i] = 10 * i;
        log.run_s[i] = run_s[i];
        log.estimate_s[i] = i + 1 < N ? 600 : 1200;
        log.user[i] = 0;
    }
    struct loom_users users = {.n = N, .count = 1, .first = first, .job = jobs};
    struct loom_request_log asked = {.jobs = {.n = N,
                                              .submit_s = log.submit_s,
                                              .run_s = log.run_s,
                                              .procs = procs,
                                              .user = log.user},
                                     .estimate_s = log.estimate_s,
                                     .known = jobs,
                                     .n = N,
                                     .users = &users};
    struct loom_bundles bundles;
    assert_int_equal(loom_bundles_find(&bundles, &asked, NULL), 0);
    assert_int_equal(bundles.n, COUNT(wanted));
    for (size_t i = 0; i < COUNT(wanted); i++) {
        assert_int_equal(bundles.items[i].procs, wanted[i].procs);
        assert_int_equal(bundles.items[i].longest_s, wanted[i].longest_s);
        assert_int_equal(bundles.items[i].estimate_s, wanted[i].estimate_s);
        assert_int_equal(bundles.items[i].jobs, wanted[i].jobs);
    }
    assert_int_equal(bundles.several, 3);
    assert_int_equal(bundles.whole, 2);
    free(bundles.items);
    log_free(&log);
}

/* ---- drawing --------------------------------------------------------------------------------- */

static const int64_t round_s[] = {60,    300,   600,   900,   1200,  1800,  3600,  7200,
                                  10800, 14400, 18000, 21600, 28800, 36000, 43200, 64800};

/* A log as people make them: users with a favourite request, a limit at 18 hours, bundles. */
static struct log people(size_t n, uint64_t seed)
{
    struct loom_stream stream;
    loom_stream_init(&stream, seed, 0, "people");
    struct log log = log_create(n);
    int64_t now_s = 0;
    for (size_t i = 0; i < n; i++) {
        bool goes_on = i > 0 && loom_stream_uniform(&stream) < 0.3;
        now_s += goes_on ? 10 : 200;
        log.submit_s[i] = now_s;
        log.user[i] = goes_on ? log.user[i - 1] : (int32_t)loom_stream_below(&stream, 20);
        log.procs[i] = goes_on ? log.procs[i - 1] : 1 << loom_stream_below(&stream, 6);
        log.run_s[i] = (int64_t)exp(11 * loom_stream_uniform(&stream));
        uint64_t pick = loom_stream_below(&stream, COUNT(round_s) + 1);
        log.estimate_s[i] = pick < COUNT(round_s)
                                ? round_s[pick]
                                : 60 * (1 + (int64_t)loom_stream_below(&stream, 1000));
        if (log.estimate_s[i] < log.run_s[i] && loom_stream_uniform(&stream) < 0.9)
            log.estimate_s[i] = 64800;
    }
    return log;
}

/* Without users every job is drawn for itself: each place of each class must come as often as its
 * share says, within 4.5 standard errors (of about 900 comparisons, 1 in 150 runs exceeds that). */
static void drawn_by_shares(void **state)
{
    (void)state;
    enum { N = 60000 };
    struct log log = people(N, 1);
    struct loom_estimate_model model = fitted(&log);
    memset(log.user, 0xff, N * sizeof *log.user);
    ask(&model, &log, 3);
    size_t places = loom_estimates_places(&model), rows = model.sizes * (model.heads + 1);
    double *counts = calloc(rows * places, sizeof *counts), *sums = calloc(rows, sizeof *sums);
    assert_true(counts && sums);
    for (size_t i = 0; i < N; i++) {
        size_t row = loom_estimates_size_class(&model, log.procs[i]) * (model.heads + 1) +
                     loom_estimates_run_class(&model, log.run_s[i]);
        sums[row]++;
        counts[row * places + loom_estimates_place(&model, log.run_s[i], log.estimate_s[i])]++;
    }
    /* Places next to the run time may fall back on a head: only heads away from it are compared. */
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
    loom_estimates_clear(&model);
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
        log.estimate_s[i] = *last_s;
    }
    return log;
}

/* Requests by class of run time and place. */
static double *count_places(const struct loom_estimate_model *model, const struct log *log)
{
    size_t places = loom_estimates_places(model);
    double *counts = calloc((model->heads + 1) * places, sizeof *counts);
    assert_non_null(counts);
    for (size_t i = 0; i < log->jobs.n; i++)
        counts[loom_estimates_run_class(model, log->run_s[i]) * places +
               loom_estimates_place(model, log->run_s[i], log->estimate_s[i])]++;
    return counts;
}

/* However much users keep to their own, no class asks for a value more often than it is offered,
 * but for the excess t that accounts allow, t^2 + t = due, and one. So the rest falls short by no
 * more than all these together: a class of n jobs is off by far less than independent draws. */
static void users_keep_the_shares(void **state)
{
    (void)state;
    enum { N = 30000 };
    struct log log = keepers(N, 1);
    struct loom_estimate_model model = fitted(&log);
    assert_int_equal(model.sizes, 1);
    assert_int_equal(model.tails, 0);
    size_t places = loom_estimates_places(&model);
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
    loom_estimates_clear(&model);
    log_free(&log);
}

/* By how much places are off on average, in roots of the jobs the log has there, over ten times
 * that the model asks for its jobs: of places with enough of them. */
static double off_places(const struct loom_estimate_model *model, struct log *log,
                         const double *wanted)
{
    enum { TIMES = 10, ENOUGH = 20 };
    size_t cells = (model->heads + 1) * loom_estimates_places(model);
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

/* Users who take a value of the tail up at the rate that is offered to them, of one more user than
 * there are, have it in the end as often as those of the log. */
static void tails_are_offered_by_rate(void **state)
{
    (void)state;
    enum { USERS = 20, MINUTES = 1100 };
    struct log log = people(3000, 4);
    static bool has[MINUTES][USERS];
    int most = 0;
    for (size_t i = 0; i < log.jobs.n; i++) {
        assert_in_range(log.estimate_s[i], 60, 60 * (MINUTES - 1));
        has[log.estimate_s[i] / 60][log.user[i]] = true;
    }
    struct loom_estimate_model model = fitted(&log);
    assert_true(model.tails > 20);
    for (size_t i = 0; i < model.tails; i++) {
        int users = 0;
        for (size_t user = 0; user < USERS; user++)
            users += has[model.tail_s[i] / 60][user];
        double all = USERS + 1, share = -expm1(-model.tail_offered[i] / all);
        assert_near(all * share, users, 1e-9);
        most = users > most ? users : most;
    }
    assert_true(most > 1);
    loom_estimates_clear(&model);
    log_free(&log);
}

/* What users keep makes classes alike, unless that is made up for in what they are offered. */
static void offers_make_the_shares(void **state)
{
    (void)state;
    struct log log = keepers(6000, 3);
    struct loom_estimate_model model = fitted(&log);
    double *wanted = count_places(&model, &log);
    double off = off_places(&model, &log, wanted);
    for (size_t row = 0; row <= model.heads; row++)
        if (model.offered[row])
            memcpy(model.offered[row], model.jobs[row],
                   loom_estimates_places(&model) * sizeof *model.jobs[row]);
    assert_int_equal(loom_estimates_settle(&model, NULL), 0);
    double off_before = off_places(&model, &log, wanted);
    print_message("# off by %.3f, without offers by %.3f\n", off, off_before);
    assert_true(off < 0.25);
    assert_true(off < 0.5 * off_before);
    free(wanted);
    loom_estimates_clear(&model);
    log_free(&log);
}

/* Accounts start with a random part of a request, each its own: uniform over 0 to 1, so of n the
 * mean and the mean square are 1/2 and 1/3 within 4 standard errors, 0.29 and 0.30 over root n. */
static void accounts_start_at_random(void **state)
{
    (void)state;
    struct log log = people(3000, 6);
    struct loom_estimate_model model = fitted(&log);
    struct loom_stream stream;
    loom_stream_init(&stream, 1, 0, "accounts");
    struct loom_ledger ledger = loom_ledger_create(&model, &stream);
    assert_non_null(ledger.rows);
    double n = 0, sum = 0, squares = 0;
    for (size_t row = 0; row < model.sizes * (model.heads + 1); row++) {
        const struct loom_accounts *accounts = loom_ledger_row(&ledger, row);
        for (size_t place = 0; place < accounts->places; place++, n++) {
            double asked = accounts->of[place].asked;
            assert_true(asked >= 0 && asked < 1);
            sum += asked;
            squares += asked * asked;
        }
    }
    assert_true(n > 500);
    assert_near(sum / n, 1.0 / 2, 4 * 0.29 / sqrt(n));
    assert_near(squares / n, 1.0 / 3, 4 * 0.30 / sqrt(n));
    free(ledger.rows);
    loom_estimates_clear(&model);
    log_free(&log);
}

/* Of 10 requests due, place 0 has had all of its own and less is left than anywhere; place 2 has
 * the most left and 1 comes next; place 3 has no share. */
static void the_richest_but_one(void **state)
{
    (void)state;
    enum { PLACES = 4 };
    static const struct loom_account of[PLACES] = {{0.4, 7}, {0.3, 2}, {0.3, 1}, {0, -9}};
    struct loom_accounts *accounts = malloc(sizeof *accounts + sizeof of);
    assert_non_null(accounts);
    accounts->due = 10;
    accounts->places = PLACES;
    memcpy(accounts->of, of, sizeof of);
    static const size_t expected[PLACES + 1] = {2, 2, 1, 2, 2};
    for (size_t but = 0; but <= PLACES; but++)
        assert_int_equal(loom_accounts_richest(accounts, but), expected[but]);
    /* Where nothing is left anywhere, it is that which lacks the least. */
    for (size_t place = 0; place < PLACES; place++)
        accounts->of[place].asked += 20;
    assert_int_equal(loom_accounts_richest(accounts, PLACES), 2);
    assert_int_equal(loom_accounts_richest(accounts, 2), 1);
    /* The only one with a share is taken although it is left out: there is no other. */
    accounts->of[0].share = accounts->of[1].share = 0;
    assert_int_equal(loom_accounts_richest(accounts, 2), 2);
    free(accounts);
}

static double mean_ratio(const struct log *log)
{
    double sum = 0;
    for (size_t i = 0; i < log->jobs.n; i++)
        sum += (double)log->run_s[i] / (double)log->estimate_s[i];
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
        bool *own = &seen[(size_t)log->user[i] * DAY_S + (size_t)log->estimate_s[i]];
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
    struct loom_estimate_model model = fitted(&log);
    memset(nobodys.user, 0xff, N * sizeof *nobodys.user);
    for (uint64_t seed = 2; seed < 5; seed++) {
        ask(&model, &log, seed);
        ask(&model, &nobodys, seed);
        assert_near(mean_ratio(&log), mean_ratio(&nobodys), 0.02);
        assert_near(values_per_user(&log, USERS), values, 1);
    }
    loom_estimates_clear(&model);
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
        if (log.estimate_s[i] > 3600)
            log.estimate_s[i] = (log.estimate_s[i] + 3599) / 3600 * 3600;
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
    struct loom_estimate_model model = fitted(&log);
    double sum[PARAMETERS] = {0}, squares[PARAMETERS] = {0};
    double *real[] = {&model.whole_bundles, &model.keep_in_bundle, &model.keep_same,
                      &model.keep_other, &model.novelty};
    const double wanted[PARAMETERS] = {0.8, 0.6, 0.9, 0.7, 0.3};
    for (size_t i = 0; i < PARAMETERS; i++)
        *real[i] = wanted[i];
    for (uint64_t seed = 5; seed < 5 + TIMES; seed++) {
        ask(&model, &log, seed);
        struct loom_estimate_model again = fitted(&log);
        const double found[] = {again.whole_bundles, again.keep_in_bundle, again.keep_same,
                                again.keep_other, again.novelty};
        for (size_t i = 0; i < PARAMETERS; i++) {
            sum[i] += found[i] - wanted[i];
            squares[i] += (found[i] - wanted[i]) * (found[i] - wanted[i]);
        }
        loom_estimates_clear(&again);
    }
    for (size_t i = 0; i < PARAMETERS; i++) {
        double bias = sum[i] / TIMES, sd = sqrt((squares[i] - sum[i] * bias) / (TIMES - 1));
        if (!(fabs(bias) <= sd * (1 + 1 / sqrt(TIMES))))
            fail_msg("%s: %.4f, off by %.4f where one fit's deviation is %.4f", names[i], wanted[i],
                     bias, sd);
    }
    loom_estimates_clear(&model);
    log_free(&log);
}

static void similar_jobs_ask_alike(void **state)
{
    (void)state;
    enum { N = 20000 };
    struct log log = people(N, 3);
    struct loom_estimate_model model = fitted(&log);
    size_t agree[2] = {0};
    for (int kept = 0; kept < 2; kept++) {
        model.whole_bundles = model.keep_same = model.keep_other = kept;
        ask(&model, &log, 7);
        int64_t last[20] = {0};
        for (size_t i = 0; i < N; i++) {
            agree[kept] += last[log.user[i]] == log.estimate_s[i];
            last[log.user[i]] = log.estimate_s[i];
        }
    }
    assert_true(agree[1] > 2 * agree[0]);
    loom_estimates_clear(&model);
    log_free(&log);
}

static void same_seed_same_requests(void **state)
{
    (void)state;
    enum { N = 2000 };
    struct log a = people(N, 4), b = people(N, 4);
    struct loom_estimate_model model = fitted(&a);
    ask(&model, &a, 9);
    ask(&model, &b, 9);
    assert_memory_equal(a.estimate_s, b.estimate_s, N * sizeof *a.estimate_s);
    ask(&model, &b, 10);
    assert_memory_not_equal(a.estimate_s, b.estimate_s, N * sizeof *a.estimate_s);
    loom_estimates_clear(&model);
    log_free(&a);
    log_free(&b);
}

/* ---- the document ---------------------------------------------------------------------------- */

static void reloads_exactly(void **state)
{
    (void)state;
    struct log log = people(3000, 5);
    struct loom_estimate_model model = fitted(&log), read = {0};
    struct loom_error err = {0};
    json_t *document = loom_codec_save(loom_estimates_describe, &model, &err);
    assert_non_null(document);
    assert_int_equal(loom_codec_load(loom_estimates_describe, &read, document, "estimates", 1000,
                                     &err),
                     0);
    json_t *again = loom_codec_save(loom_estimates_describe, &read, &err);
    assert_non_null(again);
    assert_true(json_equal(document, again));
    loom_estimates_clear(&read);
    json_decref(again);

    json_t *sizes = json_object_get(document, "size_classes");
    json_t *runs = json_object_get(json_array_get(sizes, 0), "run_classes");
    json_t *jobs = json_object_get(json_array_get(runs, 0), "jobs");
    json_array_append_new(jobs, json_integer(0));
    assert_int_not_equal(loom_codec_load(loom_estimates_describe, &read, document, "estimates",
                                         1000, &err),
                         0);
    assert_non_null(strstr(err.message, "estimates.size_classes"));
    loom_estimates_clear(&read);
    json_decref(document);
    loom_estimates_clear(&model);
    log_free(&log);
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
        log.estimate_s[i] = (int64_t)(1 + (user * 7 + own * 11) % VALUES) * 600;
    }
    struct loom_estimate_model model = fitted(&log);
    assert_true(model.novelty < 0.3);
    for (uint64_t seed = 2; seed < 5; seed++) {
        bool seen[USERS][VALUES + 1] = {{false}};
        double pairs = 0;
        ask(&model, &log, seed);
        for (size_t i = 0; i < log.jobs.n; i++) {
            bool *own = &seen[log.user[i]][log.estimate_s[i] / 600];
            pairs += !*own;
            *own = true;
        }
        assert_near(pairs / USERS, OWN, 1.2);
    }
    loom_estimates_clear(&model);
    log_free(&log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_in_order),
        cmocka_unit_test(shares_by_hand),
        cmocka_unit_test(too_little_is_said),
        cmocka_unit_test(bundles_by_hand),
        cmocka_unit_test(drawn_by_shares),
        cmocka_unit_test(tails_are_offered_by_rate),
        cmocka_unit_test(users_keep_the_shares),
        cmocka_unit_test(offers_make_the_shares),
        cmocka_unit_test(accounts_start_at_random),
        cmocka_unit_test(the_richest_but_one),
        cmocka_unit_test(users_ask_as_in_the_log),
        cmocka_unit_test(round_trip),
        cmocka_unit_test(similar_jobs_ask_alike),
        cmocka_unit_test(same_seed_same_requests),
        cmocka_unit_test(users_have_values_of_their_own),
        cmocka_unit_test(reloads_exactly),
    };
    return cmocka_run_group_tests_name("estimates", tests, NULL, NULL);
}

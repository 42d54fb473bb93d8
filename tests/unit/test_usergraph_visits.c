/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is random in a visit of a user of the user graph model whose population is kept, and what is
 * not: when users come, in which order they take what they have, which way they walk, and how long
 * they are away.
 */
#include "modeling.h"
#include "models/room.h"
#include "models/usergraph/usergraph.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HOUR_S = 3600, DAY_S = 86400, WEEK_S = 7 * DAY_S };

static struct loom_job job_of(int user, int64_t submit_s)
{
    struct loom_job job = loom_job_unknown();
    job.user = user;
    job.submit_s = submit_s;
    job.run_s = 100;
    job.req_procs = 1;
    return job;
}

static struct loom_model *fit_and_close(struct loom_trace *log)
{
    assert_int_equal(loom_trace_add_directive(log, "MaxProcs", "64", NULL), 0);
    struct loom_model *model = must_fit("usergraph", log, NULL);
    loom_trace_destroy(log);
    return model;
}

/* What is generated of one period; a job that comes at its end is none of it. */
static struct loom_trace *one_period(const struct loom_model *model, uint64_t replication)
{
    struct loom_generate_options options = {.seed = 1,
                                            .replication = replication,
                                            .days = number_in(model, "period_s") / DAY_S};
    return must_generate(model, &options);
}

/* ---- when users come ------------------------------------------------------------------------- */

enum { WEEKS = 60, USERS = 52 };

/* A job a day for four weeks, at another hour for every user. The first two are there when the log
 * begins and ends; the others come one after the other, at least a week from both ends. */
static struct loom_trace *guests(void)
{
    struct loom_trace *log = empty_trace();
    for (int user = 1; user <= USERS; user++) {
        int64_t begin_s = user == 1   ? 0
                          : user == 2 ? (WEEKS - 4) * WEEK_S + DAY_S
                                      : (user - 1) * WEEK_S + 600 * user;
        for (int day = 0; day < 27; day++)
            append(log, job_of(user, begin_s + day * DAY_S));
    }
    return log;
}

static void first_jobs(int64_t *first_s, const struct loom_trace *trace)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    for (size_t i = 0; i <= USERS; i++)
        first_s[i] = INT64_MAX;
    for (size_t i = 0; i < jobs->n; i++) {
        assert_in_range(jobs->user[i], 1, USERS);
        if (jobs->submit_s[i] < first_s[jobs->user[i]])
            first_s[jobs->user[i]] = jobs->submit_s[i];
    }
}

/* Those who are cut by an end of the log come when they did. The 50 others come at the same hour of
 * any of 50 weeks: in the same one of two workloads, or in the log's, as a Poisson number of
 * mean 1 does, which is above 6 once in 10,000 times. */
static void users_come_in_other_weeks(void **state)
{
    (void)state;
    struct loom_trace *log = guests();
    int64_t log_s[USERS + 1], first_s[2][USERS + 1];
    first_jobs(log_s, log);
    struct loom_model *model = fit_and_close(log);
    size_t as_in_log = 0, alike = 0;
    for (uint64_t r = 0; r < 2; r++) {
        struct loom_trace *generated = one_period(model, r);
        first_jobs(first_s[r], generated);
        loom_trace_destroy(generated);
        assert_int_equal(first_s[r][1], log_s[1]);
        assert_int_equal(first_s[r][2], log_s[2]);
    }
    for (int user = 3; user <= USERS; user++) {
        assert_int_equal((first_s[0][user] - log_s[user]) % WEEK_S, 0);
        assert_int_equal((first_s[1][user] - log_s[user]) % WEEK_S, 0);
        as_in_log += first_s[0][user] == log_s[user];
        alike += first_s[0][user] == first_s[1][user];
    }
    assert_in_range(as_in_log, 0, 6);
    assert_in_range(alike, 0, 6);
    loom_model_destroy(model);
}

/* Users who are seen to come do so in the first weeks of a long log, so that its population
 * changes; they do in what is generated. One comes late, and one is there from end to end. */
static void users_come_when_others_did(void **state)
{
    (void)state;
    enum { EARLY = 20, GUESTS = 40 };
    struct loom_trace *log = empty_trace();
    for (int day = 0; day < WEEKS * 7; day++)
        append(log, job_of(1, day * DAY_S));
    for (int user = 2; user <= GUESTS; user++)
        for (int day = 0; day < 27; day++)
            append(log, job_of(user, (user == GUESTS ? 50 : 2 + user % (EARLY - 2)) * WEEK_S +
                                         600 * user + day * DAY_S));
    struct loom_model *model = fit_and_close(log);
    int64_t first_s[USERS + 1];
    int late = 0;
    for (uint64_t r = 0; r < 4; r++) {
        struct loom_trace *generated = one_period(model, r);
        first_jobs(first_s, generated);
        loom_trace_destroy(generated);
        for (int user = 2; user <= GUESTS; user++)
            late += first_s[user] >= (EARLY + 1) * WEEK_S;
    }
    /* 4 of 156 are expected, and as evenly as there are weeks it would be 90. */
    assert_in_range(late, 0, 4 + 4 * 2);
    loom_model_destroy(model);
}

/* The first user is there from end to end of the log, and the others all but three hours at both,
 * at all hours of the day alike. Kept, they come when they did; drawn, or as more of the same, at
 * any time of these six hours. */
static struct loom_trace *residents(void)
{
    struct loom_trace *log = empty_trace();
    for (int user = 1; user <= USERS; user++)
        for (int i = 0; i < 61; i++)
            append(log, job_of(user, (user > 1) * 3 * HOUR_S + i * 11 * HOUR_S));
    append(log, job_of(1, 60 * 11 * HOUR_S + 6 * HOUR_S));
    assert_int_equal(loom_trace_add_directive(log, "MaxProcs", "64", NULL), 0);
    return log;
}

/* Counts users by when they come: at the log's time, earlier and later; those who can at 0 only are
 * left out. */
struct comers {
    int as_in_log, before, after;
};

static struct comers count_comers(const struct loom_draft *draft)
{
    int64_t first_s[4 * USERS];
    struct comers comers = {0};
    for (size_t user = 0; user < COUNT(first_s); user++)
        first_s[user] = INT64_MAX;
    for (size_t i = 0; i < draft->n; i++) {
        assert_in_range(draft->user[i], 1, COUNT(first_s) - 1);
        if (draft->submit_s[i] < first_s[draft->user[i]])
            first_s[draft->user[i]] = draft->submit_s[i];
    }
    for (size_t user = 0; user < COUNT(first_s); user++) {
        comers.as_in_log += first_s[user] == 3 * HOUR_S;
        comers.before += first_s[user] > 0 && first_s[user] < 3 * HOUR_S;
        comers.after += first_s[user] > 3 * HOUR_S && first_s[user] <= 6 * HOUR_S;
    }
    return comers;
}

static void who_is_cut_comes_as_in_the_log(void **state)
{
    (void)state;
    static const struct {
        const char *population;
        double rate;
        int as_in_log;
    } cases[] = {{"population=kept", 1, USERS - 1},
                 {"population=kept", 3, USERS - 1},
                 {"population=drawn", 2, 0}};
    for (size_t k = 0; k < COUNT(cases); k++) {
        struct loom_trace *log = residents();
        struct loom_model *model =
            must_fit("usergraph", log, (const char *const[]){cases[k].population, NULL});
        const struct loom_usergraph *graph = model->state;
        struct loom_generation generation = {.seed = 1,
                                             .jobs = SIZE_MAX,
                                             .horizon_s = (int64_t)graph->period_s,
                                             .rate = cases[k].rate};
        struct loom_usergraph_generator generator;
        assert_int_equal(loom_usergraph_generator_open(&generator, graph, &generation, NULL), 0);
        assert_int_equal(loom_draft_detail(&generation.draft, 31, NULL), 0);
        assert_int_equal(loom_usergraph_generate(&generator, NULL), 0);
        struct comers comers = count_comers(&generation.draft);
        int others = comers.before + comers.after;
        assert_int_equal(comers.as_in_log, cases[k].as_in_log);
        assert_true(cases[k].rate > 1 ? others > USERS : others == 0);
        assert_near(comers.before, others / 2.0, 4 * sqrt(others) / 2);
        loom_usergraph_generator_close(&generator);
        loom_draft_free(&generation.draft);
        loom_model_destroy(model);
        loom_trace_destroy(log);
    }
}

/* ---- in which order -------------------------------------------------------------------------- */

enum { SESSIONS = 300, MOST = 2000 };

/* Sessions of one to six jobs of one kind, all of whose numbers vary widely. */
static struct loom_trace *a_varied_user(void)
{
    struct loom_trace *log = empty_trace();
    struct loom_stream stream;
    loom_stream_init(&stream, 4, 0, "a varied user");
    double clock_s = 0;
    for (int session = 0; session < SESSIONS; session++) {
        for (uint64_t jobs = 1 + loom_stream_below(&stream, 6); jobs > 0; jobs--) {
            struct loom_job job = job_of(1, (int64_t)clock_s);
            job.run_s = 100 + (int64_t)loom_stream_below(&stream, 200);
            append(log, job);
            clock_s += 10 + 3000 * loom_stream_uniform(&stream);
        }
        clock_s += 2 * HOUR_S * exp(4 * loom_stream_uniform(&stream));
    }
    return log;
}

/* Of values in random order, half are less than the one before, with a variance of (n + 1) / 12. */
static void assert_random_order(const double *values, size_t n)
{
    double falls = 0;
    for (size_t i = 1; i < n; i++)
        falls += values[i] < values[i - 1] ? 1 : values[i] == values[i - 1] ? 0.5 : 0;
    assert_near(falls, (double)(n - 1) / 2, 3 * sqrt((double)(n + 1) / 12));
}

/* Sizes of sessions, absences, gaps and runtimes, each as they come. */
static void orders_are_drawn(void **state)
{
    (void)state;
    struct loom_model *model = fit_and_close(a_varied_user());
    static double sizes[MOST], away_s[MOST], gap_s[MOST], run_s[MOST];
    for (uint64_t r = 0; r < 3; r++) {
        struct loom_trace *generated = one_period(model, r);
        const struct loom_jobs *jobs = loom_trace_jobs(generated);
        size_t sessions = 0, gaps = 0;
        sizes[0] = 1;
        run_s[0] = (double)jobs->run_s[0];
        assert_in_range(jobs->n, SESSIONS, MOST);
        for (size_t i = 1; i < jobs->n; i++) {
            double between_s = (double)(jobs->submit_s[i] - jobs->submit_s[i - 1]);
            run_s[i] = (double)jobs->run_s[i];
            if (between_s > HOUR_S) {
                away_s[sessions++] = between_s;
                sizes[sessions] = 0;
            } else
                gap_s[gaps++] = between_s;
            sizes[sessions]++;
        }
        assert_in_range(sessions, SESSIONS - 2, SESSIONS - 1);
        assert_random_order(sizes, sessions + 1);
        assert_random_order(away_s, sessions);
        assert_random_order(gap_s, gaps);
        assert_random_order(run_s, jobs->n);
        loom_trace_destroy(generated);
    }
    loom_model_destroy(model);
}

/* ---- which way ------------------------------------------------------------------------------- */

enum { STEPS = 8, STATES = 3, WAYS = 200, WALKERS = 100, WORKLOADS = 40 };

/* What a user does, job after job; it goes on from the last to the first. */
static const char steps[STEPS + 1] = "aabacbcb";

struct ways {
    size_t n, n_found;
    char names[WAYS][STEPS + 1];
    double found[WAYS];
};

/* All walks from a state on that take each arc as often as it is left. */
static void find_ways(struct ways *ways, int arcs[STATES][STATES], char *way, size_t done)
{
    int at = way[done - 1] - 'a';
    if (done == STEPS) {
        if (arcs[at][way[0] - 'a'] == 1) {
            assert_in_range(ways->n, 0, WAYS - 1);
            memcpy(ways->names[ways->n++], way, STEPS);
        }
        return;
    }
    for (int to = 0; to < STATES; to++)
        if (arcs[at][to] > 0) {
            arcs[at][to]--;
            way[done] = (char)('a' + to);
            find_ways(ways, arcs, way, done + 1);
            arcs[at][to]++;
        }
}

static void find_all_ways(struct ways *ways)
{
    int arcs[STATES][STATES] = {{0}};
    for (int i = 0; i < STEPS; i++)
        arcs[steps[i] - 'a'][steps[(i + 1) % STEPS] - 'a']++;
    for (char first = 'a'; first < 'a' + STATES; first++)
        find_ways(ways, arcs, (char[STEPS + 1]){first}, 1);
}

static struct loom_trace *walkers(void)
{
    struct loom_trace *log = empty_trace();
    for (int user = 1; user <= WALKERS; user++)
        for (int i = 0; i < STEPS; i++) {
            struct loom_job job = job_of(user, 1000 * user + 60 * i);
            job.req_procs = 1 << (steps[i] - 'a');
            append(log, job);
        }
    return log;
}

static void count_ways(struct ways *ways, const struct loom_trace *generated)
{
    static char walked[WALKERS + 1][STEPS + 1];
    size_t done[WALKERS + 1] = {0};
    const struct loom_jobs *jobs = loom_trace_jobs(generated);
    for (size_t i = 0; i < jobs->n; i++) {
        int32_t user = jobs->user[i];
        assert_in_range(user, 1, WALKERS);
        assert_in_range(done[user], 0, STEPS - 1);
        walked[user][done[user]++] = (char)('a' + (int)log2((double)jobs->req_procs[i]));
    }
    for (size_t user = 1; user <= WALKERS; user++) {
        size_t way = 0;
        if (done[user] < STEPS) /* to the end of the period */
            continue;
        ways->n_found++;
        while (way < ways->n && memcmp(ways->names[way], walked[user], STEPS) != 0)
            way++;
        assert_in_range(way, 0, ways->n - 1);
        ways->found[way]++;
    }
}

/* The first state is drawn by its share of the jobs, and then all ways are as likely: the number of
 * those from a state on is its share of all, as every way may begin at any of its jobs. Chi-square
 * of k ways has a mean of k - 1 and a variance of 2 (k - 1). */
static void walks_are_drawn(void **state)
{
    (void)state;
    static struct ways ways;
    find_all_ways(&ways);
    struct loom_model *model = fit_and_close(walkers());
    for (uint64_t r = 0; r < WORKLOADS; r++) {
        struct loom_trace *generated = one_period(model, r);
        count_ways(&ways, generated);
        loom_trace_destroy(generated);
    }
    double k = (double)ways.n, expected = (double)ways.n_found / k, chi_square = 0;
    assert_in_range(ways.n, 20, WAYS);
    assert_in_range(ways.n_found, (WALKERS - 2) * WORKLOADS, WALKERS * WORKLOADS);
    for (size_t i = 0; i < ways.n; i++)
        chi_square += pow(ways.found[i] - expected, 2) / expected;
    assert_near(chi_square, k - 1, 3 * sqrt(2 * (k - 1)));
    loom_model_destroy(model);
}

/* Twenty jobs of one processor and one of eight: a walk begins with the eight in one case of 21,
 * of 4,000 walks in 190 with a deviation of 13.5. */
static void walks_begin_by_shares(void **state)
{
    (void)state;
    enum { VISITORS = 100, JOBS = 21, PERIODS = 40 };
    struct loom_trace *log = empty_trace();
    for (int user = 1; user <= VISITORS; user++)
        for (int i = 0; i < JOBS; i++) {
            struct loom_job job = job_of(user, 3000 * user + 60 * i);
            job.req_procs = i == 10 ? 8 : 1;
            append(log, job);
        }
    struct loom_model *model = fit_and_close(log);
    int visits = 0, wide = 0;
    for (uint64_t r = 0; r < PERIODS; r++) {
        struct loom_trace *woven = one_period(model, r);
        const struct loom_jobs *jobs = loom_trace_jobs(woven);
        bool met[VISITORS + 1] = {false};
        for (size_t i = 0; i < jobs->n; i++) {
            visits += !met[jobs->user[i]];
            wide += !met[jobs->user[i]] && jobs->req_procs[i] == 8;
            met[jobs->user[i]] = true;
        }
        loom_trace_destroy(woven);
    }
    assert_in_range(visits, (VISITORS - 2) * PERIODS, VISITORS * PERIODS);
    assert_near(wide, visits / 21.0, 4 * 13.5);
    loom_model_destroy(model);
}

/* ---- at which hours -------------------------------------------------------------------------- */

enum { BUSY_USERS = 20, BUSY_SESSIONS = 300 };

/* Users who come back more often than once an hour by day, when they may, and a tenth as often by
 * night. */
static struct loom_trace *busy_users(void)
{
    struct loom_trace *log = empty_trace();
    struct loom_stream stream;
    loom_stream_init(&stream, 6, 0, "busy users");
    for (int user = 1; user <= BUSY_USERS; user++) {
        double clock_s = user * (double)WEEK_S;
        for (int session = 0; session < BUSY_SESSIONS; session++) {
            append(log, job_of(user, (int64_t)clock_s));
            clock_s += HOUR_S + 1;
            do
                clock_s -= 0.7 * HOUR_S * log1p(-loom_stream_uniform(&stream));
            while (fabs(fmod(clock_s, DAY_S) - 13 * HOUR_S) > 4 * HOUR_S &&
                   loom_stream_below(&stream, 10) > 0);
        }
    }
    return log;
}

/* From 9 to 17 h; the log begins at 0 h, and so does what is generated. */
static double share_by_day(const struct loom_trace *trace)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    double by_day = 0;
    for (size_t i = 0; i < jobs->n; i++) {
        int64_t second = jobs->submit_s[i] % DAY_S;
        by_day += second >= 9 * HOUR_S && second < 17 * HOUR_S;
    }
    return by_day / (double)jobs->n;
}

/* As many sessions of generated workloads start by day as of the log's: 0.71 of 6,000, in the mean
 * of eight workloads good to 0.0021. By a clock that runs as sessions start they would be 0.59, as
 * who has just been there cannot come back. */
static void sessions_start_as_in_the_log(void **state)
{
    (void)state;
    enum { REPLICATIONS = 8 };
    struct loom_trace *log = busy_users();
    double wanted = share_by_day(log), found = 0;
    struct loom_model *model = fit_and_close(log);
    for (uint64_t r = 0; r < REPLICATIONS; r++) {
        struct loom_trace *generated = one_period(model, r);
        found += share_by_day(generated) / REPLICATIONS;
        loom_trace_destroy(generated);
    }
    assert_near(found, wanted,
                3 * sqrt(wanted * (1 - wanted) / (BUSY_USERS * BUSY_SESSIONS * REPLICATIONS)));
    loom_model_destroy(model);
}

/* ---- how long -------------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* A user whose sessions of one job come 2 to 4 hours after each other, evenly, in all hours of the
 * week, with an hour that belongs to the session: absences of 1 to 3 hours. To stay 0.7 times as
 * long, 2.1 hours from session to session, all are 0.55 times as long. The hours of the week are
 * not quite alike by chance, some 18 jobs each week of a year in each of them: their quantiles are
 * good to a few percent. */
static void absences_are_stretched(void **state)
{
    (void)state;
    enum { JOBS = 3000 };
    struct loom_trace *log = empty_trace();
    struct loom_stream stream;
    loom_stream_init(&stream, 5, 0, "stretched");
    int64_t now_s = 0;
    for (int i = 0; i < JOBS; i++) {
        append(log, job_of(1, now_s));
        now_s += 2 * HOUR_S + (int64_t)loom_stream_below(&stream, 2 * HOUR_S);
    }
    struct loom_model *model = fit_and_close(log);
    char setting[64];
    double stay_s = 0.7 * number_in(model, "users.0.stay_s");
    snprintf(setting, sizeof setting, "users.0.stay_s=%.0f", stay_s);
    model = must_set(model, (const char *const[]){setting}, 1);
    struct loom_trace *generated =
        must_generate(model, &(struct loom_generate_options){.seed = 1, .jobs = JOBS});
    const struct loom_jobs *jobs = loom_trace_jobs(generated);
    static double away_s[JOBS];
    assert_int_equal(jobs->n, JOBS);
    assert_near((double)(jobs->submit_s[JOBS - 1] - jobs->submit_s[0]), stay_s, 2);
    for (size_t i = 1; i < JOBS; i++)
        away_s[i - 1] = (double)(jobs->submit_s[i] - jobs->submit_s[i - 1]) - HOUR_S;
    qsort(away_s, JOBS - 1, sizeof *away_s, by_value);
    for (int decile = 1; decile < 10; decile++)
        assert_near(away_s[decile * JOBS / 10], 0.55 * HOUR_S * (1 + 0.2 * decile), 0.06 * HOUR_S);
    loom_trace_destroy(generated);
    loom_model_destroy(model);
}

/* A job of one processor, and three in a row of eight: wherever the row comes, the size beside its
 * middle is eight. */
static void rows_take_the_size_beside_their_middle(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct loom_generation generation = {.seed = seed};
        assert_int_equal(loom_draft_resize(&generation.draft, 4, NULL), 0);
        assert_int_equal(loom_draft_detail(&generation.draft, LOOM_DETAIL_USER, NULL), 0);
        for (int i = 0; i < 4; i++) {
            generation.draft.submit_s[i] = 60 * i;
            generation.draft.procs[i] = i ? 8 : 1;
            generation.draft.user[i] = 1;
        }
        assert_int_equal(loom_usergraph_shuffle_sizes(&generation, 3600, NULL), 0);
        for (int i = 1; i < 4; i++)
            assert_int_equal(generation.draft.procs[i], 8);
        assert_true(generation.draft.procs[0] == 1 || generation.draft.procs[0] == 8);
        loom_draft_free(&generation.draft);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_take_the_size_beside_their_middle),
        cmocka_unit_test(users_come_in_other_weeks),
        cmocka_unit_test(users_come_when_others_did),
        cmocka_unit_test(who_is_cut_comes_as_in_the_log),
        cmocka_unit_test(orders_are_drawn),
        cmocka_unit_test(walks_are_drawn),
        cmocka_unit_test(walks_begin_by_shares),
        cmocka_unit_test(sessions_start_as_in_the_log),
        cmocka_unit_test(absences_are_stretched),
    };
    return cmocka_run_group_tests_name("usergraph visits", tests, NULL, NULL);
}

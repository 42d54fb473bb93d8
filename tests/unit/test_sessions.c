/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Users, their sessions by all five methods, batches and pools: logs worked by hand, and random
 * ones against the definitions taken literally.
 */
#include "family_run.h"

#include <workloom/users.h>

enum { MINUTE = 60, WEEK = 7 * 86400 };

static const char *method_name(int method)
{
    return loom_session_method_name((enum loom_session_method)method);
}

/* ---- jobs and what is found in them ---------------------------------------------------------- */

enum { MOST = 64 };

struct jobs {
    size_t n;
    int32_t user[MOST];
    int64_t submit_s[MOST], wait_s[MOST], run_s[MOST];
};

static struct loom_users *users_of(const struct jobs *jobs)
{
    struct loom_activity activity = {jobs->n, jobs->user, jobs->submit_s, jobs->wait_s,
                                     jobs->run_s};
    struct loom_users *users = NULL;
    assert_int_equal(loom_users_create(&users, &activity, NULL), 0);
    return users;
}

static struct loom_sessions *sessions_of(const struct loom_users *users,
                                         struct loom_session_rule rule)
{
    struct loom_sessions *sessions = NULL;
    assert_int_equal(loom_sessions_create(&sessions, users, &rule, NULL), 0);
    return sessions;
}

/* Users, sessions and batches must all be runs of positions without gaps, and agree with what is
 * said of each job. */
static void assert_consistent(const struct loom_users *users, const struct loom_sessions *s)
{
    assert_int_equal(s->first[0], 0);
    assert_int_equal(s->first[s->count], users->n);
    assert_int_equal(s->batch_first[s->batches], users->n);
    assert_int_equal(s->first_batch[s->count], s->batches);
    assert_int_equal(s->user_session[users->count], s->count);
    for (size_t user = 0; user < users->count; user++)
        assert_int_equal(s->first[s->user_session[user]], users->first[user]);
    for (size_t session = 0; session < s->count; session++) {
        assert_true(s->first[session] < s->first[session + 1]);
        assert_int_equal(s->batch_first[s->first_batch[session]], s->first[session]);
        for (size_t i = s->first[session]; i < s->first[session + 1]; i++)
            assert_int_equal(s->of_job[users->job[i]], session);
    }
    for (size_t batch = 0; batch < s->batches; batch++) {
        assert_true(s->batch_first[batch] < s->batch_first[batch + 1]);
        for (size_t i = s->batch_first[batch]; i < s->batch_first[batch + 1]; i++)
            assert_int_equal(s->batch_of_job[users->job[i]], batch);
    }
}

/* ---- worked by hand -------------------------------------------------------------------------- */

/* In minutes:  submit  end   The log has the jobs out of order, and others among them: user 3 has
 *          A        0  300   one job in the middle, and two jobs have no user.
 *          B       10   15
 *          C       40   41   arrival   gaps 10, 30, 60, 61: ABCD E; A overlaps B, C and D
 *          D      100  102   last      think <0, 25, 59, 59: AB C D E
 *          E      161  162   max       all of B .. E overlap A: ABCDE
 *                            last_cut  A counts as over at 60, which B does not reach: AB C D E
 *                            max_cut   60 is the latest end until D at 100; then 102: ABC D E
 * Lengths: ABCD from 0 to the submission of D; AB by last to the end of B, which was submitted
 * last; ABCDE by max to the end of A, ABC to its cut at 60. */
static const struct jobs by_hand = {
    .n = 8,
    .user = {7, 7, 3, -1, 7, 7, -1, 7},
    /* E, A, the job of user 3, one without user, D, B, one without user, C */
    .submit_s = {161 * MINUTE, 0, 50 * MINUTE, 51 * MINUTE, 100 * MINUTE, 10 * MINUTE, 11 * MINUTE,
                 40 * MINUTE},
    .wait_s = {0, 100 * MINUTE, -1, 5, 1 * MINUTE, 0, -1, 0},
    .run_s = {1 * MINUTE, 200 * MINUTE, 7 * MINUTE, 5, 1 * MINUTE, 5 * MINUTE, -1, 1 * MINUTE},
};

static void test_users(void **state)
{
    (void)state;
    struct loom_users *users = users_of(&by_hand);
    static const uint32_t job[] = {2, 1, 5, 7, 4, 0};
    static const int64_t ended[] = {57, 300, 15, 41, 102, 162};
    assert_int_equal(users->n_jobs, 8);
    assert_int_equal(users->n, 6);
    assert_int_equal(users->count, 2);
    assert_int_equal(users->number[0], 3);
    assert_int_equal(users->number[1], 7);
    assert_int_equal(users->first[0], 0);
    assert_int_equal(users->first[1], 1);
    assert_int_equal(users->first[2], 6);
    for (size_t i = 0; i < COUNT(job); i++) {
        assert_int_equal(users->job[i], job[i]);
        assert_int_equal(users->submit_s[i], by_hand.submit_s[job[i]]);
        assert_int_equal(users->ended_s[i], ended[i] * MINUTE);
    }
    assert_int_equal(users->begin_s, 0);
    assert_int_equal(users->end_s, 161 * MINUTE);
    assert_int_equal(loom_user_begin(users, 1), 0);
    assert_int_equal(loom_user_end(users, 1), 161 * MINUTE);
    assert_int_equal(loom_user_begin(users, 0), 50 * MINUTE);
    assert_int_equal(loom_user_end(users, 0), 50 * MINUTE);
    loom_users_destroy(users);
}

static void test_methods(void **state)
{
    (void)state;
    static const struct {
        size_t sessions, batches;
        uint32_t session_of[8]; /* in order of the log */
        int64_t length[5];      /* minutes */
    } wanted[LOOM_SESSION_METHODS] = {
        [LOOM_SESSION_ARRIVAL] = {3, 3, {2, 1, 0, -1U, 1, 1, -1U, 1}, {0, 100, 0}},
        [LOOM_SESSION_LAST] = {5, 5, {4, 1, 0, -1U, 3, 1, -1U, 2}, {7, 15, 1, 2, 1}},
        [LOOM_SESSION_MAX] = {2, 2, {1, 1, 0, -1U, 1, 1, -1U, 1}, {7, 300}},
        [LOOM_SESSION_LAST_CUT] = {5, 5, {4, 1, 0, -1U, 3, 1, -1U, 2}, {7, 15, 1, 2, 1}},
        [LOOM_SESSION_MAX_CUT] = {4, 4, {3, 1, 0, -1U, 2, 1, -1U, 1}, {7, 60, 2, 1}},
    };
    struct loom_users *users = users_of(&by_hand);
    for (int method = 0; method < LOOM_SESSION_METHODS; method++) {
        struct loom_sessions *sessions =
            sessions_of(users, loom_session_rule((enum loom_session_method)method));
        assert_consistent(users, sessions);
        assert_int_equal(sessions->count, wanted[method].sessions);
        assert_int_equal(sessions->batches, wanted[method].batches);
        assert_memory_equal(sessions->of_job, wanted[method].session_of,
                            sizeof wanted[method].session_of);
        for (size_t i = 0; i < sessions->count; i++)
            assert_int_equal(sessions->length_s[i], wanted[method].length[i] * MINUTE);
        loom_sessions_destroy(sessions);
    }
    loom_users_destroy(users);
}

/* Seconds 0-10, 10-30 (begins as the first ends), 12-15, 31-32, 3631-3632 (an hour later: same
 * session), 7232 (an hour and a second later). Batches by arrival and max: the first three, then
 * one each; by last, the third is the one that counts, and again 31 is after it. By max and last,
 * 3599 s of thinking end the session. */
static void test_limits(void **state)
{
    (void)state;
    static const struct jobs jobs = {
        .n = 6,
        .user = {1, 1, 1, 1, 1, 1},
        .submit_s = {0, 10, 12, 31, 3631, 7232},
        .run_s = {10, 20, 3, 1, 1, 0},
    };
    static const size_t sessions_wanted[] = {2, 3, 3, 3, 3}, batches_wanted[] = {4, 4, 4, 4, 4};
    struct loom_users *users = users_of(&jobs);
    for (int method = 0; method < LOOM_SESSION_METHODS; method++) {
        struct loom_sessions *sessions =
            sessions_of(users, loom_session_rule((enum loom_session_method)method));
        assert_consistent(users, sessions);
        assert_int_equal(sessions->count, sessions_wanted[method]);
        assert_int_equal(sessions->batches, batches_wanted[method]);
        assert_int_equal(sessions->batch_of_job[2], 0);
        assert_int_equal(sessions->batch_of_job[3], 1);
        loom_sessions_destroy(sessions);
    }
    struct loom_session_rule rule = {LOOM_SESSION_MAX, 3599, 0};
    struct loom_sessions *sessions = sessions_of(users, rule);
    assert_int_equal(sessions->count, 2);
    assert_int_equal(sessions->first_batch[1], 3);
    loom_sessions_destroy(sessions);
    rule = (struct loom_session_rule){LOOM_SESSION_MAX, 3598, 0};
    sessions = sessions_of(users, rule);
    assert_int_equal(sessions->count, 3);
    loom_sessions_destroy(sessions);
    loom_users_destroy(users);
}

/* Jobs 0-100, 10-20 and 50-60: by last, the third starts a batch while the first still runs. With a
 * cut at 30 s, the first counts as over by then. */
static void test_batches_of_last_may_overlap(void **state)
{
    (void)state;
    static const struct jobs jobs = {.n = 3,
                                     .user = {1, 1, 1},
                                     .submit_s = {0, 10, 50},
                                     .run_s = {100, 10, 10}};
    static const size_t wanted[LOOM_SESSION_METHODS] = {1, 2, 1, 2, 2};
    struct loom_users *users = users_of(&jobs);
    for (int method = 0; method < LOOM_SESSION_METHODS; method++) {
        struct loom_session_rule rule = loom_session_rule((enum loom_session_method)method);
        rule.cut_s = 30;
        struct loom_sessions *sessions = sessions_of(users, rule);
        assert_int_equal(sessions->count, 1);
        assert_int_equal(sessions->batches, wanted[method]);
        loom_sessions_destroy(sessions);
    }
    loom_users_destroy(users);
}

static void test_rules(void **state)
{
    (void)state;
    static const char *const names[] = {"arrival", "last", "max", "last_cut", "max_cut"};
    for (int method = 0; method < LOOM_SESSION_METHODS; method++) {
        struct loom_session_rule rule = loom_session_rule((enum loom_session_method)method);
        assert_string_equal(method_name(method), names[method]);
        assert_int_equal(rule.method, method);
        assert_int_equal(rule.threshold_s, method == LOOM_SESSION_ARRIVAL ? 3600 : 1200);
        assert_int_equal(rule.cut_s, 3600);
    }
    struct loom_users *users = users_of(&by_hand);
    struct loom_sessions *sessions = NULL;
    struct loom_error err = {0};
    struct loom_session_rule rule = {LOOM_SESSION_MAX_CUT, 0, -1};
    assert_int_equal(loom_sessions_create(&sessions, users, &rule, &err), LOOM_ERANGE);
    assert_null(sessions);
    assert_string_equal(err.message,
                        "a session's threshold and cut are times of at least 0 seconds");
    loom_users_destroy(users);
}

/* ---- against the definitions ----------------------------------------------------------------- */

static int64_t brute_end(const struct jobs *jobs, size_t job)
{
    return jobs->submit_s[job] + (jobs->wait_s[job] > 0 ? jobs->wait_s[job] : 0) +
           (jobs->run_s[job] > 0 ? jobs->run_s[job] : 0);
}

static int64_t brute_effective(const struct jobs *jobs, size_t job, struct loom_session_rule rule)
{
    int64_t end_s = brute_end(jobs, job), cut_s = jobs->submit_s[job] + rule.cut_s;
    bool cuts = rule.method == LOOM_SESSION_LAST_CUT || rule.method == LOOM_SESSION_MAX_CUT;
    return cuts && cut_s < end_s ? cut_s : end_s;
}

static bool comes_before(const struct jobs *jobs, size_t a, size_t b)
{
    return jobs->submit_s[a] < jobs->submit_s[b] ||
           (jobs->submit_s[a] == jobs->submit_s[b] && a < b);
}

/* The think time of a job among the jobs of its user marked in `among`, by the equations of the
 * text. No job before: INT64_MAX. */
static int64_t brute_think(const struct jobs *jobs, size_t job, const bool *among,
                           struct loom_session_rule rule, bool arrival)
{
    bool latest = rule.method == LOOM_SESSION_MAX || rule.method == LOOM_SESSION_MAX_CUT ||
                  (rule.method == LOOM_SESSION_ARRIVAL && !arrival);
    size_t last = MOST;
    int64_t from_s = INT64_MIN;
    for (size_t j = 0; j < jobs->n; j++) {
        if (!among[j] || jobs->user[j] != jobs->user[job] || !comes_before(jobs, j, job))
            continue;
        int64_t own_s = brute_effective(jobs, j, rule);
        from_s = own_s > from_s ? own_s : from_s;
        last = last == MOST || comes_before(jobs, last, j) ? j : last;
    }
    if (last == MOST)
        return INT64_MAX;
    if (arrival)
        return jobs->submit_s[job] - jobs->submit_s[last];
    return jobs->submit_s[job] - (latest ? from_s : brute_effective(jobs, last, rule));
}

/* The numbers of a partition need not agree, but what is together must be. */
static void assert_same_partition(const struct jobs *jobs, const uint32_t *got,
                                  const size_t *wanted)
{
    for (size_t i = 0; i < jobs->n; i++)
        for (size_t j = 0; j < i; j++)
            if (jobs->user[i] >= 0 && jobs->user[j] >= 0)
                assert_int_equal(got[i] == got[j], wanted[i] == wanted[j]);
}

/* The session of a job is named after the job that started it: the last one at or before the job
 * with a long think time. Batches likewise, with think times within the session. */
static void brute_force(const struct jobs *jobs, struct loom_session_rule rule, size_t *session,
                        size_t *batch)
{
    bool all[MOST], same[MOST];
    memset(all, 1, sizeof all);
    for (size_t i = 0; i < jobs->n; i++) {
        session[i] = MOST;
        for (size_t j = 0; j < jobs->n; j++)
            if (jobs->user[j] == jobs->user[i] && (j == i || comes_before(jobs, j, i)) &&
                brute_think(jobs, j, all, rule, rule.method == LOOM_SESSION_ARRIVAL) >
                    rule.threshold_s &&
                (session[i] == MOST || comes_before(jobs, session[i], j)))
                session[i] = j;
    }
    for (size_t i = 0; i < jobs->n; i++) {
        batch[i] = MOST;
        for (size_t j = 0; j < jobs->n; j++)
            same[j] = session[j] == session[i] && jobs->user[j] == jobs->user[i];
        for (size_t j = 0; j < jobs->n; j++)
            if (same[j] && (j == i || comes_before(jobs, j, i)) &&
                brute_think(jobs, j, same, rule, false) > 0 &&
                (batch[i] == MOST || comes_before(jobs, batch[i], j)))
                batch[i] = j;
    }
}

/* Batches by arrival and max are also the connected components of overlapping jobs. */
static void components(const struct jobs *jobs, const uint32_t *session, size_t *component)
{
    for (size_t i = 0; i < jobs->n; i++)
        component[i] = i;
    for (size_t round = 0; round < jobs->n; round++)
        for (size_t i = 0; i < jobs->n; i++)
            for (size_t j = 0; j < jobs->n; j++)
                if (session[i] == session[j] && comes_before(jobs, i, j) &&
                    brute_end(jobs, i) >= jobs->submit_s[j]) {
                    size_t least = component[i] < component[j] ? component[i] : component[j];
                    component[i] = component[j] = least;
                }
}

static struct jobs random_jobs(struct loom_stream *stream)
{
    struct jobs jobs = {.n = loom_stream_below(stream, 25)};
    int64_t span = (int64_t)(1 + loom_stream_below(stream, 400));
    for (size_t i = 0; i < jobs.n; i++) {
        jobs.user[i] = (int32_t)loom_stream_below(stream, 4) - 1;
        jobs.submit_s[i] = (int64_t)loom_stream_below(stream, (uint64_t)span) - 20;
        jobs.submit_s[i] -= jobs.submit_s[i] == -1; /* which is unknown */
        jobs.wait_s[i] = (int64_t)loom_stream_below(stream, 10) - 1;
        jobs.run_s[i] = (int64_t)loom_stream_below(stream, 40) - 1;
    }
    return jobs;
}

static void check_random(const struct jobs *jobs, struct loom_session_rule rule)
{
    size_t session[MOST], batch[MOST];
    struct loom_users *users = users_of(jobs);
    struct loom_sessions *sessions = sessions_of(users, rule);
    assert_consistent(users, sessions);
    brute_force(jobs, rule, session, batch);
    assert_same_partition(jobs, sessions->of_job, session);
    assert_same_partition(jobs, sessions->batch_of_job, batch);
    if (rule.method == LOOM_SESSION_ARRIVAL || rule.method == LOOM_SESSION_MAX) {
        components(jobs, sessions->of_job, batch);
        assert_same_partition(jobs, sessions->batch_of_job, batch);
    }
    for (size_t i = 0; i < jobs->n; i++)
        assert_int_equal(sessions->of_job[i] == LOOM_NO_SESSION, jobs->user[i] < 0);
    loom_sessions_destroy(sessions);
    loom_users_destroy(users);
}

static void test_random(void **state)
{
    (void)state;
    struct loom_stream stream;
    loom_stream_init(&stream, 1, 0, "sessions");
    for (int round = 0; round < 2000; round++) {
        struct jobs jobs = random_jobs(&stream);
        struct loom_session_rule rule = {
            .method = (enum loom_session_method)(round % LOOM_SESSION_METHODS),
            .threshold_s = (int64_t)loom_stream_below(&stream, 20),
            .cut_s = (int64_t)loom_stream_below(&stream, 20),
        };
        check_random(&jobs, rule);
    }
}

/* Many users and jobs out of order, as the sort by digits sees them. */
static void test_order(void **state)
{
    (void)state;
    enum { JOBS = 20000 };
    struct loom_stream stream;
    loom_stream_init(&stream, 2, 0, "order");
    int32_t *user = malloc(JOBS * sizeof *user);
    int64_t *submit_s = malloc(JOBS * sizeof *submit_s), *zero = calloc(JOBS, sizeof *zero);
    assert_true(user && submit_s && zero);
    for (size_t i = 0; i < JOBS; i++) {
        user[i] = (int32_t)(loom_stream_u64(&stream) >> (33 + loom_stream_below(&stream, 31)));
        submit_s[i] = (int64_t)loom_stream_u64(&stream) >> loom_stream_below(&stream, 64);
        submit_s[i] -= submit_s[i] == -1; /* which is unknown */
    }
    struct loom_activity activity = {JOBS, user, submit_s, zero, zero};
    struct loom_users *users = NULL;
    assert_int_equal(loom_users_create(&users, &activity, NULL), 0);
    assert_int_equal(users->n, JOBS);
    for (size_t i = 1; i < JOBS; i++) {
        uint32_t a = users->job[i - 1], b = users->job[i];
        assert_true(user[a] < user[b] ||
                    (user[a] == user[b] &&
                     (submit_s[a] < submit_s[b] || (submit_s[a] == submit_s[b] && a < b))));
    }
    for (int method = 0; method < LOOM_SESSION_METHODS; method++) {
        struct loom_sessions *sessions =
            sessions_of(users, loom_session_rule((enum loom_session_method)method));
        assert_consistent(users, sessions);
        loom_sessions_destroy(sessions);
    }
    loom_users_destroy(users);
    free(user);
    free(submit_s);
    free(zero);
}

static void test_no_jobs(void **state)
{
    (void)state;
    static const struct jobs none = {.n = 0}, unknown = {.n = 2, .user = {-1, -1}};
    const struct jobs *const both[] = {&none, &unknown};
    for (size_t i = 0; i < COUNT(both); i++) {
        struct loom_users *users = users_of(both[i]);
        assert_int_equal(users->count, 0);
        struct loom_sessions *sessions = sessions_of(users, loom_session_rule(LOOM_SESSION_MAX));
        assert_consistent(users, sessions);
        assert_int_equal(sessions->count, 0);
        assert_int_equal(sessions->batches, 0);
        loom_sessions_destroy(sessions);
        loom_users_destroy(users);
    }
    loom_users_destroy(NULL);
    loom_sessions_destroy(NULL);
    loom_user_pools_destroy(NULL);
}

/* ---- pools ----------------------------------------------------------------------------------- */

/* The log lasts 100 weeks. User: first and last submission.
 *   1:  0 .. 100 weeks               long-term
 *   2:  0 .. 12 weeks                temporary: 12 weeks are not more than 12 weeks
 *   3:  0 .. 12 weeks and a second   long-term
 *   4:  1 .. 4 weeks                 discarded: all within 4 weeks of the beginning
 *   5:  1 .. 4 weeks and a second    temporary
 *   6:  96 weeks                     discarded: within 4 weeks of the end
 *   7:  96 weeks less a second       temporary, with one job
 * The job without a user at -1 week is a part of the log all the same: it begins there, which lets
 * the edge for 4 and 5 be at 3 weeks unless it is taken out. */
static void check_pools(const struct jobs *jobs, const uint8_t *kinds)
{
    struct loom_users *users = users_of(jobs);
    struct loom_user_rule rule = loom_user_rule();
    struct loom_user_pools *pools = NULL;
    assert_int_equal(rule.long_term_s, 12 * WEEK);
    assert_int_equal(rule.edge_s, 4 * WEEK);
    assert_int_equal(loom_user_pools_create(&pools, users, &rule, NULL), 0);
    assert_memory_equal(pools->kind, kinds, users->count);
    size_t members[LOOM_USER_KINDS] = {0};
    for (size_t user = 0; user < users->count; user++)
        assert_int_equal(pools->members[kinds[user]][members[kinds[user]]++], user);
    assert_memory_equal(pools->count, members, sizeof members);
    assert_int_equal(pools->jobs[0] + pools->jobs[1] + pools->jobs[2], users->n);
    loom_user_pools_destroy(pools);
    loom_users_destroy(users);
}

static void test_pools(void **state)
{
    (void)state;
    struct jobs jobs = {
        .n = 13,
        .user = {1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 7, 1},
        .submit_s = {0, 100 * WEEK, 0, 12 * WEEK, 0, 12 * WEEK + 1, 1 * WEEK, 4 * WEEK, 1 * WEEK,
                     4 * WEEK + 1, 96 * WEEK, 96 * WEEK - 1, 0},
    };
    static const uint8_t kinds[] = {LOOM_LONG_TERM, LOOM_TEMPORARY, LOOM_LONG_TERM, LOOM_DISCARDED,
                                    LOOM_TEMPORARY, LOOM_DISCARDED, LOOM_TEMPORARY};
    check_pools(&jobs, kinds);
    jobs.user[12] = -1;
    check_pools(&jobs, kinds);
    static const uint8_t later[] = {LOOM_LONG_TERM, LOOM_TEMPORARY, LOOM_LONG_TERM, LOOM_TEMPORARY,
                                    LOOM_TEMPORARY, LOOM_DISCARDED, LOOM_TEMPORARY};
    jobs.submit_s[12] = -1 * WEEK;
    check_pools(&jobs, later);
    /* User 2's first job, of 12 weeks and 1 s, ends last. */
    static const uint8_t ended[] = {LOOM_LONG_TERM, LOOM_LONG_TERM, LOOM_LONG_TERM, LOOM_TEMPORARY,
                                    LOOM_TEMPORARY, LOOM_DISCARDED, LOOM_TEMPORARY};
    jobs.run_s[2] = 12 * WEEK + 1;
    check_pools(&jobs, ended);
}

/* ---- times at the ends of what a column holds ------------------------------------------------ */

static void test_extreme_times(void **state)
{
    (void)state;
    static const struct jobs jobs = {
        .n = 4,
        .user = {INT32_MAX, 0, INT32_MAX, 0},
        .submit_s = {INT64_MAX, INT64_MIN, INT64_MIN, INT64_MAX},
        .wait_s = {INT64_MAX, INT64_MIN, 5, 1},
        .run_s = {INT64_MAX, INT64_MAX, INT64_MIN, 1},
    };
    struct loom_users *users = users_of(&jobs);
    assert_int_equal(users->count, 2);
    for (int method = 0; method < LOOM_SESSION_METHODS; method++) {
        struct loom_session_rule rule = loom_session_rule((enum loom_session_method)method);
        rule.cut_s = INT64_MAX;
        struct loom_sessions *sessions = sessions_of(users, rule);
        assert_consistent(users, sessions);
        assert_int_equal(sessions->count, 4);
        loom_sessions_destroy(sessions);
    }
    static const uint8_t kinds[] = {LOOM_LONG_TERM, LOOM_LONG_TERM};
    loom_users_destroy(users);
    check_pools(&jobs, kinds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_users),  cmocka_unit_test(test_methods),
        cmocka_unit_test(test_limits), cmocka_unit_test(test_batches_of_last_may_overlap),
        cmocka_unit_test(test_rules),  cmocka_unit_test(test_random),
        cmocka_unit_test(test_order),  cmocka_unit_test(test_no_jobs),
        cmocka_unit_test(test_pools),  cmocka_unit_test(test_extreme_times),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

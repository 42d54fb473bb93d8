/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Features of sessions and users: by hand, and on jobs whose ends are unknown. */
#include "family_run.h"

enum { WEEK = 7 * 86400 };

extern const struct loom_family_ops loom_family_session, loom_family_user;

/* The log worked by hand in test_sessions.c, in order of submission. By arrival, its sessions are
 * ABCD, E and x.
 */
static const struct row rows_by_hand[] = {
    {0, 6000, 12000, -1, 1, 1, 7}, {600, 0, 300, -1, 1, 1, 7},  {660, -1, -1, -1, 1, 1, -1},
    {2400, 0, 60, -1, 1, 1, 7},    {3000, 0, 420, -1, 1, 1, 3}, {3060, 5, 5, -1, 1, 1, -1},
    {6000, 60, 60, -1, 1, 1, 7},   {9660, 0, 60, -1, 1, 1, 7},
};

static void test_session_features(void **state)
{
    (void)state;
    struct loom_results results =
        run_family(&loom_family_session, rows_by_hand, COUNT(rows_by_hand));
    assert_value(&results, "session.arrival.count", 3);
    assert_value(&results, "session.arrival.batches", 3);
    assert_value(&results, "session.last.count", 5);
    assert_value(&results, "session.last.batches", 5);
    assert_value(&results, "session.max.count", 2);
    assert_value(&results, "session.max.batches", 2);
    assert_value(&results, "session.last_cut.count", 5);
    assert_value(&results, "session.last_cut.batches", 5);
    assert_value(&results, "session.max_cut.count", 4);
    assert_value(&results, "session.max_cut.batches", 4);
    assert_value(&results, "session.arrival.jobs_mean", 2);
    assert_value(&results, "session.arrival.length_mean_s", 2000);
    assert_value(&results, "session.arrival.single_job_fraction", 2.0 / 3);
    assert_value(&results, "batch.single_job_fraction", 2.0 / 3);
}

/* Twenty jobs of one user, a day apart, of which the first `unknown` lack what `lacks` does. */
static struct loom_results sessions_lacking(struct row lacks, size_t unknown)
{
    struct row rows[20];
    for (size_t i = 0; i < COUNT(rows); i++) {
        rows[i] = i < unknown ? lacks : (struct row){0, 0, 60, -1, 1, 1, 7};
        rows[i].submit_s = (int64_t)i * 86400;
    }
    return run_family(&loom_family_session, rows, COUNT(rows));
}

/* One of twenty may be unknown, two may not. */
static void test_sessions_with_unknown_ends(void **state)
{
    (void)state;
    const struct row no_wait = {0, -1, 60, -1, 1, 1, 7}, no_run = {0, 0, -1, -1, 1, 1, 7};
    struct loom_results results = sessions_lacking(no_wait, 1);
    assert_value(&results, "session.max.count", 20);
    results = sessions_lacking(no_run, 1);
    assert_value(&results, "session.last_cut.batches", 20);
    results = sessions_lacking(no_wait, 2);
    assert_value(&results, "session.arrival.count", 20);
    static const char *const keys[] = {"session.arrival.batches", "session.last.count",
                                       "session.max.count", "session.max_cut.batches",
                                       "batch.single_job_fraction"};
    for (size_t i = 0; i < COUNT(keys); i++)
        assert_missing(&results, keys[i],
                       "more than 5 % of the jobs have no recorded wait, so end times are unknown");
    results = sessions_lacking(no_run, 19);
    assert_missing(&results, "session.last.count",
                   "more than 5 % of the jobs have no runtime, so end times are unknown");
}

static void test_sessions_without_ends(void **state)
{
    (void)state;
    struct row rows[COUNT(rows_by_hand)];
    memcpy(rows, rows_by_hand, sizeof rows);
    for (size_t i = 0; i < COUNT(rows); i++)
        rows[i].wait_s = -1;
    static const char no_wait[] = "no job has a recorded wait, so end times are unknown";
    struct loom_results results = run_family(&loom_family_session, rows, COUNT(rows));
    assert_value(&results, "session.arrival.count", 3);
    assert_value(&results, "session.arrival.length_mean_s", 2000);
    assert_missing(&results, "session.arrival.batches", no_wait);
    assert_missing(&results, "session.last.count", no_wait);
    assert_missing(&results, "session.max_cut.batches", no_wait);
    assert_missing(&results, "batch.single_job_fraction", no_wait);
    for (size_t i = 0; i < COUNT(rows); i++) {
        rows[i].wait_s = 0;
        rows[i].run_s = -1;
    }
    results = run_family(&loom_family_session, rows, COUNT(rows));
    assert_value(&results, "session.arrival.single_job_fraction", 2.0 / 3);
    assert_missing(&results, "session.max.count", "no job has a runtime, so end times are unknown");
}

static void test_user_features(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {0, 0, 1, -1, 1, 1, 1},          {5 * WEEK, 0, 1, -1, 1, 1, 2},
        {5 * WEEK, 0, 1, -1, 1, 1, 2},   {9 * WEEK, 0, 1, -1, 1, 1, 3},
        {13 * WEEK, 0, 1, -1, 1, 1, -1}, {13 * WEEK, 0, 1, -1, 1, 1, 1},
    };
    struct loom_results results = run_family(&loom_family_user, rows, COUNT(rows));
    assert_value(&results, "user.long_term.count", 1);
    assert_value(&results, "user.long_term.jobs", 2);
    assert_value(&results, "user.temporary.count", 1);
    assert_value(&results, "user.temporary.jobs", 2);
    assert_value(&results, "user.discarded.count", 1);
}

static void test_no_users(void **state)
{
    (void)state;
    static const struct row rows[] = {{0, 0, 1, -1, 1, 1, -1}, {1, 0, 1, -1, 1, 1, -1}};
    struct loom_results results = run_family(&loom_family_session, rows, COUNT(rows));
    assert_missing(&results, "session.arrival.count", "no job has a user ID");
    assert_missing(&results, "batch.single_job_fraction", "no job has a user ID");
    results = run_family(&loom_family_user, rows, COUNT(rows));
    assert_missing(&results, "user.discarded.count", "no job has a user ID");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_session_features),
        cmocka_unit_test(test_sessions_with_unknown_ends),
        cmocka_unit_test(test_sessions_without_ends),
        cmocka_unit_test(test_user_features),
        cmocka_unit_test(test_no_users),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

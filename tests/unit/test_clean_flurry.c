/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rule "flurry": bursts that are found, that are named, and what looks like one and is none. */
#include "cleaning.h"

#include <string.h>

static void test_flurry_is_found(void **state)
{
    (void)state;
    struct loom_trace *trace = new_trace();
    add_others(trace, 10, 100);
    add(trace, good_job(3 * WEEK - 2 * DAY, 9)); /* the user's ordinary jobs stay */
    add(trace, good_job(4 * WEEK + 2 * DAY, 9));
    size_t first = loom_trace_count(trace);
    add_burst(trace, 9, 3 * WEEK, 300, 10 * HOUR);
    struct loom_cleaning *cleaning = clean(trace, OPTIONS(AUTO));
    assert_drops_rows(cleaning, loom_trace_count(trace), first, first + 299);
    assert_reasons(cleaning,
                   "flurry 300 flurry of user 9 from 2001-09-30 00:00:00 to 2001-09-30 "
                   "09:58:00, 98 % of all jobs in that time and in 7 days up to 3.0 times "
                   "the busy week of all others\n");
    loom_cleaning_destroy(cleaning);
    assert_cleans(trace, NO_OPTIONS, "");
}

/* Bursts exactly 7 days apart are chained, but no 7 days hold both; a second less, and they do. */
static void test_flurry_of_exactly_a_week(void **state)
{
    (void)state;
    for (int64_t less_s = 0; less_s <= 1; less_s++) {
        struct loom_trace *trace = new_trace();
        add_others(trace, 10, 100);
        size_t first = loom_trace_count(trace);
        add_burst(trace, 9, 3 * WEEK, 150, 0);
        add_burst(trace, 9, 4 * WEEK - less_s, 150, 0);
        struct loom_cleaning *cleaning = clean(trace, OPTIONS(AUTO));
        assert_drops_rows(cleaning, loom_trace_count(trace), first, first + 299);
        assert_int_equal(loom_cleaning_reasons(cleaning), 1);
        const char *text = loom_cleaning_reason(cleaning, 0)->text;
        assert_non_null(strstr(text, less_s ? "up to 3.0 times" : "up to 1.5 times"));
        loom_cleaning_destroy(cleaning);
        loom_trace_destroy(trace);
    }
}

static void test_what_is_no_flurry(void **state)
{
    (void)state;
    static const struct {
        const char *why;
        int32_t user;
        int64_t others, jobs, length_s;
    } cases[] = {
        {"too few jobs", 9, 100, 299, 10 * HOUR},
        {"not 1.5 busy weeks", 9, 201, 300, 10 * HOUR},
        {"spread over the log", 9, 150, 1000, 10 * WEEK},
        {"not one user", -1, 100, 300, 10 * HOUR},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct loom_trace *trace = new_trace();
        add_others(trace, 10, cases[i].others);
        int64_t from_s = cases[i].length_s < 10 * WEEK ? 3 * WEEK : 0;
        add_burst(trace, cases[i].user, from_s, cases[i].jobs, cases[i].length_s);
        struct loom_cleaning *cleaning = clean(trace, OPTIONS(AUTO));
        if (loom_cleaning_reasons(cleaning) != 0)
            fail_msg("%s: %s", cases[i].why, loom_cleaning_reason(cleaning, 0)->text);
        loom_cleaning_destroy(cleaning);
        loom_trace_destroy(trace);
    }
}

/* Three users at once are a crowd, not a flurry: none of them has half of the jobs. */
static void test_crowd_is_no_flurry(void **state)
{
    (void)state;
    struct loom_trace *trace = new_trace();
    add_others(trace, 10, 100);
    for (int32_t user = 7; user <= 9; user++)
        add_burst(trace, user, 3 * WEEK, 300, 10 * HOUR);
    struct loom_cleaning *cleaning = clean(trace, OPTIONS(AUTO));
    assert_int_equal(loom_cleaning_reasons(cleaning), 0);
    loom_cleaning_destroy(cleaning);
    cleaning = clean(trace, OPTIONS(AUTO, {"flurry-share", "0.3"}));
    assert_int_equal(loom_cleaning_reasons(cleaning), 3);
    loom_cleaning_destroy(cleaning);
    loom_trace_destroy(trace);
}

/* The busy week is the 90th percentile: one busy week of the others in ten does not hide a flurry,
 * two do. */
static void test_busy_weeks(void **state)
{
    (void)state;
    for (int busy = 1; busy <= 2; busy++) {
        struct loom_trace *trace = new_trace();
        add_others(trace, 10, 100);
        for (int week = 0; week < busy; week++)
            add_every(trace, 6, week * WEEK, (week + 1) * WEEK, WEEK / 101);
        size_t before = loom_trace_count(trace);
        add_burst(trace, 9, 5 * WEEK, 300, 10 * HOUR);
        struct loom_cleaning *cleaning = clean(trace, OPTIONS(AUTO));
        if (busy == 1)
            assert_drops_rows(cleaning, before + 300, before, before + 299);
        else
            assert_int_equal(loom_cleaning_reasons(cleaning), 0);
        loom_cleaning_destroy(cleaning);
        loom_trace_destroy(trace);
    }
}

/* After the flurry all others pause; what little its user does then is not part of it. */
static void test_quiet_days_are_not_hot(void **state)
{
    (void)state;
    for (int64_t jobs = 14; jobs <= 15; jobs++) { /* the busy day of the others has 100/7 */
        struct loom_trace *trace = new_trace();
        add_others(trace, 10, 100);
        add_burst(trace, 9, 10 * WEEK, 300, 10 * HOUR);
        add_burst(trace, 9, 10 * WEEK + 3 * DAY, jobs, HOUR);
        struct loom_cleaning *cleaning = clean(trace, OPTIONS(AUTO));
        size_t last = 1299 + (jobs == 15 ? 15 : 0);
        assert_drops_rows(cleaning, loom_trace_count(trace), 1000, last);
        loom_cleaning_destroy(cleaning);
        loom_trace_destroy(trace);
    }
}

static void test_flurry_thresholds_can_be_moved(void **state)
{
    (void)state;
    struct loom_trace *trace = new_trace();
    add_others(trace, 10, 100);
    add_burst(trace, 9, 3 * WEEK, 100, 10 * HOUR);
    struct loom_cleaning *cleaning =
        clean(trace, OPTIONS(AUTO, {"flurry-jobs", "100"}, {"flurry-weeks", "1"}));
    assert_drops_rows(cleaning, loom_trace_count(trace), 1000, 1099);
    loom_cleaning_destroy(cleaning);
    cleaning = clean(trace, OPTIONS(AUTO, {"flurry-jobs", "100"}, {"flurry-weeks", "1.01"}));
    assert_int_equal(loom_cleaning_reasons(cleaning), 0);
    loom_cleaning_destroy(cleaning);
    cleaning = clean(trace, OPTIONS(AUTO, {"flurry-jobs", "100"}, {"flurry-weeks", "1"},
                                    {"flurry-share", "0.95"}));
    assert_int_equal(loom_cleaning_reasons(cleaning), 0);
    loom_cleaning_destroy(cleaning);
    loom_trace_destroy(trace);
}

/* Hot days up to a week apart are one flurry, with what the user did in between. */
static void test_flurries_are_chained(void **state)
{
    (void)state;
    for (int days = 6; days <= 8; days += 2) {
        struct loom_trace *trace = new_trace();
        add_others(trace, 10, 100);
        add_burst(trace, 9, 3 * WEEK, 300, 10 * HOUR);
        add(trace, good_job(3 * WEEK + 3 * DAY, 9));
        add_burst(trace, 9, 3 * WEEK + days * DAY, 300, 10 * HOUR);
        struct loom_cleaning *cleaning = clean(trace, OPTIONS(AUTO));
        assert_int_equal(loom_cleaning_reasons(cleaning), days == 6 ? 1 : 2);
        assert_int_equal(loom_cleaning_marks(cleaning)[1300], days == 6 ? 1 : 0);
        loom_cleaning_destroy(cleaning);
        loom_trace_destroy(trace);
    }
}

/* A long flurry hides a small one from the first search, not from the second. */
static void test_hidden_flurry(void **state)
{
    (void)state;
    struct loom_trace *trace = new_trace();
    add_others(trace, 10, 100);
    add_burst(trace, 8, WEEK, 6000, 3 * WEEK);
    add_burst(trace, 9, 6 * WEEK, 300, 10 * HOUR);
    struct loom_cleaning *cleaning = clean(trace, OPTIONS(AUTO));
    assert_drops_rows(cleaning, loom_trace_count(trace), 1000, 7299);
    assert_int_equal(loom_cleaning_reasons(cleaning), 2);
    loom_cleaning_destroy(cleaning);
    loom_trace_destroy(trace);
}

/* However many jobs, who always works like that has no flurry: one user alone, or a year of 12 jobs
 * a day beside 8 a day of all others, without a break or with one of two weeks after every eight.
 */
static void test_steady_users(void **state)
{
    (void)state;
    struct loom_trace *alone = new_trace();
    add_every(alone, 9, 0, 2000 * HOUR, HOUR);
    assert_cleans(alone, OPTIONS(AUTO), "");
    struct loom_trace *nearly_alone = new_trace();
    add_every(nearly_alone, 9, 0, 2000 * HOUR, HOUR);
    add(nearly_alone, good_job(1000 * HOUR, 1));
    assert_cleans(nearly_alone, OPTIONS(AUTO), "");
    struct loom_trace *steady = new_trace();
    add_others(steady, 52, 56);
    add_every(steady, 9, 0, 52 * WEEK, 2 * HOUR);
    assert_cleans(steady, OPTIONS(AUTO), "");
    struct loom_trace *with_breaks = new_trace();
    add_others(with_breaks, 50, 56);
    for (int64_t week = 0; week < 50; week += 10)
        add_every(with_breaks, 9, week * WEEK, (week + 8) * WEEK, 2 * HOUR);
    assert_cleans(with_breaks, OPTIONS(AUTO), "");
}

/* 300 jobs in a week are a burst of a user with 100 in all other weeks, not with 101; where there
 * are only three such weeks, they don't count. */
static void test_own_usual_week(void **state)
{
    (void)state;
    static const struct {
        int64_t usual, weeks;
        bool burst;
    } cases[] = {{100, 5, true}, {101, 5, false}, {100, 4, true}, {101, 4, false}, {101, 3, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct loom_trace *trace = new_trace();
        add_others(trace, 10, 110);
        add_burst(trace, 9, 3 * WEEK, 300, 10 * HOUR);
        for (int64_t week = 10 - cases[i].weeks; week < 10; week++)
            add_burst(trace, 9, week * WEEK, cases[i].usual, WEEK);
        struct loom_cleaning *cleaning = clean(trace, OPTIONS(AUTO));
        if (cases[i].burst)
            assert_drops_rows(cleaning, loom_trace_count(trace), 1100, 1399);
        else
            assert_int_equal(loom_cleaning_reasons(cleaning), 0);
        loom_cleaning_destroy(cleaning);
        loom_trace_destroy(trace);
    }
}

/* A flurry lasts at most a third of the log, from its first job to its last. */
static void test_long_flurry(void **state)
{
    (void)state;
    for (int over = 0; over <= 1; over++) {
        struct loom_trace *trace = new_trace();
        add_others(trace, 12, 100);
        add(trace, good_job(12 * WEEK, 1));
        size_t first = loom_trace_count(trace);
        add_every(trace, 9, 4 * WEEK, 8 * WEEK, HOUR);
        add(trace, good_job(8 * WEEK + over, 9));
        struct loom_cleaning *cleaning = clean(trace, OPTIONS(AUTO));
        if (over)
            assert_int_equal(loom_cleaning_reasons(cleaning), 0);
        else
            assert_drops_rows(cleaning, loom_trace_count(trace), first, first + 672);
        loom_cleaning_destroy(cleaning);
        loom_trace_destroy(trace);
    }
}

static void test_named_flurries(void **state)
{
    (void)state;
    static const struct {
        const char *option, *expected;
    } cases[] = {
        {"9:3600:10800", "flurry 3 flurry of user 9 (anna) from 2001-09-09 01:00:00 to 2001-09-09 "
                         "03:00:00, named 9:3600:10800, 60 % of all jobs in that time\n"},
        {"anna:2001-09-09T01:00:2001-09-09T02:59:59",
         "flurry 2 flurry of user 9 (anna) from 2001-09-09 01:00:00 to 2001-09-09 02:00:00, named "
         "anna:2001-09-09T01:00:2001-09-09T02:59:59, 67 % of all jobs in that time\n"},
        {"9:2001-09-09 01:00:00:2001-09-09 01:00:00",
         "flurry 1 flurry of user 9 (anna) from 2001-09-09 01:00:00 to 2001-09-09 01:00:00, named "
         "9:2001-09-09 01:00:00:2001-09-09 01:00:00, 100 % of all jobs in that time\n"},
        {"9::7200", "flurry 3 flurry of user 9 (anna) from 2001-09-09 00:00:00 to 2001-09-09 "
                    "02:00:00, named 9::7200, 60 % of all jobs in that time\n"},
        {"9:2001-09-09:",
         "flurry 10 flurry of user 9 (anna) from 2001-09-09 00:00:00 to 2001-09-09 "
         "09:00:00, named 9:2001-09-09:, 53 % of all jobs in that time\n"},
        {"9:#2:#4", "flurry 3 flurry of user 9 (anna) from 2001-09-09 01:00:00 to 2001-09-09 "
                    "03:00:00, named 9:#2:#4, 60 % of all jobs in that time\n"},
        {"5:0:100", "flurry 0 flurry named 5:0:100, which has no jobs\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct loom_trace *trace = new_trace();
        add_every(trace, 9, 0, 10 * HOUR, HOUR);
        add_every(trace, 1, HOUR / 2, 10 * HOUR, HOUR);
        loom_trace_set_name(trace, LOOM_USER, 9, "anna", NULL);
        assert_cleans(trace, OPTIONS({"flurry", cases[i].option}), cases[i].expected);
    }
}

static void test_bad_names_of_flurries(void **state)
{
    (void)state;
#define WANTS \
    "flurry wants USER:FROM:TO with two times, or USER:#FIRST:#LAST with two job numbers, not "
    static const struct {
        const char *option, *message;
    } cases[] = {
        {"9", WANTS "'9'"},
        {"9:5", WANTS "'9:5'"},
        {"9:a:b", WANTS "'9:a:b'"},
        {"9:#1:#", WANTS "'9:#1:#'"},
        {"9:#1:5", WANTS "'9:#1:5'"},
        {"9:#1", WANTS "'9:#1'"},
        {"9:2001-13-01:2002-01-01", WANTS "'9:2001-13-01:2002-01-01'"},
        {"9:5:4", "flurry 9:5:4 ends before it begins"},
        {"9:#5:#4", "flurry 9:#5:#4 ends before it begins"},
        {"ana:1:2", "there is no user 'ana'; did you mean 'anna'?"},
        {":1:2", "there is no user ''; give its number or one of the log's names"},
    };
    struct loom_trace *trace = new_trace();
    loom_trace_set_name(trace, LOOM_USER, 9, "anna", NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct loom_error err = {0};
        struct loom_cleaning *cleaning = NULL;
        int rc = try_clean(&cleaning, trace, OPTIONS({"flurry", cases[i].option}), &err);
        assert_int_equal(rc, LOOM_EUSAGE);
        assert_string_equal(err.message, cases[i].message);
        assert_null(cleaning);
    }
    loom_trace_destroy(trace);
}

/* Without a start there are no dates: times are the log's seconds, and a date is refused. */
static void test_flurry_in_a_log_without_start(void **state)
{
    (void)state;
    struct loom_trace *trace = empty_trace();
    add_every(trace, 9, 0, 3 * HOUR, HOUR);
    struct loom_error err = {0};
    struct loom_cleaning *cleaning = NULL;
    assert_int_equal(try_clean(&cleaning, trace, OPTIONS({"flurry", "9:2001-09-09:"}), &err),
                     LOOM_EDATA);
    assert_cleans(trace, OPTIONS({"flurry", "9:1:"}),
                  "flurry 2 flurry of user 9 from second 3600 to second 7200, named 9:1:, 100 % of "
                  "all jobs in that time\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flurry_is_found),
        cmocka_unit_test(test_flurry_of_exactly_a_week),
        cmocka_unit_test(test_what_is_no_flurry),
        cmocka_unit_test(test_crowd_is_no_flurry),
        cmocka_unit_test(test_busy_weeks),
        cmocka_unit_test(test_quiet_days_are_not_hot),
        cmocka_unit_test(test_flurry_thresholds_can_be_moved),
        cmocka_unit_test(test_flurries_are_chained),
        cmocka_unit_test(test_hidden_flurry),
        cmocka_unit_test(test_steady_users),
        cmocka_unit_test(test_own_usual_week),
        cmocka_unit_test(test_long_flurry),
        cmocka_unit_test(test_named_flurries),
        cmocka_unit_test(test_bad_names_of_flurries),
        cmocka_unit_test(test_flurry_in_a_log_without_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

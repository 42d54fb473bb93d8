/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How users react, by each model of behaviour: their working hours, breaks and sessions, worked by
 * hand or counted over a crowd.
 */
#include "reacting.h"
#include "users/template.c"

#include <math.h>

static void test_template(void **state)
{
    const struct loom_behaviour_ops *ops = &loom_behaviour_template;
    const struct loom_param *const lists[] = {ops->info.params, NULL};
    struct loom_params *given = NULL;
    struct template model = {0};
    struct loom_stream stream;
    struct loom_sim_user user = {.stream = &stream};
    struct loom_release release = {.now_s = 1000};
    double sum_s = 0;
    enum { DRAWS = 40000 };
    (void)state;
    assert_int_equal(loom_params_create(&given, lists, NULL), 0);
    assert_int_equal(ops->open(&model, NULL, given, NULL), 0);
    loom_stream_init(&stream, 1, 0, "template");
    for (int i = 0; i < DRAWS; i++)
        sum_s += (double)(ops->arrival(&model, &user, &release) - release.now_s) / DRAWS;
    /* Cut to whole seconds: 600 - 1/2, with a standard error of 600 / 200. */
    assert_true(sum_s > 599.5 - 12 && sum_s < 599.5 + 12);
    release.leaves = true;
    assert_true(ops->arrival(&model, &user, &release) >= release.now_s + DAY);
    loom_params_destroy(given);
}

/* ---- distribution ---------------------------------------------------------------------------- */

/* Who works by day on weekdays has all batches but the first come at these times, or within the
 * session that began then; the others wait for the next morning. */
static void test_working_hours(void **state)
{
    const struct loom_feedback_options options = {
        .behaviour = "distribution:day=1,weekdays=1,spread=0,continue=0"};
    struct loom_trace *trace = empty_trace();
    (void)state;
    /* The log's zero is a Monday midnight. A batch every two hours, each after the end of the one
     * before: breaks of 1 h 59 min 50 s, when they do not lead out of 7:30 to 17:30. */
    for (int i = 0; i < 200; i++)
        add(trace, 1, 8 * HOUR + i * 2 * HOUR, 0, 10, 1);
    struct loom_feedback *feedback = open_feedback(trace, &options);
    size_t n;
    struct loom_sim_job *jobs = serve_users(feedback, 0, no_wait, NULL, 200, &n);
    assert_int_equal(n, 200);
    int64_t expected_s = 8 * HOUR;
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(jobs[i].submit_s, expected_s);
        expected_s += 2 * HOUR;
        if (expected_s % DAY >= 17 * HOUR + HOUR / 2) /* home, and on Fridays until Monday */
            expected_s = (expected_s / DAY + (expected_s % WEEK / DAY == 4 ? 3 : 1)) * DAY +
                         7 * HOUR + HOUR / 2;
    }
    free(jobs);
    loom_feedback_destroy(feedback);
    loom_trace_destroy(trace);
}

/* When the second job of each of many users comes, who all have jobs of 10 s at these times. */
enum { CROWD = 2500 };

static void second_jobs(int64_t out_s[CROWD], const char *behaviour, const int64_t *submit_s,
                        size_t jobs_each, int64_t wait_s)
{
    const struct loom_feedback_options options = {.behaviour = behaviour, .seed = 1};
    struct loom_trace *trace = empty_trace();
    for (int32_t user = 1; user <= CROWD; user++)
        for (size_t i = 0; i < jobs_each; i++)
            add(trace, user, submit_s[i], 0, 10, 1);
    struct loom_feedback *feedback = open_feedback(trace, &options);
    size_t n;
    struct loom_sim_job *jobs = serve_users(feedback, 0, same_wait, &wait_s, CROWD * jobs_each, &n);
    assert_int_equal(n, CROWD * jobs_each);
    for (size_t i = 0; i < n; i++)
        if (jobs[i].row % jobs_each == 1)
            out_s[jobs[i].user - 1] = jobs[i].submit_s;
    free(jobs);
    loom_feedback_destroy(feedback);
    loom_trace_destroy(trace);
}

/* The share of a crowd, within five standard errors. */
static void assert_share(size_t count, double wanted)
{
    double error = sqrt(wanted * (1 - wanted) / CROWD);
    if (fabs((double)count / CROWD - wanted) > 5 * error)
        fail_msg("a share of %g should be %g", (double)count / CROWD, wanted);
}

/* After a response of so many seconds: the session goes on with 0.8 / (0.05 * minutes + 1), after
 * the only delay within sessions, or there is the only break. */
static void assert_goes_on(int64_t response_s, double chance)
{
    static const int64_t submit_s[] = {9 * HOUR, 9 * HOUR + HOUR / 2, 12 * HOUR};
    int64_t came_s[CROWD], ended_s = 9 * HOUR + response_s;
    size_t going_on = 0;
    second_jobs(came_s, "distribution:day=1,weekdays=1,spread=0", submit_s, COUNT(submit_s),
                response_s - 10);
    for (size_t i = 0; i < CROWD; i++) {
        bool goes_on = came_s[i] == ended_s + HOUR / 2 - 10;
        assert_true(goes_on || came_s[i] == ended_s + 5 * HOUR / 2 - 10);
        going_on += goes_on;
    }
    assert_share(going_on, chance);
}

static void test_goes_on(void **state)
{
    (void)state;
    assert_goes_on(10, 0.8 / (0.05 / 6 + 1));
    assert_goes_on(20 * 60, 0.4);
    assert_goes_on(3 * HOUR, 0.08);
}

/* A batch that may come at noon of a Saturday: who works at weekends by day sends it after a break
 * of two hours, all others when they next begin to work. */
static void test_types(void **state)
{
    static const int64_t submit_s[] = {5 * DAY + 12 * HOUR - 10, 5 * DAY + 14 * HOUR};
    enum { WORKS, TONIGHT, MONDAY, MONDAY_NIGHT, TYPES };
    static const double shares[TYPES] = {0.7 * 0.2, 0.3 * 0.2, 0.7 * 0.8, 0.3 * 0.8};
    static const int64_t begin_s[TYPES] = {5 * DAY + 14 * HOUR, 5 * DAY + 17 * HOUR + HOUR / 2,
                                           WEEK + 7 * HOUR + HOUR / 2, WEEK + 17 * HOUR + HOUR / 2};
    int64_t came_s[CROWD], earliest_s = INT64_MAX, latest_s = INT64_MIN;
    size_t count[TYPES] = {0};
    (void)state;
    second_jobs(came_s, "distribution:continue=0", submit_s, COUNT(submit_s), 0);
    for (size_t i = 0; i < CROWD; i++) {
        size_t type = 0;
        while (type < TYPES && llabs(came_s[i] - begin_s[type]) > (type == WORKS ? 0 : HOUR))
            type++;
        assert_true(type < TYPES);
        count[type]++;
        int64_t off_s = came_s[i] - begin_s[type];
        earliest_s = off_s < earliest_s ? off_s : earliest_s;
        latest_s = off_s > latest_s ? off_s : latest_s;
    }
    for (size_t type = 0; type < TYPES; type++)
        assert_share(count[type], shares[type]);
    assert_in_range(-earliest_s, HOUR - 60, HOUR);
    assert_in_range(latest_s, HOUR - 60, HOUR);
}

/* Breaks are delays between sessions of below 8 hours, the user's own where there are any: user 1
 * has one of 2 hours and one of 9, user 2 one of 9 only, and so takes somebody else's. */
static void test_breaks(void **state)
{
    const struct loom_feedback_options options = {
        .behaviour = "distribution:day=1,weekdays=1,spread=0,continue=0"};
    struct loom_trace *trace = empty_trace();
    (void)state;
    add(trace, 1, 8 * HOUR, 0, HOUR, 1);
    add(trace, 1, 11 * HOUR, 0, HOUR, 1);
    add(trace, 1, 21 * HOUR, 0, HOUR, 1);
    add(trace, 2, 8 * HOUR, 0, HOUR, 1);
    add(trace, 2, 18 * HOUR, 0, HOUR, 1);
    add(trace, 3, 8 * HOUR, 0, HOUR, 1);
    add(trace, 3, 12 * HOUR, 0, HOUR, 1);
    struct loom_feedback *feedback = open_feedback(trace, &options);
    for (uint64_t run = 0; run < 40; run++) {
        size_t n;
        struct loom_sim_job *jobs = serve_users(feedback, run, no_wait, NULL, 7, &n);
        assert_int_equal(n, 7);
        for (size_t i = 0; i < n; i++) {
            int64_t came_s = jobs[i].submit_s;
            switch (jobs[i].row) {
            case 1:
                assert_int_equal(came_s, 11 * HOUR);
                break;
            case 2:
                assert_int_equal(came_s, 14 * HOUR);
                break;
            case 4:
                assert_true(came_s == 11 * HOUR || came_s == 12 * HOUR);
                break;
            case 6:
                assert_int_equal(came_s, 12 * HOUR);
                break;
            default:
                assert_int_equal(came_s, 8 * HOUR);
            }
        }
        free(jobs);
    }
    loom_feedback_destroy(feedback);
    loom_trace_destroy(trace);
}

/* ---- fluid ----------------------------------------------------------------------------------- */

/* The first job waits until it ends at 9:30 of the second Monday. */
static int64_t first_waits(void *context, const struct loom_submission *job)
{
    (void)context;
    return job->row == 0 ? WEEK + HOUR / 2 - 600 : 0;
}

/* One user with two batches in a day, at 9:00 and 10:00, on four days a week or some days less
 * apart from Monday on, and what comes when the first of them takes until 9:30 of the second
 * Monday. */
static void assert_fluid(const char *behaviour, int64_t days_less, const int64_t expected_s[8])
{
    const struct loom_feedback_options options = {.behaviour = behaviour};
    struct loom_trace *trace = empty_trace();
    for (int week = 0; week < 4; week++) {
        int64_t day_s = week * (WEEK - days_less * DAY);
        add(trace, 1, day_s + 9 * HOUR, 0, 600, 1);
        add(trace, 1, day_s + 10 * HOUR, 0, 600, 1);
    }
    struct loom_feedback *feedback = open_feedback(trace, &options);
    size_t n;
    struct loom_sim_job *jobs = serve_users(feedback, 0, first_waits, NULL, 8, &n);
    assert_int_equal(n, 8);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(jobs[i].submit_s, expected_s[i]);
    free(jobs);
    loom_feedback_destroy(feedback);
    loom_trace_destroy(trace);
}

/* The delay within sessions is 50 minutes, always: from the end at 9:10 to 10:00. */
static void test_fluid(void **state)
{
    enum { NINE = 9 * HOUR, TEN = 10 * HOUR, LATE = 10 * HOUR + 20 * 60 };
    (void)state;
    /* The second batch comes 50 minutes after 9:30, though the session is over at 10:00; then one
     * Monday each, and the first session comes again after the last. */
    assert_fluid("fluid", 0,
                 (const int64_t[]){NINE, WEEK + LATE, 2 * WEEK + NINE, 2 * WEEK + TEN,
                                   3 * WEEK + NINE, 3 * WEEK + TEN, 4 * WEEK + NINE,
                                   4 * WEEK + TEN});
    /* It moves to the third Monday instead. */
    assert_fluid("fluid:late=moves", 0,
                 (const int64_t[]){NINE, 2 * WEEK + NINE, 2 * WEEK + TEN, 3 * WEEK + NINE,
                                   3 * WEEK + TEN, 4 * WEEK + NINE, 4 * WEEK + TEN,
                                   5 * WEEK + NINE});
    /* Sessions on Monday, Sunday, Saturday, Friday: the Sunday of the first week is skipped, and
     * used last, as the second of the next round of four weeks; */
    assert_fluid("fluid", 1,
                 (const int64_t[]){NINE, 2 * WEEK - 2 * DAY + NINE, 2 * WEEK - 2 * DAY + TEN,
                                   3 * WEEK - 3 * DAY + NINE, 3 * WEEK - 3 * DAY + TEN,
                                   3 * WEEK + NINE, 3 * WEEK + TEN, 4 * WEEK - DAY + NINE});
    /* or comes again a week later. */
    assert_fluid("fluid:skipped=week", 1,
                 (const int64_t[]){NINE, 2 * WEEK - 2 * DAY + NINE, 2 * WEEK - 2 * DAY + TEN,
                                   2 * WEEK - DAY + NINE, 2 * WEEK - DAY + TEN,
                                   3 * WEEK - 3 * DAY + NINE, 3 * WEEK - 3 * DAY + TEN,
                                   3 * WEEK + NINE});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_template), cmocka_unit_test(test_working_hours),
        cmocka_unit_test(test_goes_on),  cmocka_unit_test(test_types),
        cmocka_unit_test(test_breaks),   cmocka_unit_test(test_fluid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Populations of users who react: who comes, in which order they submit what the log has of them,
 * and when those who stay start again.
 */
#include "reacting.h"

/* Everybody submits their jobs in the order of the log, from some job on to the last and, if they
 * stay, from the first again; always in the same second of the week. */
static void test_population(void **state)
{
    struct loom_trace *trace = weekly_log();
    const struct loom_jobs *log = loom_trace_jobs(trace);
    struct loom_population_rule rule = loom_population_rule();
    rule.length_s = 60 * WEEK;
    const struct loom_feedback_options options = {.behaviour = "fluid",
                                                  .population = &rule,
                                                  .seed = 3};
    (void)state;
    struct loom_feedback *feedback = open_feedback(trace, &options);
    for (uint64_t run = 0; run < 10; run++) {
        size_t n;
        struct loom_sim_job *jobs = serve_users(feedback, run, no_wait, NULL, 1000, &n);
        int64_t last_row[64] = {0}, last_s[64] = {0};
        for (size_t i = 0; i < n; i++) {
            int32_t user = jobs[i].user;
            uint32_t row = jobs[i].row, before = (uint32_t)last_row[user];
            assert_in_range(user, 1, 63);
            assert_true(jobs[i].submit_s < log->submit_s[0] + 60 * WEEK);
            assert_int_equal((jobs[i].submit_s - log->submit_s[row]) % WEEK, 0);
            while (before > 0 && log->user[before % log->n] != log->user[row])
                before++;
            assert_true(before == 0 || before % log->n == row);
            last_row[user] = row + 1;
            if (log->user[row] != 3) /* back in the week after the last job */
                assert_in_range(jobs[i].submit_s - last_s[user], 0, WEEK);
            last_s[user] = jobs[i].submit_s;
        }
        assert_in_range(n, 60 * 2, 60 * 4);
        assert_true(loom_feedback_counts(feedback)->returned >= 4);
        free(jobs);
    }
    loom_feedback_destroy(feedback);
    loom_trace_destroy(trace);
}

/* Weeks between the rounds of a user who was active for 14 weeks of a log of 19.2, if every job
 * waits this long; in the log, none did. */
static int64_t weeks_between_rounds(bool pauses, int64_t wait_s)
{
    struct loom_trace *trace = empty_trace();
    struct loom_population_rule rule = loom_population_rule();
    rule.length_s = 100 * (int64_t)WEEK;
    const struct loom_feedback_options options = {.behaviour = "adjusted",
                                                  .population = &rule,
                                                  .pauses = pauses,
                                                  .seed = 3};
    for (int week = 0; week < 20; week++) {
        add(trace, 1 + (week >= 14), week * WEEK + 9 * HOUR, 0, 600, 1);
        add(trace, 3, week * WEEK + 2 * DAY, 0, 600, 1);
    }
    struct loom_feedback *feedback = open_feedback(trace, &options);
    size_t n;
    struct loom_sim_job *jobs = serve_users(feedback, 0, same_wait, &wait_s, 1000, &n);
    int64_t began_s = -1, weeks = -1;
    for (size_t i = 0; i < n; i++)
        if (jobs[i].row == 0) {
            int64_t apart = (jobs[i].submit_s - began_s) / WEEK;
            assert_true(weeks < 0 || apart == weeks);
            weeks = began_s < 0 ? -1 : apart;
            began_s = jobs[i].submit_s;
        }
    assert_true(weeks > 0);
    free(jobs);
    loom_feedback_destroy(feedback);
    loom_trace_destroy(trace);
    return weeks;
}

/* With a pause, a round takes as many whole weeks as are nearest to the log under the service of
 * the log, and longer under worse. */
static void test_pause(void **state)
{
    (void)state;
    assert_int_equal(weeks_between_rounds(true, 0), 19);
    assert_int_equal(weeks_between_rounds(false, 0), 14);
    assert_true(weeks_between_rounds(true, 2 * DAY) > 19);
}

/* Who has sent the last batch starts again when all jobs have ended, of earlier batches too: the
 * second last runs for 3 weeks beside the last one. */
static void test_return_after_all(void **state)
{
    struct loom_trace *trace = empty_trace();
    struct loom_population_rule rule = loom_population_rule();
    rule.length_s = 100 * (int64_t)WEEK;
    const struct loom_feedback_options options = {.behaviour = "adjusted",
                                                  .population = &rule,
                                                  .seed = 3};
    (void)state;
    for (int week = 0; week < 20; week++)
        add(trace, 1, week * WEEK + 9 * HOUR, 0, week == 18 ? 3 * WEEK : 600, 1);
    struct loom_feedback *feedback = open_feedback(trace, &options);
    size_t n, rounds = 0;
    struct loom_sim_job *jobs = serve_users(feedback, 0, no_wait, NULL, 200, &n);
    int64_t ended_s = INT64_MIN;
    for (size_t i = 0; i < n; i++) {
        if (jobs[i].row == 0 && i > 0) {
            assert_in_range(jobs[i].submit_s - ended_s, 1, WEEK);
            rounds++;
        }
        ended_s = loom_sim_job_end(&jobs[i]) > ended_s ? loom_sim_job_end(&jobs[i]) : ended_s;
    }
    assert_true(rounds >= 3);
    free(jobs);
    loom_feedback_destroy(feedback);
    loom_trace_destroy(trace);
}

/* Who begins in between does not wait for what came before: a job a week, each of which depends on
 * the one two weeks before it. */
static void test_begin_in_between(void **state)
{
    struct loom_trace *trace = empty_trace();
    const struct loom_population_rule rule = loom_population_rule();
    const struct loom_feedback_options options = {.behaviour = "adjusted", .population = &rule};
    (void)state;
    for (int week = 0; week < 20; week++)
        add(trace, 1, week * WEEK, 0, WEEK + WEEK / 2, 1);
    struct loom_feedback *feedback = open_feedback(trace, &options);
    for (uint64_t run = 0; run < 10; run++) {
        size_t n;
        struct loom_sim_job *jobs = serve_users(feedback, run, no_wait, NULL, 30, &n);
        assert_in_range(n, 18, 20);
        for (size_t i = 0; i < n; i++)
            assert_int_equal(jobs[i].submit_s % WEEK, 0);
        free(jobs);
    }
    loom_feedback_destroy(feedback);
    loom_trace_destroy(trace);
}

/* With nobody reacting, jobs come as in the log, moved by weeks, whatever becomes of them. */
static void test_open_population(void **state)
{
    struct loom_trace *trace = weekly_log();
    const struct loom_jobs *log = loom_trace_jobs(trace);
    const struct loom_population_rule rule = loom_population_rule();
    const struct loom_feedback_options options = {.population = &rule, .seed = 3};
    struct loom_stream stream;
    (void)state;
    loom_stream_init(&stream, 1, 0, "open population");
    struct loom_feedback *feedback = open_feedback(trace, &options);
    size_t n, again;
    struct loom_sim_job *jobs = serve_users(feedback, 0, random_wait, &stream, 1000, &n);
    struct loom_sim_job *same = serve_users(feedback, 0, no_wait, NULL, 1000, &again);
    assert_int_equal(n, again);
    assert_in_range(n, 50, 70);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(jobs[i].submit_s, same[i].submit_s);
        assert_int_equal(jobs[i].row, same[i].row);
        assert_int_equal((jobs[i].submit_s - log->submit_s[jobs[i].row]) % WEEK, 0);
    }
    free(jobs);
    free(same);
    loom_feedback_destroy(feedback);
    loom_trace_destroy(trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_population),
        cmocka_unit_test(test_open_population),
        cmocka_unit_test(test_pause),
        cmocka_unit_test(test_return_after_all),
        cmocka_unit_test(test_begin_in_between),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

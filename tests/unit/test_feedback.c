/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Users who react: a schedule worked by hand, the schedule of the log played back, and random logs
 * under random service, held to the definitions of Zakay's chapter 4 taken literally.
 */
#include "reacting.h"

#include <string.h>

/* ---- logs ------------------------------------------------------------------------------------ */

/* Users whose jobs overlap, within sessions and across them, out of order in the log. */
static struct loom_trace *random_log(struct loom_stream *stream, int users, int jobs)
{
    struct loom_trace *trace = empty_trace();
    for (int user = 1; user <= users; user++) {
        int64_t now_s = some_time(stream, 3 * DAY);
        for (int job = 0; job < jobs; job++) {
            add(trace, user, now_s, some_time(stream, DAY), some_time(stream, DAY),
                1 + (int32_t)loom_stream_below(stream, 8));
            now_s += some_time(stream, 3 * DAY);
        }
    }
    add(trace, -1, 5, 7, 9, 1);
    add(trace, -1, 4 * DAY, 0, 9, 1);
    return trace;
}

/* ---- the definitions ------------------------------------------------------------------------- */

/* The structure of a log, and when each batch came and ended in a run. */
struct structure {
    struct loom_users *users;
    struct loom_sessions *sessions;
    int64_t *came_s, *ended_s; /* by position */
};

static void structure_open(struct structure *out, const struct loom_trace *trace,
                           const struct loom_sim_job *jobs, size_t n)
{
    const struct loom_activity activity = loom_trace_activity(trace);
    const struct loom_session_rule rule = loom_session_rule(LOOM_SESSION_ARRIVAL);
    assert_int_equal(loom_users_create(&out->users, &activity, NULL), 0);
    assert_int_equal(loom_sessions_create(&out->sessions, out->users, &rule, NULL), 0);
    out->came_s = malloc((n + 1) * sizeof *out->came_s);
    out->ended_s = malloc((n + 1) * sizeof *out->ended_s);
    size_t *of_row = calloc(loom_trace_count(trace), sizeof *of_row);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(of_row[jobs[i].row], 0); /* none twice */
        of_row[jobs[i].row] = i + 1;
    }
    for (size_t p = 0; p < out->users->n; p++) {
        size_t job = of_row[out->users->job[p]];
        assert_true(job > 0); /* none lost */
        out->came_s[p] = jobs[job - 1].submit_s;
        out->ended_s[p] = loom_sim_job_end(&jobs[job - 1]);
    }
    free(of_row);
}

static void structure_close(struct structure *of)
{
    loom_users_destroy(of->users);
    loom_sessions_destroy(of->sessions);
    free(of->came_s);
    free(of->ended_s);
}

static int64_t latest(const int64_t *times_s, uint32_t from, uint32_t to)
{
    int64_t latest_s = times_s[from];
    for (uint32_t p = from; p < to; p++)
        latest_s = times_s[p] > latest_s ? times_s[p] : latest_s;
    return latest_s;
}

/* Definition 12, taken literally. */
static bool depends(const struct structure *of, uint32_t b, uint32_t session_b, uint32_t a,
                    uint32_t session_a)
{
    const struct loom_sessions *s = of->sessions;
    if (session_a == session_b)
        return b == a + 1;
    return b == s->first_batch[session_b] && a + 1 == s->first_batch[session_a + 1] &&
           latest(of->users->ended_s, s->first[session_a], s->first[session_a + 1]) <
               of->users->submit_s[s->batch_first[b]];
}

static void assert_user_obeys(const struct structure *of, size_t user)
{
    const struct loom_sessions *s = of->sessions;
    uint32_t end = s->user_session[user + 1];
    for (uint32_t y = s->user_session[user]; y < end; y++)
        for (uint32_t b = s->first_batch[y]; b < s->first_batch[y + 1]; b++) {
            uint32_t first = s->batch_first[b];
            for (uint32_t p = first; p < s->batch_first[b + 1]; p++)
                assert_int_equal(of->came_s[p] - of->came_s[first],
                                 of->users->submit_s[p] - of->users->submit_s[first]);
            for (uint32_t x = s->user_session[user]; x <= y; x++)
                for (uint32_t a = s->first_batch[x]; a < s->first_batch[x + 1] && a < b; a++)
                    if (depends(of, b, y, a, x))
                        assert_true(of->came_s[first] >=
                                    latest(of->ended_s, s->batch_first[a], s->batch_first[a + 1]));
        }
}

/* No job lost or twice, the order of each user kept, batches whole, dependencies obeyed. */
static void assert_obeys(const struct loom_trace *trace, const struct loom_sim_job *jobs, size_t n)
{
    struct structure of;
    assert_int_equal(n, loom_trace_count(trace));
    structure_open(&of, trace, jobs, n);
    for (size_t user = 0; user < of.users->count; user++) {
        for (uint32_t p = of.users->first[user] + 1; p < of.users->first[user + 1]; p++)
            assert_true(of.came_s[p] >= of.came_s[p - 1]);
        assert_int_equal(of.came_s[of.users->first[user]],
                         of.users->submit_s[of.users->first[user]]);
        assert_user_obeys(&of, user);
    }
    structure_close(&of);
}

/* ---- runs ------------------------------------------------------------------------------------ */

static void test_played_back(void **state)
{
    (void)state;
    for (uint64_t run = 0; run < 40; run++) {
        struct loom_stream stream;
        loom_stream_init(&stream, run, 0, "played back");
        struct loom_trace *trace = random_log(&stream, 4, 40);
        assert_replayed(trace);
        loom_trace_destroy(trace);
    }
}

/* One log of random users under random service. */
static void assert_keeps_order(const char *behaviour, uint64_t run)
{
    const struct loom_feedback_options options = {.behaviour = behaviour,
                                                  .poor = 2,
                                                  .abort = run % 2 ? 0.5 : 0,
                                                  .seed = run};
    struct loom_stream stream;
    size_t n;
    loom_stream_init(&stream, run, 0, "random service");
    struct loom_trace *trace = random_log(&stream, 4, 30);
    struct loom_feedback *feedback = open_feedback(trace, &options);
    struct loom_sim_job *jobs =
        serve_users(feedback, run, random_wait, &stream, loom_trace_count(trace), &n);
    assert_obeys(trace, jobs, n);
    assert_true((loom_feedback_counts(feedback)->aborted > 0) == (options.abort > 0));
    free(jobs);
    loom_feedback_destroy(feedback);
    loom_trace_destroy(trace);
}

static void test_random_service(void **state)
{
    static const char *const variants[] = {"fluid:late=moves", "fluid:skipped=week",
                                           "fluid:late=moves,skipped=week",
                                           "distribution:day=0,weekdays=0"};
    const struct loom_behaviour_info *info;
    (void)state;
    for (uint64_t run = 0; run < 20; run++) {
        for (size_t i = 0; (info = loom_behaviour_at(i)); i++)
            assert_keeps_order(info->name, run);
        for (size_t i = 0; i < COUNT(variants); i++)
            assert_keeps_order(variants[i], run);
    }
}

/* ---- by hand --------------------------------------------------------------------------------- */

/* Figure 3 of the chapter. Four processors: blue runs on all until 100; cyan wants all of them at
 * 10; red's two jobs of one processor, 20 s each, come at 20 and, 10 s after the first has ended,
 * at 50: at once each, as somebody backfilled them in the log. FCFS lets red's first wait for cyan,
 * who runs from 100 to 200, so that it runs from 200 to 220, and the second comes at 230. */
static void test_figure_3(void **state)
{
    struct loom_trace *trace = empty_trace();
    struct loom_sim *sim = NULL;
    struct loom_error err;
    const struct loom_feedback_options options = {.behaviour = "adjusted"};
    const struct loom_sim_options fcfs = {.scheduler = "fcfs", .procs = 4};
    (void)state;
    add(trace, 1, 0, 0, 100, 4);
    add(trace, 2, 10, 90, 100, 4);
    add(trace, 3, 20, 0, 20, 1);
    add(trace, 3, 50, 0, 20, 1);
    struct loom_feedback *feedback = open_feedback(trace, &options);
    assert_int_equal(loom_sim_create(&sim, NULL), 0);
    if (loom_sim_run_feedback(sim, &fcfs, feedback, 0, &err))
        fail_msg("%s", err.message);
    size_t n;
    const struct loom_sim_job *jobs = loom_sim_jobs(sim, &n);
    assert_int_equal(n, 4);
    assert_int_equal(jobs[2].start_s, 200);
    assert_int_equal(jobs[3].submit_s, 230);
    assert_int_equal(jobs[3].row, 3);

    struct loom_trace *schedule = NULL;
    assert_int_equal(loom_feedback_schedule(&schedule, feedback, sim, NULL), 0);
    struct loom_job last = loom_trace_job(trace, 3);
    last.submit_s = 230;
    assert_int_equal(loom_trace_count(schedule), 4);
    assert_row(schedule, 3, last);
    loom_trace_destroy(schedule);
    loom_sim_destroy(sim);
    loom_feedback_destroy(feedback);
    loom_trace_destroy(trace);
}

/* A job that the machine refuses has ended for its user, who goes on. */
static void test_refused(void **state)
{
    struct loom_trace *trace = empty_trace();
    struct loom_sim *sim = NULL;
    const struct loom_feedback_options options = {.behaviour = "adjusted"};
    const struct loom_sim_options easy = {.scheduler = "easy", .procs = 4};
    size_t n;
    (void)state;
    add(trace, 1, 0, 0, 100, 5);
    add(trace, 1, 200, 0, 100, 4);
    add(trace, 1, 400, 0, -1, 4);
    add(trace, 1, 500, 0, 10, 4);
    struct loom_feedback *feedback = open_feedback(trace, &options);
    assert_int_equal(loom_sim_create(&sim, NULL), 0);
    assert_int_equal(loom_sim_run_feedback(sim, &easy, feedback, 0, NULL), 0);
    const struct loom_sim_job *jobs = loom_sim_jobs(sim, &n);
    assert_int_equal(n, 2);
    assert_int_equal(jobs[0].row, 1);
    assert_int_equal(jobs[1].row, 3);
    loom_sim_destroy(sim);
    loom_feedback_destroy(feedback);
    loom_trace_destroy(trace);
}

/* ---- poor service ---------------------------------------------------------------------------- */

static void test_abandon(void **state)
{
    struct loom_trace *trace = weekly_log();
    const struct loom_feedback_options options = {.behaviour = "adjusted",
                                                  .poor = 10,
                                                  .abandon = 1};
    (void)state;
    struct loom_feedback *feedback = open_feedback(trace, &options);
    size_t n;
    struct loom_sim_job *jobs = serve_users(feedback, 0, same_wait, &(int64_t){DAY}, 100, &n);
    const struct loom_feedback_counts *counts = loom_feedback_counts(feedback);
    /* Each job follows the end of the one before; user 3 has one only. */
    assert_int_equal(counts->users, 3);
    assert_int_equal(counts->abandoned, 2);
    assert_int_equal(n, 3);
    assert_int_equal(counts->jobs_lost, 61 - 3);
    free(jobs);
    loom_feedback_destroy(feedback);
    loom_trace_destroy(trace);
}

/* Poor service ends the session: a batch that would come 50 minutes after the end of the one before
 * comes in the next session instead, or after the one break that the user ever took. */
static void assert_aborts(const char *behaviour, int64_t expected_s)
{
    struct loom_trace *trace = empty_trace();
    const struct loom_feedback_options options = {.behaviour = behaviour, .poor = 10, .abort = 1};
    add(trace, 1, 9 * HOUR, 0, 10, 1);
    add(trace, 1, 10 * HOUR, 0, 600, 1);
    add(trace, 1, DAY + 9 * HOUR, 0, 600, 1);
    struct loom_feedback *feedback = open_feedback(trace, &options);
    size_t n;
    struct loom_sim_job *jobs = serve_users(feedback, 0, same_wait, &(int64_t){600}, 3, &n);
    assert_int_equal(n, 3);
    assert_int_equal(jobs[1].submit_s, expected_s);
    assert_int_equal(loom_feedback_counts(feedback)->aborted, 1);
    free(jobs);
    loom_feedback_destroy(feedback);
    loom_trace_destroy(trace);
}

static void test_abort(void **state)
{
    (void)state;
    assert_aborts("fluid", DAY + 9 * HOUR);
    /* From 10:10 to 9:00 are 22 h 50 min, after an end at 9:10:10. */
    assert_aborts("adjusted", 9 * HOUR + 610 + 22 * HOUR + 50 * 60);
}

/* ---- what users did -------------------------------------------------------------------------- */

/* User 1 has sessions of 600 s and 0 s, a week apart, user 2 one job that runs for two days, and a
 * third job is nobody's. On a machine without limits nobody waits. */
static void test_user_metrics(void **state)
{
    struct loom_trace *trace = empty_trace();
    struct loom_sim *sim = NULL;
    struct loom_user_metrics m;
    const struct loom_sim_options options = {.scheduler = "fcfs", .procs = 100};
    (void)state;
    add(trace, 1, 0, 0, 60, 1);
    add(trace, 1, 600, 0, 60, 1);
    add(trace, 1, 8 * DAY, 0, 60, 1);
    add(trace, 2, DAY, 0, 2 * DAY, 1);
    add(trace, -1, DAY, 0, 60, 1);
    assert_int_equal(loom_sim_create(&sim, NULL), 0);
    assert_int_equal(loom_sim_run_trace(sim, &options, trace, NULL), 0);
    struct loom_session_rule rule = loom_session_rule(LOOM_SESSION_ARRIVAL);
    rule.threshold_s = 599;
    assert_int_equal(loom_user_metrics(&m, sim, &rule, NULL), 0);
    assert_int_equal(m.sessions, 4);
    assert_int_equal(loom_user_metrics(&m, sim, NULL, NULL), 0);
    assert_int_equal(m.users, 2);
    assert_int_equal(m.sessions, 3);
    assert_float_equal(m.active_weeks_mean, 1.5, 1e-12);
    assert_float_equal(m.activity_mean_s, 4 * DAY, 1e-6);
    assert_float_equal(m.session_mean_s, 200, 1e-9);
    assert_float_equal(m.session_median_s, 0, 1e-9);
    assert_float_equal(m.jobs_per_day_mean, (3 / (8 + 60.0 / DAY) + 0.5) / 2, 1e-12);
    loom_sim_destroy(sim);
    loom_trace_destroy(trace);
}

/* ---- what cannot be -------------------------------------------------------------------------- */

static void assert_refused(const struct loom_trace *trace,
                           const struct loom_feedback_options *options, int code, const char *words)
{
    struct loom_feedback *feedback = NULL;
    struct loom_error err;
    int rc = loom_feedback_create(&feedback, trace, options, &err);
    if (!rc) {
        const struct loom_job_source *source;
        rc = loom_feedback_begin(&source, feedback, 0, &err);
    }
    assert_int_equal(rc, code);
    if (!strstr(err.message, words))
        fail_msg("'%s' does not say '%s'", err.message, words);
    loom_feedback_destroy(feedback);
}

static void test_refusals(void **state)
{
    const struct loom_population_rule rule = loom_population_rule();
    const struct loom_feedback_options adjusted = {.behaviour = "adjusted"},
                                       unknown = {.behaviour = "fluyd"},
                                       parameter = {.behaviour = "distribution:dya=1"},
                                       value = {.behaviour = "distribution:day=2"},
                                       resampled = {.behaviour = "fluid", .population = &rule};
    (void)state;
    struct loom_trace *trace = empty_trace();
    add(trace, -1, 0, 0, 10, 1);
    assert_refused(trace, &adjusted, LOOM_EDATA, "no job has a user ID");
    add(trace, 1, 0, 0, 10, 1);
    assert_refused(trace, &unknown, LOOM_EUSAGE, "fluid");
    assert_refused(trace, &parameter, LOOM_EUSAGE, "'day'");
    assert_refused(trace, &value, LOOM_ERANGE, "distribution: day must be");
    assert_refused(trace, &resampled, LOOM_EDATA, "no user can be resampled");
    loom_trace_destroy(trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_played_back),  cmocka_unit_test(test_random_service),
        cmocka_unit_test(test_figure_3),     cmocka_unit_test(test_refused),
        cmocka_unit_test(test_abandon),      cmocka_unit_test(test_abort),
        cmocka_unit_test(test_user_metrics), cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

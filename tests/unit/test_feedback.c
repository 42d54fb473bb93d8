/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Users who react: a schedule worked by hand, the schedule of the log played back, and random logs
 * under random service, held to the definitions of Zakay's chapter 4 taken literally.
 */
#include "serving.h"
#include "users/template.c"

#include <math.h>
#include <string.h>
#include <workloom/sim_users.h>

enum { HOUR = 3600, DAY = 24 * HOUR, WEEK = 7 * DAY };

/* ---- logs ------------------------------------------------------------------------------------ */

static void add(struct loom_trace *trace, int32_t user, int64_t submit_s, int64_t wait_s,
                int64_t run_s, int32_t procs)
{
    struct loom_job job = loom_job_unknown();
    job.number = (int64_t)loom_trace_count(trace) + 1;
    job.user = user;
    job.submit_s = submit_s;
    job.wait_s = wait_s;
    job.run_s = run_s;
    job.req_procs = procs;
    append(trace, job);
}

/* Seconds of all sizes, often few. */
static int64_t some_time(struct loom_stream *stream, int64_t most_s)
{
    static const int64_t scales[] = {2, 60, HOUR, 6 * HOUR, 3 * DAY};
    int64_t scale_s = scales[loom_stream_below(stream, COUNT(scales))];
    return (int64_t)loom_stream_below(stream, (uint64_t)(scale_s < most_s ? scale_s : most_s));
}

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

static struct loom_feedback *open_feedback(const struct loom_trace *trace,
                                           const struct loom_feedback_options *options)
{
    struct loom_feedback *feedback = NULL;
    struct loom_error err;
    if (loom_feedback_create(&feedback, trace, options, &err))
        fail_msg("%s", err.message);
    return feedback;
}

static int64_t random_wait(void *context, const struct loom_submission *job)
{
    (void)job;
    return some_time(context, DAY);
}

static int64_t no_wait(void *context, const struct loom_submission *job)
{
    (void)context, (void)job;
    return 0;
}

static int64_t ten_minutes(void *context, const struct loom_submission *job)
{
    (void)context, (void)job;
    return 600;
}

/* The first job waits until it ends at 9:30 of the second Monday. */
static int64_t first_waits(void *context, const struct loom_submission *job)
{
    (void)context;
    return job->row == 0 ? WEEK + HOUR / 2 - 600 : 0;
}

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
    const struct loom_job_source *source;
    size_t n;
    loom_stream_init(&stream, run, 0, "random service");
    struct loom_trace *trace = random_log(&stream, 4, 30);
    struct loom_feedback *feedback = open_feedback(trace, &options);
    assert_int_equal(loom_feedback_begin(&source, feedback, run, NULL), 0);
    struct loom_sim_job *jobs = serve(source, random_wait, &stream, loom_trace_count(trace), &n);
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

/* ---- models ---------------------------------------------------------------------------------- */

static void test_template(void **state)
{
    const struct loom_behaviour_ops *ops = &loom_behaviour_template;
    const struct loom_param *const lists[] = {ops->info.params, NULL};
    struct loom_params *given = NULL;
    struct template model = {0};
    struct loom_stream stream;
    struct loom_actor actor = {.stream = &stream};
    struct loom_release release = {.now_s = 1000};
    double sum_s = 0;
    enum { DRAWS = 40000 };
    (void)state;
    assert_int_equal(loom_params_create(&given, lists, NULL), 0);
    assert_int_equal(ops->open(&model, NULL, given, NULL), 0);
    loom_stream_init(&stream, 1, 0, "template");
    for (int i = 0; i < DRAWS; i++)
        sum_s += (double)(ops->arrival(&model, &actor, &release) - release.now_s) / DRAWS;
    /* Cut to whole seconds: 600 - 1/2, with a standard error of 600 / 200. */
    assert_true(sum_s > 599.5 - 12 && sum_s < 599.5 + 12);
    release.leaves = true;
    assert_true(ops->arrival(&model, &actor, &release) >= release.now_s + DAY);
    loom_params_destroy(given);
}

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
    const struct loom_job_source *source;
    size_t n;
    assert_int_equal(loom_feedback_begin(&source, feedback, 0, NULL), 0);
    struct loom_sim_job *jobs = serve(source, no_wait, NULL, 200, &n);
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

static int64_t same_wait(void *context, const struct loom_submission *job)
{
    (void)job;
    return *(const int64_t *)context;
}

static void second_jobs(int64_t out_s[CROWD], const char *behaviour, const int64_t *submit_s,
                        size_t jobs_each, int64_t wait_s)
{
    const struct loom_feedback_options options = {.behaviour = behaviour, .seed = 1};
    struct loom_trace *trace = empty_trace();
    for (int32_t user = 1; user <= CROWD; user++)
        for (size_t i = 0; i < jobs_each; i++)
            add(trace, user, submit_s[i], 0, 10, 1);
    struct loom_feedback *feedback = open_feedback(trace, &options);
    const struct loom_job_source *source;
    size_t n;
    assert_int_equal(loom_feedback_begin(&source, feedback, 0, NULL), 0);
    struct loom_sim_job *jobs = serve(source, same_wait, &wait_s, CROWD * jobs_each, &n);
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
        const struct loom_job_source *source;
        size_t n;
        assert_int_equal(loom_feedback_begin(&source, feedback, run, NULL), 0);
        struct loom_sim_job *jobs = serve(source, no_wait, NULL, 7, &n);
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
    const struct loom_job_source *source;
    size_t n;
    assert_int_equal(loom_feedback_begin(&source, feedback, 0, NULL), 0);
    struct loom_sim_job *jobs = serve(source, first_waits, NULL, 8, &n);
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

/* ---- populations ----------------------------------------------------------------------------- */

/* Two users for 20 weeks, one day a week each, and one for a day. */
static struct loom_trace *weekly_log(void)
{
    struct loom_trace *trace = empty_trace();
    for (int week = 0; week < 20; week++) {
        add(trace, 1, week * WEEK + 9 * HOUR, 0, 600, 1);
        add(trace, 1, week * WEEK + 10 * HOUR, 0, 600, 1);
        add(trace, 2, week * WEEK + 2 * DAY, 0, 2 * HOUR, 2);
        if (week == 10)
            add(trace, 3, week * WEEK + 3 * DAY, 0, 600, 1);
    }
    return trace;
}

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
        const struct loom_job_source *source;
        size_t n;
        assert_int_equal(loom_feedback_begin(&source, feedback, run, NULL), 0);
        struct loom_sim_job *jobs = serve(source, no_wait, NULL, 1000, &n);
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

/* Weeks between the rounds of a user who was active for 14 weeks of a log of 20, if every job waits
 * this long; in the log, none did. */
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
    const struct loom_job_source *source;
    size_t n;
    assert_int_equal(loom_feedback_begin(&source, feedback, 0, NULL), 0);
    struct loom_sim_job *jobs = serve(source, same_wait, &wait_s, 1000, &n);
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

/* With a pause, a round takes as long as the log under the service of the log, and longer under
 * worse. */
static void test_pause(void **state)
{
    (void)state;
    assert_int_equal(weeks_between_rounds(true, 0), 20);
    assert_int_equal(weeks_between_rounds(false, 0), 14);
    assert_true(weeks_between_rounds(true, 2 * DAY) > 20);
}

/* Who has sent the last batch starts again when all jobs have ended, those of earlier batches
 * included: the second last runs for 3 weeks beside the last one. */
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
    const struct loom_job_source *source;
    size_t n, rounds = 0;
    assert_int_equal(loom_feedback_begin(&source, feedback, 0, NULL), 0);
    struct loom_sim_job *jobs = serve(source, no_wait, NULL, 200, &n);
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
        const struct loom_job_source *source;
        size_t n;
        assert_int_equal(loom_feedback_begin(&source, feedback, run, NULL), 0);
        struct loom_sim_job *jobs = serve(source, no_wait, NULL, 30, &n);
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
    const struct loom_job_source *source;
    size_t n, again;
    assert_int_equal(loom_feedback_begin(&source, feedback, 0, NULL), 0);
    struct loom_sim_job *jobs = serve(source, random_wait, &stream, 1000, &n);
    assert_int_equal(loom_feedback_begin(&source, feedback, 0, NULL), 0);
    struct loom_sim_job *same = serve(source, no_wait, NULL, 1000, &again);
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

/* ---- poor service ---------------------------------------------------------------------------- */

static int64_t long_wait(void *context, const struct loom_submission *job)
{
    (void)context, (void)job;
    return DAY;
}

static void test_abandon(void **state)
{
    struct loom_trace *trace = weekly_log();
    const struct loom_feedback_options options = {.behaviour = "adjusted",
                                                  .poor = 10,
                                                  .abandon = 1};
    (void)state;
    struct loom_feedback *feedback = open_feedback(trace, &options);
    const struct loom_job_source *source;
    size_t n;
    assert_int_equal(loom_feedback_begin(&source, feedback, 0, NULL), 0);
    struct loom_sim_job *jobs = serve(source, long_wait, NULL, 100, &n);
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
    const struct loom_job_source *source;
    size_t n;
    assert_int_equal(loom_feedback_begin(&source, feedback, 0, NULL), 0);
    struct loom_sim_job *jobs = serve(source, ten_minutes, NULL, 3, &n);
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
    assert_int_equal(loom_user_metrics(&m, sim, NULL), 0);
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
    assert_refused(trace, &adjusted, LOOM_EDATA, "no job of this log has a known user");
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
        cmocka_unit_test(test_played_back),
        cmocka_unit_test(test_random_service),
        cmocka_unit_test(test_template),
        cmocka_unit_test(test_working_hours),
        cmocka_unit_test(test_goes_on),
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_breaks),
        cmocka_unit_test(test_fluid),
        cmocka_unit_test(test_figure_3),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_population),
        cmocka_unit_test(test_open_population),
        cmocka_unit_test(test_pause),
        cmocka_unit_test(test_return_after_all),
        cmocka_unit_test(test_begin_in_between),
        cmocka_unit_test(test_abandon),
        cmocka_unit_test(test_abort),
        cmocka_unit_test(test_user_metrics),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

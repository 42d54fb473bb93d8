/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * User behaviour graphs: quantile curves and working time, a graph worked out by hand, and a user's
 * graph and sessions found again in what the model makes of them.
 */
#include "modeling.h"
#include "models/curve.h"
#include "models/room.h"
#include "models/usergraph.h"

#include <math.h>
#include <stdlib.h>

/* ---- curves ---------------------------------------------------------------------------------- */

/* A sample of n values comes back as its quantiles, its mean, and n values that have both: the
 * curve of these is the same one. */
static void assert_curve(double *values, size_t n)
{
    struct loom_curve curve, again;
    double mean = 0, *back = malloc(n * sizeof *back);
    for (size_t i = 0; i < n; i++)
        mean += values[i] / (double)n;
    loom_curve_fit(&curve, values, n);
    assert_near(curve.at[0], values[0], 0);
    assert_near(curve.at[3], values[n / 2], 0);
    assert_near(curve.at[LOOM_CURVE_POINTS - 1], values[n - 1], 0);
    assert_near(loom_curve_mean(&curve, n), mean, 1e-6 * mean);
    for (size_t i = 0; i < n; i++) {
        back[i] = loom_curve_nth(&curve, i, n);
        assert_true(i == 0 || back[i] >= back[i - 1]);
    }
    loom_curve_fit(&again, back, n);
    for (size_t i = 0; i < LOOM_CURVE_POINTS; i++)
        assert_near(again.at[i], curve.at[i], 0);
    assert_near(again.bend, curve.bend, 1e-5 * curve.bend);
    assert_near(loom_curve_mean(&again, n), mean, 1e-6 * mean);
    free(back);
}

/* 1 .. 1001, and the same with one value that is far from all others. Without a bend, half way
 * between the quantiles 501 and 751 is their geometric mean. */
static void curves_by_quantiles(void **state)
{
    (void)state;
    double values[1001];
    struct loom_curve curve;
    for (int i = 0; i < 1001; i++)
        values[i] = i + 1;
    assert_curve(values, 1001);
    loom_curve_fit(&curve, values, 1001);
    assert_near(loom_curve_nth(&curve, 900, 1001), 901, 1e-9);
    curve.bend = 1;
    assert_near(loom_curve_nth(&curve, 625, 1001), sqrt(501.0 * 751), 1e-9);
    values[1000] = 1e7;
    assert_curve(values, 1001);
    loom_curve_fit(&curve, values, 1);
    assert_near(loom_curve_nth(&curve, 0, 1), 1, 0);
    assert_near(curve.bend, 1, 0);
    loom_curve_fit(&curve, values, 0);
    assert_near(loom_curve_mean(&curve, 10), 0, 0);
}

/* Long-tailed samples of any size: up to three values are all in the curve, and more have no place
 * at exactly a tenth, a quarter and so on of the way. */
static void curves_of_any_size(void **state)
{
    (void)state;
    enum { MOST = 130 };
    double values[MOST];
    struct loom_stream stream;
    loom_stream_init(&stream, 7, 0, "curves");
    for (size_t n = 1; n <= MOST; n++) {
        for (size_t i = 0; i < n; i++)
            values[i] = exp(8 * loom_stream_uniform(&stream));
        assert_int_equal(loom_sort(values, n, NULL), 0);
        assert_curve(values, n);
    }
}

/* Some values of 400 are 1 and the others 4, or 0: what lies between two quantiles is not there to
 * be interpolated. The mean is that of the sample all the same. */
static void curves_of_few_values(void **state)
{
    (void)state;
    enum { N = 400 };
    double values[N];
    struct loom_curve curve;
    for (int low = 0; low < 2; low++)
        for (int ones = 4; ones < N; ones += 4) {
            for (int i = 0; i < N; i++)
                values[i] = i < ones ? low : 4;
            loom_curve_fit(&curve, values, N);
            double mean = (low * ones + 4.0 * (N - ones)) / N;
            assert_near(loom_curve_mean(&curve, N), mean, 0.02 * mean);
        }
}

/* ---- working time ---------------------------------------------------------------------------- */

/* Working time that runs thrice as fast from 09:00 to 17:00 as else: a day has 8 x 3 + 16 = 40
 * thirds, so that by 13:00 a day of 86,400 has gone by 9 + 4 x 3 = 21 of its 40 parts. */
static void working_time(void **state)
{
    (void)state;
    double speed[LOOM_WEEK_HOURS];
    for (int i = 0; i < LOOM_WEEK_HOURS; i++)
        speed[i] = i % 24 >= 9 && i % 24 < 17 ? 3 : 1;
    struct loom_week week;
    loom_week_open(&week, speed, LOOM_WEEK_HOURS);
    assert_near(loom_week_working(&week, 13 * 3600), 86400 * 21 / 40.0, 1e-6);
    assert_near(loom_week_working(&week, 86400), 86400, 1e-6);
    assert_near(loom_week_working(&week, -604800), -604800, 1e-6);
    for (double t = -2e6; t < 2e6; t += 12345.6)
        assert_near(loom_week_local(&week, loom_week_working(&week, t)), t, 1e-5);
}

/* ---- graphs ---------------------------------------------------------------------------------- */

/* One user, who submits by a graph of two kinds: serial jobs of about 100 s and jobs of 8
 * processors of about an hour, with probabilities to go on of 0.8 and 0.5. Two of three sessions
 * have one job, the third has four, 60 s apart; they start 2 to 4 hours after each other. */
static struct loom_trace *one_user(size_t n)
{
    struct loom_trace *trace = empty_trace();
    struct loom_stream stream;
    loom_stream_init(&stream, 3, 0, "one user");
    struct loom_job job = loom_job_unknown();
    job.submit_s = 0;
    bool large = false;
    uint64_t left = 0;
    for (size_t i = 0; i < n; i++) {
        if (left > 0) {
            left--;
            job.submit_s += 60;
        } else {
            left = loom_stream_below(&stream, 3) == 0 ? 3 : 0;
            job.submit_s += 7200 + (int64_t)loom_stream_below(&stream, 7200);
        }
        large = loom_stream_uniform(&stream) < (large ? 0.5 : 0.2);
        job.number = (int64_t)i + 1;
        job.user = 7;
        job.executable = large ? 2 : 1;
        job.req_procs = large ? 8 : 1;
        job.run_s = (large ? 3500 : 100) + (int64_t)loom_stream_below(&stream, 50);
        append(trace, job);
    }
    assert_int_equal(loom_trace_add_directive(trace, "MaxProcs", "64", NULL), 0);
    return trace;
}

/* The serial kind comes with 5/7 of the jobs. Errors are binomial: sqrt(p (1 - p) / n), of 20,000
 * jobs in the log; the user that is there longest in what is woven has at least a third of them. */
static void assert_graph(const struct loom_model *model, size_t jobs)
{
    double n = (double)jobs;
    assert_near(number_in(model, "users.0.states.0.kinds.0.procs"), 1, 0);
    assert_near(number_in(model, "users.0.states.1.kinds.0.procs"), 8, 0);
    assert_near(number_in(model, "users.0.states.1.kinds.0.executable"), 2, 0);
    assert_near(number_in(model, "users.0.states.0.next.0"), 0.8, 3 * 0.4 / sqrt(n * 5 / 7));
    assert_near(number_in(model, "users.0.states.1.next.1"), 0.5, 3 * 0.5 / sqrt(n * 2 / 7));
    assert_near(number_in(model, "users.0.states.0.kinds.0.run_s.at.0"), 100, 1);
    assert_near(number_in(model, "users.0.states.0.kinds.0.run_s.at.3"), 124.5, 3);
    assert_near(number_in(model, "users.0.states.1.kinds.0.run_s.at.7"), 3549, 3);
    assert_near(number_in(model, "users.0.session_jobs.at.3"), 1, 0.1);
    assert_near(number_in(model, "users.0.session_jobs.at.5"), 4, 0.3);
    assert_near(number_in(model, "users.0.gap_s.at.3"), 60, 1);
}

static void round_trip(void **state)
{
    (void)state;
    enum { N = 20000 };
    struct loom_trace *log = one_user(N);
    struct loom_model *model = must_fit("usergraph", log, NULL);
    assert_graph(model, N);
    struct loom_trace *woven =
        must_weave(model, &(struct loom_weave_options){.seed = 2, .jobs = N});
    const struct loom_jobs *jobs = loom_trace_jobs(woven);
    /* As many jobs in as much time: means over 10,000 sessions are good to 1 %. */
    const struct loom_jobs *old = loom_trace_jobs(log);
    double span = (double)(jobs->submit_s[N - 1] - jobs->submit_s[0]);
    assert_near(span / (double)(old->submit_s[N - 1] - old->submit_s[0]), 1, 0.05);
    struct loom_model *again = must_fit("usergraph", woven, NULL);
    size_t of_first = 0;
    for (size_t i = 0; i < jobs->n; i++)
        of_first += jobs->user[i] == 1;
    assert_true(of_first > N / 10);
    assert_graph(again, of_first);
    loom_model_destroy(again);
    loom_trace_destroy(woven);
    loom_model_destroy(model);
    loom_trace_destroy(log);
}

static double repeats(const struct loom_trace *trace)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    size_t same = 0;
    for (size_t i = 1; i < jobs->n; i++)
        same += jobs->executable[i] == jobs->executable[i - 1];
    return (double)same / (double)(jobs->n - 1);
}

/* In a row, the same kind comes with 5/7 x 0.8 + 2/7 x 0.5 = 0.714; by chance with 25/49 + 4/49. */
static void locality_can_be_left_out(void **state)
{
    (void)state;
    struct loom_trace *log = one_user(20000);
    struct loom_model *model = must_fit("usergraph", log, NULL);
    struct loom_weave_options options = {.seed = 2, .jobs = 20000};
    struct loom_trace *trace = must_weave(model, &options);
    assert_near(repeats(trace), 0.714, 0.015);
    loom_trace_destroy(trace);
    options.without = LOOM_LOCALITY;
    trace = must_weave(model, &options);
    assert_near(repeats(trace), 29 / 49.0, 0.015);
    loom_trace_destroy(trace);
    loom_model_destroy(model);
    loom_trace_destroy(log);
}

/* Users of rare sizes and of long absences: in as much time as the log there are as many users, as
 * many jobs and jobs as large, each within three standard errors of what varies. */
static void many_users_are_as_many(void **state)
{
    (void)state;
    enum { USERS = 60 };
    struct loom_trace *log = empty_trace();
    struct loom_stream stream;
    loom_stream_init(&stream, 8, 0, "many users");
    double sizes = 0, squares = 0;
    for (int user = 0; user < USERS; user++) {
        struct loom_job job = loom_job_unknown();
        double clock_s = 2e6 * loom_stream_uniform(&stream);
        job.user = user;
        for (int i = 0; i < 120; i++) {
            job.submit_s = (int64_t)clock_s;
            job.run_s = (int64_t)exp(2 + 6 * loom_stream_uniform(&stream));
            job.req_procs = 1 + (int32_t)(63 * pow(loom_stream_uniform(&stream), 4));
            append(log, job);
            sizes += job.req_procs;
            squares += job.req_procs * job.req_procs;
            clock_s +=
                loom_stream_below(&stream, 3) ? 60 : 5000 / pow(loom_stream_uniform(&stream), 0.8);
        }
    }
    double n = USERS * 120, mean = sizes / n, error = sqrt((squares / n - mean * mean) / n);
    assert_int_equal(loom_trace_add_directive(log, "MaxProcs", "64", NULL), 0);
    struct loom_model *model = must_fit("usergraph", log, NULL);
    double days = number_in(model, "period_s") / 86400;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        struct loom_trace *trace =
            must_weave(model, &(struct loom_weave_options){.seed = seed, .days = days});
        const struct loom_jobs *jobs = loom_trace_jobs(trace);
        bool seen[2 * USERS + 1] = {false};
        double users = 0, woven = 0;
        for (size_t i = 0; i < jobs->n; i++) {
            assert_in_range(jobs->user[i], 1, 2 * USERS);
            users += !seen[jobs->user[i]];
            seen[jobs->user[i]] = true;
            woven += jobs->req_procs[i];
        }
        assert_near(users, USERS, 1);
        assert_near((double)jobs->n, n, 0.05 * n);
        assert_near(woven / (double)jobs->n, mean, 3 * error);
        loom_trace_destroy(trace);
    }
    loom_model_destroy(model);
    loom_trace_destroy(log);
}

/* Users who come for four weeks of office hours and have three sessions a day, two hours or more
 * apart. Working time runs four times as fast in these hours as on average, so that a night is less
 * of it than a break, and absences are drawn for hours they did not have; still none may be so
 * short that two sessions become one. */
static struct loom_trace *office_users(int users)
{
    struct loom_trace *log = empty_trace();
    struct loom_stream stream;
    loom_stream_init(&stream, 9, 0, "office users");
    for (int user = 0; user < users; user++) {
        struct loom_job job = loom_job_unknown();
        int64_t monday_s = (int64_t)LOOM_WEEK_S * (int64_t)loom_stream_below(&stream, 200);
        job.user = user;
        job.run_s = 100;
        job.req_procs = 1;
        for (int session = 0; session < 60; session++) {
            int day = session / 3 / 5 * 7 + session / 3 % 5, hour = 9 + session % 3 * 3;
            job.submit_s = monday_s + day * 86400 + hour * 3600;
            job.submit_s += (int64_t)loom_stream_below(&stream, 3000);
            for (uint64_t i = 0, jobs = 1 + loom_stream_below(&stream, 3); i < jobs; i++) {
                append(log, job);
                job.submit_s += 60;
            }
        }
    }
    assert_int_equal(loom_trace_add_directive(log, "MaxProcs", "64", NULL), 0);
    return log;
}

/* Sums over users. */
struct habits {
    double users, stay_s, sessions, median_off_s;
};

static double users_of(const struct loom_model *model)
{
    return (double)((const struct loom_usergraph *)model->state)->n_users;
}

static struct habits habits_of(const struct loom_model *model)
{
    const struct loom_usergraph *graph = model->state;
    struct habits sums = {.users = users_of(model)};
    for (size_t i = 0; i < graph->n_users; i++) {
        sums.stay_s += graph->users[i].stay_s;
        sums.sessions += (double)graph->users[i].sessions;
        sums.median_off_s += graph->users[i].off_s.at[3];
    }
    return sums;
}

/* Every user has 60 sessions; merged ones would make it 53, and their absences 6 % longer. */
static void sessions_stay_apart(void **state)
{
    (void)state;
    enum { USERS = 60 };
    struct loom_trace *log = office_users(USERS);
    struct loom_model *model = must_fit("usergraph", log, NULL);
    struct habits old = habits_of(model);
    struct loom_trace *woven = must_weave(model, &(struct loom_weave_options){.seed = 3});
    struct loom_model *again = must_fit("usergraph", woven, NULL);
    struct habits new = habits_of(again);
    assert_near(new.users, USERS, 0);
    assert_near(new.sessions, 60 * USERS, 0);
    assert_near(new.median_off_s / USERS, old.median_off_s / USERS, 1200);
    assert_near(new.stay_s / USERS, old.stay_s / USERS, 3600);
    loom_model_destroy(again);
    loom_trace_destroy(woven);
    loom_model_destroy(model);
    loom_trace_destroy(log);
}

/* 20 users who go over from serial jobs to wide ones, once and for good, and submit one job a
 * session or three: half of the woven jobs are wide, and there are as many as in the log. Which
 * half of a user's jobs a walk has is up to few steps, here one in 1,000: the share of wide ones
 * among jobs of 20 users in 20 workloads is good to 0.5 / sqrt(400) = 0.025. */
static void those_who_move_on(void **state)
{
    (void)state;
    enum { USERS = 20, EACH = 1000, WORKLOADS = 20 };
    struct loom_trace *log = empty_trace();
    for (int user = 0; user < USERS; user++) {
        struct loom_job job = loom_job_unknown();
        job.user = user;
        job.submit_s = 1000 * user;
        for (int i = 0; i < EACH; i++) {
            job.submit_s += i % 4 > 1 ? 60 : 40000;
            job.run_s = 100;
            job.req_procs = i < EACH / 2 ? 1 : 32;
            append(log, job);
        }
    }
    assert_int_equal(loom_trace_add_directive(log, "MaxProcs", "64", NULL), 0);
    struct loom_model *model = must_fit("usergraph", log, NULL);
    double jobs_in_all = 0, wide = 0, days = number_in(model, "period_s") / 86400;
    for (uint64_t seed = 1; seed <= WORKLOADS; seed++) {
        struct loom_trace *trace =
            must_weave(model, &(struct loom_weave_options){.seed = seed, .days = days});
        const struct loom_jobs *jobs = loom_trace_jobs(trace);
        jobs_in_all += (double)jobs->n;
        for (size_t i = 0; i < jobs->n; i++)
            wide += jobs->req_procs[i] == 32;
        loom_trace_destroy(trace);
    }
    assert_near(wide / jobs_in_all, 0.5, 3 * 0.025);
    assert_near(jobs_in_all / (USERS * EACH * WORKLOADS), 1, 0.005);
    loom_model_destroy(model);
    loom_trace_destroy(log);
}

/* Twice the rate is twice the users, and they do what they did. */
static void load_by_users(void **state)
{
    (void)state;
    struct loom_trace *log = one_user(5000);
    struct loom_model *model = must_fit("usergraph", log, NULL);
    double loads[2], users[2];
    for (int i = 0; i < 2; i++) {
        struct loom_weave_options options = {.seed = 4, .jobs = 20000, .load = 0.005 * (i + 1)};
        struct loom_trace *trace = must_weave(model, &options);
        const struct loom_jobs *jobs = loom_trace_jobs(trace);
        int32_t last = 0;
        for (size_t k = 0; k < jobs->n; k++)
            last = jobs->user[k] > last ? jobs->user[k] : last;
        users[i] = last / (double)(jobs->submit_s[jobs->n - 1] - jobs->submit_s[0]);
        loads[i] = options.load;
        loom_trace_destroy(trace);
    }
    assert_near(users[1] / users[0] / (loads[1] / loads[0]), 1, 0.35);
    loom_model_destroy(model);
    loom_trace_destroy(log);
}

/* ---- all parameters -------------------------------------------------------------------------- */

/* Users who come and go all the time, for twelve weeks on average, seen through a window of forty:
 * those who are there at its ends are cut. They work in sessions, mostly by day and hardly ever at
 * weekends, are away for long-tailed times, and go from one of eight kinds of jobs to the next. */
static void add_population_user(struct loom_trace *log, int user, struct loom_stream *stream)
{
    enum { DAY_S = 86400, WINDOW_S = 40 * LOOM_WEEK_S };
    double stay_s = 12.0 * LOOM_WEEK_S * -log1p(-loom_stream_uniform(stream));
    double clock_s = (WINDOW_S + stay_s) * loom_stream_uniform(stream) - stay_s;
    double end_s = fmin(clock_s + stay_s, WINDOW_S);
    struct loom_job job = loom_job_unknown();
    uint64_t kind = loom_stream_below(stream, 8);
    job.user = user;
    while (clock_s < end_s) {
        for (uint64_t jobs = 1 + loom_stream_below(stream, 9); jobs > 0; jobs--) {
            kind = loom_stream_below(stream, 10) < 7 ? kind : loom_stream_below(stream, 8);
            job.submit_s = (int64_t)clock_s;
            job.run_s = (int64_t)(exp(2.0 + (double)kind) * (1 + loom_stream_uniform(stream)));
            job.req_procs = 1 << (kind + (uint64_t)user) % 6;
            if (clock_s >= 0 && clock_s < end_s)
                append(log, job);
            clock_s += 3000 * pow(loom_stream_uniform(stream), 3);
        }
        do
            clock_s += 20000 / pow(loom_stream_uniform(stream), 0.8);
        while (loom_stream_below(stream, 10) > 0 &&
               (fmod(clock_s, DAY_S) < 9 * 3600 || fmod(clock_s, DAY_S) > 18 * 3600 ||
                fmod(clock_s, LOOM_WEEK_S) > 5 * DAY_S));
    }
}

static struct loom_trace *population(int users)
{
    struct loom_trace *log = empty_trace();
    struct loom_stream stream;
    loom_stream_init(&stream, 12, 0, "population");
    for (int user = 0; user < users; user++)
        add_population_user(log, user, &stream);
    assert_int_equal(loom_trace_add_directive(log, "MaxProcs", "64", NULL), 0);
    return log;
}

/* What is compared: means over users, over their jobs, and over hours of the week. */
enum {
    LOOPS,
    TOP_SHARE,
    STATES,
    RUN_S,
    STAY_S,
    BEGIN_S,
    SESSIONS,
    FIRST_OFF_S,
    MEDIAN_OFF_S,
    MOST_OFF_S,
    MOST_JOBS,
    MEDIAN_GAP_S,
    BY_DAY,
    AT_WEEKENDS,
    ROUGHNESS,
    PERIOD_S,
    FINDINGS
};
static const char *const findings[FINDINGS] = {
    [LOOPS] = "loops",
    [TOP_SHARE] = "share of the first state",
    [STATES] = "states",
    [RUN_S] = "run times",
    [STAY_S] = "stays",
    [BEGIN_S] = "begins",
    [SESSIONS] = "sessions",
    [FIRST_OFF_S] = "a tenth of absences",
    [MEDIAN_OFF_S] = "median absences",
    [MOST_OFF_S] = "longest absences",
    [MOST_JOBS] = "longest sessions",
    [MEDIAN_GAP_S] = "gaps",
    [BY_DAY] = "working hours",
    [AT_WEEKENDS] = "weekends",
    [ROUGHNESS] = "roughness of the week",
    [PERIOD_S] = "period",
};

static void add_user(double *sums, const struct loom_user_model *user)
{
    for (size_t i = 0; i < user->n_states; i++) {
        const struct loom_user_state *at = &user->states[i];
        sums[LOOPS] += at->share * at->next[i];
        sums[RUN_S] += at->share * at->kinds[0].run_s.at[3];
    }
    sums[TOP_SHARE] += user->states[0].share;
    sums[STATES] += (double)user->n_states;
    sums[STAY_S] += user->stay_s;
    sums[BEGIN_S] += user->begin_s;
    sums[SESSIONS] += (double)user->sessions;
    sums[FIRST_OFF_S] += user->off_s.at[1];
    sums[MEDIAN_OFF_S] += user->off_s.at[3];
    sums[MOST_OFF_S] += user->off_s.at[8];
    sums[MOST_JOBS] += user->session_jobs.at[8];
    sums[MEDIAN_GAP_S] += user->gap_s.at[3];
}

static void find_all(double *sums, const struct loom_model *model)
{
    const struct loom_usergraph *graph = model->state;
    for (size_t i = 0; i < graph->n_users; i++)
        add_user(sums, &graph->users[i]);
    for (size_t k = 0; k < BY_DAY; k++)
        sums[k] /= (double)graph->n_users;
    for (size_t i = 0; i < LOOM_WEEK_HOURS; i++)
        if (i >= 120 || (i % 24 >= 9 && i % 24 < 18))
            sums[i < 120 ? BY_DAY : AT_WEEKENDS] += graph->week[i] / LOOM_WEEK_HOURS;
    for (size_t i = 0; i < LOOM_WEEK_HOURS; i++)
        sums[ROUGHNESS] += pow(graph->week[i] - 1, 2) / LOOM_WEEK_HOURS;
    sums[PERIOD_S] = graph->period_s;
}

/* Errors of the mean of eight workloads, as parts of what is compared. Most of a visit is drawn
 * without replacement, so that what comes back differs by rounding; absences do by what a visit is
 * stretched, and by the clock. All that is less than 1.5 % is far below the error of a sample of 60
 * users with 22 sessions each (12 % for the mean of what varies as much from user to user as stays
 * do, 3 % for shares). Moments at which users come are drawn, with an error of 0.6 of the mean by
 * the root of the number of users and workloads. So are the hours at which absences end: shares of
 * 0.79 and 0.08 of 1,220 in each workload are good to 0.5 % and 3.4 % of themselves, and chance of
 * 7 in an hour would make the week rougher by 0.14 of 1.6; a quarter of it, or some more where it
 * is amplified, is that of days and hours, and stays. */
static void returns_all_parameters(void **state)
{
    (void)state;
    enum { USERS = 60, WORKLOADS = 8 };
    static const double errors[FINDINGS] = {
        [LOOPS] = 0.001,      [TOP_SHARE] = 0.001,       [STATES] = 0,
        [RUN_S] = 0.001,      [STAY_S] = 0.001,          [BEGIN_S] = 3 * 0.6 / 21.9,
        [SESSIONS] = 0,       [FIRST_OFF_S] = 0.015,     [MEDIAN_OFF_S] = 0.015,
        [MOST_OFF_S] = 0.01,  [MOST_JOBS] = 0.001,       [MEDIAN_GAP_S] = 0.001,
        [BY_DAY] = 3 * 0.005, [AT_WEEKENDS] = 3 * 0.034, [ROUGHNESS] = 0.055,
        [PERIOD_S] = 0.001,
    };
    struct loom_trace *log = population(USERS);
    struct loom_model *model = must_fit("usergraph", log, NULL);
    double old[FINDINGS] = {0}, new[FINDINGS] = {0};
    find_all(old, model);
    for (uint64_t r = 0; r < WORKLOADS; r++) {
        double found[FINDINGS] = {0};
        struct loom_trace *woven =
            must_weave(model, &(struct loom_weave_options){.seed = 5, .replication = r});
        struct loom_model *again = must_fit("usergraph", woven, NULL);
        assert_near(users_of(again), users_of(model), 0);
        find_all(found, again);
        for (size_t k = 0; k < FINDINGS; k++)
            new[k] += found[k] / WORKLOADS;
        loom_model_destroy(again);
        loom_trace_destroy(woven);
    }
    for (size_t k = 0; k < FINDINGS; k++)
        if (!(fabs(new[k] / old[k] - 1) <= errors[k] + 1e-9))
            fail_msg("%s: %g for %g, which may differ by a part of %g", findings[k], new[k], old[k],
                     errors[k]);
    loom_model_destroy(model);
    loom_trace_destroy(log);
}

/* ---- users who are drawn --------------------------------------------------------------------- */

struct moments {
    double n, sum, squares;
};

static void count(struct moments *moments, double value)
{
    moments->n++;
    moments->sum += value;
    moments->squares += value * value;
}

static double mean_of(const struct moments *moments)
{
    return moments->sum / moments->n;
}

static double deviation_of(const struct moments *moments)
{
    double mean = mean_of(moments);
    return sqrt(fmax(0, moments->squares / moments->n - mean * mean) * moments->n /
                (moments->n - 1));
}

/* Each of n as its mean, and as different as its deviation: within three standard errors. */
static void assert_sample(const struct moments *found, double mean, double deviation)
{
    assert_near(mean_of(found), mean, 3 * deviation / sqrt(found->n));
    assert_near(deviation_of(found) / deviation, 1, 3 / sqrt(2 * found->n));
}

static void weave_population(struct moments *jobs, struct moments *work,
                             const struct loom_trace *log, const char *population)
{
    enum { WORKLOADS = 40 };
    struct loom_model *model = must_fit("usergraph", log, (const char *const[]){population, NULL});
    double days = number_in(model, "period_s") / 86400;
    for (uint64_t r = 0; r < WORKLOADS; r++) {
        struct loom_trace *woven =
            must_weave(model,
                       &(struct loom_weave_options){.seed = 6, .replication = r, .days = days});
        const struct loom_jobs *woven_jobs = loom_trace_jobs(woven);
        double sum = 0;
        for (size_t i = 0; i < woven_jobs->n; i++)
            sum += (double)woven_jobs->run_s[i] * woven_jobs->req_procs[i];
        count(jobs, (double)woven_jobs->n);
        count(work, sum);
        loom_trace_destroy(woven);
    }
    loom_model_destroy(model);
}

/* A log is a sample of users: drawn again, each a Poisson number of times of mean 1, jobs and work
 * vary by the root of the sum of the squares of what each user has. That is how much workloads of
 * a drawn population differ, and what they have in the mean is what the log has. Where users are
 * kept, jobs and work are the log's. */
static void drawn_users_are_a_sample(void **state)
{
    (void)state;
    enum { USERS = 60 };
    struct loom_trace *log = population(USERS);
    const struct loom_jobs *old = loom_trace_jobs(log);
    double jobs[USERS] = {0}, work[USERS] = {0}, n = (double)old->n, sum = 0;
    double n_squares = 0, squares = 0;
    for (size_t i = 0; i < old->n; i++) {
        jobs[old->user[i]]++;
        work[old->user[i]] += (double)old->run_s[i] * old->req_procs[i];
    }
    for (size_t i = 0; i < USERS; i++) {
        sum += work[i];
        squares += work[i] * work[i];
        n_squares += jobs[i] * jobs[i];
    }
    struct moments drawn_jobs = {0}, drawn_work = {0}, kept_jobs = {0}, kept_work = {0};
    weave_population(&drawn_jobs, &drawn_work, log, "population=drawn");
    assert_sample(&drawn_jobs, n, sqrt(n_squares));
    assert_sample(&drawn_work, sum, sqrt(squares));
    weave_population(&kept_jobs, &kept_work, log, "population=kept");
    assert_near(mean_of(&kept_jobs), n, 0.001 * n);
    assert_near(mean_of(&kept_work), sum, 0.01 * sum);
    assert_true(deviation_of(&kept_work) < 0.05 * sqrt(squares));
    loom_trace_destroy(log);
}

/* Fitted again, workloads have the users, sessions and so on of the log in the mean: of twenty it
 * is within three standard errors, two thirds of the deviation of a single one. The time from the
 * first job of a workload to the last is a little less than a period, as nobody must be there at
 * its ends; a week that is known by 7 absences an hour comes back rougher (above). */
static void drawn_users_return_all_parameters(void **state)
{
    (void)state;
    enum { USERS = 60, WORKLOADS = 20 };
    static const char *const drawn[] = {"population=drawn", NULL};
    struct loom_trace *log = population(USERS);
    struct loom_model *model = must_fit("usergraph", log, drawn);
    double old[FINDINGS] = {0}, days = number_in(model, "period_s") / 86400;
    struct moments new[FINDINGS] = {{0}}, users = {0};
    find_all(old, model);
    for (uint64_t r = 0; r < WORKLOADS; r++) {
        double found[FINDINGS] = {0};
        struct loom_weave_options options = {.seed = 5, .replication = r, .days = days};
        struct loom_trace *woven = must_weave(model, &options);
        struct loom_model *again = must_fit("usergraph", woven, drawn);
        find_all(found, again);
        count(&users, users_of(again));
        for (size_t k = 0; k < FINDINGS; k++)
            count(&new[k], found[k]);
        loom_model_destroy(again);
        loom_trace_destroy(woven);
    }
    assert_near(mean_of(&users), users_of(model), 3 * sqrt(USERS / (double)WORKLOADS));
    assert_near(mean_of(&new[PERIOD_S]) / old[PERIOD_S], 1, 0.01);
    assert_near(mean_of(&new[ROUGHNESS]) / old[ROUGHNESS], 1, 0.055);
    for (size_t k = 0; k < FINDINGS; k++) {
        double off = (mean_of(&new[k]) - old[k]) / deviation_of(&new[k]);
        if (!(fabs(off) <= 3 / sqrt(WORKLOADS)) && k != PERIOD_S && k != ROUGHNESS)
            fail_msg("%s: %g for %g, %.2f deviations", findings[k], mean_of(&new[k]), old[k], off);
    }
    loom_model_destroy(model);
    loom_trace_destroy(log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curves_by_quantiles),
        cmocka_unit_test(curves_of_any_size),
        cmocka_unit_test(curves_of_few_values),
        cmocka_unit_test(working_time),
        cmocka_unit_test(round_trip),
        cmocka_unit_test(locality_can_be_left_out),
        cmocka_unit_test(many_users_are_as_many),
        cmocka_unit_test(sessions_stay_apart),
        cmocka_unit_test(those_who_move_on),
        cmocka_unit_test(load_by_users),
        cmocka_unit_test(returns_all_parameters),
        cmocka_unit_test(drawn_users_are_a_sample),
        cmocka_unit_test(drawn_users_return_all_parameters),
    };
    return cmocka_run_group_tests_name("usergraph", tests, NULL, NULL);
}

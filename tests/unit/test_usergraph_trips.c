/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A population of user behaviour graphs comes back: from other histories of the same people, and
 * from samples of them.
 */
#include "modeling.h"
#include "models/room.h"
#include "models/usergraph/usergraph.h"

#include <math.h>
#include <stdlib.h>

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
    [RUN_S] = "runtimes",
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

static double users_of(const struct loom_model *model)
{
    return (double)((const struct loom_usergraph *)model->state)->n_users;
}

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
 * is amplified, comes from days and hours, and stays. */
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
        struct loom_trace *generated =
            must_generate(model, &(struct loom_generate_options){.seed = 5, .replication = r});
        struct loom_model *again = must_fit("usergraph", generated, NULL);
        assert_near(users_of(again), users_of(model), 0);
        find_all(found, again);
        for (size_t k = 0; k < FINDINGS; k++)
            new[k] += found[k] / WORKLOADS;
        loom_model_destroy(again);
        loom_trace_destroy(generated);
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

static void generate_population(struct moments *jobs, struct moments *work,
                                const struct loom_trace *log, const char *population)
{
    enum { WORKLOADS = 40 };
    struct loom_model *model = must_fit("usergraph", log, (const char *const[]){population, NULL});
    double days = number_in(model, "period_s") / 86400;
    for (uint64_t r = 0; r < WORKLOADS; r++) {
        struct loom_trace *generated = must_generate(
            model, &(struct loom_generate_options){.seed = 6, .replication = r, .days = days});
        const struct loom_jobs *generated_jobs = loom_trace_jobs(generated);
        double sum = 0;
        for (size_t i = 0; i < generated_jobs->n; i++)
            sum += (double)generated_jobs->run_s[i] * generated_jobs->req_procs[i];
        count(jobs, (double)generated_jobs->n);
        count(work, sum);
        loom_trace_destroy(generated);
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
    generate_population(&drawn_jobs, &drawn_work, log, "population=drawn");
    assert_sample(&drawn_jobs, n, sqrt(n_squares));
    assert_sample(&drawn_work, sum, sqrt(squares));
    generate_population(&kept_jobs, &kept_work, log, "population=kept");
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
        struct loom_generate_options options = {.seed = 5, .replication = r, .days = days};
        struct loom_trace *generated = must_generate(model, &options);
        struct loom_model *again = must_fit("usergraph", generated, drawn);
        find_all(found, again);
        count(&users, users_of(again));
        for (size_t k = 0; k < FINDINGS; k++)
            count(&new[k], found[k]);
        loom_model_destroy(again);
        loom_trace_destroy(generated);
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
        cmocka_unit_test(returns_all_parameters),
        cmocka_unit_test(drawn_users_are_a_sample),
        cmocka_unit_test(drawn_users_return_all_parameters),
    };
    return cmocka_run_group_tests_name("usergraph trips", tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The clock of the user graph model: what of the hours at which absences end is chance, that chance
 * of trials is none of a workload's, and that users who are late are not pressed together.
 */
#include "modeling.h"
#include "models/room.h"
#include "models/usergraph/usergraph.h"

#include <math.h>
#include <string.h>

enum { HOUR_S = 3600, DAY_S = 86400, HOURS = LOOM_WEEK_HOURS };

/* ---- chance ---------------------------------------------------------------------------------- */

/* A week in which some 60 absences end an hour, few of them by night and at weekends, as days and
 * hours of days say; each hour then has a part more or fewer, in turns that are even over days and
 * over hours. */
static void make_week(double *mean, double part)
{
    static const double of_day[] = {0.9, 1, 1.1, 1.05, 0.95, 0.3, 0.4};
    double sum = 0;
    for (size_t i = 0; i < HOURS; i++) {
        double hour = (double)(i % 24);
        double by_day = fabs(hour - 13) < 5 ? 10 : 1 + hour / 12;
        sum += mean[i] = of_day[i / 24] * by_day;
    }
    for (size_t i = 0; i < HOURS; i++)
        mean[i] *= 60.0 * HOURS / sum * (1 + ((i / 24 + i) % 2 ? part : -part));
}

static double poisson(double mean, struct loom_stream *stream)
{
    double n = -1;
    for (double at = 0; at <= mean; n++)
        at -= log1p(-loom_stream_uniform(stream));
    return n;
}

/* The square of the coefficient of variation. */
static double roughness(const double *week)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < HOURS; i++) {
        sum += week[i] / HOURS;
        squares += week[i] * week[i] / HOURS;
    }
    return squares / (sum * sum) - 1;
}

/* The square of what single hours have that their days and hours have not, as a part. */
static double left_over(const struct loom_clock_aim *aim)
{
    double left = 0, sum = 0;
    for (size_t i = 0; i < HOURS; i++) {
        left += pow(aim->returns[i] - aim->expected[i], 2) / aim->expected[i];
        sum += aim->expected[i];
    }
    return left / sum;
}

struct taken {
    double rough, raw, left, trust;
};

static struct taken take_samples(const double *mean)
{
    enum { SAMPLES = 200 };
    struct taken taken = {0};
    struct loom_stream stream;
    loom_stream_init(&stream, 3, 0, "chance");
    for (int sample = 0; sample < SAMPLES; sample++) {
        struct loom_clock_aim aim;
        double returns[HOURS];
        for (size_t i = 0; i < HOURS; i++)
            returns[i] = poisson(mean[i], &stream);
        loom_clock_aim_at(&aim, returns);
        taken.raw += roughness(returns) / SAMPLES;
        taken.rough += roughness(aim.returns) / SAMPLES;
        taken.left += left_over(&aim) / SAMPLES;
        for (size_t i = 0; i < HOURS; i++)
            taken.trust += aim.trust[i] / HOURS / SAMPLES;
    }
    return taken;
}

/* Numbers of 60 on average are rougher than the week they come of by 1 / 60. If days and hours say
 * all, working days need 28 of 120 numbers and weekends 25 of 48, which leaves 0.25 of the chance
 * in a week most of which is working days, and some where chance is taken to be more. */
static void chance_is_left_out(void **state)
{
    (void)state;
    double mean[HOURS];
    make_week(mean, 0);
    struct taken taken = take_samples(mean);
    assert_near(taken.raw - roughness(mean), 1.0 / 60, 0.15 / 60);
    assert_near(taken.rough - roughness(mean), 0.3 / 60, 0.15 / 60);
    assert_true(taken.trust < 0.15);
}

/* Where single hours do differ, by 0.3 as here, they are as rough as they are: neither by chance
 * more, nor less as the best guess of each would be (by a tenth). Of 0.09 days and hours take a
 * part; what is left is seen where there are so many absences that chance is nothing. */
static void true_hours_are_kept(void **state)
{
    (void)state;
    double mean[HOURS], many[HOURS];
    struct loom_clock_aim truth;
    make_week(mean, 0.3);
    for (size_t i = 0; i < HOURS; i++)
        many[i] = 1e6 * mean[i];
    loom_clock_aim_at(&truth, many);
    struct taken taken = take_samples(mean);
    assert_near(left_over(&truth), 0.09, 0.01);
    assert_near(taken.left, left_over(&truth), 0.002);
    assert_true(taken.trust > 0.6);
}

/* A log of two days: hours of the others are for a tenth of an absence, and all speeds are there.
 */
static void days_that_are_not_there(void **state)
{
    (void)state;
    double returns[HOURS] = {0}, week[HOURS];
    struct loom_clock_aim aim;
    for (size_t i = 30; i < 78; i++)
        returns[i] = (double)(i % 5);
    loom_clock_aim_at(&aim, returns);
    memcpy(week, aim.returns, sizeof week);
    loom_clock_correct(week, &aim, returns, 1);
    for (size_t i = 0; i < HOURS; i++) {
        assert_true(isfinite(week[i]) && week[i] > 0);
        if (i < 24 || i >= 96)
            assert_near(aim.returns[i], 0.1, 0);
    }
}

/* ---- visits ---------------------------------------------------------------------------------- */

enum { USERS = 20, SESSIONS = 300 };

/* Sessions of one job, at least two hours after each other, by day only. */
static struct loom_trace *day_workers(void)
{
    struct loom_trace *log = empty_trace();
    struct loom_stream stream;
    loom_stream_init(&stream, 8, 0, "day workers");
    for (int user = 1; user <= USERS; user++) {
        double clock_s = user * 5.0 * DAY_S;
        for (int session = 0; session < SESSIONS; session++) {
            struct loom_job job = loom_job_unknown();
            job.user = user;
            job.submit_s = (int64_t)clock_s;
            job.run_s = 100;
            job.req_procs = 1;
            append(log, job);
            clock_s += 2.5 * HOUR_S;
            do
                clock_s -= 3.0 * HOUR_S * log1p(-loom_stream_uniform(&stream));
            while (fabs(fmod(clock_s, DAY_S) - 13 * HOUR_S) > 4 * HOUR_S &&
                   loom_stream_below(&stream, 50) > 0);
        }
    }
    assert_int_equal(loom_trace_add_directive(log, "MaxProcs", "64", NULL), 0);
    return log;
}

static struct loom_trace *one_period(const struct loom_model *model, uint64_t seed,
                                     uint64_t replication)
{
    const struct loom_usergraph *graph = model->state;
    struct loom_generate_options options = {.seed = seed,
                                            .replication = replication,
                                            .days = graph->period_s / DAY_S};
    return must_generate(model, &options);
}

/* How many absences end in each hour of the week, and how many are of less than a minute beyond the
 * hour that ends a session. */
static double count_returns(double *returns, const struct loom_trace *trace, int64_t phase_s)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    int64_t last_s[USERS + 1];
    double pressed = 0;
    memset(last_s, -1, sizeof last_s);
    for (size_t i = 0; i < jobs->n; i++) {
        int64_t *last = &last_s[jobs->user[i]], away_s = jobs->submit_s[i] - *last - HOUR_S;
        assert_in_range(jobs->user[i], 1, USERS);
        if (*last >= 0) {
            returns[loom_week_hour((double)(phase_s + jobs->submit_s[i]))]++;
            pressed += away_s < 60;
        }
        *last = jobs->submit_s[i];
    }
    return pressed;
}

/* A workload of the seed of trials, which is 0, has other absences than they have: were they
 * the same, the clock would fit the chance of that workload. One-job sessions draw nothing but
 * their absences, so that with the same random numbers all 168 hours would be alike. Numbers of 35
 * on average are the same by chance in less than a tenth of all hours. */
static void trials_are_no_workloads(void **state)
{
    (void)state;
    struct loom_trace *log = day_workers();
    struct loom_model *model = must_fit("usergraph", log, NULL);
    for (uint64_t r = 0; r < 3; r++) {
        struct loom_trace *generated = one_period(model, 0, r);
        double tried[HOURS] = {0}, again[HOURS] = {0}, returns[HOURS] = {0};
        int alike = 0, busy = 0;
        int64_t phase_s = model->week_phase_s;
        count_returns(returns, generated, phase_s);
        assert_int_equal(loom_usergraph_trial(model->state, phase_s, r, tried, NULL), 0);
        assert_int_equal(loom_usergraph_trial(model->state, phase_s, r, again, NULL), 0);
        assert_memory_equal(again, tried, sizeof again);
        for (size_t i = 0; i < HOURS; i++)
            if (tried[i] > 30) {
                alike += fabs(tried[i] - returns[i]) < 1.5; /* the last job may be cut off */
                busy++;
            }
        assert_in_range(busy, 40, HOURS);
        assert_in_range(alike, 0, busy / 2);
        loom_trace_destroy(generated);
    }
    loom_model_destroy(model);
    loom_trace_destroy(log);
}

/* Nobody of the log is back in less than an hour and a half after a session was over. All of a
 * visit's absences are a little longer or shorter, and none is next to nothing so that those after
 * it come in time. The last may be what is left. */
static void nobody_is_pressed(void **state)
{
    (void)state;
    enum { WORKLOADS = 5 };
    struct loom_trace *log = day_workers();
    struct loom_model *model = must_fit("usergraph", log, NULL);
    double pressed = 0, returns[HOURS] = {0};
    assert_near(count_returns(returns, log, 0), 0, 0);
    for (uint64_t r = 0; r < WORKLOADS; r++) {
        struct loom_trace *generated = one_period(model, 1, r);
        pressed += count_returns(returns, generated, 0);
        loom_trace_destroy(generated);
    }
    assert_true(pressed <= 0.05 * WORKLOADS * USERS);
    loom_model_destroy(model);
    loom_trace_destroy(log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chance_is_left_out),      cmocka_unit_test(true_hours_are_kept),
        cmocka_unit_test(days_that_are_not_there), cmocka_unit_test(trials_are_no_workloads),
        cmocka_unit_test(nobody_is_pressed),
    };
    return cmocka_run_group_tests_name("usergraph clock", tests, NULL, NULL);
}

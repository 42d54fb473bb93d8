/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * User behaviour graphs: working time, a graph worked out by hand, and a user's graph and sessions
 * found again in what the model makes of them.
 */
#include "modeling.h"
#include "models/room.h"
#include "models/usergraph/usergraph.h"

#include <math.h>
#include <stdlib.h>

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
 * jobs in the log; the user that is there longest in what is generated has at least a third of
 * them. */
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
    struct loom_trace *generated =
        must_generate(model, &(struct loom_generate_options){.seed = 2, .jobs = N});
    const struct loom_jobs *jobs = loom_trace_jobs(generated);
    /* As many jobs in as much time: means over 10,000 sessions are good to 1 %. */
    const struct loom_jobs *old = loom_trace_jobs(log);
    double span = (double)(jobs->submit_s[N - 1] - jobs->submit_s[0]);
    assert_near(span / (double)(old->submit_s[N - 1] - old->submit_s[0]), 1, 0.05);
    struct loom_model *again = must_fit("usergraph", generated, NULL);
    size_t of_first = 0;
    for (size_t i = 0; i < jobs->n; i++)
        of_first += jobs->user[i] == 1;
    assert_true(of_first > N / 10);
    assert_graph(again, of_first);
    loom_model_destroy(again);
    loom_trace_destroy(generated);
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
    struct loom_generate_options options = {.seed = 2, .jobs = 20000};
    struct loom_trace *trace = must_generate(model, &options);
    assert_near(repeats(trace), 0.714, 0.015);
    loom_trace_destroy(trace);
    options.without = LOOM_LOCALITY;
    trace = must_generate(model, &options);
    assert_near(repeats(trace), 29 / 49.0, 0.015);
    loom_trace_destroy(trace);
    loom_model_destroy(model);
    loom_trace_destroy(log);
}

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Runtimes, users and sizes of the jobs, each job's as one number; to be freed. */
static int64_t *sorted_jobs(const struct loom_trace *trace)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    int64_t *values = malloc(jobs->n * sizeof *values);
    for (size_t i = 0; i < jobs->n; i++)
        values[i] = (jobs->run_s[i] * 1000 + jobs->user[i]) * 1000 + jobs->req_procs[i];
    qsort(values, jobs->n, sizeof *values, by_value);
    return values;
}

/* Users begin more jobs than are asked for, and the last of them are cut off: what is dealt out
 * anew are the jobs that stay. */
static void the_same_jobs_without_locality(void **state)
{
    (void)state;
    enum { N = 5000 };
    struct loom_trace *log = one_user(20000);
    struct loom_model *model = must_fit("usergraph", log, NULL);
    struct loom_generate_options options = {.seed = 2, .jobs = N};
    struct loom_trace *whole = must_generate(model, &options);
    options.without = LOOM_LOCALITY;
    struct loom_trace *mixed = must_generate(model, &options);
    int64_t *first = sorted_jobs(whole), *second = sorted_jobs(mixed);
    assert_int_equal(loom_trace_count(mixed), N);
    assert_memory_equal(first, second, N * sizeof *first);
    free(first);
    free(second);
    loom_trace_destroy(mixed);
    loom_trace_destroy(whole);
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
            must_generate(model, &(struct loom_generate_options){.seed = seed, .days = days});
        const struct loom_jobs *jobs = loom_trace_jobs(trace);
        bool seen[2 * USERS + 1] = {false};
        double users = 0, generated = 0;
        for (size_t i = 0; i < jobs->n; i++) {
            assert_in_range(jobs->user[i], 1, 2 * USERS);
            users += !seen[jobs->user[i]];
            seen[jobs->user[i]] = true;
            generated += jobs->req_procs[i];
        }
        assert_near(users, USERS, 1);
        assert_near((double)jobs->n, n, 0.05 * n);
        assert_near(generated / (double)jobs->n, mean, 3 * error);
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

static struct habits habits_of(const struct loom_model *model)
{
    const struct loom_usergraph *graph = model->state;
    struct habits sums = {.users = (double)graph->n_users};
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
    struct loom_trace *generated = must_generate(model, &(struct loom_generate_options){.seed = 3});
    struct loom_model *again = must_fit("usergraph", generated, NULL);
    struct habits new = habits_of(again);
    assert_near(new.users, USERS, 0);
    assert_near(new.sessions, 60 * USERS, 0);
    assert_near(new.median_off_s / USERS, old.median_off_s / USERS, 1200);
    assert_near(new.stay_s / USERS, old.stay_s / USERS, 3600);
    loom_model_destroy(again);
    loom_trace_destroy(generated);
    loom_model_destroy(model);
    loom_trace_destroy(log);
}

/* 20 users who go over from serial jobs to wide ones, once and for good, and submit one job a
 * session or three: half of the generated jobs are wide, and there are as many as in the log. Which
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
            must_generate(model, &(struct loom_generate_options){.seed = seed, .days = days});
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
        struct loom_generate_options options = {.seed = 4, .jobs = 20000, .load = 0.005 * (i + 1)};
        struct loom_trace *trace = must_generate(model, &options);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(working_time),
        cmocka_unit_test(round_trip),
        cmocka_unit_test(locality_can_be_left_out),
        cmocka_unit_test(the_same_jobs_without_locality),
        cmocka_unit_test(many_users_are_as_many),
        cmocka_unit_test(sessions_stay_apart),
        cmocka_unit_test(those_who_move_on),
        cmocka_unit_test(load_by_users),
    };
    return cmocka_run_group_tests_name("usergraph", tests, NULL, NULL);
}

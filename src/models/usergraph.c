/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * User behaviour graphs (survey 5.1): a population of users, each with a graph of their own. A node
 * of the graph stands for jobs of one kind, arcs for what the user submits next. Users work in
 * sessions and are away between them, both with long tails, so that the workload is bursty at all
 * scales; and they come and go, so that the set of kinds of jobs changes all the time.
 *
 * Every user of the log is a pattern. Once in the length of the log, at a moment of their own, a
 * new user of each pattern arrives and has as many sessions as the one of the log, in about the
 * same time; so at any moment as many users are there as there were on average. The rate of
 * arrivals is the number of users (survey: load is controlled by changing it, and no distribution
 * changes).
 *
 * Times between sessions are in working time, which runs by the hour of the week as sessions start
 * in the log, so that the daily and weekly cycle is kept.
 *
 * Without locality, each job is of any of its user's kinds; without cycle, working time is time;
 * without burstiness, all jobs come at independent moments of working time.
 */
#include "models/usergraph.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <workloom/users.h>

/* Of a log, and so of a document. */
static const double MOST_JOBS = 1e8;

/* ---- the document ---------------------------------------------------------------------------- */

static void describe_fixed(struct loom_codec *codec, const char *key, double *values, size_t n,
                           double min, double max)
{
    double *items = loom_codec_reading(codec) ? NULL : values;
    size_t count = n;
    loom_codec_reals(codec, key, &items, &count, n, n, min, max);
    if (!loom_codec_reading(codec))
        return;
    for (size_t i = 0; i < n && !loom_codec_failed(codec); i++)
        values[i] = items[i];
    free(items);
}

static void describe_state(struct loom_user_state *state, size_t n, struct loom_codec *codec)
{
    loom_codec_all_procs(codec, "procs", &state->procs, &state->n_sizes, 1, 1000000);
    size_t n_sizes = state->n_sizes;
    loom_codec_int64s(codec, "jobs", &state->jobs, &n_sizes, n_sizes, n_sizes, 1, UINT32_MAX);
    loom_codec_int(codec, "group", &state->group, -1, INT32_MAX);
    loom_codec_int(codec, "executable", &state->executable, -1, INT32_MAX);
    loom_codec_int(codec, "queue", &state->queue, -1, INT32_MAX);
    loom_codec_curve(codec, "run_s", &state->run_s);
    loom_codec_real(codec, "share", &state->share, 0, 1);
    describe_fixed(codec, "next", state->next, n, 0, 1);
}

/* In all sessions; each has at least one job. */
static double jobs_of(const struct loom_user_model *user)
{
    return (double)user->sessions * fmax(1, loom_curve_mean(&user->session_jobs));
}

/* Sessions and states have the same jobs; a curve's mean may be somewhat more than its values'. */
static void check_jobs(const struct loom_user_model *user, struct loom_codec *codec)
{
    double jobs = 0;
    for (size_t i = 0; i < user->n_states; i++)
        for (size_t k = 0; k < user->states[i].n_sizes; k++)
            jobs += (double)user->states[i].jobs[k];
    if (jobs_of(user) > 2 * jobs)
        loom_codec_refuse(codec, "sessions",
                          "have %.4g jobs by their number and session_jobs, and states only %.4g",
                          jobs_of(user), jobs);
}

/* Nobody stays longer than the log, which is as long as a period. */
static void describe_user(struct loom_user_model *user, double period_s, struct loom_codec *codec)
{
    loom_codec_real(codec, "stay_s", &user->stay_s, 0, period_s);
    loom_codec_int(codec, "sessions", &user->sessions, 1, UINT32_MAX);
    loom_codec_curve(codec, "session_jobs", &user->session_jobs);
    loom_codec_curve(codec, "gap_s", &user->gap_s);
    loom_codec_curve(codec, "off_s", &user->off_s);
    loom_codec_list(codec, "states", &user->n_states, 1, LOOM_USERGRAPH_STATES);
    for (size_t i = 0; i < user->n_states && !loom_codec_failed(codec); i++) {
        loom_codec_item(codec, i);
        describe_state(&user->states[i], user->n_states, codec);
        loom_codec_close(codec);
    }
    loom_codec_close(codec);
    if (loom_codec_reading(codec) && !loom_codec_failed(codec))
        check_jobs(user, codec);
}

/* Of all users together. */
static double jobs_in_period(const struct loom_usergraph *model)
{
    double jobs = 0;
    for (size_t i = 0; i < model->n_users; i++)
        jobs += jobs_of(&model->users[i]);
    return jobs;
}

static void describe(void *state, struct loom_codec *codec)
{
    struct loom_usergraph *model = state;
    loom_codec_real(codec, "period_s", &model->period_s, 1, 1e15);
    describe_fixed(codec, "week", model->week, LOOM_WEEK_HOURS, 1e-6, 1e6);
    loom_codec_list(codec, "users", &model->n_users, 1, 10000000);
    if (loom_codec_reading(codec) && !loom_codec_failed(codec)) {
        model->users = calloc(model->n_users, sizeof *model->users);
        if (!model->users)
            loom_codec_refuse(codec, "users", "is too long for the memory there is");
    }
    for (size_t i = 0; i < model->n_users && !loom_codec_failed(codec); i++) {
        loom_codec_item(codec, i);
        describe_user(&model->users[i], model->period_s, codec);
        loom_codec_close(codec);
    }
    loom_codec_close(codec);
    if (loom_codec_reading(codec) && !loom_codec_failed(codec) && jobs_in_period(model) > MOST_JOBS)
        loom_codec_refuse(codec, "users", "have %.3g jobs in all, and must have at most %.0e",
                          jobs_in_period(model), MOST_JOBS);
}

/* ---- one user -------------------------------------------------------------------------------- */

/* What a visit will be like: how many jobs each session has, and how long each absence is. */
struct plan {
    double *jobs, *off_s;
    size_t capacity;
};

/* All users who are there until the horizon, and what they do. */
struct crowd {
    const struct loom_usergraph *model;
    struct loom_weave *weave;
    struct loom_week week;
    int64_t horizon_s;
    int64_t pause_s;   /* the longest within a session */
    int64_t number;    /* of users so far */
    double draws_left; /* see spend() */
    struct plan plan;  /* room for one */
};

/* One of them. */
struct visitor {
    const struct loom_user_model *user;
    struct crowd *crowd;
    struct loom_stream stream;
    int32_t number;
    size_t state;
    double now_s; /* since time 0; before it, nothing is handed in */
};

/* A document may have users who take so long between two jobs that hardly any come, or so many at a
 * time that most come before time 0: what is drawn has a limit far above what a log's users need.
 */
static int spend(struct crowd *crowd, double draws, struct loom_error *err)
{
    crowd->draws_left -= draws;
    if (crowd->draws_left >= 0)
        return 0;
    return loom_fail(err, LOOM_EDATA,
                     "usergraph made too few jobs: its users' sessions and absences do not go with "
                     "the time they stay, or come too often for this load");
}

static double uniform(struct visitor *visitor)
{
    return loom_stream_uniform(&visitor->stream);
}

static size_t draw_state(struct visitor *visitor, bool first)
{
    const struct loom_user_model *user = visitor->user;
    double u = uniform(visitor), sum = 0;
    for (size_t i = 0; i + 1 < user->n_states; i++) {
        sum += first ? user->states[i].share : user->states[visitor->state].next[i];
        if (u < sum)
            return i;
    }
    return user->n_states - 1;
}

static int32_t draw_procs(struct visitor *visitor, const struct loom_user_state *state)
{
    if (state->n_sizes == 1)
        return state->procs[0];
    int64_t all = 0;
    for (size_t i = 0; i < state->n_sizes; i++)
        all += state->jobs[i];
    int64_t place = (int64_t)loom_stream_below(&visitor->stream, (uint64_t)all);
    size_t i = 0;
    while (place >= state->jobs[i])
        place -= state->jobs[i++];
    return state->procs[i];
}

/* An arc for every job, also for those that come too early to be handed in. */
static int submit(struct visitor *visitor, bool first, struct loom_error *err)
{
    struct loom_weave *weave = visitor->crowd->weave;
    struct loom_draft *draft = &weave->draft;
    visitor->state = draw_state(visitor, first || (weave->without & LOOM_LOCALITY));
    const struct loom_user_state *state = &visitor->user->states[visitor->state];
    double run_s = loom_curve_value(&state->run_s, uniform(visitor));
    int32_t procs = draw_procs(visitor, state);
    int rc = spend(visitor->crowd, 1, err);
    if (rc || visitor->now_s < 0)
        return rc;
    size_t i = draft->n;
    rc = loom_draft_resize(draft, i + 1, err);
    if (rc)
        return rc;
    draft->submit_s[i] = (int64_t)visitor->now_s;
    draft->run_s[i] = loom_whole_seconds(run_s, 0);
    draft->procs[i] = loom_weave_size(weave, procs);
    draft->user[i] = visitor->number;
    draft->group[i] = (int32_t)state->group;
    draft->executable[i] = (int32_t)state->executable;
    draft->queue[i] = (int32_t)state->queue;
    return 0;
}

static int make_room(struct plan *plan, size_t n, struct loom_error *err)
{
    if (n <= plan->capacity)
        return 0;
    double *jobs = realloc(plan->jobs, n * sizeof *jobs);
    plan->jobs = jobs ? jobs : plan->jobs;
    double *off_s = realloc(plan->off_s, n * sizeof *off_s);
    plan->off_s = off_s ? off_s : plan->off_s;
    if (!jobs || !off_s)
        return loom_fail_memory(err);
    plan->capacity = n;
    return 0;
}

/* n values of a curve, one of each nth part of it, in random order, of the mean that the curve has:
 * drawn one by one they would be longer or shorter by far, since their tails are long. */
static void draw_all(double *out, size_t n, const struct loom_curve *curve, struct visitor *visitor)
{
    double sum = 0, mean = loom_curve_mean(curve);
    for (size_t i = 0; i < n; i++) {
        sum += out[i] = loom_curve_value(curve, ((double)i + uniform(visitor)) / (double)n);
        size_t other = (size_t)loom_stream_below(&visitor->stream, i + 1);
        double value = out[i];
        out[i] = out[other];
        out[other] = value;
    }
    for (size_t i = 0; i < n && sum > 0; i++)
        out[i] *= mean * (double)n / sum;
}

/* A visit has as many sessions as that of the log. Ended when its time is over instead, it would
 * have more: the absence that it ends in is a long one. */
static int plan_visit(struct visitor *visitor, struct loom_error *err)
{
    const struct loom_user_model *user = visitor->user;
    struct plan *plan = &visitor->crowd->plan;
    size_t n = (size_t)user->sessions;
    int rc = spend(visitor->crowd, (double)n, err);
    if (!rc)
        rc = make_room(plan, n, err);
    if (rc)
        return rc;
    draw_all(plan->jobs, n, &user->session_jobs, visitor);
    draw_all(plan->off_s, n - 1, &user->off_s, visitor);
    return 0;
}

/* One session; jobs are whole, and what is left of them counts for the next. */
static int work(struct visitor *visitor, double jobs, bool first, struct loom_error *err)
{
    int rc = 0;
    for (double i = 0; !rc && visitor->now_s < (double)visitor->crowd->horizon_s; i++) {
        rc = submit(visitor, first && i == 0, err);
        if (i + 1 >= jobs)
            break;
        visitor->now_s += loom_curve_value(&visitor->user->gap_s, uniform(visitor));
    }
    return rc;
}

/* Away for a time of working time, but longer than a session pauses at most, or it would go on. In
 * busy hours that may be more working time than was asked for: returns how much less is left. */
static double stay_away(struct visitor *visitor, double off_s)
{
    const struct loom_week *week = &visitor->crowd->week;
    double phase_s = (double)visitor->crowd->weave->week_phase_s;
    double least_s = visitor->now_s + (double)visitor->crowd->pause_s + 1;
    double from = loom_week_working(week, phase_s + visitor->now_s);
    double back_s = loom_week_local(week, from + fmax(off_s, 1)) - phase_s;
    visitor->now_s = fmax(back_s, least_s);
    return back_s < least_s ? off_s - (loom_week_working(week, phase_s + least_s) - from) : 0;
}

/* Until all sessions are over, or the workload is. */
static int visit(struct visitor *visitor, struct loom_error *err)
{
    const struct crowd *crowd = visitor->crowd;
    double left = 0, left_s = 0;
    size_t n = (size_t)visitor->user->sessions;
    int rc = plan_visit(visitor, err);
    for (size_t i = 0; i < n && !rc && visitor->now_s < (double)crowd->horizon_s; i++) {
        double wanted = crowd->plan.jobs[i] + left, jobs = fmax(1, round(wanted));
        left = wanted - jobs;
        rc = work(visitor, jobs, i == 0, err);
        if (!rc && i + 1 < n)
            left_s = stay_away(visitor, crowd->plan.off_s[i] + left_s);
    }
    return rc;
}

/* ---- all users ------------------------------------------------------------------------------- */

static int check_number(int64_t number, struct loom_error *err)
{
    return number <= INT32_MAX ? 0
                               : loom_fail(err, LOOM_ERANGE,
                                           "more users would come than a trace can number; ask for "
                                           "fewer jobs or days");
}

/* The visit of a pattern that is the kth since time 0. */
static int make_visit(struct crowd *crowd, size_t pattern, double k, double start_s, int64_t number,
                      struct loom_error *err)
{
    char purpose[64];
    struct visitor visitor = {.user = &crowd->model->users[pattern],
                              .crowd = crowd,
                              .number = (int32_t)number,
                              .now_s = start_s};
    int rc = check_number(number, err);
    if (rc)
        return rc;
    snprintf(purpose, sizeof purpose, "usergraph %zu %.0f", pattern, k);
    loom_weave_stream(&visitor.stream, crowd->weave, purpose);
    return visit(&visitor, err);
}

/* All users of a pattern that are there at some time: the moments they come at are a period apart.
 * Who was there before time 0 is one of those who come later, so that in a period there are as many
 * users as in the log, and each of them for as long. */
static int make_visits(struct crowd *crowd, size_t pattern, struct loom_error *err)
{
    char purpose[64];
    struct loom_stream stream;
    const struct loom_user_model *user = &crowd->model->users[pattern];
    double period_s = crowd->model->period_s / crowd->weave->rate;
    double phase_s = (double)crowd->weave->week_phase_s;
    snprintf(purpose, sizeof purpose, "usergraph %zu", pattern);
    loom_weave_stream(&stream, crowd->weave, purpose);
    double moment = loom_stream_uniform(&stream);
    double before = fmax(1, ceil(user->stay_s / period_s));
    double last = floor((double)crowd->horizon_s / period_s), most = 0;
    int rc = 0;
    for (double k = -before; k <= last && !rc; k++) {
        double working_s = loom_week_working(&crowd->week, phase_s) + (moment + k) * period_s;
        double start_s = loom_week_local(&crowd->week, working_s) - phase_s;
        rc = spend(crowd, 1, err);
        if (rc || start_s + user->stay_s < 0 || start_s >= (double)crowd->horizon_s)
            continue;
        double number = 1 + (k < 0 ? k + before : k);
        most = fmax(most, number);
        rc = make_visit(crowd, pattern, k, start_s, crowd->number + (int64_t)number, err);
    }
    crowd->number += (int64_t)most;
    return rc;
}

/* Moments of working time, for jobs without burstiness. */
static void scatter(struct crowd *crowd)
{
    struct loom_stream stream;
    struct loom_draft *draft = &crowd->weave->draft;
    loom_weave_stream(&stream, crowd->weave, "usergraph moments");
    double phase_s = (double)crowd->weave->week_phase_s, horizon_s = (double)crowd->horizon_s;
    double from = loom_week_working(&crowd->week, phase_s);
    double to = loom_week_working(&crowd->week, phase_s + horizon_s);
    for (size_t i = 0; i < draft->n; i++) {
        double working_s = from + (to - from) * loom_stream_uniform(&stream);
        double local_s = loom_week_local(&crowd->week, working_s) - phase_s;
        draft->submit_s[i] = (int64_t)fmin(fmax(local_s, 0), horizon_s - 1);
    }
}

static int make_jobs(struct crowd *crowd, struct loom_error *err)
{
    crowd->number = 0;
    int rc = loom_draft_resize(&crowd->weave->draft, 0, err);
    for (size_t i = 0; i < crowd->model->n_users && !rc; i++)
        rc = make_visits(crowd, i, err);
    if (!rc && (crowd->weave->without & LOOM_BURSTINESS))
        scatter(crowd);
    return rc;
}

/* Where only the number of jobs counts, the horizon is where that many are expected, and is moved
 * on until they are there. What is made up to a horizon is the same for a later one. */
static int make_so_many(struct crowd *crowd, double expected_s, struct loom_error *err)
{
    const struct loom_weave *weave = crowd->weave;
    for (double horizon_s = expected_s;; horizon_s *= 1.4) {
        crowd->horizon_s =
            horizon_s < (double)weave->horizon_s ? (int64_t)horizon_s + 1 : weave->horizon_s;
        int rc = make_jobs(crowd, err);
        if (rc || weave->draft.n >= weave->jobs || crowd->horizon_s == weave->horizon_s)
            return rc;
    }
}

static int weave(const void *state, struct loom_weave *weave, struct loom_error *err)
{
    const struct loom_usergraph *model = state;
    struct crowd crowd = {.model = model,
                          .weave = weave,
                          .horizon_s = weave->horizon_s,
                          .pause_s = loom_session_rule(LOOM_SESSION_ARRIVAL).threshold_s};
    double jobs = jobs_in_period(model), period_s = model->period_s / weave->rate;
    bool counted = weave->jobs < SIZE_MAX;
    double expected_s = 1.1 * ((double)weave->jobs + 10) / jobs * period_s;
    double periods = (counted ? expected_s : (double)weave->horizon_s) / period_s;
    loom_week_open(&crowd.week, weave->without & LOOM_CYCLE ? NULL : model->week, LOOM_WEEK_HOURS);
    /* Some are there before time 0, and are for nothing. */
    crowd.draws_left = 2e6 + 10 * jobs * (2 + periods);
    int rc = loom_draft_detail(&weave->draft,
                               LOOM_DETAIL_USER | LOOM_DETAIL_GROUP | LOOM_DETAIL_EXECUTABLE |
                                   LOOM_DETAIL_QUEUE,
                               err);
    if (!rc)
        rc = counted ? make_so_many(&crowd, expected_s, err) : make_jobs(&crowd, err);
    free(crowd.plan.jobs);
    free(crowd.plan.off_s);
    return rc;
}

static void week(const void *state, double *speed)
{
    const struct loom_usergraph *model = state;
    for (size_t i = 0; i < LOOM_WEEK_SLOTS; i++)
        speed[i] = model->week[i * LOOM_WEEK_HOURS / LOOM_WEEK_SLOTS];
}

static void clear(void *state)
{
    struct loom_usergraph *model = state;
    for (size_t i = 0; model->users && i < model->n_users; i++)
        for (size_t k = 0; k < LOOM_USERGRAPH_STATES; k++) {
            free(model->users[i].states[k].procs);
            free(model->users[i].states[k].jobs);
        }
    free(model->users);
}

const struct loom_model_ops loom_model_usergraph = {
    .info = {.name = "usergraph",
             .summary = "users who come and go, work in sessions, and move through graphs of jobs",
             .source = "survey 5.1",
             .can_fit = true,
             .traits = LOOM_LOCALITY | LOOM_CYCLE | LOOM_BURSTINESS},
    .state_size = sizeof(struct loom_usergraph),
    .fit = loom_usergraph_fit,
    .describe = describe,
    .weave = weave,
    .week = week,
    .clear = clear,
};

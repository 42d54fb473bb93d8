/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * User behaviour graphs (survey 5.1): a population of users, each with a graph of their own. A node
 * of the graph stands for jobs of one kind, arcs for what the user submits next. Users work in
 * sessions and are away between them, both with long tails, so that the workload is bursty at all
 * scales; and they come and go, so that the set of kinds of jobs changes all the time.
 *
 * Every user of the log is a pattern. In each period as long as the log a new user of each pattern
 * comes and has the sessions of the one of the log, in the same time, whole within the period. A
 * user whom an end of the log may have cut, who is no farther from it than the longest absence, is
 * as far from it as in the log. Everybody else comes at the hour of the week of the log, in a week
 * in which the visit is as far from both ends. That is what a population that comes and goes all
 * the time looks like through a window of the log's length: as many users are there at its ends as
 * in its middle. The rate of arrivals is the number of users (survey: load is controlled by
 * changing it, and no distribution changes).
 *
 * So workloads of one period all have the log's users and jobs: they are other histories of the
 * same people, and differ by far less than logs of other people would (population=kept). With
 * population=drawn they are samples of the population of which the log is one: of each pattern a
 * Poisson number of users comes in a period, and each draws what it does from what the user of the
 * log did (usergraph_visit.c). Fitted again such a workload has fewer kinds of jobs and shorter
 * longest absences, as the greatest of a sample of a sample is less: it is not the default.
 *
 * Times between sessions are in working time, which runs by the hour of the week as sessions start
 * in the log, so that the daily and weekly cycle is kept.
 *
 * Without locality, jobs are dealt out anew to the times there are; without cycle, working time is
 * time; without burstiness, jobs keep their order and come as a Poisson process does, busy when
 * they were.
 */
#include "models/usergraph.h"
#include "models/intervals.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <workloom/users.h>

static const char *const populations[] = {
    [LOOM_USERGRAPH_KEPT] = "kept", [LOOM_USERGRAPH_DRAWN] = "drawn", NULL};

static const struct loom_param params[] = {
    {.name = "population",
     .type = LOOM_PARAM_CHOICE,
     .choices = populations,
     .value = "kept",
     .help = "the log's users and their jobs, each once a period, or both drawn with replacement"},
    {.name = NULL},
};

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

static void describe_kind(struct loom_job_kind *kind, struct loom_codec *codec)
{
    loom_codec_procs(codec, "procs", &kind->procs, 1);
    loom_codec_int(codec, "group", &kind->group, -1, INT32_MAX);
    loom_codec_int(codec, "executable", &kind->executable, -1, INT32_MAX);
    loom_codec_int(codec, "queue", &kind->queue, -1, INT32_MAX);
    loom_codec_int(codec, "jobs", &kind->jobs, 1, UINT32_MAX);
    loom_codec_curve(codec, "run_s", &kind->run_s);
}

static void describe_state(struct loom_user_state *state, size_t n, struct loom_codec *codec)
{
    loom_codec_list(codec, "kinds", &state->n_kinds, 1, 1000000);
    if (loom_codec_reading(codec) && !loom_codec_failed(codec)) {
        state->kinds = calloc(state->n_kinds, sizeof *state->kinds);
        if (!state->kinds)
            loom_codec_refuse(codec, "kinds", "is too long for the memory there is");
    }
    for (size_t i = 0; i < state->n_kinds && !loom_codec_failed(codec); i++) {
        loom_codec_item(codec, i);
        describe_kind(&state->kinds[i], codec);
        loom_codec_close(codec);
    }
    loom_codec_close(codec);
    loom_codec_real(codec, "share", &state->share, 0, 1);
    describe_fixed(codec, "next", state->next, n, 0, 1);
}

double loom_usergraph_jobs(const struct loom_user_model *user)
{
    double jobs = 0;
    for (size_t i = 0; i < user->n_states; i++)
        for (size_t k = 0; k < user->states[i].n_kinds; k++)
            jobs += (double)user->states[i].kinds[k].jobs;
    return jobs;
}

/* In all sessions; each has at least one job. */
static double jobs_in_sessions(const struct loom_user_model *user)
{
    size_t sessions = (size_t)user->sessions;
    return (double)sessions * fmax(1, loom_curve_mean(&user->session_jobs, sessions));
}

/* Sessions and states have the same jobs; not every sample has a curve of the same mean. */
static void check_jobs(const struct loom_user_model *user, struct loom_codec *codec)
{
    double sessions = jobs_in_sessions(user), states = loom_usergraph_jobs(user);
    if (sessions > 2 * states)
        loom_codec_refuse(codec, "sessions",
                          "have %.4g jobs by their number and session_jobs, and states only %.4g",
                          sessions, states);
    else if (states > 2 * sessions)
        loom_codec_refuse(codec, "states",
                          "have %.4g jobs, and sessions by their number and session_jobs only %.4g",
                          states, sessions);
}

/* Nobody stays longer than the log, which is as long as a period. */
static void describe_user(struct loom_user_model *user, double period_s, struct loom_codec *codec)
{
    loom_codec_real(codec, "begin_s", &user->begin_s, 0, period_s);
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
        jobs += jobs_in_sessions(&model->users[i]);
    return jobs;
}

static void describe(void *state, struct loom_codec *codec)
{
    struct loom_usergraph *model = state;
    loom_codec_word(codec, "population", &model->population, populations);
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

/* ---- when users come ------------------------------------------------------------------------- */

int loom_crowd_spend(struct loom_crowd *crowd, double draws, struct loom_error *err)
{
    crowd->draws_left -= draws;
    if (crowd->draws_left >= 0)
        return 0;
    return loom_fail(err, LOOM_EDATA,
                     "usergraph made too few jobs: its users come too often for this load, or stay "
                     "too long for the jobs they have");
}

/* At which of its ends the log may have cut a visit, and the moments since the start of a period
 * at which it would look the same: a longest absence or less from these ends, and more from the
 * others. */
struct place {
    bool early, late;
    double from_s, to_s;
};

static struct place place_of(const struct loom_user_model *user, double period_s)
{
    double longest_s = user->off_s.at[LOOM_CURVE_POINTS - 1];
    double last_s = fmax(0, period_s - user->stay_s);
    bool early = user->begin_s <= longest_s, late = last_s - user->begin_s <= longest_s;
    return (struct place){
        .early = early,
        .late = late,
        .from_s = fmax(early ? 0 : longest_s, late ? last_s - longest_s : 0),
        .to_s = fmin(early ? longest_s : last_s, late ? last_s : last_s - longest_s),
    };
}

enum { DAY_S = 86400, FEW = 8 };

/* Visits are moved by whole weeks, so that as much working time passes in them as in the log; by
 * days where it has few weeks, and by anything where it has few days. */
static double step_of(double period_s)
{
    if (period_s >= FEW * (double)LOOM_WEEK_S)
        return LOOM_WEEK_S;
    return period_s >= FEW * DAY_S ? DAY_S : 1;
}

/* When users come whom no end of the log cut, as parts of the time in which they could, so that the
 * population changes as in the log. */
static int find_moments(struct loom_crowd *crowd, struct loom_error *err)
{
    const struct loom_usergraph *model = crowd->model;
    crowd->moments = malloc(model->n_users * sizeof *crowd->moments);
    if (!crowd->moments)
        return loom_fail_memory(err);
    for (size_t i = 0; i < model->n_users; i++) {
        struct place place = place_of(&model->users[i], model->period_s);
        double range_s = place.to_s - place.from_s;
        if (!place.early && !place.late && range_s > 0)
            crowd->moments[crowd->n_moments++] = (model->users[i].begin_s - place.from_s) / range_s;
    }
    return 0;
}

/* Who is seen to come and to leave, comes in a week in which another one did; who is not, is there
 * from the same moment of a period on as in the log. If the rate asks for more of the same, they
 * need not all come at once. A later period begins with a week for those, with a day for these, so
 * that there is nearly no time without them. */
static double come(const struct loom_crowd *crowd, const struct loom_user_model *user,
                   double period, double copy, struct loom_stream *stream)
{
    double period_s = crowd->model->period_s, step_s = step_of(period_s);
    struct place place = place_of(user, period_s);
    double range_s = place.to_s - place.from_s, start_s = period * period_s;
    if (!place.early && !place.late && crowd->n_moments > 0) {
        double moment = crowd->moments[loom_stream_below(stream, crowd->n_moments)];
        double first = ceil((place.from_s - user->begin_s) / step_s);
        double last = floor((place.to_s - user->begin_s) / step_s);
        double steps = round((place.from_s + moment * range_s - user->begin_s) / step_s);
        steps = ceil(start_s / step_s) + fmax(first, fmin(steps, last));
        return user->begin_s + step_s * steps;
    }
    double u = loom_stream_uniform(stream), unit_s = fmin(step_s, DAY_S);
    start_s = ceil(start_s / unit_s) * unit_s;
    bool same = copy == 0 && crowd->model->population == LOOM_USERGRAPH_KEPT;
    return start_s + (same ? user->begin_s : place.from_s + u * range_s);
}

/* ---- all users ------------------------------------------------------------------------------- */

static int check_number(int64_t number, struct loom_error *err)
{
    return number <= INT32_MAX ? 0
                               : loom_fail(err, LOOM_ERANGE,
                                           "more users would come than a trace can number; ask for "
                                           "fewer jobs or days");
}

/* A Poisson number of the mean: those of a Poisson process of rate 1 that come before it. So a
 * higher mean has the same ones and more. */
static double poisson(double mean, struct loom_stream *stream)
{
    double count = -1;
    for (double at = 0; at <= mean; count++)
        at -= log1p(-loom_stream_uniform(stream));
    return count;
}

/* How many users of a pattern come in a period. If they are drawn, from all patterns alike and
 * independently of each other, that is a Poisson number for each. Else it is the rate, rounded up
 * or down about evenly over patterns and periods (by irrational steps), so that the number of users
 * goes with it. */
static double copies_of(const struct loom_crowd *crowd, size_t pattern, double period)
{
    if (crowd->model->population == LOOM_USERGRAPH_DRAWN) {
        char purpose[96];
        struct loom_stream stream;
        snprintf(purpose, sizeof purpose, "usergraph number %zu %.0f", pattern, period);
        loom_weave_stream(&stream, crowd->weave, purpose);
        return poisson(crowd->weave->rate, &stream);
    }
    double u = crowd->rounding + (double)pattern * (sqrt(5) - 1) / 2 + period * (sqrt(2) - 1);
    return floor(crowd->weave->rate + u - floor(u));
}

/* The users of a pattern who come in a period. The first of them has that number. */
static int make_visits(struct loom_crowd *crowd, size_t pattern, double period, int64_t number,
                       double copies, struct loom_error *err)
{
    const struct loom_user_model *user = &crowd->model->users[pattern];
    int rc = 0;
    for (double copy = 0; copy < copies && !rc; copy++, number++) {
        char purpose[96];
        struct loom_stream stream;
        snprintf(purpose, sizeof purpose, "usergraph %zu %.0f %.0f", pattern, period, copy);
        loom_weave_stream(&stream, crowd->weave, purpose);
        double come_s = come(crowd, user, period, copy, &stream);
        rc = check_number(number, err);
        if (!rc)
            rc = loom_crowd_spend(crowd, 1, err);
        if (!rc && come_s < (double)crowd->horizon_s)
            rc = loom_usergraph_visit(crowd, user, &stream, (int32_t)number, come_s, err);
    }
    return rc;
}

/* All users of a pattern. */
static int make_users(struct loom_crowd *crowd, size_t pattern, struct loom_error *err)
{
    double periods = ceil((double)crowd->horizon_s / crowd->model->period_s);
    int rc = 0;
    for (double period = 0; period < periods && !rc; period++) {
        double copies = copies_of(crowd, pattern, period);
        rc = loom_crowd_spend(crowd, 0.01, err);
        if (!rc)
            rc = make_visits(crowd, pattern, period, 1 + crowd->number, copies, err);
        crowd->number += (int64_t)copies;
    }
    return rc;
}

static int make_jobs(struct loom_crowd *crowd, struct loom_error *err)
{
    crowd->number = 0;
    int rc = loom_draft_resize(&crowd->weave->draft, 0, err);
    for (size_t i = 0; i < crowd->model->n_users && !rc; i++)
        rc = make_users(crowd, i, err);
    return rc;
}

/* Where only the number of jobs counts, the horizon is where that many are expected, and is moved
 * on until they are there. What is made up to a horizon is the same for a later one. */
static int make_so_many(struct loom_crowd *crowd, double expected_s, struct loom_error *err)
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
    struct loom_crowd crowd = {.model = model,
                               .weave = weave,
                               .horizon_s = weave->horizon_s,
                               .pause_s = loom_session_rule(LOOM_SESSION_ARRIVAL).threshold_s};
    double jobs = jobs_in_period(model), period_s = model->period_s / weave->rate;
    bool counted = weave->jobs < SIZE_MAX;
    double expected_s = 1.1 * ((double)weave->jobs + 10) / jobs * period_s;
    double periods = (counted ? expected_s : (double)weave->horizon_s) / period_s;
    struct loom_stream stream;
    loom_weave_stream(&stream, weave, "usergraph rate");
    crowd.rounding = loom_stream_uniform(&stream);
    loom_week_open(&crowd.week, weave->without & LOOM_CYCLE ? NULL : model->week, LOOM_WEEK_HOURS);
    /* Visits are planned whole, those of a last period for little. */
    crowd.draws_left = 2e6 + 10 * jobs * (4 + periods);
    int rc = loom_draft_detail(&weave->draft,
                               LOOM_DETAIL_USER | LOOM_DETAIL_GROUP | LOOM_DETAIL_EXECUTABLE |
                                   LOOM_DETAIL_QUEUE,
                               err);
    if (!rc)
        rc = find_moments(&crowd, err);
    if (!rc)
        rc = counted ? make_so_many(&crowd, expected_s, err) : make_jobs(&crowd, err);
    if (!rc && weave->without & LOOM_LOCALITY)
        loom_draft_shuffle(weave, "usergraph shuffle");
    if (!rc && weave->without & LOOM_BURSTINESS) {
        if (!(weave->without & LOOM_CYCLE))
            loom_week_of_times(&crowd.week, weave->draft.submit_s, weave->draft.n,
                               weave->week_phase_s);
        rc = loom_intervals_calm(weave, LOOM_INTERVAL_S, &crowd.week, err);
    }
    loom_visit_plan_free(&crowd.plan);
    free(crowd.moments);
    return rc;
}

static void clear(void *state)
{
    struct loom_usergraph *model = state;
    for (size_t i = 0; model->users && i < model->n_users; i++)
        for (size_t k = 0; k < LOOM_USERGRAPH_STATES; k++)
            free(model->users[i].states[k].kinds);
    free(model->users);
}

const struct loom_model_ops loom_model_usergraph = {
    .info = {.name = "usergraph",
             .summary = "users who come and go, work in sessions, and move through graphs of jobs",
             .source = "survey 5.1",
             .params = params,
             .can_fit = true,
             .traits = LOOM_LOCALITY | LOOM_CYCLE | LOOM_BURSTINESS},
    .state_size = sizeof(struct loom_usergraph),
    .fit = loom_usergraph_fit,
    .describe = describe,
    .weave = weave,
    .clear = clear,
};

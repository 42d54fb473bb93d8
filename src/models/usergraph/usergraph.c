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
 * Poisson number of users comes in a period. What one of them does is what the user of the log did,
 * in another order, all the same: users of the log differ by what they are and by chance, and to
 * draw what they do again would count chance twice.
 *
 * Times between sessions are in working time, which runs by the hour of the week so that sessions
 * start when the log's do: the daily and weekly cycle is kept.
 *
 * Without locality, jobs are shuffled over the times there are, and without correlation sizes
 * to what users submit in a row with one size, so that bags stay; without cycle, working time is
 * time; without burstiness, jobs keep their order and come as a Poisson process does, busy when
 * they were.
 */
#include "models/usergraph/usergraph.h"
#include "models/arrivals/intervals.h"
#include "models/room.h"

#include <math.h>
#include <stdlib.h>

static const char *const populations[] = {
    [LOOM_USERGRAPH_KEPT] = "kept", [LOOM_USERGRAPH_DRAWN] = "drawn", NULL};

static const struct loom_param params[] = {
    LOOM_CHOICE_PARAM("population", populations, "kept", NULL,
                      "every user of the log once a period, or users drawn with replacement"),
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
static void user_model_check_jobs(const struct loom_user_model *user, struct loom_codec *codec)
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
        user_model_check_jobs(user, codec);
}

double loom_usergraph_period_jobs(const struct loom_usergraph *model)
{
    double jobs = 0;
    for (size_t i = 0; i < model->n_users; i++)
        jobs += jobs_in_sessions(&model->users[i]);
    return jobs;
}

static void usergraph_describe(void *state, struct loom_codec *codec)
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
    if (loom_codec_reading(codec) && !loom_codec_failed(codec) &&
        loom_usergraph_period_jobs(model) > MOST_JOBS)
        loom_codec_refuse(codec, "users", "have %.3g jobs in all, and must have at most %.0e",
                          loom_usergraph_period_jobs(model), MOST_JOBS);
}

/* ---- generating ---------------------------------------------------------------------------------
 */

/* What the traits left out change is changed among the jobs that stay: the last sessions of users
 * may make some more than were asked for. */
static int leave_out(struct loom_usergraph_generator *generator, struct loom_generation *generation,
                     struct loom_error *err)
{
    if (!(generation->without & (LOOM_LOCALITY | LOOM_CORRELATION | LOOM_BURSTINESS)))
        return 0;
    int rc = loom_generation_settle(generation, err);
    if (!rc && generation->without & LOOM_LOCALITY)
        loom_draft_shuffle(generation, "usergraph shuffle");
    if (!rc && generation->without & LOOM_CORRELATION)
        rc = loom_usergraph_shuffle_sizes(generation, generator->pause_s, err);
    if (!rc && generation->without & LOOM_BURSTINESS) {
        if (!(generation->without & LOOM_CYCLE))
            loom_week_of_times(&generator->week, generation->draft.submit_s, generation->draft.n,
                               generation->week_phase_s);
        rc = loom_intervals_calm(generation, LOOM_INTERVAL_S, &generator->week, err);
    }
    return rc;
}

static int usergraph_generate(const void *state, struct loom_generation *generation,
                              struct loom_error *err)
{
    struct loom_usergraph_generator generator;
    int rc = loom_usergraph_generator_open(&generator, state, generation, err);
    if (!rc)
        rc = loom_draft_detail(&generation->draft,
                               LOOM_DETAIL_USER | LOOM_DETAIL_GROUP | LOOM_DETAIL_EXECUTABLE |
                                   LOOM_DETAIL_QUEUE,
                               err);
    if (!rc)
        rc = loom_usergraph_generate(&generator, err);
    if (!rc)
        rc = leave_out(&generator, generation, err);
    loom_usergraph_generator_close(&generator);
    return rc;
}

static void usergraph_clear(void *state)
{
    struct loom_usergraph *model = state;
    for (size_t i = 0; model->users && i < model->n_users; i++)
        for (size_t k = 0; k < LOOM_USERGRAPH_STATES; k++)
            free(model->users[i].states[k].kinds);
    free(model->users);
}

static const char dependence[] = "it comes of how long its users stay and are away; take a model "
                                 "with an arrival process of its own, such as minh2012";
static const char bags[] =
    "bags are what its users submit in a session; leave out locality, and they go with it";

static const char *const compared[] = {"population=drawn", NULL};

const struct loom_model_ops loom_model_usergraph = {
    .info = {.name = "usergraph",
             .summary = "users who come and go, work in sessions, and move through graphs of jobs",
             .source = "Feitelson 2002, 5.1",
             .params = params,
             .can_fit = true,
             .by_user = true,
             .traits = LOOM_LOCALITY | LOOM_CORRELATION | LOOM_CYCLE | LOOM_BURSTINESS,
             .variants = compared},
    .bound = {NULL, dependence, bags},
    .state_size = sizeof(struct loom_usergraph),
    .fit = loom_usergraph_fit,
    .describe = usergraph_describe,
    .generate = usergraph_generate,
    .clear = usergraph_clear,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Who comes when, in the user graph model: the users of every pattern, period after period, and
 * the visits they make (usergraph/visit.c), either to generate a workload or to try one,
 * which counts at which hours absences end and makes no jobs.
 */
#include "models/usergraph/usergraph.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <workloom/users.h>

/* ---- when users come ------------------------------------------------------------------------- */

int loom_usergraph_spend(struct loom_usergraph_generator *generator, double draws,
                         struct loom_error *err)
{
    generator->draws_left -= draws;
    if (generator->draws_left >= 0)
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

static struct place usergraph_place_of(const struct loom_user_model *user, double period_s)
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
static int find_moments(struct loom_usergraph_generator *generator, struct loom_error *err)
{
    const struct loom_usergraph *model = generator->model;
    generator->moments = malloc(model->n_users * sizeof *generator->moments);
    if (!generator->moments)
        return loom_fail_memory(err);
    for (size_t i = 0; i < model->n_users; i++) {
        struct place place = usergraph_place_of(&model->users[i], model->period_s);
        double range_s = place.to_s - place.from_s;
        if (!place.early && !place.late && range_s > 0)
            generator->moments[generator->n_moments++] =
                (model->users[i].begin_s - place.from_s) / range_s;
    }
    return 0;
}

/* Who is seen to come and to leave, comes in a week in which another one did; who is not, is there
 * from the same moment of a period on as in the log. If the rate asks for more of the same, they
 * need not all come at once. A later period begins with a week for those, with a day for these, so
 * that there is nearly no time without them. */
static double come(const struct loom_usergraph_generator *generator,
                   const struct loom_user_model *user, double period, double copy,
                   struct loom_stream *stream)
{
    double period_s = generator->model->period_s, step_s = step_of(period_s);
    struct place place = usergraph_place_of(user, period_s);
    double range_s = place.to_s - place.from_s, start_s = period * period_s;
    if (!place.early && !place.late && generator->n_moments > 0) {
        double moment = generator->moments[loom_stream_below(stream, generator->n_moments)];
        double first = ceil((place.from_s - user->begin_s) / step_s);
        double last = floor((place.to_s - user->begin_s) / step_s);
        double steps = round((place.from_s + moment * range_s - user->begin_s) / step_s);
        steps = ceil(start_s / step_s) + fmax(first, fmin(steps, last));
        return user->begin_s + step_s * steps;
    }
    double u = loom_stream_uniform(stream), unit_s = fmin(step_s, DAY_S);
    start_s = ceil(start_s / unit_s) * unit_s;
    bool same = copy == 0 && generator->model->population == LOOM_USERGRAPH_KEPT;
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

/* A Poisson number of the mean: events of a Poisson process of rate 1 before it. So a
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
static double copies_of(const struct loom_usergraph_generator *generator, size_t pattern,
                        double period)
{
    if (generator->model->population == LOOM_USERGRAPH_DRAWN) {
        char purpose[96];
        struct loom_stream stream;
        snprintf(purpose, sizeof purpose, "usergraph number %zu %.0f", pattern, period);
        loom_generation_stream(&stream, generator->generation, purpose);
        return poisson(generator->generation->rate, &stream);
    }
    double u = generator->rounding + (double)pattern * (sqrt(5) - 1) / 2 + period * (sqrt(2) - 1);
    return floor(generator->generation->rate + u - floor(u));
}

/* The users of a pattern who come in a period. The first of them has that number. */
static int make_visits(struct loom_usergraph_generator *generator, size_t pattern, double period,
                       int64_t number, double copies, struct loom_error *err)
{
    const struct loom_user_model *user = &generator->model->users[pattern];
    int rc = 0;
    for (double copy = 0; copy < copies && !rc; copy++, number++) {
        char purpose[96];
        struct loom_stream stream;
        snprintf(purpose, sizeof purpose, "usergraph%s %zu %.0f %.0f",
                 generator->returns ? " rehearsal" : "", pattern, period, copy);
        loom_generation_stream(&stream, generator->generation, purpose);
        double come_s = come(generator, user, period, copy, &stream);
        rc = check_number(number, err);
        if (!rc)
            rc = loom_usergraph_spend(generator, 1, err);
        if (!rc && come_s < (double)generator->horizon_s)
            rc = loom_usergraph_visit(generator, user, &stream, (int32_t)number, come_s, err);
    }
    return rc;
}

/* All users of a pattern. */
static int make_users(struct loom_usergraph_generator *generator, size_t pattern,
                      struct loom_error *err)
{
    double periods = ceil((double)generator->horizon_s / generator->model->period_s);
    int rc = 0;
    for (double period = 0; period < periods && !rc; period++) {
        double copies = copies_of(generator, pattern, period);
        rc = loom_usergraph_spend(generator, 0.01, err);
        if (!rc)
            rc = make_visits(generator, pattern, period, 1 + generator->number, copies, err);
        generator->number += (int64_t)copies;
    }
    return rc;
}

static int usergraph_make_jobs(struct loom_usergraph_generator *generator, struct loom_error *err)
{
    generator->number = 0;
    int rc = loom_draft_resize(&generator->generation->draft, 0, err);
    for (size_t i = 0; i < generator->model->n_users && !rc; i++)
        rc = make_users(generator, i, err);
    return rc;
}

/* Where only the number of jobs counts, the horizon is where that many are expected, and is moved
 * on until they are there. What is made up to a horizon is the same for a later one. */
static int make_so_many(struct loom_usergraph_generator *generator, double expected_s,
                        struct loom_error *err)
{
    const struct loom_generation *generation = generator->generation;
    for (double horizon_s = expected_s;; horizon_s *= 1.4) {
        generator->horizon_s = horizon_s < (double)generation->horizon_s ? (int64_t)horizon_s + 1
                                                                         : generation->horizon_s;
        int rc = usergraph_make_jobs(generator, err);
        if (rc || generation->draft.n >= generation->jobs ||
            generator->horizon_s == generation->horizon_s)
            return rc;
    }
}

/* ---- generating ------------------------------------------------------------------------------ */

int loom_usergraph_generator_open(struct loom_usergraph_generator *out,
                                  const struct loom_usergraph *model,
                                  struct loom_generation *generation, struct loom_error *err)
{
    *out =
        (struct loom_usergraph_generator){.model = model,
                                          .generation = generation,
                                          .horizon_s = generation->horizon_s,
                                          .pause_s =
                                              loom_session_rule(LOOM_SESSION_ARRIVAL).threshold_s};
    loom_week_open(&out->week, generation->without & LOOM_CYCLE ? NULL : model->week,
                   LOOM_WEEK_HOURS);
    return find_moments(out, err);
}

void loom_usergraph_generator_close(struct loom_usergraph_generator *generator)
{
    loom_visit_plan_free(&generator->plan);
    free(generator->moments);
}

int loom_usergraph_generate(struct loom_usergraph_generator *generator, struct loom_error *err)
{
    struct loom_generation *generation = generator->generation;
    double jobs = loom_usergraph_period_jobs(generator->model);
    double period_s = generator->model->period_s / generation->rate;
    bool counted = generation->jobs < SIZE_MAX;
    double expected_s = 1.1 * ((double)generation->jobs + 10) / jobs * period_s;
    double periods = (counted ? expected_s : (double)generation->horizon_s) / period_s;
    struct loom_stream stream;
    loom_generation_stream(&stream, generation, "usergraph rate");
    generator->rounding = loom_stream_uniform(&stream);
    /* Visits are planned whole, in the last period mostly in vain. */
    generator->draws_left = 2e6 + 10 * jobs * (4 + periods);
    return counted ? make_so_many(generator, expected_s, err) : usergraph_make_jobs(generator, err);
}

int loom_usergraph_trial(const struct loom_usergraph *model, int64_t week_phase_s,
                         uint64_t replication, double *returns, struct loom_error *err)
{
    struct loom_generation generation = {.replication = replication,
                                         .horizon_s = INT64_MAX,
                                         .rate = 1,
                                         .week_phase_s = week_phase_s};
    struct loom_usergraph_generator generator;
    int rc = loom_usergraph_generator_open(&generator, model, &generation, err);
    generator.returns = returns;
    generator.draws_left = INFINITY;
    for (size_t i = 0; i < model->n_users && !rc; i++)
        rc = make_visits(&generator, i, 0, 1, 1, err);
    loom_usergraph_generator_close(&generator);
    return rc;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The visit of one user of the user graph model, from the first session to the last.
 *
 * It is another order of what the user of the log did. All that such a visit draws, it draws
 * without replacement: n values of a curve are its n quantiles, and every arc of the graph is taken
 * as often as it was. So a visit has the sessions, the jobs and the long absences of the one of the
 * log, and fitted again gives the same user. Drawn one by one from distributions with long tails,
 * they would be far more or fewer, and the greatest of few would fall short of the greatest there
 * was.
 *
 * The walk on the graph is a random circuit that has every arc once, as the log's jobs are with the
 * last followed by the first. All such circuits are equally likely (Kandel, Matias, Unger and
 * Winkler 1996): the last ways out of all states but the first make a tree towards that, drawn by
 * Wilson's random walks, and other ways out are taken in random order.
 */
#include "models/usergraph/usergraph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STATES = LOOM_USERGRAPH_STATES };

struct visitor {
    const struct loom_user_model *user;
    struct loom_usergraph_generator *generator;
    struct loom_stream *stream;
    int32_t number;
    size_t state;
    double now_s;                /* since time 0 */
    double arcs[STATES][STATES]; /* how often each is still to be taken */
    size_t way_out[STATES];      /* the arc to take last, which arcs do not count; or STATES */
    size_t first[STATES + 1];    /* of each state's jobs in the plan */
    size_t done[STATES];         /* of these */
};

static bool rehearsing(const struct visitor *visitor)
{
    return visitor->generator->returns;
}

static double uniform(struct visitor *visitor)
{
    return loom_stream_uniform(visitor->stream);
}

/* ---- the walk -------------------------------------------------------------------------------- */

/* One of n by weights; STATES if all of them are less than half of one. */
static size_t draw_arc(struct visitor *visitor, const double *weights)
{
    size_t n = visitor->user->n_states, to = STATES;
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += weights[i];
    double place = sum < 0.5 ? -1 : uniform(visitor) * sum;
    for (size_t i = 0; i < n && place >= 0; i++)
        if (weights[i] > 0) {
            place -= weights[i];
            to = i;
        }
    return to;
}

static void fill_arcs(struct visitor *visitor, size_t from)
{
    double jobs = (double)(visitor->first[from + 1] - visitor->first[from]);
    for (size_t i = 0; i < visitor->user->n_states; i++)
        visitor->arcs[from][i] = jobs * visitor->user->states[from].next[i];
}

/* From a state at random until one of the tree is met; each state's last way out counts. A document
 * may have states that lead nowhere: after many steps they are left as they are. */
static void walk_to_tree(struct visitor *visitor, size_t from, const bool *in_tree)
{
    enum { MANY = 100000 };
    size_t at = from;
    for (int i = 0; i < MANY && at < STATES && !in_tree[at]; i++) {
        visitor->way_out[at] = draw_arc(visitor, visitor->arcs[at]);
        at = visitor->way_out[at];
    }
}

static void find_ways_out(struct visitor *visitor, size_t root)
{
    size_t n = visitor->user->n_states;
    bool in_tree[STATES] = {false};
    in_tree[root] = true;
    for (size_t i = 0; i < n; i++) {
        walk_to_tree(visitor, i, in_tree);
        for (size_t at = i; at < STATES && !in_tree[at]; at = visitor->way_out[at])
            in_tree[at] = true;
    }
    for (size_t i = 0; i < n; i++)
        if (visitor->way_out[i] < STATES)
            visitor->arcs[i][visitor->way_out[i]]--;
}

static size_t any_state(struct visitor *visitor)
{
    const struct loom_user_model *user = visitor->user;
    double u = uniform(visitor);
    size_t i = 0;
    while (i + 1 < user->n_states && u >= user->states[i].share)
        u -= user->states[i++].share;
    return i;
}

static void begin_walk(struct visitor *visitor)
{
    visitor->state = any_state(visitor);
    for (size_t i = 0; i < visitor->user->n_states; i++) {
        fill_arcs(visitor, i);
        visitor->way_out[i] = STATES;
    }
    find_ways_out(visitor, visitor->state);
}

/* The state after this one. When all arcs were taken, they are there again. */
static size_t follow_arc(struct visitor *visitor)
{
    size_t from = visitor->state, to = draw_arc(visitor, visitor->arcs[from]);
    if (to < STATES) {
        visitor->arcs[from][to]--;
        return to;
    }
    to = visitor->way_out[from];
    visitor->way_out[from] = STATES;
    if (to == STATES) {
        fill_arcs(visitor, from);
        to = draw_arc(visitor, visitor->arcs[from]);
    }
    return to < STATES ? to : from;
}

/* ---- jobs ------------------------------------------------------------------------------------ */

/* The next of the jobs that were planned for a state, and after the last the first. */
static size_t next_job(struct visitor *visitor)
{
    size_t state = visitor->state, first = visitor->first[state];
    size_t n = visitor->first[state + 1] - first;
    return first + visitor->done[state]++ % n;
}

/* A job of the state the user is in, which then is the next one's. */
static int visitor_submit(struct visitor *visitor, struct loom_error *err)
{
    struct loom_generation *generation = visitor->generator->generation;
    struct loom_draft *draft = &generation->draft;
    const struct loom_planned_job *job = &visitor->generator->plan.planned[next_job(visitor)];
    size_t i = draft->n;
    int rc = loom_draft_resize(draft, i + 1, err);
    if (rc)
        return rc;
    draft->submit_s[i] = (int64_t)visitor->now_s;
    draft->run_s[i] = loom_whole_seconds(job->run_s, 0);
    draft->procs[i] = loom_generation_size(generation, (int32_t)job->kind->procs);
    draft->user[i] = visitor->number;
    draft->group[i] = (int32_t)job->kind->group;
    draft->executable[i] = (int32_t)job->kind->executable;
    draft->queue[i] = (int32_t)job->kind->queue;
    visitor->state = follow_arc(visitor);
    return 0;
}

/* ---- plans ----------------------------------------------------------------------------------- */

/* n values of a curve, in random order. */
static void draw_all(double *values, size_t n, const struct loom_curve *curve,
                     struct visitor *visitor)
{
    for (size_t i = 0; i < n; i++)
        values[i] = loom_curve_nth(curve, i, n);
    for (size_t i = 1; i < n; i++) {
        size_t other = (size_t)loom_stream_below(visitor->stream, i + 1);
        double value = values[i];
        values[i] = values[other];
        values[other] = value;
    }
}

static int visit_make_room(struct loom_visit_plan *plan, size_t sessions, struct loom_error *err)
{
    if (sessions <= plan->sessions_room)
        return 0;
    double *jobs = realloc(plan->jobs, sessions * sizeof *jobs);
    plan->jobs = jobs ? jobs : plan->jobs;
    double *off_s = realloc(plan->off_s, sessions * sizeof *off_s);
    plan->off_s = off_s ? off_s : plan->off_s;
    if (!jobs || !off_s)
        return loom_fail_memory(err);
    plan->sessions_room = sessions;
    return 0;
}

static int make_room_for_jobs(struct loom_visit_plan *plan, size_t n, struct loom_error *err)
{
    if (n <= plan->jobs_room)
        return 0;
    double *gap_s = realloc(plan->gap_s, n * sizeof *gap_s);
    plan->gap_s = gap_s ? gap_s : plan->gap_s;
    struct loom_planned_job *planned = realloc(plan->planned, n * sizeof *planned);
    plan->planned = planned ? planned : plan->planned;
    if (!gap_s || !planned)
        return loom_fail_memory(err);
    plan->jobs_room = n;
    return 0;
}

/* Jobs are whole, at least one a session, and what is left of them counts for the next. Where a
 * curve has not quite the mean of its sample, some sessions have a job more or less, so that all
 * jobs of the states are done. Returns how many there are. */
static double plan_sessions(struct visitor *visitor, double known)
{
    const struct loom_user_model *user = visitor->user;
    struct loom_visit_plan *plan = &visitor->generator->plan;
    size_t n = (size_t)user->sessions;
    double left = 0, jobs = 0;
    draw_all(plan->jobs, n, &user->session_jobs, visitor);
    for (size_t i = 0; i < n; i++) {
        double wanted = plan->jobs[i] + left;
        jobs += plan->jobs[i] = fmax(1, round(wanted));
        left = wanted - plan->jobs[i];
    }
    for (size_t i = 0; i < n && jobs != known; i++) {
        double more = jobs < known ? 1 : plan->jobs[i] > 1 ? -1 : 0;
        plan->jobs[i] += more;
        jobs += more;
    }
    draw_all(plan->off_s, n - 1, &user->off_s, visitor);
    return jobs;
}

/* All jobs of a state, in random order. Returns how many. */
static size_t plan_state(struct visitor *visitor, size_t place)
{
    const struct loom_user_state *state = &visitor->user->states[place];
    struct loom_planned_job *planned = visitor->generator->plan.planned + visitor->first[place];
    size_t n = 0;
    for (size_t k = 0; k < state->n_kinds; k++) {
        const struct loom_job_kind *kind = &state->kinds[k];
        size_t jobs = (size_t)kind->jobs;
        for (size_t i = 0; i < jobs; i++, n++)
            planned[n] = (struct loom_planned_job){kind, loom_curve_nth(&kind->run_s, i, jobs)};
    }
    for (size_t i = 1; i < n; i++) {
        size_t other = (size_t)loom_stream_below(visitor->stream, i + 1);
        struct loom_planned_job job = planned[i];
        planned[i] = planned[other];
        planned[other] = job;
    }
    return n;
}

static int plan_visit(struct visitor *visitor, struct loom_error *err)
{
    const struct loom_user_model *user = visitor->user;
    struct loom_visit_plan *plan = &visitor->generator->plan;
    double known = loom_usergraph_jobs(user), sessions = (double)user->sessions;
    int rc = loom_usergraph_spend(visitor->generator, sessions + known, err);
    if (!rc)
        rc = visit_make_room(plan, (size_t)sessions, err);
    if (rc)
        return rc;
    double jobs = plan_sessions(visitor, known);
    rc = loom_usergraph_spend(visitor->generator, jobs, err);
    if (!rc)
        rc = make_room_for_jobs(plan, (size_t)fmax(known, jobs), err);
    if (rc)
        return rc;
    for (size_t i = 0; i < user->n_states && !rehearsing(visitor); i++)
        visitor->first[i + 1] = visitor->first[i] + plan_state(visitor, i);
    draw_all(plan->gap_s, (size_t)(jobs - sessions), &user->gap_s, visitor);
    return 0;
}

/* ---- time ------------------------------------------------------------------------------------ */

/* When the session comes that follows the one whose last job comes now. A session is over after its
 * longest pause: from there on the absence is counted, in working time. */
static double return_s(const struct visitor *visitor, double now_s, double off_s)
{
    const struct loom_week *week = &visitor->generator->week;
    double phase_s = (double)visitor->generator->generation->week_phase_s;
    double over_s = now_s + (double)visitor->generator->pause_s;
    double from = loom_week_working(week, phase_s + over_s);
    return fmax(over_s + 1, loom_week_local(week, from + off_s) - phase_s);
}

/* When the last job comes if all absences from a session on, which begins now, are so many times as
 * long. gap_s: the first of that session's. */
static double end_of_visit(const struct visitor *visitor, size_t session, const double *gap_s,
                           double stretch)
{
    const struct loom_visit_plan *plan = &visitor->generator->plan;
    double now_s = visitor->now_s, pause_s = (double)visitor->generator->pause_s;
    size_t n = (size_t)visitor->user->sessions;
    for (size_t i = session; i < n; i++) {
        for (double k = 1; k < plan->jobs[i]; k++)
            now_s += fmin(*gap_s++, pause_s);
        if (i + 1 < n)
            now_s = return_s(visitor, now_s, stretch * plan->off_s[i]);
    }
    return now_s;
}

/* A visit takes as long as in the log: what its sessions, or other hours of the week, take
 * more or less, its absences take less or more. Mostly that is little. The end does not follow the
 * stretch smoothly: a session that is a little too late for this evening is one of tomorrow, and
 * all after it. So of a few of Newton's steps, in working time, that one is taken which comes
 * nearest and is not late, as sessions that are late would be pressed together. */
static double find_stretch(const struct visitor *visitor, size_t session, const double *gap_s,
                           double until_s)
{
    enum { TRIES = 4 };
    const struct loom_week *week = &visitor->generator->week;
    double phase_s = (double)visitor->generator->generation->week_phase_s, off_s = 0;
    double wanted = loom_week_working(week, phase_s + until_s);
    double stretch = 1, best = 1, latest_s = -INFINITY;
    for (size_t i = session; i + 1 < (size_t)visitor->user->sessions; i++)
        off_s += visitor->generator->plan.off_s[i];
    for (int i = 0; i < TRIES && off_s > 0; i++) {
        double end_s = end_of_visit(visitor, session, gap_s, stretch);
        if (end_s <= until_s ? end_s > latest_s : isinf(latest_s)) {
            best = stretch;
            latest_s = end_s <= until_s ? end_s : latest_s;
        }
        stretch += (wanted - loom_week_working(week, phase_s + end_s)) / off_s;
        stretch = fmax(0, stretch);
    }
    return best;
}

/* What a visit takes at least: its sessions, and as little as can be between them. */
static double least_length(const struct visitor *visitor)
{
    const struct loom_visit_plan *plan = &visitor->generator->plan;
    double pause_s = (double)visitor->generator->pause_s, jobs = 0;
    double least_s = (double)(visitor->user->sessions - 1) * (pause_s + 1);
    for (int64_t i = 0; i < visitor->user->sessions; i++)
        jobs += plan->jobs[i] - 1;
    for (size_t i = 0; i < (size_t)jobs; i++)
        least_s += fmin(plan->gap_s[i], pause_s);
    return least_s;
}

static void count_return(const struct visitor *visitor)
{
    double phase_s = (double)visitor->generator->generation->week_phase_s;
    visitor->generator->returns[loom_week_hour(phase_s + floor(visitor->now_s))]++;
}

/* All jobs of a session until the horizon. The first gap after it belongs to the next. */
static int work(struct visitor *visitor, double jobs, const double **gap_s, struct loom_error *err)
{
    const struct loom_usergraph_generator *generator = visitor->generator;
    double horizon_s = (double)generator->horizon_s, pause_s = (double)generator->pause_s;
    int rc = rehearsing(visitor) ? 0 : visitor_submit(visitor, err);
    for (double k = 1; k < jobs && !rc; k++) {
        visitor->now_s += fmin(*(*gap_s)++, pause_s);
        if (!rehearsing(visitor) && visitor->now_s < horizon_s)
            rc = visitor_submit(visitor, err);
    }
    return rc;
}

/* Until all sessions are over, or the workload is. A stretch is for half of the sessions there are
 * yet, and that for the rest makes up for what it left, so that there is no lull before the end of
 * a visit. The last session begins when it must, and the others leave time for it. */
static int visit(struct visitor *visitor, struct loom_error *err)
{
    const struct loom_usergraph_generator *generator = visitor->generator;
    const struct loom_visit_plan *plan = &generator->plan;
    double until_s = visitor->now_s + visitor->user->stay_s, stretch = 1;
    double latest_s = until_s - least_length(visitor); /* for the next session */
    const double *gap_s = plan->gap_s;
    size_t n = (size_t)visitor->user->sessions, half = 0;
    int rc = 0;
    if (!rehearsing(visitor))
        begin_walk(visitor);
    for (size_t i = 0; i < n && !rc && visitor->now_s < (double)generator->horizon_s; i++) {
        double began_s = visitor->now_s;
        if (rehearsing(visitor) && i > 0)
            count_return(visitor);
        if (i == half) {
            stretch = find_stretch(visitor, i, gap_s, until_s);
            half += (n - i + 1) / 2;
        }
        rc = work(visitor, plan->jobs[i], &gap_s, err);
        double least_s = visitor->now_s + (double)generator->pause_s + 1;
        latest_s += least_s - began_s;
        if (i + 1 < n)
            visitor->now_s = return_s(visitor, visitor->now_s, stretch * plan->off_s[i]);
        if (visitor->now_s > latest_s || i + 2 == n)
            visitor->now_s = fmax(least_s, latest_s);
    }
    return rc;
}

int loom_usergraph_visit(struct loom_usergraph_generator *generator,
                         const struct loom_user_model *user, struct loom_stream *stream,
                         int32_t number, double start_s, struct loom_error *err)
{
    struct visitor visitor = {
        .user = user, .generator = generator, .stream = stream, .number = number, .now_s = start_s};
    int rc = plan_visit(&visitor, err);
    return rc ? rc : visit(&visitor, err);
}

void loom_visit_plan_free(struct loom_visit_plan *plan)
{
    free(plan->jobs);
    free(plan->off_s);
    free(plan->gap_s);
    free(plan->planned);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finding the users of the user graph model in a log: sessions by times between submissions (an
 * hour ends one), and for each user the quantiles of session sizes, of gaps within sessions and of
 * working time between them.
 *
 * Jobs of one kind have the same processors, executable, queue and group, and runtimes in the same
 * half of a decade. The sixteen kinds that a user has most jobs of are the nodes of the user's
 * graph; each rarer kind belongs to the node whose kind is nearest, by the sum of the differences
 * in the logarithms of runtime and size. Arcs are the shares of what follows.
 */
#include "base/compare.h"
#include "models/usergraph/usergraph.h"

#include <workloom/users.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_JOBS = 100, STATES = LOOM_USERGRAPH_STATES, HOUR_S = 3600 };

/* What all users need. */
struct finder {
    struct loom_usergraph *model;
    const struct loom_training *log;
    const struct loom_shapes *shapes;
    const struct loom_users *users;
    const struct loom_sessions *sessions;
    struct loom_week week;
    struct kind *kinds;    /* scratch: the kinds of one user */
    struct shape *scratch; /* and the shapes of its jobs */
    double *values;        /* to sort */
    uint8_t *states;       /* of one user's jobs */
    int64_t begin_s;       /* of the log */
};

/* ---- kinds of jobs --------------------------------------------------------------------------- */

struct kind {
    int32_t procs, group, executable, queue;
    int half_decade;
    double log_run; /* sum */
    size_t count;
    uint8_t state;
};

static int half_decade(int64_t run_s)
{
    return (int)floor(2 * log10((double)run_s + 1));
}

static struct kind usergraph_fit_kind_of(const struct loom_workload *jobs, uint32_t job)
{
    return (struct kind){.procs = jobs->procs[job],
                         .group = jobs->group[job],
                         .executable = jobs->executable[job],
                         .queue = jobs->queue[job],
                         .half_decade = half_decade(jobs->run_s[job]),
                         .log_run = log((double)jobs->run_s[job] + 1),
                         .count = 1};
}

static int by_kind(const void *a, const void *b)
{
    const struct kind *x = a, *y = b;
    return LOOM_FIRST_DIFFERENCE(LOOM_COMPARE(x->procs, y->procs),
                                 LOOM_COMPARE(x->executable, y->executable),
                                 LOOM_COMPARE(x->queue, y->queue), LOOM_COMPARE(x->group, y->group),
                                 LOOM_COMPARE(x->half_decade, y->half_decade));
}

static int by_falling_count(const void *a, const void *b)
{
    const struct kind *x = a, *y = b;
    return LOOM_FIRST_DIFFERENCE(LOOM_COMPARE(y->count, x->count), by_kind(a, b));
}

static int by_executable(const void *a, const void *b)
{
    return LOOM_COMPARE(((const struct kind *)a)->executable, ((const struct kind *)b)->executable);
}

/* A program that the user ran once makes no kind of its own: in some logs, nearly every job has
 * another. */
static void forget_single_executables(struct kind *kinds, size_t n)
{
    qsort(kinds, n, sizeof *kinds, by_executable);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && kinds[end].executable == kinds[i].executable; end++)
            ;
        if (end == i + 1)
            kinds[i].executable = -1;
    }
}

/* Of a kind that has no node of its own. */
static uint8_t nearest_state(const struct kind *kinds, size_t n, const struct kind *kind)
{
    double least = INFINITY;
    uint8_t best = 0;
    for (size_t i = 0; i < n; i++) {
        double distance =
            fabs(kinds[i].log_run / (double)kinds[i].count - kind->log_run / (double)kind->count) +
            fabs(log((double)kinds[i].procs / kind->procs));
        if (distance < least) {
            least = distance;
            best = (uint8_t)i;
        }
    }
    return best;
}

/* All kinds, by_kind, with their states. Returns how many. */
static size_t find_kinds(struct finder *finder, const uint32_t *jobs, size_t n)
{
    struct kind *kinds = finder->kinds;
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        kinds[i] = usergraph_fit_kind_of(finder->log->jobs, jobs[i]);
    forget_single_executables(kinds, n);
    qsort(kinds, n, sizeof *kinds, by_kind);
    for (size_t i = 0; i < n; i++) {
        if (count > 0 && by_kind(&kinds[count - 1], &kinds[i]) == 0) {
            kinds[count - 1].count++;
            kinds[count - 1].log_run += kinds[i].log_run;
        } else
            kinds[count++] = kinds[i];
    }
    qsort(kinds, count, sizeof *kinds, by_falling_count);
    for (size_t i = 0; i < count; i++)
        kinds[i].state = i < STATES ? (uint8_t)i : nearest_state(kinds, STATES, &kinds[i]);
    qsort(kinds, count, sizeof *kinds, by_kind);
    return count;
}

/* The place of a job's kind, with its program or without. */
static size_t usergraph_fit_place_of(const struct kind *kinds, size_t n, const struct kind *job)
{
    struct kind without = *job;
    without.executable = -1;
    const struct kind *kind = bsearch(job, kinds, n, sizeof *kinds, by_kind);
    if (!kind)
        kind = bsearch(&without, kinds, n, sizeof *kinds, by_kind);
    return kind ? (size_t)(kind - kinds) : 0;
}

/* ---- graphs ---------------------------------------------------------------------------------- */

static int fit_curve(struct loom_curve *out, double *values, size_t n, struct loom_error *err)
{
    int rc = loom_sort(values, n, err);
    if (!rc)
        loom_curve_fit(out, values, n);
    return rc;
}

/* The last job is followed by the first. So every kind is left as often as it is entered, and a
 * walk that begins in one by its share stays there by its share: kinds that came late, and were
 * never left, would else take over. */
static void fit_arcs(struct loom_user_model *user, const uint8_t *states, size_t n)
{
    double counts[STATES][STATES] = {{0}}, sums[STATES] = {0};
    for (size_t i = 0; i < n; i++) {
        uint8_t from = states[i > 0 ? i - 1 : n - 1];
        counts[from][states[i]]++;
        sums[from]++;
    }
    for (size_t i = 0; i < user->n_states; i++)
        for (size_t k = 0; k < user->n_states; k++)
            user->states[i].next[k] = sums[i] > 0 ? counts[i][k] / sums[i] : user->states[k].share;
}

/* A job of a kind, to be sorted by it and by runtime. */
struct shape {
    size_t kind;
    int64_t run_s;
};

static int by_shape(const void *a, const void *b)
{
    const struct shape *x = a, *y = b;
    return LOOM_FIRST_DIFFERENCE(LOOM_COMPARE(x->kind, y->kind), LOOM_COMPARE(x->run_s, y->run_s));
}

/* Room for all kinds of each state. */
static int open_states(struct finder *finder, struct loom_user_model *user, size_t n_kinds,
                       struct loom_error *err)
{
    size_t counts[STATES] = {0};
    for (size_t i = 0; i < n_kinds; i++)
        counts[finder->kinds[i].state]++;
    user->n_states = n_kinds < STATES ? n_kinds : STATES;
    for (size_t i = 0; i < user->n_states; i++) {
        user->states[i].kinds = calloc(counts[i], sizeof *user->states[i].kinds);
        if (!user->states[i].kinds)
            return loom_fail_memory(err);
    }
    return 0;
}

/* Of so many jobs, which are the first of shapes. */
static void fit_kind(struct finder *finder, struct loom_job_kind *out, const struct kind *kind,
                     const struct shape *shapes)
{
    *out = (struct loom_job_kind){.procs = kind->procs,
                                  .group = kind->group < 0 ? -1 : kind->group,
                                  .executable = kind->executable < 0 ? -1 : kind->executable,
                                  .queue = kind->queue < 0 ? -1 : kind->queue,
                                  .jobs = (int64_t)kind->count};
    for (size_t i = 0; i < kind->count; i++)
        finder->values[i] = (double)shapes[i].run_s;
    loom_curve_fit(&out->run_s, finder->values, kind->count);
}

static int fit_graph(struct finder *finder, struct loom_user_model *user, const uint32_t *jobs,
                     size_t n, struct loom_error *err)
{
    const struct loom_workload *workload = finder->log->jobs;
    struct shape *shapes = finder->scratch;
    size_t n_kinds = find_kinds(finder, jobs, n);
    int rc = open_states(finder, user, n_kinds, err);
    if (rc)
        return rc;
    for (size_t i = 0; i < n; i++) {
        struct kind kind = usergraph_fit_kind_of(workload, jobs[i]);
        shapes[i] = (struct shape){usergraph_fit_place_of(finder->kinds, n_kinds, &kind),
                                   workload->run_s[jobs[i]]};
        finder->states[i] = finder->kinds[shapes[i].kind].state;
    }
    qsort(shapes, n, sizeof *shapes, by_shape);
    for (size_t i = 0, first = 0; i < n_kinds; first += finder->kinds[i++].count) {
        const struct kind *kind = &finder->kinds[i];
        struct loom_user_state *state = &user->states[kind->state];
        fit_kind(finder, &state->kinds[state->n_kinds++], kind, shapes + first);
        state->share += (double)kind->count / (double)n;
    }
    fit_arcs(user, finder->states, n);
    return 0;
}

/* ---- sessions -------------------------------------------------------------------------------- */

/* Local time since a Monday 00:00. */
static double local_s(const struct finder *finder, int64_t submit_s)
{
    return (double)(finder->log->week_phase_s + (submit_s - finder->begin_s));
}

static int fit_sessions(struct finder *finder, struct loom_user_model *out, size_t user,
                        struct loom_error *err)
{
    const struct loom_users *users = finder->users;
    const struct loom_sessions *sessions = finder->sessions;
    uint32_t first = sessions->user_session[user], end = sessions->user_session[user + 1];
    double *values = finder->values;
    size_t n = 0;
    out->sessions = end - first;
    for (uint32_t s = first; s < end; s++)
        values[n++] = (double)(sessions->first[s + 1] - sessions->first[s]);
    int rc = fit_curve(&out->session_jobs, values, n, err);
    n = 0;
    for (uint32_t s = first; s < end; s++)
        for (uint32_t i = sessions->first[s] + 1; i < sessions->first[s + 1]; i++)
            values[n++] = (double)(users->submit_s[i] - users->submit_s[i - 1]);
    if (!rc)
        rc = fit_curve(&out->gap_s, values, n, err);
    return rc;
}

/* ---- absences and their clock ---------------------------------------------------------------- */

/* From the end of a session, which is known a pause after its last job, to the next. */
static int fit_absences(struct finder *finder, struct loom_user_model *out, size_t user,
                        struct loom_error *err)
{
    const struct loom_users *users = finder->users;
    const struct loom_sessions *sessions = finder->sessions;
    int64_t pause_s = loom_session_rule(LOOM_SESSION_ARRIVAL).threshold_s;
    size_t n = 0;
    for (uint32_t s = sessions->user_session[user] + 1; s < sessions->user_session[user + 1]; s++) {
        int64_t over_s = users->submit_s[sessions->first[s] - 1] + pause_s;
        int64_t back_s = users->submit_s[sessions->first[s]];
        finder->values[n++] = loom_week_working(&finder->week, local_s(finder, back_s)) -
                              loom_week_working(&finder->week, local_s(finder, over_s));
    }
    return fit_curve(&out->off_s, finder->values, n, err);
}

static int fit_all_absences(struct finder *finder, struct loom_error *err)
{
    int rc = 0;
    loom_week_open(&finder->week, finder->model->week, LOOM_WEEK_HOURS);
    for (size_t i = 0; i < finder->users->count && !rc; i++)
        rc = fit_absences(finder, &finder->model->users[i], i, err);
    return rc;
}

/* How many absences end in each hour of the week. */
static void count_returns(const struct finder *finder, double *returns)
{
    const struct loom_sessions *sessions = finder->sessions;
    for (size_t user = 0; user < finder->users->count; user++)
        for (uint32_t s = sessions->user_session[user] + 1; s < sessions->user_session[user + 1];
             s++) {
            int64_t back_s = finder->users->submit_s[sessions->first[s]];
            returns[loom_week_hour(local_s(finder, back_s))]++;
        }
}

/* Working time passes so fast in each hour of the week that as many absences of generated users end
 * in it as in the log, but for what is chance there (usergraph/clock.c). The number itself is only
 * a first guess: in busy hours more of the users are there, and cannot come back. So the period is
 * tried, and speeds corrected, until nothing but chance is left; that becomes less as
 * corrections do (the stochastic approximation of Robbins and Monro 1951). Absences are measured by
 * the same clock. */
static int fit_clock(struct finder *finder, struct loom_error *err)
{
    enum { ROUNDS = 8, REHEARSALS = 4 };
    double returns[LOOM_WEEK_HOURS] = {0}, *week = finder->model->week;
    struct loom_clock_aim aim;
    count_returns(finder, returns);
    loom_clock_aim_at(&aim, returns);
    for (size_t i = 0; i < LOOM_WEEK_HOURS; i++)
        week[i] = aim.returns[i];
    loom_clock_correct(week, &aim, aim.returns, 0);
    int rc = fit_all_absences(finder, err);
    for (uint64_t round = 0; round < ROUNDS && !rc; round++) {
        double found[LOOM_WEEK_HOURS] = {0};
        for (uint64_t i = 0; i < REHEARSALS && !rc; i++)
            rc = loom_usergraph_trial(finder->model, finder->log->week_phase_s,
                                      round * REHEARSALS + i, found, err);
        for (size_t i = 0; i < LOOM_WEEK_HOURS; i++)
            found[i] /= REHEARSALS;
        loom_clock_correct(week, &aim, found, 1 / fmax(1, (double)round));
        if (!rc)
            rc = fit_all_absences(finder, err);
    }
    return rc;
}

/* ---- all users ------------------------------------------------------------------------------- */

static int fit_users(struct finder *finder, struct loom_error *err)
{
    const struct loom_users *users = finder->users;
    struct loom_usergraph *model = finder->model;
    uint32_t *jobs = malloc((users->n + 1) * sizeof *jobs);
    int rc = jobs ? 0 : loom_fail_memory(err);
    for (size_t i = 0; i < users->n && !rc; i++)
        jobs[i] = finder->shapes->job[users->job[i]];
    for (size_t i = 0; i < users->count && !rc; i++) {
        struct loom_user_model *user = &model->users[i];
        user->begin_s = (double)(loom_user_begin(users, i) - finder->begin_s);
        user->stay_s = (double)(loom_user_end(users, i) - loom_user_begin(users, i));
        rc = fit_graph(finder, user, jobs + users->first[i], users->first[i + 1] - users->first[i],
                       err);
        if (!rc)
            rc = fit_sessions(finder, user, i, err);
    }
    free(jobs);
    return rc ? rc : fit_clock(finder, err);
}

static int usergraph_fit_make_room(struct finder *finder, struct loom_error *err)
{
    size_t n = finder->users->n + 1;
    finder->kinds = malloc(n * sizeof *finder->kinds);
    finder->scratch = malloc(n * sizeof *finder->scratch);
    finder->values = malloc(n * sizeof *finder->values);
    finder->states = malloc(n * sizeof *finder->states);
    finder->model->users = calloc(finder->users->count, sizeof *finder->model->users);
    finder->model->n_users = finder->model->users ? finder->users->count : 0;
    bool whole = finder->kinds && finder->scratch && finder->values && finder->states &&
                 finder->model->users;
    return whole ? 0 : loom_fail_memory(err);
}

/* The jobs with a shape and a user. */
static int take_activity(struct loom_users **out, const struct loom_training *log,
                         const struct loom_shapes *shapes, struct loom_error *err)
{
    const struct loom_workload *jobs = log->jobs;
    int32_t *user = malloc(shapes->n * sizeof *user);
    int64_t *submit_s = malloc(shapes->n * sizeof *submit_s);
    int rc = user && submit_s ? 0 : loom_fail_memory(err);
    for (size_t i = 0; i < shapes->n && !rc; i++) {
        user[i] = jobs->user[shapes->job[i]];
        submit_s[i] = jobs->submit_s[shapes->job[i]];
    }
    /* Sessions go by submissions alone: waits are not asked for. */
    struct loom_activity activity = {shapes->n, user, submit_s, shapes->run_s, shapes->run_s};
    if (!rc)
        rc = loom_users_create(out, &activity, err);
    free(user);
    free(submit_s);
    if (!rc && (*out)->n < LEAST_JOBS)
        rc = loom_fail(err, LOOM_EDATA,
                       "usergraph needs at least %d jobs whose user, runtime and processors are "
                       "known, and there are %zu; minh2009 and lublin2003 ask for no users",
                       LEAST_JOBS, (*out)->n);
    return rc;
}

static int fit_shapes(struct loom_usergraph *model, const struct loom_training *log,
                      const struct loom_shapes *shapes, struct loom_error *err)
{
    struct loom_users *users = NULL;
    struct loom_sessions *sessions = NULL;
    struct loom_session_rule rule = loom_session_rule(LOOM_SESSION_ARRIVAL);
    struct finder finder = {.model = model,
                            .log = log,
                            .shapes = shapes,
                            .begin_s = log->jobs->submit_s[0]};
    int rc = take_activity(&users, log, shapes, err);
    if (!rc)
        rc = loom_sessions_create(&sessions, users, &rule, err);
    finder.users = users;
    finder.sessions = sessions;
    if (!rc)
        rc = usergraph_fit_make_room(&finder, err);
    if (!rc) {
        model->population = loom_params_choice(log->params, "population");
        model->period_s = fmax((double)log->jobs->span_s, 1);
        rc = fit_users(&finder, err);
    }
    free(finder.kinds);
    free(finder.scratch);
    free(finder.values);
    free(finder.states);
    loom_sessions_destroy(sessions);
    loom_users_destroy(users);
    return rc;
}

int loom_usergraph_fit(void *state, const struct loom_training *log, struct loom_error *err)
{
    struct loom_shapes shapes;
    int rc = loom_shapes_create(&shapes, log, "usergraph", LEAST_JOBS, err);
    if (rc)
        return rc;
    rc = fit_shapes(state, log, &shapes, err);
    loom_shapes_free(&shapes);
    return rc;
}

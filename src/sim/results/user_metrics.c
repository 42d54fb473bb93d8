/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Metrics of users: the measures of Zakay, chapters 4 (figures 7 and 9) and 5 (figures 5 and 6). */
#include "sim/engine.h"

#include <workloom/sim_users.h>

#include <math.h>
#include <stdlib.h>

enum { DAY_S = 86400, WEEK_S = 7 * DAY_S };

/* The jobs of a simulation, by columns. */
struct columns {
    int32_t *user;
    int64_t *submit_s, *wait_s, *run_s;
};

static void free_columns(struct columns *columns)
{
    free(columns->user);
    free(columns->submit_s);
    free(columns->wait_s);
    free(columns->run_s);
}

static int take_columns(struct columns *out, const struct loom_sim *sim, struct loom_error *err)
{
    size_t n = sim->n_jobs;
    *out = (struct columns){
        .user = malloc((n + 1) * sizeof *out->user),
        .submit_s = malloc((n + 1) * sizeof *out->submit_s),
        .wait_s = malloc((n + 1) * sizeof *out->wait_s),
        .run_s = malloc((n + 1) * sizeof *out->run_s),
    };
    if (!out->user || !out->submit_s || !out->wait_s || !out->run_s)
        return loom_fail_memory(err);
    for (size_t i = 0; i < n; i++) {
        out->user[i] = sim->jobs[i].user;
        out->submit_s[i] = sim->jobs[i].submit_s;
        out->wait_s[i] = loom_sim_job_wait(&sim->jobs[i]);
        out->run_s[i] = sim->jobs[i].run_s;
    }
    return 0;
}

/* ---- means and medians ----------------------------------------------------------------------- */

static int ascending(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Sorts the values. */
static void describe(double *mean, double *median, double *values, size_t n)
{
    double sum = 0;
    if (n == 0) {
        *mean = *median = (double)NAN;
        return;
    }
    for (size_t i = 0; i < n; i++)
        sum += values[i];
    qsort(values, n, sizeof *values, ascending);
    *mean = sum / (double)n;
    *median = (values[(n - 1) / 2] + values[n / 2]) / 2;
}

/* ---- users ----------------------------------------------------------------------------------- */

/* Weeks counted from the first submission of all, in which a user submitted something. */
static double active_weeks(const struct loom_users *users, size_t user)
{
    int64_t last = -1;
    double weeks = 0;
    for (uint32_t i = users->first[user]; i < users->first[user + 1]; i++) {
        int64_t week = (users->submit_s[i] - users->begin_s) / WEEK_S;
        weeks += week != last;
        last = week;
    }
    return weeks;
}

static double jobs_per_day(const struct loom_users *users, size_t user)
{
    int64_t ended_s = 0;
    for (uint32_t i = users->first[user]; i < users->first[user + 1]; i++)
        ended_s = users->ended_s[i] > ended_s ? users->ended_s[i] : ended_s;
    double days = (double)(ended_s - loom_user_begin(users, user)) / DAY_S;
    return (double)(users->first[user + 1] - users->first[user]) / fmax(days, 1);
}

static int measure_users(struct loom_user_metrics *out, const struct loom_users *users,
                         struct loom_error *err)
{
    size_t n = users->count;
    double *values = malloc((n + 1) * sizeof *values);
    if (!values)
        return loom_fail_memory(err);
    for (size_t user = 0; user < n; user++)
        values[user] = active_weeks(users, user);
    describe(&out->active_weeks_mean, &out->active_weeks_median, values, n);
    for (size_t user = 0; user < n; user++)
        values[user] = (double)(loom_user_end(users, user) - loom_user_begin(users, user));
    describe(&out->activity_mean_s, &out->activity_median_s, values, n);
    for (size_t user = 0; user < n; user++)
        values[user] = jobs_per_day(users, user);
    describe(&out->jobs_per_day_mean, &out->jobs_per_day_median, values, n);
    out->users = (int64_t)n;
    free(values);
    return 0;
}

static int measure_sessions(struct loom_user_metrics *out, const struct loom_users *users,
                            const struct loom_session_rule *rule, struct loom_error *err)
{
    const struct loom_session_rule usual = loom_session_rule(LOOM_SESSION_ARRIVAL);
    struct loom_sessions *sessions = NULL;
    int rc = loom_sessions_create(&sessions, users, rule ? rule : &usual, err);
    if (rc)
        return rc;
    double *values = malloc((sessions->count + 1) * sizeof *values);
    for (size_t s = 0; values && s < sessions->count; s++)
        values[s] = (double)sessions->length_s[s];
    if (values)
        describe(&out->session_mean_s, &out->session_median_s, values, sessions->count);
    out->sessions = (int64_t)sessions->count;
    rc = values ? 0 : loom_fail_memory(err);
    free(values);
    loom_sessions_destroy(sessions);
    return rc;
}

int loom_user_metrics(struct loom_user_metrics *out, const struct loom_sim *sim,
                      const struct loom_session_rule *rule, struct loom_error *err)
{
    struct columns columns;
    struct loom_users *users = NULL;
    *out = (struct loom_user_metrics){0};
    int rc = take_columns(&columns, sim, err);
    if (!rc)
        rc = loom_users_create(&users,
                               &(struct loom_activity){sim->n_jobs, columns.user, columns.submit_s,
                                                       columns.wait_s, columns.run_s},
                               err);
    free_columns(&columns);
    if (!rc)
        rc = measure_users(out, users, err);
    if (!rc)
        rc = measure_sessions(out, users, rule, err);
    loom_users_destroy(users);
    return rc;
}

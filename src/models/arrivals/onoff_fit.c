/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fit on and off periods to a log. A user is on for a session, which is jobs at most an hour apart
 * (Zakay 2.2, by arrivals), and off until the next one. The k jobs of a session of length l stand
 * for an on period of l k / (k - 1), as the last of them has its share of it too. A single job has
 * no known length: in the tail it is taken for the mean pace of all others, and in the mean for
 * what periods of one job are expected to last.
 *
 * Tail indices belong to the power-law tail of each sample (Clauset, Shalizi and Newman 2009),
 * which must have at least fifty values, or a tenth of a sample of fewer than 500: a cut-off that
 * leaves fewer is lowered. An index above 2 means a light tail, and kept as it is up to 10.
 * Below 1.2 it is at its bound, since below 1 there is no mean and near it none is seen; where the
 * sample's own index is beyond a bound, the fit says so. The number of users is the one that gives
 * the log's rate of arrivals: those who are there at a time, fewer than ever were.
 *
 * The mean of on periods is the sample's, with periods of one job as above. The mean of absences
 * would be too small: in a log of length T one of length x is seen whole if it starts in the first
 * T - x of it, so that the density of those seen is f(x) (1 - x / T), up to a factor, and nothing
 * is seen above T. The tail index and the mean are taken from the Pareto distribution f of which
 * such a sample is expected.
 */
#include "models/arrivals/onoff.h"

#include "stats/dist/dist.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <workloom/users.h>

enum { LEAST_PERIODS = 20, LEAST_TAIL = 50 };
static const double LEAST_ALPHA = 1.2, MOST_ALPHA = 10;

struct sample {
    size_t n;
    double *length_s;
    double sum_s;
    double singles, single_s; /* on periods of one job, and their length in the sum */
};

static void onoff_add(struct sample *sample, double length_s)
{
    sample->length_s[sample->n++] = length_s;
    sample->sum_s += length_s;
}

static double on_period(const struct loom_sessions *sessions, size_t session, double pace_s)
{
    double jobs = (double)(sessions->first[session + 1] - sessions->first[session]);
    double length_s = (double)sessions->length_s[session] * jobs / (jobs - 1);
    return jobs > 1 && length_s > 0 ? length_s : pace_s;
}

/* Between jobs of a session. */
static double mean_pace(const struct loom_sessions *sessions)
{
    double length_s = 0, gaps = 0;
    for (size_t s = 0; s < sessions->count; s++) {
        length_s += (double)sessions->length_s[s];
        gaps += (double)(sessions->first[s + 1] - sessions->first[s] - 1);
    }
    return gaps > 0 ? fmax(length_s / gaps, 1) : 1;
}

static void take_periods(struct sample *on, struct sample *off, const struct loom_users *users,
                         const struct loom_sessions *sessions)
{
    double pace_s = on->single_s = mean_pace(sessions);
    for (size_t user = 0; user < users->count; user++) {
        double ended_s = 0;
        for (size_t s = sessions->user_session[user]; s < sessions->user_session[user + 1]; s++) {
            double begin_s = (double)users->submit_s[sessions->first[s]];
            double length_s = on_period(sessions, s, pace_s);
            onoff_add(on, length_s);
            on->singles += sessions->first[s + 1] - sessions->first[s] == 1;
            if (s > sessions->user_session[user])
                onoff_add(off, fmax(begin_s - ended_s, 1));
            ended_s = begin_s + length_s;
        }
    }
}

/* The largest `n` values, and those equal to the smallest of them, as a tail. */
static struct loom_tail tail_of(const struct sample *sample, size_t n)
{
    const double *x = sample->length_s;
    struct loom_tail tail = {.xmin = x[sample->n - n], .n_tail = n};
    double logs = 0;
    while (tail.n_tail < sample->n && x[sample->n - tail.n_tail - 1] >= tail.xmin)
        tail.n_tail++;
    for (size_t i = sample->n - tail.n_tail; i < sample->n; i++)
        logs += log(x[i] / tail.xmin);
    tail.alpha = logs > 0 ? 1 + (double)tail.n_tail / logs : 1 + MOST_ALPHA;
    return tail;
}

static int find_tail(struct loom_tail *out, struct sample *sample, struct loom_error *err)
{
    size_t least = sample->n / 10 < LEAST_TAIL ? sample->n / 10 : LEAST_TAIL;
    int rc = loom_sort(sample->length_s, sample->n, err);
    if (!rc)
        rc = loom_power_tail(out, sample->length_s, sample->n, err);
    if (!rc && out->n_tail < least)
        *out = tail_of(sample, least);
    return rc;
}

/* Say where the index of the sample is beyond what the model can have. */
static void note_bound(struct loom_onoff *onoff, const char *which, double own)
{
    size_t used = strlen(onoff->remark);
    if (own >= LEAST_ALPHA && own <= MOST_ALPHA)
        return;
    snprintf(onoff->remark + used, sizeof onoff->remark - used,
             "%s%s.alpha is at its bound, %g: the log's own tail index is %.2f%s", used ? "; " : "",
             which, own < LEAST_ALPHA ? LEAST_ALPHA : MOST_ALPHA, own,
             own < 1 ? ", which has no mean" : "");
}

/* The mean length of an on period of one job, over the mean of all: periods of at most one and a
 * half paces. A ratio of lengths, it depends on no unit of time. */
static double single_part(double alpha, double jobs)
{
    struct loom_periods on = {.alpha = alpha, .mean_s = 1};
    double shortest = (alpha - 1) / alpha, longest = 1.5 * loom_onoff_pace(&on, jobs, false);
    if (longest <= shortest)
        return shortest;
    double ratio = shortest / longest;
    return (1 - pow(ratio, alpha - 1)) / (1 - pow(ratio, alpha));
}

static int fit_on(struct loom_onoff *onoff, struct sample *sample, struct loom_error *err)
{
    struct loom_periods *out = &onoff->on;
    struct loom_tail tail;
    int rc = find_tail(&tail, sample, err);
    if (rc)
        return rc;
    note_bound(onoff, "on", tail.alpha - 1);
    out->alpha = fmax(LEAST_ALPHA, fmin(tail.alpha - 1, MOST_ALPHA));
    double several_s = sample->sum_s - sample->singles * sample->single_s;
    double several =
        (double)sample->n - sample->singles * single_part(out->alpha, onoff->jobs_per_on);
    out->mean_s = several_s > 0 ? several_s / several : sample->single_s;
    return 0;
}

/* ---- absences, as a log of limited length shows them ----------------------------------------- */

/* Those at or above a smallest one: their mean, or the mean of their logarithms over the smallest,
 * and the length of the log. */
struct seen {
    double mean_s, mean_log;
    double shortest_s, alpha;
    double span_s;
};

/* The integral from 1 to x of t^-a. */
static double power_integral(double a, double x)
{
    return fabs(a - 1) < 1e-9 ? log(x) : (1 - pow(x, 1 - a)) / (a - 1);
}

/* The integral from 1 to x of t^-a log t, for a above 1. */
static double log_integral(double a, double x)
{
    return (power_integral(a, x) - pow(x, 1 - a) * log(x)) / (a - 1);
}

/* The mean of those seen if the shortest is that long, less the one there is. */
static double excess_mean(double shortest_s, void *context)
{
    const struct seen *seen = context;
    double a = seen->alpha, x = seen->span_s / shortest_s;
    double whole = power_integral(a + 1, x) - power_integral(a, x) / x;
    double first = power_integral(a, x) - power_integral(a - 1, x) / x;
    return shortest_s * first / whole - seen->mean_s;
}

/* The same for the mean logarithm: at its root the likelihood is largest. */
static double excess_log(double a, void *context)
{
    const struct seen *seen = context;
    double x = seen->span_s / seen->shortest_s;
    double whole = power_integral(a + 1, x) - power_integral(a, x) / x;
    double logs = log_integral(a + 1, x) - log_integral(a, x) / x;
    return logs / whole - seen->mean_log;
}

static int fit_off(struct loom_onoff *onoff, struct sample *sample, double span_s,
                   struct loom_error *err)
{
    enum { HEAVIEST = 50 }; /* in hundredths: no index is looked for below */
    struct loom_tail tail;
    int rc = find_tail(&tail, sample, err);
    if (rc)
        return rc;
    struct seen seen = {.mean_s = sample->sum_s / (double)sample->n,
                        .shortest_s = tail.xmin,
                        .span_s = fmax(span_s, sample->length_s[sample->n - 1])};
    for (size_t i = sample->n - tail.n_tail; i < sample->n; i++)
        seen.mean_log += log(sample->length_s[i] / tail.xmin) / (double)tail.n_tail;
    loom_root(&seen.alpha, excess_log, &seen, HEAVIEST / 100.0, MOST_ALPHA + 1, 1e-9);
    note_bound(onoff, "off", seen.alpha);
    seen.alpha = fmax(LEAST_ALPHA, fmin(seen.alpha, MOST_ALPHA));
    double a = seen.alpha, shortest_s;
    loom_root(&shortest_s, excess_mean, &seen, seen.mean_s * (a - 1) / a, seen.mean_s, 1e-9);
    onoff->off = (struct loom_periods){.alpha = a, .mean_s = shortest_s * a / (a - 1)};
    return 0;
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* Whole users, and the off time with which they have the log's rate. */
static void fit_users(struct loom_onoff *onoff, double jobs_per_s)
{
    double cycle_s = onoff->on.mean_s + onoff->off.mean_s;
    double users = fmax(1, round(jobs_per_s * cycle_s / onoff->jobs_per_on));
    double off_s = users * onoff->jobs_per_on / jobs_per_s - onoff->on.mean_s;
    onoff->users = (int64_t)users;
    if (off_s > 0)
        onoff->off.mean_s = off_s;
}

static int fit_samples(struct loom_onoff *onoff, const struct loom_training *log,
                       const struct loom_users *users, const struct loom_sessions *sessions,
                       struct loom_error *err)
{
    struct sample on = {.length_s = malloc((sessions->count + 1) * sizeof(double))};
    struct sample off = {.length_s = malloc((sessions->count + 1) * sizeof(double))};
    int rc = on.length_s && off.length_s ? 0 : loom_fail_memory(err);
    if (!rc)
        take_periods(&on, &off, users, sessions);
    if (!rc && off.n < LEAST_PERIODS)
        rc = loom_fail(err, LOOM_EDATA,
                       "onoff needs at least %d returns of known users to be fitted to, and there "
                       "are %zu; mmwm makes bursty arrivals, and asks for no users",
                       LEAST_PERIODS, off.n);
    if (!rc) {
        onoff->jobs_per_on = fmax((double)users->n / (double)sessions->count, 1.001);
        rc = fit_on(onoff, &on, err);
    }
    if (!rc)
        rc = fit_off(onoff, &off, (double)log->jobs->span_s, err);
    if (!rc)
        fit_users(onoff, (double)log->jobs->n / (double)log->jobs->span_s);
    free(on.length_s);
    free(off.length_s);
    return rc;
}

int loom_onoff_fit(void *state, const struct loom_training *log, struct loom_error *err)
{
    const struct loom_workload *jobs = log->jobs;
    struct loom_activity activity = {.n = jobs->n,
                                     .user = jobs->user,
                                     .submit_s = jobs->submit_s,
                                     .wait_s = jobs->wait_s,
                                     .run_s = jobs->run_s};
    struct loom_session_rule rule = loom_session_rule(LOOM_SESSION_ARRIVAL);
    struct loom_users *users = NULL;
    struct loom_sessions *sessions = NULL;
    int rc = loom_users_create(&users, &activity, err);
    if (!rc)
        rc = loom_sessions_create(&sessions, users, &rule, err);
    if (!rc)
        rc = fit_samples(state, log, users, sessions, err);
    loom_sessions_destroy(sessions);
    loom_users_destroy(users);
    return rc;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The mixed model from the users of a log.
 *
 * The long-term users of TBUOS are always there: each starts again after the last job, at the same
 * second of the week. One who has n jobs in a round of w weeks submits n / w jobs a week under the
 * service of the log, and N users who together submit as much have a cycle of N over the sum of
 * these rates. The cycle is Z + R, with R = wait + S at the server; so Z = cycle - wait - S. Jobs
 * of one user that wait at the same time, of which the model knows nothing, share that wait. S is
 * the mean over jobs as they are submitted then: users with short rounds submit theirs more often.
 *
 * Temporary users bring the jobs that they and the discarded ones have in the log.
 */
#include "experiment/queueing_sessions.h"

#include <math.h>

#define WEEK_S (7 * 86400.0)

/* Sums over the jobs of a kind of users. */
struct sums {
    double jobs, wait, response, think, gaps; /* wait: time with at least one job waiting */
    double rate;                              /* of rounds, jobs per second */
    double known_rate;                        /* of these, jobs whose work is known */
    double work_rate;                         /* processor seconds per second */
};

/* The length of a round, from the first submission to the last end, in whole weeks. */
static double round_s(const struct loom_users *users, size_t user)
{
    int64_t end_s = 0, begin_s = loom_user_begin(users, user);
    for (size_t k = users->first[user]; k < users->first[user + 1]; k++)
        end_s = users->ended_s[k] > end_s ? users->ended_s[k] : end_s;
    double weeks = ceil((double)(end_s - begin_s) / WEEK_S);
    return (weeks > 1 ? weeks : 1) * WEEK_S;
}

static double log_s(const struct loom_users *users)
{
    return (double)(users->end_s - users->begin_s) + 1;
}

/* Add the work of a job that comes once in period_s. */
static void add_work(struct sums *to, const struct loom_jobs *jobs, size_t row, double period_s)
{
    int32_t width = loom_job_procs(jobs, row);
    if (width <= 0 || jobs->run_s[row] < 0)
        return;
    to->work_rate += (double)width * (double)jobs->run_s[row] / period_s;
    to->known_rate += 1 / period_s;
}

static void add_user(struct sums *to, const struct loom_users *users, const struct loom_jobs *jobs,
                     size_t user, double period_s)
{
    size_t begin = users->first[user], end = users->first[user + 1];
    struct loom_waiting waiting = {INT64_MIN};
    for (size_t k = begin; k < end; k++) {
        to->wait += loom_waiting_add(&waiting, users->submit_s[k], jobs->wait_s[users->job[k]]);
        to->response += (double)(users->ended_s[k] - users->submit_s[k]);
        add_work(to, jobs, users->job[k], period_s);
        if (k > begin) {
            double gap = (double)(users->submit_s[k] - users->ended_s[k - 1]);
            to->think += gap > 0 ? gap : 0;
            to->gaps++;
        }
    }
    to->jobs += (double)(end - begin);
    to->rate += (double)(end - begin) / period_s;
}

/* The machine's seconds per job. */
static double service_of(const struct sums *kinds, int64_t procs)
{
    double work = 0, known = 0;
    for (size_t kind = 0; kind < LOOM_USER_KINDS; kind++) {
        work += kinds[kind].work_rate;
        known += kinds[kind].known_rate;
    }
    return known > 0 && procs > 0 ? work / known / (double)procs : 0;
}

static void set_mixed(struct loom_queueing_fit *out, const struct sums *kinds)
{
    const struct sums *stay = &kinds[LOOM_LONG_TERM];
    out->users = out->long_term;
    if (stay->jobs > 0) {
        out->cycle_s = (double)out->users / stay->rate;
        out->wait_s = stay->wait / stay->jobs;
        out->response_s = stay->response / stay->jobs;
        out->think_s = fmax(0, out->cycle_s - out->wait_s - out->service_s);
    }
}

/* As many temporary users arrive as bring the jobs of the discarded ones too. */
static void set_temporary(struct loom_queueing_fit *out, const struct sums *kinds)
{
    const struct sums *come = &kinds[LOOM_TEMPORARY];
    if (out->temporary == 0)
        return;
    out->lambda = come->rate + kinds[LOOM_DISCARDED].rate;
    out->jobs_per_user = come->jobs / (double)out->temporary;
    out->user_lambda = out->lambda / out->jobs_per_user;
    out->repeat = out->jobs_per_user > 1 ? 1 - 1 / out->jobs_per_user : 0;
    out->user_think_s = come->gaps > 0 ? come->think / come->gaps : 0;
}

static int fit_pools(struct loom_queueing_fit *out, const struct loom_trace *trace,
                     const struct loom_users *users, const struct loom_user_pools *pools,
                     int64_t procs, struct loom_error *err)
{
    struct sums kinds[LOOM_USER_KINDS] = {0};
    out->long_term = pools->count[LOOM_LONG_TERM];
    out->temporary = pools->count[LOOM_TEMPORARY];
    if (out->long_term + out->temporary == 0)
        return loom_fail(err, LOOM_EDATA,
                         "no user of the log is long-term or temporary: it is too short");
    for (size_t u = 0; u < users->count; u++)
        add_user(&kinds[pools->kind[u]], users, loom_trace_jobs(trace), u,
                 pools->kind[u] == LOOM_LONG_TERM ? round_s(users, u) : log_s(users));
    out->service_s = service_of(kinds, procs);
    if (out->service_s <= 0)
        return loom_fail(err, LOOM_EDATA, "no job has a known runtime and number of processors");
    set_temporary(out, kinds);
    set_mixed(out, kinds);
    return loom_queueing_fit_all_sessions(&out->sessions, trace, users, procs, err);
}

int loom_queueing_fit(struct loom_queueing_fit *out, const struct loom_trace *trace, int64_t procs,
                      const struct loom_user_rule *rule, struct loom_error *err)
{
    const struct loom_user_rule usual = loom_user_rule();
    const struct loom_activity activity = loom_trace_activity(trace);
    struct loom_queueing_fit fit = {0};
    struct loom_users *users = NULL;
    struct loom_user_pools *pools = NULL;
    int rc = loom_users_create(&users, &activity, err);
    if (!rc && users->count == 0)
        rc = loom_fail(err, LOOM_EDATA, "no job has a user ID");
    if (!rc)
        rc = loom_user_pools_create(&pools, users, rule ? rule : &usual, err);
    if (!rc)
        rc = fit_pools(&fit, trace, users, pools, procs > 0 ? procs : loom_trace_max_procs(trace),
                       err);
    if (!rc)
        *out = fit;
    loom_user_pools_destroy(pools);
    loom_users_destroy(users);
    return rc;
}

struct loom_queueing_model loom_queueing_fit_mixed(const struct loom_queueing_fit *fit,
                                                   double load_factor)
{
    struct loom_queueing_model model = loom_queueing_model();
    model.lambda = fit->lambda * load_factor;
    model.closed = (uint64_t)llround((double)fit->users * load_factor);
    model.think.mean = fit->think_s;
    model.service = fit->service_s;
    return model;
}

struct loom_queueing_model loom_queueing_fit_reopen(const struct loom_queueing_fit *fit,
                                                    double load_factor)
{
    struct loom_queueing_model model = loom_queueing_fit_mixed(fit, load_factor);
    model.lambda = fit->user_lambda * load_factor;
    model.repeat = (struct loom_repeat){LOOM_REPEAT_CONSTANT, fit->repeat};
    return model;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Semi-open queueing models from the users of a log.
 *
 * The long-term users of TBUOS are always there: each starts again after the last job, at the same
 * second of the week. One who has n jobs in a round of w weeks submits n / w jobs a week under the
 * service of the log, and N users who together submit as much have a cycle of N over the sum of
 * these rates. The cycle is Z + R, with R = wait + S at the server; so Z = cycle - wait - S. Jobs
 * of one user that wait at the same time, of which the model knows nothing, share that wait.
 */
#include <workloom/experiment_queueing.h>

#include <math.h>

#define WEEK_S (7 * 86400.0)

/* Sums over the jobs of a kind of users. */
struct sums {
    double jobs, wait, response, think, gaps; /* wait: time with at least one job waiting */
    double rate;                              /* of rounds, jobs per second */
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

static void add_user(struct sums *to, const struct loom_users *users, const struct loom_jobs *jobs,
                     size_t user)
{
    size_t begin = users->first[user], end = users->first[user + 1];
    int64_t waited_s = INT64_MIN; /* until when waits are counted */
    for (size_t k = begin; k < end; k++) {
        int64_t wait_s = jobs->wait_s[users->job[k]], from_s = users->submit_s[k];
        int64_t start_s = from_s + (wait_s > 0 ? wait_s : 0);
        from_s = from_s > waited_s ? from_s : waited_s;
        to->wait += start_s > from_s ? (double)(start_s - from_s) : 0;
        waited_s = start_s > waited_s ? start_s : waited_s;
        to->response += (double)(users->ended_s[k] - users->submit_s[k]);
        if (k > begin) {
            double gap = (double)(users->submit_s[k] - users->ended_s[k - 1]);
            to->think += gap > 0 ? gap : 0;
            to->gaps++;
        }
    }
    to->jobs += (double)(end - begin);
    to->rate += (double)(end - begin) / round_s(users, user);
}

/* The machine's seconds per job, over jobs whose work is known. */
static double service_of(const struct loom_trace *trace, int64_t procs)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    double work = 0, known = 0;
    for (size_t i = 0; i < loom_trace_count(trace); i++) {
        int32_t width = loom_job_procs(jobs, i);
        if (width <= 0 || jobs->run_s[i] < 0)
            continue;
        work += (double)width * (double)jobs->run_s[i];
        known++;
    }
    return known > 0 && procs > 0 ? work / known / (double)procs : 0;
}

static void set_mixed(struct loom_queueing_fit *out, const struct sums *kinds, double arrivals)
{
    const struct sums *stay = &kinds[LOOM_LONG_TERM];
    out->users = out->long_term;
    out->lambda = arrivals * out->jobs_per_user / WEEK_S;
    if (stay->jobs > 0) {
        out->cycle_s = (double)out->users / stay->rate;
        out->wait_s = stay->wait / stay->jobs;
        out->response_s = stay->response / stay->jobs;
        out->think_s = fmax(0, out->cycle_s - out->wait_s - out->service_s);
    }
}

static void set_reopen(struct loom_queueing_fit *out, const struct sums *kinds, double arrivals)
{
    const struct sums *come = &kinds[LOOM_TEMPORARY];
    out->user_lambda = arrivals / WEEK_S;
    out->jobs_per_user = out->temporary > 0 ? come->jobs / (double)out->temporary : 0;
    out->repeat = out->jobs_per_user > 1 ? 1 - 1 / out->jobs_per_user : 0;
    out->user_think_s = come->gaps > 0 ? come->think / come->gaps : 0;
}

static int fit_pools(struct loom_queueing_fit *out, const struct loom_trace *trace,
                     const struct loom_users *users, const struct loom_user_pools *pools,
                     struct loom_error *err)
{
    struct sums kinds[LOOM_USER_KINDS] = {0};
    out->long_term = pools->count[LOOM_LONG_TERM];
    out->temporary = pools->count[LOOM_TEMPORARY];
    if (out->long_term + out->temporary == 0)
        return loom_fail(err, LOOM_EDATA,
                         "no user of the log is long-term or temporary: it is too short");
    if (out->service_s <= 0)
        return loom_fail(err, LOOM_EDATA, "no job has a known runtime and number of processors");
    for (size_t u = 0; u < users->count; u++)
        add_user(&kinds[pools->kind[u]], users, loom_trace_jobs(trace), u);
    double arrivals = out->temporary > 0 ? loom_temporary_arrivals(users, pools) : 0;
    set_reopen(out, kinds, arrivals);
    set_mixed(out, kinds, arrivals);
    return 0;
}

int loom_queueing_fit(struct loom_queueing_fit *out, const struct loom_trace *trace, int64_t procs,
                      const struct loom_user_rule *rule, struct loom_error *err)
{
    const struct loom_user_rule usual = loom_user_rule();
    const struct loom_activity activity = loom_trace_activity(trace);
    struct loom_queueing_fit fit = {
        .service_s = service_of(trace, procs > 0 ? procs : loom_trace_max_procs(trace))};
    struct loom_users *users = NULL;
    struct loom_user_pools *pools = NULL;
    int rc = loom_users_create(&users, &activity, err);
    if (!rc && users->count == 0)
        rc = loom_fail(err, LOOM_EDATA, "no job has a user ID");
    if (!rc)
        rc = loom_user_pools_create(&pools, users, rule ? rule : &usual, err);
    if (!rc)
        rc = fit_pools(&fit, trace, users, pools, err);
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

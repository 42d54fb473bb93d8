/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The re-open model of a log: all users are temporary and come for a session.
 *
 * Shmueli and Feitelson measured the probability of a user to continue a session against the
 * response time, with sessions that end at a think time of more than 20 minutes from the end of the
 * last job. Jobs submitted before that end did not wait for the response; they belong to one batch,
 * and the decision to go on follows each batch. The model serves a batch as one job.
 *
 * A rule has one value. It is chosen so that the rule expects as many further batches under the
 * responses of the log as there were, which keeps the load at the log's. (The likelihood would be
 * 0 for exp(-r) where a user left after a response of 0.)
 */
#include "experiment/queueing_sessions.h"
#include "stats/dist/dist.h"

#include <workloom/stats_intervals.h>

#include <math.h>
#include <stdlib.h>

/* A batch, and what its user did next. */
struct visit {
    double response_s; /* in the model: waiting, and the share of the machine */
    double log_response_s;
    bool again;
};

struct visits {
    struct visit *of;
    double *service_s;
    size_t n, again;
    double think_s; /* sum */
};

/* ---- batches --------------------------------------------------------------------------------- */

/* Add the batch of positions begin to end - 1; next is the position of the next batch if it belongs
 * to the same session, else 0. */
static void add_visit(struct visits *to, const struct loom_users *users,
                      const struct loom_jobs *jobs, double procs, size_t begin, size_t end,
                      size_t next)
{
    struct loom_waiting waiting = {INT64_MIN};
    double wait_s = 0, work = 0;
    for (size_t k = begin; k < end; k++) {
        uint32_t row = users->job[k];
        int32_t width = loom_job_procs(jobs, row);
        wait_s += loom_waiting_add(&waiting, users->submit_s[k], jobs->wait_s[row]);
        if (width > 0 && jobs->run_s[row] > 0)
            work += (double)width * (double)jobs->run_s[row];
    }
    struct visit *visit = &to->of[to->n];
    to->service_s[to->n++] = work / procs;
    *visit = (struct visit){.response_s = wait_s + work / procs,
                            .log_response_s =
                                (double)(users->ended_s[end - 1] - users->submit_s[end - 1]),
                            .again = next > 0};
    if (next > 0) { /* earlier jobs of a batch may wait even after that */
        double cycle_s = (double)(users->submit_s[next] - users->submit_s[begin]);
        to->again++;
        to->think_s += fmax(0, cycle_s - visit->response_s);
    }
}

static void add_visits(struct visits *to, const struct loom_trace *trace,
                       const struct loom_users *users, const struct loom_sessions *sessions,
                       double procs)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    for (size_t s = 0; s < sessions->count; s++)
        for (size_t b = sessions->first_batch[s]; b < sessions->first_batch[s + 1]; b++) {
            size_t end = sessions->batch_first[b + 1];
            add_visit(to, users, jobs, procs, sessions->batch_first[b], end,
                      b + 1 < sessions->first_batch[s + 1] ? end : 0);
        }
}

/* ---- rules ----------------------------------------------------------------------------------- */

struct calibration {
    const struct visits *visits;
    enum loom_repeat_rule rule;
    bool in_log; /* by responses in the log, in minutes */
};

/* How many more batches a rule expects than there were, by the logarithm of its value. */
static double excess(double log_value, void *context)
{
    const struct calibration *of = context;
    const struct loom_repeat repeat = {of->rule, exp(log_value)};
    double expected = 0;
    for (size_t i = 0; i < of->visits->n; i++) {
        const struct visit *visit = &of->visits->of[i];
        expected += loom_repeat_probability(&repeat, of->in_log ? visit->log_response_s / 60
                                                                : visit->response_s);
    }
    return expected - (double)of->visits->again;
}

/* The value of a rule that falls with the response; NAN if even the extremes miss the log: more
 * users go on than the rule has at a response of 0, or more have that response than go on. */
static double fit_value(const struct visits *visits, enum loom_repeat_rule rule, bool in_log)
{
    const double low = log(1e-12), high = log(1e3);
    struct calibration of = {visits, rule, in_log};
    double root = NAN;
    if (!(excess(low, &of) > 0 && excess(high, &of) < 0))
        return NAN;
    return loom_root(&root, excess, &of, low, high, 1e-12) < 0 ? NAN : exp(root);
}

/* ---- bins ------------------------------------------------------------------------------------ */

static int by_response(const void *a, const void *b)
{
    double x = ((const struct visit *)a)->response_s, y = ((const struct visit *)b)->response_s;
    return (x > y) - (x < y);
}

/* Batches in order of their response, in bins of equally many; equal responses stay together. */
static int fill_bins(struct loom_queueing_sessions *out, const struct visits *visits,
                     struct loom_error *err)
{
    size_t begin = 0;
    int rc = 0;
    for (size_t b = 1; b <= LOOM_QUEUEING_RESPONSE_BINS && !rc; b++) {
        size_t end = visits->n * b / LOOM_QUEUEING_RESPONSE_BINS;
        while (end > begin && end < visits->n &&
               visits->of[end].response_s == visits->of[end - 1].response_s)
            end++;
        if (end <= begin)
            continue;
        struct loom_queueing_bin *bin = &out->bins[out->n_bins++];
        struct loom_interval interval;
        double again = 0, sum = 0;
        for (size_t i = begin; i < end; i++) {
            again += visits->of[i].again;
            sum += visits->of[i].response_s;
        }
        rc = loom_share_interval(&interval, again, end - begin, 0.95, err);
        double n = (double)(end - begin);
        *bin = (struct loom_queueing_bin){sum / n, again / n, interval.low, interval.high,
                                          end - begin};
        begin = end;
    }
    return rc;
}

/* The difference between what a rule expects at each batch and what was seen, over bins. */
static double misfit_of(const struct loom_repeat *repeat, const struct loom_queueing_sessions *of,
                        const struct visits *visits)
{
    double squares = 0;
    size_t at = 0;
    for (size_t b = 0; b < of->n_bins; b++) {
        double expected = 0, n = (double)of->bins[b].batches;
        for (size_t end = at + of->bins[b].batches; at < end; at++)
            expected += loom_repeat_probability(repeat, visits->of[at].response_s);
        double off = expected / n - of->bins[b].share;
        squares += n * off * off;
    }
    return sqrt(squares / (double)visits->n);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void fit_rules(struct loom_queueing_sessions *out, const struct visits *visits)
{
    for (size_t i = 0; i < LOOM_QUEUEING_RULE_FITS; i++) {
        struct loom_queueing_rule_fit *fit = &out->rules[i];
        enum loom_repeat_rule rule = (enum loom_repeat_rule)(LOOM_REPEAT_CONSTANT + i);
        double value = rule == LOOM_REPEAT_CONSTANT ? (double)visits->again / (double)visits->n
                                                    : fit_value(visits, rule, false);
        fit->repeat = (struct loom_repeat){rule, value};
        fit->misfit = isnan(value) ? NAN : misfit_of(&fit->repeat, out, visits);
    }
    out->shmueli_per_minute = fit_value(visits, LOOM_REPEAT_SHMUELI, true);
}

/* Fit the service times of batches. Their mean alone is not enough where p depends on the response:
 * most batches are far shorter. */
static int fit_service(struct loom_queueing_sessions *out, const struct visits *visits,
                       struct loom_error *err)
{
    struct loom_fit fit;
    double sum = 0;
    for (size_t i = 0; i < visits->n; i++)
        sum += visits->service_s[i];
    out->service_s = sum / (double)visits->n;
    int rc = loom_dist_fit(&fit, "hyperexponential:3", visits->service_s, NULL, visits->n, err);
    if (rc == LOOM_ENOMEM)
        return rc;
    if (!rc)
        out->service_dist = fit.dist;
    return 0;
}

static int fit_visits(struct loom_queueing_sessions *out, struct visits *visits,
                      const struct loom_users *users, struct loom_error *err)
{
    double log_s = (double)(users->end_s - users->begin_s) + 1;
    out->lambda = (double)out->sessions / log_s;
    out->think_s = visits->again > 0 ? visits->think_s / (double)visits->again : 0;
    qsort(visits->of, visits->n, sizeof *visits->of, by_response);
    int rc = fit_service(out, visits, err);
    if (!rc)
        rc = fill_bins(out, visits, err);
    if (!rc)
        fit_rules(out, visits);
    return rc;
}

int loom_queueing_fit_all_sessions(struct loom_queueing_sessions *out,
                                   const struct loom_trace *trace, const struct loom_users *users,
                                   int64_t procs, struct loom_error *err)
{
    const struct loom_session_rule rule = loom_session_rule(LOOM_SESSION_LAST);
    struct loom_sessions *sessions = NULL;
    struct visits visits = {0};
    int rc = loom_sessions_create(&sessions, users, &rule, err);
    if (rc)
        return rc;
    *out = (struct loom_queueing_sessions){.sessions = sessions->count,
                                           .batches = sessions->batches,
                                           .jobs = users->n};
    visits.of = calloc(sessions->batches + 1, sizeof *visits.of);
    visits.service_s = calloc(sessions->batches + 1, sizeof *visits.service_s);
    if (visits.of && visits.service_s) {
        add_visits(&visits, trace, users, sessions, (double)procs);
        rc = fit_visits(out, &visits, users, err);
    } else {
        rc = loom_fail_memory(err);
    }
    free(visits.of);
    free(visits.service_s);
    loom_sessions_destroy(sessions);
    return rc;
}

struct loom_queueing_model loom_queueing_fit_sessions(const struct loom_queueing_fit *fit,
                                                      size_t rule, double load_factor)
{
    struct loom_queueing_model model = loom_queueing_model();
    model.lambda = fit->sessions.lambda * load_factor;
    model.repeat = fit->sessions.rules[rule].repeat;
    model.think.mean = fit->sessions.think_s;
    model.service = fit->sessions.service_s;
    if (model.repeat.rule > LOOM_REPEAT_CONSTANT) /* else it does not change the throughput */
        model.service_dist = fit->sessions.service_dist;
    return model;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How much of their own users keep to, so that they have as few values as in the log.
 *
 * A request is the one before, another of the user's own values or a new one, as accounts allow,
 * and no formula tells how many different values that makes. So the model asks for the log's own
 * jobs, always with the same random numbers, and what it makes of them is compared with the log:
 * `novelty` is moved until there are as many pairs of user and value, and each of the two
 * probabilities of keeping until as many bundles ask as the user's bundle before did, among those
 * of the same size and among the others.
 *
 * The shares that the log was made by are not known, but those found in it, in which whatever
 * excess the accounts allowed is a share of its own. Such shares are alike in more classes, so that
 * more requests can be kept. By how much shows when the model is fitted to its own requests, and
 * what is wanted is multiplied by that: so a model's parameters come back from what it makes.
 */
#include "base/sort.h"
#include "models/estimates.h"

#include <workloom/users.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double LEAST_NOVELTY = 0.003;

struct trial {
    const struct loom_training *log;
    struct loom_estimate_model *model;
    struct loom_weave weave;
    const struct loom_users *users;
    struct loom_requests jobs;
    int64_t *codes; /* room for one of each job */
};

/* What is compared: pairs of user and value, and first jobs of bundles that ask as the user's job
 * before, by whether they are of the same size. */
struct outcome {
    double values, same, other;
};

static void look_at_pair(struct outcome *outcome, const struct trial *trial,
                         const int64_t *estimate_s, uint32_t a, uint32_t b)
{
    if (estimate_s[a] != estimate_s[b] || loom_requests_follow(&trial->jobs, a, b))
        return;
    ++*(trial->jobs.procs[a] == trial->jobs.procs[b] ? &outcome->same : &outcome->other);
}

static struct outcome look_at(const struct trial *trial, const int64_t *estimate_s)
{
    enum { VALUE_BITS = 40 };
    const struct loom_users *users = trial->users;
    struct outcome outcome = {0};
    size_t n = 0;
    for (size_t user = 0; user < users->count; user++) {
        uint32_t before = UINT32_MAX;
        for (size_t i = users->first[user]; i < users->first[user + 1]; i++) {
            uint32_t job = users->job[i];
            int64_t value_s = estimate_s[job];
            if (value_s <= 0 || value_s >= INT64_C(1) << VALUE_BITS)
                continue;
            if (before < UINT32_MAX)
                look_at_pair(&outcome, trial, estimate_s, before, job);
            before = job;
            trial->codes[n++] = (int64_t)(user << VALUE_BITS) | value_s;
        }
    }
    outcome.values = (double)loom_sort_int64(trial->codes, n);
    return outcome;
}

static void add_outcome(struct outcome *sum, struct outcome outcome)
{
    sum->values += outcome.values;
    sum->same += outcome.same;
    sum->other += outcome.other;
}

static double ratio(double a, double b)
{
    return a > 0 && b > 0 ? a / b : 1;
}

static int try_out(struct outcome *out, struct trial *trial, struct loom_error *err)
{
    int rc = loom_estimates_apply(trial->model, &trial->weave, err);
    if (!rc)
        *out = look_at(trial, trial->weave.draft.estimate_s);
    return rc;
}

/* ---- moving parameters ----------------------------------------------------------------------- */

/* A request that is to be kept is kept if the accounts allow it, and else never: so as many are as
 * the probability says, times what is allowed, which depends on it little. */
static void correct_keeping(double *keep, double got, double wanted)
{
    *keep = !(wanted > 0) ? 0 : got > 0 ? fmin(*keep * wanted / got, 1) : 1;
}

/* Try the model out so many times, each time with better probabilities of keeping, while novelty,
 * by its logarithm, is halved in on from up to a factor away. */
static int move(struct trial *trial, struct outcome wanted, double factor, int steps,
                struct loom_error *err)
{
    struct loom_estimate_model *model = trial->model;
    double at = log(model->novelty);
    double low = fmax(at - log(factor), log(LEAST_NOVELTY)), high = fmin(at + log(factor), 0);
    for (int i = 0; i < steps; i++) {
        struct outcome got;
        at = (low + high) / 2;
        model->novelty = exp(at);
        int rc = try_out(&got, trial, err);
        if (rc)
            return rc;
        *(got.values < wanted.values ? &low : &high) = at;
        correct_keeping(&model->keep_same, got.same, wanted.same);
        correct_keeping(&model->keep_other, got.other, wanted.other);
    }
    model->novelty = exp((low + high) / 2);
    return 0;
}

/* Novelty is looked for everywhere, and then near where keeping less or more has brought it. */
static int approach(struct trial *trial, struct outcome wanted, struct loom_error *err)
{
    static const double FROM = 0.3;
    trial->model->keep_same = trial->model->keep_other = 0.8;
    trial->model->novelty = FROM;
    int rc = move(trial, wanted, 1, 2, err);
    if (!rc)
        rc = move(trial, wanted, FROM / LEAST_NOVELTY, 6, err);
    return rc ? rc : move(trial, wanted, 2, 4, err);
}

/* ---- what fitted shares do ------------------------------------------------------------------- */

/* The same trial with what is fitted to its own outcome in place of the shares. */
static int try_again(struct outcome *out, const struct trial *trial, struct loom_error *err)
{
    struct loom_workload jobs = *trial->log->jobs;
    struct loom_training woven = *trial->log;
    struct loom_estimate_model again;
    jobs.estimate_s = trial->weave.draft.estimate_s;
    woven.jobs = &jobs;
    int rc = loom_estimates_fit_shares(&again, &woven, err);
    if (rc)
        return rc;
    struct trial next = *trial;
    next.model = &again;
    again.keep_same = trial->model->keep_same;
    again.keep_other = trial->model->keep_other;
    again.novelty = trial->model->novelty;
    rc = try_out(out, &next, err);
    loom_estimates_clear(&again);
    return rc;
}

/* By what factors outcomes change when shares are fitted to them. */
static int compare_shares(struct outcome *out, struct trial *trial, struct loom_error *err)
{
    enum { TIMES = 2 };
    struct outcome before = {0}, after = {0};
    int rc = 0;
    for (uint64_t i = 0; i < TIMES && !rc; i++) {
        struct outcome first, then;
        trial->weave.replication = i + 1;
        rc = try_out(&first, trial, err);
        if (!rc)
            rc = try_again(&then, trial, err);
        if (!rc) {
            add_outcome(&before, first);
            add_outcome(&after, then);
        }
    }
    trial->weave.replication = 0;
    *out = (struct outcome){ratio(after.values, before.values), ratio(after.same, before.same),
                            ratio(after.other, before.other)};
    return rc;
}

/* What fitted shares do depends on the parameters, hence twice. */
static int tune(struct trial *trial, struct loom_error *err)
{
    enum { ROUNDS = 2 };
    struct outcome wanted = look_at(trial, trial->log->jobs->estimate_s);
    int rc = approach(trial, wanted, err);
    for (int i = 0; i < ROUNDS && !rc; i++) {
        struct outcome factor;
        rc = compare_shares(&factor, trial, err);
        struct outcome more = {wanted.values * factor.values, wanted.same * factor.same,
                               wanted.other * factor.other};
        if (!rc)
            rc = move(trial, more, 2, 4, err);
    }
    return rc;
}

/* The log's jobs as if they had been woven; those that did not tell what they asked for ask for
 * nothing. */
static int take_draft(struct loom_draft *draft, const struct loom_workload *jobs,
                      struct loom_error *err)
{
    int rc = loom_draft_resize(draft, jobs->n, err);
    if (!rc)
        rc = loom_draft_detail(draft,
                               LOOM_DETAIL_USER | LOOM_DETAIL_GROUP | LOOM_DETAIL_EXECUTABLE |
                                   LOOM_DETAIL_QUEUE,
                               err);
    for (size_t i = 0; i < jobs->n && !rc; i++) {
        draft->submit_s[i] = jobs->submit_s[i];
        draft->run_s[i] = jobs->estimate_s[i] > 0 ? jobs->run_s[i] : -1;
        draft->procs[i] = jobs->procs[i];
        draft->user[i] = jobs->user[i];
        draft->group[i] = jobs->group[i];
        draft->executable[i] = jobs->executable[i];
        draft->queue[i] = jobs->queue[i];
    }
    return rc;
}

int loom_estimates_tune(struct loom_estimate_model *model, const struct loom_training *log,
                        const struct loom_users *users, struct loom_error *err)
{
    struct trial trial = {.log = log,
                          .model = model,
                          .weave = {.seed = 1, .procs = log->procs, .log_procs = log->procs},
                          .users = users};
    const struct loom_workload *jobs = log->jobs;
    trial.jobs = (struct loom_requests){jobs->n,    jobs->submit_s, jobs->run_s,      jobs->procs,
                                        jobs->user, jobs->group,    jobs->executable, jobs->queue};
    model->novelty = 1;
    if (users->n == 0)
        return 0;
    trial.codes = malloc((users->n + 1) * sizeof *trial.codes);
    int rc = trial.codes ? take_draft(&trial.weave.draft, jobs, err) : loom_fail_memory(err);
    if (!rc)
        rc = tune(&trial, err);
    loom_draft_free(&trial.weave.draft);
    free(trial.codes);
    return rc;
}

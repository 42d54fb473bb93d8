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
 */
#include "base/sort.h"
#include "models/estimates.h"

#include <workloom/users.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double LEAST_NOVELTY = 0.003;

struct trial {
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

static int try_out(struct outcome *out, struct trial *trial, struct loom_error *err)
{
    int rc = loom_estimates_apply(trial->model, &trial->weave, err);
    if (!rc)
        *out = look_at(trial, trial->weave.draft.estimate_s);
    return rc;
}

/* A parameter that rises until enough of something comes of it, and where that may be. */
struct range {
    double *at, low, high;
};

static void halve(struct range *range, bool more)
{
    *(more ? &range->low : &range->high) = *range->at;
    *range->at = (range->low + range->high) / 2;
}

/* Its logarithm is what is halved; up to a factor from where it is. */
static int tune_novelty(struct trial *trial, struct outcome wanted, double factor, int steps,
                        struct loom_error *err)
{
    double *novelty = &trial->model->novelty, at = log(*novelty);
    struct range range = {&at, fmax(at - log(factor), log(LEAST_NOVELTY)),
                          fmin(at + log(factor), 0)};
    at = (range.low + range.high) / 2;
    for (int i = 0; i < steps; i++) {
        struct outcome outcome;
        *novelty = exp(at);
        int rc = try_out(&outcome, trial, err);
        if (rc)
            return rc;
        halve(&range, outcome.values < wanted.values);
    }
    *novelty = exp(at);
    return 0;
}

static struct range around(double *at, double width)
{
    struct range range = {at, fmax(*at - width, 0), fmin(*at + width, 1)};
    *at = (range.low + range.high) / 2;
    return range;
}

/* Both probabilities at once, since each says little about the other's bundles. */
static int tune_keeping(struct trial *trial, struct outcome wanted, double width, int steps,
                        struct loom_error *err)
{
    struct range same = around(&trial->model->keep_same, width);
    struct range other = around(&trial->model->keep_other, width);
    for (int i = 0; i < steps; i++) {
        struct outcome outcome;
        int rc = try_out(&outcome, trial, err);
        if (rc)
            return rc;
        halve(&same, outcome.same < wanted.same);
        halve(&other, outcome.other < wanted.other);
    }
    return 0;
}

/* By turns, from everywhere and then from near where the others have brought it. */
static int tune(struct trial *trial, const struct loom_workload *jobs, struct loom_error *err)
{
    struct outcome wanted = look_at(trial, jobs->estimate_s);
    trial->model->novelty = 0.3;
    trial->model->keep_same = trial->model->keep_other = 0.5;
    int rc = tune_keeping(trial, wanted, 0.5, 4, err);
    if (!rc)
        rc = tune_novelty(trial, wanted, 1 / LEAST_NOVELTY, 5, err);
    if (!rc)
        rc = tune_keeping(trial, wanted, 0.2, 4, err);
    if (!rc)
        rc = tune_novelty(trial, wanted, 2, 4, err);
    return rc ? rc : tune_keeping(trial, wanted, 0.1, 3, err);
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
    struct trial trial = {.model = model,
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
        rc = tune(&trial, jobs, err);
    loom_draft_free(&trial.weave.draft);
    free(trial.codes);
    return rc;
}

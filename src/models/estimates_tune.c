/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How much of their own users keep to, so that they have as few values as in the log.
 *
 * A request comes from the one before, from the user's habits or from all there are, and no formula
 * tells how many different values that makes. So the model asks for the log's own jobs, always with
 * the same random numbers, and what it makes of them is compared with the log: `novelty` is moved
 * until there are as many pairs of user and value, and the two probabilities of keeping are lowered
 * by a common factor until as many jobs ask for the same as the user's job before.
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
    int64_t *codes; /* room for one of each job */
};

/* What is compared. */
struct outcome {
    double values; /* pairs of user and value */
    double same;   /* jobs that ask as the user's job before */
};

static struct outcome look_at(struct trial *trial, const int64_t *estimate_s)
{
    enum { VALUE_BITS = 40 };
    const struct loom_users *users = trial->users;
    struct outcome outcome = {0};
    size_t n = 0;
    for (size_t user = 0; user < users->count; user++) {
        int64_t before_s = -1;
        for (size_t i = users->first[user]; i < users->first[user + 1]; i++) {
            int64_t value_s = estimate_s[users->job[i]];
            if (value_s <= 0 || value_s >= INT64_C(1) << VALUE_BITS)
                continue;
            outcome.same += value_s == before_s;
            before_s = value_s;
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

/* Halve what is left of the range of a parameter. */
static int tune_novelty(struct trial *trial, double wanted, int steps, struct loom_error *err)
{
    double low = LEAST_NOVELTY, high = 1;
    struct outcome outcome;
    for (int i = 0; i < steps; i++) {
        trial->model->novelty = sqrt(low * high);
        int rc = try_out(&outcome, trial, err);
        if (rc)
            return rc;
        *(outcome.values < wanted ? &low : &high) = trial->model->novelty;
    }
    trial->model->novelty = sqrt(low * high);
    return 0;
}

static int tune_keeping(struct trial *trial, double wanted, int steps, struct loom_error *err)
{
    struct loom_estimate_model *model = trial->model;
    double same = model->keep_same, other = model->keep_other, low = 0, high = 1, factor = 1;
    for (int i = 0; i <= steps; i++) {
        struct outcome outcome;
        model->keep_same = factor * same;
        model->keep_other = factor * other;
        int rc = try_out(&outcome, trial, err);
        if (rc)
            return rc;
        *(outcome.same < wanted ? &low : &high) = factor;
        if (low == 1)
            break;
        factor = (low + high) / 2;
    }
    return 0;
}

static int tune(struct trial *trial, const struct loom_workload *jobs, struct loom_error *err)
{
    struct outcome wanted = look_at(trial, jobs->estimate_s);
    int rc = tune_novelty(trial, wanted.values, 4, err);
    if (!rc)
        rc = tune_keeping(trial, wanted.same, 4, err);
    if (!rc)
        rc = tune_novelty(trial, wanted.values, 5, err);
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
    struct trial trial = {.model = model,
                          .weave = {.seed = 1, .procs = log->procs, .log_procs = log->procs},
                          .users = users};
    model->novelty = 1;
    if (users->n == 0)
        return 0;
    trial.codes = malloc((users->n + 1) * sizeof *trial.codes);
    int rc = trial.codes ? take_draft(&trial.weave.draft, log->jobs, err) : loom_fail_memory(err);
    if (!rc)
        rc = tune(&trial, log->jobs, err);
    loom_draft_free(&trial.weave.draft);
    free(trial.codes);
    return rc;
}

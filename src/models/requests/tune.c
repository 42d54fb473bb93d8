/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How much of their own users keep to, so that they have as few values as in the log, and what they
 * are to be offered, so that as many jobs ask for each place.
 *
 * A request is the one before, another of the user's own values or a new one, as quotas allow,
 * and no formula gives how many different values that makes. So the model asks for the log's own
 * jobs, and what it makes of them is compared with the log: `novelty` is moved until there are as
 * many pairs of user and value, tail values left out; how often a user may come back to a tail
 * value until there are as many pairs with these; and each of the two probabilities of keeping
 * until as many bundles ask as the user's bundle before did, among bundles of the same size and
 * among the others.
 *
 * The shares that the log was made by are not those found in it. What users keep takes the places
 * that classes have in common up to the excess their quotas allow, so that classes are more alike
 * in what is asked for than in what was offered; fitted to that, the model would keep more, and
 * again more. Hence what is offered at a place is lowered by as many jobs as ask for it too often,
 * and raised by as many as it lacks.
 *
 * What is left is the chance in the shares that were found. A trial whose offers have the chance of
 * the trial before it, as if they had been fitted to its outcome, shows by what factors this
 * changes outcomes, and what is wanted of the log is multiplied by these. So the parameters of a
 * model come back from what it makes.
 */
#include "base/search.h"
#include "base/sort.h"
#include "models/requests/bundles.h"

#include <workloom/users.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is compared ------------------------------------------------------------------------ */

/* Pairs of user and value, tail values apart from the others; and first jobs of bundles that ask as
 * the user's job before, by whether they are of the same size. */
struct outcome {
    double heads, tails, same, other;
};

/* Jobs by row and place; users who ask for each tail value, and how often they turn to it. */
struct tally {
    double *jobs, *users, *turns;
};

struct trial {
    struct loom_request_log asked; /* the log's jobs, and what they ask for in log or trial */
    struct loom_request_model *model;
    struct loom_generation generation;
    int64_t *codes; /* room for one of each job */
    size_t cells;   /* rows x places */
    struct tally wanted, got;
    /* What is moved. It may be past its limits, so that chance averages out there as well, and
     * counts as if it were at them. */
    double keep_same, keep_other;
    double turns;    /* to tail values, over the log's */
    double *offered; /* jobs, as wanted.jobs */
    double *again;   /* the same, if the last trial had been the log */
};

enum { VALUE_BITS = 40 };

static double count_tail(double *counts, const struct loom_request_model *model, int64_t value_s)
{
    size_t at = loom_lower_bound(model->tail_s, model->tails, value_s);
    bool found = at < model->tails && model->tail_s[at] == value_s;
    if (found)
        counts[at]++;
    return found;
}

static void look_at_pair(struct outcome *outcome, const struct trial *trial, uint32_t a, uint32_t b)
{
    const struct loom_requests *jobs = &trial->asked.jobs;
    const int64_t *request_s = trial->asked.request_s;
    if (request_s[a] != request_s[b] || loom_requests_follow(jobs, a, b))
        return;
    ++*(jobs->procs[a] == jobs->procs[b] ? &outcome->same : &outcome->other);
}

/* Pairs of bundles into the outcome, and pairs of user and value, as they come, into codes; returns
 * how many codes there are. */
static size_t look_at_users(struct outcome *outcome, double *turns, const struct trial *trial)
{
    const struct loom_users *users = trial->asked.users;
    size_t n = 0;
    memset(turns, 0, trial->model->tails * sizeof *turns);
    for (size_t user = 0; user < users->count; user++) {
        uint32_t before = UINT32_MAX;
        for (size_t i = users->first[user]; i < users->first[user + 1]; i++) {
            uint32_t job = users->job[i];
            int64_t value_s = trial->asked.request_s[job];
            if (value_s <= 0 || value_s >= INT64_C(1) << VALUE_BITS)
                continue;
            if (before < UINT32_MAX)
                look_at_pair(outcome, trial, before, job);
            if (before == UINT32_MAX || trial->asked.request_s[before] != value_s)
                count_tail(turns, trial->model, value_s);
            before = job;
            trial->codes[n++] = (int64_t)(user << VALUE_BITS) | value_s;
        }
    }
    return n;
}

/* Returns how many there are in all. */
static double request_tune_count_users(double *users, const struct trial *trial, size_t n)
{
    double all = 0;
    const struct loom_request_model *model = trial->model;
    memset(users, 0, model->tails * sizeof *users);
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && trial->codes[i] == trial->codes[i - 1])
            continue;
        all += count_tail(users, model, trial->codes[i] & ((INT64_C(1) << VALUE_BITS) - 1));
    }
    return all;
}

static int look_at(struct outcome *outcome, struct tally *tally, const struct trial *trial,
                   struct loom_error *err)
{
    struct loom_bundles bundles;
    *outcome = (struct outcome){0};
    size_t n = look_at_users(outcome, tally->turns, trial);
    double pairs = (double)loom_sort_int64(trial->codes, n);
    outcome->tails = request_tune_count_users(tally->users, trial, n);
    outcome->heads = pairs - outcome->tails;
    int rc = loom_bundles_find(&bundles, &trial->asked, err);
    if (!rc)
        loom_bundles_count(tally->jobs, &bundles, trial->model);
    free(bundles.items);
    return rc;
}

/* Each trial has random numbers of its own, so that nothing is fitted to chance. */
static int try_out(struct outcome *out, struct trial *trial, struct loom_error *err)
{
    trial->generation.replication++;
    int rc = loom_request_model_apply(trial->model, &trial->generation, err);
    trial->asked.request_s = trial->generation.draft.request_s;
    return rc ? rc : look_at(out, &trial->got, trial, err);
}

static double ratio(double a, double b)
{
    return a > 0 && b > 0 ? a / b : 1;
}

/* ---- offers ---------------------------------------------------------------------------------- */

static int offer_places(struct trial *trial, const double *jobs, struct loom_error *err)
{
    struct loom_request_model *model = trial->model;
    size_t places = loom_request_model_places(model);
    for (size_t row = 0; row < model->sizes * (model->heads + 1); row++)
        for (size_t i = 0; model->offered[row] && i < places; i++)
            model->offered[row][i] = llrint(fmax(0, jobs[row * places + i]));
    return loom_request_model_settle(model, err);
}

/* As many users are to take a value up, and to turn to it as often, by a factor that makes up for
 * what they do not use. */
static void offer_tails(struct trial *trial, const struct tally *tally)
{
    struct loom_request_model *model = trial->model;
    for (size_t i = 0; i < model->tails; i++) {
        model->tail_users[i] = tally->users[i];
        model->tail_turns[i] = fmax(1, trial->turns * ratio(tally->turns[i], tally->users[i]));
    }
}

/* Move what is offered in a row by a part of what the trial lacks, of as many jobs in all: where a
 * request changes within a bundle, jobs may count for another class. */
static void move_row(double *offered, const double *wanted, const double *got, size_t places,
                     double part)
{
    double jobs = 0, asked = 0;
    for (size_t i = 0; i < places; i++) {
        jobs += wanted[i];
        asked += got[i];
    }
    for (size_t i = 0; i < places && asked > 0; i++)
        offered[i] += part * (wanted[i] - got[i] * jobs / asked);
}

static void move_offers(struct trial *trial, double part)
{
    size_t places = loom_request_model_places(trial->model);
    const double *wanted = trial->wanted.jobs, *got = trial->got.jobs;
    for (size_t i = 0; i < trial->cells; i++)
        trial->again[i] = trial->offered[i] + got[i] - wanted[i];
    for (size_t i = 0; i < trial->cells; i += places)
        move_row(trial->offered + i, wanted + i, got + i, places, part);
}

/* Have users offered what follows from a log or a trial. */
static int make_offers(struct trial *trial, const double *offered, const struct tally *tally,
                       struct loom_error *err)
{
    offer_tails(trial, tally);
    return offer_places(trial, offered, err);
}

/* ---- parameters ------------------------------------------------------------------------------ */

/* A request that is to be kept is kept if the quotas allow it, and else never: so as many are as
 * the probability says, times what is allowed, which depends on it little. */
static void move_keeping(double *keep, double wanted, double got, double part)
{
    *keep = !(wanted > 0) ? 0 : got > 0 ? *keep * pow(wanted / got, part) : 1;
}

/* Users have most of the values that are not in the tail whatever novelty is: there are as many as
 * 1 + novelty / 3 says. That is rough, so that no step goes further than to half of it or twice. */
static void move_novelty(double *novelty, double wanted, double got, double part)
{
    static const double LEAST = 0.003;
    double next = *novelty + 3 * part * (ratio(wanted, got) - 1);
    next = fmin(fmax(*novelty / 2, next), *novelty * 2);
    *novelty = fmin(fmax(LEAST, next), 1);
}

/* The more often a tail value may be used again, the fewer users take it up: by about the fifth
 * root. */
static void move_turns(double *turns, double wanted, double got, double part)
{
    static const double LEAST = 0.01, MOST = 100;
    *turns = fmin(fmax(LEAST, *turns * pow(ratio(got, wanted), 5 * part)), MOST);
}

static void set_keeping(const struct trial *trial)
{
    trial->model->keep_same = fmin(trial->keep_same, 1);
    trial->model->keep_other = fmin(trial->keep_other, 1);
}

/* What is wanted of a model whose shares are fitted: then has the chance of first in its offers. */
static struct outcome with_chance(struct outcome wanted, struct outcome first, struct outcome then)
{
    return (struct outcome){wanted.heads * ratio(then.heads, first.heads),
                            wanted.tails * ratio(then.tails, first.tails),
                            wanted.same * ratio(then.same, first.same),
                            wanted.other * ratio(then.other, first.other)};
}

/* One trial, or two, and all is moved by a part of what they show. */
static int request_tune_step(struct trial *trial, struct outcome wanted, double part, bool twice,
                             struct loom_error *err)
{
    struct outcome got, then;
    int rc = try_out(&got, trial, err);
    if (rc)
        return rc;
    move_offers(trial, part);
    if (twice) {
        rc = make_offers(trial, trial->again, &trial->got, err);
        if (!rc)
            rc = try_out(&then, trial, err);
        wanted = rc ? wanted : with_chance(wanted, got, then);
    }
    move_keeping(&trial->keep_same, wanted.same, got.same, part);
    move_keeping(&trial->keep_other, wanted.other, got.other, part);
    move_turns(&trial->turns, wanted.tails, got.tails, part);
    move_novelty(&trial->model->novelty, wanted.heads, got.heads, part);
    set_keeping(trial);
    return rc ? rc : make_offers(trial, trial->offered, &trial->wanted, err);
}

/* Later trials, whose parameters are better, count for more: part 2 / (k + 1) of step k makes of
 * all steps a mean in which each weighs k. */
static int tune(struct trial *trial, struct loom_error *err)
{
    enum { FIRST = 6, STEPS = 15 };
    struct outcome wanted;
    trial->keep_same = trial->keep_other = 0.8;
    trial->model->novelty = 0.1;
    trial->turns = 1;
    set_keeping(trial);
    int rc = look_at(&wanted, &trial->wanted, trial, err);
    if (!rc) {
        memcpy(trial->offered, trial->wanted.jobs, trial->cells * sizeof *trial->offered);
        rc = make_offers(trial, trial->offered, &trial->wanted, err);
    }
    for (int k = 1; k <= STEPS && !rc; k++)
        rc = request_tune_step(trial, wanted, 2.0 / (k + 1), k > FIRST, err);
    return rc;
}

int loom_requests_draft(struct loom_draft *draft, const struct loom_workload *jobs,
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
        draft->run_s[i] = jobs->run_s[i];
        draft->procs[i] = jobs->procs[i];
        draft->user[i] = jobs->user[i];
        draft->group[i] = jobs->group[i];
        draft->executable[i] = jobs->executable[i];
        draft->queue[i] = jobs->queue[i];
    }
    return rc;
}

/* The log's jobs as a draft; those without a requested time get none. */
static int take_draft(struct loom_draft *draft, const struct loom_workload *jobs,
                      struct loom_error *err)
{
    int rc = loom_requests_draft(draft, jobs, err);
    for (size_t i = 0; i < jobs->n && !rc; i++)
        if (jobs->request_s[i] <= 0)
            draft->run_s[i] = -1;
    return rc;
}

/* All numbers of the trial are in one piece, which begins with the jobs that are wanted. */
static int request_tune_make_room(struct trial *trial, struct loom_error *err)
{
    const struct loom_request_model *model = trial->model;
    size_t cells = model->sizes * (model->heads + 1) * loom_request_model_places(model);
    double *scratch = malloc((4 * cells + 4 * model->tails) * sizeof *scratch);
    trial->codes = malloc((trial->asked.users->n + 1) * sizeof *trial->codes);
    trial->cells = cells;
    trial->wanted.jobs = scratch;
    if (!scratch || !trial->codes)
        return loom_fail_memory(err);
    trial->got.jobs = scratch + cells;
    trial->offered = scratch + 2 * cells;
    trial->again = scratch + 3 * cells;
    trial->wanted.users = scratch + 4 * cells;
    trial->got.users = trial->wanted.users + model->tails;
    trial->wanted.turns = trial->got.users + model->tails;
    trial->got.turns = trial->wanted.turns + model->tails;
    return 0;
}

int loom_request_model_tune(struct loom_request_model *model, const struct loom_training *log,
                            const struct loom_request_log *asked, struct loom_error *err)
{
    struct trial trial = {.asked = *asked,
                          .model = model,
                          .generation = {.seed = 1, .procs = log->procs, .log_procs = log->procs}};
    model->novelty = 1;
    if (asked->users->n == 0)
        return 0;
    int rc = request_tune_make_room(&trial, err);
    if (!rc)
        rc = take_draft(&trial.generation.draft, log->jobs, err);
    if (!rc)
        rc = tune(&trial, err);
    loom_draft_free(&trial.generation.draft);
    free(trial.wanted.jobs);
    free(trial.codes);
    return rc;
}

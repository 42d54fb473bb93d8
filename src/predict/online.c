/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A predictor without training. Jobs that agree in some attributes form a context: all jobs of the
 * user, those with the same requested time as well, and so on. Each context remembers the runtimes
 * of the last jobs that ended in it, as shares of their requested times where these may differ. The
 * prediction is a quantile of the runtimes that all contexts of the job remember, weighted.
 *
 * Within a context, older jobs weigh less. Contexts weigh by how well the quantile of each alone
 * predicted: exponential weights on its absolute errors, as shares of the requested time, of which
 * old ones fade (Littlestone and Warmuth 1994); contexts that remember nothing are left out, as in
 * Freund et al. 1997. The quantile is below the median by default: what matters to a scheduler that
 * backfills is to recognise short jobs.
 *
 * The interval is made of two further quantiles, whose levels are moved after each job so that
 * runtimes fall below them as often as they should (Gibbs and Candes 2021).
 */
#include "base/map.h"
#include "base/vec.h"
#include "predict/by_job.h"
#include "predict/predictor.h"

#include <math.h>

enum { CONTEXTS = 7, REMEMBERED = 16, MOST_SAMPLES = CONTEXTS * REMEMBERED };

static const double LOSS_FADE = 0.999;  /* of the errors of contexts, from one job to the next */
static const double LEVEL_STEP = 0.005; /* by which the interval's levels move */

/* Contexts: jobs that agree in these attributes. */
enum context {
    BY_USER,
    BY_USER_EXECUTABLE,
    BY_USER_REQUEST,
    BY_USER_REQUEST_PROCS,
    BY_USER_REQUEST_PROCS_EXECUTABLE,
    BY_GROUP_REQUEST,
    BY_REQUEST,
};

struct past {
    float run_s, share; /* of the requested time; -1: unknown */
};

/* The last jobs that ended in a context. */
struct history {
    struct past jobs[REMEMBERED]; /* a ring */
    uint32_t n;                   /* jobs so far */
};

/* What was said of a job that has not ended yet. */
struct pending {
    uint32_t history[CONTEXTS];
    double said_s[CONTEXTS]; /* by each context alone; NAN: it remembered nothing */
    double low_s, high_s;
    double scale_s; /* by which errors are divided */
    int64_t next;   /* the free slot after this one, -1: none */
};

struct online {
    double quantile, rate;
    double fade[REMEMBERED]; /* weights of jobs in a context, the last first */
    struct loom_map requests, groups;
    struct loom_map keys[CONTEXTS];
    struct history *histories[CONTEXTS]; /* by index of the key */
    size_t capacities[CONTEXTS];
    double loss[CONTEXTS]; /* faded sums of errors */
    double low, high;      /* levels of the interval */
    struct loom_by_job slots;
    struct pending *pending;
    size_t n_pending, pending_capacity;
    int64_t free_slot;
};

/* ---- contexts -------------------------------------------------------------------------------- */

/* The index of a job's history in a context, which is made if it is new. The key is a tuple: the
 * index of its first part, in another map, and its last part. LOOM_MAP_NONE when memory is out. */
static uint32_t history_of(struct online *self, enum context context, uint32_t tuple, uint32_t part)
{
    size_t known = self->keys[context].n;
    if (tuple == LOOM_MAP_NONE ||
        loom_grow(&self->histories[context], known, &self->capacities[context]))
        return LOOM_MAP_NONE;
    uint32_t index = loom_map_intern(&self->keys[context], loom_map_pair(tuple, part));
    if (index == known)
        self->histories[context][index] = (struct history){0};
    return index;
}

/* Find the histories of a job in all contexts. 0, or -1 when memory is out. */
static int find_histories(uint32_t *out, struct online *self, const struct loom_job_view *job)
{
    uint32_t request = loom_map_intern(&self->requests, (uint64_t)job->request_s);
    uint32_t group =
        loom_map_intern(&self->groups, loom_map_pair(job->origin, (uint32_t)job->group));
    if (request == LOOM_MAP_NONE)
        return -1;
    uint32_t procs = (uint32_t)job->procs, executable = (uint32_t)job->executable;
    uint32_t user = history_of(self, BY_USER, job->origin, (uint32_t)job->user);
    uint32_t asked = history_of(self, BY_USER_REQUEST, user, request);
    uint32_t sized = history_of(self, BY_USER_REQUEST_PROCS, asked, procs);
    out[BY_USER] = user;
    out[BY_USER_REQUEST] = asked;
    out[BY_USER_REQUEST_PROCS] = sized;
    out[BY_USER_EXECUTABLE] = history_of(self, BY_USER_EXECUTABLE, user, executable);
    out[BY_USER_REQUEST_PROCS_EXECUTABLE] =
        history_of(self, BY_USER_REQUEST_PROCS_EXECUTABLE, sized, executable);
    out[BY_GROUP_REQUEST] = history_of(self, BY_GROUP_REQUEST, group, request);
    out[BY_REQUEST] = history_of(self, BY_REQUEST, job->origin, request);
    for (int i = 0; i < CONTEXTS; i++)
        if (out[i] == LOOM_MAP_NONE)
            return -1;
    return 0;
}

/* ---- the distribution ------------------------------------------------------------------------ */

struct sample {
    double run_s, weight;
};

/* Collect what a context remembers, sorted by runtime, and return how many samples that is. */
static size_t gather(struct sample *out, const struct online *self, const struct history *history,
                     enum context context, const struct loom_job_view *job)
{
    uint32_t n = history->n < REMEMBERED ? history->n : REMEMBERED;
    bool shares = context <= BY_USER_EXECUTABLE && job->request_s > 0;
    for (uint32_t i = 0; i < n; i++) {
        const struct past *past = &history->jobs[(history->n - 1 - i) % REMEMBERED];
        double run_s =
            shares && past->share >= 0 ? past->share * (double)job->request_s : past->run_s;
        size_t at = i;
        for (; at > 0 && out[at - 1].run_s > run_s; at--)
            out[at] = out[at - 1];
        out[at] = (struct sample){run_s, self->fade[i]};
    }
    return n;
}

/* Merge n sorted samples and the `more` behind them. */
static void merge(struct sample *samples, size_t n, size_t more)
{
    struct sample late[REMEMBERED];
    for (size_t i = 0; i < more; i++)
        late[i] = samples[n + i];
    for (size_t at = n + more; more > 0;) {
        bool first = n == 0 || late[more - 1].run_s >= samples[n - 1].run_s;
        samples[--at] = first ? late[--more] : samples[--n];
    }
}

/* The smallest runtime that a share p of the weight does not exceed. */
static double quantile(const struct sample *samples, size_t n, double p)
{
    double total = 0, below = 0;
    for (size_t i = 0; i < n; i++)
        total += samples[i].weight;
    for (size_t i = 0; i + 1 < n; i++) {
        below += samples[i].weight;
        if (below >= p * total)
            return samples[i].run_s;
    }
    return samples[n - 1].run_s;
}

static void weigh_contexts(double *weights, const struct online *self)
{
    double least = INFINITY;
    for (int i = 0; i < CONTEXTS; i++)
        least = fmin(least, self->loss[i]);
    for (int i = 0; i < CONTEXTS; i++)
        weights[i] = fmax(1e-9, exp(self->rate * (least - self->loss[i])));
}

/* Collect what all contexts remember, and what each says alone. Returns how many samples that is.
 */
static size_t gather_all(struct sample *samples, struct pending *pending, const struct online *self,
                         const struct loom_job_view *job)
{
    double weights[CONTEXTS];
    size_t n = 0;
    weigh_contexts(weights, self);
    for (unsigned i = 0; i < CONTEXTS; i++) {
        const struct history *history = &self->histories[i][pending->history[i]];
        size_t more = gather(samples + n, self, history, i, job);
        pending->said_s[i] = more > 0 ? quantile(samples + n, more, self->quantile) : NAN;
        for (size_t k = n; k < n + more; k++)
            samples[k].weight *= weights[i];
        merge(samples, n, more);
        n += more;
    }
    return n;
}

/* ---- jobs ------------------------------------------------------------------------------------ */

/* Keep what was said of a job until it ends. 0, or -1 when memory is out. */
static int keep(struct online *self, const struct loom_job_view *job, const struct pending *said)
{
    int64_t slot = self->free_slot;
    if (slot >= 0)
        self->free_slot = self->pending[slot].next;
    else if (loom_grow(&self->pending, self->n_pending, &self->pending_capacity))
        return -1;
    else
        slot = (int64_t)self->n_pending++;
    self->pending[slot] = *said;
    return loom_by_job_set(&self->slots, job, slot);
}

static int predict(struct loom_prediction *out, void *state, const struct loom_job_view *job,
                   struct loom_error *err)
{
    struct online *self = state;
    struct sample samples[MOST_SAMPLES];
    struct pending said = {.low_s = NAN, .high_s = NAN, .scale_s = out->run_s};
    if (find_histories(said.history, self, job))
        return loom_fail_memory(err);
    size_t n = gather_all(samples, &said, self, job);
    if (n > 0) {
        out->run_s = quantile(samples, n, self->quantile);
        out->low_s = said.low_s = fmin(out->run_s, quantile(samples, n, self->low));
        out->high_s = said.high_s = fmax(out->run_s, quantile(samples, n, self->high));
    }
    return keep(self, job, &said) ? loom_fail_memory(err) : 0;
}

/* Lower a level that runtimes fall below too often, and raise it where they do too seldom. */
static double moved(double level, double wanted, bool below)
{
    level += LEVEL_STEP * (wanted - below);
    return fmin(fmax(level, 0), 1);
}

static int learn(void *state, const struct loom_job_view *job, int64_t run_s,
                 struct loom_error *err)
{
    struct online *self = state;
    int64_t slot = loom_by_job_get(&self->slots, job);
    struct pending *said = &self->pending[slot];
    double share = job->request_s > 0 ? (double)run_s / (double)job->request_s : -1;
    (void)err;
    for (int i = 0; i < CONTEXTS; i++) {
        struct history *history = &self->histories[i][said->history[i]];
        double error = fabs(said->said_s[i] - (double)run_s) / said->scale_s;
        if (!isnan(error))
            self->loss[i] = LOSS_FADE * self->loss[i] + fmin(error, 1);
        history->jobs[history->n++ % REMEMBERED] = (struct past){(float)run_s, (float)share};
    }
    if (!isnan(said->low_s)) {
        self->low = moved(self->low, 0.1, (double)run_s < said->low_s);
        self->high = moved(self->high, 0.9, (double)run_s <= said->high_s);
    }
    said->next = self->free_slot;
    self->free_slot = slot;
    return 0;
}

/* ---- the table ------------------------------------------------------------------------------- */

static int open_online(void *state, const struct loom_params *params, struct loom_error *err)
{
    struct online *self = state;
    (void)err;
    self->quantile = loom_params_real(params, "quantile");
    self->rate = loom_params_real(params, "rate");
    for (int i = 0; i < REMEMBERED; i++)
        self->fade[i] = pow(loom_params_real(params, "fade"), i);
    self->low = 0.1;
    self->high = 0.9;
    self->free_slot = -1;
    return 0;
}

static void close_online(void *state)
{
    struct online *self = state;
    for (int i = 0; i < CONTEXTS; i++) {
        loom_map_free(&self->keys[i]);
        free(self->histories[i]);
    }
    loom_map_free(&self->requests);
    loom_map_free(&self->groups);
    loom_by_job_free(&self->slots);
    free(self->pending);
}

static const struct loom_param params[] = {
    {.name = "quantile",
     .type = LOOM_PARAM_REAL,
     .min = 0.01,
     .max = 0.99,
     .value = "0.375",
     .metavar = "P",
     .help = "quantile of the runtimes of similar jobs to predict"},
    {.name = "rate",
     .type = LOOM_PARAM_REAL,
     .min = 0,
     .max = 10,
     .value = "0.02",
     .metavar = "R",
     .help = "how fast contexts that predict badly lose weight"},
    {.name = "fade",
     .type = LOOM_PARAM_REAL,
     .min = 0.01,
     .max = 1,
     .value = "0.9",
     .metavar = "F",
     .help = "weight of a job relative to the one that ended after it"},
    {.name = NULL},
};

const struct loom_predictor_ops loom_predictor_online = {
    .info = {"online", "quantile of what similar jobs took, by what predicted well so far", params},
    .state_size = sizeof(struct online),
    .open = open_online,
    .close = close_online,
    .predict = predict,
    .learn = learn,
};

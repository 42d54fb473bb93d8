/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A predictor without training. A context is a set of jobs that agree in some attributes: jobs of
 * the user on one processor or on several, jobs with the same requested time, and so on. A context
 * stores the runtimes of its last ended jobs and predicts their weighted median, with less weight
 * on older jobs. The prediction is a weighted quantile of the predictions of the job's contexts.
 * docs/validation/predict.md lists the attributes tried.
 *
 * The weight of a context depends on its past accuracy: the mean absolute error of its predictions,
 * as shares of the requested time and exponentially discounted, shrunk towards the error of all
 * contexts of its kind. The quantile is below the median by default: backfilling needs to recognise
 * short jobs.
 *
 * The interval is two quantiles of all runtimes that the contexts store. Their levels are adapted
 * after each job to keep the nominal coverage (Gibbs and Candes 2021). If runtimes leave the stored
 * range more often than that, levels go beyond 0 and 1: from the smallest stored runtime down to 0
 * s, and from the largest up to the requested time.
 */
#include "base/hash.h"
#include "base/map.h"
#include "base/vec.h"
#include "predict/by_job.h"
#include "predict/predictor.h"

#include <math.h>
#include <string.h>

enum { CONTEXTS = 4, REMEMBERED = 12 };

static const float ROUNDING = 0.99999F;       /* so that a weight is enough in spite of rounding */
static const float ERROR_FADE = 0.8F;         /* of the errors of a context, from job to job */
static const float KIND_FADE = 0.999F;        /* of the errors of all contexts of a kind */
static const float KIND_WEIGHT = 4;           /* of their mean, in jobs of the context */
static const float LEAST_ERROR = 0.1F;        /* added to errors before they become weights */
static const float LEVEL_STEP = 0.005F;       /* step of the interval's levels */
static const double UNKNOWN_REQUEST_S = 3600; /* to express runtimes as shares of */

/* Kinds of contexts: jobs that agree in these attributes. */
enum kind {
    BY_USER,         /* user, one processor or several, requested memory */
    BY_USER_REQUEST, /* user and requested time */
    BY_ALL,          /* these, processors, executable and requested memory */
    BY_REQUEST,      /* requested time and memory */
};

/* Faded sums of errors, each at most 1. */
struct past_errors {
    float sum, weight;
};

/* A context: its last jobs, by time of their end, in a ring. A value is a runtime or, in contexts
 * of different requested times, its share of the requested time. */
struct history {
    float values[REMEMBERED];
    float quantile; /* of the values */
    uint32_t n;     /* jobs so far */
    struct past_errors errors;
};

/* The attributes of a context; 0 for those that its kind does not use. */
struct context_key {
    int64_t request_s;
    double req_mem_kib;
    uint32_t kind, origin;
    int32_t user, procs, executable;
    bool parallel, unused[3];
};

/* The predictions for a job that has not ended yet. */
struct pending {
    uint32_t history[CONTEXTS];
    float said_s[CONTEXTS]; /* by each context alone; NAN: it was empty */
    float low_s, high_s;    /* NAN: no interval */
    float scale_s;          /* divisor of errors */
    int64_t next;           /* the free slot after this one, -1: none */
};

struct online {
    float quantile, share;
    float weights[2 * REMEMBERED]; /* of jobs from the oldest to the last, twice in a row */
    struct loom_map contexts;      /* by hash of the key: two of equal hashes do not occur */
    struct history *histories;     /* by index of the context */
    size_t capacity;
    struct past_errors errors[CONTEXTS]; /* of all contexts of a kind */
    float low, high;                     /* levels of the interval */
    struct loom_by_job slots;
    struct pending *pending;
    size_t n_pending, pending_capacity;
    int64_t free_slot;
};

/* ---- contexts -------------------------------------------------------------------------------- */

static struct context_key context_key_of(enum kind kind, const struct loom_job_view *job)
{
    double memory_kib = job->req_mem_kib >= 0 ? job->req_mem_kib : -1;
    struct context_key key = {.kind = kind, .origin = job->origin};
    if (kind != BY_REQUEST)
        key.user = job->user;
    if (kind != BY_USER)
        key.request_s = job->request_s;
    if (kind != BY_USER_REQUEST)
        key.req_mem_kib = memory_kib;
    if (kind == BY_USER)
        key.parallel = job->procs > 1;
    if (kind == BY_ALL) {
        key.procs = job->procs;
        key.executable = job->executable;
    }
    return key;
}

/* Find the contexts of a job, and add those that are new. 0, or -1 when memory is out. */
static int find_contexts(uint32_t *out, struct online *self, const struct loom_job_view *job)
{
    for (int kind = 0; kind < CONTEXTS; kind++) {
        const struct context_key key = context_key_of((enum kind)kind, job);
        size_t known = self->contexts.n;
        if (loom_grow(&self->histories, known, &self->capacity))
            return -1;
        out[kind] = loom_map_intern(&self->contexts, loom_hash(&key, sizeof key));
        if (out[kind] == LOOM_MAP_NONE)
            return -1;
        if (out[kind] == known)
            self->histories[known] = (struct history){.quantile = NAN};
    }
    return 0;
}

/* ---- quantiles of a context ------------------------------------------------------------------ */

static float smaller(float a, float b)
{
    return a < b ? a : b;
}

static int remembered(const struct history *history)
{
    return history->n < REMEMBERED ? (int)history->n : REMEMBERED;
}

/* Return the weights of the values of a context, of which there is at least one. */
static const float *value_weights(const struct online *self, const struct history *history)
{
    return self->weights + (REMEMBERED - 1 - (history->n - 1) % REMEMBERED);
}

/* Return the weighted quantile of n values at a share; INFINITY if none has weight. */
static float weighted_quantile(const float *values, const float *weights, int n, float share)
{
    float total = 0, found = INFINITY, sums[REMEMBERED] = {0}; /* of weights up to each value */
    for (int k = 0; k < n; k++) {
        total += weights[k];
        for (int i = 0; i < n; i++)
            sums[i] += values[k] <= values[i] ? weights[k] : 0;
    }
    for (int i = 0; i < n; i++)
        if (sums[i] >= share * total * ROUNDING && values[i] < found)
            found = values[i];
    return found;
}

static void remember(const struct online *self, struct history *history, float value)
{
    history->values[history->n++ % REMEMBERED] = value;
    history->quantile = weighted_quantile(history->values, value_weights(self, history),
                                          remembered(history), self->quantile);
}

/* ---- predicting ------------------------------------------------------------------------------ */

/* Return the seconds that values of a context are shares of, 1 if they are seconds. */
static float unit_s(enum kind kind, const struct loom_job_view *job)
{
    if (kind != BY_USER)
        return 1;
    return (float)(job->request_s > 0 ? (double)job->request_s : UNKNOWN_REQUEST_S);
}

/* Round to whole seconds: a prediction of one less than the runtime, by rounding of shares, would
 * run out at the very end. */
static float whole(float run_s)
{
    return run_s < 1e9F ? (float)(int32_t)(run_s + 0.5F) : run_s;
}

/* Return the weight of a context by its errors and the errors of its kind. */
static float context_weight(const struct history *history, const struct past_errors *kind)
{
    float mean = kind->weight > 0 ? kind->sum / kind->weight : 0.5F;
    float error =
        (history->errors.sum + KIND_WEIGHT * mean) / (history->errors.weight + KIND_WEIGHT);
    float square = (error + LEAST_ERROR) * (error + LEAST_ERROR);
    return 1 / (square * square);
}

/* Store the prediction of each context of a job in *said, and its weight, 0 without jobs. Return
 * whether any context has a job. */
static bool ask_contexts(struct pending *said, float *weights, const struct online *self,
                         const struct loom_job_view *job)
{
    bool any = false;
    for (int i = 0; i < CONTEXTS; i++) {
        const struct history *history = &self->histories[said->history[i]];
        bool known = history->n > 0;
        weights[i] = known ? context_weight(history, &self->errors[i]) : 0;
        said->said_s[i] = known ? whole(history->quantile * unit_s((enum kind)i, job)) : NAN;
        any |= known;
    }
    return any;
}

/* Store the predictions for a job until it ends. Return 0, or -1 when memory is out. */
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

static int online_predict(struct loom_prediction *out, void *state, const struct loom_job_view *job,
                          struct loom_error *err)
{
    struct online *self = state;
    struct pending said = {.low_s = NAN, .high_s = NAN, .scale_s = (float)out->run_s};
    float weights[CONTEXTS];
    if (find_contexts(said.history, self, job))
        return loom_fail_memory(err);
    if (ask_contexts(&said, weights, self, job))
        out->run_s = (double)weighted_quantile(said.said_s, weights, CONTEXTS, self->share);
    return keep(self, job, &said) ? loom_fail_memory(err) : 0;
}

/* ---- the interval ---------------------------------------------------------------------------- */

/* Stored runtimes of all contexts of a job, ascending. */
struct pool {
    float runs_s[CONTEXTS * REMEMBERED], weights[CONTEXTS * REMEMBERED];
    int n;
    float total; /* of the weights */
};

static void pool_add(struct pool *pool, float run_s, float weight)
{
    int at = pool->n++;
    for (; at > 0 && pool->runs_s[at - 1] > run_s; at--) {
        pool->runs_s[at] = pool->runs_s[at - 1];
        pool->weights[at] = pool->weights[at - 1];
    }
    pool->runs_s[at] = run_s;
    pool->weights[at] = weight;
    pool->total += weight;
}

static void pool_context(struct pool *pool, const struct online *self,
                         const struct history *history, float weight, float unit)
{
    int n = remembered(history);
    const float *weights = n > 0 ? value_weights(self, history) : NULL;
    for (int i = 0; i < n; i++)
        pool_add(pool, history->values[i] * unit, weight * weights[i]);
}

/* Return the weighted quantile at p. */
static float pool_quantile(const struct pool *pool, float p)
{
    float sum = 0;
    for (int i = 0; i + 1 < pool->n; i++) {
        sum += pool->weights[i];
        if (sum >= p * pool->total)
            return pool->runs_s[i];
    }
    return pool->runs_s[pool->n - 1];
}

/* Return a bound at a level: a quantile, or below 0 from the smallest runtime down to 0 s, or above
 * 1 from the greatest up to the requested time (unknown: ten times the greatest). */
static float pool_bound(const struct pool *pool, float level, const struct loom_job_view *job)
{
    float greatest = pool->runs_s[pool->n - 1];
    float most = job->request_s > 0 ? (float)job->request_s : 10 * greatest;
    if (level < 0)
        return pool->runs_s[0] * (1 + level);
    if (level <= 1)
        return pool_quantile(pool, level);
    return most > greatest ? greatest + (level - 1) * (most - greatest) : greatest;
}

static void online_interval(struct loom_prediction *out, void *state,
                            const struct loom_job_view *job)
{
    struct online *self = state;
    struct pending *said = &self->pending[loom_by_job_get(&self->slots, job)];
    struct pool pool = {.n = 0};
    for (int i = 0; i < CONTEXTS; i++) {
        const struct history *history = &self->histories[said->history[i]];
        pool_context(&pool, self, history, context_weight(history, &self->errors[i]),
                     unit_s((enum kind)i, job));
    }
    if (pool.n == 0)
        return;
    out->low_s = fmin(out->run_s, (double)pool_bound(&pool, self->low, job));
    out->high_s = fmax(out->run_s, (double)pool_bound(&pool, self->high, job));
    said->low_s = (float)out->low_s;
    said->high_s = (float)out->high_s;
}

/* ---- learning -------------------------------------------------------------------------------- */

static void add_error(struct past_errors *errors, float error, float fade)
{
    errors->sum = fade * errors->sum + error;
    errors->weight = fade * errors->weight + 1;
}

/* Return an adapted level: lower after a runtime below its quantile, else higher. */
static float moved(float level, float wanted, bool below)
{
    level += LEVEL_STEP * (wanted - (float)below);
    return smaller(level > -1 ? level : -1, 2);
}

static int online_learn(void *state, const struct loom_job_view *job, int64_t run_s,
                        struct loom_error *err)
{
    struct online *self = state;
    int64_t slot = loom_by_job_get(&self->slots, job);
    struct pending *said = &self->pending[slot];
    float run = (float)run_s;
    (void)err;
    for (int i = 0; i < CONTEXTS; i++) {
        struct history *history = &self->histories[said->history[i]];
        float error = smaller(fabsf(said->said_s[i] - run) / said->scale_s, 1);
        if (!isnan(said->said_s[i])) {
            add_error(&self->errors[i], error, KIND_FADE);
            add_error(&history->errors, error, ERROR_FADE);
        }
        remember(self, history, run / unit_s((enum kind)i, job));
    }
    if (!isnan(said->low_s)) {
        self->low = moved(self->low, 0.1F, run < said->low_s);
        self->high = moved(self->high, 0.9F, run <= said->high_s);
    }
    said->next = self->free_slot;
    self->free_slot = slot;
    return 0;
}

/* ---- the table ------------------------------------------------------------------------------- */

static int online_open(void *state, const struct loom_params *params, struct loom_error *err)
{
    struct online *self = state;
    double fade = loom_params_real(params, "fade");
    (void)err;
    self->quantile = (float)loom_params_real(params, "quantile");
    self->share = (float)loom_params_real(params, "share");
    for (int i = 0; i < REMEMBERED; i++) {
        float weight = (float)pow(fade, i);
        self->weights[REMEMBERED - 1 - i] = self->weights[2 * REMEMBERED - 1 - i] = weight;
    }
    self->low = 0.1F;
    self->high = 0.9F;
    self->free_slot = -1;
    return 0;
}

static void online_close(void *state)
{
    struct online *self = state;
    loom_map_free(&self->contexts);
    loom_by_job_free(&self->slots);
    free(self->histories);
    free(self->pending);
}

static const struct loom_param online_params[] = {
    LOOM_REAL_PARAM("quantile", 0.01, 0.99, "0.5", "P",
                    "quantile of the runtimes of similar jobs to predict"),
    LOOM_REAL_PARAM(
        "share", 0.01, 0.99, "0.3", "P",
        "where kinds of similar jobs differ, the smallest prediction up to which this share of "
        "their weight lies"),
    LOOM_REAL_PARAM("fade", 0.01, 1, "0.9", "F",
                    "weight of a job relative to the one that ended after it"),
    {.name = NULL},
};

const struct loom_predictor_ops loom_predictor_online = {
    .info = {"online", "quantile of what similar jobs took, by what predicted well so far",
             online_params},
    .state_size = sizeof(struct online),
    .open = online_open,
    .close = online_close,
    .predict = online_predict,
    .interval = online_interval,
    .learn = online_learn,
};

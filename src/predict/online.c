/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A predictor without training. Jobs that agree in some attributes form a context: jobs of the user
 * on one processor or on several, jobs with the same requested time, and so on. A context remembers
 * the runtimes of the last jobs that ended in it and predicts their median, in which older jobs
 * weigh less. The prediction is the smallest of what the contexts of the job predict up to which a
 * share of their weight lies. docs/validation/predict.md has the attributes that were tried.
 *
 * A context weighs by how well it predicted so far: the mean absolute error of its own last
 * predictions as shares of the requested time, in which older ones fade, shrunk towards the error
 * of all contexts of its kind. The share is below a half by default: what matters to a scheduler
 * that backfills is to recognise short jobs.
 *
 * The interval is made of two quantiles of all that the contexts remember, whose levels are moved
 * after each job so that runtimes fall below them as often as they should (Gibbs and Candes 2021).
 * Where runtimes leave the range of what is remembered more often than that, levels go on beyond 0
 * and 1: from the smallest runtime remembered down to 0 s, and from the largest up to the requested
 * time.
 *
 * A simulation predicts and learns once a job and needs no intervals, so predicting is cheap:
 * medians are computed when a job ends, and a user's job like the one before needs no search for
 * its contexts.
 */
#include "base/map.h"
#include "base/vec.h"
#include "predict/by_job.h"
#include "predict/predictor.h"

#include <math.h>
#include <string.h>

enum { CONTEXTS = 4, REMEMBERED = 12 };

typedef float four_floats __attribute__((vector_size(16)));
typedef int32_t four_bits __attribute__((vector_size(16)));

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
    float values[REMEMBERED]; /* INFINITY: none yet */
    float sums[REMEMBERED];   /* for each value, the weight of all values up to it */
    float quantile;           /* of the values */
    uint32_t n;               /* jobs so far */
    struct past_errors errors;
};

/* A user, and the contexts of the last job submitted. */
struct user {
    int64_t request_s;
    double req_mem_kib;
    int32_t procs, executable;
    uint32_t history[CONTEXTS];
};

/* What was said of a job that has not ended yet. */
struct pending {
    uint32_t history[CONTEXTS];
    float said_s[CONTEXTS]; /* by each context alone; NAN: it remembered nothing */
    float low_s, high_s;    /* NAN: no interval */
    float scale_s;          /* divisor of errors */
    int64_t next;           /* the free slot after this one, -1: none */
};

struct online {
    float quantile, share;
    float fade;                    /* weight of a job relative to the one that ended after it */
    float last_weight;             /* of a job that is no longer remembered */
    float weights[2 * REMEMBERED]; /* of jobs from the oldest to the last, twice in a row */
    float totals[REMEMBERED + 1];  /* sums of the weights of the last jobs, by their number */
    struct loom_map requests, memories, limits; /* requested time, memory, and both */
    struct loom_map sizes, programs; /* BY_USER_REQUEST with processors, and with executable */
    struct loom_map keys[CONTEXTS];
    struct history *histories[CONTEXTS]; /* by index of the key */
    size_t capacities[CONTEXTS];
    struct past_errors errors[CONTEXTS]; /* of all contexts of a kind */
    struct loom_map user_keys;
    struct user *users; /* by index of the key */
    size_t users_capacity;
    float low, high; /* levels of the interval */
    struct loom_by_job slots;
    struct pending *pending;
    size_t n_pending, pending_capacity;
    int64_t free_slot;
};

/* ---- contexts -------------------------------------------------------------------------------- */

static const struct history no_history = {
    .values = {INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY,
               INFINITY, INFINITY, INFINITY, INFINITY},
    .quantile = NAN,
};

/* Return the index of a pair, which is added if it is new; LOOM_MAP_NONE when memory is out, or was
 * for the first part. */
static uint32_t index_of_pair(struct loom_map *map, uint32_t first, uint32_t second)
{
    return first == LOOM_MAP_NONE ? first : loom_map_intern(map, loom_map_pair(first, second));
}

static uint32_t index_of_memory(struct online *self, double req_mem_kib)
{
    uint64_t bits;
    double known = req_mem_kib >= 0 ? req_mem_kib : -1;
    memcpy(&bits, &known, sizeof bits);
    return loom_map_intern(&self->memories, bits);
}

/* Return the index of a context, which is added if it is new; LOOM_MAP_NONE when memory is out, or
 * was for the first part of its key. */
static uint32_t find_context(struct online *self, enum kind kind, uint32_t first, uint32_t second)
{
    size_t known = self->keys[kind].n;
    if (loom_grow(&self->histories[kind], known, &self->capacities[kind]))
        return LOOM_MAP_NONE;
    uint32_t index = index_of_pair(&self->keys[kind], first, second);
    if (index == known)
        self->histories[kind][index] = no_history;
    return index;
}

/* Return the index of a job's user, who is added if new; LOOM_MAP_NONE when memory is out. */
static uint32_t find_user(struct online *self, const struct loom_job_view *job)
{
    size_t known = self->user_keys.n;
    if (loom_grow(&self->users, known, &self->users_capacity))
        return LOOM_MAP_NONE;
    uint32_t index = index_of_pair(&self->user_keys, job->origin, (uint32_t)job->user);
    if (index == known)
        self->users[index] = (struct user){.procs = -1}; /* like no job */
    return index;
}

/* Find the contexts of a job of a user. Keys are tuples: the index of the first parts in a map, and
 * the last part. 0, or -1 when memory is out. */
static int find_contexts(uint32_t *out, struct online *self, uint32_t user,
                         const struct loom_job_view *job)
{
    uint32_t request = loom_map_intern(&self->requests, (uint64_t)job->request_s);
    uint32_t memory = index_of_memory(self, job->req_mem_kib);
    uint32_t limits = index_of_pair(&self->limits, request, memory);
    if (limits == LOOM_MAP_NONE || memory == LOOM_MAP_NONE)
        return -1;
    out[BY_USER] = find_context(self, BY_USER, user, 2 * memory + (job->procs > 1));
    out[BY_USER_REQUEST] = find_context(self, BY_USER_REQUEST, user, request);
    out[BY_REQUEST] = find_context(self, BY_REQUEST, limits, job->origin);
    uint32_t size = index_of_pair(&self->sizes, out[BY_USER_REQUEST], (uint32_t)job->procs);
    uint32_t program = index_of_pair(&self->programs, size, (uint32_t)job->executable);
    out[BY_ALL] = find_context(self, BY_ALL, program, memory);
    for (int i = 0; i < CONTEXTS; i++)
        if (out[i] == LOOM_MAP_NONE)
            return -1;
    return 0;
}

static bool is_like_last(const struct user *user, const struct loom_job_view *job)
{
    return user->procs == job->procs && user->request_s == job->request_s &&
           user->executable == job->executable && user->req_mem_kib == job->req_mem_kib;
}

/* Return the contexts of a job, valid until the next call; NULL when memory is out. */
static const uint32_t *contexts_of(struct online *self, const struct loom_job_view *job)
{
    uint32_t index = find_user(self, job);
    if (index == LOOM_MAP_NONE)
        return NULL;
    struct user *user = &self->users[index];
    if (is_like_last(user, job))
        return user->history;
    user->procs = -1;
    if (find_contexts(user->history, self, index, job))
        return NULL;
    user->request_s = job->request_s;
    user->req_mem_kib = job->req_mem_kib;
    user->procs = job->procs;
    user->executable = job->executable;
    return user->history;
}

/* ---- quantiles of a context ------------------------------------------------------------------ */

static four_floats all_four(float value)
{
    return (four_floats){value, value, value, value};
}

/* Return values where a comparison holds, 0 elsewhere. */
static four_floats where(four_bits holds, four_floats values)
{
    return (four_floats)((four_bits)values & holds);
}

/* Replace the oldest value by a new one, whose weight is 1. All others lose the same share of their
 * weight, so their sums follow from the sums before; rounding errors fade as the weights do. Values
 * not there yet are INFINITY and count in no sum but their own, which is not used. */
static void replace_oldest(const struct online *self, struct history *history, float value)
{
    uint32_t slot = history->n++ % REMEMBERED;
    const float *weights = self->weights + (REMEMBERED - 1 - slot);
    const four_floats old = all_four(history->values[slot]), added = all_four(value);
    four_floats values, sums, faded, up_to = {0};
    for (int i = 0; i < REMEMBERED; i += 4) {
        memcpy(&values, history->values + i, sizeof values);
        memcpy(&sums, history->sums + i, sizeof sums);
        memcpy(&faded, weights + i, sizeof faded);
        up_to += where(values <= added, faded);
        sums = sums * all_four(self->fade) - where(old <= values, all_four(self->last_weight)) +
               where(added <= values, all_four(1));
        memcpy(history->sums + i, &sums, sizeof sums);
    }
    float up_to_value = up_to[0] + up_to[1] + up_to[2] + up_to[3];
    history->sums[slot] = up_to_value + (history->values[slot] <= value ? 0 : 1);
    history->values[slot] = value;
}

static float smaller(float a, float b)
{
    return a < b ? a : b;
}

/* Return the smallest value up to which the share p of the weight lies; INFINITY without values. */
static float quantile_of(const struct online *self, const struct history *history, float p)
{
    uint32_t n = history->n < REMEMBERED ? history->n : REMEMBERED;
    const four_floats wanted = all_four(p * self->totals[n] * ROUNDING);
    four_floats values, sums, found = all_four(INFINITY);
    for (int i = 0; i < REMEMBERED; i += 4) {
        memcpy(&values, history->values + i, sizeof values);
        memcpy(&sums, history->sums + i, sizeof sums);
        four_bits taken = (sums >= wanted) & (values < found);
        found = where(taken, values) + where(~taken, found);
    }
    return smaller(smaller(found[0], found[1]), smaller(found[2], found[3]));
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

/* Return the smallest prediction of a context up to which a share of the weight lies. A weight of 0
 * is a context that says nothing. */
static float decide(const float *said_s, const float *weights, float share)
{
    float total = 0, found = INFINITY;
    for (int i = 0; i < CONTEXTS; i++)
        total += weights[i];
    for (int i = 0; i < CONTEXTS; i++) {
        float sum = 0;
        for (int k = 0; k < CONTEXTS; k++)
            sum += said_s[k] <= said_s[i] ? weights[k] : 0;
        if (sum >= share * total * ROUNDING && said_s[i] < found)
            found = said_s[i];
    }
    return found;
}

/* Note what each context of a job says in *said, and its weight, 0 without jobs. Returns whether
 * any remembers a job. */
static bool ask_contexts(struct pending *said, float *weights, const struct online *self,
                         const struct loom_job_view *job)
{
    bool any = false;
    for (int i = 0; i < CONTEXTS; i++) {
        const struct history *history = &self->histories[i][said->history[i]];
        bool known = history->n > 0;
        weights[i] = known ? context_weight(history, &self->errors[i]) : 0;
        said->said_s[i] = known ? whole(history->quantile * unit_s((enum kind)i, job)) : NAN;
        any |= known;
    }
    return any;
}

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

static int online_predict(struct loom_prediction *out, void *state, const struct loom_job_view *job,
                          struct loom_error *err)
{
    struct online *self = state;
    struct pending said = {.low_s = NAN, .high_s = NAN, .scale_s = (float)out->run_s};
    float weights[CONTEXTS];
    const uint32_t *contexts = contexts_of(self, job);
    if (!contexts)
        return loom_fail_memory(err);
    memcpy(said.history, contexts, sizeof said.history);
    if (ask_contexts(&said, weights, self, job))
        out->run_s = (double)decide(said.said_s, weights, self->share);
    return keep(self, job, &said) ? loom_fail_memory(err) : 0;
}

/* ---- the interval ---------------------------------------------------------------------------- */

/* Runtimes that all contexts of a job remember, in ascending order. */
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
    int n = history->n < REMEMBERED ? (int)history->n : REMEMBERED;
    const float *weights =
        self->weights + (REMEMBERED - 1 - (history->n + REMEMBERED - 1) % REMEMBERED);
    for (int i = 0; i < n; i++)
        pool_add(pool, history->values[i] * unit, weight * weights[i]);
}

/* Return the smallest runtime up to which the share p of the weight lies. */
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
        const struct history *history = &self->histories[i][said->history[i]];
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

/* Lower a level that runtimes fall below too often, and raise it where they do too seldom. */
static float moved(float level, float wanted, bool below)
{
    level += LEVEL_STEP * (wanted - (float)below);
    return smaller(level > -1 ? level : -1, 2);
}

/* Return whether all jobs of the context by user and request agree in the rest as well. Then both
 * contexts have the same jobs and predicted the same, and need not be updated twice. */
static bool is_narrow_the_same(const struct online *self, const struct pending *said)
{
    return self->histories[BY_ALL][said->history[BY_ALL]].n ==
           self->histories[BY_USER_REQUEST][said->history[BY_USER_REQUEST]].n;
}

static int online_learn(void *state, const struct loom_job_view *job, int64_t run_s,
                        struct loom_error *err)
{
    struct online *self = state;
    int64_t slot = loom_by_job_get(&self->slots, job);
    struct pending *said = &self->pending[slot];
    float run = (float)run_s;
    (void)err;
    bool same = is_narrow_the_same(self, said);
    for (int i = 0; i < CONTEXTS; i++) {
        struct history *history = &self->histories[i][said->history[i]];
        float error = smaller(fabsf(said->said_s[i] - run) / said->scale_s, 1);
        if (!isnan(said->said_s[i]))
            add_error(&self->errors[i], error, KIND_FADE);
        if (i == BY_ALL && same) {
            *history = self->histories[BY_USER_REQUEST][said->history[BY_USER_REQUEST]];
            continue;
        }
        if (!isnan(said->said_s[i]))
            add_error(&history->errors, error, ERROR_FADE);
        replace_oldest(self, history, run / unit_s((enum kind)i, job));
        history->quantile = quantile_of(self, history, self->quantile);
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
    self->fade = (float)fade;
    self->last_weight = (float)pow(fade, REMEMBERED);
    for (int i = 0; i < REMEMBERED; i++) {
        float weight = (float)pow(fade, i);
        self->weights[REMEMBERED - 1 - i] = self->weights[2 * REMEMBERED - 1 - i] = weight;
        self->totals[i + 1] = self->totals[i] + weight;
    }
    self->low = 0.1F;
    self->high = 0.9F;
    self->free_slot = -1;
    return 0;
}

static void online_close(void *state)
{
    struct online *self = state;
    for (int i = 0; i < CONTEXTS; i++) {
        loom_map_free(&self->keys[i]);
        free(self->histories[i]);
    }
    loom_map_free(&self->user_keys);
    loom_map_free(&self->requests);
    loom_map_free(&self->memories);
    loom_map_free(&self->limits);
    loom_map_free(&self->sizes);
    loom_map_free(&self->programs);
    loom_by_job_free(&self->slots);
    free(self->users);
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

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
 * runtimes fall below them as often as they should (Gibbs and Candes 2021). Where runtimes leave
 * the range of what is remembered more often than that, levels go on beyond 0 and 1: from the
 * smallest runtime remembered down to 0 s, and from the largest up to the requested time.
 */
#include "base/map.h"
#include "base/vec.h"
#include "predict/by_job.h"
#include "predict/predictor.h"

#include <math.h>
#include <string.h>

enum { CONTEXTS = 7, REMEMBERED = 16, MOST_SAMPLES = CONTEXTS * REMEMBERED };
/* Samples of all contexts, and of all merges in which they take part: at most three each. */
enum { ROOM = 4 * MOST_SAMPLES };

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

/* The last jobs that ended in a context, by runtime: those of one context are then merged with
 * others without sorting. A value is a runtime or, in contexts of different requested times, its
 * share of the requested time; of a job without one, -1 - runtime. */
struct history {
    float values[REMEMBERED];
    uint32_t numbers[REMEMBERED]; /* it ended as this one in the context, from 0 */
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
    float fade[REMEMBERED]; /* weights of jobs in a context, the last first */
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
    float run_s, weight;
};

/* What a value in a history amounts to, for order alone. */
static float magnitude(float value)
{
    return value >= 0 ? value : -1 - value;
}

/* The runtime that a value stands for, of a job that requested `scale_s` or, if that is unknown, is
 * expected to take so long. Whole seconds: a prediction of one less than the runtime, by rounding
 * of shares, would run out at the very end. */
static float runtime(float value, bool shares, float scale_s)
{
    float run_s = value * scale_s;
    if (value < 0 || !shares)
        return value < 0 ? -1 - value : value;
    return run_s < 1e9F ? (float)(int32_t)(run_s + 0.5F) : run_s;
}

/* Collect what a context remembers, sorted by runtime, and return how many samples that is. Values
 * are in this order already, unless only some of the jobs have requested times. */
static size_t gather(struct sample *out, const struct online *self, const struct history *history,
                     bool shares, double weight, double scale_s)
{
    uint32_t n = history->n < REMEMBERED ? history->n : REMEMBERED;
    for (uint32_t i = 0; i < n; i++) {
        float run_s = runtime(history->values[i], shares, (float)scale_s);
        float faded = self->fade[history->n - 1 - history->numbers[i]];
        size_t at = i;
        for (; at > 0 && out[at - 1].run_s > run_s; at--)
            out[at] = out[at - 1];
        out[at] = (struct sample){run_s, faded * (float)weight};
    }
    return n;
}

/* Replace the oldest job of a full history by one that has ended. */
static void remember(struct history *history, float value)
{
    uint32_t n = history->n < REMEMBERED ? history->n : REMEMBERED, place = 0, from = n;
    if (n == REMEMBERED) {
        uint32_t oldest = history->n - REMEMBERED;
        for (from = 0; history->numbers[from] != oldest;)
            from++;
    }
    for (uint32_t i = 0; i < n; i++)
        place += magnitude(history->values[i]) <= magnitude(value);
    if (from < place) {
        place--;
        memmove(history->values + from, history->values + from + 1,
                (place - from) * sizeof *history->values);
        memmove(history->numbers + from, history->numbers + from + 1,
                (place - from) * sizeof *history->numbers);
    } else {
        memmove(history->values + place + 1, history->values + place,
                (from - place) * sizeof *history->values);
        memmove(history->numbers + place + 1, history->numbers + place,
                (from - place) * sizeof *history->numbers);
    }
    history->values[place] = value;
    history->numbers[place] = history->n++;
}

/* Sorted samples of one or more contexts. */
struct run {
    const struct sample *samples;
    size_t n;
};

/* Merge two runs at *room, which is moved behind them, without branches that depend on the samples.
 */
static struct run merge(struct sample **room, struct run a, struct run b)
{
    struct sample *out = *room;
    size_t i = 0, j = 0, n = 0;
    if (a.n == 0 || b.n == 0)
        return a.n == 0 ? b : a;
    while (i < a.n && j < b.n) {
        bool second = b.samples[j].run_s < a.samples[i].run_s;
        const struct sample *from = second ? &b.samples[j] : &a.samples[i];
        out[n++] = *from;
        i += !second;
        j += second;
    }
    memcpy(out + n, a.samples + i, (a.n - i) * sizeof *out);
    n += a.n - i;
    memcpy(out + n, b.samples + j, (b.n - j) * sizeof *out);
    *room += a.n + b.n;
    return (struct run){out, a.n + b.n};
}

/* Write the sums of weights up to each sample, and return the last. */
static double add_up(double *sums, struct run of)
{
    double sum = 0;
    for (size_t i = 0; i < of.n; i++)
        sums[i] = sum += (double)of.samples[i].weight;
    return sum;
}

/* The smallest runtime that a share p of the weight does not exceed. */
static double quantile(struct run of, const double *sums, double p)
{
    size_t at = 0;
    double wanted = p * sums[of.n - 1];
    for (size_t i = 0; i + 1 < of.n; i++)
        at += sums[i] < wanted;
    return (double)of.samples[at].run_s;
}

static void weigh_contexts(double *weights, const struct online *self)
{
    double least = INFINITY;
    for (int i = 0; i < CONTEXTS; i++)
        least = fmin(least, self->loss[i]);
    for (int i = 0; i < CONTEXTS; i++)
        weights[i] = fmax(1e-9, exp(self->rate * (least - self->loss[i])));
}

/* The context whose jobs include those of a context, and are told alike; -1: none. */
static const int wider[CONTEXTS] = {
    [BY_USER] = -1,
    [BY_USER_EXECUTABLE] = BY_USER,
    [BY_USER_REQUEST] = -1,
    [BY_USER_REQUEST_PROCS] = BY_USER_REQUEST,
    [BY_USER_REQUEST_PROCS_EXECUTABLE] = BY_USER_REQUEST_PROCS,
    [BY_GROUP_REQUEST] = BY_REQUEST,
    [BY_REQUEST] = -1,
};

/* Let a context that has seen no fewer jobs than a narrower one, and so the same, stand for both:
 * it takes over the weight. Returns the contexts that others stand for, as flags. */
static unsigned join_equal(double *weights, const struct online *self,
                           const struct pending *pending)
{
    unsigned joined = 0;
    for (int i = CONTEXTS - 1; i >= 0; i--) {
        int k = wider[i];
        if (k < 0 ||
            self->histories[i][pending->history[i]].n != self->histories[k][pending->history[k]].n)
            continue;
        weights[k] += weights[i];
        joined |= 1u << i;
    }
    return joined;
}

static int stands_for(unsigned context, unsigned joined)
{
    int i = (int)context;
    while (joined & 1u << i)
        i = wider[i];
    return i;
}

/* Merge what all contexts remember, in a room for ROOM samples, and note what each says alone. */
static struct run gather_all(struct sample *room, struct pending *pending,
                             const struct online *self)
{
    struct run runs[CONTEXTS] = {{0}};
    double weights[CONTEXTS], sums[REMEMBERED];
    weigh_contexts(weights, self);
    unsigned joined = join_equal(weights, self, pending);
    for (unsigned i = 0; i < CONTEXTS; i++) {
        const struct history *history = &self->histories[i][pending->history[i]];
        if (joined & 1u << i)
            continue;
        size_t n =
            gather(room, self, history, i <= BY_USER_EXECUTABLE, weights[i], pending->scale_s);
        runs[i] = (struct run){room, n};
        room += n;
        add_up(sums, runs[i]);
        pending->said_s[i] = n > 0 ? quantile(runs[i], sums, self->quantile) : NAN;
    }
    for (unsigned i = 0; i < CONTEXTS; i++)
        if (joined & 1u << i)
            pending->said_s[i] = pending->said_s[stands_for(i, joined)];
    struct run user = merge(&room, runs[BY_USER], runs[BY_USER_EXECUTABLE]);
    struct run asked = merge(&room, runs[BY_USER_REQUEST], runs[BY_USER_REQUEST_PROCS]);
    struct run others = merge(&room, runs[BY_GROUP_REQUEST], runs[BY_REQUEST]);
    others = merge(&room, others, runs[BY_USER_REQUEST_PROCS_EXECUTABLE]);
    user = merge(&room, user, asked);
    return merge(&room, user, others);
}

/* The bounds of the interval: quantiles, or beyond the least and greatest runtime remembered. */
static double low_of(struct run of, const double *sums, double level)
{
    double least = (double)of.samples[0].run_s;
    return level >= 0 ? quantile(of, sums, level) : least * (1 + level);
}

static double high_of(struct run of, const double *sums, double level,
                      const struct loom_job_view *job)
{
    double greatest = (double)of.samples[of.n - 1].run_s;
    double most = job->request_s > 0 ? (double)job->request_s : 10 * greatest;
    return level <= 1 ? quantile(of, sums, level)
                      : greatest + (level - 1) * fmax(most - greatest, 0);
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
    struct sample room[ROOM];
    double sums[MOST_SAMPLES];
    struct pending said = {.low_s = NAN, .high_s = NAN, .scale_s = out->run_s};
    if (find_histories(said.history, self, job))
        return loom_fail_memory(err);
    struct run all = gather_all(room, &said, self);
    if (all.n > 0) {
        add_up(sums, all);
        out->run_s = quantile(all, sums, self->quantile);
        out->low_s = said.low_s = fmin(out->run_s, low_of(all, sums, self->low));
        out->high_s = said.high_s = fmax(out->run_s, high_of(all, sums, self->high, job));
    }
    return keep(self, job, &said) ? loom_fail_memory(err) : 0;
}

/* Lower a level that runtimes fall below too often, and raise it where they do too seldom. */
static double moved(double level, double wanted, bool below)
{
    level += LEVEL_STEP * (wanted - below);
    return fmin(fmax(level, -1), 2);
}

static int learn(void *state, const struct loom_job_view *job, int64_t run_s,
                 struct loom_error *err)
{
    struct online *self = state;
    int64_t slot = loom_by_job_get(&self->slots, job);
    struct pending *said = &self->pending[slot];
    float run = (float)run_s, share = -1 - run;
    if (job->request_s > 0)
        share = (float)((double)run_s / (double)job->request_s);
    (void)err;
    for (int i = 0; i < CONTEXTS; i++) {
        double error = fabs(said->said_s[i] - (double)run_s) / said->scale_s;
        if (!isnan(error))
            self->loss[i] = LOSS_FADE * self->loss[i] + fmin(error, 1);
        remember(&self->histories[i][said->history[i]], i <= BY_USER_EXECUTABLE ? share : run);
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
        self->fade[i] = (float)pow(loom_params_real(params, "fade"), i);
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

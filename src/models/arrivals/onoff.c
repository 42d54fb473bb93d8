/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Generate the sum of users with heavy-tailed on and off periods, window by window: each user is
 * advanced through the window, and the jobs of all are sorted.
 *
 * The load scales with the number of users (survey 5.1), and the fractional rest with the lengths
 * of all periods. Every user has a random stream, so adding users does not change the others.
 * Without lrd, the periods are exponential, with the same means and jobs, and the order of
 * intervals is random, since periods of days have a memory of days.
 */
#include "models/arrivals/onoff.h"

#include "base/search.h"

#include "base/sort.h"
#include "models/arrivals/intervals.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_sf_zeta.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_USERS = 1 << 20, WINDOW_JOBS = 1 << 16 };
static const double LONGEST_S = 1e12; /* 30,000 years: nobody is away for longer */

/* ---- jobs of a period ------------------------------------------------------------------------ */

/* E k = 1 + sum over n >= 2 of P(length >= (n - 1/2) pace). */
double loom_onoff_jobs(const struct loom_periods *on, double pace_s, bool exponential)
{
    double x = pace_s / on->mean_s;
    if (exponential)
        return 1 + exp(-1.5 * x) / -expm1(-x);
    double shortest = (on->alpha - 1) / on->alpha / x; /* in paces */
    double certain = fmax(1, floor(shortest + 0.5));
    return certain + pow(shortest, on->alpha) * gsl_sf_hzeta(on->alpha, certain + 0.5);
}

double loom_onoff_pace(const struct loom_periods *on, double jobs, bool exponential)
{
    double low = on->mean_s / jobs / 16, high = on->mean_s * 1e6;
    LOOM_HALVE(100, low, high, pace_s, sqrt(low * high),
               loom_onoff_jobs(on, pace_s, exponential) > jobs);
    return low;
}

/* ---- periods --------------------------------------------------------------------------------- */

struct law {
    bool exponential;
    double mean_s, shortest_s, alpha;
};

static struct law law_of(const struct loom_periods *periods, double stretch, bool exponential)
{
    double mean_s = periods->mean_s * stretch;
    return (struct law){.exponential = exponential,
                        .mean_s = mean_s,
                        .shortest_s = mean_s * (periods->alpha - 1) / periods->alpha,
                        .alpha = periods->alpha};
}

static double draw_length(const struct law *law, struct loom_stream *stream)
{
    if (law->exponential)
        return gsl_ran_exponential(&stream->gsl, law->mean_s);
    double u = 1 - loom_stream_uniform(stream);
    return fmin(law->shortest_s * pow(u, -1 / law->alpha), LONGEST_S);
}

/* The period that a time in the middle of things falls into: longer ones are met more often, in
 * proportion to their length. The time lies anywhere in it. */
static double draw_met(const struct law *law, struct loom_stream *stream)
{
    if (law->exponential)
        return gsl_ran_gamma(&stream->gsl, 2, law->mean_s);
    double u = 1 - loom_stream_uniform(stream);
    return fmin(law->shortest_s * pow(u, -1 / (law->alpha - 1)), LONGEST_S);
}

/* ---- users ----------------------------------------------------------------------------------- */

struct user {
    double next_s;   /* their next job */
    double pace_s;   /* between the jobs of this on period */
    double jobs_due; /* in this on period */
    double until_s;  /* end of the on period */
    struct loom_stream stream;
};

struct population {
    struct law on, off;
    double pace_s;
    size_t n;
    struct user *users;
};

static void go_on(struct user *user, const struct population *population, double from_s,
                  double length_s)
{
    user->jobs_due = fmax(1, round(length_s / population->pace_s));
    user->pace_s = length_s / user->jobs_due;
    user->next_s = from_s;
    user->until_s = from_s + length_s;
}

/* So many of the jobs due are behind; after the last one the user is off and then on again. */
static void onoff_submitted(struct user *user, const struct population *population, double jobs)
{
    user->jobs_due -= jobs;
    user->next_s += jobs * user->pace_s;
    if (user->jobs_due > 0)
        return;
    double from_s = user->until_s + draw_length(&population->off, &user->stream);
    go_on(user, population, from_s, draw_length(&population->on, &user->stream));
}

/* As it looks when it has been going on for ever: of a period that began before time 0, the jobs
 * from then on are left, and there may be none. */
static void start_user(struct user *user, const struct population *population)
{
    double on = population->on.mean_s / (population->on.mean_s + population->off.mean_s);
    bool is_on = loom_stream_uniform(&user->stream) < on;
    double met_s = draw_met(is_on ? &population->on : &population->off, &user->stream);
    double past_s = met_s * loom_stream_uniform(&user->stream);
    if (is_on) {
        go_on(user, population, -past_s, met_s);
        onoff_submitted(user, population, ceil(past_s / user->pace_s));
    } else {
        go_on(user, population, met_s - past_s, draw_length(&population->on, &user->stream));
    }
}

static int onoff_gather(struct population *out, const struct loom_onoff *onoff,
                        const struct loom_generation *generation, struct loom_error *err)
{
    double wanted = (double)onoff->users * generation->rate;
    if (wanted > MOST_USERS)
        return loom_fail(err, LOOM_ERANGE,
                         "%g users are too many, at most %d can be; ask for a "
                         "lower rate",
                         wanted, MOST_USERS);
    bool exponential = generation->without & LOOM_LRD;
    out->n = wanted > 1 ? (size_t)llround(wanted) : 1;
    double stretch = (double)out->n / wanted;
    out->on = law_of(&onoff->on, stretch, exponential);
    out->off = law_of(&onoff->off, stretch, exponential);
    out->pace_s = stretch * loom_onoff_pace(&onoff->on, onoff->jobs_per_on, exponential);
    out->users = malloc(out->n * sizeof *out->users);
    if (!out->users)
        return loom_fail_memory(err);
    for (size_t i = 0; i < out->n; i++) {
        char purpose[48];
        snprintf(purpose, sizeof purpose, "onoff user %zu", i);
        loom_generation_stream(&out->users[i].stream, generation, purpose);
        start_user(&out->users[i], out);
    }
    return 0;
}

/* ---- windows --------------------------------------------------------------------------------- */

/* What is submitted in one window, as seconds since its start times users, plus user: numbers of 32
 * bits, which are sorted fast. */
struct window {
    int64_t start_s, length_s;
    int64_t *jobs;
    size_t n, capacity;
};

static int onoff_add_job(struct window *window, int64_t job, struct loom_error *err)
{
    if (window->n == window->capacity) {
        size_t capacity = window->capacity ? window->capacity * 2 : WINDOW_JOBS;
        int64_t *jobs = realloc(window->jobs, capacity * sizeof *jobs);
        if (!jobs)
            return loom_fail_memory(err);
        window->jobs = jobs;
        window->capacity = capacity;
    }
    window->jobs[window->n++] = job;
    return 0;
}

static int fill_window(struct window *window, struct population *population, struct loom_error *err)
{
    double end_s = (double)(window->start_s + window->length_s);
    window->n = 0;
    for (size_t i = 0; i < population->n; i++)
        for (struct user *user = &population->users[i]; user->next_s < end_s;
             onoff_submitted(user, population, 1)) {
            int64_t second = (int64_t)user->next_s - window->start_s;
            int rc = onoff_add_job(window, second * (int64_t)population->n + (int64_t)i, err);
            if (rc)
                return rc;
        }
    loom_sort_int64(window->jobs, window->n);
    return 0;
}

static int take_window(struct loom_generation *generation, size_t *made,
                       const struct window *window, size_t users, struct loom_error *err)
{
    for (size_t i = 0; i < window->n && *made < generation->jobs; i++, ++*made) {
        int rc = *made < generation->draft.n ? 0 : loom_generation_more(generation, err);
        if (rc)
            return rc;
        generation->draft.submit_s[*made] = window->start_s + window->jobs[i] / (int64_t)users;
        generation->draft.user[*made] = 1 + (int32_t)(window->jobs[i] % (int64_t)users);
    }
    return 0;
}

static int generate_windows(struct population *population, double jobs_per_s,
                            struct loom_generation *generation, struct loom_error *err)
{
    double length_s = fmin(WINDOW_JOBS / jobs_per_s, UINT32_MAX / (double)population->n);
    struct window window = {.length_s = length_s > 1 ? (int64_t)length_s : 1};
    size_t made = 0;
    int rc = loom_draft_detail(&generation->draft, LOOM_DETAIL_USER, err);
    while (!rc && made < generation->jobs && window.start_s < generation->horizon_s) {
        if ((double)window.start_s > LONGEST_S)
            rc = loom_fail(err, LOOM_ERANGE,
                           "so many jobs take more than %g years at this rate; "
                           "ask for fewer or for a higher rate",
                           LONGEST_S / 86400 / 365.25);
        if (!rc)
            rc = fill_window(&window, population, err);
        if (!rc)
            rc = take_window(generation, &made, &window, population->n, err);
        window.start_s += window.length_s;
    }
    free(window.jobs);
    return rc ? rc : loom_draft_resize(&generation->draft, made, err);
}

/* ---- the model ------------------------------------------------------------------------------- */

static void describe_periods(struct loom_periods *periods, const char *key,
                             struct loom_codec *codec)
{
    loom_codec_open(codec, key);
    loom_codec_real(codec, "alpha", &periods->alpha, 1.01, 10);
    loom_codec_real(codec, "mean_s", &periods->mean_s, 1e-3, 1e9);
    loom_codec_close(codec);
}

static void onoff_describe(void *state, struct loom_codec *codec)
{
    struct loom_onoff *onoff = state;
    loom_codec_int(codec, "users", &onoff->users, 1, MOST_USERS);
    describe_periods(&onoff->on, "on", codec);
    describe_periods(&onoff->off, "off", codec);
    loom_codec_real(codec, "jobs_per_on", &onoff->jobs_per_on, 1.001, 1e9);
}

static int onoff_generate(const void *state, struct loom_generation *generation,
                          struct loom_error *err)
{
    const struct loom_onoff *onoff = state;
    struct population population = {0};
    int rc = onoff_gather(&population, onoff, generation, err);
    if (!rc) {
        double jobs_per_s = (double)population.n * onoff->jobs_per_on /
                            (population.on.mean_s + population.off.mean_s);
        rc = generate_windows(&population, jobs_per_s, generation, err);
    }
    free(population.users);
    return rc ? rc : loom_intervals_leave_out(generation, LOOM_INTERVAL_S, err);
}

static const char *remark(const void *state)
{
    const struct loom_onoff *onoff = state;
    return onoff->remark[0] ? onoff->remark : NULL;
}

const struct loom_model_ops loom_model_onoff = {
    .info = {.name = "onoff",
             .summary = "users who are active and away for heavy-tailed times",
             .source = "Feitelson 2002, 4.3",
             .arrivals_only = true,
             .can_fit = true,
             .traits = LOOM_BURSTINESS | LOOM_LRD},
    .state_size = sizeof(struct loom_onoff),
    .fit = loom_onoff_fit,
    .describe = onoff_describe,
    .generate = onoff_generate,
    .remark = remark,
};

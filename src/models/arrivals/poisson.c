/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Poisson arrivals: exponential times between jobs, each independent of all others. No log is like
 * that; it is the baseline for the others.
 *
 * With day=two-part the rate is one of two, for twelve hours each: Downey's arrivals (the archive's
 * page of his model has two parts of 12 hours; that the second has no jobs, and that the first
 * begins at 8:00, is chosen here). Fitted, the second part has the log's share of jobs.
 */
#include "models/arrivals/week.h"
#include "models/model.h"

#include <gsl/gsl_randist.h>
#include <math.h>

enum { FLAT, TWO_PART };
static const char *const days[] = {"flat", "two-part", NULL};

static const struct loom_param params[] = {
    LOOM_CHOICE_PARAM("day", days, "flat", NULL,
                      "one rate at all times, or one from 8:00 to 20:00 and another at night"),
    {.name = NULL},
};

struct poisson {
    double interarrival_s; /* mean */
    bool two_part;
    double night; /* rate from 20:00 to 8:00 over the rate of the other hours */
};

static int poisson_publish(void *state, const struct loom_params *given, struct loom_error *err)
{
    (void)err;
    *(struct poisson *)state =
        (struct poisson){.interarrival_s = 900,
                         .two_part = loom_params_choice(given, "day") == TWO_PART};
    return 0;
}

static bool at_night(int64_t hour)
{
    return hour < 8 || hour >= 20;
}

/* Both parts are as long, so that jobs stand for rates. */
static double night_of(const struct loom_workload *jobs)
{
    enum { HOUR_S = 3600, DAY_S = 24 * HOUR_S };
    double counts[2] = {0};
    for (size_t i = 0; i < jobs->n; i++) {
        int64_t time_s = loom_zone_local(jobs->zone, jobs->submit_s[i]) % DAY_S;
        counts[at_night((time_s < 0 ? time_s + DAY_S : time_s) / HOUR_S)]++;
    }
    return counts[0] > 0 ? counts[1] / counts[0] : 1;
}

/* Of ten jobs, the mean has a standard error of a third: of fewer it means nothing. */
static int poisson_fit(void *state, const struct loom_training *log, struct loom_error *err)
{
    enum { LEAST_JOBS = 10 };
    struct poisson *poisson = state;
    if (log->jobs->n < LEAST_JOBS)
        return loom_fail(err, LOOM_EDATA,
                         "poisson needs at least %d jobs to be fitted to, and there are %zu",
                         LEAST_JOBS, log->jobs->n);
    poisson->interarrival_s = (double)log->jobs->span_s / (double)(log->jobs->n - 1);
    poisson->two_part = loom_params_choice(log->params, "day") == TWO_PART;
    if (poisson->two_part)
        poisson->night = night_of(log->jobs);
    return 0;
}

static void poisson_describe(void *state, struct loom_codec *codec)
{
    struct poisson *poisson = state;
    loom_codec_real(codec, "interarrival_s", &poisson->interarrival_s, 1e-6, 1e12);
    poisson->two_part = loom_codec_holds(codec, "night", poisson->two_part);
    if (poisson->two_part)
        loom_codec_real(codec, "night", &poisson->night, 0, 1e6);
}

/* A clock that stood still at night could not be read backwards. */
static void week(const void *state, double *speed)
{
    const struct poisson *poisson = state;
    double night = poisson->two_part ? fmax(poisson->night, 1e-6) : 1;
    for (int64_t slot = 0; slot < LOOM_WEEK_SLOTS; slot++)
        speed[slot] = at_night(slot / 2 % 24) ? night : 1;
}

/* The first job comes at 0, or after a gap where the day has two parts, as 0 may be at night; times
 * are whole seconds of an exact clock, so that rounding does not add up. */
static int poisson_generate(const void *state, struct loom_generation *generation,
                            struct loom_error *err)
{
    const struct poisson *poisson = state;
    struct loom_draft *draft = &generation->draft;
    struct loom_stream stream;
    struct loom_week hours;
    double speed[LOOM_WEEK_SLOTS], phase_s = (double)generation->week_phase_s;
    bool parts = poisson->two_part && !(generation->without & LOOM_CYCLE);
    loom_generation_stream(&stream, generation, "poisson arrivals");
    week(poisson, speed);
    loom_week_open(&hours, parts ? speed : NULL, LOOM_WEEK_SLOTS);
    double mean_s = poisson->interarrival_s / generation->rate;
    double origin_s = parts ? loom_week_working(&hours, phase_s) : 0;
    double clock_s = parts ? gsl_ran_exponential(&stream.gsl, mean_s) : 0;
    size_t n = 0;
    for (; n < generation->jobs; n++) {
        double time_s = parts ? loom_week_local(&hours, origin_s + clock_s) - phase_s : clock_s;
        if (!(time_s < (double)generation->horizon_s))
            break;
        int rc = n < draft->n ? 0 : loom_generation_more(generation, err);
        if (rc)
            return rc;
        draft->submit_s[n] = loom_whole_seconds(floor(time_s), 0);
        clock_s += gsl_ran_exponential(&stream.gsl, mean_s);
    }
    return loom_draft_resize(draft, n, err);
}

static double poisson_interarrival_s(const void *state)
{
    return ((const struct poisson *)state)->interarrival_s;
}

static unsigned poisson_traits(const void *state)
{
    return ((const struct poisson *)state)->two_part ? LOOM_CYCLE : 0;
}

const struct loom_model_ops loom_model_poisson = {
    .info = {.name = "poisson",
             .summary = "exponential times between jobs, all independent",
             .source = "Feitelson 2002, 4.2",
             .arrivals_only = true,
             .defaults = LOOM_DEFAULTS_ILLUSTRATIVE,
             .can_fit = true,
             .params = params},
    .state_size = sizeof(struct poisson),
    .published_jobs = 10000,
    .published_procs = 128,
    .publish = poisson_publish,
    .fit = poisson_fit,
    .describe = poisson_describe,
    .generate = poisson_generate,
    .traits = poisson_traits,
    .week = week,
    .interarrival_s = poisson_interarrival_s,
};

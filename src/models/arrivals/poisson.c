/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Poisson arrivals: exponential times between jobs, each independent of all others. No log is like
 * that; it is what the others are compared with.
 */
#include "models/model.h"

#include <gsl/gsl_randist.h>
#include <math.h>

struct poisson {
    double interarrival_s; /* mean */
};

static int publish(void *state, const struct loom_params *params, struct loom_error *err)
{
    (void)params, (void)err;
    *(struct poisson *)state = (struct poisson){.interarrival_s = 900};
    return 0;
}

/* Of ten jobs, the mean has a standard error of a third: of fewer it tells nothing. */
static int fit(void *state, const struct loom_training *log, struct loom_error *err)
{
    enum { LEAST_JOBS = 10 };
    struct poisson *poisson = state;
    if (log->jobs->n < LEAST_JOBS)
        return loom_fail(err, LOOM_EDATA,
                         "poisson needs at least %d jobs to be fitted to, and there are %zu",
                         LEAST_JOBS, log->jobs->n);
    poisson->interarrival_s = (double)log->jobs->span_s / (double)(log->jobs->n - 1);
    return 0;
}

static void describe(void *state, struct loom_codec *codec)
{
    struct poisson *poisson = state;
    loom_codec_real(codec, "interarrival_s", &poisson->interarrival_s, 1e-6, 1e12);
}

/* The first job comes at 0; times are whole seconds of an exact clock, so that rounding does not
 * add up. */
static int weave(const void *state, struct loom_weave *weave, struct loom_error *err)
{
    const struct poisson *poisson = state;
    struct loom_draft *draft = &weave->draft;
    struct loom_stream stream;
    loom_weave_stream(&stream, weave, "poisson arrivals");
    double mean_s = poisson->interarrival_s / weave->rate, clock_s = 0;
    size_t n = 0;
    for (; n < weave->jobs && clock_s < (double)weave->horizon_s; n++) {
        int rc = n < draft->n ? 0 : loom_weave_more(weave, err);
        if (rc)
            return rc;
        draft->submit_s[n] = loom_whole_seconds(floor(clock_s), 0);
        clock_s += gsl_ran_exponential(&stream.gsl, mean_s);
    }
    return loom_draft_resize(draft, n, err);
}

static double interarrival_s(const void *state)
{
    return ((const struct poisson *)state)->interarrival_s;
}

const struct loom_model_ops loom_model_poisson = {
    .info = {.name = "poisson",
             .summary = "exponential times between jobs, all independent",
             .source = "Feitelson 2002, 4.2",
             .arrivals_only = true,
             .published = true,
             .can_fit = true},
    .state_size = sizeof(struct poisson),
    .published_jobs = 10000,
    .published_procs = 128,
    .publish = publish,
    .fit = fit,
    .describe = describe,
    .weave = weave,
    .interarrival_s = interarrival_s,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The multifractal wavelet model of arrivals (Riedi et al. 1999; Minh 2012, 4.1 to 4.3): a rate
 * process with the log's variance at every time scale, hence its long-range dependence. Rates are
 * never zero, so it lacks the log's bursts between long gaps: see mmwm.c.
 *
 * variant=printed takes arrivals for rates, as Minh 2012 does. Integer arrivals vary more than the
 * rates behind them: variant=improved fits the multipliers so that arrivals vary as the log's
 * (cascade_settle.c), and recovers a model from its own arrivals.
 *
 * Without lrd, the intervals come in random order; without burstiness, they come from a Poisson
 * process.
 */
#include "models/arrivals/cascade.h"
#include "models/arrivals/intervals.h"

static const struct loom_param params[] = {
    LOOM_CASCADE_PARAMS,
    LOOM_VARIANT_PARAM(
        "printed", "the method as the thesis prints it, or one whose arrivals vary as the log's"),
    {.name = NULL},
};

static int mwm_measure(double *variances, const struct loom_cascade_log *log,
                       struct loom_error *err)
{
    struct loom_cascade seen = {0};
    int rc = loom_cascade_fit(&seen, log, err);
    for (size_t j = 0; j < log->depth && !rc; j++)
        variances[j] = loom_cascade_variance(seen.beta[j]);
    loom_cascade_clear(&seen);
    return rc;
}

static int mwm_fit(void *state, const struct loom_training *log, struct loom_error *err)
{
    struct loom_cascade_log cut;
    int rc = loom_cascade_log_create(&cut, log, "mwm", err);
    if (rc)
        return rc;
    rc = loom_cascade_fit(state, &cut, err);
    if (!rc && loom_params_choice(log->params, "variant") == LOOM_IMPROVED)
        rc = loom_cascade_settle(state, NULL, mwm_measure, err);
    loom_cascade_log_free(&cut);
    return rc;
}

static void mwm_describe(void *state, struct loom_codec *codec)
{
    loom_cascade_describe(state, codec);
}

static int mwm_generate(const void *state, struct loom_generation *generation,
                        struct loom_error *err)
{
    const struct loom_cascade *cascade = state;
    int rc = loom_cascade_generate(cascade, NULL, generation, err);
    return rc ? rc : loom_intervals_leave_out(generation, cascade->interval_s, err);
}

static void mwm_clear(void *state)
{
    loom_cascade_clear(state);
}

const struct loom_model_ops loom_model_mwm = {
    .info = {.name = "mwm",
             .summary = "multifractal wavelet model: long-range dependent arrivals",
             .source = "Minh 2012, 4.1 to 4.3",
             .arrivals_only = true,
             .can_fit = true,
             .traits = LOOM_BURSTINESS | LOOM_LRD,
             .params = params},
    .state_size = sizeof(struct loom_cascade),
    .fit = mwm_fit,
    .describe = mwm_describe,
    .generate = mwm_generate,
    .clear = mwm_clear,
};

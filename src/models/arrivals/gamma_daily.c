/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The arrivals of the Lublin-Feitelson model as a process of their own. gamma_daily.h defines the
 * model, gamma_daily_fit.c fits it, gamma_daily_clock.c generates from it.
 */
#include "models/arrivals/gamma_daily.h"

#include <stdlib.h>

const char *const loom_daily_methods[] = {"slot-weight", "expected-interarrival", "expected-slots",
                                          NULL};
const char *const loom_lublin_type_names[] = {"combined", "batch", "interactive", NULL};
const char *const loom_lublin_estimator_names[] = {"paper", "likelihood", NULL};
const char *const loom_daily_gap_names[] = {"rate", "peak", NULL};

static const struct loom_param params[] = {
    LOOM_CHOICE_PARAM("type", loom_lublin_type_names, "combined", NULL,
                      "whose published parameters to take"),
    LOOM_DAILY_PARAMS,
    {.name = NULL},
};

/* Table 6 and 7, with the digits of the published program. */
void loom_gamma_daily_publish(struct loom_gamma_daily *out, enum loom_lublin_type type, int method)
{
    static const struct loom_gamma_daily published[LOOM_LUBLIN_TYPES] = {
        [LOOM_LUBLIN_COMBINED] = {10.2303, 0.4871, 1.0225, 13, 8.1737, 3.9631, 0},
        [LOOM_LUBLIN_BATCH] = {6.0415, 0.8531, 1.0519, 13, 6.1271, 5.2740, 0},
        [LOOM_LUBLIN_INTERACTIVE] = {6.5510, 0.6621, 0.9797, 13, 8.9186, 3.6680, 0},
    };
    *out = published[type];
    out->method = method;
}

static int gamma_daily_publish(void *state, const struct loom_params *given, struct loom_error *err)
{
    (void)err;
    loom_gamma_daily_publish(state, (enum loom_lublin_type)loom_params_choice(given, "type"),
                             loom_params_choice(given, "cycle"));
    return 0;
}

struct loom_daily_fitting loom_daily_fitting(const struct loom_params *given, const char *model)
{
    return (struct loom_daily_fitting){.method = loom_params_choice(given, "cycle"),
                                       .estimators = loom_params_choice(given, "estimators"),
                                       .gaps = loom_params_choice(given, "gaps"),
                                       .gaps_given = loom_params_given(given, "gaps"),
                                       .model = model};
}

static int daily_fit(void *state, const struct loom_training *log, struct loom_error *err)
{
    const struct loom_workload *jobs = log->jobs;
    struct loom_daily_fitting options = loom_daily_fitting(log->params, "gamma-daily");
    int64_t *local_s = malloc(jobs->n * sizeof *local_s);
    if (!local_s)
        return loom_fail_memory(err);
    for (size_t i = 0; i < jobs->n; i++)
        local_s[i] = loom_zone_local(jobs->zone, jobs->submit_s[i]);
    int rc = loom_gamma_daily_fit(state, local_s, jobs->n, &options, err);
    free(local_s);
    return rc;
}

/* What a document may have. */
static const struct range {
    double low, high;
} SHAPES = {1e-3, 1e6}, SCALES = {1e-6, 1e3}, CYCLE_SCALES = {1e-6, 1e6};

void loom_gamma_daily_describe(struct loom_gamma_daily *daily, struct loom_codec *codec)
{
    loom_codec_word(codec, "method", &daily->method, loom_daily_methods);
    loom_codec_open(codec, "peak");
    loom_codec_real(codec, "shape", &daily->shape, SHAPES.low, SHAPES.high);
    loom_codec_real(codec, "scale", &daily->scale, SCALES.low, SCALES.high);
    loom_codec_close(codec);
    loom_codec_real(codec, "arar", &daily->arar, 1e-3, 1e3);
    loom_codec_real(codec, "limit", &daily->limit, 1e-3, 30);
    loom_codec_open(codec, "cycle");
    loom_codec_real(codec, "shape", &daily->cycle_shape, SHAPES.low, SHAPES.high);
    loom_codec_real(codec, "scale", &daily->cycle_scale, CYCLE_SCALES.low, CYCLE_SCALES.high);
    loom_codec_close(codec);
}

static bool within(double x, const struct range *range)
{
    return x >= range->low && x <= range->high;
}

bool loom_gamma_daily_runs(const struct loom_gamma_daily *daily)
{
    struct loom_generation generation = {.rate = 1};
    struct loom_daily_clock clock;
    struct loom_error ignored;
    return within(daily->shape, &SHAPES) && within(daily->scale, &SCALES) &&
           within(daily->cycle_shape, &SHAPES) && within(daily->cycle_scale, &CYCLE_SCALES) &&
           !loom_daily_clock_open(&clock, daily, &generation, "gamma-daily rate", &ignored);
}

static void gamma_daily_describe(void *state, struct loom_codec *codec)
{
    loom_gamma_daily_describe(state, codec);
}

static int gamma_daily_generate(const void *state, struct loom_generation *generation,
                                struct loom_error *err)
{
    struct loom_draft *draft = &generation->draft;
    struct loom_daily_clock clock;
    int rc = loom_daily_clock_open(&clock, state, generation, "gamma-daily arrivals", err);
    size_t n = 0;
    for (; n < generation->jobs && !rc; n++) {
        double time_s = loom_daily_clock_next(&clock);
        if (!(time_s < (double)generation->horizon_s))
            break;
        rc = n < draft->n ? 0 : loom_generation_more(generation, err);
        if (!rc)
            draft->submit_s[n] = (int64_t)time_s;
    }
    return rc ? rc : loom_draft_resize(draft, n, err);
}

void loom_gamma_daily_week(const struct loom_gamma_daily *daily, double *speed)
{
    double weights[LOOM_SLOTS];
    loom_daily_weights(weights, daily->cycle_shape, daily->cycle_scale);
    for (size_t i = 0; i < LOOM_WEEK_SLOTS; i++)
        speed[i] = weights[i % LOOM_SLOTS];
}

static void week(const void *state, double *speed)
{
    loom_gamma_daily_week(state, speed);
}

static double gamma_daily_interarrival_s(const void *state)
{
    return loom_gamma_daily_gap_s(state);
}

static const char *const fit_only[] = {"estimators", "gaps", NULL};
static const char *const publish_only[] = {"type", NULL};

const struct loom_model_ops loom_model_gamma_daily = {
    .info = {.name = "gamma-daily",
             .summary = "gammas of the logarithm of the time between jobs and of the time of day",
             .source = "Lublin 2003, 7",
             .arrivals_only = true,
             .defaults = LOOM_DEFAULTS_PUBLISHED,
             .can_fit = true,
             .traits = LOOM_CYCLE | LOOM_BURSTINESS,
             .params = params},
    .state_size = sizeof(struct loom_gamma_daily),
    .published_jobs = 10000,
    .published_procs = 128,
    .publish = gamma_daily_publish,
    .fit_only = fit_only,
    .publish_only = publish_only,
    .fit = daily_fit,
    .describe = gamma_daily_describe,
    .generate = gamma_daily_generate,
    .week = week,
    .interarrival_s = gamma_daily_interarrival_s,
};

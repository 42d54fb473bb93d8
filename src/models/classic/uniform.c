/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The naive model: runtimes and sizes uniform over their ranges, independent of everything (Minh
 * 2012, 5.2.2 and 6). It has none of the traits of a real workload: the baseline for scores.
 */
#include "models/model.h"

static const struct loom_param params[] = {
    LOOM_ARRIVALS_PARAM("poisson", "the arrival process"),
    {.name = NULL},
};

enum { LEAST_JOBS = 10 };

struct uniform {
    struct loom_part arrivals;
    int64_t min_run_s, max_run_s;
    int64_t min_procs, max_procs;
};

static int uniform_publish(void *state, const struct loom_params *given, struct loom_error *err)
{
    struct uniform *uniform = state;
    uniform->min_run_s = 1;
    uniform->max_run_s = 7200;
    uniform->min_procs = 1;
    uniform->max_procs = 32;
    return loom_part_publish(&uniform->arrivals, loom_params_text(given, "arrivals"), given, err);
}

static int uniform_fit(void *state, const struct loom_training *log, struct loom_error *err)
{
    struct uniform *uniform = state;
    struct loom_shapes shapes;
    int rc = loom_shapes_create(&shapes, log, "uniform", LEAST_JOBS, err);
    if (rc)
        return rc;
    uniform->min_run_s = uniform->max_run_s = shapes.run_s[0];
    uniform->min_procs = uniform->max_procs = shapes.procs[0];
    for (size_t i = 1; i < shapes.n; i++) {
        if (shapes.run_s[i] < uniform->min_run_s)
            uniform->min_run_s = shapes.run_s[i];
        if (shapes.run_s[i] > uniform->max_run_s)
            uniform->max_run_s = shapes.run_s[i];
        if (shapes.procs[i] < uniform->min_procs)
            uniform->min_procs = shapes.procs[i];
        if (shapes.procs[i] > uniform->max_procs)
            uniform->max_procs = shapes.procs[i];
    }
    loom_shapes_free(&shapes);
    return loom_part_fit(&uniform->arrivals, loom_params_text(log->params, "arrivals"), log, err);
}

static void uniform_describe(void *state, struct loom_codec *codec)
{
    struct uniform *uniform = state;
    loom_codec_part(codec, "arrivals", &uniform->arrivals);
    loom_codec_int(codec, "min_run_s", &uniform->min_run_s, 0, INT64_MAX / 2);
    loom_codec_int(codec, "max_run_s", &uniform->max_run_s, uniform->min_run_s, INT64_MAX / 2);
    loom_codec_procs(codec, "min_procs", &uniform->min_procs, 1);
    loom_codec_procs(codec, "max_procs", &uniform->max_procs, uniform->min_procs);
}

static int64_t between(struct loom_stream *stream, int64_t low, int64_t high)
{
    return low + (int64_t)loom_stream_below(stream, (uint64_t)(high - low) + 1);
}

static int uniform_generate(const void *state, struct loom_generation *generation,
                            struct loom_error *err)
{
    const struct uniform *uniform = state;
    int rc = loom_part_generate(&uniform->arrivals, generation, err);
    if (rc)
        return rc;
    struct loom_stream runs, sizes;
    loom_generation_stream(&runs, generation, "uniform run times");
    loom_generation_stream(&sizes, generation, "uniform sizes");
    for (size_t i = 0; i < generation->draft.n; i++) {
        generation->draft.run_s[i] = between(&runs, uniform->min_run_s, uniform->max_run_s);
        int64_t procs = between(&sizes, uniform->min_procs, uniform->max_procs);
        generation->draft.procs[i] = loom_generation_size(generation, (int32_t)procs);
    }
    return 0;
}

static const struct loom_part *uniform_arrivals(const void *state)
{
    return &((const struct uniform *)state)->arrivals;
}

static unsigned uniform_traits(const void *state)
{
    return loom_part_traits(&((const struct uniform *)state)->arrivals);
}

static void uniform_clear(void *state)
{
    loom_part_clear(&((struct uniform *)state)->arrivals);
}

const struct loom_model_ops loom_model_uniform = {
    .info = {.name = "uniform",
             .summary = "runtimes and sizes uniform and independent: the naive yardstick",
             .source = "Minh 2012, 5.2.2",
             .defaults = LOOM_DEFAULTS_ILLUSTRATIVE,
             .can_fit = true,
             .params = params},
    .state_size = sizeof(struct uniform),
    .published_jobs = 10000,
    .published_procs = 128,
    .publish = uniform_publish,
    .fit = uniform_fit,
    .describe = uniform_describe,
    .generate = uniform_generate,
    .arrivals = uniform_arrivals,
    .traits = uniform_traits,
    .clear = uniform_clear,
};

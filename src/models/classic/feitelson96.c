/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Feitelson's model of 1996 (survey 3.2; Lublin 9.2): the size of a job has a distribution that
 * favours small, serial and power-of-two jobs; its runtime is two-stage hyper-exponential, with the
 * longer stage more likely for larger jobs; its number of runs follows a power law. Each run has
 * the same size and runtime and is submitted when the previous one ends, assuming no wait.
 *
 * A size n > 1 has weight n^-order among the powers of two, or among the other sizes: a harmonic
 * distribution with fixed shares of serial jobs and powers of two. The largest size is the machine.
 *
 * Without locality, each job is run once, and more jobs arrive instead; without correlation, all
 * sizes have the mean probability of the short stage.
 */
#include "models/classic/feitelson96.h"
#include "base/draw.h"
#include "base/sort.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const ways[] = {"means", "likelihood", NULL};

static const struct loom_param params[] = {
    LOOM_ARRIVALS_PARAM("poisson", "the arrival process of first runs"),
    LOOM_CHOICE_PARAM(
        "fit", ways, "means", NULL,
        "with the log's means of runs, sizes and runtimes, or by likelihood over first runs"),
    LOOM_REAL_PARAM(
        "unit", 1e-3, 1e9, "600", "SECONDS",
        "illustrative parameters only: the unit of time, which is the mean of the short stage"),
    {.name = NULL},
};

static int feitelson96_publish(void *state, const struct loom_params *given, struct loom_error *err)
{
    struct loom_feitelson96 *model = state;
    double unit_s = loom_params_real(given, "unit"), runs = 2.5;
    model->serial = 0.244;
    model->powers = 0.75;
    model->order = 1.5;
    model->short_s = unit_s;
    model->long_s = 7 * unit_s;
    model->short_small = 0.95;
    model->short_large = 0.75;
    model->repeats = true;
    int rc = loom_dist_init(&model->runs, "zipf", &runs, 1, err);
    return rc ? rc
              : loom_part_publish(&model->arrivals, loom_params_text(given, "arrivals"), given,
                                  err);
}

static void feitelson96_describe(void *state, struct loom_codec *codec)
{
    struct loom_feitelson96 *model = state;
    loom_codec_part(codec, "arrivals", &model->arrivals);
    loom_codec_real(codec, "serial_share", &model->serial, 0, 1);
    loom_codec_real(codec, "power_of_two_share", &model->powers, 0, 1);
    loom_codec_real(codec, "size_order", &model->order, -100, 100);
    loom_codec_real(codec, "short_mean_s", &model->short_s, 1e-6, 1e12);
    loom_codec_real(codec, "long_mean_s", &model->long_s, 1e-6, 1e12);
    loom_codec_real(codec, "short_share_of_small_jobs", &model->short_small, 0, 1);
    loom_codec_real(codec, "short_share_of_large_jobs", &model->short_large, 0, 1);
    loom_codec_flag(codec, "repeats", &model->repeats);
    if (model->repeats)
        loom_codec_dist(codec, "runs", &model->runs, "zipf");
    else
        loom_codec_skip(codec, "runs");
}

/* ---- sizes ----------------------------------------------------------------------------------- */

static bool is_power(int64_t n)
{
    return (n & (n - 1)) == 0;
}

/* Weights of sizes 1 .. procs into weights[0 .. procs - 1]. If the machine is too small for a kind
 * of sizes, its share goes to the others. */
static void weigh_sizes(double *weights, const struct loom_feitelson96 *model, int32_t procs)
{
    double sums[2] = {0, 0};
    const double shares[2] = {(1 - model->serial) * (1 - model->powers),
                              (1 - model->serial) * model->powers};
    weights[0] = model->serial;
    for (int64_t n = 2; n <= procs; n++) {
        weights[n - 1] = pow((double)n / procs, -model->order);
        sums[is_power(n)] += weights[n - 1];
    }
    for (int64_t n = 2; n <= procs; n++)
        weights[n - 1] *= shares[is_power(n)] / sums[is_power(n)];
    if (procs == 1)
        weights[0] = 1;
}

static int open_sizes(gsl_ran_discrete_t **out, double *mean_share,
                      const struct loom_feitelson96 *model, int32_t procs, struct loom_error *err)
{
    if (procs > LOOM_FEITELSON96_MOST_PROCS)
        return loom_fail(err, LOOM_ERANGE,
                         "feitelson96 weighs each size of a machine, and %d processors are too "
                         "many for that; ask for at most %d",
                         procs, LOOM_FEITELSON96_MOST_PROCS);
    double *weights = malloc((size_t)procs * sizeof *weights);
    if (!weights)
        return loom_fail_memory(err);
    weigh_sizes(weights, model, procs);
    double sum = 0, work = 0;
    for (int32_t i = 0; i < procs; i++) {
        sum += weights[i];
        work += weights[i] * (i + 1);
    }
    *mean_share = sum > 0 ? work / sum / procs : 0;
    *out = sum > 0 ? loom_alias_create((size_t)procs, weights) : NULL;
    free(weights);
    if (!(sum > 0))
        return loom_fail(err, LOOM_EDATA,
                         "no size of the model fits a machine of %d processors; ask for more",
                         procs);
    return *out ? 0 : loom_fail_memory(err);
}

/* ---- jobs ------------------------------------------------------------------------------------ */

struct maker {
    const struct loom_feitelson96 *model;
    struct loom_generation *generation;
    gsl_ran_discrete_t *sizes;
    double mean_share; /* of the machine, over sizes */
    bool repeats, correlated;
    struct loom_stream size_stream, run_stream, repeat_stream;
};

static void feitelson96_make_job(struct maker *maker, size_t i)
{
    const struct loom_feitelson96 *model = maker->model;
    struct loom_draft *draft = &maker->generation->draft;
    gsl_rng *rng = &maker->run_stream.gsl;
    int32_t procs = 1 + (int32_t)gsl_ran_discrete(&maker->size_stream.gsl, maker->sizes);
    double x = maker->correlated ? (double)procs / maker->generation->procs : maker->mean_share;
    double short_share = (1 - x) * model->short_small + x * model->short_large;
    bool is_short = loom_stream_uniform(&maker->run_stream) < short_share;
    draft->procs[i] = procs;
    draft->run_s[i] =
        loom_whole_seconds(gsl_ran_exponential(rng, is_short ? model->short_s : model->long_s), 1);
    draft->executable[i] = i < INT32_MAX ? (int32_t)i + 1 : -1;
}

/* Append the further runs of job i: at most the requested number of jobs, and none past the
 * horizon. */
static int repeat_job(struct maker *maker, size_t i, struct loom_error *err)
{
    struct loom_generation *generation = maker->generation;
    struct loom_draft *draft = &generation->draft;
    double runs = loom_dist_sample(&maker->model->runs, &maker->repeat_stream.gsl);
    int64_t submit_s = draft->submit_s[i];
    for (double k = 1; k < runs && k < (double)generation->jobs; k++) {
        submit_s += draft->run_s[i];
        if (submit_s >= generation->horizon_s)
            break;
        size_t next = draft->n;
        int rc = loom_draft_resize(draft, next + 1, err);
        if (rc)
            return rc;
        draft->submit_s[next] = submit_s;
        draft->run_s[next] = draft->run_s[i];
        draft->procs[next] = draft->procs[i];
        draft->executable[next] = draft->executable[i];
    }
    return 0;
}

/* Return the mean number of runs of a job; infinite if the power law has no mean. */
static double mean_runs(const struct loom_feitelson96 *model)
{
    return model->repeats ? loom_dist_mean(&model->runs) : 1;
}

/* Generate the arrivals of first runs; more of them if every job is run once. */
static int make_arrivals(struct maker *maker, struct loom_error *err)
{
    struct loom_generation *generation = maker->generation;
    double rate = generation->rate, runs = mean_runs(maker->model);
    if (!maker->repeats && isfinite(runs))
        generation->rate *= runs;
    int rc = loom_part_generate(&maker->model->arrivals, generation, err);
    generation->rate = rate;
    generation->draft.reruns = maker->repeats;
    return rc ? rc : loom_draft_detail(&generation->draft, LOOM_DETAIL_EXECUTABLE, err);
}

/* If only the number of jobs is limited, set the horizon to the last first run: later runs cannot
 * be among the first jobs. */
static void end_at_last_arrival(struct loom_generation *generation)
{
    const struct loom_draft *draft = &generation->draft;
    if (draft->n == generation->jobs && draft->n > 0 &&
        draft->submit_s[draft->n - 1] < generation->horizon_s)
        generation->horizon_s = draft->submit_s[draft->n - 1] + 1;
}

static void move_run(const struct loom_draft *draft, size_t to, size_t from)
{
    draft->submit_s[to] = draft->submit_s[from];
    draft->run_s[to] = draft->run_s[from];
    draft->procs[to] = draft->procs[from];
    draft->executable[to] = draft->executable[from];
}

/* Drop runs too late to be among the requested jobs, and lower the horizon to the last one kept: a
 * power law without a mean may have far too many. The first n jobs are first runs and stay. */
static int drop_late_runs(struct loom_generation *generation, size_t n, struct loom_error *err)
{
    struct loom_draft *draft = &generation->draft;
    int64_t *times = malloc(draft->n * sizeof *times);
    if (!times)
        return loom_fail_memory(err);
    memcpy(times, draft->submit_s, draft->n * sizeof *times);
    loom_sort_int64(times, draft->n);
    int64_t last_s = times[generation->jobs - 1];
    free(times);
    size_t kept = n;
    for (size_t i = n; i < draft->n; i++)
        if (draft->submit_s[i] <= last_s)
            move_run(draft, kept++, i);
    generation->horizon_s = last_s + 1;
    return loom_draft_resize(draft, kept, err);
}

static int make_runs(struct maker *maker, size_t n, struct loom_error *err)
{
    struct loom_generation *generation = maker->generation;
    size_t most = generation->jobs < SIZE_MAX / 8 ? 4 * generation->jobs + n : SIZE_MAX;
    int rc = 0;
    for (size_t i = 0; i < n && !rc; i++) {
        rc = repeat_job(maker, i, err);
        if (rc || generation->draft.n <= most)
            continue;
        rc = drop_late_runs(generation, n, err);
        most = generation->draft.n + 4 * generation->jobs;
    }
    return rc;
}

static int feitelson96_make_jobs(struct maker *maker, struct loom_error *err)
{
    struct loom_generation *generation = maker->generation;
    int64_t horizon_s = generation->horizon_s;
    int rc = make_arrivals(maker, err);
    size_t n = generation->draft.n;
    for (size_t i = 0; i < n && !rc; i++)
        feitelson96_make_job(maker, i);
    end_at_last_arrival(generation);
    if (!rc && maker->repeats)
        rc = make_runs(maker, n, err);
    generation->horizon_s = horizon_s;
    return rc;
}

static int feitelson96_generate(const void *state, struct loom_generation *generation,
                                struct loom_error *err)
{
    const struct loom_feitelson96 *model = state;
    struct maker maker = {.model = model,
                          .generation = generation,
                          .repeats = model->repeats && !(generation->without & LOOM_LOCALITY),
                          .correlated = !(generation->without & LOOM_CORRELATION)};
    int rc = open_sizes(&maker.sizes, &maker.mean_share, model, generation->procs, err);
    if (rc)
        return rc;
    loom_generation_stream(&maker.size_stream, generation, "feitelson96 sizes");
    loom_generation_stream(&maker.run_stream, generation, "feitelson96 run times");
    loom_generation_stream(&maker.repeat_stream, generation, "feitelson96 runs");
    rc = feitelson96_make_jobs(&maker, err);
    loom_alias_destroy(maker.sizes);
    return rc;
}

static const struct loom_part *feitelson96_arrivals(const void *state)
{
    return &((const struct loom_feitelson96 *)state)->arrivals;
}

/* Return the mean time between jobs: between first runs, over the mean number of runs; 0 if the
 * power law has no mean. */
static double feitelson96_interarrival_s(const void *state)
{
    const struct loom_feitelson96 *model = state;
    const struct loom_part *part = &model->arrivals;
    double runs = mean_runs(model);
    double first_s = part->ops->interarrival_s ? part->ops->interarrival_s(part->state) : NAN;
    return isfinite(runs) ? first_s / runs : NAN;
}

static unsigned feitelson96_traits(const void *state)
{
    const struct loom_feitelson96 *model = state;
    return loom_part_traits(&model->arrivals) | LOOM_CORRELATION |
           (model->repeats ? LOOM_LOCALITY : 0);
}

static void feitelson96_clear(void *state)
{
    loom_part_clear(&((struct loom_feitelson96 *)state)->arrivals);
}

static const char *const fit_only[] = {"fit", NULL};
static const char *const publish_only[] = {"unit", NULL};

const struct loom_model_ops loom_model_feitelson96 = {
    .info = {.name = "feitelson96",
             .summary = "small, serial and power-of-two sizes; hyper-exponential runtimes; runs "
                        "repeated",
             .source = "Feitelson 2002, 3.2; Lublin 2003, 9.2",
             .defaults = LOOM_DEFAULTS_ILLUSTRATIVE,
             .can_fit = true,
             .traits = LOOM_CORRELATION | LOOM_LOCALITY,
             .params = params},
    .state_size = sizeof(struct loom_feitelson96),
    .published_jobs = 10000,
    .published_procs = 128,
    .publish = feitelson96_publish,
    .fit_only = fit_only,
    .publish_only = publish_only,
    .fit = loom_feitelson96_fit,
    .describe = feitelson96_describe,
    .generate = feitelson96_generate,
    .arrivals = feitelson96_arrivals,
    .interarrival_s = feitelson96_interarrival_s,
    .traits = feitelson96_traits,
    .clear = feitelson96_clear,
};

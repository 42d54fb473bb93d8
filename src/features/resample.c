/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sampling errors by a moving block bootstrap (Künsch 1989). A log is cut into whole weeks, from
 * its first submission on. A resample is as long as the log and made of blocks of consecutive
 * weeks, each taken from a random place of the log with all its jobs and moved by whole weeks, so
 * that cycles of days and weeks, sessions, bags and whatever else happens within a block stay as
 * they are. Blocks are U^(1/3) weeks long for a log of U weeks, the rate that is optimal for
 * variances. Logs shorter than eight weeks are cut into days, those shorter than eight days into
 * hours; what is shorter than eight hours is not resampled.
 *
 * Features are measured on each resample; the standard deviation over resamples is the standard
 * error. What dependence there is beyond the length of a block is cut, and so is the presence of a
 * user over time: errors of the Hurst parameter cover its short-range part only, and counts of
 * long-term users are not scored. The costly family is measured on every fourth resample.
 *
 * For distributions, the distance from each resample to the log is measured: it estimates how far a
 * log of this length is from what it samples. When users come and go has no such distance; its
 * scale assumes as many independent users.
 */
#include "base/civil.h"
#include "base/progress.h"
#include "features/compare.h"
#include "features/definitions.h"

#include <math.h>
#include <stdlib.h>

enum { USUAL_RESAMPLES = 32, LEAST_UNITS = 8, COSTLY_EVERY = 4 };

/* ---- blocks ---------------------------------------------------------------------------------- */

/* The log cut into units: the jobs of unit u are rows[first[u]] .. rows[first[u + 1] - 1]. */
struct plan {
    struct loom_blocks blocks;
    const struct loom_trace *trace;
    uint32_t *rows;
    size_t n_rows;
    uint32_t *first;
};

static void choose_unit(struct loom_blocks *blocks, int64_t span_s)
{
    static const int64_t units_s[] = {7 * LOOM_DAY_S, LOOM_DAY_S, 3600};
    for (size_t i = 0; i < sizeof units_s / sizeof *units_s && blocks->unit_s == 0; i++)
        if (span_s / units_s[i] >= LEAST_UNITS) {
            blocks->unit_s = units_s[i];
            blocks->units = (size_t)(span_s / units_s[i]);
            blocks->length = (size_t)lround(cbrt((double)blocks->units));
        }
}

static int cut_blocks(struct plan *plan, struct loom_error *err)
{
    const struct loom_jobs *jobs = loom_trace_jobs(plan->trace);
    size_t units = plan->blocks.units, at = 0;
    plan->first = malloc((units + 1) * sizeof *plan->first);
    if (!plan->first)
        return loom_fail_memory(err);
    for (size_t u = 0; u <= units; u++) {
        int64_t begin_s = (int64_t)u * plan->blocks.unit_s;
        while (at < plan->n_rows &&
               jobs->submit_s[plan->rows[at]] - jobs->submit_s[plan->rows[0]] < begin_s)
            at++;
        plan->first[u] = (uint32_t)at;
    }
    return 0;
}

static int make_plan(struct plan *plan, const struct loom_trace *trace, size_t resamples,
                     struct loom_error *err)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    int64_t span_s = 0;
    plan->trace = trace;
    int rc = loom_trace_arrivals(&plan->rows, &plan->n_rows, trace, err);
    if (rc || plan->n_rows == 0)
        return rc;
    if (__builtin_sub_overflow(jobs->submit_s[plan->rows[plan->n_rows - 1]],
                               jobs->submit_s[plan->rows[0]], &span_s) ||
        span_s / LOOM_DAY_S > 1000000)
        return 0; /* a broken submit time: nothing to cut */
    choose_unit(&plan->blocks, span_s);
    if (plan->blocks.unit_s == 0)
        return 0;
    plan->blocks.resamples = resamples;
    return cut_blocks(plan, err);
}

static void free_plan(struct plan *plan)
{
    free(plan->rows);
    free(plan->first);
}

/* ---- a resample ------------------------------------------------------------------------------ */

/* The jobs of `length` units from `from` on, moved to unit `to`. */
static int copy_block(struct loom_trace *out, const struct plan *plan, size_t from, size_t to,
                      size_t length, struct loom_error *err)
{
    int64_t shift_s = ((int64_t)to - (int64_t)from) * plan->blocks.unit_s;
    int rc = 0;
    for (size_t i = plan->first[from]; i < plan->first[from + length] && !rc; i++) {
        struct loom_job job = loom_trace_job(plan->trace, plan->rows[i]);
        job.submit_s += shift_s;
        rc = loom_trace_append(out, &job, err);
    }
    return rc;
}

static int copy_blocks(struct loom_trace *out, const struct plan *plan, struct loom_stream *stream,
                       struct loom_error *err)
{
    const struct loom_blocks *blocks = &plan->blocks;
    int rc = 0;
    for (size_t at = 0; at < blocks->units && !rc; at += blocks->length) {
        size_t left = blocks->units - at;
        size_t length = blocks->length < left ? blocks->length : left;
        size_t from = (size_t)loom_stream_below(stream, blocks->units - length + 1);
        rc = copy_block(out, plan, from, at, length, err);
    }
    return rc;
}

static int resample(struct loom_trace **out, const struct plan *plan, uint64_t seed, size_t index,
                    struct loom_error *err)
{
    struct loom_trace *trace = NULL;
    uint8_t *none = calloc(loom_trace_count(plan->trace) + 1, 1);
    struct loom_stream stream;
    loom_stream_init(&stream, seed, index, "block bootstrap");
    int rc = none ? loom_trace_subset(&trace, plan->trace, none, 1, err) : loom_fail_memory(err);
    free(none);
    if (!rc)
        rc = copy_blocks(trace, plan, &stream, err);
    if (rc)
        loom_trace_destroy(trace);
    else
        *out = trace;
    return rc;
}

/* ---- what resamples show --------------------------------------------------------------------- */

double loom_weighted_gap(double anderson_darling, size_t n, size_t m)
{
    return sqrt(anderson_darling * (1 / (double)n + 1 / (double)m));
}

/* Values of one resample: NAN where unknown. */
struct outcome {
    double *values; /* by feature */
    struct loom_noise apart[LOOM_DISTRIBUTIONS];
};

struct study {
    const struct plan *plan;
    const struct loom_samples *samples;
    struct loom_progress *progress;
    struct outcome *outcomes;
    size_t n_features;
    const struct loom_reference_options *options;
    const struct loom_definitions *definitions; /* filled in */
};

static int measure_features(struct outcome *outcome, const struct loom_trace *trace, bool costly,
                            const struct loom_definitions *definitions, struct loom_error *err)
{
    struct loom_features *features = NULL;
    int rc = costly ? loom_features_create_by(&features, trace, definitions, NULL, NULL, err)
                    : loom_features_cheap(&features, trace, definitions, err);
    if (rc)
        return rc;
    for (size_t i = 0; i < loom_features_count(features); i++) {
        const struct loom_feature *feature = loom_features_at(features, i);
        outcome->values[i] = feature->known ? feature->value : NAN;
    }
    loom_features_destroy(features);
    return 0;
}

static int measure_samples(struct outcome *outcome, const struct loom_trace *trace,
                           const struct study *study, struct loom_error *err)
{
    const struct loom_samples *whole = study->samples;
    struct loom_samples samples;
    int rc = loom_samples_create(&samples, trace, study->definitions, err);
    if (rc)
        return rc;
    for (size_t i = 0; i < LOOM_DISTRIBUTIONS; i++) {
        const struct loom_sorted_sample *a = &whole->of[i], *b = &samples.of[i];
        outcome->apart[i] = (struct loom_noise){NAN, NAN, NAN};
        if (a->n == 0 || b->n == 0)
            continue;
        struct loom_apart apart = loom_samples_apart(a->sorted, a->n, b->sorted, b->n);
        outcome->apart[i] =
            (struct loom_noise){apart.ks, apart.wasserstein,
                                loom_weighted_gap(apart.anderson_darling, a->n, b->n)};
    }
    loom_samples_free(&samples);
    return 0;
}

static int study_one(void *context, size_t index, unsigned worker, struct loom_error *err)
{
    const struct study *study = context;
    struct outcome *outcome = &study->outcomes[index];
    struct loom_trace *trace = NULL;
    (void)worker;
    int rc = resample(&trace, study->plan, study->options->seed, index, err);
    if (!rc)
        rc = measure_features(outcome, trace, index % COSTLY_EVERY == 0, study->definitions, err);
    if (!rc)
        rc = measure_samples(outcome, trace, study, err);
    loom_trace_destroy(trace);
    loom_progress_add(study->progress, 1);
    return rc;
}

/* ---- errors ---------------------------------------------------------------------------------- */

enum { LEAST_KNOWN = 5 };

/* Standard deviation over the resamples that know the feature. */
static double sampling_error_of(const struct study *study, size_t feature)
{
    double n = 0, mean = 0, squares = 0;
    for (size_t i = 0; i < study->plan->blocks.resamples; i++) {
        double value = study->outcomes[i].values[feature];
        if (isnan(value))
            continue;
        n++;
        double off = value - mean;
        mean += off / n;
        squares += off * (value - mean);
    }
    return n >= LEAST_KNOWN ? sqrt(squares / (n - 1)) : NAN;
}

/* The mean square of sqrt(n) D is pi^2 / 12 for n independent users (Kolmogorov's distribution). */
static struct loom_noise noise_of_presence(const struct loom_sorted_sample *users)
{
    double ks = users->n > 0 ? M_PI / sqrt(12 * (double)users->n) : (double)NAN;
    return (struct loom_noise){ks, NAN, NAN};
}

static struct loom_noise noise_of(const struct study *study, size_t distribution)
{
    struct loom_noise sum = {0};
    double n = 0;
    if (loom_is_presence(distribution))
        return noise_of_presence(&study->samples->of[distribution]);
    for (size_t i = 0; i < study->plan->blocks.resamples; i++) {
        const struct loom_noise *apart = &study->outcomes[i].apart[distribution];
        if (isnan(apart->ks))
            continue;
        n++;
        sum.ks += apart->ks * apart->ks;
        sum.wasserstein += apart->wasserstein * apart->wasserstein;
        sum.weighted_gap += apart->weighted_gap * apart->weighted_gap;
    }
    if (n < LEAST_KNOWN)
        return (struct loom_noise){NAN, NAN, NAN};
    return (struct loom_noise){sqrt(sum.ks / n), sqrt(sum.wasserstein / n),
                               sqrt(sum.weighted_gap / n)};
}

static int run_study(struct loom_sampling *out, struct study *study, struct loom_pool *pool,
                     struct loom_error *err)
{
    size_t resamples = study->plan->blocks.resamples;
    double *values = malloc((resamples * study->n_features + 1) * sizeof *values);
    study->outcomes = calloc(resamples + 1, sizeof *study->outcomes);
    int rc = values && study->outcomes ? 0 : loom_fail_memory(err);
    for (size_t i = 0; i < resamples && !rc; i++)
        study->outcomes[i].values = values + i * study->n_features;
    if (!rc)
        rc = loom_pool_for(pool, resamples, study_one, study, err);
    for (size_t i = 0; i < study->n_features && !rc; i++)
        out->errors[i] = sampling_error_of(study, i);
    for (size_t i = 0; i < LOOM_DISTRIBUTIONS && !rc; i++)
        out->noise[i] = noise_of(study, i);
    free(values);
    free(study->outcomes);
    return rc;
}

int loom_sampling_create(struct loom_sampling *out, const struct loom_trace *trace,
                         const struct loom_samples *samples, size_t n_features,
                         const struct loom_reference_options *options, struct loom_pool *pool,
                         struct loom_progress *progress, struct loom_error *err)
{
    struct plan plan = {0};
    struct loom_definitions definitions;
    struct study study = {.plan = &plan,
                          .samples = samples,
                          .progress = progress,
                          .n_features = n_features,
                          .options = options,
                          .definitions = &definitions};
    *out = (struct loom_sampling){.errors = malloc((n_features + 1) * sizeof *out->errors)};
    int rc = out->errors ? loom_definitions_fill(&definitions, &options->definitions, err)
                         : loom_fail_memory(err);
    if (!rc)
        rc =
            make_plan(&plan, trace, options->resamples ? options->resamples : USUAL_RESAMPLES, err);
    if (!rc)
        rc = run_study(out, &study, pool, err);
    out->blocks = plan.blocks;
    free_plan(&plan);
    if (rc)
        loom_sampling_free(out);
    return rc;
}

void loom_sampling_free(struct loom_sampling *sampling)
{
    free(sampling->errors);
    *sampling = (struct loom_sampling){0};
}

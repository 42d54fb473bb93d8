/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The modified multifractal wavelet model (thesis 4.4): mwm, with coefficients that are made zero
 * at every scale, so that there are stretches of all lengths in which nothing arrives.
 *
 * variant=printed is the thesis to the letter. Its rates have the log's share of zeros, but its
 * arrivals have more: a rate above zero that stays below one job an interval fires in few of them.
 * And it counts zeros twice, as zeros and in the variance of the multipliers. variant=improved
 * differs in five things, see docs/METHODS.md:
 *  - runs of zeros are counted by their length, as sums of powers of two;
 *  - an interval that is not zero has one job for certain, and the cascade is about the others;
 *  - multipliers are fitted where both sides have arrivals, at each scale by itself;
 *  - zeros are more likely where there are few jobs;
 *  - the jobs of an interval take up the part of it that the log's do.
 *
 * Without burstiness there are no zeros: variant=printed then weaves what mwm weaves, to the job.
 * Without lrd, the intervals come in random order, except that runs of zeros stay whole.
 */
#include "models/mmwm.h"

#include <stdlib.h>
#include <string.h>

enum variant { PRINTED, IMPROVED };
static const char *const variants[] = {"printed", "improved", NULL};

static const struct loom_param params[] = {
    LOOM_CASCADE_PARAMS,
    {.name = "variant",
     .type = LOOM_PARAM_CHOICE,
     .choices = variants,
     .value = "printed",
     .help = "the method as the thesis prints it, or one whose arrivals have the log's zeros"},
    {.name = NULL},
};

/* ---- counting zeros -------------------------------------------------------------------------- */

/* The length of the run of zeros at or after *from, which moves behind it; 0 if there is none. */
static size_t next_run(size_t *from, const double *counts, size_t n)
{
    size_t begin = *from;
    while (begin < n && counts[begin] > 0)
        begin++;
    *from = begin;
    while (*from < n && !(counts[*from] > 0))
        ++*from;
    return *from - begin;
}

/* A run of 2^level intervals is one zero at scale M - level. Longer ones than scale 2 can make are
 * several of scale 2. */
static size_t index_of(size_t depth, size_t level)
{
    return level < depth ? depth - 1 - level : 0;
}

void loom_zeros_printed(double *share, size_t depth, const double *counts, size_t n)
{
    memset(share, 0, depth * sizeof *share);
    size_t zeros = 0, runs = 0, from = 0, length;
    while ((length = next_run(&from, counts, n))) {
        share[index_of(depth, (size_t)lround(log2((double)length)))]++;
        zeros += length;
        runs++;
    }
    for (size_t i = 0; i < depth && runs; i++)
        share[i] *= (double)zeros / (double)n / (double)runs;
}

void loom_zeros_exact(double *share, size_t depth, const double *counts, size_t n)
{
    memset(share, 0, depth * sizeof *share);
    size_t from = 0, length;
    while ((length = next_run(&from, counts, n)))
        for (size_t level = 0; length >> level; level++)
            if (length >> level & 1)
                share[index_of(depth, level)] += (double)((size_t)1 << level) / (double)n;
}

/* How much of an interval lies between the first and the last of its jobs, to what it would be if
 * they were evenly spaced: the mean over intervals of two jobs and more. */
static double spread_of(const struct loom_workload *jobs, int64_t interval_s)
{
    double sum = 0, intervals = 0;
    for (size_t i = 0, end; i < jobs->n; i = end) {
        int64_t interval = (jobs->submit_s[i] - jobs->submit_s[0]) / interval_s;
        for (end = i + 1; end < jobs->n; end++)
            if ((jobs->submit_s[end] - jobs->submit_s[0]) / interval_s != interval)
                break;
        if (end - i < 2)
            continue;
        double k = (double)(end - i);
        double between_s = (double)(jobs->submit_s[end - 1] - jobs->submit_s[i]);
        sum += fmin(1, between_s / (double)interval_s * k / (k - 1));
        intervals++;
    }
    return intervals > 0 ? sum / intervals : 1;
}

/* ---- the improved cascade -------------------------------------------------------------------- */

/* The variance of multipliers at a scale, where both sides have arrivals: d^2 over c^2, by the
 * weight of c^2, since E d^2 = E A^2 E c^2. */
static double variance_between(const struct loom_haar *rest, const struct loom_haar *busy,
                               size_t scale)
{
    size_t first = loom_haar_first(rest, scale), n = loom_haar_count(rest, scale);
    const double *below = busy->c + loom_haar_first(busy, scale + 1);
    double of_d = 0, of_c = 0;
    for (size_t k = 0; k < n; k++)
        if (below[2 * k] > 0 && below[2 * k + 1] > 0) {
            of_d += rest->d[first + k] * rest->d[first + k];
            of_c += rest->c[first + k] * rest->c[first + k];
        }
    return of_c > 0 ? of_d / of_c : 1.0 / 3;
}

/* Which coefficients have arrivals below them is told by the transform of busy intervals. */
static int transform(struct loom_haar *rest, struct loom_haar *busy,
                     const struct loom_cascade_log *log, struct loom_error *err)
{
    double *x = malloc(log->n * sizeof *x);
    if (!x)
        return loom_fail_memory(err);
    for (size_t i = 0; i < log->n; i++)
        x[i] = log->counts[i] > 0;
    int rc = loom_haar_create(busy, x, log->roots, log->depth, err);
    for (size_t i = 0; i < log->n; i++)
        x[i] = (log->counts[i] - x[i]) / (double)log->interval_s;
    if (!rc)
        rc = loom_haar_create(rest, x, log->roots, log->depth, err);
    free(x);
    return rc;
}

static int fit_improved(struct loom_mmwm *mmwm, const struct loom_cascade_log *log,
                        struct loom_error *err)
{
    struct loom_haar rest = {0}, busy = {0};
    int rc = transform(&rest, &busy, log, err);
    if (!rc)
        rc = loom_cascade_init(&mmwm->cascade, log, err);
    if (!rc) {
        loom_cascade_fit_roots(&mmwm->cascade, &rest);
        for (size_t j = 1; j <= log->depth; j++)
            mmwm->cascade.beta[j - 1] = loom_cascade_beta(variance_between(&rest, &busy, j));
        loom_zeros_exact(mmwm->zeros.share, log->depth, log->counts, log->n);
        mmwm->zeros.base = 1;
        mmwm->zeros.preference = 0.5;
    }
    loom_haar_free(&rest);
    loom_haar_free(&busy);
    return rc;
}

/* Whole trees leave out the end of the log, which may be busier or quieter: the rate is to be that
 * of all of it. What is certain in busy intervals stays, the rest is scaled. */
static void keep_rate(struct loom_mmwm *mmwm, const struct loom_cascade_log *cut,
                      const struct loom_workload *jobs)
{
    double all = 0, busy = 0;
    for (size_t i = 0; i < cut->n; i++) {
        all += cut->counts[i] / (double)cut->n;
        busy += (cut->counts[i] > 0) / (double)cut->n;
    }
    double wanted = (double)jobs->n / (double)(jobs->span_s / cut->interval_s + 1);
    double factor = (wanted - busy) / (all - busy);
    if (!(factor > 0) || !isfinite(factor))
        return;
    mmwm->cascade.root_mean *= factor;
    mmwm->cascade.root_sd *= factor;
}

/* Where no interval of the log has two jobs, there is nothing beside what is certain: a rate of
 * next to nothing still tells busy intervals from zeros. */
static void keep_busy(struct loom_cascade *cascade)
{
    static const double LEAST_ROOT = 1e-9;
    cascade->root_mean = fmax(cascade->root_mean, LEAST_ROOT);
}

/* ---- the model ------------------------------------------------------------------------------- */

static int fit_cut(struct loom_mmwm *mmwm, const struct loom_cascade_log *log, bool improved,
                   struct loom_error *err)
{
    mmwm->zeros.spread = 1;
    mmwm->zeros.depth = log->depth;
    mmwm->zeros.share = malloc(log->depth * sizeof *mmwm->zeros.share);
    if (!mmwm->zeros.share)
        return loom_fail_memory(err);
    if (improved)
        return fit_improved(mmwm, log, err);
    loom_zeros_printed(mmwm->zeros.share, log->depth, log->counts, log->n);
    return loom_cascade_fit(&mmwm->cascade, log, err);
}

static int fit(void *state, const struct loom_training *log, struct loom_error *err)
{
    struct loom_cascade_log cut;
    int rc = loom_cascade_log_create(&cut, log, "mmwm", err);
    if (rc)
        return rc;
    bool improved = strcmp(loom_params_text(log->params, "variant"), variants[IMPROVED]) == 0;
    rc = fit_cut(state, &cut, improved, err);
    if (!rc && improved) {
        ((struct loom_mmwm *)state)->zeros.spread = spread_of(log->jobs, cut.interval_s);
        keep_rate(state, &cut, log->jobs);
        keep_busy(&((struct loom_mmwm *)state)->cascade);
    }
    loom_cascade_log_free(&cut);
    return rc;
}

static double sum_of(const double *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    return sum;
}

static void describe(void *state, struct loom_codec *codec)
{
    struct loom_mmwm *mmwm = state;
    loom_cascade_describe(&mmwm->cascade, codec);
    loom_codec_open(codec, "zeros");
    size_t depth = mmwm->cascade.depth;
    loom_codec_reals(codec, "share", &mmwm->zeros.share, &mmwm->zeros.depth, depth, depth, 0, 1);
    loom_codec_real(codec, "preference", &mmwm->zeros.preference, 0, 10);
    loom_codec_real(codec, "base", &mmwm->zeros.base, 0, 1e6);
    loom_codec_real(codec, "spread", &mmwm->zeros.spread, 0, 1);
    if (loom_codec_reading(codec) && !loom_codec_failed(codec) &&
        sum_of(mmwm->zeros.share, depth) >= 1)
        loom_codec_refuse(codec, "share", "must add up to less than 1");
    loom_codec_close(codec);
}

/* Without zeros, what is certain in the intervals that have jobs is spread over all. */
static int weave(const void *state, struct loom_weave *weave, struct loom_error *err)
{
    const struct loom_mmwm *mmwm = state;
    const struct loom_zeros *zeros = &mmwm->zeros;
    struct loom_zeros none = {.base = zeros->base * (1 - sum_of(zeros->share, zeros->depth)),
                              .spread = zeros->spread};
    return loom_cascade_weave(&mmwm->cascade, weave->without & LOOM_BURSTINESS ? &none : zeros,
                              weave, err);
}

static void clear(void *state)
{
    struct loom_mmwm *mmwm = state;
    loom_cascade_clear(&mmwm->cascade);
    free(mmwm->zeros.share);
    mmwm->zeros = (struct loom_zeros){0};
}

const struct loom_model_ops loom_model_mmwm = {
    .info = {.name = "mmwm",
             .summary = "modified multifractal wavelet model: long-range dependent arrivals in "
                        "bursts between long gaps",
             .source = "thesis 4.4",
             .arrivals_only = true,
             .can_fit = true,
             .traits = LOOM_BURSTINESS | LOOM_LRD,
             .params = params},
    .state_size = sizeof(struct loom_mmwm),
    .fit = fit,
    .describe = describe,
    .weave = weave,
    .clear = clear,
};

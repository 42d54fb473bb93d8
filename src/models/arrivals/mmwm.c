/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The modified multifractal wavelet model (Minh 2012, 4.4): mwm, with coefficients set to zero at
 * every scale, which gives empty intervals of all lengths.
 *
 * variant=printed follows Minh 2012 exactly. Its rates have the log's share of zeros, but its
 * arrivals have more: a positive rate below one job an interval fires in few of them. It also
 * counts zeros twice, as zeros and in the variance of the multipliers. variant=improved differs in
 * six things, see docs/methods/models-arrivals.md:
 *  - runs of zeros count by their length, and zeros are placed apart from each other;
 *  - an interval that is not zero has one job for certain, and the cascade is about the others;
 *  - multipliers are fitted where both sides have arrivals, at each scale by itself;
 *  - zeros are more likely where there are few jobs;
 *  - the jobs of an interval take up the part of it that the log's do;
 *  - zeros and multipliers are those whose arrivals look like the log (mmwm_zeros.c,
 *    cascade_settle.c), so that a model comes back from what it generated.
 *
 * Without lrd, the intervals come in random order; without burstiness, they come from a Poisson
 * process.
 */
#include "models/arrivals/mmwm.h"
#include "models/arrivals/intervals.h"

#include <stdlib.h>

static const struct loom_param params[] = {
    LOOM_CASCADE_PARAMS,
    LOOM_VARIANT_PARAM(
        "printed",
        "the method as the thesis prints it, or one whose arrivals have the log's zeros"),
    {.name = NULL},
};

/* ---- where jobs lie in their intervals --------------------------------------------------------
 */

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

/* Which coefficients have arrivals below them follows from the transform of busy intervals. */
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

int loom_mmwm_variances(double *variances, const struct loom_cascade_log *log,
                        struct loom_error *err)
{
    struct loom_haar rest = {0}, busy = {0};
    int rc = transform(&rest, &busy, log, err);
    for (size_t j = 1; j <= log->depth && !rc; j++)
        variances[j - 1] = variance_between(&rest, &busy, j);
    loom_haar_free(&rest);
    loom_haar_free(&busy);
    return rc;
}

static int fit_cascade(struct loom_cascade *cascade, const struct loom_cascade_log *log,
                       struct loom_error *err)
{
    struct loom_haar rest = {0}, busy = {0};
    int rc = transform(&rest, &busy, log, err);
    if (!rc)
        rc = loom_cascade_init(cascade, log, err);
    if (!rc) {
        loom_cascade_fit_roots(cascade, &rest);
        for (size_t j = 1; j <= log->depth; j++)
            cascade->beta[j - 1] = loom_cascade_beta(variance_between(&rest, &busy, j));
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
 * next to nothing still separates busy intervals from zeros. */
static void keep_busy(struct loom_cascade *cascade)
{
    static const double LEAST_ROOT = 1e-9;
    cascade->root_mean = fmax(cascade->root_mean, LEAST_ROOT);
}

/* ---- the model ------------------------------------------------------------------------------- */

static int fit_printed(struct loom_mmwm *mmwm, const struct loom_cascade_log *log,
                       struct loom_error *err)
{
    mmwm->zeros.spread = 1;
    loom_zeros_printed(mmwm->zeros.share, log->depth, log->counts, log->n);
    return loom_cascade_fit(&mmwm->cascade, log, err);
}

static int fit_improved(struct loom_mmwm *mmwm, const struct loom_cascade_log *log,
                        const struct loom_workload *jobs, struct loom_error *err)
{
    mmwm->zeros.base = 1;
    mmwm->zeros.preference = 0.5;
    mmwm->zeros.apart = true;
    mmwm->zeros.spread = spread_of(jobs, log->interval_s);
    loom_zeros_by_length(mmwm->zeros.share, log->depth, log->counts, log->n);
    int rc = fit_cascade(&mmwm->cascade, log, err);
    if (rc)
        return rc;
    keep_rate(mmwm, log, jobs);
    keep_busy(&mmwm->cascade);
    rc = loom_cascade_settle(&mmwm->cascade, &mmwm->zeros, loom_mmwm_variances, err);
    return rc ? rc : loom_zeros_settle(&mmwm->zeros, &mmwm->cascade, err);
}

static int mmwm_fit(void *state, const struct loom_training *log, struct loom_error *err)
{
    struct loom_mmwm *mmwm = state;
    struct loom_cascade_log cut;
    int rc = loom_cascade_log_create(&cut, log, "mmwm", err);
    if (rc)
        return rc;
    mmwm->zeros.depth = cut.depth;
    mmwm->zeros.share = malloc(cut.depth * sizeof *mmwm->zeros.share);
    if (!mmwm->zeros.share)
        rc = loom_fail_memory(err);
    else if (loom_params_choice(log->params, "variant") == LOOM_IMPROVED)
        rc = fit_improved(mmwm, &cut, log->jobs, err);
    else
        rc = fit_printed(mmwm, &cut, err);
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

static void mmwm_describe(void *state, struct loom_codec *codec)
{
    struct loom_mmwm *mmwm = state;
    loom_cascade_describe(&mmwm->cascade, codec);
    loom_codec_open(codec, "zeros");
    size_t depth = mmwm->cascade.depth;
    loom_codec_reals(codec, "share", &mmwm->zeros.share, &mmwm->zeros.depth, depth, depth, 0, 1);
    loom_codec_real(codec, "preference", &mmwm->zeros.preference, 0, 10);
    loom_codec_flag(codec, "apart", &mmwm->zeros.apart);
    loom_codec_real(codec, "base", &mmwm->zeros.base, 0, 1e6);
    loom_codec_real(codec, "spread", &mmwm->zeros.spread, 0, 1);
    if (loom_codec_reading(codec) && !loom_codec_failed(codec) &&
        sum_of(mmwm->zeros.share, depth) >= 1)
        loom_codec_refuse(codec, "share", "must add up to less than 1");
    loom_codec_close(codec);
}

static int mmwm_generate(const void *state, struct loom_generation *generation,
                         struct loom_error *err)
{
    const struct loom_mmwm *mmwm = state;
    int rc = loom_cascade_generate(&mmwm->cascade, &mmwm->zeros, generation, err);
    return rc ? rc : loom_intervals_leave_out(generation, mmwm->cascade.interval_s, err);
}

static void mmwm_clear(void *state)
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
             .source = "Minh 2012, 4.4",
             .arrivals_only = true,
             .can_fit = true,
             .traits = LOOM_BURSTINESS | LOOM_LRD,
             .params = params},
    .state_size = sizeof(struct loom_mmwm),
    .fit = mmwm_fit,
    .describe = mmwm_describe,
    .generate = mmwm_generate,
    .clear = mmwm_clear,
};

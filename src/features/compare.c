/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A reference, and one trace against it.
 *
 * A difference is divided by its sampling error. For two logs of one machine, one as long as the
 * reference and one as long as the trace, that is the reference's own error times sqrt(1 + span_a /
 * span_b). The trace's own error does not enter, so that a model gains nothing by varying wildly.
 *
 * Distributions are compared by three distances, each on the scale of what resamples of the
 * reference show: Kolmogorov-Smirnov for the bulk, Anderson-Darling for the tails, Wasserstein for
 * what the differences amount to. The closeness of a distribution is the mean over the three.
 */
#include "features/compare.h"

#include <math.h>
#include <stdlib.h>
#include <workloom/stats.h>

/* ---- the reference --------------------------------------------------------------------------- */

/* 0 where it is not known. */
static double feature_value(const struct loom_features *features, const char *key)
{
    const struct loom_feature *feature = loom_features_find(features, key);
    return feature && feature->known ? feature->value : 0;
}

static double span_of(const struct loom_features *features)
{
    return feature_value(features, "span_s");
}

/* One job has no distribution. */
int loom_comparable(const struct loom_trace *trace, struct loom_error *err)
{
    size_t n = loom_trace_count(trace) - loom_trace_unsubmitted(trace);
    if (n >= 2)
        return 0;
    return loom_fail_at(err, LOOM_EDATA, loom_trace_report(trace)->file, 0, 0,
                        "%s to compare: at least two are needed",
                        n == 0 ? "there are no jobs" : "there is only one job");
}

static int reference_fill(struct loom_reference *reference,
                          const struct loom_reference_options *options, struct loom_pool *pool,
                          struct loom_progress *progress, struct loom_error *err)
{
    const struct loom_trace *trace = reference->trace;
    int rc = loom_comparable(trace, err);
    if (!rc)
        rc = loom_features_create_by(&reference->features, trace, &options->definitions, pool,
                                     progress, err);
    if (!rc)
        rc = loom_samples_create(&reference->samples, trace,
                                 loom_features_definitions(reference->features), err);
    if (!rc)
        rc = loom_sampling_create(&reference->sampling, trace, &reference->samples,
                                  loom_features_count(reference->features), options, pool, progress,
                                  err);
    if (!rc)
        reference->span_s = span_of(reference->features);
    return rc;
}

int loom_reference_create(struct loom_reference **out, const struct loom_trace *trace,
                          const struct loom_reference_options *options, struct loom_pool *pool,
                          struct loom_progress *progress, struct loom_error *err)
{
    static const struct loom_reference_options defaults = {0};
    struct loom_reference *reference = calloc(1, sizeof *reference);
    if (!reference)
        return loom_fail_memory(err);
    reference->trace = trace;
    int rc = reference_fill(reference, options ? options : &defaults, pool, progress, err);
    if (rc)
        loom_reference_destroy(reference);
    else
        *out = reference;
    return rc;
}

void loom_reference_destroy(struct loom_reference *reference)
{
    if (!reference)
        return;
    loom_features_destroy(reference->features);
    loom_samples_free(&reference->samples);
    loom_sampling_free(&reference->sampling);
    free(reference);
}

const struct loom_features *loom_reference_features(const struct loom_reference *reference)
{
    return reference->features;
}

struct loom_blocks loom_reference_blocks(const struct loom_reference *reference)
{
    return reference->sampling.blocks;
}

/* ---- lines ----------------------------------------------------------------------------------- */

const struct loom_feature_info *loom_line_info(const struct loom_reference *reference, size_t i)
{
    size_t features = loom_features_count(reference->features);
    return i < features ? loom_features_at(reference->features, i)->info
                        : loom_distribution_at(i - features);
}

int loom_line_part(const struct loom_reference *reference, size_t i)
{
    size_t features = loom_features_count(reference->features);
    return i < features ? loom_part_of_feature(loom_line_info(reference, i)->key)
                        : loom_part_of_distribution(i - features);
}

bool loom_line_known(const struct loom_reference *reference, size_t i)
{
    size_t features = loom_features_count(reference->features);
    return i < features ? !loom_lacking(loom_features_at(reference->features, i))
                        : reference->samples.of[i - features].n > 0;
}

/* ---- numbers --------------------------------------------------------------------------------- */

static struct loom_difference compare_feature(const struct loom_feature *a,
                                              const struct loom_feature *b, double error)
{
    const char *reason = loom_lacking(a) ? loom_lacking(a) : loom_lacking(b);
    struct loom_difference difference = {.known = !reason,
                                         .b = b->known ? b->value : NAN,
                                         .reason = reason};
    if (!difference.known)
        return difference;
    difference.error = error;
    difference.scale = loom_scale(a->value, b->value, error);
    /* Equal values have no distance even where there is no scale, as for two zeros. */
    if (a->value != b->value)
        difference.distance = (b->value - a->value) / difference.scale;
    difference.closeness = loom_closeness(difference.distance);
    return difference;
}

/* ---- distributions --------------------------------------------------------------------------- */

static double sample_mean(const struct loom_sorted_sample *sample)
{
    double sum = 0;
    for (size_t i = 0; i < sample->n; i++)
        sum += sample->sorted[i];
    return sum / (double)sample->n;
}

/* Least share that counts as a difference, also where no resample gives an error. */
static double share_scale(double noise, double least)
{
    return isnan(noise) ? 10 * least : hypot(noise, least);
}

/* (F - G)^2 / (H (1 - H)) is at least 4 (F - G)^2, so that the least gap is twice the least share.
 */
static struct loom_difference compare_samples(const struct loom_sorted_sample *a,
                                              const struct loom_sorted_sample *b,
                                              const struct loom_noise *noise, double longer)
{
    struct loom_difference difference = {.known = a->n > 0 && b->n > 0,
                                         .b = b->n > 0 ? loom_quantile(b->sorted, b->n, 0.5) : NAN};
    if (!difference.known) {
        difference.reason = a->n > 0 ? "unknown in this trace" : "unknown in the reference";
        return difference;
    }
    struct loom_apart apart = difference.apart =
        loom_samples_apart(a->sorted, a->n, b->sorted, b->n);
    double gap = loom_weighted_gap(apart.anderson_darling, a->n, b->n);
    difference.error = noise->ks * longer;
    difference.scale = share_scale(difference.error, 0.01);
    difference.closeness = 1;
    if (apart.ks <= 0)
        return difference;
    difference.distance = apart.ks / difference.scale;
    difference.closeness = loom_closeness(difference.distance);
    if (!isnan(noise->ks) && isnan(noise->wasserstein))
        return difference;
    double amounts = loom_scale(sample_mean(a), sample_mean(b), noise->wasserstein * longer);
    double tails = share_scale(noise->weighted_gap * longer, 0.02);
    difference.closeness = (difference.closeness + loom_closeness(gap / tails) +
                            loom_closeness(apart.wasserstein / amounts)) /
                           3;
    return difference;
}

/* ---- all of a trace -------------------------------------------------------------------------- */

/* Return the error of a difference over the reference's error. A far shorter trace would have so
 * large an error that no difference counted; its length is taken as at least a quarter of the
 * reference's. */
static double longer_error(double span_a, double span_b)
{
    const double most = 4;
    return span_a > 0 ? sqrt(1 + fmin(most, span_a / fmax(span_b, 1))) : M_SQRT2;
}

static int match_all(struct loom_comparison *comparison, const struct loom_trace *trace,
                     struct loom_error *err)
{
    const struct loom_reference *reference = comparison->reference;
    size_t features = loom_features_count(reference->features);
    double longer = longer_error(reference->span_s, span_of(comparison->features));
    struct loom_samples samples;
    int rc =
        loom_samples_create(&samples, trace, loom_features_definitions(reference->features), err);
    if (rc)
        return rc;
    for (size_t i = 0; i < features; i++)
        comparison->differences[i] = compare_feature(loom_features_at(reference->features, i),
                                                     loom_features_at(comparison->features, i),
                                                     reference->sampling.errors[i] * longer);
    for (size_t i = 0; i < LOOM_DISTRIBUTIONS; i++)
        comparison->differences[features + i] =
            compare_samples(&reference->samples.of[i], &samples.of[i],
                            &reference->sampling.noise[i], longer);
    loom_samples_free(&samples);
    return 0;
}

/* Lines of a part that the reference knows, how many of them the trace knows too, and the sum of
 * their closenesses. */
struct tally {
    double all, known, closeness;
};

static struct tally tally_part(const struct loom_comparison *comparison, int part)
{
    struct tally tally = {0};
    for (size_t i = 0; i < comparison->n; i++) {
        if (loom_line_part(comparison->reference, i) != part)
            continue;
        tally.all += loom_line_known(comparison->reference, i);
        if (comparison->differences[i].known) {
            tally.known++;
            tally.closeness += comparison->differences[i].closeness;
        }
    }
    return tally;
}

bool loom_comparison_part(const struct loom_comparison *comparison, int part, double *score)
{
    struct tally tally = tally_part(comparison, part);
    *score = tally.known > 0 ? tally.closeness / tally.known : 0;
    return tally.known > 0;
}

/* The score averages what both know; overall, what the trace lacks counts as 0. */
static int set_score(struct loom_comparison *comparison, struct loom_error *err)
{
    double score = 0, scored = 0, overall = 0, covered = 0, parts = 0;
    for (int part = 0; part < LOOM_PARTS; part++) {
        struct tally tally = tally_part(comparison, part);
        if (tally.all == 0)
            continue;
        overall += tally.closeness / tally.all;
        covered += tally.known / tally.all;
        parts++;
        if (tally.known > 0) {
            score += tally.closeness / tally.known;
            scored++;
        }
    }
    if (scored == 0)
        return loom_fail(err, LOOM_EDATA, "the traces have no feature in common to score");
    comparison->score = score / scored;
    comparison->overall = overall / parts;
    comparison->coverage = covered / parts;
    return 0;
}

static int comparison_fill(struct loom_comparison *comparison, const struct loom_trace *trace,
                           struct loom_pool *pool, struct loom_progress *progress,
                           struct loom_error *err)
{
    comparison->n = loom_features_count(comparison->reference->features) + LOOM_DISTRIBUTIONS;
    comparison->differences = calloc(comparison->n, sizeof *comparison->differences);
    int rc = comparison->differences ? loom_comparable(trace, err) : loom_fail_memory(err);
    if (!rc)
        rc = loom_features_create_by(&comparison->features, trace,
                                     loom_features_definitions(comparison->reference->features),
                                     pool, progress, err);
    if (!rc)
        rc = match_all(comparison, trace, err);
    return rc ? rc : set_score(comparison, err);
}

int loom_comparison_create(struct loom_comparison **out, const struct loom_reference *reference,
                           const struct loom_trace *trace, struct loom_pool *pool,
                           struct loom_progress *progress, struct loom_error *err)
{
    struct loom_comparison *comparison = calloc(1, sizeof *comparison);
    if (!comparison)
        return loom_fail_memory(err);
    comparison->reference = reference;
    int rc = comparison_fill(comparison, trace, pool, progress, err);
    if (rc)
        loom_comparison_destroy(comparison);
    else
        *out = comparison;
    return rc;
}

void loom_comparison_destroy(struct loom_comparison *comparison)
{
    if (!comparison)
        return;
    loom_features_destroy(comparison->features);
    free(comparison->differences);
    free(comparison);
}

const struct loom_features *loom_comparison_features(const struct loom_comparison *comparison)
{
    return comparison->features;
}

double loom_comparison_overall(const struct loom_comparison *comparison)
{
    return comparison->overall;
}

double loom_comparison_score(const struct loom_comparison *comparison)
{
    return comparison->score;
}

bool loom_comparison_same_length(const struct loom_comparison *comparison)
{
    static const char *const lengths[] = {"jobs", "span_s"};
    bool same = true;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        double a = feature_value(comparison->reference->features, lengths[i]);
        double b = feature_value(comparison->features, lengths[i]);
        same = same && b >= a / 2 && b <= 2 * a;
    }
    return same;
}

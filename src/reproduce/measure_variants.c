/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Distributions of resampled variants beside the log's. */
#include "reproduce/bench.h"

#include "features/compare.h"

#include <workloom/resample.h>

#include <stdlib.h>
#include <string.h>

/* How variants are drawn, and which part of one is a log by itself. */
struct variants {
    struct loom_resampler *resampler;
    int64_t length_s; /* of the log */
    int64_t part;     /* from 1; 0: all of a variant */
    uint64_t seed;
    size_t distribution;
};

static double word_value(const struct loom_claim *claim, const char *key, double otherwise)
{
    char value[32];
    return loom_with(claim, key, value, sizeof value) ? strtod(value, NULL) : otherwise;
}

static int find_distribution(size_t *out, const char *key, struct loom_error *err)
{
    for (*out = 0; loom_distribution_at(*out); ++*out)
        if (strcmp(loom_distribution_at(*out)->key, key) == 0)
            return 0;
    return loom_fail(err, LOOM_EUSAGE, "there is no distribution '%s'", key);
}

/* Keep the jobs of the part of a variant. */
static int keep_part(struct loom_resampled *variant, const struct variants *study,
                     struct loom_error *err)
{
    const struct loom_jobs *jobs = loom_trace_jobs(variant->trace);
    uint8_t *keep = malloc(jobs->n + 1);
    if (!keep)
        return loom_fail_memory(err);
    int64_t from_s = variant->begin_s + (study->part - 1) * study->length_s;
    for (size_t i = 0; i < jobs->n; i++)
        keep[i] = jobs->submit_s[i] >= from_s && jobs->submit_s[i] < from_s + study->length_s;
    loom_trace_keep(variant->trace, keep);
    free(keep);
    return 0;
}

static int one_distance(double *out, const struct variants *study, const struct loom_samples *log,
                        const struct loom_definitions *definitions, uint64_t replication,
                        struct loom_error *err)
{
    struct loom_resampled *variant = NULL;
    struct loom_samples samples = {0};
    int rc = loom_resample(&variant, study->resampler, study->seed, replication, err);
    if (!rc && study->part > 0)
        rc = keep_part(variant, study, err);
    if (!rc)
        rc = loom_samples_create(&samples, variant->trace, definitions, err);
    const struct loom_sorted_sample *a = &log->of[study->distribution];
    const struct loom_sorted_sample *b = &samples.of[study->distribution];
    if (!rc && (a->n == 0 || b->n == 0))
        rc = loom_fail(err, LOOM_EDATA, "the log does not have it");
    if (!rc)
        *out = loom_ks_two(a->sorted, a->n, b->sorted, b->n);
    loom_samples_free(&samples);
    loom_resampled_destroy(variant);
    return rc;
}

static int begin_variants(struct variants *study, struct loom_bench *bench,
                          const struct loom_claim *claim, const struct loom_trace *jobs,
                          struct loom_error *err)
{
    struct loom_resample_rule rule = loom_resample_rule();
    const struct loom_jobs *all = loom_trace_jobs(jobs);
    size_t n = loom_trace_count(jobs);
    rule.population.load_factor = word_value(claim, "load-factor", 1);
    study->seed = loom_bench_options(bench)->seed;
    study->length_s = all->submit_s[n - 1] - all->submit_s[0] + 1;
    study->part = (int64_t)word_value(claim, "part", 0);
    double times = word_value(claim, "times", 1);
    rule.population.length_s = times > 1 ? (int64_t)(times * (double)study->length_s) : 0;
    int rc = find_distribution(&study->distribution, claim->of, err);
    return rc ? rc : loom_resampler_create(&study->resampler, &jobs, 1, &rule, err);
}

int loom_measure_variant_distance(struct loom_measured *out, struct loom_bench *bench,
                                  const struct loom_claim *claim, struct loom_error *err)
{
    const struct loom_trace *jobs = NULL;
    struct variants study = {0};
    struct loom_samples log = {0};
    const struct loom_features *features = NULL;
    size_t n = (size_t)loom_bench_replications(bench, claim);
    double *values = calloc(n + 1, sizeof *values);
    int rc = values ? loom_bench_jobs(&jobs, bench, claim, err) : loom_fail_memory(err);
    if (!rc)
        rc = loom_bench_features(&features, bench, claim, err);
    if (!rc)
        rc = begin_variants(&study, bench, claim, jobs, err);
    if (!rc)
        rc = loom_samples_create(&log, jobs, loom_features_definitions(features), err);
    for (size_t i = 0; i < n && !rc; i++)
        rc = one_distance(&values[i], &study, &log, loom_features_definitions(features), i, err);
    if (!rc)
        rc = loom_measured_mean(out, values, n, err);
    loom_samples_free(&log);
    loom_resampler_destroy(study.resampler);
    free(values);
    return rc;
}

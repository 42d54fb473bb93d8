/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The correlation of runtime and size after Control_Correlation (Minh 2012, algorithm 3). */
#include "reproduce/bench.h"

#include <workloom/models.h>
#include <workloom/resample.h>

#include <stdlib.h>

/* Rearrange a copy of the jobs. */
static int correlation_of(double *out, const struct loom_trace *jobs, double degree, uint64_t seed,
                          uint64_t replication, struct loom_error *err)
{
    struct loom_rearrangement options = {.correlate = true,
                                         .by_degree = true,
                                         .value = degree,
                                         .seed = seed,
                                         .replication = replication};
    uint8_t *all = calloc(loom_trace_count(jobs) + 1, 1);
    struct loom_trace *copy = NULL;
    int rc = all ? loom_trace_subset(&copy, jobs, all, 0, err) : loom_fail_memory(err);
    if (!rc)
        rc = loom_trace_rearrange(copy, &options, err);
    if (!rc)
        *out = options.after;
    loom_trace_destroy(copy);
    free(all);
    return rc;
}

/* Jobs of the log, or a workload of the model that claim->with names. */
static int correlation(double *out, struct loom_bench *bench, const struct loom_claim *claim,
                       const struct loom_model *model, uint64_t replication, struct loom_error *err)
{
    const struct loom_reproduce_options *options = loom_bench_options(bench);
    struct loom_generate_options generation = {.seed = options->seed, .replication = replication};
    const struct loom_trace *jobs = NULL;
    struct loom_trace *drawn = NULL;
    int rc = model ? loom_model_generate(&drawn, model, &generation, options->pool, err)
                   : loom_bench_jobs(&jobs, bench, claim, err);
    if (!rc)
        rc = correlation_of(out, model ? drawn : jobs, strtod(claim->of, NULL), options->seed,
                            replication, err);
    loom_trace_destroy(drawn);
    return rc;
}

int loom_measure_rearranged(struct loom_measured *out, struct loom_bench *bench,
                            const struct loom_claim *claim, struct loom_error *err)
{
    size_t n = (size_t)loom_bench_replications(bench, claim);
    double *values = calloc(n + 1, sizeof *values);
    struct loom_model *model = NULL;
    char name[8];
    int rc = values ? 0 : loom_fail_memory(err);
    if (!rc && loom_with(claim, "model", name, sizeof name))
        rc = loom_claim_model(&model, bench, claim, err);
    for (size_t i = 0; i < n && !rc; i++)
        rc = correlation(&values[i], bench, claim, model, i, err);
    if (!rc)
        rc = loom_measured_mean(out, values, n, err);
    loom_model_destroy(model);
    free(values);
    return rc;
}

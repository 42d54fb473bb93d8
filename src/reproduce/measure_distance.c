/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far jobs that a model generates are from those of the log it is fitted to. */
#include "reproduce/bench.h"

#include "base/sort.h"

#include <workloom/models.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A model, and what it generates without. */
struct maker {
    struct loom_model *model;
    unsigned without; /* of enum loom_trait */
};

/* Make the model of "NAME:PARAMETERS" or "NAME:PARAMETERS without TRAIT". */
static int make(struct maker *out, struct loom_bench *bench, const struct loom_claim *claim,
                const char *text, struct loom_error *err)
{
    static const char without[] = " without ";
    char name[256];
    const char *trait = strstr(text, without);
    snprintf(name, sizeof name, "%.*s", trait ? (int)(trait - text) : (int)strlen(text), text);
    for (size_t i = 0; trait && loom_trait_name(i); i++)
        if (strcmp(loom_trait_name(i), trait + strlen(without)) == 0)
            out->without = 1U << i;
    if (trait && !out->without)
        return loom_fail(err, LOOM_EUSAGE, "there is no trait '%s'", trait + strlen(without));
    return loom_claim_model_named(&out->model, bench, claim, name, err);
}

/* Create a copy of a trace with its jobs of "MIN:MAX" processors. */
static int of_sizes(struct loom_trace **out, const struct loom_trace *trace, const char *range,
                    struct loom_error *err)
{
    const char *colon = strchr(range, ':');
    long low = strtol(range, NULL, 10), high = colon ? strtol(colon + 1, NULL, 10) : low;
    size_t n = loom_trace_count(trace);
    uint8_t *keep = malloc(n + 1);
    if (!keep)
        return loom_fail_memory(err);
    for (size_t i = 0; i < n; i++) {
        int32_t procs = loom_job_procs(loom_trace_jobs(trace), i);
        keep[i] = procs >= low && procs <= high;
    }
    int rc = loom_trace_subset(out, trace, keep, 1, err);
    free(keep);
    return rc;
}

/* Store what jobs of a trace have, sorted; of some sizes only, if there is a range. */
static int sorted_values(double **out, size_t *n, const struct loom_trace *trace,
                         const struct loom_claim *claim, struct loom_error *err)
{
    struct loom_trace *part = NULL;
    char range[64];
    int rc =
        loom_with(claim, "within", range, sizeof range) ? of_sizes(&part, trace, range, err) : 0;
    if (!rc)
        rc = loom_values_of(out, n, part ? part : trace, claim->of, err);
    if (!rc && *n == 0)
        rc = loom_fail(err, LOOM_EDATA, "there are no jobs to compare");
    if (!rc)
        loom_sort_real(*out, *n);
    loom_trace_destroy(part);
    return rc;
}

/* The log's values, to which generated ones are compared. */
struct reference {
    double *sorted;
    size_t n;
};

static int distance(double *out, const struct reference *log, const struct maker *maker,
                    size_t replication, struct loom_bench *bench, const struct loom_claim *claim,
                    struct loom_error *err)
{
    struct loom_generate_options options = {.seed = loom_bench_options(bench)->seed,
                                            .replication = replication,
                                            .without = maker->without};
    struct loom_trace *trace = NULL;
    double *values = NULL;
    size_t n = 0;
    int rc =
        loom_model_generate(&trace, maker->model, &options, loom_bench_options(bench)->pool, err);
    if (!rc)
        rc = sorted_values(&values, &n, trace, claim, err);
    if (!rc)
        *out = loom_ks_two(log->sorted, log->n, values, n);
    free(values);
    loom_trace_destroy(trace);
    return rc;
}

/* Fill in the distance of each replication, less the second model's where there is one. */
static int distances(double *out, size_t n, const struct reference *log,
                     const struct maker makers[2], struct loom_bench *bench,
                     const struct loom_claim *claim, struct loom_error *err)
{
    int rc = 0;
    for (size_t i = 0; i < n && !rc; i++) {
        double second = 0;
        rc = distance(&out[i], log, &makers[0], i, bench, claim, err);
        if (!rc && makers[1].model)
            rc = distance(&second, log, &makers[1], i, bench, claim, err);
        out[i] -= second;
    }
    return rc;
}

static int make_both(struct maker makers[2], struct loom_bench *bench,
                     const struct loom_claim *claim, struct loom_error *err)
{
    char name[256] = "";
    loom_with(claim, "model", name, sizeof name);
    int rc = make(&makers[0], bench, claim, name, err);
    return rc || !claim->minus ? rc : make(&makers[1], bench, claim, claim->minus, err);
}

int loom_measure_distance(struct loom_measured *out, struct loom_bench *bench,
                          const struct loom_claim *claim, struct loom_error *err)
{
    size_t n = (size_t)loom_bench_replications(bench, claim);
    const struct loom_trace *jobs = NULL;
    struct reference log = {0};
    struct maker makers[2] = {{0}};
    double *values = calloc(n + 1, sizeof *values);
    int rc = values ? loom_bench_jobs(&jobs, bench, claim, err) : loom_fail_memory(err);
    if (!rc)
        rc = sorted_values(&log.sorted, &log.n, jobs, claim, err);
    if (!rc)
        rc = make_both(makers, bench, claim, err);
    if (!rc)
        rc = distances(values, n, &log, makers, bench, claim, err);
    if (!rc)
        rc = loom_measured_mean(out, values, n, err);
    loom_model_destroy(makers[0].model);
    loom_model_destroy(makers[1].model);
    free(log.sorted);
    free(values);
    return rc;
}

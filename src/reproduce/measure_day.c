/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How well the day of generated jobs matches the day of the log (Lublin 7.3): 48 half hours from
 * 5:00 local time. */
#include "base/civil.h"
#include "reproduce/bench.h"

#include <workloom/models.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SLOT_S = 1800, SLOTS = 48, FIRST_SLOT = 10 };

/* Fill in the share of jobs in each half hour. */
static int read_day(double day[SLOTS], const struct loom_trace *trace, struct loom_error *err)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    const char *note = NULL;
    struct loom_zone *zone = NULL;
    double n = 0;
    memset(day, 0, SLOTS * sizeof *day);
    int rc = loom_zone_create(&zone, trace, &note, err);
    for (size_t i = 0; i < loom_trace_count(trace) && !rc; i++)
        if (jobs->submit_s[i] >= 0) {
            int64_t second;
            loom_civil_day(loom_zone_local(zone, jobs->submit_s[i]), &second);
            day[(second / SLOT_S + SLOTS - FIRST_SLOT) % SLOTS]++;
            n++;
        }
    loom_zone_destroy(zone);
    for (int i = 0; i < SLOTS; i++)
        day[i] /= fmax(n, 1);
    return rc;
}

/* Compute P = sum (m - d)^2 / (m + d) of numbers of jobs, both days brought to n jobs. */
static double chi_square(const double model[SLOTS], const double log[SLOTS], double n)
{
    double sum = 0;
    for (int i = 0; i < SLOTS; i++)
        if (model[i] + log[i] > 0)
            sum += n * (model[i] - log[i]) * (model[i] - log[i]) / (model[i] + log[i]);
    return sum;
}

/* Compute the largest distance of the distribution functions. */
static double ks(const double model[SLOTS], const double log[SLOTS])
{
    double a = 0, b = 0, most = 0;
    for (int i = 0; i < SLOTS; i++) {
        a += model[i];
        b += log[i];
        most = fmax(most, fabs(a - b));
    }
    return most;
}

static int day_of_model(double *out, const struct loom_model *model, const double log[SLOTS],
                        const struct loom_claim *claim, const struct loom_generate_options *options,
                        struct loom_error *err)
{
    struct loom_trace *trace = NULL;
    double day[SLOTS];
    int rc = loom_model_generate(&trace, model, options, NULL, err);
    if (!rc)
        rc = read_day(day, trace, err);
    if (!rc)
        *out = strcmp(claim->of, "ks") == 0 ? ks(day, log)
                                            : chi_square(day, log, (double)loom_trace_count(trace));
    loom_trace_destroy(trace);
    return rc;
}

/* Fill in the value of each replication, less the second model's where there is one. */
static int days(double *out, size_t n, struct loom_model *const models[2], struct loom_bench *bench,
                const struct loom_claim *claim, struct loom_error *err)
{
    const struct loom_trace *jobs = NULL;
    double log[SLOTS];
    int rc = loom_bench_jobs(&jobs, bench, claim, err);
    if (!rc && loom_trace_machine(jobs)->unix_start_s <= 0)
        rc = loom_fail(err, LOOM_EDATA, "the header does not say when the log starts");
    if (!rc)
        rc = read_day(log, jobs, err);
    for (size_t i = 0; i < n && !rc; i++) {
        struct loom_generate_options options = {.seed = loom_bench_options(bench)->seed,
                                                .replication = i};
        double second = 0;
        rc = day_of_model(&out[i], models[0], log, claim, &options, err);
        if (!rc && models[1])
            rc = day_of_model(&second, models[1], log, claim, &options, err);
        out[i] -= second;
    }
    return rc;
}

int loom_measure_day(struct loom_measured *out, struct loom_bench *bench,
                     const struct loom_claim *claim, struct loom_error *err)
{
    size_t n = (size_t)loom_bench_replications(bench, claim);
    struct loom_model *models[2] = {NULL, NULL};
    double *values = calloc(n + 1, sizeof *values);
    int rc = values ? loom_claim_model(&models[0], bench, claim, err) : loom_fail_memory(err);
    if (!rc && claim->minus)
        rc = loom_claim_model_named(&models[1], bench, claim, claim->minus, err);
    if (!rc)
        rc = days(values, n, models, bench, claim, err);
    if (!rc)
        rc = loom_measured_mean(out, values, n, err);
    loom_model_destroy(models[0]);
    loom_model_destroy(models[1]);
    free(values);
    return rc;
}

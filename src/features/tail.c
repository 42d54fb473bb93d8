/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tail index of runtimes (survey 4.1), over jobs that ran for at least a second.
 *
 * The tail is the longest tenth of the runtimes. If it is heavy, P(X > x) ~ x^-a with a < 2, the
 * log-log survival function is a line of slope -a there, and still is after successive runtimes are
 * added up by tens; for other tails the line gets steeper.
 */
#include "features/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <workloom/stats.h>

#define TAIL_FRACTION 0.1

enum { BLOCK = 10, LEAST_TAIL = 50, LEAST_RANGE = 10 };

static const char too_few[] = "too few jobs of different runtimes are in the tail";

static int put_slopes(struct loom_results *results, const double *runtimes, const double *sorted,
                      size_t n, struct loom_error *err)
{
    struct loom_line line = {0}, sums = {0};
    int rc = loom_llcd_slope(&line, sorted, n, TAIL_FRACTION, err);
    if (loom_put_outcome(results, "tail.runtime.llcd_slope", rc, line.slope, too_few))
        return rc;
    rc = loom_llcd_aggregated(&sums, runtimes, n, BLOCK, TAIL_FRACTION, err);
    return loom_put_outcome(results, "tail.runtime.aggregated_slope", rc, sums.slope, too_few);
}

static int put_hill(struct loom_results *results, const double *sorted, size_t n,
                    struct loom_error *err)
{
    size_t most = (size_t)(TAIL_FRACTION * (double)n);
    if (most < 2) {
        loom_put_missing(results, "tail.runtime.hill", too_few);
        return 0;
    }
    double *hill = calloc(most, sizeof *hill);
    if (!hill)
        return loom_fail_memory(err);
    int rc = loom_hill(hill, sorted, n, most, err);
    if (!rc && isinf(hill[most - 1])) /* the whole tail is one value */
        rc = LOOM_EDATA;
    rc = loom_put_outcome(results, "tail.runtime.hill", rc, hill[most - 1], too_few);
    free(hill);
    return rc;
}

/* The cut-off that fits best may sit at an end of the sample: close to the longest runtimes, where
 * anything is straight, or among the short ones, where the law is about the body of the
 * distribution. Then the exponent changes with every selection of jobs and says nothing of a tail.
 * A law of the body counts if it fits all that it covers. Returns NULL if there is a tail. */
static const char *why_no_tail(const struct loom_tail *tail, const double *sorted, size_t n)
{
    if (tail->n_tail < LEAST_TAIL || sorted[n - 1] < LEAST_RANGE * tail->xmin)
        return "the best power law covers less than a factor of 10 or 50 jobs: there is no tail";
    if (2 * tail->n_tail > n && loom_ks_p(tail->ks, (double)tail->n_tail) < 0.05)
        return "the best power law begins below the median, and does not fit: it is no tail";
    return NULL;
}

static int put_power(struct loom_results *results, const double *sorted, size_t n,
                     struct loom_error *err)
{
    struct loom_tail tail = {0};
    int rc = loom_power_tail(&tail, sorted, n, err);
    const char *why = rc ? too_few : why_no_tail(&tail, sorted, n);
    if (!rc && why)
        rc = LOOM_EDATA;
    if (loom_put_outcome(results, "tail.runtime.power.alpha", rc, tail.alpha, why))
        return rc;
    return loom_put_outcome(results, "tail.runtime.power.xmin", rc, tail.xmin, why);
}

static int put_disparity(struct loom_results *results, const double *sorted, size_t n,
                         struct loom_error *err)
{
    struct loom_disparity disparity = {0};
    int rc = loom_mass_count(&disparity, sorted, n, err);
    if (rc == LOOM_ENOMEM)
        return rc;
    loom_put_outcome(results, "tail.runtime.joint_ratio", rc, disparity.joint, too_few);
    loom_put_outcome(results, "tail.runtime.n_half", rc, disparity.n_half, too_few);
    loom_put_outcome(results, "tail.runtime.w_half", rc, disparity.w_half, too_few);
    return 0;
}

static int put_all(struct loom_results *results, const double *runtimes, const double *sorted,
                   size_t n, struct loom_error *err)
{
    int rc = put_slopes(results, runtimes, sorted, n, err);
    if (!rc)
        rc = put_hill(results, sorted, n, err);
    if (!rc)
        rc = put_power(results, sorted, n, err);
    return rc ? rc : put_disparity(results, sorted, n, err);
}

static int tail_compute(const struct loom_workload *jobs, struct loom_results *results,
                        struct loom_error *err)
{
    double *runtimes = NULL, *sorted = NULL;
    size_t n = 0;
    int rc = loom_known_runtimes(&runtimes, &n, jobs, 1, err);
    if (!rc && n > 0) {
        sorted = malloc(n * sizeof *sorted);
        rc = sorted ? 0 : loom_fail_memory(err);
    }
    if (!rc && n > 0) {
        memcpy(sorted, runtimes, n * sizeof *sorted);
        rc = loom_sort(sorted, n, err);
    }
    if (!rc && n > 0)
        rc = put_all(results, runtimes, sorted, n, err);
    free(runtimes);
    free(sorted);
    loom_put_rest_missing(results, "no job is known to have run for a second");
    return rc;
}

static const struct loom_feature_info keys[] = {
    {"tail.runtime.llcd_slope", "",
     "slope of the log-log survival function of runtimes over the longest tenth of the jobs",
     "Feitelson 2002, 4.1"},
    {"tail.runtime.aggregated_slope", "",
     "that slope after adding up ten successive runtimes each: the same if the tail is heavy",
     "Feitelson 2002, 4.1"},
    {"tail.runtime.hill", "", "Hill's estimate of the tail index, from the longest tenth of jobs",
     "Feitelson 2002, 4.1"},
    {"tail.runtime.power.alpha", "",
     "exponent of the density of the power law that fits the tail best",
     "Clauset, Shalizi and Newman 2009"},
    {"tail.runtime.power.xmin", "s", "runtime from which on that power law holds",
     "Clauset, Shalizi and Newman 2009"},
    {"tail.runtime.joint_ratio", "%",
     "share of the longest jobs that equals the share of runtime in all others: 10 means that 10 % "
     "of jobs have 90 % of the runtime",
     "Feitelson 2002, 4.1"},
    {"tail.runtime.n_half", "", "share of jobs, the longest ones, that have half of all runtime",
     "Feitelson 2002, 4.1"},
    {"tail.runtime.w_half", "", "share of runtime that the shorter half of the jobs have",
     "Feitelson 2002, 4.1"},
    {0},
};

const struct loom_family_ops loom_family_tail = {
    .name = "tail",
    .keys = keys,
    .compute = tail_compute,
};

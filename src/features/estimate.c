/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Requested times, and their accuracy against runtimes.
 *
 * An estimate is known if it is above 0. Shares of popular estimates are over jobs with an
 * estimate; comparisons with the runtime are over those that know it as well.
 */
#include "base/compare.h"
#include "features/measure.h"
#include "features/tally.h"

#include <stdlib.h>

enum { POPULAR = 20 };

static int put_known(struct loom_results *results, const struct loom_workload *jobs,
                     struct loom_tally *estimates, struct loom_error *err)
{
    size_t known = 0;
    int rc = 0;
    for (size_t i = 0; i < jobs->n && !rc; i++)
        if (jobs->request_s[i] > 0) {
            rc = loom_tally_add(estimates, jobs->request_s[i], 1, err);
            known++;
        }
    if (!rc && jobs->n > 0)
        loom_put(results, "estimate.known_fraction", (double)known / (double)jobs->n);
    return rc;
}

static int by_falling_count(const void *a, const void *b)
{
    const struct loom_tally_entry *x = a, *y = b;
    return LOOM_COMPARE(y->count, x->count);
}

/* Reorders the tally, which finds nothing any more. Which of equally popular estimates are taken
 * makes no difference to their number. */
static void put_popular(struct loom_results *results, struct loom_tally *estimates)
{
    double popular = 0, all = 0;
    qsort(estimates->entries, estimates->n, sizeof *estimates->entries, by_falling_count);
    for (size_t i = 0; i < estimates->n; i++) {
        all += (double)estimates->entries[i].count;
        if (i < POPULAR)
            popular += (double)estimates->entries[i].count;
    }
    loom_put(results, "estimate.popular20_fraction", popular / all);
}

static void put_accuracy(struct loom_results *results, const struct loom_workload *jobs)
{
    double used = 0, under = 0, at_limit = 0, n = 0;
    for (size_t i = 0; i < jobs->n; i++) {
        int64_t request_s = jobs->request_s[i], run_s = jobs->run_s[i];
        if (request_s <= 0 || run_s < 0)
            continue;
        n++;
        used += (double)run_s / (double)request_s;
        under += request_s < run_s;
        at_limit += request_s <= run_s;
    }
    if (n == 0) {
        loom_put_rest_missing(results, "no job with an estimate has a runtime");
        return;
    }
    loom_put(results, "estimate.utilization", used / n);
    loom_put(results, "estimate.under_fraction", under / n);
    loom_put(results, "estimate.at_limit_fraction", at_limit / n);
}

static int estimate_compute(const struct loom_workload *jobs, struct loom_results *results,
                            struct loom_error *err)
{
    struct loom_tally estimates = {0};
    int rc = put_known(results, jobs, &estimates, err);
    if (!rc && estimates.n > 0) {
        put_popular(results, &estimates);
        put_accuracy(results, jobs);
    }
    loom_tally_free(&estimates);
    loom_put_rest_missing(results, jobs->n == 0 ? "there are no jobs" : "no job has an estimate");
    return rc;
}

static const struct loom_feature_info keys[] = {
    {"estimate.known_fraction", "", "share of jobs with a runtime estimate", "Minh 2012, 8"},
    {"estimate.utilization", "", "mean of runtime over estimate", "Minh 2012, 3.6, 8"},
    {"estimate.under_fraction", "", "share of estimates that are below the runtime",
     "Minh 2012, 8.4.2"},
    {"estimate.at_limit_fraction", "",
     "share of jobs that ran for their whole estimate or longer, as killed jobs do",
     "Minh 2012, 8"},
    {"estimate.popular20_fraction", "", "share of estimates that are one of the 20 most popular",
     "Tsafrir, Etsion and Feitelson 2005"},
    {0},
};

const struct loom_family_ops loom_family_estimate = {
    .name = "estimate",
    .keys = keys,
    .compute = estimate_compute,
};

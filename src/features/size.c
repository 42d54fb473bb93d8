/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sizes of jobs, their correlation with runtimes, and the entropy of runtime over sizes.
 *
 * Sizes are counted over jobs with a processor count; correlations over jobs with a runtime as
 * well. Unknown runtimes are left out of the entropy.
 */
#include "features/measure.h"
#include "features/tally.h"
#include "features/weekly.h"

#include <math.h>
#include <stdlib.h>
#include <workloom/stats.h>

struct sizes {
    double *procs;              /* of the n jobs that know them */
    double *both[2];            /* runtime and processors of the n_both jobs that know both */
    struct loom_tally by_procs; /* the n jobs; weight is their runtime, 0 where unknown */
    size_t n, n_both;
};

/* ---- sizes alone ----------------------------------------------------------------------------- */

static bool is_power_of_two(int64_t value)
{
    return value > 0 && (value & (value - 1)) == 0;
}

static void put_shares(struct loom_results *results, const struct loom_tally *by_procs)
{
    double all = 0, serial = 0, powers = 0;
    for (size_t i = 0; i < by_procs->n; i++) {
        const struct loom_tally_entry *entry = &by_procs->entries[i];
        all += (double)entry->count;
        if (entry->value == 1)
            serial += (double)entry->count;
        else if (is_power_of_two(entry->value))
            powers += (double)entry->count;
    }
    loom_put(results, "procs.serial_fraction", serial / all);
    if (all > serial)
        loom_put(results, "procs.pow2_fraction", powers / (all - serial));
    else
        loom_put_missing(results, "procs.pow2_fraction", "there are no parallel jobs");
}

/* Jobs of the same size make a group, whose label is the binary logarithm of its number of jobs,
 * rounded, plus 1 (Minh 2012, 5.1.3). The largest label is what table IV of the 2010 paper prints;
 * it is the number of labels where none is skipped. */
static void put_groups(struct loom_results *results, const struct loom_tally *by_procs)
{
    long largest = 0;
    for (size_t i = 0; i < by_procs->n; i++) {
        long label = lround(log2((double)by_procs->entries[i].count)) + 1;
        largest = label > largest ? label : largest;
    }
    loom_put(results, "parallelism.groups", (double)largest);
}

static int put_sizes(struct loom_results *results, const struct sizes *sizes,
                     struct loom_error *err)
{
    struct loom_moments moments;
    int rc = loom_moments(&moments, sizes->procs, sizes->n, err);
    if (rc)
        return rc;
    loom_put(results, "procs.mean", moments.mean);
    loom_put(results, "procs.median", moments.median);
    put_shares(results, &sizes->by_procs);
    put_groups(results, &sizes->by_procs);
    return 0;
}

/* ---- sizes and runtimes ---------------------------------------------------------------------- */

static int put_correlations(struct loom_results *results, const struct sizes *sizes,
                            struct loom_error *err)
{
    static const char reason[] = "all runtimes or all sizes are equal";
    double pearson = 0, spearman = 0;
    int rc = loom_pearson(&pearson, sizes->both[0], sizes->both[1], sizes->n_both, err);
    rc = loom_put_outcome(results, "corr.runtime_procs.pearson", rc, pearson, reason);
    if (rc)
        return rc;
    rc = loom_spearman(&spearman, sizes->both[0], sizes->both[1], sizes->n_both, err);
    return loom_put_outcome(results, "corr.runtime_procs.spearman", rc, spearman, reason);
}

/* Minh 2012, eq. 2.5, where p_i is the share of all runtime that jobs of i processors have, and i
 * goes from 1 to the largest size asked for. */
static void put_entropy(struct loom_results *results, const struct loom_tally *by_procs)
{
    double total = 0, entropy = 0;
    int64_t largest = 0;
    for (size_t i = 0; i < by_procs->n; i++) {
        total += by_procs->entries[i].weight;
        if (by_procs->entries[i].value > largest)
            largest = by_procs->entries[i].value;
    }
    for (size_t i = 0; i < by_procs->n; i++) {
        double p = by_procs->entries[i].weight / total;
        if (p > 0)
            entropy -= p * log(p);
    }
    if (largest < 2)
        loom_put_missing(results, "spatial.entropy", "there are no parallel jobs");
    else if (total <= 0)
        loom_put_missing(results, "spatial.entropy", "all runtimes are 0");
    else
        loom_put(results, "spatial.entropy", entropy / log((double)largest));
}

/* ---- the family ------------------------------------------------------------------------------ */

/* Sizes first, and then pairs, in the same memory: the sizes are not needed any more. */
static int take_sizes(struct sizes *sizes, const struct loom_workload *jobs, struct loom_error *err)
{
    int rc = 0;
    for (size_t i = 0; i < jobs->n && !rc; i++) {
        if (jobs->procs[i] <= 0)
            continue;
        sizes->procs[sizes->n++] = jobs->procs[i];
        rc = loom_tally_add(&sizes->by_procs, jobs->procs[i],
                            jobs->run_s[i] > 0 ? (double)jobs->run_s[i] : 0, err);
    }
    return rc;
}

static void take_pairs(struct sizes *sizes, const struct loom_workload *jobs)
{
    for (size_t i = 0; i < jobs->n; i++)
        if (jobs->procs[i] > 0 && jobs->run_s[i] >= 0) {
            sizes->both[0][sizes->n_both] = (double)jobs->run_s[i];
            sizes->both[1][sizes->n_both++] = jobs->procs[i];
        }
}

static int measure_sizes(struct sizes *sizes, const struct loom_workload *jobs,
                         struct loom_results *results, struct loom_error *err)
{
    int rc = take_sizes(sizes, jobs, err);
    if (!rc && sizes->n > 0)
        rc = put_sizes(results, sizes, err);
    if (rc)
        return rc;
    take_pairs(sizes, jobs);
    if (sizes->n_both == 0)
        return 0;
    put_entropy(results, &sizes->by_procs);
    rc = put_correlations(results, sizes, err);
    return rc ? rc : loom_put_weekly(results, jobs, err);
}

static int size_compute(const struct loom_workload *jobs, struct loom_results *results,
                        struct loom_error *err)
{
    struct sizes sizes = {.procs = malloc((2 * jobs->n + 1) * sizeof *sizes.procs)};
    if (!sizes.procs)
        return loom_fail_memory(err);
    sizes.both[0] = sizes.procs;
    sizes.both[1] = sizes.procs + jobs->n;
    int rc = measure_sizes(&sizes, jobs, results, err);
    free(sizes.procs);
    loom_tally_free(&sizes.by_procs);
    loom_put_rest_missing(results,
                          sizes.n == 0 ? "no job has a processor count" : "no job has a runtime");
    return rc;
}

static const struct loom_feature_info keys[] = {
    {"procs.mean", "processors", "mean number of processors of a job", "Lublin 2003, 4"},
    {"procs.median", "processors", "median number of processors of a job", "Lublin 2003, 4"},
    {"procs.serial_fraction", "", "share of jobs that want one processor", "Lublin 2003, 4"},
    {"procs.pow2_fraction", "", "share of parallel jobs whose size is a power of two",
     "Lublin 2003, 4"},
    {"parallelism.groups", "groups",
     "largest label round(log2(jobs)) + 1 of a size, which numbers groups of equally popular sizes",
     "Minh 2012, 5.1.3; Minh 2010, table IV"},
    {"corr.runtime_procs.pearson", "", "correlation of runtime and processors, linear",
     "Minh 2012, 2.1.3; Minh 2010, VII.D"},
    {"corr.runtime_procs.spearman", "", "correlation of runtime and processors, of ranks",
     "Minh 2012, 2.1.3, 3.3.2"},
    {"corr.week.weeks", "weeks", "weeks whose correlation the two weeks before can predict",
     "Minh 2012, 7.4"},
    {"corr.week.predicted", "",
     "share of these whose correlation of ranks has the sign of the mean over the two weeks before",
     "Minh 2012, 7.4"},
    {"spatial.entropy", "",
     "normalised entropy of runtime over sizes: 1 is even, 0 all runtime in jobs of one size",
     "Minh 2012, 2.3.2"},
    {0},
};

const struct loom_family_ops loom_family_size = {
    .name = "size",
    .keys = keys,
    .compute = size_compute,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lengths of runs of a kind, for minh2009: Zipf on 1 .. longest, by maximum likelihood.
 *
 * Clustering a generated workload gives other kinds: borders move, and where kinds overlap they
 * split runs. Runs generated with the log's lengths would be measured as shorter. So the exponents
 * are fitted by indirect inference: a workload of the log's length is generated and clustered anew,
 * and the difference in the mean logarithm of the lengths, the sufficient statistic of the
 * likelihood, is added to the target of each kind.
 */
#include "models/minh/minh2009.h"
#include "stats/dist/dist.h"

#include <math.h>
#include <stdlib.h>

/* Statistics of the lengths of runs of one kind. */
struct lengths {
    double runs, logs; /* how many, and the sum of their logarithms */
    int64_t longest;
};

static double mean_log(const struct lengths *lengths)
{
    return lengths->runs > 0 ? lengths->logs / lengths->runs : 0;
}

/* ---- by likelihood --------------------------------------------------------------------------- */

/* Return the sum over k of k^-alpha; set *log_sum to the sum of log(k) k^-alpha. */
static double power_sum(double alpha, int64_t longest, double *log_sum)
{
    double sum = 0;
    *log_sum = 0;
    for (int64_t k = 1; k <= longest; k++) {
        double l = log((double)k), power = exp(-alpha * l);
        sum += power;
        *log_sum += l * power;
    }
    return sum;
}

struct wanted {
    double mean_log;
    int64_t longest;
};

/* Return expected minus observed mean logarithm, 0 where the likelihood is largest. */
static double minh2009_runs_excess(double alpha, void *context)
{
    const struct wanted *wanted = context;
    double log_sum, sum = power_sum(alpha, wanted->longest, &log_sum);
    return log_sum / sum - wanted->mean_log;
}

static struct loom_minh_runs most_likely(double mean_log_length, int64_t longest)
{
    struct loom_minh_runs runs = {.alpha = LOOM_MINH_STEEPEST,
                                  .longest = longest > 1 ? longest : 1};
    struct wanted wanted = {mean_log_length, longest};
    if (longest > 1)
        loom_root(&runs.alpha, minh2009_runs_excess, &wanted, LOOM_MINH_FLATTEST,
                  LOOM_MINH_STEEPEST, 1e-12);
    return runs;
}

/* ---- runs that are seen ---------------------------------------------------------------------- */

/* Measure runs of jobs with one label; a run counts for the kind of its first job. */
static void minh2009_runs_measure(struct lengths *lengths, const uint32_t *labels,
                                  const uint32_t *kinds, size_t n)
{
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i; end < n && labels[end] == labels[i]; end++)
            ;
        struct lengths *own = &lengths[kinds[i]];
        int64_t length =
            end - i < LOOM_MINH_LONGEST_RUN ? (int64_t)(end - i) : LOOM_MINH_LONGEST_RUN;
        own->runs++;
        own->logs += log((double)length);
        own->longest = length > own->longest ? length : own->longest;
    }
}

/* Measure the runs of a generated workload, clustered anew. */
static int measure_generated(struct lengths *lengths, const struct loom_minh2009 *minh, size_t n,
                             uint64_t round, struct loom_pool *pool, struct loom_error *err)
{
    struct loom_generation generation = {.seed = round,
                                         .replication = UINT64_MAX,
                                         .procs = INT32_MAX,
                                         .log_procs = INT32_MAX,
                                         .rate = 1};
    struct loom_clusters clusters = {0};
    uint32_t *kinds = malloc(n * sizeof *kinds);
    int rc = kinds ? loom_draft_resize(&generation.draft, n, err) : loom_fail_memory(err);
    if (!rc)
        rc = loom_minh2009_spin(minh, &generation, kinds, err);
    if (!rc)
        rc = loom_minh_cluster(&clusters, generation.draft.run_s, n, pool, err);
    if (!rc)
        minh2009_runs_measure(lengths, clusters.labels, kinds, n);
    loom_clusters_free(&clusters);
    loom_draft_free(&generation.draft);
    free(kinds);
    return rc;
}

/* ---- settling -------------------------------------------------------------------------------- */

/* Settle the exponents. Every round has random numbers of its own and less weight than the last, so
 * that sampling error averages out. */
static int minh2009_runs_settle(struct loom_minh2009 *minh, const struct lengths *seen, size_t n,
                                struct loom_pool *pool, struct loom_error *err)
{
    enum { ROUNDS = 8 };
    double aim[LOOM_MINH_KINDS];
    for (size_t k = 0; k < minh->shapes.n_kinds; k++)
        aim[k] = mean_log(&seen[k]);
    for (uint64_t round = 0; round < ROUNDS; round++) {
        struct lengths generated[LOOM_MINH_KINDS] = {0};
        int rc = measure_generated(generated, minh, n, round, pool, err);
        if (rc)
            return rc;
        for (size_t k = 0; k < minh->shapes.n_kinds; k++) {
            double lack = generated[k].runs > 0 ? mean_log(&seen[k]) - mean_log(&generated[k]) : 0;
            aim[k] = fmax(0, aim[k] + lack * 2 / (double)(round + 2));
            minh->runs[k] = most_likely(aim[k], minh->runs[k].longest);
        }
    }
    return 0;
}

int loom_minh2009_fit_runs(struct loom_minh2009 *minh, const uint32_t *kind_of, size_t n,
                           struct loom_pool *pool, struct loom_error *err)
{
    struct lengths seen[LOOM_MINH_KINDS] = {0};
    minh2009_runs_measure(seen, kind_of, kind_of, n);
    minh->runs = calloc(minh->shapes.n_kinds, sizeof *minh->runs);
    if (!minh->runs)
        return loom_fail_memory(err);
    for (size_t k = 0; k < minh->shapes.n_kinds; k++)
        minh->runs[k] = most_likely(mean_log(&seen[k]), seen[k].longest);
    return minh2009_runs_settle(minh, seen, n, pool, err);
}

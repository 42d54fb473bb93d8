/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The procedure Control_Correlation (Minh 2012, 7.1, algorithm 3).
 *
 * Its function PERMUTATION picks N elements at random and permutes them. Here this is incremental:
 * in a random order of the elements, step k swaps the k-th with one of the first k, itself
 * included. After N steps the first N have a uniformly random permutation, so one walk visits the
 * outcomes for all N. Each swap updates the sum of products of ranks, and the walk stops at the
 * wanted correlation. A random permutation of n has a correlation of about 1 / sqrt(n), not 0: if
 * the walk ends before the target, it continues with random swaps of any two, which keep the
 * permutation uniform, until it reaches the target.
 */
#include "base/compare.h"

#include <workloom/resample.h>
#include <workloom/stats.h>

#include <math.h>
#include <stdlib.h>

/* ---- order ----------------------------------------------------------------------------------- */

static int compare_values(const void *a, const void *b, void *context)
{
    const double *values = context;
    uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
    return LOOM_FIRST_DIFFERENCE(LOOM_COMPARE(values[i], values[k]), LOOM_COMPARE(i, k));
}

/* Return the indices of the values in ascending order, which the caller must free; NULL when memory
 * is out. */
static uint32_t *ascending(const double *values, size_t n)
{
    uint32_t *order = malloc((n + 1) * sizeof *order);
    for (size_t i = 0; order && i < n; i++)
        order[i] = (uint32_t)i;
    if (order)
        qsort_r(order, n, sizeof *order, compare_values, (void *)(uintptr_t)values);
    return order;
}

/* Steps 1 and 2: pair the i-th shortest runtime with the i-th smallest, or largest, size; runtimes
 * keep their order. */
static int match_correlation(uint32_t *partner, const double *runtimes, const double *sizes,
                             size_t n, bool opposite, struct loom_error *err)
{
    uint32_t *by_runtime = ascending(runtimes, n), *by_size = ascending(sizes, n);
    int rc = by_runtime && by_size ? 0 : loom_fail_memory(err);
    for (size_t i = 0; i < n && !rc; i++)
        partner[by_runtime[i]] = by_size[opposite ? n - 1 - i : i];
    free(by_runtime);
    free(by_size);
    return rc;
}

/* ---- the walk -------------------------------------------------------------------------------- */

struct walk {
    uint32_t *partner;
    uint32_t *order; /* in which elements take part */
    size_t n, done;
    struct loom_stream stream;
};

static int walk_begin(struct walk *walk, uint32_t *partner, size_t n, uint64_t seed,
                      struct loom_error *err)
{
    *walk = (struct walk){.partner = partner, .n = n, .order = malloc((n + 1) * sizeof(uint32_t))};
    if (!walk->order)
        return loom_fail_memory(err);
    loom_stream_init(&walk->stream, seed, 0, "control correlation order");
    for (size_t i = 0; i < n; i++)
        walk->order[i] = (uint32_t)i;
    for (size_t i = n; i > 1; i--) {
        size_t k = (size_t)loom_stream_below(&walk->stream, i);
        uint32_t element = walk->order[i - 1];
        walk->order[i - 1] = walk->order[k];
        walk->order[k] = element;
    }
    loom_stream_init(&walk->stream, seed, 0, "control correlation exchanges");
    return 0;
}

static void exchange_sizes(uint32_t *partner, uint32_t a, uint32_t b)
{
    uint32_t other = partner[a];
    partner[a] = partner[b];
    partner[b] = other;
}

/* Choose two elements to swap, possibly the same: the next one of the order with an earlier one, or
 * any two after the last. */
static void walk_step(struct walk *walk, uint32_t *a, uint32_t *b)
{
    bool more = walk->done < walk->n;
    *a = walk->order[more ? walk->done++ : loom_stream_below(&walk->stream, walk->n)];
    *b = walk->order[loom_stream_below(&walk->stream, walk->done)];
    exchange_sizes(walk->partner, *a, *b);
}

/* ---- by degree ------------------------------------------------------------------------------- */

int loom_control_correlation(uint32_t *partner, const double *runtimes, const double *sizes,
                             size_t n, double degree, uint64_t seed, struct loom_error *err)
{
    if (!(degree >= -1 && degree <= 1))
        return loom_fail(err, LOOM_ERANGE, "a degree of correlation is between -1 and 1, not %g",
                         degree);
    struct walk walk;
    int rc = match_correlation(partner, runtimes, sizes, n, degree < 0, err);
    if (!rc)
        rc = walk_begin(&walk, partner, n, seed, err);
    if (rc)
        return rc;
    size_t permuted = (size_t)llround((1 - fabs(degree)) * (double)n);
    for (uint32_t a, b; walk.done < permuted;)
        walk_step(&walk, &a, &b);
    free(walk.order);
    return 0;
}

/* ---- by Spearman's correlation --------------------------------------------------------------- */

/* Standardize ranks so that Spearman's correlation is their sum of products. */
static int standard_ranks(double *out, const double *x, size_t n, struct loom_error *err)
{
    int rc = loom_ranks(out, x, n, err);
    double squares = 0;
    for (size_t i = 0; i < n && !rc; i++) {
        out[i] -= ((double)n + 1) / 2;
        squares += out[i] * out[i];
    }
    if (!rc && !(squares > 0))
        rc = loom_fail(err, LOOM_EDATA,
                       "all jobs are alike in runtime or in size, so that nothing can be "
                       "correlated");
    for (size_t i = 0; i < n && !rc; i++)
        out[i] /= sqrt(squares);
    return rc;
}

static double product(const uint32_t *partner, const double *x, const double *y, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i] * y[partner[i]];
    return sum;
}

/* Walk until the correlation crosses the target, and stop before or after the last step, whichever
 * is nearer. The number of steps is limited, since few values may never cross it. */
static int walk_to(double *degree, uint32_t *partner, const double *x, const double *y, size_t n,
                   double target, uint64_t seed, struct loom_error *err)
{
    double sign = target < 0 ? -1 : 1, reached = product(partner, x, y, n);
    if (sign * reached < sign * target - 1e-9)
        return loom_fail(err, LOOM_ERANGE,
                         "a correlation of %g cannot be reached: with the values these jobs have, "
                         "%.3f is the %s",
                         target, reached, target < 0 ? "least" : "most");
    struct walk walk;
    int rc = walk_begin(&walk, partner, n, seed, err);
    if (rc)
        return rc;
    const size_t most = 64 * n;
    for (size_t step = 0; step < most && sign * reached > sign * target; step++) {
        size_t done = walk.done;
        double before = reached;
        uint32_t a, b;
        walk_step(&walk, &a, &b);
        reached += (x[a] - x[b]) * (y[partner[a]] - y[partner[b]]);
        if (sign * reached < sign * target && fabs(before - target) < fabs(reached - target)) {
            exchange_sizes(partner, a, b); /* back: it was nearer before */
            walk.done = done;
            break;
        }
    }
    *degree = sign * (1 - (double)walk.done / (double)n);
    free(walk.order);
    return 0;
}

int loom_reach_correlation(uint32_t *partner, double *degree, const double *runtimes,
                           const double *sizes, size_t n, double target, uint64_t seed,
                           struct loom_error *err)
{
    if (!(target >= -1 && target <= 1))
        return loom_fail(err, LOOM_ERANGE, "a correlation is between -1 and 1, not %g", target);
    if (n < 2)
        return loom_fail(
            err, LOOM_EDATA,
            "a correlation needs at least two jobs with a runtime and a processor count, "
            "and there are %zu",
            n);
    double *x = malloc(2 * n * sizeof *x), *y = x + n;
    int rc = x ? standard_ranks(x, runtimes, n, err) : loom_fail_memory(err);
    if (!rc)
        rc = standard_ranks(y, sizes, n, err);
    if (!rc)
        rc = match_correlation(partner, runtimes, sizes, n, target < 0, err);
    if (!rc)
        rc = walk_to(degree, partner, x, y, n, target, seed, err);
    free(x);
    return rc;
}

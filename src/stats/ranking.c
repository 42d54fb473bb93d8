/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which distribution describes a sample best: every candidate is fitted, by maximum likelihood or
 * by matching, ranked by its Kolmogorov-Smirnov, Anderson-Darling and chi-square statistics, and
 * ordered by the mean of those ranks; a fit that did not converge comes after all that did. Values
 * stand for intervals, in the likelihood and in the tests (rounded.c). Discrete distributions,
 * whose statistics are about steps, are ranked among themselves, on the values they can have.
 *
 * With the sizes of real logs no simple distribution passes a test on the whole sample, so each is
 * also tested on random subsamples of 500 and of 1,000 values, the ends of the range in Lublin 5.1.
 */
#include "stats/dist/dist.h"
#include "stats/rounded.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 100 };
static const double significance = 0.05;
const size_t loom_subsample_sizes[LOOM_SUBSAMPLE_SIZES] = {500, 1000};

/* Variants of mixtures that stand beside their defaults. */
static const char *const variants[] = {"hyperexponential:3"};
enum { N_VARIANTS = sizeof variants / sizeof *variants };

struct ranking {
    struct loom_ranked *items;
    const struct loom_rounded *values;
    enum loom_fit_by by;
    uint64_t seed;
};

/* Test a distribution against values, which are sorted here. */
static int test(struct loom_ranked *item, const struct loom_dist *dist, double *values, size_t n,
                uint64_t seed, struct loom_error *err)
{
    int rc = loom_sort(values, n, err);
    if (!rc)
        rc = loom_goodness(&item->goodness, dist, item->fit.free_params, values, n, err);
    for (size_t i = 0; i < LOOM_SUBSAMPLE_SIZES && !rc; i++) {
        size_t size = n < loom_subsample_sizes[i] ? n : loom_subsample_sizes[i];
        double ks;
        rc = loom_subsample_test(&item->share_passed[i], &ks, dist, values, n, size, ROUNDS,
                                 significance, seed, err);
    }
    return rc;
}

/* The values that a discrete distribution can have, which a fit is to: all but zeros. */
static size_t take_counts(double *out, const struct loom_rounded *values)
{
    size_t n = 0;
    for (size_t i = 0; i < values->n; i++)
        if (values->x[i] > 0)
            out[n++] = values->x[i];
    return n;
}

/* Places of values in a continuous distribution are uniform, which is a beta of shape 1. */
static int test_fit(struct loom_ranked *item, const struct ranking *r, struct loom_error *err)
{
    const double one = 1;
    struct loom_dist uniform;
    double *values = malloc((r->values->n + 1) * sizeof *values);
    if (!values)
        return loom_fail_memory(err);
    int rc = loom_dist_init(&uniform, "beta", &one, 1, err);
    if (!rc && item->fit.dist.ops->discrete)
        rc = test(item, &item->fit.dist, values, take_counts(values, r->values), r->seed, err);
    else if (!rc)
        rc = loom_rounded_places(values, &item->fit.dist, r->values, err);
    if (!rc && !item->fit.dist.ops->discrete)
        rc = test(item, &uniform, values, r->values->n, r->seed, err);
    free(values);
    return rc;
}

static void find_spike(struct loom_ranked *item, const struct loom_rounded *values)
{
    size_t which;
    double place;
    if (loom_rounded_spike(&which, &place, &item->fit.dist, values))
        snprintf(item->spike, sizeof item->spike, "component %zu is a spike at %.6g", which + 1,
                 place);
}

static int judge(struct loom_ranked *item, const struct ranking *r, struct loom_error *err)
{
    int rc = loom_rounded_fit_by(&item->fit, item->name, r->values, r->by, err);
    if (!rc)
        rc = test_fit(item, r, err);
    if (!rc)
        find_spike(item, r->values);
    return rc;
}

int loom_fit_judge(struct loom_ranked *item, const struct loom_rounded *values, enum loom_fit_by by,
                   uint64_t seed, struct loom_error *err)
{
    struct ranking r = {.items = item, .values = values, .by = by, .seed = seed};
    return judge(item, &r, err);
}

/* A distribution that does not suit the sample is a finding, lack of memory is a failure. */
static int judge_task(void *context, size_t index, unsigned worker, struct loom_error *err)
{
    const struct ranking *r = context;
    struct loom_ranked *item = &r->items[index];
    struct loom_error why = {0};
    (void)worker;
    int rc = judge(item, r, &why);
    if (rc == LOOM_ENOMEM)
        return loom_fail_memory(err);
    item->fitted = rc == 0;
    snprintf(item->reason, sizeof item->reason, "%.*s", (int)sizeof item->reason - 1, why.message);
    return 0;
}

/* The three statistics of a candidate; a NAN is one that it does not have. */
enum { STATISTICS = 3 };

static double statistic(const struct loom_ranked *item, int which)
{
    const double values[STATISTICS] = {item->goodness.ks, item->goodness.ad, item->goodness.chi2};
    return values[which];
}

static bool is_discrete(const struct loom_ranked *item)
{
    return loom_dist_named(item->name)->discrete;
}

/* 1 + the number of candidates of its group that are better in one statistic. One that has no such
 * statistic is behind all that have. */
static double rank_in(const struct loom_ranked *items, size_t n, size_t index, int which)
{
    double own = statistic(&items[index], which), rank = 1;
    for (size_t i = 0; i < n; i++) {
        double other = statistic(&items[i], which);
        if (items[i].fitted && is_discrete(&items[i]) == is_discrete(&items[index]))
            rank += isnan(own) ? !isnan(other) : other < own;
    }
    return rank;
}

static double mean_rank(const struct loom_ranked *items, size_t n, size_t index)
{
    double sum = 0;
    for (int which = 0; which < STATISTICS; which++)
        sum += rank_in(items, n, index, which);
    return sum / STATISTICS;
}

static int by_rank(const void *a, const void *b)
{
    const struct loom_ranked *x = a, *y = b;
    if (x->fitted != y->fitted)
        return x->fitted ? -1 : 1;
    if (x->fitted && is_discrete(x) != is_discrete(y))
        return is_discrete(x) ? 1 : -1;
    if (x->fitted && x->fit.converged != y->fit.converged)
        return x->fit.converged ? -1 : 1;
    if (x->fitted && x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return strcmp(x->name, y->name);
}

static struct loom_ranked *make_items(size_t *count)
{
    size_t n = 0;
    while (loom_dist_at(n))
        n++;
    *count = n + N_VARIANTS;
    struct loom_ranked *items = calloc(*count, sizeof *items);
    for (size_t i = 0; items && i < *count; i++)
        snprintf(items[i].name, sizeof items[i].name, "%s",
                 i < n ? loom_dist_at(i)->name : variants[i - n]);
    return items;
}

int loom_rank_fits(struct loom_ranked **out, size_t *count, const struct loom_rounded *values,
                   enum loom_fit_by by, uint64_t seed, struct loom_pool *pool,
                   struct loom_error *err)
{
    if (values->n < 2)
        return loom_fail(err, LOOM_EDATA, "%zu %s: too few to fit anything to", values->n,
                         values->n == 1 ? "value" : "values");
    struct loom_ranked *items = make_items(count);
    if (!items)
        return loom_fail_memory(err);
    struct ranking r = {.items = items, .values = values, .by = by, .seed = seed};
    int rc = loom_pool_for(pool, *count, judge_task, &r, err);
    if (rc) {
        free(items);
        return rc;
    }
    for (size_t i = 0; i < *count; i++)
        items[i].rank = items[i].fitted ? mean_rank(items, *count, i) : 0;
    qsort(items, *count, sizeof *items, by_rank);
    *out = items;
    return 0;
}

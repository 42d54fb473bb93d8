/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which distribution describes a sample best: every candidate is fitted by maximum likelihood,
 * ranked by its Kolmogorov-Smirnov, Anderson-Darling and chi-square statistics, and ordered by the
 * mean of those ranks; a fit that did not converge comes after all that did. With the sizes of real
 * logs no simple distribution passes a test on the whole sample, so each is also tested on small
 * random subsamples (Lublin 5.1).
 */
#include <workloom/stats.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SUBSAMPLE = 100, ROUNDS = 100 };
static const double significance = 0.05;

/* Variants of mixtures that stand beside their defaults. */
static const char *const variants[] = {"hyperexponential:3"};
enum { N_VARIANTS = sizeof variants / sizeof *variants };

struct ranking {
    struct loom_ranked *items;
    const double *x, *sorted;
    size_t n;
    uint64_t seed;
};

static int judge(struct loom_ranked *item, const struct ranking *r, struct loom_error *err)
{
    int rc = loom_dist_fit(&item->fit, item->name, r->x, NULL, r->n, err);
    if (!rc)
        rc = loom_goodness(&item->goodness, &item->fit.dist, item->fit.free_params, r->sorted, r->n,
                           err);
    if (!rc)
        rc = loom_subsample_test(&item->share_passed, &item->subsample_ks, &item->fit.dist, r->x,
                                 r->n, r->n < SUBSAMPLE ? r->n : SUBSAMPLE, ROUNDS, significance,
                                 r->seed, err);
    return rc;
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

/* 1 + the number of candidates that are better in one statistic. */
static double rank_in(const struct loom_ranked *items, size_t n, size_t index, int which)
{
    double own = statistic(&items[index], which), rank = 1;
    for (size_t i = 0; i < n; i++)
        rank += items[i].fitted && statistic(&items[i], which) < own;
    return rank;
}

/* The mean over the statistics that it has. */
static double mean_rank(const struct loom_ranked *items, size_t n, size_t index)
{
    double sum = 0;
    int known = 0;
    for (int which = 0; which < STATISTICS; which++)
        if (!isnan(statistic(&items[index], which))) {
            sum += rank_in(items, n, index, which);
            known++;
        }
    return known ? sum / known : (double)n;
}

static int by_rank(const void *a, const void *b)
{
    const struct loom_ranked *x = a, *y = b;
    if (x->fitted != y->fitted)
        return x->fitted ? -1 : 1;
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

int loom_rank_fits(struct loom_ranked **out, size_t *count, const double *x, size_t n,
                   uint64_t seed, struct loom_pool *pool, struct loom_error *err)
{
    if (n < 2)
        return loom_fail(err, LOOM_EDATA, "there are %zu values, too few to fit anything to", n);
    double *sorted = malloc(n * sizeof *sorted);
    struct loom_ranked *items = make_items(count);
    int rc = sorted && items ? 0 : loom_fail_memory(err);
    if (!rc) {
        memcpy(sorted, x, n * sizeof *sorted);
        rc = loom_sort(sorted, n, err);
    }
    struct ranking r = {.items = items, .x = x, .sorted = sorted, .n = n, .seed = seed};
    if (!rc)
        rc = loom_pool_for(pool, *count, judge_task, &r, err);
    free(sorted);
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

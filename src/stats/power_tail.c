/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where a power-law tail begins (Clauset, Shalizi and Newman 2009): every value is tried as cut-off
 * xmin, the exponent of the n values from there on is alpha = 1 + n / sum log(x / xmin), and the
 * cut-off with the smallest Kolmogorov-Smirnov distance between its tail and the law wins; the
 * smallest of them if several do.
 *
 * To look at the whole tail of every cut-off would take n^2 steps. Instead:
 * - Sums of logarithms are differences of sums made once.
 * - The survival functions of both tail and law fall. Over a stretch of values, the distance can be
 *   no more than the upper end of one minus the lower end of the other, and only stretches that
 *   could hold more than the largest distance seen so far are cut in two and looked into.
 * - A cut-off is given up at the first value that puts it behind the best so far. The value where
 *   its neighbour's distance was largest is tried first, and nearly always settles it. So that
 * there is a good one to beat from the start, a few cut-offs spread over the sample are tried
 * first.
 */
#include "stats/values.h"

#include <workloom/stats.h>

/* The different values u_0 < u_1 < ... of the sample. */
struct search {
    size_t n, different;
    double *logs;     /* log u */
    double *at_least; /* how many values are >= u; one entry more, 0 */
    double *log_sums; /* sum of the logs of the values >= u */
    size_t hint;      /* where the last cut-off's distance was largest */
    double best;      /* smallest distance so far */
    size_t winner;
};

/* The tail from one cut-off on. */
struct tail {
    const struct search *search;
    double slope; /* alpha - 1 */
    double log_xmin, size;
    double limit;    /* past this distance the cut-off is given up */
    double distance; /* largest so far */
    size_t where;
};

/* The law's P(X >= u_i). */
static double law(const struct tail *tail, size_t i)
{
    return exp(-tail->slope * (tail->search->logs[i] - tail->log_xmin));
}

/* The sample's P(X >= u_i); P(X > u_i) is the one of i + 1. */
static double power_tail_share(const struct tail *tail, size_t i)
{
    return tail->search->at_least[i] / tail->size;
}

static void look_at(struct tail *tail, size_t i, double survival)
{
    double distance =
        fmax(survival - power_tail_share(tail, i + 1), power_tail_share(tail, i) - survival);
    if (distance > tail->distance) {
        tail->distance = distance;
        tail->where = i;
    }
}

/* Values first .. last, at both of which has been looked already. The depth of the recursion is the
 * logarithm of their number. */
static void look_between(struct tail *tail, size_t first, double at_first, size_t last,
                         double at_last)
{
    if (last - first < 2 || tail->distance > tail->limit)
        return;
    double above = at_first - power_tail_share(tail, last);
    double below = power_tail_share(tail, first + 1) - at_last;
    if (above <= tail->distance && below <= tail->distance)
        return;
    size_t middle = first + (last - first) / 2;
    double at_middle = law(tail, middle);
    look_at(tail, middle, at_middle);
    look_between(tail, first, at_first, middle, at_middle);
    look_between(tail, middle, at_middle, last, at_last);
}

/* Try u_at as cut-off: its distance, or some number above the best one so far. */
static double attempt(struct search *search, size_t at)
{
    size_t last = search->different - 1;
    double size = search->at_least[at];
    double logs = search->log_sums[at] - size * search->logs[at];
    if (!(logs > 0))
        return INFINITY;
    struct tail tail = {.search = search,
                        .slope = size / logs,
                        .log_xmin = search->logs[at],
                        .size = size,
                        .limit = search->best};
    look_at(&tail, at, 1);
    double at_last = law(&tail, last);
    look_at(&tail, last, at_last);
    if (search->hint > at && search->hint < last)
        look_at(&tail, search->hint, law(&tail, search->hint));
    look_between(&tail, at, 1, last, at_last);
    search->hint = tail.where;
    return tail.distance;
}

static void improve(struct search *search, size_t at)
{
    double distance = attempt(search, at);
    if (distance < search->best || (distance == search->best && at < search->winner)) {
        search->best = distance;
        search->winner = at;
    }
}

static int power_tail_prepare(struct search *search, const double *sorted, size_t n,
                              struct loom_error *err)
{
    *search = (struct search){.n = n, .best = INFINITY};
    search->logs = malloc(n * sizeof *search->logs);
    search->at_least = malloc((n + 1) * sizeof *search->at_least);
    search->log_sums = malloc((n + 1) * sizeof *search->log_sums);
    if (!search->logs || !search->at_least || !search->log_sums)
        return loom_fail_memory(err);
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && sorted[i] == sorted[i - 1])
            continue;
        search->logs[search->different] = log(sorted[i]);
        search->at_least[search->different++] = (double)(n - i);
    }
    search->at_least[search->different] = 0;
    long double sum = 0; /* wide, because small differences of it count */
    for (size_t i = search->different; i-- > 0;) {
        sum += (long double)(search->at_least[i] - search->at_least[i + 1]) * search->logs[i];
        search->log_sums[i] = (double)sum;
    }
    return 0;
}

static void power_tail_release(struct search *search)
{
    free(search->logs);
    free(search->at_least);
    free(search->log_sums);
}

static void power_tail_run(struct search *search)
{
    size_t step = (size_t)sqrt((double)search->different) + 1;
    for (size_t at = 0; at + 1 < search->different; at += step)
        improve(search, at);
    for (size_t at = 0; at + 1 < search->different; at++)
        improve(search, at);
}

int loom_power_tail(struct loom_tail *out, const double *sorted, size_t n, struct loom_error *err)
{
    *out = (struct loom_tail){0};
    int rc = loom_values_check_varying(sorted, n, 2, "a power-law tail", err);
    if (rc)
        return rc;
    size_t zeros = 0;
    while (zeros < n && sorted[zeros] <= 0)
        zeros++;
    struct search search;
    rc = loom_values_check_varying(sorted + zeros, n - zeros, 2, "a power-law tail", err);
    if (rc)
        return rc;
    rc = power_tail_prepare(&search, sorted + zeros, n - zeros, err);
    if (rc == 0)
        power_tail_run(&search);
    if (rc == 0 && !isfinite(search.best))
        rc = loom_fail(err, LOOM_EDATA, "the values differ too little for a power-law tail");
    if (rc == 0) {
        double size = search.at_least[search.winner];
        double logs = search.log_sums[search.winner] - size * search.logs[search.winner];
        out->alpha = 1 + size / logs;
        out->n_tail = (size_t)size;
        out->xmin = sorted[n - out->n_tail];
        out->ks = search.best;
    }
    power_tail_release(&search);
    return rc;
}

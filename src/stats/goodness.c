/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How well a distribution fits a sample, and how far two samples are apart.
 *
 * Kolmogorov-Smirnov: the largest distance between the two distribution functions, before and after
 * each step of the empirical one (Lublin section 3.3.1). Its p is Kolmogorov's limit with Stephens'
 * correction for small samples; it takes the distribution as given, so for a fitted one it is too
 * kind, the more so the more parameters were fitted.
 *
 * Anderson-Darling weighs the tails more. A value that the distribution holds for impossible would
 * make it infinite; such a value counts as if it had the smallest probability a double can hold. It
 * is defined for continuous distributions only.
 *
 * Chi-square takes 2 n^(2/5) bins that are equally likely under the distribution (for a discrete
 * one, as nearly as its steps allow), at most n / 5, so that each expects five values.
 */
#include "stats/values.h"

#include <float.h>
#include <gsl/gsl_cdf.h>
#include <workloom/stats.h>

/* ---- one sample against a distribution ------------------------------------------------------- */

double loom_ks_one(const struct loom_dist *dist, const double *sorted, size_t n)
{
    double distance = 0;
    for (size_t i = 0, j; i < n; i = j) {
        for (j = i + 1; j < n && sorted[j] == sorted[i];)
            j++;
        double upto = loom_dist_cdf(dist, sorted[i]), below = upto; /* P(X <= x), P(X < x) */
        if (dist->ops->discrete)
            below = loom_dist_cdf(dist, nextafter(sorted[i], -INFINITY));
        double before = fabs(below - (double)i / (double)n);
        double after = fabs(upto - (double)j / (double)n);
        distance = fmax(distance, fmax(before, after));
    }
    return n > 0 ? distance : NAN;
}

/* A^2 = -n - mean over i of (2i - 1) (log F(x_i) + log S(x_{n + 1 - i})). Summed by value: x_i
 * comes with 2i - 1 in the first sum and with 2 (n - i) + 1 in the second, which for equal values
 * i + 1 .. j adds up to j^2 - i^2 and (n - i)^2 - (n - j)^2. */
static double anderson_darling(const struct loom_dist *dist, const double *sorted, size_t n)
{
    double sum = 0;
    for (size_t i = 0, j; i < n; i = j) {
        for (j = i + 1; j < n && sorted[j] == sorted[i];)
            j++;
        double equal = (double)(j - i);
        double below = fmax(loom_dist_cdf(dist, sorted[i]), DBL_MIN);
        double above = fmax(loom_dist_survival(dist, sorted[i]), DBL_MIN);
        sum += equal * (double)(i + j) * log(below);
        sum += equal * (double)(n - i + n - j) * log(above);
    }
    return -(double)n - sum / (double)n;
}

/* The upper edges of the bins but the last: quantiles, of discrete distributions once each.
 * Returns how many bins that makes. */
static size_t bin_edges(double *edges, const struct loom_dist *dist, size_t bins)
{
    size_t used = 0;
    for (size_t i = 1; i < bins; i++) {
        double edge = loom_dist_quantile(dist, (double)i / (double)bins);
        if (used == 0 || edge > edges[used - 1])
            edges[used++] = edge;
    }
    return used + 1;
}

/* Sum over bins of (seen - expected)^2 / expected; a bin holds its upper edge. */
static double chi_square(const struct loom_dist *dist, const double *edges, size_t bins,
                         const double *sorted, size_t n)
{
    double sum = 0;
    double below = 0;
    size_t first = 0;
    for (size_t bin = 0; bin < bins; bin++) {
        bool last = bin + 1 == bins;
        double upto = last ? 1 : loom_dist_cdf(dist, edges[bin]);
        size_t next = first;
        while (next < n && (last || sorted[next] <= edges[bin]))
            next++;
        double expected = (double)n * (upto - below);
        double off = (double)(next - first) - expected;
        sum += off * off / fmax(expected, DBL_MIN);
        below = upto;
        first = next;
    }
    return fmin(sum, DBL_MAX);
}

static int set_chi_square(struct loom_goodness *out, const struct loom_dist *dist,
                          size_t free_params, const double *sorted, size_t n,
                          struct loom_error *err)
{
    size_t wanted = (size_t)fmin(ceil(2 * pow((double)n, 0.4)), floor((double)n / 5));
    double *edges = malloc((wanted + 1) * sizeof *edges);
    if (!edges)
        return loom_fail_memory(err);
    size_t bins = bin_edges(edges, dist, wanted);
    if (bins >= free_params + 2) {
        out->chi2_bins = bins;
        out->chi2 = chi_square(dist, edges, bins, sorted, n);
        out->chi2_p = gsl_cdf_chisq_Q(out->chi2, (double)(bins - 1 - free_params));
    }
    free(edges);
    return 0;
}

int loom_goodness(struct loom_goodness *out, const struct loom_dist *dist, size_t free_params,
                  const double *sorted, size_t n, struct loom_error *err)
{
    *out = (struct loom_goodness){.ad = NAN, .chi2 = NAN, .chi2_p = NAN};
    int rc = loom_values_check(sorted, n, 1, "a test of a fit", err);
    if (rc)
        return rc;
    out->ks = loom_ks_one(dist, sorted, n);
    if (!(out->ks <= 1))
        return loom_fail(err, LOOM_EDATA, "the distribution has no probabilities for these values");
    out->ks_p = loom_ks_p(out->ks, (double)n);
    if (!dist->ops->discrete)
        out->ad = anderson_darling(dist, sorted, n);
    return set_chi_square(out, dist, free_params, sorted, n, err);
}

/* Kolmogorov's limiting distribution: P(sqrt(n) D > lambda). One series converges fast where the
 * other does not. */
static double kolmogorov_tail(double lambda)
{
    double sum = 0;
    if (lambda < 1.18) {
        double q = -M_PI * M_PI / (8 * lambda * lambda);
        for (int k = 1; k <= 7; k += 2)
            sum += exp(k * k * q);
        return 1 - sqrt(2 * M_PI) / lambda * sum;
    }
    for (int k = 1; k <= 6; k++)
        sum += (k % 2 ? 2 : -2) * exp(-2 * k * k * lambda * lambda);
    return sum;
}

double loom_ks_p(double distance, double effective_n)
{
    if (!(effective_n > 0))
        return NAN;
    double root = sqrt(effective_n);
    double lambda = distance * (root + 0.12 + 0.11 / root);
    return lambda < 0.04 ? 1 : fmax(0, fmin(1, kolmogorov_tail(lambda)));
}

/* ---- two samples ----------------------------------------------------------------------------- */

/* Two sorted samples, walked by value: each step takes all values equal to the smallest left. */
struct merge {
    const double *a, *b;
    size_t n, m;
    size_t i, j;           /* values taken */
    size_t from_a, from_b; /* of them in the last step */
    double value;
};

static bool goodness_step(struct merge *merge)
{
    bool left_a = merge->i < merge->n;
    bool left_b = merge->j < merge->m;
    if (!left_a && !left_b)
        return false;
    if (left_a && (!left_b || merge->a[merge->i] <= merge->b[merge->j]))
        merge->value = merge->a[merge->i];
    else
        merge->value = merge->b[merge->j];
    size_t i = merge->i;
    size_t j = merge->j;
    while (merge->i < merge->n && merge->a[merge->i] <= merge->value)
        merge->i++;
    while (merge->j < merge->m && merge->b[merge->j] <= merge->value)
        merge->j++;
    merge->from_a = merge->i - i;
    merge->from_b = merge->j - j;
    return merge->from_a + merge->from_b > 0; /* false at a NaN, which must not occur */
}

/* How far apart the distribution functions are after the last step. */
static double gap(const struct merge *merge)
{
    return fabs((double)merge->i / (double)merge->n - (double)merge->j / (double)merge->m);
}

/* What the last step adds to the statistic of Scholz and Stephens (1987, eq. 7) for two samples,
 * but for a constant factor: ties count half. The second sample is off by the same amount as the
 * first, the other way. */
static double weighted_square(const struct merge *merge)
{
    double n = (double)merge->n;
    double m = (double)merge->m;
    double total = n + m;
    double here_a = (double)merge->from_a;
    double here = here_a + (double)merge->from_b;
    double below_a = (double)merge->i - here_a / 2;
    double below = (double)merge->i + (double)merge->j - here / 2;
    double off = total * below_a - below * n;
    double spread = below * (total - below) - total * here / 4;
    return spread > 0 ? here * off * off / spread * (1 / n + 1 / m) : 0;
}

struct loom_apart loom_samples_apart(const double *a, size_t n, const double *b, size_t m)
{
    if (n == 0 || m == 0)
        return (struct loom_apart){NAN, NAN, NAN};
    struct merge merge = {.a = a, .b = b, .n = n, .m = m};
    struct loom_apart out = {0};
    double total = (double)n + (double)m;
    double height = 0; /* between the distribution functions, from `left` to the next value */
    double left = 0;
    double sum = 0;
    while (goodness_step(&merge)) {
        if (height > 0)
            out.wasserstein += height * (merge.value - left);
        height = gap(&merge);
        left = merge.value;
        out.ks = fmax(out.ks, height);
        sum += weighted_square(&merge);
    }
    out.anderson_darling = (total - 1) / (total * total) * sum;
    return out;
}

double loom_ks_two(const double *a, size_t n, const double *b, size_t m)
{
    return loom_samples_apart(a, n, b, m).ks;
}

double loom_wasserstein(const double *a, size_t n, const double *b, size_t m)
{
    return loom_samples_apart(a, n, b, m).wasserstein;
}

double loom_anderson_darling_two(const double *a, size_t n, const double *b, size_t m)
{
    return loom_samples_apart(a, n, b, m).anderson_darling;
}

/* ---- the subsample test ---------------------------------------------------------------------- */

/* Bring `size` values chosen at random to the front. */
static void goodness_choose(double *pool, size_t n, size_t size, struct loom_stream *stream)
{
    for (size_t i = 0; i < size; i++) {
        size_t j = i + (size_t)loom_stream_below(stream, n - i);
        double swap = pool[i];
        pool[i] = pool[j];
        pool[j] = swap;
    }
}

static int check_subsample(const struct loom_dist *dist, const double *x, size_t n, size_t size,
                           size_t rounds, double significance, struct loom_error *err)
{
    int rc = loom_values_check(x, n, 1, "a subsample test", err);
    if (rc)
        return rc;
    if (size == 0 || size > n)
        return loom_fail(err, LOOM_EDATA, "subsamples of %zu cannot be drawn from %zu values", size,
                         n);
    if (rounds == 0 || !(significance > 0 && significance < 1))
        return loom_fail(err, LOOM_ERANGE,
                         "a subsample test needs rounds and a significance between 0 and 1");
    if (!isfinite(loom_dist_cdf(dist, x[0])))
        return loom_fail(err, LOOM_EDATA, "the distribution has no probabilities for these values");
    return 0;
}

int loom_subsample_test(double *share_passed, double *mean_ks, const struct loom_dist *dist,
                        const double *x, size_t n, size_t size, size_t rounds, double significance,
                        uint64_t seed, struct loom_error *err)
{
    *share_passed = 0;
    *mean_ks = 0;
    int rc = check_subsample(dist, x, n, size, rounds, significance, err);
    if (rc)
        return rc;
    double *pool = loom_values_copy(x, n);
    double *sorted = malloc(size * sizeof *sorted);
    rc = pool && sorted ? 0 : loom_fail_memory(err);
    for (size_t round = 0; rc == 0 && round < rounds; round++) {
        struct loom_stream stream;
        loom_stream_init(&stream, seed, round, "subsample test");
        goodness_choose(pool, n, size, &stream);
        memcpy(sorted, pool, size * sizeof *sorted);
        rc = loom_sort(sorted, size, err);
        double ks = loom_ks_one(dist, sorted, size);
        *mean_ks += ks / (double)rounds;
        *share_passed += loom_ks_p(ks, (double)size) >= significance;
    }
    *share_passed /= (double)rounds;
    free(pool);
    free(sorted);
    return rc;
}

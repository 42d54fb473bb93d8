/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Intervals of means, ratios of means and shares over replications, by the method asked for.
 *
 * Fieller's theorem: the values r for which mean(a - r b) is not significantly different from 0 by
 * the paired t test. With e = a - (ma / mb) b, whose mean is 0, they are ma / mb plus the roots of
 * (mb^2 - g_bb) x^2 + 2 g_eb x - g_ee = 0 with g_xy = t^2 cov(x, y) / n: an interval if the mean of
 * b is significantly different from 0, and one point if a is proportional to b.
 */
#include "stats/bootstrap.h"
#include "stats/level.h"
#include "stats/values.h"

#include <gsl/gsl_cdf.h>
#include <workloom/stats.h>

int loom_share_default(double *share, double otherwise, const char *what, struct loom_error *err)
{
    if (*share == 0)
        *share = otherwise;
    if (*share > 0 && *share < 1)
        return 0;
    return loom_fail(err, LOOM_ERANGE, "%s is %g, it must be between 0 and 1", what, *share);
}

int loom_level_default(double *level, struct loom_error *err)
{
    return loom_share_default(level, 0.95, "a confidence level", err);
}

enum { LEAST_FOR_BOOTSTRAP_T = 10, LEAST_ROUNDS = 100 };

int loom_interval_settle(struct loom_interval_options *out,
                         const struct loom_interval_options *options, size_t n,
                         struct loom_error *err)
{
    *out = options ? *options : (struct loom_interval_options){0};
    out->rounds = out->rounds ? out->rounds : 2000;
    if (out->rounds < LEAST_ROUNDS)
        return loom_fail(err, LOOM_ERANGE, "a bootstrap needs at least %d rounds", LEAST_ROUNDS);
    if (n > UINT32_MAX)
        return loom_fail(err, LOOM_ERANGE, "too many values for an interval");
    if (out->method == LOOM_INTERVAL_AUTO && n < LEAST_FOR_BOOTSTRAP_T)
        out->method = LOOM_INTERVAL_T;
    return loom_level_default(&out->level, err);
}

static int interval_settle_two(struct loom_interval_options *out, const double *a, const double *b,
                               size_t n, const struct loom_interval_options *options,
                               struct loom_error *err)
{
    int rc = loom_values_check(a, n, 2, "an interval", err);
    if (!rc)
        rc = loom_values_check(b, n, 2, "an interval", err);
    return rc ? rc : loom_interval_settle(out, options, n, err);
}

static struct loom_bootstrap bootstrap_of(const struct loom_interval_options *settled)
{
    return (struct loom_bootstrap){settled->level, settled->rounds, settled->seed, false};
}

/* ---- means ----------------------------------------------------------------------------------- */

double loom_t_half_width(double sd, double n, double level)
{
    return gsl_cdf_tdist_Pinv((1 + level) / 2, n - 1) * sd / sqrt(n);
}

static int mean_t(struct loom_interval *out, const double *x, size_t n, double level,
                  struct loom_error *err)
{
    struct loom_moments m;
    int rc = loom_moments(&m, x, n, err);
    if (rc)
        return rc;
    double half = loom_t_half_width(m.sd, (double)n, level);
    *out = (struct loom_interval){m.mean, m.mean - half, m.mean + half};
    return 0;
}

int loom_mean_interval(struct loom_interval *out, const double *x, size_t n,
                       const struct loom_interval_options *options, struct loom_error *err)
{
    struct loom_interval_options settled;
    int rc = loom_values_check(x, n, 2, "an interval", err);
    if (!rc)
        rc = loom_interval_settle(&settled, options, n, err);
    if (rc)
        return rc;
    switch (settled.method) {
    case LOOM_INTERVAL_BOOTSTRAP:
        return loom_bootstrap_mean(out, x, n, bootstrap_of(&settled), err);
    case LOOM_INTERVAL_BOOTSTRAP_T:
        return loom_bootstrap_t_mean(out, NULL, x, n, bootstrap_of(&settled), err);
    case LOOM_INTERVAL_AUTO:
        rc = loom_bootstrap_t_mean(out, NULL, x, n, bootstrap_of(&settled), err);
        return rc == LOOM_EDATA ? mean_t(out, x, n, settled.level, err) : rc;
    case LOOM_INTERVAL_T:
        break;
    }
    return mean_t(out, x, n, settled.level, err);
}

static int t_test(double *p, const double *x, size_t n, struct loom_error *err)
{
    struct loom_moments m;
    int rc = loom_moments(&m, x, n, err);
    if (rc)
        return rc;
    if (m.sd > 0)
        *p = 2 * gsl_cdf_tdist_Q(fabs(m.mean) * sqrt((double)n) / m.sd, (double)n - 1);
    else
        *p = m.mean == 0 ? 1 : 0;
    return 0;
}

int loom_mean_test(double *p, const double *x, size_t n,
                   const struct loom_interval_options *options, struct loom_error *err)
{
    struct loom_interval_options settled;
    int rc = loom_values_check(x, n, 2, "a test of a mean", err);
    if (!rc)
        rc = loom_interval_settle(&settled, options, n, err);
    if (rc || settled.method == LOOM_INTERVAL_T || settled.method == LOOM_INTERVAL_BOOTSTRAP)
        return rc ? rc : t_test(p, x, n, err);
    rc = loom_bootstrap_t_mean(NULL, p, x, n, bootstrap_of(&settled), err);
    if (rc == LOOM_EDATA && settled.method == LOOM_INTERVAL_AUTO)
        rc = t_test(p, x, n, err);
    return rc;
}

/* ---- ratios ---------------------------------------------------------------------------------- */

/* Covariances of the means of b and of e = a - ratio b. */
struct ratio_errors {
    double ee, eb, bb;
};

static struct ratio_errors errors_of_ratio(const double *a, const struct loom_moments *ma,
                                           const double *b, const struct loom_moments *mb)
{
    struct ratio_errors sums = {0};
    double ratio = ma->mean / mb->mean, of = (double)ma->n * ((double)ma->n - 1);
    for (size_t i = 0; i < ma->n; i++) {
        double db = b[i] - mb->mean, e = a[i] - ma->mean - ratio * db;
        sums.ee += e * e;
        sums.eb += e * db;
        sums.bb += db * db;
    }
    return (struct ratio_errors){sums.ee / of, sums.eb / of, sums.bb / of};
}

static int ratio_fieller(struct loom_interval *out, const double *a, const double *b, size_t n,
                         double level, struct loom_error *err)
{
    struct loom_moments ma, mb;
    int rc = loom_moments(&ma, a, n, err);
    if (!rc)
        rc = loom_moments(&mb, b, n, err);
    if (rc)
        return rc;
    if (!(ma.mean > 0) || !(mb.mean > 0))
        return loom_fail(err, LOOM_EDATA, "a ratio needs positive means, one is %g",
                         fmin(ma.mean, mb.mean));
    double t = gsl_cdf_tdist_Pinv((1 + level) / 2, (double)n - 1), ratio = ma.mean / mb.mean;
    struct ratio_errors rest = errors_of_ratio(a, &ma, b, &mb);
    double square = mb.mean * mb.mean - t * t * rest.bb;
    if (!(square > 0))
        return loom_fail(err, LOOM_EDATA, "no interval of the ratio: the denominator may be 0");
    double middle = -t * t * rest.eb / square;
    double half = sqrt(middle * middle + t * t * rest.ee / square);
    *out = (struct loom_interval){ratio, ratio + middle - half, ratio + middle + half};
    return 0;
}

int loom_ratio_interval(struct loom_interval *out, const double *a, const double *b, size_t n,
                        const struct loom_interval_options *options, struct loom_error *err)
{
    struct loom_interval_options settled;
    int rc = interval_settle_two(&settled, a, b, n, options, err);
    if (rc)
        return rc;
    switch (settled.method) {
    case LOOM_INTERVAL_BOOTSTRAP:
        return loom_bootstrap_ratio(out, a, b, n, bootstrap_of(&settled), err);
    case LOOM_INTERVAL_BOOTSTRAP_T:
        return loom_bootstrap_t_ratio(out, a, b, n, bootstrap_of(&settled), err);
    case LOOM_INTERVAL_AUTO:
        rc = loom_bootstrap_t_ratio(out, a, b, n, bootstrap_of(&settled), err);
        return rc == LOOM_EDATA ? ratio_fieller(out, a, b, n, settled.level, err) : rc;
    case LOOM_INTERVAL_T:
        break;
    }
    return ratio_fieller(out, a, b, n, settled.level, err);
}

/* ---- pairs ----------------------------------------------------------------------------------- */

static bool includes(struct loom_interval interval, double value)
{
    return interval.low <= value && value <= interval.high;
}

/* By default a bootstrap-t that is on no side narrower than t: differences may have long tails on
 * both sides, and one large value of 30 makes the bootstrap-t too narrow on the other side. */
static struct loom_bootstrap bootstrap_of_pairs(const struct loom_interval_options *settled)
{
    struct loom_bootstrap bootstrap = bootstrap_of(settled);
    bootstrap.covers_t = settled->method == LOOM_INTERVAL_AUTO;
    return bootstrap;
}

/* The interval of the mean of x; a default method that does not exist for x becomes t. */
static int mean_by(struct loom_interval *out, const double *x, size_t n,
                   struct loom_interval_options *settled, struct loom_error *err)
{
    if (settled->method == LOOM_INTERVAL_AUTO) {
        struct loom_error reason = {0};
        int rc = loom_bootstrap_t_mean(out, NULL, x, n, bootstrap_of_pairs(settled), &reason);
        if (rc == LOOM_ENOMEM)
            return loom_fail_memory(err);
        if (!rc)
            return 0;
        settled->method = LOOM_INTERVAL_T;
    }
    return loom_mean_interval(out, x, n, settled, err);
}

/* A ratio that does not agree with the difference, by rounding or between percentiles, is none. */
static int set_ratio(struct loom_pair_interval *out, const double *a, const double *b, size_t n,
                     const struct loom_interval_options *settled, struct loom_error *err)
{
    static const double MOST = 100;
    struct loom_error reason = {0};
    bool same = includes(out->difference, 0);
    int rc = settled->method == LOOM_INTERVAL_BOOTSTRAP_T || settled->method == LOOM_INTERVAL_AUTO
                 ? loom_bootstrap_t_relative(&out->ratio, a, b, n, same,
                                             bootstrap_of_pairs(settled), &reason)
                 : loom_ratio_interval(&out->ratio, a, b, n, settled, &reason);
    if (rc == LOOM_ENOMEM)
        return loom_fail_memory(err);
    out->ratio.low = fmax(0, out->ratio.low); /* where a may be 0 */
    out->has_ratio = !rc && out->ratio.high < MOST && includes(out->ratio, 1) == same;
    return 0;
}

/* Check pairs and settle the options; store their differences, which the caller must free(). */
static int take_pairs(double **differences, struct loom_interval_options *settled, const double *a,
                      const double *b, size_t n, const struct loom_interval_options *options,
                      struct loom_error *err)
{
    int rc = interval_settle_two(settled, a, b, n, options, err);
    if (rc)
        return rc;
    *differences = malloc(n * sizeof **differences);
    if (!*differences)
        return loom_fail_memory(err);
    for (size_t i = 0; i < n; i++)
        (*differences)[i] = a[i] - b[i];
    return 0;
}

int loom_pair_interval(struct loom_pair_interval *out, const double *a, const double *b, size_t n,
                       const struct loom_interval_options *options, struct loom_error *err)
{
    struct loom_interval_options settled;
    double *differences = NULL;
    int rc = take_pairs(&differences, &settled, a, b, n, options, err);
    *out = (struct loom_pair_interval){0};
    if (!rc)
        rc = mean_by(&out->difference, differences, n, &settled, err);
    if (!rc)
        rc = set_ratio(out, a, b, n, &settled, err);
    free(differences);
    return rc;
}

int loom_pair_test(double *p, const double *a, const double *b, size_t n,
                   const struct loom_interval_options *options, struct loom_error *err)
{
    struct loom_interval_options settled;
    double *differences = NULL;
    int rc = take_pairs(&differences, &settled, a, b, n, options, err);
    if (rc)
        return rc;
    rc = LOOM_EDATA;
    if (settled.method == LOOM_INTERVAL_AUTO)
        rc = loom_bootstrap_t_mean(NULL, p, differences, n, bootstrap_of_pairs(&settled), err);
    if (rc == LOOM_EDATA) /* of another method, or a bootstrap-t that does not exist */
        rc = loom_mean_test(p, differences, n, &settled, err);
    free(differences);
    return rc;
}

/* ---- shares ---------------------------------------------------------------------------------- */

int loom_share_interval(struct loom_interval *out, double hits, size_t n, double level,
                        struct loom_error *err)
{
    int rc = loom_level_default(&level, err);
    if (rc)
        return rc;
    double count = (double)n;
    if (n == 0)
        return loom_fail(err, LOOM_EDATA, "a share needs at least one trial");
    if (!(hits >= 0 && hits <= count))
        return loom_fail(err, LOOM_ERANGE, "%g of %zu is no share", hits, n);
    double z = gsl_cdf_ugaussian_Pinv((1 + level) / 2), share = hits / count;
    double middle = (share + z * z / (2 * count)) / (1 + z * z / count);
    double half =
        z / (1 + z * z / count) * sqrt(share * (1 - share) / count + z * z / (4 * count * count));
    /* The ends are exactly 0 and 1 where nothing or everything hits; rounding would miss them. */
    *out = (struct loom_interval){share, hits > 0 ? fmax(0, middle - half) : 0,
                                  hits < count ? fmin(1, middle + half) : 1};
    return 0;
}

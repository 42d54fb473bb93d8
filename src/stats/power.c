/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How many replications: the power of the t test, the least number that shows a difference, and
 * the rule that stops adding them.
 *
 * The test statistic has a noncentral t distribution with n - 1 degrees of freedom v and
 * noncentrality d = difference sqrt(n) / sd. Given s = sqrt(chi2 / v), it is normal:
 * P(T <= t) = E[Phi(t s - d)]. The expectation is an integral over s, which is smooth and narrow
 * (standard deviation about 1 / sqrt(2 v)): Simpson's rule over the range that holds all but 1e-12
 * of s is exact to about 1e-10.
 */
#include "base/search.h"
#include "stats/level.h"
#include "stats/values.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <workloom/stats.h>
#include <workloom/stats_intervals.h>

enum { SIMPSON = 2000 };

/* P(|T| > t) given s, times the density of s. */
static double integrand(double s, double t, double d, double v)
{
    double beyond = gsl_cdf_ugaussian_Q(t * s - d) + gsl_cdf_ugaussian_P(-t * s - d);
    return beyond * 2 * v * s * gsl_ran_chisq_pdf(v * s * s, v);
}

/* The range of s. With many degrees of freedom s is normal, with mean 1 and variance 1 / (2 v). */
static void range_of_s(double *from, double *to, double v)
{
    if (v > 1000) {
        *from = 1 - 8 / sqrt(2 * v);
        *to = 1 + 8 / sqrt(2 * v);
    } else {
        *from = sqrt(gsl_cdf_chisq_Pinv(1e-13, v) / v);
        *to = sqrt(gsl_cdf_chisq_Qinv(1e-13, v) / v);
    }
}

static double beyond_t(double t, double d, double v)
{
    double from, to;
    range_of_s(&from, &to, v);
    double step = (to - from) / SIMPSON, sum = 0;
    for (int i = 0; i <= SIMPSON; i++) {
        double weight = i == 0 || i == SIMPSON ? 1 : i % 2 ? 4 : 2;
        sum += weight * integrand(from + step * i, t, d, v);
    }
    return sum * step / 3;
}

double loom_t_power(double difference, double sd, size_t n, double level)
{
    if (sd == 0)
        return difference == 0 ? 0 : 1;
    double v = (double)n - 1, d = fabs(difference) * sqrt((double)n) / sd;
    if (v > 1e6) /* as good as normal */
        return gsl_cdf_ugaussian_Q(gsl_cdf_ugaussian_Pinv((1 + level) / 2) - d);
    return fmin(1, beyond_t(gsl_cdf_tdist_Pinv((1 + level) / 2, v), d, v));
}

int loom_replications_needed(size_t *out, double difference, double sd, double level, double power,
                             struct loom_error *err)
{
    static const size_t most = 1000000000;
    int rc = loom_level_default(&level, err);
    if (!rc)
        rc = loom_share_default(&power, 0.8, "a power", err);
    if (rc)
        return rc;
    if (!(fabs(difference) > 0) || !(sd >= 0) || !isfinite(sd) || !isfinite(difference))
        return loom_fail(err, LOOM_ERANGE, "no number of replications shows a difference of %g",
                         difference);
    size_t low = 2, high = 2; /* fewer than low are not enough */
    while (high < most && loom_t_power(difference, sd, high, level) < power)
        low = high + 1, high *= 2;
    if (high >= most)
        return loom_fail(err, LOOM_ERANGE, "more than 10^9 replications would be needed");
    LOOM_BISECT(low, high, middle, loom_t_power(difference, sd, middle, level) < power);
    *out = high;
    return 0;
}

/* ---- stopping -------------------------------------------------------------------------------- */

static int check_power_rule(struct loom_stop_rule *rule, struct loom_error *err)
{
    if (!(rule->relative > 0 && rule->relative < 1))
        return loom_fail(err, LOOM_ERANGE, "a relative half width of %g is not between 0 and 1",
                         rule->relative);
    rule->least = rule->least ? rule->least : 10;
    if (rule->least < 2)
        return loom_fail(err, LOOM_ERANGE, "a stop rule needs at least 2 replications");
    return loom_level_default(&rule->level, err);
}

/* The least number from n on whose half width is allowed if the deviation stays the same. */
static size_t estimate_needed(double sd, size_t n, double allowed, double level)
{
    static const size_t most = 1000000000000000;
    size_t low = n, high = n; /* fewer than low are not enough */
    while (high < most && loom_t_half_width(sd, (double)high, level) > allowed)
        low = high + 1, high *= 2;
    if (high >= most)
        return most;
    LOOM_BISECT(low, high, middle, loom_t_half_width(sd, (double)middle, level) > allowed);
    return high;
}

int loom_stop_check(struct loom_stop_state *out, const double *x, size_t n,
                    const struct loom_stop_rule *rule, struct loom_error *err)
{
    struct loom_stop_rule r = *rule;
    struct loom_moments m = {0};
    int rc = check_power_rule(&r, err);
    if (!rc && n > 0)
        rc = loom_moments(&m, x, n, err);
    if (rc)
        return rc;
    *out = (struct loom_stop_state){.mean = m.mean, .replications = r.least};
    if (n < 2)
        return 0;
    out->half = loom_t_half_width(m.sd, (double)n, r.level);
    double allowed = fabs(m.mean) * r.relative / (1 + r.relative);
    out->reached = n >= r.least && out->half <= allowed;
    size_t needed = estimate_needed(m.sd, n, allowed, r.level);
    out->replications = needed > r.least ? needed : r.least;
    return 0;
}

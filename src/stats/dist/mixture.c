/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What all mixtures have in common: everything but the fit follows from the components. Weights may
 * miss a sum of 1 by the rounding of printed figures and are divided by their sum.
 */
#include "stats/dist/dist.h"

#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Parameters of a component besides its weight, and what it takes in all. */
static size_t own_params(const struct loom_mixture *m)
{
    return m->component->min_params - m->shared;
}

static size_t mixture_count(const struct loom_mixture *m, size_t n)
{
    return (n - m->shared) / (own_params(m) + 1);
}

static const double *slot(const struct loom_mixture *m, const double *params, size_t i)
{
    return params + m->shared + i * (own_params(m) + 1);
}

/* The parameters of component i as its own functions take them. Returns its weight. */
static double component(const struct loom_mixture *m, const double *params, size_t i, double *out)
{
    const double *from = slot(m, params, i);
    memcpy(out, params, m->shared * sizeof *out);
    memcpy(out + m->shared, from + 1, own_params(m) * sizeof *out);
    return from[0];
}

enum { COMPONENT_PARAMS = 4 };

const char *loom_mixture_param_name(const struct loom_mixture *m, size_t i, char *buf, size_t size)
{
    const struct loom_dist_ops *ops = m->component;
    if (i < m->shared)
        return loom_dist_param_name(ops, i, buf, size);
    size_t each = own_params(m) + 1, which = (i - m->shared) / each, part = (i - m->shared) % each;
    char name[32] = "weight";
    if (part > 0)
        loom_dist_param_name(ops, m->shared + part - 1, name, sizeof name);
    snprintf(buf, size, "%s%zu", name, which + 1);
    return buf;
}

static int check_weights(const struct loom_dist_ops *ops, const double *params, size_t n,
                         struct loom_error *err)
{
    const struct loom_mixture *m = ops->mixture;
    double sum = 0;
    for (size_t i = 0; i < mixture_count(m, n); i++) {
        double weight = *slot(m, params, i);
        if (!(weight >= 0 && weight <= 1))
            return loom_fail(err, LOOM_ERANGE, "%s: weight%zu must be between 0 and 1, not %g",
                             ops->name, i + 1, weight);
        sum += weight;
    }
    if (fabs(sum - 1) < 1e-3)
        return 0;
    return loom_fail(err, LOOM_ERANGE, "%s: the weights must add up to 1, not %g", ops->name, sum);
}

int loom_mixture_check(const struct loom_dist_ops *ops, const double *params, size_t n,
                       struct loom_error *err)
{
    const struct loom_mixture *m = ops->mixture;
    if ((n - m->shared) % (own_params(m) + 1) != 0)
        return loom_fail(err, LOOM_ERANGE, "%s: %zu parameters are no whole number of components",
                         ops->name, n);
    int rc = check_weights(ops, params, n, err);
    for (size_t i = 0; !rc && i < mixture_count(m, n); i++) {
        double own[COMPONENT_PARAMS];
        component(m, params, i, own);
        rc = m->component->check(own, m->component->min_params, err);
    }
    return rc;
}

static double weight_sum(const struct loom_mixture *m, const double *params, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < mixture_count(m, n); i++)
        sum += *slot(m, params, i);
    return sum;
}

double loom_mixture_log_density(const struct loom_mixture *m, const double *params, size_t n,
                                double x)
{
    double terms[LOOM_DIST_PARAMS], most = -INFINITY, own[COMPONENT_PARAMS], sum = 0;
    for (size_t i = 0; i < mixture_count(m, n); i++) {
        double weight = component(m, params, i, own);
        terms[i] = log(weight) + m->component->log_density(own, m->component->min_params, x);
        most = fmax(most, terms[i]);
    }
    if (isinf(most))
        return most;
    for (size_t i = 0; i < mixture_count(m, n); i++)
        sum += exp(terms[i] - most);
    return most + log(sum / weight_sum(m, params, n));
}

typedef double loom_at_fn(const double *params, size_t n, double x);

static double average(const struct loom_mixture *m, loom_at_fn *f, const double *params, size_t n,
                      double x)
{
    double sum = 0, own[COMPONENT_PARAMS];
    for (size_t i = 0; i < mixture_count(m, n); i++) {
        double weight = component(m, params, i, own);
        sum += weight * f(own, m->component->min_params, x);
    }
    return sum / weight_sum(m, params, n);
}

double loom_mixture_cdf(const struct loom_mixture *m, const double *params, size_t n, double x)
{
    return average(m, m->component->cdf, params, n, x);
}

double loom_mixture_survival(const struct loom_mixture *m, const double *params, size_t n, double x)
{
    return average(m, m->component->survival, params, n, x);
}

/* Between the least and the greatest of the components' quantiles. */
double loom_mixture_quantile(const struct loom_dist_ops *ops, const double *params, size_t n,
                             double p)
{
    const struct loom_mixture *m = ops->mixture;
    double low = INFINITY, high = -INFINITY, own[COMPONENT_PARAMS];
    for (size_t i = 0; i < mixture_count(m, n); i++) {
        if (component(m, params, i, own) == 0)
            continue;
        double q = m->component->quantile(own, m->component->min_params, p);
        low = fmin(low, q);
        high = fmax(high, q);
    }
    return loom_quantile_search(ops, params, n, p, low, high);
}

double loom_mixture_sample(const struct loom_mixture *m, const double *params, size_t n,
                           gsl_rng *rng)
{
    double u = gsl_rng_uniform(rng) * weight_sum(m, params, n), own[COMPONENT_PARAMS];
    size_t last = mixture_count(m, n) - 1, i = 0;
    for (; i < last; i++) {
        u -= *slot(m, params, i);
        if (u < 0)
            break;
    }
    component(m, params, i, own);
    return m->component->sample(own, m->component->min_params, rng);
}

double loom_mixture_mean(const struct loom_mixture *m, const double *params, size_t n)
{
    double sum = 0, own[COMPONENT_PARAMS];
    for (size_t i = 0; i < mixture_count(m, n); i++) {
        double weight = component(m, params, i, own);
        sum += weight * m->component->mean(own, m->component->min_params);
    }
    return sum / weight_sum(m, params, n);
}

/* Within the components and between them. */
double loom_mixture_variance(const struct loom_mixture *m, const double *params, size_t n)
{
    double all = loom_mixture_mean(m, params, n), sum = 0, own[COMPONENT_PARAMS];
    for (size_t i = 0; i < mixture_count(m, n); i++) {
        double weight = component(m, params, i, own);
        double d = m->component->mean(own, m->component->min_params) - all;
        sum += weight * (m->component->variance(own, m->component->min_params) + d * d);
    }
    return sum / weight_sum(m, params, n);
}

/* ---- weights alone --------------------------------------------------------------------------- */

/* Densities of all points under all components, k a row, scaled by the row's greatest; rows with no
 * density anywhere are left out. Returns the rows; w gets their weights. */
static size_t fill_rows(double *rows, double *w, const struct loom_dist *dist,
                        const struct loom_points *points)
{
    const struct loom_mixture *m = dist->ops->mixture;
    size_t k = mixture_count(m, dist->n_params), n = 0;
    double own[COMPONENT_PARAMS];
    for (size_t i = 0; i < points->n; i++) {
        double *row = rows + n * k, most = -INFINITY;
        for (size_t j = 0; j < k; j++) {
            component(m, dist->params, j, own);
            row[j] = m->component->log_density(own, m->component->min_params, points->x[i]);
            most = fmax(most, row[j]);
        }
        if (!isfinite(most))
            continue;
        for (size_t j = 0; j < k; j++)
            row[j] = exp(row[j] - most);
        w[n++] = points->w[i];
    }
    return n;
}

/* One EM step on the shares, whose likelihood has a single maximum. Returns the largest change. */
static double improve(double *shares, size_t k, const double *rows, const double *w, size_t n)
{
    double sums[LOOM_DIST_PARAMS] = {0}, weight = 0, change = 0;
    for (size_t i = 0; i < n; i++) {
        const double *row = rows + i * k;
        double sum = 0;
        for (size_t j = 0; j < k; j++)
            sum += shares[j] * row[j];
        for (size_t j = 0; j < k && sum > 0; j++)
            sums[j] += w[i] * (shares[j] * row[j] / sum);
        weight += w[i];
    }
    for (size_t j = 0; j < k; j++) {
        change = fmax(change, fabs(sums[j] / weight - shares[j]));
        shares[j] = sums[j] / weight;
    }
    return change;
}

static int weigh_points(struct loom_dist *dist, const struct loom_points *points,
                        struct loom_error *err)
{
    const struct loom_mixture *m = dist->ops->mixture;
    size_t k = mixture_count(m, dist->n_params);
    double *rows = malloc(points->n * (k + 1) * sizeof *rows);
    if (!rows)
        return loom_fail_memory(err);
    double *w = rows + points->n * k, shares[LOOM_DIST_PARAMS];
    size_t n = fill_rows(rows, w, dist, points);
    for (size_t j = 0; j < k; j++)
        shares[j] = 1 / (double)k;
    for (int step = 0; n > 0 && step < 5000; step++)
        if (improve(shares, k, rows, w, n) < 1e-10)
            break;
    free(rows);
    if (n == 0)
        return loom_fail(err, LOOM_EDATA, "no component of %s can give any of the values",
                         dist->ops->name);
    for (size_t j = 0; j < k; j++)
        dist->params[m->shared + j * (own_params(m) + 1)] = shares[j];
    return 0;
}

int loom_mixture_weights(struct loom_dist *dist, const double *x, const double *weights, size_t n,
                         struct loom_error *err)
{
    if (!dist->ops->mixture)
        return loom_fail(err, LOOM_EUSAGE, "%s is no mixture", dist->ops->name);
    if (n == 0)
        return loom_fail(err, LOOM_EDATA, "there are no values to weigh components by");
    struct loom_sample s;
    struct loom_points points = {.n = 0};
    int rc = loom_sample_open(&s, x, weights, n, LOOM_LINE, err);
    if (rc)
        return rc;
    rc = loom_points_create(&points, &s, err);
    if (!rc)
        rc = weigh_points(dist, &points, err);
    loom_points_free(&points);
    loom_sample_close(&s);
    return rc;
}

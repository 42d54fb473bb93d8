/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The list of distributions, and what a caller does with one: find it by name, evaluate it, fit it.
 * A fit that ends in parameters its own distribution would refuse, or in a likelihood that is not a
 * number, is an error and never a result.
 */
#include "stats/dist/dist.h"
#include "base/error.h"

#include "base/words.h"

#include <errno.h>
#include <float.h>
#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct loom_dist_ops *const all[] = {
    &loom_exponential, &loom_gamma,
    &loom_weibull,     &loom_lognormal,
    &loom_normal,      &loom_gp,
    &loom_pareto,      &loom_loguniform,
    &loom_zipf,        &loom_beta,
    &loom_erlang,      &loom_twostage_uniform,
    &loom_hypererlang, &loom_hyperexponential,
    &loom_hypergamma,  &loom_normal_mixture,
};
enum { COUNT = sizeof all / sizeof *all };

/* GSL's default is to abort the program where a special function underflows. Errors are values
 * here: its results are checked where they are used. The handler is one for the process, and every
 * way into GSL goes by it, functions that end in _e and solvers that return a code included; to set
 * it around calls would be a race between threads. So it is switched off once, when the library is
 * loaded; a program that wants one sets its own afterwards. */
__attribute__((constructor)) static void keep_gsl_from_aborting(void)
{
    gsl_set_error_handler_off();
}

const struct loom_dist_ops *loom_dist_at(size_t index)
{
    return index < COUNT ? all[index] : NULL;
}

static const struct loom_dist_ops *dist_find(const char *name, size_t length)
{
    for (size_t i = 0; i < COUNT; i++)
        if (strlen(all[i]->name) == length && memcmp(all[i]->name, name, length) == 0)
            return all[i];
    return NULL;
}

const struct loom_dist_ops *loom_dist_find(const char *name)
{
    return name ? dist_find(name, strlen(name)) : NULL;
}

static int unknown(const char *name, struct loom_error *err)
{
    if (!name)
        return loom_fail_null(err, "name");
    const char *names[COUNT + 1] = {NULL};
    for (size_t i = 0; i < COUNT; i++)
        names[i] = all[i]->name;
    return loom_fail_unknown(err, "distribution", name, names, "see 'workloom list distributions'");
}

int loom_dist_init(struct loom_dist *out, const char *name, const double *params, size_t n,
                   struct loom_error *err)
{
    const struct loom_dist_ops *ops = loom_dist_find(name);
    if (!ops)
        return unknown(name, err);
    if (n < ops->min_params || n > ops->max_params)
        return loom_fail(err, LOOM_EUSAGE, "%s takes %zu to %zu parameters, not %zu", ops->name,
                         ops->min_params, ops->max_params, n);
    int rc = ops->check(params, n, err);
    if (rc)
        return rc;
    *out = (struct loom_dist){.ops = ops, .n_params = n};
    memcpy(out->params, params, n * sizeof *params);
    return 0;
}

const char *loom_dist_param_name(const struct loom_dist_ops *ops, size_t index, char *buf,
                                 size_t size)
{
    if (ops->mixture)
        return loom_mixture_param_name(ops->mixture, index, buf, size);
    snprintf(buf, size, "%s", index < ops->min_params ? ops->param_names[index] : "");
    return buf;
}

int loom_check_finite(const char *dist, const char *name, double value, struct loom_error *err)
{
    if (isfinite(value))
        return 0;
    return loom_fail(err, LOOM_ERANGE, "%s: %s must be a finite number, not %g", dist, name, value);
}

int loom_check_positive(const char *dist, const char *name, double value, struct loom_error *err)
{
    if (value > 0 && isfinite(value))
        return 0;
    return loom_fail(err, LOOM_ERANGE, "%s: %s must be positive, not %g", dist, name, value);
}

double loom_dist_log_density(const struct loom_dist *dist, double x)
{
    return dist->ops->log_density(dist->params, dist->n_params, x);
}

double loom_dist_density(const struct loom_dist *dist, double x)
{
    return exp(loom_dist_log_density(dist, x));
}

double loom_dist_cdf(const struct loom_dist *dist, double x)
{
    return dist->ops->cdf(dist->params, dist->n_params, x);
}

double loom_dist_survival(const struct loom_dist *dist, double x)
{
    return dist->ops->survival(dist->params, dist->n_params, x);
}

double loom_dist_quantile(const struct loom_dist *dist, double p)
{
    double inside = fmin(fmax(p, DBL_MIN), 1 - DBL_EPSILON / 2);
    double x = dist->ops->quantile(dist->params, dist->n_params, inside);
    return fmin(fmax(x, -DBL_MAX), DBL_MAX);
}

double loom_dist_sample(const struct loom_dist *dist, gsl_rng *rng)
{
    return dist->ops->sample(dist->params, dist->n_params, rng);
}

double loom_dist_mean(const struct loom_dist *dist)
{
    return dist->ops->mean(dist->params, dist->n_params);
}

double loom_dist_variance(const struct loom_dist *dist)
{
    return dist->ops->variance(dist->params, dist->n_params);
}

double loom_dist_log_likelihood(const struct loom_dist *dist, const double *x,
                                const double *weights, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        double weight = weights ? weights[i] : 1;
        if (weight > 0)
            sum += weight * loom_dist_log_density(dist, x[i]);
    }
    return sum;
}

/* The number after the colon of "hyperexponential:3", or the default. */
static int parse_components(size_t *out, const struct loom_dist_ops *ops, const char *colon,
                            struct loom_error *err)
{
    *out = ops->mixture ? ops->mixture->components : 1;
    if (!colon)
        return 0;
    if (!ops->mixture)
        return loom_fail(err, LOOM_EUSAGE, "%s is no mixture and takes no number of components",
                         ops->name);
    const struct loom_mixture *m = ops->mixture;
    size_t each = m->component->min_params - m->shared + 1;
    size_t most = (LOOM_DIST_PARAMS - m->shared) / each;
    char *end;
    errno = 0;
    unsigned long long number = strtoull(colon + 1, &end, 10);
    bool digits = colon[1] >= '0' && colon[1] <= '9' && *end == '\0' && errno == 0;
    if (!digits || number < 1 || number > most)
        return loom_fail(err, LOOM_EUSAGE, "'%s' is no number of components for %s, use 1 to %zu",
                         colon + 1, ops->name, most);
    *out = (size_t)number;
    return 0;
}

static int dist_finish(struct loom_fit *fit, const double *x, const double *weights, size_t n,
                       struct loom_error *err)
{
    const struct loom_dist *dist = &fit->dist;
    if (isnan(fit->log_likelihood))
        fit->log_likelihood = loom_dist_log_likelihood(dist, x, weights, n);
    bool valid = dist->ops->check(dist->params, dist->n_params, NULL) == 0;
    if (!valid || !isfinite(fit->log_likelihood))
        return loom_fail(err, LOOM_EDATA,
                         "%s has no finite maximum of likelihood for these %zu values",
                         dist->ops->name, n);
    if (!fit->converged)
        loom_fit_note(fit, "not converged after %d steps", fit->iterations);
    double free_params = (double)fit->free_params;
    fit->aic = 2 * free_params - 2 * fit->log_likelihood;
    fit->bic = free_params * log(fit->weight) - 2 * fit->log_likelihood;
    return 0;
}

int loom_fit_values(struct loom_fit *fit, const double *x, const double *weights, size_t n,
                    size_t components, struct loom_error *err)
{
    const struct loom_dist_ops *ops = fit->dist.ops;
    struct loom_sample sample;
    int rc = loom_sample_open(&sample, x, weights, n, ops->support, err);
    if (rc)
        return rc;
    if (!ops->fits_one_value)
        rc = loom_sample_spread(&sample, err);
    if (!rc)
        rc = ops->fit(fit, &sample, components, err);
    loom_sample_close(&sample);
    return rc;
}

const struct loom_dist_ops *loom_dist_named(const char *name)
{
    return dist_find(name, strcspn(name, ":"));
}

int loom_dist_fit(struct loom_fit *out, const char *name, const double *x, const double *weights,
                  size_t n, struct loom_error *err)
{
    if (!name)
        return unknown(name, err);
    const char *colon = strchr(name, ':');
    const struct loom_dist_ops *ops =
        dist_find(name, colon ? (size_t)(colon - name) : strlen(name));
    if (!ops)
        return unknown(name, err);
    size_t components;
    int rc = parse_components(&components, ops, colon, err);
    if (rc)
        return rc;
    if (n == 0)
        return loom_fail(err, LOOM_EDATA, "there are no values to fit %s to", ops->name);
    struct loom_fit fit = {.dist.ops = ops, .log_likelihood = NAN};
    rc = loom_fit_values(&fit, x, weights, n, components, err);
    if (!rc)
        rc = dist_finish(&fit, x, weights, n, err);
    if (!rc)
        *out = fit;
    return rc;
}

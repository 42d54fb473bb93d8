/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Roots, minima and quantiles. GSL's solvers of one variable are used with their state on the
 * stack, so that evaluating a distribution allocates nothing and cannot run out of memory.
 */
#include "stats/dist/dist.h"

#include <float.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_min.h>
#include <gsl/gsl_multimin.h>
#include <gsl/gsl_roots.h>
#include <math.h>

enum { STATE = 32, MOST_STEPS = 200 }; /* doubles; Brent's methods need fewer than a dozen */

int loom_root(double *root, loom_real_fn *f, void *context, double low, double high,
              double tolerance)
{
    *root = low;
    double at_low = f(low, context), at_high = f(high, context);
    if (!((at_low < 0) ^ (at_high < 0)) || at_low == 0 || at_high == 0) {
        *root = fabs(at_low) <= fabs(at_high) ? low : high;
        return at_low == 0 || at_high == 0 ? 0 : -1;
    }
    double state[STATE];
    gsl_root_fsolver solver = {.type = gsl_root_fsolver_brent, .state = state};
    gsl_function function = {f, context};
    if (solver.type->size > sizeof state ||
        gsl_root_fsolver_set(&solver, &function, low, high) != GSL_SUCCESS)
        return -1;
    int step = 1;
    for (; step < MOST_STEPS; step++) {
        if (gsl_root_fsolver_iterate(&solver) != GSL_SUCCESS)
            break;
        double size = fmax(fabs(solver.x_lower), fabs(solver.x_upper));
        if (solver.x_upper - solver.x_lower <= tolerance * size || solver.x_lower == solver.x_upper)
            break;
    }
    *root = solver.root;
    return step < MOST_STEPS ? step : -step;
}

int loom_minimum(double *at, loom_real_fn *f, void *context, double low, double guess, double high,
                 double tolerance)
{
    double state[STATE];
    gsl_min_fminimizer solver = {.type = gsl_min_fminimizer_brent, .state = state};
    gsl_function function = {f, context};
    *at = guess;
    if (solver.type->size > sizeof state ||
        gsl_min_fminimizer_set(&solver, &function, guess, low, high) != GSL_SUCCESS)
        return -1;
    int step = 1;
    for (; step < MOST_STEPS; step++) {
        if (gsl_min_fminimizer_iterate(&solver) != GSL_SUCCESS)
            break;
        if (solver.x_upper - solver.x_lower <= tolerance * fabs(solver.x_minimum))
            break;
    }
    *at = solver.x_minimum;
    return step < MOST_STEPS ? step : -step;
}

/* ---- in several dimensions ------------------------------------------------------------------- */

struct surface {
    loom_point_fn *f;
    void *context;
};

static double height(const gsl_vector *x, void *context)
{
    const struct surface *surface = context;
    double value = surface->f(x->data, surface->context);
    return isfinite(value) ? value : DBL_MAX;
}

/* One run of the simplex. Returns the height it ends at. */
static double descend(gsl_multimin_fminimizer *solver, gsl_multimin_function *function,
                      gsl_vector *at, const gsl_vector *steps)
{
    if (gsl_multimin_fminimizer_set(solver, function, at, steps) != GSL_SUCCESS)
        return height(at, function->params);
    for (int step = 0; step < 2000; step++)
        if (gsl_multimin_fminimizer_iterate(solver) != GSL_SUCCESS ||
            gsl_multimin_fminimizer_size(solver) < 1e-7)
            break;
    gsl_vector_memcpy(at, solver->x);
    return solver->fval;
}

int loom_minimum_near(double *at, size_t n, loom_point_fn *f, void *context, double step,
                      struct loom_error *err)
{
    gsl_multimin_fminimizer *solver =
        gsl_multimin_fminimizer_alloc(gsl_multimin_fminimizer_nmsimplex2, n);
    if (!solver)
        return loom_fail_memory(err);
    struct surface surface = {f, context};
    gsl_multimin_function function = {height, n, &surface};
    double widths[LOOM_MINIMUM_DIMENSIONS];
    for (size_t i = 0; i < n; i++)
        widths[i] = step;
    gsl_vector_view point = gsl_vector_view_array(at, n), steps = gsl_vector_view_array(widths, n);
    double last, value = height(&point.vector, &surface);
    int run = 0;
    do {
        last = value;
        value = descend(solver, &function, &point.vector, &steps.vector);
    } while (++run < 10 && value < last - 1e-10 * fabs(last));
    gsl_multimin_fminimizer_free(solver);
    return 0;
}

/* ---- quantiles ------------------------------------------------------------------------------- */

struct search {
    const struct loom_dist_ops *ops;
    const double *params;
    size_t n;
    double p;
    bool logarithmic;
};

/* Above or below the wanted x. In the upper half the survival function is the one with digits. */
static double miss(double at, void *context)
{
    const struct search *s = context;
    double x = s->logarithmic ? exp(at) : at;
    if (s->p <= 0.5)
        return log(fmax(s->ops->cdf(s->params, s->n, x), DBL_MIN) / s->p);
    return log((1 - s->p) / fmax(s->ops->survival(s->params, s->n, x), DBL_MIN));
}

double loom_quantile_search(const struct loom_dist_ops *ops, const double *params, size_t n,
                            double p, double low, double high)
{
    if (!(low < high))
        return low;
    struct search s = {ops, params, n, p, low > 0};
    double root = 0;
    if (s.logarithmic)
        loom_root(&root, miss, &s, log(low), log(high), DBL_EPSILON);
    else
        loom_root(&root, miss, &s, low, high, DBL_EPSILON);
    return s.logarithmic ? exp(root) : root;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The Lublin-Feitelson model with a log's means. The paper fits distributions on logarithmic
 * scales; the load of a workload depends on the tails, where such a fit is poor. Here the two
 * gammas stay as fitted. If their mean is too long, the limit above which a runtime is drawn again
 * is lowered: queues limit the runtimes of a log, and a gamma has no limit. Then two means of the
 * log determine the two parameters of p, a line over sizes: mean runtime sets the share of each
 * gamma, and mean work (size times runtime) sets how much more often large jobs draw the long one.
 */
#include "models/lublin/lublin.h"

#include "base/search.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

enum { PLACES = 1 << 14, STEPS = 50, LIMIT_STEPS = 49 };

const char *const loom_lublin_mean_names[] = {"free", "log", NULL};

/* The sizes that the model generates, with their shares, and the mean of each gamma. */
struct made {
    double *sizes, *shares;
    size_t n;
    double largest;
    double left[2], means_s[2]; /* of each gamma: the share below the limit, and its mean */
};

static void free_made(struct made *made)
{
    free(made->sizes);
    free(made->shares);
}

static void set_limit(struct loom_lublin_runtimes *runtimes, struct made *made, double limit)
{
    runtimes->limit = limit;
    for (int i = 0; i < 2; i++) {
        double shape = runtimes->shape[i], scale = runtimes->scale[i];
        made->left[i] = gsl_cdf_gamma_P(limit, shape, scale);
        made->means_s[i] = loom_daily_mean(shape, scale, limit);
    }
}

static int lublin_means_make(struct made *out, struct loom_lublin_runtimes *runtimes,
                             const struct loom_lublin_sizer *sizer, struct loom_error *err)
{
    *out = (struct made){.sizes = malloc(PLACES * sizeof *out->sizes),
                         .shares = malloc(PLACES * sizeof *out->shares)};
    if (!out->sizes || !out->shares) {
        free_made(out);
        return loom_fail_memory(err);
    }
    for (int i = 0; i < PLACES; i++) {
        double size = loom_lublin_size(sizer, (i + 0.5) / PLACES);
        if (out->n == 0 || out->sizes[out->n - 1] != size) {
            out->sizes[out->n] = size;
            out->shares[out->n++] = 0;
        }
        out->shares[out->n - 1] += 1.0 / PLACES;
        out->largest = fmax(out->largest, size);
    }
    set_limit(runtimes, out, runtimes->limit);
    return 0;
}

/* Return the mean time drawn where p is the share of the first gamma. A time above the limit is
 * drawn again, from either gamma. */
static double mean_at(const struct made *made, double p)
{
    p = fmin(fmax(p, 0), 1);
    double first = p * made->left[0], second = (1 - p) * made->left[1];
    return (first * made->means_s[0] + second * made->means_s[1]) / (first + second);
}

struct means {
    double drawn_s; /* of the times drawn: runtimes, or the work of jobs with of=work */
    double work_s;  /* of size times drawn time */
};

static struct means means_of(const struct made *made, double slope, double intercept)
{
    struct means means = {0};
    for (size_t i = 0; i < made->n; i++) {
        double drawn_s = mean_at(made, slope * made->sizes[i] + intercept);
        means.drawn_s += made->shares[i] * drawn_s;
        means.work_s += made->shares[i] * made->sizes[i] * drawn_s;
    }
    return means;
}

/* Return the intercept with this mean; p is the share of the first gamma, that of shorter times. */
static double intercept_for(const struct made *made, double slope, double mean_s)
{
    double low = fmin(0, -slope * made->largest), high = fmax(1, 1 - slope * made->largest);
    LOOM_HALVE(STEPS, low, high, intercept, (low + high) / 2,
               means_of(made, slope, intercept).drawn_s > mean_s);
    return (low + high) / 2;
}

/* At its steepest, p goes from 0 to 1 within a tenth of the largest size. */
static double steepest(const struct made *made)
{
    return 10 / made->largest;
}

/* Find the slope with the mean work; with the mean runtime kept, work falls as the slope rises. */
static void solve(double *slope, double *intercept, const struct made *made, struct means wanted)
{
    double low = -steepest(made), high = steepest(made);
    for (int i = 0; i < STEPS; i++) {
        *slope = (low + high) / 2;
        *intercept = intercept_for(made, *slope, wanted.drawn_s);
        if (means_of(made, *slope, *intercept).work_s > wanted.work_s)
            low = *slope;
        else
            high = *slope;
    }
}

/* Set the limit; return the mean time drawn. */
static double drawn_at(struct loom_lublin_runtimes *runtimes, struct made *made, double limit)
{
    set_limit(runtimes, made, limit);
    return means_of(made, runtimes->slope, runtimes->intercept).drawn_s;
}

/* Lower the limit until the mean is the wanted one; keep a limit whose mean is not above it. */
static void lower_limit(struct loom_lublin_runtimes *runtimes, struct made *made, double wanted_s)
{
    double low = log(fmax(wanted_s, 1.5)), high = runtimes->limit;
    if (low >= high || !(drawn_at(runtimes, made, high) > wanted_s))
        return;
    LOOM_HALVE(LIMIT_STEPS, low, high, limit, (low + high) / 2,
               !(drawn_at(runtimes, made, limit) > wanted_s));
    set_limit(runtimes, made, (low + high) / 2);
}

/* Set the limit; return the mean work if large jobs have as many of the long runtimes as p can give
 * them, with the mean runtime kept. */
static double most_work_at(struct loom_lublin_runtimes *runtimes, struct made *made, double limit,
                           double run_s)
{
    set_limit(runtimes, made, limit);
    double slope = -steepest(made);
    return means_of(made, slope, intercept_for(made, slope, run_s)).work_s;
}

/* Raise the limit again, up to the fitted one, if no p gives enough work below it. */
static void restore_limit(struct loom_lublin_runtimes *runtimes, struct made *made, double fitted,
                          struct means wanted)
{
    double low = runtimes->limit, high = fitted, run_s = wanted.drawn_s;
    if (low >= high || !(most_work_at(runtimes, made, low, run_s) < wanted.work_s))
        return;
    LOOM_HALVE(LIMIT_STEPS, low, high, limit, (low + high) / 2,
               most_work_at(runtimes, made, limit, run_s) < wanted.work_s);
    set_limit(runtimes, made, (low + high) / 2);
}

/* Swap the gammas, so that the first has the shorter times. */
static void lublin_means_exchange(struct loom_lublin_runtimes *runtimes)
{
    double shape = runtimes->shape[0], scale = runtimes->scale[0];
    runtimes->slope = -runtimes->slope;
    runtimes->intercept = 1 - runtimes->intercept;
    runtimes->shape[0] = runtimes->shape[1];
    runtimes->scale[0] = runtimes->scale[1];
    runtimes->shape[1] = shape;
    runtimes->scale[1] = scale;
}

static struct means means_of_jobs(const struct loom_lublin_jobs *jobs)
{
    struct means means = {0};
    for (size_t i = 0; i < jobs->n; i++) {
        double run_s = (double)jobs->run_s[i];
        means.drawn_s += run_s / (double)jobs->n;
        means.work_s += run_s * jobs->procs[i] / (double)jobs->n;
    }
    return means;
}

int loom_lublin_runtimes_keep_means(struct loom_lublin_runtimes *runtimes,
                                    struct loom_means_kept *kept,
                                    const struct loom_lublin_sizer *sizer,
                                    const struct loom_lublin_jobs *jobs, struct loom_error *err)
{
    struct made made;
    struct means wanted = means_of_jobs(jobs);
    double fitted = runtimes->limit;
    double first = loom_daily_mean(runtimes->shape[0], runtimes->scale[0], runtimes->limit);
    if (first > loom_daily_mean(runtimes->shape[1], runtimes->scale[1], runtimes->limit))
        lublin_means_exchange(runtimes);
    int rc = lublin_means_make(&made, runtimes, sizer, err);
    if (rc)
        return rc;
    bool of_work = runtimes->of == LOOM_LUBLIN_WORK;
    lower_limit(runtimes, &made, of_work ? wanted.work_s : wanted.drawn_s);
    if (of_work) { /* p does not depend on size */
        runtimes->intercept = intercept_for(&made, 0, wanted.work_s);
        double work_s = means_of(&made, 0, runtimes->intercept).drawn_s;
        *kept = (struct loom_means_kept){.run = NAN, .work = work_s / wanted.work_s};
    } else {
        restore_limit(runtimes, &made, fitted, wanted);
        solve(&runtimes->slope, &runtimes->intercept, &made, wanted);
        struct means reached = means_of(&made, runtimes->slope, runtimes->intercept);
        *kept = (struct loom_means_kept){.run = reached.drawn_s / wanted.drawn_s,
                                         .work = reached.work_s / wanted.work_s};
    }
    free_made(&made);
    return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The Lublin-Feitelson model with a log's means. The paper fits the shapes of distributions on
 * logarithmic scales; the load of a workload hangs on their upper ends, where such a fit is poor.
 * Here the two gammas stay as they are fitted. Where they make too long runtimes, the limit above
 * which logarithms are drawn again is lowered: logs end at the limits of queues, and gammas do not.
 * Then p, a line over sizes that has two parameters, is determined by two means of the log: of
 * runtimes, which sets how often each gamma is drawn, and of work, size times runtime, which
 * sets how much more often the long one is for large jobs.
 */
#include "models/lublin/lublin.h"

#include "base/search.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

enum { PLACES = 1 << 14, STEPS = 50 };

const char *const loom_lublin_mean_names[] = {"free", "log", NULL};

/* The sizes that the model makes, with their shares, and means of what each gamma makes. */
struct made {
    double *sizes, *shares;
    size_t n;
    double largest;
    double left[2], means_s[2]; /* of each gamma: what is below the limit, and its mean */
};

static void free_made(struct made *made)
{
    free(made->sizes);
    free(made->shares);
}

static void set_limit(struct made *made, const struct loom_lublin_runtimes *runtimes)
{
    for (int i = 0; i < 2; i++) {
        double shape = runtimes->shape[i], scale = runtimes->scale[i];
        made->left[i] = gsl_cdf_gamma_P(runtimes->limit, shape, scale);
        made->means_s[i] = loom_daily_mean(shape, scale, runtimes->limit);
    }
}

static int lublin_means_make(struct made *out, const struct loom_lublin_runtimes *runtimes,
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
    set_limit(out, runtimes);
    return 0;
}

/* The mean of what is drawn where p is the share of the first gamma. What exceeds the limit is
 * drawn again, gamma and all. */
static double mean_at(const struct made *made, double p)
{
    p = fmin(fmax(p, 0), 1);
    double first = p * made->left[0], second = (1 - p) * made->left[1];
    return (first * made->means_s[0] + second * made->means_s[1]) / (first + second);
}

struct means {
    double run_s, work_s;
};

static struct means means_of(const struct made *made, double slope, double intercept)
{
    struct means means = {0};
    for (size_t i = 0; i < made->n; i++) {
        double run_s = mean_at(made, slope * made->sizes[i] + intercept);
        means.run_s += made->shares[i] * run_s;
        means.work_s += made->shares[i] * made->sizes[i] * run_s;
    }
    return means;
}

/* The intercept that has the mean runtime. The second gamma is the one of longer times. */
static double intercept_for(const struct made *made, double slope, double run_s)
{
    double low = fmin(0, -slope * made->largest), high = fmax(1, 1 - slope * made->largest);
    LOOM_HALVE(STEPS, low, high, intercept, (low + high) / 2,
               means_of(made, slope, intercept).run_s > run_s);
    return (low + high) / 2;
}

/* At its steepest, p goes from 0 to 1 within a tenth of the largest size. */
static double steepest(const struct made *made)
{
    return 10 / made->largest;
}

/* With the mean runtime kept, work falls as the slope rises. */
static void solve(double *slope, double *intercept, const struct made *made, struct means wanted)
{
    double low = -steepest(made), high = steepest(made);
    for (int i = 0; i < STEPS; i++) {
        *slope = (low + high) / 2;
        *intercept = intercept_for(made, *slope, wanted.run_s);
        if (means_of(made, *slope, *intercept).work_s > wanted.work_s)
            low = *slope;
        else
            high = *slope;
    }
}

/* The limit that has the mean, if there is one below what it is. */
static void lower_limit(struct loom_lublin_runtimes *runtimes, struct made *made, double wanted_s)
{
    double low = log(fmax(wanted_s, 1.5)), high = runtimes->limit;
    for (int i = 0; i < STEPS && low < high; i++) {
        if (means_of(made, runtimes->slope, runtimes->intercept).run_s > wanted_s)
            high = runtimes->limit;
        else if (i == 0)
            return;
        else
            low = runtimes->limit;
        runtimes->limit = (low + high) / 2;
        set_limit(made, runtimes);
    }
}

/* With a lower limit there is less work in the large jobs, even where all the long runtimes are
 * theirs. Where that is too little, the limit goes back as far as it must, and p makes up for the
 * runtimes. */
static void restore_limit(struct loom_lublin_runtimes *runtimes, struct made *made, double fitted,
                          struct means wanted)
{
    double low = runtimes->limit, high = fitted, slope = -steepest(made);
    for (int i = 0; i < STEPS && low < high; i++) {
        double intercept = intercept_for(made, slope, wanted.run_s);
        if (means_of(made, slope, intercept).work_s < wanted.work_s)
            low = runtimes->limit;
        else if (i == 0)
            return;
        else
            high = runtimes->limit;
        runtimes->limit = (low + high) / 2;
        set_limit(made, runtimes);
    }
}

/* The first gamma is to be the one of shorter times. */
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
        means.run_s += run_s / (double)jobs->n;
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
    lower_limit(runtimes, &made, of_work ? wanted.work_s : wanted.run_s);
    if (of_work) { /* p does not depend on size */
        runtimes->intercept = intercept_for(&made, 0, wanted.work_s);
        double work_s = means_of(&made, 0, runtimes->intercept).run_s;
        *kept = (struct loom_means_kept){.run = NAN, .work = work_s / wanted.work_s};
    } else {
        restore_limit(runtimes, &made, fitted, wanted);
        solve(&runtimes->slope, &runtimes->intercept, &made, wanted);
        struct means reached = means_of(&made, runtimes->slope, runtimes->intercept);
        *kept = (struct loom_means_kept){.run = reached.run_s / wanted.run_s,
                                         .work = reached.work_s / wanted.work_s};
    }
    free_made(&made);
    return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Hyper-gamma runtimes from a log (Lublin and Feitelson, sections 5 and 6.3). The two gammas are
 * fitted to the logarithms by expectation maximisation. Then jobs are divided into eight groups of
 * about equal numbers by size, no size being split; with both gammas fixed, the most likely p of
 * each group is found; and the line through these over the groups' mean sizes gives p for any size.
 *
 * Runtimes of 0 and 1 s have no positive logarithm and are left out. A runtime of r seconds
 * stands for all from r - 1/2 to r + 1/2, over which equal ones are spread: many equal short ones
 * would otherwise be a gamma of their own, of no width.
 *
 * The model draws no logarithm above its limit, and the fit leaves out those below the shortest
 * runtime. The likelihood estimators fit gammas truncated at both ends, with p before truncation.
 * Clamping p to 0 and 1 bends a line through groups, so the line is then fitted to all jobs by
 * likelihood.
 */
#include "base/compare.h"
#include "base/sort.h"
#include "models/lublin/lublin.h"
#include "stats/dist/dist.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>

enum { GROUPS = 8, LEAST_JOBS = 20, MOST_BINS = 128 };

/* ---- the sample ------------------------------------------------------------------------------ */

struct run {
    int64_t run_s;
    int32_t procs;
};

/* Logarithms of runtimes or of work, by runtime, with the sizes they belong to. */
struct sample {
    struct run *runs;
    double *x;
    size_t n;
    double *some; /* room for a part of x */
};

static void free_sample(struct sample *sample)
{
    free(sample->runs);
    free(sample->x);
    free(sample->some);
}

static int by_run(const void *a, const void *b)
{
    const struct run *left = a, *right = b;
    return LOOM_FIRST_DIFFERENCE(LOOM_COMPARE(left->run_s, right->run_s),
                                 LOOM_COMPARE(left->procs, right->procs));
}

/* Spread equal runtimes. Jobs of one size stay together in their order, so each takes the place
 * that a step of the golden section gives it: no size gets the short ones. */
static void take_logs(struct sample *sample, int of)
{
    static const double golden = 0.6180339887498949;
    for (size_t i = 0, end; i < sample->n; i = end) {
        for (end = i + 1; end < sample->n && sample->runs[end].run_s == sample->runs[i].run_s;)
            end++;
        for (size_t k = i; k < end; k++) {
            double place = fmod(0.5 + golden * (double)(k - i), 1) - 0.5;
            sample->x[k] = log((double)sample->runs[k].run_s + place);
            if (of == LOOM_LUBLIN_WORK)
                sample->x[k] += log(sample->runs[k].procs);
        }
    }
}

static int make_sample(struct sample *out, const struct loom_lublin_jobs *jobs, int of,
                       struct loom_error *err)
{
    *out = (struct sample){.runs = malloc((jobs->n + 1) * sizeof *out->runs),
                           .x = malloc((jobs->n + 1) * sizeof *out->x),
                           .some = malloc((jobs->n + 1) * sizeof *out->some)};
    if (!out->runs || !out->x || !out->some) {
        free_sample(out);
        return loom_fail_memory(err);
    }
    for (size_t i = 0; i < jobs->n; i++)
        if (jobs->run_s[i] > 1 || (of == LOOM_LUBLIN_WORK && jobs->run_s[i] * jobs->procs[i] > 1))
            out->runs[out->n++] = (struct run){jobs->run_s[i], jobs->procs[i]};
    qsort(out->runs, out->n, sizeof *out->runs, by_run);
    take_logs(out, of);
    return 0;
}

/* ---- the gammas ------------------------------------------------------------------------------ */

/* Parameters of a hyper-gamma distribution of two components. */
enum { WEIGHT1, SHAPE1, SCALE1, WEIGHT2, SHAPE2, SCALE2 };

static int fit_gammas(struct loom_dist *out, const struct sample *sample, struct loom_error *err)
{
    struct loom_fit fit;
    if (sample->n < LEAST_JOBS)
        return loom_fail(err, LOOM_EDATA,
                         "lublin2003 needs at least %d jobs of more than 1 s to be fitted to, and "
                         "there are %zu",
                         LEAST_JOBS, sample->n);
    int rc = loom_dist_fit(&fit, "hypergamma", sample->x, NULL, sample->n, err);
    if (!rc)
        *out = fit.dist;
    return rc;
}

/* How many jobs have logarithms between successive edges. */
struct bins {
    double edges[MOST_BINS + 1], jobs[MOST_BINS];
    size_t n;
};

/* Bins of about equal numbers of jobs, with edges between whole seconds. */
static void fill_bins(struct bins *bins, const struct sample *sample)
{
    size_t taken = 0;
    *bins = (struct bins){.edges = {log(1.5)}};
    for (size_t i = 0; i < sample->n; i++) {
        bool last = i + 1 == sample->n || sample->runs[i + 1].run_s != sample->runs[i].run_s;
        size_t goal = (bins->n + 1) * sample->n / MOST_BINS;
        if (!last || i + 1 < goal)
            continue;
        bins->jobs[bins->n++] = (double)(i + 1 - taken);
        bins->edges[bins->n] = log((double)sample->runs[i].run_s + 0.5);
        taken = i + 1;
    }
}

/* What is searched: logarithms of shapes and means, and the log odds of the first gamma. */
enum { LOG_SHAPE1, LOG_MEAN1, LOG_SHAPE2, LOG_MEAN2, LOG_ODDS, COORDINATES };

static double mixed_cdf(const double *at, double x)
{
    double p = 1 / (1 + exp(-at[LOG_ODDS]));
    return p * gsl_cdf_gamma_P(x, exp(at[LOG_SHAPE1]), exp(at[LOG_MEAN1] - at[LOG_SHAPE1])) +
           (1 - p) * gsl_cdf_gamma_P(x, exp(at[LOG_SHAPE2]), exp(at[LOG_MEAN2] - at[LOG_SHAPE2]));
}

static double lublin_runtimes_cost(const double *at, void *context)
{
    const struct bins *bins = context;
    double least = mixed_cdf(at, bins->edges[0]), from = least, sum = 0, jobs = 0;
    for (size_t i = 0; i < bins->n; i++) {
        double to = mixed_cdf(at, bins->edges[i + 1]);
        sum -= bins->jobs[i] * log(to - from);
        jobs += bins->jobs[i];
        from = to;
    }
    return sum + jobs * log(from - least);
}

/* Fewer bins than coordinates leave the gammas as they are. */
static int cut_off_gammas(struct loom_dist *gammas, const struct sample *sample,
                          struct loom_error *err)
{
    double *p = gammas->params;
    struct bins bins;
    fill_bins(&bins, sample);
    if (bins.n <= COORDINATES)
        return 0;
    double at[COORDINATES] = {log(p[SHAPE1]), log(p[SHAPE1] * p[SCALE1]), log(p[SHAPE2]),
                              log(p[SHAPE2] * p[SCALE2]), log(p[WEIGHT1] / p[WEIGHT2])};
    int rc = loom_minimum_near(at, COORDINATES, lublin_runtimes_cost, &bins, 0.05, err);
    p[WEIGHT1] = 1 / (1 + exp(-at[LOG_ODDS]));
    p[WEIGHT2] = 1 - p[WEIGHT1];
    p[SHAPE1] = exp(at[LOG_SHAPE1]);
    p[SCALE1] = exp(at[LOG_MEAN1] - at[LOG_SHAPE1]);
    p[SHAPE2] = exp(at[LOG_SHAPE2]);
    p[SCALE2] = exp(at[LOG_MEAN2] - at[LOG_SHAPE2]);
    return rc;
}

/* ---- p by size ------------------------------------------------------------------------------- */

/* Divide sizes into at most GROUPS groups, given by their largest sizes: a size belongs to the
 * group of its median job. */
static int divide(size_t *groups, int32_t *up_to, const struct sample *sample,
                  struct loom_error *err)
{
    int64_t *sorted = malloc((sample->n + 1) * sizeof *sorted);
    if (!sorted)
        return loom_fail_memory(err);
    for (size_t i = 0; i < sample->n; i++)
        sorted[i] = sample->runs[i].procs;
    loom_sort_int64(sorted, sample->n);
    size_t last = SIZE_MAX;
    *groups = 0;
    for (size_t i = 0, end; i < sample->n; i = end) {
        for (end = i + 1; end < sample->n && sorted[end] == sorted[i];)
            end++;
        size_t group = (i + end) * GROUPS / (2 * sample->n);
        *groups += group != last;
        last = group;
        up_to[*groups - 1] = (int32_t)sorted[i];
    }
    free(sorted);
    return 0;
}

/* Estimate the share of the first gamma among jobs of more than `from` and at most `to` processors,
 * and their mean size. */
static int fit_group(double *p, double *size, const struct loom_dist *gammas,
                     const struct sample *sample, int32_t from, int32_t to, struct loom_error *err)
{
    struct loom_dist own = *gammas;
    double sum = 0;
    size_t n = 0;
    for (size_t i = 0; i < sample->n; i++)
        if (sample->runs[i].procs > from && sample->runs[i].procs <= to) {
            sample->some[n++] = sample->x[i];
            sum += sample->runs[i].procs;
        }
    int rc = loom_mixture_weights(&own, sample->some, NULL, n, err);
    *p = own.params[WEIGHT1];
    *size = sum / (double)n;
    return rc;
}

/* The shares of the gammas that the cuts leave, for what p was before. */
static double before_cut(double p, const double *left)
{
    double first = p / left[0], second = (1 - p) / left[1];
    return first / (first + second);
}

static int fit_line(struct loom_lublin_runtimes *out, const struct loom_dist *gammas,
                    const double *left, const struct sample *sample, struct loom_error *err)
{
    double p[GROUPS], sizes[GROUPS];
    int32_t up_to[GROUPS];
    size_t groups = 0;
    int rc = divide(&groups, up_to, sample, err);
    for (size_t g = 0; !rc && g < groups; g++) {
        rc = fit_group(&p[g], &sizes[g], gammas, sample, g ? up_to[g - 1] : 0, up_to[g], err);
        p[g] = before_cut(p[g], left);
    }
    struct loom_line line = {.intercept = gammas->params[WEIGHT1]};
    if (!rc && groups > 1)
        rc = loom_line_fit(&line, sizes, p, groups, err);
    out->slope = line.slope;
    out->intercept = line.intercept;
    return rc;
}

/* What makes a line likely: for each job, the first gamma's part of both densities, and by all of
 * them the sizes' mean and spread, which define the coordinates. */
struct likely_line {
    const struct sample *sample;
    const double *left;
    double mean_size, spread;
};

enum { P_AT_MEAN, P_BY_SPREAD, LINE_COORDINATES };

static double clamp(double p)
{
    return p < 0 ? 0 : p > 1 ? 1 : p;
}

/* Minus the log-likelihood of what is left of both gammas after the cuts. */
static double line_cost(const double *at, void *context)
{
    const struct likely_line *line = context;
    double sum = 0;
    for (size_t i = 0; i < line->sample->n; i++) {
        double first = line->sample->some[i];
        double away = (line->sample->runs[i].procs - line->mean_size) / line->spread;
        double p = clamp(at[P_AT_MEAN] + at[P_BY_SPREAD] * away);
        double here = p * first + (1 - p) * (1 - first);
        sum -= log(fmax(here, 1e-300) / (p * line->left[0] + (1 - p) * line->left[1]));
    }
    return sum;
}

static void weigh_jobs(struct likely_line *line, const struct loom_dist *gammas)
{
    const double *p = gammas->params;
    const struct sample *sample = line->sample;
    double squares = 0, n = (double)sample->n;
    for (size_t i = 0; i < sample->n; i++) {
        double first = gsl_ran_gamma_pdf(sample->x[i], p[SHAPE1], p[SCALE1]);
        double second = gsl_ran_gamma_pdf(sample->x[i], p[SHAPE2], p[SCALE2]);
        sample->some[i] = first + second > 0 ? first / (first + second) : 0.5;
        line->mean_size += sample->runs[i].procs / n;
    }
    for (size_t i = 0; i < sample->n; i++)
        squares += pow(sample->runs[i].procs - line->mean_size, 2);
    line->spread = sqrt(squares / n);
}

static int refine_line(struct loom_lublin_runtimes *out, const struct loom_dist *gammas,
                       const double *left, const struct sample *sample, struct loom_error *err)
{
    struct likely_line line = {.sample = sample, .left = left};
    weigh_jobs(&line, gammas);
    if (!(line.spread > 0))
        return 0;
    double at[] = {[P_AT_MEAN] = out->slope * line.mean_size + out->intercept,
                   [P_BY_SPREAD] = out->slope * line.spread};
    int rc = loom_minimum_near(at, LINE_COORDINATES, line_cost, &line, 0.05, err);
    out->slope = at[P_BY_SPREAD] / line.spread;
    out->intercept = at[P_AT_MEAN] - out->slope * line.mean_size;
    return rc;
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* The greatest logarithm of what is drawn. */
static double greatest(const struct sample *sample, int of)
{
    double most = log((double)sample->runs[sample->n - 1].run_s);
    for (size_t i = 0; i < sample->n && of == LOOM_LUBLIN_WORK; i++)
        most = fmax(most, log((double)sample->runs[i].run_s * sample->runs[i].procs));
    return most;
}

static int fit_sample(struct loom_lublin_runtimes *out, const struct sample *sample, bool cut_off,
                      struct loom_error *err)
{
    struct loom_dist gammas;
    double left[] = {1, 1};
    int rc = fit_gammas(&gammas, sample, err);
    if (rc)
        return rc;
    out->limit = greatest(sample, out->of);
    if (cut_off)
        rc = cut_off_gammas(&gammas, sample, err);
    for (int i = 0; i < 2; i++) {
        out->shape[i] = gammas.params[3 * i + SHAPE1];
        out->scale[i] = gammas.params[3 * i + SCALE1];
        if (cut_off)
            left[i] = gsl_cdf_gamma_P(out->limit, out->shape[i], out->scale[i]) -
                      gsl_cdf_gamma_P(log(1.5), out->shape[i], out->scale[i]);
    }
    out->intercept = gammas.params[WEIGHT1];
    if (!rc && out->of == LOOM_LUBLIN_RUNTIME)
        rc = fit_line(out, &gammas, left, sample, err);
    if (!rc && cut_off)
        rc = refine_line(out, &gammas, left, sample, err);
    return rc;
}

int loom_lublin_runtimes_fit(struct loom_lublin_runtimes *out, const struct loom_lublin_jobs *jobs,
                             int of, int estimators, struct loom_error *err)
{
    struct sample sample;
    int rc = make_sample(&sample, jobs, of, err);
    if (rc)
        return rc;
    *out = (struct loom_lublin_runtimes){.of = of};
    bool cut_off = estimators == LOOM_ESTIMATORS_LIKELIHOOD && of == LOOM_LUBLIN_RUNTIME;
    rc = fit_sample(out, &sample, cut_off, err);
    free_sample(&sample);
    return rc;
}

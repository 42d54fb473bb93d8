/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Expectation maximisation with the squared extrapolation of Varadhan and Roland (2008, scheme S3):
 * of two successive steps r and r + v, the state is moved by -2 a r + a^2 v with a = -|r| / |v|,
 * which skips many small steps of the same kind; where that does not raise the likelihood, the
 * plain steps stand. Equal values are one point with their weight together.
 */
#include "stats/dist/em.h"
#include "base/compare.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    STATE = LOOM_DIST_PARAMS * LOOM_DIST_EM_ROW,
    MOST_CYCLES = 400,
    FINE_CYCLES = 60,
    TRIAL_CYCLES = 8
};

/* A run ends when three cycles in a row gain less than this for each value: components that overlap
 * can shift for thousands of steps along directions in which the likelihood is flat. */
static const double least_gain = 1e-9;

/* Below this share a component is gone: it keeps its place, and its moves do not count. */
static const double least_share = 1e-9;

int loom_dist_em_open(struct loom_dist_em *em, const struct loom_dist_em_family *family, size_t k,
                      const struct loom_sample *sample, struct loom_error *err)
{
    *em = (struct loom_dist_em){.family = family, .k = k, .scale = 1, .order = 1};
    int rc = loom_points_create(&em->points, sample, err);
    if (rc)
        return rc;
    em->weight = sample->weight;
    em->t = malloc(em->points.n * sizeof *em->t);
    if (!em->t)
        rc = loom_fail_memory(err);
    else if (em->points.n < k || em->points.n < 2)
        rc = loom_fail(err, LOOM_EDATA, "%zu different values are too few for %zu components",
                       em->points.n, k);
    if (rc)
        loom_dist_em_close(em);
    return rc;
}

void loom_dist_em_scale(struct loom_dist_em *em, double shift, double scale)
{
    em->shift = shift;
    em->scale = scale;
    for (size_t i = 0; i < em->points.n; i++) {
        double x = (em->points.x[i] - shift) / scale;
        em->points.x[i] = x;
        if (em->family->statistic == LOOM_DIST_EM_LOG)
            em->t[i] = log(fmax(x, DBL_MIN)); /* zeros only where c is 0 */
        else
            em->t[i] = x * x;
    }
}

void loom_dist_em_close(struct loom_dist_em *em)
{
    loom_points_free(&em->points);
    free(em->t);
    em->t = NULL;
}

double loom_dist_em_quantile(const struct loom_dist_em *em, double p)
{
    double seen = 0;
    for (size_t i = 0; i < em->points.n; i++) {
        seen += em->points.w[i];
        if (seen >= p * em->weight)
            return em->points.x[i];
    }
    return em->points.x[em->points.n - 1];
}

/* What a component gathers in the expectation step. */
struct sums {
    double weight, x, t;
};

static void em_maximise(struct loom_dist_em *em, const struct sums *sums, const double *from,
                        double *to)
{
    em->held = false;
    for (size_t j = 0; j < em->k; j++) {
        double *row = to + j * LOOM_DIST_EM_ROW;
        memmove(row, from + j * LOOM_DIST_EM_ROW, LOOM_DIST_EM_ROW * sizeof *row);
        double share = sums[j].weight / em->weight;
        row[0] = log(fmax(share, least_share));
        if (share > least_share)
            em->held |= em->family->maximise(em, row + 1, sums[j].x / sums[j].weight,
                                             sums[j].t / sums[j].weight);
    }
}

static void add_point(struct sums *sums, double r, double x, double t)
{
    sums->weight += r;
    sums->x += r * x;
    sums->t += r * t;
}

/* Two components need one exponential for each point. Returns the log-likelihood. */
static double expect_two(const struct loom_dist_em *em, double (*abc)[3], struct sums *sums)
{
    const double *x = em->points.x, *t = em->t, *w = em->points.w;
    double a = abc[1][0] - abc[0][0], b = abc[1][1] - abc[0][1], c = abc[1][2] - abc[0][2];
    double total = 0;
    for (size_t i = 0; i < em->points.n; i++) {
        double d = a + b * x[i] + c * t[i], e = exp(-fabs(d));
        double first = abc[0][0] + abc[0][1] * x[i] + abc[0][2] * t[i];
        double less = w[i] * (e / (1 + e)), more = w[i] - less;
        total += w[i] * (first + fmax(d, 0) + log(1 + e));
        add_point(&sums[0], d > 0 ? less : more, x[i], t[i]);
        add_point(&sums[1], d > 0 ? more : less, x[i], t[i]);
    }
    return total;
}

static double expect_many(const struct loom_dist_em *em, double (*abc)[3], struct sums *sums)
{
    double total = 0, terms[LOOM_DIST_PARAMS];
    for (size_t i = 0; i < em->points.n; i++) {
        double x = em->points.x[i], t = em->t[i], w = em->points.w[i], most = -INFINITY, sum = 0;
        for (size_t j = 0; j < em->k; j++) {
            terms[j] = abc[j][0] + abc[j][1] * x + abc[j][2] * t;
            most = terms[j] > most ? terms[j] : most;
        }
        for (size_t j = 0; j < em->k; j++) {
            terms[j] = exp(terms[j] - most);
            sum += terms[j];
        }
        total += w * (most + log(sum));
        for (size_t j = 0; j < em->k; j++)
            add_point(&sums[j], w * (terms[j] / sum), x, t);
    }
    return total;
}

/* One step of EM. Returns the log-likelihood at `from`. */
static double em_step(struct loom_dist_em *em, const double *from, double *to)
{
    double abc[LOOM_DIST_PARAMS][3];
    struct sums sums[LOOM_DIST_PARAMS] = {{0}};
    for (size_t j = 0; j < em->k; j++) {
        em->family->coefficients(em, from + j * LOOM_DIST_EM_ROW + 1, abc[j]);
        abc[j][0] += from[j * LOOM_DIST_EM_ROW];
    }
    double total = em->k == 2 ? expect_two(em, abc, sums) : expect_many(em, abc, sums);
    em_maximise(em, sums, from, to);
    return total;
}

/* How far two states are apart: weights as shares, coordinates of components that are not gone. */
static double move_size(const struct loom_dist_em *em, const double *a, const double *b)
{
    double most = 0;
    for (size_t j = 0; j < em->k; j++) {
        const double *p = a + j * LOOM_DIST_EM_ROW, *q = b + j * LOOM_DIST_EM_ROW;
        most = fmax(most, fabs(exp(p[0]) - exp(q[0])));
        for (size_t c = 1; c <= em->family->coordinates && exp(q[0]) > 2 * least_share; c++)
            most = fmax(most, fabs(p[c] - q[c]));
    }
    return most;
}

static void normalise(const struct loom_dist_em *em, double *state)
{
    double sum = 0;
    for (size_t j = 0; j < em->k; j++)
        sum += exp(state[j * LOOM_DIST_EM_ROW]);
    for (size_t j = 0; j < em->k; j++)
        state[j * LOOM_DIST_EM_ROW] -= log(sum);
}

/* `longest` bounds a: it grows while steps of that length succeed, and shrinks when one fails. */
static void extrapolate(const struct loom_dist_em *em, const double *p0, const double *p1,
                        const double *p2, double *out, double *length, double longest)
{
    double rr = 0, vv = 0;
    for (size_t i = 0; i < em->k * LOOM_DIST_EM_ROW; i++) {
        double r = p1[i] - p0[i], v = p2[i] - p1[i] - r;
        rr += r * r;
        vv += v * v;
    }
    double a = fmin(fmax(sqrt(rr / vv), 1), longest);
    for (size_t i = 0; i < em->k * LOOM_DIST_EM_ROW; i++) {
        double r = p1[i] - p0[i], v = p2[i] - p1[i] - r;
        out[i] = p0[i] + 2 * a * r + a * a * v;
    }
    normalise(em, out);
    *length = a;
}

/* Up to `cycles` cycles of two plain steps and one from their extrapolation. */
static void em_run(struct loom_dist_em *em, struct loom_dist_em_result *out, int cycles)
{
    double p1[STATE], p2[STATE], far[STATE], p3[STATE], last = -INFINITY, longest = 4;
    double *p0 = out->state;
    size_t size = em->k * LOOM_DIST_EM_ROW * sizeof *p0;
    int idle = 0;
    out->converged = false;
    for (int cycle = 0; cycle < cycles && !out->converged; cycle++) {
        em_step(em, p0, p1);
        double value = em_step(em, p1, p2), length;
        extrapolate(em, p0, p1, p2, far, &length, longest);
        double reached = em_step(em, far, p3);
        bool better = isfinite(reached) && reached >= value;
        if (!better)
            longest = fmax(length / 4, 4);
        else if (length == longest)
            longest *= 4;
        memcpy(p0, better ? p3 : p2, size);
        value = better ? reached : value;
        idle = value - last <= least_gain * em->weight ? idle + 1 : 0;
        out->converged = idle >= 3 || move_size(em, p1, p2) < 1e-9;
        last = value;
        out->steps += 3;
    }
    out->log_likelihood = em_step(em, p0, p1) - em->weight * log(em->scale);
}

/* ---- large samples --------------------------------------------------------------------------- */

/* A large sample is first fitted by groups of neighbouring points, each with its mean of x and of
 * t, so that all points are gone over only for the last few steps. */
enum { GROUPS = 1024 };

struct coarse {
    struct loom_dist_em em;
    double x[GROUPS], t[GROUPS], w[GROUPS];
};

static bool is_large(const struct loom_dist_em *em)
{
    return em->points.n > 4 * GROUPS;
}

static void coarsen(struct coarse *out, const struct loom_dist_em *em)
{
    const struct loom_points *p = &em->points;
    out->em = *em;
    out->em.points = (struct loom_points){out->x, out->w, GROUPS};
    out->em.t = out->t;
    for (size_t g = 0, i = 0; g < GROUPS; g++) {
        size_t end = (g + 1) * p->n / GROUPS;
        struct sums sums = {0, 0, 0};
        for (; i < end; i++)
            add_point(&sums, p->w[i], p->x[i], em->t[i]);
        out->w[g] = sums.weight;
        out->x[g] = sums.x / sums.weight;
        out->t[g] = sums.t / sums.weight;
    }
}

void loom_dist_em_run(struct loom_dist_em *em, struct loom_dist_em_result *out)
{
    if (is_large(em)) {
        struct coarse coarse;
        coarsen(&coarse, em);
        em_run(&coarse.em, out, MOST_CYCLES);
        out->steps = 0;
    }
    em_run(em, out, is_large(em) ? FINE_CYCLES : MOST_CYCLES);
}

/* ---- starts ---------------------------------------------------------------------------------- */

void loom_dist_em_divide(struct loom_dist_em *em, double *state, const size_t *ends)
{
    struct sums sums[LOOM_DIST_PARAMS] = {{0}};
    double blank[STATE] = {0};
    size_t i = 0;
    for (size_t j = 0; j < em->k; j++)
        for (; i < ends[j]; i++)
            add_point(&sums[j], em->points.w[i], em->points.x[i], em->t[i]);
    em_maximise(em, sums, blank, state);
}

/* Ways to divide the points into k parts: equal numbers of different values, equal weights, equal
 * sums, equal ranges, equal ranges of the logarithm. */
enum way { BY_VALUES, BY_WEIGHT, BY_SUM, BY_RANGE, BY_LOG_RANGE, WAYS };

/* How far along its way point i is; `seen` adds up over the points before. */
static double along(const struct loom_dist_em *em, enum way way, size_t i, double *seen)
{
    double x = em->points.x[i], w = em->points.w[i], add = way == BY_SUM ? w * fabs(x) : w;
    switch (way) {
    case BY_VALUES:
        return (double)i;
    case BY_WEIGHT:
    case BY_SUM:
        *seen += add;
        return *seen - 0.5 * add;
    case BY_RANGE:
        return x;
    default:
        return log(fmax(x, DBL_MIN));
    }
}

/* False if a part would be empty, or the way is not open to these values. */
static bool divide_points(const struct loom_dist_em *em, enum way way, size_t *ends)
{
    size_t n = em->points.n, part = 0;
    bool positive = em->points.x[0] > 0;
    if (!positive && (way == BY_LOG_RANGE || way == BY_SUM))
        return false;
    double seen = 0, first = along(em, way, 0, &seen), last = 0;
    for (size_t i = 1; i < n; i++)
        last = along(em, way, i, &seen);
    seen = 0;
    for (size_t i = 0; i < n; i++) {
        double place = (along(em, way, i, &seen) - first) / (last - first) * (double)em->k;
        for (; part + 1 < em->k && place >= (double)(part + 1); part++)
            ends[part] = i;
    }
    for (; part < em->k; part++)
        ends[part] = n;
    for (size_t j = 0; j < em->k; j++)
        if (ends[j] <= (j > 0 ? ends[j - 1] : 0))
            return false;
    return true;
}

static void try_ways(struct loom_dist_em *em, struct loom_dist_em_result *out)
{
    size_t ends[LOOM_DIST_PARAMS];
    out->log_likelihood = -INFINITY;
    for (enum way way = 0; way < WAYS; way++) {
        if (!divide_points(em, way, ends))
            continue;
        struct loom_dist_em_result trial = {.steps = 0};
        loom_dist_em_divide(em, trial.state, ends);
        em_run(em, &trial, TRIAL_CYCLES);
        if (trial.log_likelihood > out->log_likelihood)
            *out = trial;
    }
}

void loom_dist_em_search(struct loom_dist_em *em, struct loom_dist_em_result *out)
{
    if (is_large(em)) {
        struct coarse coarse;
        coarsen(&coarse, em);
        try_ways(&coarse.em, out);
    } else {
        try_ways(em, out);
    }
    loom_dist_em_run(em, out);
}

static int by_first_coordinate(const void *left, const void *right)
{
    double a = ((const double *)left)[1], b = ((const double *)right)[1];
    return LOOM_COMPARE(a, b);
}

void loom_dist_em_order(const struct loom_dist_em *em, double *state)
{
    qsort(state, em->k, LOOM_DIST_EM_ROW * sizeof *state, by_first_coordinate);
}

void loom_dist_em_report(struct loom_fit *fit, const struct loom_dist_em *em,
                         const struct loom_dist_em_result *result)
{
    fit->log_likelihood = result->log_likelihood;
    fit->iterations = result->steps;
    fit->converged = result->converged;
    if (em->held)
        loom_fit_note(fit, "a component on few values was kept from shrinking further");
}

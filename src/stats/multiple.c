/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Several alternatives compared at once: p values adjusted for their number (Holm 1979), and the
 * probability that each mean is the best. It is the share of draws of all means in which it is,
 * from their multivariate t distribution; a draw weights the replications of all alternatives
 * alike, so that common random numbers stay paired. With normal z_i, and x^2 of chi-square with n -
 * 1 degrees of freedom, a draw is
 *
 *     mean + sum z_i (x_i - mean) / sqrt(n (n - 1)) / sqrt(x^2 / (n - 1)).
 *
 * Of two alternatives, one is then the best with a probability above 97.5 % if and only if
 * Student's 95 % interval of their paired difference excludes 0. Bootstrap resamples would vary too
 * little.
 */
#include "base/compare.h"
#include "base/draw.h"
#include "base/sort.h"
#include "stats/bootstrap.h"
#include "stats/gamma_sampler.h"
#include "stats/values.h"

#include <workloom/stats_intervals.h>

/* ---- Holm ------------------------------------------------------------------------------------ */

struct ranked {
    double p;
    size_t place;
};

static int by_p(const void *a, const void *b)
{
    const struct ranked *one = a, *other = b;
    return LOOM_FIRST_DIFFERENCE(LOOM_COMPARE(one->p, other->p),
                                 LOOM_COMPARE(one->place, other->place));
}

/* The i-th smallest of n is multiplied by n - i, and is at least as large as those before it. */
static void adjust(double *out, const struct ranked *ranked, size_t n)
{
    double least = 0;
    for (size_t i = 0; i < n; i++) {
        least = fmax(least, fmin(1, ranked[i].p * (double)(n - i)));
        out[ranked[i].place] = least;
    }
}

int loom_holm(double *out, const double *p, size_t n, struct loom_error *err)
{
    for (size_t i = 0; i < n; i++)
        if (!(p[i] >= 0 && p[i] <= 1))
            return loom_fail(err, LOOM_ERANGE, "p value %zu is %g, not in [0, 1]", i + 1, p[i]);
    struct ranked *ranked = calloc(n + 1, sizeof *ranked);
    if (!ranked)
        return loom_fail_memory(err);
    for (size_t i = 0; i < n; i++)
        ranked[i] = (struct ranked){p[i], i};
    qsort(ranked, n, sizeof *ranked, by_p);
    adjust(out, ranked, n);
    free(ranked);
    return 0;
}

/* ---- the best -------------------------------------------------------------------------------- */

struct mean_draw {
    const double *const *values;
    size_t k, n;
    bool highest;
    double *weights; /* of replications in a draw */
    double *means;   /* by alternative */
};

static double sample_mean(const double *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    return sum / (double)n;
}

static double weighted_sum(const double *weights, const double *x, size_t n, double from)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += weights[i] * (x[i] - from);
    return sum;
}

/* Draw means from their multivariate t distribution. */
static void draw_means(struct mean_draw *draw, const double *centres,
                       const struct loom_ziggurat *normal, struct loom_stream *stream)
{
    double n = (double)draw->n, squares = 0;
    for (size_t i = 0; i < draw->n; i++)
        draw->weights[i] = loom_ziggurat_draw(normal, stream);
    for (size_t i = 1; i < draw->n; i++) {
        double z = loom_ziggurat_draw(normal, stream);
        squares += z * z;
    }
    double scale = 1 / sqrt(n * squares);
    for (size_t a = 0; a < draw->k; a++)
        draw->means[a] =
            centres[a] + scale * weighted_sum(draw->weights, draw->values[a], draw->n, centres[a]);
}

/* One round: its winner gets 1, winners of a tie equal parts of it. */
static void credit_best(double *shares, const struct mean_draw *draw)
{
    double best = draw->means[0];
    size_t ties = 0;
    for (size_t a = 1; a < draw->k; a++)
        best = draw->highest ? fmax(best, draw->means[a]) : fmin(best, draw->means[a]);
    for (size_t a = 0; a < draw->k; a++)
        ties += draw->means[a] == best;
    for (size_t a = 0; a < draw->k; a++)
        shares[a] += draw->means[a] == best ? 1.0 / (double)ties : 0;
}

static int draw_rounds(double *shares, struct mean_draw *draw, uint32_t rounds, uint64_t seed,
                       struct loom_error *err)
{
    struct loom_stream stream;
    struct loom_ziggurat *normal = malloc(sizeof *normal);
    double *centres = malloc(draw->k * sizeof *centres);
    int rc = normal && centres ? 0 : loom_fail_memory(err);
    for (size_t a = 0; a < draw->k && !rc; a++)
        centres[a] = sample_mean(draw->values[a], draw->n);
    if (!rc) {
        loom_ziggurat_init(normal);
        loom_stream_init(&stream, seed, 0, "probability of the best");
    }
    for (uint32_t round = 0; round < rounds && !rc; round++) {
        draw_means(draw, centres, normal, &stream);
        credit_best(shares, draw);
    }
    free(centres);
    free(normal);
    return rc;
}

int loom_best_probabilities(double *out, const double *const *values, size_t k, size_t n,
                            bool highest, const struct loom_interval_options *options,
                            struct loom_error *err)
{
    struct loom_interval_options settled;
    for (size_t a = 0; a < k; a++) {
        int rc = loom_values_check(values[a], n, 2, "the probability of being best", err);
        if (rc)
            return rc;
    }
    if (k == 0)
        return loom_fail(err, LOOM_ERANGE, "there are no alternatives to choose from");
    int rc = loom_interval_settle(&settled, options, n, err);
    if (rc)
        return rc;
    struct mean_draw draw = {
        values, k, n, highest, malloc(n * sizeof(double)), malloc(k * sizeof(double))};
    for (size_t a = 0; a < k; a++)
        out[a] = 0;
    rc = draw.weights && draw.means ? draw_rounds(out, &draw, settled.rounds, settled.seed, err)
                                    : loom_fail_memory(err);
    for (size_t a = 0; a < k && !rc; a++)
        out[a] /= settled.rounds;
    free(draw.means);
    free(draw.weights);
    return rc;
}

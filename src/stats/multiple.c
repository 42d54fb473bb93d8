/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Several alternatives compared at once: p values adjusted for their number (Holm 1979), and the
 * probability that each mean is the best. It is the share of draws of all means in which it is, and
 * a draw takes the same replications of all alternatives, so that common random numbers stay
 * paired.
 *
 * A draw is a bootstrap resample, or, where intervals are by Student's t, one of the multivariate t
 * distribution of the means: with normal z_i and x^2 of chi-square with n - 1 degrees of freedom,
 *
 *     mean + sum z_i (x_i - mean) / sqrt(n (n - 1)) / sqrt(x^2 / (n - 1)).
 *
 * Of two alternatives, one is then the best with a probability above 97.5 % if and only if the 95 %
 * interval of their paired difference excludes 0. Resamples of few replications vary too little.
 */
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
    if (one->p != other->p)
        return one->p < other->p ? -1 : 1;
    return one->place < other->place ? -1 : 1;
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

struct best_draw {
    const double *const *values;
    size_t k, n;
    bool highest;
    double *weights; /* of replications in a draw */
    double *means;   /* by alternative */
};

static double mean_of(const double *x, size_t n)
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

/* Draw the weights of a resample, whose sums are n times its means. */
static void resample_means(struct best_draw *contest, struct loom_halves *halves)
{
    for (size_t i = 0; i < contest->n; i++)
        contest->weights[i] = 0;
    for (size_t i = 0; i < contest->n; i++)
        contest->weights[loom_half_below(halves, (uint32_t)contest->n)]++;
    for (size_t a = 0; a < contest->k; a++)
        contest->means[a] = weighted_sum(contest->weights, contest->values[a], contest->n, 0);
}

/* Draw means from their multivariate t distribution. */
static void draw_means(struct best_draw *contest, const double *centres,
                       const struct loom_ziggurat *normal, struct loom_stream *stream)
{
    double n = (double)contest->n, squares = 0;
    for (size_t i = 0; i < contest->n; i++)
        contest->weights[i] = loom_ziggurat_draw(normal, stream);
    for (size_t i = 1; i < contest->n; i++) {
        double z = loom_ziggurat_draw(normal, stream);
        squares += z * z;
    }
    double scale = 1 / sqrt(n * squares);
    for (size_t a = 0; a < contest->k; a++)
        contest->means[a] = centres[a] + scale * weighted_sum(contest->weights, contest->values[a],
                                                              contest->n, centres[a]);
}

/* One round: its winner gets 1, winners of a tie equal parts of it. */
static void award(double *wins, const struct best_draw *contest)
{
    double best = contest->means[0];
    size_t ties = 0;
    for (size_t a = 1; a < contest->k; a++)
        best = contest->highest ? fmax(best, contest->means[a]) : fmin(best, contest->means[a]);
    for (size_t a = 0; a < contest->k; a++)
        ties += contest->means[a] == best;
    for (size_t a = 0; a < contest->k; a++)
        wins[a] += contest->means[a] == best ? 1.0 / (double)ties : 0;
}

static void contest_resamples(double *wins, struct best_draw *contest, uint32_t rounds,
                              uint64_t seed)
{
    struct loom_halves halves = {0};
    loom_stream_init(&halves.stream, seed, 0, "probability of the best");
    for (uint32_t round = 0; round < rounds; round++) {
        resample_means(contest, &halves);
        award(wins, contest);
    }
}

static int contest_draws(double *wins, struct best_draw *contest, uint32_t rounds, uint64_t seed,
                         struct loom_error *err)
{
    struct loom_stream stream;
    struct loom_ziggurat *normal = malloc(sizeof *normal);
    double *centres = malloc(contest->k * sizeof *centres);
    int rc = normal && centres ? 0 : loom_fail_memory(err);
    for (size_t a = 0; a < contest->k && !rc; a++)
        centres[a] = mean_of(contest->values[a], contest->n);
    if (!rc) {
        loom_ziggurat_init(normal);
        loom_stream_init(&stream, seed, 0, "probability of the best, few replications");
    }
    for (uint32_t round = 0; round < rounds && !rc; round++) {
        draw_means(contest, centres, normal, &stream);
        award(wins, contest);
    }
    free(centres);
    free(normal);
    return rc;
}

int loom_best_probabilities(double *out, const double *const *values, size_t k, size_t n,
                            bool highest, const struct loom_interval_options *options,
                            struct loom_error *err)
{
    struct loom_interval_options how;
    for (size_t a = 0; a < k; a++) {
        int rc = loom_values_check(values[a], n, 2, "the probability of being best", err);
        if (rc)
            return rc;
    }
    if (k == 0)
        return loom_fail(err, LOOM_ERANGE, "there are no alternatives to choose from");
    int rc = loom_interval_settle(&how, options, n, err);
    if (rc)
        return rc;
    struct best_draw contest = {
        values, k, n, highest, malloc(n * sizeof(double)), malloc(k * sizeof(double))};
    for (size_t a = 0; a < k; a++)
        out[a] = 0;
    if (!contest.weights || !contest.means)
        rc = loom_fail_memory(err);
    else if (how.method == LOOM_INTERVAL_T)
        rc = contest_draws(out, &contest, how.rounds, how.seed, err);
    else
        contest_resamples(out, &contest, how.rounds, how.seed);
    for (size_t a = 0; a < k && !rc; a++)
        out[a] /= how.rounds;
    free(contest.means);
    free(contest.weights);
    return rc;
}

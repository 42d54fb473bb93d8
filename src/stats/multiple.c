/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Several alternatives compared at once: p values adjusted for their number (Holm 1979), and the
 * probability that each mean is the best, by a bootstrap that resamples replications of all
 * alternatives together, so that common random numbers stay paired.
 */
#include "base/draw.h"
#include "base/sort.h"
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
    uint32_t *picks; /* replications of a resample */
    double *sums;    /* by alternative */
};

static void resample_sums(struct best_draw *contest, struct loom_halves *halves)
{
    for (size_t i = 0; i < contest->n; i++)
        contest->picks[i] = loom_half_below(halves, (uint32_t)contest->n);
    for (size_t a = 0; a < contest->k; a++) {
        double sum = 0;
        for (size_t i = 0; i < contest->n; i++)
            sum += contest->values[a][contest->picks[i]];
        contest->sums[a] = contest->highest ? -sum : sum;
    }
}

/* One round: its winner gets 1, winners of a tie equal parts of it. */
static void award(double *wins, const double *sums, size_t k)
{
    double least = sums[0];
    size_t ties = 0;
    for (size_t a = 1; a < k; a++)
        least = fmin(least, sums[a]);
    for (size_t a = 0; a < k; a++)
        ties += sums[a] == least;
    for (size_t a = 0; a < k; a++)
        wins[a] += sums[a] == least ? 1.0 / (double)ties : 0;
}

static void contest_rounds(double *out, struct best_draw *contest, uint32_t rounds, uint64_t seed)
{
    struct loom_halves halves = {0};
    loom_stream_init(&halves.stream, seed, 0, "probability of the best");
    for (size_t a = 0; a < contest->k; a++)
        out[a] = 0;
    for (uint32_t round = 0; round < rounds; round++) {
        resample_sums(contest, &halves);
        award(out, contest->sums, contest->k);
    }
    for (size_t a = 0; a < contest->k; a++)
        out[a] /= rounds;
}

int loom_best_probabilities(double *out, const double *const *values, size_t k, size_t n,
                            bool highest, const struct loom_interval_options *options,
                            struct loom_error *err)
{
    uint32_t rounds = options && options->rounds ? options->rounds : 2000;
    for (size_t a = 0; a < k; a++) {
        int rc = loom_values_check(values[a], n, 2, "the probability of being best", err);
        if (rc)
            return rc;
    }
    if (k == 0 || n > UINT32_MAX)
        return loom_fail(err, LOOM_ERANGE, "%zu alternatives of %zu values", k, n);
    struct best_draw contest = {
        values, k, n, highest, malloc(n * sizeof(uint32_t)), malloc(k * sizeof(double))};
    int rc = contest.picks && contest.sums ? 0 : loom_fail_memory(err);
    if (!rc)
        contest_rounds(out, &contest, rounds, options ? options->seed : 0);
    free(contest.sums);
    free(contest.picks);
    return rc;
}

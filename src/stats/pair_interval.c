/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The difference and the ratio of two paired means, by one procedure: the interval of the ratio has
 * all r for which the interval of mean(a - r b) includes 0, and r = 1 is the difference itself. For
 * the t interval this is Fieller's theorem; for the bootstrap-t the ends are found by bisection, on
 * the resamples that the interval of the difference is from. Where that covers Student's interval,
 * a ratio is in if either test accepts it.
 *
 * With e = a - ratio b, whose mean is 0, and r = ratio + x, a - r b deviates from its mean by
 * u - x v, where u and v are the deviations of e and b: the sums of u, v and their products over a
 * resample give its t* for every r.
 */
#include "base/draw.h"
#include "base/search.h"
#include "stats/bootstrap.h"
#include "stats/values.h"

#include <gsl/gsl_cdf.h>
#include <workloom/stats.h>

static const double ROUNDING = 1e-13, MOST_RATIO = 100;
enum { HALVINGS = 40 };

struct sums {
    double u, v, uu, uv, vv;
};

struct pairs {
    struct sums whole, *rounds;
    double ratio, mean_b, student; /* student: a t that is not beyond it is accepted */
    size_t n;
    struct loom_bootstrap options;
};

/* ---- the test of one ratio ------------------------------------------------------------------- */

static double t_of(const struct sums *sums, double x, double mean, size_t n)
{
    double count = (double)n, sum = sums->u - x * sums->v;
    double size = sums->uu + x * x * sums->vv, squares = size - 2 * x * sums->uv;
    double rest = squares - sum * sum / count;
    if (!(rest > ROUNDING * size))
        return mean == 0 ? 0 : copysign(INFINITY, mean);
    return mean / sqrt(rest / (count - 1) / count);
}

/* Does the interval of mean(a - r b) include 0? By the quantile of t* on the side of r, which
 * loom_quantile() would find between the two t* next to the observed t. */
static bool accepts(const struct pairs *pairs, double r)
{
    double x = r - pairs->ratio, side = x < 0 ? 1 : -1, below = -INFINITY, above = INFINITY;
    double t = side * t_of(&pairs->whole, x, -x * pairs->mean_b, pairs->n);
    if (t <= pairs->student)
        return true;
    double place = ((double)pairs->options.rounds - 1) * (1 + pairs->options.level) / 2;
    size_t first = (size_t)place, count = 0;
    for (uint32_t i = 0; i < pairs->options.rounds; i++) {
        const struct sums *one = &pairs->rounds[i];
        double mean = (one->u - x * one->v) / (double)pairs->n;
        double value = side * t_of(one, x, mean, pairs->n);
        count += value <= t;
        if (value <= t)
            below = fmax(below, value);
        else
            above = fmin(above, value);
    }
    if (count != first + 1)
        return count <= first;
    double share = place - (double)first;
    return t <= (share > 0 ? below + share * (above - below) : below);
}

/* ---- the ends -------------------------------------------------------------------------------- */

/* The last ratio that is accepted between one that is and one that is not. */
static double last_accepted(const struct pairs *pairs, double in, double out)
{
    LOOM_HALVE(HALVINGS, in, out, ratio, in + (out - in) / 2, accepts(pairs, ratio));
    return in;
}

/* Whether 1 is in the interval is known: it bounds the search for the end on its side. */
static double low_end(const struct pairs *pairs, bool has_1)
{
    double ratio = pairs->ratio;
    if (ratio > 1 && !has_1)
        return last_accepted(pairs, ratio, 1);
    return accepts(pairs, 0) ? 0 : last_accepted(pairs, ratio > 1 ? 1 : ratio, 0);
}

/* INFINITY where the end is beyond all use. */
static double high_end(const struct pairs *pairs, bool has_1)
{
    double ratio = pairs->ratio;
    if (ratio < 1 && !has_1)
        return last_accepted(pairs, ratio, 1);
    double in = ratio < 1 ? 1 : ratio, out = 2 * in;
    while (out < 2 * MOST_RATIO && accepts(pairs, out))
        in = out, out *= 2;
    return out < 2 * MOST_RATIO ? last_accepted(pairs, in, out) : INFINITY;
}

/* ---- resamples ------------------------------------------------------------------------------- */

static void add_pair(struct sums *sums, double u, double v)
{
    sums->u += u, sums->v += v;
    sums->uu += u * u, sums->uv += u * v, sums->vv += v * v;
}

static void resample_pairs(struct pairs *pairs, const double *u, const double *v)
{
    struct loom_halves halves = {0};
    loom_stream_init(&halves.stream, pairs->options.seed, 0, "bootstrap");
    for (size_t i = 0; i < pairs->n; i++)
        add_pair(&pairs->whole, u[i], v[i]);
    for (uint32_t round = 0; round < pairs->options.rounds; round++)
        for (size_t i = 0; i < pairs->n; i++) {
            size_t pick = loom_half_below(&halves, (uint32_t)pairs->n);
            add_pair(&pairs->rounds[round], u[pick], v[pick]);
        }
}

int loom_bootstrap_t_relative(struct loom_interval *out, const double *a, const double *b, size_t n,
                              bool has_1, struct loom_bootstrap options, struct loom_error *err)
{
    struct loom_moments ma, mb;
    int rc = loom_moments(&ma, a, n, err);
    if (!rc)
        rc = loom_moments(&mb, b, n, err);
    if (!rc && (!(ma.mean > 0) || !(mb.mean > 0)))
        rc = loom_fail(err, LOOM_EDATA, "a ratio needs positive means");
    if (rc)
        return rc;
    struct pairs pairs = {.ratio = ma.mean / mb.mean,
                          .mean_b = mb.mean,
                          .n = n,
                          .options = options};
    if (options.covers_t)
        pairs.student = gsl_cdf_tdist_Pinv((1 + options.level) / 2, (double)n - 1);
    double *u = malloc(2 * n * sizeof *u), *v = u + n;
    pairs.rounds = calloc(options.rounds, sizeof *pairs.rounds);
    rc = u && pairs.rounds ? 0 : loom_fail_memory(err);
    for (size_t i = 0; i < n && !rc; i++) {
        v[i] = b[i] - mb.mean;
        u[i] = a[i] - ma.mean - pairs.ratio * v[i];
    }
    if (!rc) {
        resample_pairs(&pairs, u, v);
        *out = (struct loom_interval){pairs.ratio, low_end(&pairs, has_1), high_end(&pairs, has_1)};
    }
    free(pairs.rounds);
    free(u);
    return rc;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fit the cascade to a log as printed (Minh 2012, 4.1, 4.3), and describe it. */
#include "models/arrivals/cascade.h"

#include "stats/counts.h"

#include <inttypes.h>
#include <stdlib.h>

/* Below the least, multipliers are 1 or -1 to the last bit; above the most, they are 0. */
static const double LEAST_BETA = 0.01, MOST_BETA = 1e6;
static const double MOST_ROOT = 1e12;
enum { MOST_ROOTS = 1 << 20, MOST_DEPTH = 30, MOST_INTERVALS = 1 << 26, LEAST_JOBS = 10 };

/* ---- the log --------------------------------------------------------------------------------- */

int loom_cascade_log_create(struct loom_cascade_log *out, const struct loom_training *log,
                            const char *model, struct loom_error *err)
{
    struct loom_cascade_log cut = {.interval_s = loom_params_int(log->params, "scale")};
    size_t least = (size_t)loom_params_int(log->params, "roots"), n = 0;
    if (log->jobs->n < LEAST_JOBS)
        return loom_fail(err, LOOM_EDATA,
                         "%s needs at least %d jobs to be fitted to, and there are %zu; take a "
                         "longer log",
                         model, LEAST_JOBS, log->jobs->n);
    int rc =
        loom_counts_create(&cut.counts, &n, log->jobs->submit_s, log->jobs->n, cut.interval_s, err);
    if (rc)
        return rc;
    cut.roots = loom_haar_shape(&cut.depth, n, least);
    cut.n = cut.roots << cut.depth;
    if (cut.depth == 0) {
        free(cut.counts);
        return loom_fail(err, LOOM_EDATA,
                         "%s with %zu roots needs a log of at least %zu intervals of %" PRId64
                         " s, this one has %zu; ask for a shorter scale or fewer roots",
                         model, least, 2 * least, cut.interval_s, n);
    }
    *out = cut;
    return 0;
}

void loom_cascade_log_free(struct loom_cascade_log *log)
{
    free(log->counts);
    *log = (struct loom_cascade_log){0};
}

/* ---- fitting --------------------------------------------------------------------------------- */

int loom_cascade_init(struct loom_cascade *out, const struct loom_cascade_log *log,
                      struct loom_error *err)
{
    *out = (struct loom_cascade){.interval_s = log->interval_s,
                                 .roots = (int64_t)log->roots,
                                 .depth = log->depth,
                                 .beta = malloc(log->depth * sizeof *out->beta)};
    return out->beta ? 0 : loom_fail_memory(err);
}

void loom_cascade_fit_roots(struct loom_cascade *out, const struct loom_haar *haar)
{
    double sum = 0, squares = 0;
    for (size_t k = 0; k < haar->roots; k++)
        sum += haar->c[k];
    out->root_mean = sum / (double)haar->roots;
    for (size_t k = 0; k < haar->roots; k++)
        squares += (haar->c[k] - out->root_mean) * (haar->c[k] - out->root_mean);
    out->root_sd = sqrt(squares / (double)(haar->roots - 1));
}

static double within_limits(double beta)
{
    return beta > LEAST_BETA ? fmin(beta, MOST_BETA) : LEAST_BETA;
}

double loom_cascade_beta(double variance)
{
    return within_limits(variance > 0 ? (1 / variance - 1) / 2 : MOST_BETA);
}

double loom_cascade_variance(double beta)
{
    return 1 / (2 * beta + 1);
}

/* The distribution of d is symmetric, so that its variance is its mean square. */
static double variance_of_d(const struct loom_haar *haar, size_t scale)
{
    const double *d = haar->d + loom_haar_first(haar, scale);
    size_t n = loom_haar_count(haar, scale);
    double squares = 0;
    for (size_t k = 0; k < n; k++)
        squares += d[k] * d[k];
    return squares / (double)n;
}

/* var(A_1), over the roots that have arrivals. */
static double variance_of_first(const struct loom_haar *haar)
{
    double squares = 0, n = 0;
    for (size_t k = 0; k < haar->roots; k++)
        if (haar->c[k] > 0) {
            squares += pow(haar->d[k] / haar->c[k], 2);
            n++;
        }
    return n > 0 ? squares / n : 0;
}

static void fit_multipliers(double *beta, const struct loom_haar *haar)
{
    beta[0] = loom_cascade_beta(variance_of_first(haar)); /* eq. 4.7 */
    for (size_t j = 2; j <= haar->depth; j++) {
        double before = variance_of_d(haar, j - 1), now = variance_of_d(haar, j);
        /* eq. 4.8 */
        double p = now > 0 ? (before / now * (beta[j - 2] + 1) - 1) / 2 : MOST_BETA;
        beta[j - 1] = within_limits(p);
    }
}

int loom_cascade_fit(struct loom_cascade *out, const struct loom_cascade_log *log,
                     struct loom_error *err)
{
    int rc = loom_cascade_init(out, log, err);
    double *rates = malloc(log->n * sizeof *rates);
    if (!rc && !rates)
        rc = loom_fail_memory(err);
    struct loom_haar haar = {0};
    if (!rc) {
        for (size_t i = 0; i < log->n; i++)
            rates[i] = log->counts[i] / (double)log->interval_s;
        rc = loom_haar_create(&haar, rates, log->roots, log->depth, err);
    }
    if (!rc) {
        loom_cascade_fit_roots(out, &haar);
        fit_multipliers(out->beta, &haar);
    }
    loom_haar_free(&haar);
    free(rates);
    return rc;
}

/* ---- describing ------------------------------------------------------------------------------ */

void loom_cascade_describe(struct loom_cascade *cascade, struct loom_codec *codec)
{
    loom_codec_int(codec, "scale_s", &cascade->interval_s, 1, 1 << 30);
    loom_codec_int(codec, "roots", &cascade->roots, 1, MOST_ROOTS);
    loom_codec_real(codec, "root_mean", &cascade->root_mean, 1e-12, MOST_ROOT);
    loom_codec_real(codec, "root_sd", &cascade->root_sd, 0, MOST_ROOT);
    loom_codec_reals(codec, "beta", &cascade->beta, &cascade->depth, 1, MOST_DEPTH, LEAST_BETA,
                     MOST_BETA);
    if (loom_codec_reading(codec) && !loom_codec_failed(codec) &&
        cascade->roots > MOST_INTERVALS >> cascade->depth)
        loom_codec_refuse(codec, "roots", "must be at most %d for trees of %zu scales",
                          MOST_INTERVALS >> cascade->depth, cascade->depth + 1);
}

void loom_cascade_clear(struct loom_cascade *cascade)
{
    free(cascade->beta);
    *cascade = (struct loom_cascade){0};
}

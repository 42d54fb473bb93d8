/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The wavelet estimate of Abry and Veitch (1998): the mean square mu_j of the wavelet coefficients
 * at octave j grows like 2^(j (2H - 1)).
 *
 * Daubechies' wavelet with three vanishing moments, which is blind to trends up to parabolas.
 * Coefficients that would reach over an end of the series are not made, so the series need neither
 * be a power of two long nor be continued by guesses. log2 mu_j has the bias and variance of the
 * logarithm of a chi-square mean over n_j independent values,
 *
 *     g_j = psi(n_j / 2) / ln 2 - log2(n_j / 2),    v_j = zeta(2, n_j / 2) / ln^2 2,
 *
 * the bias is taken off and the line is weighted by 1 / v_j. Its slope has the variance these
 * weights imply, and from that the interval comes.
 *
 * The finest octaves still show how a continuous process was cut into intervals. That bias halves
 * from octave to octave, while the error of a line that begins an octave later grows by sqrt 2; to
 * keep the one below the other, the line begins at octave log2(n) / 3, rounded down, and not below
 * 3. It ends at the last octave with 8 coefficients.
 */
#include "stats/hurst/hurst.h"
#include "stats/line.h"
#include "stats/values.h"

#include <gsl/gsl_sf_psi.h>
#include <gsl/gsl_sf_zeta.h>

enum { TAPS = 6, MOST_OCTAVES = 64, LEAST_OCTAVE = 3, LEAST_COEFFICIENTS = 8 };

/* The scaling filter; the wavelet filter is its mirror image with alternating signs. */
static const double scaling[TAPS] = {
    0.33267055295008261599851158914,  0.80689150931109257649449360409,
    0.45987750211849157009515194215,  -0.13501102001025458869638990670,
    -0.08544127388202666169281916918, 0.03522629188570953660274066472,
};

/* One octave: halve `series` (n values) in place into the coarser one, and return the mean square
 * of the details. *n becomes the new length. */
static double halve(double *series, size_t *n)
{
    size_t count = (*n - TAPS) / 2 + 1;
    double squares = 0;
    for (size_t k = 0; k < count; k++) {
        double coarse = 0;
        double detail = 0;
        for (size_t i = 0; i < TAPS; i++) {
            coarse += scaling[i] * series[2 * k + i];
            detail += (i % 2 ? -1 : 1) * scaling[TAPS - 1 - i] * series[2 * k + i];
        }
        squares += detail * detail;
        series[k] = coarse; /* reads from here on begin at 2 (k + 1) */
    }
    *n = count;
    return squares / (double)count;
}

/* Points and weights of the line, in logarithms to base 10. */
static void wavelet_measure(struct loom_hurst *hurst, double *weights, double *series, size_t n)
{
    int first = (int)fmax(LEAST_OCTAVE, floor(log2((double)n) / 3));
    size_t left = n;
    for (int octave = 1; left >= TAPS + 2 * (LEAST_COEFFICIENTS - 1); octave++) {
        double mean_square = halve(series, &left);
        if (octave < first)
            continue;
        double half = (double)left / 2;
        double bias = gsl_sf_psi(half) - log(half);
        double variance = gsl_sf_hzeta(2, half) / (M_LN10 * M_LN10);
        weights[hurst->points] = 1 / variance;
        loom_hurst_point(hurst, exp2(octave), mean_square * exp(-bias));
    }
}

/* Deviations from the mean: a large mean would otherwise drown the details in rounding. */
static double *deviations(const double *x, size_t n)
{
    double *series = loom_values_copy(x, n);
    if (!series)
        return NULL;
    double mean = 0;
    for (size_t i = 0; i < n; i++)
        mean += x[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        series[i] -= mean;
    return series;
}

int loom_hurst_wavelet(struct loom_hurst *out, const double *x, size_t n, struct loom_error *err)
{
    int rc = loom_hurst_begin(out, x, n, MOST_OCTAVES, err);
    if (rc)
        return rc;
    double *series = deviations(x, n);
    if (!series)
        return loom_hurst_give_up(out, loom_fail_memory(err));
    double weights[MOST_OCTAVES];
    wavelet_measure(out, weights, series, n);
    free(series);
    rc = loom_hurst_end(out, 0.5, 0.5, err);
    if (rc == 0)
        rc = loom_line_fit_weighted(&out->line, out->log_x, out->log_y, weights, out->points, err);
    if (rc)
        return loom_hurst_give_up(out, rc);
    out->h = (out->line.slope + 1) / 2;
    out->h_low = out->h - 1.959964 * out->line.slope_se / 2;
    out->h_high = out->h + 1.959964 * out->line.slope_se / 2;
    return 0;
}

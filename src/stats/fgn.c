/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fractional Gaussian noise by circulant embedding (Davies and Harte 1987).
 *
 * The autocovariance r(k) = (|k + 1|^2H - 2 |k|^2H + |k - 1|^2H) / 2 for k = 0 .. m/2, continued
 * as a circle of m >= 2n points, has the eigenvalues lambda_j = its Fourier transform, which for
 * this process are never negative. Independent normal numbers of variance lambda_j / m at the
 * frequencies j, transformed back, have exactly that autocovariance; the first n are handed out.
 */
#include "stats/fft.h"
#include "stats/values.h"

#include <gsl/gsl_randist.h>
#include <workloom/stats.h>

/* (1 + 1/k)^2H + (1 - 1/k)^2H - 2 by functions that keep their digits near 0: the powers
 * themselves agree in all but the last digits when k is large. */
static double autocovariance(size_t lag, double h)
{
    if (lag == 0)
        return 1;
    if (lag == 1)
        return exp2(2 * h - 1) - 1;
    double k = (double)lag;
    double change = expm1(2 * h * log1p(1 / k)) + expm1(2 * h * log1p(-1 / k));
    return pow(k, 2 * h) * change / 2;
}

/* From eigenvalues (the real half of a transform of size m) to the transform of the noise. */
static void randomise(double *data, size_t m, gsl_rng *rng)
{
    double size = (double)m;
    data[0] = sqrt(fmax(0, data[0]) / size) * gsl_ran_gaussian_ziggurat(rng, 1);
    data[m / 2] = sqrt(fmax(0, data[m / 2]) / size) * gsl_ran_gaussian_ziggurat(rng, 1);
    for (size_t j = 1; j < m / 2; j++) {
        double sd = sqrt(fmax(0, data[j]) / (2 * size));
        data[j] = sd * gsl_ran_gaussian_ziggurat(rng, 1);
        data[m - j] = sd * gsl_ran_gaussian_ziggurat(rng, 1);
    }
}

int loom_fgn(double *out, size_t n, double h, gsl_rng *rng, struct loom_error *err)
{
    if (!(h > 0 && h < 1))
        return loom_fail(err, LOOM_ERANGE, "noise needs a Hurst parameter between 0 and 1, not %g",
                         h);
    if (n == 0)
        return 0;
    if (n > SIZE_MAX / 16 / sizeof(double))
        return loom_fail_memory(err);
    size_t half = loom_fft_padded(n);
    size_t m = 2 * half;
    double *data = malloc(m * sizeof *data);
    if (!data)
        return loom_fail_memory(err);
    data[0] = autocovariance(0, h);
    for (size_t k = 1; k <= half; k++)
        data[k] = data[m - k] = autocovariance(k, h);
    int rc = loom_fft_forward(data, m, err);
    if (rc == 0) {
        randomise(data, m, rng);
        rc = loom_fft_backward(data, m, err);
    }
    if (rc == 0)
        memcpy(out, data, n * sizeof *out);
    free(data);
    return rc;
}

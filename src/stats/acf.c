/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The autocorrelation function (Minh 2012, eq. 2.1), estimated as
 *
 *     R(k) = sum_{i = 1}^{n - k} (x_i - mean) (x_{i + k} - mean) / sum_{i = 1}^{n} (x_i - mean)^2
 *
 * for all lags at once: the transform of the power spectrum is the sum of products. Zeros behind
 * the series keep its end from being multiplied with its beginning.
 */
#include "stats/fft.h"
#include "stats/values.h"

#include <workloom/stats.h>

/* Deviations from the mean over the largest one, then zeros up to size. */
static void acf_centre(double *out, size_t size, const double *x, size_t n)
{
    double mean = 0;
    double scale = 0;
    for (size_t i = 0; i < n; i++)
        mean += x[i] / (double)n;
    for (size_t i = 0; i < n; i++) {
        out[i] = x[i] / 2 - mean / 2;
        scale = fmax(scale, fabs(out[i]));
    }
    for (size_t i = 0; i < n; i++)
        out[i] /= scale;
    memset(out + n, 0, (size - n) * sizeof *out);
}

/* Transform, replace by the squared modulus, transform back. */
static int correlate(double *data, size_t size, struct loom_error *err)
{
    int rc = loom_fft_forward(data, size, err);
    if (rc)
        return rc;
    for (size_t j = 0; j <= size / 2; j++) {
        double power = loom_fft_power(data, size, j);
        data[j] = power;
        if (j > 0 && 2 * j < size)
            data[size - j] = 0;
    }
    return loom_fft_backward(data, size, err);
}

int loom_acf(double *out, const double *x, size_t n, size_t max_lag, struct loom_error *err)
{
    int rc = loom_values_check_varying(x, n, 2, "an autocorrelation", err);
    if (rc)
        return rc;
    if (max_lag >= n)
        return loom_fail(err, LOOM_EDATA, "a series of %zu values has no lag %zu", n, max_lag);
    if (n > SIZE_MAX / 8 / sizeof(double))
        return loom_fail_memory(err);
    size_t size = loom_fft_padded(n + max_lag);
    double *data = malloc(size * sizeof *data);
    if (!data)
        return loom_fail_memory(err);
    acf_centre(data, size, x, n);
    rc = correlate(data, size, err);
    if (rc == 0 && !(data[0] > 0))
        rc = loom_fail(err, LOOM_EDATA, "the values differ too little for an autocorrelation");
    for (size_t k = 0; rc == 0 && k <= max_lag; k++)
        out[k] = data[k] / data[0];
    free(data);
    return rc;
}

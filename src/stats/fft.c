/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fourier transforms by FFTW.
 *
 * Only FFTW's planner has shared state. fftw_make_planner_thread_safe puts a lock of FFTW's own
 * around it; the call is cheap, may be made any number of times from any thread, and so is made
 * before every plan instead of being remembered in a variable here.
 *
 * FFTW ends the process where memory for its tables runs out. So as much as it can need is asked
 * for first, and given back, and the shortage reported as an error like any other.
 */
#include "stats/fft.h"

#include <fftw3.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int memory_at_hand(size_t n, struct loom_error *err)
{
    enum { TABLES = 6, PLANNER_BYTES = 1 << 20 };
    void *probe = malloc(n * TABLES * sizeof(double) + PLANNER_BYTES);
    if (!probe)
        return loom_fail_memory(err);
    free(probe);
    return 0;
}

/* From `from`, which is lost, to `to`: plans from one array to another are made much faster than
 * plans within one. */
static int transform(double *to, double *from, size_t n, fftw_r2r_kind kind, struct loom_error *err)
{
    int rc = memory_at_hand(n, err);
    if (rc)
        return rc;
    fftw_make_planner_thread_safe();
    fftw_plan plan =
        fftw_plan_r2r_1d((int)n, from, to, kind, (unsigned)FFTW_ESTIMATE | FFTW_UNALIGNED);
    if (!plan)
        return loom_fail(err, LOOM_ERANGE, "there is no Fourier transform of %zu values", n);
    fftw_execute(plan);
    fftw_destroy_plan(plan);
    return 0;
}

static int transform_copy(double *data, size_t n, fftw_r2r_kind kind, struct loom_error *err)
{
    if (n == 0 || n > INT_MAX)
        return loom_fail(err, LOOM_ERANGE,
                         "a series of %zu values is outside what a Fourier transform takes", n);
    double *copy = malloc(n * sizeof *copy);
    if (!copy)
        return loom_fail_memory(err);
    memcpy(copy, data, n * sizeof *copy);
    int rc = transform(data, copy, n, kind, err);
    free(copy);
    return rc;
}

int loom_fft_forward(double *data, size_t n, struct loom_error *err)
{
    return transform_copy(data, n, FFTW_R2HC, err);
}

int loom_fft_backward(double *data, size_t n, struct loom_error *err)
{
    return transform_copy(data, n, FFTW_HC2R, err);
}

double loom_fft_power(const double *transform, size_t n, size_t j)
{
    double re = transform[j];
    double im = j == 0 || 2 * j == n ? 0 : transform[n - j];
    return re * re + im * im;
}

size_t loom_fft_padded(size_t n)
{
    size_t size = 1;
    while (size < n)
        size *= 2;
    return size;
}

static bool is_smooth(size_t n)
{
    static const size_t primes[] = {2, 3, 5, 7};
    for (size_t i = 0; i < sizeof primes / sizeof *primes; i++)
        while (n % primes[i] == 0)
            n /= primes[i];
    return n == 1;
}

size_t loom_fft_smooth(size_t n)
{
    while (!is_smooth(n))
        n--;
    return n;
}

int loom_fft_periodogram(double **out, const double *x, size_t n, struct loom_error *err)
{
    double mean = 0;
    for (size_t i = 0; i < n; i++)
        mean += x[i] / (double)n;
    double *data = malloc(n * sizeof *data);
    double *power = malloc((n / 2 + 1) * sizeof *power);
    int rc = data && power ? 0 : loom_fail_memory(err);
    for (size_t i = 0; rc == 0 && i < n; i++)
        data[i] = x[i] - mean;
    if (rc == 0)
        rc = loom_fft_forward(data, n, err);
    for (size_t j = 1; rc == 0 && j <= n / 2; j++)
        power[j - 1] = loom_fft_power(data, n, j) / (2 * M_PI * (double)n);
    free(data);
    if (rc)
        free(power);
    else
        *out = power;
    return rc;
}

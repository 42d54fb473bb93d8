/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fft.h - Fourier transforms of real series, by FFTW.
 *
 * A series of n real values and its transform take the same n doubles: after loom_fft_forward,
 * data[j] is the real part at frequency j (0 <= j <= n/2) and data[n - j] the imaginary part
 * (0 < j < n/2), FFTW's "half-complex" order. Nothing is scaled: backward after forward gives
 * n times the series.
 *
 * May be called from any number of threads. Plans are made from scratch for each call, by FFTW's
 * estimate, so that a result never depends on timings or on earlier calls.
 */
#ifndef LOOM_STATS_FFT_H
#define LOOM_STATS_FFT_H

#include <workloom/base.h>

int loom_fft_forward(double *data, size_t n, struct loom_error *err);
int loom_fft_backward(double *data, size_t n, struct loom_error *err);

/* Squared modulus at frequency j <= n/2 of a transform. */
double loom_fft_power(const double *transform, size_t n, size_t j);

/* The smallest power of two that is at least n (and at least 1). n <= SIZE_MAX / 2. */
size_t loom_fft_padded(size_t n);

/* The largest number up to n (n >= 1) without prime factors above 7. FFTW takes long to plan for
 * lengths with large prime factors; to cut a series to this costs it a few values in a thousand at
 * its end (a few in a hundred where it is short). */
size_t loom_fft_smooth(size_t n);

/* The periodogram I(j) = |transform at j|^2 / (2 pi n) of x without its mean, at the Fourier
 * frequencies 2 pi j / n, j = 1 .. n/2, as a new array of n/2 entries (entry 0 is j = 1) that the
 * caller must free(). */
int loom_fft_periodogram(double **out, const double *x, size_t n, struct loom_error *err);

#endif

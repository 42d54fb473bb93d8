/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Long-range dependence of counts beyond their cycles.
 *
 * A cycle is the same in every period, so over whole periods it is a line spectrum: all of it lies
 * at multiples of the period's frequency, whatever its shape. The mean of each phase is subtracted,
 * which removes exactly these frequencies, and what is left is divided by the root of that mean, as
 * counts that have nothing but the cycle vary by it: a Poisson process with cycles becomes white
 * noise. The local Whittle estimate (whittle.c) then takes the frequencies that are left, up to one
 * of a given wave length: shorter waves come from single sessions and users.
 *
 * The interval is at 99 %: a statement that there is dependence shall be wrong for one log in 200.
 * Its width has the sum of squares of the frequencies' logarithms, of which 1/(4 m) is the limit.
 */
#include "stats/fft.h"
#include "stats/hurst/hurst.h"

#include <math.h>
#include <stdlib.h>

enum { LEAST_PERIODS = 4 };
static const double Z_99 = 2.575829;

/* Replace whole periods of counts by what they have beyond the mean of their phase. Returns the
 * share of the variance that the cycle had. */
static double remove_cycle(double *x, size_t periods, size_t period)
{
    double all = 0, left = 0, total = 0, n = (double)(periods * period);
    for (size_t i = 0; i < periods * period; i++)
        total += x[i];
    for (size_t phase = 0; phase < period; phase++) {
        double mean = 0;
        for (size_t k = 0; k < periods; k++)
            mean += x[k * period + phase] / (double)periods;
        for (size_t k = 0; k < periods; k++) {
            double *at = &x[k * period + phase];
            all += (*at - total / n) * (*at - total / n);
            left += (*at - mean) * (*at - mean);
            *at = mean > 0 ? (*at - mean) / sqrt(mean) : 0;
        }
    }
    return all > 0 ? 1 - left / all : 0;
}

static double standard_error(const struct loom_hurst *hurst)
{
    double mean = 0, squares = 0;
    for (size_t j = 0; j < hurst->points; j++)
        mean += hurst->log_x[j] / (double)hurst->points;
    for (size_t j = 0; j < hurst->points; j++)
        squares += (hurst->log_x[j] - mean) * (hurst->log_x[j] - mean);
    return 0.5 / (M_LN10 * sqrt(squares));
}

static int seasonal_estimate(struct loom_hurst *out, const double *x, size_t periods, size_t period,
                             size_t shortest, struct loom_error *err)
{
    size_t n = periods * period;
    int rc = loom_hurst_begin(out, x, n, n / shortest + 1, err);
    double *power = NULL;
    if (rc)
        return rc;
    rc = loom_fft_periodogram(&power, x, n, err);
    if (rc)
        return loom_hurst_give_up(out, rc);
    for (size_t j = 1; j <= n / shortest; j++)
        if (j % periods != 0)
            loom_hurst_point(out, 2 * M_PI * (double)j / (double)n, power[j - 1]);
    free(power);
    rc = loom_hurst_end(out, 0.5, -0.5, err);
    if (rc == 0)
        loom_whittle_settle(out, standard_error(out), Z_99);
    return rc;
}

int loom_hurst_seasonal(struct loom_hurst *out, double *removed, const double *counts, size_t n,
                        size_t period, size_t shortest, struct loom_error *err)
{
    if (period < 2 || shortest < 2)
        return loom_fail(err, LOOM_ERANGE, "a period and a shortest wave are at least 2 values");
    if (n / period < LEAST_PERIODS)
        return loom_fail(err, LOOM_EDATA, "there are fewer than %d whole periods to compare",
                         LEAST_PERIODS);
    size_t periods = loom_fft_smooth(n / period);
    double *x = malloc(periods * period * sizeof *x);
    if (!x)
        return loom_fail_memory(err);
    for (size_t i = 0; i < periods * period; i++)
        x[i] = counts[i];
    *removed = remove_cycle(x, periods, period);
    int rc = seasonal_estimate(out, x, periods, period, shortest, err);
    free(x);
    return rc;
}

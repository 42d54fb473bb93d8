/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The local Whittle estimate (Robinson 1995): with the periodogram I_j at the m lowest Fourier
 * frequencies lambda_j, the H that minimises
 *
 *     R(H) = log(mean_j lambda_j^(2H - 1) I_j) - (2H - 1) mean_j log lambda_j .
 *
 * R is the logarithm of a sum of exponentials of H less a linear term: convex, so its derivative
 * has one zero, found by bisection. sqrt(m) (estimate - H) tends to a normal with variance 1/4
 * whatever H is, which gives the interval. m = n^0.65: more frequencies would narrow the interval,
 * but let the short range in. The series is cut to a length that transforms fast, see
 * loom_fft_smooth.
 */
#include "base/search.h"
#include "stats/fft.h"
#include "stats/hurst/hurst.h"
#include "stats/values.h"

enum { BISECTIONS = 60 };

/* Points of the figure serve as the data: log10 of lambda and of I. The sign of R'(H), and the
 * log10 of the constant G(H) = mean lambda^(2H - 1) I. */
static double derivative(const struct loom_hurst *hurst, double h, double *log_g)
{
    size_t m = hurst->points;
    double top = -INFINITY;
    for (size_t j = 0; j < m; j++)
        top = fmax(top, hurst->log_y[j] + (2 * h - 1) * hurst->log_x[j]);
    double weights = 0;
    double weighted = 0;
    double mean = 0;
    for (size_t j = 0; j < m; j++) {
        double w = pow(10, hurst->log_y[j] + (2 * h - 1) * hurst->log_x[j] - top);
        weights += w;
        weighted += w * hurst->log_x[j];
        mean += hurst->log_x[j] / (double)m;
    }
    *log_g = top + log10(weights / (double)m);
    return weighted / weights - mean;
}

/* The model's line, log10 I = log10 G + (1 - 2H) log10 lambda, and the interval. */
void loom_whittle_settle(struct loom_hurst *hurst, double se, double z)
{
    double low = 0.001;
    double high = 1.499;
    double log_g = 0;
    LOOM_HALVE(BISECTIONS, low, high, h, (low + high) / 2, derivative(hurst, h, &log_g) < 0);
    hurst->h = (low + high) / 2;
    hurst->h_low = hurst->h - z * se;
    hurst->h_high = hurst->h + z * se;
    derivative(hurst, hurst->h, &log_g);
    hurst->line.slope = 1 - 2 * hurst->h;
    hurst->line.intercept = log_g;
    hurst->line.slope_se = 2 * se; /* r2 stays as of the least squares line */
}

int loom_hurst_whittle(struct loom_hurst *out, const double *x, size_t n, struct loom_error *err)
{
    int rc = loom_hurst_begin(out, x, n, (size_t)pow((double)n, 0.65) + 1, err);
    if (rc)
        return rc;
    n = loom_fft_smooth(n);
    size_t used = (size_t)pow((double)n, 0.65);
    double *power = NULL;
    rc = loom_fft_periodogram(&power, x, n, err);
    if (rc)
        return loom_hurst_give_up(out, rc);
    for (size_t j = 1; j <= used; j++)
        loom_hurst_point(out, 2 * M_PI * (double)j / (double)n, power[j - 1]);
    free(power);
    rc = loom_hurst_end(out, 0.5, -0.5, err);
    if (rc == 0)
        loom_whittle_settle(out, 0.5 / sqrt((double)out->points), 1.959964);
    return rc;
}

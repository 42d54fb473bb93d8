/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Near frequency 0 the periodogram behaves like |lambda|^(1 - 2H), so H = (1 - slope) / 2 of the
 * line through its logarithm against the logarithm of the frequency, over the lowest tenth of the
 * frequencies (Taqqu, Teverovsky and Willinger 1995). The series is cut to a length that
 * transforms fast, see loom_fft_smooth.
 */
#include "stats/fft.h"
#include "stats/hurst/hurst.h"
#include "stats/values.h"

int loom_hurst_periodogram(struct loom_hurst *out, const double *x, size_t n,
                           struct loom_error *err)
{
    int rc = loom_hurst_begin(out, x, n, n / 20 + 1, err);
    if (rc)
        return rc;
    n = loom_fft_smooth(n);
    size_t used = n / 2 / 10;
    double *power = NULL;
    rc = loom_fft_periodogram(&power, x, n, err);
    if (rc)
        return loom_hurst_give_up(out, rc);
    for (size_t j = 1; j <= used; j++)
        loom_hurst_point(out, 2 * M_PI * (double)j / (double)n, power[j - 1]);
    free(power);
    return loom_hurst_end(out, 0.5, -0.5, err);
}

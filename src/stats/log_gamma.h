/* SPDX-License-Identifier: GPL-3.0-or-later */
/* log_gamma.h - the logarithm of the gamma function, for positive x. C's lgamma() also writes the
 * sign to a global, which threads would race for. */
#ifndef LOOM_STATS_LOG_GAMMA_H
#define LOOM_STATS_LOG_GAMMA_H

#include <math.h>

static inline double loom_log_gamma(double x)
{
    int sign;
    return lgamma_r(x, &sign);
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* values.h - what the estimators ask of every sample before they look at it. */
#ifndef LOOM_STATS_VALUES_H
#define LOOM_STATS_VALUES_H

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <workloom/base.h>

/* LOOM_EDATA if there are fewer than `least` values or one is not finite. `what` names the
 * statistic in the sentence. */
static inline int loom_values_check(const double *x, size_t n, size_t least, const char *what,
                                    struct loom_error *err)
{
    if (n < least)
        return loom_fail(err, LOOM_EDATA, "%s needs at least %zu values, there are %zu", what,
                         least, n);
    for (size_t i = 0; i < n; i++)
        if (!isfinite(x[i]))
            return loom_fail(err, LOOM_EDATA, "%s needs finite values, value %zu is not", what,
                             i + 1);
    return 0;
}

/* Whether all values are the same. n >= 1. */
static inline bool loom_values_constant(const double *x, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (x[i] != x[0])
            return false;
    return true;
}

/* As loom_values_check, and the values must not all be the same. */
static inline int loom_values_check_varying(const double *x, size_t n, size_t least,
                                            const char *what, struct loom_error *err)
{
    int rc = loom_values_check(x, n, least, what, err);
    if (rc == 0 && (n == 0 || loom_values_constant(x, n)))
        rc = loom_fail(err, LOOM_EDATA, "%s does not exist where all values are the same", what);
    return rc;
}

/* A copy the caller must free(), or NULL. n >= 1. */
static inline double *loom_values_copy(const double *x, size_t n)
{
    double *copy = malloc(n * sizeof *copy);
    if (copy)
        memcpy(copy, x, n * sizeof *copy);
    return copy;
}

#endif

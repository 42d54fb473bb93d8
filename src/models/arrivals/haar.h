/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * haar.h - the Haar transform of a series, for the wavelet models of arrivals (Minh 2012, 4.1).
 *
 * A series of roots * 2^depth values is the finest of M = depth + 1 scales, counted from 1. Scale j
 * has roots * 2^(j - 1) scaling coefficients c_j; each except the finest has two children at the
 * next scale, and a wavelet coefficient d_j, their difference:
 *
 *     c_j,k = (c_j+1,2k + c_j+1,2k+1) / sqrt 2        (eq. 4.1)
 *     d_j,k = (c_j+1,2k - c_j+1,2k+1) / sqrt 2        (eq. 4.2)
 */
#ifndef LOOM_MODELS_ARRIVALS_HAAR_H
#define LOOM_MODELS_ARRIVALS_HAAR_H

#include <math.h>
#include <workloom/base.h>

struct loom_haar {
    size_t roots; /* coefficients at scale 1, at least 1 */
    size_t depth; /* scales that have wavelet coefficients */
    double *c, *d;
};

/* How much of a series of n values is taken: the deepest tree with at least `least` roots, and with
 * as many roots as there is room for. A series of 52 becomes 48 = 3 x 2^4 (Minh 2012, 4.4). Returns
 * the roots, fewer than `least` if n is less than that. */
size_t loom_haar_shape(size_t *depth, size_t n, size_t least);

/* Transform the first roots * 2^depth values. On failure there is nothing to free. */
int loom_haar_create(struct loom_haar *out, const double *x, size_t roots, size_t depth,
                     struct loom_error *err);
void loom_haar_free(struct loom_haar *haar);

/* Number of coefficients at a scale. */
static inline size_t loom_haar_count(const struct loom_haar *haar, size_t scale)
{
    return haar->roots << (scale - 1);
}

/* Where a scale begins in c and, unless it is the finest, in d. */
static inline size_t loom_haar_first(const struct loom_haar *haar, size_t scale)
{
    return loom_haar_count(haar, scale) - haar->roots;
}

/* The two scaling coefficients below c and d (eq. 4.3 and 4.4). */
static inline void loom_haar_split(double *below, double c, double d)
{
    below[0] = (c + d) * M_SQRT1_2;
    below[1] = (c - d) * M_SQRT1_2;
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * share.h - a share of a time, as a parameter gives it in decimals. They count to the ninth, in
 * whole numbers: 0.57 times 100 s is 57 s, where the nearest doubles make 56.
 */
#ifndef LOOM_SIM_SHARE_H
#define LOOM_SIM_SHARE_H

#include <math.h>
#include <stdint.h>

#define LOOM_BILLION INT64_C(1000000000)

static inline int64_t loom_billionths(double share)
{
    return llround(share * (double)LOOM_BILLION);
}

/* That many billionths of a time that is not negative, rounded down. What is past all times stays
 * a number that can be added to one. */
static inline int64_t loom_share_s(int64_t billionths, int64_t time_s)
{
    static const int64_t most_s = INT64_MAX / 4;
    __int128 share_s = (__int128)billionths * time_s / LOOM_BILLION;
    return share_s < most_s ? (int64_t)share_s : most_s;
}

#endif

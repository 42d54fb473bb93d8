/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * share.h - shares of a time, exact to nine decimals: 0.57 of 100 s is 57 s, where doubles give 56.
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

/* Return a share of a time of at least 0, rounded down, and at most INT64_MAX / 4, so that it can
 * be added to a time. */
static inline int64_t loom_share_s(int64_t billionths, int64_t time_s)
{
    static const int64_t most_s = INT64_MAX / 4;
    __int128 share_s = (__int128)billionths * time_s / LOOM_BILLION;
    return share_s < most_s ? (int64_t)share_s : most_s;
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * wide.h - one piece of code compiled twice: for any processor of the architecture, and for those
 * with wide registers and instructions on bits (AVX2, BMI, POPCNT). The work is an always-inlined
 * function; LOOM_WIDE marks the second copy; the caller asks loom_is_wide() which to use. Results
 * are the same. A build with -Dwide=false has the first copies only, to compare them.
 *
 *     LOOM_INLINE int64_t count(const int64_t *x, size_t n) { ... }
 *     LOOM_WIDE static int64_t count_wide(const int64_t *x, size_t n) { return count(x, n); }
 *     ... loom_is_wide() ? count_wide(x, n) : count(x, n) ...
 */
#ifndef LOOM_BASE_WIDE_H
#define LOOM_BASE_WIDE_H

#include <stdbool.h>

#define LOOM_INLINE static inline __attribute__((always_inline))

#if defined(__x86_64__) && !defined(LOOM_NARROW)
#define LOOM_HAS_WIDE 1
#define LOOM_WIDE __attribute__((target("avx2,bmi,bmi2,popcnt,lzcnt")))

static inline bool loom_is_wide(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
}
#else
#define LOOM_HAS_WIDE 0
#define LOOM_WIDE

static inline bool loom_is_wide(void)
{
    return false;
}
#endif

#endif

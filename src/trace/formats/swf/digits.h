/* SPDX-License-Identifier: GPL-3.0-or-later */
/* swf/digits.h - up to eight digits at a time, as eight bytes in a word of which the lowest is the
 * first character. */
#ifndef LOOM_TRACE_FORMATS_SWF_DIGITS_H
#define LOOM_TRACE_FORMATS_SWF_DIGITS_H

#include <endian.h>
#include <stdint.h>
#include <string.h>

enum { LOOM_EIGHT_DIGITS = 100000000 }; /* the first number that has more than eight */
#define LOOM_EIGHT_UNKNOWN UINT64_C(0x312d202020202020) /* "      -1" */

/* The values of the digits of a number below 10^8. Each step divides all parts at once, by
 * multiplication: into two of four digits, four of two, and eight. */
static inline uint64_t loom_eight_values(uint32_t number)
{
    uint64_t fours = number / 10000 | (uint64_t)(number % 10000) << 32;
    uint64_t hundreds = (fours * 10486 >> 20) & UINT64_C(0x0000007f0000007f);
    uint64_t twos = hundreds | (fours - hundreds * 100) << 16;
    uint64_t tens = (twos * 103 >> 10) & UINT64_C(0x000f000f000f000f);
    return tens | (twos - tens * 10) << 8;
}

/* The number as text with leading zeros. */
static inline uint64_t loom_eight_digits(uint32_t number)
{
    return loom_eight_values(number) + UINT64_C(0x3030303030303030);
}

/* The number as text with leading blanks: below the lowest bit of the first digit that is not 0,
 * and at most seven of them. */
static inline uint64_t loom_eight_text(uint32_t number)
{
    uint64_t values = loom_eight_values(number), first = values | UINT64_C(1) << 56;
    uint64_t leading = (first & (0 - first)) - 1;
    return values + UINT64_C(0x3030303030303030) - (leading & UINT64_C(0x1010101010101010));
}

static inline uint64_t loom_load_eight(const char *at)
{
    uint64_t bytes;
    memcpy(&bytes, at, sizeof bytes);
    return le64toh(bytes);
}

static inline void loom_store_eight(char *at, uint64_t bytes)
{
    bytes = htole64(bytes);
    memcpy(at, &bytes, sizeof bytes);
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * number.h - numbers as logs write them.
 *
 * Strict decimal text in, shortest exact decimal text out. The grammar is [+-] digits [. digits] [e
 * [+-] digits], with at least one digit before or after the point and nothing around it: no blanks,
 * no hexadecimal, no "inf" or "nan". The locale never matters. The text need not end in NUL, and is
 * at most LOOM_NUMBER_TEXT characters long.
 */
#ifndef LOOM_TRACE_NUMBER_H
#define LOOM_TRACE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LOOM_NUMBER_TEXT = 1000 };

enum loom_number {
    LOOM_NUMBER_OK = 0,
    LOOM_NUMBER_ROUNDED = 1, /* read, but a fraction was rounded away */
    LOOM_NUMBER_BAD = -1,    /* not a number */
    LOOM_NUMBER_RANGE = -2,  /* a number that the type, or min and max, cannot hold */
};

/* A whole number without point or exponent. *out is left alone unless the result is OK. */
enum loom_number loom_number_int(int64_t *out, const char *text, size_t length);

/* A number for a whole-number column: a fraction is rounded to the nearest whole number, halves
 * away from zero, exactly at any size. *out is left alone if the result is negative. */
enum loom_number loom_number_whole(int64_t *out, const char *text, size_t length, int64_t min,
                                   int64_t max);

/* The nearest double; too large for one is RANGE, too small is 0, and 0 has no sign. Never ROUNDED.
 */
enum loom_number loom_number_real(double *out, const char *text, size_t length);

/* "is not a number" or "is out of range", to follow the text in a message. */
const char *loom_number_problem(enum loom_number result);

/* Print into buf, at least LOOM_NUMBER_PRINT bytes, with a final NUL; returns the length without
 * it. A double gets the fewest digits that loom_number_real reads back as the same double; what is
 * not finite is printed as -1, unknown. */
enum { LOOM_NUMBER_PRINT = 32 };
size_t loom_number_print_int(char *buf, int64_t value);
size_t loom_number_print_real(char *buf, double value);

/* A field that says there is no value: empty, "-", NA, N/A, NaN, null, None (in the usual
 * cases). */
bool loom_number_missing(const char *text, size_t length);

#endif

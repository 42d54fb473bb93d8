/* SPDX-License-Identifier: GPL-3.0-or-later */
/* duration.h - lengths of time for people: to the second, or in the one unit that suits them. */
#ifndef LOOM_BASE_DURATION_H
#define LOOM_BASE_DURATION_H

#include <stddef.h>
#include <stdint.h>

/* Return the largest of d, h, min and s of which it has at least two, or s; *length is how many. */
const char *loom_duration_unit(double seconds, double *length);

/* Write a length of time in one unit and to three digits, "2.5 h", into buf; "-" if it is NAN.
 * Returns buf. */
const char *loom_duration_text(double seconds, char *buf, size_t size);

enum { LOOM_DURATION = 48 }; /* bytes that hold any exact duration */

/* Write a length of time to the second, "2 d 3 h 5 s", into buf. Returns buf. */
const char *loom_exact_duration(int64_t seconds, char *buf, size_t size);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * human.h - numbers and lengths of time for people: three digits, a unit, groups of thousands. "-"
 * stands for NAN. All functions that take a buf return it, and LOOM_HUMAN bytes hold any text.
 */
#ifndef LOOM_BASE_HUMAN_H
#define LOOM_BASE_HUMAN_H

#include <stddef.h>
#include <stdint.h>

enum { LOOM_HUMAN = 48 };

/* Format a count: "1,234,567". */
const char *loom_human_count(int64_t count, char *buf, size_t size);
/* Format a number: "0.123", "12.3", "1,235". */
const char *loom_human_number(double value, char *buf, size_t size);
/* Format a share: "81.2 %" of 0.812; never rounded to 0 or 1 ("<0.01 %"). */
const char *loom_human_share(double share, char *buf, size_t size);
/* Format per cents without their sign: two significant digits, but no whole digit is rounded:
 * "117", "5.3", "0.04". Never rounded to 0. */
const char *loom_human_percent(double value, char *buf, size_t size);
/* Format a length of time: "35 s", "90 min", "2.4 h", "3.1 days". */
const char *loom_human_seconds(double seconds, char *buf, size_t size);
/* Format a size: "1.5 MiB". */
const char *loom_human_bytes(double bytes, char *buf, size_t size);
/* Format a length of time to the second: "2 d 3 h 5 s". */
const char *loom_exact_duration(int64_t seconds, char *buf, size_t size);

/* Return the unit (s, min, h, days) in which a length of time is best read: the largest of which it
 * has at least two when rounded to three digits, or s. *length is the time in that unit. */
const char *loom_duration_unit(double seconds, double *length);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* instant.h - a time in the log, for a sentence. */
#ifndef LOOM_TRACE_INSTANT_H
#define LOOM_TRACE_INSTANT_H

#include <workloom/trace.h>

/* Format a time in the log into buf: "1996-12-09 15:28:49 (6661698 s)" or, where zone is NULL
 * because nobody knows when the log began, "6661698 s (77 d 2 h 28 min 18 s)". Returns buf. */
const char *loom_instant_text(const struct loom_zone *zone, int64_t log_s, char *buf, size_t size);

#endif

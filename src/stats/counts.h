/* SPDX-License-Identifier: GPL-3.0-or-later */
/* counts.h - events in time as a count process (Minh 2012, 2.2). */
#ifndef LOOM_STATS_COUNTS_H
#define LOOM_STATS_COUNTS_H

#include <workloom/base.h>

enum { LOOM_COUNTS_MOST = 1 << 23 };

/* How many of the events, at least one in ascending order, fall into each of the successive
 * intervals of length_s from the first event on; the last interval holds the last event and counts
 * as a whole. A new array of *n entries that the caller must free(). Fails with LOOM_EDATA where
 * there would be more than LOOM_COUNTS_MOST, which at 900 s are 239 years. */
int loom_counts_create(double **out, size_t *n, const int64_t *times_s, size_t events,
                       int64_t length_s, struct loom_error *err);

#endif

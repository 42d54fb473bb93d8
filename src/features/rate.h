/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rate.h - the rate process: how many events, of jobs or of bags, fall into successive intervals of
 * T, by default 900 s (Minh 2012, 2.2, 3.2, 3.5.2). Intervals are counted from the first event; the
 * last one, which holds the last event, counts as a whole.
 */
#ifndef LOOM_FEATURES_RATE_H
#define LOOM_FEATURES_RATE_H

#include <workloom/stats.h>

enum { LOOM_RATE_S = 900 };

/* The events of at least one ascending time: a new array of *n entries that the caller must free().
 * Fails with LOOM_EDATA where they span centuries: then a submit time is broken. */
int loom_rate_create(double **out, size_t *n, const int64_t *times_s, size_t events,
                     int64_t interval_s, struct loom_error *err);

/* The mean of the three estimates of H that Minh 2012 uses: aggregate variance, R/S statistic,
 * periodogram. Fails where one of them does. */
int loom_rate_hurst(double *out, const double *rate, size_t n, struct loom_error *err);

/* The pox plot of a rate process at LOOM_RATE_S (Zakay chapter 3, 5.3): block sizes a factor of 1.2
 * apart. The text does not give the interval; of those tried, jobs per hour come nearest to the
 * printed figures. */
int loom_rate_pox(struct loom_hurst *out, const double *rate, size_t n, struct loom_error *err);

#endif

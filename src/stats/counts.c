/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Events in time as a count process. */
#include "stats/counts.h"

#include <inttypes.h>
#include <stdlib.h>

int loom_counts_create(double **out, size_t *n, const int64_t *times_s, size_t events,
                       int64_t length_s, struct loom_error *err)
{
    int64_t span_s;
    if (__builtin_sub_overflow(times_s[events - 1], times_s[0], &span_s) ||
        span_s / length_s >= LOOM_COUNTS_MOST)
        return loom_fail(err, LOOM_EDATA,
                         "the times span more than %d intervals of %" PRId64
                         " s; clean the log first",
                         LOOM_COUNTS_MOST, length_s);
    size_t intervals = (size_t)(span_s / length_s) + 1;
    double *counts = calloc(intervals, sizeof *counts);
    if (!counts)
        return loom_fail_memory(err);
    for (size_t i = 0; i < events; i++)
        counts[(times_s[i] - times_s[0]) / length_s]++;
    *out = counts;
    *n = intervals;
    return 0;
}

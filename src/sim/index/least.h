/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * least.h - the shortest estimate of a set of jobs by width, to skip sets in which no job can fit a
 * gap. Entry b is the shortest estimate of the jobs that are in bands of width 0 to b (bands.h), so
 * one comparison answers for all widths up to the gap's.
 *
 * One shortest estimate and one narrowest width of all jobs would not do: what stays in a long
 * queue is narrow and long, or short and wide, and a set of both would always seem to fit.
 */
#ifndef LOOM_SIM_INDEX_LEAST_H
#define LOOM_SIM_INDEX_LEAST_H

#include "sim/index/bands.h"

#include <workloom/scheduler.h>

enum { LOOM_LEAST_BANDS = LOOM_EXACT_WIDTHS + 40, LOOM_NO_ESTIMATE = INT32_MAX };

struct loom_least {
    int32_t shortest_s[LOOM_LEAST_BANDS]; /* LOOM_NO_ESTIMATE: no job */
};

/* Return the band of a width. The last band has no upper end. */
static inline unsigned loom_least_band(int64_t procs)
{
    unsigned band = loom_width_band(procs);
    return band < LOOM_LEAST_BANDS ? band : LOOM_LEAST_BANDS - 1;
}

/* Return an estimate as summaries have it: never longer than it is. */
static inline int32_t loom_least_estimate(int64_t estimate_s)
{
    return (int32_t)(estimate_s < LOOM_NO_ESTIMATE ? estimate_s : LOOM_NO_ESTIMATE - 1);
}

/* Make it the summary of no job. */
static inline void loom_least_clear(struct loom_least *least)
{
    for (unsigned band = 0; band < LOOM_LEAST_BANDS; band++)
        least->shortest_s[band] = LOOM_NO_ESTIMATE;
}

/* Include a job. Return whether that changed the summary. */
static inline bool loom_least_add(struct loom_least *least, int32_t procs, int64_t estimate_s)
{
    int32_t own_s = loom_least_estimate(estimate_s);
    unsigned first = loom_least_band(procs), band = first;
    while (band < LOOM_LEAST_BANDS && least->shortest_s[band] > own_s)
        least->shortest_s[band++] = own_s;
    return band > first;
}

/* Include the jobs of another summary. */
static inline void loom_least_join(struct loom_least *least, const struct loom_least *other)
{
    for (unsigned band = 0; band < LOOM_LEAST_BANDS; band++)
        if (other->shortest_s[band] < least->shortest_s[band])
            least->shortest_s[band] = other->shortest_s[band];
}

/* Return whether the summary may change when this job of it is removed. */
static inline bool loom_least_rests_on(const struct loom_least *least, int32_t procs,
                                       int64_t estimate_s)
{
    return least->shortest_s[loom_least_band(procs)] >= loom_least_estimate(estimate_s);
}

/* Return whether the summary may change when all jobs of another, a part of it, are removed. */
static inline bool loom_least_rests_on_any(const struct loom_least *least,
                                           const struct loom_least *part)
{
    int found = 0;
    for (unsigned band = 0; band < LOOM_LEAST_BANDS; band++)
        found |= (part->shortest_s[band] <= least->shortest_s[band]) &
                 (part->shortest_s[band] != LOOM_NO_ESTIMATE);
    return found;
}

/* Return whether a job of the summary may fit; true for every set with a job that fits. */
static inline bool loom_least_may_fit(const struct loom_least *least, const struct loom_gap *gap)
{
    int64_t spare = gap->spare < gap->procs ? gap->spare : gap->procs;
    return gap->procs > 0 &&
           (least->shortest_s[loom_least_band(gap->procs)] <= gap->length_s ||
            (spare > 0 && least->shortest_s[loom_least_band(spare)] != LOOM_NO_ESTIMATE));
}

#endif

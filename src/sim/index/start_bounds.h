/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * start_bounds.h - lower bounds of the earliest start of a job, by its width and length. A bound
 * found by a search stays valid while processors are booked; where some are given back, the profile
 * lowers it (profile.c).
 *
 * There is a row for each width up to 64 and four to each doubling above, with sixteen lengths to
 * each doubling. A zeroed struct has no rows.
 */
#ifndef LOOM_SIM_INDEX_START_BOUNDS_H
#define LOOM_SIM_INDEX_START_BOUNDS_H

#include "sim/index/bands.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LOOM_BOUND_LENGTHS = 16 * 46 };

/* Bounds for jobs of `procs` processors and more. */
struct loom_bound_row {
    bool used;
    int32_t procs;                      /* the narrowest asked for */
    unsigned band;                      /* of that width */
    unsigned shortest, longest;         /* lengths asked for, as steps of length */
    int64_t from_s[LOOM_BOUND_LENGTHS]; /* by step of length, of which it is increasing */
};

struct loom_start_bounds {
    struct loom_bound_row *all[LOOM_WIDTH_BANDS];  /* by band, NULL until needed */
    struct loom_bound_row *used[LOOM_WIDTH_BANDS]; /* those asked for, in order of width */
    uint8_t upto[LOOM_WIDTH_BANDS]; /* by band: how many of these are of it or less */
};

/* Forget all bounds; keeps the memory. */
void loom_start_bounds_reset(struct loom_start_bounds *bounds);
void loom_start_bounds_free(struct loom_start_bounds *bounds);

/* Return the step of a length in the rows. */
static inline unsigned loom_bound_length(int64_t length_s)
{
    unsigned length = loom_length_step(length_s);
    return length < LOOM_BOUND_LENGTHS ? length : LOOM_BOUND_LENGTHS - 1;
}

/* Return the bound for a width and a step of length; INT64_MIN if nothing is known. */
static inline int64_t loom_start_bound(const struct loom_start_bounds *bounds, int32_t procs,
                                       unsigned length)
{
    const struct loom_bound_row *row = bounds->all[loom_width_band(procs)];
    bool is_known = row && row->used && procs >= row->procs && length >= row->shortest &&
                    length <= row->longest;
    return is_known ? row->from_s[length] : INT64_MIN;
}

/* Return the row of a width, which has a bound for this step of length: INT64_MIN if nothing is
 * known. NULL when out of memory. */
struct loom_bound_row *loom_start_bounds_row(struct loom_start_bounds *bounds, int32_t procs,
                                             unsigned length);

/* Raise the bounds of this step of length and longer ones. */
void loom_bound_raise(struct loom_bound_row *row, unsigned length, int64_t from_s);

/* Return whether a gap that begins at begin_s or later, of this step of length or less, could lower
 * a bound. */
static inline bool loom_bound_concerns(const struct loom_bound_row *row, int64_t begin_s,
                                       unsigned length)
{
    length = length < row->longest ? length : row->longest;
    return length >= row->shortest && row->from_s[length] > begin_s;
}

/* Lower the bounds for a gap that begins at begin_s, of this step of length. */
static inline void loom_bound_lower(struct loom_bound_row *row, int64_t begin_s, unsigned length)
{
    length = length < row->longest ? length : row->longest;
    for (; length + 1 > row->shortest && row->from_s[length] > begin_s; length--)
        row->from_s[length] = begin_s;
}

/* Return how many rows can be of at most so many processors; the last may be of a few more. */
static inline unsigned loom_start_bounds_upto(const struct loom_start_bounds *bounds, int32_t procs)
{
    return procs < 1 ? 0 : bounds->upto[loom_width_band(procs)];
}

#endif

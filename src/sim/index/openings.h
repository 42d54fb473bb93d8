/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * openings.h - what is known of where a job could go in a timetable: for each width and length, a
 * time before which no such stretch of free processors begins. That stays true while processors are
 * taken; where some are given back, the owner shows what opens there.
 *
 * There is a row for each width up to 64 and four to each doubling above, in which lengths are told
 * apart in sixteen steps to each doubling. A zeroed struct knows nothing.
 */
#ifndef LOOM_SIM_INDEX_OPENINGS_H
#define LOOM_SIM_INDEX_OPENINGS_H

#include "sim/index/bands.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LOOM_OPENING_ROWS = LOOM_WIDTH_BANDS, LOOM_OPENING_LENGTHS = 16 * 46 };

/* What is known of jobs of `procs` processors and more. */
struct loom_opening_row {
    int32_t procs;                        /* the narrowest asked for */
    uint32_t rank;                        /* of that width */
    size_t users;                         /* jobs that might ask */
    unsigned shortest, longest;           /* lengths asked for, at least 1 */
    uint64_t era;                         /* in which it was learned */
    int64_t from_s[LOOM_OPENING_LENGTHS]; /* does not fall with length */
};

struct loom_openings {
    struct loom_opening_row *all[LOOM_OPENING_ROWS];  /* by rank of width, NULL until needed */
    struct loom_opening_row *used[LOOM_OPENING_ROWS]; /* those with users, from narrow to wide */
    uint8_t upto[LOOM_OPENING_ROWS]; /* by rank: how many of these are of that or less */
    uint64_t era;                    /* what was learned in another is forgotten */
};

/* No users, and nothing is known. Memory is kept. */
void loom_openings_reset(struct loom_openings *openings);
void loom_openings_free(struct loom_openings *openings);

/* Anything may be open. */
static inline void loom_openings_forget(struct loom_openings *openings)
{
    openings->era++;
}

/* What a job asks for, in the terms of a row: nothing that it could use is narrower or shorter. */
struct loom_opening {
    uint16_t rank, length;
};

/* Begin, and cease, to be a user of what is known. -1 when memory is out. */
int loom_openings_join(struct loom_openings *openings, int32_t procs, int64_t length_s,
                       struct loom_opening *opening);
void loom_openings_leave(struct loom_openings *openings, struct loom_opening opening);

/* Nothing is known any more to this row. */
void loom_opening_clear(struct loom_opening_row *row, uint64_t era);

static inline struct loom_opening_row *loom_opening_row(const struct loom_openings *openings,
                                                        struct loom_opening opening)
{
    return openings->all[opening.rank];
}

/* No such stretch begins before this; INT64_MIN if nothing is known. */
static inline int64_t loom_opening_from(const struct loom_openings *openings,
                                        struct loom_opening opening)
{
    struct loom_opening_row *row = loom_opening_row(openings, opening);
    if (row->era != openings->era)
        loom_opening_clear(row, openings->era);
    return row->from_s[opening.length];
}

/* No such stretch begins before from_s, as a search has shown. */
void loom_opening_raise(const struct loom_openings *openings, struct loom_opening opening,
                        int64_t from_s);

/* Is there anything in a row that could be lowered by stretches that begin no earlier and are no
 * longer? */
static inline bool loom_openings_concern(const struct loom_opening_row *row, int64_t begin_s,
                                         unsigned length)
{
    length = length < row->longest ? length : row->longest;
    return length >= row->shortest && row->from_s[length] > begin_s;
}

/* In a row, a stretch has opened from begin_s on, of a length of that step. */
static inline void loom_openings_lower(struct loom_opening_row *row, int64_t begin_s,
                                       unsigned length)
{
    length = length < row->longest ? length : row->longest;
    for (; length + 1 > row->shortest && row->from_s[length] > begin_s; length--)
        row->from_s[length] = begin_s;
}

/* How many rows with users can be of at most so many processors; the last may be of a few more. */
static inline unsigned loom_openings_upto(const struct loom_openings *openings, int32_t procs)
{
    return procs < 1 ? 0 : openings->upto[loom_width_band(procs)];
}

#endif

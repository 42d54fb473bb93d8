/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * least.h - what many jobs ask for at least, by which a search for one that fits a gap tells where
 * not to look: for each band of widths, the narrowest width and the shortest estimate.
 *
 * Under EASY one least width and one least estimate of all would not do: what stays in a long queue
 * is narrow and long, or short and wide, and a group full of both would always look promising.
 * There is a band for each width up to 64, then four to each doubling. Only the one band that the
 * gap's width falls into can promise in vain, where one of its jobs is narrow enough and another
 * short enough.
 */
#ifndef LOOM_SIM_INDEX_LEAST_H
#define LOOM_SIM_INDEX_LEAST_H

#include "sim/index/bands.h"

#include <workloom/scheduler.h>

enum {
    LOOM_LEAST_BANDS = LOOM_EXACT_WIDTHS + 40, /* the last is open */
    LOOM_NO_WIDTH = INT32_MAX,
    LOOM_NO_LENGTH = INT16_MAX,
};

/* LOOM_NO_LENGTH and LOOM_NO_WIDTH where there is no job of a band. */
struct loom_least {
    int16_t length[LOOM_LEAST_BANDS];                    /* the shortest, as loom_length_of says */
    int32_t procs[LOOM_LEAST_BANDS - LOOM_EXACT_WIDTHS]; /* of the bands of more than one width */
};

/* What fits a gap, in the same terms. */
struct loom_gap_fit {
    int64_t length_s;
    int32_t procs, spare; /* of which no more are free */
    int16_t length;
    unsigned spare_band, band;       /* of the widest that fit for ever, and at all */
    int16_t limit[LOOM_LEAST_BANDS]; /* what is no longer fits, of the bands below `band` */
};

static inline unsigned loom_least_band(int64_t procs)
{
    unsigned band = loom_width_band(procs);
    return band < LOOM_LEAST_BANDS ? band : LOOM_LEAST_BANDS - 1;
}

/* A time in 16 bits: exact below 2048 s, then in steps of a thousandth or less, and at last all the
 * same. What is no longer has no greater length, which is all that a search needs. */
static inline int16_t loom_length_of(int64_t seconds)
{
    if (seconds < 2048)
        return (int16_t)(seconds < 0 ? -1 : seconds);
    int doublings = 63 - __builtin_clzll((unsigned long long)seconds) - 10;
    int64_t length = ((int64_t)doublings << 10) + (seconds >> doublings);
    return (int16_t)(length < LOOM_NO_LENGTH ? length : LOOM_NO_LENGTH - 1);
}

/* Set all of `fit` but the bands, which only loom_least_promises needs. */
static inline void loom_gap_fit_set(struct loom_gap_fit *fit, const struct loom_gap *gap)
{
    int64_t procs = gap->procs < INT32_MAX ? gap->procs : INT32_MAX;
    int64_t spare = gap->spare < 0 ? 0 : gap->spare < procs ? gap->spare : procs;
    fit->length_s = gap->length_s;
    fit->procs = (int32_t)procs;
    fit->spare = (int32_t)spare;
    fit->length = loom_length_of(gap->length_s);
}

/* Set the bands of `fit`. */
void loom_gap_fit_bands(struct loom_gap_fit *fit);

/* The narrowest and the widest of a band. */
void loom_least_widths(unsigned band, int32_t *from, int32_t *to);

/* The narrowest job of a band. */
static inline int32_t loom_least_width(const struct loom_least *least, unsigned band)
{
    if (band >= LOOM_EXACT_WIDTHS)
        return least->procs[band - LOOM_EXACT_WIDTHS];
    return least->length[band] == LOOM_NO_LENGTH ? (int32_t)LOOM_NO_WIDTH : (int32_t)band + 1;
}

static inline void loom_least_clear_band(struct loom_least *least, unsigned band)
{
    least->length[band] = LOOM_NO_LENGTH;
    if (band >= LOOM_EXACT_WIDTHS)
        least->procs[band - LOOM_EXACT_WIDTHS] = LOOM_NO_WIDTH;
}

void loom_least_clear(struct loom_least *least);

/* Let the least of a band be at most these. Whether that changed anything. */
static inline bool loom_least_lower(struct loom_least *least, unsigned band, int32_t procs,
                                    int16_t length)
{
    bool shorter = length < least->length[band];
    bool narrower = band >= LOOM_EXACT_WIDTHS && procs < least->procs[band - LOOM_EXACT_WIDTHS];
    if (shorter)
        least->length[band] = length;
    if (narrower)
        least->procs[band - LOOM_EXACT_WIDTHS] = procs;
    return shorter || narrower;
}

/* The same by what other jobs have in a band, or in all of them. */
static inline bool loom_least_lower_by(struct loom_least *least, unsigned band,
                                       const struct loom_least *other)
{
    return loom_least_lower(least, band, loom_least_width(other, band), other->length[band]);
}

void loom_least_join(struct loom_least *least, const struct loom_least *other);

/* May the least of a band change where a job is taken out, and that of any where several are? */
static inline bool loom_least_rests_on(const struct loom_least *least, unsigned band, int32_t procs,
                                       int16_t length)
{
    return least->length[band] >= length ||
           (band >= LOOM_EXACT_WIDTHS && loom_least_width(least, band) >= procs);
}

bool loom_least_rests_on_any(const struct loom_least *least, const struct loom_least *part);

/* May one of the jobs fit? */
bool loom_least_promises(const struct loom_least *least, const struct loom_gap_fit *fit);

#endif

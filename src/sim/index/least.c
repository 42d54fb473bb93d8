/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What many jobs ask for at least. Loops over bands have no way out, so that they are done by many
 * bands at a time. */
#include "sim/index/least.h"

#include "base/wide.h"

enum { EXACT = LOOM_EXACT_WIDTHS, BANDS = LOOM_LEAST_BANDS };

void loom_least_widths(unsigned band, int32_t *from, int32_t *to)
{
    if (band < EXACT) {
        *from = *to = (int32_t)band + 1;
        return;
    }
    unsigned doublings = LOOM_EXACT_DOUBLINGS + (band - EXACT) / 4, quarter = 1u << (doublings - 2);
    unsigned first = (4 + (band - EXACT) % 4) * quarter;
    *from = (int32_t)first + 1;
    *to = band == BANDS - 1 ? INT32_MAX : (int32_t)(first + quarter);
}

void loom_least_clear(struct loom_least *least)
{
    for (unsigned band = 0; band < BANDS; band++)
        least->length[band] = LOOM_NO_LENGTH;
    for (unsigned i = 0; i < BANDS - EXACT; i++)
        least->procs[i] = LOOM_NO_WIDTH;
}

LOOM_INLINE void join(struct loom_least *least, const struct loom_least *other)
{
    for (unsigned band = 0; band < BANDS; band++) {
        int16_t own = least->length[band], length = other->length[band];
        least->length[band] = length < own ? length : own;
    }
    for (unsigned i = 0; i < BANDS - EXACT; i++) {
        int32_t own = least->procs[i], procs = other->procs[i];
        least->procs[i] = procs < own ? procs : own;
    }
}

LOOM_WIDE static void join_wide(struct loom_least *least, const struct loom_least *other)
{
    join(least, other);
}

void loom_least_join(struct loom_least *least, const struct loom_least *other)
{
    if (loom_is_wide())
        join_wide(least, other);
    else
        join(least, other);
}

LOOM_INLINE bool rests_on_any(const struct loom_least *least, const struct loom_least *part)
{
    int found = 0;
    for (unsigned band = 0; band < BANDS; band++)
        found |=
            (part->length[band] <= least->length[band]) & (part->length[band] != LOOM_NO_LENGTH);
    for (unsigned i = 0; i < BANDS - EXACT; i++)
        found |= (part->procs[i] <= least->procs[i]) & (part->procs[i] != LOOM_NO_WIDTH);
    return found;
}

LOOM_WIDE static bool rests_on_any_wide(const struct loom_least *least,
                                        const struct loom_least *part)
{
    return rests_on_any(least, part);
}

bool loom_least_rests_on_any(const struct loom_least *least, const struct loom_least *part)
{
    return loom_is_wide() ? rests_on_any_wide(least, part) : rests_on_any(least, part);
}

void loom_gap_fit_bands(struct loom_gap_fit *fit)
{
    fit->spare_band = loom_least_band(fit->spare);
    fit->band = loom_least_band(fit->procs);
    for (unsigned band = 0; band < fit->band; band++)
        fit->limit[band] = band < fit->spare_band ? LOOM_NO_LENGTH - 1 : fit->length;
}

bool loom_least_promises(const struct loom_least *least, const struct loom_gap_fit *fit)
{
    int found = 0;
    for (unsigned band = 0; band < fit->band; band++)
        found |= least->length[band] <= fit->limit[band];
    return found || loom_least_width(least, fit->spare_band) <= fit->spare ||
           (least->length[fit->band] <= fit->length &&
            loom_least_width(least, fit->band) <= fit->procs);
}

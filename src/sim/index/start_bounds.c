/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lower bounds of the earliest start. A row increases with length, so that the bounds to raise or
 * to lower are adjacent, and the loop stops at the first that needs no change. */
#include "sim/index/start_bounds.h"

#include <stdlib.h>
#include <string.h>

void loom_start_bounds_reset(struct loom_start_bounds *bounds)
{
    for (unsigned i = 0; i < bounds->upto[LOOM_WIDTH_BANDS - 1]; i++)
        bounds->used[i]->used = false;
    memset(bounds->upto, 0, sizeof bounds->upto);
}

void loom_start_bounds_free(struct loom_start_bounds *bounds)
{
    for (unsigned band = 0; band < LOOM_WIDTH_BANDS; band++)
        free(bounds->all[band]);
    *bounds = (struct loom_start_bounds){0};
}

static void clear(struct loom_bound_row *row)
{
    for (unsigned length = row->shortest; length <= row->longest; length++)
        row->from_s[length] = INT64_MIN;
}

/* Add a step of length to a row: bounds of shorter jobs hold for longer ones. */
static void add_length(struct loom_bound_row *row, unsigned length)
{
    for (; row->longest < length; row->longest++)
        row->from_s[row->longest + 1] = row->from_s[row->longest];
    while (row->shortest > length)
        row->from_s[--row->shortest] = INT64_MIN;
}

/* Put an empty row among those in use. */
static void use(struct loom_start_bounds *bounds, struct loom_bound_row *row)
{
    unsigned at = bounds->upto[row->band], n = bounds->upto[LOOM_WIDTH_BANDS - 1];
    memmove(bounds->used + at + 1, bounds->used + at, (n - at) * sizeof(struct loom_bound_row *));
    bounds->used[at] = row;
    row->used = true;
    for (unsigned band = row->band; band < LOOM_WIDTH_BANDS; band++)
        bounds->upto[band]++;
}

struct loom_bound_row *loom_start_bounds_row(struct loom_start_bounds *bounds, int32_t procs,
                                             unsigned length)
{
    unsigned band = loom_width_band(procs);
    struct loom_bound_row *row = bounds->all[band];
    if (!row) {
        row = bounds->all[band] = malloc(sizeof *row);
        if (!row)
            return NULL;
        row->used = false;
    }
    if (!row->used) {
        row->procs = procs;
        row->band = band;
        row->shortest = row->longest = length;
        use(bounds, row);
        clear(row);
    }
    add_length(row, length);
    if (procs < row->procs) {
        row->procs = procs;
        clear(row);
    }
    return row;
}

void loom_bound_raise(struct loom_bound_row *row, unsigned length, int64_t from_s)
{
    for (; length <= row->longest && row->from_s[length] < from_s; length++)
        row->from_s[length] = from_s;
}

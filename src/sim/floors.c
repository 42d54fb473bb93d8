/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The latest of all starts told of jobs no wider and no longer than the one asked for: a maximum
 * over a corner of a table of widths and lengths, by a binary indexed tree in both (Fenwick 1994).
 */
#include "sim/floors.h"

#include "sim/bands.h"

#include <stdlib.h>

/* Indices count from 1, as those trees do. */
enum { LENGTHS = 16 * 46 };

struct loom_floor {
    int64_t start_s;
    uint64_t era;
};

/* The first step not below a value. */
static unsigned step_above(int64_t value)
{
    return loom_length_step(value - 1) + 1;
}

static struct loom_floor *cell_at(const struct loom_floors *floors, unsigned width, unsigned length)
{
    return &floors->cells[width * (LENGTHS + 1) + length];
}

void loom_floors_free(struct loom_floors *floors)
{
    free(floors->cells);
    free(floors->since);
    *floors = (struct loom_floors){0};
}

int64_t loom_floors_ask(const struct loom_floors *floors, int64_t procs, int64_t length_s)
{
    unsigned longest = loom_length_step(length_s);
    int64_t latest_s = 0;
    if (!floors->cells)
        return 0;
    longest = longest < LENGTHS ? longest : LENGTHS;
    procs = procs < floors->widest ? procs : floors->widest;
    for (unsigned width = loom_length_step(procs); width > 0; width &= width - 1)
        for (unsigned length = longest; length > 0; length &= length - 1) {
            const struct loom_floor *cell = cell_at(floors, width, length);
            if (cell->era >= floors->since[width] && cell->start_s > latest_s)
                latest_s = cell->start_s;
        }
    return latest_s;
}

/* The width of a cell stands for those down to behind the one without its last bit. */
void loom_floors_forget(struct loom_floors *floors, int64_t procs)
{
    if (!floors->cells)
        return;
    procs = procs < floors->widest ? procs : floors->widest;
    unsigned widths = loom_length_step(floors->widest), most = procs < 1 ? 0 : step_above(procs);
    floors->era++;
    for (unsigned width = 1; width <= widths; width++)
        if ((width & (width - 1)) < most)
            floors->since[width] = floors->era;
}

static int make_cells(struct loom_floors *floors, unsigned widths)
{
    floors->cells = calloc((size_t)(widths + 1) * (LENGTHS + 1), sizeof *floors->cells);
    floors->since = calloc(widths + 1, sizeof *floors->since);
    if (floors->cells && floors->since) {
        floors->era = 1; /* not that of empty cells */
        for (unsigned width = 0; width <= widths; width++)
            floors->since[width] = 1;
        return 0;
    }
    free(floors->cells);
    free(floors->since);
    floors->cells = NULL;
    floors->since = NULL;
    return -1;
}

void loom_floors_tell(struct loom_floors *floors, int64_t procs, int64_t length_s, int64_t start_s)
{
    unsigned widths = loom_length_step(floors->widest);
    if (!floors->cells && make_cells(floors, widths))
        return;
    for (unsigned width = step_above(procs); width <= widths; width += width & -width)
        for (unsigned length = step_above(length_s); length <= LENGTHS;
             length += length & -length) {
            struct loom_floor *cell = cell_at(floors, width, length);
            if (cell->era < floors->since[width] || cell->start_s < start_s)
                *cell = (struct loom_floor){start_s, floors->era};
        }
}

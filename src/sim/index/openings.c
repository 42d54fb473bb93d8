/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times before which nothing opens, by width and length. In a row they never fall with length, so
 * that what is raised or lowered is a stretch of it, at one end of which the loop can stop. */
#include "sim/index/openings.h"

#include <stdlib.h>
#include <string.h>

void loom_openings_reset(struct loom_openings *openings)
{
    for (unsigned i = 0; i < openings->upto[LOOM_OPENING_ROWS - 1]; i++)
        openings->used[i]->users = 0;
    memset(openings->upto, 0, sizeof openings->upto);
    loom_openings_forget(openings);
}

void loom_openings_free(struct loom_openings *openings)
{
    for (unsigned rank = 0; rank < LOOM_OPENING_ROWS; rank++)
        free(openings->all[rank]);
    *openings = (struct loom_openings){0};
}

void loom_opening_clear(struct loom_opening_row *row, uint64_t era)
{
    row->era = era;
    for (unsigned length = row->shortest; length <= row->longest; length++)
        row->from_s[length] = INT64_MIN;
}

/* Take a length into a row. What is known of shorter ones holds for longer ones, and nothing is
 * known of what is shorter than all. */
static void stretch(struct loom_opening_row *row, unsigned length)
{
    while (row->longest < length) {
        row->from_s[row->longest + 1] = row->from_s[row->longest];
        row->longest++;
    }
    while (row->shortest > length)
        row->from_s[--row->shortest] = INT64_MIN;
}

static struct loom_opening_row *new_row(unsigned rank)
{
    struct loom_opening_row *row = malloc(sizeof *row);
    if (!row)
        return NULL;
    row->rank = rank;
    row->users = 0;
    return row;
}

/* A row has its first user. */
static void begin_row(struct loom_opening_row *row, int32_t procs, unsigned length, uint64_t era)
{
    row->procs = procs;
    row->shortest = row->longest = length;
    loom_opening_clear(row, era);
}

/* Count a row that stands between its neighbours, or no longer does. */
static void recount(struct loom_openings *openings, unsigned rank, int by)
{
    for (; rank < LOOM_OPENING_ROWS; rank++)
        openings->upto[rank] = (uint8_t)(openings->upto[rank] + by);
}

static void put_in(struct loom_openings *openings, struct loom_opening_row *row)
{
    unsigned at = openings->upto[row->rank], n = openings->upto[LOOM_OPENING_ROWS - 1];
    memmove(openings->used + at + 1, openings->used + at, (n - at) * sizeof row);
    openings->used[at] = row;
    recount(openings, row->rank, 1);
}

static void take_out(struct loom_openings *openings, const struct loom_opening_row *row)
{
    unsigned after = openings->upto[row->rank], n = openings->upto[LOOM_OPENING_ROWS - 1];
    memmove(openings->used + after - 1, openings->used + after, (n - after) * sizeof row);
    recount(openings, row->rank, -1);
}

int loom_openings_join(struct loom_openings *openings, int32_t procs, int64_t length_s,
                       struct loom_opening *opening)
{
    unsigned rank = loom_width_band(procs), length = loom_length_step(length_s);
    length = length < LOOM_OPENING_LENGTHS ? length : LOOM_OPENING_LENGTHS - 1;
    struct loom_opening_row *row = openings->all[rank];
    if (!row)
        row = openings->all[rank] = new_row(rank);
    if (!row)
        return -1;
    if (row->users++ == 0) {
        put_in(openings, row);
        begin_row(row, procs, length, openings->era);
    }
    stretch(row, length);
    if (procs < row->procs) {
        row->procs = procs;
        loom_opening_clear(row, openings->era);
    }
    *opening = (struct loom_opening){(uint16_t)rank, (uint16_t)length};
    return 0;
}

void loom_openings_leave(struct loom_openings *openings, struct loom_opening opening)
{
    struct loom_opening_row *row = loom_opening_row(openings, opening);
    if (--row->users == 0)
        take_out(openings, row);
}

void loom_opening_raise(const struct loom_openings *openings, struct loom_opening opening,
                        int64_t from_s)
{
    struct loom_opening_row *row = loom_opening_row(openings, opening);
    for (unsigned at = opening.length; at <= row->longest && row->from_s[at] < from_s; at++)
        row->from_s[at] = from_s;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * swf/eight.h - eight lines of SWF at once, where the processor has wide registers.
 */
#ifndef LOOM_TRACE_FORMATS_SWF_EIGHT_H
#define LOOM_TRACE_FORMATS_SWF_EIGHT_H

#include "trace/table.h"

enum { LOOM_SWF_ROWS = 64, LOOM_SWF_AT_ONCE = 8 };

/* Rows on their way to the table: few enough to stay in the processor's nearest cache. */
struct loom_swf_rows {
    size_t n;
#define X(name, type, what) type name[LOOM_SWF_ROWS];
    LOOM_COLUMNS(X)
#undef X
};

/* Read eight lines of 18 words into the rows from rows->n on, of which there must be room for
 * eight; rows->n stays. ends are the ends of the lines' words, 18 for each line, as positions in
 * text, which must be readable for 24 bytes before. Returns a bit for each line that was not read,
 * the first line's being bit 0: such a line is unusual or wrong, and its row holds nothing. Needs
 * loom_is_wide(). */
unsigned loom_swf_read_eight(struct loom_swf_rows *rows, const char *text, const uint32_t *ends);

#endif

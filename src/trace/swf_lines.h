/* SPDX-License-Identifier: GPL-3.0-or-later */
/* swf_lines.h - lines of SWF text into rows of the job table: what each thread of the reader does.
 */
#ifndef LOOM_TRACE_SWF_LINES_H
#define LOOM_TRACE_SWF_LINES_H

#include "trace/edges.h"
#include "trace/source.h"
#include "trace/table.h"

enum {
    LOOM_SWF_FIELDS = LOOM_COLUMN_COUNT,
    LOOM_SWF_SHORTEST_LINE = 2 * LOOM_SWF_FIELDS, /* a digit and a blank or newline each */
    LOOM_SWF_LAYOUTS = 8,
};

/* A remark found among the jobs, to be added to the header in order. */
struct loom_swf_remark {
    char *text;
    size_t length;
};

/* What came out of one chunk. */
struct loom_swf_part {
    size_t first_row, jobs;
    struct loom_swf_remark *remarks;
    size_t n_remarks, remarks_capacity;
    struct loom_range ranges[LOOM_COLUMN_COUNT]; /* of its rows */
    int64_t bad_lines, rounded;
    struct loom_error first_bad; /* the first line skipped, or the one that ended the reading */
};

void loom_swf_part_free(struct loom_swf_part *part);

/* Where the numbers of a line stand, as far as they end at the same places in line after line.
 * Field k reaches from the end of field k - 1 to its own end; entries past the last field repeat
 * the first, so that fields can be taken four at a time. */
enum { LOOM_SWF_SLOTS = (LOOM_SWF_FIELDS + 3) / 4 * 4 };

struct loom_swf_layout {
    size_t length;                   /* of the line with its newline; 0 if nothing is known */
    uint32_t end[LOOM_SWF_SLOTS];    /* past the last digit, from the start of the line */
    uint64_t inside[LOOM_SWF_SLOTS]; /* which of the 8 bytes before the end belong to the field */
    uint64_t joint[LOOM_SWF_SLOTS];  /* which of them parts it from the field before */
    uint64_t before[LOOM_SWF_SLOTS]; /* which of the 8 bytes before those also belong to it */
    uint32_t reaching[LOOM_SWF_FIELDS], n_reaching; /* fields that have such bytes */
};

/* What one thread works with. */
struct loom_swf_scratch {
    struct loom_edges edges;
    struct loom_swf_layout layouts[LOOM_SWF_LAYOUTS]; /* by length of line */
};

int loom_swf_scratch_init(struct loom_swf_scratch *scratch, struct loom_error *err);
void loom_swf_scratch_free(struct loom_swf_scratch *scratch);

/* Read the lines of a chunk into the rows from part->first_row on. Under skip_bad, bad lines are
 * counted in part; otherwise the first one ends the reading with its error. file is for messages.
 */
int loom_swf_read_lines(struct loom_swf_scratch *scratch, const struct loom_columns *columns,
                        const struct loom_chunk *chunk, struct loom_swf_part *part, bool skip_bad,
                        const char *file, struct loom_error *err);

#endif

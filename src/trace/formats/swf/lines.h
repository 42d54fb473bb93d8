/* SPDX-License-Identifier: GPL-3.0-or-later */
/* swf/lines.h - lines of SWF text into rows of the job table: what each thread of the reader does.
 */
#ifndef LOOM_TRACE_FORMATS_SWF_LINES_H
#define LOOM_TRACE_FORMATS_SWF_LINES_H

#include "trace/formats/swf/ends.h"
#include "trace/input.h"
#include "trace/table.h"

enum {
    LOOM_SWF_FIELDS = LOOM_COLUMN_COUNT,
    LOOM_SWF_SHORTEST_LINE = 2 * LOOM_SWF_FIELDS, /* a digit and a blank or newline each */
    LOOM_SWF_ROWS = 64,
};

/* A remark found among the jobs, to be added to the header in order. */
struct loom_swf_remark {
    char *text;
    size_t length;
};

/* What came out of one chunk. */
struct loom_swf_part {
    size_t first_row, jobs;
    struct loom_job first;          /* its first job */
    bool varies[LOOM_COLUMN_COUNT]; /* a column that does not is not in the table yet */
    struct loom_swf_remark *remarks;
    size_t n_remarks, remarks_capacity;
    int64_t bad_lines, rounded;
    struct loom_error first_bad; /* the first line skipped, or the one that ended the reading */
};

void loom_swf_part_free(struct loom_swf_part *part);

/* Rows on their way to the table: few enough to stay in the processor's nearest cache. */
struct loom_swf_rows {
    size_t n;
#define X(name, type, what) type name[LOOM_SWF_ROWS];
    LOOM_COLUMNS(X)
#undef X
};

/* What one thread works with. */
struct loom_swf_scratch {
    bool wide; /* read eight lines at once */
    struct loom_ends ends;
    struct loom_swf_rows rows;
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

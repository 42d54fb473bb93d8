/* SPDX-License-Identifier: GPL-3.0-or-later */
/* swf/stamp.h - lines of jobs that look alike, a column at a time. */
#ifndef LOOM_TRACE_FORMATS_SWF_STAMP_H
#define LOOM_TRACE_FORMATS_SWF_STAMP_H

#include <workloom/trace.h>

enum { LOOM_STAMP_JOBS = 128, LOOM_STAMP_SLACK = 8, LOOM_STAMP_SMALL = 1000 };

/* Texts of -1 and the numbers below LOOM_STAMP_SMALL, which most fields are. */
struct loom_stamp_texts {
    uint64_t text[1 + LOOM_STAMP_SMALL];
};
void loom_stamp_texts_init(struct loom_stamp_texts *texts);

/* Which columns do not have one and the same value in all jobs of a block. It is found for many
 * jobs at a time, since columns are fastest gone through in long pieces. */
struct loom_stamp_plan {
    bool varies[LOOM_COLUMN_COUNT];
};
void loom_stamp_plan(struct loom_stamp_plan *plan, const struct loom_jobs *jobs, size_t from,
                     size_t to);

/* The jobs [from, to) of the block of the plan, LOOM_STAMP_JOBS at most; the line of the first is
 * in [at, next). Put those that follow it as long as each field is as long as in the first, and
 * return how many jobs there are then, the first included, each with a line as long as its. A field
 * is as wide as widths say, or wider if it has to be. Up to LOOM_STAMP_SLACK bytes after the last
 * line may change. */
size_t loom_stamp_lines(char *at, const char *next, const struct loom_jobs *jobs, size_t from,
                        size_t to, const int *widths, const struct loom_stamp_texts *texts,
                        const struct loom_stamp_plan *plan);

#endif

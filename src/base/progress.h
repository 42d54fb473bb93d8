/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * progress.h - counting progress, and a progress line on a terminal.
 */
#ifndef LOOM_BASE_PROGRESS_H
#define LOOM_BASE_PROGRESS_H

#include <workloom/base.h>

/* Count amount more as done. progress may be NULL: nobody asked. */
void loom_progress_add(struct loom_progress *progress, uint64_t amount);

/* Create a progress that draws a line on stderr; NULL, a silent progress, if stderr is no terminal,
 * quiet is true or memory is out. total is the amount at the end, 0 if unknown. The caller must
 * destroy the result with loom_progress_destroy. */
struct loom_progress *loom_progress_create(const char *label, const char *unit, uint64_t total,
                                           bool quiet);

/* Clear the line and free a progress of loom_progress_create; NULL is allowed. All threads that add
 * must have finished. */
void loom_progress_destroy(struct loom_progress *progress);

/* What a line says, apart from when and where it is drawn. */
struct loom_progress_view {
    const char *label; /* "reading log.swf" */
    const char *unit;  /* "jobs"; a unit of one letter stands right after its prefix, as in "MB" */
    uint64_t done;
    uint64_t total; /* 0 if unknown */
    double elapsed_s;
    unsigned columns; /* of the terminal; 0 means 80. The last one stays free. */
};

/* Write the line into buf, NUL-terminated and cut to what fits. Returns its length in bytes.
 *
 *     reading log.swf  [==========>          ]   52%  1.2 M jobs/s  0:12 left
 *     reading log.swf  3.4 M jobs  1.2 M jobs/s  0:03              (total unknown: time gone)
 */
size_t loom_progress_format(const struct loom_progress_view *view, char *buf, size_t size);

#endif

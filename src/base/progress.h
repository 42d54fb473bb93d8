/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * progress.h - what a progress line says, apart from when and where it is drawn.
 */
#ifndef LOOM_BASE_PROGRESS_H
#define LOOM_BASE_PROGRESS_H

#include <stddef.h>
#include <stdint.h>

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

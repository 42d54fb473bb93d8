/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * window.h - a window of time as a person gives it, "FROM:TO". Either end is a time from the
 * beginning (3600, 90m, 12h, 3d) or a date in the log's zone (2003-03-03 or 2003-03-03T12:00).
 */
#ifndef LOOM_TRACE_WINDOW_H
#define LOOM_TRACE_WINDOW_H

#include <workloom/trace.h>

struct loom_window_text {
    char from[32], to[32];
    bool dated; /* an end is a date */
};

/* Split "FROM:TO", naming the parameter in a failure: LOOM_EUSAGE where it is none, or where both
 * ends are times from the beginning and the window is empty. */
int loom_window_split(struct loom_window_text *out, const char *text, const char *name,
                      struct loom_error *err);
/* Resolve its ends to times of the log, of which origin_s is the beginning. LOOM_EUSAGE for a date
 * that does not exist, or an empty window. */
int loom_window_resolve(int64_t *from_s, int64_t *to_s, const struct loom_window_text *text,
                        const struct loom_trace *trace, int64_t origin_s, const char *name,
                        struct loom_error *err);

#endif

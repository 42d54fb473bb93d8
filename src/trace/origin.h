/* SPDX-License-Identifier: GPL-3.0-or-later */
/* origin.h - what the header says of how a log was made. */
#ifndef LOOM_TRACE_ORIGIN_H
#define LOOM_TRACE_ORIGIN_H

#include <workloom/trace.h>

/* Return whether `workloom resample` made the log and no `workloom simulate` scheduled it since:
 * its waits are those of other submissions. */
bool loom_trace_resampled(const struct loom_trace *trace);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* queue.h - which queues are for interactive jobs. */
#ifndef LOOM_TRACE_QUEUE_H
#define LOOM_TRACE_QUEUE_H

#include <workloom/trace.h>

/* A queue is interactive if its name holds that word, in any case and not negated
 * ("noninteractive", "non-interactive", "non_interactive"), or if it is number 0 and has no name,
 * as SWF suggests. */
bool loom_queue_is_interactive(const struct loom_trace *trace, int32_t queue);
/* Some queue that the header names is interactive, even if no job is in it. */
bool loom_trace_has_interactive_queue(const struct loom_trace *trace);

#endif

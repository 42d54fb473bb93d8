/* SPDX-License-Identifier: GPL-3.0-or-later */
/* select.h - how a person names a user or a queue, for whatever takes such names. */
#ifndef LOOM_TRACE_SELECT_H
#define LOOM_TRACE_SELECT_H

#include <workloom/trace.h>

/* The number that a text means: digits are the number itself, anything else is looked up in the
 * trace's names. An unknown name fails, with the nearest known one in the message. */
int loom_trace_resolve(int32_t *out, const struct loom_trace *trace, enum loom_name_kind kind,
                       const char *text, size_t length, struct loom_error *err);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* swf/write.h - the writing half of the Standard Workload Format. */
#ifndef LOOM_TRACE_FORMATS_SWF_WRITE_H
#define LOOM_TRACE_FORMATS_SWF_WRITE_H

#include <workloom/trace.h>

int loom_swf_write(const struct loom_trace *trace, struct loom_output *out,
                   const struct loom_write_options *options, struct loom_error *err);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool.h - what trace has for the command beyond the public interface. */
#ifndef LOOM_TRACE_TOOL_H
#define LOOM_TRACE_TOOL_H

#include "trace/instant.h"
#include "trace/origin.h"
#include "trace/unpack.h"
#include "trace/window.h"

struct loom_output_set;

/* Write a trace as loom_trace_write, to a file that appears with the others of a set (NULL: at
 * once). */
int loom_trace_write_set(const struct loom_trace *trace, const char *path,
                         const struct loom_write_options *options, struct loom_output_set *set,
                         struct loom_error *err);

/* Check that a trace could be written there, before long work whose result it is. options may be
 * NULL. Leaves nothing behind. Fails as loom_trace_write would. */
int loom_trace_writable(const char *path, const struct loom_write_options *options,
                        struct loom_error *err);

/* Check that the format of path can say all that these jobs are, before long work that ends in
 * writing them. options may be NULL. LOOM_EDATA if it cannot. */
int loom_trace_holdable(const struct loom_trace *trace, const char *path,
                        const struct loom_write_options *options, struct loom_error *err);

/* The declared parameters of a struct loom_application. */
extern const struct loom_param loom_application_params[];

/* Fill *out from their values. Returns whether "structure" was given. */
bool loom_application_take(struct loom_application *out, const struct loom_params *params);

/* Return whether these parameters, of loom_select_params, select every job of any trace. */
bool loom_selects_all(const struct loom_params *params);

/* Return which jobs of a trace the parameters select: ran, completed or all. Where select is not
 * given and no job has allocated processors, which jobs ran is unknown, and all are taken with the
 * processors they requested. Static, or valid as long as the parameters. */
const char *loom_select_which(const struct loom_params *params, const struct loom_trace *trace);

/* Select as loom_select does, by loom_select_which. */
int loom_select_known(uint8_t *keep, const struct loom_trace *trace,
                      const struct loom_params *params, struct loom_error *err);

#endif

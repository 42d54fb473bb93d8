/* SPDX-License-Identifier: GPL-3.0-or-later */
/* classes.h - classes of jobs by processors and runtime, the same in logs and simulations. */
#ifndef LOOM_TRACE_CLASSES_H
#define LOOM_TRACE_CLASSES_H

#include <workloom/trace.h>

enum { LOOM_RUNTIME_CLASSES = 7 };

/* Return the power of two that ends the class of a number of processors: 1, 2, 3-4, 5-8, ... */
int64_t loom_size_class(int64_t procs);

/* Return the index of the class of a runtime: up to 10 s, 1 min, 10 min, 1 h, 6 h, 1 day, longer.
 */
int loom_runtime_class(int64_t run_s);

/* Return the longest runtime of a class; INT64_MAX for the last. */
int64_t loom_runtime_class_end(int class_index);

/* Return what a runtime class is called: "up to 1 min". Static. */
const char *loom_runtime_class_text(int class_index);

/* Write "3-4", or the one number of the class, to buf. Returns buf. */
const char *loom_size_class_text(int64_t end, char *buf, size_t size);

/* Write the name of a user, queue, ... to buf: the trace's (which may be NULL), else the number;
 * "unknown" below 0. Returns buf. */
const char *loom_number_text(const struct loom_trace *trace, enum loom_name_kind kind,
                             int64_t number, char *buf, size_t size);

#endif

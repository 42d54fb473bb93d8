/* SPDX-License-Identifier: GPL-3.0-or-later */
/* job_classes.h - classes of jobs by processors and by length of time, for metrics by class. */
#ifndef LOOM_TRACE_JOB_CLASSES_H
#define LOOM_TRACE_JOB_CLASSES_H

#include <workloom/trace.h>

/* Return the most processors in the class of a job: 1, 2, 4, 8, ..., at least procs. */
int64_t loom_size_class(int64_t procs);
/* Format the name of a class of sizes, "3-4". Returns buf. */
const char *loom_size_class_text(int64_t from, int64_t to, char *buf, size_t size);

/* Return the index of the class of a length of time: up to 10 s, 1 min, 10 min, 1 h, 6 h, 1 day,
 * and longer. */
int loom_length_class(int64_t length_s);
/* Return the longest time of a class; INT64_MAX for the last. */
int64_t loom_length_class_end(int index);
/* Return the name of a class: "up to 1 h". Static. */
const char *loom_length_class_text(int index);

/* Format a number of a user, queue, ...: its name in the trace, which may be NULL, else the number,
 * "unknown" below 0. Returns buf. */
const char *loom_named_class_text(const struct loom_trace *trace, enum loom_name_kind kind,
                                  int64_t number, char *buf, size_t size);

#endif

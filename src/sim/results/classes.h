/* SPDX-License-Identifier: GPL-3.0-or-later */
/* classes.h - the class of one job, as in struct loom_sim_classes. */
#ifndef LOOM_SIM_RESULTS_CLASSES_H
#define LOOM_SIM_RESULTS_CLASSES_H

#include <workloom/sim_results.h>

/* Return the key of a job's class, which ascends with the class and fits 32 bits. Not for bags.
 * queue is used by LOOM_CLASS_QUEUE alone. */
int64_t loom_class_key(enum loom_class_kind kind, const struct loom_sim_job *job, int32_t queue);
/* Set the limits of the class with this key. */
void loom_class_range(int64_t *from, int64_t *to, enum loom_class_kind kind, int64_t key);
/* Write the name of the class with these limits to buf. Returns buf. */
const char *loom_class_text(enum loom_class_kind kind, int64_t from, int64_t to,
                            const struct loom_trace *trace, char *buf, size_t size);

#endif

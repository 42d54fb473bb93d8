/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * output_set.h - outputs that are written one after the other and appear together. For one thread
 * at a time.
 */
#ifndef LOOM_BASE_OUTPUT_SET_H
#define LOOM_BASE_OUTPUT_SET_H

#include <workloom/base.h>

struct loom_output_set;

/* Create an empty set, which the caller must destroy. */
int loom_output_set_create(struct loom_output_set **out, struct loom_error *err);

/* Finish an output and take ownership; it is committed with the set, and *out becomes NULL. If set
 * is NULL it is committed at once and the caller keeps it, as on failure. LOOM_EUSAGE if the set
 * has one of the same name. */
int loom_output_set_add(struct loom_output_set *set, struct loom_output **out,
                        struct loom_error *err);

/* Take over the outputs of another set, all unless memory is out. Its directories stay with it, and
 * the caller makes sure that no two outputs have the same name. */
int loom_output_set_join(struct loom_output_set *set, struct loom_output_set *other,
                         struct loom_error *err);

/* Make a directory for outputs of the set, if it is not there. One that had to be made is removed
 * again if the set is not committed. */
int loom_output_set_directory(struct loom_output_set *set, const char *path,
                              struct loom_error *err);

/* Return the name of an output that was added and not yet committed; NULL past the last. */
const char *loom_output_set_name(const struct loom_output_set *set, size_t index);

/* Commit all that was added; more may be added, and committed, after. */
int loom_output_set_commit(struct loom_output_set *set, struct loom_error *err);

/* Free set, which may be NULL; outputs that were not committed leave nothing behind. */
void loom_output_set_destroy(struct loom_output_set *set);

#endif

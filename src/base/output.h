/* SPDX-License-Identifier: GPL-3.0-or-later */
/* output.h - functions of outputs for the library alone. */
#ifndef LOOM_BASE_OUTPUT_H
#define LOOM_BASE_OUTPUT_H

#include <workloom/base.h>

/* Check that path could be written, before long work whose result goes there. Leaves nothing
 * behind, and pipes and devices undisturbed. LOOM_EIO if it could not. */
int loom_output_check(const char *path, struct loom_error *err);

/* Check the same of files in a directory, which may have to be made. */
int loom_output_check_directory(const char *path, struct loom_error *err);

/* Pack with gzip all that is written from here on: one member for each block, as every gunzip
 * reads. */
int loom_output_gzip(struct loom_output *out, struct loom_error *err);

/* Return the path, borrowed from out; "stdout" for "-". */
const char *loom_output_name(const struct loom_output *out);

/* Return whether both will be renamed to the same name in the same directory. */
bool loom_output_same_file(const struct loom_output *a, const struct loom_output *b);

/* Sync all bytes to disk, under the temporary name if there is one; nothing more can be written. A
 * commit does this too if needed. */
int loom_output_finish(struct loom_output *out, struct loom_error *err);

/* Commit files that belong together: none is renamed before all have reached the disk, and signals
 * are blocked in this thread meanwhile. Where one cannot be renamed, those that were not there
 * before are removed again. */
int loom_output_commit_all(struct loom_output *const *outs, size_t n, struct loom_error *err);

#endif

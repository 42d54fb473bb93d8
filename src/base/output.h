/* SPDX-License-Identifier: GPL-3.0-or-later */
/* output.h - what the library, and a set of outputs, ask of an output beyond its public functions.
 */
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

/* Bring all bytes to the disk, under the temporary name if there is one; nothing more can be
 * written. A commit does this too, where it has not been done. */
int loom_output_finish(struct loom_output *out, struct loom_error *err);

/* Commit files that belong together: none is renamed before all have reached the disk, and no
 * signal that this thread would handle comes between. Where one cannot be renamed, those that were
 * not there before are removed again. */
int loom_output_commit_all(struct loom_output *const *outs, size_t n, struct loom_error *err);

#endif

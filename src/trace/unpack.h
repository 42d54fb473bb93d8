/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unpack.h - unpacking a file in memory: gzip, zstd, xz or bzip2, found by its first bytes. */
#ifndef LOOM_TRACE_UNPACK_H
#define LOOM_TRACE_UNPACK_H

#include "base/pages.h"

#include <workloom/base.h>

enum { LOOM_MAGIC_BYTES = 6 }; /* enough to recognise a packed file */

/* Return whether data begins as a packed file does. */
bool loom_is_packed(const void *data, size_t size);

/* Return the length of the suffix that a packed file has (".gz", ".zst", ".xz", ".bz2") at the end
 * of a path; 0 if it has none. */
size_t loom_packed_suffix(const char *path);

/* Unpack all members, frames or streams of data into out, from offset `margin` on, leaving `margin`
 * bytes free behind. *size is the length of the text. More than max_bytes of text (0: no limit) is
 * refused. file is for messages. */
int loom_unpack(struct loom_pages *out, size_t margin, size_t *size, const void *data,
                size_t data_size, uint64_t max_bytes, const char *file, struct loom_error *err);

#endif

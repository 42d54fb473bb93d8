/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gunzip.h - unpacking a gzip file, of one member or several, in memory. */
#ifndef LOOM_TRACE_GUNZIP_H
#define LOOM_TRACE_GUNZIP_H

#include "base/pages.h"

#include <workloom/base.h>

bool loom_is_gzip(const void *data, size_t size);

/* Unpack all members of data into out, from offset `margin` on, leaving `margin` bytes free behind.
 * *size is the length of the text. More than max_bytes of text (0: no limit) is refused before it
 * is unpacked. file is for messages. */
int loom_gunzip(struct loom_pages *out, size_t margin, size_t *size, const void *data,
                size_t data_size, uint64_t max_bytes, const char *file, struct loom_error *err);

#endif

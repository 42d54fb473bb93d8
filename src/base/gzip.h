/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gzip.h - packing blocks of bytes, each into a gzip member of its own. */
#ifndef LOOM_BASE_GZIP_H
#define LOOM_BASE_GZIP_H

#include <stddef.h>

struct loom_gzip;

/* NULL when memory is out. */
struct loom_gzip *loom_gzip_create(void);
void loom_gzip_destroy(struct loom_gzip *gzip);
/* Pack one block. *packed is borrowed until the next call. 0, or -1 when memory is out. */
int loom_gzip_pack(struct loom_gzip *gzip, const void *data, size_t size, const char **packed,
                   size_t *packed_size);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Packing by libdeflate at gzip's own default level. */
#include "base/gzip.h"

#include <libdeflate.h>
#include <stdlib.h>

enum { LEVEL = 6 };

struct loom_gzip {
    struct libdeflate_compressor *engine;
    char *packed;
    size_t room;
};

struct loom_gzip *loom_gzip_create(void)
{
    struct loom_gzip *gzip = calloc(1, sizeof *gzip);
    if (!gzip)
        return NULL;
    gzip->engine = libdeflate_alloc_compressor(LEVEL);
    if (gzip->engine)
        return gzip;
    free(gzip);
    return NULL;
}

void loom_gzip_destroy(struct loom_gzip *gzip)
{
    if (!gzip)
        return;
    libdeflate_free_compressor(gzip->engine);
    free(gzip->packed);
    free(gzip);
}

int loom_gzip_pack(struct loom_gzip *gzip, const void *data, size_t size, const char **packed,
                   size_t *packed_size)
{
    size_t bound = libdeflate_gzip_compress_bound(gzip->engine, size);
    if (bound > gzip->room) {
        char *larger = realloc(gzip->packed, bound);
        if (!larger)
            return -1;
        gzip->packed = larger;
        gzip->room = bound;
    }
    *packed_size = libdeflate_gzip_compress(gzip->engine, data, size, gzip->packed, gzip->room);
    *packed = gzip->packed;
    return *packed_size ? 0 : -1;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hash.h - the one hash function in use: XXH3, 64 bits, the same on every machine. */
#ifndef LOOM_BASE_HASH_H
#define LOOM_BASE_HASH_H

#include <xxhash.h>

static inline uint64_t loom_hash(const void *data, size_t size)
{
    return XXH3_64bits(data, size);
}

#endif

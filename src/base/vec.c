/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/vec.h"

int loom_grow_bytes(void *pointer, size_t count, size_t *capacity, size_t item_size)
{
    if (count < *capacity)
        return 0;
    size_t wanted = *capacity < 8 ? 8 : *capacity * 2;
    if (wanted > SIZE_MAX / item_size)
        return -1;
    void *items; /* copied as bytes: pointers to different types may not alias */
    memcpy(&items, pointer, sizeof items);
    items = realloc(items, wanted * item_size);
    if (!items)
        return -1;
    memcpy(pointer, &items, sizeof items);
    *capacity = wanted;
    return 0;
}

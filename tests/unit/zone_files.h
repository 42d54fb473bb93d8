/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zone_files.h - files of time zones (TZif) made to measure, for the tests of those who read them.
 */
#ifndef LOOM_TESTS_ZONE_FILES_H
#define LOOM_TESTS_ZONE_FILES_H

#include "support.h"

#include <string.h>

struct bytes {
    unsigned char data[4096];
    size_t size;
};

static inline void put(struct bytes *to, const void *data, size_t size)
{
    assert_true(to->size + size <= sizeof to->data);
    memcpy(to->data + to->size, data, size);
    to->size += size;
}

static inline void put_number(struct bytes *to, int64_t number, size_t width)
{
    unsigned char bytes[8];
    for (size_t i = 0; i < width; i++)
        bytes[i] = (unsigned char)((uint64_t)number >> 8 * (width - 1 - i));
    put(to, bytes, width);
}

/* What a zone file says: changes at[i] to the offset of type to[i]. */
struct zone_plan {
    size_t n_times, n_types;
    int64_t at[4];
    unsigned char to[4];
    int32_t east[4];
};

static inline void put_block(struct bytes *to, const struct zone_plan *plan, char version,
                             size_t width)
{
    static const char reserved[15];
    put(to, "TZif", 4);
    put(to, &version, 1);
    put(to, reserved, sizeof reserved);
    put_number(to, 1, 4); /* UTC/local indicators, */
    put_number(to, 1, 4); /* standard/wall indicators, */
    put_number(to, 1, 4); /* leap seconds: there to be skipped */
    put_number(to, (int64_t)plan->n_times, 4);
    put_number(to, (int64_t)plan->n_types, 4);
    put_number(to, 4, 4);
    for (size_t i = 0; i < plan->n_times; i++)
        put_number(to, plan->at[i], width);
    put(to, plan->to, plan->n_times);
    for (size_t i = 0; i < plan->n_types; i++) {
        put_number(to, plan->east[i], 4);
        put(to, "\0\0", 2);
    }
    put(to, "ABC", 4);
    put_number(to, 78796800, width);
    put_number(to, 1, 4);
    put(to, "\0\0", 2);
}

static inline struct bytes zone_file(const struct zone_plan *plan, char version, const char *footer)
{
    struct bytes file = {.size = 0};
    put_block(&file, plan, version, 4);
    if (version >= '2') {
        put_block(&file, plan, version, 8);
        put(&file, "\n", 1);
        put(&file, footer, strlen(footer));
        put(&file, "\n", 1);
    }
    return file;
}

/* A zone of which only the footer says anything. */
static const struct zone_plan footer_only = {.n_types = 1, .east = {0}};

#endif

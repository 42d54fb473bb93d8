/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Gzip by libdeflate, which is two to three times as fast as zlib but wants the whole output to
 * fit. The size is guessed from the trailer of the last member (right for the common file of one
 * member below 4 GiB) and doubled, with the member unpacked again, whenever it was too small.
 */
#include "trace/gunzip.h"

#include "base/error.h"

#include <libdeflate.h>
#include <string.h>

/* deflate cannot pack tighter than this, so a trailer that claims more is wrong. */
enum { MAX_RATIO = 1032, MIN_MEMBER = 18 };

bool loom_is_gzip(const void *data, size_t size)
{
    const unsigned char *bytes = data;
    return size >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b;
}

static size_t guess_size(const unsigned char *data, size_t size)
{
    if (size < MIN_MEMBER)
        return 4096;
    const unsigned char *t = data + size - 4;
    size_t claimed = (size_t)t[0] | (size_t)t[1] << 8 | (size_t)t[2] << 16 | (size_t)t[3] << 24;
    return claimed / MAX_RATIO <= size && claimed > size ? claimed : 4 * size;
}

static bool all_zero(const unsigned char *data, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (data[i])
            return false;
    return true;
}

struct unpacking {
    struct libdeflate_decompressor *engine;
    struct loom_pages *out;
    size_t margin;
    size_t done;  /* bytes of text so far */
    size_t limit; /* most bytes of text allowed */
    const char *file;
};

static int too_large(const struct unpacking *u, struct loom_error *err)
{
    int rc =
        loom_fail_at(err, LOOM_ERANGE, u->file, 0, 0,
                     "unpacks to more than %zu bytes; raise max_bytes if that is right", u->limit);
    return loom_blame(rc, "max_bytes", err);
}

/* Room for wanted bytes of text, as far as the limit allows. */
static int make_room(struct unpacking *u, size_t wanted, struct loom_error *err)
{
    if (wanted > u->limit)
        wanted = u->limit;
    if (loom_pages_grow(u->out, wanted + 2 * u->margin))
        return loom_fail_memory(err);
    return 0;
}

static size_t room(const struct unpacking *u)
{
    size_t space = u->out->size - 2 * u->margin;
    return space < u->limit ? space : u->limit;
}

/* Unpack the member at data; *used is its packed size. */
static int unpack_member(struct unpacking *u, const unsigned char *data, size_t size, size_t *used,
                         struct loom_error *err)
{
    for (;;) {
        size_t made = 0;
        enum libdeflate_result result =
            libdeflate_gzip_decompress_ex(u->engine, data, size,
                                          u->out->memory + u->margin + u->done, room(u) - u->done,
                                          used, &made);
        if (result == LIBDEFLATE_SUCCESS) {
            u->done += made;
            return 0;
        }
        if (result != LIBDEFLATE_INSUFFICIENT_SPACE)
            return loom_fail_at(err, LOOM_EFORMAT, u->file, 0, 0,
                                "the gzip data is damaged or cut short; get the file again");
        if (room(u) >= u->limit)
            return too_large(u, err);
        int rc = make_room(u, 2 * room(u), err);
        if (rc)
            return rc;
    }
}

static int unpack_all(struct unpacking *u, const unsigned char *data, size_t size,
                      struct loom_error *err)
{
    size_t at = 0;
    while (at < size) {
        size_t used = 0;
        if (!loom_is_gzip(data + at, size - at)) {
            if (all_zero(data + at, size - at))
                return 0; /* tape and block padding */
            return loom_fail_at(err, LOOM_EFORMAT, u->file, 0, 0,
                                "there is something else behind the gzip data, at byte %zu", at);
        }
        int rc = unpack_member(u, data + at, size - at, &used, err);
        if (rc)
            return rc;
        at += used;
    }
    return 0;
}

int loom_gunzip(struct loom_pages *out, size_t margin, size_t *size, const void *data,
                size_t data_size, uint64_t max_bytes, const char *file, struct loom_error *err)
{
    struct unpacking u = {
        .engine = libdeflate_alloc_decompressor(),
        .out = out,
        .margin = margin,
        .limit = max_bytes && max_bytes < SIZE_MAX / 4 ? (size_t)max_bytes : SIZE_MAX / 4,
        .file = file,
    };
    if (!u.engine)
        return loom_fail_memory(err);
    int rc = make_room(&u, guess_size(data, data_size), err);
    if (!rc)
        rc = unpack_all(&u, data, data_size, err);
    libdeflate_free_decompressor(u.engine);
    *size = u.done;
    return rc;
}

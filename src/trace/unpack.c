/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Packed files: gzip, zstd, xz and bzip2, each behind the same three operations. A file may hold
 * several streams one after the other, as these tools allow; a stream that is cut short, and
 * anything else behind the last, is an error.
 *
 * Gzip is unpacked by libdeflate, which is two to three times as fast as zlib but needs room for a
 * whole stream. The size is guessed from the trailer of the last stream (right for the common file
 * of one stream below 4 GiB); a stream that does not fit is unpacked again into twice the room.
 *
 * Memory is the text, which is limited, and the decoder's: at most 128 MiB for zstd (its window),
 * 256 MiB for xz, 4 MiB for bzip2.
 */
#include "trace/unpack.h"

#include "base/error.h"

#include <bzlib.h>
#include <libdeflate.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <zstd.h>

static const size_t FIRST_ROOM = (size_t)1 << 16;
static const uint64_t XZ_MEMORY = (uint64_t)256 << 20;

/* What is left of the packed data and of the room for text. */
struct flow {
    const unsigned char *in;
    size_t in_size;
    char *out;
    size_t out_size;
};

enum step { STEP_MORE, STEP_END, STEP_DAMAGED, STEP_MEMORY, STEP_ROOM };

struct packing {
    const char *name, *suffix, *magic;
    size_t magic_size;
    /* Begin a stream; NULL if memory is out. */
    void *(*begin)(void);
    /* Unpack as much as fits, and move the flow on. STEP_END once at the end of each stream;
     * STEP_ROOM if nothing was unpacked because the room is too small for all of it. */
    enum step (*step)(void *state, struct flow *flow);
    void (*end)(void *state);
};

/* ---- gzip ------------------------------------------------------------------------------------ */

static void *gzip_begin(void)
{
    return libdeflate_alloc_decompressor();
}

static enum step gzip_step(void *state, struct flow *flow)
{
    size_t used, made;
    enum libdeflate_result result =
        libdeflate_gzip_decompress_ex(state, flow->in, flow->in_size, flow->out, flow->out_size,
                                      &used, &made);
    if (result != LIBDEFLATE_SUCCESS)
        return result == LIBDEFLATE_INSUFFICIENT_SPACE ? STEP_ROOM : STEP_DAMAGED;
    flow->in += used;
    flow->in_size -= used;
    flow->out += made;
    flow->out_size -= made;
    return STEP_END;
}

static void gzip_end(void *state)
{
    libdeflate_free_decompressor(state);
}

/* ---- zstd ------------------------------------------------------------------------------------ */

static void *zstd_begin(void)
{
    return ZSTD_createDStream();
}

static enum step zstd_step(void *state, struct flow *flow)
{
    ZSTD_inBuffer in = {flow->in, flow->in_size, 0};
    ZSTD_outBuffer out = {flow->out, flow->out_size, 0};
    size_t left = ZSTD_decompressStream(state, &out, &in);
    flow->in += in.pos;
    flow->in_size -= in.pos;
    flow->out += out.pos;
    flow->out_size -= out.pos;
    if (ZSTD_isError(left))
        return strstr(ZSTD_getErrorName(left), "llocation") ? STEP_MEMORY : STEP_DAMAGED;
    return left == 0 ? STEP_END : STEP_MORE;
}

static void zstd_end(void *state)
{
    ZSTD_freeDStream(state);
}

/* ---- xz -------------------------------------------------------------------------------------- */

static void *xz_begin(void)
{
    lzma_stream *stream = malloc(sizeof *stream);
    static const lzma_stream fresh = LZMA_STREAM_INIT;
    if (!stream)
        return NULL;
    *stream = fresh;
    if (lzma_stream_decoder(stream, XZ_MEMORY, 0) == LZMA_OK)
        return stream;
    free(stream);
    return NULL;
}

static enum step xz_step(void *state, struct flow *flow)
{
    lzma_stream *stream = state;
    stream->next_in = flow->in;
    stream->avail_in = flow->in_size;
    stream->next_out = (uint8_t *)flow->out;
    stream->avail_out = flow->out_size;
    lzma_ret result = lzma_code(stream, LZMA_RUN);
    flow->in = stream->next_in;
    flow->in_size = stream->avail_in;
    flow->out = (char *)stream->next_out;
    flow->out_size = stream->avail_out;
    return result == LZMA_STREAM_END                                   ? STEP_END
           : result == LZMA_MEM_ERROR || result == LZMA_MEMLIMIT_ERROR ? STEP_MEMORY
           : result == LZMA_OK || result == LZMA_BUF_ERROR             ? STEP_MORE
                                                                       : STEP_DAMAGED;
}

static void xz_end(void *state)
{
    lzma_end(state);
    free(state);
}

/* ---- bzip2 ----------------------------------------------------------------------------------- */

static void *bzip2_begin(void)
{
    bz_stream *stream = calloc(1, sizeof *stream);
    if (stream && BZ2_bzDecompressInit(stream, 0, 0) == BZ_OK)
        return stream;
    free(stream);
    return NULL;
}

/* Its counters are of 32 bits. */
static unsigned int at_most_32_bits(size_t size)
{
    return size < (1u << 30) ? (unsigned int)size : 1u << 30;
}

static enum step bzip2_step(void *state, struct flow *flow)
{
    bz_stream *stream = state;
    unsigned int in = at_most_32_bits(flow->in_size), out = at_most_32_bits(flow->out_size);
    /* The interface is older than const; the input is only read. */
    memcpy(&stream->next_in, &flow->in, sizeof flow->in);
    stream->avail_in = in;
    stream->next_out = flow->out;
    stream->avail_out = out;
    int result = BZ2_bzDecompress(stream);
    flow->in += in - stream->avail_in;
    flow->in_size -= in - stream->avail_in;
    flow->out += out - stream->avail_out;
    flow->out_size -= out - stream->avail_out;
    return result == BZ_STREAM_END  ? STEP_END
           : result == BZ_OK        ? STEP_MORE
           : result == BZ_MEM_ERROR ? STEP_MEMORY
                                    : STEP_DAMAGED;
}

static void bzip2_end(void *state)
{
    BZ2_bzDecompressEnd(state);
    free(state);
}

/* ---- all of them ----------------------------------------------------------------------------- */

static const struct packing packings[] = {
    {"gzip", ".gz", "\x1f\x8b", 2, gzip_begin, gzip_step, gzip_end},
    {"zstd", ".zst", "\x28\xb5\x2f\xfd", 4, zstd_begin, zstd_step, zstd_end},
    {"xz", ".xz",
     "\xfd"
     "7zXZ",
     6, xz_begin, xz_step, xz_end},
    {"bzip2", ".bz2", "BZh", 3, bzip2_begin, bzip2_step, bzip2_end},
};
enum { N_PACKINGS = sizeof packings / sizeof *packings };

static const struct packing *find_packing(const void *data, size_t size)
{
    for (size_t i = 0; i < N_PACKINGS; i++)
        if (size >= packings[i].magic_size &&
            memcmp(data, packings[i].magic, packings[i].magic_size) == 0)
            return &packings[i];
    return NULL;
}

bool loom_is_packed(const void *data, size_t size)
{
    return find_packing(data, size) != NULL;
}

size_t loom_packed_suffix(const char *path)
{
    size_t length = strlen(path);
    for (size_t i = 0; i < N_PACKINGS; i++) {
        size_t tail = strlen(packings[i].suffix);
        if (length > tail && strcasecmp(path + length - tail, packings[i].suffix) == 0)
            return tail;
    }
    return 0;
}

struct unpacking {
    const struct packing *packing;
    struct loom_pages *out;
    size_t margin, limit;
    size_t room; /* bytes of text that fit into out, at most limit + 1 */
    size_t done; /* bytes of text so far */
    const char *file;
};

static int too_large(const struct unpacking *u, struct loom_error *err)
{
    int rc =
        loom_fail_at(err, LOOM_ERANGE, u->file, 0, 0,
                     "unpacks to more than %zu bytes; raise max_bytes if that is right", u->limit);
    return loom_blame(rc, "max_bytes", err);
}

/* Make room for `wanted` bytes of text, as far as the limit allows: one byte more, so that going
 * beyond it is seen. */
static int make_unpack_room(struct unpacking *u, size_t wanted, struct loom_error *err)
{
    u->room = wanted < u->limit + 1 ? wanted : u->limit + 1;
    return loom_pages_grow(u->out, u->room + 2 * u->margin) ? loom_fail_memory(err) : 0;
}

/* Unpack one stream and move the flow behind it. */
static int unpack_stream(struct unpacking *u, void *state, struct flow *flow,
                         struct loom_error *err)
{
    enum step step = STEP_MORE;
    while (step != STEP_END) {
        int rc = 0;
        if (step == STEP_ROOM || u->room == u->done)
            rc = make_unpack_room(u, 2 * u->room, err);
        if (rc)
            return rc;
        size_t in_before = flow->in_size, out_before = u->room - u->done;
        flow->out = u->out->memory + u->margin + u->done;
        flow->out_size = out_before;
        step = u->packing->step(state, flow);
        u->done += out_before - flow->out_size;
        if (step == STEP_MEMORY)
            return loom_fail_memory(err);
        if (u->done > u->limit || (step == STEP_ROOM && u->room > u->limit))
            return too_large(u, err);
        bool stuck = flow->in_size == in_before && flow->out_size == out_before;
        if (step == STEP_DAMAGED || (step == STEP_MORE && stuck && flow->out_size > 0))
            return loom_fail_at(err, LOOM_EFORMAT, u->file, 0, 0,
                                "the %s data is damaged or cut short; get the file again",
                                u->packing->name);
    }
    return 0;
}

static bool all_zero(const unsigned char *data, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (data[i])
            return false;
    return true;
}

static int unpack_streams(struct unpacking *u, const unsigned char *data, size_t size,
                          struct loom_error *err)
{
    struct flow flow = {.in = data, .in_size = size};
    while (flow.in_size > 0) {
        if (find_packing(flow.in, flow.in_size) != u->packing) {
            if (all_zero(flow.in, flow.in_size))
                return 0; /* tape and block padding */
            return loom_fail_at(err, LOOM_EFORMAT, u->file, 0, 0,
                                "there is something else behind the %s data, at byte %zu",
                                u->packing->name, size - flow.in_size);
        }
        void *state = u->packing->begin();
        if (!state)
            return loom_fail_memory(err);
        int rc = unpack_stream(u, state, &flow, err);
        u->packing->end(state);
        if (rc)
            return rc;
    }
    return 0;
}

/* Return the size of the text that the trailer of gzip data claims, or four times the packed size
 * if that cannot be: deflate packs no tighter than 1:1032. */
static size_t guess_gzip(const unsigned char *data, size_t size)
{
    enum { MAX_RATIO = 1032, MIN_STREAM = 18 };
    if (size < MIN_STREAM)
        return FIRST_ROOM;
    const unsigned char *t = data + size - 4;
    size_t claimed = (size_t)t[0] | (size_t)t[1] << 8 | (size_t)t[2] << 16 | (size_t)t[3] << 24;
    return claimed / MAX_RATIO <= size && claimed > size ? claimed : 4 * size;
}

int loom_unpack(struct loom_pages *out, size_t margin, size_t *size, const void *data,
                size_t data_size, uint64_t max_bytes, const char *file, struct loom_error *err)
{
    struct unpacking u = {
        .packing = find_packing(data, data_size),
        .out = out,
        .margin = margin,
        .limit = max_bytes && max_bytes < SIZE_MAX / 4 ? (size_t)max_bytes : SIZE_MAX / 4,
        .file = file,
    };
    bool gzip = u.packing->step == gzip_step;
    int rc = make_unpack_room(&u, gzip ? guess_gzip(data, data_size) : FIRST_ROOM, err);
    if (!rc)
        rc = unpack_streams(&u, data, data_size, err);
    *size = u.done;
    return rc;
}

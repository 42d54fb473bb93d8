/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Logs packed by zstd, xz and bzip2: whole, in several streams, cut anywhere, with something behind
 * them, and too large. */
#include "support.h"

#include "trace/unpack.h"

#include <bzlib.h>
#include <lzma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum { LINES = 3000, MARGIN = 32 };

struct packed {
    const char *name;
    char *bytes;
    size_t size;
};

static char *text;
static size_t text_size;
static struct packed packings[3];

static struct packed pack_zstd(void)
{
    size_t room = ZSTD_compressBound(text_size);
    struct packed out = {"zstd", malloc(room), 0};
    out.size = ZSTD_compress(out.bytes, room, text, text_size, 3);
    assert_false(ZSTD_isError(out.size));
    return out;
}

static struct packed pack_xz(void)
{
    size_t room = lzma_stream_buffer_bound(text_size);
    struct packed out = {"xz", malloc(room), 0};
    assert_int_equal(lzma_easy_buffer_encode(6, LZMA_CHECK_CRC64, NULL, (uint8_t *)text, text_size,
                                             (uint8_t *)out.bytes, &out.size, room),
                     LZMA_OK);
    return out;
}

static struct packed pack_bzip2(void)
{
    unsigned int room = (unsigned int)(text_size + text_size / 100 + 600);
    struct packed out = {"bzip2", malloc(room), 0};
    assert_int_equal(BZ2_bzBuffToBuffCompress(out.bytes, &room, text, (unsigned int)text_size, 9, 0,
                                              0),
                     BZ_OK);
    out.size = room;
    return out;
}

static int set_up(void **state)
{
    (void)state;
    text = malloc(LINES * 64);
    for (int i = 0; i < LINES; i++)
        text_size +=
            (size_t)sprintf(text + text_size, "%d %d 5 60 4 -1 -1 4 60 -1 1 %d 1 -1 1 -1 -1 -1\n",
                            i + 1, i * 37, i % 17);
    packings[0] = pack_zstd();
    packings[1] = pack_xz();
    packings[2] = pack_bzip2();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(packings); i++)
        free(packings[i].bytes);
    free(text);
    return 0;
}

static int unpack(struct loom_pages *out, size_t *size, const char *bytes, size_t n, uint64_t most,
                  struct loom_error *err)
{
    *out = (struct loom_pages){0};
    return loom_unpack(out, MARGIN, size, bytes, n, most, "log", err);
}

static void test_whole(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(packings); i++) {
        const struct packed *packed = &packings[i];
        struct loom_pages out;
        size_t size;
        assert_true(loom_is_packed(packed->bytes, packed->size));
        assert_int_equal(unpack(&out, &size, packed->bytes, packed->size, 0, NULL), 0);
        assert_int_equal(size, text_size);
        assert_memory_equal(out.memory + MARGIN, text, text_size);
        assert_true(out.size >= size + 2 * MARGIN);
        loom_pages_free(&out);
    }
}

/* Two streams one after the other are one text; zeros behind them are padding. */
static void test_streams(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(packings); i++) {
        const struct packed *packed = &packings[i];
        char *twice = calloc(2 * packed->size + 512, 1);
        struct loom_pages out;
        size_t size;
        memcpy(twice, packed->bytes, packed->size);
        memcpy(twice + packed->size, packed->bytes, packed->size);
        assert_int_equal(unpack(&out, &size, twice, 2 * packed->size + 512, 0, NULL), 0);
        assert_int_equal(size, 2 * text_size);
        assert_memory_equal(out.memory + MARGIN + text_size, text, text_size);
        loom_pages_free(&out);
        free(twice);
    }
}

static void expect_failure(const char *bytes, size_t n, uint64_t most, int code, const char *words)
{
    struct loom_pages out;
    struct loom_error err = {0};
    size_t size;
    assert_int_equal(unpack(&out, &size, bytes, n, most, &err), code);
    assert_non_null(strstr(err.message, words));
    loom_pages_free(&out);
}

/* Cut at each of some hundred places, and with a byte changed in the middle. */
static void test_damage(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(packings); i++) {
        const struct packed *packed = &packings[i];
        char words[80];
        snprintf(words, sizeof words, "the %s data is damaged or cut short", packed->name);
        for (size_t n = 6; n < packed->size; n += 1 + packed->size / 200)
            expect_failure(packed->bytes, n, 0, LOOM_EFORMAT, words);
        expect_failure(packed->bytes, packed->size - 1, 0, LOOM_EFORMAT, words);
    }
    for (size_t i = 1; i < COUNT(packings); i++) {
        char *bytes = malloc(packings[i].size);
        memcpy(bytes, packings[i].bytes, packings[i].size);
        bytes[packings[i].size / 2] ^= 0x55;
        expect_failure(bytes, packings[i].size, 0, LOOM_EFORMAT, "damaged or cut short");
        free(bytes);
    }
}

static void test_garbage_behind(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(packings); i++) {
        const struct packed *packed = &packings[i];
        char *bytes = malloc(packed->size + 7), words[100];
        memcpy(bytes, packed->bytes, packed->size);
        memcpy(bytes + packed->size, "garbage", 7);
        snprintf(words, sizeof words, "something else behind the %s data, at byte %zu",
                 packed->name, packed->size);
        expect_failure(bytes, packed->size + 7, 0, LOOM_EFORMAT, words);
        free(bytes);
    }
}

static void test_limit(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(packings); i++) {
        struct loom_pages out;
        size_t size;
        expect_failure(packings[i].bytes, packings[i].size, text_size - 1, LOOM_ERANGE,
                       "unpacks to more than");
        assert_int_equal(unpack(&out, &size, packings[i].bytes, packings[i].size, text_size, NULL),
                         0);
        loom_pages_free(&out);
    }
}

static void test_suffixes(void **state)
{
    (void)state;
    assert_int_equal(loom_packed_suffix("a.swf.zst"), 4);
    assert_int_equal(loom_packed_suffix("a.swf.XZ"), 3);
    assert_int_equal(loom_packed_suffix("a.swf.bz2"), 4);
    assert_int_equal(loom_packed_suffix("a.swf"), 0);
    assert_int_equal(loom_packed_suffix(".gz"), 0);
    assert_false(loom_is_packed("; Version: 2.2", 14));
    assert_false(loom_is_packed("", 0));
}

/* As files: read by content, with the format by the suffix before; and not written. */
static void test_files(void **state)
{
    static const char *const suffixes[] = {"zst", "xz", "bz2"};
    struct scratch scratch;
    (void)state;
    assert_int_equal(scratch_open(&scratch, "log"), 0);
    for (size_t i = 0; i < COUNT(packings); i++) {
        struct loom_trace *trace = NULL;
        struct loom_error err = {0};
        char path[128];
        snprintf(path, sizeof path, "%s/log.swf.%s", scratch.directory, suffixes[i]);
        store(path, packings[i].bytes, packings[i].size);
        assert_int_equal(loom_trace_read(&trace, path, NULL, NULL), 0);
        assert_int_equal(loom_trace_count(trace), LINES);
        assert_int_equal(loom_trace_report(trace)->bytes, text_size);
        assert_int_equal(loom_trace_write(trace, path, NULL, &err), LOOM_EUSAGE);
        assert_non_null(strstr(err.message, "only gzip can be written"));
        loom_trace_destroy(trace);
    }
    assert_int_equal(scratch_close(&scratch), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole),  cmocka_unit_test(test_streams),
        cmocka_unit_test(test_damage), cmocka_unit_test(test_garbage_behind),
        cmocka_unit_test(test_limit),  cmocka_unit_test(test_suffixes),
        cmocka_unit_test(test_files),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

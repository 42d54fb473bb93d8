/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sources: plain, packed and piped text, whole or by chunks from several threads.
 */
#include "base/gzip.h"
#include "base/hash.h"
#include "support.h"
#include "trace/input.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct scratch scratch;

static int set_up(void **state)
{
    *state = &scratch;
    return scratch_open(&scratch, "log");
}

/* `lines` numbered lines, some long, some empty; the caller must free them. */
static char *make_text(size_t lines, size_t *size)
{
    char *text = malloc(lines * 140 + 1), *at = text;
    assert_non_null(text);
    for (size_t i = 0; i < lines; i++) {
        if (i % 11 != 0)
            at += sprintf(at, "%zu", i);
        for (size_t k = 0; k < i % 97; k++)
            *at++ = "abc def"[k % 7];
        *at++ = '\n';
    }
    *size = (size_t)(at - text);
    return text;
}

/* text as a gzip file of `members` members; the caller must free it. */
static char *pack(const char *text, size_t size, size_t members, size_t *packed_size)
{
    struct loom_gzip *gzip = loom_gzip_create();
    char *all = malloc(size + members * 100 + 1000);
    *packed_size = 0;
    for (size_t i = 0; i < members; i++) {
        size_t from = size * i / members, to = size * (i + 1) / members, length;
        const char *packed;
        assert_int_equal(loom_gzip_pack(gzip, text + from, to - from, &packed, &length), 0);
        memcpy(all + *packed_size, packed, length);
        *packed_size += length;
    }
    loom_gzip_destroy(gzip);
    return all;
}

/* ---- whole texts ----------------------------------------------------------------------------- */

static void check_text(const char *wanted, size_t size, uint64_t hash)
{
    struct loom_input *input = NULL;
    const char *text;
    size_t got;
    assert_int_equal(loom_input_open(&input, scratch.file, 0, NULL), 0);
    assert_int_equal(loom_input_text(input, &text, &got, NULL), 0);
    size_t added = size > 0 && wanted[size - 1] != '\n';
    assert_int_equal(got, size + added);
    assert_memory_equal(text, wanted, size);
    if (added)
        assert_int_equal(text[size], '\n');
    assert_int_equal(text[got], '\0');
    assert_int_equal(loom_input_bytes(input), size);
    assert_true(loom_input_hash(input) == hash);
    loom_input_close(input);
}

static void test_whole_text(void **state)
{
    (void)state;
    size_t size = 0, packed_size;
    char *text = make_text(20000, &size);
    static const size_t cuts[] = {0, 1, 2, 100, 131072, 131073, 400000};
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        size_t part = cuts[i] < size ? cuts[i] : size;
        store(scratch.file, text, part);
        check_text(text, part, loom_hash(text, part));
        for (size_t members = 1; members <= 3 && part > 3; members++) {
            char *packed = pack(text, part, members, &packed_size);
            store(scratch.file, packed, packed_size);
            check_text(text, part, loom_hash(text, part));
            free(packed);
        }
    }
    free(text);
}

static void test_padding_behind_gzip(void **state)
{
    (void)state;
    size_t packed_size;
    char *packed = pack("hello\n", 6, 1, &packed_size);
    memset(packed + packed_size, 0, 512);
    store(scratch.file, packed, packed_size + 512);
    check_text("hello\n", 6, loom_hash("hello\n", 6));
    packed[packed_size + 100] = 'x';
    store(scratch.file, packed, packed_size + 512);
    struct loom_input *input = NULL;
    struct loom_error err;
    assert_int_equal(loom_input_open(&input, scratch.file, 0, &err), LOOM_EFORMAT);
    free(packed);
}

static void test_damaged_gzip(void **state)
{
    (void)state;
    size_t size, packed_size;
    char *text = make_text(300, &size);
    char *packed = pack(text, size, 1, &packed_size);
    struct loom_input *input = NULL;
    struct loom_error err;
    for (size_t length = 2; length < packed_size; length += 13) {
        store(scratch.file, packed, length);
        assert_int_equal(loom_input_open(&input, scratch.file, 0, &err), LOOM_EFORMAT);
        assert_string_equal(err.message,
                            "the gzip data is damaged or cut short; get the file again");
        assert_string_equal(err.file, scratch.file);
    }
    packed[packed_size / 2] ^= 0x55;
    store(scratch.file, packed, packed_size);
    assert_int_equal(loom_input_open(&input, scratch.file, 0, &err), LOOM_EFORMAT);
    assert_null(input);
    free(packed);
    free(text);
}

static void test_limit(void **state)
{
    (void)state;
    size_t packed_size;
    char *zeros = calloc(1, 3 << 20);
    char *bomb = pack(zeros, 3 << 20, 1, &packed_size);
    assert_true(packed_size < 10000);
    store(scratch.file, bomb, packed_size);
    struct loom_input *input = NULL;
    struct loom_error err;
    assert_int_equal(loom_input_open(&input, scratch.file, 1 << 20, &err), LOOM_ERANGE);
    assert_string_equal(err.message,
                        "unpacks to more than 1048576 bytes; raise max_bytes if that is right");
    assert_int_equal(loom_input_open(&input, scratch.file, 3 << 20, &err), 0);
    loom_input_close(input);
    store(scratch.file, zeros, 1001);
    assert_int_equal(loom_input_open(&input, scratch.file, 1000, &err), LOOM_ERANGE);
    assert_int_equal(loom_input_open(&input, scratch.file, 1001, &err), 0);
    loom_input_close(input);
    free(bomb);
    free(zeros);
}

static void *feed(void *argument)
{
    int fd = open(argument, O_WRONLY);
    for (int i = 0; i < 3000; i++)
        dprintf(fd, "line %d of a pipe that is longer than what a pipe holds at once\n", i);
    close(fd);
    return NULL;
}

static void test_pipe(void **state)
{
    (void)state;
    char fifo[80];
    snprintf(fifo, sizeof fifo, "%s/pipe", scratch.directory);
    assert_int_equal(mkfifo(fifo, 0600), 0);
    pthread_t writer;
    assert_int_equal(pthread_create(&writer, NULL, feed, fifo), 0);
    struct loom_input *input = NULL;
    const char *text;
    size_t size;
    assert_int_equal(loom_input_open(&input, fifo, 0, NULL), 0);
    pthread_join(writer, NULL);
    assert_int_equal(loom_input_text(input, &text, &size, NULL), 0);
    size_t lines = 0;
    for (size_t i = 0; i < size; i++)
        lines += text[i] == '\n';
    assert_int_equal(lines, 3000);
    loom_input_close(input);
    unlink(fifo);
}

static void test_not_a_file(void **state)
{
    (void)state;
    struct loom_input *input = NULL;
    struct loom_error err;
    assert_int_equal(loom_input_open(&input, scratch.directory, 0, &err), LOOM_EIO);
    assert_string_equal(err.message, "cannot read: Is a directory");
    assert_int_equal(loom_input_open(&input, "/no/such/file", 0, &err), LOOM_EIO);
    assert_string_equal(err.message, "cannot open: No such file or directory");
    assert_string_equal(err.file, "/no/such/file");
}

/* ---- chunks ---------------------------------------------------------------------------------- */

struct gathering {
    struct loom_input *input;
    size_t found_chunks;
    int64_t lines;
    size_t bytes;
    pthread_mutex_t lock;
};

/* Take chunks until there are no more, and add up what they hold. */
static void *gather(void *argument)
{
    struct gathering *g = argument;
    char *buffer = malloc(LOOM_CHUNK_BYTES + 2 * LOOM_INPUT_MARGIN);
    struct loom_chunk chunk;
    while (loom_input_next(g->input, &chunk, buffer, NULL) > 0) {
        int64_t lines = 0;
        for (size_t i = 0; i < chunk.size; i++)
            lines += chunk.text[i] == '\n';
        pthread_mutex_lock(&g->lock);
        if (lines == chunk.lines && chunk.text[chunk.size - 1] == '\n')
            g->found_chunks++;
        g->lines += lines;
        g->bytes += chunk.size;
        pthread_mutex_unlock(&g->lock);
        loom_input_done(g->input, &chunk);
    }
    free(buffer);
    return NULL;
}

static void check_chunks(size_t size, int64_t lines, uint64_t hash, int threads)
{
    struct gathering g = {.lock = PTHREAD_MUTEX_INITIALIZER};
    assert_int_equal(loom_input_open(&g.input, scratch.file, 0, NULL), 0);
    pthread_t workers[4];
    for (int i = 0; i < threads; i++)
        assert_int_equal(pthread_create(&workers[i], NULL, gather, &g), 0);
    for (int i = 0; i < threads; i++)
        pthread_join(workers[i], NULL);
    assert_int_equal(g.lines, lines);
    assert_int_equal(g.bytes, size);
    assert_true(g.found_chunks >= size / LOOM_CHUNK_BYTES);
    assert_true(loom_input_hash(g.input) == hash);
    loom_input_close(g.input);
}

static void test_chunks(void **state)
{
    (void)state;
    size_t size, packed_size;
    char *text = make_text(30000, &size);
    char *packed = pack(text, size, 2, &packed_size);
    for (int threads = 1; threads <= 4; threads++) {
        store(scratch.file, text, size);
        check_chunks(size, 30000, loom_hash(text, size), threads);
        store(scratch.file, text, size - 1); /* the last newline is put back */
        check_chunks(size, 30000, loom_hash(text, size - 1), threads);
        store(scratch.file, packed, packed_size);
        check_chunks(size, 30000, loom_hash(text, size), threads);
    }
    free(packed);
    free(text);
}

static void test_chunk_places(void **state)
{
    (void)state;
    size_t size;
    char *text = make_text(30000, &size);
    store(scratch.file, text, size);
    struct loom_input *input = NULL;
    assert_int_equal(loom_input_open(&input, scratch.file, 0, NULL), 0);
    size_t first = (size_t)(strchr(strchr(text, '\n') + 1, '\n') + 1 - text);
    loom_input_begin(input, first, 2, 36);
    char *buffer = malloc(LOOM_CHUNK_BYTES + 2 * LOOM_INPUT_MARGIN);
    struct loom_chunk chunk;
    int64_t line = 3;
    size_t index = 0, at = first, slots = 0;
    while (loom_input_next(input, &chunk, buffer, NULL) > 0) {
        assert_int_equal(chunk.index, index++);
        assert_int_equal(chunk.first_line, line);
        assert_int_equal(chunk.first_slot, slots);
        assert_memory_equal(chunk.text, text + at, chunk.size);
        at += chunk.size;
        line += chunk.lines;
        slots += chunk.size / 36 < (size_t)chunk.lines ? chunk.size / 36 : (size_t)chunk.lines;
    }
    assert_int_equal(at, size);
    assert_true(loom_input_hash(input) == loom_hash(text, size));
    free(buffer);
    loom_input_close(input);
    free(text);
}

static void test_endless_line(void **state)
{
    (void)state;
    char *text = malloc(300000);
    memset(text, 'x', 300000);
    memcpy(text, "short\n", 6);
    store(scratch.file, text, 300000);
    struct loom_input *input = NULL;
    struct loom_error err;
    struct loom_chunk chunk;
    char *buffer = malloc(LOOM_CHUNK_BYTES + 2 * LOOM_INPUT_MARGIN);
    assert_int_equal(loom_input_open(&input, scratch.file, 0, NULL), 0);
    assert_int_equal(loom_input_next(input, &chunk, buffer, &err), 1);
    assert_int_equal(loom_input_next(input, &chunk, buffer, &err), LOOM_EFORMAT);
    assert_int_equal(err.line, 2);
    free(buffer);
    loom_input_close(input);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole_text),   cmocka_unit_test(test_padding_behind_gzip),
        cmocka_unit_test(test_damaged_gzip), cmocka_unit_test(test_limit),
        cmocka_unit_test(test_pipe),         cmocka_unit_test(test_not_a_file),
        cmocka_unit_test(test_chunks),       cmocka_unit_test(test_chunk_places),
        cmocka_unit_test(test_endless_line),
    };
    return cmocka_run_group_tests(tests, set_up, close_scratch);
}

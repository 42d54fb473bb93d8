/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of SWF, read in both ways: the same rows to the last bit, the same complaints. */
#include "support.h"

#include "base/wide.h"
#include "trace/formats/swf/lines.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINES = 200, LINE_BYTES = 600, MARGIN = LOOM_INPUT_MARGIN };

static struct loom_swf_scratch scratch;

static int set_up(void **state)
{
    (void)state;
    return loom_swf_scratch_init(&scratch, NULL);
}

static int tear_down(void **state)
{
    (void)state;
    loom_swf_scratch_free(&scratch);
    return 0;
}

/* What one way makes of a text. */
struct outcome {
    struct loom_trace *trace;
    struct loom_swf_part part;
    struct loom_error err;
    int rc;
};

static void read_one_way(struct outcome *out, const char *text, size_t size, bool wide, bool skip)
{
    struct loom_chunk chunk = {.first_line = 1, .text = text, .size = size};
    *out = (struct outcome){.trace = empty_trace()};
    assert_int_equal(loom_trace_reserve(out->trace, 2 * LINES, NULL), 0);
    scratch.wide = wide;
    out->rc = loom_swf_read_lines(&scratch, &out->trace->columns, &chunk, &out->part, skip, "log",
                                  &out->err);
}

static void forget(struct outcome *out)
{
    loom_swf_part_free(&out->part);
    loom_trace_destroy(out->trace);
}

static void assert_same_error(const struct loom_error *a, const struct loom_error *b)
{
    assert_string_equal(a->message, b->message);
    assert_int_equal(a->line, b->line);
    assert_int_equal(a->column, b->column);
}

static void assert_same_part(const struct outcome *a, const struct outcome *b)
{
    assert_int_equal(a->part.jobs, b->part.jobs);
    assert_int_equal(a->part.rounded, b->part.rounded);
    assert_int_equal(a->part.bad_lines, b->part.bad_lines);
    assert_int_equal(a->part.n_remarks, b->part.n_remarks);
    if (a->part.bad_lines)
        assert_same_error(&a->part.first_bad, &b->part.first_bad);
    const struct loom_columns *x = &a->trace->columns, *y = &b->trace->columns;
    int i = 0;
#define X(name, type, what)                                                 \
    assert_int_equal(a->part.varies[i], b->part.varies[i]);                 \
    if (a->part.varies[i++])                                                \
        assert_memory_equal(x->name, y->name, a->part.jobs * sizeof(type)); \
    else                                                                    \
        assert_memory_equal(&a->part.first.name, &b->part.first.name, sizeof(type));
    LOOM_COLUMNS(X)
#undef X
}

/* text must have a margin on either side. Returns the jobs in it. */
static size_t check_both_ways(const char *text, size_t size)
{
    size_t jobs = 0;
    for (int skip = 0; skip < 2; skip++) {
        struct outcome general, fast;
        read_one_way(&general, text, size, false, skip);
        read_one_way(&fast, text, size, loom_is_wide(), skip);
        assert_int_equal(fast.rc, general.rc);
        if (general.rc)
            assert_same_error(&fast.err, &general.err);
        assert_same_part(&fast, &general);
        jobs = general.part.jobs;
        forget(&general);
        forget(&fast);
    }
    return jobs;
}

/* ---- texts ----------------------------------------------------------------------------------- */

/* A log to be, and what it is drawn with. */
struct writer {
    char *text, *at;
    struct loom_stream stream;
};

static uint64_t below(struct writer *w, uint64_t n)
{
    return loom_stream_below(&w->stream, n);
}

static void set_up_writer(struct writer *w, const char *purpose)
{
    w->text = malloc(LINES * LINE_BYTES + 2 * MARGIN);
    assert_non_null(w->text);
    loom_stream_init(&w->stream, 1, 0, purpose);
}

static void begin(struct writer *w)
{
    memset(w->text, '\n', MARGIN);
    w->at = w->text + MARGIN;
}

static size_t finish(struct writer *w)
{
    size_t size = (size_t)(w->at - w->text) - MARGIN;
    memset(w->at, 0, MARGIN);
    return check_both_ways(w->text + MARGIN, size);
}

static void put_digits(struct writer *w, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++)
        *w->at++ = (char)('0' + below(w, 10));
}

/* A number of any length and kind; wild ones may be none, or out of range. */
static void put_number(struct writer *w, uint64_t longest, bool real, bool wild)
{
    if (below(w, 4) == 0) {
        *w->at++ = '-';
        *w->at++ = '1';
        return;
    }
    if (wild && below(w, 3) == 0)
        *w->at++ = "+-"[below(w, 2)];
    put_digits(w, below(w, longest) + 1 - (wild && below(w, 4) == 0));
    if ((real || wild) && below(w, 2)) {
        *w->at++ = '.';
        put_digits(w, below(w, longest) + 1 - (wild && below(w, 4) == 0));
    }
    if (wild && below(w, 8) == 0)
        w->at += sprintf(w->at, "e%d", (int)below(w, 30) - 15);
}

static void put_blanks(struct writer *w, const char *blanks, uint64_t most)
{
    for (uint64_t n = below(w, most) + 1; n > 0; n--)
        *w->at++ = blanks[below(w, strlen(blanks))];
}

static void put_line(struct writer *w, const char *blanks, uint64_t most, uint64_t longest,
                     bool wild)
{
    static const bool real[LOOM_SWF_FIELDS] = {[5] = true, [6] = true, [9] = true};
    if (below(w, 3) == 0)
        put_blanks(w, blanks, most);
    for (int k = 0; k < LOOM_SWF_FIELDS; k++) {
        put_number(w, longest, real[k], wild && below(w, 100) == 0);
        put_blanks(w, blanks, most);
    }
    w->at[-1] = '\n';
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void test_any_layout(void **state)
{
    (void)state;
    static const char *const blanks[] = {" ", "\t", " \t", " \t\r\v\f"};
    struct writer w;
    set_up_writer(&w, "layouts");
    for (int round = 0; round < 120; round++) {
        begin(&w);
        for (int i = 0; i < LINES; i++)
            put_line(&w, blanks[round % 4], (uint64_t)round % 7 + 1, (uint64_t)round % 17 + 1,
                     false);
        size_t jobs = finish(&w);
        if (round % 17 < 9) /* longer numbers can be out of range */
            assert_int_equal(jobs, LINES);
    }
    free(w.text);
}

static void test_any_number(void **state)
{
    (void)state;
    struct writer w;
    set_up_writer(&w, "numbers");
    for (int round = 0; round < 120; round++) {
        begin(&w);
        for (int i = 0; i < LINES; i++)
            put_line(&w, " ", 2, (uint64_t)round % 19 + 1, true);
        finish(&w);
    }
    free(w.text);
}

/* Lines that are no jobs, or lack words or have too many, among those that are. */
static void test_lines_that_are_no_jobs(void **state)
{
    (void)state;
    static const char *const others[] = {
        "",
        "  \t",
        "; a remark",
        "  ;",
        "1 2 3",
        ";1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18",
        "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19",
        "a b c d e f g h i j k l m n o p q r",
    };
    struct writer w;
    set_up_writer(&w, "others");
    for (uint64_t round = 0; round < 60; round++) {
        begin(&w);
        for (int i = 0; i < LINES; i++)
            if (below(&w, round + 1) == 0)
                w.at += sprintf(w.at, "%s\n", others[below(&w, sizeof others / sizeof *others)]);
            else
                put_line(&w, " ", 1, 6, false);
        finish(&w);
    }
    free(w.text);
}

/* One byte changed to any other, each in turn of a line among good ones. */
static void test_any_byte(void **state)
{
    (void)state;
    static const char line[] =
        "7 123456789 5 1234567 4 552.21 -1 4 43200 0.5 1 -12 6 3 2 8 11 -1\n";
    const size_t length = sizeof line - 1;
    char text[2 * MARGIN + 9 * sizeof line];
    memset(text, '\n', MARGIN);
    memset(text + MARGIN + 9 * length, 0, MARGIN);
    for (size_t place = 0; place < length - 1; place++)
        for (int byte = 0; byte < 256; byte += place % 4 ? 7 : 1) {
            for (size_t i = 0; i < 9; i++)
                memcpy(text + MARGIN + i * length, line, length);
            text[MARGIN + 3 * length + place] = (char)byte;
            check_both_ways(text + MARGIN, 9 * length);
        }
}

/* ---- ends ------------------------------------------------------------------------------------ */

static void check_ends(const char *text, size_t size, bool wide)
{
    uint32_t *memory = malloc(3 * (size + 128) * sizeof *memory);
    struct loom_ends ends = {.words = memory,
                             .newlines = memory + size + 128,
                             .counts = memory + 2 * (size + 128)};
    loom_find_ends(&ends, text, size, wide);
    size_t w = 0, n = 0;
    for (size_t i = 0; i < size; i++) {
        bool blank = isspace((unsigned char)text[i]);
        if (blank && i > 0 && !isspace((unsigned char)text[i - 1]))
            assert_int_equal(ends.words[w++], i);
        if (text[i] == '\n') {
            assert_int_equal(ends.counts[n], w);
            assert_int_equal(ends.newlines[n++], i);
        }
    }
    assert_int_equal(ends.n_newlines, n);
    free(memory);
}

static void test_ends(void **state)
{
    (void)state;
    struct loom_stream stream;
    loom_stream_init(&stream, 1, 0, "edges");
    static const char letters[] = "  \n\t\r\v\f12345-;\0\x7f\x80\xff\x08\x0e\x1f!";
    char text[700];
    for (int round = 0; round < 2000; round++) {
        size_t size = 1 + (size_t)loom_stream_below(&stream, 500);
        for (size_t i = 0; i < sizeof text; i++)
            text[i] = letters[loom_stream_below(&stream, sizeof letters - 1)];
        text[size - 1] = '\n';
        check_ends(text, size, false);
        check_ends(text, size, loom_is_wide());
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_layout),
        cmocka_unit_test(test_any_number),
        cmocka_unit_test(test_lines_that_are_no_jobs),
        cmocka_unit_test(test_any_byte),
        cmocka_unit_test(test_ends),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

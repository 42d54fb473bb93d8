/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of SWF in any layout, compared with a reader that cuts each line into words and reads them
 * one by one by the rules for all formats: the same rows to the last bit, the same messages. */
#include "support.h"

#include "base/text.h"
#include "trace/column.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINES = 200, LINE_BYTES = 600, FIELDS = LOOM_COLUMN_COUNT };

static struct scratch scratch;

static int set_up(void **state)
{
    *state = &scratch;
    return scratch_open(&scratch, "log.swf");
}

/* ---- the reference --------------------------------------------------------------------------- */

/* What the reference makes of a text. */
struct outcome {
    struct loom_trace *trace;
    int64_t rounded, bad_lines;
    struct loom_error first_bad;
};

/* Cut a line into words; return how many there are, of which the first FIELDS are stored. */
static size_t cut_words(const char *line, size_t length, const char *words[], size_t lengths[])
{
    size_t n = 0;
    for (size_t i = 0; i < length;) {
        if (isspace((unsigned char)line[i])) {
            i++;
            continue;
        }
        size_t start = i;
        while (i < length && !isspace((unsigned char)line[i]))
            i++;
        if (n < FIELDS) {
            words[n] = line + start;
            lengths[n] = i - start;
        }
        n++;
    }
    return n;
}

/* Return 0, or fill err and return its code if the line is no job. */
static int reference_job(struct loom_job *job, int64_t *rounded, const char *line, size_t length,
                         int64_t number, struct loom_error *err)
{
    const char *words[FIELDS];
    size_t lengths[FIELDS], n = cut_words(line, length, words, lengths);
    int64_t lost = 0;
    if (n != FIELDS)
        return loom_fail_at(err, LOOM_EFORMAT, scratch.file, number, 0,
                            "the line has %zu field%s where SWF has %d", n, n == 1 ? "" : "s",
                            FIELDS);
    for (int k = 0; k < FIELDS; k++) {
        char shown[LOOM_SHOWN];
        enum loom_number result = loom_column_set(job, (enum loom_column)k, words[k], lengths[k]);
        int column = (int)(words[k] - line) + 1;
        const char *what = loom_column_table[k].what;
        if (result < 0 && memchr(words[k], 0, lengths[k]))
            return loom_fail_at(err, LOOM_EFORMAT, scratch.file, number, column,
                                "field %d (%s) holds a NUL byte", k + 1, what);
        if (result < 0)
            return loom_fail_at(err, LOOM_EFORMAT, scratch.file, number, column,
                                "field %d (%s): '%s' %s", k + 1, what,
                                loom_shown(shown, words[k], lengths[k]),
                                loom_number_problem(result));
        lost += result == LOOM_NUMBER_ROUNDED;
    }
    *rounded += lost;
    return 0;
}

static void reference(struct outcome *out, const char *text, size_t size)
{
    *out = (struct outcome){.trace = empty_trace()};
    int64_t number = 1;
    for (const char *line = text, *newline; line < text + size; line = newline + 1, number++) {
        newline = memchr(line, '\n', (size_t)(text + size - line));
        const char *start = line;
        while (start < newline && isspace((unsigned char)*start))
            start++;
        if (start == newline || *start == ';')
            continue;
        struct loom_job job;
        struct loom_error bad;
        if (reference_job(&job, &out->rounded, line, (size_t)(newline - line), number, &bad) == 0)
            append(out->trace, job);
        else if (out->bad_lines++ == 0)
            out->first_bad = bad;
    }
}

static void assert_same_error(const struct loom_error *a, const struct loom_error *b)
{
    assert_string_equal(a->message, b->message);
    assert_int_equal(a->line, b->line);
    assert_int_equal(a->column, b->column);
}

/* Compare the reader with the reference, with and without skipping of bad lines. Returns the jobs
 * in the text. */
static size_t check_text(const char *text, size_t size)
{
    const struct loom_read_options skip = {.format = "swf", .skip_bad_lines = true};
    const struct loom_read_options strict = {.format = "swf"};
    struct outcome wanted;
    struct loom_error err;
    store(scratch.file, text, size);
    reference(&wanted, text, size);
    struct loom_trace *trace = must_read(scratch.file, &skip);
    const struct loom_read_report *report = loom_trace_report(trace);
    assert_same_jobs(trace, wanted.trace);
    assert_int_equal(report->rounded, wanted.rounded);
    assert_int_equal(report->bad_lines, wanted.bad_lines);
    size_t jobs = loom_trace_count(trace);
    if (wanted.bad_lines)
        assert_same_error(&report->first_bad, &wanted.first_bad);
    loom_trace_destroy(trace);
    trace = NULL;
    assert_int_equal(loom_trace_read(&trace, scratch.file, &strict, &err),
                     wanted.bad_lines ? LOOM_EFORMAT : 0);
    if (wanted.bad_lines)
        assert_same_error(&err, &wanted.first_bad);
    loom_trace_destroy(trace);
    loom_trace_destroy(wanted.trace);
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
    w->text = malloc(LINES * LINE_BYTES);
    assert_non_null(w->text);
    loom_stream_init(&w->stream, 1, 0, purpose);
}

static void begin(struct writer *w)
{
    w->at = w->text;
}

static size_t finish(struct writer *w)
{
    return check_text(w->text, (size_t)(w->at - w->text));
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
    static const bool real[FIELDS] = {[5] = true, [6] = true, [9] = true};
    if (below(w, 3) == 0)
        put_blanks(w, blanks, most);
    for (int k = 0; k < FIELDS; k++) {
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
    char text[9 * sizeof line];
    for (size_t place = 0; place < length - 1; place++)
        for (int byte = 0; byte < 256; byte += place % 4 ? 7 : 1) {
            for (size_t i = 0; i < 9; i++)
                memcpy(text + i * length, line, length);
            text[3 * length + place] = (char)byte;
            check_text(text, 9 * length);
        }
}

/* A log in columns as the archive has them; some lines are one digit longer than the others. */
static size_t make_columns(char *text, size_t lines, struct loom_stream *stream)
{
    static const int widths[] = {5, 9, 6, 6, 4, 6, 5, 4, 6, 5, 2, 3, 3, 3, 2, 2, 2, 2};
    char *at = text;
    for (size_t i = 0; i < lines; i++) {
        for (int k = 0; k < 18; k++) {
            uint64_t digits = loom_stream_below(stream, (uint64_t)widths[k] + (k == 1)) + 1;
            uint64_t limit = 1;
            while (digits-- > 0)
                limit *= 10;
            uint64_t number = loom_stream_below(stream, limit);
            if (loom_stream_below(stream, 3) == 0)
                at += sprintf(at, "%*d ", widths[k], -1);
            else if (k == 5 && number % 2)
                at += sprintf(at, "%*.2f ", widths[k], (double)(number % 1000) / 100);
            else
                at += sprintf(at, "%*llu ", widths[k], (unsigned long long)number);
        }
        at[-1] = '\n';
    }
    return (size_t)(at - text);
}

static void test_columns_and_what_spoils_them(void **state)
{
    (void)state;
    enum { ROWS = 300 };
    static const char spoilers[] = " 0123456789-+.,;x\t\n\r\0\x80"
                                   "e";
    char *text = malloc(ROWS * 120);
    struct loom_stream stream;
    loom_stream_init(&stream, 1, 0, "columns");
    for (int round = 0; round < 60; round++) {
        size_t size = make_columns(text, ROWS, &stream);
        size_t spoiled = loom_stream_below(&stream, round % 3 ? 40 : 2000);
        for (size_t i = 0; i < spoiled; i++)
            text[loom_stream_below(&stream, size - 1)] =
                spoilers[loom_stream_below(&stream, sizeof spoilers - 1)];
        check_text(text, size);
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_layout),
        cmocka_unit_test(test_any_number),
        cmocka_unit_test(test_lines_that_are_no_jobs),
        cmocka_unit_test(test_any_byte),
        cmocka_unit_test(test_columns_and_what_spoils_them),
    };
    return cmocka_run_group_tests(tests, set_up, close_scratch);
}

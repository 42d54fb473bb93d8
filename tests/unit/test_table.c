/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables for people: alignment, widths of UTF-8, what cannot be shown, and misuse. */
#include "base/table.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct fixture {
    struct scratch scratch;
    struct loom_table *table;
    char *text; /* what was written last */
};

static int set_up(void **state)
{
    static struct fixture f;
    f = (struct fixture){0};
    assert_int_equal(loom_table_create(&f.table, NULL), 0);
    *state = &f;
    return scratch_open(&f.scratch, "table.txt");
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    loom_table_destroy(f->table);
    free(f->text);
    return scratch_close(&f->scratch);
}

static const char *written(struct fixture *f)
{
    struct loom_output *out = NULL;
    assert_int_equal(loom_output_create(&out, f->scratch.file, NULL), 0);
    assert_int_equal(loom_table_write(f->table, out, NULL), 0);
    assert_int_equal(loom_output_commit(out, NULL), 0);
    loom_output_destroy(out);
    free(f->text);
    f->text = load(f->scratch.file);
    return f->text;
}

static void column(struct fixture *f, const char *title, enum loom_align align)
{
    assert_int_equal(loom_table_column(f->table, title, align, NULL), 0);
}

static void cell(struct fixture *f, const char *text)
{
    assert_int_equal(loom_table_cell(f->table, NULL, "%s", text), 0);
}

static void test_columns_are_aligned(void **state)
{
    struct fixture *f = *state;
    column(f, "name", LOOM_LEFT);
    column(f, "jobs", LOOM_RIGHT);
    column(f, "note", LOOM_LEFT);
    cell(f, "KTH-SP2");
    assert_int_equal(loom_table_cell(f->table, NULL, "%d", 28489), 0);
    cell(f, "cleaned");
    cell(f, "x");
    assert_int_equal(loom_table_cell(f->table, NULL, "%.1f", 2.5), 0);
    cell(f, "");
    assert_string_equal(written(f), "name      jobs  note\n"
                                    "-------  -----  -------\n"
                                    "KTH-SP2  28489  cleaned\n"
                                    "x          2.5\n");
}

static void test_last_row_may_be_short(void **state)
{
    struct fixture *f = *state;
    column(f, "a", LOOM_LEFT);
    column(f, "b", LOOM_RIGHT);
    cell(f, "1");
    cell(f, "2");
    cell(f, "3");
    assert_string_equal(written(f), "a  b\n-  -\n1  2\n3\n");
}

static void test_titles_without_rows(void **state)
{
    struct fixture *f = *state;
    column(f, "left", LOOM_LEFT);
    column(f, "right", LOOM_RIGHT);
    assert_string_equal(written(f), "left  right\n----  -----\n");
}

static void test_no_columns_write_nothing(void **state)
{
    struct fixture *f = *state;
    assert_string_equal(written(f), "");
}

static void test_empty_titles_and_cells(void **state)
{
    struct fixture *f = *state;
    column(f, "", LOOM_LEFT);
    column(f, "b", LOOM_LEFT);
    column(f, "", LOOM_RIGHT);
    cell(f, "");
    cell(f, "");
    cell(f, "");
    assert_string_equal(written(f), "  b\n  -\n\n");
}

static void test_width_counts_code_points(void **state)
{
    struct fixture *f = *state;
    column(f, "Größe", LOOM_LEFT);
    column(f, "π", LOOM_RIGHT);
    cell(f, "日本");
    cell(f, "3");
    cell(f, "Zürich");
    cell(f, "😀😀");
    assert_string_equal(written(f), "Größe    π\n"
                                    "------  --\n"
                                    "日本       3\n"
                                    "Zürich  😀😀\n");
}

static void test_blanks_at_the_end_are_dropped(void **state)
{
    struct fixture *f = *state;
    column(f, "a ", LOOM_LEFT);
    column(f, "b", LOOM_LEFT);
    cell(f, "  x  ");
    cell(f, "y   ");
    cell(f, "z");
    cell(f, "    ");
    assert_string_equal(written(f), "a      b\n"
                                    "-----  ----\n"
                                    "  x    y\n"
                                    "z\n");
}

/* What stands in a cell, and what is shown of it. */
static void test_what_cannot_be_shown_is_a_question_mark(void **state)
{
    static const struct {
        const char *given, *shown;
    } cases[] = {
        {"a\nb", "a?b"},
        {"a\r\n", "a??"},
        {"\tx", "?x"},
        {"\x1b[31mred", "?[31mred"},
        {"del\x7f", "del?"},
        {"c1 \xc2\x9b", "c1 ?"},              /* U+009B, a terminal's CSI */
        {"nbsp\xc2\xa0!", "nbsp\xc2\xa0!"},   /* U+00A0, the first that is not a control */
        {"\xe2\x80\xa8|\xe2\x80\xa9", "?|?"}, /* U+2028, U+2029: line separators */
        {"\xff\xfe", "??"},
        {"\x80", "?"},      /* continuation without a start */
        {"\xc3", "?"},      /* cut short by the end */
        {"\xc3(", "?("},    /* cut short by an ASCII character */
        {"\xe2\x82", "??"}, /* two of three */
        {"\xe2\x82"
         "A",
         "??A"},
        {"\xf0\x9f\x98", "???"}, /* three of four */
        {"\xc0\xaf", "??"},      /* overlong '/' */
        {"\xc1\xbf", "??"},
        {"\xe0\x9f\xbf", "???"},                  /* overlong U+07FF */
        {"\xe0\xa0\x80", "\xe0\xa0\x80"},         /* U+0800 */
        {"\xed\x9f\xbf", "\xed\x9f\xbf"},         /* U+D7FF */
        {"\xed\xa0\x80", "???"},                  /* a surrogate */
        {"\xf0\x8f\xbf\xbf", "????"},             /* overlong U+FFFF */
        {"\xf0\x90\x80\x80", "\xf0\x90\x80\x80"}, /* U+10000 */
        {"\xf4\x8f\xbf\xbf", "\xf4\x8f\xbf\xbf"}, /* U+10FFFF */
        {"\xf4\x90\x80\x80", "????"},             /* past the last code point */
        {"\xf5\x80\x80\x80", "????"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        void *inner = NULL;
        set_up(&inner);
        struct fixture *f = inner;
        column(f, "", LOOM_LEFT);
        cell(f, cases[i].given);
        const char *last = strchr(written(f), '\n');
        assert_non_null(last);
        last = strchr(last + 1, '\n');
        assert_non_null(last);
        char expected[64];
        snprintf(expected, sizeof expected, "\n%s\n", cases[i].shown);
        assert_string_equal(last, expected);
        tear_down(&inner);
    }
}

static void test_width_follows_what_is_shown(void **state)
{
    struct fixture *f = *state;
    column(f, "a\x1b", LOOM_RIGHT);
    column(f, "b", LOOM_LEFT);
    cell(f, "\xc2\x9b\xc2\x9b\xff");
    cell(f, "1");
    assert_int_equal(loom_table_cell(f->table, NULL, "%c", 0), 0);
    cell(f, "2");
    assert_string_equal(written(f), " a?  b\n---  -\n???  1\n  ?  2\n");
}

static void test_wide_columns_and_many_rows(void **state)
{
    struct fixture *f = *state;
    char wide[301];
    memset(wide, 'w', 300);
    wide[300] = '\0';
    column(f, "n", LOOM_RIGHT);
    column(f, "x", LOOM_LEFT);
    for (int i = 0; i < 1000; i++) {
        assert_int_equal(loom_table_cell(f->table, NULL, "%d", i), 0);
        cell(f, "");
    }
    cell(f, wide);
    const char *text = written(f);
    size_t lines = 0;
    for (const char *at = text; (at = strchr(at, '\n')); at++)
        lines++;
    assert_int_equal(lines, 1003);
    assert_int_equal(strspn(text, " "), 299);
    assert_memory_equal(text + 299, "n  x\n", 5);
    assert_int_equal(strspn(strchr(text, '\n') + 1, "-"), 300);
    /* Each row is as long as the wide cell, which stands last, and ends without blanks. */
    assert_int_equal(strlen(text), 304 + 304 + 1001 * 301);
    assert_memory_equal(text + strlen(text) - 301 - 4, "999\n", 4);
}

/* The last column goes on below its start. A word longer than the room is cut; blanks between lines
 * go. */
static void test_long_lines_are_broken(void **state)
{
    struct fixture *f = *state;
    column(f, "key", LOOM_LEFT);
    column(f, "what it means", LOOM_LEFT);
    cell(f, "a");
    cell(f, "mean of the three estimates größer als 0.5");
    cell(f, "b");
    cell(f, "short");
    cell(f, "c");
    cell(f, "aaaaaaaaaabbbbbbbbbbccccccccccd e");
    loom_table_limit(f->table, 30);
    assert_string_equal(written(f), "key  what it means\n"
                                    "---  -------------------------\n"
                                    "a    mean of the three\n"
                                    "     estimates größer als 0.5\n"
                                    "b    short\n"
                                    "c    aaaaaaaaaabbbbbbbbbbccccc\n"
                                    "     cccccd e\n");
    loom_table_limit(f->table, 0);
    assert_non_null(strstr(written(f), "a    mean of the three estimates größer als 0.5\n"));
}

/* With little room beside the other columns, it goes below them; a last column of numbers is left
 * alone. */
static void test_text_goes_below_wide_columns(void **state)
{
    struct fixture *f = *state;
    column(f, "a key that is long", LOOM_LEFT);
    column(f, "value", LOOM_RIGHT);
    column(f, "meaning", LOOM_LEFT);
    cell(f, "k");
    cell(f, "1");
    cell(f, "more than fits here at once");
    loom_table_limit(f->table, 28);
    assert_string_equal(written(f), "a key that is long  value\n"
                                    "    meaning\n"
                                    "------------------  -----\n"
                                    "k                       1\n"
                                    "    more than fits here at\n"
                                    "    once\n");
}

/* Columns go by priority, the rightmost of equal ones first, and come back with wide. */
static void test_columns_go_by_priority(void **state)
{
    static const struct {
        size_t limit;
        const char *titles;
        size_t hidden;
    } cases[] = {
        {0, "name  first  second  third", 1},
        {26, "name  first  second  third", 1},
        {25, "name  first  third", 2},
        {18, "name  first  third", 2},
        {17, "name  third", 3},
        {5, "name  third", 3},
    };
    struct fixture *f = *state;
    column(f, "name", LOOM_LEFT);
    column(f, "first", LOOM_RIGHT);
    loom_table_priority(f->table, 10);
    column(f, "second", LOOM_RIGHT);
    loom_table_priority(f->table, 10);
    column(f, "never", LOOM_RIGHT);
    loom_table_priority(f->table, LOOM_WIDE_ONLY);
    column(f, "third", LOOM_RIGHT);
    for (size_t i = 0; i < 5; i++)
        cell(f, "1");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *titles = cases[i].titles;
        loom_table_limit(f->table, cases[i].limit);
        assert_int_equal(loom_table_hidden(f->table), cases[i].hidden);
        assert_int_equal(strncmp(written(f), titles, strlen(titles)), 0);
        assert_int_equal(f->text[strlen(titles)], '\n');
    }
    assert_string_equal(written(f), "name  third\n"
                                    "----  -----\n"
                                    "1         1\n"
                                    "(3 more columns with --wide)\n");
    loom_table_wide(f->table, true);
    assert_int_equal(loom_table_hidden(f->table), 0);
    assert_string_equal(written(f), "name  first  second  never  third\n"
                                    "----  -----  ------  -----  -----\n"
                                    "1         1       1      1      1\n");
}

/* A column of text is broken before another is left out, as long as it can be read; where the last
 * column is left out, the one before is broken. */
static void test_text_is_broken_before_columns_go(void **state)
{
    struct fixture *f = *state;
    column(f, "key", LOOM_LEFT);
    column(f, "what it means", LOOM_LEFT);
    column(f, "source", LOOM_LEFT);
    loom_table_priority(f->table, 1);
    cell(f, "a");
    cell(f, "one two three four five six seven eight nine ten");
    cell(f, "somewhere");
    loom_table_limit(f->table, 50);
    assert_string_equal(written(f), "key  what it means\n"
                                    "---  ---------------------------------------------\n"
                                    "a    one two three four five six seven eight nine\n"
                                    "     ten\n"
                                    "(1 more column with --wide)\n");
}

static void test_misuse_is_an_error(void **state)
{
    struct fixture *f = *state;
    struct loom_error err = {0};
    assert_int_equal(loom_table_cell(f->table, &err, "x"), LOOM_EUSAGE);
    assert_string_equal(err.message, "a table needs columns before it can take cells");
    column(f, "a", LOOM_LEFT);
    cell(f, "1");
    assert_int_equal(loom_table_column(f->table, "b", LOOM_LEFT, &err), LOOM_EUSAGE);
    assert_string_equal(err.message, "column \"b\" comes after the first cell of its table");
    assert_string_equal(written(f), "a\n-\n1\n");
}

static void test_write_failure_is_reported(void **state)
{
    struct fixture *f = *state;
    struct loom_error err = {0};
    struct loom_output *out = NULL;
    column(f, "a", LOOM_LEFT);
    for (int i = 0; i < 100000; i++)
        cell(f, "cell");
    if (access("/dev/full", W_OK) != 0)
        skip();
    assert_int_equal(loom_output_create(&out, "/dev/full", &err), 0);
    assert_int_equal(loom_table_write(f->table, out, &err), LOOM_EIO);
    assert_string_equal(err.file, "/dev/full");
    assert_string_equal(err.message, "cannot write: No space left on device");
    loom_output_destroy(out);
}

static void test_destroy_accepts_null(void **state)
{
    (void)state;
    loom_table_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_columns_are_aligned, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_last_row_may_be_short, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_titles_without_rows, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_no_columns_write_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_empty_titles_and_cells, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_width_counts_code_points, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_blanks_at_the_end_are_dropped, set_up, tear_down),
        cmocka_unit_test(test_what_cannot_be_shown_is_a_question_mark),
        cmocka_unit_test_setup_teardown(test_width_follows_what_is_shown, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_wide_columns_and_many_rows, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_long_lines_are_broken, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_text_goes_below_wide_columns, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_columns_go_by_priority, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_text_is_broken_before_columns_go, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_misuse_is_an_error, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_write_failure_is_reported, set_up, tear_down),
        cmocka_unit_test(test_destroy_accepts_null),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

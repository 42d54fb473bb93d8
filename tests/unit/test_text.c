/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pieces of text: words, blanks, characters, and what of it can be shown. */
#include "base/human.h"
#include "base/text.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

static void test_words(void **state)
{
    static const struct {
        const char *text, *word;
        bool same;
    } cases[] = {
        {"", "", true},
        {"abc", "abc", true},
        {"aBc", "AbC", true},
        {"abc", "ab", false},
        {"ab", "abc", false},
        {"", "a", false},
        {"a", "", false},
        {"a_1", "A_1", true},
        {"@", "`", false},
        {"[", "{", false},
        {"\xc3\xa9", "\xc3\x89", false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        char *text = bare(cases[i].text);
        if (loom_same_word(text, strlen(cases[i].text), cases[i].word) != cases[i].same)
            fail_msg("'%s' and '%s'", cases[i].text, cases[i].word);
        free(text);
    }
}

static void test_trim(void **state)
{
    static const struct {
        const char *text, *trimmed;
    } cases[] = {
        {"", ""},         {" ", ""},      {" \t ", ""}, {"a", "a"},
        {" a b ", "a b"}, {"\t\ta", "a"}, {"a  ", "a"}, {"\na\n", "\na\n"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        char *whole = bare(cases[i].text);
        const char *text = whole;
        size_t length = strlen(cases[i].text);
        loom_trim(&text, &length);
        assert_int_equal(length, strlen(cases[i].trimmed));
        assert_memory_equal(text, cases[i].trimmed, length);
        free(whole);
    }
}

/* What UTF-8 is well formed is tested on tables, which show text of any kind. */
static void test_steps(void **state)
{
    static const struct {
        const char *text;
        size_t length;
        bool printable;
    } cases[] = {
        {"a", 1, true},         {"\n", 1, false},           {"\xc3\xa9x", 2, true},
        {"\xc2\x9b", 2, false}, {"\xe2\x80\xa8", 3, false}, {"\xe2\x82\xac", 3, true},
        {"\xe2\x82", 1, false}, {"\xff", 1, false},         {"\xf0\x9f\x98\x80", 4, true},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        bool printable;
        char *text = bare(cases[i].text);
        assert_int_equal(loom_utf8_step(text, strlen(cases[i].text), &printable), cases[i].length);
        assert_int_equal(printable, cases[i].printable);
        free(text);
    }
}

static void test_shown(void **state)
{
    char buf[LOOM_SHOWN];
    (void)state;

    assert_string_equal(loom_shown(buf, "a\nb\0c\x7f", 6), "a?b?c?");
    assert_string_equal(loom_shown(buf, "\x01\xff|\xc3\xa9|\xc3", 7), "?\?|\xc3\xa9|?");
    assert_string_equal(loom_shown(buf, "", 0), "");
    assert_string_equal(loom_shown(buf, "12345678901234567890123456789012345678901234", 44),
                        "12345678901234567890123456789012345678901234");
    assert_string_equal(loom_shown(buf, "123456789012345678901234567890123456789012345", 45),
                        "12345678901234567890123456789012345678901234...");
    /* A character is not cut in two. */
    assert_string_equal(loom_shown(buf, "1234567890123456789012345678901234567890123\xc3\xa9", 45),
                        "1234567890123456789012345678901234567890123...");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_trim),
        cmocka_unit_test(test_steps),
        cmocka_unit_test(test_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

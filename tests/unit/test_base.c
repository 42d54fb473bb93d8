/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Errors, words, arenas and name tables. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/names.h"
#include "base/sort.h"
#include "base/vec.h"
#include "base/words.h"

#include <workloom/base.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* ---- errors ---------------------------------------------------------------------------------- */

static void test_error_text(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        int64_t line;
        int column;
        const char *wanted;
    } cases[] = {
        {NULL, 0, 0, "it broke"},
        {"a.swf", 0, 0, "a.swf: it broke"},
        {"a.swf", 12, 0, "a.swf:12: it broke"},
        {"a.swf", 12, 3, "a.swf:12:3: it broke"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct loom_error err;
        char text[200];
        int code = loom_fail_at(&err, LOOM_EFORMAT, cases[i].file, cases[i].line, cases[i].column,
                                "it %s", "broke");
        assert_int_equal(code, LOOM_EFORMAT);
        assert_int_equal(err.code, LOOM_EFORMAT);
        assert_string_equal(loom_error_text(&err, text, sizeof text), cases[i].wanted);
    }
}

static void test_error_without_place_to_put_it(void **state)
{
    (void)state;
    assert_int_equal(loom_fail(NULL, LOOM_ERANGE, "x"), LOOM_ERANGE);
    assert_int_equal(loom_fail_memory(NULL), LOOM_ENOMEM);
    assert_int_equal(loom_fail_errno(NULL, ENOENT, "open", "f"), LOOM_EIO);
    assert_int_equal(loom_fail_field(NULL, LOOM_ERANGE, "jobs", "x"), LOOM_ERANGE);
    assert_int_equal(loom_blame(LOOM_ERANGE, "jobs", NULL), LOOM_ERANGE);
}

/* A field is named until the next failure, and can be added to a place. */
static void test_error_of_field(void **state)
{
    struct loom_error err;
    (void)state;
    assert_int_equal(loom_fail_field(&err, LOOM_ERANGE, "jobs", "jobs is %d", 7), LOOM_ERANGE);
    assert_string_equal(err.field, "jobs");
    assert_string_equal(err.message, "jobs is 7");
    assert_string_equal(err.file, "");
    loom_fail(&err, LOOM_EDATA, "no");
    assert_null(err.field);
    loom_blame(loom_fail_at(&err, LOOM_EIO, "f", 3, 0, "no"), "max_bytes", &err);
    assert_string_equal(err.field, "max_bytes");
    assert_int_equal(err.line, 3);
    loom_fail_memory(&err);
    assert_null(err.field);
}

static void test_error_of_system(void **state)
{
    (void)state;
    struct loom_error err;
    char text[200];
    assert_int_equal(loom_fail_errno(&err, ENOENT, "open", "f.swf"), LOOM_EIO);
    assert_string_equal(loom_error_text(&err, text, sizeof text),
                        "f.swf: cannot open: No such file or directory");
    assert_int_equal(loom_fail_errno(&err, ENOMEM, "read", "f.swf"), LOOM_ENOMEM);
}

static void test_error_keeps_end_of_long_path(void **state)
{
    (void)state;
    char path[2000];
    memset(path, 'd', sizeof path);
    memcpy(path + sizeof path - 7, "/x.swf", 7);
    struct loom_error err;
    loom_fail_at(&err, LOOM_EIO, path, 0, 0, "no");
    assert_int_equal(strlen(err.file), sizeof err.file - 1);
    assert_string_equal(err.file + strlen(err.file) - 6, "/x.swf");
    assert_memory_equal(err.file, "...d", 4);
}

/* ---- words ----------------------------------------------------------------------------------- */

static void test_nearest(void **state)
{
    (void)state;
    static const char *const words[] = {"info", "convert", "clean", "list", "help", NULL};
    static const struct {
        const char *word, *wanted;
    } cases[] = {
        {"inof", "info"},   {"INFO", "info"}, {"covnert", "convert"},
        {"cleen", "clean"}, {"lst", "list"},  {"frobnicate", NULL},
        {"", NULL},         {"zz", NULL},     {"helpp", "help"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *nearest = loom_nearest(cases[i].word, words);
        if (cases[i].wanted)
            assert_string_equal(nearest, cases[i].wanted);
        else
            assert_null(nearest);
    }
}

static void test_did_you_mean(void **state)
{
    (void)state;
    static const char *const words[] = {"minh2009", "minh2010", "minh2012", "mwm",
                                        "mmwm",     "--seed",   NULL};
    static const struct {
        const char *word, *wanted;
    } cases[] = {
        {"minh", "did you mean 'minh2009', 'minh2010' or 'minh2012'?"},
        {"Minh201", "did you mean 'minh2010' or 'minh2012'?"},
        {"minh2011", "did you mean 'minh2010' or 'minh2012'?"},
        {"mnih2009", "did you mean 'minh2009'?"},
        {"mw", "did you mean 'mwm'?"},
        {"--sede", "did you mean '--seed'?"},
        {"see", "did you mean '--seed'?"},
        {"x", ""},
        {"", ""},
    };
    char text[200], little[12];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(loom_did_you_mean(text, sizeof text, cases[i].word, words),
                            cases[i].wanted);
    assert_string_equal(loom_did_you_mean(little, sizeof little, "minh", words), "did you mea");
    struct loom_error err;
    assert_int_equal(loom_fail_unknown(&err, "model", "x", words, "see there"), LOOM_EUSAGE);
    assert_string_equal(err.message, "there is no model 'x'; see there");
    assert_int_equal(loom_fail_unknown(&err, "model", "mvm", words, "see there"), LOOM_EUSAGE);
    assert_string_equal(err.message, "there is no model 'mvm'; did you mean 'mwm'?");
}

static void test_nearest_of_long_words(void **state)
{
    (void)state;
    char word[300];
    memset(word, 'a', sizeof word - 1);
    word[sizeof word - 1] = '\0';
    const char *const list[] = {word, NULL};
    assert_null(loom_nearest(word, list));
    assert_null(loom_nearest("aaa", list));
}

/* ---- arena and arrays ------------------------------------------------------------------------ */

static void test_arena(void **state)
{
    (void)state;
    struct loom_arena arena = {0};
    char *kept[1000];
    for (int i = 0; i < 1000; i++) {
        char text[32];
        int length = snprintf(text, sizeof text, "text %d", i * i);
        kept[i] = loom_arena_text(&arena, text, (size_t)length);
        assert_non_null(kept[i]);
        void *aligned = loom_arena_alloc(&arena, (size_t)i);
        assert_non_null(aligned);
        assert_int_equal((uintptr_t)aligned % _Alignof(max_align_t), 0);
        memset(aligned, 0xff, (size_t)i);
    }
    char *large = loom_arena_alloc(&arena, 3 << 20);
    assert_non_null(large);
    memset(large, 1, 3 << 20);
    for (int i = 0; i < 1000; i++) {
        char text[32];
        snprintf(text, sizeof text, "text %d", i * i);
        assert_string_equal(kept[i], text);
    }
    assert_null(loom_arena_alloc(&arena, SIZE_MAX));
    loom_arena_free(&arena);
    assert_null(arena.blocks);
}

static void test_grow(void **state)
{
    (void)state;
    int *items = NULL;
    size_t n = 0, capacity = 0;
    for (int i = 0; i < 1000; i++) {
        assert_int_equal(loom_grow(&items, n, &capacity), 0);
        items[n++] = i;
    }
    assert_true(capacity >= 1000 && capacity < 2000);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(items[i], i);
    free(items);
}

/* ---- names ----------------------------------------------------------------------------------- */

static void test_names(void **state)
{
    (void)state;
    struct loom_arena arena = {0};
    struct loom_names names = {0};
    assert_null(loom_names_get(&names, 1));
    assert_int_equal(loom_names_find(&names, "ann", 3), -1);
    assert_int_equal(loom_names_intern(&names, &arena, "ann", 3), 1);
    assert_int_equal(loom_names_intern(&names, &arena, "bob", 3), 2);
    assert_int_equal(loom_names_intern(&names, &arena, "ann", 3), 1);
    assert_int_equal(loom_names_set(&names, &arena, 10, "zoe", 3), 0);
    assert_int_equal(loom_names_set(&names, &arena, 0, "nil", 3), 0);
    assert_int_equal(loom_names_intern(&names, &arena, "cat", 3), 11);
    assert_string_equal(loom_names_get(&names, 0), "nil");
    assert_string_equal(loom_names_get(&names, 11), "cat");
    assert_null(loom_names_get(&names, 5));
    assert_int_equal(loom_names_find(&names, "zoe", 3), 10);
    loom_names_free(&names);
    loom_arena_free(&arena);
}

static void test_names_renamed_and_shared(void **state)
{
    (void)state;
    struct loom_arena arena = {0};
    struct loom_names names = {0};
    loom_names_set(&names, &arena, 5, "batch", 5);
    loom_names_set(&names, &arena, 2, "batch", 5);
    assert_int_equal(loom_names_find(&names, "batch", 5), 2);
    loom_names_set(&names, &arena, 2, "long", 4);
    assert_string_equal(loom_names_get(&names, 2), "long");
    assert_int_equal(loom_names_find(&names, "batch", 5), 5);
    assert_int_equal(loom_names_find(&names, "long", 4), 2);
    assert_int_equal(names.n, 2);
    loom_names_free(&names);
    loom_arena_free(&arena);
}

static void test_many_names(void **state)
{
    (void)state;
    struct loom_arena arena = {0};
    struct loom_names names = {0};
    char text[32];
    for (int i = 1; i <= 20000; i++) {
        int length = snprintf(text, sizeof text, "user%d", i * 7);
        assert_int_equal(loom_names_intern(&names, &arena, text, (size_t)length), i);
    }
    for (int i = 1; i <= 20000; i += 37) {
        int length = snprintf(text, sizeof text, "user%d", i * 7);
        assert_int_equal(loom_names_find(&names, text, (size_t)length), i);
        assert_string_equal(loom_names_get(&names, i), text);
    }
    loom_names_free(&names);
    loom_arena_free(&arena);
}

static void test_sort(void **state)
{
    (void)state;
    int64_t numbers[] = {3, INT64_MAX, -1, 3, INT64_MIN, 0, -1, 3};
    static const int64_t sorted[] = {INT64_MIN, -1, -1, 0, 3, 3, 3, INT64_MAX};
    assert_int_equal(loom_sort_int64(numbers, 8), 5);
    assert_memory_equal(numbers, sorted, sizeof sorted);
    assert_int_equal(loom_sort_int64(NULL, 0), 0);
}

/* Each number below a limit comes as often, in an order that jumps about; the last rows have
 * numbers that do not fit 32 bits, at both ends. Few numbers are sorted in place, many by way of a
 * copy. */
static void test_sort_many(void **state)
{
    (void)state;
    enum { MOST = 5000, DIFFERENT = 1250 };
    static const int64_t steps[] = {1, 3000, 3000000, INT64_C(1) << 40, -7};
    int64_t numbers[MOST];
    for (size_t n = MOST / 2; n <= MOST; n += MOST / 2)
        for (size_t row = 0; row < sizeof steps / sizeof *steps; row++) {
            for (size_t i = 0; i < n; i++)
                numbers[i] = (int64_t)(i * 7919 % DIFFERENT) * steps[row];
            assert_int_equal(loom_sort_int64(numbers, n), DIFFERENT);
            for (size_t i = 0; i < n; i++) {
                size_t place = i / (n / DIFFERENT);
                place = steps[row] > 0 ? place : DIFFERENT - 1 - place;
                assert_int_equal(numbers[i], (int64_t)place * steps[row]);
            }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_error_text),
        cmocka_unit_test(test_error_without_place_to_put_it),
        cmocka_unit_test(test_error_of_field),
        cmocka_unit_test(test_error_of_system),
        cmocka_unit_test(test_error_keeps_end_of_long_path),
        cmocka_unit_test(test_nearest),
        cmocka_unit_test(test_did_you_mean),
        cmocka_unit_test(test_nearest_of_long_words),
        cmocka_unit_test(test_arena),
        cmocka_unit_test(test_grow),
        cmocka_unit_test(test_sort),
        cmocka_unit_test(test_sort_many),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_names_renamed_and_shared),
        cmocka_unit_test(test_many_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

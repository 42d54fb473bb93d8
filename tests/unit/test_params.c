/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Declared parameters: what is accepted, what is refused and how, and what is read back. */
#include "base/param.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <workloom/base.h>

static const char *const colours[] = {"red", "green", "blue", NULL};

static const struct loom_param list_a[] = {
    {.name = "count", .type = LOOM_PARAM_INT, .min = 1, .max = 10, .value = "3"},
    {.name = "seed", .type = LOOM_PARAM_INT, .max = 0x1p53, .hint = "any will do"},
    {.name = "any", .type = LOOM_PARAM_INT},
    {.name = "load", .type = LOOM_PARAM_REAL, .min = 0, .max = 1, .value = "0.5"},
    {.name = "size", .type = LOOM_PARAM_BYTES, .min = 1, .max = 0x1p62, .value = "4K"},
    {.name = NULL},
};
static const struct loom_param list_b[] = {
    {.name = "colour", .type = LOOM_PARAM_CHOICE, .choices = colours, .value = "red"},
    {.name = "file", .letter = 'f', .type = LOOM_PARAM_TEXT},
    {.name = "user", .type = LOOM_PARAM_TEXT, .repeated = true, .value = "all"},
    {.name = "quiet", .letter = 'q', .type = LOOM_PARAM_FLAG},
    {.name = NULL},
};
static const struct loom_param *const lists[] = {list_a, list_b, NULL};

static struct loom_params *create(void)
{
    struct loom_params *params = NULL;
    assert_int_equal(loom_params_create(&params, lists, NULL), 0);
    return params;
}

static void test_defaults(void **state)
{
    (void)state;
    struct loom_params *params = create();
    assert_int_equal(loom_params_int(params, "count"), 3);
    assert_true(loom_params_real(params, "load") == 0.5);
    assert_int_equal(loom_params_int(params, "size"), 4096);
    assert_string_equal(loom_params_text(params, "colour"), "red");
    assert_null(loom_params_text(params, "file"));
    assert_false(loom_params_flag(params, "quiet"));
    assert_false(loom_params_given(params, "count"));
    assert_int_equal(loom_params_count(params, "user"), 1);
    loom_params_destroy(params);
}

static void test_values(void **state)
{
    (void)state;
    struct loom_params *params = create();
    assert_int_equal(loom_params_set(params, "count", "10", NULL), 0);
    assert_int_equal(loom_params_set(params, "any", "-9223372036854775808", NULL), 0);
    assert_int_equal(loom_params_set(params, "load", "1e-3", NULL), 0);
    assert_int_equal(loom_params_set(params, "size", "2g", NULL), 0);
    assert_int_equal(loom_params_set(params, "f", "x.swf", NULL), 0);
    assert_int_equal(loom_params_set(params, "file", "y.swf", NULL), 0);
    assert_int_equal(loom_params_set(params, "q", NULL, NULL), 0);
    assert_int_equal(loom_params_set(params, "user", "1", NULL), 0);
    assert_int_equal(loom_params_set(params, "user", "2", NULL), 0);
    assert_int_equal(loom_params_int(params, "count"), 10);
    assert_true(loom_params_int(params, "any") == INT64_MIN);
    assert_true(loom_params_real(params, "load") == 1e-3);
    assert_true(loom_params_int(params, "size") == INT64_C(2) << 30);
    assert_int_equal(loom_params_set(params, "size", "1e6", NULL), 0);
    assert_int_equal(loom_params_int(params, "size"), 1000000);
    assert_int_equal(loom_params_set(params, "size", "2.5e1k", NULL), 0);
    assert_int_equal(loom_params_int(params, "size"), 25 * 1024);
    assert_string_equal(loom_params_text(params, "file"), "y.swf");
    assert_true(loom_params_flag(params, "quiet"));
    assert_int_equal(loom_params_count(params, "user"), 2);
    assert_string_equal(loom_params_item(params, "user", 0), "1");
    assert_string_equal(loom_params_item(params, "user", 1), "2");
    assert_null(loom_params_item(params, "user", 2));
    loom_params_destroy(params);
}

static void test_whole_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t wanted;
    } cases[] = {{"1e4", 10000},
                 {"2.5e3", 2500},
                 {"1E0", 1},
                 {"9.0", 9},
                 {"-3e2", -300},
                 {"+12", 12},
                 {"1e15", INT64_C(1000000000000000)},
                 {"10e-1", 1}};
    struct loom_params *params = create();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(loom_params_set(params, "any", cases[i].text, NULL), 0);
        assert_true(loom_params_int(params, "any") == cases[i].wanted);
    }
    loom_params_destroy(params);
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text, *message;
        int code;
    } cases[] = {
        {"count", "ten", "count wants a whole number, not 'ten'", LOOM_EUSAGE},
        {"count", "", "count wants a whole number, not ''", LOOM_EUSAGE},
        {"count", " 3", "count wants a whole number, not ' 3'", LOOM_EUSAGE},
        {"count", "3x", "count wants a whole number, not '3x'", LOOM_EUSAGE},
        {"count", "0", "count must be between 1 and 10, not 0", LOOM_ERANGE},
        {"count", "11", "count must be between 1 and 10, not 11", LOOM_ERANGE},
        {"count", "2.5", "count wants a whole number, not '2.5'", LOOM_EUSAGE},
        {"count", "25e-1", "count wants a whole number, not '25e-1'", LOOM_EUSAGE},
        {"count", "0x3", "count wants a whole number, not '0x3'", LOOM_EUSAGE},
        {"count", "1e", "count wants a whole number, not '1e'", LOOM_EUSAGE},
        {"count", "1e2", "count must be between 1 and 10, not 1e2", LOOM_ERANGE},
        {"seed", "-1", "seed must be between 0 and 9007199254740992, not -1", LOOM_ERANGE},
        {"seed", "1e16", "seed must be between 0 and 9007199254740992, not 1e16", LOOM_ERANGE},
        {"seed", "1e400", "seed must be between 0 and 9007199254740992, not 1e400", LOOM_ERANGE},
        {"seed", "now", "seed wants a whole number, not 'now'; any will do", LOOM_EUSAGE},
        {"any", "9223372036854775808", "any: 9223372036854775808 is too large", LOOM_ERANGE},
        {"load", "nan", "load wants a number, not 'nan'", LOOM_EUSAGE},
        {"load", "inf", "load wants a number, not 'inf'", LOOM_EUSAGE},
        {"load", "1.01", "load must be between 0 and 1, not 1.01", LOOM_ERANGE},
        {"size", "4X", "size wants a number of bytes such as 500M, not '4X'", LOOM_EUSAGE},
        {"size", "-1", "size wants a number of bytes such as 500M, not '-1'", LOOM_EUSAGE},
        {"size", "1.5K", "size wants a number of bytes such as 500M, not '1.5K'", LOOM_EUSAGE},
        {"size", "K", "size wants a number of bytes such as 500M, not 'K'", LOOM_EUSAGE},
        {"size", "", "size wants a number of bytes such as 500M, not ''", LOOM_EUSAGE},
        {"size", "1e17", "size: 1e17 is too large", LOOM_ERANGE},
        {"size", "9000000T", "size: 9000000T is too large", LOOM_ERANGE},
        {"size", "0", "size must be at least 1, not 0", LOOM_ERANGE},
        {"colour", "gren", "colour wants red, green or blue, not 'gren'; did you mean 'green'?",
         LOOM_EUSAGE},
        {"colour", "mauve", "colour wants red, green or blue, not 'mauve'", LOOM_EUSAGE},
        {"quiet", "yes", "quiet takes no value", LOOM_EUSAGE},
        {"file", NULL, "file needs a value", LOOM_EUSAGE},
        {"nothing", "1", "there is no parameter 'nothing'", LOOM_EUSAGE},
    };
    struct loom_params *params = create();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct loom_error err;
        assert_int_equal(loom_params_set(params, cases[i].name, cases[i].text, &err),
                         cases[i].code);
        assert_string_equal(err.message, cases[i].message);
        if (loom_params_find(params, cases[i].name))
            assert_string_equal(err.field, cases[i].name);
        else
            assert_null(err.field);
    }
    /* What was refused has changed nothing. */
    assert_int_equal(loom_params_int(params, "count"), 3);
    assert_string_equal(loom_params_text(params, "colour"), "red");
    loom_params_destroy(params);
}

/* Parameters of plug-ins, as one text. */
static void test_settings(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"count=4,colour=blue,quiet", NULL},
        {"load=0.25", NULL},
        {"colr=red", "thing has no parameter 'colr'; did you mean 'colour'?"},
        {"zebra=red", "thing has no parameter 'zebra'; see 'workloom help thing'"},
        {"f=x", "thing has no parameter 'f'; see 'workloom help thing'"},
        {"count=0", "thing: count must be between 1 and 10, not 0"},
        {"count", "thing: count needs a value"},
        {"quiet=yes", "thing: quiet takes no value"},
        {"count=1,,load=1", "thing: '' is no parameter; give it as NAME=VALUE"},
        {"=3", "thing: '=3' is no parameter; give it as NAME=VALUE"},
    };
    struct loom_error err;
    struct loom_params *params = create();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int rc = loom_params_assign_all(params, "thing", cases[i].text, &err);
        assert_true((rc == 0) == (cases[i].message == NULL));
        if (rc)
            assert_string_equal(err.message, cases[i].message);
    }
    assert_string_equal(loom_params_text(params, "colour"), "blue");
    assert_true(loom_params_flag(params, "quiet"));
    assert_true(loom_params_real(params, "load") == 0.25);
    assert_int_equal(loom_params_assign(NULL, "thing", "x=1", &err), LOOM_EUSAGE);
    assert_string_equal(err.message, "thing has no parameters");
    loom_params_destroy(params);
}

static void test_bad_default_is_noticed(void **state)
{
    (void)state;
    static const struct loom_param bad[] = {
        {.name = "n", .type = LOOM_PARAM_INT, .min = 1, .max = 2, .value = "3"},
        {.name = NULL},
    };
    const struct loom_param *const bad_lists[] = {bad, NULL};
    struct loom_params *params = NULL;
    assert_int_equal(loom_params_create(&params, bad_lists, NULL), LOOM_ERANGE);
    assert_null(params);
    loom_params_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),      cmocka_unit_test(test_values),
        cmocka_unit_test(test_whole_numbers), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_settings),      cmocka_unit_test(test_bad_default_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

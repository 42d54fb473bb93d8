/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of numbers and windows of time, as people write them. */
#include "base/numbers.h"
#include "support.h"
#include "trace/window.h"

#include <string.h>

static void test_lists(void **state)
{
    static const struct {
        const char *text;
        size_t n;
        double items[5];
    } cases[] = {
        {"0.9", 1, {0.9}},
        {"0.9,0.5,0.7", 3, {0.5, 0.7, 0.9}},
        {"0.5:0.9:0.2", 3, {0.5, 0.7, 0.9}},
        {"0.5:0.95:0.2", 3, {0.5, 0.7, 0.9}}, /* the end is not reached */
        {"0.1:0.3:0.1,0.2,.25", 4, {0.1, 0.2, 0.25, 0.3}},
        {"3:3:1", 1, {3}},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct loom_numbers numbers = {.n = 0};
        assert_int_equal(loom_numbers_add(&numbers, cases[i].text, 0.1, 5, "load", NULL), 0);
        assert_int_equal(numbers.n, cases[i].n);
        for (size_t k = 0; k < numbers.n; k++)
            assert_float_equal(numbers.items[k], cases[i].items[k], 1e-9);
    }
}

static void test_bad_lists(void **state)
{
    static const char *const texts[] = {"",         "x",       "0.5,",    "0.05",
                                        "6",        "0.5:1",   "0.5:1:0", "1:0.5:1",
                                        "0.5:1:-1", "0.5 0.7", "nan",     "0.5:9:0.1"};
    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++) {
        struct loom_numbers numbers = {.n = 0};
        struct loom_error err = {0};
        assert_int_equal(loom_numbers_add(&numbers, texts[i], 0.1, 5, "load", &err), LOOM_EUSAGE);
        assert_string_equal(err.field, "load");
    }
    struct loom_numbers many = {.n = 0};
    assert_int_equal(loom_numbers_add(&many, "0.1:5:0.004", 0.1, 5, "load", NULL), LOOM_EUSAGE);
    assert_int_equal(loom_numbers_add(&many, "0.5:0.9:1e-300", 0.1, 5, "load", NULL), LOOM_EUSAGE);
    many.n = 0;
    assert_int_equal(loom_numbers_add(&many, "0.5:0.5:1e-18", 0.1, 5, "load", NULL), 0);
    assert_int_equal(many.n, 1);
}

static void test_windows(void **state)
{
    static const struct {
        const char *text;
        int64_t from_s, to_s;
    } cases[] = {
        {"0:3600", 100, 3700},
        {"90m:3h", 100 + 5400, 100 + 10800},
        {"3d:3.5d", 100 + 259200, 100 + 302400},
        {"1970-01-02:1970-01-02T12:30", 86400 - 50, 131400 - 50},
        {"1970-01-01T00:02:10:1h", 80, 3700},
    };
    struct loom_trace *trace = empty_trace();
    (void)state;
    assert_int_equal(loom_trace_add_directive(trace, "UnixStartTime", "50", NULL), 0);
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct loom_window_text text;
        int64_t from_s, to_s;
        assert_int_equal(loom_window_split(&text, cases[i].text, "gantt", NULL), 0);
        assert_int_equal(text.dated, strchr(cases[i].text, '-') != NULL);
        assert_int_equal(loom_window_resolve(&from_s, &to_s, &text, trace, 100, "gantt", NULL), 0);
        assert_int_equal(from_s, cases[i].from_s);
        assert_int_equal(to_s, cases[i].to_s);
    }
    loom_trace_destroy(trace);
}

static void test_bad_windows(void **state)
{
    static const char *const texts[] = {"", "5", "5:5", "2h:1h", "x:1h", "1h:", "2003-3-3:4d"};
    struct loom_trace *trace = empty_trace();
    struct loom_window_text text;
    int64_t from_s, to_s;
    (void)state;
    assert_int_equal(loom_trace_add_directive(trace, "UnixStartTime", "50", NULL), 0);
    for (size_t i = 0; i < COUNT(texts); i++)
        assert_int_equal(loom_window_split(&text, texts[i], "gantt", NULL), LOOM_EUSAGE);
    /* A day that is none, and one before the other end, are seen when the log is known. */
    assert_int_equal(loom_window_split(&text, "2003-02-30:2003-03-04", "gantt", NULL), 0);
    assert_int_not_equal(loom_window_resolve(&from_s, &to_s, &text, trace, 0, "gantt", NULL), 0);
    assert_int_equal(loom_window_split(&text, "1970-01-09:1970-01-08", "gantt", NULL), 0);
    assert_int_equal(loom_window_resolve(&from_s, &to_s, &text, trace, 0, "gantt", NULL),
                     LOOM_EUSAGE);
    loom_trace_destroy(trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_bad_lists),
        cmocka_unit_test(test_windows),
        cmocka_unit_test(test_bad_windows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

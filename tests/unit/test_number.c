/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers: what is read, what is refused, how fractions round, and that printing is read back. */
#include "support.h"
#include "trace/number.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Each text is handed over without a NUL behind it, to catch reading past its end. */
static const char *unterminated(char *buf, size_t size, const char *text)
{
    size_t length = strlen(text);
    assert_true(length < size);
    memset(buf, '7', size);
    memcpy(buf, text, length);
    return buf;
}

static void test_int(void **state)
{
    static const struct {
        const char *text;
        enum loom_number result;
        int64_t value;
    } cases[] = {
        {"0", LOOM_NUMBER_OK, 0},
        {"-0", LOOM_NUMBER_OK, 0},
        {"+17", LOOM_NUMBER_OK, 17},
        {"007", LOOM_NUMBER_OK, 7},
        {"9223372036854775807", LOOM_NUMBER_OK, INT64_MAX},
        {"-9223372036854775808", LOOM_NUMBER_OK, INT64_MIN},
        {"9223372036854775808", LOOM_NUMBER_RANGE, 0},
        {"-9223372036854775809", LOOM_NUMBER_RANGE, 0},
        {"18446744073709551616", LOOM_NUMBER_RANGE, 0},
        {"99999999999999999999999", LOOM_NUMBER_RANGE, 0},
        {"", LOOM_NUMBER_BAD, 0},
        {"-", LOOM_NUMBER_BAD, 0},
        {"+", LOOM_NUMBER_BAD, 0},
        {"--1", LOOM_NUMBER_BAD, 0},
        {"1.0", LOOM_NUMBER_BAD, 0},
        {"1e3", LOOM_NUMBER_BAD, 0},
        {" 1", LOOM_NUMBER_BAD, 0},
        {"1 ", LOOM_NUMBER_BAD, 0},
        {"0x10", LOOM_NUMBER_BAD, 0},
        {"twelve", LOOM_NUMBER_BAD, 0},
    };
    (void)state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char buf[64];
        int64_t value = 0;
        const char *text = unterminated(buf, sizeof buf, cases[i].text);
        assert_int_equal(loom_number_int(&value, text, strlen(cases[i].text)), cases[i].result);
        assert_int_equal(value, cases[i].value);
    }
}

static void test_whole(void **state)
{
    static const struct {
        const char *text;
        enum loom_number result;
        int64_t value;
    } cases[] = {
        {"12", LOOM_NUMBER_OK, 12},
        {"12.", LOOM_NUMBER_OK, 12},
        {"12.000", LOOM_NUMBER_OK, 12},
        {"12.4", LOOM_NUMBER_ROUNDED, 12},
        {"12.5", LOOM_NUMBER_ROUNDED, 13},
        {"-12.5", LOOM_NUMBER_ROUNDED, -13},
        {"-12.49", LOOM_NUMBER_ROUNDED, -12},
        {".5", LOOM_NUMBER_ROUNDED, 1},
        {".4999999999999999999999999", LOOM_NUMBER_ROUNDED, 0},
        {"9.96", LOOM_NUMBER_ROUNDED, 10},
        {"1.2e1", LOOM_NUMBER_OK, 12},
        {"1.25e1", LOOM_NUMBER_ROUNDED, 13},
        {"1200E-2", LOOM_NUMBER_OK, 12},
        {"5e-1", LOOM_NUMBER_ROUNDED, 1},
        {"5e-2", LOOM_NUMBER_ROUNDED, 0},
        {"9e-99999999999", LOOM_NUMBER_ROUNDED, 0},
        {"0e99999999999", LOOM_NUMBER_OK, 0},
        {"1e18", LOOM_NUMBER_OK, 1000000000000000000},
        {"1e19", LOOM_NUMBER_RANGE, 0},
        {"1e99999999999", LOOM_NUMBER_RANGE, 0},
        {"9223372036854775807.4", LOOM_NUMBER_ROUNDED, INT64_MAX},
        {"9223372036854775807.5", LOOM_NUMBER_RANGE, 0},
        {"-9223372036854775808.4", LOOM_NUMBER_ROUNDED, INT64_MIN},
        {"-9223372036854775808.5", LOOM_NUMBER_RANGE, 0},
        {"18446744073709551615.5", LOOM_NUMBER_RANGE, 0},
        {"9007199254740993", LOOM_NUMBER_OK, 9007199254740993}, /* not a double */
        {".", LOOM_NUMBER_BAD, 0},
        {"-.", LOOM_NUMBER_BAD, 0},
        {"1e", LOOM_NUMBER_BAD, 0},
        {"1e+", LOOM_NUMBER_BAD, 0},
        {"e5", LOOM_NUMBER_BAD, 0},
        {"1.2.3", LOOM_NUMBER_BAD, 0},
        {"1,5", LOOM_NUMBER_BAD, 0},
        {"1e5.0", LOOM_NUMBER_BAD, 0},
        {"nan", LOOM_NUMBER_BAD, 0},
        {"inf", LOOM_NUMBER_BAD, 0},
    };
    (void)state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char buf[64];
        int64_t value = 0;
        const char *text = unterminated(buf, sizeof buf, cases[i].text);
        enum loom_number result =
            loom_number_whole(&value, text, strlen(cases[i].text), INT64_MIN, INT64_MAX);
        assert_int_equal(result, cases[i].result);
        assert_int_equal(value, cases[i].value);
    }
}

static void test_whole_limits(void **state)
{
    int64_t value = 42;
    (void)state;

    assert_int_equal(loom_number_whole(&value, "2147483648", 10, INT32_MIN, INT32_MAX),
                     LOOM_NUMBER_RANGE);
    assert_int_equal(loom_number_whole(&value, "2147483647.6", 12, INT32_MIN, INT32_MAX),
                     LOOM_NUMBER_RANGE);
    assert_int_equal(value, 42);
    assert_int_equal(loom_number_whole(&value, "-2147483648", 11, INT32_MIN, INT32_MAX),
                     LOOM_NUMBER_OK);
    assert_int_equal(value, INT32_MIN);
}

static void test_real(void **state)
{
    static const struct {
        const char *text;
        enum loom_number result;
        double value;
    } cases[] = {
        {"0", LOOM_NUMBER_OK, 0.0},
        {"-0.5", LOOM_NUMBER_OK, -0.5},
        {"0.1", LOOM_NUMBER_OK, 0.1},
        {"3.", LOOM_NUMBER_OK, 3.0},
        {".25", LOOM_NUMBER_OK, 0.25},
        {"123456789.123456789", LOOM_NUMBER_OK, 123456789.123456789},
        {"1e22", LOOM_NUMBER_OK, 1e22},
        {"1e23", LOOM_NUMBER_OK, 1e23},
        {"9007199254740993", LOOM_NUMBER_OK, 9007199254740992.0},
        {"1.7976931348623157e308", LOOM_NUMBER_OK, DBL_MAX},
        {"5e-324", LOOM_NUMBER_OK, 5e-324},
        {"1e-400", LOOM_NUMBER_OK, 0.0},
        {"1e400", LOOM_NUMBER_RANGE, 0.0},
        {"-1e99999999", LOOM_NUMBER_RANGE, 0.0},
        {"0x1p3", LOOM_NUMBER_BAD, 0.0},
        {"infinity", LOOM_NUMBER_BAD, 0.0},
        {"", LOOM_NUMBER_BAD, 0.0},
        {"1 2", LOOM_NUMBER_BAD, 0.0},
    };
    (void)state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char buf[64];
        double value = 0;
        const char *text = unterminated(buf, sizeof buf, cases[i].text);
        assert_int_equal(loom_number_real(&value, text, strlen(cases[i].text)), cases[i].result);
        assert_memory_equal(&value, &cases[i].value, sizeof value);
    }
}

static void test_long_text(void **state)
{
    char text[LOOM_NUMBER_TEXT + 1];
    double real = 0;
    int64_t whole = 0;
    (void)state;

    memset(text, '0', sizeof text);
    text[LOOM_NUMBER_TEXT - 1] = '7';
    assert_int_equal(loom_number_int(&whole, text, LOOM_NUMBER_TEXT), LOOM_NUMBER_OK);
    assert_int_equal(whole, 7);
    assert_int_equal(loom_number_real(&real, text, LOOM_NUMBER_TEXT), LOOM_NUMBER_OK);
    assert_true(real == 7.0);
    assert_int_equal(loom_number_int(&whole, text, sizeof text), LOOM_NUMBER_BAD);
    assert_int_equal(loom_number_real(&real, text, sizeof text), LOOM_NUMBER_BAD);
}

static void test_print_int(void **state)
{
    static const int64_t values[] = {0, 1, -1, 10, -987654321, INT64_MAX, INT64_MIN};
    char buf[LOOM_NUMBER_PRINT], expected[LOOM_NUMBER_PRINT];
    (void)state;

    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        snprintf(expected, sizeof expected, "%lld", (long long)values[i]);
        assert_int_equal(loom_number_print_int(buf, values[i]), strlen(expected));
        assert_string_equal(buf, expected);
    }
}

static void test_print_real(void **state)
{
    static const struct {
        double value;
        const char *text;
    } cases[] = {
        {0.0, "0"},
        {-0.0, "-0"},
        {-1.0, "-1"},
        {0.1, "0.1"},
        {1.0 / 3.0, "0.3333333333333333"},
        {0.1 + 0.2, "0.30000000000000004"},
        {2048.5, "2048.5"},
        {9007199254740991.0, "9007199254740991"},
        {1e300, "1e+300"},
        {5e-324, "5e-324"},
        {NAN, "-1"},
        {INFINITY, "-1"},
    };
    char buf[LOOM_NUMBER_PRINT];
    (void)state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(loom_number_print_real(buf, cases[i].value), strlen(cases[i].text));
        assert_string_equal(buf, cases[i].text);
    }
}

/* Doubles of random bits come back as the same bits. */
static void test_print_read_back(void **state)
{
    struct loom_stream stream;
    (void)state;

    loom_stream_init(&stream, 1, 0, "test-number");
    for (int i = 0; i < 20000; i++) {
        const uint64_t bits = loom_stream_u64(&stream);
        double value, back = 0;
        char buf[LOOM_NUMBER_PRINT];
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value))
            continue;
        size_t length = loom_number_print_real(buf, value);
        assert_true(length < sizeof buf);
        assert_int_equal(loom_number_real(&back, buf, length), LOOM_NUMBER_OK);
        assert_memory_equal(&back, &value, sizeof value);
    }
}

/* A host program may have set a locale whose decimal point is a comma. */
static void test_locale(void **state)
{
    char buf[LOOM_NUMBER_PRINT];
    double value = 0;
    (void)state;

    if (!setlocale(LC_NUMERIC, "de_DE.UTF-8") && !setlocale(LC_NUMERIC, "fr_FR.UTF-8"))
        skip();
    assert_int_equal(loom_number_real(&value, "0.30000000000000004", 19), LOOM_NUMBER_OK);
    loom_number_print_real(buf, value);
    setlocale(LC_NUMERIC, "C");
    assert_string_equal(buf, "0.30000000000000004");
}

static void test_missing(void **state)
{
    static const char *const missing[] = {"",    "-",    "NA",   "N/A",  "NaN", "nan",
                                          "NAN", "null", "NULL", "None", "Null"};
    static const char *const given[] = {"-1", "0", "na", "--", "none", "NAx", " "};
    (void)state;

    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++)
        assert_true(loom_number_missing(missing[i], strlen(missing[i])));
    for (size_t i = 0; i < sizeof given / sizeof *given; i++)
        assert_false(loom_number_missing(given[i], strlen(given[i])));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_int),          cmocka_unit_test(test_whole),
        cmocka_unit_test(test_whole_limits), cmocka_unit_test(test_real),
        cmocka_unit_test(test_long_text),    cmocka_unit_test(test_print_int),
        cmocka_unit_test(test_print_real),   cmocka_unit_test(test_print_read_back),
        cmocka_unit_test(test_locale),       cmocka_unit_test(test_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

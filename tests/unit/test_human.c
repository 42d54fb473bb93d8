/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers for people: digits, separators, units, and what happens at the borders between them. */
#include "base/human.h"
#include "support.h"

#include <math.h>
#include <string.h>

struct number_case {
    double value;
    const char *text;
};

typedef const char *format_fn(double value, char *buf, size_t size);

static void check(format_fn *format, const struct number_case *cases, size_t n)
{
    char buf[LOOM_HUMAN];
    for (size_t i = 0; i < n; i++) {
        assert_string_equal(format(cases[i].value, buf, sizeof buf), cases[i].text);
        assert_ptr_equal(format(cases[i].value, buf, sizeof buf), buf);
    }
}

static void test_numbers(void **state)
{
    static const struct number_case cases[] = {
        {0, "0"},
        {-0.0, "0"},
        {1, "1"},
        {0.12345, "0.123"},
        {-0.9996, "-1"},
        {0.9994, "0.999"},
        {12.345, "12.3"},
        {99.95, "100"},
        {123, "123"},
        {999.4, "999"},
        {999.5, "1,000"},
        {999.97, "1,000"},
        {1000, "1,000"},
        {1581896, "1,581,896"},
        {-8.35168e6, "-8,351,680"},
        {999999.6, "1,000,000"},
        {1e14, "100,000,000,000,000"},
        {1e15, "1e+15"},
        {-1e300, "-1e+300"},
        {3.21e-5, "3.21e-05"},
        {NAN, "-"},
        {INFINITY, "inf"},
        {-INFINITY, "-inf"},
    };
    (void)state;
    check(loom_human_number, cases, sizeof cases / sizeof *cases);
}

static void test_shares(void **state)
{
    static const struct number_case cases[] = {
        {0, "0 %"},           {1, "100 %"},        {0.81, "81 %"},      {0.8123, "81.2 %"},
        {0.05309, "5.31 %"},  {0.0001, "0.01 %"},  {9e-5, "<0.01 %"},   {-9e-5, ">-0.01 %"},
        {0.9994, "99.9 %"},   {0.9999, ">99.9 %"}, {1.25, "125 %"},     {-0.5, "-50 %"},
        {12.345, "1,234 %"},  {NAN, "-"},          {INFINITY, "inf %"}, {1 - 1e-16, ">99.9 %"},
        {1.0000001, "100 %"},
    };
    (void)state;
    check(loom_human_share, cases, sizeof cases / sizeof *cases);
}

static void test_seconds(void **state)
{
    static const struct number_case cases[] = {
        {0, "0 s"},
        {0.25, "0.25 s"},
        {0.9999, "1 s"},
        {59.96, "60 s"},
        {119.4, "119 s"},
        {119.6, "2 min"}, /* not 120 s */
        {120, "2 min"},
        {2100, "35 min"},
        {5400, "90 min"},
        {7199, "2 h"}, /* not 120 min */
        {8640, "2.4 h"},
        {90000, "25 h"},
        {172799, "2 days"}, /* not 48 h */
        {267840, "3.1 days"},
        {86400 * 999.96, "1,000 days"},
        {1e8, "1,157 days"},
        {-3700, "-61.7 min"},
        {-119.9, "-2 min"},
        {(double)INT64_MAX, "106,751,991,167,301 days"},
        {1e300, "1.16e+295 days"},
        {NAN, "-"},
        {INFINITY, "inf days"},
    };
    (void)state;
    check(loom_human_seconds, cases, sizeof cases / sizeof *cases);
}

static void test_bytes(void **state)
{
    static const struct number_case cases[] = {
        {0, "0 B"},
        {999, "999 B"},
        {999.6, "0.976 KiB"},
        {1024, "1 KiB"},
        {1023 * 1024.0, "0.999 MiB"},
        {3.5 * 1024 * 1024, "3.5 MiB"},
        {0x1p60, "1,024 PiB"},
        {NAN, "-"},
    };
    (void)state;
    check(loom_human_bytes, cases, sizeof cases / sizeof *cases);
}

static void test_counts(void **state)
{
    static const struct {
        int64_t count;
        const char *text;
    } cases[] = {
        {0, "0"},
        {7, "7"},
        {999, "999"},
        {1000, "1,000"},
        {-1234, "-1,234"},
        {-123, "-123"},
        {123456, "123,456"},
        {1581896, "1,581,896"},
        {INT64_MAX, "9,223,372,036,854,775,807"},
        {INT64_MIN, "-9,223,372,036,854,775,808"},
    };
    char buf[LOOM_HUMAN];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(loom_human_count(cases[i].count, buf, sizeof buf), cases[i].text);
}

static void test_exact_durations(void **state)
{
    static const struct {
        int64_t seconds;
        const char *text;
    } cases[] = {
        {0, "0 s"},
        {119, "1 min 59 s"},
        {7201, "2 h 1 s"},
        {90000, "1 d 1 h"},
        {6661698, "77 d 2 h 28 min 18 s"},
        {-3700, "-1 h 1 min 40 s"},
        {INT64_MAX, "106751991167300 d 15 h 30 min 7 s"},
        {INT64_MIN, "-106751991167300 d 15 h 30 min 8 s"},
    };
    char buf[LOOM_HUMAN];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(loom_exact_duration(cases[i].seconds, buf, sizeof buf), cases[i].text);
}

static void test_small_buffers_are_not_overrun(void **state)
{
    char buf[8] = "xxxxxxx";
    (void)state;
    assert_string_equal(loom_human_count(1581896, buf, 4), "1,5");
    assert_string_equal(loom_human_seconds(267840, buf, 6), "3.1 d");
    assert_int_equal(buf[7], '\0');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_shares),
        cmocka_unit_test(test_seconds),
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_exact_durations),
        cmocka_unit_test(test_small_buffers_are_not_overrun),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

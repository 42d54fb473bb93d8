/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The calendar: days and dates, and times as text. */
#include "base/civil.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

static void test_days_of_known_dates(void **state)
{
    (void)state;
    static const struct {
        int64_t year;
        int month, day;
        int64_t days;
    } rows[] = {
        {1970, 1, 1, 0},         {1969, 12, 31, -1},   {2000, 2, 29, 11016},    {2000, 3, 1, 11017},
        {1900, 3, 1, -25508},    {1, 1, 1, -719162},   {0, 3, 1, -719468},      {0, 2, 29, -719469},
        {9999, 12, 31, 2932896}, {2026, 12, 1, 20788}, {-9999, 1, 1, -4371587},
    };
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_int_equal(loom_civil_days(rows[i].year, rows[i].month, rows[i].day), rows[i].days);
}

/* Every day from -9999 to 9999 follows the day before it by the plain rules of the calendar. */
static void test_calendar_day_by_day(void **state)
{
    (void)state;
    int64_t days = loom_civil_days(-9999, 1, 1), last = loom_civil_days(9999, 12, 31);
    assert_int_equal(last - days + 1, 49 * 146097 + 399 * 365 + 97 - 1);
    int64_t year = -9999;
    int month = 1, day = 1;
    static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    for (; days <= last; days++) {
        struct loom_civil civil = loom_civil_of(days * LOOM_DAY_S + LOOM_DAY_S - 1);
        if (civil.year != year || civil.month != month || civil.day != day || civil.hour != 23 ||
            civil.minute != 59 || civil.second != 59 || loom_civil_days(year, month, day) != days)
            fail_msg("%lld-%d-%d is wrong", (long long)year, month, day);
        bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        int length = lengths[month - 1] + (leap && month == 2);
        if (day == 1 && loom_civil_month_days(year, month) != length)
            fail_msg("length of %lld-%d is wrong", (long long)year, month);
        if (++day > length) {
            day = 1;
            if (++month > 12) {
                month = 1;
                year++;
            }
        }
    }
}

static void test_calendar_at_the_ends_of_time(void **state)
{
    (void)state;
    struct loom_civil last = loom_civil_of(INT64_MAX), first = loom_civil_of(INT64_MIN);
    assert_int_equal(last.year, 292277026596);
    assert_int_equal(last.month * 100 + last.day, 1204);
    assert_int_equal(last.hour * 10000 + last.minute * 100 + last.second, 153007);
    assert_int_equal(first.year, -292277022657);
    assert_int_equal(first.month * 100 + first.day, 127);
    assert_int_equal(first.hour * 10000 + first.minute * 100 + first.second, 82952);
    assert_int_equal(loom_civil_weekday(0), 4);
    assert_int_equal(loom_civil_weekday(-5), 6);
    assert_int_equal(loom_civil_weekday(INT64_MAX), 4); /* 2^63 - 1 = 0 mod 7 */
    assert_int_equal(loom_civil_weekday(INT64_MIN), 3);
}

static void test_parse_civil(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool good;
        int64_t seconds;
    } rows[] = {
        {"1970-01-01", true, 0},
        {"1970-01-02T00:00", true, 86400},
        {"2003-03-30T02:30:01", true, 1048991401},
        {"2003-03-30 02:30:01", true, 1048991401},
        {"2000-02-29 23:59", true, 951868740},
        {"0000-01-01", true, -62167219200},
        {"-9999-01-01", true, -4371587 * (int64_t)86400},
        {"9999-12-31T23:59:59", true, 253402300799},
        {"", false, 0},
        {"2003", false, 0},
        {"2003-1-1", false, 0},
        {"2003-13-01", false, 0},
        {"2003-00-01", false, 0},
        {"2003-02-29", false, 0},
        {"1900-02-29", false, 0},
        {"2003-04-31", false, 0},
        {"2003-04-00", false, 0},
        {"2003-04-30T", false, 0},
        {"2003-04-30T24:00", false, 0},
        {"2003-04-30T12:60", false, 0},
        {"2003-04-30T12:00:60", false, 0},
        {"2003-04-30T12", false, 0},
        {"2003-04-30T12:00:", false, 0},
        {"2003-04-30T12:00:00Z", false, 0},
        {"2003-04-30  12:00", false, 0},
        {"2003-04-3012:00", false, 0},
        {" 2003-04-30", false, 0},
        {"+2003-04-30", false, 0},
        {"20a3-04-30", false, 0},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        int64_t seconds = -7;
        bool good = loom_civil_parse(&seconds, rows[i].text, strlen(rows[i].text));
        if (good != rows[i].good || seconds != (good ? rows[i].seconds : -7))
            fail_msg("'%s' is read as %d, %lld", rows[i].text, good, (long long)seconds);
    }
}

static void test_parse_zone(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool good;
        int64_t east_s;
    } rows[] = {
        {"Z", true, 0},           {"+00:00", true, 0},     {"-00:00", true, 0},
        {"+01:00", true, 3600},   {"+0100", true, 3600},   {"+01", true, 3600},
        {"-05:30", true, -19800}, {"-0530", true, -19800}, {"-11", true, -39600},
        {"+23:59", true, 86340},  {"", false, 0},          {"z", false, 0},
        {"Z0", false, 0},         {"+", false, 0},         {"+1", false, 0},
        {"+1:00", false, 0},      {"+01:", false, 0},      {"+01:0", false, 0},
        {"+010", false, 0},       {"+01000", false, 0},    {"+01:00:00", false, 0},
        {"+24:00", false, 0},     {"+01:60", false, 0},    {"+99:99", false, 0},
        {"01:00", false, 0},      {"+-1:00", false, 0},    {" +01:00", false, 0},
        {"+01:00 ", false, 0},    {"+01::00", false, 0},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        int64_t east_s;
        char *text = bare(rows[i].text);
        bool good = loom_civil_parse_zone(&east_s, text, strlen(rows[i].text));
        free(text);
        if (good != rows[i].good || (good && east_s != rows[i].east_s))
            fail_msg("'%s': %d, %lld", rows[i].text, good, (long long)east_s);
    }
}

static void test_day_of_a_second(void **state)
{
    (void)state;
    static const struct {
        int64_t seconds, day, second;
    } rows[] = {
        {0, 0, 0},
        {86399, 0, 86399},
        {86400, 1, 0},
        {-1, -1, 86399},
        {-86400, -1, 0},
        {-86401, -2, 86399},
        {INT64_MAX, INT64_C(106751991167300), 55807},
        {INT64_MIN, -INT64_C(106751991167301), 30592},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        int64_t second;
        assert_int_equal(loom_civil_day(rows[i].seconds, &second), rows[i].day);
        assert_int_equal(second, rows[i].second);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_days_of_known_dates),
        cmocka_unit_test(test_calendar_day_by_day),
        cmocka_unit_test(test_calendar_at_the_ends_of_time),
        cmocka_unit_test(test_parse_civil),
        cmocka_unit_test(test_parse_zone),
        cmocka_unit_test(test_day_of_a_second),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * civil.h - dates and times of day by arithmetic alone, in the proleptic Gregorian calendar: no
 * time zone, no leap seconds, no state of the C library. Day 0 is 1970-01-01, second 0 its
 * midnight.
 */
#ifndef LOOM_BASE_CIVIL_H
#define LOOM_BASE_CIVIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LOOM_DAY_S = 86400 };

struct loom_civil {
    int64_t year; /* astronomical: 0 is 1 BC */
    int month;    /* 1 .. 12 */
    int day;      /* 1 .. 31 */
    int hour, minute, second;
};

/* Days since 1970-01-01 of a date, for years within 10^12 of year 0. The month must be 1 .. 12; the
 * day may be any number, counted on from the first of the month. */
int64_t loom_civil_days(int64_t year, int month, int day);
/* Days in a month. */
int loom_civil_month_days(int64_t year, int month);
/* Seconds since 1970-01-01 00:00, for the same years. */
int64_t loom_civil_seconds(const struct loom_civil *civil);
/* Return the date and time of any number of seconds since 1970-01-01 00:00. */
struct loom_civil loom_civil_of(int64_t seconds);
/* Return the day, since 1970-01-01, of a second, and store the second of that day. */
int64_t loom_civil_day(int64_t seconds, int64_t *second_of_day);
/* 0 Sunday .. 6 Saturday, of a number of days since 1970-01-01. */
int loom_civil_weekday(int64_t days);

/* YYYY-MM-DD, or YYYY-MM-DDTHH:MM[:SS] with a 'T' or one blank between, as seconds since 1970-01-01
 * 00:00. The year has four digits and may be negative. All of the text must be used; a date or time
 * of day that does not exist is refused. */
bool loom_civil_parse(int64_t *seconds, const char *text, size_t length);
/* Z, +HH, +HH:MM or +HHMM, or with a '-', as seconds east of UTC: what may follow such a time. All
 * of the text must be used. */
bool loom_civil_parse_zone(int64_t *east_s, const char *text, size_t length);

/* Add or subtract, and saturate at the ends of int64_t. */
static inline int64_t loom_saturated_add(int64_t a, int64_t b)
{
    int64_t sum;
    if (__builtin_add_overflow(a, b, &sum))
        return b < 0 ? INT64_MIN : INT64_MAX;
    return sum;
}

static inline int64_t loom_saturated_subtract(int64_t a, int64_t b)
{
    int64_t difference;
    if (__builtin_sub_overflow(a, b, &difference))
        return b < 0 ? INT64_MAX : INT64_MIN;
    return difference;
}

#endif

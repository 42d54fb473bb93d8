/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Dates by arithmetic. The calendar repeats every 400 years (an era of 146097 days). Years are
 * counted from March, which puts the leap day at the end: the days before the first of a month are
 * then (153 m + 2) / 5 with m = 0 for March, whatever the year.
 */
#include "base/civil.h"

enum { ERA_YEARS = 400, ERA_DAYS = 146097, EPOCH_DAYS = 719468 /* 0000-03-01 to 1970-01-01 */ };

/* Quotient and remainder with 0 <= remainder < divisor. */
static int64_t divide(int64_t number, int64_t divisor, int64_t *remainder)
{
    int64_t quotient = number / divisor;
    *remainder = number % divisor;
    if (*remainder < 0) {
        *remainder += divisor;
        quotient--;
    }
    return quotient;
}

int64_t loom_civil_days(int64_t year, int month, int day)
{
    int64_t year_of_era;
    int64_t era = divide(month > 2 ? year : year - 1, ERA_YEARS, &year_of_era);
    int from_march = month > 2 ? month - 3 : month + 9;
    int64_t day_of_year = (153 * from_march + 2) / 5 + (int64_t)day - 1;
    return era * ERA_DAYS + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year -
           EPOCH_DAYS;
}

int loom_civil_month_days(int64_t year, int month)
{
    return (int)(loom_civil_days(month == 12 ? year + 1 : year, month % 12 + 1, 1) -
                 loom_civil_days(year, month, 1));
}

int64_t loom_civil_seconds(const struct loom_civil *civil)
{
    return loom_civil_days(civil->year, civil->month, civil->day) * LOOM_DAY_S +
           civil->hour * 3600 + civil->minute * 60 + civil->second;
}

int64_t loom_civil_day(int64_t seconds, int64_t *second_of_day)
{
    return divide(seconds, LOOM_DAY_S, second_of_day);
}

struct loom_civil loom_civil_of(int64_t seconds)
{
    int64_t second_of_day, day_of_era;
    int64_t days = loom_civil_day(seconds, &second_of_day);
    int64_t era = divide(days + EPOCH_DAYS, ERA_DAYS, &day_of_era);
    /* Take out the leap days passed (one in 4 years, not in 100, but in 400): years are 365 long.
     */
    int64_t year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / (ERA_DAYS - 1)) / 365;
    int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    int from_march = (int)((5 * day_of_year + 2) / 153);
    int month = from_march < 10 ? from_march + 3 : from_march - 9;
    return (struct loom_civil){
        .year = era * ERA_YEARS + year_of_era + (month <= 2),
        .month = month,
        .day = (int)day_of_year - (153 * from_march + 2) / 5 + 1,
        .hour = (int)(second_of_day / 3600),
        .minute = (int)(second_of_day / 60 % 60),
        .second = (int)(second_of_day % 60),
    };
}

int loom_civil_weekday(int64_t days)
{
    int64_t weekday;
    divide(days % 7 + 4, 7, &weekday); /* 1970-01-01 was a Thursday */
    return (int)weekday;
}

/* ---- text ------------------------------------------------------------------------------------ */

/* The next `count` characters as a number, if all of them are digits. */
static bool take_digits(const char **text, const char *end, int count, int *out)
{
    if (end - *text < count)
        return false;
    *out = 0;
    for (int i = 0; i < count; i++) {
        char c = *(*text)++;
        if (c < '0' || c > '9')
            return false;
        *out = *out * 10 + (c - '0');
    }
    return true;
}

static bool take_char(const char **text, const char *end, char wanted)
{
    if (*text == end || **text != wanted)
        return false;
    ++*text;
    return true;
}

static bool take_date(const char **text, const char *end, struct loom_civil *out)
{
    bool negative = take_char(text, end, '-');
    int year;
    if (!take_digits(text, end, 4, &year) || !take_char(text, end, '-') ||
        !take_digits(text, end, 2, &out->month) || !take_char(text, end, '-') ||
        !take_digits(text, end, 2, &out->day))
        return false;
    out->year = negative ? -year : year;
    return out->month >= 1 && out->month <= 12 && out->day >= 1 &&
           out->day <= loom_civil_month_days(out->year, out->month);
}

static bool take_time(const char **text, const char *end, struct loom_civil *out)
{
    if (!take_digits(text, end, 2, &out->hour) || !take_char(text, end, ':') ||
        !take_digits(text, end, 2, &out->minute))
        return false;
    if (take_char(text, end, ':') && !take_digits(text, end, 2, &out->second))
        return false;
    return out->hour < 24 && out->minute < 60 && out->second < 60;
}

bool loom_civil_parse(int64_t *seconds, const char *text, size_t length)
{
    const char *end = text + length;
    struct loom_civil civil = {0};
    if (!take_date(&text, end, &civil))
        return false;
    if (text != end) {
        if (!take_char(&text, end, 'T') && !take_char(&text, end, ' '))
            return false;
        if (!take_time(&text, end, &civil) || text != end)
            return false;
    }
    *seconds = loom_civil_seconds(&civil);
    return true;
}

bool loom_civil_parse_zone(int64_t *east_s, const char *text, size_t length)
{
    const char *end = text + length;
    int hours, minutes = 0;
    *east_s = 0;
    if (take_char(&text, end, 'Z'))
        return text == end;
    bool west = take_char(&text, end, '-');
    if ((!west && !take_char(&text, end, '+')) || !take_digits(&text, end, 2, &hours))
        return false;
    bool has_minutes = text != end;
    take_char(&text, end, ':');
    if (has_minutes && !take_digits(&text, end, 2, &minutes))
        return false;
    *east_s = (west ? -1 : 1) * (hours * 3600 + minutes * 60);
    return text == end && hours < 24 && minutes < 60;
}

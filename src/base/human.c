/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * human.c - numbers for people: three significant digits, thousands separated by commas, a unit.
 * Files for programs (JSON, CSV) have plain numbers in base units instead.
 *
 * A unit is chosen after rounding, so that 119.7 s is "2 min" and not "120 s", and 999.7 is "1,000"
 * and not "1e+03".
 */
#include "base/human.h"

#include <workloom/base.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- numbers --------------------------------------------------------------------------------- */

/* Write a string of digits with a comma before every group of three. */
static const char *group(const char *sign, const char *digits, char *buf, size_t size)
{
    size_t n = strlen(digits), used = 0;
    char text[64];
    for (size_t i = 0; i < n && used + 2 < sizeof text; i++) {
        if (i > 0 && (n - i) % 3 == 0)
            text[used++] = ',';
        text[used++] = digits[i];
    }
    text[used] = '\0';
    snprintf(buf, size, "%s%s", sign, text);
    return buf;
}

const char *loom_human_count(int64_t count, char *buf, size_t size)
{
    char digits[24];
    snprintf(digits, sizeof digits, "%" PRIu64, count < 0 ? -(uint64_t)count : (uint64_t)count);
    return group(count < 0 ? "-" : "", digits, buf, size);
}

/* Round to three significant digits. */
static double rounded(double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.2e", value);
    return strtod(text, NULL);
}

const char *loom_human_number(double value, char *buf, size_t size)
{
    static const double HUGE_NUMBER = 1e15; /* from here on commas do not help */
    double magnitude = fabs(value);
    char digits[32];
    if (isnan(value))
        snprintf(buf, size, "-");
    else if (magnitude >= HUGE_NUMBER)
        snprintf(buf, size, "%.3g", value);
    else if (rounded(magnitude) < 1000)
        snprintf(buf, size, "%.3g", magnitude > 0 ? value : 0);
    else {
        snprintf(digits, sizeof digits, "%.0f", magnitude);
        group(value < 0 ? "-" : "", digits, buf, size);
    }
    return buf;
}

const char *loom_human_share(double share, char *buf, size_t size)
{
    static const double LEAST = 1e-4;
    char number[LOOM_HUMAN];
    double magnitude = fabs(share);
    if (isnan(share))
        snprintf(buf, size, "-");
    else if (magnitude > 0 && magnitude < LEAST)
        snprintf(buf, size, share > 0 ? "<0.01 %%" : ">-0.01 %%");
    else if (share < 1 && rounded(share) >= 1)
        snprintf(buf, size, ">99.9 %%");
    else
        snprintf(buf, size, "%s %%", loom_human_number(100 * share, number, sizeof number));
    return buf;
}

const char *loom_human_percent(double value, char *buf, size_t size)
{
    double magnitude = fabs(value);
    if (magnitude > 0 && magnitude < 0.005)
        snprintf(buf, size, "%.1g", value);
    else
        snprintf(buf, size, "%.*f",
                 magnitude >= 9.95 || magnitude == 0 ? 0
                 : magnitude >= 0.995                ? 1
                                                     : 2,
                 value == 0 ? 0.0 : value);
    return buf;
}

const char *loom_human_bytes(double bytes, char *buf, size_t size)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    char number[LOOM_HUMAN];
    size_t i = 0;
    while (i + 1 < sizeof units / sizeof *units && rounded(fabs(bytes)) >= 1000) {
        bytes /= 1024;
        i++;
    }
    if (isnan(bytes))
        snprintf(buf, size, "-");
    else
        snprintf(buf, size, "%s %s", loom_human_number(bytes, number, sizeof number), units[i]);
    return buf;
}

/* ---- lengths of time ------------------------------------------------------------------------- */

static const struct {
    int64_t length_s;
    const char *unit, *letter; /* letter: in an exact duration */
} units[] = {{86400, "days", "d"}, {3600, "h", "h"}, {60, "min", "min"}, {1, "s", "s"}};

enum { N_UNITS = sizeof units / sizeof *units };

const char *loom_duration_unit(double seconds, double *length)
{
    size_t i = N_UNITS - 1;
    for (; i > 0; i--) {
        double unit_s = (double)units[i].length_s, border_s = 2 * (double)units[i - 1].length_s;
        if (!(rounded(fabs(seconds) / unit_s) * unit_s >= border_s))
            break;
        if (fabs(seconds) < border_s) /* reached by rounding */
            seconds = copysign(border_s, seconds);
    }
    *length = seconds / (double)units[i].length_s;
    return units[i].unit;
}

const char *loom_human_seconds(double seconds, char *buf, size_t size)
{
    double length;
    char number[LOOM_HUMAN];
    const char *unit = loom_duration_unit(seconds, &length);
    if (isnan(seconds))
        snprintf(buf, size, "-");
    else
        snprintf(buf, size, "%s %s", loom_human_number(length, number, sizeof number), unit);
    return buf;
}

const char *loom_exact_duration(int64_t seconds, char *buf, size_t size)
{
    uint64_t left = seconds < 0 ? -(uint64_t)seconds : (uint64_t)seconds;
    size_t used = 0;
    if (left == 0) {
        snprintf(buf, size, "0 s");
        return buf;
    }
    for (size_t i = 0; i < N_UNITS; i++) {
        uint64_t length_s = (uint64_t)units[i].length_s, n = left / length_s;
        left %= length_s;
        if (n > 0 && used < size)
            used += (size_t)snprintf(buf + used, size - used, "%s%" PRIu64 " %s",
                                     used > 0      ? " "
                                     : seconds < 0 ? "-"
                                                   : "",
                                     n, units[i].letter);
    }
    return buf;
}

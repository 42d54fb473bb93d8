/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lengths of time for people: to the second, or in the one unit that suits them. */
#include "base/duration.h"

#include <workloom/base.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static const struct {
    int64_t length_s;
    const char *unit;
} units[] = {{86400, "d"}, {3600, "h"}, {60, "min"}, {1, "s"}};

enum { N_UNITS = sizeof units / sizeof *units };

const char *loom_duration_unit(double seconds, double *length)
{
    size_t i = 0;
    while (i + 1 < N_UNITS && !(fabs(seconds) >= 2 * (double)units[i].length_s))
        i++;
    *length = seconds / (double)units[i].length_s;
    return units[i].unit;
}

const char *loom_duration_text(double seconds, char *buf, size_t size)
{
    double length;
    const char *unit = loom_duration_unit(seconds, &length);
    if (isnan(seconds))
        snprintf(buf, size, "-");
    else
        snprintf(buf, size, fabs(length) < 100 ? "%.3g %s" : "%.0f %s", length, unit);
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
                                     n, units[i].unit);
    }
    return buf;
}

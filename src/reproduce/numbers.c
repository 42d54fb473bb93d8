/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers of claims as people read them. */
#include "reproduce/numbers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Write a number with four digits, and all of a whole one. */
static const char *short_number(double x, char *buf, size_t size)
{
    snprintf(buf, size, fabs(x) >= 1000 && fabs(x) < 1e9 ? "%.0f" : "%.4g", x);
    return buf;
}

const char *loom_printed_text(const struct loom_reproduced_claim *claim, char *buf, size_t size)
{
    char number[32], tolerance[32];
    short_number(claim->printed, number, sizeof number);
    if (strcmp(claim->bound, "equals") != 0)
        snprintf(buf, size, "%s %s", claim->bound, number);
    else if (claim->tolerance > 0)
        snprintf(buf, size, "%s +- %s", number,
                 short_number(claim->tolerance, tolerance, sizeof tolerance));
    else
        snprintf(buf, size, "%s", number);
    return buf;
}

const char *loom_ours_text(const struct loom_reproduced_claim *claim, char *buf, size_t size)
{
    char value[32], low[32], high[32];
    buf[0] = '\0';
    if (!claim->known)
        return buf;
    short_number(claim->value, value, sizeof value);
    if (claim->has_interval)
        snprintf(buf, size, "%s (%s to %s; n = %zu)", value,
                 short_number(claim->low, low, sizeof low),
                 short_number(claim->high, high, sizeof high), claim->replications);
    else
        snprintf(buf, size, "%s", value);
    return buf;
}

const char *loom_counts_text(const struct loom_reproduction *reproduction, char *buf, size_t size)
{
    size_t counts[LOOM_VERDICTS], used;
    loom_reproduction_count(reproduction, counts);
    used = (size_t)snprintf(buf, size, "%zu items:", loom_reproduction_items(reproduction));
    for (int i = 0; i < LOOM_VERDICTS && used < size; i++)
        used += (size_t)snprintf(buf + used, size - used, "%s %zu %s", i ? "," : "", counts[i],
                                 loom_verdict_name((enum loom_verdict)i));
    return buf;
}

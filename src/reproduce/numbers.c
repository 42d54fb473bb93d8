/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers of claims as people read them. */
#include "reproduce/numbers.h"

#include "reproduce/verdict.h"

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

const char *loom_log_text(const struct loom_reproduced_claim *claim, char *buf, size_t size)
{
    const char *log = claim->log ? claim->log : "";
    snprintf(buf, size, claim->stands_in ? "%s (here %s)" : "%s", log, claim->stands_in);
    return buf;
}

/* Write how many replications there are, and how many there should be: "n = 5 of 50, quick". */
static const char *count_text(size_t n, size_t wanted, char *buf, size_t size)
{
    if (n < wanted)
        snprintf(buf, size, "n = %zu of %zu, quick", n, wanted);
    else
        snprintf(buf, size, "n = %zu", n);
    return buf;
}

const char *loom_fewer_text(const struct loom_reproduced_item *item, char *buf, size_t size)
{
    buf[0] = '\0';
    return item->wanted > 0 ? count_text(item->replications, item->wanted, buf, size) : buf;
}

const char *loom_impossible_text(const struct loom_reproduced_item *item, char *buf, size_t size)
{
    buf[0] = '\0';
    if (item->not_possible > 0 && item->verdict != LOOM_NOT_POSSIBLE)
        snprintf(buf, size, "%zu of %zu claims not possible", item->not_possible, item->n);
    return buf;
}

/* Write an extreme of fewer runs: "at least 3.1 (an extreme of 10 of 100 runs; --full decides)". */
static const char *at_least_text(const struct loom_reproduced_claim *claim, char *buf, size_t size)
{
    char value[32];
    snprintf(buf, size, "at least %s (an extreme of %zu of %zu runs%s)",
             short_number(claim->value, value, sizeof value), claim->replications, claim->wanted,
             claim->verdict == LOOM_UNDECIDED ? "; --full decides" : "");
    return buf;
}

const char *loom_ours_text(const struct loom_reproduced_claim *claim, char *buf, size_t size)
{
    char value[32], low[32], high[32], count[96];
    buf[0] = '\0';
    if (!claim->known)
        return buf;
    if (claim->has_interval && loom_is_at_least(claim->value, claim->low, claim->high))
        return at_least_text(claim, buf, size);
    short_number(claim->value, value, sizeof value);
    count_text(claim->replications, claim->wanted, count, sizeof count);
    size_t used = strlen(count);
    if (claim->deciding > 0)
        snprintf(count + used, sizeof count - used, "; about %zu may decide", claim->deciding);
    if (claim->has_interval)
        snprintf(buf, size, "%s (%s to %s; %s)", value, short_number(claim->low, low, sizeof low),
                 short_number(claim->high, high, sizeof high), count);
    else if (claim->wanted > 0)
        snprintf(buf, size, "%s (%s)", value, count);
    else
        snprintf(buf, size, "%s", value);
    return buf;
}

const char *loom_counts_text(const struct loom_reproduction *reproduction, char *buf, size_t size)
{
    size_t counts[LOOM_VERDICTS], items = loom_reproduction_items(reproduction);
    loom_reproduction_count(reproduction, counts);
    size_t used = (size_t)snprintf(buf, size, "%zu item%s:", items, items == 1 ? "" : "s");
    for (int i = 0; i < LOOM_VERDICTS && used < size; i++)
        used += (size_t)snprintf(buf + used, size - used, "%s %zu %s", i ? "," : "", counts[i],
                                 loom_verdict_name((enum loom_verdict)i));
    return buf;
}

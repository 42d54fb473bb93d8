/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Definitions of the texts that a study can change: the largest gap in a bag of tasks (Delta), the
 * interval of the rate process (T), and where sessions end. The feature dictionary has the values
 * of the texts; a feature measured at others has a note.
 */
#include "features/definitions.h"

#include "features/rate.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_S = 366 * 86400 };

static int check_definition(int64_t value, const char *field, struct loom_error *err)
{
    if (value >= 0 && value <= MOST_S)
        return 0;
    return loom_fail_field(err, LOOM_ERANGE, field, "%s must be from 1 s to a year", field);
}

int loom_definitions_fill(struct loom_definitions *out, const struct loom_definitions *given,
                          struct loom_error *err)
{
    *out = given ? *given : (struct loom_definitions){0};
    int rc = check_definition(out->bag_gap_s, "bag_gap_s", err);
    if (!rc)
        rc = check_definition(out->rate_interval_s, "rate_interval_s", err);
    if (!rc)
        rc = check_definition(out->session_gap_s, "session_gap_s", err);
    if (!rc)
        rc = check_definition(out->session_cut_s, "session_cut_s", err);
    if (!rc && (int)out->session_method >= (int)LOOM_SESSION_METHODS)
        rc = loom_fail_field(err, LOOM_ERANGE, "session_method", "there is no such session_method");
    if (out->bag_gap_s == 0)
        out->bag_gap_s = LOOM_BAG_DELTA_S;
    if (out->rate_interval_s == 0)
        out->rate_interval_s = LOOM_RATE_S;
    return rc;
}

struct loom_session_rule loom_definitions_rule(const struct loom_definitions *definitions,
                                               enum loom_session_method method)
{
    struct loom_session_rule rule = loom_session_rule(method);
    if (definitions->session_gap_s > 0)
        rule.threshold_s = definitions->session_gap_s;
    if (definitions->session_cut_s > 0)
        rule.cut_s = definitions->session_cut_s;
    return rule;
}

/* ---- notes ----------------------------------------------------------------------------------- */

static void add_note(char *buf, size_t size, const char *format, ...) LOOM_PRINTF(3, 4);

static void add_note(char *buf, size_t size, const char *format, ...)
{
    size_t used = strlen(buf);
    va_list arguments;
    if (used > 0 && used + 2 < size)
        used += (size_t)snprintf(buf + used, size - used, ", ");
    va_start(arguments, format);
    vsnprintf(buf + used, size - used, format, arguments);
    va_end(arguments);
}

static bool starts(const char *key, const char *prefix)
{
    return strncmp(key, prefix, strlen(prefix)) == 0;
}

/* The pox plot has hours of its own. */
static bool uses_interval(const char *key)
{
    return starts(key, "arrival.rate900.") || starts(key, "arrival.acf.") ||
           (starts(key, "arrival.hurst.") && strcmp(key, "arrival.hurst.pox") != 0) ||
           starts(key, "bot.hurst.");
}

/* Features named after a method keep it; all others use the chosen one. */
static bool uses_method(const char *key)
{
    return starts(key, "batch.") || starts(key, "similarity.");
}

static bool uses_gap(const char *key)
{
    return starts(key, "session.") || uses_method(key);
}

static bool uses_cut(const char *key, const struct loom_definitions *definitions)
{
    bool cuts = definitions->session_method == LOOM_SESSION_LAST_CUT ||
                definitions->session_method == LOOM_SESSION_MAX_CUT;
    return starts(key, "session.last_cut.") || starts(key, "session.max_cut.") ||
           (uses_method(key) && cuts);
}

const char *loom_definitions_note(const struct loom_definitions *definitions, const char *key,
                                  char *buf, size_t size)
{
    const struct loom_definitions *d = definitions;
    buf[0] = '\0';
    if (starts(key, "bot.") && d->bag_gap_s > 0 && d->bag_gap_s != LOOM_BAG_DELTA_S)
        add_note(buf, size, "bag gap %" PRId64 " s", d->bag_gap_s);
    if (uses_interval(key) && d->rate_interval_s > 0 && d->rate_interval_s != LOOM_RATE_S)
        add_note(buf, size, "interval %" PRId64 " s", d->rate_interval_s);
    if (uses_method(key) && d->session_method != LOOM_SESSION_ARRIVAL)
        add_note(buf, size, "sessions by %s", loom_session_method_name(d->session_method));
    if (uses_gap(key) && d->session_gap_s > 0)
        add_note(buf, size, "session gap %g min", (double)d->session_gap_s / 60);
    if (uses_cut(key, d) && d->session_cut_s > 0)
        add_note(buf, size, "cut %g min", (double)d->session_cut_s / 60);
    return buf;
}

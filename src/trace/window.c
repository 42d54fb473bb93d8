/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Windows of time as text. */
#include "trace/window.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* 3600, 90m, 12h or 3d. */
static bool read_length(int64_t *out_s, const char *text)
{
    static const char letters[] = "smhd";
    static const double lengths_s[] = {1, 60, 3600, 86400};
    char *end = NULL;
    double value = isdigit((unsigned char)*text) ? strtod(text, &end) : -1;
    const char *letter = value >= 0 && *end ? strchr(letters, *end) : letters;
    if (!(value >= 0 && value <= 1e12) || !letter || (*end && end[1]))
        return false;
    *out_s = (int64_t)round(value * lengths_s[letter - letters]);
    return true;
}

/* YYYY-MM-DD, with THH:MM or THH:MM:SS behind it; whether there is such a day is seen later. */
static bool is_date(const char *text)
{
    static const char *const shapes[] = {"0000-00-00", "0000-00-00T00:00", "0000-00-00T00:00:00"};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        size_t at = 0;
        while (text[at] && shapes[i][at] &&
               (shapes[i][at] == '0' ? isdigit((unsigned char)text[at]) != 0
                                     : text[at] == shapes[i][at]))
            at++;
        if (!text[at] && !shapes[i][at])
            return true;
    }
    return false;
}

static int fail_empty(const struct loom_window_text *window, const char *name,
                      struct loom_error *err)
{
    return loom_fail_field(err, LOOM_EUSAGE, name, "%s %s:%s is empty: FROM must be before TO",
                           name, window->from, window->to);
}

/* Dates have colons of their own: the one between two times counts. */
int loom_window_split(struct loom_window_text *out, const char *text, const char *name,
                      struct loom_error *err)
{
    for (const char *colon = strchr(text, ':'); colon; colon = strchr(colon + 1, ':')) {
        int64_t from_s = 0, to_s = 0;
        size_t length = (size_t)(colon - text);
        if (length >= sizeof out->from || strlen(colon + 1) >= sizeof out->to)
            continue;
        snprintf(out->from, sizeof out->from, "%.*s", (int)length, text);
        snprintf(out->to, sizeof out->to, "%s", colon + 1);
        bool from = read_length(&from_s, out->from), to = read_length(&to_s, out->to);
        out->dated = !from || !to;
        if (from && to)
            return from_s < to_s ? 0 : fail_empty(out, name, err);
        if ((from || is_date(out->from)) && (to || is_date(out->to)))
            return 0;
    }
    return loom_fail_field(err, LOOM_EUSAGE, name,
                           "%s wants FROM:TO, such as 0:3600, 3d:3.5d or 2003-03-03:2003-03-04, "
                           "not '%s'",
                           name, text);
}

static int read_time(int64_t *out_s, const char *text, int64_t first_s,
                     const struct loom_trace *trace, struct loom_error *err)
{
    struct loom_zone *zone = NULL;
    if (read_length(out_s, text)) {
        *out_s += first_s;
        return 0;
    }
    int rc = loom_zone_create(&zone, trace, NULL, err);
    if (!rc)
        rc = loom_zone_parse(out_s, zone, text, err);
    loom_zone_destroy(zone);
    return rc;
}

int loom_window_resolve(int64_t *from_s, int64_t *to_s, const struct loom_window_text *text,
                        const struct loom_trace *trace, int64_t origin_s, const char *name,
                        struct loom_error *err)
{
    int rc = read_time(from_s, text->from, origin_s, trace, err);
    if (!rc)
        rc = read_time(to_s, text->to, origin_s, trace, err);
    return rc || *from_s < *to_s ? rc : fail_empty(text, name, err);
}

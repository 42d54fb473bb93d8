/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The log's local time. A log counts seconds from UnixStartTime; its header names the zone the
 * machine stood in, which turns them into hours of the day and days of the week.
 *
 * The zone is TimeZoneString, looked up in the system's database; where that cannot be had, the
 * fixed offset TimeZone (which knows no daylight saving time); where there is none, UTC. A local
 * time that occurs twice, or never, because the clocks changed is read by the offset before the
 * change. Times too large for 64 bits stop at the largest.
 */
#include "base/civil.h"
#include "base/human.h"
#include "trace/instant.h"
#include "trace/tzif.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <workloom/trace.h>

/* 1970-01-05, the first Monday of Unix time */
static const int64_t monday_s = 4 * (int64_t)LOOM_DAY_S;

struct loom_zone {
    struct loom_tzif *tzif; /* NULL: the offset is fixed */
    int64_t fixed_s;
    bool has_start;
    int64_t start_s;
};

/* Systems that no longer install the old names still have the zones. The archive's logs use these.
 */
static const char *const modern_names[][2] = {
    {"US/Alaska", "America/Anchorage"},
    {"US/Arizona", "America/Phoenix"},
    {"US/Central", "America/Chicago"},
    {"US/Eastern", "America/New_York"},
    {"US/Hawaii", "Pacific/Honolulu"},
    {"US/Michigan", "America/Detroit"},
    {"US/Mountain", "America/Denver"},
    {"US/Pacific", "America/Los_Angeles"},
    {"Canada/Eastern", "America/Toronto"},
    {"Canada/Pacific", "America/Vancouver"},
    {"Japan", "Asia/Tokyo"},
    {"Israel", "Asia/Jerusalem"},
};

static const char *modern_name(const char *name)
{
    for (size_t i = 0; i < sizeof modern_names / sizeof *modern_names; i++)
        if (strcmp(name, modern_names[i][0]) == 0)
            return modern_names[i][1];
    return NULL;
}

/* The value is the first word; the archive's headers have remarks behind it. */
static int find_zone(struct loom_tzif **out, const char *value)
{
    value += strspn(value, " \t");
    char name[256];
    size_t length = strcspn(value, " \t#");
    if (length >= sizeof name)
        return LOOM_EUSAGE;
    memcpy(name, value, length);
    name[length] = '\0';
    int rc = loom_tzif_read(out, name, NULL);
    const char *modern = rc == LOOM_EIO ? modern_name(name) : NULL;
    return modern ? loom_tzif_read(out, modern, NULL) : rc;
}

static const char *zone_note(int rc, bool has_fixed)
{
    switch (rc) {
    case LOOM_EUSAGE:
        return has_fixed ? "the header's TimeZoneString is not the name of a time zone: its fixed "
                           "TimeZone is used, without daylight saving time"
                         : "the header's TimeZoneString is not the name of a time zone: local time "
                           "is taken as UTC";
    case LOOM_EIO:
        return has_fixed
                   ? "the header's TimeZoneString is not in this system's time zone database: "
                     "its fixed TimeZone is used, without daylight saving time"
                   : "the header's TimeZoneString is not in this system's time zone database: "
                     "local time is taken as UTC";
    default:
        return has_fixed ? "this system's file for the header's TimeZoneString is damaged: the "
                           "fixed TimeZone is used, without daylight saving time"
                         : "this system's file for the header's TimeZoneString is damaged: local "
                           "time is taken as UTC";
    }
}

int loom_zone_create(struct loom_zone **out, const struct loom_trace *trace, const char **note,
                     struct loom_error *err)
{
    const struct loom_machine *machine = loom_trace_machine(trace);
    struct loom_zone *zone = calloc(1, sizeof *zone);
    if (!zone)
        return loom_fail_memory(err);
    bool has_fixed = machine->time_zone_s != INT64_MIN;
    zone->fixed_s = has_fixed ? machine->time_zone_s : 0;
    zone->has_start = machine->unix_start_s != -1;
    zone->start_s = zone->has_start ? machine->unix_start_s : 0;
    const char *remark = NULL;
    if (machine->time_zone) {
        int rc = find_zone(&zone->tzif, machine->time_zone);
        if (rc == LOOM_ENOMEM) {
            free(zone);
            return loom_fail_memory(err);
        }
        if (rc)
            remark = zone_note(rc, has_fixed);
    } else if (!has_fixed) {
        remark = "the header names no time zone: local time is taken as UTC";
    }
    /* Without a start the zone does not matter. */
    if (!zone->has_start)
        remark = "the header has no UnixStartTime: the log's zero is taken as a Monday midnight";
    if (note)
        *note = remark;
    *out = zone;
    return 0;
}

void loom_zone_destroy(struct loom_zone *zone)
{
    if (!zone)
        return;
    loom_tzif_destroy(zone->tzif);
    free(zone);
}

int64_t loom_zone_offset(const struct loom_zone *zone, int64_t unix_s)
{
    return zone->tzif ? loom_tzif_offset(zone->tzif, unix_s) : zone->fixed_s;
}

int64_t loom_zone_local(const struct loom_zone *zone, int64_t log_s)
{
    if (!zone->has_start)
        return loom_saturated_add(log_s, monday_s);
    int64_t unix_s = loom_saturated_add(log_s, zone->start_s);
    return loom_saturated_add(unix_s, loom_zone_offset(zone, unix_s));
}

int64_t loom_zone_log(const struct loom_zone *zone, int64_t local_s)
{
    if (!zone->has_start)
        return loom_saturated_subtract(local_s, monday_s);
    int64_t unix_s = zone->tzif ? loom_tzif_unix(zone->tzif, local_s)
                                : loom_saturated_subtract(local_s, zone->fixed_s);
    return loom_saturated_subtract(unix_s, zone->start_s);
}

/* 1 a whole number, 0 something else, -1 a whole number past 64 bits */
static int parse_whole(int64_t *out, const char *text)
{
    const char *digits = text + (*text == '-' || *text == '+');
    size_t count = strspn(digits, "0123456789");
    if (count == 0 || digits[count] != '\0')
        return 0;
    errno = 0;
    long long number = strtoll(text, NULL, 10);
    if (errno == ERANGE)
        return -1;
    *out = number;
    return 1;
}

int loom_zone_parse(int64_t *log_s, const struct loom_zone *zone, const char *text,
                    struct loom_error *err)
{
    int whole = parse_whole(log_s, text);
    if (whole > 0)
        return 0;
    if (whole < 0)
        return loom_fail(err, LOOM_ERANGE, "time '%.60s' is past 64 bits", text);
    int64_t local_s;
    if (!loom_civil_parse(&local_s, text, strlen(text)))
        return loom_fail(err, LOOM_EUSAGE,
                         "'%.60s' is not a time: give whole seconds in the log, or a local time as "
                         "YYYY-MM-DD or YYYY-MM-DDTHH:MM[:SS]",
                         text);
    if (!zone->has_start)
        return loom_fail(err, LOOM_EDATA,
                         "'%.60s' cannot be found in a log whose header has no UnixStartTime: give "
                         "whole seconds in the log",
                         text);
    *log_s = loom_zone_log(zone, local_s);
    return 0;
}

const char *loom_zone_text(const struct loom_zone *zone, int64_t log_s, char *buf, size_t size)
{
    struct loom_civil civil = loom_civil_of(loom_zone_local(zone, log_s));
    snprintf(buf, size, "%s%04lld-%02d-%02d %02d:%02d:%02d", civil.year < 0 ? "-" : "",
             (long long)(civil.year < 0 ? -civil.year : civil.year), civil.month, civil.day,
             civil.hour, civil.minute, civil.second);
    return buf;
}

const char *loom_instant_text(const struct loom_zone *zone, int64_t log_s, char *buf, size_t size)
{
    char text[LOOM_HUMAN];
    if (zone)
        snprintf(buf, size, "%s (%" PRId64 " s)", loom_zone_text(zone, log_s, text, sizeof text),
                 log_s);
    else if (llabs(log_s) < 60)
        snprintf(buf, size, "%" PRId64 " s", log_s);
    else
        snprintf(buf, size, "%" PRId64 " s (%s)", log_s,
                 loom_exact_duration(log_s, text, sizeof text));
    return buf;
}

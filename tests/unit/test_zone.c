/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The local time of a log: the zone of its header, times as people give them, and what happens
 * where the zone cannot be used. */
#include "base/civil.h"
#include "support.h"
#include "zone_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A directory for zone files, named by TZDIR. */
static int make_directory(void **state)
{
    static struct scratch scratch;
    *state = &scratch;
    return scratch_open(&scratch, "");
}

static int remove_directory(void **state)
{
    unsetenv("TZDIR");
    return scratch_close(*state);
}

static void write_zone(const char *directory, const char *folder, const char *name,
                       const struct bytes *file)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", directory, folder);
    mkdir(path, 0700);
    snprintf(path, sizeof path, "%s/%s/%s", directory, folder, name);
    store(path, file->data, file->size);
}

/* Directives, as "Key", "value", ..., NULL. */
static struct loom_zone *zone_of(const char **note, ...)
{
    struct loom_trace *trace;
    assert_int_equal(loom_trace_create(&trace, NULL), 0);
    va_list args;
    va_start(args, note);
    for (const char *key; (key = va_arg(args, const char *));)
        assert_int_equal(loom_trace_add_directive(trace, key, va_arg(args, const char *), NULL), 0);
    va_end(args);
    struct loom_zone *zone;
    *note = "not set";
    assert_int_equal(loom_zone_create(&zone, trace, note, NULL), 0);
    loom_trace_destroy(trace); /* the zone stands on its own */
    return zone;
}

static void make_test_zones(const struct scratch *scratch)
{
    struct bytes file = zone_file(&footer_only, '2', "CET-1CEST,M3.5.0,M10.5.0/3");
    write_zone(scratch->directory, "Test", "Zone", &file);
    file.size = 100;
    write_zone(scratch->directory, "Test", "Cut", &file);
    file = zone_file(&footer_only, '2', "PST8PDT,M3.2.0,M11.1.0");
    write_zone(scratch->directory, "America", "Los_Angeles", &file);
    setenv("TZDIR", scratch->directory, 1);
}

static void test_zone_of_a_header(void **state)
{
    make_test_zones(*state);
    const char *note;
    struct loom_zone *zone =
        zone_of(&note, "UnixStartTime", "1041377305", "TimeZone", "-18000", "TimeZoneString",
                "Test/Zone  # CET (Central European Time; UTC+1)", NULL);
    assert_null(note);
    char text[32];
    assert_string_equal(loom_zone_text(zone, 0, text, sizeof text), "2003-01-01 00:28:25");
    int64_t summer_s = 1048986000 - 1041377305;
    assert_int_equal(loom_zone_offset(zone, 1048985999), 3600);
    assert_int_equal(loom_zone_offset(zone, 1048986000), 7200);
    assert_string_equal(loom_zone_text(zone, summer_s - 1, text, sizeof text),
                        "2003-03-30 01:59:59");
    assert_string_equal(loom_zone_text(zone, summer_s, text, sizeof text), "2003-03-30 03:00:00");
    assert_int_equal(loom_zone_local(zone, summer_s), 1048986000 + 7200);
    assert_int_equal(loom_zone_log(zone, 1048986000 + 7200), summer_s);
    loom_zone_destroy(zone);
    loom_zone_destroy(NULL);
}

static void test_parse_times_of_a_person(void **state)
{
    make_test_zones(*state);
    const char *note;
    struct loom_zone *zone =
        zone_of(&note, "UnixStartTime", "1048896000", "TimeZoneString", "Test/Zone", NULL);
    static const struct {
        const char *text;
        int rc;
        int64_t log_s;
    } rows[] = {
        {"0", 0, 0},
        {"-5", 0, -5},
        {"+17", 0, 17},
        {"9223372036854775807", 0, INT64_MAX},
        {"9223372036854775808", LOOM_ERANGE, 0},
        {"2003-03-29", 0, -3600},
        {"2003-03-30T01:59:59", 0, 89999},
        {"2003-03-30T02:30", 0, 91800}, /* does not exist: read as 03:30 */
        {"2003-03-30 03:30", 0, 91800},
        {"2003-10-26T02:30", 0, 1067128200 - 1048896000}, /* the first of two */
        {"2003-10-26T03:00", 0, 1067133600 - 1048896000},
        {"", LOOM_EUSAGE, 0},
        {"1.5", LOOM_EUSAGE, 0},
        {"yesterday", LOOM_EUSAGE, 0},
        {"2003-02-30", LOOM_EUSAGE, 0},
        {"12:30", LOOM_EUSAGE, 0},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        int64_t log_s = 0;
        struct loom_error err = {0};
        int rc = loom_zone_parse(&log_s, zone, rows[i].text, &err);
        if (rc != rows[i].rc || log_s != rows[i].log_s || err.code != rc)
            fail_msg("'%s' gives %d, %lld", rows[i].text, rc, (long long)log_s);
    }
    struct loom_error err;
    int64_t log_s;
    loom_zone_parse(&log_s, zone, "2003-02-30", &err);
    assert_string_equal(err.message,
                        "'2003-02-30' is not a time: give whole seconds in the log, or "
                        "a local time as YYYY-MM-DD or YYYY-MM-DDTHH:MM[:SS]");
    loom_zone_destroy(zone);
}

static void test_old_names_have_successors(void **state)
{
    make_test_zones(*state);
    const char *note;
    struct loom_zone *zone =
        zone_of(&note, "UnixStartTime", "0", "TimeZoneString", "US/Pacific", NULL);
    assert_null(note);
    assert_int_equal(loom_zone_offset(zone, 1041377305), -28800);
    assert_int_equal(loom_zone_offset(zone, 1057000000), -25200);
    loom_zone_destroy(zone);
}

static void test_fallbacks_are_noted(void **state)
{
    make_test_zones(*state);
    static const struct {
        const char *name, *fixed, *note;
    } rows[] = {
        {"Test/None", "3600",
         "the header's TimeZoneString is not in this system's time zone database: its fixed "
         "TimeZone is used, without daylight saving time"},
        {"Test/None", NULL,
         "the header's TimeZoneString is not in this system's time zone database: local time is "
         "taken as UTC"},
        {"Test", NULL, /* a directory */
         "the header's TimeZoneString is not in this system's time zone database: local time is "
         "taken as UTC"},
        {"Test/Cut", "3600",
         "this system's file for the header's TimeZoneString is damaged: the fixed TimeZone is "
         "used, without daylight saving time"},
        {"Test/Cut", NULL,
         "this system's file for the header's TimeZoneString is damaged: local time is taken as "
         "UTC"},
        {"../Test/Zone", "3600",
         "the header's TimeZoneString is not the name of a time zone: its fixed TimeZone is used, "
         "without daylight saving time"},
        {"Test/../Test/Zone", NULL,
         "the header's TimeZoneString is not the name of a time zone: local time is taken as UTC"},
        {"/etc/localtime", NULL,
         "the header's TimeZoneString is not the name of a time zone: local time is taken as UTC"},
        {"Test/", NULL,
         "the header's TimeZoneString is not the name of a time zone: local time is taken as UTC"},
        {"Test\\Zone", NULL,
         "the header's TimeZoneString is not the name of a time zone: local time is taken as UTC"},
        {NULL, "3600", NULL},
        {NULL, NULL, "the header names no time zone: local time is taken as UTC"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        const char *note;
        const char *fixed = rows[i].fixed ? rows[i].fixed : "?";
        struct loom_zone *zone = zone_of(&note, "UnixStartTime", "0", "TimeZone", fixed,
                                         rows[i].name ? "TimeZoneString" : "Note",
                                         rows[i].name ? rows[i].name : "", NULL);
        if (!rows[i].note)
            assert_null(note);
        else if (!note || strcmp(note, rows[i].note) != 0)
            fail_msg("row %zu: %s", i, note ? note : "no note");
        assert_int_equal(loom_zone_offset(zone, 1057000000), rows[i].fixed ? 3600 : 0);
        assert_int_equal(loom_zone_log(zone, 7200), rows[i].fixed ? 3600 : 7200);
        loom_zone_destroy(zone);
    }
}

static void test_log_without_a_start(void **state)
{
    make_test_zones(*state);
    const char *note;
    struct loom_zone *zone = zone_of(&note, "TimeZoneString", "Test/Zone", NULL);
    assert_string_equal(note,
                        "the header has no UnixStartTime: the log's zero is taken as a Monday "
                        "midnight");
    int64_t local_s = loom_zone_local(zone, 0);
    assert_int_equal(local_s % LOOM_DAY_S, 0);
    assert_int_equal(loom_civil_weekday(local_s / LOOM_DAY_S), 1);
    assert_int_equal(loom_zone_log(zone, local_s + 17), 17);
    int64_t log_s = -7;
    assert_int_equal(loom_zone_parse(&log_s, zone, "2003-01-01", NULL), LOOM_EDATA);
    assert_int_equal(loom_zone_parse(&log_s, zone, "100", NULL), 0);
    assert_int_equal(log_s, 100);
    loom_zone_destroy(zone);
}

static void test_ends_of_time(void **state)
{
    make_test_zones(*state);
    const char *note;
    struct loom_zone *zone =
        zone_of(&note, "UnixStartTime", "1041377305", "TimeZoneString", "Test/Zone", NULL);
    assert_int_equal(loom_zone_local(zone, INT64_MAX), INT64_MAX);
    assert_int_equal(loom_zone_local(zone, INT64_MIN), INT64_MIN + 1041377305 + 3600);
    assert_int_equal(loom_zone_log(zone, INT64_MIN), INT64_MIN);
    char text[48];
    assert_string_equal(loom_zone_text(zone, INT64_MAX, text, sizeof text),
                        "292277026596-12-04 15:30:07");
    loom_zone_text(zone, INT64_MIN, text, sizeof text);
    assert_int_equal(text[0], '-');
    char little[5];
    assert_string_equal(loom_zone_text(zone, 0, little, sizeof little), "2003");
    loom_zone_destroy(zone);
}

int main(void)
{
#define ON_FILES(test) cmocka_unit_test_setup_teardown(test, make_directory, remove_directory)
    const struct CMUnitTest tests[] = {
        ON_FILES(test_zone_of_a_header),          ON_FILES(test_parse_times_of_a_person),
        ON_FILES(test_old_names_have_successors), ON_FILES(test_fallbacks_are_noted),
        ON_FILES(test_log_without_a_start),       ON_FILES(test_ends_of_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

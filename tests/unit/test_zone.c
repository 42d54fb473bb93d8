/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Local time: zones of the system's database against values from Python's zoneinfo, zone files made
 * here (also damaged ones), and what happens when the header's zone cannot be used.
 */
#include "base/civil.h"
#include "support.h"
#include "trace/tzif.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct offset_row {
    const char *zone;
    int64_t unix_s;
    int32_t offset_s;
};

/* A local time, and the Unix time it is read as. */
struct local_row {
    const char *zone;
    int64_t local_s, unix_s;
};

/* clang-format off */
/* begin of what tests/oracle/zone_offsets.py prints */
static const struct offset_row offset_rows[] = {
    {"Europe/Amsterdam", 1048985999, 3600},
    {"Europe/Amsterdam", 1048986000, 7200},
    {"Europe/Amsterdam", 1067129999, 7200},
    {"Europe/Amsterdam", 1067130000, 3600},
    {"Europe/Stockholm", 828233999, 3600},
    {"Europe/Stockholm", 828234000, 7200},
    {"Europe/Stockholm", 846377999, 7200},
    {"Europe/Stockholm", 846378000, 3600},
    {"Europe/London", 16732659599, 0},
    {"Europe/London", 16732659600, 3600},
    {"Europe/London", 16751408399, 3600},
    {"Europe/London", 16751408400, 0},
    {"America/Los_Angeles", 733917599, -28800},
    {"America/Los_Angeles", 733917600, -25200},
    {"America/Los_Angeles", 752057999, -25200},
    {"America/Los_Angeles", 752058000, -28800},
    {"America/New_York", 954658799, -18000},
    {"America/New_York", 954658800, -14400},
    {"America/New_York", 972799199, -14400},
    {"America/New_York", 972799200, -18000},
    {"America/Denver", 221851213199, -25200},
    {"America/Denver", 221851213200, -21600},
    {"America/Denver", 221871772799, -21600},
    {"America/Denver", 221871772800, -25200},
    {"America/St_Johns", 1425792599, -12600},
    {"America/St_Johns", 1425792600, -9000},
    {"America/St_Johns", 1446352199, -9000},
    {"America/St_Johns", 1446352200, -12600},
    {"Australia/Sydney", 1270310399, 39600},
    {"Australia/Sydney", 1270310400, 36000},
    {"Australia/Sydney", 1286035199, 36000},
    {"Australia/Sydney", 1286035200, 39600},
    {"Australia/Sydney", 13577385599, 39600},
    {"Australia/Sydney", 13577385600, 36000},
    {"Australia/Sydney", 13593110399, 36000},
    {"Australia/Sydney", 13593110400, 39600},
    {"Australia/Lord_Howe", 1333205999, 39600},
    {"Australia/Lord_Howe", 1333206000, 37800},
    {"Australia/Lord_Howe", 1349537399, 37800},
    {"Australia/Lord_Howe", 1349537400, 39600},
    {"Pacific/Auckland", 10421531999, 46800},
    {"Pacific/Auckland", 10421532000, 43200},
    {"Pacific/Auckland", 10437256799, 43200},
    {"Pacific/Auckland", 10437256800, 46800},
    {"UTC", 1590969600, 0},
    {"Asia/Kolkata", 1117584000, 19800},
    {"Asia/Kolkata", 32674492800, 19800},
    {"Asia/Kathmandu", 1117584000, 20700},
    {"Asia/Tokyo", 32503593600, 32400},
    {"America/New_York", -3771187200, -17762},
    {"Etc/GMT+5", 1117584000, -18000},
};

static const struct local_row local_rows[] = {
    {"Europe/Amsterdam", 1048989599, 1048985999},
    {"Europe/Amsterdam", 1048989600, 1048986000},
    {"Europe/Amsterdam", 1048991400, 1048987800},
    {"Europe/Amsterdam", 1048993199, 1048989599},
    {"Europe/Amsterdam", 1048993200, 1048986000},
    {"Europe/Amsterdam", 1067133599, 1067126399},
    {"Europe/Amsterdam", 1067133600, 1067126400},
    {"Europe/Amsterdam", 1067135400, 1067128200},
    {"Europe/Amsterdam", 1067137199, 1067129999},
    {"Europe/Amsterdam", 1067137200, 1067133600},
    {"Europe/Stockholm", 828237599, 828233999},
    {"Europe/Stockholm", 828237600, 828234000},
    {"Europe/Stockholm", 828239400, 828235800},
    {"Europe/Stockholm", 828241199, 828237599},
    {"Europe/Stockholm", 828241200, 828234000},
    {"Europe/Stockholm", 846381599, 846374399},
    {"Europe/Stockholm", 846381600, 846374400},
    {"Europe/Stockholm", 846383400, 846376200},
    {"Europe/Stockholm", 846385199, 846377999},
    {"Europe/Stockholm", 846385200, 846381600},
    {"Europe/London", 16732659599, 16732659599},
    {"Europe/London", 16732659600, 16732659600},
    {"Europe/London", 16732661400, 16732661400},
    {"Europe/London", 16732663199, 16732663199},
    {"Europe/London", 16732663200, 16732659600},
    {"Europe/London", 16751408399, 16751404799},
    {"Europe/London", 16751408400, 16751404800},
    {"Europe/London", 16751410200, 16751406600},
    {"Europe/London", 16751411999, 16751408399},
    {"Europe/London", 16751412000, 16751412000},
    {"America/Los_Angeles", 733888799, 733917599},
    {"America/Los_Angeles", 733888800, 733917600},
    {"America/Los_Angeles", 733890600, 733919400},
    {"America/Los_Angeles", 733892399, 733921199},
    {"America/Los_Angeles", 733892400, 733917600},
    {"America/Los_Angeles", 752029199, 752054399},
    {"America/Los_Angeles", 752029200, 752054400},
    {"America/Los_Angeles", 752031000, 752056200},
    {"America/Los_Angeles", 752032799, 752057999},
    {"America/Los_Angeles", 752032800, 752061600},
    {"America/New_York", 954640799, 954658799},
    {"America/New_York", 954640800, 954658800},
    {"America/New_York", 954642600, 954660600},
    {"America/New_York", 954644399, 954662399},
    {"America/New_York", 954644400, 954658800},
    {"America/New_York", 972781199, 972795599},
    {"America/New_York", 972781200, 972795600},
    {"America/New_York", 972783000, 972797400},
    {"America/New_York", 972784799, 972799199},
    {"America/New_York", 972784800, 972802800},
    {"America/Denver", 221851187999, 221851213199},
    {"America/Denver", 221851188000, 221851213200},
    {"America/Denver", 221851189800, 221851215000},
    {"America/Denver", 221851191599, 221851216799},
    {"America/Denver", 221851191600, 221851213200},
    {"America/Denver", 221871747599, 221871769199},
    {"America/Denver", 221871747600, 221871769200},
    {"America/Denver", 221871749400, 221871771000},
    {"America/Denver", 221871751199, 221871772799},
    {"America/Denver", 221871751200, 221871776400},
    {"America/St_Johns", 1425779999, 1425792599},
    {"America/St_Johns", 1425780000, 1425792600},
    {"America/St_Johns", 1425781800, 1425794400},
    {"America/St_Johns", 1425783599, 1425796199},
    {"America/St_Johns", 1425783600, 1425792600},
    {"America/St_Johns", 1446339599, 1446348599},
    {"America/St_Johns", 1446339600, 1446348600},
    {"America/St_Johns", 1446341400, 1446350400},
    {"America/St_Johns", 1446343199, 1446352199},
    {"America/St_Johns", 1446343200, 1446355800},
    {"Australia/Sydney", 1270346399, 1270306799},
    {"Australia/Sydney", 1270346400, 1270306800},
    {"Australia/Sydney", 1270348200, 1270308600},
    {"Australia/Sydney", 1270349999, 1270310399},
    {"Australia/Sydney", 1270350000, 1270314000},
    {"Australia/Sydney", 1286071199, 1286035199},
    {"Australia/Sydney", 1286071200, 1286035200},
    {"Australia/Sydney", 1286073000, 1286037000},
    {"Australia/Sydney", 1286074799, 1286038799},
    {"Australia/Sydney", 1286074800, 1286035200},
    {"Australia/Sydney", 13577421599, 13577381999},
    {"Australia/Sydney", 13577421600, 13577382000},
    {"Australia/Sydney", 13577423400, 13577383800},
    {"Australia/Sydney", 13577425199, 13577385599},
    {"Australia/Sydney", 13577425200, 13577389200},
    {"Australia/Sydney", 13593146399, 13593110399},
    {"Australia/Sydney", 13593146400, 13593110400},
    {"Australia/Sydney", 13593148200, 13593112200},
    {"Australia/Sydney", 13593149999, 13593113999},
    {"Australia/Sydney", 13593150000, 13593110400},
    {"Australia/Lord_Howe", 1333243799, 1333204199},
    {"Australia/Lord_Howe", 1333243800, 1333204200},
    {"Australia/Lord_Howe", 1333244700, 1333205100},
    {"Australia/Lord_Howe", 1333245599, 1333205999},
    {"Australia/Lord_Howe", 1333245600, 1333207800},
    {"Australia/Lord_Howe", 1349575199, 1349537399},
    {"Australia/Lord_Howe", 1349575200, 1349537400},
    {"Australia/Lord_Howe", 1349576100, 1349538300},
    {"Australia/Lord_Howe", 1349576999, 1349539199},
    {"Australia/Lord_Howe", 1349577000, 1349537400},
    {"Pacific/Auckland", 10421575199, 10421528399},
    {"Pacific/Auckland", 10421575200, 10421528400},
    {"Pacific/Auckland", 10421577000, 10421530200},
    {"Pacific/Auckland", 10421578799, 10421531999},
    {"Pacific/Auckland", 10421578800, 10421535600},
    {"Pacific/Auckland", 10437299999, 10437256799},
    {"Pacific/Auckland", 10437300000, 10437256800},
    {"Pacific/Auckland", 10437301800, 10437258600},
    {"Pacific/Auckland", 10437303599, 10437260399},
    {"Pacific/Auckland", 10437303600, 10437256800},
};
/* end of what tests/oracle/zone_offsets.py prints */
/* clang-format on */

/* ---- the system's zones ---------------------------------------------------------------------- */

/* The zone, or NULL where this system does not have it. */
static struct loom_tzif *system_zone(const char *name)
{
    struct loom_tzif *zone = NULL;
    int rc = loom_tzif_read(&zone, name, NULL);
    if (rc && rc != LOOM_EIO)
        fail_msg("%s cannot be read: %d", name, rc);
    return zone;
}

static void test_offsets_agree_with_the_oracle(void **state)
{
    (void)state;
    size_t checked = 0;
    for (size_t i = 0; i < COUNT(offset_rows); i++) {
        const struct offset_row *row = &offset_rows[i];
        struct loom_tzif *zone = system_zone(row->zone);
        if (!zone)
            continue;
        int32_t offset_s = loom_tzif_offset(zone, row->unix_s);
        if (offset_s != row->offset_s)
            fail_msg("%s at %lld: %d, not %d", row->zone, (long long)row->unix_s, offset_s,
                     row->offset_s);
        loom_tzif_destroy(zone);
        checked++;
    }
    if (checked == 0)
        skip(); /* no time zone database here */
}

static void test_local_times_agree_with_the_oracle(void **state)
{
    (void)state;
    size_t checked = 0;
    for (size_t i = 0; i < COUNT(local_rows); i++) {
        const struct local_row *row = &local_rows[i];
        struct loom_tzif *zone = system_zone(row->zone);
        if (!zone)
            continue;
        int64_t unix_s = loom_tzif_unix(zone, row->local_s);
        if (unix_s != row->unix_s)
            fail_msg("%s at local %lld: %lld, not %lld", row->zone, (long long)row->local_s,
                     (long long)unix_s, (long long)row->unix_s);
        loom_tzif_destroy(zone);
        checked++;
    }
    if (checked == 0)
        skip();
}

/* ---- zone files made here -------------------------------------------------------------------- */

struct bytes {
    unsigned char data[4096];
    size_t size;
};

static void put(struct bytes *to, const void *data, size_t size)
{
    assert_true(to->size + size <= sizeof to->data);
    memcpy(to->data + to->size, data, size);
    to->size += size;
}

static void put_number(struct bytes *to, int64_t number, size_t width)
{
    unsigned char bytes[8];
    for (size_t i = 0; i < width; i++)
        bytes[i] = (unsigned char)((uint64_t)number >> 8 * (width - 1 - i));
    put(to, bytes, width);
}

/* What a zone file says: changes at[i] to the offset of type to[i]. */
struct zone_plan {
    size_t n_times, n_types;
    int64_t at[4];
    unsigned char to[4];
    int32_t east[4];
};

static void put_block(struct bytes *to, const struct zone_plan *plan, char version, size_t width)
{
    static const char reserved[15];
    put(to, "TZif", 4);
    put(to, &version, 1);
    put(to, reserved, sizeof reserved);
    put_number(to, 1, 4); /* UTC/local indicators, */
    put_number(to, 1, 4); /* standard/wall indicators, */
    put_number(to, 1, 4); /* leap seconds: there to be skipped */
    put_number(to, (int64_t)plan->n_times, 4);
    put_number(to, (int64_t)plan->n_types, 4);
    put_number(to, 4, 4);
    for (size_t i = 0; i < plan->n_times; i++)
        put_number(to, plan->at[i], width);
    put(to, plan->to, plan->n_times);
    for (size_t i = 0; i < plan->n_types; i++) {
        put_number(to, plan->east[i], 4);
        put(to, "\0\0", 2);
    }
    put(to, "ABC", 4);
    put_number(to, 78796800, width);
    put_number(to, 1, 4);
    put(to, "\0\0", 2);
}

static struct bytes zone_file(const struct zone_plan *plan, char version, const char *footer)
{
    struct bytes file = {.size = 0};
    put_block(&file, plan, version, 4);
    if (version >= '2') {
        put_block(&file, plan, version, 8);
        put(&file, "\n", 1);
        put(&file, footer, strlen(footer));
        put(&file, "\n", 1);
    }
    return file;
}

/* Type 0 before 1000, then an hour more until 50000, then again type 0. */
static const struct zone_plan small_plan = {
    .n_times = 2, .n_types = 2, .at = {1000, 50000}, .to = {1, 0}, .east = {600, 4200}};

static int parse(struct loom_tzif **zone, const struct bytes *file)
{
    *zone = NULL;
    /* A heap copy of the exact size lets the sanitizers see a read past the end. */
    unsigned char *copy = malloc(file->size ? file->size : 1);
    assert_non_null(copy);
    memcpy(copy, file->data, file->size);
    int rc = loom_tzif_parse(zone, copy, file->size, NULL);
    free(copy);
    return rc;
}

static void check_small_zone(char version, const char *footer, int32_t late_offset_s)
{
    struct bytes file = zone_file(&small_plan, version, footer);
    struct loom_tzif *zone;
    assert_int_equal(parse(&zone, &file), 0);
    assert_int_equal(loom_tzif_offset(zone, INT64_MIN), 600);
    assert_int_equal(loom_tzif_offset(zone, 999), 600);
    assert_int_equal(loom_tzif_offset(zone, 1000), 4200);
    assert_int_equal(loom_tzif_offset(zone, 49999), 4200);
    assert_int_equal(loom_tzif_offset(zone, 50000), late_offset_s);
    assert_int_equal(loom_tzif_offset(zone, INT64_MAX), late_offset_s);
    /* The gap from 1600 to 5200 by the offset before it, the overlap likewise. */
    assert_int_equal(loom_tzif_unix(zone, 1599), 999);
    assert_int_equal(loom_tzif_unix(zone, 1600), 1000);
    assert_int_equal(loom_tzif_unix(zone, 5199), 4599);
    assert_int_equal(loom_tzif_unix(zone, 5200), 1000);
    if (late_offset_s == 600) {
        assert_int_equal(loom_tzif_unix(zone, 50600), 46400);
        assert_int_equal(loom_tzif_unix(zone, 54199), 49999);
        assert_int_equal(loom_tzif_unix(zone, 54200), 53600);
    }
    loom_tzif_destroy(zone);
}

static void test_versions_and_footers(void **state)
{
    (void)state;
    check_small_zone('\0', "", 600);
    check_small_zone('2', "", 600);
    check_small_zone('3', "XXX-0:10", 600);
    check_small_zone('4', "<+02>-2", 7200);
}

/* Version 2 is read from its 64-bit block: a change that 32 bits cannot hold is there. */
static void test_64_bit_times(void **state)
{
    (void)state;
    struct zone_plan plan = {
        .n_times = 1, .n_types = 2, .at = {(int64_t)1 << 40}, .to = {1}, .east = {0, 3600}};
    struct bytes file = zone_file(&plan, '2', "");
    struct loom_tzif *zone;
    assert_int_equal(parse(&zone, &file), 0);
    assert_int_equal(loom_tzif_offset(zone, ((int64_t)1 << 40) - 1), 0);
    assert_int_equal(loom_tzif_offset(zone, (int64_t)1 << 40), 3600);
    loom_tzif_destroy(zone);
}

static const struct zone_plan footer_only = {.n_types = 1, .east = {0}};

static void test_footer_rules(void **state)
{
    (void)state;
    static const struct {
        const char *footer;
        const char *utc;
        int32_t offset_s;
    } rows[] = {
        {"CET-1CEST,M3.5.0,M10.5.0/3", "2003-03-30T00:59:59", 3600},
        {"CET-1CEST,M3.5.0,M10.5.0/3", "2003-03-30T01:00:00", 7200},
        {"CET-1CEST,M3.5.0,M10.5.0/3", "2003-10-26T00:59:59", 7200},
        {"CET-1CEST,M3.5.0,M10.5.0/3", "2003-10-26T01:00:00", 3600},
        /* the southern hemisphere: summer over the new year */
        {"AEST-10AEDT,M10.1.0,M4.1.0/3", "2010-01-01", 39600},
        {"AEST-10AEDT,M10.1.0,M4.1.0/3", "2010-04-03T15:59:59", 39600},
        {"AEST-10AEDT,M10.1.0,M4.1.0/3", "2010-04-03T16:00:00", 36000},
        /* half an hour, a named offset, and offsets with minutes */
        {"<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "2012-12-01", 39600},
        {"NST3:30NDT,M3.2.0,M11.1.0", "2015-07-01", -9000},
        {"ABC-1:02:03", "2015-07-01", 3723},
        /* J60 is 1 March in every year; 59 is 29 February in a leap year */
        {"ABC0DEF,J60/0,J61/0", "2004-02-29T23:59:59", 0},
        {"ABC0DEF,J60/0,J61/0", "2004-03-01T00:00:00", 3600},
        {"ABC0DEF,J60/0,J61/0", "2003-03-01T00:00:00", 3600},
        {"ABC0DEF,59/0,60/0", "2004-02-29T00:00:00", 3600},
        {"ABC0DEF,59/0,60/0", "2004-02-28T23:59:59", 0},
        {"ABC0DEF,59/0,60/0", "2003-03-01T00:00:00", 3600},
        /* times of day far from their date, and before it */
        {"EET-2EEST,M3.4.4/50,M10.4.4/50", "2022-03-25T23:59:59", 7200},
        {"EET-2EEST,M3.4.4/50,M10.4.4/50", "2022-03-26T00:00:00", 10800},
        {"ABC0DEF,M3.5.0/-1,M10.5.0/-1", "2003-03-29T22:59:59", 0},
        {"ABC0DEF,M3.5.0/-1,M10.5.0/-1", "2003-03-29T23:00:00", 3600},
        /* a rule that says summer all year */
        {"XXX3EDT4,0/0,J365/23", "2003-12-31T23:59:59", -14400},
        {"XXX3EDT4,0/0,J365/23", "2004-12-31T23:59:59", -14400},
        {"XXX3EDT4,0/0,J365/23", "2004-07-01", -14400},
        /* 400 years later, the same day */
        {"CET-1CEST,M3.5.0,M10.5.0/3", "6803-03-30T01:00:00", 7200},
        {"CET-1CEST,M3.5.0,M10.5.0/3", "6803-03-30T00:59:59", 3600},
        {"CET-1CEST,M3.5.0,M10.5.0/3", "-2797-07-30T00:59:59", 7200},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct bytes file = zone_file(&footer_only, '3', rows[i].footer);
        struct loom_tzif *zone;
        if (parse(&zone, &file))
            fail_msg("%s is refused", rows[i].footer);
        int64_t utc_s;
        assert_true(loom_civil_parse(&utc_s, rows[i].utc, strlen(rows[i].utc)));
        int32_t offset_s = loom_tzif_offset(zone, utc_s);
        if (offset_s != rows[i].offset_s)
            fail_msg("%s at %s: %d, not %d", rows[i].footer, rows[i].utc, offset_s,
                     rows[i].offset_s);
        loom_tzif_destroy(zone);
    }
}

static void test_bad_footers(void **state)
{
    (void)state;
    static const char *const footers[] = {
        "CE-1",
        "CET",
        "CET-25",
        "CET-1CEST",
        "CET-1CEST,M3.5.0",
        "CET-1C",
        "<CET-1",
        "CET-1:60",
        "CET-1:00:60",
        "CET-1CEST,M3.5.0,M13.5.0",
        "CET-1 ",
        "CET-1CEST-",
        "CET-1CEST,J0,J1",
        "CET-1CEST,J366,J1",
        "CET-1CEST,366,1",
        "CET-1CEST,M3.6.0,M10.5.0",
        "CET-1CEST,M3.0.0,M10.5.0",
        "CET-1CEST,M3.5.7,M10.5.0",
        "CET-1CEST,M3.5.0/168,M10.5.0",
        "CET-1CEST,M3.5.0,M10.5.0/3x",
        "CET-1CEST,M3.5,M10.5.0",
        "123",
        "CET-12345",
        ":Europe/Paris",
        "CET--1",
        "CET-1CEST,,",
    };
    for (size_t i = 0; i < COUNT(footers); i++) {
        struct bytes file = zone_file(&small_plan, '2', footers[i]);
        struct loom_tzif *zone;
        int rc = parse(&zone, &file);
        if (rc != LOOM_EFORMAT)
            fail_msg("footer '%s' gives %d", footers[i], rc);
        assert_null(zone);
    }
}

static void test_bad_blocks(void **state)
{
    (void)state;
    static const struct zone_plan plans[] = {
        {.n_times = 0, .n_types = 0},
        {.n_times = 1, .n_types = 1, .at = {5}, .to = {1}, .east = {0}},
        {.n_times = 2, .n_types = 1, .at = {5, 5}, .to = {0, 0}, .east = {0}},
        {.n_times = 2, .n_types = 1, .at = {5, 4}, .to = {0, 0}, .east = {0}},
        {.n_types = 1, .east = {26 * 3600}},
        {.n_types = 1, .east = {-25 * 3600}},
        {.n_types = 1, .east = {INT32_MIN}},
    };
    for (size_t i = 0; i < COUNT(plans); i++)
        for (int version = '1'; version <= '2'; version++) {
            struct bytes file = zone_file(&plans[i], (char)version, "UTC0");
            struct loom_tzif *zone;
            if (parse(&zone, &file) != LOOM_EFORMAT)
                fail_msg("plan %zu of version %c is taken", i, version);
        }
}

/* Use all of a zone; the answers do not matter, that they come does. */
static void exercise(struct loom_tzif *zone)
{
    static const int64_t times[] = {INT64_MIN, -1, 0, 1000, 1048985999, INT64_MAX};
    for (size_t i = 0; i < COUNT(times); i++) {
        int32_t offset_s = loom_tzif_offset(zone, times[i]);
        assert_in_range(offset_s + 30 * 3600, 0, 60 * 3600);
        loom_tzif_unix(zone, times[i]);
    }
}

static void test_damaged_files_do_no_harm(void **state)
{
    (void)state;
    struct bytes whole = zone_file(&small_plan, '2', "CET-1CEST,M3.5.0,M10.5.0/3");
    struct loom_tzif *zone;
    for (size_t size = 0; size < whole.size; size++) {
        struct bytes cut = whole;
        cut.size = size;
        assert_int_equal(parse(&zone, &cut), LOOM_EFORMAT);
    }
    static const unsigned char masks[] = {0x01, 0x10, 0x80, 0xff};
    for (size_t at = 0; at < whole.size; at++)
        for (size_t i = 0; i < COUNT(masks); i++) {
            struct bytes flipped = whole;
            flipped.data[at] ^= masks[i];
            if (parse(&zone, &flipped) == 0)
                exercise(zone);
            loom_tzif_destroy(zone);
        }
}

/* ---- the zone of a log ----------------------------------------------------------------------- */

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
        cmocka_unit_test(test_offsets_agree_with_the_oracle),
        cmocka_unit_test(test_local_times_agree_with_the_oracle),
        cmocka_unit_test(test_versions_and_footers),
        cmocka_unit_test(test_64_bit_times),
        cmocka_unit_test(test_footer_rules),
        cmocka_unit_test(test_bad_footers),
        cmocka_unit_test(test_bad_blocks),
        cmocka_unit_test(test_damaged_files_do_no_harm),
        ON_FILES(test_zone_of_a_header),
        ON_FILES(test_parse_times_of_a_person),
        ON_FILES(test_old_names_have_successors),
        ON_FILES(test_fallbacks_are_noted),
        ON_FILES(test_log_without_a_start),
        ON_FILES(test_ends_of_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files of time zones: the system's database against values from Python's zoneinfo, and
 * files made here, damaged ones among them.
 */
#include "base/civil.h"
#include "support.h"
#include "trace/tzif.h"
#include "zone_files.h"

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

#include "../oracle/zone_offsets.inc"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_offsets_agree_with_the_oracle),
        cmocka_unit_test(test_local_times_agree_with_the_oracle),
        cmocka_unit_test(test_versions_and_footers),
        cmocka_unit_test(test_64_bit_times),
        cmocka_unit_test(test_footer_rules),
        cmocka_unit_test(test_bad_footers),
        cmocka_unit_test(test_bad_blocks),
        cmocka_unit_test(test_damaged_files_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

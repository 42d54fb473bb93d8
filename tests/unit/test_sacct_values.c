/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The values of sacct's fields, each kind by a table. */
#include "support.h"
#include "trace/formats/sacct/values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void test_durations(void **state)
{
    static const struct {
        const char *text;
        bool ok;
        double seconds;
    } cases[] = {
        {"00:00:00", true, 0},
        {"00:05:35", true, 335},
        {"23:59:59", true, 86399},
        {"7-20:39:39", true, 7 * 86400 + 20 * 3600 + 39 * 60 + 39},
        {"125-00:00:00", true, 10800000},
        {"30:00:00", true, 108000},
        {"12:34", true, 754},
        {"12:34.500", true, 754.5},
        {"00:00.250", true, 0.25},
        {"1-02:03:04.125", true, 93784.125},
        {"", true, -1},
        {"UNLIMITED", true, -1},
        {"INVALID", true, -1},
        {"Partition_Limit", true, -1},
        {"NONE", true, -1},
        {"Unknown", true, -1},
        {"12", false, 0},
        {"1-12", false, 0},
        {"1-12:00", false, 0},
        {"1-24:00:00", false, 0},
        {"00:60:00", false, 0},
        {"00:00:60", false, 0},
        {"00:00:00:00", false, 0},
        {"-00:00:01", false, 0},
        {"00:00:00.", false, 0},
        {"00:00:", false, 0},
        {":00:00", false, 0},
        {"1:2:3x", false, 0},
        {"99999999999-00:00:00", false, 0},
        {"UNLIMITEDx", false, 0},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        double seconds;
        char *text = bare(cases[i].text);
        bool ok = loom_sacct_duration(&seconds, text, strlen(cases[i].text));
        free(text);
        if (ok != cases[i].ok || (ok && seconds != cases[i].seconds))
            fail_msg("'%s': %d, %.17g", cases[i].text, ok, ok ? seconds : 0);
    }
}

static void test_counts(void **state)
{
    static const struct {
        const char *text;
        bool ok;
        int64_t count;
    } cases[] = {
        {"0", true, 0},
        {"12", true, 12},
        {"1K", true, 1024},
        {"1.50K", true, 1536},
        {"2M", true, 2097152},
        {"", true, -1},
        {"UNLIMITED", true, -1},
        {"Partition_Limit", true, -1},
        {"4294967294", true, -1},
        {"4294967295", true, -1},
        {"4294967296", true, 4294967296},
        {"999999999999999999", true, 999999999999999999},
        {"9999999999999999999", false, 0},
        {"999999999999999999K", false, 0},
        {"1.5", false, 0},
        {"-1", false, 0},
        {"1x", false, 0},
        {"twelve", false, 0},
        {" 1", false, 0},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        int64_t count;
        char *text = bare(cases[i].text);
        bool ok = loom_sacct_count(&count, text, strlen(cases[i].text));
        free(text);
        if (ok != cases[i].ok || (ok && count != cases[i].count))
            fail_msg("'%s': %d, %lld", cases[i].text, ok, ok ? (long long)count : 0);
    }
}

static void test_sizes(void **state)
{
    static const struct {
        const char *text;
        bool ok;
        double kib;
        enum loom_sacct_per per;
    } cases[] = {
        {"4Gn", true, 4194304, LOOM_SACCT_PER_NODE},
        {"4Gc", true, 4194304, LOOM_SACCT_PER_CPU},
        {"62.50Gn", true, 65536000, LOOM_SACCT_PER_NODE},
        {"31000Mn", true, 31744000, LOOM_SACCT_PER_NODE},
        /* 2^31 + 3000 MiB: the mark of a request per processor */
        {"2147486648Mn", true, 3072000, LOOM_SACCT_PER_CPU},
        {"2147483648Mn", true, 0, LOOM_SACCT_PER_CPU},
        {"2147483647Mn", true, 2199023254528.0, LOOM_SACCT_PER_NODE},
        {"2147486648M", true, 2199026327552.0, LOOM_SACCT_PER_JOB},
        {"48000M", true, 49152000, LOOM_SACCT_PER_JOB},
        {"1024", true, 1, LOOM_SACCT_PER_JOB},
        {"512", true, 0.5, LOOM_SACCT_PER_JOB},
        {"1234K", true, 1234, LOOM_SACCT_PER_JOB},
        {"1.5T", true, 1610612736, LOOM_SACCT_PER_JOB},
        {"1P", true, 1099511627776.0, LOOM_SACCT_PER_JOB},
        {"1E", true, 1125899906842624.0, LOOM_SACCT_PER_JOB},
        {"0", true, 0, LOOM_SACCT_PER_JOB},
        {"0n", true, 0, LOOM_SACCT_PER_NODE},
        {"", true, -1, LOOM_SACCT_PER_JOB},
        {"?", true, -1, LOOM_SACCT_PER_JOB},
        {"?n", true, -1, LOOM_SACCT_PER_JOB},
        {"G", false, 0, LOOM_SACCT_PER_JOB},
        {"4X", false, 0, LOOM_SACCT_PER_JOB},
        {"4Gnc", false, 0, LOOM_SACCT_PER_JOB},
        {"4.G", false, 0, LOOM_SACCT_PER_JOB},
        {"-4G", false, 0, LOOM_SACCT_PER_JOB},
        {"9999999999999999999M", false, 0, LOOM_SACCT_PER_JOB},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct loom_sacct_size size;
        char *text = bare(cases[i].text);
        bool ok = loom_sacct_size(&size, text, strlen(cases[i].text));
        free(text);
        if (ok != cases[i].ok || (ok && (size.kib != cases[i].kib || size.per != cases[i].per)))
            fail_msg("'%s': %d, %.17g per %d", cases[i].text, ok, size.kib, (int)size.per);
    }
}

static void test_times(void **state)
{
    static const struct {
        const char *text;
        bool ok;
        int64_t s;
        enum loom_sacct_clock clock;
    } cases[] = {
        {"1970-01-01T00:00:00", true, 0, LOOM_SACCT_LOCAL_CLOCK},
        {"2016-12-21T21:43:34", true, 1482356614, LOOM_SACCT_LOCAL_CLOCK},
        {"2000-02-29T23:59:59", true, 951868799, LOOM_SACCT_LOCAL_CLOCK},
        {"2000-03-01 00:00:00", true, 951868800, LOOM_SACCT_LOCAL_CLOCK},
        {"2016-12-21T21:43:34Z", true, 1482356614, LOOM_SACCT_UNIX_CLOCK},
        {"2016-12-21T21:43:34+01:00", true, 1482353014, LOOM_SACCT_UNIX_CLOCK},
        {"2016-12-21T21:43:34-0530", true, 1482376414, LOOM_SACCT_UNIX_CLOCK},
        {"1482356614", true, 1482356614, LOOM_SACCT_UNIX_CLOCK},
        {"253402300799", true, 253402300799, LOOM_SACCT_UNIX_CLOCK},
        {"0", true, -1, LOOM_SACCT_NO_CLOCK},
        {"Unknown", true, -1, LOOM_SACCT_NO_CLOCK},
        {"None", true, -1, LOOM_SACCT_NO_CLOCK},
        {"N/A", true, -1, LOOM_SACCT_NO_CLOCK},
        {"", true, -1, LOOM_SACCT_NO_CLOCK},
        {"253402300800", false, 0, LOOM_SACCT_NO_CLOCK},
        {"-5", false, 0, LOOM_SACCT_NO_CLOCK},
        {"1900-02-29T00:00:00", false, 0, LOOM_SACCT_NO_CLOCK},
        {"2016-13-01T00:00:00", false, 0, LOOM_SACCT_NO_CLOCK},
        {"2015-02-29T00:00:00", false, 0, LOOM_SACCT_NO_CLOCK},
        {"2016-12-21T24:00:00", false, 0, LOOM_SACCT_NO_CLOCK},
        {"2016-12-21T21:43", false, 0, LOOM_SACCT_NO_CLOCK},
        {"2016-12-21T21:43:34+1", false, 0, LOOM_SACCT_NO_CLOCK},
        {"2016-12-21T21:43:34+99:00", false, 0, LOOM_SACCT_NO_CLOCK},
        {"1970-01-01T00:00:00+01:00", false, 0, LOOM_SACCT_NO_CLOCK},
        {"21:43:34", false, 0, LOOM_SACCT_NO_CLOCK},
        {"yesterday", false, 0, LOOM_SACCT_NO_CLOCK},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct loom_sacct_time time;
        char *text = bare(cases[i].text);
        bool ok = loom_sacct_time(&time, text, strlen(cases[i].text));
        free(text);
        if (ok != cases[i].ok || (ok && (time.s != cases[i].s || time.clock != cases[i].clock)))
            fail_msg("'%s': %d, %lld by %d", cases[i].text, ok, (long long)time.s, (int)time.clock);
    }
}

static void test_states(void **state)
{
    static const struct {
        const char *text;
        bool ok;
        int status;
        enum loom_sacct_phase phase;
    } cases[] = {
        {"COMPLETED", true, 1, LOOM_SACCT_ENDED},
        {"completed", true, 1, LOOM_SACCT_ENDED},
        {"FAILED", true, 0, LOOM_SACCT_ENDED},
        {"NODE_FAIL", true, 0, LOOM_SACCT_ENDED},
        {"OUT_OF_MEMORY", true, 0, LOOM_SACCT_ENDED},
        {"OUT_OF_ME+", true, 0, LOOM_SACCT_ENDED},
        {"BOOT_FAIL", true, 0, LOOM_SACCT_ENDED},
        {"DEADLINE", true, 0, LOOM_SACCT_REMOVED},
        {"TIMEOUT", true, 0, LOOM_SACCT_ENDED},
        {"PREEMPTED", true, 0, LOOM_SACCT_ENDED},
        {"REQUEUED", true, 0, LOOM_SACCT_ENDED},
        {"CANCELLED", true, 5, LOOM_SACCT_REMOVED},
        {"CANCELLED+", true, 5, LOOM_SACCT_REMOVED},
        {"CANCELLED by 423120", true, 5, LOOM_SACCT_REMOVED},
        {"REVOKED", true, 5, LOOM_SACCT_REMOVED},
        {"PENDING", true, -1, LOOM_SACCT_WAITING},
        {"REQUEUE_HOLD", true, -1, LOOM_SACCT_WAITING},
        {"RUNNING", true, -1, LOOM_SACCT_RUNNING},
        {"SUSPENDED", true, -1, LOOM_SACCT_RUNNING},
        {"RESIZING", true, -1, LOOM_SACCT_RUNNING},
        {"COMPLETING", true, -1, LOOM_SACCT_RUNNING},
        {"", true, -1, LOOM_SACCT_UNSAID},
        {"Unknown", true, -1, LOOM_SACCT_UNSAID},
        {"DANCING", false, 0, LOOM_SACCT_UNSAID},
        {"COMPLETE", false, 0, LOOM_SACCT_UNSAID},
        {"RE+", false, 0, LOOM_SACCT_UNSAID}, /* REVOKED, REQUEUED, RESIZING */
        {"+", false, 0, LOOM_SACCT_UNSAID},
        {" by 1", false, 0, LOOM_SACCT_UNSAID},
        {"CANCELLED by ", false, 0, LOOM_SACCT_UNSAID},
        {"CANCELLED of 1", false, 0, LOOM_SACCT_UNSAID},
        {"CANCELLED ", false, 0, LOOM_SACCT_UNSAID},
        {"COMPLETEDLY", false, 0, LOOM_SACCT_UNSAID},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct loom_sacct_state got;
        char *text = bare(cases[i].text);
        bool ok = loom_sacct_state(&got, text, strlen(cases[i].text));
        free(text);
        if (ok != cases[i].ok ||
            (ok && (got.status != cases[i].status || got.phase != cases[i].phase)))
            fail_msg("'%s': %d, status %d, phase %d", cases[i].text, ok, (int)got.status,
                     (int)got.phase);
    }
}

static void test_ids(void **state)
{
    static const struct {
        const char *text;
        bool ok;
        enum loom_sacct_id_kind kind;
        bool step;
        int64_t number;
    } cases[] = {
        {"123", true, LOOM_SACCT_PLAIN, false, 123},
        {"123.batch", true, LOOM_SACCT_PLAIN, true, 123},
        {"123.0", true, LOOM_SACCT_PLAIN, true, 123},
        {"123.extern", true, LOOM_SACCT_PLAIN, true, 123},
        {"123_4", true, LOOM_SACCT_ELEMENT, false, 123000000004},
        {"123_4.batch", true, LOOM_SACCT_ELEMENT, true, 123000000004},
        {"123+0", true, LOOM_SACCT_PART, false, 123},
        {"123+2", true, LOOM_SACCT_PART, false, 125},
        {"123+2.0", true, LOOM_SACCT_PART, true, 125},
        {"123_[5-9]", true, LOOM_SACCT_RANGE, false, 123000000000},
        {"123_[5-9%2]", true, LOOM_SACCT_RANGE, false, 123000000000},
        {"4294967295_999999999", true, LOOM_SACCT_ELEMENT, false, 4294967295999999999},
        {"999999999999999999", true, LOOM_SACCT_PLAIN, false, 999999999999999999},
        {"", false, LOOM_SACCT_PLAIN, false, 0},
        {"batch", false, LOOM_SACCT_PLAIN, false, 0},
        {"123.", false, LOOM_SACCT_PLAIN, false, 0},
        {"123_", false, LOOM_SACCT_PLAIN, false, 0},
        {"123+", false, LOOM_SACCT_PLAIN, false, 0},
        {"123_[5-9", false, LOOM_SACCT_PLAIN, false, 0},
        {"123_[", false, LOOM_SACCT_PLAIN, false, 0},
        {"123_4_5", false, LOOM_SACCT_PLAIN, false, 0},
        {"123 ", false, LOOM_SACCT_PLAIN, false, 0},
        {"-123", false, LOOM_SACCT_PLAIN, false, 0},
        {"9999999999_1", false, LOOM_SACCT_PLAIN, false, 0},
        {"123_1234567890", false, LOOM_SACCT_PLAIN, false, 0},
        {"99999999999999999999", false, LOOM_SACCT_PLAIN, false, 0},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct loom_sacct_id id;
        char *text = bare(cases[i].text);
        bool ok = loom_sacct_id(&id, text, strlen(cases[i].text));
        free(text);
        if (ok != cases[i].ok)
            fail_msg("'%s': %d", cases[i].text, ok);
        if (ok && (id.kind != cases[i].kind || id.step != cases[i].step ||
                   loom_sacct_number(&id, id.element) != cases[i].number))
            fail_msg("'%s': kind %d, step %d, number %lld", cases[i].text, (int)id.kind, id.step,
                     (long long)loom_sacct_number(&id, id.element));
    }
}

static void test_ranges(void **state)
{
    static const struct {
        const char *text;
        bool ok, cut;
        const char *elements;
    } cases[] = {
        {"5-9", true, false, "5 6 7 8 9 "},
        {"5-9%2", true, false, "5 6 7 8 9 "},
        {"1,3,7-9", true, false, "1 3 7 8 9 "},
        {"0-10:5", true, false, "0 5 10 "},
        {"1-9:3,4", true, false, "1 4 7 4 "},
        {"7", true, false, "7 "},
        {"5-5", true, false, "5 "},
        {"1,3,...", true, true, "1 3 "},
        {"1,3,5...", true, true, "1 3 "}, /* the 5 may have been 57 */
        {"1-3,5-...%8", true, true, "1 2 3 "},
        {"", false, false, ""},
        {"...", false, false, ""},
        {"12...", false, false, ""},
        {",1", false, false, ""},
        {"1,", false, false, ""},
        {"1,,2", false, false, ""},
        {"9-5", false, false, ""},
        {"1-", false, false, ""},
        {"1-5:0", false, false, ""},
        {"1%", false, false, ""},
        {"1%x", false, false, ""},
        {"a", false, false, ""},
        {"1234567890", false, false, ""},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct loom_sacct_range range;
        int64_t count = 0, element, seen = 0;
        bool cut = false;
        char elements[64] = "";
        char *text = bare(cases[i].text);
        bool ok = loom_sacct_range_open(&range, &count, &cut, text, strlen(cases[i].text));
        while (ok && loom_sacct_range_next(&range, &element) && seen < 20) {
            size_t used = strlen(elements);
            snprintf(elements + used, sizeof elements - used, "%d ", (int)element);
            seen++;
        }
        free(text);
        if (ok != cases[i].ok || (ok && (cut != cases[i].cut || seen != count)) ||
            strcmp(elements, cases[i].elements) != 0)
            fail_msg("'%s': %d, cut %d, count %d, elements %s", cases[i].text, ok, cut, (int)count,
                     elements);
    }
}

static void test_range_counts_without_listing(void **state)
{
    static const char text[] = "0-999999999,0-999999999:2";
    struct loom_sacct_range range;
    int64_t count;
    bool cut;
    (void)state;
    assert_true(loom_sacct_range_open(&range, &count, &cut, text, strlen(text)));
    assert_int_equal(count, 1500000000);
}

static void test_tres(void **state)
{
    static const struct {
        const char *text, *key, *value;
    } cases[] = {
        {"billing=12,cpu=12,mem=48000M,node=1", "cpu", "12"},
        {"billing=12,cpu=12,mem=48000M,node=1", "mem", "48000M"},
        {"billing=12,cpu=12,mem=48000M,node=1", "node", "1"},
        {"gres/cpu=3,xcpu=4", "cpu", NULL},
        {"cpu=", "cpu", ""},
        {"cpu", "cpu", NULL},
        {"", "cpu", NULL},
        {",,cpu=7", "cpu", "7"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        size_t length = 0;
        char *text = bare(cases[i].text);
        const char *value = loom_sacct_tres(&length, text, strlen(cases[i].text), cases[i].key);
        bool same = cases[i].value ? value && length == strlen(cases[i].value) &&
                                         memcmp(value, cases[i].value, length) == 0
                                   : !value;
        free(text);
        if (!same)
            fail_msg("%s in '%s'", cases[i].key, cases[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_durations), cmocka_unit_test(test_counts),
        cmocka_unit_test(test_sizes),     cmocka_unit_test(test_times),
        cmocka_unit_test(test_states),    cmocka_unit_test(test_ids),
        cmocka_unit_test(test_ranges),    cmocka_unit_test(test_range_counts_without_listing),
        cmocka_unit_test(test_tres),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

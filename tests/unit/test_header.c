/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Headers: kept as they are, understood as far as they go. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "trace/table.h"

#include <string.h>

static struct loom_trace *with_lines(const char *const *lines)
{
    struct loom_trace *trace = NULL;
    assert_int_equal(loom_trace_create(&trace, NULL), 0);
    for (; *lines; lines++)
        assert_int_equal(loom_trace_add_line(trace, *lines, strlen(*lines), NULL), 0);
    return trace;
}

static void test_plain_header(void **state)
{
    (void)state;
    static const char *const lines[] = {" Version: 2.2",
                                        " Computer: IBM SP2",
                                        " UnixStartTime: 843480031",
                                        " TimeZone: 3600",
                                        " TimeZoneString: Europe/Stockholm",
                                        " MaxNodes: 100",
                                        " MaxProcs: 100",
                                        " MaxJobs: 28490",
                                        " MaxRecords: 28476",
                                        " Queue: 1 batch",
                                        " Partition:  2  ALL        ",
                                        NULL};
    struct loom_trace *trace = with_lines(lines);
    const struct loom_machine *machine = loom_trace_machine(trace);
    assert_int_equal(machine->max_procs, 100);
    assert_int_equal(machine->max_nodes, 100);
    assert_int_equal(machine->unix_start_s, 843480031);
    assert_int_equal(machine->time_zone_s, 3600);
    assert_string_equal(machine->time_zone, "Europe/Stockholm");
    assert_int_equal(machine->max_jobs, 28490);
    assert_int_equal(machine->max_records, 28476);
    assert_string_equal(loom_trace_name(trace, LOOM_QUEUE, 1), "batch");
    assert_string_equal(loom_trace_name(trace, LOOM_PARTITION, 2), "ALL");
    assert_int_equal(loom_trace_number(trace, LOOM_QUEUE, "batch"), 1);
    assert_string_equal(loom_trace_directive(trace, "computer"), "IBM SP2");
    assert_null(loom_trace_directive(trace, "Installation"));
    loom_trace_destroy(trace);
}

/* Each of these stands in the header of some log of the archive. */
static void test_messy_headers(void **state)
{
    (void)state;
    static const char *const lines[] = {"      MaxNodes: 32 (dual CPU)",
                                        "      MaxProcs: 1664 (72, 1368, 224)",
                                        "      TimeZone: 3600              # DEPRECATED.",
                                        "TimeZoneString: Europe/Amsterdam  # CET (UTC+1)",
                                        "         Queue: 1 - All jobs submitted to same queue",
                                        "              http://www.cs.huji.ac.il/labs/",
                                        " Note: group 1 is normal users",
                                        "     |       m|      t|     t| c|",
                                        "",
                                        NULL};
    struct loom_trace *trace = with_lines(lines);
    const struct loom_machine *machine = loom_trace_machine(trace);
    assert_int_equal(machine->max_nodes, 32);
    assert_int_equal(machine->max_procs, 1664);
    assert_int_equal(machine->time_zone_s, 3600);
    assert_string_equal(machine->time_zone, "Europe/Amsterdam");
    assert_string_equal(loom_trace_name(trace, LOOM_QUEUE, 1), "All jobs submitted to same queue");
    assert_null(loom_trace_name(trace, LOOM_GROUP, 1));
    const struct loom_directive *kept;
    assert_int_equal(loom_trace_directives(trace, &kept), 9);
    for (size_t i = 0; i < 9; i++)
        assert_string_equal(kept[i].text, lines[i]);
    assert_string_equal(kept[5].key, "");
    assert_string_equal(kept[5].value, "http://www.cs.huji.ac.il/labs/");
    assert_string_equal(kept[0].key, "MaxNodes");
    assert_string_equal(kept[0].value, "32 (dual CPU)");
    loom_trace_destroy(trace);
}

static void test_nonsense_says_nothing(void **state)
{
    (void)state;
    static const char *const lines[] = {" MaxProcs: many",
                                        " MaxNodes: 99999999999999999999999",
                                        " UnixStartTime: -5",
                                        " TimeZone: 1000000",
                                        " TimeZoneString:   # none",
                                        " Queue: x y",
                                        " Queue: 3",
                                        " Queue: -1 none",
                                        " Note: user 3 is ann",
                                        NULL};
    struct loom_trace *trace = with_lines(lines);
    const struct loom_machine *machine = loom_trace_machine(trace);
    assert_int_equal(machine->max_procs, -1);
    assert_int_equal(machine->max_nodes, -1);
    assert_int_equal(machine->unix_start_s, -1);
    assert_true(machine->time_zone_s == INT64_MIN);
    assert_null(machine->time_zone);
    assert_null(loom_trace_name(trace, LOOM_QUEUE, 3));
    assert_null(loom_trace_name(trace, LOOM_USER, 3));
    loom_trace_destroy(trace);
}

static void test_first_readable_directive_counts(void **state)
{
    (void)state;
    static const char *const lines[] = {" MaxProcs: ?", " MaxProcs: 64", " MaxProcs: 128", NULL};
    struct loom_trace *trace = with_lines(lines);
    assert_int_equal(loom_trace_machine(trace)->max_procs, 64);
    loom_trace_destroy(trace);
}

static void test_set_directive(void **state)
{
    (void)state;
    static const char *const lines[] = {" MaxProcs: 64", " MaxRecords: 5", NULL};
    struct loom_trace *trace = with_lines(lines);
    assert_int_equal(loom_trace_set_directive(trace, "MaxProcs", "32", NULL), 0);
    assert_int_equal(loom_trace_set_directive(trace, "UnixStartTime", "77", NULL), 0);
    assert_int_equal(loom_trace_set_directive(trace, "MaxRecords", "none", NULL), 0);
    const struct loom_directive *kept;
    assert_int_equal(loom_trace_directives(trace, &kept), 3);
    assert_string_equal(kept[0].text, " MaxProcs: 32");
    assert_string_equal(kept[2].text, " UnixStartTime: 77");
    assert_int_equal(loom_trace_machine(trace)->max_procs, 32);
    assert_int_equal(loom_trace_machine(trace)->unix_start_s, 77);
    assert_int_equal(loom_trace_machine(trace)->max_records, -1);
    loom_trace_destroy(trace);
}

static void test_added_directive_stays_one_line(void **state)
{
    (void)state;
    static const char *const none[] = {NULL};
    struct loom_trace *trace = with_lines(none);
    assert_int_equal(loom_trace_add_directive(trace, "Note", "two\nlines\r\tand a tab", NULL), 0);
    const struct loom_directive *kept;
    loom_trace_directives(trace, &kept);
    assert_string_equal(kept[0].text, " Note: two lines  and a tab");
    loom_trace_destroy(trace);
}

/* Names without a line get one, and a trace made of those lines has the same names. */
static void test_names_are_declared(void **state)
{
    (void)state;
    static const char *const lines[] = {" Queue: 1 batch", NULL};
    struct loom_trace *trace = with_lines(lines);
    int32_t number;
    assert_int_equal(loom_trace_intern(&number, trace, LOOM_QUEUE, "night", 5, NULL), 0);
    assert_int_equal(number, 2);
    assert_int_equal(loom_trace_intern(&number, trace, LOOM_USER, "ann = b", 7, NULL), 0);
    assert_int_equal(loom_trace_set_name(trace, LOOM_EXECUTABLE, 12, "a.out", NULL), 0);
    assert_int_equal(loom_trace_declare_names(trace, NULL), 0);
    assert_int_equal(loom_trace_declare_names(trace, NULL), 0); /* once is enough */
    static const char *const wanted[] = {" Queue: 1 batch", " Note: user 1 = ann = b",
                                         " Note: executable 12 = a.out", " Queue: 2 night", NULL};
    const struct loom_directive *kept;
    assert_int_equal(loom_trace_directives(trace, &kept), 4);
    for (size_t i = 0; i < 4; i++)
        assert_string_equal(kept[i].text, wanted[i]);
    struct loom_trace *again = with_lines(wanted);
    assert_string_equal(loom_trace_name(again, LOOM_USER, 1), "ann = b");
    assert_string_equal(loom_trace_name(again, LOOM_EXECUTABLE, 12), "a.out");
    assert_string_equal(loom_trace_name(again, LOOM_QUEUE, 2), "night");
    loom_trace_destroy(again);
    loom_trace_destroy(trace);
}

/* A '-' between number and name may be left out, unless the name starts with one itself. */
static void test_names_that_start_with_a_joint(void **state)
{
    (void)state;
    static const struct {
        enum loom_name_kind kind;
        const char *name, *line;
    } cases[] = {
        {LOOM_QUEUE, "-night", " Queue: 1 - -night"},
        {LOOM_QUEUE, "-", " Queue: 1 - -"},
        {LOOM_QUEUE, "--", " Queue: 1 - --"},
        {LOOM_QUEUE, "a-b", " Queue: 1 a-b"},
        {LOOM_QUEUE, "=x", " Queue: 1 =x"},
        {LOOM_PARTITION, "- 4", " Partition: 1 - - 4"},
        {LOOM_PARTITION, "4", " Partition: 1 4"},
        {LOOM_USER, "-ann", " Note: user 1 = -ann"},
        {LOOM_USER, "= ann", " Note: user 1 = = ann"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static const char *const none[] = {NULL};
        const char *lines[] = {cases[i].line, NULL};
        const struct loom_directive *kept;
        struct loom_trace *trace = with_lines(none);
        assert_int_equal(loom_trace_set_name(trace, cases[i].kind, 1, cases[i].name, NULL), 0);
        assert_int_equal(loom_trace_declare_names(trace, NULL), 0);
        assert_int_equal(loom_trace_directives(trace, &kept), 1);
        assert_string_equal(kept[0].text, cases[i].line);
        struct loom_trace *again = with_lines(lines);
        assert_string_equal(loom_trace_name(again, cases[i].kind, 1), cases[i].name);
        loom_trace_destroy(again);
        loom_trace_destroy(trace);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain_header),
        cmocka_unit_test(test_messy_headers),
        cmocka_unit_test(test_nonsense_says_nothing),
        cmocka_unit_test(test_first_readable_directive_counts),
        cmocka_unit_test(test_set_directive),
        cmocka_unit_test(test_added_directive_stays_one_line),
        cmocka_unit_test(test_names_are_declared),
        cmocka_unit_test(test_names_that_start_with_a_joint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a report says: the sentences of the summary claim no more than the features say, and the
 * data of curves are what is worked out by hand.
 */
#include "support.h"

#include "report/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- logs ------------------------------------------------------------------------------------ */

/* A log of n jobs by one user, every interval_s, that run for run_s of 100 estimated seconds. */
static struct loom_trace *even_log(size_t n, int64_t interval_s, int64_t run_s)
{
    struct loom_trace *trace = empty_trace();
    assert_int_equal(loom_trace_add_directive(trace, "UnixStartTime", "843500000", NULL), 0);
    assert_int_equal(loom_trace_add_directive(trace, "MaxProcs", "1", NULL), 0);
    for (size_t i = 0; i < n; i++) {
        struct loom_job job = loom_job_unknown();
        job.submit_s = (int64_t)i * interval_s;
        job.wait_s = 0;
        job.run_s = run_s;
        job.request_s = 100;
        job.req_procs = 1;
        job.user = 1;
        append(trace, job);
    }
    return trace;
}

/* The summary without its tags; the caller must free it. Takes the log. */
static char *summary_of(struct loom_trace *trace)
{
    struct loom_features *features = NULL;
    struct loom_error err = {0};
    if (loom_features_create(&features, trace, NULL, NULL, &err))
        fail_msg("%s", err.message);
    char *page = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&page, &size);
    assert_non_null(out);
    loom_summary_write(out, features);
    fclose(out);
    loom_features_destroy(features);
    loom_trace_destroy(trace);
    char *to = page;
    bool inside = false;
    for (const char *from = page; *from; from++) {
        inside = inside || *from == '<';
        if (!inside)
            *to++ = *from;
        inside = inside && *from != '>';
    }
    *to = '\0';
    return page;
}

static void says(const char *summary, const char *words, bool wanted)
{
    if (!strstr(summary, words) == wanted)
        fail_msg("'%s' is %s: %s", words, wanted ? "missing" : "said", summary);
}

/* ---- sentences ------------------------------------------------------------------------------- */

static void test_one_job(void **state)
{
    (void)state;
    char *summary = summary_of(even_log(1, 100, 60));
    says(summary, "Extent: 1 job, by 1 user, on a machine of 1 processor.", true);
    says(summary, "people work in 1 session of 1 job.", true);
    says(summary, "no jobs come in bags", true);
    says(summary, "the log is too short to tell who stays", true);
    says(summary, "Cycles", false);
    says(summary, "of the time:", false);
    free(summary);
}

static void test_equal_jobs(void **state)
{
    (void)state;
    char *summary = summary_of(even_log(2000, 1000, 100));
    says(summary, "Regular:", true);
    says(summary, "Few jobs take most of the time", false);
    says(summary, "Jobs take similar shares of the time: the longest 50\xC2\xA0%", true);
    says(summary, "Long-range dependent", false);
    says(summary, "a job runs for 100\xC2\xA0% of the time that it asks for; 0\xC2\xA0% of jobs",
         true);
    says(summary, "the busiest hour", true);
    free(summary);
}

/* Ten days, and two weeks and a day. */
static void test_short_logs(void **state)
{
    (void)state;
    char *summary = summary_of(even_log(241, 3600, 60));
    says(summary, "for a weekly cycle the log is too short", true);
    says(summary, "on weekends", false);
    free(summary);
    summary = summary_of(even_log(361, 3600, 60));
    says(summary, "for a weekly cycle the log is too short", false);
    says(summary, "on weekends jobs arrive at", true);
    free(summary);
}

/* ---- data of figures ------------------------------------------------------------------------- */

/* A sheet with both its texts, which belong to the caller when it is closed. */
struct written {
    struct loom_sheet sheet;
    char *blocks, *table;
    size_t blocks_size, table_size;
};

static void open_sheet(struct written *to)
{
    *to = (struct written){0};
    to->sheet.blocks = open_memstream(&to->blocks, &to->blocks_size);
    to->sheet.table = open_memstream(&to->table, &to->table_size);
    assert_true(to->sheet.blocks && to->sheet.table);
}

static void close_sheet(struct written *to)
{
    fclose(to->sheet.blocks);
    fclose(to->sheet.table);
}

static void free_sheet(struct written *of)
{
    free(of->blocks);
    free(of->table);
}

/* What gnuplot reads and what data frames read. Only what is in the table counts as a row. */
static void test_sheet(void **state)
{
    static const char blocks[] = "series\ta,\"b\"\n1\t0.1\t3\n12345678901\t1234567\t2.71828\n\n\n"
                                 "series\tc\nNaN\tNaN\n\n\n"
                                 "series\t\n7\t8\n\n\n"
                                 "series\td\n-2.5\t\tx y\n";
    static const char table[] = "series,x_s,y,z\n\"a,\"\"b\"\"\",1,0.1,3\n"
                                "\"a,\"\"b\"\"\",12345678901,1234567,2.71828\nd,-2.5,,x y\n";
    struct written to;
    (void)state;
    open_sheet(&to);
    loom_sheet_block(&to.sheet, "a,\"b\"", "x_s,y,z");
    loom_sheet_row3(&to.sheet, 1, 0.1, 3);
    loom_sheet_row3(&to.sheet, 1, INFINITY, 3);
    loom_sheet_row3(&to.sheet, 12345678901.0, 1234567, 2.718281828);
    loom_sheet_block(&to.sheet, "c", NULL);
    loom_sheet_gap(&to.sheet);
    loom_sheet_marks(&to.sheet);
    loom_sheet_row(&to.sheet, 7, 8);
    loom_sheet_block(&to.sheet, "d", NULL);
    loom_sheet_fields(&to.sheet, (const char *const[]){"-2.5", "", "x y"}, 3);
    close_sheet(&to);
    assert_string_equal(to.blocks, blocks);
    assert_string_equal(to.table, table);
    assert_int_equal(to.sheet.rows, 3);
    free_sheet(&to);
}

/* A curve is level from the left edge to the first value: at 0 or 1, or at what the zeros make. */
static void test_curves(void **state)
{
    (void)state;
    static const struct {
        double sorted[4];
        bool survival;
        const char *wanted;
    } rows[] = {
        {{32, 32, 64, 128}, false, "x,share\n1,0\n32,0\n32,0.5\n64,0.75\n128,1\n"},
        {{32, 32, 64, 128}, true, "x,share_above\n1,1\n32,1\n32,0.5\n64,0.25\n"},
        {{0, 10, 10, 100}, false, "x,share\n1,0.25\n10,0.25\n10,0.75\n100,1\n"},
        {{1, 2, 4, 8}, false, "x,share\n1,0.25\n2,0.5\n4,0.75\n8,1\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct written to;
        open_sheet(&to);
        loom_curve_cdf(&to.sheet, NULL, "x", rows[i].sorted, 4, 1, rows[i].survival);
        close_sheet(&to);
        assert_string_equal(to.table, rows[i].wanted);
        free_sheet(&to);
    }
}

static const struct loom_figure_ops *figure(const struct loom_figure_ops *group, const char *name)
{
    while (strcmp(group->name, name) != 0)
        group++;
    return group;
}

/* The y of the row that starts with an x. */
static double row_at(const char *data, const char *x)
{
    const char *row = strstr(data, x);
    assert_non_null(row);
    return strtod(row + strlen(x), NULL);
}

/* A job that ends at its estimate has not overrun; one that runs a second longer has. */
static void test_estimates(void **state)
{
    (void)state;
    static const struct {
        int64_t run_s;
        const char *bar;
    } rows[] = {{0, "\n0.01,"},   {1, "\n0.01,"},   {2, "\n0.01,"},   {3, "\n0.03,"},
                {100, "\n0.99,"}, {101, "\n1.01,"}, {102, "\n1.01,"}, {110, "\n1.09,"},
                {111, "\n1.11,"}, {9999, "\n1.11,"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct loom_trace *trace = even_log(1, 1, rows[i].run_s);
        struct loom_subject subject = {0};
        struct written to;
        assert_int_equal(loom_arrange(&subject.arranged, trace, NULL), 0);
        subject.jobs = subject.arranged.jobs;
        open_sheet(&to);
        assert_int_equal(
            figure(loom_figures_users, "estimate-ratio")->data(&to.sheet, &subject, NULL), 0);
        close_sheet(&to);
        assert_true(row_at(to.table, rows[i].bar) == 1);
        free_sheet(&to);
        loom_subject_free(&subject);
        loom_trace_destroy(trace);
    }
}

/* As the features have it, a start of 0 means nothing. */
static void test_no_clock(void **state)
{
    (void)state;
    static const char *const starts[] = {"0", "843500000"};
    for (int known = 0; known < 2; known++) {
        struct loom_trace *trace = empty_trace();
        struct loom_features *features = NULL;
        struct loom_report *report = NULL;
        assert_int_equal(loom_trace_add_directive(trace, "UnixStartTime", starts[known], NULL), 0);
        struct loom_job job = loom_job_unknown();
        job.submit_s = 0;
        append(trace, job);
        assert_int_equal(loom_features_create(&features, trace, NULL, NULL, NULL), 0);
        assert_int_equal(loom_report_create(&report, trace, features, NULL, NULL), 0);
        struct loom_figure shown;
        size_t i = 0;
        while (loom_report_figure(report, i, &shown) && strcmp(shown.name, "arrivals-hour") != 0)
            i++;
        assert_string_equal(shown.name, "arrivals-hour");
        assert_int_equal(!shown.reason, known);
        loom_report_destroy(report);
        loom_features_destroy(features);
        loom_trace_destroy(trace);
    }
}

/* Text in memory: none at all, and more than any buffer holds. */
static void texts_are_kept_whole(void **state)
{
    static const size_t lengths[] = {0, 1, 7, 8, 9, 4095, 4096, 100000};
    (void)state;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        struct loom_text *text;
        size_t size = 1;
        FILE *out = loom_text_open(&text);
        assert_non_null(out);
        for (size_t k = 0; k < lengths[i]; k++)
            fputc('a' + (int)(k % 26), out);
        char *bytes = loom_text_close(out, text, &size);
        assert_non_null(bytes);
        assert_int_equal(size, lengths[i]);
        assert_int_equal(strlen(bytes), lengths[i]);
        for (size_t k = 0; k < size; k++)
            assert_int_equal(bytes[k], 'a' + (int)(k % 26));
        free(bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_job),    cmocka_unit_test(test_equal_jobs),
        cmocka_unit_test(test_short_logs), cmocka_unit_test(test_curves),
        cmocka_unit_test(test_sheet),      cmocka_unit_test(test_estimates),
        cmocka_unit_test(test_no_clock),   cmocka_unit_test(texts_are_kept_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

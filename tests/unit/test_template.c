/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The format to copy is a good one: it reads, rejects, writes and is found as the others are. It is
 * no part of the library, so it is compiled here and called as formats.c calls a format. */
#include "support.h"
#include "trace/formats/template.c"

#include <stdlib.h>

static struct scratch scratch;

static int set_up(void **state)
{
    *state = &scratch;
    return scratch_open(&scratch, "log.template");
}

static int read_bytes(struct loom_trace **out, const void *data, size_t size, bool skip_bad_lines,
                      struct loom_error *err)
{
    const struct loom_read_options options = {.skip_bad_lines = skip_bad_lines};
    struct loom_input *input = NULL;
    store(scratch.file, data, size);
    assert_int_equal(loom_input_open(&input, scratch.file, 0, err), 0);
    *out = empty_trace();
    struct loom_reader reader = {.trace = *out, .input = input, .options = &options};
    int rc = loom_format_template.read(&reader, err);
    loom_input_close(input);
    return rc;
}

static struct loom_trace *read_text(const char *text)
{
    struct loom_error err = {0};
    struct loom_trace *trace = NULL;
    if (read_bytes(&trace, text, strlen(text), false, &err))
        fail_msg("line %d: %s", (int)err.line, err.message);
    return trace;
}

static char *write_text(const struct loom_trace *trace)
{
    struct loom_output *out = NULL;
    assert_int_equal(loom_output_create(&out, scratch.file, NULL), 0);
    assert_int_equal(loom_format_template.write(trace, out, NULL, NULL), 0);
    assert_int_equal(loom_output_commit(out, NULL), 0);
    loom_output_destroy(out);
    return load(scratch.file);
}

static struct loom_job make_job(int64_t number, int64_t submit_s, int64_t run_s, int32_t procs)
{
    struct loom_job job = loom_job_unknown();
    job.number = number;
    job.submit_s = submit_s;
    job.run_s = run_s;
    job.alloc_procs = procs;
    return job;
}

/* ---- reading --------------------------------------------------------------------------------- */

static void reads_jobs_and_header(void **state)
{
    (void)state;
    struct loom_trace *trace = read_text("# Computer: toy\n#MaxProcs: 8\n\n0 60 4\n"
                                         "  15\t3600  8 \r\n# Note: late\n-5 -1 -1");
    assert_int_equal(loom_trace_count(trace), 3);
    assert_row(trace, 0, make_job(1, 0, 60, 4));
    assert_row(trace, 1, make_job(2, 15, 3600, 8));
    assert_row(trace, 2, make_job(3, -5, -1, -1));
    assert_string_equal(loom_trace_directive(trace, "Computer"), "toy");
    assert_string_equal(loom_trace_directive(trace, "Note"), "late");
    assert_int_equal(loom_trace_machine(trace)->max_procs, 8);
    assert_int_equal(loom_trace_report(trace)->rounded, 0);
    loom_trace_destroy(trace);
}

static void reads_nothing_from_nothing(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "\n", "\n \t\n\r\n", "# Computer: toy\n"};
    for (size_t i = 0; i < COUNT(texts); i++) {
        struct loom_trace *trace = read_text(texts[i]);
        assert_int_equal(loom_trace_count(trace), 0);
        loom_trace_destroy(trace);
    }
}

static void rounds_fractions_and_counts_them(void **state)
{
    (void)state;
    struct loom_trace *trace = read_text("0.5 60.25 4\n1 2 3.0\n");
    assert_row(trace, 0, make_job(1, 1, 60, 4));
    assert_row(trace, 1, make_job(2, 1, 2, 3));
    assert_int_equal(loom_trace_report(trace)->rounded, 2);
    loom_trace_destroy(trace);
}

static void takes_unix_times_as_such(void **state)
{
    (void)state;
    struct loom_trace *trace = read_text("1046646015 60 4\n1046646000 60 4\n");
    assert_row(trace, 0, make_job(1, 15, 60, 4));
    assert_row(trace, 1, make_job(2, 0, 60, 4));
    assert_int_equal(loom_trace_machine(trace)->unix_start_s, 1046646000);
    loom_trace_destroy(trace);
}

static const struct bad_case {
    const char *text;
    size_t size;
    int64_t line;
    int column;
    const char *message;
} bad_cases[] = {
#define CASE(text, line, column, message)            \
    {                                                \
        text, sizeof text - 1, line, column, message \
    }
    CASE("0 60 4\n1x 60 4\n", 2, 1, "submit time '1x' is not a number"),
    CASE("# a\n\n0 -- 4\n", 3, 2, "runtime '--' is not a number"),
    CASE("0 60 3000000000\n", 1, 3, "allocated processors '3000000000' is out of range"),
    CASE("99999999999999999999 60 4", 1, 1, "submit time '99999999999999999999' is out of range"),
    CASE("0 60\n", 1, 3, "only 2 of the 3 fields of a job"),
    CASE("0 60 4 5 6\n", 1, 4, "more than the 3 fields of a job"),
    CASE("0 6\0 4\n", 1, 0, "there is a NUL byte in this line"),
    CASE("# a\0b\n", 1, 0, "there is a NUL byte in this line"),
    CASE("0 \x1b[2J 4\n", 1, 2, "runtime '?[2J' is not a number"),
#undef CASE
};

static void rejects_bad_lines_where_they_are(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(bad_cases); i++) {
        const struct bad_case *bad = &bad_cases[i];
        struct loom_error err = {0};
        struct loom_trace *trace = NULL;
        assert_int_equal(read_bytes(&trace, bad->text, bad->size, false, &err), LOOM_EFORMAT);
        assert_string_equal(err.message, bad->message);
        assert_string_equal(err.file, scratch.file);
        assert_int_equal(err.line, bad->line);
        assert_int_equal(err.column, bad->column);
        loom_trace_destroy(trace);
    }
}

static void skips_bad_lines_when_told(void **state)
{
    (void)state;
    static const char text[] = "0 60 4\noops\n1 2\n5 60 4\n1 2.5 x\n";
    struct loom_trace *trace = NULL;
    assert_int_equal(read_bytes(&trace, text, sizeof text - 1, true, NULL), 0);
    assert_int_equal(loom_trace_count(trace), 2);
    assert_row(trace, 1, make_job(2, 5, 60, 4));
    assert_int_equal(loom_trace_report(trace)->bad_lines, 3);
    assert_int_equal(loom_trace_report(trace)->first_bad.line, 2);
    assert_int_equal(loom_trace_report(trace)->rounded, 0);
    loom_trace_destroy(trace);
}

/* ---- writing --------------------------------------------------------------------------------- */

static void writes_what_it_reads(void **state)
{
    (void)state;
    static const char text[] =
        "# Computer: toy\n#  odd   spacing \n0 60 4\n15 3600 128\n-1 -1 -1\n";
    struct loom_trace *trace = read_text(text);
    char *written = write_text(trace);
    assert_string_equal(written, text);
    free(written);
    loom_trace_destroy(trace);
}

static void reads_what_it_writes(void **state)
{
    (void)state;
    struct loom_stream stream;
    loom_stream_init(&stream, 1, 0, "template");
    struct loom_trace *trace = empty_trace();
    for (int64_t i = 1; i <= 500; i++) {
        struct loom_job any = any_job(&stream);
        append(trace, make_job(i, any.submit_s, any.run_s, any.alloc_procs));
    }
    char *written = write_text(trace);
    struct loom_trace *back = read_text(written);
    assert_same_jobs(back, trace);
    free(written);
    loom_trace_destroy(back);
    loom_trace_destroy(trace);
}

static void tells_that_it_cannot_write(void **state)
{
    (void)state;
    struct loom_trace *trace = empty_trace();
    for (int64_t i = 1; i <= 100000; i++)
        append(trace, make_job(i, i, 60, 4));
    struct loom_output *out = NULL;
    struct loom_error err = {0};
    assert_int_equal(loom_output_create(&out, "/dev/full", NULL), 0);
    assert_int_equal(loom_format_template.write(trace, out, NULL, &err), LOOM_EIO);
    assert_int_equal(err.code, LOOM_EIO);
    loom_output_destroy(out);
    loom_trace_destroy(trace);
}

/* ---- probing --------------------------------------------------------------------------------- */

static void recognises_itself_but_not_others(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int sure;
    } cases[] = {
        {"0 60 4\n", 40},
        {"# Computer: toy\n\n\t15 3600 128", 40},
        {"", 0},
        {"# Computer: toy\n", 0},
        {"0 60\n", 0},
        {"0 60 4 5\n", 0},
        {"0 60 x\n0 60 4\n", 0},
        {"; Version: 2.2\n1 0 10 60 4 -1 -1 4 120 -1 1 3 1 2 1 -1 -1 -1\n", 0},
        {"submit_s,run_s,procs\n0,60,4\n", 0},
        {"JobID|Submit|State\n", 0},
        {"{\"nb_res\": 4}", 0},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char *head = bare(cases[i].text);
        assert_int_equal(loom_format_template.probe(head, strlen(cases[i].text)), cases[i].sure);
        free(head);
    }
}

static void declares_what_it_can(void **state)
{
    (void)state;
    const struct loom_format_info *info = &loom_format_template.info;
    assert_string_equal(info->name, "template");
    assert_string_equal(info->suffixes, "template");
    assert_int_equal(info->can_read, loom_format_template.read != NULL);
    assert_int_equal(info->can_write, loom_format_template.write != NULL);
    for (const struct loom_format_ops *const *format = loom_formats; *format; format++)
        assert_string_not_equal((*format)->info.name, "template");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_jobs_and_header),
        cmocka_unit_test(reads_nothing_from_nothing),
        cmocka_unit_test(rounds_fractions_and_counts_them),
        cmocka_unit_test(takes_unix_times_as_such),
        cmocka_unit_test(rejects_bad_lines_where_they_are),
        cmocka_unit_test(skips_bad_lines_when_told),
        cmocka_unit_test(writes_what_it_reads),
        cmocka_unit_test(reads_what_it_writes),
        cmocka_unit_test(tells_that_it_cannot_write),
        cmocka_unit_test(recognises_itself_but_not_others),
        cmocka_unit_test(declares_what_it_can),
    };
    return cmocka_run_group_tests(tests, set_up, close_scratch);
}

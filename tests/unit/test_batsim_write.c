/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Batsim documents: what is written, that it comes back, and how they are recognised. */
#include "batsim_log.h"
#include "trace/formats/format.h"
#include "trace/tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern const struct loom_format_ops loom_format_batsim;

/* ---- writing --------------------------------------------------------------------------------- */

static void test_written_bytes(void **state)
{
    struct loom_trace *trace = empty_trace();
    static const char line[] = " Note: \"\\\t\xc3\xa9";
    assert_int_equal(loom_trace_add_line(trace, line, sizeof line - 1, NULL), 0);
    assert_int_equal(loom_trace_add_line(trace, "\xe9", 1, NULL), 0);
    append(trace,
           (struct loom_job){7, 0, 5, 100, 8, 12.5, -1, 16, 600, -1, 1, 3, -1, -1, 2, -1, -1, -1});
    append(trace, simple_job(9, 60, 1, 0));
    append(trace, simple_job(8, 30, 2, 100));
    const struct scratch *scratch = *state;
    must_write(trace, scratch->file);
    char *text = load(scratch->file);
    assert_string_equal(
        text,
        "{\n"
        "\"nb_res\": 16,\n"
        "\"swf_header\": [\n"
        "  \" Note: \\\"\\\\\\u0009\xc3\xa9\",\n"
        "  {\"latin1\": \"\\u00e9\"}\n"
        "],\n"
        "\"jobs\": [\n"
        "  {\"id\": \"7\", \"subtime\": 0, \"walltime\": 600, \"res\": 16, \"profile\": "
        "\"delay_100\", "
        "\"swf\": {\"wait_s\": 5, \"alloc_procs\": 8, \"cpu_s\": 12.5, \"status\": 1, \"user\": 3, "
        "\"queue\": 2}},\n"
        "  {\"id\": \"9\", \"subtime\": 60, \"res\": 1, \"profile\": \"delay_0\", \"swf\": "
        "{\"run_s\": "
        "0}},\n"
        "  {\"id\": \"8\", \"subtime\": 30, \"res\": 2, \"profile\": \"delay_100\"}\n"
        "],\n"
        "\"profiles\": {\n"
        "  \"delay_0\": {\"type\": \"delay\", \"delay\": 0.001},\n"
        "  \"delay_100\": {\"type\": \"delay\", \"delay\": 100}\n"
        "}\n"
        "}\n");
    free(text);
    loom_trace_destroy(trace);
}

static void test_what_cannot_be_written(void **state)
{
    static const char unran[] = "job 12 has no runtime, which a Batsim workload must say of every "
                                "job; leave out such jobs with select ran";
    static const char sizeless[] = "job 13 has no processors, which a Batsim workload must say of "
                                   "every job; leave out such jobs with select ran";
    static const char machineless[] =
        "a Batsim workload needs from 1 to 2147483647 processors, not "
        "0; set MaxProcs in the header";
    const struct scratch *scratch = *state;
    struct loom_error err;
    struct loom_trace *trace = empty_trace();
    assert_int_equal(loom_trace_write(trace, scratch->file, NULL, &err), LOOM_EDATA);
    assert_string_equal(err.message, machineless);
    append(trace, simple_job(11, 0, 1, 5));
    append(trace, simple_job(12, 0, 1, -1));
    assert_int_equal(loom_trace_write(trace, scratch->file, NULL, &err), LOOM_EDATA);
    assert_string_equal(err.message, unran);
    assert_int_equal(loom_trace_holdable(trace, scratch->file, NULL, &err), LOOM_EDATA);
    assert_string_equal(err.message, unran);
    assert_int_equal(loom_trace_holdable(trace, "any.swf", NULL, &err), 0);
    static const uint8_t keep[] = {1, 0};
    loom_trace_keep(trace, keep);
    append(trace, simple_job(13, 0, 0, 5));
    assert_int_equal(loom_trace_write(trace, scratch->file, NULL, &err), LOOM_EDATA);
    assert_string_equal(err.message, sizeless);
    assert_int_equal(loom_trace_holdable(trace, scratch->file, NULL, &err), LOOM_EDATA);
    assert_string_equal(err.message, sizeless);
    assert_int_equal(access(scratch->file, F_OK), -1); /* nothing is left behind */
    loom_trace_destroy(trace);
    trace = empty_trace();
    assert_int_equal(loom_trace_set_directive(trace, "MaxProcs", "3000000000", NULL), 0);
    assert_int_equal(loom_trace_write(trace, scratch->file, NULL, &err), LOOM_EDATA);
    loom_trace_destroy(trace);
}

/* ---- there and back -------------------------------------------------------------------------- */

static void assert_round_trip(const struct loom_trace *trace, const struct scratch *scratch)
{
    struct loom_trace *back = write_and_read(trace, scratch->file, "batsim");
    assert_int_equal(loom_trace_report(back)->rounded, 0);
    assert_same_jobs(back, trace);
    assert_same_header(back, trace);
    loom_trace_destroy(back);
}

/* A job with all that Batsim cannot do without. */
static struct loom_job any_complete_job(struct loom_stream *stream)
{
    struct loom_job job = any_job(stream);
    if (job.run_s < 0)
        job.run_s = -(job.run_s + 1);
    if (job.req_procs <= 0 && job.alloc_procs <= 0)
        job.alloc_procs = 1 + (int32_t)loom_stream_below(stream, 1000);
    return job;
}

static void test_random_traces_come_back(void **state)
{
    struct loom_stream stream;
    for (uint64_t replication = 0; replication < 40; replication++) {
        loom_stream_init(&stream, 1, replication, "test_batsim");
        struct loom_trace *trace = empty_trace();
        size_t n = 1 + loom_stream_below(&stream, 200);
        for (size_t row = 0; row < n; row++)
            append(trace, any_complete_job(&stream));
        assert_round_trip(trace, *state);
        loom_trace_destroy(trace);
    }
}

/* Header lines of random bytes, UTF-8 or not. */
static void test_random_headers_come_back(void **state)
{
    struct loom_stream stream;
    loom_stream_init(&stream, 2, 0, "test_batsim");
    static const char *const parts[] = {"a",
                                        " Key: ",
                                        "\"",
                                        "\\",
                                        "\xc3\xa9",
                                        "\xe2\x82\xac",
                                        "\xf0\x9f\x98\x80",
                                        "\xed\xa0\x80",
                                        "\xc0\xaf",
                                        "\xf4\x90\x80\x80",
                                        "\xe0\x80\x80",
                                        "\xc3",
                                        "\xff",
                                        "\x01",
                                        "\t",
                                        "\x7f",
                                        "\xf0\x80\x80\x80",
                                        "\xef\xbf\xbf",
                                        "<",
                                        "\x1f"};
    for (int round = 0; round < 20; round++) {
        struct loom_trace *trace = empty_trace();
        append(trace, simple_job(1, 0, 1, 1));
        for (int line = 0; line < 40; line++) {
            char text[256] = "";
            size_t length = 0;
            for (uint64_t n = loom_stream_below(&stream, 6); n > 0; n--) {
                const char *part = parts[loom_stream_below(&stream, COUNT(parts))];
                length += (size_t)snprintf(text + length, sizeof text - length, "%s", part);
            }
            assert_int_equal(loom_trace_add_line(trace, text, length, NULL), 0);
        }
        assert_round_trip(trace, *state);
        loom_trace_destroy(trace);
    }
}

static void test_headers_and_numbers_come_back(void **state)
{
    struct loom_trace *trace = empty_trace();
    assert_int_equal(loom_trace_add_directive(trace, "MaxProcs", "1664 (72, 1368, 224)", NULL), 0);
    assert_int_equal(loom_trace_add_directive(trace, "UnixStartTime", "1041377305", NULL), 0);
    append(trace, simple_job(5, 10, 3, 7));
    append(trace, simple_job(5, 9, 3, 7)); /* the same number, and out of order */
    append(trace, simple_job(3, 8, 3, 7));
    append(trace, simple_job(-1, 8, 3, 7));
    assert_round_trip(trace, *state);
    loom_trace_destroy(trace);
    trace = empty_trace();
    assert_int_equal(loom_trace_add_directive(trace, "MaxProcs", "64", NULL), 0);
    assert_round_trip(trace, *state); /* no jobs */
    loom_trace_destroy(trace);
}

/* ---- the probe ------------------------------------------------------------------------------- */

static void test_probe(void **state)
{
    (void)state;
    static const struct {
        const char *head;
        int sure;
    } rows[] = {
        {"", 0},
        {" \n", 0},
        {"[{\"nb_res\": 1}]", 0},
        {"; \"jobs\"", 0},
        {"{", 40},
        {"\n {\"a\": 1}", 40},
        {"\r\n\t{\"nb_res\": 4,", 90},
        {"{\"jobs\": [", 90},
    };
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_int_equal(loom_format_batsim.probe(rows[i].head, strlen(rows[i].head)),
                         rows[i].sure);
    assert_int_equal(loom_format_batsim.probe("{\"jobs\"", 5), 40);
}

int main(void)
{
#define ON_FILES(test) cmocka_unit_test_setup_teardown(test, make_scratch, close_scratch)
    const struct CMUnitTest tests[] = {
        ON_FILES(test_written_bytes),
        ON_FILES(test_what_cannot_be_written),
        ON_FILES(test_random_traces_come_back),
        ON_FILES(test_random_headers_come_back),
        ON_FILES(test_headers_and_numbers_come_back),
        cmocka_unit_test(test_probe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

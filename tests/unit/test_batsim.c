/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The Batsim format: documents written by hand, every way in which one can be wrong, and traces
 * that must come back from a written document as they were.
 */
#include "batsim_log.h"
#include "trace/formats/format.h"
#include "trace/tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern const struct loom_format_ops loom_format_batsim;

static int read_document(struct loom_trace **out, const struct scratch *scratch, const char *text,
                         bool skip_bad, struct loom_error *err)
{
    store_text(scratch->file, text);
    struct loom_read_options options = {.format = "batsim", .skip_bad_lines = skip_bad};
    *out = NULL;
    return loom_trace_read(out, scratch->file, &options, err);
}

static struct loom_trace *read_good(const struct scratch *scratch, const char *text)
{
    const struct loom_read_options options = {.format = "batsim"};
    store_text(scratch->file, text);
    return must_read(scratch->file, &options);
}

static void assert_header(const struct loom_trace *trace, const char *const *lines, size_t n)
{
    const struct loom_directive *directives;
    assert_int_equal(loom_trace_directives(trace, &directives), n);
    for (size_t i = 0; i < n; i++)
        assert_string_equal(directives[i].text, lines[i]);
}

/* ---- documents written by hand --------------------------------------------------------------- */

static void test_jobs_and_delays(void **state)
{
    struct loom_trace *trace = read_good(
        *state,
        "{\"version\": 3, \"nb_res\": 4,\n"
        "\"jobs\": [\n"
        "{\"id\": \"w0!12\", \"subtime\": 0, \"walltime\": 30, \"res\": 1, \"profile\": \"s\"},\n"
        "{\"id\": 7, \"subtime\": 10.5, \"res\": 4, \"profile\": \"l\", \"queue\": [1]},\n"
        "{\"id\": \"job3\", \"subtime\": 1e2, \"walltime\": 99.4, \"res\": 2, \"profile\": "
        "\"s\"},\n"
        "{\"id\": \"-5\", \"subtime\": 2.5e0, \"walltime\": -1, \"res\": 2, \"profile\": \"z\"}\n"
        "], \"profiles\": {\n"
        "\"s\": {\"type\": \"delay\", \"delay\": 20.25, \"ret\": 1},\n"
        "\"l\": {\"type\": \"DelayProfile\", \"delay\": 3600},\n"
        "\"z\": {\"type\": \"delay\", \"delay\": 0}}}\n");
    assert_int_equal(loom_trace_count(trace), 4);
    struct loom_job job = simple_job(12, 0, 1, 20);
    job.request_s = 30;
    assert_row(trace, 0, job);
    assert_row(trace, 1, simple_job(7, 11, 4, 3600)); /* halves away from zero */
    job = simple_job(3, 100, 2, 20);
    job.request_s = 99;
    assert_row(trace, 2, job);
    assert_row(trace, 3, simple_job(-5, 3, 2, 0));
    assert_int_equal(loom_trace_report(trace)->rounded, 5);
    assert_int_equal(loom_trace_max_procs(trace), 4);
    static const char *const header[] = {" MaxProcs: 4"};
    assert_header(trace, header, COUNT(header));
    loom_trace_destroy(trace);
}

static void test_sequences(void **state)
{
    struct loom_trace *trace = read_good(
        *state,
        "{\"nb_res\": 8, \"profiles\": {"
        "\"a\": {\"type\": \"delay\", \"delay\": 5},"
        "\"half\": {\"type\": \"delay\", \"delay\": 0.5},"
        "\"b\": {\"type\": \"composed\", \"repeat\": 4, \"seq\": [\"a\", \"c\"]},"
        "\"c\": {\"type\": \"sequence\", \"nb\": 3, \"seq\": [\"a\"]},"
        "\"d\": {\"type\": \"sequential_composition\", \"seq\": [\"half\", \"half\", \"a\"]},"
        "\"e\": {\"type\": \"SequentialCompositionProfile\", \"repeat\": 3, \"seq\": [\"half\"]},"
        "\"f\": {\"type\": \"composed\", \"seq\": [\"a\", \"ptask\"]},"
        "\"ptask\": {\"type\": \"parallel\", \"cpu\": [1e6]}},"
        "\"jobs\": [{\"id\": \"1\", \"subtime\": 0, \"res\": 1, \"profile\": \"b\"},"
        "{\"id\": \"2\", \"subtime\": 0, \"res\": 1, \"profile\": \"c\"},"
        "{\"id\": \"3\", \"subtime\": 0, \"res\": 1, \"profile\": \"d\"},"
        "{\"id\": \"4\", \"subtime\": 0, \"res\": 1, \"profile\": \"e\"},"
        "{\"id\": \"5\", \"subtime\": 0, \"res\": 1, \"profile\": \"f\"},"
        "{\"id\": \"6\", \"subtime\": 0, \"res\": 1, \"profile\": \"ptask\"}]}");
    static const int64_t run_s[] = {80, 15, 6, 2, -1, -1};
    assert_int_equal(loom_trace_count(trace), COUNT(run_s));
    for (size_t row = 0; row < COUNT(run_s); row++)
        assert_int_equal(loom_trace_jobs(trace)->run_s[row], run_s[row]);
    assert_int_equal(loom_trace_report(trace)->rounded, 1); /* 1.5 */
    static const char *const header[] = {
        " MaxProcs: 8",
        " Note: runtime unknown for 2 jobs, whose Batsim profiles need a simulation"};
    assert_header(trace, header, COUNT(header));
    loom_trace_destroy(trace);
}

/* Ids that are no numbers, or the same number twice: numbered by place. */
static void test_ids_without_numbers(void **state)
{
    static const char *const ids[][2] = {
        {"\"w0!1\"", "\"w1!1\""},
        {"\"delay\"", "\"2\""},
        {"3", "\"03\""},
        {"\"99999999999999999999\"", "\"5\""},
        {"\"2_resources\"", "\"4_resources\""},
    };
    for (size_t i = 0; i < COUNT(ids); i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "{\"nb_res\": 1, \"profiles\": {\"p\": {\"type\": \"delay\", \"delay\": 1}}, "
                 "\"jobs\": ["
                 "{\"id\": %s, \"subtime\": 0, \"res\": 1, \"profile\": \"p\"},"
                 "{\"id\": %s, \"subtime\": 0, \"res\": 1, \"profile\": \"p\"}]}",
                 ids[i][0], ids[i][1]);
        struct loom_trace *trace = read_good(*state, text);
        assert_row(trace, 0, simple_job(1, 0, 1, 1));
        assert_row(trace, 1, simple_job(2, 0, 1, 1));
        static const char *const header[] = {
            " MaxProcs: 1", " Note: the ids of the Batsim workload are not different numbers; jobs "
                            "are numbered by their place in the file"};
        assert_header(trace, header, COUNT(header));
        loom_trace_destroy(trace);
    }
}

static void test_columns_beside_batsim(void **state)
{
    struct loom_trace *trace = read_good(
        *state,
        "{\"nb_res\": 16, \"swf_header\": [\" Computer: A \\\"B\\\"\", {\"latin1\": "
        "\"\\u00e9t\\u00e9\"},"
        " \" MaxProcs: 12 (of 16)\"],\n"
        "\"profiles\": {\"p\": {\"type\": \"delay\", \"delay\": 0.001}, \"q\": {\"type\": "
        "\"smpi\"}},"
        "\"jobs\": [{\"id\": \"1\", \"subtime\": 0, \"res\": 1, \"profile\": \"p\", \"swf\": {"
        "\"number\": 10, \"submit_s\": 11, \"wait_s\": 12, \"run_s\": 13, \"alloc_procs\": 14, "
        "\"cpu_s\": 15.5, \"used_mem_kib\": 16, \"req_procs\": 17, \"request_s\": 18, "
        "\"req_mem_kib\": 1e3, \"status\": 20, \"user\": 21, \"group\": 22, \"executable\": 23, "
        "\"queue\": 24, \"partition\": 25, \"preceding\": 26, \"think_s\": 27}},"
        "{\"id\": \"x\", \"subtime\": 0, \"res\": 1, \"profile\": \"q\", \"swf\": {\"number\": 10, "
        "\"run_s\": 5}}]}");
    assert_row(trace, 0,
               (struct loom_job){10, 11, 12, 13, 14, 15.5, 16, 17, 18, 1000, 20, 21, 22, 23, 24, 25,
                                 26, 27});
    assert_row(trace, 1, simple_job(10, 0, 1, 5));
    static const char *const header[] = {" Computer: A \"B\"", "\xe9t\xe9", " MaxProcs: 16"};
    assert_header(trace, header, COUNT(header));
    assert_int_equal(loom_trace_report(trace)->rounded, 0);
    loom_trace_destroy(trace);
}

/* ---- documents that are wrong ---------------------------------------------------------------- */

#define JOB "{\"id\": \"1\", \"subtime\": 0, \"res\": 1, \"profile\": \"p\"}"
#define PROFILES "\"profiles\": {\"p\": {\"type\": \"delay\", \"delay\": 1}}"
#define WITH_JOB(job) "{\"nb_res\": 1, " PROFILES ",\n\"jobs\": [\n" JOB ",\n" job "]}"
#define WITH_PROFILES(list) "{\"nb_res\": 1, \"jobs\": [" JOB "],\n\"profiles\": {" list "}}"

struct wrong_row {
    const char *text;
    int64_t line;
    int column;
    const char *message;
};

static void check_wrong(const struct scratch *scratch, const struct wrong_row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct loom_trace *trace;
        struct loom_error err = {0};
        int rc = read_document(&trace, scratch, rows[i].text, false, &err);
        assert_null(trace);
        if (rc != LOOM_EFORMAT || err.line != rows[i].line || err.column != rows[i].column ||
            strcmp(err.message, rows[i].message) != 0)
            fail_msg("%s\ngives %d, %lld:%d: %s", rows[i].text, rc, (long long)err.line, err.column,
                     err.message);
        assert_string_equal(err.file, scratch->file);
    }
}

static void test_broken_json(void **state)
{
    static const struct wrong_row rows[] = {
        {"", 1, 1, "not valid JSON: '{' expected before the end of the file"},
        {"[1]", 1, 1, "not valid JSON: '{' expected"},
        {"{", 1, 2, "not valid JSON: a value expected before the end of the file"},
        {"{\n  1: 2}", 2, 4, "not valid JSON: a key in double quotes expected"},
        {"{\"nb_res\" 1}", 1, 11, "not valid JSON: ':' expected"},
        {"{\"nb_res\": 1\n\"jobs\": []}", 2, 1, "not valid JSON: ',' or '}' expected"},
        {"{\"nb_res\": 1, }", 1, 15, "not valid JSON: unexpected token near '}'"},
        {"{\"nb_res\": 1} x", 1, 15, "not valid JSON: the end of the file expected"},
        {"{\"jobs\": [\n" JOB "\n" JOB "]}", 3, 1, "not valid JSON: ',' or ']' expected"},
        {"{\"jobs\": [\n" JOB ",\n\n {\"id\": \"2\",\n  \"subtime\" 5}]}", 5, 13,
         "not valid JSON: ':' expected near '5'"},
        {"{\"jobs\": [\n" JOB, 2, 52,
         "not valid JSON: ',' or ']' expected before the end of the file"},
        {"{\"jobs\": [ {\"a\": 1, \"a\": 2}]}", 1, 23,
         "not valid JSON: duplicate object key near '\"a\"'"},
        {"{\"jobs\": [ {\"id\": 99999999999999999999}]}", 1, 38,
         "not valid JSON: too big integer near '99999999999999999999'"},
        {"{\"jobs\": [ {\"id\": 1e999}]}", 1, 23,
         "not valid JSON: real number overflow near '1e999'"},
        {"{\"a\": \"\xff\"}", 1, 7, "not valid JSON: unable to decode byte 0xff near '\"'"},
        {"{\"a\": \"\\u0000\"}", 1, 14,
         "not valid JSON: \\u0000 is not allowed without JSON_ALLOW_NUL near '\"\\u0000\"'"},
    };
    check_wrong(*state, rows, COUNT(rows));
    char deep[4200] = "{\"a\": ";
    memset(deep + 6, '[', 4000);
    struct loom_trace *trace;
    struct loom_error err;
    assert_int_equal(read_document(&trace, *state, deep, false, &err), LOOM_EFORMAT);
    assert_string_equal(err.message, "not valid JSON: maximum parsing depth reached near '['");
}

static void test_nul_bytes(void **state)
{
    static const char text[] = "{\"nb_res\": 1, \0 \"jobs\": []}";
    const struct scratch *scratch = *state;
    store(scratch->file, text, sizeof text - 1);
    struct loom_trace *trace;
    struct loom_error err;
    assert_int_equal(loom_trace_read(&trace, scratch->file, NULL, &err), LOOM_EFORMAT);
    assert_int_equal(err.line, 1);
}

static void test_broken_documents(void **state)
{
    static const struct wrong_row rows[] = {
        {"{}", 0, 0, "the workload has no \"nb_res\", the number of processors"},
        {"{\"nb_res\": 1, " PROFILES "}", 0, 0, "the workload has no \"jobs\""},
        {"{\"nb_res\": 1, \"jobs\": []}", 0, 0, "the workload has no \"profiles\""},
        {"{\"nb_res\": 0, \"jobs\": [], \"profiles\": {}}", 0, 0,
         "\"nb_res\" is not a whole number of processors from 1 to 2147483647"},
        {"{\"nb_res\": 2147483648, \"jobs\": [], \"profiles\": {}}", 0, 0,
         "\"nb_res\" is not a whole number of processors from 1 to 2147483647"},
        {"{\"nb_res\": 1.5, \"jobs\": [], \"profiles\": {}}", 0, 0,
         "\"nb_res\" is not a whole number of processors from 1 to 2147483647"},
        {"{\"nb_res\": 1,\n\"jobs\": {}}", 2, 0, "\"jobs\" is not an array"},
        {"{\"nb_res\": 1, \"jobs\": [], \"profiles\": []}", 0, 0, "\"profiles\" is not an object"},
        {"{\"nb_res\": 1, \"nb_res\": 1}", 1, 0, "\"nb_res\" is there twice"},
        {"{\"jobs\": [],\n\"jobs\": []}", 2, 0, "\"jobs\" is there twice"},
        {"{\"swf_header\": 1, \"nb_res\": 1, \"jobs\": [], \"profiles\": {}}", 0, 0,
         "\"swf_header\" is not an array"},
        {"{\"swf_header\": [\"a\", 1], \"nb_res\": 1, \"jobs\": [], \"profiles\": {}}", 0, 0,
         "swf_header[1] is not one line of text"},
        {"{\"swf_header\": [\"a\\nb\"], \"nb_res\": 1, \"jobs\": [], \"profiles\": {}}", 0, 0,
         "swf_header[0] is not one line of text"},
        {"{\"swf_header\": [{\"latin1\": \"\\u0100\"}], \"nb_res\": 1, \"jobs\": [], \"profiles\": "
         "{}}",
         0, 0, "swf_header[0] is not one line of text"},
    };
    check_wrong(*state, rows, COUNT(rows));
}

static void test_broken_jobs(void **state)
{
    static const struct wrong_row rows[] = {
        {WITH_JOB("17"), 4, 0, "jobs[1] is not an object"},
        {WITH_JOB("{}"), 4, 0, "jobs[1].id is missing"},
        {WITH_JOB("{\"id\": 1.5}"), 4, 0, "jobs[1].id is neither a string nor a whole number"},
        {WITH_JOB("{\"id\": 2}"), 4, 0, "jobs[1].subtime is missing"},
        {WITH_JOB("{\"id\": 2, \"subtime\": \"0\"}"), 4, 0,
         "jobs[1].subtime is not a number of seconds"},
        {WITH_JOB("{\"id\": 2, \"subtime\": 9.3e18}"), 4, 0, "jobs[1].subtime is past 64 bits"},
        {WITH_JOB("{\"id\": 2, \"subtime\": -1e300}"), 4, 0, "jobs[1].subtime is past 64 bits"},
        {WITH_JOB("{\"id\": 2, \"subtime\": 0, \"walltime\": null}"), 4, 0,
         "jobs[1].walltime is not a number of seconds"},
        {WITH_JOB("{\"id\": 2, \"subtime\": 0, \"walltime\": 0}"), 4, 0,
         "jobs[1].walltime is neither positive nor -1, for none"},
        {WITH_JOB("{\"id\": 2, \"subtime\": 0, \"walltime\": -0.6}"), 4, 0,
         "jobs[1].walltime is neither positive nor -1, for none"},
        {WITH_JOB("{\"id\": 2, \"subtime\": 0}"), 4, 0, "jobs[1].res is missing"},
        {WITH_JOB("{\"id\": 2, \"subtime\": 0, \"res\": 0}"), 4, 0,
         "jobs[1].res is not a whole number of processors from 1 to 2147483647"},
        {WITH_JOB("{\"id\": 2, \"subtime\": 0, \"res\": 4.0}"), 4, 0,
         "jobs[1].res is not a whole number of processors from 1 to 2147483647"},
        {WITH_JOB("{\"id\": 2, \"subtime\": 0, \"res\": 2147483648}"), 4, 0,
         "jobs[1].res is not a whole number of processors from 1 to 2147483647"},
        {WITH_JOB("{\"id\": 2, \"subtime\": 0, \"res\": 1}"), 4, 0,
         "jobs[1].profile is not the name of a profile"},
        {WITH_JOB("{\"id\": 2, \"subtime\": 0, \"res\": 1, \"profile\": 3}"), 4, 0,
         "jobs[1].profile is not the name of a profile"},
        {WITH_JOB("{\"id\": 2, \"subtime\": 0, \"res\": 1, \"profile\": \"no\\n\"}"), 4, 0,
         "jobs[1].profile names \"no?\", which is not there or cannot be used"},
        {WITH_JOB("{\"id\": 2, \"subtime\": 0, \"res\": 1, \"profile\": \"p\", \"swf\": 1}"), 4, 0,
         "jobs[1].swf is not an object"},
        {WITH_JOB(
             "{\"id\": 2, \"subtime\": 0, \"res\": 1, \"profile\": \"p\", \"swf\": {\"usr\": 1}}"),
         4, 0, "jobs[1].swf.usr is not a column"},
        {WITH_JOB("{\"id\": 2, \"subtime\": 0, \"res\": 1, \"profile\": \"p\", \"swf\": {\"user\": "
                  "1.5}}"),
         4, 0, "jobs[1].swf.user is not a number that fits it"},
        {WITH_JOB("{\"id\": 2, \"subtime\": 0, \"res\": 1, \"profile\": \"p\", \"swf\": {\"user\": "
                  "2147483648}}"),
         4, 0, "jobs[1].swf.user is not a number that fits it"},
        {WITH_JOB("{\"id\": 2, \"subtime\": 0, \"res\": 1, \"profile\": \"p\", \"swf\": "
                  "{\"wait_s\": 0.5}}"),
         4, 0, "jobs[1].swf.wait_s is not a number that fits it"},
        {WITH_JOB("{\"id\": 2, \"subtime\": 0, \"res\": 1, \"profile\": \"p\", \"swf\": "
                  "{\"cpu_s\": \"1\"}}"),
         4, 0, "jobs[1].swf.cpu_s is not a number that fits it"},
    };
    check_wrong(*state, rows, COUNT(rows));
}

static void test_broken_profiles(void **state)
{
    static const struct wrong_row rows[] = {
        {WITH_PROFILES("\"p\": 1"), 0, 0, "profiles.p is not an object"},
        {WITH_PROFILES("\"p\": {}"), 0, 0, "profiles.p.type is not a string"},
        {WITH_PROFILES("\"p\": {\"type\": 1}"), 0, 0, "profiles.p.type is not a string"},
        {WITH_PROFILES("\"p\": {\"type\": \"delay\"}"), 0, 0,
         "profiles.p.delay is not a number of seconds"},
        {WITH_PROFILES("\"p\": {\"type\": \"delay\", \"delay\": \"1\"}"), 0, 0,
         "profiles.p.delay is not a number of seconds"},
        {WITH_PROFILES("\"p\": {\"type\": \"delay\", \"delay\": -0.5}"), 0, 0,
         "profiles.p.delay is not a number of seconds"},
        {WITH_PROFILES("\"p\": {\"type\": \"composed\"}"), 0, 0,
         "profiles.p.seq is not an array of names of profiles"},
        {WITH_PROFILES("\"p\": {\"type\": \"composed\", \"seq\": []}"), 0, 0,
         "profiles.p.seq is not an array of names of profiles"},
        {WITH_PROFILES("\"p\": {\"type\": \"composed\", \"repeat\": 0, \"seq\": [\"q\"]}"), 0, 0,
         "profiles.p.repeat is not a positive whole number"},
        {WITH_PROFILES("\"p\": {\"type\": \"composed\", \"repeat\": 2.0, \"seq\": [\"q\"]}"), 0, 0,
         "profiles.p.repeat is not a positive whole number"},
        {WITH_PROFILES("\"p\": {\"type\": \"composed\", \"seq\": [\"q\"]}"), 0, 0,
         "profiles.p.seq names a profile that is not there"},
        {WITH_PROFILES("\"p\": {\"type\": \"composed\", \"seq\": [1]}"), 0, 0,
         "profiles.p.seq names a profile that is not there"},
        {WITH_PROFILES("\"p\": {\"type\": \"composed\", \"seq\": [\"p\"]}"), 0, 0,
         "profiles.p.seq leads back to itself"},
        {WITH_PROFILES("\"p\": {\"type\": \"composed\", \"seq\": [\"q\"]},"
                       "\"q\": {\"type\": \"composed\", \"seq\": [\"p\"]}"),
         0, 0, "profiles.q.seq leads back to itself"},
        /* a profile that no job uses */
        {WITH_PROFILES("\"p\": {\"type\": \"delay\", \"delay\": 1}, \"x\": 1"), 0, 0,
         "profiles.x is not an object"},
        {WITH_PROFILES("\"p\": {\"type\": \"delay\", \"delay\": 1e300}"), 1, 0,
         "jobs[0].profile names \"p\", which takes longer than 64 bits of seconds"},
        {WITH_PROFILES("\"d\": {\"type\": \"delay\", \"delay\": 9223372036854775807}, "
                       "\"p\": {\"type\": \"composed\", \"seq\": [\"d\", \"d\"]}"),
         1, 0, "jobs[0].profile names \"p\", which takes longer than 64 bits of seconds"},
    };
    check_wrong(*state, rows, COUNT(rows));
}

/* The runtime of a chain of profiles, or a negative code. */
static int64_t read_chain(const struct scratch *scratch, int depth, struct loom_error *err)
{
    char *text;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    fprintf(stream, "{\"nb_res\": 1, \"jobs\": [{\"id\": 1, \"subtime\": 0, \"res\": 1, "
                    "\"profile\": \"p0\"}], \"profiles\": {");
    for (int i = 0; i < depth; i++)
        fprintf(stream, "\"p%d\": {\"type\": \"composed\", \"seq\": [\"p%d\"]},", i, i + 1);
    fprintf(stream, "\"p%d\": {\"type\": \"delay\", \"delay\": 9}}}", depth);
    assert_int_equal(fclose(stream), 0);
    struct loom_trace *trace;
    int64_t result = read_document(&trace, scratch, text, false, err);
    if (result == 0)
        result = loom_trace_jobs(trace)->run_s[0];
    loom_trace_destroy(trace);
    free(text);
    return result;
}

static void test_nested_profiles(void **state)
{
    struct loom_error err;
    assert_int_equal(read_chain(*state, 100, &err), 9);
    assert_int_equal(read_chain(*state, 101, &err), LOOM_EFORMAT);
    assert_string_equal(err.message, "profiles.p101 is nested too deep in other profiles");
    assert_int_equal(read_chain(*state, 100000, &err), LOOM_EFORMAT);
}

static void test_bad_jobs_are_skipped(void **state)
{
    struct loom_trace *trace;
    assert_int_equal(
        read_document(&trace, *state,
                      "{\"nb_res\": 9, \"profiles\": {\"p\": {\"type\": \"delay\", \"delay\": 1},"
                      "\"bad\": {\"type\": \"delay\"}}, \"jobs\": [\n"
                      "{\"id\": \"1\", \"subtime\": 0.5, \"res\": 1, \"profile\": \"none\"},\n"
                      "{\"id\": \"2\", \"subtime\": 0.5, \"res\": 1, \"profile\": \"p\"},\n"
                      "{\"id\": \"3\", \"subtime\": 0.5, \"res\": -1, \"profile\": \"p\"},\n"
                      "{\"id\": \"4\", \"subtime\": 0.5, \"res\": 1, \"profile\": \"bad\"},\n"
                      "{\"id\": \"5\", \"subtime\": 4, \"res\": 2, \"profile\": \"p\"}]}",
                      true, NULL),
        0);
    assert_int_equal(loom_trace_count(trace), 2);
    assert_row(trace, 0, simple_job(2, 1, 1, 1));
    assert_row(trace, 1, simple_job(5, 4, 2, 1));
    const struct loom_read_report *report = loom_trace_report(trace);
    assert_int_equal(report->bad_lines, 4); /* three jobs and a profile */
    assert_int_equal(report->rounded, 1);
    assert_int_equal(report->first_bad.line, 4);
    assert_string_equal(report->first_bad.message,
                        "jobs[2].res is not a whole number of processors "
                        "from 1 to 2147483647");
    loom_trace_destroy(trace);
}

int main(void)
{
#define ON_FILES(test) cmocka_unit_test_setup_teardown(test, make_scratch, close_scratch)
    const struct CMUnitTest tests[] = {
        ON_FILES(test_jobs_and_delays),      ON_FILES(test_sequences),
        ON_FILES(test_ids_without_numbers),  ON_FILES(test_columns_beside_batsim),
        ON_FILES(test_broken_json),          ON_FILES(test_nul_bytes),
        ON_FILES(test_broken_documents),     ON_FILES(test_broken_jobs),
        ON_FILES(test_broken_profiles),      ON_FILES(test_nested_profiles),
        ON_FILES(test_bad_jobs_are_skipped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

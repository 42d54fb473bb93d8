/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writing a trace as a Batsim workload: one profile delay_N for each runtime of N seconds, one
 * line for each job. Batsim has no delay of 0, so delay_0 is a millisecond. Where jobs are to be
 * synthetic applications, their profiles are made by batsim/structure.c instead.
 *
 * Whatever Batsim's own keys do not say stands in the job's object "swf", by column name, and the
 * header in "swf_header", line by line, so that a written log reads back as the same columns and
 * header. Header lines that are not UTF-8 are written as {"latin1": TEXT}, a character for each
 * byte. Jobs that Batsim cannot hold (no runtime, no processors) are never left out silently: the
 * writer refuses the trace.
 */
#include "trace/formats/batsim/batsim.h"

#include "base/sort.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int loom_batsim_holds(const struct loom_trace *trace, struct loom_error *err)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    for (size_t row = 0; row < jobs->n; row++) {
        bool ran = jobs->run_s[row] >= 0;
        if (!ran || loom_job_procs(jobs, row) <= 0)
            return loom_fail_field(err, LOOM_EDATA, "select",
                                   "job %" PRId64 " has no %s, which a Batsim workload must say of "
                                   "every job; leave out such jobs with select ran",
                                   jobs->number[row], ran ? "processors" : "runtime");
    }
    return 0;
}

static int check_machine(const struct loom_trace *trace, struct loom_error *err)
{
    int64_t nb_res = loom_trace_max_procs(trace);
    if (nb_res < 1 || nb_res > INT32_MAX)
        return loom_fail(err, LOOM_EDATA,
                         "a Batsim workload needs from 1 to 2147483647 processors, not %" PRId64
                         "; set MaxProcs in the header",
                         nb_res);
    return 0;
}

/* A line of text of limited length: all parts of a job together are well below it. */
struct line {
    size_t length;
    char text[2048];
};

static void batsim_add(struct line *line, const char *text)
{
    size_t length = strlen(text), room = sizeof line->text - line->length;
    memcpy(line->text + line->length, text, length < room ? length : room);
    line->length += length < room ? length : room;
}

static void add_int(struct line *line, const char *before, int64_t number)
{
    char text[LOOM_NUMBER_PRINT];
    loom_number_print_int(text, number);
    batsim_add(line, before);
    batsim_add(line, text);
}

static bool same_value(const struct loom_job *a, const struct loom_job *b, enum loom_column column)
{
    const size_t offset = loom_column_table[column].offset;
    const void *x = (const char *)a + offset, *y = (const char *)b + offset;
    switch (loom_column_table[column].type) {
    case LOOM_REAL:
        return *(const double *)x == *(const double *)y;
    case LOOM_WHOLE_32:
        return *(const int32_t *)x == *(const int32_t *)y;
    default:
        return *(const int64_t *)x == *(const int64_t *)y;
    }
}

static void add_column(struct line *line, const struct loom_job *job, enum loom_column column)
{
    char text[LOOM_NUMBER_PRINT];
    loom_column_print(text, job, column);
    batsim_add(line, "\"");
    batsim_add(line, loom_column_table[column].name);
    batsim_add(line, "\": ");
    batsim_add(line, text);
}

/* known: what the reader takes from Batsim's own keys. All else goes to "swf", the runtime of an
 * application too, which is known only by simulating it. */
static int write_write_job(struct loom_output *out, const struct loom_job *job, int32_t procs,
                           int64_t id, bool application, bool last, struct loom_error *err)
{
    struct line line = {0};
    struct loom_job known = loom_job_unknown();
    known.number = id;
    known.submit_s = job->submit_s;
    known.req_procs = procs;
    known.run_s = job->run_s > 0 && !application ? job->run_s : -1;
    add_int(&line, "  {\"id\": \"", id);
    add_int(&line, "\", \"subtime\": ", job->submit_s);
    if (job->request_s > 0) {
        known.request_s = job->request_s;
        add_int(&line, ", \"walltime\": ", job->request_s);
    }
    add_int(&line, ", \"res\": ", procs);
    add_int(&line, application ? ", \"profile\": \"app_" : ", \"profile\": \"delay_", job->run_s);
    if (application)
        add_int(&line, "_", procs);
    batsim_add(&line, "\"");
    const char *before = ", \"swf\": {";
    for (int i = 0; i < LOOM_COLUMN_COUNT; i++) {
        if (same_value(job, &known, (enum loom_column)i))
            continue;
        batsim_add(&line, before);
        add_column(&line, job, (enum loom_column)i);
        before = ", ";
    }
    if (before[2] == '\0')
        batsim_add(&line, "}");
    batsim_add(&line, last ? "}\n" : "},\n");
    return loom_output_write(out, line.text, line.length, err);
}

/* Ids must differ: where the log's numbers do not, jobs are numbered by row. */
static int write_jobs(const struct loom_trace *trace, struct loom_output *out, bool applications,
                      int64_t *scratch, struct loom_error *err)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    for (size_t row = 0; row < jobs->n; row++)
        scratch[row] = jobs->number[row];
    bool numbered = loom_sort_int64(scratch, jobs->n) == jobs->n;
    int rc = loom_output_printf(out, err, "\"jobs\": [\n");
    for (size_t row = 0; row < jobs->n && !rc; row++) {
        struct loom_job job = loom_trace_job(trace, row);
        rc = write_write_job(out, &job, loom_job_procs(jobs, row),
                             numbered ? job.number : (int64_t)row + 1, applications,
                             row + 1 == jobs->n, err);
    }
    return rc ? rc : loom_output_printf(out, err, "],\n");
}

static int write_profiles(const struct loom_trace *trace, struct loom_output *out, int64_t *scratch,
                          struct loom_error *err)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    for (size_t row = 0; row < jobs->n; row++)
        scratch[row] = jobs->run_s[row];
    loom_sort_int64(scratch, jobs->n);
    int rc = loom_output_printf(out, err, "\"profiles\": {");
    for (size_t i = 0; i < jobs->n && !rc; i++) {
        if (i > 0 && scratch[i] == scratch[i - 1])
            continue;
        struct line line = {0};
        add_int(&line, i ? ",\n  \"delay_" : "\n  \"delay_", scratch[i]);
        batsim_add(&line, "\": {\"type\": \"delay\", \"delay\": ");
        if (scratch[i] == 0)
            batsim_add(&line, "0.001");
        else
            add_int(&line, "", scratch[i]);
        batsim_add(&line, "}");
        rc = loom_output_write(out, line.text, line.length, err);
    }
    return rc ? rc : loom_output_printf(out, err, "\n}\n");
}

static bool is_utf8(const char *text)
{
    uint32_t value;
    for (size_t left = strlen(text), length; left > 0; left -= length, text += length) {
        length = loom_utf8(text, left, &value);
        if (length == 0)
            return false;
    }
    return true;
}

/* A JSON string. With latin1, each byte is taken as the character of that number. */
static int write_string(struct loom_output *out, const char *text, bool latin1,
                        struct loom_error *err)
{
    int rc = loom_output_write(out, "\"", 1, err);
    for (const char *c = text; *c && !rc; c++) {
        unsigned char byte = (unsigned char)*c;
        if (byte < 0x20 || (latin1 && byte >= 0x80))
            rc = loom_output_printf(out, err, "\\u%04x", byte);
        else if (byte == '"' || byte == '\\')
            rc = loom_output_printf(out, err, "\\%c", byte);
        else
            rc = loom_output_write(out, c, 1, err);
    }
    return rc ? rc : loom_output_write(out, "\"", 1, err);
}

static int write_header(const struct loom_trace *trace, struct loom_output *out,
                        struct loom_error *err)
{
    const struct loom_directive *lines;
    size_t n = loom_trace_directives(trace, &lines);
    int rc = loom_output_printf(out, err, "\"swf_header\": [");
    for (size_t i = 0; i < n && !rc; i++) {
        bool latin1 = !is_utf8(lines[i].text);
        rc = loom_output_printf(out, err, "%s\n  %s", i ? "," : "", latin1 ? "{\"latin1\": " : "");
        if (!rc)
            rc = write_string(out, lines[i].text, latin1, err);
        if (!rc && latin1)
            rc = loom_output_write(out, "}", 1, err);
    }
    return rc ? rc : loom_output_printf(out, err, "\n],\n");
}

int loom_batsim_write(const struct loom_trace *trace, struct loom_output *out,
                      const struct loom_write_options *options, struct loom_error *err)
{
    const struct loom_application *application = options->application;
    int rc = loom_batsim_holds(trace, err);
    if (!rc)
        rc = check_machine(trace, err);
    if (rc)
        return rc;
    int64_t *scratch = malloc((loom_trace_count(trace) + 1) * sizeof *scratch);
    if (!scratch)
        return loom_fail_memory(err);
    rc = loom_output_printf(out, err, "{\n\"nb_res\": %" PRId64 ",\n", loom_trace_max_procs(trace));
    if (!rc)
        rc = write_header(trace, out, err);
    if (!rc)
        rc = write_jobs(trace, out, application != NULL, scratch, err);
    if (!rc)
        rc = application ? loom_batsim_write_applications(trace, out, application, err)
                         : write_profiles(trace, out, scratch, err);
    if (!rc)
        rc = loom_output_printf(out, err, "}\n");
    free(scratch);
    return rc;
}

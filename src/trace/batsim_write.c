/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writing a trace as a Batsim workload: one profile delay_N for each run time of N seconds, one
 * line for each job. Batsim has no delay of 0, so delay_0 is a millisecond.
 *
 * Whatever Batsim's own keys do not say stands in the job's object "swf", by column name, and the
 * header in "swf_header", line by line, so that a written log reads back as the same columns and
 * header. Header lines that are not UTF-8 are written as {"latin1": TEXT}, a character for each
 * byte. Jobs that Batsim cannot hold (no run time, no processors) are never left out silently: the
 * writer refuses the trace.
 */
#include "trace/batsim.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static int check_jobs(const struct loom_trace *trace, struct loom_error *err)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    for (size_t row = 0; row < jobs->n; row++) {
        bool ran = jobs->run_s[row] >= 0;
        if (!ran || loom_job_procs(jobs, row) <= 0)
            return loom_fail(err, LOOM_EDATA,
                             "job %" PRId64 " has no %s, which a Batsim workload must say of every "
                             "job; leave out such jobs with --select ran",
                             jobs->number[row], ran ? "processors" : "run time");
    }
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

static void add(struct line *line, const char *text)
{
    size_t length = strlen(text), room = sizeof line->text - line->length;
    memcpy(line->text + line->length, text, length < room ? length : room);
    line->length += length < room ? length : room;
}

static void add_int(struct line *line, const char *before, int64_t number)
{
    char text[LOOM_NUMBER_PRINT];
    loom_number_print_int(text, number);
    add(line, before);
    add(line, text);
}

/* The column's value, if it is not known already. */
static bool add_column(struct line *line, const struct loom_batsim_column *column,
                       const struct loom_job *job, const struct loom_job *known, const char *before)
{
    const void *place = (const char *)job + column->offset;
    const void *other = (const char *)known + column->offset;
    char text[LOOM_NUMBER_PRINT];
    if (column->type == LOOM_BATSIM_REAL) {
        if (*(const double *)place == *(const double *)other)
            return false;
        loom_number_print_real(text, *(const double *)place);
    } else if (column->type == LOOM_BATSIM_WHOLE_64) {
        if (*(const int64_t *)place == *(const int64_t *)other)
            return false;
        loom_number_print_int(text, *(const int64_t *)place);
    } else {
        if (*(const int32_t *)place == *(const int32_t *)other)
            return false;
        loom_number_print_int(text, *(const int32_t *)place);
    }
    add(line, before);
    add(line, "\"");
    add(line, column->name);
    add(line, "\": ");
    add(line, text);
    return true;
}

/* known: what the reader takes from Batsim's own keys. All else goes to "swf". */
static int write_job(struct loom_output *out, const struct loom_job *job, int32_t procs, int64_t id,
                     bool last, struct loom_error *err)
{
    struct line line = {0};
    struct loom_job known = loom_job_unknown();
    known.number = id;
    known.submit_s = job->submit_s;
    known.req_procs = procs;
    known.run_s = job->run_s > 0 ? job->run_s : -1;
    add_int(&line, "  {\"id\": \"", id);
    add_int(&line, "\", \"subtime\": ", job->submit_s);
    if (job->req_time_s > 0) {
        known.req_time_s = job->req_time_s;
        add_int(&line, ", \"walltime\": ", job->req_time_s);
    }
    add_int(&line, ", \"res\": ", procs);
    add_int(&line, ", \"profile\": \"delay_", job->run_s);
    add(&line, "\"");
    const char *before = ", \"swf\": {";
    for (size_t i = 0; i < LOOM_COLUMN_COUNT; i++)
        if (add_column(&line, &loom_batsim_columns[i], job, &known, before))
            before = ", ";
    if (before[2] == '\0')
        add(&line, "}");
    add(&line, last ? "}\n" : "},\n");
    return loom_output_write(out, line.text, line.length, err);
}

/* Ids must differ: where the log's numbers do not, jobs are numbered by row. */
static int write_jobs(const struct loom_trace *trace, struct loom_output *out, int64_t *scratch,
                      struct loom_error *err)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    for (size_t row = 0; row < jobs->n; row++)
        scratch[row] = jobs->number[row];
    bool numbered = loom_batsim_all_different(scratch, jobs->n);
    int rc = loom_output_printf(out, err, "\"jobs\": [\n");
    for (size_t row = 0; row < jobs->n && !rc; row++) {
        struct loom_job job = loom_trace_job(trace, row);
        rc = write_job(out, &job, loom_job_procs(jobs, row),
                       numbered ? job.number : (int64_t)row + 1, row + 1 == jobs->n, err);
    }
    return rc ? rc : loom_output_printf(out, err, "],\n");
}

static int write_profiles(const struct loom_trace *trace, struct loom_output *out, int64_t *scratch,
                          struct loom_error *err)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    for (size_t row = 0; row < jobs->n; row++)
        scratch[row] = jobs->run_s[row];
    loom_batsim_all_different(scratch, jobs->n); /* sorts */
    int rc = loom_output_printf(out, err, "\"profiles\": {");
    for (size_t i = 0; i < jobs->n && !rc; i++) {
        if (i > 0 && scratch[i] == scratch[i - 1])
            continue;
        struct line line = {0};
        add_int(&line, i ? ",\n  \"delay_" : "\n  \"delay_", scratch[i]);
        add(&line, "\": {\"type\": \"delay\", \"delay\": ");
        if (scratch[i] == 0)
            add(&line, "0.001");
        else
            add_int(&line, "", scratch[i]);
        add(&line, "}");
        rc = loom_output_write(out, line.text, line.length, err);
    }
    return rc ? rc : loom_output_printf(out, err, "\n}\n");
}

/* Length of the UTF-8 character at text, 0 if there is none. */
static size_t utf8_length(const unsigned char *text)
{
    unsigned char first = text[0];
    if (first < 0x80)
        return first != '\0';
    if (first < 0xc2 || first > 0xf4)
        return 0;
    size_t length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    for (size_t i = 1; i < length; i++)
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    bool overlong = (first == 0xe0 && text[1] < 0xa0) || (first == 0xf0 && text[1] < 0x90);
    bool surrogate = first == 0xed && text[1] >= 0xa0;
    bool past_end = first == 0xf4 && text[1] >= 0x90;
    return overlong || surrogate || past_end ? 0 : length;
}

static bool is_utf8(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    while (*c) {
        size_t length = utf8_length(c);
        if (length == 0)
            return false;
        c += length;
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
    (void)options;
    int rc = check_jobs(trace, err);
    if (rc)
        return rc;
    int64_t *scratch = malloc((loom_trace_count(trace) + 1) * sizeof *scratch);
    if (!scratch)
        return loom_fail_memory(err);
    rc = loom_output_printf(out, err, "{\n\"nb_res\": %" PRId64 ",\n", loom_trace_max_procs(trace));
    if (!rc)
        rc = write_header(trace, out, err);
    if (!rc)
        rc = write_jobs(trace, out, scratch, err);
    if (!rc)
        rc = write_profiles(trace, out, scratch, err);
    if (!rc)
        rc = loom_output_printf(out, err, "}\n");
    free(scratch);
    return rc;
}

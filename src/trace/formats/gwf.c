/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The text form of the Grid Workloads Format (GWF) of the Grid Workloads Archive.
 *
 * A job is a line of 29 fields, of which the first 16 are SWF's; older files stop earlier, but not
 * before the 11th. '#' starts a header line. Fields are separated by blanks or tabs; a line with
 * just 28 tabs is cut at these, so that a field may be empty or hold blanks. -1 is unknown. User,
 * group, executable, queue and partition may be names. Submit times are mostly Unix times.
 *
 * What SWF cannot hold (sites, the structure of a job such as the bag of tasks it belongs to,
 * network, disk, other resources, virtual organisation, project) is left out, and counted in a note
 * in the header.
 */
#include "base/text.h"
#include "trace/formats/format.h"
#include "trace/formats/rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { FIELDS = 29, FIELDS_LEAST = 11, FIELDS_SHARED = 16, STRUCTURE = 18, STRUCTURE_PARAMS = 19 };

static const char *const field_names[FIELDS] = {
    "JobID",       "SubmitTime",         "WaitTime",      "RunTime",
    "NProcs",      "AverageCPUTimeUsed", "UsedMemory",    "ReqNProcs",
    "ReqTime",     "ReqMemory",          "Status",        "UserID",
    "GroupID",     "ExecutableID",       "QueueID",       "PartitionID",
    "OrigSiteID",  "LastRunSiteID",      "JobStructure",  "JobStructureParams",
    "UsedNetwork", "UsedLocalDiskSpace", "UsedResources", "ReqPlatform",
    "ReqNetwork",  "ReqLocalDiskSpace",  "ReqResources",  "VOID",
    "ProjectID",
};

/* The writer's first line, which the reader does not take for part of the log's header. */
static const char banner[] = " Grid Workloads Format, 29 fields:";

/* ---- cutting lines --------------------------------------------------------------------------- */

struct fields {
    const char *text[FIELDS];
    size_t length[FIELDS];
    int n; /* FIELDS + 1 if there are more than can be */
};

static bool gwf_is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static void add_field(struct fields *fields, const char *start, const char *end)
{
    if (fields->n >= FIELDS) {
        fields->n = FIELDS + 1;
        return;
    }
    const int i = fields->n++;
    fields->text[i] = start;
    fields->length[i] = (size_t)(end - start);
    loom_trim(&fields->text[i], &fields->length[i]);
}

static int count_tabs(const char *line, size_t length)
{
    int tabs = 0;
    for (size_t i = 0; i < length && tabs < FIELDS; i++)
        tabs += line[i] == '\t';
    return tabs;
}

static void cut_at_tabs(struct fields *fields, const char *at, const char *end)
{
    for (;;) {
        const char *tab = memchr(at, '\t', (size_t)(end - at));
        add_field(fields, at, tab ? tab : end);
        if (!tab)
            return;
        at = tab + 1;
    }
}

static void cut_at_blanks(struct fields *fields, const char *at, const char *end)
{
    while (fields->n <= FIELDS) {
        while (at < end && gwf_is_blank(*at))
            at++;
        if (at == end)
            return;
        const char *start = at;
        while (at < end && !gwf_is_blank(*at))
            at++;
        add_field(fields, start, at);
    }
}

static void cut(struct fields *fields, const char *line, size_t length)
{
    fields->n = 0;
    if (count_tabs(line, length) == FIELDS - 1)
        cut_at_tabs(fields, line, line + length);
    else
        cut_at_blanks(fields, line, line + length);
}

/* ---- reading --------------------------------------------------------------------------------- */

struct reading {
    struct loom_reader *reader;
    struct loom_rows rows;
    int64_t left_out[FIELDS]; /* jobs that have a value there */
};

static bool is_unknown(const struct fields *fields, int i)
{
    return loom_number_missing(fields->text[i], fields->length[i]) ||
           (fields->length[i] == 2 && memcmp(fields->text[i], "-1", 2) == 0);
}

/* UNITARY is what every job is that has no structure, and its parameters mean nothing. */
static void count_left_out(struct reading *reading, const struct fields *fields)
{
    const bool unitary =
        fields->n > STRUCTURE &&
        loom_same_word(fields->text[STRUCTURE], fields->length[STRUCTURE], "UNITARY");

    for (int i = FIELDS_SHARED; i < fields->n; i++)
        if (!is_unknown(fields, i) && !(unitary && (i == STRUCTURE || i == STRUCTURE_PARAMS)))
            reading->left_out[i]++;
}

static int read_job(struct reading *reading, const struct fields *fields, int64_t line,
                    struct loom_error *err)
{
    struct loom_trace *trace = reading->reader->trace;
    struct loom_job job = loom_job_unknown();
    const int n = fields->n < FIELDS_SHARED ? fields->n : FIELDS_SHARED;
    int rounded = 0, rc = 0;

    for (int i = 0; i < FIELDS_LEAST; i++) {
        char shown[LOOM_SHOWN];
        if (is_unknown(fields, i))
            continue;
        const enum loom_number result =
            loom_column_set(&job, (enum loom_column)i, fields->text[i], fields->length[i]);
        if (result < 0)
            return loom_reader_reject(reading->reader, err, line, i + 1, "%s '%s' %s",
                                      field_names[i],
                                      loom_shown(shown, fields->text[i], fields->length[i]),
                                      loom_number_problem(result));
        rounded += result == LOOM_NUMBER_ROUNDED;
    }
    for (int i = FIELDS_LEAST; i < n && !rc; i++)
        rc = loom_rows_identify(&reading->rows, &job,
                                (enum loom_name_kind)loom_column_kind((enum loom_column)i),
                                fields->text[i], fields->length[i], err);
    if (rc)
        return rc;
    count_left_out(reading, fields);
    trace->report.rounded += rounded;
    return loom_trace_append(trace, &job, err);
}

static int read_line(struct reading *reading, const char *line, size_t length, int64_t number,
                     struct loom_error *err)
{
    struct fields fields;

    if (memchr(line, '\0', length))
        return loom_reader_reject(reading->reader, err, number, 0,
                                  "there is a NUL byte in this line");
    if (length > 0 && line[0] == '#') {
        const bool ours = length >= sizeof banner && !memcmp(line + 1, banner, sizeof banner - 1);
        return ours ? 0 : loom_trace_add_line(reading->reader->trace, line + 1, length - 1, err);
    }
    cut(&fields, line, length);
    if (fields.n == 0)
        return 0;
    if (fields.n < FIELDS_LEAST)
        return loom_reader_reject(reading->reader, err, number, fields.n + 1,
                                  "%d field%s where GWF has 29, and at least 11", fields.n,
                                  fields.n == 1 ? "" : "s");
    if (fields.n > FIELDS)
        return loom_reader_reject(reading->reader, err, number, FIELDS + 1,
                                  "more than the 29 fields of GWF");
    return read_job(reading, &fields, number, err);
}

static int note_left_out(const struct reading *reading, struct loom_error *err)
{
    char note[1024];
    int used = 0;

    for (int i = FIELDS_SHARED; i < FIELDS; i++)
        if (reading->left_out[i] > 0)
            used += snprintf(note + used, sizeof note - (size_t)used, "%s %s (%" PRId64 " job%s)",
                             used == 0 ? "left out on reading GWF:" : ",", field_names[i],
                             reading->left_out[i], reading->left_out[i] == 1 ? "" : "s");
    return used == 0 ? 0 : loom_trace_add_directive(reading->reader->trace, "Note", note, err);
}

/* The archive's headers have the size of the machine as "Processors: 400". */
static int take_processors(struct loom_trace *trace, struct loom_error *err)
{
    const char *processors = loom_trace_directive(trace, "Processors");

    if (!processors || *processors < '0' || *processors > '9' ||
        loom_trace_machine(trace)->max_procs > 0)
        return 0;
    return loom_trace_set_directive(trace, "MaxProcs", processors, err);
}

static int gwf_read(struct loom_reader *reader, struct loom_error *err)
{
    struct reading reading = {.reader = reader, .rows.trace = reader->trace};
    const char *text, *line;
    size_t size, length;
    int rc = loom_input_text(reader->input, &text, &size, err);

    if (rc)
        return rc;
    struct loom_lines lines = {.next = text, .end = text + size};
    while (!rc && loom_lines_next(&lines, &line, &length))
        rc = read_line(&reading, line, length, lines.number, err);
    if (!rc)
        rc = loom_rows_finish(&reading.rows, err);
    if (!rc)
        rc = take_processors(reader->trace, err);
    return rc ? rc : note_left_out(&reading, err);
}

/* ---- writing --------------------------------------------------------------------------------- */

static int write_banner(struct loom_output *out, struct loom_error *err)
{
    int rc = loom_output_printf(out, err, "#%s", banner);

    for (int i = 0; i < FIELDS && !rc; i++)
        rc = loom_output_printf(out, err, " %s", field_names[i]);
    return rc ? rc : loom_output_printf(out, err, "\n");
}

/* What SWF has and GWF has not. */
static int note_lost(const struct loom_trace *trace, struct loom_output *out,
                     struct loom_error *err)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    size_t lost = 0;

    for (size_t row = 0; row < jobs->n; row++)
        lost += jobs->preceding[row] != -1 || jobs->think_s[row] != -1;
    if (lost == 0)
        return 0;
    return loom_output_printf(
        out, err, "# Note: left out on writing GWF: preceding job and think time (%zu job%s)\n",
        lost, lost == 1 ? "" : "s");
}

static int gwf_write(const struct loom_trace *trace, struct loom_output *out,
                     const struct loom_write_options *options, struct loom_error *err)
{
    static const char rest[] = "\t-1\t-1\t-1\t-1\t-1\t-1\t-1\t-1\t-1\t-1\t-1\t-1\t-1\n";
    _Static_assert(sizeof rest == 3 * (FIELDS - FIELDS_SHARED) + 2, "one -1 for each other field");
    (void)options;
    int rc = write_banner(out, err);

    if (!rc)
        rc = loom_rows_write_header(trace, out, err);
    if (!rc)
        rc = note_lost(trace, out, err);
    return rc ? rc : loom_rows_write(trace, out, FIELDS_SHARED, '\t', rest, err);
}

/* ---- probing --------------------------------------------------------------------------------- */

static bool names_format(const char *line, size_t length)
{
    static const char *const words[] = {"GWF", "Grid Workload", "gwa.ewi.tudelft.nl"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (memmem(line, length, words[i], strlen(words[i])))
            return true;
    return false;
}

/* The number of fields, if it is one of a job and the first 11 are numbers; else 0. */
static int job_fields(const char *line, size_t length)
{
    struct loom_job job;
    struct fields fields;

    cut(&fields, line, length);
    if (fields.n < FIELDS_LEAST || fields.n > FIELDS)
        return 0;
    for (int i = 0; i < FIELDS_LEAST; i++)
        if (!is_unknown(&fields, i) &&
            loom_column_set(&job, (enum loom_column)i, fields.text[i], fields.length[i]) < 0)
            return 0;
    return fields.n;
}

/* The header alone is not enough to be sure: it goes along when a log is converted. */
static int gwf_probe(const char *head, size_t size)
{
    struct loom_lines lines = {.next = head, .end = head + size};
    const char *line;
    size_t length;
    bool named = false;

    while (loom_lines_next(&lines, &line, &length)) {
        if (length == 0)
            continue;
        if (line[0] != '#') {
            const int n = job_fields(line, length);
            return n > 0 && named ? 95 : n == FIELDS ? 90 : 0;
        }
        named |= names_format(line, length);
    }
    return named ? 50 : 0;
}

const struct loom_format_ops loom_format_gwf = {
    .info = {.name = "gwf",
             .summary = "Grid Workloads Format, the text form of the Grid Workloads Archive",
             .suffixes = "gwf",
             .can_read = true,
             .can_write = true},
    .probe = gwf_probe,
    .read = gwf_read,
    .write = gwf_write,
};

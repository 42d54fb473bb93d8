/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Comma-separated values, as spreadsheets, data frames and databases write them.
 *
 * Records are those of RFC 4180, with ',', ';', tab or '|' between the fields, whichever makes most
 * of the header line. Before it there may be "# Key: value" lines, which are the log's header; that
 * is also how one is written. The header line names the columns, in our words, in SWF's, or in the
 * usual other ones (the table below); where two columns mean the same, the one whose name stands
 * first in the table counts. Columns with other names are left out.
 *
 * Submit, start and end may be seconds or timestamps. A timestamp without a zone is taken as UTC.
 * SWF has waits and runs in place of starts and ends: they are derived where they are not given.
 */
#include "base/civil.h"
#include "base/error.h"
#include "base/output.h"
#include "base/text.h"
#include "trace/formats/csv/records.h"
#include "trace/formats/format.h"
#include "trace/formats/rows.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- names of columns ------------------------------------------------------------------------ */

/* What a field may give: the columns of the table, and two that others are derived from. */
enum { START = LOOM_COLUMN_COUNT, END, TARGETS };

/* In lower case without blanks, '-' and '_'; the better name first. Our own names, as the writer
 * puts them (cpu_s is not "cpus"), come before all of these. */
static const struct alias {
    int target;
    const char *names;
} aliases[] = {
    {LOOM_COLUMN_number, "number jobnumber jobid job id jobno"},
    {LOOM_COLUMN_submit_s, "submittime submit submission submissiontime submitted submittedat "
                           "submitdate arrival arrivaltime arrived"},
    {LOOM_COLUMN_wait_s, "waittime wait waiting waitingtime queueingtime queuingtime"},
    {LOOM_COLUMN_run_s,
     "runtime run duration elapsed elapsedtime elapsedraw executiontime exectime "
     "wallclock wallclocktime"},
    {LOOM_COLUMN_alloc_procs,
     "numberofallocatedprocessors allocatedprocessors allocatedprocs procs processors nprocs nproc "
     "numprocs alloccpus allocatedcpus cpus ncpus numcpus cores ncores numcores alloccores slots "
     "nodes nnodes numnodes allocnodes"},
    {LOOM_COLUMN_cpu_s, "averagecputimeused averagecputime avgcputime usedcputime cputimeused"},
    {LOOM_COLUMN_used_mem_kib, "usedmemory usedmem usedmemkb memoryused memused"},
    {LOOM_COLUMN_req_procs,
     "requestednumberofprocessors requestednumberofresources requestedprocessors requestedprocs "
     "reqnprocs reqprocessors "
     "requestedcpus reqcpus requestedcores reqcores requestednodes reqnodes"},
    {LOOM_COLUMN_request_s,
     "requestedtime reqtime reqtimes walltime reqwalltime requestedwalltime estimate userestimate "
     "runtimeestimate estimatedruntime requestedruntime timelimit timerequested"},
    {LOOM_COLUMN_req_mem_kib, "requestedmemory reqmemory reqmem reqmemkb requestedmem"},
    {LOOM_COLUMN_status, "status state jobstatus jobstate success"},
    {LOOM_COLUMN_user, "user userid uid username usernumber owner"},
    {LOOM_COLUMN_group, "group groupid gid groupname groupnumber"},
    {LOOM_COLUMN_executable, "executable executableid executablenumber "
                             "executable(application)number application applicationnumber app exe "
                             "jobname"},
    {LOOM_COLUMN_queue, "queue queueid queuename queuenumber"},
    {LOOM_COLUMN_partition, "partition partitionid partitionname partitionnumber"},
    {LOOM_COLUMN_preceding, "precedingjobnumber precedingjob preceding"},
    {LOOM_COLUMN_think_s, "thinktimefromprecedingjob thinktime think"},
    {START, "start starttime startingtime started startedat begin begintime dispatchtime"},
    {END, "end endtime ended endedat finish finishtime finished completiontime stop stoptime"},
};

static bool is_gap(char c)
{
    return c == ' ' || c == '\t' || c == '-' || c == '_';
}

static int own_target(const struct loom_csv_field *field)
{
    for (int target = 0; target < LOOM_COLUMN_COUNT; target++) {
        const char *name = loom_column_table[target].name;
        size_t i = 0;
        while (i < field->length && name[i] &&
               (is_gap(field->text[i]) ? '_' : loom_lower(field->text[i])) == name[i])
            i++;
        if (i == field->length && !name[i])
            return target;
    }
    return -1;
}

/* What a name is for, and how good a name it is: 1 the best, more for others, 0 for none at all. */
static int understand_name(int *target, const struct loom_csv_field *field)
{
    char word[40];
    size_t n = 0;

    *target = own_target(field);
    if (*target >= 0)
        return 1;
    for (size_t i = 0; i < field->length; i++) {
        if (is_gap(field->text[i]))
            continue;
        if (n + 1 == sizeof word)
            return 0;
        word[n++] = loom_lower(field->text[i]);
    }
    for (size_t i = 0; n > 0 && i < sizeof aliases / sizeof *aliases; i++) {
        int rank = 2;
        const char *name = aliases[i].names;
        for (; *name; rank++) {
            const size_t length = strcspn(name, " ");
            if (length == n && memcmp(name, word, n) == 0) {
                *target = aliases[i].target;
                return rank;
            }
            name += length + (name[length] == ' ');
        }
    }
    return 0;
}

/* Which field of a record each target is, or -1. */
struct binding {
    int field[TARGETS];
    int understood; /* how many targets have one */
    size_t width;   /* fields in a record */
};

static void bind(struct binding *binding, const struct loom_csv_records *records)
{
    int ranks[TARGETS] = {0};

    *binding = (struct binding){.width = records->n};
    for (int target = 0; target < TARGETS; target++)
        binding->field[target] = -1;
    for (size_t i = 0; i < records->n && i < INT32_MAX; i++) {
        int target = -1;
        const int rank = understand_name(&target, &records->fields[i]);
        if (rank == 0 || (ranks[target] != 0 && ranks[target] <= rank))
            continue;
        binding->understood += ranks[target] == 0;
        ranks[target] = rank;
        binding->field[target] = (int)i;
    }
}

static bool has_submit(const struct binding *binding)
{
    return binding->field[LOOM_COLUMN_submit_s] >= 0;
}

/* ---- the header line ------------------------------------------------------------------------- */

/* Read the record at records->at as a header line and move past it, with the separator that makes
 * most of it: as many fields as are wanted (0: any number), names understood, fields. */
static int read_names(struct binding *binding, struct loom_csv_records *records, size_t wanted,
                      struct loom_error *err)
{
    static const char separators[] = {',', ';', '\t', '|'};
    struct loom_csv_records best = *records;
    int best_score = -1;

    bind(binding, &(struct loom_csv_records){0});
    for (size_t i = 0; i < sizeof separators; i++) {
        struct loom_csv_records trial = best;
        struct binding names;
        trial.at = records->at;
        trial.line = records->line;
        trial.separator = separators[i];
        const int rc = loom_csv_next_record(&trial, err);
        best.fields = trial.fields;
        best.capacity = trial.capacity;
        bind(&names, &trial);
        const int score = names.understood + (wanted && names.width == wanted ? TARGETS : 0);
        if (rc > 0 && !trial.problem &&
            (score > best_score || (score == best_score && names.width > binding->width))) {
            *binding = names;
            best_score = score;
            best = trial;
        }
        if (rc < 0) {
            *records = best;
            return rc;
        }
    }
    *records = best;
    return 0;
}

static int no_submit(struct loom_reader *reader, const struct binding *binding, int64_t line,
                     struct loom_error *err)
{
    int rc = loom_fail_at(
        err, LOOM_EFORMAT, loom_input_name(reader->input), line, 0,
        "%s: name one submit, submit_time or arrival in the header line or in columns; also "
        "understood are job_id, start, end, wait, run (runtime, duration, elapsed), procs "
        "(processors, cpus, cores, nodes), req_procs, req_time (walltime, estimate, timelimit), "
        "cpu_s, used_mem_kib, req_mem_kib, status, user, group, executable, queue, partition, "
        "preceding, think_time",
        binding->width ? "there is no column for submit times" : "there is no header line");
    return loom_blame(rc, "columns", err);
}

/* Names given by the caller: they stand in for those of a header line, too, if there is one. */
static int use_given_names(struct binding *binding, struct loom_csv_records *records,
                           const char *names, struct loom_error *err)
{
    struct loom_csv_records given = {.at = names,
                                     .end = names + strlen(names),
                                     .line = 1,
                                     .separator = ','};
    struct binding first;
    const char *at = records->at;
    const int64_t line = records->line;
    int rc = loom_csv_next_record(&given, err);

    bind(binding, &given);
    free(given.fields);
    if (rc < 0)
        return rc;
    rc = read_names(&first, records, binding->width, err);
    if (!rc && !has_submit(&first)) {
        records->at = at;
        records->line = line;
    }
    return rc;
}

static int add_comments(struct loom_reader *reader, const char *text, const char *end,
                        struct loom_error *err)
{
    struct loom_lines lines = {.next = text, .end = end};
    const char *line;
    size_t length;
    int rc = 0;

    while (!rc && loom_lines_next(&lines, &line, &length))
        rc = memchr(line, '\0', length)
                 ? loom_reader_reject(reader, err, lines.number, 0,
                                      "there is a NUL byte in this header line")
                 : loom_trace_add_line(reader->trace, line + 1, length - 1, err);
    return rc;
}

/* The '#' lines, and then the names. Some programs put the names behind a '#' as well: the last
 * such line is tried if the line below it does not name a submit column. */
static int read_header(struct binding *binding, struct loom_csv_records *records,
                       struct loom_reader *reader, struct loom_error *err)
{
    const char *given = reader->options ? reader->options->columns : NULL;
    const char *comments = records->at, *last = NULL;

    for (; records->at < records->end && *records->at == '#'; loom_csv_next_line(records))
        last = records->at;
    const char *data = records->at, *comments_end = data;
    const int64_t line = records->line;
    int rc = given ? use_given_names(binding, records, given, err)
                   : read_names(binding, records, 0, err);

    if (!rc && !given && last && !has_submit(binding)) {
        struct binding behind;
        records->at = last + 1;
        rc = read_names(&behind, records, 0, err);
        records->at = data;
        records->line = line;
        if (has_submit(&behind)) {
            *binding = behind;
            comments_end = last;
        }
    }
    if (!rc && !has_submit(binding))
        rc = no_submit(reader, binding, given ? 0 : line, err);
    return rc ? rc : add_comments(reader, comments, comments_end, err);
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Where a row stands while its fields are read. */
struct row {
    struct loom_job job;
    int64_t start_s, end_s;
    bool timestamps, seconds; /* forms in which its times came */
    int rounded;
};

static bool has_date(const struct loom_csv_field *field)
{
    return field->length >= 10 && field->text[4] == '-' && field->text[7] == '-';
}

/* Where the zone of a timestamp begins: Z or a sign somewhere behind "YYYY-MM-DDT". */
static size_t zone_start(const char *text, size_t length)
{
    size_t at = sizeof "YYYY-MM-DDT" - 1;

    while (at < length && text[at] != 'Z' && text[at] != '+' && text[at] != '-')
        at++;
    return at < length ? at : length;
}

static enum loom_number read_timestamp(int64_t *out, const char *text, size_t length)
{
    const size_t zone = zone_start(text, length);
    int64_t east_s = 0, second = 0;
    enum loom_number fraction = LOOM_NUMBER_OK;

    if (zone < length && !loom_civil_parse_zone(&east_s, text + zone, length - zone))
        return LOOM_NUMBER_BAD;
    length = zone;
    const char *point = memchr(text, '.', length);
    if (point) {
        const size_t n = length - (size_t)(point - text);
        fraction = n > 1 ? loom_number_whole(&second, point, n, 0, 1) : LOOM_NUMBER_BAD;
        length -= n;
    }
    if (fraction < 0 || !loom_civil_parse(out, text, length))
        return LOOM_NUMBER_BAD;
    *out += second - east_s;
    return fraction;
}

static enum loom_number read_time(struct row *row, int64_t *out, const struct loom_csv_field *field)
{
    if (has_date(field)) {
        row->timestamps = true;
        return read_timestamp(out, field->text, field->length);
    }
    const enum loom_number result =
        loom_number_whole(out, field->text, field->length, INT64_MIN, INT64_MAX);
    row->seconds |= result >= 0 && *out != -1;
    return result;
}

static enum loom_number read_status(int32_t *out, const struct loom_csv_field *field)
{
    static const struct {
        const char *word;
        int32_t status;
    } words[] = {
        {"completed", LOOM_STATUS_COMPLETED}, {"complete", LOOM_STATUS_COMPLETED},
        {"done", LOOM_STATUS_COMPLETED},      {"finished", LOOM_STATUS_COMPLETED},
        {"success", LOOM_STATUS_COMPLETED},   {"failed", LOOM_STATUS_FAILED},
        {"error", LOOM_STATUS_FAILED},        {"timeout", LOOM_STATUS_FAILED},
        {"cancelled", LOOM_STATUS_CANCELLED}, {"canceled", LOOM_STATUS_CANCELLED},
    };

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (loom_same_word(field->text, field->length, words[i].word)) {
            *out = words[i].status;
            return LOOM_NUMBER_OK;
        }
    return LOOM_NUMBER_BAD;
}

static enum loom_number read_value(struct row *row, int target, const struct loom_csv_field *field)
{
    enum loom_number result;

    if (target == LOOM_COLUMN_submit_s)
        return read_time(row, &row->job.submit_s, field);
    if (target == START)
        return read_time(row, &row->start_s, field);
    if (target == END)
        return read_time(row, &row->end_s, field);
    result = loom_column_set(&row->job, (enum loom_column)target, field->text, field->length);
    if (result == LOOM_NUMBER_BAD && target == LOOM_COLUMN_status)
        result = read_status(&row->job.status, field);
    return result;
}

/* out = a - b where all are known and out is not; false if it cannot be held. */
static bool derive(int64_t *out, int64_t a, int64_t b)
{
    return *out != -1 || a == -1 || b == -1 || !__builtin_sub_overflow(a, b, out);
}

/* wait = start - submit, run = end - start; and from two of wait, run and end the third. */
static bool derive_times(struct row *row)
{
    struct loom_job *job = &row->job;
    const bool unix_times = job->submit_s > LOOM_UNIX_TIMES_FROM;

    /* In 1970 nothing started: it is how databases of jobs say "not yet". */
    if (unix_times && row->start_s == 0)
        row->start_s = -1;
    if (unix_times && row->end_s == 0)
        row->end_s = -1;
    if (row->end_s != -1 && !derive(&row->start_s, row->end_s, job->run_s))
        return false;
    if (row->end_s != -1 && row->start_s == -1 && job->submit_s != -1 && job->wait_s != -1 &&
        __builtin_add_overflow(job->submit_s, job->wait_s, &row->start_s))
        return false;
    return derive(&job->wait_s, row->start_s, job->submit_s) &&
           derive(&job->run_s, row->end_s, row->start_s);
}

/* ---- rows ------------------------------------------------------------------------------------ */

struct reading {
    struct loom_reader *reader;
    struct loom_rows rows;
    struct loom_csv_records records;
    struct binding binding;
    char *scratch; /* for names with quotes in them */
};

static const struct loom_csv_field *field_of(const struct reading *reading, int target)
{
    const int i = reading->binding.field[target];
    return i < 0 ? NULL : &reading->records.fields[i];
}

static int reject_value(struct reading *reading, int target, enum loom_number result,
                        struct loom_error *err)
{
    static const char *const derived[] = {"start time", "end time"};
    const struct loom_csv_field *field = field_of(reading, target);
    const char *what = target < START ? loom_column_table[target].what : derived[target - START];
    const char *problem = loom_number_problem(result);
    char shown[LOOM_SHOWN];

    if (result == LOOM_NUMBER_BAD && (target >= START || target == LOOM_COLUMN_submit_s))
        problem = "is neither a number of seconds nor a time as in 2024-01-31T23:59:59Z";
    return loom_reader_reject(reading->reader, err, field->line, reading->binding.field[target] + 1,
                              "%s '%s' %s", what, loom_shown(shown, field->text, field->length),
                              problem);
}

/* A name as it was before "" was put for each quote in it. */
static int set_name(struct reading *reading, struct loom_job *job, int kind,
                    const struct loom_csv_field *field, struct loom_error *err)
{
    const char *name = field->text;
    size_t length = field->length;

    if (field->doubled) {
        char *scratch = realloc(reading->scratch, length);
        if (!scratch)
            return loom_fail_memory(err);
        reading->scratch = scratch;
        length = 0;
        for (size_t i = 0; i < field->length; i++) {
            scratch[length++] = name[i];
            i += name[i] == '"';
        }
        name = scratch;
    }
    return loom_rows_identify(&reading->rows, job, (enum loom_name_kind)kind, name, length, err);
}

static int keep_row(struct reading *reading, struct row *row, struct loom_error *err)
{
    struct loom_trace *trace = reading->reader->trace;
    int rc = 0;

    if (!field_of(reading, LOOM_COLUMN_number))
        row->job.number = (int64_t)loom_trace_count(trace) + 1;
    for (int kind = 0; kind < LOOM_NAME_KINDS && !rc; kind++) {
        const struct loom_csv_field *field = field_of(reading, LOOM_COLUMN_user + kind);
        if (field)
            rc = set_name(reading, &row->job, kind, field, err);
    }
    trace->report.rounded += row->rounded;
    reading->rows.unix_times |= row->timestamps && row->job.submit_s != -1;
    return rc ? rc : loom_trace_append(trace, &row->job, err);
}

static int read_row(struct reading *reading, struct loom_error *err)
{
    struct row row = {.job = loom_job_unknown(), .start_s = -1, .end_s = -1};
    const int64_t line = reading->records.fields[0].line;

    for (int target = 0; target < TARGETS; target++) {
        const struct loom_csv_field *field = field_of(reading, target);
        if (!field || loom_column_kind((enum loom_column)target) >= 0 ||
            loom_number_missing(field->text, field->length))
            continue;
        const enum loom_number result = read_value(&row, target, field);
        if (result < 0)
            return reject_value(reading, target, result, err);
        row.rounded += result == LOOM_NUMBER_ROUNDED;
    }
    if (row.timestamps && row.seconds)
        return loom_reader_reject(reading->reader, err, line, 0,
                                  "some times of this job are timestamps and some are seconds");
    if (!derive_times(&row))
        return loom_reader_reject(reading->reader, err, line, 0,
                                  "the times of this job are too far apart to be held");
    return keep_row(reading, &row, err);
}

static int read_rows(struct reading *reading, struct loom_error *err)
{
    const struct loom_csv_records *records = &reading->records;
    const size_t width = reading->binding.width;
    int rc = 1;

    while ((rc = loom_csv_next_record(&reading->records, err)) > 0) {
        const struct loom_csv_field *last = &records->fields[records->n - 1];
        if (records->problem)
            rc = loom_reader_reject(reading->reader, err, last->line, (int)records->n, "%s",
                                    records->problem);
        else if (records->n != width)
            rc = loom_reader_reject(reading->reader, err, records->fields[0].line,
                                    (int)(records->n < width ? records->n : width) + 1,
                                    "%zu field%s where there should be %zu", records->n,
                                    records->n == 1 ? "" : "s", width);
        else
            rc = read_row(reading, err);
        if (rc)
            break;
    }
    return rc;
}

static int csv_read(struct loom_reader *reader, struct loom_error *err)
{
    static const char mark[] = "\xef\xbb\xbf"; /* what some spreadsheets begin UTF-8 with */
    struct reading reading = {.reader = reader, .rows.trace = reader->trace};
    const char *text;
    size_t size;
    int rc = loom_input_text(reader->input, &text, &size, err);

    if (rc)
        return rc;
    if (size >= 3 && memcmp(text, mark, 3) == 0) {
        text += 3;
        size -= 3;
    }
    reading.records = (struct loom_csv_records){.at = text, .end = text + size, .line = 1};
    rc = read_header(&reading.binding, &reading.records, reader, err);
    if (!rc)
        rc = read_rows(&reading, err);
    if (!rc)
        rc = loom_rows_finish(&reading.rows, err);
    free(reading.records.fields);
    free(reading.scratch);
    return rc;
}

/* ---- writing and probing --------------------------------------------------------------------- */

/* A name that ends in .tsv, packed or not, promises tabs. */
static char separator_for(const char *name)
{
    size_t length = strlen(name);
    if (length > 3 && strcasecmp(name + length - 3, ".gz") == 0)
        length -= 3;
    return length > 4 && strncasecmp(name + length - 4, ".tsv", 4) == 0 ? '\t' : ',';
}

static int csv_write(const struct loom_trace *trace, struct loom_output *out,
                     const struct loom_write_options *options, struct loom_error *err)
{
    (void)options;
    char separator = separator_for(loom_output_name(out));
    int rc = loom_rows_write_header(trace, out, err);

    for (int column = 0; column < LOOM_COLUMN_COUNT && !rc; column++)
        rc = loom_output_printf(out, err, "%s%c", loom_column_table[column].name,
                                column + 1 < LOOM_COLUMN_COUNT ? separator : '\n');
    return rc ? rc : loom_rows_write(trace, out, LOOM_COLUMN_COUNT, separator, "\n", err);
}

static int csv_probe(const char *head, size_t size)
{
    struct loom_csv_records records = {.at = head, .end = head + size, .line = 1};
    struct binding binding;

    while (records.at < records.end && *records.at == '#')
        loom_csv_next_line(&records);
    const int rc = read_names(&binding, &records, 0, NULL);
    free(records.fields);
    return rc == 0 && has_submit(&binding) && binding.width > 1 ? 60 : 0;
}

const struct loom_format_ops loom_format_csv = {
    .info = {.name = "csv",
             .summary = "comma-separated values, with a header line that names the columns",
             .suffixes = "csv tsv",
             .can_read = true,
             .can_write = true},
    .probe = csv_probe,
    .read = csv_read,
    .write = csv_write,
};

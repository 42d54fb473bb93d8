/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Comma-separated values, as spreadsheets, data frames and databases write them.
 *
 * Records are as in RFC 4180, with ',', ';', tab or '|' between the fields, whichever makes most
 * of the header line. Before it there may be "# Key: value" lines, which are the log's header; that
 * is also how one is written. The header line names the columns, in our words, in SWF's, or in the
 * usual other ones (the table below); where two columns mean the same, the one whose name stands
 * first in the table counts. Columns with other names are left out.
 *
 * Submit, start and end may be seconds or timestamps. A timestamp without a zone is taken as UTC.
 * SWF has waits and runs in place of starts and ends: they are derived where they are not given. A
 * time_limit is in minutes, as Slurm has it, or [D-]HH:MM:SS; Slurm's 32-bit marks for "no value"
 * and "infinite" are unknown. A map (map.h) takes the place of all names and units.
 */
#include "base/civil.h"
#include "base/error.h"
#include "base/output.h"
#include "base/text.h"
#include "trace/formats/csv/names.h"
#include "trace/formats/csv/times.h"
#include "trace/formats/format.h"
#include "trace/formats/rows.h"
#include "trace/formats/sacct/values.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { START = LOOM_CSV_START, END = LOOM_CSV_END, TARGETS = LOOM_CSV_TARGETS };

/* ---- values ---------------------------------------------------------------------------------- */

/* Where a row stands while its fields are read. */
struct row {
    const struct loom_csv_map *map; /* or NULL */
    struct loom_job job;
    int64_t start_s, end_s;
    bool timestamps, seconds; /* forms in which its times came */
    int rounded;
};

static bool has_date(const struct loom_csv_field *field)
{
    return field->length >= 10 && field->text[4] == '-' && field->text[7] == '-';
}

static enum loom_number read_time(struct row *row, int64_t *out, const struct loom_csv_field *field)
{
    if (has_date(field)) {
        bool zoned = false;
        row->timestamps = true;
        const enum loom_number result = loom_csv_timestamp(out, &zoned, field->text, field->length);
        if (result >= 0 && row->map && !zoned)
            *out = loom_csv_map_unix(row->map, *out);
        return result;
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
    struct loom_sacct_state slurm; /* NODE_FAIL, OUT_OF_MEMORY, "CANCELLED by 1000" and others */
    if (!loom_sacct_state(&slurm, field->text, field->length))
        return LOOM_NUMBER_BAD;
    *out = slurm.status;
    return LOOM_NUMBER_OK;
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
    struct loom_csv_binding binding;
    struct loom_csv_map *map; /* or NULL */
    char *scratch;            /* for names with quotes in them */
    int64_t *dropped; /* jobs with a value, by column; -1 where it is read. NULL: not counted */
    struct loom_csv_field *names; /* of the columns, if counted */
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

/* Slurm's marks for "no value" and "infinite" are no numbers of anything but jobs. */
static bool is_unknown(const struct reading *reading, int target,
                       const struct loom_csv_field *field)
{
    const struct loom_csv_entry *entry = loom_csv_map_entry(reading->map, target);
    if (entry && loom_csv_map_unknown(reading->map, entry, field->text, field->length))
        return true;
    return target != LOOM_COLUMN_number && field->length == 10 &&
           (memcmp(field->text, "4294967295", 10) == 0 ||
            memcmp(field->text, "4294967294", 10) == 0);
}

/* Read a value in the unit that the map, or the name of the column, gives. */
static enum loom_number read_field(const struct reading *reading, struct row *row, int target,
                                   const struct loom_csv_field *field)
{
    static const struct loom_csv_entry minutes = {.factor = 60, .clock = true},
                                       clock = {.factor = 1, .clock = true};
    const struct loom_csv_entry *entry = loom_csv_map_entry(reading->map, target);
    const bool time = target == LOOM_COLUMN_submit_s || target >= START;
    char text[64];
    struct loom_csv_field converted = *field;

    if (entry && target == LOOM_COLUMN_status &&
        loom_csv_map_status(&row->job.status, entry, field->text, field->length))
        return LOOM_NUMBER_OK;
    if (!entry && target == LOOM_COLUMN_request_s && reading->binding.minutes)
        entry = memchr(field->text, ':', field->length) ? &clock : &minutes;
    if (!entry || (entry->factor == 1 && !entry->clock) || (time && has_date(field)))
        return read_value(row, target, field);
    converted.length = loom_csv_map_convert(entry, field->text, field->length, text, sizeof text);
    converted.text = text;
    return converted.length > 0 ? read_value(row, target, &converted) : LOOM_NUMBER_BAD;
}

/* Begin to count values of columns that are not read, if the header line has just been read. */
static int watch_columns(struct reading *reading, struct loom_error *err)
{
    const size_t width = reading->binding.width;
    if (reading->reader->options->columns || reading->records.n != width || width == 0)
        return 0;
    reading->dropped = calloc(width, sizeof *reading->dropped);
    reading->names = malloc(width * sizeof *reading->names);
    if (!reading->dropped || !reading->names)
        return loom_fail_memory(err);
    memcpy(reading->names, reading->records.fields, width * sizeof *reading->names);
    for (int target = 0; target < TARGETS; target++)
        if (reading->binding.field[target] >= 0)
            reading->dropped[reading->binding.field[target]] = -1;
    return 0;
}

static void count_dropped(const struct reading *reading)
{
    for (size_t i = 0; reading->dropped && i < reading->binding.width; i++) {
        const struct loom_csv_field *field = &reading->records.fields[i];
        if (reading->dropped[i] >= 0 && !loom_number_missing(field->text, field->length))
            reading->dropped[i]++;
    }
}

static void report_dropped(const struct reading *reading)
{
    for (size_t i = 0; reading->dropped && i < reading->binding.width; i++)
        if (reading->dropped[i] > 0)
            loom_reader_dropped(reading->reader, reading->names[i].text, reading->names[i].length,
                                reading->dropped[i]);
}

static int keep_row(struct reading *reading, struct row *row, struct loom_error *err)
{
    struct loom_trace *trace = reading->reader->trace;
    int rc = 0;

    if (!field_of(reading, LOOM_COLUMN_number))
        row->job.number = (int64_t)loom_trace_count(trace) + 1;
    for (int kind = 0; kind < LOOM_NAME_KINDS && !rc; kind++) {
        const struct loom_csv_field *field = field_of(reading, LOOM_COLUMN_user + kind);
        if (field && !is_unknown(reading, LOOM_COLUMN_user + kind, field))
            rc = set_name(reading, &row->job, kind, field, err);
    }
    trace->report.rounded += row->rounded;
    count_dropped(reading);
    reading->rows.unix_times |= row->timestamps && row->job.submit_s != -1;
    return rc ? rc : loom_trace_append(trace, &row->job, err);
}

static int read_row(struct reading *reading, struct loom_error *err)
{
    struct row row = {.map = reading->map, .job = loom_job_unknown(), .start_s = -1, .end_s = -1};
    const int64_t line = reading->records.fields[0].line;

    for (int target = 0; target < TARGETS; target++) {
        const struct loom_csv_field *field = field_of(reading, target);
        if (!field || loom_column_kind((enum loom_column)target) >= 0 ||
            loom_number_missing(field->text, field->length) || is_unknown(reading, target, field))
            continue;
        const enum loom_number result = read_field(reading, &row, target, field);
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

/* A fixed offset is seconds east in a header of SWF. */
static int declare_zone(struct loom_trace *trace, const char *zone, struct loom_error *err)
{
    int64_t east_s = 0;
    char text[24];
    if (!zone || loom_trace_directive(trace, "TimeZoneString"))
        return 0;
    if (!loom_civil_parse_zone(&east_s, zone, strlen(zone)))
        return loom_trace_set_directive(trace, "TimeZoneString", zone, err);
    snprintf(text, sizeof text, "%" PRId64, east_s);
    return loom_trace_set_directive(trace, "TimeZone", text, err);
}

static int csv_read(struct loom_reader *reader, struct loom_error *err)
{
    const char *map = reader->options ? reader->options->map : NULL;
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
    if (map)
        rc = loom_csv_map_read(&reading.map, map, err);
    if (!rc)
        rc = loom_csv_read_header(&reading.binding, &reading.records, reader, reading.map, err);
    if (!rc)
        rc = watch_columns(&reading, err);
    if (!rc)
        rc = read_rows(&reading, err);
    report_dropped(&reading);
    if (!rc && reading.map)
        rc = declare_zone(reader->trace, loom_csv_map_zone(reading.map), err);
    if (!rc)
        rc = loom_rows_finish(&reading.rows, err);
    loom_csv_map_destroy(reading.map);
    free(reading.records.fields);
    free(reading.dropped);
    free(reading.names);
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
    struct loom_csv_binding binding;

    while (records.at < records.end && *records.at == '#')
        loom_csv_next_line(&records);
    const int rc = loom_csv_read_names(&binding, &records, NULL);
    free(records.fields);
    return rc == 0 && binding.field[LOOM_COLUMN_submit_s] >= 0 && binding.width > 1 ? 60 : 0;
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

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs that are rows of text: names or numbers, Unix times or seconds, header lines behind '#'. */
#include "trace/formats/rows.h"

#include "trace/table.h"

#include <string.h>

/* ---- identifiers ----------------------------------------------------------------------------- */

static int32_t *identifiers(struct loom_trace *trace, enum loom_name_kind kind)
{
    int32_t *const places[LOOM_NAME_KINDS] = {
        trace->columns.user,  trace->columns.group,     trace->columns.executable,
        trace->columns.queue, trace->columns.partition,
    };
    return places[kind];
}

static int intern_number(int32_t *out, struct loom_trace *trace, enum loom_name_kind kind,
                         int64_t number, struct loom_error *err)
{
    char name[LOOM_NUMBER_PRINT];
    size_t length = loom_number_print_int(name, number);

    if (number == -1) {
        *out = -1;
        return 0;
    }
    return loom_trace_intern(out, trace, kind, name, length, err);
}

/* The column turns out to hold names: so the numbers read so far were names too. */
static int turn_to_names(struct loom_rows *rows, enum loom_name_kind kind, struct loom_error *err)
{
    const size_t n = loom_trace_count(rows->trace);
    int rc = 0;

    for (size_t row = 0; row < n && !rc; row++) {
        int32_t *place = &identifiers(rows->trace, kind)[row];
        rc = intern_number(place, rows->trace, kind, *place, err);
    }
    rows->named[kind] = true;
    return rc;
}

int loom_rows_identify(struct loom_rows *rows, struct loom_job *job, enum loom_name_kind kind,
                       const char *text, size_t length, struct loom_error *err)
{
    const size_t offset = loom_column_table[LOOM_COLUMN_user + (int)kind].offset;
    int32_t *const place = (int32_t *)(void *)((char *)job + offset);
    int64_t number = -1;
    int rc = 0;

    if (loom_number_missing(text, length))
        return 0;
    /* A number with a fraction, or past 32 bits, can only be a name. */
    bool whole = loom_number_whole(&number, text, length, INT32_MIN, INT32_MAX) == LOOM_NUMBER_OK;
    if (!whole && !rows->named[kind])
        rc = turn_to_names(rows, kind, err);
    if (rc)
        return rc;
    if (!whole)
        return loom_trace_intern(place, rows->trace, kind, text, length, err);
    if (rows->named[kind])
        return intern_number(place, rows->trace, kind, number, err);
    *place = (int32_t)number;
    return 0;
}

/* ---- Unix times ------------------------------------------------------------------------------ */

/* The smallest submit time that is known; false if there is none. */
static bool first_submit(int64_t *out, const struct loom_trace *trace)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    bool found = false;

    for (size_t row = 0; row < jobs->n; row++) {
        if (jobs->submit_s[row] == -1 || (found && jobs->submit_s[row] >= *out))
            continue;
        *out = jobs->submit_s[row];
        found = true;
    }
    return found;
}

static int subtract_start(struct loom_trace *trace, int64_t start_s, struct loom_error *err)
{
    for (size_t row = 0; row < loom_trace_count(trace); row++) {
        int64_t *submit_s = &trace->columns.submit_s[row];
        if (*submit_s != -1 && __builtin_sub_overflow(*submit_s, start_s, submit_s))
            return loom_fail(err, LOOM_ERANGE, "the submit times are too far apart to be held");
    }
    return 0;
}

int loom_rows_finish(struct loom_rows *rows, struct loom_error *err)
{
    struct loom_trace *trace = rows->trace;
    const bool stated = loom_trace_directive(trace, "UnixStartTime") != NULL;
    const int64_t start_s = loom_trace_machine(trace)->unix_start_s;
    int64_t smallest_s = -1;

    if (!first_submit(&smallest_s, trace))
        return 0;
    const bool after_start = start_s > LOOM_UNIX_TIMES_FROM && smallest_s >= start_s;
    if (!rows->unix_times && (smallest_s <= LOOM_UNIX_TIMES_FROM || (stated && !after_start)))
        return 0;
    int rc = subtract_start(trace, after_start ? start_s : smallest_s, err);
    if (rc || after_start)
        return rc;
    return loom_trace_set_directive_number(trace, "UnixStartTime", smallest_s, err);
}

/* ---- writing --------------------------------------------------------------------------------- */

int loom_rows_write_header(const struct loom_trace *trace, struct loom_output *out,
                           struct loom_error *err)
{
    const struct loom_directive *lines;
    const size_t n = loom_trace_directives(trace, &lines);
    int64_t smallest_s = -1;
    int rc = 0;

    for (size_t i = 0; i < n && !rc; i++)
        rc = loom_output_printf(out, err, "#%s\n", lines[i].text);
    /* Large submits of a log whose start is unknown must not be read as Unix times. */
    if (!rc && !loom_trace_directive(trace, "UnixStartTime") && first_submit(&smallest_s, trace) &&
        smallest_s > LOOM_UNIX_TIMES_FROM)
        rc = loom_output_printf(out, err, "# UnixStartTime: -1\n");
    return rc;
}

int loom_rows_write(const struct loom_trace *trace, struct loom_output *out, int n, char separator,
                    const char *tail, struct loom_error *err)
{
    enum { ROW_BYTES = LOOM_COLUMN_COUNT * (LOOM_NUMBER_PRINT + 1), BUFFER_BYTES = 32 * 1024 };
    const size_t tail_length = strlen(tail), count = loom_trace_count(trace);
    char buffer[BUFFER_BYTES + ROW_BYTES];
    size_t used = 0;
    int rc = 0;

    for (size_t row = 0; row < count && !rc; row++) {
        const struct loom_job job = loom_trace_job(trace, row);
        for (int column = 0; column < n; column++) {
            if (column > 0)
                buffer[used++] = separator;
            used += loom_column_print(buffer + used, &job, (enum loom_column)column);
        }
        memcpy(buffer + used, tail, tail_length);
        used += tail_length;
        if (used + tail_length >= BUFFER_BYTES) {
            rc = loom_output_write(out, buffer, used, err);
            used = 0;
        }
    }
    return rc || used == 0 ? rc : loom_output_write(out, buffer, used, err);
}

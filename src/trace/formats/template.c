/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The format "template": a small format, whole, to copy when adding one of your own
 * (docs/ADDING-A-FORMAT.md; a test follows it step by step).
 *
 * A job is a line of three numbers: when it was submitted, how long it ran (both in seconds) and on
 * how many processors. -1 is unknown. '#' starts a header line; blank lines mean nothing.
 *
 *     # Computer: my cluster
 *     0 60 4
 *     15 3600 128
 *
 * Open your file like this: say what the format is, where it comes from, and what you decided where
 * it leaves things open. Everything in it is static but the struct at its end.
 */
#include "base/text.h"
#include "trace/formats/format.h"
#include "trace/formats/rows.h"

#include <string.h>

/* The columns of the job table that a line holds, in its order. A field of yours that is no column
 * goes into the header as a note or is left out; what a column means is in <workloom/trace.h>. */
static const enum loom_column columns[] = {
    LOOM_COLUMN_submit_s,
    LOOM_COLUMN_run_s,
    LOOM_COLUMN_alloc_procs,
};

enum { FIELDS = sizeof columns / sizeof *columns };

/* ---- cutting lines --------------------------------------------------------------------------- */

/* Text is never NUL-terminated here: it is a place in the file and a length. */
struct field {
    const char *text;
    size_t length;
};

static bool template_is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* The fields of a line, of which the first FIELDS are kept. Returns how many there are. */
static int cut(struct field fields[FIELDS], const char *line, size_t length)
{
    const char *at = line, *end = line + length;
    int n = 0;
    for (;;) {
        while (at < end && template_is_blank(*at))
            at++;
        if (at == end)
            return n;
        const char *start = at;
        while (at < end && !template_is_blank(*at))
            at++;
        if (n < FIELDS)
            fields[n] = (struct field){start, (size_t)(at - start)};
        /* A line may have more fields than an int can count. */
        n += n <= FIELDS;
    }
}

/* ---- reading --------------------------------------------------------------------------------- */

/*
 * A line that cannot be read goes to loom_reader_reject, which either fails with the place and your
 * words, or, under --skip-bad-lines, counts the line and returns 0. Either way, return what it
 * returns, and append no job. Say what is wrong and show the piece of the line it is about;
 * loom_shown makes that safe to print.
 */
static int read_job(struct loom_reader *reader, const struct field fields[FIELDS], int64_t line,
                    struct loom_error *err)
{
    struct loom_job job = loom_job_unknown();
    int rounded = 0;
    for (int i = 0; i < FIELDS; i++) {
        enum loom_number result =
            loom_column_set(&job, columns[i], fields[i].text, fields[i].length);
        if (result < 0) {
            char shown[LOOM_SHOWN];
            return loom_reader_reject(reader, err, line, i + 1, "%s '%s' %s",
                                      loom_column_table[columns[i]].what,
                                      loom_shown(shown, fields[i].text, fields[i].length),
                                      loom_number_problem(result));
        }
        rounded += result == LOOM_NUMBER_ROUNDED;
    }
    /* The format has no job numbers; a job has its place in the file instead. */
    job.number = (int64_t)loom_trace_count(reader->trace) + 1;
    reader->trace->report.rounded += rounded;
    return loom_trace_append(reader->trace, &job, err);
}

/* Bad input is normal input: whatever the bytes are, a line is taken, skipped or rejected. */
static int read_line(struct loom_reader *reader, const char *line, size_t length, int64_t number,
                     struct loom_error *err)
{
    struct field fields[FIELDS];
    if (memchr(line, '\0', length))
        return loom_reader_reject(reader, err, number, 0, "there is a NUL byte in this line");
    /* Header lines are kept as they are; "Key: value" ones that the house knows (MaxProcs,
     * UnixStartTime, TimeZoneString, Queue, ...) are understood on the way. */
    if (length > 0 && line[0] == '#')
        return loom_trace_add_line(reader->trace, line + 1, length - 1, err);
    int n = cut(fields, line, length);
    if (n == 0)
        return 0;
    if (n < FIELDS)
        return loom_reader_reject(reader, err, number, n + 1, "only %d of the %d fields of a job",
                                  n, FIELDS);
    if (n > FIELDS)
        return loom_reader_reject(reader, err, number, FIELDS + 1,
                                  "more than the %d fields of a job", FIELDS);
    return read_job(reader, fields, number, err);
}

/*
 * Fill reader->trace from reader->input, and return 0 or a negative code with *err filled, as all
 * functions here do. The input has opened, unpacked and limited the file; how the log is found,
 * reported and freed is seen to by the caller.
 *
 * loom_input_text gives the whole text, which is simple and mostly fast enough. A format that logs
 * of many GB come in can read chunks of lines on several threads instead: see swf.c.
 */
static int template_read(struct loom_reader *reader, struct loom_error *err)
{
    const char *text, *line;
    size_t size, length;
    int rc = loom_input_text(reader->input, &text, &size, err);
    if (rc)
        return rc;
    struct loom_lines lines = {.next = text, .end = text + size};
    while (!rc && loom_lines_next(&lines, &line, &length))
        rc = read_line(reader, line, length, lines.number, err);
    if (rc)
        return rc;
    /* The table counts seconds from the log's start. This makes it so where submit times turn out
     * to be Unix times. */
    struct loom_rows rows = {.trace = reader->trace};
    return loom_rows_finish(&rows, err);
}

/* ---- writing --------------------------------------------------------------------------------- */

static int write_template_job(const struct loom_job *job, struct loom_output *out,
                              struct loom_error *err)
{
    char number[LOOM_NUMBER_PRINT];
    int rc = 0;
    for (int i = 0; i < FIELDS && !rc; i++) {
        loom_column_print(number, job, columns[i]);
        rc = loom_output_printf(out, err, "%s%c", number, i + 1 < FIELDS ? ' ' : '\n');
    }
    return rc;
}

/*
 * Write all of trace to out, and stop at the first failure: the caller opens the file, packs it if
 * its name ends in .gz, puts it in place when all went well, and removes it otherwise.
 *
 * What is written must be read back the same. Where the format cannot hold a column, that column is
 * lost; a format for others to read should say so in a header line, as gwf.c does. Where it cannot
 * hold a job at all, fail and name the job, as batsim/write.c does.
 */
static int template_write(const struct loom_trace *trace, struct loom_output *out,
                          const struct loom_write_options *options, struct loom_error *err)
{
    (void)options; /* the threads to use, for formats that are slow to write */
    int rc = loom_rows_write_header(trace, out, err);
    for (size_t row = 0; row < loom_trace_count(trace) && !rc; row++) {
        struct loom_job job = loom_trace_job(trace, row);
        rc = write_template_job(&job, out, err);
    }
    return rc;
}

/* ---- probing --------------------------------------------------------------------------------- */

/*
 * How sure the first bytes of a file (some hundred KB at most, perhaps cut in a line) make it that
 * this is the format: 0 to 100. From 80 on, the content counts for more than the file's suffix, so
 * give that only for what no other format has, such as a magic word; from 20 on, it is enough where
 * the suffix says nothing. Every format is asked about every file: be quick, and modest.
 */
static int template_probe(const char *head, size_t size)
{
    struct loom_lines lines = {.next = head, .end = head + size};
    const char *line;
    size_t length;
    while (loom_lines_next(&lines, &line, &length)) {
        struct field fields[FIELDS];
        struct loom_job job;
        int n = length > 0 && line[0] == '#' ? 0 : cut(fields, line, length);
        if (n == 0)
            continue;
        if (n != FIELDS)
            return 0;
        for (int i = 0; i < FIELDS; i++)
            if (loom_column_set(&job, columns[i], fields[i].text, fields[i].length) < 0)
                return 0;
        return 40;
    }
    return 0;
}

/* ---- the format ------------------------------------------------------------------------------ */

/* All that the rest of the house knows of this file. A format that is only read has no .write, and
 * says so in .can_write. Suffixes are separated by blanks and come without ".gz". */
const struct loom_format_ops loom_format_template = {
    .info = {.name = "template",
             .summary = "submit time, runtime and processors, a job a line",
             .suffixes = "template",
             .can_read = true,
             .can_write = true},
    .probe = template_probe,
    .read = template_read,
    .write = template_write,
};

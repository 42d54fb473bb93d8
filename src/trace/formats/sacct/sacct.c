/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the text of Slurm's `sacct --parsable2` (or --parsable): one record a line, fields
 * separated by '|', columns named by the header line or by the caller.
 *
 * One record is one job. Records of steps are counted and left out, but for their MaxRSS, of which
 * the largest stands in for a job that has none. An array range such as 123_[5-9] is one job for
 * each element. Job numbers are JobIDRaw where that is the job's own, else made from JobID
 * (loom_sacct_number), so that the same record gets the same number in every dump. A job that was
 * requeued has a record for each time it was in the queue, all with the same number.
 *
 * sacct prints times by the site's clock and does not name the zone. They are counted as if they
 * were UTC, so that the log's days and hours are the site's, and the header says so.
 */
#include "base/error.h"
#include "trace/formats/format.h"
#include "trace/formats/sacct/record.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    MAX_COLUMNS = 1024,
    /* Jobs that array ranges may add: a line of a few bytes must not fill the memory. */
    MAX_RANGE_JOBS = 2000000,
};

/* ---- the reader ------------------------------------------------------------------------------ */

struct sacct {
    struct loom_reader *reader;
    struct loom_trace *trace;
    const char *file;
    struct loom_sacct_line line;
    uint8_t columns[MAX_COLUMNS]; /* enum loom_sacct_field, by position */
    size_t n_columns;
    struct loom_sacct_text names[MAX_COLUMNS];
    bool filled[MAX_COLUMNS];     /* columns of the record at hand that have no place and a value */
    int64_t dropped[MAX_COLUMNS]; /* jobs with such a value, by column */
    int64_t gpu_jobs;
    struct loom_sacct_text header; /* the header line, if there is one */
    bool trailing_bar;             /* lines end in '|', as with --parsable */
    bool bars_known;               /* whether they do has been found out */
    struct loom_sacct_text
        memory_job; /* id of the last job, if its memory may stand in its steps */
    int64_t first_submit_s;
    int64_t range_jobs, cut_ranges, early_starts;
};

/* ---- columns --------------------------------------------------------------------------------- */

/* Cut the next piece off a list. False when the list is used up. */
static bool next_piece(struct loom_sacct_text *list, char separator, struct loom_sacct_text *piece)
{
    if (!list->at)
        return false;
    const char *stop = memchr(list->at, separator, list->length);
    *piece = (struct loom_sacct_text){list->at, stop ? (size_t)(stop - list->at) : list->length};
    if (stop) {
        list->length -= piece->length + 1;
        list->at = stop + 1;
    } else {
        *list = (struct loom_sacct_text){NULL, 0};
    }
    return true;
}

static size_t count_bars(struct loom_sacct_text line)
{
    size_t bars = 0;
    for (size_t i = 0; i < line.length; i++)
        bars += line.at[i] == '|';
    return bars;
}

static bool ends_in_bar(struct loom_sacct_text line)
{
    return line.length > 0 && line.at[line.length - 1] == '|';
}

static bool has_column(const struct sacct *s, enum loom_sacct_field field)
{
    return memchr(s->columns, (int)field, s->n_columns) != NULL;
}

/* Take the names of a list as the columns. Of a column named twice, the first counts. */
static int set_columns(struct sacct *s, struct loom_sacct_text list, char separator,
                       struct loom_error *err)
{
    struct loom_sacct_text name;

    while (next_piece(&list, separator, &name)) {
        if (s->n_columns == MAX_COLUMNS)
            return loom_fail_at(err, LOOM_ERANGE, s->file, 0, 0, "more than %d columns are named",
                                MAX_COLUMNS);
        enum loom_sacct_field field = loom_sacct_find_field(name);
        bool again = has_column(s, field);
        s->names[s->n_columns] = name;
        s->columns[s->n_columns++] = (uint8_t)(again ? SACCT_IGNORED : field);
    }
    return 0;
}

/* Jobs cannot do without an id and a submit time. */
static int check_columns(const struct sacct *s, int code, int64_t line, const char *who,
                         struct loom_error *err)
{
    if (!has_column(s, SACCT_JOB_ID) && !has_column(s, SACCT_JOB_ID_RAW))
        return loom_fail_at(err, code, s->file, line, 0,
                            "%s neither JobID nor JobIDRaw: add one to sacct's --format", who);
    if (!has_column(s, SACCT_SUBMIT))
        return loom_fail_at(err, code, s->file, line, 0, "%s no Submit: add it to sacct's --format",
                            who);
    return 0;
}

static int take_given_columns(struct sacct *s, struct loom_error *err)
{
    const char *list = s->reader->options->columns;
    if (!list)
        return 0;
    int rc = set_columns(s, (struct loom_sacct_text){list, strlen(list)}, ',', err);
    return rc ? rc : check_columns(s, LOOM_EUSAGE, 0, "the columns given name", err);
}

/* A header line has bars, and a job id's name among its names. */
static bool is_header(struct loom_sacct_text line)
{
    struct loom_sacct_text name;

    if (count_bars(line) == 0)
        return false;
    while (next_piece(&line, '|', &name)) {
        enum loom_sacct_field field = loom_sacct_find_field(name);
        if (field == SACCT_JOB_ID || field == SACCT_JOB_ID_RAW)
            return true;
    }
    return false;
}

/* Names given by the caller take the place of the header line, which must have as many. */
static int take_header(struct sacct *s, struct loom_sacct_text line, int64_t number,
                       struct loom_error *err)
{
    s->header = line;
    s->trailing_bar = ends_in_bar(line);
    s->bars_known = true;
    line.length -= s->trailing_bar;
    if (s->n_columns == 0) {
        int rc = set_columns(s, line, '|', err);
        return rc ? rc : check_columns(s, LOOM_EFORMAT, number, "the header line names", err);
    }
    if (s->n_columns == count_bars(line) + 1)
        return 0;
    int rc = loom_fail_at(err, LOOM_EUSAGE, s->file, number, 0,
                          "columns has %zu names, but the header line %zu: leave it out",
                          s->n_columns, count_bars(line) + 1);
    return loom_blame(rc, "columns", err);
}

/* Look at the first line for a header. */
static int take_first(struct sacct *s, struct loom_sacct_text line, int64_t number,
                      struct loom_error *err)
{
    if (is_header(line))
        return take_header(s, line, number, err);
    if (s->n_columns)
        return 0;
    int rc = loom_fail_at(err, LOOM_EFORMAT, s->file, number, 0,
                          "this sacct output has no header line: give columns, or run sacct "
                          "without --noheader");
    return loom_blame(rc, "columns", err);
}

/* ---- lines ----------------------------------------------------------------------------------- */

static bool complain_count(struct sacct *s, const char *place, size_t found)
{
    const char *hint = found < s->n_columns
                           ? ""
                           : "; a '|' in JobName can be read only where JobName is the last column";
    return loom_sacct_complain(&s->line, place, "the line has %zu fields, not %zu as the columns%s",
                               found, s->n_columns, hint);
}

/* The line without the bar that --parsable puts at its end. Without a header line, the first record
 * whose fields add up one way or the other shows whether there is one. */
static struct loom_sacct_text without_last_bar(struct sacct *s, struct loom_sacct_text line)
{
    if (!s->bars_known) {
        size_t bars = count_bars(line);
        s->trailing_bar = bars == s->n_columns && ends_in_bar(line);
        s->bars_known = s->trailing_bar || bars + 1 == s->n_columns;
    }
    line.length -= s->trailing_bar && ends_in_bar(line);
    return line;
}

/* Columns that nothing is read from, and the account where the group is known by its own name. */
static bool has_no_place(const struct sacct *s, uint8_t column)
{
    return column == SACCT_IGNORED || column == SACCT_NODE_LIST ||
           (column == SACCT_ACCOUNT && has_column(s, SACCT_GROUP));
}

/* Cut the line into its fields. A '|' in JobName, where that is the last column, belongs to it. */
static bool sacct_split(struct sacct *s, struct loom_sacct_text line)
{
    struct loom_sacct_text rest = without_last_bar(s, line), piece = rest;
    bool name_is_last = s->columns[s->n_columns - 1] == SACCT_JOB_NAME;
    size_t n = 0;

    memset(s->line.fields, 0, sizeof s->line.fields);
    for (; n < s->n_columns && rest.at; n++) {
        if (n + 1 == s->n_columns && name_is_last) {
            piece = rest;
            rest.at = NULL;
        } else {
            next_piece(&rest, '|', &piece);
        }
        if (s->columns[n] != SACCT_IGNORED)
            s->line.fields[s->columns[n]] = piece;
        s->filled[n] = piece.length > 0 && has_no_place(s, s->columns[n]);
    }
    if (rest.at)
        return complain_count(s, rest.at, n + 1 + count_bars(rest));
    return n == s->n_columns || complain_count(s, piece.at + piece.length, n);
}

/* A step is no job, but knows the memory that its job used. */
static void take_step(struct sacct *s, const struct loom_sacct_record *r)
{
    struct loom_sacct_text rss_text = s->line.fields[SACCT_MAX_RSS];
    struct loom_sacct_size rss;

    s->trace->report.skipped_steps++;
    if (!s->memory_job.at || !rss_text.at || r->id.length != s->memory_job.length ||
        memcmp(r->id_text.at, s->memory_job.at, r->id.length) != 0)
        return;
    double *used_kib = &s->trace->columns.used_mem_kib[loom_trace_count(s->trace) - 1];
    if (loom_sacct_size(&rss, rss_text.at, rss_text.length) && rss.kib > *used_kib)
        *used_kib = rss.kib;
}

static bool open_range(struct sacct *s, const struct loom_sacct_record *r,
                       struct loom_sacct_range *range, int64_t *count)
{
    bool cut;
    if (!loom_sacct_range_open(range, count, &cut, r->id.range, r->id.range_length))
        return loom_sacct_complain(&s->line, r->id.range, "the array range cannot be read");
    if (*count > MAX_RANGE_JOBS - s->range_jobs)
        return loom_sacct_complain(&s->line, r->id.range,
                                   "the log's array ranges stand for more than %d jobs",
                                   MAX_RANGE_JOBS);
    s->range_jobs += *count;
    s->cut_ranges += cut;
    return true;
}

/* ---- into the table -------------------------------------------------------------------------- */

/* Number the name in the first of two columns that has one. */
static int intern(struct sacct *s, enum loom_name_kind kind, enum loom_sacct_field first,
                  enum loom_sacct_field second, int32_t *number, struct loom_error *err)
{
    struct loom_sacct_text name = s->line.fields[first];
    if (name.length == 0)
        name = s->line.fields[second];
    if (name.length == 0)
        return 0;
    return loom_trace_intern(number, s->trace, kind, name.at, name.length, err);
}

static int intern_names(struct sacct *s, struct loom_job *job, struct loom_error *err)
{
    int rc = intern(s, LOOM_USER, SACCT_USER, SACCT_UID, &job->user, err);
    if (!rc)
        rc = intern(s, LOOM_GROUP, SACCT_GROUP, SACCT_ACCOUNT, &job->group, err);
    if (!rc && job->group < 0)
        rc = intern(s, LOOM_GROUP, SACCT_GID, SACCT_GID, &job->group, err);
    if (!rc)
        rc = intern(s, LOOM_EXECUTABLE, SACCT_JOB_NAME, SACCT_JOB_NAME, &job->executable, err);
    if (!rc)
        rc = intern(s, LOOM_QUEUE, SACCT_PARTITION, SACCT_PARTITION, &job->queue, err);
    if (!rc)
        rc = intern(s, LOOM_PARTITION, SACCT_CLUSTER, SACCT_CLUSTER, &job->partition, err);
    return rc;
}

/* With sacct's --array, the elements that are still in the array's own record all carry its id as
 * their JobIDRaw. */
static int64_t job_number(const struct loom_sacct_record *r)
{
    bool shared = r->id.kind == LOOM_SACCT_ELEMENT && !r->started && r->raw_id == r->id.base;
    return r->raw_id >= 0 && !shared ? r->raw_id : loom_sacct_number(&r->id, r->id.element);
}

static bool has_gpu(const struct sacct *s, enum loom_sacct_field field)
{
    struct loom_sacct_text tres = s->line.fields[field];
    size_t length = 0;
    return tres.at && loom_sacct_tres(&length, tres.at, tres.length, "gres/gpu") && length > 0;
}

static void count_dropped(struct sacct *s)
{
    for (size_t n = 0; n < s->n_columns; n++)
        s->dropped[n] += s->filled[n];
    s->gpu_jobs += has_gpu(s, SACCT_ALLOC_TRES) || has_gpu(s, SACCT_REQ_TRES);
}

static void report_dropped(struct sacct *s)
{
    for (size_t n = 0; n < s->n_columns; n++)
        loom_reader_dropped(s->reader, s->names[n].at, s->names[n].length, s->dropped[n]);
    loom_reader_dropped(s->reader, "GPUs", 4, s->gpu_jobs);
}

static int add_sacct_job(struct sacct *s, struct loom_sacct_record *r, struct loom_error *err)
{
    count_dropped(s);
    if (r->started && r->job.used_mem_kib < 0)
        s->memory_job = (struct loom_sacct_text){r->id_text.at, r->id.length};
    r->job.number = job_number(r);
    return loom_trace_append(s->trace, &r->job, err);
}

static int add_range(struct sacct *s, struct loom_sacct_record *r, struct loom_sacct_range *range,
                     int64_t count, struct loom_error *err)
{
    int64_t element;
    int rc = 0;

    while (!rc && loom_sacct_range_next(range, &element)) {
        bool own = count == 1 && r->raw_id >= 0;
        r->job.number = own ? r->raw_id : loom_sacct_number(&r->id, element);
        rc = loom_trace_append(s->trace, &r->job, err);
    }
    return rc;
}

/* Read one line that is not a header. False with a complaint; *rc is for what is no fault of the
 * line. */
static bool read_line(struct sacct *s, struct loom_sacct_text line, int *rc, struct loom_error *err)
{
    struct loom_sacct_record r;
    struct loom_sacct_range range;
    int64_t count = 0;
    const char *nul = memchr(line.at, '\0', line.length);

    s->line.text = line.at;
    if (nul)
        return loom_sacct_complain(&s->line, nul, "the line has a NUL byte");
    if (!sacct_split(s, line) || !loom_sacct_read_id(&r, &s->line))
        return false;
    if (r.id.step) {
        take_step(s, &r);
        return true;
    }
    s->memory_job.at = NULL;
    if (!loom_sacct_read_record(&r, &s->line) ||
        (r.id.kind == LOOM_SACCT_RANGE && !open_range(s, &r, &range, &count)))
        return false;
    if (s->first_submit_s < 0 || r.submit_s < s->first_submit_s)
        s->first_submit_s = r.submit_s;
    s->early_starts += r.early && r.started;
    s->trace->report.rounded += r.rounded;
    *rc = intern_names(s, &r.job, err);
    if (!*rc)
        *rc = count ? add_range(s, &r, &range, count, err) : add_sacct_job(s, &r, err);
    return true;
}

/* Read a line, or reject it whole: a bad line sets no clock for the others. */
static int take_line(struct sacct *s, struct loom_sacct_text line, int64_t number,
                     struct loom_error *err)
{
    enum loom_sacct_clock clock = s->line.clock;
    int rc = 0;

    if (read_line(s, line, &rc, err))
        return rc;
    s->line.clock = clock;
    return loom_reader_reject(s->reader, err, number, s->line.problem_column, "%s",
                              s->line.problem);
}

static int read_lines(struct sacct *s, struct loom_lines lines, struct loom_error *err)
{
    struct loom_sacct_text line;
    bool first = true;
    int rc = 0;

    while (!rc && loom_lines_next(&lines, &line.at, &line.length)) {
        if (line.length == 0)
            continue;
        if (first)
            rc = take_first(s, line, lines.number, err);
        first = false;
        /* Dumps that were joined repeat the header line. */
        bool header =
            line.length == s->header.length && memcmp(line.at, s->header.at, line.length) == 0;
        if (!rc && !header)
            rc = take_line(s, line, lines.number, err);
    }
    if (!rc && s->n_columns == 0)
        rc = loom_fail_at(err, LOOM_EFORMAT, s->file, 0, 0,
                          "there is nothing in it, not even sacct's header line");
    return rc;
}

/* ---- the header of the trace ----------------------------------------------------------------- */

static int add_count_note(struct loom_trace *trace, int64_t count, const char *what,
                          struct loom_error *err)
{
    char note[256];
    if (count == 0)
        return 0;
    snprintf(note, sizeof note, "%" PRId64 " %s", count, what);
    return loom_trace_add_directive(trace, "Note", note, err);
}

static int add_computer(struct loom_trace *trace, struct loom_error *err)
{
    const char *cluster = loom_trace_name(trace, LOOM_PARTITION, 1);
    if (!cluster || loom_trace_name(trace, LOOM_PARTITION, 2))
        return 0;
    return loom_trace_add_directive(trace, "Computer", cluster, err);
}

static int add_clock(struct sacct *s, struct loom_error *err)
{
    static const char local[] = "times are by the site's clock, counted as if it were UTC; a wait "
                                "across a change to or from summer time is off by that change";
    int rc = loom_trace_set_directive_number(s->trace, "UnixStartTime", s->first_submit_s, err);
    if (rc || s->line.clock == LOOM_SACCT_UNIX_CLOCK)
        return rc;
    rc = loom_trace_set_directive_number(s->trace, "TimeZone", 0, err);
    return rc ? rc : loom_trace_add_directive(s->trace, "Note", local, err);
}

static int add_notes(struct sacct *s, struct loom_error *err)
{
    static const char names[] = "from sacct of Slurm: queue is its partition, partition its "
                                "cluster, executable its job name";
    int rc = loom_trace_add_directive(s->trace, "Note", names, err);
    if (!rc)
        rc = add_count_note(s->trace, s->trace->report.skipped_steps, "records of steps left out",
                            err);
    if (!rc)
        rc = add_count_note(s->trace, s->range_jobs,
                            "jobs are elements of array ranges, which never started", err);
    if (!rc)
        rc = add_count_note(s->trace, s->cut_ranges,
                            "array ranges were cut short by sacct, and lack their last elements",
                            err);
    if (!rc)
        rc = add_count_note(s->trace, s->early_starts,
                            "jobs started before their submit time, and have no wait", err);
    return rc;
}

static int sacct_finish(struct sacct *s, struct loom_error *err)
{
    int64_t *submit_s = s->trace->columns.submit_s;
    size_t n = loom_trace_count(s->trace);

    for (size_t i = 0; i < n; i++)
        submit_s[i] -= s->first_submit_s;
    int rc = loom_trace_add_directive(s->trace, "Version", "2.2", err);
    if (!rc)
        rc = add_computer(s->trace, err);
    if (!rc)
        rc = loom_trace_set_directive_number(s->trace, "MaxJobs", (int64_t)n, err);
    if (!rc)
        rc = loom_trace_set_directive_number(s->trace, "MaxRecords", (int64_t)n, err);
    if (!rc && n)
        rc = add_clock(s, err);
    return rc ? rc : add_notes(s, err);
}

/* ---- the format ------------------------------------------------------------------------------ */

static int read_sacct(struct loom_reader *reader, struct loom_error *err)
{
    struct sacct s = {.reader = reader,
                      .trace = reader->trace,
                      .file = loom_input_name(reader->input),
                      .first_submit_s = -1};
    const char *text;
    size_t size;

    int rc = take_given_columns(&s, err);
    if (!rc)
        rc = loom_input_text(reader->input, &text, &size, err);
    if (!rc)
        rc = read_lines(&s, (struct loom_lines){.next = text, .end = text + size}, err);
    if (!rc)
        report_dropped(&s);
    return rc ? rc : sacct_finish(&s, err);
}

/* Certain by a header line; a guess by a number and a few bars, so that output without a header
 * line gets the message that says what it lacks. */
static int probe_sacct(const char *head, size_t size)
{
    struct loom_lines lines = {.next = head, .end = head + size};
    struct loom_sacct_text line = {head, 0};

    while (line.length == 0) {
        if (!loom_lines_next(&lines, &line.at, &line.length))
            return 0;
    }
    if (is_header(line))
        return 95;
    bool number = line.at[0] >= '0' && line.at[0] <= '9';
    return number && count_bars(line) >= 3 ? 25 : 0;
}

const struct loom_format_ops loom_format_sacct = {
    .info = {.name = "sacct",
             .summary =
                 "output of Slurm's sacct --parsable2, with its header line or its columns given",
             .suffixes = "sacct",
             .can_read = true,
             .can_write = false},
    .probe = probe_sacct,
    .read = read_sacct,
    .write = NULL,
};

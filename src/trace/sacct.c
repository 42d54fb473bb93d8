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
 * A job that never started has no run time and no allocated processors, and its wait is the time it
 * was in the queue until it was removed: this is how the archive's logs show cancelled jobs. A job
 * that is not over has no run time either: its Elapsed is only that of the moment sacct ran. Run
 * time is Elapsed, from which Slurm has taken the time a job was suspended.
 *
 * sacct prints times by the site's clock and does not name the zone. They are counted as if they
 * were UTC, so that the log's days and hours are the site's, and the header says so.
 */
#include "trace/format.h"
#include "trace/sacct_values.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The columns that mean something here, by their names in sacct. */
#define FIELDS(X)                    \
    X(ACCOUNT, "Account")            \
    X(ALLOC_CPUS, "AllocCPUS")       \
    X(ALLOC_NODES, "AllocNodes")     \
    X(ALLOC_TRES, "AllocTRES")       \
    X(CLUSTER, "Cluster")            \
    X(CPU_TIME_RAW, "CPUTimeRAW")    \
    X(ELAPSED, "Elapsed")            \
    X(ELAPSED_RAW, "ElapsedRaw")     \
    X(END, "End")                    \
    X(GID, "GID")                    \
    X(GROUP, "Group")                \
    X(JOB_ID, "JobID")               \
    X(JOB_ID_RAW, "JobIDRaw")        \
    X(JOB_NAME, "JobName")           \
    X(MAX_RSS, "MaxRSS")             \
    X(NCPUS, "NCPUS")                \
    X(NNODES, "NNodes")              \
    X(NODE_LIST, "NodeList")         \
    X(PARTITION, "Partition")        \
    X(REQ_CPUS, "ReqCPUS")           \
    X(REQ_MEM, "ReqMem")             \
    X(REQ_NODES, "ReqNodes")         \
    X(REQ_TRES, "ReqTRES")           \
    X(START, "Start")                \
    X(STATE, "State")                \
    X(SUBMIT, "Submit")              \
    X(TIMELIMIT, "Timelimit")        \
    X(TIMELIMIT_RAW, "TimelimitRaw") \
    X(TOTAL_CPU, "TotalCPU")         \
    X(UID, "UID")                    \
    X(USER, "User")

enum field {
#define X(id, name) F_##id,
    FIELDS(X)
#undef X
        F_IGNORED, /* any other column */
};
enum { FIELD_COUNT = F_IGNORED };

static const char *const field_names[FIELD_COUNT] = {
#define X(id, name) [F_##id] = name,
    FIELDS(X)
#undef X
};

/* A piece of a line. */
struct text {
    const char *at; /* NULL where the log lacks the column */
    size_t length;
};

/* A line, cut into fields. clock is that of the lines before it, and is set by the first time read:
 * all times of a log must be told by one clock, or their differences mean nothing. Where a record
 * cannot be read, problem says why. */
struct line {
    const char *text;
    struct text fields[FIELD_COUNT];
    enum loom_sacct_clock clock;
    int problem_column;
    char problem[256];
};

struct record {
    struct loom_sacct_id id;
    struct text id_text;
    int64_t raw_id; /* JobIDRaw, or -1 */
    struct loom_sacct_state state;
    int64_t submit_s, start_s, end_s;
    double elapsed_s;
    bool started;
    bool early;          /* it started before its submit time */
    bool rounded;        /* its run time had a fraction */
    struct loom_job job; /* without number and names; its submit time is not yet shifted */
};

enum {
    MAX_COLUMNS = 1024,
    SHOWN_BYTES = 40,
    /* Jobs that array ranges may add: a line of a few bytes must not fill the memory. */
    MAX_RANGE_JOBS = 2000000,
};

/* ---- complaints ------------------------------------------------------------------------------ */

static bool complain(struct line *line, const char *place, const char *format, ...)
    LOOM_PRINTF(3, 4);

/* Note what is wrong at a place in the line. Returns false, to be handed up. */
static bool complain(struct line *line, const char *place, const char *format, ...)
{
    va_list arguments;
    ptrdiff_t column = place - line->text + 1;

    line->problem_column = column <= INT32_MAX ? (int)column : 0;
    va_start(arguments, format);
    vsnprintf(line->problem, sizeof line->problem, format, arguments);
    va_end(arguments);
    return false;
}

/* The start of a text, safe to print. */
static const char *shown(char buf[SHOWN_BYTES + 1], struct text text)
{
    size_t length = text.length < SHOWN_BYTES ? text.length : SHOWN_BYTES;
    for (size_t i = 0; i < length; i++)
        buf[i] = text.at[i] >= ' ' && text.at[i] <= '~' ? text.at[i] : '?';
    buf[length] = '\0';
    return buf;
}

static bool complain_field(struct line *line, enum field field, const char *what)
{
    char buf[SHOWN_BYTES + 1];
    struct text text = line->fields[field];
    return complain(line, text.at, "%s '%s' is not %s", field_names[field], shown(buf, text), what);
}

/* ---- fields ---------------------------------------------------------------------------------- */

/* Does the log have this column? */
static bool exists(const struct line *line, enum field field)
{
    return line->fields[field].at != NULL;
}

/* The text of a field, empty where the log lacks the column. */
static struct text text_of(const struct line *line, enum field field)
{
    return exists(line, field) ? line->fields[field] : (struct text){"", 0};
}

static bool get_duration(double *seconds, struct line *line, enum field field)
{
    struct text text = text_of(line, field);
    return loom_sacct_duration(seconds, text.at, text.length) ||
           complain_field(line, field, "a duration such as 1-02:03:04");
}

static bool get_count(int64_t *count, struct line *line, enum field field)
{
    struct text text = text_of(line, field);
    return loom_sacct_count(count, text.at, text.length) ||
           complain_field(line, field, "a whole number");
}

static bool get_size(struct loom_sacct_size *size, struct line *line, enum field field)
{
    struct text text = text_of(line, field);
    return loom_sacct_size(size, text.at, text.length) ||
           complain_field(line, field, "a size such as 4000M, 4Gn or 4Gc");
}

static bool get_time(int64_t *seconds, struct line *line, enum field field)
{
    struct text text = text_of(line, field);
    struct loom_sacct_time time;

    if (!loom_sacct_time(&time, text.at, text.length))
        return complain_field(line, field, "a time such as 2016-12-21T21:43:34");
    if (time.clock != LOOM_SACCT_NO_CLOCK) {
        if (line->clock == LOOM_SACCT_NO_CLOCK)
            line->clock = time.clock;
        if (time.clock != line->clock)
            return complain_field(line, field, "in the form of the times before it");
    }
    *seconds = time.s;
    return true;
}

/* A count out of "cpu=12,mem=48000M,node=1". */
static bool get_tres_count(int64_t *count, struct line *line, enum field field, const char *key)
{
    struct text text = text_of(line, field);
    size_t length = 0;
    const char *value = loom_sacct_tres(&length, text.at, text.length, key);
    return loom_sacct_count(count, value ? value : "", length) ||
           complain(line, value, "%s has a %s that is not a whole number", field_names[field], key);
}

/* Where an amount may be found, in order; the last place is an entry of a list. */
struct places {
    enum field first, second, tres;
    const char *key;
};

/* The first amount above 0, else -1. */
static bool get_amount(int64_t *amount, struct line *line, const struct places *places)
{
    if (!get_count(amount, line, places->first))
        return false;
    if (*amount <= 0 && !get_count(amount, line, places->second))
        return false;
    if (*amount <= 0 && !get_tres_count(amount, line, places->tres, places->key))
        return false;
    if (*amount <= 0)
        *amount = -1;
    return true;
}

/* ---- id, state and times --------------------------------------------------------------------- */

/* The job id alone: enough to tell steps from jobs. */
static bool read_id(struct record *record, struct line *line)
{
    bool named = line->fields[F_JOB_ID].length > 0;
    enum field field = named ? F_JOB_ID : F_JOB_ID_RAW;
    struct text text = text_of(line, field), raw = text_of(line, F_JOB_ID_RAW);
    struct loom_sacct_id raw_id;

    *record = (struct record){.id_text = text, .raw_id = -1, .job = loom_job_unknown()};
    if (text.length == 0)
        return complain(line, line->text, "the record has no job id");
    if (!loom_sacct_id(&record->id, text.at, text.length))
        return complain_field(line, field, "a job id such as 123, 123_4 or 123.batch");
    if (loom_sacct_id(&raw_id, raw.at, raw.length) && raw_id.kind == LOOM_SACCT_PLAIN &&
        !raw_id.step)
        record->raw_id = raw_id.base;
    return true;
}

static bool get_state(struct record *r, struct line *line)
{
    struct text text = text_of(line, F_STATE);
    if (!loom_sacct_state(&r->state, text.at, text.length))
        return complain_field(line, F_STATE, "a state of Slurm's");
    r->job.status = r->state.status;
    return true;
}

static bool get_elapsed(struct record *r, struct line *line)
{
    int64_t whole_s;
    if (!get_count(&whole_s, line, F_ELAPSED_RAW) || !get_duration(&r->elapsed_s, line, F_ELAPSED))
        return false;
    if (whole_s >= 0)
        r->elapsed_s = (double)whole_s;
    return true;
}

static bool get_times(struct record *r, struct line *line)
{
    if (!get_time(&r->submit_s, line, F_SUBMIT) || !get_time(&r->start_s, line, F_START) ||
        !get_time(&r->end_s, line, F_END) || !get_elapsed(r, line))
        return false;
    if (r->submit_s < 0)
        return complain(line, line->fields[F_SUBMIT].at, "the job has no submit time");
    if (!exists(line, F_START) && r->elapsed_s >= 0 && (double)r->end_s >= r->elapsed_s)
        r->start_s = r->end_s - llround(r->elapsed_s);
    r->job.submit_s = r->submit_s;
    return true;
}

/* Slurm gives many jobs that were removed from the queue a start equal to their end. A job that did
 * start, and ended within a second, looks the same but for its nodes. */
static bool has_started(const struct record *r, const struct line *line)
{
    struct text nodes = text_of(line, F_NODE_LIST);
    bool unassigned = loom_sacct_same(nodes.at, nodes.length, "None assigned");
    bool assigned = nodes.length > 0 && !unassigned;

    if (r->id.kind == LOOM_SACCT_RANGE || r->state.phase == LOOM_SACCT_WAITING)
        return false;
    if (exists(line, F_START) && r->start_s < 0)
        return false;
    if (r->elapsed_s > 0)
        return true;
    if (unassigned)
        return false;
    return assigned || r->state.phase != LOOM_SACCT_REMOVED ||
           (r->start_s >= 0 && r->end_s > r->start_s);
}

static bool is_over(const struct record *r, const struct line *line)
{
    if (r->state.phase == LOOM_SACCT_UNSAID)
        return !exists(line, F_END) || r->end_s >= 0;
    return r->state.phase == LOOM_SACCT_ENDED || r->state.phase == LOOM_SACCT_REMOVED;
}

/* A start before the submit comes of a clock set back, or of a job put back into the queue: the
 * wait is then not known. */
static void set_wait(struct record *r, const struct line *line)
{
    int64_t until_s = r->started ? r->start_s : r->end_s;
    if (until_s < 0 || (!r->started && !is_over(r, line)))
        return;
    r->early = until_s < r->submit_s;
    if (!r->early)
        r->job.wait_s = until_s - r->submit_s;
}

/* Without Elapsed and End, CPUTimeRAW tells the run time: it is Elapsed times the processors. */
static bool get_run(struct record *r, struct line *line)
{
    int64_t cpu_time_s;
    if (!get_count(&cpu_time_s, line, F_CPU_TIME_RAW))
        return false;
    if (!r->started || !is_over(r, line))
        return true;
    if (r->elapsed_s >= 0) {
        r->job.run_s = llround(r->elapsed_s);
        r->rounded = r->elapsed_s != (double)r->job.run_s;
    } else if (r->start_s >= 0 && r->end_s >= r->start_s) {
        r->job.run_s = r->end_s - r->start_s;
    } else if (cpu_time_s >= 0 && r->job.alloc_procs > 0) {
        r->job.run_s = cpu_time_s / r->job.alloc_procs;
    }
    return true;
}

/* ---- amounts --------------------------------------------------------------------------------- */

static bool set_procs(int32_t *procs, struct line *line, int64_t amount)
{
    if (amount > INT32_MAX)
        return complain(line, line->text, "%" PRId64 " processors are more than a job can have",
                        amount);
    *procs = (int32_t)amount;
    return true;
}

/* Older versions of Slurm show the processors asked for as NCPUS while none are allocated. */
static bool get_procs(struct record *r, struct line *line)
{
    static const struct places allocated_in = {F_ALLOC_CPUS, F_NCPUS, F_ALLOC_TRES, "cpu"};
    static const struct places requested_in = {F_REQ_CPUS, F_REQ_CPUS, F_REQ_TRES, "cpu"};
    int64_t allocated, requested;

    if (!get_amount(&allocated, line, &allocated_in) ||
        !get_amount(&requested, line, &requested_in))
        return false;
    if (!r->started && requested < 0)
        requested = allocated;
    return set_procs(&r->job.alloc_procs, line, r->started ? allocated : -1) &&
           set_procs(&r->job.req_procs, line, requested);
}

static bool get_nodes(int64_t *nodes, struct line *line)
{
    static const struct places requested_in = {F_REQ_NODES, F_REQ_NODES, F_REQ_TRES, "node"};
    static const struct places allocated_in = {F_NNODES, F_ALLOC_NODES, F_ALLOC_TRES, "node"};
    return get_amount(nodes, line, &requested_in) &&
           (*nodes > 0 || get_amount(nodes, line, &allocated_in));
}

/* Requested memory by ReqMem or, where that says nothing, the job's sum in ReqTRES. */
static bool get_requested_size(struct loom_sacct_size *size, struct line *line)
{
    struct text tres = text_of(line, F_REQ_TRES);
    size_t length = 0;

    if (!get_size(size, line, F_REQ_MEM))
        return false;
    const char *mem = loom_sacct_tres(&length, tres.at, tres.length, "mem");
    return size->kib > 0 || !mem || loom_sacct_size(size, mem, length) ||
           complain(line, mem, "%s has a mem that is not a size such as 4000M",
                    field_names[F_REQ_TRES]);
}

/* SWF wants memory per processor: what a node or the job asks for is divided among its processors.
 * A request of 0 asks for all there is, which is not a number. */
static bool get_requested_mem(struct record *r, struct line *line)
{
    struct loom_sacct_size size;
    int64_t nodes;

    if (!get_requested_size(&size, line) || !get_nodes(&nodes, line))
        return false;
    double procs = r->job.req_procs > 0 ? r->job.req_procs : r->job.alloc_procs;
    if (size.kib <= 0)
        return true;
    if (size.per == LOOM_SACCT_PER_CPU)
        r->job.req_mem_kib = size.kib;
    else if (size.per == LOOM_SACCT_PER_JOB && procs > 0)
        r->job.req_mem_kib = size.kib / procs;
    else if (size.per == LOOM_SACCT_PER_NODE && procs > 0 && nodes > 0)
        r->job.req_mem_kib = size.kib * (double)nodes / procs;
    return true;
}

static bool get_used(struct record *r, struct line *line)
{
    struct loom_sacct_size rss;
    double cpu_s;

    if (!get_size(&rss, line, F_MAX_RSS) || !get_duration(&cpu_s, line, F_TOTAL_CPU))
        return false;
    if (!r->started)
        return true;
    r->job.used_mem_kib = rss.kib;
    if (cpu_s >= 0 && r->job.alloc_procs > 0)
        r->job.cpu_s = cpu_s / r->job.alloc_procs;
    return true;
}

static bool get_requested_time(struct record *r, struct line *line)
{
    int64_t minutes;
    double seconds;

    if (!get_count(&minutes, line, F_TIMELIMIT_RAW) || !get_duration(&seconds, line, F_TIMELIMIT))
        return false;
    if (minutes > INT64_MAX / 60)
        return complain_field(line, F_TIMELIMIT_RAW, "a number of minutes to count with");
    r->job.req_time_s = minutes >= 0 ? minutes * 60 : llround(seconds);
    return true;
}

/* All but the id. */
static bool read_record(struct record *r, struct line *line)
{
    if (!get_state(r, line) || !get_times(r, line))
        return false;
    r->started = has_started(r, line);
    set_wait(r, line);
    return get_procs(r, line) && get_run(r, line) && get_requested_mem(r, line) &&
           get_used(r, line) && get_requested_time(r, line);
}

/* ---- the reader ------------------------------------------------------------------------------ */

struct sacct {
    struct loom_reader *reader;
    struct loom_trace *trace;
    const char *file;
    struct line line;
    uint8_t columns[MAX_COLUMNS]; /* enum field, by position */
    size_t n_columns;
    struct text header;     /* the header line, if there is one */
    bool trailing_bar;      /* lines end in '|', as with --parsable */
    bool bars_known;        /* whether they do has been found out */
    struct text memory_job; /* id of the last job, if its steps may tell its memory */
    int64_t first_submit_s;
    int64_t range_jobs, cut_ranges, early_starts;
};

/* ---- columns --------------------------------------------------------------------------------- */

/* Cut the next piece off a list. False when the list is used up. */
static bool next_piece(struct text *list, char separator, struct text *piece)
{
    if (!list->at)
        return false;
    const char *stop = memchr(list->at, separator, list->length);
    *piece = (struct text){list->at, stop ? (size_t)(stop - list->at) : list->length};
    if (stop) {
        list->length -= piece->length + 1;
        list->at = stop + 1;
    } else {
        *list = (struct text){NULL, 0};
    }
    return true;
}

static size_t count_bars(struct text line)
{
    size_t bars = 0;
    for (size_t i = 0; i < line.length; i++)
        bars += line.at[i] == '|';
    return bars;
}

static bool ends_in_bar(struct text line)
{
    return line.length > 0 && line.at[line.length - 1] == '|';
}

/* The column of a name, which may have blanks around it, and a width as in sacct's --format:
 * JobName%30. */
static enum field find_field(struct text name)
{
    const char *width = memchr(name.at, '%', name.length);
    if (width)
        name.length = (size_t)(width - name.at);
    for (; name.length > 0 && name.at[0] == ' '; name.length--)
        name.at++;
    while (name.length > 0 && name.at[name.length - 1] == ' ')
        name.length--;
    for (int i = 0; i < FIELD_COUNT; i++) {
        if (loom_sacct_same(name.at, name.length, field_names[i]))
            return (enum field)i;
    }
    return F_IGNORED;
}

static bool has_column(const struct sacct *s, enum field field)
{
    return memchr(s->columns, (int)field, s->n_columns) != NULL;
}

/* Take the names of a list as the columns. Of a column named twice, the first counts. */
static int set_columns(struct sacct *s, struct text list, char separator, struct loom_error *err)
{
    struct text name;

    while (next_piece(&list, separator, &name)) {
        if (s->n_columns == MAX_COLUMNS)
            return loom_fail_at(err, LOOM_ERANGE, s->file, 0, 0, "more than %d columns are named",
                                MAX_COLUMNS);
        enum field field = find_field(name);
        bool again = has_column(s, field);
        s->columns[s->n_columns++] = (uint8_t)(again ? F_IGNORED : field);
    }
    return 0;
}

/* Jobs cannot do without an id and a submit time. */
static int check_columns(const struct sacct *s, int code, int64_t line, const char *who,
                         struct loom_error *err)
{
    if (!has_column(s, F_JOB_ID) && !has_column(s, F_JOB_ID_RAW))
        return loom_fail_at(err, code, s->file, line, 0,
                            "%s neither JobID nor JobIDRaw: add one to sacct's --format", who);
    if (!has_column(s, F_SUBMIT))
        return loom_fail_at(err, code, s->file, line, 0, "%s no Submit: add it to sacct's --format",
                            who);
    return 0;
}

static int take_given_columns(struct sacct *s, struct loom_error *err)
{
    const char *list = s->reader->options->columns;
    if (!list)
        return 0;
    int rc = set_columns(s, (struct text){list, strlen(list)}, ',', err);
    return rc ? rc : check_columns(s, LOOM_EUSAGE, 0, "the columns given name", err);
}

/* A header line has bars, and a job id's name among its names. */
static bool is_header(struct text line)
{
    struct text name;

    if (count_bars(line) == 0)
        return false;
    while (next_piece(&line, '|', &name)) {
        enum field field = find_field(name);
        if (field == F_JOB_ID || field == F_JOB_ID_RAW)
            return true;
    }
    return false;
}

/* Names given by the caller win over those of the header line, which must be as many. */
static int take_header(struct sacct *s, struct text line, int64_t number, struct loom_error *err)
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
    return loom_fail_at(err, LOOM_EUSAGE, s->file, number, 0,
                        "the header line names %zu columns, but --columns names %zu: leave it out",
                        count_bars(line) + 1, s->n_columns);
}

/* Look at the first line for a header. */
static int take_first(struct sacct *s, struct text line, int64_t number, struct loom_error *err)
{
    if (is_header(line))
        return take_header(s, line, number, err);
    if (s->n_columns)
        return 0;
    return loom_fail_at(err, LOOM_EFORMAT, s->file, number, 0,
                        "this sacct output has no header line: name its columns with --columns, or "
                        "run sacct without --noheader");
}

/* ---- lines ----------------------------------------------------------------------------------- */

static bool complain_count(struct sacct *s, const char *place, size_t found)
{
    const char *hint = found < s->n_columns
                           ? ""
                           : "; a '|' in JobName can be read only where JobName is the last column";
    return complain(&s->line, place, "the line has %zu fields, not %zu as the columns%s", found,
                    s->n_columns, hint);
}

/* The line without the bar that --parsable puts at its end. Without a header line, the first record
 * whose fields add up one way or the other tells whether there is one. */
static struct text without_last_bar(struct sacct *s, struct text line)
{
    if (!s->bars_known) {
        size_t bars = count_bars(line);
        s->trailing_bar = bars == s->n_columns && ends_in_bar(line);
        s->bars_known = s->trailing_bar || bars + 1 == s->n_columns;
    }
    line.length -= s->trailing_bar && ends_in_bar(line);
    return line;
}

/* Cut the line into its fields. A '|' in JobName, where that is the last column, belongs to it. */
static bool split(struct sacct *s, struct text line)
{
    struct text rest = without_last_bar(s, line), piece = rest;
    bool name_is_last = s->columns[s->n_columns - 1] == F_JOB_NAME;
    size_t n = 0;

    memset(s->line.fields, 0, sizeof s->line.fields);
    for (; n < s->n_columns && rest.at; n++) {
        if (n + 1 == s->n_columns && name_is_last) {
            piece = rest;
            rest.at = NULL;
        } else {
            next_piece(&rest, '|', &piece);
        }
        if (s->columns[n] != F_IGNORED)
            s->line.fields[s->columns[n]] = piece;
    }
    if (rest.at)
        return complain_count(s, rest.at, n + 1 + count_bars(rest));
    return n == s->n_columns || complain_count(s, piece.at + piece.length, n);
}

/* A step is no job, but knows the memory that its job used. */
static void take_step(struct sacct *s, const struct record *r)
{
    struct text rss_text = s->line.fields[F_MAX_RSS];
    struct loom_sacct_size rss;

    s->trace->report.skipped_steps++;
    if (!s->memory_job.at || !rss_text.at || r->id.length != s->memory_job.length ||
        memcmp(r->id_text.at, s->memory_job.at, r->id.length) != 0)
        return;
    double *used_kib = &s->trace->columns.used_mem_kib[loom_trace_count(s->trace) - 1];
    if (loom_sacct_size(&rss, rss_text.at, rss_text.length) && rss.kib > *used_kib)
        *used_kib = rss.kib;
}

static bool open_range(struct sacct *s, const struct record *r, struct loom_sacct_range *range,
                       int64_t *count)
{
    bool cut;
    if (!loom_sacct_range_open(range, count, &cut, r->id.range, r->id.range_length))
        return complain(&s->line, r->id.range, "the array range cannot be read");
    if (*count > MAX_RANGE_JOBS - s->range_jobs)
        return complain(&s->line, r->id.range, "the log's array ranges stand for more than %d jobs",
                        MAX_RANGE_JOBS);
    s->range_jobs += *count;
    s->cut_ranges += cut;
    return true;
}

/* ---- into the table -------------------------------------------------------------------------- */

/* Number the name in the first of two columns that has one. */
static int intern(struct sacct *s, enum loom_name_kind kind, enum field first, enum field second,
                  int32_t *number, struct loom_error *err)
{
    struct text name = s->line.fields[first];
    if (name.length == 0)
        name = s->line.fields[second];
    if (name.length == 0)
        return 0;
    return loom_trace_intern(number, s->trace, kind, name.at, name.length, err);
}

static int intern_names(struct sacct *s, struct loom_job *job, struct loom_error *err)
{
    int rc = intern(s, LOOM_USER, F_USER, F_UID, &job->user, err);
    if (!rc)
        rc = intern(s, LOOM_GROUP, F_GROUP, F_ACCOUNT, &job->group, err);
    if (!rc && job->group < 0)
        rc = intern(s, LOOM_GROUP, F_GID, F_GID, &job->group, err);
    if (!rc)
        rc = intern(s, LOOM_EXECUTABLE, F_JOB_NAME, F_JOB_NAME, &job->executable, err);
    if (!rc)
        rc = intern(s, LOOM_QUEUE, F_PARTITION, F_PARTITION, &job->queue, err);
    if (!rc)
        rc = intern(s, LOOM_PARTITION, F_CLUSTER, F_CLUSTER, &job->partition, err);
    return rc;
}

/* With sacct's --array, the elements that are still in the array's own record all carry its id as
 * their JobIDRaw. */
static int64_t job_number(const struct record *r)
{
    bool shared = r->id.kind == LOOM_SACCT_ELEMENT && !r->started && r->raw_id == r->id.base;
    return r->raw_id >= 0 && !shared ? r->raw_id : loom_sacct_number(&r->id, r->id.element);
}

static int add_job(struct sacct *s, struct record *r, struct loom_error *err)
{
    if (r->started && r->job.used_mem_kib < 0)
        s->memory_job = (struct text){r->id_text.at, r->id.length};
    r->job.number = job_number(r);
    return loom_trace_append(s->trace, &r->job, err);
}

static int add_range(struct sacct *s, struct record *r, struct loom_sacct_range *range,
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
static bool read_line(struct sacct *s, struct text line, int *rc, struct loom_error *err)
{
    struct record r;
    struct loom_sacct_range range;
    int64_t count = 0;
    const char *nul = memchr(line.at, '\0', line.length);

    s->line.text = line.at;
    if (nul)
        return complain(&s->line, nul, "the line has a NUL byte");
    if (!split(s, line) || !read_id(&r, &s->line))
        return false;
    if (r.id.step) {
        take_step(s, &r);
        return true;
    }
    s->memory_job.at = NULL;
    if (!read_record(&r, &s->line) ||
        (r.id.kind == LOOM_SACCT_RANGE && !open_range(s, &r, &range, &count)))
        return false;
    if (s->first_submit_s < 0 || r.submit_s < s->first_submit_s)
        s->first_submit_s = r.submit_s;
    s->early_starts += r.early && r.started;
    s->trace->report.rounded += r.rounded;
    *rc = intern_names(s, &r.job, err);
    if (!*rc)
        *rc = count ? add_range(s, &r, &range, count, err) : add_job(s, &r, err);
    return true;
}

/* Read a line, or reject it whole: a bad line sets no clock for the others. */
static int take_line(struct sacct *s, struct text line, int64_t number, struct loom_error *err)
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
    struct text line;
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

static int add_number(struct loom_trace *trace, const char *key, int64_t number,
                      struct loom_error *err)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRId64, number);
    return loom_trace_add_directive(trace, key, text, err);
}

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
    int rc = add_number(s->trace, "UnixStartTime", s->first_submit_s, err);
    if (rc || s->line.clock == LOOM_SACCT_UNIX_CLOCK)
        return rc;
    rc = add_number(s->trace, "TimeZone", 0, err);
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

static int finish(struct sacct *s, struct loom_error *err)
{
    int64_t *submit_s = s->trace->columns.submit_s;
    size_t n = loom_trace_count(s->trace);

    for (size_t i = 0; i < n; i++)
        submit_s[i] -= s->first_submit_s;
    int rc = loom_trace_add_directive(s->trace, "Version", "2.2", err);
    if (!rc)
        rc = add_computer(s->trace, err);
    if (!rc)
        rc = add_number(s->trace, "MaxJobs", (int64_t)n, err);
    if (!rc)
        rc = add_number(s->trace, "MaxRecords", (int64_t)n, err);
    if (!rc && n)
        rc = add_clock(s, err);
    return rc ? rc : add_notes(s, err);
}

/* ---- the format ------------------------------------------------------------------------------ */

static int read_sacct(struct loom_reader *reader, struct loom_error *err)
{
    struct sacct s = {.reader = reader,
                      .trace = reader->trace,
                      .file = loom_source_name(reader->source),
                      .first_submit_s = -1};
    const char *text;
    size_t size;

    int rc = take_given_columns(&s, err);
    if (!rc)
        rc = loom_source_text(reader->source, &text, &size, err);
    if (!rc)
        rc = read_lines(&s, (struct loom_lines){.next = text, .end = text + size}, err);
    return rc ? rc : finish(&s, err);
}

/* Certain by a header line; a guess by a number and a few bars, so that output without a header
 * line gets the message that says what it lacks. */
static int probe_sacct(const char *head, size_t size)
{
    struct loom_lines lines = {.next = head, .end = head + size};
    struct text line = {head, 0};

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
             .summary = "output of Slurm's sacct --parsable2, with its header line or --columns",
             .suffixes = "sacct",
             .can_read = true,
             .can_write = false},
    .probe = probe_sacct,
    .read = read_sacct,
    .write = NULL,
};

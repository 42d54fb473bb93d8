/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One record of sacct as one job.
 *
 * A job that never started has no runtime and no allocated processors, and its wait is the time it
 * was in the queue until it was removed: this is how the archive's logs show cancelled jobs. A job
 * that is not over has no runtime either: its Elapsed ends at the moment sacct ran.
 * Runtime is Elapsed, from which Slurm has taken the time a job was suspended.
 */
#include "trace/formats/sacct/record.h"

#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const field_names[SACCT_FIELD_COUNT] = {
#define X(id, name) [SACCT_##id] = name,
    LOOM_SACCT_FIELDS(X)
#undef X
};

enum loom_sacct_field loom_sacct_find_field(struct loom_sacct_text name)
{
    const char *width = memchr(name.at, '%', name.length);
    if (width)
        name.length = (size_t)(width - name.at);
    loom_trim(&name.at, &name.length);
    for (int i = 0; i < SACCT_FIELD_COUNT; i++) {
        if (loom_same_word(name.at, name.length, field_names[i]))
            return (enum loom_sacct_field)i;
    }
    return SACCT_IGNORED;
}

/* ---- complaints ------------------------------------------------------------------------------ */

bool loom_sacct_complain(struct loom_sacct_line *line, const char *place, const char *format, ...)
{
    va_list arguments;
    ptrdiff_t column = place - line->text + 1;

    line->problem_column = column <= INT32_MAX ? (int)column : 0;
    va_start(arguments, format);
    vsnprintf(line->problem, sizeof line->problem, format, arguments);
    va_end(arguments);
    return false;
}

static bool complain_field(struct loom_sacct_line *line, enum loom_sacct_field field,
                           const char *what)
{
    char buf[LOOM_SHOWN];
    struct loom_sacct_text text = line->fields[field];
    return loom_sacct_complain(line, text.at, "%s '%s' is not %s", field_names[field],
                               loom_shown(buf, text.at, text.length), what);
}

/* ---- fields ---------------------------------------------------------------------------------- */

/* Does the log have this column? */
static bool exists(const struct loom_sacct_line *line, enum loom_sacct_field field)
{
    return line->fields[field].at != NULL;
}

/* The text of a field, empty where the log lacks the column. */
static struct loom_sacct_text text_of(const struct loom_sacct_line *line,
                                      enum loom_sacct_field field)
{
    return exists(line, field) ? line->fields[field] : (struct loom_sacct_text){"", 0};
}

static bool get_duration(double *seconds, struct loom_sacct_line *line, enum loom_sacct_field field)
{
    struct loom_sacct_text text = text_of(line, field);
    return loom_sacct_duration(seconds, text.at, text.length) ||
           complain_field(line, field, "a duration such as 1-02:03:04");
}

static bool get_count(int64_t *count, struct loom_sacct_line *line, enum loom_sacct_field field)
{
    struct loom_sacct_text text = text_of(line, field);
    return loom_sacct_count(count, text.at, text.length) ||
           complain_field(line, field, "a whole number");
}

static bool get_size(struct loom_sacct_size *size, struct loom_sacct_line *line,
                     enum loom_sacct_field field)
{
    struct loom_sacct_text text = text_of(line, field);
    return loom_sacct_size(size, text.at, text.length) ||
           complain_field(line, field, "a size such as 4000M, 4Gn or 4Gc");
}

static bool get_time(int64_t *seconds, struct loom_sacct_line *line, enum loom_sacct_field field)
{
    struct loom_sacct_text text = text_of(line, field);
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
static bool get_tres_count(int64_t *count, struct loom_sacct_line *line,
                           enum loom_sacct_field field, const char *key)
{
    struct loom_sacct_text text = text_of(line, field);
    size_t length = 0;
    const char *value = loom_sacct_tres(&length, text.at, text.length, key);
    return loom_sacct_count(count, value ? value : "", length) ||
           loom_sacct_complain(line, value, "%s has a %s that is not a whole number",
                               field_names[field], key);
}

/* Where an amount may be found, in order; the last place is an entry of a list. */
struct places {
    enum loom_sacct_field first, second, tres;
    const char *key;
};

/* The first amount above 0, else -1. */
static bool get_amount(int64_t *amount, struct loom_sacct_line *line, const struct places *places)
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

bool loom_sacct_read_id(struct loom_sacct_record *record, struct loom_sacct_line *line)
{
    bool named = line->fields[SACCT_JOB_ID].length > 0;
    enum loom_sacct_field field = named ? SACCT_JOB_ID : SACCT_JOB_ID_RAW;
    struct loom_sacct_text text = text_of(line, field), raw = text_of(line, SACCT_JOB_ID_RAW);
    struct loom_sacct_id raw_id;

    *record = (struct loom_sacct_record){.id_text = text, .raw_id = -1, .job = loom_job_unknown()};
    if (text.length == 0)
        return loom_sacct_complain(line, line->text, "the record has no job id");
    if (!loom_sacct_id(&record->id, text.at, text.length))
        return complain_field(line, field, "a job id such as 123, 123_4 or 123.batch");
    if (loom_sacct_id(&raw_id, raw.at, raw.length) && raw_id.kind == LOOM_SACCT_PLAIN &&
        !raw_id.step)
        record->raw_id = raw_id.base;
    return true;
}

static bool get_state(struct loom_sacct_record *r, struct loom_sacct_line *line)
{
    struct loom_sacct_text text = text_of(line, SACCT_STATE);
    if (!loom_sacct_state(&r->state, text.at, text.length))
        return complain_field(line, SACCT_STATE, "a state of Slurm's");
    r->job.status = r->state.status;
    return true;
}

static bool get_elapsed(struct loom_sacct_record *r, struct loom_sacct_line *line)
{
    int64_t whole_s;
    if (!get_count(&whole_s, line, SACCT_ELAPSED_RAW) ||
        !get_duration(&r->elapsed_s, line, SACCT_ELAPSED))
        return false;
    if (whole_s >= 0)
        r->elapsed_s = (double)whole_s;
    return true;
}

static bool get_times(struct loom_sacct_record *r, struct loom_sacct_line *line)
{
    if (!get_time(&r->submit_s, line, SACCT_SUBMIT) || !get_time(&r->start_s, line, SACCT_START) ||
        !get_time(&r->end_s, line, SACCT_END) || !get_elapsed(r, line))
        return false;
    if (r->submit_s < 0)
        return loom_sacct_complain(line, line->fields[SACCT_SUBMIT].at,
                                   "the job has no submit time");
    if (!exists(line, SACCT_START) && r->elapsed_s >= 0 && (double)r->end_s >= r->elapsed_s)
        r->start_s = r->end_s - llround(r->elapsed_s);
    r->job.submit_s = r->submit_s;
    return true;
}

/* Slurm gives many jobs that were removed from the queue a start equal to their end. A job that did
 * start, and ended within a second, looks the same but for its nodes. */
static bool has_started(const struct loom_sacct_record *r, const struct loom_sacct_line *line)
{
    struct loom_sacct_text nodes = text_of(line, SACCT_NODE_LIST);
    bool unassigned = loom_same_word(nodes.at, nodes.length, "None assigned");
    bool assigned = nodes.length > 0 && !unassigned;

    if (r->id.kind == LOOM_SACCT_RANGE || r->state.phase == LOOM_SACCT_WAITING)
        return false;
    if (exists(line, SACCT_START) && r->start_s < 0)
        return false;
    if (r->elapsed_s > 0)
        return true;
    if (unassigned)
        return false;
    return assigned || r->state.phase != LOOM_SACCT_REMOVED ||
           (r->start_s >= 0 && r->end_s > r->start_s);
}

static bool is_over(const struct loom_sacct_record *r, const struct loom_sacct_line *line)
{
    if (r->state.phase == LOOM_SACCT_UNSAID)
        return !exists(line, SACCT_END) || r->end_s >= 0;
    return r->state.phase == LOOM_SACCT_ENDED || r->state.phase == LOOM_SACCT_REMOVED;
}

/* A start before the submit comes of a clock set back, or of a job put back into the queue: the
 * wait is then not known. */
static void set_wait(struct loom_sacct_record *r, const struct loom_sacct_line *line)
{
    int64_t until_s = r->started ? r->start_s : r->end_s;
    if (until_s < 0 || (!r->started && !is_over(r, line)))
        return;
    r->early = until_s < r->submit_s;
    if (!r->early)
        r->job.wait_s = until_s - r->submit_s;
}

/* Without Elapsed and End, compute the runtime from CPUTimeRAW: Elapsed times the processors. */
static bool get_run(struct loom_sacct_record *r, struct loom_sacct_line *line)
{
    int64_t cpu_time_s;
    if (!get_count(&cpu_time_s, line, SACCT_CPU_TIME_RAW))
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

static bool set_procs(int32_t *procs, struct loom_sacct_line *line, int64_t amount)
{
    if (amount > INT32_MAX)
        return loom_sacct_complain(line, line->text,
                                   "%" PRId64 " processors are more than a job can have", amount);
    *procs = (int32_t)amount;
    return true;
}

/* Older versions of Slurm show the processors asked for as NCPUS while none are allocated. */
static bool get_procs(struct loom_sacct_record *r, struct loom_sacct_line *line)
{
    static const struct places allocated_in = {SACCT_ALLOC_CPUS, SACCT_NCPUS, SACCT_ALLOC_TRES,
                                               "cpu"};
    static const struct places requested_in = {SACCT_REQ_CPUS, SACCT_REQ_CPUS, SACCT_REQ_TRES,
                                               "cpu"};
    int64_t allocated, requested;

    if (!get_amount(&allocated, line, &allocated_in) ||
        !get_amount(&requested, line, &requested_in))
        return false;
    if (!r->started && requested < 0)
        requested = allocated;
    return set_procs(&r->job.alloc_procs, line, r->started ? allocated : -1) &&
           set_procs(&r->job.req_procs, line, requested);
}

static bool get_nodes(int64_t *nodes, struct loom_sacct_line *line)
{
    static const struct places requested_in = {SACCT_REQ_NODES, SACCT_REQ_NODES, SACCT_REQ_TRES,
                                               "node"};
    static const struct places allocated_in = {SACCT_NNODES, SACCT_ALLOC_NODES, SACCT_ALLOC_TRES,
                                               "node"};
    return get_amount(nodes, line, &requested_in) &&
           (*nodes > 0 || get_amount(nodes, line, &allocated_in));
}

/* Requested memory by ReqMem or, where that says nothing, the job's sum in ReqTRES. */
static bool get_requested_size(struct loom_sacct_size *size, struct loom_sacct_line *line)
{
    struct loom_sacct_text tres = text_of(line, SACCT_REQ_TRES);
    size_t length = 0;

    if (!get_size(size, line, SACCT_REQ_MEM))
        return false;
    const char *mem = loom_sacct_tres(&length, tres.at, tres.length, "mem");
    return size->kib > 0 || !mem || loom_sacct_size(size, mem, length) ||
           loom_sacct_complain(line, mem, "%s has a mem that is not a size such as 4000M",
                               field_names[SACCT_REQ_TRES]);
}

/* SWF wants memory per processor: what a node or the job asks for is divided among its processors.
 * A request of 0 asks for all there is, which is not a number. */
static bool get_requested_mem(struct loom_sacct_record *r, struct loom_sacct_line *line)
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

static bool get_used(struct loom_sacct_record *r, struct loom_sacct_line *line)
{
    struct loom_sacct_size rss;
    double cpu_s;

    if (!get_size(&rss, line, SACCT_MAX_RSS) || !get_duration(&cpu_s, line, SACCT_TOTAL_CPU))
        return false;
    if (!r->started)
        return true;
    r->job.used_mem_kib = rss.kib;
    if (cpu_s >= 0 && r->job.alloc_procs > 0)
        r->job.cpu_s = cpu_s / r->job.alloc_procs;
    return true;
}

static bool get_requested_time(struct loom_sacct_record *r, struct loom_sacct_line *line)
{
    int64_t minutes;
    double seconds;

    if (!get_count(&minutes, line, SACCT_TIMELIMIT_RAW) ||
        !get_duration(&seconds, line, SACCT_TIMELIMIT))
        return false;
    if (minutes > INT64_MAX / 60)
        return complain_field(line, SACCT_TIMELIMIT_RAW, "a number of minutes to count with");
    r->job.request_s = minutes >= 0 ? minutes * 60 : llround(seconds);
    return true;
}

bool loom_sacct_read_record(struct loom_sacct_record *r, struct loom_sacct_line *line)
{
    if (!get_state(r, line) || !get_times(r, line))
        return false;
    r->started = has_started(r, line);
    set_wait(r, line);
    return get_procs(r, line) && get_run(r, line) && get_requested_mem(r, line) &&
           get_used(r, line) && get_requested_time(r, line);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * trace.h - the job table, and how it is read, selected, cleaned and written.
 *
 * A trace is one table of jobs, by columns: the 18 fields of the Standard Workload Format
 * (SWF) 2.2, whatever format the jobs came from. Rows stand in file order; submit times may be out
 * of order (loom_trace_order gives the sorted view). -1 means "not known" in every column.
 *
 * Times are whole seconds since the log's start (UnixStartTime in the header, where known). The
 * three columns that may carry fractions (mean processor time, used and requested memory) are
 * doubles. Fractions in other columns are rounded to the nearest whole number, and counted in the
 * report.
 *
 * The header is kept line by line, in order, so that a rewritten log carries its acknowledgement
 * and terms of use along.
 */
#ifndef WORKLOOM_TRACE_H
#define WORKLOOM_TRACE_H

#include <workloom/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The columns: X(name, type, what it is). Their order is the order of SWF's fields. */
#define LOOM_COLUMNS(X)                             \
    X(number, int64_t, "job number")                \
    X(submit_s, int64_t, "submit time")             \
    X(wait_s, int64_t, "wait time")                 \
    X(run_s, int64_t, "runtime")                    \
    X(alloc_procs, int32_t, "allocated processors") \
    X(cpu_s, double, "average CPU time used")       \
    X(used_mem_kib, double, "used memory")          \
    X(req_procs, int32_t, "requested processors")   \
    X(request_s, int64_t, "requested time")         \
    X(req_mem_kib, double, "requested memory")      \
    X(status, int32_t, "status")                    \
    X(user, int32_t, "user")                        \
    X(group, int32_t, "group")                      \
    X(executable, int32_t, "executable")            \
    X(queue, int32_t, "queue")                      \
    X(partition, int32_t, "partition")              \
    X(preceding, int64_t, "preceding job")          \
    X(think_s, int64_t, "think time from preceding job")

enum { LOOM_COLUMN_COUNT = 18, LOOM_JOB_BYTES = 112 };

enum loom_status {
    LOOM_STATUS_FAILED = 0,
    LOOM_STATUS_COMPLETED = 1,
    LOOM_STATUS_PARTIAL = 2,
    LOOM_STATUS_PARTIAL_LAST_OK = 3,
    LOOM_STATUS_PARTIAL_LAST_FAILED = 4,
    LOOM_STATUS_CANCELLED = 5,
};

/* One job, as a row. */
struct loom_job {
#define X(name, type, what) type name;
    LOOM_COLUMNS(X)
#undef X
};

/* All jobs, by columns; borrowed from the trace until it is next changed. */
struct loom_jobs {
    size_t n;
#define X(name, type, what) const type *name;
    LOOM_COLUMNS(X)
#undef X
};

/* ---- the table ------------------------------------------------------------------------------- */

struct loom_trace;

/* Create an empty trace, which the caller must destroy. */
LOOM_API int loom_trace_create(struct loom_trace **out, struct loom_error *err);

/* Free trace, which may be NULL, and everything borrowed from it. */
LOOM_API void loom_trace_destroy(struct loom_trace *trace);

/* Return all jobs by columns, borrowed from the trace and valid until it is next changed. */
LOOM_API const struct loom_jobs *loom_trace_jobs(const struct loom_trace *trace);

/* Return the number of jobs. */
LOOM_API size_t loom_trace_count(const struct loom_trace *trace);

/* Return a job with every field unknown (-1). */
LOOM_API struct loom_job loom_job_unknown(void);

/* Return a copy of the job in a row, which must be below loom_trace_count(). */
LOOM_API struct loom_job loom_trace_job(const struct loom_trace *trace, size_t row);

/* Append a copy of a job. LOOM_ERANGE beyond the number of jobs that a trace can hold. */
LOOM_API int loom_trace_append(struct loom_trace *trace, const struct loom_job *job,
                               struct loom_error *err);

/* Replace the job in a row, which must be below loom_trace_count(), by a copy of another. */
LOOM_API void loom_trace_replace(struct loom_trace *trace, size_t row, const struct loom_job *job);

/* Return the processors of a job: requested if known, else allocated, which is -1 if
 * unknown too. */
LOOM_API int32_t loom_job_procs(const struct loom_jobs *jobs, size_t row);

/* Store the rows ordered by (submit, row) in a new array of loom_trace_count() entries, which the
 * caller must free(). */
LOOM_API int loom_trace_order(uint32_t **out, const struct loom_trace *trace,
                              struct loom_error *err);

/* Store the rows of the *n jobs that have a submit time, ordered by (submit, row), in a new array,
 * which the caller must free(). */
LOOM_API int loom_trace_arrivals(uint32_t **out, size_t *n, const struct loom_trace *trace,
                                 struct loom_error *err);

/* Return the number of jobs whose submit time is unknown. */
LOOM_API size_t loom_trace_unsubmitted(const struct loom_trace *trace);

/* Drop in place all rows with keep[row] == 0. keep has loom_trace_count() entries. */
LOOM_API void loom_trace_keep(struct loom_trace *trace, const uint8_t *keep);

/* Create a trace of the rows where keep[row] == wanted, with the same header and names. The caller
 * must destroy *out. */
LOOM_API int loom_trace_subset(struct loom_trace **out, const struct loom_trace *trace,
                               const uint8_t *keep, uint8_t wanted, struct loom_error *err);

/* ---- header and names ------------------------------------------------------------------------ */

/* One header line. text is all that follows the ';'. key and value are its two sides where the line
 * is a "Key: value", trimmed; otherwise key is "" and value the trimmed text. */
struct loom_directive {
    const char *text;
    const char *key;
    const char *value;
};

/* Point *out to all header lines, in order and borrowed from the trace until its header changes.
 * Returns their number. */
LOOM_API size_t loom_trace_directives(const struct loom_trace *trace,
                                      const struct loom_directive **out);

/* Return the value of the first directive with this key (case ignored), borrowed from the trace;
 * NULL if there is none. */
LOOM_API const char *loom_trace_directive(const struct loom_trace *trace, const char *key);

/* Append the header line " Key: value"; both texts are copied. */
LOOM_API int loom_trace_add_directive(struct loom_trace *trace, const char *key, const char *value,
                                      struct loom_error *err);

/* Replace the value of the first directive with this key, or append one; both texts are copied. */
LOOM_API int loom_trace_set_directive(struct loom_trace *trace, const char *key, const char *value,
                                      struct loom_error *err);

/* What the header says of the machine; -1 where it says nothing. */
struct loom_machine {
    int64_t max_procs;
    int64_t max_nodes;
    int64_t unix_start_s;
    int64_t time_zone_s;   /* seconds east of UTC; INT64_MIN if unknown */
    const char *time_zone; /* such as "Europe/Stockholm", or NULL */
    int64_t max_jobs;
    int64_t max_records;
};

/* Return what the header says of the machine, borrowed from the trace until its header changes. */
LOOM_API const struct loom_machine *loom_trace_machine(const struct loom_trace *trace);

/* Return the processors of the machine: MaxProcs of the header or, where that is unknown, the most
 * that any job used or asked for. 0 for an empty trace without header. */
LOOM_API int64_t loom_trace_max_procs(const struct loom_trace *trace);

/* Find the most processors in use at once, over the waits and runtimes of the trace: the number
 * that is exceeded for a thousandth of the busy time at most, and not less than the widest job that
 * is up to twice as wide. Jobs beyond that are left out, where fewer than one in a thousand are so
 * wide. 0 if no job knows submission, wait, runtime and processors. */
LOOM_API int loom_trace_peak_procs(int64_t *out, const struct loom_trace *trace,
                                   struct loom_error *err);

enum loom_size_source {
    LOOM_SIZE_HEADER,  /* MaxProcs */
    LOOM_SIZE_PEAK,    /* loom_trace_peak_procs */
    LOOM_SIZE_WIDEST,  /* the widest job: waits are unknown */
    LOOM_SIZE_UNKNOWN, /* no job has a processor count */
};

/* The processors of a machine, and how they are known; 0 if unknown. */
struct loom_machine_size {
    int64_t procs;
    enum loom_size_source source;
};

/* Find the size of the machine of a trace: by its header, or else by its jobs. Whoever uses a size
 * that is not the header's should say so. */
LOOM_API int loom_trace_machine_size(struct loom_machine_size *out, const struct loom_trace *trace,
                                     struct loom_error *err);
/* Return where a size is from, in words: "the most in use at once". Static. */
LOOM_API const char *loom_size_source_text(enum loom_size_source source);
/* Return whether a size can stand for the machine: the header states it, or jobs were seen to use
 * so many processors at once. */
LOOM_API bool loom_size_usable(const struct loom_machine_size *size);
/* Write to buf the sentence that goes with a size that the header does not state; returns buf. */
LOOM_API const char *loom_size_note(const struct loom_machine_size *size, char *buf,
                                    size_t buf_size);
/* Find the size of the machine of a trace and state it as MaxProcs of the header, where that does
 * not, so that a part of the jobs has the machine of all. Sizes that are not usable are not stated.
 */
LOOM_API int loom_trace_settle_machine(struct loom_machine_size *out, struct loom_trace *trace,
                                       struct loom_error *err);

/* The window in which a log is complete (docs/methods/trace.md, "The covered window"). */
struct loom_trace_window {
    int64_t from_s, to_s;             /* of the log, both included */
    int64_t jobs;                     /* submitted in it */
    int64_t before, after;            /* submitted earlier and later */
    int64_t running_from, running_to; /* jobs that run on across its begin and its end */
    bool by_ends; /* ends of jobs were known and used; else it goes by submissions alone */
};

/* Find the window in which a log is complete, by its submissions, its ends of jobs and the use of
 * its machine. All 0 if no job has a submit time. */
LOOM_API int loom_trace_window_complete(struct loom_trace_window *out,
                                        const struct loom_trace *trace, struct loom_error *err);

/* Return whether a window lacks so much of a log that figures over the whole log mislead: a
 * twentieth of the time from first to last submission. */
LOOM_API bool loom_trace_window_matters(const struct loom_trace_window *window,
                                        const struct loom_trace *trace);

enum loom_name_kind { LOOM_USER, LOOM_GROUP, LOOM_EXECUTABLE, LOOM_QUEUE, LOOM_PARTITION };
enum { LOOM_NAME_KINDS = 5 };

/* Return the name of a number, borrowed from the trace; NULL if it has none. */
LOOM_API const char *loom_trace_name(const struct loom_trace *trace, enum loom_name_kind kind,
                                     int32_t number);

/* Return the number of a name, -1 if no number has it. */
LOOM_API int32_t loom_trace_number(const struct loom_trace *trace, enum loom_name_kind kind,
                                   const char *name);

/* Store in *out the number of a name of so many bytes (no NUL needed); a new name is copied and
 * gets the next free number from 1 up. */
LOOM_API int loom_trace_intern(int32_t *out, struct loom_trace *trace, enum loom_name_kind kind,
                               const char *name, size_t length, struct loom_error *err);

/* Give a number a name, which is copied and replaces an earlier one. */
LOOM_API int loom_trace_set_name(struct loom_trace *trace, enum loom_name_kind kind, int32_t number,
                                 const char *name, struct loom_error *err);

/* Add a header line for each name that has none yet: names are kept in headers ("Queue: 1 batch",
 * "Note: user 3 = ann"). loom_trace_read does this for every format. */
LOOM_API int loom_trace_declare_names(struct loom_trace *trace, struct loom_error *err);

/* ---- local time ------------------------------------------------------------------------------ */

struct loom_zone;

/* Create the log's time zone: TimeZoneString from the system's zone database, else the fixed
 * TimeZone, else UTC. *note (note may be NULL) is set to one sentence of static text when something
 * had to be left out of account, else to NULL. The caller must destroy *out; it keeps no reference
 * to the trace. */
LOOM_API int loom_zone_create(struct loom_zone **out, const struct loom_trace *trace,
                              const char **note, struct loom_error *err);

/* Free zone, which may be NULL. */
LOOM_API void loom_zone_destroy(struct loom_zone *zone);

/* Return the seconds to add to a Unix time to get local time, at that moment. */
LOOM_API int64_t loom_zone_offset(const struct loom_zone *zone, int64_t unix_s);

/* Return the local seconds since 1970-01-01 00:00 local of a time in the log: t + UnixStartTime +
 * offset. Where the start is unknown, the log's zero is taken as a Monday midnight. */
LOOM_API int64_t loom_zone_local(const struct loom_zone *zone, int64_t log_s);

/* Return the time in the log of a local civil time (inverse of loom_zone_local). */
LOOM_API int64_t loom_zone_log(const struct loom_zone *zone, int64_t local_s);

/* Parse a time given by a person as log time: whole seconds in the log, or YYYY-MM-DD[THH:MM[:SS]]
 * in the log's zone. LOOM_EUSAGE if it is neither, LOOM_ERANGE beyond 64 bits, LOOM_EDATA for a
 * date where the log does not say when it began. */
LOOM_API int loom_zone_parse(int64_t *log_s, const struct loom_zone *zone, const char *text,
                             struct loom_error *err);

/* Format a time in the log as "YYYY-MM-DD HH:MM:SS" into buf. Returns buf. */
LOOM_API const char *loom_zone_text(const struct loom_zone *zone, int64_t log_s, char *buf,
                                    size_t size);

/* ---- reading and writing --------------------------------------------------------------------- */

struct loom_read_options {
    const char *format;     /* name, or NULL to find out by suffix and content */
    const char *map;        /* file that says what the columns of a CSV file mean, or NULL */
    const char *columns;    /* comma-separated column names for formats without a header line */
    uint64_t max_bytes;     /* refuse more text than this after unpacking; 0 is no limit */
    bool skip_bad_lines;    /* read on after a bad line, and report it */
    struct loom_pool *pool; /* NULL reads in the calling thread */
    struct loom_progress *progress; /* NULL, or counts bytes of text while SWF is read */
};

/* A column of a file, or a kind of value, that the table has no place for. */
struct loom_dropped {
    char name[32];
    int64_t jobs; /* that have a value in it */
};
enum { LOOM_MOST_DROPPED = 64 };

/* How a trace was read. */
struct loom_read_report {
    const char *file;
    const char *format;
    uint64_t bytes;    /* of text, after unpacking */
    uint64_t hash;     /* XXH3-64 of the text, unpacked, as `xxhsum -H3` prints it */
    int64_t bad_lines; /* skipped under skip_bad_lines */
    struct loom_error first_bad;
    int64_t rounded;       /* fractions rounded in whole-number columns */
    int64_t skipped_steps; /* records that are parts of jobs, such as sacct's steps */
    /* What the reader left out, in the order of the file; counted by the readers of sacct and CSV.
     */
    struct loom_dropped dropped[LOOM_MOST_DROPPED];
    size_t n_dropped;
};

/* Read a trace from a file, or from stdin for "-"; packed input (gzip) is unpacked whatever its
 * name. options may be NULL: all zero. The caller must destroy *out. LOOM_EIO if the file cannot be
 * read, LOOM_EFORMAT with line and column if it is not what its format says, LOOM_ERANGE above
 * max_bytes, LOOM_EUSAGE for a format that does not exist. */
LOOM_API int loom_trace_read(struct loom_trace **out, const char *path,
                             const struct loom_read_options *options, struct loom_error *err);

/* Return how a trace was read, borrowed from it; all zero and "" for one that was not read. */
LOOM_API const struct loom_read_report *loom_trace_report(const struct loom_trace *trace);

/* What jobs do inside, as a synthetic application: a loop of phases, each of which ends at a
 * barrier where all processors wait for the slowest. A trace does not know it; a writer makes it up
 * to fit the runtime and size of each job. */
struct loom_application {
    double phase_s;     /* between barriers, on average; above 0 */
    int64_t kinds;      /* different phases in the loop, from 1 to 64 */
    double variability; /* coefficient of variation of the size of a work unit, from 0 */
    double units;       /* of a processor in a phase, on average; below 1: 1 */
    /* Of these over jobs, from 0: gamma variates of these means; the number of units is rounded. */
    double phase_cv, variability_cv, units_cv;
    int64_t exchange_bytes; /* between any two processors in a phase */
    double flops;           /* of a processor in a second */
    uint64_t seed;
};

struct loom_write_options {
    const char *format; /* name, or NULL to go by the suffix; SWF to stdout, pipes and devices */
    struct loom_pool *pool;
    const struct loom_application *application; /* NULL: none; only some formats can hold one */
};

/* Write a trace to a file, or to stdout for "-"; a name ending in .gz is packed. options may be
 * NULL: all zero. The file appears when it is whole. LOOM_EIO if it cannot be written, LOOM_EUSAGE
 * if no format fits, LOOM_EDATA if the format cannot hold these jobs. */
LOOM_API int loom_trace_write(const struct loom_trace *trace, const char *path,
                              const struct loom_write_options *options, struct loom_error *err);

/* A format of traces. */
struct loom_format_info {
    const char *name;
    const char *summary;
    const char *suffixes; /* "swf txt" */
    bool can_read, can_write;
    bool applications; /* it can say what jobs do inside */
};

/* Return a format by index, static; NULL past the last. */
LOOM_API const struct loom_format_info *loom_format_at(size_t index);

/* ---- what is in it --------------------------------------------------------------------------- */

/* One column: how many rows know a value, and its range over those. */
struct loom_range {
    const char *name; /* as in LOOM_COLUMNS */
    const char *what;
    int64_t known; /* rows with a value other than -1 */
    double min, max;
};

struct loom_summary {
    int64_t jobs;
    int64_t numbers[LOOM_NAME_KINDS]; /* different users, groups, ... by enum loom_name_kind */
    int64_t first_submit_s, span_s;   /* earliest submit, and latest minus earliest; 0 if unknown */
    struct loom_range columns[LOOM_COLUMN_COUNT];
};

/* Fill *out with counts and ranges of all columns. */
LOOM_API int loom_summarize(struct loom_summary *out, const struct loom_trace *trace,
                            struct loom_error *err);

/* ---- what is odd ----------------------------------------------------------------------------- */

/* Something in a trace that a user of it should know. */
struct loom_problem {
    const char *code; /* stable word: "unsorted", "no-runtime" */
    int64_t count;    /* jobs (or header lines) concerned */
    char text[256];   /* one sentence */
};

struct loom_problems;

/* Find what is odd in a trace. The caller must destroy *out; it keeps no reference to the trace. */
LOOM_API int loom_problems_create(struct loom_problems **out, const struct loom_trace *trace,
                                  struct loom_error *err);

/* Free problems, which may be NULL. */
LOOM_API void loom_problems_destroy(struct loom_problems *problems);

/* Return the number of problems. */
LOOM_API size_t loom_problems_count(const struct loom_problems *problems);

/* Return a problem by index, borrowed; NULL past the last. */
LOOM_API const struct loom_problem *loom_problems_at(const struct loom_problems *problems,
                                                     size_t index);

/* ---- selection ------------------------------------------------------------------------------- */

/* Declared parameters of a selection: select, procs, job-procs, users, queues, from-time, to-time,
 * window, first. procs and job-procs are the same. A command with its own select (and procs, for
 * the machine) passes loom_select_params + 1 (+ 2) beside them. */
LOOM_API extern const struct loom_param loom_select_params[];

/* Mark the selected rows in keep (loom_trace_count() bytes): 1 selected, 0 not. params must have
 * been created with loom_select_params among its lists. LOOM_EUSAGE for a value that selects
 * nothing that could exist; err->field names the parameter. */
LOOM_API int loom_select(uint8_t *keep, const struct loom_trace *trace,
                         const struct loom_params *params, struct loom_error *err);

/* ---- cleaning -------------------------------------------------------------------------------- */

/* Declared parameters of all cleaning rules. */
LOOM_API extern const struct loom_param loom_clean_params[];

/* Why some jobs are dropped: one per finding of a rule. */
struct loom_clean_reason {
    const char *rule; /* name of the rule */
    const char *text; /* one sentence */
    int64_t jobs;
};

struct loom_cleaning;

/* Find what the rules that params switches on would drop; the trace is not changed. params must
 * have been created with loom_clean_params among its lists. The caller must destroy *out, which
 * borrows nothing. LOOM_EUSAGE for a value that a rule cannot use. */
LOOM_API int loom_cleaning_create(struct loom_cleaning **out, const struct loom_trace *trace,
                                  const struct loom_params *params, struct loom_error *err);

/* Free cleaning, which may be NULL. */
LOOM_API void loom_cleaning_destroy(struct loom_cleaning *cleaning);

/* Return the number of reasons. */
LOOM_API size_t loom_cleaning_reasons(const struct loom_cleaning *cleaning);

/* Return a reason by index, borrowed; NULL past the last. */
LOOM_API const struct loom_clean_reason *loom_cleaning_reason(const struct loom_cleaning *cleaning,
                                                              size_t index);

/* Return a mark for each row, borrowed: 0 if it stays, else 1 + the index of the (first) reason it
 * goes. */
LOOM_API const uint32_t *loom_cleaning_marks(const struct loom_cleaning *cleaning);

/* Drop the marked rows from the trace that was looked at, and record each reason in its header as
 * the archive does: what filter, how many jobs. */
LOOM_API int loom_cleaning_apply(const struct loom_cleaning *cleaning, struct loom_trace *trace,
                                 struct loom_error *err);

/* A rule of cleaning. */
struct loom_rule_info {
    const char *name;
    const char *summary;
    bool on_by_default;
};

/* Return a rule by index, static; NULL past the last. */
LOOM_API const struct loom_rule_info *loom_rule_at(size_t index);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * base.h - what every room of Workloom stands on.
 *
 * Errors are values. A function that can fail returns 0 or a negative enum loom_code and, where the
 * caller passed a struct loom_error, fills it with one sentence and, for input data, the place it
 * is about. The library never prints, exits or aborts on bad data.
 *
 * Random numbers come from streams keyed by (seed, replication, purpose): two streams with
 * different keys are independent, and the same key gives the same numbers on any machine, thread or
 * rank.
 *
 * Work is spread over threads by a pool whose results do not depend on how many threads it has.
 *
 * Outputs are written under a temporary name and renamed when whole, so that a reader never sees
 * half a file and a failure leaves nothing behind.
 *
 * Ownership: create and take hand out an object the caller must destroy; every destroy accepts
 * NULL. Other returned pointers are borrowed from the object that was asked.
 */
#ifndef WORKLOOM_BASE_H
#define WORKLOOM_BASE_H

#include <gsl/gsl_rng.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LOOM_API __attribute__((visibility("default")))
#define LOOM_PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))

/* ---- errors ---------------------------------------------------------------------------------- */

enum loom_code {
    LOOM_OK = 0,
    LOOM_ENOMEM = -1,  /* memory ran out */
    LOOM_EIO = -2,     /* the system refused to open, read or write */
    LOOM_EFORMAT = -3, /* the input is not what its format says */
    LOOM_ERANGE = -4,  /* a value is outside what is allowed or can be held */
    LOOM_EUSAGE = -5,  /* the caller asked for something that does not exist */
    LOOM_EDATA = -6,   /* the input is well formed but cannot serve this purpose */
};

/* An error: what happened and where. line and column count from 1; 0 means "no such place". */
struct loom_error {
    int code;
    int64_t line;
    int column;
    bool skippable; /* it is about one record of an input; the others could be read without it */
    char file[512];
    char message[768];
};

/* Fill err (which may be NULL) and return code, so that a failing function ends in one line:
 * `return loom_fail(err, LOOM_ERANGE, "load %g is above 1", load);` */
LOOM_API int loom_fail(struct loom_error *err, int code, const char *format, ...) LOOM_PRINTF(3, 4);

/* The same with a place in an input. */
LOOM_API int loom_fail_at(struct loom_error *err, int code, const char *file, int64_t line,
                          int column, const char *format, ...) LOOM_PRINTF(6, 7);

/* Out of memory, in the one wording used everywhere. */
LOOM_API int loom_fail_memory(struct loom_error *err);

/* The system's reason (errno_value) for failing at `doing` ("read", "open") with file. */
LOOM_API int loom_fail_errno(struct loom_error *err, int errno_value, const char *doing,
                             const char *file);

/* "FILE:LINE:COLUMN: message", leaving out what is unknown. Returns buf. */
LOOM_API const char *loom_error_text(const struct loom_error *err, char *buf, size_t size);

/* ---- version --------------------------------------------------------------------------------- */

LOOM_API const char *loom_version(void);
/* What this build was made with, such as "gsl 2.7, mpi off". */
LOOM_API const char *loom_build_features(void);

/* ---- words ----------------------------------------------------------------------------------- */

/* The word of the NULL-terminated list nearest to `word`, or NULL if none is near enough for a
 * person to have meant it. */
LOOM_API const char *loom_nearest(const char *word, const char *const *list);
/* "did you mean 'minh2010' or 'minh2012'?": the words that are nearest, and those that begin with
 * `word`; "" if there are none. Returns buf. */
LOOM_API const char *loom_did_you_mean(char *buf, size_t size, const char *word,
                                       const char *const *list);
/* LOOM_EUSAGE: "there is no KIND 'WORD'", and what may have been meant or, if nothing is near,
 * `otherwise`. */
LOOM_API int loom_fail_unknown(struct loom_error *err, const char *kind, const char *word,
                               const char *const *list, const char *otherwise);

/* ---- declared parameters --------------------------------------------------------------------- */

enum loom_param_type {
    LOOM_PARAM_FLAG,   /* given or not */
    LOOM_PARAM_INT,    /* a whole number in [min, max]; 1e6 is one too */
    LOOM_PARAM_REAL,   /* a finite number in [min, max] */
    LOOM_PARAM_BYTES,  /* a whole number with an optional suffix K, M, G, T (powers of 1024) */
    LOOM_PARAM_TEXT,   /* any text */
    LOOM_PARAM_CHOICE, /* one of `choices` */
};

/* One parameter of a command or plug-in. A list of them ends with a NULL name. */
struct loom_param {
    const char *name; /* "max-bytes": lower case, words joined by '-' */
    char letter;      /* one-letter form, 0 if none */
    enum loom_param_type type;
    bool repeated;              /* may be given several times; all values are kept */
    double min, max;            /* for numbers; both 0 means any */
    const char *value;          /* default as text, NULL if none */
    const char *const *choices; /* for LOOM_PARAM_CHOICE, NULL-terminated */
    const char *metavar;        /* what the value is called in help: FILE, SECONDS */
    const char *help;           /* one sentence without its full stop */
    const char *hint;           /* behind a complaint about a value: what may be meant, or NULL */
    bool nested; /* of a plug-in: its value names another, which NAME.PARAMETER=VALUE is for */
};

struct loom_params; /* the values of some lists of declared parameters */

/* lists: NULL-terminated array of parameter lists, borrowed for the life of the result. */
LOOM_API int loom_params_create(struct loom_params **out, const struct loom_param *const *lists,
                                struct loom_error *err);
LOOM_API void loom_params_destroy(struct loom_params *params);

/* The declaration of a parameter by its name or letter (as a one-character name), or NULL. */
LOOM_API const struct loom_param *loom_params_find(const struct loom_params *params,
                                                   const char *name);
/* Check and store a value given as text (NULL for a flag). */
LOOM_API int loom_params_set(struct loom_params *params, const char *name, const char *text,
                             struct loom_error *err);
/* The same for plug-ins, whose parameters are given as texts: one "NAME=VALUE", or the NAME of a
 * flag. params is NULL where there are none; messages name the plug-in they belong to. */
LOOM_API int loom_params_assign(struct loom_params *params, const char *plugin, const char *setting,
                                struct loom_error *err);
/* Several with commas between: "order=sjf,threshold=2". */
LOOM_API int loom_params_assign_all(struct loom_params *params, const char *plugin,
                                    const char *settings, struct loom_error *err);

/* Values. Asking for a name that was not declared is a programming error and ends in assert(). */
LOOM_API bool loom_params_given(const struct loom_params *params, const char *name);
LOOM_API bool loom_params_flag(const struct loom_params *params, const char *name);
LOOM_API int64_t loom_params_int(const struct loom_params *params, const char *name);
LOOM_API double loom_params_real(const struct loom_params *params, const char *name);
LOOM_API const char *loom_params_text(const struct loom_params *params, const char *name);
/* The place of a choice in its list. */
LOOM_API int loom_params_choice(const struct loom_params *params, const char *name);
LOOM_API size_t loom_params_count(const struct loom_params *params, const char *name);
LOOM_API const char *loom_params_item(const struct loom_params *params, const char *name,
                                      size_t index);
/* Of a nested parameter, what was given for the plug-in that it names: "PARAMETER=VALUE", as it is
 * to be assigned there; NULL past the last. */
LOOM_API const char *loom_params_nested(const struct loom_params *params, const char *name,
                                        size_t index);

/* ---- random streams -------------------------------------------------------------------------- */

/* A Philox4x64-10 stream. `gsl` makes it usable wherever GSL draws numbers: pass &stream.gsl.
 * The struct must not be moved after loom_stream_init. Every draw is 64 bits. */
struct loom_stream {
    gsl_rng gsl;
    uint64_t key[2];
    uint64_t counter[4];
    uint64_t words[16]; /* of four blocks */
    unsigned used;      /* words already handed out */
};

LOOM_API void loom_stream_init(struct loom_stream *stream, uint64_t seed, uint64_t replication,
                               const char *purpose);
LOOM_API uint64_t loom_stream_u64(struct loom_stream *stream);
/* In [0, 1), 53 bits. */
LOOM_API double loom_stream_uniform(struct loom_stream *stream);
/* In [0, n), without bias. n > 0. */
LOOM_API uint64_t loom_stream_below(struct loom_stream *stream, uint64_t n);

/* ---- threads --------------------------------------------------------------------------------- */

struct loom_pool;

/* threads = 0 takes one thread per available processor. A pool of 1 runs everything in the caller.
 */
LOOM_API int loom_pool_create(struct loom_pool **out, unsigned threads, struct loom_error *err);
LOOM_API void loom_pool_destroy(struct loom_pool *pool);
LOOM_API unsigned loom_pool_threads(const struct loom_pool *pool);

/* Task `index` of n. worker < loom_pool_threads() tells which thread runs it, for scratch memory
 * only: results must depend on index alone. */
typedef int loom_task_fn(void *context, size_t index, unsigned worker, struct loom_error *err);

/* Run tasks 0 .. n-1 and wait. If tasks fail, the error of the lowest failing index is returned,
 * whatever the number of threads; tasks above a failed one may be left out. pool may be NULL. */
LOOM_API int loom_pool_for(struct loom_pool *pool, size_t n, loom_task_fn *task, void *context,
                           struct loom_error *err);

/* As loom_pool_for, then emit(context, index, ...) for each finished task, one at a time and in
 * order of index. At most `window` tasks are made but not yet emitted, so tasks may use slot index
 * % window for their results. */
LOOM_API int loom_pool_ordered(struct loom_pool *pool, size_t n, size_t window, loom_task_fn *task,
                               loom_task_fn *emit, void *context, struct loom_error *err);

/* ---- progress -------------------------------------------------------------------------------- */

struct loom_progress;

/* A progress line on stderr, if it is a terminal and quiet is false; otherwise a silent object.
 * total = 0 means unknown. The call cannot fail: NULL is a valid, silent progress. */
LOOM_API struct loom_progress *loom_progress_create(const char *label, const char *unit,
                                                    uint64_t total, bool quiet);
LOOM_API void loom_progress_add(struct loom_progress *progress, uint64_t amount); /* thread-safe */
LOOM_API void loom_progress_destroy(struct loom_progress *progress); /* clears the line */

/* ---- output files ---------------------------------------------------------------------------- */

struct loom_output;

/* Open path for writing; "-" is stdout. A regular file appears under its name only at commit; an
 * existing device or pipe is written in place. */
LOOM_API int loom_output_create(struct loom_output **out, const char *path, struct loom_error *err);
/* Could path be written? Asked before long work whose result goes there. Leaves nothing behind, and
 * pipes and devices undisturbed. */
LOOM_API int loom_output_check(const char *path, struct loom_error *err);
/* The same for files in a directory, which may have to be made. */
LOOM_API int loom_output_check_directory(const char *path, struct loom_error *err);
/* Pack with gzip all that is written from here on: one member for each block, as every gunzip
 * reads. */
LOOM_API int loom_output_gzip(struct loom_output *out, struct loom_error *err);
LOOM_API int loom_output_write(struct loom_output *out, const void *data, size_t size,
                               struct loom_error *err);
LOOM_API int loom_output_printf(struct loom_output *out, struct loom_error *err, const char *format,
                                ...) LOOM_PRINTF(3, 4);
LOOM_API const char *loom_output_name(const struct loom_output *out);
/* All bytes have reached the disk, under the temporary name if there is one; nothing more can be
 * written. A commit does this too, where it has not been done. */
LOOM_API int loom_output_finish(struct loom_output *out, struct loom_error *err);
/* Flush, sync, rename into place. The object must still be destroyed. */
LOOM_API int loom_output_commit(struct loom_output *out, struct loom_error *err);
/* Of files that belong together: none is renamed before all have reached the disk, and no signal
 * that this thread would handle comes between. Where one cannot be renamed, those that were not
 * there before are removed again. */
LOOM_API int loom_output_commit_all(struct loom_output *const *outs, size_t n,
                                    struct loom_error *err);
/* Without a commit before, the temporary file is removed. */
LOOM_API void loom_output_destroy(struct loom_output *out);

/* Outputs that are written one after the other, perhaps by functions that know nothing of each
 * other, and that appear together. For one thread at a time. */
struct loom_output_set;

LOOM_API int loom_output_set_create(struct loom_output_set **out, struct loom_error *err);
/* Take over an output that is written to its end, which is finished now and committed with the set;
 * *out becomes NULL. LOOM_EUSAGE if the set has one of the same name. Without a set, which may be
 * NULL, it is committed at once and stays the caller's, as it does on failure. */
LOOM_API int loom_output_set_add(struct loom_output_set *set, struct loom_output **out,
                                 struct loom_error *err);
/* A directory for outputs of the set. If it had to be made, and the set is not committed, it is
 * removed again. */
LOOM_API int loom_output_set_directory(struct loom_output_set *set, const char *path,
                                       struct loom_error *err);
/* Return the name of an output that was added and not yet committed; NULL past the last. */
LOOM_API const char *loom_output_set_name(const struct loom_output_set *set, size_t index);
/* Commit all that was added; more may be added, and committed, after. */
LOOM_API int loom_output_set_commit(struct loom_output_set *set, struct loom_error *err);
LOOM_API void loom_output_set_destroy(struct loom_output_set *set);

/* Remove the temporary files of all open outputs of this process. Async-signal-safe: made to be
 * called by a program's handler for SIGINT and SIGTERM. */
LOOM_API void loom_output_abandon_all(void);

/* ---- JSON ------------------------------------------------------------------------------------ */

struct json_t; /* Jansson's */

/* A number for a JSON document: null where it is not finite, whole where it is whole. NULL when
 * memory is out, as Jansson's own constructors. */
LOOM_API struct json_t *loom_json_number(double number);
/* Write a document, indented, keys in the order they were added, with a final newline. */
LOOM_API int loom_json_write(const struct json_t *document, struct loom_output *out,
                             struct loom_error *err);

/* ---- numbers and tables for people ----------------------------------------------------------- */

/* Format a number for a person: three digits and a unit; "-" for NAN. LOOM_HUMAN holds any. All
 * return buf. */
enum { LOOM_HUMAN = 48 };
/* "1,234,567" */
LOOM_API const char *loom_human_count(int64_t count, char *buf, size_t size);
/* "0.123", "12.3", "1,235" */
LOOM_API const char *loom_human_number(double value, char *buf, size_t size);
/* "81.2 %" of 0.812; what is not 0 or 1 is not shown as such: "<0.01 %", ">99.9 %" */
LOOM_API const char *loom_human_share(double share, char *buf, size_t size);
/* "35 s", "90 min", "2.4 h", "3.1 days" */
LOOM_API const char *loom_human_seconds(double seconds, char *buf, size_t size);
/* "1.5 MiB" */
LOOM_API const char *loom_human_bytes(double bytes, char *buf, size_t size);
/* Format a length of time to the second: "2 d 3 h 5 s". */
LOOM_API const char *loom_exact_duration(int64_t seconds, char *buf, size_t size);
#define LOOM_DURATION LOOM_HUMAN
#define loom_duration_text loom_human_seconds

enum loom_align { LOOM_LEFT, LOOM_RIGHT };
/* Priorities of columns; numbers from 2 on lie between. */
enum { LOOM_KEEP = 0, LOOM_WIDE_ONLY = 1 };

struct loom_table;

LOOM_API int loom_table_create(struct loom_table **out, struct loom_error *err);
LOOM_API void loom_table_destroy(struct loom_table *table);
LOOM_API int loom_table_column(struct loom_table *table, const char *title, enum loom_align align,
                               struct loom_error *err);
/* Set the priority of the column added last: where the table is wider than its limit, columns of
 * the lowest priority are left out first, of equal ones the rightmost. LOOM_KEEP, the default, is
 * never left out; LOOM_WIDE_ONLY is shown in wide tables only. */
LOOM_API void loom_table_priority(struct loom_table *table, int priority);
/* One cell; rows fill from left to right. Control characters are shown as '?'. */
LOOM_API int loom_table_cell(struct loom_table *table, struct loom_error *err, const char *format,
                             ...) LOOM_PRINTF(3, 4);
/* Limit lines to so many characters: columns are left out by priority, and a last column of text is
 * broken at blanks, going on below its start, or below the row where that leaves little room. 0,
 * the default, is any length. */
LOOM_API void loom_table_limit(struct loom_table *table, size_t width);
/* Show all columns, whatever the limit; a long last column is still broken. */
LOOM_API void loom_table_wide(struct loom_table *table, bool wide);
/* Return how many columns are left out. */
LOOM_API size_t loom_table_hidden(const struct loom_table *table);
/* Write the table and, where columns are left out, a line "N more columns with --wide". */
LOOM_API int loom_table_write(const struct loom_table *table, struct loom_output *out,
                              struct loom_error *err);

#ifdef __cplusplus
}
#endif
#endif

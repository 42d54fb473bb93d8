/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * base.h - errors, declared parameters, random streams, threads and output files, for all other
 * headers.
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
 * Ownership: an object that a function creates in *out is the caller's to destroy; every destroy
 * accepts NULL. Other returned pointers are borrowed from the object that was asked.
 *
 * Conventions of all headers: a pointer argument must not be NULL unless its comment allows it. err
 * may always be NULL. A function that returns int returns 0, or a negative enum loom_code with err
 * filled; its results are set on success only. LOOM_ENOMEM is possible wherever memory is
 * allocated, and is not repeated at each function.
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
    /* Name of the options field or declared parameter at fault ("max_bytes", "job-procs"), as the
     * message calls it; several have blanks between. NULL if there is none. Static text. */
    const char *field;
    char file[512];
    char message[768];
};

/* Fill err (may be NULL) with code and a formatted message, without place or field. Returns code,
 * so that a failing function ends in one line:
 * `return loom_fail(err, LOOM_ERANGE, "load %g is above 1", load);` */
LOOM_API int loom_fail(struct loom_error *err, int code, const char *format, ...) LOOM_PRINTF(3, 4);

/* Fill err as loom_fail does, with a place in an input: file may be NULL, line and column 0.
 * Returns code. */
LOOM_API int loom_fail_at(struct loom_error *err, int code, const char *file, int64_t line,
                          int column, const char *format, ...) LOOM_PRINTF(6, 7);

/* Fill err as loom_fail does, and name the field at fault (static text, see struct loom_error).
 * Returns code. */
LOOM_API int loom_fail_field(struct loom_error *err, int code, const char *field,
                             const char *format, ...) LOOM_PRINTF(4, 5);

/* Fill err with LOOM_ENOMEM and its one message. Returns LOOM_ENOMEM. */
LOOM_API int loom_fail_memory(struct loom_error *err);

/* Room for the text of any error. */
enum { LOOM_ERROR_TEXT = 1400 };

/* Format err as "FILE:LINE:COLUMN: message" into buf, without the parts that are unknown; cut at
 * size bytes, NUL included. Returns buf. */
LOOM_API const char *loom_error_text(const struct loom_error *err, char *buf, size_t size);

/* ---- version --------------------------------------------------------------------------------- */

/* Return the version of the library, "0.1.0". Static text. */
LOOM_API const char *loom_version(void);

/* Return what this build was made with, such as "gsl 2.7, mpi off". Static text. */
LOOM_API const char *loom_build_features(void);

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
    const char *hint;           /* appended to an error about a value: what may be meant; or NULL */
    bool nested; /* the value names another plug-in, whose parameters are NAME.PARAMETER=VALUE */
};

/* Entries of a list of parameters, with what most of them state. */
#define LOOM_FLAG_PARAM(name_, help_)                         \
    {                                                         \
        .name = name_, .type = LOOM_PARAM_FLAG, .help = help_ \
    }
#define LOOM_INT_PARAM(name_, min_, max_, value_, metavar_, help_) \
    LOOM_NUMBER_PARAM(LOOM_PARAM_INT, name_, min_, max_, value_, metavar_, help_)
#define LOOM_REAL_PARAM(name_, min_, max_, value_, metavar_, help_) \
    LOOM_NUMBER_PARAM(LOOM_PARAM_REAL, name_, min_, max_, value_, metavar_, help_)
#define LOOM_NUMBER_PARAM(type_, name_, min_, max_, value_, metavar_, help_)     \
    {                                                                            \
        .name = name_, .type = type_, .min = min_, .max = max_, .value = value_, \
        .metavar = metavar_, .help = help_                                       \
    }
#define LOOM_CHOICE_PARAM(name_, choices_, value_, metavar_, help_)                     \
    {                                                                                   \
        .name = name_, .type = LOOM_PARAM_CHOICE, .choices = choices_, .value = value_, \
        .metavar = metavar_, .help = help_                                              \
    }

struct loom_params; /* the values of some lists of declared parameters */

/* Create a set of values for a NULL-terminated array of parameter lists, all at their defaults. The
 * lists are borrowed for the life of *out, which the caller must destroy. Fails where a default is
 * not a valid value. */
LOOM_API int loom_params_create(struct loom_params **out, const struct loom_param *const *lists,
                                struct loom_error *err);

/* Free params, which may be NULL, and the texts it handed out. */
LOOM_API void loom_params_destroy(struct loom_params *params);

/* Check a value given as text (NULL for a flag) and store a copy; a repeated parameter keeps
 * earlier ones. LOOM_EUSAGE if no parameter has this name or the text is not of its type,
 * LOOM_ERANGE if the value is outside its bounds; err->field is the name. */
LOOM_API int loom_params_set(struct loom_params *params, const char *name, const char *text,
                             struct loom_error *err);

/* Values. In all of the functions below, name must have been declared: anything else is a
 * programming error and ends in assert(). */

/* Return whether a value was set, other than by default. */
LOOM_API bool loom_params_given(const struct loom_params *params, const char *name);

/* Return whether a flag was set. */
LOOM_API bool loom_params_flag(const struct loom_params *params, const char *name);

/* Return the value of a whole number or a number of bytes; 0 if it has none. */
LOOM_API int64_t loom_params_int(const struct loom_params *params, const char *name);

/* Return the value of a real number; 0 if it has none. */
LOOM_API double loom_params_real(const struct loom_params *params, const char *name);

/* Return the (last) value of any parameter as text, borrowed from params; NULL if it has none. */
LOOM_API const char *loom_params_text(const struct loom_params *params, const char *name);

/* Return the index of a choice in its list. It must have a value. */
LOOM_API int loom_params_choice(const struct loom_params *params, const char *name);

/* Return the number of values of a repeated parameter. */
LOOM_API size_t loom_params_count(const struct loom_params *params, const char *name);

/* Return one of these values as text, borrowed from params; NULL past the last. */
LOOM_API const char *loom_params_item(const struct loom_params *params, const char *name,
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

/* Start the stream of this seed, replication and purpose (a word such as "arrivals"). Needs no
 * release. */
LOOM_API void loom_stream_init(struct loom_stream *stream, uint64_t seed, uint64_t replication,
                               const char *purpose);

/* Draw 64 random bits. */
LOOM_API uint64_t loom_stream_u64(struct loom_stream *stream);

/* Draw a number from [0, 1), a multiple of 2^-53. */
LOOM_API double loom_stream_uniform(struct loom_stream *stream);

/* Draw a whole number from [0, n), without bias. n must be above 0. */
LOOM_API uint64_t loom_stream_below(struct loom_stream *stream, uint64_t n);

/* ---- threads --------------------------------------------------------------------------------- */

struct loom_pool;

enum { LOOM_MAX_THREADS = 1024 }; /* of a pool */

/* Create a pool of threads, the caller's included: 0 is one for each available processor, and a
 * pool of 1 runs everything in the caller. The caller must destroy *out. LOOM_ERANGE above
 * LOOM_MAX_THREADS, LOOM_EIO if they cannot be started. */
LOOM_API int loom_pool_create(struct loom_pool **out, unsigned threads, struct loom_error *err);

/* Stop the threads and free pool, which may be NULL. It must not be running tasks. */
LOOM_API void loom_pool_destroy(struct loom_pool *pool);

/* Return the number of threads of pool, 1 if it is NULL. */
LOOM_API unsigned loom_pool_threads(const struct loom_pool *pool);

/* Task `index` of n. worker < loom_pool_threads() says which thread runs it, for scratch memory
 * only: results must depend on index alone. */
typedef int loom_task_fn(void *context, size_t index, unsigned worker, struct loom_error *err);

/* Run tasks 0 .. n-1 and wait. If tasks fail, the error of the lowest failing index is returned,
 * whatever the number of threads; tasks above a failed one may be left out. pool may be NULL. */
LOOM_API int loom_pool_for(struct loom_pool *pool, size_t n, loom_task_fn *task, void *context,
                           struct loom_error *err);

/* ---- progress -------------------------------------------------------------------------------- */

/* Receiver of the progress of a long call: add is called as work is done, by any thread and by
 * several at once. Each function that takes a progress states the unit of amount. Make it the first
 * member of a struct to carry state along. */
struct loom_progress {
    void (*add)(struct loom_progress *progress, uint64_t amount);
};

/* ---- output files ---------------------------------------------------------------------------- */

struct loom_output;

/* Open path for writing; "-" is stdout. A regular file appears under its name only at commit; an
 * existing device or pipe is written in place. The caller must destroy *out. LOOM_EIO if it cannot
 * be opened. */
LOOM_API int loom_output_create(struct loom_output **out, const char *path, struct loom_error *err);

/* Write size bytes. LOOM_EIO on failure, and again at every later call and at commit. */
LOOM_API int loom_output_write(struct loom_output *out, const void *data, size_t size,
                               struct loom_error *err);

/* Write formatted text. Fails as loom_output_write does. */
LOOM_API int loom_output_printf(struct loom_output *out, struct loom_error *err, const char *format,
                                ...) LOOM_PRINTF(3, 4);

/* Flush, sync, and rename into place; nothing can be written afterwards. LOOM_EIO if that or an
 * earlier write failed: no file appears then. The object must still be destroyed. */
LOOM_API int loom_output_commit(struct loom_output *out, struct loom_error *err);

/* Close and free out, which may be NULL. Without a commit before, the temporary file is removed. */
LOOM_API void loom_output_destroy(struct loom_output *out);

/* Remove the temporary files of all open outputs of this process. Async-signal-safe: made to be
 * called by a program's handler for SIGINT and SIGTERM. */
LOOM_API void loom_output_abandon_all(void);

#ifdef __cplusplus
}
#endif
#endif

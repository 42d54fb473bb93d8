/* SPDX-License-Identifier: GPL-3.0-or-later */
/* support.h - what several unit tests need: files of their own, traces, and traces compared. */
#ifndef LOOM_TESTS_SUPPORT_H
#define LOOM_TESTS_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <workloom/trace.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- files ----------------------------------------------------------------------------------- */

/* A directory of one's own, and the path of one file in it, which does not exist at first. */
struct scratch {
    char directory[64], file[96];
};

/* 0, or -1 where there can be no directory. */
int scratch_open(struct scratch *scratch, const char *file_name);
/* Removes the directory and all that is in it. 0 or -1. */
int scratch_close(struct scratch *scratch);
/* Teardown of a test or group whose set-up has stored the address of a struct scratch in *state. */
int close_scratch(void **state);

void store(const char *path, const void *data, size_t size);
void store_text(const char *path, const char *text);
/* The bytes of a file, and a NUL behind them; the caller must free them. */
char *load(const char *path);
/* The bytes of DIRECTORY/NAME.SUFFIX, as load. */
char *load_in(const char *directory, const char *name, const char *suffix);

/* A copy without a final NUL, so that a sanitizer sees every read past the text; the caller must
 * free it. */
char *bare(const char *text);

/* Skip the test where there is no gnuplot. */
void need_gnuplot(void);

/* ---- traces ---------------------------------------------------------------------------------- */

struct loom_trace *empty_trace(void);
void append(struct loom_trace *trace, struct loom_job job);
/* As many jobs as there are that no machine of so many processors runs, at times in between: of
 * unknown runtime, of unknown processors, or too wide. They stand behind the others. */
void append_refused(struct loom_trace *trace, int64_t procs, struct loom_stream *stream);

/* Read or write a file, and fail with the message if that fails. options may be NULL. */
struct loom_trace *must_read(const char *path, const struct loom_read_options *options);
void must_write(const struct loom_trace *trace, const char *path);
/* Write a trace and read it again, both by the path's suffix, which must be the format's. */
struct loom_trace *write_and_read(const struct loom_trace *trace, const char *path,
                                  const char *format);

/* A real log by its name without suffix, or its completed jobs; NULL where the log is not there. */
struct loom_trace *real_log(const char *name);
struct loom_trace *completed_jobs(const char *name);

/* A job of numbers of all sizes: random numbers of random bits, often -1 or an end of the range. */
struct loom_job any_job(struct loom_stream *stream);

/* Bit by bit, so that 0 is not -0. */
void assert_same_job(struct loom_job got, struct loom_job wanted);
void assert_row(const struct loom_trace *trace, size_t row, struct loom_job wanted);
void assert_same_jobs(const struct loom_trace *got, const struct loom_trace *wanted);
void assert_same_header(const struct loom_trace *got, const struct loom_trace *wanted);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sacct_log.h - sacct logs written to a scratch file and read through the public interface. */
#ifndef LOOM_TESTS_SACCT_LOG_H
#define LOOM_TESTS_SACCT_LOG_H

#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static inline int set_up(void **state)
{
    static struct scratch scratch;
    *state = &scratch;
    return scratch_open(&scratch, "log");
}

static inline int read_bytes(struct loom_trace **trace, void **state, const char *text, size_t size,
                             const struct loom_read_options *options, struct loom_error *err)
{
    const struct scratch *scratch = *state;
    store(scratch->file, text, size);
    *trace = NULL;
    memset(err, 0, sizeof *err);
    return loom_trace_read(trace, scratch->file, options, err);
}

static inline struct loom_trace *read_log(void **state, const char *text,
                                          const struct loom_read_options *options)
{
    const struct scratch *scratch = *state;
    store_text(scratch->file, text);
    return must_read(scratch->file, options);
}

/* Reading must fail at this line and column, with this in its message. */
static inline void must_fail(void **state, const char *text,
                             const struct loom_read_options *options, int code, int line,
                             int column, const char *message)
{
    struct loom_trace *trace;
    struct loom_error err;
    int rc = read_bytes(&trace, state, text, strlen(text), options, &err);
    loom_trace_destroy(trace);
    if (rc != code || err.code != code || err.line != line || err.column != column ||
        !strstr(err.message, message))
        fail_msg("returned %d at line %d, column %d: '%s', not %d at %d, %d: '%s'", rc,
                 (int)err.line, err.column, err.message, code, line, column, message);
}

#define HEADER                                                                                     \
    "JobID|JobIDRaw|Cluster|User|Group|Account|Partition|Submit|Start|End|Elapsed|TotalCPU|State|" \
    "NNodes|NCPUS|ReqCPUS|ReqMem|MaxRSS|Timelimit|Comment|JobName\n"

#endif

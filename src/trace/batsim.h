/* SPDX-License-Identifier: GPL-3.0-or-later */
/* batsim.h - the parts of the Batsim format: one job as JSON, and the writer. */
#ifndef LOOM_TRACE_BATSIM_H
#define LOOM_TRACE_BATSIM_H

#include "trace/number.h"

#include <jansson.h>

enum loom_batsim_type { LOOM_BATSIM_WHOLE_64, LOOM_BATSIM_WHOLE_32, LOOM_BATSIM_REAL };

/* The columns by name, as the keys of a job's "swf". */
struct loom_batsim_column {
    const char *name;
    size_t offset; /* in struct loom_job */
    enum loom_batsim_type type;
};
extern const struct loom_batsim_column loom_batsim_columns[LOOM_COLUMN_COUNT];

/* A job read from JSON. Its run time is the profile's, unless own_run. */
struct loom_batsim_job {
    struct loom_job job;
    const char *profile;      /* borrowed from the JSON value */
    uint8_t rounded;          /* fractions */
    bool id_is_number;        /* and is job.number */
    bool own_number, own_run; /* "swf" gave them */
};

/* What is wrong with a job, to follow "jobs[12]": ".res is missing". */
enum { LOOM_BATSIM_PROBLEM = LOOM_SHOWN + 128 };

/* False if it cannot be read; problem is then filled. */
bool loom_batsim_take_job(struct loom_batsim_job *out, json_t *value,
                          char problem[LOOM_BATSIM_PROBLEM]);

/* The nearest whole number, halves away from zero; a fraction adds 1 to rounded. False past 64
 * bits. */
bool loom_batsim_round(int64_t *out, double value, uint8_t *rounded);
/* Whether no number is there twice. Sorts them. */
bool loom_batsim_all_different(int64_t *numbers, size_t n);

int loom_batsim_write(const struct loom_trace *trace, struct loom_output *out,
                      const struct loom_write_options *options, struct loom_error *err);

#endif

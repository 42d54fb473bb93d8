/* SPDX-License-Identifier: GPL-3.0-or-later */
/* batsim.h - the parts of the Batsim format: one job as JSON, and the writer. */
#ifndef LOOM_TRACE_FORMATS_BATSIM_BATSIM_H
#define LOOM_TRACE_FORMATS_BATSIM_BATSIM_H

#include "base/text.h"
#include "trace/column.h"
#include "trace/formats/format.h"

#include <jansson.h>

/* A job read from JSON. Its runtime is the profile's, unless own_run. */
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

/* "profiles" of synthetic applications, for jobs that name them app_RUN_PROCS. */
int loom_batsim_write_applications(const struct loom_trace *trace, struct loom_output *out,
                                   const struct loom_application *application,
                                   struct loom_error *err);

int loom_batsim_holds(const struct loom_trace *trace, struct loom_error *err);
int loom_batsim_write(const struct loom_trace *trace, struct loom_output *out,
                      const struct loom_write_options *options, struct loom_error *err);

#endif

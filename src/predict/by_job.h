/* SPDX-License-Identifier: GPL-3.0-or-later */
/* by_job.h - a number for each job by origin and number, which are dense. Starts as {0}; must be
 * freed. */
#ifndef LOOM_PREDICT_BY_JOB_H
#define LOOM_PREDICT_BY_JOB_H

#include <workloom/predict.h>

struct loom_by_job_column {
    int64_t *values; /* by number of the job */
    size_t n, capacity;
};

struct loom_by_job {
    struct loom_by_job_column *columns; /* by origin */
    size_t n, capacity;
};

/* Set the number of a job. 0, or -1 when memory is out. */
int loom_by_job_set(struct loom_by_job *by, const struct loom_job_view *job, int64_t value);
/* Return the number of a job, -1 if none was set. */
int64_t loom_by_job_get(const struct loom_by_job *by, const struct loom_job_view *job);
void loom_by_job_free(struct loom_by_job *by);

#endif

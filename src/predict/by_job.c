/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A number for each job. */
#include "predict/by_job.h"

#include "base/vec.h"

int loom_by_job_set(struct loom_by_job *by, const struct loom_job_view *job, int64_t value)
{
    while (by->n <= job->origin) {
        if (loom_grow(&by->columns, by->n, &by->capacity))
            return -1;
        by->columns[by->n++] = (struct loom_by_job_column){0};
    }
    struct loom_by_job_column *column = &by->columns[job->origin];
    while (column->n <= job->number) {
        if (loom_grow(&column->values, column->n, &column->capacity))
            return -1;
        column->values[column->n++] = -1;
    }
    column->values[job->number] = value;
    return 0;
}

int64_t loom_by_job_get(const struct loom_by_job *by, const struct loom_job_view *job)
{
    return job->origin < by->n && job->number < by->columns[job->origin].n
               ? by->columns[job->origin].values[job->number]
               : -1;
}

void loom_by_job_free(struct loom_by_job *by)
{
    for (size_t i = 0; i < by->n; i++)
        free(by->columns[i].values);
    free(by->columns);
    *by = (struct loom_by_job){0};
}

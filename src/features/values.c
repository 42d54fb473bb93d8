/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values of jobs, by name, as samples for fitting and figures. */
#include <workloom/features.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The value of row, in submit order; false if the job does not tell it. before is the row before it
 * in that order, or row itself for the first. */
typedef bool value_fn(const struct loom_jobs *jobs, size_t row, size_t before, double *out);

static bool runtime(const struct loom_jobs *jobs, size_t row, size_t before, double *out)
{
    (void)before;
    *out = (double)jobs->run_s[row];
    return jobs->run_s[row] >= 0;
}

/* Natural logarithm, as Lublin models runtimes; a job of 0 s has none. */
static bool log_runtime(const struct loom_jobs *jobs, size_t row, size_t before, double *out)
{
    (void)before;
    *out = jobs->run_s[row] > 0 ? log((double)jobs->run_s[row]) : 0;
    return jobs->run_s[row] > 0;
}

static bool procs(const struct loom_jobs *jobs, size_t row, size_t before, double *out)
{
    (void)before;
    *out = loom_job_procs(jobs, row);
    return *out > 0;
}

static bool interarrival(const struct loom_jobs *jobs, size_t row, size_t before, double *out)
{
    *out = (double)jobs->submit_s[row] - (double)jobs->submit_s[before];
    return row != before;
}

static bool work(const struct loom_jobs *jobs, size_t row, size_t before, double *out)
{
    double width;
    if (!runtime(jobs, row, before, out) || !procs(jobs, row, before, &width))
        return false;
    *out *= width;
    return true;
}

static bool wait(const struct loom_jobs *jobs, size_t row, size_t before, double *out)
{
    (void)before;
    *out = (double)jobs->wait_s[row];
    return jobs->wait_s[row] >= 0;
}

static bool estimate(const struct loom_jobs *jobs, size_t row, size_t before, double *out)
{
    (void)before;
    *out = (double)jobs->request_s[row];
    return jobs->request_s[row] > 0;
}

const char *const loom_values_names[] = {"runtime", "log-runtime", "procs",    "interarrival",
                                         "work",    "wait",        "estimate", NULL};
static value_fn *const functions[] = {runtime, log_runtime, procs,   interarrival,
                                      work,    wait,        estimate};

int loom_values_of(double **out, size_t *n, const struct loom_trace *trace, const char *what,
                   struct loom_error *err)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    size_t k = 0;
    while (loom_values_names[k] && strcmp(loom_values_names[k], what) != 0)
        k++;
    if (!loom_values_names[k])
        return loom_fail(err, LOOM_EUSAGE, "jobs have no '%s' to fit", what);
    uint32_t *rows = NULL;
    int rc = loom_trace_order(&rows, trace, err);
    if (rc)
        return rc;
    double *values = malloc((jobs->n + 1) * sizeof *values);
    *n = 0;
    for (size_t i = 0; values && i < jobs->n; i++)
        *n += functions[k](jobs, rows[i], rows[i ? i - 1 : 0], &values[*n]);
    free(rows);
    if (!values)
        return loom_fail_memory(err);
    *out = values;
    return 0;
}

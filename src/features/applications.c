/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs of the same executable: one stable sort of the jobs by executable. */
#include "features/applications.h"

#include "base/compare.h"
#include "base/sort.h"

#include <math.h>
#include <stdlib.h>

/* ---- popularity ------------------------------------------------------------------------------ */

int loom_popularity(double **out, size_t *different, const int32_t *items, size_t n,
                    struct loom_error *err)
{
    int64_t *sorted = malloc((n + 1) * sizeof *sorted);
    double *counts = malloc((n + 1) * sizeof *counts);
    size_t known = 0, found = 0;
    for (size_t i = 0; sorted && i < n; i++)
        if (items[i] >= 0)
            sorted[known++] = items[i];
    if (sorted)
        loom_sort_int64(sorted, known);
    for (size_t i = 0, end; sorted && counts && i < known; i = end) {
        for (end = i + 1; end < known && sorted[end] == sorted[i];)
            end++;
        counts[found++] = (double)(end - i);
    }
    int rc = sorted && counts ? loom_sort(counts, found, err) : loom_fail_memory(err);
    free(sorted);
    for (size_t i = 0; !rc && i < found / 2; i++) {
        double kept = counts[i];
        counts[i] = counts[found - 1 - i];
        counts[found - 1 - i] = kept;
    }
    if (rc)
        free(counts);
    *out = rc ? NULL : counts;
    *different = found;
    return rc;
}

int loom_popularity_line(struct loom_line *out, const double *counts, size_t n,
                         struct loom_error *err)
{
    double *scratch = malloc((2 * n + 1) * sizeof *scratch);
    if (!scratch)
        return loom_fail_memory(err);
    for (size_t i = 0; i < n; i++) {
        scratch[i] = log10((double)(i + 1));
        scratch[n + i] = log10(counts[i]);
    }
    int rc = loom_line_fit(out, scratch, scratch + n, n, err);
    free(scratch);
    return rc;
}

/* ---- runs ------------------------------------------------------------------------------------ */

struct run {
    int32_t executable, user, procs;
    uint32_t job;
    int64_t run_s;
};

static int by_executable(const void *left, const void *right)
{
    const struct run *a = left, *b = right;
    return LOOM_FIRST_DIFFERENCE(LOOM_COMPARE(a->executable, b->executable),
                                 LOOM_COMPARE(a->job, b->job));
}

static int most_run(const void *left, const void *right)
{
    const struct loom_application_runs *a = left, *b = right;
    return LOOM_FIRST_DIFFERENCE(LOOM_COMPARE(b->runs, a->runs),
                                 LOOM_COMPARE(a->number, b->number));
}

static size_t list_runs(struct run *runs, const struct loom_workload *jobs)
{
    size_t n = 0;
    for (size_t i = 0; i < jobs->n; i++)
        if (jobs->executable[i] >= 0)
            runs[n++] = (struct run){jobs->executable[i], jobs->user[i], jobs->procs[i],
                                     (uint32_t)i, jobs->run_s[i]};
    qsort(runs, n, sizeof *runs, by_executable);
    return n;
}

/* Mean and deviation of the known runtimes of some runs. */
static void take_runtimes(struct loom_application_runs *application, const struct run *runs,
                          size_t n)
{
    double squares = 0;
    for (size_t i = 0; i < n; i++) {
        if (runs[i].run_s < 0)
            continue;
        double off = (double)runs[i].run_s - application->mean_s;
        application->mean_s += off / (double)++application->known;
        squares += off * ((double)runs[i].run_s - application->mean_s);
    }
    if (application->known >= 2 && application->mean_s > 0)
        application->cv = sqrt(squares / (double)(application->known - 1)) / application->mean_s;
}

static void take_application(struct loom_applications *out, const struct run *runs, size_t n,
                             int64_t *scratch)
{
    struct loom_application_runs *application = &out->of[out->n++];
    *application = (struct loom_application_runs){.number = runs[0].executable, .runs = n};
    size_t known = 0;
    for (size_t i = 0; i < n; i++)
        if (runs[i].user >= 0)
            scratch[known++] = runs[i].user;
    application->users = loom_sort_int64(scratch, known);
    known = 0;
    for (size_t i = 0; i < n; i++)
        if (runs[i].procs > 0)
            scratch[known++] = runs[i].procs;
    application->sizes = loom_sort_int64(scratch, known);
    for (size_t i = 1; i < n; i++) {
        out->repeats++;
        out->same_user += runs[i].user >= 0 && runs[i].user == runs[i - 1].user;
        out->same_procs += runs[i].procs > 0 && runs[i].procs == runs[i - 1].procs;
    }
    take_runtimes(application, runs, n);
}

int loom_applications_create(struct loom_applications *out, const struct loom_workload *jobs,
                             struct loom_error *err)
{
    *out = (struct loom_applications){0};
    struct run *runs = malloc((jobs->n + 1) * sizeof *runs);
    int64_t *scratch = malloc((jobs->n + 1) * sizeof *scratch);
    size_t different = 0;
    if (runs)
        out->runs = list_runs(runs, jobs);
    for (size_t i = 0; runs && i < out->runs; i++)
        different += i == 0 || runs[i].executable != runs[i - 1].executable;
    out->of = malloc((different + 1) * sizeof *out->of);
    int rc = runs && scratch && out->of ? 0 : loom_fail_memory(err);
    for (size_t i = 0, end; !rc && i < out->runs; i = end) {
        for (end = i + 1; end < out->runs && runs[end].executable == runs[i].executable;)
            end++;
        take_application(out, runs + i, end - i, scratch);
    }
    if (!rc)
        qsort(out->of, out->n, sizeof *out->of, most_run);
    free(scratch);
    free(runs);
    return rc;
}

void loom_applications_free(struct loom_applications *applications)
{
    free(applications->of);
    *applications = (struct loom_applications){0};
}

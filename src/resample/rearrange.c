/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Move runtimes and sizes between the jobs of a trace: shuffle them together or separately, and set
 * their correlation (Minh 2012, 7.1, 7.3). Only jobs with both known take part, in order of
 * submission, so the result does not depend on the order of rows.
 */
#include "base/hash.h"

#include <workloom/resample.h>
#include <workloom/stats.h>

#include <math.h>
#include <stdlib.h>

/* The participating jobs. Job i gets the runtime of job run[i] and the size of job size[i]. */
struct participants {
    size_t n;
    uint32_t *row, *run, *size;
    double *runtimes, *sizes; /* as they come after the moves so far */
};

static void participants_free(struct participants *participants)
{
    free(participants->row);
    free(participants->run);
    free(participants->size);
    free(participants->runtimes);
    free(participants->sizes);
}

static int find_participants(struct participants *out, const struct loom_trace *trace,
                             struct loom_error *err)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    int rc = loom_trace_order(&out->row, trace, err);
    if (rc)
        return rc;
    for (size_t i = 0; i < jobs->n; i++) {
        uint32_t row = out->row[i];
        if (jobs->run_s[row] >= 0 && loom_job_procs(jobs, row) > 0)
            out->row[out->n++] = row;
    }
    out->run = malloc((out->n + 1) * sizeof *out->run);
    out->size = malloc((out->n + 1) * sizeof *out->size);
    out->runtimes = malloc((out->n + 1) * sizeof *out->runtimes);
    out->sizes = malloc((out->n + 1) * sizeof *out->sizes);
    if (!out->run || !out->size || !out->runtimes || !out->sizes)
        return loom_fail_memory(err);
    for (size_t i = 0; i < out->n; i++)
        out->run[i] = out->size[i] = (uint32_t)i;
    return 0;
}

static void take_values(struct participants *participants, const struct loom_jobs *jobs)
{
    for (size_t i = 0; i < participants->n; i++) {
        participants->runtimes[i] = (double)jobs->run_s[participants->row[participants->run[i]]];
        participants->sizes[i] =
            (double)loom_job_procs(jobs, participants->row[participants->size[i]]);
    }
}

/* ---- moves ----------------------------------------------------------------------------------- */

static void swap_items(uint32_t *items, size_t a, size_t b)
{
    uint32_t item = items[a];
    items[a] = items[b];
    items[b] = item;
}

/* Return the seed of a replication; the first uses the seed itself. */
static uint64_t seed_of(const struct loom_rearrangement *options)
{
    const uint64_t key[] = {options->seed, options->replication};
    return options->replication == 0 ? options->seed : loom_hash(key, sizeof key);
}

/* Shuffle `first`, and `second` (or NULL) with the same permutation. */
static void shuffle(uint32_t *first, uint32_t *second, size_t n, uint64_t seed, const char *purpose)
{
    struct loom_stream stream;
    loom_stream_init(&stream, seed, 0, purpose);
    for (size_t i = n; i > 1; i--) {
        size_t k = (size_t)loom_stream_below(&stream, i);
        swap_items(first, i - 1, k);
        if (second)
            swap_items(second, i - 1, k);
    }
}

static void shuffle_participants(struct participants *participants, enum loom_shuffle options,
                                 uint64_t seed)
{
    if (options == LOOM_SHUFFLE_JOINT)
        shuffle(participants->run, participants->size, participants->n, seed, "shuffle jobs");
    if (options == LOOM_SHUFFLE_RUNTIME || options == LOOM_SHUFFLE_SEPARATE)
        shuffle(participants->run, NULL, participants->n, seed, "shuffle run times");
    if (options == LOOM_SHUFFLE_PROCS || options == LOOM_SHUFFLE_SEPARATE)
        shuffle(participants->size, NULL, participants->n, seed, "shuffle sizes");
}

static int correlate(struct participants *participants, struct loom_rearrangement *options,
                     struct loom_error *err)
{
    size_t n = participants->n;
    uint32_t *partner = malloc((n + 1) * sizeof *partner), *size = malloc((n + 1) * sizeof *size);
    int rc = partner && size ? 0 : loom_fail_memory(err);
    options->degree = options->value;
    if (!rc && options->by_degree)
        rc = loom_control_correlation(partner, participants->runtimes, participants->sizes, n,
                                      options->value, seed_of(options), err);
    else if (!rc)
        rc = loom_reach_correlation(partner, &options->degree, participants->runtimes,
                                    participants->sizes, n, options->value, seed_of(options), err);
    for (size_t i = 0; i < n && !rc; i++)
        size[i] = participants->size[partner[i]];
    if (!rc) {
        free(participants->size);
        participants->size = size;
        size = NULL;
    }
    free(size);
    free(partner);
    return rc;
}

/* Set *out to Spearman's correlation; NAN if undefined. */
static int spearman(double *out, const struct participants *participants, struct loom_error *err)
{
    struct loom_error ignored;
    *out = NAN;
    int rc = participants->n < 2 ? LOOM_EDATA
                                 : loom_spearman(out, participants->runtimes, participants->sizes,
                                                 participants->n, &ignored);
    if (rc == LOOM_EDATA)
        *out = NAN;
    return rc == LOOM_ENOMEM ? loom_fail_memory(err) : 0;
}

/* ---- the trace ------------------------------------------------------------------------------- */

static struct loom_job moved_job(const struct loom_trace *trace,
                                 const struct participants *participants, size_t i)
{
    struct loom_job job = loom_trace_job(trace, participants->row[i]);
    struct loom_job run = loom_trace_job(trace, participants->row[participants->run[i]]);
    struct loom_job size = loom_trace_job(trace, participants->row[participants->size[i]]);
    job.wait_s = -1;
    job.run_s = run.run_s;
    job.cpu_s = run.cpu_s;
    job.request_s = run.request_s;
    job.status = run.status;
    job.alloc_procs = size.alloc_procs;
    job.req_procs = size.req_procs;
    return job;
}

static int move_jobs(struct loom_trace *trace, const struct participants *participants,
                     struct loom_error *err)
{
    struct loom_job *jobs = malloc((participants->n + 1) * sizeof *jobs);
    if (!jobs)
        return loom_fail_memory(err);
    for (size_t i = 0; i < participants->n; i++)
        jobs[i] = moved_job(trace, participants, i);
    for (size_t i = 0; i < participants->n; i++)
        loom_trace_replace(trace, participants->row[i], &jobs[i]);
    free(jobs);
    return 0;
}

static int rearrange(struct loom_trace *trace, struct participants *participants,
                     struct loom_rearrangement *options, struct loom_error *err)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    options->jobs = (int64_t)participants->n;
    take_values(participants, jobs);
    int rc = spearman(&options->before, participants, err);
    shuffle_participants(participants, options->shuffle, seed_of(options));
    take_values(participants, jobs);
    if (!rc && options->correlate)
        rc = correlate(participants, options, err);
    take_values(participants, jobs);
    if (!rc)
        rc = spearman(&options->after, participants, err);
    return rc ? rc : move_jobs(trace, participants, err);
}

int loom_trace_rearrange(struct loom_trace *trace, struct loom_rearrangement *options,
                         struct loom_error *err)
{
    options->jobs = 0;
    options->before = options->after = options->degree = NAN;
    if (options->shuffle == LOOM_SHUFFLE_NONE && !options->correlate)
        return 0;
    struct participants participants = {0};
    int rc = find_participants(&participants, trace, err);
    if (!rc && participants.n == 0 && loom_trace_count(trace) > 0)
        rc = loom_fail(err, LOOM_EDATA, "no job has both a runtime and a size to exchange");
    if (!rc)
        rc = rearrange(trace, &participants, options, err);
    participants_free(&participants);
    return rc;
}

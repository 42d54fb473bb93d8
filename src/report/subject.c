/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What figures are drawn from: the jobs in order of submission, and the kinds of runtimes that the
 * features found.
 */
#include "report/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void *keep(struct loom_subject *subject, void *block)
{
    size_t i = 0;
    while (subject->owned[i])
        i++;
    return subject->owned[i] = block;
}

static const int64_t *order_int64(struct loom_subject *subject, const uint32_t *rows,
                                  const int64_t *column)
{
    int64_t *copy = malloc((subject->jobs.n + 1) * sizeof *copy);
    for (size_t i = 0; copy && i < subject->jobs.n; i++)
        copy[i] = column[rows[i]];
    return keep(subject, copy);
}

static const int32_t *order_int32(struct loom_subject *subject, const uint32_t *rows,
                                  const int32_t *column)
{
    int32_t *copy = malloc((subject->jobs.n + 1) * sizeof *copy);
    for (size_t i = 0; copy && i < subject->jobs.n; i++)
        copy[i] = column[rows[i]];
    return keep(subject, copy);
}

static const int32_t *order_procs(struct loom_subject *subject, const uint32_t *rows,
                                  const struct loom_jobs *table)
{
    int32_t *copy = malloc((subject->jobs.n + 1) * sizeof *copy);
    for (size_t i = 0; copy && i < subject->jobs.n; i++)
        copy[i] = loom_job_procs(table, rows[i]);
    return keep(subject, copy);
}

static int order_columns(struct loom_subject *subject, const uint32_t *rows,
                         const struct loom_jobs *table, struct loom_error *err)
{
    struct loom_workload *jobs = &subject->jobs;
    jobs->submit_s = order_int64(subject, rows, table->submit_s);
    jobs->run_s = order_int64(subject, rows, table->run_s);
    jobs->wait_s = order_int64(subject, rows, table->wait_s);
    jobs->estimate_s = order_int64(subject, rows, table->req_time_s);
    jobs->user = order_int32(subject, rows, table->user);
    jobs->procs = order_procs(subject, rows, table);
    if (!jobs->submit_s || !jobs->run_s || !jobs->wait_s || !jobs->estimate_s || !jobs->user ||
        !jobs->procs)
        return loom_fail_memory(err);
    return 0;
}

static int arrange(struct loom_subject *subject, const struct loom_trace *trace,
                   struct loom_error *err)
{
    const struct loom_jobs *table = loom_trace_jobs(trace);
    struct loom_workload *jobs = &subject->jobs;
    uint32_t *rows = NULL;
    *jobs = (struct loom_workload){.trace = trace,
                                   .n = table->n,
                                   .max_procs = loom_trace_max_procs(trace)};
    int rc = loom_trace_order(&rows, trace, err);
    if (!rc)
        rc = order_columns(subject, rows, table, err);
    free(rows);
    if (!rc)
        rc = loom_zone_create(&subject->zone, trace, NULL, err);
    jobs->zone = subject->zone;
    if (!rc && jobs->n > 0 &&
        __builtin_sub_overflow(jobs->submit_s[jobs->n - 1], jobs->submit_s[0], &jobs->span_s))
        rc = loom_fail(err, LOOM_EDATA,
                       "the submit times are too far apart to draw; clean the log first");
    return rc;
}

/* The mixture of the number of clusters that the features chose is found again, which is cheap
 * beside the choice. */
static int find_clusters(struct loom_subject *subject, struct loom_pool *pool,
                         struct loom_error *err)
{
    const struct loom_feature *count = loom_features_find(subject->features, "runtime.clusters");
    if (!count || !count->known || count->value < 1)
        return 0;
    const struct loom_workload *jobs = &subject->jobs;
    double *logs = malloc((jobs->n + 1) * sizeof *logs);
    if (!logs)
        return loom_fail_memory(err);
    size_t n = 0;
    for (size_t i = 0; i < jobs->n; i++)
        if (jobs->run_s[i] >= 0)
            logs[n++] = log1p((double)jobs->run_s[i]);
    size_t clusters = (size_t)count->value;
    struct loom_cluster_options options = {.min_clusters = clusters,
                                           .max_clusters = clusters,
                                           .pool = pool};
    int rc = n > 0 ? loom_cluster(&subject->clusters, logs, n, &options, err) : 0;
    free(logs);
    if (rc)
        subject->clusters = (struct loom_clusters){0};
    return rc == LOOM_ENOMEM ? rc : 0;
}

int loom_subject_create(struct loom_subject *out, const struct loom_trace *trace,
                        const struct loom_features *features, struct loom_pool *pool,
                        struct loom_error *err)
{
    *out = (struct loom_subject){.features = features};
    int rc = arrange(out, trace, err);
    if (!rc)
        rc = find_clusters(out, pool, err);
    if (rc)
        loom_subject_free(out);
    return rc;
}

void loom_subject_free(struct loom_subject *subject)
{
    for (size_t i = 0; i < sizeof subject->owned / sizeof *subject->owned; i++)
        free(subject->owned[i]);
    loom_clusters_free(&subject->clusters);
    loom_zone_destroy(subject->zone);
    *subject = (struct loom_subject){0};
}

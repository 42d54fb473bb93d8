/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What figures are drawn from: the jobs in order of submission, and the kinds of runtimes that the
 * features found.
 */
#include "report/figure.h"

#include <math.h>
#include <stdlib.h>

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
                                           .mclust = true,
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
    int rc = loom_arrange(&out->arranged, trace, err);
    out->jobs = out->arranged.jobs;
    if (!rc)
        rc = find_clusters(out, pool, err);
    if (rc)
        loom_subject_free(out);
    return rc;
}

void loom_subject_free(struct loom_subject *subject)
{
    loom_arranged_free(&subject->arranged);
    loom_clusters_free(&subject->clusters);
    *subject = (struct loom_subject){0};
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What figures are drawn from: the jobs in order of submission, and what the features found and
 * kept.
 */
#include "report/figure.h"

int loom_subject_create(struct loom_subject *out, const struct loom_trace *trace,
                        const struct loom_features *features, struct loom_error *err)
{
    *out = (struct loom_subject){.features = features};
    int rc = loom_arrange(&out->arranged, trace, err);
    if (rc)
        return rc;
    out->jobs = out->arranged.jobs;
    out->clusters = loom_features_clusters(features);
    return 0;
}

void loom_subject_free(struct loom_subject *subject)
{
    loom_arranged_free(&subject->arranged);
    *subject = (struct loom_subject){0};
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bag_rows.h - jobs written as rows, and the features of their bags. */
#ifndef LOOM_TESTS_BAG_ROWS_H
#define LOOM_TESTS_BAG_ROWS_H

#include "measured.h"

#include <workloom/users.h>

struct row {
    int64_t submit_s;
    int32_t user;
    int64_t run_s;
    int32_t procs;
    int64_t request_s, wait_s;
};

static inline struct loom_job job_of(struct row row)
{
    struct loom_job job = loom_job_unknown();
    job.submit_s = row.submit_s;
    job.user = row.user;
    job.run_s = row.run_s;
    job.req_procs = row.procs;
    job.request_s = row.request_s;
    job.wait_s = row.wait_s;
    return job;
}

static inline struct loom_trace *log_of(const struct row *rows, size_t n)
{
    struct loom_trace *trace = empty_trace();
    for (size_t i = 0; i < n; i++)
        append(trace, job_of(rows[i]));
    return trace;
}

static inline bool is_of_bags(const struct loom_feature *feature)
{
    return strncmp(feature->info->key, "bot.", 4) == 0;
}

/* All keys of the family that are not in the list have this reason, and keys in the list none. */
static inline void assert_rest_missing(const struct loom_features *features,
                                       const struct wanted *known, size_t n, const char *reason)
{
    size_t missing = 0, all = 0;
    for (size_t i = 0; i < loom_features_count(features); i++) {
        const struct loom_feature *feature = loom_features_at(features, i);
        if (!is_of_bags(feature))
            continue;
        all++;
        bool listed = false;
        for (size_t k = 0; k < n; k++)
            listed |= strcmp(known[k].key, feature->info->key) == 0;
        if (listed)
            continue;
        assert_missing(features, feature->info->key, reason);
        missing++;
    }
    assert_int_equal(missing + n, all);
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What figures are drawn from: the jobs in order of submission, what the features found and kept,
 * and what several figures need, which is worked out once, side by side.
 */
#include "base/civil.h"
#include "features/measure.h"
#include "report/figure.h"

#include <stdlib.h>

static int sort_runtimes(struct loom_subject *subject, struct loom_error *err)
{
    struct loom_sorted *runtimes = &subject->runtimes;
    int rc = loom_known_runtimes(&runtimes->x, &runtimes->n, &subject->jobs, 0, err);
    return rc ? rc : loom_sort(runtimes->x, runtimes->n, err);
}

static int find_users(struct loom_subject *subject, struct loom_error *err)
{
    const struct loom_workload *jobs = &subject->jobs;
    struct loom_activity activity = loom_workload_activity(jobs);
    return jobs->n > 0 ? loom_users_create(&subject->users, &activity, err) : 0;
}

static int find_bags(struct loom_subject *subject, struct loom_error *err)
{
    const struct loom_workload *jobs = &subject->jobs;
    bool known = false, real = false;
    for (size_t i = 0; i < jobs->n && !known; i++)
        known = jobs->user[i] >= 0;
    int rc =
        known ? loom_bags_create(&subject->bags, jobs->trace, subject->definitions.bag_gap_s, err)
              : 0;
    for (size_t b = 0; !rc && subject->bags && b < subject->bags->count && !real; b++)
        real = loom_bag_size(subject->bags, b) >= 2;
    if (!real) {
        loom_bags_destroy(subject->bags);
        subject->bags = NULL;
    }
    return rc;
}

static int count_by_clock(struct loom_subject *subject, struct loom_error *err)
{
    const struct loom_workload *jobs = &subject->jobs;
    (void)err;
    subject->clock_known = loom_trace_machine(jobs->trace)->unix_start_s > 0;
    for (size_t i = 0; subject->clock_known && i < jobs->n; i++) {
        int64_t second;
        int64_t day = loom_civil_day(loom_zone_local(jobs->zone, jobs->submit_s[i]), &second);
        subject->by_clock[(loom_civil_weekday(day) + 6) % 7][second / 3600]++;
    }
    return 0;
}

typedef int part_fn(struct loom_subject *subject, struct loom_error *err);

static part_fn *const parts[] = {find_bags, find_users, count_by_clock, sort_runtimes};

static int work_out(void *context, size_t index, unsigned worker, struct loom_error *err)
{
    (void)worker;
    return parts[index](context, err);
}

int loom_subject_create(struct loom_subject *out, const struct loom_trace *trace,
                        const struct loom_features *features, struct loom_pool *pool,
                        struct loom_error *err)
{
    *out = (struct loom_subject){.features = features,
                                 .definitions = *loom_features_definitions(features)};
    int rc = loom_arrange(&out->arranged, trace, err);
    if (rc)
        return rc;
    out->jobs = out->arranged.jobs;
    out->clusters = loom_features_clusters(features);
    rc = loom_pool_for(pool, sizeof parts / sizeof *parts, work_out, out, err);
    if (rc)
        loom_subject_free(out);
    return rc;
}

void loom_subject_free(struct loom_subject *subject)
{
    free(subject->runtimes.x);
    loom_users_destroy(subject->users);
    loom_bags_destroy(subject->bags);
    loom_arranged_free(&subject->arranged);
    *subject = (struct loom_subject){0};
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers of jobs, users, groups, queues and processors, duration, and load.
 *
 * Users, groups and queues are counted over the jobs that know theirs. Jobs whose runtime or
 * processors are unknown add nothing to the load.
 */
#include "features/family.h"
#include "features/tally.h"

static int put_different(struct loom_results *results, const char *key, const int32_t *ids,
                         size_t n, const char *reason, struct loom_error *err)
{
    struct loom_tally tally = {0};
    int rc = 0;
    for (size_t i = 0; i < n && !rc; i++)
        if (ids[i] >= 0)
            rc = loom_tally_add(&tally, ids[i], 1, err);
    if (!rc && tally.n > 0)
        loom_put(results, key, (double)tally.n);
    else if (!rc)
        loom_put_missing(results, key, reason);
    loom_tally_free(&tally);
    return rc;
}

/* Processor-seconds of all jobs over those the machine has from the first submit to the last: the
 * arrival rate times the mean of runtime x processors over the machine's size (Minh 2012, 5.2.5).
 */
static int put_load(struct loom_results *results, const struct loom_workload *jobs,
                    struct loom_error *err)
{
    struct loom_machine_size machine;
    int rc = loom_trace_machine_size(&machine, jobs->trace, err);
    double work = 0;
    size_t known = 0;
    for (size_t i = 0; i < jobs->n; i++)
        if (jobs->run_s[i] >= 0 && jobs->procs[i] > 0) {
            work += (double)jobs->run_s[i] * jobs->procs[i];
            known++;
        }
    if (known == 0)
        loom_put_missing(results, "load.offered", "no job knows both its runtime and processors");
    else if (jobs->span_s <= 0)
        loom_put_missing(results, "load.offered", "all jobs arrive in the same second");
    else if (!loom_size_usable(&machine))
        loom_put_missing(results, "load.offered", "the size of the machine is not known");
    else
        loom_put(results, "load.offered", work / ((double)jobs->span_s * (double)machine.procs));
    if (machine.source == LOOM_SIZE_PEAK)
        loom_put_note(results, "load.offered", LOOM_SIZE_OF_PEAK);
    return rc;
}

static int jobs_compute(const struct loom_workload *jobs, struct loom_results *results,
                        struct loom_error *err)
{
    loom_put(results, "jobs", (double)jobs->n);
    int rc = put_different(results, "users", jobs->user, jobs->n, "no job has a user ID", err);
    if (!rc)
        rc = put_different(results, "groups", jobs->group, jobs->n, "no job has a group ID", err);
    if (!rc)
        rc = put_different(results, "queues", jobs->queue, jobs->n, "no job has a queue", err);
    if (rc)
        return rc;
    if (jobs->max_procs > 0)
        loom_put(results, "max_procs", (double)jobs->max_procs);
    else
        loom_put_missing(results, "max_procs",
                         "the header does not give the machine's size; set MaxProcs");
    if (jobs->n > 0)
        loom_put(results, "span_s", (double)jobs->span_s);
    rc = put_load(results, jobs, err);
    loom_put_rest_missing(results, "there are no jobs");
    return rc;
}

static const struct loom_feature_info keys[] = {
    {"jobs", "jobs", "number of jobs", "Minh 2012, 3.1"},
    {"users", "users", "number of different users", "Minh 2012, 3.1"},
    {"groups", "groups", "number of different groups", "Minh 2012, 3.1"},
    {"queues", "queues", "number of different queues", "Minh 2012, 3.1"},
    {"max_procs", "processors", "processors of the machine", "Minh 2012, 3.1"},
    {"span_s", "s", "time from the first submit to the last", "Minh 2012, 3.1"},
    {"load.offered", "",
     "processor-seconds of all jobs, as a share of what the machine has from the first submit to "
     "the last",
     "Minh 2012, 5.2.5"},
    {0},
};

const struct loom_family_ops loom_family_jobs = {
    .name = "jobs",
    .keys = keys,
    .with_no_jobs = true,
    .compute = jobs_compute,
};

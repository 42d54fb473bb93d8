/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finding bags of tasks: once the jobs are in order, comparing each with the one before it finds
 * where bags begin.
 */
#include <stdlib.h>
#include <workloom/users.h>

static bool same_kind(const struct loom_jobs *jobs, uint32_t a, uint32_t b)
{
    return jobs->user[a] == jobs->user[b] && jobs->user[a] >= 0 &&
           jobs->group[a] == jobs->group[b] && jobs->queue[a] == jobs->queue[b] &&
           jobs->executable[a] == jobs->executable[b] && jobs->request_s[a] == jobs->request_s[b] &&
           loom_job_procs(jobs, a) == loom_job_procs(jobs, b);
}

static bool soon_after(const struct loom_jobs *jobs, uint32_t before, uint32_t after,
                       int64_t delta_s)
{
    int64_t gap_s;
    if (__builtin_sub_overflow(jobs->submit_s[after], jobs->submit_s[before], &gap_s))
        return false;
    return gap_s <= delta_s;
}

static bool begins_bag(const struct loom_jobs *jobs, const uint32_t *rows, size_t i,
                       int64_t delta_s)
{
    return i == 0 || !same_kind(jobs, rows[i - 1], rows[i]) ||
           !soon_after(jobs, rows[i - 1], rows[i], delta_s);
}

/* What a struct loom_bags handed out is the beginning of: its arrays, to be written and freed. */
struct owner {
    struct loom_bags bags;
    uint32_t *row, *first;
};

static int bags_fill(struct owner *owner, const struct loom_trace *trace, int64_t delta_s,
                     struct loom_error *err)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    size_t n = 0, count = 0;
    int rc = loom_trace_arrivals(&owner->row, &n, trace, err);
    if (rc)
        return rc;
    for (size_t i = 0; i < n; i++)
        count += begins_bag(jobs, owner->row, i, delta_s);
    owner->first = malloc((count + 1) * sizeof *owner->first);
    if (!owner->first)
        return loom_fail_memory(err);
    size_t bag = 0;
    for (size_t i = 0; i < n; i++)
        if (begins_bag(jobs, owner->row, i, delta_s))
            owner->first[bag++] = (uint32_t)i;
    owner->first[count] = (uint32_t)n;
    owner->bags = (struct loom_bags){count, n, owner->row, owner->first};
    return 0;
}

int loom_bags_create(struct loom_bags **out, const struct loom_trace *trace, int64_t delta_s,
                     struct loom_error *err)
{
    struct owner *owner = calloc(1, sizeof *owner);
    if (!owner)
        return loom_fail_memory(err);
    int rc = bags_fill(owner, trace, delta_s, err);
    if (rc)
        loom_bags_destroy(&owner->bags);
    else
        *out = &owner->bags;
    return rc;
}

void loom_bags_destroy(struct loom_bags *bags)
{
    struct owner *owner = (struct owner *)bags;
    if (!owner)
        return;
    free(owner->row);
    free(owner->first);
    free(owner);
}

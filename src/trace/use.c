/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Processors in use over time: starts and ends of jobs, sorted and added up. */
#include "trace/use.h"

#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

/* Beyond this, sums of times could overflow: such a record is wrong. */
static const int64_t MOST_S = INT64_MAX / 4;

bool loom_job_placed(const struct loom_jobs *jobs, size_t row)
{
    int64_t submit_s = jobs->submit_s[row], wait_s = jobs->wait_s[row], run_s = jobs->run_s[row];
    return submit_s != -1 && submit_s >= -MOST_S && submit_s <= MOST_S && wait_s >= 0 &&
           wait_s <= MOST_S && run_s >= 0 && run_s <= MOST_S;
}

static int64_t key_of(const struct loom_use_step *step, bool by_level)
{
    return by_level ? step->procs : step->at_s;
}

static int by_time(const void *left, const void *right)
{
    const struct loom_use_step *a = left, *b = right;
    return (a->at_s > b->at_s) - (a->at_s < b->at_s);
}

static int by_procs(const void *left, const void *right)
{
    const struct loom_use_step *a = left, *b = right;
    return (a->procs > b->procs) - (a->procs < b->procs);
}

/* Sort by numbers below 2^32 above the least: each is the high half of a key, the index the low. */
static int sort_packed(struct loom_use_step *steps, size_t n, bool by_level, int64_t least,
                       struct loom_error *err)
{
    uint64_t *keys = malloc(n * sizeof *keys);
    struct loom_use_step *sorted = malloc(n * sizeof *sorted);
    int rc = keys && sorted ? 0 : loom_fail_memory(err);
    for (size_t i = 0; i < n && !rc; i++)
        keys[i] = (uint64_t)(key_of(&steps[i], by_level) - least) << 32 | i;
    if (!rc)
        loom_sort_keys(keys, n);
    for (size_t i = 0; i < n && !rc; i++)
        sorted[i] = steps[keys[i] & UINT32_MAX];
    if (!rc)
        memcpy(steps, sorted, n * sizeof *steps);
    free(keys);
    free(sorted);
    return rc;
}

int loom_use_sort(struct loom_use_step *steps, size_t n, bool by_level, struct loom_error *err)
{
    int64_t least = INT64_MAX, most = INT64_MIN;
    for (size_t i = 0; i < n; i++) {
        int64_t key = key_of(&steps[i], by_level);
        least = key < least ? key : least;
        most = key > most ? key : most;
    }
    if (n == 0)
        return 0;
    if (n <= UINT32_MAX && (double)most - (double)least < UINT32_MAX)
        return sort_packed(steps, n, by_level, least, err);
    qsort(steps, n, sizeof *steps, by_level ? by_procs : by_time);
    return 0;
}

/* Changes by starts and ends. Returns how many. */
static size_t list_changes(struct loom_use_step *steps, const struct loom_jobs *jobs,
                           int64_t widest)
{
    size_t n = 0;
    for (size_t i = 0; i < jobs->n; i++) {
        int64_t procs = loom_job_used(jobs, i);
        if (!loom_job_placed(jobs, i) || jobs->run_s[i] == 0 || procs <= 0 || procs > widest)
            continue;
        int64_t start_s = jobs->submit_s[i] + jobs->wait_s[i];
        steps[n++] = (struct loom_use_step){start_s, procs};
        steps[n++] = (struct loom_use_step){start_s + jobs->run_s[i], -procs};
    }
    return n;
}

/* Turn changes into levels, one for each moment, in place. Returns how many. */
static size_t add_up(struct loom_use_step *steps, size_t n)
{
    int64_t level = 0;
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        level += steps[i].procs;
        if (i + 1 == n || steps[i + 1].at_s != steps[i].at_s)
            steps[kept++] = (struct loom_use_step){steps[i].at_s, level};
    }
    return kept;
}

int loom_use_create(struct loom_use *out, const struct loom_jobs *jobs, int64_t widest,
                    struct loom_error *err)
{
    out->steps = malloc((2 * jobs->n + 1) * sizeof *out->steps);
    if (!out->steps)
        return loom_fail_memory(err);
    out->n = list_changes(out->steps, jobs, widest);
    int rc = loom_use_sort(out->steps, out->n, false, err);
    if (rc) {
        free(out->steps);
        out->steps = NULL;
        return rc;
    }
    out->n = add_up(out->steps, out->n);
    return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a log shows of its machine: limits of users, sizes of queues, jobs that are not in it. */
#include "experiment/replay_facts.h"

#include "base/map.h"
#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST_OUTAGE_S = 600, UNSEEN_S = 7 * 86400 };
static const double IDLE_SHARE = 0.02; /* of the processors: a stuck record is not the machine */

/* ---- limits of users ------------------------------------------------------------------------- */

/* A start or an end of a user's job; sorted as one number each. */
struct change {
    int32_t user;
    int64_t time_s;
    int32_t procs; /* negative: an end */
};

static int by_user_and_time(const void *a, const void *b)
{
    const struct change *one = a, *other = b;
    if (one->user != other->user)
        return one->user < other->user ? -1 : 1;
    if (one->time_s != other->time_s)
        return one->time_s < other->time_s ? -1 : 1;
    return one->procs < other->procs ? -1 : one->procs > other->procs; /* ends first */
}

static size_t list_changes(struct change *out, const struct loom_sim *log, int64_t middle_s)
{
    size_t n_jobs, n = 0;
    const struct loom_sim_job *jobs = loom_sim_jobs(log, &n_jobs);
    for (size_t i = 0; i < n_jobs; i++) {
        const struct loom_sim_job *job = &jobs[i];
        if (job->user < 0 || job->submit_s >= middle_s || job->run_s == 0)
            continue;
        out[n++] = (struct change){job->user, job->start_s, job->procs};
        out[n++] = (struct change){job->user, loom_sim_job_end(job), -job->procs};
    }
    qsort(out, n, sizeof *out, by_user_and_time);
    return n;
}

/* The most that each user had on the machine at once. */
static size_t find_peaks(struct loom_user_limit *out, const struct change *changes, size_t n)
{
    size_t users = 0;
    int64_t jobs = 0, procs = 0;
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || changes[i].user != changes[i - 1].user) {
            out[users++] = (struct loom_user_limit){.user = changes[i].user};
            jobs = procs = 0;
        }
        struct loom_user_limit *user = &out[users - 1];
        jobs += changes[i].procs > 0 ? 1 : -1;
        procs += changes[i].procs;
        user->jobs = jobs > user->jobs ? jobs : user->jobs;
        user->procs = procs > user->procs ? procs : user->procs;
    }
    return users;
}

static int find_limits(struct loom_replay_facts *out, const struct loom_sim *log, int64_t middle_s,
                       struct loom_error *err)
{
    size_t n_jobs;
    loom_sim_jobs(log, &n_jobs);
    struct change *changes = malloc((2 * n_jobs + 1) * sizeof *changes);
    out->own = malloc((n_jobs + 1) * sizeof *out->own);
    if (!changes || !out->own) {
        free(changes);
        return loom_fail_memory(err);
    }
    size_t n = list_changes(changes, log, middle_s);
    out->limits =
        (struct loom_user_limits){.own = out->own, .n_own = find_peaks(out->own, changes, n)};
    if (out->limits.n_own > 0)
        out->known |= LOOM_ASSUME_PEAKS | LOOM_ASSUME_USER_JOBS | LOOM_ASSUME_USER_PROCS;
    free(changes);
    return 0;
}

/* ---- processors of queues and partitions ----------------------------------------------------- */

static int by_number(const void *a, const void *b)
{
    const struct loom_share *one = a, *other = b;
    return one->number < other->number ? -1 : one->number > other->number;
}

/* The peak of the jobs of one number in the first half, or the widest of all its jobs. */
static int find_share(struct loom_share *share, const struct loom_trace *trace,
                      const int32_t *numbers, int64_t middle_s, struct loom_error *err)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    struct loom_trace *own = NULL;
    uint8_t *keep = malloc(jobs->n + 1);
    int64_t widest = 1;
    if (!keep)
        return loom_fail_memory(err);
    for (size_t row = 0; row < jobs->n; row++) {
        bool is_own = numbers[row] == share->number;
        keep[row] = is_own && jobs->submit_s[row] < middle_s;
        if (is_own && loom_job_procs(jobs, row) > widest)
            widest = loom_job_procs(jobs, row);
    }
    int rc = loom_trace_subset(&own, trace, keep, 1, err);
    if (!rc)
        rc = loom_trace_peak_procs(&share->procs, own, err);
    share->procs = share->procs > widest ? share->procs : widest;
    loom_trace_destroy(own);
    free(keep);
    return rc;
}

int loom_split_find(struct loom_split *out, struct loom_share **shares,
                    const struct loom_trace *trace, enum loom_name_kind by, int64_t before_s,
                    struct loom_error *err)
{
    enum { MOST = 1000 };
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    const int32_t *numbers = by == LOOM_QUEUE ? jobs->queue : jobs->partition;
    struct loom_map map = {0};
    int rc = 0;
    *shares = malloc(MOST * sizeof **shares);
    if (!*shares)
        return loom_fail_memory(err);
    for (size_t row = 0; row < jobs->n && map.n <= MOST && !rc; row++) {
        uint32_t at = loom_map_intern(&map, (uint64_t)(uint32_t)numbers[row]);
        if (at == LOOM_MAP_NONE)
            rc = loom_fail_memory(err);
        else if (at < MOST)
            (*shares)[at] = (struct loom_share){.number = numbers[row]};
    }
    *out = (struct loom_split){by, *shares, map.n > 1 && map.n <= MOST ? map.n : 0};
    loom_map_free(&map);
    qsort(*shares, out->n, sizeof **shares, by_number);
    for (size_t i = 0; i < out->n && !rc; i++)
        rc = find_share(&(*shares)[i], trace, numbers, before_s, err);
    return rc;
}

/* ---- jobs that ran when the log began -------------------------------------------------------- */

/* Processors that have not been seen in use since the log began are held by jobs that started
 * before it: one job for each rise of the highest use so far, until that reaches the machine, for a
 * week at most. */
static int prime(struct loom_replay_facts *out, const struct loom_trace *trace,
                 const struct loom_sim *log, struct loom_error *err)
{
    size_t n_jobs, n = 0;
    const struct loom_sim_job *jobs = loom_sim_jobs(log, &n_jobs);
    struct change *changes = malloc((2 * n_jobs + 1) * sizeof *changes);
    uint8_t *none = calloc(loom_trace_count(trace) + 1, 1);
    if (!changes || !none) {
        free(changes);
        free(none);
        return loom_fail_memory(err);
    }
    int64_t first_s = jobs[0].submit_s, used = 0, highest = 0, procs = loom_sim_procs(log);
    for (size_t i = 0; i < n_jobs && jobs[i].submit_s < first_s + UNSEEN_S; i++) {
        changes[n++] = (struct change){0, jobs[i].start_s, jobs[i].procs};
        changes[n++] = (struct change){0, loom_sim_job_end(&jobs[i]), -jobs[i].procs};
    }
    qsort(changes, n, sizeof *changes, by_user_and_time);
    int rc = loom_trace_subset(&out->primed, trace, none, 0, err);
    for (size_t i = 0; i < n && !rc && highest < procs; i++) {
        used += changes[i].procs;
        int64_t length_s = changes[i].time_s - first_s, rise = used < procs ? used : procs;
        if (rise <= highest)
            continue;
        struct loom_job job = loom_job_unknown();
        job.submit_s = first_s;
        job.run_s = job.request_s = length_s < UNSEEN_S ? length_s : UNSEEN_S;
        job.req_procs = job.alloc_procs = (int32_t)(rise - highest);
        highest = rise;
        if (job.run_s > 0)
            rc = loom_trace_append(out->primed, &job, err);
    }
    if (!rc && loom_trace_count(out->primed) > loom_trace_count(trace))
        out->known |= LOOM_ASSUME_INITIAL;
    free(changes);
    free(none);
    return rc;
}

/* ---- all of it ------------------------------------------------------------------------------- */

int loom_log_outages(struct loom_downtime **out, size_t *n, const struct loom_sim *log,
                     struct loom_error *err)
{
    int64_t most = (int64_t)(IDLE_SHARE * (double)loom_sim_procs(log));
    return loom_outages_find(out, n, log, LEAST_OUTAGE_S, most, err);
}

static int find_events(struct loom_replay_facts *out, const struct loom_trace *trace,
                       const struct loom_sim *log, struct loom_error *err)
{
    int rc = loom_log_outages(&out->outages, &out->downtime.n, log, err);
    out->downtime.list = out->outages;
    if (!rc)
        rc = prime(out, trace, log, err);
    if (!rc && !(out->urgent = calloc(loom_trace_count(out->primed) + 1, 1)))
        rc = loom_fail_memory(err);
    if (!rc)
        rc = loom_urgent_find(out->urgent, &out->n_urgent, log, err);
    if (!rc)
        rc = loom_weekly_use_find(&out->use, log, err);
    out->known |= LOOM_ASSUME_EXACT | LOOM_ASSUME_SIZE |
                  (out->use.n_uses > 0 ? LOOM_ASSUME_WEEKS : 0) |
                  (out->downtime.n > 0 ? LOOM_ASSUME_DOWNTIME : 0) |
                  (out->n_urgent > 0 ? LOOM_ASSUME_URGENT : 0);
    return rc;
}

int loom_replay_facts_find(struct loom_replay_facts *out, const struct loom_trace *trace,
                           const struct loom_sim *log, int64_t middle_s, struct loom_error *err)
{
    *out = (struct loom_replay_facts){0};
    int rc = find_events(out, trace, log, err);
    if (!rc)
        rc = find_limits(out, log, middle_s, err);
    if (!rc)
        rc = loom_split_find(&out->queues, &out->queue_shares, trace, LOOM_QUEUE, middle_s, err);
    if (!rc)
        rc = loom_split_find(&out->partitions, &out->partition_shares, trace, LOOM_PARTITION,
                             middle_s, err);
    out->known |= (out->queues.n > 0 ? LOOM_ASSUME_QUEUES : 0) |
                  (out->partitions.n > 0 ? LOOM_ASSUME_PARTITIONS : 0);
    return rc;
}

void loom_replay_facts_free(struct loom_replay_facts *facts)
{
    free(facts->outages);
    free(facts->own);
    free(facts->queue_shares);
    free(facts->partition_shares);
    free(facts->urgent);
    loom_trace_destroy(facts->primed);
    loom_weekly_use_free(&facts->use);
    *facts = (struct loom_replay_facts){0};
}

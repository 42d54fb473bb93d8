/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Events that a schedule shows: outages of the machine, and jobs that jumped the queue. */
#include "experiment/replay_facts.h"

#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

/* ---- starts, ends and submissions in order of time ------------------------------------------- */

static int by_time(const void *a, const void *b)
{
    const struct loom_log_event *one = a, *other = b;
    if (one->time_s != other->time_s)
        return one->time_s < other->time_s ? -1 : 1;
    if (one->what != other->what)
        return one->what < other->what ? -1 : 1;
    return one->job < other->job ? -1 : one->job > other->job;
}

int loom_log_events(struct loom_log_event **out, size_t *n, const struct loom_sim *log,
                    struct loom_error *err)
{
    size_t n_jobs, at = 0;
    const struct loom_sim_job *jobs = loom_sim_jobs(log, &n_jobs);
    struct loom_log_event *events = malloc((3 * n_jobs + 1) * sizeof *events);
    if (!events)
        return loom_fail_memory(err);
    for (uint32_t i = 0; i < n_jobs; i++) {
        events[at++] = (struct loom_log_event){jobs[i].submit_s, LOOM_LOG_SUBMITS, i};
        events[at++] = (struct loom_log_event){jobs[i].start_s, LOOM_LOG_STARTS, i};
        if (jobs[i].run_s > 0)
            events[at++] = (struct loom_log_event){loom_sim_job_end(&jobs[i]), LOOM_LOG_ENDS, i};
    }
    qsort(events, at, sizeof *events, by_time);
    *out = events;
    *n = at;
    return 0;
}

/* ---- outages --------------------------------------------------------------------------------- */

/* Outages as they are found: [from_s, now) is one if from_s is not -1. */
struct outages {
    struct loom_downtime *list;
    size_t n, capacity;
    int64_t from_s, least_s;
};

static int end_outage(struct outages *outages, int64_t now_s, struct loom_error *err)
{
    int64_t from_s = outages->from_s;
    outages->from_s = -1;
    if (from_s < 0 || now_s - from_s < outages->least_s)
        return 0;
    if (outages->n > 0 && outages->list[outages->n - 1].to_s >= from_s) {
        outages->list[outages->n - 1].to_s = now_s;
        return 0;
    }
    if (loom_grow(&outages->list, outages->n, &outages->capacity))
        return loom_fail_memory(err);
    outages->list[outages->n++] = (struct loom_downtime){from_s, now_s};
    return 0;
}

int loom_outages_find(struct loom_downtime **out, size_t *n, const struct loom_sim *log,
                      int64_t least_s, int64_t most, struct loom_error *err)
{
    struct outages outages = {.from_s = -1, .least_s = least_s};
    const struct loom_sim_job *jobs = loom_sim_jobs(log, NULL);
    struct loom_log_event *events = NULL;
    size_t n_events = 0;
    int64_t used = 0, waiting = 0;
    int rc = loom_log_events(&events, &n_events, log, err);
    for (size_t i = 0; i < n_events && !rc; i++) {
        const struct loom_log_event *event = &events[i];
        const struct loom_sim_job *job = &jobs[event->job];
        bool at_once = job->start_s == job->submit_s;
        if (event->what == LOOM_LOG_STARTS)
            rc = end_outage(&outages, event->time_s, err);
        used += event->what == LOOM_LOG_ENDS                       ? -job->procs
                : event->what == LOOM_LOG_STARTS && job->run_s > 0 ? job->procs
                                                                   : 0;
        waiting += at_once                           ? 0
                   : event->what == LOOM_LOG_SUBMITS ? 1
                   : event->what == LOOM_LOG_STARTS  ? -1
                                                     : 0;
        if (outages.from_s < 0 && used <= most && waiting > 0)
            outages.from_s = event->time_s;
    }
    free(events);
    *out = outages.list;
    *n = outages.n;
    return rc;
}

/* ---- jobs that jumped the queue -------------------------------------------------------------- */

enum { MOST_SEEN = 256 };

/* Did a job start before most of the jobs that waited longer and that ask for no more than it does?
 * Only the first that wait are looked at. */
static bool has_jumped(const struct loom_sim_job *jobs, const uint32_t *waiting, size_t n,
                       uint32_t job)
{
    size_t could = 0, older = 0;
    for (size_t i = 0; i < n && i < MOST_SEEN && waiting[i] < job; i++) {
        const struct loom_sim_job *other = &jobs[waiting[i]];
        could += other->procs <= jobs[job].procs && other->estimate_s <= jobs[job].estimate_s;
        older++;
    }
    return could > 0 && 2 * could > older;
}

int loom_urgent_find(uint8_t *urgent, size_t *n, const struct loom_sim *log, struct loom_error *err)
{
    size_t n_jobs, n_events = 0, n_waiting = 0;
    const struct loom_sim_job *jobs = loom_sim_jobs(log, &n_jobs);
    struct loom_log_event *events = NULL;
    uint32_t *waiting = malloc((n_jobs + 1) * sizeof *waiting);
    int rc = waiting ? loom_log_events(&events, &n_events, log, err) : loom_fail_memory(err);
    *n = 0;
    for (size_t i = 0; i < n_events && !rc; i++) {
        const struct loom_log_event *event = &events[i];
        size_t at = n_waiting;
        if (event->what == LOOM_LOG_SUBMITS)
            waiting[n_waiting++] = event->job; /* numbers ascend with submissions */
        if (event->what != LOOM_LOG_STARTS)
            continue;
        while (at > 0 && waiting[at - 1] != event->job)
            at--;
        n_waiting--;
        memmove(waiting + at - 1, waiting + at, (n_waiting + 1 - at) * sizeof *waiting);
        if (has_jumped(jobs, waiting, n_waiting, event->job)) {
            urgent[jobs[event->job].row] = 1;
            ++*n;
        }
    }
    free(events);
    free(waiting);
    return rc;
}

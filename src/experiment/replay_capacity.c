/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The processors that a log's jobs could have, week by week: the level of use that was exceeded for
 * a share of the time in which jobs waited, and not less than the widest job that ran. What is
 * missing to the machine was down, reserved, or held by jobs that are not in the log.
 */
#include "experiment/replay_facts.h"

#include <stdlib.h>

enum { WEEK_S = 7 * 86400, LEAST_WAITING_S = 3600 };

/* A time in which use is constant and jobs wait. */
struct loom_use_piece {
    int64_t week, procs, length_s;
};

static int by_week_and_procs(const void *a, const void *b)
{
    const struct loom_use_piece *one = a, *other = b;
    if (one->week != other->week)
        return one->week < other->week ? -1 : 1;
    return one->procs > other->procs ? -1 : one->procs < other->procs; /* highest first */
}

/* Append the pieces of [from_s, to_s), one for each week. Returns the new number. */
static size_t cut_by_week(struct loom_use_piece *uses, size_t n, int64_t procs, int64_t from_s,
                          int64_t to_s)
{
    while (from_s < to_s) {
        int64_t week = from_s / WEEK_S, end_s = (week + 1) * WEEK_S;
        end_s = end_s < to_s ? end_s : to_s;
        uses[n++] = (struct loom_use_piece){week, procs, end_s - from_s};
        from_s = end_s;
    }
    return n;
}

static void find_widest(struct loom_weekly_use *out, const struct loom_sim_job *jobs, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        int64_t first = (jobs[i].start_s - out->first_s) / WEEK_S;
        int64_t last = (loom_sim_job_end(&jobs[i]) - out->first_s) / WEEK_S;
        for (int64_t week = first; week <= last && week < (int64_t)out->n_weeks; week++)
            if (jobs[i].procs > out->widest[week])
                out->widest[week] = jobs[i].procs;
    }
}

static void collect_uses(struct loom_weekly_use *out, const struct loom_log_event *events,
                         size_t n_events, const struct loom_sim_job *jobs)
{
    int64_t used = 0, waiting = 0, last_s = 0;
    for (size_t i = 0; i < n_events; i++) {
        const struct loom_log_event *event = &events[i];
        const struct loom_sim_job *job = &jobs[event->job];
        int64_t now_s = event->time_s - out->first_s;
        if (waiting > 0)
            out->n_uses = cut_by_week(out->uses, out->n_uses, used, last_s, now_s);
        last_s = now_s;
        if (event->what == LOOM_LOG_ENDS)
            used -= job->procs;
        else if (event->what == LOOM_LOG_STARTS && job->run_s > 0)
            used += job->procs;
        if (job->start_s != job->submit_s && event->what != LOOM_LOG_ENDS)
            waiting += event->what == LOOM_LOG_SUBMITS ? 1 : -1;
    }
    qsort(out->uses, out->n_uses, sizeof *out->uses, by_week_and_procs);
}

int loom_weekly_use_find(struct loom_weekly_use *out, const struct loom_sim *log,
                         struct loom_error *err)
{
    struct loom_log_event *events = NULL;
    size_t n_events = 0, n_jobs;
    const struct loom_sim_job *jobs = loom_sim_jobs(log, &n_jobs);
    int rc = loom_log_events(&events, &n_events, log, err);
    *out = (struct loom_weekly_use){0};
    if (!rc && n_events > 0) {
        out->first_s = events[0].time_s;
        out->n_weeks = (size_t)((events[n_events - 1].time_s - out->first_s) / WEEK_S + 1);
        out->uses = malloc((n_events + out->n_weeks) * sizeof *out->uses);
        out->widest = calloc(out->n_weeks, sizeof *out->widest);
        rc = out->uses && out->widest ? 0 : loom_fail_memory(err);
    }
    if (!rc && n_events > 0) {
        collect_uses(out, events, n_events, jobs);
        find_widest(out, jobs, n_jobs);
    }
    free(events);
    return rc;
}

void loom_weekly_use_free(struct loom_weekly_use *use)
{
    free(use->uses);
    free(use->widest);
    *use = (struct loom_weekly_use){0};
}

/* The level that is exceeded for some thousandths of the time in n pieces, highest first; -1 if
 * jobs waited for less than an hour. */
static int64_t level_of(const struct loom_use_piece *uses, size_t n, int64_t thousandths)
{
    int64_t total_s = 0, above_s = 0;
    for (size_t i = 0; i < n; i++)
        total_s += uses[i].length_s;
    if (total_s < LEAST_WAITING_S)
        return -1;
    for (size_t i = 0; i < n; i++) {
        above_s += uses[i].length_s;
        if (above_s * 1000 > total_s * thousandths)
            return uses[i].procs;
    }
    return uses[n - 1].procs;
}

void loom_weekly_levels(int64_t *levels, const struct loom_weekly_use *use, int64_t thousandths)
{
    for (size_t week = 0; week < use->n_weeks; week++)
        levels[week] = -1;
    for (size_t first = 0, next; first < use->n_uses; first = next) {
        int64_t week = use->uses[first].week;
        for (next = first + 1; next < use->n_uses && use->uses[next].week == week;)
            next++;
        int64_t level = level_of(use->uses + first, next - first, thousandths);
        levels[week] = level >= 0 && level < use->widest[week] ? use->widest[week] : level;
    }
}

/* ---- processors that are not there ----------------------------------------------------------- */

enum { MOST_LAYERS = 64 };

/* Processors taken since from_s; the last taken are given back first. */
struct layers {
    struct {
        int64_t procs, from_s;
    } list[MOST_LAYERS];
    int n;
    int64_t taken;
};

static int add_unseen(struct loom_trace *trace, int64_t procs, int64_t from_s, int64_t to_s,
                      struct loom_error *err)
{
    struct loom_job job = loom_job_unknown();
    job.submit_s = from_s;
    job.run_s = job.request_s = to_s - from_s;
    job.req_procs = job.alloc_procs = (int32_t)procs;
    return procs > 0 && to_s > from_s ? loom_trace_append(trace, &job, err) : 0;
}

/* Take or give back processors, so that `wanted` are taken from now_s on. */
static int change_taken(struct layers *layers, struct loom_trace *trace, int64_t wanted,
                        int64_t now_s, struct loom_error *err)
{
    int rc = 0;
    while (layers->taken > wanted && !rc) {
        int64_t procs = layers->list[--layers->n].procs;
        rc = add_unseen(trace, procs, layers->list[layers->n].from_s, now_s, err);
        layers->taken -= procs;
    }
    if (!rc && layers->taken < wanted) {
        if (layers->n == MOST_LAYERS) { /* give all back and take them as one */
            rc = change_taken(layers, trace, 0, now_s, err);
        }
        layers->list[layers->n].procs = wanted - layers->taken;
        layers->list[layers->n++].from_s = now_s;
        layers->taken = wanted;
    }
    return rc;
}

int loom_capacity_trace(struct loom_trace **out, int64_t *procs, const struct loom_trace *trace,
                        const struct loom_weekly_use *use, int64_t thousandths,
                        struct loom_error *err)
{
    size_t n = loom_trace_count(trace);
    uint8_t *none = calloc(n + 1, 1);
    int64_t *levels = malloc((use->n_weeks + 1) * sizeof *levels);
    struct layers layers = {.n = 0};
    int rc = none && levels ? loom_trace_subset(out, trace, none, 0, err) : loom_fail_memory(err);
    if (!rc)
        loom_weekly_levels(levels, use, thousandths);
    for (size_t week = 0; week < use->n_weeks && !rc; week++)
        *procs = levels[week] > *procs ? levels[week] : *procs;
    for (size_t week = 0; week <= use->n_weeks && !rc; week++) {
        bool known = week < use->n_weeks && levels[week] >= 0;
        rc = change_taken(&layers, *out, known ? *procs - levels[week] : 0,
                          use->first_s + (int64_t)week * WEEK_S, err);
    }
    free(none);
    free(levels);
    return rc;
}

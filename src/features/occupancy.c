/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Busy jobs and processors over time: one sweep over starts and ends in order. */
#include "features/occupancy.h"

#include "base/civil.h"
#include "base/compare.h"

#include <stdlib.h>
#include <string.h>

enum { HOUR_S = 3600, MORNING = 6, EVENING = 20 };
static const int64_t CENTURY_S = (int64_t)36525 * LOOM_DAY_S;

/* A start, or an end, which has negative numbers. */
struct change {
    int64_t at_s;
    int32_t jobs, procs;
};

static int compare_changes(const void *left, const void *right)
{
    const struct change *a = left, *b = right;
    return LOOM_COMPARE(a->at_s, b->at_s);
}

static bool knows_a_wait(const struct loom_workload *jobs)
{
    for (size_t i = 0; i < jobs->n; i++)
        if (jobs->wait_s[i] >= 0)
            return true;
    return false;
}

static size_t list_changes(struct change *changes, const struct loom_workload *jobs)
{
    bool waits = knows_a_wait(jobs);
    size_t n = 0;
    for (size_t i = 0; i < jobs->n; i++) {
        int64_t start_s, end_s;
        if (jobs->run_s[i] <= 0 || (waits && jobs->wait_s[i] < 0) ||
            __builtin_add_overflow(jobs->submit_s[i], waits ? jobs->wait_s[i] : 0, &start_s) ||
            __builtin_add_overflow(start_s, jobs->run_s[i], &end_s))
            continue;
        int32_t procs = jobs->procs[i] > 0 ? jobs->procs[i] : 0;
        changes[n++] = (struct change){start_s, 1, procs};
        changes[n++] = (struct change){end_s, -1, -procs};
    }
    qsort(changes, n, sizeof *changes, compare_changes);
    return n;
}

/* ---- the sweep ------------------------------------------------------------------------------- */

struct sweep {
    struct loom_occupancy *out;
    const struct loom_zone *zone;
    bool clock;
    int64_t jobs, procs; /* that run */
};

static void add_time(const struct sweep *sweep, enum loom_period period, double length_s)
{
    struct loom_occupancy *out = sweep->out;
    out->total_s[period] += length_s;
    out->level_s[(size_t)period * (out->most_jobs + 1) + (size_t)sweep->jobs] += length_s;
}

/* From a time on, within one hour of the clock. */
static void add_hour(const struct sweep *sweep, int64_t local_s, double length_s)
{
    int64_t second;
    int64_t day = loom_civil_day(local_s, &second);
    int weekday = (loom_civil_weekday(day) + 6) % 7, hour = (int)(second / HOUR_S);
    bool weekend = weekday >= 5;
    add_time(sweep,
             weekend                             ? LOOM_WEEKENDS
             : hour >= MORNING && hour < EVENING ? LOOM_DAYS
                                                 : LOOM_NIGHTS,
             length_s);
    sweep->out->hour_s[weekend][hour] += length_s;
    sweep->out->hour_procs_s[weekend][hour] += length_s * (double)sweep->procs;
    sweep->out->hour_jobs_s[weekend][hour] += length_s * (double)sweep->jobs;
}

static void add_stretch(const struct sweep *sweep, int64_t from_s, int64_t to_s)
{
    add_time(sweep, LOOM_ALWAYS, (double)(to_s - from_s));
    while (sweep->clock && from_s < to_s) {
        int64_t local_s = loom_zone_local(sweep->zone, from_s);
        int64_t into_s = ((local_s % HOUR_S) + HOUR_S) % HOUR_S;
        int64_t next_s = from_s + HOUR_S - into_s;
        next_s = next_s < to_s ? next_s : to_s;
        add_hour(sweep, local_s, (double)(next_s - from_s));
        from_s = next_s;
    }
}

static void find_peaks(struct loom_occupancy *out, const struct change *changes, size_t n)
{
    int64_t jobs = 0, procs = 0;
    for (size_t i = 0; i < n; i++) {
        jobs += changes[i].jobs;
        procs += changes[i].procs;
        if (i + 1 < n && changes[i + 1].at_s == changes[i].at_s)
            continue;
        if (jobs > (int64_t)out->most_jobs)
            out->most_jobs = (size_t)jobs;
        if ((double)procs > out->most_procs)
            out->most_procs = (double)procs;
    }
}

static void go_through(struct sweep *sweep, const struct change *changes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && changes[i].at_s > changes[i - 1].at_s)
            add_stretch(sweep, changes[i - 1].at_s, changes[i].at_s);
        sweep->jobs += changes[i].jobs;
        sweep->procs += changes[i].procs;
    }
}

static int occupancy_measure(struct loom_occupancy *out, const struct loom_workload *jobs,
                             const struct change *changes, size_t n, struct loom_error *err)
{
    if (n == 0)
        return loom_fail(err, LOOM_EDATA, "no job is known to have run at a known time");
    if (changes[n - 1].at_s - changes[0].at_s > CENTURY_S)
        return loom_fail(err, LOOM_EDATA, "the times span more than a century");
    out->jobs = n / 2;
    find_peaks(out, changes, n);
    out->level_s = calloc(LOOM_PERIODS * (out->most_jobs + 1), sizeof *out->level_s);
    if (!out->level_s)
        return loom_fail_memory(err);
    struct sweep sweep = {.out = out,
                          .zone = jobs->zone,
                          .clock = loom_trace_machine(jobs->trace)->unix_start_s > 0};
    go_through(&sweep, changes, n);
    return 0;
}

int loom_occupancy_create(struct loom_occupancy *out, const struct loom_workload *jobs,
                          struct loom_error *err)
{
    *out = (struct loom_occupancy){0};
    struct change *changes = malloc((2 * jobs->n + 1) * sizeof *changes);
    if (!changes)
        return loom_fail_memory(err);
    int rc = occupancy_measure(out, jobs, changes, list_changes(changes, jobs), err);
    free(changes);
    return rc;
}

void loom_occupancy_free(struct loom_occupancy *occupancy)
{
    free(occupancy->level_s);
    *occupancy = (struct loom_occupancy){0};
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reorder the intervals of an arrival process.
 *
 * Long-range dependence is correlation of counts in distant intervals: a random order removes it,
 * and the Hurst parameter is 1/2 at scales above the interval. This also breaks up gaps longer than
 * an interval: heavy-tailed gaps are long-range dependent themselves.
 *
 * Burstiness is excess variation of interarrival times over a Poisson process of the same rate.
 * Such a process is drawn, the intervals of both are ranked by count, and the k-th of one replaces
 * the k-th of the other. The order of ranks keeps the memory.
 */
#include "models/arrivals/intervals.h"

#include "base/draw.h"
#include "base/sort.h"

#include <math.h>
#include <stdlib.h>

/* Whole intervals, numbered from 0; later times are left alone. So sparse a process that there are
 * many times as many intervals as jobs has longer ones. */
struct grid {
    size_t n;
    int64_t length_s;
};

static struct grid grid_of(int64_t span_s, size_t jobs, int64_t interval_s)
{
    static const double MOST = 64; /* intervals a job */
    double n = (double)span_s / (double)interval_s;
    int64_t times = (int64_t)ceil(n / fmin(MOST * (double)(jobs + 1), UINT32_MAX));
    int64_t length_s = interval_s * (times > 1 ? times : 1);
    return (struct grid){(size_t)(span_s / length_s), length_s};
}

static void move_to(int64_t *time_s, const struct grid *grid, const uint32_t *target)
{
    size_t interval = (size_t)(*time_s / grid->length_s);
    if (interval < grid->n)
        *time_s = target[interval] * grid->length_s + *time_s % grid->length_s;
}

/* 0 .. n - 1 in random order. */
static uint32_t *random_order(size_t n, struct loom_stream *stream)
{
    uint32_t *order = malloc((n + 1) * sizeof *order);
    for (size_t i = 0; order && i < n; i++) {
        size_t k = (size_t)loom_stream_below(stream, i + 1);
        order[i] = order[k];
        order[k] = (uint32_t)i;
    }
    return order;
}

/* ---- without long-range dependence ----------------------------------------------------------- */

int loom_intervals_shuffle(struct loom_generation *generation, int64_t interval_s,
                           struct loom_error *err)
{
    struct loom_draft *draft = &generation->draft;
    struct loom_stream stream;
    if (draft->n == 0)
        return 0;
    struct grid grid = grid_of(draft->submit_s[draft->n - 1], draft->n, interval_s);
    loom_generation_stream(&stream, generation, "order of intervals");
    uint32_t *target = random_order(grid.n, &stream);
    if (!target)
        return loom_fail_memory(err);
    for (size_t i = 1; i < grid.n; i++)
        if (target[i] == 0) {
            target[i] = target[0];
            target[0] = 0;
        }
    for (size_t i = 0; i < draft->n; i++)
        move_to(&draft->submit_s[i], &grid, target);
    free(target);
    return loom_draft_sort(draft, err);
}

/* ---- without burstiness ---------------------------------------------------------------------- */

/* Intervals by how many of the times, in order, are in them, ties in random order. */
static int rank_intervals(uint32_t **out, const int64_t *times_s, size_t n, const struct grid *grid,
                          struct loom_stream *stream, struct loom_error *err)
{
    uint32_t *order = random_order(grid->n, stream),
             *ranked = malloc((grid->n + 1) * sizeof *ranked);
    uint32_t *counts = calloc(grid->n + 1, sizeof *counts);
    size_t *first = calloc(n + 2, sizeof *first); /* by count: where its intervals begin */
    int rc = order && ranked && counts && first ? 0 : loom_fail_memory(err);
    for (size_t i = 0; i < n && !rc; i++)
        if ((size_t)(times_s[i] / grid->length_s) < grid->n)
            counts[times_s[i] / grid->length_s]++;
    for (size_t i = 0; i < grid->n && !rc; i++)
        first[counts[i] + 1]++;
    for (size_t k = 1; k <= n && !rc; k++)
        first[k] += first[k - 1];
    for (size_t i = 0; i < grid->n && !rc; i++)
        ranked[first[counts[order[i]]]++] = order[i];
    free(order);
    free(counts);
    free(first);
    *out = ranked;
    return rc;
}

/* Where each interval of the one process goes, among the intervals of the other. */
static int match_ranks(uint32_t **out, const int64_t *from_s, const int64_t *to_s, size_t n,
                       const struct grid *grid, struct loom_stream *stream, struct loom_error *err)
{
    uint32_t *from = NULL, *to = NULL, *target = malloc((grid->n + 1) * sizeof *target);
    int rc = target ? 0 : loom_fail_memory(err);
    if (!rc)
        rc = rank_intervals(&from, from_s, n, grid, stream, err);
    if (!rc)
        rc = rank_intervals(&to, to_s, n, grid, stream, err);
    for (size_t i = 0; i < grid->n && !rc; i++)
        target[from[i]] = to[i];
    free(from);
    free(to);
    *out = target;
    return rc;
}

/* The clock of the week, from time 0 on; whole seconds. */
static int64_t working(const struct loom_week *week, const struct loom_generation *generation,
                       int64_t time_s)
{
    double phase_s = (double)generation->week_phase_s;
    return week ? (int64_t)(loom_week_working(week, phase_s + (double)time_s) -
                            loom_week_working(week, phase_s))
                : time_s;
}

static int64_t local(const struct loom_week *week, const struct loom_generation *generation,
                     int64_t working_s)
{
    double phase_s = (double)generation->week_phase_s;
    double origin_s = week ? loom_week_working(week, phase_s) : 0;
    return week ? (int64_t)(loom_week_local(week, origin_s + (double)working_s) - phase_s)
                : working_s;
}

/* times_s: of the process, on the clock; they become the times of the calm one. fresh_s has room.
 */
static int calm(int64_t *times_s, int64_t *fresh_s, size_t n, int64_t interval_s,
                struct loom_stream *stream, struct loom_error *err)
{
    int64_t span_s = times_s[n - 1] + 1;
    struct grid grid = grid_of(span_s, n, interval_s);
    uint32_t *target = NULL;
    for (size_t i = 0; i < n; i++)
        fresh_s[i] = (int64_t)(loom_draw_uniform(stream) * (double)span_s);
    int rc = match_ranks(&target, fresh_s, times_s, n, &grid, stream, err);
    for (size_t i = 0; i < n && !rc; i++) {
        move_to(&fresh_s[i], &grid, target);
        times_s[i] = fresh_s[i];
    }
    free(target);
    loom_sort_int64(times_s, n);
    return rc;
}

int loom_intervals_calm(struct loom_generation *generation, int64_t interval_s,
                        const struct loom_week *week, struct loom_error *err)
{
    struct loom_draft *draft = &generation->draft;
    size_t n = draft->n;
    struct loom_stream stream;
    int rc = loom_draft_sort(draft, err);
    if (rc || n == 0)
        return rc;
    loom_generation_stream(&stream, generation, "calm intervals");
    int64_t *times_s = malloc(2 * n * sizeof *times_s);
    if (!times_s)
        return loom_fail_memory(err);
    for (size_t i = 0; i < n; i++)
        times_s[i] = working(week, generation, draft->submit_s[i]);
    rc = calm(times_s, times_s + n, n, interval_s, &stream, err);
    for (size_t i = 0; i < n && !rc; i++)
        draft->submit_s[i] = local(week, generation, times_s[i]);
    free(times_s);
    return rc;
}

int loom_intervals_leave_out(struct loom_generation *generation, int64_t interval_s,
                             struct loom_error *err)
{
    int rc = 0;
    if (generation->without & LOOM_BURSTINESS)
        rc = loom_intervals_calm(generation, interval_s, NULL, err);
    if (!rc && generation->without & LOOM_LRD)
        rc = loom_intervals_shuffle(generation, interval_s, err);
    return rc;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which processors a job may have had. The simulator counts processors and does not number them,
 * so any division of them that gives no processor to two jobs at once is as true as another;
 * this one keeps jobs in one piece. In the order of their starts, a job gets the lowest gap that
 * holds it whole or, where there is none, the lowest processors that are free, in several pieces.
 *
 * Only jobs in the window count. Those that run when it begins run side by side, so they find room.
 */
#include "sim/results/gantt.h"

#include "base/vec.h"
#include "sim/results/over_time.h"

#include <workloom/sim_results.h>

#include <stdlib.h>
#include <string.h>

/* Free processors, ascending, no two gaps side by side. */
struct gap {
    int64_t first, procs;
};

struct drawing {
    const struct loom_sim_job *jobs;
    struct loom_sim_window window;
    uint32_t *order; /* jobs in the window, by start */
    size_t n_jobs;
    struct gap *gaps;
    size_t n_gaps, gaps_capacity;
    struct loom_gantt_bar *bars;
    size_t n_bars, bars_capacity;
    size_t *running; /* bars, a heap by end */
    size_t n_running, running_capacity;
};

/* ---- free processors ------------------------------------------------------------------------- */

static void remove_gap(struct drawing *of, size_t at)
{
    memmove(of->gaps + at, of->gaps + at + 1, (--of->n_gaps - at) * sizeof *of->gaps);
}

static int insert_gap(struct drawing *of, size_t at, struct gap gap)
{
    if (loom_grow(&of->gaps, of->n_gaps, &of->gaps_capacity))
        return -1;
    memmove(of->gaps + at + 1, of->gaps + at, (of->n_gaps++ - at) * sizeof *of->gaps);
    of->gaps[at] = gap;
    return 0;
}

static int give_back(struct drawing *of, const struct loom_gantt_bar *bar)
{
    size_t at = 0;
    while (at < of->n_gaps && of->gaps[at].first < bar->first)
        at++;
    bool below = at > 0 && of->gaps[at - 1].first + of->gaps[at - 1].procs == bar->first;
    bool above = at < of->n_gaps && bar->first + bar->procs == of->gaps[at].first;
    if (!below && !above)
        return insert_gap(of, at, (struct gap){bar->first, bar->procs});
    if (below)
        of->gaps[at - 1].procs += bar->procs;
    if (below && above) {
        of->gaps[at - 1].procs += of->gaps[at].procs;
        remove_gap(of, at);
    } else if (above) {
        of->gaps[at].first -= bar->procs;
        of->gaps[at].procs += bar->procs;
    }
    return 0;
}

/* The lowest `procs` of a gap. */
static int64_t take(struct drawing *of, size_t at, int64_t procs)
{
    int64_t first = of->gaps[at].first;
    of->gaps[at].first += procs;
    of->gaps[at].procs -= procs;
    if (of->gaps[at].procs == 0)
        remove_gap(of, at);
    return first;
}

/* ---- running bars ---------------------------------------------------------------------------- */

static bool ends_before(const struct drawing *of, size_t a, size_t b)
{
    int64_t a_s = of->bars[of->running[a]].to_s, b_s = of->bars[of->running[b]].to_s;
    return a_s != b_s ? a_s < b_s : of->running[a] < of->running[b];
}

static void exchange(struct drawing *of, size_t a, size_t b)
{
    size_t old = of->running[a];
    of->running[a] = of->running[b];
    of->running[b] = old;
}

static int run_bar(struct drawing *of, size_t bar)
{
    if (loom_grow(&of->running, of->n_running, &of->running_capacity))
        return -1;
    size_t at = of->n_running++;
    of->running[at] = bar;
    for (; at > 0 && ends_before(of, at, (at - 1) / 2); at = (at - 1) / 2)
        exchange(of, at, (at - 1) / 2);
    return 0;
}

static size_t first_to_end(struct drawing *of)
{
    size_t bar = of->running[0], at = 0;
    of->running[0] = of->running[--of->n_running];
    for (size_t child; (child = 2 * at + 1) < of->n_running; at = child) {
        if (child + 1 < of->n_running && ends_before(of, child + 1, child))
            child++;
        if (!ends_before(of, child, at))
            break;
        exchange(of, at, child);
    }
    return bar;
}

/* Bars keep their whole time until all are placed. */
static int end_until(struct drawing *of, int64_t time_s)
{
    while (of->n_running > 0 && of->bars[of->running[0]].to_s <= time_s)
        if (give_back(of, &of->bars[first_to_end(of)]))
            return -1;
    return 0;
}

/* ---- places ---------------------------------------------------------------------------------- */

static int place_piece(struct drawing *of, uint32_t job, size_t gap, int64_t procs)
{
    if (loom_grow(&of->bars, of->n_bars, &of->bars_capacity))
        return -1;
    of->bars[of->n_bars] = (struct loom_gantt_bar){
        .job = job,
        .from_s = of->jobs[job].start_s,
        .to_s = loom_sim_job_end(&of->jobs[job]),
        .first = take(of, gap, procs),
        .procs = procs,
    };
    return run_bar(of, of->n_bars++);
}

static int place(struct drawing *of, uint32_t job)
{
    int64_t procs = of->jobs[job].procs;
    size_t gap = 0;
    if (end_until(of, of->jobs[job].start_s))
        return -1;
    while (gap < of->n_gaps && of->gaps[gap].procs < procs)
        gap++;
    if (gap < of->n_gaps)
        return place_piece(of, job, gap, procs);
    while (procs > 0) {
        int64_t piece = of->gaps[0].procs < procs ? of->gaps[0].procs : procs;
        if (place_piece(of, job, 0, piece))
            return -1;
        procs -= piece;
    }
    return 0;
}

/* ---- the jobs of the window ------------------------------------------------------------------ */

static int by_start(const void *left, const void *right, void *context)
{
    const struct loom_sim_job *jobs = context;
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    if (jobs[a].start_s != jobs[b].start_s)
        return jobs[a].start_s < jobs[b].start_s ? -1 : 1;
    return (a > b) - (a < b);
}

static bool is_inside(const struct loom_sim_job *job, struct loom_sim_window window)
{
    return loom_overlap(window, job->start_s, loom_sim_job_end(job)) > 0;
}

size_t loom_gantt_jobs(const struct loom_sim *sim, struct loom_sim_window window)
{
    size_t n = 0;
    for (size_t i = 0; i < sim->n_jobs; i++)
        n += is_inside(&sim->jobs[i], window);
    return n;
}

int loom_gantt_check(size_t jobs, struct loom_error *err)
{
    if (jobs == 0)
        return loom_fail(err, LOOM_EDATA, "no job runs in the window of the Gantt chart");
    if (jobs > LOOM_GANTT_MOST)
        return loom_fail(err, LOOM_ERANGE,
                         "%zu jobs run in the window of the Gantt chart, more than the %d that can "
                         "be told apart; make it shorter",
                         jobs, LOOM_GANTT_MOST);
    return 0;
}

static int list_jobs(struct drawing *of, const struct loom_sim *sim, struct loom_error *err)
{
    of->n_jobs = loom_gantt_jobs(sim, of->window);
    of->order = malloc((of->n_jobs + 1) * sizeof *of->order);
    if (!of->order)
        return loom_fail_memory(err);
    for (size_t i = 0, at = 0; i < sim->n_jobs; i++)
        if (is_inside(&sim->jobs[i], of->window))
            of->order[at++] = (uint32_t)i;
    qsort_r(of->order, of->n_jobs, sizeof *of->order, by_start, (void *)(uintptr_t)of->jobs);
    return 0;
}

static int finish(struct loom_gantt **out, const struct drawing *of, int64_t procs,
                  struct loom_error *err)
{
    struct loom_gantt *gantt = malloc(sizeof *gantt + of->n_bars * sizeof *gantt->bars);
    if (!gantt)
        return loom_fail_memory(err);
    *gantt = (struct loom_gantt){.window = of->window,
                                 .procs = procs,
                                 .jobs = of->n_jobs,
                                 .count = of->n_bars};
    for (size_t i = 0; i < of->n_bars; i++) {
        struct loom_gantt_bar bar = of->bars[i];
        bar.from_s = bar.from_s < of->window.from_s ? of->window.from_s : bar.from_s;
        bar.to_s = bar.to_s > of->window.to_s ? of->window.to_s : bar.to_s;
        gantt->bars[i] = bar;
    }
    *out = gantt;
    return 0;
}

int loom_gantt_draw(struct loom_gantt **out, const struct loom_sim *sim,
                    struct loom_sim_window window, struct loom_error *err)
{
    struct drawing of = {.jobs = sim->jobs, .window = window};
    *out = NULL;
    int rc = list_jobs(&of, sim, err);
    if (!rc && insert_gap(&of, 0, (struct gap){0, sim->procs}))
        rc = loom_fail_memory(err);
    for (size_t i = 0; i < of.n_jobs && !rc; i++)
        if (place(&of, of.order[i]))
            rc = loom_fail_memory(err);
    if (!rc)
        rc = finish(out, &of, sim->procs, err);
    free(of.order);
    free(of.gaps);
    free(of.bars);
    free(of.running);
    return rc;
}

int loom_gantt_create(struct loom_gantt **out, const struct loom_sim *sim,
                      struct loom_sim_window window, struct loom_error *err)
{
    *out = NULL;
    int rc = loom_gantt_check(loom_gantt_jobs(sim, window), err);
    return rc ? rc : loom_gantt_draw(out, sim, window, err);
}

void loom_gantt_destroy(struct loom_gantt *gantt)
{
    free(gantt);
}

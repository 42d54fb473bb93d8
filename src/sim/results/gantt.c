/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Gantt charts. The simulator counts processors and does not number them, so any assignment without
 * conflicts is valid; this one keeps jobs in one piece. In the order of starts, a job gets the
 * lowest gap that is large enough or, if there is none, the lowest free processors, in several
 * pieces.
 *
 * Only jobs in the window are assigned processors; at any time they fit the machine together.
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

static void remove_gap(struct drawing *drawing, size_t at)
{
    memmove(drawing->gaps + at, drawing->gaps + at + 1,
            (--drawing->n_gaps - at) * sizeof *drawing->gaps);
}

static int insert_gap(struct drawing *drawing, size_t at, struct gap gap)
{
    if (loom_grow(&drawing->gaps, drawing->n_gaps, &drawing->gaps_capacity))
        return -1;
    memmove(drawing->gaps + at + 1, drawing->gaps + at,
            (drawing->n_gaps++ - at) * sizeof *drawing->gaps);
    drawing->gaps[at] = gap;
    return 0;
}

static int return_procs(struct drawing *drawing, const struct loom_gantt_bar *bar)
{
    size_t at = 0;
    while (at < drawing->n_gaps && drawing->gaps[at].first < bar->first)
        at++;
    bool below = at > 0 && drawing->gaps[at - 1].first + drawing->gaps[at - 1].procs == bar->first;
    bool above = at < drawing->n_gaps && bar->first + bar->procs == drawing->gaps[at].first;
    if (!below && !above)
        return insert_gap(drawing, at, (struct gap){bar->first, bar->procs});
    if (below)
        drawing->gaps[at - 1].procs += bar->procs;
    if (below && above) {
        drawing->gaps[at - 1].procs += drawing->gaps[at].procs;
        remove_gap(drawing, at);
    } else if (above) {
        drawing->gaps[at].first -= bar->procs;
        drawing->gaps[at].procs += bar->procs;
    }
    return 0;
}

/* Take the lowest `procs` processors of a gap; return the first. */
static int64_t cut_gap(struct drawing *drawing, size_t at, int64_t procs)
{
    int64_t first = drawing->gaps[at].first;
    drawing->gaps[at].first += procs;
    drawing->gaps[at].procs -= procs;
    if (drawing->gaps[at].procs == 0)
        remove_gap(drawing, at);
    return first;
}

/* ---- running bars ---------------------------------------------------------------------------- */

static bool ends_before(const struct drawing *drawing, size_t a, size_t b)
{
    int64_t a_s = drawing->bars[drawing->running[a]].to_s,
            b_s = drawing->bars[drawing->running[b]].to_s;
    return a_s != b_s ? a_s < b_s : drawing->running[a] < drawing->running[b];
}

static void swap(struct drawing *drawing, size_t a, size_t b)
{
    size_t old = drawing->running[a];
    drawing->running[a] = drawing->running[b];
    drawing->running[b] = old;
}

static int push_running(struct drawing *drawing, size_t bar)
{
    if (loom_grow(&drawing->running, drawing->n_running, &drawing->running_capacity))
        return -1;
    size_t at = drawing->n_running++;
    drawing->running[at] = bar;
    for (; at > 0 && ends_before(drawing, at, (at - 1) / 2); at = (at - 1) / 2)
        swap(drawing, at, (at - 1) / 2);
    return 0;
}

static size_t pop_running(struct drawing *drawing)
{
    size_t bar = drawing->running[0], at = 0;
    drawing->running[0] = drawing->running[--drawing->n_running];
    for (size_t child; (child = 2 * at + 1) < drawing->n_running; at = child) {
        if (child + 1 < drawing->n_running && ends_before(drawing, child + 1, child))
            child++;
        if (!ends_before(drawing, child, at))
            break;
        swap(drawing, at, child);
    }
    return bar;
}

/* Free the processors of the bars that end by a time. Bars are cut to the window only in finish().
 */
static int end_until(struct drawing *drawing, int64_t time_s)
{
    while (drawing->n_running > 0 && drawing->bars[drawing->running[0]].to_s <= time_s)
        if (return_procs(drawing, &drawing->bars[pop_running(drawing)]))
            return -1;
    return 0;
}

/* ---- assignment ------------------------------------------------------------------------------ */

static int place_piece(struct drawing *drawing, uint32_t job, size_t gap, int64_t procs)
{
    if (loom_grow(&drawing->bars, drawing->n_bars, &drawing->bars_capacity))
        return -1;
    drawing->bars[drawing->n_bars] = (struct loom_gantt_bar){
        .job = job,
        .from_s = drawing->jobs[job].start_s,
        .to_s = loom_sim_job_end(&drawing->jobs[job]),
        .first = cut_gap(drawing, gap, procs),
        .procs = procs,
    };
    return push_running(drawing, drawing->n_bars++);
}

static int place_job(struct drawing *drawing, uint32_t job)
{
    int64_t procs = drawing->jobs[job].procs;
    size_t gap = 0;
    if (end_until(drawing, drawing->jobs[job].start_s))
        return -1;
    while (gap < drawing->n_gaps && drawing->gaps[gap].procs < procs)
        gap++;
    if (gap < drawing->n_gaps)
        return place_piece(drawing, job, gap, procs);
    while (procs > 0) {
        int64_t piece = drawing->gaps[0].procs < procs ? drawing->gaps[0].procs : procs;
        if (place_piece(drawing, job, 0, piece))
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

static int list_jobs(struct drawing *drawing, const struct loom_sim *sim, struct loom_error *err)
{
    drawing->n_jobs = loom_gantt_jobs(sim, drawing->window);
    drawing->order = malloc((drawing->n_jobs + 1) * sizeof *drawing->order);
    if (!drawing->order)
        return loom_fail_memory(err);
    for (size_t i = 0, at = 0; i < sim->n_jobs; i++)
        if (is_inside(&sim->jobs[i], drawing->window))
            drawing->order[at++] = (uint32_t)i;
    qsort_r(drawing->order, drawing->n_jobs, sizeof *drawing->order, by_start,
            (void *)(uintptr_t)drawing->jobs);
    return 0;
}

static int finish(struct loom_gantt **out, const struct drawing *drawing, int64_t procs,
                  struct loom_error *err)
{
    struct loom_gantt *gantt = malloc(sizeof *gantt + drawing->n_bars * sizeof *gantt->bars);
    if (!gantt)
        return loom_fail_memory(err);
    *gantt = (struct loom_gantt){.window = drawing->window,
                                 .procs = procs,
                                 .jobs = drawing->n_jobs,
                                 .count = drawing->n_bars};
    for (size_t i = 0; i < drawing->n_bars; i++) {
        struct loom_gantt_bar bar = drawing->bars[i];
        bar.from_s = bar.from_s < drawing->window.from_s ? drawing->window.from_s : bar.from_s;
        bar.to_s = bar.to_s > drawing->window.to_s ? drawing->window.to_s : bar.to_s;
        gantt->bars[i] = bar;
    }
    *out = gantt;
    return 0;
}

int loom_gantt_draw(struct loom_gantt **out, const struct loom_sim *sim,
                    struct loom_sim_window window, struct loom_error *err)
{
    struct drawing drawing = {.jobs = sim->jobs, .window = window};
    *out = NULL;
    int rc = list_jobs(&drawing, sim, err);
    if (!rc && insert_gap(&drawing, 0, (struct gap){0, sim->procs}))
        rc = loom_fail_memory(err);
    for (size_t i = 0; i < drawing.n_jobs && !rc; i++)
        if (place_job(&drawing, drawing.order[i]))
            rc = loom_fail_memory(err);
    if (!rc)
        rc = finish(out, &drawing, sim->procs, err);
    free(drawing.order);
    free(drawing.gaps);
    free(drawing.bars);
    free(drawing.running);
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

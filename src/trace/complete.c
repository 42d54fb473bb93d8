/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The window in which a log is complete.
 *
 * An archive log has all jobs submitted in a period; an accounting dump has all jobs that ended in
 * one, so that its first jobs are those few which waited or ran for long before it, and its last
 * jobs lack those still running. In both, events begin thin and end thin outside of the period.
 *
 * 1. Submissions, and ends of jobs, are each trimmed: with c a tenth of their mean rate, the head
 *    goes up to the event at t where N(t) - c (t - first) is least, N(t) being the number of events
 *    before t, and the tail likewise backwards (the change point of a cumulative sum with reference
 *    rate c). The rate of what stays is higher, so this is repeated until nothing goes.
 * 2. The window is where both overlap.
 * 3. Jobs that ran across its begin or end may be missing. The window begins when the processors in
 *    use first reach half their median over it, and ends when they last did.
 *
 * Where ends are unknown, or where this would leave fewer than half of the jobs (the log is not
 * much longer than its jobs), the window goes by submissions alone.
 */
#include "base/pages.h"
#include "base/sort.h"
#include "trace/use.h"

#include <stdlib.h>

static const double THIN = 0.1; /* of the mean rate */
static const double MATTERS = 0.05;

struct span {
    int64_t from_s, to_s;
};

/* ---- thin heads and tails -------------------------------------------------------------------- */

/* Submit times may be anything: their difference may be beyond 64 bits. */
static double between(int64_t from_s, int64_t to_s)
{
    return (double)to_s - (double)from_s;
}

/* Return the index between first and last at which the head ends; c is the reference rate. */
static size_t end_of_head(const int64_t *at_s, size_t first, size_t last, double c)
{
    double least = 0;
    size_t found = first;
    for (size_t i = first; i <= last; i++) {
        double excess = (double)(i - first) - c * between(at_s[first], at_s[i]);
        if (excess < least) {
            least = excess;
            found = i;
        }
    }
    return found;
}

static size_t begin_of_tail(const int64_t *at_s, size_t first, size_t last, double c)
{
    double least = 0;
    size_t found = last;
    for (size_t i = last + 1; i-- > first;) {
        double excess = (double)(last - i) - c * between(at_s[i], at_s[last]);
        if (excess < least) {
            least = excess;
            found = i;
        }
    }
    return found;
}

/* Trim n >= 1 sorted events. */
static struct span trim(const int64_t *at_s, size_t n)
{
    size_t first = 0, last = n - 1;
    while (at_s[first] < at_s[last]) {
        double c = THIN * (double)(last - first + 1) / between(at_s[first], at_s[last]);
        size_t head = end_of_head(at_s, first, last, c);
        size_t tail = begin_of_tail(at_s, first, last, c);
        if ((head == first && tail == last) || head >= tail)
            break;
        first = head;
        last = tail;
    }
    return (struct span){at_s[first], at_s[last]};
}

/* ---- use of the machine ---------------------------------------------------------------------- */

/* The part of step i of a use that lies in a span; empty where to_s <= from_s. */
static struct span part_of(const struct loom_use *use, size_t i, const struct span *span)
{
    int64_t from_s = use->steps[i].at_s, to_s = use->steps[i + 1].at_s;
    return (struct span){from_s > span->from_s ? from_s : span->from_s,
                         to_s < span->to_s ? to_s : span->to_s};
}

/* Move the levels below `pivot` to the front and the ones above it to the back, in place. Return
 * the number of each in *below and *above. */
static void divide_levels(struct loom_use_step *levels, size_t n, int64_t pivot, size_t *below,
                          size_t *above)
{
    size_t low = 0, high = n;
    for (size_t i = 0; i < high;) {
        struct loom_use_step level = levels[i];
        if (level.procs == pivot) {
            i++;
            continue;
        }
        size_t to = level.procs < pivot ? low++ : --high;
        levels[i] = levels[to];
        levels[to] = level;
        i += level.procs < pivot;
    }
    *below = low;
    *above = n - high;
}

/* Return the least level that is not exceeded for half_s or more; at_s of a level is how long it
 * lasts. Reorders the levels. */
static int64_t level_at(struct loom_use_step *levels, size_t n, double half_s)
{
    for (;;) {
        int64_t pivot = levels[n / 2].procs;
        size_t below, above;
        double below_s = 0, equal_s = 0;
        divide_levels(levels, n, pivot, &below, &above);
        for (size_t i = 0; i < below; i++)
            below_s += (double)levels[i].at_s;
        for (size_t i = below; i < n - above; i++)
            equal_s += (double)levels[i].at_s;
        if (below > 0 && below_s >= half_s) {
            n = below;
            continue;
        }
        if (above == 0 || below_s + equal_s >= half_s)
            return pivot;
        half_s -= below_s + equal_s;
        levels += n - above;
        n = above;
    }
}

/* Find the median over time of the processors in use in a span; 0 if nothing is known of them. */
static int median_use(int64_t *out, const struct loom_use *use, const struct span *span,
                      struct loom_error *err)
{
    struct loom_use_step *levels = loom_pages_alloc((use->n + 1) * sizeof *levels);
    if (!levels)
        return loom_fail_memory(err);
    double half_s = 0;
    size_t n = 0;
    for (size_t i = 0; i + 1 < use->n; i++) {
        struct span part = part_of(use, i, span);
        if (part.to_s <= part.from_s)
            continue;
        levels[n++] = (struct loom_use_step){part.to_s - part.from_s, use->steps[i].procs};
        half_s += (double)(part.to_s - part.from_s) / 2;
    }
    *out = n > 0 ? level_at(levels, n, half_s) : 0;
    free(levels);
    return 0;
}

/* Narrow a span to where the machine is in use as usual. */
static int narrow_to_use(struct span *span, const struct loom_jobs *jobs, struct loom_error *err)
{
    struct loom_use use;
    struct span narrow = {INT64_MAX, INT64_MIN};
    int64_t median = 0;
    int rc = loom_use_create(&use, jobs, INT64_MAX, err);
    if (rc)
        return rc;
    rc = median_use(&median, &use, span, err);
    for (size_t i = 0; median > 0 && i + 1 < use.n; i++) {
        struct span part = part_of(&use, i, span);
        if (part.to_s <= part.from_s || 2 * use.steps[i].procs < median)
            continue;
        narrow.from_s = part.from_s < narrow.from_s ? part.from_s : narrow.from_s;
        narrow.to_s = part.to_s;
    }
    free(use.steps);
    if (narrow.from_s < narrow.to_s)
        *span = narrow;
    return rc;
}

/* ---- the window ------------------------------------------------------------------------------ */

/* List submissions, or ends of jobs, in order. The caller must free() *out. */
static int list_events(int64_t **out, size_t *n, const struct loom_jobs *jobs, bool ends,
                       struct loom_error *err)
{
    int64_t *at_s = loom_pages_alloc((jobs->n + 1) * sizeof *at_s);
    if (!at_s)
        return loom_fail_memory(err);
    *n = 0;
    for (size_t i = 0; i < jobs->n; i++)
        if (ends ? loom_job_placed(jobs, i) : jobs->submit_s[i] != -1)
            at_s[(*n)++] = jobs->submit_s[i] + (ends ? jobs->wait_s[i] + jobs->run_s[i] : 0);
    loom_sort_int64(at_s, *n);
    *out = at_s;
    return 0;
}

/* Set the span of a window and count the jobs in, before and after it. */
static void set_span(struct loom_trace_window *window, const struct span *span, bool by_ends,
                     const struct loom_jobs *jobs)
{
    window->from_s = span->from_s;
    window->to_s = span->to_s;
    window->by_ends = by_ends;
    window->jobs = window->before = window->after = 0;
    window->running_from = window->running_to = 0;
    for (size_t i = 0; i < jobs->n; i++) {
        if (jobs->submit_s[i] == -1)
            continue;
        window->before += jobs->submit_s[i] < window->from_s;
        window->after += jobs->submit_s[i] > window->to_s;
        window->jobs += jobs->submit_s[i] >= window->from_s && jobs->submit_s[i] <= window->to_s;
        if (!loom_job_placed(jobs, i))
            continue;
        int64_t start_s = jobs->submit_s[i] + jobs->wait_s[i], end_s = start_s + jobs->run_s[i];
        window->running_from += start_s < window->from_s && end_s > window->from_s;
        window->running_to += start_s < window->to_s && end_s > window->to_s;
    }
}

/* Narrow the span of submissions by the ends of jobs, where enough of them are known; *by_ends says
 * whether that was done. */
static int narrow_to_ends(struct span *span, bool *by_ends, const struct loom_jobs *jobs,
                          size_t submitted, struct loom_error *err)
{
    int64_t *ends_s = NULL;
    size_t n = 0;
    *by_ends = false;
    int rc = list_events(&ends_s, &n, jobs, true, err);
    if (rc || n == 0 || 2 * n < submitted) {
        free(ends_s);
        return rc;
    }
    struct span narrow = trim(ends_s, n);
    free(ends_s);
    narrow.from_s = narrow.from_s > span->from_s ? narrow.from_s : span->from_s;
    narrow.to_s = narrow.to_s < span->to_s ? narrow.to_s : span->to_s;
    if (narrow.from_s >= narrow.to_s)
        return 0;
    rc = narrow_to_use(&narrow, jobs, err);
    *span = narrow;
    *by_ends = true;
    return rc;
}

int loom_trace_window_complete(struct loom_trace_window *out, const struct loom_trace *trace,
                               struct loom_error *err)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    int64_t *submits_s = NULL;
    size_t n = 0;
    *out = (struct loom_trace_window){0};
    int rc = list_events(&submits_s, &n, jobs, false, err);
    if (rc || n == 0) {
        free(submits_s);
        return rc;
    }
    struct span submits = trim(submits_s, n), span = submits;
    bool by_ends;
    free(submits_s);
    rc = narrow_to_ends(&span, &by_ends, jobs, n, err);
    if (rc)
        return rc;
    set_span(out, &span, by_ends, jobs);
    if (by_ends && 2 * (size_t)out->jobs < n)
        set_span(out, &submits, false, jobs);
    return 0;
}

bool loom_trace_window_matters(const struct loom_trace_window *window,
                               const struct loom_trace *trace)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    int64_t first_s = INT64_MAX, last_s = INT64_MIN;
    for (size_t i = 0; i < jobs->n; i++) {
        if (jobs->submit_s[i] == -1)
            continue;
        first_s = jobs->submit_s[i] < first_s ? jobs->submit_s[i] : first_s;
        last_s = jobs->submit_s[i] > last_s ? jobs->submit_s[i] : last_s;
    }
    if (first_s >= last_s)
        return false;
    return between(window->from_s, window->to_s) < (1 - MATTERS) * between(first_s, last_s);
}

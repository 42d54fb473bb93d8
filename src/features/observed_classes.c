/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Observed service by class of jobs. Rows of the jobs in the window are sorted by (key of the
 * class, row), so that the jobs of a class are neighbours.
 */
#include "base/civil.h"
#include "base/compare.h"
#include "base/sort.h"
#include "features/observed.h"
#include "trace/job_classes.h"
#include "trace/use.h"

#include <workloom/stats.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A job of the window: its class and its row. */
struct placed {
    int64_t key;
    size_t row;
};

static int by_key(const void *left, const void *right)
{
    const struct placed *a = left, *b = right;
    return LOOM_FIRST_DIFFERENCE(LOOM_COMPARE(a->key, b->key), LOOM_COMPARE(a->row, b->row));
}

static int64_t class_key(const struct loom_jobs *jobs, size_t row, const struct loom_zone *zone,
                         enum loom_observed_by by)
{
    int64_t procs, second, key = -1;
    switch (by) {
    case LOOM_BY_USER:
        key = jobs->user[row];
        break;
    case LOOM_BY_GROUP:
        key = jobs->group[row];
        break;
    case LOOM_BY_QUEUE:
        key = jobs->queue[row];
        break;
    case LOOM_BY_PARTITION:
        key = jobs->partition[row];
        break;
    case LOOM_BY_SIZE:
        procs = loom_job_procs(jobs, row);
        key = procs > 0 ? loom_size_class(procs) : -1;
        break;
    case LOOM_BY_RUNTIME:
        key = jobs->run_s[row] >= 0 ? loom_length_class(jobs->run_s[row]) : -1;
        break;
    case LOOM_BY_HOUR:
        loom_civil_day(loom_zone_local(zone, jobs->submit_s[row]), &second);
        key = second / 3600;
        break;
    }
    return key < 0 ? -1 : key;
}

/* Measure n jobs of one class; room holds n values. */
static struct loom_observed_class
measure_class(const struct loom_jobs *jobs, const struct placed *placed, size_t n, double *scratch)
{
    struct loom_observed_class out = {.key = placed[0].key, .jobs = (int64_t)n};
    double wait_sum = 0, response = 0, slowdown = 0;
    size_t waits = 0, ends = 0;
    for (size_t i = 0; i < n; i++) {
        size_t row = placed[i].row;
        int64_t procs = loom_job_used(jobs, row);
        double wait = (double)jobs->wait_s[row], run = (double)jobs->run_s[row];
        out.work_s += run > 0 && procs > 0 ? run * (double)procs : 0;
        if (wait < 0)
            continue;
        wait_sum += wait;
        scratch[waits++] = wait;
        if (run < 0)
            continue;
        response += wait + run;
        slowdown += fmax(1, (wait + run) / fmax(run, 10));
        ends++;
    }
    loom_sort_real(scratch, waits);
    out.wait_s.n = waits;
    out.wait_s.mean = waits ? wait_sum / (double)waits : (double)NAN;
    out.wait_s.median = loom_quantile(scratch, waits, 0.5);
    out.wait_s.p90 = loom_quantile(scratch, waits, 0.9);
    out.wait_s.p95 = loom_quantile(scratch, waits, 0.95);
    out.wait_s.p99 = loom_quantile(scratch, waits, 0.99);
    out.wait_s.max = waits ? scratch[waits - 1] : (double)NAN;
    out.response_mean_s = ends ? response / (double)ends : (double)NAN;
    out.bounded_slowdown_mean = ends ? slowdown / (double)ends : (double)NAN;
    return out;
}

static int by_work(const void *left, const void *right)
{
    const struct loom_observed_class *a = left, *b = right;
    return LOOM_FIRST_DIFFERENCE(LOOM_COMPARE(b->work_s, a->work_s), LOOM_COMPARE(b->jobs, a->jobs),
                                 LOOM_COMPARE(a->key, b->key));
}

static void finish_classes(struct loom_observed_classes *classes, size_t jobs)
{
    double work_s = 0;
    for (size_t i = 0; i < classes->count; i++)
        work_s += classes->classes[i].work_s;
    for (size_t i = 0; i < classes->count; i++) {
        struct loom_observed_class *class = &classes->classes[i];
        class->jobs_share = (double)class->jobs / (double)jobs;
        class->work_share = work_s > 0 ? class->work_s / work_s : (double)NAN;
    }
    if (classes->by < LOOM_BY_SIZE && classes->count > 0)
        qsort(classes->classes, classes->count, sizeof *classes->classes, by_work);
}

static size_t observed_classes_place_jobs(struct placed *placed, const struct loom_jobs *jobs,
                                          const struct loom_trace_window *window,
                                          const struct loom_zone *zone, enum loom_observed_by by)
{
    size_t n = 0;
    for (size_t i = 0; i < jobs->n; i++)
        if (jobs->submit_s[i] != -1 && jobs->submit_s[i] >= window->from_s &&
            jobs->submit_s[i] <= window->to_s)
            placed[n++] = (struct placed){class_key(jobs, i, zone, by), i};
    if (n > 0)
        qsort(placed, n, sizeof *placed, by_key);
    return n;
}

static size_t end_of_class(const struct placed *placed, size_t n, size_t first)
{
    size_t end = first;
    while (end < n && placed[end].key == placed[first].key)
        end++;
    return end;
}

int loom_observed_classes(struct loom_observed_classes **out, const struct loom_trace *trace,
                          const struct loom_trace_window *window, const struct loom_zone *zone,
                          enum loom_observed_by by, struct loom_error *err)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    struct placed *placed = malloc((jobs->n + 1) * sizeof *placed);
    double *scratch = malloc((jobs->n + 1) * sizeof *scratch);
    size_t n = placed && scratch ? observed_classes_place_jobs(placed, jobs, window, zone, by) : 0,
           count = 0;
    for (size_t first = 0; first < n; first = end_of_class(placed, n, first))
        count++;
    struct loom_observed_classes *classes =
        placed && scratch ? malloc(sizeof *classes + count * sizeof *classes->classes) : NULL;
    if (classes) {
        *classes = (struct loom_observed_classes){.by = by};
        for (size_t first = 0, end; first < n; first = end) {
            end = end_of_class(placed, n, first);
            classes->classes[classes->count++] =
                measure_class(jobs, placed + first, end - first, scratch);
        }
        finish_classes(classes, n);
        *out = classes;
    }
    free(scratch);
    free(placed);
    return classes ? 0 : loom_fail_memory(err);
}

const char *loom_observed_class_text(const struct loom_observed_classes *classes, size_t at,
                                     const struct loom_trace *trace, char *buf, size_t size)
{
    static const enum loom_name_kind kinds[] = {LOOM_USER, LOOM_GROUP, LOOM_QUEUE, LOOM_PARTITION};
    int64_t key = classes->classes[at].key;
    if (classes->by < LOOM_BY_SIZE)
        return loom_named_class_text(trace, kinds[classes->by], key, buf, size);
    if (key < 0)
        snprintf(buf, size, "unknown");
    else if (classes->by == LOOM_BY_SIZE)
        loom_size_class_text(key / 2 + 1, key, buf, size);
    else if (classes->by == LOOM_BY_RUNTIME)
        snprintf(buf, size, "%s", loom_length_class_text((int)key));
    else
        snprintf(buf, size, "%02d:00", (int)key);
    return buf;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * observed.h - the service that a log says its jobs got, over the window in which it is complete
 * (docs/methods/features.md, "Observed service").
 *
 * Waits, responses and slowdowns are of the jobs submitted in the window; use and queue are of all
 * jobs, in the time of the window.
 */
#ifndef LOOM_FEATURES_OBSERVED_H
#define LOOM_FEATURES_OBSERVED_H

#include <workloom/trace.h>

/* Mean and quantiles of n values; NAN if n is 0. */
struct loom_observed_values {
    size_t n;
    double mean, median, p90, p95, p99, max;
};

struct loom_observed {
    struct loom_trace_window window;
    struct loom_machine_size machine;
    int64_t jobs;  /* submitted in the window */
    double work_s; /* their processor-seconds, as far as known */
    struct loom_observed_values wait_s, response_s, bounded_slowdown;
    double utilization; /* NAN if the machine's size or all waits are unknown */
    double queue_mean;  /* jobs that wait; NAN if all waits are unknown */
    int64_t queue_max;
};

/* Measure window, machine, jobs, work, the mean wait and utilization of a trace, without sorting
 * its jobs; the rest is NAN or 0, and so is what needs waits where there are none. */
int loom_observed_summary(struct loom_observed *out, const struct loom_trace *trace,
                          struct loom_error *err);
/* Measure all of it. Where there are no waits, all but window, machine, jobs and work is NAN or 0.
 */
int loom_observed_measure(struct loom_observed *out, const struct loom_trace *trace,
                          struct loom_error *err);

/* ---- by class -------------------------------------------------------------------------------- */

enum loom_observed_by {
    LOOM_BY_USER,
    LOOM_BY_GROUP,
    LOOM_BY_QUEUE,
    LOOM_BY_PARTITION,
    LOOM_BY_SIZE,
    LOOM_BY_RUNTIME,
    LOOM_BY_HOUR, /* of the day, in local time, at submission */
};
enum { LOOM_OBSERVED_KINDS = 7 };

struct loom_observed_class {
    int64_t key; /* the number of the user, ...; of a size class its end; of a runtime class its
                  * index; the hour. -1: unknown */
    int64_t jobs;
    double work_s;
    double jobs_share, work_share; /* of all jobs submitted in the window; NAN of no work */
    struct loom_observed_values wait_s;
    double response_mean_s, bounded_slowdown_mean; /* NAN without waits */
};

struct loom_observed_classes {
    enum loom_observed_by by;
    size_t count;
    /* Sizes, runtimes and hours ascend; others are by falling work, then jobs, then key. */
    struct loom_observed_class classes[];
};

/* Measure the jobs submitted in a window, class by class. zone is needed for hours. The caller must
 * free() *out. */
int loom_observed_classes(struct loom_observed_classes **out, const struct loom_trace *trace,
                          const struct loom_trace_window *window, const struct loom_zone *zone,
                          enum loom_observed_by by, struct loom_error *err);

/* Write what a class is called to buf. Returns buf. */
const char *loom_observed_class_text(const struct loom_observed_classes *classes, size_t at,
                                     const struct loom_trace *trace, char *buf, size_t size);

/* ---- over time ------------------------------------------------------------------------------- */

struct loom_observed_step {
    double procs;      /* in use, on average */
    double queue_mean; /* jobs that wait */
    int64_t queue_max;
};

/* Steps of equal length, hours to weeks, of which the last may reach beyond the window. */
struct loom_observed_series {
    int64_t from_s, to_s, step_s;
    size_t count;
    struct loom_observed_step steps[];
};

/* Measure use and queue over a window, in a few hundred steps. The caller must free() *out. */
int loom_observed_series(struct loom_observed_series **out, const struct loom_trace *trace,
                         const struct loom_trace_window *window, struct loom_error *err);

#endif

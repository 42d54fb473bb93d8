/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Errors of predictions by class. Every job has a key that ascends with its class; the different
 * keys in order are the classes.
 */
#include "base/civil.h"
#include "base/compare.h"
#include "base/map.h"
#include "base/vec.h"
#include "predict/errors.h"
#include "trace/job_classes.h"

#include <workloom/predict_classes.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PERIODS = 60, HOUR_S = 3600 };

static const char *const names[LOOM_PREDICTED_BYS] = {"size", "runtime", "request",
                                                      "user", "queue",   "time"};

struct loom_prediction_classes {
    enum loom_predicted_by by;
    struct loom_zone *zone; /* of periods of a log that says when it began; else NULL */
    int64_t start_s;        /* of the first period */
    int64_t period_s;
    size_t n, capacity;
    struct class
    {
        int64_t key;
        struct loom_error_sums sums;
        struct loom_prediction_class shown;
    } * classes;
};

const char *loom_predicted_by_name(enum loom_predicted_by by)
{
    return names[by];
}

/* ---- periods --------------------------------------------------------------------------------- */

static int64_t choose_period_s(int64_t span_s)
{
    static const int64_t usual_s[] = {HOUR_S, LOOM_DAY_S, 7 * LOOM_DAY_S, 28 * LOOM_DAY_S};
    for (size_t i = 0; i < sizeof usual_s / sizeof *usual_s; i++)
        if (span_s / usual_s[i] < MOST_PERIODS - 1)
            return usual_s[i];
    int64_t period_s = (int64_t)365 * LOOM_DAY_S;
    while (span_s / period_s >= MOST_PERIODS - 1)
        period_s *= 10;
    return period_s;
}

/* Periods begin at a local midnight or, if shorter than a day, at a full hour. */
static int set_periods(struct loom_prediction_classes *classes,
                       const struct loom_evaluation *evaluation, const struct loom_trace *trace,
                       struct loom_error *err)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    struct loom_zone *zone = NULL;
    if (evaluation->n == 0)
        return 0;
    int64_t first_s = jobs->submit_s[evaluation->jobs[0].row];
    int64_t last_s = jobs->submit_s[evaluation->jobs[evaluation->n - 1].row];
    int rc = loom_zone_create(&zone, trace, NULL, err);
    if (rc)
        return rc;
    classes->period_s = choose_period_s(loom_saturated_subtract(last_s, first_s));
    int64_t part_s = classes->period_s < LOOM_DAY_S ? HOUR_S : LOOM_DAY_S;
    int64_t local_s = loom_zone_local(zone, first_s), over_s = local_s % part_s;
    classes->start_s = loom_saturated_subtract(first_s, over_s < 0 ? over_s + part_s : over_s);
    if (loom_trace_machine(trace)->unix_start_s >= 0)
        classes->zone = zone;
    else
        loom_zone_destroy(zone);
    return 0;
}

/* ---- classes --------------------------------------------------------------------------------- */

static int64_t key_of(const struct loom_prediction_classes *classes, const struct loom_jobs *jobs,
                      uint32_t row)
{
    switch (classes->by) {
    case LOOM_PREDICTED_BY_SIZE:
        return loom_size_class(loom_job_procs(jobs, row));
    case LOOM_PREDICTED_BY_RUNTIME:
        return loom_length_class(jobs->run_s[row]);
    case LOOM_PREDICTED_BY_REQUEST:
        return jobs->request_s[row] > 0 ? loom_length_class(jobs->request_s[row]) : -1;
    case LOOM_PREDICTED_BY_USER:
        return jobs->user[row] < 0 ? -1 : jobs->user[row];
    case LOOM_PREDICTED_BY_QUEUE:
        return jobs->queue[row] < 0 ? -1 : jobs->queue[row];
    case LOOM_PREDICTED_BY_TIME:
        break;
    }
    return loom_saturated_subtract(jobs->submit_s[row], classes->start_s) / classes->period_s;
}

static void set_limits(const struct loom_prediction_classes *classes, struct class *class)
{
    struct loom_prediction_class *shown = &class->shown;
    shown->from = shown->to = class->key;
    if (class->key < 0)
        return;
    if (classes->by == LOOM_PREDICTED_BY_SIZE) {
        shown->from = class->key / 2 + 1;
    } else if (classes->by == LOOM_PREDICTED_BY_RUNTIME ||
               classes->by == LOOM_PREDICTED_BY_REQUEST) {
        shown->from = class->key == 0 ? 0 : loom_length_class_end((int)class->key - 1) + 1;
        shown->to = loom_length_class_end((int)class->key);
    } else if (classes->by == LOOM_PREDICTED_BY_TIME) {
        shown->from = loom_saturated_add(classes->start_s, class->key * classes->period_s);
        shown->to = loom_saturated_add(shown->from, classes->period_s - 1);
    }
}

/* Return the class of a key, created if new; NULL when memory is out. */
static struct class *class_of(struct loom_prediction_classes *classes, struct loom_map *keys,
                              int64_t key)
{
    if (loom_grow(&classes->classes, classes->n, &classes->capacity))
        return NULL;
    uint32_t index = loom_map_intern(keys, (uint64_t)key);
    if (index == LOOM_MAP_NONE)
        return NULL;
    if (index == classes->n)
        classes->classes[classes->n++] = (struct class){.key = key};
    return &classes->classes[index];
}

static int add_jobs(struct loom_prediction_classes *classes,
                    const struct loom_evaluation *evaluation, const struct loom_jobs *jobs,
                    struct loom_error *err)
{
    struct loom_map keys = {0};
    int rc = 0;
    for (size_t i = 0; i < evaluation->n && !rc; i++) {
        const struct loom_predicted_job *job = &evaluation->jobs[i];
        struct class *class = class_of(classes, &keys, key_of(classes, jobs, job->row));
        if (class)
            loom_error_sums_add(&class->sums, &job->prediction, jobs->run_s[job->row],
                                loom_job_procs(jobs, job->row));
        else
            rc = loom_fail_memory(err);
    }
    loom_map_free(&keys);
    return rc;
}

static int by_key(const void *a, const void *b)
{
    int64_t x = ((const struct class *)a)->key, y = ((const struct class *)b)->key;
    return LOOM_COMPARE(x, y);
}

static void prediction_classes_finish(struct loom_prediction_classes *classes)
{
    double error = 0;
    if (classes->n > 1)
        qsort(classes->classes, classes->n, sizeof *classes->classes, by_key);
    for (size_t i = 0; i < classes->n; i++)
        error += classes->classes[i].sums.error;
    for (size_t i = 0; i < classes->n; i++) {
        struct class *class = &classes->classes[i];
        set_limits(classes, class);
        class->shown.errors = loom_error_sums_means(&class->sums);
        class->shown.error_share = error > 0 ? class->sums.error / error : NAN;
    }
}

int loom_prediction_classes_create(struct loom_prediction_classes **out,
                                   const struct loom_evaluation *evaluation,
                                   const struct loom_trace *trace, enum loom_predicted_by by,
                                   struct loom_error *err)
{
    struct loom_prediction_classes *classes = calloc(1, sizeof *classes);
    *out = NULL;
    if (!classes)
        return loom_fail_memory(err);
    classes->by = by;
    int rc = by == LOOM_PREDICTED_BY_TIME ? set_periods(classes, evaluation, trace, err) : 0;
    if (!rc)
        rc = add_jobs(classes, evaluation, loom_trace_jobs(trace), err);
    if (rc) {
        loom_prediction_classes_destroy(classes);
        return rc;
    }
    prediction_classes_finish(classes);
    *out = classes;
    return 0;
}

void loom_prediction_classes_destroy(struct loom_prediction_classes *classes)
{
    if (!classes)
        return;
    loom_zone_destroy(classes->zone);
    free(classes->classes);
    free(classes);
}

enum loom_predicted_by loom_prediction_classes_by(const struct loom_prediction_classes *classes)
{
    return classes->by;
}

const struct loom_prediction_class *
loom_prediction_classes_at(const struct loom_prediction_classes *classes, size_t index)
{
    return index < classes->n ? &classes->classes[index].shown : NULL;
}

/* ---- for people ------------------------------------------------------------------------------ */

static void period_text(const struct loom_prediction_classes *classes, int64_t from_s, char *buf,
                        size_t size)
{
    bool hours = classes->period_s < LOOM_DAY_S;
    char date[40];
    if (classes->zone) { /* "2004-03-01 12:00:00" */
        loom_zone_text(classes->zone, from_s, date, sizeof date);
        size_t length = strlen(date), cut = hours ? 3 : 9;
        snprintf(buf, size, "%.*s", (int)(length > cut ? length - cut : length), date);
    } else {
        int64_t part_s = hours ? HOUR_S : LOOM_DAY_S;
        snprintf(buf, size, "%s %" PRId64, hours ? "hour" : "day", from_s / part_s + 1);
    }
}

const char *loom_prediction_class_text(const struct loom_prediction_classes *classes, size_t index,
                                       const struct loom_trace *trace, char *buf, size_t size)
{
    const struct class *class = &classes->classes[index];
    switch (classes->by) {
    case LOOM_PREDICTED_BY_SIZE:
        return loom_size_class_text(class->shown.from, class->shown.to, buf, size);
    case LOOM_PREDICTED_BY_RUNTIME:
    case LOOM_PREDICTED_BY_REQUEST:
        snprintf(buf, size, "%s",
                 class->key < 0 ? "unknown" : loom_length_class_text((int)class->key));
        return buf;
    case LOOM_PREDICTED_BY_USER:
        return loom_named_class_text(trace, LOOM_USER, class->key, buf, size);
    case LOOM_PREDICTED_BY_QUEUE:
        return loom_named_class_text(trace, LOOM_QUEUE, class->key, buf, size);
    case LOOM_PREDICTED_BY_TIME:
        break;
    }
    period_text(classes, class->shown.from, buf, size);
    return buf;
}

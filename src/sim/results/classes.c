/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Metrics by class: jobs classified by size, runtime, user, queue, or whether they are in a bag of
 * tasks.
 *
 * Every job gets a key that ascends with its class; the different keys are the classes. Waits are
 * sorted by class, and medians found by selection.
 */
#include "sim/results/classes.h"

#include "base/sort.h"
#include "sim/engine.h"
#include "trace/job_classes.h"

#include <workloom/sim_results.h>
#include <workloom/users.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const kind_names[LOOM_CLASS_KINDS] = {"size", "runtime", "user", "queue", "bag"};

const char *loom_class_kind_name(enum loom_class_kind kind)
{
    return kind_names[kind];
}

/* ---- the class of a job ---------------------------------------------------------------------- */

/* Numbers of users and queues are of 32 bits, so keys are small and not below 0. */
static int64_t number_key(int32_t number)
{
    return (int64_t)number - INT32_MIN;
}

void loom_class_range(int64_t *from, int64_t *to, enum loom_class_kind kind, int64_t key)
{
    *from = *to = key;
    if (kind == LOOM_CLASS_SIZE) {
        *from = key / 2 + 1;
    } else if (kind == LOOM_CLASS_RUNTIME) {
        *from = key == 0 ? 0 : loom_length_class_end((int)key - 1) + 1;
        *to = loom_length_class_end((int)key);
    } else if (kind != LOOM_CLASS_BAG) {
        *from = *to = key + INT32_MIN;
    }
}

int64_t loom_class_key(enum loom_class_kind kind, const struct loom_sim_job *job, int32_t queue)
{
    return kind == LOOM_CLASS_SIZE      ? loom_size_class(job->procs)
           : kind == LOOM_CLASS_RUNTIME ? loom_length_class(job->run_s)
           : kind == LOOM_CLASS_QUEUE   ? number_key(queue)
                                        : number_key(job->user);
}

static void set_keys(int64_t *keys, const struct loom_sim *sim, const struct loom_trace *trace,
                     enum loom_class_kind kind)
{
    const int32_t *queues = kind == LOOM_CLASS_QUEUE ? loom_trace_jobs(trace)->queue : NULL;
    size_t n;
    const struct loom_sim_job *jobs = loom_sim_measured(sim, &n);
    for (size_t i = 0; i < n; i++)
        keys[i] = loom_class_key(kind, &jobs[i], queues ? queues[jobs[i].row] : -1);
}

/* 1 for each job of a bag of at least two. */
static int set_bag_keys(int64_t *keys, const struct loom_sim *sim, const struct loom_trace *trace,
                        struct loom_error *err)
{
    size_t n;
    const struct loom_sim_job *jobs = loom_sim_measured(sim, &n);
    struct loom_bags *bags = NULL;
    uint8_t *in_bag = calloc(loom_trace_count(trace), 1);
    int rc = in_bag ? loom_bags_create(&bags, trace, LOOM_BAG_DELTA_S, err) : loom_fail_memory(err);
    for (size_t b = 0; !rc && b < bags->count; b++)
        for (size_t at = bags->first[b]; loom_bag_size(bags, b) > 1 && at < bags->first[b + 1];
             at++)
            in_bag[bags->row[at]] = 1;
    for (size_t i = 0; !rc && i < n; i++)
        keys[i] = in_bag[jobs[i].row];
    loom_bags_destroy(bags);
    free(in_bag);
    return rc;
}

static int check_rows(const struct loom_sim *sim, const struct loom_trace *trace,
                      struct loom_error *err)
{
    size_t rows = trace ? loom_trace_count(trace) : 0;
    for (size_t i = 0; i < sim->n_jobs; i++)
        if (sim->jobs[i].row >= rows)
            return loom_fail(err, LOOM_EUSAGE,
                             "job %zu of the simulation is not from this trace, so it has no queue "
                             "and no bag",
                             i);
    return 0;
}

/* ---- the classes ----------------------------------------------------------------------------- */

/* The measured jobs, the key of each by which it is classified, and a buffer of n values. */
struct grouping {
    const struct loom_sim_job *jobs;
    size_t n;
    int64_t *keys, *buffer;
};

static size_t class_of(const int64_t *different, size_t n, int64_t key)
{
    size_t low = 0;
    for (size_t high = n; high - low > 1;) {
        size_t middle = (low + high) / 2;
        if (different[middle] <= key)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Replace the keys by class numbers. Leave the different keys, ascending, in the buffer; return how
 * many there are. */
static size_t number_classes(const struct grouping *grouping)
{
    size_t n = 0;
    memcpy(grouping->buffer, grouping->keys, grouping->n * sizeof *grouping->keys);
    loom_sort_int64(grouping->buffer, grouping->n);
    for (size_t i = 0; i < grouping->n; i++)
        if (i == 0 || grouping->buffer[i] != grouping->buffer[n - 1])
            grouping->buffer[n++] = grouping->buffer[i];
    size_t number = 0; /* neighbours are often of one class */
    for (size_t i = 0; i < grouping->n; i++) {
        if (grouping->keys[i] != grouping->buffer[number])
            number = class_of(grouping->buffer, n, grouping->keys[i]);
        grouping->keys[i] = (int64_t)number;
    }
    return n;
}

static void compute_means(struct loom_sim_classes *classes, const struct grouping *grouping)
{
    for (size_t c = 0; c < classes->count; c++) {
        classes->classes[c] = (struct loom_sim_class){0};
        loom_class_range(&classes->classes[c].from, &classes->classes[c].to, classes->kind,
                         grouping->buffer[c]);
    }
    for (size_t i = 0; i < grouping->n; i++) {
        struct loom_sim_class *entry = &classes->classes[grouping->keys[i]];
        entry->jobs++;
        entry->wait_mean_s += (double)loom_sim_job_wait(&grouping->jobs[i]);
        entry->bounded_slowdown_mean += loom_sim_job_bounded_slowdown(&grouping->jobs[i]);
    }
    for (size_t c = 0; c < classes->count; c++) {
        classes->classes[c].wait_mean_s /= (double)classes->classes[c].jobs;
        classes->classes[c].bounded_slowdown_mean /= (double)classes->classes[c].jobs;
    }
}

static double median(int64_t *values, size_t n)
{
    loom_select_key((loom_key *)(void *)values, 0, n, (n - 1) / 2);
    double low = (double)values[(n - 1) / 2];
    loom_select_key((loom_key *)(void *)values, (n - 1) / 2, n, n / 2);
    return (low + (double)values[n / 2]) / 2;
}

/* Compute median waits: sort the waits into the buffer by class; next[c] is the next index of class
 * c. */
static void find_medians(struct loom_sim_classes *classes, const struct grouping *grouping,
                         size_t *next)
{
    size_t first = 0;
    for (size_t c = 0; c < classes->count; c++) {
        next[c] = first;
        first += (size_t)classes->classes[c].jobs;
    }
    for (size_t i = 0; i < grouping->n; i++)
        grouping->buffer[next[grouping->keys[i]]++] = loom_sim_job_wait(&grouping->jobs[i]);
    for (size_t c = 0; c < classes->count; c++) {
        size_t n = (size_t)classes->classes[c].jobs;
        classes->classes[c].wait_median_s = median(grouping->buffer + next[c] - n, n);
    }
}

/* Throughputs, and Jain's index of the mean bounded slowdowns of known classes. */
static void finish(struct loom_sim_classes *classes, const struct loom_sim *sim)
{
    struct loom_sim_window window = loom_sim_window(sim);
    double length_s =
        window.to_s > window.from_s ? (double)(window.to_s - window.from_s) : (double)NAN;
    double sum = 0, squares = 0, n = 0;
    for (size_t i = 0; i < classes->count; i++) {
        struct loom_sim_class *entry = &classes->classes[i];
        double x = entry->bounded_slowdown_mean;
        entry->throughput_jobs_per_day = (double)entry->jobs / length_s * 86400;
        if (entry->to < 0)
            continue;
        sum += x;
        squares += x * x;
        n++;
    }
    classes->fairness = n > 0 ? sum * sum / (n * squares) : (double)NAN;
}

static int group_jobs(struct loom_sim_classes **out, const struct grouping *grouping,
                      enum loom_class_kind kind, struct loom_error *err)
{
    size_t count = number_classes(grouping);
    struct loom_sim_classes *classes = malloc(sizeof *classes + count * sizeof *classes->classes);
    size_t *next = malloc((count + 1) * sizeof *next);
    int rc = classes && next ? 0 : loom_fail_memory(err);
    if (!rc) {
        *classes = (struct loom_sim_classes){.kind = kind, .count = count};
        compute_means(classes, grouping);
        find_medians(classes, grouping, next);
        *out = classes;
    } else {
        free(classes);
    }
    free(next);
    return rc;
}

int loom_sim_classes_create(struct loom_sim_classes **out, const struct loom_sim *sim,
                            const struct loom_trace *trace, enum loom_class_kind kind,
                            struct loom_error *err)
{
    struct grouping grouping;
    int rc = 0;
    *out = NULL;
    grouping.jobs = loom_sim_measured(sim, &grouping.n);
    grouping.keys = malloc((2 * grouping.n + 1) * sizeof *grouping.keys);
    if (!grouping.keys)
        return loom_fail_memory(err);
    grouping.buffer = grouping.keys + grouping.n;
    if (kind == LOOM_CLASS_QUEUE || kind == LOOM_CLASS_BAG)
        rc = check_rows(sim, trace, err);
    if (!rc && kind == LOOM_CLASS_BAG)
        rc = set_bag_keys(grouping.keys, sim, trace, err);
    else if (!rc)
        set_keys(grouping.keys, sim, trace, kind);
    if (!rc)
        rc = group_jobs(out, &grouping, kind, err);
    free(grouping.keys);
    if (!rc)
        finish(*out, sim);
    return rc;
}

void loom_sim_classes_destroy(struct loom_sim_classes *classes)
{
    free(classes);
}

/* ---- for people ------------------------------------------------------------------------------ */

const char *loom_class_text(enum loom_class_kind kind, int64_t from, int64_t to,
                            const struct loom_trace *trace, char *buf, size_t size)
{
    switch (kind) {
    case LOOM_CLASS_SIZE:
        loom_size_class_text(from, to, buf, size);
        break;
    case LOOM_CLASS_RUNTIME:
        snprintf(buf, size, "%s", loom_length_class_text(loom_length_class(to)));
        break;
    case LOOM_CLASS_USER:
        loom_named_class_text(trace, LOOM_USER, to, buf, size);
        break;
    case LOOM_CLASS_QUEUE:
        loom_named_class_text(trace, LOOM_QUEUE, to, buf, size);
        break;
    case LOOM_CLASS_BAG:
        snprintf(buf, size, "%s", to ? "in bags" : "alone");
        break;
    }
    return buf;
}

const char *loom_sim_class_text(const struct loom_sim_classes *classes, size_t at,
                                const struct loom_trace *trace, char *buf, size_t size)
{
    const struct loom_sim_class *entry = &classes->classes[at];
    return loom_class_text(classes->kind, entry->from, entry->to, trace, buf, size);
}

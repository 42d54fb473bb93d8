/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Who got what service: jobs told apart by size, runtime, user, queue, or whether they came in a
 * bag of tasks, and the metrics of each class.
 *
 * Every job is given the upper end of its class's range as key. In order of (key, wait) a class is
 * a run of neighbours whose median stands in its middle.
 */
#include "sim/engine.h"

#include <workloom/users.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct member {
    int64_t key, wait_s;
    double bounded_slowdown;
};

static const char *const kind_names[LOOM_CLASS_KINDS] = {"size", "runtime", "user", "queue", "bag"};

/* Runtime classes: the longest runtime of each, and its name. 10 s is where bounded slowdown stops
 * telling runtimes apart. */
static const struct runtime_class {
    int64_t to_s;
    const char *text;
} runtime_classes[] = {
    {10, "up to 10 s"},   {60, "up to 1 min"},    {600, "up to 10 min"},     {3600, "up to 1 h"},
    {21600, "up to 6 h"}, {86400, "up to 1 day"}, {INT64_MAX, "over 1 day"},
};

const char *loom_class_kind_name(enum loom_class_kind kind)
{
    return kind_names[kind];
}

/* ---- the class of a job ---------------------------------------------------------------------- */

static int64_t power_above(int64_t procs)
{
    int64_t power = 1;
    while (power < procs)
        power *= 2;
    return power;
}

static const struct runtime_class *runtime_class(int64_t run_s)
{
    const struct runtime_class *class = runtime_classes;
    while (class->to_s < run_s)
        class ++;
    return class;
}

static int64_t first_of(enum loom_class_kind kind, int64_t key)
{
    if (kind == LOOM_CLASS_SIZE)
        return key / 2 + 1;
    if (kind != LOOM_CLASS_RUNTIME)
        return key;
    const struct runtime_class *class = runtime_class(key);
    return class == runtime_classes ? 0 : class[-1].to_s + 1;
}

static void key_members(struct member *members, const struct loom_sim *sim,
                        const struct loom_trace *trace, enum loom_class_kind kind)
{
    const int32_t *queues = kind == LOOM_CLASS_QUEUE ? loom_trace_jobs(trace)->queue : NULL;
    size_t n;
    const struct loom_sim_job *jobs = loom_sim_measured(sim, &n);
    for (size_t i = 0; i < n; i++) {
        const struct loom_sim_job *job = &jobs[i];
        members[i].key = kind == LOOM_CLASS_SIZE      ? power_above(job->procs)
                         : kind == LOOM_CLASS_RUNTIME ? runtime_class(job->run_s)->to_s
                         : kind == LOOM_CLASS_QUEUE   ? queues[job->row]
                                                      : job->user;
    }
}

/* 1 for each job of a bag of at least two. */
static int key_bags(struct member *members, const struct loom_sim *sim,
                    const struct loom_trace *trace, struct loom_error *err)
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
        members[i].key = in_bag[jobs[i].row];
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

static int by_key_and_wait(const void *left, const void *right)
{
    const struct member *a = left, *b = right;
    int order = (a->key > b->key) - (a->key < b->key);
    return order ? order : (a->wait_s > b->wait_s) - (a->wait_s < b->wait_s);
}

static struct loom_sim_class measure(const struct member *members, size_t n,
                                     enum loom_class_kind kind)
{
    double wait_s = 0, bounded = 0;
    for (size_t i = 0; i < n; i++) {
        wait_s += (double)members[i].wait_s;
        bounded += members[i].bounded_slowdown;
    }
    return (struct loom_sim_class){
        .from = first_of(kind, members[0].key),
        .to = members[0].key,
        .jobs = (int64_t)n,
        .wait_mean_s = wait_s / (double)n,
        .wait_median_s = ((double)members[(n - 1) / 2].wait_s + (double)members[n / 2].wait_s) / 2,
        .bounded_slowdown_mean = bounded / (double)n,
    };
}

static double jain(const struct loom_sim_classes *classes)
{
    double sum = 0, squares = 0, n = 0;
    for (size_t i = 0; i < classes->count; i++) {
        double x = classes->classes[i].bounded_slowdown_mean;
        if (classes->classes[i].to < 0)
            continue;
        sum += x;
        squares += x * x;
        n++;
    }
    return n > 0 ? sum * sum / (n * squares) : (double)NAN;
}

/* First submit to last end, in days. */
static double makespan_days(const struct loom_sim *sim)
{
    int64_t last_s = 0;
    for (size_t i = 0; i < sim->n_jobs; i++) {
        int64_t end_s = loom_sim_job_end(&sim->jobs[i]);
        last_s = end_s > last_s ? end_s : last_s;
    }
    int64_t makespan_s = sim->n_jobs ? last_s - sim->jobs[0].submit_s : 0;
    return makespan_s > 0 ? (double)makespan_s / 86400 : (double)NAN;
}

static size_t end_of_class(const struct member *members, size_t n, size_t begin)
{
    size_t end = begin;
    while (end < n && members[end].key == members[begin].key)
        end++;
    return end;
}

static int gather(struct loom_sim_classes **out, const struct member *members, size_t n,
                  enum loom_class_kind kind, struct loom_error *err)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i = end_of_class(members, n, i))
        count++;
    struct loom_sim_classes *classes = malloc(sizeof *classes + count * sizeof *classes->classes);
    if (!classes)
        return loom_fail_memory(err);
    *classes = (struct loom_sim_classes){.kind = kind};
    for (size_t i = 0, end; i < n; i = end) {
        end = end_of_class(members, n, i);
        classes->classes[classes->count++] = measure(members + i, end - i, kind);
    }
    *out = classes;
    return 0;
}

static void finish(struct loom_sim_classes *classes, const struct loom_sim *sim)
{
    double days = makespan_days(sim);
    for (size_t i = 0; i < classes->count; i++)
        classes->classes[i].throughput_jobs_per_day = (double)classes->classes[i].jobs / days;
    classes->fairness = jain(classes);
}

int loom_sim_classes_create(struct loom_sim_classes **out, const struct loom_sim *sim,
                            const struct loom_trace *trace, enum loom_class_kind kind,
                            struct loom_error *err)
{
    size_t n;
    const struct loom_sim_job *jobs = loom_sim_measured(sim, &n);
    *out = NULL;
    if (kind == LOOM_CLASS_QUEUE || kind == LOOM_CLASS_BAG) {
        int rc = check_rows(sim, trace, err);
        if (rc)
            return rc;
    }
    struct member *members = malloc((n + 1) * sizeof *members);
    if (!members)
        return loom_fail_memory(err);
    for (size_t i = 0; i < n; i++)
        members[i] = (struct member){
            .wait_s = loom_sim_job_wait(&jobs[i]),
            .bounded_slowdown = loom_sim_job_bounded_slowdown(&jobs[i]),
        };
    int rc = 0;
    if (kind == LOOM_CLASS_BAG)
        rc = key_bags(members, sim, trace, err);
    else
        key_members(members, sim, trace, kind);
    if (!rc) {
        qsort(members, n, sizeof *members, by_key_and_wait);
        rc = gather(out, members, n, kind, err);
    }
    free(members);
    if (!rc)
        finish(*out, sim);
    return rc;
}

void loom_sim_classes_destroy(struct loom_sim_classes *classes)
{
    free(classes);
}

/* ---- for people ------------------------------------------------------------------------------ */

static void number_text(char *buf, size_t size, const struct loom_trace *trace,
                        enum loom_name_kind kind, int64_t number)
{
    const char *name = trace ? loom_trace_name(trace, kind, (int32_t)number) : NULL;
    if (number < 0)
        snprintf(buf, size, "unknown");
    else if (name)
        snprintf(buf, size, "%s", name);
    else
        snprintf(buf, size, "%" PRId64, number);
}

const char *loom_sim_class_text(const struct loom_sim_classes *classes, size_t at,
                                const struct loom_trace *trace, char *buf, size_t size)
{
    const struct loom_sim_class *class = &classes->classes[at];
    switch (classes->kind) {
    case LOOM_CLASS_SIZE:
        if (class->from == class->to)
            snprintf(buf, size, "%" PRId64, class->to);
        else
            snprintf(buf, size, "%" PRId64 "-%" PRId64, class->from, class->to);
        break;
    case LOOM_CLASS_RUNTIME:
        snprintf(buf, size, "%s", runtime_class(class->to)->text);
        break;
    case LOOM_CLASS_USER:
        number_text(buf, size, trace, LOOM_USER, class->to);
        break;
    case LOOM_CLASS_QUEUE:
        number_text(buf, size, trace, LOOM_QUEUE, class->to);
        break;
    case LOOM_CLASS_BAG:
        snprintf(buf, size, "%s", class->to ? "in bags" : "alone");
        break;
    }
    return buf;
}

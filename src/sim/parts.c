/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A machine in parts. Each part is a simulation with the jobs that are for it; a heap has when
 * something happens in each, so that an estimator, which learns from all parts, sees events in
 * order of time. When all is over, the jobs and counts of the parts are merged into one run.
 */
#include "sim/parts.h"

#include "base/heap.h"
#include "sim/engine.h"
#include "sim/results/over_time.h"

#include <stdlib.h>

struct part {
    struct loom_sim *sim;
    struct loom_replay replay; /* rows are its own */
    struct loom_job_source source;
    bool open;
};

struct parts {
    size_t n;
    struct part *list;
    struct loom_heap next; /* of parts: when something happens there next */
};

int64_t loom_parts_procs(const struct loom_parts *parts)
{
    int64_t procs = 0;
    for (size_t i = 0; i < parts->n; i++)
        procs += parts->procs[i];
    return procs;
}

static int check(const struct loom_sim_options *options, const struct loom_replay *replay,
                 struct loom_error *err)
{
    const struct loom_parts *parts = options->parts;
    if (options->n_observers > 0)
        return loom_fail_field(err, LOOM_EUSAGE, "parts",
                               "parts exclude explanations and reasons of starts");
    for (size_t i = 0; i < parts->n; i++)
        if (parts->procs[i] < 1 || parts->procs[i] > INT32_MAX)
            return loom_fail_field(err, LOOM_ERANGE, "parts",
                                   "each part of the machine must have 1 to %d processors, not "
                                   "%lld",
                                   INT32_MAX, (long long)parts->procs[i]);
    for (size_t row = 0; row < replay->n; row++)
        if (parts->of[row] >= parts->n)
            return loom_fail_field(err, LOOM_ERANGE, "parts", "row %zu is for no part", row);
    return 0;
}

/* Deal the rows out to the parts, in the order of the source. */
static int deal(struct parts *all, const struct loom_parts *parts, const struct loom_replay *replay,
                struct loom_error *err)
{
    for (size_t i = 0; i < replay->n; i++)
        all->list[parts->of[i]].replay.n++;
    for (size_t p = 0; p < all->n; p++) {
        struct loom_replay *own = &all->list[p].replay;
        own->jobs = replay->jobs;
        own->rows = malloc((own->n + 1) * sizeof *own->rows);
        own->n = 0;
        if (!own->rows)
            return loom_fail_memory(err);
    }
    for (size_t i = 0; i < replay->n; i++) {
        uint32_t row = replay->rows ? replay->rows[i] : (uint32_t)i;
        struct loom_replay *own = &all->list[parts->of[row]].replay;
        own->rows[own->n++] = row;
    }
    return 0;
}

static int open_parts(struct parts *all, const struct loom_sim_options *options,
                      struct loom_error *err)
{
    int rc = 0;
    for (size_t i = 0; i < all->n && !rc; i++) {
        struct part *part = &all->list[i];
        struct loom_sim_options own = *options;
        own.procs = options->parts->procs[i];
        own.parts = NULL;
        part->source = loom_replay_source(&part->replay);
        rc = loom_sim_create(&part->sim, err);
        if (!rc) {
            part->sim->origin = 1 + (uint32_t)i;
            rc = loom_sim_begin(part->sim, &own, &part->source, err);
        }
        part->open = rc == 0;
        if (!rc && loom_heap_set(&all->next, (uint32_t)i, loom_sim_next(part->sim)))
            rc = loom_fail_memory(err);
    }
    return rc;
}

static int run_parts(struct parts *all, struct loom_error *err)
{
    int rc = 0;
    for (int64_t time_s; !rc && (time_s = loom_heap_next(&all->next)) != LOOM_NEVER;) {
        uint32_t first = all->next.entries[0].item;
        struct loom_sim *sim = all->list[first].sim;
        rc = loom_sim_step(sim, time_s, err);
        if (!rc && loom_heap_set(&all->next, first, loom_sim_next(sim)))
            rc = loom_fail_memory(err);
    }
    for (size_t i = 0; i < all->n && !rc; i++)
        rc = loom_sim_check_done(all->list[i].sim, err);
    return rc;
}

static void add_counts(struct loom_sim_counts *to, const struct loom_sim_counts *from)
{
#define X(name, what) to->name += from->name;
    LOOM_SIM_COUNTS(X)
#undef X
}

/* The longest queue of all parts together, by the waits of their jobs. */
static int find_longest(struct loom_sim *sim, struct loom_error *err)
{
    struct loom_queue_walk walk;
    struct loom_queue_step step;
    int rc = loom_queue_walk_open(&walk, sim, err);
    while (!rc && loom_queue_walk_next(&walk, &step))
        if (step.waiting > (int64_t)sim->queue_max)
            sim->queue_max = (size_t)step.waiting;
    loom_queue_walk_close(&walk);
    return rc;
}

/* Join the jobs of the parts into one run. */
static int gather(struct loom_sim *sim, const struct parts *all, struct loom_error *err)
{
    size_t n = 0;
    for (size_t i = 0; i < all->n; i++) {
        loom_sim_restore(all->list[i].sim);
        n += all->list[i].sim->n_jobs;
    }
    if (n > sim->jobs_capacity) {
        free(sim->jobs);
        sim->jobs_capacity = 0;
        sim->jobs = malloc(n * sizeof *sim->jobs);
        if (!sim->jobs)
            return loom_fail_memory(err);
        sim->jobs_capacity = n;
    }
    sim->n_jobs = 0;
    for (size_t i = 0; i < all->n; i++) {
        const struct loom_sim *part = all->list[i].sim;
        for (size_t k = 0; k < part->n_jobs; k++)
            sim->jobs[sim->n_jobs++] = part->jobs[k];
        add_counts(&sim->counts, &part->counts);
        sim->now_s = part->now_s > sim->now_s ? part->now_s : sim->now_s;
    }
    loom_sim_sort(sim);
    return find_longest(sim, err);
}

static void close_parts(struct parts *all)
{
    for (size_t i = 0; all->list && i < all->n; i++) {
        if (all->list[i].open)
            loom_sim_close(all->list[i].sim);
        loom_sim_destroy(all->list[i].sim);
        free(all->list[i].replay.rows);
    }
    free(all->list);
    loom_heap_free(&all->next);
}

static int64_t never(void *self)
{
    (void)self;
    return LOOM_NEVER;
}

/* Forget the run before: one without jobs, whose results are then filled in. */
static int clear(struct loom_sim *sim, const struct loom_sim_options *options,
                 struct loom_error *err)
{
    const struct loom_job_source none = {.due = never};
    struct loom_sim_options empty = *options;
    empty.parts = NULL;
    if (empty.procs > INT32_MAX) /* of all parts: no job is as wide */
        empty.procs = INT32_MAX;
    int rc = loom_sim_begin(sim, &empty, &none, err);
    if (!rc)
        loom_sim_close(sim);
    sim->procs = sim->free = options->procs;
    return rc;
}

int loom_sim_run_parts(struct loom_sim *sim, const struct loom_sim_options *options,
                       const struct loom_replay *replay, struct loom_error *err)
{
    struct parts all = {.n = options->parts->n};
    int rc = check(options, replay, err);
    if (!rc)
        rc = clear(sim, options, err);
    if (rc)
        return rc;
    all.list = calloc(all.n, sizeof *all.list);
    rc = all.list ? deal(&all, options->parts, replay, err) : loom_fail_memory(err);
    if (!rc)
        rc = open_parts(&all, options, err);
    if (!rc)
        rc = run_parts(&all, err);
    if (!rc)
        rc = gather(sim, &all, err);
    close_parts(&all);
    return rc;
}

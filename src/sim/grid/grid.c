/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A grid: clusters, each a simulation of its own with its local jobs, and the queue of grid jobs
 * in front of them, on one clock. A heap has the next instant of each cluster. A cluster is
 * simulated in its own instants only, so that one without grid jobs gives the same schedule as
 * alone.
 */
#include "sim/grid/grid.h"

#include "base/spec.h"
#include "base/vec.h"

#include <stdio.h>
#include <string.h>

enum { MOST_CLUSTERS = 1000000 };

/* ---- clusters -------------------------------------------------------------------------------- */

static int see_start(void *self, const struct loom_sim *sim, const struct loom_sim_event *event,
                     struct loom_error *err)
{
    struct loom_site *site = self;
    const struct loom_sim_job *job = loom_sim_job(sim, event->job);
    (void)err;
    if (job->notes & LOOM_JOB_GRID) {
        site->claimed -= job->procs;
        site->pending--;
    }
    return 0;
}

static int64_t never(void *self)
{
    (void)self;
    return LOOM_NEVER;
}

/* Return the first number above all users of the background: users of two logs are different, even
 * if they have the same number. */
static int32_t users_above(const struct loom_trace *background)
{
    const struct loom_jobs *jobs = loom_trace_jobs(background);
    int32_t highest = -1;
    for (size_t row = 0; row < jobs->n; row++)
        highest = jobs->user[row] > highest ? jobs->user[row] : highest;
    return highest < INT32_MAX / 2 ? highest + 1 : 0;
}

/* Put the name of the cluster before an error message. */
static int name_cluster(const struct loom_cluster *cluster, int rc, struct loom_error *err)
{
    if (err && rc && rc != LOOM_ENOMEM) {
        char text[sizeof err->message];
        memcpy(text, err->message, sizeof text);
        snprintf(err->message, sizeof err->message, "cluster %.60s: %.680s", cluster->name, text);
    }
    return rc;
}

static int set_observers(struct loom_site *site, const struct loom_cluster *cluster,
                         struct loom_error *err)
{
    struct loom_observer *observers = malloc((cluster->n_observers + 1) * sizeof *observers);
    if (!observers)
        return loom_fail_memory(err);
    observers[0] =
        (struct loom_observer){.self = site, .events = LOOM_EVENT_START, .on_event = see_start};
    for (size_t i = 0; i < cluster->n_observers; i++)
        observers[i + 1] = cluster->observers[i];
    site->observers = observers;
    return 0;
}

static int open_site(struct loom_site *site, const struct loom_cluster *cluster,
                     const struct loom_grid_options *options, struct loom_error *err)
{
    int rc = 0;
    site->source = (struct loom_job_source){.due = never};
    site->first_user = 0;
    site->claimed = 0;
    site->pending = 0;
    rc = set_observers(site, cluster, err);
    if (rc)
        return rc;
    if (cluster->background) {
        rc = loom_replay_open(&site->replay, cluster->background, cluster->background_shift_s, err);
        if (rc)
            return rc;
        site->source = loom_replay_source(&site->replay);
        site->first_user = users_above(cluster->background);
    }
    const struct loom_sim_options chosen = {
        .scheduler = cluster->scheduler ? cluster->scheduler : "easy",
        .schedulers = options->schedulers,
        .procs = cluster->procs,
        .overrun = options->overrun,
        .estimator = options->estimator,
        .observers = site->observers,
        .n_observers = 1 + cluster->n_observers,
        .progress = options->progress,
    };
    rc = loom_sim_begin(site->sim, &chosen, &site->source, err);
    site->open = rc == 0;
    return rc;
}

static int make_sites(struct loom_grid *grid, size_t n, struct loom_error *err)
{
    if (n == 0 || n > MOST_CLUSTERS)
        return loom_fail(err, LOOM_ERANGE, "a grid must have 1 to %d clusters, not %zu",
                         MOST_CLUSTERS, n);
    if (n > grid->sites_made) {
        struct loom_site *sites = realloc(grid->sites, n * sizeof *sites);
        if (!sites)
            return loom_fail_memory(err);
        memset(sites + grid->sites_made, 0, (n - grid->sites_made) * sizeof *sites);
        grid->sites = sites;
        grid->sites_made = n;
    }
    grid->n_sites = n;
    int rc = 0;
    for (size_t i = 0; i < n && !rc; i++)
        if (!grid->sites[i].sim)
            rc = loom_sim_create(&grid->sites[i].sim, err);
    return rc;
}

static int open_sites(struct loom_grid *grid, const struct loom_grid_options *options,
                      struct loom_error *err)
{
    int rc = make_sites(grid, options->n_clusters, err);
    grid->clusters = options->clusters;
    loom_heap_clear(&grid->next);
    for (size_t i = 0; i < grid->n_sites && !rc; i++) {
        grid->sites[i].sim->origin = 1 + (uint32_t)i;
        rc = name_cluster(&options->clusters[i],
                          open_site(&grid->sites[i], &options->clusters[i], options, err), err);
        if (!rc && loom_heap_set(&grid->next, (uint32_t)i, loom_sim_next(grid->sites[i].sim)))
            rc = loom_fail_memory(err);
    }
    return rc;
}

/* ---- the front ------------------------------------------------------------------------------- */

static int take_dispatch(struct loom_params **params, const char *text, struct loom_error *err)
{
    const struct loom_scheduler_info *info = &loom_dispatch_ops.info;
    return loom_spec_params(params, info->name, info->params, text, err);
}

/* Open the front: a machine with the processors of all clusters, which rejects jobs wider than the
 * largest cluster. */
static int open_front(struct loom_grid *grid, const struct loom_grid_options *options,
                      const struct loom_trace *trace, struct loom_error *err)
{
    struct loom_sim_options chosen = {.overrun = options->overrun,
                                      .estimator = options->estimator,
                                      .observers = options->observers,
                                      .n_observers = options->n_observers};
    struct loom_params *params = NULL;
    int64_t widest = 0;
    for (size_t i = 0; i < options->n_clusters; i++) {
        int64_t procs = options->clusters[i].procs;
        chosen.procs += procs;
        widest = procs > widest ? procs : widest;
    }
    int rc = loom_replay_open(&grid->replay, trace, 0, err);
    if (rc)
        return rc;
    grid->source = loom_replay_source(&grid->replay);
    rc = take_dispatch(&params, options->dispatch, err);
    if (!rc)
        rc = loom_sim_open(grid->front, &chosen, &loom_dispatch_ops, params, &grid->source, err);
    loom_params_destroy(params);
    if (rc)
        return rc;
    struct loom_dispatch *dispatch = grid->front->state;
    dispatch->grid = grid;
    dispatch->last = grid->n_sites - 1;
    loom_stream_init(&dispatch->stream, options->seed, 0, "grid");
    grid->front->widest = widest;
    grid->queue_max = 0;
    return 0;
}

int loom_grid_send(struct loom_grid *grid, uint32_t job, size_t cluster, struct loom_error *err)
{
    struct loom_sim *front = grid->front;
    struct loom_site *site = &grid->sites[cluster];
    struct loom_sim_job sent = front->jobs[job];
    const struct loom_sim_event sending = {.kind = LOOM_EVENT_SEND,
                                           .job = job,
                                           .time_s = front->now_s,
                                           .cluster = cluster};
    int rc = front->watched & LOOM_EVENT_SEND ? loom_sim_notify(front, &sending, err) : 0;
    if (rc)
        return rc;
    while (grid->places_capacity <= job)
        if (loom_grow(&grid->places, grid->places_capacity, &grid->places_capacity))
            return loom_fail_memory(err);
    loom_queue_remove(&front->waiting, front->jobs, job);
    sent.submit_s = front->now_s;
    sent.notes |= LOOM_JOB_GRID;
    sent.user += sent.user >= 0 ? site->first_user : 0;
    site->claimed += sent.procs;
    site->pending++;
    grid->places[job] =
        (struct loom_grid_place){(uint32_t)cluster, (uint32_t)site->sim->n_jobs, front->now_s};
    rc = loom_sim_join(site->sim, &sent, front->options.estimator ? &front->views[job] : NULL, err);
    if (!rc && loom_heap_set(&grid->next, (uint32_t)cluster, loom_sim_next(site->sim)))
        rc = loom_fail_memory(err);
    return rc;
}

static size_t waiting(const struct loom_grid *grid)
{
    size_t n = loom_queue_count(&grid->front->waiting);
    for (size_t i = 0; i < grid->n_sites; i++)
        n += grid->sites[i].pending;
    return n;
}

/* Simulate the front at a time. If grid jobs wait it makes a pass, as they may fit now. */
static int step_front(struct loom_grid *grid, int64_t time_s, struct loom_error *err)
{
    if (loom_queue_count(&grid->front->waiting) > 0)
        grid->front->wake_s = time_s;
    else if (loom_sim_next(grid->front) > time_s)
        return 0;
    int rc = loom_sim_step(grid->front, time_s, err);
    size_t now = waiting(grid);
    grid->queue_max = now > grid->queue_max ? now : grid->queue_max;
    return rc;
}

/* ---- the clock ------------------------------------------------------------------------------- */

static int step_clusters(struct loom_grid *grid, int64_t time_s, struct loom_error *err)
{
    int rc = 0;
    while (!rc && loom_heap_next(&grid->next) == time_s) {
        uint32_t first = grid->next.entries[0].item;
        struct loom_sim *sim = grid->sites[first].sim;
        rc = loom_sim_step(sim, time_s, err);
        if (!rc && loom_heap_set(&grid->next, first, loom_sim_next(sim)))
            rc = loom_fail_memory(err);
    }
    return rc;
}

static int run_clock(struct loom_grid *grid, struct loom_error *err)
{
    int rc = 0;
    while (!rc) {
        int64_t time_s = loom_sim_next(grid->front), clusters_s = loom_heap_next(&grid->next);
        if (clusters_s < time_s)
            time_s = clusters_s;
        if (time_s == LOOM_NEVER)
            break;
        rc = step_clusters(grid, time_s, err);
        if (!rc)
            rc = step_front(grid, time_s, err);
    }
    for (size_t i = 0; i < grid->n_sites && !rc; i++)
        rc = loom_sim_check_done(grid->sites[i].sim, err);
    return rc ? rc : loom_sim_check_done(grid->front, err);
}

/* ---- a run ----------------------------------------------------------------------------------- */

/* Copy the starts and estimates of the grid jobs from the clusters to the front. */
static void copy_starts(struct loom_grid *grid)
{
    struct loom_sim *front = grid->front;
    for (size_t i = 0; i < front->n_jobs; i++) {
        const struct loom_grid_place *place = &grid->places[i];
        const struct loom_sim_job *sent = &grid->sites[place->cluster].sim->jobs[place->job];
        front->jobs[i].start_s = sent->start_s;
        front->jobs[i].estimate_s = sent->estimate_s;
        if (loom_sim_job_end(sent) > front->now_s)
            front->now_s = loom_sim_job_end(sent);
    }
    front->queue_max = grid->queue_max;
}

static void close_all(struct loom_grid *grid)
{
    for (size_t i = 0; i < grid->n_sites; i++) {
        struct loom_site *site = &grid->sites[i];
        if (site->open)
            loom_sim_close(site->sim);
        site->open = false;
        if (site->sim)
            site->sim->source = NULL;
        free(site->observers);
        site->observers = NULL;
        loom_replay_close(&site->replay);
    }
    grid->front->source = NULL;
    loom_replay_close(&grid->replay);
}

int loom_grid_run(struct loom_grid *grid, const struct loom_grid_options *options,
                  const struct loom_trace *trace, struct loom_error *err)
{
    int rc = open_sites(grid, options, err);
    if (!rc)
        rc = open_front(grid, options, trace, err);
    if (!rc)
        rc = run_clock(grid, err);
    if (!rc)
        copy_starts(grid);
    close_all(grid);
    return rc;
}

/* ---- the object ------------------------------------------------------------------------------ */

int loom_grid_create(struct loom_grid **out, struct loom_error *err)
{
    struct loom_grid *grid = calloc(1, sizeof *grid);
    if (!grid)
        return loom_fail_memory(err);
    int rc = loom_sim_create(&grid->front, err);
    if (rc)
        free(grid);
    else
        *out = grid;
    return rc;
}

void loom_grid_destroy(struct loom_grid *grid)
{
    if (!grid)
        return;
    for (size_t i = 0; i < grid->sites_made; i++)
        loom_sim_destroy(grid->sites[i].sim);
    loom_sim_destroy(grid->front);
    loom_heap_free(&grid->next);
    free(grid->sites);
    free(grid->places);
    free(grid);
}

const struct loom_scheduler_info *loom_grid_info(void)
{
    return &loom_dispatch_ops.info;
}

int loom_grid_check(const char *dispatch, struct loom_error *err)
{
    struct loom_params *params = NULL;
    int rc = take_dispatch(&params, dispatch, err);
    loom_params_destroy(params);
    return rc;
}

struct loom_sim *loom_grid_jobs(const struct loom_grid *grid)
{
    return grid->front;
}

const struct loom_sim *loom_grid_cluster(const struct loom_grid *grid, size_t cluster)
{
    return grid->sites[cluster].sim;
}

const struct loom_grid_place *loom_grid_places(const struct loom_grid *grid)
{
    return grid->places;
}

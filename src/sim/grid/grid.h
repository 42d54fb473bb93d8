/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * grid.h - the inside of struct loom_grid, for the files of this room.
 *
 * The front is a simulation of its own, of grid jobs only. It has their table and their queue; its
 * policy (dispatch.c) sends jobs to clusters, which are simulations too, instead of starting them.
 * At the end of the run their starts are copied into the table of the front.
 *
 * Invariants between instants: every grid job waits in the front's queue or has joined a cluster
 * and has a place; claimed and pending of a cluster are the processors and the number of the grid
 * jobs that wait in its queue.
 */
#ifndef LOOM_SIM_GRID_GRID_H
#define LOOM_SIM_GRID_GRID_H

#include "base/heap.h"
#include "sim/engine.h"
#include "sim/replay.h"

#include <workloom/sim_grid.h>

struct loom_site {
    struct loom_sim *sim;
    struct loom_replay replay; /* of its background, if it has one */
    struct loom_job_source source;
    struct loom_observer *observers; /* the first sees starts, for claimed and pending */
    int32_t first_user;              /* number of the first grid user, after all local users */
    int64_t claimed;
    size_t pending;
    bool open;
};

struct loom_grid {
    struct loom_sim *front;
    struct loom_replay replay; /* of the grid's trace */
    struct loom_job_source source;
    const struct loom_cluster *clusters; /* of the options */
    struct loom_site *sites;
    size_t n_sites;                 /* of this run */
    size_t sites_made;              /* of any run, kept for the next */
    struct loom_heap next;          /* of clusters: when something happens there next */
    struct loom_grid_place *places; /* by job of the front */
    size_t places_capacity;
    size_t queue_max; /* grid jobs waiting, in the front's queue and in the clusters */
};

/* The policy of the front. Its state is a struct loom_dispatch. */
struct loom_dispatch {
    struct loom_grid *grid;
    int choose;     /* by which rule */
    bool unclaimed; /* processors that grid jobs wait for do not count as free */
    size_t last;    /* cluster that was sent to last */
    struct loom_stream stream;
};
extern const struct loom_scheduler_ops loom_dispatch_ops;

/* Return the state of a cluster as the policy sees it; return the rule by which it chose, in words.
 */
struct loom_cluster_state loom_dispatch_cluster(const struct loom_dispatch *self, size_t cluster);
const char *loom_dispatch_rule(const struct loom_dispatch *self);

/* Remove the note that loom_grid_made looks for from a header. */
void loom_grid_unmark(struct loom_trace *trace);

/* Send a waiting job of the front to a cluster, now. */
int loom_grid_send(struct loom_grid *grid, uint32_t job, size_t cluster, struct loom_error *err);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The grid's queue (thesis 6.3): "Whenever there are free processors, the first job in the waiting
 * queue that requests less than or equal to the number of free processors is submitted to a local
 * scheduler". A job runs within one cluster, so it is a cluster's free processors that count.
 *
 * The text leaves two things open. Which cluster, where several would do: by default the one with
 * most processors free, as KOALA places jobs, the grid scheduler that the text has in mind (worst
 * fit; Mohamed and Epema 2008). And whether processors are still free for which a grid job has been
 * sent, but which the cluster keeps for its first waiting job: by default they are not, as the
 * other reading has grid jobs pile up in clusters and delay local ones, against what section 6.4.2
 * finds (docs/validation/sim.md has the numbers).
 */
#include "sim/grid/grid.h"

enum choice { MOST_FREE, LEAST_FREE, FIRST, NEXT, RANDOM };
static const char *const choices[] = {"most-free", "least-free", "first", "next", "random", NULL};
static const char *const rooms[] = {"unclaimed", "free", NULL};

static const char *const rules[] = {"most room", "least room", "first in the platform",
                                    "next after the one chosen last", "chosen at random"};

struct loom_grid_room loom_dispatch_room(const struct loom_dispatch *self, size_t cluster)
{
    const struct loom_site *site = &self->grid->sites[cluster];
    return (struct loom_grid_room){.free = loom_sim_free(site->sim),
                                   .claimed = self->unclaimed ? site->claimed : 0,
                                   .queued = loom_sim_queued(site->sim)};
}

const char *loom_dispatch_rule(const struct loom_dispatch *self)
{
    return rules[self->choose];
}

static int64_t room_of(const struct loom_dispatch *self, size_t cluster)
{
    const struct loom_site *site = &self->grid->sites[cluster];
    return loom_sim_free(site->sim) - (self->unclaimed ? site->claimed : 0);
}

static int64_t most_room(const struct loom_dispatch *self)
{
    int64_t most = 0;
    for (size_t c = 0; c < self->grid->n_sites; c++)
        if (room_of(self, c) > most)
            most = room_of(self, c);
    return most;
}

/* ---- which cluster --------------------------------------------------------------------------- */

/* Is cluster a, which comes after b, to be preferred to it? */
static bool better(const struct loom_dispatch *self, size_t a, size_t b)
{
    return self->choose == MOST_FREE    ? room_of(self, a) > room_of(self, b)
           : self->choose == LEAST_FREE ? room_of(self, a) < room_of(self, b)
                                        : false;
}

/* The best by the rule, the first of equals; they come in the order of the platform, or from the
 * one after `last` on. */
static size_t best(const struct loom_dispatch *self, int32_t procs)
{
    size_t n = self->grid->n_sites, found = n;
    size_t first = self->choose == NEXT ? self->last + 1 : 0;
    for (size_t i = 0; i < n; i++) {
        size_t c = (first + i) % n;
        if (room_of(self, c) >= procs && (found == n || better(self, c, found)))
            found = c;
    }
    return found;
}

static size_t any(struct loom_dispatch *self, int32_t procs)
{
    size_t fitting = 0, c = 0;
    for (size_t i = 0; i < self->grid->n_sites; i++)
        fitting += room_of(self, i) >= procs;
    for (uint64_t left = loom_stream_below(&self->stream, fitting) + 1;; c++)
        if (room_of(self, c) >= procs && --left == 0)
            return c;
}

/* ---- the pass -------------------------------------------------------------------------------- */

/* What is free only shrinks in a pass, so jobs that were too wide stay so: one walk is enough. */
static int pass(struct loom_sim *front, void *state, struct loom_error *err)
{
    struct loom_dispatch *self = state;
    struct loom_cursor cursor = loom_queue_before_first();
    for (;;) {
        const struct loom_gap gap = {.procs = most_room(self), .length_s = INT64_MAX};
        uint32_t job = loom_sim_next_fit(front, &cursor, &gap);
        if (job == LOOM_NO_JOB)
            return 0;
        int32_t procs = loom_sim_job(front, job)->procs;
        self->last = self->choose == RANDOM ? any(self, procs) : best(self, procs);
        int rc = loom_grid_send(self->grid, job, self->last, err);
        if (rc)
            return rc;
    }
}

static int open(struct loom_sim *front, void *state, const struct loom_params *params,
                struct loom_error *err)
{
    struct loom_dispatch *self = state;
    (void)err;
    loom_sim_set_order(front, loom_order_chosen(params));
    self->choose = loom_params_choice(params, "choose");
    self->unclaimed = loom_params_choice(params, "room") == 0;
    return 0;
}

static const struct loom_param params[] = {
    LOOM_ORDER_PARAM,
    {.name = "choose",
     .type = LOOM_PARAM_CHOICE,
     .choices = choices,
     .value = "most-free",
     .metavar = "RULE",
     .help = "which of the clusters that a job fits: the one with most or least processors free, "
             "the first of the platform, the next after the last one chosen, or a random one"},
    {.name = "room",
     .type = LOOM_PARAM_CHOICE,
     .choices = rooms,
     .value = "unclaimed",
     .metavar = "WHAT",
     .help = "what a job must fit: the free processors of a cluster but for those that grid jobs "
             "in its queue need, or all that are free"},
    {.name = NULL},
};

const struct loom_scheduler_ops loom_dispatch_ops = {
    .info = {"grid", "first fit over clusters that have schedulers of their own", params},
    .state_size = sizeof(struct loom_dispatch),
    .open = open,
    .pass = pass,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The grid's queue (thesis 6.3): "Whenever there are free processors, the first job in the waiting
 * queue that requests less than or equal to the number of free processors is submitted to a local
 * scheduler". A job runs within one cluster, so it is a cluster's free processors that count.
 *
 * The text leaves two things open:
 *
 *     1. Which cluster is chosen if the job fits several. By default the one with most free
 *        processors (worst fit), as in KOALA (Mohamed and Epema 2008), the scheduler that the text
 *        describes.
 *     2. Whether processors count as free that grid jobs waiting in a cluster need. By default they
 * do not. Otherwise grid jobs accumulate in clusters and delay local jobs, contrary to section
 *        6.4.2 (numbers: docs/validation/sim.md).
 */
#include "sim/grid/grid.h"

enum choice { MOST_FREE, LEAST_FREE, FIRST, NEXT, RANDOM };
static const char *const choices[] = {"most-free", "least-free", "first", "next", "random", NULL};
static const char *const room_choices[] = {"unclaimed", "free", NULL};

static const char *const rules[] = {"most room", "least room", "first in the platform",
                                    "next after the one chosen last", "chosen at random"};

struct loom_cluster_state loom_dispatch_cluster(const struct loom_dispatch *self, size_t cluster)
{
    const struct loom_site *site = &self->grid->sites[cluster];
    return (struct loom_cluster_state){.free = loom_sim_free(site->sim),
                                       .claimed = self->unclaimed ? site->claimed : 0,
                                       .queued = loom_sim_queued(site->sim)};
}

const char *loom_dispatch_rule(const struct loom_dispatch *self)
{
    return rules[self->choose];
}

/* Return the processors of a cluster that a grid job may use. */
static int64_t free_procs(const struct loom_dispatch *self, size_t cluster)
{
    const struct loom_site *site = &self->grid->sites[cluster];
    return loom_sim_free(site->sim) - (self->unclaimed ? site->claimed : 0);
}

static int64_t max_free_procs(const struct loom_dispatch *self)
{
    int64_t most = 0;
    for (size_t c = 0; c < self->grid->n_sites; c++)
        if (free_procs(self, c) > most)
            most = free_procs(self, c);
    return most;
}

/* ---- which cluster --------------------------------------------------------------------------- */

/* Return whether cluster a, which comes after b, is better by the rule. */
static bool is_better(const struct loom_dispatch *self, size_t a, size_t b)
{
    return self->choose == MOST_FREE    ? free_procs(self, a) > free_procs(self, b)
           : self->choose == LEAST_FREE ? free_procs(self, a) < free_procs(self, b)
                                        : false;
}

/* Return the best cluster for a job, the first of equals, or n_sites if it fits none. Clusters are
 * in the order of the platform; by the rule NEXT, from the one after `last` on. */
static size_t choose_best(const struct loom_dispatch *self, int32_t procs)
{
    size_t n = self->grid->n_sites, found = n;
    size_t first = self->choose == NEXT ? self->last + 1 : 0;
    for (size_t i = 0; i < n; i++) {
        size_t c = (first + i) % n;
        if (free_procs(self, c) >= procs && (found == n || is_better(self, c, found)))
            found = c;
    }
    return found;
}

static size_t choose_random(struct loom_dispatch *self, int32_t procs)
{
    size_t fitting = 0, c = 0;
    for (size_t i = 0; i < self->grid->n_sites; i++)
        fitting += free_procs(self, i) >= procs;
    for (uint64_t left = loom_stream_below(&self->stream, fitting) + 1;; c++)
        if (free_procs(self, c) >= procs && --left == 0)
            return c;
}

/* ---- the pass -------------------------------------------------------------------------------- */

/* Send all jobs that fit. Free processors only decrease in a pass, so one walk along the queue is
 * enough. */
static int dispatch_pass(struct loom_sim *front, void *state, struct loom_error *err)
{
    struct loom_dispatch *self = state;
    struct loom_cursor cursor = loom_queue_before_first();
    for (;;) {
        const struct loom_gap gap = {.procs = max_free_procs(self), .length_s = INT64_MAX};
        uint32_t job = loom_sim_next_fit(front, &cursor, &gap);
        if (job == LOOM_NO_JOB)
            return 0;
        int32_t procs = loom_sim_job(front, job)->procs;
        self->last = self->choose == RANDOM ? choose_random(self, procs) : choose_best(self, procs);
        int rc = loom_grid_send(self->grid, job, self->last, err);
        if (rc)
            return rc;
    }
}

static int dispatch_open(struct loom_sim *front, void *state, const struct loom_params *params,
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
     .choices = room_choices,
     .value = "unclaimed",
     .metavar = "WHAT",
     .help = "what a job must fit: the free processors of a cluster but for those that grid jobs "
             "in its queue need, or all that are free"},
    {.name = NULL},
};

const struct loom_scheduler_ops loom_dispatch_ops = {
    .info = {"grid", "first fit over clusters that have schedulers of their own", params},
    .state_size = sizeof(struct loom_dispatch),
    .open = dispatch_open,
    .pass = dispatch_pass,
};

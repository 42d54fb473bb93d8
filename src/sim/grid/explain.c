/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Explanation of the wait of one grid job, by an observer of the grid's queue, and the explainer of
 * the cluster to which the job is sent.
 *
 * From the submission of the job to its sending it records the jobs ahead, the other jobs sent, and
 * at the end of each pass why the job waits: too few processors free in every cluster, or enough in
 * some, but needed by grid jobs that wait there. While a grid job waits, each instant that changes
 * a cluster has a pass of the grid, so the reason holds until the next pass.
 */
#include "sim/results/explain.h"
#include "sim/grid/grid.h"

#include "base/vec.h"

struct loom_grid_explainer {
    struct loom_grid_explanation found;
    size_t overtakers_capacity, released_capacity;
    struct loom_explainer *there;
    const struct loom_grid *grid;
    bool waiting;
    bool *is_ahead; /* by number, of the jobs submitted before it */

    /* At the end of the last pass. */
    int64_t pass_s;
    bool enough; /* enough processors were free in some cluster */
};

int loom_grid_explainer_create(struct loom_grid_explainer **out, const struct loom_grid *grid,
                               uint32_t row, struct loom_error *err)
{
    struct loom_grid_explainer *self = calloc(1, sizeof *self);
    if (!self)
        return loom_fail_memory(err);
    self->grid = grid;
    self->found.row = row;
    self->found.job = LOOM_NO_JOB;
    int rc = loom_explainer_create_for(&self->there, row, LOOM_JOB_GRID, err);
    if (rc) {
        free(self);
        return rc;
    }
    self->found.there = loom_explainer_result(self->there);
    *out = self;
    return 0;
}

void loom_grid_explainer_destroy(struct loom_grid_explainer *self)
{
    if (!self)
        return;
    loom_explainer_destroy(self->there);
    free(self->found.at_submit);
    free(self->found.at_sending);
    free(self->found.ahead);
    free(self->found.overtakers);
    free(self->found.released);
    free(self->is_ahead);
    free(self);
}

const struct loom_grid_explanation *
loom_grid_explainer_result(const struct loom_grid_explainer *self)
{
    return &self->found;
}

/* ---- the clusters ---------------------------------------------------------------------------- */

static const struct loom_dispatch *policy_of(const struct loom_grid_explainer *self)
{
    return self->grid->front->state;
}

static int note_clusters(struct loom_cluster_state **out, const struct loom_grid_explainer *self,
                         struct loom_error *err)
{
    size_t n = self->grid->n_sites;
    *out = malloc(n * sizeof **out);
    if (!*out)
        return loom_fail_memory(err);
    for (size_t i = 0; i < n; i++)
        (*out)[i] = loom_dispatch_cluster(policy_of(self), i);
    return 0;
}

static bool enough_somewhere(const struct loom_grid_explainer *self, int32_t procs)
{
    for (size_t i = 0; i < self->grid->n_sites; i++)
        if (loom_sim_free(self->grid->sites[i].sim) >= procs)
            return true;
    return false;
}

/* List the jobs of a cluster that have ended in this second. */
static int note_released(struct loom_grid_explainer *self, size_t cluster, int64_t now_s,
                         struct loom_error *err)
{
    const struct loom_sim *sim = self->grid->sites[cluster].sim;
    struct loom_grid_explanation *found = &self->found;
    for (size_t i = 0; i < sim->n_jobs; i++) {
        if (sim->jobs[i].start_s < 0 || loom_sim_job_end(&sim->jobs[i]) != now_s)
            continue;
        if (loom_grow(&found->released, found->n_released, &self->released_capacity))
            return loom_fail_memory(err);
        found->released[found->n_released++] = (uint32_t)i;
    }
    return 0;
}

/* ---- events ---------------------------------------------------------------------------------- */

static int begin(struct loom_grid_explainer *self, const struct loom_sim *front, uint32_t job,
                 struct loom_error *err)
{
    struct loom_grid_explanation *found = &self->found;
    found->job = job;
    found->n_clusters = self->grid->n_sites;
    found->rule = loom_dispatch_rule(policy_of(self));
    self->waiting = true;
    self->pass_s = front->now_s;
    int rc = loom_explain_ahead(&found->ahead, &found->n_ahead, &self->is_ahead, front, job, err);
    return rc ? rc : note_clusters(&found->at_submit, self, err);
}

/* Add the time since the last pass to the reason why the job was not sent then. */
static void account(struct loom_grid_explainer *self, int64_t now_s)
{
    int64_t *share_s = self->enough ? &self->found.claimed_s : &self->found.short_s;
    *share_s += now_s - self->pass_s;
    self->pass_s = now_s;
}

static int note_sending(struct loom_grid_explainer *self, const struct loom_sim_event *event,
                        struct loom_error *err)
{
    struct loom_grid_explanation *found = &self->found;
    const struct loom_grid_sending sending = {event->job, (uint32_t)event->cluster, event->time_s};
    if (event->job == found->job) {
        account(self, event->time_s);
        found->sent = sending;
        self->waiting = false;
        int rc = note_clusters(&found->at_sending, self, err);
        return rc ? rc : note_released(self, event->cluster, event->time_s, err);
    }
    if (event->job < found->job && self->is_ahead[event->job])
        return 0;
    if (loom_grow(&found->overtakers, found->n_overtakers, &self->overtakers_capacity))
        return loom_fail_memory(err);
    found->overtakers[found->n_overtakers++] = sending;
    return 0;
}

static int see_waiting(struct loom_grid_explainer *self, const struct loom_sim *front,
                       const struct loom_sim_event *event, struct loom_error *err)
{
    if (event->kind == LOOM_EVENT_SEND)
        return note_sending(self, event, err);
    if (event->kind == LOOM_EVENT_PASS) {
        account(self, event->time_s);
        self->enough = enough_somewhere(self, front->jobs[self->found.job].procs);
    }
    return 0;
}

static int see(void *self_, const struct loom_sim *front, const struct loom_sim_event *event,
               struct loom_error *err)
{
    struct loom_grid_explainer *self = self_;
    if (self->waiting)
        return see_waiting(self, front, event, err);
    if (event->kind == LOOM_EVENT_SUBMIT && front->jobs[event->job].row == self->found.row)
        return begin(self, front, event->job, err);
    if (event->kind == LOOM_EVENT_REJECT && event->rejected->row == self->found.row)
        self->found.refused = loom_refusal(front, event->rejected);
    return 0;
}

struct loom_observer loom_grid_explainer_observer(struct loom_grid_explainer *self)
{
    return (struct loom_observer){
        .self = self,
        .events = LOOM_EVENT_SUBMIT | LOOM_EVENT_REJECT | LOOM_EVENT_SEND | LOOM_EVENT_PASS,
        .on_event = see,
    };
}

struct loom_observer loom_grid_explainer_cluster_observer(struct loom_grid_explainer *self)
{
    return loom_explainer_observer(self->there);
}

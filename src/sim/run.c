/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A simulator: opening and closing runs, the memory that they share, and its state for whoever
 * asks. */
#include "base/pages.h"
#include "base/vec.h"
#include "sim/engine.h"

/* Forget the run before, keep its memory. */
static int reset(struct loom_sim *sim, const struct loom_sim_options *options,
                 const struct loom_job_source *source, struct loom_error *err)
{
    sim->options = *options;
    sim->source = source;
    sim->replay = loom_replay_of(source);
    sim->counts = (struct loom_sim_counts){0};
    sim->n_jobs = sim->n_admitted = sim->n_running = sim->unlisted = sim->queue_max = 0;
    sim->measured_first = sim->measured_end = 0;
    free(sim->chosen);
    sim->chosen = NULL;
    free(sim->left_out);
    sim->left_out = NULL;
    sim->starts = sim->n_viewed = 0;
    sim->now_s = 0;
    sim->procs = sim->free = sim->widest = options->procs;
    sim->wake_s = LOOM_NEVER;
    sim->watched = 0;
    for (size_t i = 0; i < options->n_observers; i++)
        sim->watched |= options->observers[i].events;
    sim->has_more_tables = options->downtime || options->estimator;
    sim->only_starts = sim->ops->only_starts && !sim->watched;
    sim->starts_alone = sim->ops->starts_alone && !sim->ops->submitted && !sim->ops->ended &&
                        !sim->ops->extended && !sim->ops->wants_profile && !sim->watched &&
                        !source->started && !options->limits && options->compat == LOOM_COMPAT_NONE;
    sim->source_reacts = source->admitted || source->started || source->ended || sim->watched;
    sim->starts_noted = (sim->watched & LOOM_EVENT_START) || source->started || options->estimator;
    sim->ends_noted = (sim->watched & LOOM_EVENT_END) || source->ended || options->estimator ||
                      options->progress || options->limits || sim->ops->ended;
    loom_ends_clear(&sim->ends);
    loom_running_reset(&sim->running);
    sim->failure.code = 0;
    int rc = 0;
    if (options->downtime || sim->clock.times)
        rc = loom_clock_set(&sim->clock, options->downtime, err);
    if (!rc && (options->limits || sim->limits.rule))
        rc = loom_limits_set(&sim->limits, options->limits, err);
    if (rc)
        return rc;
    if (sim->limits.rule && source->admitted)
        return loom_fail_field(err, LOOM_EUSAGE, "limits",
                               "limits of users exclude users who react to service");
    loom_queue_reset(&sim->waiting, &loom_order_fcfs);
    if (sim->ops->wants_profile)
        loom_profile_reset(&sim->profile, options->procs, 0);
    if (source->expected > sim->jobs_capacity && source->expected < LOOM_NO_JOB) {
        free(sim->jobs);
        sim->jobs_capacity = 0;
        sim->jobs = loom_pages_alloc(source->expected * sizeof *sim->jobs);
        if (!sim->jobs)
            return loom_fail_memory(err);
        sim->jobs_capacity = source->expected;
    }
    return 0;
}

static void close_state(struct loom_sim *sim)
{
    if (sim->holder && sim->holder->close)
        sim->holder->close(sim->state);
    sim->holder = NULL;
}

static int give_state(struct loom_sim *sim, struct loom_error *err)
{
    size_t size = sim->ops->state_size;
    if (sim->holder == sim->ops && sim->ops->reopens)
        return 0;
    close_state(sim);
    if (size > sim->state_capacity) {
        free(sim->state);
        sim->state_capacity = 0;
        sim->state = malloc(size);
        if (!sim->state)
            return loom_fail_memory(err);
        sim->state_capacity = size;
    }
    if (size > 0)
        memset(sim->state, 0, size);
    return 0;
}

int loom_sim_open(struct loom_sim *sim, const struct loom_sim_options *options,
                  const struct loom_scheduler_ops *ops, const struct loom_params *params,
                  const struct loom_job_source *source, struct loom_error *err)
{
    sim->ops = ops;
    int rc = reset(sim, options, source, err);
    if (!rc)
        rc = give_state(sim, err);
    if (rc)
        return rc;
    sim->holder = ops;
    if (ops->open)
        rc = ops->open(sim, sim->state, params, err);
    sim->due_s = loom_sim_ask_due(sim);
    if (!rc)
        rc = loom_sim_drop_unknown(sim, err);
    if (rc)
        close_state(sim);
    return rc;
}

int loom_sim_begin(struct loom_sim *sim, const struct loom_sim_options *options,
                   const struct loom_job_source *source, struct loom_error *err)
{
    if (options->procs < 1 || options->procs > INT32_MAX)
        return loom_fail(err, LOOM_ERANGE, "the machine must have 1 to %d processors, not %lld",
                         INT32_MAX, (long long)options->procs);
    const struct loom_scheduler_ops *ops;
    struct loom_params *params = NULL;
    int rc = loom_scheduler_parse(&ops, &params, options->schedulers, options->scheduler, err);
    if (!rc)
        rc = loom_sim_open(sim, options, ops, params, source, err);
    loom_params_destroy(params);
    return rc;
}

void loom_sim_close(struct loom_sim *sim)
{
    if (!sim->ops->reopens)
        close_state(sim);
}

int loom_sim_create(struct loom_sim **out, struct loom_error *err)
{
    struct loom_sim *sim = calloc(1, sizeof *sim);
    if (!sim)
        return loom_fail_memory(err);
    *out = sim;
    return 0;
}

void loom_sim_shrink(struct loom_sim *sim)
{
    close_state(sim);
    loom_queue_free(&sim->waiting);
    if (sim->profile.procs > 0) /* it has been used */
        loom_profile_free(&sim->profile);
    loom_heap_free(&sim->ends.later);
    loom_running_free(&sim->running);
    free(sim->due);
    sim->due = NULL;
    sim->n_due = sim->due_capacity = 0;
    free(sim->views);
    sim->views = NULL;
    sim->views_capacity = 0;
    free(sim->stamps);
    sim->stamps = NULL;
    sim->stamps_capacity = 0;
    if (sim->clock.lost_s)
        loom_clock_free(&sim->clock);
    if (sim->limits.rule)
        loom_limits_free(&sim->limits);
}

void loom_sim_destroy(struct loom_sim *sim)
{
    if (!sim)
        return;
    loom_sim_shrink(sim);
    free(sim->jobs);
    free(sim->chosen);
    free(sim->left_out);
    free(sim->state);
    free(sim);
}

/* ---- the state of a simulation --------------------------------------------------------------- */

int64_t loom_sim_now(const struct loom_sim *sim)
{
    return sim->now_s;
}

int64_t loom_sim_procs(const struct loom_sim *sim)
{
    return sim->procs;
}

int64_t loom_sim_free(const struct loom_sim *sim)
{
    return sim->free;
}

size_t loom_sim_queued(const struct loom_sim *sim)
{
    return queued(sim);
}

size_t loom_sim_running(const struct loom_sim *sim)
{
    return sim->n_running;
}

const struct loom_sim_job *loom_sim_jobs(const struct loom_sim *sim, size_t *n)
{
    if (n)
        *n = sim->n_jobs;
    return sim->jobs;
}

const struct loom_sim_job *loom_sim_job(const struct loom_sim *sim, uint32_t job)
{
    return &sim->jobs[job];
}

const struct loom_sim_counts *loom_sim_counts(const struct loom_sim *sim)
{
    return &sim->counts;
}

void loom_sim_set_order(struct loom_sim *sim, const struct loom_order *order)
{
    loom_queue_reset(&sim->waiting, order);
}

struct loom_queue *loom_sim_waiting(struct loom_sim *sim)
{
    return &sim->waiting;
}

struct loom_cursor loom_sim_cursor(const struct loom_sim *sim, uint32_t job)
{
    return loom_queue_at(&sim->waiting, sim->jobs, job);
}

bool loom_sim_could_backfill(struct loom_sim *sim)
{
    return (sim->watched & LOOM_EVENT_RESERVE) || loom_queue_has_width(&sim->waiting, sim->free);
}

uint32_t loom_sim_next_waiting(const struct loom_sim *sim, struct loom_cursor *cursor)
{
    return loom_queue_next(&sim->waiting, cursor);
}

uint32_t loom_sim_next_fit(struct loom_sim *sim, struct loom_cursor *cursor,
                           const struct loom_gap *gap)
{
    return loom_queue_next_fit(&sim->waiting, sim->jobs, cursor, gap);
}

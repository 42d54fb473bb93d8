/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The users of a log, runs with feedback, and their results. */
#include "sim/engine.h"
#include "sim/feedback/feedback.h"
#include "trace/table.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- users of the log ------------------------------------------------------------------------ */

/* Return whether a job has no user, or a submit time that the engine refuses. */
static bool is_unowned(const struct loom_jobs *jobs, size_t row)
{
    const int64_t latest_s = INT64_C(1) << 48;
    return jobs->user[row] < 0 || jobs->submit_s[row] < 0 || jobs->submit_s[row] > latest_s;
}

static size_t count_unowned(const int32_t *user, size_t n)
{
    size_t count = 0;
    for (size_t row = 0; row < n; row++)
        count += user[row] < 0;
    return count;
}

/* List the rows of jobs without a user, in the order of a trace's source. */
static int find_unowned(struct loom_feedback *feedback, const int32_t *user, struct loom_error *err)
{
    size_t n = feedback->jobs->n, unowned = count_unowned(user, n), kept = 0;
    if (unowned == n)
        return loom_fail_at(
            err, LOOM_EDATA, loom_trace_report(feedback->trace)->file, 0, 0,
            "no job has a user ID, so no user can react or be resampled; simulate the jobs as they "
            "are");
    if (unowned == 0)
        return 0;
    int rc = loom_trace_order(&feedback->unowned, feedback->trace, err);
    for (size_t i = 0; i < n && !rc; i++)
        if (user[feedback->unowned[i]] < 0)
            feedback->unowned[kept++] = feedback->unowned[i];
    feedback->n_unowned = kept;
    return rc;
}

/* Make each rare behaviour a user of its own; the pools recognize them by number. */
static int split_rare(struct loom_feedback *feedback, int32_t *user, struct loom_user_rule *pools,
                      struct loom_error *err)
{
    const struct loom_feedback_options *options = &feedback->options;
    struct loom_activity activity = loom_trace_activity(feedback->trace);
    if (options->n_rare == 0)
        return 0;
    feedback->rare_user = malloc(options->n_rare * sizeof *feedback->rare_user);
    if (!feedback->rare_user)
        return loom_fail_memory(err);
    for (size_t i = 0; i < options->n_rare; i++)
        feedback->rare_user[i] = options->rare[i].user;
    activity.user = user;
    int rc =
        loom_rare_split(user, &pools->rare_from, &activity, options->rare, options->n_rare, err);
    feedback->rare_from = pools->rare_from;
    return rc;
}

static int find_structure(struct loom_feedback *feedback, int32_t *user, struct loom_error *err)
{
    struct loom_activity activity = loom_trace_activity(feedback->trace);
    struct loom_user_rule pools = *feedback->options.pools;
    activity.user = user;
    int rc = split_rare(feedback, user, &pools, err);
    if (!rc)
        rc = loom_users_create(&feedback->users, &activity, err);
    if (!rc)
        rc = loom_sessions_create(&feedback->sessions, feedback->users, feedback->options.sessions,
                                  err);
    if (!rc)
        rc = loom_batch_graph_create(&feedback->graph, feedback->users, feedback->sessions, err);
    if (!rc)
        rc = loom_zone_create(&feedback->zone, feedback->trace, NULL, err);
    if (!rc && feedback->options.population)
        rc = loom_user_pools_create(&feedback->pools, feedback->users, &pools, err);
    feedback->history = (struct loom_user_history){
        .users = feedback->users,
        .sessions = feedback->sessions,
        .graph = feedback->graph,
        .zone = feedback->zone,
    };
    return rc;
}

static int read_log(struct loom_feedback *feedback, struct loom_error *err)
{
    const struct loom_jobs *jobs = feedback->jobs;
    int32_t *user = malloc((jobs->n + 1) * sizeof *user);
    if (!user)
        return loom_fail_memory(err);
    for (size_t row = 0; row < jobs->n; row++)
        user[row] = is_unowned(jobs, row) ? -1 : jobs->user[row];
    int rc = find_unowned(feedback, user, err);
    if (!rc)
        rc = find_structure(feedback, user, err);
    free(user);
    return rc;
}

static int open_model(struct loom_feedback *feedback, struct loom_error *err)
{
    struct loom_params *params = NULL;
    if (!feedback->options.behaviour)
        return 0;
    int rc = loom_behaviour_parse(&feedback->ops, &params, feedback->options.behaviour, err);
    if (rc)
        return rc;
    feedback->model = calloc(1, feedback->ops->model_size + 1);
    if (!feedback->model)
        rc = loom_fail_memory(err);
    feedback->model_open = !rc;
    if (!rc && feedback->ops->open)
        rc = feedback->ops->open(feedback->model, &feedback->history, params, err);
    loom_params_destroy(params);
    return rc;
}

int loom_feedback_create(struct loom_feedback **out, const struct loom_trace *trace,
                         const struct loom_feedback_options *options, struct loom_error *err)
{
    struct loom_feedback *feedback = calloc(1, sizeof *feedback);
    if (!feedback)
        return loom_fail_memory(err);
    const struct loom_user_rule pools = loom_user_rule();
    const struct loom_session_rule sessions = loom_session_rule(LOOM_SESSION_ARRIVAL);
    feedback->options = *options;
    feedback->trace = trace;
    feedback->jobs = loom_trace_jobs(trace);
    if (!options->pools)
        feedback->options.pools = &pools;
    if (!options->sessions)
        feedback->options.sessions = &sessions;
    if (options->population)
        feedback->population_rule = *options->population;
    feedback->population_rule.closed = options->behaviour != NULL;
    int rc = read_log(feedback, err);
    if (!rc)
        rc = open_model(feedback, err);
    feedback->options.behaviour = NULL; /* borrowed for this call only */
    feedback->options.pools = NULL;
    feedback->options.sessions = NULL;
    feedback->options.population = NULL;
    feedback->options.rare = NULL;
    if (rc)
        loom_feedback_destroy(feedback);
    else
        *out = feedback;
    return rc;
}

void loom_feedback_destroy(struct loom_feedback *feedback)
{
    if (!feedback)
        return;
    loom_feedback_clear(feedback);
    if (feedback->model_open && feedback->ops->close)
        feedback->ops->close(feedback->model);
    free(feedback->model);
    loom_population_destroy(feedback->population);
    loom_user_pools_destroy(feedback->pools);
    loom_zone_destroy(feedback->zone);
    loom_batch_graph_destroy(feedback->graph);
    loom_sessions_destroy(feedback->sessions);
    loom_users_destroy(feedback->users);
    loom_heap_free(&feedback->arrivals);
    free(feedback->sim_users);
    free(feedback->active_batches);
    free(feedback->active_batch_of);
    free(feedback->unowned);
    free(feedback->rare_user);
    free(feedback);
}

/* ---- runs ------------------------------------------------------------------------------------ */

/* Add every user of the log, at their logged times and with their number. */
static int add_log_users(struct loom_feedback *feedback, struct loom_error *err)
{
    const struct loom_users *users = feedback->users;
    int rc = 0;
    feedback->until_s = LOOM_NEVER;
    feedback->counts.users = (int64_t)users->count;
    for (uint32_t user = 0; user < users->count && !rc; user++)
        rc = loom_feedback_add_user(feedback,
                                    &(struct loom_new_user){
                                        .log_user = user,
                                        .number = users->number[user],
                                        .position = users->first[user],
                                    },
                                    err);
    return rc;
}

/* Draw a population and add its users. Without a behaviour, each round of a person is a user of the
 * simulation of its own. */
static int add_population(struct loom_feedback *feedback, struct loom_error *err)
{
    loom_population_destroy(feedback->population);
    feedback->population = NULL;
    int rc = loom_population_create(&feedback->population, feedback->users, feedback->pools,
                                    &feedback->population_rule, feedback->options.seed,
                                    feedback->replication, err);
    if (rc)
        return rc;
    const struct loom_population *population = feedback->population;
    feedback->until_s = population->until_s;
    feedback->next_unowned = feedback->n_unowned;
    feedback->counts.users = (int64_t)population->persons;
    for (size_t i = 0; i < population->n && !rc; i++) {
        const struct loom_user_round *round = &population->rounds[i];
        rc = loom_feedback_add_user(feedback,
                                    &(struct loom_new_user){
                                        .log_user = round->user,
                                        .number = (int32_t)round->person + 1,
                                        .position = round->first,
                                        .shift_s = round->shift_s,
                                        .returns = feedback->ops && round->kind == LOOM_LONG_TERM,
                                    },
                                    err);
    }
    return rc;
}

int loom_feedback_begin(const struct loom_job_source **out, struct loom_feedback *feedback,
                        uint64_t replication, struct loom_error *err)
{
    loom_feedback_clear(feedback);
    feedback->replication = replication;
    int rc = feedback->pools ? add_population(feedback, err) : add_log_users(feedback, err);
    feedback->source = loom_feedback_source(feedback);
    *out = &feedback->source;
    return rc;
}

int loom_sim_run_feedback(struct loom_sim *sim, const struct loom_sim_options *options,
                          struct loom_feedback *feedback, uint64_t replication,
                          struct loom_error *err)
{
    const struct loom_job_source *source;
    struct loom_sim_options chosen = *options;
    int rc = loom_sim_settle(&chosen, feedback->trace, err);
    if (!rc)
        rc = loom_feedback_begin(&source, feedback, replication, err);
    if (!rc)
        rc = loom_sim_run(sim, &chosen, source, err);
    sim->source = NULL;
    return rc;
}

const struct loom_feedback_counts *loom_feedback_counts(const struct loom_feedback *feedback)
{
    return &feedback->counts;
}

struct loom_sim_window loom_feedback_window(const struct loom_feedback *feedback,
                                            const struct loom_sim *sim)
{
    const struct loom_population *population = feedback->population;
    return population ? (struct loom_sim_window){population->begin_s, population->until_s}
                      : loom_sim_window(sim);
}

bool loom_feedback_is_rare(const struct loom_feedback *feedback, int32_t user)
{
    const struct loom_population *population = feedback->population;
    if (!population || user < 1 || (size_t)user > population->persons)
        return false;
    return feedback->pools->kind[population->original[user - 1]] == LOOM_RARE;
}

/* ---- the schedule ---------------------------------------------------------------------------- */

/* Name the persons of a population: "42#1", "ann#2", "rare-42#1", by user of the log and copy. */
static int name_users(struct loom_trace *trace, const struct loom_feedback *feedback,
                      struct loom_error *err)
{
    const struct loom_population *population = feedback->population;
    uint32_t *copies = calloc(feedback->users->count + 1, sizeof *copies);
    int rc = copies ? 0 : loom_fail_memory(err);
    for (size_t person = 0; person < population->persons && !rc; person++) {
        uint32_t user = population->original[person];
        int32_t number = feedback->users->number[user];
        bool rare = feedback->rare_user && number >= feedback->rare_from;
        if (rare)
            number = feedback->rare_user[number - feedback->rare_from];
        const char *name = loom_trace_name(feedback->trace, LOOM_USER, number);
        char text[256], digits[16];
        snprintf(digits, sizeof digits, "%d", number);
        snprintf(text, sizeof text, "%s%.200s#%u", rare ? "rare-" : "", name ? name : digits,
                 ++copies[user]);
        rc = loom_trace_set_name(trace, LOOM_USER, (int32_t)person + 1, text, err);
    }
    free(copies);
    return rc ? rc : loom_trace_declare_names(trace, err);
}

static int make_header(struct loom_trace **out, const struct loom_feedback *feedback,
                       struct loom_error *err)
{
    if (!feedback->population) {
        uint8_t *none = calloc(feedback->jobs->n + 1, 1);
        int rc =
            none ? loom_trace_subset(out, feedback->trace, none, 1, err) : loom_fail_memory(err);
        free(none);
        return rc;
    }
    int rc = loom_trace_create(out, err);
    if (!rc)
        rc = loom_trace_inherit(*out, feedback->trace, err);
    return rc ? rc : name_users(*out, feedback, err);
}

static int add_job(struct loom_trace *trace, const struct loom_feedback *feedback,
                   const struct loom_sim_job *sim_job, struct loom_error *err)
{
    struct loom_job job = loom_trace_job(feedback->trace, sim_job->row);
    job.submit_s = sim_job->submit_s;
    job.wait_s = loom_sim_job_wait(sim_job);
    job.run_s = sim_job->run_s;
    job.user = sim_job->user;
    if (feedback->population) {
        job.number = (int64_t)loom_trace_count(trace) + 1;
        job.preceding = job.think_s = -1;
    }
    return loom_trace_append(trace, &job, err);
}

int loom_feedback_schedule(struct loom_trace **out, const struct loom_feedback *feedback,
                           const struct loom_sim *sim, struct loom_error *err)
{
    struct loom_trace *trace = NULL;
    int rc = make_header(&trace, feedback, err);
    for (size_t i = 0; i < sim->n_jobs && !rc; i++)
        rc = add_job(trace, feedback, &sim->jobs[i], err);
    if (rc)
        loom_trace_destroy(trace);
    else
        *out = trace;
    return rc;
}

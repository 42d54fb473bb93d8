/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs of a replay: those that are asked for, and the search for one that explains the first half.
 * Runs are independent tasks of a pool; the first one also has classes and series. */
#include "experiment/replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int run_one(void *context, size_t index, unsigned worker, struct loom_error *err)
{
    const struct loom_replay_study *study = context;
    struct loom_replay_run *run = &study->report->runs[study->from + index];
    (void)worker;
    if (run->fitted)
        return loom_replay_fit(study, run, err);
    return loom_replay_simulate(study, run,
                                study->from + index == 0 ? LOOM_REPLAY_FULL : LOOM_REPLAY_HALVES,
                                err);
}

/* ---- all runs -------------------------------------------------------------------------------- */

/* Add a run that has an assumption more than another, or none. */
static int add_run(struct loom_replay_report *report, const char *policy,
                   const struct loom_replay_run *parent, unsigned more, struct loom_error *err)
{
    struct loom_replay_run run = parent ? *parent : (struct loom_replay_run){0};
    struct loom_replay_run *larger =
        realloc(report->runs, (report->n_runs + 1) * sizeof *report->runs);
    if (!larger)
        return loom_fail_memory(err);
    report->runs = larger;
    run.policy = strdup(policy);
    run.assumptions |= more;
    run.fitted = more & (LOOM_ASSUME_USER_JOBS | LOOM_ASSUME_USER_PROCS | LOOM_ASSUME_SIZE |
                         LOOM_ASSUME_WEEKS);
    run.searched = false;
    larger[report->n_runs] = run;
    return larger[report->n_runs++].policy ? 0 : loom_fail_memory(err);
}

/* Run what was added since `from`. */
static int run_from(struct loom_replay_study *study, size_t from, struct loom_error *err)
{
    study->from = from;
    return loom_pool_for(study->options->pool, study->report->n_runs - from, run_one, study, err);
}

int loom_replay_run_asked(struct loom_replay_study *study, struct loom_error *err)
{
    const struct loom_replay_options *options = study->options;
    unsigned tried = options->assumptions & study->facts.known;
    int rc = 0;
    for (size_t i = 0; i < options->n_policies && !rc; i++)
        rc = add_run(study->report, options->policies[i], NULL, 0, err);
    for (unsigned i = 0; i < LOOM_ASSUMPTIONS && !rc; i++)
        if (tried & 1u << i)
            rc = add_run(study->report, options->policies[0], NULL, 1u << i, err);
    return rc ? rc : run_from(study, 0, err);
}

/* ---- the search ------------------------------------------------------------------------------ */

static bool has_run(const struct loom_replay_report *report, const char *policy,
                    unsigned assumptions)
{
    for (size_t i = 0; i < report->n_runs; i++)
        if (report->runs[i].assumptions == assumptions &&
            strcmp(report->runs[i].policy, policy) == 0)
            return true;
    return false;
}

static int add_candidate(struct loom_replay_study *study, const char *policy,
                         const struct loom_replay_run *parent, unsigned more,
                         struct loom_error *err)
{
    if (has_run(study->report, policy, (parent ? parent->assumptions : 0) | more))
        return 0;
    int rc = add_run(study->report, policy, parent, more, err);
    if (!rc)
        study->report->runs[study->report->n_runs - 1].searched = true;
    return rc;
}

/* Every policy with its defaults, and EASY in every order. */
static int add_policies(struct loom_replay_study *study, struct loom_error *err)
{
    const struct loom_scheduler_info *info;
    const struct loom_order_info *order;
    char text[80];
    int rc = 0;
    for (size_t i = 0; (info = loom_scheduler_at(study->options->schedulers, i)) && !rc; i++)
        rc = add_candidate(study, info->name, NULL, 0, err);
    for (size_t i = 1; (order = loom_order_at(i)) && !rc; i++) {
        snprintf(text, sizeof text, "easy:order=%s", order->name);
        rc = add_candidate(study, text, NULL, 0, err);
    }
    return rc;
}

/* Do assumptions go together? Unseen jobs are of no queue. */
static bool is_possible(unsigned assumptions)
{
    const unsigned splits = LOOM_ASSUME_QUEUES | LOOM_ASSUME_PARTITIONS;
    const unsigned limits = LOOM_ASSUME_PEAKS | LOOM_ASSUME_USER_JOBS | LOOM_ASSUME_USER_PROCS;
    unsigned split = assumptions & splits, limit = assumptions & limits;
    return split != splits && (limit & (limit - 1)) == 0 &&
           !(split && assumptions & (LOOM_ASSUME_INITIAL | LOOM_ASSUME_SIZE | LOOM_ASSUME_WEEKS)) &&
           !(assumptions & LOOM_ASSUME_WEEKS &&
             assumptions & (LOOM_ASSUME_INITIAL | LOOM_ASSUME_SIZE));
}

static int add_neighbours(struct loom_replay_study *study, size_t index, struct loom_error *err)
{
    const struct loom_replay_run parent = study->report->runs[index]; /* the list moves */
    int rc = 0;
    for (unsigned i = 0; i < LOOM_ASSUMPTIONS && !rc; i++)
        if (study->facts.known & ~parent.assumptions & 1u << i &&
            is_possible(parent.assumptions | 1u << i))
            rc = add_candidate(study, parent.policy, &parent, 1u << i, err);
    return rc;
}

/* Add assumptions one after the other to the best policies, as long as the first half is explained
 * better. Runs of the caller take part. */
int loom_replay_search(struct loom_replay_study *study, struct loom_error *err)
{
    enum { ROUNDS = 3, TRIED = 3 };
    struct loom_replay_report *report = study->report;
    size_t from = report->n_runs;
    int rc = add_policies(study, err);
    if (!rc)
        rc = run_from(study, from, err);
    for (int round = 0; round < ROUNDS && !rc; round++) {
        double least = -1;
        size_t last = report->n_runs;
        for (int k = 0; k < TRIED && !rc; k++) { /* the k-th best so far */
            size_t best = SIZE_MAX;
            for (size_t i = 0; i < last; i++)
                if (report->runs[i].misfit > least &&
                    (best == SIZE_MAX || report->runs[i].misfit < report->runs[best].misfit))
                    best = i;
            if (best == SIZE_MAX)
                break;
            least = report->runs[best].misfit;
            rc = add_neighbours(study, best, err);
        }
        if (!rc)
            rc = run_from(study, last, err);
    }
    return rc;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Models ranked by how real their workloads are. Fitting goes from one to the next, each with the
 * whole pool; then all workloads of all models are one list of tasks, so that threads never wait
 * for one another. A workload lives only as long as its comparison.
 */
#include "base/progress.h"

#include <workloom/experiment_ranking.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct entry {
    const struct loom_candidate *candidate;
    struct loom_model *fitted;
    const struct loom_model *model;       /* fitted, or the candidate's; NULL if there is none */
    struct loom_comparison **comparisons; /* by replication */
    struct loom_scorecard *card;
    struct loom_response *responses; /* by replication, of those that have a closeness */
    double *closeness;               /* of these, 0 where a workload cannot be simulated */
    struct loom_spread overall, response_score;
    struct loom_response response; /* mean */
    char reason[256];
};

struct loom_ranking {
    const struct loom_reference *reference;
    const struct loom_trace *trace;
    struct loom_ranking_options options;
    struct loom_progress *progress;
    struct entry *entries;
    size_t n;
    bool has_response;
    struct loom_response response; /* of the trace */
    char no_response[256];         /* why it has none */
};

/* ---- fitting --------------------------------------------------------------------------------- */

/* A model that cannot be fitted has its reason in its entry; only lack of memory ends the whole. */
static int set_aside(struct entry *entry, int rc, const struct loom_error *reason,
                     struct loom_error *err)
{
    if (rc == LOOM_ENOMEM)
        return loom_fail_memory(err);
    if (rc && !entry->reason[0])
        snprintf(entry->reason, sizeof entry->reason, "%.250s", reason->message);
    return 0;
}

static int fit_entry(struct loom_ranking *ranking, struct entry *entry, struct loom_pool *pool,
                     struct loom_error *err)
{
    const struct loom_candidate *candidate = entry->candidate;
    struct loom_error reason = {0};
    const struct loom_trace *log =
        ranking->options.fit_to ? ranking->options.fit_to : ranking->trace;
    int rc = candidate->model ? 0
                              : loom_model_fit(&entry->fitted, candidate->info->name, log,
                                               candidate->params, pool, &reason);
    loom_progress_add(ranking->progress, 1);
    if (rc)
        return set_aside(entry, rc, &reason, err);
    entry->model = candidate->model ? candidate->model : entry->fitted;
    size_t n = ranking->options.replications;
    entry->comparisons = calloc(n, sizeof *entry->comparisons);
    entry->responses = calloc(n, sizeof *entry->responses);
    entry->closeness = calloc(n, sizeof *entry->closeness);
    return entry->comparisons && entry->responses && entry->closeness ? 0 : loom_fail_memory(err);
}

/* ---- generating and comparing ---------------------------------------------------------------- */

static int generate_entry(struct loom_trace **out, const struct loom_ranking *ranking,
                          const struct entry *entry, size_t replication, struct loom_pool *pool,
                          struct loom_error *err)
{
    struct loom_generate_options options = {
        .seed = ranking->options.seed,
        .replication = replication,
        .jobs = (int64_t)loom_trace_count(ranking->trace),
        .load = ranking->options.load,
    };
    return loom_model_generate(out, entry->model, &options, pool, err);
}

/* A workload that cannot be simulated is as far from the log as any. */
static int respond(const struct loom_ranking *ranking, const struct entry *entry,
                   size_t replication, const struct loom_trace *trace, struct loom_error *err)
{
    struct loom_error reason = {0};
    if (!ranking->has_response)
        return 0;
    int rc = loom_response_measure(&entry->responses[replication], trace, &reason);
    if (rc == LOOM_ENOMEM)
        return loom_fail_memory(err);
    if (!rc)
        entry->closeness[replication] =
            loom_response_closeness(&ranking->response, &entry->responses[replication]);
    return 0;
}

/* A failure leaves a comparison out; the reason given for a model is the one of its first missing
 * comparison (see why_lacking), whatever thread came first. */
static int try_one(void *context, size_t index, unsigned worker, struct loom_error *err)
{
    const struct loom_ranking *ranking = context;
    size_t replications = ranking->options.replications;
    const struct entry *entry = &ranking->entries[index / replications];
    struct loom_error reason = {0};
    struct loom_trace *trace = NULL;
    (void)worker;
    if (!entry->model)
        return 0;
    int rc = generate_entry(&trace, ranking, entry, index % replications, NULL, &reason);
    if (!rc)
        rc = loom_comparison_create(&entry->comparisons[index % replications], ranking->reference,
                                    trace, NULL, NULL, &reason);
    if (!rc)
        rc = respond(ranking, entry, index % replications, trace, &reason);
    loom_trace_destroy(trace);
    loom_progress_add(ranking->progress, 1);
    return rc == LOOM_ENOMEM ? loom_fail_memory(err) : 0;
}

/* The reason why a workload is lacking, found by generating it again. */
static int why_lacking(const struct loom_ranking *ranking, struct entry *entry, size_t replication,
                       struct loom_error *err)
{
    struct loom_error reason = {0};
    struct loom_trace *trace = NULL;
    struct loom_comparison *comparison = NULL;
    int rc = generate_entry(&trace, ranking, entry, replication, NULL, &reason);
    if (!rc)
        rc = loom_comparison_create(&comparison, ranking->reference, trace, NULL, NULL, &reason);
    loom_comparison_destroy(comparison);
    loom_trace_destroy(trace);
    return set_aside(entry, rc ? rc : LOOM_EDATA, &reason, err);
}

/* Parts of the score that the reference knows. */
static double known_parts(const struct loom_scorecard *card)
{
    const struct loom_score_part *part;
    double n = 0;
    for (size_t i = 0; (part = loom_scorecard_part(card, i)); i++)
        n += part->items > 0 || part->absent > 0;
    return n;
}

static void mean_response(const struct loom_ranking *ranking, struct entry *entry)
{
    double n = 0;
    for (size_t r = 0; r < ranking->options.replications; r++)
        n += entry->closeness[r] > 0;
    for (size_t r = 0; r < ranking->options.replications; r++)
        for (size_t i = 0; i < LOOM_RESPONSE_CELLS && entry->closeness[r] > 0; i++) {
            entry->response.wait_s[i] += entry->responses[r].wait_s[i] / n;
            entry->response.slowdown[i] += entry->responses[r].slowdown[i] / n;
        }
}

/* The response is one more part of the overall score of each workload. */
static int rate_response(const struct loom_ranking *ranking, struct entry *entry,
                         struct loom_error *err)
{
    size_t n = ranking->options.replications;
    double parts = known_parts(entry->card), *overall = malloc(n * sizeof *overall);
    if (!overall)
        return loom_fail_memory(err);
    for (size_t i = 0; i < n; i++)
        overall[i] =
            (parts * loom_comparison_overall(entry->comparisons[i]) + entry->closeness[i]) /
            (parts + 1);
    entry->overall = loom_spread_of(overall, n);
    entry->response_score = loom_spread_of(entry->closeness, n);
    mean_response(ranking, entry);
    free(overall);
    return 0;
}

static int rate(const struct loom_ranking *ranking, struct entry *entry, struct loom_error *err)
{
    size_t replications = ranking->options.replications;
    if (!entry->model)
        return 0;
    for (size_t i = 0; i < replications; i++)
        if (!entry->comparisons[i])
            return why_lacking(ranking, entry, i, err);
    int rc = loom_scorecard_create(&entry->card, ranking->reference, entry->comparisons,
                                   replications, err);
    if (!rc)
        entry->overall = loom_scorecard_overall(entry->card);
    if (!rc && ranking->has_response)
        rc = rate_response(ranking, entry, err);
    for (size_t i = 0; i < replications && !rc; i++) {
        loom_comparison_destroy(entry->comparisons[i]);
        entry->comparisons[i] = NULL;
    }
    return rc;
}

/* ---- the ranking ----------------------------------------------------------------------------- */

/* Best first; equals, and those without a card, in the order in which they were named. */
static void sort_entries(struct loom_ranking *ranking)
{
    for (size_t i = 1; i < ranking->n; i++) {
        struct entry entry = ranking->entries[i];
        size_t j = i;
        for (; j > 0; j--) {
            const struct entry *before = &ranking->entries[j - 1];
            bool better =
                entry.card && (!before->card || entry.overall.mean > before->overall.mean);
            if (!better)
                break;
            ranking->entries[j] = *before;
        }
        ranking->entries[j] = entry;
    }
}

/* A log that cannot be simulated is compared without it. */
static int respond_log(struct loom_ranking *ranking, struct loom_error *err)
{
    struct loom_error reason = {0};
    if (!ranking->options.response)
        return 0;
    int rc = loom_response_measure(&ranking->response, ranking->trace, &reason);
    if (rc == LOOM_ENOMEM)
        return loom_fail_memory(err);
    ranking->has_response = rc == 0;
    if (rc)
        snprintf(ranking->no_response, sizeof ranking->no_response, "%.250s", reason.message);
    return 0;
}

static int fill_ranking(struct loom_ranking *ranking, struct loom_pool *pool,
                        struct loom_error *err)
{
    if (ranking->options.replications == 0)
        return loom_fail(err, LOOM_ERANGE, "a ranking needs at least one replication");
    ranking->entries = calloc(ranking->options.n + 1, sizeof *ranking->entries);
    int rc = ranking->entries ? 0 : loom_fail_memory(err);
    for (; ranking->n < ranking->options.n && !rc; ranking->n++)
        ranking->entries[ranking->n].candidate = &ranking->options.candidates[ranking->n];
    for (size_t i = 0; i < ranking->n && !rc; i++)
        rc = fit_entry(ranking, &ranking->entries[i], pool, err);
    if (!rc)
        rc = respond_log(ranking, err);
    if (!rc)
        rc = loom_pool_for(pool, ranking->n * ranking->options.replications, try_one, ranking, err);
    for (size_t i = 0; i < ranking->n && !rc; i++)
        rc = rate(ranking, &ranking->entries[i], err);
    if (!rc)
        sort_entries(ranking);
    return rc;
}

int loom_ranking_create(struct loom_ranking **out, const struct loom_reference *reference,
                        const struct loom_trace *trace, const struct loom_ranking_options *options,
                        struct loom_pool *pool, struct loom_progress *progress,
                        struct loom_error *err)
{
    struct loom_ranking *ranking = calloc(1, sizeof *ranking);
    if (!ranking)
        return loom_fail_memory(err);
    ranking->reference = reference;
    ranking->trace = trace;
    ranking->options = *options;
    ranking->progress = progress;
    int rc = fill_ranking(ranking, pool, err);
    ranking->progress = NULL;
    if (rc)
        loom_ranking_destroy(ranking);
    else
        *out = ranking;
    return rc;
}

void loom_ranking_destroy(struct loom_ranking *ranking)
{
    if (!ranking)
        return;
    for (size_t i = 0; i < ranking->n; i++) {
        struct entry *entry = &ranking->entries[i];
        for (size_t k = 0; entry->comparisons && k < ranking->options.replications; k++)
            loom_comparison_destroy(entry->comparisons[k]);
        free(entry->comparisons);
        free(entry->responses);
        free(entry->closeness);
        loom_scorecard_destroy(entry->card);
        loom_model_destroy(entry->fitted);
    }
    free(ranking->entries);
    free(ranking);
}

bool loom_ranking_at(const struct loom_ranking *ranking, size_t index,
                     struct loom_ranking_entry *out)
{
    if (index >= ranking->n)
        return false;
    const struct entry *entry = &ranking->entries[index];
    *out = (struct loom_ranking_entry){.label = entry->candidate->label,
                                       .info = entry->candidate->info,
                                       .variant = entry->candidate->variant,
                                       .card = entry->card,
                                       .overall = entry->overall,
                                       .has_response = entry->card && ranking->has_response,
                                       .response_score = entry->response_score,
                                       .response = entry->response,
                                       .reason = entry->card ? NULL : entry->reason};
    return true;
}

const struct loom_response *loom_ranking_response(const struct loom_ranking *ranking,
                                                  const char **reason)
{
    if (reason)
        *reason = ranking->no_response[0] ? ranking->no_response : NULL;
    return ranking->has_response ? &ranking->response : NULL;
}

int loom_ranking_generate(struct loom_trace **out, const struct loom_ranking *ranking, size_t index,
                          size_t replication, struct loom_pool *pool, struct loom_error *err)
{
    if (index >= ranking->n || !ranking->entries[index].model)
        return loom_fail(err, LOOM_EUSAGE, "there is no such model in the ranking");
    return generate_entry(out, ranking, &ranking->entries[index], replication, pool, err);
}

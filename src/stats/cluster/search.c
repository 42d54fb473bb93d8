/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cluster/search.c - what is tried to find the best mixture of each size.
 *
 * The likelihood of a mixture has many maxima, and with varying variances it has no bound at all: a
 * component that shrinks onto one value (as it likes to do onto one that occurs often) takes it to
 * infinity. What is looked for are high maxima where no component degenerates.
 *
 * For each size and model, EM starts at the coarsest level from MCLUST's quantiles, from both
 * hierarchies, and from the best mixture of one component less with one of its components in two.
 * The highest of those is polished and taken level by level to the exact one; if it degenerates on
 * the way the next takes its place. If all do, EM from the quantiles decides, as MCLUST has it: at
 * the finer levels from where the coarsest could no longer resolve it, or else at the exact one
 * from its start. Sizes build on one another, so the two models are the only tasks that run side by
 * side once the partitions have been tried.
 */
#include "base/sort.h"
#include "stats/cluster/cluster.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    PARTITIONS = 3, /* quantiles and both hierarchies */
    SPLITS = LOOM_CLUSTER_STARTS - PARTITIONS,
    STEPS_SPLIT = 5, /* of EM before splits are compared */
    STEPS_MAX = 100000,
};

/* The scratch memory of one thread. */
struct scratch {
    struct loom_cluster_em *em;
    size_t *cuts;
    double *edges;
    struct loom_normals spare;
};

struct search {
    struct loom_cluster_study *study;
    size_t *cuts[LOOM_CLUSTER_MODELS]; /* of the hierarchies of the coarsest level */
    struct scratch *scratches;         /* one for each worker */
    unsigned workers;
};

static struct loom_cluster_tries *tries_of(const struct search *search, size_t count, size_t model)
{
    return &search->study->tries[(count - 1) * LOOM_CLUSTER_MODELS + model];
}

/* ---- partitions ------------------------------------------------------------------------------ */

static void hierarchy_cuts(size_t *cuts, const size_t *order, size_t count)
{
    memcpy(cuts, order, (count - 1) * sizeof *cuts);
    loom_sort_int64((int64_t *)cuts, count - 1);
}

static bool quantile_cuts(struct scratch *scratch, const struct loom_cluster_study *study,
                          const struct loom_level *level, size_t count)
{
    if (!loom_cluster_quantiles(scratch->edges, study->sorted, study->n, count))
        return false;
    size_t bin = 0;
    for (size_t k = 1; k < count; k++) {
        while (bin < level->n && level->x[bin] < scratch->edges[k])
            bin++;
        scratch->cuts[k - 1] = bin;
    }
    return true;
}

/* EM for some steps at a level; a mixture that degenerates is marked. */
static void cluster_search_run(struct loom_normals *mixture, struct scratch *scratch,
                               const struct loom_level *level, int steps)
{
    if (!loom_cluster_em_run(scratch->em, mixture, level, steps))
        mixture->log_likelihood = NAN;
}

/* False if the quantiles make no mixture to start from. */
static bool run_quantiles(struct loom_normals *mixture, struct scratch *scratch,
                          const struct loom_cluster_study *study, const struct loom_level *level)
{
    mixture->log_likelihood = NAN;
    if (!quantile_cuts(scratch, study, level, mixture->count) ||
        !loom_cluster_from_cuts(mixture, level, scratch->cuts))
        return false;
    cluster_search_run(mixture, scratch, level, STEPS_MAX);
    return true;
}

static void run_hierarchy(struct loom_normals *mixture, struct scratch *scratch,
                          const size_t *order, const struct loom_level *level)
{
    hierarchy_cuts(scratch->cuts, order, mixture->count);
    if (loom_cluster_from_cuts(mixture, level, scratch->cuts))
        cluster_search_run(mixture, scratch, level, STEPS_MAX);
}

/* The largest mixtures take longest and come first. */
static int partition_task(void *context, size_t index, unsigned worker, struct loom_error *err)
{
    struct search *search = context;
    struct loom_cluster_study *study = search->study;
    size_t model = index % LOOM_CLUSTER_MODELS;
    size_t count = study->most - index / LOOM_CLUSTER_MODELS;
    if (!study->wanted[model])
        return 0;
    struct loom_cluster_tries *tries = tries_of(search, count, model);
    struct loom_normals *starts = tries->starts;
    for (size_t i = 0; i < LOOM_CLUSTER_STARTS; i++)
        if (loom_normals_init(&starts[i], count, (enum loom_variance)model))
            return loom_fail_memory(err);
    struct scratch *scratch = &search->scratches[worker];
    tries->begun = run_quantiles(&starts[0], scratch, study, &study->levels[0]);
    if (study->mclust)
        return 0;
    run_hierarchy(&starts[1], scratch, search->cuts[LOOM_VARIANCE_EQUAL], &study->levels[0]);
    run_hierarchy(&starts[2], scratch, search->cuts[LOOM_VARIANCE_VARYING], &study->levels[0]);
    return 0;
}

/* ---- splits ---------------------------------------------------------------------------------- */

/* Keep a split, best first, if it is higher than the lowest of those kept. */
static void keep_split(struct loom_normals *kept, const struct loom_normals *split)
{
    size_t i = SPLITS - 1;
    if (isnan(split->log_likelihood) || split->log_likelihood <= kept[i].log_likelihood)
        return;
    loom_normals_copy(&kept[i], split);
    for (; i > 0 && !(kept[i].log_likelihood <= kept[i - 1].log_likelihood); i--) {
        struct loom_normals swap = kept[i];
        kept[i] = kept[i - 1];
        kept[i - 1] = swap;
    }
}

/* Each component of the best mixture of one fewer is split in turn; those that are highest after a
 * few steps run on. */
static void run_splits(struct loom_normals *kept, struct scratch *scratch,
                       const struct loom_normals *parent, const struct loom_level *level)
{
    for (size_t k = 0; k < parent->count; k++) {
        loom_cluster_split(&scratch->spare, parent, k);
        cluster_search_run(&scratch->spare, scratch, level, STEPS_SPLIT);
        keep_split(kept, &scratch->spare);
    }
    for (size_t i = 0; i < SPLITS; i++)
        if (!isnan(kept[i].log_likelihood))
            cluster_search_run(&kept[i], scratch, level, STEPS_MAX);
}

/* ---- from coarse to exact -------------------------------------------------------------------- */

/* False if the mixture degenerates on the way. */
static bool refine(struct loom_normals *mixture, struct scratch *scratch,
                   const struct loom_cluster_study *study, bool polish)
{
    for (size_t i = 0; i < study->n_levels; i++) {
        if (i > 0 && !loom_cluster_em_run(scratch->em, mixture, &study->levels[i], STEPS_MAX))
            return false;
        if (polish && (i == 0 || i + 1 < study->n_levels))
            loom_cluster_em_polish(scratch->em, mixture, &study->levels[i]);
    }
    return true;
}

/* The closer a mixture is to a maximum of a coarse level, the closer it can be to degenerating at a
 * finer one, so it gets a second chance as MCLUST's rule left it. */
static void refine_twice(struct loom_normals *mixture, struct scratch *scratch,
                         const struct loom_cluster_study *study)
{
    loom_normals_copy(&scratch->spare, mixture);
    if (!study->mclust && refine(mixture, scratch, study, true))
        return;
    loom_normals_copy(mixture, &scratch->spare);
    if (!refine(mixture, scratch, study, false))
        mixture->log_likelihood = NAN;
}

/* Where the coarsest bins could no longer separate a component from a single value, and the mixture
 * degenerated, the finer ones take over. */
static void resume(struct loom_normals *mixture, struct scratch *scratch,
                   const struct loom_cluster_study *study)
{
    bool sound = false;
    for (size_t i = 1; i < study->n_levels; i++)
        sound = loom_cluster_em_run(scratch->em, mixture, &study->levels[i], STEPS_MAX);
    if (!sound)
        mixture->log_likelihood = NAN;
}

/* The highest start that has not degenerated, or NULL. */
static struct loom_normals *highest(struct loom_cluster_tries *tries)
{
    struct loom_normals *best = NULL;
    for (size_t i = 0; i < LOOM_CLUSTER_STARTS; i++) {
        struct loom_normals *start = &tries->starts[i];
        if (!isnan(start->log_likelihood) &&
            (!best || start->log_likelihood > best->log_likelihood))
            best = start;
    }
    return best;
}

static struct loom_normals *cluster_search_settle(struct loom_cluster_tries *tries,
                                                  struct scratch *scratch,
                                                  const struct loom_cluster_study *study)
{
    struct loom_normals *first = &tries->starts[0];
    bool degenerated = tries->begun && isnan(first->log_likelihood);
    for (struct loom_normals *best; (best = highest(tries));) {
        refine_twice(best, scratch, study);
        if (!isnan(best->log_likelihood))
            return best;
    }
    if (degenerated)
        resume(first, scratch, study);
    else
        run_quantiles(first, scratch, study, &study->levels[study->n_levels - 1]);
    return highest(tries);
}

static int model_task(void *context, size_t model, unsigned worker, struct loom_error *err)
{
    (void)err;
    struct search *search = context;
    struct loom_cluster_study *study = search->study;
    struct scratch *scratch = &search->scratches[worker];
    const struct loom_normals *parent = NULL;
    for (size_t count = 1; study->wanted[model] && count <= study->most; count++) {
        struct loom_cluster_tries *tries = tries_of(search, count, model);
        if (parent && !study->mclust)
            run_splits(&tries->starts[PARTITIONS], scratch, parent, &study->levels[0]);
        parent = tries->best = cluster_search_settle(tries, scratch, study);
    }
    return 0;
}

/* ---- the search ------------------------------------------------------------------------------ */

static void scratch_free(struct scratch *scratch)
{
    loom_cluster_em_destroy(scratch->em);
    free(scratch->cuts);
    free(scratch->edges);
    loom_normals_free(&scratch->spare);
}

static int scratch_init(struct scratch *scratch, size_t count, struct loom_error *err)
{
    scratch->em = loom_cluster_em_create(count);
    scratch->cuts = malloc(count * sizeof *scratch->cuts);
    scratch->edges = malloc(2 * LOOM_CLUSTER_QUANTILES(count) * sizeof *scratch->edges);
    if (!scratch->em || !scratch->cuts || !scratch->edges ||
        loom_normals_init(&scratch->spare, count, LOOM_VARIANCE_EQUAL))
        return loom_fail_memory(err);
    return 0;
}

static int search_init(struct search *search, const struct loom_pool *pool, struct loom_error *err)
{
    const struct loom_cluster_study *study = search->study;
    unsigned workers = loom_pool_threads(pool);
    search->scratches = calloc(workers, sizeof *search->scratches);
    if (!search->scratches)
        return loom_fail_memory(err);
    search->workers = workers;
    int code = 0;
    for (unsigned i = 0; code == 0 && i < workers; i++)
        code = scratch_init(&search->scratches[i], study->most, err);
    for (int model = 0; code == 0 && model < LOOM_CLUSTER_MODELS; model++) {
        search->cuts[model] = malloc(study->most * sizeof *search->cuts[model]);
        code = search->cuts[model]
                   ? loom_cluster_hierarchy(search->cuts[model], &study->levels[0],
                                            (enum loom_variance)model, study->most, err)
                   : loom_fail_memory(err);
    }
    return code;
}

static void search_free(struct search *search)
{
    for (unsigned i = 0; i < search->workers; i++)
        scratch_free(&search->scratches[i]);
    free(search->scratches);
    for (int model = 0; model < LOOM_CLUSTER_MODELS; model++)
        free(search->cuts[model]);
}

int loom_cluster_search(struct loom_cluster_study *study, struct loom_pool *pool,
                        struct loom_error *err)
{
    struct search search = {.study = study};
    int code = search_init(&search, pool, err);
    if (code == 0)
        code = loom_pool_for(pool, study->most * LOOM_CLUSTER_MODELS, partition_task, &search, err);
    if (code == 0)
        code = loom_pool_for(pool, LOOM_CLUSTER_MODELS, model_task, &search, err);
    search_free(&search);
    return code;
}

void loom_cluster_tries_free(struct loom_cluster_tries *tries)
{
    for (size_t i = 0; i < LOOM_CLUSTER_STARTS; i++)
        loom_normals_free(&tries->starts[i]);
}

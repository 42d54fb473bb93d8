/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cluster.c - model-based clustering of one-dimensional data, as MCLUST does it (Fraley and Raftery
 * 2002): mixtures of 1 .. G normals with equal and with varying variances, fitted by EM, the number
 * and the model chosen by BIC.
 *
 * The sample is scaled by a power of two so that its largest value is near 1, which changes no
 * digit and keeps squares in range; sorted; and held as levels (cluster.h): its different values
 * with their counts, and, where those are many, coarser bins. A model all of whose starts
 * degenerate has a BIC of NAN and is not chosen.
 */
#include "stats/cluster/cluster.h"
#include "base/compare.h"
#include "base/search.h"

#include <math.h>
#include <stdlib.h>

enum {
    MODELS = LOOM_CLUSTER_MODELS,
    COARSE = 512,    /* bins of the coarsest level: between this and three times as many */
    BINS_EACH = 16,  /* and at least this many for each cluster */
    REFINEMENT = 16, /* times as many bins at the next level */
    FIRST_DEFAULT = 1,
    LAST_DEFAULT = 20,
};

/* A study in the units it is done in, and what was asked for. */
struct task {
    struct loom_cluster_study study;
    int exponent;       /* values were multiplied by 2^-exponent */
    size_t first, last; /* numbers of clusters */
};

/* ---- the question ---------------------------------------------------------------------------- */

static int check_values(const double *x, size_t n, struct loom_error *err)
{
    if (n == 0)
        return loom_fail(err, LOOM_EDATA, "there are no values to cluster");
    for (size_t i = 0; i < n; i++)
        if (!isfinite(x[i]))
            return loom_fail(err, LOOM_EDATA,
                             "value %zu is not a finite number; leave such values out to cluster "
                             "the rest",
                             i + 1);
    return 0;
}

static int read_options(struct task *task, const struct loom_cluster_options *options,
                        struct loom_error *err)
{
    task->first = options->min_clusters ? options->min_clusters : FIRST_DEFAULT;
    task->last = options->max_clusters ? options->max_clusters : LAST_DEFAULT;
    if (task->last < task->first && !options->max_clusters)
        task->last = task->first;
    bool both = !options->equal && !options->varying;
    task->study.wanted[LOOM_VARIANCE_EQUAL] = both || options->equal;
    task->study.wanted[LOOM_VARIANCE_VARYING] = both || options->varying;
    task->study.mclust = options->mclust;
    if (task->last > LOOM_CLUSTERS_MAX)
        return loom_fail(err, LOOM_ERANGE, "%zu clusters are too many; ask for at most %d",
                         task->last, LOOM_CLUSTERS_MAX);
    if (task->first > task->last)
        return loom_fail(err, LOOM_ERANGE,
                         "the smallest number of clusters, %zu, is above the largest, %zu",
                         task->first, task->last);
    return 0;
}

static int scale_and_sort(struct task *task, const double *x, size_t n, struct loom_error *err)
{
    double *sorted = malloc(n * sizeof *sorted);
    if (!sorted)
        return loom_fail_memory(err);
    task->study.sorted = sorted;
    task->study.n = n;
    double largest = 0;
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(x[i]));
    frexp(largest, &task->exponent);
    for (size_t i = 0; i < n; i++)
        sorted[i] = ldexp(x[i], -task->exponent);
    return loom_sort(sorted, n, err);
}

/* From coarse to exact. The coarsest has enough bins for the clusters asked for. */
static int make_levels(struct task *task, struct loom_error *err)
{
    struct loom_cluster_study *study = &task->study;
    struct loom_level exact = {0};
    int code = loom_level_exact(&exact, study->sorted, study->n, task->exponent * M_LN2, err);
    size_t bins = task->last * BINS_EACH > COARSE ? task->last * BINS_EACH : COARSE;
    while (code == 0 && exact.n > 4 * bins && study->n_levels + 1 < LOOM_CLUSTER_LEVELS) {
        code = loom_level_coarse(&study->levels[study->n_levels++], &exact, bins, err);
        bins *= REFINEMENT;
    }
    study->levels[study->n_levels++] = exact;
    return code;
}

static int make_study(struct task *task, const double *x, size_t n, struct loom_error *err)
{
    struct loom_cluster_study *study = &task->study;
    int code = scale_and_sort(task, x, n, err);
    if (code == 0)
        code = make_levels(task, err);
    if (code)
        return code;
    study->most = task->last < study->levels[0].n ? task->last : study->levels[0].n;
    study->tries = calloc(task->last * MODELS, sizeof *study->tries);
    return study->tries ? 0 : loom_fail_memory(err);
}

static void task_free(struct task *task)
{
    struct loom_cluster_study *study = &task->study;
    for (size_t i = 0; i < study->n_levels; i++)
        loom_level_free(&study->levels[i]);
    for (size_t i = 0; study->tries && i < task->last * MODELS; i++)
        loom_cluster_tries_free(&study->tries[i]);
    free(study->tries);
    free(study->sorted);
}

/* ---- the choice ------------------------------------------------------------------------------ */

static double bic_of(const struct loom_normals *fit, double n)
{
    size_t shared = fit->variance == LOOM_VARIANCE_EQUAL ? 1 : fit->count;
    size_t parameters = fit->count - 1 + fit->count + shared;
    return 2 * fit->log_likelihood - (double)parameters * log(n);
}

static void cluster_choose(struct loom_clusters *out, const struct task *task,
                           const struct loom_normals **best)
{
    double best_bic = -INFINITY;
    *best = NULL;
    for (size_t i = 0; i < task->last * MODELS; i++) {
        struct loom_normals *fit = i / MODELS + 1 < task->first ? NULL : task->study.tries[i].best;
        out->bic_table[i] = NAN;
        if (!fit)
            continue;
        out->bic_table[i] = bic_of(fit, (double)task->study.n);
        if (out->bic_table[i] > best_bic) {
            *best = fit;
            best_bic = out->bic_table[i];
        }
    }
}

struct place {
    double mean;
    size_t component;
};

static int compare_places(const void *a, const void *b)
{
    const struct place *left = a, *right = b;
    return LOOM_FIRST_DIFFERENCE(LOOM_COMPARE(left->mean, right->mean),
                                 LOOM_COMPARE(left->component, right->component));
}

/* Components by ascending mean, still scaled. */
static int order_components(struct loom_normals *to, const struct loom_normals *from,
                            struct loom_error *err)
{
    struct place *places = malloc(from->count * sizeof *places);
    if (!places || loom_normals_init(to, from->count, from->variance)) {
        free(places);
        return loom_fail_memory(err);
    }
    for (size_t k = 0; k < from->count; k++)
        places[k] = (struct place){from->means[k], k};
    qsort(places, from->count, sizeof *places, compare_places);
    for (size_t k = 0; k < from->count; k++) {
        to->weights[k] = from->weights[places[k].component];
        to->means[k] = from->means[places[k].component];
        to->variances[k] = from->variances[places[k].component];
    }
    free(places);
    return 0;
}

/* A label depends on the value alone, and changes few times along the line. */
static int label_values(struct loom_clusters *out, const double *x, const struct task *task,
                        const struct loom_normals *fit, struct loom_error *err)
{
    const struct loom_level *exact = &task->study.levels[task->study.n_levels - 1];
    uint32_t *labels = malloc(exact->n * sizeof *labels);
    size_t *runs = malloc(exact->n * sizeof *runs); /* where the label changes */
    if (!labels || !runs) {
        free(labels);
        free(runs);
        return loom_fail_memory(err);
    }
    size_t n_runs = 0;
    for (size_t i = 0; i < exact->n; i++) {
        labels[i] = (uint32_t)loom_normals_label(fit, exact->x[i]);
        if (i == 0 || labels[i] != labels[i - 1])
            runs[n_runs++] = i;
    }
    for (size_t i = 0; i < out->n; i++) {
        double value = ldexp(x[i], -task->exponent);
        size_t low = 1, high = n_runs;
        LOOM_BISECT(low, high, middle, exact->x[runs[middle]] <= value);
        out->labels[i] = labels[runs[low - 1]];
    }
    free(labels);
    free(runs);
    return 0;
}

static int hand_out(struct loom_clusters *out, const double *x, const struct task *task,
                    const struct loom_normals *best, struct loom_error *err)
{
    struct loom_normals fit;
    int code = order_components(&fit, best, err);
    if (code)
        return code;
    out->count = best->count;
    out->variance = best->variance;
    out->log_likelihood = best->log_likelihood;
    out->bic = bic_of(best, (double)task->study.n);
    out->converged = best->converged;
    code = label_values(out, x, task, &fit, err);
    for (size_t k = 0; k < fit.count; k++) {
        out->weights[k] = fit.weights[k];
        out->means[k] = ldexp(fit.means[k], task->exponent);
        out->sds[k] = ldexp(sqrt(fit.variances[k]), task->exponent);
    }
    loom_normals_free(&fit);
    return code;
}

static int result_alloc(struct loom_clusters *out, const struct task *task, struct loom_error *err)
{
    out->n = task->study.n;
    out->max_clusters = task->last;
    out->weights = malloc(task->last * sizeof *out->weights);
    out->means = malloc(task->last * sizeof *out->means);
    out->sds = malloc(task->last * sizeof *out->sds);
    out->labels = malloc(task->study.n * sizeof *out->labels);
    out->bic_table = malloc(task->last * MODELS * sizeof *out->bic_table);
    if (!out->weights || !out->means || !out->sds || !out->labels || !out->bic_table)
        return loom_fail_memory(err);
    return 0;
}

static int cluster(struct loom_clusters *out, const double *x, struct task *task,
                   struct loom_pool *pool, struct loom_error *err)
{
    int code = loom_cluster_search(&task->study, pool, err);
    if (code == 0)
        code = result_alloc(out, task, err);
    if (code)
        return code;
    const struct loom_normals *best;
    cluster_choose(out, task, &best);
    if (!best)
        return loom_fail(err, LOOM_EDATA,
                         "no mixture of %zu to %zu normals fits: the values are too few or too "
                         "many of them are equal",
                         task->first, task->last);
    return hand_out(out, x, task, best, err);
}

int loom_cluster(struct loom_clusters *out, const double *x, size_t n,
                 const struct loom_cluster_options *options, struct loom_error *err)
{
    static const struct loom_cluster_options defaults = {0};
    struct task task = {0};
    *out = (struct loom_clusters){0};
    if (!options)
        options = &defaults;
    int code = read_options(&task, options, err);
    if (code == 0)
        code = check_values(x, n, err);
    if (code == 0)
        code = make_study(&task, x, n, err);
    if (code == 0)
        code = cluster(out, x, &task, options->pool, err);
    task_free(&task);
    if (code)
        loom_clusters_free(out);
    return code;
}

void loom_clusters_free(struct loom_clusters *clusters)
{
    if (!clusters)
        return;
    free(clusters->weights);
    free(clusters->means);
    free(clusters->sds);
    free(clusters->labels);
    free(clusters->bic_table);
    *clusters = (struct loom_clusters){0};
}

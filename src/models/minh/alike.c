/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Similarity of the runtimes of a bag in the improved variant of minh2012: the intraclass
 * correlation of their logarithms, for each kind.
 *
 * A log shows it only among jobs of a bag with the same label. This estimate is biased downwards: a
 * label is a slice of its kind, and jobs of one bag on both sides of a border are not compared. So
 * bags of the log's sizes are drawn and labelled, the correlations are estimated from them too, and
 * the difference is added to the model's correlations until both estimates agree.
 */
#include "models/minh/minh.h"

#include <math.h>
#include <stdlib.h>

/* ---- measuring ------------------------------------------------------------------------------- */

struct sums {
    double n, sum, squares;
};

/* Sums over ln(runtime + 1) of the jobs in bags, by label. */
struct spread {
    struct sums all[LOOM_MINH_KINDS];
    double within[LOOM_MINH_KINDS]; /* squared deviations from the mean of the label in the bag */
    double freedom[LOOM_MINH_KINDS];
};

static void minh_alike_add(struct sums *sums, double x)
{
    sums->n++;
    sums->sum += x;
    sums->squares += x * x;
}

static double squared_deviations(const struct sums *sums)
{
    return fmax(0, sums->squares - sums->sum * sums->sum / sums->n);
}

/* Add the sums of one bag, by label, and clear them. */
static void add_bag(struct spread *spread, struct sums *bag, size_t n_kinds)
{
    for (size_t k = 0; k < n_kinds; k++)
        if (bag[k].n > 0) {
            spread->all[k].n += bag[k].n;
            spread->all[k].sum += bag[k].sum;
            spread->all[k].squares += bag[k].squares;
            spread->within[k] += squared_deviations(&bag[k]);
            spread->freedom[k] += bag[k].n - 1;
            bag[k] = (struct sums){0};
        }
}

/* Return 1 minus the variance within bags over the total variance. */
static double alike_of(const struct spread *spread, size_t kind)
{
    if (!(spread->freedom[kind] > 0))
        return 1;
    double all = squared_deviations(&spread->all[kind]) / spread->all[kind].n;
    double within = spread->within[kind] / spread->freedom[kind];
    return all > 0 ? fmin(1, fmax(0, 1 - within / all)) : 1;
}

/* ---- of the log ------------------------------------------------------------------------------ */

/* The sizes of bags of two jobs and more. */
struct sizes {
    size_t n, jobs;
    uint32_t *of;
};

/* Return the index in `jobs` of the first one at or after this place of the log. */
static size_t jobs_before(const struct loom_shapes *jobs, size_t from, size_t place)
{
    while (from < jobs->n && jobs->job[from] < place)
        from++;
    return from;
}

static void measure_log(struct spread *spread, struct sizes *sizes, const struct loom_minh_log *log,
                        size_t n_kinds)
{
    struct sums bag[LOOM_MINH_KINDS] = {0};
    for (size_t b = 0, i = 0, end; b < log->bags->count; b++, i = end) {
        end = jobs_before(log->jobs, i, log->bags->first[b + 1]);
        if (end - i < 2)
            continue;
        for (size_t j = i; j < end; j++)
            minh_alike_add(&bag[log->kind_of[j]], log1p((double)log->jobs->run_s[j]));
        add_bag(spread, bag, n_kinds);
        sizes->of[sizes->n++] = (uint32_t)(end - i);
        sizes->jobs += end - i;
    }
}

/* ---- of bags that were drawn ----------------------------------------------------------------- */

static void draw_bag(struct spread *spread, struct loom_minh_sampler *sampler, const double *alike,
                     size_t size)
{
    struct sums bag[LOOM_MINH_KINDS] = {0};
    size_t kind = loom_minh_draw_shape(sampler, LOOM_MINH_IN_BAG).kind;
    double centre;
    for (size_t j = 0; j < size; j++) {
        int64_t run_s = j == 0 ? loom_minh_draw_first(sampler, kind, alike[kind], &centre)
                               : loom_minh_draw_next(sampler, kind, alike[kind], centre);
        double log_run = log1p((double)run_s);
        minh_alike_add(&bag[loom_minh_kind_of(sampler, log_run)], log_run);
    }
    add_bag(spread, bag, sampler->shapes->n_kinds);
}

/* Measure drawn bags. Every step uses the same random numbers, so that changes are due to the
 * model. */
static int measure_drawn(struct spread *spread, const struct loom_minh *minh,
                         const struct sizes *sizes, struct loom_error *err)
{
    enum { ENOUGH = 50000 };
    struct loom_generation generation = {.replication = UINT64_MAX,
                                         .procs = INT32_MAX,
                                         .log_procs = INT32_MAX};
    struct loom_minh_sampler sampler;
    int rc = loom_minh_sampler_init(&sampler, &minh->shapes, loom_minh2012_weight, &generation,
                                    "minh alike", err);
    if (rc)
        return rc;
    loom_minh_cut(&sampler, minh->refined.longest_s);
    for (size_t jobs = 0; jobs < ENOUGH; jobs += sizes->jobs)
        for (size_t b = 0; b < sizes->n; b++)
            draw_bag(spread, &sampler, minh->refined.alike, sizes->of[b]);
    loom_minh_sampler_free(&sampler);
    return 0;
}

/* ---- both ------------------------------------------------------------------------------------ */

static int minh_alike_settle(struct loom_minh *minh, const struct spread *of_log,
                             const struct sizes *sizes, struct loom_error *err)
{
    enum { STEPS = 8 };
    double *alike = minh->refined.alike;
    int rc = 0;
    for (int step = 0; step < STEPS && !rc; step++) {
        struct spread drawn = {0};
        rc = measure_drawn(&drawn, minh, sizes, err);
        for (size_t k = 0; k < minh->shapes.n_kinds && !rc; k++)
            if (of_log->freedom[k] > 0 && drawn.freedom[k] > 0) {
                double lacking = alike_of(of_log, k) - alike_of(&drawn, k);
                alike[k] = fmin(1, fmax(0, alike[k] + lacking));
            }
    }
    return rc;
}

int loom_minh_fit_alike(struct loom_minh *minh, const struct loom_minh_log *log,
                        struct loom_error *err)
{
    size_t n_kinds = minh->shapes.n_kinds;
    struct spread of_log = {0};
    struct sizes sizes = {.of = malloc((log->bags->count + 1) * sizeof *sizes.of)};
    minh->refined.alike = calloc(n_kinds, sizeof *minh->refined.alike);
    int rc = sizes.of && minh->refined.alike ? 0 : loom_fail_memory(err);
    if (!rc) {
        measure_log(&of_log, &sizes, log, n_kinds);
        for (size_t k = 0; k < n_kinds; k++)
            minh->refined.alike[k] = alike_of(&of_log, k);
    }
    if (!rc && sizes.n > 0)
        rc = minh_alike_settle(minh, &of_log, &sizes, err);
    free(sizes.of);
    return rc;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cluster_samples.h - samples to cluster, and what mclust makes of them. */
#ifndef LOOM_TESTS_CLUSTER_SAMPLES_H
#define LOOM_TESTS_CLUSTER_SAMPLES_H

#include "support.h"

#include "stats/cluster/cluster.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MODELS = 2, ORACLE_MAX = 9 };

struct oracle {
    const char *name;
    size_t n;
    double log_likelihoods[MODELS][ORACLE_MAX];
    enum loom_variance variance;
    size_t count;
    double weights[ORACLE_MAX], means[ORACLE_MAX], sds[ORACLE_MAX];
    size_t start_sizes[ORACLE_MAX - 1][ORACLE_MAX]; /* from two groups on */
};

#include "../oracle/cluster.inc"

#define assert_near(got, wanted, tolerance) \
    check_near((got), (wanted), (tolerance), #got, __FILE__, __LINE__)

static inline void check_near(double got, double wanted, double tolerance, const char *what,
                              const char *file, int line)
{
    if (fabs(got - wanted) <= tolerance)
        return;
    print_error("%s is %.17g, not %.17g +- %g\n", what, got, wanted, tolerance);
    _fail(file, line);
}

/* ---- samples --------------------------------------------------------------------------------- */

struct part {
    double weight, mean, sd;
};

struct recipe {
    const char *name;
    size_t n;
    bool seconds; /* logs of whole seconds, not less than 1 */
    struct part parts[4];
};

static const struct recipe recipes[] = {
    {"three", 1500, false, {{0.3, 0, 0.6}, {0.5, 4, 1}, {0.2, 9, 0.4}}},
    {"equal", 1200, false, {{0.25, -3, 1}, {0.25, 1, 1}, {0.3, 5, 1}, {0.2, 9, 1}}},
    {"seconds", 1800, true, {{0.2, 1.5, 1}, {0.5, 5, 1.5}, {0.3, 9, 0.5}}},
    {"large", 12000, true, {{0.2, 1.5, 1}, {0.4, 5, 1.5}, {0.2, 8, 0.3}, {0.2, 10, 0.8}}},
    {"many", 30000, false, {{0.2, 1.5, 1}, {0.4, 5, 1.5}, {0.2, 8, 0.3}, {0.2, 10, 0.8}}},
};

struct sample {
    double *x;
    size_t n;
};

static inline double draw(const struct recipe *recipe, gsl_rng *rng)
{
    double u = gsl_rng_uniform(rng);
    const struct part *part = recipe->parts;
    while (u >= part->weight && part < recipe->parts + 3 && part[1].weight > 0)
        u -= (part++)->weight;
    double x = part->mean + gsl_ran_gaussian(rng, part->sd);
    return recipe->seconds ? log(ceil(exp(x))) : x;
}

static inline struct sample draw_sample(const struct recipe *recipe)
{
    struct loom_stream stream;
    struct sample sample = {malloc(recipe->n * sizeof(double)), recipe->n};
    assert_non_null(sample.x);
    loom_stream_init(&stream, 1, 0, recipe->name);
    for (size_t i = 0; i < sample.n; i++)
        sample.x[i] = draw(recipe, &stream.gsl);
    return sample;
}

static inline struct sample take_sample(const char *name)
{
    for (size_t i = 0; i < COUNT(recipes); i++)
        if (strcmp(recipes[i].name, name) == 0)
            return draw_sample(&recipes[i]);
    assert_string_equal(name, "geyser");
    struct sample sample = {malloc(COUNT(geyser) * sizeof(double)), COUNT(geyser)};
    assert_non_null(sample.x);
    for (size_t i = 0; i < sample.n; i++)
        sample.x[i] = geyser[i] / 1000.0;
    return sample;
}

static inline struct loom_clusters must_cluster(const double *x, size_t n, size_t first,
                                                size_t last)
{
    struct loom_clusters found;
    struct loom_error err = {0};
    const struct loom_cluster_options options = {.min_clusters = first, .max_clusters = last};
    if (loom_cluster(&found, x, n, &options, &err))
        fail_msg("%s", err.message);
    return found;
}

static inline int compare_doubles(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

#endif

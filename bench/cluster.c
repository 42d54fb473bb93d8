/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cluster DIR [VALUES]: the time model-based clustering takes, for 1 to 20 clusters and both
 * models, on made-up logs of runtimes: "seconds" in whole seconds, so with many ties, and
 * "continuous", where all values differ.
 *
 * Both samples are left in DIR as plain doubles for cluster.R, which gives the same to R's mclust
 * and prints the same lines:
 *
 *     time SAMPLE THREADS WALL_S CPU_S
 *     fit SAMPLE MODEL CLUSTERS LOG_LIKELIHOOD        (nan where the model degenerates)
 */
#include <workloom/stats.h>

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Runtimes are a mixture of lognormals: failed starts, tests, and jobs of minutes to days. */
static const struct {
    double weight, mean, sd;
} parts[] = {{0.10, 0.7, 0.6}, {0.15, 2.4, 0.5},  {0.20, 4.1, 0.9}, {0.20, 6.5, 1.1},
             {0.10, 8.2, 0.3}, {0.15, 9.6, 0.25}, {0.10, 10.6, 0.7}};

static double draw_log_runtime(gsl_rng *rng)
{
    double u = gsl_rng_uniform(rng);
    size_t i = 0;
    for (; i + 1 < sizeof parts / sizeof *parts && u >= parts[i].weight; i++)
        u -= parts[i].weight;
    return parts[i].mean + gsl_ran_gaussian(rng, parts[i].sd);
}

static void draw_sample(double *x, size_t n, bool whole)
{
    struct loom_stream stream;
    loom_stream_init(&stream, 1, 0, whole ? "seconds" : "continuous");
    for (size_t i = 0; i < n; i++) {
        x[i] = draw_log_runtime(&stream.gsl);
        if (whole)
            x[i] = log(ceil(exp(x[i])));
    }
}

static double seconds_of(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* BIC back to a log-likelihood, as the library's table has only the first. */
static double log_likelihood(const struct loom_clusters *found, size_t count, int model)
{
    double bic = found->bic_table[2 * (count - 1) + (size_t)model];
    size_t parameters = model == LOOM_VARIANCE_EQUAL ? 2 * count : 3 * count - 1;
    return (bic + (double)parameters * log((double)found->n)) / 2;
}

static int measure(const char *name, const double *x, size_t n, unsigned threads, bool fits,
                   struct loom_error *err)
{
    struct loom_pool *pool = NULL;
    int code = loom_pool_create(&pool, threads, err);
    if (code)
        return code;
    struct loom_clusters found = {0};
    const struct loom_cluster_options options = {.max_clusters = 20, .pool = pool};
    double wall_s = seconds_of(CLOCK_MONOTONIC), cpu_s = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
    code = loom_cluster(&found, x, n, &options, err);
    wall_s = seconds_of(CLOCK_MONOTONIC) - wall_s;
    cpu_s = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - cpu_s;
    if (code == 0)
        printf("time %s %u %.3f %.3f\n", name, loom_pool_threads(pool), wall_s, cpu_s);
    for (int model = 0; code == 0 && fits && model < 2; model++)
        for (size_t count = 1; count <= found.max_clusters; count++)
            printf("fit %s %c %zu %.6f\n", name, "EV"[model], count,
                   log_likelihood(&found, count, model));
    loom_clusters_free(&found);
    loom_pool_destroy(pool);
    return code;
}

static int write_sample(const char *directory, const char *name, const double *x, size_t n,
                        struct loom_error *err)
{
    char path[4096];
    struct loom_output *out;
    snprintf(path, sizeof path, "%s/%s.f64", directory, name);
    int code = loom_output_create(&out, path, err);
    if (code)
        return code;
    code = loom_output_write(out, x, n * sizeof *x, err);
    if (code == 0)
        code = loom_output_commit(out, err);
    loom_output_destroy(out);
    return code;
}

static int bench(const char *directory, const char *name, double *x, size_t n,
                 struct loom_error *err)
{
    draw_sample(x, n, name[0] == 's');
    int code = write_sample(directory, name, x, n, err);
    if (code == 0)
        code = measure(name, x, n, 1, true, err);
    if (code == 0)
        code = measure(name, x, n, 0, false, err);
    return code;
}

int main(int argc, char **argv)
{
    if (argc < 2 || argc > 3) {
        fprintf(stderr, "usage: cluster DIR [VALUES]\n");
        return 2;
    }
    long values = argc > 2 ? strtol(argv[2], NULL, 10) : 200000;
    double *x = values > 0 ? malloc((size_t)values * sizeof *x) : NULL;
    struct loom_error err = {0};
    int code = x ? bench(argv[1], "seconds", x, (size_t)values, &err) : loom_fail_memory(&err);
    if (code == 0)
        code = bench(argv[1], "continuous", x, (size_t)values, &err);
    free(x);
    char text[1400];
    if (code)
        fprintf(stderr, "cluster: %s\n", loom_error_text(&err, text, sizeof text));
    return code ? 1 : 0;
}

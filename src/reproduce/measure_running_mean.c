/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The running mean of samples from a Pareto distribution (Feitelson 2002, 4.1). */
#include "reproduce/bench.h"

#include <workloom/stats.h>

#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 100000, FIRST = 1000 };

/* Steps of a running mean from FIRST samples on: how many go each way, and how far in all. */
struct steps {
    double falls, fall, rises, rise;
};

static struct steps walk(const struct loom_dist *pareto, uint64_t seed, uint64_t replication)
{
    struct loom_stream stream;
    struct steps steps = {0};
    double sum = 0;
    loom_stream_init(&stream, seed, replication, "running-mean");
    for (int n = 1; n <= SAMPLES; n++) {
        double before = n > 1 ? sum / (n - 1) : 0;
        sum += loom_dist_sample(pareto, &stream.gsl);
        double step = sum / n - before;
        if (n > FIRST && step > 0) {
            steps.rises++;
            steps.rise += step;
        } else if (n > FIRST) {
            steps.falls++;
            steps.fall -= step;
        }
    }
    return steps;
}

int loom_measure_running_mean(struct loom_measured *out, struct loom_bench *bench,
                              const struct loom_claim *claim, struct loom_error *err)
{
    size_t n = (size_t)loom_bench_replications(bench, claim);
    char shape[32] = "1";
    struct loom_dist pareto;
    loom_with(claim, "shape", shape, sizeof shape);
    double *values = calloc(n + 1, sizeof *values);
    if (!values)
        return loom_fail_memory(err);
    int rc = loom_dist_init(&pareto, "pareto", (double[]){strtod(shape, NULL), 1}, 2, err);
    for (size_t i = 0; i < n && !rc; i++) {
        struct steps s = walk(&pareto, loom_bench_options(bench)->seed, i);
        values[i] = strcmp(claim->of, "falls") == 0 ? s.falls / (s.falls + s.rises)
                                                    : s.rise / s.rises / (s.fall / s.falls);
    }
    if (!rc)
        rc = loom_measured_mean(out, values, n, err);
    free(values);
    return rc;
}

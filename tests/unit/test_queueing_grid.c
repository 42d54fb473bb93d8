/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The simulated mixed model against its exact solution over a grid of 200 parameters: of each
 * metric, 99 % of the intervals at 99.9 % must hold the exact value.
 */
#include "support.h"

#include <workloom/queueing.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { CELLS = 200, JOBS = 400000 };

static void fill(struct loom_queueing_trial *trials)
{
    static const double lambdas[] = {0, 0.1, 0.3, 0.5, 0.7}, thinks[] = {0, 1, 5, 20};
    static const uint64_t users[] = {1, 2, 5, 10, 20};
    size_t n = 0;
    for (unsigned servers = 1; servers <= 2; servers++)
        for (size_t l = 0; l < COUNT(lambdas); l++)
            for (size_t z = 0; z < COUNT(thinks); z++)
                for (size_t u = 0; u < COUNT(users); u++) {
                    struct loom_queueing_trial *trial = &trials[n++];
                    *trial = (struct loom_queueing_trial){.model = loom_queueing_model(),
                                                          .options = loom_queueing_options(),
                                                          .solve = true,
                                                          .simulate = true};
                    trial->model.lambda = lambdas[l] * servers;
                    trial->model.think.mean = thinks[z];
                    trial->model.closed = users[u];
                    trial->model.servers = servers;
                    trial->options.jobs = JOBS;
                    trial->options.confidence = 0.999;
                    trial->options.seed = n; /* cells are independent */
                }
    assert_int_equal(n, CELLS);
}

/* A server that was never idle has an interval without width: what could not be seen in so many
 * jobs is allowed. */
static bool holds(const struct loom_queueing_trial *trial, size_t metric)
{
    const struct loom_estimate *got = &trial->result.metrics[metric];
    double off = fabs(got->mean - trial->exact[metric]);
    return off <= got->half_width + 1.0 / JOBS;
}

static void test_grid(void **state)
{
    static const size_t metrics[] = {LOOM_QUEUEING_THROUGHPUT, LOOM_QUEUEING_CLOSED_THROUGHPUT,
                                     LOOM_QUEUEING_CLOSED_RESPONSE, LOOM_QUEUEING_OPEN_RESPONSE,
                                     LOOM_QUEUEING_UTILIZATION};
    struct loom_queueing_trial *trials = calloc(CELLS, sizeof *trials);
    struct loom_pool *pool = NULL;
    (void)state;
    assert_non_null(trials);
    fill(trials);
    assert_int_equal(loom_pool_create(&pool, 0, NULL), 0);
    assert_int_equal(loom_queueing_run(trials, CELLS, pool, NULL), 0);
    for (size_t m = 0; m < COUNT(metrics); m++) {
        const char *key = loom_queueing_metric_at(metrics[m])->key;
        size_t inside = 0, cells = 0;
        for (size_t i = 0; i < CELLS; i++) {
            if (!loom_queueing_metric_applies(metrics[m], &trials[i].model))
                continue;
            bool ok = holds(&trials[i], metrics[m]);
            cells++;
            inside += ok;
            if (!ok)
                print_message("# %s, lambda %g, N %g, Z %g, c %u: %g +- %g, exact %g\n", key,
                              trials[i].model.lambda, (double)trials[i].model.closed,
                              trials[i].model.think.mean, trials[i].model.servers,
                              trials[i].result.metrics[metrics[m]].mean,
                              trials[i].result.metrics[metrics[m]].half_width,
                              trials[i].exact[metrics[m]]);
        }
        print_message("# %s: %zu of %zu inside\n", key, inside, cells);
        assert_true((double)inside >= 0.99 * (double)cells);
    }
    loom_pool_destroy(pool);
    free(trials);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_grid)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

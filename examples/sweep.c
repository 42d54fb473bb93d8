/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sweep - run a log under three policies at three loads, on all processors, and print the results
 * as CSV: one row a run, one column a metric.
 *
 *     cc sweep.c -o sweep $(pkg-config --cflags --libs workloom)
 *     ./sweep log.swf > runs.csv
 */
#include <workloom/workloom.h>

#include <stdio.h>

static const char *const policies[] = {"fcfs", "easy", "conservative"};
static const double loads[] = {0.5, 0.7, 0.9};

enum { POLICIES = sizeof policies / sizeof *policies };
enum { LOADS = sizeof loads / sizeof *loads };
enum { RUNS = POLICIES * LOADS };

/* Write the CSV to stdout. */
static int write_csv(const struct loom_outcome *const *outcomes, const char *log,
                     struct loom_error *err)
{
    struct loom_output *out = NULL;
    int rc = loom_output_create(&out, "-", err);
    if (!rc)
        rc = loom_outcomes_csv(out, outcomes, RUNS, log, "log", err);
    if (!rc)
        rc = loom_output_commit(out, err);
    loom_output_destroy(out);
    return rc;
}

/* Run all policies at all loads. The scenarios share the trace, which no run changes. */
static int sweep(const struct loom_trace *trace, const char *log, struct loom_pool *pool,
                 struct loom_error *err)
{
    struct loom_scenario scenarios[RUNS];
    struct loom_outcome *outcomes[RUNS];
    for (size_t i = 0; i < RUNS; i++) {
        scenarios[i] = loom_scenario();
        scenarios[i].trace = trace;
        scenarios[i].policy = policies[i / LOADS];
        scenarios[i].load = loads[i % LOADS]; /* by the times between submissions */
    }
    int rc = loom_sweep_run(outcomes, scenarios, RUNS, pool, err);
    if (!rc)
        rc = write_csv((const struct loom_outcome *const *)outcomes, log, err);
    for (size_t i = 0; i < RUNS; i++)
        loom_outcome_destroy(outcomes[i]); /* NULL after a failure */
    return rc;
}

int main(int argc, char **argv)
{
    struct loom_trace *trace = NULL;
    struct loom_pool *pool = NULL;
    struct loom_error err;
    char text[LOOM_ERROR_TEXT];
    if (argc != 2) {
        fprintf(stderr, "usage: %s LOG\n", argv[0]);
        return 2;
    }
    int rc = loom_trace_read(&trace, argv[1], NULL, &err);
    if (!rc)
        rc = loom_pool_create(&pool, 0, &err); /* a thread for each processor */
    if (!rc)
        rc = sweep(trace, argv[1], pool, &err);
    loom_pool_destroy(pool);
    loom_trace_destroy(trace);
    if (rc)
        fprintf(stderr, "sweep: %s\n", loom_error_text(&err, text, sizeof text));
    return rc ? 1 : 0;
}

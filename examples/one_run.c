/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * one_run - run a log under EASY backfilling and print waits, slowdowns and utilization.
 *
 *     cc one_run.c -o one_run $(pkg-config --cflags --libs workloom)
 *     ./one_run log.swf
 */
#include <workloom/workloom.h>

#include <stdio.h>

/* Print some metrics of the run. loom_metric_at() lists all there are. */
static void print_metrics(const struct loom_outcome *outcome)
{
    static const char *const keys[] = {"jobs", "wait_mean_s", "bounded_slowdown_mean",
                                       "utilization"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const struct loom_metric *metric = loom_metric_find(keys[i]);
        printf("%-24s %10.2f %s\n", metric->label, loom_outcome_metric(outcome, metric),
               metric->unit);
    }
}

/* Read the log, run it, print the results. Returns 0, or a negative code with err filled. */
static int run(const char *path, struct loom_error *err)
{
    struct loom_trace *trace = NULL;
    struct loom_outcome *outcome = NULL;
    int rc = loom_trace_read(&trace, path, NULL, err);
    if (!rc) {
        struct loom_scenario scenario = loom_scenario(); /* defaults: all jobs as they came */
        scenario.trace = trace;
        scenario.policy = "easy";
        rc = loom_scenario_run(&outcome, &scenario, NULL, err);
    }
    if (!rc)
        print_metrics(outcome);
    loom_outcome_destroy(outcome);
    loom_trace_destroy(trace);
    return rc;
}

int main(int argc, char **argv)
{
    struct loom_error err;
    char text[LOOM_ERROR_TEXT];
    if (argc != 2) {
        fprintf(stderr, "usage: %s LOG\n", argv[0]);
        return 2;
    }
    if (run(argv[1], &err)) {
        fprintf(stderr, "one_run: %s\n", loom_error_text(&err, text, sizeof text));
        return 1;
    }
    return 0;
}

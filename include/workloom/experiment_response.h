/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * experiment_response.h - scheduling response of a workload: its mean wait and slowdown under FCFS
 * and EASY at offered loads of 0.5 to 0.8, reached by scaling times between jobs (Minh
 * 2012, 5.2.5).
 */
#ifndef WORKLOOM_EXPERIMENT_RESPONSE_H
#define WORKLOOM_EXPERIMENT_RESPONSE_H

#include <workloom/experiment.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    LOOM_RESPONSE_POLICIES = 2,
    LOOM_RESPONSE_LOADS = 4,
    LOOM_RESPONSE_CELLS = LOOM_RESPONSE_POLICIES * LOOM_RESPONSE_LOADS,
};

struct loom_response_cell {
    const char *policy; /* static */
    double load;
};

/* By cell. Slowdown is mean response over mean runtime. */
struct loom_response {
    double wait_s[LOOM_RESPONSE_CELLS], slowdown[LOOM_RESPONSE_CELLS];
};

/* Return policy and load of a cell, from 0 to LOOM_RESPONSE_CELLS - 1. */
LOOM_API struct loom_response_cell loom_response_cell(size_t index);

/* Simulate a trace in each cell and store the results in *out. Fails as loom_scenario_run does, and
 * with LOOM_EDATA if a result is not known. */
LOOM_API int loom_response_measure(struct loom_response *out, const struct loom_trace *trace,
                                   struct loom_error *err);

/* Return how close two responses are, 0 to 1: the mean over cells of the smaller over the larger
 * wait, each with a minute added, and of the smaller over the larger slowdown. */
LOOM_API double loom_response_closeness(const struct loom_response *log,
                                        const struct loom_response *model);

#ifdef __cplusplus
}
#endif
#endif

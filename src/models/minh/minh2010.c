/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The integrated model of Minh, Wolters and Epema (2010): algorithm 1 over any arrival process,
 * with one distribution of runtimes for all jobs.
 */
#include "models/minh/minh.h"

static const struct loom_param params[] = {LOOM_MINH_PARAMS, {.name = NULL}};

static int minh2010_fit(void *state, const struct loom_training *log, struct loom_error *err)
{
    return loom_minh_fit(state, log, "minh2010", err);
}

static int minh2010_generate(const void *state, struct loom_generation *generation,
                             struct loom_error *err)
{
    return loom_minh_generate(state, loom_minh_weight, generation, err);
}

const struct loom_model_ops loom_model_minh2010 = {
    .info = {.name = "minh2010",
             .summary = "bags of tasks over any arrivals, runtimes and sizes by clusters",
             .source = "Minh 2010, VI",
             .can_fit = true,
             .traits = LOOM_BAGS | LOOM_LOCALITY | LOOM_CORRELATION,
             .params = params},
    .state_size = sizeof(struct loom_minh),
    .fit = minh2010_fit,
    .describe = loom_minh_describe,
    .generate = minh2010_generate,
    .arrivals = loom_minh_arrivals,
    .traits = loom_minh_traits,
    .bags_kept = loom_minh_bags_kept,
    .clear = loom_minh_clear,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workloom experiment merge: the databases of parts of an experiment as one. */
#include "experiment.h"

static const struct loom_param merge_params[] = {
    {.name = "output",
     .letter = 'o',
     .type = LOOM_PARAM_TEXT,
     .metavar = "FILE",
     .help = "the database to write"},
    {.name = NULL},
};

static int run_merge(const struct invocation *call, struct loom_error *err)
{
    const char *to = loom_params_text(call->params, "output");
    if (!to)
        return loom_fail(err, LOOM_EUSAGE, "'experiment merge' needs -o FILE");
    int rc = 0;
    for (size_t i = 0; i < call->n_operands && !rc; i++)
        rc = refuse_same_file(call->operands[i], to, err);
    if (!rc)
        rc = loom_study_merge(to, call->operands, call->n_operands, err);
    if (!rc)
        say(call, "merged %zu databases into %s", call->n_operands, to);
    return rc;
}

static const struct loom_param *const params[] = {merge_params, common_params, NULL};

const struct command command_experiment_merge = {
    .name = "experiment merge",
    .group = GROUP_SIMULATION,
    .summary = "join databases of parts of an experiment",
    .operands = "DB...",
    .params = params,
    .min_operands = 1,
    .max_operands = SIZE_MAX,
    .run = run_merge,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The explanation of a job of an outcome, which kept its run. */
#include "experiment/run.h"

#include <workloom/report.h>

#include <stdlib.h>

static struct loom_explained explained(const struct loom_outcome *outcome)
{
    const struct loom_run *run = outcome->run;
    struct loom_explained view = {.trace = run->jobs.jobs, .explainer = run->explainer};
    if (outcome->load.asked > 0 && outcome->load.way == LOOM_LOAD_ARRIVALS)
        view.arrival_factor = outcome->load.factor;
    if (run->grid) {
        view.grid = run->grid->grid;
        view.clusters = run->grid->clusters;
        view.cluster = run->grid->explained;
        view.grid_explainer = run->grid->explainer;
    } else {
        view.sim = run->sim;
    }
    return view;
}

int loom_outcome_explain(struct loom_output *out, const struct loom_outcome *outcome,
                         struct loom_error *err)
{
    if (!outcome->run || !outcome->run->explained)
        return loom_fail(err, LOOM_EUSAGE, "the scenario named no job to explain");
    const struct loom_explained view = explained(outcome);
    return loom_explain_text(out, &view, err);
}

struct json_t *loom_outcome_explain_json(const struct loom_outcome *outcome)
{
    if (!outcome->run || !outcome->run->explained)
        return NULL;
    const struct loom_explained view = explained(outcome);
    return loom_explain_json(&view);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The explanation of a job of an outcome, which kept its run. */
#include "experiment/run.h"

#include <workloom/report.h>

#include <stdlib.h>

static struct loom_explained explained(const struct loom_outcome *outcome)
{
    const struct loom_run *run = outcome->run;
    struct loom_explained what = {.trace = run->jobs.jobs, .explainer = run->explainer};
    if (outcome->load.asked > 0 && outcome->load.way == LOOM_LOAD_ARRIVALS)
        what.arrival_factor = outcome->load.factor;
    if (run->grid) {
        what.grid = run->grid->grid;
        what.clusters = run->grid->clusters;
        what.cluster = run->grid->explained;
        what.grid_explainer = run->grid->explainer;
    } else {
        what.sim = run->sim;
    }
    return what;
}

int loom_outcome_explain(struct loom_output *out, const struct loom_outcome *outcome,
                         struct loom_error *err)
{
    if (!outcome->run || !outcome->run->explained)
        return loom_fail(err, LOOM_EUSAGE, "the scenario named no job to explain");
    const struct loom_explained what = explained(outcome);
    return loom_explain_text(out, &what, err);
}

struct json_t *loom_outcome_explain_json(const struct loom_outcome *outcome)
{
    if (!outcome->run || !outcome->run->explained)
        return NULL;
    const struct loom_explained what = explained(outcome);
    return loom_explain_json(&what);
}

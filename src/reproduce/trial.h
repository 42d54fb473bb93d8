/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trial.h - experiments of claims. */
#ifndef LOOM_REPRODUCE_TRIAL_H
#define LOOM_REPRODUCE_TRIAL_H

#include "reproduce/bench.h"

/* Run the trial of a claim on its log, or continue it from its database, and store the results in
 * *out. The caller must destroy them. Fails as loom_plan_load and loom_study_run do; LOOM_EDATA if
 * it was stopped. */
int loom_trial_run(struct loom_run_results **out, struct loom_bench *bench,
                   const struct loom_claim *claim, struct loom_error *err);

#endif

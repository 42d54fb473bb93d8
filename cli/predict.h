/* SPDX-License-Identifier: GPL-3.0-or-later */
/* predict.h - the parts of the command predict. */
#ifndef WORKLOOM_CLI_PREDICT_H
#define WORKLOOM_CLI_PREDICT_H

#include "command.h"

/* ---- training (predict_tune.c) --------------------------------------------------------------- */

extern const struct loom_param tune_params[]; /* tune, population, generations, seed, output */

/* Refuse options of training without --tune, and outputs that cannot be written. */
int check_tuning(const struct invocation *call, struct loom_error *err);
/* Train what --tune names on the first part of a log, and write or print the parameters. */
int tune_predictor(const struct invocation *call, const struct loom_trace *trace,
                   struct loom_pool *pool, struct loom_error *err);

/* ---- results (predict_output.c) -------------------------------------------------------------- */

/* Refuse outputs that cannot be written, and options that exclude each other. */
int check_prediction_outputs(const struct invocation *call, struct loom_error *err);
/* Print the table of predictors or of classes, or JSON, and write what --csv, --html and --figures
 * name. */
int show_predictions(const struct invocation *call, const struct loom_predictions *predictions,
                     struct loom_pool *pool, struct loom_error *err);

#endif

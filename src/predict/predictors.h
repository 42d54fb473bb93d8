/* SPDX-License-Identifier: GPL-3.0-or-later */
/* predictors.h - predictors by name, for this room and for the identity of runs. */
#ifndef LOOM_PREDICT_PREDICTORS_H
#define LOOM_PREDICT_PREDICTORS_H

#include "predict/predictor.h"

/* Find the predictor of a text "NAME:PARAMETER=VALUE,..." and create its parameters, which the
 * caller must destroy. Fails with LOOM_EUSAGE or LOOM_ERANGE. */
int loom_predictor_parse(const struct loom_predictor_ops **ops, struct loom_params **params,
                         const char *text, struct loom_error *err);

/* Return whether a text names a parameter file: it ends in ".json". */
bool loom_names_parameter_file(const char *text);
/* Read a parameter file (parameter_file.c): the predictor and its parameters, which the caller must
 * destroy. LOOM_EIO, LOOM_EDATA with the key at fault. */
int loom_parameter_file_read(const struct loom_predictor_ops **ops, struct loom_params **params,
                             const char *file, struct loom_error *err);

/* Create a predictor with parameters, which it takes over, also on failure. */
int loom_predictor_create_with(struct loom_predictor **out, const struct loom_predictor_ops *ops,
                               struct loom_params *params, struct loom_error *err);
/* Show a predictor a job of the log that is to be replayed, before its first prediction. Fails with
 * LOOM_ENOMEM. */
int loom_predictor_survey(struct loom_predictor *predictor, const struct loom_job_view *job,
                          struct loom_error *err);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Errors of a runtime predictor on a log. */
#include "reproduce/bench.h"

#include <workloom/predict.h>

#include <stdlib.h>
#include <string.h>

/* Store one of the errors by its name. */
static int pick_error(double *out, const struct loom_prediction_errors *errors, const char *name,
                      struct loom_error *err)
{
    const struct {
        const char *name;
        double value;
    } values[] = {{"underestimated_fraction", errors->underestimated_fraction},
                  {"mae_s", errors->mae_s},
                  {"wae_s", errors->wae_s},
                  {"ne", errors->ne},
                  {"jobs", (double)errors->jobs}};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (strcmp(values[i].name, name) == 0) {
            *out = values[i].value;
            return 0;
        }
    return loom_fail(err, LOOM_EUSAGE, "there is no error '%s' of predictions", name);
}

int loom_measure_prediction(struct loom_measured *out, struct loom_bench *bench,
                            const struct loom_claim *claim, struct loom_error *err)
{
    const struct loom_trace *jobs = NULL;
    struct loom_predictor *predictor = NULL;
    struct loom_evaluation evaluation = {0};
    char name[256] = "", train[32] = "0";
    loom_with(claim, "predictor", name, sizeof name);
    loom_with(claim, "train", train, sizeof train);
    int rc = loom_bench_jobs(&jobs, bench, claim, err);
    if (!rc)
        rc = loom_predictor_create(&predictor, name, err);
    if (!rc)
        rc = loom_evaluate(&evaluation, predictor, jobs, strtod(train, NULL), err);
    if (!rc)
        rc = pick_error(&out->value, &evaluation.errors, claim->of, err);
    loom_evaluation_free(&evaluation);
    loom_predictor_destroy(predictor);
    return rc;
}

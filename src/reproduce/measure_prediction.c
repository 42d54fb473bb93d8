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

/* Jobs that request at least so much time. */
struct big {
    const struct loom_evaluation *evaluation;
    const struct loom_jobs *jobs;
    int64_t least_s;
};

static bool is_big(const void *context, size_t index)
{
    const struct big *big = context;
    return big->jobs->request_s[big->evaluation->jobs[index].row] >= big->least_s;
}

/* Store the share of big jobs, or their share of the absolute error ("big_jobs", "big_error"). */
static int pick_big(double *out, const struct loom_evaluation *evaluation,
                    const struct loom_trace *trace, const struct loom_claim *claim,
                    const char *least, struct loom_error *err)
{
    const struct big big = {evaluation, loom_trace_jobs(trace), strtoll(least, NULL, 10)};
    struct loom_prediction_errors all = evaluation->errors,
                                  part = loom_evaluation_errors(evaluation, trace, 0, evaluation->n,
                                                                is_big, &big);
    double jobs = (double)part.jobs / (double)all.jobs;
    if (strcmp(claim->of, "big_jobs") == 0)
        *out = jobs;
    else if (strcmp(claim->of, "big_error") == 0)
        *out = part.jobs > 0 ? jobs * part.mae_s / all.mae_s : 0;
    else
        return loom_fail(err, LOOM_EUSAGE, "big jobs have no '%s'", claim->of);
    return 0;
}

/* Measure an error of a predictor. */
static int measure_by(double *out, const struct loom_trace *jobs, const struct loom_claim *claim,
                      const char *name, struct loom_error *err)
{
    struct loom_predictor *predictor = NULL;
    struct loom_evaluation evaluation = {0};
    char train[32] = "0", least[32];
    loom_with(claim, "train", train, sizeof train);
    int rc = loom_predictor_create(&predictor, name, err);
    if (!rc)
        rc = loom_evaluate(&evaluation, predictor, jobs, strtod(train, NULL), err);
    if (!rc)
        rc = loom_with(claim, "big", least, sizeof least)
                 ? pick_big(out, &evaluation, jobs, claim, least, err)
                 : pick_error(out, &evaluation.errors, claim->of, err);
    loom_evaluation_free(&evaluation);
    loom_predictor_destroy(predictor);
    return rc;
}

int loom_measure_prediction(struct loom_measured *out, struct loom_bench *bench,
                            const struct loom_claim *claim, struct loom_error *err)
{
    const struct loom_trace *jobs = NULL;
    const char *second = claim->minus ? claim->minus : claim->over;
    double other = 0;
    char name[256] = "";
    loom_with(claim, "predictor", name, sizeof name);
    int rc = loom_bench_jobs(&jobs, bench, claim, err);
    if (!rc)
        rc = measure_by(&out->value, jobs, claim, name, err);
    if (!rc && second)
        rc = measure_by(&other, jobs, claim, second, err);
    return rc ? rc : loom_relate(out, claim, other, err);
}

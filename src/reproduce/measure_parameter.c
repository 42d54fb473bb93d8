/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters of a model that is fitted to a log, or published. */
#include "models/document/document.h"
#include "reproduce/bench.h"

#include <workloom/models.h>

int loom_measure_parameter(struct loom_measured *out, struct loom_bench *bench,
                           const struct loom_claim *claim, struct loom_error *err)
{
    struct loom_model *model = NULL;
    int rc = loom_claim_model(&model, bench, claim, err);
    if (!rc)
        rc = loom_document_number(&out->value, model, claim->of, err);
    loom_model_destroy(model);
    return rc;
}

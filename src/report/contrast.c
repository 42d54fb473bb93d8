/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What figures that lay traces over each other are drawn from, worked out side by side. */
#include "report/contrast.h"

#include "features/locality.h"
#include "features/rate.h"

#include <stdlib.h>
#include <string.h>

struct making {
    struct loom_contrast *contrast;
    const struct loom_side *sides;
};

/* Times that span centuries have no rate process; the features say so. */
static int count_arrivals(struct loom_contrasted *one, const struct loom_trace *trace,
                          struct loom_error *err)
{
    struct loom_arranged arranged;
    int rc = loom_arrange(&arranged, trace, err);
    if (rc)
        return rc;
    if (arranged.jobs.n > 1)
        rc = loom_rate_create(&one->rate, &one->n_rate, arranged.jobs.submit_s, arranged.jobs.n,
                              LOOM_RATE_S, err);
    if (!rc || rc == LOOM_EDATA)
        rc = loom_locality_days(&one->days, &one->n_days, &arranged.jobs, err);
    loom_arranged_free(&arranged);
    return rc;
}

static int work_out(void *context, size_t index, unsigned worker, struct loom_error *err)
{
    const struct making *making = context;
    struct loom_contrasted *one = &making->contrast->of[index];
    (void)worker;
    one->label = making->sides[index].label;
    one->features = making->sides[index].features;
    int rc = loom_samples_create(&one->samples, making->sides[index].trace,
                                 loom_features_definitions(one->features), err);
    return rc ? rc : count_arrivals(one, making->sides[index].trace, err);
}

int loom_contrast_create(struct loom_contrast *out, const struct loom_side *sides, size_t n,
                         struct loom_pool *pool, struct loom_error *err)
{
    *out = (struct loom_contrast){.of = calloc(n, sizeof *out->of), .n = n};
    struct making making = {out, sides};
    if (!out->of)
        return loom_fail_memory(err);
    int rc = loom_pool_for(pool, n, work_out, &making, err);
    if (rc)
        loom_contrast_free(out);
    return rc;
}

void loom_contrast_free(struct loom_contrast *contrast)
{
    for (size_t i = 0; contrast->of && i < contrast->n; i++) {
        loom_samples_free(&contrast->of[i].samples);
        free(contrast->of[i].rate);
        free(contrast->of[i].days);
    }
    free(contrast->of);
    *contrast = (struct loom_contrast){0};
}

size_t loom_contrast_distribution(const char *key)
{
    size_t i = 0;
    while (i + 1 < LOOM_DISTRIBUTIONS && strcmp(loom_distribution_at(i)->key, key) != 0)
        i++;
    return i;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Predictors by name. */
#include "predict/predictors.h"

#include "base/spec.h"

/* All of them, in the order of listings. A new one is one more line here. */
#define PREDICTORS(X) \
    X(requested)      \
    X(clairvoyant)    \
    X(recent2)        \
    X(ibl)            \
    X(minh2010)       \
    X(online)

#define X(name) extern const struct loom_predictor_ops loom_predictor_##name;
PREDICTORS(X)
#undef X

static const struct loom_predictor_ops *const predictors[] = {
#define X(name) &loom_predictor_##name,
    PREDICTORS(X)
#undef X
};

enum { N_PREDICTORS = sizeof predictors / sizeof *predictors };

const struct loom_predictor_info *loom_predictor_at(size_t index)
{
    return index < N_PREDICTORS ? &predictors[index]->info : NULL;
}

static const char *at(const void *self, size_t index, const struct loom_param **params)
{
    const struct loom_predictor_info *info = loom_predictor_at(index);
    (void)self;
    if (info)
        *params = info->params;
    return info ? info->name : NULL;
}

int loom_predictor_parse(const struct loom_predictor_ops **ops, struct loom_params **params,
                         const char *text, struct loom_error *err)
{
    const struct loom_spec_list list = {"predictor", "see 'workloom list predictors'", at, NULL};
    size_t index;
    if (!text)
        return loom_fail(err, LOOM_EUSAGE, "no predictor is given; see 'workloom list predictors'");
    int rc = loom_spec_parse(&index, params, &list, text, err);
    if (rc)
        return rc;
    *ops = predictors[index];
    if ((*ops)->check)
        rc = (*ops)->check(*params, err);
    if (rc) {
        loom_params_destroy(*params);
        *params = NULL;
    }
    return rc;
}

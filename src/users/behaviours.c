/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of user behaviour models. */
#include "base/spec.h"
#include "users/behaviour.h"

/* All models, in the order of listings. A new one is one more line here. */
#define BEHAVIOURS(X) \
    X(adjusted)       \
    X(distribution)   \
    X(fluid)

#define X(name) extern const struct loom_behaviour_ops loom_behaviour_##name;
BEHAVIOURS(X)
#undef X

static const struct loom_behaviour_ops *const behaviours[] = {
#define X(name) &loom_behaviour_##name,
    BEHAVIOURS(X)
#undef X
};

enum { N_BEHAVIOURS = sizeof behaviours / sizeof *behaviours };

const struct loom_behaviour_info *loom_behaviour_at(size_t index)
{
    return index < N_BEHAVIOURS ? &behaviours[index]->info : NULL;
}

static const char *behaviour_at(const void *self, size_t index, const struct loom_param **params)
{
    (void)self;
    if (index >= N_BEHAVIOURS)
        return NULL;
    *params = behaviours[index]->info.params;
    return behaviours[index]->info.name;
}

int loom_behaviour_parse(const struct loom_behaviour_ops **ops, struct loom_params **params,
                         const char *text, struct loom_error *err)
{
    static const struct loom_spec_list list = {"behaviour", "see 'workloom list behaviours'",
                                               behaviour_at, NULL};
    size_t index;
    int rc = loom_spec_parse(&index, params, &list, text, err);
    if (!rc)
        *ops = behaviours[index];
    return rc;
}

int loom_behaviour_check(const char *behaviour, struct loom_error *err)
{
    const struct loom_behaviour_ops *ops;
    struct loom_params *params = NULL;
    int rc = loom_behaviour_parse(&ops, &params, behaviour, err);
    loom_params_destroy(params);
    return rc;
}

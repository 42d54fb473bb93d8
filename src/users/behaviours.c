/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of user behaviour models. */
#include "base/spec.h"
#include "users/behaviour.h"

#include <stdlib.h>
#include <string.h>

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

static int find(const struct loom_behaviour_ops **out, const char *name, struct loom_error *err)
{
    const char *names[N_BEHAVIOURS + 1] = {0};
    for (size_t i = 0; i < N_BEHAVIOURS; i++) {
        names[i] = behaviours[i]->info.name;
        if (strcmp(names[i], name) == 0) {
            *out = behaviours[i];
            return 0;
        }
    }
    return loom_fail_unknown(err, "behaviour", name, names, "see 'workloom list behaviours'");
}

int loom_behaviour_parse(const struct loom_behaviour_ops **ops, struct loom_params **params,
                         const char *text, struct loom_error *err)
{
    char *name = strdup(text);
    if (!name)
        return loom_fail_memory(err);
    char *words = loom_spec_split(name);
    int rc = find(ops, name, err);
    if (!rc)
        rc = loom_spec_params(params, (*ops)->info.name, (*ops)->info.params, words, err);
    free(name);
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

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plug-ins by name, with their parameters behind it. */
#include "base/spec.h"

#include <string.h>

char *loom_spec_split(char *text)
{
    char *words = strchr(text, ':');
    if (words)
        *words++ = '\0';
    return words;
}

int loom_spec_params(struct loom_params **out, const char *name, const struct loom_param *declared,
                     const char *words, struct loom_error *err)
{
    static const struct loom_param none[] = {{.name = NULL}};
    const struct loom_param *const lists[] = {declared ? declared : none, NULL};
    struct loom_params *params = NULL;
    int rc = loom_params_create(&params, lists, err);
    if (!rc && words)
        rc = loom_params_assign_all(params, name, words, err);
    if (rc)
        loom_params_destroy(params);
    else
        *out = params;
    return rc;
}

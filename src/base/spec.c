/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plug-ins by name, with their parameters behind it. */
#include "base/spec.h"

#include "base/param.h"
#include "base/words.h"

#include <stdlib.h>
#include <string.h>

static int spec_fail_unknown(const struct loom_spec_list *list, const char *name, size_t n,
                             struct loom_error *err)
{
    const struct loom_param *params;
    const char **names = calloc(n + 1, sizeof *names);
    if (!names)
        return loom_fail_memory(err);
    for (size_t i = 0; i < n; i++)
        names[i] = list->at(list->self, i, &params);
    int rc = loom_fail_unknown(err, list->kind, name, names, list->remedy);
    free(names);
    return rc;
}

int loom_spec_find(size_t *index, const struct loom_spec_list *list, const char *name,
                   struct loom_error *err)
{
    const struct loom_param *params;
    const char *found;
    size_t n = 0;
    if (!name)
        return loom_fail(err, LOOM_EUSAGE, "which %s? %s", list->kind, list->remedy);
    for (; (found = list->at(list->self, n, &params)); n++)
        if (strcmp(found, name) == 0) {
            *index = n;
            return 0;
        }
    return spec_fail_unknown(list, name, n, err);
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

/* Fail if a parameter is given twice. */
static int refuse_twice(const char *name, const char *words, struct loom_error *err)
{
    for (const char *word = words; word; word = strchr(word, ',') ? strchr(word, ',') + 1 : NULL) {
        size_t length = strcspn(word, "=,");
        for (const char *next = strchr(word, ','); next; next = strchr(next + 1, ','))
            if (length > 0 && strcspn(next + 1, "=,") == length &&
                strncmp(word, next + 1, length) == 0)
                return loom_fail(err, LOOM_EUSAGE, "%s: %.*s is given twice", name, (int)length,
                                 word);
    }
    return 0;
}

int loom_spec_parse(size_t *index, struct loom_params **params, const struct loom_spec_list *list,
                    const char *text, struct loom_error *err)
{
    if (!text)
        return loom_spec_find(index, list, NULL, err);
    char *name = strdup(text);
    if (!name)
        return loom_fail_memory(err);
    char *words = strchr(name, ':');
    if (words)
        *words++ = '\0';
    int rc = loom_spec_find(index, list, name, err);
    if (!rc) {
        const struct loom_param *declared = NULL;
        list->at(list->self, *index, &declared);
        rc = loom_spec_params(params, name, declared, words, err);
        if (!rc && refuse_twice(name, words, err)) {
            loom_params_destroy(*params);
            *params = NULL;
            rc = LOOM_EUSAGE;
        }
    }
    free(name);
    return rc;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters of plug-ins behind their names, and complaints in the words of those who wrote them.
 */
#include "base/spec.h"

#include <stdio.h>
#include <string.h>

enum { MOST_PARAMS = 32 };

/* Whose parameters they are. */
struct owner {
    const char *kind, *name;
    const struct loom_param *declared;
};

static int fail_unknown(const struct owner *owner, const char *word, struct loom_error *err)
{
    const char *names[MOST_PARAMS + 1] = {0};
    for (size_t n = 0; owner->declared && owner->declared[n].name && n < MOST_PARAMS; n++)
        names[n] = owner->declared[n].name;
    if (!names[0])
        return loom_fail(err, LOOM_EUSAGE, "the %s '%s' has no parameters", owner->kind,
                         owner->name);
    const char *nearest = loom_nearest(word, names);
    return loom_fail(err, LOOM_EUSAGE, "the %s '%s' has no parameter '%s'; %s '%s'%s", owner->kind,
                     owner->name, word, nearest ? "did you mean" : "its first is",
                     nearest ? nearest : names[0], nearest ? "?" : "");
}

/* Messages about values speak of options of a command line ("--order wants ..."). */
static int reword(const struct owner *owner, int rc, struct loom_error *err)
{
    if (err) {
        char text[sizeof err->message];
        memcpy(text, err->message, sizeof text);
        snprintf(err->message, sizeof err->message, "%s %s: %.700s", owner->kind, owner->name,
                 strncmp(text, "--", 2) == 0 ? text + 2 : text);
    }
    return rc;
}

/* One "PARAMETER=VALUE", or "FLAG". */
static int set_one(struct loom_params *params, const struct owner *owner, char *word,
                   struct loom_error *err)
{
    char *value = strchr(word, '=');
    if (value)
        *value++ = '\0';
    const struct loom_param *param = *word ? loom_params_find(params, word) : NULL;
    if (!param)
        return fail_unknown(owner, word, err);
    int rc = loom_params_set(params, param->name, value, err);
    return rc && rc != LOOM_ENOMEM ? reword(owner, rc, err) : rc;
}

char *loom_spec_split(char *text)
{
    char *words = strchr(text, ':');
    if (words)
        *words++ = '\0';
    return words;
}

int loom_spec_params(struct loom_params **out, const char *kind, const char *name,
                     const struct loom_param *declared, char *words, struct loom_error *err)
{
    static const struct loom_param none[] = {{.name = NULL}};
    const struct owner owner = {kind, name, declared};
    const struct loom_param *const lists[] = {declared ? declared : none, NULL};
    struct loom_params *params = NULL;
    int rc = loom_params_create(&params, lists, err);
    while (words && !rc) {
        char *comma = strchr(words, ',');
        if (comma)
            *comma++ = '\0';
        rc = set_one(params, &owner, words, err);
        words = comma;
    }
    if (rc)
        loom_params_destroy(params);
    else
        *out = params;
    return rc;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Conditions of claims as text. */
#include "reproduce/condition.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

bool loom_condition_next(struct loom_condition *out, const char **text)
{
    const char *at = *text + strspn(*text, " ;");
    size_t length = strcspn(at, ";"), key = strcspn(at, "<=;");
    *text = at + length;
    if (length == 0)
        return false;
    const char *value = at + key;
    out->at_most = *value == '<';
    value += strspn(value, "<=");
    snprintf(out->key, sizeof out->key, "%.*s", (int)key, at);
    snprintf(out->value, sizeof out->value, "%.*s", (int)(at + length - value), value);
    return true;
}

bool loom_condition_fits(const struct loom_condition *condition, const char *text)
{
    return strchr(condition->value, '*') ? fnmatch(condition->value, text, 0) == 0
                                         : strcmp(text, condition->value) == 0;
}

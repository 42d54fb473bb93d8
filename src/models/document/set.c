/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Settings of documents, as in runtimes[0].mean=7: which key is meant, what it becomes, and
 * which setting is to blame where a changed document is refused.
 */
#include "base/error.h"
#include "base/words.h"
#include "models/document/document.h"

#include <workloom/models.h>

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- settings -------------------------------------------------------------------------------- */

static int unknown_key(const json_t *object, const char *key, const char *setting,
                       struct loom_error *err)
{
    const char *names[64] = {0};
    size_t n = 0;
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)object, name,
                        value) if (n + 1 < sizeof names / sizeof *names) names[n++] = name;
    char meant[256];
    loom_did_you_mean(meant, sizeof meant, key, names);
    return loom_fail_field(err, LOOM_EUSAGE, "setting",
                           "setting %s: this model has no parameter '%s'%s%s", setting, key,
                           meant[0] ? "; " : "", meant);
}

/* `list` is what led there, for "runtimes[99]" and its like. */
static int unknown_item(const json_t *array, const char *list, const char *setting,
                        struct loom_error *err)
{
    size_t n = json_array_size(array);
    if (n == 0)
        return loom_fail_field(err, LOOM_EUSAGE, "setting",
                               "setting %s: '%s' has no items in this model", setting, list);
    return loom_fail_field(err, LOOM_EUSAGE, "setting",
                           "setting %s: '%s' has %zu %s, which %s counted from 0: %s[0] to %s[%zu]",
                           setting, list, n, n == 1 ? "item" : "items", n == 1 ? "is" : "are", list,
                           list, n - 1);
}

static json_t *step_into(json_t *value, const char *key)
{
    if (json_is_array(value)) {
        char *end;
        unsigned long index = strtoul(key, &end, 10);
        return *key && !*end ? json_array_get(value, index) : NULL;
    }
    return json_object_get(value, key);
}

/* A number where a number was; anything else as a word. */
static json_t *new_value(const json_t *old, const char *text)
{
    json_t *value = json_loads(text, JSON_DECODE_ANY, NULL);
    if (!value)
        value = loom_large_number(text);
    if (json_is_integer(value) && json_is_real(old)) {
        double number = (double)json_integer_value(value);
        json_decref(value);
        value = json_real(number);
    }
    return value ? value : json_string(text);
}

static int replace(json_t *within, const char *key, const char *text, struct loom_error *err)
{
    json_t *value = new_value(step_into(within, key), text);
    int failed = !value;
    if (!failed && json_is_array(within))
        failed = json_array_set_new(within, strtoul(key, NULL, 10), value);
    else if (!failed)
        failed = json_object_set_new(within, key, value);
    return failed ? loom_fail_memory(err) : 0;
}

/* Keys as messages show them, such as "parameters.runtimes[0].mean": without the first word, and
 * with ".0" for "[0]". */
static void plain_path(char *path)
{
    static const char top[] = "parameters.";
    if (strncmp(path, top, strlen(top)) == 0)
        memmove(path, path + strlen(top), strlen(path + strlen(top)) + 1);
    char *to = path;
    for (const char *from = path; *from; from++)
        if (*from == '[')
            *to++ = '.';
        else if (*from != ']')
            *to++ = *from;
    *to = '\0';
}

static bool starts(const char *path, const char *word)
{
    size_t length = strlen(word);
    return strncmp(path, word, length) == 0 && (path[length] == '.' || !path[length]);
}

/* Is one of the keys of a path this word? */
static bool leads_through(const char *path, const char *word)
{
    for (const char *key = path; key; key = strchr(key, '.') ? strchr(key, '.') + 1 : NULL)
        if (starts(key, word))
            return true;
    return false;
}

/* Where the keys of a path are looked up: among the model's own, or among the parameters of
 * requested times. What the document says about the log is a fact, and other options say what to
 * make instead. */
static int find_root(json_t **out, json_t *document, const char *path, const char *setting,
                     struct loom_error *err)
{
    *out = json_object_get(document, "parameters");
    if (leads_through(path, "log"))
        return loom_fail_field(
            err, LOOM_EUSAGE, "setting jobs procs load",
            "setting %s: what was fitted cannot be set; jobs, procs and load say what "
            "to make, and other keys of log are changed in the file",
            setting);
    if (!starts(path, "estimates"))
        return 0;
    *out = document;
    if (json_object_get(document, "estimates"))
        return 0;
    return loom_fail_field(
        err, LOOM_EUSAGE, "setting",
        "setting %s: this model has no estimates, which are those of a log with requested "
        "times",
        setting);
}

static int no_such_key(const json_t *within, const char *key, const char *parent,
                       const char *setting, struct loom_error *err)
{
    return json_is_array(within) ? unknown_item(within, parent, setting, err)
                                 : unknown_key(within, key, setting, err);
}

/* Replace the value that a path of keys leads to. */
static int set_value(json_t *within, char *path, const char *text, const char *setting,
                     struct loom_error *err)
{
    char *rest = path, *key, *parent = path;
    for (;;) {
        key = strsep(&rest, ".");
        json_t *value = step_into(within, key);
        if (!value)
            return no_such_key(within, key, parent, setting, err);
        if (!rest)
            return replace(within, key, text, err);
        within = value;
        parent = key;
    }
}

/* The key of a setting as a plain path. False where there is none. */
static bool settings_key_of(char *path, size_t size, const char *setting)
{
    size_t length = strcspn(setting, "=");
    if (length == 0 || length >= size || !setting[length])
        return false;
    memcpy(path, setting, length);
    path[length] = '\0';
    plain_path(path);
    return true;
}

/* A parameter of fitting by that name, which documents do not have or cannot change. */
static const struct loom_param *fit_param(const json_t *document, const char *key)
{
    const struct loom_model_info *info;
    const char *name = json_string_value(json_object_get(document, "model"));
    if (!name || loom_model_find(&info, name, NULL))
        return NULL;
    for (const struct loom_param *param = info->params; param && param->name; param++)
        if (strcmp(param->name, key) == 0)
            return param;
    return NULL;
}

/* Words of documents that say what the numbers beside them mean: a parameter of fitting chooses
 * them, numbers and all. The parameter, or NULL; an arrival process within the model has its own.
 */
static const char *choosing_param(char *name, size_t size, const json_t *document, const char *path)
{
    static const char *const chosen[][2] = {{"of", "runtimes"},
                                            {"method", "cycle"},
                                            {"process", "arrivals"}};
    const char *last = strrchr(path, '.') ? strrchr(path, '.') + 1 : path;
    for (size_t i = 0; i < sizeof chosen / sizeof *chosen; i++)
        if (strcmp(last, chosen[i][0]) == 0) {
            bool own = fit_param(document, chosen[i][1]) != NULL;
            snprintf(name, size, "%s%s", own ? "" : "arrivals.", chosen[i][1]);
            return name;
        }
    return NULL;
}

static int fail_fit_param(const json_t *document, const char *key, const char *setting,
                          struct loom_error *err)
{
    const char *name = json_string_value(json_object_get(document, "model"));
    const json_t *log = json_object_get(document, "log");
    bool fitted = json_is_true(json_object_get(log, "fitted"));
    const char *value = strchr(setting, '=') + 1;
    if (!fitted)
        return loom_fail_field(
            err, LOOM_EUSAGE, "setting",
            "setting %s: %s is a parameter of the model as a whole; give it behind its "
            "name, as in 'workloom generate %s:%s=%s'",
            setting, key, name, key, value);
    return loom_fail_field(
        err, LOOM_EUSAGE, "setting",
        "setting %s: %s is chosen when fitting, as in 'workloom fit %s:%s=%s TRACE'", setting, key,
        name, key, value);
}

static bool has_key(json_t *within, const char *path)
{
    char copy[200], *rest = copy, *key;
    snprintf(copy, sizeof copy, "%s", path);
    while (within && (key = strsep(&rest, ".")))
        within = step_into(within, key);
    return within != NULL;
}

/* One setting, "path.to.key=value". */
static int apply_setting(json_t *document, const char *setting, struct loom_error *err)
{
    char path[200], param[32];
    json_t *root;
    if (!settings_key_of(path, sizeof path, setting))
        return loom_fail_field(err, LOOM_EUSAGE, "setting",
                               "setting %s: this is no setting; give it as KEY=VALUE", setting);
    int rc = find_root(&root, document, path, setting, err);
    if (!rc && !json_object_get(root, path) && fit_param(document, path))
        return fail_fit_param(document, path, setting, err);
    if (!rc && choosing_param(param, sizeof param, document, path) && has_key(root, path))
        return fail_fit_param(document, param, setting, err);
    return rc ? rc : set_value(root, path, strchr(setting, '=') + 1, setting, err);
}

/* Of two values for one key, it is not clear which is meant. */
static int refuse_twice(const char *const *settings, size_t i, struct loom_error *err)
{
    char key[200], other[200];
    for (size_t k = 0; k < i && settings_key_of(key, sizeof key, settings[i]); k++)
        if (settings_key_of(other, sizeof other, settings[k]) && strcmp(key, other) == 0)
            return loom_fail_field(err, LOOM_EUSAGE, "setting", "setting %s: %s is given twice",
                                   settings[i], key);
    return 0;
}

int loom_document_set(json_t *document, const char *const *settings, size_t n,
                      struct loom_error *err)
{
    int rc = 0;
    for (size_t i = 0; i < n && !rc; i++) {
        rc = refuse_twice(settings, i, err);
        if (!rc)
            rc = apply_setting(document, settings[i], err);
    }
    return rc;
}

/* ---- settings that will not do --------------------------------------------------------------- */

static bool is_choice(const struct loom_param *param, const char *text)
{
    for (const char *const *choice = param->choices; choice && *choice; choice++)
        if (strcmp(*choice, text) == 0)
            return true;
    return false;
}

/* Is the message, which begins with the path of a key, about the key of that setting, or of one
 * within it? */
static bool tells_of(const char *message, const char *setting)
{
    char key[200], path[200];
    if (!settings_key_of(key, sizeof key, setting))
        return false;
    snprintf(path, sizeof path, "%.*s", (int)strcspn(message, " "), message);
    plain_path(path);
    return starts(path, key) || starts(key, path);
}

int loom_document_blame(int rc, const json_t *document, const char *const *settings, size_t n,
                        struct loom_error *err)
{
    struct loom_error why = *err;
    char key[200];
    for (size_t i = 0; i < n; i++) {
        const struct loom_param *param =
            settings_key_of(key, sizeof key, settings[i]) ? fit_param(document, key) : NULL;
        if (param && is_choice(param, strchr(settings[i], '=') + 1)) {
            fail_fit_param(document, key, settings[i], err);
            size_t used = strlen(err->message);
            snprintf(err->message + used, sizeof err->message - used, " (%.200s)", why.message);
            return err->code = rc;
        }
    }
    for (size_t i = n; i-- > 0;)
        if (tells_of(why.message, settings[i]))
            return loom_fail_field(err, rc, "setting", "setting %.100s: %.300s", settings[i],
                                   why.message);
    size_t used = strlen(err->message);
    snprintf(err->message + used, sizeof err->message - used, "; that is with setting %.100s%s",
             settings[0], n > 1 ? " and others" : "");
    return loom_blame(rc, "setting", err);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Declared parameters: values are checked when they are set, against what the declaration allows,
 * so that whoever reads them later need not check again.
 */
#include "base/param.h"

#include "base/arena.h"
#include "base/vec.h"
#include "base/words.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct value {
    const struct loom_param *param;
    bool given;
    int64_t integer;
    double real;
    const char **items; /* values as text, the last one is what counts if not repeated */
    size_t n, capacity;
    const char **nested; /* "PARAMETER=VALUE" of the plug-in that the value names */
    size_t n_nested, nested_capacity;
};

struct loom_params {
    struct value *values;
    size_t n;
    struct loom_arena arena;
};

/* ---- checking -------------------------------------------------------------------------------- */

static int fail_value(const struct loom_param *param, const char *text, const char *wanted,
                      struct loom_error *err)
{
    return loom_fail_field(err, LOOM_EUSAGE, param->name, "%s wants %s, not '%s'%s%s", param->name,
                           wanted, text, param->hint ? "; " : "", param->hint ? param->hint : "");
}

static bool in_range(const struct loom_param *param, double number)
{
    bool any = param->min == 0 && param->max == 0;
    return any || (number >= param->min && number <= param->max);
}

/* A bound as people write it: whole numbers with all their digits. */
static const char *bound_text(double bound, char *buf, size_t size)
{
    bool whole = fabs(bound) < 0x1p63 && bound == floor(bound);
    snprintf(buf, size, whole ? "%.0f" : "%.15g", bound);
    return buf;
}

/* Return whether there is an upper end that a message should name. */
static bool is_bounded(const struct loom_param *param)
{
    bool any = param->min == 0 && param->max == 0;
    return !any && param->max < 0x1p62;
}

static int fail_range(const struct loom_param *param, const char *text, struct loom_error *err)
{
    char min[32], max[32];
    bound_text(param->min, min, sizeof min);
    if (!is_bounded(param))
        return loom_fail_field(err, LOOM_ERANGE, param->name, "%s must be at least %s, not %s",
                               param->name, min, text);
    return loom_fail_field(err, LOOM_ERANGE, param->name, "%s must be between %s and %s, not %s",
                           param->name, min, bound_text(param->max, max, sizeof max), text);
}

static int fail_too_large(const struct loom_param *param, const char *text, struct loom_error *err)
{
    return loom_fail_field(err, LOOM_ERANGE, param->name, "%s: %s is too large", param->name, text);
}

/* Parse a whole number: digits, or a form such as "1e6" or "2.5e3" up to 2^53. Sets errno as
 * strtoll does. */
static bool read_whole(const char *text, int64_t *out)
{
    char *end;
    errno = 0;
    *out = strtoll(text, &end, 10);
    if (end == text || isspace((unsigned char)*text))
        return false;
    if (!*end)
        return true;
    if (strspn(text, "+-.0123456789eE") != strlen(text))
        return false;
    errno = 0;
    double number = strtod(text, &end);
    if (*end || number != floor(number))
        return false;
    errno = fabs(number) <= 0x1p53 ? 0 : ERANGE;
    *out = errno ? 0 : (int64_t)number;
    return true;
}

static int parse_int(const struct loom_param *param, const char *text, int64_t *out,
                     struct loom_error *err)
{
    int64_t number;
    if (!read_whole(text, &number))
        return fail_value(param, text, "a whole number", err);
    if (errno == ERANGE && !is_bounded(param))
        return fail_too_large(param, text, err);
    if (errno == ERANGE || !in_range(param, (double)number))
        return fail_range(param, text, err);
    *out = number;
    return 0;
}

static int parse_real(const struct loom_param *param, const char *text, double *out,
                      struct loom_error *err)
{
    char *end;
    double number = strtod(text, &end);
    if (end == text || *end || !isfinite(number) || isspace((unsigned char)*text))
        return fail_value(param, text, "a number", err);
    if (!in_range(param, number))
        return fail_range(param, text, err);
    *out = number;
    return 0;
}

/* Parse a number of bytes with an optional suffix. It must be whole, as 1e6 is. */
static int parse_bytes(const struct loom_param *param, const char *text, int64_t *out,
                       struct loom_error *err)
{
    static const char suffixes[] = "KMGT";
    char number[64];
    size_t length = strlen(text);
    const char *suffix =
        length > 0 ? strchr(suffixes, toupper((unsigned char)text[length - 1])) : NULL;
    snprintf(number, sizeof number, "%.*s", (int)(length - (suffix ? 1 : 0)), text);
    if (length >= sizeof number || !isdigit((unsigned char)*text) || !read_whole(number, out))
        return fail_value(param, text, "a number of bytes such as 500M", err);
    int shift = suffix ? 10 * (int)(suffix - suffixes + 1) : 0;
    if (errno == ERANGE || *out > INT64_MAX >> shift)
        return fail_too_large(param, text, err);
    *out <<= shift;
    return in_range(param, (double)*out) ? 0 : fail_range(param, text, err);
}

static int check_choice(const struct loom_param *param, const char *text, struct loom_error *err)
{
    for (const char *const *choice = param->choices; *choice; choice++)
        if (strcmp(*choice, text) == 0)
            return 0;
    char list[256];
    size_t used = 0;
    list[0] = '\0';
    for (const char *const *choice = param->choices; *choice && used < sizeof list; choice++) {
        const char *joint = choice == param->choices ? "" : choice[1] ? ", " : " or ";
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", joint, *choice);
    }
    char meant[256];
    if (!*loom_did_you_mean(meant, sizeof meant, text, param->choices))
        return fail_value(param, text, list, err);
    return loom_fail_field(err, LOOM_EUSAGE, param->name, "%s wants %s, not '%s'; %s", param->name,
                           list, text, meant);
}

static int param_check(struct value *value, const char *text, struct loom_error *err)
{
    const struct loom_param *param = value->param;
    switch (param->type) {
    case LOOM_PARAM_FLAG:
    case LOOM_PARAM_TEXT:
        return 0;
    case LOOM_PARAM_INT:
        return parse_int(param, text, &value->integer, err);
    case LOOM_PARAM_REAL:
        return parse_real(param, text, &value->real, err);
    case LOOM_PARAM_BYTES:
        return parse_bytes(param, text, &value->integer, err);
    case LOOM_PARAM_CHOICE:
        return check_choice(param, text, err);
    }
    return loom_fail_field(err, LOOM_EUSAGE, param->name, "%s has no known type", param->name);
}

/* ---- storing --------------------------------------------------------------------------------- */

static int add_item(struct loom_params *params, struct value *value, const char *text,
                    struct loom_error *err)
{
    const char *copy = loom_arena_text(&params->arena, text, strlen(text));
    if (!copy || loom_grow(&value->items, value->n, &value->capacity))
        return loom_fail_memory(err);
    value->items[value->n++] = copy;
    return 0;
}

static struct value *find_value(const struct loom_params *params, const char *name)
{
    bool letter = name[0] && !name[1];
    for (size_t i = 0; i < params->n; i++) {
        const struct loom_param *param = params->values[i].param;
        if (strcmp(param->name, name) == 0 || (letter && param->letter == name[0]))
            return &params->values[i];
    }
    return NULL;
}

int loom_params_create(struct loom_params **out, const struct loom_param *const *lists,
                       struct loom_error *err)
{
    struct loom_params *params = calloc(1, sizeof *params);
    size_t capacity = 0;
    int rc = params ? 0 : loom_fail_memory(err);
    for (; *lists && !rc; lists++)
        for (const struct loom_param *param = *lists; param->name && !rc; param++) {
            if (loom_grow(&params->values, params->n, &capacity)) {
                rc = loom_fail_memory(err);
                break;
            }
            struct value *value = &params->values[params->n++];
            *value = (struct value){.param = param};
            if (param->value)
                rc = param_check(value, param->value, err);
            if (!rc && param->value)
                rc = add_item(params, value, param->value, err);
        }
    if (rc)
        loom_params_destroy(params);
    else
        *out = params;
    return rc;
}

void loom_params_destroy(struct loom_params *params)
{
    if (!params)
        return;
    for (size_t i = 0; i < params->n; i++) {
        free(params->values[i].items);
        free(params->values[i].nested);
    }
    free(params->values);
    loom_arena_free(&params->arena);
    free(params);
}

const struct loom_param *loom_params_find(const struct loom_params *params, const char *name)
{
    const struct value *value = find_value(params, name);
    return value ? value->param : NULL;
}

int loom_params_set(struct loom_params *params, const char *name, const char *text,
                    struct loom_error *err)
{
    struct value *value = find_value(params, name);
    if (!value)
        return loom_fail(err, LOOM_EUSAGE, "there is no parameter '%s'", name);
    if (value->param->type != LOOM_PARAM_FLAG && !text)
        return loom_fail_field(err, LOOM_EUSAGE, value->param->name, "%s needs a value%s%s",
                               value->param->name, value->param->metavar ? ": " : "",
                               value->param->metavar ? value->param->metavar : "");
    if (value->param->type == LOOM_PARAM_FLAG && text)
        return loom_fail_field(err, LOOM_EUSAGE, value->param->name, "%s takes no value",
                               value->param->name);
    int rc = text ? param_check(value, text, err) : 0;
    if (rc)
        return rc;
    if (!value->given || !value->param->repeated)
        value->n = 0; /* the first value given replaces the default */
    value->given = true;
    return text ? add_item(params, value, text, err) : 0;
}

/* ---- settings of plug-ins -------------------------------------------------------------------- */

static int fail_no_parameter(const struct loom_params *params, const char *plugin, const char *name,
                             struct loom_error *err)
{
    enum { MOST = 32 };
    const char *names[MOST + 1] = {0};
    char meant[256];
    for (size_t i = 0; params && i < params->n && i < MOST; i++)
        names[i] = params->values[i].param->name;
    if (!names[0])
        return loom_fail(err, LOOM_EUSAGE, "%s has no parameters", plugin);
    if (*loom_did_you_mean(meant, sizeof meant, name, names))
        return loom_fail(err, LOOM_EUSAGE, "%s has no parameter '%s'; %s", plugin, name, meant);
    return loom_fail(err, LOOM_EUSAGE, "%s has no parameter '%s'; see 'workloom help %s'", plugin,
                     name, plugin);
}

/* Put the name of the plug-in before an error that names a parameter ("order wants ..."). */
static int reword(const char *plugin, int rc, const struct loom_error *why, struct loom_error *err)
{
    if (!rc || rc == LOOM_ENOMEM)
        return rc ? loom_fail_memory(err) : 0;
    return loom_fail(err, rc, "%s: %s", plugin, why->message);
}

/* Keep what "NAME.PARAMETER=VALUE" says for the plug-in that NAME stands for, which alone can check
 * it. *taken is set to whether there is such a name. */
static int assign_nested(struct loom_params *params, const char *name, const char *setting,
                         bool *taken, struct loom_error *err)
{
    char whole[64];
    const char *dot = strchr(name, '.');
    snprintf(whole, sizeof whole, "%.*s", dot ? (int)(dot - name) : 0, name);
    struct value *value = params && dot ? find_value(params, whole) : NULL;
    *taken = value && value->param->nested;
    if (!*taken)
        return 0;
    const char *rest = setting + (dot - name) + 1;
    const char *copy = loom_arena_text(&params->arena, rest, strlen(rest));
    if (!copy || loom_grow(&value->nested, value->n_nested, &value->nested_capacity))
        return loom_fail_memory(err);
    value->nested[value->n_nested++] = copy;
    return 0;
}

int loom_params_assign(struct loom_params *params, const char *plugin, const char *setting,
                       struct loom_error *err)
{
    char name[64];
    bool taken;
    struct loom_error why = {0};
    size_t length = strcspn(setting, "=");
    const char *value = setting[length] ? setting + length + 1 : NULL;
    if (length == 0 || length >= sizeof name)
        return loom_fail(err, LOOM_EUSAGE, "%s: '%s' is no parameter; give it as NAME=VALUE",
                         plugin, setting);
    memcpy(name, setting, length);
    name[length] = '\0';
    int rc = assign_nested(params, name, setting, &taken, err);
    if (rc || taken)
        return rc;
    const struct loom_param *param = params ? loom_params_find(params, name) : NULL;
    if (!param || strcmp(param->name, name) != 0)
        return fail_no_parameter(params, plugin, name, err);
    return reword(plugin, loom_params_set(params, name, value, &why), &why, err);
}

int loom_params_assign_all(struct loom_params *params, const char *plugin, const char *settings,
                           struct loom_error *err)
{
    char *copy = strdup(settings);
    int rc = copy ? 0 : loom_fail_memory(err);
    for (char *rest = copy, *setting; !rc && (setting = strsep(&rest, ","));)
        rc = loom_params_assign(params, plugin, setting, err);
    free(copy);
    return rc;
}

/* ---- reading --------------------------------------------------------------------------------- */

static const struct value *known_value(const struct loom_params *params, const char *name)
{
    const struct value *value = find_value(params, name);
    assert(value && "parameter was never declared");
    return value;
}

bool loom_params_given(const struct loom_params *params, const char *name)
{
    return known_value(params, name)->given;
}

bool loom_params_flag(const struct loom_params *params, const char *name)
{
    return known_value(params, name)->given;
}

int64_t loom_params_int(const struct loom_params *params, const char *name)
{
    return known_value(params, name)->integer;
}

double loom_params_real(const struct loom_params *params, const char *name)
{
    return known_value(params, name)->real;
}

const char *loom_params_text(const struct loom_params *params, const char *name)
{
    const struct value *value = known_value(params, name);
    return value->n ? value->items[value->n - 1] : NULL;
}

int loom_params_choice(const struct loom_params *params, const char *name)
{
    const char *const *choices = loom_params_find(params, name)->choices;
    const char *text = loom_params_text(params, name);
    int place = 0;
    while (strcmp(choices[place], text) != 0)
        place++;
    return place;
}

size_t loom_params_count(const struct loom_params *params, const char *name)
{
    return known_value(params, name)->n;
}

const char *loom_params_nested(const struct loom_params *params, const char *name, size_t index)
{
    const struct value *value = known_value(params, name);
    return index < value->n_nested ? value->nested[index] : NULL;
}

const char *loom_params_item(const struct loom_params *params, const char *name, size_t index)
{
    const struct value *value = known_value(params, name);
    return index < value->n ? value->items[index] : NULL;
}

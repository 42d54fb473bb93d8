/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One description, two directions. Writing builds Jansson objects. Reading takes keys out of a
 * shallow copy of each object as they are asked for, so that what remains when the object is closed
 * is what nobody knows.
 */
#include "models/document/codec.h"

#include <assert.h>
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 12, PATH_SIZE = 160 };

/* An object or list that is open. */
struct level {
    json_t *value;      /* owned */
    size_t path_length; /* of the path before this level's own key */
};

struct loom_codec {
    bool reading;
    bool failed;
    int64_t procs; /* of the machine */
    struct level levels[DEEPEST];
    size_t depth;
    char path[PATH_SIZE];
    struct loom_error *err;
};

/* ---- errors ---------------------------------------------------------------------------------- */

bool loom_codec_reading(const struct loom_codec *codec)
{
    return codec->reading;
}

bool loom_codec_failed(const struct loom_codec *codec)
{
    return codec->failed;
}

/* Memory ran out. */
static void run_out(struct loom_codec *codec)
{
    if (!codec->failed)
        loom_fail_memory(codec->err);
    codec->failed = true;
}

void loom_codec_refuse(struct loom_codec *codec, const char *key, const char *format, ...)
{
    if (codec->failed)
        return;
    char what[256];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    bool dot = codec->path[0] && key[0] && key[0] != '[';
    loom_fail(codec->err, LOOM_EFORMAT, "%s%s%s %s", codec->path, dot ? "." : "", key, what);
    codec->failed = true;
}

/* ---- keys ------------------------------------------------------------------------------------ */

static json_t *innermost(const struct loom_codec *codec)
{
    return codec->levels[codec->depth - 1].value;
}

/* Add a key of the object at hand; takes the value over. */
static void codec_put(struct loom_codec *codec, const char *key, json_t *value)
{
    if (!value || json_object_set_new(innermost(codec), key, value))
        run_out(codec);
}

/* JSON has no way to say that a number is none. */
static json_t *make_real(struct loom_codec *codec, const char *key, double value)
{
    if (!isfinite(value))
        loom_codec_refuse(codec, key, "is not finite and cannot be saved");
    return json_real(isfinite(value) ? value : 0);
}

/* Take a key out of the object at hand: a new reference, or NULL after refusing. */
static json_t *codec_take(struct loom_codec *codec, const char *key)
{
    json_t *value = json_object_get(innermost(codec), key);
    if (!value) {
        loom_codec_refuse(codec, key, "is missing");
        return NULL;
    }
    json_incref(value);
    json_object_del(innermost(codec), key);
    return value;
}

void loom_codec_skip(struct loom_codec *codec, const char *key)
{
    if (!codec->failed && codec->reading)
        json_object_del(innermost(codec), key);
}

bool loom_codec_holds(const struct loom_codec *codec, const char *key, bool known)
{
    if (codec->failed || !codec->reading)
        return known && !codec->failed;
    return json_object_get(innermost(codec), key) != NULL;
}

/* ---- single values --------------------------------------------------------------------------- */

static bool real_fits(const json_t *value, double min, double max)
{
    double number = json_number_value(value);
    return json_is_number(value) && number >= min && number <= max &&
           fabs(number) < LOOM_CODEC_LARGEST;
}

static void refuse_real(struct loom_codec *codec, const char *key, const json_t *value, double min,
                        double max)
{
    if (!json_is_number(value))
        loom_codec_refuse(codec, key, "must be a number");
    else if (isinf(min) && isinf(max))
        loom_codec_refuse(codec, key, "is larger than a number can be");
    else if (!(fabs(json_number_value(value)) < LOOM_CODEC_LARGEST))
        loom_codec_refuse(codec, key,
                          "is larger than a number can be, and must be between %g and %g", min,
                          max);
    else
        loom_codec_refuse(codec, key, "is %g, and must be between %g and %g",
                          json_number_value(value), min, max);
}

static bool int_fits(const json_t *value, int64_t min, int64_t max)
{
    json_int_t number = json_integer_value(value);
    return json_is_integer(value) && number >= min && number <= max;
}

/* A real stands for a whole number that an int64_t cannot hold (document/read.c). */
static void refuse_int(struct loom_codec *codec, const char *key, const json_t *value, int64_t min,
                       int64_t max)
{
    if (fabs(json_real_value(value)) >= 0x1p63)
        loom_codec_refuse(codec, key, "is %.15g, and must be between %lld and %lld",
                          json_real_value(value), (long long)min, (long long)max);
    else if (!json_is_integer(value))
        loom_codec_refuse(codec, key, "must be a whole number");
    else
        loom_codec_refuse(codec, key, "is %lld, and must be between %lld and %lld",
                          (long long)json_integer_value(value), (long long)min, (long long)max);
}

void loom_codec_real(struct loom_codec *codec, const char *key, double *value, double min,
                     double max)
{
    if (codec->failed)
        return;
    if (!codec->reading) {
        codec_put(codec, key, make_real(codec, key, *value));
        return;
    }
    json_t *found = codec_take(codec, key);
    if (found && real_fits(found, min, max))
        *value = json_number_value(found);
    else if (found)
        refuse_real(codec, key, found, min, max);
    json_decref(found);
}

void loom_codec_int(struct loom_codec *codec, const char *key, int64_t *value, int64_t min,
                    int64_t max)
{
    if (codec->failed)
        return;
    if (!codec->reading) {
        codec_put(codec, key, json_integer(*value));
        return;
    }
    json_t *found = codec_take(codec, key);
    if (found && int_fits(found, min, max))
        *value = json_integer_value(found);
    else if (found)
        refuse_int(codec, key, found, min, max);
    json_decref(found);
}

void loom_codec_flag(struct loom_codec *codec, const char *key, bool *value)
{
    if (codec->failed)
        return;
    if (!codec->reading) {
        codec_put(codec, key, json_boolean(*value));
        return;
    }
    json_t *found = codec_take(codec, key);
    if (found && !json_is_boolean(found))
        loom_codec_refuse(codec, key, "must be true or false");
    else if (found)
        *value = json_is_true(found);
    json_decref(found);
}

static int codec_index_of(const char *word, const char *const *words)
{
    for (int i = 0; words[i]; i++)
        if (strcmp(words[i], word) == 0)
            return i;
    return -1;
}

static void refuse_word(struct loom_codec *codec, const char *key, const char *const *words)
{
    char list[160] = "";
    for (size_t i = 0; words[i]; i++) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", words[i]);
    }
    loom_codec_refuse(codec, key, "must be one of: %s", list);
}

void loom_codec_word(struct loom_codec *codec, const char *key, int *value,
                     const char *const *words)
{
    if (codec->failed)
        return;
    if (!codec->reading) {
        codec_put(codec, key, json_string(words[*value]));
        return;
    }
    json_t *found = codec_take(codec, key);
    int index = json_is_string(found) ? codec_index_of(json_string_value(found), words) : -1;
    if (index >= 0)
        *value = index;
    else if (found)
        refuse_word(codec, key, words);
    json_decref(found);
}

/* ---- distributions --------------------------------------------------------------------------- */

static void put_dist(struct loom_codec *codec, const struct loom_dist *dist)
{
    char name[40];
    codec_put(codec, "distribution", json_string(dist->ops->name));
    for (size_t i = 0; i < dist->n_params && !codec->failed; i++) {
        const char *key = loom_dist_param_name(dist->ops, i, name, sizeof name);
        codec_put(codec, key, make_real(codec, key, dist->params[i]));
    }
}

/* How many keys of the object do not fit a distribution of n parameters: missing or left over. */
static size_t misfits(const json_t *object, const struct loom_dist_ops *ops, size_t n)
{
    size_t present = 0;
    char name[40];
    for (size_t i = 0; i < n; i++)
        present += json_object_get(object, loom_dist_param_name(ops, i, name, sizeof name)) != NULL;
    return n - present + json_object_size(object) - present;
}

/* Parameters are named, and their number is the one that fits the names best; where names are
 * missing or left over, these are what is refused. */
static size_t count_params(const json_t *object, const struct loom_dist_ops *ops)
{
    size_t shared = ops->mixture ? ops->mixture->shared : 0;
    size_t step = ops->mixture ? 1 + ops->mixture->component->min_params - shared : 1;
    size_t best = ops->min_params;
    for (size_t n = best; n <= ops->max_params; n += step)
        if (misfits(object, ops, n) <= misfits(object, ops, best))
            best = n;
    return best;
}

static void take_dist(struct loom_codec *codec, struct loom_dist *dist, const char *wanted)
{
    json_t *name = codec_take(codec, "distribution");
    const struct loom_dist_ops *ops =
        json_is_string(name) ? loom_dist_find(json_string_value(name)) : NULL;
    json_decref(name);
    if (!ops || (wanted && strcmp(ops->name, wanted) != 0)) {
        loom_codec_refuse(codec, "distribution", wanted ? "must be \"%s\"" : "is not known%s",
                          wanted ? wanted : "; see 'workloom list distributions'");
        return;
    }
    size_t n = count_params(innermost(codec), ops);
    double params[LOOM_DIST_PARAMS] = {0};
    char key[40];
    for (size_t i = 0; i < n; i++)
        loom_codec_real(codec, loom_dist_param_name(ops, i, key, sizeof key), &params[i], -INFINITY,
                        INFINITY);
    struct loom_error why = {0};
    if (!codec->failed && loom_dist_init(dist, ops->name, params, n, &why))
        loom_codec_refuse(codec, "", "is no %s distribution: %s", ops->name, why.message);
}

void loom_codec_dist(struct loom_codec *codec, const char *key, struct loom_dist *value,
                     const char *name)
{
    loom_codec_open(codec, key);
    if (!codec->failed && codec->reading)
        take_dist(codec, value, name);
    else if (!codec->failed)
        put_dist(codec, value);
    loom_codec_close(codec);
}

/* ---- arrays ---------------------------------------------------------------------------------- */

/* Take an array of the right length and make room for its items; NULL after refusing. */
static json_t *take_array(struct loom_codec *codec, const char *key, size_t *n, size_t min_n,
                          size_t max_n, size_t item_size, void **memory)
{
    json_t *array = codec_take(codec, key);
    *n = json_array_size(array);
    *memory = NULL;
    if (array && !json_is_array(array))
        loom_codec_refuse(codec, key, "must be a list");
    else if (array && min_n == max_n && *n != min_n)
        loom_codec_refuse(codec, key, "has %zu values, and must have %zu", *n, min_n);
    else if (array && (*n < min_n || *n > max_n))
        loom_codec_refuse(codec, key, "has %zu values, and must have %zu to %zu", *n, min_n, max_n);
    else if (array && !(*memory = calloc(*n + 1, item_size)))
        run_out(codec);
    if (codec->failed) {
        json_decref(array);
        *n = 0;
        return NULL;
    }
    return array;
}

static const char *item_key(char *buf, size_t size, const char *key, size_t index)
{
    snprintf(buf, size, "%s[%zu]", key, index);
    return buf;
}

void loom_codec_reals(struct loom_codec *codec, const char *key, double **values, size_t *n,
                      size_t min_n, size_t max_n, double min, double max)
{
    if (codec->failed)
        return;
    char name[80];
    if (!codec->reading) {
        json_t *array = json_array();
        for (size_t i = 0; i < *n; i++)
            if (json_array_append_new(array, make_real(codec, key, (*values)[i])))
                run_out(codec);
        codec_put(codec, key, array);
        return;
    }
    void *memory;
    json_t *array = take_array(codec, key, n, min_n, max_n, sizeof **values, &memory), *item;
    size_t i;
    *values = memory;
    json_array_foreach(array, i, item)
    {
        if (real_fits(item, min, max))
            (*values)[i] = json_number_value(item);
        else
            refuse_real(codec, item_key(name, sizeof name, key, i), item, min, max);
    }
    json_decref(array);
}

#define INTEGER_ARRAYS(function, type)                                                            \
    void function(struct loom_codec *codec, const char *key, type **values, size_t *n,            \
                  size_t min_n, size_t max_n, type min, type max)                                 \
    {                                                                                             \
        if (codec->failed)                                                                        \
            return;                                                                               \
        char name[80];                                                                            \
        if (!codec->reading) {                                                                    \
            json_t *array = json_array();                                                         \
            for (size_t i = 0; i < *n; i++)                                                       \
                if (json_array_append_new(array, json_integer((*values)[i])))                     \
                    run_out(codec);                                                               \
            codec_put(codec, key, array);                                                         \
            return;                                                                               \
        }                                                                                         \
        void *memory;                                                                             \
        json_t *array = take_array(codec, key, n, min_n, max_n, sizeof **values, &memory), *item; \
        size_t i;                                                                                 \
        *values = memory;                                                                         \
        json_array_foreach(array, i, item)                                                        \
        {                                                                                         \
            if (int_fits(item, min, max))                                                         \
                (*values)[i] = (type)json_integer_value(item);                                    \
            else                                                                                  \
                refuse_int(codec, item_key(name, sizeof name, key, i), item, min, max);           \
        }                                                                                         \
        json_decref(array);                                                                       \
    }

INTEGER_ARRAYS(loom_codec_int32s, int32_t)
INTEGER_ARRAYS(loom_codec_int64s, int64_t)

/* ---- processors ------------------------------------------------------------------------------ */

static bool has_procs(const struct loom_codec *codec, int64_t procs)
{
    return !codec->reading || procs <= codec->procs;
}

static void refuse_procs(struct loom_codec *codec, const char *key, int64_t procs)
{
    loom_codec_refuse(codec, key, "is %lld, and the machine (log.procs) has %lld processors",
                      (long long)procs, (long long)codec->procs);
}

void loom_codec_procs(struct loom_codec *codec, const char *key, int64_t *value, int64_t min)
{
    loom_codec_int(codec, key, value, min, INT32_MAX);
    if (!has_procs(codec, *value))
        refuse_procs(codec, key, *value);
}

void loom_codec_all_procs(struct loom_codec *codec, const char *key, int32_t **values, size_t *n,
                          size_t min_n, size_t max_n)
{
    char name[80];
    loom_codec_int32s(codec, key, values, n, min_n, max_n, 1, INT32_MAX);
    for (size_t i = 0; i < *n && !codec->failed; i++)
        if (!has_procs(codec, (*values)[i]))
            refuse_procs(codec, item_key(name, sizeof name, key, i), (*values)[i]);
}

/* ---- objects and lists ----------------------------------------------------------------------- */

/* Go one level in; takes value over. Levels are counted even after a failure, so that every close
 * finds its open. */
static void descend(struct loom_codec *codec, const char *key, json_t *value)
{
    assert(codec->depth < DEEPEST); /* descriptions are code, not data */
    struct level *level = &codec->levels[codec->depth++];
    level->value = value;
    level->path_length = strlen(codec->path);
    bool dot = level->path_length > 0 && key[0] != '[';
    snprintf(codec->path + level->path_length, sizeof codec->path - level->path_length, "%s%s",
             dot ? "." : "", key);
}

static json_t *fresh(struct loom_codec *codec, json_t *value)
{
    if (!value)
        run_out(codec);
    return value;
}

/* An object that may lose keys without anybody else noticing. */
static json_t *own_object(struct loom_codec *codec, const char *key, json_t *found)
{
    if (found && !json_is_object(found))
        loom_codec_refuse(codec, key, "must be an object");
    json_t *copy = json_is_object(found) ? fresh(codec, json_copy(found)) : NULL;
    json_decref(found);
    return copy;
}

void loom_codec_open(struct loom_codec *codec, const char *key)
{
    json_t *value = NULL;
    if (!codec->failed && codec->reading)
        value = own_object(codec, key, codec_take(codec, key));
    else if (!codec->failed)
        value = fresh(codec, json_object());
    descend(codec, key, value);
}

static void refuse_rest(struct loom_codec *codec, json_t *object)
{
    const char *key = json_object_iter_key(json_object_iter(object));
    if (key)
        loom_codec_refuse(codec, key, "is not a key of this model");
}

/* The last part of the path, which is the key of the level that ends. */
static const char *own_key(const struct loom_codec *codec)
{
    const char *key = codec->path + codec->levels[codec->depth].path_length;
    return *key == '.' ? key + 1 : key;
}

void loom_codec_close(struct loom_codec *codec)
{
    if (codec->depth <= 1)
        return;
    struct level *level = &codec->levels[codec->depth - 1];
    if (!codec->failed && codec->reading && json_is_object(level->value))
        refuse_rest(codec, level->value);
    codec->depth--;
    if (!codec->failed && !codec->reading) {
        json_t *outer = innermost(codec);
        char key[PATH_SIZE];
        snprintf(key, sizeof key, "%s", own_key(codec));
        int rc = json_is_array(outer) ? json_array_append(outer, level->value)
                                      : json_object_set(outer, key, level->value);
        if (rc)
            run_out(codec);
    }
    json_decref(level->value);
    codec->path[level->path_length] = '\0';
}

void loom_codec_list(struct loom_codec *codec, const char *key, size_t *n, size_t min_n,
                     size_t max_n)
{
    json_t *value = NULL;
    if (!codec->failed && codec->reading) {
        void *memory;
        value = take_array(codec, key, n, min_n, max_n, 1, &memory);
        free(memory);
    } else if (!codec->failed)
        value = fresh(codec, json_array());
    descend(codec, key, value);
}

void loom_codec_item(struct loom_codec *codec, size_t index)
{
    char key[32];
    snprintf(key, sizeof key, "[%zu]", index);
    json_t *value = NULL;
    if (!codec->failed && codec->reading)
        value = own_object(codec, key, json_incref(json_array_get(innermost(codec), index)));
    else if (!codec->failed)
        value = fresh(codec, json_object());
    descend(codec, key, value);
}

/* ---- whole states ---------------------------------------------------------------------------- */

static void codec_finish(struct loom_codec *codec)
{
    while (codec->depth > 1)
        loom_codec_close(codec);
}

struct json_t *loom_codec_save(loom_describe_fn *describe, const void *state,
                               struct loom_error *err)
{
    struct loom_codec codec = {.depth = 1, .err = err};
    codec.levels[0].value = fresh(&codec, json_object());
    /* Writing leaves the state as it is: the one function serves both directions. */
    describe((void *)(uintptr_t)state, &codec);
    codec_finish(&codec);
    if (!codec.failed)
        return codec.levels[0].value;
    json_decref(codec.levels[0].value);
    return NULL;
}

int loom_codec_load(loom_describe_fn *describe, void *state, const struct json_t *document,
                    const char *path, int64_t procs, struct loom_error *err)
{
    struct loom_error ignored;
    struct loom_codec codec = {.reading = true,
                               .depth = 1,
                               .procs = procs,
                               .err = err ? err : &ignored};
    snprintf(codec.path, sizeof codec.path, "%s", path);
    if (!json_is_object(document))
        loom_codec_refuse(&codec, "", document ? "must be an object" : "is missing");
    else
        codec.levels[0].value = fresh(&codec, json_copy((json_t *)(uintptr_t)document));
    if (!codec.failed)
        describe(state, &codec);
    codec_finish(&codec);
    if (!codec.failed)
        refuse_rest(&codec, codec.levels[0].value);
    json_decref(codec.levels[0].value);
    return codec.failed ? codec.err->code : 0;
}

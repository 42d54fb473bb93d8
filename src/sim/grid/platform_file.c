/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A platform from a JSON file (sim.h shows one). Everything in it is checked while it is read, so
 * that errors have line and key.
 */
#include "base/text.h"
#include "base/vec.h"
#include "base/words.h"
#include "sim/grid/platform.h"
#include "sim/tool.h"
#include "trace/formats/batsim/json_walk.h"
#include "trace/input.h"

#include <stdio.h>
#include <string.h>

enum { VERSION = 1, MOST_BYTES = 1 << 24 };

struct reading {
    struct loom_platform_owner *owner;
    struct loom_json_walk at;
    int64_t line;                             /* of the value being looked at */
    char key[160];                            /* and its name in messages: "clusters[2].procs" */
    const char *path;                         /* of the file */
    const struct loom_schedulers *schedulers; /* that clusters may have */
    unsigned seen;                            /* of platform_keys, as bits */
};

/* Refuse the value being looked at: what it must be. */
static int refuse(const struct reading *in, const char *must, struct loom_error *err)
{
    return loom_fail_at(err, LOOM_EFORMAT, in->path, in->line, 0, "%s must be %s", in->key, must);
}

/* ---- values ---------------------------------------------------------------------------------- */

static int take_text(const char **out, struct reading *in, const json_t *value,
                     struct loom_error *err)
{
    const char *text = json_string_value(value);
    if (!text || !*text)
        return refuse(in, "a text that is not empty", err);
    *out = loom_arena_text(&in->owner->arena, text, strlen(text));
    return *out ? 0 : loom_fail_memory(err);
}

/* Names are shown in tables, stories and headers of logs. */
static int take_name(const char **out, struct reading *in, const json_t *value,
                     struct loom_error *err)
{
    int rc = take_text(out, in, value, err);
    bool printable = true;
    if (rc)
        return rc;
    for (const char *c = *out; *c && printable;)
        c += loom_utf8_step(c, strlen(c), &printable);
    return printable ? 0 : refuse(in, "a text without control characters", err);
}

/* A path is meant from the directory of the file. */
static int take_path(const char **out, struct reading *in, const json_t *value,
                     struct loom_error *err)
{
    int rc = take_text(out, in, value, err);
    const char *slash = strrchr(in->path, '/');
    if (rc || **out == '/' || !slash)
        return rc;
    size_t size = (size_t)(slash + 1 - in->path) + strlen(*out) + 1;
    char *joined = loom_arena_alloc(&in->owner->arena, size);
    if (!joined)
        return loom_fail_memory(err);
    snprintf(joined, size, "%.*s%s", (int)(slash + 1 - in->path), in->path, *out);
    *out = joined;
    return 0;
}

static int take_model(const char **out, struct reading *in, const json_t *value,
                      struct loom_error *err)
{
    bool file = json_is_string(value) && strpbrk(json_string_value(value), "./");
    return file ? take_path(out, in, value, err) : take_text(out, in, value, err);
}

static int take_whole(int64_t *out, struct reading *in, const json_t *value, int64_t min,
                      int64_t max, struct loom_error *err)
{
    char must[80];
    *out = json_integer_value(value);
    if (json_is_integer(value) && *out >= min && *out <= max)
        return 0;
    snprintf(must, sizeof must, "a whole number from %lld to %lld", (long long)min, (long long)max);
    return refuse(in, must, err);
}

static int take_load(double *out, struct reading *in, const json_t *value, struct loom_error *err)
{
    char must[40];
    *out = json_number_value(value);
    if (json_is_number(value) && *out > 0 && *out <= LOOM_LOAD_MOST)
        return 0;
    snprintf(must, sizeof must, "a number above 0, up to %d", LOOM_LOAD_MOST);
    return refuse(in, must, err);
}

/* Put the key before a message about its value, unless the message has it. */
static int add_key(const struct reading *in, int rc, struct loom_error *err)
{
    if (!rc || rc == LOOM_ENOMEM)
        return rc;
    struct loom_error why = err ? *err : (struct loom_error){0};
    bool said = strncmp(why.message, in->key, strlen(in->key)) == 0;
    return loom_fail_at(err, LOOM_EFORMAT, in->path, in->line, 0, "%s%s%.600s", said ? "" : in->key,
                        said ? "" : ": ", why.message);
}

static int take_scheduler(const char **out, struct reading *in, const json_t *value,
                          struct loom_error *err)
{
    int rc = take_text(out, in, value, err);
    return rc ? rc : add_key(in, loom_scheduler_check(in->schedulers, *out, err), err);
}

/* ---- clusters -------------------------------------------------------------------------------- */

static const char *const cluster_keys[] = {"name",  "procs", "scheduler", "background",
                                           "model", "load",  "shift_s",   NULL};

/* Nearest keys help against slips of the fingers, and all of them otherwise. */
static int fail_key(const struct reading *in, const char *key, const char *const *keys,
                    struct loom_error *err)
{
    char shown[LOOM_SHOWN], hint[400];
    loom_did_you_mean(hint, sizeof hint, key, keys);
    size_t used = hint[0] ? strlen(hint) : (size_t)snprintf(hint, sizeof hint, "there are");
    for (size_t i = 0; hint[0] == 't' && keys[i] && used < sizeof hint; i++)
        used += (size_t)snprintf(hint + used, sizeof hint - used, "%s %s",
                                 i == 0        ? ""
                                 : keys[i + 1] ? ","
                                               : " and",
                                 keys[i]);
    return loom_fail_at(err, LOOM_EFORMAT, in->path, in->line, 0,
                        "%s: there is no key '%s' here; %s", in->key,
                        loom_shown(shown, key, strlen(key)), hint);
}

static int take_member(struct loom_platform_cluster *cluster, struct reading *in, const char *key,
                       const json_t *value, struct loom_error *err)
{
    if (strcmp(key, "name") == 0)
        return take_name(&cluster->name, in, value, err);
    if (strcmp(key, "procs") == 0)
        return take_whole(&cluster->procs, in, value, 1, INT32_MAX, err);
    if (strcmp(key, "scheduler") == 0)
        return take_scheduler(&cluster->scheduler, in, value, err);
    if (strcmp(key, "background") == 0)
        return take_path(&cluster->background, in, value, err);
    if (strcmp(key, "model") == 0)
        return take_model(&cluster->model, in, value, err);
    if (strcmp(key, "load") == 0)
        return take_load(&cluster->load, in, value, err);
    cluster->has_shift = true;
    return take_whole(&cluster->shift_s, in, value, -LOOM_SHIFT_MOST, LOOM_SHIFT_MOST, err);
}

/* What the keys of a cluster must be to each other, and to the clusters before it. */
static int check_cluster(struct reading *in, const struct loom_platform_cluster *cluster,
                         struct loom_error *err)
{
    const struct loom_platform *platform = &in->owner->platform;
    if (!cluster->name)
        return refuse(in, "an object with a name", err);
    if (cluster->procs == 0)
        return refuse(in, "an object with a number of procs", err);
    if (cluster->background && cluster->model)
        return refuse(in, "without model where it has a background: jobs come from one of them",
                      err);
    if (cluster->load > 0 && !cluster->background && !cluster->model)
        return refuse(in, "without load where it has neither background nor model", err);
    if (cluster->has_shift && !cluster->background)
        return refuse(in, "without shift_s where it has no background", err);
    for (size_t i = 0; i < platform->n_clusters; i++)
        if (strcmp(platform->clusters[i].name, cluster->name) == 0) {
            strncat(in->key, ".name", sizeof in->key - strlen(in->key) - 1);
            return refuse(in, "another one: a cluster before has that name", err);
        }
    return 0;
}

static int read_cluster(struct loom_platform_cluster *cluster, struct reading *in,
                        const json_t *object, struct loom_error *err)
{
    char whole[sizeof in->key / 2];
    const char *key;
    json_t *value;
    int rc = 0;
    snprintf(whole, sizeof whole, "clusters[%zu]", in->owner->platform.n_clusters);
    snprintf(in->key, sizeof in->key, "%s", whole);
    if (!json_is_object(object))
        return refuse(in, "an object with a name and a number of procs", err);
    json_object_foreach((json_t *)object, key, value)
    {
        bool allowed = false;
        for (size_t i = 0; cluster_keys[i]; i++)
            allowed |= strcmp(key, cluster_keys[i]) == 0;
        if (!allowed)
            return fail_key(in, key, cluster_keys, err);
        snprintf(in->key, sizeof in->key, "%s.%s", whole, key);
        rc = take_member(cluster, in, key, value, err);
        if (rc)
            return rc;
        snprintf(in->key, sizeof in->key, "%s", whole);
    }
    return check_cluster(in, cluster, err);
}

static int add_cluster(struct reading *in, const json_t *object, struct loom_error *err)
{
    struct loom_platform_owner *owner = in->owner;
    struct loom_platform_cluster cluster = {0};
    int rc = read_cluster(&cluster, in, object, err);
    if (rc)
        return rc;
    if (loom_grow(&owner->clusters, owner->platform.n_clusters, &owner->capacity))
        return loom_fail_memory(err);
    owner->clusters[owner->platform.n_clusters++] = cluster;
    owner->platform.clusters = owner->clusters;
    return 0;
}

static int read_clusters(struct reading *in, struct loom_error *err)
{
    if (!loom_json_walk_take(&in->at, '['))
        return refuse(in, "an array", err);
    if (loom_json_walk_take(&in->at, ']'))
        return refuse(in, "an array of at least one cluster", err);
    do {
        json_t *object;
        loom_json_walk_skip_blanks(&in->at);
        in->line = in->at.line;
        int rc = loom_json_walk_value(&object, &in->at, err);
        if (rc)
            return rc;
        rc = add_cluster(in, object, err);
        json_decref(object);
        if (rc)
            return rc;
    } while (loom_json_walk_take(&in->at, ','));
    return loom_json_walk_take(&in->at, ']') ? 0
                                             : loom_json_walk_expected(&in->at, "',' or ']'", err);
}

/* ---- the rest -------------------------------------------------------------------------------- */

/* {"choose": "first", "order": "sjf"} as the text "choose=first,order=sjf". */
static int take_grid(struct reading *in, const json_t *object, struct loom_error *err)
{
    char text[400] = "";
    size_t used = 0;
    const char *key;
    json_t *value;
    if (!json_is_object(object))
        return refuse(in, "an object of parameters", err);
    json_object_foreach((json_t *)object, key, value)
    {
        const char *word = json_string_value(value);
        if (!word || strpbrk(word, ",=") || strpbrk(key, ",="))
            return refuse(in, "an object of parameters whose values are words", err);
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s=%s", used ? "," : "", key,
                                 word);
        if (used >= sizeof text)
            return refuse(in, "an object of parameters, and this is too long", err);
    }
    if (used == 0)
        return 0;
    int rc = add_key(in, loom_grid_check(text, err), err);
    if (rc)
        return rc;
    in->owner->platform.dispatch = loom_arena_text(&in->owner->arena, text, used);
    return in->owner->platform.dispatch ? 0 : loom_fail_memory(err);
}

static int take_version(struct reading *in, const json_t *value, struct loom_error *err)
{
    if (json_is_integer(value) && json_integer_value(value) == VERSION)
        return 0;
    char must[80];
    snprintf(must, sizeof must, "%d, the version of the format that this program reads", VERSION);
    return refuse(in, must, err);
}

enum { VERSION_KEY, NAME_KEY, GRID_KEY, CLUSTERS_KEY, N_KEYS };
static const char *const platform_keys[] = {"workloom_platform", "name", "grid", "clusters", NULL};

/* The first key of other documents of this program says what they are. */
static int fail_platform_key(struct reading *in, struct loom_error *err)
{
    char key[sizeof in->key];
    memcpy(key, in->key, sizeof key);
    snprintf(in->key, sizeof in->key, "platform");
    if (strcmp(key, "workloom_model") == 0)
        return loom_fail_at(err, LOOM_EFORMAT, in->path, in->line, 0,
                            "this is a model, not a platform: give it as the background model, or "
                            "as the \"model\" of a cluster");
    if (strcmp(key, "workloom") == 0)
        return loom_fail_at(err, LOOM_EFORMAT, in->path, in->line, 0,
                            "these are results of workloom as JSON, not a platform");
    return fail_key(in, key, platform_keys, err);
}

/* Which key this is; each may be there once. */
static int find_key(int *which, struct reading *in, struct loom_error *err)
{
    for (*which = 0; *which < N_KEYS; ++*which)
        if (strcmp(platform_keys[*which], in->key) == 0)
            break;
    if (*which == N_KEYS)
        return fail_platform_key(in, err);
    if (in->seen & 1u << *which)
        return refuse(in, "there only once", err);
    in->seen |= 1u << *which;
    return 0;
}

static int read_value(struct reading *in, struct loom_error *err)
{
    json_t *value = NULL;
    int which;
    int rc = find_key(&which, in, err);
    if (rc || which == CLUSTERS_KEY)
        return rc ? rc : read_clusters(in, err);
    rc = loom_json_walk_value(&value, &in->at, err);
    if (rc)
        return rc;
    rc = which == VERSION_KEY ? take_version(in, value, err)
         : which == NAME_KEY  ? take_name(&in->owner->platform.name, in, value, err)
                              : take_grid(in, value, err);
    json_decref(value);
    return rc;
}

static int read_member(struct reading *in, struct loom_error *err)
{
    json_t *key;
    loom_json_walk_skip_blanks(&in->at);
    in->line = in->at.line;
    int rc = loom_json_walk_value(&key, &in->at, err);
    if (rc)
        return rc;
    const char *text = json_string_value(key);
    snprintf(in->key, sizeof in->key, "%s", text ? text : "");
    bool good = text && loom_json_walk_take(&in->at, ':');
    json_decref(key);
    return good ? read_value(in, err) : loom_json_walk_expected(&in->at, "a key and ':'", err);
}

static int read_document(struct reading *in, struct loom_error *err)
{
    if (!loom_json_walk_take(&in->at, '{'))
        return loom_json_walk_expected(&in->at, "'{'", err);
    int rc = 0;
    if (!loom_json_walk_take(&in->at, '}')) {
        do
            rc = read_member(in, err);
        while (!rc && loom_json_walk_take(&in->at, ','));
        if (!rc && !loom_json_walk_take(&in->at, '}'))
            rc = loom_json_walk_expected(&in->at, "',' or '}'", err);
    }
    loom_json_walk_skip_blanks(&in->at);
    if (!rc && in->at.next != in->at.end)
        rc = loom_json_walk_expected(&in->at, "the end of the file", err);
    return rc;
}

static int check_whole(const struct reading *in, struct loom_error *err)
{
    if (!(in->seen & 1u << VERSION_KEY))
        return loom_fail_at(err, LOOM_EFORMAT, in->path, in->at.line, 0,
                            "this is JSON, but not a platform: add the key workloom_platform, its "
                            "version, %d",
                            VERSION);
    if (!(in->seen & 1u << CLUSTERS_KEY))
        return loom_fail_at(err, LOOM_EFORMAT, in->path, in->at.line, 0,
                            "a platform must have clusters: add \"clusters\": [{\"name\": \"a\", "
                            "\"procs\": 4}]");
    return 0;
}

int loom_platform_read(struct loom_platform_owner *owner, const char *path,
                       const struct loom_schedulers *schedulers, struct loom_error *err)
{
    struct reading in = {.owner = owner, .schedulers = schedulers, .path = path};
    struct loom_input *input = NULL;
    const char *text;
    size_t size;
    int rc = loom_input_open(&input, path, MOST_BYTES, err);
    if (!rc)
        rc = loom_input_text(input, &text, &size, err);
    if (!rc) {
        loom_json_walk_start(&in.at, text, size, path);
        rc = read_document(&in, err);
    }
    if (!rc)
        rc = check_whole(&in, err);
    if (!rc && !owner->platform.name) {
        owner->platform.name = loom_arena_text(&owner->arena, path, strlen(path));
        rc = owner->platform.name ? 0 : loom_fail_memory(err);
    }
    loom_input_close(input);
    return rc;
}

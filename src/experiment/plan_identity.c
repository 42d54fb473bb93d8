/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Name and hash of a cell. The hash is computed from the entries of the cell, with the content of
 * files in place of their paths: moving files or changing other cells of the plan does not change
 * it. The seed of a cell depends on the plan's seed and the source of its jobs only.
 */
#include "base/error.h"
#include "base/hash.h"
#include "base/vec.h"
#include "experiment/plan.h"
#include "predict/predictors.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- content --------------------------------------------------------------------------------- */

static int hash_file(uint64_t *out, const char *path, struct loom_error *err)
{
    static const size_t CHUNK = 1 << 16;
    FILE *file = fopen(path, "rb");
    XXH3_state_t *state = XXH3_createState();
    char *buffer = malloc(CHUNK);
    int rc = !file               ? loom_fail_errno(err, errno, "open", path)
             : !state || !buffer ? loom_fail_memory(err)
                                 : 0;
    if (!rc) {
        XXH3_64bits_reset(state);
        for (size_t n; (n = fread(buffer, 1, CHUNK, file)) > 0;)
            XXH3_64bits_update(state, buffer, n);
        if (ferror(file))
            rc = loom_fail_errno(err, errno, "read", path);
        *out = XXH3_64bits_digest(state);
    }
    free(buffer);
    XXH3_freeState(state);
    if (file)
        fclose(file);
    return rc;
}

int loom_plan_note_input(struct loom_plan *plan, const char *path, uint64_t hash,
                         struct loom_error *err)
{
    char text[24];
    snprintf(text, sizeof text, "%016" PRIx64, hash);
    for (size_t i = 0; i < plan->n_inputs; i++)
        if (strcmp(plan->inputs[i].key, path) == 0 && strcmp(plan->inputs[i].value, text) == 0)
            return 0;
    const char *kept_path = loom_arena_text(&plan->arena, path, strlen(path));
    const char *kept = loom_arena_text(&plan->arena, text, strlen(text));
    if (!kept_path || !kept || loom_grow(&plan->inputs, plan->n_inputs, &plan->inputs_capacity))
        return loom_fail_memory(err);
    plan->inputs[plan->n_inputs++] = (struct loom_store_setting){kept_path, kept};
    return 0;
}

static bool is_known_platform(const char *name)
{
    const struct loom_platform *platform;
    for (size_t i = 0; (platform = loom_platform_at(i)); i++)
        if (strcmp(platform->name, name) == 0)
            return true;
    return false;
}

/* Return whether the value of a key names an existing file. The name of a predictor, platform or
 * model is not a file, even if a file has that name: the functions that read the value agree. */
static bool names_file(const char *key, const char *text)
{
    bool may = true;
    if (strcmp(key, "predictor") == 0)
        may = loom_names_parameter_file(text);
    else if (strcmp(key, "platform") == 0)
        may = !is_known_platform(text);
    else if (strcmp(key, "background-model") == 0)
        may = strpbrk(text, "./") != NULL;
    return may && access(text, F_OK) == 0;
}

/* Return the file that a value of a key names, "FILE" or "CLUSTER=FILE"; NULL if it is none. */
static const char *file_of(const char *key, const char *value)
{
    static const char *const keys[] = {"predictor", "map", "platform", "background",
                                       "background-model"};
    const char *equals = strchr(value, '=');
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (strcmp(keys[i], key) != 0)
            continue;
        if (names_file(key, value))
            return value;
        /* What follows '=' in a predictor is the value of a parameter. */
        return i > 0 && equals && names_file(key, equals + 1) ? equals + 1 : NULL;
    }
    return NULL;
}

static int put_value(FILE *to, struct loom_plan *plan, const char *key, const char *value,
                     struct loom_error *err)
{
    const char *path = file_of(key, value);
    uint64_t hash;
    if (!path) {
        fprintf(to, "=%s", value);
        return 0;
    }
    int rc = hash_file(&hash, path, err);
    if (!rc)
        rc = loom_plan_note_input(plan, path, hash, err);
    if (!rc)
        fprintf(to, "=%.*s%016" PRIx64, (int)(path - value), value, hash);
    return rc;
}

/* Close a stream of open_memstream and keep its text, which is freed, in the plan. NULL when memory
 * is out; a stream that could not grow shows it by ferror, not by fclose. */
static const char *keep_stream(struct loom_plan *plan, FILE *to, char **text, const size_t *size)
{
    bool failed = ferror(to) != 0;
    failed = fclose(to) != 0 || failed || !*text;
    const char *kept = failed ? NULL : loom_arena_text(&plan->arena, *text, *size);
    free(*text);
    *text = NULL;
    return kept;
}

/* ---- the source ------------------------------------------------------------------------------ */

/* Write the content of a file that was read, or the text itself for anything else. */
static void put_content(FILE *to, const struct loom_plan *plan, const char *key, const char *text)
{
    const char *hash = NULL;
    for (size_t i = 0; text && i < plan->n_inputs; i++)
        if (strcmp(plan->inputs[i].key, text) == 0)
            hash = plan->inputs[i].value;
    if (text)
        fprintf(to, "%s=%s\n", key, hash ? hash : text);
}

/* The content of the logs; the model's document, or its name and what it is fitted to. */
static void put_source(FILE *to, const struct loom_plan *plan, const struct loom_plan_cell *cell)
{
    const struct loom_params *params = cell->params;
    put_content(to, plan, "trace", loom_params_text(params, "trace"));
    for (size_t i = 0; i < loom_params_count(params, "mix"); i++)
        put_content(to, plan, "mix", loom_params_item(params, "mix", i));
    put_content(to, plan, "model", loom_params_text(params, "model"));
}

/* The source has been written already, and a preset by the keys that it sets. */
static bool is_identity(const struct loom_plan_entry *entry)
{
    static const char *const others[] = {"trace", "mix", "model", "preset"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(entry->param->name, others[i]) == 0)
            return false;
    return entry->kind != LOOM_KEY_PLAN;
}

/* Return whether a key is hashed with its default too: it decides which jobs run, and how. */
static bool is_always_hashed(const struct loom_params *params, const char *name)
{
    return strcmp(name, "scheduler") == 0 ||
           (strcmp(name, "select") == 0 && loom_params_given(params, "trace"));
}

/* Return whether a key has its default: one that is set to it counts as not given. */
static bool is_default(const struct loom_params *params, const struct loom_param *param)
{
    const char *text = loom_params_text(params, param->name);
    return !loom_params_given(params, param->name) ||
           (param->value && text && !param->repeated && strcmp(param->value, text) == 0);
}

static int put_entries(FILE *to, struct loom_plan *plan, const struct loom_plan_cell *cell,
                       struct loom_error *err)
{
    const struct loom_params *params = cell->params;
    int rc = 0;
    for (size_t key = 0; key < loom_plan_keys() && !rc; key++) {
        const struct loom_plan_entry *entry = &cell->block->entries[key];
        const char *name = entry->param->name;
        if (!is_identity(entry) ||
            (is_default(params, entry->param) && !is_always_hashed(params, name)))
            continue;
        fputs(name, to);
        for (size_t i = 0; i < loom_params_count(params, name) && !rc; i++)
            rc = put_value(to, plan, name, loom_params_item(params, name, i), err);
        fputc('\n', to);
    }
    return rc;
}

/* Does no built-in policy have this name, "NAME:PARAMETER=VALUE,..."? */
static bool is_of_plugin(const char *policy)
{
    const struct loom_scheduler_info *info;
    size_t length = strcspn(policy, ":");
    for (size_t i = 0; (info = loom_scheduler_at(NULL, i)); i++)
        if (strlen(info->name) == length && strncmp(info->name, policy, length) == 0)
            return false;
    return true;
}

/* Write the content of the plug-ins if the policy of the cell is one of theirs, or may be, as the
 * clusters of a platform have policies of their own. Plug-ins are noted as inputs in any case. */
static int put_plugins(FILE *to, struct loom_plan *plan, const struct loom_plan_cell *cell,
                       struct loom_error *err)
{
    size_t key;
    uint64_t hash;
    bool used = is_of_plugin(loom_params_text(cell->params, "scheduler")) ||
                loom_params_given(cell->params, "platform");
    int rc = loom_plan_find(&key, "plugin", err);
    const struct loom_plan_entry *entry = rc ? NULL : &plan->base.entries[key];
    for (size_t i = 0; !rc && i < entry->n; i++) {
        rc = hash_file(&hash, entry->values[i].text, err);
        if (!rc)
            rc = loom_plan_note_input(plan, entry->values[i].text, hash, err);
        if (!rc && used)
            fprintf(to, "plugin=%016" PRIx64 "\n", hash);
    }
    return rc;
}

static int write_identity(struct loom_plan *plan, struct loom_plan_cell *cell,
                          struct loom_error *err)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    if (!to)
        return loom_fail_memory(err);
    put_source(to, plan, cell);
    int rc = fflush(to) == 0 && text ? 0 : loom_fail_memory(err);
    /* 53 bits, so that commands take it as --seed. */
    if (!rc)
        cell->scenario.seed =
            XXH3_64bits_withSeed(text, size, plan->seed) & ((UINT64_C(1) << 53) - 1);
    if (!rc)
        rc = put_entries(to, plan, cell, err);
    if (!rc)
        rc = put_plugins(to, plan, cell, err);
    fprintf(to, "seed=%" PRIu64 "\n", cell->scenario.seed);
    cell->identity = keep_stream(plan, to, &text, &size);
    return rc || cell->identity ? rc : loom_fail_memory(err);
}

static void put_hash(char out[LOOM_HASH_TEXT], XXH128_hash_t hash)
{
    snprintf(out, LOOM_HASH_TEXT, "%016" PRIx64 "%016" PRIx64, (uint64_t)hash.high64,
             (uint64_t)hash.low64);
}

void loom_plan_run_hash(char out[LOOM_HASH_TEXT], const struct loom_plan_cell *cell,
                        int64_t replication)
{
    put_hash(out, XXH3_128bits_withSeed(cell->identity, strlen(cell->identity),
                                        (uint64_t)replication + 1));
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Find the file's name without directory and suffixes of formats. Returns its length. */
static size_t short_name(const char **name, const char *path)
{
    static const char *const suffixes[] = {".gz",  ".zst",  ".xz",  ".bz2",
                                           ".swf", ".json", ".csv", ".gwf"};
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    size_t length = strlen(base);
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        size_t tail = strlen(suffixes[i]);
        if (length > tail && strncmp(base + length - tail, suffixes[i], tail) == 0)
            length -= tail;
    }
    *name = base;
    return length;
}

/* Return the name of the logs of a cell, "A" or "A+B", or of its model; NULL when memory is out. */
static const char *trace_name(struct loom_plan *plan, const struct loom_params *params)
{
    const char *trace = loom_params_text(params, "trace"), *name;
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    if (!to)
        return NULL;
    size_t length = short_name(&name, trace ? trace : loom_params_text(params, "model"));
    fprintf(to, "%.*s", (int)length, name);
    for (size_t i = 0; i < loom_params_count(params, "mix"); i++) {
        length = short_name(&name, loom_params_item(params, "mix", i));
        fprintf(to, "+%.*s", (int)length, name);
    }
    return keep_stream(plan, to, &text, &size);
}

static const char *source_name(const struct loom_plan_cell *cell)
{
    const char *model = loom_params_text(cell->params, "model");
    if (model && loom_plan_model_file(model))
        return loom_model_info(cell->scenario.model)->name;
    return model ? model : loom_params_flag(cell->params, "resample") ? "resampled" : "log";
}

/* A column of the view: "load_factor" of load-factor. */
static const char *column_name(struct loom_plan *plan, const char *key)
{
    static const char *const renamed[][2] = {{"feedback", "behaviour"},
                                             {"procs", "machine"},
                                             {"platform", "machine"}};
    for (size_t i = 0; i < sizeof renamed / sizeof *renamed; i++)
        if (strcmp(renamed[i][0], key) == 0)
            return renamed[i][1];
    char *name = loom_arena_text(&plan->arena, key, strlen(key));
    for (char *c = name; c && *c; c++)
        *c = *c == '-' ? '_' : *c;
    return name;
}

static const char *setting_text(struct loom_plan *plan, const struct loom_params *params,
                                const struct loom_param *param)
{
    char *text = NULL;
    size_t size = 0, n = loom_params_count(params, param->name);
    FILE *to = open_memstream(&text, &size);
    if (!to)
        return NULL;
    if (param->type == LOOM_PARAM_FLAG)
        fputs("true", to);
    for (size_t i = 0; i < n; i++)
        fprintf(to, "%s%s", i ? " " : "", loom_params_item(params, param->name, i));
    return keep_stream(plan, to, &text, &size);
}

/* Return whether the key of an entry has a column of its own. */
static bool is_setting(const struct loom_plan_entry *entry)
{
    static const char *const others[] = {"trace", "mix", "model", "resample", "scheduler", "load"};
    if (entry->kind == LOOM_KEY_PLAN)
        return false;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(others[i], entry->param->name) == 0)
            return false;
    return true;
}

static int name_settings(struct loom_plan *plan, struct loom_plan_cell *cell,
                         struct loom_error *err)
{
    struct loom_store_setting *settings =
        loom_arena_alloc(&plan->arena, loom_plan_keys() * sizeof *settings);
    size_t n = 0;
    if (!settings)
        return loom_fail_memory(err);
    for (size_t key = 0; key < loom_plan_keys(); key++) {
        const struct loom_plan_entry *entry = &cell->block->entries[key];
        if (!is_setting(entry) || !loom_params_given(cell->params, entry->param->name))
            continue;
        settings[n].key = column_name(plan, entry->param->name);
        settings[n].value = setting_text(plan, cell->params, entry->param);
        if (!settings[n].key || !settings[n].value)
            return loom_fail_memory(err);
        n++;
    }
    cell->stored.settings = settings;
    cell->stored.n_settings = n;
    return 0;
}

int loom_plan_identify(struct loom_plan *plan, struct loom_plan_cell *cell, struct loom_error *err)
{
    int rc = write_identity(plan, cell, err);
    if (!rc)
        rc = name_settings(plan, cell, err);
    if (rc)
        return rc;
    put_hash(cell->hash, XXH3_128bits(cell->identity, strlen(cell->identity)));
    cell->stored.hash = cell->hash;
    cell->stored.trace = trace_name(plan, cell->params);
    cell->stored.source = source_name(cell);
    cell->stored.scheduler = cell->scenario.policy;
    cell->stored.load = cell->scenario.load > 0 ? cell->scenario.load : (double)NAN;
    cell->stored.seed = cell->scenario.seed;
    cell->stored.replications = cell->replications;
    return cell->stored.trace ? 0 : loom_fail_memory(err);
}

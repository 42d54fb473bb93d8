/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Maps of CSV columns, in YAML. */
#include "trace/formats/csv/map.h"

#include "base/arena.h"
#include "base/civil.h"
#include "base/error.h"
#include "base/text.h"
#include "base/vec.h"
#include "base/words.h"
#include "trace/formats/sacct/values.h"
#include "trace/input.h"

#include <libfyaml.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct loom_csv_map {
    struct loom_arena arena; /* of all texts */
    const char *file;
    struct loom_csv_entry entries[LOOM_CSV_TARGETS];
    struct loom_csv_texts unknown; /* in all columns */
    char separator;
    double procs_per_node;
    const char *zone_name;
    int64_t east_s;           /* of a fixed zone */
    struct loom_trace *clock; /* whose header has a named zone */
    struct loom_zone *zone;
};

enum { MOST_BYTES = 1 << 20 };

static const struct unit {
    const char *name;
    double factor;
} units[] = {
    {"s", 1},         {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9},      {"min", 60},
    {"h", 3600},      {"d", 86400}, {"KiB", 1},   {"B", 1.0 / 1024}, {"MiB", 1024},
    {"GiB", 1048576}, {"clock", 1}, {"nodes", 1},
};

static const struct loom_csv_word statuses[] = {
    {"completed", LOOM_STATUS_COMPLETED},
    {"failed", LOOM_STATUS_FAILED},
    {"cancelled", LOOM_STATUS_CANCELLED},
    {"unknown", -1},
};

/* ---- places and failures --------------------------------------------------------------------- */

struct place {
    int line, column;
};

/* Lists and maps have no place of their own: use the place of the key that names them. */
static struct place map_place_of(struct fy_node *node, struct place otherwise)
{
    struct fy_token *token =
        node && fy_node_is_scalar(node) ? fy_node_get_scalar_token(node) : NULL;
    const struct fy_mark *mark = token ? fy_token_start_mark(token) : NULL;
    return mark ? (struct place){mark->line + 1, mark->column + 1} : otherwise;
}

static int fail(const struct loom_csv_map *map, struct place at, struct loom_error *err,
                const char *what, const char *text)
{
    return loom_fail_at(err, LOOM_EFORMAT, map->file, at.line, at.column, "%s%s%.80s", what,
                        text ? " " : "", text ? text : "");
}

static const char *scalar(struct fy_node *node)
{
    return node && fy_node_is_scalar(node) ? fy_node_get_scalar0(node) : NULL;
}

/* Copy a text that must be there. */
static int take_text(const char **out, struct loom_csv_map *map, struct fy_node *node,
                     struct place at, struct loom_error *err)
{
    const char *text = scalar(node);
    if (!text)
        return fail(map, map_place_of(node, at), err, "this key wants one value", NULL);
    *out = loom_arena_text(&map->arena, text, strlen(text));
    return *out ? 0 : loom_fail_memory(err);
}

static int map_take_number(double *out, struct loom_csv_map *map, struct fy_node *node,
                           struct place at, struct loom_error *err)
{
    const char *text = scalar(node);
    char *end = NULL;
    *out = text ? strtod(text, &end) : 0;
    if (!text || end == text || *end || !(*out > 0) || !isfinite(*out))
        return fail(map, map_place_of(node, at), err, "this key wants a number above 0, not", text);
    return 0;
}

static int add_map_text(struct loom_csv_texts *texts, struct loom_csv_map *map,
                        struct fy_node *node, struct place at, struct loom_error *err)
{
    if (loom_grow(&texts->items, texts->n, &texts->capacity))
        return loom_fail_memory(err);
    int rc = take_text(&texts->items[texts->n], map, node, at, err);
    texts->n += rc == 0;
    return rc;
}

/* One text, or a list of them. */
static int take_texts(struct loom_csv_texts *texts, struct loom_csv_map *map, struct fy_node *node,
                      struct place at, struct loom_error *err)
{
    void *iterator = NULL;
    struct fy_node *item;
    int rc = 0;
    if (!fy_node_is_sequence(node))
        return add_map_text(texts, map, node, at, err);
    while (!rc && (item = fy_node_sequence_iterate(node, &iterator)))
        rc = add_map_text(texts, map, item, at, err);
    return rc;
}

/* ---- entries --------------------------------------------------------------------------------- */

static int take_unit(struct loom_csv_entry *entry, struct loom_csv_map *map, struct fy_node *node,
                     struct place at, struct loom_error *err)
{
    const char *text = scalar(node);
    for (size_t i = 0; text && i < sizeof units / sizeof *units; i++)
        if (strcmp(units[i].name, text) == 0) {
            entry->factor *= units[i].factor;
            entry->clock = strcmp(text, "clock") == 0;
            entry->nodes = strcmp(text, "nodes") == 0;
            return 0;
        }
    return fail(map, map_place_of(node, at), err,
                "unit is s, ms, us, ns, min, h, d, clock, B, KiB, MiB, GiB or nodes, not", text);
}

static int take_word(struct loom_csv_entry *entry, struct loom_csv_map *map,
                     struct fy_node_pair *pair, struct place at, struct loom_error *err)
{
    struct fy_node *key = fy_node_pair_key(pair), *value = fy_node_pair_value(pair);
    const char *text = scalar(value);
    struct loom_csv_word word = {0};
    size_t i = 0, n = sizeof statuses / sizeof *statuses;
    while (i < n && !(text && strcmp(statuses[i].word, text) == 0))
        i++;
    if (i == n)
        return fail(map, map_place_of(value, map_place_of(key, at)), err,
                    "a word means completed, failed, cancelled or unknown, not", text);
    word.status = statuses[i].status;
    int rc = take_text(&word.word, map, key, at, err);
    if (!rc && loom_grow(&entry->words, entry->n_words, &entry->words_capacity))
        rc = loom_fail_memory(err);
    if (!rc)
        entry->words[entry->n_words++] = word;
    return rc;
}

static int take_words(struct loom_csv_entry *entry, struct loom_csv_map *map, struct fy_node *node,
                      struct place at, struct loom_error *err)
{
    void *iterator = NULL;
    struct fy_node_pair *pair;
    int rc = 0;
    if (entry != &map->entries[LOOM_COLUMN_status])
        return fail(map, at, err, "words belong to status", NULL);
    if (!fy_node_is_mapping(node))
        return fail(map, at, err, "words are lines WORD: completed", NULL);
    while (!rc && (pair = fy_node_mapping_iterate(node, &iterator)))
        rc = take_word(entry, map, pair, at, err);
    return rc;
}

static int take_setting(struct loom_csv_entry *entry, struct loom_csv_map *map,
                        struct fy_node_pair *pair, struct place at, struct loom_error *err)
{
    const char *name = scalar(fy_node_pair_key(pair));
    struct fy_node *value = fy_node_pair_value(pair);
    double times = 1;
    int rc;
    at = map_place_of(fy_node_pair_key(pair), at);
    if (name && value && strcmp(name, "column") == 0)
        return take_text(&entry->column, map, value, at, err);
    if (name && value && strcmp(name, "unit") == 0)
        return take_unit(entry, map, value, at, err);
    if (name && value && strcmp(name, "unknown") == 0)
        return take_texts(&entry->unknown, map, value, at, err);
    if (name && value && strcmp(name, "words") == 0)
        return take_words(entry, map, value, at, err);
    if (!name || !value || strcmp(name, "times") != 0)
        return fail(map, at, err, "a column has column, unit, times, unknown and words, not", name);
    rc = map_take_number(&times, map, value, at, err);
    entry->factor *= times;
    return rc;
}

static int find_target(const char *name)
{
    for (int target = 0; target < LOOM_COLUMN_COUNT; target++)
        if (strcmp(loom_column_table[target].name, name) == 0)
            return target;
    return strcmp(name, "start_s") == 0 ? LOOM_CSV_START
           : strcmp(name, "end_s") == 0 ? LOOM_CSV_END
                                        : -1;
}

static int take_column(struct loom_csv_map *map, struct fy_node_pair *pair, struct place at,
                       struct loom_error *err)
{
    struct fy_node *key = fy_node_pair_key(pair), *value = fy_node_pair_value(pair);
    const char *name = scalar(key);
    int target = name ? find_target(name) : -1, rc = 0;
    void *iterator = NULL;
    at = map_place_of(key, at);
    if (target < 0)
        return fail(map, at, err,
                    "columns are submit_s, start_s, end_s, wait_s, run_s, alloc_procs, req_procs, "
                    "request_s, status, user and others ('workloom help formats'), not",
                    name);
    struct loom_csv_entry *entry = &map->entries[target];
    if (entry->column)
        return fail(map, at, err, "given twice:", name);
    *entry = (struct loom_csv_entry){.factor = 1, .line = at.line, .place = at.column};
    if (!fy_node_is_mapping(value))
        return take_text(&entry->column, map, value, at, err);
    while (!rc && (pair = fy_node_mapping_iterate(value, &iterator)))
        rc = take_setting(entry, map, pair, at, err);
    return rc || entry->column ? rc : fail(map, at, err, "there is no column: in", name);
}

static int take_columns(struct loom_csv_map *map, struct fy_node *node, struct place at,
                        struct loom_error *err)
{
    void *iterator = NULL;
    struct fy_node_pair *pair;
    int rc = 0;
    if (!fy_node_is_mapping(node))
        return fail(map, at, err, "columns are lines NAME: COLUMN", NULL);
    while (!rc && (pair = fy_node_mapping_iterate(node, &iterator)))
        rc = take_column(map, pair, at, err);
    return rc;
}

/* ---- the whole map --------------------------------------------------------------------------- */

/* A fixed offset such as +01:00, or a name of the zone database. */
static int take_zone(struct loom_csv_map *map, struct fy_node *node, struct place at,
                     struct loom_error *err)
{
    const char *note = NULL;
    int rc = take_text(&map->zone_name, map, node, at, err);
    if (rc)
        return rc;
    if (strcmp(map->zone_name, "UTC") == 0 ||
        loom_civil_parse_zone(&map->east_s, map->zone_name, strlen(map->zone_name)))
        return 0;
    rc = loom_trace_create(&map->clock, err);
    if (!rc)
        rc = loom_trace_set_directive(map->clock, "UnixStartTime", "0", err);
    if (!rc)
        rc = loom_trace_set_directive(map->clock, "TimeZoneString", map->zone_name, err);
    if (!rc)
        rc = loom_zone_create(&map->zone, map->clock, &note, err);
    if (!rc && note)
        rc = fail(map, map_place_of(node, at), err,
                  "time_zone is an offset such as +01:00, or a zone of this system, not",
                  map->zone_name);
    return rc;
}

static int take_separator(struct loom_csv_map *map, struct fy_node *node, struct place at,
                          struct loom_error *err)
{
    const char *text = scalar(node);
    if (!text || strlen(text) != 1 || !strchr(",;\t|", *text))
        return fail(map, map_place_of(node, at), err, "separator is one of , ; | and a tab, not",
                    text);
    map->separator = *text;
    return 0;
}

static int take_key(struct loom_csv_map *map, struct fy_node_pair *pair, struct loom_error *err)
{
    struct fy_node *key = fy_node_pair_key(pair), *value = fy_node_pair_value(pair);
    struct place at = map_place_of(key, (struct place){1, 1});
    const char *name = scalar(key);
    if (name && value && strcmp(name, "columns") == 0)
        return take_columns(map, value, at, err);
    if (name && value && strcmp(name, "unknown") == 0)
        return take_texts(&map->unknown, map, value, at, err);
    if (name && value && strcmp(name, "time_zone") == 0)
        return take_zone(map, value, at, err);
    if (name && value && strcmp(name, "separator") == 0)
        return take_separator(map, value, at, err);
    if (name && value && strcmp(name, "procs_per_node") == 0)
        return map_take_number(&map->procs_per_node, map, value, at, err);
    return fail(map, at, err,
                "a map has columns, unknown, time_zone, separator and procs_per_node, not", name);
}

static int map_check(struct loom_csv_map *map, struct loom_error *err)
{
    if (!map->entries[LOOM_COLUMN_submit_s].column)
        return fail(map, (struct place){1, 1}, err, "the map has no column submit_s", NULL);
    for (int target = 0; target < LOOM_CSV_TARGETS; target++) {
        struct loom_csv_entry *entry = &map->entries[target];
        if (!entry->nodes)
            continue;
        if (map->procs_per_node <= 0)
            return fail(map, (struct place){entry->line, entry->place}, err,
                        "unit nodes wants procs_per_node in the map", NULL);
        entry->factor *= map->procs_per_node;
    }
    return 0;
}

static int read_document(struct loom_csv_map *map, struct fy_document *document,
                         struct loom_error *err)
{
    struct fy_node *root = fy_document_root(document);
    void *iterator = NULL;
    struct fy_node_pair *pair;
    int rc = 0;
    if (!root || !fy_node_is_mapping(root))
        return fail(map, map_place_of(root, (struct place){1, 1}), err,
                    "a map has lines KEY: VALUE", NULL);
    while (!rc && (pair = fy_node_mapping_iterate(root, &iterator)))
        rc = take_key(map, pair, err);
    return rc ? rc : map_check(map, err);
}

static int parse(struct loom_csv_map *map, const char *text, size_t size, struct loom_error *err)
{
    struct fy_diag_cfg how;
    fy_diag_cfg_default(&how);
    how.fp = NULL;
    struct fy_diag *diag = fy_diag_create(&how);
    if (!diag)
        return loom_fail_memory(err);
    fy_diag_set_collect_errors(diag, true);
    const struct fy_parse_cfg cfg = {.flags = FYPCF_QUIET | FYPCF_COLLECT_DIAG, .diag = diag};
    struct fy_document *document = fy_document_build_from_string(&cfg, text, size);
    void *iterator = NULL;
    const struct fy_diag_error *first = document ? NULL : fy_diag_errors_iterate(diag, &iterator);
    int rc = document ? read_document(map, document, err)
                      : fail(map,
                             (struct place){first && first->line > 0 ? first->line : 1,
                                            first && first->column > 0 ? first->column : 1},
                             err, "not YAML:", first ? first->msg : "no document");
    fy_document_destroy(document);
    fy_diag_destroy(diag);
    return rc;
}

int loom_csv_map_read(struct loom_csv_map **out, const char *path, struct loom_error *err)
{
    struct loom_csv_map *map = calloc(1, sizeof *map);
    struct loom_input *input = NULL;
    const char *text;
    size_t size;
    if (!map)
        return loom_fail_memory(err);
    map->file = loom_arena_text(&map->arena, path, strlen(path));
    int rc = map->file ? loom_input_open(&input, path, MOST_BYTES, err) : loom_fail_memory(err);
    if (!rc)
        rc = loom_input_text(input, &text, &size, err);
    if (!rc && (size == 0 || memchr(text, '\0', size)))
        rc = fail(map, (struct place){1, 1}, err, "it is no text", NULL);
    if (!rc)
        rc = parse(map, text, size, err);
    loom_input_close(input);
    if (rc)
        loom_csv_map_destroy(map);
    else
        *out = map;
    return rc;
}

void loom_csv_map_destroy(struct loom_csv_map *map)
{
    if (!map)
        return;
    for (int target = 0; target < LOOM_CSV_TARGETS; target++) {
        free(map->entries[target].unknown.items);
        free(map->entries[target].words);
    }
    free(map->unknown.items);
    loom_zone_destroy(map->zone);
    loom_trace_destroy(map->clock);
    loom_arena_free(&map->arena);
    free(map);
}

/* ---- use ------------------------------------------------------------------------------------- */

const struct loom_csv_entry *loom_csv_map_entry(const struct loom_csv_map *map, int target)
{
    return map && map->entries[target].column ? &map->entries[target] : NULL;
}

char loom_csv_map_separator(const struct loom_csv_map *map)
{
    return map->separator;
}

const char *loom_csv_map_zone(const struct loom_csv_map *map)
{
    return map->zone_name;
}

const char *loom_csv_map_file(const struct loom_csv_map *map)
{
    return map->file;
}

int64_t loom_csv_map_unix(const struct loom_csv_map *map, int64_t local_s)
{
    return map->zone ? loom_zone_log(map->zone, local_s) : local_s - map->east_s;
}

static bool has_text(const struct loom_csv_texts *texts, const char *text, size_t length)
{
    for (size_t i = 0; i < texts->n; i++)
        if (strlen(texts->items[i]) == length && memcmp(texts->items[i], text, length) == 0)
            return true;
    return false;
}

bool loom_csv_map_unknown(const struct loom_csv_map *map, const struct loom_csv_entry *entry,
                          const char *text, size_t length)
{
    return has_text(&map->unknown, text, length) || has_text(&entry->unknown, text, length);
}

bool loom_csv_map_status(int32_t *out, const struct loom_csv_entry *entry, const char *text,
                         size_t length)
{
    for (size_t i = 0; i < entry->n_words; i++)
        if (loom_same_word(text, length, entry->words[i].word)) {
            *out = entry->words[i].status;
            return true;
        }
    return false;
}

size_t loom_csv_map_convert(const struct loom_csv_entry *entry, const char *text, size_t length,
                            char *buf, size_t size)
{
    char copy[64], *end = NULL;
    double value = 0;
    if (length == 0 || length >= sizeof copy)
        return 0;
    memcpy(copy, text, length);
    copy[length] = '\0';
    if (entry->clock && (strchr(copy, ':') || !strpbrk(copy, "0123456789"))) {
        if (!loom_sacct_duration(&value, copy, length))
            return 0;
        if (value < 0) /* UNLIMITED and the like */
            return (size_t)snprintf(buf, size, "-1");
        end = copy + length;
    } else {
        value = strtod(copy, &end);
    }
    if (*end || !isfinite(value))
        return 0;
    value *= entry->factor;
    bool whole = value == trunc(value) && fabs(value) < 1e15;
    int n = snprintf(buf, size, whole ? "%.0f" : "%.6f", value);
    return n > 0 && (size_t)n < size ? (size_t)n : 0;
}

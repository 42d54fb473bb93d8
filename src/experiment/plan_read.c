/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans in YAML, through libfyaml, which knows line and column of everything. */
#include "base/error.h"
#include "base/text.h"
#include "base/vec.h"
#include "experiment/plan.h"

#include <errno.h>
#include <libfyaml.h>
#include <stdlib.h>
#include <string.h>

/* A file on its way into a plan. */
struct reading {
    struct loom_plan *plan;
    const char *path;
};

struct place {
    int line, column;
};

/* Lists and maps have no place of their own; use the place of their key. */
static struct place node_place(struct fy_node *node, struct place otherwise)
{
    struct fy_token *token =
        node && fy_node_is_scalar(node) ? fy_node_get_scalar_token(node) : NULL;
    const struct fy_mark *mark = token ? fy_token_start_mark(token) : NULL;
    return mark ? (struct place){mark->line + 1, mark->column + 1} : otherwise;
}

static int plan_fail(const struct reading *reading, struct place at, struct loom_error *err,
                     const char *what)
{
    return loom_fail_at(err, LOOM_EFORMAT, reading->path, at.line, at.column, "%s", what);
}

/* Give an error of a value its place. */
static int placed(int rc, const struct reading *reading, struct place at, struct loom_error *err)
{
    struct loom_plan_value value = {.line = at.line, .column = at.column};
    return loom_plan_place(rc, reading->plan, &value, err);
}

/* ---- values ---------------------------------------------------------------------------------- */

/* The text of a scalar, without the line breaks at the end of a block; NULL if it is none. */
static int take_text(const char **out, const struct reading *reading, struct fy_node *node,
                     struct loom_error *err)
{
    const char *text = fy_node_is_scalar(node) ? fy_node_get_scalar0(node) : NULL;
    *out = NULL;
    if (!text)
        return 0;
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == '\n')
        length--;
    *out = loom_arena_text(&reading->plan->arena, text, length);
    return *out ? 0 : loom_fail_memory(err);
}

/* A flag is true or false; other values are texts, which their declarations check. */
static int read_scalar(const struct reading *reading, struct loom_plan_block *block, size_t key,
                       struct fy_node *node, struct place at, struct loom_error *err)
{
    const char *text;
    const struct loom_param *param = block->entries[key].param;
    char message[160];
    int rc = take_text(&text, reading, node, err);
    if (rc)
        return rc;
    at = node_place(node, at);
    snprintf(message, sizeof message, "%s wants a value, or a list of values", param->name);
    if (!text || !*text)
        return plan_fail(reading, at, err, message);
    snprintf(message, sizeof message, "%s is true or false, not '%.60s'", param->name, text);
    if (param->type == LOOM_PARAM_FLAG && strcmp(text, "true") != 0 && strcmp(text, "false") != 0)
        return plan_fail(reading, at, err, message);
    return placed(loom_plan_add(reading->plan, block, key, text, at.line, at.column, err), reading,
                  at, err);
}

static int read_list(const struct reading *reading, struct loom_plan_block *block, size_t key,
                     struct fy_node *list, struct place at, struct loom_error *err)
{
    void *iterator = NULL;
    struct fy_node *item;
    int rc = 0;
    if (fy_node_sequence_is_empty(list))
        return plan_fail(reading, at, err, "the list is empty");
    while (!rc && (item = fy_node_sequence_iterate(list, &iterator)))
        rc = read_scalar(reading, block, key, item, at, err);
    return rc;
}

/* One value where a plan has but one. */
static int check_several(const struct reading *reading, const struct loom_plan_entry *entry,
                         struct loom_error *err)
{
    if (entry->kind != LOOM_KEY_PLAN || entry->param->repeated || entry->n <= 1)
        return 0;
    int rc = loom_fail(err, LOOM_EFORMAT, "%s takes one value", entry->param->name);
    return loom_plan_place(rc, reading->plan, &entry->values[1], err);
}

static int read_entry(const struct reading *reading, struct loom_plan_block *block, bool inner,
                      const char *name, struct fy_node *value, struct place at,
                      struct loom_error *err)
{
    size_t key;
    int rc = placed(loom_plan_find(&key, name, err), reading, at, err);
    if (rc)
        return rc;
    struct loom_plan_entry *entry = &block->entries[key];
    if (inner && entry->kind == LOOM_KEY_PLAN)
        return plan_fail(reading, at, err, "this key is for the whole plan, not for some cells");
    if (entry->n > 0)
        return plan_fail(reading, at, err, "this key is given twice; values can be a list: [A, B]");
    rc = fy_node_is_sequence(value) ? read_list(reading, block, key, value, at, err)
                                    : read_scalar(reading, block, key, value, at, err);
    return rc ? rc : check_several(reading, entry, err);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static int read_block(const struct reading *reading, struct loom_plan_block *block, bool inner,
                      struct fy_node *map, struct fy_node **cells, struct place *cells_at,
                      struct loom_error *err)
{
    void *iterator = NULL;
    struct fy_node_pair *pair;
    int rc = 0;
    while (!rc && (pair = fy_node_mapping_iterate(map, &iterator))) {
        struct fy_node *key = fy_node_pair_key(pair), *value = fy_node_pair_value(pair);
        struct place at = node_place(key, (struct place){1, 1});
        const char *name = key && fy_node_is_scalar(key) ? fy_node_get_scalar0(key) : NULL;
        if (!name || !value)
            rc = plan_fail(reading, at, err, "a plan has lines KEY: VALUE");
        else if (!inner && strcmp(name, "cells") == 0) {
            *cells = value;
            *cells_at = at;
        } else
            rc = read_entry(reading, block, inner, name, value, at, err);
    }
    return rc;
}

static int read_cells(const struct reading *reading, struct fy_node *list, struct place at,
                      struct loom_error *err)
{
    struct loom_plan *plan = reading->plan;
    void *iterator = NULL;
    struct fy_node *item;
    int rc = 0;
    if (!fy_node_is_sequence(list) || fy_node_sequence_is_empty(list))
        return plan_fail(reading, at, err, "cells is a list of blocks: - KEY: VALUE");
    while (!rc && (item = fy_node_sequence_iterate(list, &iterator))) {
        if (!fy_node_is_mapping(item))
            return plan_fail(reading, node_place(item, at), err,
                             "a block of cells has lines KEY: VALUE");
        if (loom_grow(&plan->listed, plan->n_listed, &plan->listed_capacity))
            return loom_fail_memory(err);
        rc = loom_plan_block(&plan->listed[plan->n_listed], err);
        if (!rc)
            rc = read_block(reading, &plan->listed[plan->n_listed++], true, item, NULL, NULL, err);
    }
    return rc;
}

static int read_plan_document(const struct reading *reading, struct fy_document *document,
                              struct loom_error *err)
{
    struct fy_node *root = fy_document_root(document), *cells = NULL;
    struct place cells_at = {1, 1};
    if (!root || !fy_node_is_mapping(root))
        return plan_fail(reading, node_place(root, (struct place){1, 1}), err,
                         "a plan has lines KEY: VALUE");
    int rc = read_block(reading, &reading->plan->base, false, root, &cells, &cells_at, err);
    return rc || !cells ? rc : read_cells(reading, cells, cells_at, err);
}

/* ---- the file -------------------------------------------------------------------------------- */

static int fail_syntax(const struct reading *reading, struct fy_diag *diag, struct loom_error *err)
{
    void *iterator = NULL;
    const struct fy_diag_error *first = fy_diag_errors_iterate(diag, &iterator);
    if (!first)
        return loom_fail_at(err, LOOM_EFORMAT, reading->path, 1, 1,
                            "the plan is empty: it has lines KEY: VALUE");
    return loom_fail_at(err, LOOM_EFORMAT, reading->path, first->line > 0 ? first->line : 1,
                        first->column > 0 ? first->column : 1, "not YAML: %s", first->msg);
}

/* What comes after the first document would be ignored. */
static int refuse_more(const struct reading *reading, struct fy_parser *parser,
                       struct fy_diag *diag, struct loom_error *err)
{
    struct fy_document *more = fy_parse_load_document(parser);
    struct fy_node *root = more ? fy_document_root(more) : NULL;
    void *iterator = NULL;
    if (!more)
        return fy_diag_got_error(diag) ? fail_syntax(reading, diag, err) : 0;
    if (root && fy_node_is_mapping(root) && !fy_node_mapping_is_empty(root))
        root = fy_node_pair_key(fy_node_mapping_iterate(root, &iterator));
    struct place at = node_place(root, (struct place){1, 1});
    fy_parse_document_destroy(parser, more);
    return plan_fail(reading, at, err, "a plan is one document: remove the second '---'");
}

static int parse_with(const struct reading *reading, struct fy_parser *parser, struct fy_diag *diag,
                      struct loom_error *err)
{
    if (fy_parser_set_string(parser, reading->plan->text, FY_NT))
        return loom_fail_memory(err);
    struct fy_document *document = fy_parse_load_document(parser);
    if (!document)
        return fail_syntax(reading, diag, err);
    int rc = read_plan_document(reading, document, err);
    fy_parse_document_destroy(parser, document);
    return rc ? rc : refuse_more(reading, parser, diag, err);
}

static int parse(const struct reading *reading, struct loom_error *err)
{
    struct fy_diag_cfg how;
    fy_diag_cfg_default(&how);
    how.fp = NULL;
    struct fy_diag *diag = fy_diag_create(&how);
    if (!diag)
        return loom_fail_memory(err);
    fy_diag_set_collect_errors(diag, true);
    const struct fy_parse_cfg cfg = {.flags = FYPCF_QUIET | FYPCF_COLLECT_DIAG, .diag = diag};
    struct fy_parser *parser = fy_parser_create(&cfg);
    int rc = parser ? parse_with(reading, parser, diag, err) : loom_fail_memory(err);
    fy_parser_destroy(parser);
    fy_diag_destroy(diag);
    return rc;
}

/* Refuse what the parser does not end on (bytes that are not UTF-8), and directives, of which it
 * ignores those it does not know. */
static int check_text(const struct reading *reading, struct loom_error *err)
{
    const char *text = reading->plan->text;
    size_t size = strlen(text), line_at = 0;
    uint32_t value;
    int line = 1;
    for (size_t at = 0, step; at < size; at += step) {
        struct place place = {line, (int)(at - line_at) + 1};
        step = loom_utf8(text + at, size - at, &value);
        if (step == 0)
            return plan_fail(reading, place, err, "a plan is text in UTF-8, and this is not");
        if (text[at] == '%' && at == line_at)
            return plan_fail(reading, place, err, "a plan has no directives: '%' begins no line");
        if (text[at] == '\n') {
            line++;
            line_at = at + 1;
        }
    }
    return 0;
}

enum { MOST_BYTES = 1 << 20 };

static int slurp(char **out, const char *path, struct loom_error *err)
{
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    char *text = malloc(MOST_BYTES + 1);
    int rc = !file ? loom_fail_errno(err, errno, "open", path) : text ? 0 : loom_fail_memory(err);
    size_t n = rc ? 0 : fread(text, 1, MOST_BYTES + 1, file);
    if (!rc && ferror(file))
        rc = loom_fail_errno(err, errno, "read", path);
    if (!rc && n > MOST_BYTES)
        rc = loom_fail_at(err, LOOM_ERANGE, path, 0, 0, "a plan has at most 1 MiB");
    if (!rc && memchr(text, '\0', n))
        rc = loom_fail_at(err, LOOM_EFORMAT, path, 0, 0, "it is no text");
    if (file && file != stdin)
        fclose(file);
    if (rc) {
        free(text);
        return rc;
    }
    text[n] = '\0';
    *out = text;
    return 0;
}

int loom_plan_read(struct loom_plan *plan, const char *path, struct loom_error *err)
{
    struct reading reading = {plan, path};
    int rc = slurp(&plan->text, path, err);
    if (!rc && !(plan->file = loom_arena_text(&plan->arena, path, strlen(path))))
        rc = loom_fail_memory(err);
    if (!rc)
        rc = check_text(&reading, err);
    return rc ? rc : parse(&reading, err);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plan as a list of entries, from a file or set one by one. */
#include "experiment/plan.h"

#include "base/error.h"
#include "base/vec.h"
#include "base/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int loom_plan_find(size_t *index, const char *name, struct loom_error *err)
{
    enum { MOST = 128 };
    const char *names[MOST + 1] = {"cells"};
    enum loom_key_kind kind;
    for (size_t i = 0; i < loom_plan_keys() && i + 1 < MOST; i++) {
        names[i + 1] = loom_plan_key(i, &kind)->name;
        if (strcmp(names[i + 1], name) == 0) {
            *index = i;
            return 0;
        }
    }
    return loom_fail_unknown(err, "key", name, names, "see 'workloom help experiments'");
}

/* ---- blocks ---------------------------------------------------------------------------------- */

int loom_plan_block(struct loom_plan_block *out, struct loom_error *err)
{
    size_t n = loom_plan_keys();
    out->entries = calloc(n, sizeof *out->entries);
    if (!out->entries)
        return loom_fail_memory(err);
    for (size_t i = 0; i < n; i++)
        out->entries[i].param = loom_plan_key(i, &out->entries[i].kind);
    return 0;
}

void loom_plan_block_free(struct loom_plan_block *block)
{
    for (size_t i = 0; block->entries && i < loom_plan_keys(); i++)
        free(block->entries[i].values);
    free(block->entries);
    block->entries = NULL;
}

static bool has_control(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == 127)
            return true;
    return false;
}

int loom_plan_add(struct loom_plan *plan, struct loom_plan_block *block, size_t key,
                  const char *text, int line, int column, struct loom_error *err)
{
    struct loom_plan_entry *entry = &block->entries[key];
    const char *name = entry->param->name;
    if (text && has_control(text)) /* it would end up in messages and the stored plan */
        return loom_fail_field(err, LOOM_EUSAGE, name,
                               "a value of %s has a line break or control character", name);
    const char *copy = text ? loom_arena_text(&plan->arena, text, strlen(text)) : NULL;
    if ((text && !copy) || loom_grow(&entry->values, entry->n, &entry->capacity))
        return loom_fail_memory(err);
    entry->values[entry->n++] = (struct loom_plan_value){copy, line, column};
    return 0;
}

int loom_plan_place(int rc, const struct loom_plan *plan, const struct loom_plan_value *value,
                    struct loom_error *err)
{
    if (rc && rc != LOOM_ENOMEM && err && value && value->line > 0 && !err->file[0]) {
        snprintf(err->file, sizeof err->file, "%s", plan->file ? plan->file : "");
        err->line = value->line;
        err->column = value->column;
        err->field = NULL; /* the place says it, and there is no option to name */
    }
    return rc;
}

/* ---- the plan -------------------------------------------------------------------------------- */

int loom_plan_create(struct loom_plan **out, struct loom_error *err)
{
    struct loom_plan *plan = *out = calloc(1, sizeof *plan);
    int rc = plan ? loom_plan_block(&plan->base, err) : loom_fail_memory(err);
    if (rc) {
        free(plan);
        *out = NULL;
    }
    return rc;
}

void loom_plan_destroy(struct loom_plan *plan)
{
    if (!plan)
        return;
    for (size_t i = 0; i < plan->n_cells; i++) {
        loom_params_destroy(plan->cells[i].params);
        free(plan->cells[i].chosen);
    }
    free(plan->cells);
    loom_plan_parts_free(plan);
    loom_plan_block_free(&plan->base);
    for (size_t i = 0; i < plan->n_listed; i++)
        loom_plan_block_free(&plan->listed[i]);
    free(plan->listed);
    for (size_t i = 0; i < plan->n_merged; i++)
        loom_plan_block_free(&plan->merged[i]);
    free(plan->merged);
    if (plan->schedulers)
        loom_schedulers_destroy(plan->schedulers);
    free(plan->inputs);
    free(plan->logs);
    free(plan->text);
    loom_arena_free(&plan->arena);
    free(plan);
}

int loom_plan_set(struct loom_plan *plan, const char *key, const char *value,
                  struct loom_error *err)
{
    size_t index;
    int rc = loom_plan_find(&index, key, err);
    if (rc)
        return rc;
    struct loom_plan_entry *entry = &plan->base.entries[index];
    if (!entry->option)
        entry->n = 0;
    entry->option = true;
    return loom_plan_add(plan, &plan->base, index, value, 0, 0, err);
}

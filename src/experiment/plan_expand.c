/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From entries to cells. The plan's own entries are joined with each block of `cells`; in a block,
 * entries with several values are crossed, the last key running fastest. Lists and ranges of
 * numbers become single numbers, written in one way.
 */
#include "experiment/plan.h"

#include "base/error.h"
#include "base/numbers.h"
#include "base/vec.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CELLS = 100000 };

static bool is_none(const char *text)
{
    return text && strcmp(text, "none") == 0;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Can the text be a list or a range of numbers, or one that is written in several ways? What is
 * neither is left to the declaration, which says what it wants. */
static bool is_number(const struct loom_param *param, const char *text)
{
    char *end;
    if (strcmp(param->name, "load") == 0)
        return true;
    if (param->type != LOOM_PARAM_INT && param->type != LOOM_PARAM_REAL)
        return false;
    double number = strtod(text, &end);
    bool any = param->min == 0 && param->max == 0;
    return strpbrk(text, ":,") ||
           (end != text && !*end && (any || (number >= param->min && number <= param->max)));
}

/* Copy a text without its blanks; NULL when memory is out. */
static char *without_blanks(const char *text)
{
    char *copy = malloc(strlen(text) + 1), *to = copy;
    for (; copy && *text; text++)
        if (*text != ' ')
            *to++ = *text;
    if (copy)
        *to = '\0';
    return copy;
}

/* "0.7:0.9:0.1" and "0.70" as numbers. */
static int add_numbers(struct loom_plan *plan, struct loom_plan_block *to, size_t key,
                       const struct loom_plan_value *value, struct loom_error *err)
{
    const struct loom_param *param = to->entries[key].param;
    bool load = strcmp(param->name, "load") == 0, any = param->min == 0 && param->max == 0;
    struct loom_numbers *list = calloc(1, sizeof *list);
    char text[32], *given = without_blanks(value->text);
    int rc = list && given ? 0 : loom_fail_memory(err);
    if (!rc)
        rc = loom_numbers_add(list, given,
                              load  ? 0.001
                              : any ? -INFINITY
                                    : param->min,
                              load  ? LOOM_LOAD_MOST
                              : any ? INFINITY
                                    : param->max,
                              param->name, err);
    for (size_t i = 0; !rc && i < list->n; i++) {
        snprintf(text, sizeof text, "%.12g", list->items[i]);
        rc = loom_plan_add(plan, to, key, text, value->line, value->column, err);
    }
    free(list);
    free(given);
    return rc;
}

static int add_all_schedulers(struct loom_plan *plan, struct loom_plan_block *to, size_t key,
                              const struct loom_plan_value *value, struct loom_error *err)
{
    const struct loom_scheduler_info *info;
    int rc = 0;
    for (size_t i = 0; !rc && (info = loom_scheduler_at(plan->schedulers, i)); i++)
        rc = loom_plan_add(plan, to, key, info->name, value->line, value->column, err);
    return rc;
}

static int add_value(struct loom_plan *plan, struct loom_plan_block *to, size_t key,
                     const struct loom_plan_value *value, struct loom_error *err)
{
    const struct loom_plan_entry *entry = &to->entries[key];
    if (entry->kind == LOOM_KEY_CROSSED && value->text && !is_none(value->text) &&
        is_number(entry->param, value->text))
        return add_numbers(plan, to, key, value, err);
    if (strcmp(entry->param->name, "scheduler") == 0 && value->text &&
        strcmp(value->text, "all") == 0)
        return add_all_schedulers(plan, to, key, value, err);
    return loom_plan_add(plan, to, key, value->text, value->line, value->column, err);
}

static int refuse_twice(const struct loom_plan *plan, const struct loom_plan_entry *entry,
                        struct loom_error *err)
{
    for (size_t i = 1; i < entry->n && entry->kind == LOOM_KEY_CROSSED; i++)
        for (size_t k = 0; k < i; k++) {
            const char *a = entry->values[i].text, *b = entry->values[k].text;
            if (a == b || (a && b && strcmp(a, b) == 0))
                return loom_plan_place(loom_fail_field(err, LOOM_EUSAGE, entry->param->name,
                                                       "%s has the value '%s' twice",
                                                       entry->param->name, a ? a : "true"),
                                       plan, &entry->values[i], err);
        }
    return 0;
}

/* Put the entries of `from` in place of the entries of `to` with the same keys. */
static int join_entries(struct loom_plan *plan, struct loom_plan_block *to,
                        const struct loom_plan_block *from, struct loom_error *err)
{
    int rc = 0;
    for (size_t key = 0; key < loom_plan_keys() && !rc; key++) {
        const struct loom_plan_entry *entry = &from->entries[key];
        if (entry->n > 0)
            to->entries[key].n = 0;
        for (size_t i = 0; i < entry->n && !rc; i++)
            rc = loom_plan_place(add_value(plan, to, key, &entry->values[i], err), plan,
                                 &entry->values[i], err);
        if (!rc && entry->n > 0)
            rc = refuse_twice(plan, &to->entries[key], err);
    }
    return rc;
}

static int merge_blocks(struct loom_plan *plan, struct loom_error *err)
{
    size_t n = plan->n_listed ? plan->n_listed : 1;
    plan->merged = calloc(n, sizeof *plan->merged);
    if (!plan->merged)
        return loom_fail_memory(err);
    int rc = 0;
    for (size_t i = 0; i < n && !rc; i++) {
        rc = loom_plan_block(&plan->merged[i], err);
        plan->n_merged += !rc;
        if (!rc)
            rc = join_entries(plan, &plan->merged[i], &plan->base, err);
        if (!rc && plan->n_listed)
            rc = join_entries(plan, &plan->merged[i], &plan->listed[i], err);
    }
    return rc;
}

/* ---- cells ----------------------------------------------------------------------------------- */

/* Does the value say that the key is left out: none, or false of a flag? Jobs of a model can have
 * estimates: none, which is a rule like any other, and so are choices of that name. */
static bool is_off(const struct loom_plan_cell *cell, const struct loom_plan_entry *entry,
                   const struct loom_plan_value *value)
{
    if (entry->param->type == LOOM_PARAM_FLAG)
        return value->text && strcmp(value->text, "false") == 0;
    if (strcmp(entry->param->name, "estimates") == 0 && loom_params_given(cell->params, "model"))
        return false;
    for (const char *const *choice = entry->param->choices; choice && *choice; choice++)
        if (is_none(*choice))
            return false;
    return entry->kind == LOOM_KEY_CROSSED && is_none(value->text);
}

/* Does the cell leave out the key that this one needs? Then it leaves out this one too, so that
 * predictor: [none, recent2] goes with correction: double. */
static bool is_idle(const struct loom_plan_cell *cell, const struct loom_plan_entry *entry)
{
    const char *need = loom_plan_need(entry->param->name);
    size_t key;
    return need && loom_plan_find(&key, need, NULL) == 0 && cell->chosen[key] &&
           is_off(cell, &cell->block->entries[key], cell->chosen[key]);
}

static int set_value(struct loom_plan *plan, struct loom_plan_cell *cell,
                     const struct loom_plan_entry *entry, const struct loom_plan_value *value,
                     struct loom_error *err)
{
    bool flag = entry->param->type == LOOM_PARAM_FLAG;
    if (is_off(cell, entry, value))
        return 0;
    return loom_plan_place(loom_params_set(cell->params, entry->param->name,
                                           flag ? NULL : value->text, err),
                           plan, value, err);
}

static int set_entries(struct loom_plan *plan, struct loom_plan_cell *cell, struct loom_error *err)
{
    int rc = 0;
    for (size_t key = 0; key < loom_plan_keys() && !rc; key++) {
        const struct loom_plan_entry *entry = &cell->block->entries[key];
        if (entry->n == 0 || is_idle(cell, entry))
            continue;
        if (entry->kind == LOOM_KEY_CROSSED)
            rc = set_value(plan, cell, entry, cell->chosen[key], err);
        for (size_t i = 0; entry->kind != LOOM_KEY_CROSSED && i < entry->n && !rc; i++)
            rc = set_value(plan, cell, entry, &entry->values[i], err);
    }
    return rc;
}

/* Set the keys that a preset stands for. */
static int set_preset(struct loom_plan *plan, struct loom_plan_cell *cell, struct loom_error *err)
{
    const char *name = loom_params_text(cell->params, "preset");
    bool resampled = loom_params_flag(cell->params, "resample");
    if (!name)
        return 0;
    if (!resampled && !loom_users_preset_find(name)->log_users)
        return loom_plan_blame(loom_fail_field(err, LOOM_EUSAGE, "preset",
                                               "preset %s is of a resampled population: add "
                                               "resample",
                                               name),
                               plan, cell, "preset", err);
    return loom_plan_blame(loom_users_preset_apply(cell->params, resampled, err), plan, cell,
                           "preset", err);
}

static int add_cell(struct loom_plan *plan, const struct loom_plan_block *block, const size_t *at,
                    struct loom_error *err)
{
    if (plan->n_cells == MOST_CELLS)
        return loom_fail(err, LOOM_ERANGE, "the plan has more than %d cells", MOST_CELLS);
    if (loom_grow(&plan->cells, plan->n_cells, &plan->cells_capacity))
        return loom_fail_memory(err);
    struct loom_plan_cell *cell = &plan->cells[plan->n_cells];
    *cell = (struct loom_plan_cell){.block = block};
    cell->chosen = calloc(loom_plan_keys(), sizeof *cell->chosen);
    if (!cell->chosen)
        return loom_fail_memory(err);
    plan->n_cells++;
    for (size_t key = 0; key < loom_plan_keys(); key++)
        if (block->entries[key].kind == LOOM_KEY_CROSSED && block->entries[key].n > 0)
            cell->chosen[key] = &block->entries[key].values[at[key]];
    int rc = loom_params_create(&cell->params, loom_plan_params, err);
    if (!rc)
        rc = set_entries(plan, cell, err);
    return rc ? rc : set_preset(plan, cell, err);
}

/* Step to the next combination; false after the last. */
static bool next_combination(size_t *at, const struct loom_plan_block *block)
{
    for (size_t key = loom_plan_keys(); key-- > 0;) {
        const struct loom_plan_entry *entry = &block->entries[key];
        if (entry->kind != LOOM_KEY_CROSSED || entry->n == 0)
            continue;
        if (++at[key] < entry->n)
            return true;
        at[key] = 0;
    }
    return false;
}

static int cross(struct loom_plan *plan, const struct loom_plan_block *block,
                 struct loom_error *err)
{
    size_t *at = calloc(loom_plan_keys(), sizeof *at);
    int rc = at ? 0 : loom_fail_memory(err);
    do {
        if (!rc)
            rc = add_cell(plan, block, at, err);
    } while (!rc && next_combination(at, block));
    free(at);
    return rc;
}

/* ---- all ------------------------------------------------------------------------------------- */

/* Values of the plan as a whole, which are the same in all cells. */
static int load_plugins(struct loom_plan *plan, struct loom_error *err)
{
    size_t key;
    int rc = loom_plan_find(&key, "plugin", err);
    const struct loom_plan_entry *entry = &plan->base.entries[key];
    if (!rc && entry->n > 0)
        rc = loom_schedulers_create(&plan->schedulers, err);
    for (size_t i = 0; i < entry->n && !rc; i++)
        rc = loom_plan_place(loom_schedulers_load(plan->schedulers, entry->values[i].text, err),
                             plan, &entry->values[i], err);
    return rc;
}

int loom_plan_expand(struct loom_plan *plan, struct loom_error *err)
{
    int rc = load_plugins(plan, err);
    if (!rc)
        rc = merge_blocks(plan, err);
    for (size_t i = 0; i < plan->n_merged && !rc; i++)
        rc = cross(plan, &plan->merged[i], err);
    if (rc)
        return rc;
    plan->seed = (uint64_t)loom_params_int(plan->cells[0].params, "seed");
    plan->replications = loom_params_int(plan->cells[0].params, "replications");
    return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the scenarios of a plan point at besides the source of their jobs: changes, systems,
 * constraints. Each is made once for all cells that have the same values of its keys, so that a
 * runner sees by the pointers that two runs have the same jobs.
 */
#include "experiment/plan_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void loom_plan_parts_free(struct loom_plan *plan)
{
    while (plan->parts) { /* newest first: later ones may use earlier ones */
        struct loom_plan_part *part = plan->parts;
        plan->parts = part->next;
        if (part->object)
            part->destroy(part->object);
        free(part->keys);
        free(part);
    }
}

/* ---- parts by keys --------------------------------------------------------------------------- */

static const struct loom_part_keys request_keys = {.names = {"estimates"}};
static const struct loom_part_keys rearrange_keys = {.lists = {loom_rearrange_params}};
static const struct loom_part_keys machine_keys = {.names = {"procs"}};
static const struct loom_part_keys grid_keys = {.lists = {loom_platform_params}};
static const struct loom_part_keys constraint_keys = {.names = {"trace"},
                                                      .lists = {loom_constraint_params}};
static const struct loom_part_keys measure_keys = {.names = {"measure-users"}};

static void put_key(FILE *to, const struct loom_params *params, const char *name)
{
    if (!loom_params_given(params, name))
        return;
    fprintf(to, "|%s", name);
    for (size_t i = 0; i < loom_params_count(params, name); i++)
        fprintf(to, "=%s", loom_params_item(params, name, i));
}

static void put_keys(FILE *to, const struct loom_params *params, const struct loom_part_keys *keys)
{
    for (size_t i = 0; i < LOOM_PART_NAMES && keys->names[i]; i++)
        put_key(to, params, keys->names[i]);
    for (size_t i = 0; i < LOOM_PART_LISTS && keys->lists[i]; i++)
        for (const struct loom_param *param = keys->lists[i]; param->name; param++)
            put_key(to, params, param->name);
}

/* Return the text that a part is known by. The caller must free it; NULL when memory is out. */
static char *part_keys(const struct loom_params *params, const char *kind,
                       const struct loom_part_keys *keys, const struct loom_part_keys *more)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    if (!to)
        return NULL;
    fputs(kind, to);
    put_keys(to, params, keys);
    if (more)
        put_keys(to, params, more);
    if (fclose(to) == 0)
        return text;
    free(text);
    return NULL;
}

struct loom_plan_part *loom_plan_part_find(const struct loom_plan_making *making, const char *kind,
                                           const struct loom_part_keys *keys,
                                           const struct loom_part_keys *more)
{
    struct loom_plan *plan = making->plan;
    char *text = part_keys(making->cell->params, kind, keys, more);
    if (!text)
        return NULL;
    struct loom_plan_part *part = plan->parts;
    while (part && strcmp(part->keys, text) != 0)
        part = part->next;
    if (!part && (part = calloc(1, sizeof *part))) {
        *part = (struct loom_plan_part){.next = plan->parts, .keys = text};
        return plan->parts = part;
    }
    free(text);
    return part;
}

/* ---- changes --------------------------------------------------------------------------------- */

static int take_requests(const struct loom_plan_making *making, struct loom_error *err)
{
    const struct loom_params *params = making->cell->params;
    if (!loom_params_given(params, "estimates") || loom_params_given(params, "model"))
        return 0;
    struct loom_plan_part *part = loom_plan_part_find(making, "requests", &request_keys, NULL);
    if (part && !part->object) {
        part->object = calloc(1, sizeof(struct loom_request_change));
        part->destroy = free;
    }
    if (!part || !part->object)
        return loom_fail_memory(err);
    struct loom_request_change *change = part->object;
    making->cell->scenario.requests = change;
    return loom_request_rule_parse(&change->how, &change->factor,
                                   loom_params_text(params, "estimates"), LOOM_REQUESTS_OF_TRACE,
                                   err);
}

static int take_rearrangement(const struct loom_plan_making *making, struct loom_error *err)
{
    const struct loom_params *params = making->cell->params;
    struct loom_rearrangement how;
    bool asked;
    int rc = loom_rearrangement_take(&how, &asked, params, err);
    if (rc || !asked)
        return rc;
    struct loom_plan_part *part =
        loom_plan_part_find(making, "rearrangement", &rearrange_keys, NULL);
    if (part && !part->object) {
        part->object = malloc(sizeof how);
        part->destroy = free;
        if (part->object)
            memcpy(part->object, &how, sizeof how);
    }
    if (!part || !part->object)
        return loom_fail_memory(err);
    making->cell->scenario.rearrange = part->object;
    return 0;
}

/* ---- the machine ----------------------------------------------------------------------------- */

static void destroy_system(void *system)
{
    loom_system_destroy(system);
}

static void destroy_platform(void *platform)
{
    loom_platform_destroy(platform);
}

static int make_grid(struct loom_system **out, const struct loom_plan_making *making,
                     struct loom_error *err)
{
    const struct loom_params *params = making->cell->params;
    const struct loom_read_options read = {.pool = making->pool};
    struct loom_platform *platform = NULL;
    struct loom_plan_part *part = loom_plan_part_find(making, "platform", &grid_keys, NULL);
    if (!part)
        return loom_fail_memory(err);
    int rc = loom_platform_create(&platform, params, making->plan->schedulers, err);
    if (rc)
        return rc;
    part->object = platform;
    part->destroy = destroy_platform;
    return loom_system_create_grid(out, platform, &read, err);
}

static int take_system(const struct loom_plan_making *making, struct loom_error *err)
{
    const struct loom_params *params = making->cell->params;
    bool grid = loom_params_given(params, "platform");
    struct loom_system *system = NULL;
    if (!grid && !loom_params_given(params, "procs"))
        return 0;
    const struct loom_part_keys *keys = grid ? &grid_keys : &machine_keys;
    /* The system uses its platform to the end: the platform has to be the older part. */
    if (grid && !loom_plan_part_find(making, "platform", &grid_keys, NULL))
        return loom_fail_memory(err);
    struct loom_plan_part *part = loom_plan_part_find(making, "system", keys, NULL);
    if (!part)
        return loom_fail_memory(err);
    if (!part->object) {
        int rc = grid ? make_grid(&system, making, err)
                      : loom_system_create(&system, loom_params_int(params, "procs"), err);
        if (rc)
            return rc;
        part->object = system;
        part->destroy = destroy_system;
    }
    making->cell->scenario.system = part->object;
    return 0;
}

static void destroy_params(void *params)
{
    loom_params_destroy(params);
}

static int take_measured(const struct loom_plan_making *making, struct loom_error *err)
{
    struct loom_params *measured = NULL;
    struct loom_plan_part *part = loom_plan_part_find(making, "measured", &measure_keys, NULL);
    if (!part)
        return loom_fail_memory(err);
    int rc = part->object ? 0 : loom_measured_take(&measured, making->cell->params, err);
    if (measured) {
        part->object = measured;
        part->destroy = destroy_params;
    }
    making->cell->scenario.measure = part->object;
    return rc;
}

/* ---- constraints ----------------------------------------------------------------------------- */

static void destroy_constraints(void *constraints)
{
    loom_constraints_release(constraints);
    free(constraints);
}

static int take_constraints(const struct loom_plan_making *making, struct loom_error *err)
{
    const struct loom_params *params = making->cell->params;
    if (!loom_constraints_given(params))
        return 0;
    struct loom_plan_part *part =
        loom_plan_part_find(making, "constraints", &constraint_keys, &loom_log_keys);
    if (!part)
        return loom_fail_memory(err);
    struct loom_constraints *made = part->object ? NULL : calloc(1, sizeof *made);
    int rc = part->object ? 0
             : made       ? loom_constraints_take(made, params, making->cell->scenario.trace, err)
                          : loom_fail_memory(err);
    if (made) {
        part->object = made;
        part->destroy = destroy_constraints;
    }
    if (!rc)
        loom_constraints_apply(&making->cell->scenario, part->object);
    return rc;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static int take_all(const struct loom_plan_making *making, struct loom_error *err)
{
    struct loom_scenario *scenario = &making->cell->scenario;
    int rc = loom_plan_take_source(making, err);
    if (!rc)
        rc = take_requests(making, err);
    if (!rc)
        rc = take_rearrangement(making, err);
    if (!rc)
        rc = take_system(making, err);
    if (!rc)
        rc = take_measured(making, err);
    if (!rc)
        rc = take_constraints(making, err);
    return rc ? rc : loom_trim_take(&scenario->trim, making->cell->params, err);
}

int loom_plan_parts(struct loom_plan *plan, struct loom_plan_cell *cell, struct loom_pool *pool,
                    struct loom_error *err)
{
    const struct loom_plan_making making = {plan, cell, pool};
    const struct loom_params *params = cell->params;
    cell->scenario = loom_scenario();
    cell->scenario.policy = loom_params_text(params, "scheduler");
    cell->scenario.schedulers = plan->schedulers;
    cell->scenario.overrun = (enum loom_overrun)loom_params_choice(params, "overrun");
    cell->scenario.compat = (enum loom_compat)loom_params_choice(params, "compat");
    cell->scenario.predictor = loom_params_text(params, "predictor");
    cell->scenario.correction = (enum loom_correction)loom_params_choice(params, "correction");
    cell->scenario.predict_waits = loom_params_flag(params, "predict-waits");
    if (loom_params_given(params, "by"))
        cell->scenario.by = (int)loom_params_choice(params, "by");
    cell->scenario.load_by = (enum loom_load_way)loom_params_choice(params, "load-by");
    if (loom_params_given(params, "load"))
        cell->scenario.load = strtod(loom_params_text(params, "load"), NULL);
    int rc = take_all(&making, err);
    if (!rc)
        rc = loom_scenario_check(&cell->scenario, err);
    return loom_plan_locate(rc, plan, cell, err);
}

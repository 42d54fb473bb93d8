/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plan made ready to run: cells with their scenarios, grouped by the jobs they share. */
#include "experiment/plan.h"
#include "experiment/tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Does anything in the cell draw random numbers? */
static bool is_random(const struct loom_plan_cell *cell)
{
    const struct loom_scenario *scenario = &cell->scenario;
    const struct loom_platform *platform =
        scenario->system ? loom_system_platform(scenario->system) : NULL;
    for (size_t i = 0; platform && i < platform->n_clusters; i++)
        if (platform->clusters[i].model)
            return true;
    return scenario->model || scenario->resampler || scenario->users || scenario->rearrange ||
           (scenario->requests && loom_request_rule_random(scenario->requests->how)) ||
           (platform && platform->dispatch && strstr(platform->dispatch, "choose=random"));
}

/* Is nothing made for a run that another one could use? */
static bool is_plain(const struct loom_scenario *scenario)
{
    return scenario->trace && !scenario->requests && !scenario->rearrange && !scenario->users;
}

/* Have both the same jobs, before the load is changed? Runs of a log as it is share nothing that
 * has to be made, and are left to any thread. */
static bool same_workload(const struct loom_scenario *a, const struct loom_scenario *b)
{
    return !is_plain(a) && !is_plain(b) && a->trace == b->trace && a->model == b->model &&
           a->resampler == b->resampler &&
           memcmp(&a->generate, &b->generate, sizeof a->generate) == 0 &&
           a->requests == b->requests && a->rearrange == b->rearrange;
}

static void group_workloads(struct loom_plan *plan)
{
    size_t n = 0;
    for (size_t i = 0; i < plan->n_cells; i++) {
        size_t k = 0;
        while (k < i && !same_workload(&plan->cells[k].scenario, &plan->cells[i].scenario))
            k++;
        plan->cells[i].workload = k < i ? plan->cells[k].workload : n++;
    }
}

/* Cells that blocks have in common are one. */
static void drop_doubles(struct loom_plan *plan)
{
    size_t n = 0;
    for (size_t i = 0; i < plan->n_cells; i++) {
        size_t k = 0;
        while (k < n && strcmp(plan->cells[k].hash, plan->cells[i].hash) != 0)
            k++;
        if (k < n) {
            loom_params_destroy(plan->cells[i].params);
            free(plan->cells[i].chosen);
        } else {
            plan->cells[n] = plan->cells[i];
            plan->cells[n].stored.hash = plan->cells[n].hash;
            n++;
        }
    }
    plan->n_cells = n;
}

/* ---- the plan as text ------------------------------------------------------------------------ */

static void put_quoted(FILE *to, const char *text)
{
    fputc('\'', to);
    for (; *text; text++)
        if (*text == '\'')
            fputs("''", to);
        else
            fputc(*text, to);
    fputc('\'', to);
}

static void put_values(FILE *to, const struct loom_plan_entry *entry)
{
    for (size_t i = 0; i < entry->n; i++) {
        fputs(i > 0 ? ", " : entry->n > 1 ? "[" : "", to);
        if (entry->values[i].text && entry->param->type != LOOM_PARAM_FLAG)
            put_quoted(to, entry->values[i].text);
        else
            fputs(entry->values[i].text ? entry->values[i].text : "true", to);
    }
    fputs(entry->n > 1 ? "]\n" : "\n", to);
}

static void put_block(FILE *to, const struct loom_plan_block *block, bool inner)
{
    bool first = true;
    for (size_t key = 0; key < loom_plan_keys(); key++) {
        if (block->entries[key].n == 0)
            continue;
        fprintf(to, "%s%s: ",
                !inner  ? ""
                : first ? "  - "
                        : "    ",
                block->entries[key].param->name);
        put_values(to, &block->entries[key]);
        first = false;
    }
}

static bool has_options(const struct loom_plan *plan)
{
    for (size_t key = 0; key < loom_plan_keys(); key++)
        if (plan->base.entries[key].option)
            return true;
    return false;
}

/* The file as it is; where options were set, the resulting plan. */
static int write_text(struct loom_plan *plan, struct loom_error *err)
{
    char *text = NULL;
    size_t size = 0;
    if (plan->text && !has_options(plan))
        return 0;
    FILE *to = open_memstream(&text, &size);
    if (!to)
        return loom_fail_memory(err);
    put_block(to, &plan->base, false);
    if (plan->n_listed > 0)
        fputs("cells:\n", to);
    for (size_t i = 0; i < plan->n_listed; i++)
        put_block(to, &plan->listed[i], true);
    if (fclose(to) != 0)
        return loom_fail_memory(err);
    free(plan->text);
    plan->text = text;
    return 0;
}

/* ---- all ------------------------------------------------------------------------------------- */

static int load_cell(struct loom_plan *plan, struct loom_plan_cell *cell, struct loom_pool *pool,
                     struct loom_error *err)
{
    int rc = loom_plan_parts(plan, cell, pool, err);
    if (rc)
        return rc;
    cell->random = is_random(cell);
    cell->replications = cell->random ? plan->replications : 1;
    return loom_plan_identify(plan, cell, err);
}

int loom_plan_load(struct loom_plan *plan, struct loom_pool *pool, struct loom_error *err)
{
    int rc = loom_plan_expand(plan, err);
    if (!rc)
        rc = loom_plan_check(plan, err);
    for (size_t i = 0; i < plan->n_cells && !rc; i++)
        rc = load_cell(plan, &plan->cells[i], pool, err);
    if (rc)
        return rc;
    drop_doubles(plan);
    group_workloads(plan);
    return write_text(plan, err);
}

size_t loom_plan_cells(const struct loom_plan *plan)
{
    return plan->n_cells;
}

int64_t loom_plan_runs(const struct loom_plan *plan)
{
    int64_t n = 0;
    for (size_t i = 0; i < plan->n_cells; i++)
        n += plan->cells[i].replications;
    return n;
}

bool loom_plan_scenario(const struct loom_plan *plan, size_t cell, int64_t replication,
                        struct loom_scenario *out)
{
    if (cell >= plan->n_cells || replication < 0 || replication >= plan->cells[cell].replications)
        return false;
    *out = plan->cells[cell].scenario;
    out->replication = (uint64_t)replication;
    return true;
}

const struct loom_store_cell *loom_plan_stored(const struct loom_plan *plan, size_t cell)
{
    return cell < plan->n_cells ? &plan->cells[cell].stored : NULL;
}

const struct loom_plan_log *loom_plan_log(const struct loom_plan *plan, size_t index)
{
    return index < plan->n_logs ? &plan->logs[index] : NULL;
}

const char *loom_plan_text(const struct loom_plan *plan)
{
    return plan->text;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A libFuzzer target for plans of experiments. Their trace is a log of four jobs. Beyond not
 * crashing, this must hold:
 *
 *   - a failure has a negative code and a sentence of its own, and an error of syntax a place;
 *   - a plan that was loaded has cells with scenarios that pass loom_scenario_check, and the text
 *     that is stored of it gives the same cells again.
 *
 * Models, users, grids and files are read and checked, but not made: what that takes is not up to
 * the plan's reader. Shared objects are not loaded.
 */
#include "fuzz.h"

#include "experiment/plan.h"
#include "experiment/tool.h"

#include <string.h>

enum { MOST_CELLS = 64 };

static const char jobs[] = "; MaxProcs: 8\n"
                           "1 0 5 100 4 -1 -1 4 200 -1 1 1 1 1 1 1 -1 -1\n"
                           "2 10 5 100 2 -1 -1 2 200 -1 1 2 1 1 1 1 -1 -1\n"
                           "3 50 0 300 8 -1 -1 8 300 -1 1 1 1 1 1 1 -1 -1\n"
                           "4 90 9 10 1 -1 -1 1 60 -1 1 2 1 1 1 1 -1 -1\n";

static void check_error(int code, const struct loom_error *err, const char *path)
{
    MUST(code < 0 && err->code == code);
    MUST(err->message[0] != '\0' && strchr(err->message, '\n') == NULL);
    MUST(err->line == 0 || (strcmp(err->file, path) == 0 && err->column > 0));
    MUST(err->line > 0 || code != LOOM_EFORMAT || strstr(err->message, "no text") != NULL);
}

static const struct loom_plan_entry *entry_of(const struct loom_plan_block *block, const char *name)
{
    size_t key = 0;
    MUST(loom_plan_find(&key, name, NULL) == 0);
    return &block->entries[key];
}

/* The cells of a block, as far as can be seen before ranges are expanded. */
static double count(const struct loom_plan *plan, const struct loom_plan_block *block)
{
    double n = 1;
    for (size_t key = 0; key < loom_plan_keys(); key++) {
        const struct loom_plan_entry *entry = &block->entries[key];
        entry = entry->n > 0 ? entry : &plan->base.entries[key];
        for (size_t i = 0; i < entry->n; i++) /* a range may be many */
            n *= entry->values[i].text && strpbrk(entry->values[i].text, ":,") ? 1e3 : 1;
        n *= entry->n > 0 ? (double)entry->n : 1;
    }
    return n;
}

static bool is_small(const struct loom_plan *plan)
{
    double n = count(plan, &plan->base);
    for (size_t i = 0; i < plan->n_listed; i++)
        n += count(plan, &plan->listed[i]);
    return n <= MOST_CELLS;
}

/* Does the plan name something to be made, or files? */
static bool is_plain(const struct loom_plan *plan, const struct loom_plan_block *block)
{
    static const char *const others[] = {"plugin",   "model",    "platform", "background",
                                         "resample", "feedback", "trace"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (entry_of(block, others[i])->n > (block == &plan->base && i == 6))
            return false;
    return true;
}

static void check_again(const struct loom_plan *plan)
{
    struct loom_plan *again = NULL;
    struct loom_error err = {0};
    char path[64];
    const char *text = loom_plan_text(plan);
    int fd = input_file((const uint8_t *)text, strlen(text), path, sizeof path);
    MUST(loom_plan_create(&again, &err) == 0);
    MUST(loom_plan_read(again, path, &err) == 0);
    MUST(loom_plan_load(again, NULL, &err) == 0);
    MUST(loom_plan_cells(again) == loom_plan_cells(plan));
    for (size_t i = 0; i < loom_plan_cells(plan); i++)
        MUST(strcmp(again->cells[i].hash, plan->cells[i].hash) == 0);
    loom_plan_destroy(again);
    close(fd);
}

static void check_loaded(const struct loom_plan *plan)
{
    struct loom_scenario scenario;
    MUST(loom_plan_cells(plan) > 0 && loom_plan_runs(plan) >= (int64_t)loom_plan_cells(plan));
    for (size_t i = 0; i < loom_plan_cells(plan); i++) {
        MUST(loom_plan_scenario(plan, i, 0, &scenario));
        MUST(loom_scenario_check(&scenario, NULL) == 0);
    }
    check_again(plan);
}

/* Load what is quickly loaded, else check words only. */
static int load(struct loom_plan *plan, struct loom_error *err)
{
    bool plain = is_plain(plan, &plan->base);
    for (size_t i = 0; i < plan->n_listed; i++)
        plain = plain && is_plain(plan, &plan->listed[i]);
    if (plain) {
        int code = loom_plan_load(plan, NULL, err);
        if (code == 0)
            check_loaded(plan);
        return code;
    }
    if (entry_of(&plan->base, "plugin")->n > 0)
        return 0;
    int code = loom_plan_expand(plan, err);
    return code ? code : loom_plan_check(plan, err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64], log[64];
    int fd = input_file(data, size, path, sizeof path);
    int log_fd = input_file((const uint8_t *)jobs, sizeof jobs - 1, log, sizeof log);
    struct loom_error err = {0};
    struct loom_plan *plan = NULL;
    MUST(loom_plan_create(&plan, &err) == 0);
    int code = loom_plan_read(plan, path, &err);
    if (code == 0)
        code = loom_plan_set(plan, "trace", log, &err);
    if (code == 0 && is_small(plan))
        code = load(plan, &err);
    if (code != 0)
        check_error(code, &err, path);
    loom_plan_destroy(plan);
    close(log_fd);
    close(fd);
    return 0;
}

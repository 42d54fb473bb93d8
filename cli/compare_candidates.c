/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * compare TRACE --models LIST: which models are meant. Items have commas between, and so have the
 * parameters of one model, as those of a scheduler have:
 * "minh2012:variant=improved,delta=60,M.json" is two models, because NAME=VALUE without a model
 * before it goes on with the one before.
 */
#include "compare_output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the list -------------------------------------------------------------------------------- */

static int add_compare_candidates_text(struct candidates *to, char *text, struct loom_error *err)
{
    struct owned *texts = text ? reallocarray(to->owned, to->n + 1, sizeof *texts) : NULL;
    if (!texts) {
        free(text);
        return loom_fail_memory(err);
    }
    to->owned = texts;
    to->owned[to->n++] = (struct owned){.text = text};
    return 0;
}

static int add_variant(struct candidates *to, const struct loom_model_info *info,
                       const char *settings, struct loom_error *err)
{
    char *text = NULL;
    if (asprintf(&text, "%s:%s", info->name, settings) < 0)
        return loom_fail_memory(err);
    return add_compare_candidates_text(to, text, err);
}

/* Every workload model as it is, and its variants. */
static int add_all(struct candidates *to, struct loom_error *err)
{
    const struct loom_model_info *info;
    size_t first = to->n;
    int rc = 0;
    for (size_t i = 0; !rc && (info = loom_model_at(i)); i++) {
        if (!info->can_fit || info->arrivals_only)
            continue;
        rc = add_compare_candidates_text(to, strdup(info->name), err);
        for (size_t k = 0; !rc && info->variants && info->variants[k]; k++)
            rc = add_variant(to, info, info->variants[k], err);
    }
    for (; first < to->n; first++)
        to->owned[first].by_all = true;
    return rc;
}

/* "NAME=VALUE", where anything with a colon or a slash before the '=' is a model or a file. */
static bool is_setting(const char *item)
{
    size_t length = strcspn(item, "=:/.");
    return length > 0 && item[length] == '=';
}

static int add_setting(struct candidates *to, const char *item, struct loom_error *err)
{
    char *longer = NULL;
    char *before = to->n > 0 ? to->owned[to->n - 1].text : NULL;
    if (!before || !strchr(before, ':'))
        return loom_fail(err, LOOM_EUSAGE,
                         "--models: '%s' is no model; parameters go behind one and a colon, as in "
                         "%s:%s",
                         item, before ? before : "NAME", item);
    if (asprintf(&longer, "%s,%s", before, item) < 0)
        return loom_fail_memory(err);
    free(before);
    to->owned[to->n - 1].text = longer;
    to->owned[to->n - 1].by_all = false;
    return 0;
}

static int add_item(struct candidates *to, const char *item, struct loom_error *err)
{
    if (!*item)
        return loom_fail(err, LOOM_EUSAGE,
                         "--models has an empty item; give models with one comma between, or all");
    if (strcmp(item, "all") == 0)
        return add_all(to, err);
    return is_setting(item) ? add_setting(to, item, err)
                            : add_compare_candidates_text(to, strdup(item), err);
}

static int compare_candidates_split(struct candidates *to, const char *list, struct loom_error *err)
{
    char *copy = strdup(list);
    int rc = copy ? 0 : loom_fail_memory(err);
    for (char *rest = copy, *item; !rc && (item = next_item(&rest));)
        rc = add_item(to, item, err);
    free(copy);
    return rc;
}

/* ---- the models ------------------------------------------------------------------------------ */

static int resolve(struct loom_candidate *out, struct owned *owned, const struct invocation *call,
                   struct loom_error *err)
{
    int rc;
    if (is_model_file(owned->text)) {
        rc = refuse_stdin_twice(call->operands[0], owned->text, err);
        if (!rc)
            rc = load_model_file(&owned->model, owned->text, call, NULL, 0, err);
        if (!rc)
            out->info = loom_model_info(owned->model);
    } else {
        const char *colon = strchr(owned->text, ':');
        out->variant = colon ? colon + 1 : NULL;
        rc = loom_model_parse(&out->info, &owned->params, owned->text, err);
        if (rc && rc != LOOM_ENOMEM)
            rc = err->code = LOOM_EUSAGE;
        if (!rc && !out->info->can_fit)
            rc = loom_fail(err, LOOM_EUSAGE, "the model %s cannot be fitted to a log",
                           out->info->name);
    }
    out->label = owned->text;
    out->params = owned->params;
    out->model = owned->model;
    return rc;
}

static size_t first_like(const struct candidates *in, size_t i)
{
    size_t k = 0;
    while (strcmp(in->owned[k].text, in->owned[i].text) != 0)
        k++;
    return k;
}

/* What `all` brings in may be named besides, and counts once. Anything else that is named twice is
 * a slip. */
static int drop_repeats(struct candidates *in, struct loom_error *err)
{
    for (size_t i = 0; i < in->n;) {
        struct owned *item = &in->owned[i], *first = &in->owned[first_like(in, i)];
        if (first == item) {
            i++;
            continue;
        }
        if (!item->by_all && !first->by_all)
            return loom_fail(err, LOOM_EUSAGE, "--models names '%s' twice", item->text);
        free(item->text);
        memmove(item, item + 1, (--in->n - i) * sizeof *item);
    }
    return 0;
}

int take_candidates(struct candidates *out, const struct invocation *call, struct loom_error *err)
{
    int rc = 0;
    for (size_t i = 0; i < loom_params_count(call->params, "models") && !rc; i++)
        rc = compare_candidates_split(out, loom_params_item(call->params, "models", i), err);
    if (!rc)
        rc = drop_repeats(out, err);
    if (rc)
        return rc;
    out->list = calloc(out->n + 1, sizeof *out->list);
    if (!out->list)
        return loom_fail_memory(err);
    for (size_t i = 0; i < out->n && !rc; i++)
        rc = resolve(&out->list[i], &out->owned[i], call, err);
    return rc;
}

void free_candidates(struct candidates *candidates)
{
    for (size_t i = 0; i < candidates->n; i++) {
        loom_model_destroy(candidates->owned[i].model);
        loom_params_destroy(candidates->owned[i].params);
        free(candidates->owned[i].text);
    }
    free(candidates->owned);
    free(candidates->list);
}

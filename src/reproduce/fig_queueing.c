/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of queueing models, as 'queue' draws them. */
#include "reproduce/figures.h"

#include <workloom/queueing.h>

#include <string.h>

enum { USERS = 100000, MOST_RULES = 4 };

/* Set up the model of a sweep: what does not vary. */
static int base_trial(struct loom_queueing_trial *out, const struct loom_sweep *sweep,
                      struct loom_error *err)
{
    *out = (struct loom_queueing_trial){.model = loom_queueing_model(),
                                        .options = loom_queueing_options(),
                                        .solve = sweep->exact,
                                        .simulate = !sweep->exact};
    out->model.lambda = sweep->lambda;
    out->model.closed = sweep->closed;
    out->model.think.mean = sweep->think;
    out->options.jobs = 0;
    out->options.users = USERS;
    return sweep->rules[0] && !sweep->rules[1]
               ? loom_repeat_parse(&out->model.repeat, sweep->rules[0], err)
               : 0;
}

static int create_study(struct loom_queueing_study *out, const struct loom_sweep *sweep,
                        struct loom_pool *pool, struct loom_error *err)
{
    struct loom_queueing_trial base;
    struct loom_queueing_axis axes[2];
    struct loom_repeat rules[MOST_RULES];
    size_t n_axes = 0, n_rules = 0;
    int rc = base_trial(&base, sweep, err);
    for (; !rc && n_axes < 2 && sweep->axes[n_axes]; n_axes++)
        rc = loom_queueing_axis_parse(&axes[n_axes], sweep->axes[n_axes], err);
    for (; !rc && sweep->rules[1] && n_rules < MOST_RULES && sweep->rules[n_rules]; n_rules++)
        rc = loom_repeat_parse(&rules[n_rules], sweep->rules[n_rules], err);
    if (!rc)
        rc = loom_queueing_study_create(out, &base, axes, n_axes, rules, n_rules, err);
    out->exact_first = sweep->exact;
    return rc ? rc : loom_queueing_run(out->trials, out->curves * out->points, pool, err);
}

/* Take the figures of the report that the item names, in their order. */
static int take_figures(struct loom_reproduction *all, size_t item, struct loom_report *report,
                        struct loom_error *err)
{
    const char *names = all->items[item].item->figure;
    int rc = 0;
    for (size_t i = 0; i < report->n && !rc; i++) {
        const struct loom_figure_ops *ops = report->drawings[i].ops;
        const char *found = strstr(names, ops->name);
        size_t length = strlen(ops->name);
        if (found && (found == names || found[-1] == ' ') && strchr(" ", found[length]))
            rc = loom_figures_take(all, item, report, ops->name, ops->title, err);
    }
    return rc;
}

int loom_figures_of_sweep(struct loom_reproduction *all, size_t item, struct loom_bench *bench,
                          struct loom_error *err)
{
    const struct loom_sweep *sweep = all->items[item].item->sweep;
    struct loom_pool *pool = loom_bench_options(bench)->pool;
    struct loom_queueing_study study = {0};
    struct loom_report *report = NULL;
    if (!sweep)
        return 0;
    int rc = create_study(&study, sweep, pool, err);
    if (!rc)
        rc = loom_report_queueing(&report, &study, pool, err);
    if (!rc)
        rc = take_figures(all, item, report, err);
    loom_report_destroy(report);
    loom_queueing_study_free(&study);
    return rc;
}

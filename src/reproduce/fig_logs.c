/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of the logs of an item: as 'analyze' draws them, or beside generated or resampled jobs
 * as 'compare' does. */
#include "reproduce/figures.h"

#include "report/contrast.h"

#include <workloom/models.h>
#include <workloom/resample.h>
#include <workloom/sim_users.h>

#include <stdlib.h>
#include <string.h>

enum { MOST_LOGS = 5 };

/* ---- drawn jobs ------------------------------------------------------------------------------ */

/* Draw the workload of a claim's first replication. */
typedef int draw_jobs_fn(struct loom_trace **out, struct loom_bench *bench,
                         const struct loom_claim *claim, struct loom_error *err);

static int draw_model(struct loom_trace **out, struct loom_bench *bench,
                      const struct loom_claim *claim, struct loom_error *err)
{
    const struct loom_reproduce_options *options = loom_bench_options(bench);
    struct loom_generate_options made = {.seed = options->seed};
    struct loom_model *model = NULL;
    int rc = loom_claim_model(&model, bench, claim, err);
    if (!rc)
        rc = loom_model_generate(out, model, &made, options->pool, err);
    loom_model_destroy(model);
    return rc;
}

static int draw_variant(struct loom_trace **out, struct loom_bench *bench,
                        const struct loom_claim *claim, struct loom_error *err)
{
    struct loom_resample_rule rule = loom_resample_rule();
    struct loom_resampler *resampler = NULL;
    struct loom_resampled *variant = NULL;
    const struct loom_trace *jobs = NULL;
    int rc = loom_bench_jobs(&jobs, bench, claim, err);
    if (!rc)
        rc = loom_resampler_create(&resampler, &jobs, 1, &rule, err);
    if (!rc)
        rc = loom_resample(&variant, resampler, loom_bench_options(bench)->seed, 0, err);
    if (!rc) {
        *out = variant->trace;
        variant->trace = NULL;
    }
    loom_resampled_destroy(variant);
    loom_resampler_destroy(resampler);
    return rc;
}

/* Simulate users who react to their waits. */
static int draw_users(struct loom_trace **out, struct loom_bench *bench,
                      const struct loom_claim *claim, struct loom_error *err)
{
    char behaviour[128] = "fluid", scheduler[128] = "easy";
    struct loom_feedback_options feedback = {.behaviour = behaviour,
                                             .seed = loom_bench_options(bench)->seed};
    struct loom_sim_options options = {.scheduler = scheduler};
    struct loom_feedback *people = NULL;
    struct loom_sim *sim = NULL;
    const struct loom_trace *jobs = NULL;
    loom_with(claim, "feedback", behaviour, sizeof behaviour);
    loom_with(claim, "scheduler", scheduler, sizeof scheduler);
    int rc = loom_bench_jobs(&jobs, bench, claim, err);
    if (!rc)
        rc = loom_feedback_create(&people, jobs, &feedback, err);
    if (!rc)
        rc = loom_sim_create(&sim, err);
    if (!rc)
        rc = loom_sim_run_feedback(sim, &options, people, 0, err);
    if (!rc)
        rc = loom_feedback_schedule(out, people, sim, err);
    loom_sim_destroy(sim);
    loom_feedback_destroy(people);
    return rc;
}

/* Measures of drawn jobs, which are shown beside the log. */
static const struct drawn_measure {
    loom_measure_fn *measure;
    draw_jobs_fn *draw;
    const char *label;
} drawn_measures[] = {
    {loom_measure_model, draw_model, "model"},
    {loom_measure_distance, draw_model, "model"},
    {loom_measure_day, draw_model, "model"},
    {loom_measure_variants, draw_variant, "variant"},
    {loom_measure_variant_distance, draw_variant, "variant"},
    {loom_measure_users, draw_users, "users who react"},
};

/* Return how jobs of a claim are drawn; NULL if it is about the log alone. */
static const struct drawn_measure *drawn_measure_of(const struct loom_claim *claim)
{
    for (size_t i = 0; i < sizeof drawn_measures / sizeof *drawn_measures; i++)
        if (drawn_measures[i].measure == claim->measure)
            return &drawn_measures[i];
    return NULL;
}

/* ---- figures --------------------------------------------------------------------------------- */

static int create_contrast(struct loom_report **out, struct loom_bench *bench,
                           const struct loom_claim *claim, struct loom_error *err)
{
    struct loom_pool *pool = loom_bench_options(bench)->pool;
    struct loom_definitions definitions = loom_claim_definitions(claim);
    struct loom_side sides[2] = {{.label = "log"}, {.label = drawn_measure_of(claim)->label}};
    struct loom_trace *drawn = NULL;
    struct loom_features *features = NULL;
    int rc = loom_bench_jobs(&sides[0].trace, bench, claim, err);
    if (!rc)
        rc = loom_bench_features(&sides[0].features, bench, claim, err);
    if (!rc)
        rc = drawn_measure_of(claim)->draw(&drawn, bench, claim, err);
    if (!rc)
        rc = loom_features_create_by(&features, drawn, &definitions, pool, NULL, err);
    sides[1].trace = drawn;
    sides[1].features = features;
    if (!rc)
        rc = loom_report_contrast(out, sides, 2, pool, err);
    loom_features_destroy(features);
    loom_trace_destroy(drawn);
    return rc;
}

static int create_report(struct loom_report **out, struct loom_bench *bench,
                         const struct loom_claim *claim, const char *figure, struct loom_error *err)
{
    const struct loom_reproduce_options *options = loom_bench_options(bench);
    struct loom_report_options report = {.only = figure,
                                         .seed = options->seed,
                                         .rounds = (size_t)loom_bench_replications(bench, claim)};
    const struct loom_features *features = NULL;
    const struct loom_trace *jobs = NULL;
    int rc = loom_bench_features(&features, bench, claim, err);
    if (!rc)
        rc = loom_bench_jobs(&jobs, bench, claim, err);
    return rc ? rc : loom_report_create_with(out, jobs, features, &report, options->pool, err);
}

static int add_figure(struct loom_reproduction *all, size_t item, struct loom_bench *bench,
                      const struct loom_claim *claim, const char *figure, struct loom_error *err)
{
    struct loom_report *report = NULL;
    bool other;
    const char *path;
    char title[200];
    loom_bench_choose(bench, claim, &path, &other);
    int rc = drawn_measure_of(claim) ? create_contrast(&report, bench, claim, err)
                                     : create_report(&report, bench, claim, figure, err);
    for (size_t i = 0; !rc && i < report->n; i++)
        if (strcmp(report->drawings[i].ops->name, figure) == 0)
            snprintf(title, sizeof title, "%s: %s", other ? claim->instead : claim->log,
                     report->drawings[i].ops->title);
    if (!rc)
        rc = loom_figures_take(all, item, report, figure, title, err);
    loom_report_destroy(report);
    return rc;
}

/* Is there a figure of this name, of a log alone or beside drawn jobs? */
static bool is_figure(const char *name, bool beside)
{
    struct loom_figure figure;
    const struct loom_figure_ops *ops = loom_figures_contrast;
    for (; beside && ops->name; ops++)
        if (strcmp(ops->name, name) == 0)
            return true;
    for (size_t i = 0; !beside && loom_figure_at(i, &figure); i++)
        if (strcmp(figure.name, name) == 0)
            return true;
    return false;
}

/* Take the next name of a list separated by spaces. False at its end. */
static bool next_name(char *name, size_t size, const char **list)
{
    *list += strspn(*list, " ");
    size_t length = strcspn(*list, " ");
    snprintf(name, size, "%.*s", (int)length, *list);
    *list += length;
    return length > 0;
}

/* Is there an earlier claim whose figures are the same: of this log, by the same words? */
static bool is_shown_by_log(const struct loom_bench *bench, const struct loom_item *item,
                            size_t index)
{
    const struct loom_claim *claim = &item->claims[index];
    for (size_t i = 0; i < index; i++) {
        const struct loom_claim *other = &item->claims[i];
        if (loom_bench_path(bench, other) == loom_bench_path(bench, claim) &&
            drawn_measure_of(other) == drawn_measure_of(claim))
            return true;
    }
    return false;
}

int loom_figures_of_logs(struct loom_reproduction *all, size_t item, struct loom_bench *bench,
                         struct loom_error *err)
{
    const struct loom_item *of = all->items[item].item;
    struct loom_error reason = {0};
    int shown = 0, rc = 0;
    for (size_t i = 0; of->figure && i < of->n && !rc && shown < MOST_LOGS; i++) {
        const struct loom_claim *claim = &of->claims[i];
        const char *list = of->figure;
        char name[64];
        if (!claim->log || !loom_bench_path(bench, claim) || is_shown_by_log(bench, of, i))
            continue;
        shown++;
        while (!rc && next_name(name, sizeof name, &list))
            if (is_figure(name, drawn_measure_of(claim) != NULL))
                rc = add_figure(all, item, bench, claim, name, &reason);
        rc = rc == LOOM_EDATA ? 0 : rc;
    }
    if (rc && err)
        *err = reason;
    return rc;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The figures of a report: the list of their groups, their data worked out side by side, and their
 * files in a directory.
 */
#include "base/output_set.h"
#include "report/analyses.h"
#include "report/contrast.h"
#include "report/predictions.h"
#include "report/runs.h"
#include "report/tool.h"

#include <stdlib.h>
#include <string.h>

/* In the order of the page and of lists. A new group is one more line here. */
static const struct loom_figure_ops *const groups[] = {
    loom_figures_observed, loom_figures_machine,      loom_figures_arrivals,
    loom_figures_scales,   loom_figures_jobs,         loom_figures_clusters,
    loom_figures_bags,     loom_figures_bag_series,   loom_figures_users,
    loom_figures_growth,   loom_figures_applications, loom_figures_think,
    loom_figures_sessions, loom_figures_similarity,   loom_figures_tails,
    loom_figures_moments,
};

enum { N_GROUPS = sizeof groups / sizeof *groups };

/* ---- data ------------------------------------------------------------------------------------ */

static int write_data(struct loom_drawing *drawing, struct loom_sheet *sheet,
                      const struct loom_report *report, struct loom_error *err)
{
    const struct loom_figure_ops *ops = drawing->ops;
    struct loom_error reason = {0};
    int rc = ops->outcomes      ? ops->outcomes(sheet, report->of.runs, &reason)
             : ops->study       ? ops->study(sheet, report->of.study, &reason)
             : ops->fitted      ? ops->fitted(sheet, report->of.fitted, &reason)
             : ops->results     ? ops->results(sheet, report->of.analyses, ops, &reason)
             : ops->predictions ? ops->predictions(sheet, report->of.predictions, ops, &reason)
             : ops->replay      ? ops->replay(sheet, report->of.replay, &reason)
             : ops->overlay     ? ops->overlay(sheet, report->of.contrast, ops, &reason)
                                : ops->data(sheet, &report->subject, &reason);
    if (rc && rc != LOOM_EDATA) {
        if (err)
            *err = reason;
        return rc;
    }
    if (rc || sheet->reason || sheet->rows == 0)
        snprintf(drawing->reason, sizeof drawing->reason, "%.250s",
                 rc              ? reason.message
                 : sheet->reason ? sheet->reason
                                 : "the log has no data for it");
    return 0;
}

static void drop_data(struct loom_drawing *drawing)
{
    free(drawing->data);
    free(drawing->table);
    if (!drawing->ops->script)
        loom_cells_free(&drawing->cells);
    drawing->data = drawing->table = NULL;
}

static int make_data(void *context, size_t index, unsigned worker, struct loom_error *err)
{
    struct loom_report *report = context;
    /* From the end of the list, where the slowest ones are: the others are done beside them. */
    struct loom_drawing *drawing = &report->drawings[report->n - 1 - index];
    struct loom_text *blocks, *table;
    struct loom_sheet sheet = {.blocks = loom_text_open(&blocks), .table = loom_text_open(&table)};
    (void)worker;
    int rc = sheet.blocks && sheet.table ? write_data(drawing, &sheet, report, err) : LOOM_ENOMEM;
    memcpy(drawing->settings, sheet.settings, sizeof drawing->settings);
    if (sheet.blocks)
        drawing->data = loom_text_close(sheet.blocks, blocks, &drawing->data_size);
    if (sheet.table)
        drawing->table = loom_text_close(sheet.table, table, &drawing->table_size);
    if (!drawing->data || !drawing->table)
        rc = loom_fail_memory(err);
    else if (!rc && !drawing->reason[0] && !drawing->ops->script)
        rc = loom_cells_read(&drawing->cells, drawing->table, drawing->table_size, err);
    if (rc || drawing->reason[0])
        drop_data(drawing);
    return rc;
}

static bool is_wanted(const struct loom_report *report, const struct loom_figure_ops *ops,
                      const char *only)
{
    return (!only || strcmp(ops->name, only) == 0) &&
           (!report->of.analyses || loom_analyses_want(report->of.analyses, ops));
}

static int list_figures(struct loom_report *report, const struct loom_figure_ops *const *lists,
                        size_t n_lists, const char *only, struct loom_error *err)
{
    size_t n = 0;
    for (size_t g = 0; g < n_lists; g++)
        for (const struct loom_figure_ops *ops = lists[g]; ops->name; ops++)
            n++;
    report->drawings = calloc(n, sizeof *report->drawings);
    if (!report->drawings)
        return loom_fail_memory(err);
    for (size_t g = 0; g < n_lists; g++)
        for (const struct loom_figure_ops *ops = lists[g]; ops->name; ops++)
            if (is_wanted(report, ops, only))
                report->drawings[report->n++].ops = ops;
    return 0;
}

/* Create a report with the figures of some lists; init has what they show. */
static int create_report(struct loom_report **out, const struct loom_report *init,
                         const struct loom_figure_ops *const *lists, size_t n_lists,
                         struct loom_error *err)
{
    struct loom_report *report = malloc(sizeof *report);
    if (!report)
        return loom_fail_memory(err);
    *report = *init;
    int rc = list_figures(report, lists, n_lists, NULL, err);
    if (!rc)
        rc = loom_pool_for(report->pool, report->n, make_data, report, err);
    report->of = (struct loom_report_source){0};
    if (rc)
        loom_report_destroy(report);
    else
        *out = report;
    return rc;
}

static int figures_fill(struct loom_report *report, const struct loom_report_options *options,
                        struct loom_error *err)
{
    int rc = list_figures(report, groups, N_GROUPS, options->only, err);
    if (!rc && report->n == 0)
        rc = loom_fail_field(err, LOOM_EUSAGE, "only", "there is no figure or table '%s'",
                             options->only);
    if (!rc)
        rc = loom_subject_create(&report->subject, report->trace, report->features, report->pool,
                                 err);
    if (!rc)
        rc = loom_observed_measure(&report->subject.observed, report->trace, err);
    if (rc) {
        loom_subject_free(&report->subject);
        return rc;
    }
    report->subject.seed = options->seed;
    report->subject.rounds = options->rounds;
    rc = loom_pool_for(report->pool, report->n, make_data, report, err);
    loom_subject_free(&report->subject);
    return rc;
}

int loom_report_create(struct loom_report **out, const struct loom_trace *trace,
                       const struct loom_features *features, struct loom_pool *pool,
                       struct loom_error *err)
{
    return loom_report_create_with(out, trace, features, NULL, pool, err);
}

int loom_report_create_with(struct loom_report **out, const struct loom_trace *trace,
                            const struct loom_features *features,
                            const struct loom_report_options *options, struct loom_pool *pool,
                            struct loom_error *err)
{
    static const struct loom_report_options usual = {0};
    struct loom_report *report = calloc(1, sizeof *report);
    if (!report)
        return loom_fail_memory(err);
    *report = (struct loom_report){.trace = trace, .features = features, .pool = pool};
    int rc = figures_fill(report, options ? options : &usual, err);
    if (rc)
        loom_report_destroy(report);
    else
        *out = report;
    return rc;
}

int loom_report_contrast(struct loom_report **out, const struct loom_side *sides, size_t n,
                         struct loom_pool *pool, struct loom_error *err)
{
    static const struct loom_figure_ops *const lists[] = {loom_figures_contrast};
    struct loom_contrast contrast;
    if (n == 0)
        return loom_fail(err, LOOM_EDATA, "there is no trace to show");
    int rc = loom_contrast_create(&contrast, sides, n, pool, err);
    if (rc)
        return rc;
    const struct loom_report init = {.trace = sides[0].trace,
                                     .pool = pool,
                                     .of.contrast = &contrast};
    rc = create_report(out, &init, lists, 1, err);
    loom_contrast_free(&contrast);
    return rc;
}

/* What a chart of a kept run shows. */
static struct loom_shown_gantt show_gantt(const struct loom_outcome *outcome,
                                          const struct loom_gantt *gantt,
                                          enum loom_gantt_colours colours)
{
    const struct loom_run *run = outcome->run;
    struct loom_shown_gantt shown = {.gantt = gantt,
                                     .sim = loom_outcome_sim(outcome),
                                     .trace = run->jobs.jobs,
                                     .starts = run->starts,
                                     .by_home = colours == LOOM_GANTT_BY_HOME};
    if (run->grid) {
        shown.grid = run->grid->grid;
        shown.clusters = run->grid->clusters;
        shown.cluster_starts = (const struct loom_start_log *const *)run->grid->starts;
    }
    return shown;
}

int loom_report_runs(struct loom_report **out, const struct loom_trace *trace,
                     const struct loom_outcome *const *outcomes, size_t n,
                     const struct loom_gantt *gantt, enum loom_gantt_colours colours,
                     struct loom_pool *pool, struct loom_error *err)
{
    if (!gantt)
        return loom_report_runs_with(out, trace, outcomes, n, NULL, pool, err);
    if (n != 1 || !outcomes[0]->run)
        return loom_fail(err, LOOM_EUSAGE, "a Gantt chart is drawn of one run that was kept");
    const struct loom_shown_gantt shown = show_gantt(outcomes[0], gantt, colours);
    return loom_report_runs_with(out, trace, outcomes, n, &shown, pool, err);
}

/* Which figures there are depends on what differs between runs. */
int loom_report_runs_with(struct loom_report **out, const struct loom_trace *trace,
                          const struct loom_outcome *const *outcomes, size_t n,
                          const struct loom_shown_gantt *gantt, struct loom_pool *pool,
                          struct loom_error *err)
{
    struct loom_runs runs = loom_runs_of(outcomes, n);
    const struct loom_report init = {.trace = trace, .pool = pool, .of.runs = &runs};
    const struct loom_figure_ops *lists[3];
    size_t n_lists = 0;
    if (n == 0)
        return loom_fail(err, LOOM_EDATA, "there is no simulation to show");
    runs.gantt = gantt;
    if (runs.n_loads > 1) {
        lists[n_lists++] = outcomes[0]->grid ? loom_figures_grid_load : loom_figures_load;
    } else {
        lists[n_lists++] = loom_figures_service;
        lists[n_lists++] = loom_figures_time;
    }
    if (gantt)
        lists[n_lists++] = gantt->grid ? loom_figures_grid_gantt : loom_figures_gantt;
    return create_report(out, &init, lists, n_lists, err);
}

/* Curves need something that varies, and runtimes users who repeat. */
int loom_report_queueing(struct loom_report **out, const struct loom_queueing_study *study,
                         struct loom_pool *pool, struct loom_error *err)
{
    const struct loom_report init = {.pool = pool, .of.study = study};
    const struct loom_figure_ops *lists[3];
    const struct loom_queueing_trial *first = &study->trials[0];
    size_t n = 0;
    if (study->has_axis)
        lists[n++] = study->exact_first ? loom_figures_mixed : loom_figures_reopen;
    if (study->has_axis && study->quotients)
        lists[n++] = loom_figures_quotients;
    if (!study->has_axis || (first->simulate && study->curves * study->points <= 3))
        lists[n++] = loom_figures_runtimes;
    return create_report(out, &init, lists, n, err);
}

int loom_report_queueing_fit(struct loom_report **out, const struct loom_queueing_fitted_log *of,
                             struct loom_pool *pool, struct loom_error *err)
{
    static const struct loom_figure_ops *const lists[] = {loom_figures_queueing_fit};
    const struct loom_report init = {.pool = pool, .of.fitted = of};
    return create_report(out, &init, lists, 1, err);
}

int loom_report_replay(struct loom_report **out, const struct loom_trace *trace,
                       const struct loom_replay_report *replay, struct loom_pool *pool,
                       struct loom_error *err)
{
    static const struct loom_figure_ops *const lists[] = {loom_figures_replay};
    const struct loom_report init = {.trace = trace, .pool = pool, .of.replay = replay};
    return create_report(out, &init, lists, 1, err);
}

int loom_report_analyses(struct loom_report **out, struct loom_analysis *const *analyses, size_t n,
                         struct loom_pool *pool, struct loom_error *err)
{
    static const struct loom_figure_ops *const lists[] = {loom_figures_answer, loom_figures_against,
                                                          loom_figures_spread};
    const struct loom_analyses all = {analyses, n};
    const struct loom_report init = {.pool = pool, .of.analyses = &all};
    return n > 0 ? create_report(out, &init, lists, sizeof lists / sizeof *lists, err)
                 : loom_fail(err, LOOM_EDATA, "there are no results");
}

/* Figures of uncertainty need a predictor that states it. */
int loom_report_predictions(struct loom_report **out, const struct loom_predictions *predictions,
                            struct loom_pool *pool, struct loom_error *err)
{
    const struct loom_report init = {.trace = predictions->trace,
                                     .pool = pool,
                                     .of.predictions = predictions};
    const struct loom_figure_ops *lists[3] = {loom_figures_prediction};
    size_t n = 1;
    if (loom_predictions_have_intervals(predictions))
        lists[n++] = loom_figures_uncertainty;
    lists[n++] = loom_figures_predicted_log;
    return create_report(out, &init, lists, n, err);
}

void loom_report_destroy(struct loom_report *report)
{
    if (!report)
        return;
    for (size_t i = 0; i < report->n; i++) {
        drop_data(&report->drawings[i]);
        free(report->drawings[i].image);
    }
    free(report->drawings);
    free(report);
}

static struct loom_figure figure_of(const struct loom_figure_ops *ops)
{
    return (struct loom_figure){.name = ops->name,
                                .section = ops->section,
                                .title = ops->title,
                                .caption = ops->caption,
                                .table = !ops->script};
}

bool loom_report_figure(const struct loom_report *report, size_t index, struct loom_figure *out)
{
    if (index >= report->n)
        return false;
    const struct loom_drawing *drawing = &report->drawings[index];
    *out = figure_of(drawing->ops);
    out->reason = drawing->data ? NULL : drawing->reason;
    out->failure = drawing->failure[0] ? drawing->failure : NULL;
    return true;
}

bool loom_figure_at(size_t index, struct loom_figure *out)
{
    for (size_t g = 0; g < N_GROUPS; g++)
        for (const struct loom_figure_ops *ops = groups[g]; ops->name; ops++)
            if (index-- == 0) {
                *out = figure_of(ops);
                return true;
            }
    return false;
}

/* ---- images ---------------------------------------------------------------------------------- */

int loom_report_draw(struct loom_report *report, const struct loom_image_format *format,
                     struct loom_error *err)
{
    if (report->drawn == format)
        return 0;
    report->drawn = NULL;
    int rc = loom_gnuplot_draw(report->drawings, report->n, format, report->pool, err);
    if (rc)
        return rc;
    for (size_t i = 0; i < report->n && strcmp(format->name, "svg") == 0; i++)
        if (report->drawings[i].image)
            report->drawings[i].image_size = loom_svg_tidy(report->drawings[i].image);
    report->drawn = format;
    return 0;
}

/* The files of all figures, which appear together. */
struct files {
    const char *directory;
    const struct loom_image_format *format;
    struct loom_output_set *set;
};

static int add_file(const struct files *files, const char *name, const char *suffix,
                    const char *bytes, size_t size, struct loom_error *err)
{
    size_t length = strlen(files->directory) + strlen(name) + strlen(suffix) + 3;
    struct loom_output *out = NULL;
    char *path = malloc(length);
    if (!path)
        return loom_fail_memory(err);
    snprintf(path, length, "%s/%s.%s", files->directory, name, suffix);
    int rc = loom_output_create(&out, path, err);
    free(path);
    if (!rc)
        rc = loom_output_write(out, bytes, size, err);
    if (!rc)
        rc = loom_output_set_add(files->set, &out, err);
    loom_output_destroy(out);
    return rc;
}

static int add_figure(const struct files *files, const struct loom_drawing *drawing,
                      struct loom_error *err)
{
    const char *name = drawing->ops->name;
    int rc = add_file(files, name, "csv", drawing->table, drawing->table_size, err);
    if (rc || !drawing->ops->script)
        return rc;
    char *script = loom_gnuplot_script(drawing, files->format);
    if (!script)
        return loom_fail_memory(err);
    rc = add_file(files, name, "gp", script, strlen(script), err);
    if (!rc && drawing->image)
        rc = add_file(files, name, files->format->name, drawing->image, drawing->image_size, err);
    free(script);
    return rc;
}

static int add_figures(const struct files *files, const struct loom_report *report,
                       struct loom_error *err)
{
    int rc = loom_output_set_directory(files->set, files->directory, err);
    for (size_t i = 0; i < report->n && !rc; i++)
        if (report->drawings[i].data)
            rc = add_figure(files, &report->drawings[i], err);
    return rc;
}

void loom_report_join(struct loom_report *report, struct loom_output_set *set)
{
    report->set = set;
}

int loom_report_figures(struct loom_report *report, const char *directory, const char *format,
                        struct loom_error *err)
{
    struct files files = {directory, loom_image_format_find(format), report->set};
    struct loom_output_set *own = NULL;
    if (!files.format)
        return loom_fail(err, LOOM_EUSAGE, "there is no image format '%s', only svg, pdf and png",
                         format);
    int rc = loom_report_draw(report, files.format, err);
    if (!rc && !files.set) {
        rc = loom_output_set_create(&own, err);
        files.set = own;
    }
    if (!rc)
        rc = add_figures(&files, report, err);
    if (!rc && own)
        rc = loom_output_set_commit(own, err);
    loom_output_set_destroy(own);
    return rc;
}

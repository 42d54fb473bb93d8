/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page of a study of queueing models: its model, results and figures. */
#include "base/table.h"
#include "report/queueing.h"
#include "report/report.h"

#include <stdio.h>
#include <string.h>

struct page {
    const struct loom_queueing_study *study;
    const char *command;
    struct loom_table *table;
};

static const struct section {
    const char *id, *title, *intro;
} sections[] = {
    {"curves", "Metrics",
     "Means of the steady state. Points with bars are simulated, with confidence intervals."},
    {"relations", "Metrics against each other", "One point for each value of the parameter."},
    {"runtimes", "Runtimes",
     "Where the probability of another job depends on the response, users tend to leave after a "
     "long job."},
};

enum { N_SECTIONS = sizeof sections / sizeof *sections };

static bool queueing_has_figures(const struct loom_report *report, const char *section)
{
    for (size_t i = 0; i < report->n; i++)
        if (strcmp(report->drawings[i].ops->section, section) == 0 && report->drawings[i].image)
            return true;
    return false;
}

static const char *title_of(const struct loom_queueing_study *study)
{
    const struct loom_queueing_model *model = &study->trials[0].model;
    if (!study->exact_first)
        return "Re-open queueing model";
    return model->repeat.rule == LOOM_REPEAT_NEVER ? "Mixed queueing model"
                                                   : "Mixed and re-open queueing model";
}

static void write_item(FILE *out, const char *before, const char *text, const char *after)
{
    fputs(before, out);
    loom_html_text(out, text);
    fputs(after, out);
}

static bool varies(const struct loom_queueing_study *study,
                   double value(const struct loom_queueing_model *model))
{
    for (size_t i = 1; i < study->curves * study->points; i++)
        if (value(&study->trials[i].model) != value(&study->trials[0].model))
            return true;
    return false;
}

static double lambda_of(const struct loom_queueing_model *model)
{
    return model->lambda;
}

static double closed_of(const struct loom_queueing_model *model)
{
    return (double)model->closed;
}

static double think_of(const struct loom_queueing_model *model)
{
    return model->think.mean;
}

static double rule_of(const struct loom_queueing_model *model)
{
    return (double)model->repeat.rule + model->repeat.value / 1e10;
}

static double servers_of(const struct loom_queueing_model *model)
{
    return model->servers;
}

static double service_of(const struct loom_queueing_model *model)
{
    return model->service;
}

static void write_users(FILE *out, const struct loom_queueing_study *study)
{
    const struct loom_queueing_model *model = &study->trials[0].model;
    char text[80];
    if (!varies(study, lambda_of))
        fprintf(out, "<li>Open users arrive at rate %g.</li>\n", model->lambda);
    if (!varies(study, rule_of))
        write_item(out, "<li>Another job of an open user: ",
                   loom_repeat_text(&model->repeat, text, sizeof text), ".</li>\n");
    if (model->closed > 0 && !varies(study, closed_of))
        fprintf(out, "<li>There are %g closed users.</li>\n", (double)model->closed);
    if (!varies(study, think_of))
        write_item(out, "<li>The mean think time is ",
                   loom_think_text(&model->think, text, sizeof text), ".</li>\n");
}

/* The parameters that all trials have in common. */
static void write_model(FILE *out, const struct loom_queueing_study *study)
{
    const struct loom_queueing_model *model = &study->trials[0].model;
    const char *shape = model->service_dist.ops ? model->service_dist.ops->name : "exponential";
    fputs("<ul class=\"summary\">\n", out);
    if (study->has_axis)
        fprintf(out, "<li>Varied: %s, %zu values from %g to %g.</li>\n", study->axis.label,
                study->axis.n, study->axis.values[0], study->axis.values[study->axis.n - 1]);
    write_users(out, study);
    if (!varies(study, servers_of))
        fprintf(out, "<li>%u %s, first come, first served.</li>\n", model->servers,
                model->servers == 1 ? "server" : "servers");
    if (!varies(study, service_of))
        fprintf(out, "<li>The mean service time is %g (%s).</li>\n", model->service, shape);
    fputs("</ul>\n", out);
}

static void write_queueing_nav(FILE *out, const struct loom_report *report)
{
    fputs("<nav aria-label=\"Sections\"><ul><li><a href=\"#summary\">Model</a></li>", out);
    for (size_t i = 0; i < N_SECTIONS; i++)
        if (queueing_has_figures(report, sections[i].id))
            fprintf(out, "<li><a href=\"#%s\">%s</a></li>", sections[i].id, sections[i].title);
    fputs("<li><a href=\"#results\">Results</a></li></ul></nav>\n", out);
}

static void write_queueing_page(FILE *out, const struct loom_report *report, const void *context)
{
    const struct page *page = context;
    const struct loom_shown_table table = {
        "results", "Results",
        "Exact values where there are any, else means of the simulation with the half-width of "
        "their confidence interval.",
        page->table};
    loom_page_head(out);
    fputs(title_of(page->study), out);
    loom_page_body(out, "");
    write_queueing_nav(out, report);
    fprintf(out, "<header><h1>%s</h1></header>\n<main>\n<section id=\"summary\">\n<h2>Model</h2>\n",
            title_of(page->study));
    write_model(out, page->study);
    fputs("</section>\n", out);
    for (size_t i = 0; i < N_SECTIONS; i++) {
        if (!queueing_has_figures(report, sections[i].id))
            continue;
        fprintf(out, "<section id=\"%s\">\n<h2>%s</h2>\n<p class=\"intro\">%s</p>\n",
                sections[i].id, sections[i].title, sections[i].intro);
        loom_page_figures(out, report, sections[i].id);
        fputs("</section>\n", out);
    }
    loom_page_table_section(out, &table);
    loom_page_end(out, page->command);
}

int loom_report_queueing_html(struct loom_report *report, const char *path,
                              const struct loom_queueing_study *study, const char *command,
                              struct loom_error *err)
{
    struct page page = {.study = study, .command = command};
    int rc = loom_queueing_table(&page.table, study, true, err);
    if (!rc)
        rc = loom_page_write(report, path, write_queueing_page, &page, err);
    loom_table_destroy(page.table);
    return rc;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page of an evaluation of predictors: which is best, the table behind it, figures, classes,
 * parameters, and the log. */
#include "base/human.h"
#include "base/table.h"
#include "report/predictions.h"

#include <math.h>
#include <string.h>

struct page {
    const struct loom_predictions *predictions;
    const char *command;
    struct loom_table *results, *classes, *parameters;
};

static const struct section {
    const char *id, *title, *intro;
} sections[] = {
    {"errors", "Errors", "How far predictions are from runtimes, over all evaluated jobs."},
    {"classes", "By class",
     "Who is predicted well. The mean absolute error grows with runtimes, so that few long jobs "
     "make most of it."},
    {"time", "Over time",
     "Whether a predictor keeps up with changes. Periods are of the same length."},
    {"uncertainty", "Uncertainty",
     "Predictors that state how sure they are, and whether that can be trusted."},
    {"jobs", "The jobs", "What predictors can go by."},
};

enum { N_SECTIONS = sizeof sections / sizeof *sections };

static bool prediction_has_figures(const struct loom_report *report, const char *section)
{
    for (size_t i = 0; i < report->n; i++)
        if (strcmp(report->drawings[i].ops->section, section) == 0)
            return true;
    return false;
}

static void prediction_number(FILE *out, const char *before, double value, const char *after)
{
    fputs(before, out);
    loom_html_number(out, value);
    fputs(after, out);
}

static void duration(FILE *out, const char *before, double seconds, const char *after)
{
    fputs(before, out);
    loom_html_duration(out, seconds);
    fputs(after, out);
}

/* ---- words ----------------------------------------------------------------------------------- */

/* The predictor with the smallest error that does not know runtimes; NULL if there is none. */
static const struct loom_evaluated *find_best(const struct loom_predictions *predictions)
{
    const struct loom_evaluated *best = NULL;
    for (size_t i = 0; i < predictions->n; i++) {
        const struct loom_evaluated *of = &predictions->of[i];
        if (strcmp(loom_predictor_info(of->predictor)->name, "clairvoyant") != 0 &&
            (!best || of->evaluation->errors.mae_s < best->evaluation->errors.mae_s))
            best = of;
    }
    return best;
}

static void write_lead(FILE *out, const struct loom_predictions *predictions)
{
    const struct loom_evaluated *best = find_best(predictions);
    if (!best)
        return;
    fputs("<p class=\"intro\"><strong>", out);
    loom_html_text(out, best->text);
    duration(out, predictions->n > 1 ? " has the smallest mean absolute error, " : " is off by ",
             best->evaluation->errors.mae_s, predictions->n > 1 ? "" : " on average");
    loom_html_percent(out, ", and underestimates ",
                      best->evaluation->errors.underestimated_fraction, " of the jobs.");
    fputs("</strong></p>\n", out);
}

/* what has an article before its first blank, or a blank alone: "a queue", " requested memory". */
static void write_unknown(FILE *out, int64_t unknown, int64_t jobs, const char *what,
                          const char *instead)
{
    if (unknown == 0)
        return;
    if (unknown == jobs)
        fprintf(out, "<li>No job has %s", what + (what[0] == ' '));
    else
        prediction_number(out, "<li>", (double)unknown,
                          unknown == 1 ? " job has no" : " jobs have no");
    fprintf(out, "%s%s.</li>\n", unknown == jobs ? "" : strchr(what, ' '), instead);
}

/* What the log lacks. */
static void write_notes(FILE *out, const struct loom_predictions *predictions)
{
    const struct loom_evaluation *first = predictions->of[0].evaluation;
    int64_t jobs = (int64_t)(first->history + first->n);
    fputs("<ul class=\"summary\">\n", out);
    prediction_number(out, "<li>", (double)first->n,
                      " jobs were predicted when they were submitted");
    if (first->history > 0)
        prediction_number(out, "; ", (double)first->history, " before them are history only");
    fputs(". Known of each was what had ended by then in the log.</li>\n", out);
    if (first->left_out > 0)
        prediction_number(out, "<li>", (double)first->left_out,
                          " jobs without submit time, runtime or processors are left out.</li>\n");
    write_unknown(out, first->waits_unknown, jobs, "a wait", "; these start when submitted");
    write_unknown(out, first->requests_unknown, jobs, "a requested time",
                  "; the mean runtime so far takes its place");
    write_unknown(out, first->memory_unknown, jobs, " requested memory", "");
    write_unknown(out, first->users_unknown, jobs, "a user", "");
    write_unknown(out, first->groups_unknown, jobs, "a group", "");
    write_unknown(out, first->queues_unknown, jobs, "a queue", "");
    write_unknown(out, first->executables_unknown, jobs, "an executable", "");
    fputs("</ul>\n", out);
}

/* ---- parts ----------------------------------------------------------------------------------- */

static void write_prediction_title(FILE *out, const struct loom_report *report)
{
    fputs("Prediction of runtimes in ", out);
    loom_page_name(out, report->trace);
}

static void write_prediction_nav(FILE *out, const struct loom_report *report,
                                 const struct page *page)
{
    fputs("<nav aria-label=\"Sections\"><ul><li><a href=\"#summary\">Summary</a></li>", out);
    for (size_t i = 0; i < N_SECTIONS; i++)
        if (prediction_has_figures(report, sections[i].id))
            fprintf(out, "<li><a href=\"#%s\">%s</a></li>", sections[i].id, sections[i].title);
    if (page->classes)
        fputs("<li><a href=\"#table\">Table of classes</a></li>", out);
    if (page->parameters)
        fputs("<li><a href=\"#parameters\">Parameters</a></li>", out);
    fputs("<li><a href=\"#log\">The log</a></li></ul></nav>\n", out);
}

static void write_header(FILE *out, const struct loom_report *report, const struct page *page)
{
    const struct loom_read_report *read = loom_trace_report(report->trace);
    const struct loom_predictions *predictions = page->predictions;
    fputs("<header><h1>", out);
    write_prediction_title(out, report);
    fputs("</h1>\n<p class=\"sub\">", out);
    loom_html_text(out, read && read->file ? read->file : "");
    prediction_number(out, " · ", (double)predictions->of[0].evaluation->n, " jobs evaluated");
    if (predictions->select) {
        fputs(" · ", out);
        loom_html_text(out, loom_page_selection(predictions->select));
    }
    fputs("</p></header>\n<main>\n<section id=\"summary\">\n<h2>Summary</h2>\n", out);
    write_lead(out, predictions);
    loom_page_table(out, page->results);
    fputs("<p class=\"note\">MAE is the mean absolute error, WAE the same weighted by processors "
          "and runtime, NE the sum of errors over the sum of runtimes (Minh 2012, eq. 8.10 to "
          "8.12); bias is the mean of prediction minus runtime",
          out);
    fputs(loom_predictions_have_intervals(predictions)
              ? "; <em>in interval</em> is the share of runtimes within the stated 80 % interval, "
                "width its mean, and score its mean interval score, which is low for narrow "
                "intervals that hold.</p>\n"
              : ".</p>\n",
          out);
    write_notes(out, predictions);
    fputs("</section>\n", out);
}

static void write_prediction_page(FILE *out, const struct loom_report *report, const void *context)
{
    const struct page *page = context;
    const struct loom_shown_table classes = {
        "table", "Table of classes",
        "Errors by class; the share of errors is of the sum over all jobs.", page->classes};
    const struct loom_shown_table parameters = {"parameters", "Parameters",
                                                "Of the predictors that have any.",
                                                page->parameters};
    loom_page_head(out);
    write_prediction_title(out, report);
    loom_page_body(out, "");
    write_prediction_nav(out, report, page);
    write_header(out, report, page);
    for (size_t i = 0; i < N_SECTIONS; i++) {
        if (!prediction_has_figures(report, sections[i].id))
            continue;
        fprintf(out, "<section id=\"%s\">\n<h2>%s</h2>\n<p class=\"intro\">%s</p>\n",
                sections[i].id, sections[i].title, sections[i].intro);
        loom_page_figures(out, report, sections[i].id);
        loom_page_absent(out, report, sections[i].id);
        fputs("</section>\n", out);
    }
    if (page->classes)
        loom_page_table_section(out, &classes);
    if (page->parameters)
        loom_page_table_section(out, &parameters);
    loom_page_log(out, report->trace);
    loom_page_end(out, page->command);
}

/* ---- parameters ------------------------------------------------------------------------------ */

static int add_params(struct loom_table *table, const struct loom_evaluated *of,
                      struct loom_error *err)
{
    const struct loom_param *param = loom_predictor_info(of->predictor)->params;
    const struct loom_params *params = loom_predictor_params(of->predictor);
    int rc = 0;
    for (size_t i = 0; param && param->name && !rc; param++, i++) {
        const char *value = loom_params_text(params, param->name);
        rc = loom_table_cell(table, err, "%s", i == 0 ? of->text : "");
        if (!rc)
            rc = loom_table_cell(table, err, "%s", param->name);
        if (!rc)
            rc = loom_table_cell(table, err, "%s", value ? value : "-");
        if (!rc)
            rc = loom_table_cell(table, err, "%s", param->help);
    }
    return rc;
}

/* Leave *out NULL if no predictor has parameters. */
static int make_parameters(struct loom_table **out, const struct loom_predictions *predictions,
                           struct loom_error *err)
{
    static const char *const titles[] = {"predictor", "parameter", "value", "meaning"};
    bool any = false;
    for (size_t i = 0; i < predictions->n; i++)
        any = any || loom_predictor_info(predictions->of[i].predictor)->params;
    if (!any)
        return 0;
    int rc = loom_table_create(out, err);
    for (size_t i = 0; i < 4 && !rc; i++)
        rc = loom_table_column(*out, titles[i], LOOM_LEFT, err);
    for (size_t i = 0; i < predictions->n && !rc; i++)
        rc = add_params(*out, &predictions->of[i], err);
    return rc;
}

int loom_report_predictions_html(struct loom_report *report, const char *path,
                                 const struct loom_predictions *predictions, const char *command,
                                 struct loom_error *err)
{
    struct page page = {.predictions = predictions, .command = command};
    int rc = loom_predictions_table(&page.results, predictions, err);
    if (!rc && predictions->by != LOOM_NOT_CLASSIFIED)
        rc = loom_predicted_classes_table(&page.classes, predictions,
                                          (enum loom_predicted_by)predictions->by, err);
    if (!rc)
        rc = make_parameters(&page.parameters, predictions, err);
    if (!rc)
        rc = loom_page_write(report, path, write_prediction_page, &page, err);
    loom_table_destroy(page.results);
    loom_table_destroy(page.classes);
    loom_table_destroy(page.parameters);
    return rc;
}

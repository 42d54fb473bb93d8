/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page of queueing models fitted to a log. */
#include "base/table.h"
#include "report/report.h"

struct page {
    const struct loom_trace *trace;
    const char *command;
    struct loom_table *fitted, *predictions;
};

static void write_figures(FILE *out, const struct loom_report *report)
{
    fputs("<section id=\"figures\">\n<h2>Figures</h2>\n", out);
    loom_page_figures(out, report, "fit");
    fputs("</section>\n", out);
}

static void write_queueing_fit_page(FILE *out, const struct loom_report *report,
                                    const void *context)
{
    const struct page *page = context;
    const struct loom_shown_table predictions = {
        "predictions", "Predictions",
        "The throughput that each model predicts, and the one that TBUOS simulates for the log's "
        "users, for several numbers of users. An error above 0: the model is too high. Re-open "
        "models tend to be low: with constant p they have the throughput of the log, while TBUOS's "
        "long-term users are always active and submit more; under the other rules, waits in one "
        "FCFS queue, which is longer than with backfilling, make users leave.",
        page->predictions};
    const struct loom_shown_table fitted = {
        "fitted", "Fitted values",
        "In the mixed model long-term users are closed and temporary users open. In the re-open "
        "model an open user is a session of any user, and what is served at once is a batch. "
        "Misfit: root mean square difference between the share of batches that another one "
        "follows and the rule, over bins of the response.",
        page->fitted};
    loom_page_head(out);
    fputs("Queueing models of ", out);
    loom_page_name(out, page->trace);
    loom_page_body(out, "");
    fputs("<nav aria-label=\"Sections\"><ul><li><a href=\"#predictions\">Predictions</a></li>"
          "<li><a href=\"#figures\">Figures</a></li>"
          "<li><a href=\"#fitted\">Fitted values</a></li></ul></nav>\n<header><h1>"
          "Queueing models of ",
          out);
    loom_page_name(out, page->trace);
    fputs("</h1></header>\n<main>\n", out);
    loom_page_table_section(out, &predictions);
    write_figures(out, report);
    loom_page_table_section(out, &fitted);
    loom_page_end(out, page->command);
}

int loom_report_queueing_fit_html(struct loom_report *report, const char *path,
                                  const struct loom_queueing_fitted_log *of,
                                  const struct loom_trace *trace, const char *command,
                                  struct loom_error *err)
{
    struct page page = {.trace = trace, .command = command};
    int rc = loom_queueing_fit_table(&page.fitted, of->fit, err);
    if (!rc)
        rc = loom_queueing_predictions_table(&page.predictions, of, err);
    if (!rc) {
        loom_table_wide(page.predictions, true);
        rc = loom_page_write(report, path, write_queueing_fit_page, &page, err);
    }
    loom_table_destroy(page.fitted);
    loom_table_destroy(page.predictions);
    return rc;
}

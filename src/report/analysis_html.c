/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The page of an experiment: the answer in words, the table behind it, figures, other metrics, and
 * how it was made and can be repeated. Everything that comes from a plan or the command line passes
 * through loom_html_text.
 */
#include "base/table.h"
#include "experiment/tool.h"
#include "report/analyses.h"
#include "report/tool.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Tables are made before the page is written, since that cannot fail. */
struct page {
    const struct loom_analyses_page *from;
    struct loom_table **tables; /* by analysis */
};

/* ---- words ----------------------------------------------------------------------------------- */

static void write_upper(FILE *out, const char *sentence)
{
    char first[2] = {sentence[0], '\0'};
    /* A sentence that begins with the name of a policy keeps it as it is. */
    if (strncmp(sentence, "no ", 3) == 0)
        first[0] = 'N';
    loom_html_text(out, first);
    loom_html_text(out, sentence[0] ? sentence + 1 : "");
}

static void write_sentences(FILE *out, const struct loom_analysis *analysis)
{
    char sentence[1000];
    for (size_t i = 0; loom_analysis_caution(analysis, i, sentence, sizeof sentence); i++) {
        fputs("<p class=\"note\"><strong>Caution:</strong> ", out);
        loom_html_text(out, sentence);
        fputs(".</p>\n", out);
    }
    fputs("<ul class=\"summary\">\n", out);
    for (size_t g = 0; g < analysis->n; g++) {
        fputs("<li>", out);
        write_upper(out, loom_analysis_sentence(analysis, g, sentence, sizeof sentence));
        fputs(".</li>\n", out);
    }
    fputs("</ul>\n", out);
}

static void write_runs(FILE *out, const struct loom_analysis *analysis)
{
    const struct loom_results_tally tally =
        loom_results_count(analysis->results, analysis->metric->key);
    size_t cells = loom_results_cells(analysis->results);
    int64_t failed = 0;
    for (size_t i = 0; i < cells; i++)
        failed += loom_results_cell(analysis->results, i)->failed;
    fprintf(out, "%zu run%s in %zu cell%s", tally.runs, tally.runs == 1 ? "" : "s", tally.cells,
            tally.cells == 1 ? "" : "s");
    if (cells > tally.cells)
        fprintf(out, ", %zu classes of jobs", cells);
    if (failed > 0)
        fprintf(out, ", %" PRId64 " failed", failed);
    if (tally.saturated > 0)
        fprintf(out, ", %zu saturated%s", tally.saturated,
                analysis->drop_saturated ? " (their replications are left out for all)"
                                         : " (kept)");
}

/* The two kinds of uncertainty, once. */
static void write_reading(FILE *out, const struct loom_analysis *analysis)
{
    bool several = false;
    for (size_t g = 0; g < analysis->n; g++)
        for (size_t i = 0; i < analysis->groups[g].n; i++)
            several = several || analysis->groups[g].cells[i].n > 1;
    if (!several) {
        fputs("<p class=\"intro\"><strong>One sample.</strong> Each figure comes from one run, and "
              "nothing says how far another would be from it: repeat the experiment with several "
              "replications of a resampled or generated workload.</p>\n",
              out);
        return;
    }
    fprintf(
        out,
        "<p class=\"intro\">The %g %% interval is the Monte Carlo error of a mean: it shrinks "
        "as replications are added. \xE2\x80\x9Cruns: 5 to 95 %%\xE2\x80\x9D is the spread over "
        "replications: what one more such workload may bring; it does not shrink. Both hold for "
        "workloads like the ones given, for this log or model, not for other machines. All "
        "policies of a replication got the same workload, so differences are of pairs; "
        "\xE2\x80\x9Cshown\xE2\x80\x9D is decided after adjustment for the number of pairs "
        "compared (Holm). P(best) is the probability that a mean is the best of its "
        "group.</p>\n",
        100 * analysis->level);
}

/* ---- sections -------------------------------------------------------------------------------- */

static const struct section {
    const char *id, *title, *intro;
} sections[] = {
    {"answer", "Answer", NULL},
    {"load", "Load", "Every metric at the loads of the plan."},
    {"spread", "Spread", "What single replications bring."},
};
enum { N_SECTIONS = sizeof sections / sizeof *sections };

static bool analysis_has_figures(const struct loom_report *report, const char *section)
{
    for (size_t i = 0; i < report->n; i++)
        if (strcmp(report->drawings[i].ops->section, section) == 0)
            return true;
    return false;
}

static void write_analysis_section(FILE *out, const struct loom_report *report,
                                   const struct page *page, const struct section *section)
{
    bool answer = strcmp(section->id, "answer") == 0;
    if (!answer && !analysis_has_figures(report, section->id))
        return;
    fprintf(out, "<section id=\"%s\">\n<h2>%s</h2>\n", section->id, section->title);
    if (section->intro)
        fprintf(out, "<p class=\"intro\">%s</p>\n", section->intro);
    if (answer) {
        write_reading(out, page->from->analyses[0]);
        loom_page_table(out, page->tables[0]);
    }
    loom_page_figures(out, report, section->id);
    loom_page_absent(out, report, section->id);
    fputs("</section>\n", out);
}

/* The last group with several values, at the highest load as plans are usually written; else the
 * last. */
static size_t group_to_name(const struct loom_analysis *analysis)
{
    for (size_t g = analysis->n; g-- > 0;)
        if (analysis->groups[g].cells[0].n > 1)
            return g;
    return analysis->n - 1;
}

static void write_others(FILE *out, const struct page *page)
{
    if (page->from->n < 2)
        return;
    fputs("<section id=\"metrics\">\n<h2>Other metrics</h2>\n", out);
    for (size_t i = 1; i < page->from->n; i++) {
        const struct loom_metric *metric = page->from->analyses[i]->metric;
        fputs("<details><summary>", out);
        loom_html_text(out, metric->label);
        fputs(": ", out);
        char sentence[1000];
        const struct loom_analysis *analysis = page->from->analyses[i];
        loom_html_text(out, loom_analysis_sentence(analysis, group_to_name(analysis), sentence,
                                                   sizeof sentence));
        fputs("</summary>\n<p class=\"intro\">", out);
        loom_html_text(out, metric->meaning);
        fputs("</p>\n", out);
        loom_page_table(out, page->tables[i]);
        fputs("</details>\n", out);
    }
    fputs("</section>\n", out);
}

static void write_item(FILE *out, const char *what, const char *text, const char *element)
{
    if (!text || !text[0])
        return;
    fprintf(out, "<li>%s: <%s>", what, element);
    loom_html_text(out, text);
    fprintf(out, "</%s></li>\n", element);
}

static void write_origin(FILE *out, const struct page *page)
{
    const struct loom_run_results *results = page->from->analyses[0]->results;
    const char *plan = loom_results_origin(results, "text");
    fputs(
        "<section id=\"made\">\n<h2>How it was made</h2>\n<p class=\"intro\">The same command and "
        "seed give the same results on any number of threads or machines. A database that is "
        "there is continued.</p>\n<ul>\n",
        out);
    write_item(out, "Runs", loom_results_origin(results, "command"), "code");
    write_item(out, "Page", page->from->command, "code");
    write_item(out, "Seed", loom_results_origin(results, "seed"), "code");
    write_item(out, "Version", loom_results_origin(results, "version"), "code");
    write_item(out, "Inputs (XXH3-64)", loom_results_origin(results, "inputs"), "code");
    fputs("</ul>\n", out);
    if (plan && plan[0]) {
        fputs("<details><summary>The plan</summary>\n<pre>", out);
        loom_html_text(out, plan);
        fputs("</pre></details>\n", out);
    }
    fputs("</section>\n", out);
}

static void write_analysis_nav(FILE *out, const struct loom_report *report, const struct page *page)
{
    fputs("<nav aria-label=\"Sections\"><ul>", out);
    for (size_t i = 0; i < N_SECTIONS; i++)
        if (i == 0 || analysis_has_figures(report, sections[i].id))
            fprintf(out, "<li><a href=\"#%s\">%s</a></li>", sections[i].id, sections[i].title);
    if (page->from->n > 1)
        fputs("<li><a href=\"#metrics\">Other metrics</a></li>", out);
    fputs("<li><a href=\"#made\">How it was made</a></li></ul></nav>\n", out);
}

static const char style[] = "pre{overflow-x:auto;background:var(--panel);padding:.8rem;"
                            "border-radius:8px;font-size:.85rem}\n"
                            "details{margin:.6rem 0}summary{cursor:pointer}\n"
                            "#made li{overflow-wrap:anywhere}\n";

static void write_analysis_page(FILE *out, const struct loom_report *report, const void *context)
{
    const struct page *page = context;
    const struct loom_analysis *first = page->from->analyses[0];
    const char *title = page->from->title ? page->from->title : "Experiment";
    loom_page_head(out);
    loom_html_text(out, title);
    loom_page_body(out, style);
    fputs("<header><h1>", out);
    loom_html_text(out, title);
    fputs("</h1>\n<p class=\"sub\">", out);
    loom_html_text(out, first->metric->label);
    fputs(" by ", out);
    loom_html_text(out, first->compare);
    fputs(" \xC2\xB7 ", out);
    write_runs(out, first);
    fputs("</p>\n", out);
    write_sentences(out, first);
    fputs("</header>\n", out);
    write_analysis_nav(out, report, page);
    fputs("<main>\n", out);
    for (size_t i = 0; i < N_SECTIONS; i++)
        write_analysis_section(out, report, page, &sections[i]);
    write_others(out, page);
    write_origin(out, page);
    loom_page_end(out, page->from->command);
}

/* ---- the page -------------------------------------------------------------------------------- */

int loom_report_analyses_html(struct loom_report *report, const char *path,
                              const struct loom_analyses_page *page, struct loom_error *err)
{
    struct page own = {.from = page, .tables = calloc(page->n + 1, sizeof(struct loom_table *))};
    int rc = !own.tables    ? loom_fail_memory(err)
             : page->n == 0 ? loom_fail(err, LOOM_EDATA, "there are no results")
                            : 0;
    for (size_t i = 0; i < page->n && !rc; i++)
        rc = loom_analysis_table(&own.tables[i], page->analyses[i], err);
    if (!rc)
        rc = loom_page_write(report, path, write_analysis_page, &own, err);
    for (size_t i = 0; i < page->n && own.tables; i++)
        loom_table_destroy(own.tables[i]);
    free(own.tables);
    return rc;
}

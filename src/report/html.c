/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The report as a page: what the log is, the workload in plain words, then section by section the
 * figures and the features. The page is put together in memory and written in one go. Everything
 * that comes from the log or the command line passes through loom_html_text.
 */
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

/* A section has the figures that name it and the features with these beginnings of keys. */
static const struct section {
    const char *id, *title, *intro;
    const char *prefixes[9];
} sections[] = {
    {"overview",
     "Overview",
     "How large the log and the machine are.",
     {"jobs", "users", "groups", "queues", "max_procs", "span_s", "load.", "concurrency."}},
    {"observed",
     "Observed service",
     "How busy the machine was, who waited and for how long, over the window in which the log is "
     "complete.",
     {"window.", "service."}},
    {"arrivals",
     "Arrivals",
     "When jobs come: how irregularly, in which cycles, and how far back the past matters.",
     {"arrival.", "cycle."}},
    {"jobs",
     "Runtimes and sizes",
     "How long jobs run, how many processors they take, and how the two go together.",
     {"runtime.", "procs.", "parallelism.", "corr.", "spatial.", "interactive.",
      "noninteractive."}},
    {"bags",
     "Bags of tasks",
     "Runs of like jobs that one user submits in quick succession.",
     {"bot."}},
    {"users",
     "Users and sessions",
     "Who submits, for how long they stay, and how they work.",
     {"session.", "batch.", "user.", "similarity.", "application.", "popularity."}},
    {"estimates",
     "Estimates",
     "The runtimes that users ask for, against those that their jobs have.",
     {"estimate."}},
    {"locality", "Locality", "How much a job is like those just before it.", {"locality."}},
    {"tails", "Tails", "How much of the time the longest jobs have.", {"tail."}},
};

enum {
    N_SECTIONS = sizeof sections / sizeof *sections,
    MOST_PREFIXES = sizeof sections->prefixes / sizeof *sections->prefixes
};

/* ---- features that no section asks for ------------------------------------------------------- */

static bool is_placed(const char *key)
{
    for (size_t s = 0; s < N_SECTIONS; s++)
        for (size_t i = 0; i < MOST_PREFIXES && sections[s].prefixes[i]; i++)
            if (strncmp(key, sections[s].prefixes[i], strlen(sections[s].prefixes[i])) == 0)
                return true;
    return false;
}

static bool has_others(const struct loom_features *features)
{
    for (size_t i = 0; i < loom_features_count(features); i++)
        if (!is_placed(loom_features_at(features, i)->info->key))
            return true;
    return false;
}

/* ---- top of the page ------------------------------------------------------------------------- */

static void write_report_nav(FILE *out, bool others)
{
    fputs("<nav aria-label=\"Sections\"><ul><li><a href=\"#summary\">Summary</a></li>", out);
    for (size_t i = 0; i < N_SECTIONS; i++)
        fprintf(out, "<li><a href=\"#%s\">%s</a></li>", sections[i].id, sections[i].title);
    if (others)
        fputs("<li><a href=\"#others\">Others</a></li>", out);
    fputs("<li><a href=\"#log\">The log</a></li></ul></nav>\n", out);
}

static void write_report_title(FILE *out, const struct loom_report *report)
{
    fputs("Workload of ", out);
    loom_page_name(out, report->trace);
}

/* Write who has the largest share of the work: by user, and by queue where there are several. */
static void write_shares(FILE *out, const struct loom_trace *trace)
{
    static const size_t kinds[] = {0, 2};
    char text[400];
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (loom_service_shares(text, sizeof text, trace, NULL, kinds[i], NULL) || !*text)
            continue;
        fputs("<li><strong><a href=\"#observed\">Shares:</a></strong> ", out);
        loom_html_text(out, text);
        fputs(".</li>\n", out);
    }
}

static void write_summary(FILE *out, const struct loom_report *report, const char *select)
{
    fputs("<header><h1>", out);
    write_report_title(out, report);
    fputs("</h1>\n<p class=\"sub\">", out);
    const struct loom_read_report *read = loom_trace_report(report->trace);
    loom_html_text(out, read && read->file ? read->file : "");
    if (select) {
        fputs(read && read->file ? " · jobs measured: " : "jobs measured: ", out);
        loom_html_text(out, loom_page_selection(select));
    }
    fputs("</p></header>\n<main>\n<section id=\"summary\">\n<h2>Summary</h2>\n"
          "<ul class=\"summary\">\n",
          out);
    loom_summary_write(out, report->features);
    write_shares(out, report->trace);
    if (loom_trace_count(report->trace) == 0)
        fputs("<li>There are no jobs.</li>\n", out);
    fputs("</ul>\n<p class=\"note\">In the tables below, the strip beside a value shows where it "
          "lies among the values that the papers print for other logs: a tick is one of those "
          "logs, the mark is this one. "
          "Minh's thesis (2012) measured jobs that completed, Zakay's (2017) all jobs that "
          "ran.</p>\n</section>\n",
          out);
}

/* ---- sections -------------------------------------------------------------------------------- */

static void open_table(FILE *out)
{
    fputs("<div class=\"scroll\" tabindex=\"0\"><table><thead><tr><th>Feature</th><th>Value</th>"
          "<th>Unit</th><th>Among printed logs</th><th>Source</th></tr></thead><tbody>\n",
          out);
}

static void close_table(FILE *out)
{
    fputs("</tbody></table></div>\n", out);
}

static void write_report_section(FILE *out, const struct loom_report *report,
                                 const struct section *section)
{
    fprintf(out, "<section id=\"%s\">\n<h2>%s</h2>\n<p class=\"intro\">%s</p>\n", section->id,
            section->title, section->intro);
    loom_page_figures(out, report, section->id);
    loom_page_tables(out, report, section->id);
    loom_page_absent(out, report, section->id);
    size_t rows = 0;
    for (size_t i = 0; i < MOST_PREFIXES && section->prefixes[i]; i++)
        rows += loom_feature_count(report->features, section->prefixes[i]);
    bool folded = loom_page_fold(out, rows, "features");
    open_table(out);
    for (size_t i = 0; i < MOST_PREFIXES && section->prefixes[i]; i++)
        loom_feature_rows(out, report->features, section->prefixes[i]);
    close_table(out);
    loom_page_unfold(out, folded);
    fputs("</section>\n", out);
}

static void write_others(FILE *out, const struct loom_report *report)
{
    fputs("<section id=\"others\">\n<h2>Others</h2>\n", out);
    open_table(out);
    for (size_t i = 0; i < loom_features_count(report->features); i++) {
        const char *key = loom_features_at(report->features, i)->info->key;
        if (!is_placed(key))
            loom_feature_rows(out, report->features, key);
    }
    close_table(out);
    fputs("</section>\n", out);
}

/* ---- the page -------------------------------------------------------------------------------- */

/* Both may be NULL. */
struct words {
    const char *command, *select;
};

static void write_report_page(FILE *out, const struct loom_report *report, const void *context)
{
    const struct words *words = context;
    bool others = has_others(report->features);
    loom_page_head(out);
    write_report_title(out, report);
    loom_page_body(out, "");
    write_report_nav(out, others);
    write_summary(out, report, words->select);
    for (size_t i = 0; i < N_SECTIONS; i++)
        write_report_section(out, report, &sections[i]);
    if (others)
        write_others(out, report);
    loom_page_log(out, report->trace);
    loom_page_end(out, words->command);
}

int loom_report_html(struct loom_report *report, const char *path, const char *command,
                     const char *select, struct loom_error *err)
{
    const struct words words = {command, select};
    return loom_page_write(report, path, write_report_page, &words, err);
}

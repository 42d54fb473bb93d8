/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page of a replay: conclusions, runs, both over time, classes of jobs. */
#include "report/replay.h"

#include "report/report.h"

#include <stdio.h>

struct page {
    const struct loom_replay_report *replay;
    const char *command;
    struct loom_table *runs, *by[LOOM_REPLAY_KINDS];
};

static const char *const titles[LOOM_REPLAY_KINDS] = {"By size", "By runtime", "By user",
                                                      "By queue", "By week"};

static void write_sentence(void *context, const char *sentence)
{
    FILE *out = context;
    fputs("<li>", out);
    loom_html_text(out, sentence);
    fputs("</li>\n", out);
}

static void write_replay_nav(FILE *out)
{
    fputs("<nav aria-label=\"Sections\"><ul><li><a href=\"#summary\">Summary</a></li>"
          "<li><a href=\"#time\">Over time</a></li><li><a href=\"#runs\">Assumptions</a></li>",
          out);
    for (size_t kind = 0; kind < LOOM_REPLAY_KINDS; kind++)
        fprintf(out, "<li><a href=\"#%s\">%s</a></li>",
                loom_replay_kind_name((enum loom_replay_kind)kind), titles[kind]);
    fputs("<li><a href=\"#log\">Log</a></li></ul></nav>\n", out);
}

static void write_meanings(FILE *out)
{
    fputs("<details><summary>What is assumed</summary>\n<ul>\n", out);
    for (size_t i = 0; i < LOOM_ASSUMPTIONS; i++)
        fprintf(out, "<li><b>%s</b>: %s</li>\n", loom_assumption_name(i),
                loom_assumption_meaning(i));
    fputs("</ul>\n</details>\n", out);
}

static void write_classes(FILE *out, const struct page *page)
{
    for (size_t kind = 0; kind < LOOM_REPLAY_KINDS; kind++) {
        const struct loom_shown_table shown = {
            loom_replay_kind_name((enum loom_replay_kind)kind), titles[kind],
            "Of the first run. 10 % and 90 %: percentiles of simulated minus logged wait.",
            page->by[kind]};
        loom_page_table_section(out, &shown);
    }
}

static void write_replay_page(FILE *out, const struct loom_report *report, const void *context)
{
    const struct page *page = context;
    const struct loom_shown_table runs = {
        "runs", "Assumptions",
        "Each row is a simulation of the whole log; bias is simulated minus logged mean wait, over "
        "the logged one. Values and the best row (*) are chosen on the first half alone.",
        page->runs};
    loom_page_head(out);
    fputs("Replay of ", out);
    loom_page_name(out, report->trace);
    loom_page_body(out, "");
    write_replay_nav(out);
    fputs("<header><h1>Replay of ", out);
    loom_page_name(out, report->trace);
    fputs("</h1></header>\n<main>\n<section id=\"summary\">\n<h2>Summary</h2>\n"
          "<ul class=\"summary\">\n",
          out);
    if (*loom_replay_resampled(report->trace))
        write_sentence(out, loom_replay_resampled(report->trace));
    loom_replay_conclusions(page->replay, write_sentence, out);
    loom_replay_notes(page->replay, write_sentence, out);
    fputs("</ul>\n</section>\n<section id=\"time\">\n<h2>Over time</h2>\n", out);
    loom_page_figures(out, report, "time");
    loom_page_absent(out, report, "time");
    fputs("</section>\n", out);
    loom_page_table_section(out, &runs);
    write_meanings(out);
    write_classes(out, page);
    loom_page_log(out, report->trace);
    loom_page_end(out, page->command);
}

int loom_report_replay_html(struct loom_report *report, const char *path,
                            const struct loom_replay_report *replay, const char *command,
                            struct loom_error *err)
{
    struct page page = {.replay = replay, .command = command};
    int rc = loom_replay_runs_table(&page.runs, replay, err);
    for (size_t kind = 0; kind < LOOM_REPLAY_KINDS && !rc; kind++)
        rc = loom_replay_classes_table(&page.by[kind], replay->by[kind], report->trace, err);
    if (!rc)
        rc = loom_page_write(report, path, write_replay_page, &page, err);
    loom_table_destroy(page.runs);
    for (size_t kind = 0; kind < LOOM_REPLAY_KINDS; kind++)
        loom_table_destroy(page.by[kind]);
    return rc;
}

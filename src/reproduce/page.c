/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A reproduction as a page, by text and chapter. */
#include "reproduce/figures.h"
#include "reproduce/numbers.h"

#include "report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char style[] = ".verdict{font-weight:600;white-space:nowrap}\n"
                            ".remark{font-size:.9em}\n"
                            "details.item{margin:.5em 0}\n"
                            "details.item>summary{cursor:pointer}\n";

static void put_tagged(FILE *out, const char *before, const char *text, const char *after)
{
    fputs(before, out);
    loom_html_text(out, text);
    fputs(after, out);
}

static void put_claim(FILE *out, const struct loom_reproduced_claim *claim)
{
    char printed[80], ours[80];
    const char *remark = claim->reason ? claim->reason : claim->tried;
    fputs("<tr>", out);
    loom_html_cell(out, "", "what", claim->what);
    loom_html_cell(out, "", "log", claim->log ? claim->log : "");
    loom_html_cell(out, "number", "printed", loom_printed_text(claim, printed, sizeof printed));
    loom_html_cell(out, "number", "ours", loom_ours_text(claim, ours, sizeof ours));
    loom_html_cell(out, "verdict", "verdict", loom_verdict_name(claim->verdict));
    fputs("</tr>\n", out);
    if (remark)
        put_tagged(out, "<tr><td colspan=\"5\" class=\"remark\">", remark, "</td></tr>\n");
    if (claim->command && claim->command[0])
        put_tagged(out, "<tr><td colspan=\"5\" class=\"remark\"><code>", claim->command,
                   "</code></td></tr>\n");
}

static void put_item(FILE *out, const struct loom_reproduction *all, size_t index)
{
    struct loom_reproduced_item item = loom_reproduction_item(all, index);
    fprintf(out, "<details class=\"item\" id=\"%s\"><summary><strong>", item.name);
    put_tagged(out, "", item.place, "</strong>: ");
    put_tagged(out, "", item.title, " <span class=\"verdict\">");
    put_tagged(out, "", loom_verdict_name(item.verdict), "</span></summary>\n");
    if (item.note)
        put_tagged(out, "<p>", item.note, "</p>\n");
    loom_figures_write(out, all, index);
    if (item.n > 0) {
        fputs("<table><thead><tr><th>what</th><th>log</th><th>printed</th><th>ours</th>"
              "<th>verdict</th></tr></thead><tbody>\n",
              out);
        for (size_t i = 0; i < item.n; i++) {
            struct loom_reproduced_claim claim = loom_reproduction_claim(all, index, i);
            put_claim(out, &claim);
        }
        fputs("</tbody></table>\n", out);
    }
    fputs("</details>\n", out);
}

static void put_page(FILE *out, const struct loom_reproduction *all, const char *command)
{
    char text[200];
    const char *before = "", *chapter = "";
    loom_page_head(out);
    fputs("Tables and figures of the texts, computed again", out);
    loom_page_body(out, style);
    fputs("<header><h1>Tables and figures of the texts, computed again</h1></header>\n<main>\n",
          out);
    put_tagged(out, "<p class=\"intro\">", loom_counts_text(all, text, sizeof text), ".</p>\n");
    if (all->quick)
        fputs("<p class=\"intro\">Quick: fewer replications than in the texts.</p>\n", out);
    for (size_t i = 0; i < all->n; i++) {
        struct loom_reproduced_item item = loom_reproduction_item(all, i);
        if (strcmp(item.text, before) != 0 || strcmp(item.chapter, chapter) != 0) {
            fputs("<h2>", out);
            loom_html_text(out, item.text);
            put_tagged(out, item.chapter[0] ? ", " : "", item.chapter, "</h2>\n");
        }
        before = item.text;
        chapter = item.chapter;
        put_item(out, all, i);
    }
    loom_page_end(out, command);
}

int loom_reproduction_html(const struct loom_reproduction *reproduction, struct loom_output *out,
                           const char *command, struct loom_error *err)
{
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    if (!memory)
        return loom_fail_memory(err);
    put_page(memory, reproduction, command);
    int bad = ferror(memory);
    bad |= fclose(memory);
    int rc = bad ? loom_fail_memory(err) : loom_output_write(out, text, size, err);
    free(text);
    return rc;
}

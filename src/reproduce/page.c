/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A reproduction as a page, by text and chapter. */
#include "reproduce/against.h"
#include "reproduce/figures.h"
#include "reproduce/numbers.h"
#include "reproduce/remarks.h"

#include "report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char style[] =
    ".verdict{font-weight:600;white-space:nowrap}\n"
    ".same,.same-finding,.substitute{color:#00734f}\n"
    ".undecided,.not-possible{color:#6b6b6b}\n"
    ".differs{color:#b24a00}\n"
    "@media (prefers-color-scheme:dark){.same,.same-finding,.substitute{color:#3ecf9a}"
    ".undecided,.not-possible{color:#a5a5a5}.differs{color:#ff9a4d}}\n"
    ".item{margin:2.2em 0;scroll-margin-top:1em}\n"
    ".item h3{margin-bottom:.2em}\n"
    "table.claims{min-width:0}\n"
    "table.claims th:nth-child(n){text-align:left;padding:.45rem .7rem}\n"
    "table.claims td.number{font-variant-numeric:tabular-nums}\n"
    ".remarks{font-size:.9em}\n"
    ".remarks code{overflow-wrap:anywhere}\n"
    ".contents{columns:18em;padding-left:1.2em}\n";

static void put_tagged(FILE *out, const char *before, const char *text, const char *after)
{
    fputs(before, out);
    loom_html_text(out, text);
    fputs(after, out);
}

/* Classes of verdicts, which have their colours. */
static const char *const verdict_classes[LOOM_VERDICTS] = {
    "verdict same",      "verdict same-finding", "verdict substitute",
    "verdict undecided", "verdict differs",      "verdict not-possible"};

static void put_verdict(FILE *out, enum loom_verdict verdict)
{
    fprintf(out, "<span class=\"%s\">%s</span>", verdict_classes[verdict],
            loom_verdict_name(verdict));
}

static void put_verdict_cell(FILE *out, const char *label, enum loom_verdict verdict)
{
    loom_html_cell(out, verdict_classes[verdict], label, loom_verdict_name(verdict));
}

static void put_claim(FILE *out, size_t row, const struct loom_reproduced_claim *claim)
{
    char what[512], log[80], printed[80], ours[200];
    snprintf(what, sizeof what, "%zu. %s", row, claim->what);
    fputs("<tr>", out);
    loom_html_cell(out, "", "what", what);
    loom_html_cell(out, "", "log", loom_log_text(claim, log, sizeof log));
    loom_html_cell(out, "number", "printed", loom_printed_text(claim, printed, sizeof printed));
    loom_html_cell(out, "number", "ours", loom_ours_text(claim, ours, sizeof ours));
    put_verdict_cell(out, "verdict", claim->verdict);
    fputs("</tr>\n", out);
}

static void put_claims(FILE *out, const struct loom_reproduction *all, size_t index)
{
    struct loom_reproduced_item item = loom_reproduction_item(all, index);
    if (item.n == 0)
        return;
    bool folded = loom_page_fold(out, item.n, "claims");
    fputs(
        "<table class=\"claims\"><thead><tr><th>what</th><th>log</th><th>printed</th><th>ours</th>"
        "<th>verdict</th></tr></thead><tbody>\n",
        out);
    for (size_t i = 0; i < item.n; i++) {
        struct loom_reproduced_claim claim = loom_reproduction_claim(all, index, i);
        put_claim(out, i + 1, &claim);
    }
    fputs("</tbody></table>\n", out);
    loom_page_unfold(out, folded);
}

static void put_remark(FILE *out, const struct loom_remark *remark, enum loom_remark_kind kind)
{
    bool code = kind == LOOM_REMARK_COMMAND;
    fprintf(out, "<li>%s: %s%s", remark->rows, loom_remark_title(kind), code ? "<code>" : "");
    loom_html_text(out, remark->text);
    fputs(code ? "</code></li>\n" : "</li>\n", out);
}

/* Write remarks as a list; commands are folded. */
static void put_remarks(FILE *out, const struct loom_reproduction *all, size_t index)
{
    struct loom_remark remark;
    fputs("<ul class=\"remarks\">\n", out);
    for (int kind = 0; kind < LOOM_REMARK_COMMAND; kind++)
        for (size_t i = 0; loom_remark_at(&remark, all, index, (enum loom_remark_kind)kind, i); i++)
            put_remark(out, &remark, (enum loom_remark_kind)kind);
    fputs("</ul>\n", out);
    if (!loom_remark_at(&remark, all, index, LOOM_REMARK_COMMAND, 0))
        return;
    fputs("<details><summary>Commands</summary><ul class=\"remarks\">\n", out);
    for (size_t i = 0; loom_remark_at(&remark, all, index, LOOM_REMARK_COMMAND, i); i++)
        put_remark(out, &remark, LOOM_REMARK_COMMAND);
    fputs("</ul></details>\n", out);
}

static void put_item(FILE *out, const struct loom_reproduction *all, size_t index)
{
    struct loom_reproduced_item item = loom_reproduction_item(all, index);
    char fewer[64], impossible[64];
    fprintf(out, "<section class=\"item\" id=\"%s\"><h3>", item.name);
    put_tagged(out, "", item.place, ": ");
    put_tagged(out, "", item.title, "</h3>\n<p>");
    put_verdict(out, item.verdict);
    if (loom_fewer_text(&item, fewer, sizeof fewer)[0])
        put_tagged(out, " (", fewer, ")");
    if (loom_impossible_text(&item, impossible, sizeof impossible)[0])
        put_tagged(out, ", ", impossible, "");
    fputs("</p>\n", out);
    if (item.note)
        put_tagged(out, "<p>", item.note, "</p>\n");
    loom_figures_write(out, all, index);
    put_claims(out, all, index);
    put_remarks(out, all, index);
    fputs("</section>\n", out);
}

/* Write a claim with both numbers of replications as a row. */
static void put_against_row(FILE *out, const struct loom_reproduction *all,
                            const struct loom_against *against)
{
    char printed[80], quick[200], full[200];
    const char *name = all->items[against->item].item->name;
    fprintf(out, "<tr><td data-label=\"item\"><a href=\"#%s\">%s, %zu</a></td>", name, name,
            against->row + 1);
    loom_html_cell(out, "", "what", against->quick.what);
    loom_html_cell(out, "number", "printed",
                   loom_printed_text(&against->quick, printed, sizeof printed));
    loom_html_cell(out, "number", "quick", loom_ours_text(&against->quick, quick, sizeof quick));
    put_verdict_cell(out, "quick verdict", against->quick.verdict);
    loom_html_cell(out, "number", "full", loom_ours_text(&against->full, full, sizeof full));
    put_verdict_cell(out, "full verdict", against->full.verdict);
    fputs("</tr>\n", out);
}

/* Write what verdicts are others with many replications, where that is known. */
static void put_against(FILE *out, const struct loom_reproduction *all)
{
    char text[500];
    struct loom_against against = {0};
    if (!loom_against_text(all, text, sizeof text)[0])
        return;
    put_tagged(out, "<h2>Quick against full</h2>\n<p>", text, ".</p>\n");
    if (!loom_against_next(&against, all))
        return;
    fputs("<div class=\"scroll\" tabindex=\"0\"><table "
          "class=\"claims\"><thead><tr><th>item</th><th>what</th>"
          "<th>printed</th><th>quick</th>"
          "<th>verdict</th><th>full</th><th>verdict</th></tr></thead><tbody>\n",
          out);
    do
        put_against_row(out, all, &against);
    while (loom_against_next(&against, all));
    fputs("</tbody></table></div>\n", out);
}

/* Does a chapter start at this item? */
static bool starts_chapter(const struct loom_reproduction *all, size_t index)
{
    if (index == 0)
        return true;
    struct loom_reproduced_item item = loom_reproduction_item(all, index),
                                before = loom_reproduction_item(all, index - 1);
    return strcmp(item.text, before.text) != 0 || strcmp(item.chapter, before.chapter) != 0;
}

static void put_chapter(FILE *out, const struct loom_reproduced_item *item, const char *before,
                        const char *after)
{
    fputs(before, out);
    loom_html_text(out, item->text);
    put_tagged(out, item->chapter[0] ? ", " : "", item->chapter, after);
}

/* Write links to all items, by chapter, with their verdicts. */
static void put_contents(FILE *out, const struct loom_reproduction *all)
{
    fputs("<details><summary>Contents</summary>\n", out);
    for (size_t i = 0; i < all->n; i++) {
        struct loom_reproduced_item item = loom_reproduction_item(all, i);
        if (starts_chapter(all, i))
            put_chapter(out, &item, i ? "</ul><p>" : "<p>", "</p><ul class=\"contents\">\n");
        fprintf(out, "<li><a href=\"#%s\">", item.name);
        put_tagged(out, "", item.place, "</a> ");
        put_verdict(out, item.verdict);
        fputs("</li>\n", out);
    }
    fputs(all->n ? "</ul></details>\n" : "</details>\n", out);
}

static void put_intro(FILE *out, const struct loom_reproduction *all)
{
    char text[200];
    put_tagged(out, "<p class=\"intro\">", loom_counts_text(all, text, sizeof text), ".</p>\n");
    if (all->quick)
        fputs("<p class=\"intro\">Quick: fewer replications than in the texts; each line says how "
              "many.</p>\n",
              out);
    fputs("<dl>\n", out);
    for (size_t i = 0; loom_verdict_meanings[i]; i += 2) {
        put_tagged(out, "<dt>", loom_verdict_meanings[i], "</dt>");
        put_tagged(out, "<dd>", loom_verdict_meanings[i + 1], "</dd>\n");
    }
    fputs("</dl>\n<p>An item has the worst verdict of its claims that could be tested; further "
          "readings are shown and do not count.</p>\n",
          out);
    put_contents(out, all);
}

static void put_page(FILE *out, const struct loom_reproduction *all, const char *command)
{
    loom_page_head(out);
    fputs("Tables and figures of the texts, computed again", out);
    loom_page_body(out, style);
    fputs("<header><h1>Tables and figures of the texts, computed again</h1></header>\n<main>\n",
          out);
    put_intro(out, all);
    put_against(out, all);
    for (size_t i = 0; i < all->n; i++) {
        struct loom_reproduced_item item = loom_reproduction_item(all, i);
        if (starts_chapter(all, i))
            put_chapter(out, &item, "<h2>", "</h2>\n");
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

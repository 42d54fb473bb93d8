/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table for people as a section of a page. */
#include "base/table.h"
#include "report/report.h"

static void write_cells(FILE *out, const struct loom_table *table, size_t row)
{
    fputs("<tr>", out);
    for (size_t c = 0; c < loom_table_width(table); c++) {
        const char *text = loom_table_text(table, row, c);
        const char *title = loom_table_text(table, 0, c);
        bool left = loom_table_align(table, c) == LOOM_LEFT;
        fputs(c == 0 ? "<td class=\"what\"" : left ? "<td" : "<td class=\"number\"", out);
        if (title[0]) {
            fputs(" data-label=\"", out);
            loom_html_text(out, title);
            fputs("\"", out);
        }
        fputs(">", out);
        loom_html_text(out, text ? text : "");
        fputs("</td>", out);
    }
    fputs("</tr>\n", out);
}

void loom_page_table(FILE *out, const struct loom_table *table)
{
    size_t rows = 0;
    while (loom_table_text(table, rows + 1, 0))
        rows++;
    bool folded = loom_page_fold(out, rows, "rows");
    fputs("<div class=\"scroll\" tabindex=\"0\"><table class=\"versus\"><thead><tr>", out);
    for (size_t c = 0; c < loom_table_width(table); c++) {
        fputs(loom_table_align(table, c) == LOOM_LEFT ? "<th class=\"words\">" : "<th>", out);
        loom_html_text(out, loom_table_text(table, 0, c));
        fputs("</th>", out);
    }
    fputs("</tr></thead><tbody>\n", out);
    for (size_t row = 1; loom_table_text(table, row, 0); row++)
        write_cells(out, table, row);
    fputs("</tbody></table></div>\n", out);
    loom_page_unfold(out, folded);
}

void loom_page_table_section(FILE *out, const struct loom_shown_table *shown)
{
    fprintf(out, "<section id=\"%s\">\n<h2>%s</h2>\n<p class=\"intro\">%s</p>\n", shown->id,
            shown->title, shown->intro);
    loom_page_table(out, shown->table);
    fputs("</section>\n", out);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The page of a comparison: scores (contrast_score.c), then part by part the figures and every
 * number with its distance. Everything that comes from a log or the command line passes through
 * loom_html_text.
 */
#include "report/contrast.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char style[] =
    ".bar{display:inline-block;width:6rem;height:.7rem;background:var(--line);border-radius:3px;"
    "overflow:hidden;vertical-align:middle;margin-left:.5rem}\n"
    ".bar i{display:block;height:100%;background:var(--accent)}\n"
    ".score{font-size:2.2rem;font-weight:700;margin:.5rem 0 0;font-variant-numeric:tabular-nums}\n"
    ".score small{font-size:1rem;font-weight:400;color:var(--soft)}\n"
    "table.ranking{min-width:58rem}table.ranking th,table.ranking td{padding:.45rem .3rem}\n"
    "table.ranking th{vertical-align:bottom;font-size:.8rem}table.ranking th a{color:inherit}\n"
    "table.ranking th:first-child,table.ranking td:first-child{padding-left:.8rem;"
    "white-space:nowrap}\n"
    ".variant{display:block;font-weight:400;font-size:.8rem;color:var(--soft);"
    "white-space:normal;max-width:8.5rem}\n"
    "table.ranking .bar{width:2rem;margin-left:.3rem}table.ranking td{font-size:.85rem}\n"
    "@media screen and (max-width:36rem){.score small{display:block;line-height:1.4}"
    "table.ranking{min-width:0}table.ranking td,table.ranking td:first-child{padding:0}}\n"
    "@media print{table.ranking{min-width:0}.bar{display:none}}\n";

/* ---- words ----------------------------------------------------------------------------------- */

void loom_contrast_bar(FILE *out, double share)
{
    fprintf(out, "<span class=\"bar\" aria-hidden=\"true\"><i style=\"width:%.0f%%\"></i></span>",
            100 * fmin(1, fmax(0, share)));
}

void loom_contrast_number(FILE *out, const struct loom_feature_info *info, double value)
{
    if (strcmp(info->unit, "s") == 0 && fabs(value) >= 600)
        loom_html_duration(out, value);
    else
        loom_html_number(out, value);
    if (strcmp(info->unit, "s") == 0 && fabs(value) < 600)
        fputs("\xC2\xA0s", out);
}

void loom_contrast_distance(FILE *out, double distance)
{
    if (distance <= -0.05)
        fputs("\xE2\x88\x92", out); /* a minus sign, but none before 0.0 */
    fprintf(out, fabs(distance) < 10 ? "%.1f" : "%.0f", fabs(distance));
}

/* ---- tables ---------------------------------------------------------------------------------- */

static void open_table(FILE *out, const struct loom_contrast_page *page)
{
    fputs("<div class=\"scroll\" tabindex=\"0\"><table class=\"versus\"><thead><tr><th>Feature</th>"
          "<th class=\"words\">Unit</th><th>",
          out);
    fputs(page->ranking ? "Log" : "A", out);
    fputs("</th>", out);
    for (size_t i = 0; i < page->n; i++) {
        fputs("<th>", out);
        loom_html_text(out, page->contestants[i].label);
        fputs("</th>", out);
    }
    fputs(page->n == 1 ? "<th>Distance</th><th>Closeness</th></tr></thead><tbody>\n"
                       : "</tr></thead><tbody>\n",
          out);
}

/* All numbers of a line are in one unit: of times, the one in which the reference, or else the
 * other side, is best read. */
static struct loom_html_unit unit_of(const struct loom_compared *line)
{
    double value = line->known_a ? line->a : line->known > 0 ? line->b.mean : 0;
    return strcmp(line->info->unit, "s") == 0 ? loom_html_unit(fabs(value))
                                              : (struct loom_html_unit){line->info->unit, 1};
}

static void write_what(FILE *out, const struct loom_contrast_page *page,
                       const struct loom_compared *line, struct loom_html_unit unit)
{
    const struct loom_feature_info *info = line->info;
    char note[120];
    loom_definitions_note(&page->definitions, info->key, note, sizeof note);
    fprintf(out, "<tr id=\"%s%s\"><td class=\"what\"><code>%s</code> ",
            line->distribution ? "d-" : "f-", info->key, info->key);
    loom_html_text(out, info->meaning);
    if (note[0])
        fprintf(out, " <strong>[%s]</strong>", note);
    fputs(line->distribution ? " (distribution; medians)</td>" : "</td>", out);
    loom_html_cell(out, "unit", "Unit", unit.name);
}

static void write_b(FILE *out, const struct loom_compared *line, struct loom_html_unit unit,
                    const char *label, bool distance)
{
    fputs("<td class=\"number\" data-label=\"", out);
    loom_html_text(out, label);
    fputs("\">", out);
    if (line->known == 0) {
        fputs("\xE2\x80\x93</td>", out);
        return;
    }
    loom_html_number(out, line->b.mean / unit.length_s);
    if (!isnan(line->b.sd)) {
        fputs("<span class=\"range\">sd ", out);
        loom_html_number(out, line->b.sd / unit.length_s);
        fputs("</span>", out);
    }
    if (line->distribution)
        fprintf(out, "<span class=\"range\">KS %.3f</span>", line->ks);
    if (distance) {
        fputs("<span class=\"range\">distance ", out);
        loom_contrast_distance(out, line->distance);
        fputs("</span>", out);
    }
    fputs("</td>", out);
}

static void write_far(FILE *out, const struct loom_compared *line, struct loom_html_unit unit)
{
    if (line->known == 0) {
        fputs("<td class=\"missing\" colspan=\"2\">not known: ", out);
        loom_html_text(out, line->reason ? line->reason : "it was not computed");
        fputs("</td>", out);
        return;
    }
    fputs("<td class=\"number\" data-label=\"Distance\">", out);
    loom_contrast_distance(out, line->distance);
    if (line->distribution) {
        fputs("<span class=\"range\">W ", out);
        loom_html_number(out, line->wasserstein / unit.length_s);
        fputs("</span><span class=\"range\">A² ", out);
        loom_html_number(out, line->anderson_darling);
        fputs("</span>", out);
    }
    fputs("</td><td class=\"number\" data-label=\"Closeness\">", out);
    fprintf(out, "%.2f", line->closeness);
    loom_contrast_bar(out, line->closeness);
    fputs("</td>", out);
}

static void write_line(FILE *out, const struct loom_contrast_page *page, size_t index)
{
    const struct loom_compared *line = loom_scorecard_line(page->contestants[0].card, index);
    const struct loom_html_unit unit = unit_of(line);
    write_what(out, page, line, unit);
    fprintf(out, "<td class=\"number first\" data-label=\"%s\">", page->ranking ? "Log" : "A");
    if (line->known_a)
        loom_html_number(out, line->a / unit.length_s);
    else
        fputs("\xE2\x80\x93", out);
    fputs("</td>", out);
    for (size_t i = 0; i < page->n; i++)
        write_b(out, loom_scorecard_line(page->contestants[i].card, index), unit,
                page->contestants[i].label, page->n > 1);
    if (page->n == 1)
        write_far(out, line, unit);
    fputs("</tr>\n", out);
}

static size_t count_lines(const struct loom_scorecard *card, int part)
{
    const struct loom_compared *line;
    size_t n = 0;
    for (size_t i = 0; (line = loom_scorecard_line(card, i)); i++)
        n += line->part == part;
    return n;
}

/* The lines of a part, distributions first. */
static void write_lines(FILE *out, const struct loom_contrast_page *page, int part)
{
    const struct loom_scorecard *card = page->contestants[0].card;
    const struct loom_compared *line;
    bool folded = loom_page_fold(out, count_lines(card, part), "features");
    open_table(out, page);
    for (int distribution = 1; distribution >= 0; distribution--)
        for (size_t i = 0; (line = loom_scorecard_line(card, i)); i++)
            if (line->part == part && line->distribution == (distribution == 1))
                write_line(out, page, i);
    fputs("</tbody></table></div>\n", out);
    loom_page_unfold(out, folded);
}

/* ---- sections -------------------------------------------------------------------------------- */

static void write_contrast_section(FILE *out, const struct loom_report *report,
                                   const struct loom_contrast_page *page, size_t part)
{
    const struct loom_part_info *info = loom_part_at(part);
    fprintf(out, "<section id=\"%s\">\n<h2>%s</h2>\n<p class=\"intro\">%s</p>\n", info->name,
            info->title, info->meaning);
    loom_page_figures(out, report, info->name);
    loom_page_absent(out, report, info->name);
    write_lines(out, page, (int)part);
    fputs("</section>\n", out);
}

static void write_trace(FILE *out, const char *what, const struct loom_trace *trace)
{
    const struct loom_read_report *read = loom_trace_report(trace);
    const char *computer = loom_trace_directive(trace, "Computer");
    fprintf(out, "<dt>%s</dt><dd>", what);
    loom_html_text(out, read->file);
    fputs(" · ", out);
    if (computer && computer[0]) {
        loom_html_text(out, computer);
        fputs(" · ", out);
    }
    loom_html_number(out, (double)loom_trace_count(trace));
    fprintf(out, " %s · XXH3-64 %016" PRIx64 "</dd>\n",
            loom_trace_count(trace) == 1 ? "job" : "jobs", read->hash);
}

static const char *trace_label(const struct loom_contrast_page *page, size_t i, char *buf,
                               size_t size)
{
    if (page->n_traces == 1)
        return "B";
    snprintf(buf, size, "B%zu", i + 1);
    return buf;
}

static void write_traces(FILE *out, const struct loom_contrast_page *page)
{
    const struct loom_blocks *blocks = &page->blocks;
    char label[24];
    const char *unit = blocks->unit_s == 3600    ? "hours"
                       : blocks->unit_s == 86400 ? "days"
                                                 : "weeks";
    fputs("<section id=\"traces\">\n<h2>The traces</h2>\n<dl>\n", out);
    write_trace(out, page->ranking ? "Log" : "A, the reference", page->reference);
    for (size_t i = 0; i < page->n_traces; i++)
        write_trace(out, trace_label(page, i, label, sizeof label), page->traces[i]);
    fputs("<dt>Sampling errors</dt><dd>", out);
    if (blocks->unit_s == 0)
        fputs("not known, since the reference is shorter than eight hours: a tenth stands in", out);
    else
        fprintf(out, "from %zu resamples of %zu %s in blocks of %zu", blocks->resamples,
                blocks->units, unit, blocks->length);
    fputs("</dd>\n</dl>\n</section>\n", out);
}

static void write_contrast_nav(FILE *out, const struct loom_contrast_page *page)
{
    const struct loom_part_info *part;
    fprintf(out, "<nav aria-label=\"Sections\"><ul><li><a href=\"#summary\">%s</a></li>",
            page->ranking ? "Ranking" : "Score");
    for (size_t i = 0; (part = loom_part_at(i)); i++)
        fprintf(out, "<li><a href=\"#%s\">%s</a></li>", part->name, part->title);
    fputs("<li><a href=\"#others\">Not scored</a></li><li><a href=\"#traces\">The traces</a></li>"
          "</ul></nav>\n",
          out);
}

static void write_contrast_title(FILE *out, const struct loom_contrast_page *page)
{
    if (page->ranking) {
        fputs("Models of ", out);
    } else {
        if (page->n_traces == 1)
            loom_page_name(out, page->traces[0]);
        else
            fprintf(out, "%zu logs", page->n_traces);
        fputs(" compared with ", out);
    }
    loom_page_name(out, page->reference);
}

static void write_top(FILE *out, const struct loom_contrast_page *page)
{
    fputs("<header><h1>", out);
    write_contrast_title(out, page);
    fputs("</h1>\n<p class=\"sub\">", out);
    if (page->ranking) {
        loom_html_text(out, loom_trace_report(page->reference)->file);
    } else {
        fputs("A is ", out);
        loom_html_text(out, loom_trace_report(page->reference)->file);
        fputs(page->n_traces == 1 ? ", B is " : ", B are ", out);
        loom_html_text(out, loom_trace_report(page->traces[0])->file);
        if (page->n_traces > 1)
            fprintf(out, " and %zu more", page->n_traces - 1);
    }
    if (page->select) {
        fputs(" · jobs compared: ", out);
        loom_html_text(out, loom_page_selection(page->select));
    }
    fprintf(out, "</p></header>\n<main>\n<section id=\"summary\">\n<h2>%s</h2>\n",
            page->ranking ? "Ranking" : "Score");
}

static void write_contrast_page(FILE *out, const struct loom_report *report, const void *context)
{
    const struct loom_contrast_page *page = context;
    loom_page_head(out);
    write_contrast_title(out, page);
    loom_page_body(out, style);
    write_contrast_nav(out, page);
    write_top(out, page);
    loom_contrast_scores(out, page);
    for (size_t i = 0; loom_part_at(i); i++)
        write_contrast_section(out, report, page, i);
    fputs("<section id=\"others\">\n<h2>Not scored</h2>\n<p class=\"intro\">Numbers that grow with "
          "the length of a log, and those that say nearly the same as one above.</p>\n",
          out);
    write_lines(out, page, -1);
    fputs("</section>\n", out);
    write_traces(out, page);
    loom_page_end(out, page->command);
}

int loom_report_contrast_html(struct loom_report *report, const char *path,
                              const struct loom_contrast_page *page, struct loom_error *err)
{
    if (page->n == 0)
        return loom_fail(err, LOOM_EDATA, "there is nothing to compare with");
    return loom_page_write(report, path, write_contrast_page, page, err);
}

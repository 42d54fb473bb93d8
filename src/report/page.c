/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What all pages have in common: text and numbers as HTML, how pages begin and end, figures with
 * their captions, the section on the log, and that pages are put together in memory and written in
 * one go.
 */
#include "base/human.h"
#include "base/output_set.h"
#include "base/table.h"
#include "base/text.h"
#include "report/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_HEADER_LINES = 1000 };

/* ---- text and numbers -------------------------------------------------------------------------
 */

static const char *entity(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    case '\n':
        return "\n";
    case '\t':
        return "\t";
    default:
        return NULL;
    }
}

void loom_html_text(FILE *out, const char *text)
{
    size_t left = strlen(text);
    while (left > 0) {
        bool printable = false;
        size_t step = loom_utf8_step(text, left, &printable);
        const char *escaped = entity(*text);
        if (escaped)
            fputs(escaped, out);
        else if (printable)
            fwrite(text, 1, step, out);
        else
            fputs("\xEF\xBF\xBD", out);
        text += step;
        left -= step;
    }
}

void loom_html_cell(FILE *out, const char *class, const char *label, const char *text)
{
    fprintf(out, "<td class=\"%s\" data-label=\"%s\">", class, label);
    loom_html_text(out, text);
    fputs("</td>", out);
}

/* Write digits of a whole number in groups of three, as tables have them. */
static void write_grouped(FILE *out, const char *digits)
{
    size_t n = strlen(digits);
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && (n - i) % 3 == 0)
            fputc(',', out);
        fputc(digits[i], out);
    }
}

void loom_html_number(FILE *out, double value)
{
    char digits[64];
    double size = fabs(value);
    if (value < 0)
        fputs("\xE2\x88\x92", out); /* a minus sign */
    if (size >= 1e15 || (size > 0 && size < 1e-4)) {
        snprintf(digits, sizeof digits, "%.3g", size);
        fputs(digits, out);
    } else if (size >= 1000 || size == floor(size)) {
        snprintf(digits, sizeof digits, "%.0f", size);
        write_grouped(out, digits);
    } else {
        snprintf(digits, sizeof digits, size >= 100 ? "%.1f" : size >= 1 ? "%.2f" : "%.3f", size);
        fputs(digits, out);
    }
}

struct loom_html_unit loom_html_unit(double seconds)
{
    double length;
    const char *name = loom_duration_unit(seconds, &length);
    return (struct loom_html_unit){name, length > 0 ? round(seconds / length) : 1};
}

void loom_html_duration(FILE *out, double seconds)
{
    double length;
    const char *unit = loom_duration_unit(seconds, &length);
    if (length < 100)
        fprintf(out, "%.3g", length);
    else
        loom_html_number(out, round(length));
    fprintf(out, "\xC2\xA0%s", unit);
}

void loom_html_percent(FILE *out, const char *before, double share, const char *after)
{
    double hundredths = 100 * share;
    fputs(before, out);
    if (hundredths > 0 && hundredths < 0.05)
        fputs("less than 0.1", out);
    else if (hundredths >= 99.5 && hundredths < 100)
        fputs("more than 99", out);
    else
        fprintf(out, hundredths > 0 && hundredths < 9.95 ? "%.1f" : "%.0f", hundredths);
    fprintf(out, "\xC2\xA0%%%s", after);
}

/* ---- begin and end ----------------------------------------------------------------------------
 */

void loom_page_name(FILE *out, const struct loom_trace *trace)
{
    const struct loom_read_report *report = loom_trace_report(trace);
    const char *computer = loom_trace_directive(trace, "Computer");
    const char *file = report && report->file && report->file[0] ? report->file : NULL;
    const char *slash = file ? strrchr(file, '/') : NULL;
    bool known = computer && computer[0];
    if (slash && slash[1])
        file = slash + 1;
    loom_html_text(out, file ? file : known ? computer : "a log");
    if (!file || !known)
        return;
    fputs(" (", out);
    loom_html_text(out, computer);
    fputc(')', out);
}

const char *loom_page_selection(const char *select)
{
    if (strcmp(select, "ran") == 0)
        return "those that ran";
    return strcmp(select, "completed") == 0 ? "those that completed" : select;
}

void loom_page_head(FILE *out)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta name=\"generator\" content=\"workloom ",
          out);
    loom_html_text(out, loom_version());
    /* Nothing may be loaded or run, whatever a log has smuggled in. */
    fputs("\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
          "style-src 'unsafe-inline'; img-src data:\">\n<title>",
          out);
}

void loom_page_body(FILE *out, const char *style)
{
    fprintf(out, "</title>\n<style>\n%s%s</style>\n</head>\n<body>\n", loom_page_style, style);
}

void loom_page_end(FILE *out, const char *command)
{
    fputs("</main>\n<footer><p>Made by workloom ", out);
    loom_html_text(out, loom_version());
    if (command) {
        fputs(": <code>", out);
        loom_html_text(out, command);
        fputs("</code>", out);
    }
    fputs("</p></footer>\n</body>\n</html>\n", out);
}

bool loom_page_fold(FILE *out, size_t rows, const char *what)
{
    enum { SHORT_TABLE = 12 };
    if (rows > SHORT_TABLE)
        fprintf(out, "<details><summary>Table of %zu %s</summary>\n", rows, what);
    return rows > SHORT_TABLE;
}

void loom_page_unfold(FILE *out, bool folded)
{
    fputs(folded ? "</details>\n" : "", out);
}

/* ---- figures ------------------------------------------------------------------------------------
 */

void loom_page_figures(FILE *out, const struct loom_report *report, const char *section)
{
    bool any = false;
    for (size_t i = 0; i < report->n; i++) {
        const struct loom_drawing *drawing = &report->drawings[i];
        if (strcmp(drawing->ops->section, section) != 0 || !drawing->image)
            continue;
        if (!any)
            fputs("<div class=\"figures\">\n", out);
        any = true;
        fprintf(out, "<figure id=\"%s\"%s><div class=\"card\">", drawing->ops->name,
                drawing->ops->width > 1 ? " class=\"wide\"" : "");
        loom_svg_inline(out, drawing);
        fputs("</div><figcaption><h3>", out);
        loom_html_text(out, drawing->ops->title);
        fputs("</h3>", out);
        loom_html_text(out, drawing->ops->caption);
        fputs("</figcaption></figure>\n", out);
    }
    fputs(any ? "</div>\n" : "", out);
}

void loom_page_absent(FILE *out, const struct loom_report *report, const char *section)
{
    for (size_t i = 0; i < report->n; i++) {
        const struct loom_drawing *drawing = &report->drawings[i];
        bool drawn = drawing->ops->script != NULL;
        if (strcmp(drawing->ops->section, section) != 0 ||
            (drawn ? drawing->image != NULL : drawing->table != NULL))
            continue;
        fprintf(out, "<p class=\"absent\">The %s \xE2\x80\x9C", drawn ? "figure" : "table");
        loom_html_text(out, drawing->ops->title);
        fputs("\xE2\x80\x9D is left out: ", out);
        loom_html_text(out, drawing->data ? drawing->failure : drawing->reason);
        fputs(".</p>\n", out);
    }
}

/* ---- the log --------------------------------------------------------------------------------- */

static void write_item(FILE *out, const char *what, const char *text)
{
    if (!text || !text[0])
        return;
    fprintf(out, "<dt>%s</dt><dd>", what);
    loom_html_text(out, text);
    fputs("</dd>\n", out);
}

static void write_header_lines(FILE *out, const struct loom_trace *trace)
{
    const struct loom_directive *directives;
    size_t n = loom_trace_directives(trace, &directives);
    if (n == 0)
        return;
    fputs("<details class=\"header\"><summary>The whole header</summary><pre>", out);
    for (size_t i = 0; i < n && i < MOST_HEADER_LINES; i++) {
        fputc(';', out);
        loom_html_text(out, directives[i].text);
        fputc('\n', out);
    }
    if (n > MOST_HEADER_LINES)
        fprintf(out, "... and %zu more lines\n", n - MOST_HEADER_LINES);
    fputs("</pre></details>\n", out);
}

void loom_page_log(FILE *out, const struct loom_trace *trace)
{
    static const struct {
        const char *what, *key;
    } items[] = {
        {"Computer", "Computer"},
        {"Installation", "Installation"},
        {"Acknowledgement", "Acknowledge"},
        {"Information", "Information"},
        {"Converted by", "Conversion"},
        {"Version of the format", "Version"},
        {"Starts", "StartTime"},
        {"Ends", "EndTime"},
        {"Time zone", "TimeZoneString"},
        {"Processors", "MaxProcs"},
        {"Nodes", "MaxNodes"},
    };
    const struct loom_read_report *read = loom_trace_report(trace);
    char hash[24] = "";
    fputs("<section id=\"log\">\n<h2>The log</h2>\n<dl>\n", out);
    if (read && read->file) {
        write_item(out, "File", read->file);
        write_item(out, "File format", read->format);
        snprintf(hash, sizeof hash, "%016" PRIx64, read->hash);
        write_item(out, "XXH3-64 of the file", hash);
    }
    for (size_t i = 0; i < sizeof items / sizeof *items; i++)
        write_item(out, items[i].what, loom_trace_directive(trace, items[i].key));
    fputs("</dl>\n", out);
    write_header_lines(out, trace);
    fputs("</section>\n", out);
}

/* ---- the page -------------------------------------------------------------------------------- */

int loom_page_write(struct loom_report *report, const char *path, loom_page_fn *write,
                    const void *context, struct loom_error *err)
{
    struct loom_text *text;
    struct loom_output *output = NULL;
    size_t size;
    int rc = loom_report_draw(report, loom_image_format_find("svg"), err);
    if (rc)
        return rc;
    FILE *out = loom_text_open(&text);
    if (!out)
        return loom_fail_memory(err);
    write(out, report, context);
    char *page = loom_text_close(out, text, &size);
    rc = page ? loom_output_create(&output, path, err) : loom_fail_memory(err);
    if (!rc)
        rc = loom_output_write(output, page, size, err);
    if (!rc)
        rc = loom_output_set_add(report->set, &output, err);
    loom_output_destroy(output);
    free(page);
    return rc;
}

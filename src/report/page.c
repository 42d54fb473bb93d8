/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What all pages have in common: how they begin and end, figures with their captions, and that they
 * are put together in memory and written in one go.
 */
#include "base/output_set.h"
#include "base/table.h"
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

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

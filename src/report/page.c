/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What all pages have in common: how they begin and end, figures with their captions, and that they
 * are put together in memory and written in one go.
 */
#include "base/output_set.h"
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

const char *loom_page_name(const struct loom_trace *trace)
{
    const char *computer = loom_trace_directive(trace, "Computer");
    const struct loom_read_report *report = loom_trace_report(trace);
    if (computer && computer[0])
        return computer;
    const char *file = report && report->file ? report->file : "a log";
    const char *slash = strrchr(file, '/');
    return slash && slash[1] ? slash + 1 : file;
}

const char *loom_page_selection(const char *select)
{
    if (strcmp(select, "ran") == 0)
        return "those that ran";
    return strcmp(select, "completed") == 0 ? "those that completed" : select;
}

void loom_page_begin(FILE *out, const char *before, const char *name, const char *style)
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
    fputs(before, out);
    loom_html_text(out, name);
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
        if (strcmp(drawing->ops->section, section) != 0 || drawing->image)
            continue;
        fputs("<p class=\"absent\">The figure \xE2\x80\x9C", out);
        loom_html_text(out, drawing->ops->title);
        fputs("\xE2\x80\x9D is left out: ", out);
        loom_html_text(out, drawing->data ? drawing->failure : drawing->reason);
        fputs(".</p>\n", out);
    }
}

static int store(const struct loom_report *report, const char *path, const char *page, size_t size,
                 struct loom_error *err)
{
    struct loom_output *output = NULL;
    int rc = loom_output_create(&output, path, err);
    if (!rc)
        rc = loom_output_write(output, page, size, err);
    if (!rc)
        rc = loom_output_set_add(report->set, &output, err);
    loom_output_destroy(output);
    return rc;
}

int loom_page_write(struct loom_report *report, const char *path, loom_page_fn *write,
                    const void *context, struct loom_error *err)
{
    struct loom_text *text;
    size_t size;
    int rc = loom_report_draw(report, loom_image_format_find("svg"), err);
    if (rc)
        return rc;
    FILE *out = loom_text_open(&text);
    if (!out)
        return loom_fail_memory(err);
    write(out, report, context);
    char *page = loom_text_close(out, text, &size);
    rc = page ? store(report, path, page, size, err) : loom_fail_memory(err);
    free(page);
    return rc;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Images of gnuplot's svg terminal as parts of a page. The terminal names its markers and groups
 * the same in every image, so that ids, and references to them, get the figure's name in front. The
 * prolog goes, and so do titles inside, which browsers would show as tips. Colours of the house
 * become variables of the page's style, so that figures are dark where the page is.
 */
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

static bool starts(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* ---- without empty groups -------------------------------------------------------------------- */

/* The end of an empty group of the terminal's at the start of text, or NULL. */
static const char *past_empty_group(const char *text)
{
    static const char empty[] = "\n</g>\n";
    const char *close = starts(text, "<g fill=") ? strchr(text, '>') : NULL;
    return close && starts(close + 1, empty) ? close + strlen(empty) + 1 : NULL;
}

size_t loom_svg_tidy(char *image)
{
    const char *from = image;
    char *to = image;
    while (*from) {
        const char *past = *from == '<' ? past_empty_group(from) : NULL;
        if (past)
            from = past;
        else
            *to++ = *from++;
    }
    *to = '\0';
    return (size_t)(to - image);
}

/* ---- as part of a page ----------------------------------------------------------------------- */

/* What an id stands behind, in definitions and references. Longer ones are looked for first. */
static const char *const before_ids[] = {" id='", " id=\"", "href='#", "href=\"#",
                                         "url(#", "url('#", "url(\"#", NULL};

static const char *id_at(const char *text)
{
    for (size_t i = 0; before_ids[i]; i++)
        if (starts(text, before_ids[i]))
            return before_ids[i];
    return NULL;
}

static const char *skip_title(const char *text)
{
    const char *end = strstr(text, "</title>");
    return end ? end + strlen("</title>") : text + strlen(text);
}

/* Colours by red, green and blue, as gnuplot.c and the figures' scripts use them, and the variables
 * of style.c. Others stay as they are. */
static const struct colour {
    unsigned rgb;
    const char *name;
} colours[] = {
    {0x000000, "ink"},  {0x444444, "axis"}, {0x666666, "mark"}, {0x999999, "dim"},
    {0xdddddd, "grid"}, {0xffffff, "card"}, {0x0072b2, "c1"},   {0xd55e00, "c2"},
    {0x009e73, "c3"},   {0xcc79a7, "c4"},   {0xe69f00, "c5"},   {0x56b4e9, "c6"},
    {0x6fa8cc, "c1b"},  {0xb8d0e0, "c1c"},
};

/* Read "rgb(R, G, B)". Returns the end of it, NULL if text starts with no such colour. */
static const char *read_colour(const char *text, unsigned *rgb)
{
    static const char before[] = "rgb(";
    char *end;
    if (!starts(text, before))
        return NULL;
    text += strlen(before);
    *rgb = 0;
    for (int i = 0; i < 3; i++) {
        *rgb = *rgb << 8 | ((unsigned)strtoul(text, &end, 10) & 0xff);
        if (end == text || *end != (i < 2 ? ',' : ')'))
            return NULL;
        text = end + 1;
    }
    return text;
}

/* Write the colour that text starts with as a variable. Returns the end of it; text if it starts
 * with none that is known. */
static const char *write_colour(FILE *out, const char *text)
{
    unsigned rgb;
    const char *end = read_colour(text, &rgb);
    for (size_t i = 0; end && i < sizeof colours / sizeof *colours; i++)
        if (colours[i].rgb == rgb) {
            fprintf(out, "var(--%s)", colours[i].name);
            return end;
        }
    return text;
}

/* The same of a colour by name, as the whole value of an attribute. */
static const char *write_named_colour(FILE *out, const char *text)
{
    static const char black[] = "=\"black\"";
    if (!starts(text, black))
        return text;
    fputs("=\"var(--ink)\"", out);
    return text + strlen(black);
}

static void write_body(FILE *out, const char *body, const char *name)
{
    while (*body) {
        /* Most characters start none of these. */
        const char *before = strchr(" hu", *body) ? id_at(body) : NULL;
        const char *past = *body == 'r'   ? write_colour(out, body)
                           : *body == '=' ? write_named_colour(out, body)
                                          : body;
        if (past > body) {
            body = past;
        } else if (*body == '<' && starts(body, "<title>")) {
            body = skip_title(body);
        } else if (before) {
            fprintf(out, "%s%s-", before, name);
            body += strlen(before);
        } else {
            fputc(*body++, out);
        }
    }
}

bool loom_svg_inline(FILE *out, const struct loom_drawing *drawing)
{
    const char *box = drawing->image ? strstr(drawing->image, "viewBox=\"") : NULL;
    const char *end = box ? strchr(box + strlen("viewBox=\""), '"') : NULL;
    const char *body = end ? strstr(end, "</desc>") : NULL;
    if (!body)
        return false;
    fprintf(out, "<svg role=\"img\" aria-label=\"");
    loom_html_text(out, drawing->ops->title);
    fprintf(out, "\" %.*s\">", (int)(end - box), box);
    write_body(out, body + strlen("</desc>"), drawing->ops->name);
    return true;
}

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

size_t loom_svg_tidy(char *image)
{
    static const char empty[] = "\n</g>\n";
    const char *from = image;
    char *to = image;
    while (*from) {
        const char *close = starts(from, "<g fill=") ? strchr(from, '>') : NULL;
        if (close && starts(close + 1, empty))
            from = close + strlen(empty) + 1;
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

/* Write the colour that text starts with, "rgb(R, G, B)", as a variable. Returns the end of it;
 * text if it starts with none that is known. */
static const char *write_colour(FILE *out, const char *text)
{
    static const char before[] = "rgb(";
    unsigned rgb = 0;
    const char *at = text + strlen(before);
    char *end;
    if (!starts(text, before))
        return text;
    for (int i = 0; i < 3; i++, at = end + 1) {
        rgb = rgb << 8 | ((unsigned)strtoul(at, &end, 10) & 0xff);
        if (end == at || *end != (i < 2 ? ',' : ')'))
            return text;
    }
    for (size_t i = 0; i < sizeof colours / sizeof *colours; i++)
        if (colours[i].rgb == rgb) {
            fprintf(out, "var(--%s)", colours[i].name);
            return at;
        }
    return text;
}

static void write_body(FILE *out, const char *body, const char *name)
{
    static const char black[] = "=\"black\"", title_end[] = "</title>";
    while (*body) {
        /* Most characters start none of these. */
        const char *before = strchr(" hu", *body) ? id_at(body) : NULL;
        const char *past = *body == 'r' ? write_colour(out, body) : body;
        if (past > body) {
            body = past;
        } else if (starts(body, black)) {
            fputs("=\"var(--ink)\"", out);
            body += strlen(black);
        } else if (starts(body, "<title>")) {
            const char *end = strstr(body, title_end);
            body = end ? end + strlen(title_end) : body + strlen(body);
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

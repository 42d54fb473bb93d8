/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Images of gnuplot's svg terminal as parts of a page. The terminal names its markers and groups
 * the same in every image, so that ids, and references to them, get the figure's name in front. The
 * prolog goes, and so do titles inside, which browsers would show as tips.
 */
#include "report/report.h"

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

static void write_body(FILE *out, const char *body, const char *name)
{
    while (*body) {
        /* Most characters start none of these. */
        const char *before = strchr(" hu", *body) ? id_at(body) : NULL;
        if (*body == '<' && starts(body, "<title>")) {
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

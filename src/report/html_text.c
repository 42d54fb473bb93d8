/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text and numbers for a page. */
#include "base/human.h"
#include "base/text.h"
#include "report/report.h"

#include <math.h>
#include <string.h>

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

/* Digits of a whole number in groups of three, with narrow no-break spaces between. */
static void write_grouped(FILE *out, const char *digits)
{
    size_t n = strlen(digits);
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && (n - i) % 3 == 0 && n > 4)
            fputs("\xE2\x80\xAF", out);
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

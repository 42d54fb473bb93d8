/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables of features, and the place of each among the values that the papers print for other logs:
 * a strip with a tick for each of those and a mark for this log, and the same in words.
 */
#include "report/report.h"

#include <math.h>
#include <string.h>

/* The values printed for one key. */
struct others {
    const struct loom_printed *first;
    size_t n, below, equal;
    const struct loom_printed *lowest, *highest;
};

static struct others find_others(const struct loom_feature *feature)
{
    struct others others = {0};
    const struct loom_printed *p = loom_printed;
    while (p->key && strcmp(p->key, feature->info->key) != 0)
        p++;
    others.first = others.lowest = others.highest = p;
    for (; p->key && strcmp(p->key, feature->info->key) == 0; p++) {
        others.n++;
        others.below += feature->known && p->value < feature->value;
        others.lowest = p->value < others.lowest->value ? p : others.lowest;
        others.highest = p->value > others.highest->value ? p : others.highest;
    }
    return others;
}

/* ---- the strip ------------------------------------------------------------------------------- */

enum { STRIP_WIDTH = 130, STRIP_HEIGHT = 16, MARGIN = 6 };

/* A scale over all values; logarithmic where they span more than a factor of 30. */
struct scale {
    double low, high;
    bool logarithmic;
};

static struct scale scale_over(const struct others *others, const struct loom_feature *feature)
{
    struct scale scale = {others->lowest->value, others->highest->value, false};
    if (feature->known) {
        scale.low = fmin(scale.low, feature->value);
        scale.high = fmax(scale.high, feature->value);
    }
    scale.logarithmic = scale.low > 0 && scale.high / scale.low > 30;
    return scale;
}

static double position(const struct scale *scale, double value)
{
    double share = 0.5;
    if (scale->high > scale->low && scale->logarithmic)
        share = log(value / scale->low) / log(scale->high / scale->low);
    else if (scale->high > scale->low)
        share = (value - scale->low) / (scale->high - scale->low);
    return MARGIN + share * (STRIP_WIDTH - 2 * MARGIN);
}

static void write_strip(FILE *out, const struct others *others, const struct loom_feature *feature)
{
    struct scale scale = scale_over(others, feature);
    fprintf(
        out,
        "<svg class=\"strip\" role=\"img\" aria-label=\"place among %zu logs\" viewBox=\"0 0 %d "
        "%d\"><title>",
        others->n, STRIP_WIDTH, STRIP_HEIGHT);
    for (size_t i = 0; i < others->n; i++) {
        fprintf(out, "%s%s ", i > 0 ? ", " : "", others->first[i].log);
        loom_html_number(out, others->first[i].value);
    }
    fprintf(out, "</title><path class=\"axis\" d=\"M%d 8H%d\"/><path class=\"tick\" d=\"", MARGIN,
            STRIP_WIDTH - MARGIN);
    for (size_t i = 0; i < others->n; i++)
        fprintf(out, "M%.1f 4v8", position(&scale, others->first[i].value));
    fputs("\"/>", out);
    if (feature->known)
        fprintf(out, "<path class=\"here\" d=\"M%.1f 2l5 6l-5 6l-5 -6z\"/>",
                position(&scale, feature->value));
    fputs("</svg>", out);
}

/* ---- words ----------------------------------------------------------------------------------- */

static void write_words(FILE *out, const struct others *others, const struct loom_feature *feature)
{
    fputs("<span class=\"range\">", out);
    loom_html_number(out, others->lowest->value);
    fprintf(out, " (%s) to ", others->lowest->log);
    loom_html_number(out, others->highest->value);
    fprintf(out, " (%s)", others->highest->log);
    if (feature->known)
        fprintf(out, "; above %zu of %zu", others->below, others->n);
    fputs("</span>", out);
}

void loom_printed_place(FILE *out, const struct loom_feature *feature)
{
    struct others others = find_others(feature);
    if (others.n == 0)
        return;
    write_strip(out, &others, feature);
    write_words(out, &others, feature);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static void write_value(FILE *out, const struct loom_feature *feature)
{
    const char *unit = feature->info->unit;
    fputs("<td class=\"value\" data-label=\"Value\">", out);
    loom_html_number(out, feature->value);
    if (strcmp(unit, "s") == 0 && feature->value >= 600) {
        fputs("<span class=\"range\">", out);
        loom_html_duration(out, feature->value);
        fputs("</span>", out);
    }
    fputs("</td>", out);
    loom_html_cell(out, "unit", "Unit", unit);
}

static void write_missing(FILE *out, const struct loom_feature *feature)
{
    fputs("<td class=\"missing\" colspan=\"2\">not known: ", out);
    loom_html_text(out, feature->reason ? feature->reason : "it was not computed");
    fputs("</td>", out);
}

/* What is measured otherwise than in print has no place among printed values. */
static void write_row(FILE *out, const struct loom_feature *feature,
                      const struct loom_definitions *definitions)
{
    const struct loom_feature_info *info = feature->info;
    char note[120];
    loom_definitions_note(definitions, info->key, note, sizeof note);
    fprintf(out, "<tr id=\"f-%s\"><td class=\"what\"><a href=\"#f-%s\"><code>%s</code></a> ",
            info->key, info->key, info->key);
    loom_html_text(out, info->meaning);
    if (note[0])
        fprintf(out, " <strong>[%s]</strong>", note);
    fputs("</td>", out);
    if (feature->known)
        write_value(out, feature);
    else
        write_missing(out, feature);
    fputs("<td class=\"place\" data-label=\"Among printed logs\">", out);
    if (!note[0])
        loom_printed_place(out, feature);
    fputs("</td>", out);
    loom_html_cell(out, "source", "Source", info->source ? info->source : "");
    fputs("</tr>\n", out);
}

size_t loom_feature_count(const struct loom_features *features, const char *prefix)
{
    size_t n = 0;
    for (size_t i = 0; i < loom_features_count(features); i++)
        n += strncmp(loom_features_at(features, i)->info->key, prefix, strlen(prefix)) == 0;
    return n;
}

void loom_feature_rows(FILE *out, const struct loom_features *features, const char *prefix)
{
    size_t length = strlen(prefix);
    for (size_t i = 0; i < loom_features_count(features); i++) {
        const struct loom_feature *feature = loom_features_at(features, i);
        if (strncmp(feature->info->key, prefix, length) == 0)
            write_row(out, feature, loom_features_definitions(features));
    }
}

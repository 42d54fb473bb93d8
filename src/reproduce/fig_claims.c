/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Points: what was measured of the claims of a figure, beside what the text prints. Claims about
 * one quantity share a figure; rows have the numbers of the claims in the table below it. */
#include "reproduce/figures.h"

#include <math.h>
#include <string.h>

/* Claims of one quantity. */
struct points {
    const struct loom_reproduction *all;
    size_t item;
    const struct loom_claim *first;
};

static const char script[] =
    "set grid noytics\nset key above center horizontal\n"
    "stats data index 0 using 2 nooutput name 'V'\n"
    "if (V_min > 0 && V_max > 30 * V_min) { set logscale x }\n"
    "set yrange [rows + 0.6:0.4]\nset offsets graph 0.05, graph 0.05, 0, 0\n"
    "plot data index 0 using 2:1:3:4:ytic(5) with xerrorbars linestyle 1 dashtype 1 \\\n"
    "    pointsize 0.9 title 'ours', \\\n"
    "    data index 1 using 2:($1 + 0.2):3:4 with xerrorbars linestyle 2 dashtype 1 pointtype 6 "
    "\\\n"
    "    pointsize 0.9 title (numbers ? 'printed, with its tolerance' : ''), \\\n"
    "    data index (bounds ? 2 : 0) using 2:(bounds ? $1 + 0.2 : NaN):5 with labels notitle\n";

/* Is a claim measured, and about the same quantity as the first? */
static bool belongs(const struct points *points, size_t index)
{
    const struct loom_done_item *done = &points->all->items[points->item];
    const struct loom_claim *claim = &done->item->claims[index];
    return done->claims[index].known && claim->measure == points->first->measure &&
           (claim->measure == loom_measure_rearranged ||
            strcmp(claim->of, points->first->of) == 0) &&
           !claim->minus == !points->first->minus && !claim->over == !points->first->over &&
           claim->per_log == points->first->per_log;
}

static void write_row(struct loom_sheet *sheet, double row, double value, double low, double high,
                      const char *label)
{
    loom_sheet_labelled(sheet, (const double[]){row, value, low, high}, 4, label);
}

static void write_ours(struct loom_sheet *sheet, const struct points *points)
{
    const struct loom_done_item *done = &points->all->items[points->item];
    char label[80];
    double row = 0;
    loom_sheet_block(sheet, "ours", "row,value,low,high,claim");
    for (size_t i = 0; i < done->item->n; i++) {
        const struct loom_measured *ours = &done->claims[i].measured;
        const char *log = loom_reproduction_claim(points->all, points->item, i).stands_in;
        if (!belongs(points, i))
            continue;
        log = log ? log : done->item->claims[i].log;
        snprintf(label, sizeof label, "%s%s%zu", log ? log : "", log ? "  " : "", i + 1);
        write_row(sheet, ++row, ours->value, ours->has_interval ? ours->low : ours->value,
                  ours->has_interval ? ours->high : ours->value, label);
    }
    loom_sheet_set(sheet, "rows = %.0f\n", row);
}

/* Write the printed numbers, or the bounds of statements. Returns how many there are. */
static size_t write_printed(struct loom_sheet *sheet, const struct points *points, bool bounds)
{
    const struct loom_done_item *done = &points->all->items[points->item];
    double row = 0;
    size_t n = 0;
    loom_sheet_block(sheet, bounds ? "stated" : "printed", NULL);
    for (size_t i = 0; i < done->item->n; i++) {
        const struct loom_claim *claim = &done->item->claims[i];
        double tolerance = fmax(claim->within, claim->share * fabs(claim->printed));
        row += belongs(points, i);
        if (!belongs(points, i) || (claim->is != LOOM_EQUALS) != bounds)
            continue;
        write_row(sheet, row, claim->printed, claim->printed - (bounds ? 0 : tolerance),
                  claim->printed + (bounds ? 0 : tolerance), claim->is == LOOM_ABOVE ? ">" : "<");
        n++;
    }
    if (n == 0)
        loom_sheet_gap(sheet);
    return n;
}

static int write_points(struct loom_sheet *sheet, const void *context, struct loom_error *err)
{
    const struct points *points = context;
    (void)err;
    write_ours(sheet, points);
    loom_sheet_set(sheet, "numbers = %zu\n", write_printed(sheet, points, false));
    loom_sheet_set(sheet, "bounds = %zu\n", write_printed(sheet, points, true));
    return 0;
}

/* Is there an earlier claim of the same quantity? */
static bool is_claim_shown(const struct loom_done_item *done, const struct points *points,
                           size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (belongs(points, i) && &done->item->claims[i] != points->first)
            return true;
    return false;
}

int loom_figures_of_claims(struct loom_reproduction *all, size_t item, struct loom_error *err)
{
    const struct loom_done_item *done = &all->items[item];
    int rc = 0;
    if (strncmp(done->item->place, "Figure", 6) != 0)
        return 0;
    for (size_t i = 0; i < done->item->n && !rc; i++) {
        const struct points points = {all, item, &done->item->claims[i]};
        struct loom_reproduced_claim claim = loom_reproduction_claim(all, item, i);
        if (!done->claims[i].known || done->item->claims[i].measure == loom_measure_queueing ||
            is_claim_shown(done, &points, i))
            continue;
        size_t rows = 0;
        for (size_t j = 0; j < done->item->n; j++)
            rows += belongs(&points, j);
        struct loom_figure_ops like = {.title = claim.what,
                                       .caption = "Numbers on the left are rows of the table; > "
                                                  "and < are bounds that the text states.",
                                       .script = script,
                                       .height = 0.26 + 0.045 * (double)rows};
        rc = loom_figures_add(all, item, &like, write_points, &points, err);
    }
    return rc;
}

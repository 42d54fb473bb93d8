/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of items: collected, drawn, and written as parts of a page. */
#include "reproduce/figures.h"

#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

/* ---- collecting ------------------------------------------------------------------------------ */

/* Write a name that is unique on the page: that of the item, and a number. */
static const char *name_figure(struct loom_reproduction *all, size_t item)
{
    char name[128];
    int length = snprintf(name, sizeof name, "%s-%zu", all->items[item].item->name, all->figures.n);
    for (char *at = name; *at; at++)
        if (strchr("/.", *at))
            *at = '-';
    return loom_arena_text(&all->arena, name, (size_t)length);
}

/* Copy the operations of a figure, with its own name and title. NULL if memory is out. */
static const struct loom_figure_ops *copy_ops(struct loom_reproduction *all, size_t item,
                                              const struct loom_figure_ops *like, const char *title)
{
    struct loom_figure_ops *ops = loom_arena_alloc(&all->arena, sizeof *ops);
    const char *caption = like->caption ? like->caption : "";
    if (!ops)
        return NULL;
    *ops = *like;
    ops->name = name_figure(all, item);
    ops->title = loom_arena_text(&all->arena, title, strlen(title));
    ops->caption = loom_arena_text(&all->arena, caption, strlen(caption));
    return ops->name && ops->title && ops->caption ? ops : NULL;
}

static int add_drawing(struct loom_reproduction *all, size_t item,
                       const struct loom_drawing *drawing, struct loom_error *err)
{
    struct loom_figures *figures = &all->figures;
    if (loom_grow(&figures->drawings, figures->n, &figures->capacity) ||
        loom_grow(&figures->items, figures->n, &figures->items_capacity))
        return loom_fail_memory(err);
    figures->drawings[figures->n] = *drawing;
    figures->items[figures->n++] = item;
    return 0;
}

/* Let a function write the data of a drawing. *data is NULL afterwards if it is left out. */
static int make_data(struct loom_drawing *drawing, loom_figure_data_fn *data, const void *context,
                     struct loom_error *err)
{
    struct loom_text *blocks, *table;
    struct loom_sheet sheet = {.blocks = loom_text_open(&blocks), .table = loom_text_open(&table)};
    struct loom_error reason = {0};
    int rc = sheet.blocks && sheet.table ? data(&sheet, context, &reason) : LOOM_ENOMEM;
    memcpy(drawing->settings, sheet.settings, sizeof drawing->settings);
    if (sheet.blocks)
        drawing->data = loom_text_close(sheet.blocks, blocks, &drawing->data_size);
    if (sheet.table)
        drawing->table = loom_text_close(sheet.table, table, &drawing->table_size);
    bool whole = drawing->data && drawing->table;
    if (rc || !whole || sheet.rows == 0) {
        free(drawing->data);
        free(drawing->table);
        drawing->data = drawing->table = NULL;
    }
    if (!whole || rc == LOOM_ENOMEM)
        return loom_fail_memory(err);
    if (rc && rc != LOOM_EDATA && err)
        *err = reason;
    return rc == LOOM_EDATA ? 0 : rc;
}

int loom_figures_add(struct loom_reproduction *all, size_t item, const struct loom_figure_ops *like,
                     loom_figure_data_fn *data, const void *context, struct loom_error *err)
{
    struct loom_drawing drawing = {.ops = copy_ops(all, item, like, like->title)};
    int rc = drawing.ops ? make_data(&drawing, data, context, err) : loom_fail_memory(err);
    if (rc || !drawing.data)
        return rc;
    rc = add_drawing(all, item, &drawing, err);
    if (rc) {
        free(drawing.data);
        free(drawing.table);
    }
    return rc;
}

int loom_figures_take(struct loom_reproduction *all, size_t item, struct loom_report *report,
                      const char *name, const char *title, struct loom_error *err)
{
    for (size_t i = 0; i < report->n; i++) {
        struct loom_drawing *from = &report->drawings[i];
        if (strcmp(from->ops->name, name) != 0)
            continue;
        if (!from->data || !from->ops->script)
            return 0;
        struct loom_drawing drawing = {.ops = copy_ops(all, item, from->ops, title),
                                       .data = from->data,
                                       .data_size = from->data_size,
                                       .table = from->table,
                                       .table_size = from->table_size};
        memcpy(drawing.settings, from->settings, sizeof drawing.settings);
        int rc = drawing.ops ? add_drawing(all, item, &drawing, err) : loom_fail_memory(err);
        if (!rc)
            from->data = from->table = NULL;
        return rc;
    }
    return loom_fail(err, LOOM_EUSAGE, "there is no figure '%s'", name);
}

/* ---- all items ------------------------------------------------------------------------------- */

static int draw_figures(struct loom_figures *figures, struct loom_pool *pool,
                        struct loom_error *err)
{
    int rc =
        loom_gnuplot_draw(figures->drawings, figures->n, loom_image_format_find("svg"), pool, err);
    for (size_t i = 0; i < figures->n && !rc; i++)
        if (figures->drawings[i].image)
            figures->drawings[i].image_size = loom_svg_tidy(figures->drawings[i].image);
    return rc;
}

int loom_figures_make(struct loom_reproduction *all, struct loom_bench *bench,
                      struct loom_error *err)
{
    const struct loom_reproduce_options *options = loom_bench_options(bench);
    int rc = 0;
    for (size_t i = 0; i < all->n && !rc && !(options->stop && *options->stop); i++) {
        if (options->progress)
            options->progress(options->context, i, all->n, "figures");
        rc = loom_figures_of_logs(all, i, bench, err);
        if (!rc)
            rc = loom_figures_of_trials(all, i, bench, err);
        if (!rc)
            rc = loom_figures_of_claims(all, i, err);
    }
    return rc ? rc : draw_figures(&all->figures, options->pool, err);
}

void loom_figures_free(struct loom_figures *figures)
{
    for (size_t i = 0; i < figures->n; i++) {
        free(figures->drawings[i].data);
        free(figures->drawings[i].table);
        free(figures->drawings[i].image);
    }
    free(figures->drawings);
    free(figures->items);
    *figures = (struct loom_figures){0};
}

/* ---- the page -------------------------------------------------------------------------------- */

static void write_figure(FILE *out, const struct loom_drawing *drawing)
{
    fprintf(out, "<figure id=\"%s\"><div class=\"card\">", drawing->ops->name);
    loom_svg_inline(out, drawing);
    fputs("</div><figcaption><h3>", out);
    loom_html_text(out, drawing->ops->title);
    fputs("</h3>", out);
    loom_html_text(out, drawing->ops->caption);
    fputs("</figcaption></figure>\n", out);
}

void loom_figures_write(FILE *out, const struct loom_reproduction *all, size_t item)
{
    const struct loom_figures *figures = &all->figures;
    bool any = false;
    for (size_t i = 0; i < figures->n; i++) {
        if (figures->items[i] != item || !figures->drawings[i].image)
            continue;
        fputs(any ? "" : "<div class=\"figures\">\n", out);
        any = true;
        write_figure(out, &figures->drawings[i]);
    }
    fputs(any ? "</div>\n" : "", out);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The data of figures and tables as cells, and as a table for people, JSON and CSV. */
#include "report/cells.h"

#include "base/json.h"
#include "base/table.h"
#include "report/report.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading --------------------------------------------------------------------------------- */

/* Cut one field off *at, in place, and move behind the separator; *ends says whether its row ends
 * with it. */
static const char *take_field(char **at, bool *ends)
{
    char *from = *at, *to = *at;
    const char *field = to;
    bool quoted = *from == '"';
    from += quoted;
    while (*from && (quoted || (*from != ',' && *from != '\n'))) {
        if (quoted && *from == '"') {
            quoted = from[1] == '"';
            from++;
            if (!quoted)
                continue;
        }
        *to++ = *from++;
    }
    *ends = *from != ',';
    *at = *from ? from + 1 : from;
    *to = '\0';
    return field;
}

static size_t count_fields(const char *csv, size_t size)
{
    size_t n = 1;
    for (size_t i = 0; i < size; i++)
        n += csv[i] == ',' || csv[i] == '\n';
    return n;
}

static bool is_number(const char *cell, double *out)
{
    char *end;
    *out = strtod(cell, &end);
    return end != cell && !*end && isfinite(*out);
}

static bool is_numeric(const struct loom_cells *cells, size_t column)
{
    double number;
    for (size_t row = 1; row < cells->rows; row++)
        if (loom_cell(cells, row, column)[0] && !is_number(loom_cell(cells, row, column), &number))
            return false;
    return true;
}

int loom_cells_read(struct loom_cells *out, const char *csv, size_t size, struct loom_error *err)
{
    *out = (struct loom_cells){.text = malloc(size + 1)};
    out->cells = malloc(count_fields(csv, size) * sizeof *out->cells);
    if (!out->text || !out->cells) {
        loom_cells_free(out);
        return loom_fail_memory(err);
    }
    memcpy(out->text, csv, size);
    out->text[size] = '\0';
    size_t n = 0;
    bool ends;
    for (char *at = out->text; *at;) {
        out->cells[n++] = take_field(&at, &ends);
        if (ends && out->columns == 0)
            out->columns = n;
    }
    out->rows = out->columns > 0 ? n / out->columns : 0;
    for (size_t c = 0; c < out->columns && c < LOOM_CELLS_COLUMNS; c++)
        out->numeric[c] = is_numeric(out, c);
    return 0;
}

void loom_cells_free(struct loom_cells *cells)
{
    free(cells->text);
    free(cells->cells);
    *cells = (struct loom_cells){0};
}

/* ---- tables of a report ---------------------------------------------------------------------- */

static const struct loom_drawing *find(const struct loom_report *report, const char *name)
{
    for (size_t i = 0; i < report->n; i++)
        if (strcmp(report->drawings[i].ops->name, name) == 0)
            return &report->drawings[i];
    return NULL;
}

/* The figure or table of this name, if it has data. */
static int find_data(const struct loom_drawing **out, const struct loom_report *report,
                     const char *name, struct loom_error *err)
{
    *out = find(report, name);
    if (!*out)
        return loom_fail(err, LOOM_EUSAGE, "the report has no table '%s'", name);
    if (!(*out)->table)
        return loom_fail(err, LOOM_EDATA, "the table %s has no data: %s", name, (*out)->reason);
    return 0;
}

/* Fill the table of the service by class, with units and shares in percent. */
static int fill_service(struct loom_table *table, const struct loom_cells *cells,
                        struct loom_error *err)
{
    char text[LOOM_CELL];
    int rc = 0;
    for (size_t c = 0; c < cells->columns && !rc; c++) {
        const char *key = loom_cell(cells, 0, c);
        rc = loom_table_column(table, loom_cell_heading(key, text, sizeof text),
                               cells->numeric[c] ? LOOM_RIGHT : LOOM_LEFT, err);
        if (!rc)
            loom_table_priority(table, loom_cell_priority(key));
    }
    for (size_t i = cells->columns; i < cells->rows * cells->columns && !rc; i++) {
        const char *cell =
            loom_cell_text(cells, i / cells->columns, i % cells->columns, text, sizeof text);
        rc = loom_table_cell(table, err, "%s", cell[0] ? cell : "-");
    }
    return rc;
}

static int fill_table(struct loom_table *table, const struct loom_cells *cells,
                      struct loom_error *err)
{
    int rc = 0;
    for (size_t c = 0; c < cells->columns && !rc; c++)
        rc = loom_table_column(table, loom_cell(cells, 0, c),
                               cells->numeric[c] ? LOOM_RIGHT : LOOM_LEFT, err);
    for (size_t i = cells->columns; i < cells->rows * cells->columns && !rc; i++)
        rc = loom_table_cell(table, err, "%s", cells->cells[i][0] ? cells->cells[i] : "-");
    return rc;
}

int loom_report_table(struct loom_table **out, const struct loom_report *report, const char *name,
                      struct loom_error *err)
{
    const struct loom_drawing *drawing;
    struct loom_cells cells = {0};
    struct loom_table *table = NULL;
    int rc = find_data(&drawing, report, name, err);
    if (!rc)
        rc = loom_cells_read(&cells, drawing->table, drawing->table_size, err);
    if (!rc)
        rc = loom_table_create(&table, err);
    if (!rc)
        rc = strncmp(name, "service-", strlen("service-")) == 0 ? fill_service(table, &cells, err)
                                                                : fill_table(table, &cells, err);
    loom_cells_free(&cells);
    if (rc)
        loom_table_destroy(table);
    else
        *out = table;
    return rc;
}

int loom_report_table_csv(struct loom_output *out, const struct loom_report *report,
                          const char *name, struct loom_error *err)
{
    const struct loom_drawing *drawing;
    int rc = find_data(&drawing, report, name, err);
    return rc ? rc : loom_output_write(out, drawing->table, drawing->table_size, err);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *cell_json(const char *cell, bool numeric)
{
    double number;
    if (!cell[0])
        return json_null();
    return numeric && is_number(cell, &number) ? loom_json_number(number) : loom_json_text(cell);
}

static json_t *rows_json(const struct loom_cells *cells)
{
    json_t *rows = json_array();
    bool failed = !rows;
    for (size_t r = 1; r < cells->rows && !failed; r++) {
        json_t *row = json_object();
        for (size_t c = 0; c < cells->columns; c++)
            failed |=
                json_object_set_new(row, loom_cell(cells, 0, c),
                                    cell_json(loom_cell(cells, r, c), cells->numeric[c])) != 0;
        failed |= json_array_append_new(rows, row) != 0;
    }
    if (!failed)
        return rows;
    json_decref(rows);
    return NULL;
}

struct json_t *loom_report_table_json(const struct loom_report *report, const char *name)
{
    const struct loom_drawing *drawing = find(report, name);
    struct loom_cells cells;
    if (!drawing)
        return NULL;
    if (!drawing->table)
        return json_pack("{s:s, s:s, s:n, s:o}", "table", name, "title", drawing->ops->title,
                         "rows", "reason", loom_json_text(drawing->reason));
    if (loom_cells_read(&cells, drawing->table, drawing->table_size, NULL))
        return NULL;
    json_t *object = json_pack("{s:s, s:s, s:s, s:o}", "table", name, "title", drawing->ops->title,
                               "caption", drawing->ops->caption, "rows", rows_json(&cells));
    loom_cells_free(&cells);
    return object;
}

/* ---- on a page ------------------------------------------------------------------------------- */

static void write_row(FILE *out, const struct loom_cells *cells, size_t row, const char *tag)
{
    char text[LOOM_CELL], heading[LOOM_CELL];
    fputs("<tr>", out);
    for (size_t c = 0; c < cells->columns; c++) {
        loom_cell_heading(loom_cell(cells, 0, c), heading, sizeof heading);
        const char *cell = row > 0 ? loom_cell_text(cells, row, c, text, sizeof text) : heading;
        fprintf(out, "<%s class=\"%s\"", tag, cells->numeric[c] ? "number" : "words");
        if (row > 0) { /* a phone has no room for headings */
            fputs(" data-label=\"", out);
            loom_html_text(out, heading);
            fputs("\"", out);
        }
        fputs(">", out);
        loom_html_text(out, cell[0] ? cell : "\xE2\x80\x93");
        fprintf(out, "</%s>", tag);
    }
    fputs("</tr>\n", out);
}

static void write_table(FILE *out, const struct loom_drawing *drawing)
{
    const struct loom_cells *cells = &drawing->cells;
    fprintf(out, "<div id=\"%s\" class=\"data\">\n<h3>", drawing->ops->name);
    loom_html_text(out, drawing->ops->title);
    fputs("</h3><p>", out);
    loom_html_text(out, drawing->ops->caption);
    fputs("</p>\n", out);
    bool folded = loom_page_fold(out, cells->rows - 1, "rows");
    fputs("<div class=\"scroll\" tabindex=\"0\"><table class=\"versus\"><thead>", out);
    write_row(out, cells, 0, "th");
    fputs("</thead><tbody>\n", out);
    for (size_t row = 1; row < cells->rows; row++)
        write_row(out, cells, row, "td");
    fputs("</tbody></table></div>\n", out);
    loom_page_unfold(out, folded);
    fputs("</div>\n", out);
}

void loom_page_tables(FILE *out, const struct loom_report *report, const char *section)
{
    for (size_t i = 0; i < report->n; i++) {
        const struct loom_drawing *drawing = &report->drawings[i];
        if (!drawing->ops->script && drawing->table && strcmp(drawing->ops->section, section) == 0)
            write_table(out, drawing);
    }
}

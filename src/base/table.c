/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * table.c - aligned columns for people: a row of titles, a row of dashes, then the cells, two
 * spaces apart and without blanks at the end of a line. Where lines have a limit, columns of low
 * priority are left out, and the last column is broken at blanks.
 *
 * Widths count code points of UTF-8. Cells may carry text from a log, which must not be able to
 * move the cursor or break a line: control characters, line separators and bytes that are not UTF-8
 * are shown as '?'. Texts are cleaned when they come in; everything kept is printable.
 */
#include "base/table.h"
#include "base/arena.h"
#include "base/text.h"
#include "base/vec.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>

struct cell {
    const char *text; /* in the arena */
    size_t length;    /* bytes */
    size_t width;     /* code points */
};

struct column {
    struct cell title;
    enum loom_align align;
    size_t width; /* of the widest cell, title included */
    int priority; /* INT_MAX: it is never left out */
};

struct loom_table {
    struct column *columns;
    size_t n_columns, columns_capacity;
    struct cell *cells; /* row by row; the last row may be short */
    size_t n_cells, cells_capacity;
    struct loom_arena arena;
    size_t limit; /* of a line; 0 if there is none */
    bool wide;    /* all columns are shown */
};

/* ---- text ------------------------------------------------------------------------------------ */

/* Clean text in place: what cannot be shown becomes one '?', so the text never grows. */
static struct cell clean(char *text, size_t size)
{
    struct cell cell = {.text = text};
    for (size_t at = 0; at < size;) {
        bool printable;
        size_t step = loom_utf8_step(text + at, size - at, &printable);
        if (printable) {
            memmove(text + cell.length, text + at, step);
            cell.length += step;
        } else {
            text[cell.length++] = '?';
        }
        at += step;
        cell.width++;
    }
    text[cell.length] = '\0'; /* a text has one behind it already */
    return cell;
}

/* Format and clean a text. */
LOOM_PRINTF(4, 0)
static int make_cell(struct loom_table *table, struct cell *cell, struct loom_error *err,
                     const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (length < 0)
        return loom_fail(err, LOOM_ERANGE, "a table cell cannot be put into text");
    char *text = loom_arena_alloc(&table->arena, (size_t)length + 1);
    if (!text)
        return loom_fail_memory(err);
    vsnprintf(text, (size_t)length + 1, format, args);
    *cell = clean(text, (size_t)length);
    return 0;
}

/* ---- building -------------------------------------------------------------------------------- */

int loom_table_create(struct loom_table **out, struct loom_error *err)
{
    *out = calloc(1, sizeof **out);
    return *out ? 0 : loom_fail_memory(err);
}

void loom_table_destroy(struct loom_table *table)
{
    if (!table)
        return;
    loom_arena_free(&table->arena);
    free(table->cells);
    free(table->columns);
    free(table);
}

int loom_table_column(struct loom_table *table, const char *title, enum loom_align align,
                      struct loom_error *err)
{
    if (table->n_cells > 0)
        return loom_fail(err, LOOM_EUSAGE, "column \"%s\" comes after the first cell of its table",
                         title);
    if (loom_grow(&table->columns, table->n_columns, &table->columns_capacity))
        return loom_fail_memory(err);
    size_t length = strlen(title);
    char *text = loom_arena_text(&table->arena, title, length);
    if (!text)
        return loom_fail_memory(err);
    struct column *column = &table->columns[table->n_columns++];
    *column = (struct column){.title = clean(text, length), .align = align, .priority = INT_MAX};
    column->width = column->title.width;
    return 0;
}

void loom_table_priority(struct loom_table *table, int priority)
{
    if (table->n_columns > 0)
        table->columns[table->n_columns - 1].priority = priority == LOOM_KEEP ? INT_MAX : priority;
}

int loom_table_cell(struct loom_table *table, struct loom_error *err, const char *format, ...)
{
    if (table->n_columns == 0)
        return loom_fail(err, LOOM_EUSAGE, "a table needs columns before it can take cells");
    if (loom_grow(&table->cells, table->n_cells, &table->cells_capacity))
        return loom_fail_memory(err);
    struct cell *cell = &table->cells[table->n_cells];
    va_list args;
    va_start(args, format);
    int code = make_cell(table, cell, err, format, args);
    va_end(args);
    if (code != 0)
        return code;
    struct column *column = &table->columns[table->n_cells++ % table->n_columns];
    if (cell->width > column->width)
        column->width = cell->width;
    return 0;
}

/* ---- reading --------------------------------------------------------------------------------- */

size_t loom_table_width(const struct loom_table *table)
{
    return table->n_columns;
}

enum loom_align loom_table_align(const struct loom_table *table, size_t column)
{
    return table->columns[column].align;
}

const char *loom_table_text(const struct loom_table *table, size_t row, size_t column)
{
    size_t at = row > 0 ? (row - 1) * table->n_columns + column : 0;
    if (column >= table->n_columns)
        return NULL;
    if (row == 0)
        return table->columns[column].title.text;
    return at < table->n_cells ? table->cells[at].text : NULL;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* A line being written. Blanks are held back until something follows them. The first failure stays
 * in the output, so lines need not stop at it; the last write returns the code. */
struct line {
    struct loom_output *out;
    struct loom_error *err;
    size_t blanks;
    int code;
};

static void put_repeated(struct line *line, char c, size_t count)
{
    char run[64];
    memset(run, c, sizeof run);
    while (count > 0 && line->code == 0) {
        size_t part = count < sizeof run ? count : sizeof run;
        line->code = loom_output_write(line->out, run, part, line->err);
        count -= part;
    }
}

static void put_blanks(struct line *line)
{
    put_repeated(line, ' ', line->blanks);
    line->blanks = 0;
}

static void put_text(struct line *line, const struct cell *cell)
{
    size_t length = cell->length;
    while (length > 0 && cell->text[length - 1] == ' ')
        length--;
    if (length > 0) {
        put_blanks(line);
        if (line->code == 0)
            line->code = loom_output_write(line->out, cell->text, length, line->err);
    }
    line->blanks += cell->length - length;
}

static void put_cell(struct line *line, const struct column *column, const struct cell *cell)
{
    size_t padding = column->width - cell->width;
    if (column->align == LOOM_RIGHT)
        line->blanks += padding;
    put_text(line, cell);
    if (column->align != LOOM_RIGHT)
        line->blanks += padding;
    line->blanks += 2;
}

static int end_line(struct line *line)
{
    line->blanks = 0;
    put_repeated(line, '\n', 1);
    return line->code;
}

/* ---- which columns --------------------------------------------------------------------------- */

enum { LITTLE_ROOM = 24, EASY_ROOM = 32, INDENT = 4 };

/* The columns left out: all of a lower priority and, of the same, from an index on. */
struct cut {
    int priority;
    size_t from;
};

static bool table_is_shown(const struct loom_table *table, struct cut cut, size_t c)
{
    int priority = table->columns[c].priority;
    return priority > cut.priority || (priority == cut.priority && c < cut.from);
}

static size_t last_shown(const struct loom_table *table, struct cut cut)
{
    size_t c = table->n_columns;
    while (c-- > 0)
        if (table_is_shown(table, cut, c))
            return c;
    return 0;
}

/* Return the least width of a line: a last column of text needs no more than EASY_ROOM. */
static size_t least_width(const struct loom_table *table, struct cut cut)
{
    size_t width = 0, last = last_shown(table, cut);
    for (size_t c = 0; c <= last; c++) {
        const struct column *column = &table->columns[c];
        bool breaks = c == last && column->align == LOOM_LEFT && column->width > EASY_ROOM;
        if (table_is_shown(table, cut, c))
            width += (breaks ? EASY_ROOM : column->width) + (c < last ? 2 : 0);
    }
    return width;
}

/* Move the cut so that one more column is left out; false if all that are shown must stay. */
static bool drop_one(const struct loom_table *table, struct cut *cut)
{
    struct cut next = {.priority = INT_MAX};
    for (size_t c = 0; c < table->n_columns; c++) {
        int priority = table->columns[c].priority;
        if (table_is_shown(table, *cut, c) && priority < INT_MAX && priority <= next.priority)
            next = (struct cut){priority, c};
    }
    if (next.priority == INT_MAX)
        return false;
    *cut = next;
    return true;
}

static struct cut choose_columns(const struct loom_table *table)
{
    struct cut cut = {.priority = LOOM_WIDE_ONLY};
    if (table->wide)
        return (struct cut){.priority = INT_MIN};
    while (table->limit > 0 && least_width(table, cut) > table->limit && drop_one(table, &cut))
        continue;
    return cut;
}

static size_t count_hidden(const struct loom_table *table, struct cut cut)
{
    size_t hidden = 0;
    for (size_t c = 0; c < table->n_columns; c++)
        hidden += !table_is_shown(table, cut, c);
    return hidden;
}

size_t loom_table_hidden(const struct loom_table *table)
{
    return count_hidden(table, choose_columns(table));
}

/* ---- the last column ------------------------------------------------------------------------- */

/* Which columns are shown, and where the last of them stands. */
struct layout {
    struct cut cut;
    size_t last;
    size_t indent, room; /* room is 0 where lines may have any length */
    bool below;          /* the last column starts on a line of its own */
};

static struct layout make_layout(const struct loom_table *table)
{
    struct layout layout = {.cut = choose_columns(table)};
    layout.last = last_shown(table, layout.cut);
    const struct column *column = &table->columns[layout.last];
    size_t indent = 0;
    for (size_t c = 0; c < layout.last; c++)
        indent += table_is_shown(table, layout.cut, c) ? table->columns[c].width + 2 : 0;
    if (table->limit <= INDENT || column->align == LOOM_RIGHT ||
        indent + column->width <= table->limit || (table->wide && column->width <= EASY_ROOM))
        return layout;
    layout.below = indent + LITTLE_ROOM > table->limit;
    layout.indent = layout.below ? INDENT : indent;
    layout.room = table->limit - layout.indent;
    return layout;
}

/* The part of a text that fits the room: up to the last blank in it, unless a word is longer. */
static struct cell cut_part(const struct cell *cell, size_t room)
{
    struct cell part = {.text = cell->text}, whole = part;
    while (part.length < cell->length && part.width < room) {
        bool printable;
        if (cell->text[part.length] == ' ')
            whole = part;
        part.length +=
            loom_utf8_step(cell->text + part.length, cell->length - part.length, &printable);
        part.width++;
    }
    bool ends = part.length == cell->length || cell->text[part.length] == ' ';
    return ends || whole.length == 0 ? part : whole;
}

static void put_last(struct line *line, const struct layout *layout, struct cell cell)
{
    bool down = layout->below;
    while (cell.length > 0) {
        struct cell part = cut_part(&cell, layout->room);
        if (down) {
            end_line(line);
            line->blanks = layout->indent;
        }
        put_text(line, &part);
        for (; part.length < cell.length && cell.text[part.length] == ' '; part.length++)
            part.width++;
        cell.text += part.length;
        cell.length -= part.length;
        cell.width -= part.width;
        down = true;
    }
}

/* ---- rows ------------------------------------------------------------------------------------ */

static int write_dashes(const struct loom_table *table, struct line *line,
                        const struct layout *layout)
{
    for (size_t c = 0; c < table->n_columns; c++) {
        size_t width = table->columns[c].width;
        if (!table_is_shown(table, layout->cut, c))
            continue;
        if (layout->room > 0 && c == layout->last)
            width = layout->below ? 0 : layout->room;
        if (width > 0)
            put_blanks(line);
        put_repeated(line, '-', width);
        line->blanks += 2;
    }
    return end_line(line);
}

static void put_any(const struct loom_table *table, struct line *line, const struct layout *layout,
                    size_t c, const struct cell *cell)
{
    if (!table_is_shown(table, layout->cut, c))
        return;
    if (layout->room > 0 && c == layout->last)
        put_last(line, layout, *cell);
    else
        put_cell(line, &table->columns[c], cell);
}

void loom_table_limit(struct loom_table *table, size_t width)
{
    table->limit = width;
}

void loom_table_wide(struct loom_table *table, bool wide)
{
    table->wide = wide;
}

static int write_hidden(size_t hidden, struct loom_output *out, struct loom_error *err)
{
    if (hidden == 0)
        return 0;
    return loom_output_printf(out, err, "(%zu more %s with --wide)\n", hidden,
                              hidden == 1 ? "column" : "columns");
}

int loom_table_write(const struct loom_table *table, struct loom_output *out,
                     struct loom_error *err)
{
    struct line line = {.out = out, .err = err};
    if (table->n_columns == 0)
        return 0;
    struct layout layout = make_layout(table);
    for (size_t c = 0; c < table->n_columns; c++)
        put_any(table, &line, &layout, c, &table->columns[c].title);
    end_line(&line);
    int code = write_dashes(table, &line, &layout);
    for (size_t i = 0; i < table->n_cells && code == 0;) {
        for (size_t c = 0; c < table->n_columns && i < table->n_cells; c++, i++)
            put_any(table, &line, &layout, c, &table->cells[i]);
        code = end_line(&line);
    }
    return code ? code : write_hidden(count_hidden(table, layout.cut), out, err);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Data of figures, written in two forms at once: blocks for gnuplot, which go into the script, and
 * a table of comma-separated values for all other programs: one header line, one row a data point
 * (RFC 4180, lines end in a newline).
 */
#include "report/figure.h"

#include "base/vec.h"
#include "trace/number.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

int loom_sheet_skip(struct loom_sheet *sheet, const char *reason)
{
    sheet->reason = reason;
    return 0;
}

void loom_sheet_set(struct loom_sheet *sheet, const char *format, ...)
{
    size_t used = strlen(sheet->settings);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sheet->settings + used, sizeof sheet->settings - used, format, arguments);
    va_end(arguments);
}

/* ---- comma-separated values ------------------------------------------------------------------ */

void loom_csv_put(struct loom_csv *to, const char *text, size_t length)
{
    if (!to->out)
        fwrite(text, 1, length, to->stream);
    else if (!to->rc)
        to->rc = loom_output_write(to->out, text, length, to->err);
}

void loom_csv_text(struct loom_csv *to, const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        loom_csv_put(to, text, strlen(text));
        return;
    }
    loom_csv_put(to, "\"", 1);
    for (const char *at = text; *at; at++)
        loom_csv_put(to, *at == '"' ? "\"\"" : at, *at == '"' ? 2 : 1);
    loom_csv_put(to, "\"", 1);
}

void loom_csv_number(struct loom_csv *to, double value)
{
    char text[LOOM_NUMBER_PRINT];
    if (isfinite(value))
        loom_csv_put(to, text, loom_number_print_real(text, value));
}

/* ---- blocks ---------------------------------------------------------------------------------- */

/* Two empty lines end a block of gnuplot's. The label is its second column header: a line that
 * began with it could be a comment, or empty. */
static void begin_block(struct loom_sheet *sheet, const char *label)
{
    fprintf(sheet->blocks, "%sseries\t%s\n", sheet->n_blocks > 0 ? "\n\n" : "", label);
    sheet->n_blocks++;
}

void loom_sheet_block(struct loom_sheet *sheet, const char *series, const char *columns)
{
    begin_block(sheet, series ? series : "");
    if (!sheet->has_header)
        fprintf(sheet->table, "%s%s\n", series ? "series," : "", columns);
    sheet->has_header = true;
    sheet->marks = false;
    sheet->has_series = series != NULL;
    snprintf(sheet->series, sizeof sheet->series, "%s", series ? series : "");
}

void loom_sheet_marks(struct loom_sheet *sheet)
{
    begin_block(sheet, "");
    sheet->marks = true;
}

void loom_sheet_gap(struct loom_sheet *sheet)
{
    fputs("NaN\tNaN\n", sheet->blocks);
}

/* ---- rows ------------------------------------------------------------------------------------ */

void loom_sheet_fields(struct loom_sheet *sheet, const char *const *fields, size_t n)
{
    struct loom_csv table = {.stream = sheet->table};
    for (size_t i = 0; i < n; i++)
        fprintf(sheet->blocks, "%s%s", fields[i], i + 1 < n ? "\t" : "\n");
    if (sheet->marks)
        return;
    if (sheet->has_series)
        loom_csv_text(&table, sheet->series);
    for (size_t i = 0; i < n; i++) {
        if (i > 0 || sheet->has_series)
            fputc(',', sheet->table);
        loom_csv_text(&table, fields[i]);
    }
    fputc('\n', sheet->table);
    sheet->rows++;
}

enum { NUMBER_SIZE = 32, MOST_NUMBERS = 8 };

/* Print a whole number as it is, another one with as many significant digits. */
static void print_number(char out[NUMBER_SIZE], double value, int digits)
{
    bool whole = value == trunc(value) && fabs(value) < 1e15;
    snprintf(out, NUMBER_SIZE, "%.*g", whole ? 15 : digits, value);
}

/* What is along the axis has more digits, as many points may be close to each other. */
void loom_sheet_labelled(struct loom_sheet *sheet, const double *values, size_t n,
                         const char *label)
{
    char texts[MOST_NUMBERS][NUMBER_SIZE];
    const char *fields[MOST_NUMBERS + 1];
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(values[i]))
            return;
        print_number(texts[i], values[i], i == 0 ? 7 : 6);
        fields[i] = texts[i];
    }
    fields[n] = label;
    loom_sheet_fields(sheet, fields, label ? n + 1 : n);
}

void loom_sheet_row(struct loom_sheet *sheet, double x, double y)
{
    loom_sheet_labelled(sheet, (const double[]){x, y}, 2, NULL);
}

void loom_sheet_row3(struct loom_sheet *sheet, double x, double y, double z)
{
    loom_sheet_labelled(sheet, (const double[]){x, y, z}, 3, NULL);
}

void loom_sheet_record(struct loom_sheet *sheet, const double *values, size_t n)
{
    char texts[LOOM_RECORD_NUMBERS][NUMBER_SIZE];
    const char *fields[LOOM_RECORD_NUMBERS];
    for (size_t i = 0; i < n && i < LOOM_RECORD_NUMBERS; i++) {
        texts[i][0] = '\0';
        if (isfinite(values[i]))
            print_number(texts[i], values[i], 6);
        fields[i] = texts[i];
    }
    loom_sheet_fields(sheet, fields, n);
}

/* ---- text in memory -------------------------------------------------------------------------- */

/* What a stream has written; one byte more than size is there for a NUL. */
struct loom_text {
    char *bytes;
    size_t size, room;
};

static ssize_t append(void *cookie, const char *bytes, size_t n)
{
    struct loom_text *text = cookie;
    while (n >= text->room - text->size)
        if (loom_grow(&text->bytes, text->room, &text->room))
            return 0; /* fewer than n: an error of the stream */
    memcpy(text->bytes + text->size, bytes, n);
    text->size += n;
    text->bytes[text->size] = '\0';
    return (ssize_t)n;
}

FILE *loom_text_open(struct loom_text **out)
{
    static const cookie_io_functions_t functions = {.write = append};
    struct loom_text *text = calloc(1, sizeof *text);
    if (!text)
        return NULL;
    append(text, "", 0); /* none at all is a text too */
    FILE *stream = text->bytes ? fopencookie(text, "w", functions) : NULL;
    *out = text;
    if (!stream) {
        free(text->bytes);
        free(text);
    }
    return stream;
}

char *loom_text_close(FILE *out, struct loom_text *text, size_t *size)
{
    bool failed = ferror(out);
    failed = fclose(out) != 0 || failed;
    char *bytes = failed ? NULL : text->bytes;
    if (failed)
        free(text->bytes);
    *size = text->size;
    free(text);
    return bytes;
}

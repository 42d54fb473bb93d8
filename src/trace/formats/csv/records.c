/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cuts comma-separated text into records and fields. */
#include "trace/formats/csv/records.h"

#include "base/vec.h"

/* A quote that is not closed within this many bytes was not meant to open a field. */
enum { LONGEST_QUOTED = 64 * 1024 };

static bool records_is_blank(const struct loom_csv_records *records, char c)
{
    return c == ' ' || (c == '\t' && records->separator != '\t');
}

static void skip_blanks(struct loom_csv_records *records)
{
    while (records->at < records->end && records_is_blank(records, *records->at))
        records->at++;
}

static bool at_line_end(const struct loom_csv_records *records)
{
    const char *at = records->at;
    while (at < records->end && *at == '\r')
        at++;
    return at == records->end || *at == '\n';
}

static const char *past_quoted(const char *at, const char *limit, int64_t *lines, bool *doubled)
{
    for (; at < limit; at++) {
        *lines += *at == '\n';
        if (*at != '"')
            continue;
        if (at + 1 == limit || at[1] != '"')
            return at;
        *doubled = true;
        at++;
    }
    return NULL;
}

static void read_quoted(struct loom_csv_records *records, struct loom_csv_field *field)
{
    const char *start = records->at + 1;
    const size_t left = (size_t)(records->end - start);
    const char *limit = start + (left < LONGEST_QUOTED ? left : LONGEST_QUOTED);
    const char *close = past_quoted(start, limit, &records->line, &field->doubled);

    if (!close) {
        records->problem = "the quote that opens this field is not closed";
        return;
    }
    field->text = start;
    field->length = (size_t)(close - start);
    records->at = close + 1;
    skip_blanks(records);
    if (!at_line_end(records) && *records->at != records->separator)
        records->problem = "something follows the closing quote of this field";
}

static void read_plain(struct loom_csv_records *records, struct loom_csv_field *field)
{
    const char *at = records->at;

    while (records->at < records->end && *records->at != '\n' && *records->at != records->separator)
        records->at++;
    const bool last = records->at == records->end || *records->at == '\n';
    field->text = at;
    field->length = (size_t)(records->at - at);
    while (field->length > 0 && (records_is_blank(records, at[field->length - 1]) ||
                                 (last && at[field->length - 1] == '\r')))
        field->length--;
    if (memchr(at, '\r', field->length))
        records->problem = "there is a carriage return in this field; lines must end in newlines";
}

static int read_field(struct loom_csv_records *records, struct loom_error *err)
{
    if (loom_grow(&records->fields, records->n, &records->capacity))
        return loom_fail_memory(err);
    skip_blanks(records);
    struct loom_csv_field *field = &records->fields[records->n++];
    *field = (struct loom_csv_field){.text = records->at, .line = records->line};
    if (records->at < records->end && *records->at == '"')
        read_quoted(records, field);
    else
        read_plain(records, field);
    if (!records->problem && memchr(field->text, '\0', field->length))
        records->problem = "there is a NUL byte in this field";
    return 0;
}

void loom_csv_next_line(struct loom_csv_records *records)
{
    const char *newline = memchr(records->at, '\n', (size_t)(records->end - records->at));
    records->at = newline ? newline + 1 : records->end;
    records->line += newline != NULL;
}

int loom_csv_next_record(struct loom_csv_records *records, struct loom_error *err)
{
    records->n = 0;
    records->problem = NULL;
    for (skip_blanks(records); at_line_end(records); skip_blanks(records)) {
        if (records->at == records->end)
            return 0;
        loom_csv_next_line(records);
    }
    const struct loom_csv_records start = *records;
    for (;;) {
        int rc = read_field(records, err);
        if (rc)
            return rc;
        if (records->problem || at_line_end(records))
            break;
        records->at++;
    }
    if (records->problem) {
        records->at = start.at;
        records->line = start.line;
    }
    loom_csv_next_line(records);
    return 1;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * csv/records.h - comma-separated text as records of fields, by RFC 4180, whatever character
 * separates them. Blanks around a field are not part of it.
 */
#ifndef LOOM_TRACE_FORMATS_CSV_RECORDS_H
#define LOOM_TRACE_FORMATS_CSV_RECORDS_H

#include <workloom/base.h>

struct loom_csv_field {
    const char *text;
    size_t length;
    int64_t line; /* the one it starts in */
    bool doubled; /* holds "" for each quote */
};

/* Reads one record after the other. A record may hold newlines, inside quotes. */
struct loom_csv_records {
    const char *at, *end;
    int64_t line; /* the one `at` stands in */
    char separator;
    struct loom_csv_field *fields; /* of the record last read */
    size_t n, capacity;
    const char *problem; /* why it cannot be read, or NULL; it is then about field n */
};

/* The next record: 1 if there is one (see `problem`), 0 at the end. Lines without anything on them
 * are no records. After a problem, reading goes on with the line below the record's first. */
int loom_csv_next_record(struct loom_csv_records *records, struct loom_error *err);
/* Leave out the rest of the line. */
void loom_csv_next_line(struct loom_csv_records *records);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * csv_table.h - what every data frame asks of a file: one header line of names, and rows of as many
 * fields, each a number but for the columns of words.
 */
#ifndef LOOM_TESTS_CSV_TABLE_H
#define LOOM_TESTS_CSV_TABLE_H

#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CSV_COLUMNS = 12, CSV_FIELD = 128 };

/* Read a field (RFC 4180) and step past what ends it, which is returned: ',' or '\n'. Fails the
 * test at anything else. */
static inline char csv_field(const char *name, const char **at, char field[CSV_FIELD])
{
    const char *start = *at;
    size_t length = 0;
    bool quoted = **at == '"';
    if (quoted)
        ++*at;
    while (**at && length + 1 < CSV_FIELD) {
        if (quoted ? (*at)[0] == '"' && (*at)[1] != '"' : strchr(",\n", **at) != NULL)
            break;
        if (**at == '"' && (!quoted || *++*at != '"'))
            fail_msg("%s.csv has a quote within a field: %.60s", name, start);
        field[length++] = *(*at)++;
    }
    field[length] = '\0';
    if (quoted && *(*at)++ != '"')
        fail_msg("%s.csv has a quote that is not closed: %.60s", name, start);
    if (**at != ',' && **at != '\n')
        fail_msg("%s.csv has a field without an end: %.60s", name, start);
    return *(*at)++;
}

/* Read a line; returns the number of fields. */
static inline size_t csv_line(const char *name, const char **at,
                              char fields[CSV_COLUMNS][CSV_FIELD])
{
    for (size_t n = 0; n < CSV_COLUMNS; n++)
        if (csv_field(name, at, fields[n]) == '\n')
            return n + 1;
    fail_msg("%s.csv has more than %d columns", name, CSV_COLUMNS);
    return 0;
}

static inline void check_csv_name(const char *name, char names[CSV_COLUMNS][CSV_FIELD], size_t i)
{
    const char *column = names[i];
    if (!*column || column[0] < 'a' || column[0] > 'z' ||
        column[strspn(column, "abcdefghijklmnopqrstuvwxyz0123456789_")])
        fail_msg("%s.csv has a column '%s'", name, column);
    for (size_t k = 0; k < i; k++)
        if (strcmp(names[k], column) == 0)
            fail_msg("%s.csv has two columns '%s'", name, column);
}

/* Columns that name classes of jobs or measures. */
static inline bool names_something(const char *column)
{
    static const char *const words[] = {"series", "cluster",   "measure",    "user",    "group",
                                        "queue",  "partition", "processors", "runtime", "hour"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(column, words[i]) == 0)
            return true;
    return false;
}

/* A series, a cluster and a class have names; a job may be without a number, and what a table does
 * not know is empty; all else is a finite number. */
static inline void check_csv_value(const char *name, const char *column, const char *value,
                                   bool gaps)
{
    char *end;
    if (names_something(column)) {
        if (!*value)
            fail_msg("%s.csv has a row without %s", name, column);
    } else if (*value || (strcmp(column, "job") != 0 && !gaps)) {
        double number = strtod(value, &end);
        if (!*value || *end || number - number != 0)
            fail_msg("%s.csv has '%s' in column %s", name, value, column);
    }
}

/* Check a file, which may have empty cells where gaps is true; returns the number of its rows,
 * which is not 0. */
static inline size_t check_csv_cells(const char *name, const char *table, bool gaps)
{
    char names[CSV_COLUMNS][CSV_FIELD], values[CSV_COLUMNS][CSV_FIELD];
    const char *at = table;
    size_t n = csv_line(name, &at, names), rows = 0;
    for (size_t i = 0; i < n; i++) {
        check_csv_name(name, names, i);
        if ((strcmp(names[i], "series") == 0) != (i == 0 && strcmp(names[0], "series") == 0))
            fail_msg("%s.csv does not begin with the series", name);
    }
    for (; *at; rows++) {
        size_t got = csv_line(name, &at, values);
        if (got != n)
            fail_msg("%s.csv has %zu columns and a row of %zu fields", name, n, got);
        for (size_t i = 0; i < n; i++)
            check_csv_value(name, names[i], values[i], gaps);
    }
    if (n < 2 || rows == 0)
        fail_msg("%s.csv has %zu columns and %zu rows", name, n, rows);
    return rows;
}

static inline size_t check_csv(const char *name, const char *table)
{
    return check_csv_cells(name, table, false);
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* csv/names.h - which column of a CSV file is what. */
#ifndef LOOM_TRACE_FORMATS_CSV_NAMES_H
#define LOOM_TRACE_FORMATS_CSV_NAMES_H

#include "trace/formats/csv/map.h"
#include "trace/formats/csv/records.h"
#include "trace/formats/format.h"

/* Which field of a record each target is, or -1. */
struct loom_csv_binding {
    int field[LOOM_CSV_TARGETS];
    int understood; /* how many targets have one */
    size_t width;   /* fields in a record */
    bool minutes;   /* requested times are Slurm's time limits */
};

/* Read the '#' lines and the header line, and bind columns by the map or, where that is NULL, by
 * their names or those that the caller gave. Leaves records at the first row. */
int loom_csv_read_header(struct loom_csv_binding *binding, struct loom_csv_records *records,
                         struct loom_reader *reader, const struct loom_csv_map *map,
                         struct loom_error *err);

/* Bind the names of the record that records are at, with the separator that makes most of it. */
int loom_csv_read_names(struct loom_csv_binding *binding, struct loom_csv_records *records,
                        struct loom_error *err);

#endif

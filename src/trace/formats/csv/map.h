/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * csv/map.h - what the columns of a CSV file mean, as a map file says: column, unit, values that
 * stand for "unknown", words for states, time zone, processors of a node (docs/FORMATS: "Maps").
 */
#ifndef LOOM_TRACE_FORMATS_CSV_MAP_H
#define LOOM_TRACE_FORMATS_CSV_MAP_H

#include "trace/column.h"

/* What a field may give: the columns of the table, and two that others are derived from. */
enum { LOOM_CSV_START = LOOM_COLUMN_COUNT, LOOM_CSV_END, LOOM_CSV_TARGETS };

struct loom_csv_texts {
    const char **items;
    size_t n, capacity;
};

struct loom_csv_word {
    const char *word;
    int32_t status;
};

/* What one target is read from. */
struct loom_csv_entry {
    const char *column; /* NULL: the map does not have it */
    double factor;      /* to our unit */
    bool nodes;         /* in nodes: times procs_per_node, once all of the map is read */
    bool clock;         /* [D-]HH:MM:SS in place of a number */
    struct loom_csv_texts unknown;
    struct loom_csv_word *words;
    size_t n_words, words_capacity;
    int line, place; /* in the map */
};

struct loom_csv_map;

/* Read a map, which the caller must destroy. LOOM_EFORMAT with line and column if it is none. */
int loom_csv_map_read(struct loom_csv_map **out, const char *path, struct loom_error *err);
/* Free map, which may be NULL. */
void loom_csv_map_destroy(struct loom_csv_map *map);

/* Return what a target is read from, NULL if the map does not have it. */
const struct loom_csv_entry *loom_csv_map_entry(const struct loom_csv_map *map, int target);
/* Return the separator, '\0' to find out. */
char loom_csv_map_separator(const struct loom_csv_map *map);
/* Return the zone of timestamps without one, as the map has it; NULL if it has none. */
const char *loom_csv_map_zone(const struct loom_csv_map *map);
/* Return the path of the map. */
const char *loom_csv_map_file(const struct loom_csv_map *map);
/* Return the Unix time of what a clock in that zone shows, counted as if it were UTC. */
int64_t loom_csv_map_unix(const struct loom_csv_map *map, int64_t local_s);

/* Return whether a text stands for "unknown" in an entry. */
bool loom_csv_map_unknown(const struct loom_csv_map *map, const struct loom_csv_entry *entry,
                          const char *text, size_t length);
/* Find the status of a word; false if the entry does not have it. */
bool loom_csv_map_status(int32_t *out, const struct loom_csv_entry *entry, const char *text,
                         size_t length);
/* Write a number in our unit to buf, from one in the entry's. Returns its length; 0 if the text is
 * no such number. */
size_t loom_csv_map_convert(const struct loom_csv_entry *entry, const char *text, size_t length,
                            char *buf, size_t size);

#endif

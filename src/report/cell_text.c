/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The data of tables as people read them: headings from the keys of columns, values with units. A
 * key says by its end what its values are (_s, _kib, _min, _share, _fraction, _percent); what else
 * there is to know of one stands in the list below.
 */
#include "report/cells.h"

#include "base/human.h"
#include "base/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { BY_KEY, PLAIN, NUMBER, SHARE, SECONDS };

/* Where there is no room, columns of low priority go first. */
static const struct known_column {
    const char *key, *heading;
    enum kind kind;
    int priority;
} known_columns[] = {
    /* names and numbers of things */
    {"user", "user", PLAIN, LOOM_KEEP},
    {"group", "group", PLAIN, LOOM_KEEP},
    {"queue", "queue", PLAIN, LOOM_KEEP},
    {"partition", "partition", PLAIN, LOOM_KEEP},
    {"application", "application", PLAIN, LOOM_KEEP},
    {"job", "job", PLAIN, LOOM_KEEP},
    {"hour", "hour", PLAIN, LOOM_KEEP},
    /* service by class (fig_service.c) */
    {"jobs", "jobs", NUMBER, LOOM_KEEP},
    {"jobs_share", "of all jobs", SHARE, 5},
    {"work_s", "processor time", SECONDS, 6},
    {"work_share", "of all work", SHARE, LOOM_KEEP},
    {"wait_mean_s", "mean wait", SECONDS, LOOM_KEEP},
    {"wait_median_s", "median wait", SECONDS, 4},
    {"wait_p90_s", "wait, 90 %", SECONDS, 3},
    {"wait_p99_s", "wait, 99 %", SECONDS, 2},
    {"response_mean_s", "mean response", SECONDS, 7},
    {"bounded_slowdown_mean", "mean bounded slowdown", NUMBER, 8},
    {"p90", "90 %", BY_KEY, LOOM_KEEP},
    {"p95", "95 %", BY_KEY, LOOM_KEEP},
    {"p99", "99 %", BY_KEY, LOOM_KEEP},
    {"max", "largest", BY_KEY, LOOM_KEEP},
    /* others */
    {"series", "", PLAIN, LOOM_KEEP},
    {"share_jobs", "of all jobs", SHARE, LOOM_KEEP},
    {"share_work", "of all work", SHARE, LOOM_KEEP},
    {"request_s", "requested time", SECONDS, LOOM_KEEP},
    {"used_mem_kib", "used memory", BY_KEY, LOOM_KEEP},
    {"procs", "processors", NUMBER, LOOM_KEEP},
    {"procs_mean", "mean processors", NUMBER, LOOM_KEEP},
    {"procs_median", "median processors", NUMBER, LOOM_KEEP},
    {"runtime_mean_s", "mean runtime", SECONDS, LOOM_KEEP},
    {"runtime_median_s", "median runtime", SECONDS, LOOM_KEEP},
    {"runtime_cv", "runtime, CV", NUMBER, LOOM_KEEP},
    {"work_mean_s", "mean processor time", SECONDS, LOOM_KEEP},
    {"work_median_s", "median processor time", SECONDS, LOOM_KEEP},
    {"zero_fraction", "without a job", SHARE, LOOM_KEEP},
    {"hurst_mean", "Hurst parameter, mean", NUMBER, LOOM_KEEP},
    {"hurst_sd", "standard deviation", NUMBER, LOOM_KEEP},
    {"hurst_aggvar", "by aggregated variance", NUMBER, LOOM_KEEP},
    {"hurst_rs", "by R/S", NUMBER, LOOM_KEEP},
    {"hurst_periodogram", "by periodogram", NUMBER, LOOM_KEEP},
    {"jobs_mean", "mean jobs", NUMBER, LOOM_KEEP},
    {"single_job_fraction", "with one job", SHARE, LOOM_KEEP},
    {"length_mean_s", "mean length", SECONDS, LOOM_KEEP},
    {"length_max_s", "longest", SECONDS, LOOM_KEEP},
    {"longer_1000_min", "longer than 1000 min", SHARE, LOOM_KEEP},
    {"within_20_min", "within 20 min", SHARE, LOOM_KEEP},
    {"ks_to_common", "KS distance to common", NUMBER, LOOM_KEEP},
    {"cv", "CV", NUMBER, LOOM_KEEP},
    {"cv_change_percent", "change of CV", BY_KEY, LOOM_KEEP},
    {"mean_change_percent", "change of mean", BY_KEY, LOOM_KEEP},
    {"median_change_percent", "change of median", BY_KEY, LOOM_KEEP},
    {"omitted_percent", "of all", BY_KEY, LOOM_KEEP},
};

static const struct known_column *find_known(const char *key)
{
    for (size_t i = 0; i < sizeof known_columns / sizeof *known_columns; i++)
        if (strcmp(known_columns[i].key, key) == 0)
            return &known_columns[i];
    return NULL;
}

static const char *const units[] = {"_s", "_kib", "_min", "_share", "_fraction", "_percent"};

/* Return the unit that a key ends in, or "". */
static const char *unit_of(const char *key)
{
    size_t length = strlen(key);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        size_t n = strlen(units[i]);
        if (length > n && strcmp(key + length - n, units[i]) == 0)
            return units[i];
    }
    return "";
}

const char *loom_cell_heading(const char *key, char *buf, size_t size)
{
    const struct known_column *known = find_known(key);
    if (known) {
        snprintf(buf, size, "%s", known->heading);
        return buf;
    }
    snprintf(buf, size, "%.*s", (int)(strlen(key) - strlen(unit_of(key))), key);
    for (char *at = buf; *at; at++)
        *at = *at == '_' ? ' ' : *at;
    return buf;
}

int loom_cell_priority(const char *key)
{
    const struct known_column *known = find_known(key);
    return known ? known->priority : LOOM_KEEP;
}

/* Are the values of this row lengths of time, by its name: "wait (s)"? */
static bool is_row_of_seconds(const struct loom_cells *cells, size_t row, const char *key)
{
    static const char *const values[] = {"mean", "median", "p90", "p95", "p99", "max"};
    const char *name = loom_cell(cells, row, 0);
    size_t length = strlen(name);
    if (length < 4 || strcmp(name + length - 4, " (s)") != 0)
        return false;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (strcmp(values[i], key) == 0)
            return true;
    return false;
}

static const char *value_text(double value, const char *key, enum kind kind, char *buf, size_t size)
{
    const char *unit = unit_of(key);
    char number[LOOM_HUMAN];
    if (kind == SECONDS || (kind == BY_KEY && strcmp(unit, "_s") == 0))
        return loom_human_seconds(value, buf, size);
    if (kind == SHARE ||
        (kind == BY_KEY && (!strcmp(unit, "_share") || !strcmp(unit, "_fraction"))))
        return loom_human_share(value, buf, size);
    if (kind == BY_KEY && strcmp(unit, "_kib") == 0)
        return loom_human_bytes(1024 * value, buf, size);
    loom_human_number(value, number, sizeof number);
    bool minutes = kind == BY_KEY && !strcmp(unit, "_min");
    bool percent = kind == BY_KEY && !strcmp(unit, "_percent");
    snprintf(buf, size, "%s%s", number, minutes ? " min" : percent ? " %" : "");
    return buf;
}

const char *loom_cell_text(const struct loom_cells *cells, size_t row, size_t column, char *buf,
                           size_t size)
{
    const char *cell = loom_cell(cells, row, column), *key = loom_cell(cells, 0, column);
    const struct known_column *known = find_known(key);
    enum kind kind = known ? known->kind : BY_KEY;
    char *end;
    double value = strtod(cell, &end);
    if (column == 0 && is_row_of_seconds(cells, row, "mean")) {
        snprintf(buf, size, "%.*s", (int)strlen(cell) - 4, cell);
        return buf;
    }
    if (kind == PLAIN || end == cell || *end || !isfinite(value))
        return cell;
    if (is_row_of_seconds(cells, row, key))
        kind = SECONDS;
    return value_text(value, key, kind, buf, size);
}

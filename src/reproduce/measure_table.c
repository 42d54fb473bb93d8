/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cells of the tables that a log gives, and points of its figures. */
#include "reproduce/bench.h"
#include "reproduce/condition.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Numbers are stored with the digits of tables. */
static bool number_fits(double number, const struct loom_condition *condition)
{
    double value = strtod(condition->value, NULL);
    return condition->at_most ? number <= value
                              : fabs(number - value) <= 1e-5 * fmax(1, fabs(value));
}

static bool row_fits(const json_t *row, const char *conditions)
{
    struct loom_condition condition;
    while (loom_condition_next(&condition, &conditions)) {
        if (strcmp(condition.key, "column") == 0)
            continue;
        const json_t *has = json_object_get(row, condition.key);
        bool fits = json_is_string(has)
                        ? loom_condition_fits(&condition, json_string_value(has))
                        : json_is_number(has) && number_fits(json_number_value(has), &condition);
        if (!fits)
            return false;
    }
    return true;
}

/* Find the row of a claim: the first that fits, or the last where a condition is "<=". */
static const json_t *find_row(const json_t *rows, const char *conditions)
{
    bool last = strstr(conditions, "<=") != NULL;
    const json_t *found = NULL, *row;
    size_t i;
    json_array_foreach(rows, i, row) if ((last || !found) && row_fits(row, conditions)) found = row;
    return found;
}

/* Store the number of a column in the row of some conditions. "column=NAME" among them names
 * another column. */
static int find_number(double *out, const json_t *rows, const char *column, const char *conditions,
                       struct loom_error *err)
{
    struct loom_condition condition;
    for (const char *text = conditions; loom_condition_next(&condition, &text);)
        if (strcmp(condition.key, "column") == 0) {
            column = condition.value;
            break;
        }
    const json_t *row = find_row(rows, conditions);
    const json_t *value = row ? json_object_get(row, column) : NULL;
    if (!json_is_number(value))
        return loom_fail(err, LOOM_EDATA, "the table has no %s where %s", column, conditions);
    *out = json_number_value(value);
    return 0;
}

int loom_measure_table(struct loom_measured *out, struct loom_bench *bench,
                       const struct loom_claim *claim, struct loom_error *err)
{
    char name[64];
    const char *colon = strchr(claim->of, ':');
    const char *second = claim->minus ? claim->minus : claim->over;
    struct json_t *rows = NULL;
    double other = 0;
    out->n = (size_t)loom_bench_replications(bench, claim);
    if (!colon)
        return loom_fail(err, LOOM_EUSAGE, "'%s' is not TABLE:COLUMN", claim->of);
    snprintf(name, sizeof name, "%.*s", (int)(colon - claim->of), claim->of);
    int rc = loom_bench_table(&rows, bench, claim, name, err);
    if (!rc)
        rc = find_number(&out->value, rows, colon + 1, claim->cell ? claim->cell : "", err);
    if (!rc && second)
        rc = find_number(&other, rows, colon + 1, second, err);
    return rc ? rc : loom_relate(out, claim, other, err);
}

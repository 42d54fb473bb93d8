/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * When an experiment has enough replications. The decision looks at the first `replications` of
 * each cell alone, and is made after whole rounds of them, so that it does not depend on threads or
 * processes, nor on what a database already has beyond.
 */
#include "experiment/store.h"

#include <workloom/experiment_plan.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

int loom_until_parse(struct loom_stop_rule *out, const char *text, struct loom_error *err)
{
    static const char word[] = "half-width=";
    char *end = NULL;
    double value = NAN;
    bool named = strncmp(text, word, sizeof word - 1) == 0;
    if (named)
        value = strtod(text + sizeof word - 1, &end);
    if (!named || end == text + sizeof word - 1 || (strcmp(end, "%") != 0 && *end != '\0'))
        return loom_fail_field(err, LOOM_EUSAGE, "until",
                               "until wants half-width=PERCENT, as in half-width=5%%, not '%s'",
                               text);
    value = *end == '%' ? value / 100 : value;
    if (!(value > 0 && value < 1))
        return loom_fail_field(
            err, LOOM_ERANGE, "until",
            "until wants a half width below 100 %%, as in half-width=5%%, not '%s'", text);
    *out = (struct loom_stop_rule){.relative = value, .least = 10};
    return 0;
}

/* The values of a cell at its first replications; *reached is left alone where the rule holds. */
static int check_cell(struct loom_until *until, struct loom_store *store, size_t cell,
                      int64_t replications, struct loom_error *err)
{
    double *values = NULL;
    int64_t *numbers = NULL;
    size_t n = 0, used = 0;
    struct loom_stop_state state = {0};
    int rc = loom_store_values(&values, &numbers, &n, store, cell, until->metric, err);
    for (size_t i = 0; i < n && !rc; i++)
        if (numbers[i] < replications && isfinite(values[i]))
            values[used++] = values[i];
    if (!rc)
        rc = loom_stop_check(&state, values, used, &until->rule, err);
    if (!rc && !state.reached)
        until->reached = false;
    if (!rc && (int64_t)used < until->fewest)
        until->fewest = (int64_t)used;
    if (!rc && state.mean != 0)
        until->relative = fmax(until->relative, state.half / fabs(state.mean));
    if (!rc && (int64_t)state.replications > until->replications)
        until->replications = (int64_t)state.replications;
    free(values);
    free(numbers);
    return rc;
}

int loom_until_check(struct loom_until *until, const char *db, int64_t replications,
                     struct loom_error *err)
{
    struct loom_store *store = NULL;
    until->reached = true;
    until->relative = 0;
    until->replications = 0;
    until->fewest = INT64_MAX;
    int rc = loom_store_open(&store, db, err);
    for (size_t i = 0; !rc && i < loom_store_cells(store); i++)
        if (loom_store_cell(store, i)->replications > 1) /* else nothing is random */
            rc = check_cell(until, store, i, replications, err);
    if (until->fewest == INT64_MAX)
        until->fewest = 0;
    loom_store_close(store);
    return rc;
}

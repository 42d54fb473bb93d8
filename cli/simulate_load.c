/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The same jobs at another load, for simulate. */
#include "simulate.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_LOAD 0.001

static const char *const ways[] = {"size", "arrivals", "runtimes", NULL};

const struct loom_param load_params[] = {
    {.name = "load",
     .type = LOOM_PARAM_TEXT,
     .repeated = true,
     .metavar = "L",
     .help = "offered load; a list (0.5,0.9) or range (0.5:0.95:0.05) makes several runs"},
    {.name = "load-by",
     .type = LOOM_PARAM_CHOICE,
     .choices = ways,
     .value = "arrivals",
     .metavar = "WHAT",
     .help = "what changes for --load"},
    {.name = NULL},
};

/* ---- lists of loads -------------------------------------------------------------------------- */

static int refuse_text(const char *text, struct loom_error *err)
{
    return loom_fail(err, LOOM_EUSAGE,
                     "--load wants numbers from %g to %d, as 0.9, 0.5,0.7,0.9 or FROM:TO:STEP, not "
                     "'%s'",
                     LEAST_LOAD, LOOM_LOAD_MOST, text);
}

static bool take_number(double *out, const char **at)
{
    char *end = NULL;
    bool digits = isdigit((unsigned char)**at) || **at == '.';
    *out = digits ? strtod(*at, &end) : 0;
    if (!digits || end == *at)
        return false;
    *at = end;
    return true;
}

static int add_load(struct load_list *list, double load, const char *text, struct loom_error *err)
{
    if (!(load >= LEAST_LOAD && load <= LOOM_LOAD_MOST))
        return refuse_text(text, err);
    if (list->n == MOST_LOADS)
        return loom_fail(err, LOOM_EUSAGE, "--load names more than %d loads", MOST_LOADS);
    /* In order, and none twice; what differs less than this comes from adding steps. */
    size_t at = 0;
    while (at < list->n && list->loads[at] < load - 1e-9)
        at++;
    if (at < list->n && list->loads[at] <= load + 1e-9)
        return 0;
    memmove(list->loads + at + 1, list->loads + at, (list->n++ - at) * sizeof load);
    list->loads[at] = load;
    return 0;
}

/* The end belongs to it where the steps come to it. */
static int add_range(struct load_list *list, double from, const char **at, const char *text,
                     struct loom_error *err)
{
    double to = 0, step = 0;
    bool read = take_number(&to, at) && **at == ':' && (++*at, take_number(&step, at));
    if (!read || !(step > 0))
        return refuse_text(text, err);
    if (from > to)
        return loom_fail(err, LOOM_EUSAGE, "--load %s: FROM is above TO in FROM:TO:STEP", text);
    int rc = 0;
    for (int i = 0; from + i * step <= to + 1e-9 && !rc; i++)
        rc = add_load(list, round((from + i * step) * 1e9) / 1e9, text, err);
    return rc;
}

static int add_text(struct load_list *list, const char *text, struct loom_error *err)
{
    for (const char *at = text;; at++) {
        double load;
        if (!take_number(&load, &at))
            return refuse_text(text, err);
        int rc = *at == ':' ? (++at, add_range(list, load, &at, text, err))
                            : add_load(list, load, text, err);
        if (rc || !*at)
            return rc;
        if (*at != ',')
            return refuse_text(text, err);
    }
}

int read_loads(struct load_list *out, const struct invocation *call, struct loom_error *err)
{
    int rc = 0;
    out->n = 0;
    for (size_t i = 0; i < loom_params_count(call->params, "load") && !rc; i++)
        rc = add_text(out, loom_params_item(call->params, "load", i), err);
    return rc;
}

int check_load(const struct invocation *call, struct loom_error *err)
{
    struct load_list list;
    if (loom_params_given(call->params, "load-by") && !loom_params_given(call->params, "load"))
        return loom_fail(err, LOOM_EUSAGE, "--load-by needs a load: add --load");
    return read_loads(&list, call, err);
}

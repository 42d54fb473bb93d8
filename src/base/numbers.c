/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists and ranges of numbers. */
#include "base/numbers.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is being read, for messages. */
struct reading {
    const char *text, *name;
    double min, max;
    struct loom_error *err;
};

static int refuse(const struct reading *in)
{
    return loom_fail_field(in->err, LOOM_EUSAGE, in->name,
                           "%s wants numbers from %g to %g, as 0.9, 0.5,0.7,0.9 or FROM:TO:STEP, "
                           "not '%s'",
                           in->name, in->min, in->max, in->text);
}

static int fail_many(const struct reading *in)
{
    return loom_fail_field(in->err, LOOM_EUSAGE, in->name, "%s names more than %d numbers",
                           in->name, LOOM_NUMBERS_MOST);
}

static bool numbers_take_number(double *out, const char **at)
{
    char *end = NULL;
    const char *first = *at + (**at == '-');
    bool digits = isdigit((unsigned char)*first) || *first == '.';
    *out = digits ? strtod(*at, &end) : 0;
    if (!digits || end == *at)
        return false;
    *at = end;
    return true;
}

static int numbers_add(struct loom_numbers *to, double number, const struct reading *in)
{
    size_t at = 0;
    if (!(number >= in->min && number <= in->max))
        return refuse(in);
    if (to->n == LOOM_NUMBERS_MOST)
        return fail_many(in);
    while (at < to->n && to->items[at] < number - 1e-9)
        at++;
    if (at < to->n && to->items[at] <= number + 1e-9)
        return 0;
    memmove(to->items + at + 1, to->items + at, (to->n++ - at) * sizeof number);
    to->items[at] = number;
    return 0;
}

static int add_range(struct loom_numbers *to, double from, const char **at,
                     const struct reading *in)
{
    double end = 0, step = 0;
    bool read =
        numbers_take_number(&end, at) && **at == ':' && (++*at, numbers_take_number(&step, at));
    if (!read || !(step > 0))
        return refuse(in);
    if ((end - from) / step >= LOOM_NUMBERS_MOST || (end > from && step < 1e-9))
        return fail_many(in);
    if (from > end)
        return loom_fail_field(in->err, LOOM_EUSAGE, in->name,
                               "%s %s: FROM is above TO in FROM:TO:STEP", in->name, in->text);
    int rc = 0;
    for (int i = 0; from + i * step <= end + 1e-9 && !rc; i++)
        rc = numbers_add(to, round((from + i * step) * 1e9) / 1e9 + 0.0, in);
    return rc;
}

int loom_numbers_add(struct loom_numbers *to, const char *text, double min, double max,
                     const char *name, struct loom_error *err)
{
    const struct reading in = {text, name, min, max, err};
    for (const char *at = text;; at++) {
        double number;
        if (!numbers_take_number(&number, &at))
            return refuse(&in);
        int rc =
            *at == ':' ? (++at, add_range(to, number, &at, &in)) : numbers_add(to, number, &in);
        if (rc || !*at)
            return rc;
        if (*at != ',')
            return refuse(&in);
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kinds of requested times as text: "exact", "f:2.5". */
#include "base/words.h"
#include "base/error.h"
#include "models/requests/change.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double MOST_FACTOR = 1e6;

enum { BOTH = LOOM_REQUESTS_OF_MODEL | LOOM_REQUESTS_OF_TRACE };

static const struct kind {
    const char *name;
    unsigned of; /* enum loom_requests_of */
    bool has_factor;
    double least; /* factor */
} kinds[] = {
    [LOOM_REQUESTS_MODEL] = {"model", LOOM_REQUESTS_OF_MODEL, false, 0},
    [LOOM_REQUESTS_NONE] = {"none", LOOM_REQUESTS_OF_MODEL, false, 0},
    [LOOM_REQUESTS_EXACT] = {"exact", BOTH, false, 0},
    [LOOM_REQUESTS_FACTOR] = {"f", BOTH, true, 1},
    [LOOM_REQUESTS_UNIFORM] = {"uniform", BOTH, true, 0},
    [LOOM_REQUESTS_MODAL] = {"modal", BOTH, false, 0},
    [LOOM_REQUESTS_REQUESTED] = {"requested", LOOM_REQUESTS_OF_TRACE, false, 0},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* ---- text to kind ---------------------------------------------------------------------------- */

static int request_rule_fail_unknown(const char *text, size_t length, enum loom_requests_of of,
                                     struct loom_error *err)
{
    const char *names[KINDS + 1] = {0},
                              *remedy[] = {
                                  [LOOM_REQUESTS_OF_MODEL] =
                                      "take model, none, exact, f:FACTOR, uniform:FACTOR or modal",
                                  [LOOM_REQUESTS_OF_TRACE] =
                                      "take requested, exact, f:FACTOR, uniform:FACTOR or modal"};
    char word[40];
    size_t n = 0;
    for (size_t i = 0; i < KINDS; i++)
        if (kinds[i].of & of)
            names[n++] = kinds[i].name;
    snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : sizeof word), text);
    return loom_fail_unknown(err, "kind of estimates", word, names, remedy[of]);
}

static int fail_factor(const struct kind *kind, const char *text, struct loom_error *err)
{
    return loom_fail(err, LOOM_EUSAGE,
                     "estimates '%.40s': %s needs a factor from %g to %.0f, as in %s:2", text,
                     kind->name, kind->least, MOST_FACTOR, kind->name);
}

static bool in_range(const struct kind *kind, double factor)
{
    return factor >= kind->least && factor <= MOST_FACTOR;
}

/* rest: what follows the name, "" or from ':' on. */
static int parse_factor(double *factor, const struct kind *kind, const char *text, const char *rest,
                        struct loom_error *err)
{
    if (!kind->has_factor)
        return *rest ? loom_fail(err, LOOM_EUSAGE, "estimates '%.40s': %s takes no factor", text,
                                 kind->name)
                     : 0;
    char *end = NULL;
    double number = *rest ? strtod(rest + 1, &end) : 0;
    if (!*rest || end == rest + 1 || *end || !in_range(kind, number))
        return fail_factor(kind, text, err);
    *factor = number;
    return 0;
}

int loom_request_rule_parse(enum loom_request_rule *rule, double *factor, const char *text,
                            enum loom_requests_of of, struct loom_error *err)
{
    if (!text)
        return loom_fail_null(err, "text");
    size_t length = strcspn(text, ":");
    for (size_t i = 0; i < KINDS; i++) {
        const struct kind *kind = &kinds[i];
        if (!(kind->of & of) || strlen(kind->name) != length ||
            strncmp(kind->name, text, length) != 0)
            continue;
        *rule = (enum loom_request_rule)i;
        *factor = 0;
        return parse_factor(factor, kind, text, text + length, err);
    }
    return request_rule_fail_unknown(text, length, of, err);
}

/* ---- kind to text ---------------------------------------------------------------------------- */

const char *loom_request_rule_text(char *buf, size_t size, enum loom_request_rule rule,
                                   double factor)
{
    if (kinds[rule].has_factor)
        snprintf(buf, size, "%s:%.9g", kinds[rule].name, factor);
    else
        snprintf(buf, size, "%s", kinds[rule].name);
    return buf;
}

bool loom_request_rule_random(enum loom_request_rule rule)
{
    return rule == LOOM_REQUESTS_UNIFORM || rule == LOOM_REQUESTS_MODAL;
}

int loom_estimates_check(enum loom_request_rule rule, double factor, enum loom_requests_of of,
                         struct loom_error *err)
{
    char text[LOOM_REQUEST_RULE_TEXT];
    loom_request_rule_text(text, sizeof text, rule, factor);
    if (!(kinds[rule].of & of))
        return request_rule_fail_unknown(text, strlen(text), of, err);
    return kinds[rule].has_factor && !in_range(&kinds[rule], factor)
               ? fail_factor(&kinds[rule], text, err)
               : 0;
}

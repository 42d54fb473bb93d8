/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rules of repetition and of think times, and their parsing. */
#include "base/words.h"

#include <workloom/queueing.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- words ----------------------------------------------------------------------------------- */

enum { MOST_NUMBERS = 3 };

/* Parse the numbers after NAME, each preceded by a colon; return their number, or -1 on bad
 * syntax. */
static int take_numbers(double *out, int most, const char *at)
{
    int n = 0;
    for (; *at; n++) {
        char *end;
        if (*at++ != ':' || n == most)
            return -1;
        out[n] = strtod(at, &end);
        if (end == at || !isfinite(out[n]))
            return -1;
        at = end;
    }
    return n;
}

static bool is_name(const char *text, const char *name)
{
    size_t length = strlen(name);
    return strncmp(text, name, length) == 0 && (text[length] == ':' || !text[length]);
}

/* ---- another job ----------------------------------------------------------------------------- */

/* In the order of enum loom_repeat_rule. A scale of 0 is refused: a constant probability has
 * another bound of stability. */
static const struct loom_repeat_info rules[] = {
    {"never", "every user submits one job", NULL, 0, 0, 0},
    {"constant", "p = P, whatever the response", "P", NAN, 0, 1 - 1e-9},
    {"exponential", "p = exp(-SCALE r), falling with the response r", "SCALE", 1, 1e-6, 1e9},
    {"shmueli", "p = 0.8 / (0.05 SCALE r + 1), as in sessions of parallel logs", "SCALE", 10, 1e-6,
     1e9},
};

enum { N_RULES = sizeof rules / sizeof *rules };

const struct loom_repeat_info *loom_repeat_at(size_t index)
{
    return index < N_RULES ? &rules[index] : NULL;
}

static int take_value(struct loom_repeat *out, const struct loom_repeat_info *info,
                      const char *text, struct loom_error *err)
{
    double value = info->value;
    int given = take_numbers(&value, info->value_name ? 1 : 0, text + strlen(info->name));
    bool fits = given >= 0 && (!info->value_name || (value >= info->min && value <= info->max));
    if (!fits && strcmp(info->name, "constant") == 0)
        return loom_fail_field(err, LOOM_EUSAGE, "repeat",
                               "repeat wants constant:P with 0 <= P < 1, not '%s'", text);
    if (!fits)
        return loom_fail_field(err, LOOM_EUSAGE, "repeat",
                               "repeat wants %s%s with a SCALE above 0, not '%s'", info->name,
                               info->value_name ? "[:SCALE]" : "", text);
    out->value = value;
    return 0;
}

int loom_repeat_parse(struct loom_repeat *out, const char *text, struct loom_error *err)
{
    const char *names[N_RULES + 1] = {0};
    for (size_t i = 0; i < N_RULES; i++) {
        names[i] = rules[i].name;
        if (!is_name(text, rules[i].name))
            continue;
        *out = (struct loom_repeat){.rule = (enum loom_repeat_rule)i};
        return take_value(out, &rules[i], text, err);
    }
    return loom_fail_unknown(err, "repeat rule", text, names,
                             "there are constant:P, exponential[:SCALE] and shmueli[:SCALE]");
}

const char *loom_repeat_text(const struct loom_repeat *repeat, char *buf, size_t size)
{
    const struct loom_repeat_info *info = &rules[repeat->rule];
    if (repeat->value == info->value) /* never so without a default */
        snprintf(buf, size, "%s", info->name);
    else
        snprintf(buf, size, "%s:%.10g", info->name, repeat->value);
    return buf;
}

double loom_repeat_probability(const struct loom_repeat *repeat, double response)
{
    switch (repeat->rule) {
    case LOOM_REPEAT_CONSTANT:
        return repeat->value;
    case LOOM_REPEAT_EXPONENTIAL:
        return exp(-repeat->value * response);
    case LOOM_REPEAT_SHMUELI:
        return 0.8 / (0.05 * repeat->value * response + 1);
    case LOOM_REPEAT_NEVER:
        break;
    }
    return 0;
}

/* ---- think times ----------------------------------------------------------------------------- */

static bool take_think(struct loom_think *out, const char *text)
{
    double x[MOST_NUMBERS];
    char *end;
    if (is_name(text, "linear")) {
        *out = (struct loom_think){.rule = LOOM_THINK_LINEAR};
        bool read = take_numbers(x, 2, text + strlen("linear")) == 2;
        out->mean = read ? x[0] : -1;
        out->slope = read ? x[1] : -1;
    } else if (is_name(text, "break")) {
        *out = (struct loom_think){.rule = LOOM_THINK_BREAK};
        bool read = take_numbers(x, 3, text + strlen("break")) == 3;
        out->mean = read ? x[0] : -1;
        out->limit = read ? x[1] : -1;
        out->pause = read ? x[2] : -1;
    } else {
        *out = (struct loom_think){.mean = strtod(text, &end)};
        if (end == text || *end)
            return false;
    }
    return out->mean >= 0 && out->slope >= 0 && out->limit >= 0 && out->pause >= 0 &&
           isfinite(out->mean);
}

int loom_think_parse(struct loom_think *out, const char *text, struct loom_error *err)
{
    return take_think(out, text)
               ? 0
               : loom_fail_field(err, LOOM_EUSAGE, "think",
                                 "think wants a time of at least 0, linear:MEAN:SLOPE or "
                                 "break:MEAN:LIMIT:PAUSE, not '%s'",
                                 text);
}

const char *loom_think_text(const struct loom_think *think, char *buf, size_t size)
{
    if (think->rule == LOOM_THINK_LINEAR)
        snprintf(buf, size, "linear:%.10g:%.10g", think->mean, think->slope);
    else if (think->rule == LOOM_THINK_BREAK)
        snprintf(buf, size, "break:%.10g:%.10g:%.10g", think->mean, think->limit, think->pause);
    else
        snprintf(buf, size, "%.10g", think->mean);
    return buf;
}

double loom_think_mean(const struct loom_think *think, double response)
{
    switch (think->rule) {
    case LOOM_THINK_LINEAR:
        return think->mean + think->slope * response;
    case LOOM_THINK_BREAK:
        return response <= think->limit ? think->mean : think->pause;
    case LOOM_THINK_PLAIN:
        break;
    }
    return think->mean;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* condition.h - which row or cell a claim is about: "scheduler=easy; load=0.9", "gap_s<=100". */
#ifndef LOOM_REPRODUCE_CONDITION_H
#define LOOM_REPRODUCE_CONDITION_H

#include <stdbool.h>

struct loom_condition {
    char key[64], value[128];
    bool at_most; /* "<=": of the rows that fit, the last one counts */
};

/* Take the next condition off a text, at which *text then points behind it. False at the end. A
 * condition without "=" has an empty value. */
bool loom_condition_next(struct loom_condition *out, const char **text);

/* Return whether a text is what a condition asks for: equal, or fits a pattern with "*". */
bool loom_condition_fits(const struct loom_condition *condition, const char *text);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* numbers.h - lists of numbers as people write them: "0.9", "0.5,0.7,0.9", "0.5:0.95:0.05". */
#ifndef LOOM_BASE_NUMBERS_H
#define LOOM_BASE_NUMBERS_H

#include <workloom/base.h>

enum { LOOM_NUMBERS_MOST = 1000 };

/* Different numbers, ascending. */
struct loom_numbers {
    double items[LOOM_NUMBERS_MOST];
    size_t n;
};

/* Add the numbers of a text, separated by commas: each from min to max, or FROM:TO:STEP, whose end
 * belongs to it if the steps reach it. What differs by less than 1e-9 is one number. LOOM_EUSAGE
 * for anything else, naming the parameter `name`. */
int loom_numbers_add(struct loom_numbers *to, const char *text, double min, double max,
                     const char *name, struct loom_error *err);

#endif

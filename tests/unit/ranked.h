/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ranked.h - a candidate of a ranking of fits, by name. */
#ifndef LOOM_TESTS_RANKED_H
#define LOOM_TESTS_RANKED_H

#include "support.h"

#include <workloom/stats.h>

#include <string.h>

static inline const struct loom_ranked *find_ranked(const struct loom_ranked *items, size_t n,
                                                    const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(items[i].name, name) == 0)
            return &items[i];
    fail_msg("%s is not ranked", name);
    return NULL;
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tally.h - count and total weight of each distinct integer.
 *
 * Entries are in order of first occurrence, so that sums over them do not depend on the hash. A
 * tally starts as {0} and must be freed.
 */
#ifndef LOOM_FEATURES_TALLY_H
#define LOOM_FEATURES_TALLY_H

#include "base/map.h"

#include <workloom/base.h>

struct loom_tally_entry {
    int64_t value;
    size_t count;
    double weight;
};

struct loom_tally {
    struct loom_tally_entry *entries;
    size_t n, capacity;
    struct loom_map indices; /* of values among the entries */
};

int loom_tally_add(struct loom_tally *tally, int64_t value, double weight, struct loom_error *err);
void loom_tally_free(struct loom_tally *tally);

#endif

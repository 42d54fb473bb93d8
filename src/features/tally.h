/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tally.h - how often each whole number occurs, and what weight its occurrences add up to.
 *
 * Entries stand in order of first occurrence, so that sums over them do not depend on the hash. A
 * tally starts as {0} and must be freed.
 */
#ifndef LOOM_FEATURES_TALLY_H
#define LOOM_FEATURES_TALLY_H

#include <workloom/base.h>

struct loom_tally_entry {
    int64_t value;
    size_t count;
    double weight;
};

struct loom_tally {
    struct loom_tally_entry *entries;
    size_t n, capacity;
    uint32_t *slots; /* 1 + index of an entry, 0 if free; at most half are taken */
    size_t n_slots;  /* a power of two */
};

int loom_tally_add(struct loom_tally *tally, int64_t value, double weight, struct loom_error *err);
void loom_tally_free(struct loom_tally *tally);

#endif

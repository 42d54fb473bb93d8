/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counting values: a list of entries, found through an open hash table with linear probing. */
#include "features/tally.h"

#include "base/vec.h"

#include <stdlib.h>

/* The finaliser of MurmurHash3: neighbouring numbers land far apart. */
static uint64_t mix_key(int64_t value)
{
    uint64_t h = (uint64_t)value;
    h ^= h >> 33;
    h *= UINT64_C(0xff51afd7ed558ccd);
    h ^= h >> 33;
    h *= UINT64_C(0xc4ceb9fe1a85ec53);
    return h ^ h >> 33;
}

/* The slot that holds the value, or the free one where it belongs. */
static uint32_t *find_slot(const struct loom_tally *tally, int64_t value)
{
    size_t mask = tally->n_slots - 1;
    size_t i = (size_t)mix_key(value) & mask;
    while (tally->slots[i] && tally->entries[tally->slots[i] - 1].value != value)
        i = (i + 1) & mask;
    return &tally->slots[i];
}

static int grow_slots(struct loom_tally *tally, struct loom_error *err)
{
    size_t wanted = tally->n_slots ? tally->n_slots * 2 : 64;
    uint32_t *slots = calloc(wanted, sizeof *slots);
    if (!slots)
        return loom_fail_memory(err);
    free(tally->slots);
    tally->slots = slots;
    tally->n_slots = wanted;
    for (size_t i = 0; i < tally->n; i++)
        *find_slot(tally, tally->entries[i].value) = (uint32_t)i + 1;
    return 0;
}

int loom_tally_add(struct loom_tally *tally, int64_t value, double weight, struct loom_error *err)
{
    if (2 * (tally->n + 1) > tally->n_slots) {
        int rc = grow_slots(tally, err);
        if (rc)
            return rc;
    }
    uint32_t *slot = find_slot(tally, value);
    if (!*slot) {
        if (loom_grow(&tally->entries, tally->n, &tally->capacity))
            return loom_fail_memory(err);
        tally->entries[tally->n++] = (struct loom_tally_entry){.value = value};
        *slot = (uint32_t)tally->n;
    }
    tally->entries[*slot - 1].count++;
    tally->entries[*slot - 1].weight += weight;
    return 0;
}

void loom_tally_free(struct loom_tally *tally)
{
    free(tally->entries);
    free(tally->slots);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "features/tally.h"

#include "base/vec.h"

#include <stdlib.h>

int loom_tally_add(struct loom_tally *tally, int64_t value, double weight, struct loom_error *err)
{
    if (loom_grow(&tally->entries, tally->n, &tally->capacity))
        return loom_fail_memory(err);
    uint32_t index = loom_map_intern(&tally->indices, (uint64_t)value);
    if (index == LOOM_MAP_NONE)
        return loom_fail_memory(err);
    if (index == tally->n)
        tally->entries[tally->n++] = (struct loom_tally_entry){.value = value};
    tally->entries[index].count++;
    tally->entries[index].weight += weight;
    return 0;
}

void loom_tally_free(struct loom_tally *tally)
{
    free(tally->entries);
    loom_map_free(&tally->indices);
}

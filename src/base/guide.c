/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Guides to ascending numbers: see guide.h. */
#include "base/guide.h"

#include <stdlib.h>

int loom_guide_init(struct loom_guide *guide, const int64_t *bounds, size_t n)
{
    size_t next = 0;
    guide->steps = 0;
    for (size_t span = 0; span < LOOM_GUIDE_SPANS; span++) {
        size_t first = next;
        while (next < n && loom_guide_span(bounds[next]) == span)
            next++;
        guide->first[span] = (uint16_t)first;
        guide->steps = next - first > guide->steps ? next - first : guide->steps;
    }
    guide->bounds = malloc((n + guide->steps + 1) * sizeof *guide->bounds);
    for (size_t i = 0; guide->bounds && i < n + guide->steps; i++)
        guide->bounds[i] = i < n ? bounds[i] : INT64_MAX;
    return guide->bounds ? 0 : -1;
}

void loom_guide_free(struct loom_guide *guide)
{
    free(guide->bounds);
    guide->bounds = NULL;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stack depths. For equal values, the depth of an entry is the number of entries used after it: a
 * Fenwick tree over time holds a one at the last use of each entry. Within 5 % there is a stack
 * that is searched from its top. It stays small: a value becomes an entry only if it is more than
 * 5 % from every other, so that neighbours are at least a factor of 1.05 apart and there are fewer
 * than a thousand entries.
 */
#include "features/stack.h"

#include "base/map.h"
#include "base/vec.h"

#include <stdlib.h>

struct depths {
    double sum;
    size_t found; /* values that were in the stack */
};

/* ---- equal values ---------------------------------------------------------------------------- */

struct recency {
    struct loom_map entries; /* by value */
    uint32_t *last_use;      /* of each entry, from 1 */
    uint32_t *tree;          /* by time 1 .. n */
    size_t n;
};

static void tree_add(struct recency *recency, size_t time, uint32_t change)
{
    for (; time <= recency->n; time += time & (0 - time))
        recency->tree[time] += change;
}

static size_t used_up_to(const struct recency *recency, size_t time)
{
    size_t sum = 0;
    for (; time > 0; time -= time & (0 - time))
        sum += recency->tree[time];
    return sum;
}

static int add_equal_depths(struct depths *depths, struct recency *recency, const int64_t *values)
{
    for (size_t i = 0; i < recency->n; i++) {
        if (i > 0 && values[i] == values[i - 1]) { /* on top */
            depths->found++;
            continue;
        }
        size_t entries = recency->entries.n;
        uint32_t entry = loom_map_intern(&recency->entries, (uint64_t)values[i]);
        if (entry == LOOM_MAP_NONE)
            return -1;
        depths->sum += (double)entries;
        if (entry < entries) {
            depths->sum -= (double)used_up_to(recency, recency->last_use[entry]);
            tree_add(recency, recency->last_use[entry], UINT32_MAX);
            depths->found++;
        }
        recency->last_use[entry] = (uint32_t)(i + 1);
        tree_add(recency, i + 1, 1);
    }
    return 0;
}

static int find_equal_depths(struct depths *depths, const int64_t *values, size_t n)
{
    struct recency recency = {.last_use = malloc((n + 1) * sizeof *recency.last_use),
                              .tree = calloc(n + 1, sizeof *recency.tree),
                              .n = n};
    int rc = recency.last_use && recency.tree ? add_equal_depths(depths, &recency, values) : -1;
    loom_map_free(&recency.entries);
    free(recency.last_use);
    free(recency.tree);
    return rc;
}

/* ---- within 5 % ------------------------------------------------------------------------------ */

static bool is_near(int64_t entry, int64_t value)
{
    return (entry < value ? value - entry : entry - value) <= entry / 20;
}

static int find_near_depths(struct depths *depths, const int64_t *values, size_t n)
{
    int64_t *stack = NULL; /* the entry on top first */
    size_t entries = 0, capacity = 0;
    for (size_t i = 0; i < n; i++) {
        size_t depth = 0;
        while (depth < entries && !is_near(stack[depth], values[i]))
            depth++;
        bool found = depth < entries;
        if (loom_grow(&stack, entries, &capacity)) {
            free(stack);
            return -1;
        }
        int64_t entry = found ? stack[depth] : values[i];
        memmove(stack + 1, stack, depth * sizeof *stack);
        stack[0] = entry;
        entries += !found;
        depths->found += found;
        depths->sum += (double)depth;
    }
    free(stack);
    return 0;
}

/* ---- the mean -------------------------------------------------------------------------------- */

int loom_stack_depth(double *mean, const int64_t *values, size_t n, enum loom_match match,
                     struct loom_error *err)
{
    if (n >= UINT32_MAX)
        return loom_fail(err, LOOM_ERANGE,
                         "there are too many values for a stack; take less than 4294967295");
    struct depths depths = {0};
    if (match == LOOM_MATCH_EQUAL ? find_equal_depths(&depths, values, n)
                                  : find_near_depths(&depths, values, n))
        return loom_fail_memory(err);
    if (depths.found == 0)
        return loom_fail(err, LOOM_EDATA, "no value comes twice, so that none is found in a stack");
    *mean = depths.sum / (double)n;
    return 0;
}

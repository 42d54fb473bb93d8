/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stack depths without a stack. Each entry remembers when it was last used, and a tree of counters
 * over time (Fenwick's) holds a one at each of these moments: the entries above a given one are
 * those used after it.
 *
 * Entries are found in an array in order of their values. For equal values, it is all values there
 * are, sorted beforehand. Within 5 %, it grows, but not by much: a value becomes an entry only if
 * it is more than 5 % from every other, so that neighbours are at least a factor of 1.05 apart,
 * there are fewer than a thousand entries, and no more than three of them can match.
 */
#include "features/stack.h"

#include "base/sort.h"
#include "base/vec.h"

#include <stdlib.h>

struct entry {
    int64_t value;
    uint32_t used; /* moment of the last use, from 1; 0 is never */
};

struct stack {
    struct entry *entries; /* ascending */
    size_t n, capacity;
    uint32_t *tree; /* by moment 1 .. moments */
    size_t moments;
    size_t size;   /* entries used at least once */
    double depths; /* sum of those noted */
    size_t found;  /* values that were in the stack */
};

/* ---- moments of last use --------------------------------------------------------------------- */

static void tree_add(struct stack *stack, size_t moment, uint32_t change)
{
    for (; moment <= stack->moments; moment += moment & (0 - moment))
        stack->tree[moment] += change;
}

static size_t used_up_to(const struct stack *stack, size_t moment)
{
    size_t sum = 0;
    for (; moment > 0; moment -= moment & (0 - moment))
        sum += stack->tree[moment];
    return sum;
}

/* Note how deep an entry is, or how many there are if it is not in the stack, and put it on top. */
static void use(struct stack *stack, struct entry *entry, size_t moment)
{
    if (entry->used > 0) {
        stack->depths += (double)(stack->size - used_up_to(stack, entry->used));
        stack->found++;
        tree_add(stack, entry->used, UINT32_MAX);
    } else {
        stack->depths += (double)stack->size++;
    }
    tree_add(stack, moment, 1);
    entry->used = (uint32_t)moment;
}

/* ---- entries by value ------------------------------------------------------------------------ */

/* The first entry of at least this value, or n. */
static size_t position(const struct stack *stack, int64_t value)
{
    size_t low = 0, high = stack->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (stack->entries[middle].value < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_near(const struct entry *entry, int64_t value)
{
    int64_t distance = entry->value < value ? value - entry->value : entry->value - value;
    return distance <= entry->value / 20;
}

/* The one used last among those that match, or NULL. What matches stands together around the place
 * where the value belongs, as both limits, 0.95 and 1.05 times the entry, rise with the entry. */
static struct entry *find_near(struct stack *stack, size_t at, int64_t value)
{
    struct entry *found = NULL;
    for (size_t i = at; i > 0 && is_near(&stack->entries[i - 1], value); i--)
        if (!found || stack->entries[i - 1].used > found->used)
            found = &stack->entries[i - 1];
    for (size_t i = at; i < stack->n && is_near(&stack->entries[i], value); i++)
        if (!found || stack->entries[i].used > found->used)
            found = &stack->entries[i];
    return found;
}

/* The entry that a value matches, which is a new one if none does. NULL when memory is out. */
static struct entry *match_near(struct stack *stack, int64_t value)
{
    size_t at = position(stack, value);
    struct entry *found = find_near(stack, at, value);
    if (found)
        return found;
    if (loom_grow(&stack->entries, stack->n, &stack->capacity))
        return NULL;
    found = &stack->entries[at];
    memmove(found + 1, found, (stack->n - at) * sizeof *found);
    *found = (struct entry){.value = value};
    stack->n++;
    return found;
}

/* Make an entry, not used yet, of each value there is. */
static int list_values(struct stack *stack, const int64_t *values, size_t n)
{
    int64_t *sorted = malloc(n * sizeof *sorted);
    if (!sorted)
        return -1;
    memcpy(sorted, values, n * sizeof *sorted);
    size_t different = loom_sort_int64(sorted, n);
    stack->entries = malloc(different * sizeof *stack->entries);
    for (size_t i = 0; stack->entries && i < n; i++)
        if (i == 0 || sorted[i] != sorted[i - 1])
            stack->entries[stack->n++] = (struct entry){.value = sorted[i]};
    free(sorted);
    return stack->entries ? 0 : -1;
}

/* ---- the mean -------------------------------------------------------------------------------- */

static int look_up(struct stack *stack, const int64_t *values, size_t n, enum loom_match match)
{
    if (match == LOOM_MATCH_EQUAL && n > 0 && list_values(stack, values, n))
        return -1;
    for (size_t i = 0; i < n; i++) {
        struct entry *entry = match == LOOM_MATCH_EQUAL
                                  ? &stack->entries[position(stack, values[i])]
                                  : match_near(stack, values[i]);
        if (!entry)
            return -1;
        use(stack, entry, i + 1);
    }
    return 0;
}

int loom_stack_depth(double *mean, const int64_t *values, size_t n, enum loom_match match,
                     struct loom_error *err)
{
    if (n >= UINT32_MAX)
        return loom_fail(err, LOOM_ERANGE,
                         "there are too many values for a stack; take less than 4294967295");
    struct stack stack = {.tree = calloc(n + 1, sizeof *stack.tree), .moments = n};
    int rc = stack.tree ? look_up(&stack, values, n, match) : -1;
    free(stack.tree);
    free(stack.entries);
    if (rc)
        return loom_fail_memory(err);
    if (stack.found == 0)
        return loom_fail(err, LOOM_EDATA, "no value comes twice, so that none is found in a stack");
    *mean = stack.depths / (double)n;
    return 0;
}

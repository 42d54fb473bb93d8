/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stack depths without a stack. The entries on top, where most values are found, stand in a short
 * list that is searched from its front. Every other remembers the moment at which it fell off the
 * end of that list, and a tree of counters over time (Fenwick's) holds a one at each of these
 * moments: entries fall off in the order of their last use, so that those above a given one are
 * the list and those that fell off after it.
 *
 * Entries are found in an array in order of their values. For equal values, it holds all values,
 * sorted in advance. Within 5 %, it grows, but not by much: a value becomes an entry only if it is
 * more than 5 % from every other, so that neighbours are at least a factor of 1.05 apart, there are
 * fewer than a thousand entries, and no more than three of them can match.
 */
#include "features/stack.h"

#include "base/sort.h"
#include "base/vec.h"

#include <stdlib.h>

enum { TOP = 16 };

struct entry {
    int64_t value;
    uint32_t fell; /* moment at which it left the top, from 1; 0 if it never did */
};

struct stack {
    int64_t top[TOP]; /* values, the last used first */
    size_t n_top;
    struct entry
        *entries; /* all but new ones, ascending; fell means something below the top only */
    size_t n, capacity;
    uint32_t *tree; /* by moment 1 .. moments */
    size_t moments;
    size_t below;  /* entries below the top */
    double depths; /* sum of those noted */
    size_t found;  /* values that were in the stack */
};
/* ---- moments of falling off the top ---------------------------------------------------------- */

static void tree_add(struct stack *stack, size_t moment, uint32_t change)
{
    for (; moment <= stack->moments; moment += moment & (0 - moment))
        stack->tree[moment] += change;
}

static size_t fell_up_to(const struct stack *stack, size_t moment)
{
    size_t sum = 0;
    for (; moment > 0; moment -= moment & (0 - moment))
        sum += stack->tree[moment];
    return sum;
}

/* ---- entries by value ------------------------------------------------------------------------ */

/* The first entry of at least this value, or n. Which way a step goes is as good as random, so it
 * is reckoned and not branched on. */
static size_t position(const struct stack *stack, int64_t value)
{
    const struct entry *from = stack->entries;
    for (size_t left = stack->n; left > 0;) {
        size_t half = (left + 1) / 2;
        from += half * (from[half - 1].value < value);
        left -= half;
    }
    return (size_t)(from - stack->entries);
}

static bool matches(int64_t entry, int64_t value, enum loom_match match)
{
    int64_t reach = match == LOOM_MATCH_EQUAL ? 0 : entry / 20;
    return (entry < value ? value - entry : entry - value) <= reach;
}

/* The one used last among those below the top that match, or NULL. Called when nothing on top
 * matches. What matches stands together around the place where the value belongs, as both limits,
 * 0.95 and 1.05 times the entry, rise with the entry. */
static struct entry *find_below(struct stack *stack, size_t at, int64_t value,
                                enum loom_match match)
{
    struct entry *found = NULL;
    for (size_t i = at; i > 0 && matches(stack->entries[i - 1].value, value, match); i--)
        if (!found || stack->entries[i - 1].fell > found->fell)
            found = &stack->entries[i - 1];
    for (size_t i = at; i < stack->n && matches(stack->entries[i].value, value, match); i++)
        if (!found || stack->entries[i].fell > found->fell)
            found = &stack->entries[i];
    return found;
}

static int stack_insert(struct stack *stack, size_t at, int64_t value)
{
    if (loom_grow(&stack->entries, stack->n, &stack->capacity))
        return -1;
    struct entry *entry = &stack->entries[at];
    memmove(entry + 1, entry, (stack->n - at) * sizeof *entry);
    *entry = (struct entry){.value = value};
    stack->n++;
    return 0;
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

/* ---- the stack ------------------------------------------------------------------------------- */

/* Put a value on top of the first `above` entries, which go down by one. */
static void raise_to_top(struct stack *stack, int64_t value, size_t above)
{
    memmove(stack->top + 1, stack->top, above * sizeof *stack->top);
    stack->top[0] = value;
}

static bool use_top(struct stack *stack, int64_t value, enum loom_match match)
{
    for (size_t i = 0; i < stack->n_top; i++)
        if (matches(stack->top[i], value, match)) {
            raise_to_top(stack, stack->top[i], i);
            stack->depths += (double)i;
            stack->found++;
            return true;
        }
    return false;
}

/* The last of the top goes below it, if there is no room for one more. */
static void drop_last(struct stack *stack, size_t moment)
{
    if (stack->n_top < TOP) {
        stack->n_top++;
        return;
    }
    stack->entries[position(stack, stack->top[TOP - 1])].fell = (uint32_t)moment;
    tree_add(stack, moment, 1);
    stack->below++;
}

/* Note how deep an entry below the top is, or how many there are if there is none, and put it on
 * top. */
static int use_below(struct stack *stack, int64_t value, enum loom_match match, size_t moment)
{
    size_t at = position(stack, value);
    struct entry *entry = find_below(stack, at, value, match);
    stack->depths += (double)(stack->n_top + stack->below);
    if (entry && entry->fell > 0) {
        stack->depths -= (double)fell_up_to(stack, entry->fell);
        tree_add(stack, entry->fell, UINT32_MAX);
        stack->below--;
        stack->found++;
        value = entry->value;
    } else if (!entry && stack_insert(stack, at, value)) {
        return -1;
    }
    drop_last(stack, moment);
    raise_to_top(stack, value, stack->n_top - 1);
    return 0;
}

/* ---- the mean -------------------------------------------------------------------------------- */

static int look_up(struct stack *stack, const int64_t *values, size_t n, enum loom_match match)
{
    if (match == LOOM_MATCH_EQUAL && n > 0 && list_values(stack, values, n))
        return -1;
    for (size_t i = 0; i < n; i++)
        if (!use_top(stack, values[i], match) && use_below(stack, values[i], match, i + 1))
            return -1;
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

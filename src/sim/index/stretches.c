/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The longest stretches of free processors that begin in a leaf, in one walk along its steps. */
#include "sim/index/stretches.h"

#include "base/vec.h"

static const int16_t ENDLESS = INT16_MAX;

int loom_stretches_grow(struct loom_stretches *stretches, size_t nodes)
{
    if (nodes <= stretches->capacity)
        return 0;
    size_t row = stretches->widths * sizeof *stretches->longest;
    void *longest = realloc(stretches->longest, nodes * row);
    if (!longest)
        return -1;
    stretches->longest = longest;
    void *states = realloc(stretches->states, nodes * sizeof *stretches->states);
    if (!states)
        return -1;
    stretches->states = states;
    stretches->capacity = nodes;
    return 0;
}

int loom_stretches_open(struct loom_stretches *stretches, int64_t widest, size_t nodes)
{
    unsigned widths = loom_step_of(widest, LOOM_STRETCH_WIDTH_BITS) + 1;
    if (widths != stretches->widths)
        loom_stretches_free(stretches);
    stretches->widths = widths;
    if (loom_stretches_grow(stretches, nodes))
        return -1;
    stretches->used = true;
    for (size_t node = 0; node < nodes; node++)
        stretches->states[node].stale = true;
    return 0;
}

void loom_stretches_free(struct loom_stretches *stretches)
{
    free(stretches->longest);
    free(stretches->states);
    *stretches = (struct loom_stretches){0};
}

/* ---- the walk -------------------------------------------------------------------------------- */

/* The stretches that have not ended yet, each of more processors than the one before it. The first
 * is what was free before the walk: it began elsewhere and is not told of. */
struct walk {
    const struct loom_stretches *stretches;
    int16_t *longest;
    unsigned n;
    struct {
        int64_t since_s;
        int32_t procs;
    } open[1 + LOOM_LEAF_ENTRIES];
};

static void end_stretch(struct walk *walk, int16_t length)
{
    unsigned width = loom_stretch_width(walk->stretches, walk->open[walk->n--].procs);
    int16_t *longest = &walk->longest[width];
    *longest = *longest > length ? *longest : length;
}

/* No more than `free` processors are free from now on. The longest stretch that this ends goes on
 * with fewer. */
static void fall(struct walk *walk, int64_t time_s, int32_t free)
{
    int64_t since_s = time_s;
    while (walk->n > 0 && walk->open[walk->n].procs > free) {
        since_s = walk->open[walk->n].since_s;
        end_stretch(walk, (int16_t)loom_length_step(time_s - since_s));
    }
    if (walk->open[walk->n].procs > free) {
        walk->open[0].procs = free;
    } else if (since_s < time_s && walk->open[walk->n].procs < free) {
        walk->n++;
        walk->open[walk->n].since_s = since_s;
        walk->open[walk->n].procs = free;
    }
}

static void rise(struct walk *walk, int64_t time_s, int32_t free)
{
    walk->n++;
    walk->open[walk->n].since_s = time_s;
    walk->open[walk->n].procs = free;
}

/* Along the leaf behind, to where all stretches end. */
static void walk_on(struct walk *walk, const struct loom_node *node, int32_t free)
{
    for (uint32_t i = 0; i < node->n && walk->n > 0; i++) {
        free += node->leaf.a[i];
        fall(walk, node->leaf.key[i], free);
    }
}

void loom_stretches_find(struct loom_stretches *stretches, const struct loom_tree *tree,
                         uint32_t leaf, int32_t free)
{
    const struct loom_node *node = &tree->nodes[leaf];
    unsigned widths = stretches->widths;
    struct walk walk;
    walk.stretches = stretches;
    walk.longest = loom_stretches_at(stretches, leaf);
    walk.n = 0;
    walk.open[0].procs = free;
    loom_stretches_clear(stretches, leaf);
    for (uint32_t i = 0; i < node->n; i++) {
        free += node->leaf.a[i];
        if (node->leaf.a[i] > 0)
            rise(&walk, node->leaf.key[i], free);
        else
            fall(&walk, node->leaf.key[i], free);
    }
    if (walk.n > 0 && node->next != LOOM_NO_NODE)
        walk_on(&walk, &tree->nodes[node->next], free);
    while (walk.n > 0)
        end_stretch(&walk, ENDLESS);
    /* What is free for wider jobs is so for narrower ones. */
    for (unsigned width = widths - 1; width-- > 0;)
        if (walk.longest[width] < walk.longest[width + 1])
            walk.longest[width] = walk.longest[width + 1];
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stretches.h - how long processors stay free, in the nodes of a profile's tree: for each width the
 * longest stretch that begins below a node, so that a search for the earliest start of a job can
 * pass over nodes where every stretch that is wide enough is too short.
 *
 * A stretch may go on in later nodes. It is followed to the end of the leaf behind its own, and
 * counts as endless from there on, so that what is told of a leaf depends on these two only, and on
 * how many processors are free before it.
 *
 * Widths are told apart in eight steps to each doubling, lengths in sixteen; what is told may be
 * too long, but is never too short. A zeroed struct is not in use.
 */
#ifndef LOOM_SIM_INDEX_STRETCHES_H
#define LOOM_SIM_INDEX_STRETCHES_H

#include "sim/index/bands.h"
#include "sim/index/tree.h"

#include <string.h>

enum { LOOM_STRETCH_WIDTH_BITS = 3 };

/* Before a node, so many processors were free when its stretches were found. */
struct loom_stretch_state {
    int32_t free;
    bool stale; /* its steps have changed since; then so are all nodes above */
};

struct loom_stretches {
    bool used;                         /* are they kept up to date? */
    unsigned widths;                   /* steps of width */
    int16_t *longest;                  /* by node and step of width: a step of length */
    struct loom_stretch_state *states; /* by node */
    size_t capacity;                   /* nodes there is room for */
};

/* Begin to be used, with nothing known. Memory of an earlier use is kept. -1 when it is out. */
int loom_stretches_open(struct loom_stretches *stretches, int64_t widest, size_t nodes);
/* Make room for so many nodes. -1 when memory is out. */
int loom_stretches_grow(struct loom_stretches *stretches, size_t nodes);
void loom_stretches_free(struct loom_stretches *stretches);

/* Where fewer than none are free, as in schedules that ask for more than there are, that is the
 * widest: what is told then is too long, but not too short. */
static inline unsigned loom_stretch_width(const struct loom_stretches *stretches, int64_t procs)
{
    unsigned width = loom_step_of(procs, LOOM_STRETCH_WIDTH_BITS);
    return width < stretches->widths ? width : stretches->widths - 1;
}

static inline int16_t *loom_stretches_at(const struct loom_stretches *stretches, uint32_t node)
{
    return stretches->longest + (size_t)node * stretches->widths;
}

/* Are those of a node known, if so many processors are free before it? */
static inline bool loom_stretches_known(const struct loom_stretches *stretches, uint32_t node,
                                        int32_t free)
{
    return !stretches->states[node].stale && stretches->states[node].free == free;
}

/* Begin with none for a node, and take some in. Until its state is set they are not known, however
 * many processors are free before it. */
static inline void loom_stretches_clear(struct loom_stretches *stretches, uint32_t node)
{
    stretches->states[node].free = INT32_MIN;
    memset(loom_stretches_at(stretches, node), 0, stretches->widths * sizeof(int16_t));
}

static inline void loom_stretches_join(struct loom_stretches *stretches, uint32_t node,
                                       const int16_t *more)
{
    int16_t *longest = loom_stretches_at(stretches, node);
    for (unsigned width = 0; width < stretches->widths; width++)
        longest[width] = longest[width] > more[width] ? longest[width] : more[width];
}

/* Find those that begin in a leaf, before which so many processors are free. */
void loom_stretches_find(struct loom_stretches *stretches, const struct loom_tree *tree,
                         uint32_t leaf, int32_t free);

#endif

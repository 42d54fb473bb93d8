/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reproduction.h - items with their measured claims. */
#ifndef LOOM_REPRODUCE_REPRODUCTION_H
#define LOOM_REPRODUCE_REPRODUCTION_H

#include "base/arena.h"
#include "reproduce/item.h"

struct loom_done_claim {
    struct loom_measured measured;
    struct loom_measured other; /* with the replications of the other of quick and full */
    bool other_known;
    enum loom_verdict other_verdict;
    size_t wanted; /* replications, as in the text; 0: nothing is random */
    bool known;
    bool substitute; /* on the log that stands in for the text's */
    enum loom_verdict verdict;
    const char *used, *reason, *command; /* NULL, or in the arena */
};

struct loom_done_item {
    const struct loom_chapter *chapter;
    const struct loom_item *item;
    enum loom_verdict verdict;
    struct loom_done_claim *claims;
};

struct loom_drawing;

/* Figures and the items they belong to, by index. */
struct loom_figures {
    struct loom_drawing *drawings;
    size_t *items;
    size_t n, capacity, items_capacity;
};

struct loom_reproduction {
    struct loom_done_item *items;
    size_t n;
    bool stopped, quick;
    uint64_t seed;
    struct loom_figures figures; /* empty: not wanted */
    struct loom_arena arena;
};

#endif

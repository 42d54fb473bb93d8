/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tree.h - entries in order, many to a block: the B+ tree below queue.c and profile.c.
 *
 * An entry is a key, a number that decides between equal keys, and two numbers of its owner's; in a
 * plain tree it is a key and one number, and takes less memory. The owner also keeps, for each
 * node, a summary of the entries below it, by which a search can tell where not to look. The tree
 * takes care of the order, of splitting what is full and of dropping what is empty; the owner takes
 * care of the summaries: after an insertion or removal it goes from the leaf up to the root. Where
 * the tree has moved entries between nodes it calls `summarize` on them.
 *
 * Nodes are numbers into one array, which moves when it grows. Leaves are linked in order. A node
 * is never empty, except the root, so a search that follows summaries can stop at the first leaf.
 *
 * Separators are lower bounds: all entries of child i of a node stand at or behind its key[i].
 * Removing does not tighten them.
 */
#ifndef LOOM_SIM_INDEX_TREE_H
#define LOOM_SIM_INDEX_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LOOM_LEAF_ENTRIES = 64, LOOM_NODE_CHILDREN = 16 };
#define LOOM_NO_NODE UINT32_MAX

struct loom_leaf {
    int64_t key[LOOM_LEAF_ENTRIES];
    int32_t a[LOOM_LEAF_ENTRIES];
};

/* What the entries of a leaf have beside that, unless the tree is plain. */
struct loom_more {
    uint32_t tie[LOOM_LEAF_ENTRIES];
    int16_t b[LOOM_LEAF_ENTRIES];
};

struct loom_branch {
    int64_t key[LOOM_NODE_CHILDREN];
    uint32_t tie[LOOM_NODE_CHILDREN];
    uint32_t child[LOOM_NODE_CHILDREN];
};

struct loom_node {
    uint32_t parent;
    uint32_t next, prev; /* of the same level */
    uint16_t n;          /* entries or children */
    uint16_t level;      /* 0 for a leaf */
    union {
        struct loom_leaf leaf;
        struct loom_branch branch;
    };
};

struct loom_tree {
    struct loom_node *nodes;
    struct loom_more *more; /* by node; NULL in a plain tree */
    size_t capacity, more_capacity;
    uint32_t n_nodes, spare; /* used so far, and the first of those given back, linked by next */
    uint32_t root;           /* LOOM_NO_NODE while there is none, if there are any nodes */
    size_t n;                /* entries */
    bool plain;              /* every tie and every b is 0 */
    void *owner;
    void (*summarize)(void *owner, uint32_t node);
    int (*make_room)(void *owner, size_t nodes); /* for summaries; 0, or -1 when memory is out */
};

struct loom_entry {
    int64_t key;
    uint32_t tie;
    int32_t a;
    int16_t b;
};

/* A place: entry `at` of a leaf. leaf is LOOM_NO_NODE behind the last. */
struct loom_place {
    uint32_t leaf, at;
};

void loom_tree_reset(struct loom_tree *tree);
void loom_tree_free(struct loom_tree *tree);

/* Put an entry in its place, of which there must be none equal. Returns its leaf, or LOOM_NO_NODE
 * when memory is out; then the tree is as it was. */
uint32_t loom_tree_insert(struct loom_tree *tree, const struct loom_entry *entry);
/* Where an entry is, or where it would have to go: behind the last of its leaf, perhaps, and in no
 * leaf if there is none. */
struct loom_place loom_tree_seat(const struct loom_tree *tree, int64_t key, uint32_t tie);
/* The same, where it is likely to be in this leaf, or in one that has been dropped since. */
struct loom_place loom_tree_seat_near(const struct loom_tree *tree, uint32_t leaf, int64_t key,
                                      uint32_t tie);
/* loom_tree_insert for an entry whose seat is known. */
uint32_t loom_tree_insert_at(struct loom_tree *tree, struct loom_place seat,
                             const struct loom_entry *entry);
/* Take an entry out of its leaf. The owner then brings the summaries up to date and calls
 * loom_tree_prune, which drops the leaf if that was its last entry. */
void loom_tree_remove(struct loom_tree *tree, struct loom_place place);
void loom_tree_prune(struct loom_tree *tree, uint32_t leaf);

/* The owner has given the entries other keys, in whose order they are. It takes care of the
 * summaries of leaves; those of branches are made anew if it says so. */
void loom_tree_rekey(struct loom_tree *tree, bool summaries);

/* The first entry at or behind (key, tie). */
struct loom_place loom_tree_find(const struct loom_tree *tree, int64_t key, uint32_t tie);
/* Which child of its parent a node is. */
uint32_t loom_tree_rank(const struct loom_tree *tree, uint32_t node);

/* The first of all. */
static inline struct loom_place loom_tree_first(const struct loom_tree *tree)
{
    if (tree->n == 0)
        return (struct loom_place){LOOM_NO_NODE, 0};
    uint32_t number = tree->root;
    while (tree->nodes[number].level > 0)
        number = tree->nodes[number].branch.child[0];
    return (struct loom_place){number, 0};
}

static inline struct loom_place loom_tree_next(const struct loom_tree *tree,
                                               struct loom_place place)
{
    const struct loom_node *leaf = &tree->nodes[place.leaf];
    if (++place.at < leaf->n)
        return place;
    return (struct loom_place){leaf->next, 0};
}

#endif

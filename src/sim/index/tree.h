/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tree.h - entries in order, many to a block: the B+ tree below profile.c.
 *
 * An entry is a key and a number of its owner's. The owner also keeps, for each node, a summary of
 * the entries below it, by which a search can skip what cannot fit. The tree takes care of the
 * order, of splitting what is full and of dropping what is empty; the owner takes care of the
 * summaries: after an insertion or removal it goes from the leaf up to the root. Where the tree has
 * moved entries between nodes it calls `summarize` on them.
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

struct loom_branch {
    int64_t key[LOOM_NODE_CHILDREN];
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
    size_t capacity;
    uint32_t n_nodes, spare; /* used so far, and the first of those given back, linked by next */
    uint32_t root;           /* LOOM_NO_NODE while there is none, if there are any nodes */
    size_t n;                /* entries */
    void *owner;
    void (*summarize)(void *owner, uint32_t node);
    int (*make_room)(void *owner, size_t nodes); /* for summaries; 0, or -1 when memory is out */
};

/* A place: entry `at` of a leaf. leaf is LOOM_NO_NODE behind the last. */
struct loom_place {
    uint32_t leaf, at;
};

void loom_tree_reset(struct loom_tree *tree);
void loom_tree_free(struct loom_tree *tree);

/* Put an entry in its place, of which there must be none equal. Returns its leaf, or LOOM_NO_NODE
 * when memory is out; then the tree is as it was. */
uint32_t loom_tree_insert(struct loom_tree *tree, int64_t key, int32_t a);
/* Where an entry is, or where it would have to go: behind the last of its leaf, perhaps, and in no
 * leaf if there is none. It is likely to be in this leaf, or in one that has been dropped since. */
struct loom_place loom_tree_place_near(const struct loom_tree *tree, uint32_t leaf, int64_t key);
/* loom_tree_insert for an entry whose place is known. */
uint32_t loom_tree_insert_at(struct loom_tree *tree, struct loom_place place, int64_t key,
                             int32_t a);
/* Take an entry out of its leaf. The owner then brings the summaries up to date and calls
 * loom_tree_prune, which drops the leaf if that was its last entry. */
void loom_tree_remove(struct loom_tree *tree, struct loom_place place);
void loom_tree_prune(struct loom_tree *tree, uint32_t leaf);

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

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Entries in order, many to a block. */
#include "sim/index/tree.h"

#include "base/vec.h"

void loom_tree_reset(struct loom_tree *tree)
{
    tree->n_nodes = 0;
    tree->spare = tree->root = LOOM_NO_NODE;
    tree->n = 0;
}

void loom_tree_free(struct loom_tree *tree)
{
    free(tree->nodes);
    tree->nodes = NULL;
    tree->capacity = 0;
    loom_tree_reset(tree);
}

/* ---- nodes ----------------------------------------------------------------------------------- */

/* Room for n more nodes. */
static int reserve(struct loom_tree *tree, size_t n)
{
    while (tree->n_nodes + n > tree->capacity)
        if (loom_grow(&tree->nodes, tree->capacity, &tree->capacity))
            return -1;
    return tree->make_room(tree->owner, tree->capacity);
}

static uint32_t new_node(struct loom_tree *tree, unsigned level)
{
    uint32_t number = tree->spare;
    if (number == LOOM_NO_NODE)
        number = tree->n_nodes++;
    else
        tree->spare = tree->nodes[number].next;
    struct loom_node *node = &tree->nodes[number];
    node->parent = node->next = node->prev = LOOM_NO_NODE;
    node->n = 0;
    node->level = (uint16_t)level;
    return number;
}

static void drop_node(struct loom_tree *tree, uint32_t number)
{
    struct loom_node *node = &tree->nodes[number];
    if (node->prev != LOOM_NO_NODE)
        tree->nodes[node->prev].next = node->next;
    if (node->next != LOOM_NO_NODE)
        tree->nodes[node->next].prev = node->prev;
    node->next = tree->spare;
    tree->spare = number;
}

uint32_t loom_tree_rank(const struct loom_tree *tree, uint32_t node)
{
    const struct loom_node *parent = &tree->nodes[tree->nodes[node].parent];
    uint32_t rank = 0;
    while (parent->branch.child[rank] != node)
        rank++;
    return rank;
}

/* ---- searching ------------------------------------------------------------------------------- */

/* The last child whose separator is not behind the key; the first if there is none. All are
 * counted, as nobody could foresee where a loop would end. */
static uint32_t child_for(const struct loom_node *node, int64_t key)
{
    uint32_t at = 0;
    for (uint32_t i = 1; i < node->n; i++)
        at += node->branch.key[i] <= key;
    return at;
}

static uint32_t leaf_for(const struct loom_tree *tree, int64_t key)
{
    uint32_t number = tree->root;
    while (tree->nodes[number].level > 0) {
        const struct loom_node *node = &tree->nodes[number];
        number = node->branch.child[child_for(node, key)];
    }
    return number;
}

/* The first entry of a leaf at or behind the key, or its n. */
static uint32_t place_in(const struct loom_tree *tree, uint32_t number, int64_t key)
{
    const struct loom_leaf *leaf = &tree->nodes[number].leaf;
    uint32_t base = 0, n = tree->nodes[number].n;
    /* Halving without branches: base is at or before the place, which is within n of it. */
    while (n > 0) {
        uint32_t half = (n + 1) / 2, middle = base + half - 1;
        uint32_t is_behind = leaf->key[middle] < key;
        base += half & (0u - is_behind);
        n -= half;
    }
    return base;
}

static struct loom_place place_of(const struct loom_tree *tree, int64_t key)
{
    if (tree->n == 0)
        return (struct loom_place){LOOM_NO_NODE, 0};
    uint32_t leaf = leaf_for(tree, key);
    return (struct loom_place){leaf, place_in(tree, leaf, key)};
}

struct loom_place loom_tree_place_near(const struct loom_tree *tree, uint32_t leaf, int64_t key)
{
    const struct loom_node *node = leaf < tree->n_nodes ? &tree->nodes[leaf] : NULL;
    /* What was dropped is empty, or has become something else that is right to look into. */
    uint32_t last = node && node->n > 0 ? node->n - 1u : 0;
    if (!node || node->level > 0 || node->n == 0 || key < node->leaf.key[0] ||
        node->leaf.key[last] < key)
        return place_of(tree, key);
    return (struct loom_place){leaf, place_in(tree, leaf, key)};
}

/* ---- splitting ------------------------------------------------------------------------------- */

#define MOVE(to, from, n) memmove((to), (from), (size_t)(n) * sizeof *(to))

/* Copy n entries from one place to another, perhaps of the same leaf. */
static void shift(const struct loom_tree *tree, struct loom_place to, struct loom_place from,
                  uint32_t n)
{
    if (n == 0)
        return;
    struct loom_leaf *leaf = &tree->nodes[to.leaf].leaf;
    const struct loom_leaf *old = &tree->nodes[from.leaf].leaf;
    MOVE(leaf->key + to.at, old->key + from.at, n);
    MOVE(leaf->a + to.at, old->a + from.at, n);
}

static void insert_child(struct loom_tree *tree, uint32_t parent, uint32_t at, uint32_t child,
                         int64_t key)
{
    struct loom_node *node = &tree->nodes[parent];
    struct loom_branch *branch = &node->branch;
    uint32_t rest = node->n - at;
    MOVE(branch->key + at + 1, branch->key + at, rest);
    MOVE(branch->child + at + 1, branch->child + at, rest);
    branch->key[at] = key;
    branch->child[at] = child;
    node->n++;
    tree->nodes[child].parent = parent;
}

static void move_children(struct loom_tree *tree, uint32_t to, const struct loom_node *from,
                          uint32_t first)
{
    struct loom_node *node = &tree->nodes[to];
    uint32_t n = from->n - first;
    MOVE(node->branch.key, from->branch.key + first, n);
    MOVE(node->branch.child, from->branch.child + first, n);
    for (uint32_t i = 0; i < n; i++)
        tree->nodes[node->branch.child[i]].parent = to;
}

/* A new node behind `number`, which takes over its entries or children from `first` on. */
static uint32_t split_off(struct loom_tree *tree, uint32_t number, uint32_t first)
{
    uint32_t fresh = new_node(tree, tree->nodes[number].level);
    struct loom_node *left = &tree->nodes[number], *right = &tree->nodes[fresh];
    if (left->level == 0)
        shift(tree, (struct loom_place){fresh, 0}, (struct loom_place){number, first},
              left->n - first);
    else
        move_children(tree, fresh, left, first);
    right->n = (uint16_t)(left->n - first);
    left->n = (uint16_t)first;
    right->next = left->next;
    right->prev = number;
    left->next = fresh;
    if (right->next != LOOM_NO_NODE)
        tree->nodes[right->next].prev = fresh;
    return fresh;
}

/* A root above the old one, whose separator may be anything. */
static void raise_root(struct loom_tree *tree)
{
    uint32_t old = tree->root;
    uint32_t root = new_node(tree, tree->nodes[old].level + 1u);
    insert_child(tree, root, 0, old, INT64_MIN);
    tree->root = root;
    tree->summarize(tree->owner, root);
}

/* Does the key belong behind all that a node has, and all of its level? */
static bool is_at_edge(const struct loom_tree *tree, uint32_t number, int64_t key)
{
    const struct loom_node *node = &tree->nodes[number];
    uint32_t last = node->n - 1u;
    if (node->next != LOOM_NO_NODE)
        return false;
    return node->level == 0 ? node->leaf.key[last] < key : node->branch.key[last] <= key;
}

/* Make room in a full node, and say in which of the two the place of the key is now. At the
 * right edge, where a queue grows, what is full stays full: a leaf keeps all it has, and a branch
 * all but the last child, which is the one that splits. */
static uint32_t split(struct loom_tree *tree, uint32_t number, int64_t key)
{
    if (number == tree->root)
        raise_root(tree);
    uint32_t parent = tree->nodes[number].parent;
    if (tree->nodes[parent].n == LOOM_NODE_CHILDREN)
        split(tree, parent, key);
    const struct loom_node *node = &tree->nodes[number];
    bool is_leaf = node->level == 0, at_edge = is_at_edge(tree, number, key);
    uint32_t first = !at_edge ? node->n / 2u : is_leaf ? node->n : node->n - 1u;
    uint32_t fresh = split_off(tree, number, first);
    const struct loom_node *right = &tree->nodes[fresh];
    int64_t edge_key = !is_leaf ? right->branch.key[0] : at_edge ? key : right->leaf.key[0];
    parent = tree->nodes[number].parent;
    insert_child(tree, parent, loom_tree_rank(tree, number) + 1, fresh, edge_key);
    tree->summarize(tree->owner, number);
    tree->summarize(tree->owner, fresh);
    return key < edge_key ? number : fresh;
}

/* Let two leaves, one behind the other and below one parent, have as many entries each. */
static void even_out(struct loom_tree *tree, uint32_t left, uint32_t right)
{
    struct loom_node *a = &tree->nodes[left], *b = &tree->nodes[right];
    uint32_t total = (uint32_t)a->n + b->n, half = total / 2;
    struct loom_place begin = {right, 0};
    if (a->n > half) {
        shift(tree, (struct loom_place){right, a->n - half}, begin, b->n);
        shift(tree, begin, (struct loom_place){left, half}, a->n - half);
    } else {
        shift(tree, (struct loom_place){left, a->n}, begin, half - a->n);
        shift(tree, begin, (struct loom_place){right, half - a->n}, total - half);
    }
    a->n = (uint16_t)half;
    b->n = (uint16_t)(total - half);
    struct loom_branch *branch = &tree->nodes[b->parent].branch;
    uint32_t rank = loom_tree_rank(tree, right);
    branch->key[rank] = b->leaf.key[0];
    tree->summarize(tree->owner, left);
    tree->summarize(tree->owner, right);
}

static bool has_room(const struct loom_tree *tree, uint32_t leaf, uint32_t parent)
{
    return leaf != LOOM_NO_NODE && tree->nodes[leaf].parent == parent &&
           tree->nodes[leaf].n <= LOOM_LEAF_ENTRIES * 3 / 4;
}

/* Make room in a full leaf for the key, and say in which leaf its place is now. Only where both
 * neighbours are nearly full as well is it split: most leaves are to be so. */
static uint32_t relieve(struct loom_tree *tree, uint32_t leaf, int64_t key)
{
    const struct loom_node *node = &tree->nodes[leaf];
    bool from_left = has_room(tree, node->prev, node->parent);
    if (is_at_edge(tree, leaf, key) || !(from_left || has_room(tree, node->next, node->parent)))
        return split(tree, leaf, key);
    uint32_t left = from_left ? node->prev : leaf, right = from_left ? leaf : node->next;
    even_out(tree, left, right);
    return key < tree->nodes[right].leaf.key[0] ? left : right;
}

/* ---- changing -------------------------------------------------------------------------------- */

static uint32_t put(struct loom_tree *tree, struct loom_place place, int64_t key, int32_t a)
{
    struct loom_node *node = &tree->nodes[place.leaf];
    shift(tree, (struct loom_place){place.leaf, place.at + 1}, place, node->n - place.at);
    node->leaf.key[place.at] = key;
    node->leaf.a[place.at] = a;
    node->n++;
    tree->n++;
    return place.leaf;
}

uint32_t loom_tree_insert(struct loom_tree *tree, int64_t key, int32_t a)
{
    if (tree->n_nodes == 0)
        loom_tree_reset(tree);
    /* Every level may split, and a root be raised. */
    if (reserve(tree, tree->n_nodes == 0 ? 1 : tree->nodes[tree->root].level + 2u))
        return LOOM_NO_NODE;
    if (tree->root == LOOM_NO_NODE) {
        tree->root = new_node(tree, 0);
        tree->summarize(tree->owner, tree->root);
    }
    uint32_t number = leaf_for(tree, key);
    if (tree->nodes[number].n == LOOM_LEAF_ENTRIES)
        number = relieve(tree, number, key);
    return put(tree, (struct loom_place){number, place_in(tree, number, key)}, key, a);
}

uint32_t loom_tree_insert_at(struct loom_tree *tree, struct loom_place place, int64_t key,
                             int32_t a)
{
    if (place.leaf == LOOM_NO_NODE || tree->nodes[place.leaf].n == LOOM_LEAF_ENTRIES)
        return loom_tree_insert(tree, key, a);
    return put(tree, place, key, a);
}

void loom_tree_remove(struct loom_tree *tree, struct loom_place place)
{
    struct loom_node *node = &tree->nodes[place.leaf];
    shift(tree, place, (struct loom_place){place.leaf, place.at + 1}, node->n - place.at - 1);
    node->n--;
    tree->n--;
}

static void remove_child(struct loom_tree *tree, uint32_t number)
{
    uint32_t at = loom_tree_rank(tree, number);
    struct loom_node *parent = &tree->nodes[tree->nodes[number].parent];
    struct loom_branch *branch = &parent->branch;
    uint32_t rest = parent->n - at - 1;
    MOVE(branch->key + at, branch->key + at + 1, rest);
    MOVE(branch->child + at, branch->child + at + 1, rest);
    parent->n--;
}

void loom_tree_prune(struct loom_tree *tree, uint32_t leaf)
{
    uint32_t number = leaf;
    while (number != tree->root && tree->nodes[number].n == 0) {
        uint32_t parent = tree->nodes[number].parent;
        remove_child(tree, number);
        drop_node(tree, number);
        number = parent;
    }
    while (tree->nodes[tree->root].level > 0 && tree->nodes[tree->root].n == 1) {
        uint32_t child = tree->nodes[tree->root].branch.child[0];
        drop_node(tree, tree->root);
        tree->root = child;
        tree->nodes[child].parent = LOOM_NO_NODE;
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * plan.h - the inside of a plan: entries with their places (plan.c, plan_read.c), the cells they
 * expand to (plan_expand.c, plan_check.c), and what these point at (plan_parts.c, plan_load.c).
 */
#ifndef LOOM_EXPERIMENT_PLAN_H
#define LOOM_EXPERIMENT_PLAN_H

#include "base/arena.h"
#include "experiment/params.h"
#include "experiment/store.h"
#include "experiment/tool.h"

#include <workloom/experiment_plan.h>

/* Meaning of several values of a key. */
enum loom_key_kind {
    LOOM_KEY_CROSSED, /* a cell for each */
    LOOM_KEY_LISTED,  /* all of them in each cell */
    LOOM_KEY_PLAN,    /* of the plan as a whole */
};

struct loom_plan_value {
    const char *text; /* NULL: a flag that is set */
    int line, column; /* 0: an option */
};

/* A key with its values. */
struct loom_plan_entry {
    const struct loom_param *param;
    enum loom_key_kind kind;
    struct loom_plan_value *values;
    size_t n, capacity;
    bool option; /* set by loom_plan_set, which replaces what the file has */
};

/* Entries that are crossed among themselves, by number of the key. */
struct loom_plan_block {
    struct loom_plan_entry *entries; /* loom_plan_keys() of them */
};

/* A combination of values, and the scenario of its runs. */
struct loom_plan_cell {
    struct loom_params *params;
    const struct loom_plan_block *block;   /* for places of errors */
    const struct loom_plan_value **chosen; /* of each key that is crossed; NULL: not given */
    struct loom_scenario scenario;         /* of replication 0 */
    size_t workload; /* cells of one number have the same jobs but for the load */
    bool random;
    int64_t replications;
    char hash[LOOM_HASH_TEXT];
    struct loom_store_cell stored;
    const char *identity; /* what the hash is of */
};

/* An object that cells share. */
struct loom_plan_part;

struct loom_plan {
    struct loom_arena arena;
    const char *file; /* NULL: options only */
    char *text;       /* the file, then options */
    struct loom_plan_block base;
    struct loom_plan_block *listed;
    size_t n_listed, listed_capacity;
    struct loom_plan_block *merged; /* blocks of cells: base with each listed one */
    size_t n_merged;
    struct loom_plan_cell *cells;
    size_t n_cells, cells_capacity;
    uint64_t seed;
    int64_t replications;
    const char *metrics;
    struct loom_plan_part *parts;
    struct loom_schedulers *schedulers;
    struct loom_store_setting *inputs;
    size_t n_inputs, inputs_capacity;
    struct loom_plan_log *logs; /* in the order in which they were read */
    size_t n_logs, logs_capacity;
};

/* ---- keys and entries (plan.c)
 * -------------------------------------------------------------------------- */

/* Return the number of keys. */
size_t loom_plan_keys(void);
/* Return the declaration and kind of the key at an index. */
const struct loom_param *loom_plan_key(size_t index, enum loom_key_kind *kind);
/* Return the key that this one requires; NULL if there is none. Static. */
const char *loom_plan_need(const char *name);
/* Find a key by name; LOOM_EUSAGE with the nearest one. */
int loom_plan_find(size_t *index, const char *name, struct loom_error *err);
/* Make an empty block. */
int loom_plan_block(struct loom_plan_block *out, struct loom_error *err);
void loom_plan_block_free(struct loom_plan_block *block);
/* Add a value of a key to a block; the text is copied. */
int loom_plan_add(struct loom_plan *plan, struct loom_plan_block *block, size_t key,
                  const char *text, int line, int column, struct loom_error *err);
/* Put the place of a value into an error, unless it has one. Returns rc. */
int loom_plan_place(int rc, const struct loom_plan *plan, const struct loom_plan_value *value,
                    struct loom_error *err);

/* ---- cells ----------------------------------------------------------------------------------- */

/* Make the cells, with their entries checked one by one (plan_expand.c). */
int loom_plan_expand(struct loom_plan *plan, struct loom_error *err);
/* Check which keys require or exclude each other, and that files exist, before any is read
 * (plan_check.c). */
int loom_plan_check(struct loom_plan *plan, struct loom_error *err);
/* Fail at the place where a cell has its value of a key. */
int loom_plan_blame(int rc, const struct loom_plan *plan, const struct loom_plan_cell *cell,
                    const char *key, struct loom_error *err);
/* Put the place of the key that the error names, if it names one, into the error. */
int loom_plan_locate(int rc, const struct loom_plan *plan, const struct loom_plan_cell *cell,
                     struct loom_error *err);

/* Read and make what the scenario of a cell points at (plan_parts.c). */
int loom_plan_parts(struct loom_plan *plan, struct loom_plan_cell *cell, struct loom_pool *pool,
                    struct loom_error *err);
void loom_plan_parts_free(struct loom_plan *plan);
/* Note a file that was read, by its content, once (plan_identity.c). */
int loom_plan_note_input(struct loom_plan *plan, const char *path, uint64_t hash,
                         struct loom_error *err);
/* Name the cell and hash it (plan_identity.c). */
int loom_plan_identify(struct loom_plan *plan, struct loom_plan_cell *cell, struct loom_error *err);
/* Write the hash of a run of a cell. */
void loom_plan_run_hash(char out[LOOM_HASH_TEXT], const struct loom_plan_cell *cell,
                        int64_t replication);
/* Return whether the value names the file of a model, not a model. */
bool loom_plan_model_file(const char *text);

#endif

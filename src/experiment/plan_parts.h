/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * plan_parts.h - the objects that the scenarios of a plan point at, each made once for all cells
 * that have the same values of its keys (plan_parts.c, plan_source.c).
 */
#ifndef LOOM_EXPERIMENT_PLAN_PARTS_H
#define LOOM_EXPERIMENT_PLAN_PARTS_H

#include "experiment/plan.h"

/* An object that cells share, known by the values that it is made from. */
struct loom_plan_part {
    struct loom_plan_part *next;
    char *keys;   /* the kind, and keys with values */
    void *object; /* NULL until it is made */
    void (*destroy)(void *object);
};

/* A cell whose parts are being made. */
struct loom_plan_making {
    struct loom_plan *plan;
    struct loom_plan_cell *cell;
    struct loom_pool *pool;
};

enum { LOOM_PART_NAMES = 4, LOOM_PART_LISTS = 6 };

/* The keys that a kind of part is made from: single ones, and whole lists of declared parameters,
 * so that a parameter added to a list counts here too. Both end at the first NULL. */
struct loom_part_keys {
    const char *names[LOOM_PART_NAMES];
    const struct loom_param *lists[LOOM_PART_LISTS];
};

/* Find the part of a kind that is made of the cell's values of these keys, or add one without an
 * object. more may be NULL. Parts are destroyed newest first: add a part after those it uses.
 * Returns NULL when memory is out. */
struct loom_plan_part *loom_plan_part_find(const struct loom_plan_making *making, const char *kind,
                                           const struct loom_part_keys *keys,
                                           const struct loom_part_keys *more);

/* How a log is read and which of its jobs are taken: all but its path (plan_source.c). */
extern const struct loom_part_keys loom_log_keys;

/* Make the source of a cell's jobs: log, model, resampled log, or users who react. */
int loom_plan_take_source(const struct loom_plan_making *making, struct loom_error *err);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sizeclass.h - runtimes by size of job, as figure 1 of the survey shows them: one distribution for
 * each range of sizes between powers of two.
 */
#ifndef LOOM_FEATURES_SIZECLASS_H
#define LOOM_FEATURES_SIZECLASS_H

#include "features/family.h"

/* 1, 2, 3-4, 5-8, 9-16, ... processors, up to what an int32_t holds. */
enum { LOOM_SIZE_CLASSES = 32 };

struct loom_size_class {
    int32_t low, high; /* processors, both included */
    size_t n;
    double *runtimes; /* ascending, n of them, in one block for all classes */
};

struct loom_size_classes {
    struct loom_size_class classes[LOOM_SIZE_CLASSES];
    size_t n;    /* jobs in all classes: those that know runtime and processors */
    double *all; /* the block */
};

int loom_size_classes_create(struct loom_size_classes *out, const struct loom_workload *jobs,
                             struct loom_error *err);
void loom_size_classes_free(struct loom_size_classes *classes);

#endif

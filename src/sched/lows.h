/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lows.h - a set of jobs, each with a value and a width, and the question which is the next one, in
 * the order of submission, whose value is at most what there is for jobs of its width.
 *
 * Each block of jobs knows the lowest value by class of widths. A class holds widths less than a
 * quarter apart; up to 7 each has its own.
 */
#ifndef LOOM_SCHED_LOWS_H
#define LOOM_SCHED_LOWS_H

#include "sched/tiers.h"

enum { LOOM_WIDTH_CLASSES = 4 * 30 };

struct loom_lows {
    struct loom_tiers tiers;
    int64_t *values; /* by job */
    uint8_t *classes;
    size_t values_capacity, classes_capacity;
    unsigned n_classes;
};

/* No jobs, none of more than `widest` processors to come. */
void loom_lows_open(struct loom_lows *lows, int64_t widest);
void loom_lows_free(struct loom_lows *lows);

/* The class of a width, and the narrowest width of a class. */
unsigned loom_width_class(int64_t procs);
int64_t loom_class_width(unsigned class);

/* 0, or -1 when memory is out. */
int loom_lows_add(struct loom_lows *lows, uint32_t job, int64_t procs, int64_t value);
void loom_lows_remove(struct loom_lows *lows, uint32_t job);
bool loom_lows_has(const struct loom_lows *lows, uint32_t job);

/* The lowest value of all, INT64_MAX if there are no jobs. */
int64_t loom_lows_lowest(const struct loom_lows *lows);

/* May a block hold a job with a value of at most limit[class]? */
bool loom_lows_may(const struct loom_lows *lows, unsigned tier, uint32_t block,
                   const int64_t *limit);

#endif

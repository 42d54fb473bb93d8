/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pairs.h - similarity of the values of sessions over all pairs of jobs, without enumerating the
 * pairs.
 *
 * The similarity of two values is the smaller divided by the larger, and 1 for equal ones, zeros
 * included (Zakay, chapter 3, section 3). Sessions are runs of values, each in ascending order. At
 * distance 0 a pair is two different jobs of one session; at distance d, a job of one session and a
 * job of the d-th session after it.
 */
#ifndef LOOM_FEATURES_PAIRS_H
#define LOOM_FEATURES_PAIRS_H

#include <stddef.h>
#include <stdint.h>

/* The sessions of one user that follow each other. */
struct loom_pairs {
    const double *values;  /* none negative; ascending within a session */
    const uint32_t *first; /* by session: its first value; sessions + 1 entries */
    size_t sessions;
    size_t distance;
};

uint64_t loom_pairs_count(const struct loom_pairs *pairs);
/* All of these need at least one pair, and take O(values), the median times a logarithm. */
double loom_pairs_mean(const struct loom_pairs *pairs);
double
loom_pairs_identical(const struct loom_pairs *pairs); /* the share of pairs of equal values */
/* The mean of the two in the middle where the number of pairs is even. room holds
 * loom_pairs_room(). */
double loom_pairs_median(const struct loom_pairs *pairs, double *scratch);
size_t loom_pairs_room(const struct loom_pairs *pairs);

/* A median that is known only as well as it needs to be: it lies between low and high, and is known
 * when they are equal. What follows is how it is narrowed. */
struct loom_middle {
    double low, high;
    const struct loom_pairs *pairs;
    double *scratch;
    uint64_t first, last;           /* ranks of the two in the middle, or of the one */
    uint64_t above_low, above_high; /* pairs more similar than the ends of the range */
};

/* pairs, of which there is at least one, and room are borrowed. */
void loom_middle_open(struct loom_middle *middle, const struct loom_pairs *pairs, double *scratch);
void loom_middle_narrow(struct loom_middle *middle);
/* Narrow both until it is clear which is the larger: 1 if it is a, by more than `equal`, -1 if b, 0
 * if neither. */
int loom_middle_compare(struct loom_middle *a, struct loom_middle *b, double equal);

#endif

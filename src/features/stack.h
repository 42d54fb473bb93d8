/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stack.h - recency of values by stack depth: the LRU stack of Zakay, chapter 3, section 5.2.
 *
 * Values are looked up one after the other in a stack, from its top. One that is found notes the
 * number of entries above the entry that matched, and moves that entry, as it is, to the top. One
 * that is not found goes on top, and notes the number of entries that were searched, all of them:
 * the text leaves open what it notes, and this gives the printed figures. The smaller the mean of
 * the numbers noted, the more the values come in stretches of equal ones.
 */
#ifndef LOOM_FEATURES_STACK_H
#define LOOM_FEATURES_STACK_H

#include <workloom/base.h>

/* Which entry a value matches: an equal one, or one that it differs from by at most 5 % of the
 * entry. */
enum loom_match { LOOM_MATCH_EQUAL, LOOM_MATCH_WITHIN_5_PERCENT };

/* The mean depth of n values, none of which is negative, in O(n log n). Fails with LOOM_EDATA if
 * none of them is found again. */
int loom_stack_depth(double *mean, const int64_t *values, size_t n, enum loom_match match,
                     struct loom_error *err);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verdict.h - what a measured number says about a claim, and claims about an item. */
#ifndef LOOM_REPRODUCE_VERDICT_H
#define LOOM_REPRODUCE_VERDICT_H

#include "reproduce/item.h"

/* Return the tolerance of a claim as an absolute number. */
double loom_claim_tolerance(const struct loom_claim *claim);
/* Fail with LOOM_EDATA if a number is not finite, or an end of its interval is no number: it cannot
 * be judged. An end without limit is allowed. */
int loom_measured_check(const struct loom_measured *measured, struct loom_error *err);
/* Return the number of an extreme of fewer runs than the text has: the runs that are missing can
 * only raise it, so that its interval has no upper end. */
struct loom_measured loom_measured_at_least(double value, size_t n);
/* Return whether a number with an interval is such an extreme. */
bool loom_is_at_least(double value, double low, double high);
/* Judge a finite number. Where it has an interval, the verdict is about the interval: a printed
 * number further from it than the tolerance differs, one within the tolerance of the estimate
 * itself is the same, and a bound must lie outside of the interval. LOOM_UNDECIDED: the interval is
 * wider than twice the tolerance, comes within it though the estimate does not, or has the bound
 * inside. An extreme of fewer runs than the text has differs if it is already more than the claim
 * allows, holds where a statement wants more than a bound that it has passed, and is undecided
 * otherwise. */
enum loom_verdict loom_judge(const struct loom_claim *claim, const struct loom_measured *measured,
                             bool substitute);
/* Return how many replications would decide an undecided claim if the estimate stays and the
 * interval narrows with the root of their number, rounded up to two digits, or as many as the text
 * has for an extreme of fewer; 0: not known. */
size_t loom_replications_deciding(const struct loom_claim *claim,
                                  const struct loom_measured *measured);
/* Return the verdict of an item, given its claims' verdicts: the worst of the claims that could be
 * tested and are not further readings. */
enum loom_verdict loom_judge_item(const struct loom_item *item, const enum loom_verdict *claims);

#endif

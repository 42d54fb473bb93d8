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
/* Judge a finite number. Where it has an interval, the verdict is about the interval: a printed
 * number further from it than the tolerance differs, one within the tolerance of the estimate
 * itself is the same, and a bound must lie outside of the interval. LOOM_UNDECIDED: the interval is
 * wider than twice the tolerance, comes within it though the estimate does not, or has the bound
 * inside. */
enum loom_verdict loom_judge(const struct loom_claim *claim, const struct loom_measured *measured,
                             bool substitute);
/* Return how many replications would decide an undecided claim if the estimate stays and the
 * interval narrows with the root of their number, rounded up to two digits; 0: not known. */
size_t loom_replications_deciding(const struct loom_claim *claim,
                                  const struct loom_measured *measured);
/* Return the verdict of an item, given its claims' verdicts: the worst of the claims that could be
 * tested and are not further readings. */
enum loom_verdict loom_judge_item(const struct loom_item *item, const enum loom_verdict *claims);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verdict.h - what a measured number says about a claim, and claims about an item. */
#ifndef LOOM_REPRODUCE_VERDICT_H
#define LOOM_REPRODUCE_VERDICT_H

#include "reproduce/item.h"

/* Return the tolerance of a claim as an absolute number. */
double loom_claim_tolerance(const struct loom_claim *claim);
/* Judge a number. With an interval, a printed number must lie within the tolerance of the interval,
 * and a bound must lie outside of it. */
enum loom_verdict loom_judge(const struct loom_claim *claim, const struct loom_measured *measured,
                             bool substitute);
/* Return the verdict of an item, given those of its claims: the worst that was possible, of claims
 * that are no further readings. */
enum loom_verdict loom_judge_item(const struct loom_item *item, const enum loom_verdict *claims);

#endif

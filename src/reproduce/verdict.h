/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verdict.h - what a measured number says about a claim, and claims about an item. */
#ifndef LOOM_REPRODUCE_VERDICT_H
#define LOOM_REPRODUCE_VERDICT_H

#include "reproduce/item.h"

/* Return the tolerance of a claim as an absolute number. */
double loom_claim_tolerance(const struct loom_claim *claim);
/* Judge a number. Over replications the verdict is about the interval: a printed number must lie
 * within the tolerance of the interval, and a bound outside of it. LOOM_UNDECIDED: the interval is
 * wider than twice the tolerance, or has the bound inside. */
enum loom_verdict loom_judge(const struct loom_claim *claim, const struct loom_measured *measured,
                             bool substitute);
/* Return the verdict of an item, given its claims' verdicts: the worst of the claims that could be
 * tested and are not further readings. */
enum loom_verdict loom_judge_item(const struct loom_item *item, const enum loom_verdict *claims);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* numbers.h - numbers of claims as people read them. All functions return buf. */
#ifndef LOOM_REPRODUCE_NUMBERS_H
#define LOOM_REPRODUCE_NUMBERS_H

#include <workloom/reproduce.h>

/* Write what the text prints: "5.7 +- 0.114", "above 0.5". */
const char *loom_printed_text(const struct loom_reproduced_claim *claim, char *buf, size_t size);
/* Write the log of a claim: "KTH-SP2", "CTC-SP2 (here KTH-SP2)", "". */
const char *loom_log_text(const struct loom_reproduced_claim *claim, char *buf, size_t size);
/* Write how many replications the claims of an item have at least, if they should have more: "n = 5
 * of 50, quick"; else "". */
const char *loom_fewer_text(const struct loom_reproduced_item *item, char *buf, size_t size);
/* Write how many claims of an item could not be tested, where its verdict is about others: "4 of 6
 * claims not possible"; empty if none. */
const char *loom_impossible_text(const struct loom_reproduced_item *item, char *buf, size_t size);
/* Write what was measured: "5.64", "12.3 (11.9 to 12.7; n = 20)", "" if nothing was. With
 * the number of replications that may decide an undecided claim. */
const char *loom_ours_text(const struct loom_reproduced_claim *claim, char *buf, size_t size);
/* Write the number of items and of each verdict. */
const char *loom_counts_text(const struct loom_reproduction *reproduction, char *buf, size_t size);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* against.h - claims with few replications against the same with as many as in the texts. */
#ifndef LOOM_REPRODUCE_AGAINST_H
#define LOOM_REPRODUCE_AGAINST_H

#include <workloom/reproduce.h>

/* A claim whose verdict is another with many replications. Texts are valid as the claim's. */
struct loom_against {
    size_t item, row;                         /* indices; row from 0 */
    struct loom_reproduced_claim quick, full; /* differ by what was measured */
};

/* Store the next such claim from *out on; start with one that is all zero. Returns false past the
 * last. */
bool loom_against_next(struct loom_against *out, const struct loom_reproduction *all);
/* Write how many claims were measured with both numbers of replications, how many verdicts differ,
 * and the count of items by those of many; "" if none was. Returns buf. */
const char *loom_against_text(const struct loom_reproduction *all, char *buf, size_t size);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Verdicts of claims and items. */
#include "reproduce/verdict.h"

#include <math.h>

const char *loom_verdict_name(enum loom_verdict verdict)
{
    static const char *const names[LOOM_VERDICTS] = {"same", "same finding", "substitute",
                                                     "differs", "not possible"};
    return names[verdict];
}

double loom_claim_tolerance(const struct loom_claim *claim)
{
    return fmax(claim->within, claim->share * fabs(claim->printed));
}

/* A statement holds only if the whole interval is on its side: a straddling one shows nothing. */
static bool beyond(enum loom_relation side, double bound, const struct loom_measured *measured)
{
    double low = measured->has_interval ? measured->low : measured->value;
    double high = measured->has_interval ? measured->high : measured->value;
    return side == LOOM_ABOVE ? low > bound : high < bound;
}

/* Rounding of the difference itself must not decide. */
static bool equal(const struct loom_claim *claim, const struct loom_measured *measured)
{
    double low = measured->has_interval ? measured->low : measured->value;
    double high = measured->has_interval ? measured->high : measured->value;
    double slack = loom_claim_tolerance(claim) + 1e-9 * fabs(claim->printed);
    return claim->printed >= low - slack && claim->printed <= high + slack;
}

enum loom_verdict loom_judge(const struct loom_claim *claim, const struct loom_measured *measured,
                             bool substitute)
{
    enum loom_verdict verdict = LOOM_DIFFERS;
    if (claim->is == LOOM_EQUALS && equal(claim, measured))
        verdict = LOOM_SAME;
    else if (claim->is == LOOM_EQUALS
                 ? claim->has_finding && beyond(claim->finding, claim->bound, measured)
                 : beyond(claim->is, claim->printed, measured))
        verdict = LOOM_SAME_FINDING;
    return substitute && verdict != LOOM_DIFFERS ? LOOM_SUBSTITUTE : verdict;
}

enum loom_verdict loom_judge_item(const struct loom_item *item, const enum loom_verdict *claims)
{
    enum loom_verdict worst = LOOM_SAME;
    bool possible = false;
    for (size_t i = 0; i < item->n; i++)
        if (claims[i] != LOOM_NOT_POSSIBLE && !item->claims[i].reading) {
            possible = true;
            worst = claims[i] > worst ? claims[i] : worst;
        }
    return possible ? worst : LOOM_NOT_POSSIBLE;
}

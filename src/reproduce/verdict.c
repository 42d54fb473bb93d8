/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Verdicts of claims and items. */
#include "reproduce/verdict.h"

#include <math.h>

const char *loom_verdict_name(enum loom_verdict verdict)
{
    static const char *const names[LOOM_VERDICTS] = {"same",      "same finding", "substitute",
                                                     "undecided", "differs",      "not possible"};
    return names[verdict];
}

double loom_claim_tolerance(const struct loom_claim *claim)
{
    return fmax(claim->within, claim->share * fabs(claim->printed));
}

int loom_measured_check(const struct loom_measured *measured, struct loom_error *err)
{
    if (!isfinite(measured->value))
        return loom_fail(err, LOOM_EDATA, "the measure gives no finite number (%g)",
                         measured->value);
    if (measured->has_interval && (isnan(measured->low) || isnan(measured->high)))
        return loom_fail(err, LOOM_EDATA, "the interval of the measure has no ends");
    return 0;
}

struct loom_measured loom_measured_at_least(double value, size_t n)
{
    return (struct loom_measured){
        .value = value, .has_interval = true, .low = value, .high = INFINITY, .n = n};
}

bool loom_is_at_least(double value, double low, double high)
{
    return low == value && isinf(high);
}

/* The range of a measured number: its interval, or the number itself. */
struct range {
    double low, high;
};

static struct range range_of(const struct loom_measured *measured)
{
    return measured->has_interval ? (struct range){measured->low, measured->high}
                                  : (struct range){measured->value, measured->value};
}

/* Judge a statement: it holds, or does not, only if the whole range is on one side of the bound. */
static enum loom_verdict judge_side(enum loom_relation side, double bound, struct range range)
{
    bool holds = side == LOOM_ABOVE ? range.low > bound : range.high < bound;
    bool fails = side == LOOM_ABOVE ? range.high <= bound : range.low >= bound;
    return holds ? LOOM_SAME_FINDING : fails ? LOOM_DIFFERS : LOOM_UNDECIDED;
}

/* Judge a printed number. It differs if no number of the range is within the tolerance. It is the
 * same if our estimate itself is within the tolerance and the range is no wider than the tolerated
 * one: a wider interval would agree with nearly anything, and an interval whose end alone comes
 * near shows neither. Rounding of the difference itself must not decide. */
static enum loom_verdict judge_number(const struct loom_claim *claim, double estimate,
                                      struct range range)
{
    double tolerance = loom_claim_tolerance(claim), rounding = 1e-9 * fabs(claim->printed);
    if (claim->printed < range.low - tolerance - rounding ||
        claim->printed > range.high + tolerance + rounding)
        return LOOM_DIFFERS;
    bool near = fabs(estimate - claim->printed) <= tolerance + rounding;
    bool narrow = range.high - range.low <= 2 * tolerance + rounding;
    return near && narrow ? LOOM_SAME : LOOM_UNDECIDED;
}

enum loom_verdict loom_judge(const struct loom_claim *claim, const struct loom_measured *measured,
                             bool substitute)
{
    struct range range = range_of(measured);
    enum loom_verdict verdict = claim->is == LOOM_EQUALS
                                    ? judge_number(claim, measured->value, range)
                                    : judge_side(claim->is, claim->printed, range);
    if (claim->is == LOOM_EQUALS && verdict != LOOM_SAME && claim->has_finding &&
        judge_side(claim->finding, claim->bound, range) == LOOM_SAME_FINDING)
        verdict = LOOM_SAME_FINDING;
    return substitute && verdict < LOOM_SUBSTITUTE ? LOOM_SUBSTITUTE : verdict;
}

/* Return how many times narrower the interval must be for a bound to lie outside. */
static double narrowing_for_side(double bound, double estimate, struct range range)
{
    double side = estimate > bound ? estimate - range.low : range.high - estimate;
    return side / fabs(estimate - bound);
}

/* Return how many times narrower the interval must be for the printed number to be the same, where
 * the estimate is near, or else to differ. */
static double narrowing_for_number(const struct loom_claim *claim, double estimate,
                                   struct range range)
{
    double tolerance = loom_claim_tolerance(claim), off = fabs(estimate - claim->printed);
    if (off <= tolerance)
        return (range.high - range.low) / (2 * tolerance);
    double side = estimate > claim->printed ? estimate - range.low : range.high - estimate;
    return side / (off - tolerance);
}

/* Round up to two digits: the interval is itself an estimate. */
static size_t two_digits(double n)
{
    double unit = n > 99 ? pow(10, floor(log10(n)) - 1) : 1;
    return (size_t)(ceil(n / unit - 1e-9) * unit);
}

size_t loom_replications_deciding(const struct loom_claim *claim,
                                  const struct loom_measured *measured)
{
    struct range range = range_of(measured);
    if (measured->has_interval && loom_is_at_least(measured->value, range.low, range.high))
        return (size_t)(claim->trial ? claim->trial->full : claim->full);
    double narrowing = claim->is == LOOM_EQUALS
                           ? narrowing_for_number(claim, measured->value, range)
                           : narrowing_for_side(claim->printed, measured->value, range);
    double n = (double)measured->n * narrowing * narrowing;
    return measured->n > 1 && isfinite(n) && n < 1e9 ? two_digits(n) : 0;
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

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Claims with few replications against the same with as many as in the texts. */
#include "reproduce/against.h"

#include "reproduce/reproduction.h"
#include "reproduce/verdict.h"

#include <stdio.h>
#include <string.h>

/* Return a claim with what the other number of replications gave. */
static struct loom_reproduced_claim swapped(const struct loom_reproduced_claim *claim)
{
    struct loom_reproduced_claim out = *claim;
    out.value = claim->other_value;
    out.has_interval = claim->other_has_interval;
    out.low = claim->other_low;
    out.high = claim->other_high;
    out.replications = claim->other_replications;
    out.verdict = claim->other_verdict;
    out.deciding = 0;
    return out;
}

/* Store a claim if its verdict is another with the other number of replications. */
static bool against_take(struct loom_against *out, const struct loom_reproduction *all)
{
    struct loom_reproduced_claim claim = loom_reproduction_claim(all, out->item, out->row);
    if (!claim.other_known || claim.other_verdict == claim.verdict)
        return false;
    out->quick = all->quick ? claim : swapped(&claim);
    out->full = all->quick ? swapped(&claim) : claim;
    return true;
}

bool loom_against_next(struct loom_against *out, const struct loom_reproduction *all)
{
    size_t row = out->quick.what ? out->row + 1 : 0;
    for (size_t item = out->item; item < all->n; item++, row = 0)
        for (; row < all->items[item].item->n; row++) {
            *out = (struct loom_against){.item = item, .row = row};
            if (against_take(out, all))
                return true;
        }
    return false;
}

/* Return the verdict that a claim has with many replications, as far as it was measured so. */
static enum loom_verdict full_verdict(const struct loom_done_claim *claim, bool quick)
{
    return quick && claim->other_known ? claim->other_verdict : claim->verdict;
}

/* Count the items of each verdict, with many replications. */
static void count_full(size_t counts[LOOM_VERDICTS], const struct loom_reproduction *all)
{
    memset(counts, 0, LOOM_VERDICTS * sizeof *counts);
    for (size_t i = 0; i < all->n; i++) {
        enum loom_verdict worst = LOOM_NOT_POSSIBLE;
        const struct loom_done_item *done = &all->items[i];
        for (size_t j = 0; j < done->item->n; j++) {
            enum loom_verdict verdict = full_verdict(&done->claims[j], all->quick);
            if (verdict != LOOM_NOT_POSSIBLE && !done->item->claims[j].reading)
                worst = worst == LOOM_NOT_POSSIBLE || verdict > worst ? verdict : worst;
        }
        counts[worst]++;
    }
}

/* Count claims that are random in one of both, those measured in both, and those whose verdicts
 * differ. */
static void count_claims(size_t *wanted, size_t *both, size_t *other,
                         const struct loom_reproduction *all)
{
    struct loom_against against = {0};
    *wanted = *both = *other = 0;
    for (size_t i = 0; i < all->n; i++)
        for (size_t j = 0; j < all->items[i].item->n; j++) {
            const struct loom_done_claim *claim = &all->items[i].claims[j];
            *both += claim->other_known;
            *wanted += claim->other_known || (claim->known && claim->measured.n < claim->wanted);
        }
    while (loom_against_next(&against, all))
        ++*other;
}

const char *loom_against_text(const struct loom_reproduction *all, char *buf, size_t size)
{
    size_t counts[LOOM_VERDICTS], wanted, both, other;
    buf[0] = '\0';
    count_claims(&wanted, &both, &other, all);
    if (both == 0)
        return buf;
    count_full(counts, all);
    size_t used = (size_t)snprintf(
        buf, size,
        "Of %zu claims with fewer replications in a quick run than in the texts, %zu were measured "
        "in full too, and %zu have another verdict then. With the verdicts in full, items are:",
        wanted, both, other);
    for (int i = 0; i < LOOM_VERDICTS && used < size; i++)
        used += (size_t)snprintf(buf + used, size - used, "%s %zu %s", i ? "," : "", counts[i],
                                 loom_verdict_name((enum loom_verdict)i));
    return buf;
}

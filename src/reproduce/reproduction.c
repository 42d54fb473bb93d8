/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a reproduction found, as its readers see it. */
#include "reproduce/reproduction.h"

#include "reproduce/figures.h"
#include "reproduce/verdict.h"

#include <workloom/experiment.h>
#include <workloom/features.h>

#include <stdlib.h>
#include <string.h>

void loom_reproduction_destroy(struct loom_reproduction *reproduction)
{
    if (!reproduction)
        return;
    loom_figures_free(&reproduction->figures);
    free(reproduction->items);
    loom_arena_free(&reproduction->arena);
    free(reproduction);
}

bool loom_reproduction_stopped(const struct loom_reproduction *reproduction)
{
    return reproduction->stopped;
}

size_t loom_reproduction_items(const struct loom_reproduction *reproduction)
{
    return reproduction->n;
}

/* Find the claim with the fewest replications of those that have less than they should. */
static const struct loom_done_claim *fewest(const struct loom_done_item *done)
{
    const struct loom_done_claim *found = NULL;
    for (size_t i = 0; i < done->item->n; i++) {
        const struct loom_done_claim *claim = &done->claims[i];
        if (claim->known && claim->measured.n < claim->wanted &&
            (!found || claim->measured.n < found->measured.n))
            found = claim;
    }
    return found;
}

static size_t count_impossible(const struct loom_done_item *done)
{
    size_t n = 0;
    for (size_t i = 0; i < done->item->n; i++)
        n += done->claims[i].verdict == LOOM_NOT_POSSIBLE;
    return n;
}

struct loom_reproduced_item loom_reproduction_item(const struct loom_reproduction *reproduction,
                                                   size_t index)
{
    const struct loom_done_item *done = &reproduction->items[index];
    const struct loom_done_claim *few = fewest(done);
    return (struct loom_reproduced_item){
        .name = done->item->name,
        .text = done->chapter->text,
        .chapter = done->chapter->chapter,
        .place = done->item->place,
        .title = done->item->title,
        .note = done->item->note,
        .verdict = done->verdict,
        .n = done->item->n,
        .replications = few ? few->measured.n : 0,
        .wanted = few ? few->wanted : 0,
        .not_possible = count_impossible(done),
    };
}

/* Return what a claim measures: its own words, or the dictionary's. */
static const char *what_of(const struct loom_claim *claim)
{
    const struct loom_metric *metric = claim->trial ? loom_metric_find(claim->of) : NULL;
    if (claim->what || !claim->of)
        return claim->what ? claim->what : "";
    if (metric)
        return metric->label;
    const struct loom_feature_info *info;
    for (size_t i = 0; (info = loom_feature_info_at(i)); i++)
        if (strcmp(info->key, claim->of) == 0)
            return info->meaning;
    return claim->of;
}

/* Return whether a verdict needs the readings that were tried. */
static bool is_open(enum loom_verdict verdict)
{
    return verdict == LOOM_DIFFERS || verdict == LOOM_UNDECIDED;
}

struct loom_reproduced_claim loom_reproduction_claim(const struct loom_reproduction *reproduction,
                                                     size_t item, size_t index)
{
    static const char *const bounds[] = {"equals", "above", "below"};
    const struct loom_done_claim *done = &reproduction->items[item].claims[index];
    const struct loom_claim *claim = &reproduction->items[item].item->claims[index];
    return (struct loom_reproduced_claim){
        .what = what_of(claim),
        .log = claim->log,
        .used = done->used,
        .stands_in = done->substitute ? claim->instead : NULL,
        .bound = bounds[claim->is],
        .printed = claim->printed,
        .tolerance = loom_claim_tolerance(claim),
        .why = claim->why,
        .known = done->known,
        .has_interval = done->measured.has_interval,
        .value = done->measured.value,
        .low = done->measured.low,
        .high = done->measured.high,
        .replications = done->measured.n,
        .wanted = done->wanted,
        .verdict = done->verdict,
        .reason = done->reason,
        .tried = is_open(done->verdict) ? claim->tried : NULL,
        .command = done->command,
        .changed = claim->changed,
        .deciding = done->verdict == LOOM_UNDECIDED
                        ? loom_replications_deciding(claim, &done->measured)
                        : 0,
        .other_known = done->other_known,
        .other_has_interval = done->other.has_interval,
        .other_value = done->other.value,
        .other_low = done->other.low,
        .other_high = done->other.high,
        .other_replications = done->other.n,
        .other_verdict = done->other_verdict,
    };
}

void loom_reproduction_count(const struct loom_reproduction *reproduction,
                             size_t counts[LOOM_VERDICTS])
{
    memset(counts, 0, LOOM_VERDICTS * sizeof *counts);
    for (size_t i = 0; i < reproduction->n; i++)
        counts[reproduction->items[i].verdict]++;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Summary of comparisons with one reference: for each line and part the mean over the traces that
 * have it, its spread, and the 95 % interval of the mean by Student's t. Closeness is the mean of
 * the traces' closenesses, never the closeness of their mean: variants that are wrong in both
 * directions are not right on average.
 */
#include "features/compare.h"

#include <workloom/stats_intervals.h>

#include <math.h>
#include <stdlib.h>
#include <workloom/stats.h>

struct loom_scorecard {
    struct loom_compared *lines;
    size_t n;
    struct loom_score_part parts[LOOM_PARTS];
    struct loom_spread score, overall;
    double coverage;
    size_t traces;
};

/* ---- spread ---------------------------------------------------------------------------------- */

struct sum {
    double n, mean, squares;
};

static void sum_add(struct sum *sum, double value)
{
    double off = value - sum->mean;
    sum->n++;
    sum->mean += off / sum->n;
    sum->squares += off * (value - sum->mean);
}

static struct loom_spread spread_of(const struct sum *sum)
{
    if (sum->n < 2)
        return (struct loom_spread){sum->mean, NAN, NAN};
    static const double rounding = 1e-12; /* of values that are the same */
    double sd = sqrt(sum->squares / (sum->n - 1));
    sd = sd > rounding * fabs(sum->mean) ? sd : 0;
    return (struct loom_spread){sum->mean, sd, loom_t_half_width(sd, sum->n, 0.95)};
}

struct loom_spread loom_spread_of(const double *values, size_t n)
{
    struct sum sum = {0};
    for (size_t i = 0; i < n; i++)
        sum_add(&sum, values[i]);
    return spread_of(&sum);
}

/* ---- lines ----------------------------------------------------------------------------------- */

static void set_reference(struct loom_compared *line, const struct loom_reference *reference,
                          size_t i)
{
    size_t features = loom_features_count(reference->features);
    *line = (struct loom_compared){.info = loom_line_info(reference, i),
                                   .distribution = i >= features,
                                   .part = loom_line_part(reference, i),
                                   .known_a = loom_line_known(reference, i)};
    if (!line->known_a)
        return;
    const struct loom_sorted_sample *sample =
        line->distribution ? &reference->samples.of[i - features] : NULL;
    line->a = sample ? loom_quantile(sample->sorted, sample->n, 0.5)
                     : loom_features_at(reference->features, i)->value;
}

static void set_line(struct loom_compared *line, struct loom_comparison *const *comparisons,
                     size_t n, size_t i)
{
    struct sum b = {0}, error = {0}, scale = {0}, distance = {0}, closeness = {0};
    struct sum ks = {0}, w = {0}, ad = {0};
    for (size_t c = 0; c < n; c++) {
        const struct loom_difference *difference = &comparisons[c]->differences[i];
        if (!difference->known) {
            line->reason = line->reason ? line->reason : difference->reason;
            continue;
        }
        line->known++;
        sum_add(&b, difference->b);
        sum_add(&error, difference->error);
        sum_add(&scale, difference->scale);
        sum_add(&distance, difference->distance);
        sum_add(&closeness, difference->closeness);
        sum_add(&ks, difference->apart.ks);
        sum_add(&w, difference->apart.wasserstein);
        sum_add(&ad, difference->apart.anderson_darling);
    }
    line->b = spread_of(&b);
    line->error = error.mean;
    line->scale = scale.mean;
    line->distance = distance.mean;
    line->closeness = closeness.mean;
    line->ks = ks.mean;
    line->wasserstein = w.mean;
    line->anderson_darling = ad.mean;
}

/* ---- parts ----------------------------------------------------------------------------------- */

static void set_part(struct loom_scorecard *card, struct loom_comparison *const *comparisons,
                     int index)
{
    struct loom_score_part *part = &card->parts[index];
    struct sum sum = {0};
    part->info = loom_part_at((size_t)index);
    for (size_t i = 0; i < card->n; i++) {
        const struct loom_compared *line = &card->lines[i];
        if (line->part != index)
            continue;
        if (line->known > 0) {
            part->furthest =
                part->items == 0 || line->closeness < card->lines[part->furthest].closeness
                    ? i
                    : part->furthest;
            part->items++;
        } else {
            part->absent += line->known_a;
        }
    }
    for (size_t c = 0; c < card->traces; c++) {
        double score;
        if (loom_comparison_part(comparisons[c], index, &score))
            sum_add(&sum, score);
    }
    part->score = spread_of(&sum);
}

/* ---- the card -------------------------------------------------------------------------------- */

int loom_scorecard_create(struct loom_scorecard **out, const struct loom_reference *reference,
                          struct loom_comparison *const *comparisons, size_t n,
                          struct loom_error *err)
{
    if (n == 0)
        return loom_fail(err, LOOM_EUSAGE, "a scorecard needs at least one comparison");
    struct loom_scorecard *card = calloc(1, sizeof *card);
    if (!card)
        return loom_fail_memory(err);
    card->traces = n;
    card->n = loom_features_count(reference->features) + LOOM_DISTRIBUTIONS;
    card->lines = calloc(card->n, sizeof *card->lines);
    if (!card->lines) {
        free(card);
        return loom_fail_memory(err);
    }
    for (size_t i = 0; i < card->n; i++) {
        set_reference(&card->lines[i], reference, i);
        set_line(&card->lines[i], comparisons, n, i);
    }
    for (int p = 0; p < LOOM_PARTS; p++)
        set_part(card, comparisons, p);
    struct sum score = {0}, overall = {0}, coverage = {0};
    for (size_t c = 0; c < n; c++) {
        sum_add(&score, comparisons[c]->score);
        sum_add(&overall, comparisons[c]->overall);
        sum_add(&coverage, comparisons[c]->coverage);
    }
    card->score = spread_of(&score);
    card->overall = spread_of(&overall);
    card->coverage = coverage.mean;
    *out = card;
    return 0;
}

void loom_scorecard_destroy(struct loom_scorecard *card)
{
    if (!card)
        return;
    free(card->lines);
    free(card);
}

struct loom_spread loom_scorecard_score(const struct loom_scorecard *card)
{
    return card->score;
}

struct loom_spread loom_scorecard_overall(const struct loom_scorecard *card)
{
    return card->overall;
}

double loom_scorecard_coverage(const struct loom_scorecard *card)
{
    return card->coverage;
}

size_t loom_scorecard_traces(const struct loom_scorecard *card)
{
    return card->traces;
}

const struct loom_score_part *loom_scorecard_part(const struct loom_scorecard *card, size_t index)
{
    return index < LOOM_PARTS ? &card->parts[index] : NULL;
}

const struct loom_compared *loom_scorecard_line(const struct loom_scorecard *card, size_t index)
{
    return index < card->n ? &card->lines[index] : NULL;
}

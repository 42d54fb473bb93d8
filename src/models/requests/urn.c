/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Requests drawn by the shares of the modal model.
 *
 * Where a segment has no value on the wanted side of the run time, the next head on that side is
 * taken; a job longer than anything that was ever asked for gets its run time, up to the next whole
 * hour.
 */
#include "models/requests/urn.h"
#include "base/draw.h"

#include <math.h>
#include <stdlib.h>

enum { HOUR_S = 3600, MOST_CARDS = 1 << 28 };

/* ---- classes --------------------------------------------------------------------------------- */

/* Sizes are compared by their share of the machine. */
static int32_t log_size(const struct loom_urn *urn, int32_t procs)
{
    const struct loom_request_model *model = urn->model;
    if (procs <= 1 || model->procs == urn->generation->procs)
        return procs;
    double size = round((double)procs * (double)model->procs / (double)urn->generation->procs);
    return size < 2 ? 2 : (int32_t)fmin(size, INT32_MAX);
}

static int tabulate_sizes(struct loom_urn *urn)
{
    enum { MOST = 1 << 20 };
    urn->sized = urn->generation->procs < MOST ? urn->generation->procs : MOST;
    urn->size_class = malloc((size_t)urn->sized + 1);
    for (int32_t procs = 0; urn->size_class && procs <= urn->sized; procs++)
        urn->size_class[procs] =
            (uint8_t)loom_request_model_size_class(urn->model, log_size(urn, procs));
    return urn->size_class ? 0 : -1;
}

size_t loom_urn_other_size(const struct loom_urn *urn, int32_t procs)
{
    return loom_request_model_size_class(urn->model, log_size(urn, procs));
}

/* ---- shares ---------------------------------------------------------------------------------- */

/* Faces of a row. The share of a place that is its own has 48 bits. */
static int make_faces(uint64_t *faces, const double *shares, size_t places)
{
    gsl_ran_discrete_t *die = loom_die_create(places, shares);
    if (!die)
        return -1;
    for (size_t k = 0; k < places; k++) {
        double own = fmax(0, fmin(die->F[k] * (double)places - (double)k, 1));
        uint64_t cut = (uint64_t)llrint(own * 0x1p48);
        faces[k] = (cut < UINT64_C(1) << 48 ? cut : (UINT64_C(1) << 48) - 1) << 16;
        faces[k] |= cut < UINT64_C(1) << 48 ? die->A[k] : k;
    }
    loom_die_destroy(die);
    return 0;
}

/* Users have accounts, and are offered what makes the shares. */
static int make_rows(struct loom_urn *urn)
{
    double *const *shares = urn->generation->draft.user ? urn->model->offers : urn->model->shares;
    int rc = 0;
    for (size_t row = 0; row < urn->rows && !rc; row++)
        rc = make_faces(urn->faces + row * urn->places, shares[row], urn->places);
    return rc;
}

size_t loom_urn_draw_place(const struct loom_urn *urn, struct loom_asking asking,
                           struct loom_stream *stream)
{
    unsigned __int128 product = (unsigned __int128)loom_draw_u64(stream) * urn->places;
    size_t place = (size_t)(product >> 64);
    uint64_t face = urn->faces[asking.row * urn->places + place];
    return (uint64_t)product >> 16 < face >> 16 ? place : face & UINT16_MAX;
}

/* ---- the tail -------------------------------------------------------------------------------- */

/* All values between the two heads. */
static struct loom_tail_range tail_values_of(const struct loom_request_model *model, size_t segment)
{
    int64_t low_s = segment > 0 ? loom_saturated_add(model->head_s[segment - 1], 1) : 1;
    int64_t high_s = segment < model->heads ? model->head_s[segment] : INT64_MAX;
    return (struct loom_tail_range){loom_count_below(model->tail_s, model->tails, low_s),
                                    loom_count_below(model->tail_s, model->tails, high_s)};
}

/* The values of a segment; of the one the run time lies in, only those on the right side of it. */
static struct loom_tail_range range_of(const struct loom_urn *urn, size_t segment, bool enough,
                                       struct loom_asking asking)
{
    struct loom_tail_range range = urn->segments[segment].tails;
    if (segment != asking.run || range.from == range.to)
        return range;
    size_t own = range.from + loom_count_below(urn->model->tail_s + range.from,
                                               range.to - range.from, asking.run_s);
    return enough ? (struct loom_tail_range){own, range.to}
                  : (struct loom_tail_range){range.from, own};
}

static double weight_of(const struct loom_urn *urn, struct loom_tail_range range)
{
    return urn->tails[range.to] - urn->tails[range.from];
}

/* The tail value at quantile u of a range with weight: the first whose sum is above what is wanted,
 * or the last. */
static size_t find_tail(const struct loom_urn *urn, struct loom_tail_range range, double u)
{
    double wanted = urn->tails[range.from] + u * weight_of(urn, range);
    const double *sums = urn->tails + 1;
    size_t low = range.from, n = range.to - 1 - range.from;
    for (size_t half; n > 0; n -= half) {
        half = (n + 1) / 2;
        low += (sums[low + half - 1] <= wanted) * half;
    }
    return low;
}

/* The cards of a value in a deck; a part of a card is one as often as that part says. */
static int32_t cards_of(const struct loom_urn *urn, size_t tail, struct loom_stream *stream)
{
    double whole = floor(urn->cards[tail]), part = urn->cards[tail] - whole;
    bool one_more = part > 0 && loom_draw_uniform(stream) < part;
    return (int32_t)fmin(whole + one_more, MOST_CARDS);
}

/* Begin another deck of a segment. Cards that were left, or dealt beyond the last deck, count up to
 * a deck of their own. */
static void begin_deck(const struct loom_urn *urn, struct loom_segment *segment,
                       struct loom_stream *stream)
{
    segment->left = 0;
    for (size_t i = segment->tails.from; i < segment->tails.to; i++) {
        int32_t cards = cards_of(urn, i, stream), left = urn->left[i];
        left = left > cards ? cards : left < -cards ? -cards : left;
        urn->left[i] = left + cards;
        segment->left += urn->left[i];
    }
}

/* The first of the range that has cards, from a value on and then from below; its end if none. */
static size_t next_card(const struct loom_urn *urn, struct loom_tail_range range, size_t from)
{
    for (size_t i = from; i < range.to; i++)
        if (urn->left[i] > 0)
            return i;
    for (size_t i = range.from; i < from; i++)
        if (urn->left[i] > 0)
            return i;
    return range.to;
}

/* A tail value of a range with weight: any or, if all its cards are dealt, the next that has some.
 * Where none of the range has, one of the next deck is dealt beforehand. How many cards of a value
 * are in the deck is settled; weights are the roots of that, so that values of few cards are less
 * often those that are left when jobs end in the middle of a deck. */
static size_t deal_tail(const struct loom_urn *urn, struct loom_segment *segment,
                        struct loom_tail_range range, struct loom_stream *stream)
{
    if (segment->left <= 0)
        begin_deck(urn, segment, stream);
    size_t wanted = find_tail(urn, range, loom_draw_uniform(stream));
    size_t tail = next_card(urn, range, wanted);
    tail = tail < range.to ? tail : wanted;
    urn->left[tail]--;
    segment->left--;
    return tail;
}

/* ---- drawing --------------------------------------------------------------------------------- */

static struct loom_asked head_value(const struct loom_request_model *model, size_t head)
{
    return (struct loom_asked){model->head_s[head], 2 * (uint32_t)head + 1, LOOM_NO_TAIL};
}

/* What to ask for where the wanted range of a segment is empty. */
static struct loom_asked beside(const struct loom_request_model *model, size_t segment, bool enough,
                                int64_t run_s)
{
    if (!enough && segment > 0)
        return head_value(model, segment - 1);
    if (segment < model->heads)
        return head_value(model, segment);
    return (struct loom_asked){loom_saturated_add(run_s, HOUR_S - 1) / HOUR_S * HOUR_S,
                               2 * (uint32_t)segment, LOOM_NO_TAIL};
}

struct loom_asked loom_urn_draw_value(const struct loom_urn *urn, struct loom_asking asking,
                                      size_t place, struct loom_stream *stream)
{
    const struct loom_request_model *model = urn->model;
    bool enough = loom_urn_enough(asking, place);
    size_t slot = place - enough;
    if (slot % 2 == 1)
        return head_value(model, slot / 2);
    struct loom_tail_range range = range_of(urn, slot / 2, enough, asking);
    if (!(weight_of(urn, range) > 0))
        return beside(model, slot / 2, enough, asking.run_s);
    size_t tail = deal_tail(urn, &urn->segments[slot / 2], range, stream);
    return (struct loom_asked){model->tail_s[tail], (uint32_t)slot, (uint32_t)tail};
}

/* Geometric, so that what is left of a card is as much as a new one has. */
uint32_t loom_urn_turns(const struct loom_urn *urn, uint32_t tail, struct loom_stream *stream)
{
    if (tail == LOOM_NO_TAIL)
        return UINT32_MAX;
    double turns = log1p(-loom_draw_uniform(stream)) * urn->inverse_log[tail];
    return turns < MOST_CARDS ? (uint32_t)turns : MOST_CARDS;
}

/* ---- life ------------------------------------------------------------------------------------ */

int loom_urn_open(struct loom_urn *urn, const struct loom_request_model *model,
                  const struct loom_generation *generation, struct loom_error *err)
{
    size_t places = loom_request_model_places(model), rows = model->sizes * (model->heads + 1);
    *urn =
        (struct loom_urn){.model = model, .generation = generation, .places = places, .rows = rows};
    urn->faces = malloc(rows * places * sizeof *urn->faces);
    urn->tails = calloc(model->tails + 1, sizeof *urn->tails);
    urn->left = calloc(model->tails + 1, sizeof *urn->left);
    urn->inverse_log = calloc(model->tails + 1, sizeof *urn->inverse_log);
    urn->segments = malloc((model->heads + 1) * sizeof *urn->segments);
    if (!urn->faces || !urn->tails || !urn->left || !urn->inverse_log || !urn->segments ||
        make_rows(urn) || tabulate_sizes(urn) ||
        loom_guide_init(&urn->runs, model->head_s, model->heads))
        return loom_fail_memory(err);
    urn->cards = generation->draft.user ? model->tail_users : model->tail_weights;
    for (size_t i = 0; i < model->tails; i++) {
        urn->tails[i + 1] = urn->tails[i] + sqrt(urn->cards[i]);
        if (model->tail_turns[i] > 1)
            urn->inverse_log[i] = 1 / log1p(-1 / model->tail_turns[i]);
    }
    for (size_t segment = 0; segment <= model->heads; segment++)
        urn->segments[segment] = (struct loom_segment){tail_values_of(model, segment), 0};
    return 0;
}

void loom_urn_close(struct loom_urn *urn)
{
    free(urn->faces);
    free(urn->tails);
    free(urn->left);
    free(urn->inverse_log);
    free(urn->segments);
    free(urn->size_class);
    loom_guide_free(&urn->runs);
}

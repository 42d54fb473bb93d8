/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Requests drawn by the shares of the modal model.
 *
 * Where a segment has no value on the wanted side of the runtime, the next head on that side is
 * taken; a job longer than anything that was ever asked for gets its runtime, up to the next whole
 * hour.
 */
#include "models/requests/sampler.h"
#include "base/draw.h"
#include "base/search.h"

#include <math.h>
#include <stdlib.h>

enum { HOUR_S = 3600, MOST_COPIES = 1 << 28 };

/* ---- classes --------------------------------------------------------------------------------- */

/* Sizes are compared by their share of the machine. */
static int32_t log_size(const struct loom_request_sampler *sampler, int32_t procs)
{
    const struct loom_request_model *model = sampler->model;
    int32_t machine = sampler->generation->procs;
    if (procs <= 1 || model->procs == machine)
        return procs;
    double size = round((double)procs * (double)model->procs / (double)machine);
    return size < 2 ? 2 : (int32_t)fmin(size, INT32_MAX);
}

struct loom_request_job loom_request_job(const struct loom_request_sampler *sampler, int32_t procs,
                                         int64_t run_s)
{
    const struct loom_request_model *model = sampler->model;
    size_t run = loom_request_model_run_class(model, run_s);
    size_t size = loom_request_model_size_class(model, log_size(sampler, procs));
    return (struct loom_request_job){size * (model->heads + 1) + run, run, run_s};
}

size_t loom_request_draw_place(const struct loom_request_sampler *sampler,
                               struct loom_request_job job, struct loom_stream *stream)
{
    return loom_draw_discrete(stream, sampler->places[job.row]);
}

/* ---- the tail -------------------------------------------------------------------------------- */

/* All values between the two heads. */
static struct loom_tail_range tails_of(const struct loom_request_model *model, size_t segment)
{
    int64_t low_s = segment > 0 ? loom_saturated_add(model->head_s[segment - 1], 1) : 1;
    int64_t high_s = segment < model->heads ? model->head_s[segment] : INT64_MAX;
    return (struct loom_tail_range){loom_lower_bound(model->tail_s, model->tails, low_s),
                                    loom_lower_bound(model->tail_s, model->tails, high_s)};
}

/* The values of a segment; of the one the runtime lies in, only those on the right side of it. */
static struct loom_tail_range range_of(const struct loom_request_sampler *sampler, size_t segment,
                                       bool enough, struct loom_request_job job)
{
    struct loom_tail_range range = sampler->segments[segment].tails;
    if (segment != job.run || range.from == range.to)
        return range;
    size_t own = range.from + loom_lower_bound(sampler->model->tail_s + range.from,
                                               range.to - range.from, job.run_s);
    return enough ? (struct loom_tail_range){own, range.to}
                  : (struct loom_tail_range){range.from, own};
}

static double tail_range_weight(const struct loom_request_sampler *sampler,
                                struct loom_tail_range range)
{
    return sampler->roots[range.to] - sampler->roots[range.from];
}

/* Return the tail value at quantile u of a range with weight. */
static size_t tail_at(const struct loom_request_sampler *sampler, struct loom_tail_range range,
                      double u)
{
    double wanted = sampler->roots[range.from] + u * tail_range_weight(sampler, range);
    const double *sums = sampler->roots + 1;
    return range.from + loom_upper_bound_real(sums + range.from, range.to - 1 - range.from, wanted);
}

/* Copies of a value in a refill; a part of a copy is one as often as that part says. */
static int32_t draw_copies(const struct loom_request_sampler *sampler, size_t tail,
                           struct loom_stream *stream)
{
    double whole = floor(sampler->copies[tail]), part = sampler->copies[tail] - whole;
    bool one_more = part > 0 && loom_draw_uniform(stream) < part;
    return (int32_t)fmin(whole + one_more, MOST_COPIES);
}

/* Copies that were left, or used ahead, count up to as many as are added. */
static void refill(const struct loom_request_sampler *sampler, struct loom_segment *segment,
                   struct loom_stream *stream)
{
    segment->left = 0;
    for (size_t i = segment->tails.from; i < segment->tails.to; i++) {
        int32_t copies = draw_copies(sampler, i, stream), left = sampler->left[i];
        left = left > copies ? copies : left < -copies ? -copies : left;
        sampler->left[i] = left + copies;
        segment->left += sampler->left[i];
    }
}

/* Return the first value of the range that has copies, from a value on and then from below; the end
 * of the range if none has. */
static size_t next_with_copies(const struct loom_request_sampler *sampler,
                               struct loom_tail_range range, size_t from)
{
    for (size_t i = from; i < range.to; i++)
        if (sampler->left[i] > 0)
            return i;
    for (size_t i = range.from; i < from; i++)
        if (sampler->left[i] > 0)
            return i;
    return range.to;
}

/* Draw a tail value of a range with weight: any or, if all its copies are used, the next that has
 * some. Where none of the range has, a copy of the next refill is used ahead. Weights are the roots
 * of copies, so that values of few copies are less often those that are left when jobs end before a
 * refill. */
static size_t draw_tail(const struct loom_request_sampler *sampler, struct loom_segment *segment,
                        struct loom_tail_range range, struct loom_stream *stream)
{
    if (segment->left <= 0)
        refill(sampler, segment, stream);
    size_t wanted = tail_at(sampler, range, loom_draw_uniform(stream));
    size_t tail = next_with_copies(sampler, range, wanted);
    tail = tail < range.to ? tail : wanted;
    sampler->left[tail]--;
    segment->left--;
    return tail;
}

void loom_request_put_back(const struct loom_request_sampler *sampler,
                           struct loom_request_value value)
{
    if (value.tail == LOOM_NO_TAIL)
        return;
    sampler->left[value.tail]++;
    sampler->segments[value.slot / 2].left++;
}

/* Geometric, so that what is left of a copy is as much as a new one has. */
uint32_t loom_request_draw_turns(const struct loom_request_sampler *sampler, uint32_t tail,
                                 struct loom_stream *stream)
{
    if (tail == LOOM_NO_TAIL)
        return UINT32_MAX;
    double turns = log1p(-loom_draw_uniform(stream)) * sampler->inverse_log[tail];
    return turns < MOST_COPIES ? (uint32_t)turns : MOST_COPIES;
}

/* ---- drawing --------------------------------------------------------------------------------- */

static struct loom_request_value head_value(const struct loom_request_model *model, size_t head)
{
    return (struct loom_request_value){model->head_s[head], 2 * (uint32_t)head + 1, LOOM_NO_TAIL};
}

/* What to ask for where the wanted range of a segment is empty. */
static struct loom_request_value beside(const struct loom_request_model *model, size_t segment,
                                        bool enough, int64_t run_s)
{
    if (!enough && segment > 0)
        return head_value(model, segment - 1);
    if (segment < model->heads)
        return head_value(model, segment);
    return (struct loom_request_value){loom_saturated_add(run_s, HOUR_S - 1) / HOUR_S * HOUR_S,
                                       2 * (uint32_t)segment, LOOM_NO_TAIL};
}

struct loom_request_value loom_request_draw_value(const struct loom_request_sampler *sampler,
                                                  struct loom_request_job job, size_t place,
                                                  struct loom_stream *stream)
{
    const struct loom_request_model *model = sampler->model;
    bool enough = loom_request_enough(job, place);
    size_t slot = place - enough;
    if (slot % 2 == 1)
        return head_value(model, slot / 2);
    struct loom_tail_range range = range_of(sampler, slot / 2, enough, job);
    if (!(tail_range_weight(sampler, range) > 0))
        return beside(model, slot / 2, enough, job.run_s);
    size_t tail = draw_tail(sampler, &sampler->segments[slot / 2], range, stream);
    return (struct loom_request_value){model->tail_s[tail], (uint32_t)slot, (uint32_t)tail};
}

/* ---- creating -------------------------------------------------------------------------------- */

/* Users keep to their own values, and are offered what makes the shares. */
static int make_places(struct loom_request_sampler *sampler)
{
    const struct loom_request_model *model = sampler->model;
    double *const *shares = sampler->generation->draft.user ? model->offers : model->shares;
    sampler->places = calloc(sampler->rows, sizeof *sampler->places);
    for (size_t row = 0; sampler->places && row < sampler->rows; row++) {
        sampler->places[row] = loom_alias_create(loom_request_model_places(model), shares[row]);
        if (!sampler->places[row])
            return -1;
    }
    return sampler->places ? 0 : -1;
}

int loom_request_sampler_init(struct loom_request_sampler *sampler,
                              const struct loom_request_model *model,
                              const struct loom_generation *generation, struct loom_error *err)
{
    *sampler = (struct loom_request_sampler){.model = model,
                                             .generation = generation,
                                             .rows = model->sizes * (model->heads + 1)};
    sampler->roots = calloc(model->tails + 1, sizeof *sampler->roots);
    sampler->left = calloc(model->tails + 1, sizeof *sampler->left);
    sampler->inverse_log = calloc(model->tails + 1, sizeof *sampler->inverse_log);
    sampler->segments = malloc((model->heads + 1) * sizeof *sampler->segments);
    if (!sampler->roots || !sampler->left || !sampler->inverse_log || !sampler->segments ||
        make_places(sampler))
        return loom_fail_memory(err);
    sampler->copies = generation->draft.user ? model->tail_users : model->tail_weights;
    for (size_t i = 0; i < model->tails; i++) {
        sampler->roots[i + 1] = sampler->roots[i] + sqrt(sampler->copies[i]);
        if (model->tail_turns[i] > 1)
            sampler->inverse_log[i] = 1 / log1p(-1 / model->tail_turns[i]);
    }
    for (size_t segment = 0; segment <= model->heads; segment++)
        sampler->segments[segment] = (struct loom_segment){tails_of(model, segment), 0};
    return 0;
}

void loom_request_sampler_free(struct loom_request_sampler *sampler)
{
    for (size_t row = 0; sampler->places && row < sampler->rows; row++)
        loom_alias_destroy(sampler->places[row]);
    free(sampler->places);
    free(sampler->roots);
    free(sampler->left);
    free(sampler->inverse_log);
    free(sampler->segments);
}

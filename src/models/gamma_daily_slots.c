/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The likelihood of Lublin and Feitelson's arrivals by the expected interarrival method (section
 * 7.3): the logarithm of a gap is gamma, with the shape of the slot that the last job came in. So
 * gaps tell all parameters together, those of the day too, and jobs need not be counted by slot.
 */
#include "models/gamma_daily.h"
#include "stats/dist.h"
#include "stats/log_gamma.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

/* What the likelihood needs of the gaps that begin in a slot, and where gaps are cut off. */
struct slots {
    struct slot {
        double n, sum, sum_logs; /* of logarithms of gaps, and of their logarithms */
    } slot[LOOM_SLOTS];
    double least, limit;
};

static double slot_cost(const struct slot *slot, double shape, double scale, double least,
                        double limit)
{
    double within = gsl_cdf_gamma_P(limit, shape, scale) - gsl_cdf_gamma_P(least, shape, scale);
    if (!(within > 0))
        return INFINITY;
    return slot->sum / scale - (shape - 1) * slot->sum_logs +
           slot->n * (shape * log(scale) + loom_log_gamma(shape) + log(within));
}

/* x has the logarithms of shape and mean, of the gaps and of the day. */
static struct loom_gamma_daily daily_at(const double *x)
{
    return (struct loom_gamma_daily){.shape = exp(x[0]),
                                     .scale = exp(x[1] - x[0]),
                                     .cycle_shape = exp(x[2]),
                                     .cycle_scale = exp(x[3] - x[2])};
}

static double cost(const double *x, void *context)
{
    const struct slots *slots = context;
    struct loom_gamma_daily daily = daily_at(x);
    double weights[LOOM_SLOTS], shapes[LOOM_SLOTS], sum = 0;
    loom_daily_weights(weights, daily.cycle_shape, daily.cycle_scale);
    loom_daily_shapes_by_weight(shapes, weights, daily.shape, daily.scale);
    for (int t = 0; t < LOOM_SLOTS; t++)
        if (slots->slot[t].n > 0)
            sum += slot_cost(&slots->slot[t], shapes[t], daily.scale, slots->least, slots->limit);
    return sum;
}

static struct slots take_slots(const int64_t *local_s, size_t n, double least_s)
{
    struct slots slots = {.least = log(least_s)};
    for (size_t i = 1; i < n; i++) {
        double gap_s = (double)(local_s[i] - local_s[i - 1]);
        if (!(gap_s > least_s))
            continue;
        double x = log(gap_s);
        struct slot *slot = &slots.slot[loom_daily_slot(local_s[i - 1])];
        slot->n++;
        slot->sum += x;
        slot->sum_logs += log(x);
        slots.limit = fmax(slots.limit, x);
    }
    return slots;
}

int loom_daily_fit_slots(struct loom_gamma_daily *daily, const int64_t *local_s, size_t n,
                         double least_s, struct loom_error *err)
{
    struct slots slots = take_slots(local_s, n, least_s);
    double at[] = {log(daily->shape), log(daily->shape * daily->scale), log(daily->cycle_shape),
                   log(daily->cycle_shape * daily->cycle_scale)};
    int rc = loom_minimum_near(at, 4, cost, &slots, 0.1, err);
    int method = daily->method;
    *daily = daily_at(at);
    daily->method = method;
    daily->limit = slots.limit;
    daily->arar = 1;
    return rc;
}

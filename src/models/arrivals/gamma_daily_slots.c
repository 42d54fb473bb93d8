/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The likelihood of Lublin and Feitelson's arrivals by the expected interarrival method and the
 * expected time slots method (section 7.3): the logarithm of a gap is gamma, with the shape of the
 * slot that the last job came in. So gaps determine all parameters together, of the day too, and
 * jobs need not be counted by slot.
 */
#include "models/arrivals/gamma_daily.h"
#include "stats/dist/dist.h"
#include "stats/log_gamma.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

/* What the likelihood needs of the gaps that begin in a slot, and where gaps are cut off. */
struct slots {
    struct slot {
        double n, sum, sum_logs; /* of logarithms of gaps, and of their logarithms */
    } slot[LOOM_SLOTS];
    double least, limit;
    int method;
    double shapes[LOOM_SLOTS]; /* of the parameters last tried, where the next are sought */
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

/* False if the method has none for these parameters. */
static bool find_shapes(struct slots *slots, const struct loom_gamma_daily *daily)
{
    double weights[LOOM_SLOTS], shapes[LOOM_SLOTS];
    struct loom_daily_jumps day = {weights, daily->scale, slots->limit, 1};
    loom_daily_weights(weights, daily->cycle_shape, daily->cycle_scale);
    if (slots->method == LOOM_DAILY_EXPECTED_INTERARRIVAL) {
        loom_daily_shapes_by_weight(slots->shapes, weights, daily->shape, daily->scale);
        return true;
    }
    memcpy(shapes, slots->shapes, sizeof shapes);
    if (loom_daily_shapes_by_jumps(shapes, &day, daily->shape, NULL))
        return false;
    memcpy(slots->shapes, shapes, sizeof shapes);
    return true;
}

static double gamma_daily_slots_cost(const double *x, void *context)
{
    struct slots *slots = context;
    struct loom_gamma_daily daily = daily_at(x);
    double sum = 0;
    if (!find_shapes(slots, &daily))
        return INFINITY;
    for (int t = 0; t < LOOM_SLOTS; t++)
        if (slots->slot[t].n > 0)
            sum += slot_cost(&slots->slot[t], slots->shapes[t], daily.scale, slots->least,
                             slots->limit);
    return sum;
}

/* Of whole seconds, what is more than least_s is at least half a second more, to the nearest. */
static struct slots take_slots(const struct loom_gamma_daily *daily, const int64_t *local_s,
                               size_t n, double least_s)
{
    struct slots slots = {.least = log(least_s + 0.5), .method = daily->method};
    for (int t = 0; t < LOOM_SLOTS; t++)
        slots.shapes[t] = daily->shape;
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
    struct slots slots = take_slots(daily, local_s, n, least_s);
    double at[] = {log(daily->shape), log(daily->shape * daily->scale), log(daily->cycle_shape),
                   log(daily->cycle_shape * daily->cycle_scale)};
    int rc = loom_minimum_near(at, 4, gamma_daily_slots_cost, &slots, 0.1, err);
    int method = daily->method;
    *daily = daily_at(at);
    daily->method = method;
    daily->limit = slots.limit;
    daily->arar = 1;
    return rc;
}

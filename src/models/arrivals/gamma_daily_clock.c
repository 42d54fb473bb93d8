/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The running process (Lublin and Feitelson, section 7.3). All three methods are one clock: the
 * logarithm of the next gap is gamma with the shape of the slot that the last job came in, and the
 * gap is counted in virtual seconds. The slot-weight method has one shape for all slots and 1800
 * times its weight of virtual seconds in each; the other two have a shape for each slot and virtual
 * seconds that are real ones.
 *
 * A higher `rate` divides the gaps, in virtual seconds, so the daily cycle stays. Without the cycle
 * all slots have equal weight. Without burstiness gaps are exponential with the same means.
 */
#include "base/draw.h"
#include "models/arrivals/gamma_daily.h"
#include "stats/log_gamma.h"

#include <float.h>
#include <gsl/gsl_cdf.h>
#include <math.h>

enum { DAY_S = LOOM_SLOTS * LOOM_SLOT_S, FIRST_SLOT = 11 };

/* ---- the day --------------------------------------------------------------------------------- */

void loom_daily_weights(double *weights, double cycle_shape, double cycle_scale)
{
    double sum = 0;
    for (int i = FIRST_SLOT; i < FIRST_SLOT + LOOM_SLOTS; i++) {
        double weight = gsl_cdf_gamma_P(i + 0.5, cycle_shape, cycle_scale) -
                        gsl_cdf_gamma_P(i - 0.5, cycle_shape, cycle_scale);
        weights[(i - 1) % LOOM_SLOTS] = fmax(weight, DBL_MIN);
        sum += weight;
    }
    for (int i = 0; i < LOOM_SLOTS; i++)
        weights[i] = sum > 0 ? fmax(weights[i] / (sum / LOOM_SLOTS), DBL_MIN) : 1;
}

/* With c = 1 - 1/scale, the mean is the integral of x^(shape-1) exp(c x) up to the limit, over that
 * of the density. For c < 0 it is another gamma's cdf; else the power series has no negative term.
 */
double loom_daily_mean(double shape, double scale, double limit)
{
    double below = gsl_cdf_gamma_P(limit, shape, scale);
    if (scale < 1)
        return exp(-shape * log1p(-scale)) * gsl_cdf_gamma_P(limit, shape, scale / (1 - scale)) /
               below;
    double c = (1 - 1 / scale) * limit, term = 1, sum = 0;
    for (int j = 0; term > 1e-17 * sum || j <= c; j++) {
        sum += term / (shape + j);
        term *= c / (j + 1);
    }
    return exp(shape * log(limit / scale) - loom_log_gamma(shape)) * sum / below;
}

/* ---- the clock ------------------------------------------------------------------------------- */

static int set_shapes(struct loom_daily_clock *clock, const struct loom_gamma_daily *daily,
                      bool cycle, struct loom_error *err)
{
    for (int t = 0; t < LOOM_SLOTS; t++)
        clock->shapes[t] = daily->shape * daily->arar;
    if (cycle && daily->method == LOOM_DAILY_EXPECTED_INTERARRIVAL)
        loom_daily_shapes_by_weight(clock->shapes, clock->weights, daily->shape * daily->arar,
                                    clock->scale);
    struct loom_daily_jumps day = {clock->weights, clock->scale, clock->limit, clock->rate};
    if (cycle && daily->method == LOOM_DAILY_EXPECTED_SLOTS)
        return loom_daily_shapes_by_jumps(clock->shapes, &day, daily->shape * daily->arar, err);
    return 0;
}

/* Means are over what is below the limit, and are lost where that is nearly nothing. */
static int check_limit(const struct loom_daily_clock *clock, struct loom_error *err)
{
    for (int t = 0; t < LOOM_SLOTS; t++)
        if (!(gsl_cdf_gamma_P(clock->limit, clock->shapes[t], clock->scale) > 1e-3))
            return loom_fail(err, LOOM_EDATA,
                             "nearly all times between jobs would exceed the limit of exp(%g) s; "
                             "raise the arrivals' limit, or lower shape or scale of their peak",
                             clock->limit);
    return 0;
}

static void start_day(struct loom_daily_clock *clock, int64_t week_phase_s)
{
    double phase_s = (double)(week_phase_s % DAY_S);
    for (int t = 0; t < LOOM_SLOTS; t++)
        clock->starts[t + 1] = clock->starts[t] + LOOM_SLOT_S * clock->weights[t];
    clock->slot = (size_t)(phase_s / LOOM_SLOT_S);
    clock->virtual_s = clock->starts[clock->slot] +
                       (phase_s - (double)clock->slot * LOOM_SLOT_S) * clock->weights[clock->slot];
    clock->day_s = -phase_s;
}

int loom_daily_clock_open(struct loom_daily_clock *clock, const struct loom_gamma_daily *daily,
                          const struct loom_generation *generation, const char *purpose,
                          struct loom_error *err)
{
    bool cycle = !(generation->without & LOOM_CYCLE);
    *clock = (struct loom_daily_clock){.scale = daily->scale,
                                       .limit = daily->limit,
                                       .rate = generation->rate,
                                       .poisson = generation->without & LOOM_BURSTINESS};
    loom_generation_stream(&clock->stream, generation, purpose);
    loom_daily_weights(clock->weights, daily->cycle_shape, daily->cycle_scale);
    int rc = set_shapes(clock, daily, cycle, err);
    if (!rc)
        rc = check_limit(clock, err);
    if (rc)
        return rc;
    loom_ziggurat_init(&clock->ziggurat);
    for (int t = 0; t < LOOM_SLOTS; t++) {
        loom_gamma_below_init(&clock->gammas[t], clock->shapes[t], clock->scale, clock->limit);
        clock->means_s[t] = loom_daily_mean(clock->shapes[t], clock->scale, clock->limit);
        if (!cycle || daily->method != LOOM_DAILY_SLOT_WEIGHT)
            clock->weights[t] = 1;
    }
    start_day(clock, generation->week_phase_s);
    return 0;
}

static double next_gap_s(struct loom_daily_clock *clock)
{
    if (clock->poisson)
        return clock->means_s[clock->slot] * -log1p(-loom_draw_uniform(&clock->stream));
    return exp(
        loom_gamma_below_draw(&clock->gammas[clock->slot], &clock->ziggurat, &clock->stream));
}

double loom_daily_clock_next(struct loom_daily_clock *clock)
{
    clock->virtual_s += next_gap_s(clock) / clock->rate;
    double day = clock->starts[LOOM_SLOTS];
    if (clock->virtual_s >= day) {
        double days = floor(clock->virtual_s / day);
        clock->virtual_s = fmax(clock->virtual_s - days * day, 0);
        clock->day_s += days * DAY_S;
        clock->slot = 0;
    }
    while (clock->slot + 1 < LOOM_SLOTS && clock->virtual_s >= clock->starts[clock->slot + 1])
        clock->slot++;
    return clock->day_s + (double)clock->slot * LOOM_SLOT_S +
           (clock->virtual_s - clock->starts[clock->slot]) / clock->weights[clock->slot];
}

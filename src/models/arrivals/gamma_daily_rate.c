/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fit Lublin and Feitelson's arrivals to the rate of a log.
 *
 * The paper has ARAR "in order to get the correct overall arrival rate" (section 7.3), and defines
 * it by means of logarithms. They do not determine the mean of exp(x), which depends on the upper
 * tail: on the available logs the rate is 1.3 to 3.2 times too low. Here the gamma keeps two means
 * of the log: of the logarithms, where times of 0 and 1 s count as 0, and of the times between jobs
 * themselves, whose inverse is the rate. Both are of the distribution as it is drawn from, cut off
 * at the limit.
 */
#include "models/arrivals/gamma_daily.h"

#include "base/search.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

enum { STEPS = 60 };
static const double NARROWEST = 1e-4, WIDEST = 100, SMALLEST_SHAPE = 1e-3;

/* Mean of x where x is gamma(shape, scale), given that x is at most limit. */
static double mean_log(double shape, double scale, double limit)
{
    return shape * scale * gsl_cdf_gamma_P(limit, shape + 1, scale) /
           gsl_cdf_gamma_P(limit, shape, scale);
}

/* Return the shape with this mean of logarithms, which grows with the shape. */
static double shape_for(double wanted_log, double scale, double limit)
{
    double low = SMALLEST_SHAPE, high = fmax(2 * low, wanted_log / scale);
    while (mean_log(high, scale, limit) < wanted_log &&
           gsl_cdf_gamma_P(limit, 2 * high, scale) > 1e-2)
        high *= 2;
    LOOM_HALVE(STEPS, low, high, shape, (low + high) / 2,
               mean_log(shape, scale, limit) < wanted_log);
    return high;
}

/* Fit shape and scale to both means, or as nearly as possible. With the mean of logarithms kept,
 * the mean of times grows with the scale. */
void loom_daily_match(struct loom_gamma_daily *daily, double wanted_log, double wanted_s)
{
    double low = NARROWEST, high = WIDEST, limit = daily->limit;
    LOOM_HALVE(STEPS, low, high, scale, sqrt(low * high),
               loom_daily_mean(shape_for(wanted_log, scale, limit), scale, limit) < wanted_s);
    daily->scale = low;
    daily->shape = shape_for(wanted_log, low, limit);
    daily->arar = 1;
}

/* The slot-weight method keeps the mean of what it draws. What the others make of it is found by
 * running them, always with the same random numbers. */
double loom_gamma_daily_gap_s(const struct loom_gamma_daily *daily)
{
    enum { JOBS = 1 << 18 };
    struct loom_generation generation = {.rate = 1};
    struct loom_daily_clock clock;
    struct loom_error ignored;
    if (daily->method == LOOM_DAILY_SLOT_WEIGHT)
        return loom_daily_mean(daily->shape * daily->arar, daily->scale, daily->limit);
    if (loom_daily_clock_open(&clock, daily, &generation, "gamma-daily rate", &ignored))
        return NAN;
    double time_s = 0;
    for (int i = 0; i < JOBS; i++)
        time_s = loom_daily_clock_next(&clock);
    return time_s / JOBS;
}

void loom_daily_match_rate(struct loom_gamma_daily *daily, double wanted_log, double wanted_s)
{
    enum { ROUNDS = 8 };
    static const double little = 0.002; /* less than what chance does to the mean of so many jobs */
    double aim_s = wanted_s, before_s = 0;
    loom_daily_match(daily, wanted_log, aim_s);
    for (int i = 0; i < ROUNDS && daily->method != LOOM_DAILY_SLOT_WEIGHT; i++) {
        double gap_s = loom_gamma_daily_gap_s(daily);
        bool there = fabs(gap_s - wanted_s) < little * wanted_s;
        bool stuck = fabs(gap_s - before_s) < little * wanted_s;
        if (!(gap_s > 0) || there || stuck)
            return;
        aim_s *= wanted_s / gap_s;
        loom_daily_match(daily, wanted_log, aim_s);
        before_s = gap_s;
    }
}

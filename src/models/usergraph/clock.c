/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the hours at which absences end say of the clock of the user graph model, and what of that
 * is chance.
 *
 * An hour of the week is known by a few dozen absences of a log: taken as they are, their numbers
 * vary by what hours are and by chance, a workload woven by them has chance once more, and a clock
 * fitted to that is rougher each time. Numbers are therefore taken as a part of each day times a
 * part of each hour, for working days and for weekends, and what is left of an hour counts as far
 * as it is more than chance: if in truth numbers differ from such products by a part t, and by
 * chance as Poisson numbers do, then of n where e is expected
 *
 *   (n - e)^2 / e = f + t^2 e
 *
 * in the mean, where f is the share of numbers that are free when days and hours are fitted to
 * them. t^2 is found by the sum over all hours (moments, as in DerSimonian and Laird 1986), and
 * t^2 e / (f + t^2 e) of the variance of an hour is true. What is left is multiplied by the root of
 * that: it then varies as it does in truth (empirical Bayes estimates that keep the variance, Louis
 * 1984), while the best guess of each single hour, without the root, would vary less, and a week
 * fitted again and again would become smooth.
 */
#include "models/usergraph/usergraph.h"

#include <math.h>

enum { DAY_HOURS = 24, WEEK_DAYS = 7, PARTS = 2 };

/* Hours of the week from one to before another, whole days. */
struct part {
    size_t from, to;
};
static const struct part parts[PARTS] = {{0, 5 * DAY_HOURS}, {5 * DAY_HOURS, LOOM_WEEK_HOURS}};

/* What numbers of a part would be if each were a part of its day and of its hour. Returns how many
 * of them are free to differ. */
static double by_day_and_hour(double *expected, const double *numbers, const struct part *part)
{
    double by_day[WEEK_DAYS] = {0}, by_hour[DAY_HOURS] = {0}, sum = 0, days = 0, hours = 0;
    for (size_t i = part->from; i < part->to; i++) {
        days += by_day[i / DAY_HOURS] == 0 && numbers[i] > 0;
        hours += by_hour[i % DAY_HOURS] == 0 && numbers[i] > 0;
        by_day[i / DAY_HOURS] += numbers[i];
        by_hour[i % DAY_HOURS] += numbers[i];
        sum += numbers[i];
    }
    for (size_t i = part->from; i < part->to; i++)
        expected[i] = sum > 0 ? by_day[i / DAY_HOURS] * by_hour[i % DAY_HOURS] / sum : 0;
    return fmax(0, days - 1) * fmax(0, hours - 1);
}

static void aim_part(struct loom_clock_aim *out, const double *returns, const struct part *part)
{
    double freedom = by_day_and_hour(out->expected, returns, part), misfit = 0, sum = 0, n = 0;
    for (size_t i = part->from; i < part->to; i++) {
        double expected = out->expected[i], left = returns[i] - expected;
        misfit += expected > 0 ? left * left / expected : 0;
        sum += expected;
        n += expected > 0;
    }
    double t_square = sum > 0 ? fmax(0, misfit - freedom) / sum : 0;
    for (size_t i = part->from; i < part->to; i++) {
        double expected = out->expected[i], truth = t_square * expected;
        out->trust[i] = truth > 0 ? truth / (freedom / n + truth) : 0;
        out->returns[i] = expected + sqrt(out->trust[i]) * (returns[i] - expected);
    }
}

/* Where no absence ends, a tenth of one is taken to. */
void loom_clock_aim_at(struct loom_clock_aim *out, const double *returns)
{
    static const double LEAST = 0.1;
    for (size_t i = 0; i < PARTS; i++)
        aim_part(out, returns, &parts[i]);
    for (size_t i = 0; i < LOOM_WEEK_HOURS; i++)
        out->returns[i] = fmax(out->returns[i], LEAST);
    for (size_t i = 0; i < PARTS; i++)
        by_day_and_hour(out->expected, out->returns, &parts[i]);
}

/* Chance of a rehearsal is as little worth following as that of the log: differences of days and
 * hours count, and what is left of a single hour as far as it is trusted. */
void loom_clock_correct(double *week, const struct loom_clock_aim *aim, const double *found,
                        double gain)
{
    static const double MOST = 4;
    double expected[LOOM_WEEK_HOURS], sum = 0, returns = 0;
    for (size_t i = 0; i < PARTS; i++)
        by_day_and_hour(expected, found, &parts[i]);
    for (size_t i = 0; i < LOOM_WEEK_HOURS; i++) {
        double left = aim->returns[i] - aim->expected[i] - (found[i] - expected[i]);
        double more = aim->expected[i] - expected[i] + aim->trust[i] * left;
        double factor = 1 + gain * more / (aim->returns[i] + 1);
        sum += week[i] *= fmin(fmax(factor, 0.5), 2);
        returns += aim->returns[i];
    }
    for (size_t i = 0; i < LOOM_WEEK_HOURS; i++) {
        double guess = aim->returns[i] * LOOM_WEEK_HOURS / returns;
        week[i] = fmin(fmax(week[i] * LOOM_WEEK_HOURS / sum, guess / MOST), guess * MOST);
    }
}

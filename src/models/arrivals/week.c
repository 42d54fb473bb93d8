/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operational time by the hour of the week: linear within each slot. */
#include "models/arrivals/week.h"
#include "base/search.h"

#include <math.h>

void loom_week_open(struct loom_week *out, const double *speed, size_t n)
{
    double sum = 0;
    out->n = speed ? n : 1;
    out->slot = (double)LOOM_WEEK_S / (double)out->n;
    for (size_t i = 0; i < out->n; i++)
        sum += speed ? speed[i] : 1;
    out->sums[0] = 0;
    for (size_t i = 0; i < out->n; i++) {
        out->speed[i] = (speed ? speed[i] : 1) * (double)out->n / sum;
        out->sums[i + 1] = out->sums[i] + out->speed[i] * out->slot;
    }
}

void loom_week_of_times(struct loom_week *out, const int64_t *times_s, size_t n, int64_t phase_s)
{
    enum { HOUR_S = 3600, WEEKEND = 5 * 24 };
    double times[2][24] = {{0}}, speed[LOOM_WEEK_HOURS];
    for (size_t i = 0; i < n; i++) {
        int64_t hour = (times_s[i] + phase_s) / HOUR_S % LOOM_WEEK_HOURS;
        times[hour >= WEEKEND][hour % 24]++;
    }
    for (size_t hour = 0; hour < LOOM_WEEK_HOURS; hour++)
        speed[hour] = (1 + times[hour >= WEEKEND][hour % 24]) / (hour >= WEEKEND ? 2 : 5);
    loom_week_open(out, speed, LOOM_WEEK_HOURS);
}

size_t loom_week_hour(double local_s)
{
    double weeks = floor(local_s / LOOM_WEEK_S);
    return (size_t)((local_s - weeks * LOOM_WEEK_S) / 3600) % LOOM_WEEK_HOURS;
}

double loom_week_working(const struct loom_week *week, double local_s)
{
    double weeks = floor(local_s / LOOM_WEEK_S), rest_s = local_s - weeks * LOOM_WEEK_S;
    size_t i = (size_t)fmin(rest_s / week->slot, (double)(week->n - 1));
    return weeks * LOOM_WEEK_S + week->sums[i] + (rest_s - (double)i * week->slot) * week->speed[i];
}

double loom_week_local(const struct loom_week *week, double working_s)
{
    double weeks = floor(working_s / LOOM_WEEK_S), rest_s = working_s - weeks * LOOM_WEEK_S;
    size_t i = loom_upper_bound_real(week->sums + 1, week->n - 1, rest_s);
    return weeks * LOOM_WEEK_S + (double)i * week->slot + (rest_s - week->sums[i]) / week->speed[i];
}

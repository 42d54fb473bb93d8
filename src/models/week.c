/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operational time by the hour of the week: linear within each slot. */
#include "models/week.h"

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

double loom_week_working(const struct loom_week *week, double local_s)
{
    double weeks = floor(local_s / LOOM_WEEK_S), rest_s = local_s - weeks * LOOM_WEEK_S;
    size_t i = (size_t)fmin(rest_s / week->slot, (double)(week->n - 1));
    return weeks * LOOM_WEEK_S + week->sums[i] + (rest_s - (double)i * week->slot) * week->speed[i];
}

double loom_week_local(const struct loom_week *week, double working_s)
{
    double weeks = floor(working_s / LOOM_WEEK_S), rest_s = working_s - weeks * LOOM_WEEK_S;
    size_t low = 0, high = week->n - 1;
    while (low < high) {
        size_t middle = (low + high + 1) / 2;
        if (week->sums[middle] <= rest_s)
            low = middle;
        else
            high = middle - 1;
    }
    return weeks * LOOM_WEEK_S + (double)low * week->slot +
           (rest_s - week->sums[low]) / week->speed[low];
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sizes of jobs on a machine of another size. */
#include "trace/scale.h"

#include <math.h>
#include <stdbool.h>

static bool is_power_of_two(int32_t number)
{
    return number > 0 && (number & (number - 1)) == 0;
}

int32_t loom_scale_size(int32_t procs, int32_t from, int32_t to)
{
    if (from == to || procs <= 1)
        return procs <= to ? procs : to;
    double scaled = (double)procs * to / from;
    if (is_power_of_two(procs)) {
        scaled = exp2(round(log2(scaled)));
        while (scaled > to)
            scaled /= 2;
    }
    scaled = round(scaled);
    return scaled < 1 ? 1 : scaled > to ? to : (int32_t)scaled;
}

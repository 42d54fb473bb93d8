/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/size_classes.h"

/* 1, 2, 3 to 4, 5 to 8, ... are ranges 0, 1, 2, 3, ... */
static size_t power_range(int32_t procs)
{
    size_t range = 0;
    while (range < LOOM_SIZE_CLASSES - 1 && (INT64_C(1) << range) < procs)
        range++;
    return range;
}

size_t loom_size_classes(int32_t from[LOOM_SIZE_CLASSES], const int32_t *procs,
                         const uint32_t *picked, size_t n, size_t least)
{
    size_t counts[LOOM_SIZE_CLASSES] = {0}, in_class = 0, left = n, classes = 1;
    for (size_t i = 0; i < n; i++)
        counts[power_range(procs[picked ? picked[i] : i])]++;
    from[0] = 1;
    for (size_t range = 0; range < LOOM_SIZE_CLASSES - 1; range++) {
        in_class += counts[range];
        left -= counts[range];
        if (in_class < least || left < least)
            continue;
        from[classes++] = (int32_t)((INT64_C(1) << range) + 1);
        in_class = 0;
    }
    return classes;
}

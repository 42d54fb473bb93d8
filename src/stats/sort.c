/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/sort.h"

#include <workloom/stats.h>

int loom_sort(double *x, size_t n, struct loom_error *err)
{
    (void)err; /* for callers: nothing is allocated today */
    loom_sort_real(x, n);
    return 0;
}

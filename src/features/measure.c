/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Columns of the workload as samples for statistics. */
#include "features/measure.h"

#include <stdlib.h>

int loom_known_runtimes(double **out, size_t *n, const struct loom_workload *jobs, int64_t least,
                        struct loom_error *err)
{
    double *runtimes = malloc((jobs->n + 1) * sizeof *runtimes);
    if (!runtimes)
        return loom_fail_memory(err);
    *n = 0;
    for (size_t i = 0; i < jobs->n; i++)
        if (jobs->run_s[i] >= least)
            runtimes[(*n)++] = (double)jobs->run_s[i];
    *out = runtimes;
    return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runtimes sorted into classes of sizes: count, place, sort each. */
#include "features/sizeclass.h"

#include <stdlib.h>
#include <workloom/stats.h>

/* The least k with procs <= 2^k. */
static int size_class_of(int32_t procs)
{
    return procs <= 1 ? 0 : 32 - __builtin_clz((unsigned)procs - 1);
}

static bool is_known_size(const struct loom_workload *jobs, size_t job)
{
    return jobs->run_s[job] >= 0 && jobs->procs[job] > 0;
}

static void set_ranges(struct loom_size_classes *out)
{
    for (int k = 0; k < LOOM_SIZE_CLASSES; k++) {
        out->classes[k].low = k == 0 ? 1 : (int32_t)((INT64_C(1) << (k - 1)) + 1);
        out->classes[k].high = k == 31 ? INT32_MAX : (int32_t)(INT64_C(1) << k);
    }
}

static void sizeclass_place_jobs(struct loom_size_classes *out, const struct loom_workload *jobs)
{
    double *next = out->all;
    for (int k = 0; k < LOOM_SIZE_CLASSES; k++) {
        out->classes[k].runtimes = next;
        next += out->classes[k].n;
        out->classes[k].n = 0;
    }
    for (size_t i = 0; i < jobs->n; i++)
        if (is_known_size(jobs, i)) {
            struct loom_size_class *class = &out->classes[size_class_of(jobs->procs[i])];
            class->runtimes[class->n++] = (double)jobs->run_s[i];
        }
}

int loom_size_classes_create(struct loom_size_classes *out, const struct loom_workload *jobs,
                             struct loom_error *err)
{
    *out = (struct loom_size_classes){0};
    set_ranges(out);
    for (size_t i = 0; i < jobs->n; i++)
        if (is_known_size(jobs, i)) {
            out->classes[size_class_of(jobs->procs[i])].n++;
            out->n++;
        }
    out->all = malloc((out->n + 1) * sizeof *out->all);
    if (!out->all)
        return loom_fail_memory(err);
    sizeclass_place_jobs(out, jobs);
    int rc = 0;
    for (int k = 0; k < LOOM_SIZE_CLASSES && !rc; k++)
        if (out->classes[k].n > 1)
            rc = loom_sort(out->classes[k].runtimes, out->classes[k].n, err);
    if (rc)
        loom_size_classes_free(out);
    return rc;
}

void loom_size_classes_free(struct loom_size_classes *classes)
{
    free(classes->all);
    *classes = (struct loom_size_classes){0};
}

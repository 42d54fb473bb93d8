/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calibration: coverage of the intervals, and correlation of their widths with errors. */
#include "base/compare.h"

#include <workloom/predict_classes.h>

#include <math.h>
#include <stdlib.h>

/* An interval, and the error of its prediction. */
struct stated {
    double width_s, error_s;
    size_t index;
    bool covered;
};

/* By width, and in the order of submission. */
static int by_width(const void *a, const void *b)
{
    const struct stated *x = a, *y = b;
    return LOOM_FIRST_DIFFERENCE(LOOM_COMPARE(x->width_s, y->width_s),
                                 LOOM_COMPARE(x->index, y->index));
}

static size_t list_intervals(struct stated *out, const struct loom_evaluation *evaluation,
                             const struct loom_jobs *jobs)
{
    size_t n = 0;
    for (size_t i = 0; i < evaluation->n; i++) {
        const struct loom_prediction *said = &evaluation->jobs[i].prediction;
        double run_s = (double)jobs->run_s[evaluation->jobs[i].row];
        if (isnan(said->low_s))
            continue;
        out[n++] = (struct stated){
            .width_s = said->high_s - said->low_s,
            .error_s = fabs(said->run_s - run_s),
            .index = i,
            .covered = said->low_s <= run_s && run_s <= said->high_s,
        };
    }
    return n;
}

static struct loom_calibration_bin bin_of(const struct stated *stated, size_t n)
{
    struct loom_calibration_bin bin = {.jobs = (int64_t)n};
    for (size_t i = 0; i < n; i++) {
        bin.width_s += stated[i].width_s / (double)n;
        bin.error_s += stated[i].error_s / (double)n;
        bin.covered_fraction += stated[i].covered;
    }
    bin.covered_fraction /= (double)n;
    return bin;
}

int loom_calibration(struct loom_calibration *out, const struct loom_evaluation *evaluation,
                     const struct loom_trace *trace, struct loom_error *err)
{
    struct stated *stated = malloc((evaluation->n + 1) * sizeof *stated);
    *out = (struct loom_calibration){0};
    if (!stated)
        return loom_fail_memory(err);
    size_t n = list_intervals(stated, evaluation, loom_trace_jobs(trace));
    if (n >= LOOM_CALIBRATION_BINS) {
        out->n = LOOM_CALIBRATION_BINS;
        qsort(stated, n, sizeof *stated, by_width);
    }
    for (size_t i = 0; i < out->n; i++) {
        size_t first = i * n / out->n, end = (i + 1) * n / out->n;
        out->bins[i] = bin_of(stated + first, end - first);
    }
    free(stated);
    return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* minh2009.h - state of minh2009, shared by its generator and the fit of its runs. */
#ifndef LOOM_MODELS_MINH_MINH2009_H
#define LOOM_MODELS_MINH_MINH2009_H

#include "models/minh/minh.h"

/* The lengths of runs of one kind: Zipf on 1 .. longest. */
struct loom_minh_runs {
    double alpha;
    int64_t longest;
};
enum { LOOM_MINH_LONGEST_RUN = 10000000 };
static const double LOOM_MINH_FLATTEST = -4, LOOM_MINH_STEEPEST = 61;

struct loom_minh2009 {
    struct loom_part arrivals;
    struct loom_minh_shapes shapes;
    struct loom_minh_runs *runs; /* by kind */
};

/* Generate runtimes and sizes of all jobs of the draft. `kinds` is set to the kind of each, or
 * NULL. */
int loom_minh2009_spin(const struct loom_minh2009 *minh, struct loom_generation *generation,
                       uint32_t *kinds, struct loom_error *err);
/* Fit the runs of a log whose n jobs have these kinds; needs the shapes. */
int loom_minh2009_fit_runs(struct loom_minh2009 *minh, const uint32_t *kind_of, size_t n,
                           struct loom_pool *pool, struct loom_error *err);

#endif

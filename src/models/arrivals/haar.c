/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Haar transform: all scales in one array each, the coarsest first. */
#include "models/arrivals/haar.h"

#include <stdlib.h>
#include <string.h>

size_t loom_haar_shape(size_t *depth, size_t n, size_t least)
{
    *depth = 0;
    while (n >> (*depth + 1) >= least)
        ++*depth;
    return n >> *depth;
}

static void merge(double *c, double *d, const double *finer, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        c[k] = (finer[2 * k] + finer[2 * k + 1]) * M_SQRT1_2;
        d[k] = (finer[2 * k] - finer[2 * k + 1]) * M_SQRT1_2;
    }
}

int loom_haar_create(struct loom_haar *out, const double *x, size_t roots, size_t depth,
                     struct loom_error *err)
{
    struct loom_haar haar = {.roots = roots, .depth = depth};
    size_t n = roots << depth;
    haar.c = malloc((2 * n - roots) * sizeof *haar.c);
    haar.d = malloc((n - roots + 1) * sizeof *haar.d);
    if (!haar.c || !haar.d) {
        loom_haar_free(&haar);
        return loom_fail_memory(err);
    }
    memcpy(haar.c + loom_haar_first(&haar, depth + 1), x, n * sizeof *x);
    for (size_t j = depth; j >= 1; j--) {
        size_t first = loom_haar_first(&haar, j);
        merge(haar.c + first, haar.d + first, haar.c + loom_haar_first(&haar, j + 1),
              loom_haar_count(&haar, j));
    }
    *out = haar;
    return 0;
}

void loom_haar_free(struct loom_haar *haar)
{
    free(haar->c);
    free(haar->d);
    *haar = (struct loom_haar){0};
}

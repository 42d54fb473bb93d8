/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums over cells of consecutive jobs, and batches of these cells without the warm-up. */
#include "queueing/cells.h"

#include <workloom/stats_intervals.h>

#include <stdlib.h>
#include <string.h>

int loom_job_cells_create(struct loom_job_cells *out, struct loom_error *err)
{
    *out = (struct loom_job_cells){.of = calloc(LOOM_CELLS_MOST, sizeof *out->of),
                                   .cell_jobs = 1,
                                   .left = 1};
    return out->of ? 0 : loom_fail_memory(err);
}

void loom_job_cells_free(struct loom_job_cells *cells)
{
    free(cells->of);
}

static void add_sums(struct loom_sums *to, const struct loom_sums *more)
{
    for (size_t i = 0; i < LOOM_SUMS; i++)
        to->of[i] += more->of[i];
}

/* Merge pairs of neighbours, which frees half of the cells. */
static void join_cells(struct loom_job_cells *cells)
{
    struct loom_sums *of = cells->of;
    cells->n /= 2;
    for (size_t i = 0; i < cells->n; i++) {
        struct loom_sums pair = of[2 * i];
        add_sums(&pair, &of[2 * i + 1]);
        of[i] = pair;
    }
    memset(of + cells->n, 0, (LOOM_CELLS_MOST - cells->n) * sizeof *of);
    cells->cell_jobs *= 2;
}

void loom_job_cells_turn(struct loom_job_cells *cells)
{
    if (++cells->n == LOOM_CELLS_MOST)
        join_cells(cells);
    cells->left = cells->cell_jobs;
}

enum { SHORTEST = 50 }; /* MSER says nothing of fewer */

/* Set *out to the number of warm-up cells. */
static int find_warm_up(size_t *out, const struct loom_job_cells *cells, struct loom_error *err)
{
    struct loom_warmup warm_up = {0};
    double *responses = malloc((cells->n + 1) * sizeof *responses);
    if (!responses)
        return loom_fail_memory(err);
    for (size_t i = 0; i < cells->n; i++)
        responses[i] = cells->of[i].of[LOOM_SUM_RESPONSE];
    int rc = cells->n < SHORTEST ? 0 : loom_mser5(&warm_up, responses, cells->n, err);
    *out = warm_up.cut;
    free(responses);
    return rc;
}

int loom_job_cells_batches(struct loom_batches *out, const struct loom_job_cells *cells,
                           struct loom_error *err)
{
    size_t first = 0;
    int rc = find_warm_up(&first, cells, err);
    if (rc)
        return rc;
    size_t kept = cells->n - first;
    memset(out, 0, sizeof *out);
    out->n = kept < LOOM_BATCHES ? kept : LOOM_BATCHES;
    out->warm_up = first * cells->cell_jobs;
    for (size_t b = 0; b < out->n; b++)
        for (size_t i = first + b * kept / out->n; i < first + (b + 1) * kept / out->n; i++)
            add_sums(&out->of[b], &cells->of[i]);
    return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cells.h - sums of a simulation. Every metric is the ratio of two sums over the same part of the
 * run (jobs over time, responses over jobs), so only sums are stored: per cell of equally many
 * consecutive jobs. When there are too many cells, neighbours are merged, so memory is bounded.
 */
#ifndef LOOM_QUEUEING_CELLS_H
#define LOOM_QUEUEING_CELLS_H

#include <workloom/queueing.h>

enum loom_cell_sum {
    LOOM_SUM_TIME, /* that passed */
    LOOM_SUM_BUSY, /* of it, times the share of busy servers */
    LOOM_SUM_JOBS, /* submitted */
    LOOM_SUM_WAIT, /* of these jobs, and so are the following */
    LOOM_SUM_RESPONSE,
    LOOM_SUM_CLOSED_JOBS,
    LOOM_SUM_CLOSED_RESPONSE,
    LOOM_SUM_OPEN_JOBS,
    LOOM_SUM_OPEN_RESPONSE,
    LOOM_SUM_CONTINUED,      /* jobs after which an open user submits another */
    LOOM_SUM_CONTINUED_TIME, /* their service times */
    LOOM_SUM_USERS,          /* open users who leave after a job, which is their last */
    LOOM_SUM_LAST_TIME,      /* the service times of these jobs */
    LOOM_SUM_USER_JOBS,      /* all jobs of these users */
    LOOM_SUM_RESIDENCE,      /* from the arrival of these users to the end of their last job */
    LOOM_SUM_QUOTIENT,       /* jobs over residence, for each of these users */
    LOOM_SUMS,
};

struct loom_sums {
    double of[LOOM_SUMS];
};

enum { LOOM_CELLS_MOST = 4096 };

struct loom_job_cells {
    struct loom_sums *of; /* LOOM_CELLS_MOST */
    size_t n;             /* full cells; the next one is being filled */
    uint64_t cell_jobs;   /* jobs of a full cell */
    uint64_t left;        /* jobs until the cell at hand is full */
    uint64_t jobs;
};

int loom_job_cells_create(struct loom_job_cells *out, struct loom_error *err);
void loom_job_cells_free(struct loom_job_cells *cells);

/* Return the sums to add the next job to; call loom_job_cells_job afterwards. */
static inline double *loom_job_cells_sums(struct loom_job_cells *cells)
{
    return cells->of[cells->n].of;
}

/* End a full cell. */
void loom_job_cells_turn(struct loom_job_cells *cells);

static inline void loom_job_cells_job(struct loom_job_cells *cells)
{
    cells->jobs++;
    if (--cells->left == 0)
        loom_job_cells_turn(cells);
}

enum { LOOM_BATCHES = 30 };

/* The full cells of a run without its warm-up, in batches of equally many. */
struct loom_batches {
    struct loom_sums of[LOOM_BATCHES];
    size_t n;
    uint64_t warm_up; /* jobs left out */
};

/* Remove the warm-up by MSER-5 of the responses, and form batches of the rest. */
int loom_job_cells_batches(struct loom_batches *out, const struct loom_job_cells *cells,
                           struct loom_error *err);

/* Fill the estimates of all metrics from the batches of one or several runs. */
void loom_job_cells_estimate(struct loom_estimate *out, const struct loom_sums *batches, size_t n,
                             double confidence);

#endif

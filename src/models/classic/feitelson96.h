/* SPDX-License-Identifier: GPL-3.0-or-later */
/* feitelson96.h - the parameters of the model of 1996, for the file that has the model and the file
 * that fits it. */
#ifndef LOOM_MODELS_CLASSIC_FEITELSON96_H
#define LOOM_MODELS_CLASSIC_FEITELSON96_H

#include "models/model.h"

/* Largest machine: there is one weight for each size. */
enum { LOOM_FEITELSON96_MOST_PROCS = 1 << 24 };

struct loom_feitelson96 {
    struct loom_part arrivals; /* of first runs */
    double serial, powers;     /* share of serial jobs; of powers of two among the others */
    double order;              /* parallel sizes n have weights n^-order within their kind */
    double short_s, long_s;    /* means of the two exponentials */
    /* Probability of the short one: (1 - x) short_small + x short_large for share x of the machine.
     */
    double short_small, short_large;
    bool repeats;
    struct loom_dist runs; /* of a job, one after the other: Zipf */
};

int loom_feitelson96_fit(void *state, const struct loom_training *log, struct loom_error *err);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * genes.h - parameters that training may change, with their ranges. The table of a trainable
 * predictor has a list of them, terminated by a NULL name.
 */
#ifndef LOOM_PREDICT_GENES_H
#define LOOM_PREDICT_GENES_H

#include <stdbool.h>

enum loom_gene_kind {
    LOOM_GENE_REAL,  /* a real number in [low, high] */
    LOOM_GENE_WHOLE, /* a whole number in [low, high] */
    LOOM_GENE_WORD,  /* whether `word` is among the words of a text, joined by '+' */
    /* A requested time between the shortest and the longest of the training jobs, drawn from these
     * jobs, so that as many are shorter as longer. */
    LOOM_GENE_REQUEST,
};

struct loom_gene {
    const char *param; /* of the predictor */
    enum loom_gene_kind kind;
    double low, high;
    const char *word;
};

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * contrast.h - several traces in one figure. The first is the reference. Each figure has one block
 * of data for each trace, in their order, so that a trace has the same line in all of them; a trace
 * without the data of a figure has a block without a point.
 */
#ifndef LOOM_REPORT_CONTRAST_H
#define LOOM_REPORT_CONTRAST_H

#include "features/compare.h"
#include "report/report.h"

/* What figures show of one trace. */
struct loom_contrasted {
    const char *label;
    const struct loom_features *features;
    struct loom_samples samples;
    double *rate; /* jobs in intervals of 900 s; NULL if they cannot be counted */
    size_t n_rate;
    double *days; /* of each, how many jobs are in the fullest of 16 bins; ascending */
    size_t n_days;
};

struct loom_contrast {
    struct loom_contrasted *of;
    size_t n;
};

int loom_contrast_create(struct loom_contrast *out, const struct loom_side *sides, size_t n,
                         struct loom_pool *pool, struct loom_error *err);
void loom_contrast_free(struct loom_contrast *contrast);

/* ---- the page -------------------------------------------------------------------------------- */

/* Scores, or the ranking of models, from the heading to the end of the section. */
void loom_contrast_scores(FILE *out, const struct loom_contrast_page *page);
/* A value of a feature, with its unit. */
void loom_contrast_number(FILE *out, const struct loom_feature_info *info, double value);
void loom_contrast_distance(FILE *out, double distance);
/* A bar as long as a share from 0 to 1. */
void loom_contrast_bar(FILE *out, double share);

/* Return the index of the distribution of a key, which must exist. */
size_t loom_contrast_distribution(const char *key);

/* ---- figures --------------------------------------------------------------------------------- */

/* All figures of a comparison; ends with a NULL name. */
extern const struct loom_figure_ops loom_figures_contrast[];

#endif

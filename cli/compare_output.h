/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare_output.h - scorecards as tables and as JSON, and the ranking of models, for compare. */
#ifndef WORKLOOM_CLI_COMPARE_OUTPUT_H
#define WORKLOOM_CLI_COMPARE_OUTPUT_H

#include "command.h"

/* The models to rank, and what the ranking borrows. */
struct candidates {
    struct loom_candidate *list;
    size_t n;
    struct owned {
        char *text;
        bool by_all; /* not named itself */
        struct loom_params *params;
        struct loom_model *model;
    } * owned;
};

/* What is compared: the reference first. */
struct contest {
    const struct invocation *call;
    struct loom_pool *pool;
    struct loom_trace **traces;
    size_t n_traces; /* with the reference */
    struct loom_reference *reference;
    struct loom_comparison **comparisons; /* of all but the reference */
    struct loom_scorecard *card;
    struct loom_scorecard **cards; /* one of each comparison, if there are several */
    struct candidates candidates;  /* of --models */
    struct loom_trace *earlier; /* with --hold-out: what they are fitted to; NULL: the reference */
    double *daily_cycle;        /* of each trace but the reference: P of its day (Lublin 7.3) */
    double load; /* that their workloads are made at; 0: what the models have by themselves */
};

/* "0.724", and "0.724 ± 0.013" where there is a spread. Returns buf. */
const char *spread_text(struct loom_spread spread, char *buf, size_t size);
/* The score of a part; "lacks" where the reference knows it and no other trace, "-" where it does
 * not. */
int part_cell(struct loom_table *table, const struct loom_score_part *part, struct loom_error *err);
/* A column of such cells, which goes where a table is too wide. */
int part_column(struct loom_table *table, const struct loom_part_info *part,
                struct loom_error *err);
/* How often and how the reference was resampled, as a message. */
void say_bootstrap(const struct invocation *call, const struct loom_reference *reference);
/* The first trace whose length is not about the reference's; n_traces if all are. */
size_t first_other_length(const struct contest *contest);
/* That scores of such traces are not comparable, as a message. */
void say_lengths(const struct contest *contest);

/* The parts of a scorecard and its lines, to stdout. */
int print_card(const struct contest *contest, struct loom_error *err);

/* Add what every JSON document of compare has: selection, seed, reference, bootstrap. */
int add_reference_json(struct json_t *document, const struct contest *contest);
/* Add a scorecard: score, coverage, parts, features, distributions, reasons. */
int add_card_json(struct json_t *object, const struct loom_scorecard *card);
int print_card_json(const struct contest *contest, struct loom_error *err);

/* ---- pages and figures (compare_report.c) ---------------------------------------------------- */

int report_traces(const struct contest *contest, struct loom_error *err);
int report_models(const struct contest *contest, const struct loom_ranking *ranking,
                  struct loom_error *err);

/* ---- compare TRACE --models (compare_candidates.c, compare_models.c) ------------------------- */

/* Find the models of --models, before the trace is read. Free them even after a failure. */
int take_candidates(struct candidates *out, const struct invocation *call, struct loom_error *err);
void free_candidates(struct candidates *candidates);
int compare_models(struct contest *contest, struct loom_error *err);

/* ---- compare TRACE TRACE... --fit (compare_fits.c) --------------------------------------------
 */

extern const struct loom_param compare_fit_params[]; /* fit */
/* Fit a hyper-gamma to each trace, combine them, and print all. */
int compare_fits(const struct contest *contest, struct loom_error *err);

#endif

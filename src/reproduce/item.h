/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * item.h - items as data: what a table or figure of a text prints or states, and how to measure it.
 *
 * A chapter is a file of items/ that ends in a struct loom_chapter; list.c names them all. Adding a
 * claim is one entry:
 *
 *     LOOM_CLAIM("C_v of the log", "HPC2N", loom_measure_feature, "arrival.interarrival.cv",
 *                "select=completed", .printed = 5.70, .share = 0.02, .why = "a newer revision")
 *
 * Tolerances are decided before the first run. What is changed afterwards is said in `changed`.
 */
#ifndef LOOM_REPRODUCE_ITEM_H
#define LOOM_REPRODUCE_ITEM_H

#include <workloom/reproduce.h>

struct loom_bench;
struct loom_claim;

/* A number that was measured. */
struct loom_measured {
    double value;
    /* of a mean, median or share over n replications, 95 %; of an extreme of fewer runs than the
     * text has, from itself without upper end */
    bool has_interval;
    double low, high;
    size_t n;
};

/* Measure a claim on the log that the bench has for it. LOOM_EDATA: the log cannot give it; the
 * message is shown. */
typedef int loom_measure_fn(struct loom_measured *out, struct loom_bench *bench,
                            const struct loom_claim *claim, struct loom_error *err);

enum loom_relation { LOOM_EQUALS, LOOM_ABOVE, LOOM_BELOW };

/* Words of a plan, "key=value" or "flag", for several claims. The word trace is added for the log
 * of the claim. */
struct loom_trial {
    const char *name;         /* unique among the items */
    const char *const *words; /* NULL-terminated */
    int quick, full;          /* replications */
    /* Models of local jobs of a grid, fitted to the log; each is a cell: "uniform:arrivals=mwm" has
     * "background_model=*local-mwm.json". NULL-terminated; NULL: none */
    const char *const *local;
};

struct loom_claim {
    const char *what;    /* NULL: the meaning of the feature or metric */
    const char *log;     /* name in logs.c; NULL: none is needed */
    const char *instead; /* log that may stand in for it, for statements; NULL: none */

    loom_measure_fn *measure; /* NULL: not possible, `tried` has the reason */
    const char *of;           /* what to measure, in the terms of the measure */
    const char *with;         /* options of it: "select=completed rate-interval=3600" */

    /* For tables and trials. Features, fits, distances, days and predictions relate to another
     * feature, distribution, model or predictor: its name. */
    const struct loom_trial *trial;
    const char *cell;  /* "scheduler=easy; load=0.9" (condition.h); NULL: the only one */
    const char *minus; /* subtract this cell, replication by replication, or feature; NULL: no */
    const char *over;  /* divide the mean by the mean of this cell, or by a feature; NULL: no */
    int quick, full;   /* replications of a measure without a trial */
    bool per_log;      /* of drawn workloads: divide by the feature of the log itself */

    enum loom_relation is;
    double printed; /* the number, or the bound of a statement */
    double within;  /* absolute tolerance */
    double share;   /* tolerance as a share of the printed number; the larger one counts */
    const char *why;

    /* What the text concludes from a printed number, where that can be tested: a number outside the
     * tolerance on this side of the bound is the same finding. */
    bool has_finding;
    enum loom_relation finding;
    double bound;

    bool reading;      /* one more reading: shown, but it does not count for the item */
    const char *tried; /* for claims that differ: readings, what each gives, the likeliest reason */
    /* What was changed after the first run of the item: a tolerance, a statement, a setting, or
     * that the claim was added. NULL: nothing, but for words. */
    const char *changed;
};

/* A queueing model whose parameters vary, for figures of the page. */
struct loom_sweep {
    const char *axes[2];  /* "N=1:60": along the axis, then by curve; NULL: nothing varies */
    const char *rules[4]; /* when open users submit again: one, or one for each curve */
    double lambda, think;
    uint64_t closed;
    bool exact; /* solved, not simulated */
};

struct loom_item {
    const char *name;  /* "minh2012/table-3.3" */
    const char *place; /* "Table 3.3" */
    const char *title;
    const struct loom_claim *claims; /* NULL: none can be tested; `note` says why */
    size_t n;
    const char *note;

    /* Figures for the page (figures.h). Of each log of the claims: names of figures of 'analyze',
     * separated by spaces; of 'compare' where claims are about models or variants. */
    const char *figure;
    /* Of trials: the factor along the axis, and conditions on the cells that are shown:
     * "correlation_degree; load=0.8". */
    const char *axis;
    const struct loom_sweep *sweep; /* of queueing models, which `figure` is then about */
};

/* A claim about a log: what it needs in any case, and the rest by name. */
#define LOOM_CLAIM(what_, log_, measure_, of_, with_, ...)                                     \
    {                                                                                          \
        .what = what_, .log = log_, .measure = measure_, .of = of_, .with = with_, __VA_ARGS__ \
    }

#define LOOM_CLAIMS(list) .claims = list, .n = sizeof(list) / sizeof *(list)

/* Items of a chapter, or of a whole paper. */
struct loom_chapter {
    const char *text;    /* "Minh 2012" */
    const char *chapter; /* "Chapter 3"; "" for a paper */
    const struct loom_item *items;
    size_t n;
};

/* All chapters in the order of the texts, NULL-terminated (list.c). */
extern const struct loom_chapter *const loom_chapters[];

/* ---- measures -------------------------------------------------------------------------------- */

loom_measure_fn
    loom_measure_feature; /* of: a key of the dictionary; with: selection, definitions */
/* of: TABLE:COLUMN of 'analyze --table', in the row that `cell` names; with: as above. Replications
 * are the rounds of a table whose jobs are mixed */
loom_measure_fn loom_measure_table;
/* of: a feature of jobs that a model generates, as many as its log has, mean over replications;
 * with: model=NAME, selection of the jobs to fit to, definitions */
loom_measure_fn loom_measure_model;
/* of: what jobs have ("runtime", see loom_values_names); the Kolmogorov-Smirnov distance of
 * generated jobs from the log, mean over replications; with: as for loom_measure_model, and
 * within=MIN:MAX, the sizes of the jobs compared; minus: "MODEL" or "MODEL without TRAIT" */
loom_measure_fn loom_measure_distance;
/* of: a feature of resampled variants, mean over replications; with: selection */
loom_measure_fn loom_measure_variants;
/* of: d of Control_Correlation; the rank correlation of runtime and size afterwards, of the log or
 * of jobs of a model; with: selection, model=NAME */
loom_measure_fn loom_measure_rearranged;
/* of: a distribution of 'compare' ("user.jobs"); its Kolmogorov-Smirnov distance in variants from
 * the log, mean over replications; with: selection, load-factor=F, times=N (as long as N logs),
 * part=K (the K-th of these as a log by itself, from 1) */
loom_measure_fn loom_measure_variant_distance;
loom_measure_fn loom_measure_trial; /* of: a metric of the claim's trial */
/* of: STATISTIC:METRIC of the runs of a cell: spread (largest over least), max, median, above
 * (share of the runs above the runs of `minus`), above with `over` (its runs are divided first);
 * with: saturated=drop leaves replications out that are saturated in any cell of the claim */
loom_measure_fn loom_measure_spread;
/* of: what users who react make of the log: cycle (correlation of arrivals by hour of the week with
 * the log's), peak (the fullest of these hours over the log's fullest, as shares), activity (median
 * over users of the time from first to last submission over that in the log), longest (the longest
 * of these times over the log's longest); with: selection, feedback=NAME, scheduler=NAME.
 * With resample=yes, of resampled users with feedback (and pauses) over the same without:
 * active-weeks (of a user), session-length (mean) */
loom_measure_fn loom_measure_users;
/* of: a statement about queueing models (queueing_statements.h): 1 if it holds, 0 if not */
loom_measure_fn loom_measure_queueing;
/* of: underestimated_fraction, mae_s, wae_s, ne or jobs; with: predictor=NAME:PARAMETERS,
 * train=FRACTION, selection. With big=SECONDS, of jobs that request at least so much: big_jobs
 * (their share), big_error (their share of the absolute error) */
loom_measure_fn loom_measure_prediction;
/* of: COLUMN:DISTRIBUTION:WHAT, where the distribution is fitted to what the jobs of a log have
 * (loom_values_names), and WHAT is a parameter, ks, passed-500, passed-1000 (shares of subsamples),
 * or separation (of two gammas, Ashman's D); with: selection, fit-by=HOW */
loom_measure_fn loom_measure_fit;
/* of: a number of a model's document, by its keys ("combined.runtimes.p.slope"); with: as for
 * loom_measure_model */
loom_measure_fn loom_measure_parameter;
/* of: ks, or chi2 (sum (m - d)^2 / (m + d)), of generated jobs and the log over half hours of the
 * day; with: as for loom_measure_model */
loom_measure_fn loom_measure_day;
/* of: falls (share of steps at which the running mean of Pareto samples falls) or jumps (mean rise
 * over mean fall); with: shape=A; needs no log */
loom_measure_fn loom_measure_running_mean;

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * experiment_results.h - results of many runs, and what they show.
 *
 * Results are values of metrics by cell and replication. A cell is a combination of everything but
 * the replication: trace, source, scheduler, load and further settings, all of them called factors.
 * Cells of one trace and source got the same workload in a replication, so their values are paired.
 *
 * An analysis is about one metric and one factor: cells that differ in this factor alone form a
 * group, whose cells are ordered, best first, and compared in pairs.
 *
 *     struct loom_run_results *results = NULL;
 *     struct loom_analysis *analysis = NULL;
 *     struct loom_analysis_options options = {.metric = "wait_mean_s"};
 *     if (loom_results_read(&results, "study.db", &err) ||
 *         loom_analysis_create(&analysis, results, &options, &err))
 *         ...
 */
#ifndef WORKLOOM_EXPERIMENT_RESULTS_H
#define WORKLOOM_EXPERIMENT_RESULTS_H

#include <workloom/experiment.h>
#include <workloom/stats_intervals.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- results --------------------------------------------------------------------------------- */

struct loom_run_results;

struct loom_results_setting {
    const char *key, *value;
};

struct loom_results_cell {
    const char *trace, *source, *scheduler;
    double load;          /* NAN: not changed */
    int64_t replications; /* planned; 1 where nothing is random */
    const struct loom_results_setting *settings;
    size_t n_settings;
    int64_t failed; /* runs */
};

/* Create results without values in *out, for n cells, replications 0 to replications - 1, and the
 * metrics of these keys. Texts are copied. The caller must destroy it. Fails with LOOM_EUSAGE for
 * an unknown metric, LOOM_ERANGE if there are too many values, LOOM_ENOMEM. */
LOOM_API int loom_results_create(struct loom_run_results **out,
                                 const struct loom_results_cell *cells, size_t n,
                                 int64_t replications, const char *const *metrics, size_t n_metrics,
                                 struct loom_error *err);
/* Read the database of an experiment into *out, also while it is being written. The caller must
 * destroy it. Fails with LOOM_EIO if it cannot be read, LOOM_EDATA if it is no such database. */
LOOM_API int loom_results_read(struct loom_run_results **out, const char *path,
                               struct loom_error *err);
/* Read the database of an experiment as loom_results_read does, with the metrics of these keys too
 * where the plan does not name them: the database has all. */
LOOM_API int loom_results_read_with(struct loom_run_results **out, const char *path,
                                    const char *const *metrics, size_t n_metrics,
                                    struct loom_error *err);
/* Read the results by class of jobs of cells with the word by, as loom_results_read does. Each
 * class of a cell is a cell of its own, with a factor named after the kind of classes ("size",
 * ...), and has the metrics jobs, wait_mean_s, wait_median_s, bounded_slowdown_mean,
 * throughput_jobs_per_day, and saturated of the whole run. Fails with LOOM_EDATA if no run has
 * classes. */
LOOM_API int loom_results_read_classes(struct loom_run_results **out, const char *path,
                                       struct loom_error *err);
/* Destroy results; NULL is allowed. */
LOOM_API void loom_results_destroy(struct loom_run_results *results);

/* Set the value of a metric, by index, of a run. NAN: the run does not have it. */
LOOM_API void loom_results_set(struct loom_run_results *results, size_t cell, size_t metric,
                               int64_t replication, double value);
/* Copy all metrics of an outcome. */
LOOM_API void loom_results_add(struct loom_run_results *results, size_t cell, int64_t replication,
                               const struct loom_outcome *outcome);

/* Return the number of cells. */
LOOM_API size_t loom_results_cells(const struct loom_run_results *results);
/* Return a cell, valid as long as the results; NULL past the last. */
LOOM_API const struct loom_results_cell *loom_results_cell(const struct loom_run_results *results,
                                                           size_t cell);
/* Return the metric at an index, of those that the plan names; NULL past the last. Static. */
LOOM_API const struct loom_metric *loom_results_metric(const struct loom_run_results *results,
                                                       size_t index);
/* Return the number of replications. */
LOOM_API int64_t loom_results_replications(const struct loom_run_results *results);
/* Return the values of a metric of a cell by replication, NAN where there is none. NULL if there is
 * no such metric. Valid as long as the results. */
LOOM_API const double *loom_results_values(const struct loom_run_results *results, size_t cell,
                                           const char *metric);
/* Return how results were made, for pages: "command", "version", "text" (the plan), "seed", ...;
 * NULL if unknown. Valid as long as the results. */
LOOM_API const char *loom_results_origin(const struct loom_run_results *results, const char *key);

/* Return the factor at an index: "trace", "source", "scheduler", "load", then the keys of settings
 * in the order in which cells have them. NULL past the last. Valid as long as the results. */
LOOM_API const char *loom_results_factor(const struct loom_run_results *results, size_t index);
/* Format the value of a factor of a cell into buf: "" if it has none. Returns buf. */
LOOM_API const char *loom_results_value(const struct loom_run_results *results, size_t cell,
                                        const char *factor, char *buf, size_t size);
/* Return whether two cells differ in a factor. A cell without predictor has no correction either:
 * where a factor is missing because another one, which it needs, is, that one alone differs. */
LOOM_API bool loom_results_differ(const struct loom_run_results *results, size_t one, size_t other,
                                  const char *factor);
/* Return whether cells differ in a factor. */
LOOM_API bool loom_results_varies(const struct loom_run_results *results, const char *factor);

/* ---- analysis -------------------------------------------------------------------------------- */

struct loom_analysis_options {
    const char *metric; /* a key */
    /* The factor to compare; NULL: the scheduler if it varies, else the first that does, other than
     * load, and of trace and source last. */
    const char *compare;
    /* Leave out replications in which a run of the group is saturated, for all its cells. */
    bool drop_saturated;
    struct loom_interval_options interval;
};

struct loom_cell_result {
    size_t cell;
    size_t runs;                  /* done, with this metric */
    size_t saturated;             /* of them */
    size_t n;                     /* values used */
    struct loom_variation spread; /* over replications, if n > 0 */
    double
        common_mean; /* over the replications of all cells with values; of all n if there is none */
    bool has_interval;         /* n > 1 and values vary by chance */
    struct loom_interval mean; /* its Monte Carlo error */
    double best; /* probability that its mean is the best of the group; NAN: not known */
};

struct loom_pair_result {
    size_t a, b;                     /* places in the group; a has the better mean */
    size_t n;                        /* pairs */
    struct loom_interval difference; /* mean of a - b */
    bool has_ratio;
    struct loom_interval ratio; /* mean(a) / mean(b) */
    double level;               /* of both intervals, widened for the pairs of the group (Holm) */
    bool shown;                 /* the interval of the difference does not include 0 */
    double p, p_adjusted;       /* of no difference; adjusted for all pairs of the group (Holm) */
    struct loom_interval share; /* of replications in which a is better */
    size_t needed; /* replications that would show the estimated difference; 0: not known */
};

struct loom_group {
    /* Best common mean first, those without values last; in order of the plan without a direction.
     */
    struct loom_cell_result *cells;
    size_t n, with_values;
    struct loom_pair_result *differences; /* of cells with two replications in common at least */
    size_t n_differences;
    size_t replications; /* with a run in any cell */
    size_t saturated;    /* of them, with a saturated run in any cell */
    size_t undecided;    /* of these, with undecided verdicts only */
    size_t left_out;     /* left out because a run is saturated */
};

struct loom_analysis {
    const struct loom_run_results *results;
    const struct loom_metric *metric;
    const char *compare; /* the factor */
    double level;
    bool drop_saturated;
    struct loom_group *groups; /* in the order of their first cells in the plan */
    size_t n;
};

/* Analyse a metric of results, which are borrowed for its life. The caller must destroy *out. Fails
 * with LOOM_EUSAGE for an unknown metric or factor, LOOM_EDATA if no run has the metric. */
LOOM_API int loom_analysis_create(struct loom_analysis **out,
                                  const struct loom_run_results *results,
                                  const struct loom_analysis_options *options,
                                  struct loom_error *err);
/* Destroy an analysis; NULL is allowed. */
LOOM_API void loom_analysis_destroy(struct loom_analysis *analysis);

/* Analyse several metrics of the same results. metrics has n_metrics keys; 0: bounded slowdown,
 * waits, responses, slowdown, utilization, queue and fairness, as far as there are values, or the
 * metrics that the plan names. options->metric is not used. Stores an array of *n analyses. The
 * caller must destroy it with loom_analyses_destroy. Fails as loom_analysis_create does. */
LOOM_API int loom_analyses_create(struct loom_analysis ***out, size_t *n,
                                  const struct loom_run_results *results,
                                  const char *const *metrics, size_t n_metrics,
                                  const struct loom_analysis_options *options,
                                  struct loom_error *err);
/* Destroy an array of analyses; NULL is allowed. */
LOOM_API void loom_analyses_destroy(struct loom_analysis **analyses, size_t n);

/* Return whether a replication counts: it does not where saturated ones are left out and it has a
 * saturated run in any cell of the group. */
LOOM_API bool loom_group_uses(const struct loom_analysis *analysis, const struct loom_group *group,
                              size_t replication);

/* Return the difference of two cells of a group, by their places, a < b; NULL if there is none. */
LOOM_API const struct loom_pair_result *loom_group_difference(const struct loom_group *group,
                                                              size_t a, size_t b);

/* Return by how much a beats b: as a share of b's mean if *relative, which is set, else in units of
 * the metric. Positive is for a; of a metric without a direction it is a - b. */
LOOM_API struct loom_interval loom_margin(const struct loom_analysis *analysis,
                                          const struct loom_pair_result *difference,
                                          bool *relative);

/* Write what a group shows into buf as one sentence: which is best, by how much, how sure, or that
 * no difference is shown. Returns buf. */
LOOM_API const char *loom_analysis_sentence(const struct loom_analysis *analysis, size_t group,
                                            char *buf, size_t size);

/* Write a caution into buf, and return buf; NULL past the last. There may be one each on
 * - jobs that are wider than the machine, if 1 % of the jobs of a cell or more are left out for
 * that reason, or cells differ in it by 0.1 %;
 * - jobs without a requested time, if they are 1 % of the jobs of a cell or more;
 * - variants that are unlike the log in load_offered, the analysed metric or wait_mean_s: at least
 *   10 variants, all on one side of the log, and a tenth away on average. None if the results lack
 *   the log or its variants. */
LOOM_API const char *loom_analysis_caution(const struct loom_analysis *analysis, size_t index,
                                           char *buf, size_t size);

#ifdef __cplusplus
}
#endif
#endif

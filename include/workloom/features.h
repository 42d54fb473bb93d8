/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * features.h - the feature dictionary: every workload feature has one dotted key, computed from the
 * jobs of a trace as the texts define it.
 *
 * A feature that cannot be computed for a trace (no users, no estimates, too few jobs) has no value
 * but a reason, one sentence. A value is never NaN or infinite.
 */
#ifndef WORKLOOM_FEATURES_H
#define WORKLOOM_FEATURES_H

#include <workloom/stats.h>
#include <workloom/trace.h>
#include <workloom/users.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a key stands for. */
struct loom_feature_info {
    const char *key;     /* "arrival.interarrival.cv" */
    const char *unit;    /* "s", "jobs", "" for pure numbers */
    const char *meaning; /* one sentence for people, without its full stop */
    const char *source;  /* place in the texts: "Minh 2012, 2.1" */
};

struct loom_feature {
    const struct loom_feature_info *info;
    bool known;
    double value;       /* if known */
    const char *reason; /* if not */
    const char *note;   /* what to know of a value, such as a bound that it hit; NULL if nothing */
};

/* Parameters of the definitions of features. Zeros stand for the values of the texts, which are the
 * dictionary's; a feature measured at another value has a note (loom_definitions_note). */
struct loom_definitions {
    int64_t bag_gap_s;       /* Delta, the longest gap inside a bag of tasks; 0: 100 s */
    int64_t rate_interval_s; /* T, the interval of the rate process; 0: 900 s */
    /* Sessions of features that name no method: similarity, batches. */
    enum loom_session_method session_method;
    int64_t session_gap_s; /* threshold of all methods; 0: 60 min by arrivals, 20 min by others */
    int64_t session_cut_s; /* of the methods with a cut; 0: 60 min */
};

/* Return the rule of a method with these gaps and cuts. */
LOOM_API struct loom_session_rule loom_definitions_rule(const struct loom_definitions *definitions,
                                                        enum loom_session_method method);

/* Write to buf how the definition of a feature differs from the dictionary's, as "interval 3600 s";
 * "" if it does not. Returns buf. */
LOOM_API const char *loom_definitions_note(const struct loom_definitions *definitions,
                                           const char *key, char *buf, size_t size);

struct loom_features;

/* Return the number of families of features, the steps that progress counts. */
LOOM_API size_t loom_feature_families(void);

/* Compute the features of all jobs of the trace (select before), families side by side on the pool
 * (may be NULL). progress, which may be NULL, counts the families that are done,
 * loom_feature_families() in all. The caller must destroy *out; it keeps no reference to the trace.
 */
LOOM_API int loom_features_create(struct loom_features **out, const struct loom_trace *trace,
                                  struct loom_pool *pool, struct loom_progress *progress,
                                  struct loom_error *err);

/* Compute features as loom_features_create does, by definitions of the caller (NULL: the
 * dictionary's). Fails with LOOM_ERANGE for a value out of bounds; err->field names it. */
LOOM_API int loom_features_create_by(struct loom_features **out, const struct loom_trace *trace,
                                     const struct loom_definitions *definitions,
                                     struct loom_pool *pool, struct loom_progress *progress,
                                     struct loom_error *err);

/* Return the definitions that features were measured by, borrowed; gap and interval are filled in.
 */
LOOM_API const struct loom_definitions *
loom_features_definitions(const struct loom_features *features);

/* Free features, which may be NULL. */
LOOM_API void loom_features_destroy(struct loom_features *features);

/* Return the number of features, known or not. */
LOOM_API size_t loom_features_count(const struct loom_features *features);

/* Return a feature by index, in the order of the dictionary; borrowed. NULL past the last. */
LOOM_API const struct loom_feature *loom_features_at(const struct loom_features *features,
                                                     size_t index);

/* Return the feature of this key, borrowed; NULL if there is none. */
LOOM_API const struct loom_feature *loom_features_find(const struct loom_features *features,
                                                       const char *key);

/* Return an entry of the dictionary by index, static; NULL past the last. */
LOOM_API const struct loom_feature_info *loom_feature_info_at(size_t index);

/* Store the values of something jobs have, for fitting and figures: runtime, procs, interarrival,
 * work (runtime times processors), wait, estimate, bag-interarrival (between bags of tasks), and
 * logarithms: log-runtime, log-work, log-interarrival and log-peak (interarrival times within
 * 8:00-19:00 on one of Monday to Friday) to the base e, log-procs to the base 2. Jobs that do not
 * know it are left out, and so are zeros where a logarithm is taken. Stores an array of *n values,
 * in order of submission, which the caller must free(). LOOM_EUSAGE for another name. */
LOOM_API int loom_values_of(double **out, size_t *n, const struct loom_trace *trace,
                            const char *what, struct loom_error *err);

/* Store such values with the intervals that whole seconds and processors stand for. The caller must
 * free them with loom_rounded_free. LOOM_EUSAGE for another name. */
LOOM_API int loom_values_rounded(struct loom_rounded *out, const struct loom_trace *trace,
                                 const char *what, struct loom_error *err);

/* Names of such values, NULL-terminated. */
LOOM_API extern const char *const loom_values_names[];

/* ---- comparison ------------------------------------------------------------------------------ */

/* How far traces are from a reference trace, feature by feature and distribution by distribution,
 * and a score of it in parts (docs/methods/features.md, "Comparison").
 *
 * Distances are in units of the sampling error of the reference, found by a block bootstrap over
 * whole weeks (days or hours for short logs) of its jobs: a distance of 1 is typical of two logs of
 * the same machine and length. Closeness is 1 where nothing differs, 1/2 at a distance of 3 and
 * goes to 0. A part of the score is the mean closeness of its items, the score is the mean of the
 * parts. What one of the two traces lacks is left out, and counted.
 *
 * Equal traces have a score of exactly 1. */

/* Compute the distance between the daily cycles of a trace and of the data into *out: Lublin and
 * Feitelson's P (section 7.3), the sum of (m - d)^2 / (m + d) over 48 half hours of the local day,
 * with m scaled to as many jobs. NAN if one of them has no clock or no jobs. LOOM_ENOMEM. */
LOOM_API int loom_daily_cycle_distance(double *out, const struct loom_trace *data,
                                       const struct loom_trace *model, struct loom_error *err);

struct loom_part_info {
    const char *name;    /* "arrivals" */
    const char *title;   /* "Arrivals" */
    const char *meaning; /* what it asks, as a sentence */
};
enum { LOOM_PARTS = 10 };

/* Return a part of the score by index, static; NULL past the last. */
LOOM_API const struct loom_part_info *loom_part_at(size_t index);

enum { LOOM_DISTRIBUTIONS = 15 }; /* that are compared */

/* Return a distribution that is compared by index, static; NULL past the last. */
LOOM_API const struct loom_feature_info *loom_distribution_at(size_t index);

/* Check that the trace has enough jobs to be compared, which are two. LOOM_EDATA if not. */
LOOM_API int loom_comparable(const struct loom_trace *trace, struct loom_error *err);

/* How the sampling errors of a reference are found. */
struct loom_reference_options {
    size_t resamples; /* of the bootstrap; 0: 32 */
    uint64_t seed;
    struct loom_definitions definitions; /* of the features of all traces compared */
};

/* The blocks of the bootstrap. */
struct loom_blocks {
    int64_t unit_s; /* a week, a day, an hour; 0 if the log is too short to be resampled */
    size_t units;   /* whole ones in the log */
    size_t length;  /* of a block, in units */
    size_t resamples;
};

/* A trace that others are compared with: its features, distributions and sampling errors. */
struct loom_reference;

/* Measure a reference. options may be NULL: all zero; pool may be NULL. progress, which may be
 * NULL, counts loom_feature_families() and then the resamples. The caller must destroy *out, which
 * borrows the trace. LOOM_EDATA if the trace cannot be compared. */
LOOM_API int loom_reference_create(struct loom_reference **out, const struct loom_trace *trace,
                                   const struct loom_reference_options *options,
                                   struct loom_pool *pool, struct loom_progress *progress,
                                   struct loom_error *err);

/* Free reference, which may be NULL. */
LOOM_API void loom_reference_destroy(struct loom_reference *reference);

/* Return the features of the reference, borrowed. */
LOOM_API const struct loom_features *
loom_reference_features(const struct loom_reference *reference);

/* Return the blocks used to resample the reference. */
LOOM_API struct loom_blocks loom_reference_blocks(const struct loom_reference *reference);

/* One trace against a reference, which must outlive it. */
struct loom_comparison;

/* Compare a trace with a reference; many threads may compare with one. pool may be NULL; progress,
 * which may be NULL, counts loom_feature_families(). The caller must destroy *out, which borrows
 * the reference. LOOM_EDATA if the trace cannot be compared. */
LOOM_API int loom_comparison_create(struct loom_comparison **out,
                                    const struct loom_reference *reference,
                                    const struct loom_trace *trace, struct loom_pool *pool,
                                    struct loom_progress *progress, struct loom_error *err);

/* Free comparison, which may be NULL. */
LOOM_API void loom_comparison_destroy(struct loom_comparison *comparison);

/* Return the features of the trace compared, borrowed. */
LOOM_API const struct loom_features *
loom_comparison_features(const struct loom_comparison *comparison);

/* Return the score, 0 .. 1. */
LOOM_API double loom_comparison_score(const struct loom_comparison *comparison);

/* Return the score with a closeness of 0 for all that the reference has and the trace lacks. */
LOOM_API double loom_comparison_overall(const struct loom_comparison *comparison);

/* Return whether the trace has from half to twice as many jobs as the reference, and lasts from
 * half to twice as long. Scores of traces that differ in this are not comparable with each other.
 */
LOOM_API bool loom_comparison_same_length(const struct loom_comparison *comparison);

/* A number with its spread over the traces compared. sd and the half width of the 95 % interval of
 * the mean (Student's t) are NAN for a single trace. Of a few scores the interval may be wider than
 * their scale of 0 .. 1, that is, too few for a conclusion. */
struct loom_spread {
    double mean, sd, half;
};

/* Compute the spread of n >= 1 values. */
LOOM_API struct loom_spread loom_spread_of(const double *values, size_t n);

/* One line of a scorecard: a feature, or a distribution, whose a and b are medians. */
struct loom_compared {
    const struct loom_feature_info *info;
    bool distribution;
    int part;           /* index, or -1: shown but not scored */
    size_t known;       /* traces in which it is known, as it is in the reference; else 0 */
    const char *reason; /* where known is 0 */
    bool known_a;
    double a;             /* if known_a */
    struct loom_spread b; /* if known > 0, as all that follows */
    double error;         /* sampling error of the difference; NAN if unknown */
    double scale;     /* what the difference is divided by: error, and a hundredth of the value */
    double distance;  /* of a scalar: (b - a) over its scale; of a distribution: from KS */
    double closeness; /* 0 .. 1 */
    double ks, wasserstein, anderson_darling; /* of a distribution */
};

struct loom_score_part {
    const struct loom_part_info *info;
    size_t items;             /* scored in at least one trace */
    size_t absent;            /* known of the reference, and of no other trace */
    struct loom_spread score; /* if items > 0 */
    size_t furthest;          /* its line of least closeness, if items > 0 */
};

/* Summary of comparisons with one reference. */
struct loom_scorecard;

/* Summarise n >= 1 comparisons with one reference. The caller must destroy *out; it borrows the
 * reference, but not the comparisons. LOOM_EUSAGE if n is 0. */
LOOM_API int loom_scorecard_create(struct loom_scorecard **out,
                                   const struct loom_reference *reference,
                                   struct loom_comparison *const *comparisons, size_t n,
                                   struct loom_error *err);

/* Free card, which may be NULL. */
LOOM_API void loom_scorecard_destroy(struct loom_scorecard *card);

/* Return the score over the traces compared. */
LOOM_API struct loom_spread loom_scorecard_score(const struct loom_scorecard *card);

/* Return the score with a closeness of 0 for all that the reference has and a trace lacks: no trace
 * gains by having less. */
LOOM_API struct loom_spread loom_scorecard_overall(const struct loom_scorecard *card);

/* Return the share of the parts that the reference knows and a trace knows as well, 0 .. 1; of
 * several traces, the mean. */
LOOM_API double loom_scorecard_coverage(const struct loom_scorecard *card);

/* Return the number of traces compared. */
LOOM_API size_t loom_scorecard_traces(const struct loom_scorecard *card);

/* Return a part by index, in the order of loom_part_at; borrowed. NULL past the last. */
LOOM_API const struct loom_score_part *loom_scorecard_part(const struct loom_scorecard *card,
                                                           size_t index);

/* Return a line by index: the features in the order of the dictionary, then the distributions;
 * borrowed. NULL past the last. */
LOOM_API const struct loom_compared *loom_scorecard_line(const struct loom_scorecard *card,
                                                         size_t index);

#ifdef __cplusplus
}
#endif
#endif

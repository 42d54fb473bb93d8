/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * family.h - the interface of a family of features: one .c file that ends in a const struct
 * loom_family_ops, and one line in the list in features.c. template.c is the one to copy.
 *
 * A family declares its keys and computes all of them in one go from a struct loom_workload, the
 * jobs in the order and form that most features want. Families run in parallel and share nothing
 * else.
 */
#ifndef LOOM_FEATURES_FAMILY_H
#define LOOM_FEATURES_FAMILY_H

#include "trace/workload.h"

#include <workloom/features.h>
#include <workloom/stats.h>

/* Where a family puts its values. */
struct loom_results;

/* Every declared key must get exactly one of these. A value that is not finite is turned into
 * missing, with a reason that says so. */
void loom_put(struct loom_results *results, const char *key, double value);
void loom_put_missing(struct loom_results *results, const char *key, const char *reason);
/* Add to a value what its reader should know: a literal, or text that outlives the results. */
void loom_put_note(struct loom_results *results, const char *key, const char *note);
/* The note of shares of a machine whose size is found from its jobs. */
#define LOOM_SIZE_OF_PEAK "of the most processors in use at once, as the header gives no MaxProcs"
/* For all keys of the family that have nothing yet. */
void loom_put_rest_missing(struct loom_results *results, const char *reason);

/* Hand over the kinds of runtimes, which are too dear to be found twice: the clusters are emptied.
 * They are of ln(runtime + 1) over the jobs with a runtime, in order of submission. */
void loom_keep_clusters(struct loom_results *results, struct loom_clusters *clusters);
/* What was kept, or NULL if the log has no such kinds. */
const struct loom_clusters *loom_features_clusters(const struct loom_features *features);

struct loom_family_ops {
    const char *name;                     /* "arrival" */
    const struct loom_feature_info *keys; /* ends with a NULL key */
    bool costly;       /* takes longer than all others: started first, and resampled less often */
    bool unscored;     /* no score has any of its keys: not resampled */
    bool with_no_jobs; /* compute is called for an empty log too; else its keys are all missing */
    /* A failure of memory or the like ends the whole analysis; missing data is no failure. reasons
     * passed to loom_put_missing must be string literals or otherwise outlive the results. */
    int (*compute)(const struct loom_workload *jobs, struct loom_results *results,
                   struct loom_error *err);
};

/* The definitions to measure by, with gap and interval filled in. */
const struct loom_definitions *loom_results_definitions(const struct loom_results *results);

/* Compute all features but the costly and unscored families', in the calling thread (features.c).
 */
int loom_features_cheap(struct loom_features **out, const struct loom_trace *trace,
                        const struct loom_definitions *definitions, struct loom_error *err);

#endif

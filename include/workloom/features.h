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

#include <workloom/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a key stands for. */
struct loom_feature_info {
    const char *key;     /* "arrival.interarrival.cv" */
    const char *unit;    /* "s", "jobs", "" for pure numbers */
    const char *meaning; /* one sentence for people, without its full stop */
    const char *source;  /* place in the texts: "thesis 2.1" */
};

struct loom_feature {
    const struct loom_feature_info *info;
    bool known;
    double value;       /* if known */
    const char *reason; /* if not */
};

struct loom_features;

/* The features of all jobs of the trace (select before). Families run side by side on the pool;
 * progress, which may be NULL, counts those that are done, LOOM_FAMILIES in all. */
enum { LOOM_FAMILIES = 14 };
LOOM_API int loom_features_create(struct loom_features **out, const struct loom_trace *trace,
                                  struct loom_pool *pool, struct loom_progress *progress,
                                  struct loom_error *err);
LOOM_API void loom_features_destroy(struct loom_features *features);

/* In the order of the dictionary. */
LOOM_API size_t loom_features_count(const struct loom_features *features);
LOOM_API const struct loom_feature *loom_features_at(const struct loom_features *features,
                                                     size_t index);
LOOM_API const struct loom_feature *loom_features_find(const struct loom_features *features,
                                                       const char *key);

/* The dictionary itself: NULL past the last. */
LOOM_API const struct loom_feature_info *loom_feature_info_at(size_t index);

/* The values of something jobs have, for fitting and figures: runtime, log-runtime, procs,
 * interarrival, work (runtime times processors), wait, estimate. Jobs that do not tell it are left
 * out. The caller must free *out. */
LOOM_API int loom_values_of(double **out, size_t *n, const struct loom_trace *trace,
                            const char *what, struct loom_error *err);
/* The names it takes, NULL-terminated. */
LOOM_API extern const char *const loom_values_names[];

#ifdef __cplusplus
}
#endif
#endif

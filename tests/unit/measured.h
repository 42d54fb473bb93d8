/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measured.h - the features of a log, and what a test says of them. */
#ifndef LOOM_TESTS_MEASURED_H
#define LOOM_TESTS_MEASURED_H

#include "support.h"

#include <math.h>
#include <string.h>
#include <workloom/features.h>

static inline struct loom_features *features_of(const struct loom_trace *trace)
{
    struct loom_features *features = NULL;
    struct loom_error err = {0};
    if (loom_features_create(&features, trace, NULL, NULL, &err))
        fail_msg("%s", err.message);
    return features;
}

/* The features of a log that is not needed any more. */
static inline struct loom_features *measure(struct loom_trace *trace)
{
    struct loom_features *features = features_of(trace);
    loom_trace_destroy(trace);
    return features;
}

static const struct loom_feature *feature_of(const struct loom_features *features, const char *key)
{
    const struct loom_feature *feature = loom_features_find(features, key);
    if (!feature)
        fail_msg("there is no key %s", key);
    return feature;
}

static inline double value_of(const struct loom_features *features, const char *key)
{
    const struct loom_feature *feature = feature_of(features, key);
    if (!feature->known)
        fail_msg("%s is missing: %s", key, feature->reason);
    return feature->value;
}

static inline void assert_value(const struct loom_features *features, const char *key,
                                double wanted, double relative)
{
    double got = value_of(features, key);
    if (!(fabs(got - wanted) <= relative * fabs(wanted) + 1e-300))
        fail_msg("%s is %.17g, not %.17g", key, got, wanted);
}

static inline void assert_missing(const struct loom_features *features, const char *key,
                                  const char *reason)
{
    const struct loom_feature *feature = feature_of(features, key);
    if (feature->known)
        fail_msg("%s is %g, and should be missing", key, feature->value);
    assert_string_equal(feature->reason, reason);
}

struct wanted {
    const char *key;
    double value;
};

static inline void assert_values(const struct loom_features *features, const struct wanted *wanted,
                                 size_t n, double relative)
{
    for (size_t i = 0; i < n; i++)
        assert_value(features, wanted[i].key, wanted[i].value, relative);
}

/* Every key has a finite value or a reason of its family's. */
static inline void assert_complete(const struct loom_features *features)
{
    for (size_t i = 0; i < loom_features_count(features); i++) {
        const struct loom_feature *feature = loom_features_at(features, i);
        if (feature->known ? !isfinite(feature->value) : !feature->reason || !*feature->reason)
            fail_msg("%s has neither a value nor a reason", feature->info->key);
        if (!feature->known && strcmp(feature->reason, "it was not computed") == 0)
            fail_msg("%s was forgotten by its family", feature->info->key);
    }
}

#endif

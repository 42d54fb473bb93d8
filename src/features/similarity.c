/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Similarity by distance: of a user's jobs within a session, between successive sessions, and
 * between sessions two apart (Zakay, chapter 3, section 3, tables II to IV). Sessions are those by
 * arrivals.
 *
 * At each distance, all pairs of jobs at that distance are taken together. Where the text leaves
 * open what stands for them, it is what gives the tables: their mean for processors, the share of
 * identical pairs for estimates, their median for runtimes; and the users are those with at least
 * six sessions, one of which has at least two jobs. Jobs that do not know the value are left out,
 * and a user without pairs at a distance from what is compared there.
 */
#include "features/similarity.h"
#include "features/measure.h"

#include <workloom/stats.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { DISTANCES = 3 };

/* Sums over pairs are rounded, so that equal means may differ by this much. */
static const double EQUAL = 1e-9;

enum measure { MEAN, IDENTICAL, MEDIAN };

struct attribute {
    const char *name;
    enum measure measure;
    const char *reason;
};

static const struct attribute attributes[LOOM_SIMILAR] = {
    [LOOM_SIMILAR_PROCS] = {"procs", MEAN, "no job has a processor count"},
    [LOOM_SIMILAR_ESTIMATE] = {"estimate", IDENTICAL, "no job has an estimate"},
    [LOOM_SIMILAR_RUNTIME] = {"runtime", MEDIAN, "no job has a runtime"},
};

/* ---- users compared -------------------------------------------------------------------------- */

/* How many users are more similar at the shorter distance, equally, and at the longer one. */
struct comparison {
    size_t shorter, equal, longer;
};

/* Not a number where there are no pairs. */
static struct loom_middle similarity(const struct loom_pairs *pairs, enum measure measure,
                                     double *scratch)
{
    struct loom_middle middle = {.low = NAN, .high = NAN};
    if (loom_pairs_count(pairs) == 0)
        return middle;
    if (measure == MEDIAN)
        loom_middle_open(&middle, pairs, scratch);
    else
        middle.low = middle.high =
            measure == MEAN ? loom_pairs_mean(pairs) : loom_pairs_identical(pairs);
    return middle;
}

static void count_user(struct comparison *comparison, struct loom_middle *shorter,
                       struct loom_middle *longer)
{
    if (isnan(shorter->low) || isnan(longer->low))
        return;
    int order = loom_middle_compare(shorter, longer, EQUAL);
    comparison->shorter += order > 0;
    comparison->equal += order == 0;
    comparison->longer += order < 0;
}

static void compare_users(struct comparison comparisons[DISTANCES - 1],
                          const struct loom_session_values *values, enum measure measure,
                          const struct loom_users *users, const struct loom_sessions *sessions)
{
    for (size_t user = 0; user < users->count; user++) {
        if (!loom_is_compared(sessions, user))
            continue;
        struct loom_pairs pairs[DISTANCES];
        struct loom_middle at[DISTANCES];
        for (size_t d = 0; d < DISTANCES; d++) {
            pairs[d] = loom_user_pairs(values, sessions, user, d);
            at[d] = similarity(&pairs[d], measure, values->scratch);
        }
        for (size_t d = 0; d + 1 < DISTANCES; d++)
            count_user(&comparisons[d], &at[d], &at[d + 1]);
    }
}

/* ---- the family ------------------------------------------------------------------------------ */

static const char FEW[] =
    "no user has six sessions, two jobs in one of them, and this value known for enough jobs";

static void put_share(struct loom_results *results, const struct attribute *attribute,
                      const char *what, size_t part, const struct comparison *all)
{
    char key[64];
    size_t users = all->shorter + all->equal + all->longer;
    snprintf(key, sizeof key, "similarity.%s.%s", attribute->name, what);
    if (users > 0)
        loom_put(results, key, (double)part / (double)users);
    else
        loom_put_missing(results, key, FEW);
}

static void put_shares(struct loom_results *results, const struct attribute *attribute,
                       const struct comparison comparisons[DISTANCES - 1])
{
    const struct comparison *near = &comparisons[0], *far = &comparisons[1];
    put_share(results, attribute, "d0_larger", near->shorter, near);
    put_share(results, attribute, "d0_equal", near->equal, near);
    put_share(results, attribute, "d1_larger", near->longer, near);
    put_share(results, attribute, "d1d2_larger", far->shorter, far);
    put_share(results, attribute, "d1d2_equal", far->equal, far);
    put_share(results, attribute, "d2_larger", far->longer, far);
}

static void put_unknown(struct loom_results *results, const struct attribute *attribute)
{
    static const char *const all[] = {"d0_larger",   "d0_equal",   "d1_larger",
                                      "d1d2_larger", "d1d2_equal", "d2_larger"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char key[64];
        snprintf(key, sizeof key, "similarity.%s.%s", attribute->name, all[i]);
        loom_put_missing(results, key, attribute->reason);
    }
}

static int similarity_measure(const struct loom_workload *jobs, struct loom_results *results,
                              struct loom_session_values *values, const struct loom_users *users,
                              const struct loom_sessions *sessions, struct loom_error *err)
{
    for (int a = 0; a < LOOM_SIMILAR; a++) {
        struct comparison comparisons[DISTANCES - 1] = {{0}};
        int rc = loom_session_values_take(values, jobs, (enum loom_similar)a, users, sessions, err);
        if (rc)
            return rc;
        if (values->first[sessions->count] == 0) {
            put_unknown(results, &attributes[a]);
            continue;
        }
        compare_users(comparisons, values, attributes[a].measure, users, sessions);
        put_shares(results, &attributes[a], comparisons);
    }
    return 0;
}

static int measure_sessions(const struct loom_workload *jobs, struct loom_results *results,
                            const struct loom_users *users, struct loom_error *err)
{
    const struct loom_definitions *definitions = loom_results_definitions(results);
    struct loom_session_rule rule = loom_definitions_rule(definitions, definitions->session_method);
    struct loom_sessions *sessions = NULL;
    int rc = loom_sessions_create(&sessions, users, &rule, err);
    if (rc)
        return rc;
    struct loom_session_values values;
    rc = loom_session_values_create(&values, users, sessions, err);
    if (!rc)
        rc = similarity_measure(jobs, results, &values, users, sessions, err);
    loom_session_values_free(&values);
    loom_sessions_destroy(sessions);
    return rc;
}

static int similarity_compute(const struct loom_workload *jobs, struct loom_results *results,
                              struct loom_error *err)
{
    struct loom_activity activity = loom_workload_activity(jobs);
    struct loom_users *users = NULL;
    int rc = loom_users_create(&users, &activity, err);
    if (rc)
        return rc;
    if (users->count > 0)
        rc = measure_sessions(jobs, results, users, err);
    else
        loom_put_rest_missing(results, "no job has a user ID");
    loom_users_destroy(users);
    return rc;
}

#define SHARE(attribute, key, what, how, table)                                        \
    {                                                                                  \
        "similarity." attribute "." key, "", "share of users whose " what " are " how, \
            "Zakay 2017, ch. 3, table " table                                          \
    }
#define SHARES(name, what, table)                                                                  \
    SHARE(name, "d0_larger", what, "more similar within a session than to the next", table),       \
        SHARE(name, "d0_equal", what, "as similar within a session as to the next", table),        \
        SHARE(name, "d1_larger", what, "more similar to the next session than within one", table), \
        SHARE(name, "d1d2_larger", what, "more similar to the next session than to the one after", \
              table),                                                                              \
        SHARE(name, "d1d2_equal", what, "as similar to the next session as to the one after",      \
              table),                                                                              \
        SHARE(name, "d2_larger", what, "less similar to the next session than to the one after",   \
              table)

static const struct loom_feature_info keys[] = {
    SHARES("procs", "jobs' processors", "II"),
    SHARES("estimate", "jobs' estimates", "III"),
    SHARES("runtime", "jobs' runtimes", "IV"),
    {0},
};

const struct loom_family_ops loom_family_similarity = {
    .name = "similarity",
    .keys = keys,
    .compute = similarity_compute,
};

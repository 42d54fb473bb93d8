/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Users by length of activity: long-term ones for more than 12 weeks, temporary ones for less; of
 * the latter, those seen only within 4 weeks of an end of the log are discarded (Zakay, chapter 3,
 * section 4).
 */
#include "features/measure.h"

static int measure_users(struct loom_results *results, const struct loom_users *users,
                         struct loom_error *err)
{
    struct loom_user_rule rule = loom_user_rule();
    struct loom_user_pools *pools = NULL;
    int rc = loom_user_pools_create(&pools, users, &rule, err);
    if (rc)
        return rc;
    loom_put(results, "user.long_term.count", (double)pools->count[LOOM_LONG_TERM]);
    loom_put(results, "user.long_term.jobs", (double)pools->jobs[LOOM_LONG_TERM]);
    loom_put(results, "user.temporary.count", (double)pools->count[LOOM_TEMPORARY]);
    loom_put(results, "user.temporary.jobs", (double)pools->jobs[LOOM_TEMPORARY]);
    loom_put(results, "user.discarded.count", (double)pools->count[LOOM_DISCARDED]);
    loom_user_pools_destroy(pools);
    return 0;
}

static int user_compute(const struct loom_workload *jobs, struct loom_results *results,
                        struct loom_error *err)
{
    struct loom_activity activity = loom_workload_activity(jobs);
    struct loom_users *users = NULL;
    int rc = loom_users_create(&users, &activity, err);
    if (rc)
        return rc;
    if (users->count > 0)
        rc = measure_users(results, users, err);
    else
        loom_put_rest_missing(results, "no job has a user ID");
    loom_users_destroy(users);
    return rc;
}

static const struct loom_feature_info keys[] = {
    {"user.long_term.count", "users", "users whose first and last job are more than 12 weeks apart",
     "Zakay 2017, ch. 3, 4"},
    {"user.long_term.jobs", "jobs", "jobs of the long-term users", "Zakay 2017, ch. 3, 4"},
    {"user.temporary.count", "users", "other users, without those that are discarded",
     "Zakay 2017, ch. 3, 4"},
    {"user.temporary.jobs", "jobs", "jobs of the temporary users", "Zakay 2017, ch. 3, 4"},
    {"user.discarded.count", "users",
     "temporary users seen only within 4 weeks of the beginning or the end of the log",
     "Zakay 2017, ch. 3, 4"},
    {0},
};

const struct loom_family_ops loom_family_user = {
    .name = "user",
    .keys = keys,
    .compute = user_compute,
};

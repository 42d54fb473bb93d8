/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A log to resample: its users, pools and other data needed for drawing. */
#include "base/civil.h"
#include "resample/resample.h"

#include <inttypes.h>
#include <stdlib.h>

static int split_rare(struct loom_resample_log *source, struct loom_activity *activity,
                      struct loom_user_rule *pools, const struct loom_rare *rare, size_t n_rare,
                      struct loom_error *err)
{
    if (n_rare == 0)
        return 0;
    source->user = malloc((activity->n + 1) * sizeof *source->user);
    if (!source->user)
        return loom_fail_memory(err);
    int rc = loom_rare_split(source->user, &pools->rare_from, activity, rare, n_rare, err);
    activity->user = source->user;
    return rc;
}

/* Set local times, made non-decreasing: when clocks go back, the repeated hour is clamped to its
 * first end. */
static int take_wall_clock(struct loom_resample_log *source, struct loom_activity *activity,
                           struct loom_error *err)
{
    uint32_t *order = NULL;
    source->wall_s = malloc((activity->n + 1) * sizeof *source->wall_s);
    int rc = source->wall_s ? loom_trace_order(&order, source->log, err) : loom_fail_memory(err);
    int64_t latest_s = INT64_MIN;
    for (size_t i = 0; i < activity->n && !rc; i++) {
        int64_t submit_s = activity->submit_s[order[i]];
        int64_t local_s = loom_zone_local(source->zone, submit_s);
        if (submit_s != -1)
            latest_s = local_s > latest_s ? local_s : latest_s;
        source->wall_s[order[i]] = submit_s == -1 ? -1 : latest_s;
    }
    free(order);
    activity->submit_s = source->wall_s;
    return rc;
}

static int find_sessions(struct loom_resample_log *source, const struct loom_resample_rule *rule,
                         struct loom_error *err)
{
    struct loom_session_rule sessions = loom_session_rule(LOOM_SESSION_ARRIVAL);
    if (rule->shake != LOOM_SHAKE_SESSION)
        return 0;
    return loom_sessions_create(&source->sessions, source->users, &sessions, err);
}

/* Find the processors of the log's machine: by its header, by the rule, or by its jobs. Load and
 * sizes of the new workload rest on them. */
static int find_size(struct loom_resample_log *source, const struct loom_resample_rule *rule,
                     struct loom_error *err)
{
    struct loom_machine_size size;
    int rc = loom_trace_machine_size(&size, source->log, err);
    if (!rc && size.source != LOOM_SIZE_HEADER && rule->procs > 0)
        size = (struct loom_machine_size){rule->procs, LOOM_SIZE_HEADER};
    if (!rc && !loom_size_usable(&size))
        rc = loom_fail_field(err, LOOM_EDATA, "procs",
                             "the log does not name the size of its machine; set procs (at least "
                             "%" PRId64 ", %s)",
                             size.procs, loom_size_source_text(size.source));
    source->procs = size.procs < INT32_MAX ? (int32_t)size.procs : INT32_MAX;
    return rc;
}

int loom_resample_log_create(struct loom_resample_log *out, const struct loom_trace *log,
                             const struct loom_resample_rule *rule, const struct loom_rare *rare,
                             size_t n_rare, struct loom_error *err)
{
    struct loom_activity activity = loom_trace_activity(log);
    struct loom_user_rule pools = rule->pools;
    *out = (struct loom_resample_log){.log = log};
    int rc = loom_zone_create(&out->zone, log, NULL, err);
    if (!rc)
        rc = split_rare(out, &activity, &pools, rare, n_rare, err);
    if (!rc && rule->wall_clock)
        rc = take_wall_clock(out, &activity, err);
    if (!rc)
        rc = loom_users_create(&out->users, &activity, err);
    if (!rc && out->users->n == 0)
        rc = loom_fail(err, LOOM_EDATA,
                       activity.n == 0 ? "there are no jobs to resample"
                                       : "no job has a user ID, so there is no one to "
                                         "resample");
    if (!rc && (out->users->begin_s < INT64_MIN / 4 || out->users->end_s > INT64_MAX / 4))
        rc = loom_fail(err, LOOM_ERANGE, "submit times are too far from 0 to be moved");
    if (!rc)
        rc = loom_user_pools_create(&out->pools, out->users, &pools, err);
    if (!rc)
        rc = find_sessions(out, rule, err);
    if (!rc)
        rc = loom_favours_weigh(&out->weight, out, rule, err);
    return rc ? rc : find_size(out, rule, err);
}

void loom_resample_log_free(struct loom_resample_log *source)
{
    free(source->user);
    free(source->wall_s);
    loom_zone_destroy(source->zone);
    free(source->weight);
    loom_sessions_destroy(source->sessions);
    loom_user_pools_destroy(source->pools);
    loom_users_destroy(source->users);
}

int32_t loom_resample_log_original(const struct loom_resample_log *source, uint32_t user,
                                   const struct loom_resampler *resampler)
{
    int32_t number = source->users->number[user];
    if (source->pools->kind[user] != LOOM_RARE)
        return number;
    int32_t first = source->users->number[source->pools->members[LOOM_RARE][0]];
    return resampler->rare[number - first].user;
}

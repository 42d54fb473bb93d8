/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The two clocks of a machine that stands still now and then. */
#include "sim/downtime.h"

#include "base/error.h"

#include <inttypes.h>
#include <stdlib.h>

static int check(const struct loom_downtimes *times, struct loom_error *err)
{
    for (size_t i = 0; i < times->n; i++) {
        const struct loom_downtime *at = &times->list[i];
        if (at->from_s < 0 || at->to_s <= at->from_s ||
            (i > 0 && at->from_s <= times->list[i - 1].to_s))
            return loom_fail_field(err, LOOM_ERANGE, "downtime",
                                   "downtime must be ascending intervals that do not touch; the "
                                   "one from %" PRId64 " to %" PRId64 " s is not",
                                   at->from_s, at->to_s);
    }
    return 0;
}

int loom_clock_set(struct loom_clock *clock, const struct loom_downtimes *times,
                   struct loom_error *err)
{
    clock->times = times && times->n > 0 ? times : NULL;
    if (!clock->times)
        return 0;
    int rc = check(times, err);
    if (rc)
        return rc;
    int64_t *lost_s = realloc(clock->lost_s, (times->n + 1) * sizeof *lost_s);
    if (!lost_s)
        return loom_fail_memory(err);
    clock->lost_s = lost_s;
    lost_s[0] = 0;
    for (size_t i = 0; i < times->n; i++)
        lost_s[i + 1] = lost_s[i] + times->list[i].to_s - times->list[i].from_s;
    return 0;
}

void loom_clock_free(struct loom_clock *clock)
{
    free(clock->lost_s);
    *clock = (struct loom_clock){0};
}

/* The number of downtimes that begin before a time, or by uptime before (up to, if `at` is set) an
 * instant of it. */
static size_t count_before(const struct loom_clock *clock, int64_t time_s, bool uptime, bool at)
{
    const struct loom_downtimes *times = clock->times;
    size_t low = 0, high = times->n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int64_t from_s = times->list[middle].from_s - (uptime ? clock->lost_s[middle] : 0);
        if (from_s < time_s || (at && from_s == time_s))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int64_t loom_clock_uptime(const struct loom_clock *clock, int64_t time_s)
{
    if (!clock->times || time_s == LOOM_NEVER || time_s < 0)
        return time_s;
    size_t n = count_before(clock, time_s, false, false);
    if (n > 0 && time_s < clock->times->list[n - 1].to_s) /* in the last of them */
        time_s = clock->times->list[n - 1].to_s;
    return time_s - clock->lost_s[n];
}

int64_t loom_clock_time(const struct loom_clock *clock, int64_t uptime_s, bool after)
{
    return clock->times ? uptime_s + clock->lost_s[count_before(clock, uptime_s, true, after)]
                        : uptime_s;
}

struct loom_sim_job loom_clock_job(const struct loom_clock *clock, const struct loom_sim_job *job,
                                   int64_t submit_s)
{
    struct loom_sim_job out = *job;
    out.submit_s = submit_s;
    out.start_s = loom_clock_time(clock, job->start_s, true);
    if (job->run_s > 0)
        out.run_s = loom_clock_time(clock, job->start_s + job->run_s, false) - out.start_s;
    if (out.run_s > job->run_s)
        out.notes |= LOOM_JOB_SUSPENDED;
    return out;
}

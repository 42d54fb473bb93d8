/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The part of a log that models are fitted to, and the part that they are compared with. */
#include <workloom/experiment_ranking.h>

#include <inttypes.h>
#include <stdlib.h>

/* The first time of the part held out. */
static int64_t find_cut(const struct loom_jobs *jobs, double fraction)
{
    int64_t first_s = INT64_MAX, last_s = 0;
    for (size_t i = 0; i < jobs->n; i++) {
        if (jobs->submit_s[i] < 0)
            continue;
        first_s = jobs->submit_s[i] < first_s ? jobs->submit_s[i] : first_s;
        last_s = jobs->submit_s[i] > last_s ? jobs->submit_s[i] : last_s;
    }
    return last_s > first_s ? last_s - (int64_t)(fraction * (double)(last_s - first_s)) : last_s;
}

static int check_parts(const struct loom_trace *fit, const struct loom_trace *rest,
                       struct loom_error *err)
{
    size_t before = loom_trace_count(fit), after = loom_trace_count(rest);
    if (before >= 2 && after >= 2)
        return 0;
    return loom_fail_field(err, LOOM_EDATA, "hold_out",
                           "%zu jobs to fit to and %zu held out are too few; hold out %s", before,
                           after, before < after ? "less" : "more");
}

int loom_hold_out(struct loom_trace **fit, struct loom_trace **rest, const struct loom_trace *trace,
                  double fraction, struct loom_error *err)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    int64_t cut_s = find_cut(jobs, fraction);
    uint8_t *late = malloc(jobs->n + 1);
    *fit = *rest = NULL;
    if (!late)
        return loom_fail_memory(err);
    for (size_t i = 0; i < jobs->n; i++)
        late[i] = jobs->submit_s[i] >= cut_s;
    int rc = loom_trace_subset(fit, trace, late, 0, err);
    if (!rc)
        rc = loom_trace_subset(rest, trace, late, 1, err);
    if (!rc)
        rc = check_parts(*fit, *rest, err);
    free(late);
    if (rc) {
        loom_trace_destroy(*fit);
        loom_trace_destroy(*rest);
        *fit = *rest = NULL;
    }
    return rc;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rule "unrun": jobs that never ran, so that what is left is what the selection "ran" takes.
 *
 * A job never ran if its runtime is unknown, if it was cancelled with runtime 0, or if it was never
 * allocated a processor. A log in which no job at all has a runtime, or an allocation, does not
 * record it; the test that needs it is then left out, since it would drop every job.
 */
#include "trace/clean/clean.h"

static bool unrun_wanted(const struct loom_params *params)
{
    return !loom_params_flag(params, "keep-unrun");
}

typedef bool test_fn(const struct loom_jobs *jobs, size_t row);

static bool runtime_is_unknown(const struct loom_jobs *jobs, size_t row)
{
    return jobs->run_s[row] < 0;
}

static bool cancelled_at_once(const struct loom_jobs *jobs, size_t row)
{
    return jobs->run_s[row] == 0 && jobs->status[row] == LOOM_STATUS_CANCELLED;
}

static bool got_no_processors(const struct loom_jobs *jobs, size_t row)
{
    return jobs->alloc_procs[row] <= 0;
}

static int drop(struct loom_find *find, test_fn *test, const char *text, struct loom_error *err)
{
    int rc = loom_reason_begin(find, err);
    if (rc)
        return rc;
    for (size_t i = 0; i < find->n; i++)
        if (test(find->jobs, find->rows[i]))
            loom_reason_mark(find, find->rows[i]);
    return loom_reason_end(find, err, "%s", text);
}

static bool holds_for_all(const struct loom_find *find, test_fn *test)
{
    for (size_t i = 0; i < find->n; i++)
        if (!test(find->jobs, find->rows[i]))
            return false;
    return true;
}

static int find_unrun(struct loom_find *find, struct loom_error *err)
{
    bool has_runtimes = !holds_for_all(find, runtime_is_unknown);
    bool has_allocations = !holds_for_all(find, got_no_processors);
    int rc = 0;
    if (has_runtimes)
        rc = drop(find, runtime_is_unknown, "never ran: the runtime is unknown", err);
    if (!rc)
        rc = drop(find, cancelled_at_once, "never ran: cancelled with runtime 0", err);
    if (!rc && has_allocations)
        rc = drop(find, got_no_processors, "never ran: no processors were allocated", err);
    return rc;
}

const struct loom_rule_ops loom_rule_unrun = {
    .info = {.name = "unrun",
             .summary = "jobs that never ran: no runtime, cancelled at once, or no processors",
             .on_by_default = true},
    .wanted = unrun_wanted,
    .find = find_unrun,
};

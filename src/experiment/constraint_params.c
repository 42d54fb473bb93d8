/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Constraints of the machine as words: downtime, limits of users, processors of queues. */
#include "experiment/params.h"
#include "experiment/replay_facts.h"
#include "sim/results/logged.h"
#include "trace/window.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

const struct loom_param loom_constraint_params[] = {
    {.name = "downtime",
     .type = LOOM_PARAM_TEXT,
     .repeated = true,
     .metavar = "FROM:TO",
     .help = "the machine stands still: offsets (12h, 3d), dates, or 'log' for its outages"},
    {.name = "user-jobs",
     .type = LOOM_PARAM_INT,
     .min = 1,
     .max = 0x1p31 - 1,
     .metavar = "N",
     .help = "most jobs of one user in the queue and running at once; others are held back"},
    {.name = "user-procs",
     .type = LOOM_PARAM_INT,
     .min = 1,
     .max = 0x1p31 - 1,
     .metavar = "N",
     .help = "same for processors"},
    {.name = "own-procs",
     .type = LOOM_PARAM_TEXT,
     .metavar = "WHAT",
     .help = "processors of each queue or partition: queue, partition, or queue:NAME=N,..."},
    {.name = NULL},
};

bool loom_constraints_given(const struct loom_params *params)
{
    for (const struct loom_param *param = loom_constraint_params; param->name; param++)
        if (loom_params_given(params, param->name))
            return true;
    return false;
}

/* ---- downtime -------------------------------------------------------------------------------- */

static int by_start(const void *a, const void *b)
{
    const struct loom_downtime *one = a, *other = b;
    return one->from_s < other->from_s ? -1 : one->from_s > other->from_s;
}

/* Sort, and join what overlaps or touches. */
static size_t join_downtimes(struct loom_downtime *list, size_t n)
{
    size_t kept = 0;
    qsort(list, n, sizeof *list, by_start);
    for (size_t i = 0; i < n; i++)
        if (kept > 0 && list[i].from_s <= list[kept - 1].to_s) {
            if (list[i].to_s > list[kept - 1].to_s)
                list[kept - 1].to_s = list[i].to_s;
        } else {
            list[kept++] = list[i];
        }
    return kept;
}

static int64_t first_submit(const struct loom_trace *trace)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    int64_t first_s = INT64_MAX;
    for (size_t row = 0; row < jobs->n; row++)
        if (jobs->submit_s[row] >= 0 && jobs->submit_s[row] < first_s)
            first_s = jobs->submit_s[row];
    return first_s == INT64_MAX ? 0 : first_s;
}

static int outages_of_log(struct loom_constraints *out, const struct loom_trace *trace,
                          struct loom_error *err)
{
    struct loom_machine_size size;
    struct loom_sim *log = NULL;
    int rc = loom_trace_machine_size(&size, trace, err);
    if (!rc)
        rc = loom_sim_of_log(&log, trace, size.procs, err);
    if (!rc)
        rc = loom_log_outages(&out->down, &out->downtime.n, log, err);
    loom_sim_destroy(log);
    return rc;
}

static int take_windows(struct loom_constraints *out, const struct loom_params *params, size_t n,
                        const struct loom_trace *trace, struct loom_error *err)
{
    struct loom_window_text text;
    int rc = (out->down = malloc(n * sizeof *out->down)) ? 0 : loom_fail_memory(err);
    for (size_t i = 0; i < n && !rc; i++) {
        rc = loom_window_split(&text, loom_params_item(params, "downtime", i), "downtime", err);
        if (!rc)
            rc = loom_window_resolve(&out->down[i].from_s, &out->down[i].to_s, &text, trace,
                                     first_submit(trace), "downtime", err);
    }
    out->downtime.n = rc ? 0 : join_downtimes(out->down, n);
    return rc;
}

static int take_downtime(struct loom_constraints *out, const struct loom_params *params,
                         const struct loom_trace *trace, struct loom_error *err)
{
    size_t n = loom_params_given(params, "downtime") ? loom_params_count(params, "downtime") : 0;
    int rc = 0;
    if (n == 1 && strcmp(loom_params_item(params, "downtime", 0), "log") == 0)
        rc = outages_of_log(out, trace, err);
    else if (n > 0)
        rc = take_windows(out, params, n, trace, err);
    out->downtime.list = out->down;
    return rc;
}

/* ---- processors of queues -------------------------------------------------------------------- */

static int set_share(struct loom_constraints *out, const struct loom_trace *trace, char *item,
                     struct loom_error *err)
{
    char *equals = strrchr(item, '='), *end = NULL;
    long long procs = equals ? strtoll(equals + 1, &end, 10) : 0;
    if (!equals || end == equals + 1 || *end || procs < 1 || procs > INT32_MAX)
        return loom_fail_field(err, LOOM_EUSAGE, "own-procs",
                               "own-procs wants NAME=PROCESSORS, not '%.60s'", item);
    *equals = '\0';
    int32_t number = loom_trace_number(trace, out->split.by, item);
    if (number < 0) {
        long value = strtol(item, &end, 10);
        number = end > item && !*end && value >= -1 && value <= INT32_MAX ? (int32_t)value : -2;
    }
    for (size_t i = 0; i < out->split.n; i++)
        if (out->shares[i].number == number) {
            out->shares[i].procs = procs;
            return 0;
        }
    return loom_fail_field(err, LOOM_EUSAGE, "own-procs", "no job of the log is of %s '%.60s'",
                           out->split.by == LOOM_QUEUE ? "queue" : "partition", item);
}

static int set_shares(struct loom_constraints *out, const struct loom_trace *trace,
                      const char *list, struct loom_error *err)
{
    char *copy = strdup(list), *rest = copy, *item;
    int rc = copy ? 0 : loom_fail_memory(err);
    while (!rc && (item = strsep(&rest, ",")))
        rc = set_share(out, trace, item, err);
    free(copy);
    return rc;
}

static int take_split(struct loom_constraints *out, const char *text,
                      const struct loom_trace *trace, struct loom_error *err)
{
    size_t length = strcspn(text, ":");
    bool queue = length == 5 && strncmp(text, "queue", 5) == 0;
    if (!queue && !(length == 9 && strncmp(text, "partition", 9) == 0))
        return loom_fail_field(err, LOOM_EUSAGE, "own-procs",
                               "own-procs wants queue or partition, not '%.60s'", text);
    int rc = loom_split_find(&out->split, &out->shares, trace, queue ? LOOM_QUEUE : LOOM_PARTITION,
                             INT64_MAX, err);
    if (!rc && out->split.n == 0)
        rc = loom_fail_field(err, LOOM_EDATA, "own-procs",
                             "the jobs of the log are not of 2 to 1000 different %s",
                             queue ? "queues" : "partitions");
    if (!rc && text[length] == ':')
        rc = set_shares(out, trace, text + length + 1, err);
    return rc;
}

/* ---- limits of users --------------------------------------------------------------------------
 */

static bool has_users(const struct loom_jobs *jobs)
{
    size_t row = 0;
    while (row < jobs->n && jobs->user[row] < 0)
        row++;
    return row < jobs->n;
}

/* Jobs of unknown users are not limited, so a limit on a log without users would do nothing. */
static int take_limits(struct loom_constraints *out, const struct loom_params *params,
                       const struct loom_trace *trace, struct loom_error *err)
{
    if (loom_params_given(params, "user-jobs"))
        out->limits.jobs = loom_params_int(params, "user-jobs");
    if (loom_params_given(params, "user-procs"))
        out->limits.procs = loom_params_int(params, "user-procs");
    if (out->limits.jobs <= 0 && out->limits.procs <= 0)
        return 0;
    return has_users(loom_trace_jobs(trace))
               ? 0
               : loom_fail_field(err, LOOM_EDATA, "user-jobs user-procs",
                                 "no job has a user ID, so user-jobs and user-procs limit nobody");
}

/* ---- all of them ----------------------------------------------------------------------------- */

int loom_constraints_take(struct loom_constraints *out, const struct loom_params *params,
                          const struct loom_trace *trace, struct loom_error *err)
{
    *out = (struct loom_constraints){0};
    if (!trace && loom_constraints_given(params))
        return loom_fail_field(err, LOOM_EUSAGE, "downtime user-jobs user-procs own-procs",
                               "downtime, user-jobs, user-procs and own-procs need a log");
    int rc = take_limits(out, params, trace, err);
    if (!rc)
        rc = take_downtime(out, params, trace, err);
    if (!rc && loom_params_given(params, "own-procs"))
        rc = take_split(out, loom_params_text(params, "own-procs"), trace, err);
    return rc;
}

void loom_constraints_apply(struct loom_scenario *scenario, const struct loom_constraints *of)
{
    scenario->downtime = of->downtime.n > 0 ? &of->downtime : NULL;
    scenario->limits = of->limits.jobs > 0 || of->limits.procs > 0 ? &of->limits : NULL;
    scenario->split = of->split.n > 0 ? &of->split : NULL;
}

void loom_constraints_release(struct loom_constraints *constraints)
{
    free(constraints->down);
    free(constraints->shares);
    *constraints = (struct loom_constraints){0};
}

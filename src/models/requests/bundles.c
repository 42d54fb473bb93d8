/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What was asked for in one go: see requests/bundles.h. */
#include "models/requests/bundles.h"

#include <stdlib.h>
#include <string.h>

static bool bundles_is_known(const struct loom_request_log *log, uint32_t job)
{
    return log->request_s[job] > 0 && log->jobs.run_s[job] >= 0 && log->jobs.procs[job] > 0;
}

static struct loom_bundle bundle_of(const struct loom_request_log *log, uint32_t job)
{
    return (struct loom_bundle){.procs = log->jobs.procs[job],
                                .longest_s = log->jobs.run_s[job],
                                .request_s = log->request_s[job],
                                .jobs = 1};
}

/* A request that is not enough for the longest job may be enough for most of a large bundle. Shares
 * are of jobs, so that it counts only for those it fails. */
static void bundles_weigh(struct loom_bundle *bundle, const struct loom_request_log *log,
                          const uint32_t *jobs)
{
    size_t exceed = 0;
    for (size_t i = 0; i < bundle->jobs; i++)
        exceed += log->jobs.run_s[jobs[i]] > bundle->request_s;
    bundle->jobs = exceed ? exceed : bundle->jobs;
}

static void add_bundle(struct loom_bundles *out, const struct loom_request_log *log,
                       const uint32_t *jobs, size_t n)
{
    size_t parts = 0;
    for (size_t first = 0, next; first < n; first = next, parts++) {
        struct loom_bundle part = bundle_of(log, jobs[first]);
        for (next = first + 1; next < n; next++) {
            if (log->request_s[jobs[next]] != part.request_s)
                break;
            int64_t run_s = log->jobs.run_s[jobs[next]];
            part.longest_s = run_s > part.longest_s ? run_s : part.longest_s;
        }
        part.jobs = next - first;
        bundles_weigh(&part, log, jobs + first);
        out->items[out->n++] = part;
    }
    out->several += n > 1;
    out->whole += n > 1 && parts == 1;
    out->pairs += parts > 1 ? n - 2 : 0;
    out->kept += parts > 1 ? n - parts : 0;
}

/* jobs: the known jobs of a user. */
static void bundles_add_user(struct loom_bundles *out, const struct loom_request_log *log,
                             const uint32_t *jobs, size_t n)
{
    for (size_t first = 0, next; first < n; first = next) {
        next = first + 1;
        while (next < n && loom_requests_follow(&log->jobs, jobs[next - 1], jobs[next]))
            next++;
        add_bundle(out, log, jobs + first, next - first);
    }
}

int loom_bundles_find(struct loom_bundles *out, const struct loom_request_log *log,
                      struct loom_error *err)
{
    const struct loom_users *users = log->users;
    *out = (struct loom_bundles){.items = malloc(log->n * sizeof *out->items)};
    uint32_t *known = malloc((users->n + 1) * sizeof *known);
    if (!out->items || !known) {
        free(known);
        return loom_fail_memory(err);
    }
    for (size_t i = 0; i < users->count; i++) {
        size_t n = 0;
        for (size_t k = users->first[i]; k < users->first[i + 1]; k++)
            if (bundles_is_known(log, users->job[k]))
                known[n++] = users->job[k];
        bundles_add_user(out, log, known, n);
    }
    for (size_t i = 0; i < log->n; i++)
        if (log->jobs.user[log->known[i]] < 0)
            out->items[out->n++] = bundle_of(log, log->known[i]);
    free(known);
    return 0;
}

void loom_bundles_count(double *jobs, const struct loom_bundles *bundles,
                        const struct loom_request_model *model)
{
    size_t runs = model->heads + 1, places = loom_request_model_places(model);
    memset(jobs, 0, model->sizes * runs * places * sizeof *jobs);
    for (size_t i = 0; i < bundles->n; i++) {
        const struct loom_bundle *bundle = &bundles->items[i];
        size_t size = loom_request_model_size_class(model, bundle->procs);
        size_t run = loom_request_model_run_class(model, bundle->longest_s);
        size_t place = loom_request_model_place(model, bundle->longest_s, bundle->request_s);
        jobs[(size * runs + run) * places + place] += (double)bundle->jobs;
    }
}

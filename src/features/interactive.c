/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interactive jobs against the others, where the header names interactive queues. */
#include "features/family.h"
#include "trace/queue.h"

struct kind {
    size_t jobs, with_runtime, with_procs;
    double runtime_s, procs;
};

static void count_job(struct kind *kind, const struct loom_workload *jobs, size_t job)
{
    kind->jobs++;
    if (jobs->run_s[job] >= 0) {
        kind->runtime_s += (double)jobs->run_s[job];
        kind->with_runtime++;
    }
    if (jobs->procs[job] > 0) {
        kind->procs += jobs->procs[job];
        kind->with_procs++;
    }
}

static void put_mean(struct loom_results *results, const char *key, double sum, size_t n,
                     const char *reason)
{
    if (n > 0)
        loom_put(results, key, sum / (double)n);
    else
        loom_put_missing(results, key, reason);
}

static void put_kinds(struct loom_results *results, const struct kind *interactive,
                      const struct kind *others)
{
    static const char none[] = "no interactive job knows it", no_other[] = "no other job knows it";
    loom_put(results, "interactive.job_fraction",
             (double)interactive->jobs / (double)(interactive->jobs + others->jobs));
    put_mean(results, "interactive.runtime.mean_s", interactive->runtime_s,
             interactive->with_runtime, none);
    put_mean(results, "interactive.procs.mean", interactive->procs, interactive->with_procs, none);
    put_mean(results, "noninteractive.runtime.mean_s", others->runtime_s, others->with_runtime,
             no_other);
    put_mean(results, "noninteractive.procs.mean", others->procs, others->with_procs, no_other);
}

static int interactive_compute(const struct loom_workload *jobs, struct loom_results *results,
                               struct loom_error *err)
{
    struct kind kinds[2] = {{0}}; /* others, interactive */
    int32_t queue = -1;
    bool interactive = false;
    (void)err;
    for (size_t i = 0; i < jobs->n; i++) {
        if (jobs->queue[i] < 0)
            continue;
        if (jobs->queue[i] != queue) { /* the same queue often comes again */
            queue = jobs->queue[i];
            interactive = loom_queue_is_interactive(jobs->trace, queue);
        }
        count_job(&kinds[interactive], jobs, i);
    }
    if (kinds[0].jobs + kinds[1].jobs == 0)
        loom_put_rest_missing(results, "no job has a queue");
    else if (kinds[1].jobs > 0 || loom_trace_has_interactive_queue(jobs->trace))
        put_kinds(results, &kinds[1], &kinds[0]);
    else
        loom_put_rest_missing(results, "no queue is known to be interactive");
    return 0;
}

static const struct loom_feature_info keys[] = {
    {"interactive.job_fraction", "", "share of jobs in interactive queues", "Lublin 2003, 8.1"},
    {"interactive.runtime.mean_s", "s", "mean runtime of interactive jobs", "Lublin 2003, 8.1"},
    {"interactive.procs.mean", "processors", "mean number of processors of interactive jobs",
     "Lublin 2003, 8.1"},
    {"noninteractive.runtime.mean_s", "s", "mean runtime of jobs in the other queues",
     "Lublin 2003, 8.1"},
    {"noninteractive.procs.mean", "processors",
     "mean number of processors of jobs in the other queues", "Lublin 2003, 8.1"},
    {0},
};

const struct loom_family_ops loom_family_interactive = {
    .name = "interactive",
    .keys = keys,
    .compute = interactive_compute,
};

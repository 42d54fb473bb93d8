/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Local jobs are there while grid jobs come (Minh 2012, 6.3): from logs that begin with them, or
 * from models that make as many as it takes. */
#include "experiment/grid_local.h"

#include <math.h>
#include <string.h>

/* When the first and the last job of a log are submitted. */
static void submissions(const struct loom_trace *trace, int64_t *first_s, int64_t *last_s)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    *first_s = INT64_MAX;
    *last_s = 0;
    for (size_t i = 0; i < jobs->n; i++) {
        int64_t submit_s = jobs->submit_s[i];
        if (submit_s >= 0 && submit_s < *first_s)
            *first_s = submit_s;
        if (submit_s > *last_s)
            *last_s = submit_s;
    }
    if (*first_s > *last_s)
        *first_s = *last_s;
}

/* ---- from models ----------------------------------------------------------------------------- */

/* A name, or the path of a document. */
static int load_model(struct loom_model **out, const char *name, struct loom_error *err)
{
    const struct loom_model_info *info;
    struct loom_params *params = NULL;
    if (strpbrk(name, "./"))
        return loom_model_load(out, name, NULL, 0, err);
    int rc = loom_model_find(&info, name, err);
    if (!rc && info->params)
        rc = loom_params_create(&params, (const struct loom_param *const[]){info->params, NULL},
                                err);
    if (!rc)
        rc = loom_model_published(out, name, params, err);
    loom_params_destroy(params);
    return rc;
}

/* How many jobs of a model offer a load for so long: by the mean work of some of them. */
static int jobs_for(int64_t *out, const struct loom_model *model,
                    const struct loom_generate_options *options, double span_s,
                    struct loom_pool *pool, struct loom_error *err)
{
    enum { SOME = 2000 };
    const double most = 1e8;
    struct loom_generate_options some = *options;
    struct loom_trace *trace = NULL;
    some.jobs = SOME;
    some.days = some.load = 0;
    int rc = loom_model_generate(&trace, model, &some, pool, err);
    if (rc)
        return rc;
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    double work = 0;
    for (size_t i = 0; i < jobs->n; i++)
        work += (double)jobs->run_s[i] * loom_job_procs(jobs, i);
    double n = options->load * (double)options->procs * span_s / (work / (double)jobs->n);
    loom_trace_destroy(trace);
    if (!(n < most))
        return loom_fail(err, LOOM_ERANGE,
                         "a load of %g for as long as grid jobs come would take more than %g jobs",
                         options->load, most);
    *out = (int64_t)fmax(2, round(n));
    return 0;
}

/* Refuse a time so long that a model makes more jobs than memory is for: one wrong submit time in a
 * log is enough for centuries. By the rate of some of its jobs. */
static int check_span(const struct loom_model *model, const struct loom_generate_options *options,
                      double span_s, struct loom_pool *pool, struct loom_error *err)
{
    enum { SOME = 2000 };
    const double most = 1e7, day_s = 86400;
    struct loom_generate_options some = *options;
    struct loom_trace *trace = NULL;
    int64_t first_s, last_s;
    if (span_s < day_s)
        return 0;
    some.jobs = SOME;
    int rc = loom_model_generate(&trace, model, &some, pool, err);
    if (rc)
        return rc;
    submissions(trace, &first_s, &last_s);
    double n = span_s / fmax(1, (double)(last_s - first_s)) * SOME;
    loom_trace_destroy(trace);
    return n <= most ? 0
                     : loom_fail(err, LOOM_ERANGE,
                                 "local jobs for the %.3g days in which grid jobs come would be "
                                 "about %.2g; the most is %.0e: check the submit times",
                                 span_s / day_s, n, most);
}

static int make_local_jobs(struct loom_grid_run *run, size_t index,
                           const struct loom_trace *grid_jobs, const struct loom_scenario *scenario,
                           struct loom_error *err)
{
    const struct loom_platform *platform = run->system->platform;
    const struct loom_platform_cluster *plan = &platform->clusters[index];
    int64_t first_s, last_s;
    struct loom_model *model = NULL;
    submissions(grid_jobs, &first_s, &last_s);
    double span_s = fmax(1, (double)(last_s - first_s));
    struct loom_generate_options options = {
        .seed = scenario->seed,
        .replication = scenario->replication * platform->n_clusters + index,
        .procs = plan->procs,
        .load = plan->load,
    };
    int rc = load_model(&model, plan->model, err);
    if (!rc && loom_model_info(model)->arrivals_only)
        rc = loom_fail(err, LOOM_EUSAGE,
                       "%s makes arrivals only, which are no local jobs; use it as the arrivals of "
                       "a model that makes runtimes",
                       loom_model_info(model)->name);
    if (options.load > 0 && !rc)
        rc = jobs_for(&options.jobs, model, &options, span_s, scenario->pool, err);
    else if (!rc)
        rc = check_span(model, &options, span_s, scenario->pool, err);
    if (!(options.load > 0))
        options.days = span_s / 86400;
    if (!rc)
        rc = loom_model_generate(&run->made[index], model, &options, scenario->pool, err);
    loom_model_destroy(model);
    run->clusters[index].background = run->made[index];
    run->clusters[index].background_shift_s = first_s;
    return rc;
}

int loom_make_local_jobs(struct loom_grid_run *run, const struct loom_trace *jobs,
                         const struct loom_scenario *scenario, struct loom_error *err)
{
    const struct loom_platform *platform = run->system->platform;
    int rc = 0;
    for (size_t i = 0; i < platform->n_clusters && !rc; i++) {
        if (!platform->clusters[i].model)
            continue;
        loom_trace_destroy(run->made[i]);
        run->made[i] = NULL;
        rc = loom_blame_cluster(&platform->clusters[i],
                                make_local_jobs(run, i, jobs, scenario, err), err);
    }
    return rc;
}

/* ---- from logs ------------------------------------------------------------------------------- */

void loom_align_local_logs(struct loom_grid_run *run, const struct loom_trace *jobs)
{
    const struct loom_platform *platform = run->system->platform;
    int64_t first_s, local_s, unused_s;
    submissions(jobs, &first_s, &unused_s);
    for (size_t i = 0; i < platform->n_clusters; i++) {
        if (!run->system->locals[i].log || platform->clusters[i].has_shift)
            continue;
        submissions(run->system->locals[i].log, &local_s, &unused_s);
        run->clusters[i].background_shift_s = first_s - local_s;
    }
}

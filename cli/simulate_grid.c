/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The log's jobs as those of a grid: its clusters come from a platform, their local jobs from logs
 * or models.
 */
#include "simulate_grid.h"
#include "simulate_load.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- local jobs ------------------------------------------------------------------------------ */

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

/* Leave out the jobs that a shift would put before the time 0. */
static int drop_early(struct site *site, const struct simulation *of, struct loom_error *err)
{
    const struct loom_jobs *jobs = loom_trace_jobs(site->background);
    uint8_t *keep = malloc(jobs->n + 1);
    size_t n_early = 0;
    if (!keep)
        return loom_fail_memory(err);
    for (size_t i = 0; i < jobs->n; i++) {
        keep[i] = jobs->submit_s[i] < 0 || jobs->submit_s[i] >= -site->plan.shift_s;
        n_early += !keep[i];
    }
    int rc = 0;
    if (n_early == jobs->n)
        rc = loom_fail_at(err, LOOM_EDATA, site->plan.background, 0, 0,
                          "a shift of %" PRId64
                          " s puts all jobs before the time 0: take a smaller --background-shift",
                          site->plan.shift_s);
    else if (n_early > 0)
        loom_trace_keep(site->background, keep);
    if (!rc && n_early > 0)
        say(of->call, "%zu local %s of %s would come before the time 0, and %s left out", n_early,
            n_early == 1 ? "job" : "jobs", site->plan.name, n_early == 1 ? "is" : "are");
    site->n_early = n_early;
    free(keep);
    return rc;
}

static int read_log(struct site *site, const struct simulation *of, struct loom_error *err)
{
    const struct loom_read_options options = {
        .max_bytes = (uint64_t)loom_params_int(of->call->params, "max-bytes"),
        .skip_bad_lines = loom_params_flag(of->call->params, "skip-bad-lines"),
        .pool = of->pool,
    };
    struct loom_load_change change;
    int rc = loom_trace_read(&site->background, site->plan.background, &options, err);
    if (!rc && loom_trace_count(site->background) == 0)
        rc = loom_fail_at(err, LOOM_EDATA, site->plan.background, 0, 0, "there are no jobs in it");
    if (!rc && site->plan.load > 0)
        rc = loom_load_change(&change, site->background, site->plan.procs, site->plan.load,
                              LOOM_LOAD_ARRIVALS, err);
    if (!rc && site->plan.has_shift && site->plan.shift_s < 0)
        rc = drop_early(site, of, err);
    return rc;
}

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
                    const struct loom_weave_options *options, double span_s, struct loom_pool *pool,
                    struct loom_error *err)
{
    enum { SOME = 2000 };
    const double most = 1e8;
    struct loom_weave_options some = *options;
    struct loom_trace *trace = NULL;
    some.jobs = SOME;
    some.days = some.load = 0;
    int rc = loom_model_weave(&trace, model, &some, pool, err);
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

/* Each cluster has a workload of its own of that model, about as long as the grid's. */
static int weave(struct site *site, size_t index, const struct simulation *of,
                 struct loom_error *err)
{
    int64_t first_s, last_s;
    struct loom_model *model = NULL;
    submissions(of->trace, &first_s, &last_s);
    double span_s = fmax(1, (double)(last_s - first_s));
    struct loom_weave_options options = {
        .seed = (uint64_t)loom_params_int(of->call->params, "seed"),
        .replication = index,
        .procs = site->plan.procs,
        .load = site->plan.load,
    };
    site->plan.shift_s = first_s;
    int rc = load_model(&model, site->plan.model, err);
    if (!rc && loom_model_info(model)->arrivals_only)
        rc = loom_fail(err, LOOM_EUSAGE,
                       "%s makes arrivals only, which are no local jobs; use it as the arrivals of "
                       "a model that makes run times",
                       loom_model_info(model)->name);
    if (options.load > 0 && !rc)
        rc = jobs_for(&options.jobs, model, &options, span_s, of->pool, err);
    else
        options.days = span_s / 86400;
    if (!rc)
        rc = loom_model_weave(&site->background, model, &options, of->pool, err);
    loom_model_destroy(model);
    return rc;
}

/* Say which cluster an error is about. */
static int blame(const struct site *site, int rc, struct loom_error *err)
{
    char text[sizeof err->message];
    if (!rc || rc == LOOM_ENOMEM)
        return rc;
    memcpy(text, err->message, sizeof text);
    if (err->file[0])
        snprintf(err->message, sizeof err->message, "%.640s (local jobs of cluster %.60s)", text,
                 site->plan.name);
    else
        snprintf(err->message, sizeof err->message, "cluster %.60s: %.680s", site->plan.name, text);
    return rc;
}

static int read_logs(struct grid_run *run, const struct simulation *of, struct loom_error *err)
{
    int rc = 0;
    for (size_t i = 0; i < run->platform->n_clusters && !rc; i++)
        if (run->sites[i].plan.background)
            rc = blame(&run->sites[i], read_log(&run->sites[i], of, err), err);
    return rc;
}

static int weave_models(struct grid_run *run, const struct simulation *of, struct loom_error *err)
{
    int rc = 0;
    for (size_t i = 0; i < run->platform->n_clusters && !rc; i++)
        if (run->sites[i].plan.model) {
            loom_trace_destroy(run->sites[i].background); /* models share none */
            run->sites[i].background = NULL;
            rc = blame(&run->sites[i], weave(&run->sites[i], i, of, err), err);
        }
    return rc;
}

/* Local jobs are there while grid jobs come (thesis 6.3): a log begins with them, as what a model
 * makes does, unless the platform says by how much it is to be shifted. */
static void align_logs(struct grid_run *run, const struct simulation *of)
{
    int64_t first_s, local_s, unused_s;
    submissions(of->trace, &first_s, &unused_s);
    for (size_t i = 0; i < run->platform->n_clusters; i++) {
        struct site *site = &run->sites[i];
        if (!site->plan.background || site->plan.has_shift)
            continue;
        submissions(site->background, &local_s, &unused_s);
        site->plan.shift_s = first_s - local_s;
    }
}

static void list_clusters(struct grid_run *run, const char *policy)
{
    for (size_t i = 0; i < run->platform->n_clusters; i++) {
        const struct loom_platform_cluster *plan = &run->sites[i].plan;
        run->clusters[i] = (struct loom_cluster){
            .name = plan->name,
            .procs = plan->procs,
            .scheduler = plan->scheduler ? plan->scheduler : policy,
            .background = run->sites[i].background,
            .background_shift_s = plan->shift_s,
        };
    }
}

/* ---- the load -------------------------------------------------------------------------------- */

/* NAN where it cannot be told: a load is a rate, and takes two times of submission. */
static double local_load(const struct site *site)
{
    return site->background ? loom_load_offered(site->background, site->plan.procs) : 0;
}

static int check_local_loads(const struct grid_run *run, struct loom_error *err)
{
    for (size_t i = 0; i < run->platform->n_clusters; i++)
        if (isnan(local_load(&run->sites[i])))
            return loom_fail(
                err, LOOM_EDATA,
                "cluster %.60s: the load of local jobs that come at one time cannot be "
                "told, so the grid can have no load; leave out --load",
                run->sites[i].plan.name);
    return 0;
}

/* Processors that local jobs leave, sum of (1 - load) * processors (thesis 6.2). */
static double procs_left(const struct grid_run *run)
{
    double left = 0;
    for (size_t i = 0; i < run->platform->n_clusters; i++)
        left += (1 - local_load(&run->sites[i])) * (double)run->sites[i].plan.procs;
    return left;
}

/* A grid job runs within one cluster: those wider than the largest offer no load. */
static int64_t widest(const struct grid_run *run)
{
    int64_t procs = 0;
    for (size_t i = 0; i < run->platform->n_clusters; i++)
        if (run->sites[i].plan.procs > procs)
            procs = run->sites[i].plan.procs;
    return procs;
}

/* --load is that of a grid: over the processors that local jobs leave. With the times of grid jobs
 * those for which models make local jobs change too, and what these leave with them, a little. */
static int apply_grid_load(struct simulation *of, double load, struct loom_error *err)
{
    const struct loom_params *params = of->call->params;
    double left = procs_left(of->grid);
    double machine = (double)widest(of->grid);
    int rc = check_local_loads(of->grid, err);
    if (rc)
        return rc;
    if (!(left > 0))
        return loom_fail(err, LOOM_EDATA,
                         "the local jobs leave no processors, so the grid can have no load; make "
                         "them fewer with --background-load");
    rc = loom_load_vary(&of->load, of->trace, widest(of->grid), load * left / machine,
                        (enum loom_load_way)loom_params_choice(params, "load-by"), err);
    if (!rc)
        rc = weave_models(of->grid, of, err);
    if (rc)
        return rc;
    of->load.asked = load;
    of->load.before *= machine / left;
    of->load.after *= machine / procs_left(of->grid);
    return loom_load_note(of->trace, "load of the grid", &of->load, err);
}

void say_grid_load(const struct simulation *of)
{
    const struct loom_load_change *load = &of->load;
    if (load->asked > 0)
        say(of->call, "load of the grid changed from %.4g to %.4g: %s times %.6g", load->before,
            load->after, loom_load_way_name(load->way), load->factor);
}

/* ---- the run --------------------------------------------------------------------------------- */

int open_grid(struct simulation *of, struct loom_error *err)
{
    struct grid_run *run = of->grid = calloc(1, sizeof *run);
    if (!run)
        return loom_fail_memory(err);
    int rc = plan_grid(run, of->call, err);
    if (!rc)
        of->platform = run->platform->name;
    of->planned = run;
    return rc ? rc : read_logs(run, of, err);
}

int share_grid(struct simulation *of, const struct grid_run *from, struct loom_error *err)
{
    struct grid_run *run = of->grid = calloc(1, sizeof *run);
    if (!run)
        return loom_fail_memory(err);
    size_t n = from->platform->n_clusters;
    *run = (struct grid_run){
        .platform = from->platform,
        .dispatch = from->dispatch,
        .sites = calloc(n, sizeof *run->sites),
        .clusters = calloc(n, sizeof *run->clusters),
        .shared = true,
    };
    if (!run->sites || !run->clusters)
        return loom_fail_memory(err);
    for (size_t i = 0; i < n; i++) {
        run->sites[i] = from->sites[i];
        run->sites[i].borrowed = run->sites[i].background != NULL;
    }
    return 0;
}

int load_grid(struct simulation *of, double load, struct loom_error *err)
{
    struct grid_run *run = of->grid;
    int rc = weave_models(run, of, err);
    if (!rc && load > 0)
        rc = apply_grid_load(of, load, err);
    if (!rc)
        rc = loom_grid_create(&run->grid, err);
    if (rc)
        return rc;
    align_logs(run, of);
    list_clusters(run, of->policy);
    of->sim = loom_grid_jobs(run->grid);
    return 0;
}

void close_grid(struct simulation *of)
{
    if (!of->grid)
        return;
    release_plan(of->grid);
    free(of->grid);
    of->grid = NULL;
    of->sim = NULL;
}

uint64_t count_grid_jobs(const struct simulation *of)
{
    const struct grid_run *run = of->grid;
    uint64_t jobs = loom_trace_count(of->trace);
    for (size_t i = 0; i < run->platform->n_clusters; i++)
        if (run->sites[i].background)
            jobs += loom_trace_count(run->sites[i].background);
    return jobs;
}

int open_starts(struct simulation *of, struct loom_error *err)
{
    size_t n = of->grid->platform->n_clusters;
    struct loom_start_log **starts = of->grid->starts = calloc(n, sizeof *starts);
    int rc = starts ? 0 : loom_fail_memory(err);
    for (size_t i = 0; i < n && !rc; i++)
        rc = loom_start_log_create(&starts[i], err);
    return rc;
}

/* Who watches the clusters, and how many watch the grid's queue itself. */
static size_t list_observers(const struct simulation *of, struct loom_observer *of_queue)
{
    struct grid_run *run = of->grid;
    for (size_t i = 0; i < run->platform->n_clusters; i++) {
        struct site *site = &run->sites[i];
        size_t n = 0;
        if (run->explainer)
            site->observers[n++] = loom_grid_explainer_cluster_observer(run->explainer);
        else if (of->explainer && i == run->explained)
            site->observers[n++] = loom_explainer_observer(of->explainer);
        if (run->starts)
            site->observers[n++] = loom_start_log_observer(run->starts[i]);
        run->clusters[i].observers = site->observers;
        run->clusters[i].n_observers = n;
    }
    if (run->explainer)
        *of_queue = loom_grid_explainer_observer(run->explainer);
    return run->explainer != NULL;
}

int run_grid(const struct simulation *of, struct loom_error *err)
{
    const struct grid_run *run = of->grid;
    struct loom_observer of_queue;
    const struct loom_grid_options options = {
        .clusters = run->clusters,
        .n_clusters = run->platform->n_clusters,
        .schedulers = of->call->schedulers,
        .dispatch = run->dispatch,
        .seed = (uint64_t)loom_params_int(of->call->params, "seed"),
        .overrun = (enum loom_overrun)loom_params_choice(of->call->params, "overrun"),
        .progress = of->progress,
        .observers = &of_queue,
        .n_observers = list_observers(of, &of_queue),
    };
    return loom_grid_run(run->grid, &options, of->trace, err);
}

static int write_local(const struct simulation *of, size_t cluster, const char *path,
                       struct loom_error *err)
{
    struct site *site = &of->grid->sites[cluster];
    const struct loom_read_report *input =
        site->plan.background ? loom_trace_report(site->background) : NULL;
    char procs[24], note[80];
    snprintf(procs, sizeof procs, "%" PRId64, site->plan.procs);
    snprintf(note, sizeof note, "local jobs, submitted %" PRId64 " s %s",
             site->plan.shift_s < 0 ? -site->plan.shift_s : site->plan.shift_s,
             site->plan.shift_s < 0 ? "earlier" : "later");
    int rc = loom_grid_schedule_local(of->grid->grid, cluster, site->background, err);
    if (!rc)
        rc = loom_trace_set_directive(site->background, "MaxProcs", procs, err);
    if (!rc && site->plan.shift_s != 0)
        rc = loom_trace_add_directive(site->background, "Note", note, err);
    if (!rc)
        rc = record_origin(site->background, input, of->call, err);
    return rc ? rc : write_trace(site->background, of->call, path, of->pool, err);
}

int schedule_grid(const struct simulation *of, struct loom_error *err)
{
    return loom_grid_schedule(of->grid->grid, of->trace, err);
}

int write_local_schedules(const struct simulation *of, struct loom_error *err)
{
    const struct loom_params *params = of->call->params;
    int rc = 0;
    for (size_t k = 0; of->grid && k < loom_params_count(params, "background-output") && !rc; k++) {
        size_t cluster;
        const char *path;
        rc = find_output(&cluster, &path, of->grid,
                         loom_params_item(params, "background-output", k), err);
        if (!rc)
            rc = write_local(of, cluster, path, err);
    }
    return rc;
}

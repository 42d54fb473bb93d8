/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Why one job of a simulation waited: the run as the explanation needs it, and names of jobs. */
#include "report/explain.h"

#include "report/figure.h"

#include <inttypes.h>

/* ---- names ----------------------------------------------------------------------------------- */

bool loom_explain_is_local(const struct loom_explained_job *view, const struct loom_sim_job *job)
{
    return view->cluster && !(job->notes & LOOM_JOB_GRID);
}

static const char *format_name(const struct loom_explained_job *view, bool local, int64_t number,
                               char name[LOOM_JOB_NAME])
{
    if (local)
        snprintf(name, LOOM_JOB_NAME, "%.70s=%" PRId64, view->cluster, number);
    else
        snprintf(name, LOOM_JOB_NAME, "%" PRId64, number);
    return name;
}

int64_t loom_explain_number(const struct loom_explained_job *view, uint32_t job)
{
    const struct loom_sim_job *explained = &view->jobs[job];
    const struct loom_trace *log =
        loom_explain_is_local(view, explained) ? view->local : view->trace;
    return loom_trace_jobs(log)->number[explained->row];
}

const char *loom_explain_name(const struct loom_explained_job *view, uint32_t job,
                              char name[LOOM_JOB_NAME])
{
    return format_name(view, loom_explain_is_local(view, &view->jobs[job]),
                       loom_explain_number(view, job), name);
}

static bool own_is_local(const struct loom_explained_job *view)
{
    return view->cluster && !view->sent;
}

int64_t loom_explain_own_number(const struct loom_explained_job *view)
{
    const struct loom_trace *log = own_is_local(view) ? view->local : view->trace;
    return loom_trace_jobs(log)->number[view->found->row];
}

const char *loom_explain_own_name(const struct loom_explained_job *view, char name[LOOM_JOB_NAME])
{
    return format_name(view, own_is_local(view), loom_explain_own_number(view), name);
}

const char *loom_explain_refusal(const char *refused)
{
    return refused ? refused : "never submitted";
}

/* ---- the run --------------------------------------------------------------------------------- */

static int64_t first_submission(const struct loom_sim *sim)
{
    size_t n;
    const struct loom_sim_job *jobs = loom_sim_jobs(sim, &n);
    return n > 0 ? jobs[0].submit_s : 0;
}

static struct loom_explained_job job_view(const struct loom_explained *explained)
{
    const struct loom_sim *sim = explained->grid ? loom_grid_jobs(explained->grid) : explained->sim;
    struct loom_explained_job view = {
        .sim = sim,
        .trace = explained->trace,
        .sent = explained->grid_explainer != NULL,
        .first_s = first_submission(sim),
        .arrival_factor = explained->arrival_factor,
    };
    size_t cluster = explained->cluster;
    if (view.sent) {
        const struct loom_grid_explanation *found =
            loom_grid_explainer_result(explained->grid_explainer);
        view.found = found->there;
        cluster = found->sent.cluster;
    } else {
        view.found = loom_explainer_result(explained->explainer);
    }
    if (explained->grid) {
        view.sim = loom_grid_cluster(explained->grid, cluster);
        view.local = explained->clusters[cluster].background;
        view.cluster = explained->clusters[cluster].name;
    }
    view.jobs = loom_sim_jobs(view.sim, NULL);
    return view;
}

static struct loom_grid_view grid_view(const struct loom_explained *explained,
                                       const struct loom_explained_job *there)
{
    return (struct loom_grid_view){
        .found = loom_grid_explainer_result(explained->grid_explainer),
        .jobs = loom_sim_jobs(loom_grid_jobs(explained->grid), NULL),
        .places = loom_grid_places(explained->grid),
        .log = loom_trace_jobs(explained->trace),
        .clusters = explained->clusters,
        .there = there,
    };
}

/* ---- output ---------------------------------------------------------------------------------- */

static void write_view(FILE *out, const struct loom_explained *explained,
                       const struct loom_explained_job *view)
{
    if (view->sent) {
        const struct loom_grid_view grid = grid_view(explained, view);
        loom_explain_write_grid(out, &grid);
    } else {
        loom_explain_write(out, view);
    }
}

static int write_text(struct loom_output *out, const struct loom_explained *explained,
                      const struct loom_explained_job *view, struct loom_error *err)
{
    struct loom_text *text;
    size_t size;
    FILE *stream = loom_text_open(&text);
    if (!stream)
        return loom_fail_memory(err);
    write_view(stream, explained, view);
    char *bytes = loom_text_close(stream, text, &size);
    int rc = bytes ? loom_output_write(out, bytes, size, err) : loom_fail_memory(err);
    free(bytes);
    return rc;
}

int loom_explain_text(struct loom_output *out, const struct loom_explained *explained,
                      struct loom_error *err)
{
    struct loom_explained_job view = job_view(explained);
    struct loom_zone *zone = NULL;
    int rc = 0;
    if (loom_trace_machine(explained->trace)->unix_start_s != -1)
        rc = loom_zone_create(&zone, explained->trace, NULL, err);
    view.zone = zone;
    if (!rc)
        rc = write_text(out, explained, &view, err);
    loom_zone_destroy(zone);
    return rc;
}

struct json_t *loom_explain_json(const struct loom_explained *explained)
{
    const struct loom_explained_job view = job_view(explained);
    if (!view.sent)
        return loom_explain_job_json(&view);
    const struct loom_grid_view grid = grid_view(explained, &view);
    return loom_explain_grid_json(&grid);
}

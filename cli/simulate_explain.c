/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workloom simulate --explain: which job is meant, and who tells its story. */
#include "simulate_explain.h"
#include "simulate_grid.h"
#include "simulate_story.h"

#include <ctype.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

const struct loom_param explain_params[] = {
    {.name = "explain",
     .type = LOOM_PARAM_TEXT,
     .metavar = "[CLUSTER=]JOB",
     .help = "explain why a job waited"},
    {.name = NULL},
};

/* ---- which job ------------------------------------------------------------------------------- */

static int read_number(int64_t *out, const char *text, struct loom_error *err)
{
    char *end = NULL;
    *out = isdigit((unsigned char)*text) ? strtoll(text, &end, 10) : -1;
    if (*out >= 0 && !*end && *out <= INT64_C(1) << 53)
        return 0;
    return loom_fail(err, LOOM_EUSAGE, "--explain wants the number of a job, not '%s'", text);
}

int check_explain(const struct invocation *call, struct loom_error *err)
{
    const char *text = loom_params_text(call->params, "explain");
    int64_t unused;
    if (!text)
        return 0;
    bool cluster = strchr(text, '=') != NULL;
    if (cluster && !loom_params_given(call->params, "platform"))
        return loom_fail(err, LOOM_EUSAGE,
                         "--explain CLUSTER=JOB is for a grid: add --platform, or leave the "
                         "cluster out");
    return read_number(&unused, cluster ? strrchr(text, '=') + 1 : text, err);
}

static int find_row(uint32_t *row, int64_t number, const struct loom_trace *trace,
                    struct loom_error *err)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    const char *file = loom_trace_report(trace)->file;
    size_t n_found = 0;
    for (size_t i = 0; i < jobs->n; i++)
        if (jobs->number[i] == number) {
            *row = (uint32_t)i;
            n_found++;
        }
    if (n_found == 0)
        return loom_fail_at(err, LOOM_EDATA, file, 0, 0,
                            "none of the %zu jobs to simulate has the number %" PRId64
                            " that --explain asks for",
                            jobs->n, number);
    if (n_found > 1)
        return loom_fail_at(err, LOOM_EDATA, file, 0, 0,
                            "%zu jobs have the number %" PRId64
                            ", so --explain cannot tell which is meant",
                            n_found, number);
    return 0;
}

int open_explainer(struct simulation *of, struct loom_error *err)
{
    const char *text = loom_params_text(of->call->params, "explain");
    const struct loom_trace *trace = of->trace;
    int64_t number = 0;
    uint32_t row = 0;
    int rc = 0;
    if (!text)
        return 0;
    if (of->grid)
        rc = find_explained(&of->grid->explained, &text, of->grid, text, err);
    bool local = !rc && of->grid && of->grid->explained < of->grid->platform->n_clusters;
    if (local)
        trace = of->grid->sites[of->grid->explained].background;
    if (!rc)
        rc = read_number(&number, text, err);
    if (!rc)
        rc = find_row(&row, number, trace, err);
    if (rc)
        return rc;
    return of->grid && !local
               ? loom_grid_explainer_create(&of->grid->explainer, of->grid->grid, row, err)
               : loom_explainer_create(&of->explainer, row, err);
}

bool has_explanation(const struct simulation *of)
{
    return of->explainer || (of->grid && of->grid->explainer);
}

/* ---- the story ------------------------------------------------------------------------------- */

static struct story begin_story(const struct simulation *of)
{
    struct story story = {.sim = of->sim,
                          .trace = of->trace,
                          .name = loom_params_text(of->call->params, "explain")};
    const struct grid_run *run = of->grid;
    size_t n_jobs;
    const struct loom_sim_job *jobs = loom_sim_jobs(of->sim, &n_jobs);
    if (of->load.asked > 0 && of->load.way == LOOM_LOAD_ARRIVALS)
        story.stretch = of->load.factor;
    story.first_s = n_jobs > 0 ? jobs[0].submit_s : 0;
    size_t cluster = run ? run->explained : 0;
    story.sent = run && run->explainer;
    if (story.sent) {
        const struct loom_grid_explanation *found = loom_grid_explainer_result(run->explainer);
        story.found = found->there;
        cluster = found->sent.cluster;
    } else {
        story.found = loom_explainer_result(of->explainer);
    }
    if (run) {
        story.sim = loom_grid_cluster(run->grid, cluster);
        story.local = run->sites[cluster].background;
        story.cluster = run->sites[cluster].plan.name;
    }
    story.jobs = loom_sim_jobs(story.sim, NULL);
    return story;
}

int print_explanation(const struct simulation *of, struct loom_error *err)
{
    const struct story story = begin_story(of);
    struct page page = {.err = err};
    page.rc = loom_output_create(&page.out, "-", err);
    if (!page.rc && story.sent)
        tell_grid_story(of, &story, &page);
    else if (!page.rc)
        tell_story(&story, &page);
    if (!page.rc)
        page.rc = loom_output_commit(page.out, err);
    loom_output_destroy(page.out);
    return page.rc;
}

struct json_t *explanation_json(const struct simulation *of)
{
    const struct story story = begin_story(of);
    return story.sent ? grid_story_json(of, &story) : story_json(&story);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the scenarios of a plan point at: logs, models, resamplers, users, systems. Each is made
 * once for all cells that have the same words for it, so that a runner sees by the pointers that
 * two runs have the same jobs.
 */
#include "experiment/plan.h"

#include "trace/tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct loom_plan_part {
    struct loom_plan_part *next;
    char *words; /* the kind, and the words it was made of */
    void *object;
    void (*destroy)(void *object);
};

/* A cell whose parts are being made. */
struct making {
    struct loom_plan *plan;
    struct loom_plan_cell *cell;
    struct loom_pool *pool;
};

void loom_plan_parts_free(struct loom_plan *plan)
{
    while (plan->parts) { /* newest first: later ones may use earlier ones */
        struct loom_plan_part *part = plan->parts;
        plan->parts = part->next;
        if (part->object)
            part->destroy(part->object);
        free(part->words);
        free(part);
    }
}

/* ---- parts by words -------------------------------------------------------------------------- */

static const char *const trace_words[] = {"trace",     "from",           "columns",
                                          "max-procs", "skip-bad-lines", "select",
                                          "job-procs", "users",          "queues",
                                          "from-time", "to-time",        "first",
                                          NULL};
static const char *const model_words[] = {"model", "set", NULL};
static const char *const resample_words[] = {"weeks",           "load-factor", "long-term",
                                             "temporary",       "arrivals",    "start",
                                             "long-term-weeks", "edge-weeks",  "clock",
                                             "favour",          "rare",        "rare-per-week",
                                             "as-is",           "shake",       "shake-by",
                                             "locality",        NULL};
static const char *const users_words[] = {
    "resample",        "feedback",   "session-gap", "pause",         "poor",
    "abort",           "abandon",    "weeks",       "load-factor",   "start",
    "long-term-weeks", "edge-weeks", "rare",        "rare-per-week", NULL};
static const char *const request_words[] = {"estimates", NULL};
static const char *const rearrange_words[] = {"shuffle", "correlation", "correlation-degree", NULL};
static const char *const machine_words[] = {"procs", NULL};
static const char *const grid_words[] = {
    "platform",        "dispatch",         "background", "background-model",
    "background-load", "background-shift", NULL};
static const char *const constraint_words[] = {"downtime", "user-jobs", "user-procs", "own-procs",
                                               NULL};
static const char *const measure_words[] = {"measure-users", NULL};

static void put_words(FILE *to, const struct loom_params *params, const char *const *keys)
{
    for (; *keys; keys++) {
        size_t n = loom_params_given(params, *keys) ? loom_params_count(params, *keys) : 0;
        if (loom_params_given(params, *keys))
            fprintf(to, "|%s", *keys);
        for (size_t i = 0; i < n; i++)
            fprintf(to, "=%s", loom_params_item(params, *keys, i));
    }
}

/* Find the part of a kind made of these words, or add one without an object. NULL when memory is
 * out. */
static struct loom_plan_part *find_part(struct loom_plan *plan, const struct loom_params *params,
                                        const char *kind, const char *const *keys,
                                        const char *const *more)
{
    char *words = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&words, &size);
    if (!to)
        return NULL;
    fputs(kind, to);
    put_words(to, params, keys);
    if (more)
        put_words(to, params, more);
    if (fclose(to) != 0) {
        free(words);
        return NULL;
    }
    struct loom_plan_part *part = plan->parts;
    while (part && strcmp(part->words, words) != 0)
        part = part->next;
    if (part) {
        free(words);
        return part;
    }
    part = calloc(1, sizeof *part);
    if (!part) {
        free(words);
        return NULL;
    }
    *part = (struct loom_plan_part){.next = plan->parts, .words = words};
    return plan->parts = part;
}

/* ---- logs ------------------------------------------------------------------------------------ */

/* Selected jobs of a log, and the machine of the whole log. */
struct log {
    struct loom_trace *trace;
    struct loom_machine_size machine;
};

static void destroy_log(void *object)
{
    struct log *log = object;
    loom_trace_destroy(log->trace);
    free(log);
}

static int select_jobs(struct loom_trace *trace, const struct loom_params *params,
                       struct loom_error *err)
{
    size_t n = loom_trace_count(trace);
    if (n > 0 && loom_selects_all(params))
        return 0;
    uint8_t *keep = malloc(n + 1);
    int rc = keep ? loom_select(keep, trace, params, err) : loom_fail_memory(err);
    if (!rc)
        loom_trace_keep(trace, keep);
    free(keep);
    if (!rc && loom_trace_count(trace) == 0)
        rc = loom_fail_at(err, LOOM_EDATA, loom_trace_report(trace)->file, 0, 0,
                          n > 0 ? "the selection leaves no jobs to simulate"
                                : "the log has no jobs to simulate");
    return rc;
}

static int read_log(struct log *out, const struct making *making, struct loom_error *err)
{
    const struct loom_params *params = making->cell->params;
    const struct loom_read_options read = {.format = loom_params_text(params, "from"),
                                           .columns = loom_params_text(params, "columns"),
                                           .skip_bad_lines =
                                               loom_params_flag(params, "skip-bad-lines"),
                                           .pool = making->pool};
    const char *path = loom_params_text(params, "trace");
    int rc = loom_trace_read(&out->trace, path, &read, err);
    if (!rc && loom_params_given(params, "max-procs"))
        rc = loom_trace_set_directive(out->trace, "MaxProcs", loom_params_text(params, "max-procs"),
                                      err);
    if (!rc)
        rc = loom_plan_note_input(making->plan, path, loom_trace_report(out->trace)->hash, err);
    if (!rc)
        rc = loom_trace_machine_size(&out->machine, out->trace, err);
    return rc ? rc : select_jobs(out->trace, params, err);
}

static int take_log(const struct log **out, const struct making *making, struct loom_error *err)
{
    struct loom_plan_part *part =
        find_part(making->plan, making->cell->params, "trace", trace_words, NULL);
    if (!part)
        return loom_fail_memory(err);
    if (!part->object) {
        struct log *log = calloc(1, sizeof *log);
        int rc = log ? read_log(log, making, err) : loom_fail_memory(err);
        if (rc) {
            if (log)
                destroy_log(log);
            return rc;
        }
        part->object = log;
        part->destroy = destroy_log;
    }
    *out = part->object;
    return 0;
}

/* ---- models ---------------------------------------------------------------------------------- */

static void destroy_model(void *model)
{
    loom_model_destroy(model);
}

static int named_model(struct loom_model **out, const struct making *making,
                       const struct loom_trace *trace, const char *const *settings, size_t n,
                       struct loom_error *err)
{
    const struct loom_model_info *info = NULL;
    struct loom_params *params = NULL;
    struct loom_model *made = NULL;
    int rc = loom_model_parse(&info, &params, loom_params_text(making->cell->params, "model"), err);
    if (!rc)
        rc = trace ? loom_model_fit(&made, info->name, trace, params, making->pool, err)
                   : loom_model_published(&made, info->name, params, err);
    if (!rc)
        rc = loom_model_set(out, made, settings, n, err);
    loom_model_destroy(made);
    loom_params_destroy(params);
    return rc;
}

static int make_model(struct loom_model **out, const struct making *making,
                      const struct loom_trace *trace, struct loom_error *err)
{
    const struct loom_params *params = making->cell->params;
    const char *text = loom_params_text(params, "model");
    size_t n = loom_params_given(params, "set") ? loom_params_count(params, "set") : 0;
    const char **settings = calloc(n + 1, sizeof *settings);
    if (!settings)
        return loom_fail_memory(err);
    for (size_t i = 0; i < n; i++)
        settings[i] = loom_params_item(params, "set", i);
    int rc;
    if (loom_plan_model_file(text)) {
        rc = loom_model_load(out, text, settings, n, err);
        if (!rc)
            rc = loom_plan_note_input(making->plan, text, loom_model_hash(*out), err);
    } else {
        rc = named_model(out, making, trace, settings, n, err);
    }
    free(settings);
    return rc;
}

static int take_model(const struct making *making, const struct loom_trace *trace,
                      struct loom_error *err)
{
    struct loom_scenario *scenario = &making->cell->scenario;
    const struct loom_params *params = making->cell->params;
    struct loom_model *model = NULL;
    struct loom_plan_part *part =
        find_part(making->plan, params, "model", model_words, trace ? trace_words : NULL);
    if (!part)
        return loom_fail_memory(err);
    int rc = part->object ? 0 : make_model(&model, making, trace, err);
    if (model) {
        part->object = model;
        part->destroy = destroy_model;
    }
    if (!rc && loom_params_given(params, "jobs"))
        scenario->generate.jobs = loom_params_int(params, "jobs");
    if (!rc && loom_params_given(params, "days"))
        scenario->generate.days = loom_params_real(params, "days");
    if (!rc)
        rc = loom_without_take(&scenario->generate.without, params, err);
    if (!rc && loom_params_given(params, "estimates"))
        rc = loom_request_rule_parse(&scenario->generate.requests,
                                     &scenario->generate.request_factor,
                                     loom_params_text(params, "estimates"), LOOM_REQUESTS_OF_MODEL,
                                     err);
    scenario->model = part->object;
    return rc;
}

/* ---- users ----------------------------------------------------------------------------------- */

struct resampling {
    struct loom_resample_request request;
    struct loom_resampler *resampler;
};

static void destroy_resampling(void *object)
{
    struct resampling *resampling = object;
    loom_resampler_destroy(resampling->resampler);
    loom_resample_request_release(&resampling->request);
    free(resampling);
}

static int take_resampler(const struct making *making, const struct loom_trace *trace,
                          struct loom_error *err)
{
    const struct loom_params *params = making->cell->params;
    struct loom_plan_part *part =
        find_part(making->plan, params, "resampler", resample_words, trace_words);
    if (!part)
        return loom_fail_memory(err);
    if (!part->object) {
        struct resampling *made = calloc(1, sizeof *made);
        int rc = made ? loom_resample_request_take(&made->request, params, trace, err)
                      : loom_fail_memory(err);
        if (!rc)
            rc = loom_resampler_create(&made->resampler, &trace, 1, &made->request.rule, err);
        if (rc) {
            if (made)
                destroy_resampling(made);
            return rc;
        }
        part->object = made;
        part->destroy = destroy_resampling;
    }
    making->cell->scenario.resampler = ((struct resampling *)part->object)->resampler;
    return 0;
}

static void destroy_users(void *users)
{
    loom_users_request_release(users);
    free(users);
}

static int take_users(const struct making *making, const struct loom_trace *trace,
                      struct loom_error *err)
{
    const struct loom_params *params = making->cell->params;
    struct loom_plan_part *part =
        find_part(making->plan, params, "users", users_words, trace_words);
    if (!part)
        return loom_fail_memory(err);
    if (!part->object) {
        struct loom_users_request *made = calloc(1, sizeof *made);
        int rc = made ? loom_users_request_take(made, params, loom_params_flag(params, "resample"),
                                                trace, err)
                      : loom_fail_memory(err);
        if (rc) {
            if (made)
                destroy_users(made);
            return rc;
        }
        part->object = made;
        part->destroy = destroy_users;
    }
    making->cell->scenario.users = &((struct loom_users_request *)part->object)->options;
    return 0;
}

/* Log, model, resampled log, or users who react. */
static int take_source(const struct making *making, struct loom_error *err)
{
    const struct loom_params *params = making->cell->params;
    struct loom_scenario *scenario = &making->cell->scenario;
    const struct log *log = NULL;
    int rc = loom_params_given(params, "trace") ? take_log(&log, making, err) : 0;
    if (rc)
        return rc;
    const struct loom_trace *trace = log ? log->trace : NULL;
    bool feedback = loom_params_given(params, "feedback");
    if (loom_params_given(params, "model"))
        rc = take_model(making, trace, err);
    else if (loom_params_flag(params, "resample") && !feedback)
        rc = log->machine.source != LOOM_SIZE_HEADER
                 ? loom_fail_field(err, LOOM_EDATA, "max-procs",
                                   "the log does not name the size of its machine: set max-procs")
                 : take_resampler(making, trace, err);
    else {
        scenario->trace = trace;
        scenario->machine = log->machine; /* models and resamplers name their own */
    }
    return rc || !feedback ? rc : take_users(making, trace, err);
}

/* ---- changes --------------------------------------------------------------------------------- */

static int take_requests(const struct making *making, struct loom_error *err)
{
    const struct loom_params *params = making->cell->params;
    if (!loom_params_given(params, "estimates") || loom_params_given(params, "model"))
        return 0;
    struct loom_plan_part *part = find_part(making->plan, params, "requests", request_words, NULL);
    if (part && !part->object) {
        part->object = calloc(1, sizeof(struct loom_request_change));
        part->destroy = free;
    }
    if (!part || !part->object)
        return loom_fail_memory(err);
    struct loom_request_change *change = part->object;
    making->cell->scenario.requests = change;
    return loom_request_rule_parse(&change->how, &change->factor,
                                   loom_params_text(params, "estimates"), LOOM_REQUESTS_OF_TRACE,
                                   err);
}

static int take_rearrangement(const struct making *making, struct loom_error *err)
{
    const struct loom_params *params = making->cell->params;
    struct loom_rearrangement how;
    bool asked;
    int rc = loom_rearrangement_take(&how, &asked, params, err);
    if (rc || !asked)
        return rc;
    struct loom_plan_part *part =
        find_part(making->plan, params, "rearrangement", rearrange_words, NULL);
    if (part && !part->object) {
        part->object = malloc(sizeof how);
        part->destroy = free;
        if (part->object)
            memcpy(part->object, &how, sizeof how);
    }
    if (!part || !part->object)
        return loom_fail_memory(err);
    making->cell->scenario.rearrange = part->object;
    return 0;
}

/* ---- the machine ----------------------------------------------------------------------------- */

static void destroy_system(void *system)
{
    loom_system_destroy(system);
}

static void destroy_platform(void *platform)
{
    loom_platform_release(platform);
}

static int make_grid(struct loom_system **out, const struct making *making, struct loom_error *err)
{
    const struct loom_params *params = making->cell->params;
    const struct loom_read_options read = {.pool = making->pool};
    struct loom_platform *platform = NULL;
    struct loom_plan_part *part = find_part(making->plan, params, "platform", grid_words, NULL);
    if (!part)
        return loom_fail_memory(err);
    int rc = loom_platform_take(&platform, params, making->plan->schedulers, err);
    if (rc)
        return rc;
    part->object = platform;
    part->destroy = destroy_platform;
    return loom_system_create_grid(out, platform, &read, err);
}

static int take_system(const struct making *making, struct loom_error *err)
{
    const struct loom_params *params = making->cell->params;
    bool grid = loom_params_given(params, "platform");
    struct loom_system *system = NULL;
    if (!grid && !loom_params_given(params, "procs"))
        return 0;
    const char *const *words = grid ? grid_words : machine_words;
    /* The system uses its platform to the end: the platform has to be the older part. */
    if (grid && !find_part(making->plan, params, "platform", grid_words, NULL))
        return loom_fail_memory(err);
    struct loom_plan_part *part = find_part(making->plan, params, "system", words, NULL);
    if (!part)
        return loom_fail_memory(err);
    if (!part->object) {
        int rc = grid ? make_grid(&system, making, err)
                      : loom_system_create(&system, loom_params_int(params, "procs"), err);
        if (rc)
            return rc;
        part->object = system;
        part->destroy = destroy_system;
    }
    making->cell->scenario.system = part->object;
    return 0;
}

static void destroy_params(void *params)
{
    loom_params_destroy(params);
}

static int take_measured(const struct making *making, struct loom_error *err)
{
    struct loom_params *measured = NULL;
    struct loom_plan_part *part =
        find_part(making->plan, making->cell->params, "measured", measure_words, NULL);
    if (!part)
        return loom_fail_memory(err);
    int rc = part->object ? 0 : loom_measured_take(&measured, making->cell->params, err);
    if (measured) {
        part->object = measured;
        part->destroy = destroy_params;
    }
    making->cell->scenario.measure = part->object;
    return rc;
}

/* ---- constraints ----------------------------------------------------------------------------- */

static void destroy_constraints(void *constraints)
{
    loom_constraints_release(constraints);
    free(constraints);
}

static int take_constraints(const struct making *making, struct loom_error *err)
{
    const struct loom_params *params = making->cell->params;
    if (!loom_constraints_given(params))
        return 0;
    struct loom_plan_part *part =
        find_part(making->plan, params, "constraints", constraint_words, trace_words);
    if (!part)
        return loom_fail_memory(err);
    struct loom_constraints *made = part->object ? NULL : calloc(1, sizeof *made);
    int rc = part->object ? 0
             : made       ? loom_constraints_take(made, params, making->cell->scenario.trace, err)
                          : loom_fail_memory(err);
    if (made) {
        part->object = made;
        part->destroy = destroy_constraints;
    }
    if (!rc)
        loom_constraints_apply(&making->cell->scenario, part->object);
    return rc;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static int take_all(const struct making *making, struct loom_error *err)
{
    struct loom_scenario *scenario = &making->cell->scenario;
    int rc = take_source(making, err);
    if (!rc)
        rc = take_requests(making, err);
    if (!rc)
        rc = take_rearrangement(making, err);
    if (!rc)
        rc = take_system(making, err);
    if (!rc)
        rc = take_measured(making, err);
    if (!rc)
        rc = take_constraints(making, err);
    return rc ? rc : loom_trim_take(&scenario->trim, making->cell->params, err);
}

int loom_plan_parts(struct loom_plan *plan, struct loom_plan_cell *cell, struct loom_pool *pool,
                    struct loom_error *err)
{
    const struct making making = {plan, cell, pool};
    const struct loom_params *params = cell->params;
    cell->scenario = loom_scenario();
    cell->scenario.policy = loom_params_text(params, "scheduler");
    cell->scenario.schedulers = plan->schedulers;
    cell->scenario.overrun = (enum loom_overrun)loom_params_choice(params, "overrun");
    cell->scenario.compat = (enum loom_compat)loom_params_choice(params, "compat");
    cell->scenario.predictor = loom_params_text(params, "predictor");
    cell->scenario.correction = (enum loom_correction)loom_params_choice(params, "correction");
    cell->scenario.predict_waits = loom_params_flag(params, "predict-waits");
    cell->scenario.load_by = (enum loom_load_way)loom_params_choice(params, "load-by");
    if (loom_params_given(params, "load"))
        cell->scenario.load = strtod(loom_params_text(params, "load"), NULL);
    int rc = take_all(&making, err);
    if (!rc)
        rc = loom_scenario_check(&cell->scenario, err);
    return loom_plan_locate(rc, plan, cell, err);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sources of a plan's jobs: logs, models, resampled logs and users who react. */
#include "experiment/plan_parts.h"

#include "base/vec.h"
#include "trace/tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct loom_part_keys loom_log_keys = {
    .names = {"select"},
    .lists = {loom_plan_read_params, loom_select_params + 2},
};
static const struct loom_part_keys model_keys = {.names = {"trace", "model", "set"}};
static const struct loom_part_keys resampler_keys = {
    .names = {"trace", "mix", "source-procs"},
    .lists = {loom_resample_length_params, loom_resample_user_params, loom_rare_params,
              loom_resample_change_params},
};
static const struct loom_part_keys users_keys = {
    .names = {"trace", "resample"},
    .lists = {loom_feedback_params, loom_resample_length_params, loom_resample_user_params,
              loom_rare_params},
};

/* ---- logs ------------------------------------------------------------------------------------ */

/* Selected jobs of a log, and the machine of the whole log. */
struct log {
    struct loom_trace *trace;
    struct loom_machine_size machine;
};

/* Note which jobs of a log are selected, once. */
static int note_log(struct loom_plan *plan, const struct loom_plan_log *log, struct loom_error *err)
{
    for (size_t i = 0; i < plan->n_logs; i++)
        if (strcmp(plan->logs[i].path, log->path) == 0 &&
            strcmp(plan->logs[i].select, log->select) == 0 && plan->logs[i].jobs == log->jobs)
            return 0;
    const char *path = loom_arena_text(&plan->arena, log->path, strlen(log->path));
    const char *select = loom_arena_text(&plan->arena, log->select, strlen(log->select));
    if (!path || !select || loom_grow(&plan->logs, plan->n_logs, &plan->logs_capacity))
        return loom_fail_memory(err);
    plan->logs[plan->n_logs++] =
        (struct loom_plan_log){path, select, log->jobs, log->left_out, log->machine};
    return 0;
}

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
    int rc = keep ? loom_select_known(keep, trace, params, err) : loom_fail_memory(err);
    if (!rc)
        loom_trace_keep(trace, keep);
    free(keep);
    if (!rc && loom_trace_count(trace) == 0)
        rc = loom_fail_at(err, LOOM_EDATA, loom_trace_report(trace)->file, 0, 0,
                          n > 0 ? "the selection leaves no jobs to simulate"
                                : "the log has no jobs to simulate");
    return rc;
}

/* Select jobs of a log that was just read. */
static int select_noted(const struct log *log, const struct loom_plan_making *making,
                        const char *path, struct loom_error *err)
{
    struct loom_trace *trace = log->trace;
    const struct loom_params *params = making->cell->params;
    int64_t before = (int64_t)loom_trace_count(trace);
    struct loom_plan_log note = {.path = path,
                                 .select = loom_select_which(params, trace),
                                 .machine = log->machine};
    int rc = select_jobs(trace, params, err);
    note.jobs = (int64_t)loom_trace_count(trace);
    note.left_out = before - note.jobs;
    return rc ? rc : note_log(making->plan, &note, err);
}

static int read_log(struct log *out, const struct loom_plan_making *making, const char *path,
                    struct loom_error *err)
{
    const struct loom_params *params = making->cell->params;
    const struct loom_read_options read = {.format = loom_params_text(params, "from"),
                                           .map = loom_params_text(params, "map"),
                                           .columns = loom_params_text(params, "columns"),
                                           .skip_bad_lines =
                                               loom_params_flag(params, "skip-bad-lines"),
                                           .pool = making->pool};
    int rc = loom_trace_read(&out->trace, path, &read, err);
    if (!rc && loom_params_given(params, "max-procs"))
        rc = loom_trace_set_directive(out->trace, "MaxProcs", loom_params_text(params, "max-procs"),
                                      err);
    if (!rc)
        rc = loom_plan_note_input(making->plan, path, loom_trace_report(out->trace)->hash, err);
    if (!rc)
        rc = loom_trace_settle_machine(&out->machine, out->trace, err);
    return rc ? rc : select_noted(out, making, path, err);
}

static struct loom_plan_part *find_log(const struct loom_plan_making *making, const char *path)
{
    char *kind = NULL;
    if (asprintf(&kind, "log %s", path) < 0)
        return NULL;
    struct loom_plan_part *part = loom_plan_part_find(making, kind, &loom_log_keys, NULL);
    free(kind);
    return part;
}

static int take_log(const struct log **out, const struct loom_plan_making *making, const char *path,
                    struct loom_error *err)
{
    struct loom_plan_part *part = find_log(making, path);
    if (!part)
        return loom_fail_memory(err);
    if (!part->object) {
        struct log *log = calloc(1, sizeof *log);
        int rc = log ? read_log(log, making, path, err) : loom_fail_memory(err);
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

static int named_model(struct loom_model **out, const struct loom_plan_making *making,
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

static int make_model(struct loom_model **out, const struct loom_plan_making *making,
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

static int take_model(const struct loom_plan_making *making, const struct loom_trace *trace,
                      struct loom_error *err)
{
    struct loom_scenario *scenario = &making->cell->scenario;
    const struct loom_params *params = making->cell->params;
    struct loom_model *model = NULL;
    struct loom_plan_part *part =
        loom_plan_part_find(making, "model", &model_keys, trace ? &loom_log_keys : NULL);
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
    if (!rc && loom_params_given(params, "source-procs"))
        scenario->generate.procs = loom_params_int(params, "source-procs");
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
    const struct loom_trace **logs; /* borrowed from other parts */
    size_t n_logs;
    struct loom_resampler *resampler;
};

static void destroy_resampling(void *object)
{
    struct resampling *resampling = object;
    loom_resampler_destroy(resampling->resampler);
    loom_resample_request_release(&resampling->request);
    free(resampling->logs);
    free(resampling);
}

/* Collect the log of trace and the logs of mix. */
static int take_mixed_logs(struct resampling *to, const struct loom_plan_making *making,
                           struct loom_error *err)
{
    const struct loom_params *params = making->cell->params;
    size_t n = 1 + loom_params_count(params, "mix");
    to->logs = calloc(n, sizeof *to->logs);
    if (!to->logs)
        return loom_fail_memory(err);
    for (; to->n_logs < n; to->n_logs++) {
        const struct log *log = NULL;
        const char *path = to->n_logs == 0 ? loom_params_text(params, "trace")
                                           : loom_params_item(params, "mix", to->n_logs - 1);
        int rc = take_log(&log, making, path, err);
        if (!rc && !loom_size_usable(&log->machine))
            rc = loom_fail_field(err, LOOM_EDATA, "max-procs",
                                 "the log does not name the size of its machine, nor do waits and "
                                 "runtimes give it; set max-procs");
        if (rc)
            return rc;
        to->logs[to->n_logs] = log->trace;
    }
    return 0;
}

static int make_resampler(struct resampling *made, const struct loom_params *params,
                          struct loom_error *err)
{
    int rc = loom_resample_request_take(&made->request, params, made->logs[0], err);
    if (!rc && loom_params_given(params, "source-procs"))
        made->request.rule.procs = loom_params_int(params, "source-procs");
    return rc ? rc
              : loom_resampler_create(&made->resampler, made->logs, made->n_logs,
                                      &made->request.rule, err);
}

/* The logs are parts of their own, and must be older than the resampler that uses them. */
static int take_resampler(const struct loom_plan_making *making, struct loom_error *err)
{
    struct resampling *made = calloc(1, sizeof *made);
    int rc = made ? take_mixed_logs(made, making, err) : loom_fail_memory(err);
    struct loom_plan_part *part =
        rc ? NULL : loom_plan_part_find(making, "resampler", &resampler_keys, &loom_log_keys);
    if (!rc && !part)
        rc = loom_fail_memory(err);
    if (!rc && !part->object) {
        rc = make_resampler(made, making->cell->params, err);
        part->object = made;
        part->destroy = destroy_resampling;
        made = NULL;
    }
    if (made)
        destroy_resampling(made);
    if (!rc)
        making->cell->scenario.resampler = ((struct resampling *)part->object)->resampler;
    return rc;
}

static void destroy_users(void *users)
{
    loom_users_request_release(users);
    free(users);
}

static int take_users(const struct loom_plan_making *making, const struct loom_trace *trace,
                      struct loom_error *err)
{
    const struct loom_params *params = making->cell->params;
    struct loom_plan_part *part = loom_plan_part_find(making, "users", &users_keys, &loom_log_keys);
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

int loom_plan_take_source(const struct loom_plan_making *making, struct loom_error *err)
{
    const struct loom_params *params = making->cell->params;
    struct loom_scenario *scenario = &making->cell->scenario;
    const char *path = loom_params_text(params, "trace");
    const struct log *log = NULL;
    int rc = path ? take_log(&log, making, path, err) : 0;
    if (rc)
        return rc;
    const struct loom_trace *trace = log ? log->trace : NULL;
    bool feedback = loom_params_given(params, "feedback");
    if (loom_params_given(params, "model"))
        rc = take_model(making, trace, err);
    else if (loom_params_flag(params, "resample") && !feedback)
        rc = take_resampler(making, err);
    else {
        scenario->trace = trace;
        scenario->machine = log->machine; /* models and resamplers name their own */
    }
    return rc || !feedback ? rc : take_users(making, trace, err);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of models, and fitting, publishing and checking of parameters. */
#include "base/error.h"
#include "models/room.h"

#include "base/spec.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* All models: X(symbol, name). A new one is one more line. */
#define ARRIVALS(X)               \
    X(poisson, "poisson")         \
    X(gamma_daily, "gamma-daily") \
    X(mwm, "mwm")                 \
    X(mmwm, "mmwm")               \
    X(onoff, "onoff")
#define WORKLOADS(X)              \
    X(uniform, "uniform")         \
    X(bootstrap, "bootstrap")     \
    X(minh2009, "minh2009")       \
    X(minh2010, "minh2010")       \
    X(minh2012, "minh2012")       \
    X(feitelson96, "feitelson96") \
    X(lublin2003, "lublin2003")   \
    X(jann97, "jann97")           \
    X(downey97, "downey97")       \
    X(usergraph, "usergraph")

#define X(symbol, name) extern const struct loom_model_ops loom_model_##symbol;
ARRIVALS(X)
WORKLOADS(X)
#undef X

const struct loom_model_ops *const loom_models[] = {
#define X(symbol, name) &loom_model_##symbol,
    WORKLOADS(X) ARRIVALS(X)
#undef X
        NULL,
};

const char *const loom_variants[] = {"printed", "improved", NULL};

const char *const loom_arrival_names[] = {
#define X(symbol, name) name,
    ARRIVALS(X)
#undef X
        NULL,
};

enum { N_MODELS = sizeof loom_models / sizeof *loom_models - 1 };

/* ---- what there is --------------------------------------------------------------------------- */

const char *loom_trait_name(size_t index)
{
    static const char *const names[] = {"burstiness", "lrd",         "bot",
                                        "locality",   "correlation", "cycle"};
    return index < LOOM_TRAITS ? names[index] : NULL;
}

const char *loom_model_defaults_name(enum loom_model_defaults defaults)
{
    static const char *const names[] = {"none", "published", "illustrative"};
    return names[defaults];
}

const struct loom_model_info *loom_model_at(size_t index)
{
    return index < N_MODELS ? &loom_models[index]->info : NULL;
}

static const char *model_at(const void *self, size_t index, const struct loom_param **params)
{
    (void)self;
    if (index >= N_MODELS)
        return NULL;
    *params = loom_models[index]->info.params;
    return loom_models[index]->info.name;
}

static const struct loom_spec_list list = {"model", "see 'workloom list models'", model_at, NULL};

int loom_model_find(const struct loom_model_info **out, const char *name, struct loom_error *err)
{
    size_t index;
    int rc = loom_spec_find(&index, &list, name, err);
    if (!rc)
        *out = &loom_models[index]->info;
    return rc;
}

int loom_model_parse(const struct loom_model_info **out, struct loom_params **params,
                     const char *text, struct loom_error *err)
{
    size_t index;
    *params = NULL;
    int rc = loom_spec_parse(&index, params, &list, text, err);
    if (!rc)
        rc = loom_part_check(*params, err);
    if (rc) {
        loom_params_destroy(*params);
        *params = NULL;
        return rc;
    }
    *out = &loom_models[index]->info;
    return 0;
}

/* ---- life ------------------------------------------------------------------------------------ */

int loom_model_create(struct loom_model **out, const char *name, struct loom_error *err)
{
    size_t index;
    int rc = loom_spec_find(&index, &list, name, err);
    if (rc)
        return rc;
    const struct loom_model_ops *ops = loom_models[index];
    struct loom_model *model = calloc(1, sizeof *model);
    if (model)
        model->state = calloc(1, ops->state_size);
    if (!model || !model->state) {
        free(model);
        return loom_fail_memory(err);
    }
    model->ops = ops;
    *out = model;
    return 0;
}

void loom_model_destroy(struct loom_model *model)
{
    if (!model)
        return;
    if (model->ops->clear)
        model->ops->clear(model->state);
    if (model->has_requests)
        loom_request_model_clear(&model->requests);
    loom_status_model_clear(&model->status);
    free(model->origin);
    free(model->state);
    free(model);
}

const struct loom_model_info *loom_model_info(const struct loom_model *model)
{
    return &model->ops->info;
}

const char *loom_model_variant(const struct loom_model *model)
{
    return model->ops->variant ? model->ops->variant(model->state) : NULL;
}

int64_t loom_model_procs(const struct loom_model *model)
{
    return model->procs;
}

/* ---- what it is like ------------------------------------------------------------------------- */

unsigned loom_model_traits(const struct loom_model *model)
{
    return model->ops->traits ? model->ops->traits(model->state) : model->ops->info.traits;
}

/* The model itself, or the arrival process within it. */
struct whole {
    const struct loom_model_ops *ops;
    const void *state;
};

static struct whole arrivals_of(const struct loom_model *model)
{
    if (!model->ops->arrivals)
        return (struct whole){model->ops, model->state};
    const struct loom_part *part = model->ops->arrivals(model->state);
    return (struct whole){part->ops, part->state};
}

const char *loom_model_remark(const struct loom_model *model, size_t index)
{
    struct whole arrivals = arrivals_of(model);
    const char *remarks[2] = {NULL, NULL};
    size_t n = 0;
    if (model->fitted && model->ops->remark)
        remarks[n] = model->ops->remark(model->state);
    n += remarks[n] != NULL;
    if (model->fitted && arrivals.ops != model->ops && arrivals.ops->remark)
        remarks[n] = arrivals.ops->remark(arrivals.state);
    return index < 2 ? remarks[index] : NULL;
}

bool loom_model_week(const struct loom_model *model, double *speed)
{
    struct whole arrivals = arrivals_of(model);
    if (arrivals.ops->week)
        arrivals.ops->week(arrivals.state, speed);
    return arrivals.ops->week != NULL;
}

struct loom_log_facts loom_model_log_facts(const struct loom_model *model)
{
    struct loom_log_facts part = {0};
    if (model->fitted && model->ops->log_facts)
        part = model->ops->log_facts(model->state);
    return part.jobs > 0 ? part
                         : (struct loom_log_facts){model->jobs, model->interarrival_s, model->load};
}

int64_t loom_model_log_jobs(const struct loom_model *model)
{
    return loom_model_log_facts(model).jobs;
}

void loom_model_interarrival(const struct loom_model *model, double *log_s, double *model_s)
{
    struct whole of = {model->ops, model->state};
    if (!of.ops->interarrival_s)
        of = arrivals_of(model);
    *log_s = model->fitted ? loom_model_log_facts(model).interarrival_s : NAN;
    *model_s = of.ops->interarrival_s ? of.ops->interarrival_s(of.state) : NAN;
}

static double known(double ratio)
{
    return ratio > 0 ? ratio : (double)NAN;
}

struct loom_means_kept loom_model_means_kept(const struct loom_model *model)
{
    struct loom_means_kept kept = {0};
    if (model->ops->means_kept)
        kept = model->ops->means_kept(model->state);
    return (struct loom_means_kept){known(kept.run), known(kept.work)};
}

struct loom_bags_kept loom_model_bags_kept(const struct loom_model *model)
{
    struct loom_bags_kept kept = {0};
    if (model->ops->bags_kept)
        kept = model->ops->bags_kept(model->state);
    return kept.log > 0 ? kept : (struct loom_bags_kept){(double)NAN, (double)NAN};
}

double loom_model_log_load(const struct loom_model *model)
{
    return known(loom_model_log_facts(model).load);
}

int loom_model_set_origin(struct loom_model *model, const char *origin, struct loom_error *err)
{
    char *copy = strdup(origin);
    if (!copy)
        return loom_fail_memory(err);
    free(model->origin);
    model->origin = copy;
    return 0;
}

const char *loom_model_origin(const struct loom_model *model)
{
    return model->origin;
}

uint64_t loom_model_hash(const struct loom_model *model)
{
    return model->hash;
}

/* ---- parameters ------------------------------------------------------------------------------ */

int loom_refuse_given(const struct loom_model_ops *ops, const struct loom_params *params,
                      enum loom_occasion occasion, struct loom_error *err)
{
    bool fitting = occasion == LOOM_WHILE_FITTING;
    const char *const *names = fitting ? ops->publish_only : ops->fit_only;
    for (; params && names && *names; names++)
        if (loom_params_given(params, *names))
            return loom_fail(err, LOOM_EUSAGE, "%s: %s is a choice %s; leave it out",
                             ops->info.name, *names,
                             fitting ? "of the model's own parameters, and a fit has none of them"
                                     : "of the fit, and nothing is fitted where parameters are "
                                       "the model's own");
    return 0;
}

/* Create default parameters of a model where a caller passed none. *own stays NULL where it did, or
 * the model has none; the caller must destroy it. */
static int default_params(struct loom_params **own, const struct loom_model_ops *ops,
                          const struct loom_params *params, struct loom_error *err)
{
    const struct loom_param *const lists[] = {ops->info.params, NULL};
    return params || !ops->info.params ? 0 : loom_params_create(own, lists, err);
}

int loom_model_published(struct loom_model **out, const char *name,
                         const struct loom_params *params, struct loom_error *err)
{
    struct loom_model *model = NULL;
    struct loom_params *own = NULL;
    int rc = loom_model_create(&model, name, err);
    if (!rc && !model->ops->publish)
        rc = loom_fail(err, LOOM_EUSAGE, "%s has no parameters of its own; fit it to a log first",
                       name);
    if (!rc)
        rc = loom_refuse_given(model->ops, params, LOOM_WHILE_PUBLISHING, err);
    if (!rc)
        rc = default_params(&own, model->ops, params, err);
    if (!rc)
        rc = model->ops->publish(model->state, own ? own : params, err);
    loom_params_destroy(own);
    if (rc) {
        loom_model_destroy(model);
        return rc;
    }
    model->jobs = model->ops->published_jobs;
    model->procs = model->ops->published_procs;
    *out = model;
    return 0;
}

static int check_log(const struct loom_workload *jobs, const char *name, struct loom_error *err)
{
    if (jobs->n < 2)
        return loom_fail(err, LOOM_EDATA, "%s cannot be fitted to %s; take a longer log", name,
                         jobs->n ? "a single job" : "a log without jobs");
    if (jobs->submit_s[0] < 0)
        return loom_fail(err, LOOM_EDATA,
                         "%s cannot be fitted to jobs without a known submit time; leave them out, "
                         "by 'workloom clean'",
                         name);
    if (jobs->span_s <= 0)
        return loom_fail(
            err, LOOM_EDATA,
            "%s cannot be fitted to a log whose jobs were all submitted at once; take a longer log",
            name);
    return 0;
}

/* The processors of the machine, by the rule for logs that do not say (loom_trace_machine_size),
 * and enough for every job. */
static int find_machine(int32_t *out, const struct loom_workload *jobs, const char *name,
                        struct loom_error *err)
{
    struct loom_machine_size size = {jobs->max_procs, LOOM_SIZE_HEADER};
    int32_t largest = 1;
    for (size_t i = 0; i < jobs->n; i++)
        if (jobs->procs[i] > largest)
            largest = jobs->procs[i];
    if (jobs->max_procs > 0 && jobs->max_procs < largest)
        return loom_fail_field(err, LOOM_EDATA, "job-procs MaxProcs",
                               "%s cannot be fitted to a job of %" PRId32
                               " processors on a machine of %" PRId64
                               "; leave such jobs out with job-procs :%" PRId64
                               ", or correct the machine's size with MaxProcs %" PRId32,
                               name, largest, jobs->max_procs, jobs->max_procs, largest);
    int rc = jobs->max_procs < 1 ? loom_trace_machine_size(&size, jobs->trace, err) : 0;
    *out = size.procs < largest     ? largest
           : size.procs < INT32_MAX ? (int32_t)size.procs
                                    : INT32_MAX;
    return rc;
}

/* 1970-01-05 was a Monday. */
static int64_t week_phase(const struct loom_workload *jobs)
{
    enum { WEEK_S = 7 * 86400, MONDAY_S = 4 * 86400 };
    int64_t phase = (loom_zone_local(jobs->zone, jobs->submit_s[0]) - MONDAY_S) % WEEK_S;
    return phase < 0 ? phase + WEEK_S : phase;
}

/* Fit the requested times, if the log has any. Jobs of a bag have equal ones by definition: a model
 * with bags draws one for each bag. */
static int fit_requests(struct loom_model *model, const struct loom_training *log,
                        struct loom_error *err)
{
    if (model->ops->info.arrivals_only || model->ops->info.requests)
        return 0;
    int rc = loom_request_model_fit(&model->requests, log, err);
    model->has_requests = rc == 0;
    if (model->has_requests && (model->ops->info.traits & LOOM_BAGS)) {
        model->requests.whole_bundles = 1;
        model->requests.keep_in_bundle = 0; /* as where there is no bundle */
    }
    return rc == LOOM_EDATA ? 0 : rc;
}

/* Fit the state; prefix the model's name to messages of arrival processes and distributions. */
static int fit_state(struct loom_model *model, const struct loom_training *log,
                     struct loom_error *err)
{
    struct loom_error reason = {0};
    const char *name = model->ops->info.name;
    int rc = model->ops->fit(model->state, log, &reason);
    if (rc == LOOM_EDATA && !strstr(reason.message, name))
        return loom_fail(err, rc, "%s cannot be fitted to this log: %.200s", name, reason.message);
    if (rc && err)
        *err = reason;
    return rc;
}

static int fit_jobs(struct loom_model *model, const struct loom_workload *jobs,
                    const struct loom_params *params, struct loom_pool *pool,
                    struct loom_error *err)
{
    int32_t procs = 0;
    int rc = check_log(jobs, model->ops->info.name, err);
    if (!rc)
        rc = find_machine(&procs, jobs, model->ops->info.name, err);
    if (rc)
        return rc;
    struct loom_training log = {.jobs = jobs,
                                .week_phase_s = week_phase(jobs),
                                .procs = procs,
                                .params = params,
                                .pool = pool};
    model->fitted = true;
    model->jobs = (int64_t)jobs->n;
    model->procs = log.procs;
    model->week_phase_s = log.week_phase_s;
    model->interarrival_s = (double)jobs->span_s / (double)(jobs->n - 1);
    model->load = loom_work_load(jobs->submit_s, jobs->run_s, jobs->procs, jobs->n, log.procs);
    rc = fit_state(model, &log, err);
    if (!rc)
        rc = fit_requests(model, &log, err);
    return rc || model->ops->info.arrivals_only
               ? rc
               : loom_status_model_fit(&model->status, jobs->trace, err);
}

/* Save the model, load it, and generate a few jobs from it. */
static int try_model(const struct loom_model *model, struct loom_error *err)
{
    struct loom_generate_options options = {.seed = 1, .jobs = 10};
    struct loom_model *again = NULL;
    struct loom_trace *generated = NULL;
    int rc = loom_model_set(&again, model, NULL, 0, err);
    if (!rc)
        rc = loom_model_generate(&generated, again, &options, NULL, err);
    loom_trace_destroy(generated);
    loom_model_destroy(again);
    return rc;
}

/* Check a fitted model: an unsuitable log may give parameters beyond the ranges of the document, or
 * ones that generate no jobs. The fit must fail then, not a later generation. */
static int check_fitted(const struct loom_model *model, struct loom_error *err)
{
    struct loom_error reason = {0};
    int rc = try_model(model, &reason);
    if (rc == LOOM_ENOMEM)
        return loom_fail_memory(err);
    if (rc)
        return loom_fail(err, LOOM_EDATA,
                         "%s cannot be fitted to this log, which has too few jobs, too far apart "
                         "or too much alike: take a longer log or another model (%.150s)",
                         model->ops->info.name, reason.message);
    return 0;
}

int loom_model_fit(struct loom_model **out, const char *name, const struct loom_trace *trace,
                   const struct loom_params *params, struct loom_pool *pool, struct loom_error *err)
{
    struct loom_model *model = NULL;
    struct loom_params *own = NULL;
    struct loom_arranged arranged = {0};
    if (!trace)
        return loom_fail_null(err, "trace");
    int rc = loom_model_create(&model, name, err);
    if (!rc && !model->ops->fit)
        rc =
            loom_fail(err, LOOM_EUSAGE, "%s is what its text published and cannot be fitted", name);
    if (!rc)
        rc = loom_refuse_given(model->ops, params, LOOM_WHILE_FITTING, err);
    if (!rc)
        rc = default_params(&own, model->ops, params, err);
    if (!rc)
        rc = loom_arrange(&arranged, trace, err);
    if (!rc)
        rc = fit_jobs(model, &arranged.jobs, own ? own : params, pool, err);
    if (!rc)
        rc = check_fitted(model, err);
    loom_arranged_free(&arranged);
    loom_params_destroy(own);
    if (rc) {
        loom_model_destroy(model);
        return rc;
    }
    *out = model;
    return 0;
}

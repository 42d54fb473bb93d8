/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The options of queue mixed and queue reopen, as a study. */
#include "queue.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_RULES = 32, MOST_AXES = 2 };

const struct loom_param queue_model_params[] = {
    {.name = "lambda",
     .type = LOOM_PARAM_REAL,
     .min = 0,
     .max = 1e12,
     .metavar = "L",
     .help = "arrival rate of open users"},
    {.name = "users",
     .type = LOOM_PARAM_INT,
     .min = 0,
     .max = 1e12,
     .metavar = "N",
     .help = "mixed: closed users; reopen: users to simulate (default 1,000,000)"},
    {.name = "think",
     .type = LOOM_PARAM_TEXT,
     .value = "5",
     .metavar = "Z",
     .help =
         "mean think time; linear:MEAN:SLOPE and break:MEAN:LIMIT:PAUSE depend on the response"},
    {.name = "service",
     .type = LOOM_PARAM_REAL,
     .min = 1e-12,
     .max = 1e12,
     .value = "1",
     .metavar = "S",
     .help = "mean service time, which is the unit of times and rates if it is 1"},
    {.name = "service-dist",
     .type = LOOM_PARAM_TEXT,
     .metavar = "NAME:P:...",
     .help = "shape of service times, scaled to --service (default: exponential)"},
    {.name = "servers",
     .type = LOOM_PARAM_INT,
     .min = 1,
     .max = 1e6,
     .value = "1",
     .metavar = "C",
     .help = "servers"},
    {.name = "repeat",
     .type = LOOM_PARAM_TEXT,
     .repeated = true,
     .metavar = "RULE",
     .help = "when open users submit another job: constant:P, exponential[:SCALE] or "
             "shmueli[:SCALE]; several are compared"},
    {.name = NULL},
};

const struct loom_param queue_run_params[] = {
    {.name = "simulate", .type = LOOM_PARAM_FLAG, .help = "mixed: simulate the model too"},
    {.name = "jobs",
     .type = LOOM_PARAM_INT,
     .min = 100,
     .max = 1e12,
     .value = "1000000",
     .metavar = "N",
     .help = "mixed: jobs to simulate"},
    {.name = "replications",
     .type = LOOM_PARAM_INT,
     .min = 1,
     .max = 100000,
     .value = "1",
     .metavar = "N",
     .help = "independent simulations of each model"},
    {.name = "confidence",
     .type = LOOM_PARAM_REAL,
     .min = 0.5,
     .max = 0.9999,
     .value = "0.95",
     .metavar = "P",
     .help = "level of the intervals"},
    {.name = "quotients",
     .type = LOOM_PARAM_FLAG,
     .help = "also the throughput per user as a mean of quotients"},
    {.name = "sweep",
     .type = LOOM_PARAM_TEXT,
     .repeated = true,
     .metavar = "NAME=VALUES",
     .help = "vary lambda, N, think, think-rate, p, service or servers: 1:60, 0.1:0.95:0.05 or a "
             "list; a second one makes a curve for each value"},
    SEED_PARAM("random numbers of the simulation"),
    {.name = NULL},
};

/* ---- the model ------------------------------------------------------------------------------- */

static int take_model_of(struct loom_queueing_model *out, const struct invocation *call, bool mixed,
                         struct loom_error *err)
{
    const struct loom_params *params = call->params;
    const char *shape = loom_params_text(params, "service-dist");
    *out = loom_queueing_model();
    out->lambda = loom_params_real(params, "lambda");
    out->closed = mixed ? (uint64_t)loom_params_int(params, "users") : 0;
    out->service = loom_params_real(params, "service");
    out->servers = (unsigned)loom_params_int(params, "servers");
    int rc = loom_think_parse(&out->think, loom_params_text(params, "think"), err);
    return !rc && shape ? loom_queueing_service_parse(&out->service_dist, shape, err) : rc;
}

static int take_rules(struct loom_repeat *out, size_t *n, const struct invocation *call,
                      struct loom_error *err)
{
    int rc = 0;
    *n = loom_params_count(call->params, "repeat");
    if (*n > MOST_RULES)
        return loom_fail(err, LOOM_EUSAGE, "--repeat is given more than %d times", MOST_RULES);
    for (size_t i = 0; i < *n && !rc; i++)
        rc = loom_repeat_parse(&out[i], loom_params_item(call->params, "repeat", i), err);
    return rc;
}

static int take_axes(struct loom_queueing_axis *out, size_t *n, const struct invocation *call,
                     struct loom_error *err)
{
    int rc = 0;
    *n = loom_params_count(call->params, "sweep");
    if (*n > MOST_AXES)
        return loom_fail(err, LOOM_EUSAGE, "--sweep is given more than twice");
    for (size_t i = 0; i < *n && !rc; i++)
        rc = loom_queueing_axis_parse(&out[i], loom_params_item(call->params, "sweep", i), err);
    return rc;
}

static bool sweeps(const struct loom_queueing_axis *axes, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(axes[i].name, name) == 0)
            return true;
    return false;
}

/* ---- what is asked for ----------------------------------------------------------------------- */

/* A value that is swept, or has no default, is given in one place. */
static int check_given(const struct invocation *call, bool mixed,
                       const struct loom_queueing_axis *axes, size_t n, struct loom_error *err)
{
    const struct loom_params *params = call->params;
    if (!loom_params_given(params, "lambda") && !sweeps(axes, n, "lambda"))
        return loom_fail(err, LOOM_EUSAGE,
                         "--lambda L, the arrival rate of open users, is missing");
    if (loom_params_given(params, "lambda") && sweeps(axes, n, "lambda"))
        return loom_fail(err, LOOM_EUSAGE, "--sweep lambda=... sets --lambda; leave one out");
    if (mixed && loom_params_given(params, "users") && sweeps(axes, n, "N"))
        return loom_fail(err, LOOM_EUSAGE, "--sweep N=... sets --users; leave one out");
    if (mixed && !loom_params_given(params, "users") && !sweeps(axes, n, "N"))
        return loom_fail(err, LOOM_EUSAGE, "--users N, the number of closed users, is missing");
    if (!mixed && loom_params_count(params, "repeat") == 0 && !sweeps(axes, n, "p"))
        return loom_fail(err, LOOM_EUSAGE,
                         "--repeat is missing: constant:P, exponential or shmueli");
    if (!mixed && sweeps(axes, n, "N"))
        return loom_fail(
            err, LOOM_EUSAGE,
            "reopen has no closed users to sweep; see 'workloom queue mixed --repeat'");
    if (sweeps(axes, n, "p") && loom_params_count(params, "repeat") > 0)
        return loom_fail(err, LOOM_EUSAGE, "--sweep p=... sets --repeat constant:P; leave one out");
    if (!mixed && loom_params_given(params, "users") && loom_params_int(params, "users") < 100)
        return loom_fail(err, LOOM_EUSAGE, "reopen simulates at least 100 --users");
    return 0;
}

/* Which trials have an exact solution, and which are simulated: all of the re-open model, and of
 * the mixed model those without a solution. */
static void choose_methods(struct loom_queueing_study *study, bool mixed, bool simulate)
{
    for (size_t i = 0; i < study->curves * study->points; i++) {
        struct loom_queueing_trial *trial = &study->trials[i];
        const struct loom_queueing_model *model = &trial->model;
        trial->solve = !model->service_dist.ops && model->think.rule == LOOM_THINK_PLAIN &&
                       model->repeat.rule <= LOOM_REPEAT_CONSTANT;
        trial->simulate = !mixed || simulate || !trial->solve;
    }
}

static struct loom_queueing_options take_options(const struct invocation *call, bool mixed)
{
    const struct loom_params *params = call->params;
    struct loom_queueing_options options = loom_queueing_options();
    options.jobs = mixed ? (uint64_t)loom_params_int(params, "jobs") : 0;
    options.users = mixed ? 0
                    : loom_params_given(params, "users")
                        ? (uint64_t)loom_params_int(params, "users")
                        : 1000000;
    options.replications = (uint64_t)loom_params_int(params, "replications");
    options.confidence = loom_params_real(params, "confidence");
    options.seed = seed_of(call);
    return options;
}

int take_study(struct loom_queueing_study *out, const struct invocation *call, bool mixed,
               struct loom_error *err)
{
    struct loom_queueing_trial base = {.options = take_options(call, mixed)};
    struct loom_queueing_axis *axes = calloc(MOST_AXES, sizeof *axes);
    struct loom_repeat rules[MOST_RULES];
    size_t n_axes = 0, n_rules = 0;
    int rc = axes ? take_model_of(&base.model, call, mixed, err) : loom_fail_memory(err);
    if (!rc)
        rc = take_rules(rules, &n_rules, call, err);
    if (!rc)
        rc = take_axes(axes, &n_axes, call, err);
    if (!rc)
        rc = check_given(call, mixed, axes, n_axes, err);
    if (!rc)
        rc = loom_queueing_study_create(out, &base, axes, n_axes, rules, n_rules, err);
    if (!rc) {
        out->exact_first = mixed;
        out->quotients = loom_params_flag(call->params, "quotients");
        choose_methods(out, mixed, loom_params_flag(call->params, "simulate"));
    }
    free(axes);
    return rc;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A model: its defaults, its service times as words, and whether it has a steady state. */
#include "queueing/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct loom_queueing_model loom_queueing_model(void)
{
    return (struct loom_queueing_model){.think = {.mean = 5}, .service = 1, .servers = 1};
}

double loom_queueing_job_rate(const struct loom_queueing_model *model)
{
    return model->repeat.rule == LOOM_REPEAT_CONSTANT ? model->lambda / (1 - model->repeat.value)
                                                      : model->lambda;
}

/* ---- bounds ---------------------------------------------------------------------------------- */

static bool is_time(double value)
{
    return value >= 0 && isfinite(value);
}

static int check_numbers(const struct loom_queueing_model *model, struct loom_error *err)
{
    const struct loom_think *think = &model->think;
    if (!is_time(model->lambda))
        return loom_fail_field(err, LOOM_ERANGE, "lambda", "lambda %g is no rate of at least 0",
                               model->lambda);
    if (!is_time(model->service) || model->service == 0)
        return loom_fail_field(err, LOOM_ERANGE, "service", "service %g is no time above 0",
                               model->service);
    if (!is_time(think->mean) || !is_time(think->slope) || !is_time(think->limit) ||
        !is_time(think->pause))
        return loom_fail_field(err, LOOM_ERANGE, "think",
                               "think times must be numbers of at least 0");
    if (model->servers == 0)
        return loom_fail_field(err, LOOM_ERANGE, "servers", "servers must be at least 1");
    if (model->repeat.rule == LOOM_REPEAT_CONSTANT &&
        !(model->repeat.value >= 0 && model->repeat.value < 1))
        return loom_fail_field(err, LOOM_ERANGE, "repeat",
                               "repeat with probability %g never ends; it must be below 1",
                               model->repeat.value);
    if (model->closed > LOOM_QUEUEING_CLOSED_MOST)
        return loom_fail_field(err, LOOM_ERANGE, "closed", "closed must be at most %d",
                               LOOM_QUEUEING_CLOSED_MOST);
    if (model->lambda == 0 && model->closed == 0)
        return loom_fail_field(err, LOOM_ERANGE, "lambda",
                               "lambda is 0 and there are no closed users: nobody submits jobs");
    return 0;
}

/* Check a model. Closed users never make a queue unstable; open users do if the jobs that they
 * submit at unlimited response exceed the capacity. */
int loom_queueing_check(const struct loom_queueing_model *model, struct loom_error *err)
{
    int rc = check_numbers(model, err);
    if (rc)
        return rc;
    double rate = model->servers / model->service;
    if (loom_queueing_job_rate(model) < rate)
        return 0;
    double p = model->repeat.value;
    if (model->repeat.rule == LOOM_REPEAT_CONSTANT && p > 0)
        return loom_fail_field(
            err, LOOM_ERANGE, "lambda",
            "lambda %g is not below (1 - p) mu = %g (p = %g, mu = %g): the queue "
            "grows without end",
            model->lambda, (1 - p) * rate, p, rate);
    return loom_fail_field(err, LOOM_ERANGE, "lambda",
                           "lambda %g is not below the service rate mu = %g: the queue grows "
                           "without end",
                           model->lambda, rate);
}

/* ---- service times --------------------------------------------------------------------------- */

static int take_params(double *params, size_t *n, const char *at)
{
    for (*n = 0; *at; (*n)++) {
        char *end;
        if (*at++ != ':' || *n == LOOM_DIST_PARAMS)
            return -1;
        params[*n] = strtod(at, &end);
        if (end == at)
            return -1;
        at = end;
    }
    return 0;
}

/* Check that a service time is not negative, and has a positive mean. */
static int check_shape(const struct loom_dist *dist, const char *text, struct loom_error *err)
{
    double mean = loom_dist_mean(dist);
    if (loom_dist_cdf(dist, -1e-300) > 0)
        return loom_fail_field(err, LOOM_ERANGE, "service-dist",
                               "service-dist %s has negative values, which no time can be", text);
    if (!(mean > 0 && isfinite(mean)))
        return loom_fail_field(err, LOOM_ERANGE, "service-dist",
                               "service-dist %s has no finite mean above 0", text);
    return 0;
}

int loom_queueing_service_parse(struct loom_dist *out, const char *text, struct loom_error *err)
{
    char name[64];
    double params[LOOM_DIST_PARAMS];
    size_t length = strcspn(text, ":"), n;
    if (length >= sizeof name || take_params(params, &n, text + length))
        return loom_fail_field(err, LOOM_EUSAGE, "service-dist",
                               "service-dist wants NAME:PARAMETER:..., as gamma:0.5:2, not '%s'",
                               text);
    memcpy(name, text, length);
    name[length] = '\0';
    int rc = loom_dist_init(out, name, params, n, err);
    if (rc && err && rc != LOOM_ENOMEM)
        err->field = "service-dist";
    return rc ? rc : check_shape(out, text, err);
}
